//! The compare page and its exports say the same thing.

use crate::story::Story;
use axum::http::StatusCode;

#[tokio::test]
async fn the_page_and_its_exports_hold_the_same_rows() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    let query = "base=R-1,R-2&cand=R-3&phase=warm";
    let path = |ext: &str| format!("/cases/{}/compare{ext}?{query}", story.label);
    let page = jo.get(&path("")).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    for words in [
        "1\u{202f}700",
        "600",
        "class=\"lim\"",
        "max_num_batched_tokens",
    ] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    let csv = jo.get(&path(".csv")).await;
    assert!(csv.header("content-type").starts_with("text/csv"));
    let lines: Vec<&str> = csv.body.lines().collect();
    assert_eq!(lines.len(), 3, "{}", csv.body);
    assert!(lines[0].starts_with("case,made_at,contract,phase"));
    assert!(
        csv.body.contains(",0.8,R-1 R-2,1.7,12000,R-3,0.6,12000,"),
        "{}",
        csv.body
    );
    let json = jo.get(&path(".json")).await;
    let json: serde_json::Value = serde_json::from_str(&json.body).unwrap();
    assert_eq!(json["comparison"]["rows"].as_array().unwrap().len(), 2);
    assert_eq!(json["comparison"]["counts"]["holds"], 2);
}

#[tokio::test]
async fn phases_are_never_mixed_and_foreign_runs_are_not_found() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    let path = |query: &str| format!("/cases/{}/compare?{query}", story.label);
    let cold = jo.get(&path("base=R-1&cand=R-3&phase=cold")).await;
    assert_eq!(cold.status, StatusCode::OK);
    assert!(
        !cold.body.contains("class=\"lim\""),
        "no row of a warm run: {}",
        cold.body
    );
    assert_eq!(
        jo.get(&path("base=R-9")).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        jo.get(&path("phase=tepid")).await.status,
        StatusCode::NOT_FOUND
    );
}
