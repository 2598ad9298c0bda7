# O registro da decisão.
decision-kind-accepted = Aceita
decision-kind-rejected = Rejeitada
decision-kind-rolled-back = Revertida
decision-record = Registro { $digest }
decision-record-of = Registro de decisão
decision-record-word = Registro
decision-change = Mudança
decision-contract = Contrato
decision-environment = Ambiente
decision-environment-unknown = não declarado
decision-approvals = Aprovações
decision-approvals-count = { $counted } válidas, { $outdated } desatualizadas
decision-overrides = Exceções
decision-policy = política { $n }
decision-audit = auditoria nº { $n }
decision-note = Nota
decision-gate = Exigências, como julgadas
decision-comparison = Comparação como julgada, { $phase }
decision-held = { $at } UTC, { $held } de { $lines } cumpridas
decision-held-but = { $at } UTC, { $held } de { $lines } cumpridas, { $na } sem aplicação
decision-watched-by = Acompanhado por { $name }.
decision-evidence = Evidências
decision-items = { $count ->
    [one] 1 item
    *[other] { $count } itens
    }
decision-since = Desde então
decision-since-none = Nada.
decision-later = { $what } por { $name }
decision-confirmed = Confirmada: o acompanhamento terminou sem problema
decision-contract-superseded = A versão { $n } do contrato foi publicada; este registro se apoia na anterior
decision-case-closed = O caso foi encerrado
decision-this = Este registro
decision-sound = O conteúdo tem o resumo com que foi selado.
decision-never-recomputed = Desenhado a partir do que foi guardado então. Nunca recalculado.
decision-print-hint = Impresso, ocupa páginas A4 sem navegação.
decision-unsound = Este registro foi alterado depois de selado.
decision-unsound-do = O conteúdo não tem mais o resumo original. Não confie nele; avise a auditoria.
