//! The figures of sweeps: throughput and latency over load, the parts of the average latency, where
//! the time went, which load suits which budget, and the GPUs.

use super::{
    checks::State,
    parts::{Field, GPU_FIELDS, Mode, PARTS, Part},
    points::{LoadPoint, Sweep},
    shares::{frontier, shares},
};
use crate::{Cell, Column, Figure, Reading, Series, Statistic, Unit, catalogue};
use std::collections::BTreeSet;

/// Quantiles that have a column of their own.
const USUAL: [(Statistic, &str); 4] = [
    (Statistic::P50, "latency_p50"),
    (Statistic::P90, "latency_p90"),
    (Statistic::P95, "latency_p95"),
    (Statistic::P99, "latency_p99"),
];

/// Most rows of a figure.
const MOST_ROWS: usize = 2000;

/// The quantiles of a sweep beside the usual four: the one asked for with `--percentile`.
pub fn extra_quantiles(sweep: &Sweep) -> Vec<Statistic> {
    let mut found = sweep.quantiles();
    found.retain(|q| USUAL.iter().all(|(usual, _)| usual != q));
    found
}

/// The column of a quantile.
fn column_of(quantile: Statistic) -> &'static str {
    USUAL
        .iter()
        .find(|(q, _)| *q == quantile)
        .map_or("latency_extra", |(_, id)| id)
}

/// A sweep with what is known of its points.
pub(super) type Judged<'a> = (&'a Sweep, &'a [State]);

/// One point of one sweep.
#[derive(Clone, Copy)]
struct Row<'a> {
    sweep: &'a Sweep,
    point: &'a LoadPoint,
    state: &'a State,
}

type Value = Box<dyn Fn(Row<'_>) -> Option<f64>>;

/// Columns with what fills them.
struct Table<'a> {
    sweeps: &'a [Judged<'a>],
    columns: Vec<Column>,
    values: Vec<Value>,
}

