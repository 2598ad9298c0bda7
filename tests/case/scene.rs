//! One case with a contract, runs, readings and whatever else a test asks for, put there by the
//! store, as the program does.

use crate::harness::{Browser, Site};
use chrono::{DateTime, TimeDelta, Utc};
use pel::ladder::case::{Symptom, label};
use pel::ladder::contract::{
    Acceptance, Band, ClassTerms, Comparator, Compatibility, Limit, LimitPhase, Terms,
};
use pel::ladder::environment::Environment;
use pel::ladder::evidence::EvidenceFile;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, Profiled, RunRole, Statement};
use pel::store::audit::Actor;
use pel::store::cases::NewCase;
use pel::store::{cases, contracts, evidence, runs, services};
use pel_evidence::{
    Cell, Column, Figure, Hint, HintAbout, Kind, Note, NoteLevel, Reading, Series, Signal,
    Statistic, Tool, Unit, Window,
};
use sqlx::{Postgres, Transaction};
use uuid::Uuid;

/// A name as an attacker would choose it.
pub const HOSTILE: &str = "<img src=x onerror=alert(1)>\"'&.csv";
/// A kernel named as an attacker would name it.
pub const KERNEL: &str = "</text><script>alert(2)</script>gemm";

pub struct Scene {
    pub site: Site,
    pub responder: Uuid,
    pub reviewer: Uuid,
    pub case: Uuid,
    pub label: String,
    pub version_id: Uuid,
}

fn limit(id: &str, signal: &str, statistic: Statistic, side: Comparator, value: f64) -> Limit {
    Limit {
        id: id.to_owned(),
        signal: signal.to_owned(),
        statistic,
        comparator: side,
        value,
        typed_unit: String::new(),
        class: None,
        band: None,
        phase: LimitPhase::Warm,
        min_samples: None,
    }
}

fn terms() -> Terms {
    Terms {
        purpose: "chat".to_owned(),
        classes: vec![ClassTerms {
            name: "long-context chat".to_owned(),
            description: String::new(),
        }],
        bands: vec![Band {
            name: "usual".to_owned(),
            min: 1,
            max: 32,
        }],
        acceptance: Acceptance {
            definition: "complete answer, no retry".to_owned(),
            signal: "acceptance_rate".to_owned(),
        },
        limits: vec![
            limit("ttft", "ttft", Statistic::P99, Comparator::AtMost, 0.8),
            limit(
                "acc",
                "acceptance_rate",
                Statistic::Ratio,
                Comparator::AtLeast,
                0.97,
            ),
        ],
        window_seconds: 600,
        min_samples: 1000,
        ..Terms::default()
    }
}

impl Scene {
    /// A new case that its opener owns, with a contract pinned.
    pub async fn new() -> Self {
        let site = Site::new().await;
        let responder = site.person("resp", &[Role::Responder]).await;
        let reviewer = site.person("rev", &[Role::Reviewer]).await;
        let actor = Actor {
            person_id: Some(responder),
            name: "Name of resp".to_owned(),
            ..Actor::default()
        };
        let now = site.now();
        let mut tx = site.db.pool.begin().await.unwrap();
        let classes = ["long-context chat".to_owned()];
        let service = services::create(&mut tx, &actor, "vllm-chat", "", &classes, now)
            .await
            .unwrap();
        let contract = contracts::create(&mut tx, &actor, service, "chat", &terms(), now)
            .await
            .unwrap();
        let version =
            contracts::publish(&mut tx, &actor, contract, 1, Compatibility::Material, now)
                .await
                .unwrap();
        let new = NewCase {
            title: "TTFT p99 doubled".to_owned(),
            service_id: service,
            problem: "Since the deploy.\n\nIt waits.".to_owned(),
            symptom: Symptom {
                signal: Some("ttft".to_owned()),
                statistic: Some(Statistic::P99),
                observed: Some(1.64),
                text: String::new(),
            },
            first_seen: now - TimeDelta::hours(20),
            classes: classes.to_vec(),
            contract_version_id: Some(version.id),
            own: true,
        };
        let (case, number) = cases::open(&mut tx, &actor, &new, now).await.unwrap();
        tx.commit().await.unwrap();
        Self {
            site,
            responder,
            reviewer,
            case,
            label: label(number),
            version_id: version.id,
        }
    }

    pub fn path(&self) -> String {
        format!("/cases/{}", self.label)
    }

    pub fn actor(&self) -> Actor {
        Actor {
            person_id: Some(self.responder),
            name: "Name of resp".to_owned(),
            ..Actor::default()
        }
    }

