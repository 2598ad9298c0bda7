# What the judgement says.

## The gate: its first line, its requirements and its words.

gate-submit-ready = Ready to submit. Every line holds.
gate-submit-ready-but = Ready to submit. { $holds } hold, { $na } not applicable.
gate-submit-open = Cannot submit yet: { $count } of { $lines } lines open.
gate-approve-ready = Ready to approve. Every line holds.
gate-approve-ready-but = Ready to approve. { $holds } hold, { $na } not applicable.
gate-approve-open = Cannot approve yet: { $count } of { $lines } lines open.
gate-start-canary-ready = Ready to start the canary. Every line holds.
gate-start-canary-ready-but = Ready to start the canary. { $holds } hold, { $na } not applicable.
gate-start-canary-open = Cannot start the canary yet: { $count } of { $lines } lines open.
gate-accept-ready = Ready to accept. Every line holds.
gate-accept-ready-but = Ready to accept. { $holds } hold, { $na } not applicable.
gate-accept-open = Cannot accept yet: { $count } of { $lines } lines open.
gate-close-ready = Ready to close. Every line holds.
gate-close-ready-but = Ready to close. { $holds } hold, { $na } not applicable.
gate-close-open = Cannot close yet: { $count } of { $lines } lines open.
gate-close-case-open = The case is open.
gate-line-reproduced-bottleneck = Reproduced bottleneck
gate-line-owner-layer-identified = Owner layer
gate-line-acceptance-impact-visible = Acceptance impact
gate-line-rollback-threshold-defined = Rollback threshold
gate-line-change = Change
gate-line-revision = Change and its revision
gate-line-one-knob = One knob only
gate-line-bundle = Consent to the bundle
gate-line-comparison-warm = Warm comparison
gate-line-comparison-cold = Cold comparison
gate-line-comparison-canary = Canary comparison
gate-line-canary-verdict = Canary verdict
gate-line-unprofiled = Unprofiled runs
gate-line-way-back = Way back and who watches
gate-line-approvals = Approvals
gate-line-integrity = Evidence integrity
gate-line-plan = Canary plan
gate-line-one-at-a-time = One change at a time
gate-line-open-matters = Nothing left open
gate-line-case-open = Case and contract
gate-line-nothing-live = No live change
gate-line-outcome = Outcome
gate-status-holds = holds
gate-status-missing = missing
gate-status-not-supported = not supported
gate-status-out-of-date = out of date
gate-status-contradicted = contradicted
gate-status-not-applicable = not applicable
gate-status-cannot-tell = cannot tell
gate-status-error = could not be checked
condition-status-missing = missing
condition-status-held = held
condition-status-unsupported = not supported
condition-status-stale = out of date
condition-status-contradicted = contradicted
verdict-holds = holds
verdict-breaks = breaks
verdict-cannot-tell = cannot tell
verdict-pass = pass
verdict-fail = fail
verdict-inconclusive = inconclusive
comparator-at-most = at most
comparator-at-least = at least

## Words for states.

case-state-new = new
case-state-investigating = investigating
case-state-deciding = deciding
case-state-rolling-out = rolling out
case-state-closed = closed
outcome-change-confirmed = change confirmed
outcome-change-rolled-back = change rolled back
outcome-no-change-needed = no change needed
outcome-not-reproduced = not reproduced
outcome-outside-our-layers = outside our layers
outcome-opened-in-error = opened in error
change-state-draft = draft
change-state-submitted = submitted
change-state-approved-for-canary = approved for canary
change-state-canary-running = canary running
change-state-canary-paused = canary paused
change-state-canary-ended = canary ended
change-state-awaiting-promotion = awaiting promotion
change-state-accepted = accepted
change-state-confirmed = confirmed
change-state-withdrawn = withdrawn
change-state-rejected = rejected
change-state-expired = expired
change-state-rolled-back = rolled back
evidence-state-received = received
evidence-state-parsing = being read
evidence-state-usable = usable
evidence-state-unreadable = unreadable
evidence-state-rejected = rejected
evidence-state-set-aside = set aside
evidence-state-withdrawn = withdrawn
evidence-state-purged = purged
phase-cold = cold
phase-warm = warm
phase-canary = canary
phase-unknown = phase not stated
role-run-baseline = baseline
role-run-candidate = candidate
role-run-unknown = role not stated
profiled-yes = profiled
profiled-no = unprofiled
profiled-unknown = profiler not stated
condition-reproduced-bottleneck = reproduced bottleneck
condition-owner-layer-identified = owner layer identified
condition-acceptance-impact-visible = acceptance impact visible
condition-rollback-threshold-defined = rollback threshold defined
declaration-not-applicable = not applicable
declaration-not-examined = not examined
declaration-reopened = reopened
purpose-canary = canary
purpose-promotion = promotion
canary-event-started = started
canary-event-paused = paused
canary-event-resumed = resumed
canary-event-ended = ended
canary-event-rolled-back = rolled back
decision-accepted = accepted
decision-rejected = rejected
decision-rolled-back = rolled back
standing-empty = no evidence
standing-collecting = being read
standing-evidenced = evidenced
standing-owner-layer = limits acceptance
standing-not-applicable = not applicable
standing-not-examined = not examined
standing-disputed = evidence disagrees
layer-outside = outside our layers

