//! Sweeps as part of a [`Reading`]: signals per load point, operating point and knee, figures, and
//! the notes of the checks.

use super::{
    analysis::{self, Point, Shape},
    checks::{self, Findings, State, percent_of},
    figures,
    parts::{GPU_FIELDS, Mode, PARTS, Part},
    points::{AverageFrom, LoadPoint, Sweep},
    shares::shares,
};
use crate::{Bound, Cell, Column, Figure, Note, NoteLevel, Reading, Signal, Statistic, Unit};
use std::collections::BTreeMap;

/// Most notes of one code; the rest are counted.
const MOST_ALIKE: usize = 10;

/// Adds everything the sweeps say to a reading of any kind whose list of signals holds
/// [`super::YIELDS`]. Signals of a sweep that is one of several carry its label.
pub fn add(reading: &mut Reading, sweeps: &[Sweep]) {
    let found: Vec<Findings> = sweeps.iter().map(checks::check).collect();
    let sound: Vec<Vec<Point>> = sweeps
        .iter()
        .zip(&found)
        .map(|(sweep, findings)| findings.sound(sweep))
        .collect();
    for (sweep, findings) in sweeps.iter().zip(&found) {
        for (point, state) in sweep.points.iter().zip(&findings.states) {
            point_signals(reading, sweep, point, *state);
        }
    }
    match sweeps {
        [sweep] if !sweep.stage => alone(reading, sweep, &sound[0]),
        [_] => {}
        _ => several(reading, sweeps, &sound),
    }
    let judged: Vec<figures::Judged<'_>> = sweeps
        .iter()
        .zip(&found)
        .map(|(sweep, findings)| (sweep, findings.states.as_slice()))
        .collect();
    if !judged.is_empty() {
        figures::add(reading, &judged, &sound);
    }
    notes(reading, sweeps, found);
}

fn notes(reading: &mut Reading, sweeps: &[Sweep], found: Vec<Findings>) {
    let mut alike: BTreeMap<String, usize> = BTreeMap::new();
    let mut rest = 0;
    for note in found.into_iter().flat_map(|f| f.notes) {
        let seen = alike.entry(note.code.clone()).or_default();
        *seen += 1;
        if *seen <= MOST_ALIKE {
            reading.note(note);
        } else {
            rest += 1;
        }
    }
    if rest > 0 {
        reading.note(Note::new(NoteLevel::Warning, "perf-more-rows").arg("count", rest));
    }
    for mode in [Mode::Concurrency, Mode::RequestRate] {
        if sweeps.iter().any(|s| s.mode == mode && !s.stage) {
            let code = match mode {
                Mode::Concurrency => "perf-closed-loop",
                Mode::RequestRate => "perf-request-rate",
            };
            reading.note(Note::new(NoteLevel::Info, code));
        }
    }
    for quantile in sweeps.iter().flat_map(figures::extra_quantiles) {
        reading.note(Note::new(NoteLevel::Info, "perf-percentile").arg("percentile", quantile));
    }
}

fn labelled(sweep: &Sweep, signal: Signal) -> Signal {
    match &sweep.series {
        Some((name, value)) => signal.label(name, value),
        None => signal,
    }
}

fn point_signals(reading: &mut Reading, sweep: &Sweep, point: &LoadPoint, state: State) {
    let at = |name: &str, statistic, value| {
        labelled(
            sweep,
            Signal::new(name, statistic, value).label("load", point.load),
        )
    };
    let latency = |exact| match (state.saturated, state.unstable) {
        (true, _) => Bound::AtLeast,
        (false, true) => Bound::Estimate,
        (false, false) => exact,
    };
    let counted = |signal: Signal| match point.requests {
        Some(n) => signal.samples(n),
        None => signal,
    };
    if let Some(rate) = point.throughput {
        // The file of a stage has a throughput scaled from that of the ensemble.
        let bound = if sweep.stage {
            Bound::Estimate
        } else {
            Bound::Exact
        };
        reading.push(at(sweep.rate(), Statistic::Rate, rate).bound(bound));
        if let Some(batch) = sweep.batch.filter(|b| *b > 0.0 && !sweep.of_requests) {
            reading.push(at("request_throughput", Statistic::Rate, rate / batch).bound(bound));
        }
    }
    if let Some(rate) = point.response_throughput {
        reading.push(at("response_throughput", Statistic::Rate, rate));
    }
    for (quantile, seconds) in &point.latency {
        let signal = at("e2e_latency", *quantile, *seconds).bound(latency(Bound::Exact));
        reading.push(counted(signal));
    }
    if let Some((mean, from)) = sweep.average_of(point).filter(|_| !sweep.stage) {
        let exact = match from {
            AverageFrom::Column => Bound::Exact,
            _ => Bound::Estimate,
        };
        let signal = at("e2e_latency", Statistic::Mean, mean).bound(latency(exact));
        reading.push(counted(signal));
    }
    for (name, value) in [
        ("execution_batch_size", point.executed_batch),
        ("client_overhead_ratio", point.overhead),
        ("delayed_request_ratio", point.delayed),
    ] {
        let statistic = match name {
            "execution_batch_size" => Statistic::Mean,
            _ => Statistic::Ratio,
        };
        if let Some(value) = value {
            reading.push(at(name, statistic, value));
        }
    }
    part_signals(reading, sweep, point, &at);
}

