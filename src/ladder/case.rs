//! The case, and the snapshot of it on which everything is judged.

use super::attested::Attested;
use super::break_glass::Override;
use super::change::Change;
use super::condition::{Condition, Record};
use super::contract::Version;
use super::evidence::{Acceptance, Evidence};
use super::life::Life;
use super::numbers::Policy;
use super::policy::Role;
use super::reread::Reread;
use super::run::{Run, ids};
use super::template::{Freeze, Template};
use super::weigh::Calculated;
use chrono::{DateTime, Utc};
use pel_evidence::{Stage, Statistic};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Where a case stands (lifecycle §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseState {
    /// Recorded; no owner has accepted it.
    New,
    /// Evidence is being gathered.
    Investigating,
    /// A change is submitted, approved or awaiting promotion.
    Deciding,
    /// A canary runs, or a promoted change is watched.
    RollingOut,
    /// Outcome set; content frozen.
    Closed,
}

ids!(CaseState {
    New => "new",
    Investigating => "investigating",
    Deciding => "deciding",
    RollingOut => "rolling_out",
    Closed => "closed",
});

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A change was confirmed.
    ChangeConfirmed,
    /// A change was rolled back.
    ChangeRolledBack,
    /// Nothing had to change.
    NoChangeNeeded,
    /// It could not be shown again.
    NotReproduced,
    /// The limit lies outside.
    OutsideOurLayers,
    /// Another case already works on it.
    DuplicateOf,
    /// Opened by mistake.
    OpenedInError,
}

ids!(Outcome {
    ChangeConfirmed => "change_confirmed",
    ChangeRolledBack => "change_rolled_back",
    NoChangeNeeded => "no_change_needed",
    NotReproduced => "not_reproduced",
    OutsideOurLayers => "outside_our_layers",
    DuplicateOf => "duplicate_of",
    OpenedInError => "opened_in_error",
});

/// The symptom a case was opened for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Symptom {
    /// Catalogued signal, when it is one.
    pub signal: Option<String>,
    /// Its statistic.
    pub statistic: Option<Statistic>,
    /// Observed value, base unit.
    pub observed: Option<f64>,
    /// Words.
    pub text: String,
}

/// Somebody the case knows, with their roles now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PersonRef {
    /// Id.
    pub id: Uuid,
    /// Display name.
    pub name: String,
    /// Roles held now.
    pub roles: Vec<Role>,
    /// Whether the account is active.
    pub active: bool,
    /// Who it is: the first account of the person, itself when there is no other.
    pub identity: Uuid,
    /// When the account was last deactivated, even if it is active again.
    #[serde(default)]
    pub left_at: Option<DateTime<Utc>>,
    /// Whether a pseudonym stands for their name.
    #[serde(default)]
    pub erased: bool,
}

/// How a stage was declared when nobody gathered evidence for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeclarationKind {
    /// The stage does not exist here.
    NotApplicable,
    /// It exists and nobody looked, with the reason why that is enough.
    NotExamined,
    /// An earlier declaration is taken back.
    Reopened,
}

ids!(DeclarationKind {
    NotApplicable => "not_applicable",
    NotExamined => "not_examined",
    Reopened => "reopened",
});

/// A declaration about a stage; the newest per stage is in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Declaration {
    /// Id.
    pub id: Uuid,
    /// The stage.
    pub stage: Stage,
    /// What is declared.
    pub kind: DeclarationKind,
    /// Why, at least 20 characters.
    pub reason: String,
    /// Who.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// Evidence for or against a hypothesis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Argument {
    /// The item.
    pub evidence_id: Uuid,
    /// Whether it supports (`true`) or refutes.
    pub supports: bool,
    /// Words.
    pub note: String,
    /// Who.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// An explanation kept apart from the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hypothesis {
    /// Id.
    pub id: Uuid,
    /// Number inside the case: `H-2`.
    pub number: i32,
    /// Stage it blames.
    pub stage: Stage,
    /// The explanation.
    pub text: String,
    /// Who proposed it.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// For and against.
    pub arguments: Vec<Argument>,
}

