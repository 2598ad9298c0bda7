# O canário: plano, início, amostras, o que lhe cabe; modelos de mudanças padrão e congelamentos.

## O plano no formulário e na página da mudança.

change-kind = Tipo
change-kind-normal = normal: duas aprovações, do canário e da promoção
change-kind-standard = padrão: a partir de um modelo acordado, uma aprovação
change-kind-emergency = emergência: sob uma exceção
change-kind-hint = Todo tipo roda um canário e define a volta.
change-template = Modelo de uma mudança padrão
change-template-hint = Só modelos deste serviço com que um revisor concordou.
change-no-template = nenhum
change-interval = Minutos entre avaliações
change-start-from = Início no mais cedo, UTC
change-start-to = Início no mais tardar, UTC
change-watcher-hint = Uma pessoa. Ela mesma diz, com a própria conta, que está presente.
change-classes = Classes de tarefa incluídas
change-none-is-all = Nenhuma marcada vale por todas.
change-regions = Regiões incluídas
change-regions-hint = Separadas por vírgulas. Em branco, as regiões não são distinguidas.
change-margin = Pior que o braço de linha de base em no máximo, %
change-margin-hint = Do valor do braço de linha de base, limite a limite. Além disso o canário falha mesmo que o limite do contrato seja cumprido.
change-limits = Limites que precisam passar
change-limits-hint = Nenhum marcado vale por todos. Um que não está marcado ainda pode reprovar o canário.
change-limit-choice = { $measure } { $sign } { $limit } { $about }
change-capacity = O que está de prontidão
change-capacity-hint = Cada um pode ficar em aberto; as páginas dizem então que não foi informado.
change-headroom = Folga na carga-alvo, %
change-spare = Réplicas que podem falhar ao mesmo tempo (o f de N+f)
change-warm-up = Minutos até uma substituta atender
change-fault-time = Informe data e hora.
change-start-window = Janela de início
change-start-any = A qualquer hora.
change-start-after = A partir de { $from } UTC.
change-start-until = Até { $to } UTC.
change-start-between = De { $from } a { $to } UTC.
change-scope-said = Classes: { $classes }. Regiões: { $regions }.
change-every-class = todas as classes do contrato
change-regions-apart = não distinguidas
change-margin-said = Nenhum limite pode ficar pior que no braço de linha de base em mais de { $margin }.
change-margin-alone = Não há braço de linha de base com que medir.
change-limits-all = Todos os limites do contrato precisam passar.
change-limits-said = Precisam passar: { $limits }. Os outros podem reprová-lo.
change-interval-is = Avaliado a cada
change-interval-contract = a janela do contrato
change-capacity-said = Folga na carga-alvo: { $headroom }. Redundância: { $spare }. Aquecimento de uma substituta: { $warm-up }. Reversão: { $back }.
change-worst-time = Tempo de reversão no pior caso
change-worst-time-said = { $whole }: { $notice } até disparar o limiar que percebe por último, depois { $back } até o valor antigo estar de volta.
change-worst-unknown = Não se sabe: limiares, suas janelas ou o tempo de reversão não foram informados.
change-worst-exposure = Exposição no pior caso
change-worst-exposure-said = Cerca de { $requests } requisições nesses { $whole }, com a maior taxa de chegada declarada e o teto da parcela; { $most } ao todo pelo plano.
change-worst-exposure-unknown = No máximo { $most } requisições pelo plano. O contrato não declara taxa de chegada que diga mais.
change-needs-margin = Informe quanto a candidata pode ser pior que o braço de linha de base, de 0 a 100 %.
change-needs-start-window = A janela de início termina antes de começar.
change-needs-interval = O tempo entre duas avaliações é maior que zero.

## O portão do início e o da promoção.

