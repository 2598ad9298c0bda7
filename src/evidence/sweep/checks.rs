//! The checks every sweep goes through, and what they find.
//!
//! A point that cannot be true is named with its place and makes the evidence invalid; a saturated
//! one keeps its latencies as lower bounds only. What only lowers trust is in `validity.rs`.

use super::{
    analysis::{self, Little, Point},
    parts::{Field, Mode, Part},
    points::{AverageFrom, Defect, LoadPoint, Sweep},
    validity,
};
use crate::{Note, NoteLevel};

/// Most rows that get a note of their own for one check.
const MOST_NAMED: usize = 10;

/// What is known of one load point beside its numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct State {
    /// Little's law: implied over stated concurrency, less one.
    pub residual: Option<f64>,
    /// Share of the target rate that was achieved.
    pub achieved: Option<f64>,
    /// The target rate was not achieved, or requests were sent late: latencies are lower bounds.
    pub saturated: bool,
    /// The tool said that the latency did not settle.
    pub unstable: bool,
    /// Something about the row cannot be true.
    pub invalid: bool,
}

/// Findings about a sweep.
#[derive(Debug)]
pub struct Findings {
    /// One state per load point.
    pub states: Vec<State>,
    /// Notes, the gravest where they belong.
    pub notes: Vec<Note>,
}

impl Findings {
    /// The points that are fit to be judged, with the sweep's own tail. A load measured more than
    /// once counts as its slower run: the best of several is no measurement.
    pub fn sound(&self, sweep: &Sweep) -> Vec<Point> {
        let tail = sweep.tail();
        let mut points: Vec<Point> = Vec::new();
        for next in self
            .sound_points(sweep)
            .filter_map(|point| sweep.analysed_by(point, tail))
        {
            match points.last_mut() {
                Some(last) if last.load == next.load => {
                    last.throughput = last.throughput.min(next.throughput);
                    last.tail = last.tail.zip(next.tail).map(|(a, b)| a.max(b));
                    last.mean = last.mean.zip(next.mean).map(|(a, b)| a.max(b));
                }
                _ => points.push(next),
            }
        }
        points
    }

    /// The load points that are fit to be judged.
    pub fn sound_points<'a>(&'a self, sweep: &'a Sweep) -> impl Iterator<Item = &'a LoadPoint> {
        let fit = |s: &State| !s.invalid && !s.saturated && !s.unstable;
        sweep
            .points
            .iter()
            .zip(&self.states)
            .filter(move |(_, state)| fit(state))
            .map(|(point, _)| point)
    }
}

/// Runs every check.
pub fn check(sweep: &Sweep) -> Findings {
    let mut findings = Findings {
        states: vec![State::default(); sweep.points.len()],
        notes: Vec::new(),
    };
    defects(sweep, &mut findings);
    quantiles(sweep, &mut findings);
    if sweep.stage {
        return findings;
    }
    for (point, state) in sweep.points.iter().zip(&mut findings.states) {
        state.unstable = point.latency_unstable;
    }
    match sweep.mode {
        Mode::Concurrency => little(sweep, &mut findings),
        Mode::RequestRate => saturation(sweep, &mut findings),
    }
    average_gaps(sweep, &mut findings);
    repeats(sweep, &mut findings);
    validity::check(sweep, &mut findings);
    findings
}

/// A note about one point, with its place.
pub(super) fn row_note(level: NoteLevel, code: &str, sweep: &Sweep, point: &LoadPoint) -> Note {
    Note::new(level, code)
        .arg("place", sweep.place(point))
        .arg("load", point.load)
}

/// Adds at most [`MOST_NAMED`] notes, then one that counts the rest.
pub(super) fn add_capped(findings: &mut Findings, level: NoteLevel, notes: Vec<Note>) {
    let rest = notes.len().saturating_sub(MOST_NAMED);
    findings.notes.extend(notes.into_iter().take(MOST_NAMED));
    if rest > 0 {
        findings
            .notes
            .push(Note::new(level, "perf-more-rows").arg("count", rest));
    }
}

