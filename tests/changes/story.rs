//! One case told over HTTP: a responder measures, claims and drafts; a reviewer approves and
//! accepts.
#![allow(clippy::unwrap_used)]

use crate::harness::{Answer, Browser, Site, field};
use axum::http::StatusCode;
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::stream;
use pel::ladder::case::{DeclarationKind, Symptom};
use pel::ladder::contract::{
    Acceptance, Band, ClassTerms, Comparator, Compatibility, Limit, LimitPhase, Terms,
};
use pel::ladder::environment::Environment;
use pel::ladder::evidence::EvidenceFile;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, Profiled, RunRole, Statement};
use pel::ladder::{CaseFile, Stage, Statistic, basis};
use pel::store::audit::Actor;
use pel::store::{case_file, cases, contracts, evidence, runs, services};
use pel_evidence::{Kind, Reading, Signal, Tool};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A case with its people.
pub struct Story {
    pub site: Site,
    /// The responder, owner of the case.
    pub jo: Uuid,
    /// A reviewer.
    pub rita: Uuid,
    pub case_id: Uuid,
    /// `PEL-0001`.
    pub label: String,
    pub contract_version: Uuid,
}

fn limit(
    id: &str,
    signal: &str,
    statistic: Statistic,
    c: Comparator,
    value: f64,
    unit: &str,
) -> Limit {
    Limit {
        id: id.to_owned(),
        signal: signal.to_owned(),
        statistic,
        comparator: c,
        value,
        typed_unit: unit.to_owned(),
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
            limit(
                "ttft",
                "ttft",
                Statistic::P99,
                Comparator::AtMost,
                0.8,
                "ms",
            ),
            limit(
                "accepted",
                "acceptance_rate",
                Statistic::Ratio,
                Comparator::AtLeast,
                0.97,
                "%",
            ),
        ],
        window_seconds: 600,
        min_samples: 1000,
        ..Terms::default()
    }
}

fn environment(batch: &str) -> Environment {
    let facts = [
        ("gpu_model", "NVIDIA H200"),
        ("gpu_count", "1"),
        ("node_count", "1"),
        ("driver_version", "570.86"),
        ("setting.max_num_batched_tokens", batch),
    ];
    Environment {
        facts: facts.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
    }
}

/// Path of the first change of the story.
pub const CHANGE: &str = "CH-1";

