# A página do caso e os pequenos atos sobre ele.

## Partes da página

case-skip-to-gate = Ir para o portão
case-skip-to-evidence = Ir para as evidências
case-crumbs-label = Onde você está
case-sections-label = Seções deste caso
case-section-ladder = Escada
case-section-problem = Problema
case-section-contract = Contrato de carga
case-section-contract-short = Contrato
case-section-stages = Etapas
case-section-hypotheses = Explicações
case-section-compare = Comparação
case-section-change = Mudança e canário
case-section-change-short = Mudança
case-section-decision = Decisão
case-section-timeline = Linha do tempo e comentários
case-section-timeline-short = Linha do tempo
case-word-stage = Etapa
case-word-run = execução
case-state-since = { $state } desde { $at }
case-all-classes = todas as classes
case-all-bands = todas as faixas
case-environment-unknown = ambiente desconhecido
case-window-unknown = não informada
case-files = { $count ->
    [one] 1 arquivo
   *[other] { $count } arquivos
}
case-form-save = Salvar
case-form-back = Voltar ao caso

## Fatos no cabeçalho

case-fact-service = Serviço · classes de tarefa
case-fact-classes-none = nenhuma classe informada
case-fact-symptom = Sintoma
case-fact-symptom-none = não informado
case-fact-symptom-limit = { $seen }, limite { $limit }
case-fact-first-seen = visto pela primeira vez em { $at }
case-fact-contract = Contrato
case-fact-contract-none = ainda sem contrato
case-fact-contract-newest = versão mais recente
case-fact-contract-newer = a v{ $number } está publicada
case-contract-state-draft = rascunho
case-contract-state-published = publicada
case-contract-state-superseded = substituída
case-contract-state-withdrawn = retirada
case-fact-environment = Ambiente
case-fact-environment-others = { $count ->
    [0] nenhum outro visto
    [one] um outro visto
   *[other] { $count } outros vistos
}
case-fact-layer = Camada responsável
case-fact-layer-none = não identificada
case-fact-layer-since = registrada em { $at }
case-fact-acceptance = Aceitação
case-fact-acceptance-none = não medida
case-fact-acceptance-value = { $value }, limite { $floor }
case-fact-change = Mudança em curso
case-fact-change-none = nenhuma
case-fact-owner = Responsável
case-fact-owner-none = sem responsável
case-fact-owner-you = é você
case-fact-opened = Aberto
case-fact-opened-by = por { $name }
case-fact-age = Idade
case-fact-age-state = { $age } neste estado

## Avisos

case-banner-corrupt = Evidência danificada.
case-banner-corrupt-text = Os bytes guardados de { $items } não correspondem mais ao resumo. Nada que se apoie neles se sustenta.
case-banner-corrupt-link = Ver
case-banner-rolled-back = Revertida.
case-banner-rolled-back-text = { $change } foi revertida; o valor antigo está em serviço.
case-banner-rolled-back-link = Mudança
case-banner-canary = Canário em execução.
case-banner-canary-text = { $change } há { $since }, no máximo { $most }; teto de { $ceiling } do tráfego.
case-banner-canary-link = Canário
case-banner-paused = Canário pausado.
case-banner-paused-link = Canário
case-banner-expired = Expirou em serviço.
case-banner-expired-text = { $change } não foi promovida a tempo. A candidata talvez ainda receba tráfego: reverta.
case-banner-expired-link = Mudança
case-banner-approval = Aprovação desatualizada.
case-banner-approval-text = Algo em que a aprovação de { $change } se apoiava mudou desde então.
case-banner-approval-link = Mudança
case-banner-contract = O contrato mudou.
case-banner-contract-text = A v{ $number } está publicada; este caso é julgado por uma versão anterior.
case-banner-contract-link = Escolher a versão
case-banner-hold = Em espera
case-banner-hold-text = até { $until }: { $reason }
case-banner-hold-link = Linha do tempo

## O portão

