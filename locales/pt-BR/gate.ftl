# O que o julgamento diz.

## O portão: a primeira linha, as exigências e as palavras.

gate-submit-ready = Pronto para submeter. Todas as linhas se sustentam.
gate-submit-ready-but = Pronto para submeter. Linhas que se sustentam: { $holds }; que não se aplicam: { $na }.
gate-submit-open = Ainda não dá para submeter: { $count } de { $lines } linhas em aberto.
gate-approve-ready = Pronto para aprovar. Todas as linhas se sustentam.
gate-approve-ready-but = Pronto para aprovar. Linhas que se sustentam: { $holds }; que não se aplicam: { $na }.
gate-approve-open = Ainda não dá para aprovar: { $count } de { $lines } linhas em aberto.
gate-start-canary-ready = Pronto para iniciar o canário. Todas as linhas se sustentam.
gate-start-canary-ready-but = Pronto para iniciar o canário. Linhas que se sustentam: { $holds }; que não se aplicam: { $na }.
gate-start-canary-open = Ainda não dá para iniciar o canário: { $count } de { $lines } linhas em aberto.
gate-accept-ready = Pronto para aceitar. Todas as linhas se sustentam.
gate-accept-ready-but = Pronto para aceitar. Linhas que se sustentam: { $holds }; que não se aplicam: { $na }.
gate-accept-open = Ainda não dá para aceitar: { $count } de { $lines } linhas em aberto.
gate-close-ready = Pronto para encerrar. Todas as linhas se sustentam.
gate-close-ready-but = Pronto para encerrar. Linhas que se sustentam: { $holds }; que não se aplicam: { $na }.
gate-close-open = Ainda não dá para encerrar: { $count } de { $lines } linhas em aberto.
gate-close-case-open = O caso está aberto.
gate-line-reproduced-bottleneck = Gargalo reproduzido
gate-line-owner-layer-identified = Camada responsável
gate-line-acceptance-impact-visible = Impacto na aceitação
gate-line-rollback-threshold-defined = Limiar de reversão
gate-line-change = Mudança
gate-line-revision = Mudança e sua revisão
gate-line-one-knob = Um só ajuste
gate-line-bundle = Consentimento ao conjunto
gate-line-comparison-warm = Comparação a quente
gate-line-comparison-cold = Comparação a frio
gate-line-comparison-canary = Comparação do canário
gate-line-canary-verdict = Veredito do canário
gate-line-unprofiled = Execuções sem profiler
gate-line-way-back = Caminho de volta e quem acompanha
gate-line-approvals = Aprovações
gate-line-integrity = Integridade das evidências
gate-line-plan = Plano do canário
gate-line-one-at-a-time = Uma mudança por vez
gate-line-open-matters = Nada em aberto
gate-line-case-open = Caso e contrato
gate-line-nothing-live = Nenhuma mudança em curso
gate-line-outcome = Desfecho
gate-status-holds = sustenta-se
gate-status-missing = ausente
gate-status-not-supported = sem respaldo
gate-status-out-of-date = desatualizado
gate-status-contradicted = contradito
gate-status-not-applicable = não se aplica
gate-status-cannot-tell = não dá para dizer
gate-status-error = não pôde ser verificado
condition-status-missing = ausente
condition-status-held = sustentada
condition-status-unsupported = sem respaldo
condition-status-stale = desatualizada
condition-status-contradicted = contradita
verdict-holds = cumpre
verdict-breaks = descumpre
verdict-cannot-tell = não dá para dizer
verdict-pass = aprovado
verdict-fail = reprovado
verdict-inconclusive = inconclusivo
comparator-at-most = no máximo
comparator-at-least = no mínimo

## Palavras para os estados.

