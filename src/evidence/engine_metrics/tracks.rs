//! What is kept of one series, of the series of one histogram, and of a gauge over all engines.

use super::{
    names::{Meaning, What},
    table::Row,
};
use crate::prometheus::table::{Id, Series};

/// In place of a scrape's number: none yet.
pub const NEVER: u32 = u32::MAX;

/// What a series belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner {
    /// `model_name` or `model`.
    pub model: Option<String>,
    /// `version` of the model, on servers of many models.
    pub version: Option<String>,
    /// `engine` or `dp_rank`: the data-parallel rank; older engines have none.
    pub engine: Option<String>,
    /// Replica, pod or instance, when a pipeline added one.
    pub instance: Option<String>,
}

/// Labels by which pipelines tell replicas apart, first present wins.
const INSTANCE_LABELS: [&str; 7] = [
    "instance",
    "pod",
    "replica",
    "ReplicaId",
    "WorkerId",
    "replica_id",
    "worker_id",
];

impl Owner {
    /// The owner that a series' labels name; `None` when they name neither model nor engine.
    pub fn of(series: &Series) -> Option<Self> {
        let text = |name: &str| series.label(name).map(str::to_owned);
        let owner = Self {
            model: ["model_name", "model", "deployment"]
                .iter()
                .find_map(|name| text(name)),
            version: text("version"),
            engine: text("engine").or_else(|| text("dp_rank")),
            instance: INSTANCE_LABELS.iter().find_map(|name| text(name)),
        };
        (owner.model.is_some() || owner.engine.is_some()).then_some(owner)
    }
}

/// A device that a series names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Device {
    /// Host, where the exporter names one.
    pub host: Option<String>,
    /// Index or identifier of the GPU, with its MIG instance.
    pub gpu: String,
    /// Its model.
    pub model: Option<String>,
}

impl Device {
    /// The device that a series' labels name.
    pub fn of(series: &Series) -> Option<Self> {
        let first = |names: &[&str]| names.iter().find_map(|name| series.label(name));
        let gpu = first(&["gpu", "minor_number", "gpu_uuid", "UUID", "uuid", "index"])?;
        let gpu = match series.label("GPU_I_ID") {
            Some(instance) => format!("{gpu} MIG {instance}"),
            None => gpu.to_owned(),
        };
        Some(Self {
            host: first(&["Hostname", "node", "instance"]).map(str::to_owned),
            gpu,
            model: first(&["modelName", "name"]).map(str::to_owned),
        })
    }
}

/// One series along the scrapes.
#[derive(Debug, Clone)]
pub struct Track {
    /// What it means.
    pub what: What,
    /// Position in the owners; `None` where the series names no engine.
    pub owner: Option<usize>,
    /// The row of the mapping table that says so.
    pub row: Option<&'static Row>,
    /// Position in the devices; `None` where the series is of no device.
    pub device: Option<usize>,
    /// Why requests finished, where the series counts them.
    pub reason: Option<String>,
    /// Whether several series may say the same, of which the greatest counts.
    pub shared: bool,
    /// How many further series do say the same.
    pub repeats: u32,
    /// Number of its family in the table.
    pub family: u32,
    /// Position in the groups of histogram series that belong together.
    pub group: usize,
    /// Upper bound of a bucket in base units, or the quantile of a summary.
    pub le: f64,
    /// Number of the series.
    pub id: Id,
    /// Scrape of the last value.
    pub last_scrape: u32,
    /// Last value.
    pub last: f64,
    /// Increase over the window.
    pub increase: f64,
    /// Whether its family was not in the first scrape, so that no increase can be stated.
    pub late: bool,
    /// Greatest value.
    pub max: f64,
    /// Sum over those scrapes.
    pub sum: f64,
    /// Scrapes that had it, when it is a gauge.
    pub times: u32,
}

impl Track {
    /// A series of which nothing was taken yet.
    pub fn new(meaning: Meaning, id: Id, family: u32, owner: Option<usize>) -> Self {
        Self {
            what: meaning.what,
            row: meaning.row,
            device: None,
            reason: None,
            shared: false,
            repeats: 0,
            owner,
            family,
            group: 0,
            le: f64::NAN,
            id,
            last_scrape: NEVER,
            last: 0.0,
            increase: 0.0,
            late: false,
            max: f64::NEG_INFINITY,
            sum: 0.0,
            times: 0,
        }
    }

    /// Takes the value of a gauge.
    pub fn gauge(&mut self, scrape: u32, value: f64) {
        self.last = value;
        self.last_scrape = scrape;
        self.max = self.max.max(value);
        self.sum += value;
        self.times += 1;
    }

    /// Mean over the scrapes that had it.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.times)
    }
}

/// Series of one histogram with one label set.
#[derive(Debug, Clone)]
pub struct Group {
    /// Scrape that had it first.
    pub first: u32,
    /// Last scrape at which its count or a bucket had fallen.
    pub reset_at: u32,
    /// Buckets came and went between scrapes: no quantile.
    pub broken: bool,
}

impl Default for Group {
    fn default() -> Self {
        Self {
            first: NEVER,
            reset_at: NEVER,
            broken: false,
        }
    }
}

/// A gauge over all engines, along the scrapes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Level {
    /// Value at the first scrape that had it.
    pub first: f64,
    /// Value at the last scrape.
    pub last: f64,
    /// Greatest value.
    pub max: f64,
    /// Sum over those scrapes.
    pub sum: f64,
    /// Scrapes that had it.
    pub times: u32,
    /// Scrape of the last value.
    pub last_scrape: u32,
}

impl Level {
    /// Takes the next value.
    pub fn take(&mut self, scrape: u32, value: f64) {
        if self.times == 0 {
            self.first = value;
            self.max = value;
        }
        self.max = self.max.max(value);
        self.last = value;
        self.sum += value;
        self.times += 1;
        self.last_scrape = scrape;
    }

    /// Mean over the scrapes that had it.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.times)
    }
}