case-gate-title = O que falta
case-gate-which = Qual portão
case-gate-show = Mostrar
case-gate-choice-submit = para submeter
case-gate-choice-approve = para aprovar
case-gate-choice-canary = para iniciar o canário
case-gate-choice-accept = para aceitar
case-gate-choice-close = para encerrar
case-gate-tally = As linhas de relance
case-gate-why = Por quê
case-gate-carries = Sustentam
case-gate-rule = Regra
case-gate-inputs = Entradas
case-gate-held = { $count ->
    [one] 1 linha se sustenta, em { $at }
   *[other] { $count } linhas se sustentam, em { $at }
}
case-gate-held-but = Em { $at }: linhas que se sustentam: { $count }; que não se aplicam: { $na }
case-gate-decide = Essa página repete estas linhas.
case-gate-who-role = Requer um destes papéis: { $roles }.
case-act-open-submit = Abrir a mudança para submetê-la
case-act-open-approve = Abrir a mudança para aprová-la
case-act-open-canary = Iniciar o canário
case-act-open-accept = Abrir a página de aceite
case-act-open-close = Abrir a página de encerramento
case-act-roll-back = Reverter…
case-act-roll-back-hint = Sempre possível. Pede poucas palavras, nenhuma aprovação.
case-do-pin-contract = Fixar um contrato
case-do-add-run = Adicionar essa execução
case-do-add-evidence = Adicionar evidência
case-do-edit-run = Corrigir a execução
case-do-see-run = Ver a execução
case-do-see-evidence = Ver o arquivo
case-do-record = Registrar a condição
case-do-declare-stage = Declarar a etapa
case-do-see-stage = Ver a etapa
case-do-draft-change = Rascunhar uma mudança
case-do-edit-change = Editar a mudança
case-do-submit = Submeter a mudança
case-do-approve = Aprovar o canário
case-do-clear-request = Ver o pedido
case-do-start-canary = Iniciar o canário
case-do-end-canary = Encerrar o canário
case-do-roll-back = Reverter
case-do-compare = Comparar
case-rule-reproduced-bottleneck = Pelo menos duas execuções de base independentes violam o mesmo limite sob um só contrato e ambiente; uma delas sem profiler.
case-rule-owner-layer-identified = Uma camada é apontada por um sinal citado, e de cada outra etapa se diz por que não é o limite.
case-rule-acceptance-impact-visible = A aceitação é medida nas execuções que violam o limite, para cada classe de tarefa que o incidente cita. Tokens por segundo nunca contam.
case-rule-rollback-threshold-defined = O limiar está completo e dispara no mais tardar quando o limite do contrato seria violado.
case-rule-one-knob = Base e candidata só podem diferir no ajuste que a mudança declara e em suas consequências informadas.
case-rule-comparison-warm = Nenhum limite do contrato é violado a quente; o que não se pode julgar fica aberto.
case-rule-comparison-cold = A comparação a frio é exigida quando o contrato a limita ou o ajuste mexe com carga, compilação, captura ou cache.
case-rule-comparison-canary = Cada limite do contrato é julgado nas requisições do próprio canário.
case-rule-canary-verdict = Qualquer limite violado reprova o canário; requisições de menos nunca contam como aprovação.
case-rule-unprofiled = Um profiler altera os tempos: o que é julgado foi medido sem ele.
case-rule-approvals = Uma aprovação vale para a revisão, a base e o contrato sobre os quais foi dada, por um revisor que não contribuiu.
case-rule-integrity = Os bytes guardados de cada arquivo da base tiveram seu resumo conferido há menos de um dia.
case-rule-one-at-a-time = No máximo uma mudança por serviço está entre o início do canário e o fim da janela de observação.

## Pessoas e responsável

case-people-on-case = Neste caso
case-people-watching = Acompanha o canário
case-people-reviewers = Revisores
case-people-nobody = ninguém ainda
case-people-no-owner = sem responsável
case-people-title = Pessoas
case-owner-take = Assumir
case-owner-me = eu
case-owner-to = Passar para
case-owner-hand = Passar

## Problema

case-problem-edit = Editar o problema
case-problem-empty = Nada escrito ainda: o que se sente, desde quando, por quem.
case-problem-title = Título
case-problem-classes = Classes de tarefa que o incidente cita
case-closed-as = Encerrado: { $outcome }.
case-fault-title = O título precisa de 3 a 200 caracteres.
case-fault-problem = O problema tem no máximo 10.000 caracteres.
case-fault-class = { $class } não é uma classe de tarefa deste serviço.

## Contrato

case-contract-change = outra versão
case-contract-limits-of = Limites de { $contract }
case-contract-caption = { $count ->
    [one] Um limite.
   *[other] { $count } limites.
} Janela de { $window }; concorrência { $bands }; pelo menos { $samples } requisições.
case-contract-accepted = Aceito significa: { $definition }
case-contract-empty = Nenhum contrato fixado. Sem ele nada pode ser julgado: é ele que diz quais limites valem.
case-pin-words = O contrato diz o que conta como aceito e quais limites são julgados. Fixar outra versão desatualiza condições e aprovações dadas sobre a antiga.
case-pin-now = Fixado agora: { $contract }.
case-pin-none = Nenhuma versão publicada para { $service }.
case-pin-draft = Rascunhar um contrato
case-pin-versions = Versões publicadas para { $service }
case-pin-is = fixada agora
case-pin-save = Fixar
case-fault-contract-choose = Escolha uma versão publicada.

## Etapas e cartões de evidência

