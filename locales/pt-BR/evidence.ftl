# Como se chama a evidência: recusas de qualquer arquivo, tipos, etapas, unidades, estatísticas, sinais.

## Recusas

refusal-empty = O arquivo está vazio.
refusal-empty-remedy = Confira se a ferramenta terminou de gravar e se a cópia está completa; depois, envie de novo.
refusal-io = Não foi possível ler o arquivo: { $error }.
refusal-io-remedy = Envie de novo. Se a falha persistir, avise quem opera este serviço.
refusal-not-a-file = Isto é uma pasta, um pipe ou um dispositivo, não um arquivo.
refusal-not-a-file-remedy = Informe um arquivo que uma ferramenta terminou de gravar.
refusal-unknown-format = O início do arquivo não corresponde a nenhum formato lido aqui.
refusal-unknown-format-remedy = Envie métricas do vLLM em texto Prometheus, um CSV do perf_analyzer, uma exportação SQLite do Nsight Systems, como a ferramenta o gravou, ou a configuração de um motor.
refusal-mixed-kinds = Os arquivos são de tipos diferentes ({ $first } e { $second }) e não podem formar uma só leitura.
refusal-mixed-kinds-remedy = Envie arquivos de tipos diferentes um a um.
refusal-one-file-per-reading = Cada arquivo deste tipo ({ $kind }) é uma leitura própria.
refusal-one-file-per-reading-remedy = Envie esses arquivos um a um.
refusal-no-file = Nenhum arquivo foi informado.
refusal-no-file-remedy = Escolha pelo menos um arquivo.
refusal-no-signal = O arquivo foi lido, mas não contém nada que sirva de evidência.
refusal-no-signal-remedy = Confira se a captura cobriu o período sob carga e repita-a.

## Tipos de arquivo

kind-vllm-metrics = Métricas do vLLM
kind-perf-analyzer-csv = Varredura do perf_analyzer
kind-nsight-systems = Exportação do Nsight Systems
kind-engine-config = Configuração do motor
kind-engine-log = Log do motor

## Etapas da escada

stage-request-trace = Rastro da requisição
stage-request-trace-question = O que o usuário sente, em que tipo de tarefa, e a resposta é aceita?
stage-gpu-execution-memory = Execução na GPU, memória
stage-gpu-execution-memory-question = O dispositivo está esperando, e pelo quê: o host, uma cópia, uma sincronização?
stage-kernel-operator = Kernel e operador
stage-kernel-operator-question = Os operadores rodam perto do que o dispositivo consegue, pelo caminho que imaginamos?
stage-serving-scheduler-cache = Escalonador e cache
stage-serving-scheduler-cache-question = Há trabalho esperando para ser admitido, e quem ocupa as vagas: prefill ou decode?
stage-distributed-capacity = Capacidade distribuída
stage-distributed-capacity-question = Coletivas, rede ou posicionamento seguram a requisição?

## Unidades

unit-seconds = segundos
unit-bytes = bytes
unit-ratio = fração
unit-count = contagem
unit-tokens = tokens
unit-per-second = por segundo
unit-tokens-per-second = tokens por segundo
unit-bytes-per-second = bytes por segundo
unit-watts = watts

## Estatísticas

statistic-p50 = p50
statistic-p90 = p90
statistic-p95 = p95
statistic-p99 = p99
statistic-quantile = { $quantile }
statistic-mean = média
statistic-min = mínimo
statistic-max = máximo
statistic-total = total
statistic-count = contagem
statistic-rate = por segundo
statistic-ratio = fração
statistic-last = último valor

## Sinais

