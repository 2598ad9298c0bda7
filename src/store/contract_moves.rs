//! What a contract's move means for the open cases that are judged by it. They are locked before
//! the contract is touched, in the order of locks that decisions use: the case first.

use super::audit::{self, Act, Actor};
use super::cases::{self, say};
use super::{Error, Result, upkeep};
use crate::ladder::contract::Version;
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// Locks the open cases that pin a version of this contract until the transaction ends: their ids
/// in a fixed order, with the version each pins.
///
/// # Errors
/// When the database cannot be read.
pub async fn lock_cases(conn: &mut PgConnection, contract_id: Uuid) -> Result<Vec<(Uuid, Uuid)>> {
    Ok(sqlx::query!(
        r#"select c.id, v.id as version from case_file c join contract_version v on v.id = c.contract_version_id
           where v.contract_id = $1 and c.state <> 'closed' order by c.id for update of c"#,
        contract_id
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|r| (r.id, r.version))
    .collect())
}

/// Moves the cases that pin `before` on to `after`, which says the same: everything that rests on
/// the one rests on the other, and approvals are kept.
///
/// # Errors
/// When the database refuses.
pub async fn repoint(
    conn: &mut PgConnection,
    actor: &Actor,
    cases: &[(Uuid, Uuid)],
    before: Uuid,
    after: &Version,
    now: DateTime<Utc>,
) -> Result<()> {
    for (case_id, _) in cases.iter().filter(|(_, pinned)| *pinned == before) {
        sqlx::query!(
            "update case_file set contract_version_id = $2, moved_at = $3, version = version + 1 where id = $1",
            case_id,
            after.id,
            now
        )
        .execute(&mut *conn)
        .await?;
        let act = Act {
            act: "case.contract_repoint",
            object: ("contract_version", after.id.to_string()),
            before: Some(before.to_string()),
            after: Some(after.id.to_string()),
            detail: json!({ "number": after.number, "compatibility": "editorial" }),
            ..Act::default()
        };
        say(conn, actor, *case_id, act, now).await?;
    }
    Ok(())
}

/// Takes the published version of a contract back. Nothing takes its place.
///
/// # Errors
/// `Conflict` when no version is published, or another one than `version_id`.
pub async fn withdraw(
    conn: &mut PgConnection,
    actor: &Actor,
    contract_id: Uuid,
    version_id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query_scalar!(
        "update contract_version set state = 'withdrawn', ended_at = $3, ended_reason = $4
         where contract_id = $1 and id = $2 and state = 'published' returning number",
        contract_id,
        version_id,
        now,
        reason.trim()
    )
    .fetch_optional(&mut *conn)
    .await?;
    let number = done.ok_or(Error::Conflict)?;
    let act = Act {
        act: "contract.withdraw",
        object: ("contract", contract_id.to_string()),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "number": number }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Says in each case that its ground moved, and lets everything that rested on it stop: approvals
/// void, a running canary pauses.
///
/// # Errors
/// When the database refuses.
pub async fn settle(
    conn: &mut PgConnection,
    cases: &[(Uuid, Uuid)],
    now: DateTime<Utc>,
) -> Result<()> {
    for (case_id, _) in cases {
        upkeep::settle(conn, *case_id, now).await?;
        cases::touch(conn, *case_id, now).await?;
    }
    Ok(())
}
