//! Experiments of a profile export as a [`Reading`].

use super::PARSER;
use super::experiment::{Measured, summary};
use super::visit::Head;
use crate::{
    Bound, Data, Distribution, Kind, Note, NoteLevel, Reading, Refusal, Signal, Statistic, Window,
    reading::tame,
    sweep::{self, LoadPoint, Mode, Part, Sweep, percent_of},
};
use chrono::DateTime;

/// Least and greatest share of the concurrency that the requests must account for before a
/// throughput is taken from them.
const COMPLETE: std::ops::RangeInclusive<f64> = 0.9..=1.1;

/// Everything the experiments say.
pub(super) fn reading(
    file: &str,
    head: &Head,
    experiments: Vec<(String, f64, Measured)>,
) -> Result<Reading, Refusal> {
    let version = head.version.as_deref().map(tame);
    let mut reading = Reading::new(
        Kind::PerfAnalyzerExport,
        PARSER,
        super::super::report::tool(version),
    );
    if experiments.iter().all(|(_, _, m)| m.latencies.is_empty()) {
        let unanswered: usize = experiments.iter().map(|(_, _, m)| m.unanswered).sum();
        return Err(Refusal::new(file, "export-no-answer").arg("count", unanswered));
    }
    window(&mut reading, &experiments);
    let mut sweeps = [Sweep::new(Mode::Concurrency), Sweep::new(Mode::RequestRate)];
    for (i, (mode, value, measured)) in experiments.iter().enumerate() {
        let loaded = value.is_finite() && *value > 0.0;
        let mode = match mode.as_str() {
            "concurrency" => Mode::Concurrency,
            "request_rate" => Mode::RequestRate,
            other => {
                reading
                    .note(Note::new(NoteLevel::Warning, "export-unknown-mode").arg("mode", other));
                continue;
            }
        };
        let label = match (loaded, experiments.len()) {
            (true, _) => Some(("load", value.to_string())),
            (false, 1) => None,
            (false, _) => Some(("experiment", (i + 1).to_string())),
        };
        if loaded && !measured.latencies.is_empty() {
            let point = point(&mut reading, mode, *value, i, measured);
            sweeps[mode as usize].points.push(point);
        } else {
            whole(&mut reading, measured, label.as_ref());
        }
        streamed(&mut reading, measured, label.as_ref());
        counts(&mut reading, measured, label.as_ref());
        distributions(&mut reading, measured, label.as_ref());
        experiment_notes(&mut reading, head, *value, measured);
    }
    let mut sweeps: Vec<Sweep> = sweeps
        .into_iter()
        .filter(|s| !s.points.is_empty())
        .collect();
    let several = sweeps.len() > 1;
    for sweep in &mut sweeps {
        sweep.counts = "entry";
        sweep.of_requests = true;
        sweep.series = several.then(|| ("sweep", sweep.mode.id().to_owned()));
        sweep.settle();
    }
    sweep::add(&mut reading, &sweeps);
    if sweeps.is_empty() {
        reading.note(Note::new(NoteLevel::Info, "export-no-load"));
    }
    reading.note(Note::new(NoteLevel::NotCaptured, "export-context"));
    Ok(reading)
}

fn labelled(signal: Signal, label: Option<&(&str, String)>) -> Signal {
    match label {
        Some((name, value)) => signal.label(name, value),
        None => signal,
    }
}

/// The experiment as a load point. Throughput is taken only if the file holds all requests.
fn point(
    reading: &mut Reading,
    mode: Mode,
    load: f64,
    index: usize,
    measured: &Measured,
) -> LoadPoint {
    let mut point = LoadPoint::at(index as u64 + 1);
    point.load = load;
    point.requests = Some(measured.latencies.len() as u64);
    let mut mean = 0.0;
    for (statistic, seconds) in summary(&measured.latencies) {
        if statistic == Statistic::Mean {
            mean = seconds;
            point.times.insert(Part::Average, seconds);
        } else {
            point.latency.insert(statistic, seconds);
        }
    }
    let Some(seconds) = measured.seconds else {
        reading.note(Note::new(NoteLevel::NotCaptured, "export-no-windows"));
        return point;
    };
    let rate = measured.latencies.len() as f64 / seconds;
    let accounted = match mode {
        Mode::Concurrency => rate * mean / load,
        Mode::RequestRate => rate / load,
    };
    if COMPLETE.contains(&accounted) {
        point.throughput = Some(rate);
        if measured.streamed {
            point.response_throughput = Some(measured.responses as f64 / seconds);
        }
    } else {
        reading.note(
            Note::new(NoteLevel::Warning, "export-incomplete")
                .arg("load", load)
                .arg("share", percent_of(accounted)),
        );
    }
    point
}

