//! Services and their task classes.

use crate::stock::{service, site};
use axum::http::StatusCode;
use pel::store::services;

#[tokio::test]
async fn a_service_is_defined_with_its_classes_and_gets_more() {
    let (site, _) = site().await;
    let mut browser = site.signed_in("ana").await;
    let fields = [
        ("name", "vllm-chat"),
        ("description", "chat"),
        ("classes", "short chat\r\n\r\n  tool use "),
    ];
    let answer = browser.post("/services", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let mut conn = site.db.pool.acquire().await.unwrap();
    let known = services::list(&mut conn).await.unwrap().remove(0);
    assert_eq!(known.classes, ["short chat", "tool use"]);
    let add = format!("/services/{}/classes", known.id);
    let answer = browser.post(&add, &[("name", "retrieval")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let answer = browser.post(&add, &[("name", "Retrieval")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("value=\"Retrieval\""),
        "{}",
        answer.body
    );
    assert_eq!(
        services::get(&mut conn, known.id)
            .await
            .unwrap()
            .classes
            .len(),
        3
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_service_comes_back() {
    let (site, ana) = site().await;
    service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let long = "x".repeat(81);
    for (name, classes, field) in [
        ("", "a", "name"),
        (long.as_str(), "a", "name"),
        ("VLLM-chat", "a", "name"),
        ("other", long.as_str(), "classes"),
        ("other", "a\nb\nA", "classes"),
    ] {
        let fields = [
            ("name", name),
            ("description", "kept"),
            ("classes", classes),
        ];
        let answer = browser.post("/services", &fields).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{name} {classes}"
        );
        assert!(
            answer.body.contains(&format!("<a href=\"#{field}\">")),
            "{}",
            answer.body
        );
        assert!(answer.body.contains(">kept</textarea>"));
    }
}
