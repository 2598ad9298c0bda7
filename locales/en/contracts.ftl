# Services and workload contracts.
services-title = Services
services-lede = What you serve, and the kinds of task it serves. Contracts and cases speak of these.
services-known = Known services
services-none = None yet. Define the first one: its name as in your dashboards, and the task classes people tell apart.
services-no-class = No task class yet.
services-classes-are = Task classes:
services-add-class = Another task class
services-add = Add
services-new-contract = New contract
services-define = Define a service
services-define-button = Define it
services-name = Name
services-name-hint = As in your dashboards, such as vllm-chat. It cannot be changed later.
services-name-fault = Give a name of 1 to 80 characters.
services-name-taken = A service of this name exists already.
services-description = What it serves
services-description-fault = At most 2000 characters.
services-classes = Task classes
services-classes-hint = One a line, such as short chat, long-context chat, tool use.
services-class-long-fault = A task class has at most 80 characters: { $class }
services-class-twice-fault = { $class } is there twice.
services-class-taken = The service has this class already.
contracts-title = Workload contracts
contracts-lede = A contract says what is served under which load, what counts as accepted, and which limits hold. Cases are judged by a pinned version of it.
contracts-new = New contract
contracts-none = No contract yet
contracts-none-what = Without a contract nothing can be said to break, and no change can be accepted. Draft one for the service that matters most; a draft may be incomplete.
contracts-contract = Contract
contracts-published = Published
contracts-not-published = not published
contracts-since = Since
contracts-draft = Draft
contracts-name = Name of the contract
contracts-name-taken = The service has a contract of this name already.
contracts-state-draft = draft
contracts-state-published = published
contracts-state-superseded = superseded
contracts-state-withdrawn = withdrawn
contracts-editorial = editorial
contracts-material = material
contracts-edit-draft = Edit the draft
contracts-start-draft = Start draft v{ $n }
contracts-published-on = Published
contracts-drafted-on = Drafted
contracts-versions = Versions
contracts-open-case = Open a case for this service
contracts-diff-link = changes since v{ $n }
contracts-part-general = Judging
contracts-part-classes = Task classes
contracts-part-bands = Concurrency bands
contracts-part-limits = Limits
contracts-part-load = Declared load
contracts-part-cost = Cost attribution
contracts-part-environment = Environment
contracts-no-limits = No limit yet.
contracts-signal = Signal
contracts-statistic = Statistic
contracts-side = Side
contracts-side-auto = by signal
contracts-value = Value
contracts-unit = Unit
contracts-limit = Limit
contracts-class = Class
contracts-description = What belongs to it
contracts-band = Band
contracts-phase = Phase
contracts-phase-warm = warm
contracts-phase-cold = cold
contracts-samples = Least samples
contracts-remove = Remove
contracts-all = all
contracts-all-classes = all together
contracts-all-bands = every band
contracts-least = Least
contracts-most = Most
contracts-band-range = { $range } requests at a time
contracts-limit-of-class = class { $class }
contracts-limit-of-band = band { $band }
contracts-limit-samples = at least { $n } samples
contracts-purpose = What is served
contracts-purpose-hint = For people; nothing is judged by it.
contracts-acceptance = What counts as accepted
contracts-acceptance-hint = In words that two people read the same way. Tokens per second is never acceptance.
contracts-acceptance-signal = Measured by
contracts-acceptance-signal-fault = Choose a signal that measures acceptance.
contracts-window = Measurement window
contracts-window-fault = Give minutes between one second and a week.
contracts-min-samples = Least requests in a run
contracts-arrival = Arrivals per second
contracts-prompt = Mean prompt length, tokens
contracts-output = Mean output length, tokens
contracts-mix = Task mix, % of the requests
contracts-mix-hint = One class a line, class = least - most in per cent, such as chat = 60 - 80. A class that is not named may have any share.
contracts-mix-fault = Write class = least - most on each line, in per cent, not: { $line }
contracts-mix-twice-fault = The class of { $line } is there twice.
contracts-load-note = Anything else about the load
contracts-load-hint = A run outside these ranges is off contract and feeds no gate. Leave a range empty if it does not matter.
contracts-cost-resources = Resources counted
contracts-cost-price = Price per hour
contracts-cost-currency = Currency
contracts-cost-period = Period
contracts-cost-hint = Only needed when cost per accepted task is limited. All four, or none.
contracts-cost-fault = Give all four, or leave all empty.
contracts-currency-fault = Give three letters, such as USD or BRL.
contracts-environment = Environment it is meant for
contracts-environment-hint = One fact a line, key = value, such as gpu_model = NVIDIA H100. Empty means any.
contracts-environment-fault = Write key = value on each line, not: { $line }
contracts-environment-twice-fault = { $line } is there twice.
contracts-classes-hint = Kinds of task that people tell apart. An average never speaks for a class with a limit of its own. To remove a row, empty it.
contracts-bands-hint = How many requests are served at a time. Limits may speak of one band or of every one.
contracts-limits-hint = Publishing needs at least one limit on a latency and one on acceptance. Values as you say them: 800 ms, 97 %.
contracts-add-rows = More rows
contracts-cell = Row { $row }: { $what }
contracts-save = Save the draft
contracts-edit-title = draft v{ $n }
contracts-edit-lede = A draft may be saved with gaps. What is missing is listed when it is to be published.
contracts-long-fault = At most 2000 characters.
contracts-range-order-fault = The least is above the most.
contracts-range-half-fault = Give both ends of the range, or none.
contracts-band-order-fault = The least is above the most.
contracts-concurrency-fault = Give a whole number from 1.
contracts-name-twice-fault = This name is there twice.
contracts-limit-signal-fault = Choose the signal this limit is on, or empty value and unit to drop the row.
contracts-limit-side-fault = For this signal neither side is better by itself: choose ≤ or ≥.
contracts-publish-title = Publishing v{ $n }
contracts-publish = Publish v{ $n }
contracts-publish-hint = A published version never changes again.
contracts-problems = { $count ->
    [one] One thing stands in the way:
   *[other] { $count } things stand in the way:
}
contracts-replaces = It takes the place of v{ $n }, which stays readable.
contracts-first-version = This is the first version; there is nothing before it to be compatible with.
contracts-cases = { $count ->
    [one] One open case pins this contract. What was recorded and approved there goes out of date:
   *[other] { $count } open cases pin this contract. What was recorded and approved there goes out of date:
}
contracts-compatibility = Compared with the version before
contracts-editorial-hint = Only words changed: nothing that judges.
contracts-material-hint = A number, class, band or definition changed; what rests on the old version goes out of date.
contracts-editorial-fault = This is not editorial: a number, class, band or definition changed. Publish it as material, or take the change back.
contracts-compatibility-fault = Say whether this version is editorial or material.
contracts-diff-title = v{ $from } and v{ $to }
contracts-diff-count = { $count ->
    [0] Nothing differs.
    [one] One line differs.
   *[other] { $count } lines differ.
}
contracts-diff-loosened = { $count ->
    [one] One limit is loosened
   *[other] { $count } limits are loosened
}
contracts-diff-editorial = Nothing that judges changed.
contracts-diff-material = Something that judges changed.
contracts-from = Before
contracts-to = After
contracts-compare = Compare
contracts-line = Line
contracts-what-moved = What changed
contracts-loosened = loosened
contracts-move-same = the same
contracts-move-changed = changed
contracts-move-added = added
contracts-move-removed = removed