case-stage-add = Adicionar evidência
case-stage-declare = Declarar esta etapa
case-stage-elsewhere = Também fala desta etapa:
case-stage-older = { $count ->
    [one] 1 arquivo mais antigo
   *[other] { $count } arquivos mais antigos
}
case-stage-empty = Ainda sem evidência. Adicione uma execução com o que suas ferramentas escreveram, ou diga por que ninguém precisa olhar aqui.
case-stage-signals-of = Sinais da etapa { $number }
case-unplaced-title = Arquivos que ainda não falam de nenhuma etapa
case-unplaced-words = Arquivos em leitura, ilegíveis ou sem sinal de alguma etapa. Assim como estão, não contam para nada.
case-limit-none = nenhum
case-signal-since-start = desde o início do processo
case-signal-instant = um instante
case-signal-bucket = entre { $low } e { $high }, de faixas do histograma
case-signal-at-least = pelo menos isto
case-signal-estimate = estimativa
case-signal-samples = { $n } amostras
case-card-used = { $count ->
    [one] usado por 1 linha do portão
   *[other] usado por { $count } linhas do portão
}
case-card-all-signals = Todos os { $count } sinais
case-card-download = baixar
case-card-more = detalhes
case-card-parser = leitor { $version }
case-card-refusal-remedy = Leia de novo, ou retire-o e anexe outro arquivo.
case-check-sound = resumo conferido em { $at }
case-check-corrupt = os bytes não correspondem mais ao resumo, { $at }
case-check-window = janela dentro da execução
case-check-agrees = informado { $stated }, o conteúdo confirma
case-check-contradicted = { $field }: informado { $stated }; o arquivo mostra: { $found }
case-check-samples = { $n } amostras de { $signal }
case-check-requests = { $count ->
    [one] 1 requisição concluída
   *[other] { $n } requisições concluídas
}
case-check-not-captured = { $count ->
    [one] 1 coisa não capturada
   *[other] { $count } coisas não capturadas
}
case-statement-none = nada
case-declare-legend = O que se declara
case-declare-not-applicable = Não se aplica
case-declare-not-applicable-hint = A etapa não existe aqui: uma GPU em um nó não tem enlaces que a limitem.
case-declare-not-examined = Não examinada
case-declare-not-examined-hint = A etapa existe e ninguém olhou, porque a evidência de outras etapas torna isso desnecessário.
case-declare-reopened = Desfazer a declaração
case-declare-reopened-hint = A etapa volta a ficar aberta e pede evidência.
case-declare-reason = Motivo
case-declare-reason-hint = Pelo menos 20 caracteres. O registro da decisão o guarda palavra por palavra.
case-declare-save = Declarar
case-fault-kind-choose = Escolha o que se declara.
case-fault-kind-nothing-declared = Nada foi declarado sobre esta etapa, portanto não há o que desfazer.

## Execuções

case-runs-title = Execuções
case-runs-add = Adicionar uma execução
case-runs-empty = Nenhuma execução ainda. Uma execução é uma medição: informe papel, fase e se havia profiler, depois adicione os arquivos.
case-runs-others = { $count ->
    [one] + 1 que não conta
   *[other] + { $count } que não contam
}
case-runs-upload = adicionar arquivos
case-column-run = Execução
case-column-role = Papel
case-column-phase = Fase
case-column-profiled = Profiler
case-column-environment = Ambiente
case-column-window = Janela
case-column-items = Arquivos que contam
case-column-signal = Sinal
case-column-statistic = Estatística
case-column-value = Valor
case-column-limit = Limite
case-column-limit-signal = O que é limitado
case-column-verdict = Veredito
case-column-from = De
case-column-class = Classe de tarefa
case-column-band = Concorrência

## Explicações

case-hypotheses-empty = Nenhuma explicação proposta. Mantenha explicações rivais separadas e deixe a evidência falar a favor e contra cada uma.
case-hypothesis-stage = Etapa que ela aponta
case-hypothesis-text = Explicação
case-hypothesis-save = Propor
case-argument-add = Adicionar evidência a favor ou contra
case-argument-evidence = Arquivo
case-argument-side = Fala
case-argument-for = a favor
case-argument-against = contra
case-argument-note = O que mostra
case-argument-save = Adicionar
case-fault-hypothesis = Diga em 5 a 2000 caracteres.
case-fault-argument-evidence = Escolha um arquivo deste caso.
case-fault-argument-note = Diga o que mostra, em 5 a 2000 caracteres.

## Comparação, mudança, decisão

