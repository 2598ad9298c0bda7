# Configurations of engines: refusals, notes, tables.

## Refusals

refusal-engine-config-syntax = The configuration breaks off in line { $line }, column { $column }: what stands there does not belong to its format.
refusal-engine-config-syntax-remedy = Hand in the file that the engine was started with, unchanged. Nothing of it was taken.
refusal-engine-config-not-closed = Line { $line }, column { $column }: a brace, a quote or a block is opened and not closed, or closed without being opened.
refusal-engine-config-not-closed-remedy = Check that the copy is complete and hand it in again. Nothing of it was taken.
refusal-engine-config-too-deep = The configuration is nested too deeply at line { $line }, column { $column }.
refusal-engine-config-too-deep-remedy = Hand in the configuration that the engine itself takes, without generated parts around it.
refusal-engine-config-too-large = The file looks like a configuration and is larger than { $limit } KiB.
refusal-engine-config-too-large-remedy = Hand in the model configuration, the start command or the settings alone.
refusal-engine-config-too-many = The configuration has more than { $limit } settings.
refusal-engine-config-too-many-remedy = Hand in the configuration of one engine at a time.
refusal-engine-config-not-text = The configuration is not text in UTF-8.
refusal-engine-config-not-text-remedy = Save it as UTF-8 and hand it in again.
refusal-engine-config-gzip-damaged = The compressed file is damaged or cut off: { $error }.
refusal-engine-config-gzip-damaged-remedy = Compress and upload the file again, or upload it without compression.
refusal-engine-config-anchor = Line { $line }, column { $column }: the YAML refers to another place of itself (an alias). Such references are not followed.
refusal-engine-config-anchor-remedy = Write the values out where they are used and hand the file in again.
refusal-engine-config-two-commands = There is more than one start of the engine, with different arguments. It cannot be told which one the run used.
refusal-engine-config-two-commands-remedy = Keep the command that the run was taken with, and hand it in alone.
refusal-engine-config-two-engines = The files configure different engines or models and cannot form one configuration.
refusal-engine-config-two-engines-remedy = Hand in the configuration of each engine on its own, each with its run.

## Notes

note-engine-config-file-missing = { $name } is named or needed and was not handed in, so what it sets is not known. Hand both files in together as one item; until then no comparison of settings counts for this run.
note-engine-config-beside-missing = The backend of this model keeps its arguments in { $name } beside the configuration, which was not handed in. Hand both in together as one item; until then no comparison of settings counts for this run.
note-engine-config-precedence = Command line and file set { $keys } differently, and it depends on the release of TensorRT-LLM which one wins. Write the value in one place only; until then no comparison of settings counts for this run.
note-engine-config-variable = The value of { $keys } comes from a variable that is not set in the file. State it with the run, or hand in the file with the value written out.
note-engine-config-open = A part of the command is only known while the script runs, so there may be further arguments. Hand in the command as it was run, for example from ps; until then no comparison of settings counts for this run.
note-engine-config-no-command = These are settings without the command that started the engine. Its command line can set more, and can override them.
note-engine-config-no-engine = The file does not tell which engine it configures. State the engine with the run.
note-engine-config-stray = Nothing refers to { $name }, so its settings were left out.
note-engine-config-secrets = { $count } { $count ->
    [one] value that looks like a secret was
   *[other] values that look like secrets were
} dropped while reading. Neither value nor digest is kept in the facts; the stored file itself still holds them.
note-engine-config-variables-left = { $count } environment { $count ->
    [one] variable that bears
   *[other] variables that bear
} on nothing measured here was left out.
note-engine-config-triton-effective = The server may complete or change this configuration when it loads the model. GET /v2/models/MODEL/config gives the one in effect.
note-engine-config-defaults = Only defaults that no release has changed are filled in. Any other setting that is not written is not known, and counts as different from a written one.
note-engine-config-no-version = The file does not name the engine's release. State it with the run: a new release is a change of its own.

## Tables

figure-engine-settings = Settings
figure-engine-settings-cosmetic = Settings that do not bear on performance
column-setting = Setting
column-setting-value = Value
column-setting-file = File

refusal-diff-not-configuration = This is not a configuration of an engine but { $kind }; there is nothing to compare.
refusal-diff-not-configuration-remedy = Give two configurations: config.pbtxt, a start command with the files it names, or a manifest.
