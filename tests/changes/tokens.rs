//! A program posts what a running canary measures, and nothing that people decide.

use crate::story::{Story, actor_of};
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode};
use chrono::TimeDelta;
use pel::ladder::scope::Scope;
use pel::store::tokens::{self, New};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tower::ServiceExt as _;

async fn token(story: &Story, scopes: &[Scope]) -> String {
    let now = story.site.now();
    let new = New {
        name: "monitor",
        scopes,
        service_id: None,
        case_id: Some(story.case_id),
        expires_at: now + TimeDelta::days(1),
    };
    let mut conn = story.site.db.pool.acquire().await.unwrap();
    let by = actor_of(story.jo, "Name of jo");
    tokens::create(&mut conn, &by, &new, now).await.unwrap()
}

async fn post(story: &Story, token: &str, act: &str, body: &Value) -> (StatusCode, Value) {
    let request = Request::builder()
        .method("POST")
        .uri(format!("/api/v1{}", story.change(act)))
        .header("host", "pel.test")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .extension(ConnectInfo("127.0.0.1:5000".parse::<SocketAddr>().unwrap()))
        .body(Body::from(body.to_string()))
        .unwrap();
    let answer = story.site.router.clone().oneshot(request).await.unwrap();
    let status = answer.status();
    let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn k16_a_token_posts_samples_twice_and_they_count_once() {
    let story = Story::begin().await;
    story.running().await;
    let began = story.site.now();
    story.site.pass(TimeDelta::minutes(11));
    let sample = json!({
        "arm": "candidate", "starts_at": began, "ends_at": began + TimeDelta::minutes(10),
        "signal": "ttft", "statistic": "p99", "value": 0.61, "samples": 4000,
    });
    let body = json!({ "samples": [sample] });
    let monitor = token(&story, &[Scope::PostCanary]).await;
    let (status, first) = post(&story, &monitor, "/samples", &body).await;
    assert_eq!(status, StatusCode::OK, "{first}");
    assert_eq!((&first["taken"], &first["known"]), (&json!(1), &json!(0)));
    let (_, again) = post(&story, &monitor, "/samples", &body).await;
    assert_eq!((&again["taken"], &again["known"]), (&json!(0), &json!(1)));
    let mut odd = body.clone();
    odd["samples"][0]["signal"] = json!("no_such_signal");
    let (status, refused) = post(&story, &monitor, "/samples", &odd).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    assert_eq!(refused["field"], json!("samples"));
    // Another scope does not do, and this one does nothing else.
    let reader = token(&story, &[Scope::ReadGate]).await;
    let (status, _) = post(&story, &reader, "/samples", &body).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, _) = post(&story, &monitor, "/accept", &json!({})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn r15_a_token_accepts_nothing_that_awaits_promotion() {
    let story = Story::begin().await;
    story.awaiting().await;
    let all = token(&story, Scope::ALL).await;
    for act in ["/approve", "/accept", "/reject", "/override"] {
        let (status, said) = post(&story, &all, act, &json!({ "note": "all is well" })).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{act}: {said}");
    }
    assert_eq!(story.state().await, "awaiting_promotion");
    assert!(story.decisions().await.is_empty());
}