case-state-new = novo
case-state-investigating = em investigação
case-state-deciding = em decisão
case-state-rolling-out = em implantação
case-state-closed = encerrado
outcome-change-confirmed = mudança confirmada
outcome-change-rolled-back = mudança revertida
outcome-no-change-needed = nenhuma mudança necessária
outcome-not-reproduced = não reproduzido
outcome-outside-our-layers = fora das nossas camadas
outcome-opened-in-error = aberto por engano
change-state-draft = rascunho
change-state-submitted = submetida
change-state-approved-for-canary = aprovada para canário
change-state-canary-running = canário em execução
change-state-canary-paused = canário pausado
change-state-canary-ended = canário terminado
change-state-awaiting-promotion = aguardando promoção
change-state-accepted = aceita
change-state-confirmed = confirmada
change-state-withdrawn = retirada
change-state-rejected = rejeitada
change-state-expired = expirada
change-state-rolled-back = revertida
evidence-state-received = recebida
evidence-state-parsing = em leitura
evidence-state-usable = utilizável
evidence-state-unreadable = ilegível
evidence-state-rejected = recusada
evidence-state-set-aside = posta de lado
evidence-state-withdrawn = retirada
evidence-state-purged = expurgada
phase-cold = a frio
phase-warm = a quente
phase-canary = canário
phase-unknown = fase não informada
role-run-baseline = linha de base
role-run-candidate = candidata
role-run-unknown = papel não informado
profiled-yes = com profiler
profiled-no = sem profiler
profiled-unknown = profiler não informado
condition-reproduced-bottleneck = gargalo reproduzido
condition-owner-layer-identified = camada responsável identificada
condition-acceptance-impact-visible = impacto na aceitação visível
condition-rollback-threshold-defined = limiar de reversão definido
declaration-not-applicable = não se aplica
declaration-not-examined = não examinado
declaration-reopened = reaberto
purpose-canary = canário
purpose-promotion = promoção
canary-event-started = iniciado
canary-event-paused = pausado
canary-event-resumed = retomado
canary-event-ended = terminado
canary-event-rolled-back = revertido
decision-accepted = aceita
decision-rejected = rejeitada
decision-rolled-back = revertida
standing-empty = sem evidência
standing-collecting = em leitura
standing-evidenced = com evidência
standing-owner-layer = limita a aceitação
standing-not-applicable = não se aplica
standing-not-examined = não examinado
standing-disputed = evidências divergem
layer-outside = fora das nossas camadas

## Declarações sobre uma execução.

statement-role = papel
statement-phase = fase
statement-profiled = uso de profiler
statement-contract = versão do contrato
statement-environment = ambiente
statement-window = janela de tempo
gate-statement-unknown = { $run } não informa: { $fields }. Informe para que a execução possa contar.
gate-statement-contradicted = { $run } declara { $field } como “{ $stated }”; { $evidence } diz “{ $found }”. Corrija a declaração ou retire o arquivo.
gate-statement-contradicted-because = { $run } declara { $field } como “{ $stated }”; { $evidence } diz “{ $found }”: { $reason }
gate-run-other-contract = { $run } foi feita sob outro contrato que não { $contract }.
gate-off-contract = { $run } está fora do contrato: { $signal } ({ $statistic }) é { $value } em { $evidence }; o declarado vai de { $least } a { $most }.
gate-off-contract-mix = { $run } está fora do contrato: a proporção da classe { $class } é { $value } em { $evidence }, declarada de { $least } a { $most }.
gate-not-measured = não medido
gate-no-item = nenhum arquivo
gate-all-classes = todas as classes
gate-all-bands = todas as faixas

## O que uma execução mediu de um limite.

measure-no-evidence = { $run } não tem arquivo utilizável. Acrescente evidência a ela.
measure-being-read = Os arquivos de { $run } ainda estão sendo lidos.
measure-invalid = Quem leu os arquivos de { $run } os marcou como não confiáveis; não dá para julgar { $measure } { $sign } { $limit }. Repita a execução.
measure-not-captured = { $measure } não está em nenhum arquivo utilizável de { $run }.
measure-other-class = { $run } não foi feita para { $class }, { $band }.
measure-outside-band = Nenhum ponto de carga de { $run } fica dentro de { $band } do contrato.
measure-since-start = { $measure } de { $run } cobre tudo desde o início do processo e esconde um incidente recente. Acrescente uma segunda coleta: uma antes e outra depois.
measure-disagree = Arquivos de { $run } divergem em { $measure }: { $items } dizem { $values }. Ponha um deles de lado ou em uma execução própria.
measure-too-few = { $measure } precisa de { $need } amostras; { $run } tem { $have }.
measure-samples-unknown = { $evidence } não diz sobre quantas amostras { $measure } de { $run } se apoia; são necessárias { $need }.
measure-at-least = { $measure } de { $run } é no mínimo { $value }; o valor verdadeiro pode estar de qualquer lado de { $limit }.
measure-bucket-wide = { $measure } de { $run } está em algum ponto entre { $low } e { $high }, largo demais para comparar com { $limit }. Use intervalos mais finos no histograma.

