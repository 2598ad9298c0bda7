//! What a reader must know before trusting the numbers of a request log.
//!
//! Every check looks at the rows, not at what they claim: clocks that run backwards, failures that
//! call themselves answers, units that change within a column, sends that came late, stretches
//! without a request.

use super::{
    attempts::Repeated,
    load::Arrivals,
    signals::Ends,
    table::Table,
    values::{Fact, Population, Sorted},
};
use crate::{Note, NoteLevel, Reading};

/// Share of the rows from which on an impossible fact condemns the whole log.
const MOST_IMPOSSIBLE: f64 = 0.01;
/// Stretch without an arrival that is worth a word, s.
const LONG_GAP: f64 = 60.0;

/// Notes on the rows.
pub fn rows(reading: &mut Reading, table: &Table, repeated: Repeated) {
    let odd = &table.odd;
    let n = table.len().max(1) as f64;
    for (code, seen) in [
        ("requests-backwards", odd.backwards),
        ("requests-negative", odd.negative),
        ("requests-ttft-above", odd.above),
    ] {
        if seen.count > 0 {
            let level = if seen.count as f64 / n > MOST_IMPOSSIBLE {
                NoteLevel::Invalid
            } else {
                NoteLevel::Warning
            };
            let note = Note::new(level, code).arg("count", seen.count);
            reading.note(note.arg("line", seen.line));
        }
    }
    for (code, seen, level) in [
        ("requests-two-clocks", odd.two_clocks, NoteLevel::Warning),
        ("requests-disorder", odd.disorder, NoteLevel::Info),
        (
            "requests-accepted-failed",
            odd.accepted_failed,
            NoteLevel::Warning,
        ),
        (
            "requests-cached-above",
            odd.cached_above,
            NoteLevel::Warning,
        ),
    ] {
        if seen.count > 0 {
            let note = Note::new(level, code).arg("count", seen.count);
            reading.note(note.arg("line", seen.line));
        }
    }
    if odd.wall[0] > 0 && odd.wall[1] > 0 {
        reading.note(
            Note::new(NoteLevel::Invalid, "requests-clocks-in-column")
                .arg("wall", odd.wall[0])
                .arg("other", odd.wall[1]),
        );
    }
    for (code, count, level) in [
        (
            "requests-duplicates",
            repeated.duplicates,
            NoteLevel::Warning,
        ),
        ("requests-attempts", repeated.attempts, NoteLevel::Info),
        ("requests-ids-reused", repeated.reused, NoteLevel::Warning),
    ] {
        if count > 0 {
            reading.note(Note::new(level, code).arg("count", count));
        }
    }
    names(reading, table);
    empty(reading, table);
}

fn names(reading: &mut Reading, table: &Table) {
    if table.classes.overflow {
        reading.note(
            Note::new(NoteLevel::Warning, "requests-classes-many")
                .arg("most", super::names_apart::MOST_NAMES),
        );
    }
    let models = table.models.all();
    if models.len() > 1 {
        let some: Vec<&str> = models.iter().take(5).map(String::as_str).collect();
        reading.note(
            Note::new(NoteLevel::Warning, "requests-models")
                .arg("count", models.len())
                .arg("models", some.join(", ")),
        );
    }
}

/// Answers without a token: what the percentiles would be with them is shown beside.
fn empty(reading: &mut Reading, table: &Table) {
    let seen = table.odd.empty;
    if seen.count == 0 {
        return;
    }
    let mut note = Note::new(NoteLevel::Warning, "requests-empty")
        .arg("count", seen.count)
        .arg("line", seen.line);
    let without = Fact::named("ttft").map(|f| Sorted::new(f.values(table)));
    let with = Sorted::new(
        (0..table.len())
            .filter(|r| {
                table.is_answered(*r)
                    || (table.counts(*r) && table.outcome(*r) == super::table::Outcome::Empty)
            })
            .filter_map(|r| table.ttft.get(r))
            .collect(),
    );
    let median = |s: Option<f64>| s.map_or_else(|| "none".to_owned(), |v| format!("{v:.6}"));
    note = note
        .arg("with", median(with.quantile(0.5)))
        .arg("without", median(without.and_then(|s| s.quantile(0.5))));
    reading.note(note);
}

