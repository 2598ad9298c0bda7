//! Samples of a running canary, posted by a program. What they make due is done at once: a
//! threshold that triggers recalls the change. The program never decides that; the samples do.

use super::{Caller, json};
use crate::ladder::canary::Sample;
use crate::ladder::scope::Scope;
use crate::store::canary::{self, Source};
use crate::web::changes::change_of;
use crate::web::{App, Error, Result, say};
use axum::{
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use serde::Deserialize;
use serde_json::json;

/// What is posted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    samples: Vec<Sample>,
}

/// `POST /api/v1/cases/{case}/changes/{change}/samples`: all samples are taken or none; one that is
/// known already is ignored.
///
/// # Errors
/// A problem that names the sample by its place.
pub async fn post(
    State(app): State<App>,
    caller: Caller,
    Path((label, change)): Path<(String, String)>,
    body: Bytes,
) -> Result<Response> {
    caller.may(Scope::PostCanary)?;
    let mut tx = app.begin().await?;
    let case = caller.locked(&mut tx, &label).await?;
    let change = change_of(&case, &change)?;
    if let Some(before) = caller.claim(&mut tx, "canary.samples", &body).await? {
        return Ok(before);
    }
    let sent: Sent = json(&body)?;
    if sent.samples.is_empty() {
        return Err(Error::Field("samples", "at least one sample".to_owned()));
    }
    let (ids, now) = ((case.id, change.id), caller.visit.now);
    let actor = &caller.actor;
    let posted =
        canary::post_samples(&mut tx, actor, ids, &sent.samples, Source::Token, now).await?;
    if let Some((place, why)) = posted.refused.first() {
        let lang = caller.visit.asked_lang;
        let said: Vec<String> = why.iter().map(|s| say::sentence(lang, s)).collect();
        let words = format!("number {place}: {}", said.join(" "));
        return Err(Error::Field("samples", words));
    }
    let answer = json!({ "taken": posted.taken, "known": posted.known, "late": posted.late });
    let answer = caller.answer(&mut tx, StatusCode::OK, answer).await?;
    app.commit(tx).await?;
    Ok(answer)
}
