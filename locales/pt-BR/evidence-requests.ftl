### Requisições uma a uma: logs, spans OTLP, registros do AIPerf, traços públicos.

## Recusas

refusal-requests-no-header = O arquivo não começa como um log de requisições: nem uma linha de nomes, nem um objeto JSON na primeira linha.
refusal-requests-no-header-remedy = Grave uma linha por requisição com uma primeira linha de nomes (CSV, TSV), ou um objeto JSON por linha.
refusal-requests-no-row = O log não tem nenhuma requisição.
refusal-requests-no-row-remedy = Verifique se a exportação cobriu o período sob carga e se não há apenas linhas do aquecimento.
refusal-requests-too-many = O log tem mais requisições do que se guarda de uma vez ({ $rows } linhas lidas até ali).
refusal-requests-too-many-remedy = Divida-o por tempo, de modo que cada parte seja uma execução própria, ou retire colunas de que ninguém precisa.
refusal-requests-rows-broken = { $count } de { $rows } linhas não puderam ser separadas em colunas.
refusal-requests-rows-broken-remedy = Veja o lugar indicado: um separador dentro de um texto precisa de aspas em volta. Exporte de novo e envie o novo arquivo.
refusal-requests-cells-broken = A coluna “{ $column }” não pôde ser lida em { $count } de { $rows } linhas.
refusal-requests-cells-broken-remedy = Veja o lugar indicado e confira o significado e a unidade da coluna. Uma coluna tem uma só unidade e uma só notação.
refusal-requests-mapping-subject = O arquivo tem uma linha por requisição, e o mapeamento fala de medições prontas.
refusal-requests-mapping-subject-remedy = Diga de cada coluna que fato de uma requisição ela é.
refusal-requests-column-missing = O mapeamento cita a coluna “{ $column }”, que este arquivo não tem.
refusal-requests-column-missing-remedy = Verifique se o arquivo vem da mesma exportação, ou diga de novo o que significam as colunas.
refusal-otlp-syntax = O arquivo deixa de ser JSON na linha { $line }, coluna { $column }.
refusal-otlp-syntax-remedy = Envie o arquivo como o coletor o gravou. Nada dele foi aproveitado.
refusal-otlp-no-request = Nenhum dos { $spans } spans é uma requisição a um modelo: nenhum traz atributos de IA generativa (gen_ai.…).
refusal-otlp-no-request-remedy = Exporte os spans do motor (vLLM: --otlp-traces-endpoint) ou do cliente instrumentado.

## O que é o arquivo

note-requests-trace = Um traço público: requisições enviadas ao serviço de outros. Mostra a forma de uma carga e nada sobre o seu serviço.
note-requests-engine-side = Os tempos vêm dos passos do próprio motor: rede, gateway e tokenização ficam de fora. O cliente esperou mais.
note-requests-client-side = Os tempos são os do cliente: a rede e a leitura dele estão incluídas.
note-requests-side-unknown = O log não diz onde os tempos foram tomados. Os de um servidor deixam de fora rede e cliente; não os compare com os de um cliente.
note-requests-two-sides = TTFT mediano: { $client } s no cliente, { $server } s no servidor. A diferença é rede, gateway e cliente.
note-otlp-server-side = Os spans são do servidor: a rede e a espera do próprio cliente ficam de fora.
note-otlp-client-side = Os spans são do cliente: a rede está incluída.
note-otlp-service = Serviço: { $service }.
note-otlp-other-spans = { $count } de { $spans } spans não são requisições a um modelo e foram deixados de fora.
note-otlp-sampled = { $count } spans dizem que só uma parte foi guardada (no mínimo { $percent } %). Contagens, taxas e concorrência são limites inferiores.
note-otlp-sampling-unknown = Os spans não dizem se alguns foram descartados por amostragem. Contagens, taxas e concorrência são limites inferiores; os percentis valem se a amostra foi sorteada ao acaso.
note-otlp-cut = { $file } é interrompido na linha { $line }. Os spans anteriores foram lidos; falta o resto.
note-aiperf-tpot = A latência entre tokens do AIPerf é uma média por requisição; ela aparece como TPOT.
note-aiperf-warm-up = { $count } requisições do aquecimento foram deixadas de fora.
note-aiperf-unit = { $count } registros têm uma métrica em unidade desconhecida (o primeiro na linha { $line }); ela foi deixada de fora.
note-aiperf-chunks = Em { $count } de { $of } respostas em streaming um bloco contém vários tokens; os intervalos entre blocos não são intervalos entre tokens. Os intervalos não aparecem; o TPOT, sim.
note-requests-mapping-guessed = O significado das colunas foi suposto pelos nomes. O log não sustenta julgamento até que uma pessoa o confirme.
note-requests-missing = { $what ->
    [arrivals] O arquivo não diz quando as requisições chegaram: sem taxa de chegada, sem concorrência
    [ttft] O tempo até o primeiro token não está no arquivo
    [itl] Nem intervalos entre tokens nem tempo por token de saída estão no arquivo
    [e2e] A latência de ponta a ponta não está no arquivo
    [queue] O tempo de fila não está no arquivo
    [tokens] Os comprimentos de prompts e saídas não estão ambos no arquivo
    [outcome] O arquivo não diz quais requisições falharam
    [retries] As novas tentativas não estão no arquivo
    [acceptance] O arquivo não diz quais respostas foram aceitas
   *[other] Algo não está no arquivo ({ $what })
 }. Isso não é zero.

## Como o arquivo foi gravado

