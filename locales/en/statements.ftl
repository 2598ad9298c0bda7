# Statements against content: accepted contradictions, attested numbers, links, further readings.

## Sentences of the judgement

statement-accepted = { $run } states { $field } as “{ $stated }”, { $evidence } says “{ $found }”: accepted by { $person } on { $at }, because { $reason }
gate-run-linked = { $run } rests on { $evidence }, the same bytes as { $first } of { $case }: a link is no reproduction. Measure again.
gate-runs-overlap-content = The files of { $a } and { $b } speak for the same time, so they count as one, whatever windows are stated.
gate-attested-held = { $measure } of { $run } holds on a number read by a person: attested by { $person } from { $evidence }, countersigned by { $reviewer }.
gate-attested-moved = The attested number { $attested } changed, or what reviewers say about it.
gate-acceptance-moved = A contradicted statement was accepted.
gate-stage-disputed-attested = Stage { $stage }, { $run }: { $person } attests { $measure } as { $attested } from { $evidence }; { $other } says { $extracted }. Decline the attested number, or set the file aside.
measure-attested-open = { $measure } of { $run } is attested by { $person } ({ $evidence }), not countersigned. A reviewer who contributed nothing countersigns it.
measure-attested-canary = { $measure } of { $run } is attested ({ $evidence }), and a canary is judged on what was read from files alone. Add evidence that a parser reads.
gate-reread-moved = { $evidence }, read again by parser { $parser }: { $measure } went from { $before } to { $after }. Record the condition anew.
gate-reread-gone = { $evidence }, read again by parser { $parser }: { $measure } was { $before } and is { $after } now. Record the condition anew.
gate-reread-unchanged = { $evidence } re-read by parser { $parser }, unchanged.
contributor-attester = { $person } attested this number or attached its file and may not countersign it.
contributor-stated = { $person } stated the run or attached the file and may not accept what contradicts it.

## Acts

case-act-contradiction-accept = accepted a contradicted statement
case-act-signal-attest = attested a number
case-act-signal-countersign = countersigned a number
case-act-signal-decline = declined a number
case-act-vouch-refused = tried to vouch and was refused
audit-act-contradiction-accept = Contradicted statement accepted
audit-act-signal-attest = Number attested
audit-act-signal-countersign = Attested number countersigned
audit-act-signal-decline = Attested number declined
audit-act-vouch-refused = Vouching refused

## Attesting a number

attest-title = Attest a number for { $run }
attest-lede = For proof that no parser reads: a screenshot, a vendor's document, a tool we do not know. It is shown as attested, with your name, and counts once a reviewer who contributed nothing has countersigned it. It never feeds the verdict of a canary.
attest-link = Attest a number
attest-signal = Signal
attest-statistic = Statistic
attest-value = Value
attest-unit = Unit
attest-unit-hint = The signal's own units, for instance ms or %.
attest-samples = Samples behind it
attest-start = From (UTC)
attest-end = To (UTC)
attest-class = Task class
attest-class-run = as stated for the run
attest-file = The file it was read from
attest-file-hint = Any type. It is kept as it is and never interpreted.
attest-source = Or a file that is here already
attest-source-new = a new file
attest-place = Where in the file it stands
attest-place-hint = A sentence that lets the reviewer find it, at least 10 characters.
attest-save = Attest
attest-fault-signal = Choose a signal of the catalogue.
attest-fault-statistic = Choose a statistic.
attest-fault-value = The value is missing or no number.
attest-fault-unit = The unit is missing or not one of this signal's: { $units }.
attest-fault-samples = The number of samples is missing: a whole number of 1 or more.
attest-fault-window = The window is missing: both ends, as 2026-11-30T15:40.
attest-fault-window-order = The window ends before it begins.
attest-fault-window-future = The window lies ahead.
attest-fault-window-run = The window lies outside that of the run.
attest-fault-class = The run is stated for { $class } alone.
attest-fault-file = The file it was read from is missing.
attest-fault-place = Say where in the file it stands, in at least 10 characters.
attested-kind = attested source
attested-section = Attested numbers
attested-word = attested
attested-by = attested by { $person }, { $at }
attested-typed = typed as { $value } { $unit }
attested-countersigned = countersigned by { $person }, { $at }
attested-open = not countersigned
attested-declined = declined by { $person }, { $at }: { $reason }
attested-not-counted = countersigned by { $person }, who has a hand in the case: not counted
attested-place = Where it stands
attested-countersign = Countersign
attested-countersign-hint = You looked at the file and the number stands there as attested.
attested-decline = Decline
attested-decline-reason = Decline, because
attested-fault-reason = A decline needs a reason of at least 5 characters.
attested-source-note = Kept as proof of an attested number; no parser reads it.
attested-on-card = { $measure } { $value }, attested by { $person } ({ $standing })

## Accepting a contradiction

contradiction-accept-reason = Accept the statement as it stands, because
contradiction-accept-save = Accept
contradiction-accept-hint = For reviewers who contributed nothing: the statement is right although the file says otherwise. Kept with your name and reason.
contradiction-fault-reason = The reason needs at least 10 characters.
contradiction-gone = This contradiction is no longer there: the statement or the reading changed. Look at the item again.
contradiction-accepted = { $field } is stated as { $stated }, the file says { $found }: accepted by { $person }, { $at }: { $reason }
vouch-refused = Not written.

## The same bytes elsewhere

link-first = The same bytes came first as { $item } of { $case }, { $at }. Here they are a link and never count as a reproduction.
link-later = The same bytes are also { $item } of { $case }, { $at }.
link-before = The same bytes were here before as { $item }: { $state }, { $person }, { $at }{ $reason }
link-first-card = Link to { $item } of { $case }: no reproduction of its own
link-section = The same bytes
upload-fault-withdrawn = { $name }: these bytes were here as { $item } and were withdrawn{ $history } Say below why they come back, and send the file again.
upload-fault-withdrawn-by = by { $person }, { $at }: { $reason }
upload-again = Why bytes that were withdrawn come back
upload-again-hint = Only when a file was withdrawn from this case before; at least 5 characters.
evidence-again = Came back, because

## Readings

reading-versions = Readings
reading-newest = newest
reading-old = You look at an earlier reading, by parser { $parser }, { $at }. The newest is what counts.
reading-first = first reading
reading-unchanged = unchanged
reading-moved = { $count ->
    [one] 1 number otherwise
   *[other] { $count } numbers otherwise
}
reading-parser = Parser { $version }
reading-show = Show
reading-column-parser = Read by
reading-column-when = When
reading-column-moved = Against the reading before
