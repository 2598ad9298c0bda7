//! What is kept of one series, of the series of one histogram, and of a gauge over all engines.

use super::names::What;
use crate::prometheus::table::{Id, Series};

/// In place of a scrape's number: none yet.
pub const NEVER: u32 = u32::MAX;

/// What a series belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner {
    /// `model_name`.
    pub model: Option<String>,
    /// `engine`: the data-parallel rank; V0 has none.
    pub engine: Option<String>,
    /// Replica, pod or instance, when a pipeline added one.
    pub instance: Option<String>,
}

/// Labels by which pipelines tell replicas apart, first present wins.
const INSTANCE_LABELS: [&str; 6] = [
    "instance",
    "pod",
    "replica",
    "ReplicaId",
    "WorkerId",
    "replica_id",
];

impl Owner {
    /// The owner that a series' labels name; `None` when they name neither model nor engine.
    pub fn of(series: &Series) -> Option<Self> {
        let text = |name: &str| series.label(name).map(str::to_owned);
        let owner = Self {
            model: text("model_name"),
            engine: text("engine"),
            instance: INSTANCE_LABELS.iter().find_map(|name| text(name)),
        };
        (owner.model.is_some() || owner.engine.is_some()).then_some(owner)
    }
}

/// One series along the scrapes.
#[derive(Debug, Clone)]
pub struct Track {
    /// What it means.
    pub what: What,
    /// Position in the owners; `None` where the series names no engine.
    pub owner: Option<usize>,
    /// Number of its family in the table.
    pub family: u32,
    /// Position in the groups of histogram series that belong together.
    pub group: usize,
    /// Upper bound of a bucket.
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
    pub fn new(what: What, id: Id, family: u32, owner: Option<usize>) -> Self {
        Self {
            what,
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