impl Story {
    /// A case with a contract, two baseline runs that break it and one candidate run that holds.
    pub async fn begin() -> Self {
        let site = Site::new().await;
        let jo = site.person("jo", &[Role::Responder]).await;
        let rita = site.person("rita", &[Role::Reviewer]).await;
        site.person("ana", &[Role::Reviewer]).await;
        let actor = actor_of(jo, "Name of jo");
        let now = site.now();
        let mut tx = site.db.pool.begin().await.unwrap();
        let classes = ["chat".to_owned()];
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
        let new = cases::NewCase {
            title: "TTFT p99 doubled".to_owned(),
            service_id: service,
            problem: "Users wait.".to_owned(),
            symptom: Symptom {
                text: "slow".to_owned(),
                ..Symptom::default()
            },
            first_seen: now - TimeDelta::hours(20),
            classes: classes.to_vec(),
            contract_version_id: Some(version.id),
            own: true,
        };
        let (case_id, number) = cases::open(&mut tx, &actor, &new, now).await.unwrap();
        for (stage, kind) in [
            (Stage::GpuExecutionMemory, DeclarationKind::NotExamined),
            (Stage::KernelOperator, DeclarationKind::NotExamined),
            (Stage::DistributedCapacity, DeclarationKind::NotApplicable),
        ] {
            let reason = "a reason of more than twenty characters";
            pel::store::said::declare_stage(&mut tx, &actor, case_id, stage, kind, reason, now)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        let story = Self {
            label: pel::ladder::case::label(number),
            contract_version: version.id,
            site,
            jo,
            rita,
            case_id,
        };
        let day = |hours: i64| now - TimeDelta::hours(hours);
        let me = story.jo;
        story
            .run(me, RunRole::Baseline, Phase::Warm, day(6), 20, (1.6, 0.93))
            .await;
        story
            .run(me, RunRole::Baseline, Phase::Warm, day(5), 20, (1.7, 0.92))
            .await;
        story
            .run(
                me,
                RunRole::Candidate,
                Phase::Warm,
                day(3),
                20,
                (0.6, 0.985),
            )
            .await;
        story
    }

    /// The case as it is now.
    pub async fn case(&self) -> CaseFile {
        let mut conn = self.site.db.pool.acquire().await.unwrap();
        case_file::load(&mut conn, self.case_id).await.unwrap()
    }

    /// Describes a run and reads one file of it, whose bytes are in the store.
    pub async fn run(
        &self,
        by: Uuid,
        role: RunRole,
        phase: Phase,
        from: DateTime<Utc>,
        minutes: i64,
        (ttft, accepted): (f64, f64),
    ) -> (Uuid, Uuid) {
        let batch = if role == RunRole::Candidate {
            "4096"
        } else {
            "8192"
        };
        let stated = Statement {
            role,
            phase,
            profiled: Profiled::No,
            contract_version_id: Some(self.contract_version),
            environment: environment(batch),
            class: Some("chat".to_owned()),
            band: None,
            window: Some((from, from + TimeDelta::minutes(minutes))),
            note: String::new(),
        };
        let actor = actor_of(by, "Name of somebody");
        let now = self.site.now();
        let mut tx = self.site.db.pool.begin().await.unwrap();
        let (run, _) = runs::create(&mut tx, &actor, self.case_id, &stated, now)
            .await
            .unwrap();
        let bytes = Bytes::from(format!("scrape of {run}"));
        let length = bytes.len() as u64;
        let stored = self
            .site
            .app
            .blobs
            .put(stream::iter([Ok::<_, std::io::Error>(bytes)]), 1000, None)
            .await
            .unwrap();
        let file = EvidenceFile {
            name: "metrics.txt".to_owned(),
            sha256: stored.sha256.to_string(),
            bytes: length,
        };
        let (item, _) = evidence::attach(&mut tx, &actor, self.case_id, run, &[file], now)
            .await
            .unwrap();
        let reading = reading(ttft, accepted);
        evidence::keep_reading(&mut tx, item, &reading, &serde_json::json!({}), "test", now)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        (run, item)
    }

    /// Address of the first change.
    pub fn change(&self, rest: &str) -> String {
        format!("/cases/{}/changes/{CHANGE}{rest}", self.label)
    }

    /// Posts the form of a page with its hidden fields as shown.
    pub async fn send(
        &self,
        browser: &mut Browser,
        page: &str,
        action: &str,
        typed: &[(&str, &str)],
    ) -> Answer {
        let shown = browser.get(page).await;
        assert_eq!(shown.status, StatusCode::OK, "{page}: {}", shown.body);
        post_shown(browser, &shown.body, action, typed).await
    }

    /// Records the first three conditions as the forms suggest them.
    pub async fn conditions(&self, jo: &mut Browser) {
        for (condition, typed) in [
            (
                "reproduced-bottleneck",
                vec![("limit", "ttft"), ("run", "ttft/R-1"), ("run", "ttft/R-2")],
            ),
            (
                "acceptance-impact-visible",
                vec![
                    ("limit", "accepted"),
                    ("run", "accepted/R-1"),
                    ("run", "accepted/R-2"),
                    ("note", "5 % lost"),
                ],
            ),
        ] {
            self.record(jo, condition, &typed).await;
        }
        let path = format!("/cases/{}/conditions/owner-layer-identified", self.label);
        let page = jo.get(&path).await;
        let cite = field_of(&page.body, "cite");
        let mut typed = vec![("layer", "4"), ("cite", cite.as_str())];
        for why in ["why_1", "why_2", "why_3", "why_5"] {
            typed.push((why, "not the limit: it has room"));
        }
        self.record(jo, "owner-layer-identified", &typed).await;
    }

    /// Records one condition.
    pub async fn record(&self, jo: &mut Browser, condition: &str, typed: &[(&str, &str)]) {
        let path = format!("/cases/{}/conditions/{condition}", self.label);
        let page = jo.get(&path).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.body);
        let mut fields = vec![("record", field(&page.body, "record"))];
        if condition == "rollback-threshold-defined" {
            fields.push(("revision", field(&page.body, "revision")));
        }
        fields.extend(typed);
        let answer = jo.post(&path, &fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        assert_eq!(answer.location(), format!("/cases/{}#gate", self.label));
    }

    /// Drafts the change.
    pub async fn draft(&self, jo: &mut Browser) {
        let path = format!("/cases/{}/changes", self.label);
        let answer = jo.post(&path, &change_fields("runbook 7")).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        assert_eq!(answer.location(), self.change(""));
    }

    /// Up to a change that is submitted: all conditions, the draft, its thresholds.
    pub async fn submitted(&self) -> Browser {
        let mut jo = self.site.signed_in("jo").await;
        self.conditions(&mut jo).await;
        self.draft(&mut jo).await;
        self.record(&mut jo, "rollback-threshold-defined", &[])
            .await;
        let answer = self
            .send(&mut jo, &self.change(""), &self.change("/submit"), &[])
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        jo
    }

    /// Approved by the reviewer.
    pub async fn approved(&self) -> Browser {
        let jo = self.submitted().await;
        let mut rita = self.site.signed_in("rita").await;
        let answer = self
            .send(&mut rita, &self.change(""), &self.change("/approve"), &[])
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        jo
    }

    /// A canary that runs.
    pub async fn running(&self) -> Browser {
        let mut jo = self.approved().await;
        self.present(&mut jo).await;
        let page = self.change("/canary/start");
        let answer = self.send(&mut jo, &page, &page, &[]).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        jo
    }

    /// The watcher says that they are present.
    pub async fn present(&self, watcher: &mut Browser) {
        let answer = watcher.post(&self.change("/presence"), &[]).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    }

    /// Ends the running canary with these numbers; gives its answer.
    pub async fn end(&self, jo: &mut Browser, share: &str, numbers: (f64, f64)) -> Answer {
        let began = self.site.now();
        self.site.pass(TimeDelta::minutes(41));
        let from = began + TimeDelta::minutes(1);
        self.run(
            self.jo,
            RunRole::Baseline,
            Phase::Canary,
            from,
            38,
            (1.65, 0.925),
        )
        .await;
        self.run(
            self.jo,
            RunRole::Candidate,
            Phase::Canary,
            from,
            38,
            numbers,
        )
        .await;
        let page = self.change("/canary/end");
        let run = self.case().await.runs.last().unwrap().label();
        let typed = [
            ("run", run.as_str()),
            ("share", share),
            ("requests", "24 000"),
        ];
        self.send(jo, &page, &page, &typed).await
    }

    /// A change that waits for acceptance.
    pub async fn awaiting(&self) -> Browser {
        let mut jo = self.running().await;
        let answer = self.end(&mut jo, "4,8", (0.62, 0.984)).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        let case = self.case().await;
        assert_eq!(case.changes[0].state.id(), "awaiting_promotion");
        jo
    }

    /// Number of decisions of each kind.
    pub async fn decisions(&self) -> BTreeMap<String, i64> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as("select kind, count(*) from decision group by kind")
                .fetch_all(&self.site.db.pool)
                .await
                .unwrap();
        rows.into_iter().collect()
    }

