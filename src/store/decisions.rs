//! Sealed decisions: written once with everything they rested on, read from their own content.

use super::audit::{self, Act, Actor};
use super::{Result, cases};
use crate::ladder::break_glass::Overridable;
use crate::ladder::condition::Condition;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

/// What a decision is sealed from.
#[derive(Debug, Clone)]
pub struct NewDecision {
    /// Case.
    pub case_id: Uuid,
    /// Change.
    pub change_id: Uuid,
    /// Revision it was taken on.
    pub revision_id: Uuid,
    /// `accepted`, `rejected` or `rolled_back`.
    pub kind: &'static str,
    /// Role that allowed it.
    pub role: String,
    /// Note.
    pub note: String,
    /// The sealed record.
    pub record: Value,
    /// Its digest.
    pub digest: String,
    /// The condition records it rests on.
    pub conditions: Vec<(Condition, Uuid)>,
    /// The overrides it rests on, with what each stood for.
    pub overrides: Vec<(Uuid, Overridable)>,
}

/// Seals a decision together with its audit row. PostgreSQL checks at commit that an accepted one
/// has its four conditions, a reviewer who did not contribute, and a finished canary.
///
/// # Errors
/// `Refused` names the database's rule.
pub async fn seal(
    conn: &mut PgConnection,
    actor: &Actor,
    new: &NewDecision,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let (id, by) = (Uuid::now_v7(), actor.person()?);
    let act = Act {
        act: match new.kind {
            "accepted" => "decision.accept",
            "rejected" => "decision.reject",
            _ => "decision.roll_back",
        },
        object: ("decision", id.to_string()),
        case_id: Some(new.case_id),
        after: Some(new.digest.clone()),
        reason: Some(new.note.trim().to_owned()),
        detail: json!({ "change": new.change_id, "revision": new.revision_id, "record": new.digest }),
        ..Act::default()
    };
    let audit_seq = audit::append(&mut *conn, actor, act, now).await?;
    for (condition, record_id) in &new.conditions {
        sqlx::query!(
            "insert into decision_condition (decision_id, condition, record_id) values ($1, $2, $3)",
            id,
            condition.id(),
            record_id
        )
        .execute(&mut *conn)
        .await?;
    }
    for (override_id, what) in &new.overrides {
        sqlx::query!(
            "insert into decision_override (decision_id, override_id, what) values ($1, $2, $3) on conflict do nothing",
            id,
            override_id,
            what.id()
        )
        .execute(&mut *conn)
        .await?;
    }
    sqlx::query!(
        "insert into decision (id, case_id, change_id, revision_id, kind, role, note, record, digest, audit_seq, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        id,
        new.case_id,
        new.change_id,
        new.revision_id,
        new.kind,
        new.role,
        new.note.trim(),
        new.record,
        new.digest,
        audit_seq,
        by,
        now
    )
    .execute(&mut *conn)
    .await?;
    cases::touch(conn, new.case_id, now).await?;
    Ok(id)
}

/// A sealed decision.
#[derive(Debug, Clone)]
pub struct Decision {
    /// Id: its permanent address.
    pub id: Uuid,
    /// Case.
    pub case_id: Uuid,
    /// Number of the case.
    pub case_number: i64,
    /// Title of the case now.
    pub case_title: String,
    /// Change.
    pub change_id: Uuid,
    /// `accepted`, `rejected` or `rolled_back`.
    pub kind: String,
    /// Note.
    pub note: String,
    /// The sealed record.
    pub record: Value,
    /// Its digest.
    pub digest: String,
    /// Place in the audit log.
    pub audit_seq: i64,
    /// Who took it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// State of the change now: what came since.
    pub change_state: String,
}

/// One decision, when this person may know of its case.
///
/// # Errors
/// `NotFound`.
pub async fn get(conn: &mut PgConnection, id: Uuid, reader: Uuid) -> Result<Decision> {
    Ok(sqlx::query_as!(
        Decision,
        r#"select d.id, d.case_id, c.number as case_number, c.title as case_title, d.change_id, d.kind, d.note,
                  d.record, d.digest, d.audit_seq, p.name as by, d.at, h.state as change_state
           from decision d join case_file c on c.id = d.case_id join person p on p.id = d.by_person
           join change h on h.id = d.change_id
           where d.id = $1 and (not c.confidential or case_known_to(c.id, $2))"#,
        id,
        reader
    )
    .fetch_one(conn)
    .await?)
}

