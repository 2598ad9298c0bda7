# The canary: its plan, its start, its samples, what is due to it; templates of standard changes and freezes.

## The plan on the form and on the page of a change.

change-kind = Kind
change-kind-normal = normal: two approvals, of the canary and of the promotion
change-kind-standard = standard: from an agreed template, one approval
change-kind-emergency = emergency: under an override
change-kind-hint = Every kind runs a canary and defines its way back.
change-template = Template of a standard change
change-template-hint = Only templates of this service that a reviewer has agreed to.
change-no-template = none
change-interval = Minutes between evaluations
change-start-from = Starts at the earliest, UTC
change-start-to = Starts at the latest, UTC
change-watcher-hint = A person. They say themselves, by their own account, that they are present.
change-classes = Task classes included
change-none-is-all = None ticked means all of them.
change-regions = Regions included
change-regions-hint = With commas between them. Left open, regions are not told apart.
change-margin = Worse than the baseline arm by at most, %
change-margin-hint = Of the baseline arm's value, limit by limit. Beyond it the canary fails although the contract's limit holds.
change-limits = Limits that have to pass
change-limits-hint = None ticked means all of them. One that is not ticked may still fail the canary.
change-limit-choice = { $measure } { $sign } { $limit } { $about }
change-capacity = What stands ready
change-capacity-hint = Each may stay open; the pages then say that it is not stated.
change-headroom = Headroom at target load, %
change-spare = Replicas that may fail at once (the f of N+f)
change-warm-up = Minutes until a replacement serves
change-fault-time = Give a date and a time.
change-start-window = Start window
change-start-any = At any time.
change-start-after = From { $from } UTC on.
change-start-until = Until { $to } UTC.
change-start-between = From { $from } to { $to } UTC.
change-scope-said = Classes: { $classes }. Regions: { $regions }.
change-every-class = every class of the contract
change-regions-apart = not told apart
change-margin-said = No limit may be worse than in the baseline arm by more than { $margin }.
change-margin-alone = No baseline arm to be measured against.
change-limits-all = Every limit of the contract has to pass.
change-limits-said = Have to pass: { $limits }. The others may fail it.
change-interval-is = Evaluated every
change-interval-contract = the contract's window
change-capacity-said = Headroom at target load: { $headroom }. Redundancy: { $spare }. Warm-up of a replacement: { $warm-up }. Rollback: { $back }.
change-worst-time = Worst-case rollback time
change-worst-time-said = { $whole }: { $notice } until the threshold that notices last has triggered, then { $back } until the old value is back.
change-worst-unknown = Not known: thresholds, their windows or the rollback time are not stated.
change-worst-exposure = Worst-case exposure
change-worst-exposure-said = About { $requests } requests in those { $whole }, at the greatest declared arrival rate and the ceiling of the share; { $most } in all by the plan.
change-worst-exposure-unknown = At most { $most } requests by the plan. The contract declares no arrival rate to say more.
change-needs-margin = State by how much the candidate may be worse than the baseline arm, from 0 to 100 %.
change-needs-start-window = The start window ends before it begins.
change-needs-interval = The time between two evaluations is more than zero.

## The gate of the start and of the promotion.

gate-line-start-window = Start window
gate-line-watcher = Watcher present
gate-line-kind = Kind of the change
gate-line-freeze = No freeze
gate-line-no-trigger = No threshold triggered
case-rule-start-window = A canary starts inside the window its plan names.
case-rule-watcher = The watcher says by their own account, shortly before, that they are present.
case-rule-kind = A standard change stays inside its agreed template; an emergency needs an override.
case-rule-freeze = A service takes no new change while a freeze is in force.
case-rule-no-trigger = A change whose rollback threshold triggered goes back and is not promoted.
case-do-see-change = See the change
gate-start-any-time = The plan names no start window.
gate-start-too-early = The start window opens { $from } UTC. Wait for it, or revise the plan.
gate-start-too-late = The start window closed { $to } UTC. Revise the plan.
gate-start-open = The start window is open until { $to } UTC.
gate-start-open-end = The start window is open.
gate-watcher-unknown = { $watcher } is no account of this installation, or several have this name. Choose the watcher on the plan.
gate-watcher-away = The account of { $watcher } is deactivated. Choose another watcher.
gate-watcher-silent = { $watcher } has not said that they are present. They say so themselves on the change; it counts for { $most }.
gate-watcher-long-ago = { $watcher } said { $at } that they are present; that counts for { $most }. They say it again on the change.
gate-watcher-present = { $watcher } said { $at } that they are present.
gate-kind-emergency = An emergency goes on only under an override. Record one, or make the change a normal one.
gate-kind-override = An emergency: { $count ->
    [one] one override is in force
   *[other] { $count } overrides are in force
    }.
