//! Runs for programs: stated, and corrected as they were read (`If-Match`).

use super::{Caller, json};
use crate::ladder::CaseFile;
use crate::ladder::environment::Environment;
use crate::ladder::run::{Phase, Profiled, Run, RunRole, Statement};
use crate::ladder::scope::Scope;
use crate::store::runs;
use crate::web::runs::run_of;
use crate::web::{App, Error, Result};
use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A run as a program states it. What is not stated is unknown, and blocks the gate by name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    role: RunRole,
    phase: Phase,
    profiled: Profiled,
    /// Whether it was taken under the contract version that the case pins.
    #[serde(default)]
    under_contract: bool,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    class: Option<String>,
    #[serde(default)]
    band: Option<String>,
    #[serde(default)]
    start: Option<DateTime<Utc>>,
    #[serde(default)]
    end: Option<DateTime<Utc>>,
    #[serde(default)]
    note: String,
    /// Why it is corrected.
    #[serde(default)]
    reason: String,
}

fn fault(field: &'static str, words: &str) -> Error {
    Error::Field(field, words.to_owned())
}

impl Stated {
    fn statement(self, case: &CaseFile, now: DateTime<Utc>) -> Result<Statement> {
        let window = match (self.start, self.end) {
            (None, None) => None,
            (Some(_), Some(end)) if end > now + TimeDelta::minutes(5) => {
                return Err(fault("end", "a time that has passed"));
            }
            (Some(start), Some(end)) if start < end => Some((start, end)),
            _ => return Err(fault("end", "start and end, the end after the start")),
        };
        let plain = |k: &str| {
            (1..=80).contains(&k.len())
                && k.chars()
                    .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        };
        let odd = |(k, v): (&String, &String)| !plain(k) || v.len() > 300 || v.trim().is_empty();
        if self.environment.iter().any(odd) {
            return Err(fault(
                "environment",
                "keys of letters, digits, '.', '_' and '-', with values",
            ));
        }
        for (field, text) in [("class", &self.class), ("band", &self.band)] {
            let text = text.as_deref().unwrap_or_default();
            if text.chars().count() > 80 || text.chars().any(char::is_control) {
                return Err(fault(field, "at most 80 characters"));
            }
        }
        if self.note.chars().count() > 2000 {
            return Err(fault("note", "at most 2000 characters"));
        }
        let contract = case.contract.as_ref().filter(|_| self.under_contract);
        if self.under_contract && contract.is_none() {
            return Err(fault(
                "under_contract",
                "false: the case pins no contract yet",
            ));
        }
        Ok(Statement {
            role: self.role,
            phase: self.phase,
            profiled: self.profiled,
            contract_version_id: contract.map(|v| v.id),
            environment: Environment {
                facts: self.environment,
            },
            class: self.class,
            band: self.band,
            window,
            note: self.note.trim().to_owned(),
        })
    }
}

fn shown(run: &str, number: i32, stated: &Statement) -> Value {
    json!({ "run": run, "statement": number, "stated": stated })
}

fn tagged(mut answer: Response, number: i32) -> Response {
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{number}\"")) {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    answer
}

/// `POST /api/v1/cases/{case}/runs`
///
/// # Errors
/// A problem that names the field.
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    Path(label): Path<String>,
    body: Bytes,
) -> Result<Response> {
    caller.may(Scope::AttachEvidence)?;
    let now = caller.visit.now;
    let mut tx = app.begin().await?;
    let case = caller.locked(&mut tx, &label).await?;
    if let Some(before) = caller.claim(&mut tx, "run.create", &body).await? {
        return Ok(before);
    }
    let stated = json::<Stated>(&body)?.statement(&case, now)?;
    let (_, number) = runs::create(&mut tx, &caller.actor, case.id, &stated, now).await?;
    let answer = shown(&format!("R-{number}"), 1, &stated);
    let answer = caller.answer(&mut tx, StatusCode::CREATED, answer).await?;
    app.commit_settled(tx, case.id, now).await?;
    Ok(tagged(answer, 1))
}

/// `GET /api/v1/cases/{case}/runs/{run}`: what is stated now; `ETag` is the statement's number.
///
/// # Errors
/// Not found.
pub async fn get(
    State(app): State<App>,
    caller: Caller,
    Path((label, run)): Path<(String, String)>,
) -> Result<Response> {
    caller.may(Scope::AttachEvidence)?;
    let mut conn = app.conn().await?;
    let case = caller.case_of(&mut conn, &label).await?;
    let run = run_of(&case, &run)?;
    let answer = Json(shown(&run.label(), run.statement_number, &run.stated));
    Ok(tagged(answer.into_response(), run.statement_number))
}

/// The statement number that `If-Match` names.
fn matched(headers: &HeaderMap) -> Result<i32> {
    let Some(sent) = headers.get(header::IF_MATCH) else {
        return Err(Error::Status(StatusCode::PRECONDITION_REQUIRED));
    };
    let text = sent.to_str().unwrap_or_default().trim();
    let number = text.trim_matches('"').parse();
    number.map_err(|_| {
        fault(
            "If-Match",
            "the ETag of the run as it was read, such as \"1\"",
        )
    })
}

/// `PUT /api/v1/cases/{case}/runs/{run}`: a new statement about the run, as read at `If-Match`.
///
/// # Errors
/// 428 without `If-Match`; 409 with what is stated now when somebody corrected it since.
pub async fn correct(
    State(app): State<App>,
    caller: Caller,
    Path((label, run)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response> {
    caller.may(Scope::AttachEvidence)?;
    let read = matched(&headers)?;
    let now = caller.visit.now;
    let mut tx = app.begin().await?;
    let case = caller.locked(&mut tx, &label).await?;
    if let Some(before) = caller.claim(&mut tx, "run.correct", &body).await? {
        return Ok(before);
    }
    let found: &Run = run_of(&case, &run)?;
    let typed: Stated = json(&body)?;
    let reason = typed.reason.trim().to_owned();
    let stated = typed.statement(&case, now)?;
    if read != found.statement_number {
        // The same three as on the page: yours, theirs and what both began with.
        let base = runs::statement(&mut tx, case.id, found.id, read).await.ok();
        let answer = json!({
            "type": "/help/problems#conflict",
            "title": "Corrected meanwhile",
            "status": 409,
            "detail": "Somebody corrected this run since it was read. Merge, then send again with the ETag of theirs.",
            "yours": stated,
            "theirs": shown(&run, found.statement_number, &found.stated),
            "base": base,
        });
        return Ok(tagged(
            (StatusCode::CONFLICT, Json(answer)).into_response(),
            found.statement_number,
        ));
    }
    if crate::web::form::visible(&reason) < 5 {
        return Err(fault(
            "reason",
            "at least 5 characters: why it is corrected",
        ));
    }
    let of = (case.id, found.id);
    runs::correct(
        &mut tx,
        &caller.actor,
        of.0,
        of.1,
        read,
        &stated,
        &reason,
        now,
    )
    .await?;
    let answer = shown(&run, read + 1, &stated);
    let answer = caller.answer(&mut tx, StatusCode::OK, answer).await?;
    app.commit_settled(tx, case.id, now).await?;
    Ok(tagged(answer, read + 1))
}
