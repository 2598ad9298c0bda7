//! Signing in by password or one-time link, signing out, and giving the password again before a
//! deciding act.

use super::{
    App, Error, Page, Reader, Result,
    form::Faults,
    page::{show, show_with},
    password::{self, Proof},
    session::{self, app_actor, safe_next},
    visit::{Visit, Who},
};
use crate::store::{
    audit::{self, Actor},
    one_time::{self, Kind},
    people, secret,
    sessions::{self, Ended},
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use axum_extra::extract::{Form, cookie::CookieJar};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// Where to go on to.
#[derive(Debug, Default, Deserialize)]
pub struct Next {
    #[serde(default)]
    next: String,
}

#[derive(Template)]
#[template(path = "signin.html")]
struct SignIn {
    page: Page,
    faults: Faults,
    login: String,
    next: String,
    /// When the session ran out that the browser still carries.
    expired: Option<String>,
}

/// `GET /signin`
///
/// # Errors
/// When the database cannot be read.
pub async fn form(
    State(app): State<App>,
    visit: Visit,
    page: Page,
    Query(next): Query<Next>,
) -> Result<Response> {
    if page.reader.is_some() {
        return Ok(Redirect::to(safe_next(&next.next).unwrap_or("/")).into_response());
    }
    if !people::any(&mut *app.conn().await?).await? {
        return Ok(Redirect::to("/setup").into_response());
    }
    let expired = match visit.known() {
        Some(Who::Expired(at)) => Some(super::format::date_time(page.lang, *at)),
        _ => None,
    };
    show(&SignIn {
        page,
        faults: Faults::default(),
        login: String::new(),
        next: next.next,
        expired,
    })
}

/// What the sign-in form sends.
#[derive(Deserialize)]
pub struct Credentials {
    login: String,
    password: String,
    #[serde(default)]
    next: String,
}

/// `POST /signin`
///
/// # Errors
/// When the database cannot be read or written.
pub async fn sign_in(
    State(app): State<App>,
    visit: Visit,
    page: Page,
    jar: CookieJar,
    Form(typed): Form<Credentials>,
) -> Result<Response> {
    let mut faults = Faults::default();
    let mut wait = None;
    match password::prove(&app, &visit, &typed.login, typed.password).await? {
        Proof::Right(account) => {
            let mut tx = app.begin().await?;
            let who = (account.id, account.name.as_str());
            let cookie = open(&app, &visit, &mut tx, who, "password").await?;
            app.commit(tx).await?;
            let to = Redirect::to(safe_next(&typed.next).unwrap_or("/"));
            return Ok((jar.add(cookie), to).into_response());
        }
        Proof::Wrong(account, failures) => {
            if let Some(account) = account {
                note_refusal(&app, &visit, &account, failures).await?;
            }
            faults.add("login", page.t("signin-wrong"));
        }
        Proof::Wait(seconds) => {
            faults.add("login", page.t1("signin-wait", "seconds", seconds));
            wait = Some(seconds);
        }
    }
    let form = SignIn {
        page,
        faults,
        login: typed.login,
        next: typed.next,
        expired: None,
    };
    refused(wait, &form)
}

/// The form again: 422, or 429 with how long to wait.
fn refused(wait: Option<i64>, form: &impl Template) -> Result<Response> {
    let Some(seconds) = wait else {
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, form);
    };
    let mut response = show_with(StatusCode::TOO_MANY_REQUESTS, form)?;
    let seconds = HeaderValue::from(seconds);
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    Ok(response)
}

/// A failed attempt on a real account is an event of that account. What was typed as login for an
/// unknown one is nobody's business: people type passwords there.
async fn note_refusal(
    app: &App,
    visit: &Visit,
    account: &people::Account,
    failures: i32,
) -> Result<()> {
    let mut tx = app.begin().await?;
    let act = audit::Act {
        act: "session.refused",
        object: ("person", account.id.to_string()),
        detail: json!({ "failures_in_a_row": failures, "active": account.active }),
        ..audit::Act::default()
    };
    audit::append(&mut tx, &app_actor(visit), act, visit.now).await?;
    app.commit(tx).await
}

/// Starts a session for a person and gives its cookie; the one the browser had ends.
///
/// # Errors
/// When the database cannot be written.
pub async fn open(
    app: &App,
    visit: &Visit,
    conn: &mut PgConnection,
    (person_id, name): (Uuid, &str),
    by: &'static str,
) -> Result<axum_extra::extract::cookie::Cookie<'static>> {
    let token = secret::token().map_err(Error::internal)?;
    let actor = Actor {
        person_id: Some(person_id),
        name: name.to_owned(),
        ..app_actor(visit)
    };
    let replaces = visit.token.as_deref().map(secret::digest);
    let new = sessions::New {
        lives: app.lives,
        person_id,
        token_hash: &secret::digest(&token),
        device: &visit.device,
        network: visit.network,
        by,
        replaces: replaces.as_deref(),
    };
    sessions::start(conn, &actor, &new, visit.now).await?;
    Ok(session::cookie(app, token))
}

