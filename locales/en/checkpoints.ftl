# Checkpoints of the audit log.
audit-checkpoints = Checkpoints, to be kept elsewhere
audit-checkpoints-hint = A chain of hashes does not show that its tail was cut off. Store these signed files outside this machine; “pel audit verify --checkpoint FILE” holds the log against them, also from an export and without the database.
audit-checkpoint = Checkpoint { $n }, up to event { $seq }
audit-checkpoint-clock = { $count ->
    [one] The clock stepped back once in it; the sequence orders all the same.
    *[other] The clock stepped back { $count } times in it; the sequence orders all the same.
    }
audit-broken-checkpoint = A checkpoint knows another event here.
audit-broken-merkle = A checkpoint knows other events from here on.
audit-broken-cut = The log was cut: a checkpoint knows later events.
audit-broken-signature = The signature of a checkpoint does not fit its content.
