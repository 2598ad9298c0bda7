### Requests one by one: logs, OTLP spans, AIPerf's records, public traces.

## Refusals

refusal-requests-no-header = The file does not begin like a log of requests: neither a row of names nor an object of JSON on its first line.
refusal-requests-no-header-remedy = Write one row per request with a first row of names (CSV, TSV), or one JSON object per line.
refusal-requests-no-row = The log holds no request.
refusal-requests-no-row-remedy = Check that the export covered the time under load, and that rows of the warm-up are not all there is.
refusal-requests-too-many = The log holds more requests than are kept at once ({ $rows } rows were read up to there).
refusal-requests-too-many-remedy = Cut it by time, so that each part is a run of its own, or leave out columns that nobody needs.
refusal-requests-rows-broken = { $count } of { $rows } rows could not be cut into their columns.
refusal-requests-rows-broken-remedy = Look at the place named: a sign between columns inside a text needs quotation marks around it. Export again and hand in the new file.
refusal-requests-cells-broken = Column “{ $column }” could not be read in { $count } of { $rows } rows.
refusal-requests-cells-broken-remedy = Look at the place named, and check what the column means and which unit it has. One column has one unit and one notation.
refusal-requests-mapping-subject = The file holds one row per request, and the mapping speaks of finished measurements.
refusal-requests-mapping-subject-remedy = Say of each column which fact about a request it is.
refusal-requests-column-missing = The mapping names column “{ $column }”, which this file does not have.
refusal-requests-column-missing-remedy = Check that the file comes from the same export, or say anew what its columns mean.
refusal-otlp-syntax = The file stops being JSON in line { $line }, column { $column }.
refusal-otlp-syntax-remedy = Hand in the file as the collector wrote it. Nothing of it was taken.
refusal-otlp-no-request = None of the { $spans } spans is a request to a model: none carries attributes of generative AI (gen_ai.…).
refusal-otlp-no-request-remedy = Export the spans of the engine (vLLM: --otlp-traces-endpoint) or of the instrumented client.

## What the file is

note-requests-trace = A public trace: requests that were sent to somebody else's service. It shows the shape of a workload and nothing about your service.
note-requests-engine-side = Times come from the engine's own steps: network, gateway and tokenisation are not in them. What the client waited is longer.
note-requests-client-side = Times are those of the client: network and its own reading are in them.
note-requests-side-unknown = The log does not say where its times were taken. Those of a server leave out network and client; do not compare them with a client's.
note-requests-two-sides = Median TTFT: { $client } s at the client, { $server } s at the server. The difference is network, gateway and client.
note-otlp-server-side = The spans are the server's: network and the client's own waiting are not in them.
note-otlp-client-side = The spans are the client's: network is in them.
note-otlp-service = Service: { $service }.
note-otlp-other-spans = { $count } of { $spans } spans are no requests to a model and were left out.
note-otlp-sampled = { $count } spans say that only a part was kept ({ $percent } % at the least). Counts, rates and concurrency are lower bounds.
note-otlp-sampling-unknown = The spans do not say whether some were dropped by sampling. Counts, rates and concurrency are lower bounds; percentiles hold if the sample was drawn by chance.
note-otlp-cut = { $file } breaks off in line { $line }. The spans before that were read; the rest is missing.
note-aiperf-tpot = AIPerf's inter-token latency is a mean per request; it is shown as TPOT.
note-aiperf-warm-up = { $count } requests of the warm-up were left out.
note-aiperf-unit = { $count } records have a metric in a unit that is not known (first in line { $line }); it was left out.
note-aiperf-chunks = In { $count } of { $of } streamed answers a chunk holds several tokens, so the gaps between chunks are no gaps between tokens. Gaps are not shown; TPOT is.
note-requests-mapping-guessed = What the columns mean was guessed from their names. The log carries no judgement until a person confirms it.
note-requests-missing = { $what ->
    [arrivals] When requests arrived is not in the file: no arrival rate, no concurrency
    [ttft] Time to first token is not in the file
    [itl] Neither gaps between tokens nor time per output token are in the file
    [e2e] End-to-end latency is not in the file
    [queue] Queue time is not in the file
    [tokens] Lengths of prompts and outputs are not both in the file
    [outcome] The file does not say which requests failed
    [retries] Retries are not in the file
    [acceptance] The file does not say which answers were accepted
   *[other] Something is not in the file ({ $what })
 }. That is not zero.

## How the file is written