note-requests-gzip-damaged = O arquivo comprimido está danificado. O que pôde ser descomprimido antes do dano foi lido; falta o resto.
note-requests-cut-row = A última linha, a { $line }, está cortada e foi deixada de fora. Falta o que vinha depois.
note-requests-rows-skipped = { $count } de { $rows } linhas não puderam ser lidas e foram deixadas de fora, a primeira é a { $line }.
note-requests-cells-skipped = A coluna “{ $column }” não pôde ser lida em { $count } linhas, a primeira é a { $line }. O valor está ausente nelas.
note-requests-no-zone = Os horários não trazem fuso. As diferenças valem; a janela não é situada no relógio do mundo.
note-requests-zones-mixed = { $with } horários dizem seu fuso e { $without } não. Eles não cabem em um mesmo relógio.
note-requests-mean-gaps = A latência entre tokens é um número por requisição, a média; ela aparece como TPOT. Os intervalos um a um não estão no log.

## O que as linhas contradizem

note-requests-backwards = { $count } horários vêm antes do que deve precedê-los (o primeiro na linha { $line }): relógios diferentes ou colunas trocadas. O que resultaria deles está ausente.
note-requests-negative = { $count } durações são negativas (a primeira na linha { $line }) e foram deixadas de fora. Dois relógios foram subtraídos.
note-requests-ttft-above = Em { $count } requisições o primeiro token vem depois do fim (a primeira na linha { $line }): as unidades de duas colunas diferem, ou as colunas estão trocadas.
note-requests-two-clocks = { $count } pares de horários são de dois relógios, um que conta desde 1970 e outro não (o primeiro na linha { $line }). Eles não foram subtraídos.
note-requests-clocks-in-column = Dos horários de chegada, { $wall } contam desde 1970 e { $other } não: a coluna tem duas unidades.
note-requests-mixed-units = Os valores de { $signal } formam dois montes separados por um fator de mil ({ $share } % no menor): a coluna provavelmente está em duas unidades.
note-requests-disorder = { $count } linhas começam antes da linha de cima (a primeira é a { $line }). Elas foram postas em ordem.
note-requests-duplicates = { $count } linhas repetem outra palavra por palavra e foram contadas uma vez.
note-requests-attempts = { $count } linhas são tentativas que falharam e foram seguidas por outra. Contam como carga e como novas tentativas, não como requisições com falha. A latência é a da tentativa; o usuário esperou desde a primeira.
note-requests-ids-reused = { $count } linhas trazem o id de uma requisição que já tinha sido respondida. Contam como requisições próprias; verifique se a coluna é o id de uma requisição.
note-requests-empty = { $count } requisições se dizem respondidas e não têm nenhum token (a primeira na linha { $line }). Contam como erros. TTFT mediano com elas: { $with } s, sem elas: { $without } s.
note-requests-status-unclear = { $count } requisições têm um status desconhecido, por exemplo “{ $example }”. Não se sabe quantas falharam.
note-requests-accepted-failed = { $count } requisições com falha estão marcadas como aceitas (a primeira na linha { $line }). Uma falha não é aceita.
note-requests-accepted-unclear = { $count } células de aceitação não são nem sim nem não (a primeira na linha { $line }).
note-requests-not-judged = De { $of } requisições respondidas, { $count } não foram avaliadas. A taxa de aceitação fala das avaliadas e das que falharam.
note-requests-cached-above = { $count } linhas têm mais tokens em cache do que no prompt (a primeira na linha { $line }); os de cache estão ausentes nelas.
note-requests-classes-many = A coluna de classes de tarefa tem mais de { $most } nomes diferentes. O que passa disso não tem classe aqui; verifique se é mesmo uma classe.
note-requests-models = Há requisições de { $count } modelos em um só log: { $models }. Os percentis os misturam.

## O que aconteceu ao longo do tempo

note-requests-sent-late = Requisições foram enviadas com atraso: um centésimo delas { $p99 } s ou mais, no máximo { $most } s depois do devido. Essa espera não está em nenhuma latência daqui.
note-requests-gap = Por { $seconds } s não chegou nenhuma requisição, a partir de { $from } s do log. Uma queda, ou falta uma parte do log.
note-requests-gap-hours = Por { $seconds } s não chegou nenhuma requisição, a partir de { $from } s do log. São { $hours } horas: o log provavelmente muda de fuso ali, ou falta uma parte.
note-requests-flight-partial = { $count } requisições não têm fim; as requisições em andamento são um limite inferior.

## Figuras

figure-request-columns = Como as colunas foram entendidas
figure-request-load = Chegadas e requisições em andamento ao longo do tempo
figure-request-bands = Latência por requisições em andamento no início
figure-request-classes = Classes de tarefa
figure-request-ttft-curve = TTFT: proporção de requisições até este tempo
figure-request-e2e-curve = Ponta a ponta: proporção de requisições até este tempo
figure-request-tpot-curve = TPOT: proporção de requisições até este tempo
figure-request-queue-curve = Tempo de fila: proporção de requisições até este tempo
figure-request-ttft-bars = TTFT por tamanho
figure-request-e2e-bars = Latência de ponta a ponta por tamanho
figure-request-prompt-bars = Comprimento do prompt por tamanho
figure-request-output-bars = Comprimento da saída por tamanho
column-bucket-tokens = Tokens
column-observed = Observado
column-share-at-most = Proporção até aqui
column-arrivals-per-second = Chegadas por segundo
column-most-in-flight = Máximo em andamento
column-in-flight-band = Em andamento
column-request-ttft-p50 = TTFT p50
column-request-ttft-p95 = TTFT p95
column-request-ttft-p99 = TTFT p99
column-request-e2e-p50 = Ponta a ponta p50
column-request-e2e-p95 = Ponta a ponta p95
column-request-e2e-p99 = Ponta a ponta p99
column-task-class = Classe de tarefa
column-failed-share = Com falha
column-accepted-share = Aceitas
column-log-column = Coluna
column-log-field = Entendida como
column-log-unit = Unidade
