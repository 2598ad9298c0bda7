//! Cases for programs: opened from an alert, read with their gate, and the decisions of people.

use super::{Caller, json};
use crate::ladder::case::{CaseState, Symptom, label};
use crate::ladder::gate::{self, Target};
use crate::ladder::scope::Scope;
use crate::ladder::{CaseFile, Statistic};
use crate::store::cases::NewCase;
use crate::store::{cases, decisions, services};
use crate::web::changes::judging;
use crate::web::{App, Error, Result, say};
use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use chrono::{DateTime, Utc};
use pel_evidence::catalogue;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

/// An alert that opens a case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alert {
    title: String,
    /// Name of the service.
    service: String,
    #[serde(default)]
    problem: String,
    #[serde(default)]
    symptom: Seen,
    first_seen: DateTime<Utc>,
    #[serde(default)]
    classes: Vec<String>,
}

/// What the alert saw.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Seen {
    signal: Option<String>,
    statistic: Option<Statistic>,
    /// Base unit of the signal.
    observed: Option<f64>,
    text: String,
}

fn fault(field: &'static str, words: impl Into<String>) -> Error {
    Error::Field(field, words.into())
}

impl Alert {
    fn checked(&self, now: DateTime<Utc>) -> Result<()> {
        let title = self.title.trim();
        if !(3..=200).contains(&title.chars().count())
            || title.chars().any(crate::web::form::is_invisible)
        {
            return Err(fault("title", "3 to 200 visible characters"));
        }
        if self.problem.chars().count() > 10_000 {
            return Err(fault("problem", "at most 10 000 characters"));
        }
        if self.first_seen > now {
            return Err(fault("first_seen", "a time that has passed"));
        }
        let symptom = &self.symptom;
        match &symptom.signal {
            Some(name) if catalogue::find(name).is_none() => Err(fault(
                "symptom.signal",
                "a signal of the catalogue, see /help",
            )),
            None if symptom.text.trim().is_empty() => Err(fault(
                "symptom",
                "a signal, or a text that says what was seen",
            )),
            _ if symptom.observed.is_some_and(|v| !v.is_finite()) => Err(fault(
                "symptom.observed",
                "a finite number in the signal's base unit",
            )),
            _ => Ok(()),
        }
    }
}

/// `POST /api/v1/cases`
///
/// # Errors
/// A problem that names the field.
pub async fn open(State(app): State<App>, caller: Caller, body: Bytes) -> Result<Response> {
    caller.may(Scope::OpenCases)?;
    let now = caller.visit.now;
    let mut tx = app.begin().await?;
    if let Some(before) = caller.claim(&mut tx, "case.open", &body).await? {
        return Ok(before);
    }
    let alert: Alert = json(&body)?;
    alert.checked(now)?;
    let known = services::list(&mut tx).await?;
    let reached = |id: Uuid| caller.token.service_id.is_none_or(|own| own == id);
    let service = known
        .iter()
        .find(|s| s.name == alert.service.trim() && reached(s.id))
        .ok_or_else(|| fault("service", "the name of a service this token reaches"))?;
    if caller.token.case_id.is_some() {
        return Err(Error::Scope(Scope::OpenCases));
    }
    if let Some(class) = alert.classes.iter().find(|c| !service.classes.contains(c)) {
        let words = format!("{class:?} is no task class of {}", service.name);
        return Err(fault("classes", words));
    }
    let new = NewCase {
        title: alert.title,
        service_id: service.id,
        problem: alert.problem,
        symptom: Symptom {
            signal: alert.symptom.signal,
            statistic: alert.symptom.statistic,
            observed: alert.symptom.observed,
            text: alert.symptom.text,
        },
        first_seen: alert.first_seen,
        classes: alert.classes,
        contract_version_id: None,
        own: false,
    };
    let (_, number) = cases::open(&mut tx, &caller.actor, &new, now).await?;
    let label = label(number);
    let path = format!("/cases/{label}");
    let answer = json!({ "case": label, "url": app.link(&caller.visit, &path) });
    let answer = caller.answer(&mut tx, StatusCode::CREATED, answer).await?;
    app.commit(tx).await?;
    Ok(answer)
}