## Statements about a run.

statement-role = role
statement-phase = phase
statement-profiled = profiler attached
statement-contract = contract version
statement-environment = environment
statement-window = time window
gate-statement-unknown = { $run } does not state: { $fields }. State it before the run can count.
gate-statement-contradicted = { $run } states { $field } as “{ $stated }”; { $evidence } says “{ $found }”. Correct the statement or withdraw the file.
gate-statement-contradicted-because = { $run } states { $field } as “{ $stated }”; { $evidence } says “{ $found }”: { $reason }
gate-run-other-contract = { $run } was taken under another contract than { $contract }.
gate-off-contract = { $run } is off contract: { $signal } ({ $statistic }) is { $value } in { $evidence }, declared { $least } to { $most }.
gate-off-contract-mix = { $run } is off contract: the share of class { $class } is { $value } in { $evidence }, declared { $least } to { $most }.
gate-not-measured = not measured
gate-no-item = no file
gate-all-classes = all classes
gate-all-bands = every band

## What one run measured of one limit.

measure-no-evidence = { $run } has no usable file. Add evidence to it.
measure-being-read = The files of { $run } are still being read.
measure-invalid = The files of { $run } are marked as not to be trusted by their reader, so { $measure } { $sign } { $limit } cannot be judged. Take the run again.
measure-not-captured = { $measure } is not in any usable file of { $run }.
measure-other-class = { $run } was not taken for { $class }, { $band }.
measure-outside-band = No load point of { $run } lies inside { $band } of the contract.
measure-since-start = { $measure } of { $run } covers everything since the process started and hides a recent incident. Add a second scrape, one before and one after.
measure-disagree = Files of { $run } disagree on { $measure }: { $items } say { $values }. Set one of them aside or put it in its own run.
measure-too-few = { $measure } needs { $need } samples; { $run } has { $have }.
measure-samples-unknown = { $evidence } does not say how many samples { $measure } of { $run } rests on; { $need } are needed.
measure-at-least = { $measure } of { $run } is at least { $value }; the true value may lie on either side of { $limit }.
measure-bucket-wide = { $measure } of { $run } lies somewhere between { $low } and { $high }, too wide to compare with { $limit }. Use finer histogram buckets.

## Contract and basis.

gate-no-contract = No workload contract is pinned. Pin a published version.
gate-contract-draft = { $contract } is a draft. Publish it, or pin a published version.
gate-contract-superseded = { $contract } was superseded: { $newer } is published. Pin it and judge again.
gate-contract-withdrawn = { $contract } was withdrawn. Pin a published version.
gate-contract-no-limits = The contract has no limits.
gate-recorded-under-other-contract = Recorded under another version of the contract; { $contract } is pinned now. Record it again.
gate-limit-unknown = The contract has no limit “{ $limit-id }”.
gate-evidence-moved = { $evidence } changed: { $state } since { $at }.
gate-evidence-gone = An evidence item it rested on is gone.
gate-run-moved = The statements of { $run } were corrected.
gate-stage-moved = The declaration of stage { $stage } changed.
gate-contract-moved = The contract version changed.
gate-condition-moved = A condition it rested on was recorded again or retracted.
gate-revision-moved = The change was revised.
gate-environment-moved = The service runs elsewhere now. { $run } differs: { $facts }.
gate-being-read = { $evidence } is still being read (since { $since }). This line counts as open until then.

