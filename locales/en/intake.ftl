# Receiving, reading and inspecting files.

## pel inspect

inspect-no-file = No such file. Check the path.
inspect-folder-empty = This folder is empty. Put the files of one run in it, or name files.
inspect-stage-empty = nothing of this stage in these files
inspect-not-opened = It cannot be opened: { $error }.
inspect-kind = Kind
inspect-tool = Written by
inspect-file = File
inspect-window = Window
inspect-signal = signal
inspect-statistic = statistic
inspect-value = value
inspect-samples = samples
inspect-for = for
inspect-since-start = since start
inspect-instant = one instant
inspect-figures = Figures (rows)
inspect-notes = Notes

## The reader process failed: nothing was read, and nothing else was touched

reader-failed-time = The reader was stopped: it took longer than { $seconds } s.
reader-failed-time-remedy = Take a shorter capture or export fewer tables, and try again.
reader-failed-memory = The reader was stopped: it needed more memory than { $limit }.
reader-failed-memory-remedy = Take a shorter capture, or have the operator raise the reader's memory limit.
reader-failed-output = The reader was stopped: its result is larger than { $limit }.
reader-failed-output-remedy = Take a shorter capture, or one with fewer engines, devices or load points.
reader-failed-crash = The reader broke down ({ $signal }). { $detail }
reader-failed-crash-remedy = The file may be damaged: take it again. If it breaks again, this is a fault of the program; report it with the file's kind and tool version.
reader-failed-own = The reader could not do its work (exit code { $exit }). { $detail }
reader-failed-own-remedy = The operator finds the reason in the sentence above; the file itself was not judged.
reader-failed-answer = The reader gave no usable answer. { $detail }
reader-failed-answer-remedy = This is a fault of the program; report it with the file's kind and tool version.
reader-failed-start = The reader could not be started: { $detail }
reader-failed-start-remedy = The operator checks that the program can start another process (memory, process limits), then the file is read again.
reader-failed-killed = The reader was killed from outside, each time it tried.
reader-failed-killed-remedy = The operator checks whether the machine ran out of memory (the kernel kills then) or somebody ended the process; then ask for the file to be read again. The file itself was not judged.
reader-failed-interrupted = Reading was cut short { $times } times, because the service or its database stopped meanwhile.
reader-failed-interrupted-remedy = Ask for the file to be read again. If the service stops each time, the operator finds the reason in its log.
reader-failed-bytes = The stored bytes cannot be fetched: { $detail }
reader-failed-bytes-remedy = The operator checks the store of evidence files; then ask for the file to be read again. The file itself was not judged.

## Uploads that were refused

upload-empty = The file is empty.
upload-empty-remedy = Take the file again at its source; an export that was interrupted leaves an empty file.
upload-too-large = The file is larger than { $limit }, the most one file may have here.
upload-too-large-remedy = Take a shorter capture or export fewer tables; the operator can raise the limit.
upload-digest = What arrived is not what was announced: SHA-256 { $actual } instead of { $expected }.
upload-digest-remedy = The transfer damaged the file, or it changed meanwhile: send it again.
upload-interrupted = The transfer broke off before the end. Nothing of this file was kept.
upload-interrupted-remedy = Send the file again.
upload-no-space = There is no space left for evidence. Nothing of this file was kept.
upload-no-space-remedy = The operator makes space in the evidence store; then send the file again.
upload-not-kept = The file could not be kept.
upload-not-kept-remedy = The operator finds the reason in the log; then send the file again.
upload-too-many-files = More than { $limit } files came at once.
upload-too-many-files-remedy = Send the files in several steps.
upload-too-many-fields = The form has more than { $limit } fields.
upload-too-many-fields-remedy = Send the form as this page offers it.
upload-text-too-long = The field { $field } is longer than { $limit }.
upload-text-too-long-remedy = Shorten the text, or attach it as a file.
upload-not-text = A text field is not valid UTF-8.
upload-not-text-remedy = Send text as UTF-8.
upload-form-too-large = The upload as a whole is larger than this service takes at once.
upload-form-too-large-remedy = Send the files in several steps.
