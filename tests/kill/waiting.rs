//! Changes that wait for their acceptance: cases told through the store in the hours before now,
//! with evidence whose bytes lie in the blob folder, so that the gate is open.

use crate::place::{Person, now, person};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::stream;
use pel::intake::blobs::Blobs;
use pel::ladder::case::{DeclarationKind, Symptom, label};
use pel::ladder::change::{
    CanaryEventKind, CanaryPlan, ChangeState, Expectation, Knob, Purpose, Terms as ChangeTerms,
    Threshold,
};
use pel::ladder::condition::{Citation, Claim, Layer};
use pel::ladder::contract::{
    Acceptance, Band, ClassTerms, Comparator, Compatibility, Limit, LimitPhase, Terms,
};
use pel::ladder::environment::Environment;
use pel::ladder::evidence::EvidenceFile;
use pel::ladder::gate::{self, Checks, Policy, Target};
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, Profiled, RunRole, Statement};
use pel::ladder::seen::Seen;
use pel::ladder::{CaseFile, basis};
use pel::store::changes::{self, CanaryFact, GivenOn};
use pel::store::{case_file, cases, contracts, evidence, runs, services};
use pel_evidence::{Kind, Reading, Signal, Stage, Statistic, Tool};
use sqlx::PgConnection;
use std::collections::BTreeMap;
use std::convert::Infallible;
use uuid::Uuid;

/// The people of all cases.
pub struct Waiting {
    responder: Person,
    /// Two who may accept.
    pub reviewers: [Person; 2],
    blobs: Blobs,
}

/// So long ago.
fn ago(minutes: i64) -> DateTime<Utc> {
    now() - TimeDelta::minutes(minutes)
}

impl Waiting {
    pub async fn make(conn: &mut PgConnection, blobs: Blobs) -> Self {
        let responder = person(conn, "jo", &[Role::Responder]).await;
        let reviewers = [
            person(conn, "rita", &[Role::Reviewer]).await,
            person(conn, "ana", &[Role::Reviewer]).await,
        ];
        Self {
            responder,
            reviewers,
            blobs,
        }
    }

    /// A service and the contract it is under.
    async fn service(&self, conn: &mut PgConnection) -> (Uuid, Uuid) {
        let (jo, at, classes) = (&self.responder.actor, ago(1300), ["chat".to_owned()]);
        // Of its own: one change at a time is live in a service.
        let name = format!("chat {}", Uuid::new_v4());
        let service = services::create(conn, jo, &name, "", &classes, at)
            .await
            .unwrap();
        let id = contracts::create(conn, jo, service, "chat", &terms(), at)
            .await
            .unwrap();
        let version = contracts::publish(conn, jo, id, 1, Compatibility::Material, at)
            .await
            .unwrap();
        (service, version.id)
    }

    /// A case whose change waits for its promotion; the address of the change.
    pub async fn change(&self, conn: &mut PgConnection) -> String {
        let jo = &self.responder.actor;
        let (service, contract) = self.service(conn).await;
        let new = cases::NewCase {
            title: "First tokens come late".to_owned(),
            service_id: service,
            problem: String::new(),
            symptom: Symptom {
                text: "slow".to_owned(),
                ..Symptom::default()
            },
            first_seen: ago(1210),
            classes: vec!["chat".to_owned()],
            contract_version_id: Some(contract),
            own: true,
        };
        let (case, number) = cases::open(conn, jo, &new, ago(1200)).await.unwrap();
        for (stage, kind) in [
            (Stage::GpuExecutionMemory, DeclarationKind::NotExamined),
            (Stage::KernelOperator, DeclarationKind::NotExamined),
            (Stage::DistributedCapacity, DeclarationKind::NotApplicable),
        ] {
            let reason = "a reason of more than twenty characters";
            pel::store::said::declare_stage(conn, jo, case, stage, kind, reason, ago(1190))
                .await
                .unwrap();
        }
        let warm = (RunRole::Baseline, Phase::Warm);
        let (first, item) = self.run(conn, case, warm, (400, 20), (1.6, 0.93)).await;
        let (second, _) = self.run(conn, case, warm, (360, 20), (1.7, 0.92)).await;
        let candidate = (RunRole::Candidate, Phase::Warm);
        self.run(conn, case, candidate, (300, 20), (0.6, 0.985))
            .await;
        self.claim(conn, case, item, vec![first, second]).await;
        let change = self.roll_out(conn, case).await;
        format!("/cases/{}/changes/CH-{change}", label(number))
    }

