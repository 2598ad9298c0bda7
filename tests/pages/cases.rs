//! The case list and the form that opens a case.

use crate::{
    harness::{Browser, field},
    stock::{case, case_now, contract, publish, service, site},
};
use axum::http::StatusCode;
use std::collections::BTreeMap;

/// Labels of the rows of a page, and the address of the next one.
async fn page(browser: &mut Browser, path: &str) -> (Vec<String>, Option<String>) {
    let answer = browser.get(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    let rows = answer.body.split("<td class=\"id mono\"><a href=\"/cases/");
    let labels = rows.skip(1).map(|r| r[..8].to_owned()).collect();
    let next = answer.body.split("rel=\"next\" href=\"").nth(1);
    let next = next.map(|n| n.split('"').next().unwrap().replace("&#38;", "&"));
    (labels, next)
}

#[tokio::test]
async fn paging_by_key_shows_every_case_once_even_when_one_moves_meanwhile() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    // Many at the same instant: the id decides between them.
    for i in 0..70 {
        case_now(&site, ana, service, &format!("Slow {i}"), i % 2 == 0).await;
    }
    for i in 70..120 {
        case(&site, ana, service, &format!("Slow {i}"), true).await;
    }
    let mut browser = site.signed_in("vera").await;
    let mut seen = BTreeMap::<String, usize>::new();
    let mut path = Some("/cases?q=Slow".to_owned());
    let mut pages = 0;
    while let Some(at) = path {
        let (labels, next) = page(&mut browser, &at).await;
        assert!(labels.len() <= 50);
        for label in labels {
            *seen.entry(label).or_default() += 1;
        }
        if pages == 0 {
            // A case that comes in on top must not push another out of the next page.
            case(&site, ana, service, "Slow and late", true).await;
        }
        (pages, path) = (pages + 1, next);
        assert!(
            path.as_deref().is_none_or(|p| p.contains("q=Slow")),
            "{path:?}"
        );
    }
    assert_eq!((pages, seen.len()), (3, 120));
    assert!(seen.values().all(|n| *n == 1));
    let first = browser.get("/cases").await.body;
    assert!(first.contains("121 of 121, 121 open"), "{first}");
}

#[tokio::test]
async fn filters_narrow_the_list_and_stay_in_its_links() {
    let (site, ana) = site().await;
    let chat = service(&site, ana, "vllm-chat").await;
    let embed = service(&site, ana, "triton-embed").await;
    case(&site, ana, chat, "TTFT doubled", true).await;
    case(&site, ana, embed, "100 % slower, file_name", false).await;
    let mut browser = site.signed_in("ana").await;
    for (query, labels) in [
        ("", &["PEL-0002", "PEL-0001"][..]),
        ("?state=new", &["PEL-0002"]),
        ("?state=investigating", &["PEL-0001"]),
        ("?state=closed", &[]),
        ("?state=open", &["PEL-0002", "PEL-0001"]),
        ("?state=nonsense", &["PEL-0002", "PEL-0001"]),
        ("?owner=me", &["PEL-0001"]),
        ("?owner=none", &["PEL-0002"]),
        ("?q=ttft", &["PEL-0001"]),
        ("?q=driver", &["PEL-0002", "PEL-0001"]),
        // Not wildcards: the words as they stand.
        ("?q=0+%25", &["PEL-0002"]),
        ("?q=file_name", &["PEL-0002"]),
        ("?q=fileXname", &[]),
        ("?owner=none&q=ttft", &[]),
    ] {
        let (found, _) = page(&mut browser, &format!("/cases{query}")).await;
        assert_eq!(found, labels, "{query}");
    }
    let (found, _) = page(&mut browser, &format!("/cases?service={embed}")).await;
    assert_eq!(found, ["PEL-0002"]);
    let body = browser.get("/cases?q=slow&owner=none").await.body;
    assert!(
        body.contains("/cases?q=slow&#38;state=new&#38;owner=none"),
        "{body}"
    );
    assert!(body.contains("1 of 2, 2 open"), "{body}");
}

#[tokio::test]
async fn an_id_in_the_search_box_leads_to_its_page() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    case(&site, ana, service, "TTFT doubled", true).await;
    let mut browser = site.signed_in("vera").await;
    for typed in ["PEL-0001", "pel-1", "+PEL-0001+"] {
        let answer = browser.get(&format!("/cases?q={typed}")).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert_eq!(answer.location(), "/cases/PEL-0001");
    }
    for nothing in ["PEL-0099", "EV-31"] {
        let answer = browser.get(&format!("/cases?q={nothing}")).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(answer.body.contains("No case matches"));
    }
}

