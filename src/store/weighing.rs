//! Distributions and what was calculated from them.

use super::jobs;
use super::{Error, Result, cases};
use crate::ladder::run::Phase;
use crate::ladder::weigh::{Asked, Calculated, Curve};
use chrono::{DateTime, Utc};
use pel_evidence::{Data, Distribution};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;
use sqlx::types::Json;
use std::collections::HashMap;
use uuid::Uuid;

/// Kind of the job that calculates a case's comparisons.
pub const KIND: &str = "weigh_case";
/// Attempts of the job.
const ATTEMPTS: i32 = 5;

/// Runs to compare that somebody chose, beside those the gate compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// Phase of both sides.
    pub phase: Phase,
    /// Baseline.
    pub baseline: Vec<Uuid>,
    /// Candidate.
    pub candidate: Vec<Uuid>,
}

/// What the job is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Case.
    pub case_id: Uuid,
    /// Chosen runs; `None` = those the gate compares alone.
    pub chosen: Option<Chosen>,
}

/// Keeps the distributions of an extraction.
///
/// # Errors
/// When the database refuses.
pub(super) async fn keep(
    conn: &mut PgConnection,
    extraction_id: Uuid,
    distributions: &[Distribution],
) -> Result<()> {
    for (i, d) in distributions.iter().enumerate() {
        let (form, data) = (d.data.form(), d.data.to_bytes());
        let digest = Sha256::new()
            .chain_update(form)
            .chain_update(&data)
            .finalize();
        sqlx::query!(
            "insert into distribution (extraction_id, ordinal, signal, labels, form, n, data, digest)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
            extraction_id,
            i32::try_from(i + 1).unwrap_or(i32::MAX),
            d.name,
            Json(&d.labels) as _,
            form,
            i64::try_from(d.data.len()).unwrap_or(i64::MAX),
            data,
            hex::encode(digest)
        )
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

/// Asks for the case's comparisons to be calculated, when it has distributions at all. One
/// waiting job is enough; one that works already may have begun too early to see what is new.
///
/// # Errors
/// When the database refuses.
pub(super) async fn want(conn: &mut PgConnection, case_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    let payload = json!(Task {
        case_id,
        chosen: None
    });
    let wanted = sqlx::query_scalar!(
        r#"select exists (select from evidence e join extraction x on x.evidence_id = e.id
                   join distribution d on d.extraction_id = x.id where e.case_id = $1)
           and not exists (select from job where kind = $2 and done_at is null and dead_at is null
                   and leased_by is null and payload = $3) as "wanted!""#,
        case_id,
        KIND,
        payload
    )
    .fetch_one(&mut *conn)
    .await?;
    if wanted {
        enqueue(conn, payload, None, now).await?;
    }
    Ok(())
}

/// Asks for chosen runs to be compared.
///
/// # Errors
/// When the database refuses.
pub async fn want_chosen(
    conn: &mut PgConnection,
    case_id: Uuid,
    chosen: Chosen,
    now: DateTime<Utc>,
) -> Result<()> {
    let task = Task {
        case_id,
        chosen: Some(chosen),
    };
    let key = crate::ladder::digest(&task);
    enqueue(conn, json!(task), Some(&key), now).await
}

/// Whether a calculation of the case waits or is under way.
///
/// # Errors
/// When the database cannot be read.
pub async fn is_busy(conn: &mut PgConnection, case_id: Uuid) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from job where kind = $1 and done_at is null and dead_at is null
             and payload ->> 'case_id' = $2) as "busy!""#,
        KIND,
        case_id.to_string()
    )
    .fetch_one(conn)
    .await?)
}

async fn enqueue(
    conn: &mut PgConnection,
    payload: serde_json::Value,
    once_key: Option<&str>,
    now: DateTime<Utc>,
) -> Result<()> {
    let job = jobs::NewJob {
        kind: KIND,
        payload,
        once_key,
        run_after: now,
        max_attempts: ATTEMPTS,
    };
    jobs::enqueue(conn, &job, now).await?;
    Ok(())
}

/// The observations with these digests that belong to the case.
///
/// # Errors
/// `Inconsistent` for a row that cannot be read.
pub async fn observations(
    conn: &mut PgConnection,
    case_id: Uuid,
    digests: &[String],
) -> Result<HashMap<String, Data>> {
    let rows = sqlx::query!(
        "select distinct on (d.digest) d.digest, d.form, d.data
         from distribution d join extraction x on x.id = d.extraction_id
         join evidence e on e.id = x.evidence_id
         where e.case_id = $1 and d.digest = any($2)
         order by d.digest",
        case_id,
        digests
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| match Data::from_bytes(&r.form, &r.data) {
            Some(data) => Ok((r.digest, data)),
            None => Err(Error::Inconsistent {
                table: "distribution",
                id: r.digest,
                what: "its bytes are no distribution".to_owned(),
            }),
        })
        .collect()
}

/// Keeps a result; the first one stays when there is one of the basis.
///
/// # Errors
/// When the database refuses.
pub async fn keep_result(
    conn: &mut PgConnection,
    case_id: Uuid,
    asked: &Asked,
    result: &Calculated,
    curve: &Curve,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into comparison_result (id, case_id, basis_digest, asked, result, curves, app_version, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict on constraint comparison_result_once do nothing",
        Uuid::now_v7(),
        case_id,
        result.basis,
        Json(asked) as _,
        Json(result) as _,
        Json(curve) as _,
        env!("CARGO_PKG_VERSION"),
        now
    )
    .execute(&mut *conn)
    .await?;
    cases::touch(conn, case_id, now).await
}

/// The curves kept for these bases, by basis.
///
/// # Errors
/// When the database cannot be read.
pub async fn curves(
    conn: &mut PgConnection,
    case_id: Uuid,
    bases: &[String],
) -> Result<HashMap<String, Curve>> {
    let rows = sqlx::query!(
        r#"select basis_digest, curves as "curves: Json<Curve>" from comparison_result
           where case_id = $1 and basis_digest = any($2)"#,
        case_id,
        bases
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| (r.basis_digest, r.curves.0))
        .collect())
}
