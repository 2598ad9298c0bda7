//! What a person sets about themself: profile, language, password. Reached through
//! [`super::people`].

use super::{
    Result,
    audit::{self, Act, Actor},
    people::{get, step, write_password},
    sessions::{self, Ended},
};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// What a person sets about themself.
#[derive(Debug, Clone)]
pub struct Profile<'a> {
    /// Name shown.
    pub name: &'a str,
    /// Language tag, or `None` to follow the browser.
    pub lang: Option<&'a str>,
    /// Theme, or `None` to follow the system.
    pub theme: Option<&'a str>,
}

/// Changes a profile.
///
/// # Errors
/// [`Error::Conflict`] when it changed meanwhile.
pub async fn set_profile(
    conn: &mut PgConnection,
    actor: &Actor,
    (id, version): (Uuid, i32),
    profile: &Profile<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    let before = get(conn, id).await?;
    step(conn, id, version).await?;
    sqlx::query!(
        "update person set name = $2, lang = $3, theme = $4 where id = $1",
        id,
        profile.name.trim(),
        profile.lang,
        profile.theme
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "person.profile",
        object: ("person", id.to_string()),
        detail: json!({ "name": { "from": before.name, "to": profile.name.trim() } }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Remembers the language a person switched to. Not an act worth a line in the log.
///
/// # Errors
/// When the database cannot be written.
pub async fn set_lang(conn: &mut PgConnection, id: Uuid, lang: &str) -> Result<()> {
    sqlx::query!("update person set lang = $2 where id = $1", id, lang)
        .execute(conn)
        .await?;
    Ok(())
}

/// Sets a new password and ends the person's other sessions.
///
/// # Errors
/// When the database cannot be written.
pub async fn set_password(
    conn: &mut PgConnection,
    actor: &Actor,
    id: Uuid,
    (phc, keep): (&str, Option<Uuid>),
    now: DateTime<Utc>,
) -> Result<()> {
    write_password(conn, id, phc, now).await?;
    let ended = sessions::end_all(conn, id, keep, Ended::Password, now).await?;
    let act = Act {
        act: "person.password",
        object: ("person", id.to_string()),
        detail: json!({ "sessions_ended": ended }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}