## Contrato e base.

gate-no-contract = Nenhum contrato de carga está fixado. Fixe uma versão publicada.
gate-contract-draft = { $contract } é um rascunho. Publique-o ou fixe uma versão publicada.
gate-contract-superseded = { $contract } foi substituído: { $newer } está publicado. Fixe-o e julgue de novo.
gate-contract-withdrawn = { $contract } foi retirado. Fixe uma versão publicada.
gate-contract-no-limits = O contrato não tem limites.
gate-recorded-under-other-contract = Registrado sob outra versão do contrato; agora está fixado { $contract }. Registre de novo.
gate-limit-unknown = O contrato não tem o limite “{ $limit-id }”.
gate-evidence-moved = { $evidence } mudou: { $state } desde { $at }.
gate-evidence-gone = Uma evidência em que se apoiava não existe mais.
gate-run-moved = As declarações de { $run } foram corrigidas.
gate-stage-moved = A declaração da etapa { $stage } mudou.
gate-contract-moved = A versão do contrato mudou.
gate-condition-moved = Uma condição em que se apoiava foi registrada de novo ou retirada.
gate-revision-moved = A mudança foi revisada.
gate-environment-moved = O serviço agora roda em outro ambiente. { $run } difere: { $facts }.
gate-being-read = { $evidence } ainda está sendo lida (desde { $since }). Até lá, esta linha conta como em aberto.

## Condição um: gargalo reproduzido.

gate-repro-none = 0 de { $need } execuções de linha de base descumpre { $measure } { $sign } { $limit }. Acrescente uma execução sem profiler, { $phase }, sob o contrato { $contract }.
gate-repro-more = { $have } de { $need } execuções de linha de base descumpre { $measure } { $sign } { $limit } ({ $runs }). Acrescente uma execução sem profiler, { $phase }, sob o contrato { $contract }.
gate-repro-record = { $runs } descumprem { $measure } { $sign } { $limit }. Registre o gargalo reproduzido.
gate-repro-held = { $runs } descumprem { $measure } { $sign } { $limit } ({ $values }); a diferença entre elas é de { $spread }.
gate-repro-too-few-runs = { $have } de { $need } execuções foram indicadas para { $measure } { $sign } { $limit }. Acrescente uma execução de linha de base.
gate-repro-spread = { $measure } de { $runs } difere em { $spread }; o permitido é { $allowed }. Acrescente uma execução ou explique a diferença.
gate-repro-contradicted = { $run } ({ $at }) cumpre o limite: { $value }. Explique ou ponha uma delas de lado.
gate-needs-unprofiled = { $runs } têm todas profiler: é preciso uma execução sem profiler.
gate-run-meets-limit = { $run } cumpre { $measure } { $sign } { $limit }: { $value }.
gate-run-not-baseline = { $run } não é uma execução de linha de base.
gate-run-other-phase = { $run } é { $phase }; { $measure } { $sign } { $limit } se julga { $wanted }.
gate-runs-same-data = { $a } e { $b } trazem os mesmos dados e contam como uma só.
gate-runs-overlap = { $a } e { $b } se sobrepõem no tempo e contam como uma só.
gate-runs-environment = { $a } e { $b } foram feitas em ambientes diferentes: { $facts }.
gate-runs-phase = { $a } e { $b } foram feitas em fases diferentes.
gate-input-run = { $run }: { $measure } { $value } (limite { $sign } { $limit }), { $phase }, { $profiled }, de { $evidence }

## Condição dois: camada responsável e as etapas.

