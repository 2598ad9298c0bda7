//! Telling a story: each act goes through the store as a person's act would, at the story's time,
//! and each file through the blob store, the queue and the caged reader.

use super::cast::{Cast, Member};
use super::traffic::{self, BAND, CLASS, CONCURRENCIES, Side, Turn};
use super::{clock, files};
use crate::intake::blobs::Blobs;
use crate::intake::reading;
use crate::ladder::condition::Claim;
use crate::ladder::contract::Compatibility;
use crate::ladder::environment::Environment;
use crate::ladder::evidence::{EvidenceFile, EvidenceState};
use crate::ladder::run::{Phase, Profiled, RunRole, Statement};
use crate::ladder::{CaseFile, basis};
use crate::store::{case_file, cases, contracts, evidence, runs, services, weighing};
use anyhow::{Context as _, bail};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::stream;
use pel_evidence::samples::{Load, perf_analyzer_csv, vllm_scrapes, write_nsight};
use sqlx::PgPool;
use std::convert::Infallible;
use std::time::Duration;
use uuid::Uuid;

/// Longest wait for one file to be read, in steps of [`STEP`].
const STEPS: u32 = 3000;
const STEP: Duration = Duration::from_millis(20);

/// A story being told.
pub(super) struct Story<'a> {
    pub db: &'a PgPool,
    pub blobs: &'a Blobs,
    pub cast: &'a Cast,
    /// The instant the story ends at.
    pub now: DateTime<Utc>,
}

/// What a run is told about.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub role: RunRole,
    pub phase: Phase,
    pub side: Side,
    pub turn: &'a Turn,
    pub contract: Uuid,
    pub began: DateTime<Utc>,
}

impl Told<'_> {
    /// The statement about a run of this length.
    pub fn stated(&self, profiled: Profiled, length: TimeDelta, note: &str) -> Statement {
        Statement {
            role: self.role,
            phase: self.phase,
            profiled,
            contract_version_id: Some(self.contract),
            environment: Environment {
                facts: traffic::environment(self.turn, self.side),
            },
            class: Some(CLASS.to_owned()),
            band: Some(BAND.to_owned()),
            window: Some((self.began, self.began + length)),
            note: note.to_owned(),
        }
    }
}

/// One file: its name and bytes.
pub(super) type Named = (String, Vec<u8>);