/// `POST /signout`
///
/// # Errors
/// When the database cannot be written.
pub async fn sign_out(
    State(app): State<App>,
    visit: Visit,
    session::MaybeReader(reader): session::MaybeReader,
    jar: CookieJar,
) -> Result<Response> {
    if let Some(reader) = reader {
        let mut tx = app.begin().await?;
        let actor = reader.actor(&visit, None);
        let which = (reader.session, reader.id);
        sessions::end(&mut tx, &actor, which, Ended::SignedOut, visit.now).await?;
        app.commit(tx).await?;
    }
    Ok((jar.add(session::no_cookie(&app)), Redirect::to("/signin")).into_response())
}

#[derive(Template)]
#[template(path = "signin_link.html")]
struct Link {
    page: Page,
    name: String,
}

/// `GET /signin/link/{token}`: shows a button, so that a preview of the link does not use it up.
///
/// # Errors
/// [`Error::Gone`] when it does not work any more.
pub async fn link(
    State(app): State<App>,
    visit: Visit,
    page: Page,
    Path(token): Path<String>,
) -> Result<Response> {
    let mut conn = app.conn().await?;
    let (_, person) = linked(&mut conn, &visit, &token).await?;
    show(&Link {
        page,
        name: person.name,
    })
}

/// `POST /signin/link/{token}`
///
/// # Errors
/// [`Error::Gone`] when it does not work any more.
pub async fn follow_link(
    State(app): State<App>,
    visit: Visit,
    jar: CookieJar,
    Path(token): Path<String>,
) -> Result<Response> {
    let mut tx = app.begin().await?;
    let (id, person) = linked(&mut tx, &visit, &token).await?;
    one_time::use_up(&mut tx, id, person.id, visit.now)
        .await
        .map_err(gone)?;
    let cookie = open(&app, &visit, &mut tx, (person.id, &person.name), "link").await?;
    app.commit(tx).await?;
    Ok((jar.add(cookie), Redirect::to("/")).into_response())
}

async fn linked(
    conn: &mut PgConnection,
    visit: &Visit,
    token: &str,
) -> Result<(Uuid, people::Person)> {
    let open = one_time::peek(conn, Kind::SignIn, token, visit.now)
        .await?
        .ok_or(Error::Gone)?;
    let person = people::get(conn, open.person_id.ok_or(Error::Gone)?).await?;
    if person.deactivated_at.is_some() {
        return Err(Error::Gone);
    }
    Ok((open.id, person))
}

/// A one-time secret that somebody else used a moment ago.
pub(super) fn gone(error: crate::store::Error) -> Error {
    match error {
        crate::store::Error::NotFound => Error::Gone,
        other => other.into(),
    }
}

#[derive(Template)]
#[template(path = "reauth.html")]
struct Reauth {
    page: Page,
    faults: Faults,
    login: String,
    next: String,
}

/// `GET /reauth`
///
/// # Errors
/// When the page cannot be made.
pub async fn reauth_form(reader: Reader, page: Page, Query(next): Query<Next>) -> Result<Response> {
    show(&Reauth {
        page,
        faults: Faults::default(),
        login: reader.login,
        next: next.next,
    })
}

/// What the form sends.
#[derive(Deserialize)]
pub struct Again {
    password: String,
    #[serde(default)]
    next: String,
}

/// `POST /reauth`: proves who the reader is and gives the session a new token.
///
/// # Errors
/// When the database cannot be read or written.
pub async fn reauth(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    jar: CookieJar,
    Form(typed): Form<Again>,
) -> Result<Response> {
    let mut faults = Faults::default();
    let mut wait = None;
    match password::prove(&app, &visit, &reader.login, typed.password).await? {
        Proof::Right(_) => {
            let token = secret::token().map_err(Error::internal)?;
            let mut tx = app.begin().await?;
            let actor = reader.actor(&visit, None);
            let hash = secret::digest(&token);
            sessions::prove(&mut tx, &actor, reader.session, &hash, visit.now).await?;
            app.commit(tx).await?;
            let to = Redirect::to(safe_next(&typed.next).unwrap_or("/"));
            return Ok((jar.add(session::cookie(&app, token)), to).into_response());
        }
        Proof::Wrong(account, failures) => {
            if let Some(account) = account {
                note_refusal(&app, &visit, &account, failures).await?;
            }
            faults.add("password", page.t("password-wrong"));
        }
        Proof::Wait(seconds) => {
            faults.add("password", page.t1("signin-wait", "seconds", seconds));
            wait = Some(seconds);
        }
    }
    let form = Reauth {
        page,
        faults,
        login: reader.login,
        next: typed.next,
    };
    refused(wait, &form)
}
