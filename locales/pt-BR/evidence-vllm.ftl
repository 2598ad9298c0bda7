### Frases sobre métricas do vLLM e texto do Prometheus.

## Notas

note-metrics-lines-skipped = { $skipped } de { $lines } linhas não puderam ser lidas e foram puladas; a primeira é a linha { $line } de { $file }.
note-metrics-cut = Um arquivo termina no meio de uma linha. Essa linha se perdeu, e falta o que vinha depois dela.
note-metrics-gzip-damaged = O arquivo compactado { $file } está danificado. O que pôde ser descompactado antes do dano foi lido; o resto falta.
note-metrics-openmetrics-cut = Uma resposta OpenMetrics não termina com “# EOF”: ela foi cortada, e podem faltar famílias.
note-metrics-duplicates = { $count } amostras apareceram duas vezes na mesma coleta. Ficou o último valor.
note-metrics-since-start = Uma única coleta: contadores e histogramas valem por tudo desde o início do processo, e um longo histórico bom esconde um incidente recente. Acrescente uma segunda coleta para ver uma janela.
note-metrics-uptime = O processo estava no ar havia { $seconds } segundos no momento da coleta.
note-metrics-no-time = Os arquivos não dizem quando as coletas foram feitas; por isso nada por segundo é mostrado. Informe o intervalo entre duas coletas para ver taxas.
note-metrics-time-from-interval = A janela de { $seconds } segundos vem do intervalo informado no envio, não dos arquivos.
note-metrics-order-put-right = As coletas vieram na ordem inversa; os próprios contadores e horários dizem a ordem, e ela foi corrigida.
note-metrics-order-reversed = As coletas andam para trás no tempo: os contadores caíram embora o processo seja o mesmo, ou os horários diminuem. Envie primeiro a coleta mais antiga.
note-metrics-order-looks-reversed = Todos os contadores que mudaram caíram entre duas coletas. Ou o processo reiniciou, ou a ordem está invertida: verifique qual coleta é a mais antiga.
note-metrics-reset = Contadores caíram entre coletas, como acontece quando o processo reinicia (intervalos afetados: { $steps }). O que foi contado entre a última coleta antes de um reinício e o próprio reinício se perdeu; os aumentos são limites inferiores.
note-metrics-series-born = { $count } séries surgiram depois da primeira coleta e são contadas a partir de zero, pois o motor as cria no primeiro evento.
note-metrics-series-late = { $count } séries pertencem a famílias que a primeira coleta não tem. Seu aumento na janela é desconhecido e ficou de fora.
note-metrics-targets-merged = { $targets } alvos foram colados juntos e são lidos como um só instante, porque citam motores diferentes e não há horário entre eles.
note-metrics-engines-changed = Nem todas as coletas citam os mesmos motores. Os totais de antes e de depois não são da mesma frota.
note-metrics-several-models = Vários modelos são servidos aqui: { $models }. Os totais os somam; leia os valores de cada modelo.
note-metrics-many-engines = { $engines } motores exportaram métricas; { $shown } deles aparecem um a um, e os totais incluem todos.
note-metrics-not-exported = Não exportado por esta versão, o que não é zero: { $signals }.
note-metrics-no-observations = Nada foi observado na janela para: { $signals }.
note-metrics-no-inf-bucket = O histograma não tem a faixa +Inf; por isso não há quantil para: { $signals }.
note-metrics-bounds-differ = Os motores usam limites de faixa diferentes, que não podem ser somados; por isso não há quantil comum para: { $signals }.
note-metrics-buckets-partial = Faixas surgiram ou sumiram entre as coletas; por isso não há quantil para: { $signals }.
note-metrics-above-highest-bound = O percentil 99 está acima da maior faixa finita; o valor mostrado é apenas um limite inferior para: { $signals }.
note-metrics-prefix-cache-off = A taxa de acerto do cache de prefixo é −1: o cache está desligado ou a taxa é desconhecida. Isso não é uma taxa de zero.
note-metrics-prefix-hits-after-preemption = Houve preempções. Em versões anteriores à correção de setembro de 2025, refazer o prefill após uma preempção conta como acerto do cache de prefixo: não confie em uma taxa alta aqui.
note-metrics-populations-differ = As requisições que receberam o primeiro token ({ $first_tokens }) e as que terminaram ({ $finished }) não são as mesmas, ou a fila cresceu ou encolheu: não se pode subtrair do TTFT o tempo de fila e o de prefill.
note-metrics-ttft-broken = O tempo até o primeiro token não é crível: média de { $mean_ms } ms em { $count } requisições. A métrica está quebrada nesta versão, e a evidência não pode sustentar um julgamento.
note-metrics-acceptance-of-engine = “Aceita” é a palavra do motor: requisições que pararam por si ou atingiram o limite de tamanho. Se a resposta foi boa o bastante não está nestas métricas.
note-metrics-rejections = { $count } requisições foram recusadas na entrada. Elas contam como não aceitas e não estão em nenhum histograma de latência.

