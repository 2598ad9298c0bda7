//! People: accounts and the roles they hold.
//!
//! A person is deactivated, never deleted, because the log names them. The last active
//! administrator cannot go: the database refuses it with rule `last_admin`.

use super::{
    Error, Result,
    audit::{self, Act, Actor},
    cases,
    sessions::{self, Ended},
    upkeep,
};
use crate::ladder::policy::Role;
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

pub use super::identities::{erase_name, set_identity};
pub use super::one_time::ensure_setup_code;
pub use super::profile::{Profile, set_lang, set_password, set_profile};

/// A person as others see them.
#[derive(Debug, Clone)]
pub struct Person {
    /// Identity; the account's login may change, this does not.
    pub id: Uuid,
    /// What they type to sign in, in lower case.
    pub login: String,
    /// Name shown everywhere.
    pub name: String,
    /// Language tag they chose (`en`, `pt-BR`).
    pub lang: Option<String>,
    /// Theme they chose (`light`, `dark`).
    pub theme: Option<String>,
    /// Roles held, in the order of [`Role::ALL`].
    pub roles: Vec<Role>,
    /// When they were deactivated, if they are.
    pub deactivated_at: Option<DateTime<Utc>>,
    /// When the account was made.
    pub created_at: DateTime<Utc>,
    /// When they were last seen in a live session.
    pub seen_at: Option<DateTime<Utc>>,
    /// The first account of the same person, when this is another one.
    pub same_as: Option<(Uuid, String)>,
    /// Whether a pseudonym stands for their name.
    pub erased: bool,
    /// For `where version = $n`.
    pub version: i32,
}

/// An account to be made.
#[derive(Debug, Clone)]
pub struct New<'a> {
    /// Login; trimmed and put in lower case.
    pub login: &'a str,
    /// Name.
    pub name: &'a str,
    /// Roles.
    pub roles: &'a [Role],
    /// Argon2id string, when they sign in by password.
    pub phc: Option<&'a str>,
}

/// What a sign-in needs to know about an account.
#[derive(Debug, Clone)]
pub struct Account {
    /// The person.
    pub id: Uuid,
    /// Their name, for the log.
    pub name: String,
    /// Argon2id string, if they have a password.
    pub phc: Option<String>,
    /// Whether the account may be used.
    pub active: bool,
}

/// The login as stored.
pub fn normal_login(typed: &str) -> String {
    typed.trim().to_lowercase()
}

/// Whether a login can be stored.
pub fn is_login(login: &str) -> bool {
    (2..=120).contains(&login.chars().count())
        && !login.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// The roles among `ids`, in the order of [`Role::ALL`]; an unknown id is reported.
pub(super) fn roles_of(ids: &[String], person: Uuid) -> Result<Vec<Role>> {
    let mut roles = ids
        .iter()
        .map(|id| {
            Role::from_id(id).ok_or_else(|| Error::Inconsistent {
                table: "person_role",
                id: person.to_string(),
                what: format!("unknown role {id}"),
            })
        })
        .collect::<Result<Vec<_>>>()?;
    roles.sort_unstable();
    Ok(roles)
}

fn ids(roles: &[Role]) -> Vec<&'static str> {
    Role::ALL
        .into_iter()
        .filter(|r| roles.contains(r))
        .map(Role::id)
        .collect()
}

/// Whether anybody has an account yet.
///
/// # Errors
/// When the database cannot be read.
pub async fn any(conn: &mut PgConnection) -> Result<bool> {
    Ok(
        sqlx::query_scalar!(r#"select exists (select from person) as "any!""#)
            .fetch_one(conn)
            .await?,
    )
}

/// Everyone, the active first, by name.
///
/// # Errors
/// When the database cannot be read or a role is unknown.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<Person>> {
    load(conn, None).await
}

/// One person.
///
/// # Errors
/// [`Error::NotFound`] when there is none.
pub async fn get(conn: &mut PgConnection, id: Uuid) -> Result<Person> {
    load(conn, Some(id)).await?.pop().ok_or(Error::NotFound)
}

