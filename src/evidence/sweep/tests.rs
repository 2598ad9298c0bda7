//! What is common to sweeps of every source: where the time went, budgets, validity, messages.

use super::*;
use crate::{Bound, Kind, NoteLevel, Reading, Statistic, Tool};

mod curves;
mod messages;

/// A point that obeys Little's law, with its p95 a fifth above the average.
fn point(load: f64, seconds: f64) -> LoadPoint {
    let mut point = LoadPoint::at(load as u64);
    point.load = load;
    point.throughput = Some(load / seconds);
    point.times.insert(Part::Average, seconds);
    point.latency.insert(Statistic::P95, seconds * 1.2);
    point
}

fn sweep(points: Vec<LoadPoint>) -> Sweep {
    let mut sweep = Sweep::new(Mode::Concurrency);
    sweep.points = points;
    sweep.settle();
    sweep
}

fn reading(sweeps: &[Sweep]) -> Reading {
    let tool = Tool {
        name: "perf_analyzer".to_owned(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(Kind::PerfAnalyzerConsole, "1", tool);
    add(&mut reading, sweeps);
    reading
}

fn note<'a>(reading: &'a Reading, code: &str) -> Option<&'a crate::Note> {
    reading.notes.iter().find(|n| n.code == code)
}

fn curve() -> Vec<LoadPoint> {
    vec![
        point(1.0, 0.010),
        point(2.0, 0.0105),
        point(4.0, 0.0154),
        point(8.0, 0.0276),
    ]
}

#[test]
fn the_last_row_within_a_budget_is_its_operating_point() {
    let sweep = sweep(curve());
    let points = check(&sweep).sound(&sweep);
    let rows = frontier(&points);
    assert_eq!(
        rows.iter().map(|(p, _)| p.load).collect::<Vec<_>>(),
        [1.0, 2.0, 4.0, 8.0]
    );
    for budget in [0.0121, 0.0127, 0.02, 1.0] {
        let by_rows = rows
            .iter()
            .rev()
            .find(|(p, _)| p.tail.is_some_and(|t| t <= budget))
            .map(|(p, _)| p.load);
        let by_rule = analysis::operating_point(&points, Some(budget)).map(|o| o.best.load);
        assert_eq!(by_rows, by_rule, "{budget}");
    }
    // A load that is slower and gives less is worth nothing at any budget.
    let mut dominated = points.clone();
    dominated[3].throughput = 100.0;
    assert_eq!(frontier(&dominated).len(), 3);
}

#[test]
fn a_load_measured_twice_counts_as_its_slower_run() {
    let mut points = curve();
    let mut slow = point(4.0, 0.0308);
    slow.line = 9;
    points.push(slow);
    let sweep = sweep(points);
    let sound = check(&sweep).sound(&sweep);
    let four = sound.iter().find(|p| p.load == 4.0).unwrap();
    assert_eq!(four.throughput, 4.0 / 0.0308);
    assert_eq!(four.tail, Some(0.0308 * 1.2));
    let reading = reading(&[sweep]);
    assert!(note(&reading, "perf-load-repeated").is_some());
}

#[test]
fn time_goes_to_client_network_queue_and_compute() {
    let mut one = point(1.0, 0.010);
    for (part, ms) in [
        (Part::RequestResponse, 1.0),
        (Part::NetworkGap, 2.0),
        (Part::Queue, 4.0),
        (Part::Compute, 3.0),
    ] {
        one.times.insert(part, ms / 1e3);
    }
    let whole = sweep(vec![one.clone()]);
    let found = shares(&whole, &whole.points[0]).unwrap();
    assert_eq!(found.greatest(), "queue");
    let expected = [0.1, 0.2, 0.4, 0.3];
    for (got, want) in found.of_total().iter().zip(expected) {
        assert!((got - want).abs() < 1e-12);
    }
    let said = reading(&[whole]);
    assert_eq!(
        note(&said, "sweep-time-queue").unwrap().args["queue"],
        "40.0"
    );
    // With a cache the parts are means over different requests: nothing is said.
    one.times.insert(Part::CacheHit, 1e-6);
    let cached = sweep(vec![one]);
    assert_eq!(shares(&cached, &cached.points[0]), None);
}

