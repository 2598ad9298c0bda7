//! Sessions: rotation, ends, proof before deciding acts; languages; one-time form keys.

use crate::harness::{PASSWORD, Site, field};
use axum::http::{Method, StatusCode};
use chrono::TimeDelta;
use pel::{
    ladder::policy::Role,
    store::form_key::{self, Claim},
};
use uuid::Uuid;

#[tokio::test]
async fn a_reader_comes_back_to_where_they_were_going() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut browser = site.browser();
    let answer = browser.get("/me?done=profile").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.location(), "/signin?next=/me%3Fdone%3Dprofile");
    let page = browser.get(answer.location()).await;
    assert_eq!(field(&page.body, "next"), "/me?done=profile");
    for (next, to) in [
        ("/me?done=profile", "/me?done=profile"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
    ] {
        let fields = [("login", "ANA "), ("password", PASSWORD), ("next", next)];
        assert_eq!(browser.post("/signin", &fields).await.location(), to);
    }
    let answer = browser
        .send(Method::GET, "/signin?next=//evil.example", &[], None)
        .await;
    assert_eq!(answer.location(), "/");
}

#[tokio::test]
async fn signing_in_again_rotates_the_session() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut browser = site.signed_in("ana").await;
    let old = browser.clone();
    browser.sign_in("ana", PASSWORD).await;
    assert_ne!(old.cookies, browser.cookies);
    assert_eq!(browser.get("/me").await.status, StatusCode::OK);
    assert_eq!(old.clone().get("/me").await.status, StatusCode::SEE_OTHER);
    let stored: Vec<Vec<u8>> = sqlx::query_scalar("select token_hash from session")
        .fetch_all(&site.db.pool)
        .await
        .unwrap();
    let token = browser.cookies["pel"].as_bytes();
    assert!(
        stored.iter().all(|hash| hash != token),
        "only a digest is stored"
    );
}

#[tokio::test]
async fn a_session_ends_when_idle_and_at_its_absolute_end() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut ana = site.signed_in("ana").await;
    for _ in 0..20 {
        site.pass(TimeDelta::hours(8) - TimeDelta::seconds(1));
        assert_eq!(ana.get("/me").await.status, StatusCode::OK, "in use");
    }
    site.pass(TimeDelta::hours(8) - TimeDelta::seconds(1));
    ana.get("/me").await;
    site.pass(TimeDelta::hours(2));
    assert_eq!(
        ana.get("/me").await.status,
        StatusCode::SEE_OTHER,
        "seven days are over"
    );

    let mut idle = site.signed_in("ana").await;
    site.pass(TimeDelta::hours(8));
    assert_eq!(idle.get("/me").await.status, StatusCode::SEE_OTHER);
    assert!(idle.get("/signin").await.body.contains("Signed out"));
}

