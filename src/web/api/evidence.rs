//! Evidence for programs: one file as the raw body, or several as a form, streamed to the store.

use super::Caller;
use crate::intake::blobs::{Digest, Stored};
use crate::intake::{reading, receive};
use crate::ladder::evidence::EvidenceFile;
use crate::ladder::run::Run;
use crate::ladder::scope::Scope;
use crate::store::evidence;
use crate::web::runs::run_of;
use crate::web::{App, Error, Result};
use axum::{
    extract::{FromRequest as _, Multipart, Path, Query, Request, State},
    http::{StatusCode, header},
    response::Response,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// What stands in the address of a raw upload.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Named {
    /// Name of the file.
    name: String,
    /// Its digest, when the sender knows it: a mismatch is refused.
    sha256: Option<String>,
}

fn refused(caller: &Caller, name: &str, why: &receive::Refused) -> Error {
    let args: Vec<(&str, &str)> = why
        .args
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    let lang = caller.visit.asked_lang;
    let say = |key: &str| crate::i18n::text(lang, key, &args);
    let words = format!(
        "{name}: {} {}",
        say(why.code),
        say(&format!("{}-remedy", why.code))
    );
    match why.ours {
        true => Error::Unavailable(words),
        false => Error::Field("file", words),
    }
}

/// `POST /api/v1/cases/{case}/runs/{run}/evidence`: the body is the file, or a form of files. All
/// of it is attached or none.
///
/// # Errors
/// A problem that names the file; 409 when the case has the same bytes already.
pub async fn attach(
    State(app): State<App>,
    caller: Caller,
    Path((label, run)): Path<(String, String)>,
    Query(named): Query<Named>,
    request: Request,
) -> Result<Response> {
    caller.may(Scope::AttachEvidence)?;
    // The case is looked at before a byte is taken.
    let mut conn = app.conn().await?;
    let case = caller.case_of(&mut conn, &label).await?;
    drop(conn);
    crate::web::runs::open(&case)?;
    run_of(&case, &run)?;
    let stored = receive_all(&app, &caller, &named, request).await?;
    let mut tx = app.begin().await?;
    let case = caller.locked(&mut tx, &label).await?;
    let run: &Run = run_of(&case, &run)?;
    let told = serde_json::to_vec(&stored.iter().map(file_of).collect::<Vec<_>>());
    let told = told.map_err(Error::internal)?;
    if let Some(before) = caller.claim(&mut tx, "evidence.attach", &told).await? {
        return Ok(before);
    }
    let mut items: Vec<Value> = Vec::new();
    for kept in &stored {
        let files = [file_of(kept)];
        let now = caller.visit.now;
        let (id, number) =
            evidence::attach(&mut tx, &caller.actor, case.id, run.id, &files, now).await?;
        reading::enqueue(&mut tx, id, now).await?;
        items.push(json!({
            "evidence": format!("EV-{number}"),
            "name": files[0].name,
            "sha256": files[0].sha256,
            "bytes": files[0].bytes,
        }));
    }
    let answer = json!({ "run": run.label(), "items": items });
    let answer = caller.answer(&mut tx, StatusCode::CREATED, answer).await?;
    app.commit_settled(tx, case.id, caller.visit.now).await?;
    Ok(answer)
}

fn file_of((name, stored): &(String, Stored)) -> EvidenceFile {
    EvidenceFile {
        name: name.clone(),
        sha256: stored.sha256.to_string(),
        bytes: stored.bytes,
    }
}

async fn receive_all(
    app: &App,
    caller: &Caller,
    named: &Named,
    request: Request,
) -> Result<Vec<(String, Stored)>> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let form = kind.is_some_and(|k| k.as_bytes().starts_with(b"multipart/form-data"));
    let received = if form {
        let Ok(mut multipart) = Multipart::from_request(request, app).await else {
            return Err(Error::Field("file", "a form with files".to_owned()));
        };
        let form = receive::form(&app.blobs, &mut multipart, app.rules, &mut |_, _| {}).await;
        form.map_err(|why| refused(caller, "form", &why))?.files
    } else {
        let expected = match &named.sha256 {
            None => None,
            Some(hex) => Some(
                hex.parse::<Digest>()
                    .map_err(|_| Error::Field("sha256", "64 hexadecimal digits".to_owned()))?,
            ),
        };
        let stream = request.into_body().into_data_stream();
        let limit = app.rules.file_bytes;
        vec![
            receive::file(
                &app.blobs,
                &named.name,
                stream,
                limit,
                expected,
                &mut |_| {},
            )
            .await,
        ]
    };
    if received.is_empty() {
        return Err(Error::Field("file", "at least one file".to_owned()));
    }
    received
        .into_iter()
        .map(|file| match file.result {
            Ok(stored) => Ok((file.name, stored)),
            Err(why) => Err(refused(caller, &file.name, &why)),
        })
        .collect()
}