gate-line-start-window = Janela de início
gate-line-watcher = Acompanhante presente
gate-line-kind = Tipo da mudança
gate-line-freeze = Sem congelamento
gate-line-no-trigger = Nenhum limiar disparado
case-rule-start-window = Um canário começa dentro da janela que o plano indica.
case-rule-watcher = Quem acompanha diz com a própria conta, pouco antes, que está presente.
case-rule-kind = Uma mudança padrão fica dentro do modelo acordado; uma emergência precisa de uma exceção.
case-rule-freeze = Um serviço não recebe mudança nova enquanto há congelamento em vigor.
case-rule-no-trigger = Uma mudança cujo limiar de reversão disparou volta atrás e não é promovida.
case-do-see-change = Ver a mudança
gate-start-any-time = O plano não indica janela de início.
gate-start-too-early = A janela de início abre em { $from } UTC. Espere por ela ou revise o plano.
gate-start-too-late = A janela de início fechou em { $to } UTC. Revise o plano.
gate-start-open = A janela de início está aberta até { $to } UTC.
gate-start-open-end = A janela de início está aberta.
gate-watcher-unknown = { $watcher } não é conta desta instalação, ou várias têm esse nome. Escolha no plano quem acompanha.
gate-watcher-away = A conta de { $watcher } está desativada. Escolha outra pessoa para acompanhar.
gate-watcher-silent = { $watcher } não disse que está presente. A própria pessoa diz isso na mudança; vale por { $most }.
gate-watcher-long-ago = { $watcher } disse em { $at } que está presente; isso vale por { $most }. A própria pessoa diz de novo na mudança.
gate-watcher-present = { $watcher } disse em { $at } que está presente.
gate-kind-emergency = Uma emergência só segue sob uma exceção. Registre uma, ou torne a mudança normal.
gate-kind-override = Uma emergência: { $count ->
    [one] uma exceção está em vigor
   *[other] { $count } exceções estão em vigor
    }.
gate-no-trigger = Nenhum limiar de reversão disparou.
gate-still-in-service = A candidata de { $change } ainda está em serviço. Diga lá que o valor antigo está de volta.
gate-approvals-standard = Uma mudança padrão não precisa de aprovação do canário: o modelo foi acordado antes.
template-not-agreed = Não há concordância de um revisor em vigor sobre { $template }.
template-other-setting = { $template } é para { $setting } de { $component }.
template-other-unit = A unidade de { $template } é outra: “{ $unit }”.
template-out-of-range = { $value } está fora da faixa de { $template }: { $from } a { $to }.
template-one-knob = { $template } é para um só ajuste; um pacote não é mudança padrão.
template-none = Uma mudança padrão indica um modelo acordado do seu serviço.
template-holds = Dentro de { $template }: { $from } a { $to }.
freeze-in-force = Congelado até { $to } UTC por { $person }: { $reason }
freeze-none = Não há congelamento de { $service } em vigor.

## A que chega um canário.

canary-arm-candidate = candidata
canary-arm-baseline = linha de base
canary-event-extended = estendido
canary-event-recalled = recolhida
canary-event-restored = valor antigo de volta
canary-class-exceeded = Escopo excedido: { $class } recebeu tráfego e não está no plano.
canary-region-exceeded = Escopo excedido: a região { $region } recebeu tráfego e não está no plano.
canary-window-breaks = { $measure } de { $class } foi { $value } na janela a partir de { $from }, limite { $sign } { $limit }. Reverta.
canary-window-too-few = { $measure } de { $class }: nenhuma janela tem { $need } amostras; a mais cheia tem { $have }.
canary-window-samples-unknown = { $measure } de { $class }: não foi informado em quantas amostras uma janela se apoia; são precisas { $need }.
canary-window-few = { $measure } de { $class }: as janelas que violam { $sign } { $limit } têm poucas amostras para contar.
canary-too-few = { $measure } de { $class }, { $arm }: { $have } amostras até agora, { $need } necessárias.
canary-worse = { $measure } de { $class } é { $value }, e { $baseline } no braço de linha de base: pior em mais de { $margin }. Reverta.
canary-gap = { $measure } de { $class }, { $arm }: nada depois de { $at } por mais de uma janela ({ $window }).
canary-stale = { $measure } de { $class }, { $arm }: a última janela terminou em { $at }, há mais de duas janelas de { $window }.
canary-no-samples-for = { $measure } de { $class }, { $band }: nada foi enviado.
canary-class-silent = { $class } não recebeu tráfego, e o plano não a deixa de fora.
canary-nothing-yet = Ainda não se mediu nada.
canary-not-started = Nenhum canário começou.
canary-environment-unknown = Não foi informado onde as amostras foram tomadas. Descreva uma execução candidata na fase de canário com o seu ambiente.
canary-judged-limits = { $count ->
    [one] Um limite julgado
   *[other] { $count } limites julgados
    } sobre { $samples } amostras enviadas e as execuções ao lado.
