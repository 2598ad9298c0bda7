//! Bases: the exact inputs a claim or an approval rests on, each with the digest of what it said.
//!
//! An input whose digest is no longer the same has moved; whoever rests on it is told by name.

use super::case::CaseFile;
use super::change::{CanaryEventKind, Change};
use super::condition::{Basis, BasisItem, Claim, Condition};
use super::evidence::{Evidence, EvidenceState};
use super::run::{Phase, Run, RunRole};
use super::{Arg, Sentence, Stage, digest};
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use uuid::Uuid;

/// The basis of a claim as the case stands.
pub fn of(case: &CaseFile, claim: &Claim) -> Basis {
    let mut basis = Basis::default();
    add_contract(&mut basis, case);
    match claim {
        Claim::ReproducedBottleneck { runs, .. } | Claim::AcceptanceImpactVisible { runs, .. } => {
            let wanted: HashSet<Uuid> = runs.iter().copied().collect();
            for run in case.runs.iter().filter(|r| wanted.contains(&r.id)) {
                add_run(&mut basis, run);
            }
            for item in case.evidence.iter().filter(|e| wanted.contains(&e.run_id)) {
                add_item(&mut basis, item);
            }
        }
        Claim::OwnerLayerIdentified { cited, .. } => {
            let wanted: HashSet<Uuid> = cited.iter().map(|c| c.evidence_id).collect();
            for item in case.evidence.iter().filter(|e| wanted.contains(&e.id)) {
                add_item(&mut basis, item);
                if let Some(run) = case.run(item.run_id) {
                    add_run(&mut basis, run);
                }
            }
            add_stages(&mut basis, case);
        }
        Claim::RollbackThresholdDefined {
            change_id,
            revision_digest,
        } => basis.add("revision", change_id, revision_digest),
    }
    basis.sealed()
}

/// What an approval of a canary rests on: the contract, every run that may feed the gate before
/// the canary with its evidence and numbers, declarations, conditions in force, and the revision.
pub fn before_canary(case: &CaseFile, change: &Change) -> Basis {
    Numbers::of(case).before_canary(case, change)
}

/// What acceptance rests on: the same, the canary's runs, and
/// the samples that came before its end.
pub fn whole(case: &CaseFile, change: &Change) -> Basis {
    Numbers::of(case).whole(case, change)
}

/// Digests of what was read out of every item that may feed the gate. A judgement asks for more
/// than one basis; the numbers, which are most of the work, are gone through once.
pub(super) struct Numbers(HashMap<Uuid, String>);

impl Numbers {
    pub(super) fn of(case: &CaseFile) -> Self {
        let runs: HashSet<Uuid> = gate_runs(case).map(|r| r.id).collect();
        let items = case.evidence.iter().filter(|e| runs.contains(&e.run_id));
        let digest = |e: &Evidence| {
            let x = e.extraction.as_ref()?;
            let own = || numbers_digest(&x.signals);
            Some((e.id, x.anchor.clone().unwrap_or_else(own)))
        };
        Self(items.filter_map(digest).collect())
    }

    /// As [`before_canary`].
    pub(super) fn before_canary(&self, case: &CaseFile, change: &Change) -> Basis {
        gate_basis(case, change, self, |run| run.stated.phase != Phase::Canary)
    }

    /// As [`whole`].
    pub(super) fn whole(&self, case: &CaseFile, change: &Change) -> Basis {
        whole_of(case, change, self)
    }
}

fn whole_of(case: &CaseFile, change: &Change, numbers: &Numbers) -> Basis {
    let mut basis = gate_basis(case, change, numbers, |_| true);
    let until = change.ended().map(|e| e.at);
    let judged: Vec<String> = change
        .samples
        .iter()
        .filter(|k| until.is_some_and(|at| k.at <= at))
        .map(|k| k.sample.digest())
        .collect();
    if !judged.is_empty() {
        basis.add("samples", change.id, digest(&judged));
    }
    basis.sealed()
}

fn gate_basis(
    case: &CaseFile,
    change: &Change,
    numbers: &Numbers,
    wanted: impl Fn(&Run) -> bool,
) -> Basis {
    let mut basis = Basis::default();
    add_contract(&mut basis, case);
    let runs: HashSet<Uuid> = gate_runs(case)
        .filter(|r| wanted(r))
        .map(|r| r.id)
        .collect();
    let mut with_evidence = HashSet::new();
    for item in case.evidence.iter().filter(|e| runs.contains(&e.run_id)) {
        with_evidence.insert(item.run_id);
        add_item(&mut basis, item);
        // An approval that was not used yet was given on bytes that could still be looked at.
        let used = change.last(CanaryEventKind::Started).is_some();
        if let Some(sealed) = item.sealed.as_ref().filter(|_| item.is_sealed() && !used) {
            basis.add("sealed", item.id, &*sealed.digest);
        }
        if let Some(x) = item.extraction.as_ref() {
            if let Some(read) = numbers.0.get(&item.id) {
                basis.add("extraction", item.id, &**read);
            }
            if x.kind == pel_evidence::Kind::EngineConfig {
                let read = digest(&(&x.environment, gaps(&x.notes)));
                basis.add("configuration", item.id, read);
            }
        }
    }
    for a in case.attested.iter().filter(|a| runs.contains(&a.run_id)) {
        basis.add(
            "attested",
            a.id,
            digest(&(&a.signal, &a.class, a.answers.last())),
        );
    }
    for a in &case.acceptances {
        if case
            .item(a.evidence_id)
            .is_some_and(|e| runs.contains(&e.run_id))
        {
            basis.add("accepted", a.id, digest(a));
        }
    }
    for run in case.runs.iter().filter(|r| with_evidence.contains(&r.id)) {
        add_run(&mut basis, run);
    }
    add_stages(&mut basis, case);
    for condition in Condition::ALL {
        if let Some(record) = case.record(*condition) {
            basis.add("condition", record.id, &*record.basis_digest);
        }
    }
    if let Some(revision) = change.current() {
        basis.add("revision", change.id, &*revision.digest);
    }
    basis.sealed()
}

