# Intervalos, testes e mudança tolerada: o que uma comparação diz além dos pontos.

## Por que não dá para dizer de uma linha, ou por que ela descumpre com o limite mantido.

compare-no-bound = sem limite
compare-being-calculated = { $measure } de { $class } está sendo calculado a partir das observações guardadas. Abra a comparação ou aguarde um momento.
compare-mix-being-calculated = Está sendo calculado se os dois lados tiveram { $signal } igual. Abra a comparação ou aguarde um momento.
compare-bound-spans = { $measure } de { $run } fica entre { $low } e { $high } com o que foi medido; { $limit } está dentro. Mais requisições encurtam o intervalo.
compare-zero-baseline = { $measure } da linha de base é 0: não há como medir uma mudança em relação a ela.
compare-worse = { $measure } de { $class } é pior que a linha de base em { $change } (entre { $low } e { $high }); tolera-se { $tolerated }.
compare-change-open = { $measure } de { $class } mudou { $change }, e o intervalo de { $low } a { $high } não exclui que seja pior que o tolerado { $tolerated }. Mais requisições o encurtam.
compare-no-interval = O contrato pede que se mostre que { $measure } de { $class } não piora, e não há observações com que mostrar.
compare-spread-changed = O meio ficou, mas os valores se espalham de outro modo: os quartis distam { $baseline } na linha de base e { $candidate } na candidata. Olhe a cauda.
compare-different-work = Trabalho diferente: a média de { $signal } é { $baseline } em { $a } e { $candidate } em { $b }. Compare execuções das mesmas requisições.
compare-different-mix = Trabalho diferente: os dois lados não têm { $signal } igual (δ de Cliff { $delta }). Compare execuções das mesmas requisições.
compare-cache-assisted = Ajuda do cache: { $signal } é { $baseline } em { $a } e { $candidate } em { $b }. Compare execuções com o cache no mesmo estado.
compare-other-definition = { $measure } não é o mesmo número nos dois lados: { $baseline } e { $candidate } calculam percentis de modos diferentes. Anexe o mesmo tipo de arquivo nos dois lados.
canary-split-broken = O roteamento está quebrado: o braço candidato recebeu { $candidate } requisições ao lado de { $baseline }, uma parcela de { $seen } onde se planejou { $planned }.

## Palavras da página.

weigh-change = Mudança, intervalo
weigh-no-interval = sem intervalo
weigh-between = { $low } a { $high }
weigh-n = n { $baseline } / { $candidate }
weigh-p = p { $p }, Holm { $adjusted }
weigh-p-alone = p { $p }
weigh-bounds = candidata entre { $low } e { $high }
weigh-tolerated = tolera-se { $tolerated }
weigh-seed = semente { $seed }, { $replicates } réplicas
weigh-windows = { $count ->
    [one] 1 janela
    *[other] { $count } janelas
    }
weigh-shift = o meio moveu-se { $shift } ({ $low } a { $high }), efeito { $effect }
weigh-method-bootstrap = bootstrap
weigh-method-block-bootstrap = bootstrap por janelas
weigh-method-order-statistics = estatísticas de ordem
weigh-method-histogram-bounds = bordas dos intervalos do histograma
weigh-method-newcombe = Newcombe
weigh-method-exact-ranks = postos exatos das partidas
weigh-method-tool-value = número da própria ferramenta
weigh-outcome-better = melhor
weigh-outcome-not-worse = não pior
weigh-outcome-inside-tolerance = pior, dentro do tolerado
weigh-outcome-worse = pior
weigh-outcome-cannot-tell = não dá para dizer da mudança
weigh-outcome-not-compared = mudança não testada
weigh-effect-negligible = desprezível
weigh-effect-small = pequeno
weigh-effect-medium = médio
weigh-effect-large = grande
weigh-required = Obrigatória.
weigh-not-required = Não obrigatória.
weigh-about = Os intervalos são de { $level } de confiança. Um p grande nunca quer dizer que nada mudou. Os valores p de todos os limites são corrigidos juntos (Holm); os limites são julgados pelas pontas do intervalo e não são corrigidos por nada.
weigh-chart = Distribuição de { $signal }
weigh-chart-caption = O valor que uma parcela das requisições não excede: tracejada, linha de base; cheia, candidata. { $axis }
weigh-axis-log = O eixo dos valores é logarítmico.
weigh-axis-linear = O eixo dos valores é linear.
weigh-chart-table = Valores em parcelas escolhidas
weigh-share = Parcela
weigh-twins = O que o profiler custa
weigh-twins-hint = Uma execução com profiler ao lado de uma sem, do mesmo trabalho.
weigh-twin-profiled = Com profiler
weigh-twin-unprofiled = Sem profiler
weigh-twin-overhead = Custo
weigh-sweeps = Vazão contra cauda
weigh-sweep-budget = { $measure } dentro de { $budget }
weigh-sweep-point = ponto de operação: { $throughput } por segundo na carga { $load }
weigh-sweep-no-point = nenhum ponto dentro do orçamento
weigh-sweep-changes = vazão no orçamento { $throughput }, cauda na carga do contrato { $tail }; abaixo de { $noise } é ruído
weigh-sweep-load = Carga
weigh-sweep-keep = Manter
weigh-sweep-revert = Reverter
weigh-sweep-trade-off = Troca: um melhor, um pior. Uma pessoa decide, com um motivo.
weigh-sweep-inconclusive = Nada além do ruído: a mudança não é mantida.
weigh-sweep-invalid = Não dá para comparar
weigh-sweep-reason-not-one-knob = os ambientes diferem em mais ou menos que o ajuste declarado
weigh-sweep-reason-unstable-before = um ponto da linha de base não é estável
weigh-sweep-reason-unstable-after = um ponto da candidata não é estável
weigh-sweep-reason-budget-not-reached = nenhum ponto de um dos lados está dentro do orçamento
weigh-sweep-reason-load-not-measured = a carga do contrato não foi medida nos dois lados
weigh-unknown = não se sabe

## O formulário do contrato.

contracts-tolerated = Mudança tolerada, %
contracts-tolerated-policy = como diz a política
contracts-tolerated-fault = Um número por cento de 0 a 1000.

## Notas de leitores.

note-distribution-left-out = As { $n } observações de { $signal } não foram guardadas: uma leitura guarda no máximo { $most } números. Uma comparação delas tem só os números da própria ferramenta.

## Ending a canary.

canary-fault-calculating = Os números deste canário estão sendo calculados. Encerre-o em um momento; reverta a qualquer hora.

## A number of the policy.

policy-number-tolerated-change = Mudança para pior que se tolera
policy-number-tolerated-change-means = Onde o contrato não diz: uma parcela da linha de base; de uma parcela de um todo, essa parte da perda que o limite permite.
