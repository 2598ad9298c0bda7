//! The job that has files read again by newer parsers (lifecycle §5). It goes through the usable
//! items in steps, a few at a time, and leaves each reading to the ordinary job; the earlier
//! reading is kept.

use super::jobs::{Held, JobError};
use super::reading::{self, Room};
use crate::store::{self, jobs, readings};
use chrono::{DateTime, TimeDelta, Utc};
use pel_evidence::Kind;
use serde_json::json;
use sqlx::PgConnection;

/// Kind of the job.
pub const KIND: &str = "reread_outdated";

/// Items looked at in one step.
const STEP: i64 = 50;
/// Seconds between two steps: fresh uploads come first.
const PAUSE_SECONDS: i64 = 30;

/// Enqueues a walk over all items, unless one is under way.
///
/// # Errors
/// When the database refuses.
pub async fn enqueue(conn: &mut PgConnection, now: DateTime<Utc>) -> store::Result<()> {
    step(conn, 0, now, now).await
}

async fn step(
    conn: &mut PgConnection,
    after: i64,
    run_after: DateTime<Utc>,
    now: DateTime<Utc>,
) -> store::Result<()> {
    let job = jobs::NewJob {
        kind: KIND,
        payload: json!({ "after": after }),
        once_key: Some("all"),
        run_after,
        max_attempts: 20,
    };
    jobs::enqueue(conn, &job, now).await?;
    Ok(())
}

/// Does one step.
///
/// # Errors
/// [`JobError::Again`] when the database stood in the way.
pub async fn run(room: Room, held: Held) -> Result<(), JobError> {
    let after = held.job.payload["after"].as_i64().unwrap_or(0);
    let parsers: Vec<_> = Kind::all().map(|k| (k.id(), k.parser())).collect();
    walk(&room, &held, after, &parsers)
        .await
        .map_err(|e| JobError::Again(e.to_string()))
}

async fn walk(room: &Room, held: &Held, after: i64, parsers: &[(&str, &str)]) -> store::Result<()> {
    let now = (room.clock)();
    let mut tx = room.db.begin().await?;
    let found = readings::of_other_parsers(&mut tx, parsers, after, STEP).await?;
    for item in found.iter().filter(|i| i.is_older(parsers)) {
        reading::enqueue(&mut tx, item.id, now).await?;
    }
    if !held.finish(&mut tx, now).await? {
        return Ok(());
    }
    if let Some(last) = found.last().filter(|_| found.len() as i64 == STEP) {
        let later = now + TimeDelta::seconds(PAUSE_SECONDS);
        step(&mut tx, last.number, later, now).await?;
    }
    tx.commit().await?;
    Ok(())
}
