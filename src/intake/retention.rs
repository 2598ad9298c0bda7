//! The jobs of retention (lifecycle §9): once an hour, items whose time is over lose their bytes
//! unless something keeps them, and requests to erase are carried out unless legal hold stands
//! against them.
//!
//! Before bytes go they are compared with their digest, and the sealed summary is written in the
//! transaction that marks them as gone. Their removal is a job of its own in that transaction, so
//! that a killed process leaves no half state: either nothing happened, or the removal still waits.

use super::blobs::{self, Blobs, Digest};
use super::jobs::{Clock, Held, JobError};
use crate::ladder::evidence::EvidenceState;
use crate::ladder::numbers::Policy;
use crate::ladder::retention::{self, Fate, Summary};
use crate::store::retention::{self as store_retention, Candidate};
use crate::store::{self, case_file, cases, evidence, jobs, upkeep};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::{PgConnection, PgPool};

/// Kind of the hourly job.
pub const KIND: &str = "retention";
/// Kind of the job that removes a blob.
pub const REMOVE: &str = "remove_blob";

/// Seconds between rounds.
const EVERY_S: i64 = 3600;
/// Items looked at in one step.
const STEP: i64 = 50;
const ATTEMPTS: i32 = 100;

/// What the jobs work with.
#[derive(Debug, Clone)]
pub struct Room {
    /// Database.
    pub db: PgPool,
    /// Stored bytes.
    pub blobs: Blobs,
    /// Where the time comes from.
    pub clock: Clock,
}

/// Makes sure that a round is waiting.
///
/// # Errors
/// When the database refuses.
pub async fn ensure(
    conn: &mut PgConnection,
    run_after: DateTime<Utc>,
    now: DateTime<Utc>,
) -> store::Result<()> {
    let job = jobs::NewJob {
        kind: KIND,
        payload: json!({}),
        once_key: Some(KIND),
        run_after,
        max_attempts: ATTEMPTS,
    };
    jobs::enqueue(conn, &job, now).await?;
    Ok(())
}

/// Does one round and enqueues the next.
///
/// # Errors
/// [`JobError::Again`] when database or store do not answer.
pub async fn run(room: Room, held: Held) -> Result<(), JobError> {
    let now = (room.clock)();
    round(&room, now).await.map_err(again)?;
    let mut tx = room.db.begin().await.map_err(again)?;
    if held.finish(&mut tx, now).await.map_err(again)? {
        let next = now + TimeDelta::seconds(EVERY_S);
        ensure(&mut tx, next, now).await.map_err(again)?;
        tx.commit().await.map_err(again)?;
    }
    Ok(())
}

fn again(error: impl std::fmt::Display) -> JobError {
    JobError::Again(error.to_string())
}

/// What a round did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Done {
    /// Items whose bytes go.
    pub purged: usize,
    /// Items newly listed as kept though their time is over.
    pub listed: usize,
}

/// One round: requests to erase first, then what is over its time.
///
/// # Errors
/// When database or store do not answer.
pub async fn round(room: &Room, now: DateTime<Utc>) -> anyhow::Result<Done> {
    let mut done = Done::default();
    let mut conn = room.db.acquire().await?;
    for request in store_retention::requests(&mut conn).await? {
        if !request.legal_hold {
            let item = Candidate {
                id: request.evidence_id,
                number: request.number,
                case_id: request.case_id,
            };
            done.purged += usize::from(erase(room, request.id, item, now).await?);
        }
    }
    let before = now - TimeDelta::days(shortest(&mut conn).await?);
    let mut after = 0;
    loop {
        let found = store_retention::candidates(&mut conn, before, after, STEP).await?;
        for item in &found {
            let (purged, listed) = look(room, *item, now).await?;
            done.purged += usize::from(purged);
            done.listed += usize::from(listed);
            after = item.number;
        }
        if (found.len() as i64) < STEP {
            return Ok(done);
        }
    }
}

/// The shortest time any bytes are kept.
async fn shortest(conn: &mut PgConnection) -> store::Result<i64> {
    let policy: Policy = store_retention::policy(conn).await?;
    Ok([
        policy.keep_metrics_days,
        policy.keep_sweeps_days,
        policy.keep_traces_days,
        policy.keep_other_days,
        policy.keep_confidential_days,
        policy.keep_redacted_days,
    ]
    .into_iter()
    .min()
    .unwrap_or_default())
}

