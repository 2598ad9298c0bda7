# Resultados de geradores de carga: recusas, notas, figuras e colunas.

## Recusas

refusal-bench-json-cut = O arquivo termina no meio de um valor, no byte { $byte }. A execução ou a cópia foi interrompida.
refusal-bench-json-cut-remedy = Copie o arquivo de novo. Se a própria execução foi interrompida, execute-a outra vez: meio resultado não é resultado.
refusal-bench-json = O arquivo não é JSON no byte { $byte }.
refusal-bench-json-remedy = Envie o arquivo como a ferramenta o gravou, sem linhas de terminal antes ou depois.
refusal-bench-json-deep = Os valores estão aninhados fundo demais no byte { $byte }.
refusal-bench-json-deep-remedy = Nenhum gerador de carga grava um arquivo assim. Envie o arquivo como a ferramenta o gravou.
refusal-bench-yaml = O relatório não é YAML na linha { $line }.
refusal-bench-yaml-remedy = Envie o relatório como a ferramenta o gravou, ou sua forma JSON.
refusal-bench-gzip-damaged = O arquivo compactado está danificado ou cortado: { $error }.
refusal-bench-gzip-damaged-remedy = Compacte e envie o arquivo de novo, ou envie-o sem compactação.
refusal-bench-unknown-object = O valor de número { $number } do arquivo não é um resultado de um gerador de carga conhecido.
refusal-bench-unknown-object-remedy = Envie resultados de uma só ferramenta, como ela os gravou, sem outros objetos entre eles.
refusal-bench-mixed-tools = Os resultados são de ferramentas diferentes ({ $first } e { $second }). Cada uma define seus números à sua maneira.
refusal-bench-mixed-tools-remedy = Envie os resultados de cada ferramenta como evidência própria.
refusal-bench-too-many-requests = Uma execução tem mais de { $limit } requisições em seus vetores.
refusal-bench-too-many-requests-remedy = Execute de novo sem os vetores detalhados, ou divida a execução.
refusal-bench-too-many-runs = Os arquivos têm mais de { $limit } execuções.
refusal-bench-too-many-runs-remedy = Envie menos deles juntos.
refusal-bench-too-many-rows = A tabela tem mais de { $limit } linhas.
refusal-bench-too-many-rows-remedy = Um resumo tem poucas linhas. Envie o arquivo que a ferramenta gravou.
refusal-bench-number-habit = Os números deste arquivo podem ser lidos de duas maneiras: não dá para saber se a vírgula separa decimais ou milhares.
refusal-bench-number-habit-remedy = Envie o arquivo como a ferramenta o gravou (sua forma JSON não tem essa dúvida), e não como uma planilha o salvou.
refusal-bench-no-block = O texto cita um benchmark de serviço, mas não traz nenhum bloco de resultados inteiro: a execução foi interrompida ou o texto colado está cortado.
refusal-bench-no-block-remedy = Cole o bloco até sua última linha de sinais de igual, ou envie o arquivo de --save-result.

## De onde vêm os percentis

note-bench-own-percentiles = O arquivo tem um valor por requisição. Os percentis desses valores são calculados aqui, linearmente entre dois postos, sobre as requisições que funcionaram; os da ferramenta servem apenas de conferência.
note-bench-tool-percentiles-linear = Percentis sem valores por trás estão como o { $tool } os gravou (linear entre dois postos). Eles não têm intervalo: nenhuma comparação pode dizer quão seguros são.
note-bench-tool-percentiles-observed = Percentis sem valores por trás estão como o { $tool } os gravou (um valor observado no posto). Compare-os apenas com percentis feitos da mesma maneira.
note-bench-tool-percentiles-unknown = Percentis sem valores por trás estão como o { $tool } os gravou; não se sabe como ele os calcula. Compare-os apenas com os da mesma ferramenta.
note-bench-differs = Execução { $run }: a ferramenta diz { $signal } { $statistic } = { $told }; seus próprios { $n } valores dão { $own }. Vale o que foi calculado aqui.
note-bench-other-rule = Execução { $run }: a ferramenta toma um valor observado como percentil ({ $signal } { $statistic } = { $told } de { $n } valores); aqui se calcula { $own } entre dois deles. Ambos vêm dos mesmos dados.
note-bench-few-values = Execução { $run }: valores insuficientes para julgar: { $values }.
note-bench-percentiles-fall = Execução { $run }: { $signal } { $upper } está abaixo de { $lower }. Percentis nunca caem; o arquivo foi editado ou danificado.
note-bench-gaps-counted = Execução { $run }: há mais intervalos entre tokens do que se guardam um a um. Seus percentis são conhecidos com 0,1 % de precisão, e intervalos de requisições que falharam depois estão entre eles.
note-bench-records-sampled = Execução { $run }: o relatório traz apenas parte de suas requisições. Valem os números da própria ferramenta.
note-bench-summed-latency = Execução { $run }: o TTFT e os intervalos de uma requisição não somam a latência que a ferramenta mediu. Valem as latências de ponta a ponta da própria ferramenta.
note-bench-arrays-differ = Execução { $run }: os vetores com uma entrada por requisição têm comprimentos diferentes; não dá para saber quais entradas são da mesma requisição. Valem os números da própria ferramenta.
note-bench-count-differs = Execução { $run }: a ferramenta conta { $told } requisições como concluídas; { $found } entradas não têm erro.