case-compare-open = Abrir a comparação completa
case-compare-rows = Linhas
case-compare-none = Ainda sem comparação.
case-compare-none-needed = Sem comparação a frio. O contrato limita o comportamento a frio.
case-compare-none-word = nenhuma
case-compare-sides = { $base } contra { $cand }.
case-change-about = revisão { $revision } · { $digest }… · por { $name }
case-change-set = Mudar
case-change-of = de
case-change-from = de
case-change-to = para
case-change-state = Estado
case-change-expected = Esperado
case-change-expects = { $signal } { $direction }: { $by }
case-direction-lower = cai
case-direction-higher = sobe
case-change-risks = Riscos
case-change-thresholds = Reverter se
case-change-no-threshold = nenhum limiar definido
case-threshold-words = { $measure } ({ $class }) ficar { $side } de { $value } em { $window } com pelo menos { $samples } requisições, em { $count ->
    [one] 1 janela
   *[other] { $count } janelas seguidas
}.
case-threshold-above = acima
case-threshold-below = abaixo
case-change-approvals = Aprovações
case-change-no-approval = Nenhuma ainda.
case-change-earlier = Anteriores
case-change-open = Abrir a mudança
case-change-another = Rascunhar outra
case-change-empty = Nenhuma mudança rascunhada. Uma mudança mexe em um ajuste, diz o que espera e quando voltar atrás.
case-decision-empty = Ainda sem decisão. Ela será escrita aqui, selada com o portão como julgado, a comparação e o resumo de cada arquivo em que se apoia.
case-decision-record = registro

## Encerramento

case-close-open = Encerrar o caso
case-close-words = Encerrar congela o que o caso diz. O desfecho precisa ser verdade agora.
case-close-judge = Julgar para
case-close-form = Desfecho e nota
case-close-outcome = Como terminou
case-close-note = Nota de encerramento
case-close-note-hint = Pelo menos 20 caracteres: o que se descobriu e o que fica por fazer.
case-close-save = Encerrar o caso
case-outcome-change-confirmed-hint = Uma mudança foi aceita e sua janela de observação passou sem problemas.
case-outcome-change-rolled-back-hint = Uma mudança foi revertida e nada mais se segue.
case-outcome-no-change-needed-hint = O que se viu não pede mudança.
case-outcome-not-reproduced-hint = Pelo menos duas execuções sob o contrato não violam o limite.
case-outcome-outside-our-layers-hint = O limite está fora das cinco etapas.
case-outcome-opened-in-error-hint = O caso não devia ter sido aberto; recusado depois que uma mudança foi submetida.
case-fault-close-who = Só o responsável pelo caso ou um gestor o encerra.
case-fault-close-unowned = O caso ainda não tem responsável. Primeiro alguém o assume.
case-fault-outcome-choose = Escolha como terminou.
case-fault-note = A nota precisa de pelo menos { $least } caracteres.

## Linha do tempo e comentários

case-timeline-order = do mais novo ao mais antigo
case-timeline-newest = voltar ao mais novo
case-timeline-older = Entradas mais antigas
case-timeline-audit = auditoria nº { $number }
case-timeline-app = o programa
case-comment-label = Comentário
case-comment-save = Comentar
case-comment-hint = Um comentário nunca muda um portão.
case-fault-comment = Um comentário tem de 1 a 10.000 caracteres.
case-act-accept-refused = tentou aceitar; o portão não estava aberto
case-act-canary-end = encerrou o canário de
case-act-canary-pause = pausou o canário de
case-act-canary-resume = retomou o canário de
case-act-canary-roll-back = reverteu
case-act-canary-start = iniciou o canário de
case-act-case-close = encerrou o caso
case-act-case-comment = comentou
case-act-case-contract = fixou uma versão do contrato
case-act-case-open = abriu o caso
case-act-case-owner = definiu como responsável
case-act-case-problem = reescreveu o problema
case-act-change-approve = aprovou o canário de
case-act-change-approve-promotion = aprovou a promoção de
case-act-change-clear-request = encerrou um pedido de ajustes em
case-act-change-draft = rascunhou
case-act-change-request-changes = pediu ajustes em
case-act-change-revise = revisou
case-act-change-submit = submeteu
case-act-change-withdraw = retirou
case-act-condition-record = registrou a condição
case-act-condition-retract = desfez o registro da condição
case-act-decision-accept = aceitou; registro
case-act-decision-reject = rejeitou; registro
case-act-decision-roll-back = reverteu; registro
case-act-evidence-attach = anexou
case-act-evidence-read = Lido:
case-act-evidence-set-aside = pôs de lado
case-act-evidence-unreadable = Não foi possível ler:
case-act-evidence-withdraw = retirou
case-act-hypothesis-argue = argumentou sobre
case-act-hypothesis-propose = propôs
case-act-run-correct = corrigiu o informado sobre
case-act-run-create = descreveu
case-act-end-refused = tentou encerrar um canário; foi recusado
case-act-roll-back-refused = tentou reverter; foi recusado
case-act-evidence-download = baixou
case-act-evidence-read-again = mandou ler de novo:
case-act-evidence-map = explicou as colunas de:
case-act-stage-declare = declarou sobre a etapa
