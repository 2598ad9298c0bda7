//! The figures of a sweep: throughput and latency over load, the parts of the average latency,
//! and the GPUs.

use super::{
    checks::State,
    columns::{Field, GPU_FIELDS, Header, Mode, PARTS, Part},
    rows::{LoadPoint, Sweep},
};
use crate::{Cell, Column, Figure, Reading, Series, Statistic, Unit, catalogue};

/// Quantiles that have a column of their own.
const USUAL: [(Statistic, &str); 4] = [
    (Statistic::P50, "latency_p50"),
    (Statistic::P90, "latency_p90"),
    (Statistic::P95, "latency_p95"),
    (Statistic::P99, "latency_p99"),
];

/// Most rows of a figure.
const MOST_ROWS: usize = 2000;

/// The quantiles of the file beside the usual four: the one asked for with `--percentile`.
pub fn extra_quantiles(header: &Header) -> Vec<Statistic> {
    let mut found = header.quantiles();
    found.retain(|q| USUAL.iter().all(|(usual, _)| usual != q));
    found
}

type Value<'a> = Box<dyn Fn(&LoadPoint, &State) -> Option<f64> + 'a>;

/// Columns with what fills them.
struct Table<'a> {
    columns: Vec<Column>,
    values: Vec<Value<'a>>,
}

impl<'a> Table<'a> {
    fn new(sweep: &Sweep) -> Self {
        let mut table = Self {
            columns: Vec::new(),
            values: Vec::new(),
        };
        let mode = sweep.header.mode;
        let id = match mode {
            Mode::Concurrency => "concurrency",
            Mode::RequestRate => "request_rate",
        };
        table.add(id, mode.unit(), |p, _| Some(p.load));
        table
    }

    fn add(
        &mut self,
        id: &str,
        unit: Unit,
        value: impl Fn(&LoadPoint, &State) -> Option<f64> + 'a,
    ) {
        self.columns.push(Column::number(id, unit));
        self.values.push(Box::new(value));
    }

    fn finish(self, id: &str, sweep: &Sweep, states: &[State], plot: Option<Series>) -> Figure {
        let rows = sweep
            .points
            .iter()
            .zip(states)
            .map(|(point, state)| {
                self.values
                    .iter()
                    .map(|value| Cell::from(value(point, state)))
                    .collect()
            })
            .collect();
        Figure {
            id: id.to_owned(),
            columns: self.columns,
            rows,
            plot,
            marks: Vec::new(),
            rows_left_out: 0,
        }
    }
}

/// Adds every figure that the file has numbers for.
pub fn add(reading: &mut Reading, sweep: &Sweep, states: &[State]) {
    reading.figures.push(overview(sweep, states));
    reading.figures.push(components(sweep, states));
    reading.figures.extend(gpus(sweep));
}

fn overview(sweep: &Sweep, states: &[State]) -> Figure {
    let header = &sweep.header;
    let stage = sweep.is_ensemble_stage();
    let mut table = Table::new(sweep);
    table.add("inference_throughput", Unit::PerSecond, |p, _| p.throughput);
    if header.has(Field::ResponseThroughput) {
        table.add("response_throughput", Unit::PerSecond, |p, _| {
            p.response_throughput
        });
    }
    for (quantile, id) in USUAL {
        if header.has(Field::Latency(quantile)) {
            table.add(id, Unit::Seconds, move |p, _| {
                p.latency.get(&quantile).copied()
            });
        }
    }
    // One heading serves whichever quantile was asked for; a note says which it is.
    if let [quantile] = extra_quantiles(header)[..] {
        table.add("latency_extra", Unit::Seconds, move |p, _| {
            p.latency.get(&quantile).copied()
        });
    }
    if !stage {
        table.add("latency_mean", Unit::Seconds, |p, _| sweep.average(p));
    }
    if header.has_time(Part::Queue) {
        table.add("queue_time", Unit::Seconds, |p, _| {
            p.times.get(&Part::Queue).copied()
        });
        table.add("compute_time", Unit::Seconds, |p, _| sweep.compute(p));
    }
    match header.mode {
        _ if stage => {}
        Mode::Concurrency => table.add("little_residual", Unit::Ratio, |_, s| s.residual),
        Mode::RequestRate => table.add("achieved_rate", Unit::Ratio, |_, s| s.achieved),
    }
    let drawn = ["latency_p95", "latency_mean"]
        .into_iter()
        .find(|id| table.columns.iter().any(|c| c.id == *id));
    let plot = drawn.map(|y| Series::Line {
        x: "inference_throughput".to_owned(),
        ys: vec![y.to_owned()],
        log_y: false,
    });
    table.finish("perf-sweep", sweep, states, plot)
}

fn components(sweep: &Sweep, states: &[State]) -> Figure {
    let mut table = Table::new(sweep);
    for def in PARTS.iter().filter(|d| sweep.header.has_time(d.part)) {
        let id = match def.part {
            Part::Network if sweep.is_ensemble_stage() => "scheduling_overhead",
            _ => def.column,
        };
        table.add(id, Unit::Seconds, |p, _| p.times.get(&def.part).copied());
    }
    if sweep.header.has_time(Part::Queue) {
        table.add("component_sum", Unit::Seconds, |p, _| {
            sweep.component_sum(p)
        });
    }
    table.finish("perf-components", sweep, states, None)
}

fn gpus(sweep: &Sweep) -> Option<Figure> {
    let load = Table::new(sweep).columns;
    let mut columns = load;
    columns.push(Column::text("gpu"));
    let fields: Vec<_> = GPU_FIELDS
        .iter()
        .filter(|(field, ..)| sweep.header.has(Field::Gpu(*field)))
        .collect();
    columns.extend(fields.iter().map(|(_, _, name)| {
        Column::number(name, catalogue::find(name).map_or(Unit::Count, |d| d.unit))
    }));
    let all = sweep
        .points
        .iter()
        .flat_map(|p| p.gpus.iter().map(move |(gpu, values)| (p, gpu, values)));
    let count = all.clone().count();
    let rows: Vec<Vec<Cell>> = all
        .take(MOST_ROWS)
        .map(|(point, gpu, values)| {
            let mut row = vec![Cell::from(point.load), Cell::text(gpu)];
            row.extend(
                fields
                    .iter()
                    .map(|(field, ..)| Cell::from(values.get(field).copied())),
            );
            row
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
