//! Contracts: the form of a draft, complete without scripts.

use crate::{
    harness::{Site, as_fields, field, form, set},
    stock::{CONTRACT, contract, service, site, with},
};
use axum::http::StatusCode;
use serde_json::Value;

pub async fn terms(site: &Site, number: i32) -> Value {
    sqlx::query_scalar("select terms from contract_version where number = $1")
        .bind(number)
        .fetch_one(&site.db.pool)
        .await
        .unwrap()
}

/// Saves the draft with other fields and gives the answer.
pub async fn save(
    browser: &mut crate::harness::Browser,
    path: &str,
    other: &[(&str, &str)],
) -> crate::harness::Answer {
    let form = browser.get(&format!("{path}/edit")).await;
    assert_eq!(form.status, StatusCode::OK, "{}", form.body);
    let version = field(&form.body, "row_version").to_owned();
    let mut all = vec![
        ("row_version", version.as_str()),
        ("limit-0-id", "ttft-p99-chat"),
        ("limit-1-id", "acceptance-rate-ratio"),
    ];
    all.extend(other);
    browser
        .post(&format!("{path}/edit"), &with(CONTRACT, &all))
        .await
}

#[tokio::test]
async fn what_does_not_read_comes_back_at_its_field() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await.to_string();
    let mut browser = site.signed_in("ana").await;
    let named = with(CONTRACT, &[("service", &service), ("name", "chat")]);
    for (other, field) in [
        (&[("limit-0-value", "1,500")][..], "limit-0-value"),
        (&[("limit-0-value", "-1")], "limit-0-value"),
        (&[("limit-0-unit", "%")], "limit-0-unit"),
        (&[("limit-0-unit", "")], "limit-0-unit"),
        (&[("limit-0-signal", "")], "limit-0-signal"),
        (
            &[
                ("limit-0-signal", "finished_requests"),
                ("limit-0-unit", "count"),
            ],
            "limit-0-comparator",
        ),
        (&[("limit-0-statistic", "p101")], "limit-0-statistic"),
        (&[("limit-0-min_samples", "many")], "limit-0-min_samples"),
        (&[("band-0-min", "20")], "band-0-min"),
        (&[("band-0-max", "")], "band-0-max"),
        (&[("class-1-name", "CHAT")], "class-1-name"),
        (&[("window", "0")], "window"),
        (&[("min_samples", "1e3")], "min_samples"),
        (&[("arrival_least", "4")], "arrival_least"),
        (
            &[("prompt_least", "9"), ("prompt_most", "8")],
            "prompt_least",
        ),
        (&[("cost_price", "2.5")], "cost_resources"),
        (&[("environment", "gpu_model: H100")], "environment"),
        (&[("acceptance_signal", "ttft")], "acceptance_signal"),
        (&[("name", " ")], "name"),
        (&[("service", "")], "service"),
    ] {
        let answer = browser.post("/contracts", &with(&named, other)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{other:?}");
        assert!(
            answer.body.contains(&format!("<a href=\"#{field}\">")),
            "{other:?}: {}",
            answer.body
        );
        assert!(
            answer.body.contains(&format!("id=\"{field}-fault\"")),
            "{other:?}"
        );
        assert!(
            answer.body.contains("Chat for customers"),
            "typed text stays"
        );
    }
    // Rows left out close up, so the fault stands at the row the page shows.
    let moved = with(
        &named,
        &[
            ("limit-0-signal", ""),
            ("limit-0-value", ""),
            ("limit-0-unit", ""),
            ("limit-1-value", "x"),
        ],
    );
    let answer = browser.post("/contracts", &moved).await;
    assert!(
        answer.body.contains("<a href=\"#limit-0-value\">"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn the_same_name_twice_is_refused_at_the_field() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    contract(&mut browser, service, "chat").await;
    let service = service.to_string();
    let fields = with(CONTRACT, &[("service", &service), ("name", "Chat")]);
    let answer = browser.post("/contracts", &fields).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("a contract of this name already"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn more_rows_are_given_without_judging_what_is_typed() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await.to_string();
    let mut browser = site.signed_in("ana").await;
    let other = [
        ("service", service.as_str()),
        ("limit-0-value", "1,5"),
        ("act", "rows"),
    ];
    let answer = browser.post("/contracts", &with(CONTRACT, &other)).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.body.contains("value=\"1,5\"") && answer.body.contains("id=\"limit-7\""));
    assert!(!answer.body.contains("id=\"limit-8\""));
}

#[tokio::test]
async fn x4_a_draft_saved_by_somebody_else_is_not_overwritten_unseen() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let path = contract(&mut browser, service, "chat").await;
    let theirs = with(CONTRACT, &[("row_version", "1"), ("purpose", "Theirs")]);
    let answer = browser.post(&format!("{path}/edit"), &theirs).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let mine = with(CONTRACT, &[("row_version", "1"), ("purpose", "Mine")]);
    let answer = browser.post(&format!("{path}/edit"), &mine).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.body.contains("Mine") && answer.body.contains("Somebody saved"));
    assert_eq!(terms(&site, 1).await["purpose"], "Theirs");
    assert_eq!(
        field(&answer.body, "row_version"),
        "2",
        "sent again, it counts"
    );
    let edit = format!("{path}/edit");
    let mut back = form(&answer.body, &edit);
    let purpose = back.iter().any(|(n, _)| n == "pick:purpose");
    assert!(!purpose, "both changed it: nobody has chosen yet");
    set(&mut back, "pick:purpose", "yours");
    let saved = browser.post(&edit, &as_fields(&back)).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    let now = terms(&site, 1).await;
    assert_eq!(now["purpose"], "Mine");
    assert_eq!(now["limits"].as_array().map(Vec::len), Some(2), "{now}");
}

