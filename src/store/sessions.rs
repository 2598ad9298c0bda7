//! Sessions: one row per browser that signed in, found by the digest of its token.
//!
//! A session ends when it is idle for too long ([`Lives`]), at its absolute end, when the person or the
//! account's state ends it, or when a new sign-in in the same browser replaces it.

use super::{
    Error, Result,
    audit::{self, Act, Actor},
    people::roles_of,
};
use crate::ladder::policy::Role;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// How long sessions live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lives {
    /// A session unused for this long is over.
    pub idle: TimeDelta,
    /// No session lives longer than this.
    pub absolute: TimeDelta,
}

impl Default for Lives {
    fn default() -> Self {
        Self {
            idle: TimeDelta::hours(8),
            absolute: TimeDelta::days(7),
        }
    }
}

/// How stale `seen_at` may be before a request writes it again.
const SEEN_STEP: TimeDelta = TimeDelta::minutes(1);

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The person signed out.
    SignedOut,
    /// The person ended it from their profile.
    Ended,
    /// A new sign-in in the same browser replaced it.
    Rotated,
    /// The password was changed elsewhere.
    Password,
    /// The account was deactivated.
    Deactivated,
}

impl Ended {
    fn id(self) -> &'static str {
        match self {
            Self::SignedOut => "signed_out",
            Self::Ended => "ended",
            Self::Rotated => "rotated",
            Self::Password => "password",
            Self::Deactivated => "deactivated",
        }
    }
}

/// A session that counts, with its person.
#[derive(Debug, Clone)]
pub struct Live {
    /// The session.
    pub id: Uuid,
    /// The person.
    pub person_id: Uuid,
    /// Their login.
    pub login: String,
    /// Their name.
    pub name: String,
    /// Language tag they chose.
    pub lang: Option<String>,
    /// Theme they chose.
    pub theme: Option<String>,
    /// Roles held now.
    pub roles: Vec<Role>,
    /// When the person last proved who they are.
    pub proved_at: DateTime<Utc>,
}

/// How a token stands.
#[derive(Debug, Clone)]
pub enum Found {
    /// It is good.
    Live(Box<Live>),
    /// It was good until then and ran out.
    Expired(DateTime<Utc>),
    /// It was ended, or never was.
    None,
}

/// One line of the list of a person's own sessions.
#[derive(Debug, Clone)]
pub struct Line {
    /// The session.
    pub id: Uuid,
    /// Browser and system as the browser names itself, shortened.
    pub device: String,
    /// Network class.
    pub network: String,
    /// When it began.
    pub created_at: DateTime<Utc>,
    /// When it was last used.
    pub seen_at: DateTime<Utc>,
}

/// A session to be started.
#[derive(Debug, Clone)]
pub struct New<'a> {
    /// Whose.
    pub person_id: Uuid,
    /// Digest of the token.
    pub token_hash: &'a [u8],
    /// Browser and system, at most 80 characters.
    pub device: &'a str,
    /// Network class.
    pub network: &'a str,
    /// How they proved who they are: `password`, `link`, `setup`, `invitation`.
    pub by: &'static str,
    /// How long sessions live.
    pub lives: Lives,
    /// Digest of the token the browser had before, whose session ends.
    pub replaces: Option<&'a [u8]>,
}