## Condition one: reproduced bottleneck.

gate-repro-none = 0 of { $need } baseline runs breaks { $measure } { $sign } { $limit }. Add an unprofiled run, { $phase }, under contract { $contract }.
gate-repro-more = { $have } of { $need } baseline runs breaks { $measure } { $sign } { $limit } ({ $runs }). Add one unprofiled run, { $phase }, under contract { $contract }.
gate-repro-record = { $runs } break { $measure } { $sign } { $limit }. Record the reproduced bottleneck.
gate-repro-held = { $runs } break { $measure } { $sign } { $limit } ({ $values }); they differ by { $spread }.
gate-repro-too-few-runs = { $have } of { $need } runs are named for { $measure } { $sign } { $limit }. Add a baseline run.
gate-repro-spread = { $measure } of { $runs } differs by { $spread }; { $allowed } is allowed. Add a run or explain the difference.
gate-repro-contradicted = { $run } ({ $at }) meets the limit: { $value }. Explain or set aside one of them.
gate-needs-unprofiled = { $runs } are all profiled: it needs one unprofiled run.
gate-run-meets-limit = { $run } meets { $measure } { $sign } { $limit }: { $value }.
gate-run-not-baseline = { $run } is not a baseline run.
gate-run-other-phase = { $run } is { $phase }; { $measure } { $sign } { $limit } is judged { $wanted }.
gate-runs-same-data = { $a } and { $b } carry the same data, so they count as one.
gate-runs-overlap = { $a } and { $b } overlap in time, so they count as one.
gate-runs-environment = { $a } and { $b } were taken in different environments: { $facts }.
gate-runs-phase = { $a } and { $b } were taken in different phases.
gate-input-run = { $run }: { $measure } { $value } (limit { $sign } { $limit }), { $phase }, { $profiled }, from { $evidence }

## Condition two: owner layer and the stages.

gate-layer-missing = No layer is named. Name the one that limits accepted tasks, with the signals that show it.
gate-layer-held = Layer named: { $layer }.
gate-layer-nothing-cited = No signal is cited for the layer. Cite at least one with its value.
gate-layer-signal-no-layer = { $signals } do not identify a layer. A busy GPU is no diagnosis; cite a signal that shows what it waits for.
gate-layer-item-gone = { $evidence } does not count any more, so { $measure } carries nothing.
gate-layer-signal-gone = { $measure } is no longer in { $evidence }.
gate-layer-value-moved = { $measure } in { $evidence } was cited as { $cited } and now reads { $value }.
gate-layer-other-stage = { $signal } in { $evidence } belongs to { $other }, not to { $stage }.
gate-layer-environment = { $run } was taken in another environment than the reproduction: { $facts }.
gate-layer-cites = { $measure } is { $value } in { $evidence }.
gate-layer-why-not = { $stage } ({ $standing }) is not the limit: { $reason }
gate-layer-no-why = It is not said why { $stage } is not the limit.
gate-layer-declared-away = { $stage } is named as the layer and declared as not looked at.
gate-layer-outside-unexamined = The limit is said to lie outside, but { $stage } was not examined.
gate-layer-rests-on-reproduction = The reproduced bottleneck it explains no longer holds.
gate-layer-refuted = { $person } marked { $evidence } as speaking against { $stage }.
gate-stage-empty = Stage { $stage } has no evidence and is not marked not applicable.
gate-stage-elsewhere = Stage { $stage } has evidence only from another environment, another contract, or runs whose statements are not in order.
gate-stage-not-applicable = { $stage }: not applicable. Reason by { $person }, { $at }: { $reason }
gate-stage-not-examined = { $stage }: not examined. Reason by { $person }, { $at }: { $reason }
gate-stage-disputed = Stage { $stage }, { $run }: { $a } says { $measure } is { $a-value }, { $b } says { $b-value }. Set one aside.
stage-reason-short = The reason needs at least { $count } characters.
stage-one-always = Stage 1 always applies: it shows what the user feels.
stage-five-bigger = { $run } is not known to be one GPU on one node, so stage 5 cannot be not applicable.

