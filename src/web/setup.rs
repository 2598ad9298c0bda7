//! Making an account: the first administrator by one-time code, everybody else by invitation.

use super::{
    App, Error, Page, Result,
    form::Faults,
    page::{show, show_with},
    password,
    session::app_actor,
    signin::{gone, open},
    visit::Visit,
};
use crate::{
    ladder::policy::Role,
    store::{
        one_time::{self, Kind},
        people, secret,
        signin_delay::{self, Attempt},
    },
};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use axum_extra::extract::{Form, cookie::CookieJar};
use serde::Deserialize;

/// What both forms send.
#[derive(Default, Deserialize)]
pub struct Account {
    #[serde(default)]
    code: String,
    name: String,
    login: String,
    password: String,
    #[serde(default)]
    roles: Vec<String>,
}

impl Account {
    fn roles(&self) -> Vec<Role> {
        self.roles.iter().filter_map(|r| Role::from_id(r)).collect()
    }

    /// Notes what is wrong, field by field.
    fn judge(&self, page: &Page, faults: &mut Faults) {
        if !is_name(&self.name) {
            faults.add("name", page.t("person-name-fault"));
        }
        if !people::is_login(&people::normal_login(&self.login)) {
            faults.add("login", page.t("person-login-fault"));
        }
        password::judge(page, faults, "password", &self.password, self.login.trim());
    }
}

/// Whether a name can be stored.
pub(super) fn is_name(name: &str) -> bool {
    (1..=120).contains(&name.trim().chars().count()) && !name.chars().any(super::form::is_invisible)
}

#[derive(Template)]
#[template(path = "setup.html")]
struct Setup {
    page: Page,
    faults: Faults,
    typed: Account,
}

impl Setup {
    /// Roles besides administrator, and whether each is ticked.
    fn choices(&self) -> Vec<(Role, bool)> {
        choices(&self.typed.roles(), &[Role::Admin])
    }
}

/// Roles to tick, without `fixed`.
pub(super) fn choices(ticked: &[Role], fixed: &[Role]) -> Vec<(Role, bool)> {
    Role::ALL
        .into_iter()
        .filter(|r| !fixed.contains(r))
        .map(|r| (r, ticked.contains(&r)))
        .collect()
}

/// `GET /setup`: only while nobody has an account.
///
/// # Errors
/// When the database cannot be read.
pub async fn form(State(app): State<App>, page: Page) -> Result<Response> {
    if people::any(&mut *app.conn().await?).await? {
        return Ok(Redirect::to("/signin").into_response());
    }
    show(&Setup {
        page,
        faults: Faults::default(),
        typed: Account::default(),
    })
}

/// `POST /setup`
///
/// # Errors
/// [`Error::Gone`] when somebody has an account already.
pub async fn set_up(
    State(app): State<App>,
    visit: Visit,
    page: Page,
    jar: CookieJar,
    Form(typed): Form<Account>,
) -> Result<Response> {
    if people::any(&mut *app.conn().await?).await? {
        return Err(Error::Gone);
    }
    let key = signin_delay::key("first administrator", &visit.client);
    if let Attempt::Wait(seconds) = password::book(&app, &visit, &key).await? {
        return Err(Error::TooMany(seconds));
    }
    let code = secret::normal_code(&typed.code);
    let open_code = one_time::peek(&mut *app.conn().await?, Kind::Setup, &code, visit.now).await?;
    let mut faults = Faults::default();
    if open_code.is_none() {
        faults.add("code", page.t("setup-code-fault"));
    }
    typed.judge(&page, &mut faults);
    let (Some(open_code), true) = (&open_code, faults.is_empty()) else {
        if open_code.is_some() {
            signin_delay::clear(&mut *app.conn().await?, &key, visit.now).await?;
        }
        let form = Setup {
            page,
            faults,
            typed,
        };
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    };
    let phc = password::hash(&app, typed.password.clone()).await?;
    let mut roles = typed.roles();
    roles.push(Role::Admin);
    let mut tx = app.begin().await?;
    let new = people::New {
        login: &typed.login,
        name: &typed.name,
        roles: &roles,
        phc: Some(&phc),
    };
    let id = people::create(&mut tx, &app_actor(&visit), &new, visit.now).await?;
    one_time::use_up(&mut tx, open_code.id, id, visit.now)
        .await
        .map_err(gone)?;
    let cookie = open(&app, &visit, &mut tx, (id, typed.name.trim()), "setup").await?;
    app.commit(tx).await?;
    Ok((jar.add(cookie), Redirect::to("/")).into_response())
}

#[derive(Template)]
#[template(path = "invitation.html")]
struct Invitation {
    page: Page,
    faults: Faults,
    typed: Account,
    invitation: one_time::Open,
}

impl Invitation {
    fn roles(&self) -> String {
        let words: Vec<String> = self
            .invitation
            .roles
            .iter()
            .map(|r| self.page.role(r))
            .collect();
        words.join(", ")
    }
}

/// `GET /invitation/{token}`
///
/// # Errors
/// [`Error::Gone`] when it does not work any more.
pub async fn invitation(
    State(app): State<App>,
    visit: Visit,
    page: Page,
    Path(token): Path<String>,
) -> Result<Response> {
    let found =
        one_time::peek(&mut *app.conn().await?, Kind::Invitation, &token, visit.now).await?;
    let invitation = found.ok_or(Error::Gone)?;
    show(&Invitation {
        page,
        faults: Faults::default(),
        typed: Account {
            name: invitation.name.clone().unwrap_or_default(),
            ..Account::default()
        },
        invitation,
    })
}

/// `POST /invitation/{token}`: makes the account and signs in.
///
/// # Errors
/// [`Error::Gone`] when it does not work any more.
pub async fn accept(
    State(app): State<App>,
    visit: Visit,
    page: Page,
    jar: CookieJar,
    Path(token): Path<String>,
    Form(typed): Form<Account>,
) -> Result<Response> {
    let mut conn = app.conn().await?;
    let found = one_time::peek(&mut conn, Kind::Invitation, &token, visit.now).await?;
    let invitation = found.ok_or(Error::Gone)?;
    let mut faults = Faults::default();
    typed.judge(&page, &mut faults);
    if faults.of("login").is_none() && people::account(&mut conn, &typed.login).await?.is_some() {
        faults.add("login", page.t("person-login-taken"));
    }
    drop(conn);
    if !faults.is_empty() {
        let form = Invitation {
            page,
            faults,
            typed,
            invitation,
        };
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    }
    let phc = password::hash(&app, typed.password.clone()).await?;
    let mut tx = app.begin().await?;
    let new = people::New {
        login: &typed.login,
        name: &typed.name,
        roles: &invitation.roles,
        phc: Some(&phc),
    };
    let id = people::create(&mut tx, &app_actor(&visit), &new, visit.now).await?;
    one_time::use_up(&mut tx, invitation.id, id, visit.now)
        .await
        .map_err(gone)?;
    let cookie = open(&app, &visit, &mut tx, (id, typed.name.trim()), "invitation").await?;
    app.commit(tx).await?;
    Ok((jar.add(cookie), Redirect::to("/")).into_response())
}