fn defects(sweep: &Sweep, findings: &mut Findings) {
    for ((defect, field), lines) in &sweep.defects {
        let (level, code) = match defect {
            Defect::Missing => (NoteLevel::NotCaptured, "perf-cell-missing"),
            Defect::Impossible => (NoteLevel::Invalid, "perf-impossible-value"),
        };
        let mut shown: Vec<String> = lines.iter().take(5).map(u64::to_string).collect();
        if lines.len() > shown.len() {
            shown.push("…".to_owned());
        }
        findings.notes.push(
            Note::new(level, code)
                .arg("field", field.heading(sweep.mode))
                .arg("lines", shown.join(", "))
                .arg("count", lines.len()),
        );
        if *defect == Defect::Impossible && !matches!(field, Field::Gpu(_)) {
            for (point, state) in sweep.points.iter().zip(&mut findings.states) {
                state.invalid |= lines.contains(&point.line);
            }
        }
    }
}

/// Quantiles never fall: p50 ≤ p90 ≤ p95 ≤ p99.
fn quantiles(sweep: &Sweep, findings: &mut Findings) {
    let mut notes = Vec::new();
    for (point, state) in sweep.points.iter().zip(&mut findings.states) {
        let found: Vec<_> = point.latency.iter().collect();
        let Some(pair) = found.windows(2).find(|w| w[0].1 > w[1].1) else {
            continue;
        };
        state.invalid = true;
        notes.push(
            row_note(NoteLevel::Invalid, "perf-quantiles-fall", sweep, point)
                .arg("lower", pair[0].0)
                .arg("upper", pair[1].0),
        );
    }
    add_capped(findings, NoteLevel::Invalid, notes);
}

/// Inferences per request: as stated, else as the numbers suggest, which is noted, else one.
fn batch_of(sweep: &Sweep, hint: Option<u32>, findings: &mut Findings) -> f64 {
    if sweep.of_requests {
        return 1.0;
    }
    if let Some(stated) = sweep.batch {
        return stated;
    }
    let note = |batch| Note::new(NoteLevel::Info, "perf-batch-hint").arg("batch", batch);
    findings.notes.extend(hint.map(note));
    f64::from(hint.unwrap_or(1))
}

/// Little's law, closed loop: requests per second × average latency = concurrency.
fn little(sweep: &Sweep, findings: &mut Findings) {
    let all: Vec<Point> = sweep
        .points
        .iter()
        .filter_map(|p| sweep.analysed(p))
        .collect();
    let batch = batch_of(sweep, analysis::batch_hint(&all), findings);
    let rebuilt = sweep.average_from() == AverageFrom::ComponentSum;
    let mut notes = Vec::new();
    for (point, state) in sweep.points.iter().zip(&mut findings.states) {
        let Some(found) = sweep
            .analysed(point)
            .and_then(|analysed| Little::of(&analysed, batch))
        else {
            continue;
        };
        state.residual = Some(found.residual());
        if found.holds() || holds_but_for_truncation(sweep, point, batch) {
            continue;
        }
        // The tool floors the network at 0 when the server's times exceed the client's: then a
        // rebuilt average is too great, and the row itself may be sound.
        let floored = rebuilt && point.times.get(&Part::Network) == Some(&0.0);
        state.invalid |= !floored;
        let level = if floored {
            NoteLevel::Warning
        } else {
            NoteLevel::Invalid
        };
        notes.push(
            row_note(level, "perf-little", sweep, point)
                .arg("implied", format!("{:.1}", found.implied))
                .arg("residual", percent(found.residual())),
        );
    }
    add_capped(findings, NoteLevel::Warning, notes);
}

