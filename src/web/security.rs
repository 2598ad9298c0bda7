//! The layers around every route: request id, log line, security headers, compression, the
//! visit, the net under panics, and the check that a form was sent from our own pages.

use super::{App, Error, error, session, visit};
use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
    trace::{DefaultOnResponse, TraceLayer},
};

/// The longest body of an ordinary form. Routes that take files raise it for themselves.
pub const BODY_LIMIT_BYTES: usize = 256 * 1024;

/// Nothing is allowed but what our own host serves as files; nothing inline, no frame around us.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                   font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; \
                   base-uri 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CSP),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ),
    (header::CACHE_CONTROL, "no-store"),
];

/// Puts the layers around `routes`; the last one added is the first to see a request.
pub fn around(routes: Router<App>, app: &App) -> Router<App> {
    routes
        .layer(DefaultBodyLimit::max(BODY_LIMIT_BYTES))
        .layer(middleware::from_fn_with_state(app.clone(), own_origin))
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(middleware::from_fn_with_state(app.clone(), visit::layer))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(app.clone(), headers))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_response(DefaultOnResponse::new().level(tracing::Level::INFO)),
        )
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(middleware::map_request(forget_foreign_request_id))
}

/// A request id that a client chose could forge another's in log and audit: it is dropped.
async fn forget_foreign_request_id(mut request: Request) -> Request {
    request.headers_mut().remove("x-request-id");
    request
}

/// The log line of a request: never the query, which may hold what people search for, and never
/// the secret of a one-time link.
fn span<B>(request: &axum::http::Request<B>) -> tracing::Span {
    let id = request
        .headers()
        .get("x-request-id")
        .and_then(|v| v.to_str().ok())
        .unwrap_or_default();
    let path = request.uri().path();
    let path = ["/invitation/", "/signin/link/"]
        .into_iter()
        .find(|p| path.starts_with(p))
        .unwrap_or(path);
    tracing::info_span!("request", id, method = %request.method(), path)
}

/// Adds the headers that every answer carries, unless the answer has its own.
async fn headers(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    if app.secure {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
    response
}

/// Refuses what changes something and was not sent from our own pages.
async fn own_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    if session::is_safe(request.method()) || sent_by_us(&app, request.headers()) {
        return next.run(request).await;
    }
    Error::CrossSite.into_response()
}

/// A browser says where a request comes from, by `Sec-Fetch-Site` or by `Origin`. A request that
/// says neither may pass only when it carries no cookie: then there is no session to misuse.
fn sent_by_us(app: &App, headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return matches!(site.as_bytes(), b"same-origin" | b"none");
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        return !headers.contains_key(header::COOKIE);
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    if app.public_url.as_deref() == Some(origin) {
        return true;
    }
    let host = headers.get(header::HOST).and_then(|h| h.to_str().ok());
    let authority = origin.split_once("://").map(|(_, rest)| rest);
    host.is_some() && authority == host
}
