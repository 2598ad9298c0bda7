//! Runs of a console log as a [`Reading`]: their sweeps, and notes on what the tool itself said
//! against them.

use super::PARSER;
use super::block::Block;
use super::run::{Listed, Run, Summary};
use crate::{
    Cell, Column, Figure, Kind, Note, NoteLevel, Reading, Refusal, Unit,
    sweep::{self, LoadPoint, Mode, Part, Sweep, percent_of},
};
use std::collections::BTreeSet;

/// Windows that are looked at for agreement, as the tool does.
const WINDOWS: usize = 3;
/// Greatest over least that the tool accepts among its windows.
const AGREEMENT: f64 = 1.10;
/// Most rows of the figure of composing models.
const MOST_ROWS: usize = 1000;

/// Everything the runs say.
pub(super) fn reading(file: &str, runs: &[Run]) -> Result<Reading, Refusal> {
    let mut reading = Reading::new(
        Kind::PerfAnalyzerConsole,
        PARSER,
        super::super::report::tool(None),
    );
    let mut sweeps: Vec<Sweep> = Vec::new();
    let mut measured: Vec<&Run> = Vec::new();
    for run in runs {
        for mode in [Mode::Concurrency, Mode::RequestRate] {
            let sweep = sweep_of(run, mode);
            if !sweep.points.is_empty() {
                sweeps.push(sweep);
                measured.push(run);
            }
        }
    }
    if sweeps.is_empty() {
        return Err(nothing(file, runs));
    }
    if sweeps.len() > 1 {
        for (i, (sweep, run)) in sweeps.iter_mut().zip(&measured).enumerate() {
            let name = match &run.settings.model {
                Some(model) => format!("{} {model}", i + 1),
                None => (i + 1).to_string(),
            };
            sweep.series = Some(("sweep", name));
        }
        reading
            .note(Note::new(NoteLevel::Warning, "console-several-runs").arg("count", sweeps.len()));
    }
    sweep::add(&mut reading, &sweeps);
    composing(&mut reading, runs);
    for run in runs {
        run_notes(&mut reading, run);
    }
    general_notes(&mut reading, &sweeps);
    Ok(reading)
}

/// The sweep of one run: its whole blocks, and the lines of the summary that no block stands behind.
fn sweep_of(run: &Run, mode: Mode) -> Sweep {
    let mut sweep = Sweep::new(mode);
    sweep.batch = run.settings.batch;
    let whole = |b: &&Block| b.mode == mode && b.is_complete();
    sweep.points = run
        .blocks
        .iter()
        .filter(whole)
        .map(|b| b.point.clone())
        .collect();
    let known: Vec<f64> = sweep.points.iter().map(|p| p.load).collect();
    for row in run.summary.iter().filter(|r| r.mode == mode) {
        if known.contains(&row.load) {
            continue;
        }
        let mut point = LoadPoint::at(row.line);
        point.load = row.load;
        point.throughput = Some(row.throughput);
        match listed(run) {
            Some(Listed::Average) => {
                point.times.insert(Part::Average, row.latency);
            }
            Some(Listed::Quantile(quantile)) => {
                point.latency.insert(quantile, row.latency);
            }
            // Which latency it is cannot be told: an average is never shown as a percentile.
            None => {}
        }
        sweep.points.push(point);
    }
    sweep.settle();
    sweep
}

/// Which latency the summary lists: its header says it, else the percentile the run was given.
fn listed(run: &Run) -> Option<Listed> {
    run.listed
        .or_else(|| run.settings.percentile.map(Listed::Quantile))
        .or_else(|| run.settings.printed.then_some(Listed::Average))
}

/// Why there is nothing to read: the first number of another locale, or no load measured.
fn nothing(file: &str, runs: &[Run]) -> Refusal {
    let locale = runs
        .iter()
        .flat_map(|r| &r.blocks)
        .find_map(|b| b.locale.as_ref());
    if let Some((line, text)) = locale {
        return Refusal::new(file, "perf-locale-number")
            .arg("line", line)
            .arg("field", "–")
            .arg("text", text)
            .at(format!("line {line}"));
    }
    let unstable: Vec<f64> = runs
        .iter()
        .flat_map(|r| r.unstable.iter().copied())
        .collect();
    let refusal = if unstable.is_empty() {
        Refusal::new(file, "console-no-measured-load")
    } else {
        Refusal::new(file, "console-never-stable").arg("loads", loads(&unstable))
    };
    match runs.iter().flat_map(|r| &r.blocks).next() {
        Some(block) => refusal.at(format!("line {}", block.point.line)),
        None => refusal,
    }
}

fn loads(of: &[f64]) -> String {
    let shown: Vec<String> = of.iter().take(8).map(f64::to_string).collect();
    shown.join(", ")
}

