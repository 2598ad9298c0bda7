# Configurações de motores: recusas, notas, tabelas.

## Recusas

refusal-engine-config-syntax = A configuração se interrompe na linha { $line }, coluna { $column }: o que está ali não pertence ao formato.
refusal-engine-config-syntax-remedy = Entregue o arquivo com que o motor foi iniciado, sem alterações. Nada dele foi aproveitado.
refusal-engine-config-not-closed = Linha { $line }, coluna { $column }: uma chave, aspas ou um bloco abre e não fecha, ou fecha sem ter aberto.
refusal-engine-config-not-closed-remedy = Confira se a cópia está completa e entregue de novo. Nada dele foi aproveitado.
refusal-engine-config-too-deep = A configuração está aninhada demais na linha { $line }, coluna { $column }.
refusal-engine-config-too-deep-remedy = Entregue a configuração que o próprio motor recebe, sem partes geradas em volta.
refusal-engine-config-too-large = O arquivo parece uma configuração e passa de { $limit } KiB.
refusal-engine-config-too-large-remedy = Entregue só a configuração do modelo, o comando de início ou os ajustes.
refusal-engine-config-too-many = A configuração tem mais de { $limit } ajustes.
refusal-engine-config-too-many-remedy = Entregue a configuração de um motor por vez.
refusal-engine-config-not-text = A configuração não é texto em UTF-8.
refusal-engine-config-not-text-remedy = Salve como UTF-8 e entregue de novo.
refusal-engine-config-gzip-damaged = O arquivo compactado está danificado ou cortado: { $error }.
refusal-engine-config-gzip-damaged-remedy = Compacte e envie o arquivo de novo, ou envie sem compactar.
refusal-engine-config-anchor = Linha { $line }, coluna { $column }: o YAML remete a outro ponto dele mesmo (um alias). Essas remissões não são seguidas.
refusal-engine-config-anchor-remedy = Escreva os valores onde são usados e entregue o arquivo de novo.
refusal-engine-config-two-commands = Há mais de um início do motor, com argumentos diferentes. Não dá para saber qual deles a execução usou.
refusal-engine-config-two-commands-remedy = Deixe só o comando com que a execução foi feita e entregue-o sozinho.
refusal-engine-config-two-engines = Os arquivos configuram motores ou modelos diferentes e não formam uma só configuração.
refusal-engine-config-two-engines-remedy = Entregue a configuração de cada motor separadamente, cada uma com a sua execução.

## Notas

note-engine-config-file-missing = { $name } é citado ou necessário e não foi entregue; o que ele ajusta não é conhecido. Entregue os dois arquivos juntos, como um só item; até lá nenhuma comparação de ajustes vale para esta execução.
note-engine-config-beside-missing = O backend deste modelo guarda os argumentos em { $name }, ao lado da configuração, e esse arquivo não foi entregue. Entregue os dois juntos, como um só item; até lá nenhuma comparação de ajustes vale para esta execução.
note-engine-config-precedence = Linha de comando e arquivo definem { $keys } com valores diferentes, e depende da versão do TensorRT-LLM qual deles prevalece. Escreva o valor em um só lugar; até lá nenhuma comparação de ajustes vale para esta execução.
note-engine-config-variable = O valor de { $keys } vem de uma variável que não está definida no arquivo. Declare-o na execução, ou entregue o arquivo com o valor escrito.
note-engine-config-open = Parte do comando só é conhecida enquanto o script roda, então pode haver outros argumentos. Entregue o comando como foi executado, por exemplo a partir do ps; até lá nenhuma comparação de ajustes vale para esta execução.
note-engine-config-no-command = São ajustes sem o comando que iniciou o motor. A linha de comando pode definir outros e pode sobrepor estes.
note-engine-config-no-engine = O arquivo não diz qual motor configura. Declare o motor na execução.
note-engine-config-stray = Nada remete a { $name }; os ajustes dele ficaram de fora.
note-engine-config-secrets = { $count } { $count ->
    [one] valor que parece segredo foi descartado
   *[other] valores que parecem segredos foram descartados
} na leitura. Nem valor nem digest ficam nos fatos; o arquivo guardado ainda os contém.
note-engine-config-variables-left = { $count } { $count ->
    [one] variável de ambiente que não pesa sobre nada medido aqui ficou
   *[other] variáveis de ambiente que não pesam sobre nada medido aqui ficaram
} de fora.
note-engine-config-triton-effective = O servidor pode completar ou alterar esta configuração ao carregar o modelo. GET /v2/models/MODELO/config mostra a que está em vigor.
note-engine-config-defaults = Só se preenchem valores padrão que nenhuma versão mudou. Qualquer outro ajuste que não esteja escrito não é conhecido, e conta como diferente de um escrito.
note-engine-config-no-version = O arquivo não diz a versão do motor. Declare-a na execução: uma versão nova é, por si só, uma mudança.

## Tabelas

figure-engine-settings = Ajustes
figure-engine-settings-cosmetic = Ajustes que não pesam sobre o desempenho
column-setting = Ajuste
column-setting-value = Valor
column-setting-file = Arquivo

refusal-diff-not-configuration = Isto não é uma configuração de motor e sim { $kind }; não há o que comparar.
refusal-diff-not-configuration-remedy = Dê duas configurações: config.pbtxt, um comando de início com os arquivos que cita, ou um manifesto.