canary-triggered = Limiar de reversão disparado: { $measure } de { $class } foi { $value } na janela que terminou em { $at }, e { $sign } { $limit } precisa valer ({ $count ->
    [one] 1 janela
   *[other] { $count } janelas seguidas
    }).
canary-triggered-run = Limiar de reversão disparado: { $measure } de { $class } é { $value } em { $run }, cuja janela terminou em { $at }, e { $sign } { $limit } precisa valer ({ $count ->
    [one] 1 janela
   *[other] { $count } janelas seguidas
    }).
canary-ends-most = A duração máxima de { $most } acabou.
canary-ends-least = A duração mínima de { $least } acabou e todos os limites podem ser julgados.
canary-by-samples = amostras enviadas
canary-confirmed = A janela de acompanhamento de { $window } passou limpa, mostrada por { $shown }.
canary-paused-long = O canário de { $change } está pausado desde { $since }, há mais de { $most }. Reverta, ou resolva a causa e retome.

## Amostras que não são aceitas.

sample-not-started = O canário de { $change } não começou.
sample-window-empty = A janela termina antes de começar.
sample-window-ahead = A janela termina em { $at }, que está no futuro.
sample-before-start = A janela terminou em { $at }, antes de o canário começar em { $started }.
sample-unknown-signal = { $given } não é sinal do catálogo.
sample-not-a-share = { $signal } é uma parcela de 0 a 1.
sample-not-finite = O valor não é um número finito.
sample-share = A parcela do tráfego vai de 0 a 1.
sample-count = Um número de amostras ou requisições é grande demais.
sample-unknown-class = { $class } não é classe de tarefa do contrato.
sample-unknown-band = { $band } não é faixa de concorrência do contrato.
sample-too-many = Envie no máximo { $most } amostras de uma vez.

## O bloco de um canário em andamento.

canary-used-requests = Requisições expostas
canary-used-share = Parcela do tráfego
canary-used-time = Tempo usado
canary-used-of = { $used } de no máximo { $most }
canary-used-time-of = { $used }; no mínimo { $least }, no máximo { $most }
canary-not-known = não se sabe
canary-over = além do plano
canary-newest-title = Amostra mais nova
canary-newest = há { $age }; mais velha que { $old } torna o veredito inconclusivo
canary-no-sample-yet = nenhuma ainda; sem nenhuma por { $old } o veredito fica inconclusivo
canary-so-far = até agora
canary-reload = Estes números se atualizam sozinhos onde há scripts.
canary-reload-link = Recarregar
canary-watcher-said = { $watcher } disse há { $age } que está presente.
canary-watcher-silent = { $watcher } ainda não disse que está presente.
canary-i-am-present = Estou presente e acompanho
canary-in-service = Candidata ainda em serviço.
canary-in-service-do = A mudança foi recolhida. Ponha o valor antigo em serviço agora e diga isso aqui.
canary-restore-link = O valor antigo está de volta…
canary-paused-long-title = Pausado por tempo demais.
canary-extend = Estender o canário uma vez
canary-extend-hint = Ele terminou inconclusivo. Estes limites ficam no lugar dos do plano e contam desde o início; o que já foi exposto conta.
canary-extend-or-back = Um revisor que não contribuiu pode estendê-lo uma vez; senão só pode ser revertido. A candidata fica em serviço até alguém dizer que o valor antigo está de volta.
canary-said-extended = { $name } estendeu o canário.
canary-said-recalled = { $name } recolheu a mudança; a candidata fica em serviço até alguém dizer que o valor antigo está de volta.
canary-said-restored = { $name } disse que o valor antigo está de volta em serviço.
samples-title = Enviar o que o canário mediu
samples-link = Enviar uma janela de amostras
samples-lede = Uma janela, os dois braços. A janela é colocada pelo seu horário, não por quando é enviada; a mesma duas vezes conta uma.
samples-from = Janela de, UTC
samples-to = Janela até, UTC
samples-requests = Requisições que a candidata recebeu
samples-share = Parcela do tráfego que recebeu, %
samples-region = Região
samples-rows = Limites
samples-rows-hint = Deixe em branco o que não foi medido. Não é então julgado, nunca tomado por zero.
samples-candidate = Candidata
samples-candidate-n = Candidata, amostras
samples-baseline = Linha de base
samples-baseline-n = Linha de base, amostras
samples-go = Enviar
sample-fault-row = Limite { $row }: informe o valor e o número de amostras como números.
sample-fault-none = Informe ao menos um valor.