/// Notes on how requests ended and what was said about acceptance.
pub fn ends(reading: &mut Reading, table: &Table, ends: &Ends, unclear: &str) {
    if ends.unclear > 0 {
        reading.note(
            Note::new(NoteLevel::Invalid, "requests-status-unclear")
                .arg("count", ends.unclear)
                .arg("example", unclear),
        );
    }
    if table.has_accepted && ends.not_judged > 0 {
        reading.note(
            Note::new(NoteLevel::Warning, "requests-not-judged")
                .arg("count", ends.not_judged)
                .arg("of", ends.finished - ends.failed().min(ends.finished)),
        );
    }
}

/// Notes on arrivals: late sends, and stretches without any.
pub fn arrivals(reading: &mut Reading, table: &Table, arrivals: &Arrivals) {
    if let Some(delay) = Fact::named("send_delay").map(|f| Sorted::new(f.values(table)))
        && let Some(p99) = delay.quantile(0.99)
    {
        let e2e = Fact::named("e2e_latency").map(|f| Sorted::new(f.values(table)));
        let typical = e2e.and_then(|s| s.quantile(0.5)).unwrap_or(0.0);
        // Late by more than a tenth of an answer, and by more than a timer's grain.
        if p99 > 0.01 && p99 > typical * 0.1 {
            reading.note(
                Note::new(NoteLevel::Warning, "requests-sent-late")
                    .arg("p99", format!("{p99:.6}"))
                    .arg("most", format!("{:.6}", delay.quantile(1.0).unwrap_or(p99))),
            );
        }
    }
    let Some((gap, from)) = arrivals.longest_gap() else {
        return;
    };
    let typical = arrivals.span / arrivals.at.len() as f64;
    if gap < LONG_GAP || gap < arrivals.span * 0.05 || gap < typical * 50.0 {
        return;
    }
    let hours = (gap / 1800.0).round() * 0.5;
    let whole = hours >= 0.5 && (gap - hours * 3600.0).abs() < 30.0_f64.max(typical * 5.0);
    let code = if whole {
        "requests-gap-hours"
    } else {
        "requests-gap"
    };
    reading.note(
        Note::new(NoteLevel::Warning, code)
            .arg("seconds", format!("{gap:.3}"))
            .arg("from", format!("{from:.3}"))
            .arg("hours", hours),
    );
}

/// A column whose values fall into two heaps about a thousand apart is written in two units.
pub fn mixed_units(reading: &mut Reading, table: &Table) {
    for name in ["ttft", "e2e_latency", "tpot"] {
        let Some(fact) = Fact::named(name) else {
            continue;
        };
        let mut logs: Vec<f64> = (0..table.len())
            .filter(|r| fact.of == Population::All || table.is_answered(*r))
            .step_by((table.len() / 50_000).max(1))
            .filter_map(|r| fact.value(table, r))
            .filter(|v| *v > 0.0)
            .map(f64::log10)
            .collect();
        logs.sort_unstable_by(f64::total_cmp);
        let n = logs.len();
        if n < 20 {
            continue;
        }
        let widest =
            (1..n).max_by(|a, b| (logs[*a] - logs[*a - 1]).total_cmp(&(logs[*b] - logs[*b - 1])));
        let Some(at) = widest else { continue };
        let (few, gap) = (at.min(n - at), logs[at] - logs[at - 1]);
        let apart = logs[at + (n - at) / 2] - logs[at / 2];
        // A factor of a thousand between the heaps, an empty decade and a half between them.
        if few * 20 >= n && gap >= 1.5 && (2.7..3.3).contains(&apart) {
            reading.note(
                Note::new(NoteLevel::Invalid, "requests-mixed-units")
                    .arg("signal", name)
                    .arg("share", format!("{:.1}", 100.0 * few as f64 / n as f64)),
            );
        }
    }
}

/// Names what of stage 1 the log does not hold.
pub fn missing(reading: &mut Reading, table: &Table, retries: bool) {
    let absent: [(&str, bool); 9] = [
        ("arrivals", table.at.is_empty()),
        ("ttft", table.ttft.is_empty()),
        (
            "itl",
            table.gaps.is_empty() && !(0..table.len()).any(|r| table.tpot(r).is_some()),
        ),
        ("e2e", table.e2e.is_empty()),
        ("queue", table.queue.is_empty()),
        ("tokens", table.prompt.is_empty() || table.output.is_empty()),
        ("outcome", !table.has_outcome),
        ("retries", table.retries.is_empty() && !retries),
        ("acceptance", !table.has_accepted),
    ];
    for (what, is_absent) in absent {
        if is_absent {
            reading.note(Note::new(NoteLevel::NotCaptured, "requests-missing").arg("what", what));
        }
    }
}
