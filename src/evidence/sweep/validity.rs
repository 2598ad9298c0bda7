//! What lowers the trust in a sweep without making it false: late sends, a client at its limit,
//! answers from a cache, a configured batching delay, too few requests, and best values of
//! different loads.

use super::{
    checks::{Findings, percent_of, row_note},
    parts::{Mode, Part},
    points::{LoadPoint, Sweep},
    shares::shares,
};
use crate::{Note, NoteLevel, Statistic};

/// Share of its time at which the tool calls its own client too slow.
const CLIENT_LIMIT: f64 = 0.5;
/// Least queue at one request in flight, in seconds, that a batching delay explains better than
/// the scheduler does.
const LEAST_DELAY: f64 = 200e-6;
/// Least share of queue and compute together.
const DELAY_SHARE: f64 = 0.25;
/// Samples that must lie beyond a percentile before it means anything.
const SAMPLES_BEYOND: f64 = 3.0;

pub(super) fn check(sweep: &Sweep, findings: &mut Findings) {
    let notes = [
        delayed(sweep),
        unsettled(sweep),
        client(sweep),
        cached(sweep),
        batch_delay(sweep),
        mixed_minima(sweep, findings),
    ];
    findings.notes.extend(notes.into_iter().flatten());
    for quantile in sweep.quantiles() {
        findings.notes.extend(few_samples(sweep, quantile));
    }
}

/// The loads of some points, at most eight of them.
fn loads<'a>(points: impl Iterator<Item = &'a LoadPoint>) -> (String, usize) {
    let mut all: Vec<String> = points.map(|p| p.load.to_string()).collect();
    let count = all.len();
    if count > 8 {
        all.truncate(8);
        all.push("…".to_owned());
    }
    (all.join(", "), count)
}

fn warning_of_loads<'a>(
    code: &str,
    sweep: &Sweep,
    points: impl Iterator<Item = &'a LoadPoint>,
) -> Option<Note> {
    let (loads, count) = loads(points);
    let note = Note::new(NoteLevel::Warning, code)
        .arg("loads", loads)
        .arg("count", count);
    let note = match &sweep.series {
        Some((_, name)) => note.arg("series", name),
        None => note,
    };
    (count > 0).then_some(note)
}

/// Requests sent late: the latency does not hold the time they waited before (coordinated omission).
fn delayed(sweep: &Sweep) -> Option<Note> {
    let late = || {
        sweep
            .points
            .iter()
            .filter(|p| p.delayed.is_some_and(|d| d > 0.0))
    };
    let worst = late().filter_map(|p| p.delayed).fold(0.0, f64::max);
    warning_of_loads("sweep-delayed-sends", sweep, late())
        .map(|note| note.arg("greatest", percent_of(worst)))
}

fn unsettled(sweep: &Sweep) -> Option<Note> {
    let points = sweep.points.iter().filter(|p| p.latency_unstable);
    warning_of_loads("sweep-latency-unstable", sweep, points)
}

/// The client took most of the time, or said that it could not keep up.
fn client(sweep: &Sweep) -> Option<Note> {
    let limited = |p: &&LoadPoint| {
        p.client_limited
            || p.overhead.is_some_and(|share| share > CLIENT_LIMIT)
            || shares(sweep, p).is_some_and(|s| s.of_total()[0] > CLIENT_LIMIT)
    };
    warning_of_loads(
        "sweep-client-limit",
        sweep,
        sweep.points.iter().filter(limited),
    )
}

/// Answers from the response cache say how fast the cache is, not the model.
fn cached(sweep: &Sweep) -> Option<Note> {
    let from_cache = |p: &&LoadPoint| {
        p.cache_hits.is_some_and(|hits| hits > 0)
            || p.times.get(&Part::CacheHit).is_some_and(|t| *t > 0.0)
    };
    warning_of_loads(
        "sweep-response-cache",
        sweep,
        sweep.points.iter().filter(from_cache),
    )
}

/// With one request in flight nobody waits behind another: what it waits for is a batch that never
/// fills.
fn batch_delay(sweep: &Sweep) -> Option<Note> {
    if sweep.mode != Mode::Concurrency {
        return None;
    }
    let point = sweep.points.iter().find(|p| p.load == 1.0)?;
    let queue = *point.times.get(&Part::Queue)?;
    let compute = sweep.compute(point)?;
    (queue >= LEAST_DELAY && queue >= DELAY_SHARE * (queue + compute)).then(|| {
        row_note(NoteLevel::Warning, "sweep-batch-delay", sweep, point)
            .arg("queue", format!("{:.3}", queue * 1e3))
            .arg("share", percent_of(queue / (queue + compute)))
    })
}

/// The lowest tail and the highest throughput belong to different loads.
fn mixed_minima(sweep: &Sweep, findings: &Findings) -> Option<Note> {
    let points = findings.sound(sweep);
    let tail = sweep.tail()?;
    let fastest = points.iter().filter(|p| p.tail.is_some()).min_by(|a, b| {
        a.tail
            .partial_cmp(&b.tail)
            .unwrap_or(std::cmp::Ordering::Equal)
    })?;
    let most = points
        .iter()
        .max_by(|a, b| a.throughput.total_cmp(&b.throughput))?;
    (fastest.load != most.load).then(|| {
        let note = Note::new(NoteLevel::Info, "sweep-mixed-minima")
            .arg("statistic", tail)
            .arg("low", fastest.load)
            .arg("high", most.load);
        match &sweep.series {
            Some((_, name)) => note.arg("series", name),
            None => note,
        }
    })
}

/// Loads with too few requests for a percentile.
fn few_samples(sweep: &Sweep, quantile: Statistic) -> Option<Note> {
    let share = 1.0 - quantile.quantile()?;
    let needed = (SAMPLES_BEYOND / share.max(1e-3)).round();
    let few = || {
        sweep.points.iter().filter(|p| {
            p.latency.contains_key(&quantile) && p.requests.is_some_and(|n| (n as f64) < needed)
        })
    };
    let fewest = few().filter_map(|p| p.requests).min()?;
    warning_of_loads("sweep-few-samples", sweep, few()).map(|note| {
        note.arg("statistic", quantile)
            .arg("needed", needed)
            .arg("fewest", fewest)
    })
}
