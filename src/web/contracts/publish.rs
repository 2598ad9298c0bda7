//! Publishing a draft, and taking a published version back. Every open case that is judged by the
//! contract is locked first: with an editorial version it goes on as it was, with a material one
//! and after a withdrawal everything that rested on the old version stops at that instant.

use super::show::{load, publishing};
use crate::{
    ladder::{contract::Compatibility, contract::VersionState, policy::Act},
    store::contracts,
    web::{
        App, Error, Page, Reader, Result, form::Faults, form::visible, page::show_with,
        visit::Visit,
    },
};
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use axum_extra::extract::Form;
use serde::Deserialize;
use uuid::Uuid;

/// Fewest characters of a reason for taking a version back.
const REASON_LEAST: usize = 10;

/// What the publishing form sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    row_version: i32,
    /// `editorial` or `material`; not asked for the first version.
    compatibility: String,
}

/// `POST /contracts/{id}/publish`
///
/// # Errors
/// When the reader may not publish or gave the password too long ago, or the draft changed since
/// the page was made.
pub async fn publish(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::PublishContract)?;
    reader.recent(&visit)?;
    let mut tx = app.begin().await?;
    let cases = contracts::lock_cases(&mut tx, id).await?;
    let versions = contracts::versions(&mut tx, id).await?;
    let page = Page::of(&app, &visit);
    let draft = publishing(&page, &versions, &[]).ok_or(Error::Conflict)?;
    if draft.row_version != typed.row_version {
        return Err(Error::Conflict);
    }
    let chosen = match (draft.before, typed.compatibility.as_str()) {
        // Nothing came before: there is nothing to be compatible with.
        (None, _) => Ok(Compatibility::Material),
        (Some((_, Compatibility::Material)), "editorial") => Err("contracts-editorial-fault"),
        (Some(_), "editorial") => Ok(Compatibility::Editorial),
        (Some(_), "material") => Ok(Compatibility::Material),
        (Some(_), _) => Err("contracts-compatibility-fault"),
    };
    let mut faults = Faults::default();
    for problem in draft.problems {
        faults.add("problems", problem.text);
    }
    let compatibility = match chosen {
        Ok(compatibility) if faults.is_empty() => compatibility,
        chosen => {
            if let Err(key) = chosen {
                faults.add("compatibility", page.t(key));
            }
            drop(tx);
            let mut shown = load(&app, &visit, id, Some(draft.number)).await?;
            (shown.faults, shown.label) = (faults, typed.compatibility);
            return show_with(StatusCode::UNPROCESSABLE_ENTITY, &shown);
        }
    };
    let actor = reader.actor(&visit, Some(role));
    let before = versions
        .iter()
        .find(|v| v.version.state == VersionState::Published)
        .map(|v| v.version.id);
    let published = contracts::publish(
        &mut tx,
        &actor,
        id,
        draft.row_version,
        compatibility,
        visit.now,
    )
    .await?;
    match before {
        Some(before) if compatibility == Compatibility::Editorial => {
            contracts::repoint(&mut tx, &actor, &cases, before, &published, visit.now).await?;
        }
        _ => contracts::settle(&mut tx, &cases, visit.now).await?,
    }
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/contracts/{id}")).into_response())
}

/// What the form that takes a version back sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Back {
    version: String,
    reason: String,
}

/// `POST /contracts/{id}/withdraw`: nothing takes the version's place; open cases stop until a
/// contract that is in force is pinned.
///
/// # Errors
/// As [`publish`]; a conflict when another version is published by now.
pub async fn withdraw(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(back): Form<Back>,
) -> Result<Response> {
    let role = reader.may(Act::PublishContract)?;
    reader.recent(&visit)?;
    let mut tx = app.begin().await?;
    let cases = contracts::lock_cases(&mut tx, id).await?;
    contracts::versions(&mut tx, id).await?;
    if visible(&back.reason) < REASON_LEAST {
        drop(tx);
        let mut shown = load(&app, &visit, id, None).await?;
        let fault = shown.page.t1("case-fault-reason", "least", REASON_LEAST);
        shown.faults.add("withdraw-reason", fault);
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &shown);
    }
    let actor = reader.actor(&visit, Some(role));
    let version = back.version.parse().map_err(|_| Error::NotFound)?;
    contracts::withdraw(&mut tx, &actor, id, version, &back.reason, visit.now).await?;
    contracts::settle(&mut tx, &cases, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/contracts/{id}")).into_response())
}
