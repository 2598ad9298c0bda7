//! The workload contract: what is served, under which load, and what counts as accepted.
//!
//! A draft is a [`Terms`] that may still be incomplete; a published version is the same value,
//! frozen with its digest. Limits are kept in base units.

use super::{Sentence, digest};
use pel_evidence::catalogue::{self, Better, Role};
use pel_evidence::{Statistic, Unit};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// On which side of its value a limit holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparator {
    /// Holds while the measured value is at most the limit's.
    AtMost,
    /// Holds while the measured value is at least the limit's.
    AtLeast,
}

impl Comparator {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::AtMost => "at_most",
            Self::AtLeast => "at_least",
        }
    }

    /// The comparator with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        [Self::AtMost, Self::AtLeast]
            .into_iter()
            .find(|c| c.id() == id)
    }

    /// `≤` or `≥`.
    pub fn sign(self) -> &'static str {
        match self {
            Self::AtMost => "≤",
            Self::AtLeast => "≥",
        }
    }

    /// Whether a measured value keeps the limit.
    pub fn holds(self, measured: f64, limit: f64) -> bool {
        match self {
            Self::AtMost => measured <= limit,
            Self::AtLeast => measured >= limit,
        }
    }
}

/// Which phase of a run a limit speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitPhase {
    /// Steady service: judged on warm and canary runs.
    Warm,
    /// Start-up: judged on cold runs only.
    Cold,
}

/// One limit of a contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// Stable id inside the contract, e.g. `ttft-p99-chat`.
    pub id: String,
    /// Catalogued signal.
    pub signal: String,
    /// Statistic of it.
    pub statistic: Statistic,
    /// Side on which it holds.
    pub comparator: Comparator,
    /// Value in the signal's base unit.
    pub value: f64,
    /// Unit as typed, for showing it the same way.
    pub typed_unit: String,
    /// Task class; `None` speaks for all classes together.
    pub class: Option<String>,
    /// Concurrency band; `None` speaks for every band.
    pub band: Option<String>,
    /// Phase it speaks of.
    pub phase: LimitPhase,
    /// Least number of samples, when stricter than the contract's own.
    pub min_samples: Option<u64>,
}

impl Limit {
    /// Base unit of its signal; `Count` when the signal is unknown.
    pub fn unit(&self) -> Unit {
        catalogue::find(&self.signal).map_or(Unit::Count, |d| d.unit)
    }

    /// What role its signal plays, if catalogued.
    pub fn role(&self) -> Option<Role> {
        catalogue::find(&self.signal).map(|d| d.role)
    }
}

/// A task class of the workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassTerms {
    /// Name, unique in the contract.
    pub name: String,
    /// What belongs to it, in words.
    pub description: String,
}

/// A concurrency band.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Name, unique in the contract.
    pub name: String,
    /// Least concurrent requests.
    pub min: u32,
    /// Most concurrent requests.
    pub max: u32,
}

/// What counts as accepted, and which signal measures it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Acceptance {
    /// The definition in words.
    pub definition: String,
    /// The catalogued acceptance signal that measures it.
    pub signal: String,
}

/// Which cost an accepted task carries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CostAttribution {
    /// Which resources are counted.
    pub resources: String,
    /// Price of them together, per hour.
    pub price_per_hour: f64,
    /// Currency, ISO 4217.
    pub currency: String,
    /// Over which period.
    pub period: String,
}

/// The load the contract was declared for; a run outside is `off_contract`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DeclaredLoad {
    /// Arrival rate, requests per second, least and most.
    pub arrival_per_second: Option<(f64, f64)>,
    /// Mean prompt length in tokens, least and most.
    pub prompt_tokens_mean: Option<(f64, f64)>,
    /// Mean output length in tokens, least and most.
    pub output_tokens_mean: Option<(f64, f64)>,
    /// 95th percentile of the prompt length in tokens, least and most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens_p95: Option<(f64, f64)>,
    /// 95th percentile of the output length in tokens, least and most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens_p95: Option<(f64, f64)>,
    /// Mean number of requests running at once, least and most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<(f64, f64)>,
    /// Share of the requests that is of a task class, 0–1, least and most; classes that are not
    /// named may have any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub mix: BTreeMap<String, (f64, f64)>,
    /// Anything else, in words.
    pub note: String,
}

