# What the reader of Nsight Systems exports says. Arguments are texts.

## Refusals

refusal-nsight-binary-report = This is the profiler's own report (version { $version ->
    [none] not stated
   *[other] { $version }
 }), which only the profiler can open.
refusal-nsight-binary-report-remedy = Export it to SQLite and send the result. Use an nsys at least as new as the one that wrote the report: an older one refuses it.
refusal-ncu-binary-report = This is a binary report of Nsight Compute, which only Nsight Compute can open.
refusal-ncu-binary-report-remedy = The command here writes its tables as CSV for your own reading; this version does not read that CSV either. Send an SQLite export of Nsight Systems for times by kernel; keep this report for what lies inside one kernel.
refusal-ncu-csv-not-read = This is a table of Nsight Compute. Such tables are not read yet.
refusal-ncu-csv-not-read-remedy = Send an SQLite export of Nsight Systems for times by kernel; keep this file for what lies inside one kernel.
refusal-ncu-text-not-read = This is what Nsight Compute printed on the screen, not a table. Its own error: { $error ->
    [none] none
   *[other] { $error }
 }.
refusal-ncu-text-not-read-remedy = If it failed for lack of permission, have access to the performance counters granted and run again. Output of Nsight Compute is not read yet: send an SQLite export of Nsight Systems for times by kernel.
refusal-nsys-stats-not-read = This is a summary printed by `nsys stats` or `nsys analyze`. It has lost the times of single operations, so gaps cannot be found in it.
refusal-nsys-stats-not-read-remedy = Send the SQLite export that the summary was made from.
refusal-nsys-json-not-read = This is a JSON export of Nsight Systems. Such exports are not read.
refusal-nsys-json-not-read-remedy = Export the same report to SQLite and send that.
refusal-sqlite-not-nsight = This SQLite file is not an export of Nsight Systems. Tables found: { $tables }.
refusal-sqlite-not-nsight-remedy = Send the file that `nsys export --type sqlite` wrote.
refusal-sqlite-truncated = The SQLite file is cut: it holds { $bytes } bytes, its header says { $expected }.
refusal-sqlite-truncated-remedy = Copy or upload the whole file again, after the export has ended.
refusal-sqlite-damaged = The SQLite file is damaged at table { $table }: { $reason }.
refusal-sqlite-damaged-remedy = Export the report again and send the new file.
refusal-sqlite-too-much-work = Reading table { $table } takes far more work than an export of any size should.
refusal-sqlite-too-much-work-remedy = Export a shorter stretch of the capture and send that.
refusal-nsight-table-not-plain = { $table } is a view or a virtual table. An export holds plain tables only; anything else is not run.
refusal-nsight-table-not-plain-remedy = Send the file as `nsys export --type sqlite` wrote it.
refusal-nsight-schema-unknown-major = The layout { $schema } is of a generation this reader does not know.
refusal-nsight-schema-unknown-major-remedy = Export the report with an nsys whose layout begins with 3 (2022.4 to 2026.2), if it accepts the report.
refusal-nsight-too-many-rows = With table { $table } the export goes beyond { $limit } rows, more than are held at once.
refusal-nsight-too-many-rows-remedy = Capture a shorter stretch, or export one with `nsys export --times`.

## Hints

hint-profiler-export = The file comes out of a profiler, so one was attached.
hint-module-loading = Code was loaded during the capture: { $count } calls, { $milliseconds } ms in all.
hint-start-up-gap = The GPU stood still for half a second or more while code was loaded: { $count } times, the longest { $milliseconds } ms.
hint-overhead-jit = The driver compiled code during the capture: { $count } times, { $milliseconds } ms in all.
hint-overhead-module-loading = The profiler saw modules being loaded: { $count } times, { $milliseconds } ms in all.
hint-overhead-lazy-loading = The profiler saw functions being loaded on first use: { $count } times, { $milliseconds } ms in all.

## Notes

note-nsight-table-missing = { $table ->
    [CUPTI_ACTIVITY_KIND_KERNEL] No kernel was recorded one by one
    [CUPTI_ACTIVITY_KIND_MEMCPY] No memory copy was recorded
    [CUPTI_ACTIVITY_KIND_MEMSET] No memset was recorded
    [CUPTI_ACTIVITY_KIND_GRAPH_TRACE] No CUDA graph was recorded as a whole
    [CUPTI_ACTIVITY_KIND_RUNTIME] No CUDA API call was recorded, so gaps have no cause
    [CUPTI_ACTIVITY_KIND_SYNCHRONIZATION] No synchronisation was recorded
    [NVTX_EVENTS] No NVTX range was recorded
    [GPU_METRICS] No GPU metric was sampled
    [TARGET_INFO_GPU] The GPU is not described
   *[other] Something was not recorded
 } (table { $table }). That is not zero.
