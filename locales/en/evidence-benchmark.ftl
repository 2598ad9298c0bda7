# Results of load generators: refusals, notes, figures and columns.

## Refusals

refusal-bench-json-cut = The file ends in the middle of a value, at byte { $byte }. The run or the copy was interrupted.
refusal-bench-json-cut-remedy = Copy the file again. If the run itself was stopped, run it again: half a result is none.
refusal-bench-json = The file is not JSON at byte { $byte }.
refusal-bench-json-remedy = Upload the file as the tool wrote it, without lines of a terminal before or behind it.
refusal-bench-json-deep = The values are nested too deeply at byte { $byte }.
refusal-bench-json-deep-remedy = No load generator writes such a file. Upload the file as the tool wrote it.
refusal-bench-yaml = The report is not YAML at line { $line }.
refusal-bench-yaml-remedy = Upload the report as the tool wrote it, or its JSON form.
refusal-bench-gzip-damaged = The compressed file is damaged or cut off: { $error }.
refusal-bench-gzip-damaged-remedy = Compress and upload the file again, or upload it without compression.
refusal-bench-unknown-object = Value number { $number } of the file is not a result of a known load generator.
refusal-bench-unknown-object-remedy = Upload results of one tool, as it wrote them, without other objects between them.
refusal-bench-mixed-tools = The results are of different tools ({ $first } and { $second }). Each defines its figures in its own way.
refusal-bench-mixed-tools-remedy = Upload the results of each tool as evidence of their own.
refusal-bench-too-many-requests = A run has more than { $limit } requests in its arrays.
refusal-bench-too-many-requests-remedy = Run again without the detailed arrays, or split the run.
refusal-bench-too-many-runs = The files hold more than { $limit } runs.
refusal-bench-too-many-runs-remedy = Upload fewer of them together.
refusal-bench-too-many-rows = The table has more than { $limit } rows.
refusal-bench-too-many-rows-remedy = A summary has few rows. Upload the file that the tool wrote.
refusal-bench-number-habit = Numbers of this file can be read in two ways: it cannot be told whether a comma stands before decimals or between thousands.
refusal-bench-number-habit-remedy = Upload the file as the tool wrote it (its JSON form has no such doubt), not as a spreadsheet saved it.
refusal-bench-no-block = The text names a serving benchmark, but holds no whole block of results: the run was interrupted, or the paste is cut.
refusal-bench-no-block-remedy = Paste the block up to its last line of equals signs, or upload the file of --save-result.

## Where the percentiles come from

note-bench-own-percentiles = The file has a value per request. The percentiles of those are computed here, linearly between two ranks, over the requests that worked; the tool's own are only held against them.
note-bench-tool-percentiles-linear = Percentiles without values behind them are as { $tool } wrote them (linear between two ranks). They have no interval: no comparison can say how sure they are.
note-bench-tool-percentiles-observed = Percentiles without values behind them are as { $tool } wrote them (an observed value at the rank). Compare them only with percentiles made in the same way.
note-bench-tool-percentiles-unknown = Percentiles without values behind them are as { $tool } wrote them; how it makes them is not known. Compare them only with those of the same tool.
note-bench-differs = Run { $run }: the tool says { $signal } { $statistic } = { $told }; its own { $n } values give { $own }. The value computed here is used.
note-bench-other-rule = Run { $run }: the tool takes an observed value for a percentile ({ $signal } { $statistic } = { $told } of { $n } values), where { $own } is computed here between two of them. Both are of the same data.
note-bench-few-values = Run { $run }: too few values to judge by: { $values }.
note-bench-percentiles-fall = Run { $run }: { $signal } { $upper } is below { $lower }. Percentiles never fall; the file was edited or damaged.
note-bench-gaps-counted = Run { $run }: there are more gaps between tokens than are kept one by one. Their percentiles are known to 0.1 %, and gaps of requests that failed later are among them.
note-bench-records-sampled = Run { $run }: the report holds a part of its requests only. The tool's own figures are used.
note-bench-summed-latency = Run { $run }: TTFT and gaps of a request do not add up to the latency that the tool measured. Its own end-to-end latencies are used.
note-bench-arrays-differ = Run { $run }: the arrays with an entry per request are of different lengths, so that it cannot be told which entries are of one request. The tool's own figures are used.
note-bench-count-differs = Run { $run }: the tool counts { $told } requests as completed; { $found } entries have no error.

