# What the program does by itself, and why.
upkeep-not-started = Approved { $since }, and its canary was not started within { $hours } hours.
upkeep-not-promoted = The canary ended { $since }, and the change was not promoted within { $hours } hours. The candidate stays in service until somebody states that the old value is back.
upkeep-condition = { $condition } no longer holds.
upkeep-corrupt = The stored bytes of { $evidence } no longer have their digest.
case-act-change-unapprove = sent back for approval
case-act-change-expire = let expire
audit-act-change-unapprove = Change sent back for approval
audit-act-change-expire = Change expired
