# Varreduras gravadas pelo perf_analyzer do Triton: recusas, notas, figuras e colunas.

## Recusas

refusal-no-measured-load-level = O arquivo tem cabeçalho, mas nenhum nível de carga medido: nenhuma carga estabilizou ou a execução terminou antes da primeira.
refusal-no-measured-load-level-remedy = Procure “Failed to obtain stable measurement” na saída do console, aumente --measurement-interval ou reduza a carga e execute de novo com -f.
refusal-perf-header = O cabeçalho não é o de uma varredura do perf_analyzer: a coluna “{ $column }” está fora do lugar, repetida ou sobrando.
refusal-perf-header-remedy = Envie o arquivo como o -f o gravou, com um só cabeçalho e sem colunas acrescentadas, renomeadas ou trocadas de lugar.
refusal-perf-cell = Linha { $line }, coluna “{ $field }”: “{ $text }” não é um número válido nessa posição.
refusal-perf-cell-remedy = Envie o arquivo como a ferramenta o gravou. Se ele foi editado ou montado a partir de vários, envie os originais um a um.
refusal-perf-row-cells = A linha { $line } tem { $found } células; o cabeçalho tem { $expected }.
refusal-perf-row-cells-remedy = Envie o arquivo como a ferramenta o gravou; uma planilha ou uma junção pode ter quebrado essa linha.
refusal-perf-line-too-long = A linha { $line } passa de { $limit } bytes.
refusal-perf-line-too-long-remedy = Uma varredura tem linhas curtas. Confira se este é o arquivo gravado pelo -f.
refusal-perf-too-many-points = O arquivo tem mais de { $limit } níveis de carga.
refusal-perf-too-many-points-remedy = Meça menos cargas ou envie cada trecho da faixa em um arquivo separado.
refusal-perf-too-many-gpus = O arquivo cita mais de { $limit } GPUs.
refusal-perf-too-many-gpus-remedy = Colete métricas de um servidor por vez.
refusal-perf-gzip-damaged = O arquivo compactado está danificado ou cortado: { $error }.
refusal-perf-gzip-damaged-remedy = Compacte e envie o arquivo de novo, ou envie-o sem compactação.
refusal-perf-csv-delimiter = As colunas desta varredura não estão separadas por vírgulas. Provavelmente o arquivo foi salvo de novo por uma planilha.
refusal-perf-csv-delimiter-remedy = Envie o arquivo como o -f o gravou.

## O que o arquivo não diz

note-perf-context-not-in-file = O arquivo não informa o modelo, a versão dele, o tamanho do lote, o protocolo, o percentil de estabilização nem a versão da ferramenta. Declare-os junto com a execução.
note-perf-no-request-count = O arquivo não diz quantas requisições há por trás de um percentil. Um p99 de menos de umas 100 requisições é apenas a mais lenta delas; a saída do console traz a contagem.
note-perf-no-percentiles = O arquivo não tem percentis de latência: a ferramenta era antiga demais para gravá-los. Nenhum limite em percentil pode ser verificado com ele.
note-perf-no-server-columns = Os tempos de fila e de computação não foram capturados: o servidor não ofereceu estatísticas à ferramenta.
note-perf-average-rebuilt = A latência média é a soma das partes, exata a menos de alguns microssegundos. Com --verbose-csv o arquivo traz a própria média.
note-perf-no-average-cache = A latência média não foi capturada. Com cache de respostas, cada parte é uma média sobre contagens diferentes, e a soma delas não diz nada. Execute com --verbose-csv.
note-perf-no-average-server = A latência média não foi capturada e não pode ser reconstruída sem as colunas do servidor. Execute com --verbose-csv. Até lá, a lei de Little não pode ser verificada.
note-perf-closed-loop = Concorrência fixa: cada cliente espera a resposta antes de pedir de novo. Uma varredura assim encontra a capacidade; não mostra o que o usuário sente quando as requisições não param de chegar.
note-perf-request-rate = As requisições seguiram uma agenda. A latência conta a partir do envio; o atraso do envio não está nela.
note-perf-noise-floor = Por padrão, a ferramenta considera estável a carga em que três janelas concordam dentro de 10 %. Uma diferença menor que isso não é evidência.
note-perf-percentile = A ferramenta foi executada para { $percentile } além dos percentis de costume; “percentil extra” nas figuras é { $percentile }.
note-perf-ensemble-stage = Este é o arquivo de uma etapa de um ensemble. Ele não tem cliente nem latência; a vazão é proporcional à do ensemble, e a coluna de rede contém o tempo gasto no escalonamento.

## Como o arquivo foi gravado

