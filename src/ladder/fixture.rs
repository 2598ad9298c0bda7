//! One case that may be accepted, for tests to break one thing at a time.
//!
//! Chat on one GPU breaks p99 TTFT; the scheduler's queue is the layer; a smaller batch limit was
//! compared warm, ran as a canary beside a baseline arm, and waits for promotion.

use super::basis;
use super::case::{CaseFile, CaseState, Declaration, DeclarationKind, PersonRef, Symptom};
use super::change::{
    Approval, CanaryEvent, CanaryEventKind, CanaryPlan, Change, ChangeState, Expectation, Knob,
    Presence, Purpose, Revision, Terms as ChangeTerms, Threshold,
};
use super::condition::{Citation, Claim, Layer, Record};
use super::contract::{
    Acceptance, Band, ClassTerms, Comparator, Limit, LimitPhase, Terms, Version, VersionState,
};
use super::environment::Environment;
use super::evidence::{Evidence, EvidenceFile, EvidenceState, Extraction};
use super::gate::{Check, Checks, Gate, Policy, Target, judge};
use super::policy::Role;
use super::run::{Phase, Profiled, Run, RunRole, Statement};
use super::{Stage, Statistic};
use chrono::{DateTime, TimeDelta, Utc};
use pel_evidence::{Hint, HintAbout, Kind, Signal};
use std::collections::BTreeMap;
use uuid::Uuid;

pub const RESPONDER: Uuid = Uuid::from_u128(1);
pub const REVIEWER: Uuid = Uuid::from_u128(2);
pub const OTHER_REVIEWER: Uuid = Uuid::from_u128(3);

pub const CONTRACT: Uuid = Uuid::from_u128(100);
pub const CHANGE: Uuid = Uuid::from_u128(200);

/// Baseline, warm: break the limit.
pub const R1: Uuid = Uuid::from_u128(301);
pub const R2: Uuid = Uuid::from_u128(302);
/// Candidate, warm.
pub const R3: Uuid = Uuid::from_u128(303);
/// Candidate arm of the canary.
pub const R4: Uuid = Uuid::from_u128(304);
/// Baseline arm of the canary.
pub const R5: Uuid = Uuid::from_u128(305);

pub fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_777_824_000, 0).expect("a date of May 2026")
}

/// `hours` before now.
pub fn ago(hours: i64) -> DateTime<Utc> {
    now() - TimeDelta::hours(hours)
}

pub fn limit(id: &str, signal: &str, statistic: Statistic, c: Comparator, value: f64) -> Limit {
    Limit {
        id: id.to_owned(),
        signal: signal.to_owned(),
        statistic,
        comparator: c,
        value,
        typed_unit: String::new(),
        class: None,
        band: None,
        phase: LimitPhase::Warm,
        min_samples: None,
    }
}

pub fn contract() -> Version {
    let terms = Terms {
        purpose: "chat".to_owned(),
        classes: vec![ClassTerms {
            name: "chat".to_owned(),
            description: String::new(),
        }],
        bands: vec![Band {
            name: "usual".to_owned(),
            min: 1,
            max: 64,
        }],
        acceptance: Acceptance {
            definition: "finished by a stop".to_owned(),
            signal: "acceptance_rate".to_owned(),
        },
        limits: vec![
            limit("ttft", "ttft", Statistic::P99, Comparator::AtMost, 0.8),
            limit(
                "accepted",
                "acceptance_rate",
                Statistic::Ratio,
                Comparator::AtLeast,
                0.97,
            ),
        ],
        window_seconds: 600,
        min_samples: 1000,
        ..Terms::default()
    };
    Version {
        id: CONTRACT,
        contract_id: Uuid::from_u128(101),
        contract_name: "chat".to_owned(),
        number: 3,
        state: VersionState::Published,
        digest: Some(terms.digest()),
        terms,
    }
}

pub fn environment(batch: &str) -> Environment {
    let facts = [
        ("gpu_model", "NVIDIA H200"),
        ("gpu_count", "1"),
        ("node_count", "1"),
        ("driver_version", "570.86"),
        ("setting.max_num_batched_tokens", batch),
    ];
    Environment {
        facts: facts
            .into_iter()
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .collect(),
    }
}