## Condition three: acceptance impact.

gate-impact-after-reproduction = Record the reproduced bottleneck first: acceptance is measured in its runs.
gate-impact-record = Acceptance is measured against { $limit }. Record the impact.
gate-impact-not-acceptance = { $signal } does not show acceptance. Tokens per second never do.
gate-impact-no-run = No run is named for the impact.
gate-impact-other-run = { $run } is not among the runs that reproduce the bottleneck.
gate-impact-class-unknown = The incident names the class { $class }, which the contract does not have.
gate-impact-class-missing = { $signal } is not in any usable file of { $runs } for class { $class }.
gate-impact-loss = { $signal } of { $class } in { $run } is { $value }, the contract asks for { $sign } { $limit } ({ $evidence }).
gate-impact-no-loss = No loss measured: { $signal } of { $class } in { $run } is { $value }, the contract asks for { $sign } { $limit } ({ $evidence }).

## Condition four: rollback threshold.

threshold-record = The thresholds of { $change } are complete. Record the rollback threshold.
threshold-held = Roll back unless { $measure } { $sign } { $value } ({ $class }, { $band }) over { $window } with at least { $samples } samples; windows to trigger: { $windows }. Watched by { $watcher }.
threshold-looser = { $measure } { $sign } { $value } is looser than the contract's { $limit-sign } { $limit } ({ $contract }). Set { $limit } or stricter.
threshold-direction = { $measure } { $sign } { $value } points the wrong way: the contract says { $limit-sign } { $limit } ({ $contract }).
threshold-missing-parts = { $signal }: missing: { $parts }.
threshold-no-signal = “{ $given }” is not a signal of the catalogue. Choose one the contract limits.
threshold-unknown-signal = { $contract } has no limit on { $signal }. Choose a signal it limits.
threshold-other-statistic = { $contract } limits { $signal } by another statistic than { $statistic }.
threshold-class = { $contract } limits { $signal } by task class. Name the class: one threshold for { $class } does not cover it.
threshold-band = { $contract } limits { $signal } by concurrency band. Name the band: one threshold for { $band } does not cover it.
threshold-window-long = { $signal }: a window of { $window } is longer than the contract's { $allowed }.
threshold-needs-latency = No threshold stands on a latency signal.
threshold-needs-acceptance = No threshold stands on acceptance or errors.
threshold-way-back = The way back lacks: { $parts }.
threshold-other-change = Recorded for { $change }; the live change is { $live }. Record it again.
threshold-revised = { $change } was revised (revision { $revision }) and its thresholds or way back moved. Record it again.
threshold-part-statistic = statistic
threshold-part-value = value
threshold-part-unit = unit
threshold-part-window = measurement window
threshold-part-samples = minimum sample count
threshold-part-consecutive = consecutive windows
threshold-part-action = action on trigger
threshold-part-procedure = procedure
threshold-part-time = time until rolled back
threshold-part-watcher = who watches

## The change and its comparisons.

gate-no-change = There is no change yet. Draft one.
gate-change-state = { $change } is { $state }; it has to be { $wanted }.
gate-revision-holds = { $change }, revision { $revision }: { $state }.
gate-plan-holds = Knob, expectation and canary plan of { $change } are complete.
gate-one-knob-holds = Only { $setting } differs: { $old } → { $new }.
gate-one-knob-holds-with = { $setting } differs, { $old } → { $new }, and nothing that is not declared with it.
gate-consequences = Declared as a consequence: { $facts }.
gate-one-knob-no-candidate = No candidate run states { $setting } = { $new } yet.
gate-more-than-one-thing = Candidate differs in { $count } settings: { $setting } (declared) and, not declared, { $facts }.
gate-baseline-other-value = The change says { $setting } is { $old }; { $run } measured it at { $value }.
gate-candidate-other-value = { $run } states { $setting } as { $value }; the change sets { $new }.
gate-no-warm-reason = No warm comparison before the canary: { $reason }
gate-comparison-no-candidate = No candidate run, { $phase }. Add one, unprofiled.
gate-comparison-no-baseline = No baseline run, { $phase }. Add one, unprofiled.
gate-cold-not-required = Not required: the contract limits nothing cold and the knob does not touch start-up.
gate-cold-required-contract = The contract limits cold behaviour.
gate-cold-required-change = The knob touches loading, compilation, capture or cache.
gate-all-unprofiled = Every run used is unprofiled.
gate-profiled-twin = { $run } is profiled; { $twin } is its unprofiled twin.
gate-profiled-alone = { $run } is profiled and has no unprofiled twin. Add one of the same role, phase and environment.
gate-way-back-holds =
    { $count ->
        [one] One threshold
       *[other] { $count } thresholds
    }, complete and strict. Watched by { $watcher }.
