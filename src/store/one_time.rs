//! Secrets that work once: the first administrator's code, invitations, sign-in links.
//!
//! Only a digest is stored. Using one up is a single conditional update, so that of two people
//! who try at once one wins.

use super::{
    Error, Result,
    audit::{self, Act, Actor},
    people::{self, roles_of},
    secret,
};
use crate::ladder::policy::Role;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// How long the first administrator's code works.
pub const SETUP_LIFE: TimeDelta = TimeDelta::hours(24);
/// How long an invitation works.
pub const INVITATION_LIFE: TimeDelta = TimeDelta::days(7);
/// How long a sign-in link works.
pub const SIGNIN_LIFE: TimeDelta = TimeDelta::minutes(15);

/// What a one-time secret is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Makes the first administrator.
    Setup,
    /// Makes an account with given roles.
    Invitation,
    /// Signs a person in.
    SignIn,
}

impl Kind {
    fn id(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Invitation => "invitation",
            Self::SignIn => "signin",
        }
    }
}

/// A one-time secret that still works.
#[derive(Debug, Clone)]
pub struct Open {
    /// Its row.
    pub id: Uuid,
    /// Whom it signs in.
    pub person_id: Option<Uuid>,
    /// Name of the invited person.
    pub name: Option<String>,
    /// Roles the invited person will hold.
    pub roles: Vec<Role>,
    /// When it stops working.
    pub expires_at: DateTime<Utc>,
    /// Name of who made it.
    pub made_by: Option<String>,
}

/// When no person exists: a fresh code for the first administrator; codes given before stop
/// working. `None` once there is anybody.
///
/// # Errors
/// When the database cannot be written or the machine gives no random bytes.
pub async fn ensure_setup_code(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
) -> Result<Option<String>> {
    if people::any(conn).await? {
        return Ok(None);
    }
    sqlx::query!(
        "update one_time set revoked_at = $1
         where kind = 'setup' and used_at is null and revoked_at is null",
        now
    )
    .execute(&mut *conn)
    .await?;
    let code = secret::code().map_err(no_chance)?;
    insert(
        conn,
        Kind::Setup,
        &code,
        &Person::default(),
        now + SETUP_LIFE,
        now,
    )
    .await?;
    let act = Act {
        act: "setup.code",
        object: ("setup", String::new()),
        ..Act::default()
    };
    audit::append(conn, &Actor::app(), act, now).await?;
    Ok(Some(code))
}