#[test]
fn late_sends_make_latencies_lower_bounds_and_carry_no_operating_point() {
    let mut late = point(200.0, 0.01);
    late.throughput = Some(199.0);
    let mut sweep = Sweep::new(Mode::RequestRate);
    let mut early = point(100.0, 0.01);
    early.throughput = Some(100.0);
    late.delayed = Some(0.013);
    sweep.points = vec![early, late];
    sweep.settle();
    let reading = reading(&[sweep]);
    let p95 = |load: &str| {
        let found = reading.signals.iter().find(|s| {
            s.statistic == Statistic::P95 && s.labels.get("load").map(String::as_str) == Some(load)
        });
        found.unwrap().bound
    };
    assert_eq!((p95("100"), p95("200")), (Bound::Exact, Bound::AtLeast));
    assert_eq!(
        reading.value("operating_point_throughput", Statistic::Rate),
        Some(100.0)
    );
    let said = note(&reading, "sweep-delayed-sends").unwrap();
    assert_eq!(
        (said.args["loads"].as_str(), said.args["greatest"].as_str()),
        ("200", "1.3")
    );
}

#[test]
fn what_lowers_trust_is_said() {
    let mut one = point(1.0, 0.010);
    one.times.insert(Part::Queue, 0.004);
    one.times.insert(Part::Compute, 0.005);
    one.requests = Some(59);
    one.cache_hits = Some(3);
    let mut two = point(2.0, 0.0105);
    two.overhead = Some(0.51);
    two.latency_unstable = true;
    let said = reading(&[sweep(vec![one.clone(), two])]);
    let delay = note(&said, "sweep-batch-delay").unwrap();
    assert_eq!(
        (delay.args["queue"].as_str(), delay.level),
        ("4.000", NoteLevel::Warning)
    );
    let few = note(&said, "sweep-few-samples").unwrap();
    assert_eq!(
        (few.args["needed"].as_str(), few.args["fewest"].as_str()),
        ("60", "59")
    );
    for (code, loads) in [
        ("sweep-response-cache", "1"),
        ("sweep-client-limit", "2"),
        ("sweep-latency-unstable", "2"),
    ] {
        assert_eq!(note(&said, code).unwrap().args["loads"], loads, "{code}");
    }
    // The unsettled load is not judged, so the first is the best there is.
    assert_eq!(
        said.value("operating_point_throughput", Statistic::Rate),
        Some(100.0)
    );
    // Sound sweeps get none of this.
    let clean = reading(&[sweep(curve())]);
    for code in [
        "sweep-batch-delay",
        "sweep-few-samples",
        "sweep-response-cache",
        "sweep-client-limit",
        "sweep-latency-unstable",
        "sweep-delayed-sends",
    ] {
        assert!(note(&clean, code).is_none(), "{code}");
    }
    let mixed = note(&clean, "sweep-mixed-minima").unwrap();
    assert_eq!(
        (mixed.args["low"].as_str(), mixed.args["high"].as_str()),
        ("1", "8")
    );
}

#[test]
fn a_stated_batch_size_is_used_and_gives_requests_per_second() {
    let mut points = curve();
    for point in &mut points {
        point.throughput = point.throughput.map(|x| x * 4.0);
    }
    let mut sweep = sweep(points);
    sweep.batch = Some(4.0);
    let reading = reading(&[sweep]);
    assert!(note(&reading, "perf-batch-hint").is_none());
    assert!(note(&reading, "perf-little").is_none());
    let requests = reading
        .signals
        .iter()
        .find(|s| s.name == "request_throughput" && s.labels.get("load").is_some_and(|l| l == "1"));
    assert_eq!(requests.unwrap().value, 100.0);
}

#[test]
fn several_sweeps_carry_their_names_and_none_speaks_for_the_run() {
    let named = |name: &str, scale: f64| {
        let mut sweep = sweep(
            curve()
                .into_iter()
                .map(|mut p| {
                    p.throughput = p.throughput.map(|x| x * scale);
                    p.times
                        .insert(Part::Average, p.load / p.throughput.unwrap());
                    p
                })
                .collect(),
        );
        sweep.series = Some(("sweep", name.to_owned()));
        sweep
    };
    let reading = reading(&[named("1", 1.0), named("2", 2.0)]);
    assert!(
        reading
            .signals
            .iter()
            .all(|s| s.labels.contains_key("sweep"))
    );
    assert_eq!(
        note(&reading, "sweep-best-series").unwrap().args["series"],
        "2"
    );
    let figure = reading
        .figures
        .iter()
        .find(|f| f.id == "perf-sweep")
        .unwrap();
    assert_eq!(
        (figure.columns[0].id.as_str(), figure.rows.len()),
        ("sweep_name", 8)
    );
    assert!(reading.figures.iter().any(|f| f.id == "sweep-series"));
}
