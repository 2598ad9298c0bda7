//! A change turns one knob. Its revisions, rollback thresholds, canary plan and states stand here.

pub use super::canary::{CanaryEvent, CanaryEventKind, Extension, Kept, Presence, Sample, Whole};
pub use super::plan::{CanaryPlan, Capacity};

use super::bundle::{Bundle, Consent};
use super::contract::Comparator;
use super::run::ids;
use super::{Sentence, digest, states};
use chrono::{DateTime, Utc};
use pel_evidence::{Statistic, Unit, catalogue};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Where a change stands (lifecycle §7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeState {
    /// Being written.
    Draft,
    /// Waiting for approval of its canary.
    Submitted,
    /// A canary may start.
    ApprovedForCanary,
    /// Candidate takes its share of traffic.
    CanaryRunning,
    /// Candidate should take no traffic.
    CanaryPaused,
    /// Canary ended without a verdict of pass; extend or roll back.
    CanaryEnded,
    /// Canary passed; waiting for acceptance.
    AwaitingPromotion,
    /// Accepted; inside its watch window.
    Accepted,
    /// Watch window passed clean.
    Confirmed,
    /// Taken back by its author.
    Withdrawn,
    /// Rejected by a reviewer.
    Rejected,
    /// Not started or promoted in time.
    Expired,
    /// Taken back. Whether the old value is in service again is said by its canary's events.
    RolledBack,
}

ids!(ChangeState {
    Draft => "draft",
    Submitted => "submitted",
    ApprovedForCanary => "approved_for_canary",
    CanaryRunning => "canary_running",
    CanaryPaused => "canary_paused",
    CanaryEnded => "canary_ended",
    AwaitingPromotion => "awaiting_promotion",
    Accepted => "accepted",
    Confirmed => "confirmed",
    Withdrawn => "withdrawn",
    Rejected => "rejected",
    Expired => "expired",
    RolledBack => "rolled_back",
});

impl ChangeState {
    /// Whether nothing more can happen to it.
    pub fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Confirmed | Self::Withdrawn | Self::Rejected | Self::Expired | Self::RolledBack
        )
    }

    /// Whether the candidate may be taking traffic: roll back must be offered.
    pub fn can_roll_back(self) -> bool {
        matches!(
            self,
            Self::CanaryRunning
                | Self::CanaryPaused
                | Self::CanaryEnded
                | Self::AwaitingPromotion
                | Self::Accepted
        )
    }

    /// Whether it is between its canary's start and the end of its watch window: at most one such
    /// change per service.
    pub fn is_live(self) -> bool {
        self.can_roll_back()
    }

    /// Whether `next` may follow `self`.
    pub fn allows(self, next: Self) -> bool {
        states::allows(states::CHANGE, self, next)
    }
}

/// The one setting a change turns.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Knob {
    /// Component whose setting it is, e.g. `vllm-chat`.
    pub component: String,
    /// Name of the setting, e.g. `max_num_batched_tokens`.
    pub setting: String,
    /// Value in the baseline.
    pub old: String,
    /// Value in the candidate.
    pub new: String,
    /// Unit of the values, if they have one.
    pub unit: String,
}

/// What the author expects to move.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Expectation {
    /// Catalogued signal.
    pub signal: String,
    /// `lower` or `higher`.
    pub direction: String,
    /// By how much, in words with a number.
    pub by: String,
}

/// When to take a change back: triggers when the comparator no longer holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// Catalogued signal the contract knows.
    pub signal: String,
    /// Statistic.
    pub statistic: Option<Statistic>,
    /// Side that must hold.
    pub comparator: Comparator,
    /// Value in the signal's base unit.
    pub value: Option<f64>,
    /// Unit as typed.
    pub typed_unit: String,
    /// Window length in seconds.
    pub window_seconds: Option<u32>,
    /// Least samples in the window.
    pub min_samples: Option<u64>,
    /// Consecutive windows that trigger.
    pub consecutive: u32,
    /// Task class.
    pub class: Option<String>,
    /// Concurrency band.
    pub band: Option<String>,
}