    pub async fn responder(&self) -> Browser {
        self.site.signed_in("resp").await
    }

    pub async fn tx(&self) -> Transaction<'static, Postgres> {
        self.site.db.pool.begin().await.unwrap()
    }

    /// A run that began so many minutes before the case was opened.
    pub async fn run(&self, role: RunRole, phase: Phase, minutes: i64) -> Uuid {
        let start = self.site.now() - TimeDelta::minutes(minutes);
        let stated = Statement {
            role,
            phase,
            profiled: Profiled::No,
            contract_version_id: Some(self.version_id),
            environment: Environment {
                facts: [
                    ("gpu_model", "H200"),
                    ("gpu_count", "1"),
                    ("node_count", "1"),
                ]
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .into(),
            },
            class: Some("long-context chat".to_owned()),
            band: Some("usual".to_owned()),
            window: Some((start, start + TimeDelta::minutes(10))),
            note: String::new(),
        };
        let mut tx = self.tx().await;
        let (id, _) = runs::create(&mut tx, &self.actor(), self.case, &stated, self.site.now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// An item with this file name that waits to be read.
    pub async fn item(&self, run: Uuid, name: &str) -> (Uuid, i64) {
        let file = EvidenceFile {
            name: name.to_owned(),
            sha256: pel::ladder::digest(&(name, run)),
            bytes: 2_100_000,
        };
        let mut tx = self.tx().await;
        let made = evidence::attach(
            &mut tx,
            &self.actor(),
            self.case,
            run,
            &[file],
            self.site.now(),
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        made
    }

    pub async fn read(&self, item: Uuid, reading: &Reading) {
        let mut tx = self.tx().await;
        let cage =
            serde_json::json!({"limits": true, "landlock": true, "user": true, "seccomp": false});
        evidence::keep_reading(&mut tx, item, reading, &cage, "0.1.0", self.site.now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
}

/// A reading of vLLM metrics with a TTFT p99 of so many seconds.
pub fn reading(ttft: f64, window: Option<(DateTime<Utc>, DateTime<Utc>)>) -> Reading {
    let tool = Tool {
        name: "vLLM".to_owned(),
        version: Some("0.9.1".to_owned()),
        format: None,
    };
    let mut reading = Reading::new(Kind::VllmMetrics, "1.4", tool);
    reading.window = window.map(|(a, b)| Window {
        start: Some(a),
        end: Some(b),
        seconds: Some(600.0),
    });
    for (name, statistic, value) in [
        ("ttft", Statistic::P99, ttft),
        ("ttft", Statistic::P50, 0.412),
        ("acceptance_rate", Statistic::Ratio, 0.958),
        ("queue_time", Statistic::P95, 0.59),
        ("kv_cache_usage", Statistic::P95, 0.94),
        ("running_requests", Statistic::Mean, 16.0),
        ("waiting_requests", Statistic::Mean, 4.0),
        ("prompt_token_throughput", Statistic::Rate, 12_000.0),
    ] {
        reading.push(Signal::new(name, statistic, value).samples(12_403));
    }
    reading.hints.push(Hint {
        about: HintAbout::Phase,
        says: "warm".to_owned(),
        code: "vllm-restarted".to_owned(),
        args: [].into(),
    });
    reading.note(Note::new(NoteLevel::NotCaptured, "metrics-not-exported").arg("signals", "itl"));
    reading.figures = vec![series(), bars()];
    reading
}

fn series() -> Figure {
    Figure {
        id: "perf-sweep".to_owned(),
        columns: vec![
            Column::number("inference_throughput", Unit::PerSecond),
            Column::number("latency_p99", Unit::Seconds),
        ],
        rows: (1..=1000)
            .map(|i| {
                let x = f64::from(i) / 100.0;
                vec![Cell::Number(x), Cell::Number(0.1 + x * x / 100.0)]
            })
            .collect(),
        plot: Some(Series::Line {
            x: "inference_throughput".to_owned(),
            ys: vec!["latency_p99".to_owned()],
            log_y: true,
        }),
        marks: Vec::new(),
        rows_left_out: 0,
    }
}

fn bars() -> Figure {
    Figure {
        id: "perf-gpus".to_owned(),
        columns: vec![
            Column::text("gpu"),
            Column::number("gpu_power", Unit::Watts),
        ],
        rows: vec![
            vec![Cell::text(KERNEL), Cell::Number(512.0)],
            vec![Cell::text("b"), Cell::NONE],
        ],
        plot: Some(Series::Bars {
            label: "gpu".to_owned(),
            value: "gpu_power".to_owned(),
        }),
        marks: Vec::new(),
        rows_left_out: 3,
    }
}