gate-no-trigger = No rollback threshold has triggered.
gate-still-in-service = The candidate of { $change } is still in service. Say there that the old value is back.
gate-approvals-standard = A standard change needs no approval of its canary: its template was agreed to beforehand.
template-not-agreed = No reviewer's agreement to { $template } is in force.
template-other-setting = { $template } is for { $setting } of { $component }.
template-other-unit = The unit of { $template } is another one: “{ $unit }”.
template-out-of-range = { $value } is outside the range of { $template }: { $from } to { $to }.
template-one-knob = { $template } is for one setting; a bundle is no standard change.
template-none = A standard change names an agreed template of its service.
template-holds = Inside { $template }: { $from } to { $to }.
freeze-in-force = Frozen until { $to } UTC by { $person }: { $reason }
freeze-none = No freeze of { $service } is in force.

## What a canary comes to.

canary-arm-candidate = candidate
canary-arm-baseline = baseline
canary-event-extended = extended
canary-event-recalled = recalled
canary-event-restored = old value back
canary-class-exceeded = Scope exceeded: { $class } took traffic and is not in the plan.
canary-region-exceeded = Scope exceeded: the region { $region } took traffic and is not in the plan.
canary-window-breaks = { $measure } of { $class } was { $value } in the window from { $from }, limit { $sign } { $limit }. Roll back.
canary-window-too-few = { $measure } of { $class }: no window has { $need } samples; the fullest has { $have }.
canary-window-samples-unknown = { $measure } of { $class }: how many samples a window stands on is not stated; { $need } are needed.
canary-window-few = { $measure } of { $class }: windows that break { $sign } { $limit } have too few samples to count.
canary-too-few = { $measure } of { $class }, { $arm }: { $have } samples so far, { $need } needed.
canary-worse = { $measure } of { $class } is { $value } and { $baseline } in the baseline arm: worse by more than { $margin }. Roll back.
canary-gap = { $measure } of { $class }, { $arm }: nothing after { $at } for longer than one window ({ $window }).
canary-stale = { $measure } of { $class }, { $arm }: the last window ended { $at }, more than two windows of { $window } ago.
canary-no-samples-for = { $measure } of { $class }, { $band }: nothing was posted.
canary-class-silent = { $class } took no traffic, and the plan does not leave it out.
canary-nothing-yet = Nothing was measured yet.
canary-not-started = No canary has started.
canary-environment-unknown = Where the samples were taken is not stated. Describe a candidate run in the canary phase with its environment.
canary-judged-limits = { $count ->
    [one] One limit judged
   *[other] { $count } limits judged
    } on { $samples } posted samples and the runs beside them.
canary-triggered = Rollback threshold triggered: { $measure } of { $class } was { $value } in the window that ended { $at }, and { $sign } { $limit } has to hold ({ $count ->
    [one] 1 window
   *[other] { $count } windows in a row
    }).
canary-triggered-run = Rollback threshold triggered: { $measure } of { $class } is { $value } in { $run }, whose window ended { $at }, and { $sign } { $limit } has to hold ({ $count ->
    [one] 1 window
   *[other] { $count } windows in a row
    }).
canary-ends-most = Its longest duration of { $most } is over.
canary-ends-least = Its least duration of { $least } is over and every limit can be judged.
canary-by-samples = posted samples
canary-confirmed = The watch window of { $window } passed clean, shown by { $shown }.
canary-paused-long = The canary of { $change } has been paused since { $since }, longer than { $most }. Roll it back, or resolve the cause and resume.

## Samples that are not taken.

sample-not-started = The canary of { $change } has not started.
sample-window-empty = The window ends before it begins.
sample-window-ahead = The window ends { $at }, which lies ahead.
sample-before-start = The window ended { $at }, before the canary started { $started }.
sample-unknown-signal = { $given } is no signal of the catalogue.
sample-not-a-share = { $signal } is a share from 0 to 1.
sample-not-finite = The value is no finite number.
sample-share = The share of traffic is from 0 to 1.
sample-count = A number of samples or requests is too large.
sample-unknown-class = { $class } is no task class of the contract.
sample-unknown-band = { $band } is no concurrency band of the contract.
sample-too-many = Post at most { $most } samples at once.

## The block of a running canary.

