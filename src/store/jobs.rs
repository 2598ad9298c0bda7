//! Jobs: the queue that background work waits in.
//!
//! A job runs at least once: a worker that dies loses its lease and another takes the job, so what
//! a job does must be harmless to repeat. Every change by a worker names the attempt it holds, so
//! a worker that lost its lease changes nothing. Times are the caller's; clocks of workers may
//! differ by less than a lease.

use super::Result;
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgConnection, PgPool, postgres::PgListener};
use std::time::Duration;
use uuid::Uuid;

/// The channel that wakes workers.
const CHANNEL: &str = "pel_job";
/// Why a job is given up whose worker went silent on its last attempt.
const SILENT: &str = "the worker went silent on the last attempt (crashed, or was stopped hard)";
/// Longest error that is kept, characters.
const ERROR_CHARS: usize = 2000;

/// A job to be enqueued.
#[derive(Debug, Clone)]
pub struct NewJob<'a> {
    /// Kind, snake_case; chooses the handler.
    pub kind: &'a str,
    /// What the handler needs to know. Never a secret.
    pub payload: Value,
    /// While a job of the kind with this key is open, another is not added.
    pub once_key: Option<&'a str>,
    /// Not before this.
    pub run_after: DateTime<Utc>,
    /// Attempts before it is given up, 1 to 100.
    pub max_attempts: i32,
}

/// A job under lease.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its id.
    pub id: Uuid,
    /// Its kind.
    pub kind: String,
    /// What the handler needs to know.
    pub payload: Value,
    /// Which attempt this is, from 1; part of the right to change the job.
    pub attempt: i32,
    /// Attempts before it is given up.
    pub max_attempts: i32,
}

/// What became of a failed job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// It will be tried again.
    Again,
    /// It is given up.
    Dead,
    /// The lease was lost; the job is another worker's.
    NotOurs,
}

/// A job that was given up.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadJob {
    /// Its id.
    pub id: Uuid,
    /// Its kind.
    pub kind: String,
    /// What the handler was told.
    pub payload: Value,
    /// Attempts made.
    pub attempts: i32,
    /// When it was given up.
    pub dead_at: DateTime<Utc>,
    /// Why.
    pub last_error: String,
}

/// Adds a job in the caller's transaction; workers wake when it commits. `None` when an open job
/// of the kind has the same key.
///
/// # Errors
/// When the database refuses kind, key or attempts, or does not answer.
pub async fn enqueue(
    conn: &mut PgConnection,
    job: &NewJob<'_>,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>> {
    let added = sqlx::query_scalar!(
        "insert into job (id, kind, payload, once_key, created_at, run_after, max_attempts)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (kind, once_key) where done_at is null and dead_at is null do nothing
         returning id",
        Uuid::now_v7(),
        job.kind,
        job.payload,
        job.once_key,
        now,
        job.run_after,
        job.max_attempts
    )
    .fetch_optional(&mut *conn)
    .await?;
    if added.is_some() {
        wake(conn).await?;
    }
    Ok(added)
}

/// Wakes the workers when the caller's transaction commits.
async fn wake(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!("select pg_notify($1, '')", CHANNEL)
        .execute(conn)
        .await?;
    Ok(())
}

/// Takes the job that has waited longest, if any of `kinds` is due, under a lease of `lease`.
/// Jobs whose last attempt ended in silence are given up on the way.
///
/// # Errors
/// When the database does not answer.
pub async fn take(
    conn: &mut PgConnection,
    worker: &str,
    kinds: &[String],
    lease: Duration,
    now: DateTime<Utc>,
) -> Result<Option<Job>> {
    bury_silent(&mut *conn, kinds, now).await?;
    let job = sqlx::query!(
        "update job set attempts = attempts + 1, leased_by = $1, lease_until = $2
         where id = (
           select id from job
           where done_at is null and dead_at is null and kind = any($3)
             and run_after <= $4 and (lease_until is null or lease_until < $4)
             and attempts < max_attempts
           order by run_after, id limit 1 for update skip locked)
         returning id, kind, payload, attempts, max_attempts",
        worker,
        now + lease,
        kinds,
        now
    )
    .fetch_optional(conn)
    .await?;
    Ok(job.map(|row| Job {
        id: row.id,
        kind: row.kind,
        payload: row.payload,
        attempt: row.attempts,
        max_attempts: row.max_attempts,
    }))
}

