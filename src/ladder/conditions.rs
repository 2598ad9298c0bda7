//! Whether each of the four stop conditions holds now (lifecycle §6). A claim is a person's; its
//! status is computed here from evidence, every time it is asked for.

use super::case::CaseFile;
use super::condition::{BasisItem, Claim, Condition, Record};
use super::contract::{Limit, VersionState};
use super::gate::{Closes, Input, InputKind, Policy};
use super::invalidation::{Event, Moved};
use super::measure::Value;
use super::view::{RunView, View, contract_label};
use super::{Sentence, basis, impact, layer, reproduce, reread, threshold};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Status of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nobody recorded it.
    Missing,
    /// Recorded, and true now.
    Held,
    /// Recorded, but evidence does not carry it.
    Unsupported,
    /// True when recorded; its basis moved.
    Stale,
    /// Newer usable evidence says otherwise.
    Contradicted,
}

impl Status {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Held => "held",
            Self::Unsupported => "unsupported",
            Self::Stale => "stale",
            Self::Contradicted => "contradicted",
        }
    }
}

/// A condition as judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Which one.
    pub condition: Condition,
    /// Its status.
    pub status: Status,
    /// What carries it, or everything that stands in its way.
    pub sentences: Vec<Sentence>,
    /// What was looked at.
    pub inputs: Vec<Input>,
    /// The record in force.
    pub record: Option<Uuid>,
    /// The form that closes the first gap.
    pub closes: Option<Closes>,
    /// What moved under it or speaks against it, each with the event it came from.
    #[serde(skip)]
    pub moved: Vec<Moved>,
}

/// What looking at a claim found; the status follows from which lists are empty.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// What evidence does not carry.
    pub unsupported: Vec<Sentence>,
    /// What moved since it was recorded.
    pub stale: Vec<Moved>,
    /// What newer evidence says against it.
    pub contradicted: Vec<Sentence>,
    /// What carries it.
    pub held: Vec<Sentence>,
    /// What was looked at.
    pub inputs: Vec<Input>,
    /// The form that closes the first gap.
    pub closes: Option<Closes>,
}

impl Findings {
    /// Adds a gap and, when it is the first, the form that closes it.
    pub fn gap(&mut self, sentence: Sentence, closes: Closes) {
        self.unsupported.push(sentence);
        self.closes.get_or_insert(closes);
    }

    /// Adds something that moved, with the event that it is.
    pub fn moved(&mut self, event: Event, said: Sentence) {
        self.stale.push(Moved { event, said });
    }

    /// Says which contradicted statements of a run a reviewer accepted, and why.
    pub fn accept(&mut self, view: &View<'_>, run: &RunView<'_>) {
        for (item, said) in run.accepted_sentences(view.case) {
            self.inputs
                .push(Input::new(InputKind::Evidence, item.id, item.label()).said(said));
        }
    }

    /// Says who vouches for a value that no parser read.
    pub fn vouch(&mut self, run: &RunView<'_>, limit: &Limit, value: Option<&Value>) {
        let Some((value, vouched)) = value.and_then(|v| Some((v, v.attested.as_ref()?))) else {
            return;
        };
        let said = vouched.said(
            &limit.signal,
            limit.statistic,
            &run.run.label(),
            &value.evidence,
        );
        self.inputs.push(
            Input::new(InputKind::Evidence, value.evidence_id, &value.evidence).said(said.clone()),
        );
        self.held.push(said);
    }
}

/// Judges a condition of a case.
pub fn status(case: &CaseFile, condition: Condition, policy: &Policy) -> Judged {
    judged(&View::new(case), condition, policy)
}

pub(super) fn judged(view: &View<'_>, condition: Condition, policy: &Policy) -> Judged {
    let Some(record) = view.case.record(condition) else {
        return missing(view, condition, policy);
    };
    let mut found = contract_findings(view, record);
    let contract_moved = !found.stale.is_empty();
    if view.case.contract.is_some() {
        let more = findings(view, record, policy);
        found.unsupported.extend(more.unsupported);
        found.contradicted.extend(more.contradicted);
        found.stale.extend(more.stale);
        found.held = more.held;
        found.inputs.extend(more.inputs);
        found.closes = found.closes.or(more.closes);
        found.stale.extend(moved(view, record));
        let (stale, unchanged) = reread::since(view.case, record);
        for said in stale {
            found.moved(Event::Reread, said);
        }
        found.held.extend(unchanged);
    }
    let status = match () {
        () if contract_moved => Status::Stale,
        () if !found.unsupported.is_empty() => Status::Unsupported,
        () if !found.contradicted.is_empty() => Status::Contradicted,
        () if !found.stale.is_empty() => Status::Stale,
        () => Status::Held,
    };
    let newer = |said: &Sentence| Moved {
        event: condition.contradicted_by(),
        said: said.clone(),
    };
    let moved = match status {
        Status::Contradicted => {
            let newer = found.contradicted.iter().map(newer);
            newer.chain(found.stale.iter().cloned()).collect()
        }
        Status::Stale => found.stale.clone(),
        _ => Vec::new(),
    };
    let mut stale: Vec<Sentence> = found.stale.into_iter().map(|m| m.said).collect();
    stale.dedup();
    let sentences = match status {
        Status::Held => found.held,
        Status::Stale => stale,
        _ => [found.unsupported, found.contradicted, stale].concat(),
    };
    Judged {
        condition,
        status,
        sentences,
        inputs: found.inputs,
        record: Some(record.id),
        closes: match status {
            Status::Held => None,
            _ => found.closes.or(Some(Closes::RecordCondition(condition))),
        },
        moved,
    }
}

