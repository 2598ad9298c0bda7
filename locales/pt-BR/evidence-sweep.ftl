# Varreduras de carga de outras fontes que não um CSV: saída de console, profile exports, Model Analyzer; e
# o que vale para todas.

## Recusas

refusal-perf-locale-number = Linha { $line }, coluna “{ $field }”: “{ $text }” é um número como outro país ou uma planilha escreve. Não dá para saber se a vírgula é decimal ou separador.
refusal-perf-locale-number-remedy = Envie o arquivo como a ferramenta o escreveu, ou execute-a de novo com LC_ALL=C.
refusal-console-no-measured-load = Nenhum nível de carga foi medido até o fim: o log não tem bloco com percentis nem resumo.
refusal-console-no-measured-load-remedy = Envie a saída completa da execução. Se ela foi interrompida, execute de novo e guarde tudo o que é impresso.
refusal-console-never-stable = Nenhum nível de carga ficou estável (carga { $loads }); a ferramenta desistiu e não mediu nada.
refusal-console-never-stable-remedy = Aumente --measurement-interval ou --measurement-request-count, ou reduza a carga, e execute de novo.
refusal-console-too-many-runs = O log contém mais de { $limit } execuções.
refusal-console-too-many-runs-remedy = Envie a saída das execuções desejadas em arquivos próprios.
refusal-console-too-many-ranks = O log contém a saída de mais de { $limit } ranks MPI.
refusal-console-too-many-ranks-remedy = Envie a saída dos ranks desejados em arquivos próprios.
refusal-export-cut = O arquivo termina no meio do JSON. Foi cortado ao ser escrito ou copiado.
refusal-export-cut-remedy = Copie o arquivo de novo. Se a execução foi morta, execute-a de novo até o fim.
refusal-export-damaged = O profile export está danificado: { $error }.
refusal-export-damaged-remedy = Envie o arquivo como --profile-export-file o escreveu.
refusal-export-too-large = O profile export tem, em uma carga, mais requisições ou respostas do que se lê.
refusal-export-too-large-remedy = Meça uma janela mais curta, ou envie o CSV ou a saída de console da execução.
refusal-export-no-experiments = O arquivo não tem lista de experimentos.
refusal-export-no-experiments-remedy = Envie o arquivo como --profile-export-file o escreveu.
refusal-export-no-answer = Nenhuma requisição do arquivo foi respondida dentro de uma janela de medição ({ $count } não tiveram resposta alguma).
refusal-export-no-answer-remedy = Veja o log do servidor: as requisições falharam. Execute de novo quando forem respondidas.
refusal-ma-header = A linha de cabeçalho não é de uma tabela de resultados do Model Analyzer: a coluna “{ $column }” falta, está repetida ou sobra.
refusal-ma-header-remedy = Envie metrics-model-inference.csv, metrics-model-gpu.csv ou metrics-server-only.csv como a ferramenta escreveu.
refusal-ma-too-many = Há mais de { $limit } medições.
refusal-ma-too-many-remedy = Filtre os resultados às configurações desejadas, ou envie as tabelas uma a uma.
refusal-ma-no-measurement = Não há medição no que foi enviado.
refusal-ma-no-measurement-remedy = Deixe o Model Analyzer perfilar ao menos uma configuração e envie suas tabelas ou seu checkpoint.
refusal-ma-checkpoint-damaged = O checkpoint está danificado ou tem um formato desconhecido: { $error }.
refusal-ma-checkpoint-damaged-remedy = Envie as tabelas de resultados da mesma execução (metrics-model-inference.csv).

## O que reduz a confiança em uma varredura

