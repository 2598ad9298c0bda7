//! What waits for the reader.

use crate::{
    harness::Site,
    stock::{actor, case, service, site},
};
use axum::http::StatusCode;
use pel::{
    ladder::{
        change::{Knob, Terms},
        policy::Role,
    },
    store::{
        cases, changes,
        decisions::{self, NewDecision},
    },
};
use uuid::Uuid;

#[tokio::test]
async fn an_empty_house_names_the_one_next_step() {
    let (site, ana) = site().await;
    let body = site.signed_in("ana").await.get("/").await.body;
    assert!(
        body.contains("href=\"/services\">Define a service"),
        "{body}"
    );
    let body = site.signed_in("vera").await.get("/").await.body;
    assert!(
        !body.contains("href=\"/services\">Define"),
        "a viewer cannot: {body}"
    );
    service(&site, ana, "vllm-chat").await;
    let body = site.signed_in("ana").await.get("/").await.body;
    assert!(body.contains("No case has been opened yet"), "{body}");
}

#[tokio::test]
async fn own_and_unowned_cases_are_apart() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    case(&site, ana, service, "Mine", true).await;
    case(&site, ana, service, "Nobody's", false).await;
    let body = site.signed_in("ana").await.get("/").await.body;
    let (mine, unowned) = body.split_once("id=\"unowned\"").unwrap();
    assert!(
        mine.contains("PEL-0001") && !mine.contains("PEL-0002"),
        "{body}"
    );
    assert!(
        unowned.contains("PEL-0002") && !unowned.contains("PEL-0001"),
        "{body}"
    );
    let body = site.signed_in("vera").await.get("/").await.body;
    assert!(body.contains("You own no open case."), "{body}");
}

#[tokio::test]
async fn an_administrator_without_another_role_sees_no_case() {
    let site = Site::new().await;
    site.person("adam", &[Role::Admin]).await;
    let ana = site.person("ana", &[Role::Responder]).await;
    let service = service(&site, ana, "vllm-chat").await;
    case(&site, ana, service, "Secret title", true).await;
    let mut browser = site.signed_in("adam").await;
    let answer = browser.get("/").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(!answer.body.contains("Secret title") && answer.body.contains("href=\"/people\""));
    assert_eq!(browser.get("/cases").await.status, StatusCode::FORBIDDEN);
}

/// A submitted change of a case; gives case and change.
async fn submitted(site: &Site, by: Uuid, number: i64) -> (Uuid, Uuid) {
    let terms = Terms {
        knob: Knob {
            component: "vllm-chat".to_owned(),
            setting: "max_num_batched_tokens".to_owned(),
            old: "2048".to_owned(),
            new: "4096".to_owned(),
            unit: String::new(),
        },
        ..Terms::default()
    };
    let (actor, now) = (actor(by, "ana"), site.now());
    let mut tx = site.db.pool.begin().await.unwrap();
    let case = cases::id_of(&mut tx, number).await.unwrap();
    let (change, _) = changes::draft(&mut tx, &actor, case, &terms, now)
        .await
        .unwrap();
    let version: i32 = sqlx::query_scalar("select version from change where id = $1")
        .bind(change)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
    changes::submit(&mut tx, &actor, case, change, version, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    (case, change)
}

#[tokio::test]
async fn a_reviewer_is_asked_for_approval_and_the_author_is_not() {
    let (site, ana) = site().await;
    let both = site
        .person("both", &[Role::Responder, Role::Reviewer])
        .await;
    let service = service(&site, ana, "vllm-chat").await;
    let number = case(&site, ana, service, "TTFT doubled", true).await;
    submitted(&site, both, number).await;
    let body = site.signed_in("rui").await.get("/").await.body;
    assert!(body.contains("Waiting for you (1)"), "{body}");
    assert!(body.contains("/cases/PEL-0001/changes/CH-1"), "{body}");
    assert!(
        body.contains("<code>max_num_batched_tokens</code> 2048 → 4096"),
        "{body}"
    );
    // Neither who drafted it, though a reviewer, nor a viewer is asked.
    for login in ["both", "vera"] {
        let body = site.signed_in(login).await.get("/").await.body;
        assert!(!body.contains("Your approval is asked"), "{login}: {body}");
    }
}

#[tokio::test]
async fn a_sealed_decision_stands_in_the_list_and_on_the_home_page() {
    let (site, ana) = site().await;
    let rui = site.person("rita", &[Role::Reviewer]).await;
    let service = service(&site, ana, "vllm-chat").await;
    let number = case(&site, ana, service, "TTFT doubled", true).await;
    let (case_id, change_id) = submitted(&site, ana, number).await;
    let mut tx = site.db.pool.begin().await.unwrap();
    let revision_id = sqlx::query_scalar("select id from change_revision")
        .fetch_one(&mut *tx)
        .await
        .unwrap();
    let new = NewDecision {
        case_id,
        change_id,
        revision_id,
        kind: "rejected",
        role: "reviewer".to_owned(),
        note: "acceptance is not measured".to_owned(),
        record: serde_json::json!({}),
        digest: "0".repeat(64),
        conditions: Vec::new(),
        overrides: Vec::new(),
    };
    let id = decisions::seal(&mut tx, &actor(rui, "rita"), &new, site.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let mut browser = site.signed_in("vera").await;
    for path in ["/", "/decisions", "/decisions?case=PEL-0001"] {
        let body = browser.get(path).await.body;
        assert!(body.contains(&format!("/decisions/{id}")), "{path}: {body}");
        assert!(
            body.contains("Rejected") && body.contains("max_num_batched_tokens"),
            "{path}"
        );
    }
    let answer = browser.get("/decisions?case=PEL-0009").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}
