# Gráficos: o que fica sob eles e o que dizem a quem não os vê.
chart-values = Valores
chart-line-desc = { $name } ({ $axis }): de { $least } a { $most } em { $count ->
    [one] 1 ponto
   *[other] { $count } pontos
}.
chart-bars-desc = { $count ->
    [one] Uma barra:
   *[other] { $count } barras; a mais longa é
} { $name }, com { $value }.
chart-axis-log = { $title } (log)
chart-rows-left-out = { $count ->
    [one] 1 linha fica de fora aqui.
   *[other] { $count } linhas ficam de fora aqui.
}
chart-lines-left-out = { $shown } linhas estão desenhadas; { $count ->
    [one] mais 1 está na tabela.
   *[other] mais { $count } estão na tabela.
}
chart-others = outros ({ $count })
chart-bars-trimmed = { $count ->
    [one] 1 faixa vazia nas pontas não está desenhada.
   *[other] { $count } faixas vazias nas pontas não estão desenhadas.
}
chart-bars-joined = Até { $n } faixas vizinhas formam uma barra; a tabela tem cada uma.
chart-bars-summed = As { $shown } barras mais longas estão desenhadas; { $count ->
    [one] mais 1 é a última barra e está na tabela.
   *[other] mais { $count } estão somadas na última barra e aparecem na tabela.
}
chart-not-captured = não capturado
chart-stacks-spread = { $shown } de { $count } linhas estão desenhadas, a primeira e a última entre elas; a tabela tem todas.
chart-stacks-title = por { $label }: { $measure }
chart-stacks-sum = soma das partes
chart-stacks-desc = { $count ->
    [one] Uma barra
   *[other] { $count } barras
 } feita de { $parts }.
chart-declared-least = { $statistic } declarado ≥ { $value }
chart-declared-most = { $statistic } declarado ≤ { $value }
mark-knee = joelho
mark-operating-point = máximo dentro do orçamento
chart-sweep = Varredura contra o limite { $limit }
chart-sweep-caption = Vazão contra latência, um ponto por nível de carga.
chart-sweep-point = Maior vazão dentro do limite: { $throughput } na carga { $load }.
chart-sweep-no-point = Nenhum ponto da varredura está comprovadamente dentro do limite.
chart-sweep-knee = Joelho na carga { $load }.