note-perf-surplus-comma = As linhas terminam com uma vírgula a mais, como a ferramenta gravava antes de setembro de 2023.
note-perf-cut-row = A última linha, a { $line }, está cortada e foi deixada de fora. A execução ou a cópia foi interrompida.
note-perf-unknown-columns = Estas colunas não são conhecidas aqui e foram deixadas de fora: { $columns }.
note-perf-cell-missing = “{ $field }” não tem valor { $count ->
    [one] na linha { $lines }
   *[other] em { $count } linhas ({ $lines })
}.
note-perf-impossible-value = “{ $field }” não pode ser verdade { $count ->
    [one] na linha { $lines }
   *[other] em { $count } linhas ({ $lines })
}: um tempo abaixo de zero ou uma fração acima de um. O valor foi deixado de fora.

## Verificações

note-perf-quantiles-fall = Carga { $load } ({ $place }): { $upper } é menor que { $lower }. Percentis nunca caem; a linha foi editada ou está danificada.
note-perf-little = Carga { $load } ({ $place }): vazão vezes latência média dá { $implied } requisições em andamento, mas a carga era { $load } ({ $residual } %). A linha foi editada ou seus números vêm de execuções diferentes.
note-perf-more-rows = { $count ->
    [one] Há mais uma linha como essas.
   *[other] Há mais { $count } linhas como essas.
}
note-perf-batch-hint = A vazão é, linha após linha, { $batch } vezes o que as requisições em andamento permitem: o tamanho do lote provavelmente é { $batch }. Declare-o junto com a execução.
note-perf-saturated-rate = A partir da taxa { $load } a meta não foi cumprida ({ $achieved } % dela alcançados; { $count ->
    [one] um ponto
   *[other] { $count } pontos
} ao todo abaixo de 95 %). As latências ali são limites inferiores e não podem satisfazer um limite.
note-perf-average-differs = Carga { $load } ({ $place }): a latência média e a soma das partes diferem em { $gap } %. O servidor contabilizou mais tempo do que o cliente esperou, ou a linha foi editada.
note-perf-load-repeated = A carga { $load } foi medida { $count } vezes ({ $lines }). Todas são mantidas; a vazão entre elas difere em { $spread } %.
note-perf-no-sound-point = Nenhum nível de carga serve para julgamento: cada um está saturado, incompleto ou se contradiz.

## O que a varredura mostra

note-perf-operating-point = Maior vazão: { $throughput } inferências por segundo na carga { $load }. A menor carga a até 1 % dela é { $lowest }. Nenhum limite de latência entra nessa conta.
note-perf-limit-not-reached = O melhor ponto é a maior carga testada. O limite não foi alcançado; continue a varredura.
note-perf-shape-single-point = Um só nível de carga não mostra a forma da curva. Meça várias cargas para encontrar a capacidade.
note-perf-shape-saturated-from-first-point = A vazão quase não cresce desde a primeira carga: o serviço já está saturado na menor carga testada. Comece mais baixo.
note-perf-shape-not-saturated = A vazão ainda cresce na maior carga testada. A capacidade não foi alcançada; continue a varredura.
note-perf-shape-retrograde = Depois do melhor ponto a vazão cai: sob mais carga, o serviço perde trabalho para a contenção.
note-perf-shape-saturated = A vazão se estabilizou dentro das cargas testadas.
note-perf-knee = O joelho da curva está na carga { $load }: dali em diante, mais carga acrescenta mais latência do que vazão. É uma marca, não uma aprovação.
note-perf-knee-weak = Nenhum joelho foi confirmado. O ponto mais acima da reta está na carga { $load }, o que é um indício fraco.

## Figuras

figure-perf-sweep = Vazão e latência por carga
figure-perf-components = Partes da latência média
figure-perf-gpus = GPUs durante a varredura

column-concurrency = Concorrência
column-request-rate = Taxa de requisições
column-inference-throughput = Inferências por segundo
column-response-throughput = Respostas por segundo
column-latency-p50 = Latência p50
column-latency-p90 = Latência p90
column-latency-p95 = Latência p95
column-latency-p99 = Latência p99
column-latency-extra = Latência, percentil extra
column-latency-mean = Latência média
column-compute-time = Computação
column-little-residual = Desvio da lei de Little
column-achieved-rate = Alcançado da meta
column-client-send-time = Envio do cliente
column-client-receive-time = Recebimento no cliente
column-network-time = Rede
column-scheduling-overhead = Custo de escalonamento
column-queue-time = Fila
column-server-compute-input-time = Computação: entradas
column-server-compute-infer-time = Computação: modelo
column-server-compute-output-time = Computação: saídas
column-server-compute-time = Computação
column-server-cache-hit-time = Acerto de cache
column-server-cache-miss-time = Falta de cache
column-average-latency = Latência média
column-request-response-time = Envio e recebimento
column-response-wait-time = Espera pela resposta
column-component-sum = Soma das partes
column-gpu = GPU
column-gpu-device-utilization = Utilização
column-gpu-power = Potência
column-gpu-memory-used = Memória usada
column-gpu-memory-total = Memória
