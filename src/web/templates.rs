//! Templates of standard changes: a responder writes one, a reviewer who did not agrees or takes
//! the agreement back.

use super::{
    App, Page, Reader, Result,
    form::{Faults, visible},
    page::{Nav, show_with},
    typed,
    visit::Visit,
};
use crate::{
    ladder::policy::Act,
    store::{
        services::{self, Service},
        templates::{self, Listed, NewTemplate},
    },
};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use axum_extra::extract::Form;
use serde::Deserialize;
use uuid::Uuid;

/// What the forms send.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // one field of the form each, named as on the page
pub struct Typed {
    pub service: String,
    pub component: String,
    pub setting: String,
    pub unit: String,
    pub least: String,
    pub most: String,
    pub reason: String,
}

#[derive(Template)]
#[template(path = "templates.html")]
struct TemplatesPage {
    page: Page,
    templates: Vec<Listed>,
    services: Vec<Service>,
    typed: Typed,
    faults: Faults,
}

impl TemplatesPage {
    fn may_write(&self) -> bool {
        self.page.can(Act::Change)
    }

    fn may_speak(&self) -> bool {
        self.page.can(Act::Review)
    }

    fn range(&self, t: &Listed) -> String {
        let lang = self.page.lang;
        self.page.text(
            "templates-range",
            &[
                ("setting", &t.template.setting),
                ("component", &t.template.component),
                ("from", &typed::plain(lang, t.template.least)),
                ("to", &typed::plain(lang, t.template.most)),
                ("unit", &t.template.unit),
            ],
        )
    }

    fn by(&self, t: &Listed) -> String {
        let at = super::format::date_time(self.page.lang, t.template.at);
        self.page.t2("templates-by", "name", &t.author, "at", at)
    }

    fn standing(&self, t: &Listed) -> String {
        let (Some((agrees, _, at)), Some(name)) = (&t.template.agreed, &t.reviewer) else {
            return self.page.t("templates-unagreed");
        };
        let key = if *agrees {
            "templates-agreed"
        } else {
            "templates-taken-back"
        };
        let at = super::format::date_time(self.page.lang, *at);
        self.page.t2(key, "name", name, "at", at)
    }

    fn mine(&self, t: &Listed) -> bool {
        self.page
            .reader
            .as_ref()
            .is_some_and(|r| r.id == t.template.by)
    }
}

async fn answer(app: &App, visit: &Visit, typed: Typed, faults: Faults) -> Result<Response> {
    let status = if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    let mut conn = app.conn().await?;
    let shown = TemplatesPage {
        page: Page::of(app, visit).at(Nav::Contracts),
        templates: templates::list(&mut conn).await?,
        services: services::list(&mut conn).await?,
        typed,
        faults,
    };
    show_with(status, &shown)
}

fn back() -> Response {
    Redirect::to("/templates").into_response()
}

/// `GET /templates`
///
/// # Errors
/// When the reader may not read cases.
pub async fn show(State(app): State<App>, visit: Visit, reader: Reader) -> Result<Response> {
    reader.may(Act::Read)?;
    answer(&app, &visit, Typed::default(), Faults::default()).await
}

/// `POST /templates`
///
/// # Errors
/// When the reader may not change anything.
pub async fn create(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Form(sent): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Change)?;
    let page = Page::of(&app, &visit);
    let mut faults = Faults::default();
    let service = Uuid::parse_str(&sent.service).ok();
    if visible(&sent.component) == 0 || visible(&sent.setting) == 0 {
        faults.add("component", page.t("templates-fault-text"));
    }
    let (least, most) = (
        typed::number(page.lang, &sent.least),
        typed::number(page.lang, &sent.most),
    );
    let range = least.zip(most).filter(|(a, b)| a <= b);
    if range.is_none() {
        faults.add("least", page.t("templates-fault-range"));
    }
    if visible(&sent.reason) < 20 {
        faults.add("reason", page.t("templates-fault-reason"));
    }
    let (Some(service_id), Some((least, most)), true) = (service, range, faults.is_empty()) else {
        if service.is_none() {
            faults.add("service", page.t("templates-fault-text"));
        }
        return answer(&app, &visit, sent, faults).await;
    };
    let mut tx = app.begin().await?;
    services::get(&mut tx, service_id).await?;
    let new = NewTemplate {
        service_id,
        component: sent.component,
        setting: sent.setting,
        unit: sent.unit,
        least,
        most,
        reason: sent.reason,
    };
    let actor = reader.actor(&visit, Some(role));
    templates::create(&mut tx, &actor, &new, visit.now).await?;
    app.commit(tx).await?;
    Ok(back())
}

async fn speak(
    app: &App,
    visit: &Visit,
    reader: &Reader,
    id: Uuid,
    agrees: bool,
    sent: Typed,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    if visible(&sent.reason) < 5 {
        let mut faults = Faults::default();
        let page = Page::of(app, visit);
        faults.add(format!("words-{id}"), page.t("templates-fault-words"));
        return answer(app, visit, Typed::default(), faults).await;
    }
    let mut tx = app.begin().await?;
    let actor = reader.actor(visit, Some(role));
    templates::speak(&mut tx, &actor, id, agrees, &sent.reason, visit.now).await?;
    app.commit(tx).await?;
    Ok(back())
}

/// `POST /templates/{id}/agree`
///
/// # Errors
/// When the reader is no reviewer, or wrote it.
pub async fn agree(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(sent): Form<Typed>,
) -> Result<Response> {
    speak(&app, &visit, &reader, id, true, sent).await
}

/// `POST /templates/{id}/take-back`
///
/// # Errors
/// When the reader is no reviewer.
pub async fn take_back(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(sent): Form<Typed>,
) -> Result<Response> {
    speak(&app, &visit, &reader, id, false, sent).await
}
