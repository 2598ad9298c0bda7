# Intervals, tests and tolerated change: what a comparison says beyond its points.

## Why a row cannot be told, or breaks though its limit is kept.

compare-no-bound = no bound
compare-being-calculated = { $measure } of { $class } is being calculated from the stored observations. Open the comparison, or wait a moment.
compare-mix-being-calculated = Whether both sides had the same { $signal } is being calculated. Open the comparison, or wait a moment.
compare-bound-spans = { $measure } of { $run } lies between { $low } and { $high } with what was measured; { $limit } is inside. More requests make the interval shorter.
compare-zero-baseline = { $measure } of the baseline is 0: no change can be measured against it.
compare-worse = { $measure } of { $class } is worse than the baseline by { $change } (between { $low } and { $high }); { $tolerated } is tolerated.
compare-change-open = { $measure } of { $class } changed by { $change }, and the interval { $low } to { $high } does not exclude that this is worse than the tolerated { $tolerated }. More requests make it shorter.
compare-no-interval = The contract asks that { $measure } of { $class } is shown not to get worse, and there are no observations to show it with.
compare-spread-changed = The middle stayed, but the values spread differently: the quartiles are { $baseline } apart in the baseline and { $candidate } in the candidate. Look at the tail.
compare-different-work = Different work: mean { $signal } is { $baseline } in { $a } and { $candidate } in { $b }. Compare runs of the same requests.
compare-different-mix = Different work: the two sides do not have the same { $signal } (Cliff’s δ { $delta }). Compare runs of the same requests.
compare-cache-assisted = Assisted by the cache: { $signal } is { $baseline } in { $a } and { $candidate } in { $b }. Compare runs with the cache in the same state.
compare-other-definition = { $measure } is not the same number on both sides: { $baseline } and { $candidate } compute percentiles differently. Attach the same kind of file on both sides.
canary-split-broken = Routing is broken: the candidate arm took { $candidate } requests beside { $baseline }, a share of { $seen } where { $planned } was planned.

## Words of the page.

weigh-change = Change, interval
weigh-no-interval = no interval
weigh-between = { $low } to { $high }
weigh-n = n { $baseline } / { $candidate }
weigh-p = p { $p }, Holm { $adjusted }
weigh-p-alone = p { $p }
weigh-bounds = candidate between { $low } and { $high }
weigh-tolerated = { $tolerated } tolerated
weigh-seed = seed { $seed }, { $replicates } replicates
weigh-windows = { $count ->
    [one] 1 window
    *[other] { $count } windows
    }
weigh-shift = middle moved by { $shift } ({ $low } to { $high }), effect { $effect }
weigh-method-bootstrap = bootstrap
weigh-method-block-bootstrap = bootstrap by windows
weigh-method-order-statistics = order statistics
weigh-method-histogram-bounds = edges of buckets
weigh-method-newcombe = Newcombe
weigh-method-exact-ranks = exact ranks of starts
weigh-method-tool-value = the tool’s own number
weigh-outcome-better = better
weigh-outcome-not-worse = not worse
weigh-outcome-inside-tolerance = worse, inside what is tolerated
weigh-outcome-worse = worse
weigh-outcome-cannot-tell = change cannot be told
weigh-outcome-not-compared = change not tested
weigh-effect-negligible = negligible
weigh-effect-small = small
weigh-effect-medium = medium
weigh-effect-large = large
weigh-required = Required.
weigh-not-required = Not required.
weigh-about = Intervals are of { $level } confidence. A large p never means that nothing changed. p values of all limits are corrected together (Holm); limits themselves are judged by the ends of their interval and corrected for nothing.
weigh-chart = Distribution of { $signal }
weigh-chart-caption = The value that a share of the requests does not exceed: dashed baseline, solid candidate. { $axis }
weigh-axis-log = The axis of values is logarithmic.
weigh-axis-linear = The axis of values is linear.
weigh-chart-table = Values at chosen shares
weigh-share = Share
weigh-twins = What the profiler costs
weigh-twins-hint = A profiled run beside an unprofiled one of the same work.
weigh-twin-profiled = Profiled
weigh-twin-unprofiled = Unprofiled
weigh-twin-overhead = Overhead
weigh-sweeps = Throughput against tail
weigh-sweep-budget = { $measure } within { $budget }
weigh-sweep-point = operating point: { $throughput } per second at load { $load }
weigh-sweep-no-point = no point within the budget
weigh-sweep-changes = throughput at the budget { $throughput }, tail at the contract’s load { $tail }; below { $noise } is noise
weigh-sweep-load = Load
weigh-sweep-keep = Keep
weigh-sweep-revert = Revert
weigh-sweep-trade-off = Trade-off: one better, one worse. A person decides, with a reason.
weigh-sweep-inconclusive = Nothing beyond the noise: the change is not kept.
weigh-sweep-invalid = Cannot be compared
weigh-sweep-reason-not-one-knob = the environments differ in more or less than the declared knob
weigh-sweep-reason-unstable-before = a point of the baseline is not stable
weigh-sweep-reason-unstable-after = a point of the candidate is not stable
weigh-sweep-reason-budget-not-reached = no point of one side is within the budget
weigh-sweep-reason-load-not-measured = the contract’s load was not measured on both sides
weigh-unknown = not known

## The contract form.

contracts-tolerated = Tolerated change, %
contracts-tolerated-policy = as the policy says
contracts-tolerated-fault = A number of percent from 0 to 1000.

## Notes of readers.

note-distribution-left-out = The { $n } observations of { $signal } were not kept: a reading keeps at most { $most } numbers. A comparison of it has the tool’s own numbers only.

## Ending a canary.

canary-fault-calculating = The numbers of this canary are being calculated. End it in a moment; roll back at any time.

## A number of the policy.

policy-number-tolerated-change = Tolerated change to the worse
policy-number-tolerated-change-means = Where the contract names none: a share of the baseline; of a share of a whole, that part of the loss its limit allows.
