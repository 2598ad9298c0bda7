# O que o leitor de exportações do Nsight Systems diz. Os argumentos são textos.

## Recusas

refusal-nsight-binary-report = Este é o relatório do próprio profiler (versão { $version ->
    [none] não informada
   *[other] { $version }
 }), que só ele consegue abrir.
refusal-nsight-binary-report-remedy = Exporte-o para SQLite e envie o resultado. Use um nsys pelo menos tão novo quanto o que gravou o relatório: um mais antigo o recusa.
refusal-ncu-binary-report = Este é um relatório binário do Nsight Compute, que só o Nsight Compute consegue abrir.
refusal-ncu-binary-report-remedy = O comando indicado grava as tabelas em CSV para a sua própria consulta; esta versão também não lê esse CSV. Envie uma exportação SQLite do Nsight Systems para ver os tempos por kernel; guarde este relatório para o que acontece dentro de um kernel.
refusal-ncu-csv-not-read = Esta é uma tabela do Nsight Compute. Essas tabelas ainda não são lidas.
refusal-ncu-csv-not-read-remedy = Envie uma exportação SQLite do Nsight Systems para ver os tempos por kernel; guarde este arquivo para o que acontece dentro de um kernel.
refusal-ncu-text-not-read = Isto é o que o Nsight Compute mostrou na tela, não uma tabela. Erro informado por ele: { $error ->
    [none] nenhum
   *[other] { $error }
 }.
refusal-ncu-text-not-read-remedy = Se faltou permissão, peça acesso aos contadores de desempenho e execute de novo. A saída do Nsight Compute ainda não é lida: envie uma exportação SQLite do Nsight Systems para ver os tempos por kernel.
refusal-nsys-stats-not-read = Este é um resumo gerado por `nsys stats` ou `nsys analyze`. Nele se perderam os tempos de cada operação, então não há como encontrar as lacunas.
refusal-nsys-stats-not-read-remedy = Envie a exportação SQLite que deu origem ao resumo.
refusal-nsys-json-not-read = Esta é uma exportação JSON do Nsight Systems. Essas exportações não são lidas.
refusal-nsys-json-not-read-remedy = Exporte o mesmo relatório para SQLite e envie o resultado.
refusal-sqlite-not-nsight = Este arquivo SQLite não é uma exportação do Nsight Systems. Tabelas encontradas: { $tables }.
refusal-sqlite-not-nsight-remedy = Envie o arquivo gerado por `nsys export --type sqlite`.
refusal-sqlite-truncated = O arquivo SQLite está cortado: tem { $bytes } bytes, e o cabeçalho indica { $expected }.
refusal-sqlite-truncated-remedy = Copie ou envie de novo o arquivo inteiro, depois que a exportação terminar.
refusal-sqlite-damaged = O arquivo SQLite está danificado na tabela { $table }: { $reason }.
refusal-sqlite-damaged-remedy = Exporte o relatório novamente e envie o novo arquivo.
refusal-sqlite-too-much-work = Ler a tabela { $table } exige muito mais trabalho do que uma exportação de qualquer tamanho deveria exigir.
refusal-sqlite-too-much-work-remedy = Exporte um trecho mais curto da captura e envie esse trecho.
refusal-nsight-table-not-plain = { $table } é uma view ou uma tabela virtual. Uma exportação só tem tabelas comuns; nada além disso é executado.
refusal-nsight-table-not-plain-remedy = Envie o arquivo como o `nsys export --type sqlite` o gravou.
refusal-nsight-schema-unknown-major = O formato { $schema } é de uma geração que este leitor não conhece.
refusal-nsight-schema-unknown-major-remedy = Exporte o relatório com um nsys cujo formato comece com 3 (2022.4 a 2026.2), se ele aceitar o relatório.
refusal-nsight-too-many-rows = Com a tabela { $table }, a exportação passa de { $limit } linhas, mais do que se mantém em memória de uma vez.
refusal-nsight-too-many-rows-remedy = Capture um trecho mais curto ou exporte apenas um trecho com `nsys export --times`.

## Indícios

hint-profiler-export = O arquivo saiu de um profiler; portanto, havia um ativo.
hint-module-loading = Houve carga de código durante a captura: { $count } chamadas, { $milliseconds } ms no total.
hint-start-up-gap = A GPU ficou parada por meio segundo ou mais enquanto se carregava código: { $count } vezes, a mais longa com { $milliseconds } ms.
hint-overhead-jit = O driver compilou código durante a captura: { $count } vezes, { $milliseconds } ms no total.
hint-overhead-module-loading = O profiler viu módulos sendo carregados: { $count } vezes, { $milliseconds } ms no total.
hint-overhead-lazy-loading = O profiler viu funções sendo carregadas no primeiro uso: { $count } vezes, { $milliseconds } ms no total.

## Notas

note-nsight-table-missing = { $table ->
    [CUPTI_ACTIVITY_KIND_KERNEL] Nenhum kernel foi registrado individualmente
    [CUPTI_ACTIVITY_KIND_MEMCPY] Nenhuma cópia de memória foi registrada
    [CUPTI_ACTIVITY_KIND_MEMSET] Nenhum memset foi registrado
    [CUPTI_ACTIVITY_KIND_GRAPH_TRACE] Nenhum CUDA graph foi registrado por inteiro
    [CUPTI_ACTIVITY_KIND_RUNTIME] Nenhuma chamada à API CUDA foi registrada, então as lacunas ficam sem causa
    [CUPTI_ACTIVITY_KIND_SYNCHRONIZATION] Nenhuma sincronização foi registrada
    [NVTX_EVENTS] Nenhum intervalo NVTX foi registrado
    [GPU_METRICS] Nenhuma métrica da GPU foi amostrada
    [TARGET_INFO_GPU] A GPU não está descrita
   *[other] Algo não foi registrado
 } (tabela { $table }). Isso não quer dizer zero.
