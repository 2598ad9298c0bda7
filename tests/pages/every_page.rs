//! What holds for each of these pages: one heading, its language, no bare message key, no id twice.

use crate::stock::{case, contract, publish, service, site};
use axum::http::StatusCode;
use std::collections::BTreeSet;

/// Words that look like a message key of ours: they would be there only if a message were missing.
fn bare_keys(html: &str) -> Vec<String> {
    let families = [
        "home-",
        "cases-",
        "contracts-",
        "services-",
        "audit-",
        "decisions-",
        "help-",
        "typed-",
        "nav-",
        "role-",
        "stage-",
        "signal-",
        "statistic-",
        "unit-",
        "kind-",
        "form-",
        "contract-",
        "foot-",
        "override-",
        "overrides-",
        "policy-",
    ];
    // Text between tags; attributes hold ids and names of fields.
    html.split('>')
        .filter_map(|part| part.split('<').next())
        .flat_map(|text| text.split_whitespace())
        .filter(|word| {
            families
                .iter()
                .any(|f| word.starts_with(f) && word.len() > f.len())
        })
        .map(str::to_owned)
        .collect()
}

fn ids(html: &str) -> Vec<&str> {
    html.split(" id=\"")
        .skip(1)
        .map(|r| r.split('"').next().unwrap())
        .collect()
}

#[tokio::test]
async fn every_page_has_one_heading_its_language_and_no_bare_key() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut ana_browser = site.signed_in("ana").await;
    let path = contract(&mut ana_browser, service, "chat").await;
    publish(&mut ana_browser, &path, "").await;
    ana_browser.post(&format!("{path}/draft"), &[]).await;
    let empty = ana_browser
        .post(
            "/contracts",
            &[("service", &service.to_string()), ("name", "empty")],
        )
        .await;
    let empty = empty.location().to_owned();
    case(&site, ana, service, "TTFT doubled", true).await;
    case(&site, ana, service, "ITL doubled", false).await;
    let otto = site.signed_in("otto").await;
    let edit = format!("{path}/edit");
    let diff = format!("{path}/diff");
    let first = format!("{path}?version=1");
    let second = format!("{path}?version=2");
    let pages = [
        "/",
        "/cases",
        "/cases?q=nothing",
        "/cases/new",
        "/services",
        "/contracts",
        "/contracts/new",
        &first,
        &second,
        &edit,
        &diff,
        &empty,
        "/decisions",
        "/policy",
        "/help",
    ];
    for lang in ["en", "pt-BR"] {
        for (mut browser, pages) in [
            (ana_browser.clone(), &pages[..]),
            (
                otto.clone(),
                &["/audit", "/audit?case=PEL-0001", "/overrides"],
            ),
        ] {
            browser
                .post("/language", &[("lang", lang), ("next", "/")])
                .await;
            for path in pages {
                let answer = browser.get(path).await;
                let html = &answer.body;
                assert_eq!(answer.status, StatusCode::OK, "{path}: {html}");
                assert!(html.contains(&format!("<html lang=\"{lang}\"")), "{path}");
                assert_eq!(html.matches("<h1").count(), 1, "{path}: {html}");
                assert_eq!(bare_keys(html), Vec::<String>::new(), "{lang} {path}");
                let all = ids(html);
                let once: BTreeSet<&str> = all.iter().copied().collect();
                assert_eq!(all.len(), once.len(), "{path}: an id stands twice: {all:?}");
                assert!(
                    !html.contains("style=\"") && !html.contains("<script"),
                    "{path}"
                );
            }
        }
    }
}

#[tokio::test]
async fn labels_and_descriptions_point_at_something() {
    let (site, ana) = site().await;
    let service = service(&site, ana, "vllm-chat").await;
    let mut browser = site.signed_in("ana").await;
    let path = contract(&mut browser, service, "chat").await;
    for path in [
        "/cases/new",
        "/services",
        "/contracts/new",
        &format!("{path}/edit"),
    ] {
        let html = browser.get(path).await.body;
        let known: BTreeSet<&str> = ids(&html).into_iter().collect();
        for mark in [
            "for=\"",
            "aria-describedby=\"",
            "aria-labelledby=\"",
            "list=\"",
            "href=\"#",
        ] {
            for rest in html.split(mark).skip(1) {
                for id in rest.split('"').next().unwrap().split(' ') {
                    assert!(
                        known.contains(id) || id.starts_with("m-") || id.starts_with("r-"),
                        "{path}: {mark}{id}"
                    );
                }
            }
        }
    }
}
