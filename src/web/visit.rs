//! One request as the program sees it: when, from where, in which language, by whom.
//!
//! The outermost of our own layers makes a [`Visit`], hands it to handlers through the request,
//! and afterwards renders whatever [`Error`] came back, because only it knows the reader's
//! language.

use super::{
    App, Error,
    error::{self, Refusal},
    session::{self, Reader},
};
use crate::i18n::Lang;
use axum::{
    extract::{ConnectInfo, FromRequestParts, Request, State},
    http::{HeaderMap, Method, header, request::Parts},
    middleware::Next,
    response::Response,
};
use chrono::{DateTime, Utc};
use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Instant,
};
use tokio::sync::OnceCell;

/// Who makes the request.
#[derive(Debug, Clone)]
pub enum Who {
    /// A signed-in person.
    Reader(Box<Reader>),
    /// Somebody whose session ran out then.
    Expired(DateTime<Utc>),
    /// Nobody we know.
    Nobody,
}

/// One request; shared and cheap to clone. Handlers take it as an argument.
#[derive(Debug, Clone)]
pub struct Visit(Arc<Inner>);

/// What a [`Visit`] knows.
#[derive(Debug)]
pub struct Inner {
    /// When the request came in; the only `now` of its handler.
    pub now: DateTime<Utc>,
    /// For how long the page took.
    pub started: Instant,
    /// Method.
    pub method: Method,
    /// Path and query as asked for.
    pub path: String,
    /// Whether a program asks (below `/api`) and gets JSON.
    pub api: bool,
    /// The language the browser asks for, or the one chosen in its cookie.
    pub asked_lang: Lang,
    /// Id of the request, in logs, the audit log and on error pages.
    pub request_id: String,
    /// `loopback`, `private` or `public`.
    pub network: &'static str,
    /// The client's address (an IPv6 one by its /64), for delays only; never stored as it is.
    pub client: String,
    /// Browser and system, as far as the browser says.
    pub device: String,
    /// The session token the browser sent.
    pub token: Option<String>,
    /// Host the browser asked, for links made while no public address is configured.
    pub host: String,
    /// Our own page the request came from, if it says so.
    pub from_path: Option<String>,
    who: OnceCell<Who>,
}

impl std::ops::Deref for Visit {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Visit {
    fn new(app: &App, request: &Request) -> Self {
        let headers = request.headers();
        let uri = request.uri();
        let peer = request
            .extensions()
            .get::<ConnectInfo<SocketAddr>>()
            .map(|c| c.0.ip());
        let address = client_address(app, headers, peer);
        let path = uri.path_and_query().map_or("/", |p| p.as_str()).to_owned();
        Self(Arc::new(Inner {
            now: app.now(),
            started: Instant::now(),
            method: request.method().clone(),
            api: uri.path() == "/api" || uri.path().starts_with("/api/"),
            path,
            asked_lang: super::i18n::asked(headers),
            request_id: text(headers, "x-request-id").unwrap_or_default().to_owned(),
            network: network(address),
            client: address.map_or_else(|| "unknown".to_owned(), client_key),
            device: device(text(headers, "user-agent").unwrap_or_default()),
            token: session::token(app, headers),
            host: text(headers, "host").unwrap_or("localhost").to_owned(),
            from_path: text(headers, "referer").and_then(own_path),
            who: OnceCell::new(),
        }))
    }

    /// Who makes the request; the database is asked once per request.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn who(&self, app: &App) -> Result<&Who, Error> {
        self.0
            .who
            .get_or_try_init(|| session::load(app, self))
            .await
    }

    /// Who makes the request, if that was found out already.
    pub fn known(&self) -> Option<&Who> {
        self.0.who.get()
    }

    /// Where to come back to after signing in: this page, or the page a form was on.
    pub fn return_path(&self) -> String {
        if self.method == Method::GET {
            return self.path.clone();
        }
        self.from_path.clone().unwrap_or_else(|| "/".to_owned())
    }
}

impl FromRequestParts<App> for Visit {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Error> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Error::internal("a handler runs outside the visit layer"))
    }
}

/// The layer: makes the visit, runs the request, renders the error that came back.
pub async fn layer(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let visit = Visit::new(&app, &request);
    request.extensions_mut().insert(visit.clone());
    let response = next.run(request).await;
    let status = response.status();
    match response.extensions().get::<Refusal>() {
        Some(refusal) => {
            let refusal = refusal.clone();
            error::render(&app, &visit, &refusal.0).await
        }
        None if error::is_bare(&response) => {
            error::render(&app, &visit, &Error::Status(status)).await
        }
        None => response,
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|v| v.to_str().ok())
}

/// Path and query of an absolute URL. Whose host it names does not matter: only a path is kept.
fn own_path(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let path = &rest[rest.find('/')?..];
    super::session::safe_next(path).map(str::to_owned)
}

/// The client's address: the peer, or what our own proxy states last in `X-Forwarded-For`.
fn client_address(app: &App, headers: &HeaderMap, peer: Option<IpAddr>) -> Option<IpAddr> {
    if !app.behind_proxy {
        return peer;
    }
    headers
        .get_all("x-forwarded-for")
        .iter()
        .next_back()
        .and_then(|v| v.to_str().ok())
        .and_then(|v| v.rsplit(',').next())
        .and_then(|a| a.trim().parse().ok())
        .or(peer)
}

fn client_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => {
            let s = v6.segments();
            format!("{:x}:{:x}:{:x}:{:x}", s[0], s[1], s[2], s[3])
        }
    }
}

/// The class of a network; an unknown one counts as public.
fn network(address: Option<IpAddr>) -> &'static str {
    match address.map(|a| a.to_canonical()) {
        Some(a) if a.is_loopback() => "loopback",
        Some(IpAddr::V4(a)) if a.is_private() || a.is_link_local() => "private",
        Some(IpAddr::V6(a)) if a.is_unique_local() || a.is_unicast_link_local() => "private",
        _ => "public",
    }
}

/// Browser and system out of a user agent, for the list of one's own sessions.
fn device(agent: &str) -> String {
    let first = |known: &[(&str, &'static str)]| {
        known
            .iter()
            .find(|(mark, _)| agent.contains(mark))
            .map(|(_, name)| *name)
    };
    let browser = first(&[
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
        ("curl/", "curl"),
    ]);
    let system = first(&[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ]);
    [browser, system]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// The value of `Accept-Language`.
pub(super) fn accept_language(headers: &HeaderMap) -> Option<&str> {
    text(headers, header::ACCEPT_LANGUAGE.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_told_apart_and_the_unknown_is_public() {
        for (address, class) in [
            ("127.0.0.1", "loopback"),
            ("::1", "loopback"),
            ("10.1.2.3", "private"),
            ("::ffff:192.168.1.1", "private"),
            ("fd00::1", "private"),
            ("2001:db8::1", "public"),
            ("203.0.113.7", "public"),
        ] {
            assert_eq!(network(address.parse().ok()), class, "{address}");
        }
        assert_eq!(network(None), "public");
        assert_eq!(
            client_key("2001:db8:1:2:3:4:5:6".parse().unwrap()),
            "2001:db8:1:2"
        );
    }

    #[test]
    fn a_device_is_named_by_what_people_call_it() {
        let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        assert_eq!(device(agent), "Firefox, Linux");
        assert_eq!(device("something"), "");
    }
}