gate-layer-missing = Nenhuma camada foi indicada. Indique a que limita as tarefas aceitas, com os sinais que mostram isso.
gate-layer-held = Camada indicada: { $layer }.
gate-layer-nothing-cited = Nenhum sinal foi citado para a camada. Cite ao menos um com seu valor.
gate-layer-signal-no-layer = { $signals } não identifica uma camada. GPU ocupada não é diagnóstico; cite um sinal que mostre o que ela espera.
gate-layer-item-gone = { $evidence } já não conta; { $measure } não sustenta nada.
gate-layer-signal-gone = { $measure } já não está em { $evidence }.
gate-layer-value-moved = { $measure } em { $evidence } foi citado como { $cited } e agora é { $value }.
gate-layer-other-stage = { $signal } em { $evidence } pertence a { $other }, não a { $stage }.
gate-layer-environment = { $run } foi feita em ambiente diferente do da reprodução: { $facts }.
gate-layer-cites = { $measure } é { $value } em { $evidence }.
gate-layer-why-not = { $stage } ({ $standing }) não é o limite: { $reason }
gate-layer-no-why = Não foi dito por que { $stage } não é o limite.
gate-layer-declared-away = { $stage } foi indicado como a camada e declarado como não examinado.
gate-layer-outside-unexamined = Diz-se que o limite está fora, mas { $stage } não foi examinado.
gate-layer-rests-on-reproduction = O gargalo reproduzido que ela explica já não se sustenta.
gate-layer-refuted = { $person } marcou { $evidence } como contrária a { $stage }.
gate-stage-empty = A etapa { $stage } não tem evidência e não está marcada como não aplicável.
gate-stage-elsewhere = A etapa { $stage } só tem evidência de outro ambiente, de outro contrato ou de execuções com declarações pendentes.
gate-stage-not-applicable = { $stage }: não se aplica. Motivo por { $person }, { $at }: { $reason }
gate-stage-not-examined = { $stage }: não examinado. Motivo por { $person }, { $at }: { $reason }
gate-stage-disputed = Etapa { $stage }, { $run }: { $a } diz que { $measure } é { $a-value }, { $b } diz { $b-value }. Ponha uma de lado.
stage-reason-short = O motivo precisa de pelo menos { $count } caracteres.
stage-one-always = A etapa 1 sempre se aplica: mostra o que o usuário sente.
stage-five-bigger = Não se sabe se { $run } usou uma única GPU em um único nó; a etapa 5 não pode ser dada como não aplicável.

## Condição três: impacto na aceitação.

gate-impact-after-reproduction = Registre antes o gargalo reproduzido: a aceitação é medida nas execuções dele.
gate-impact-record = A aceitação está medida contra { $limit }. Registre o impacto.
gate-impact-not-acceptance = { $signal } não mostra aceitação. Tokens por segundo nunca mostram.
gate-impact-no-run = Nenhuma execução foi indicada para o impacto.
gate-impact-other-run = { $run } não está entre as execuções que reproduzem o gargalo.
gate-impact-class-unknown = O incidente cita a classe { $class }, que o contrato não tem.
gate-impact-class-missing = { $signal } não está em nenhum arquivo utilizável de { $runs } para a classe { $class }.
gate-impact-loss = { $signal } de { $class } em { $run } é { $value }; o contrato pede { $sign } { $limit } ({ $evidence }).
gate-impact-no-loss = Nenhuma perda medida: { $signal } de { $class } em { $run } é { $value }; o contrato pede { $sign } { $limit } ({ $evidence }).

## Condição quatro: limiar de reversão.

