//! Who is signed in: the cookie, the extractors [`Reader`] and [`MaybeReader`], and what a
//! reader may do.

use super::{
    App, Error, Result,
    visit::{Visit, Who},
};
use crate::{
    i18n::Lang,
    ladder::policy::{Act, Role},
    store::{audit::Actor, secret, sessions},
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, Method, request::Parts},
};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Deciding acts ask for the password again after this many minutes.
pub const RECENT_MINUTES: i64 = 15;

/// A signed-in person. As a handler's argument it lets nobody else in.
#[derive(Debug, Clone)]
pub struct Reader {
    /// The person.
    pub id: Uuid,
    /// Their name.
    pub name: String,
    /// Their login.
    pub login: String,
    /// Roles held at this request.
    pub roles: Vec<Role>,
    /// Language of their profile.
    pub lang: Option<Lang>,
    /// Theme of their profile: `light` or `dark`.
    pub theme: Option<String>,
    /// Their session.
    pub session: Uuid,
    /// When they last proved who they are.
    pub reauthenticated_at: DateTime<Utc>,
    /// When they ask: the only `now` of the request.
    pub at: DateTime<Utc>,
    /// What they ask for, without its query.
    pub path: String,
    /// Id of the request.
    pub request_id: String,
    /// Network they ask from.
    pub network: &'static str,
}

impl Reader {
    /// The role that lets this person do `act`.
    ///
    /// # Errors
    /// [`Error::Forbidden`], whose page says which role is needed and who holds it.
    pub fn may(&self, act: Act) -> Result<Role> {
        act.allowed_by(&self.roles).ok_or(Error::Forbidden(act))
    }

    /// Whether this person may do `act`, for what a page offers.
    pub fn can(&self, act: Act) -> bool {
        act.allowed_by(&self.roles).is_some()
    }

    /// Whether they proved who they are within the last `minutes`.
    pub fn recently_authenticated(&self, now: DateTime<Utc>, minutes: i64) -> bool {
        now - self.reauthenticated_at < TimeDelta::minutes(minutes)
    }

    /// Lets a deciding act go on only soon after the password was given.
    ///
    /// # Errors
    /// [`Error::Reauthenticate`], which leads over `/reauth` back to the page.
    pub fn recent(&self, visit: &Visit) -> Result<()> {
        if self.recently_authenticated(visit.now, RECENT_MINUTES) {
            return Ok(());
        }
        Err(Error::Reauthenticate)
    }

    /// This person as the log names them when they read.
    pub fn reads(&self) -> Actor {
        Actor {
            person_id: Some(self.id),
            name: self.name.clone(),
            role: Act::Read.allowed_by(&self.roles).map(|r| r.id().to_owned()),
            request_id: Some(self.request_id.clone()),
            network: Some(self.network.to_owned()),
        }
    }

    /// This person as the log names them; `role` is what [`Reader::may`] gave.
    pub fn actor(&self, visit: &Visit, role: Option<Role>) -> Actor {
        Actor {
            person_id: Some(self.id),
            name: self.name.clone(),
            role: role.map(|r| r.id().to_owned()),
            request_id: Some(visit.request_id.clone()),
            network: Some(visit.network.to_owned()),
        }
    }
}

/// The program acting on behalf of nobody signed in, from this request.
pub fn app_actor(visit: &Visit) -> Actor {
    Actor {
        request_id: Some(visit.request_id.clone()),
        network: Some(visit.network.to_owned()),
        ..Actor::app()
    }
}

impl FromRequestParts<App> for Reader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let MaybeReader(reader) = MaybeReader::from_request_parts(parts, app).await?;
        reader.ok_or(Error::SignIn)
    }
}

/// A signed-in person, or nobody.
#[derive(Debug, Clone)]
pub struct MaybeReader(pub Option<Reader>);

impl FromRequestParts<App> for MaybeReader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let visit = Visit::from_request_parts(parts, app).await?;
        // A page is a person's: a token that asks for one is told so, whatever it may do elsewhere.
        if super::api::bearer(&parts.headers).is_some() {
            return Err(Error::TokenDecides);
        }
        Ok(Self(match visit.who(app).await? {
            Who::Reader(reader) => Some(reader.as_ref().clone()),
            Who::Expired(_) | Who::Nobody => None,
        }))
    }
}

/// Looks up the session of a visit.
pub(super) async fn load(app: &App, visit: &Visit) -> Result<Who> {
    let Some(token) = &visit.token else {
        return Ok(Who::Nobody);
    };
    let mut conn = app.conn().await?;
    let found = sessions::find(&mut conn, &secret::digest(token), app.lives, visit.now).await?;
    Ok(match found {
        sessions::Found::Live(live) => Who::Reader(Box::new(Reader {
            id: live.person_id,
            name: live.name,
            login: live.login,
            roles: live.roles,
            lang: live.lang.as_deref().and_then(Lang::from_tag),
            theme: live.theme,
            session: live.id,
            reauthenticated_at: live.proved_at,
            at: visit.now,
            path: visit.path.split('?').next().unwrap_or_default().to_owned(),
            request_id: visit.request_id.clone(),
            network: visit.network,
        })),
        sessions::Found::Expired(at) => Who::Expired(at),
        sessions::Found::None => Who::Nobody,
    })
}

/// Name of the session cookie: bound to this host and to https where there is https.
fn cookie_name(app: &App) -> &'static str {
    if app.secure { "__Host-pel" } else { "pel" }
}

/// The session token a browser sent.
pub(super) fn token(app: &App, headers: &HeaderMap) -> Option<String> {
    CookieJar::from_headers(headers)
        .get(cookie_name(app))
        .map(|c| c.value().to_owned())
        .filter(|t| !t.is_empty())
}

/// The cookie that carries a session's token.
pub fn cookie(app: &App, token: String) -> Cookie<'static> {
    Cookie::build((cookie_name(app), token))
        .path("/")
        .http_only(true)
        .secure(app.secure)
        .same_site(SameSite::Lax)
        .build()
}

/// The cookie that makes a browser forget its session.
pub fn no_cookie(app: &App) -> Cookie<'static> {
    let mut cookie = cookie(app, String::new());
    cookie.make_removal();
    cookie
}

/// A path of our own to go on to, or `None`: no other host, no control characters.
pub fn safe_next(next: &str) -> Option<&str> {
    let own = next.starts_with('/')
        && !next[1..].starts_with(['/', '\\'])
        && next.len() <= 2000
        && next.chars().all(|c| c.is_ascii_graphic() && c != '\\');
    own.then_some(next)
}

/// `page?next=path`, with the path escaped.
pub fn with_next(page: &str, next: &str) -> String {
    let mut out = format!("{page}?next=");
    for byte in next.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Whether a method only reads.
pub(super) fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_our_own_are_followed() {
        for good in ["/", "/cases/PEL-0042?x=1", "/cases#a"] {
            assert_eq!(safe_next(good), Some(good));
        }
        for bad in [
            "",
            "cases",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\nb",
            "/\u{e9}",
        ] {
            assert_eq!(safe_next(bad), None, "{bad:?}");
        }
        assert_eq!(
            with_next("/signin", "/cases?q=a&b"),
            "/signin?next=/cases%3Fq%3Da%26b"
        );
    }
}