impl Threshold {
    /// Base unit of its signal.
    pub fn unit(&self) -> Unit {
        catalogue::find(&self.signal).map_or(Unit::Count, |d| d.unit)
    }
}

/// Everything one revision of a change says.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Terms {
    /// The one knob.
    pub knob: Knob,
    /// Environment keys that differ as a consequence of the knob.
    pub consequences: Vec<String>,
    /// What the author expects.
    pub expectation: Expectation,
    /// Risks to output quality and how they are covered.
    pub risks: String,
    /// Canary plan.
    pub plan: CanaryPlan,
    /// Rollback thresholds.
    pub thresholds: Vec<Threshold>,
    /// What is done when one triggers.
    pub action: String,
    /// Steps back, or where they stand.
    pub procedure: String,
    /// Seconds from trigger to fully rolled back.
    pub rollback_seconds: Option<u32>,
    /// Why a warm comparison cannot exist before the canary, if it cannot.
    pub no_warm_reason: String,
    /// Whether the knob touches loading, compilation, graph capture or cache: then a cold
    /// comparison is required.
    pub touches_start_up: bool,
    /// Further settings turned together with the knob, if they cannot be moved apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<Bundle>,
    /// How much of the way it goes; left out while it is the usual one.
    #[serde(default, skip_serializing_if = "Route::is_normal")]
    pub kind: Route,
    /// The agreed template a standard change is made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Uuid>,
}

/// Kinds of changes (lifecycle §7). All of them run a canary and define their way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// From a template a reviewer agreed to before: one approval, that of the promotion.
    Standard,
    /// Two approvals in total: one for the canary, one for the promotion.
    #[default]
    Normal,
    /// Under an override.
    Emergency,
}

ids!(Route {
    Standard => "standard",
    Normal => "normal",
    Emergency => "emergency",
});

impl Route {
    fn is_normal(&self) -> bool {
        *self == Self::Normal
    }
}

impl Terms {
    /// Digest of the revision.
    pub fn digest(&self) -> String {
        digest(self)
    }

    /// What the plan and knob still lack, each with the form field it belongs to. Thresholds are
    /// judged by the gate, since they are measured against the contract.
    pub fn problems(&self) -> Vec<(String, Sentence)> {
        let mut found = Vec::new();
        let mut miss = |field: &str, key: &str| found.push((field.to_owned(), Sentence::new(key)));
        let k = &self.knob;
        for (field, value) in [
            ("component", &k.component),
            ("setting", &k.setting),
            ("old", &k.old),
            ("new", &k.new),
        ] {
            if value.trim().is_empty() {
                miss(field, &format!("change-needs-{field}"));
            }
        }
        if k.setting.contains([',', ';', '\n']) || k.setting.trim().contains(' ') {
            miss("setting", "change-one-knob");
        }
        if !k.old.trim().is_empty() && k.old.trim() == k.new.trim() {
            miss("new", "change-same-value");
        }
        if catalogue::find(&self.expectation.signal).is_none() {
            miss("expected_signal", "change-needs-expectation");
        }
        for (field, sentence) in self.bundle.iter().flat_map(|b| b.problems(k)) {
            found.push((field.to_owned(), sentence));
        }
        found.extend(self.plan.problems());
        found
    }
}

/// A revision of a change. Once submitted it never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// Id.
    pub id: Uuid,
    /// Number, from 1.
    pub number: i32,
    /// What it says.
    pub terms: Terms,
    /// Its digest.
    pub digest: String,
    /// Everybody who wrote on it.
    pub authors: Vec<Uuid>,
    /// When it was submitted.
    pub submitted_at: Option<DateTime<Utc>>,
}

