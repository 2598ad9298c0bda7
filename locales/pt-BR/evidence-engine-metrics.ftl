### Frases sobre motores além do vLLM, respostas de um servidor Prometheus e GPUs.

## Notas

note-metrics-from-prometheus = As amostras vêm de um servidor Prometheus ou do promtool, nos instantes em que ele as guardou ou avaliou, não do próprio motor. Um servidor repete a última amostra por alguns minutos depois que um motor some.
note-metrics-unnamed-series = { $count } séries não têm nome: uma expressão as calculou, e o arquivo não diz qual. Nada foi tirado delas.
note-metrics-native-histograms = Foram encontrados { $count } histogramas nativos. Só histogramas clássicos com faixas são lidos; nada foi tirado destes.
note-metrics-several-engines = Vários motores exportam métricas aqui: { $engines }. Cada sinal vem do primeiro deles que o tem; separe-os antes de julgar.
note-metrics-triton-ensembles = Vários modelos são servidos. Se um deles é um ensemble, suas requisições e falhas contam nos dois níveis e a fila dele nada diz: leia os valores de suas etapas.
note-metrics-ranks-repeat = Os ranks de um escalonador repetem os números dele. Ficou o maior deles, não a soma.
note-metrics-summary-window = Alguns quantis vêm de sumários: valem por uma janela móvel do próprio exportador, não podem ser somados entre servidores nem subtraídos no tempo.
note-metrics-first-bucket = Toda observação está na primeira faixa do histograma; os quantis dizem apenas que ficam abaixo do limite dela, para: { $signals }.
note-metrics-few-samples = Menos observações do que um percentil 99 exige ({ $least }) para: { $signals }.
note-metrics-gauge-never-written = { $signal } é zero em toda coleta embora haja requisições em execução. Uma métrica renomeada ou ausente costuma aparecer como zero: isto não é uma medição.
note-metrics-duplicates-differ = { $count } amostras vieram duas vezes na mesma coleta com valores diferentes, como quando dois motores caem na mesma linha por um rótulo perdido. Ficou o último valor, e ele não é a soma.
note-metrics-no-finish-reasons = O motor conta requisições concluídas sem dizer como terminaram; por isso a taxa de aceitação não é conhecida. Não é 100 %.
note-gpu-utilization-says-little = A utilização da GPU é a fração do tempo em que algum kernel rodou. A 100 % nada diz sobre progresso: veja a atividade dos SM, do pipe de tensores e da DRAM, e a fila.
note-gpu-throttle-sampled = Os motivos que seguram o clock são vistos só nas amostras; o que houve entre elas não se sabe.
note-gpu-xid = A GPU { $gpu } informa o erro XID { $code }. Procure-o no log do driver antes de confiar no que foi medido neste dispositivo.
note-gpu-many-devices = { $devices } dispositivos são citados; { $shown } deles aparecem.
note-nvidia-smi-absent = GPU { $gpu }: { $count } { $count ->
    [one] célula não estava disponível
   *[other] células não estavam disponíveis
 } ({ $fields }). Isso é ausência, não zero.
note-nvidia-smi-lines-skipped = { $skipped } linhas não puderam ser lidas e foram puladas; a primeira é a linha { $line } de { $file }.
note-nvidia-smi-cut = O arquivo { $file } termina no meio de uma linha. Essa linha ficou de fora.
note-nvidia-smi-decimal-comma = Os números em { $file } estão escritos com vírgula decimal e foram lidos assim.
note-nvidia-smi-no-time = O arquivo não diz quando as amostras foram tomadas; por isso não se conhece janela nem taxa.
note-nvidia-smi-units-assumed = O arquivo não diz a unidade de { $fields }: valem por cento, MiB, watts e MHz, como a ferramenta os imprime sem unidades.
note-nvidia-smi-field-unknown = Colunas que não são lidas: { $fields }.
note-nvidia-smi-impossible = { $count } valores estão fora do possível para a coluna e ficaram de fora; o primeiro é { $value } na linha { $line } de { $file }.

## Recusas

refusal-prometheus-expression = Isto é o resultado de uma expressão: nenhuma de suas { $series } séries tem nome; o arquivo não diz o que foi perguntado ({ $samples } amostras, de { $least } a { $greatest }). Uma taxa ou um quantil não pode ser lido como contador.
refusal-prometheus-expression-remedy = Consulte as séries brutas pelo nome no mesmo período, sem função em volta; taxas e quantis são calculados aqui. Ou salve o próprio /metrics do motor antes e depois.
refusal-prometheus-empty-answer = A resposta não tem nenhuma série. Isso significa que a série não existe ali, não que seu valor seja zero.
refusal-prometheus-empty-answer-remedy = Confira nome, rótulos e período da consulta. Motores renomeiam métricas entre versões: pergunte ao servidor que nomes ele tem.
refusal-prometheus-native-histograms = A resposta tem só histogramas nativos, que não são lidos.
refusal-prometheus-native-histograms-remedy = Consulte as faixas clássicas (o nome com _bucket), ou salve o próprio /metrics do motor antes e depois.
refusal-prometheus-api-damaged = A resposta da API HTTP do Prometheus está cortada ou danificada: { $error }.
refusal-prometheus-api-damaged-remedy = Repita a consulta e salve a resposta inteira. Nada dela foi tirado.
refusal-prometheus-too-many-samples = As respostas têm mais de { $most } amostras.
refusal-prometheus-too-many-samples-remedy = Consulte um período mais curto, um passo maior ou menos séries por vez.
refusal-nvidia-smi-no-row = O arquivo tem o cabeçalho do nvidia-smi e nenhuma linha de valores.
refusal-nvidia-smi-no-row-remedy = Deixe-o amostrar enquanto a carga roda: nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,memory.used,power.draw --format=csv -l 1
refusal-nvidia-smi-screen = Isto é a tela do nvidia-smi, um instante desenhado como tabela para pessoas.
refusal-nvidia-smi-screen-remedy = Deixe-o gravar linhas enquanto a carga roda: nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,memory.used,power.draw --format=csv -l 1
refusal-nvidia-smi-too-many-devices = O arquivo cita mais de { $most } dispositivos.
refusal-nvidia-smi-too-many-devices-remedy = Entregue as amostras de um host por vez.

## Figuras

figure-gpu-devices = GPUs, médias das amostras
figure-gpu-series = Utilização das GPUs ao longo das amostras

## Colunas

column-gpu-model = Modelo
column-sm-active = SM ativos
column-dram-active = DRAM ativa
column-tensor-active = Pipe de tensores ativo
column-gpu-sm-clock = Clock dos SM
column-gpu-temperature = Temperatura
column-gpu-sample = Amostra
column-gpu-power-greatest = Potência, maior
column-gpu-utilization-mean = Utilização, média das GPUs
column-gpu-utilization-least = Utilização, menor GPU
column-gpu-utilization-greatest = Utilização, maior GPU