#[tokio::test]
async fn signing_out_ends_the_session_on_the_server() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut ana = site.signed_in("ana").await;
    let copy = ana.clone();
    let answer = ana.post("/signout", &[]).await;
    assert_eq!(answer.location(), "/signin");
    assert!(ana.cookies.is_empty());
    assert_eq!(copy.clone().get("/me").await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn own_sessions_can_be_ended_and_nobody_elses() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    site.person("eve", &[Role::Admin]).await;
    let mut here = site.signed_in("ana").await;
    let mut there = site.signed_in("ana").await;
    let page = here.get("/me").await.body;
    let at = page
        .find("/me/sessions/")
        .expect("the other one is offered");
    let end = page[at..].split('"').next().unwrap().to_owned();
    let mut eve = site.signed_in("eve").await;
    assert_eq!(eve.post(&end, &[]).await.status, StatusCode::NOT_FOUND);
    assert_eq!(there.get("/me").await.status, StatusCode::OK);
    assert_eq!(here.post(&end, &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(there.get("/me").await.status, StatusCode::SEE_OTHER);
    assert_eq!(here.get("/me").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut here = site.signed_in("ana").await;
    let mut there = site.signed_in("ana").await;
    let wrong = [
        ("current", "not the password"),
        ("new", "another fine password"),
    ];
    let answer = here.post("/me/password", &wrong).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("id=\"current-fault\""),
        "{}",
        answer.body
    );
    let right = [("current", PASSWORD), ("new", "another fine password")];
    assert_eq!(
        here.post("/me/password", &right).await.location(),
        "/me?done=password"
    );
    assert_eq!(here.get("/me").await.status, StatusCode::OK);
    assert_eq!(there.get("/me").await.status, StatusCode::SEE_OTHER);
    let mut later = site.browser();
    assert_eq!(
        later.sign_in("ana", PASSWORD).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        later.sign_in("ana", "another fine password").await.status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn a_deciding_act_asks_for_the_password_after_a_while() {
    let site = Site::new().await;
    site.person("ana", &[Role::Admin]).await;
    let mut ana = site.signed_in("ana").await;
    let invite = [("name", "Bruno"), ("roles", "viewer")];
    assert_eq!(
        ana.post("/people/invite", &invite).await.status,
        StatusCode::OK
    );
    site.pass(TimeDelta::minutes(15));
    let headers = [
        ("sec-fetch-site", "same-origin"),
        ("referer", "http://pel.test/people?x=1"),
    ];
    let answer = ana
        .send(Method::POST, "/people/invite", &headers, Some(&invite))
        .await;
    assert_eq!(answer.location(), "/reauth?next=/people%3Fx%3D1");
    let before = ana.clone();
    let wrong = [("password", "not the password"), ("next", "/people?x=1")];
    assert_eq!(
        ana.post("/reauth", &wrong).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let right = [("password", PASSWORD), ("next", "/people?x=1")];
    assert_eq!(ana.post("/reauth", &right).await.location(), "/people?x=1");
    assert_eq!(
        ana.post("/people/invite", &invite).await.status,
        StatusCode::OK
    );
    assert_eq!(
        before.clone().get("/me").await.status,
        StatusCode::SEE_OTHER,
        "a new token"
    );
}

#[tokio::test]
async fn the_language_follows_profile_then_browser() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut browser = site.browser();
    let accept = [("accept-language", "pt-BR,en;q=0.5")];
    let page = browser.send(Method::GET, "/signin", &accept, None).await;
    assert!(page.body.contains("<html lang=\"pt-BR\">"), "{}", page.body);
    assert!(page.body.contains("Senha"));
    browser
        .post("/language", &[("lang", "en"), ("next", "/signin")])
        .await;
    let page = browser.send(Method::GET, "/signin", &accept, None).await;
    assert!(
        page.body.contains("<html lang=\"en\">"),
        "chosen on this browser"
    );

    let mut ana = site.signed_in("ana").await;
    let answer = ana
        .post("/language", &[("lang", "pt-BR"), ("next", "//evil")])
        .await;
    assert_eq!(answer.location(), "/");
    let mut elsewhere = site.signed_in("ana").await;
    assert!(
        elsewhere
            .get("/me")
            .await
            .body
            .contains("<html lang=\"pt-BR\">")
    );

    let page = ana.get("/me").await.body;
    let fields = [
        ("version", field(&page, "version")),
        ("name", "<b>Ana</b>"),
        ("lang", "en"),
        ("theme", "dark"),
    ];
    assert_eq!(
        ana.post("/me", &fields).await.location(),
        "/me?done=profile"
    );
    let page = ana.get("/me").await.body;
    assert!(
        page.contains("<html lang=\"en\" data-theme=\"dark\">"),
        "{page}"
    );
    assert!(page.contains("&#60;b&#62;Ana"), "{page}");
    assert_eq!(
        ana.post("/me", &fields).await.status,
        StatusCode::CONFLICT,
        "an old version"
    );
}

#[tokio::test]
async fn a_form_key_gives_the_first_result_again() {
    let site = Site::new().await;
    let ana = site.person("ana", &[Role::Responder]).await;
    let eve = site.person("eve", &[Role::Responder]).await;
    let key = Uuid::new_v4();
    let body = form_key::body_digest([("title", "slow")]);
    let other = form_key::body_digest([("titles", "low")]);
    assert_ne!(body, other);
    let mut conn = site.db.pool.acquire().await.unwrap();
    let now = site.now();
    let mut claim = async |who, act, body: &[u8]| {
        form_key::claim(&mut conn, (key, who), act, body, now)
            .await
            .unwrap()
    };
    assert_eq!(claim(ana, "case.open", &body).await, Claim::Fresh);
    assert_eq!(
        claim(eve, "case.open", &other).await,
        Claim::Fresh,
        "keys are per person"
    );
    let mut second = site.db.pool.acquire().await.unwrap();
    form_key::finish(&mut second, (key, ana), "/cases/PEL-0001", now)
        .await
        .unwrap();
    assert_eq!(
        claim(ana, "case.open", &body).await,
        Claim::Done("/cases/PEL-0001".to_owned())
    );
    assert_eq!(claim(ana, "case.open", &other).await, Claim::Other);
    assert_eq!(claim(ana, "case.close", &body).await, Claim::Other);
}