note-sweep-delayed-sends = Na carga { $loads } o cliente não manteve a taxa: até { $greatest } % das requisições saíram atrasadas. O tempo que esperaram antes não está na latência; as latências ali são limites inferiores (omissão coordenada).
note-sweep-latency-unstable = Na carga { $loads } só a vazão ficou estável; a latência ainda variava quando a medição terminou.
note-sweep-client-limit = Na carga { $loads } o próprio cliente tomou a maior parte do tempo ou não deu conta. O que foi medido pode ser o cliente, não o serviço.
note-sweep-response-cache = Na carga { $loads } respostas vieram do cache de respostas. Vazão e latência são do cache para essas entradas, não do modelo.
note-sweep-batch-delay = Com uma requisição em andamento ({ $place }), ela espera { $queue } ms na fila, { $share } % do seu tempo no servidor, e não há ninguém à frente. Provavelmente há um atraso de lote configurado; com pouca carga ele é pura latência.
note-sweep-mixed-minima = O menor { $statistic } está na carga { $low }, a maior vazão na carga { $high }. Nenhuma carga tem os dois; não os cite juntos.
note-sweep-few-samples = Na carga { $loads } há menos de { $needed } requisições por trás do { $statistic } (no mínimo { $fewest }). Ele fica perto da requisição mais lenta e diz pouco.
note-sweep-unstable = A carga { $loads } não ficou estável nas janelas de medição e não tem resultado. A varredura termina ali.
note-sweep-best-series = De { $count } varreduras, “{ $series }” tem a maior vazão: { $throughput } por segundo na carga { $load }, contando uma carga medida várias vezes pela execução mais lenta. Isto não considera limite de latência.
note-sweep-time-client = Na carga { $load } o cliente toma a maior parte da latência média: cliente { $client } %, rede { $network } %, fila { $queue } %, computação { $compute } %.
note-sweep-time-network = Na carga { $load } o caminho entre cliente e servidor toma a maior parte da latência média: cliente { $client } %, rede { $network } %, fila { $queue } %, computação { $compute } %.
note-sweep-time-queue = Na carga { $load } as requisições passam a maior parte da latência média na fila: cliente { $client } %, rede { $network } %, fila { $queue } %, computação { $compute } %.
note-sweep-time-compute = Na carga { $load } o próprio modelo toma a maior parte da latência média: cliente { $client } %, rede { $network } %, fila { $queue } %, computação { $compute } %.

## Saída de console

note-console-several-runs = O log contém { $count } varreduras. Cada uma se distingue pelo número; nenhuma fala sozinha por esta execução. Envie-as uma a uma para julgar por elas.
note-console-settings = Ajustes: modelo { $model }, tamanho de lote { $batch }, serviço { $service }, janela ou amostras { $window }, chegadas { $distribution }, chamadas { $calls }.
note-console-no-settings = Os ajustes da própria ferramenta não estão neste log.
note-console-no-batch = O tamanho de lote não está neste log; vale 1, a menos que os números digam outra coisa.
note-console-decoupled = O modelo é desacoplado: uma requisição pode ter várias respostas.
note-console-no-summary = A execução não tem resumo: foi interrompida, ou o log está cortado.
note-console-interrupted = A execução foi parada por um sinal.
note-console-block-incomplete = O bloco da carga { $load } (linha { $line }) termina antes dos percentis e ficou de fora.
note-console-locale-number = Linha { $line }: “{ $text }” tem um número como outro país escreve; não foi usado.
note-console-summary-differs = O resumo contradiz o bloco da mesma carga (carga { $loads }). O log foi editado, ou partes de várias execuções foram juntadas.
note-console-stopped-early = A varredura terminou na carga { $load }, embora devesse ir até { $limit }.
note-console-over-limit = Na carga { $load } a latência passou do limite dado à execução ({ $limit } ms); essa carga não tem resultado.
note-console-windows-differ = Na carga { $loads } as três últimas janelas diferem em até { $greatest } %, mais do que os 10 % que a ferramenta tolera por padrão.
note-console-failures = O log tem { $count ->
    [one] uma linha
   *[other] { $count } linhas
} sobre requisições que falharam. Leia as latências junto com as falhas.
note-console-network-floored = O servidor contabilizou mais tempo do que o cliente esperou, porque poucas requisições foram medidas. O tempo de rede não é confiável.
note-console-blocks-left-out = { $count ->
    [one] Um bloco além do limite ficou
   *[other] { $count } blocos além do limite ficaram
} de fora.
note-console-latency-unknown = O resumo não diz se lista médias ou um percentil; suas latências não foram usadas.
note-console-no-tail = { $count ->
    [one] Uma carga tem
   *[other] { $count } cargas têm
} só a latência média. Nenhum limite de percentil pode ser verificado ali.
note-console-average-of-client = Com um percentil de estabilização a ferramenta não imprime a média; a média da biblioteca do cliente fica no lugar.
note-console-network-derived = O tempo de rede é o que sobra da média além de cliente, fila e computação.

