//! A person's own profile: name, language, theme, password, sessions.

use super::{
    App, Error, Page, Reader, Result,
    form::Faults,
    i18n,
    page::{Nav, show, show_with},
    password::{self, Proof},
    session::{MaybeReader, safe_next},
    setup::is_name,
    visit::Visit,
};
use crate::{
    i18n::Lang,
    store::{
        people::{self, Person},
        sessions::{self, Ended, Line},
    },
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::{Redirect, Response},
};
use axum_extra::extract::{
    Form,
    cookie::{Cookie, CookieJar, SameSite},
};
use serde::Deserialize;
use uuid::Uuid;

#[derive(Template)]
#[template(path = "profile.html")]
struct Profile {
    page: Page,
    person: Person,
    has_password: bool,
    session: Uuid,
    sessions: Vec<Line>,
    faults: Faults,
    /// What was just done, as part of a message key.
    done: Option<&'static str>,
}

impl Profile {
    fn langs(&self) -> Vec<(&'static str, &'static str, bool)> {
        let chosen = |l: &Lang| self.person.lang.as_deref() == Some(l.tag());
        Lang::ALL
            .into_iter()
            .map(|l| (l.tag(), i18n::own_name(l), chosen(&l)))
            .collect()
    }

    fn themes(&self) -> [(&'static str, bool); 2] {
        ["light", "dark"].map(|t| (t, self.person.theme.as_deref() == Some(t)))
    }

    fn roles(&self) -> String {
        let words: Vec<String> = self
            .person
            .roles
            .iter()
            .map(|r| self.page.role(r))
            .collect();
        words.join(", ")
    }
}

async fn load(app: &App, visit: &Visit, page: Page, reader: &Reader) -> Result<Profile> {
    let mut conn = app.conn().await?;
    let account = people::account(&mut conn, &reader.login).await?;
    Ok(Profile {
        page: page.at(Nav::Me),
        person: people::get(&mut conn, reader.id).await?,
        has_password: account.is_some_and(|a| a.phc.is_some()),
        session: reader.session,
        sessions: sessions::list(&mut conn, reader.id, app.lives, visit.now).await?,
        faults: Faults::default(),
        done: None,
    })
}

/// What was done before the page is shown again.
#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /me`
///
/// # Errors
/// When nobody is signed in.
pub async fn show_me(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Query(query): Query<Done>,
) -> Result<Response> {
    let mut profile = load(&app, &visit, page, &reader).await?;
    profile.done = ["profile", "password", "session"]
        .into_iter()
        .find(|d| query.done.as_deref() == Some(*d));
    show(&profile)
}

/// What the profile form sends.
#[derive(Deserialize)]
pub struct Typed {
    version: i32,
    name: String,
    lang: String,
    theme: String,
}

/// `POST /me`
///
/// # Errors
/// When the profile changed meanwhile.
pub async fn save(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    use axum::response::IntoResponse as _;
    let lang = Lang::ALL
        .into_iter()
        .map(Lang::tag)
        .find(|t| *t == typed.lang);
    let theme = ["light", "dark"].into_iter().find(|t| *t == typed.theme);
    if !is_name(&typed.name) {
        let mut profile = load(&app, &visit, page, &reader).await?;
        let message = profile.page.t("person-name-fault");
        profile.faults.add("name", message);
        profile.person.name = typed.name;
        (profile.person.lang, profile.person.theme) =
            (lang.map(str::to_owned), theme.map(str::to_owned));
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &profile);
    }
    let profile = people::Profile {
        name: &typed.name,
        lang,
        theme,
    };
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, None);
    people::set_profile(
        &mut tx,
        &actor,
        (reader.id, typed.version),
        &profile,
        visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(Redirect::to("/me?done=profile").into_response())
}

/// What the password form sends.
#[derive(Deserialize)]
pub struct Passwords {
    #[serde(default)]
    current: String,
    new: String,
}

/// `POST /me/password`: the other sessions end with it.
///
/// # Errors
/// For a person without a password, when they signed in too long ago to set a first one.
pub async fn change_password(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Form(typed): Form<Passwords>,
) -> Result<Response> {
    use axum::response::IntoResponse as _;
    let mut profile = load(&app, &visit, page, &reader).await?;
    let mut faults = Faults::default();
    password::judge(&profile.page, &mut faults, "new", &typed.new, &reader.login);
    if !profile.has_password {
        reader.recent(&visit)?;
    } else if faults.is_empty() {
        match password::prove(&app, &visit, &reader.login, typed.current).await? {
            Proof::Right(_) => {}
            Proof::Wrong(..) => faults.add("current", profile.page.t("password-wrong")),
            Proof::Wait(seconds) => return Err(Error::TooMany(seconds)),
        }
    }
    if !faults.is_empty() {
        profile.faults = faults;
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &profile);
    }
    let phc = password::hash(&app, typed.new).await?;
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, None);
    let keep = (phc.as_str(), Some(reader.session));
    people::set_password(&mut tx, &actor, reader.id, keep, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to("/me?done=password").into_response())
}

/// `POST /me/sessions/{id}/end`
///
/// # Errors
/// Not found, when it is not the reader's own or over already.
pub async fn end_session(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
) -> Result<Redirect> {
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, None);
    sessions::end(&mut tx, &actor, (id, reader.id), Ended::Ended, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to("/me?done=session#sessions"))
}

/// What the language form at the foot of every page sends.
#[derive(Deserialize)]
pub struct Switch {
    lang: String,
    #[serde(default)]
    next: String,
}

/// `POST /language`: for this browser, and for the person who is signed in.
///
/// # Errors
/// When the database cannot be written.
pub async fn language(
    State(app): State<App>,
    MaybeReader(reader): MaybeReader,
    jar: CookieJar,
    Form(switch): Form<Switch>,
) -> Result<(CookieJar, Redirect)> {
    let lang = Lang::from_tag(&switch.lang).unwrap_or_default();
    if let Some(reader) = reader {
        people::set_lang(&mut *app.conn().await?, reader.id, lang.tag()).await?;
    }
    let mut cookie = Cookie::build((i18n::COOKIE, lang.tag()))
        .path("/")
        .http_only(true)
        .secure(app.secure)
        .same_site(SameSite::Lax)
        .build();
    cookie.make_permanent();
    let to = safe_next(&switch.next).unwrap_or("/");
    Ok((jar.add(cookie), Redirect::to(to)))
}
