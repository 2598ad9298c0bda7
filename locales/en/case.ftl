# The case page and the small acts on a case.

## Landmarks and sections

case-skip-to-gate = Skip to gate
case-skip-to-evidence = Skip to evidence
case-crumbs-label = Where you are
case-sections-label = Sections of this case
case-section-ladder = Ladder
case-section-problem = Problem
case-section-contract = Workload contract
case-section-contract-short = Contract
case-section-stages = Stages
case-section-hypotheses = Explanations
case-section-compare = Compare
case-section-change = Change and canary
case-section-change-short = Change
case-section-decision = Decision
case-section-timeline = Timeline and comments
case-section-timeline-short = Timeline
case-word-stage = Stage
case-word-run = run
case-state-since = { $state } since { $at }
case-all-classes = all classes
case-all-bands = every band
case-environment-unknown = environment unknown
case-window-unknown = not stated
case-files = { $count ->
    [one] 1 file
   *[other] { $count } files
}
case-form-save = Save
case-form-back = Back to the case

## Facts in the head

case-fact-service = Service · task classes
case-fact-classes-none = no task class named
case-fact-symptom = Symptom
case-fact-symptom-none = not stated
case-fact-symptom-limit = { $seen }, limit { $limit }
case-fact-first-seen = first seen { $at }
case-fact-contract = Contract
case-fact-contract-none = no contract yet
case-fact-contract-newest = newest version
case-fact-contract-newer = v{ $number } is published
case-contract-state-draft = draft
case-contract-state-published = published
case-contract-state-superseded = superseded
case-contract-state-withdrawn = withdrawn
case-fact-environment = Environment
case-fact-environment-others = { $count ->
    [0] no other seen
    [one] one other seen
   *[other] { $count } others seen
}
case-fact-layer = Owner layer
case-fact-layer-none = not identified
case-fact-layer-since = recorded { $at }
case-fact-acceptance = Acceptance
case-fact-acceptance-none = not measured
case-fact-acceptance-value = { $value }, limit { $floor }
case-fact-change = Live change
case-fact-change-none = none
case-fact-owner = Owner
case-fact-owner-none = no owner
case-fact-owner-you = that is you
case-fact-opened = Opened
case-fact-opened-by = by { $name }
case-fact-age = Age
case-fact-age-state = { $age } in this state

## Banners

case-banner-corrupt = Evidence damaged.
case-banner-corrupt-text = The stored bytes of { $items } no longer have their digest. Nothing that rests on them holds.
case-banner-corrupt-link = Look at it
case-banner-rolled-back = Rolled back.
case-banner-rolled-back-text = { $change } was taken back; the old value is in service.
case-banner-rolled-back-link = Change
case-banner-canary = Canary running.
case-banner-canary-text = { $change } for { $since } of at most { $most }; ceiling { $ceiling } of traffic.
case-banner-canary-link = Canary
case-banner-paused = Canary paused.
case-banner-paused-link = Canary
case-banner-expired = Expired in service.
case-banner-expired-text = { $change } was not promoted in time. Its candidate may still take traffic: roll back.
case-banner-expired-link = Change
case-banner-approval = Approval out of date.
case-banner-approval-text = Something { $change } was approved on has moved since.
case-banner-approval-link = Change
case-banner-contract = The contract moved.
case-banner-contract-text = v{ $number } is published; this case is judged by an older version.
case-banner-contract-link = Choose the version
case-banner-hold = On hold
case-banner-hold-text = until { $until }: { $reason }
case-banner-hold-link = Timeline

## The gate

