//! `POST /cases/{c}/owner`: take a case, or hand it to somebody who can work on it.
//! `POST /cases/{c}/owner/accept`: say that one works on a case one was handed.

use crate::{
    ladder::{
        CaseFile,
        policy::{Act, Role},
    },
    store::{cases, people},
    web::{App, Error, Page, Reader, Result, visit::Visit},
};
use axum::{
    Form,
    extract::{Path, State},
    response::Redirect,
};
use serde::Deserialize;
use uuid::Uuid;

/// The form.
#[derive(Debug, Deserialize)]
pub struct Input {
    #[serde(default)]
    version: i32,
    /// Whom it goes to; empty means the sender.
    #[serde(default)]
    owner: String,
}

/// Whether this reader may give the case to somebody: a manager and the owner to anybody; whoever
/// works on cases takes one for themself that nobody works on.
pub fn may_hand(reader: &Reader, case: &CaseFile, to: Uuid) -> bool {
    let left = case
        .owner
        .and_then(|o| case.person(o))
        .is_some_and(|p| !p.active);
    super::leads(reader, case) || (to == reader.id && (case.owner.is_none() || left))
}

/// `POST /cases/{c}/owner`.
///
/// # Errors
/// Forbidden; a conflict when the case moved on, or the person cannot own a case.
pub async fn post(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Form(input): Form<Input>,
) -> Result<Redirect> {
    let role = reader.may(Act::AssignOwner)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    let owner = match input.owner.trim() {
        "" => reader.id,
        id => id.parse::<Uuid>().map_err(|_| Error::NotFound)?,
    };
    if !may_hand(&reader, &case, owner) {
        return Err(Error::Invalid(page.t("case-fault-owner-who")));
    }
    let person = people::get(&mut tx, owner).await?;
    let can_own = person
        .roles
        .iter()
        .any(|r| matches!(r, Role::Responder | Role::Manager));
    if !can_own || person.deactivated_at.is_some() {
        return Err(Error::Refused {
            constraint: "case_owner".to_owned(),
        });
    }
    let actor = reader.actor(&visit, Some(role));
    cases::set_owner(&mut tx, &actor, case.id, input.version, owner, visit.now).await?;
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(Redirect::to(&super::path(&case)))
}

/// `POST /cases/{c}/owner/accept`.
///
/// # Errors
/// Forbidden; a conflict when the reader does not own the case, or accepted it before.
pub async fn accept(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(label): Path<String>,
) -> Result<Redirect> {
    let role = reader.may(Act::AssignOwner)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    let actor = reader.actor(&visit, Some(role));
    cases::accept_ownership(&mut tx, &actor, case.id, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&super::path(&case)))
}
