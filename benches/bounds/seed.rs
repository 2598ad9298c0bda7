//! Databases to measure on: a person who is signed in, and as many cases as asked for.

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use pel::ladder::case::Symptom;
use pel::ladder::contract::{Band, ClassTerms, Comparator, Limit, LimitPhase, Terms};
use pel::ladder::environment::Environment;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, Profiled, RunRole, Statement};
use pel::postgres::{Database, Settings, Use};
use pel::store::{audit::Actor, cases, people, runs, secret, services, sessions};
use pel_evidence::samples::{
    DecodeTrace, Load, Sweep, perf_analyzer_csv, vllm_scrapes, write_nsight,
};
use pel_evidence::{Options, Reading, Source, Statistic};
use sqlx::types::Json;
use sqlx::{Connection as _, PgConnection};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use tempfile::TempDir;
use uuid::Uuid;

/// Signals of one item.
const SIGNALS: usize = 30;

/// What a client must know.
pub struct Ready {
    /// Session token, for the cookie `pel`.
    pub token: String,
    /// Path of a run.
    pub run_path: String,
}

/// A temporary folder that the account of the private database may enter.
pub fn folder() -> anyhow::Result<TempDir> {
    let mode = std::fs::Permissions::from_mode(0o755);
    Ok(tempfile::Builder::new()
        .prefix("pel-bench-")
        .permissions(mode)
        .tempdir()?)
}

/// A runtime of as many threads as the machine has cores, as `pel serve` uses.
pub fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?)
}

/// The private database in `data`.
pub async fn database(data: &Path, how: Use) -> anyhow::Result<Database> {
    let settings = Settings {
        data_dir: data.to_path_buf(),
        url: None,
        binaries: std::env::var_os("PEL_POSTGRES_BIN").map(Into::into),
        max_connections: 20,
    };
    Ok(Database::open(&settings, how).await?)
}

/// One case with one run, in the database of a service that runs already.
pub async fn upload(data: &Path) -> anyhow::Result<Ready> {
    let now = (pel::web::clock::system())();
    let database = database(data, Use::Join).await?;
    let mut tx = database.pool().begin().await?;
    let (token, person, service) = signed_in(&mut tx, now).await?;
    let who = actor(person);
    let new = cases::NewCase {
        title: "One large file".to_owned(),
        service_id: service,
        problem: "The trace of an afternoon.".to_owned(),
        symptom: symptom(),
        first_seen: now,
        classes: Vec::new(),
        contract_version_id: None,
        own: true,
    };
    let (case, number) = cases::open(&mut tx, &who, &new, now).await?;
    let (_, run) = runs::create(&mut tx, &who, case, &statement(), now).await?;
    tx.commit().await?;
    database.stop().await;
    let run_path = format!("/cases/PEL-{number:04}/runs/R-{run}");
    Ok(Ready { token, run_path })
}

/// `cases` cases of `items` evidence items each; gives the session's token.
pub async fn cases(database: &Database, cases: i32, items: i32) -> anyhow::Result<String> {
    let now = (pel::web::clock::system())();
    let mut tx = database.pool().begin().await?;
    let (token, person, service) = signed_in(&mut tx, now).await?;
    tx.commit().await?;
    let terms = terms();
    let mut owner = database.owner_connection().await?;
    sqlx::raw_sql(
        "create temp table given (person uuid, service uuid, now timestamptz, cases int, items int, symptom jsonb,
                                  terms jsonb, terms_digest text, environment jsonb, environment_digest text);
         create temp table sample (n int, kind text, tool text, signals jsonb, environment jsonb, hints jsonb,
                                   notes jsonb, figures jsonb)",
    )
    .execute(&mut owner)
    .await?;
    let environment = environment();
    sqlx::query("insert into given values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)")
        .bind(person)
        .bind(service)
        .bind(now)
        .bind(cases)
        .bind(items)
        .bind(Json(symptom()))
        .bind(Json(&terms))
        .bind(terms.digest())
        .bind(Json(&environment))
        .bind(environment.digest())
        .execute(&mut owner)
        .await?;
    for (n, reading) in (0..).zip(readings()?) {
        keep_sample(&mut owner, n, &reading).await?;
    }
    sqlx::raw_sql(include_str!("seed.sql"))
        .execute(&mut owner)
        .await?;
    owner.close().await?;
    Ok(token)
}