    /// A run that began so many minutes ago, with one item that says this.
    async fn run(
        &self,
        conn: &mut PgConnection,
        case: Uuid,
        (role, phase): (RunRole, Phase),
        (began, minutes): (i64, i64),
        (ttft, accepted): (f64, f64),
    ) -> (Uuid, Uuid) {
        let jo = &self.responder.actor;
        let at = ago(began - minutes - 1);
        let contract = load(conn, case).await.contract.map(|c| c.id);
        let stated = Statement {
            role,
            phase,
            profiled: Profiled::No,
            contract_version_id: contract,
            environment: environment(role),
            class: Some("chat".to_owned()),
            band: None,
            window: Some((ago(began), ago(began) + TimeDelta::minutes(minutes))),
            note: String::new(),
        };
        let (run, _) = runs::create(conn, jo, case, &stated, at).await.unwrap();
        let bytes = Bytes::from(format!("scrape of {run}"));
        let all = stream::iter([Ok::<_, Infallible>(bytes)]);
        let stored = self.blobs.put(all, 1000, None).await.unwrap();
        let file = EvidenceFile {
            name: "metrics.txt".to_owned(),
            sha256: stored.sha256.to_string(),
            bytes: stored.bytes,
        };
        let (item, _) = evidence::attach(conn, jo, case, run, &[file], at)
            .await
            .unwrap();
        let cage = serde_json::json!({});
        let read = reading(ttft, accepted);
        evidence::keep_reading(conn, item, &read, &cage, "test", at)
            .await
            .unwrap();
        (run, item)
    }

    /// The first three conditions.
    async fn claim(&self, conn: &mut PgConnection, case: Uuid, item: Uuid, runs: Vec<Uuid>) {
        let why = "not the limit: it has room";
        for claim in [
            Claim::ReproducedBottleneck {
                limit_id: "ttft".to_owned(),
                runs: runs.clone(),
            },
            Claim::AcceptanceImpactVisible {
                limit_id: "accepted".to_owned(),
                runs,
                note: "5 % lost".to_owned(),
            },
            Claim::OwnerLayerIdentified {
                layer: Layer::Stage(Stage::ServingSchedulerCache),
                cited: vec![Citation {
                    evidence_id: item,
                    signal: "queue_time".to_owned(),
                    statistic: Statistic::P95,
                    labels: BTreeMap::new(),
                    value: 1.6 * 0.7,
                }],
                others: [1, 2, 3, 5].map(|n| (n, why.to_owned())).into(),
            },
        ] {
            self.record(conn, case, &claim).await;
        }
    }

    async fn record(&self, conn: &mut PgConnection, case: Uuid, claim: &Claim) {
        let stands = load(conn, case).await;
        let (jo, basis) = (&self.responder.actor, basis::of(&stands, claim));
        pel::store::said::record(conn, jo, case, claim, &basis, ago(150))
            .await
            .unwrap();
    }

    /// Draft, way back, approval and canary; the number of the change.
    async fn roll_out(&self, conn: &mut PgConnection, case: Uuid) -> i64 {
        let jo = &self.responder.actor;
        let (change, number) = changes::draft(conn, jo, case, &change_terms(), ago(148))
            .await
            .unwrap();
        let digest = load(conn, case).await.changes[0]
            .current()
            .unwrap()
            .digest
            .clone();
        let claim = Claim::RollbackThresholdDefined {
            change_id: change,
            revision_digest: digest.clone(),
        };
        self.record(conn, case, &claim).await;
        let version = |case: &CaseFile| case.changes[0].version;
        let v = version(&load(conn, case).await);
        changes::submit(conn, jo, case, change, v, ago(145))
            .await
            .unwrap();
        let stands = load(conn, case).await;
        let (rita, v) = (&self.reviewers[0].actor, version(&stands));
        let none = Checks::default();
        let judged = gate::judge(
            &stands,
            &Policy::default(),
            Target::Approve,
            &none,
            ago(140),
        );
        let open: Vec<_> = judged.open().map(|l| (&l.id, &l.sentences)).collect();
        assert!(judged.ready, "{open:?}");
        let on = GivenOn {
            revision_digest: digest.clone(),
            basis_digest: judged.basis.digest(),
            contract_version_id: stands.contract.as_ref().expect("one is pinned").id,
            seen: Seen::of(&stands, &stands.changes[0]),
        };
        changes::approve(conn, rita, case, change, Purpose::Canary, &on, ago(140))
            .await
            .unwrap();
        let (next, act) = (ChangeState::ApprovedForCanary, "change.approved");
        changes::advance(conn, rita, case, change, v, next, act, None, ago(140))
            .await
            .unwrap();
        let mut fact = CanaryFact {
            revision_digest: digest,
            note: "the watcher is present".to_owned(),
            ..CanaryFact::default()
        };
        let (kind, next) = (CanaryEventKind::Started, ChangeState::CanaryRunning);
        let v = version(&load(conn, case).await);
        changes::canary(conn, jo, case, change, v, kind, &fact, next, ago(120))
            .await
            .unwrap();
        let window = (119, 38);
        let baseline = (RunRole::Baseline, Phase::Canary);
        self.run(conn, case, baseline, window, (1.65, 0.925)).await;
        let candidate = (RunRole::Candidate, Phase::Canary);
        let (run, _) = self.run(conn, case, candidate, window, (0.62, 0.984)).await;
        fact.run_id = Some(run);
        fact.share = Some(0.048);
        fact.requests = Some(24_000);
        let (kind, next) = (CanaryEventKind::Ended, ChangeState::AwaitingPromotion);
        let v = version(&load(conn, case).await);
        changes::canary(conn, jo, case, change, v, kind, &fact, next, ago(70))
            .await
            .unwrap();
        number
    }
}

