//! What people say in a case: declarations about stages, explanations with evidence for and
//! against, claims about the four conditions, comments. All of it is appended, none rewritten.

use super::audit::{Act, Actor};
use super::cases::say;
use super::{Error, Result};
use crate::ladder::case::DeclarationKind;
use crate::ladder::condition::{Basis, Claim};
use chrono::{DateTime, Utc};
use pel_evidence::Stage;
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// Declares a stage not applicable or not examined, or takes that back.
///
/// # Errors
/// `Refused` for stage 1, or a reason under 20 characters.
pub async fn declare_stage(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    stage: Stage,
    kind: DeclarationKind,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into stage_declaration (id, case_id, stage, kind, reason, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        id,
        case_id,
        i16::from(stage.number()),
        kind.id(),
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "stage.declare",
        object: ("stage", stage.number().to_string()),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "stage": stage.number(), "kind": kind.id() }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await?;
    Ok(id)
}

/// Proposes an explanation.
///
/// # Errors
/// `Refused` when the text is out of bounds.
pub async fn propose(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    stage: Stage,
    text: &str,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    let number = sqlx::query_scalar!(
        "insert into hypothesis (id, case_id, number, stage, text, by_person, at)
         select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6 from hypothesis where case_id = $2
         returning number",
        id,
        case_id,
        i16::from(stage.number()),
        text.trim(),
        actor.person()?,
        now
    )
    .fetch_one(&mut *conn)
    .await?;
    let act = Act {
        act: "hypothesis.propose",
        object: ("hypothesis", id.to_string()),
        detail: json!({ "number": number, "stage": stage.number(), "text": text.trim() }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await?;
    Ok(id)
}

/// Adds evidence for or against an explanation of the same case.
///
/// # Errors
/// `NotFound` when the explanation or the item is not of this case.
#[allow(clippy::too_many_arguments)] // one row's own fields
pub async fn argue(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    hypothesis_id: Uuid,
    evidence_id: Uuid,
    supports: bool,
    note: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "insert into hypothesis_argument (id, hypothesis_id, evidence_id, supports, note, by_person, at)
         select $1, h.id, e.id, $5, $6, $7, $8 from hypothesis h join evidence e on e.case_id = h.case_id
         where h.case_id = $2 and h.id = $3 and e.id = $4",
        Uuid::now_v7(),
        case_id,
        hypothesis_id,
        evidence_id,
        supports,
        note.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::NotFound);
    }
    let act = Act {
        act: "hypothesis.argue",
        object: ("hypothesis", hypothesis_id.to_string()),
        reason: Some(note.trim().to_owned()),
        detail: json!({ "evidence": evidence_id, "supports": supports }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

/// Records a claim about one of the four conditions, with the basis it rests on.
///
/// # Errors
/// When the database refuses.
pub async fn record(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    claim: &Claim,
    basis: &Basis,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    let condition = claim.condition().id();
    sqlx::query!(
        "insert into condition_record (id, case_id, number, condition, claim, basis, basis_digest, by_person, at)
         select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6, $7, $8
         from condition_record where case_id = $2",
        id,
        case_id,
        condition,
        Json(claim) as _,
        Json(basis) as _,
        basis.digest(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "condition.record",
        object: ("condition", id.to_string()),
        after: Some(basis.digest()),
        detail: json!({ "condition": condition, "claim": claim }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await?;
    Ok(id)
}

/// Takes a recorded claim back.
///
/// # Errors
/// `NotFound` when it is not of this case, `Refused` when it was taken back before.
pub async fn retract(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    record_id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "insert into condition_retraction (record_id, reason, by_person, at)
         select id, $3, $4, $5 from condition_record where id = $2 and case_id = $1",
        case_id,
        record_id,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::NotFound);
    }
    let act = Act {
        act: "condition.retract",
        object: ("condition", record_id.to_string()),
        reason: Some(reason.trim().to_owned()),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}

/// Adds a comment. It never changes a gate.
///
/// # Errors
/// `Refused` when it is empty or too long.
pub async fn comment(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    text: &str,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into case_comment (id, case_id, text, by_person, at) values ($1, $2, $3, $4, $5)",
        id,
        case_id,
        text.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "case.comment",
        object: ("comment", id.to_string()),
        detail: json!({ "text": text.trim() }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await?;
    Ok(id)
}