## Se as requisições funcionaram

note-bench-none-completed = Execução { $run }: nenhuma requisição trouxe um token de saída. Ela nada mostra sobre latência.
note-bench-no-token = Execução { $run }: { $count } de { $completed } requisições que a ferramenta conta como concluídas não têm token de saída. Aqui contam como falhas, também na vazão. TTFT mediano: { $told } segundo a ferramenta, { $own } sobre as requisições com token.
note-bench-fewer-than-planned = Execução { $run }: { $planned } requisições foram planejadas, { $ended } terminaram. A execução foi interrompida ou morta.
note-bench-missing-requests = Execução { $run }: { $completed } de { $planned } requisições planejadas estão concluídas; o arquivo não diz o que houve com as demais. Falharam, ou a execução foi interrompida.
note-bench-unfinished = Execução { $run }: { $count } requisições ainda estavam em andamento quando a execução terminou. As lentas são as mais prováveis entre elas, e as latências parecem melhores do que são.
note-bench-mostly-failed = Execução { $run }: { $failed } de { $ended } requisições falharam. As latências das poucas que funcionaram dizem pouco.
note-bench-cancelled = Execução { $run }: a ferramenta diz que a execução foi cancelada ou não está completa.
note-bench-cut-run = Execução { $run }: o arquivo termina antes do resultado da execução.
note-bench-last-cut = O último resultado está cortado no byte { $byte } e foi deixado de fora: a ferramenta, ou a cópia, foi interrompida durante a gravação.
note-bench-block-cut = O bloco na linha { $line } não tem latências: a execução foi interrompida ou o texto colado está cortado. Foi deixado de fora.
note-bench-block-open = Falta a última linha do bloco na linha { $line }. Não se sabe o que vinha abaixo do corte.
note-bench-more-blocks = Mais { $line } blocos foram deixados de fora.
note-bench-no-error-count = Execução { $run }: o arquivo não diz quantas requisições falharam.
note-bench-not-judged = As respostas não foram julgadas: um gerador de carga vê que vieram tokens, não que eles são aceitáveis.
note-bench-mlperf-invalid = Execução { $run }: o LoadGen considera esta execução INVALID. { $why }
note-bench-mlperf-accuracy = Execução { $run }: uma execução de acurácia. Seus tempos não medem desempenho.

## Como a carga foi feita

note-bench-closed-loop = Execução { $run }: laço fechado, no máximo { $concurrency } requisições em voo. Uma requisição espera no cliente até outra terminar, e essa espera não está em nenhuma latência: a sobrecarga não aparece.
note-bench-open-loop = Execução { $run }: laço aberto, { $rate } requisições por segundo, faça o servidor o que fizer.
note-bench-capped-rate = Execução { $run }: pediram-se { $rate } requisições por segundo, com no máximo { $concurrency } em voo. No teto, as requisições esperam no cliente, e essa espera não está em nenhuma latência.
note-bench-burst = Execução { $run }: todas as requisições foram enviadas de uma vez. O TTFT contém toda a fila que isso cria; cresce com o número de requisições e nada diz sobre uma carga estável.
note-bench-load-not-in-file = Execução { $run }: o arquivo não diz qual carga foi oferecida. Informe-a na execução.
note-bench-offline = Um benchmark offline do motor. Não há nele servidor, chegada nem latência.
note-bench-latency-of-batches = Tempos de lotes inteiros, um após o outro, sem servidor. Não são latências sob carga.
note-bench-ramp-up = Execução { $run }: a taxa subiu durante a execução. Seus números misturam várias cargas.
note-bench-rate-not-sent = Execução { $run }: pediram-se { $rate } requisições por segundo, { $sent } foram enviadas. O limite foi o gerador de carga; as latências contam a partir dos envios atrasados e são limites inferiores.
note-bench-falling-behind = Execução { $run }: pediram-se { $rate } requisições por segundo, { $kept } foram respondidas. A fila cresceu enquanto a execução durou; uma execução mais longa mostraria latências maiores, e estas são limites inferiores.
note-bench-late-sends = Execução { $run }: as requisições saíram em média { $delay } atrasadas, ao lado de uma latência de { $latency }. A espera no gerador de carga não está em nenhuma latência (omissão coordenada): elas são limites inferiores.
note-bench-little = Execução { $run }: vazão vezes latência dá { $implied } requisições em voo onde se permitiam no máximo { $concurrency }. O arquivo foi editado, ou seus números vêm de execuções diferentes.
note-bench-ramp = Execução { $run }: vazão vezes latência dá { $implied } requisições em voo onde se permitiam { $concurrency }. Início e fim são grande parte da execução; uma mais longa diz mais.
note-bench-totals = Execução { $run }: { $signal } é { $rate } por segundo, mas { $total } em { $seconds } s são outra taxa. O arquivo foi editado, ou seus números vêm de execuções diferentes.

