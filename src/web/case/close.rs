//! `/cases/{c}/close`: how the case ended. The gate of the chosen outcome is judged with the case
//! locked; what is open comes back on the same page. `/cases/{c}/reopen` takes it back.

use super::{
    ending::{self, Wish},
    gate_view::{GateView, likely_outcome},
};
use crate::{
    ladder::{CaseFile, CaseState, case::Outcome, gate::Gate, policy::Act, policy::Role},
    store::standing,
    web::{
        App, Error, Page, Reader, Result,
        form::Faults,
        page::{self, Nav},
        runs::held,
        say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    Form,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use serde::Deserialize;

/// Fewest characters of a reason for reopening.
const REASON_LEAST: usize = 10;

/// The form.
#[derive(Debug, Default, Deserialize)]
pub struct Input {
    #[serde(default)]
    version: i32,
    #[serde(flatten)]
    wish: Wish,
}

/// Which outcome to judge.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    outcome: Option<String>,
}

#[derive(Template)]
#[template(path = "case/close.html")]
struct Shown {
    page: Page,
    label: String,
    title: String,
    path: String,
    version: i32,
    input: Input,
    /// Outcomes: id, word, hint, whether chosen.
    outcomes: Vec<(&'static str, String, String, bool)>,
    gate: GateView,
    faults: Faults,
}

fn shown(page: Page, case: &CaseFile, gate: &Gate, outcome: Outcome, input: Input) -> Shown {
    Shown {
        label: case.label(),
        title: case.title.clone(),
        path: super::path(case),
        version: case.version,
        outcomes: Outcome::ALL
            .iter()
            .map(|o| {
                let key = say::key("outcome", o.id());
                (
                    o.id(),
                    page.t(&key),
                    page.t(&format!("case-{key}-hint")),
                    *o == outcome,
                )
            })
            .collect(),
        gate: GateView::of(&page, case, gate),
        input,
        faults: Faults::default(),
        page: page.at(Nav::Cases),
    }
}

/// `GET /cases/{c}/close`.
///
/// # Errors
/// Forbidden, not found, or a conflict when it is closed already.
pub async fn get(
    State(app): State<App>,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::Close)?;
    let mut conn = app.conn().await?;
    let case = super::load(&mut conn, &reader, &label).await?;
    if case.state == CaseState::Closed {
        return Err(Error::Conflict);
    }
    let outcome = asked
        .outcome
        .as_deref()
        .and_then(Outcome::from_id)
        .unwrap_or_else(|| likely_outcome(&case));
    let gate = ending::gate(&mut conn, &page, &case, outcome).await?;
    page::show(&shown(page, &case, &gate, outcome, Input::default()))
}

/// `POST /cases/{c}/close`, by the owner or a manager.
///
/// # Errors
/// Forbidden, not found, or a conflict when the case moved on.
pub async fn post(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Form(input): Form<Input>,
) -> Result<Response> {
    let role = reader.may(Act::Close)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    let judged = ending::judge(&mut tx, &page, &reader, &case, &input.wish).await?;
    if !judged.faults.is_empty() {
        let mut back = shown(page, &case, &judged.gate, judged.outcome, input);
        back.faults = judged.faults;
        return page::show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    }
    let actor = reader.actor(&visit, Some(role));
    let ending = judged.ending(&input.wish);
    standing::close(&mut tx, &actor, case.id, input.version, &ending, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&super::path(&case)).into_response())
}

/// The form that opens a case again.
#[derive(Debug, Default, Deserialize)]
pub struct Again {
    #[serde(default)]
    version: i32,
    #[serde(default)]
    reason: String,
}

/// `POST /cases/{c}/reopen`, by its owner, a manager or a reviewer, with a reason. Nothing is
/// carried over as in force: conditions are judged anew, approvals given before do not count.
///
/// # Errors
/// Forbidden, not found, or a conflict when the case moved on.
pub async fn reopen(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Form(again): Form<Again>,
) -> Result<Response> {
    let role = reader.may(Act::Reopen)?;
    let mut tx = app.begin().await?;
    let case = held(&mut tx, &reader, &label).await?;
    let reviews = reader.roles.contains(&Role::Reviewer);
    if !reviews && !super::leads(&reader, &case) {
        return Err(Error::Invalid(page.t("case-fault-reopen-who")));
    }
    if crate::web::form::visible(&again.reason) < REASON_LEAST {
        let fault = page.t1("case-fault-reason", "least", REASON_LEAST);
        return Err(Error::Invalid(fault));
    }
    let actor = reader.actor(&visit, Some(role));
    standing::reopen(
        &mut tx,
        &actor,
        case.id,
        again.version,
        &again.reason,
        visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&super::path(&case)).into_response())
}