## Profile export

note-export-context = O arquivo não diz o modelo nem o tamanho de lote. Declare-os com a execução.
note-export-unknown-mode = O modo “{ $mode }” não é conhecido aqui; esse experimento ficou de fora.
note-export-no-load = Os experimentos não têm carga: sessões e intervalos próprios não têm. Os valores valem para a execução inteira.
note-export-no-windows = As janelas de medição não estão no arquivo. Nenhuma vazão foi calculada.
note-export-incomplete = Na carga { $load } as requisições do arquivo respondem por { $share } % do que a carga implica. Nem toda requisição está registrada, ou o alvo não foi atingido; nenhuma vazão foi calculada.
note-export-responses-not-tokens = Uma resposta pode conter vários tokens: as lacunas entre respostas são uma estimativa do tempo entre tokens.
note-export-unanswered = Na carga { $load } { $count ->
    [one] uma requisição não tem
   *[other] { $count } requisições não têm
} resposta.
note-export-impossible = Na carga { $load } { $count ->
    [one] uma requisição tem resposta
   *[other] { $count } requisições têm respostas
} antes da requisição ou fora de ordem; ficaram de fora.
note-export-outside = Na carga { $load } { $count ->
    [one] uma requisição terminou
   *[other] { $count } requisições terminaram
} fora das janelas de medição e não contam.
note-export-same-inputs = Na carga { $load } { $count } requisições usaram { $different } entradas diferentes. Um cache de prefixo ou de respostas responde a entradas repetidas mais rápido do que o tráfego real seria.

## Model Analyzer

note-ma-rounded = As tabelas arredondam para uma casa: latências a um décimo de milissegundo. Um checkpoint da mesma execução tem todos os dígitos.
note-ma-missing-values = { $count ->
    [one] Uma célula não tem
   *[other] { $count } células não têm
} valor.
note-ma-no-inference-table = A tabela de vazão e latência não está entre os arquivos; só as GPUs foram lidas.
note-ma-no-load = A medição { $entry } de “{ $config }” não diz a carga e ficou de fora.
note-ma-constraints = { $count ->
    [one] Uma medição não satisfaz
   *[other] { $count } medições não satisfazem
} as restrições dadas à ferramenta.
note-ma-several-models = Vários modelos foram medidos ao mesmo tempo. Suas cargas não se somam, então nenhuma curva é traçada.
note-ma-no-average = A latência média não foi capturada; a lei de Little não pode ser verificada.
note-ma-no-p95 = A cauda não é o p95 e sim o maior percentil das tabelas, em geral o p99. Um limite no p95 não pode ser verificado.
note-ma-no-request-count = O número de requisições por trás de um percentil não está registrado.
note-ma-batch-delay = “{ $config }” espera até { $delay } ms para encher um lote. Com pouca carga isso é pura latência.
note-ma-response-cache = “{ $config }” responde de um cache de respostas. Seus números são do cache para as entradas do teste, não do modelo.

## Figuras

figure-sweep-time-shares = Para onde foi o tempo
figure-sweep-budgets = Melhor carga para um orçamento de latência
figure-sweep-series = Varreduras nestes arquivos
figure-sweep-composing = Modelos do ensemble
figure-ma-measurements = Medições
figure-ma-gpus = GPUs por configuração

column-request-throughput = Requisições por segundo
column-client-library-time = Biblioteca do cliente
column-server-request-time = Tempo no servidor
column-server-overhead-time = Sobrecarga do servidor
column-client-share = Cliente
column-network-share = Rede
column-queue-share = Fila
column-compute-share = Computação
column-requests-measured = Requisições medidas
column-execution-batch-size = Lote executado
column-delayed-requests = Enviadas com atraso
column-sweep-name = Varredura
column-load-tested = Carga
column-lowest-load = Menor carga a até 1 %
column-load-points = Cargas
column-best-load = Melhor carga
column-knee-load = Joelho
column-latency-tail = Latência de cauda
column-curve-shape = Forma
column-composing-model = Modelo
column-ma-config = Configuração
column-request-batch = Tamanho de lote
column-loads-tested = Carga
column-ma-instances = Instâncias
column-ma-max-batch = Maior lote
column-ma-constraints = Satisfaz as restrições
