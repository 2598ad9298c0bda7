# Sweeps over load from other sources than a CSV: console output, profile exports, Model Analyzer; and
# what holds for all of them.

## Refusals

refusal-perf-locale-number = Line { $line }, column “{ $field }”: “{ $text }” is a number as another country or a spreadsheet writes it. Whether the comma is a decimal point or a separator cannot be told.
refusal-perf-locale-number-remedy = Upload the file as the tool wrote it, or run the tool again with LC_ALL=C.
refusal-console-no-measured-load = No load level was measured to its end: the log has no block with percentiles and no summary.
refusal-console-no-measured-load-remedy = Upload the whole output of the run. If the run was stopped, run it again and keep everything it prints.
refusal-console-never-stable = No load level became stable (load { $loads }); the tool gave up and measured nothing.
refusal-console-never-stable-remedy = Lengthen --measurement-interval or --measurement-request-count, or lower the load, and run again.
refusal-console-too-many-runs = The log holds more than { $limit } runs.
refusal-console-too-many-runs-remedy = Upload the output of the runs you mean as files of their own.
refusal-console-too-many-ranks = The log holds the output of more than { $limit } MPI ranks.
refusal-console-too-many-ranks-remedy = Upload the output of the ranks you mean as files of their own.
refusal-export-cut = The file ends in the middle of its JSON. It was cut off while it was written or copied.
refusal-export-cut-remedy = Copy the file again. If the run was killed, run it again and let it end.
refusal-export-damaged = The profile export is damaged: { $error }.
refusal-export-damaged-remedy = Upload the file as --profile-export-file wrote it.
refusal-export-too-large = The profile export has more requests or responses at one load than are read.
refusal-export-too-large-remedy = Measure a shorter window, or upload the CSV or the console output of the run.
refusal-export-no-experiments = The file has no list of experiments.
refusal-export-no-experiments-remedy = Upload the file as --profile-export-file wrote it.
refusal-export-no-answer = No request in the file was answered within a measurement window ({ $count } had no response at all).
refusal-export-no-answer-remedy = Look at the server's log: the requests failed. Run again once they are answered.
refusal-ma-header = The header row is not that of a result table of Model Analyzer: column “{ $column }” is missing, there twice, or one too many.
refusal-ma-header-remedy = Upload metrics-model-inference.csv, metrics-model-gpu.csv or metrics-server-only.csv as the tool wrote it.
refusal-ma-too-many = There are more than { $limit } measurements.
refusal-ma-too-many-remedy = Filter the results to the configurations you mean, or upload the tables one by one.
refusal-ma-no-measurement = There is no measurement in what was uploaded.
refusal-ma-no-measurement-remedy = Let Model Analyzer profile at least one configuration, then upload its tables or its checkpoint.
refusal-ma-checkpoint-damaged = The checkpoint is damaged or of a layout that is not known: { $error }.
refusal-ma-checkpoint-damaged-remedy = Upload the result tables of the same run (metrics-model-inference.csv).

## What lowers the trust in a sweep

note-sweep-delayed-sends = At load { $loads } the client could not keep the rate: up to { $greatest } % of the requests were sent late. The time they waited before is not in the latency, so the latencies there are lower bounds (coordinated omission).
note-sweep-latency-unstable = At load { $loads } only the throughput became stable; the latency still moved when the measurement ended.
note-sweep-client-limit = At load { $loads } the client itself took most of the time or could not keep up. What was measured may be the client, not the service.
note-sweep-response-cache = At load { $loads } answers came from the response cache. Throughput and latency are those of the cache for these inputs, not of the model.
note-sweep-batch-delay = With one request in flight ({ $place }) a request waits { $queue } ms in the queue, { $share } % of its time on the server, and nobody is in front of it. A batching delay is probably configured; at low load it is pure latency.
note-sweep-mixed-minima = The lowest { $statistic } is at load { $low }, the highest throughput at load { $high }. No load has both; do not quote them together.
note-sweep-few-samples = At load { $loads } fewer than { $needed } requests stand behind the { $statistic } ({ $fewest } at the least). It is close to the slowest request and means little.
note-sweep-unstable = Load { $loads } did not become stable within the measurement windows and has no result. The sweep ends there.
note-sweep-best-series = Of { $count } sweeps “{ $series }” has the highest throughput: { $throughput } per second at load { $load }, a load measured several times counting as its slowest run. This does not look at any latency limit.
note-sweep-time-client = At load { $load } the client takes most of the average latency: client { $client } %, network { $network } %, queue { $queue } %, compute { $compute } %.
note-sweep-time-network = At load { $load } the way between client and server takes most of the average latency: client { $client } %, network { $network } %, queue { $queue } %, compute { $compute } %.
note-sweep-time-queue = At load { $load } requests spend most of the average latency in the queue: client { $client } %, network { $network } %, queue { $queue } %, compute { $compute } %.
note-sweep-time-compute = At load { $load } the model itself takes most of the average latency: client { $client } %, network { $network } %, queue { $queue } %, compute { $compute } %.

## Console output