/// An immutable snapshot of one case with everything the judgement needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseFile {
    /// Id.
    pub id: Uuid,
    /// Number: `PEL-0042`.
    pub number: i64,
    /// Title.
    pub title: String,
    /// Service, by id and name.
    pub service: (Uuid, String),
    /// Problem in words.
    pub problem: String,
    /// Symptom.
    pub symptom: Symptom,
    /// When it was first seen.
    pub first_seen: DateTime<Utc>,
    /// Task classes the incident names; empty = not named.
    pub classes: Vec<String>,
    /// Where it stands.
    pub state: CaseState,
    /// Since when.
    pub state_since: DateTime<Utc>,
    /// Owner.
    pub owner: Option<Uuid>,
    /// Everybody who ever owned it, the present owner too.
    #[serde(default)]
    pub owners: Vec<Uuid>,
    /// Who opened it.
    pub opened_by: Uuid,
    /// When.
    pub opened_at: DateTime<Utc>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// On hold until then, for that reason.
    pub on_hold: Option<(DateTime<Utc>, String)>,
    /// Row version.
    pub version: i32,
    /// Version of the problem section.
    pub problem_version: i32,
    /// Version of the link to the contract.
    pub contract_link_version: i32,
    /// The pinned contract version.
    pub contract: Option<Version>,
    /// Number of a newer published version of the same contract, if there is one.
    pub newer_contract: Option<i32>,
    /// Everybody who ever worked on it, and its reviewers.
    pub people: Vec<PersonRef>,
    /// Runs, oldest first.
    pub runs: Vec<Run>,
    /// Evidence, oldest first.
    pub evidence: Vec<Evidence>,
    /// Declarations about stages, oldest first.
    pub declarations: Vec<Declaration>,
    /// Hypotheses, oldest first.
    pub hypotheses: Vec<Hypothesis>,
    /// Condition records, oldest first.
    pub records: Vec<Record>,
    /// Changes, oldest first.
    pub changes: Vec<Change>,
    /// Contradicted statements that a reviewer accepted, oldest first.
    #[serde(default)]
    pub acceptances: Vec<Acceptance>,
    /// Numbers that people attest, oldest first.
    #[serde(default)]
    pub attested: Vec<Attested>,
    /// Further readings of items, oldest first.
    #[serde(default)]
    pub rereads: Vec<Reread>,
    /// Comparisons calculated from stored observations.
    #[serde(default)]
    pub calculated: Vec<Calculated>,
    /// Who is on it, its flags, reopenings, duplicates and contract history.
    #[serde(default)]
    pub life: Life,
    /// Overrides, oldest first.
    #[serde(default)]
    pub overrides: Vec<Override>,
    /// How many people have an active account; unknown is taken for many.
    #[serde(default)]
    pub team: Option<i64>,
    /// Policy in force.
    #[serde(default)]
    pub policy: Policy,
    /// Label of another live change on the same service, if there is one.
    pub other_live_change: Option<String>,
    /// Templates of standard changes of the service.
    #[serde(default)]
    pub templates: Vec<Template>,
    /// Freezes of the service that are not over and were not lifted.
    #[serde(default)]
    pub freezes: Vec<Freeze>,
}

impl CaseFile {
    /// `PEL-0042`.
    pub fn label(&self) -> String {
        label(self.number)
    }

    /// The run with this id.
    pub fn run(&self, id: Uuid) -> Option<&Run> {
        self.runs.iter().find(|r| r.id == id)
    }

    /// The item with this id.
    pub fn item(&self, id: Uuid) -> Option<&Evidence> {
        self.evidence.iter().find(|e| e.id == id)
    }

    /// Items of a run, whatever their state.
    pub fn items_of(&self, run_id: Uuid) -> impl Iterator<Item = &Evidence> {
        self.evidence.iter().filter(move |e| e.run_id == run_id)
    }

    /// Usable items of a run.
    pub fn usable_of(&self, run_id: Uuid) -> impl Iterator<Item = &Evidence> {
        self.items_of(run_id).filter(|e| e.counts())
    }

    /// Who an account belongs to: separation of duties is checked on this, not on accounts.
    pub fn identity(&self, person: Uuid) -> Uuid {
        self.person(person).map_or(person, |p| p.identity)
    }

    /// Whether two accounts are one person's.
    pub fn same_person(&self, a: Uuid, b: Uuid) -> bool {
        self.identity(a) == self.identity(b)
    }

    /// The person with this id.
    pub fn person(&self, id: Uuid) -> Option<&PersonRef> {
        self.people.iter().find(|p| p.id == id)
    }

    /// Their name, or their id.
    pub fn name_of(&self, id: Uuid) -> String {
        self.person(id)
            .map_or_else(|| id.to_string(), |p| p.name.clone())
    }

    /// The declaration in force for a stage.
    pub fn declaration(&self, stage: Stage) -> Option<&Declaration> {
        self.declarations
            .iter()
            .rev()
            .find(|d| d.stage == stage)
            .filter(|d| d.kind != DeclarationKind::Reopened)
    }

    /// The record in force for a condition.
    pub fn record(&self, condition: Condition) -> Option<&Record> {
        self.records
            .iter()
            .rev()
            .find(|r| r.claim.condition() == condition && r.retracted.is_none())
    }

    /// The change the gate speaks about: of those that are not over the one that has come
    /// furthest, so that a draft beside it holds nothing up; of equals the newest. When all are
    /// over, the last.
    pub fn live_change(&self) -> Option<&Change> {
        use super::change::ChangeState as S;
        let progress = |state: S| match state {
            S::CanaryRunning | S::CanaryPaused | S::CanaryEnded | S::AwaitingPromotion => 3,
            S::ApprovedForCanary => 2,
            S::Submitted => 1,
            _ => 0,
        };
        self.changes
            .iter()
            .filter(|c| {
                !matches!(
                    c.state,
                    S::Withdrawn | S::Rejected | S::Expired | S::RolledBack
                )
            })
            .max_by_key(|c| (progress(c.state), c.number))
            .or(self.changes.last())
    }

    /// The override with this id.
    pub fn used_override(&self, id: Uuid) -> Option<&Override> {
        self.overrides.iter().find(|o| o.id == id)
    }

    /// Whether an override was ever asked for here: true for good.
    pub fn override_used(&self) -> bool {
        !self.overrides.is_empty()
    }

    /// The change with this id.
    pub fn change(&self, id: Uuid) -> Option<&Change> {
        self.changes.iter().find(|c| c.id == id)
    }
}

/// `PEL-0042` for 42.
pub fn label(number: i64) -> String {
    format!("PEL-{number:04}")
}
