//! What is kept of the samples: per device and signal a few sums, and the course of utilisation
//! in a bounded number of points.

use super::fields::{self, Field};
use crate::{Refusal, catalogue, prometheus::Stamp};
use std::collections::{BTreeMap, BTreeSet};

/// Most devices of one file.
pub const MOST_DEVICES: usize = 256;

/// A signal of one device along the samples.
#[derive(Debug, Clone, Copy)]
pub struct Level {
    /// Samples that had it.
    pub times: u64,
    /// Their sum.
    pub sum: f64,
    /// The greatest.
    pub max: f64,
    /// The last.
    pub last: f64,
    /// Increases along the samples, a fall counting as a new beginning.
    pub increase: f64,
}

impl Level {
    fn take(&mut self, value: f64) {
        self.increase += if value >= self.last {
            value - self.last
        } else {
            value
        };
        self.times += 1;
        self.sum += value;
        self.max = self.max.max(value);
        self.last = value;
    }

    fn new(value: f64) -> Self {
        Self {
            times: 1,
            sum: value,
            max: value,
            last: value,
            increase: 0.0,
        }
    }

    /// Mean over the samples that had it.
    pub fn mean(&self) -> f64 {
        self.sum / self.times as f64
    }
}

/// One GPU.
#[derive(Debug, Clone, Default)]
pub struct Device {
    /// Its model.
    pub model: Option<String>,
    /// Signals by name.
    pub levels: BTreeMap<&'static str, Level>,
    /// Fields whose cells had no value, with how many.
    pub absent: BTreeMap<String, u64>,
    /// Samples of it.
    pub rows: u64,
    first: Option<Stamp>,
    last: Option<Stamp>,
    elapsed: Option<f64>,
}

/// One instant of the figure: number of values, sum, least and greatest.
#[derive(Debug, Clone, Copy)]
pub struct Instant {
    /// Seconds since the first sample.
    pub elapsed: Option<f64>,
    /// GPUs with a value.
    pub times: u32,
    /// Sum over the GPUs.
    pub sum: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
}

/// All that was read.
#[derive(Debug, Default)]
pub struct Samples {
    /// GPUs by index or identifier.
    pub devices: BTreeMap<String, Device>,
    /// Rows read.
    pub rows: u64,
    /// Lines passed over.
    pub skipped: u64,
    /// The first of them, with its file.
    pub first_skipped: Option<(u64, String)>,
    /// File that ended inside a row.
    pub cut: Option<String>,
    /// Whether numbers had a decimal comma.
    pub comma: bool,
    /// Fields whose unit nothing stated.
    pub assumed: BTreeSet<String>,
    /// Columns that are not read.
    pub unread: BTreeSet<String>,
    /// Version of the driver.
    pub driver: Option<String>,
    /// Values outside what is possible, and the first with its line.
    pub impossible: (u64, Option<(String, u64)>),
    /// Utilisation along the samples, thinned.
    pub course: Vec<Instant>,
    /// Rounds that have no point of their own.
    pub thinned: u64,
    stride: u64,
    rounds: u64,
    in_round: BTreeSet<String>,
}

/// Most points of the figure.
const MOST_POINTS: usize = 400;

impl Samples {
    /// Counts a line passed over.
    pub fn skip(&mut self, number: u64, file: &str) {
        self.skipped += 1;
        if self.first_skipped.is_none() {
            self.first_skipped = Some((number, file.to_owned()));
        }
    }

    /// Remembers a column that is not read.
    pub fn unread(&mut self, name: &str) {
        if self.unread.len() < 12 {
            self.unread.insert(name.to_owned());
        }
    }

    /// Begins a row of one GPU.
    ///
    /// # Errors
    /// `nvidia-smi-too-many-devices`.
    pub fn begin<'a>(
        &'a mut self,
        gpu: &str,
        stamp: Option<Stamp>,
        file: &str,
    ) -> Result<Row<'a>, Refusal> {
        if !self.devices.contains_key(gpu) && self.devices.len() >= MOST_DEVICES {
            return Err(Refusal::new(file, "nvidia-smi-too-many-devices").arg("most", MOST_DEVICES));
        }
        self.rows += 1;
        let device = self.devices.entry(gpu.to_owned()).or_default();
        device.rows += 1;
        match (stamp, device.last) {
            (Some(now), None) if device.rows == 1 => {
                device.first = Some(now);
                device.elapsed = Some(0.0);
            }
            (Some(now), Some(then)) => {
                let step = now.since(then).filter(|step| *step >= 0.0);
                device.elapsed = device.elapsed.zip(step).map(|(sum, step)| sum + step);
            }
            _ => device.elapsed = None,
        }
        device.last = stamp;
        let elapsed = device.elapsed;
        if self.in_round.contains(gpu) {
            self.in_round.clear();
            self.rounds += 1;
        }
        self.in_round.insert(gpu.to_owned());
        Ok(Row {
            samples: self,
            gpu: gpu.to_owned(),
            file: file.to_owned(),
            elapsed,
            reasons: None,
            seen: BTreeSet::new(),
        })
    }

    /// Start, end and length of the window, as far as the rows tell them.
    pub fn window(&self) -> (Option<f64>, Option<f64>, Option<f64>) {
        let devices = || self.devices.values();
        let first = devices().filter_map(|d| d.first?.unix()).reduce(f64::min);
        let last = devices().filter_map(|d| d.last?.unix()).reduce(f64::max);
        let seconds = devices().filter_map(|d| d.elapsed).reduce(f64::max);
        (first, last, seconds.filter(|s| *s > 0.0))
    }

    fn point(&mut self, elapsed: Option<f64>, value: f64) {
        self.stride = self.stride.max(1);
        let mut at = (self.rounds / self.stride) as usize;
        if at >= MOST_POINTS {
            let old = std::mem::take(&mut self.course);
            self.course = old
                .chunks(2)
                .map(|pair| {
                    let mut point = pair[0];
                    if let Some(next) = pair.get(1) {
                        point.times += next.times;
                        point.sum += next.sum;
                        point.least = point.least.min(next.least);
                        point.greatest = point.greatest.max(next.greatest);
                    }
                    point
                })
                .collect();
            self.stride *= 2;
            at = (self.rounds / self.stride) as usize;
        }
        match self.course.get_mut(at) {
            Some(point) => {
                point.times += 1;
                point.sum += value;
                point.least = point.least.min(value);
                point.greatest = point.greatest.max(value);
            }
            // Rounds without a value have no point; the next one takes the free place.
            None => self.course.push(Instant {
                elapsed,
                times: 1,
                sum: value,
                least: value,
                greatest: value,
            }),
        }
        self.thinned = (self.rounds + 1).saturating_sub(self.course.len() as u64);
    }
}