threshold-record = Os limiares de { $change } estão completos. Registre o limiar de reversão.
threshold-held = Reverter se deixar de valer { $measure } { $sign } { $value } ({ $class }, { $band }) em { $window } com ao menos { $samples } amostras; janelas para disparar: { $windows }. Quem acompanha: { $watcher }.
threshold-looser = { $measure } { $sign } { $value } é mais frouxo que { $limit-sign } { $limit } do contrato ({ $contract }). Use { $limit } ou mais estrito.
threshold-direction = { $measure } { $sign } { $value } aponta para o lado errado: o contrato diz { $limit-sign } { $limit } ({ $contract }).
threshold-missing-parts = { $signal }: falta: { $parts }.
threshold-no-signal = “{ $given }” não é um sinal do catálogo. Escolha um que o contrato limite.
threshold-unknown-signal = { $contract } não tem limite para { $signal }. Escolha um sinal que ele limite.
threshold-other-statistic = { $contract } limita { $signal } por outra estatística que não { $statistic }.
threshold-class = { $contract } limita { $signal } por classe de tarefa. Indique a classe: um limiar para { $class } não a cobre.
threshold-band = { $contract } limita { $signal } por faixa de concorrência. Indique a faixa: um limiar para { $band } não a cobre.
threshold-window-long = { $signal }: uma janela de { $window } é maior que a do contrato, { $allowed }.
threshold-needs-latency = Nenhum limiar usa um sinal de latência.
threshold-needs-acceptance = Nenhum limiar usa aceitação ou erros.
threshold-way-back = No caminho de volta falta: { $parts }.
threshold-other-change = Registrado para { $change }; a mudança em curso é { $live }. Registre de novo.
threshold-revised = { $change } foi revisada (revisão { $revision }) e seus limiares ou o caminho de volta mudaram. Registre de novo.
threshold-part-statistic = estatística
threshold-part-value = valor
threshold-part-unit = unidade
threshold-part-window = janela de medição
threshold-part-samples = mínimo de amostras
threshold-part-consecutive = janelas consecutivas
threshold-part-action = ação ao disparar
threshold-part-procedure = procedimento
threshold-part-time = tempo até reverter
threshold-part-watcher = quem acompanha

## A mudança e suas comparações.

gate-no-change = Ainda não há mudança. Rascunhe uma.
gate-change-state = Estado de { $change }: { $state }; o exigido aqui é: { $wanted }.
gate-revision-holds = { $change }, revisão { $revision }: { $state }.
gate-plan-holds = Ajuste, expectativa e plano de canário de { $change } estão completos.
gate-one-knob-holds = Só { $setting } difere: { $old } → { $new }.
gate-one-knob-holds-with = { $setting } difere, { $old } → { $new }, e nada que não esteja declarado com ele.
gate-consequences = Declarado como consequência: { $facts }.
gate-one-knob-no-candidate = Nenhuma execução candidata informa { $setting } = { $new } ainda.
gate-more-than-one-thing = A candidata difere em { $count } pontos: { $setting } (declarado) e, sem declaração, { $facts }.
gate-baseline-other-value = A mudança diz que { $setting } é { $old }; { $run } mediu { $value }.
gate-candidate-other-value = { $run } informa { $setting } como { $value }; a mudança define { $new }.
gate-no-warm-reason = Sem comparação a quente antes do canário: { $reason }
gate-comparison-no-candidate = Nenhuma execução candidata, { $phase }. Acrescente uma, sem profiler.
gate-comparison-no-baseline = Nenhuma execução de linha de base, { $phase }. Acrescente uma, sem profiler.
gate-cold-not-required = Não exigida: o contrato não limita nada a frio e o ajuste não mexe na partida.
gate-cold-required-contract = O contrato limita o comportamento a frio.
gate-cold-required-change = O ajuste mexe em carga, compilação, captura ou cache.
gate-all-unprofiled = Todas as execuções usadas são sem profiler.
gate-profiled-twin = { $run } tem profiler; { $twin } é a gêmea sem profiler.
gate-profiled-alone = { $run } tem profiler e nenhuma gêmea sem profiler. Acrescente uma com o mesmo papel, fase e ambiente.
gate-way-back-holds =
    { $count ->
        [one] Um limiar, completo e estrito.
       *[other] { $count } limiares, completos e estritos.
    } Quem acompanha: { $watcher }.
