//! Contracts: from a draft to a published version and the next one.

use crate::{
    contracts::{save, terms},
    harness::field,
    stock::{self, CONTRACT, case, contract, publish, service, site},
};
use axum::http::StatusCode;

#[tokio::test]
async fn a_draft_is_published_and_its_successor_compared_with_it() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let path = contract(&mut browser, service, "chat").await;
    let first = terms(&site, 1).await;
    assert_eq!(first["limits"][0]["id"], "ttft-p99-chat");
    assert_eq!(first["limits"][0]["value"], 0.8);
    assert_eq!(first["limits"][0]["comparator"], "at_most");
    assert_eq!(first["limits"][1]["value"], 0.97);
    assert_eq!(first["limits"][1]["comparator"], "at_least");
    assert_eq!(first["window_seconds"], 900);
    assert_eq!(
        publish(&mut browser, &path, "").await.status,
        StatusCode::SEE_OTHER
    );
    let shown = browser.get(&path).await.body;
    assert!(
        shown.contains("TTFT p99") && shown.contains("≤\u{202f}800\u{202f}ms"),
        "{shown}"
    );

    let answer = browser.post(&format!("{path}/draft"), &[]).await;
    assert_eq!(answer.location(), format!("{path}/edit"));
    // Once more leads to the draft that is there.
    let answer = browser.post(&format!("{path}/draft"), &[]).await;
    assert_eq!(answer.location(), format!("{path}/edit"));
    let form = browser.get(&format!("{path}/edit")).await.body;
    assert_eq!(field(&form, "limit-0-id"), "ttft-p99-chat");
    assert!(
        form.contains("name=\"limit-0-value\" value=\"800\""),
        "as typed"
    );

    let answer = save(
        &mut browser,
        &path,
        &[
            ("limit-0-value", "900"),
            ("band-1-name", "peak"),
            ("band-1-min", "17"),
            ("band-1-max", "64"),
        ],
    )
    .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(
        terms(&site, 1).await,
        first,
        "a published version never changes"
    );
    let diff = browser.get(&format!("{path}/diff?from=1&to=2")).await.body;
    assert!(
        diff.contains("<del>TTFT p99 ≤\u{202f}800\u{202f}ms, class chat</del>"),
        "{diff}"
    );
    assert!(
        diff.contains("<ins>TTFT p99 ≤\u{202f}900\u{202f}ms, class chat</ins>"),
        "{diff}"
    );
    assert!(diff.contains("loosened") && diff.contains("changed") && diff.contains("added"));
    assert!(diff.contains("2 lines differ."), "{diff}");
    let back = browser.get(&format!("{path}/diff?from=2&to=1")).await.body;
    assert!(
        back.contains("removed") && !back.contains("</svg>loosened<"),
        "{back}"
    );
    assert_eq!(
        browser
            .get(&format!("{path}/diff?from=1&to=9"))
            .await
            .status,
        StatusCode::NOT_FOUND
    );

    assert_eq!(
        publish(&mut browser, &path, "material").await.status,
        StatusCode::SEE_OTHER
    );
    let states: Vec<(i32, String, Option<String>)> =
        sqlx::query_as("select number, state, compatibility from contract_version order by number")
            .fetch_all(&site.db.pool)
            .await
            .unwrap();
    let material = Some("material".to_owned());
    assert_eq!(
        states,
        [
            (1, "superseded".to_owned(), None),
            (2, "published".to_owned(), material)
        ]
    );
}

#[tokio::test]
async fn c2_a_changed_limit_is_never_published_as_editorial() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let path = contract(&mut browser, service, "chat").await;
    publish(&mut browser, &path, "").await;
    browser.post(&format!("{path}/draft"), &[]).await;
    save(&mut browser, &path, &[("limit-0-value", "700")]).await;
    let answer = publish(&mut browser, &path, "editorial").await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("This is not editorial"),
        "{}",
        answer.body
    );
    assert!(answer.body.contains("href=\"#compatibility\""));
    let answer = publish(&mut browser, &path, "").await;
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "no label is no answer"
    );
    // Words alone are editorial, also when the unit is spelled otherwise.
    save(
        &mut browser,
        &path,
        &[
            ("limit-0-value", "0.8"),
            ("limit-0-unit", "s"),
            ("purpose", "Chat"),
        ],
    )
    .await;
    let answer = publish(&mut browser, &path, "editorial").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
}

#[tokio::test]
async fn an_incomplete_draft_is_saved_and_says_what_it_lacks() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await.to_string();
    let mut browser = site.signed_in("ana").await;
    let fields = [("service", service.as_str()), ("name", "chat")];
    let answer = browser.post("/contracts", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let path = answer.location().to_owned();
    let shown = browser.get(&path).await.body;
    for field in [
        "classes",
        "bands",
        "acceptance",
        "limits",
        "window",
        "min_samples",
    ] {
        assert!(
            shown.contains(&format!("{path}/edit#{field}\"")),
            "{field}: {shown}"
        );
    }
    // The form has a place for each of them.
    let form = browser.get(&format!("{path}/edit")).await.body;
    for field in [
        "classes",
        "bands",
        "acceptance",
        "acceptance_signal",
        "limits",
        "limit-0",
        "window",
        "min_samples",
    ] {
        assert!(form.contains(&format!("id=\"{field}\"")), "{field}");
    }
    let answer = browser
        .post(&format!("{path}/publish"), &[("row_version", "1")])
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        browser.get(&format!("{path}/publish")).await.status,
        StatusCode::METHOD_NOT_ALLOWED
    );
    let published: i64 =
        sqlx::query_scalar("select count(*) from contract_version where state = 'published'")
            .fetch_one(&site.db.pool)
            .await
            .unwrap();
    assert_eq!(published, 0);
}

#[tokio::test]
async fn publishing_names_the_open_cases_it_touches() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let path = contract(&mut browser, service, "chat").await;
    publish(&mut browser, &path, "").await;
    case(&site, ana, service, "TTFT doubled", true).await;
    sqlx::query("update case_file set contract_version_id = (select id from contract_version)")
        .execute(&mut site.db.owner().await)
        .await
        .unwrap();
    browser.post(&format!("{path}/draft"), &[]).await;
    save(&mut browser, &path, &[("limit-0-value", "900")]).await;
    let shown = browser.get(&path).await.body;
    assert!(
        shown.contains("One open case pins this contract") && shown.contains("/cases/PEL-0001"),
        "{shown}"
    );
    assert!(shown.contains("One limit is loosened"), "{shown}");
}

#[tokio::test]
async fn readers_read_contracts_and_change_nothing() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let path = contract(&mut site.signed_in("ana").await, service, "chat").await;
    for login in ["vera", "rui", "otto"] {
        let mut browser = site.signed_in(login).await;
        let shown = browser.get(&path).await;
        assert_eq!(shown.status, StatusCode::OK);
        assert!(!shown.body.contains("/publish\""), "{login}");
        for post in ["publish", "draft", "edit"] {
            let answer = browser
                .post(&format!("{path}/{post}"), &[("row_version", "1")])
                .await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{login} {post}");
        }
        let answer = browser
            .post("/contracts", &stock::with(CONTRACT, &[]))
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{login}");
    }
}
