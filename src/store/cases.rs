//! Cases: opening, locking, their owner, problem and contract, and how they move and end. What
//! people say in them is in `said`.

use super::audit::{self, Act, Actor};
use super::sections::{self, Section};
use super::{Error, Result};
use crate::ladder::case::{CaseState, Symptom};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// What a new case is opened with.
#[derive(Debug, Clone)]
pub struct NewCase {
    /// Title.
    pub title: String,
    /// Service.
    pub service_id: Uuid,
    /// Problem in words.
    pub problem: String,
    /// Symptom.
    pub symptom: Symptom,
    /// When it was first seen.
    pub first_seen: DateTime<Utc>,
    /// Task classes named.
    pub classes: Vec<String>,
    /// Contract version pinned at once, if one was chosen.
    pub contract_version_id: Option<Uuid>,
    /// Whether the opener becomes its owner.
    pub own: bool,
}

/// Opens a case. An opener who becomes owner has thereby accepted it.
///
/// # Errors
/// `Refused` when the first-seen time lies ahead or a text is out of bounds.
pub async fn open(
    conn: &mut PgConnection,
    actor: &Actor,
    new: &NewCase,
    now: DateTime<Utc>,
) -> Result<(Uuid, i64)> {
    let (id, by) = (Uuid::now_v7(), actor.person()?);
    let state = if new.own {
        CaseState::Investigating
    } else {
        CaseState::New
    };
    let number = sqlx::query_scalar!(
        "insert into case_file (id, title, service_id, problem, symptom, first_seen, classes, state, state_since,
                                owner_id, owner_accepted_at, contract_version_id, opened_by, opened_at, moved_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $13, $11, $12, $9, $9) returning number",
        id,
        new.title.trim(),
        new.service_id,
        new.problem.trim(),
        Json(&new.symptom) as _,
        new.first_seen,
        &new.classes,
        state.id(),
        now,
        new.own.then_some(by),
        new.contract_version_id,
        by,
        new.own.then_some(now)
    )
    .fetch_one(&mut *conn)
    .await?;
    if new.own {
        owned(conn, id, by, now).await?;
    }
    let act = Act {
        act: "case.open",
        object: ("case", id.to_string()),
        case_id: Some(id),
        detail: json!({ "number": number, "title": new.title.trim() }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok((id, number))
}

/// Id of the case with this number.
///
/// # Errors
/// `NotFound`.
pub async fn id_of(conn: &mut PgConnection, number: i64) -> Result<Uuid> {
    Ok(
        sqlx::query_scalar!("select id from case_file where number = $1", number)
            .fetch_one(conn)
            .await?,
    )
}

/// Id of the case with this number, when this person may know of it.
///
/// # Errors
/// `NotFound`, also when they may not.
pub async fn id_known(conn: &mut PgConnection, number: i64, person: Uuid) -> Result<Uuid> {
    Ok(sqlx::query_scalar!(
        "select id from case_file where number = $1 and (not confidential or case_known_to(id, $2))",
        number,
        person
    )
    .fetch_one(conn)
    .await?)
}

/// Whether a case is confidential.
///
/// # Errors
/// `NotFound`.
pub async fn is_confidential(conn: &mut PgConnection, id: Uuid) -> Result<bool> {
    Ok(
        sqlx::query_scalar!("select confidential from case_file where id = $1", id)
            .fetch_one(conn)
            .await?,
    )
}

/// Whether a person may know of a case.
///
/// # Errors
/// When the database cannot be read.
pub async fn is_known(conn: &mut PgConnection, id: Uuid, person: Uuid) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from case_file where id = $1 and (not confidential or case_known_to(id, $2))) as "known!""#,
        id,
        person
    )
    .fetch_one(conn)
    .await?)
}

/// Locks the case row until the transaction ends, so that what is judged is what is written on.
/// The pinned contract version is held too: a publication that comes meanwhile waits, and one that
/// came first is seen by whatever is loaded after this.
///
/// # Errors
/// `NotFound`.
pub async fn lock(conn: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query!("select id from case_file where id = $1 for update", id)
        .fetch_one(&mut *conn)
        .await?;
    sqlx::query!(
        "select v.id from contract_version v join case_file c on c.contract_version_id = v.id
         where c.id = $1 for share of v",
        id
    )
    .fetch_optional(conn)
    .await?;
    Ok(())
}

/// Notes that something moved in the case, for lists and live pages.
///
/// # Errors
/// When the database refuses.
pub async fn touch(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query!("update case_file set moved_at = $2 where id = $1", id, now)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("select pg_notify('pel_case', $1)", id.to_string())
        .execute(&mut *conn)
        .await?;
    super::weighing::want(conn, id, now).await
}

