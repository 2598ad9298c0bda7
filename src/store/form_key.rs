//! One-time form keys: a deciding form that is sent twice (double click, reload, lost answer)
//! gives the first result again instead of acting twice. Claim, act and finish in one
//! transaction: a second sender waits for the first and then sees its result.

use super::{Error, Result};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

/// Keys older than this are forgotten.
const KEEP: TimeDelta = TimeDelta::days(7);

/// What a claim found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// First time: act, then [`finish`].
    Fresh,
    /// Done before with the same body: this was the result (where to go).
    Done(String),
    /// Used before for another act or another body.
    Other,
}

/// Digest of a form's fields, in order.
pub fn body_digest<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<u8> {
    let mut hasher = Sha256::new();
    for (name, value) in fields {
        for part in [name, value] {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part.as_bytes());
        }
    }
    hasher.finalize().to_vec()
}

/// Claims `key` for one act of one person.
///
/// # Errors
/// When the database cannot be written.
pub async fn claim(
    conn: &mut PgConnection,
    (key, person_id): (Uuid, Uuid),
    act: &str,
    body_digest: &[u8],
    now: DateTime<Utc>,
) -> Result<Claim> {
    let fresh = sqlx::query!(
        "insert into form_key (key, person_id, act, body_digest, created_at)
         values ($1, $2, $3, $4, $5) on conflict do nothing",
        key,
        person_id,
        act,
        body_digest,
        now
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if fresh == 1 {
        return Ok(Claim::Fresh);
    }
    let row = sqlx::query!(
        "select act, body_digest, result from form_key where key = $1 and person_id = $2",
        key,
        person_id
    )
    .fetch_one(conn)
    .await?;
    if row.act != act || row.body_digest != body_digest {
        return Ok(Claim::Other);
    }
    row.result.map(Claim::Done).ok_or(Error::Inconsistent {
        table: "form_key",
        id: key.to_string(),
        what: "claimed without a result".to_owned(),
    })
}

/// Keeps the result of the act: where the answer sends the browser.
///
/// # Errors
/// [`Error::NotFound`] when the key was not claimed.
pub async fn finish(
    conn: &mut PgConnection,
    (key, person_id): (Uuid, Uuid),
    result: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let kept = sqlx::query!(
        "update form_key set result = $3 where key = $1 and person_id = $2 and result is null",
        key,
        person_id,
        result
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if kept != 1 {
        return Err(Error::NotFound);
    }
    sqlx::query!("delete from form_key where created_at < $1", now - KEEP)
        .execute(conn)
        .await?;
    Ok(())
}
