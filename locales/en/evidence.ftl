# What evidence is called: refusals of any file, kinds, stages, units, statistics, signals.

## Refusals

refusal-empty = The file is empty.
refusal-empty-remedy = Check that the tool finished writing and that the copy is complete, then upload it again.
refusal-io = The file could not be read: { $error }.
refusal-io-remedy = Upload it again. If it fails again, tell whoever runs this service.
refusal-not-a-file = This is a folder, a pipe or a device, not a file.
refusal-not-a-file-remedy = Name a file that a tool has finished writing.
refusal-unknown-format = The beginning of the file is not that of any format that is read here.
refusal-unknown-format-remedy = Upload vLLM metrics in Prometheus text, a perf_analyzer CSV, a SQLite export of Nsight Systems, as the tool wrote it, or the configuration of an engine.
refusal-mixed-kinds = The files are of different kinds ({ $first } and { $second }) and cannot form one reading.
refusal-mixed-kinds-remedy = Upload files of different kinds one by one.
refusal-one-file-per-reading = Each file of this kind ({ $kind }) is a reading of its own.
refusal-one-file-per-reading-remedy = Upload these files one by one.
refusal-no-file = No file was given.
refusal-no-file-remedy = Choose at least one file.
refusal-no-signal = The file was read, but it holds nothing that can be used as evidence.
refusal-no-signal-remedy = Check that the capture covered the time under load, and take it again.

## Kinds of file

kind-vllm-metrics = vLLM metrics
kind-perf-analyzer-csv = perf_analyzer sweep
kind-nsight-systems = Nsight Systems export
kind-engine-config = Engine configuration
kind-engine-log = Engine log

## Stages of the ladder

stage-request-trace = Request trace
stage-request-trace-question = What does the user feel, for which kind of task, and is the answer accepted?
stage-gpu-execution-memory = GPU execution, memory
stage-gpu-execution-memory-question = Is the device waiting, and for what: the host, a copy, a synchronisation?
stage-kernel-operator = Kernel and operator
stage-kernel-operator-question = Do the operators run near what the device can do, on the path we think they take?
stage-serving-scheduler-cache = Scheduler and cache
stage-serving-scheduler-cache-question = Is work waiting to be admitted, and does prefill or decode hold the slots?
stage-distributed-capacity = Distributed capacity
stage-distributed-capacity-question = Do collectives, network or placement hold the request?

## Units

unit-seconds = seconds
unit-bytes = bytes
unit-ratio = share
unit-count = count
unit-tokens = tokens
unit-per-second = per second
unit-tokens-per-second = tokens per second
unit-bytes-per-second = bytes per second
unit-watts = watts

## Statistics

statistic-p50 = p50
statistic-p90 = p90
statistic-p95 = p95
statistic-p99 = p99
statistic-quantile = { $quantile }
statistic-mean = mean
statistic-min = least
statistic-max = greatest
statistic-total = total
statistic-count = count
statistic-rate = per second
statistic-ratio = share
statistic-last = last value

## Signals

