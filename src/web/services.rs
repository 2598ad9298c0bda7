//! Services and their task classes: what cases and contracts speak of. And when a service is
//! frozen ([`super::freezes`] takes the forms).

use super::{
    App, Error, Page, Reader, Result,
    form::Faults,
    freezes,
    page::{Nav, show_with},
    visit::Visit,
};
use crate::{
    ladder::{policy::Act, template::Freeze},
    store::{
        self,
        services::{self, Service},
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

/// What the form that defines a service sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    name: String,
    description: String,
    /// One class a line.
    classes: String,
}

/// What the form that adds a class sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TypedClass {
    name: String,
}

#[derive(Template)]
#[template(path = "services.html")]
struct Services {
    page: Page,
    services: Vec<Service>,
    /// Freezes in force and ahead, by service.
    freezes: Vec<(Uuid, Freeze)>,
    back: Back,
    faults: Faults,
}

/// What was typed into one of the page's forms, when it came back.
#[derive(Debug, Default)]
pub(super) struct Back {
    /// Of a new service.
    pub typed: Typed,
    /// The class for a service.
    pub class: Option<(Uuid, String)>,
    /// The freeze for a service.
    pub freeze: Option<(Uuid, freezes::Typed)>,
}

impl Services {
    fn may_define(&self) -> bool {
        self.page.can(Act::DraftContract)
    }

    fn may_open(&self) -> bool {
        self.page.can(Act::OpenCase)
    }

    fn class_field(&self, service: &Service) -> String {
        class_field(service.id)
    }

    fn class_typed(&self, service: &Service) -> &str {
        match &self.back.class {
            Some((id, typed)) if *id == service.id => typed,
            _ => "",
        }
    }

    fn may_freeze(&self) -> bool {
        self.page.can(Act::Freeze)
    }

    fn freezes_of(&self, service: &Service) -> Vec<&Freeze> {
        let own = self.freezes.iter().filter(|(id, _)| *id == service.id);
        own.map(|(_, freeze)| freeze).collect()
    }

    fn in_force(&self, freeze: &Freeze) -> bool {
        freeze.holds_at(self.page.now)
    }

    /// What was typed for a freeze of the service, and whether it came back.
    fn freeze_typed(&self, service: &Service) -> (bool, &str, &str, &str) {
        match &self.back.freeze {
            Some((id, f)) if *id == service.id => (true, &f.from, &f.to, &f.reason),
            _ => (false, "", "", ""),
        }
    }
}

fn class_field(id: Uuid) -> String {
    format!("class-{id}")
}

pub(super) async fn answer(
    app: &App,
    visit: &Visit,
    back: Back,
    faults: Faults,
) -> Result<Response> {
    let status = if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    let mut conn = app.conn().await?;
    let shown = Services {
        page: Page::of(app, visit).at(Nav::Contracts),
        services: services::list(&mut conn).await?,
        freezes: store::templates::freezes(&mut conn, visit.now).await?,
        back,
        faults,
    };
    show_with(status, &shown)
}

/// `GET /services`
///
/// # Errors
/// When the reader may not read cases.
pub async fn show(State(app): State<App>, visit: Visit, reader: Reader) -> Result<Response> {
    reader.may(Act::Read)?;
    answer(&app, &visit, Back::default(), Faults::default()).await
}

fn define_back(typed: Typed) -> Back {
    Back {
        typed,
        ..Back::default()
    }
}

/// `POST /services`
///
/// # Errors
/// When the reader may not define services.
pub async fn define(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::DraftContract)?;
    let page = Page::of(&app, &visit);
    let mut faults = Faults::default();
    if !is_name(&typed.name) {
        faults.add("name", page.t("services-name-fault"));
    }
    if typed.description.chars().count() > 2000 {
        faults.add("description", page.t("services-description-fault"));
    }
    let classes = lines(&typed.classes);
    if let Some(bad) = classes.iter().find(|c| !is_name(c)) {
        faults.add(
            "classes",
            page.t1("services-class-long-fault", "class", bad),
        );
    }
    if let Some(twice) = repeated(&classes) {
        faults.add(
            "classes",
            page.t1("services-class-twice-fault", "class", twice),
        );
    }
    if !faults.is_empty() {
        return answer(&app, &visit, define_back(typed), faults).await;
    }
    let actor = reader.actor(&visit, Some(role));
    let mut tx = app.begin().await?;
    let (name, description) = (&typed.name, &typed.description);
    match services::create(&mut tx, &actor, name, description, &classes, visit.now).await {
        Ok(id) => {
            app.commit(tx).await?;
            Ok(Redirect::to(&format!("/services#s-{id}")).into_response())
        }
        Err(store::Error::Refused { constraint, .. }) if constraint == "service_name" => {
            drop(tx);
            faults.add("name", page.t("services-name-taken"));
            answer(&app, &visit, define_back(typed), faults).await
        }
        Err(other) => Err(other.into()),
    }
}

/// `POST /services/{id}/classes`
///
/// # Errors
/// When the reader may not define services, or there is no such service.
pub async fn add_class(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Form(typed): Form<TypedClass>,
) -> Result<Response> {
    let role = reader.may(Act::DraftContract)?;
    let page = Page::of(&app, &visit);
    let mut tx = app.begin().await?;
    services::get(&mut tx, id).await?;
    let mut faults = Faults::default();
    if is_name(&typed.name) {
        let actor = reader.actor(&visit, Some(role));
        match services::add_class(&mut tx, &actor, id, &typed.name, visit.now).await {
            Ok(()) => {
                app.commit(tx).await?;
                return Ok(Redirect::to(&format!("/services#s-{id}")).into_response());
            }
            Err(store::Error::Refused { constraint, .. }) if constraint == "task_class_name" => {
                faults.add(class_field(id), page.t("services-class-taken"));
            }
            Err(other) => return Err(Error::from(other)),
        }
    } else {
        faults.add(class_field(id), page.t("services-name-fault"));
    }
    drop(tx);
    let back = Back {
        class: Some((id, typed.name)),
        ..Back::default()
    };
    answer(&app, &visit, back, faults).await
}

/// Whether a service, class or contract can be called that.
pub(super) fn is_name(name: &str) -> bool {
    (1..=80).contains(&name.trim().chars().count())
}

fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    lines.map(str::to_owned).collect()
}

/// The first name that is there twice, without regard to case.
fn repeated(names: &[String]) -> Option<&String> {
    names.iter().enumerate().find_map(|(i, name)| {
        let same = |other: &String| other.to_lowercase() == name.to_lowercase();
        names[..i].iter().any(same).then_some(name)
    })
}
