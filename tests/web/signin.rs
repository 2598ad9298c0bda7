//! Signing in: setup code, invitation, password, link, delays.

use crate::harness::{PASSWORD, Site, field};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::{
    ladder::policy::Role,
    store::{audit::Actor, one_time},
};

async fn code(site: &Site) -> Option<String> {
    let mut tx = site.db.pool.begin().await.unwrap();
    let code = one_time::ensure_setup_code(&mut tx, site.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    code
}

fn setup_form(code: &str) -> Vec<(&str, &str)> {
    vec![
        ("code", code),
        ("name", " Ana Lima "),
        ("login", "Ana@Example.org"),
        ("password", PASSWORD),
        ("roles", "responder"),
        ("roles", "reviewer"),
    ]
}

#[tokio::test]
async fn the_first_administrator_is_made_by_code_and_only_once() {
    let site = Site::new().await;
    let mut browser = site.browser();
    assert_eq!(browser.get("/signin").await.location(), "/setup");
    let first = code(&site).await.unwrap();
    let second = code(&site).await.unwrap();
    let answer = browser.post("/setup", &setup_form(&first)).await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "a newer code was made"
    );
    assert!(answer.body.contains("href=\"#code\""), "{}", answer.body);
    assert!(
        answer.body.contains("value=\"Ana@Example.org\""),
        "what was typed stays"
    );
    assert!(!answer.body.contains(PASSWORD));

    let typed = second.to_lowercase().replace('-', " ");
    let answer = browser.post("/setup", &setup_form(&typed)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let people = browser.get("/people").await;
    assert!(people.body.contains("Ana Lima"), "{}", people.body);
    assert!(people.body.contains("responder, reviewer, administrator"));

    assert_eq!(code(&site).await, None, "somebody is here now");
    let answer = site.browser().post("/setup", &setup_form(&second)).await;
    assert_eq!(answer.status, StatusCode::GONE);
    assert_eq!(site.browser().get("/setup").await.location(), "/signin");
    let acts = site.acts().await;
    assert_eq!(
        acts,
        ["setup.code", "setup.code", "person.create", "session.start"]
    );
}

#[tokio::test]
async fn a_setup_code_expires_after_a_day() {
    let site = Site::new().await;
    let code = code(&site).await.unwrap();
    site.pass(TimeDelta::hours(24));
    let answer = site.browser().post("/setup", &setup_form(&code)).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_bad_password_comes_back_at_its_field_and_is_not_delayed() {
    let site = Site::new().await;
    let code = code(&site).await.unwrap();
    let mut browser = site.browser();
    for (password, said) in [
        ("short", "at least 10 characters"),
        ("ana@example.org", "must not be the login"),
        ("password123", "list of guesses"),
        ("aaaaaaaaaaaaaaa", "list of guesses"),
        ("short", "at least 10 characters"),
    ] {
        let mut form = setup_form(&code);
        form[3].1 = password;
        let answer = browser.post("/setup", &form).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{password}"
        );
        assert!(answer.body.contains(said), "{password}: {}", answer.body);
        assert!(
            answer
                .body
                .contains("aria-describedby=\"password-fault password-hint\"")
        );
    }
    let answer = browser.post("/setup", &setup_form(&code)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

async fn invite(site: &Site) -> (String, crate::harness::Browser) {
    site.person("admin", &[Role::Admin]).await;
    let mut admin = site.signed_in("admin").await;
    let fields = [
        ("name", "Bruno"),
        ("roles", "reviewer"),
        ("roles", "viewer"),
    ];
    let answer = admin.post("/people/invite", &fields).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let mark = "http://pel.test/invitation/";
    let at = answer.body.find(mark).expect("the link is shown") + "http://pel.test".len();
    let path = answer.body[at..].split('"').next().unwrap().to_owned();
    assert!(
        !admin.get("/people").await.body.contains(&path),
        "only once"
    );
    (path, admin)
}

const BRUNO: [(&str, &str); 3] = [
    ("name", "Bruno"),
    ("login", "bruno"),
    ("password", PASSWORD),
];

#[tokio::test]
async fn an_invitation_works_once() {
    let site = Site::new().await;
    let (path, _) = invite(&site).await;
    let mut bruno = site.browser();
    let page = bruno.get(&path).await;
    assert_eq!(field(&page.body, "name"), "Bruno");
    assert!(page.body.contains("viewer, reviewer"), "{}", page.body);

    let mut taken = BRUNO;
    taken[1].1 = " ADMIN ";
    let answer = bruno.post(&path, &taken).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("Somebody has this login already"));

    assert_eq!(
        bruno.post(&path, &BRUNO).await.status,
        StatusCode::SEE_OTHER
    );
    assert!(bruno.get("/me").await.body.contains("viewer, reviewer"));
    assert_eq!(site.browser().get(&path).await.status, StatusCode::GONE);
    let mut again = BRUNO;
    again[1].1 = "bruno2";
    assert_eq!(
        site.browser().post(&path, &again).await.status,
        StatusCode::GONE
    );
}

#[tokio::test]
async fn an_invitation_expires_and_can_be_taken_back() {
    let site = Site::new().await;
    let (path, mut admin) = invite(&site).await;
    let page = admin.get("/people").await.body;
    let at = page.find("/people/invitations/").unwrap();
    let revoke = page[at..].split('"').next().unwrap().to_owned();
    assert_eq!(admin.post(&revoke, &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(
        site.browser().post(&path, &BRUNO).await.status,
        StatusCode::GONE
    );
    assert_eq!(admin.post(&revoke, &[]).await.status, StatusCode::NOT_FOUND);

    let fields = [("name", "Carla"), ("roles", "viewer")];
    let body = admin.post("/people/invite", &fields).await.body;
    let at = body.find("/invitation/").unwrap();
    let path = body[at..].split('"').next().unwrap().to_owned();
    site.pass(TimeDelta::days(7) - TimeDelta::seconds(1));
    assert_eq!(site.browser().get(&path).await.status, StatusCode::OK);
    site.pass(TimeDelta::seconds(1));
    assert_eq!(site.browser().get(&path).await.status, StatusCode::GONE);
}

#[tokio::test]
async fn wrong_login_and_wrong_password_look_the_same() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut browser = site.browser();
    let wrong = browser.sign_in("ana", "not the password").await;
    let unknown = browser.sign_in("nobody", "not the password").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(unknown.status, wrong.status);
    let without = |body: &str, login: &str| {
        let body = body.replace(&format!("value=\"{login}\""), "");
        body.split("<footer").next().unwrap().to_owned()
    };
    assert_eq!(
        without(&wrong.body, "ana"),
        without(&unknown.body, "nobody")
    );
    assert_eq!(site.acts().await, ["person.create", "session.refused"]);
}

#[tokio::test]
async fn guessing_gets_slow_but_locks_out_nobody_elsewhere() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let mut guesser = site.browser();
    guesser.from = "203.0.113.9:1".parse().unwrap();
    for _ in 0..3 {
        let answer = guesser.sign_in("ana", "guess guess guess").await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let mut waited = 0;
    for expected in [1, 2, 4, 8, 16, 30, 30] {
        let answer = guesser.sign_in("ana", PASSWORD).await;
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
        let wait: i64 = answer.header("retry-after").parse().unwrap();
        assert!(
            (expected..=expected + 1).contains(&wait),
            "{wait} for {expected}"
        );
        site.pass(TimeDelta::seconds(wait));
        waited += wait;
        let answer = guesser.sign_in("ana", "guess guess guess").await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "after {waited} s"
        );
    }
    assert_eq!(
        guesser.sign_in("ana", PASSWORD).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
    let mut ana = site.browser();
    assert_eq!(
        ana.sign_in("ana", PASSWORD).await.status,
        StatusCode::SEE_OTHER
    );
    site.pass(TimeDelta::minutes(16));
    assert_eq!(
        guesser.sign_in("ana", PASSWORD).await.status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn many_guesses_at_once_do_not_slip_past_the_delay() {
    let site = Site::new().await;
    site.person("ana", &[Role::Viewer]).await;
    let tries = (0..12).map(|_| {
        let mut guesser = site.browser();
        async move { guesser.sign_in("ana", "guess guess guess").await.status }
    });
    let answers = futures_util::future::join_all(tries).await;
    let evaluated = answers
        .iter()
        .filter(|s| **s == StatusCode::UNPROCESSABLE_ENTITY)
        .count();
    assert_eq!(evaluated, 3, "{answers:?}");
}

#[tokio::test]
async fn a_link_signs_in_once_and_not_by_being_looked_at() {
    let site = Site::new().await;
    let ana = site.person("ana", &[Role::Viewer]).await;
    let make = async || {
        let mut tx = site.db.pool.begin().await.unwrap();
        let token = one_time::signin_link(&mut tx, &Actor::app(), ana, site.now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
        format!("/signin/link/{token}")
    };
    let path = make().await;
    let mut browser = site.browser();
    assert_eq!(browser.get(&path).await.status, StatusCode::OK);
    assert_eq!(browser.get(&path).await.status, StatusCode::OK);
    assert_eq!(browser.post(&path, &[]).await.location(), "/");
    assert_eq!(browser.get("/me").await.status, StatusCode::OK);
    assert_eq!(
        site.browser().post(&path, &[]).await.status,
        StatusCode::GONE
    );
    let path = make().await;
    site.pass(TimeDelta::minutes(15));
    assert_eq!(
        site.browser().post(&path, &[]).await.status,
        StatusCode::GONE
    );
}