/// Everything one contract version says.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Terms {
    /// What is served, in words.
    pub purpose: String,
    /// Task classes.
    pub classes: Vec<ClassTerms>,
    /// Concurrency bands.
    pub bands: Vec<Band>,
    /// What counts as accepted.
    pub acceptance: Acceptance,
    /// Limits.
    pub limits: Vec<Limit>,
    /// Measurement window in seconds.
    pub window_seconds: u32,
    /// Least number of requests in a run.
    pub min_samples: u64,
    /// Declared load.
    pub load: DeclaredLoad,
    /// Cost attribution, when cost is limited.
    pub cost: Option<CostAttribution>,
    /// Change to the worse that is tolerated against the baseline, by limit id, as in
    /// `numbers::Policy::tolerated_change`. A limit named here holds only when the change was
    /// shown to stay below it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tolerated: BTreeMap<String, f64>,
    /// Environment the contract is meant for, by fingerprint key; empty = any.
    pub environment: BTreeMap<String, String>,
}

/// State of a contract version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VersionState {
    /// Being written.
    Draft,
    /// In force and immutable.
    Published,
    /// A later version took its place.
    Superseded,
    /// Taken back.
    Withdrawn,
}

impl VersionState {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published => "published",
            Self::Superseded => "superseded",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// The state with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        [
            Self::Draft,
            Self::Published,
            Self::Superseded,
            Self::Withdrawn,
        ]
        .into_iter()
        .find(|s| s.id() == id)
    }
}

/// A version of a contract as a case sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// Id of the version.
    pub id: Uuid,
    /// Id of the contract.
    pub contract_id: Uuid,
    /// Name of the contract.
    pub contract_name: String,
    /// Number, from 1.
    pub number: i32,
    /// Where it stands.
    pub state: VersionState,
    /// What it says.
    pub terms: Terms,
    /// Digest of the terms, once published.
    pub digest: Option<String>,
}

impl Version {
    /// The limit with this id.
    pub fn limit(&self, id: &str) -> Option<&Limit> {
        self.terms.limits.iter().find(|l| l.id == id)
    }
}

/// How a new version relates to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compatibility {
    /// No number, class, band or definition changed.
    Editorial,
    /// Something that judges changed.
    Material,
}

impl Terms {
    /// Digest of the terms.
    pub fn digest(&self) -> String {
        digest(self)
    }

    /// What still stands in the way of publishing, each as a sentence naming the field
    /// (first argument `field`). Empty = publishable (lifecycle §4).
    pub fn problems(&self) -> Vec<(String, Sentence)> {
        let mut found = Vec::new();
        let mut miss = |field: &str, key: &str| found.push((field.to_owned(), Sentence::new(key)));
        if self.classes.is_empty() {
            miss("classes", "contract-needs-class");
        }
        if self.bands.is_empty() {
            miss("bands", "contract-needs-band");
        }
        if self.bands.iter().any(|b| b.min == 0 || b.min > b.max) {
            miss("bands", "contract-band-order");
        }
        if self.acceptance.definition.trim().is_empty() {
            miss("acceptance", "contract-needs-acceptance");
        }
        if catalogue::find(&self.acceptance.signal).is_none_or(|d| d.role != Role::Acceptance) {
            miss("acceptance_signal", "contract-acceptance-signal");
        }
        if !self.limits.iter().any(|l| l.role() == Some(Role::Latency)) {
            miss("limits", "contract-needs-latency-limit");
        }
        if !self
            .limits
            .iter()
            .any(|l| l.role() == Some(Role::Acceptance))
        {
            miss("limits", "contract-needs-acceptance-limit");
        }
        if self.window_seconds == 0 {
            miss("window", "contract-needs-window");
        }
        if self.min_samples == 0 {
            miss("min_samples", "contract-needs-samples");
        }
        // A price nobody attributed is nobody's cost.
        let limits_cost = self.limits.iter().any(|l| l.signal.starts_with("cost_"));
        if limits_cost && self.cost.is_none() {
            found.push((
                "cost_resources".to_owned(),
                Sentence::new("contract-needs-cost-attribution"),
            ));
        }
        self.limit_problems(&mut found);
        found
    }

