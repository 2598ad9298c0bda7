//! Retention: items whose time is over, the sealed summary written before bytes go, requests to
//! erase and what stands against them.

use super::audit::{self, Act, Actor};
use super::evidence::event;
use super::{Result, cases};
use crate::ladder::evidence::EvidenceState;
use crate::ladder::numbers::Policy;
use crate::ladder::retention::{Circumstances, Summary};
use crate::ladder::{Sentence, digest};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// An item whose bytes may be over their time.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The item.
    pub id: Uuid,
    /// Its number, by which they are gone through.
    pub number: i64,
    /// Its case.
    pub case_id: Uuid,
}

/// Items with bytes that were attached before `before`, after number `after`: at most `most`.
///
/// # Errors
/// When the database cannot be read.
pub async fn candidates(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
    after: i64,
    most: i64,
) -> Result<Vec<Candidate>> {
    Ok(sqlx::query_as!(
        Candidate,
        "select e.id, e.number, e.case_id from evidence e
         where e.at < $1 and e.number > $2
           and (select state from evidence_event v where v.evidence_id = e.id order by seq desc limit 1)
               not in ('received', 'parsing', 'purged')
         order by e.number limit $3",
        before,
        after,
        most
    )
    .fetch_all(conn)
    .await?)
}

/// What bears on the retention of an item besides its case.
///
/// # Errors
/// `NotFound`.
pub async fn circumstances(conn: &mut PgConnection, evidence_id: Uuid) -> Result<Circumstances> {
    Ok(sqlx::query_as!(
        Circumstances,
        r#"select c.legal_hold, c.confidential,
             exists(select from redaction r where r.original_id = e.id) as "redacted!"
           from evidence e join case_file c on c.id = e.case_id where e.id = $1"#,
        evidence_id
    )
    .fetch_one(conn)
    .await?)
}

/// Notes that an item's bytes stay though their time is over, once per reason, and tells the owner
/// of its case.
///
/// # Errors
/// When the database refuses.
pub async fn skip(
    conn: &mut PgConnection,
    item: Candidate,
    why: &Sentence,
    now: DateTime<Utc>,
) -> Result<bool> {
    let noted = sqlx::query!(
        "insert into retention_skip (evidence_id, why, at) select $1, $2, $3
         where ($2::jsonb -> 'key') is distinct from
           (select why -> 'key' from retention_skip where evidence_id = $1 order by seq desc limit 1)",
        item.id,
        Json(why) as _,
        now
    )
    .execute(&mut *conn)
    .await?;
    if noted.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "with told as (
           insert into outbox (id, kind, case_id, path, args, at)
           select $1, 'evidence_retention_due', id, '/evidence/EV-' || $3::bigint, $4, $5
           from case_file where id = $2 returning id)
         insert into notice (outbox_id, person_id)
         select told.id, c.owner_id from told join case_file c on c.id = $2 where c.owner_id is not null",
        Uuid::now_v7(),
        item.case_id,
        item.number,
        json!({ "evidence": format!("EV-{}", item.number), "why": why.key }),
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "evidence.retention_skip",
        object: ("evidence", item.id.to_string()),
        case_id: Some(item.case_id),
        detail: json!({ "why": why }),
        ..Act::default()
    };
    audit::append(conn, &Actor::app(), act, now).await?;
    Ok(true)
}

/// Seals the summary of an item and marks its bytes as gone. The caller enqueues their removal in
/// the same transaction. `counts`: the bytes had their digest just before, so that the numbers
/// still carry a decision.
///
/// # Errors
/// `Refused` by `legal_hold_keeps_bytes`.
pub async fn purge(
    conn: &mut PgConnection,
    item: Candidate,
    summary: &Summary,
    counts: bool,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let sealed = digest(summary);
    sqlx::query!(
        "insert into sealed_summary (evidence_id, content, digest, counts, at) values ($1, $2, $3, $4, $5)",
        item.id,
        Json(summary) as _,
        sealed,
        counts,
        now
    )
    .execute(&mut *conn)
    .await?;
    event(
        conn,
        item.id,
        EvidenceState::Purged,
        Some(reason),
        None,
        now,
    )
    .await?;
    let act = Act {
        act: "evidence.purge",
        object: ("evidence", item.id.to_string()),
        case_id: Some(item.case_id),
        after: Some(sealed),
        reason: Some(reason.to_owned()),
        detail: json!({ "counts": counts, "files": summary.files }),
        ..Act::default()
    };
    audit::append(conn, &Actor::app(), act, now).await?;
    cases::touch(conn, item.case_id, now).await
}

