# Serviços e contratos de carga.
services-title = Serviços
services-lede = O que vocês servem, e os tipos de tarefa atendidos. Contratos e casos falam deles.
services-known = Serviços conhecidos
services-none = Nenhum ainda. Defina o primeiro: o nome como nos seus painéis, e as classes de tarefa que as pessoas distinguem.
services-no-class = Nenhuma classe de tarefa ainda.
services-classes-are = Classes de tarefa:
services-add-class = Outra classe de tarefa
services-add = Adicionar
services-new-contract = Novo contrato
services-define = Definir um serviço
services-define-button = Definir
services-name = Nome
services-name-hint = Como nos seus painéis, por exemplo vllm-chat. Não pode ser mudado depois.
services-name-fault = Dê um nome de 1 a 80 caracteres.
services-name-taken = Já existe um serviço com este nome.
services-description = O que ele serve
services-description-fault = No máximo 2000 caracteres.
services-classes = Classes de tarefa
services-classes-hint = Uma por linha, como chat curto, chat de contexto longo, uso de ferramentas.
services-class-long-fault = Uma classe de tarefa tem no máximo 80 caracteres: { $class }
services-class-twice-fault = { $class } aparece duas vezes.
services-class-taken = O serviço já tem esta classe.
contracts-title = Contratos de carga
contracts-lede = Um contrato diz o que é servido e sob qual carga, o que conta como aceito e quais limites valem. Os casos são julgados por uma versão fixada dele.
contracts-new = Novo contrato
contracts-none = Nenhum contrato ainda
contracts-none-what = Sem contrato, não se pode dizer que algo foi violado, e nenhuma mudança pode ser aceita. Rascunhe um para o serviço mais importante; o rascunho pode ficar incompleto.
contracts-contract = Contrato
contracts-published = Publicada
contracts-not-published = não publicada
contracts-since = Desde
contracts-draft = Rascunho
contracts-name = Nome do contrato
contracts-name-taken = O serviço já tem um contrato com este nome.
contracts-state-draft = rascunho
contracts-state-published = publicada
contracts-state-superseded = substituída
contracts-state-withdrawn = retirada
contracts-editorial = editorial
contracts-material = material
contracts-edit-draft = Editar o rascunho
contracts-start-draft = Começar o rascunho v{ $n }
contracts-published-on = Publicada em
contracts-drafted-on = Rascunhada em
contracts-versions = Versões
contracts-open-case = Abrir um caso deste serviço
contracts-diff-link = mudanças desde a v{ $n }
contracts-part-general = Julgamento
contracts-part-classes = Classes de tarefa
contracts-part-bands = Faixas de concorrência
contracts-part-limits = Limites
contracts-part-load = Carga declarada
contracts-part-cost = Atribuição de custo
contracts-part-environment = Ambiente
contracts-no-limits = Nenhum limite ainda.
contracts-signal = Sinal
contracts-statistic = Estatística
contracts-side = Lado
contracts-side-auto = pelo sinal
contracts-value = Valor
contracts-unit = Unidade
contracts-limit = Limite
contracts-class = Classe
contracts-description = O que faz parte dela
contracts-band = Faixa
contracts-phase = Fase
contracts-phase-warm = quente
contracts-phase-cold = fria
contracts-samples = Mínimo de amostras
contracts-remove = Remover
contracts-all = todas
contracts-all-classes = todas juntas
contracts-all-bands = todas as faixas
contracts-least = Mínimo
contracts-most = Máximo
contracts-band-range = { $range } requisições ao mesmo tempo
contracts-limit-of-class = classe { $class }
contracts-limit-of-band = faixa { $band }
contracts-limit-samples = ao menos { $n } amostras
contracts-purpose = O que é servido
contracts-purpose-hint = Para as pessoas; nada é julgado por isto.
contracts-acceptance = O que conta como aceito
contracts-acceptance-hint = Em palavras que duas pessoas leem do mesmo modo. Tokens por segundo nunca são aceitação.
contracts-acceptance-signal = Medido por
contracts-acceptance-signal-fault = Escolha um sinal que meça a aceitação.
contracts-window = Janela de medição
contracts-window-fault = Informe minutos, entre um segundo e uma semana.
contracts-min-samples = Mínimo de requisições por execução
contracts-arrival = Chegadas por segundo
contracts-prompt = Tamanho médio do prompt, em tokens
contracts-output = Tamanho médio da saída, em tokens
contracts-mix = Mistura de tarefas, % das requisições
contracts-mix-hint = Uma classe por linha, classe = mínimo - máximo em por cento, como chat = 60 - 80. Uma classe não citada pode ter qualquer proporção.
contracts-mix-fault = Escreva classe = mínimo - máximo em cada linha, em por cento, e não: { $line }
contracts-mix-twice-fault = A classe de { $line } aparece duas vezes.
contracts-load-note = Algo mais sobre a carga
contracts-load-hint = Uma execução fora destas faixas está fora do contrato e não alimenta nenhum portão. Deixe vazia a faixa que não importa.
contracts-cost-resources = Recursos contados
contracts-cost-price = Preço por hora
contracts-cost-currency = Moeda
contracts-cost-period = Período
contracts-cost-hint = Só é preciso quando o custo por tarefa aceita é limitado. Os quatro, ou nenhum.
contracts-cost-fault = Informe os quatro, ou deixe todos vazios.
contracts-currency-fault = Informe três letras, como USD ou BRL.
contracts-environment = Ambiente a que se destina
contracts-environment-hint = Um fato por linha, chave = valor, como gpu_model = NVIDIA H100. Vazio significa qualquer um.
contracts-environment-fault = Escreva chave = valor em cada linha, e não: { $line }
contracts-environment-twice-fault = { $line } aparece duas vezes.
contracts-classes-hint = Tipos de tarefa que as pessoas distinguem. Uma média nunca fala por uma classe com limite próprio. Para remover uma linha, esvazie-a.
contracts-bands-hint = Quantas requisições são atendidas ao mesmo tempo. Os limites podem valer para uma faixa ou para todas.
contracts-limits-hint = Para publicar é preciso ao menos um limite de latência e um de aceitação. Valores como se fala: 800 ms, 97 %.
contracts-add-rows = Mais linhas
contracts-cell = Linha { $row }: { $what }
contracts-save = Salvar o rascunho
contracts-edit-title = rascunho v{ $n }
contracts-edit-lede = Um rascunho pode ser salvo com lacunas. O que falta é listado na hora de publicar.
contracts-long-fault = No máximo 2000 caracteres.
contracts-range-order-fault = O mínimo está acima do máximo.
contracts-range-half-fault = Informe as duas pontas da faixa, ou nenhuma.
contracts-band-order-fault = O mínimo está acima do máximo.
contracts-concurrency-fault = Informe um número inteiro a partir de 1.
contracts-name-twice-fault = Este nome aparece duas vezes.
contracts-limit-signal-fault = Escolha o sinal deste limite, ou esvazie valor e unidade para descartar a linha.
contracts-limit-side-fault = Para este sinal nenhum lado é melhor por si só: escolha ≤ ou ≥.
contracts-publish-title = Publicação da v{ $n }
contracts-publish = Publicar a v{ $n }
contracts-publish-hint = Uma versão publicada nunca mais muda.
contracts-problems = { $count ->
    [one] Um ponto impede a publicação:
   *[other] { $count } pontos impedem a publicação:
}
contracts-replaces = Ela toma o lugar da v{ $n }, que continua legível.
contracts-first-version = Esta é a primeira versão; não há nada antes com que ser compatível.
contracts-cases = { $count ->
    [one] Um caso aberto fixa este contrato. O que foi registrado e aprovado nele fica desatualizado:
   *[other] { $count } casos abertos fixam este contrato. O que foi registrado e aprovado neles fica desatualizado:
}
contracts-compatibility = Comparada com a versão anterior
contracts-editorial-hint = Só mudaram palavras: nada que julga.
contracts-material-hint = Mudou um número, classe, faixa ou definição; o que se apoia na versão antiga fica desatualizado.
contracts-editorial-fault = Isto não é editorial: mudou um número, classe, faixa ou definição. Publique como material, ou desfaça a mudança.
contracts-compatibility-fault = Diga se esta versão é editorial ou material.
contracts-diff-title = v{ $from } e v{ $to }
contracts-diff-count = { $count ->
    [0] Nada difere.
    [one] Uma linha difere.
   *[other] { $count } linhas diferem.
}
contracts-diff-loosened = { $count ->
    [one] Um limite foi afrouxado
   *[other] { $count } limites foram afrouxados
}
contracts-diff-editorial = Nada que julga mudou.
contracts-diff-material = Algo que julga mudou.
contracts-from = Antes
contracts-to = Depois
contracts-compare = Comparar
contracts-line = Linha
contracts-what-moved = O que mudou
contracts-loosened = afrouxado
contracts-move-same = igual
contracts-move-changed = mudou
contracts-move-added = acrescentado
contracts-move-removed = removido
