# Runs: the form, its faults, the page of one run, and handing in files.

back = Back
crumbs = Where you are
run-new = New run
run-new-title = State what was measured
run-correct = Correct the statement
run-correct-title = Correct what is stated about { $run }
run-lede = A run is one measured execution. What you state is checked against what its files say; “unknown” is a legal answer, and keeps the run out of the gate until it is known.
run-role = For what
run-phase = Phase
run-profiled = Profiler attached
run-contract = Contract version
run-contract-none = none
run-class = Task class
run-class-all = all classes together
run-band = Concurrency band
run-band-none = not stated
run-start = Start (UTC)
run-end = End (UTC)
run-window = Window
run-window-none = not stated
run-window-hint = When the measurement ran. Two runs that overlap in time count as one.
run-environment = Environment
run-environment-hint = One fact a line, as key = value. A key left open is not stated. Engine settings as setting.NAME = value, e.g. setting.max_num_batched_tokens = 8192.
run-environment-unknown = Nothing is stated about where it ran: it cannot enter the gate.
run-note = Note
run-reason = Why it is corrected
run-save = Save and add its files
run-save-correction = Save the correction
run-stated-by = Stated by
run-statement-n = statement { $n }
run-evidence = Evidence of this run
run-add-evidence = Add files
run-no-evidence = No file yet. Add what your tools wrote while it ran.
run-item = Item
run-kind = Kind
run-state = State
run-files = Files
run-contradicted = { $field }: stated “{ $stated }”, the file says “{ $found }”
run-fault-choice = Choose one of the offered values.
run-fault-contract = This contract version does not belong to the case. Choose one from the list.
run-fault-time = Give date and time in UTC, such as 2026-11-30T15:40, for both ends or for none.
run-fault-order = The end must come after the start.
run-fault-future = The end lies in the future. Give UTC, not local time.
run-fault-environment = Line { $line } of the environment is not of the form key = value (letters, digits, “.”, “_”, “-” in the key; at most 300 characters in the value).
run-fault-environment-twice = The environment states { $key } twice. Keep one of them.
run-fault-reason = Say in a few words why it is corrected (at least 5 characters).
run-fault-note = The note is longer than 2 000 characters.

upload-title = Add files to { $run }
upload-lede = Attach what your tools wrote, as they wrote it: vLLM metrics in Prometheus text (gzip too), a perf_analyzer CSV, an Nsight Systems SQLite export. Up to { $size } a file and { $files } files at once. The digest is computed here while the bytes arrive.
upload-files = Files
upload-files-hint = Several files may be chosen. Binary reports of Nsight Systems (.nsys-rep) are answered with the command that exports them; those of Nsight Compute (.ncu-rep) are not read yet.
upload-together = How the files belong together
upload-together-auto = By content: scrapes of vLLM metrics form one item in the order of their names, every other file is an item of its own
upload-together-yes = All of them form one item, in the order of their names
upload-together-no = Every file is an item of its own
upload-go = Upload and read
upload-fault-none = Choose at least one file.
upload-fault-same = { $name }: these very bytes are on this case already, as { $item }. The same bytes never count twice.
upload-kept = Kept: { $items }. They are being read.
upload-progress = Uploading…

evidence-reason-fault = Say in a few words why (at least 5 characters).