    fn limit_problems(&self, found: &mut Vec<(String, Sentence)>) {
        let classes: BTreeSet<&str> = self.classes.iter().map(|c| c.name.as_str()).collect();
        let bands: BTreeSet<&str> = self.bands.iter().map(|b| b.name.as_str()).collect();
        let mut ids = BTreeSet::new();
        for (i, limit) in self.limits.iter().enumerate() {
            let mut wrong = |key: &str| {
                found.push((
                    format!("limit-{i}"),
                    Sentence::new(key).text("limit", &limit.id),
                ));
            };
            match catalogue::find(&limit.signal) {
                None => wrong("contract-limit-signal"),
                Some(d) => match (d.better, limit.comparator) {
                    (Better::Lower, Comparator::AtLeast) | (Better::Higher, Comparator::AtMost) => {
                        wrong("contract-limit-direction");
                    }
                    _ => {}
                },
            }
            if !limit.value.is_finite() || limit.value < 0.0 {
                wrong("contract-limit-value");
            }
            if limit.class.as_deref().is_some_and(|c| !classes.contains(c)) {
                wrong("contract-limit-class");
            }
            if limit.band.as_deref().is_some_and(|b| !bands.contains(b)) {
                wrong("contract-limit-band");
            }
            if !ids.insert(limit.id.as_str()) {
                wrong("contract-limit-twice");
            }
        }
    }

    /// Whether `self` may be published after `before` as editorial: nothing that judges changed.
    pub fn compatibility(&self, before: &Self) -> Compatibility {
        let judged = |t: &Self| {
            let mut t = t.clone();
            t.purpose = String::new();
            t.load.note = String::new();
            for c in &mut t.classes {
                c.description = String::new();
            }
            for l in &mut t.limits {
                l.typed_unit = String::new();
            }
            t
        };
        if judged(self) == judged(before) {
            Compatibility::Editorial
        } else {
            Compatibility::Material
        }
    }

    /// Limits of `before` that are looser in `self`, speak of something else there, or are gone.
    pub fn loosened_limits<'b>(&self, before: &'b Self) -> Vec<&'b Limit> {
        let speaks_of = |l: &Limit| {
            let place = (l.class.clone(), l.band.clone(), l.phase);
            (l.signal.clone(), l.statistic, l.comparator, place)
        };
        let tolerates_no_more = |id: &str| match (before.tolerated.get(id), self.tolerated.get(id))
        {
            (Some(before), Some(after)) => after <= before,
            (Some(_), None) => false,
            (None, _) => true,
        };
        let kept = |old: &&Limit| {
            self.limits
                .iter()
                .find(|l| l.id == old.id)
                .is_some_and(|new| {
                    // At least as strict: whatever keeps the new value keeps the old one.
                    speaks_of(new) == speaks_of(old)
                        && old.comparator.holds(new.value, old.value)
                        && tolerates_no_more(&old.id)
                })
        };
        before.limits.iter().filter(|old| !kept(old)).collect()
    }

    /// Ids of the limits of `before` that are looser in `self`, or gone.
    pub fn loosened(&self, before: &Self) -> Vec<String> {
        let limits = self.loosened_limits(before).into_iter();
        limits.map(|l| l.id.clone()).collect()
    }

    /// Whether the contract limits cold behaviour.
    pub fn limits_cold(&self) -> bool {
        self.limits.iter().any(|l| l.phase == LimitPhase::Cold)
    }
}
