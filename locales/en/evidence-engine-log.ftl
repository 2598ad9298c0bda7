### Sentences about logs of vLLM and SGLang servers.

## Notes

note-engine-log-lines-broken = { $count } { $count ->
    [one] periodic line begins like one of the engine's and could not be read; it is
   *[other] periodic lines begin like the engine's and could not be read; the first is
} line { $line }. What stands there was left out, not guessed.
note-engine-log-cut = A file ends in the middle of a periodic line. That line was left out, and whatever followed it is missing.
note-engine-log-gzip-damaged = The compressed file { $file } is damaged. What could be unpacked before the damage was read; the rest is missing.
note-engine-log-order = The parts of the log were read by the times they begin with, not in the order given.
note-engine-log-several-starts = The server was started { $count } times in this log, and { $shown } of these starts have periodic lines. Numbers without a label speak for the last of them; the others carry the number of their start.
note-engine-log-many-starts = The server was started more often than { $most } times. Only the newest starts were kept.
note-engine-log-no-lines = The log has no periodic line, so queue, KV cache and throughput are not captured. vLLM prints one every ten seconds unless it was started with --disable-log-stats; SGLang prints one per batch at level info.
note-engine-log-no-start = The log does not begin with the start of the server: its settings and how long the start took are not captured. Hand in the start command as evidence of its own.
note-engine-log-not-ready = The start in this log never came to answering requests.
note-engine-log-block-size = The log counts the KV cache in blocks and does not say how large a block is, so the capacity in tokens is not captured.
note-engine-log-answers = Answers are counted when they begin. A stream that breaks off later has said 200, so the share of errors is a lower bound.
note-engine-log-no-latency = A server's log holds no latency of a request. For TTFT and the time between tokens hand in the engine's metrics or the results of a load generator of the same window.
note-engine-log-out-of-memory = Memory ran out at line { $line }.
note-engine-log-dead = The engine, or a process of it, died: line { $line }. Numbers speak for the time before.
note-engine-log-traces = { $count } stack { $count ->
    [one] trace was
   *[other] traces were
} printed; the first begins at line { $line }.
note-engine-log-no-time = The lines carry no time, so there is no window and no course over time, only over lines.
note-engine-log-no-zone = The times of the log do not say their zone, so the window has a length and no place on the clock.
note-engine-log-no-year = The times of the log have neither year nor zone, so the window has a length and no place in the calendar.
note-engine-log-time-back = The times step back ({ $count }, first at line { $line }): parts of the log are not in order, several servers write into it, or a clock was set. The length of the window is not known.
note-engine-log-gap = Nothing was printed for { $seconds } seconds at the longest. An idle vLLM prints nothing; lines may also be missing. Means are over the lines there are.
note-engine-log-averages = Numbers stem from { $lines } periodic lines. Each throughput is the engine's average over the interval since its line before; running, waiting and KV use are the values at the moment of the line, so a short peak may be missing. A mean is over lines.
note-engine-log-averages-sglang = Numbers stem from { $lines } batch lines. SGLang prints one per prefill batch and one per so many decode steps, not per time: a mean over lines weighs busy moments more, and a throughput is the average since the line of its kind before.
note-engine-log-api-servers = Several API servers print into this log, each for its own requests. Their rows stay apart; what the sums say about queue and KV cache may count the same engine more than once.
note-engine-log-aggregated = The lines average the KV use over all engines, which hides one that is full; it is not captured. Start the server with one line per engine, or hand in its metrics.
note-engine-log-ranks = { $count } lines in which further ranks repeat the same scheduler were left out.
note-engine-log-many-engines = More than { $most } engines print into this log. The others are in no number.
note-engine-log-hit-rate = The prefix cache hit rate of a line is the engine's own figure over its last requests or since its start, not over the window.
note-engine-log-hit-rate-zero = Every line prints a prefix cache hit rate of 0 %, as the engine also does while the cache is off. Whether it was on is not in the log, so no rate was taken.
note-engine-log-preemptions-sampled = This release warns about one preemption in fifty. The count is a lower bound.
note-engine-log-no-preemptions = No line counts preemptions. Most releases print none, so this is not zero; the engine's metrics have them.

## Hints

hint-engine-log-after-start = { $lines } of { $all } periodic lines stem from the first { $minutes } minutes after the server was ready.

## Refusals

refusal-engine-log-nothing = The file looks like the log of an engine, but none of its { $lines } lines says anything that is read.
refusal-engine-log-nothing-remedy = Hand in the log from the start of the server to the end of the run, at level info.
refusal-engine-log-unpacks-too-large = The compressed log unpacks to more than { $gigabytes } GiB.
refusal-engine-log-unpacks-too-large-remedy = Hand in the part of the log that belongs to the run.

## Figures

figure-engine-log-queue = Running and waiting requests along the log
figure-engine-log-kv = KV cache usage along the log
figure-engine-log-throughput = Tokens per second along the log
figure-engine-log-engines = Engines side by side
figure-engine-log-start = Steps of the start
figure-engine-log-answers = Answers by endpoint and status
figure-engine-log-errors = Errors by class
figure-engine-log-positions = Acceptance by position of a draft

## Columns

column-log-line = Line
column-prompt-token-throughput = Prompt tokens
column-generation-token-throughput = Generated tokens
column-running-mean = Running, mean
column-running-max = Running, greatest
column-waiting-mean = Waiting, mean
column-waiting-max = Waiting, greatest
column-kv-cache-usage-mean = KV use, mean
column-kv-cache-usage-max = KV use, greatest
column-generation-mean = Generated tokens, mean
column-prompt-mean = Prompt tokens, mean
column-start-step = Step
column-http-endpoint = Endpoint
column-http-status = Status
column-answers = Responses
column-error-class = Error
column-error-first-line = First at line
column-draft-position = Position
column-acceptance = Acceptance
column-log-engine = Engine
column-log-lines = Lines
column-step-seconds = Seconds
column-step-bytes = Bytes
column-error-times = Times