case-gate-title = What is missing
case-gate-which = Which gate
case-gate-show = Show
case-gate-choice-submit = to submit
case-gate-choice-approve = to approve
case-gate-choice-canary = to start canary
case-gate-choice-accept = to accept
case-gate-choice-close = to close
case-gate-tally = The lines at a glance
case-gate-why = Why
case-gate-carries = Rests on
case-gate-rule = Rule
case-gate-inputs = Inputs
case-gate-held = { $count ->
    [one] 1 line holds, as of { $at }
   *[other] { $count } lines hold, as of { $at }
}
case-gate-held-but = { $count } hold, { $na } not applicable, as of { $at }
case-gate-decide = That page repeats these lines.
case-gate-who-role = Needs one of these roles: { $roles }.
case-act-open-submit = Open the change to submit it
case-act-open-approve = Open the change to approve it
case-act-open-canary = Start the canary
case-act-open-accept = Open the accept page
case-act-open-close = Open the closing page
case-act-roll-back = Roll back…
case-act-roll-back-hint = Always possible. Asks for a few words, no approval.
case-do-pin-contract = Pin a contract
case-do-add-run = Add such a run
case-do-add-evidence = Add evidence
case-do-edit-run = Correct the run
case-do-see-run = See the run
case-do-see-evidence = See the file
case-do-record = Record the condition
case-do-declare-stage = Declare the stage
case-do-see-stage = See the stage
case-do-draft-change = Draft a change
case-do-edit-change = Edit the change
case-do-submit = Submit the change
case-do-approve = Approve the canary
case-do-clear-request = See the request
case-do-start-canary = Start the canary
case-do-end-canary = End the canary
case-do-roll-back = Roll back
case-do-compare = Compare
case-rule-reproduced-bottleneck = At least two independent baseline runs break the same limit under one contract and environment; one of them is unprofiled.
case-rule-owner-layer-identified = One layer is named by a cited signal, and of every other stage it is said why it is not the limit.
case-rule-acceptance-impact-visible = Acceptance is measured in the breaching runs for every task class the incident names. Tokens per second never count.
case-rule-rollback-threshold-defined = The threshold is complete, and triggers no later than the contract's limit would be broken.
case-rule-one-knob = Baseline and candidate may differ only in the setting the change declares and in its stated consequences.
case-rule-comparison-warm = No limit of the contract breaks warm; what cannot be told stays open.
case-rule-comparison-cold = Cold is required when the contract limits it or the setting touches loading, compilation, capture or cache.
case-rule-comparison-canary = Every limit of the contract is judged on the canary's own requests.
case-rule-canary-verdict = Any broken limit fails the canary; too few requests never count as a pass.
case-rule-unprofiled = A profiler changes timings: what is judged was taken without one.
case-rule-approvals = An approval counts on the revision, basis and contract it was given on, from a reviewer who did not contribute.
case-rule-integrity = The stored bytes of every file in the basis have had their digest compared within a day.
case-rule-one-at-a-time = At most one change per service is between the start of its canary and the end of its watch window.

## People and owner

case-people-on-case = On this case
case-people-watching = Watching canary
case-people-reviewers = Reviewers
case-people-nobody = nobody yet
case-people-no-owner = no owner
case-people-title = People
case-owner-take = Take it
case-owner-me = me
case-owner-to = Hand it to
case-owner-hand = Hand over

## Problem

case-problem-edit = Edit the problem
case-problem-empty = Nothing is written yet: what is felt, since when, by whom.
case-problem-title = Title
case-problem-classes = Task classes the incident names
case-closed-as = Closed: { $outcome }.
case-fault-title = The title needs 3 to 200 characters.
case-fault-problem = The problem has at most 10 000 characters.
case-fault-class = { $class } is not a task class of this service.

## Contract

case-contract-change = another version
case-contract-limits-of = Limits of { $contract }
case-contract-caption = { $count ->
    [one] One limit.
   *[other] { $count } limits.
} Window { $window }; concurrency { $bands }; at least { $samples } requests.
case-contract-accepted = Accepted means: { $definition }
case-contract-empty = No contract is pinned. Without one nothing can be judged: it says which limits count.
case-pin-words = The contract says what counts as accepted and which limits are judged. Pinning another version makes conditions and approvals given on the old one out of date.
case-pin-now = Pinned now: { $contract }.
case-pin-none = No version is published for { $service }.
case-pin-draft = Draft a contract
case-pin-versions = Published versions for { $service }
case-pin-is = pinned now
case-pin-save = Pin it
case-fault-contract-choose = Choose a published version.

## Stages and evidence cards