async fn bury_silent(conn: &mut PgConnection, kinds: &[String], now: DateTime<Utc>) -> Result<()> {
    sqlx::query!(
        "update job set dead_at = $1, last_error = $2, leased_by = null, lease_until = null
         where id in (
           select id from job
           where done_at is null and dead_at is null and kind = any($3)
             and lease_until < $1 and attempts >= max_attempts
           for update skip locked)",
        now,
        SILENT,
        kinds
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Prolongs the lease; false when it was lost, and the work must stop. A job that this attempt has
/// finished is not lost.
///
/// # Errors
/// When the database does not answer.
pub async fn renew(
    conn: &mut PgConnection,
    job: &Job,
    worker: &str,
    lease: Duration,
    now: DateTime<Utc>,
) -> Result<bool> {
    let renewed = sqlx::query!(
        "update job set lease_until = case when done_at is null then $4::timestamptz end
         where id = $1 and attempts = $3 and dead_at is null
           and (leased_by = $2 or done_at is not null)",
        job.id,
        worker,
        job.attempt,
        now + lease
    )
    .execute(conn)
    .await?;
    Ok(renewed.rows_affected() == 1)
}

/// Marks the job done, best in the transaction that writes its result. True also when this attempt
/// had finished it before; false when the lease was lost, and the result must not be written.
///
/// # Errors
/// When the database does not answer.
pub async fn finish(
    conn: &mut PgConnection,
    job: &Job,
    worker: &str,
    now: DateTime<Utc>,
) -> Result<bool> {
    let finished = sqlx::query!(
        "update job set done_at = coalesce(done_at, $4), leased_by = null, lease_until = null
         where id = $1 and attempts = $3 and dead_at is null
           and (leased_by = $2 or done_at is not null)",
        job.id,
        worker,
        job.attempt,
        now
    )
    .execute(conn)
    .await?;
    Ok(finished.rows_affected() == 1)
}

/// Records that the attempt failed. The job is tried again after `retry_after`, or given up when
/// that is `None` or this was the last attempt.
///
/// # Errors
/// When the database does not answer.
pub async fn fail(
    conn: &mut PgConnection,
    job: &Job,
    worker: &str,
    error: &str,
    retry_after: Option<Duration>,
    now: DateTime<Utc>,
) -> Result<Failed> {
    let again = retry_after.filter(|_| job.attempt < job.max_attempts);
    // The database takes no NUL in text.
    let error: String = error
        .chars()
        .filter(|c| *c != '\0')
        .take(ERROR_CHARS)
        .collect();
    let failed = sqlx::query!(
        "update job set leased_by = null, lease_until = null, last_error = $4,
           run_after = coalesce($5, run_after),
           dead_at = case when $5::timestamptz is null then $6::timestamptz end
         where id = $1 and leased_by = $2 and attempts = $3 and done_at is null",
        job.id,
        worker,
        job.attempt,
        error,
        again.map(|delay| now + delay),
        now
    )
    .execute(conn)
    .await?;
    Ok(match (failed.rows_affected(), again) {
        (0, _) => Failed::NotOurs,
        (_, Some(_)) => Failed::Again,
        (_, None) => Failed::Dead,
    })
}

/// Hands a job back untouched, as if it had not been taken: the worker is stopping.
///
/// # Errors
/// When the database does not answer.
pub async fn hand_back(conn: &mut PgConnection, job: &Job, worker: &str) -> Result<()> {
    let handed = sqlx::query!(
        "update job set leased_by = null, lease_until = null, attempts = attempts - 1
         where id = $1 and leased_by = $2 and attempts = $3 and done_at is null",
        job.id,
        worker,
        job.attempt
    )
    .execute(&mut *conn)
    .await?;
    if handed.rows_affected() == 1 {
        wake(conn).await?;
    }
    Ok(())
}

/// Jobs that were given up, the latest first, at most `limit`.
///
/// # Errors
/// When the database does not answer.
pub async fn dead(conn: &mut PgConnection, limit: i64) -> Result<Vec<DeadJob>> {
    let jobs = sqlx::query_as!(
        DeadJob,
        r#"select id, kind, payload, attempts, dead_at as "dead_at!", last_error as "last_error!"
           from job where dead_at is not null order by dead_at desc, id limit $1"#,
        limit
    )
    .fetch_all(conn)
    .await?;
    Ok(jobs)
}

/// Gives a dead job its attempts back; false when there is no such dead job, or an open one took
/// its place.
///
/// # Errors
/// When the database does not answer.
pub async fn revive(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let revived = sqlx::query!(
        "update job set dead_at = null, attempts = 0, run_after = $2
         where id = $1 and dead_at is not null and not exists (
           select from job other where other.kind = job.kind and other.once_key = job.once_key
             and other.done_at is null and other.dead_at is null)",
        id,
        now
    )
    .execute(&mut *conn)
    .await?;
    if revived.rows_affected() == 1 {
        wake(conn).await?;
        return Ok(true);
    }
    Ok(false)
}

/// Removes jobs done before `before`; the number removed.
///
/// # Errors
/// When the database does not answer.
pub async fn forget_done(conn: &mut PgConnection, before: DateTime<Utc>) -> Result<u64> {
    let removed = sqlx::query!("delete from job where done_at < $1", before)
        .execute(conn)
        .await?;
    Ok(removed.rows_affected())
}

/// When the next waiting job of `kinds` is due, `None` when none waits.
///
/// # Errors
/// When the database does not answer.
pub async fn next_due(conn: &mut PgConnection, kinds: &[String]) -> Result<Option<DateTime<Utc>>> {
    let due = sqlx::query_scalar!(
        "select min(greatest(run_after, lease_until)) from job
         where done_at is null and dead_at is null and kind = any($1)",
        kinds
    )
    .fetch_one(conn)
    .await?;
    Ok(due)
}

/// A listener that hears of new jobs. It keeps one connection of the pool.
///
/// # Errors
/// When the database does not answer.
pub async fn listener(pool: &PgPool) -> Result<PgListener> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}
