//! Runs as a [`Reading`]: signals per run, facts, observations, figures and notes.

use super::{
    PARSER, checks, figures,
    load::{self, Axis, Place},
    run::{Results, Rule, Run, is_latency},
    sample::Sample,
    validity,
};
use crate::{
    Bound, Distribution, Kind, Note, NoteLevel, Reading, Signal, Statistic, Tool, Window,
    sweep::analysis::{self, Point},
};
use chrono::DateTime;
use std::collections::{BTreeMap, BTreeSet};

/// Quantiles computed from values in every case.
const QUANTILES: [Statistic; 4] = [
    Statistic::P50,
    Statistic::P90,
    Statistic::P95,
    Statistic::P99,
];

/// Signals whose observations a comparison uses, the most wanted first: there is a cap.
const OBSERVED: [&str; 7] = [
    "e2e_latency",
    "ttft",
    "tpot",
    "prompt_length",
    "output_length",
    "itl",
    "normalized_latency",
];

/// Notes on the tool, the same for each of its runs.
const OF_THE_TOOL: [&str; 7] = [
    "bench-guidellm-names",
    "bench-llmperf-itl",
    "bench-table-rounded",
    "bench-server-export",
    "bench-no-goodput",
    "bench-offline",
    "bench-latency-of-batches",
];

/// Everything that the results say.
pub fn reading(mut results: Results) -> Reading {
    let tool = Tool {
        name: results.tool.to_owned(),
        version: results.version.clone(),
        format: results.format.clone(),
    };
    let mut reading = Reading::new(Kind::BenchmarkResults, PARSER, tool);
    let axis = load::axis(&results.runs);
    let places = load::places(&results.runs, axis);
    let mut notes = Vec::new();
    for (run, place) in results.runs.iter_mut().zip(&places) {
        run.drop_zeros();
        notes.extend(parser_notes(run, place));
        notes.extend(checks::run(run, place));
        notes.extend(validity::percentiles(run, place, results.rule));
    }
    notes.extend(validity::across(&results.runs, &places, axis));
    for (run, place) in results.runs.iter().zip(&places) {
        signals(&mut reading, run, place);
        observations(&mut reading, run, place);
    }
    sweep(&mut reading, &results.runs, &places, axis);
    facts(&mut reading, &results);
    window(&mut reading, &results.runs);
    figures::add(&mut reading, &results.runs, &places, axis);
    for note in std::mem::take(&mut results.notes) {
        reading.note(note);
    }
    for note in capped(notes) {
        reading.note(note);
    }
    rule_note(&mut reading, &results);
    reading
}

/// What notes of a run are about, by their codes.
fn parser_notes(run: &Run, place: &Place) -> Vec<Note> {
    run.notes
        .iter()
        .map(|(level, code, args)| {
            let note = Note::new(*level, code);
            let note = if OF_THE_TOOL.contains(code) {
                note
            } else {
                note.arg("run", &place.shown)
            };
            args.iter()
                .fold(note, |note, (name, value)| note.arg(name, value))
        })
        .collect()
}

/// At most so many notes of one code; the rest is counted.
fn capped(notes: Vec<Note>) -> Vec<Note> {
    const MOST: usize = 6;
    let mut of: BTreeMap<String, usize> = BTreeMap::new();
    let mut out = Vec::new();
    let mut rest: BTreeMap<String, (NoteLevel, usize)> = BTreeMap::new();
    for note in notes {
        if out.contains(&note) {
            continue;
        }
        let n = of.entry(note.code.clone()).or_default();
        *n += 1;
        if *n <= MOST {
            out.push(note);
        } else {
            rest.entry(note.code.clone()).or_insert((note.level, 0)).1 += 1;
        }
    }
    for (code, (level, n)) in rest {
        out.push(
            Note::new(level, "bench-more")
                .arg("code", code)
                .arg("count", n),
        );
    }
    out
}

/// How exact a number is, given what is known of its run.
fn bound(run: &Run, name: &str, exact: Bound) -> Bound {
    let waits = ["ttft", "e2e_latency", "normalized_latency"].contains(&name);
    if run.late && waits {
        return Bound::AtLeast;
    }
    match exact {
        Bound::Exact if run.rough.contains(name) => Bound::Estimate,
        other => other,
    }
}

