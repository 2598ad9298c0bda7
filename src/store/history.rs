//! Imported cases: kept as they came, apart from everything that is judged.

use super::audit::{self, Act, Actor};
use super::{Error, Result, case_file};
use crate::ladder::history::{Content, Decided, Exported};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

/// Writes a case out, and that it was, in the log.
///
/// # Errors
/// `NotFound`.
pub async fn export(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    app_version: &str,
    now: DateTime<Utc>,
) -> Result<Exported> {
    let content = Content {
        exported_at: now,
        app_version: app_version.to_owned(),
        case: case_file::load(conn, case_id).await?,
        decisions: decided(conn, case_id).await?,
    };
    let file = Exported::of(&content).ok_or_else(|| Error::Inconsistent {
        table: "case_file",
        id: case_id.to_string(),
        what: "it cannot be written as JSON".to_owned(),
    })?;
    let act = Act {
        act: "case.export",
        object: ("case", case_id.to_string()),
        case_id: Some(case_id),
        after: Some(file.sha256.clone()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(file)
}

async fn decided(conn: &mut PgConnection, case_id: Uuid) -> Result<Vec<Decided>> {
    let rows = sqlx::query!(
        "select d.id, d.kind, p.name as by, d.at, d.digest, d.record
         from decision d join person p on p.id = d.by_person where d.case_id = $1 order by d.seq",
        case_id
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| Decided {
            id: r.id,
            kind: r.kind,
            by: r.by,
            at: r.at,
            digest: r.digest,
            record: r.record,
        })
        .collect())
}

/// Keeps an imported case. The same file again gives the first one's id.
///
/// # Errors
/// When the database refuses.
pub async fn import(
    conn: &mut PgConnection,
    actor: &Actor,
    file: &Exported,
    content: &Content,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    let title: String = content.case.title.chars().take(200).collect();
    let label = content.case.label();
    let added = sqlx::query!(
        "insert into imported_case (id, label, title, content, sha256, exported_at, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (sha256) do nothing",
        id,
        label,
        title,
        file.content,
        file.sha256,
        content.exported_at,
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    if added.rows_affected() == 0 {
        let first = sqlx::query_scalar!(
            "select id from imported_case where sha256 = $1",
            file.sha256
        );
        return Ok(first.fetch_one(conn).await?);
    }
    let act = Act {
        act: "history.import",
        object: ("history", id.to_string()),
        after: Some(file.sha256.clone()),
        detail: json!({ "label": label }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(id)
}

/// An imported case in a list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Id.
    pub id: Uuid,
    /// Its label where it came from.
    pub label: String,
    /// Title.
    pub title: String,
    /// When it was written out there.
    pub exported_at: DateTime<Utc>,
    /// Who imported it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// Imported cases, newest first, older than `before`, at most `limit`.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(
    conn: &mut PgConnection,
    before: Option<(DateTime<Utc>, Uuid)>,
    limit: i64,
) -> Result<Vec<Listed>> {
    let (at, id) = before.unzip();
    Ok(sqlx::query_as!(
        Listed,
        "select i.id, i.label, i.title, i.exported_at, p.name as by, i.at
         from imported_case i join person p on p.id = i.by_person
         where $1::timestamptz is null or (i.at, i.id) < ($1, $2)
         order by i.at desc, i.id desc limit $3",
        at,
        id,
        limit
    )
    .fetch_all(conn)
    .await?)
}

/// An imported case as it was kept: its row for lists, its content, and its digest.
///
/// # Errors
/// `NotFound`; `Inconsistent` when the content no longer reads.
pub async fn get(conn: &mut PgConnection, id: Uuid) -> Result<(Listed, Content, String)> {
    let r = sqlx::query!(
        r#"select i.label, i.title, i.content as "content: Value", i.sha256, i.exported_at, p.name as by, i.at
           from imported_case i join person p on p.id = i.by_person where i.id = $1"#,
        id
    )
    .fetch_one(conn)
    .await?;
    let content = serde_json::from_value(r.content).map_err(|e| Error::Inconsistent {
        table: "imported_case",
        id: id.to_string(),
        what: e.to_string(),
    })?;
    let listed = Listed {
        id,
        label: r.label,
        title: r.title,
        exported_at: r.exported_at,
        by: r.by,
        at: r.at,
    };
    Ok((listed, content, r.sha256))
}