signal-ttft = TTFT
signal-itl = ITL
signal-tpot = TPOT
signal-e2e-latency = End-to-end latency
signal-acceptance-rate = Acceptance rate
signal-accepted-throughput = Accepted requests per second
signal-finished-requests = Finished requests
signal-accepted-requests = Accepted requests
signal-aborted-ratio = Aborted share
signal-length-limited-ratio = Share cut off by length
signal-error-ratio = Error share
signal-request-throughput = Requests per second
signal-inference-throughput = Inferences per second
signal-response-throughput = Responses per second
signal-prompt-length = Prompt length
signal-output-length = Output length
signal-client-send-time = Client send time
signal-client-receive-time = Client receive time
signal-network-time = Network time
signal-http-responses = HTTP responses
signal-http-error-ratio = HTTP error share
signal-gpu-utilization = GPU utilisation
signal-gpu-span = GPU span
signal-gpu-busy-time = GPU busy time
signal-kernel-busy-time = Kernel busy time
signal-kernel-utilization = Kernel utilisation
signal-memcpy-busy-time = Copy busy time
signal-copy-compute-overlap = Copy and compute overlap
signal-kernel-concurrency = Kernel concurrency
signal-gpu-gap-time = GPU gap time
signal-gpu-gap-ratio = GPU gap share
signal-gpu-gap = GPU gap
signal-gpu-gap-attributed = GPU gap time by cause
signal-launch-api-time = Launch call time
signal-launch-queue-delay = Launch to kernel start
signal-memcpy-bytes = Bytes copied
signal-memcpy-time = Copy time
signal-memcpy-bandwidth = Copy bandwidth
signal-pageable-bytes = Pageable bytes copied
signal-pageable-copies = Pageable copies
signal-memset-bytes = Bytes set
signal-memset-time = Memset time
signal-sync-time = Synchronisation time
signal-sync-calls = Synchronisations
signal-sync-api-time = Synchronising call time
signal-sync-api-calls = Synchronising calls
signal-cuda-api-time = CUDA call time
signal-cuda-api-calls = CUDA calls
signal-cuda-api-errors = Failed CUDA calls
signal-graph-launch-time = CUDA graph time
signal-graph-launches = CUDA graph launches
signal-profiler-overhead-time = Profiler overhead
signal-trace-duration = Trace duration
signal-sm-active = SM active
signal-dram-read-bandwidth-share = DRAM read bandwidth, share of peak
signal-warps-in-flight = Warps in flight
signal-gpu-device-utilization = GPU utilisation, by the server
signal-gpu-power = GPU power
signal-gpu-memory-used = GPU memory used
signal-gpu-memory-total = GPU memory
signal-kernel-launches = Kernel launches
signal-kernel-time = Kernel time
signal-kernel-time-share = Share of kernel time
signal-kernel-duration = Kernel duration
signal-distinct-kernels = Distinct kernels
signal-server-compute-input-time = Server compute, inputs
signal-server-compute-infer-time = Server compute, model
signal-server-compute-output-time = Server compute, outputs
signal-server-compute-time = Server compute
signal-queue-time = Queue time
signal-prefill-time = Prefill time
signal-decode-time = Decode time
signal-inference-time = Inference time
signal-front-end-time = Front-end time
signal-running-requests = Running requests
signal-waiting-requests = Waiting requests
signal-kv-cache-usage = KV cache usage
signal-kv-cache-capacity = KV cache capacity
signal-preemptions = Preemptions
signal-preemptions-per-request = Preemptions per request
signal-prompt-tokens = Prompt tokens
signal-generation-tokens = Generated tokens
signal-prompt-token-throughput = Prompt tokens per second
signal-generation-token-throughput = Generated tokens per second
signal-prefill-computed-tokens = Computed prompt tokens
signal-prefix-cache-hit-ratio = Prefix cache hits
signal-external-prefix-cache-hit-ratio = External prefix cache hits
signal-iteration-tokens = Tokens per engine step
signal-engine-steps = Engine steps
signal-engine-step-time = Engine step time
signal-admission-rejections = Refused at admission
signal-spec-decode-acceptance-ratio = Draft tokens accepted
signal-spec-decode-accepted-length = Tokens gained per draft
signal-operating-point-throughput = Throughput at the operating point
signal-server-cache-hit-time = Response cache hit time
signal-server-cache-miss-time = Response cache miss time
signal-saturation-load = Saturation load
signal-waiting-share = Share of log lines with waiting
signal-deferred-requests = Deferred requests
signal-swapped-requests = Swapped requests
signal-kv-cache-full-share = Share of log lines with a full KV cache
signal-kv-cache-memory = KV cache memory
signal-full-length-requests = Requests of full length at once
signal-multimodal-cache-hit-ratio = Multimodal cache hit ratio
signal-cuda-graph-share = Decode steps from a CUDA graph
signal-start-up-time = Start-up time
signal-model-load-time = Model load time
signal-compile-time = Compilation time
signal-graph-capture-time = CUDA graph capture time
signal-engine-init-time = Engine initialisation time
signal-model-memory = Model memory
signal-cuda-graph-memory = CUDA graph memory
signal-device-count = Devices
signal-device-busy-spread = Imbalance between devices
signal-collective-time-share = Share of collectives
signal-peer-copy-bytes = Bytes between devices
signal-nixl-transfer-time = KV transfer time
signal-nixl-failed-transfers = Failed KV transfers
signal-engine-count = Engines
refusal-archive = { $form } files are not opened here: what lies inside an archive is not looked at.
refusal-archive-remedy = Unpack it and give the files themselves; several can be chosen at once. A single file may stay compressed with gzip.