/// Latency of an experiment without a load.
fn whole(reading: &mut Reading, measured: &Measured, label: Option<&(&str, String)>) {
    let n = measured.latencies.len() as u64;
    for (statistic, seconds) in summary(&measured.latencies) {
        let signal = Signal::new("e2e_latency", statistic, seconds).samples(n);
        reading.push(labelled(signal, label));
    }
    if let Some(seconds) = measured.seconds.filter(|_| n > 0) {
        let signal = Signal::new("request_throughput", Statistic::Rate, n as f64 / seconds);
        // Nothing tells whether every request is in the file.
        reading.push(labelled(signal.bound(Bound::AtLeast), label));
    }
}

fn streamed(reading: &mut Reading, measured: &Measured, label: Option<&(&str, String)>) {
    if !measured.streamed {
        return;
    }
    let all = [
        ("ttft", &measured.firsts, Bound::Exact),
        // A response may hold several tokens.
        ("itl", &measured.gaps, Bound::Estimate),
        ("tpot", &measured.mean_gaps, Bound::Estimate),
    ];
    for (name, values, bound) in all {
        for (statistic, seconds) in summary(values) {
            let signal = Signal::new(name, statistic, seconds)
                .samples(values.len() as u64)
                .bound(bound);
            reading.push(labelled(signal, label));
        }
    }
    reading.note(Note::new(NoteLevel::Info, "export-responses-not-tokens"));
}

fn counts(reading: &mut Reading, measured: &Measured, label: Option<&(&str, String)>) {
    let mut count = |name: &str, n: usize| {
        let signal = Signal::new(name, Statistic::Total, n as f64);
        reading.push(labelled(signal, label));
    };
    count("finished_requests", measured.latencies.len());
    count("unanswered_requests", measured.unanswered);
}

fn distributions(reading: &mut Reading, measured: &Measured, label: Option<&(&str, String)>) {
    let mut add = |name: &str, values: &[f64]| {
        let data = Data::Values {
            values: values.to_vec(),
            times: measured.starts.clone(),
        };
        let distribution = Distribution::new(name, data);
        reading.push_distribution(match label {
            Some((name, value)) => distribution.label(name, value),
            None => distribution,
        });
    };
    add("e2e_latency", &measured.latencies);
    if measured.streamed {
        add("ttft", &measured.firsts);
    }
}

fn experiment_notes(reading: &mut Reading, head: &Head, load: f64, measured: &Measured) {
    let note = |level, code: &str, count: usize| {
        Note::new(level, code).arg("load", load).arg("count", count)
    };
    if measured.unanswered > 0 {
        reading.note(note(
            NoteLevel::Warning,
            "export-unanswered",
            measured.unanswered,
        ));
    }
    if measured.impossible > 0 {
        reading.note(note(
            NoteLevel::Invalid,
            "export-impossible",
            measured.impossible,
        ));
    }
    if measured.outside > 0 {
        reading.note(note(NoteLevel::Info, "export-outside", measured.outside));
    }
    if let Some((requests, different)) = measured.inputs
        && requests >= 10
        && different * 2 <= requests
    {
        let level = if measured.streamed || head.service_kind.as_deref() == Some("openai") {
            NoteLevel::Warning
        } else {
            NoteLevel::Info
        };
        reading.note(note(level, "export-same-inputs", requests).arg("different", different));
    }
}

fn window(reading: &mut Reading, experiments: &[(String, f64, Measured)]) {
    let spans = || experiments.iter().filter_map(|(_, _, m)| m.span);
    let (Some(first), Some(last)) = (spans().map(|s| s.0).min(), spans().map(|s| s.1).max()) else {
        return;
    };
    let time = |ns: u64| i64::try_from(ns).ok().map(DateTime::from_timestamp_nanos);
    reading.window = Some(Window {
        start: time(first),
        end: time(last),
        seconds: Some((last - first) as f64 / 1e9),
    });
}
