//! The gate: a computed list of requirements, each with a status and a sentence saying what is
//! missing or what carries it. Nothing makes a line hold but evidence.
//!
//! `judge` is evaluated again inside every deciding transaction; a green panel of a minute ago
//! grants nothing.

mod close;
mod compared;
mod knob;
mod lines;
mod matters;
mod overridden;
mod review;
mod start;

pub use super::contributor::may_decide;
pub use super::numbers::Policy;
pub use compared::{comparison_runs, expected_runs, usual_runs};
pub use review::{Counted, approvals};
pub use start::{approvals_needed, freezes_ahead, watcher};

use super::case::{CaseFile, Outcome};
use super::change::Terms;
use super::condition::{Basis, Condition};
use super::run::{Phase, Profiled, RunRole};
use super::view::View;
use super::{Sentence, Stage, basis, environment};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use uuid::Uuid;

/// Result of comparing stored bytes with their digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// They agreed at that instant.
    Verified(DateTime<Utc>),
    /// They did not: the item is corrupt.
    Failed(DateTime<Utc>),
}

/// Integrity checks by evidence id. An item that is not listed was never checked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Checks(pub BTreeMap<Uuid, Check>);

impl Checks {
    /// Items whose stored bytes no longer have their digest.
    pub(in crate::ladder) fn corrupt(&self) -> HashSet<Uuid> {
        self.0
            .iter()
            .filter(|(_, c)| matches!(c, Check::Failed(_)))
            .map(|(id, _)| *id)
            .collect()
    }
}

/// The act a gate is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Submit the change for approval.
    Submit,
    /// Approve its canary.
    Approve,
    /// Start its canary.
    StartCanary,
    /// Accept it for all traffic.
    Accept,
    /// Close the case with this outcome.
    Close(Outcome),
}

impl Target {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Approve => "approve",
            Self::StartCanary => "start_canary",
            Self::Accept => "accept",
            Self::Close(_) => "close",
        }
    }
}

/// Status of a line. Only `Holds`, `NotApplicable` and `Overridden` let the gate open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineStatus {
    /// Satisfied.
    Holds,
    /// Not there.
    Missing,
    /// There, and not carried by evidence.
    NotSupported,
    /// Was true; something moved.
    OutOfDate,
    /// Newer evidence says otherwise.
    Contradicted,
    /// Not asked for here.
    NotApplicable,
    /// Evidence cannot decide, or is still being read.
    CannotTell,
    /// It could not be checked.
    Error,
    /// It does not hold; an override in force stands for it, for now.
    Overridden,
}

impl LineStatus {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Missing => "missing",
            Self::NotSupported => "not_supported",
            Self::OutOfDate => "out_of_date",
            Self::Contradicted => "contradicted",
            Self::NotApplicable => "not_applicable",
            Self::CannotTell => "cannot_tell",
            Self::Error => "error",
            Self::Overridden => "overridden",
        }
    }

    /// Whether the gate may open with it.
    pub fn is_satisfied(self) -> bool {
        matches!(self, Self::Holds | Self::NotApplicable | Self::Overridden)
    }
}

/// What an input is, so that a page can link to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// A run.
    Run,
    /// An evidence item.
    Evidence,
    /// A contract version.
    Contract,
    /// A change.
    Change,
    /// A person.
    Person,
    /// An override in force; the label is the id of what it stands for here.
    Override,
}

/// Something a line looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// What it is.
    pub kind: InputKind,
    /// Its id.
    pub id: Uuid,
    /// Its label, `R-7`.
    pub label: String,
    /// What was read from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Sentence>,
}

impl Input {
    /// An input without words.
    pub fn new(kind: InputKind, id: Uuid, label: impl ToString) -> Self {
        Self {
            kind,
            id,
            label: label.to_string(),
            text: None,
        }
    }

    /// Says what was read from it.
    #[must_use]
    pub fn said(mut self, text: Sentence) -> Self {
        self.text = Some(text);
        self
    }
}

/// The form or page that closes a gap, with what it is prefilled with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closes {
    /// Pin a published contract.
    PinContract,
    /// Add a run like this, with its evidence.
    AddRun {
        /// Role of the run.
        role: RunRole,
        /// Its phase.
        phase: Phase,
        /// Profiled or not.
        profiled: Profiled,
        /// Its task class, when one is asked for.
        class: Option<String>,
    },
    /// Add evidence to this run.
    AddEvidence(Uuid),
    /// Correct the statements of this run.
    EditRun(Uuid),
    /// Look at this run.
    Run(Uuid),
    /// Look at this evidence item: withdraw, set aside, read again.
    EvidenceItem(Uuid),
    /// Record this condition.
    RecordCondition(Condition),
    /// Declare this stage, or add evidence to it.
    DeclareStage(Stage),
    /// Look at this stage.
    Stage(Stage),
    /// Draft a change.
    DraftChange,
    /// Edit this change.
    EditChange(Uuid),
    /// Submit this change.
    Submit(Uuid),
    /// Approve this change's canary.
    Approve(Uuid),
    /// Consent to this change's bundle.
    ConsentBundle(Uuid),
    /// Clear a request for changes on this change.
    ClearRequest(Uuid),
    /// Start this change's canary.
    StartCanary(Uuid),
    /// End this change's canary with its run.
    EndCanary(Uuid),
    /// Take this change back.
    RollBack(Uuid),
    /// Look at this change.
    Change(Uuid),
    /// Compare runs in this phase.
    Compare(Phase),
    /// Review, or co-sign, this override.
    Override(Uuid),
    /// Take the case off hold.
    EndHold,
    /// Let a contract with loosened limits count here.
    Consent,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Stable id inside the gate, `canary_verdict`.
    pub id: String,
    /// Message key of the requirement's name, `gate-line-canary-verdict`.
    pub requirement: String,
    /// Its status.
    pub status: LineStatus,
    /// What carries it, or what is missing.
    pub sentences: Vec<Sentence>,
    /// What was looked at.
    pub inputs: Vec<Input>,
    /// What closes it, while it is open.
    pub closes: Option<Closes>,
}

