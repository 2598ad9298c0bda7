//! How a case stands apart from its evidence: who is on it, its flags, how it is closed and opened
//! again, and the word that lets a loosened contract count.

use super::audit::{Act, Actor};
use super::cases::{changed, say};
use super::{Error, Result, upkeep};
use crate::ladder::case::Outcome;
use crate::ladder::life::{FlagKind, PartKind};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// Gives somebody a part in a case, or takes it from them.
///
/// # Errors
/// `Refused` by `case_person_reason` when an exclusion has no reason.
#[allow(clippy::too_many_arguments)] // one row's own fields
pub async fn set_part(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    person: Uuid,
    part: PartKind,
    present: bool,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into case_person (case_id, person_id, part, present, reason, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        case_id,
        person,
        part.id(),
        present,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: if present {
            "case.person_add"
        } else {
            "case.person_remove"
        },
        object: ("person", person.to_string()),
        reason: Some(reason.trim().to_owned()).filter(|r| !r.is_empty()),
        detail: json!({ "part": part.id(), "person": person }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await?;
    // An approval of somebody who is excluded does not count any more.
    upkeep::settle(conn, case_id, now).await?;
    Ok(())
}

/// Raises a flag, or takes it down. A hold has an end.
///
/// # Errors
/// `Refused` by `hold_within_policy` when the end is not within the days the policy gives.
#[allow(clippy::too_many_arguments)] // one row's own fields
pub async fn set_flag(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    flag: FlagKind,
    raised: bool,
    until: Option<DateTime<Utc>>,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into case_flag (case_id, flag, raised, until, reason, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        case_id,
        flag.id(),
        raised,
        until,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: if raised {
            "case.flag_raise"
        } else {
            "case.flag_lower"
        },
        object: ("case", case_id.to_string()),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "flag": flag.id(), "until": until }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

/// How a case ends.
#[derive(Debug, Clone)]
pub struct Ending<'a> {
    /// The outcome.
    pub outcome: Outcome,
    /// The case it is a duplicate of, for that outcome.
    pub duplicate_of: Option<Uuid>,
    /// The closing note.
    pub note: &'a str,
}

/// Closes a case. The caller has judged the outcome's own guard; the database refuses what a row
/// can tell.
///
/// # Errors
/// `Conflict` when the row changed since `version`; `Refused` names the rule.
pub async fn close(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    version: i32,
    ending: &Ending<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "update case_file set state = 'closed', state_since = $5, outcome = $3, closing_note = $4,
           duplicate_of = $6, version = version + 1
         where id = $1 and version = $2 and state <> 'closed'",
        case_id,
        version,
        ending.outcome.id(),
        ending.note.trim(),
        now,
        ending.duplicate_of
    )
    .execute(&mut *conn)
    .await?;
    changed(done.rows_affected())?;
    let outcome = Some(ending.outcome.id());
    ended(conn, actor, case_id, ("closed", outcome), ending.note, now).await?;
    let act = Act {
        act: "case.close",
        object: ("case", case_id.to_string()),
        reason: Some(ending.note.trim().to_owned()),
        detail: json!({ "outcome": ending.outcome.id(), "duplicate_of": ending.duplicate_of }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

/// Opens a closed case again. Its outcome is taken back and kept in the history; approvals given
/// before do not count any more.
///
/// # Errors
/// `Conflict` when the row changed since `version`, or is not closed.
pub async fn reopen(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    version: i32,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    // A case that was closed before anybody owned it is opened into the hands of who asks for it.
    let done = sqlx::query!(
        "update case_file set state = 'investigating', state_since = $3, outcome = null, closing_note = null,
           duplicate_of = null, reopened_count = reopened_count + 1, version = version + 1,
           owner_id = coalesce(owner_id, $4), owner_accepted_at = coalesce(owner_accepted_at, $3)
         where id = $1 and version = $2 and state = 'closed'",
        case_id,
        version,
        now,
        actor.person()?
    )
    .execute(&mut *conn)
    .await?;
    changed(done.rows_affected())?;
    ended(conn, actor, case_id, ("reopened", None), reason, now).await?;
    let act = Act {
        act: "case.reopen",
        object: ("case", case_id.to_string()),
        reason: Some(reason.trim().to_owned()),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

async fn ended(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    (kind, outcome): (&str, Option<&str>),
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into case_ending (case_id, kind, outcome, reason, by_person, at) values ($1, $2, $3, $4, $5, $6)",
        case_id,
        kind,
        outcome,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether closing `case_id` as a duplicate of `other` would make a circle.
///
/// # Errors
/// When the database cannot be read.
pub async fn makes_circle(conn: &mut PgConnection, case_id: Uuid, other: Uuid) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"with recursive chain (id) as (
             select $2::uuid union select c.duplicate_of from case_file c join chain on chain.id = c.id
             where c.duplicate_of is not null)
           select exists (select from chain where id = $1) as "circle!""#,
        case_id,
        other
    )
    .fetch_one(conn)
    .await?)
}

/// Titles of cases by number, of those that `reader` may know of; of the others only the number is
/// known.
///
/// # Errors
/// When the database cannot be read.
pub async fn titles(
    conn: &mut PgConnection,
    reader: Uuid,
    numbers: &[i64],
) -> Result<Vec<(i64, String)>> {
    Ok(sqlx::query!(
        "select number, title from case_file
         where number = any($1) and (not confidential or case_known_to(id, $2)) order by number",
        numbers,
        reader
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|r| (r.number, r.title))
    .collect())
}

/// Lets a contract version with loosened limits count in a case.
///
/// # Errors
/// `Refused` by `consent_from_outside`; `Conflict` when it was given before.
pub async fn consent(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    version: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "insert into contract_consent (case_id, contract_version_id, reason, by_person, at)
         values ($1, $2, $3, $4, $5) on conflict do nothing",
        case_id,
        version,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::Conflict);
    }
    let act = Act {
        act: "case.contract_consent",
        object: ("contract_version", version.to_string()),
        reason: Some(reason.trim().to_owned()),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}