fn run_notes(reading: &mut Reading, run: &Run) {
    let warning = |code: &str| Note::new(NoteLevel::Warning, code);
    if !run.unstable.is_empty() {
        reading.note(warning("sweep-unstable").arg("loads", loads(&run.unstable)));
    }
    if let Some(load) = run.over_limit {
        let note = warning("console-over-limit");
        reading.note(match (load.is_finite(), run.settings.latency_limit_ms) {
            (true, Some(limit)) => note.arg("load", load).arg("limit", limit),
            (true, None) => note.arg("load", load).arg("limit", "–"),
            (false, _) => note.arg("load", "–").arg("limit", "–"),
        });
    }
    dropped(reading, run);
    for (line, text) in run.blocks.iter().filter_map(|b| b.locale.as_ref()).take(3) {
        reading.note(
            Note::new(NoteLevel::Invalid, "console-locale-number")
                .arg("line", line)
                .arg("text", text),
        );
    }
    if run.summary.is_empty() {
        reading.note(warning("console-no-summary"));
    } else {
        disagreements(reading, run);
    }
    stopped_early(reading, run);
    windows(reading, run);
    if run.interrupted {
        reading.note(warning("console-interrupted"));
    }
    if run.failures > 0 {
        reading.note(warning("console-failures").arg("count", run.failures));
    }
    if run.network_floored {
        reading.note(Note::new(NoteLevel::Info, "console-network-floored"));
    }
    if run.left_out > 0 {
        reading.note(warning("console-blocks-left-out").arg("count", run.left_out));
    }
    if run.summary.iter().any(|_| listed(run).is_none()) {
        reading.note(Note::new(NoteLevel::NotCaptured, "console-latency-unknown"));
    }
    settings(reading, run);
}

/// Blocks that end before their percentiles and that the summary does not make up for.
fn dropped(reading: &mut Reading, run: &Run) {
    for block in run.blocks.iter().filter(|b| !b.is_complete()) {
        let load = block.point.load;
        let elsewhere = run
            .summary
            .iter()
            .any(|s| s.load == load && s.mode == block.mode)
            || run.unstable.contains(&load)
            || run.over_limit == Some(load);
        if !elsewhere {
            reading.note(
                Note::new(NoteLevel::Warning, "console-block-incomplete")
                    .arg("load", load)
                    .arg("line", block.point.line),
            );
        }
    }
}

/// A summary line that contradicts the block of its load: the log was edited, or mixes runs.
fn disagreements(reading: &mut Reading, run: &Run) {
    let differs = |row: &Summary| {
        let mut blocks = run
            .blocks
            .iter()
            .filter(|b| b.is_complete() && b.mode == row.mode && b.point.load == row.load)
            .peekable();
        let latency = |b: &Block| match listed(run) {
            Some(Listed::Average) => b.point.times.get(&Part::Average).copied(),
            Some(Listed::Quantile(q)) => b.point.latency.get(&q).copied(),
            None => None,
        };
        let agrees = |b: &Block| {
            let rate = b.point.throughput.unwrap_or(row.throughput);
            // After a delayed load the tool prints two decimals, before it six digits.
            (rate - row.throughput).abs() <= 0.006 + 1e-5 * row.throughput
                && latency(b).is_none_or(|l| (l - row.latency).abs() < 1.5e-6)
        };
        blocks.peek().is_some() && !blocks.any(agrees)
    };
    let all: Vec<f64> = run
        .summary
        .iter()
        .filter(|row| differs(row))
        .map(|row| row.load)
        .collect();
    if !all.is_empty() {
        reading.note(
            Note::new(NoteLevel::Invalid, "console-summary-differs").arg("loads", loads(&all)),
        );
    }
}

/// A sweep that did not get to the limit it was set to.
fn stopped_early(reading: &mut Reading, run: &Run) {
    let Some(limit) = run
        .settings
        .load_limit
        .filter(|_| !run.settings.binary_search)
    else {
        return;
    };
    let tested: BTreeSet<u64> = run
        .blocks
        .iter()
        .map(|b| b.point.load)
        .chain(run.summary.iter().map(|s| s.load))
        .map(f64::to_bits)
        .collect();
    let tested: Vec<f64> = tested.into_iter().map(f64::from_bits).collect();
    let Some(last) = tested.last() else { return };
    let step = match tested[..] {
        [.., before, last] => last - before,
        _ => 0.0,
    };
    if last + step <= limit && *last < limit {
        reading.note(
            Note::new(NoteLevel::Warning, "console-stopped-early")
                .arg("load", last)
                .arg("limit", limit),
        );
    }
}

