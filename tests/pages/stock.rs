//! What the tests of these pages start from: people, a service, cases, a contract.

use crate::harness::{Answer, Browser, Site};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::{
    ladder::{case::Symptom, policy::Role},
    store::{
        audit::Actor,
        cases::{self, NewCase},
        services,
    },
};
use uuid::Uuid;

/// A site with a responder `ana`, a reviewer `rui`, a viewer `vera` and an auditor `otto`.
pub async fn site() -> (Site, Uuid) {
    let site = Site::new().await;
    let ana = site.person("ana", &[Role::Responder]).await;
    site.person("rui", &[Role::Reviewer]).await;
    site.person("vera", &[Role::Viewer]).await;
    site.person("otto", &[Role::Auditor]).await;
    (site, ana)
}

pub fn actor(person: Uuid, name: &str) -> Actor {
    Actor {
        person_id: Some(person),
        name: name.to_owned(),
        role: Some("responder".to_owned()),
        ..Actor::default()
    }
}

/// A service with two task classes.
pub async fn service(site: &Site, by: Uuid, name: &str) -> Uuid {
    let mut tx = site.db.pool.begin().await.unwrap();
    let classes = ["chat".to_owned(), "tools".to_owned()];
    let actor = actor(by, "ana");
    let id = services::create(&mut tx, &actor, name, "", &classes, site.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    id
}

/// A case of a service; a second later than whatever was before.
pub async fn case(site: &Site, by: Uuid, service: Uuid, title: &str, own: bool) -> i64 {
    site.pass(TimeDelta::seconds(1));
    case_now(site, by, service, title, own).await
}

/// A case at the very time of whatever was before.
pub async fn case_now(site: &Site, by: Uuid, service: Uuid, title: &str, own: bool) -> i64 {
    let new = NewCase {
        title: title.to_owned(),
        service_id: service,
        problem: "since the new driver".to_owned(),
        symptom: Symptom {
            text: "slow".to_owned(),
            ..Symptom::default()
        },
        first_seen: site.now(),
        classes: Vec::new(),
        contract_version_id: None,
        own,
    };
    let mut tx = site.db.pool.begin().await.unwrap();
    let (_, number) = cases::open(&mut tx, &actor(by, "ana"), &new, site.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    number
}

/// The fields of a contract that may be published, without its service and name.
pub const CONTRACT: &[(&str, &str)] = &[
    ("purpose", "Chat for customers"),
    ("class-0-name", "chat"),
    ("class-0-description", "short turns"),
    ("band-0-name", "usual"),
    ("band-0-min", "1"),
    ("band-0-max", "16"),
    ("acceptance", "Finished by stop or length"),
    ("acceptance_signal", "acceptance_rate"),
    ("window", "15"),
    ("min_samples", "1000"),
    ("limit-0-signal", "ttft"),
    ("limit-0-statistic", "p99"),
    ("limit-0-comparator", ""),
    ("limit-0-value", "800"),
    ("limit-0-unit", "ms"),
    ("limit-0-class", "chat"),
    ("limit-0-band", ""),
    ("limit-0-phase", "warm"),
    ("limit-1-signal", "acceptance_rate"),
    ("limit-1-statistic", "ratio"),
    ("limit-1-comparator", ""),
    ("limit-1-value", "97"),
    ("limit-1-unit", "%"),
    ("limit-1-phase", "warm"),
];

/// `CONTRACT` with some fields set otherwise or added.
pub fn with<'a>(
    fields: &[(&'a str, &'a str)],
    other: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let mut all: Vec<(&str, &str)> = fields
        .iter()
        .copied()
        .filter(|(n, _)| !other.iter().any(|(o, _)| o == n))
        .collect();
    all.extend(other);
    all
}

/// Makes a contract through its form and gives its address.
pub async fn contract(browser: &mut Browser, service: Uuid, name: &str) -> String {
    let service = service.to_string();
    let fields = with(CONTRACT, &[("service", &service), ("name", name)]);
    let answer = browser.post("/contracts", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    answer.location().to_owned()
}

/// Publishes the draft as its page offers it.
pub async fn publish(browser: &mut Browser, path: &str, compatibility: &str) -> Answer {
    let page = browser.get(path).await;
    let version = crate::harness::field(&page.body, "row_version").to_owned();
    let fields = [
        ("row_version", version.as_str()),
        ("compatibility", compatibility),
    ];
    browser.post(&format!("{path}/publish"), &fields).await
}
