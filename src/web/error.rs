//! What can go wrong at the edge, and the one place that says so: a status, a message in the
//! reader's language and a way out; a problem document below `/api`. Causes inside are logged,
//! never shown.

use super::{App, Page, page::show_with, session::with_next, visit::Visit};
use crate::{
    i18n::text,
    ladder::{policy::Act, scope::Scope},
    store::{self, people},
};
use askama::Template;
use axum::{
    Json,
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use serde_json::json;
use std::sync::Arc;

/// Result of a handler.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong with a request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such thing, or not for this reader.
    #[error("not found")]
    NotFound,
    /// A one-time link that was used, taken back or is too old.
    #[error("the link does not work any more")]
    Gone,
    /// Nobody is signed in.
    #[error("not signed in")]
    SignIn,
    /// The act asks for the password again.
    #[error("the password is asked again")]
    Reauthenticate,
    /// The reader holds no role that allows this.
    #[error("no role allows {0:?}")]
    Forbidden(Act),
    /// A form that another site sent.
    #[error("sent from another site")]
    CrossSite,
    /// Somebody else changed it meanwhile.
    #[error("changed meanwhile")]
    Conflict,
    /// A rule of the database refused it.
    #[error("refused by rule {constraint}")]
    Refused {
        /// Name of the rule; `error-rule-<name>` is its message, with dashes for underscores.
        constraint: String,
    },
    /// The same one-time form key came with another content.
    #[error("form key used for something else")]
    FormKey,
    /// Too many attempts; wait this many seconds.
    #[error("too many attempts, wait {0} s")]
    TooMany(i64),
    /// What was sent cannot be stored.
    #[error("not storable")]
    Unstorable,
    /// What was sent makes no sense; the message says what would.
    #[error("invalid: {0}")]
    Invalid(String),
    /// A field of a program's request makes no sense: which, and what would.
    #[error("invalid {0}: {1}")]
    Field(&'static str, String),
    /// A token without this scope.
    #[error("the token lacks {0:?}")]
    Scope(Scope),
    /// A token tried what only people do.
    #[error("a token decides nothing")]
    TokenDecides,
    /// Nothing is kept now; the message says why.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// Whatever else HTTP has a status for.
    #[error("status {0}")]
    Status(StatusCode),
    /// Our fault; the cause is for the log.
    #[error("internal: {0}")]
    Internal(anyhow::Error),
}

impl Error {
    /// A failure that only the log explains.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::Internal(anyhow::anyhow!("{cause}"))
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Gone => StatusCode::GONE,
            Self::SignIn => StatusCode::UNAUTHORIZED,
            Self::Reauthenticate
            | Self::Forbidden(_)
            | Self::CrossSite
            | Self::Scope(_)
            | Self::TokenDecides => StatusCode::FORBIDDEN,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Conflict | Self::Refused { .. } => StatusCode::CONFLICT,
            Self::FormKey | Self::Invalid(_) | Self::Field(..) | Self::Unstorable => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Status(status) => *status,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Part of the message keys: `error-<code>-title` and `error-<code>`.
    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Gone => "gone",
            Self::SignIn => "sign-in",
            Self::Reauthenticate => "reauthenticate",
            Self::Forbidden(_) => "forbidden",
            Self::CrossSite => "cross-site",
            Self::Conflict => "conflict",
            Self::Refused { .. } => "refused",
            Self::FormKey => "form-key",
            Self::Invalid(_) | Self::Field(..) => "invalid",
            Self::Scope(_) => "scope",
            Self::TokenDecides => "token-decides",
            Self::Unavailable(_) => "unavailable",
            Self::Unstorable => "unstorable",
            Self::TooMany(_) => "too-many",
            Self::Status(status) => match *status {
                StatusCode::NOT_FOUND => "not-found",
                StatusCode::METHOD_NOT_ALLOWED => "method",
                StatusCode::PAYLOAD_TOO_LARGE => "too-large",
                StatusCode::UNSUPPORTED_MEDIA_TYPE => "media-type",
                StatusCode::SERVICE_UNAVAILABLE => "unavailable",
                s if s.is_server_error() => "internal",
                _ => "request",
            },
            Self::Internal(_) => "internal",
        }
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::NotFound => Self::NotFound,
            store::Error::Conflict => Self::Conflict,
            store::Error::Refused { constraint, detail } => {
                tracing::info!(constraint, detail, "refused by the database");
                Self::Refused { constraint }
            }
            store::Error::Unstorable(why) => {
                tracing::info!(why, "not storable");
                Self::Unstorable
            }
            other => Self::Internal(other.into()),
        }
    }
}

impl From<askama::Error> for Error {
    fn from(error: askama::Error) -> Self {
        Self::Internal(error.into())
    }
}

/// An error on its way out, to be rendered by the visit layer.
#[derive(Clone)]
pub(super) struct Refusal(pub Arc<Error>);

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(Refusal(Arc::new(self)));
        response
    }
}

