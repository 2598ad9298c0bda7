//! A sweep as a [`Reading`]: its signals per load point, its operating point and knee, its
//! figures, and the notes on what the file does not say.

use super::{
    analysis::{self, Shape},
    average::AverageFrom,
    checks::{self, Findings, State},
    columns::{Field, GPU_FIELDS, Mode, PARTS, Part},
    figures,
    rows::{LoadPoint, Sweep},
};
use crate::{Bound, Kind, Note, NoteLevel, Reading, Signal, Statistic, Tool};

/// Version of this parser.
pub const PARSER: &str = "1.0";

/// Everything a sweep says.
pub fn reading(sweep: &Sweep) -> Reading {
    let tool = Tool {
        name: "perf_analyzer".to_owned(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(Kind::PerfAnalyzerCsv, PARSER, tool);
    let findings = checks::check(sweep);
    for (point, state) in sweep.points.iter().zip(&findings.states) {
        point_signals(&mut reading, sweep, point, *state);
    }
    if !sweep.is_ensemble_stage() {
        operating_point(&mut reading, sweep, &findings);
    }
    figures::add(&mut reading, sweep, &findings.states);
    for note in findings.notes {
        reading.note(note);
    }
    file_notes(&mut reading, sweep);
    reading
}

fn point_signals(reading: &mut Reading, sweep: &Sweep, point: &LoadPoint, state: State) {
    let stage = sweep.is_ensemble_stage();
    let at = |name: &str, statistic, value| {
        Signal::new(name, statistic, value).label("load", point.load)
    };
    if let Some(rate) = point.throughput {
        // The file of a stage has a throughput scaled from that of the ensemble.
        let bound = if stage { Bound::Estimate } else { Bound::Exact };
        reading.push(at("inference_throughput", Statistic::Rate, rate).bound(bound));
    }
    if let Some(rate) = point.response_throughput {
        reading.push(at("response_throughput", Statistic::Rate, rate));
    }
    let latency = |exact| {
        if state.saturated {
            Bound::AtLeast
        } else {
            exact
        }
    };
    for (quantile, seconds) in &point.latency {
        reading.push(at("e2e_latency", *quantile, *seconds).bound(latency(Bound::Exact)));
    }
    if let Some(mean) = sweep.average(point).filter(|_| !stage) {
        let exact = match sweep.average_from() {
            AverageFrom::Column => Bound::Exact,
            _ => Bound::Estimate,
        };
        reading.push(at("e2e_latency", Statistic::Mean, mean).bound(latency(exact)));
    }
    for def in PARTS.iter().filter(|d| d.part != Part::Average) {
        // A stage has no client, and what remains there is scheduling, not network.
        let not_of_stage = matches!(
            def.part,
            Part::ClientSend | Part::Network | Part::ClientReceive
        );
        if let (Some(name), Some(seconds)) = (def.signal, point.times.get(&def.part))
            && !(stage && not_of_stage)
        {
            reading.push(at(name, Statistic::Mean, *seconds));
        }
    }
    if !sweep.header.has_time(Part::Compute)
        && let Some(seconds) = sweep.compute(point)
    {
        reading.push(at("server_compute_time", Statistic::Mean, seconds));
    }
    for (gpu, values) in &point.gpus {
        for (field, _, name) in GPU_FIELDS {
            if let Some(value) = values.get(field) {
                let statistic = match *name {
                    "gpu_memory_used" => Statistic::Max,
                    "gpu_memory_total" => Statistic::Last,
                    _ => Statistic::Mean,
                };
                reading.push(at(name, statistic, *value).label("gpu", gpu));
            }
        }
    }
}

/// The best point and the knee, over points that are neither saturated nor impossible.
fn operating_point(reading: &mut Reading, sweep: &Sweep, findings: &Findings) {
    let points = findings.sound(sweep);
    let Some(found) = analysis::operating_point(&points, None) else {
        reading.note(Note::new(NoteLevel::Warning, "perf-no-sound-point"));
        return;
    };
    reading.push(Signal::new(
        "operating_point_throughput",
        Statistic::Rate,
        found.best.throughput,
    ));
    reading.note(
        Note::new(NoteLevel::Info, "perf-operating-point")
            .arg("load", found.best.load)
            .arg("throughput", found.best.throughput)
            .arg("lowest", found.lowest_load_within_1_percent),
    );
    let Some(shape) = analysis::shape(&points) else {
        return;
    };
    let code = format!("perf-shape-{}", shape.id().replace('_', "-"));
    reading.note(Note::new(NoteLevel::Info, &code));
    let at_the_end = points.last().is_some_and(|p| p.load == found.best.load);
    if at_the_end && shape != Shape::NotSaturated {
        reading.note(Note::new(NoteLevel::Info, "perf-limit-not-reached"));
    }
    if sweep.header.mode == Mode::Concurrency && shape.can_have_knee() {
        knee(reading, &points);
    }
}

fn knee(reading: &mut Reading, points: &[analysis::Point]) {
    if let Some(load) = analysis::kneedle(points) {
        reading.push(Signal::new("saturation_load", Statistic::Last, load).bound(Bound::Estimate));
        reading.note(Note::new(NoteLevel::Info, "perf-knee").arg("load", load));
    } else if let Some(load) = analysis::farthest_from_chord(points) {
        reading.note(Note::new(NoteLevel::Info, "perf-knee-weak").arg("load", load));
    }
}

/// What the file does not say, or says in a way that must be known.
fn file_notes(reading: &mut Reading, sweep: &Sweep) {
    let header = &sweep.header;
    let stage = sweep.is_ensemble_stage();
    let info = |code| Note::new(NoteLevel::Info, code);
    let missing = |code| Note::new(NoteLevel::NotCaptured, code);
    reading.note(missing("perf-context-not-in-file"));
    if stage {
        reading.note(Note::new(NoteLevel::Warning, "perf-ensemble-stage"));
    } else {
        if header.quantiles().is_empty() {
            reading.note(missing("perf-no-percentiles"));
        } else {
            reading.note(missing("perf-no-request-count"));
        }
        match sweep.average_from() {
            AverageFrom::Column => {}
            AverageFrom::ComponentSum => reading.note(info("perf-average-rebuilt")),
            AverageFrom::NotWithCacheColumns => reading.note(missing("perf-no-average-cache")),
            AverageFrom::NotWithoutServerColumns => {
                reading.note(missing("perf-no-average-server"));
            }
        }
        reading.note(info(match header.mode {
            Mode::Concurrency => "perf-closed-loop",
            Mode::RequestRate => "perf-request-rate",
        }));
    }
    if !header.has_time(Part::Queue) {
        reading.note(missing("perf-no-server-columns"));
    }
    for quantile in figures::extra_quantiles(header) {
        reading.note(info("perf-percentile").arg("percentile", quantile));
    }
    reading.note(info("perf-noise-floor"));
    if sweep.surplus_comma {
        reading.note(info("perf-surplus-comma"));
    }
    if let Some(line) = sweep.cut_line {
        reading.note(Note::new(NoteLevel::Warning, "perf-cut-row").arg("line", line));
    }
    let unknown: Vec<&str> = header
        .fields
        .iter()
        .zip(&header.headings)
        .filter(|(field, _)| **field == Field::Unknown)
        .map(|(_, heading)| heading.as_str())
        .collect();
    if !unknown.is_empty() {
        reading.note(info("perf-unknown-columns").arg("columns", unknown.join(", ")));
    }
}