impl Story<'_> {
    /// Moves the story to so many minutes before its end.
    pub fn at(&self, minutes: i64) -> DateTime<Utc> {
        let at = self.now - TimeDelta::minutes(minutes);
        clock::set(at);
        at
    }

    /// The case as it stands.
    pub async fn case(&self, id: Uuid) -> anyhow::Result<CaseFile> {
        let mut conn = self.db.acquire().await?;
        Ok(case_file::load(&mut conn, id).await?)
    }

    /// Defines a service with a contract in force; gives the service and the contract's version.
    pub async fn service(
        &self,
        name: &str,
        description: &str,
        contract: &str,
    ) -> anyhow::Result<(Uuid, Uuid)> {
        let (at, actor) = (clock::now(), self.cast.responder.actor());
        let mut tx = self.db.begin().await?;
        let classes = [CLASS.to_owned(), "short chat".to_owned()];
        let service = services::create(&mut tx, &actor, name, description, &classes, at).await?;
        let terms = super::terms::contract();
        let id = contracts::create(&mut tx, &actor, service, contract, &terms, at).await?;
        let all = contracts::versions(&mut tx, id).await?;
        let draft = all.first().context("a new contract has its draft")?;
        let how = Compatibility::Material;
        let version = contracts::publish(&mut tx, &actor, id, draft.row_version, how, at).await?;
        tx.commit().await?;
        Ok((service, version.id))
    }

    /// Opens a case.
    pub async fn open(&self, by: &Member, new: &cases::NewCase) -> anyhow::Result<Uuid> {
        let mut tx = self.db.begin().await?;
        let (id, _) = cases::open(&mut tx, &by.actor(), new, clock::now()).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Records a run.
    pub async fn run(&self, by: &Member, case: Uuid, stated: &Statement) -> anyhow::Result<Uuid> {
        let mut tx = self.db.begin().await?;
        let (id, _) = runs::create(&mut tx, &by.actor(), case, stated, clock::now()).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Attaches files of one item to a run and waits until the reader has answered.
    pub async fn attach(
        &self,
        by: &Member,
        (case, run): (Uuid, Uuid),
        named: Vec<Named>,
    ) -> anyhow::Result<(Uuid, EvidenceState)> {
        let at = clock::now();
        let mut kept = Vec::with_capacity(named.len());
        for (name, bytes) in named {
            let all = stream::iter([Ok::<_, Infallible>(Bytes::from(bytes))]);
            let stored = self.blobs.put(all, u64::MAX, None).await?;
            kept.push(EvidenceFile {
                name,
                sha256: stored.sha256.to_string(),
                bytes: stored.bytes,
            });
        }
        let mut tx = self.db.begin().await?;
        let (id, number) = evidence::attach(&mut tx, &by.actor(), case, run, &kept, at).await?;
        reading::enqueue(&mut tx, id, at).await?;
        tx.commit().await?;
        let state = self.answered(id).await?;
        tracing::info!(item = format!("EV-{number}"), state = state.id(), "read");
        Ok((id, state))
    }

    async fn answered(&self, id: Uuid) -> anyhow::Result<EvidenceState> {
        for _ in 0..STEPS {
            let mut conn = self.db.acquire().await?;
            let item = evidence::to_read(&mut conn, id).await?;
            drop(conn);
            if !matches!(item.state, EvidenceState::Received | EvidenceState::Parsing) {
                return Ok(item.state);
            }
            tokio::time::sleep(STEP).await;
        }
        bail!("the reader of evidence did not answer within a minute; see the log for why")
    }

    /// Waits until nothing of the case is being calculated: what is judged then has its numbers.
    pub async fn calculated(&self, case: Uuid) -> anyhow::Result<()> {
        for _ in 0..STEPS {
            let mut conn = self.db.acquire().await?;
            let busy = weighing::is_busy(&mut conn, case).await?;
            drop(conn);
            if !busy {
                return Ok(());
            }
            tokio::time::sleep(STEP).await;
        }
        bail!("comparisons were not calculated within a minute; see the log for why")
    }

    /// Attaches files that must turn out usable.
    pub async fn usable(
        &self,
        by: &Member,
        place: (Uuid, Uuid),
        named: Vec<Named>,
    ) -> anyhow::Result<Uuid> {
        let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
        let (id, state) = self.attach(by, place, named).await?;
        if state != EvidenceState::Usable {
            bail!("the reader refused {}: {}", names.join(", "), state.id());
        }
        Ok(id)
    }

    /// A run of ten minutes with its pair of scrapes; gives the run and the item.
    pub async fn scraped(
        &self,
        by: &Member,
        case: Uuid,
        told: Told<'_>,
        seed: u64,
        note: &str,
    ) -> anyhow::Result<(Uuid, Uuid)> {
        let length = files::ended(told.began) - told.began;
        let stated = told.stated(Profiled::No, length, note);
        let run = self.run(by, case, &stated).await?;
        let load = traffic::load(told.side, seed, told.began);
        let item = self.usable(by, (case, run), pair(&load)).await?;
        Ok((run, item))
    }

    /// A profiled run of a minute with its export; gives the run and the item.
    pub async fn traced(
        &self,
        by: &Member,
        case: Uuid,
        told: Told<'_>,
        seed: u64,
    ) -> anyhow::Result<(Uuid, Uuid)> {
        let note = "Profiler attached for a few seconds; timings are not production's.";
        let stated = told.stated(Profiled::Yes, TimeDelta::minutes(1), note);
        let run = self.run(by, case, &stated).await?;
        let folder = tempfile::tempdir().context("no folder for temporary files")?;
        let path = folder.path().join("decode.sqlite");
        write_nsight(&path, traffic::trace(seed, told.began))?;
        let bytes = tokio::fs::read(&path).await?;
        let named = vec![(
            format!("decode-{}.sqlite", told.began.format("%m%d-%H%M")),
            bytes,
        )];
        let item = self.usable(by, (case, run), named).await?;
        Ok((run, item))
    }

    /// A sweep beside a run's scrapes.
    pub async fn swept(
        &self,
        by: &Member,
        place: (Uuid, Uuid),
        (turn, side): (&Turn, Side),
        seed: u64,
    ) -> anyhow::Result<Uuid> {
        let text = perf_analyzer_csv(traffic::sweep(side, seed), &CONCURRENCIES);
        let value = match side {
            Side::Before => turn.old,
            Side::After => turn.new,
        };
        let named = vec![(format!("sweep-{value}.csv"), text.into_bytes())];
        self.usable(by, place, named).await
    }

    /// Records a claim on the basis of the case as it stands.
    pub async fn record(&self, by: &Member, case: Uuid, claim: &Claim) -> anyhow::Result<Uuid> {
        let mut tx = self.db.begin().await?;
        cases::lock(&mut tx, case).await?;
        let stands = case_file::load(&mut tx, case).await?;
        let basis = basis::of(&stands, claim);
        let at = clock::now();
        let id = crate::store::said::record(&mut tx, &by.actor(), case, claim, &basis, at).await?;
        tx.commit().await?;
        Ok(id)
    }
}

/// The two scrapes of a load as files.
pub(super) fn pair(load: &Load) -> Vec<Named> {
    let scrapes = vllm_scrapes(load);
    let name = |at: u64| format!("metrics-{at}.prom");
    vec![
        (name(load.first_scrape_s), scrapes.before.into_bytes()),
        (
            name(load.first_scrape_s + load.interval_s),
            scrapes.after.into_bytes(),
        ),
    ]
}
