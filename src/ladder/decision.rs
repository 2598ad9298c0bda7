//! The decision record: everything a decision rested on, sealed at that instant.
//!
//! It is drawn from its own stored content for ever after and never computed again, so it keeps
//! sentences with their numbers, not references that could change.

use super::break_glass::Overridable;
use super::canary::{self, CanaryVerdict};
use super::case::CaseFile;
use super::change::{Change, Terms as ChangeTerms};
use super::compare::{self, Comparison};
use super::contract::Terms as ContractTerms;
use super::environment::Environment;
use super::gate::{self, Counted, Gate, InputKind, LineStatus, Policy};
use super::policy::Role;
use super::run::{Phase, Run, ids};
use super::summary::{self, Summary};
use super::{basis, canonical, digest};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use uuid::Uuid;

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The change goes to all traffic.
    Accepted,
    /// It does not go on.
    Rejected,
    /// The old value is back.
    RolledBack,
}

ids!(Kind {
    Accepted => "accepted",
    Rejected => "rejected",
    RolledBack => "rolled_back",
});

/// Who decided what, when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Act {
    /// What was decided.
    pub kind: Kind,
    /// Who.
    pub by: Uuid,
    /// Their name at the time.
    pub name: String,
    /// The role that allowed it.
    pub role: Role,
    /// When, by the server's clock.
    pub at: DateTime<Utc>,
    /// Their words.
    pub note: String,
    /// Version of the program.
    pub app_version: String,
}

/// A contract version as it judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SealedContract {
    /// Id of the version.
    pub id: Uuid,
    /// Name of the contract.
    pub name: String,
    /// Number of the version.
    pub number: i32,
    /// What it says.
    pub terms: ContractTerms,
    /// Digest of the terms.
    pub digest: String,
}

/// An environment runs were taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SealedEnvironment {
    /// Digest of the facts.
    pub digest: String,
    /// The facts.
    pub facts: Environment,
    /// Runs taken there.
    pub runs: Vec<String>,
}

/// An item the decision rested on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SealedEvidence {
    /// Id.
    pub id: Uuid,
    /// `EV-31`.
    pub label: String,
    /// Run, `R-7`.
    pub run: String,
    /// SHA-256 of its files in order.
    pub sha256: Vec<String>,
    /// What the files are.
    pub kind: pel_evidence::Kind,
    /// Version of the parser that read them.
    pub parser: String,
}

/// An attested number the decision may have rested on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SealedAttested {
    /// `A-2`.
    pub label: String,
    /// Run, `R-7`.
    pub run: String,
    /// The file it was read from.
    pub evidence: String,
    /// SHA-256 of that file.
    pub sha256: Vec<String>,
    /// The number.
    pub signal: pel_evidence::Signal,
    /// Where in the file it stands.
    pub place: String,
    /// Who attested it, and who countersigned it.
    pub vouched: super::attested::Vouched,
}

/// An override the decision rested on, by the line it stood for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Override {
    /// Line it spoke for.
    pub line: String,
    /// Who used it.
    pub by: Uuid,
    /// Why.
    pub reason: String,
    /// Until when.
    pub until: DateTime<Utc>,
    /// Its id.
    #[serde(default)]
    pub id: Uuid,
    /// What it stood for.
    #[serde(default)]
    pub what: Option<Overridable>,
    /// Who used it, by name.
    #[serde(default)]
    pub name: String,
    /// Who had co-signed by then, by name; `None` = the manager went on alone.
    #[serde(default)]
    pub cosigned: Option<String>,
}

/// The shape records are sealed in now. Their digest is that of the stored content.
const FORMAT: u32 = 2;

fn first_format() -> u32 {
    1
}

fn is_first(format: &u32) -> bool {
    *format == 1
}

/// Whether a stored record is what was sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soundness {
    /// It has the digest it was sealed with.
    Sound,
    /// It was changed afterwards.
    Changed,
    /// It was sealed by an earlier version in a way this one cannot check.
    CannotTell,
}

/// The record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sealed {
    /// Case, `PEL-0042`.
    pub case: String,
    /// Title of the case at the time.
    pub title: String,
    /// Service.
    pub service: String,
    /// Who decided what.
    pub act: Act,
    /// Change, `CH-12`.
    pub change: String,
    /// Number of the revision decided on.
    pub revision: i32,
    /// What the revision says.
    pub terms: ChangeTerms,
    /// Its digest.
    pub revision_digest: String,
    /// The contract.
    pub contract: Option<SealedContract>,
    /// Environments of the runs used.
    pub environments: Vec<SealedEnvironment>,
    /// The gate as judged, with every sentence and number.
    pub gate: Gate,
    /// Comparisons as judged: cold, warm, canary, those that exist.
    pub comparisons: Vec<Comparison>,
    /// The canary's verdict, once one ended.
    pub canary: Option<CanaryVerdict>,
    /// Evidence.
    pub evidence: Vec<SealedEvidence>,
    /// Attested numbers that counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attested: Vec<SealedAttested>,
    /// Approvals, counted and outdated.
    pub approvals: Vec<Counted>,
    /// Overrides in force.
    pub overrides: Vec<Override>,
    /// The policy it was judged under.
    pub policy: Policy,
    /// The case in a few lines for a machine, as it stood; the first shape had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Box<Summary>>,
    /// Shape of the record; the first said nothing about it.
    #[serde(default = "first_format", skip_serializing_if = "is_first")]
    pub format: u32,
}

impl Sealed {
    /// Digest of the record.
    pub fn digest(&self) -> String {
        // A record is a tree of plain fields with text keys: it always becomes a value.
        canonical::digest(&serde_json::to_value(self).unwrap_or_default())
    }
}