/// Whether no item that still has its bytes rests on this digest.
///
/// # Errors
/// When the database cannot be read.
pub async fn unused(conn: &mut PgConnection, sha256: &str) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select not exists(select from evidence_file f
             where f.sha256 = $1
               and (select state from evidence_event v where v.evidence_id = f.evidence_id
                    order by seq desc limit 1) <> 'purged') as "unused!""#,
        sha256
    )
    .fetch_one(conn)
    .await?)
}

/// A request to erase that was not carried out yet.
#[derive(Debug, Clone)]
pub struct Request {
    /// Id.
    pub id: Uuid,
    /// The item.
    pub evidence_id: Uuid,
    /// Its number.
    pub number: i64,
    /// Its case.
    pub case_id: Uuid,
    /// Number of its case.
    pub case_number: i64,
    /// Whether legal hold stands against it.
    pub legal_hold: bool,
    /// Why it was asked.
    pub reason: String,
    /// Who asked.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// Requests to erase that wait, oldest first.
///
/// # Errors
/// When the database cannot be read.
pub async fn requests(conn: &mut PgConnection) -> Result<Vec<Request>> {
    Ok(sqlx::query_as!(
        Request,
        r#"select q.id, q.evidence_id, e.number, e.case_id, c.number as case_number, c.legal_hold,
             q.reason, p.name as by, q.at
           from erasure_request q join evidence e on e.id = q.evidence_id
           join case_file c on c.id = e.case_id join person p on p.id = q.by_person
           where not exists (select from erasure_done d where d.request_id = q.id)
           order by q.seq"#
    )
    .fetch_all(conn)
    .await?)
}

/// Asks for an item's bytes to be erased.
///
/// # Errors
/// `NotFound` when there is no such item; `Refused` by `erasure_by_admin`.
pub async fn ask(
    conn: &mut PgConnection,
    actor: &Actor,
    number: i64,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let (evidence_id, case_id) = super::evidence::by_number(conn, number).await?;
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into erasure_request (id, evidence_id, reason, by_person, at) values ($1, $2, $3, $4, $5)",
        id,
        evidence_id,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "evidence.erasure_request",
        object: ("evidence", evidence_id.to_string()),
        case_id: Some(case_id),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "request": id }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await?;
    Ok(id)
}

/// Notes that a request was carried out.
///
/// # Errors
/// When the database refuses.
pub async fn done(conn: &mut PgConnection, request: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query!(
        "insert into erasure_done (request_id, at) values ($1, $2) on conflict do nothing",
        request,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// An item whose bytes stay though their time is over.
#[derive(Debug, Clone)]
pub struct Skipped {
    /// Its number.
    pub number: i64,
    /// Number of its case.
    pub case_number: i64,
    /// What keeps it.
    pub why: Json<Sentence>,
    /// Since when that is known.
    pub at: DateTime<Utc>,
}

/// Items whose bytes stay though their time is over, newest first, at most `most`.
///
/// # Errors
/// When the database cannot be read.
pub async fn skipped(conn: &mut PgConnection, most: i64) -> Result<Vec<Skipped>> {
    Ok(sqlx::query_as!(
        Skipped,
        r#"select e.number, c.number as case_number, s.why as "why: Json<Sentence>", s.at
           from (select distinct on (evidence_id) evidence_id, why, at from retention_skip
                 order by evidence_id, seq desc) s
           join evidence e on e.id = s.evidence_id join case_file c on c.id = e.case_id
           where (select state from evidence_event v where v.evidence_id = e.id order by seq desc limit 1) <> 'purged'
           order by s.at desc limit $1"#,
        most
    )
    .fetch_all(conn)
    .await?)
}

/// The numbers of the policy in force.
///
/// # Errors
/// When the database cannot be read.
pub async fn policy(conn: &mut PgConnection) -> Result<Policy> {
    let row = sqlx::query!(
        r#"select number, numbers as "numbers: Json<Policy>" from policy_version order by number desc limit 1"#
    )
    .fetch_one(conn)
    .await?;
    Ok(Policy {
        version: row.number,
        ..row.numbers.0
    })
}
