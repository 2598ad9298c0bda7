//! What the case page shows beside the snapshot that everything is judged on, in one statement:
//! integrity checks, decisions, who took evidence out of play, and the closing note.

use super::Result;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// The newest integrity check of an item.
#[derive(Debug, Clone, Deserialize)]
pub struct Check {
    /// The item.
    pub evidence_id: Uuid,
    /// Whether its bytes had their digest.
    pub sound: bool,
    /// When.
    pub at: DateTime<Utc>,
}

/// A sealed decision of the case.
#[derive(Debug, Clone, Deserialize)]
pub struct Decided {
    /// Id: its permanent address.
    pub id: Uuid,
    /// Change it is about.
    pub change_id: Uuid,
    /// `accepted`, `rejected` or `rolled_back`.
    pub kind: String,
    /// Note.
    pub note: String,
    /// Digest of the record.
    pub digest: String,
    /// Place in the audit log.
    pub audit_seq: i64,
    /// Who took it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// An item that somebody withdrew, set aside or purged.
#[derive(Debug, Clone, Deserialize)]
pub struct TakenOut {
    /// The item.
    pub evidence_id: Uuid,
    /// Who, when a person did it.
    pub by: Option<String>,
}

/// All of it.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// Newest integrity check per item.
    pub checks: Vec<Check>,
    /// Decisions, newest first.
    pub decisions: Vec<Decided>,
    /// Items out of play.
    pub taken_out: Vec<TakenOut>,
    /// Note of the close, once closed.
    pub closing_note: Option<String>,
}

/// Loads it.
///
/// # Errors
/// `NotFound` when there is no such case.
pub async fn beside(conn: &mut PgConnection, case_id: Uuid) -> Result<Beside> {
    let r = sqlx::query!(
        r#"select c.closing_note,
      (select jsonb_agg(k) from (select distinct on (i.evidence_id) i.evidence_id, i.sound, i.at
         from integrity_check i join evidence e on e.id = i.evidence_id where e.case_id = c.id
         order by i.evidence_id, i.seq desc) k) as "checks: Json<Vec<Check>>",
      (select jsonb_agg(jsonb_build_object('id', d.id, 'change_id', d.change_id, 'kind', d.kind, 'note', d.note,
          'digest', d.digest, 'audit_seq', d.audit_seq, 'by', p.name, 'at', d.at) order by d.at desc, d.id desc)
         from decision d join person p on p.id = d.by_person where d.case_id = c.id) as "decisions: Json<Vec<Decided>>",
      (select jsonb_agg(jsonb_build_object('evidence_id', e.id, 'by', v.name))
         from evidence e join lateral (select x.state, p.name from evidence_event x
           left join person p on p.id = x.by_person where x.evidence_id = e.id order by x.seq desc limit 1) v on true
         where e.case_id = c.id and v.state in ('withdrawn', 'set_aside', 'purged', 'rejected'))
        as "taken_out: Json<Vec<TakenOut>>"
           from case_file c where c.id = $1"#,
        case_id
    )
    .fetch_one(conn)
    .await?;
    Ok(Beside {
        checks: r.checks.map(|j| j.0).unwrap_or_default(),
        decisions: r.decisions.map(|j| j.0).unwrap_or_default(),
        taken_out: r.taken_out.map(|j| j.0).unwrap_or_default(),
        closing_note: r.closing_note,
    })
}
