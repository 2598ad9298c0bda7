# The forms of the four stop conditions.
condition-lede-reproduced-bottleneck = Name the limit that breaks and the runs that show it. At least two independent baseline runs of the same phase and environment, one of them without a profiler.
condition-lede-owner-layer-identified = Name the one layer that limits accepted tasks, cite what shows it, and say of each other stage why it is not the limit. A busy GPU shows nothing.
condition-lede-acceptance-impact-visible = Say what the breach costs in accepted tasks, per class that the incident names, with the contract's floor beside it. Tokens per second never count; a measured loss of nothing does.
condition-lede-rollback-threshold-defined = Say that the thresholds of the change are the ones: complete, and triggering no later than the contract would be broken.
condition-limit-reproduced-bottleneck = Which limit breaks, in which runs
condition-limit-acceptance-impact-visible = Which floor, measured in which runs
condition-now = Now:
condition-recorded-by = recorded by
condition-no-limit = No limit to choose from: the case has no contract that has one.
condition-pin = Pin a contract
condition-no-run = No baseline run under this contract in the phase of the limit.
condition-add-run = Describe one
condition-runs = { $count ->
    [one] 1 run
    *[other] { $count } runs
    }
condition-note = What this means for accepted tasks
condition-layer = The layer that limits
condition-cite = Signals that show it
condition-cite-hint = At least one of the layer's own. What is not offered does not name a layer.
condition-cite-cut = Only the newest 300 are offered.
condition-others = Why the other stages are not the limit
condition-others-hint = One sentence each, beginning from where the stage stands. The text of the layer you choose is not used.
condition-standing-signal = { $word }: { $measure } { $value } ({ $item })
condition-thresholds-of = Thresholds of { $change }, revision { $n }
condition-edit-thresholds = Edit the thresholds
condition-record = Record
condition-retract = Take the record back
condition-retract-hint = The record stays in the history; the condition is then missing, and approvals that rested on it no longer count.
condition-reason = Why
condition-fault-limit = Choose one of the limits.
condition-fault-layer = Choose exactly one layer.
condition-fault-no-change = There is no change to go back from yet.
condition-fault-revised = The change was revised since this page was shown. Look at its thresholds as they are now, then record.
condition-fault-moved = Somebody recorded this condition while you were typing. What you typed is kept; what is in force stands above.
condition-fault-reason = Say in a few words why (at least 5 characters).
condition-fault-long = A text is longer than 4 000 characters.
