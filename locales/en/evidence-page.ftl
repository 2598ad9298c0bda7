# The page of one evidence item.
evidence-reading = The file is being read. This page shows its numbers as soon as they are there.
evidence-refused = Could not be read.
evidence-file = File { $number }
evidence-sha = computed while receiving
evidence-window = Window claimed
evidence-window-claim = as stated in the file
evidence-window-stated = from the window stated for the run
evidence-window-length = { $length }, clock time unknown
evidence-window-none = the file states none
evidence-read-by = Read by
evidence-added = Added by
evidence-download = Download file { $number }
evidence-json = Reading as JSON
evidence-acts = Withdraw, set aside, read again
evidence-figures = Figures
evidence-signals = Signals
evidence-signals-of = Signals read from { $item }
evidence-signal-count = { $count ->
    [one] 1 signal
   *[other] { $count } signals
}
evidence-made-from = For, and how exact
evidence-checks = Checks
evidence-no-checks = Nothing was checked yet.
evidence-notes = Notes of the reader
evidence-no-notes = The reader noted nothing.
evidence-uses = Used by
evidence-cage = How it was read
evidence-cage-none = Nothing was read out of this item yet.
evidence-cage-words = The reader is a process of its own and treats the file as hostile:
evidence-environment = Environment, as the files state it
evidence-environment-none = The files state nothing about where they were taken.
cage-limits = Memory, processor time and open files were limited
cage-landlock = No other file could be opened
cage-user = It ran without privileges
cage-seccomp = System calls were filtered: no network, no other program
cage-missing = Not in force: { $measure }
evidence-withdraw-reason = Withdraw, because
evidence-withdraw-save = Withdraw
evidence-withdraw-hint = It stays visible and counts no more. What rests on it stops holding.
evidence-aside-reason = Set aside, because
evidence-aside-save = Set aside
evidence-aside-hint = For reviewers: it does not show what it claims.
evidence-reread-save = Read again
evidence-reread-hint = A newer parser may read more. The reading before is kept.
evidence-signals-by = Signals by { $label }