/// Whether a record as stored has the digest it was sealed with.
pub fn soundness(record: &Value, sealed_digest: &str) -> Soundness {
    if canonical::digest(record) == sealed_digest {
        return Soundness::Sound;
    }
    if record.get("format").is_some() {
        return Soundness::Changed;
    }
    // The first shape was digested in the order of its fields, which the store does not keep.
    match serde_json::from_value::<Sealed>(record.clone()) {
        Ok(sealed) if digest(&sealed) == sealed_digest => Soundness::Sound,
        _ => Soundness::CannotTell,
    }
}

/// Seals a decision on the current revision of `change`, with `gate` as it was just judged.
/// `None` when the change has no revision.
pub fn seal(
    case: &CaseFile,
    change: &Change,
    gate: Gate,
    act: Act,
    policy: &Policy,
) -> Option<Sealed> {
    let revision = change.current()?;
    let used: Vec<&Run> = runs_used(case);
    let comparisons = [Phase::Cold, Phase::Warm, Phase::Canary]
        .into_iter()
        .filter_map(|phase| {
            let (a, b) = gate::comparison_runs(case, change, phase);
            (!b.is_empty()).then(|| compare::compare(case, &a, &b, phase))
        })
        .collect();
    let verdict = canary::verdict(case, change);
    Some(Sealed {
        case: case.label(),
        title: case.title.clone(),
        service: case.service.1.clone(),
        change: change.label(),
        revision: revision.number,
        terms: revision.terms.clone(),
        revision_digest: revision.digest.clone(),
        contract: case.contract.as_ref().map(|v| SealedContract {
            id: v.id,
            name: v.contract_name.clone(),
            number: v.number,
            digest: v.terms.digest(),
            terms: v.terms.clone(),
        }),
        environments: environments(case, &used),
        comparisons,
        canary: verdict.ended_at.is_some().then_some(verdict),
        evidence: evidence(case, &used),
        attested: attested(case, &used),
        approvals: gate::approvals(case, change, policy, act.at),
        overrides: overrides(case, &gate, act.at),
        policy: policy.clone(),
        summary: Some(Box::new(summary::of_case(case, act.at))),
        format: FORMAT,
        gate,
        act,
    })
}

/// The overrides that stood for lines of the gate as judged.
fn overrides(case: &CaseFile, gate: &Gate, at: DateTime<Utc>) -> Vec<Override> {
    let lines = gate
        .lines
        .iter()
        .filter(|l| l.status == LineStatus::Overridden);
    lines
        .flat_map(|l| l.inputs.iter().map(move |i| (l, i)))
        .filter(|(_, i)| i.kind == InputKind::Override)
        .filter_map(|(line, input)| {
            let used = case.used_override(input.id)?;
            let signed = used.cosigned.as_ref().filter(|c| c.at <= at);
            Some(Override {
                line: line.id.clone(),
                by: used.by,
                reason: used.reason.clone(),
                until: used.until,
                id: used.id,
                what: Overridable::from_id(&input.label),
                name: case.name_of(used.by),
                cosigned: signed.map(|c| case.name_of(c.by)),
            })
        })
        .collect()
}

/// Runs that may have fed the gate and have usable evidence.
fn runs_used(case: &CaseFile) -> Vec<&Run> {
    let with: HashSet<Uuid> = case
        .evidence
        .iter()
        .filter(|e| e.counts())
        .map(|e| e.run_id)
        .collect();
    basis::gate_runs(case)
        .filter(|r| with.contains(&r.id))
        .collect()
}

fn environments(case: &CaseFile, runs: &[&Run]) -> Vec<SealedEnvironment> {
    let view = super::view::View::new(case);
    let mut by_digest: BTreeMap<String, SealedEnvironment> = BTreeMap::new();
    for run in runs {
        let environment = view
            .run(run.id)
            .map_or(&run.stated.environment, |r| r.environment());
        let digest = environment.digest();
        by_digest
            .entry(digest.clone())
            .or_insert_with(|| SealedEnvironment {
                digest,
                facts: environment.clone(),
                runs: Vec::new(),
            })
            .runs
            .push(run.label());
    }
    by_digest.into_values().collect()
}

fn attested(case: &CaseFile, runs: &[&Run]) -> Vec<SealedAttested> {
    let labels: BTreeMap<Uuid, String> = runs.iter().map(|r| (r.id, r.label())).collect();
    super::attested::standing(case)
        .iter()
        .filter_map(|s| {
            Some(SealedAttested {
                label: s.attested.label(),
                run: labels.get(&s.attested.run_id)?.clone(),
                evidence: s.item.label(),
                sha256: s.item.files.iter().map(|f| f.sha256.clone()).collect(),
                signal: s.attested.signal.clone(),
                place: s.attested.place.clone(),
                vouched: s.vouched(case)?,
            })
        })
        .collect()
}

fn evidence(case: &CaseFile, runs: &[&Run]) -> Vec<SealedEvidence> {
    let labels: BTreeMap<Uuid, String> = runs.iter().map(|r| (r.id, r.label())).collect();
    case.evidence
        .iter()
        .filter(|e| e.counts())
        .filter_map(|e| {
            let extraction = e.extraction.as_ref()?;
            Some(SealedEvidence {
                id: e.id,
                label: e.label(),
                run: labels.get(&e.run_id)?.clone(),
                sha256: e.files.iter().map(|f| f.sha256.clone()).collect(),
                kind: extraction.kind,
                parser: extraction.parser.clone(),
            })
        })
        .collect()
}
