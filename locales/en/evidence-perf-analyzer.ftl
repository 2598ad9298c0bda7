# Sweeps written by Triton's perf_analyzer: refusals, notes, figures and columns.

## Refusals

refusal-no-measured-load-level = The file has a header row but no measured load level: no load became stable, or the run ended before the first one.
refusal-no-measured-load-level-remedy = Look at the console output for “Failed to obtain stable measurement”, lengthen --measurement-interval or lower the load, and run again with -f.
refusal-perf-header = The header row is not that of a perf_analyzer sweep: column “{ $column }” is out of place, there twice, or one too many.
refusal-perf-header-remedy = Upload the file as -f wrote it, with one header row and no column added, renamed or moved.
refusal-perf-cell = Line { $line }, column “{ $field }”: “{ $text }” is not a number that can stand there.
refusal-perf-cell-remedy = Upload the file as the tool wrote it. If it was edited or joined from several files, upload the originals one by one.
refusal-perf-row-cells = Line { $line } has { $found } cells, the header has { $expected }.
refusal-perf-row-cells-remedy = Upload the file as the tool wrote it; a spreadsheet or a join may have broken this row.
refusal-perf-line-too-long = Line { $line } is longer than { $limit } bytes.
refusal-perf-line-too-long-remedy = A sweep has short lines. Check that this is the file that -f wrote.
refusal-perf-too-many-points = The file has more than { $limit } load levels.
refusal-perf-too-many-points-remedy = Sweep fewer loads, or upload the parts of the range as files of their own.
refusal-perf-too-many-gpus = The file names more than { $limit } GPUs.
refusal-perf-too-many-gpus-remedy = Collect metrics from one server at a time.
refusal-perf-gzip-damaged = The compressed file is damaged or cut off: { $error }.
refusal-perf-gzip-damaged-remedy = Compress and upload the file again, or upload it without compression.
refusal-perf-csv-delimiter = The columns of this sweep are separated by something other than commas. It was probably saved again by a spreadsheet.
refusal-perf-csv-delimiter-remedy = Upload the file as -f wrote it.

## What the file does not say

note-perf-context-not-in-file = The file does not name the model, its version, the batch size, the protocol, the stabilising percentile or the version of the tool. State them with the run.
note-perf-no-request-count = The file does not say how many requests are behind a percentile. A p99 of fewer than about 100 requests is simply the slowest one; the console output has the count.
note-perf-no-percentiles = The file has no latency percentiles: the tool was too old to write them. No limit on a percentile can be checked with it.
note-perf-no-server-columns = Queue and compute times were not captured: the server offered no statistics to the tool.
note-perf-average-rebuilt = The average latency is the sum of its parts, exact to a few microseconds. With --verbose-csv the file has the average itself.
note-perf-no-average-cache = The average latency was not captured. With a response cache the parts are averaged over different counts, so that their sum says nothing. Run with --verbose-csv.
note-perf-no-average-server = The average latency was not captured and cannot be rebuilt without the server's columns. Run with --verbose-csv. Until then Little's law cannot be checked.
note-perf-closed-loop = Fixed concurrency: every client waits for its answer before it asks again. Such a sweep finds capacity; it does not show what users see when requests keep arriving.
note-perf-request-rate = Requests were sent by a schedule. Latency counts from the moment a request was sent; a late send is not in it.
note-perf-noise-floor = By default the tool calls a load stable when three windows agree within 10 %. A difference below that is no evidence.
note-perf-percentile = The tool was run for { $percentile } beside its usual percentiles; “extra percentile” in the figures means { $percentile }.
note-perf-ensemble-stage = This is the file of one stage of an ensemble. It has no client and no latency; its throughput is scaled from that of the ensemble, and what stands in the network column is time spent scheduling.

## How the file was written