/// Whether the residual is within 10 % once the fractions of microseconds that the file cuts off
/// are given back. They matter for answers of tens of microseconds.
fn holds_but_for_truncation(sweep: &Sweep, point: &LoadPoint, batch: f64) -> bool {
    let cut = match sweep.average_from() {
        AverageFrom::ComponentSum => point.times.len() as f64,
        _ => 1.0,
    } * 1e-6;
    sweep.analysed(point).is_some_and(|mut analysed| {
        let low = Little::of(&analysed, batch).map_or(0.0, Little::residual);
        analysed.mean = analysed.mean.map(|mean| mean + cut);
        let high = Little::of(&analysed, batch).map_or(0.0, Little::residual);
        low <= 0.10 && high >= -0.10
    })
}

/// Share of the target rate achieved; below 95 % a point is saturated.
fn saturation(sweep: &Sweep, findings: &mut Findings) {
    let all: Vec<Point> = sweep
        .points
        .iter()
        .filter_map(|p| sweep.analysed(p))
        .collect();
    let batch = batch_of(sweep, analysis::rate_batch_hint(&all), findings);
    for (point, state) in sweep.points.iter().zip(&mut findings.states) {
        state.achieved = sweep.analysed(point).map(|p| analysis::achieved(&p, batch));
        state.saturated = state.achieved.is_some_and(|a| a < analysis::LEAST_ACHIEVED)
            || point.delayed.is_some_and(|d| d > 0.0);
    }
    let short = |s: &State| s.achieved.is_some_and(|a| a < analysis::LEAST_ACHIEVED);
    let saturated = findings.states.iter().filter(|s| short(s)).count();
    let first = sweep
        .points
        .iter()
        .zip(&findings.states)
        .find(|(_, state)| short(state));
    if let Some((point, state)) = first {
        findings.notes.push(
            row_note(NoteLevel::Warning, "perf-saturated-rate", sweep, point)
                .arg("achieved", percent_of(state.achieved.unwrap_or_default()))
                .arg("count", saturated),
        );
    }
}

/// Verbose average against the sum of the parts. Cache columns are left out: there the two differ
/// by design.
fn average_gaps(sweep: &Sweep, findings: &mut Findings) {
    if sweep.has_time(Part::CacheHit) || sweep.has_time(Part::CacheMiss) {
        return;
    }
    let notes = sweep
        .points
        .iter()
        .filter_map(|point| {
            let gap = sweep.average_gap(point)?;
            let seconds = gap * point.times.get(&Part::Average)?;
            // Every part is truncated to whole microseconds.
            (gap > 0.01 && seconds > 10e-6).then(|| {
                row_note(NoteLevel::Warning, "perf-average-differs", sweep, point)
                    .arg("gap", percent_of(gap))
            })
        })
        .collect();
    add_capped(findings, NoteLevel::Warning, notes);
}

/// The same load twice: both stay, and the spread is said.
fn repeats(sweep: &Sweep, findings: &mut Findings) {
    let mut notes = Vec::new();
    for group in sweep.points.chunk_by(|a, b| a.load == b.load) {
        if group.len() < 2 {
            continue;
        }
        let throughput: Vec<f64> = group.iter().filter_map(|p| p.throughput).collect();
        let mut lines = vec![sweep.place(&group[0])];
        lines.extend(group.iter().skip(1).take(4).map(|p| p.line.to_string()));
        notes.push(
            Note::new(NoteLevel::Warning, "perf-load-repeated")
                .arg("load", group[0].load)
                .arg("count", group.len())
                .arg("lines", lines.join(", "))
                .arg(
                    "spread",
                    spread(&throughput).map_or("–".to_owned(), percent_of),
                ),
        );
    }
    add_capped(findings, NoteLevel::Warning, notes);
}

/// Greatest less least as a share of the least.
fn spread(values: &[f64]) -> Option<f64> {
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    (low > 0.0).then(|| high / low - 1.0)
}

/// A signed share in percent, for a message.
fn percent(share: f64) -> String {
    format!("{:+.1}", share * 100.0)
}

/// A share in percent, for a message.
pub fn percent_of(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
