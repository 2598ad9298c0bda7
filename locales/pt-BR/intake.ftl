# Recebimento, leitura e inspeção de arquivos.

## pel inspect

inspect-no-file = Este arquivo não existe. Confira o caminho.
inspect-folder-empty = Esta pasta está vazia. Ponha nela os arquivos de uma execução, ou nomeie arquivos.
inspect-stage-empty = nada deste estágio nestes arquivos
inspect-not-opened = Não foi possível abrir: { $error }.
inspect-kind = Tipo
inspect-tool = Gerado por
inspect-file = Arquivo
inspect-window = Janela
inspect-signal = sinal
inspect-statistic = estatística
inspect-value = valor
inspect-samples = amostras
inspect-for = referente a
inspect-since-start = desde o início
inspect-instant = um instante
inspect-figures = Figuras (linhas)
inspect-notes = Observações

## O processo leitor falhou: nada foi lido e nada mais foi afetado

reader-failed-time = O leitor foi interrompido: passou de { $seconds } s.
reader-failed-time-remedy = Faça uma captura mais curta ou exporte menos tabelas e tente de novo.
reader-failed-memory = O leitor foi interrompido: precisou de mais memória que { $limit }.
reader-failed-memory-remedy = Faça uma captura mais curta ou peça ao operador que aumente o limite de memória do leitor.
reader-failed-output = O leitor foi interrompido: o resultado passa de { $limit }.
reader-failed-output-remedy = Faça uma captura mais curta ou com menos engines, dispositivos ou pontos de carga.
reader-failed-crash = O leitor quebrou ({ $signal }). { $detail }
reader-failed-crash-remedy = O arquivo pode estar danificado: gere-o novamente. Se quebrar outra vez, é um defeito do programa; relate-o com o tipo do arquivo e a versão da ferramenta.
reader-failed-own = O leitor não conseguiu trabalhar (código de saída { $exit }). { $detail }
reader-failed-own-remedy = O operador encontra o motivo na frase acima; o arquivo em si não foi avaliado.
reader-failed-answer = O leitor não deu uma resposta aproveitável. { $detail }
reader-failed-answer-remedy = É um defeito do programa; relate-o com o tipo do arquivo e a versão da ferramenta.
reader-failed-start = Não foi possível iniciar o leitor: { $detail }
reader-failed-start-remedy = O operador verifica se o programa consegue iniciar outro processo (memória, limites de processos) e o arquivo é lido de novo.
reader-failed-killed = O leitor foi encerrado à força por fora, em todas as tentativas.
reader-failed-killed-remedy = O operador verifica se faltou memória na máquina (nesse caso o próprio sistema encerra processos) ou se alguém encerrou o processo; depois, peça uma nova leitura. O arquivo em si não foi avaliado.
reader-failed-interrupted = A leitura foi interrompida { $times } vezes, porque o serviço ou o banco de dados parou no meio.
reader-failed-interrupted-remedy = Peça uma nova leitura do arquivo. Se o serviço parar toda vez, o operador encontra o motivo no log.
reader-failed-bytes = Não foi possível obter os bytes guardados: { $detail }
reader-failed-bytes-remedy = O operador verifica o armazenamento dos arquivos de evidência; depois, peça uma nova leitura. O arquivo em si não foi avaliado.

## Envios recusados

upload-empty = O arquivo está vazio.
upload-empty-remedy = Gere o arquivo novamente na origem; uma exportação interrompida deixa um arquivo vazio.
upload-too-large = O arquivo passa de { $limit }, o máximo por arquivo aqui.
upload-too-large-remedy = Faça uma captura mais curta ou exporte menos tabelas; o operador pode aumentar o limite.
upload-digest = O que chegou não é o que foi anunciado: SHA-256 { $actual } em vez de { $expected }.
upload-digest-remedy = O arquivo foi danificado na transferência ou mudou nesse meio-tempo: envie-o de novo.
upload-interrupted = A transferência foi interrompida antes do fim. Nada deste arquivo foi guardado.
upload-interrupted-remedy = Envie o arquivo de novo.
upload-no-space = Não há mais espaço para evidências. Nada deste arquivo foi guardado.
upload-no-space-remedy = O operador libera espaço no repositório de evidências; depois envie o arquivo de novo.
upload-not-kept = Não foi possível guardar o arquivo.
upload-not-kept-remedy = O operador encontra o motivo no log; depois envie o arquivo de novo.
upload-too-many-files = Chegaram mais de { $limit } arquivos de uma vez.
upload-too-many-files-remedy = Envie os arquivos em etapas.
upload-too-many-fields = O formulário tem mais de { $limit } campos.
upload-too-many-fields-remedy = Envie o formulário como esta página o oferece.
upload-text-too-long = O campo { $field } passa de { $limit }.
upload-text-too-long-remedy = Encurte o texto ou anexe-o como arquivo.
upload-not-text = Um campo de texto não é UTF-8 válido.
upload-not-text-remedy = Envie o texto em UTF-8.
upload-form-too-large = O envio como um todo é maior do que este serviço aceita de uma vez.
upload-form-too-large-remedy = Envie os arquivos em etapas.
