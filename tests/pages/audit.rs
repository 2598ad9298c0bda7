//! The audit log: pages by key, one case's events, and the check of the chain.

use crate::stock::{case, service, site};
use axum::http::StatusCode;
use std::collections::BTreeSet;

fn rows(body: &str) -> Vec<i64> {
    body.split("<tr id=\"e-")
        .skip(1)
        .map(|r| r.split('"').next().unwrap().parse().unwrap())
        .collect()
}

#[tokio::test]
async fn every_event_is_on_one_page_exactly() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    for i in 0..60 {
        case(&site, ana, service, &format!("Slow {i}"), true).await;
    }
    let mut browser = site.signed_in("otto").await;
    let all = site.acts().await.len();
    let (mut seen, mut path) = (Vec::new(), Some("/audit".to_owned()));
    while let Some(at) = path {
        let body = browser.get(&at).await.body;
        seen.extend(rows(&body));
        let next = body.split("rel=\"next\" href=\"").nth(1);
        path = next.map(|n| n.split('"').next().unwrap().replace("&#38;", "&"));
    }
    let once: BTreeSet<i64> = seen.iter().copied().collect();
    assert_eq!((seen.len(), once.len()), (all, all));
    assert!(seen.is_sorted_by(|a, b| a > b), "newest first");
    let body = browser.get("/audit?case=pel-0007").await.body;
    assert_eq!(rows(&body).len(), 1, "{body}");
    assert!(body.contains("Case opened") && body.contains("/cases/PEL-0007"));
    let body = browser.get("/audit?case=PEL-9999").await.body;
    assert!(body.contains("There is no case PEL-9999") && rows(&body).is_empty());
}

#[tokio::test]
async fn x11_the_check_says_intact_and_then_names_the_row_that_was_changed() {
    let (site, _) = site().await;
    let mut browser = site.signed_in("otto").await;
    let answer = browser.post("/audit/verify", &[]).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.body.contains("Intact."), "{}", answer.body);
    let mut owner = site.db.owner().await;
    sqlx::query("alter table audit_event disable trigger user")
        .execute(&mut owner)
        .await
        .unwrap();
    sqlx::query("update audit_event set body = replace(body, 'ana', 'eva') where seq = 1")
        .execute(&mut owner)
        .await
        .unwrap();
    let answer = browser.post("/audit/verify", &[]).await;
    assert!(answer.body.contains("Broken at row 1."), "{}", answer.body);
    assert!(answer.body.contains("changed after it was written"));
    sqlx::query("update audit_event set body = (body::jsonb - 'detail')::text where seq = 1")
        .execute(&mut owner)
        .await
        .unwrap();
    let answer = browser.post("/audit/verify", &[]).await;
    assert_eq!(
        answer.status,
        StatusCode::OK,
        "a log that cannot be listed can still be judged"
    );
    assert!(answer.body.contains("Broken at row 1."), "{}", answer.body);
}

#[tokio::test]
async fn x10_an_act_whose_audit_row_cannot_be_written_does_not_happen() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let mut owner = site.db.owner().await;
    sqlx::query("create function full_log() returns trigger language plpgsql as $$ begin raise exception 'the log is full'; end $$")
        .execute(&mut owner)
        .await
        .unwrap();
    sqlx::query("create trigger full_log before insert on audit_event for each row execute function full_log()")
        .execute(&mut owner)
        .await
        .unwrap();
    let form = browser.get("/cases/new").await;
    assert_eq!(form.status, StatusCode::OK);
    let service = service.to_string();
    let fields = [
        ("form_key", crate::harness::field(&form.body, "form_key")),
        ("title", "TTFT doubled"),
        ("service", service.as_str()),
        ("problem", "Users wait."),
        ("symptom", "slow"),
        ("first_seen", "2026-11-30T10:00"),
        ("own", "yes"),
    ];
    let answer = browser.post("/cases", &fields).await;
    assert_eq!(
        answer.status,
        StatusCode::INTERNAL_SERVER_ERROR,
        "{}",
        answer.body
    );
    let cases: i64 = sqlx::query_scalar("select count(*) from case_file")
        .fetch_one(&site.db.pool)
        .await
        .unwrap();
    assert_eq!(cases, 0);
}