/// Invites somebody; gives the secret of the link.
///
/// # Errors
/// When the database cannot be written or the machine gives no random bytes.
pub async fn invite(
    conn: &mut PgConnection,
    actor: &Actor,
    name: &str,
    roles: &[Role],
    now: DateTime<Utc>,
) -> Result<String> {
    let token = secret::token().map_err(no_chance)?;
    let person = Person {
        name: Some(name.trim()),
        roles,
        made_by: actor.person_id,
        ..Person::default()
    };
    let id = insert(
        conn,
        Kind::Invitation,
        &token,
        &person,
        now + INVITATION_LIFE,
        now,
    )
    .await?;
    let act = Act {
        act: "invitation.make",
        object: ("invitation", id.to_string()),
        detail: json!({ "name": name.trim(), "roles": roles }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(token)
}

/// A link that signs `person_id` in once; gives its secret.
///
/// # Errors
/// When the database cannot be written or the machine gives no random bytes.
pub async fn signin_link(
    conn: &mut PgConnection,
    actor: &Actor,
    person_id: Uuid,
    now: DateTime<Utc>,
) -> Result<String> {
    let token = secret::token().map_err(no_chance)?;
    let person = Person {
        id: Some(person_id),
        made_by: actor.person_id,
        ..Person::default()
    };
    let id = insert(conn, Kind::SignIn, &token, &person, now + SIGNIN_LIFE, now).await?;
    let act = Act {
        act: "signin_link.make",
        object: ("signin_link", id.to_string()),
        detail: json!({ "person": person_id }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(token)
}

#[derive(Default)]
struct Person<'a> {
    id: Option<Uuid>,
    name: Option<&'a str>,
    roles: &'a [Role],
    made_by: Option<Uuid>,
}

async fn insert(
    conn: &mut PgConnection,
    kind: Kind,
    token: &str,
    person: &Person<'_>,
    expires_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::new_v4();
    let roles: Vec<String> = person.roles.iter().map(|r| r.id().to_owned()).collect();
    sqlx::query!(
        "insert into one_time (id, kind, secret_hash, person_id, name, roles, made_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        id,
        kind.id(),
        secret::digest(token),
        person.id,
        person.name,
        &roles,
        person.made_by,
        now,
        expires_at
    )
    .execute(conn)
    .await?;
    Ok(id)
}

fn no_chance(error: getrandom::Error) -> Error {
    Error::Inconsistent {
        table: "one_time",
        id: String::new(),
        what: format!("no random bytes: {error}"),
    }
}

/// Looks at a secret without using it up: `None` when it is unknown, used, revoked or too old.
///
/// # Errors
/// When the database cannot be read.
pub async fn peek(
    conn: &mut PgConnection,
    kind: Kind,
    token: &str,
    now: DateTime<Utc>,
) -> Result<Option<Open>> {
    let row = sqlx::query!(
        r#"select o.id, o.person_id, o.name, o.roles, o.expires_at, m.name as "made_by?"
           from one_time o left join person m on m.id = o.made_by
           where o.kind = $1 and o.secret_hash = $2 and o.used_at is null and o.revoked_at is null
             and o.expires_at > $3"#,
        kind.id(),
        secret::digest(token),
        now
    )
    .fetch_optional(conn)
    .await?;
    row.map(|r| {
        Ok(Open {
            id: r.id,
            person_id: r.person_id,
            name: r.name,
            roles: roles_of(&r.roles, r.id)?,
            expires_at: r.expires_at,
            made_by: r.made_by,
        })
    })
    .transpose()
}

/// Uses a secret up for `person_id`.
///
/// # Errors
/// [`Error::NotFound`] when somebody was faster or it is too old.
pub async fn use_up(
    conn: &mut PgConnection,
    id: Uuid,
    person_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let used = sqlx::query!(
        "update one_time set used_at = $2, used_by = $3
         where id = $1 and used_at is null and revoked_at is null and expires_at > $2",
        id,
        now,
        person_id
    )
    .execute(conn)
    .await?
    .rows_affected();
    (used == 1).then_some(()).ok_or(Error::NotFound)
}

/// Invitations that can still be used, the newest first.
///
/// # Errors
/// When the database cannot be read.
pub async fn open_invitations(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<Open>> {
    let rows = sqlx::query!(
        r#"select o.id, o.name, o.roles, o.expires_at, m.name as "made_by?"
           from one_time o left join person m on m.id = o.made_by
           where o.kind = 'invitation' and o.used_at is null and o.revoked_at is null
             and o.expires_at > $1 order by o.created_at desc"#,
        now
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| {
            Ok(Open {
                id: r.id,
                person_id: None,
                name: r.name,
                roles: roles_of(&r.roles, r.id)?,
                expires_at: r.expires_at,
                made_by: r.made_by,
            })
        })
        .collect()
}

/// Takes an invitation back.
///
/// # Errors
/// [`Error::NotFound`] when it was used, taken back or too old.
pub async fn revoke_invitation(
    conn: &mut PgConnection,
    actor: &Actor,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let revoked = sqlx::query!(
        "update one_time set revoked_at = $2 where id = $1 and kind = 'invitation'
           and used_at is null and revoked_at is null and expires_at > $2",
        id,
        now
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if revoked != 1 {
        return Err(Error::NotFound);
    }
    let act = Act {
        act: "invitation.revoke",
        object: ("invitation", id.to_string()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}
