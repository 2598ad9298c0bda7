### Frases sobre logs de servidores vLLM e SGLang.

## Notas

note-engine-log-lines-broken = { $count } { $count ->
    [one] linha periódica começa como as do motor e não pôde ser lida; é a
   *[other] linhas periódicas começam como as do motor e não puderam ser lidas; a primeira é a
} linha { $line }. O que está lá ficou de fora, sem adivinhação.
note-engine-log-cut = Um arquivo termina no meio de uma linha periódica. Essa linha ficou de fora, e falta o que vinha depois dela.
note-engine-log-gzip-damaged = O arquivo compactado { $file } está danificado. O que pôde ser descompactado antes do dano foi lido; o resto falta.
note-engine-log-order = As partes do log foram lidas pelos horários com que começam, não na ordem em que vieram.
note-engine-log-several-starts = O servidor foi iniciado { $count } vezes neste log, e { $shown } dessas partidas têm linhas periódicas. Números sem rótulo valem pela última delas; os outros trazem o número da sua partida.
note-engine-log-many-starts = O servidor foi iniciado mais de { $most } vezes. Só as partidas mais novas foram mantidas.
note-engine-log-no-lines = O log não tem nenhuma linha periódica; por isso fila, cache KV e vazão não foram capturados. O vLLM imprime uma a cada dez segundos, a menos que tenha sido iniciado com --disable-log-stats; o SGLang imprime uma por lote no nível info.
note-engine-log-no-start = O log não começa com a partida do servidor: seus ajustes e a duração da partida não foram capturados. Envie o comando de partida como evidência própria.
note-engine-log-not-ready = A partida deste log nunca chegou a responder a requisições.
note-engine-log-block-size = O log conta o cache KV em blocos e não diz o tamanho de um bloco; por isso a capacidade em tokens não foi capturada.
note-engine-log-answers = As respostas são contadas quando começam. Um stream que se rompe depois já disse 200; por isso a parcela de erros é um limite inferior.
note-engine-log-no-latency = O log de um servidor não traz a latência de nenhuma requisição. Para o TTFT e o tempo entre tokens, envie as métricas do motor ou os resultados de um gerador de carga da mesma janela.
note-engine-log-out-of-memory = A memória acabou na linha { $line }.
note-engine-log-dead = O motor, ou um processo dele, morreu: linha { $line }. Os números valem pelo tempo anterior.
note-engine-log-traces = { $count } { $count ->
    [one] rastro de pilha foi impresso; ele
   *[other] rastros de pilha foram impressos; o primeiro
} começa na linha { $line }.
note-engine-log-no-time = As linhas não trazem horário; por isso não há janela nem curso no tempo, só ao longo das linhas.
note-engine-log-no-zone = Os horários do log não dizem seu fuso; por isso a janela tem duração e não tem lugar no relógio.
note-engine-log-no-year = Os horários do log não têm ano nem fuso; por isso a janela tem duração e não tem lugar no calendário.
note-engine-log-time-back = Os horários andam para trás ({ $count }, primeiro na linha { $line }): partes do log estão fora de ordem, vários servidores escrevem nele, ou um relógio foi ajustado. A duração da janela é desconhecida.
note-engine-log-gap = Nada foi impresso por até { $seconds } segundos. Um vLLM ocioso não imprime nada; também podem faltar linhas. As médias são sobre as linhas que existem.
note-engine-log-averages = Os números vêm de { $lines } linhas periódicas. Cada vazão é a média do motor no intervalo desde a sua linha anterior; em execução, em espera e uso do KV são os valores no momento da linha, de modo que um pico curto pode faltar. Uma média é sobre as linhas.
note-engine-log-averages-sglang = Os números vêm de { $lines } linhas de lote. O SGLang imprime uma por lote de prefill e uma a cada tantos passos de decode, não por tempo: uma média sobre linhas pesa mais os momentos ocupados, e uma vazão é a média desde a linha anterior do mesmo tipo.
note-engine-log-api-servers = Vários servidores de API imprimem neste log, cada um sobre as suas requisições. Suas linhas ficam separadas; o que as somas dizem sobre fila e cache KV pode contar o mesmo motor mais de uma vez.
note-engine-log-aggregated = As linhas fazem a média do uso do KV entre todos os motores, o que esconde um que está cheio; ele não foi capturado. Inicie o servidor com uma linha por motor, ou envie as métricas dele.
note-engine-log-ranks = { $count } linhas em que outros ranks repetem o mesmo escalonador ficaram de fora.
note-engine-log-many-engines = Mais de { $most } motores imprimem neste log. Os demais não estão em nenhum número.
note-engine-log-hit-rate = A taxa de acerto do cache de prefixo de uma linha é o valor do próprio motor sobre suas últimas requisições ou desde a partida, não sobre a janela.
note-engine-log-hit-rate-zero = Todas as linhas imprimem uma taxa de acerto do cache de prefixo de 0 %, como o motor também faz com o cache desligado. Se ele estava ligado não está no log; por isso nenhuma taxa foi tomada.
note-engine-log-preemptions-sampled = Esta versão avisa de uma preempção em cinquenta. A contagem é um limite inferior.
note-engine-log-no-preemptions = Nenhuma linha conta preempções. A maioria das versões não as imprime, portanto isso não é zero; as métricas do motor as têm.

## Indícios

hint-engine-log-after-start = { $lines } de { $all } linhas periódicas são dos primeiros { $minutes } minutos depois de o servidor ficar pronto.

## Recusas

refusal-engine-log-nothing = O arquivo parece o log de um motor, mas nenhuma das suas { $lines } linhas diz algo que seja lido.
refusal-engine-log-nothing-remedy = Envie o log da partida do servidor até o fim da execução, no nível info.
refusal-engine-log-unpacks-too-large = O log compactado passa de { $gigabytes } GiB ao ser descompactado.
refusal-engine-log-unpacks-too-large-remedy = Envie a parte do log que pertence à execução.

## Figuras

figure-engine-log-queue = Requisições em execução e em espera ao longo do log
figure-engine-log-kv = Uso do cache KV ao longo do log
figure-engine-log-throughput = Tokens por segundo ao longo do log
figure-engine-log-engines = Motores lado a lado
figure-engine-log-start = Passos da partida
figure-engine-log-answers = Respostas por endpoint e status
figure-engine-log-errors = Erros por classe
figure-engine-log-positions = Aceitação por posição do rascunho

## Colunas

column-log-line = Linha
column-prompt-token-throughput = Tokens de prompt
column-generation-token-throughput = Tokens gerados
column-running-mean = Em execução, média
column-running-max = Em execução, máximo
column-waiting-mean = Em espera, média
column-waiting-max = Em espera, máximo
column-kv-cache-usage-mean = Uso do KV, média
column-kv-cache-usage-max = Uso do KV, máximo
column-generation-mean = Tokens gerados, média
column-prompt-mean = Tokens de prompt, média
column-start-step = Passo
column-http-endpoint = Endpoint
column-http-status = Status
column-answers = Respostas
column-error-class = Erro
column-error-first-line = Primeira na linha
column-draft-position = Posição
column-acceptance = Aceitação
column-log-engine = Motor
column-log-lines = Linhas
column-step-seconds = Segundos
column-step-bytes = Bytes
column-error-times = Vezes