    /// State of the first change.
    pub async fn state(&self) -> &'static str {
        self.case().await.changes[0].state.id()
    }
}

/// Posts a deciding form that no page offered, with what a page would have hidden in it.
pub async fn by_hand(
    story: &Story,
    browser: &mut Browser,
    act: &str,
    typed: &[(&str, &str)],
) -> Answer {
    let case = story.case().await;
    let change = &case.changes[0];
    let basis = if act == "/accept" {
        basis::whole(&case, change)
    } else {
        basis::before_canary(&case, change)
    };
    let (key, version) = (Uuid::new_v4().to_string(), change.version.to_string());
    let (revision, basis) = (change.current().unwrap().digest.clone(), basis.digest());
    let mut fields = vec![
        ("form_key", key.as_str()),
        ("version", version.as_str()),
        ("revision", revision.as_str()),
        ("basis", basis.as_str()),
        ("seq", "1"),
    ];
    fields.extend(typed);
    browser.post(&story.change(act), &fields).await
}

/// The hidden fields of a deciding form as shown.
pub fn hidden(page: &str) -> Vec<(&'static str, String)> {
    ["form_key", "version", "revision", "basis", "seq"]
        .into_iter()
        .map(|name| (name, field(page, name).to_owned()))
        .collect()
}

/// Posts a form as a page showed it.
pub async fn post_shown(
    browser: &mut Browser,
    page: &str,
    action: &str,
    typed: &[(&str, &str)],
) -> Answer {
    let hidden = hidden(page);
    let mut fields: Vec<(&str, &str)> = hidden.iter().map(|(n, v)| (*n, v.as_str())).collect();
    fields.extend(typed);
    browser.post(action, &fields).await
}

/// The value of the first tick box of this name.
pub fn field_of(page: &str, name: &str) -> String {
    field(page, name).to_owned()
}

/// The form of a change; the procedure is what tests revise.
pub fn change_fields(procedure: &str) -> Vec<(&'static str, &str)> {
    vec![
        ("component", "vllm-chat"),
        ("setting", "max_num_batched_tokens"),
        ("old", ""),
        ("new", "4096"),
        ("unit", "tokens"),
        ("expected_signal", "ttft"),
        ("direction", "lower"),
        ("expected_by", "by half"),
        ("risks", "none known: no quantisation"),
        ("share_ceiling", "5"),
        ("max_requests", "50 000"),
        ("min_minutes", "30"),
        ("max_minutes", "240"),
        ("min_samples", "1000"),
        ("concurrent_baseline", "yes"),
        ("margin", "10"),
        ("watcher", "Name of jo"),
        ("t_on", "l:ttft"),
        ("t_value", "800"),
        ("t_unit", "ms"),
        ("t_window", "10"),
        ("t_samples", "1000"),
        ("t_consecutive", "1"),
        ("t_on", "l:accepted"),
        ("t_value", "97"),
        ("t_unit", "%"),
        ("t_window", "10"),
        ("t_samples", "1000"),
        ("t_consecutive", "1"),
        ("action", "set the old value"),
        ("procedure", procedure),
        ("rollback_minutes", "15"),
    ]
}

pub fn actor_of(id: Uuid, name: &str) -> Actor {
    Actor {
        person_id: Some(id),
        name: name.to_owned(),
        ..Actor::default()
    }
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