/// Observations behind a number that the tool told without saying.
fn samples(run: &Run, name: &str, statistic: Statistic) -> Option<u64> {
    let per_request = [
        "ttft",
        "tpot",
        "e2e_latency",
        "prompt_length",
        "output_length",
    ];
    let of_values = statistic.quantile().is_some() || statistic == Statistic::Mean;
    run.good()
        .filter(|_| of_values && per_request.contains(&name))
}

fn signals(reading: &mut Reading, run: &Run, place: &Place) {
    let at = |name: &str, statistic, value| {
        let signal = Signal::new(name, statistic, value);
        place
            .labels
            .iter()
            .fold(signal, |signal, (name, value)| signal.label(name, value))
    };
    for (name, sample) in &run.own {
        for (statistic, value, exact) in numbers(run, name, sample) {
            let signal = at(name, statistic, value).samples(sample.len());
            reading.push(signal.bound(bound(run, name, exact)));
        }
    }
    let good = run.good();
    for ((name, statistic), told) in &run.told {
        let own = run.own.get(name).is_some_and(|s| !s.is_empty());
        if own {
            continue;
        }
        // The tool's rate counts requests that did not work.
        let corrected = run.without_token.is_some_and(|n| n > 0) && *name == "request_throughput";
        let value = match (corrected, good, run.duration) {
            (true, Some(good), Some(duration)) => good as f64 / duration,
            _ => told.value,
        };
        let mut signal = at(name, *statistic, value).bound(bound(run, name, told.bound));
        signal.samples = told.samples.or_else(|| samples(run, name, *statistic));
        reading.push(signal);
    }
    counts(reading, run, &at);
    for (gpu, name, statistic, value) in &run.gpus {
        reading.push(at(name, *statistic, *value).label("gpu", gpu));
    }
}

/// Mean, extremes and quantiles of values; of quantiles also those that the tool told.
fn numbers(run: &Run, name: &str, sample: &Sample) -> Vec<(Statistic, f64, Bound)> {
    let told = run.told.keys().filter(|(n, _)| *n == name).map(|(_, s)| *s);
    let wanted: BTreeSet<Statistic> = told
        .filter(|s| s.quantile().is_some())
        .chain(QUANTILES)
        .collect();
    let at: Vec<f64> = wanted.iter().filter_map(|s| s.quantile()).collect();
    let mut out: Vec<(Statistic, f64, Bound)> = wanted
        .into_iter()
        .zip(sample.quantiles(&at))
        .map(|(statistic, (value, bound))| (statistic, value, bound))
        .collect();
    if let (Some(mean), Some((low, high))) = (sample.mean(), sample.range()) {
        out.push((Statistic::Mean, mean, Bound::Exact));
        out.push((Statistic::Min, low, Bound::Exact));
        out.push((Statistic::Max, high, Bound::Exact));
    }
    out
}

fn counts(reading: &mut Reading, run: &Run, at: &dyn Fn(&str, Statistic, f64) -> Signal) {
    if let Some(good) = run.good() {
        reading.push(at("successful_requests", Statistic::Count, good as f64));
    }
    // Without a count of failures neither their share nor the number of all is known.
    if let (Some(failed), Some(ended)) = (run.failed, run.ended().filter(|n| *n > 0)) {
        let bad = failed + run.without_token.unwrap_or(0);
        reading.push(at("finished_requests", Statistic::Count, ended as f64));
        reading.push(at("error_ratio", Statistic::Ratio, bad as f64 / ended as f64).samples(ended));
    }
    if let Some(rate) = run.rate {
        reading.push(at("offered_rate", Statistic::Rate, rate));
    }
    if let Some(rate) = run.send_rate {
        reading.push(at("send_rate", Statistic::Rate, rate));
    }
}

fn observations(reading: &mut Reading, run: &Run, place: &Place) {
    for name in OBSERVED {
        let Some(data) = run.own.get(name).and_then(Sample::data) else {
            continue;
        };
        let distribution = place.labels.iter().fold(
            Distribution::new(name, data),
            |distribution, (name, value)| distribution.label(name, value),
        );
        reading.push_distribution(distribution);
    }
}