/// Runs that may feed the gate: baseline or candidate, under the pinned contract.
pub fn gate_runs(case: &CaseFile) -> impl Iterator<Item = &Run> {
    case.runs.iter().filter(|r| {
        r.stated.role != RunRole::Unknown && case.under_contract(r.stated.contract_version_id)
    })
}

fn add_contract(basis: &mut Basis, case: &CaseFile) {
    if let Some((id, digest)) = case.contract_ground() {
        basis.add("contract", id, digest);
    }
}

fn add_run(basis: &mut Basis, run: &Run) {
    basis.add("run", run.id, digest(&run.stated));
}

fn add_stages(basis: &mut Basis, case: &CaseFile) {
    for stage in Stage::ALL {
        if let Some(d) = case.declaration(stage) {
            basis.add("stage", stage.id(), digest(&(d.id, d.kind, &d.reason)));
        }
    }
}

/// An item's files and state.
fn add_item(basis: &mut Basis, item: &Evidence) {
    let mut hash = Sha256::new();
    for file in &item.files {
        hash.update(file.sha256.as_bytes());
        hash.update([0]);
    }
    // A sealed summary stands for the bytes it was written from.
    let stands = if item.is_sealed() {
        EvidenceState::Usable
    } else {
        item.state
    };
    hash.update(stands.id().as_bytes());
    basis.add("evidence", item.id, hex::encode(hash.finalize()));
}

/// Codes of a configuration's notes: what it leaves open is part of what it says.
fn gaps(notes: &[pel_evidence::Note]) -> Vec<&str> {
    notes.iter().map(|n| n.code.as_str()).collect()
}

/// Digest of what was read, whichever parser version read it; the order does not matter.
pub fn numbers_digest(signals: &[pel_evidence::Signal]) -> String {
    let mut sorted: Vec<_> = signals.iter().collect();
    sorted.sort_unstable_by(|a, b| {
        (
            &a.name,
            a.statistic,
            &a.labels,
            a.value.to_bits(),
            a.samples,
        )
            .cmp(&(
                &b.name,
                b.statistic,
                &b.labels,
                b.value.to_bits(),
                b.samples,
            ))
    });
    // Written out first: one pass of the hash over it is far cheaper than many small ones.
    let mut text = Vec::with_capacity(signals.len() * 64);
    for s in sorted {
        text.extend_from_slice(s.name.as_bytes());
        text.push(0);
        // Into memory it cannot fail.
        let _ = write!(text, "{}", s.statistic);
        for (k, v) in &s.labels {
            text.push(0);
            text.extend_from_slice(k.as_bytes());
            text.push(1);
            text.extend_from_slice(v.as_bytes());
        }
        text.push(0);
        text.extend_from_slice(&s.value.to_bits().to_le_bytes());
        text.extend_from_slice(&s.samples.unwrap_or(u64::MAX).to_le_bytes());
    }
    hex::encode(Sha256::digest(&text))
}

/// An item that is no longer as it was, in words.
pub(super) fn evidence_moved_sentence(item: &Evidence) -> Sentence {
    Sentence::new("gate-evidence-moved")
        .text("evidence", item.label())
        .with(
            "state",
            Arg::Key(format!(
                "evidence-state-{}",
                item.state.id().replace('_', "-")
            )),
        )
        .with("at", Arg::Time(item.state_since))
}

/// An input that moved, in words: `EV-31 withdrawn`, `statements of R-7 changed`.
pub fn moved_sentence(case: &CaseFile, item: &BasisItem) -> Sentence {
    let id = Uuid::parse_str(&item.id).ok();
    match (item.kind.as_str(), id) {
        ("evidence" | "extraction" | "sealed" | "configuration", Some(id)) => match case.item(id) {
            Some(e) => evidence_moved_sentence(e),
            None => Sentence::new("gate-evidence-gone"),
        },
        ("run", Some(id)) => Sentence::new("gate-run-moved").text(
            "run",
            case.run(id).map_or_else(|| "?".to_owned(), Run::label),
        ),
        ("attested", Some(id)) => Sentence::new("gate-attested-moved").text(
            "attested",
            case.attested
                .iter()
                .find(|a| a.id == id)
                .map_or_else(|| "?".to_owned(), super::attested::Attested::label),
        ),
        ("accepted", _) => Sentence::new("gate-acceptance-moved"),
        ("stage", _) => Sentence::new("gate-stage-moved").with(
            "stage",
            Arg::Key(format!("stage-{}", item.id.replace('_', "-"))),
        ),
        ("contract", _) => Sentence::new("gate-contract-moved"),
        ("condition", _) => Sentence::new("gate-condition-moved"),
        _ => Sentence::new("gate-revision-moved"),
    }
}
