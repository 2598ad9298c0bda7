//! Where checkpoints of the audit log are kept beside it, and how the next one is made.

use super::Result;
use super::checkpoint::{Key, Maker, Row, Signed, Verdict, Walk};
use chrono::{DateTime, SecondsFormat, Utc};
use futures_util::TryStreamExt as _;
use sqlx::types::Json;
use sqlx::{PgConnection, Row as _};

/// Key of the advisory lock that puts makers of checkpoints in a row.
const LOCK: i64 = 0x0070_656c_6370_6f74;

/// All checkpoints, newest first, at most `limit`.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(conn: &mut PgConnection, limit: i64) -> Result<Vec<Signed>> {
    let rows = sqlx::query_scalar!(
        r#"select signed as "signed: Json<Signed>" from audit_checkpoint order by number desc limit $1"#,
        limit
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|j| j.0).collect())
}

/// One checkpoint.
///
/// # Errors
/// `NotFound`.
pub async fn get(conn: &mut PgConnection, number: i32) -> Result<Signed> {
    let found = sqlx::query_scalar!(
        r#"select signed as "signed: Json<Signed>" from audit_checkpoint where number = $1"#,
        number
    )
    .fetch_one(conn)
    .await?;
    Ok(found.0)
}

/// Makes today's checkpoint unless there is one since the beginning of this day; the caller
/// commits.
///
/// # Errors
/// When the log cannot be read.
pub async fn make_daily(
    conn: &mut PgConnection,
    key: &Key,
    now: DateTime<Utc>,
) -> Result<Option<Signed>> {
    let newest = sqlx::query_scalar!("select max(at) from audit_checkpoint")
        .fetch_one(&mut *conn)
        .await?;
    // A clock that was set back makes none: the next day does.
    if newest.is_some_and(|at| at.date_naive() >= now.date_naive()) {
        return Ok(None);
    }
    make(conn, key, now).await
}

/// Makes the next checkpoint of the events since the last one and keeps it; `None` when there
/// were none. The caller commits.
///
/// # Errors
/// When the log cannot be read.
pub async fn make(
    conn: &mut PgConnection,
    key: &Key,
    now: DateTime<Utc>,
) -> Result<Option<Signed>> {
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(LOCK)
        .execute(&mut *conn)
        .await?;
    let last = list(&mut *conn, 1).await?.pop().map(|s| s.checkpoint);
    let first_seq = last.as_ref().map_or(1, |c| c.last_seq + 1);
    let before = sqlx::query_scalar!(
        "select at_us from audit_event where seq = $1",
        first_seq - 1
    )
    .fetch_optional(&mut *conn)
    .await?;
    let mut maker = Maker::new(first_seq, before);
    {
        let mut rows = sqlx::query!(
            "select seq, hash, at_us from audit_event where seq >= $1 order by seq",
            first_seq
        )
        .fetch(&mut *conn);
        while let Some(row) = rows.try_next().await? {
            maker.push(row.seq, &row.hash, row.at_us);
        }
    }
    let made_at = now.to_rfc3339_opts(SecondsFormat::Secs, true);
    let Some(checkpoint) = maker.made(last.as_ref(), made_at) else {
        return Ok(None);
    };
    let signed = key.sign(checkpoint);
    sqlx::query!(
        "insert into audit_checkpoint (number, first_seq, last_seq, signed, at) values ($1, $2, $3, $4, $5)",
        signed.checkpoint.number,
        signed.checkpoint.first_seq,
        signed.checkpoint.last_seq,
        Json(&signed) as _,
        now
    )
    .execute(&mut *conn)
    .await?;
    Ok(Some(signed))
}

/// Hands over every row of the log in its order, until `each` has enough. Streams.
///
/// # Errors
/// When the log cannot be read, or whatever `each` fails with.
pub async fn each(
    conn: &mut PgConnection,
    mut each: impl FnMut(&Row) -> Result<bool>,
) -> Result<()> {
    let mut rows =
        sqlx::query("select seq, body, prev_hash, hash from audit_event order by seq").fetch(conn);
    while let Some(row) = rows.try_next().await? {
        let row = Row {
            seq: row.try_get("seq")?,
            body: row.try_get("body")?,
            prev_hash: row.try_get("prev_hash")?,
            hash: row.try_get("hash")?,
        };
        if !each(&row)? {
            break;
        }
    }
    Ok(())
}

/// Walks the whole log and holds it against the checkpoints kept beside it and against those given.
///
/// # Errors
/// Only when the database cannot be read; a broken log is a [`Verdict`].
pub async fn verify(conn: &mut PgConnection, kept_elsewhere: &[Signed]) -> Result<Verdict> {
    let mut known = list(&mut *conn, i64::MAX).await?;
    if let Some(forged) = known.iter().find(|s| !s.is_genuine()) {
        return Ok(Verdict::Broken {
            seq: forged.checkpoint.first_seq,
            what: "the signature of a checkpoint does not fit its content",
        });
    }
    known.extend(kept_elsewhere.iter().cloned());
    let mut walk = Walk::new(known.into_iter().map(|s| s.checkpoint).collect());
    each(conn, |row| Ok(walk.step(row))).await?;
    Ok(walk.verdict())
}
