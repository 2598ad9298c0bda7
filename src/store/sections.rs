//! What sections of a case said before they were replaced: the common base when two people edit
//! one at the same time.
//!
//! A row is written in the transaction that replaces the section, so every version that somebody
//! may still hold in a form can be shown again.

use super::Result;
use super::audit::Actor;
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// A section with versions of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Title, problem and classes of a case.
    Problem,
    /// The contract version a case is judged by.
    ContractLink,
    /// The terms of a change.
    Change,
    /// The terms of a contract's draft.
    ContractDraft,
}

impl Section {
    fn id(self) -> &'static str {
        match self {
            Self::Problem => "problem",
            Self::ContractLink => "contract_link",
            Self::Change => "change",
            Self::ContractDraft => "contract_draft",
        }
    }
}

/// What happened to a section since somebody read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Since {
    /// What it said then.
    pub base: Value,
    /// Who replaced it last, by name.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// Keeps what `subject` said up to and including `version`, now that it is replaced.
///
/// # Errors
/// When the database refuses.
pub(super) async fn keep(
    conn: &mut PgConnection,
    actor: &Actor,
    (section, subject): (Section, Uuid),
    version: i32,
    content: &Value,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into section_past (subject, section, version, content, replaced_by, at)
         values ($1, $2, $3, $4, $5, $6)",
        subject,
        section.id(),
        version,
        content,
        actor.person()?,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps what a change said up to and including `version`, now that it is revised.
///
/// # Errors
/// When the database refuses.
pub(super) async fn keep_terms(
    conn: &mut PgConnection,
    actor: &Actor,
    change_id: Uuid,
    version: i32,
    now: DateTime<Utc>,
) -> Result<()> {
    let before = sqlx::query_scalar!(
        "select terms from change_revision where change_id = $1 order by number desc limit 1",
        change_id
    )
    .fetch_one(&mut *conn)
    .await?;
    let of = (Section::Change, change_id);
    keep(conn, actor, of, version, &before, now).await
}

/// What the section said at `version`, and who replaced it last; `None` when what it says now is
/// what it said then.
///
/// # Errors
/// When the database cannot be read.
pub async fn since(
    conn: &mut PgConnection,
    section: Section,
    subject: Uuid,
    version: i32,
) -> Result<Option<Since>> {
    Ok(sqlx::query_as!(
        Since,
        r#"select b.content as base, p.name as by, l.at
           from (select content from section_past where subject = $1 and section = $2 and version >= $3
                 order by version limit 1) b
           cross join (select replaced_by, at from section_past where subject = $1 and section = $2
                       order by version desc limit 1) l
           join person p on p.id = l.replaced_by"#,
        subject,
        section.id(),
        version
    )
    .fetch_optional(conn)
    .await?)
}