impl Line {
    fn new(id: &str, status: LineStatus, sentences: Vec<Sentence>) -> Self {
        Self {
            id: id.to_owned(),
            requirement: format!("gate-line-{}", id.replace('_', "-")),
            status,
            sentences,
            inputs: Vec::new(),
            closes: None,
        }
    }

    /// Names what closes it, if it is open.
    #[must_use]
    fn closed_by(mut self, closes: impl Into<Option<Closes>>) -> Self {
        if !self.status.is_satisfied() {
            self.closes = closes.into();
        }
        self
    }

    #[must_use]
    fn with_inputs(mut self, inputs: Vec<Input>) -> Self {
        self.inputs = inputs;
        self
    }

    /// Holds when nothing was found against it.
    fn unless(id: &str, against: Vec<Sentence>, status: LineStatus, holds: Sentence) -> Self {
        if against.is_empty() {
            Self::new(id, LineStatus::Holds, vec![holds])
        } else {
            Self::new(id, status, against)
        }
    }
}

/// The gate as judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// The act.
    pub target: Target,
    /// Whether every line is satisfied.
    pub ready: bool,
    /// When it was judged.
    pub at: DateTime<Utc>,
    /// Version of the policy.
    pub policy: i32,
    /// Lines in their order.
    pub lines: Vec<Line>,
    /// What it rests on; an approval is given on its digest.
    pub basis: Basis,
}

impl Gate {
    /// Lines that are open.
    pub fn open(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|l| !l.status.is_satisfied())
    }

    /// The line with this id.
    pub fn line(&self, id: &str) -> Option<&Line> {
        self.lines.iter().find(|l| l.id == id)
    }

    /// How many lines hold, and how many are not asked for here: the gate opens with both, and
    /// nobody may read the second as the first.
    pub fn satisfied(&self) -> (usize, usize) {
        let of = |status| self.lines.iter().filter(|l| l.status == status).count();
        (of(LineStatus::Holds), of(LineStatus::NotApplicable))
    }

    /// How many lines an override stands for; they are satisfied and do not hold.
    pub fn overridden(&self) -> usize {
        let over = |l: &&Line| l.status == LineStatus::Overridden;
        self.lines.iter().filter(over).count()
    }

    /// The verdict in words: ready, or how many lines are open.
    pub fn headline(&self) -> Sentence {
        let (holds, not_applicable) = self.satisfied();
        let state = match (self.ready, not_applicable, self.overridden()) {
            (false, _, _) => "open",
            (true, _, 1..) => "ready-overridden",
            (true, 0, 0) => "ready",
            (true, _, 0) => "ready-but",
        };
        let act = self.target.id().replace('_', "-");
        Sentence::new(&format!("gate-{act}-{state}"))
            .count("count", self.open().count())
            .count("lines", self.lines.len())
            .count("holds", holds)
            .count("over", self.overridden())
            .count("na", not_applicable)
    }
}

/// Whether a revision declares that this environment fact may differ.
pub fn declares(terms: &Terms, key: &str) -> bool {
    let bundled = terms.bundle.iter().flat_map(|b| &b.settings);
    environment::same_key(&knob_key(terms), key)
        || bundled
            .into_iter()
            .any(|k| environment::same_key(&setting_key(&k.setting), key))
        || terms
            .consequences
            .iter()
            .any(|c| environment::same_key(&setting_key(c), key))
}

/// The environment fact a revision's knob shows in.
pub fn knob_key(terms: &Terms) -> String {
    setting_key(&terms.knob.setting)
}

/// The environment fact a setting shows in, as people write either.
pub fn setting_key(setting: &str) -> String {
    let setting = setting.trim();
    if environment::KEYS.contains(&setting) || setting.starts_with("setting.") {
        setting.to_owned()
    } else {
        format!("setting.{setting}")
    }
}

/// Judges the gate of `target` on the case's live change. Items that `checks` found corrupt do
/// not count, and everything resting on them stops holding.
pub fn judge(
    case: &CaseFile,
    policy: &Policy,
    target: Target,
    checks: &Checks,
    now: DateTime<Utc>,
) -> Gate {
    let view = View::without(case, &checks.corrupt());
    let judging = lines::Judging {
        view: &view,
        policy,
        target,
        checks,
        now,
        numbers: basis::Numbers::of(case),
    };
    let mut lines = judging.lines();
    overridden::apply(&judging, &mut lines);
    let basis = match case.live_change() {
        Some(change) if target == Target::Accept => judging.numbers.whole(case, change),
        Some(change) => judging.numbers.before_canary(case, change),
        None => Basis::default(),
    };
    Gate {
        target,
        ready: !lines.is_empty() && lines.iter().all(|l| l.status.is_satisfied()),
        at: now,
        policy: policy.version,
        lines,
        basis,
    }
}