case-stage-add = Add evidence
case-stage-declare = Declare this stage
case-stage-elsewhere = Also speaks to this stage:
case-stage-older = { $count ->
    [one] 1 older file
   *[other] { $count } older files
}
case-stage-empty = No evidence yet. Add a run with what your tools wrote, or say why nobody has to look here.
case-stage-signals-of = Signals of stage { $number }
case-unplaced-title = Files that speak to no stage yet
case-unplaced-words = Files that are being read, could not be read, or hold no signal of a stage. They count for nothing as they are.
case-limit-none = none
case-signal-since-start = since the process started
case-signal-instant = one instant
case-signal-bucket = between { $low } and { $high }, from buckets
case-signal-at-least = at least this
case-signal-estimate = estimate
case-signal-samples = { $n } samples
case-card-used = { $count ->
    [one] used by 1 gate line
   *[other] used by { $count } gate lines
}
case-card-all-signals = All { $count } signals
case-card-download = download
case-card-more = details
case-card-parser = parser { $version }
case-card-refusal-remedy = Read it again, or withdraw it and attach another file.
case-check-sound = digest verified { $at }
case-check-corrupt = bytes no longer match their digest, { $at }
case-check-window = window inside run
case-check-agrees = stated { $stated }, content agrees
case-check-contradicted = { $field }: stated { $stated }; file shows: { $found }
case-check-samples = { $n } samples of { $signal }
case-check-requests = { $count ->
    [one] 1 finished request
   *[other] { $n } finished requests
}
case-check-not-captured = { $count ->
    [one] 1 thing not captured
   *[other] { $count } things not captured
}
case-statement-none = nothing
case-declare-legend = What is declared
case-declare-not-applicable = Not applicable
case-declare-not-applicable-hint = The stage does not exist here: one GPU on one node has no links to be limited by.
case-declare-not-examined = Not examined
case-declare-not-examined-hint = The stage exists and nobody looked, because the evidence of other stages makes it unnecessary.
case-declare-reopened = Take the declaration back
case-declare-reopened-hint = The stage is open again and wants evidence.
case-declare-reason = Reason
case-declare-reason-hint = At least 20 characters. The decision record keeps it word for word.
case-declare-save = Declare
case-fault-kind-choose = Choose what is declared.
case-fault-kind-nothing-declared = Nothing is declared about this stage, so there is nothing to take back.

## Runs

case-runs-title = Runs
case-runs-add = Add a run
case-runs-empty = No run yet. A run is one measured execution: state its role, phase and whether a profiler was attached, then add its files.
case-runs-others = { $count ->
    [one] + 1 that does not count
   *[other] + { $count } that do not count
}
case-runs-upload = add files
case-column-run = Run
case-column-role = Role
case-column-phase = Phase
case-column-profiled = Profiler
case-column-environment = Environment
case-column-window = Window
case-column-items = Files that count
case-column-signal = Signal
case-column-statistic = Statistic
case-column-value = Value
case-column-limit = Limit
case-column-limit-signal = What is limited
case-column-verdict = Verdict
case-column-from = From
case-column-class = Task class
case-column-band = Concurrency

## Explanations

case-hypotheses-empty = No explanation is proposed. Keep rival explanations apart, and let evidence speak for and against each.
case-hypothesis-stage = Stage it blames
case-hypothesis-text = Explanation
case-hypothesis-save = Propose
case-argument-add = Add evidence for or against
case-argument-evidence = File
case-argument-side = Speaks
case-argument-for = for
case-argument-against = against
case-argument-note = What it shows
case-argument-save = Add
case-fault-hypothesis = Say it in 5 to 2000 characters.
case-fault-argument-evidence = Choose a file of this case.
case-fault-argument-note = Say what it shows, in 5 to 2000 characters.

## Comparison, change, decision