async fn load(conn: &mut PgConnection, case: Uuid) -> CaseFile {
    case_file::load(conn, case).await.unwrap()
}

/// What an engine exports: TTFT p99, acceptance, queue time.
fn reading(ttft: f64, accepted: f64) -> Reading {
    let tool = Tool {
        name: "vLLM".to_owned(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(Kind::VllmMetrics, "1", tool);
    reading.signals = vec![
        Signal::new("ttft", Statistic::P99, ttft).samples(12_000),
        Signal::new("acceptance_rate", Statistic::Ratio, accepted).samples(12_000),
        Signal::new("queue_time", Statistic::P95, ttft * 0.7).samples(12_000),
    ];
    reading
}

fn environment(role: RunRole) -> Environment {
    let batch = match role {
        RunRole::Candidate => "4096",
        _ => "8192",
    };
    let facts = [
        ("gpu_model", "NVIDIA H200"),
        ("gpu_count", "1"),
        ("node_count", "1"),
        ("setting.max_num_batched_tokens", batch),
    ];
    Environment {
        facts: facts.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
    }
}

fn terms() -> Terms {
    let limit = |id: &str, signal: &str, statistic, comparator, value| Limit {
        id: id.to_owned(),
        signal: signal.to_owned(),
        statistic,
        comparator,
        value,
        typed_unit: String::new(),
        class: None,
        band: None,
        phase: LimitPhase::Warm,
        min_samples: None,
    };
    let (floor, most) = (Comparator::AtLeast, Comparator::AtMost);
    Terms {
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
            limit("ttft", "ttft", Statistic::P99, most, 0.8),
            limit("accepted", "acceptance_rate", Statistic::Ratio, floor, 0.97),
        ],
        window_seconds: 600,
        min_samples: 1000,
        ..Terms::default()
    }
}

fn change_terms() -> ChangeTerms {
    let threshold = |signal: &str, statistic, comparator, value, unit: &str| Threshold {
        signal: signal.to_owned(),
        statistic: Some(statistic),
        comparator,
        value: Some(value),
        typed_unit: unit.to_owned(),
        window_seconds: Some(600),
        min_samples: Some(1000),
        consecutive: 1,
        class: None,
        band: None,
    };
    let (floor, most) = (Comparator::AtLeast, Comparator::AtMost);
    ChangeTerms {
        knob: Knob {
            component: "vllm-chat".to_owned(),
            setting: "max_num_batched_tokens".to_owned(),
            old: "8192".to_owned(),
            new: "4096".to_owned(),
            unit: "tokens".to_owned(),
        },
        consequences: Vec::new(),
        expectation: Expectation {
            signal: "ttft".to_owned(),
            direction: "lower".to_owned(),
            by: "by half".to_owned(),
        },
        risks: "none known: no quantisation".to_owned(),
        plan: CanaryPlan {
            share_ceiling: Some(0.05),
            scope: "one replica".to_owned(),
            max_requests: Some(50_000),
            max_seconds: Some(4 * 3600),
            min_seconds: Some(1800),
            min_samples: Some(1000),
            concurrent_baseline: true,
            no_baseline_reason: String::new(),
            watcher: "jo".to_owned(),
            margin: Some(0.1),
            ..CanaryPlan::default()
        },
        thresholds: vec![
            threshold("ttft", Statistic::P99, most, 0.8, "ms"),
            threshold("acceptance_rate", Statistic::Ratio, floor, 0.97, "%"),
        ],
        action: "set the old value".to_owned(),
        procedure: "runbook 7".to_owned(),
        rollback_seconds: Some(900),
        no_warm_reason: String::new(),
        touches_start_up: false,
        kind: pel::ladder::change::Route::Normal,
        template: None,
        bundle: None,
    }
}
