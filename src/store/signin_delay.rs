//! Delays after failed sign-ins, per account *and* network: guessing gets slow, and nobody
//! elsewhere can lock an account's owner out. An attempt counts as failed until it succeeds, so
//! that many at once do not slip past.

use super::Result;
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

/// Failures are forgotten after this long without another.
const FORGET: TimeDelta = TimeDelta::minutes(15);

/// The key of one account seen from one network. It is a digest: neither is stored.
pub fn key(login: &str, network: &str) -> Vec<u8> {
    let mut hasher = Sha256::new();
    hasher.update(b"pel sign-in\0");
    hasher.update(login.as_bytes());
    hasher.update(b"\0");
    hasher.update(network.as_bytes());
    hasher.finalize().to_vec()
}

/// Whether an attempt may be made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// Yes; it is this many failures in a row unless it succeeds.
    Go(i32),
    /// Not for this many seconds.
    Wait(i64),
}

/// Books an attempt. The first three are free; then each next one waits 1, 2, 4 … at most 30 s.
///
/// # Errors
/// When the database cannot be written.
pub async fn attempt(conn: &mut PgConnection, key: &[u8], now: DateTime<Utc>) -> Result<Attempt> {
    let booked = sqlx::query_scalar!(
        "insert into signin_delay as d (key, failures, not_before, last_at) values ($1, 1, $2, $2)
         on conflict (key) do update set
           failures = case when d.last_at < $3 then 1 else least(d.failures + 1, 1000) end,
           not_before = case when d.last_at < $3 or d.failures < 2 then $2
             else $2 + make_interval(secs => least(30, power(2, least(d.failures - 2, 5)))) end,
           last_at = $2
         where d.not_before <= $2
         returning failures",
        key,
        now,
        now - FORGET
    )
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(failures) = booked {
        return Ok(Attempt::Go(failures));
    }
    let not_before = sqlx::query_scalar!("select not_before from signin_delay where key = $1", key)
        .fetch_optional(conn)
        .await?;
    let wait = not_before.map_or(1, |t| (t - now).num_seconds() + 1);
    Ok(Attempt::Wait(wait.max(1)))
}

/// Forgets the failures after a success, and those of long ago.
///
/// # Errors
/// When the database cannot be written.
pub async fn clear(conn: &mut PgConnection, key: &[u8], now: DateTime<Utc>) -> Result<()> {
    sqlx::query!(
        "delete from signin_delay where key = $1 or last_at < $2",
        key,
        now - FORGET
    )
    .execute(conn)
    .await?;
    Ok(())
}