case-compare-open = Open full comparison
case-compare-rows = Rows
case-compare-none = No comparison yet.
case-compare-none-needed = No cold comparison. The contract limits cold behaviour.
case-compare-none-word = none
case-compare-sides = { $base } against { $cand }.
case-change-about = revision { $revision } · { $digest }… · by { $name }
case-change-set = Set
case-change-of = of
case-change-from = from
case-change-to = to
case-change-state = State
case-change-expected = Expected
case-change-expects = { $signal } { $direction }: { $by }
case-direction-lower = goes down
case-direction-higher = goes up
case-change-risks = Risks
case-change-thresholds = Roll back if
case-change-no-threshold = no threshold is defined
case-threshold-words = { $measure } of { $class } is { $side } { $value } over { $window } with at least { $samples } requests, in { $count ->
    [one] 1 window
   *[other] { $count } windows in a row
}.
case-threshold-above = above
case-threshold-below = below
case-change-approvals = Approvals
case-change-no-approval = None yet.
case-change-earlier = Earlier
case-change-open = Open the change
case-change-another = Draft another
case-change-empty = No change is drafted. A change turns one knob, says what it expects, and when to go back.
case-decision-empty = No decision yet. It will be written here, sealed with the gate as judged, the comparison and the digest of every file it rests on.
case-decision-record = record

## Closing

case-close-open = Close the case
case-close-words = Closing freezes what the case says. The outcome must be true now.
case-close-judge = Judge for
case-close-form = Outcome and note
case-close-outcome = How it ended
case-close-note = Closing note
case-close-note-hint = At least 20 characters: what was found and what stays to be done.
case-close-save = Close the case
case-outcome-change-confirmed-hint = A change was accepted and its watch window passed clean.
case-outcome-change-rolled-back-hint = A change was taken back and nothing else follows.
case-outcome-no-change-needed-hint = What was seen needs no change.
case-outcome-not-reproduced-hint = At least two runs under the contract do not break the limit.
case-outcome-outside-our-layers-hint = The limit lies outside the five stages.
case-outcome-opened-in-error-hint = The case should not have been opened; refused once a change was submitted.
case-fault-close-who = Only the owner of the case or a manager closes it.
case-fault-close-unowned = The case has no owner yet. Somebody takes it first.
case-fault-outcome-choose = Choose how it ended.
case-fault-note = The note needs at least { $least } characters.

## Timeline and comments

case-timeline-order = newest first
case-timeline-newest = back to the newest
case-timeline-older = Older entries
case-timeline-audit = audit #{ $number }
case-timeline-app = the program
case-comment-label = Comment
case-comment-save = Comment
case-comment-hint = A comment never changes a gate.
case-fault-comment = A comment has 1 to 10 000 characters.
case-act-accept-refused = tried to accept; the gate was not open
case-act-canary-end = ended the canary of
case-act-canary-pause = paused the canary of
case-act-canary-resume = resumed the canary of
case-act-canary-roll-back = rolled back
case-act-canary-start = started the canary of
case-act-case-close = closed the case
case-act-case-comment = commented
case-act-case-contract = pinned a contract version
case-act-case-open = opened the case
case-act-case-owner = made the owner
case-act-case-problem = rewrote the problem
case-act-change-approve = approved the canary of
case-act-change-approve-promotion = approved the promotion of
case-act-change-clear-request = cleared a request for changes on
case-act-change-draft = drafted
case-act-change-request-changes = asked for changes to
case-act-change-revise = revised
case-act-change-submit = submitted
case-act-change-withdraw = withdrew
case-act-condition-record = recorded the condition
case-act-condition-retract = took back the condition
case-act-decision-accept = accepted; record
case-act-decision-reject = rejected; record
case-act-decision-roll-back = rolled back; record
case-act-evidence-attach = attached
case-act-evidence-read = Read:
case-act-evidence-set-aside = set aside
case-act-evidence-unreadable = Could not be read:
case-act-evidence-withdraw = withdrew
case-act-hypothesis-argue = argued on
case-act-hypothesis-propose = proposed
case-act-run-correct = corrected the statement of
case-act-run-create = described
case-act-end-refused = tried to end a canary; it was refused
case-act-roll-back-refused = tried to roll back; it was refused
case-act-evidence-download = downloaded
case-act-evidence-read-again = had read again:
case-act-evidence-map = explained the columns of:
case-act-stage-declare = declared about stage
