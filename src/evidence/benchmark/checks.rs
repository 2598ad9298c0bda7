//! What is checked of every run: whether it ended, whether its requests worked, whether the load
//! was the one asked for, and whether its numbers can be true together.

use super::{load::Place, run::Run, validity::shown};
use crate::{Note, NoteLevel, Statistic};

/// Least share of the rate asked for, before noise.
const LEAST_RATE: f64 = 0.95;
/// Share of the latency that waiting in the load generator may be.
const MOST_DELAY: f64 = 0.10;
/// Share by which the number of gaps may differ from that of tokens.
const GAPS: f64 = 0.05;

/// Runs every check; a run that was sent late is marked so.
pub fn run(run: &mut Run, place: &Place) -> Vec<Note> {
    let mut notes = Vec::new();
    let note = |level, code: &str| Note::new(level, code).arg("run", &place.shown);
    outcome(run, &note, &mut notes);
    if !run.of_server {
        load(run, place, &note, &mut notes);
        little(run, &note, &mut notes);
        totals(run, &note, &mut notes);
    }
    chunks(run, &note, &mut notes);
    second_token(run, &note, &mut notes);
    notes
}

type Make<'m> = &'m dyn Fn(NoteLevel, &str) -> Note;

fn outcome(run: &Run, note: Make<'_>, notes: &mut Vec<Note>) {
    if run.completed == Some(0) || run.good() == Some(0) {
        notes.push(note(NoteLevel::Invalid, "bench-none-completed"));
    }
    if let (Some(empty), Some(completed)) = (run.without_token.filter(|n| *n > 0), run.completed) {
        let told = run.said("ttft", Statistic::P50);
        let own = run.own.get("ttft").map(|s| s.quantiles(&[0.5]));
        let own = own.and_then(|q| Some(q.first()?.0));
        let value = |v: Option<f64>| v.map_or("–".to_owned(), |v| shown("ttft", v));
        notes.push(
            note(NoteLevel::Warning, "bench-no-token")
                .arg("count", empty)
                .arg("completed", completed)
                .arg("told", value(told))
                .arg("own", value(own)),
        );
    }
    if let (Some(planned), Some(ended)) = (run.planned, run.ended())
        && run.failed.is_some()
        && ended < planned
    {
        notes.push(
            note(NoteLevel::Warning, "bench-fewer-than-planned")
                .arg("planned", planned)
                .arg("ended", ended),
        );
    }
    // Without a count of failures, what is missing may have failed or never been sent.
    if let (Some(planned), Some(completed), None) = (run.planned, run.completed, run.failed)
        && completed < planned
    {
        notes.push(
            note(NoteLevel::Warning, "bench-missing-requests")
                .arg("planned", planned)
                .arg("completed", completed),
        );
    }
    if let Some(n) = run.unfinished.filter(|n| *n > 0) {
        notes.push(note(NoteLevel::Warning, "bench-unfinished").arg("count", n));
    }
    if let (Some(failed), Some(ended)) = (run.failed, run.ended())
        && failed * 2 > ended
    {
        notes.push(
            note(NoteLevel::Warning, "bench-mostly-failed")
                .arg("failed", failed)
                .arg("ended", ended),
        );
    }
}

/// Mean time in the system: measured, or put together from its parts.
fn stay(run: &Run) -> Option<f64> {
    run.mean("e2e_latency").or_else(|| {
        let tokens = run.said("generation_tokens", Statistic::Total)? / run.completed? as f64;
        Some(run.mean("ttft")? + run.mean("tpot")? * (tokens - 1.0).max(0.0))
    })
}

/// Whether the run has a latency that a load would explain.
fn stay_or_wait(run: &Run) -> bool {
    run.mean("ttft").is_some() || stay(run).is_some()
}

/// How the load was made, and whether it was the load asked for.
fn load(run: &mut Run, place: &Place, note: Make<'_>, notes: &mut Vec<Note>) {
    let info = |code| note(NoteLevel::Info, code);
    match (run.rate, run.concurrency) {
        (None, Some(n)) => notes.push(info("bench-closed-loop").arg("concurrency", n)),
        (Some(rate), Some(n)) => notes.push(
            info("bench-capped-rate")
                .arg("rate", rate)
                .arg("concurrency", n),
        ),
        (Some(rate), None) => notes.push(info("bench-open-loop").arg("rate", rate)),
        (None, None) if run.unlimited => notes.push(note(NoteLevel::Warning, "bench-burst")),
        // Of several runs without a load one note speaks; without a latency none is missed.
        (None, None) if place.labels.is_empty() && stay_or_wait(run) => {
            notes.push(note(NoteLevel::NotCaptured, "bench-load-not-in-file"));
        }
        (None, None) => {}
    }
    let Some(rate) = run.rate else { return };
    let n = run.ended().or(run.planned).unwrap_or(0) as f64;
    // Random arrivals come in as many as they will: 1.65 standard deviations are allowed for.
    let noise = if n > 0.0 { 1.65 / n.sqrt() } else { 0.1 };
    let least = rate * (LEAST_RATE - noise);
    if let Some(sent) = run.send_rate.filter(|sent| *sent < least) {
        run.late = true;
        notes.push(
            note(NoteLevel::Warning, "bench-rate-not-sent")
                .arg("rate", rate)
                .arg("sent", format!("{sent:.2}")),
        );
    }
    if let (Some(duration), Some(done)) = (run.duration, run.ended()) {
        // The last answer comes after the last request; what it takes is not sending.
        let sending = duration - stay(run).unwrap_or(0.0).min(duration / 2.0);
        let kept = done as f64 / sending;
        if kept < least {
            run.late = true;
            notes.push(
                note(NoteLevel::Warning, "bench-falling-behind")
                    .arg("rate", rate)
                    .arg("kept", format!("{kept:.2}")),
            );
        }
    }
    if let (Some(delay), Some(stay)) = (run.mean("send_delay"), stay(run))
        && delay > MOST_DELAY * stay
    {
        run.late = true;
        notes.push(
            note(NoteLevel::Warning, "bench-late-sends")
                .arg("delay", shown("send_delay", delay))
                .arg("latency", shown("e2e_latency", stay)),
        );
    }
}

