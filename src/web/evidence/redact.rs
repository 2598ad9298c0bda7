//! Redacted copies: handing one in beside its original, and letting claims rest on it instead.

use crate::{
    intake::{reading, receive},
    ladder::{
        CaseFile, basis,
        evidence::{Evidence, EvidenceFile, EvidenceState},
        policy::Act,
        redaction::{self, Repoint},
    },
    store::{self, evidence as items, said},
    web::{
        App, Error, Page, Reader, Result, evidence_acts,
        form::Faults,
        page::{Nav, show, show_with},
        runs::upload,
        say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{FromRequest as _, Multipart, Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};

/// Fields that may be listed.
const MOST: usize = 50;

#[derive(Template)]
#[template(path = "evidence/redact.html")]
struct RedactPage {
    page: Page,
    case: CaseFile,
    item: Evidence,
    removed: String,
    faults: Faults,
}

/// One claim and whether it may rest on the copy.
pub struct RepointRow {
    /// Name of the condition.
    pub name: String,
    /// What the copy lacks; empty = it may rest on it.
    pub gaps: Vec<String>,
}

/// The claims that rest on the original of a copy.
pub fn rows(page: &Page, case: &CaseFile, copy: &Evidence) -> Vec<RepointRow> {
    redaction::repoint(case, copy)
        .into_iter()
        .map(|Repoint { condition, claim }| RepointRow {
            name: page.t(&say::key("condition", condition.id())),
            gaps: claim
                .err()
                .unwrap_or_default()
                .iter()
                .map(|s| say::sentence(page.lang, s))
                .collect(),
        })
        .collect()
}

/// `GET /evidence/{ev}/redact`
///
/// # Errors
/// Not found.
pub async fn form(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::AttachEvidence)?;
    let mut conn = app.conn().await?;
    let (case, item) = evidence_acts::find(&mut conn, &reader, &label).await?;
    show(&RedactPage {
        page: page.at(Nav::Cases),
        case,
        item,
        removed: String::new(),
        faults: Faults::default(),
    })
}

/// `POST /evidence/{ev}/redact`: a new item of the same run that names its original.
///
/// # Errors
/// Not found; conflict when the case is closed. Faults come back with the form.
pub async fn post(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
    request: Request,
) -> Result<Response> {
    let role = reader.may(Act::AttachEvidence)?;
    let mut conn = app.conn().await?;
    let (case, item) = evidence_acts::find(&mut conn, &reader, &label).await?;
    drop(conn);
    let Ok(mut multipart) = Multipart::from_request(request, &app).await else {
        return Err(Error::Invalid(page.t("upload-fault-none")));
    };
    let mut faults = Faults::default();
    let received = receive::form(&app.blobs, &mut multipart, app.rules, &mut |_, _| {}).await;
    let received = received.unwrap_or_else(|refused| {
        faults.add("files", upload::said(&page, None, &refused));
        receive::Form::default()
    });
    let removed = received.text("removed").unwrap_or_default().to_owned();
    let fields: Vec<String> = removed
        .lines()
        .map(|l| l.trim().chars().take(200).collect::<String>())
        .filter(|l| !l.is_empty())
        .collect();
    if fields.is_empty() || fields.len() > MOST {
        faults.add("removed", page.t("redact-fault-removed"));
    }
    let mut files = Vec::new();
    for file in received.files {
        match file.result {
            Ok(stored) => files.push(EvidenceFile {
                name: file.name,
                sha256: stored.sha256.to_string(),
                bytes: stored.bytes,
            }),
            Err(refused) => {
                faults.add("files", upload::said(&page, Some(&file.name), &refused));
            }
        }
    }
    if files.is_empty() && faults.of("files").is_none() {
        faults.add("files", page.t("upload-fault-none"));
    }
    if faults.is_empty() {
        let mut tx = app.begin().await?;
        let (case, item) = evidence_acts::held(&mut tx, &reader, &label).await?;
        let who = reader.actor(&visit, Some(role));
        let done = items::redact(&mut tx, &who, case.id, &item, &files, &fields, visit.now).await;
        match done {
            Ok((id, number)) => {
                reading::enqueue(&mut tx, id, visit.now).await?;
                app.commit_settled(tx, case.id, visit.now).await?;
                return Ok(Redirect::to(&format!("/evidence/EV-{number}")).into_response());
            }
            Err(store::Error::Refused { constraint, detail })
                if constraint == "same_bytes_in_case" =>
            {
                let words = page.t2("upload-fault-same", "name", "", "item", detail);
                faults.add("files", words);
            }
            Err(other) => return Err(other.into()),
        }
    }
    show_with(
        StatusCode::UNPROCESSABLE_ENTITY,
        &RedactPage {
            page: page.at(Nav::Cases),
            case,
            item,
            removed,
            faults,
        },
    )
}

/// `POST /evidence/{ev}/repoint`: records anew, on the copy, every claim in force that rests on the
/// original and whose numbers agree.
///
/// # Errors
/// Invalid when a number is gone or reads otherwise; it says which.
pub async fn repoint(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    let role = reader.may(Act::Investigate)?;
    let mut tx = app.begin().await?;
    let (case, copy) = evidence_acts::held(&mut tx, &reader, &label).await?;
    if copy.state != EvidenceState::Usable {
        return Err(Error::Conflict);
    }
    let found = redaction::repoint(&case, &copy);
    let gaps: Vec<String> = found
        .iter()
        .filter_map(|r| r.claim.as_ref().err())
        .flatten()
        .map(|s| say::sentence(page.lang, s))
        .collect();
    let claims: Vec<_> = found.into_iter().filter_map(|r| r.claim.ok()).collect();
    if claims.is_empty() {
        let none = page.t("redact-nothing");
        return Err(Error::Invalid(match gaps.is_empty() {
            true => none,
            false => gaps.join(" "),
        }));
    }
    let who = reader.actor(&visit, Some(role));
    for claim in claims {
        let basis = basis::of(&case, &claim);
        said::record(&mut tx, &who, case.id, &claim, &basis, visit.now).await?;
    }
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(Redirect::to(&format!("/evidence/{label}#redaction")).into_response())
}
