//! Workload contracts: drafts that change, published versions that never do.

use super::audit::{self, Act, Actor};
use super::sections::{self, Section};
use super::{Error, Result};
use crate::ladder::contract::{Compatibility, Terms, Version, VersionState};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

pub use super::contract_moves::{lock_cases, repoint, settle, withdraw};

/// A contract in a list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Id.
    pub id: Uuid,
    /// Name.
    pub name: String,
    /// Its service.
    pub service_name: String,
    /// Number of the published version, if there is one.
    pub published: Option<i32>,
    /// When it was published.
    pub published_at: Option<DateTime<Utc>>,
    /// Number of the draft, if there is one.
    pub draft: Option<i32>,
}

/// A contract version with its custody.
#[derive(Debug, Clone)]
pub struct VersionRow {
    /// What the ladder sees.
    pub version: Version,
    /// Service the contract is for.
    pub service_id: Uuid,
    /// Its name.
    pub service_name: String,
    /// Who drafted it.
    pub created_by: String,
    /// When.
    pub created_at: DateTime<Utc>,
    /// Who published it.
    pub published_by: Option<String>,
    /// When.
    pub published_at: Option<DateTime<Utc>>,
    /// How it relates to the version before.
    pub compatibility: Option<Compatibility>,
    /// Row version of a draft.
    pub row_version: i32,
}

/// All contracts, by service and name.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<Listed>> {
    Ok(sqlx::query_as!(
        Listed,
        r#"select c.id, c.name, s.name as service_name, p.number as "published?", p.published_at, d.number as "draft?"
           from contract c join service s on s.id = c.service_id
           left join contract_version p on p.contract_id = c.id and p.state = 'published'
           left join contract_version d on d.contract_id = c.id and d.state = 'draft'
           order by lower(s.name), lower(c.name)"#
    )
    .fetch_all(conn)
    .await?)
}

/// All versions of a contract, newest first.
///
/// # Errors
/// `NotFound` when there is no such contract.
pub async fn versions(conn: &mut PgConnection, contract_id: Uuid) -> Result<Vec<VersionRow>> {
    let rows = sqlx::query!(
        r#"select v.id, v.contract_id, c.name, v.number, v.state, v.terms as "terms: Json<Terms>", v.digest,
                  v.compatibility, v.created_at, v.published_at, v.version, c.service_id,
                  s.name as service_name, a.name as created_by, p.name as "published_by?"
           from contract_version v join contract c on c.id = v.contract_id
           join service s on s.id = c.service_id
           join person a on a.id = v.created_by left join person p on p.id = v.published_by
           where v.contract_id = $1 order by v.number desc"#,
        contract_id
    )
    .fetch_all(conn)
    .await?;
    if rows.is_empty() {
        return Err(Error::NotFound);
    }
    rows.into_iter()
        .map(|r| {
            Ok(VersionRow {
                version: Version {
                    id: r.id,
                    contract_id: r.contract_id,
                    contract_name: r.name,
                    number: r.number,
                    state: state(&r.state, r.id)?,
                    terms: r.terms.0,
                    digest: r.digest,
                },
                service_id: r.service_id,
                service_name: r.service_name,
                created_by: r.created_by,
                created_at: r.created_at,
                published_by: r.published_by,
                published_at: r.published_at,
                compatibility: r.compatibility.as_deref().and_then(compatibility),
                row_version: r.version,
            })
        })
        .collect()
}

pub(super) fn state(id: &str, row: Uuid) -> Result<VersionState> {
    VersionState::from_id(id).ok_or_else(|| Error::Inconsistent {
        table: "contract_version",
        id: row.to_string(),
        what: format!("state {id}"),
    })
}

fn compatibility(id: &str) -> Option<Compatibility> {
    match id {
        "editorial" => Some(Compatibility::Editorial),
        "material" => Some(Compatibility::Material),
        _ => None,
    }
}

/// Published versions a case of this service may pin: (version id, label).
///
/// # Errors
/// When the database cannot be read.
pub async fn pinnable(conn: &mut PgConnection, service_id: Uuid) -> Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!(
        "select v.id, c.name, v.number from contract_version v join contract c on c.id = v.contract_id
         where c.service_id = $1 and v.state = 'published' order by lower(c.name)",
        service_id
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| (r.id, format!("{} v{}", r.name, r.number)))
        .collect())
}

/// Names of contract versions as people read them, published or not.
///
/// # Errors
/// When the database cannot be read.
pub async fn version_names(conn: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!(
        "select v.id, c.name, v.number from contract_version v join contract c on c.id = v.contract_id
         where v.id = any($1)",
        ids
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| (r.id, format!("{} v{}", r.name, r.number)))
        .collect())
}