/// A decision in a list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Id.
    pub id: Uuid,
    /// Number of the case.
    pub case_number: i64,
    /// Title of the case.
    pub case_title: String,
    /// `accepted`, `rejected` or `rolled_back`.
    pub kind: String,
    /// Who took it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// The knob, as sealed.
    pub knob: Option<Value>,
    /// Digest of the record.
    pub digest: String,
}

/// Decisions of cases that `reader` may know of, newest first, at most `limit`, older than
/// `before`; a case narrows them.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(
    conn: &mut PgConnection,
    reader: Uuid,
    case_id: Option<Uuid>,
    before: Option<(DateTime<Utc>, Uuid)>,
    limit: i64,
) -> Result<Vec<Listed>> {
    let (at, id) = before.unzip();
    Ok(sqlx::query_as!(
        Listed,
        r#"select d.id, c.number as case_number, c.title as case_title, d.kind, p.name as by, d.at,
                  r.terms -> 'knob' as knob, d.digest
           from decision d join case_file c on c.id = d.case_id join person p on p.id = d.by_person
           join change_revision r on r.id = d.revision_id
           where ($1::uuid is null or d.case_id = $1)
             and ($2::timestamptz is null or (d.at, d.id) < ($2, $3))
             and (not c.confidential or case_known_to(c.id, $5))
           order by d.at desc, d.id desc limit $4"#,
        case_id,
        at,
        id,
        limit,
        reader
    )
    .fetch_all(conn)
    .await?)
}

/// A decision on a change, for what stands beside it.
#[derive(Debug, Clone)]
pub struct Taken {
    /// Id.
    pub id: Uuid,
    /// `accepted`, `rejected` or `rolled_back`.
    pub kind: String,
    /// Who took it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Place in the audit log.
    pub audit_seq: i64,
}

/// The decisions on a change, oldest first.
///
/// # Errors
/// When the database cannot be read.
pub async fn of_change(conn: &mut PgConnection, change_id: Uuid) -> Result<Vec<Taken>> {
    Ok(sqlx::query_as!(
        Taken,
        "select d.id, d.kind, p.name as by, d.at, d.audit_seq
         from decision d join person p on p.id = d.by_person
         where d.change_id = $1 order by d.seq",
        change_id
    )
    .fetch_all(conn)
    .await?)
}

/// What became of a decision's change, case and contract afterwards.
#[derive(Debug, Clone)]
pub struct Since {
    /// State of the change now.
    pub change_state: String,
    /// Since when.
    pub change_since: DateTime<Utc>,
    /// How the case ended, if it did.
    pub outcome: Option<String>,
    /// Since when the case is as it is.
    pub case_since: DateTime<Utc>,
    /// Number of a later published version of the contract it was judged on.
    pub newer_contract: Option<i32>,
    /// When that was published.
    pub newer_at: Option<DateTime<Utc>>,
}

/// Facts since a decision. `contract_version_id` is the version it was judged on.
///
/// # Errors
/// `NotFound`.
pub async fn since(
    conn: &mut PgConnection,
    id: Uuid,
    contract_version_id: Option<Uuid>,
) -> Result<Since> {
    Ok(sqlx::query_as!(
        Since,
        r#"select h.state as change_state, h.state_since as change_since, c.outcome, c.state_since as case_since,
                  n.number as "newer_contract?", n.published_at as "newer_at?"
           from decision d join change h on h.id = d.change_id join case_file c on c.id = d.case_id
           left join contract_version v on v.id = $2
           left join lateral (select number, published_at from contract_version
                              where contract_id = v.contract_id and number > v.number and published_at is not null
                              order by number limit 1) n on true
           where d.id = $1"#,
        id,
        contract_version_id
    )
    .fetch_one(conn)
    .await?)
}
