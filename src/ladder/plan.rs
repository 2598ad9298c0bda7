//! The canary plan of a revision: how much of production it may see, for how long, what it is
//! judged by, and what stands ready when it goes wrong.
//!
//! Fields that came later are left out of a stored plan while nobody states them, so that the
//! digest of an older revision is still the digest of what it says.

use super::Sentence;
use super::contract::Terms as ContractTerms;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What stands ready beside the candidate. Each number may be left open; the pages say so.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Capacity {
    /// Share of capacity that is free at the target load, 0–1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<f64>,
    /// Replicas that may fail at once without breaking the service: the f of N+f.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spare: Option<u32>,
    /// Seconds until a replacement serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_up_seconds: Option<u32>,
}

impl Capacity {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// How much of production a canary may see, and for how long.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CanaryPlan {
    /// Greatest share of traffic, 0–1.
    pub share_ceiling: Option<f64>,
    /// Classes and regions included, in words.
    pub scope: String,
    /// Most requests exposed.
    pub max_requests: Option<u64>,
    /// Longest duration in seconds, from the start; time paused counts.
    pub max_seconds: Option<u32>,
    /// Shortest duration in seconds.
    pub min_seconds: Option<u32>,
    /// Least samples per arm.
    pub min_samples: Option<u64>,
    /// Whether a baseline arm runs beside it.
    pub concurrent_baseline: bool,
    /// Why none does.
    pub no_baseline_reason: String,
    /// Who watches, by name.
    pub watcher: String,
    /// Who watches: the person. Plans of before have a name only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watcher_id: Option<Uuid>,
    /// Earliest start; `None` = at any time up to the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_from: Option<DateTime<Utc>>,
    /// Latest start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_to: Option<DateTime<Utc>>,
    /// Task classes included; empty = every one of the contract.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Regions included; empty = not told apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<String>,
    /// How much worse than the baseline arm the candidate may be, as a share of its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// Ids of the limits that have to pass; empty = every one. The others may fail it too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// Seconds from one evaluation to the next; `None` = the contract's window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_seconds: Option<u32>,
    /// What stands ready.
    #[serde(default, skip_serializing_if = "Capacity::is_empty")]
    pub capacity: Capacity,
}

impl CanaryPlan {
    /// Whether the plan includes this task class.
    pub fn includes(&self, class: &str) -> bool {
        self.classes.is_empty() || self.classes.iter().any(|c| c == class)
    }

    /// Whether a limit has to pass before the canary may.
    pub fn requires(&self, limit_id: &str) -> bool {
        self.limits.is_empty() || self.limits.iter().any(|l| l == limit_id)
    }

    /// Seconds of one evaluation: as planned, or else the contract's window.
    pub fn interval(&self, contract: &ContractTerms) -> i64 {
        i64::from(self.interval_seconds.unwrap_or(contract.window_seconds)).max(1)
    }

    /// What it still lacks, each with the form field it belongs to.
    pub fn problems(&self) -> Vec<(String, Sentence)> {
        let mut found = Vec::new();
        let mut miss = |field: &str, key: &str| found.push((field.to_owned(), Sentence::new(key)));
        if self.share_ceiling.is_none_or(|s| !(s > 0.0 && s <= 1.0)) {
            miss("share_ceiling", "change-needs-share");
        }
        if self.max_requests.is_none_or(|n| n == 0) {
            miss("max_requests", "change-needs-max-requests");
        }
        match (self.min_seconds, self.max_seconds) {
            (Some(min), Some(max)) if min > 0 && min <= max => {}
            _ => miss("max_minutes", "change-needs-duration"),
        }
        if self.min_samples.is_none_or(|n| n == 0) {
            miss("min_samples", "change-needs-samples");
        }
        if !self.concurrent_baseline && self.no_baseline_reason.trim().len() < 10 {
            miss("no_baseline_reason", "change-needs-baseline-arm");
        }
        let margin = self.margin.is_some_and(|m| (0.0..=1.0).contains(&m));
        if self.concurrent_baseline && !margin {
            miss("margin", "change-needs-margin");
        }
        if self.watcher.trim().is_empty() {
            miss("watcher", "change-needs-watcher");
        }
        if let (Some(from), Some(to)) = (self.start_from, self.start_to)
            && from >= to
        {
            miss("start_to", "change-needs-start-window");
        }
        if self.interval_seconds == Some(0) {
            miss("interval_minutes", "change-needs-interval");
        }
        found
    }
}