async fn keep_sample(owner: &mut PgConnection, n: i32, reading: &Reading) -> anyhow::Result<()> {
    let signals = &reading.signals[..reading.signals.len().min(SIGNALS)];
    sqlx::query("insert into sample values ($1, $2, $3, $4, $5, $6, $7, $8)")
        .bind(n)
        .bind(reading.kind.id())
        .bind(&reading.tool.name)
        .bind(Json(signals))
        .bind(Json(&reading.environment))
        .bind(Json(&reading.hints))
        .bind(Json(&reading.notes))
        .bind(Json(&reading.figures))
        .execute(owner)
        .await?;
    Ok(())
}

/// What the parsers read out of one sample file of each kind.
fn readings() -> anyhow::Result<Vec<Reading>> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    let scrapes = vllm_scrapes(&Load::default());
    std::fs::write(at("before.prom"), scrapes.before)?;
    std::fs::write(at("after.prom"), scrapes.after)?;
    let sweep = Sweep {
        service_us: 9_000.0,
        parallel: 8.0,
    };
    std::fs::write(at("sweep.csv"), perf_analyzer_csv(sweep, &[1, 2, 4, 8, 16]))?;
    let trace = DecodeTrace {
        seed: 7,
        steps: 50,
        kernels: 20,
        host_gap_ns: 60_000.0,
        pageable: true,
        started_s: None,
    };
    write_nsight(&at("trace.sqlite"), trace)?;
    [
        &["before.prom", "after.prom"][..],
        &["sweep.csv"],
        &["trace.sqlite"],
    ]
    .into_iter()
    .map(|names| {
        let sources: Vec<Source> = names.iter().map(|n| Source::at(at(n))).collect();
        pel_evidence::read(&sources, &Options::default())
            .map_err(|r| anyhow::anyhow!("the sample {names:?} is refused: {}", r.code))
    })
    .collect()
}

async fn signed_in(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
) -> anyhow::Result<(String, Uuid, Uuid)> {
    let new = people::New {
        login: "bench",
        name: "Ana Bench",
        roles: &[Role::Responder, Role::Reviewer, Role::Admin],
        phc: None,
    };
    let person = people::create(conn, &Actor::app(), &new, now).await?;
    let who = actor(person);
    let token = secret::token().context("no random bytes")?;
    let new = sessions::New {
        person_id: person,
        token_hash: &secret::digest(&token),
        device: "bench",
        network: "loopback",
        by: "password",
        lives: sessions::Lives::default(),
        replaces: None,
    };
    sessions::start(conn, &who, &new, now).await?;
    let classes = ["chat".to_owned()];
    let service = services::create(conn, &who, "chat-eu", "", &classes, now).await?;
    Ok((token, person, service))
}

fn actor(person: Uuid) -> Actor {
    Actor {
        person_id: Some(person),
        name: "Ana Bench".to_owned(),
        role: Some("responder".to_owned()),
        ..Actor::default()
    }
}

fn symptom() -> Symptom {
    Symptom {
        signal: Some("ttft".to_owned()),
        statistic: Some(Statistic::P99),
        observed: Some(1.4),
        text: "p99 TTFT over its limit".to_owned(),
    }
}

fn environment() -> Environment {
    let facts = [
        ("gpu_model", "NVIDIA H100 80GB HBM3"),
        ("gpu_count", "1"),
        ("engine", "vLLM"),
        ("model", "meta-llama/Llama-3.1-8B-Instruct"),
    ];
    let facts = facts.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    Environment { facts }
}

fn statement() -> Statement {
    Statement {
        role: RunRole::Baseline,
        phase: Phase::Warm,
        profiled: Profiled::No,
        contract_version_id: None,
        environment: environment(),
        class: None,
        band: None,
        window: None,
        note: String::new(),
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
        limits: vec![
            limit("ttft", "ttft", Statistic::P99, Comparator::AtMost, 0.8),
            limit(
                "e2e",
                "e2e_latency",
                Statistic::P95,
                Comparator::AtMost,
                4.0,
            ),
        ],
        window_seconds: 600,
        min_samples: 1000,
        ..Terms::default()
    }
}