note-nsight-no-gpu-activity = Nenhuma operação da GPU foi registrada. É o que se vê quando a captura da GPU falha; não significa que a GPU estava ociosa.
note-nsight-no-kernels = Nem kernels nem graphs foram registrados; o tempo de kernel é desconhecido.
note-nsight-no-occupancy = A ocupação atingida por kernel não foi capturada: este profiler não a mede.
note-nsight-rows-skipped = { $count } linha(s) da tabela { $table } têm valores do tipo errado e foram deixadas de fora.
note-nsight-invalid-operations = { $count } operação(ões) da GPU terminam antes de começar ou não têm início, como quando a captura acaba no meio de uma delas. Foram deixadas de fora.
note-nsight-invalid-calls = { $count } chamada(s) à API terminam antes de começar. Foram deixadas de fora.
note-nsight-ranges-left-out = { $count } intervalo(s) têm nomes além do limite de nomes distintos. Foram deixados de fora.
note-nsight-messages-left-out = O profiler deixou mais { $count } mensagem(ns).
note-nsight-kernel-names-capped = { $count } kernel(s) têm nomes além dos primeiros { $limit }. Estão somados como um só.
note-nsight-events-missing = O profiler avisa que podem faltar eventos CUDA: somas e contagens são limites inferiores; lacunas e razões são estimativas.
note-nsight-schema-unstated = O arquivo não informa a versão do formato. Foi lido pelas regras dos formatos 2 e 3.
note-sqlite-write-ahead = O arquivo foi copiado em modo write-ahead: as linhas mais novas podem estar em um arquivo `-wal` que não veio junto.
note-nsight-devices-by-process = Vários processos mostram o mesmo número de dispositivo, e o arquivo não diz se é a mesma GPU. Os dispositivos são separados por processo e número.
note-nsight-graphs-hide-kernels = Os CUDA graphs foram registrados por inteiro ({ $graphs } distintos): os kernels dentro deles não têm nome nem tempo próprios aqui.
note-nsight-gaps-under-overhead = Em { $milliseconds } ms das lacunas ociosas ({ $percent } %) o profiler estava ocupado consigo mesmo: essa parte é dele, não do programa.
note-nsight-early-kernels = { $count } kernel(s) começaram antes de a chamada que os lançou retornar. Não têm espera na fila.
note-nsight-kernels-without-call = { $count } kernel(s) não têm registro da chamada que os lançou, como acontece nas bordas de uma captura.
note-nsight-profiler-error = Erro do profiler: { $text }
note-nsight-profiler-warning = Aviso do profiler: { $text }

## Figuras

figure-nsight-devices = Dispositivos
figure-nsight-gaps = Lacunas ociosas por duração
figure-nsight-gap-causes = Lacunas ociosas pelo que o host fazia
figure-nsight-longest-gaps = Lacunas ociosas mais longas
figure-nsight-timeline = Fração ocupada ao longo do tempo
figure-nsight-copies = Cópias de memória
figure-nsight-syncs = Sincronizações, somadas entre threads
figure-nsight-kernels = Kernels por tempo total
figure-nsight-api = Chamadas à API CUDA por tempo total
figure-nsight-ranges = Intervalos NVTX por tempo total
figure-nsight-gpu-metrics = Métricas da GPU amostradas
figure-nsight-rules = Achados das regras do próprio profiler

## Colunas

column-gpu-device = GPU
column-first-operation = Primeira operação em
column-gpu-span = Intervalo
column-gpu-busy-share = Ocupada
column-kernel-busy-share = Ocupada com kernels
column-idle-before = Ociosa antes
column-idle-after = Ociosa depois
column-gap-length = Duração
column-gap-count = Lacunas
column-gap-time = Tempo ocioso
column-gap-share = Parte do tempo ocioso
column-gap-cause = Causa
column-gap-start = Desde o início
column-trace-time = Tempo
column-busy-share-1 = Dispositivo 1
column-busy-share-2 = Dispositivo 2
column-busy-share-3 = Dispositivo 3
column-busy-share-4 = Dispositivo 4
column-busy-share-5 = Dispositivo 5
column-busy-share-6 = Dispositivo 6
column-busy-share-7 = Dispositivo 7
column-busy-share-8 = Dispositivo 8
column-copy-kind = Sentido
column-copy-count = Cópias
column-copy-bytes = Bytes
column-copy-time = Tempo
column-copy-bandwidth = Largura de banda
column-memory-peak-share = Fração do pico da memória
column-sync-type = Tipo
column-sync-count = Esperas
column-sync-time = Tempo
column-kernel-name = Kernel
column-kernel-short-name = Nome curto
column-kernel-count = Lançamentos
column-kernel-time = Total
column-kernel-share = Parte do tempo de kernel
column-kernel-mean = Média
column-kernel-median = Mediana
column-kernel-min = Menor
column-kernel-max = Maior
column-api-function = Função
column-api-calls = Chamadas
column-api-time = Total
column-api-mean = Média
column-api-max = Maior
column-range-name = Intervalo
column-range-count = Vezes
column-range-time = Total
column-range-mean = Média
column-metric-name = Métrica
column-metric-mean = Média
column-metric-samples = Amostras
column-rule-name = Regra
column-rule-findings = Achados