note-perf-surplus-comma = Rows end with one comma too many, as the tool wrote them before September 2023.
note-perf-cut-row = The last row, line { $line }, is cut off and was left out. The run or the copy was interrupted.
note-perf-unknown-columns = These columns are not known here and were left out: { $columns }.
note-perf-cell-missing = “{ $field }” has no value on { $count ->
    [one] line { $lines }
   *[other] { $count } lines ({ $lines })
}.
note-perf-impossible-value = “{ $field }” cannot be true on { $count ->
    [one] line { $lines }
   *[other] { $count } lines ({ $lines })
}: a time below zero, or a share above one. The value was left out.

## Checks

note-perf-quantiles-fall = Load { $load } ({ $place }): { $upper } is below { $lower }. Percentiles never fall; the row was edited or damaged.
note-perf-little = Load { $load } ({ $place }): throughput times average latency gives { $implied } requests in flight where { $load } were set ({ $residual } %). The row was edited, or its numbers come from different runs.
note-perf-more-rows = { $count ->
    [one] One more row is like these.
   *[other] { $count } more rows are like these.
}
note-perf-batch-hint = Throughput is { $batch } times what the requests in flight allow, row after row: the batch size is probably { $batch }. State it with the run.
note-perf-saturated-rate = From a rate of { $load } on the target was not met ({ $achieved } % of it achieved; { $count ->
    [one] one point
   *[other] { $count } points
} in all below 95 %). The latencies there are lower bounds and cannot satisfy a limit.
note-perf-average-differs = Load { $load } ({ $place }): the average latency and the sum of its parts differ by { $gap } %. The server accounted for more time than the client waited, or the row was edited.
note-perf-load-repeated = Load { $load } was measured { $count } times ({ $lines }). All are kept; their throughput differs by { $spread } %.
note-perf-no-sound-point = No load level is fit to be judged: each one is saturated, incomplete or contradicts itself.

## What the sweep shows

note-perf-operating-point = Highest throughput: { $throughput } inferences per second at load { $load }. The lowest load within 1 % of it is { $lowest }. This does not look at any latency limit.
note-perf-limit-not-reached = The best point is the highest load tested. The limit was not reached; sweep further.
note-perf-shape-single-point = One load level shows no shape. Sweep several loads to find the capacity.
note-perf-shape-saturated-from-first-point = Throughput hardly grows from the first load on: the service is saturated at the lowest load tested. Start lower.
note-perf-shape-not-saturated = Throughput still grows at the highest load tested. The capacity was not reached; sweep further.
note-perf-shape-retrograde = Beyond its best point throughput falls: the service loses work to contention under more load.
note-perf-shape-saturated = Throughput has levelled off within the loads tested.
note-perf-knee = The knee of the curve is at load { $load }: beyond it, load adds latency more than throughput. It is a marker, not an approval.
note-perf-knee-weak = No knee is confirmed. The point farthest above the straight line is at load { $load }, which is a weak hint.

## Figures

figure-perf-sweep = Throughput and latency over load
figure-perf-components = Parts of the average latency
figure-perf-gpus = GPUs during the sweep

column-concurrency = Concurrency
column-request-rate = Request rate
column-inference-throughput = Inferences per second
column-response-throughput = Responses per second
column-latency-p50 = Latency p50
column-latency-p90 = Latency p90
column-latency-p95 = Latency p95
column-latency-p99 = Latency p99
column-latency-extra = Latency, extra percentile
column-latency-mean = Latency, mean
column-compute-time = Compute
column-little-residual = Off Little's law
column-achieved-rate = Achieved of target
column-client-send-time = Client send
column-client-receive-time = Client receive
column-network-time = Network
column-scheduling-overhead = Scheduling overhead
column-queue-time = Queue
column-server-compute-input-time = Compute: inputs
column-server-compute-infer-time = Compute: model
column-server-compute-output-time = Compute: outputs
column-server-compute-time = Compute
column-server-cache-hit-time = Cache hit
column-server-cache-miss-time = Cache miss
column-average-latency = Average latency
column-request-response-time = Send and receive
column-response-wait-time = Wait for the answer
column-component-sum = Sum of the parts
column-gpu = GPU
column-gpu-device-utilization = Utilisation
column-gpu-power = Power
column-gpu-memory-used = Memory used
column-gpu-memory-total = Memory