note-requests-gzip-damaged = The compressed file is damaged. What could be unpacked before the damage was read; the rest is missing.
note-requests-cut-row = The last row, line { $line }, is cut off and was left out. What followed it is missing.
note-requests-rows-skipped = { $count } of { $rows } rows could not be read and were left out, the first in line { $line }.
note-requests-cells-skipped = Column “{ $column }” could not be read in { $count } rows, the first in line { $line }. The value is absent there.
note-requests-no-zone = Times are written without a time zone. Differences hold; the window is not placed on the clock of the world.
note-requests-zones-mixed = { $with } times name their time zone and { $without } do not. They cannot be put on one clock.
note-requests-mean-gaps = Inter-token latency is one number per request, its mean; it is shown as TPOT. Single gaps are not in the log.

## What the rows contradict

note-requests-backwards = { $count } times come before what must precede them (first in line { $line }): clocks differ or columns are mixed up. What would follow from them is absent.
note-requests-negative = { $count } durations are below zero (first in line { $line }) and were left out. Two clocks were subtracted.
note-requests-ttft-above = In { $count } requests the first token comes after the end (first in line { $line }): the units of two columns differ, or the columns are mixed up.
note-requests-two-clocks = { $count } pairs of times are of two clocks, one counting from 1970 and one not (first in line { $line }). They were not subtracted.
note-requests-clocks-in-column = Of the arrival times { $wall } count from 1970 and { $other } do not: the column has two units.
note-requests-mixed-units = The values of { $signal } fall into two heaps a thousand apart ({ $share } % in the smaller): the column is probably written in two units.
note-requests-disorder = { $count } rows start before the row above them (first in line { $line }). They were put in order.
note-requests-duplicates = { $count } rows repeat another row word for word and were counted once.
note-requests-attempts = { $count } rows are attempts that failed and were followed by another. They count as load and as retries, not as failed requests. Latency is that of the attempt; a user waited since the first.
note-requests-ids-reused = { $count } rows carry the id of a request that had been answered already. They count as requests of their own; check that the column is the id of a request.
note-requests-empty = { $count } requests call themselves answered and have no token (first in line { $line }). They count as errors. Median TTFT with them: { $with } s, without: { $without } s.
note-requests-status-unclear = { $count } requests have a status that is not known, for example “{ $example }”. How many failed cannot be told.
note-requests-accepted-failed = { $count } failed requests are marked as accepted (first in line { $line }). A failure is not accepted.
note-requests-accepted-unclear = { $count } cells of acceptance are neither yes nor no (first in line { $line }).
note-requests-not-judged = Of { $of } answered requests { $count } were not judged. The acceptance rate speaks for those that were judged and those that failed.
note-requests-cached-above = { $count } rows have more cached tokens than prompt tokens (first in line { $line }); the cached ones are absent there.
note-requests-classes-many = The column of task classes holds more than { $most } different names. What goes beyond has no class here; check that it is a class.
note-requests-models = Requests of { $count } models are in one log: { $models }. Percentiles mix them.

## What happened over time

note-requests-sent-late = Requests were sent late: a hundredth of them by { $p99 } s or more, at most { $most } s after they were due. That waiting is in no latency here.
note-requests-gap = For { $seconds } s no request arrived, from { $from } s into the log on. An outage, or a part of the log is missing.
note-requests-gap-hours = For { $seconds } s no request arrived, from { $from } s into the log on. That is { $hours } hours: the log probably changes its time zone there, or a part is missing.
note-requests-flight-partial = { $count } requests have no end, so requests in flight are a lower bound.

## Figures

figure-request-columns = What the columns were taken for
figure-request-load = Arrivals and requests in flight over time
figure-request-bands = Latency by requests in flight at the start
figure-request-classes = Task classes
figure-request-ttft-curve = TTFT: share of requests at most this long
figure-request-e2e-curve = End to end: share of requests at most this long
figure-request-tpot-curve = TPOT: share of requests at most this long
figure-request-queue-curve = Queue time: share of requests at most this long
figure-request-ttft-bars = TTFT by size
figure-request-e2e-bars = End-to-end latency by size
figure-request-prompt-bars = Prompt length by size
figure-request-output-bars = Output length by size
column-bucket-tokens = Tokens
column-observed = Observed
column-share-at-most = Share at most this
column-arrivals-per-second = Arrivals per second
column-most-in-flight = Most in flight
column-in-flight-band = In flight
column-request-ttft-p50 = TTFT p50
column-request-ttft-p95 = TTFT p95
column-request-ttft-p99 = TTFT p99
column-request-e2e-p50 = End to end p50
column-request-e2e-p95 = End to end p95
column-request-e2e-p99 = End to end p99
column-task-class = Task class
column-failed-share = Failed
column-accepted-share = Accepted
column-log-column = Column
column-log-field = Taken for
column-log-unit = Unit
