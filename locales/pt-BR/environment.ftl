# O ambiente de uma execução: fatos com fontes, conflitos, conjuntos de ajustes e o consentimento de quem revisa.
bundle-title = Outros ajustes que não podem mudar separadamente
bundle-settings = Outros ajustes
bundle-settings-hint = Um por linha: nome = antigo → novo. Um conjunto precisa de um motivo aqui e do consentimento de quem revisa, na mudança.
bundle-reason = Por que não podem mudar separadamente
bundle-fault-many = No máximo { $most } outros ajustes. Divida a mudança.
bundle-fault-line = A linha { $line } não está na forma nome = antigo → novo.
bundle-needs-setting = Um conjunto cita ao menos um outro ajuste: nome = antigo → novo.
bundle-needs-values = { $setting } precisa de um valor antigo e de um novo.
bundle-same-value = { $setting } tem o mesmo valor antes e depois.
bundle-twice = { $setting } aparece duas vezes.
bundle-needs-reason = Diga em pelo menos { $least } caracteres por que os ajustes não podem mudar separadamente.

bundle-said = Junto com ele mudaram { $facts }, como um só conjunto: { $reason }
bundle-consent = Consentir com o conjunto
bundle-consent-words = Por que esses ajustes podem mudar juntos
bundle-fault-words = Diga em poucas palavras por que esses ajustes podem mudar juntos.
bundle-consent-later = O consentimento de quem revisa é pedido depois que a revisão é enviada. O motivo de quem propôs: { $reason }
bundle-consent-missing = Nenhum revisor que não tenha contribuído consentiu com o conjunto desta revisão. O motivo de quem propôs: { $reason }
bundle-consent-other-revision = { $person } consentiu com outra revisão em { $at }: “{ $note }”.
bundle-consent-not-counted = O consentimento de { $person }, de { $at }, não conta: “{ $note }”.
bundle-consent-holds = { $person } consentiu em { $at }: “{ $note }”.
case-do-consent-bundle = Ver o conjunto
audit-act-change-consent-bundle = Conjunto consentido
case-act-change-consent-bundle = consentiu com o conjunto de

environment-fact = Fato
environment-value = Valor
environment-source = Fonte
environment-stated = declarado
environment-read = lido de { $evidence }
environment-against = { $source } diz “{ $value }”
environment-known = O que se sabe de { $run }, e quem o diz
environment-conflict = { $run }: { $field } é “{ $stated }” e, segundo { $evidence }, “{ $found }”. Dois arquivos discordam: retire o que não é desta execução, ou declare o valor na execução.
environment-configuration-gap = A configuração em { $evidence } deixa ajustes de { $run } em aberto: falta um arquivo, um valor ou a versão. As notas dela dizem qual.
case-fact-environment-conflicts = { $count } { $count ->
    [one] execução tem
   *[other] execuções têm
} fontes que discordam