canary-used-requests = Requests exposed
canary-used-share = Share of traffic
canary-used-time = Time used
canary-used-of = { $used } of at most { $most }
canary-used-time-of = { $used }; at least { $least }, at most { $most }
canary-not-known = not known
canary-over = beyond the plan
canary-newest-title = Newest sample
canary-newest = { $age } old; older than { $old } turns the verdict to cannot tell
canary-no-sample-yet = none yet; without any for { $old } the verdict is cannot tell
canary-so-far = so far
canary-reload = These numbers follow by themselves where scripts run.
canary-reload-link = Reload
canary-watcher-said = { $watcher } said { $age } ago that they are present.
canary-watcher-silent = { $watcher } has not said yet that they are present.
canary-i-am-present = I am present and watch
canary-in-service = Candidate still in service.
canary-in-service-do = The change was taken back. Put the old value in service now and say so here.
canary-restore-link = The old value is back…
canary-paused-long-title = Paused for too long.
canary-extend = Extend the canary once
canary-extend-hint = It ended inconclusive. These limits stand in the place of the plan's and count from the start; what was exposed already counts.
canary-extend-or-back = A reviewer who has not contributed may extend it once; otherwise it can only be rolled back. The candidate is in service until somebody says that the old value is back.
canary-said-extended = { $name } extended the canary.
canary-said-recalled = { $name } recalled the change; the candidate is in service until somebody says that the old value is back.
canary-said-restored = { $name } said that the old value is back in service.
samples-title = Post what the canary measured
samples-link = Post a window of samples
samples-lede = One window, both arms. A window is placed by its time, not by when it is posted; the same one twice counts once.
samples-from = Window from, UTC
samples-to = Window to, UTC
samples-requests = Requests the candidate took
samples-share = Share of traffic it took, %
samples-region = Region
samples-rows = Limits
samples-rows-hint = Leave open what was not measured. It is then not judged, never taken as zero.
samples-candidate = Candidate
samples-candidate-n = Candidate, samples
samples-baseline = Baseline
samples-baseline-n = Baseline, samples
samples-go = Post
sample-fault-row = Limit { $row }: give the value and the number of samples as numbers.
sample-fault-none = Give at least one value.

## Templates.

templates-title = Templates of standard changes
templates-lede = A standard change turns one setting inside a range that a reviewer agreed to beforehand. It runs a canary like any other and needs one approval, that of its promotion.
templates-none = No template yet.
templates-new = Write a template
templates-service = Service
templates-least = New value, at least
templates-most = New value, at most
templates-reason = Why it may be turned without asking each time
templates-create = Write
templates-agree = Agree
templates-take-back = Take the agreement back
templates-words = Why
templates-by = Written by { $name }, { $at }
templates-agreed = agreed by { $name }, { $at }
templates-taken-back = agreement taken back by { $name }, { $at }
templates-unagreed = no reviewer has agreed yet
templates-range = { $setting } of { $component }, { $from } to { $to } { $unit }
templates-fault-text = Name component and setting.
templates-fault-range = Give two numbers, the smaller one first.
templates-fault-reason = Say why in at least 20 characters.
templates-fault-words = Say why in at least 5 characters.

## Words of the log, and of the database's rules.

audit-act-canary-extend = Canary extended
audit-act-canary-recall = Change recalled
audit-act-canary-restore = Old value stated to be back
audit-act-canary-present = Watcher present
audit-act-canary-samples = Canary samples posted
audit-act-change-confirm = Change confirmed
audit-act-extend-refused = Extension of a canary refused
audit-act-template-create = Template written
audit-act-template-agree = Template agreed to
audit-act-template-take-back = Agreement to a template taken back
audit-act-freeze-set = Freeze set
audit-act-freeze-lift = Freeze lifted
case-act-canary-extend = extended the canary of
case-act-canary-recall = recalled
case-act-canary-restore = stated that the old value is back of
case-act-canary-present = said to be present to watch
case-act-canary-samples = posted samples of
case-act-change-confirm = confirmed
case-act-extend-refused = tried to extend a canary; it was refused
error-rule-canary-event-order = This does not follow from what the canary did last. Open the change again and look where it stands.
error-rule-canary-start-approved = A canary starts on the newest revision, once that is approved. Have it approved first.
error-rule-canary-extended-once = A canary is extended once, and only when it ended inconclusive. Roll it back.
error-rule-canary-extended-by-reviewer = A canary is extended by a reviewer who did not contribute. Ask one of those named in the review.
error-rule-canary-extended-inconclusive = Only a canary that ended inconclusive is extended. Roll it back.
error-rule-decision-after-pass = A canary that did not pass is not promoted. Extend it, or roll it back.
error-rule-canary-sample-started = Samples are of a canary that has started. Start it first.
error-rule-template-by-reviewer = Only an active reviewer speaks on a template.
error-rule-template-not-by-author = Who wrote a template does not agree to it. Ask another reviewer.
error-rule-template-range = The smallest value of the range comes first.
error-rule-freeze-window-span = The freeze ends before it begins.
freeze-word-now = Frozen
freeze-word-ahead = Freeze ahead
freeze-set = Freeze { $service }
freeze-set-hint = While a freeze is in force no canary of the service starts and no change of it is accepted. What runs may always be rolled back.
freeze-from = From (UTC; empty = now)
freeze-to = To (UTC)
freeze-reason = Why
freeze-button = Freeze it
freeze-lift = Lift it
freeze-lift-reason = Why it may be lifted
freeze-fault-time = Give a date and time.
freeze-fault-order = The end must lie ahead, and after the beginning.
freeze-fault-long = A freeze lasts at most 92 days; set it again if it is still needed.
freeze-fault-reason = Say why, in 10 to 1000 characters.
freeze-fault-lift = Say why, in 5 to 1000 characters.