/// Windows printed with `-v` that differ by more than the tool's own 10 %.
fn windows(reading: &mut Reading, run: &Run) {
    let spread = |block: &Block| {
        let from = block.passes.len().checked_sub(WINDOWS)?;
        let last = &block.passes[from..];
        let ratio = |of: &dyn Fn(&(f64, f64)) -> f64| {
            let low = last.iter().map(of).fold(f64::INFINITY, f64::min);
            let high = last.iter().map(of).fold(0.0, f64::max);
            (low > 0.0).then_some(high / low)
        };
        Some(ratio(&|p| p.0)?.max(ratio(&|p| p.1)?))
    };
    let wide: Vec<(f64, f64)> = run
        .blocks
        .iter()
        .filter(|b| b.is_complete())
        .filter_map(|b| Some((b.point.load, spread(b)?)))
        .filter(|(_, ratio)| *ratio > AGREEMENT)
        .collect();
    let greatest = wide.iter().map(|(_, ratio)| *ratio).fold(1.0, f64::max);
    if !wide.is_empty() {
        let all: Vec<f64> = wide.iter().map(|(load, _)| *load).collect();
        reading.note(
            Note::new(NoteLevel::Warning, "console-windows-differ")
                .arg("loads", loads(&all))
                .arg("greatest", percent_of(greatest - 1.0)),
        );
    }
}

fn settings(reading: &mut Reading, run: &Run) {
    let s = &run.settings;
    let unknown = || "–".to_owned();
    let text = |value: &Option<String>| value.clone().unwrap_or_else(unknown);
    if s.printed {
        reading.note(
            Note::new(NoteLevel::Info, "console-settings")
                .arg("model", text(&s.model))
                .arg("batch", s.batch.map_or_else(unknown, |b| b.to_string()))
                .arg("service", text(&s.service_kind))
                .arg("window", text(&s.window))
                .arg("distribution", text(&s.distribution))
                .arg("calls", text(&s.calls)),
        );
    } else {
        reading.note(Note::new(NoteLevel::NotCaptured, "console-no-settings"));
    }
    if s.batch.is_none() {
        reading.note(Note::new(NoteLevel::NotCaptured, "console-no-batch"));
    }
    if s.decoupled {
        reading.note(Note::new(NoteLevel::Info, "console-decoupled"));
    }
}

fn general_notes(reading: &mut Reading, sweeps: &[Sweep]) {
    let info = |code: &str| Note::new(NoteLevel::Info, code);
    let missing = |code: &str| Note::new(NoteLevel::NotCaptured, code);
    let points = || sweeps.iter().flat_map(|s| &s.points);
    let no_tail = points().filter(|p| p.latency.is_empty()).count();
    if no_tail > 0 {
        reading.note(missing("console-no-tail").arg("count", no_tail));
    }
    if !points().any(|p| p.times.contains_key(&Part::Queue)) {
        reading.note(missing("perf-no-server-columns"));
    }
    let stands_in = |s: &Sweep| {
        s.points.iter().any(|p| {
            !p.times.contains_key(&Part::Average) && p.times.contains_key(&Part::ClientLibrary)
        })
    };
    if sweeps.iter().any(stands_in) {
        reading.note(info("console-average-of-client"));
    }
    if points().any(|p| p.times.contains_key(&Part::NetworkGap)) {
        reading.note(info("console-network-derived"));
    }
    reading.note(info("perf-noise-floor"));
}

/// The server's numbers of the models inside an ensemble.
fn composing(reading: &mut Reading, runs: &[Run]) {
    let parts = [
        ("server_request_time", Part::ServerRequest),
        ("queue_time", Part::Queue),
        ("server_compute_time", Part::Compute),
        ("server_compute_input_time", Part::ComputeInput),
        ("server_compute_infer_time", Part::ComputeInfer),
        ("server_compute_output_time", Part::ComputeOutput),
    ];
    let rows: Vec<Vec<Cell>> = runs
        .iter()
        .flat_map(|r| &r.blocks)
        .filter(|b| b.is_complete())
        .flat_map(|b| b.composing.iter().map(move |m| (b, m)))
        .map(|(block, model)| {
            let mut row = vec![Cell::from(block.point.load), Cell::text(&model.name)];
            row.extend(parts.map(|(_, part)| Cell::from(model.times.get(&part).copied())));
            row.push(Cell::from(model.batch()));
            row
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    let mut columns = vec![
        Column::number("load_tested", Unit::Count),
        Column::text("composing_model"),
    ];
    columns.extend(parts.map(|(id, _)| Column::number(id, Unit::Seconds)));
    columns.push(Column::number("execution_batch_size", Unit::Count));
    reading.figures.push(Figure {
        id: "sweep-composing".to_owned(),
        columns,
        marks: Vec::new(),
        rows_left_out: rows.len().saturating_sub(MOST_ROWS) as u64,
        rows: rows.into_iter().take(MOST_ROWS).collect(),
        plot: None,
    });
}
