//! What every answer carries, whatever it says; and forms from elsewhere are refused.

use crate::harness::Site;
use axum::http::{Method, StatusCode};
use pel::ladder::policy::Role;

const EVERYWHERE: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

#[tokio::test]
async fn every_answer_is_guarded_and_named() {
    let site = Site::new().await;
    site.person("ana", &[Role::Admin]).await;
    let mut ana = site.signed_in("ana").await;
    for (path, status) in [
        ("/signin", StatusCode::SEE_OTHER),
        ("/people", StatusCode::OK),
        ("/no-such-page", StatusCode::NOT_FOUND),
        ("/static/none/nothing.css", StatusCode::NOT_FOUND),
        ("/signin/link/nothing", StatusCode::GONE),
        ("/people/not-a-uuid/roles", StatusCode::METHOD_NOT_ALLOWED),
        ("/healthz", StatusCode::OK),
        ("/readyz", StatusCode::OK),
        ("/api/nothing", StatusCode::NOT_FOUND),
    ] {
        let answer = ana.get(path).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        for (name, value) in EVERYWHERE {
            assert_eq!(answer.header(name), *value, "{path}: {name}");
        }
        let csp = answer.header("content-security-policy");
        assert!(csp.starts_with("default-src 'none'"), "{path}: {csp}");
        assert!(!csp.contains("unsafe"), "{path}: {csp}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert_eq!(answer.header("x-request-id").len(), 36, "{path}");
        assert!(answer.headers.get("strict-transport-security").is_none());
    }
}

#[tokio::test]
async fn a_failure_inside_says_nothing_of_its_cause() {
    let site = Site::new().await;
    site.db.pool.close().await;
    let mut browser = site.browser();
    let answer = browser.get("/signin").await;
    assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(
        answer.body.contains("<h1>Our fault</h1>"),
        "{}",
        answer.body
    );
    assert!(answer.body.contains(answer.header("x-request-id")));
    assert!(
        !answer.body.to_lowercase().contains("pool"),
        "{}",
        answer.body
    );
    assert!(
        answer
            .header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    assert_eq!(browser.get("/healthz").await.status, StatusCode::OK);
    assert_eq!(
        browser.get("/readyz").await.status,
        StatusCode::SERVICE_UNAVAILABLE
    );
}

#[tokio::test]
async fn no_page_has_anything_inline() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let mut pages = vec![browser.get("/setup").await.body];
    site.person("ana", &[Role::Admin, Role::Responder]).await;
    pages.push(browser.get("/signin").await.body);
    let mut ana = site.signed_in("ana").await;
    for path in ["/people", "/me", "/reauth", "/nothing"] {
        pages.push(ana.get(path).await.body);
    }
    for page in pages {
        assert!(page.contains("<h1>"), "{page}");
        for banned in [
            "<script>",
            "<style",
            " style=",
            " onclick=",
            "javascript:",
            "http://",
            "https://",
        ] {
            assert!(!page.contains(banned), "{banned} in {page}");
        }
    }
}

#[tokio::test]
async fn a_static_file_is_kept_for_good_under_its_digest() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let page = browser.get("/setup").await.body;
    let start = page.find("/static/").unwrap();
    for path in page[start..]
        .split('"')
        .filter(|p| p.starts_with("/static/"))
    {
        let answer = browser.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert!(answer.header("cache-control").contains("immutable"));
    }
    let old = browser.get("/static/0123456789abcdef/pel.css").await;
    assert_eq!(old.header("cache-control"), "no-cache");
    assert!(old.body.contains("--surface"));
}

#[tokio::test]
async fn over_https_the_cookie_is_bound_to_the_host_and_the_browser_to_https() {
    let site = Site::at(Some("https://pel.example/")).await;
    site.person("ana", &[Role::Viewer]).await;
    let mut browser = site.browser();
    let answer = browser.sign_in("ana", crate::harness::PASSWORD).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-pel="), "{cookie}");
    for part in ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{part}: {cookie}");
    }
    assert!(!cookie.contains("Domain"));
    assert!(!answer.header("strict-transport-security").is_empty());
}