signal-ttft = TTFT
signal-itl = ITL
signal-tpot = TPOT
signal-e2e-latency = Latência de ponta a ponta
signal-acceptance-rate = Taxa de aceitação
signal-accepted-throughput = Requisições aceitas por segundo
signal-finished-requests = Requisições concluídas
signal-accepted-requests = Requisições aceitas
signal-aborted-ratio = Fração abortada
signal-length-limited-ratio = Fração cortada pelo limite de tamanho
signal-error-ratio = Fração com erro
signal-request-throughput = Requisições por segundo
signal-inference-throughput = Inferências por segundo
signal-response-throughput = Respostas por segundo
signal-prompt-length = Tamanho do prompt
signal-output-length = Tamanho da saída
signal-client-send-time = Tempo de envio do cliente
signal-client-receive-time = Tempo de recebimento no cliente
signal-network-time = Tempo de rede
signal-http-responses = Respostas HTTP
signal-http-error-ratio = Parcela de erros HTTP
signal-gpu-utilization = Utilização da GPU
signal-gpu-span = Intervalo da GPU
signal-gpu-busy-time = Tempo de GPU ocupada
signal-kernel-busy-time = Tempo ocupado por kernels
signal-kernel-utilization = Utilização por kernels
signal-memcpy-busy-time = Tempo ocupado por cópias
signal-copy-compute-overlap = Sobreposição de cópia e computação
signal-kernel-concurrency = Concorrência de kernels
signal-gpu-gap-time = Tempo ocioso da GPU
signal-gpu-gap-ratio = Fração ociosa da GPU
signal-gpu-gap = Lacuna da GPU
signal-gpu-gap-attributed = Tempo ocioso da GPU por causa
signal-launch-api-time = Tempo da chamada de lançamento
signal-launch-queue-delay = Do lançamento ao início do kernel
signal-memcpy-bytes = Bytes copiados
signal-memcpy-time = Tempo de cópia
signal-memcpy-bandwidth = Largura de banda de cópia
signal-pageable-bytes = Bytes copiados de ou para memória paginável
signal-pageable-copies = Cópias de ou para memória paginável
signal-memset-bytes = Bytes preenchidos por memset
signal-memset-time = Tempo de memset
signal-sync-time = Tempo de sincronização
signal-sync-calls = Sincronizações
signal-sync-api-time = Tempo em chamadas de sincronização
signal-sync-api-calls = Chamadas de sincronização
signal-cuda-api-time = Tempo em chamadas CUDA
signal-cuda-api-calls = Chamadas CUDA
signal-cuda-api-errors = Chamadas CUDA com erro
signal-graph-launch-time = Tempo de grafos CUDA
signal-graph-launches = Lançamentos de grafos CUDA
signal-profiler-overhead-time = Custo do profiler
signal-trace-duration = Duração da captura
signal-sm-active = SM ativos
signal-dram-read-bandwidth-share = Leitura de DRAM, fração do pico
signal-warps-in-flight = Warps em andamento
signal-gpu-device-utilization = Utilização da GPU, segundo o servidor
signal-gpu-power = Potência da GPU
signal-gpu-memory-used = Memória da GPU em uso
signal-gpu-memory-total = Memória da GPU
signal-kernel-launches = Lançamentos de kernels
signal-kernel-time = Tempo de kernel
signal-kernel-time-share = Fração do tempo de kernel
signal-kernel-duration = Duração do kernel
signal-distinct-kernels = Kernels distintos
signal-server-compute-input-time = Computação no servidor, entradas
signal-server-compute-infer-time = Computação no servidor, modelo
signal-server-compute-output-time = Computação no servidor, saídas
signal-server-compute-time = Computação no servidor
signal-queue-time = Tempo de fila
signal-prefill-time = Tempo de prefill
signal-decode-time = Tempo de decode
signal-inference-time = Tempo de inferência
signal-front-end-time = Tempo do front-end
signal-running-requests = Requisições em execução
signal-waiting-requests = Requisições em espera
signal-kv-cache-usage = Uso do cache KV
signal-kv-cache-capacity = Capacidade do cache KV
signal-preemptions = Preempções
signal-preemptions-per-request = Preempções por requisição
signal-prompt-tokens = Tokens de prompt
signal-generation-tokens = Tokens gerados
signal-prompt-token-throughput = Tokens de prompt por segundo
signal-generation-token-throughput = Tokens gerados por segundo
signal-prefill-computed-tokens = Tokens de prompt computados
signal-prefix-cache-hit-ratio = Acertos do cache de prefixo
signal-external-prefix-cache-hit-ratio = Acertos do cache de prefixo externo
signal-iteration-tokens = Tokens por passo do motor
signal-engine-steps = Passos do motor
signal-engine-step-time = Tempo de um passo do motor
signal-admission-rejections = Recusadas na admissão
signal-spec-decode-acceptance-ratio = Tokens de rascunho aceitos
signal-spec-decode-accepted-length = Tokens ganhos por rascunho
signal-operating-point-throughput = Vazão no ponto de operação
signal-server-cache-hit-time = Tempo de acerto do cache de respostas
signal-server-cache-miss-time = Tempo de falta do cache de respostas
signal-saturation-load = Carga de saturação
signal-waiting-share = Parcela de linhas do log com espera
signal-deferred-requests = Requisições adiadas
signal-swapped-requests = Requisições em swap
signal-kv-cache-full-share = Parcela de linhas do log com o cache KV cheio
signal-kv-cache-memory = Memória do cache KV
signal-full-length-requests = Requisições de tamanho máximo ao mesmo tempo
signal-multimodal-cache-hit-ratio = Taxa de acerto do cache multimodal
signal-cuda-graph-share = Passos de decode com grafo CUDA
signal-start-up-time = Tempo de partida
signal-model-load-time = Tempo de carga do modelo
signal-compile-time = Tempo de compilação
signal-graph-capture-time = Tempo de captura de grafos CUDA
signal-engine-init-time = Tempo de inicialização do motor
signal-model-memory = Memória do modelo
signal-cuda-graph-memory = Memória dos grafos CUDA
signal-device-count = Dispositivos
signal-device-busy-spread = Desequilíbrio entre dispositivos
signal-collective-time-share = Fração de coletivas
signal-peer-copy-bytes = Bytes entre dispositivos
signal-nixl-transfer-time = Tempo de transferência de KV
signal-nixl-failed-transfers = Transferências de KV com falha
signal-engine-count = Motores
refusal-archive = Arquivos { $form } não são abertos aqui: não se olha o que há dentro de um pacote.
refusal-archive-remedy = Descompacte-o e envie os próprios arquivos; vários podem ser escolhidos de uma vez. Um arquivo sozinho pode ficar comprimido com gzip.