pub(super) async fn say(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    act: Act,
    now: DateTime<Utc>,
) -> Result<()> {
    touch(conn, case_id, now).await?;
    let act = Act {
        case_id: Some(case_id),
        ..act
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Takes ownership, or hands it to somebody. Taking it is accepting it; somebody it is handed to
/// accepts it by an act of their own. A new case that is accepted becomes `investigating`.
///
/// # Errors
/// `Conflict` when the row changed since `version`.
pub async fn set_owner(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    version: i32,
    owner: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let accepted = (actor.person_id == Some(owner)).then_some(now);
    let done = sqlx::query!(
        "update case_file set owner_id = $3, owner_accepted_at = $5, version = version + 1,
           state = case when state = 'new' and $5::timestamptz is not null then 'investigating' else state end,
           state_since = case when state = 'new' and $5::timestamptz is not null then $4 else state_since end
         where id = $1 and version = $2 and state <> 'closed'",
        case_id,
        version,
        owner,
        now,
        accepted
    )
    .execute(&mut *conn)
    .await?;
    changed(done.rows_affected())?;
    owned(conn, case_id, owner, now).await?;
    let act = Act {
        act: "case.owner",
        object: ("case", case_id.to_string()),
        after: Some(owner.to_string()),
        detail: json!({ "accepted": accepted.is_some() }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

/// The owner a case was handed to accepts it; a new one becomes `investigating`.
///
/// # Errors
/// `Conflict` when the actor does not own the case any more, or accepted it before.
pub async fn accept_ownership(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "update case_file set owner_accepted_at = $3, version = version + 1,
           state = case when state = 'new' then 'investigating' else state end,
           state_since = case when state = 'new' then $3 else state_since end
         where id = $1 and owner_id = $2 and owner_accepted_at is null and state <> 'closed'",
        case_id,
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    changed(done.rows_affected())?;
    let act = Act {
        act: "case.owner_accept",
        object: ("case", case_id.to_string()),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

/// Remembers that somebody owned the case: it stays so when they hand it on.
async fn owned(
    conn: &mut PgConnection,
    case_id: Uuid,
    owner: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into case_owner (case_id, person_id, at) values ($1, $2, $3)",
        case_id,
        owner,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub(super) fn changed(rows: u64) -> Result<()> {
    if rows == 1 {
        Ok(())
    } else {
        Err(Error::Conflict)
    }
}

/// Rewrites the problem section, as read at its own `version`. What it said is kept.
///
/// # Errors
/// `Conflict` when the section changed since.
#[allow(clippy::too_many_arguments)] // the section's own fields
pub async fn edit_problem(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    version: i32,
    title: &str,
    problem: &str,
    classes: &[String],
    now: DateTime<Utc>,
) -> Result<()> {
    let before = sqlx::query_scalar!(
        r#"select jsonb_build_object('title', title, 'problem', problem, 'classes', classes) as "before!"
           from case_file where id = $1 and problem_version = $2 and state <> 'closed' for update"#,
        case_id,
        version
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::Conflict)?;
    let of = (Section::Problem, case_id);
    sections::keep(conn, actor, of, version, &before, now).await?;
    let done = sqlx::query!(
        "update case_file set title = $3, problem = $4, classes = $5, problem_version = problem_version + 1
         where id = $1 and problem_version = $2 and state <> 'closed'",
        case_id,
        version,
        title.trim(),
        problem.trim(),
        classes
    )
    .execute(&mut *conn)
    .await?;
    changed(done.rows_affected())?;
    let act = Act {
        act: "case.problem",
        object: ("case", case_id.to_string()),
        detail: json!({ "title": title.trim(), "problem": problem.trim(), "classes": classes }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

/// Pins a contract version, as the link was read at its own `version`.
///
/// # Errors
/// `Conflict` when the link changed since, or this version can be pinned no more.
pub async fn pin_contract(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    version: i32,
    contract_version_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let before = sqlx::query_scalar!(
        r#"select to_jsonb(contract_version_id) as "before?" from case_file
           where id = $1 and contract_link_version = $2 for update"#,
        case_id,
        version
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::Conflict)?;
    let of = (Section::ContractLink, case_id);
    let before = before.unwrap_or(serde_json::Value::Null);
    sections::keep(conn, actor, of, version, &before, now).await?;
    let done = sqlx::query!(
        "update case_file c set contract_version_id = v.id, contract_link_version = c.contract_link_version + 1
         from contract_version v join contract k on k.id = v.contract_id
         where c.id = $1 and c.contract_link_version = $2 and c.state <> 'closed'
           and v.id = $3 and v.state = 'published' and k.service_id = c.service_id",
        case_id,
        version,
        contract_version_id
    )
    .execute(&mut *conn)
    .await?;
    changed(done.rows_affected())?;
    let act = Act {
        act: "case.contract",
        object: ("case", case_id.to_string()),
        after: Some(contract_version_id.to_string()),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

/// Moves a case between its open states as its changes demand (lifecycle §3, the app's own rows).
///
/// # Errors
/// When the database refuses.
pub async fn follow_changes(
    conn: &mut PgConnection,
    case_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "update case_file c set state = n.state, state_since = $2
         from (select case
                 when exists (select from change where case_id = $1
                   and state in ('canary_running', 'canary_paused', 'canary_ended', 'accepted')) then 'rolling_out'
                 when exists (select from change where case_id = $1
                   and state in ('submitted', 'approved_for_canary', 'awaiting_promotion')) then 'deciding'
                 else 'investigating' end as state) n
         where c.id = $1 and c.state in ('investigating', 'deciding', 'rolling_out') and c.state <> n.state",
        case_id,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}