## Indícios

hint-vllm-young-process = O processo estava no ar havia { $seconds } segundos quando a janela começou.
hint-vllm-first-scrape-zero = Na primeira coleta nenhuma requisição havia terminado e nenhum token havia sido gerado.
hint-vllm-restarted = O processo reiniciou dentro da janela.

## Recusas

refusal-web-error-page = Isto é uma página de erro da web, não métricas. Começa assim: “{ $quote }”.
refusal-web-error-page-remedy = Busque de novo o /metrics do motor e confira o endereço, a porta e o status antes de salvar (curl --fail).
refusal-metrics-without-engine = Isto é texto do Prometheus, mas sem nenhuma família de um motor ou de um exportador de GPU que seja lido aqui. Contém, entre outras: { $families }.
refusal-metrics-without-engine-remedy = Anexe o /metrics do próprio motor (o vLLM o serve junto da sua API, por padrão na porta 8000; o Triton na porta 8002).
refusal-metrics-no-sample = O arquivo não contém nenhuma amostra das métricas de um motor.
refusal-metrics-no-sample-remedy = Salve /metrics de novo com o motor em execução. Se houver vários servidores de API, consulte o motor diretamente.
refusal-metrics-too-many-series = O arquivo contém mais de { $most } séries diferentes.
refusal-metrics-too-many-series-remedy = Anexe as métricas de menos motores por vez, ou deixe de fora as famílias que não são do motor.
refusal-metrics-unpacks-too-large = O arquivo compactado passa de { $gigabytes } GiB ao ser descompactado.
refusal-metrics-unpacks-too-large-remedy = Anexe um trecho mais curto de coletas.

## Figuras

figure-vllm-quantiles = Latências pelos histogramas do motor
figure-vllm-token-quantiles = Tamanhos e lotes pelos histogramas do motor
figure-vllm-finished = Requisições terminadas por motivo
figure-vllm-series = Requisições em execução e em espera ao longo das coletas
figure-vllm-kv-series = Uso do cache KV ao longo das coletas
figure-vllm-ttft-buckets = Tempo até o primeiro token por faixa
figure-vllm-e2e-buckets = Latência de ponta a ponta por faixa

## Colunas

column-signal = Sinal
column-observations = Observações
column-sum = Soma
column-mean = Média
column-p50 = p50
column-p90 = p90
column-p95 = p95
column-p99 = p99
column-p99-bucket = Faixa do p99
column-finished-reason = Motivo
column-requests = Requisições
column-share = Parcela
column-bucket-seconds = Faixa
column-scrape = Coleta
column-elapsed = Decorrido
column-running-requests = Em execução
column-waiting-requests = Em espera
column-kv-cache-usage = Uso do cache KV
figure-ttft-parts = Para onde foi o TTFT médio
column-prefill-time = Prefill
column-ttft-rest = Resto: front end, detokenização