/// The column that tells sweeps apart, when there are several.
fn series_column(sweeps: &[Judged<'_>]) -> Option<&'static str> {
    sweeps.iter().find_map(|(s, _)| s.series_column())
}

impl<'a> Table<'a> {
    fn new(sweeps: &'a [Judged<'a>]) -> Self {
        let mut table = Self {
            sweeps,
            columns: Vec::new(),
            values: Vec::new(),
        };
        for mode in [Mode::Concurrency, Mode::RequestRate] {
            if sweeps.iter().any(|(s, _)| s.mode == mode) {
                table.add(mode.id(), mode.unit(), move |r| {
                    (r.sweep.mode == mode).then_some(r.point.load)
                });
            }
        }
        table
    }

    fn has(&self, field: Field) -> bool {
        self.sweeps.iter().any(|(s, _)| s.has(field))
    }

    fn add(&mut self, id: &str, unit: Unit, value: impl Fn(Row<'_>) -> Option<f64> + 'static) {
        self.columns.push(Column::number(id, unit));
        self.values.push(Box::new(value));
    }

    /// Says which signal the last column holds.
    fn shows(&mut self, signal: &str, statistic: Statistic) {
        if let Some(column) = self.columns.pop() {
            self.columns.push(column.shows(signal, Some(statistic)));
        }
    }

    /// Adds a column if any point has a value for it.
    fn add_if_any(
        &mut self,
        id: &str,
        unit: Unit,
        value: impl Fn(Row<'_>) -> Option<f64> + 'static,
    ) {
        if self.rows().any(|row| value(row).is_some()) {
            self.add(id, unit, value);
        }
    }

    fn rows(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let sweeps = self.sweeps;
        sweeps.iter().flat_map(|(sweep, states)| {
            sweep.points.iter().zip(*states).map(|(point, state)| Row {
                sweep,
                point,
                state,
            })
        })
    }

    fn finish(self, id: &str, plot: Option<Series>) -> Figure {
        let series = series_column(self.sweeps);
        let count = self.rows().count();
        let rows: Vec<Vec<Cell>> = self
            .rows()
            .take(MOST_ROWS)
            .map(|row| {
                let mut cells = series_cell(series, row.sweep);
                cells.extend(self.values.iter().map(|value| Cell::from(value(row))));
                cells
            })
            .collect();
        let mut columns: Vec<Column> = series.map(Column::text).into_iter().collect();
        columns.extend(self.columns);
        Figure {
            id: id.to_owned(),
            columns,
            marks: Vec::new(),
            rows_left_out: (count - rows.len()) as u64,
            rows,
            plot: plot.filter(|_| series.is_none()),
        }
    }
}

fn series_cell(series: Option<&str>, sweep: &Sweep) -> Vec<Cell> {
    let name = sweep.series.as_ref().map_or("", |(_, name)| name);
    series.map(|_| Cell::text(name)).into_iter().collect()
}

/// Adds every figure that the sweeps have numbers for. `sound` holds the points of each sweep that
/// are fit to be judged.
pub(super) fn add(
    reading: &mut Reading,
    sweeps: &[Judged<'_>],
    sound: &[Vec<super::analysis::Point>],
) {
    reading.figures.push(overview(sweeps));
    reading.figures.extend(components(sweeps));
    reading.figures.extend(time_shares(sweeps));
    reading.figures.extend(budgets(sweeps, sound));
    reading.figures.extend(gpus(sweeps));
}

fn overview(sweeps: &[Judged<'_>]) -> Figure {
    let mut table = Table::new(sweeps);
    let client = |row: Row<'_>| !row.sweep.stage;
    let rate = sweeps
        .first()
        .map_or("inference_throughput", |(s, _)| s.rate());
    table.add(rate, Unit::PerSecond, |r| r.point.throughput);
    if table.has(Field::ResponseThroughput) {
        table.add("response_throughput", Unit::PerSecond, |r| {
            r.point.response_throughput
        });
    }
    latencies(&mut table);
    if sweeps.iter().any(|(s, _)| !s.stage) {
        table.add("latency_mean", Unit::Seconds, move |r| {
            client(r).then(|| r.sweep.average(r.point))?
        });
        table.shows("e2e_latency", Statistic::Mean);
    }
    if table.has(Field::Time(Part::Queue)) {
        table.add("queue_time", Unit::Seconds, |r| {
            r.point.times.get(&Part::Queue).copied()
        });
        table.add("compute_time", Unit::Seconds, |r| r.sweep.compute(r.point));
    }
    let driven = |mode| sweeps.iter().any(|(s, _)| !s.stage && s.mode == mode);
    if driven(Mode::Concurrency) {
        table.add("little_residual", Unit::Ratio, |r| r.state.residual);
    }
    if driven(Mode::RequestRate) {
        table.add("achieved_rate", Unit::Ratio, |r| r.state.achieved);
    }
    table.add_if_any("requests_measured", Unit::Count, |r| {
        r.point.requests.map(|n| n as f64)
    });
    table.add_if_any("execution_batch_size", Unit::Count, |r| {
        r.point.executed_batch
    });
    table.add_if_any("delayed_requests", Unit::Ratio, |r| r.point.delayed);
    let drawn = ["latency_p95", "latency_p99", "latency_mean"]
        .into_iter()
        .find(|id| table.columns.iter().any(|c| c.id == *id));
    let plot = drawn.map(|y| Series::Line {
        x: rate.to_owned(),
        ys: vec![y.to_owned()],
        log_y: false,
    });
    table.finish("perf-sweep", plot)
}

fn latencies(table: &mut Table<'_>) {
    for (quantile, id) in USUAL {
        if table.has(Field::Latency(quantile)) {
            table.add(id, Unit::Seconds, move |r| {
                r.point.latency.get(&quantile).copied()
            });
            table.shows("e2e_latency", quantile);
        }
    }
    let extra: BTreeSet<Statistic> = table
        .sweeps
        .iter()
        .flat_map(|(s, _)| extra_quantiles(s))
        .collect();
    // One heading serves whichever quantile was asked for; a note says which it is.
    if let [quantile] = extra.into_iter().collect::<Vec<_>>()[..] {
        table.add("latency_extra", Unit::Seconds, move |r| {
            r.point.latency.get(&quantile).copied()
        });
    }
}

fn components(sweeps: &[Judged<'_>]) -> Option<Figure> {
    let mut table = Table::new(sweeps);
    let loads = table.columns.len();
    let staged = sweeps.iter().all(|(s, _)| s.stage);
    for def in PARTS {
        let id = match def.part {
            Part::Network if staged => "scheduling_overhead",
            _ => def.column,
        };
        let there = table.has(Field::Time(def.part));
        if there && !table.columns.iter().any(|c| c.id == id) {
            table.add(id, Unit::Seconds, |r| r.point.times.get(&def.part).copied());
        }
    }
    // A bar per load, made of the parts; over loads of two kinds there is no one name for a bar.
    let parts: Vec<String> = table.columns[loads..]
        .iter()
        .map(|c| c.id.clone())
        .collect();
    let plot = (loads == 1 && !parts.is_empty()).then(|| Series::Stacked {
        label: table.columns[0].id.clone(),
        parts,
    });
    table.add_if_any("component_sum", Unit::Seconds, |r| {
        r.sweep.component_sum(r.point)
    });
    (table.columns.len() > loads).then(|| table.finish("perf-components", plot))
}

/// Who took the average latency, as shares of it.
fn time_shares(sweeps: &[Judged<'_>]) -> Option<Figure> {
    let mut table = Table::new(sweeps);
    let loads = table.columns.len();
    let ids = [
        "client_share",
        "network_share",
        "queue_share",
        "compute_share",
    ];
    for (i, id) in ids.into_iter().enumerate() {
        table.add_if_any(id, Unit::Ratio, move |r| {
            shares(r.sweep, r.point).map(|s| s.of_total()[i])
        });
    }
    (table.columns.len() > loads).then(|| table.finish("sweep-time-shares", None))
}

/// The best load for every budget of the tail: the last row within a budget is its operating point.
fn budgets(sweeps: &[Judged<'_>], sound: &[Vec<super::analysis::Point>]) -> Option<Figure> {
    let (first, _) = sweeps.first()?;
    let tail = first.tail()?;
    let series = series_column(sweeps);
    let mut columns: Vec<Column> = series.map(Column::text).into_iter().collect();
    columns.extend([
        Column::number(column_of(tail), Unit::Seconds).shows("e2e_latency", Some(tail)),
        Column::number("load_tested", first.mode.unit()),
        Column::number(first.rate(), Unit::PerSecond),
        Column::number("lowest_load", first.mode.unit()),
    ]);
    let alike = |s: &Sweep| s.tail() == Some(tail) && s.mode == first.mode && !s.stage;
    let rows: Vec<Vec<Cell>> = sweeps
        .iter()
        .zip(sound)
        .filter(|((sweep, _), _)| alike(sweep))
        .flat_map(|((sweep, _), points)| {
            frontier(points).into_iter().map(move |(point, lowest)| {
                let mut cells = series_cell(series, sweep);
                cells.extend([
                    Cell::from(point.tail),
                    Cell::from(point.load),
                    Cell::from(point.throughput),
                    Cell::from(lowest),
                ]);
                cells
            })
        })
        .collect();
    let count = rows.len();
    (count > 0).then(|| Figure {
        id: "sweep-budgets".to_owned(),
        columns,
        rows: rows.into_iter().take(MOST_ROWS).collect(),
        plot: None,
        marks: Vec::new(),
        rows_left_out: count.saturating_sub(MOST_ROWS) as u64,
    })
}

fn gpus(sweeps: &[Judged<'_>]) -> Option<Figure> {
    let base = Table::new(sweeps);
    let series = series_column(sweeps);
    let fields: Vec<_> = GPU_FIELDS
        .iter()
        .filter(|(field, ..)| base.has(Field::Gpu(*field)))
        .collect();
    let mut columns: Vec<Column> = series.map(Column::text).into_iter().collect();
    columns.extend(base.columns.iter().cloned());
    columns.push(Column::text("gpu"));
    columns.extend(fields.iter().map(|(_, _, name)| {
        Column::number(name, catalogue::find(name).map_or(Unit::Count, |d| d.unit))
    }));
    let all = || {
        base.rows().flat_map(|row| {
            row.point
                .gpus
                .iter()
                .map(move |(gpu, values)| (row, gpu, values))
        })
    };
    let count = all().count();
    let rows: Vec<Vec<Cell>> = all()
        .take(MOST_ROWS)
        .map(|(row, gpu, values)| {
            let mut cells = series_cell(series, row.sweep);
            cells.extend(base.values.iter().map(|value| Cell::from(value(row))));
            cells.push(Cell::text(gpu));
            cells.extend(
                fields
                    .iter()
                    .map(|(field, ..)| Cell::from(values.get(field).copied())),
            );
            cells
        })
        .collect();
    (count > 0).then(|| Figure {
        id: "perf-gpus".to_owned(),
        columns,
        marks: Vec::new(),
        rows_left_out: (count - rows.len()) as u64,
        rows,
        plot: None,
    })
}