fn part_signals(
    reading: &mut Reading,
    sweep: &Sweep,
    point: &LoadPoint,
    at: &dyn Fn(&str, Statistic, f64) -> Signal,
) {
    for def in PARTS.iter().filter(|d| d.part != Part::Average) {
        // A stage has no client, and what remains there is scheduling, not network.
        let not_of_stage = matches!(
            def.part,
            Part::ClientSend | Part::Network | Part::ClientReceive
        );
        if let (Some(name), Some(seconds)) = (def.signal, point.times.get(&def.part))
            && !(sweep.stage && not_of_stage)
        {
            let bound = match def.part {
                Part::NetworkGap => Bound::Estimate,
                _ => Bound::Exact,
            };
            reading.push(at(name, Statistic::Mean, *seconds).bound(bound));
        }
    }
    if !sweep.has_time(Part::Compute)
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

/// Operating point, shape and knee of the only sweep, over points fit to be judged.
fn alone(reading: &mut Reading, sweep: &Sweep, points: &[Point]) {
    let Some(found) = analysis::operating_point(points, None) else {
        if sweep.points.iter().all(|p| p.throughput.is_none()) {
            return;
        }
        reading.note(Note::new(NoteLevel::Warning, "perf-no-sound-point"));
        return;
    };
    reading.push(labelled(
        sweep,
        Signal::new(
            "operating_point_throughput",
            Statistic::Rate,
            found.best.throughput,
        ),
    ));
    reading.note(
        Note::new(NoteLevel::Info, "perf-operating-point")
            .arg("load", found.best.load)
            .arg("throughput", found.best.throughput)
            .arg("lowest", found.lowest_load_within_1_percent),
    );
    time_went(reading, sweep, found.best.load);
    let Some(shape) = analysis::shape(points) else {
        return;
    };
    let code = format!("perf-shape-{}", shape.id().replace('_', "-"));
    reading.note(Note::new(NoteLevel::Info, &code));
    let at_the_end = points.last().is_some_and(|p| p.load == found.best.load);
    if at_the_end && shape != Shape::NotSaturated {
        reading.note(Note::new(NoteLevel::Info, "perf-limit-not-reached"));
    }
    if sweep.mode == Mode::Concurrency && shape.can_have_knee() {
        knee(reading, sweep, points);
    }
}

/// Who took the time at the operating point.
fn time_went(reading: &mut Reading, sweep: &Sweep, load: f64) {
    let Some(shares) = sweep
        .points
        .iter()
        .find(|p| p.load == load)
        .and_then(|p| shares(sweep, p))
    else {
        return;
    };
    let [client, network, queue, compute] = shares.of_total().map(percent_of);
    let code = format!("sweep-time-{}", shares.greatest());
    reading.note(
        Note::new(NoteLevel::Info, &code)
            .arg("load", load)
            .arg("client", client)
            .arg("network", network)
            .arg("queue", queue)
            .arg("compute", compute),
    );
}

fn knee(reading: &mut Reading, sweep: &Sweep, points: &[Point]) {
    if let Some(load) = analysis::kneedle(points) {
        let signal = Signal::new("saturation_load", Statistic::Last, load).bound(Bound::Estimate);
        reading.push(labelled(sweep, signal));
        reading.note(Note::new(NoteLevel::Info, "perf-knee").arg("load", load));
    } else if let Some(load) = analysis::farthest_from_chord(points) {
        reading.note(Note::new(NoteLevel::Info, "perf-knee-weak").arg("load", load));
    }
}

/// One row per sweep, and a sentence on the best of them.
fn several(reading: &mut Reading, sweeps: &[Sweep], sound: &[Vec<Point>]) {
    let mut rows = Vec::new();
    let mut best: Option<(&Sweep, Point)> = None;
    for (sweep, points) in sweeps.iter().zip(sound) {
        let found = analysis::operating_point(points, None);
        let shape = analysis::shape(points);
        let knee = shape
            .filter(|s| s.can_have_knee() && sweep.mode == Mode::Concurrency)
            .and_then(|_| analysis::kneedle(points));
        let name = sweep.series.as_ref().map_or("", |(_, name)| name);
        rows.push(vec![
            Cell::text(name),
            Cell::from(sweep.points.len() as f64),
            Cell::from(found.map(|f| f.best.load)),
            Cell::from(found.map(|f| f.best.throughput)),
            Cell::from(found.and_then(|f| f.best.tail)),
            Cell::from(knee),
            shape.map_or(Cell::NONE, |s| Cell::text(s.id())),
        ]);
        if let Some(found) = found.filter(|_| !sweep.stage) {
            let signal = Signal::new(
                "operating_point_throughput",
                Statistic::Rate,
                found.best.throughput,
            );
            reading.push(labelled(sweep, signal));
            if best.is_none_or(|(_, b)| found.best.throughput > b.throughput) {
                best = Some((sweep, found.best));
            }
        }
    }
    let name = sweeps
        .iter()
        .find_map(Sweep::series_column)
        .unwrap_or("sweep_name");
    reading.figures.push(Figure {
        id: "sweep-series".to_owned(),
        columns: vec![
            Column::text(name),
            Column::number("load_points", Unit::Count),
            Column::number("best_load", Unit::Count),
            Column::number(
                sweeps.first().map_or("inference_throughput", Sweep::rate),
                Unit::PerSecond,
            ),
            Column::number("latency_tail", Unit::Seconds),
            Column::number("knee_load", Unit::Count),
            Column::text("curve_shape"),
        ],
        rows,
        plot: None,
        marks: Vec::new(),
        rows_left_out: 0,
    });
    if let Some((sweep, point)) = best {
        reading.note(
            Note::new(NoteLevel::Info, "sweep-best-series")
                .arg("series", sweep.series.as_ref().map_or("", |(_, name)| name))
                .arg("load", point.load)
                .arg("throughput", point.throughput)
                .arg("count", sweeps.len()),
        );
    }
}