fn missing(view: &View<'_>, condition: Condition, policy: &Policy) -> Judged {
    let found = if view.case.contract.is_none() {
        let mut found = Findings::default();
        found.gap(Sentence::new("gate-no-contract"), Closes::PinContract);
        found
    } else {
        match condition {
            Condition::ReproducedBottleneck => reproduce::missing(view, policy),
            Condition::OwnerLayerIdentified => layer::missing(view),
            Condition::AcceptanceImpactVisible => impact::missing(view),
            Condition::RollbackThresholdDefined => threshold::missing(view),
        }
    };
    Judged {
        condition,
        status: Status::Missing,
        sentences: found.unsupported,
        inputs: found.inputs,
        record: None,
        closes: found.closes.or(Some(Closes::RecordCondition(condition))),
        moved: Vec::new(),
    }
}

fn findings(view: &View<'_>, record: &Record, policy: &Policy) -> Findings {
    match &record.claim {
        Claim::ReproducedBottleneck { limit_id, runs } => {
            reproduce::findings(view, limit_id, runs, policy)
        }
        Claim::OwnerLayerIdentified {
            layer,
            cited,
            others,
        } => layer::findings(view, *layer, cited, others, record.at, policy),
        Claim::AcceptanceImpactVisible { limit_id, runs, .. } => {
            impact::findings(view, limit_id, runs)
        }
        Claim::RollbackThresholdDefined {
            change_id,
            revision_digest,
        } => threshold::findings(view, *change_id, revision_digest),
    }
}

/// Whether the contract the record was made under is still the one in force.
fn contract_findings(view: &View<'_>, record: &Record) -> Findings {
    let mut found = Findings::default();
    let Some(version) = &view.case.contract else {
        found.gap(Sentence::new("gate-no-contract"), Closes::PinContract);
        return found;
    };
    let mut input = Input::new(InputKind::Contract, version.id, contract_label(version));
    if let Some(first) = view.case.life.editorial.first() {
        input = input.said(
            Sentence::new("gate-contract-repointed")
                .text("contract", contract_label(version))
                .text("before", format!("v{}", first.number)),
        );
    }
    found.inputs.push(input);
    match version.state {
        VersionState::Published => {}
        VersionState::Draft => found.gap(
            Sentence::new("gate-contract-draft").text("contract", contract_label(version)),
            Closes::PinContract,
        ),
        VersionState::Superseded | VersionState::Withdrawn => {
            found.moved(Event::ContractMaterial, contract_gone(view, version));
            found.closes = Some(Closes::PinContract);
        }
    }
    let ground = view.case.contract_ground();
    let other = record.basis.0.iter().any(|i| {
        i.kind == "contract"
            && ground
                .as_ref()
                .is_none_or(|(id, digest)| i.id != id.to_string() || i.digest != *digest)
    });
    if other {
        found.moved(
            Event::ContractMaterial,
            Sentence::new("gate-recorded-under-other-contract")
                .text("contract", contract_label(version)),
        );
    }
    found
}

pub(super) fn contract_gone(view: &View<'_>, version: &super::contract::Version) -> Sentence {
    let key = if version.state == VersionState::Withdrawn {
        "gate-contract-withdrawn"
    } else {
        "gate-contract-superseded"
    };
    let newer = view
        .case
        .newer_contract
        .map_or_else(|| "?".to_owned(), |n| format!("v{n}"));
    Sentence::new(key)
        .text("contract", contract_label(version))
        .text("newer", newer)
}

/// Inputs of the basis that are no longer as they were. A corrected statement is not among them:
/// the claim is then simply judged again. Nor is a revision: the thresholds are judged again.
fn moved(view: &View<'_>, record: &Record) -> Vec<Moved> {
    let now = basis::of(view.case, &record.claim);
    let event = |item: &BasisItem| match item.kind.as_str() {
        "evidence" => Some(Event::EvidenceGone),
        "stage" => Some(Event::StageFiveReopened),
        _ => None,
    };
    let each = record.basis.moved(&now).into_iter().filter_map(|item| {
        Some(Moved {
            event: event(item)?,
            said: basis::moved_sentence(view.case, item),
        })
    });
    each.collect()
}
