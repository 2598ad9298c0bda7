//! nvidia-smi as text: the CSV of `--query-gpu` and the columns of `dmon`, sampled while a load
//! runs (stage 2).
//!
//! Every GPU stands on its own, nothing is summed over GPUs. A cell without a value is absent,
//! never zero. Utilisation is the share of time in which any kernel ran: context, no diagnosis.

mod fields;
mod recognise;
mod rows;
mod samples;
#[cfg(test)]
mod tests;

use crate::{
    Bound, Cell, Column, Figure, FileRead, Kind, Note,
    NoteLevel::{Info, NotCaptured, Warning},
    Options, Reading, Refusal, Scope, Series, Signal, Source, Statistic, Tool, Unit, Window,
    input::{is_damage, open},
};
use chrono::DateTime;
pub use recognise::recognise;
use samples::{Device, Level, Samples};
use std::collections::BTreeSet;

/// Version of this parser.
pub const PARSER: &str = "1.0";

/// Every signal that this reader can yield.
pub const YIELDS: &[&str] = &[
    "gpu_device_utilization",
    "gpu_memory_utilization",
    "gpu_power",
    "gpu_power_limit",
    "gpu_memory_used",
    "gpu_memory_total",
    "gpu_sm_clock",
    "gpu_memory_clock",
    "gpu_temperature",
    "gpu_memory_temperature",
    "gpu_throttled_share",
    "gpu_ecc_corrected_errors",
    "gpu_ecc_uncorrected_errors",
    "pcie_tx_throughput",
    "pcie_rx_throughput",
];

