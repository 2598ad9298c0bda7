//! The figures of results: one row per run, and for a single run one row per latency.

use super::{
    load::{Axis, Place},
    run::Run,
};
use crate::{Cell, Column, Figure, Reading, Series, Statistic, Unit};

/// Most rows of a figure.
const MOST_ROWS: usize = 2000;

type Value = fn(&Run) -> Option<f64>;

const COLUMNS: [(&str, Unit, Value); 15] = [
    ("request_throughput", Unit::PerSecond, |r| r.throughput()),
    ("goodput", Unit::PerSecond, |r| r.said("goodput", Statistic::Rate)),
    ("output_token_throughput", Unit::TokensPerSecond, |r| {
        r.said("generation_token_throughput", Statistic::Rate)
    }),
    ("ttft_p50", Unit::Seconds, |r| r.quantile("ttft", Statistic::P50)),
    ("ttft_p95", Unit::Seconds, |r| r.quantile("ttft", Statistic::P95)),
    ("ttft_p99", Unit::Seconds, |r| r.quantile("ttft", Statistic::P99)),
    ("tpot_p50", Unit::Seconds, |r| r.quantile("tpot", Statistic::P50)),
    ("tpot_p99", Unit::Seconds, |r| r.quantile("tpot", Statistic::P99)),
    ("itl_p50", Unit::Seconds, |r| r.quantile("itl", Statistic::P50)),
    ("itl_p99", Unit::Seconds, |r| r.quantile("itl", Statistic::P99)),
    ("e2e_p50", Unit::Seconds, |r| r.quantile("e2e_latency", Statistic::P50)),
    ("e2e_p99", Unit::Seconds, |r| r.quantile("e2e_latency", Statistic::P99)),
    ("requests_good", Unit::Count, |r| r.good().map(|n| n as f64)),
    ("requests_bad", Unit::Count, |r| {
        r.failed.map(|n| (n + r.without_token.unwrap_or(0)) as f64)
    }),
    ("run_seconds", Unit::Seconds, |r| r.duration),
];

/// Adds the figures that the runs have numbers for.
pub fn add(reading: &mut Reading, runs: &[Run], places: &[Place], axis: Axis) {
    reading.figures.extend(overview(runs, places, axis));
    if let [run] = runs {
        reading.figures.extend(latencies(run));
    }
}

fn overview(runs: &[Run], places: &[Place], axis: Axis) -> Option<Figure> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    // Runs without a load keep their order, behind those with one.
    order.sort_by(|a, b| {
        let load = |i: &usize| places[*i].load.unwrap_or(f64::INFINITY);
        load(a).total_cmp(&load(b))
    });
    let mut columns = vec![Column::text("run")];
    let has = |value: &dyn Fn(&Run) -> Option<f64>| runs.iter().any(|r| value(r).is_some());
    let loads: [(&str, Unit, Value); 2] = [
        ("concurrency", Unit::Count, |r| r.concurrency),
        ("request_rate", Unit::PerSecond, |r| r.rate),
    ];
    let used: Vec<(&str, Unit, Value)> = loads
        .into_iter()
        .chain(COLUMNS)
        .filter(|(.., value)| has(value))
        .collect();
    columns.extend(used.iter().map(|(id, unit, _)| Column::number(id, *unit)));
    if columns.len() < 3 {
        return None;
    }
    let rows: Vec<Vec<Cell>> = order
        .iter()
        .take(MOST_ROWS)
        .map(|i| {
            let mut row = vec![Cell::text(&places[*i].shown)];
            row.extend(used.iter().map(|(.., value)| Cell::from(value(&runs[*i]))));
            row
        })
        .collect();
    let x = match axis {
        Axis::None => None,
        Axis::Concurrency => Some("concurrency"),
        Axis::Rate => Some("request_rate"),
    };
    let drawn = ["ttft_p99", "e2e_p99", "ttft_p50", "tpot_p99"]
        .into_iter()
        .find(|id| columns.iter().any(|c| c.id == *id));
    let plot = x.zip(drawn).map(|(x, y)| Series::Line {
        x: x.to_owned(),
        ys: vec![y.to_owned()],
        log_y: false,
    });
    Some(Figure {
        id: "bench-runs".to_owned(),
        columns,
        rows_left_out: (order.len() - rows.len()) as u64,
        rows,
        plot,
    })
}

const LATENCIES: [&str; 9] = [
    "ttft",
    "tpot",
    "itl",
    "e2e_latency",
    "normalized_latency",
    "time_to_second_token",
    "longest_stall",
    "send_delay",
    "queue_time",
];

/// A row per latency: mean and percentiles.
fn latencies(run: &Run) -> Option<Figure> {
    let quantiles = [
        (Statistic::P50, "latency_p50"),
        (Statistic::P90, "latency_p90"),
        (Statistic::P95, "latency_p95"),
        (Statistic::P99, "latency_p99"),
    ];
    let mut columns = vec![
        Column::text("latency"),
        Column::number("values", Unit::Count),
        Column::number("latency_mean", Unit::Seconds),
    ];
    columns.extend(quantiles.iter().map(|(_, id)| Column::number(id, Unit::Seconds)));
    let rows: Vec<Vec<Cell>> = LATENCIES
        .iter()
        .filter_map(|name| {
            let own = run.own.get(name).map(|s| s.len() as f64);
            let told = run.told.iter().find(|((n, _), _)| n == name);
            let n = own.or_else(|| Some(told?.1.samples? as f64));
            (own.is_some() || told.is_some()).then(|| {
                let mut row = vec![Cell::text(name), n.into(), run.mean(name).into()];
                row.extend(quantiles.iter().map(|(s, _)| run.quantile(name, *s).into()));
                row
            })
        })
        .collect();
    (!rows.is_empty()).then(|| Figure {
        id: "bench-latencies".to_owned(),
        columns,
        rows,
        plot: None,
        rows_left_out: 0,
    })
}