gate-only-change = No other change is live on { $service }.
gate-other-live-change = { $other } is live on { $service }. Only one change at a time.
compare-refused = The two sides cannot be compared.
compare-breaks = Candidate breaks { $breaks } of { $limits } limits.
compare-cannot-tell = { $open } of { $limits } limits cannot be told.
compare-holds = Candidate holds all { $limits } limits.
compare-no-limits = The contract has no limit for this phase.
compare-no-baseline = Choose at least one baseline run.
compare-no-candidate = Choose at least one candidate run.
compare-unknown-run = A run that was named is not in this case.
compare-other-role = { $run } does not have the role of its side.
compare-mixed-phases = { $run } is of another phase. Cold, warm and canary are never mixed.
compare-other-contract = { $run } was not taken under the pinned contract.
compare-identical = Baseline and candidate carry identical data.
compare-no-run-for-class = No candidate run speaks for { $class }, { $band }: { $measure } { $sign } { $limit } was not judged.
compare-profiled = { $run } is profiled, so its timings are not production's.
compare-row-breaks = { $measure } of { $class } is { $value }, limit { $sign } { $limit }.
compare-row-holds = { $measure } of { $class } is { $value }, within { $sign } { $limit }.
compare-row-cannot-tell = { $measure } of { $class } cannot be told against { $sign } { $limit }.

## The canary.

canary-not-ended = No canary has ended yet.
canary-no-run = The canary ended without a run. Attach it.
canary-other-revision = The canary did not run the current revision.
canary-no-baseline-arm = The plan asks for a baseline arm beside the canary, and none ran in the same time.
canary-no-baseline-for = The baseline arm has no run for { $class }, { $band }: { $measure } { $sign } { $limit } cannot be judged as planned.
canary-baseline-also-broken = { $measure } { $sign } { $limit }: baseline also broken, so it says nothing about the change.
canary-breaks = { $measure } of { $class } is { $value } in the canary, limit { $sign } { $limit }. Roll back.
canary-nothing-judged = The canary has no limit to be judged by.
canary-share-exceeded = Scope exceeded: the canary took { $share } of traffic, the ceiling is { $ceiling }.
canary-requests-exceeded = Scope exceeded: { $requests } requests were exposed, the plan allows { $most }.
canary-time-exceeded = Scope exceeded: the canary took { $took }, the plan allows { $most }.
canary-exposure-unknown = Share of traffic or requests exposed were not stated when the canary ended.
canary-too-short = The canary ran { $took }; the plan asks for at least { $least }.
canary-time-unknown = Start, end or shortest duration of the canary is not known.
canary-run-outside = { $run } was not taken while the canary ran.
canary-environment = The canary's arms differ beyond the change: { $facts }.
gate-canary-passed =
    { $count ->
        [one] The one limit passed.
       *[other] All { $count } limits passed.
    } The canary ended { $at }.
gate-canary-old = The canary ended { $at }, more than { $hours } hours ago. Roll back and run it again.

## Review.