## Modelos.

templates-title = Modelos de mudanças padrão
templates-lede = Uma mudança padrão mexe em um ajuste dentro de uma faixa com que um revisor concordou antes. Roda um canário como qualquer outra e precisa de uma aprovação, a da promoção.
templates-none = Nenhum modelo ainda.
templates-new = Escrever um modelo
templates-service = Serviço
templates-least = Valor novo, no mínimo
templates-most = Valor novo, no máximo
templates-reason = Por que pode ser ajustado sem perguntar a cada vez
templates-create = Escrever
templates-agree = Concordar
templates-take-back = Retirar a concordância
templates-words = Por quê
templates-by = Escrito por { $name }, { $at }
templates-agreed = com a concordância de { $name }, { $at }
templates-taken-back = concordância retirada por { $name }, { $at }
templates-unagreed = nenhum revisor concordou ainda
templates-range = { $setting } de { $component }, { $from } a { $to } { $unit }
templates-fault-text = Informe componente e ajuste.
templates-fault-range = Informe dois números, o menor primeiro.
templates-fault-reason = Diga por quê em pelo menos 20 caracteres.
templates-fault-words = Diga por quê em pelo menos 5 caracteres.

## Palavras do registro e das regras do banco de dados.

audit-act-canary-extend = Canário estendido
audit-act-canary-recall = Mudança recolhida
audit-act-canary-restore = Valor antigo declarado de volta
audit-act-canary-present = Acompanhante presente
audit-act-canary-samples = Amostras do canário enviadas
audit-act-change-confirm = Mudança confirmada
audit-act-extend-refused = Extensão de um canário recusada
audit-act-template-create = Modelo escrito
audit-act-template-agree = Concordância com um modelo
audit-act-template-take-back = Concordância com um modelo retirada
audit-act-freeze-set = Congelamento definido
audit-act-freeze-lift = Congelamento suspenso
case-act-canary-extend = estendeu o canário de
case-act-canary-recall = recolheu
case-act-canary-restore = declarou que está de volta o valor antigo de
case-act-canary-present = disse estar presente para acompanhar
case-act-canary-samples = enviou amostras de
case-act-change-confirm = confirmou
case-act-extend-refused = tentou estender um canário; foi recusado
error-rule-canary-event-order = Isto não decorre do que o canário fez por último. Abra a mudança de novo e veja onde ela está.
error-rule-canary-start-approved = Um canário começa na revisão mais nova, depois de aprovada. Obtenha antes a aprovação.
error-rule-canary-extended-once = Um canário é estendido uma vez, e só quando terminou inconclusivo. Reverta-o.
error-rule-canary-extended-by-reviewer = Um canário é estendido por um revisor que não contribuiu. Peça a um dos que a revisão indica.
error-rule-canary-extended-inconclusive = Só se estende um canário que terminou inconclusivo. Reverta-o.
error-rule-decision-after-pass = Um canário que não passou não é promovido. Estenda-o ou reverta-o.
error-rule-canary-sample-started = Amostras são de um canário que começou. Comece-o antes.
error-rule-template-by-reviewer = Só um revisor ativo se pronuncia sobre um modelo.
error-rule-template-not-by-author = Quem escreveu um modelo não concorda com ele. Peça a outro revisor.
error-rule-template-range = O menor valor da faixa vem primeiro.
error-rule-freeze-window-span = O congelamento termina antes de começar.
freeze-word-now = Congelado
freeze-word-ahead = Congelamento à frente
freeze-set = Congelar { $service }
freeze-set-hint = Enquanto um congelamento está em vigor, nenhum canário do serviço começa e nenhuma mudança dele é aceita. O que está no ar sempre pode ser revertido.
freeze-from = De (UTC; vazio = agora)
freeze-to = Até (UTC)
freeze-reason = Por quê
freeze-button = Congelar
freeze-lift = Suspender
freeze-lift-reason = Por que pode ser suspenso
freeze-fault-time = Informe data e hora.
freeze-fault-order = O fim deve estar à frente e depois do início.
freeze-fault-long = Um congelamento dura no máximo 92 dias; defina-o de novo se ainda for preciso.
freeze-fault-reason = Diga por quê, em 10 a 1000 caracteres.
freeze-fault-lift = Diga por quê, em 5 a 1000 caracteres.
