# Marcos do registro de auditoria.
audit-checkpoints = Marcos, para guardar em outro lugar
audit-checkpoints-hint = Uma cadeia de resumos não mostra que seu final foi cortado. Guarde estes arquivos assinados fora desta máquina; “pel audit verify --checkpoint ARQUIVO” compara o registro com eles, também a partir de uma exportação e sem o banco de dados.
audit-checkpoint = Marco { $n }, até o evento { $seq }
audit-checkpoint-clock = { $count ->
    [one] O relógio voltou uma vez nele; a sequência ordena mesmo assim.
    *[other] O relógio voltou { $count } vezes nele; a sequência ordena mesmo assim.
    }
audit-broken-checkpoint = Um marco conhece outro evento aqui.
audit-broken-merkle = Um marco conhece outros eventos a partir daqui.
audit-broken-cut = O registro foi cortado: um marco conhece eventos posteriores.
audit-broken-signature = A assinatura de um marco não corresponde ao conteúdo.
