# Os formulários das quatro condições de parada.
condition-lede-reproduced-bottleneck = Indique o limite violado e as execuções que o mostram. Ao menos duas execuções independentes da linha de base, na mesma fase e no mesmo ambiente, uma delas sem perfilador.
condition-lede-owner-layer-identified = Indique a única camada que limita as tarefas aceitas, cite o que a mostra e diga de cada outra etapa por que não é o limite. Uma GPU ocupada não mostra nada.
condition-lede-acceptance-impact-visible = Diga o que a violação custa em tarefas aceitas, por classe citada no incidente, com o piso do contrato ao lado. Tokens por segundo nunca contam; uma perda medida de zero conta.
condition-lede-rollback-threshold-defined = Diga que os limiares da mudança são estes: completos e disparando antes que o contrato seja violado.
condition-limit-reproduced-bottleneck = Que limite é violado, em quais execuções
condition-limit-acceptance-impact-visible = Que piso, medido em quais execuções
condition-now = Agora:
condition-recorded-by = registrada por
condition-no-limit = Nenhum limite para escolher: o caso não tem contrato com um.
condition-pin = Fixar um contrato
condition-no-run = Nenhuma execução da linha de base sob este contrato na fase do limite.
condition-add-run = Descrever uma
condition-runs = { $count ->
    [one] 1 execução
    *[other] { $count } execuções
    }
condition-note = O que isso significa para as tarefas aceitas
condition-layer = A camada que limita
condition-cite = Sinais que a mostram
condition-cite-hint = Ao menos um da própria camada. O que não é oferecido não aponta camada.
condition-cite-cut = Só os 300 mais novos são oferecidos.
condition-others = Por que as outras etapas não são o limite
condition-others-hint = Uma frase para cada, a partir de onde a etapa está. O texto da camada escolhida não é usado.
condition-standing-signal = { $word }: { $measure } { $value } ({ $item })
condition-thresholds-of = Limiares de { $change }, revisão { $n }
condition-edit-thresholds = Editar os limiares
condition-record = Registrar
condition-retract = Retirar o registro
condition-retract-hint = O registro fica no histórico; a condição passa a faltar, e as aprovações apoiadas nela deixam de valer.
condition-reason = Por quê
condition-fault-limit = Escolha um dos limites.
condition-fault-layer = Escolha exatamente uma camada.
condition-fault-no-change = Ainda não há mudança da qual voltar.
condition-fault-revised = A mudança foi revisada depois que esta página foi exibida. Veja os limiares como estão agora e então registre.
condition-fault-moved = Alguém registrou esta condição enquanto você escrevia. O que você digitou foi mantido; o que está em vigor aparece acima.
condition-fault-reason = Diga em poucas palavras por quê (ao menos 5 caracteres).
condition-fault-long = Um texto passa de 4 000 caracteres.
