//! Freezes of a service, on the page of services: a manager says from when to when it takes no new
//! change and why, and lifts a freeze before its end. What one comes to is a line of the gate.

use super::{
    App, Page, Reader, Result,
    form::{Faults, visible},
    services::{Back, answer},
    typed,
    visit::Visit,
};
use crate::{
    ladder::policy::Act,
    store::{self, services, templates},
};
use axum::{
    extract::{Path, State},
    response::{IntoResponse as _, Redirect, Response},
};
use axum_extra::extract::Form;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use uuid::Uuid;

/// Longest freeze; a longer one is set again, by somebody who still means it.
const LONGEST: TimeDelta = TimeDelta::days(92);

/// What the form that freezes a service sends; times are UTC.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) reason: String,
}

impl Typed {
    /// The window that is typed, with what is wrong said at the fields of service `id`.
    fn window(
        &self,
        page: &Page,
        id: Uuid,
        now: DateTime<Utc>,
        faults: &mut Faults,
    ) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
        let mut fault = |field: &str, key: &str| {
            faults.add(format!("freeze-{field}-{id}"), page.t(key));
        };
        // Left empty it begins now.
        let from = match self.from.trim() {
            "" => Some(now),
            typed => typed::time(typed),
        };
        if from.is_none() {
            fault("from", "freeze-fault-time");
        }
        let to = typed::time(&self.to);
        match (from, to) {
            (_, None) => fault("to", "freeze-fault-time"),
            (Some(from), Some(to)) if to <= from || to <= now => fault("to", "freeze-fault-order"),
            (Some(from), Some(to)) if to - from > LONGEST => fault("to", "freeze-fault-long"),
            _ => {}
        }
        if !(10..=1000).contains(&visible(&self.reason)) {
            fault("reason", "freeze-fault-reason");
        }
        from.zip(to)
    }
}

/// `POST /services/{id}/freezes`
///
/// # Errors
/// When the reader is no manager, or there is no such service.
pub async fn set(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(sent): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Freeze)?;
    let page = Page::of(&app, &visit);
    let mut tx = app.begin().await?;
    services::get(&mut tx, id).await?;
    let mut faults = Faults::default();
    let window = sent.window(&page, id, visit.now, &mut faults);
    let (Some(window), true) = (window, faults.is_empty()) else {
        drop(tx);
        let back = Back {
            freeze: Some((id, sent)),
            ..Back::default()
        };
        return answer(&app, &visit, back, faults).await;
    };
    let actor = reader.actor(&visit, Some(role));
    templates::freeze(&mut tx, &actor, id, window, &sent.reason, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/services#s-{id}")).into_response())
}

/// What the form that lifts a freeze sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Lifted {
    reason: String,
}

/// `POST /freezes/{id}/lift`
///
/// # Errors
/// When the reader is no manager, or there is no such freeze; a conflict when it was lifted before.
pub async fn lift(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(sent): Form<Lifted>,
) -> Result<Response> {
    let role = reader.may(Act::Freeze)?;
    let page = Page::of(&app, &visit);
    let mut tx = app.begin().await?;
    let known = templates::freezes(&mut tx, visit.now).await?;
    if !known.iter().any(|(_, f)| f.id == id) {
        return Err(store::Error::NotFound.into());
    }
    if !(5..=1000).contains(&visible(&sent.reason)) {
        drop(tx);
        let mut faults = Faults::default();
        faults.add(format!("lift-{id}"), page.t("freeze-fault-lift"));
        return answer(&app, &visit, Back::default(), faults).await;
    }
    let actor = reader.actor(&visit, Some(role));
    templates::lift(&mut tx, &actor, id, &sent.reason, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to("/services").into_response())
}