/// A run of `minutes` that began `hours` ago.
pub fn run(id: Uuid, role: RunRole, phase: Phase, hours: i64, minutes: i64) -> Run {
    let batch = if role == RunRole::Candidate {
        "4096"
    } else {
        "8192"
    };
    Run {
        id,
        number: (id.as_u128() - 300) as i32,
        statement_number: 1,
        stated: Statement {
            role,
            phase,
            profiled: Profiled::No,
            contract_version_id: Some(CONTRACT),
            environment: environment(batch),
            class: None,
            band: None,
            window: Some((ago(hours), ago(hours) + TimeDelta::minutes(minutes))),
            note: String::new(),
        },
        by: RESPONDER,
        at: ago(hours) + TimeDelta::minutes(minutes),
    }
}

/// What an engine exports: TTFT p99, acceptance, queue time, KV cache.
pub fn engine(ttft: f64, accepted: f64) -> Vec<Signal> {
    vec![
        Signal::new("ttft", Statistic::P99, ttft).samples(12_000),
        Signal::new("acceptance_rate", Statistic::Ratio, accepted).samples(12_000),
        Signal::new("queue_time", Statistic::P95, ttft * 0.7).samples(12_000),
        Signal::new("kv_cache_usage", Statistic::Max, 0.97),
    ]
}

pub fn item(number: i64, run_id: Uuid, signals: Vec<Signal>) -> Evidence {
    Evidence {
        id: Uuid::from_u128(400 + number as u128),
        number,
        run_id,
        files: vec![EvidenceFile {
            name: format!("metrics-{number}.txt"),
            sha256: format!("{number:064x}"),
            bytes: 10,
        }],
        state: EvidenceState::Usable,
        state_reason: None,
        state_since: ago(20),
        added_by: RESPONDER,
        added_at: ago(1),
        extraction: Some(Extraction {
            id: Uuid::from_u128(600 + number as u128),
            kind: Kind::VllmMetrics,
            tool: "vLLM".to_owned(),
            parser: "1".to_owned(),
            window: None,
            environment: BTreeMap::new(),
            hints: Vec::new(),
            signals,
            notes: Vec::new(),
            anchor: None,
            held: Vec::new(),
        }),
        link: None,
        attested: false,
        sealed: None,
        redaction: None,
    }
}

pub fn hint(about: HintAbout, says: &str) -> Hint {
    Hint {
        about,
        says: says.to_owned(),
        code: "model-load".to_owned(),
        args: BTreeMap::new(),
    }
}

pub fn threshold(signal: &str, statistic: Statistic, c: Comparator, value: f64) -> Threshold {
    let unit = pel_evidence::catalogue::find(signal).map_or("", |d| d.unit.spellings()[0].0);
    Threshold {
        signal: signal.to_owned(),
        statistic: Some(statistic),
        comparator: c,
        value: Some(value),
        typed_unit: unit.to_owned(),
        window_seconds: Some(600),
        min_samples: Some(1000),
        consecutive: 1,
        class: None,
        band: None,
    }
}

pub fn change_terms() -> ChangeTerms {
    ChangeTerms {
        knob: Knob {
            component: "vllm-chat".to_owned(),
            setting: "max_num_batched_tokens".to_owned(),
            old: "8192".to_owned(),
            new: "4096".to_owned(),
            unit: "tokens".to_owned(),
        },
        expectation: Expectation {
            signal: "ttft".to_owned(),
            direction: "lower".to_owned(),
            by: "50 %".to_owned(),
        },
        plan: CanaryPlan {
            share_ceiling: Some(0.05),
            scope: "chat".to_owned(),
            max_requests: Some(50_000),
            max_seconds: Some(4 * 3600),
            min_seconds: Some(1800),
            min_samples: Some(1000),
            concurrent_baseline: true,
            no_baseline_reason: String::new(),
            watcher: "A. Lima".to_owned(),
            watcher_id: Some(OTHER_REVIEWER),
            margin: Some(0.1),
            ..CanaryPlan::default()
        },
        thresholds: vec![
            threshold("ttft", Statistic::P99, Comparator::AtMost, 0.8),
            threshold(
                "acceptance_rate",
                Statistic::Ratio,
                Comparator::AtLeast,
                0.97,
            ),
        ],
        action: "set the old value".to_owned(),
        procedure: "runbook 7".to_owned(),
        rollback_seconds: Some(900),
        ..ChangeTerms::default()
    }
}

fn event(kind: CanaryEventKind, hours: i64, digest: &str) -> CanaryEvent {
    let ended = kind == CanaryEventKind::Ended;
    CanaryEvent {
        kind,
        by: Some(RESPONDER),
        at: ago(hours),
        run_id: ended.then_some(R4),
        share: ended.then_some(0.05),
        requests: ended.then_some(24_000),
        revision_digest: digest.to_owned(),
        note: String::new(),
        verdict: None,
        extension: None,
        why: Vec::new(),
    }
}

