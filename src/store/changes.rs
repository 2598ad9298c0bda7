//! Changes: drafts, submitted revisions, approvals, requests.
//!
//! State moves are written here and judged by the caller, who holds the case row's lock.

pub use super::canary::{CanaryFact, event as canary};

use super::audit::{self, Act, Actor};
use super::{Error, Result, cases, sections};
use crate::ladder::change::{ChangeState, Purpose, Terms};
use crate::ladder::seen::Seen;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// Drafts a change with its first revision.
///
/// # Errors
/// When the database refuses.
pub async fn draft(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    terms: &Terms,
    now: DateTime<Utc>,
) -> Result<(Uuid, i64)> {
    let (id, by) = (Uuid::now_v7(), actor.person()?);
    let number = sqlx::query_scalar!(
        "insert into change (id, case_id, service_id, state, state_since, author_id, created_at)
         select $1, c.id, c.service_id, 'draft', $3, $4, $3 from case_file c where c.id = $2 and c.state <> 'closed'
         returning number",
        id,
        case_id,
        now,
        by
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::Conflict)?;
    insert_revision(conn, id, 1, terms, by, now).await?;
    write_act(
        conn,
        actor,
        case_id,
        id,
        "change.draft",
        json!({ "number": number, "knob": terms.knob }),
        None,
        now,
    )
    .await?;
    Ok((id, number))
}

async fn insert_revision(
    conn: &mut PgConnection,
    change_id: Uuid,
    number: i32,
    terms: &Terms,
    by: Uuid,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into change_revision (id, change_id, number, terms, digest, created_at) values ($1, $2, $3, $4, $5, $6)",
        id,
        change_id,
        number,
        Json(terms) as _,
        terms.digest(),
        now
    )
    .execute(&mut *conn)
    .await?;
    author(conn, id, by, now).await?;
    Ok(id)
}

