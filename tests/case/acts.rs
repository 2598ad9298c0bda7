//! The small acts: what each writes, what it refuses, and what comes back.

use crate::harness::field;
use crate::scene::{Scene, reading};
use axum::http::StatusCode;
use pel::ladder::case::CaseState;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::case_file;

async fn case(scene: &Scene) -> pel::ladder::CaseFile {
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    case_file::load(&mut conn, scene.case).await.unwrap()
}

#[tokio::test]
async fn a_problem_needs_a_title_and_known_classes() {
    let scene = Scene::new().await;
    let mut browser = scene.responder().await;
    let path = format!("{}/problem", scene.path());
    let bad = [
        ("version", "1"),
        ("title", "x"),
        ("problem", "kept"),
        ("class", "made up"),
    ];
    let answer = browser.post(&path, &bad).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("3 to 200")
            && answer.body.contains("made up")
            && answer.body.contains("kept")
    );
}

#[tokio::test]
async fn a_stage_is_declared_with_a_reason_and_stage_one_never() {
    let scene = Scene::new().await;
    let mut browser = scene.responder().await;
    let path = format!("{}/stages/3", scene.path());
    let short = browser
        .post(&path, &[("kind", "not_examined"), ("reason", "too short")])
        .await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(short.body.contains("too short") && short.body.contains("20"));
    let reason = "Kernels were measured last week and are fine.";
    let done = browser
        .post(&path, &[("kind", "not_examined"), ("reason", reason)])
        .await;
    assert_eq!(done.location(), format!("{}#s3", scene.path()));
    assert!(browser.get(&scene.path()).await.body.contains(reason));
    let one = format!("{}/stages/1", scene.path());
    let refused = browser
        .post(&one, &[("kind", "not_applicable"), ("reason", reason)])
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(case(&scene).await.declarations.len(), 1);
}

