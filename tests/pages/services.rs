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

#[tokio::test]
async fn a_manager_freezes_a_service_and_lifts_it_and_the_log_says_so() {
    use pel::ladder::policy::Role;
    let (site, ana) = site().await;
    let id = service(&site, ana, "vllm-chat").await;
    site.person("max", &[Role::Manager]).await;
    let mut manager = site.signed_in("max").await;
    let path = format!("/services/{id}/freezes");
    let at = |hours| {
        (site.now() + chrono::TimeDelta::hours(hours))
            .format("%Y-%m-%dT%H:%M")
            .to_string()
    };
    let (before, from, to, late) = (at(-1), at(1), at(24), at(24 * 100));
    let why = "the busiest days of the shop";
    for (from, to, reason, field) in [
        ("", "", why, "to"),
        ("soon", to.as_str(), why, "from"),
        (to.as_str(), from.as_str(), why, "to"),
        ("", before.as_str(), why, "to"),
        ("", late.as_str(), why, "to"),
        ("", to.as_str(), "busy", "reason"),
    ] {
        let answer = manager
            .post(&path, &[("from", from), ("to", to), ("reason", reason)])
            .await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{from} {to}"
        );
        let link = format!("<a href=\"#freeze-{field}-{id}\">");
        assert!(answer.body.contains(&link), "{link}: {}", answer.body);
        assert!(answer.body.contains(&format!(">{reason}</textarea>")));
    }
    let answer = manager
        .post(&path, &[("from", ""), ("to", &to), ("reason", why)])
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let mut viewer = site.signed_in("vera").await;
    let shown = viewer.get("/services").await.body;
    assert!(
        shown.contains("Frozen") && shown.contains("busiest days"),
        "{shown}"
    );
    assert!(!shown.contains("/lift\""), "a viewer lifts nothing");
    let mut conn = site.db.pool.acquire().await.unwrap();
    let known = pel::store::templates::freezes(&mut conn, site.now())
        .await
        .unwrap();
    let lift = format!("/freezes/{}/lift", known[0].1.id);
    let answer = manager.post(&lift, &[("reason", "")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let answer = manager.post(&lift, &[("reason", "they are over")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let again = manager.post(&lift, &[("reason", "they are over")]).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    let known = pel::store::templates::freezes(&mut conn, site.now())
        .await
        .unwrap();
    assert!(known.is_empty());
    let acts = site.acts().await;
    assert!(
        acts.contains(&"freeze.set".to_owned()) && acts.contains(&"freeze.lift".to_owned()),
        "{acts:?}"
    );
}