fn summary(case: &CaseFile) -> Value {
    let changes: Vec<Value> = case
        .changes
        .iter()
        .map(|c| {
            let revision = c.current();
            json!({
                "change": c.label(),
                "state": c.state.id(),
                "since": c.state_since,
                "revision": revision.map(|r| r.number),
                "digest": revision.map(|r| &r.digest),
            })
        })
        .collect();
    let contract = case
        .contract
        .as_ref()
        .map(|v| json!({ "name": v.contract_name, "version": v.number, "digest": v.digest }));
    json!({
        "case": case.label(),
        "title": case.title,
        "service": case.service.1,
        "state": case.state.id(),
        "since": case.state_since,
        "outcome": case.outcome.map(|o| o.id()),
        "owner": case.owner.map(|id| case.name_of(id)),
        "first_seen": case.first_seen,
        "contract": contract,
        "changes": changes,
        "version": case.problem_version,
    })
}

/// `GET /api/v1/cases/{case}`
///
/// # Errors
/// Not found, also for a case this token does not reach.
pub async fn get(
    State(app): State<App>,
    caller: Caller,
    Path(label): Path<String>,
) -> Result<Response> {
    caller.may(Scope::ReadGate)?;
    let mut conn = app.conn().await?;
    let case = caller.case_of(&mut conn, &label).await?;
    let mut answer = Json(summary(&case)).into_response();
    let tag = format!("\"{}\"", case.problem_version);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    Ok(answer)
}

/// Which gate is asked for.
#[derive(Debug, Deserialize)]
pub struct Asked {
    #[serde(default)]
    target: Option<String>,
}

/// `GET /api/v1/cases/{case}/gate?target=accept`: judged now, line by line, in words and as data.
///
/// # Errors
/// Not found; a problem that names the targets.
pub async fn gate(
    State(app): State<App>,
    caller: Caller,
    Path(label): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    caller.may(Scope::ReadGate)?;
    let target = match asked.target.as_deref().unwrap_or("accept") {
        "submit" => Target::Submit,
        "approve" => Target::Approve,
        "start_canary" => Target::StartCanary,
        "accept" => Target::Accept,
        _ => return Err(fault("target", "submit, approve, start_canary or accept")),
    };
    let mut conn = app.conn().await?;
    let case = caller.case_of(&mut conn, &label).await?;
    let checks = judging::checks(&mut conn, case.id).await?;
    let gate = gate::judge(&case, &case.policy, target, &checks, caller.visit.now);
    let lang = caller.visit.asked_lang;
    let lines: Vec<Value> = gate
        .lines
        .iter()
        .map(|l| {
            let said: Vec<String> = l.sentences.iter().map(|s| say::sentence(lang, s)).collect();
            json!({
                "id": l.id,
                "requirement": crate::i18n::text(lang, &l.requirement, &[]),
                "status": l.status,
                "satisfied": l.status.is_satisfied(),
                "said": said,
                "inputs": l.inputs.iter().map(|i| &i.label).collect::<Vec<_>>(),
            })
        })
        .collect();
    let ready = gate.ready && case.state != CaseState::Closed;
    Ok(Json(json!({
        "case": case.label(),
        "change": case.live_change().map(|c| c.label()),
        "target": target.id(),
        "ready": ready,
        "headline": say::sentence(lang, &gate.headline()),
        "judged_at": gate.at,
        "policy": gate.policy,
        "basis": gate.basis.digest(),
        "lines": lines,
    }))
    .into_response())
}

/// `GET /api/v1/decisions/{id}`: the sealed record as it was written.
///
/// # Errors
/// Not found, also for a case this token does not reach.
pub async fn decision(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Response> {
    caller.may(Scope::ReadGate)?;
    let mut conn = app.conn().await?;
    let decision = decisions::get(&mut conn, id, Uuid::nil()).await?;
    let case = crate::store::case_file::load(&mut conn, decision.case_id).await?;
    caller.reaches(&case)?;
    Ok(Json(decision.record).into_response())
}
