//! What people vouch for: contradicted statements that a reviewer accepts, numbers that somebody
//! attests, and the countersignatures that make them count. All of it is appended.

use super::audit::{Act, Actor};
use super::cases::say;
use super::{Error, Result};
use crate::ladder::evidence::{Contradiction, Evidence};
use chrono::{DateTime, Utc};
use pel_evidence::Signal;
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// Accepts a statement that the content of `item` contradicts, as it stands.
///
/// # Errors
/// `Refused` by `acceptance_by_outside_reviewer` when the person has a hand in the case, the run or
/// the item.
pub async fn accept_contradiction(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    item: &Evidence,
    of: &Contradiction,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into contradiction_acceptance (id, case_id, run_id, evidence_id, field, stated, found, code,
           reason, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        id,
        case_id,
        item.run_id,
        item.id,
        of.field,
        of.stated,
        of.found,
        of.code,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "contradiction.accept",
        object: ("evidence", item.id.to_string()),
        after: Some(crate::ladder::digest(of)),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "contradiction": of, "run": item.run_id }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await?;
    Ok(id)
}

/// A number as somebody attests it.
#[derive(Debug, Clone)]
pub struct NewAttested<'a> {
    /// Case.
    pub case_id: Uuid,
    /// The run it speaks for.
    pub run_id: Uuid,
    /// The file it stands in.
    pub evidence_id: Uuid,
    /// The number in its base unit, with its samples.
    pub signal: &'a Signal,
    /// Value and unit as typed.
    pub typed: (&'a str, &'a str),
    /// Task class; `None` = the run's own.
    pub class: Option<&'a str>,
    /// The stretch of time it speaks for.
    pub window: (DateTime<Utc>, DateTime<Utc>),
    /// Where in the file it stands.
    pub place: &'a str,
}

/// Attests a number. Answers with its id and its number inside the case.
///
/// # Errors
/// `Refused` when a part is missing, the window lies ahead, or the file is not kept for it.
pub async fn attest(
    conn: &mut PgConnection,
    actor: &Actor,
    new: &NewAttested<'_>,
    now: DateTime<Utc>,
) -> Result<(Uuid, i32)> {
    let id = Uuid::now_v7();
    let number = sqlx::query_scalar!(
        "insert into attested_signal (id, case_id, number, run_id, evidence_id, signal, typed_value, typed_unit,
           class, started_at, ended_at, place, by_person, at)
         select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
         from attested_signal where case_id = $2 returning number",
        id,
        new.case_id,
        new.run_id,
        new.evidence_id,
        Json(new.signal) as _,
        new.typed.0.trim(),
        new.typed.1.trim(),
        new.class,
        new.window.0,
        new.window.1,
        new.place.trim(),
        actor.person()?,
        now
    )
    .fetch_one(&mut *conn)
    .await?;
    let act = Act {
        act: "signal.attest",
        object: ("attested", id.to_string()),
        after: Some(crate::ladder::digest(new.signal)),
        reason: Some(new.place.trim().to_owned()),
        detail: json!({ "number": number, "signal": new.signal, "evidence": new.evidence_id, "run": new.run_id,
                        "class": new.class, "typed": new.typed }),
        ..Act::default()
    };
    say(conn, actor, new.case_id, act, now).await?;
    Ok((id, number))
}

/// Countersigns an attested number of the case, or declines it.
///
/// # Errors
/// `NotFound` when it is not of this case; `Refused` by `countersigned_by_outside_reviewer` when
/// the person has a hand in it.
pub async fn answer(
    conn: &mut PgConnection,
    actor: &Actor,
    (case_id, attested): (Uuid, Uuid),
    agrees: bool,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "insert into attested_answer (id, attested_id, agrees, reason, by_person, at)
         select $1, id, $4, $5, $6, $7 from attested_signal where id = $2 and case_id = $3",
        Uuid::now_v7(),
        attested,
        case_id,
        agrees,
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
        act: if agrees {
            "signal.countersign"
        } else {
            "signal.decline"
        },
        object: ("attested", attested.to_string()),
        reason: Some(reason.trim().to_owned()).filter(|r| !r.is_empty()),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await
}