/// Reads the samples of one file.
///
/// # Errors
/// `io`, `nvidia-smi-no-row` when no row could be read, `nvidia-smi-too-many-devices`.
pub fn read(sources: &[Source], _: &Options) -> Result<Reading, Refusal> {
    let tool = Tool {
        name: "nvidia-smi".to_owned(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(Kind::NvidiaSmi, PARSER, tool);
    let mut samples = Samples::default();
    for source in sources {
        let mut opened = open(source)?;
        match rows::read(&mut *opened.input, &source.name, &mut samples) {
            Ok(answer) => answer?,
            Err(e) if opened.packed && is_damage(&e) => {
                reading.note(Note::new(Warning, "metrics-gzip-damaged").arg("file", &source.name))
            }
            Err(e) => return Err(Refusal::io(&source.name, &e)),
        }
        reading.files.push(FileRead {
            name: source.name.clone(),
            bytes: opened.bytes,
        });
    }
    let first = sources.first().map_or("", |s| s.name.as_str());
    if samples.rows == 0 {
        return Err(Refusal::new(first, "nvidia-smi-no-row"));
    }
    let (start, end, seconds) = samples.window();
    let utc = |s: f64| DateTime::from_timestamp_micros((s * 1e6) as i64);
    reading.window = Some(Window {
        start: start.and_then(utc),
        end: end.and_then(utc),
        seconds,
    });
    environment(&mut reading, &samples);
    let mut order: Vec<(&String, &Device)> = samples.devices.iter().collect();
    order.sort_by_key(|(gpu, _)| (gpu.parse::<u64>().unwrap_or(u64::MAX), gpu.as_str()));
    for (gpu, device) in &order {
        signals(&mut reading, gpu, device);
    }
    figures(&mut reading, &samples, &order);
    notes(&mut reading, &samples, &order);
    reading.or_empty(first)
}

fn environment(reading: &mut Reading, samples: &Samples) {
    let models: BTreeSet<&str> = samples
        .devices
        .values()
        .filter_map(|d| d.model.as_deref())
        .collect();
    let models: Vec<&str> = models.into_iter().take(8).collect();
    if !models.is_empty() {
        let text = crate::reading::tame(&models.join(", "));
        reading.environment.insert("gpu_model".to_owned(), text);
    }
    if let Some(driver) = &samples.driver {
        let text = crate::reading::tame(driver);
        reading
            .environment
            .insert("driver_version".to_owned(), text);
    }
}

fn signals(reading: &mut Reading, gpu: &str, device: &Device) {
    for (name, level) in &device.levels {
        for signal in of_level(name, level) {
            reading.push(signal.label("gpu", gpu));
        }
    }
}

fn of_level(name: &str, level: &Level) -> Vec<Signal> {
    let of = |statistic, value| Signal::new(name, statistic, value).samples(level.times);
    if samples::counts(name) {
        // The counter runs since the driver was loaded: its last value is no window's own.
        return if level.times > 1 {
            vec![of(Statistic::Total, level.increase)]
        } else {
            vec![of(Statistic::Total, level.last).scope(Scope::SinceStart)]
        };
    }
    if name == "gpu_throttled_share" {
        return vec![of(Statistic::Ratio, level.mean()).bound(Bound::Estimate)];
    }
    let last = Signal::new(name, Statistic::Last, level.last).scope(Scope::Instant);
    let is_fixed = matches!(name, "gpu_memory_total" | "gpu_power_limit");
    if level.times < 2 || is_fixed {
        return vec![last];
    }
    // Between two samples nobody looked.
    vec![
        of(Statistic::Mean, level.mean()).bound(Bound::Estimate),
        of(Statistic::Max, level.max).bound(Bound::Estimate),
        last,
    ]
}

/// Columns of the table of devices: signal, unit, and whether the greatest is shown.
const COLUMNS: [(&str, Unit); 5] = [
    ("gpu_device_utilization", Unit::Ratio),
    ("gpu_memory_used", Unit::Bytes),
    ("gpu_power", Unit::Watts),
    ("gpu_sm_clock", Unit::Hertz),
    ("gpu_temperature", Unit::Celsius),
];

fn figures(reading: &mut Reading, samples: &Samples, order: &[(&String, &Device)]) {
    let shown: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(name, _)| order.iter().any(|(_, d)| d.levels.contains_key(name)))
        .collect();
    let mut columns = vec![Column::text("gpu_device"), Column::text("gpu_model")];
    columns.extend(shown.iter().map(|(name, unit)| Column::number(name, *unit)));
    let row = |(gpu, device): &(&String, &Device)| {
        let model = device.model.as_deref().map_or(Cell::NONE, Cell::text);
        let mut cells = vec![Cell::text(gpu), model];
        let mean = |name: &str| device.levels.get(name).map(Level::mean);
        cells.extend(shown.iter().map(|(name, _)| mean(name).into()));
        cells
    };
    if !shown.is_empty() {
        let rows = order.iter().map(row).collect();
        reading
            .figures
            .push(Figure::new("gpu-devices", columns, rows));
    }
    if samples.course.len() < 2 {
        return;
    }
    let timed = samples.course.iter().all(|p| p.elapsed.is_some());
    let names = [
        "gpu_utilization_mean",
        "gpu_utilization_least",
        "gpu_utilization_greatest",
    ];
    let mut columns = vec![
        Column::number("gpu_sample", Unit::Count),
        Column::number("elapsed", Unit::Seconds),
    ];
    columns.extend(names.map(|name| Column::number(name, Unit::Ratio)));
    let rows = samples.course.iter().enumerate().map(|(i, p)| {
        vec![
            (i as f64 + 1.0).into(),
            p.elapsed.into(),
            (p.sum / f64::from(p.times)).into(),
            p.least.into(),
            p.greatest.into(),
        ]
    });
    let plot = Series::Line {
        x: if timed { "elapsed" } else { "gpu_sample" }.to_owned(),
        ys: names.map(str::to_owned).to_vec(),
        log_y: false,
    };
    reading.figures.push(
        Figure::new("gpu-series", columns, rows.collect())
            .plot(plot)
            .left_out(samples.thinned),
    );
}

fn notes(reading: &mut Reading, samples: &Samples, order: &[(&String, &Device)]) {
    if let Some((line, file)) = &samples.first_skipped {
        reading.note(
            Note::new(Warning, "nvidia-smi-lines-skipped")
                .arg("skipped", samples.skipped)
                .arg("line", line)
                .arg("file", file),
        );
    }
    if let Some(file) = &samples.cut {
        reading.note(Note::new(Warning, "nvidia-smi-cut").arg("file", file));
    }
    if let (count, Some((place, line))) = &samples.impossible {
        let (value, file) = place.split_once('\u{1}').unwrap_or((place, ""));
        reading.note(
            Note::new(Warning, "nvidia-smi-impossible")
                .arg("count", count)
                .arg("value", value)
                .arg("line", line)
                .arg("file", file),
        );
    }
    for (gpu, device) in order.iter().take(16) {
        let count: u64 = device.absent.values().sum();
        if count > 0 {
            let fields: Vec<&str> = device.absent.keys().map(String::as_str).take(8).collect();
            reading.note(
                Note::new(NotCaptured, "nvidia-smi-absent")
                    .arg("gpu", gpu)
                    .arg("count", count)
                    .arg("fields", fields.join(", ")),
            );
        }
    }
    if samples.comma {
        let file = reading.files.first().map_or("", |f| f.name.as_str());
        let note = Note::new(Info, "nvidia-smi-decimal-comma").arg("file", file);
        reading.note(note);
    }
    if !samples.assumed.is_empty() {
        let fields: Vec<&str> = samples.assumed.iter().map(String::as_str).collect();
        let note = Note::new(Info, "nvidia-smi-units-assumed").arg("fields", fields.join(", "));
        reading.note(note);
    }
    if !samples.unread.is_empty() {
        let fields: Vec<&str> = samples.unread.iter().map(String::as_str).collect();
        let note = Note::new(Info, "nvidia-smi-field-unknown").arg("fields", fields.join(", "));
        reading.note(note);
    }
    if samples.rows > samples.devices.len() as u64 && samples.window().2.is_none() {
        reading.note(Note::new(NotCaptured, "nvidia-smi-no-time"));
    }
    let has = |name: &str| order.iter().any(|(_, d)| d.levels.contains_key(name));
    if has("gpu_device_utilization") {
        reading.note(Note::new(Info, "gpu-utilization-says-little"));
    }
    if has("gpu_throttled_share") {
        reading.note(Note::new(Info, "gpu-throttle-sampled"));
    }
}