gate-approvals-hold = Approved by { $people }.
gate-approvals-missing = { $have } of { $need } approvals count.
gate-approval-outdated = { $person } approved on { $at }. It no longer counts:
approval-repeated = A later approval by the same person takes its place.
approval-other-revision = The change was revised since.
approval-other-contract = The contract version changed since.
approval-basis-moved = Evidence, statements or conditions changed since. Look at what moved and approve again.
approval-in-future = It is dated in the future.
approval-expired = It is older than { $hours } hours.
decide-who = Needs a reviewer who has not worked on this change: { $people }.
decide-nobody = Every reviewer has worked on this change. Somebody who has not must be given the reviewer role.
decide-unknown-person = This person is not known to the case.
decide-inactive = { $person } has been deactivated.
decide-no-reviewer = { $person } does not hold the reviewer role.
contributor-author = { $person } wrote on { $change } and may not decide on it.
contributor-condition = { $person } recorded a condition in force ({ $condition }) and may not decide.
contributor-evidence = { $person } attached { $evidence }, which the gate rests on, and may not decide.
contributor-canary = { $person } started or steered the canary and may not decide.
contributor-owner = { $person } owns the case and may not decide.
gate-request-open = { $person } asks for changes: { $points }
gate-nothing-open = No open request, no disputed stage, no contradicted statement.

## Integrity, case and closing.

gate-integrity-holds =
    { $count ->
        [one] The one file group in the basis was checked.
       *[other] All { $count } items in the basis were checked.
    }
gate-integrity-failed = The stored bytes of { $evidence } no longer match their digest (checked { $at }). What rests on it does not hold.
gate-integrity-unchecked = Not checked in the last { $hours } hours: { $items }. Check them again.
gate-case-open = The case is open and { $contract } is published.
gate-case-closed = The case is closed. Reopen it first.
gate-case-on-hold = The case is on hold until { $until }: { $reason }
gate-close-live-change = { $change } is { $state }. End it, withdraw it or roll it back first.
gate-close-nothing-live = No change is live and no canary runs.
gate-close-outcome-holds = The case bears this outcome out.
gate-close-none-confirmed = No change of this case is confirmed.
gate-close-none-rolled-back = No change of this case was rolled back.
gate-close-not-reproduced = At least two baseline runs that keep the limit are needed. Add them.
gate-close-was-submitted = A change was submitted, so the case was not opened in error.

## What a contract draft lacks.

contract-needs-class = Name at least one task class.
contract-needs-band = Name at least one concurrency band.
contract-band-order = A band needs at least 1 and no more than its upper end.
contract-needs-acceptance = Say what counts as an accepted task.
contract-acceptance-signal = Choose a signal that measures acceptance. Tokens per second do not.
contract-needs-latency-limit = Add at least one limit on latency.
contract-needs-acceptance-limit = Add at least one limit on acceptance.
contract-needs-window = State the measurement window.
contract-needs-samples = State the least number of requests in a run.
contract-limit-signal = Limit “{ $limit }” names a signal the catalogue does not have.
contract-limit-direction = Limit “{ $limit }” points the wrong way for its signal.
contract-limit-value = Limit “{ $limit }” needs a value of 0 or more.
contract-limit-class = Limit “{ $limit }” names a class the contract does not have.
contract-limit-band = Limit “{ $limit }” names a band the contract does not have.
contract-limit-twice = Two limits are called “{ $limit }”.

## What a change lacks.

change-needs-component = Name the component whose setting changes.
change-needs-setting = Name the setting.
change-needs-old = State the value measured in the baseline.
change-needs-new = State the new value.
change-one-knob = One change turns one setting. Draft a second change for the second setting.
change-same-value = The new value is the old one.
change-needs-expectation = Say which signal you expect to move.
change-needs-share = State the greatest share of traffic, above 0 and up to 100 %.
change-needs-max-requests = State the most requests the canary may expose.
change-needs-duration = State the shortest and the longest duration of the canary.
change-needs-samples = State the least number of samples per arm.
change-needs-baseline-arm = Run a baseline arm beside the canary, or say why not.
change-needs-watcher = Name who watches the canary.
approval-confirm = What it rests on moved, and no verdict moved with it. Its giver is shown the old and the new numbers and confirms in one act; until then it does not count.
decide-nobody-but = Every reviewer has worked on this change. The reviewer role could be given to { $people }, who have not.
contract-needs-cost-attribution = A limit on cost needs the attribution of cost: resources counted, price per hour, currency and period.
