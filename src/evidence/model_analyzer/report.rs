//! Measurements as a [`Reading`]: one sweep per configuration, a table of everything, and the GPUs.

use super::PARSER;
use super::measured::{GpuRow, Measured, Measurement};
use crate::{
    Cell, Column, Figure, Kind, Note, NoteLevel, Reading, Signal, Statistic, Tool, Unit,
    sweep::{self, GPU_FIELDS, GpuField, Mode, Part, Sweep},
};
use std::collections::BTreeMap;

/// Most rows of a figure.
const MOST_ROWS: usize = 2000;

/// Everything the measurements say.
pub(super) fn reading(kind: Kind, measured: &Measured, notes: &[Note]) -> Reading {
    let tool = Tool {
        name: "Model Analyzer".to_owned(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(kind, PARSER, tool);
    let names = names(measured);
    let sweeps = sweeps(measured, &names);
    sweep::add(&mut reading, &sweeps);
    let alone = sweeps.len() == 1 && !measured.all.iter().any(Measurement::is_joint);
    for (m, name) in measured.all.iter().zip(&names) {
        if m.is_joint() {
            joint(&mut reading, m);
        }
        for (token, statistic, value) in &m.tokens {
            let signal = Signal::new(token, *statistic, *value).label("load", m.load_text());
            reading.push(if alone {
                signal
            } else {
                signal.label("config", name)
            });
        }
    }
    measurements(&mut reading, measured);
    for row in &measured.gpus {
        gpu_signals(&mut reading, row);
    }
    gpu_figure(&mut reading, measured);
    for note in notes {
        reading.note(note.clone());
    }
    own_notes(&mut reading, measured, &sweeps);
    reading
}

/// The name of each measurement's sweep: its configuration, and its batch size where a configuration
/// was measured with several.
fn names(measured: &Measured) -> Vec<String> {
    let mut batches: BTreeMap<&str, Vec<&[f64]>> = BTreeMap::new();
    for m in &measured.all {
        let known = batches.entry(&m.config).or_default();
        if !known.contains(&m.batch.as_slice()) {
            known.push(&m.batch);
        }
    }
    let name = |m: &Measurement| match batches[m.config.as_str()].len() {
        1 => m.config.clone(),
        _ => format!("{} batch {}", m.config, m.batch_text()),
    };
    measured.all.iter().map(name).collect()
}

fn sweeps(measured: &Measured, names: &[String]) -> Vec<Sweep> {
    let mut by: BTreeMap<(&str, Mode), Sweep> = BTreeMap::new();
    for (m, name) in measured
        .all
        .iter()
        .zip(names)
        .filter(|(m, _)| !m.is_joint())
    {
        let sweep = by.entry((name, m.mode)).or_insert_with(|| {
            let mut sweep = Sweep::new(m.mode);
            sweep.counts = measured.counts;
            sweep.batch = m.batch.first().copied().filter(|b| *b >= 1.0);
            sweep.series = Some(("config", name.clone()));
            sweep
        });
        let mut point = m.point.clone();
        settle(&mut point.times);
        sweep.points.push(point);
    }
    let mut sweeps: Vec<Sweep> = by.into_values().collect();
    for sweep in &mut sweeps {
        sweep.settle();
    }
    if let [only] = &mut sweeps[..]
        && !measured.all.iter().any(Measurement::is_joint)
    {
        only.series = None;
    }
    sweeps
}

/// The network is what the average leaves beside client, queue and compute.
fn settle(times: &mut BTreeMap<Part, f64>) {
    let measured = [
        Part::RequestResponse,
        Part::Queue,
        Part::ComputeInput,
        Part::ComputeInfer,
        Part::ComputeOutput,
    ];
    let sum: Option<f64> = measured.iter().map(|p| times.get(p).copied()).sum();
    if let (Some(average), Some(sum)) = (times.get(&Part::Average).copied(), sum) {
        times.insert(Part::NetworkGap, (average - sum).max(0.0));
    }
}

/// Several models at once: the numbers together, and throughput and tail of each.
fn joint(reading: &mut Reading, m: &Measurement) {
    let label = |signal: Signal| {
        signal
            .label("config", &m.config)
            .label("load", m.load_text())
    };
    if let Some(rate) = m.point.throughput {
        reading.push(label(Signal::new(
            "inference_throughput",
            Statistic::Rate,
            rate,
        )));
    }
    for (quantile, seconds) in &m.point.latency {
        reading.push(label(Signal::new("e2e_latency", *quantile, *seconds)));
    }
    let quantile = m.point.latency.keys().next().copied();
    let names: Vec<&str> = m.model.split(',').map(str::trim).collect();
    for (i, each) in m.each.iter().enumerate() {
        let model = names.get(i).copied().unwrap_or_default();
        for (name, value) in each {
            let statistic = match *name {
                "inference_throughput" => Some(Statistic::Rate),
                _ => quantile,
            };
            if let Some(statistic) = statistic {
                reading.push(label(Signal::new(name, statistic, *value)).label("model", model));
            }
        }
    }
}

fn measurements(reading: &mut Reading, measured: &Measured) {
    if measured.all.is_empty() {
        return;
    }
    let quantiles: std::collections::BTreeSet<Statistic> = measured
        .all
        .iter()
        .flat_map(|m| m.point.latency.keys().copied())
        .collect();
    let tail = quantiles
        .iter()
        .find(|q| **q == Statistic::P95)
        .or(quantiles.last())
        .copied();
    let text = |value: &Option<String>| value.as_deref().map_or(Cell::NONE, Cell::text);
    let rows: Vec<Vec<Cell>> = measured
        .all
        .iter()
        .take(MOST_ROWS)
        .map(|m| {
            vec![
                Cell::text(&m.config),
                Cell::text(&m.batch_text()),
                Cell::text(&m.load_text()),
                text(&m.instances),
                text(&m.max_batch),
                m.satisfies
                    .map_or(Cell::NONE, |s| Cell::text(if s { "yes" } else { "no" })),
                Cell::from(m.point.throughput),
                Cell::from(tail.and_then(|q| m.point.latency.get(&q).copied())),
            ]
        })
        .collect();
    let texts = [
        "ma_config",
        "request_batch",
        "loads_tested",
        "ma_instances",
        "ma_max_batch",
        "ma_constraints",
    ];
    let mut columns: Vec<Column> = texts.iter().map(|id| Column::text(id)).collect();
    columns.push(Column::number("inference_throughput", Unit::PerSecond));
    columns.push(Column::number("latency_tail", Unit::Seconds));
    reading.figures.push(Figure {
        id: "ma-measurements".to_owned(),
        columns,
        marks: Vec::new(),
        rows_left_out: (measured.all.len() - rows.len()) as u64,
        rows,
        plot: None,
    });
}

fn statistic_of(field: GpuField) -> Statistic {
    match field {
        GpuField::MemoryUsed => Statistic::Max,
        GpuField::MemoryTotal => Statistic::Last,
        GpuField::Utilization | GpuField::Power => Statistic::Mean,
    }
}

fn gpu_signals(reading: &mut Reading, row: &GpuRow) {
    for (field, _, name) in GPU_FIELDS {
        let Some(value) = row.values.get(field) else {
            continue;
        };
        let signal = Signal::new(name, statistic_of(*field), *value).label("gpu", &row.gpu);
        reading.push(match &row.of {
            Some((config, batch, load)) => signal
                .label("config", config)
                .label("batch", batch)
                .label("load", load),
            None => signal.label("state", "idle"),
        });
    }
}

fn gpu_figure(reading: &mut Reading, measured: &Measured) {
    if measured.gpus.is_empty() {
        return;
    }
    let rows: Vec<Vec<Cell>> = measured
        .gpus
        .iter()
        .take(MOST_ROWS)
        .map(|row| {
            let (config, batch, load) = match &row.of {
                Some((c, b, l)) => (Cell::text(c), Cell::text(b), Cell::text(l)),
                None => (Cell::NONE, Cell::NONE, Cell::NONE),
            };
            let mut cells = vec![config, batch, load, Cell::text(&row.gpu)];
            cells.extend(
                GPU_FIELDS
                    .iter()
                    .map(|(field, ..)| Cell::from(row.values.get(field).copied())),
            );
            cells
        })
        .collect();
    let mut columns: Vec<Column> = ["ma_config", "request_batch", "loads_tested", "gpu"]
        .iter()
        .map(|id| Column::text(id))
        .collect();
    columns.extend(GPU_FIELDS.iter().map(|(_, _, name)| {
        let unit = crate::catalogue::find(name).map_or(Unit::Count, |d| d.unit);
        Column::number(name, unit)
    }));
    reading.figures.push(Figure {
        id: "ma-gpus".to_owned(),
        columns,
        marks: Vec::new(),
        rows_left_out: (measured.gpus.len() - rows.len()) as u64,
        rows,
        plot: None,
    });
}

fn own_notes(reading: &mut Reading, measured: &Measured, sweeps: &[Sweep]) {
    let note = |level, code: &str| Note::new(level, code);
    let failed = measured
        .all
        .iter()
        .filter(|m| m.satisfies == Some(false))
        .count();
    if failed > 0 {
        reading.note(note(NoteLevel::Warning, "ma-constraints").arg("count", failed));
    }
    if measured.all.iter().any(Measurement::is_joint) {
        reading.note(note(NoteLevel::Info, "ma-several-models"));
    }
    if !measured.all.is_empty() && !sweeps.iter().any(|s| s.has_time(Part::Average)) {
        reading.note(note(NoteLevel::NotCaptured, "ma-no-average"));
    }
    let no_p95 = |s: &Sweep| !s.quantiles().is_empty() && !s.quantiles().contains(&Statistic::P95);
    if sweeps.iter().any(no_p95) {
        reading.note(note(NoteLevel::NotCaptured, "ma-no-p95"));
    }
    if !measured.all.is_empty() {
        reading.note(note(NoteLevel::Info, "perf-noise-floor"));
        reading.note(note(NoteLevel::NotCaptured, "ma-no-request-count"));
    }
}
