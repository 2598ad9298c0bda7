//! The same bytes again: in another item, in another case, or after they were withdrawn or purged.

use super::audit::{self, Act, Actor};
use super::evidence::{event, files, state};
use super::{Result, cases};
use crate::ladder::evidence::{EvidenceFile, EvidenceState};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// An item of the case that has, or had until its time was over, the same bytes.
pub(super) struct Copy {
    pub id: Uuid,
    pub number: i64,
    pub purged: bool,
}

pub(super) async fn live_copy(
    conn: &mut PgConnection,
    case_id: Uuid,
    sha256: &str,
) -> Result<Option<Copy>> {
    Ok(sqlx::query_as!(
        Copy,
        r#"select e.id, e.number, v.state = 'purged' as "purged!"
         from evidence_file f join evidence e on e.id = f.evidence_id
         join lateral (select state from evidence_event where evidence_id = e.id order by seq desc limit 1) v on true
         join lateral (select state from evidence_event where evidence_id = e.id and state <> 'purged'
                       order by seq desc limit 1) s on true
         where f.case_id = $1 and f.sha256 = $2 and s.state not in ('withdrawn', 'rejected', 'unreadable')
         order by v.state = 'purged' limit 1"#,
        case_id,
        sha256
    )
    .fetch_optional(conn)
    .await?)
}

/// Puts the bytes of a purged item back: the same files, no more and no fewer, and the item was
/// usable before they went. `None` when that is not so.
pub(super) async fn restore(
    conn: &mut PgConnection,
    actor: &Actor,
    (case_id, id): (Uuid, Uuid),
    given: &[EvidenceFile],
    now: DateTime<Utc>,
) -> Result<Option<(Uuid, i64)>> {
    let digests = |files: &[EvidenceFile]| {
        let mut all: Vec<String> = files.iter().map(|f| f.sha256.clone()).collect();
        all.sort_unstable();
        all
    };
    let stood = sqlx::query!(
        r#"select e.number, (select state from evidence_event v where v.evidence_id = e.id and v.state <> 'purged'
                    order by seq desc limit 1) as "state!"
           from evidence e where e.id = $1"#,
        id
    )
    .fetch_one(&mut *conn)
    .await?;
    let whole = digests(&files(conn, id).await?) == digests(given);
    if stood.state != EvidenceState::Usable.id() || !whole {
        return Ok(None);
    }
    event(
        conn,
        id,
        EvidenceState::Usable,
        None,
        Some(actor.person()?),
        now,
    )
    .await?;
    let act = Act {
        act: "evidence.restore",
        object: ("evidence", id.to_string()),
        case_id: Some(case_id),
        detail: json!({ "files": given }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await?;
    Ok(Some((id, stood.number)))
}

/// The newest item of the case with these bytes that was withdrawn.
pub(super) async fn withdrawn_copy(
    conn: &mut PgConnection,
    case_id: Uuid,
    sha256: &str,
) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!(
        "select e.number from evidence_file f join evidence e on e.id = f.evidence_id
         where f.case_id = $1 and f.sha256 = $2
           and (select state from evidence_event v where v.evidence_id = e.id order by seq desc limit 1) = 'withdrawn'
         order by e.number desc limit 1",
        case_id,
        sha256
    )
    .fetch_optional(conn)
    .await?)
}

/// An item that carries the same bytes as another.
#[derive(Debug, Clone)]
pub struct Twin {
    /// `EV-7` without its prefix.
    pub number: i64,
    /// Its case.
    pub case_id: Uuid,
    /// Number of its case.
    pub case_number: i64,
    /// Where it stands now.
    pub state: EvidenceState,
    /// Why, when somebody said so.
    pub reason: Option<String>,
    /// Who put it there; `None` = the program.
    pub by: Option<String>,
    /// Since when.
    pub at: DateTime<Utc>,
}

/// Every other item, of whatever case, with bytes of this one, oldest first.
///
/// # Errors
/// When the database cannot be read.
pub async fn twins(conn: &mut PgConnection, id: Uuid) -> Result<Vec<Twin>> {
    let rows = sqlx::query!(
        r#"select e.id, e.number, e.case_id, c.number as case_number, v.state, v.reason, p.name as "by?", v.at
           from (select distinct o.evidence_id from evidence_file m
                 join evidence_file o on o.sha256 = m.sha256 and o.evidence_id <> m.evidence_id
                 where m.evidence_id = $1) t
           join evidence e on e.id = t.evidence_id
           join case_file c on c.id = e.case_id
           join lateral (select state, reason, by_person, at from evidence_event where evidence_id = e.id
                         order by seq desc limit 1) v on true
           left join person p on p.id = v.by_person
           order by e.number"#,
        id
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| {
            Ok(Twin {
                number: r.number,
                case_id: r.case_id,
                case_number: r.case_number,
                state: state(&r.state, r.id)?,
                reason: r.reason,
                by: r.by,
                at: r.at,
            })
        })
        .collect()
}

/// The newest thing that happened to an item.
#[derive(Debug, Clone)]
pub struct LastEvent {
    /// Why, when somebody said so.
    pub reason: Option<String>,
    /// Who did it; `None` = the program.
    pub by: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
}

/// The newest thing that happened to the item with this number.
///
/// # Errors
/// `NotFound`.
pub async fn last_event(conn: &mut PgConnection, number: i64) -> Result<LastEvent> {
    Ok(sqlx::query_as!(
        LastEvent,
        r#"select v.reason, p.name as "by?", v.at from evidence e
           join evidence_event v on v.evidence_id = e.id left join person p on p.id = v.by_person
           where e.number = $1 order by v.seq desc limit 1"#,
        number
    )
    .fetch_one(conn)
    .await?)
}
