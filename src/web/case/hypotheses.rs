//! Explanations, kept apart from each other: propose one, add evidence for or against one.

use super::show::{self, Asked, Typed};
use crate::{
    ladder::{Stage, policy::Act},
    web::{App, Error, Page, Reader, Result, visit::Visit},
};
use axum::{
    Form,
    extract::{Path, State},
    response::{IntoResponse as _, Redirect, Response},
};
use serde::Deserialize;
use uuid::Uuid;

/// A new explanation.
#[derive(Debug, Deserialize)]
pub struct Proposal {
    #[serde(default)]
    stage: u8,
    #[serde(default)]
    text: String,
}

/// Evidence for or against one.
#[derive(Debug, Deserialize)]
pub struct Argument {
    #[serde(default)]
    evidence: String,
    #[serde(default)]
    side: String,
    #[serde(default)]
    note: String,
}

/// `POST /cases/{c}/hypotheses`.
///
/// # Errors
/// Forbidden, not found, or a conflict when the case is closed.
pub async fn propose(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Form(input): Form<Proposal>,
) -> Result<Response> {
    let role = reader.may(Act::Investigate)?;
    let stage = Stage::from_number(input.stage).ok_or(Error::NotFound)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    if !(5..=2000).contains(&input.text.trim().chars().count()) {
        let mut typed = Typed::default();
        typed
            .faults
            .add("hypothesis", page.t("case-fault-hypothesis"));
        typed.hypothesis = (input.stage, input.text);
        return show::render(&mut tx, page, case, &Asked::default(), typed).await;
    }
    let actor = reader.actor(&visit, Some(role));
    crate::store::said::propose(&mut tx, &actor, case.id, stage, &input.text, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("{}#hypotheses", super::path(&case))).into_response())
}

/// `POST /cases/{c}/hypotheses/{id}/arguments`.
///
/// # Errors
/// Forbidden; not found when the explanation is not of this case; a conflict when it is closed.
pub async fn argue(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path((label, id)): Path<(String, Uuid)>,
    Form(input): Form<Argument>,
) -> Result<Response> {
    let role = reader.may(Act::Investigate)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    if !case.hypotheses.iter().any(|h| h.id == id) {
        return Err(Error::NotFound);
    }
    let supports = input.side != "against";
    let item = case
        .evidence
        .iter()
        .find(|e| e.label() == input.evidence.trim())
        .map(|e| e.id);
    let mut typed = Typed::default();
    if item.is_none() {
        typed
            .faults
            .add("argument-evidence", page.t("case-fault-argument-evidence"));
    }
    if !(5..=2000).contains(&input.note.trim().chars().count()) {
        typed
            .faults
            .add("argument-note", page.t("case-fault-argument-note"));
    }
    let (Some(item), true) = (item, typed.faults.is_empty()) else {
        typed.argument = Some((id, input.evidence, supports, input.note));
        return show::render(&mut tx, page, case, &Asked::default(), typed).await;
    };
    let actor = reader.actor(&visit, Some(role));
    crate::store::said::argue(
        &mut tx,
        &actor,
        case.id,
        id,
        item,
        supports,
        &input.note,
        visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("{}#hypotheses", super::path(&case))).into_response())
}