## O que os números significam

note-bench-chunks = Execução { $run }: mediram-se { $gaps } intervalos onde os tokens fazem { $expected }. As respostas vêm em pedaços que não são tokens únicos; o ITL é o tempo entre pedaços. O TPOT não é afetado.
note-bench-chunk-median = Execução { $run }: o intervalo mediano entre tokens ({ $median }) está muito abaixo da média ({ $mean }). Vários tokens vêm em um pedaço, ou o leitor do cliente era lento: use o TPOT.
note-bench-per-token = Execução { $run }: o tempo por token de saída da ferramenta é { $told }; sua própria latência, TTFT e comprimento de saída dão { $expected }. Ela conta pedaços, não tokens.
note-bench-second-token = Execução { $run }: o segundo token vem { $second } depois do primeiro, onde o usual é { $usual }. O primeiro pedaço não era token ou tinha vários: o TTFT pode ser de um pedaço vazio.
note-bench-unit-assumed = Execução { $run }: as latências não têm unidade no arquivo. São tomadas como { $unit }, pois nenhuma requisição pode durar mais que a execução.
note-bench-zero-latency = Execução { $run }: { $signal } é 0 em tudo. Não foi medido (sem streaming, ou nenhuma requisição funcionou).
note-bench-no-goodput = A ferramenta foi executada sem objetivos, e não há goodput.
note-bench-goodput-unknown = Execução { $run }: um goodput de −1 significa que um objetivo foi nomeado errado. Foi deixado de fora.
note-bench-llmperf-itl = A latência entre tokens do llmperf é o tempo todo sobre todos os tokens, o primeiro incluído. Aparece como latência normalizada.
note-bench-guidellm-names = O tempo por token de saída do GuideLLM inclui o primeiro token e aparece como latência normalizada. Sua latência entre tokens é uma média por requisição, ponderada por tokens: a média é a de todos os intervalos, os percentis são mais suaves.
note-bench-table-rounded = Os números são de uma tabela e estão arredondados. O JSON da mesma execução os tem inteiros.
note-bench-server-view = Execução { $run }: a visão do próprio servidor pelo Prometheus ({ $count } requisições). Sua janela e seu tráfego não são os do cliente; seus percentis vêm de faixas.
note-bench-server-export = As métricas do motor como o gerador de carga as resumiu. Percentis de histogramas são estimativas.
note-bench-zero-metric = Execução { $run }: { $metric } é 0 em tudo sob carga. A ferramenta pediu um nome que o motor não exporta; não foi capturado.
note-bench-decimal-comma = Os números estão escritos com vírgula decimal e foram lidos assim.
note-bench-values-left-out = O arquivo tem mais valores do que se guardam; algumas de suas métricas foram deixadas de fora.
note-bench-facts-differ = As execuções diferem em { $facts }. Não são uma varredura apenas sobre a carga.

## Várias execuções juntas

note-bench-rate-points = A carga destes pontos é uma taxa de requisições. A faixa de um contrato conta requisições em voo, e nenhum ponto está dentro de uma.
note-bench-loads-unknown = { $count } execuções, e o arquivo não diz com que carga cada uma foi feita. Podem ser vistas; nenhuma pode ser julgada. Envie os arquivos de resultado da ferramenta.
note-bench-load-repeated = A carga { $load } foi executada { $count } vezes. Todas são mantidas e nenhuma é julgada como a melhor; a vazão delas difere em { $spread } %.
note-bench-same-prompts = { $count } execuções enviaram os mesmos prompts (mesmo número, mesmos tokens): { $runs }. Com cache de prefixo as posteriores os encontram em cache: estão quentes onde a primeira estava fria.
note-bench-hit-jump = Tokens de prompt vieram do cache de prefixo em { $low } % na execução { $low-run } e em { $high } % na execução { $high-run }. TTFT e vazão delas não se equivalem.
note-bench-best-points = A melhor vazão é da execução { $throughput-run }, a melhor latência da execução { $latency-run }. Nenhuma carga tem as duas: não as cite juntas.
note-bench-more = Mais { $count } notas como { $code }.

## Figuras

figure-bench-runs = Execuções do gerador de carga
figure-bench-latencies = Latências da execução
mark-bench-knee = joelho
column-run = Execução
column-goodput = Goodput
column-output-token-throughput = Tokens de saída por segundo
column-ttft-p50 = TTFT p50
column-ttft-p95 = TTFT p95
column-ttft-p99 = TTFT p99
column-tpot-p50 = TPOT p50
column-tpot-p99 = TPOT p99
column-itl-p50 = ITL p50
column-itl-p99 = ITL p99
column-e2e-p50 = Ponta a ponta p50
column-e2e-p99 = Ponta a ponta p99
column-requests-good = Requisições que funcionaram
column-requests-bad = Requisições que falharam
column-run-seconds = Duração
column-latency = Latência
column-values = Valores
