# O que o programa faz por conta própria, e por quê.
upkeep-not-started = Aprovada { $since }, e o canário não foi iniciado em { $hours } horas.
upkeep-not-promoted = O canário terminou { $since }, e a mudança não foi promovida em { $hours } horas. O candidato continua em serviço até que alguém declare que o valor antigo voltou.
upkeep-condition = { $condition } já não se sustenta.
upkeep-corrupt = Os bytes guardados de { $evidence } já não têm o seu resumo (digest).
case-act-change-unapprove = devolveu para aprovação
case-act-change-expire = deixou expirar
audit-act-change-unapprove = Mudança devolvida para aprovação
audit-act-change-expire = Mudança expirada
