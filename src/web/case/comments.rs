//! `POST /cases/{c}/comments`: words beside the acts. A comment never changes a gate.

use super::show::{self, Asked, Typed};
use crate::{
    ladder::policy::Act,
    web::{App, Error, Page, Reader, Result, visit::Visit},
};
use axum::{
    Form,
    extract::{Path, State},
    response::{IntoResponse as _, Redirect, Response},
};
use serde::Deserialize;

/// The form.
#[derive(Debug, Deserialize)]
pub struct Input {
    #[serde(default)]
    text: String,
}

/// `POST /cases/{c}/comments`, for everybody who acts on cases.
///
/// # Errors
/// Forbidden, not found, or a conflict when the case is closed.
pub async fn post(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Form(input): Form<Input>,
) -> Result<Response> {
    let role = [Act::Investigate, Act::Review, Act::Close]
        .into_iter()
        .find_map(|act| reader.may(act).ok())
        .ok_or(Error::Forbidden(Act::Investigate))?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    if !(1..=10_000).contains(&crate::web::form::visible(&input.text)) {
        let mut typed = Typed::default();
        typed.faults.add("comment", page.t("case-fault-comment"));
        typed.comment = input.text;
        return show::render(&mut tx, page, case, &Asked::default(), typed).await;
    }
    let actor = reader.actor(&visit, Some(role));
    crate::store::said::comment(&mut tx, &actor, case.id, &input.text, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("{}#timeline", super::path(&case))).into_response())
}