#[tokio::test]
async fn explanations_gather_evidence_for_and_against() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, number) = scene.item(run, "a.prom").await;
    scene.read(item, &reading(1.5, None)).await;
    let mut browser = scene.responder().await;
    let path = format!("{}/hypotheses", scene.path());
    let short = browser.post(&path, &[("stage", "4"), ("text", "no")]).await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    browser
        .post(
            &path,
            &[("stage", "4"), ("text", "The step budget fills first.")],
        )
        .await;
    let id = case(&scene).await.hypotheses[0].id;
    let argue = format!("{path}/{id}/arguments");
    let label = format!("EV-{number}");
    let unknown = browser
        .post(
            &argue,
            &[
                ("evidence", "EV-999"),
                ("side", "for"),
                ("note", "long enough"),
            ],
        )
        .await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    let done = browser
        .post(
            &argue,
            &[
                ("evidence", &label),
                ("side", "against"),
                ("note", "slots stay free"),
            ],
        )
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER);
    let found = &case(&scene).await.hypotheses[0].arguments[0];
    assert!(!found.supports && found.evidence_id == item);
    let foreign = format!("{path}/00000000-0000-4000-8000-000000000000/arguments");
    let answer = browser
        .post(&foreign, &[("evidence", &label), ("note", "long enough")])
        .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn comments_stand_in_the_timeline_escaped() {
    let scene = Scene::new().await;
    let mut browser = scene.responder().await;
    let path = format!("{}/comments", scene.path());
    assert_eq!(
        browser.post(&path, &[("text", " ")]).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let done = browser
        .post(&path, &[("text", "R-10 <b>differs</b>")])
        .await;
    assert_eq!(done.location(), format!("{}#timeline", scene.path()));
    let html = browser.get(&scene.path()).await.body;
    assert!(html.contains("R-10 &#60;b&#62;differs") || html.contains("R-10 &lt;b&gt;differs"));
    assert!(html.contains("audit #"));
    scene.site.person("view", &[Role::Viewer]).await;
    let mut viewer = scene.site.signed_in("view").await;
    assert_eq!(
        viewer.post(&path, &[("text", "hello")]).await.status,
        StatusCode::FORBIDDEN
    );
    let html = viewer.get(&scene.path()).await.body;
    for offered in [
        "/comments\"",
        "/hypotheses\"",
        "/problem\"",
        "/owner\"",
        "/stages/2\"",
    ] {
        assert!(!html.contains(offered), "{offered} is offered to a viewer");
    }
}

#[tokio::test]
async fn a_case_is_handed_only_to_somebody_who_can_work_on_it() {
    let scene = Scene::new().await;
    let other = scene.site.person("other", &[Role::Responder]).await;
    let to = other.to_string();
    let path = format!("{}/owner", scene.path());
    let version = case(&scene).await.version.to_string();
    // Nobody takes a case that somebody works on; its owner hands it over.
    let mut browser = scene.site.signed_in("other").await;
    let grab = browser.post(&path, &[("version", &version)]).await;
    assert_eq!(grab.status, StatusCode::UNPROCESSABLE_ENTITY);
    let mut owner = scene.responder().await;
    let old = [("version", "77"), ("owner", to.as_str())];
    assert_eq!(owner.post(&path, &old).await.status, StatusCode::CONFLICT);
    let give = [("version", version.as_str()), ("owner", to.as_str())];
    assert_eq!(owner.post(&path, &give).await.status, StatusCode::SEE_OTHER);
    assert_eq!(case(&scene).await.owner, Some(other));
    let version = case(&scene).await.version.to_string();
    let reviewer = scene.reviewer.to_string();
    let refused = browser
        .post(&path, &[("version", &version), ("owner", &reviewer)])
        .await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(case(&scene).await.owner, Some(other));
}

#[tokio::test]
async fn only_a_published_version_of_the_service_is_pinned() {
    let scene = Scene::new().await;
    let mut browser = scene.responder().await;
    let path = format!("{}/contract", scene.path());
    let html = browser.get(&path).await.body;
    assert!(html.contains("chat v1"));
    let version = field(&html, "version").to_owned();
    let none = browser.post(&path, &[("version", &version)]).await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
    let foreign = "00000000-0000-4000-8000-000000000000";
    let answer = browser
        .post(
            &path,
            &[("version", &version), ("contract_version", foreign)],
        )
        .await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let id = scene.version_id.to_string();
    let done = browser
        .post(&path, &[("version", &version), ("contract_version", &id)])
        .await;
    assert_eq!(done.location(), format!("{}#contract", scene.path()));
}

#[tokio::test]
async fn a_case_is_closed_by_who_leads_it_when_the_outcome_is_true() {
    let scene = Scene::new().await;
    scene.site.person("other", &[Role::Responder]).await;
    let path = format!("{}/close", scene.path());
    let note = ("note", "Nothing to change: it was the client.");
    let mut other = scene.site.signed_in("other").await;
    let html = other.get(&path).await.body;
    let version = field(&html, "version").to_owned();
    let fields = [
        ("version", version.as_str()),
        ("outcome", "no_change_needed"),
        note,
    ];
    let refused = other.post(&path, &fields).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.body.contains("Only the owner"));
    let mut owner = scene.responder().await;
    let untrue = [
        ("version", version.as_str()),
        ("outcome", "change_confirmed"),
        note,
    ];
    let answer = owner.post(&path, &untrue).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("Cannot close yet"), "{}", answer.body);
    let short = [
        ("version", version.as_str()),
        ("outcome", "no_change_needed"),
        ("note", "short"),
    ];
    assert_eq!(
        owner.post(&path, &short).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(case(&scene).await.state, CaseState::Investigating);
    let done = owner.post(&path, &fields).await;
    assert_eq!(done.location(), scene.path(), "{}", done.body);
    assert_eq!(case(&scene).await.state, CaseState::Closed);
    let html = owner.get(&scene.path()).await.body;
    assert!(html.contains("it was the client") && html.contains("no change needed"));
    let frozen = owner
        .post(&format!("{}/comments", scene.path()), &[("text", "late")])
        .await;
    assert_eq!(frozen.status, StatusCode::CONFLICT);
}
