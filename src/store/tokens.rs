//! Tokens of services: made by an administrator, shown once, stored as a digest. Each acts under
//! an account of its own, which holds no role, so that the log and the facts name it.

use super::audit::{self, Act, Actor};
use super::{Error, Result, secret};
use crate::ladder::scope::Scope;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

/// What every token begins with, so that a leaked one is recognised.
pub const PREFIX: &str = "pel_";
/// How long an answer is kept for its key.
const KEEP: TimeDelta = TimeDelta::hours(24);

/// A token to be made.
#[derive(Debug, Clone)]
pub struct New<'a> {
    /// Name, shown wherever it acts.
    pub name: &'a str,
    /// What it may do.
    pub scopes: &'a [Scope],
    /// The only service it reaches.
    pub service_id: Option<Uuid>,
    /// The only case it reaches.
    pub case_id: Option<Uuid>,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
}

/// A token as an administrator sees it.
#[derive(Debug, Clone)]
pub struct Token {
    /// Its account.
    pub id: Uuid,
    /// Name.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// The only service it reaches, by name.
    pub service: Option<String>,
    /// The only case it reaches, by number.
    pub case_number: Option<i64>,
    /// Who made it.
    pub created_by: String,
    /// When.
    pub created_at: DateTime<Utc>,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
    /// When it was taken back.
    pub revoked_at: Option<DateTime<Utc>>,
    /// When it was last used.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A token that works now.
#[derive(Debug, Clone)]
pub struct Live {
    /// Its account.
    pub id: Uuid,
    /// Name.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// The only service it reaches.
    pub service_id: Option<Uuid>,
    /// The only case it reaches.
    pub case_id: Option<Uuid>,
}

fn scopes(ids: &[String]) -> Vec<Scope> {
    ids.iter().filter_map(|id| Scope::from_id(id)).collect()
}

/// Makes a token; the answer is its secret, which is nowhere else.
///
/// # Errors
/// When the database refuses, or the machine gives no random bytes.
pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    new: &New<'_>,
    now: DateTime<Utc>,
) -> Result<String> {
    let id = Uuid::new_v4();
    let random = secret::token().map_err(|e| Error::Database(sqlx::Error::Io(e.into())))?;
    let told = format!("{PREFIX}{random}");
    let ids: Vec<String> = new.scopes.iter().map(|s| s.id().to_owned()).collect();
    sqlx::query!(
        "insert into person (id, login, name, created_at, kind) values ($1, $2, $3, $4, 'token')",
        id,
        format!("token-{id}"),
        new.name.trim(),
        now
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "insert into service_token (id, secret_hash, scopes, service_id, case_id, created_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        secret::digest(&told),
        &ids,
        new.service_id,
        new.case_id,
        actor.person()?,
        now,
        new.expires_at
    )
    .execute(&mut *conn)
    .await?;
    let detail = json!({ "name": new.name.trim(), "scopes": ids, "expires_at": new.expires_at });
    let act = Act {
        act: "token.create",
        object: ("token", id.to_string()),
        detail,
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(told)
}

/// Takes a token back; from now on it opens nothing.
///
/// # Errors
/// `Conflict` when it was taken back before, or there is none.
pub async fn revoke(
    conn: &mut PgConnection,
    actor: &Actor,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "update service_token set revoked_at = $2, revoked_by = $3 where id = $1 and revoked_at is null",
        id,
        now,
        actor.person()?
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::Conflict);
    }
    let act = Act {
        act: "token.revoke",
        object: ("token", id.to_string()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// All tokens, those that work first.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<Token>> {
    let rows = sqlx::query!(
        r#"select t.id, p.name, t.scopes, s.name as "service?", c.number as "case_number?", b.name as created_by,
                  t.created_at, t.expires_at, t.revoked_at, t.last_used_at
           from service_token t join person p on p.id = t.id join person b on b.id = t.created_by
           left join service s on s.id = t.service_id left join case_file c on c.id = t.case_id
           order by t.revoked_at is not null, lower(p.name), t.created_at"#
    )
    .fetch_all(conn)
    .await?;
    let token = |r: Vec<String>| scopes(&r);
    Ok(rows
        .into_iter()
        .map(|r| Token {
            id: r.id,
            name: r.name,
            scopes: token(r.scopes),
            service: r.service,
            case_number: r.case_number,
            created_by: r.created_by,
            created_at: r.created_at,
            expires_at: r.expires_at,
            revoked_at: r.revoked_at,
            last_used_at: r.last_used_at,
        })
        .collect())
}

/// The token with this secret, if it works now; that it was used is written with it.
///
/// # Errors
/// When the database does not answer.
pub async fn find(conn: &mut PgConnection, told: &str, now: DateTime<Utc>) -> Result<Option<Live>> {
    let row = sqlx::query!(
        "update service_token t set last_used_at = $2 from person p
         where t.secret_hash = $1 and p.id = t.id and p.deactivated_at is null
           and t.revoked_at is null and t.expires_at > $2
         returning t.id, p.name, t.scopes, t.service_id, t.case_id",
        secret::digest(told),
        now
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| Live {
        id: r.id,
        name: r.name,
        scopes: scopes(&r.scopes),
        service_id: r.service_id,
        case_id: r.case_id,
    }))
}