note-console-several-runs = The log holds { $count } sweeps. Each is told apart by its number; none of them alone speaks for this run. Upload them one by one to judge by them.
note-console-settings = Settings: model { $model }, batch size { $batch }, service { $service }, window or samples { $window }, arrivals { $distribution }, calls { $calls }.
note-console-no-settings = The tool's own settings are not in this log.
note-console-no-batch = The batch size is not in this log; it is taken as 1 unless the numbers say otherwise.
note-console-decoupled = The model is decoupled: a request may have several responses.
note-console-no-summary = The run has no summary: it was interrupted, or the log is cut off.
note-console-interrupted = The run was stopped by a signal.
note-console-block-incomplete = The block of load { $load } (line { $line }) ends before its percentiles and was left out.
note-console-locale-number = Line { $line }: “{ $text }” has a number as another country writes it; it was not taken.
note-console-summary-differs = The summary contradicts the block of the same load (load { $loads }). The log was edited, or parts of several runs were put together.
note-console-stopped-early = The sweep ended at load { $load } although it was to go to { $limit }.
note-console-over-limit = At load { $load } the latency went over the limit that the run was given ({ $limit } ms); that load has no result.
note-console-windows-differ = At load { $loads } the last three windows differ by up to { $greatest } %, more than the 10 % that the tool tolerates by default.
note-console-failures = The log has { $count ->
    [one] one line
   *[other] { $count } lines
} about failed requests. Read the latencies with the failures beside them.
note-console-network-floored = The server accounted for more time than the client waited, because few requests were measured. The time for the network is not reliable.
note-console-blocks-left-out = { $count ->
    [one] One block
   *[other] { $count } blocks
} beyond the limit were left out.
note-console-latency-unknown = The summary does not say whether it lists averages or a percentile; its latencies were not taken.
note-console-no-tail = { $count ->
    [one] One load has
   *[other] { $count } loads have
} an average latency only. No limit on a percentile can be checked there.
note-console-average-of-client = With a stabilising percentile the tool prints no average; the mean of its client library stands in for it.
note-console-network-derived = The time for the network is what the average leaves beside client, queue and compute.

## Profile export

note-export-context = The file does not name the model or the batch size. State them with the run.
note-export-unknown-mode = The mode “{ $mode }” is not known here; that experiment was left out.
note-export-no-load = The experiments have no load: sessions and custom intervals have none. Values stand for the whole run.
note-export-no-windows = The measurement windows are not in the file. No throughput was computed.
note-export-incomplete = At load { $load } the requests in the file account for { $share } % of what the load implies. Not every request is recorded, or the target was not met; no throughput was computed.
note-export-responses-not-tokens = A response may hold several tokens: gaps between responses are an estimate of the time between tokens.
note-export-unanswered = At load { $load } { $count ->
    [one] one request has
   *[other] { $count } requests have
} no response.
note-export-impossible = At load { $load } { $count ->
    [one] one request has a response
   *[other] { $count } requests have responses
} before the request or out of order; they were left out.
note-export-outside = At load { $load } { $count ->
    [one] one request
   *[other] { $count } requests
} ended outside the measurement windows and were not counted.
note-export-same-inputs = At load { $load } { $count } requests used { $different } different inputs. A prefix cache or response cache answers repeated inputs faster than real traffic would be.

## Model Analyzer

note-ma-rounded = The tables round to one decimal: latencies to a tenth of a millisecond. A checkpoint of the same run has every digit.
note-ma-missing-values = { $count ->
    [one] One cell has
   *[other] { $count } cells have
} no value.
note-ma-no-inference-table = The table of throughput and latency is not among the files; only GPUs were read.
note-ma-no-load = Measurement { $entry } of “{ $config }” names no load and was left out.
note-ma-constraints = { $count ->
    [one] One measurement does
   *[other] { $count } measurements do
} not satisfy the constraints that the tool was given.
note-ma-several-models = Several models were measured at once. Their loads do not add up, so no curve is drawn over them.
note-ma-no-average = The average latency was not captured, so Little's law cannot be checked.
note-ma-no-p95 = The tail is not the p95 but the highest percentile of the tables, mostly the p99. A limit on the p95 cannot be checked with it.
note-ma-no-request-count = The number of requests behind a percentile is not recorded.
note-ma-batch-delay = “{ $config }” waits up to { $delay } ms for a batch to fill. At low load this is pure latency.
note-ma-response-cache = “{ $config }” answers from a response cache. Its numbers are those of the cache for the inputs of the test, not of the model.

## Figures

figure-sweep-time-shares = Where the time went
figure-sweep-budgets = Best load for a latency budget
figure-sweep-series = Sweeps in these files
figure-sweep-composing = Models of the ensemble
figure-ma-measurements = Measurements
figure-ma-gpus = GPUs by configuration

column-request-throughput = Requests per second
column-client-library-time = Client library
column-server-request-time = Time on the server
column-server-overhead-time = Server overhead
column-client-share = Client
column-network-share = Network
column-queue-share = Queue
column-compute-share = Compute
column-requests-measured = Requests measured
column-execution-batch-size = Batch executed
column-delayed-requests = Sent late
column-sweep-name = Sweep
column-load-tested = Load
column-lowest-load = Lowest load within 1 %
column-load-points = Loads
column-best-load = Best load
column-knee-load = Knee
column-latency-tail = Tail latency
column-curve-shape = Shape
column-composing-model = Model
column-ma-config = Configuration
column-request-batch = Batch size
column-loads-tested = Load
column-ma-instances = Instances
column-ma-max-batch = Largest batch
column-ma-constraints = Satisfies constraints
