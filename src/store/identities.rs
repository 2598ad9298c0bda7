//! Who an account is: accounts of one person, and names that a legal erasure replaced.

use super::audit::{self, Act, Actor};
use super::people::{get, pseudonym, step};
use super::{Error, Result};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// States that an account belongs to the same person as `first`, or to nobody else.
///
/// # Errors
/// [`Error::Conflict`] when somebody changed the person meanwhile; [`Error::Refused`] with
/// `person_identity_flat` when one of the two already stands for another.
pub async fn set_identity(
    conn: &mut PgConnection,
    actor: &Actor,
    (id, version): (Uuid, i32),
    first: Option<Uuid>,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    step(conn, id, version).await?;
    let before = get(conn, id).await?.same_as.map(|s| s.0);
    sqlx::query!(
        "update person set identity_id = $2 where id = $1",
        id,
        first
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "person.identity",
        object: ("person", id.to_string()),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "from": before, "to": first }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Erases a person's name and login, as a law may ask: a pseudonym stands for them from now on.
/// Who they are stays, so that whoever contributed still never approves. They must be deactivated.
///
/// # Errors
/// [`Error::Conflict`] when they changed meanwhile, are active, or were erased before.
pub async fn erase_name(
    conn: &mut PgConnection,
    actor: &Actor,
    (id, version): (Uuid, i32),
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    step(conn, id, version).await?;
    let name = pseudonym(id);
    let done = sqlx::query!(
        "update person set name = $2, login = lower(replace($2, ' ', '-')), lang = null, theme = null, pseudonym_at = $3
         where id = $1 and deactivated_at is not null and pseudonym_at is null",
        id,
        name,
        now
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::Conflict);
    }
    let act = Act {
        act: "person.pseudonym",
        object: ("person", id.to_string()),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "name": name }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}