gate-only-change = Nenhuma outra mudança está em curso em { $service }.
gate-other-live-change = { $other } está em curso em { $service }. Só uma mudança por vez.
compare-refused = Os dois lados não podem ser comparados.
compare-breaks = A candidata descumpre { $breaks } de { $limits } limites.
compare-cannot-tell = Não dá para dizer em { $open } de { $limits } limites.
compare-holds = A candidata cumpre todos os { $limits } limites.
compare-no-limits = O contrato não tem limite para esta fase.
compare-no-baseline = Escolha ao menos uma execução de linha de base.
compare-no-candidate = Escolha ao menos uma execução candidata.
compare-unknown-run = Uma execução indicada não está neste caso.
compare-other-role = { $run } não tem o papel do seu lado.
compare-mixed-phases = { $run } é de outra fase. A frio, a quente e canário nunca se misturam.
compare-other-contract = { $run } não foi feita sob o contrato fixado.
compare-identical = Linha de base e candidata trazem dados idênticos.
compare-no-run-for-class = Nenhuma execução candidata fala por { $class }, { $band }: { $measure } { $sign } { $limit } não foi julgado.
compare-profiled = { $run } tem profiler; seus tempos não são os de produção.
compare-row-breaks = { $measure } de { $class } é { $value }, limite { $sign } { $limit }.
compare-row-holds = { $measure } de { $class } é { $value }, dentro de { $sign } { $limit }.
compare-row-cannot-tell = Não dá para dizer se { $measure } de { $class } cumpre { $sign } { $limit }.

## O canário.

canary-not-ended = Nenhum canário terminou ainda.
canary-no-run = O canário terminou sem execução. Anexe-a.
canary-other-revision = O canário não rodou a revisão atual.
canary-no-baseline-arm = O plano pede um braço de linha de base ao lado do canário, e nenhum rodou no mesmo período.
canary-no-baseline-for = O braço de linha de base não tem execução para { $class }, { $band }: não dá para julgar { $measure } { $sign } { $limit } como planejado.
canary-baseline-also-broken = { $measure } { $sign } { $limit }: a linha de base também descumpre, e isso não diz nada sobre a mudança.
canary-breaks = { $measure } de { $class } é { $value } no canário, limite { $sign } { $limit }. Reverta.
canary-nothing-judged = O canário não tem limite pelo qual ser julgado.
canary-share-exceeded = Escopo excedido: o canário recebeu { $share } do tráfego; o teto é { $ceiling }.
canary-requests-exceeded = Escopo excedido: { $requests } requisições expostas; o plano permite { $most }.
canary-time-exceeded = Escopo excedido: o canário durou { $took }; o plano permite { $most }.
canary-exposure-unknown = A parcela do tráfego ou as requisições expostas não foram informadas ao fim do canário.
canary-too-short = O canário rodou { $took }; o plano pede ao menos { $least }.
canary-time-unknown = Início, fim ou duração mínima do canário não são conhecidos.
canary-run-outside = { $run } não foi feita enquanto o canário rodava.
canary-environment = Os braços do canário diferem além da mudança: { $facts }.
gate-canary-passed =
    { $count ->
        [one] O único limite foi cumprido.
       *[other] Todos os { $count } limites foram cumpridos.
    } O canário terminou em { $at }.
gate-canary-old = O canário terminou em { $at }, há mais de { $hours } horas. Reverta e rode de novo.

## Revisão.

gate-approvals-hold = Aprovado por { $people }.
gate-approvals-missing = { $have } de { $need } aprovações contam.
gate-approval-outdated = { $person } aprovou em { $at }. Já não conta:
approval-repeated = Uma aprovação posterior da mesma pessoa a substitui.
approval-other-revision = A mudança foi revisada desde então.
approval-other-contract = A versão do contrato mudou desde então.
approval-basis-moved = Evidências, declarações ou condições mudaram desde então. Veja o que mudou e aprove de novo.
approval-in-future = Está datada no futuro.
approval-expired = Tem mais de { $hours } horas.
decide-who = Precisa de quem revise e não tenha trabalhado nesta mudança: { $people }.
decide-nobody = Todos que revisam trabalharam nesta mudança. É preciso dar o papel de revisão a alguém que não trabalhou nela.
decide-unknown-person = Esta pessoa não é conhecida no caso.
decide-inactive = A conta de { $person } foi desativada.
decide-no-reviewer = { $person } não tem o papel de revisão.
contributor-author = { $person } escreveu em { $change } e não pode decidir sobre ela.
contributor-condition = { $person } registrou uma condição em vigor ({ $condition }) e não pode decidir.
contributor-evidence = { $person } anexou { $evidence }, em que o portão se apoia, e não pode decidir.
contributor-canary = { $person } iniciou ou conduziu o canário e não pode decidir.
contributor-owner = { $person } é responsável pelo caso e não pode decidir.
gate-request-open = { $person } pede alterações: { $points }
gate-nothing-open = Nenhum pedido em aberto, nenhuma etapa em disputa, nenhuma declaração contradita.