async fn author(
    conn: &mut PgConnection,
    revision_id: Uuid,
    by: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into revision_author (revision_id, person_id, at) values ($1, $2, $3) on conflict do nothing",
        revision_id,
        by,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

#[allow(clippy::too_many_arguments)] // one audit row's own fields
pub(super) async fn write_act(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    act: &'static str,
    detail: Value,
    reason: Option<&str>,
    now: DateTime<Utc>,
) -> Result<()> {
    let act = Act {
        act,
        object: ("change", change_id.to_string()),
        case_id: Some(case_id),
        reason: reason.map(|r| r.trim().to_owned()),
        detail,
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::follow_changes(conn, case_id, now).await?;
    cases::touch(conn, case_id, now).await
}

pub(super) async fn bump(conn: &mut PgConnection, change_id: Uuid, version: i32) -> Result<()> {
    let done = sqlx::query!(
        "update change set version = version + 1 where id = $1 and version = $2",
        change_id,
        version
    )
    .execute(conn)
    .await?;
    if done.rows_affected() == 1 {
        Ok(())
    } else {
        Err(Error::Conflict)
    }
}

/// Saves the draft revision; a submitted one is followed by revision n+1, and the change goes back
/// to draft.
///
/// # Errors
/// `Conflict` when the change moved since `version`.
#[allow(clippy::too_many_arguments)] // one revision's own fields
pub async fn revise(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    version: i32,
    terms: &Terms,
    now: DateTime<Utc>,
) -> Result<()> {
    let by = actor.person()?;
    bump(conn, change_id, version).await?;
    sections::keep_terms(conn, actor, change_id, version, now).await?;
    let open = sqlx::query_scalar!(
        "select id from change_revision where change_id = $1 and submitted_at is null",
        change_id
    )
    .fetch_optional(&mut *conn)
    .await?;
    match open {
        Some(revision_id) => {
            sqlx::query!(
                "update change_revision set terms = $2, digest = $3 where id = $1",
                revision_id,
                Json(terms) as _,
                terms.digest()
            )
            .execute(&mut *conn)
            .await?;
            author(conn, revision_id, by, now).await?;
        }
        None => {
            let next = sqlx::query_scalar!(
                r#"select max(number) + 1 as "next!" from change_revision where change_id = $1"#,
                change_id
            )
            .fetch_one(&mut *conn)
            .await?;
            insert_revision(conn, change_id, next, terms, by, now).await?;
            set_state(conn, change_id, ChangeState::Draft, now).await?;
        }
    }
    let detail = json!({ "digest": terms.digest(), "knob": terms.knob });
    write_act(
        conn,
        actor,
        case_id,
        change_id,
        "change.revise",
        detail,
        None,
        now,
    )
    .await
}

pub(super) async fn set_state(
    conn: &mut PgConnection,
    change_id: Uuid,
    state: ChangeState,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "update change set state = $2, state_since = $3 where id = $1",
        change_id,
        state.id(),
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Moves a change into `next`, as read at `version`.
///
/// # Errors
/// `Conflict` when it moved since; `Refused` by `change_one_live` when the service has another
/// live change.
#[allow(clippy::too_many_arguments)] // one move's own fields
pub async fn advance(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    version: i32,
    next: ChangeState,
    act: &'static str,
    reason: Option<&str>,
    now: DateTime<Utc>,
) -> Result<()> {
    bump(conn, change_id, version).await?;
    set_state(conn, change_id, next, now).await?;
    write_act(
        conn,
        actor,
        case_id,
        change_id,
        act,
        json!({ "state": next.id() }),
        reason,
        now,
    )
    .await
}

/// Freezes the draft revision and submits the change.
///
/// # Errors
/// `Conflict` when it moved since `version`, or there is no draft revision.
pub async fn submit(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    version: i32,
    now: DateTime<Utc>,
) -> Result<()> {
    let by = actor.person()?;
    bump(conn, change_id, version).await?;
    let digest = sqlx::query_scalar!(
        "update change_revision set submitted_at = $2, submitted_by = $3
         where change_id = $1 and submitted_at is null returning digest",
        change_id,
        now,
        by
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::Conflict)?;
    set_state(conn, change_id, ChangeState::Submitted, now).await?;
    write_act(
        conn,
        actor,
        case_id,
        change_id,
        "change.submit",
        json!({ "revision": digest }),
        None,
        now,
    )
    .await
}

/// What an approval is given on.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenOn {
    /// Digest of the revision.
    pub revision_digest: String,
    /// Digest of the gate's basis.
    pub basis_digest: String,
    /// Contract version.
    pub contract_version_id: Uuid,
    /// What its giver saw.
    pub seen: Seen,
}

/// Adds an approval.
///
/// # Errors
/// When the database refuses.
pub async fn approve(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    purpose: Purpose,
    on: &GivenOn,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into approval (id, change_id, purpose, revision_digest, basis_digest, contract_version_id, by_person, at, seen)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        id,
        change_id,
        purpose.id(),
        on.revision_digest,
        on.basis_digest,
        on.contract_version_id,
        actor.person()?,
        now,
        Json(&on.seen) as _
    )
    .execute(&mut *conn)
    .await?;
    let detail = json!({ "purpose": purpose.id(), "revision": on.revision_digest, "basis": on.basis_digest });
    write_act(
        conn,
        actor,
        case_id,
        change_id,
        "change.approve",
        detail,
        None,
        now,
    )
    .await?;
    Ok(id)
}

/// Asks for changes; blocks until a reviewer clears it.
///
/// # Errors
/// `Refused` when no point is named.
pub async fn request_changes(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    points: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into change_request (id, change_id, points, by_person, at) values ($1, $2, $3, $4, $5)",
        Uuid::now_v7(),
        change_id,
        points.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    write_act(
        conn,
        actor,
        case_id,
        change_id,
        "change.request_changes",
        Value::Null,
        Some(points),
        now,
    )
    .await
}

/// Clears a request for changes.
///
/// # Errors
/// `NotFound` when it is not of this change, `Refused` when it was cleared before.
pub async fn clear_request(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    request_id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "insert into change_request_clearing (request_id, reason, by_person, at)
         select id, $3, $4, $5 from change_request where id = $1 and change_id = $2",
        request_id,
        change_id,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::NotFound);
    }
    write_act(
        conn,
        actor,
        case_id,
        change_id,
        "change.clear_request",
        json!({ "request": request_id }),
        Some(reason),
        now,
    )
    .await
}
