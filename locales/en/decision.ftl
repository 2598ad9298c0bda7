# The decision record.
decision-kind-accepted = Accepted
decision-kind-rejected = Rejected
decision-kind-rolled-back = Rolled back
decision-record = Record { $digest }
decision-record-of = Decision record
decision-record-word = Record
decision-change = Change
decision-contract = Contract
decision-environment = Environment
decision-environment-unknown = not stated
decision-approvals = Approvals
decision-approvals-count = { $counted } counted, { $outdated } outdated
decision-overrides = Overrides
decision-policy = policy { $n }
decision-audit = audit #{ $n }
decision-note = Note
decision-gate = Gate, as judged
decision-comparison = Comparison as judged, { $phase }
decision-held = { $at } UTC, { $held } of { $lines } hold
decision-held-but = { $at } UTC, { $held } of { $lines } hold, { $na } not applicable
decision-watched-by = Watched by { $name }.
decision-evidence = Evidence
decision-items = { $count ->
    [one] 1 item
    *[other] { $count } items
    }
decision-since = Since then
decision-since-none = Nothing.
decision-later = { $what } by { $name }
decision-confirmed = Confirmed: the watch ended clean
decision-contract-superseded = Contract version { $n } was published; this record stands on the earlier one
decision-case-closed = The case was closed
decision-this = This record
decision-sound = Its content has the digest it was sealed with.
decision-never-recomputed = Drawn from what was stored then. Never recomputed.
decision-print-hint = Printed, it fills A4 pages without navigation.
decision-unsound = This record was changed after it was sealed.
decision-unsound-do = Its content no longer has its digest. Do not rely on it; tell your auditor.