note-nsight-no-gpu-activity = No GPU operation was recorded. This is what a failed GPU capture looks like; it does not mean that the GPU was idle.
note-nsight-no-kernels = Neither kernels nor graphs were recorded, so kernel time is unknown.
note-nsight-no-occupancy = Achieved occupancy per kernel is not captured: this profiler does not measure it.
note-nsight-rows-skipped = { $count } row(s) of table { $table } hold values of the wrong type and were left out.
note-nsight-invalid-operations = { $count } GPU operation(s) end before they start or have no start, as when the capture ends during one. They were left out.
note-nsight-invalid-calls = { $count } API call(s) end before they start. They were left out.
note-nsight-ranges-left-out = { $count } range(s) have names beyond the number of names told apart. They were left out.
note-nsight-messages-left-out = The profiler left { $count } more message(s).
note-nsight-kernel-names-capped = { $count } kernel(s) have names beyond the first { $limit }. They are summed as one.
note-nsight-events-missing = The profiler says that CUDA events may be missing: sums and counts are lower bounds, gaps and ratios are estimates.
note-nsight-schema-unstated = The file does not state the version of its layout. It was read by the rules of layouts 2 and 3.
note-sqlite-write-ahead = The file was copied in write-ahead mode: its newest rows may lie in a `-wal` file that is not here.
note-nsight-devices-by-process = Several processes show the same device number, and the file does not say whether it is the same GPU. Devices are told apart by process and number.
note-nsight-graphs-hide-kernels = CUDA graphs were traced as a whole ({ $graphs } distinct): the kernels inside them have no names or times of their own here.
note-nsight-gaps-under-overhead = During { $milliseconds } ms of the idle gaps ({ $percent } %) the profiler was busy with itself: that part is its own, not the program's.
note-nsight-early-kernels = { $count } kernel(s) started before their launching call returned. They have no queue delay.
note-nsight-kernels-without-call = { $count } kernel(s) have no recorded launching call, as at the edges of a capture.
note-nsight-profiler-error = Error of the profiler: { $text }
note-nsight-profiler-warning = Warning of the profiler: { $text }

## Figures

figure-nsight-devices = Devices
figure-nsight-gaps = Idle gaps by length
figure-nsight-gap-causes = Idle gaps by what the host did
figure-nsight-longest-gaps = Longest idle gaps
figure-nsight-timeline = Busy share over time
figure-nsight-copies = Memory copies
figure-nsight-syncs = Synchronisations, summed over threads
figure-nsight-kernels = Kernels by total time
figure-nsight-api = CUDA API calls by total time
figure-nsight-ranges = NVTX ranges by total time
figure-nsight-gpu-metrics = Sampled GPU metrics
figure-nsight-rules = Findings by the profiler's own rules

## Columns

column-gpu-device = GPU
column-first-operation = First operation at
column-gpu-span = Span
column-gpu-busy-share = Busy
column-kernel-busy-share = Busy with kernels
column-idle-before = Idle before
column-idle-after = Idle after
column-gap-length = Length
column-gap-count = Gaps
column-gap-time = Idle time
column-gap-share = Share of idle time
column-gap-cause = Cause
column-gap-start = Into the span
column-trace-time = Time
column-busy-share-1 = Device 1
column-busy-share-2 = Device 2
column-busy-share-3 = Device 3
column-busy-share-4 = Device 4
column-busy-share-5 = Device 5
column-busy-share-6 = Device 6
column-busy-share-7 = Device 7
column-busy-share-8 = Device 8
column-copy-kind = Direction
column-copy-count = Copies
column-copy-bytes = Bytes
column-copy-time = Time
column-copy-bandwidth = Bandwidth
column-memory-peak-share = Share of memory peak
column-sync-type = Type
column-sync-count = Waits
column-sync-time = Time
column-kernel-name = Kernel
column-kernel-short-name = Short name
column-kernel-count = Launches
column-kernel-time = Total
column-kernel-share = Share of kernel time
column-kernel-mean = Mean
column-kernel-median = Median
column-kernel-min = Least
column-kernel-max = Greatest
column-api-function = Function
column-api-calls = Calls
column-api-time = Total
column-api-mean = Mean
column-api-max = Greatest
column-range-name = Range
column-range-count = Times
column-range-time = Total
column-range-mean = Mean
column-metric-name = Metric
column-metric-mean = Mean
column-metric-samples = Samples
column-rule-name = Rule
column-rule-findings = Findings
