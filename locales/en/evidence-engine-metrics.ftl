### Sentences about engines other than vLLM, answers of a Prometheus server, and GPUs.

## Notes

note-metrics-from-prometheus = The samples come from a Prometheus server or promtool, at the times it stored or evaluated them, not from the engine itself. A server repeats the last sample for some minutes after an engine is gone.
note-metrics-unnamed-series = { $count } series carry no name: an expression computed them, and the file does not tell which. Nothing was taken from them.
note-metrics-native-histograms = { $count } native histograms were met. Only classic histograms with buckets are read; nothing was taken from these.
note-metrics-several-engines = Several engines export metrics here: { $engines }. Each signal is taken from the first of them that has it; take them apart before you judge.
note-metrics-triton-ensembles = Several models are served. If one of them is an ensemble, its requests and failures are counted at both levels and its own queue says nothing: read the values of its stages.
note-metrics-ranks-repeat = Ranks of one scheduler repeat its numbers. The greatest of them was taken, not their sum.
note-metrics-summary-window = Some quantiles come from summaries: they speak for a sliding window of the exporter's own, cannot be added over servers, and cannot be differenced over time.
note-metrics-first-bucket = Every observation lies in the first bucket of the histogram, so quantiles say only that they are below its bound, for: { $signals }.
note-metrics-few-samples = Fewer observations than a 99th percentile needs ({ $least }) for: { $signals }.
note-metrics-gauge-never-written = { $signal } is zero in every scrape although requests run. A renamed or missing metric often reads as zero: this is not a measurement.
note-metrics-duplicates-differ = { $count } samples came twice within one scrape with different values, as when two engines are collapsed into one row by a lost label. The last value was kept, and it is not the sum.
note-metrics-no-finish-reasons = The engine counts finished requests without saying how they ended, so an acceptance rate is not known. It is not 100 %.
note-gpu-utilization-says-little = GPU utilisation is the share of time in which any kernel ran. At 100 % it says nothing about progress: look at the activity of SMs, tensor pipe and DRAM, and at the queue.
note-gpu-throttle-sampled = Reasons that hold the clocks down are seen at the samples only; what happened between them is not known.
note-gpu-xid = GPU { $gpu } reports the error XID { $code }. Find it in the driver's log before trusting what was measured on this device.
note-gpu-many-devices = { $devices } devices are named; { $shown } of them are shown.
note-nvidia-smi-absent = GPU { $gpu }: { $count } { $count ->
    [one] cell was
   *[other] cells were
 } not available ({ $fields }). That is absent, not zero.
note-nvidia-smi-lines-skipped = { $skipped } lines could not be read and were skipped; the first is line { $line } of { $file }.
note-nvidia-smi-cut = The file { $file } ends in the middle of a row. That row was left out.
note-nvidia-smi-decimal-comma = Numbers in { $file } are written with a decimal comma and were read so.
note-nvidia-smi-no-time = The file does not say when its samples were taken, so neither window nor rate is known.
note-nvidia-smi-units-assumed = The file states no unit for { $fields }: percent, MiB, watts and MHz are taken, as the tool prints them without units.
note-nvidia-smi-field-unknown = Columns that are not read: { $fields }.
note-nvidia-smi-impossible = { $count } values lie outside what is possible for their column and were left out; the first is { $value } in line { $line } of { $file }.

## Refusals

refusal-prometheus-expression = This is the result of an expression: none of its { $series } series has a name, so the file does not tell what was asked ({ $samples } samples, from { $least } to { $greatest }). A rate or a quantile must not be read as a counter.
refusal-prometheus-expression-remedy = Query the raw series by name over the same time, without a function around them; rates and quantiles are computed here. Or save the engine's own /metrics before and after.
refusal-prometheus-empty-answer = The answer holds no series. That means that no such series exists there, not that its value is zero.
refusal-prometheus-empty-answer-remedy = Check name, labels and time of the query. Engines rename metrics between versions: ask the server for the names it has.
refusal-prometheus-native-histograms = The answer holds native histograms only, which are not read.
refusal-prometheus-native-histograms-remedy = Query the classic buckets (the name with _bucket), or save the engine's own /metrics before and after.
refusal-prometheus-api-damaged = The answer of the Prometheus HTTP API is cut off or damaged: { $error }.
refusal-prometheus-api-damaged-remedy = Run the query again and save the whole answer. Nothing of it was taken.
refusal-prometheus-too-many-samples = The answers hold more than { $most } samples.
refusal-prometheus-too-many-samples-remedy = Query a shorter time, a longer step, or fewer series at once.
refusal-nvidia-smi-no-row = The file holds the heading of nvidia-smi and no row of values.
refusal-nvidia-smi-no-row-remedy = Let it sample while the load runs: nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,memory.used,power.draw --format=csv -l 1
refusal-nvidia-smi-screen = This is the screen of nvidia-smi, one instant drawn as a table for people.
refusal-nvidia-smi-screen-remedy = Let it write rows while the load runs: nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,memory.used,power.draw --format=csv -l 1
refusal-nvidia-smi-too-many-devices = The file names more than { $most } devices.
refusal-nvidia-smi-too-many-devices-remedy = Hand in the samples of one host at a time.

## Figures

figure-gpu-devices = GPUs, means over the samples
figure-gpu-series = GPU utilisation along the samples

## Columns

column-gpu-model = Model
column-sm-active = SM active
column-dram-active = DRAM active
column-tensor-active = Tensor pipe active
column-gpu-sm-clock = SM clock
column-gpu-temperature = Temperature
column-gpu-sample = Sample
column-gpu-power-greatest = Power, greatest
column-gpu-utilization-mean = Utilisation, mean over GPUs
column-gpu-utilization-least = Utilisation, least GPU
column-gpu-utilization-greatest = Utilisation, greatest GPU