/// The best point and the knee of runs at different loads.
fn sweep(reading: &mut Reading, runs: &[Run], places: &[Place], axis: Axis) {
    let mut points: Vec<Point> = runs
        .iter()
        .zip(places)
        .filter(|(run, place)| !run.late && place.labels.len() == 1)
        .filter_map(|(run, place)| {
            Some(Point {
                load: place.load?,
                throughput: run.throughput()?,
                tail: run.quantile("e2e_latency", Statistic::P95),
                mean: run.mean("e2e_latency"),
            })
        })
        .collect();
    points.sort_by(|a, b| a.load.total_cmp(&b.load));
    if points.len() < 2 {
        return;
    }
    if let Some(found) = analysis::operating_point(&points, None) {
        reading.push(Signal::new(
            "operating_point_throughput",
            Statistic::Rate,
            found.best.throughput,
        ));
    }
    let knee = analysis::shape(&points)
        .filter(|s| s.can_have_knee() && axis == Axis::Concurrency)
        .and_then(|_| analysis::kneedle(&points));
    if let Some(load) = knee {
        let signal = Signal::new("saturation_load", Statistic::Last, load);
        reading.push(signal.bound(Bound::Estimate));
    }
}

fn facts(reading: &mut Reading, results: &Results) {
    let mut put = |key: &str, value: &str| {
        reading
            .environment
            .insert(key.to_owned(), crate::reading::tame(value));
    };
    put("load_generator", results.tool);
    if let Some(version) = &results.version {
        put("load_generator_version", version);
    }
    if let Some(rule) = rule(results) {
        put("percentile_rule", &rule);
    }
    let keys: BTreeSet<&str> = results
        .runs
        .iter()
        .flat_map(|r| r.facts.keys().copied())
        .collect();
    let mut differ = Vec::new();
    for key in keys {
        let values: BTreeSet<&String> = results
            .runs
            .iter()
            .filter_map(|r| r.facts.get(key))
            .collect();
        match values.iter().collect::<Vec<_>>()[..] {
            [one] => put(key, one),
            _ => differ.push(key),
        }
    }
    if !differ.is_empty() {
        let note = Note::new(NoteLevel::Warning, "bench-facts-differ");
        reading.note(note.arg("facts", differ.join(", ")));
    }
}

/// Whether a run has percentiles of its own values, and whether some are the tool's alone.
fn sources(results: &Results) -> (bool, bool) {
    let own = |r: &Run| r.own.keys().any(|n| is_latency(n));
    let told = |r: &Run| {
        r.told
            .keys()
            .any(|(n, s)| is_latency(n) && s.quantile().is_some() && !r.own.contains_key(n))
    };
    (results.runs.iter().any(own), results.runs.iter().any(told))
}

/// How the percentiles of the reading came about.
fn rule(results: &Results) -> Option<String> {
    let own = Rule::Linear.fact();
    match sources(results) {
        (false, false) => None,
        (true, false) => own.map(str::to_owned),
        (false, true) => results.rule.fact().map(str::to_owned),
        (true, true) if results.rule == Rule::Linear => own.map(str::to_owned),
        (true, true) => {
            let told = results.rule.fact().unwrap_or("unknown");
            Some(format!("{}; {told}", own.unwrap_or_default()))
        }
    }
}

fn rule_note(reading: &mut Reading, results: &Results) {
    let (own, told) = sources(results);
    if own {
        reading.note(Note::new(NoteLevel::Info, "bench-own-percentiles"));
    }
    if told {
        let code = match results.rule {
            Rule::Linear => "bench-tool-percentiles-linear",
            Rule::Observed => "bench-tool-percentiles-observed",
            Rule::Unknown => "bench-tool-percentiles-unknown",
        };
        reading.note(Note::new(NoteLevel::Info, code).arg("tool", results.tool));
    }
    let judged = ["ttft", "e2e_latency"];
    let latency = results.runs.iter().filter(|r| !r.of_server).any(|r| {
        judged
            .iter()
            .any(|n| r.own.contains_key(n) || r.told.keys().any(|(m, _)| m == n))
    });
    if latency {
        reading.note(Note::new(NoteLevel::NotCaptured, "bench-not-judged"));
    }
}

fn window(reading: &mut Reading, runs: &[Run]) {
    let time = |seconds: f64| {
        let sane = (1e9..1e11).contains(&seconds);
        let nanos = (seconds.fract() * 1e9) as u32;
        sane.then(|| DateTime::from_timestamp(seconds as i64, nanos))
            .flatten()
    };
    let starts = runs.iter().filter_map(|r| r.times.0).reduce(f64::min);
    let ends = runs.iter().filter_map(|r| r.times.1).reduce(f64::max);
    let window = Window {
        start: starts.and_then(time),
        end: ends.and_then(time),
        seconds: match runs {
            [one] => one.duration,
            _ => None,
        },
    };
    if window.start.is_some() || window.end.is_some() || window.seconds.is_some() {
        reading.window = Some(window);
    }
}
