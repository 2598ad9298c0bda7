### Sentences about vLLM metrics and Prometheus text.

## Notes

note-metrics-lines-skipped = { $skipped } of { $lines } lines could not be read and were skipped; the first is line { $line } of { $file }.
note-metrics-cut = A file ends in the middle of a line. That line is lost, and whatever followed it is missing.
note-metrics-gzip-damaged = The compressed file { $file } is damaged. What could be unpacked before the damage was read; the rest is missing.
note-metrics-openmetrics-cut = An OpenMetrics answer does not end with “# EOF”: it was cut off, and families may be missing.
note-metrics-duplicates = { $count } samples came twice within one scrape. The last value was kept.
note-metrics-since-start = One scrape only: counters and histograms speak for everything since the process started, and a long good history hides a recent incident. Add a second scrape to see a window.
note-metrics-uptime = The process had been up for { $seconds } seconds at the scrape.
note-metrics-no-time = The files do not say when the scrapes were taken, so nothing per second is shown. State the interval between two scrapes to see rates.
note-metrics-time-from-interval = The window of { $seconds } seconds comes from the interval stated on upload, not from the files.
note-metrics-order-put-right = The scrapes were given the wrong way round; their own counters and times tell the order, and it was put right.
note-metrics-order-reversed = The scrapes run backwards in time: the counters fell although the process is the same, or the times decrease. Give the earlier scrape first.
note-metrics-order-looks-reversed = Every counter that moved fell between two scrapes. Either the process restarted or the order is reversed: check which scrape is the earlier one.
note-metrics-reset = Counters fell between scrapes, as they do when the process restarts (intervals affected: { $steps }). What was counted between the last scrape before a restart and the restart itself is lost; increases are lower bounds.
note-metrics-series-born = { $count } series appeared after the first scrape and are counted from zero, as the engine creates them at the first event.
note-metrics-series-late = { $count } series belong to families that the first scrape does not have. Their increase over the window is not known and is left out.
note-metrics-targets-merged = { $targets } targets were pasted together and are read as one instant, because they name different engines and no time stands between them.
note-metrics-engines-changed = Not every scrape names the same engines. Totals before and after are not of the same fleet.
note-metrics-several-models = Several models are served here: { $models }. Totals add them up; read the values of each model.
note-metrics-many-engines = { $engines } engines exported metrics; { $shown } of them are shown one by one, and the totals hold all.
note-metrics-not-exported = Not exported by this version, and not zero: { $signals }.
note-metrics-no-observations = Nothing was observed in the window for: { $signals }.
note-metrics-no-inf-bucket = The histogram has no +Inf bucket, so there is no quantile for: { $signals }.
note-metrics-bounds-differ = Engines use different bucket bounds, which cannot be added, so there is no common quantile for: { $signals }.
note-metrics-buckets-partial = Buckets came or went between the scrapes, so there is no quantile for: { $signals }.
note-metrics-above-highest-bound = The 99th percentile lies above the highest finite bucket, so the value shown is only a lower bound for: { $signals }.
note-metrics-prefix-cache-off = The prefix cache hit rate is −1: the cache is off or its rate unknown. That is not a rate of zero.
note-metrics-prefix-hits-after-preemption = There were preemptions. In versions before the fix of September 2025, prefilling again after a preemption counts as a prefix cache hit: do not trust a high hit ratio here.
note-metrics-populations-differ = Requests that got a first token ({ $first_tokens }) and requests that finished ({ $finished }) are not the same ones, or the queue grew or shrank: queue and prefill time must not be subtracted from TTFT.
note-metrics-ttft-broken = Time to first token is not credible: a mean of { $mean_ms } ms over { $count } requests. The metric is broken in this version, and the evidence must not carry a judgement.
note-metrics-acceptance-of-engine = “Accepted” is the engine's word: requests that stopped or reached the length limit. Whether the answer was good enough is not in these metrics.
note-metrics-rejections = { $count } requests were refused at the door. They count as not accepted and stand in no latency histogram.

## Hints

hint-vllm-young-process = The process had been up for { $seconds } seconds when the window began.
hint-vllm-first-scrape-zero = At the first scrape no request had finished and no token had been generated.
hint-vllm-restarted = The process restarted within the window.

## Refusals

refusal-web-error-page = This is a web error page, not metrics. It begins: “{ $quote }”.
refusal-web-error-page-remedy = Fetch the engine's /metrics again, and check the address, the port and the status before saving (curl --fail).
refusal-metrics-without-engine = This is Prometheus text, but without any family of an engine or of a GPU exporter that is read here. It holds, among others: { $families }.
refusal-metrics-without-engine-remedy = Attach the /metrics of the engine itself (vLLM serves it beside its API, by default on port 8000; Triton on port 8002).
refusal-metrics-no-sample = The file holds no sample of an engine's metrics.
refusal-metrics-no-sample-remedy = Save /metrics again while the engine runs. Behind several API servers, ask the engine directly.
refusal-metrics-too-many-series = The file holds more than { $most } different series.
refusal-metrics-too-many-series-remedy = Attach the metrics of fewer engines at once, or leave out families other than the engine's.
refusal-metrics-unpacks-too-large = The compressed file unpacks to more than { $gigabytes } GiB.
refusal-metrics-unpacks-too-large-remedy = Attach a shorter stretch of scrapes.

## Figures

figure-vllm-quantiles = Latencies by the engine's histograms
figure-vllm-token-quantiles = Lengths and batch sizes by the engine's histograms
figure-vllm-finished = Finished requests by reason
figure-vllm-series = Running and waiting requests along the scrapes
figure-vllm-kv-series = KV cache usage along the scrapes
figure-vllm-ttft-buckets = Time to first token by bucket
figure-vllm-e2e-buckets = End-to-end latency by bucket

## Columns

column-signal = Signal
column-observations = Observations
column-sum = Sum
column-mean = Mean
column-p50 = p50
column-p90 = p90
column-p95 = p95
column-p99 = p99
column-p99-bucket = Bucket of p99
column-finished-reason = Reason
column-requests = Requests
column-share = Share
column-bucket-seconds = Bucket
column-scrape = Scrape
column-elapsed = Elapsed
column-running-requests = Running
column-waiting-requests = Waiting
column-kv-cache-usage = KV cache usage
figure-ttft-parts = Where the mean TTFT went
column-prefill-time = Prefill
column-ttft-rest = Rest: front end, detokenising
