//! Runs and their statements. A correction is a new statement; the old one is kept.

use super::audit::{self, Act, Actor};
use super::{Error, Result, cases};
use crate::ladder::environment::Environment;
use crate::ladder::run::{Phase, Profiled, RunRole, Statement};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// Records a run with its first statement.
///
/// # Errors
/// `Refused` when the window ends before it begins.
pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    stated: &Statement,
    now: DateTime<Utc>,
) -> Result<(Uuid, i32)> {
    let (id, by) = (Uuid::now_v7(), actor.person()?);
    let number = sqlx::query_scalar!(
        "insert into run (id, case_id, number, by_person, at)
         select $1, $2, coalesce(max(number), 0) + 1, $3, $4 from run where case_id = $2 returning number",
        id,
        case_id,
        by,
        now
    )
    .fetch_one(&mut *conn)
    .await?;
    insert_statement(conn, id, 1, stated, None, by, now).await?;
    let act = Act {
        act: "run.create",
        object: ("run", id.to_string()),
        case_id: Some(case_id),
        after: Some(crate::ladder::digest(stated)),
        detail: json!({ "number": number, "stated": stated }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await?;
    Ok((id, number))
}

/// Corrects what was stated about a run, as read at statement `number`.
///
/// # Errors
/// `Conflict` when somebody corrected it since, `NotFound` when it is not of this case.
#[allow(clippy::too_many_arguments)] // one row's own fields
pub async fn correct(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    run_id: Uuid,
    number: i32,
    stated: &Statement,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let by = actor.person()?;
    let last = sqlx::query_scalar!(
        r#"select max(s.number) as "last!" from run_statement s join run r on r.id = s.run_id
           where r.id = $1 and r.case_id = $2 having max(s.number) is not null"#,
        run_id,
        case_id
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::NotFound)?;
    if last != number {
        return Err(Error::Conflict);
    }
    insert_statement(conn, run_id, last + 1, stated, Some(reason.trim()), by, now)
        .await
        .map_err(|e| match e {
            Error::Refused { constraint, .. } if constraint == "run_statement_pkey" => {
                Error::Conflict
            }
            other => other,
        })?;
    let act = Act {
        act: "run.correct",
        object: ("run", run_id.to_string()),
        case_id: Some(case_id),
        after: Some(crate::ladder::digest(stated)),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "statement": last + 1, "stated": stated }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await
}

async fn insert_statement(
    conn: &mut PgConnection,
    run_id: Uuid,
    number: i32,
    stated: &Statement,
    reason: Option<&str>,
    by: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into run_statement (run_id, number, role, phase, profiled, contract_version_id, environment,
           environment_digest, class, band, started_at, ended_at, note, reason, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        run_id,
        number,
        stated.role.id(),
        stated.phase.id(),
        stated.profiled.id(),
        stated.contract_version_id,
        Json(&stated.environment) as _,
        stated.environment.digest(),
        stated.class,
        stated.band,
        stated.window.map(|w| w.0),
        stated.window.map(|w| w.1),
        stated.note.trim(),
        reason,
        by,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// What was stated about a run of this case at statement `number`.
///
/// # Errors
/// `NotFound`; `Inconsistent` when a word of it is unknown.
pub async fn statement(
    conn: &mut PgConnection,
    case_id: Uuid,
    run_id: Uuid,
    number: i32,
) -> Result<Statement> {
    let r = sqlx::query!(
        r#"select s.role, s.phase, s.profiled, s.contract_version_id, s.environment as "environment: Json<Environment>",
                  s.class, s.band, s.started_at, s.ended_at, s.note
           from run_statement s join run r on r.id = s.run_id
           where r.case_id = $1 and r.id = $2 and s.number = $3"#,
        case_id,
        run_id,
        number
    )
    .fetch_one(conn)
    .await?;
    let odd = |what: &str| Error::Inconsistent {
        table: "run_statement",
        id: run_id.to_string(),
        what: what.to_owned(),
    };
    Ok(Statement {
        role: RunRole::from_id(&r.role).ok_or_else(|| odd(&r.role))?,
        phase: Phase::from_id(&r.phase).ok_or_else(|| odd(&r.phase))?,
        profiled: Profiled::from_id(&r.profiled).ok_or_else(|| odd(&r.profiled))?,
        contract_version_id: r.contract_version_id,
        environment: r.environment.0,
        class: r.class,
        band: r.band,
        window: r.started_at.zip(r.ended_at),
        note: r.note,
    })
}