/// Little's law in a closed loop: no more requests can be in flight than there are clients.
fn little(run: &Run, note: Make<'_>, notes: &mut Vec<Note>) {
    let (Some(n), Some(rate), Some(stay)) = (run.concurrency, run.throughput(), stay(run)) else {
        return;
    };
    let implied = rate * stay;
    let implied_shown = format!("{implied:.1}");
    if implied > 1.10 * n {
        notes.push(
            note(NoteLevel::Warning, "bench-little")
                .arg("implied", implied_shown)
                .arg("concurrency", n),
        );
    } else if run.rate.is_none() && implied < 0.70 * n {
        notes.push(
            note(NoteLevel::Info, "bench-ramp")
                .arg("implied", implied_shown)
                .arg("concurrency", n),
        );
    }
}

/// Requests over the run's length is the throughput; tokens over it too.
fn totals(run: &Run, note: Make<'_>, notes: &mut Vec<Note>) {
    let Some(duration) = run.duration else { return };
    let done = run.completed.map(|n| n as f64);
    let pairs = [
        ("request_throughput", done),
        (
            "generation_token_throughput",
            run.said("generation_tokens", Statistic::Total),
        ),
    ];
    for (name, total) in pairs {
        let (Some(rate), Some(total)) = (run.said(name, Statistic::Rate), total) else {
            continue;
        };
        // A console rounds to two places.
        let slack = 0.02 * total + 0.006 * duration + 0.006 * rate;
        if (rate * duration - total).abs() > slack {
            notes.push(
                note(NoteLevel::Warning, "bench-totals")
                    .arg("signal", name)
                    .arg("rate", format!("{rate:.4}"))
                    .arg("total", total)
                    .arg("seconds", format!("{duration:.2}")),
            );
        }
    }
}

/// A gap between chunks is a gap between tokens only when a chunk holds one token.
fn chunks(run: &mut Run, note: Make<'_>, notes: &mut Vec<Note>) {
    let gaps = match run.own.get("itl") {
        Some(sample) => Some(sample.len()),
        None => run
            .told
            .get(&("itl", Statistic::Mean))
            .and_then(|t| t.samples),
    };
    let tokens = run.own.get("output_length").map(|s| (s.sum(), s.len()));
    let tokens = tokens.or_else(|| {
        let sum = run.said("generation_tokens", Statistic::Total)?;
        Some((sum, run.good()?))
    });
    if let (Some(gaps), Some((tokens, requests))) = (gaps.filter(|g| *g > 0), tokens) {
        let expected = tokens - requests as f64;
        if expected > 0.0 && (gaps as f64 / expected - 1.0).abs() > GAPS {
            run.rough.insert("itl");
            notes.push(
                note(NoteLevel::Warning, "bench-chunks")
                    .arg("gaps", gaps)
                    .arg("expected", format!("{expected:.0}")),
            );
        }
    }
    if let (Some(mean), Some(median)) = (run.mean("itl"), run.quantile("itl", Statistic::P50))
        && median < 0.2 * mean
    {
        run.rough.insert("itl");
        notes.push(
            note(NoteLevel::Warning, "bench-chunk-median")
                .arg("median", shown("itl", median))
                .arg("mean", shown("itl", mean)),
        );
    }
    per_token(run, note, notes);
}

/// A mean time per output token against its own definition.
fn per_token(run: &mut Run, note: Make<'_>, notes: &mut Vec<Note>) {
    if run.own.contains_key("tpot") || run.of_server {
        return;
    }
    let length = run
        .mean("output_length")
        .or_else(|| Some(run.said("generation_tokens", Statistic::Total)? / run.good()? as f64));
    let parts = (
        run.said("tpot", Statistic::Mean),
        run.mean("e2e_latency"),
        run.mean("ttft"),
        length.filter(|l| *l > 2.0),
    );
    let (Some(told), Some(e2e), Some(ttft), Some(length)) = parts else {
        return;
    };
    let expected = (e2e - ttft) / (length - 1.0);
    // The mean of quotients is not the quotient of means: only a gross difference counts.
    if expected > 0.0 && !(0.7..=1.5).contains(&(told / expected)) {
        run.rough.insert("tpot");
        notes.push(
            note(NoteLevel::Warning, "bench-per-token")
                .arg("told", shown("tpot", told))
                .arg("expected", shown("tpot", expected)),
        );
    }
}

/// The second token comes about as fast as any other, or the first one was none.
fn second_token(run: &Run, note: Make<'_>, notes: &mut Vec<Note>) {
    let second = run.quantile("time_to_second_token", Statistic::P50);
    let usual = ["itl", "tpot"]
        .into_iter()
        .filter_map(|n| run.quantile(n, Statistic::P50))
        .find(|v| *v > 0.0);
    let (Some(second), Some(usual)) = (second, usual) else {
        return;
    };
    if !(0.1..=10.0).contains(&(second / usual)) {
        notes.push(
            note(NoteLevel::Warning, "bench-second-token")
                .arg("second", shown("itl", second))
                .arg("usual", shown("itl", usual)),
        );
    }
}
