//! Who may use which route: a table over all of them. A route that is not in it fails the test.

use crate::harness::{PASSWORD, Site};
use axum::http::{Method, StatusCode};
use pel::{ladder::policy::Role, web::routes};
use std::collections::BTreeSet;

/// Who is let in.
enum For {
    /// Anybody, signed in or not.
    Anybody,
    /// Whoever is signed in.
    SignedIn,
    /// Holders of one of these roles.
    Roles(&'static [Role]),
    /// Programs with a token; no person, whatever their roles.
    Tokens,
}
use For::{Anybody, Roles, SignedIn, Tokens};

const ADMIN: For = Roles(&[Role::Admin]);

const RESPONDER: For = Roles(&[Role::Responder]);
const LEADERS: For = Roles(&[Role::Responder, Role::Manager]);
const REVIEWER: For = Roles(&[Role::Reviewer]);
const BACK: For = Roles(&[Role::Responder, Role::Reviewer, Role::Manager]);
const READERS: For = Roles(&[
    Role::Viewer,
    Role::Responder,
    Role::Reviewer,
    Role::Manager,
    Role::Auditor,
]);

const ANY_ROLE: For = Roles(&Role::ALL);

const LOG_READERS: For = Roles(&[Role::Auditor, Role::Manager, Role::Admin]);

const TABLE: &[(&str, &str, For)] = &[
    ("GET", "/", SignedIn),
    ("GET", "/help", SignedIn),
    ("GET", "/cases", READERS),
    ("GET", "/cases/new", RESPONDER),
    ("POST", "/cases", RESPONDER),
    ("GET", "/cases/close", LEADERS),
    ("POST", "/cases/close", LEADERS),
    ("GET", "/decisions", READERS),
    ("GET", "/policy", ANY_ROLE),
    ("POST", "/policy", ADMIN),
    ("GET", "/overrides", Roles(&[Role::Manager, Role::Auditor])),
    ("GET", "/audit", LOG_READERS),
    ("POST", "/audit/verify", LOG_READERS),
    ("GET", "/cases/{case}/export.json", READERS),
    ("GET", "/history", READERS),
    ("POST", "/history", RESPONDER),
    ("GET", "/history/{id}", READERS),
    ("GET", "/audit/checkpoints/{number}", LOG_READERS),
    ("GET", "/services", READERS),
    ("POST", "/services", RESPONDER),
    ("POST", "/services/{id}/classes", RESPONDER),
    ("POST", "/services/{id}/freezes", Roles(&[Role::Manager])),
    ("POST", "/freezes/{id}/lift", Roles(&[Role::Manager])),
    ("GET", "/templates", READERS),
    ("POST", "/templates", RESPONDER),
    ("POST", "/templates/{id}/agree", REVIEWER),
    ("POST", "/templates/{id}/take-back", REVIEWER),
    ("GET", "/contracts", READERS),
    ("GET", "/contracts/new", RESPONDER),
    ("POST", "/contracts", RESPONDER),
    ("GET", "/contracts/{id}", READERS),
    ("POST", "/contracts/{id}/draft", RESPONDER),
    ("GET", "/contracts/{id}/edit", RESPONDER),
    ("POST", "/contracts/{id}/edit", RESPONDER),
    ("POST", "/contracts/{id}/publish", RESPONDER),
    ("POST", "/contracts/{id}/withdraw", RESPONDER),
    ("GET", "/contracts/{id}/diff", READERS),
    ("GET", "/signin", Anybody),
    ("POST", "/signin", Anybody),
    ("GET", "/signin/link/{token}", Anybody),
    ("POST", "/signin/link/{token}", Anybody),
    ("POST", "/signout", Anybody),
    ("GET", "/reauth", SignedIn),
    ("POST", "/reauth", SignedIn),
    ("GET", "/setup", Anybody),
    ("POST", "/setup", Anybody),
    ("GET", "/invitation/{token}", Anybody),
    ("POST", "/invitation/{token}", Anybody),
    ("GET", "/people", ADMIN),
    ("POST", "/people/invite", ADMIN),
    ("POST", "/people/invitations/{id}/revoke", ADMIN),
    ("POST", "/people/{id}/roles", ADMIN),
    ("POST", "/people/{id}/identity", ADMIN),
    ("POST", "/people/{id}/deactivate", ADMIN),
    ("POST", "/people/{id}/reactivate", ADMIN),
    ("GET", "/retention", Roles(&[Role::Auditor, Role::Admin])),
    ("POST", "/retention/erase", ADMIN),
    ("GET", "/tokens", ADMIN),
    ("POST", "/tokens", ADMIN),
    ("POST", "/tokens/{id}/revoke", ADMIN),
    ("GET", "/api/v1/openapi.json", Anybody),
    ("POST", "/api/v1/cases", Tokens),
    ("GET", "/api/v1/cases/{case}", Tokens),
    ("GET", "/api/v1/cases/{case}/gate", Tokens),
    ("POST", "/api/v1/cases/{case}/runs", Tokens),
    ("GET", "/api/v1/cases/{case}/runs/{run}", Tokens),
    ("PUT", "/api/v1/cases/{case}/runs/{run}", Tokens),
    ("POST", "/api/v1/cases/{case}/runs/{run}/evidence", Tokens),
    ("GET", "/api/v1/decisions/{id}", Tokens),
    (
        "POST",
        "/api/v1/cases/{case}/changes/{change}/samples",
        Tokens,
    ),
    (
        "POST",
        "/api/v1/cases/{case}/changes/{change}/{act}",
        Tokens,
    ),
    (
        "POST",
        "/api/v1/cases/{case}/conditions/{condition}",
        Tokens,
    ),
    ("POST", "/api/v1/cases/{case}/close", Tokens),
    ("POST", "/people/{id}/pseudonym", ADMIN),
    ("GET", "/me", SignedIn),
    ("POST", "/me", SignedIn),
    ("POST", "/me/password", SignedIn),
    ("POST", "/me/sessions/{id}/end", SignedIn),
    ("POST", "/language", Anybody),
    ("GET", "/cases/{case}", READERS),
    ("GET", "/cases/{case}/summary.json", READERS),
    ("GET", "/cases/{case}/events", READERS),
    ("POST", "/cases/{case}/owner", LEADERS),
    ("POST", "/cases/{case}/owner/accept", LEADERS),
    ("GET", "/cases/{case}/standing", READERS),
    ("POST", "/cases/{case}/people", READERS),
    (
        "POST",
        "/cases/{case}/flags",
        Roles(&[Role::Responder, Role::Manager, Role::Admin]),
    ),
    ("GET", "/cases/{case}/problem", RESPONDER),
    ("POST", "/cases/{case}/problem", RESPONDER),
    ("GET", "/cases/{case}/contract", READERS),
    ("POST", "/cases/{case}/contract", RESPONDER),
    ("POST", "/cases/{case}/contract/consent", REVIEWER),
    ("GET", "/cases/{case}/stages/{n}", RESPONDER),
    ("POST", "/cases/{case}/stages/{n}", RESPONDER),
    ("POST", "/cases/{case}/hypotheses", RESPONDER),
    ("POST", "/cases/{case}/hypotheses/{id}/arguments", RESPONDER),
    (
        "POST",
        "/cases/{case}/comments",
        Roles(&[Role::Responder, Role::Reviewer, Role::Manager]),
    ),
    ("GET", "/cases/{case}/close", LEADERS),
    ("POST", "/cases/{case}/close", LEADERS),
    ("POST", "/cases/{case}/reopen", BACK),
    ("GET", "/evidence/{ev}", READERS),
    ("GET", "/cases/{case}/runs/new", RESPONDER),
    ("POST", "/cases/{case}/runs", RESPONDER),
    ("GET", "/cases/{case}/runs/{run}", READERS),
    ("POST", "/cases/{case}/runs/{run}", RESPONDER),
    ("GET", "/cases/{case}/runs/{run}/edit", RESPONDER),
    ("GET", "/cases/{case}/runs/{run}/evidence", RESPONDER),
    ("POST", "/cases/{case}/runs/{run}/evidence", RESPONDER),
    ("GET", "/cases/{case}/runs/{run}/attest", RESPONDER),
    ("POST", "/cases/{case}/runs/{run}/attest", RESPONDER),
    ("POST", "/cases/{case}/attested/{a}", REVIEWER),
    ("GET", "/evidence/{ev}/redact", RESPONDER),
    ("POST", "/evidence/{ev}/redact", RESPONDER),
    ("POST", "/evidence/{ev}/repoint", RESPONDER),
    ("POST", "/evidence/{ev}/contradictions", REVIEWER),
    (
        "POST",
        "/evidence/{ev}/withdraw",
        Roles(&[Role::Responder, Role::Reviewer]),
    ),
    ("POST", "/evidence/{ev}/set-aside", Roles(&[Role::Reviewer])),
    ("GET", "/evidence/{ev}/mapping", RESPONDER),
    ("POST", "/evidence/{ev}/mapping", RESPONDER),
    ("POST", "/evidence/{ev}/reread", RESPONDER),
    ("GET", "/evidence/{ev}/files/{n}", READERS),
    ("GET", "/evidence/{ev}/reading.json", READERS),
    ("GET", "/cases/{c}/conditions/{condition}", READERS),
    ("POST", "/cases/{c}/conditions/{condition}", RESPONDER),
    (
        "POST",
        "/cases/{c}/conditions/{condition}/retract",
        RESPONDER,
    ),
    ("GET", "/cases/{c}/compare", READERS),
    ("GET", "/cases/{c}/compare.csv", READERS),
    ("GET", "/cases/{c}/compare.json", READERS),
    ("GET", "/cases/{c}/changes/new", RESPONDER),
    ("POST", "/cases/{c}/changes", RESPONDER),
    ("GET", "/cases/{c}/changes/{h}", READERS),
    ("GET", "/cases/{c}/changes/{h}/edit", RESPONDER),
    ("POST", "/cases/{c}/changes/{h}/edit", RESPONDER),
    ("POST", "/cases/{c}/changes/{h}/submit", RESPONDER),
    ("GET", "/cases/{c}/changes/{h}/approve", REVIEWER),
    ("POST", "/cases/{c}/changes/{h}/approve", REVIEWER),
    ("POST", "/cases/{c}/changes/{h}/bundle/consent", REVIEWER),
    ("POST", "/cases/{c}/changes/{h}/request-changes", REVIEWER),
    (
        "POST",
        "/cases/{c}/changes/{h}/requests/{id}/clear",
        REVIEWER,
    ),
    ("POST", "/cases/{c}/changes/{h}/reject", REVIEWER),
    ("POST", "/cases/{c}/changes/{h}/withdraw", RESPONDER),
    ("GET", "/cases/{c}/changes/{h}/canary/start", RESPONDER),
    ("POST", "/cases/{c}/changes/{h}/canary/start", RESPONDER),
    ("POST", "/cases/{c}/changes/{h}/canary/pause", BACK),
    ("POST", "/cases/{c}/changes/{h}/canary/resume", RESPONDER),
    ("POST", "/cases/{c}/changes/{h}/canary/extend", REVIEWER),
    ("POST", "/cases/{c}/changes/{h}/presence", BACK),
    ("GET", "/cases/{c}/changes/{h}/samples", RESPONDER),
    ("POST", "/cases/{c}/changes/{h}/samples", RESPONDER),
    ("GET", "/cases/{c}/changes/{h}/canary/end", RESPONDER),
    ("POST", "/cases/{c}/changes/{h}/canary/end", RESPONDER),
    ("GET", "/cases/{c}/changes/{h}/roll-back", BACK),
    ("POST", "/cases/{c}/changes/{h}/roll-back", BACK),
    ("GET", "/cases/{c}/changes/{h}/accept", READERS),
    ("POST", "/cases/{c}/changes/{h}/accept", REVIEWER),
    (
        "GET",
        "/cases/{c}/changes/{h}/override",
        Roles(&[Role::Manager]),
    ),
    (
        "POST",
        "/cases/{c}/changes/{h}/override",
        Roles(&[Role::Manager]),
    ),
    ("GET", "/cases/{c}/overrides/{id}", READERS),
    (
        "POST",
        "/cases/{c}/overrides/{id}/cosign",
        Roles(&[Role::Reviewer, Role::Manager]),
    ),
    ("POST", "/cases/{c}/overrides/{id}/review", REVIEWER),
    ("GET", "/decisions/{id}", READERS),
    ("GET", "/decisions/{id}/record.json", READERS),
    ("GET", "/decisions/{id}/summary.json", READERS),
    ("GET", "/schema/{name}", Anybody),
    ("GET", "/static/{digest}/{name}", Anybody),
    ("GET", "/favicon.ico", Anybody),
    ("GET", "/healthz", Anybody),
    ("GET", "/readyz", Anybody),
];

/// A path of the route with harmless values in it.
fn path(route: &str) -> String {
    route
        .replace("{id}", "00000000-0000-4000-8000-000000000000")
        .replace("{case}", "PEL-0000")
        .replace("{c}", "PEL-0000")
        .replace("{h}", "CH-0")
        .replace("{condition}", "reproduced-bottleneck")
        .replace("{run}", "R-0")
        .replace("{ev}", "EV-0")
        .replace("{a}", "A-0")
        .replace("{number}", "1")
        .replace("{n}", "1")
        .replace("{token}", "none")
        .replace("{digest}", "none")
        .replace("{name}", "none.css")
}

/// Every field that a form of ours asks for, so that no refusal is about a missing one.
const FIELDS: &[(&str, &str)] = &[
    ("version", "1"),
    ("name", ""),
    ("login", "nobody"),
    ("password", "x"),
    ("new", "x"),
    ("lang", "en"),
    ("theme", ""),
];

#[test]
fn the_table_and_the_routes_are_the_same() {
    let table: BTreeSet<(&str, &str)> = TABLE.iter().map(|(m, p, _)| (*m, *p)).collect();
    let routes: BTreeSet<(&str, &str)> = routes::LIST.iter().map(|r| (r.method, r.path)).collect();
    assert_eq!(
        table.len(),
        TABLE.len(),
        "a route stands twice in the table"
    );
    assert_eq!(
        routes.len(),
        routes::LIST.len(),
        "a route stands twice in the list"
    );
    assert_eq!(table, routes);
}

#[tokio::test]
async fn each_role_gets_in_where_the_table_says_and_nowhere_else() {
    let site = Site::new().await;
    for role in Role::ALL {
        site.person(role.id(), &[role]).await;
    }
    site.person("none", &[]).await;
    for who in [None].into_iter().chain(Role::ALL.map(Some)) {
        let sign_in = async || match who {
            Some(role) => site.signed_in(role.id()).await,
            None => site.browser(),
        };
        let mut browser = sign_in().await;
        for (method, route, allowed) in TABLE {
            let method: Method = method.parse().unwrap();
            let own = [("sec-fetch-site", "same-origin")];
            let fields = (method == Method::POST).then_some(FIELDS);
            let answer = browser
                .send(method.clone(), &path(route), &own, fields)
                .await;
            let what = format!(
                "{who:?} {method} {route}: {} {}",
                answer.status, answer.body
            );
            if *route == "/signout" {
                browser = sign_in().await;
            }
            let redirected = answer.status == StatusCode::SEE_OTHER;
            // Signing out leads there too, and lets everybody do so.
            let to_signin = redirected
                && (answer.location().starts_with("/signin?next=")
                    || answer.location() == "/signin" && !matches!(allowed, Anybody));
            match (allowed, who) {
                (Anybody, _) | (SignedIn, Some(_)) => {
                    assert!(
                        !to_signin && answer.status != StatusCode::FORBIDDEN,
                        "{what}"
                    );
                }
                (Tokens, _) => assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{what}"),
                (SignedIn | Roles(_), None) => assert!(to_signin, "{what}"),
                (Roles(roles), Some(role)) => assert_eq!(
                    answer.status == StatusCode::FORBIDDEN,
                    !roles.contains(&role),
                    "{what}"
                ),
            }
            assert_ne!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "{what}");
        }
    }
}

#[tokio::test]
async fn somebody_without_any_role_sees_only_their_profile() {
    let site = Site::new().await;
    site.person("none", &[]).await;
    let mut browser = site.browser();
    browser.sign_in("none", PASSWORD).await;
    assert_eq!(browser.get("/me").await.status, StatusCode::OK);
    assert_eq!(browser.get("/people").await.status, StatusCode::FORBIDDEN);
}