/// A row that is being read.
pub struct Row<'a> {
    samples: &'a mut Samples,
    gpu: String,
    file: String,
    elapsed: Option<f64>,
    /// Whether any column of reasons is active.
    reasons: Option<bool>,
    seen: BTreeSet<&'static str>,
}

impl Row<'_> {
    /// Takes one cell.
    pub fn cell(&mut self, field: Field, name: &str, factor: Option<f64>, cell: &str, line: u64) {
        let is_value = matches!(field, Field::Number(..) | Field::Reasons | Field::Reason);
        if is_value && fields::is_absent(cell) {
            *self.device().absent.entry(name.to_owned()).or_default() += 1;
            return;
        }
        match field {
            Field::Model => {
                let model = cell.trim().to_owned();
                self.device().model.get_or_insert(model);
            }
            Field::Driver => {
                let driver = cell.trim().to_owned();
                self.samples.driver.get_or_insert(driver);
            }
            Field::Number(signal, unit) => match fields::number(cell, factor) {
                Some(number) => {
                    let mut value = number.value;
                    if !number.stated {
                        value *= unit.factor();
                        if unit.is_stated() {
                            self.samples.assumed.insert(name.to_owned());
                        }
                    }
                    self.samples.comma |= number.comma;
                    self.value(signal, value, cell, line);
                }
                None => self.impossible(cell, line),
            },
            Field::Reasons => match fields::bits(cell) {
                Some(bits) => self.reason(crate::engine_metrics::throttled(bits) > 0.0),
                None => self.impossible(cell, line),
            },
            Field::Reason => match cell.trim() {
                "Active" => self.reason(true),
                "Not Active" => self.reason(false),
                _ => self.impossible(cell, line),
            },
            Field::Time | Field::Index | Field::Uuid | Field::Other => {}
        }
    }

    fn device(&mut self) -> &mut Device {
        self.samples.devices.entry(self.gpu.clone()).or_default()
    }

    fn reason(&mut self, active: bool) {
        self.reasons = Some(self.reasons.unwrap_or(false) || active);
    }

    fn value(&mut self, signal: &'static str, value: f64, cell: &str, line: u64) {
        let is_share = catalogue::find(signal).is_some_and(|d| d.unit == crate::Unit::Ratio);
        let possible = value.is_finite()
            && (value >= 0.0 || signal.contains("temperature"))
            && (!is_share || value <= 1.0)
            && value < 1e18;
        if !possible {
            return self.impossible(cell, line);
        }
        // Two columns of one thing (draw and its average): the first counts.
        if !self.seen.insert(signal) {
            return;
        }
        let levels = &mut self.device().levels;
        levels
            .entry(signal)
            .and_modify(|level| level.take(value))
            .or_insert_with(|| Level::new(value));
        if signal == "gpu_device_utilization" {
            self.samples.point(self.elapsed, value);
        }
    }

    fn impossible(&mut self, cell: &str, line: u64) {
        let file = self.file.clone();
        let (count, first) = &mut self.samples.impossible;
        *count += 1;
        first.get_or_insert_with(|| (format!("{}\u{1}{file}", cell.trim()), line));
    }
}

impl Drop for Row<'_> {
    fn drop(&mut self) {
        if let Some(active) = self.reasons {
            let value = f64::from(u8::from(active));
            let levels = &mut self.device().levels;
            levels
                .entry("gpu_throttled_share")
                .and_modify(|level| level.take(value))
                .or_insert_with(|| Level::new(value));
        }
    }
}

/// Whether a signal counts events since the driver was loaded.
pub fn counts(name: &str) -> bool {
    name.starts_with("gpu_ecc")
}