#[tokio::test]
async fn limits_keep_their_ids_and_new_ones_get_their_own() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let path = contract(&mut browser, service, "chat").await;
    // The same limit for another band, and the old one with another value.
    let answer = save(
        &mut browser,
        &path,
        &[
            ("limit-0-value", "750"),
            ("limit-2-signal", "ttft"),
            ("limit-2-statistic", "p99"),
            ("limit-2-value", "900"),
            ("limit-2-unit", "ms"),
            ("limit-2-class", "chat"),
            ("limit-2-phase", "warm"),
            ("limit-3-signal", "ttft"),
            ("limit-3-statistic", "p50"),
            ("limit-3-value", "9"),
            ("limit-3-unit", "s"),
            ("limit-3-phase", "cold"),
            ("limit-3-band", "usual"),
        ],
    )
    .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let terms = terms(&site, 1).await;
    let ids: Vec<&str> = terms["limits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "ttft-p99-chat",
            "acceptance-rate-ratio",
            "ttft-p99-chat-2",
            "ttft-p50-usual-cold"
        ]
    );
    // Taken out by its box.
    save(&mut browser, &path, &[("limit-0-remove", "yes")]).await;
    let terms = crate::contracts::terms(&site, 1).await;
    assert_eq!(terms["limits"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_portuguese_reader_types_and_reads_a_comma() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    browser
        .post("/language", &[("lang", "pt-BR"), ("next", "/")])
        .await;
    let path = contract(&mut browser, service, "chat").await;
    let answer = save(&mut browser, &path, &[("limit-1-value", "97,5")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(terms(&site, 1).await["limits"][1]["value"], 0.975);
    let form = browser.get(&format!("{path}/edit")).await.body;
    assert!(
        form.contains("name=\"limit-1-value\" value=\"97,5\""),
        "{form}"
    );
    assert!(
        browser
            .get(&path)
            .await
            .body
            .contains("≥\u{202f}97,5\u{202f}%")
    );
}
