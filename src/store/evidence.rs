//! Evidence items: their files, what happened to them, and what was read out of them.

use super::audit::{self, Act, Actor};
use super::{Error, Result, cases};
use crate::ladder::evidence::{Evidence, EvidenceFile, EvidenceState};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

pub use super::readings::{
    ToRead, begin, figures, keep_mapped, keep_reading, keep_refusal, read_again, to_read,
};
pub use super::same_bytes::{LastEvent, Twin, last_event, twins};
use super::same_bytes::{live_copy, restore, withdrawn_copy};

/// What is handed in besides the files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Handing<'a> {
    /// Why bytes that were withdrawn before come back.
    pub again: Option<&'a str>,
    /// Whether it is the file of an attested number: kept, and never read by a parser.
    pub attested: bool,
}

/// Attaches an item of one or more files to a run; it waits to be read. The caller enqueues the
/// reading in the same transaction.
///
/// # Errors
/// As [`attach_as`].
pub async fn attach(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    run_id: Uuid,
    files: &[EvidenceFile],
    now: DateTime<Utc>,
) -> Result<(Uuid, i64)> {
    attach_as(
        conn,
        actor,
        (case_id, run_id),
        files,
        Handing::default(),
        now,
    )
    .await
}

/// The same, for bytes that come back, and for files that no parser reads.
///
/// # Errors
/// [`Error::Refused`] by `same_bytes_in_case` when bytes of the same digest are in a live item of
/// the case, by `withdrawn_bytes_need_reason` when they were withdrawn from it and nobody says why
/// they come back; `detail` is the item's label.
pub async fn attach_as(
    conn: &mut PgConnection,
    actor: &Actor,
    (case_id, run_id): (Uuid, Uuid),
    files: &[EvidenceFile],
    handing: Handing<'_>,
    now: DateTime<Utc>,
) -> Result<(Uuid, i64)> {
    let (id, by) = (Uuid::now_v7(), actor.person()?);
    let again = handing.again.map(str::trim).filter(|r| !r.is_empty());
    let mut before = Vec::new();
    for file in files {
        let refused = |constraint: &str, other: i64| Error::Refused {
            constraint: constraint.to_owned(),
            detail: format!("EV-{other}"),
        };
        if let Some(other) = live_copy(conn, case_id, &file.sha256).await? {
            if other.purged
                && let Some(back) = restore(conn, actor, (case_id, other.id), files, now).await?
            {
                return Ok(back);
            }
            return Err(refused("same_bytes_in_case", other.number));
        }
        if let Some(other) = withdrawn_copy(conn, case_id, &file.sha256).await? {
            if again.is_none() {
                return Err(refused("withdrawn_bytes_need_reason", other));
            }
            before.push(format!("EV-{other}"));
        }
    }
    let number = sqlx::query_scalar!(
        "insert into evidence (id, case_id, run_id, by_person, at, attested) values ($1, $2, $3, $4, $5, $6)
         returning number",
        id,
        case_id,
        run_id,
        by,
        now,
        handing.attested
    )
    .fetch_one(&mut *conn)
    .await?;
    for (i, file) in files.iter().enumerate() {
        sqlx::query!(
            "insert into evidence_file (evidence_id, ordinal, case_id, name, sha256, bytes) values ($1, $2, $3, $4, $5, $6)",
            id,
            i16::try_from(i + 1).unwrap_or(i16::MAX),
            case_id,
            file.name,
            file.sha256,
            i64::try_from(file.bytes).unwrap_or(i64::MAX)
        )
        .execute(&mut *conn)
        .await?;
    }
    let state = if handing.attested {
        EvidenceState::Usable
    } else {
        EvidenceState::Received
    };
    event(conn, id, state, again, Some(by), now).await?;
    let act = Act {
        act: "evidence.attach",
        object: ("evidence", id.to_string()),
        case_id: Some(case_id),
        reason: again.map(str::to_owned),
        detail: json!({ "number": number, "run": run_id, "files": files, "attested": handing.attested,
                        "withdrawn_before": before }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await?;
    Ok((id, number))
}

/// Attaches a redacted copy of an item to the item's run.
///
/// # Errors
/// As [`attach_as`]; `NotFound` when nothing is said to be taken out.
pub async fn redact(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    original: &Evidence,
    files: &[EvidenceFile],
    removed: &[String],
    now: DateTime<Utc>,
) -> Result<(Uuid, i64)> {
    let of = (case_id, original.run_id);
    let (id, number) = attach_as(conn, actor, of, files, Handing::default(), now).await?;
    sqlx::query!(
        "insert into redaction (evidence_id, original_id, removed, by_person, at) values ($1, $2, $3, $4, $5)",
        id,
        original.id,
        removed,
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "evidence.redact",
        object: ("evidence", id.to_string()),
        case_id: Some(case_id),
        detail: json!({ "original": original.id, "removed": removed }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok((id, number))
}

pub(super) async fn event(
    conn: &mut PgConnection,
    id: Uuid,
    state: EvidenceState,
    reason: Option<&str>,
    by: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into evidence_event (evidence_id, state, reason, by_person, at) values ($1, $2, $3, $4, $5)",
        id,
        state.id(),
        reason,
        by,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub(super) fn state(text: &str, id: Uuid) -> Result<EvidenceState> {
    EvidenceState::from_id(text).ok_or_else(|| Error::Inconsistent {
        table: "evidence_event",
        id: id.to_string(),
        what: format!("state {text}"),
    })
}

/// The files of an item, in order.
///
/// # Errors
/// When the database cannot be read.
pub async fn files(conn: &mut PgConnection, id: Uuid) -> Result<Vec<EvidenceFile>> {
    Ok(sqlx::query!(
        "select name, sha256, bytes from evidence_file where evidence_id = $1 order by ordinal",
        id
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|r| EvidenceFile {
        name: r.name,
        sha256: r.sha256,
        bytes: u64::try_from(r.bytes).unwrap_or(0),
    })
    .collect())
}

/// Withdraws an item or sets it aside, by a person with a reason.
///
/// # Errors
/// `NotFound` when it is not of this case, `Conflict` when it is out of play already.
pub async fn take_out(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    id: Uuid,
    into: EvidenceState,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let item = to_read(conn, id).await?;
    if item.case_id != case_id {
        return Err(Error::NotFound);
    }
    if matches!(
        item.state,
        EvidenceState::Withdrawn
            | EvidenceState::SetAside
            | EvidenceState::Purged
            | EvidenceState::Rejected
    ) {
        return Err(Error::Conflict);
    }
    event(
        conn,
        id,
        into,
        Some(reason.trim()),
        Some(actor.person()?),
        now,
    )
    .await?;
    let act = Act {
        act: if into == EvidenceState::Withdrawn {
            "evidence.withdraw"
        } else {
            "evidence.set_aside"
        },
        object: ("evidence", id.to_string()),
        case_id: Some(case_id),
        reason: Some(reason.trim().to_owned()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await
}

/// The case and id of the item with this number.
///
/// # Errors
/// `NotFound`.
pub async fn by_number(conn: &mut PgConnection, number: i64) -> Result<(Uuid, Uuid)> {
    let row = sqlx::query!("select id, case_id from evidence where number = $1", number)
        .fetch_one(conn)
        .await?;
    Ok((row.id, row.case_id))
}

/// Records that an item's stored bytes were checked against their digests.
///
/// # Errors
/// When the database refuses.
pub async fn checked(
    conn: &mut PgConnection,
    id: Uuid,
    sound: bool,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into integrity_check (evidence_id, sound, at) values ($1, $2, $3)",
        id,
        sound,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The newest integrity check of each item of a case: (item, sound, when).
///
/// # Errors
/// When the database cannot be read.
pub async fn checks(
    conn: &mut PgConnection,
    case_id: Uuid,
) -> Result<Vec<(Uuid, bool, DateTime<Utc>)>> {
    Ok(sqlx::query!(
        "select distinct on (c.evidence_id) c.evidence_id, c.sound, c.at
         from integrity_check c join evidence e on e.id = c.evidence_id
         where e.case_id = $1 order by c.evidence_id, c.seq desc",
        case_id
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|r| (r.evidence_id, r.sound, r.at))
    .collect())
}