async fn load(conn: &mut PgConnection, id: Option<Uuid>) -> Result<Vec<Person>> {
    let rows = sqlx::query!(
        r#"select id, login, name, lang, theme, deactivated_at, created_at, version, pseudonym_at is not null as "erased!",
                  array(select role from person_role r where r.person_id = p.id) as "roles!",
                  (select max(s.seen_at) from session s where s.person_id = p.id) as seen_at, identity_id,
                  (select f.name from person f where f.id = p.identity_id) as identity_name
           from person p where case when $1::uuid is null then kind = 'human' else id = $1 end
           order by deactivated_at is not null, lower(name), login"#,
        id
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| {
            Ok(Person {
                id: r.id,
                login: r.login,
                name: r.name,
                lang: r.lang,
                theme: r.theme,
                roles: roles_of(&r.roles, r.id)?,
                deactivated_at: r.deactivated_at,
                created_at: r.created_at,
                seen_at: r.seen_at,
                same_as: r.identity_id.zip(r.identity_name),
                erased: r.erased,
                version: r.version,
            })
        })
        .collect()
}

/// The account behind a login, for signing in.
///
/// # Errors
/// When the database cannot be read; an unknown login is `None`.
pub async fn account(conn: &mut PgConnection, login: &str) -> Result<Option<Account>> {
    Ok(sqlx::query_as!(
        Account,
        r#"select id, name, phc as "phc?", deactivated_at is null as "active!"
           from person left join password on person_id = id where login = $1"#,
        normal_login(login)
    )
    .fetch_optional(conn)
    .await?)
}

/// Names of the active people who hold one of `roles`, for pages that say whom to ask.
///
/// # Errors
/// When the database cannot be read.
pub async fn holders(conn: &mut PgConnection, roles: &[Role]) -> Result<Vec<String>> {
    let ids: Vec<String> = roles.iter().map(|r| r.id().to_owned()).collect();
    Ok(sqlx::query_scalar!(
        "select name from person p where deactivated_at is null
           and exists (select from person_role r where r.person_id = p.id and r.role = any($1))
         order by lower(name) limit 6",
        &ids
    )
    .fetch_all(conn)
    .await?)
}

