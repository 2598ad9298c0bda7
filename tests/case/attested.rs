//! Attested numbers over HTTP: what the form refuses, who may countersign, and what pages say.

use crate::harness::{Answer, Browser};
use crate::scene::{Scene, reading};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::audit::Actor;
use pel::store::{Error, case_file, vouched};
use uuid::Uuid;

const PLACE: &str = "the third panel, upper right";

fn parts(scene: &Scene) -> Vec<(&'static str, String)> {
    let start = scene.site.now() - TimeDelta::minutes(60);
    let minute = |at: chrono::DateTime<chrono::Utc>| at.format("%Y-%m-%dT%H:%M").to_string();
    vec![
        ("signal", "ttft".to_owned()),
        ("statistic", "p99".to_owned()),
        ("value", "1588".to_owned()),
        ("unit", "ms".to_owned()),
        ("samples", "12000".to_owned()),
        ("start", minute(start)),
        ("end", minute(start + TimeDelta::minutes(9))),
        ("place", PLACE.to_owned()),
    ]
}

async fn send(
    browser: &mut Browser,
    scene: &Scene,
    parts: &[(&'static str, String)],
    file: bool,
) -> Answer {
    let texts: Vec<(&str, &str)> = parts.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let files: &[(&str, &str, &[u8])] = if file {
        &[("file", "dashboard.png", b"\x89PNG not looked into")]
    } else {
        &[]
    };
    let path = format!("{}/runs/R-1/attest", scene.path());
    browser.upload(&path, &texts, files).await
}

async fn case(scene: &Scene) -> pel::ladder::CaseFile {
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    case_file::load(&mut conn, scene.case).await.unwrap()
}

/// A scene in which somebody who holds the responder role and no case attested a number.
async fn attested() -> (Scene, Browser, String) {
    let scene = Scene::new().await;
    scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let mut browser = scene.responder().await;
    let answer = send(&mut browser, &scene, &parts(&scene), true).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let page = answer.location().split('#').next().unwrap().to_owned();
    (scene, browser, page)
}

#[tokio::test]
async fn a1_each_missing_part_is_named_and_nothing_is_written() {
    let scene = Scene::new().await;
    scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let mut browser = scene.responder().await;
    let whole = parts(&scene);
    for (missing, says) in [
        ("signal", "Choose a signal"),
        ("statistic", "Choose a statistic"),
        ("value", "The value is missing"),
        ("unit", "The unit is missing"),
        ("samples", "The number of samples is missing"),
        ("start", "The window is missing"),
        ("end", "The window is missing"),
        ("place", "Say where in the file"),
    ] {
        let mut some = whole.clone();
        some.retain(|(name, _)| *name != missing);
        let answer = send(&mut browser, &scene, &some, true).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{missing}");
        assert!(answer.body.contains(says), "{missing}: {}", answer.body);
        if missing != "place" {
            assert!(answer.body.contains(PLACE), "what was typed is kept");
        }
    }
    let answer = send(&mut browser, &scene, &whole, false).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("The file it was read from is missing"));
    let mut ahead = whole.clone();
    ahead[6].1 = "2026-12-24T00:00".to_owned();
    let answer = send(&mut browser, &scene, &ahead, true).await;
    assert!(answer.body.contains("The window lies ahead"));
    let found = case(&scene).await;
    assert!(found.attested.is_empty() && found.evidence.is_empty());
}

#[tokio::test]
async fn a1_the_database_takes_no_number_without_samples_or_in_a_file_that_parsers_read() {
    let (scene, _, _) = attested().await;
    let found = case(&scene).await;
    let first = &found.attested[0];
    let run = first.run_id;
    let (parsed, _) = scene.item(run, "metrics.prom").await;
    let mut without = first.signal.clone();
    without.samples = None;
    for (signal, evidence_id, rule) in [
        (&without, first.evidence_id, "attested_whole"),
        (&first.signal, parsed, "attested_in_its_file"),
    ] {
        let new = vouched::NewAttested {
            case_id: scene.case,
            run_id: run,
            evidence_id,
            signal,
            typed: ("1588", "ms"),
            class: None,
            window: first.window,
            place: PLACE,
        };
        let mut tx = scene.tx().await;
        let refused = vouched::attest(&mut tx, &scene.actor(), &new, scene.site.now()).await;
        assert!(
            matches!(&refused, Err(Error::Refused { constraint, .. }) if constraint == rule),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn a2_an_attested_number_is_converted_kept_unread_and_shown_as_not_countersigned() {
    let (scene, mut browser, page) = attested().await;
    let found = case(&scene).await;
    let a = &found.attested[0];
    assert!((a.signal.value - 1.588).abs() < 1e-12);
    assert_eq!(a.typed, ("1588".to_owned(), "ms".to_owned()));
    let jobs: i64 = sqlx::query_scalar("select count(*) from job")
        .fetch_one(&scene.site.db.pool)
        .await
        .unwrap();
    assert_eq!(jobs, 0, "no parser is asked");
    for path in [
        page.clone(),
        format!("{}/runs/R-1", scene.path()),
        scene.path(),
    ] {
        let html = browser.get(&path).await.body;
        assert!(html.contains("attested by Name of resp"), "{path}");
        assert!(html.contains("not countersigned"), "{path}");
    }
    let mut tx = scene.tx().await;
    let read = pel::store::evidence::keep_reading(
        &mut tx,
        a.evidence_id,
        &reading(1.5, None),
        &serde_json::json!({}),
        "test",
        scene.site.now(),
    )
    .await;
    assert!(
        matches!(&read, Err(Error::Refused { constraint, .. }) if constraint == "attested_never_parsed")
    );
}

#[tokio::test]
async fn a3_only_a_reviewer_without_a_hand_in_it_countersigns() {
    let (scene, mut attester, page) = attested().await;
    let path = format!("{}/attested/A-1", scene.path());
    let agree = [("answer", "agree")];
    let answer = attester.post(&path, &agree).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "no reviewer");
    // The attester is given the reviewer role: still refused, and the attempt is in the log.
    sqlx::query("insert into person_role (person_id, role, granted_by, granted_at) values ($1, 'reviewer', $1, now())")
        .bind(scene.responder)
        .execute(&scene.site.db.pool)
        .await
        .unwrap();
    let answer = attester.post(&path, &agree).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("may not countersign"),
        "{}",
        answer.body
    );
    assert!(case(&scene).await.attested[0].answers.is_empty());
    assert!(
        scene
            .site
            .acts()
            .await
            .contains(&"vouch.refused".to_owned())
    );
    // Nor does the database take it, whatever the code thinks.
    let by = |person: Uuid| Actor {
        person_id: Some(person),
        name: "somebody".to_owned(),
        ..Actor::default()
    };
    let id = case(&scene).await.attested[0].id;
    let mut tx = scene.tx().await;
    let of = (scene.case, id);
    let written = vouched::answer(
        &mut tx,
        &by(scene.responder),
        of,
        true,
        "",
        scene.site.now(),
    )
    .await;
    assert!(
        matches!(&written, Err(Error::Refused { constraint, .. }) if constraint == "countersigned_by_outside_reviewer"),
        "{written:?}"
    );
    drop(tx);
    let mut reviewer = scene.site.signed_in("rev").await;
    assert!(reviewer.get(&page).await.body.contains(&path));
    let short = reviewer
        .post(&path, &[("answer", "decline"), ("reason", "no")])
        .await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    let done = reviewer.post(&path, &agree).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let html = reviewer.get(&page).await.body;
    assert!(html.contains("countersigned by Name of rev"));
    let foreign = reviewer
        .post(&format!("{}/attested/A-9", scene.path()), &agree)
        .await;
    assert_eq!(foreign.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a3_a_contributor_of_the_case_may_not_countersign() {
    let (scene, _, _) = attested().await;
    scene.site.person("other", &[Role::Reviewer]).await;
    let other: Uuid = sqlx::query_scalar("select id from person where login = 'other'")
        .fetch_one(&scene.site.db.pool)
        .await
        .unwrap();
    sqlx::query("insert into case_owner (case_id, person_id, at) values ($1, $2, now())")
        .bind(scene.case)
        .bind(other)
        .execute(&scene.site.db.pool)
        .await
        .unwrap();
    let mut browser = scene.site.signed_in("other").await;
    let path = format!("{}/attested/A-1", scene.path());
    let answer = browser.post(&path, &[("answer", "agree")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("owns the case"), "{}", answer.body);
}