/// Whether a response is a refusal that nobody dressed, such as a rejected argument.
pub(super) fn is_bare(response: &Response) -> bool {
    let plain = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_none_or(|t| t.as_bytes().starts_with(b"text/plain"));
    (response.status().is_client_error() || response.status().is_server_error()) && plain
}

/// The answer to a URL that leads nowhere.
pub async fn not_found() -> Error {
    Error::NotFound
}

/// The answer to a method that a URL does not know.
pub async fn method_not_allowed() -> Error {
    Error::Status(StatusCode::METHOD_NOT_ALLOWED)
}

/// What a panic becomes; the message is for the log.
pub(super) fn panicked(cause: Box<dyn std::any::Any + Send>) -> Response<Body> {
    let what = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    Error::internal(format!("panic: {what}")).into_response()
}

#[derive(Template)]
#[template(path = "error.html")]
struct Shown {
    page: Page,
    title: String,
    message: String,
    /// The people who hold the role that is missing.
    ask: Option<String>,
    request_id: String,
    /// The page before, when the way out is back.
    back: Option<String>,
}

/// Turns an error into the answer a person or a program can use.
pub(super) async fn render(app: &App, visit: &Visit, error: &Error) -> Response {
    let status = error.status();
    if let Error::Internal(cause) = error {
        tracing::error!(
            // Where is told by the request's own span, which leaves out queries and secrets.
            request_id = visit.request_id,
            "{cause:#}"
        );
    }
    if !visit.api {
        match error {
            Error::SignIn => return redirect("/signin", visit),
            Error::Reauthenticate => return redirect("/reauth", visit),
            _ => {}
        }
    }
    if !status.is_server_error() {
        // For the reader's language and the frame of the page; the error stands without it.
        let _ = visit.who(app).await;
    }
    let page = Page::of(app, visit);
    let (title, message) = message(error, &page);
    let ask = match error {
        Error::Forbidden(act) => holders(app, *act).await,
        _ => None,
    };
    let mut response = if visit.api {
        problem(visit, error, &title, &message)
    } else {
        let back = match error {
            Error::Conflict
            | Error::Refused { .. }
            | Error::FormKey
            | Error::Invalid(_)
            | Error::Unstorable => visit.from_path.clone(),
            _ => None,
        };
        let shown = Shown {
            page,
            title,
            message,
            ask,
            request_id: visit.request_id.clone(),
            back,
        };
        show_with(status, &shown).unwrap_or_else(|failed| {
            tracing::error!("the error page cannot be made: {failed}");
            status.into_response()
        })
    };
    if let Error::TooMany(seconds) = error {
        let value = HeaderValue::from(*seconds);
        response.headers_mut().insert(header::RETRY_AFTER, value);
    }
    response
}

fn redirect(page: &str, visit: &Visit) -> Response {
    let next = visit.return_path();
    let to = if next == "/" {
        page.to_owned()
    } else {
        with_next(page, &next)
    };
    Redirect::to(&to).into_response()
}

fn message(error: &Error, page: &Page) -> (String, String) {
    let code = error.code();
    let title = page.t(&format!("error-{code}-title"));
    let seconds;
    let roles;
    let args: &[(&str, &str)] = match error {
        Error::TooMany(wait) => {
            seconds = wait.to_string();
            &[("seconds", &seconds)]
        }
        Error::Forbidden(act) => {
            roles = act
                .roles()
                .iter()
                .map(|r| page.t(&format!("role-{}", r.id())))
                .collect::<Vec<_>>()
                .join(", ");
            &[("roles", &roles)]
        }
        Error::Invalid(message) | Error::Unavailable(message) => return (title, message.clone()),
        Error::Field(field, words) => return (title, format!("{field}: {words}")),
        Error::Scope(scope) => {
            roles = scope.id().to_owned();
            &[("scope", &roles)]
        }
        Error::Refused { constraint } => {
            let key = format!("error-rule-{}", constraint.replace('_', "-"));
            if crate::i18n::has(page.lang, &key) {
                return (title, page.t(&key));
            }
            &[]
        }
        _ => &[],
    };
    (title, text(page.lang, &format!("error-{code}"), args))
}

async fn holders(app: &App, act: Act) -> Option<String> {
    let mut conn = app.conn().await.ok()?;
    let names = people::holders(&mut conn, act.roles()).await.ok()?;
    (!names.is_empty()).then(|| names.join(", "))
}

/// RFC 9457. `type` names the kind of problem and stays the same in every language.
fn problem(visit: &Visit, error: &Error, title: &str, message: &str) -> Response {
    let status = error.status();
    let mut body = json!({
        "type": format!("/help/problems#{}", error.code()),
        "title": title,
        "status": status.as_u16(),
        "detail": message,
        "instance": visit.request_id,
    });
    if let Error::Field(field, _) = error {
        body["field"] = json!(field);
    }
    let mut response = (status, Json(body)).into_response();
    if matches!(error, Error::SignIn) {
        let scheme = HeaderValue::from_static("Bearer");
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, scheme);
    }
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/problem+json"),
    );
    response
}

impl Shown {
    fn signed_in(&self) -> bool {
        self.page.reader.is_some()
    }
}
