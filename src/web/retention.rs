//! `/retention`: what is kept though its time is over, requests to erase that wait, and what stands
//! against them. It names items and cases by their labels and shows nothing of what they hold.

use crate::{
    intake::retention as jobs,
    ladder::policy::Act,
    store::{cases, evidence, retention},
    web::{
        App, Error, Page, Reader, Result, form, page::show, page::show_with, runs::number_of, say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{Form, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, Utc};
use serde::Deserialize;

/// Items listed at most.
const MOST: i64 = 200;

struct RequestRow {
    evidence: String,
    case: String,
    reason: String,
    by: String,
    at: DateTime<Utc>,
    conflict: bool,
}

struct SkippedRow {
    words: String,
    at: DateTime<Utc>,
}

#[derive(Template)]
#[template(path = "retention.html")]
struct Show {
    page: Page,
    requests: Vec<RequestRow>,
    skipped: Vec<SkippedRow>,
    can_erase: bool,
    typed: Typed,
    faults: form::Faults,
}

/// The form that asks for an erasure.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    /// `EV-3`.
    pub evidence: String,
    /// Why.
    pub reason: String,
}

async fn page_of(app: &App, page: Page, typed: Typed, faults: form::Faults) -> Result<Show> {
    let mut conn = app.conn().await?;
    let requests = retention::requests(&mut conn)
        .await?
        .into_iter()
        .map(|r| RequestRow {
            evidence: format!("EV-{}", r.number),
            case: crate::ladder::case::label(r.case_number),
            reason: r.reason,
            by: r.by,
            at: r.at,
            conflict: r.legal_hold,
        })
        .collect();
    let skipped = retention::skipped(&mut conn, MOST)
        .await?
        .into_iter()
        .map(|s| SkippedRow {
            words: say::sentence(page.lang, &s.why.0),
            at: s.at,
        })
        .collect();
    Ok(Show {
        can_erase: page.can(Act::Erase),
        requests,
        skipped,
        typed,
        faults,
        page,
    })
}

/// `GET /retention`
///
/// # Errors
/// Forbidden without the role.
pub async fn get(State(app): State<App>, reader: Reader, page: Page) -> Result<Response> {
    reader.may(Act::ReadRetention)?;
    show(&page_of(&app, page, Typed::default(), form::Faults::default()).await?)
}

/// `POST /retention/erase`: erased at once, or queued while legal hold stands against it.
///
/// # Errors
/// Forbidden without the role. Faults come back with the form.
pub async fn erase(
    State(app): State<App>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Erase)?;
    let mut faults = form::Faults::default();
    if form::visible(&typed.reason) < 20 {
        faults.add("reason", page.t("retention-fault-reason"));
    }
    let mut tx = app.begin().await?;
    let found = match number_of(typed.evidence.trim(), "EV") {
        Some(number) => evidence::by_number(&mut tx, number)
            .await
            .ok()
            .map(|(id, case_id)| retention::Candidate {
                id,
                number,
                case_id,
            }),
        None => None,
    };
    let Some(item) = found.filter(|_| faults.is_empty()) else {
        if found.is_none() {
            faults.add("evidence", page.t("retention-fault-evidence"));
        }
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return show_with(status, &page_of(&app, page, typed, faults).await?);
    };
    cases::lock(&mut tx, item.case_id).await?;
    let actor = reader.actor(&visit, Some(role));
    let request = retention::ask(&mut tx, &actor, item.number, &typed.reason, visit.now).await?;
    jobs::erase_in(&mut tx, request, item, visit.now)
        .await
        .map_err(Error::from)?;
    app.commit(tx).await?;
    Ok(Redirect::to("/retention").into_response())
}