/// Starts a session; the one the browser had before ends with it.
///
/// # Errors
/// When the database cannot be written.
pub async fn start(
    conn: &mut PgConnection,
    actor: &Actor,
    new: &New<'_>,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    if let Some(old) = new.replaces {
        sqlx::query!(
            "update session set ended_at = $2, ended_why = 'rotated'
             where token_hash = $1 and ended_at is null",
            old,
            now
        )
        .execute(&mut *conn)
        .await?;
    }
    let id = Uuid::new_v4();
    let device: String = new.device.chars().take(80).collect();
    sqlx::query!(
        "insert into session (id, person_id, token_hash, device, network, created_at, seen_at, expires_at, proved_at)
         values ($1, $2, $3, $4, $5, $6, $6, $7, $6)",
        id,
        new.person_id,
        new.token_hash,
        device,
        new.network,
        now,
        now + new.lives.absolute
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "session.start",
        object: ("session", id.to_string()),
        detail: json!({ "by": new.by, "device": device }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(id)
}

/// The session of a token, and notes that it is in use.
///
/// # Errors
/// When the database cannot be read or a role is unknown.
pub async fn find(
    conn: &mut PgConnection,
    token_hash: &[u8],
    lives: Lives,
    now: DateTime<Utc>,
) -> Result<Found> {
    // One statement for both: that a session was used is written at most once a minute, and what
    // is read is how it stood before.
    let row = sqlx::query!(
        r#"with seen as (
             update session set seen_at = $2
             where token_hash = $1 and ended_at is null and expires_at > $2
               and seen_at <= $3 and seen_at > $4)
           select s.id, s.person_id, s.seen_at, s.expires_at, s.proved_at, s.ended_at,
                  p.login, p.name, p.lang, p.theme, p.deactivated_at,
                  array(select role from person_role r where r.person_id = p.id) as "roles!"
           from session s join person p on p.id = s.person_id where s.token_hash = $1"#,
        token_hash,
        now,
        now - SEEN_STEP,
        now - lives.idle
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = row.filter(|r| r.ended_at.is_none() && r.deactivated_at.is_none()) else {
        return Ok(Found::None);
    };
    let end = row.expires_at.min(row.seen_at + lives.idle);
    if end <= now {
        return Ok(Found::Expired(end));
    }
    Ok(Found::Live(Box::new(Live {
        id: row.id,
        person_id: row.person_id,
        login: row.login,
        name: row.name,
        lang: row.lang,
        theme: row.theme,
        roles: roles_of(&row.roles, row.person_id)?,
        proved_at: row.proved_at,
    })))
}

/// A person's live sessions, the last used first.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(
    conn: &mut PgConnection,
    person_id: Uuid,
    lives: Lives,
    now: DateTime<Utc>,
) -> Result<Vec<Line>> {
    Ok(sqlx::query_as!(
        Line,
        "select id, device, network, created_at, seen_at from session
         where person_id = $1 and ended_at is null and expires_at > $2 and seen_at > $3
         order by seen_at desc, created_at desc",
        person_id,
        now,
        now - lives.idle
    )
    .fetch_all(conn)
    .await?)
}

/// Notes that the person proved again who they are, and gives the session a new token.
///
/// # Errors
/// [`Error::NotFound`] when the session is over.
pub async fn prove(
    conn: &mut PgConnection,
    actor: &Actor,
    id: Uuid,
    token_hash: &[u8],
    now: DateTime<Utc>,
) -> Result<()> {
    let proved = sqlx::query!(
        "update session set proved_at = $3, seen_at = $3, token_hash = $2
         where id = $1 and ended_at is null",
        id,
        token_hash,
        now
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if proved != 1 {
        return Err(Error::NotFound);
    }
    let act = Act {
        act: "session.prove",
        object: ("session", id.to_string()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Ends one session of a person.
///
/// # Errors
/// [`Error::NotFound`] when it is not theirs or over.
pub async fn end(
    conn: &mut PgConnection,
    actor: &Actor,
    (id, person_id): (Uuid, Uuid),
    why: Ended,
    now: DateTime<Utc>,
) -> Result<()> {
    let ended = sqlx::query!(
        "update session set ended_at = $3, ended_why = $4
         where id = $1 and person_id = $2 and ended_at is null",
        id,
        person_id,
        now,
        why.id()
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if ended != 1 {
        return Err(Error::NotFound);
    }
    let act = Act {
        act: "session.end",
        object: ("session", id.to_string()),
        detail: json!({ "why": why.id() }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Ends a person's sessions except `keep`; gives how many. The caller's act is the one logged.
///
/// # Errors
/// When the database cannot be written.
pub async fn end_all(
    conn: &mut PgConnection,
    person_id: Uuid,
    keep: Option<Uuid>,
    why: Ended,
    now: DateTime<Utc>,
) -> Result<u64> {
    Ok(sqlx::query!(
        "update session set ended_at = $3, ended_why = $4
         where person_id = $1 and ended_at is null and ($2::uuid is null or id <> $2)",
        person_id,
        keep,
        now,
        why.id()
    )
    .execute(conn)
    .await?
    .rows_affected())
}
