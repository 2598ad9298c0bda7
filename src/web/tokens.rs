//! Tokens of services, for administrators: made with a name and a scope, shown once, taken back.

use super::{
    App, Page, Reader, Result,
    form::Faults,
    page::{Nav, show, show_with},
    setup::is_name,
    visit::Visit,
};
use crate::{
    ladder::{case::label, policy::Act, scope::Scope},
    store::{
        cases,
        services::{self, Service},
        tokens::{self, New, Token},
    },
};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{Redirect, Response},
};
use axum_extra::extract::Form;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use uuid::Uuid;

/// Longest life of a token, in days.
const MOST_DAYS: i64 = 366;

/// What the form sends.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    name: String,
    scope: Vec<String>,
    service: String,
    case: String,
    days: String,
}

#[derive(Template)]
#[template(path = "tokens.html")]
struct Tokens {
    page: Page,
    tokens: Vec<Token>,
    services: Vec<Service>,
    typed: Typed,
    faults: Faults,
    /// The secret just made; it is shown this once.
    told: Option<(String, String)>,
}

impl Tokens {
    fn scopes(&self) -> Vec<(Scope, bool)> {
        let on = |s: &Scope| self.typed.scope.iter().any(|t| t == s.id());
        Scope::ALL.iter().map(|s| (*s, on(s))).collect()
    }

    fn word(&self, scope: &Scope) -> String {
        self.page.t(&super::say::key("token-scope", scope.id()))
    }

    fn words(&self, scopes: &[Scope]) -> String {
        let words: Vec<String> = scopes.iter().map(|s| self.word(s)).collect();
        words.join(", ")
    }

    fn case(&self, number: &i64) -> String {
        label(*number)
    }

    fn is_over(&self, token: &Token) -> bool {
        token.revoked_at.is_some() || token.expires_at <= self.page.now
    }

    fn is_service(&self, service: &Service) -> bool {
        self.typed.service == service.id.to_string()
    }
}

async fn load(app: &App, page: Page, typed: Typed) -> Result<Tokens> {
    let mut conn = app.conn().await?;
    Ok(Tokens {
        page: page.at(Nav::People),
        tokens: tokens::list(&mut conn).await?,
        services: services::list(&mut conn).await?,
        typed,
        faults: Faults::default(),
        told: None,
    })
}

/// `GET /tokens`
///
/// # Errors
/// When the reader is no administrator.
pub async fn list(State(app): State<App>, reader: Reader, page: Page) -> Result<Response> {
    reader.may(Act::ManagePeople)?;
    let typed = Typed {
        days: "90".to_owned(),
        ..Typed::default()
    };
    show(&load(&app, page, typed).await?)
}

struct Wanted {
    scopes: Vec<Scope>,
    service: Option<Uuid>,
    case: Option<Uuid>,
    expires_at: DateTime<Utc>,
}

async fn read(app: &App, page: &Page, typed: &Typed) -> Result<(Wanted, Faults)> {
    let mut faults = Faults::default();
    if !is_name(&typed.name) {
        faults.add("name", page.t("token-fault-name"));
    }
    let scopes: Vec<Scope> = typed
        .scope
        .iter()
        .filter_map(|s| Scope::from_id(s))
        .collect();
    if scopes.is_empty() {
        faults.add("scope", page.t("token-fault-scope"));
    }
    let mut conn = app.conn().await?;
    let known = services::list(&mut conn).await?;
    let service: Option<Uuid> = typed.service.parse().ok();
    if service.is_some_and(|id| !known.iter().any(|s| s.id == id)) {
        faults.add("service", page.t("token-fault-service"));
    }
    let mut case = None;
    if !typed.case.trim().is_empty() {
        case = match super::runs::number_of(typed.case.trim(), "PEL") {
            Some(number) => cases::id_of(&mut conn, number).await.ok(),
            None => None,
        };
        if case.is_none() || service.is_some() {
            faults.add("case", page.t("token-fault-case"));
        }
    }
    let days = typed.days.trim().parse().unwrap_or(0);
    if !(1..=MOST_DAYS).contains(&days) {
        faults.add("days", page.t("token-fault-days"));
    }
    let expires_at = page.now + TimeDelta::days(days.clamp(1, MOST_DAYS));
    let wanted = Wanted {
        scopes,
        service,
        case,
        expires_at,
    };
    Ok((wanted, faults))
}

/// `POST /tokens`: answers with the page itself, because the token is shown only once.
///
/// # Errors
/// When the reader is no administrator, or gave the password too long ago.
pub async fn create(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::ManagePeople)?;
    reader.recent(&visit)?;
    let (wanted, faults) = read(&app, &page, &typed).await?;
    if !faults.is_empty() {
        let mut shown = load(&app, page, typed).await?;
        shown.faults = faults;
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &shown);
    }
    let new = New {
        name: &typed.name,
        scopes: &wanted.scopes,
        service_id: wanted.service,
        case_id: wanted.case,
        expires_at: wanted.expires_at,
    };
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    let told = tokens::create(&mut tx, &actor, &new, visit.now).await?;
    app.commit(tx).await?;
    let name = typed.name.trim().to_owned();
    let mut shown = load(&app, page, Typed::default()).await?;
    shown.told = Some((name, told));
    show(&shown)
}

/// `POST /tokens/{id}/revoke`
///
/// # Errors
/// When the reader is no administrator, or the token was taken back before.
pub async fn revoke(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
) -> Result<Redirect> {
    let role = reader.may(Act::ManagePeople)?;
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    tokens::revoke(&mut tx, &actor, id, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to("/tokens"))
}