## Integridade, caso e encerramento.

gate-integrity-holds =
    { $count ->
        [one] O único item da base foi verificado.
       *[other] Todos os { $count } itens da base foram verificados.
    }
gate-integrity-failed = Os bytes guardados de { $evidence } já não batem com o resumo (verificado em { $at }). O que se apoia nela não se sustenta.
gate-integrity-unchecked = Sem verificação nas últimas { $hours } horas: { $items }. Verifique de novo.
gate-case-open = O caso está aberto e { $contract } está publicado.
gate-case-closed = O caso está encerrado. Reabra-o antes.
gate-case-on-hold = O caso está em espera até { $until }: { $reason }
gate-close-live-change = { $change } ainda está em curso ({ $state }). Termine, retire ou reverta antes.
gate-close-nothing-live = Nenhuma mudança em curso e nenhum canário rodando.
gate-close-outcome-holds = O caso confirma este desfecho.
gate-close-none-confirmed = Nenhuma mudança deste caso está confirmada.
gate-close-none-rolled-back = Nenhuma mudança deste caso foi revertida.
gate-close-not-reproduced = São necessárias ao menos duas execuções de linha de base que cumpram o limite. Acrescente-as.
gate-close-was-submitted = Uma mudança foi submetida; o caso não foi aberto por engano.

## O que falta a um rascunho de contrato.

contract-needs-class = Indique ao menos uma classe de tarefa.
contract-needs-band = Indique ao menos uma faixa de concorrência.
contract-band-order = Uma faixa começa em pelo menos 1 e não passa do seu próprio fim.
contract-needs-acceptance = Diga o que conta como tarefa aceita.
contract-acceptance-signal = Escolha um sinal que meça aceitação. Tokens por segundo não medem.
contract-needs-latency-limit = Acrescente ao menos um limite de latência.
contract-needs-acceptance-limit = Acrescente ao menos um limite de aceitação.
contract-needs-window = Informe a janela de medição.
contract-needs-samples = Informe o mínimo de requisições em uma execução.
contract-limit-signal = O limite “{ $limit }” cita um sinal que o catálogo não tem.
contract-limit-direction = O limite “{ $limit }” aponta para o lado errado do seu sinal.
contract-limit-value = O limite “{ $limit }” precisa de um valor maior ou igual a 0.
contract-limit-class = O limite “{ $limit }” cita uma classe que o contrato não tem.
contract-limit-band = O limite “{ $limit }” cita uma faixa que o contrato não tem.
contract-limit-twice = Dois limites se chamam “{ $limit }”.

## O que falta a uma mudança.

change-needs-component = Indique o componente cujo ajuste muda.
change-needs-setting = Indique o ajuste.
change-needs-old = Informe o valor medido na linha de base.
change-needs-new = Informe o novo valor.
change-one-knob = Uma mudança mexe em um ajuste. Rascunhe outra mudança para o segundo.
change-same-value = O novo valor é igual ao antigo.
change-needs-expectation = Diga qual sinal deve se mover.
change-needs-share = Informe a maior parcela do tráfego, acima de 0 e até 100 %.
change-needs-max-requests = Informe o máximo de requisições que o canário pode expor.
change-needs-duration = Informe a duração mínima e a máxima do canário.
change-needs-samples = Informe o mínimo de amostras por braço.
change-needs-baseline-arm = Rode um braço de linha de base ao lado do canário ou diga por que não.
change-needs-watcher = Indique quem acompanha o canário.
approval-confirm = A base dela mudou, e nenhum veredito mudou junto. Quem a deu vê os números antigos e os novos e confirma em um só ato; até lá ela não conta.
decide-nobody-but = Todos os revisores trabalharam nesta mudança. O papel de revisor pode ser dado a { $people }, que não trabalharam nela.
contract-needs-cost-attribution = Um limite de custo precisa da atribuição do custo: recursos contados, preço por hora, moeda e período.