fn change() -> Change {
    let terms = change_terms();
    let digest = terms.digest();
    Change {
        id: CHANGE,
        number: 12,
        state: ChangeState::AwaitingPromotion,
        state_since: ago(6),
        author: RESPONDER,
        version: 1,
        canary: vec![
            event(CanaryEventKind::Started, 8, &digest),
            event(CanaryEventKind::Ended, 6, &digest),
        ],
        revisions: vec![Revision {
            id: Uuid::from_u128(201),
            number: 1,
            terms,
            digest: digest.clone(),
            authors: vec![RESPONDER],
            submitted_at: Some(ago(12)),
        }],
        approvals: vec![Approval {
            id: Uuid::from_u128(202),
            purpose: Purpose::Canary,
            by: REVIEWER,
            at: ago(10),
            revision_digest: digest,
            basis_digest: String::new(),
            contract_version_id: CONTRACT,
            seen: None,
        }],
        requests: Vec::new(),
        presence: vec![Presence {
            by: OTHER_REVIEWER,
            at: ago(0),
        }],
        samples: Vec::new(),
        consents: Vec::new(),
    }
}

pub fn record(number: i32, claim: Claim) -> Record {
    Record {
        id: Uuid::from_u128(500 + number as u128),
        number,
        claim,
        basis: super::condition::Basis::default(),
        basis_digest: String::new(),
        by: RESPONDER,
        at: ago(16),
        retracted: None,
    }
}

pub fn claims() -> [Claim; 4] {
    [
        Claim::ReproducedBottleneck {
            limit_id: "ttft".to_owned(),
            runs: vec![R1, R2],
        },
        Claim::OwnerLayerIdentified {
            layer: Layer::Stage(Stage::ServingSchedulerCache),
            cited: vec![Citation {
                evidence_id: Uuid::from_u128(401),
                signal: "queue_time".to_owned(),
                statistic: Statistic::P95,
                labels: BTreeMap::new(),
                value: 1.6 * 0.7,
            }],
            others: [1, 2, 3, 5]
                .into_iter()
                .map(|n| (n, "not the limit".to_owned()))
                .collect(),
        },
        Claim::AcceptanceImpactVisible {
            limit_id: "accepted".to_owned(),
            runs: vec![R1, R2],
            note: String::new(),
        },
        Claim::RollbackThresholdDefined {
            change_id: CHANGE,
            revision_digest: change_terms().digest(),
        },
    ]
}

pub fn declare(stage: Stage, kind: DeclarationKind) -> Declaration {
    Declaration {
        id: Uuid::from_u128(700 + u128::from(stage.number())),
        stage,
        kind,
        reason: "a reason of more than twenty characters".to_owned(),
        by: RESPONDER,
        at: ago(18),
    }
}

fn people() -> Vec<PersonRef> {
    let person = |id: Uuid, name: &str, role: Role| PersonRef {
        id,
        name: name.to_owned(),
        roles: vec![role],
        active: true,
        identity: id,
        left_at: None,
        erased: false,
    };
    vec![
        person(RESPONDER, "J. Melo", Role::Responder),
        person(REVIEWER, "R. Costa", Role::Reviewer),
        person(OTHER_REVIEWER, "A. Lima", Role::Reviewer),
    ]
}