/// Lets one item's bytes go when it is due, or lists it with what keeps it.
async fn look(room: &Room, item: Candidate, now: DateTime<Utc>) -> anyhow::Result<(bool, bool)> {
    let mut conn = room.db.acquire().await?;
    let looked = fate(&mut conn, item, now).await?;
    drop(conn);
    match looked {
        Fate::Keep => Ok((false, false)),
        Fate::Held(why) => {
            let mut tx = room.db.begin().await?;
            let listed = store_retention::skip(&mut tx, item, &why, now).await?;
            tx.commit().await?;
            Ok((false, listed))
        }
        Fate::Due => {
            let sound = verify(room, item, now).await?;
            let mut tx = room.db.begin().await?;
            cases::lock(&mut tx, item.case_id).await?;
            // Somebody may have recorded on it, or raised a hold, since it was looked at.
            if fate(&mut tx, item, now).await? != Fate::Due {
                return Ok((false, false));
            }
            purge(&mut tx, item, sound, "retention", now).await?;
            tx.commit().await?;
            Ok((true, false))
        }
    }
}

async fn fate(conn: &mut PgConnection, item: Candidate, now: DateTime<Utc>) -> store::Result<Fate> {
    let case = case_file::load(conn, item.case_id).await?;
    let circumstances = store_retention::circumstances(conn, item.id).await?;
    let found = case.item(item.id).ok_or(store::Error::NotFound)?;
    Ok(retention::fate(&case, found, circumstances, now))
}

/// Compares an item's bytes with their digests and keeps what was found.
async fn verify(room: &Room, item: Candidate, now: DateTime<Utc>) -> anyhow::Result<bool> {
    let mut conn = room.db.acquire().await?;
    let mut sound = true;
    for file in evidence::files(&mut conn, item.id).await? {
        let digest: Digest = file
            .sha256
            .parse()
            .map_err(|_| anyhow::anyhow!("{} is no digest", file.sha256))?;
        sound &= match room.blobs.verify(digest).await {
            Ok(sound) => sound,
            Err(blobs::Error::Absent(_)) => false,
            Err(error) => return Err(error.into()),
        };
    }
    evidence::checked(&mut conn, item.id, sound, now).await?;
    Ok(sound)
}

/// Seals, marks as gone, enqueues the removal, and does what follows from it.
async fn purge(
    conn: &mut PgConnection,
    item: Candidate,
    counts: bool,
    reason: &str,
    now: DateTime<Utc>,
) -> store::Result<()> {
    let case = case_file::load(conn, item.case_id).await?;
    let found = case.item(item.id).ok_or(store::Error::NotFound)?;
    let counts = counts && found.state == EvidenceState::Usable;
    let summary = Summary::of(&case, found);
    store_retention::purge(conn, item, &summary, counts, reason, now).await?;
    for file in &found.files {
        let job = jobs::NewJob {
            kind: REMOVE,
            payload: json!({ "sha256": file.sha256 }),
            once_key: Some(&file.sha256),
            run_after: now,
            max_attempts: ATTEMPTS,
        };
        jobs::enqueue(conn, &job, now).await?;
    }
    upkeep::settle(conn, item.case_id, now).await?;
    Ok(())
}

/// Carries out a request to erase, whatever rests on the item: its numbers stay to be read and
/// carry nothing any more. Nothing happens while the case is under legal hold.
async fn erase(
    room: &Room,
    request: uuid::Uuid,
    item: Candidate,
    now: DateTime<Utc>,
) -> anyhow::Result<bool> {
    let mut tx = room.db.begin().await?;
    cases::lock(&mut tx, item.case_id).await?;
    let erased = erase_in(&mut tx, request, item, now).await?;
    tx.commit().await?;
    Ok(erased)
}

/// The same, in the caller's transaction, which holds the case.
///
/// # Errors
/// When the database refuses.
pub async fn erase_in(
    conn: &mut PgConnection,
    request: uuid::Uuid,
    item: Candidate,
    now: DateTime<Utc>,
) -> store::Result<bool> {
    if store_retention::circumstances(conn, item.id)
        .await?
        .legal_hold
    {
        return Ok(false);
    }
    purge(conn, item, false, "erasure", now).await?;
    store_retention::done(conn, request, now).await?;
    Ok(true)
}

/// Removes the bytes of a digest on which no item rests any more.
///
/// # Errors
/// [`JobError::Again`] when database or store do not answer, [`JobError::Never`] when the job
/// makes no sense.
pub async fn remove(room: Room, held: Held) -> Result<(), JobError> {
    let sha256 = held.job.payload["sha256"]
        .as_str()
        .ok_or_else(|| JobError::Never("the job names no digest".to_owned()))?;
    remove_unused(&room, sha256).await.map_err(again)?;
    Ok(())
}

/// Removes the bytes of a digest unless an item rests on them; says whether it did.
///
/// # Errors
/// When database or store do not answer.
pub async fn remove_unused(room: &Room, sha256: &str) -> anyhow::Result<bool> {
    let digest: Digest = sha256
        .parse()
        .map_err(|_| anyhow::anyhow!("{sha256} is no digest"))?;
    let mut conn = room.db.acquire().await?;
    let unused = store_retention::unused(&mut conn, sha256).await?;
    if unused {
        room.blobs.remove(digest).await?;
    }
    Ok(unused)
}