/// Makes an account and grants its roles.
///
/// # Errors
/// [`Error::Refused`] with `person_login` when the login is taken.
pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    new: &New<'_>,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::new_v4();
    sqlx::query!(
        "insert into person (id, login, name, created_at) values ($1, $2, $3, $4)",
        id,
        normal_login(new.login),
        new.name.trim(),
        now
    )
    .execute(&mut *conn)
    .await?;
    grant(conn, actor, id, new.roles, now).await?;
    if let Some(phc) = new.phc {
        write_password(conn, id, phc, now).await?;
    }
    let act = Act {
        act: "person.create",
        object: ("person", id.to_string()),
        detail: json!({ "name": new.name.trim(), "roles": ids(new.roles) }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(id)
}

async fn grant(
    conn: &mut PgConnection,
    actor: &Actor,
    id: Uuid,
    roles: &[Role],
    now: DateTime<Utc>,
) -> Result<()> {
    let roles: Vec<String> = ids(roles).into_iter().map(str::to_owned).collect();
    sqlx::query!(
        "insert into person_role (person_id, role, granted_at, granted_by)
         select $1, r, $3, $4 from unnest($2::text[]) r
         on conflict (person_id, role) do nothing",
        id,
        &roles,
        now,
        actor.person_id
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub(super) async fn write_password(
    conn: &mut PgConnection,
    id: Uuid,
    phc: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into password (person_id, phc, changed_at) values ($1, $2, $3)
         on conflict (person_id) do update set phc = excluded.phc, changed_at = excluded.changed_at",
        id,
        phc,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Moves the row from `version` to the next, so that two editors cannot overwrite each other.
pub(super) async fn step(conn: &mut PgConnection, id: Uuid, version: i32) -> Result<()> {
    let moved = sqlx::query!(
        "update person set version = version + 1 where id = $1 and version = $2",
        id,
        version
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if moved == 1 {
        return Ok(());
    }
    get(conn, id).await?;
    Err(Error::Conflict)
}

/// Replaces the roles a person holds.
///
/// # Errors
/// [`Error::Conflict`] when somebody changed the person meanwhile; [`Error::Refused`] with
/// `last_admin` when no active administrator would be left.
pub async fn set_roles(
    conn: &mut PgConnection,
    actor: &Actor,
    (id, version): (Uuid, i32),
    roles: &[Role],
    now: DateTime<Utc>,
) -> Result<()> {
    let before = get(conn, id).await?.roles;
    step(conn, id, version).await?;
    grant(conn, actor, id, roles, now).await?;
    let keep: Vec<String> = ids(roles).into_iter().map(str::to_owned).collect();
    sqlx::query!(
        "delete from person_role where person_id = $1 and not role = any($2)",
        id,
        &keep
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "person.roles",
        object: ("person", id.to_string()),
        detail: json!({ "from": ids(&before), "to": ids(roles) }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Deactivates a person and ends their sessions at once. Approvals they gave and nobody used yet
/// are void from now on, also if they come back; their open cases ask for a new owner.
///
/// # Errors
/// [`Error::Conflict`] when they changed meanwhile or are inactive already; [`Error::Refused`]
/// with `last_admin` when no active administrator would be left.
pub async fn deactivate(
    conn: &mut PgConnection,
    actor: &Actor,
    (id, version): (Uuid, i32),
    now: DateTime<Utc>,
) -> Result<()> {
    step(conn, id, version).await?;
    switch(conn, id, Some(now)).await?;
    let ended = sessions::end_all(conn, id, None, Ended::Deactivated, now).await?;
    // Locked before anything is written to the log: the case comes before the chain.
    let open = relying_on(conn, id).await?;
    let act = Act {
        act: "person.deactivate",
        object: ("person", id.to_string()),
        detail: json!({ "sessions_ended": ended }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    for case_id in open {
        upkeep::settle(conn, case_id, now).await?;
        cases::touch(conn, case_id, now).await?;
    }
    Ok(())
}

/// Open cases that a person owns or approved a change in, locked in a fixed order.
async fn relying_on(conn: &mut PgConnection, person: Uuid) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        "select c.id from case_file c where c.state <> 'closed' and (c.owner_id = $1 or exists
           (select from change g join approval a on a.change_id = g.id where g.case_id = c.id and a.by_person = $1))
         order by c.id for update of c",
        person
    )
    .fetch_all(conn)
    .await?)
}

/// Lets a deactivated person in again, with the roles they had.
///
/// # Errors
/// [`Error::Conflict`] when they changed meanwhile or are active already.
pub async fn reactivate(
    conn: &mut PgConnection,
    actor: &Actor,
    (id, version): (Uuid, i32),
    now: DateTime<Utc>,
) -> Result<()> {
    step(conn, id, version).await?;
    switch(conn, id, None).await?;
    let act = Act {
        act: "person.reactivate",
        object: ("person", id.to_string()),
        detail: json!({}),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// The name that stands for a person whose own was erased: always the same one, and nobody else's.
pub fn pseudonym(id: Uuid) -> String {
    let digest = crate::ladder::digest(&id);
    format!("Person {}", digest[..8].to_uppercase())
}

async fn switch(conn: &mut PgConnection, id: Uuid, off: Option<DateTime<Utc>>) -> Result<()> {
    let switched = sqlx::query!(
        "update person set deactivated_at = $2
         where id = $1 and (deactivated_at is null) = ($2::timestamptz is not null)",
        id,
        off
    )
    .execute(conn)
    .await?
    .rows_affected();
    (switched == 1).then_some(()).ok_or(Error::Conflict)
}