## Whether the requests worked

note-bench-none-completed = Run { $run }: no request brought an output token. It shows nothing about latency.
note-bench-no-token = Run { $run }: { $count } of { $completed } requests that the tool counts as completed have no output token. They count as failed here, in the throughput too. Median TTFT: { $told } as the tool has it, { $own } over requests with a token.
note-bench-fewer-than-planned = Run { $run }: { $planned } requests were planned, { $ended } ended. The run was stopped or killed.
note-bench-missing-requests = Run { $run }: { $completed } of { $planned } planned requests are completed; the file does not say what became of the others. They failed, or the run was stopped.
note-bench-unfinished = Run { $run }: { $count } requests were still under way when the run ended. Slow ones are likelier among them, so that latencies look better than they are.
note-bench-mostly-failed = Run { $run }: { $failed } of { $ended } requests failed. Latencies of the few that worked say little.
note-bench-cancelled = Run { $run }: the tool says that the run was cancelled or is not complete.
note-bench-cut-run = Run { $run }: the file ends before the result of the run.
note-bench-last-cut = The last result is cut off at byte { $byte } and was left out: the tool was stopped while it wrote, or the copy was.
note-bench-block-cut = The block at line { $line } has no latencies: the run was interrupted or the paste is cut. It was left out.
note-bench-block-open = The block at line { $line } lacks its last line. What stands below the cut is not known.
note-bench-more-blocks = { $line } more blocks were left out.
note-bench-no-error-count = Run { $run }: the file does not say how many requests failed.
note-bench-not-judged = Answers were not judged: a load generator sees that tokens came, not that they are acceptable.
note-bench-mlperf-invalid = Run { $run }: LoadGen calls this run INVALID. { $why }
note-bench-mlperf-accuracy = Run { $run }: an accuracy run. Its times are no measurement of performance.

## How the load was made

note-bench-closed-loop = Run { $run }: closed loop, at most { $concurrency } requests in flight. A request waits in the client until another has ended, and that wait is in no latency: overload does not show.
note-bench-open-loop = Run { $run }: open loop, { $rate } requests per second whatever the server does.
note-bench-capped-rate = Run { $run }: { $rate } requests per second were asked for, with at most { $concurrency } in flight. At the cap requests wait in the client, and that wait is in no latency.
note-bench-burst = Run { $run }: all requests were sent at once. TTFT holds the whole queue that this makes; it grows with the number of requests and says nothing about a steady load.
note-bench-load-not-in-file = Run { $run }: the file does not say which load was offered. State it with the run.
note-bench-offline = An offline benchmark of the engine. There is no server, no arrival and no latency in it.
note-bench-latency-of-batches = Times of whole batches, one after the other, without a server. They are no latencies under load.
note-bench-ramp-up = Run { $run }: the rate was ramped up during the run. Its figures mix several loads.
note-bench-rate-not-sent = Run { $run }: { $rate } requests per second were asked for, { $sent } were sent. The load generator was the limit; latencies count from the late sends and are lower bounds.
note-bench-falling-behind = Run { $run }: { $rate } requests per second were asked for, { $kept } were answered. The queue grew for as long as the run lasted; a longer run would show longer latencies, so these are lower bounds.
note-bench-late-sends = Run { $run }: requests left { $delay } late on average, beside a latency of { $latency }. Waiting in the load generator is in no latency (coordinated omission): they are lower bounds.
note-bench-little = Run { $run }: throughput times latency gives { $implied } requests in flight where at most { $concurrency } were allowed. The file was edited, or its numbers come from different runs.
note-bench-ramp = Run { $run }: throughput times latency gives { $implied } requests in flight where { $concurrency } were allowed. Start and end are a large part of the run; a longer one says more.
note-bench-totals = Run { $run }: { $signal } is { $rate } per second, but { $total } in { $seconds } s are another rate. The file was edited, or its numbers come from different runs.

