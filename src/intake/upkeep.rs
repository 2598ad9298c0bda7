//! The scheduler: once a minute, whatever time alone makes due on open cases is done.
//!
//! It is one job that puts itself back into the queue, so that any number of instances have one of
//! it. Cases are settled one by one, each in a transaction of its own; one that somebody works on
//! is left for the next round.

use super::jobs::{Clock, Held, JobError};
use crate::store::{self, jobs, upkeep};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// Kind of the job.
pub const KIND: &str = "upkeep";
/// Seconds between rounds.
const EVERY_S: i64 = 60;
/// A round that fails is tried again with growing waits; this many last for weeks.
const ATTEMPTS: i32 = 100;

/// What the job works with.
#[derive(Debug, Clone)]
pub struct Room {
    /// Database.
    pub db: PgPool,
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
/// [`JobError::Again`] when the database does not answer.
pub async fn run(room: Room, held: Held) -> Result<(), JobError> {
    let now = (room.clock)();
    round(&room.db, now).await?;
    let mut tx = room.db.begin().await?;
    if held.finish(&mut tx, now).await? {
        ensure(&mut tx, now + TimeDelta::seconds(EVERY_S), now).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Settles every case that waits for time. A case that cannot be settled is logged and does not
/// hold up the others.
///
/// # Errors
/// When the cases cannot be listed.
pub async fn round(db: &PgPool, now: DateTime<Utc>) -> store::Result<usize> {
    let mut conn = db.acquire().await?;
    let waiting = upkeep::waiting(&mut conn).await?;
    drop(conn);
    let mut done = 0;
    for case_id in waiting {
        match one(db, case_id, now).await {
            Ok(acts) => done += acts,
            Err(error) => tracing::error!(%case_id, "a case cannot be settled: {error}"),
        }
    }
    Ok(done)
}

async fn one(db: &PgPool, case_id: Uuid, now: DateTime<Utc>) -> store::Result<usize> {
    let mut tx = db.begin().await?;
    if !upkeep::try_lock(&mut tx, case_id).await? {
        return Ok(0);
    }
    let done = upkeep::settle(&mut tx, case_id, now).await?.len();
    tx.commit().await?;
    Ok(done)
}