/// What an approval is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Starting the canary.
    Canary,
    /// Promoting after the canary; given by accepting.
    Promotion,
}

ids!(Purpose { Canary => "canary", Promotion => "promotion" });

/// An approval, with what it was given on. Whether it still counts is computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Approval {
    /// Id.
    pub id: Uuid,
    /// What for.
    pub purpose: Purpose,
    /// Who gave it.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// Digest of the revision it was given on.
    pub revision_digest: String,
    /// Digest of the basis it was given on.
    pub basis_digest: String,
    /// Contract version it was given under.
    pub contract_version_id: Uuid,
    /// The numbers and verdicts its giver saw; `None` for one that kept none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<super::seen::Seen>,
}

/// A request for changes; blocks until a reviewer clears it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeRequest {
    /// Id.
    pub id: Uuid,
    /// Who asked.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// What for.
    pub points: String,
    /// Who cleared it, when, with which words.
    pub cleared: Option<(Uuid, DateTime<Utc>, String)>,
}

/// A change with its history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Id.
    pub id: Uuid,
    /// Number over all cases: `CH-12`.
    pub number: i64,
    /// Where it stands.
    pub state: ChangeState,
    /// Since when.
    pub state_since: DateTime<Utc>,
    /// Who drafted it.
    pub author: Uuid,
    /// Row version, for optimistic locking.
    pub version: i32,
    /// Revisions, oldest first; the last one is current.
    pub revisions: Vec<Revision>,
    /// Approvals, oldest first.
    pub approvals: Vec<Approval>,
    /// Requests for changes, oldest first.
    pub requests: Vec<ChangeRequest>,
    /// Events of its canary, oldest first.
    pub canary: Vec<CanaryEvent>,
    /// What its watcher said about being present, oldest first.
    #[serde(default)]
    pub presence: Vec<Presence>,
    /// What its canary measured, by window.
    #[serde(default)]
    pub samples: Vec<Kept>,
    /// Reviewers' consents to a bundle, oldest first.
    #[serde(default)]
    pub consents: Vec<Consent>,
}

impl Change {
    /// `CH-12`.
    pub fn label(&self) -> String {
        format!("CH-{}", self.number)
    }

    /// The current revision. A change is created with its first one.
    pub fn current(&self) -> Option<&Revision> {
        self.revisions.last()
    }

    /// The last event of this kind.
    pub fn last(&self, kind: CanaryEventKind) -> Option<&CanaryEvent> {
        self.canary.iter().rev().find(|e| e.kind == kind)
    }

    /// The event that ended its canary, unless it was extended since.
    pub fn ended(&self) -> Option<&CanaryEvent> {
        let last =
            |e: &&CanaryEvent| matches!(e.kind, CanaryEventKind::Ended | CanaryEventKind::Extended);
        let last = self.canary.iter().rev().find(last)?;
        (last.kind == CanaryEventKind::Ended).then_some(last)
    }

    /// Whether the candidate is in service although the change is over: it was recalled, or it
    /// expired after its start, and nobody has stated that the old value is back.
    pub fn still_in_service(&self) -> bool {
        use CanaryEventKind as K;
        let last = self.canary.last().map(|e| e.kind);
        match self.state {
            ChangeState::RolledBack => last == Some(K::Recalled),
            ChangeState::Expired => !matches!(last, None | Some(K::RolledBack | K::Restored)),
            _ => false,
        }
    }

    /// The current plan, with the limits of an extension in the place of its own.
    pub fn plan(&self) -> Option<CanaryPlan> {
        let mut plan = self.current()?.terms.plan.clone();
        let extension = self
            .last(CanaryEventKind::Extended)
            .and_then(|e| e.extension.as_ref());
        if let Some(e) = extension {
            plan.share_ceiling = Some(e.share_ceiling);
            plan.max_requests = Some(e.max_requests);
            plan.max_seconds = Some(e.max_seconds);
        }
        Some(plan)
    }
}