#[tokio::test]
async fn a_form_from_elsewhere_changes_nothing() {
    let site = Site::at(Some("https://pel.example")).await;
    site.person("ana", &[Role::Admin]).await;
    let ana = site.signed_in("ana").await;
    let fields: &[(&str, &str)] = &[("lang", "en"), ("next", "/me")];
    for (headers, passes) in [
        (vec![("sec-fetch-site", "cross-site")], false),
        (vec![("sec-fetch-site", "same-site")], false),
        (vec![("sec-fetch-site", "same-origin")], true),
        (vec![("sec-fetch-site", "none")], true),
        (vec![("origin", "https://pel.example")], true),
        (vec![("origin", "http://pel.test")], true),
        (vec![("origin", "https://evil.example")], false),
        (vec![("origin", "null")], false),
        (
            vec![
                ("sec-fetch-site", "cross-site"),
                ("origin", "https://pel.example"),
            ],
            false,
        ),
        (vec![], false),
    ] {
        let answer = ana
            .clone()
            .send(Method::POST, "/language", &headers, Some(fields))
            .await;
        let expected = if passes {
            StatusCode::SEE_OTHER
        } else {
            StatusCode::FORBIDDEN
        };
        assert_eq!(answer.status, expected, "{headers:?}");
        if !passes {
            assert!(
                answer.body.contains("Not sent from here"),
                "{}",
                answer.body
            );
        }
    }
}

#[tokio::test]
async fn programs_get_problem_documents() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let answer = browser
        .send(
            Method::GET,
            "/api/nothing",
            &[("accept-language", "pt-BR")],
            None,
        )
        .await;
    assert_eq!(answer.header("content-type"), "application/problem+json");
    let problem: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(problem["status"], 404);
    assert_eq!(problem["type"], "/help/problems#not-found");
    assert_eq!(problem["title"], "Não há nada aqui");
}

#[tokio::test]
async fn too_large_a_form_and_a_request_id_from_outside_are_refused() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut browser = site.browser();
    let long = "x".repeat(300 * 1024);
    let answer = browser.sign_in(&long, "x").await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(
        answer.body.contains("<h1>Too large</h1>"),
        "{}",
        answer.body
    );
    let forged = [("x-request-id", "forged")];
    let answer = browser.send(Method::GET, "/nothing", &forged, None).await;
    assert_ne!(answer.header("x-request-id"), "forged");
}

#[tokio::test]
async fn a_panic_is_a_page_like_any_other_failure() {
    use pel::web::security;
    async fn boom() -> &'static str {
        panic!("the secret cause")
    }
    let site = Site::new().await;
    let routes = axum::Router::new().route("/boom", axum::routing::get(boom));
    let mut browser = site.browser();
    browser.router = security::around(routes, &site.app).with_state(site.app.clone());
    let answer = browser.get("/boom").await;
    assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(
        answer.body.contains("<h1>Our fault</h1>"),
        "{}",
        answer.body
    );
    assert!(!answer.body.contains("secret cause"));
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn one_route_may_take_more_than_an_ordinary_form() {
    use axum::extract::DefaultBodyLimit;
    use pel::web::security;
    async fn length(body: axum::body::Bytes) -> String {
        body.len().to_string()
    }
    let site = Site::new().await;
    let routes = axum::Router::new()
        .route("/small", axum::routing::post(length))
        .route(
            "/large",
            axum::routing::post(length).layer(DefaultBodyLimit::max(1024 * 1024)),
        );
    let mut browser = site.browser();
    browser.router = security::around(routes, &site.app).with_state(site.app.clone());
    let long = "x".repeat(300 * 1024);
    let form: &[(&str, &str)] = &[("a", &long)];
    assert_eq!(
        browser.post("/small", form).await.status,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    assert_eq!(browser.post("/large", form).await.body, "307202");
}