## What the numbers mean

note-bench-chunks = Run { $run }: { $gaps } gaps were measured where the tokens make { $expected }. Answers come in chunks that are not single tokens; ITL is the time between chunks. TPOT is not affected.
note-bench-chunk-median = Run { $run }: the median gap between tokens ({ $median }) is far below their mean ({ $mean }). Several tokens come in one chunk, or the reader of the client was slow: use TPOT.
note-bench-per-token = Run { $run }: the tool's time per output token is { $told }; its own latency, TTFT and output length give { $expected }. It counts chunks, not tokens.
note-bench-second-token = Run { $run }: the second token comes { $second } after the first, where { $usual } is usual. The first chunk was no token or held several: TTFT may be of an empty chunk.
note-bench-unit-assumed = Run { $run }: the latencies have no unit in the file. They are taken as { $unit }, since no request can outlast the run.
note-bench-zero-latency = Run { $run }: { $signal } is 0 throughout. It was not measured (no streaming, or no request worked).
note-bench-no-goodput = The tool was run without objectives, so there is no goodput.
note-bench-goodput-unknown = Run { $run }: a goodput of −1 means that an objective was named wrongly. It was left out.
note-bench-llmperf-itl = llmperf's inter-token latency is the whole time over all tokens, the first included. It is shown as normalized latency.
note-bench-guidellm-names = GuideLLM's time per output token includes the first token and is shown as normalized latency. Its inter-token latency is a mean per request, weighted by tokens: the mean is that of all gaps, the percentiles are smoother.
note-bench-table-rounded = The numbers are of a table and rounded. The JSON of the same run has them whole.
note-bench-server-view = Run { $run }: the server's own view over Prometheus ({ $count } requests). Its window and its traffic are not those of the client; its percentiles come from buckets.
note-bench-server-export = The engine's metrics as the load generator summed them up. Percentiles of histograms are estimates.
note-bench-zero-metric = Run { $run }: { $metric } is 0 throughout under load. The tool asked for a name that the engine does not export; it was not captured.
note-bench-decimal-comma = Numbers are written with a decimal comma and were read so.
note-bench-values-left-out = The file holds more values than are kept; some of its metrics were left out.
note-bench-facts-differ = The runs differ in { $facts }. They are no sweep over load alone.

## Several runs together

note-bench-rate-points = The load of these points is a request rate. A contract's band counts requests in flight, so that no point lies inside one.
note-bench-loads-unknown = { $count } runs, and the file does not say at which load each was made. They can be looked at; none can be judged. Upload the result files of the tool.
note-bench-load-repeated = Load { $load } was run { $count } times. All are kept and none is judged as the best; their throughput differs by { $spread } %.
note-bench-same-prompts = { $count } runs sent the same prompts (same number, same tokens): { $runs }. With prefix caching the later ones find them cached, so that they are warm where the first was cold.
note-bench-hit-jump = Prompt tokens came from the prefix cache for { $low } % in run { $low-run } and for { $high } % in run { $high-run }. Their TTFT and throughput are not alike.
note-bench-best-points = The best throughput is of run { $throughput-run }, the best latency of run { $latency-run }. No single load has both: do not quote them together.
note-bench-more = { $count } more notes like { $code }.

## Figures

figure-bench-runs = Runs of the load generator
figure-bench-latencies = Latencies of the run
mark-bench-knee = knee
column-run = Run
column-goodput = Goodput
column-output-token-throughput = Output tokens per second
column-ttft-p50 = TTFT p50
column-ttft-p95 = TTFT p95
column-ttft-p99 = TTFT p99
column-tpot-p50 = TPOT p50
column-tpot-p99 = TPOT p99
column-itl-p50 = ITL p50
column-itl-p99 = ITL p99
column-e2e-p50 = End to end p50
column-e2e-p99 = End to end p99
column-requests-good = Requests that worked
column-requests-bad = Requests that failed
column-run-seconds = Length
column-latency = Latency
column-values = Values
