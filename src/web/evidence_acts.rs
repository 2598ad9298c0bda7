//! What people do with an evidence item: withdraw it, set it aside, have it read again, download
//! its bytes, take its reading as JSON.

use super::runs::number_of;
use super::visit::Visit;
use super::{App, Error, Page, Reader, Result, knowing};
use crate::intake::blobs::Digest;
use crate::intake::reading;
use crate::ladder::evidence::{Evidence, EvidenceState};
use crate::ladder::policy::Act;
use crate::ladder::{CaseFile, CaseState};
use crate::store::{audit, case_file, cases, evidence};
use axum::Json;
use axum::body::Body;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgConnection;

/// The case an item belongs to, and the item.
///
/// # Errors
/// `NotFound` when there is none with this label.
pub async fn find(
    conn: &mut PgConnection,
    reader: &Reader,
    label: &str,
) -> Result<(CaseFile, Evidence)> {
    let number = number_of(label, "EV").ok_or(Error::NotFound)?;
    let (id, case_id) = evidence::by_number(conn, number).await?;
    let case = case_file::load(conn, case_id).await?;
    let case = knowing::read(conn, reader, case).await?;
    let item = case.item(id).cloned().ok_or(Error::NotFound)?;
    Ok((case, item))
}

/// The same, of an open case that is held until the transaction ends. The lock orders an act
/// against a decision that rests on the item: whichever commits second sees the other.
pub(super) async fn held(
    conn: &mut PgConnection,
    reader: &Reader,
    label: &str,
) -> Result<(CaseFile, Evidence)> {
    let number = number_of(label, "EV").ok_or(Error::NotFound)?;
    let (id, case_id) = evidence::by_number(conn, number).await?;
    cases::lock(conn, case_id).await?;
    let case = knowing::known(reader, case_file::load(conn, case_id).await?)?;
    let item = case.item(id).cloned().ok_or(Error::NotFound)?;
    if case.state == CaseState::Closed {
        return Err(Error::Conflict);
    }
    Ok((case, item))
}

/// A reason, as the forms send it.
#[derive(Debug, Deserialize)]
pub struct Why {
    /// In words.
    #[serde(default)]
    pub reason: String,
}

/// `POST /evidence/{ev}/withdraw`
pub async fn withdraw(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(why): Form<Why>,
) -> Result<Response> {
    let with = (&reader, &page, &visit);
    take_out(
        &app,
        &label,
        with,
        Act::WithdrawEvidence,
        EvidenceState::Withdrawn,
        &why,
    )
    .await
}

/// `POST /evidence/{ev}/set-aside`
pub async fn set_aside(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(why): Form<Why>,
) -> Result<Response> {
    let with = (&reader, &page, &visit);
    take_out(
        &app,
        &label,
        with,
        Act::SetAsideEvidence,
        EvidenceState::SetAside,
        &why,
    )
    .await
}

async fn take_out(
    app: &App,
    label: &str,
    (reader, page, visit): (&Reader, &Page, &Visit),
    act: Act,
    into: EvidenceState,
    why: &Why,
) -> Result<Response> {
    let role = reader.may(act)?;
    if crate::web::form::visible(&why.reason) < 5 {
        return Err(Error::Invalid(page.t("evidence-reason-fault")));
    }
    let mut tx = app.begin().await?;
    let (case, item) = held(&mut tx, reader, label).await?;
    let own = item.added_by == reader.id || case.owner == Some(reader.id);
    if !own {
        // Somebody else's evidence is a reviewer's to judge.
        reader.may(Act::SetAsideEvidence)?;
    }
    let who = reader.actor(visit, Some(role));
    evidence::take_out(
        &mut tx,
        &who,
        case.id,
        item.id,
        into,
        &why.reason,
        visit.now,
    )
    .await?;
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(Redirect::to(&format!("/evidence/{label}")).into_response())
}

/// `POST /evidence/{ev}/reread`: one more extraction, by today's parser; the old ones stay.
pub async fn reread(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    visit: Visit,
) -> Result<Response> {
    let role = reader.may(Act::AttachEvidence)?;
    let mut tx = app.begin().await?;
    let (case, item) = held(&mut tx, &reader, &label).await?;
    if !matches!(
        item.state,
        EvidenceState::Received
            | EvidenceState::Parsing
            | EvidenceState::Usable
            | EvidenceState::Unreadable
    ) || item.attested
    {
        return Err(Error::Conflict);
    }
    let who = reader.actor(&visit, Some(role));
    evidence::read_again(&mut tx, &who, case.id, item.id, visit.now).await?;
    reading::enqueue(&mut tx, item.id, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/evidence/{label}")).into_response())
}

/// `GET /evidence/{ev}/files/{n}`: the bytes as they came. A download is an act of its own in the
/// audit log.
pub async fn download(
    State(app): State<App>,
    Path((label, place)): Path<(String, usize)>,
    reader: Reader,
    visit: Visit,
) -> Result<Response> {
    let role = reader.may(Act::Read)?;
    let mut tx = app.begin().await?;
    let (case, item) = find(&mut tx, &reader, &label).await?;
    let file = place
        .checked_sub(1)
        .and_then(|i| item.files.get(i))
        .ok_or(Error::NotFound)?;
    if item.state == EvidenceState::Purged {
        return Err(Error::Gone);
    }
    let digest: Digest = file
        .sha256
        .parse()
        .map_err(|_| Error::internal("a stored digest is none"))?;
    let bytes = app.blobs.open(digest).await.map_err(Error::internal)?;
    let act = audit::Act {
        act: "evidence.download",
        object: ("evidence", item.id.to_string()),
        case_id: Some(case.id),
        detail: json!({ "file": place, "sha256": file.sha256 }),
        ..audit::Act::default()
    };
    audit::append(&mut tx, &reader.actor(&visit, Some(role)), act, visit.now).await?;
    app.commit(tx).await?;
    let mut response = Body::from_stream(bytes).into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/octet-stream"),
    );
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(file.bytes));
    let name = attachment(&label, place, &file.name);
    headers.insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

/// A download's name: the item's label and the harmless part of the file's own name.
fn attachment(label: &str, place: usize, name: &str) -> HeaderValue {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "._-".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(100)
        .collect();
    let plain = plain.trim_start_matches('.');
    HeaderValue::from_str(&format!("attachment; filename=\"{label}-{place}-{plain}\""))
        .unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

/// `GET /evidence/{ev}/reading.json`: what was read, as the newest extraction has it.
pub async fn reading_json(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    let (_, item) = find(&mut conn, &reader, &label).await?;
    let Some(x) = &item.extraction else {
        return Err(Error::NotFound);
    };
    let (figures, cage) = evidence::figures(&mut conn, item.id, None).await?;
    let body = json!({
        "item": label, "state": item.state, "files": item.files, "kind": x.kind, "tool": x.tool,
        "parser": x.parser, "window": x.window, "environment": x.environment, "hints": x.hints,
        "signals": x.signals, "notes": x.notes, "figures": figures, "cage": cage,
    });
    Ok(Json(body).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_download_name_cannot_leave_its_quotes_or_folder() {
        let name = attachment("EV-3", 1, "../\"x\"\r\n\u{202e}gnp.sqlite");
        let name = name.to_str().unwrap();
        assert_eq!(name, "attachment; filename=\"EV-3-1-__x____gnp.sqlite\"");
    }
}
