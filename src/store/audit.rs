//! The audit log: one hash-chained row per act, written in the act's own transaction.
//!
//! The hash covers the canonical body, so an edited, removed, inserted or reordered row is found
//! by [`verify`], which names the first bad sequence number.

pub use super::checkpoint::Verdict;
use super::checkpoint::link;
use super::{Error, Result, checkpoints};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// Key of the advisory lock that puts writers of the chain in a row.
const CHAIN_LOCK: i64 = 0x0070_656c_6175_6474;

/// Who acts, and from where: the part of an event that the request knows.
#[derive(Debug, Clone, Default)]
pub struct Actor {
    /// The person, when one is signed in.
    pub person_id: Option<Uuid>,
    /// Their name at the time, or `app`.
    pub name: String,
    /// The role that allowed the act.
    pub role: Option<String>,
    /// Id of the request.
    pub request_id: Option<String>,
    /// Network class: `loopback`, `private` or `public`, never an address.
    pub network: Option<String>,
}

impl Actor {
    /// The person who acts.
    ///
    /// # Errors
    /// `NotFound` when the program itself acts: facts of a case are people's.
    pub fn person(&self) -> Result<Uuid> {
        self.person_id.ok_or(Error::NotFound)
    }

    /// The program itself (background work, the command line).
    pub fn app() -> Self {
        Self {
            name: "app".to_owned(),
            ..Self::default()
        }
    }
}

/// One act, before it has a place in the chain.
#[derive(Debug, Clone, Default)]
pub struct Act {
    /// What was done, e.g. `case.open`, `change.accept`, `accept.refused`.
    pub act: &'static str,
    /// Kind and id of the object, e.g. `case` and its uuid.
    pub object: (&'static str, String),
    /// The case it belongs to.
    pub case_id: Option<Uuid>,
    /// Digest of the object before.
    pub before: Option<String>,
    /// Digest of the object after.
    pub after: Option<String>,
    /// Reason given.
    pub reason: Option<String>,
    /// Whatever else a reader of the log must know. Never a secret.
    pub detail: Value,
}

/// The canonical body of an event, in the order that is hashed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Place in the chain, from 1, without gaps.
    pub seq: i64,
    /// Server clock, microseconds since the Unix epoch.
    pub at_us: i64,
    /// Person, if one acted.
    pub person_id: Option<Uuid>,
    /// Their name at the time.
    pub name: String,
    /// Role used.
    pub role: Option<String>,
    /// What was done.
    pub act: String,
    /// Kind of the object.
    pub object_kind: String,
    /// Id of the object.
    pub object_id: String,
    /// Case it belongs to.
    pub case_id: Option<Uuid>,
    /// Digest before.
    pub before: Option<String>,
    /// Digest after.
    pub after: Option<String>,
    /// Request id.
    pub request_id: Option<String>,
    /// Network class.
    pub network: Option<String>,
    /// Reason given.
    pub reason: Option<String>,
    /// Further detail.
    pub detail: Value,
}

/// One row of the log.
#[derive(Debug, Clone)]
pub struct Event {
    /// What the hash covers.
    pub body: Body,
    /// SHA-256 over the previous hash and the canonical body, in hex.
    pub hash: String,
}

/// Appends an act to the chain; it stands or falls with the caller's transaction.
///
/// Locks are taken in one order everywhere, the case before the chain: a request that holds the
/// case and writes here would otherwise meet a reading that wrote here and goes on to the case,
/// and the database ends one of the two.
///
/// # Errors
/// The act must fail when this fails.
pub async fn append(
    conn: &mut PgConnection,
    actor: &Actor,
    act: Act,
    now: DateTime<Utc>,
) -> Result<i64> {
    if let Some(case_id) = act.case_id {
        sqlx::query!(
            "select id from case_file where id = $1 for no key update",
            case_id
        )
        .fetch_optional(&mut *conn)
        .await?;
    }
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(CHAIN_LOCK)
        .execute(&mut *conn)
        .await?;
    let last = sqlx::query!("select seq, hash from audit_event order by seq desc limit 1")
        .fetch_optional(&mut *conn)
        .await?;
    let (seq, prev) = last.map_or((1, vec![0; 32]), |r| (r.seq + 1, r.hash));
    let body = Body {
        seq,
        at_us: now.timestamp_micros(),
        person_id: actor.person_id,
        name: actor.name.clone(),
        role: actor.role.clone(),
        act: act.act.to_owned(),
        object_kind: act.object.0.to_owned(),
        object_id: act.object.1,
        case_id: act.case_id,
        before: act.before,
        after: act.after,
        request_id: actor.request_id.clone(),
        network: actor.network.clone(),
        reason: act.reason,
        detail: act.detail,
    };
    let text = serde_json::to_string(&body).map_err(|e| Error::Inconsistent {
        table: "audit_event",
        id: seq.to_string(),
        what: e.to_string(),
    })?;
    let hash = link(&prev, &text);
    sqlx::query!(
        "insert into audit_event (seq, body, prev_hash, hash) values ($1, $2, $3, $4)",
        seq,
        text,
        prev,
        hash
    )
    .execute(conn)
    .await?;
    Ok(seq)
}

/// Walks the whole chain, recomputes every hash, and holds it against the checkpoints that are
/// kept beside it. Streams; memory does not grow with the log.
///
/// # Errors
/// Only when the database cannot be read; a broken chain is a [`Verdict`].
pub async fn verify(conn: &mut PgConnection) -> Result<Verdict> {
    checkpoints::verify(conn, &[]).await
}

/// What happened in a case: rows before `before` (newest first), at most `limit`. Who looked at it
/// and took its files away stands in the log alone.
///
/// # Errors
/// When the database cannot be read, or a body cannot.
pub async fn page(
    conn: &mut PgConnection,
    case_id: Uuid,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<Event>> {
    let rows = sqlx::query!(
        "select seq, body, hash from audit_event
         where case_id = $1 and ($2::bigint is null or seq < $2) and act not in ('case.read', 'evidence.download')
         order by seq desc limit $3",
        case_id,
        before,
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| event(r.seq, &r.body, r.hash))
        .collect()
}

/// The log as `reader` may see it: rows before `before` (newest first), at most `limit`, without
/// those of cases they may not know of; a case narrows them.
///
/// # Errors
/// When the database cannot be read, or a body cannot.
pub async fn log(
    conn: &mut PgConnection,
    reader: Uuid,
    case_id: Option<Uuid>,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<Event>> {
    let rows = sqlx::query!(
        "select seq, body, hash from audit_event
         where ($1::uuid is null or case_id = $1) and ($2::bigint is null or seq < $2)
           and (case_id is null or case_id not in
                (select c.id from case_file c where c.confidential and not case_known_to(c.id, $4)))
         order by seq desc limit $3",
        case_id,
        before,
        limit,
        reader
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| event(r.seq, &r.body, r.hash))
        .collect()
}

fn event(seq: i64, body: &str, hash: Vec<u8>) -> Result<Event> {
    let body = serde_json::from_str(body).map_err(|e| Error::Inconsistent {
        table: "audit_event",
        id: seq.to_string(),
        what: e.to_string(),
    })?;
    Ok(Event {
        body,
        hash: hex::encode(hash),
    })
}