#[tokio::test]
async fn a_case_is_opened_with_its_symptom_classes_and_contract() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let path = contract(&mut browser, service, "chat").await;
    assert_eq!(
        publish(&mut browser, &path, "").await.status,
        StatusCode::SEE_OTHER
    );
    let form = browser.get("/cases/new").await.body;
    assert!(
        form.contains("value=\"2026-11-30T12:00\""),
        "now is the default"
    );
    let pin = form
        .split("<option value=\"")
        .find(|o| o.contains(">chat v1<"))
        .unwrap();
    let (key, chat, service) = (
        field(&form, "form_key").to_owned(),
        format!("{service}/chat"),
        service.to_string(),
    );
    let fields = [
        ("form_key", key.as_str()),
        ("title", "TTFT p99 doubled"),
        ("service", &service),
        ("signal", "ttft"),
        ("statistic", "p99"),
        ("observed", "1640"),
        ("unit", "ms"),
        ("symptom", ""),
        ("first_seen", "2026-11-30T09:30"),
        ("classes", &chat),
        ("contract", &pin[..36]),
        ("problem", "since the new driver"),
        ("own", "yes"),
    ];
    let answer = browser.post("/cases", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(answer.location(), "/cases/PEL-0001");
    // Sent twice, it is opened once.
    let again = browser.post("/cases", &fields).await;
    assert_eq!(again.location(), "/cases/PEL-0001");
    let (symptom, classes, state, pinned): (serde_json::Value, Vec<String>, String, bool) =
        sqlx::query_as(
            "select symptom, classes, state, contract_version_id is not null from case_file",
        )
        .fetch_one(&site.db.pool)
        .await
        .unwrap();
    assert_eq!(symptom["observed"], 1.64);
    assert_eq!(symptom["signal"], "ttft");
    assert_eq!(
        (classes, state.as_str(), pinned),
        (vec!["chat".to_owned()], "investigating", true)
    );
    assert_eq!(
        site.acts()
            .await
            .iter()
            .filter(|a| *a == "case.open")
            .count(),
        1
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_new_case_comes_back_with_what_was_typed() {
    let (site, ana) = site().await;
    let chat = service(&site, ana, "vllm-chat").await.to_string();
    let embed = service(&site, ana, "triton-embed").await;
    let foreign = format!("{embed}/chat");
    let mut browser = site.signed_in("ana").await;
    let good = [
        ("title", "TTFT p99 doubled"),
        ("service", chat.as_str()),
        ("symptom", "people complain"),
        ("first_seen", "2026-11-30T09:30"),
        ("problem", "kept <words> & signs"),
    ];
    for (other, field) in [
        (&[("title", "x")][..], "title"),
        (&[("service", "")], "service"),
        (&[("symptom", " ")], "signal"),
        (&[("observed", "5")], "signal"),
        (&[("signal", "nonsense")], "signal"),
        (
            &[
                ("signal", "ttft"),
                ("statistic", "p99"),
                ("observed", "1,640"),
                ("unit", "ms"),
            ],
            "observed",
        ),
        (
            &[
                ("signal", "ttft"),
                ("statistic", "p99"),
                ("observed", "5"),
                ("unit", "%"),
            ],
            "unit",
        ),
        (&[("first_seen", "yesterday")], "first_seen"),
        (&[("first_seen", "2026-11-30T12:01")], "first_seen"),
        (&[("classes", &foreign)], "classes"),
        (
            &[("contract", "00000000-0000-4000-8000-000000000000")],
            "contract",
        ),
    ] {
        let fields = crate::stock::with(&good, other);
        let answer = browser.post("/cases", &fields).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{other:?}");
        assert!(
            answer.body.contains(&format!("<li><a href=\"#{field}\">")),
            "{other:?}: {}",
            answer.body
        );
        assert!(
            answer.body.contains("kept &#60;words&#62; &#38; signs"),
            "{other:?}"
        );
    }
    let count: i64 = sqlx::query_scalar("select count(*) from case_file")
        .fetch_one(&site.db.pool)
        .await
        .unwrap();
    assert_eq!(count, 0);
}

#[tokio::test]
async fn a_viewer_opens_no_case() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await.to_string();
    let mut browser = site.signed_in("vera").await;
    let fields = [
        ("title", "TTFT p99 doubled"),
        ("service", service.as_str()),
        ("symptom", "slow"),
        ("first_seen", "2026-11-30T09:30"),
    ];
    let answer = browser.post("/cases", &fields).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(
        !browser
            .get("/cases")
            .await
            .body
            .contains("href=\"/cases/new\"")
    );
}