/// A case whose accept gate is ready.
pub fn ready() -> CaseFile {
    let mut case = CaseFile {
        id: Uuid::from_u128(10),
        number: 42,
        title: "TTFT p99 doubled".to_owned(),
        service: (Uuid::from_u128(11), "vllm-chat".to_owned()),
        problem: String::new(),
        symptom: Symptom::default(),
        first_seen: ago(40),
        classes: vec!["chat".to_owned()],
        state: CaseState::Deciding,
        state_since: ago(6),
        owner: Some(RESPONDER),
        owners: Vec::new(),
        opened_by: RESPONDER,
        opened_at: ago(39),
        outcome: None,
        on_hold: None,
        version: 1,
        problem_version: 1,
        contract_link_version: 1,
        contract: Some(contract()),
        newer_contract: None,
        people: people(),
        runs: vec![
            run(R1, RunRole::Baseline, Phase::Warm, 30, 20),
            run(R2, RunRole::Baseline, Phase::Warm, 28, 20),
            run(R3, RunRole::Candidate, Phase::Warm, 24, 20),
            run(R4, RunRole::Candidate, Phase::Canary, 8, 110),
            run(R5, RunRole::Baseline, Phase::Canary, 8, 110),
        ],
        evidence: vec![
            item(1, R1, engine(1.6, 0.93)),
            item(2, R2, engine(1.7, 0.92)),
            item(3, R3, engine(0.6, 0.985)),
            item(4, R4, engine(0.62, 0.984)),
            item(5, R5, engine(1.65, 0.925)),
        ],
        declarations: vec![
            declare(Stage::GpuExecutionMemory, DeclarationKind::NotExamined),
            declare(Stage::KernelOperator, DeclarationKind::NotExamined),
            declare(Stage::DistributedCapacity, DeclarationKind::NotApplicable),
        ],
        hypotheses: Vec::new(),
        records: claims()
            .into_iter()
            .enumerate()
            .map(|(i, claim)| record(i as i32 + 1, claim))
            .collect(),
        changes: vec![change()],
        acceptances: Vec::new(),
        attested: Vec::new(),
        rereads: Vec::new(),
        calculated: Vec::new(),
        life: super::life::Life::default(),
        overrides: Vec::new(),
        team: None,
        policy: Policy::default(),
        other_live_change: None,
        templates: Vec::new(),
        freezes: Vec::new(),
    };
    reseal(&mut case);
    case
}

/// Records and approvals made on the case as it stands, as if everybody had acted just now.
pub fn reseal(case: &mut CaseFile) {
    let bases: Vec<_> = case
        .records
        .iter()
        .map(|r| basis::of(case, &r.claim))
        .collect();
    for (record, basis) in case.records.iter_mut().zip(bases) {
        record.basis_digest = basis.digest();
        record.basis = basis;
    }
    let digests: Vec<String> = case
        .changes
        .iter()
        .map(|c| basis::before_canary(case, c).digest())
        .collect();
    for (change, digest) in case.changes.iter_mut().zip(digests) {
        for approval in &mut change.approvals {
            approval.basis_digest.clone_from(&digest);
        }
    }
}

/// Changes the terms of the current revision everywhere, as if it had always been so.
pub fn with_terms(case: &mut CaseFile, edit: impl FnOnce(&mut ChangeTerms)) {
    let change = &mut case.changes[0];
    let revision = &mut change.revisions[0];
    edit(&mut revision.terms);
    revision.digest = revision.terms.digest();
    let digest = revision.digest.clone();
    for e in &mut change.canary {
        e.revision_digest.clone_from(&digest);
    }
    for a in &mut change.approvals {
        a.revision_digest.clone_from(&digest);
    }
    for r in &mut case.records {
        if let Claim::RollbackThresholdDefined {
            revision_digest, ..
        } = &mut r.claim
        {
            revision_digest.clone_from(&digest);
        }
    }
    reseal(case);
}

/// Changes the contract in place, as if it had always been so.
pub fn with_contract(case: &mut CaseFile, edit: impl FnOnce(&mut Terms)) {
    let version = case.contract.as_mut().expect("the fixture has one");
    edit(&mut version.terms);
    version.digest = Some(version.terms.digest());
    reseal(case);
}

/// The run with this id, to be changed.
pub fn run_mut(case: &mut CaseFile, id: Uuid) -> &mut Run {
    case.runs.iter_mut().find(|r| r.id == id).expect("the run")
}

/// The item with this number, to be changed.
pub fn item_mut(case: &mut CaseFile, number: i64) -> &mut Evidence {
    case.evidence
        .iter_mut()
        .find(|e| e.number == number)
        .expect("the item")
}

/// Replaces what was read from an item.
pub fn set_signals(case: &mut CaseFile, number: i64, signals: Vec<Signal>) {
    item_mut(case, number)
        .extraction
        .as_mut()
        .expect("it was read")
        .signals = signals;
}

/// Checks in which every item agreed an hour ago.
pub fn checks(case: &CaseFile) -> Checks {
    Checks(
        case.evidence
            .iter()
            .map(|e| (e.id, Check::Verified(ago(1))))
            .collect(),
    )
}

/// The accept gate now.
pub fn accept(case: &CaseFile) -> Gate {
    gate(case, Target::Accept)
}

/// The gate of a target now.
pub fn gate(case: &CaseFile, target: Target) -> Gate {
    judge(case, &Policy::default(), target, &checks(case), now())
}
