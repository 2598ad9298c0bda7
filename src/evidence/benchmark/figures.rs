//! The figures of results: one row per run, and for a single run one row per latency.

use super::{
    load::{Axis, Place},
    run::Run,
};
use crate::{Cell, Column, Figure, Reading, Series, Statistic, Unit};

/// Most rows of a figure.
const MOST_ROWS: usize = 2000;

type Value = fn(&Run) -> Option<f64>;

/// Columns that are a signal at a statistic.
const SHOWN: [(&str, Unit, &str, Statistic); 12] = [
    (
        "request_throughput",
        Unit::PerSecond,
        "request_throughput",
        Statistic::Rate,
    ),
    ("goodput", Unit::PerSecond, "goodput", Statistic::Rate),
    (
        "output_token_throughput",
        Unit::TokensPerSecond,
        "generation_token_throughput",
        Statistic::Rate,
    ),
    ("ttft_p50", Unit::Seconds, "ttft", Statistic::P50),
    ("ttft_p95", Unit::Seconds, "ttft", Statistic::P95),
    ("ttft_p99", Unit::Seconds, "ttft", Statistic::P99),
    ("tpot_p50", Unit::Seconds, "tpot", Statistic::P50),
    ("tpot_p99", Unit::Seconds, "tpot", Statistic::P99),
    ("itl_p50", Unit::Seconds, "itl", Statistic::P50),
    ("itl_p99", Unit::Seconds, "itl", Statistic::P99),
    ("e2e_p50", Unit::Seconds, "e2e_latency", Statistic::P50),
    ("e2e_p99", Unit::Seconds, "e2e_latency", Statistic::P99),
];

/// Columns that count.
const COUNTED: [(&str, Unit, Value); 3] = [
    ("requests_good", Unit::Count, |r| r.good().map(|n| n as f64)),
    ("requests_bad", Unit::Count, |r| {
        r.failed.map(|n| (n + r.without_token.unwrap_or(0)) as f64)
    }),
    ("run_seconds", Unit::Seconds, |r| r.duration),
];

/// What loads are in the columns of the axes.
const LOADS: [(&str, Unit, Value); 2] = [
    ("concurrency", Unit::Count, |r| r.concurrency),
    ("request_rate", Unit::PerSecond, |r| r.rate),
];

/// The number of a run that a signal at a statistic stands for.
fn number(run: &Run, signal: &'static str, statistic: Statistic) -> Option<f64> {
    match statistic.quantile() {
        Some(_) => run.quantile(signal, statistic),
        None => run.said(signal, statistic),
    }
}

/// Adds the figures that the runs have numbers for.
pub fn add(reading: &mut Reading, runs: &[Run], places: &[Place], axis: Axis) {
    let knee = reading.value("saturation_load", Statistic::Last);
    let overview = overview(runs, places, axis);
    reading
        .figures
        .extend(overview.map(|f| f.mark("concurrency", knee, "bench-knee")));
    if let [run] = runs {
        reading.figures.extend(latencies(run));
    }
}

/// A column with what fills it.
type Filled = (Column, Vec<Option<f64>>);

fn columns(runs: &[Run]) -> Vec<Filled> {
    let of = |value: &dyn Fn(&Run) -> Option<f64>| runs.iter().map(value).collect::<Vec<_>>();
    let loads = LOADS
        .iter()
        .map(|(id, unit, value)| (Column::number(id, *unit), of(value)));
    let shown = SHOWN.iter().map(|(id, unit, signal, statistic)| {
        let column = Column::number(id, *unit).shows(signal, Some(*statistic));
        (column, of(&|r| number(r, signal, *statistic)))
    });
    let counted = COUNTED
        .iter()
        .map(|(id, unit, value)| (Column::number(id, *unit), of(value)));
    loads
        .chain(shown)
        .chain(counted)
        .filter(|(_, values)| values.iter().any(Option::is_some))
        .collect()
}

fn overview(runs: &[Run], places: &[Place], axis: Axis) -> Option<Figure> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    // Runs without a load keep their order, behind those with one.
    order.sort_by(|a, b| {
        let load = |i: &usize| places[*i].load.unwrap_or(f64::INFINITY);
        load(a).total_cmp(&load(b))
    });
    let filled = columns(runs);
    if filled.len() < 2 {
        return None;
    }
    let rows: Vec<Vec<Cell>> = order
        .iter()
        .take(MOST_ROWS)
        .map(|i| {
            let mut row = vec![Cell::text(&places[*i].shown)];
            row.extend(filled.iter().map(|(_, values)| Cell::from(values[*i])));
            row
        })
        .collect();
    let left_out = (order.len() - rows.len()) as u64;
    let mut columns = vec![Column::text("run")];
    columns.extend(filled.into_iter().map(|(column, _)| column));
    let x = match axis {
        Axis::None => None,
        Axis::Concurrency => Some("concurrency"),
        Axis::Rate => Some("request_rate"),
    };
    let drawn = ["ttft_p99", "e2e_p99", "ttft_p50", "tpot_p99"]
        .into_iter()
        .find(|id| columns.iter().any(|c| c.id == *id));
    let figure = Figure::new("bench-runs", columns, rows).left_out(left_out);
    Some(match x.zip(drawn) {
        Some((x, y)) => figure.plot(Series::Line {
            x: x.to_owned(),
            ys: vec![y.to_owned()],
            log_y: false,
        }),
        None => figure,
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
    columns.extend(
        quantiles
            .iter()
            .map(|(_, id)| Column::number(id, Unit::Seconds)),
    );
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
    (!rows.is_empty()).then(|| Figure::new("bench-latencies", columns, rows))
}