/// Creates a contract with its first draft.
///
/// # Errors
/// `Refused` by `contract_name` when the service has one of this name.
pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    service_id: Uuid,
    name: &str,
    terms: &Terms,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let (id, by) = (Uuid::now_v7(), actor.person()?);
    sqlx::query!(
        "insert into contract (id, service_id, name, created_by, created_at) values ($1, $2, $3, $4, $5)",
        id,
        service_id,
        name.trim(),
        by,
        now
    )
    .execute(&mut *conn)
    .await?;
    insert_draft(conn, id, 1, terms, by, now).await?;
    let act = Act {
        act: "contract.create",
        object: ("contract", id.to_string()),
        after: Some(terms.digest()),
        detail: json!({ "name": name.trim() }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(id)
}

async fn insert_draft(
    conn: &mut PgConnection,
    contract_id: Uuid,
    number: i32,
    terms: &Terms,
    by: Uuid,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into contract_version (id, contract_id, number, state, terms, created_by, created_at)
         values ($1, $2, $3, 'draft', $4, $5, $6)",
        id,
        contract_id,
        number,
        Json(terms) as _,
        by,
        now
    )
    .execute(conn)
    .await?;
    Ok(id)
}

/// Starts draft n+1 from the newest version.
///
/// # Errors
/// `Refused` by `contract_one_draft` when there is a draft already.
pub async fn start_draft(
    conn: &mut PgConnection,
    actor: &Actor,
    contract_id: Uuid,
    now: DateTime<Utc>,
) -> Result<i32> {
    let newest = versions(conn, contract_id).await?.swap_remove(0);
    let number = newest.version.number + 1;
    insert_draft(
        conn,
        contract_id,
        number,
        &newest.version.terms,
        actor.person()?,
        now,
    )
    .await?;
    let act = Act {
        act: "contract.draft",
        object: ("contract", contract_id.to_string()),
        before: newest.version.digest,
        detail: json!({ "number": number }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(number)
}

/// Saves a draft as read at `row_version`.
///
/// # Errors
/// `Conflict` when somebody saved since, or it is no draft any more.
pub async fn save_draft(
    conn: &mut PgConnection,
    actor: &Actor,
    contract_id: Uuid,
    row_version: i32,
    terms: &Terms,
    now: DateTime<Utc>,
) -> Result<()> {
    let before = sqlx::query!(
        "select id, terms from contract_version
         where contract_id = $1 and state = 'draft' and version = $2 for update",
        contract_id,
        row_version
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::Conflict)?;
    let of = (Section::ContractDraft, before.id);
    sections::keep(conn, actor, of, row_version, &before.terms, now).await?;
    let done = sqlx::query!(
        "update contract_version set terms = $3, version = version + 1
         where contract_id = $1 and state = 'draft' and version = $2",
        contract_id,
        row_version,
        Json(terms) as _
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::Conflict);
    }
    let act = Act {
        act: "contract.edit",
        object: ("contract", contract_id.to_string()),
        after: Some(terms.digest()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Publishes the draft as read at `row_version`; the version published before is superseded.
/// The caller has checked `Terms::problems` and the compatibility.
///
/// # Errors
/// `Conflict` when the draft changed since.
pub async fn publish(
    conn: &mut PgConnection,
    actor: &Actor,
    contract_id: Uuid,
    row_version: i32,
    compatibility: Compatibility,
    now: DateTime<Utc>,
) -> Result<Version> {
    let by = actor.person()?;
    let all = versions(conn, contract_id).await?;
    let draft = all
        .iter()
        .find(|v| v.version.state == VersionState::Draft && v.row_version == row_version)
        .ok_or(Error::Conflict)?;
    let before = all
        .iter()
        .find(|v| v.version.state == VersionState::Published);
    sqlx::query!(
        "update contract_version set state = 'superseded', ended_at = $2
         where contract_id = $1 and state = 'published'",
        contract_id,
        now
    )
    .execute(&mut *conn)
    .await?;
    let digest = draft.version.terms.digest();
    let label = match (before, compatibility) {
        (None, _) => None,
        (_, Compatibility::Editorial) => Some("editorial"),
        (_, Compatibility::Material) => Some("material"),
    };
    let done = sqlx::query!(
        "update contract_version set state = 'published', digest = $3, compatibility = $4,
           published_by = $5, published_at = $6, version = version + 1
         where contract_id = $1 and state = 'draft' and version = $2",
        contract_id,
        row_version,
        digest,
        label,
        by,
        now
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::Conflict);
    }
    let act = Act {
        act: "contract.publish",
        object: ("contract", contract_id.to_string()),
        before: before.and_then(|b| b.version.digest.clone()),
        after: Some(digest.clone()),
        detail: json!({ "number": draft.version.number, "compatibility": label }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    let mut version = draft.version.clone();
    (version.state, version.digest) = (VersionState::Published, Some(digest));
    Ok(version)
}