/// What a key of a program's request found.
#[derive(Debug, Clone, PartialEq)]
pub enum Keyed {
    /// First time: act, then [`keep_answer`].
    Fresh,
    /// Done before with the same body: this was the answer.
    Done(u16, Value),
    /// Used before for another act or another body.
    Other,
}

/// Claims a key for one act of a token; a second sender waits for the first.
///
/// # Errors
/// When the database refuses the key.
pub async fn claim_key(
    conn: &mut PgConnection,
    (token, key): (Uuid, &str),
    act: &str,
    body_digest: &[u8],
    now: DateTime<Utc>,
) -> Result<Keyed> {
    sqlx::query!("delete from idempotency_key where at < $1", now - KEEP)
        .execute(&mut *conn)
        .await?;
    let fresh = sqlx::query!(
        "insert into idempotency_key (token_id, key, act, body_digest, at) values ($1, $2, $3, $4, $5)
         on conflict do nothing",
        token,
        key,
        act,
        body_digest,
        now
    )
    .execute(&mut *conn)
    .await?;
    if fresh.rows_affected() == 1 {
        return Ok(Keyed::Fresh);
    }
    let row = sqlx::query!(
        "select act, body_digest, status, answer from idempotency_key where token_id = $1 and key = $2",
        token,
        key
    )
    .fetch_one(conn)
    .await?;
    if row.act != act || row.body_digest != body_digest {
        return Ok(Keyed::Other);
    }
    match (row.status.and_then(|s| u16::try_from(s).ok()), row.answer) {
        (Some(status), Some(answer)) => Ok(Keyed::Done(status, answer)),
        _ => Err(Error::Inconsistent {
            table: "idempotency_key",
            id: key.to_owned(),
            what: "claimed without an answer".to_owned(),
        }),
    }
}

/// Keeps the answer of an act with its key.
///
/// # Errors
/// `NotFound` when the key was not claimed.
pub async fn keep_answer(
    conn: &mut PgConnection,
    (token, key): (Uuid, &str),
    status: u16,
    answer: &Value,
) -> Result<()> {
    let kept = sqlx::query!(
        "update idempotency_key set status = $3, answer = $4
         where token_id = $1 and key = $2 and status is null",
        token,
        key,
        i16::try_from(status).unwrap_or(i16::MAX),
        answer
    )
    .execute(conn)
    .await?;
    if kept.rows_affected() == 1 {
        Ok(())
    } else {
        Err(Error::NotFound)
    }
}

/// Writes down that a token tried what only people do.
///
/// # Errors
/// When the log cannot be written.
pub async fn refused(
    conn: &mut PgConnection,
    actor: &Actor,
    path: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let act = Act {
        act: "token.refused",
        object: ("token", actor.person()?.to_string()),
        detail: json!({ "path": path }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}
