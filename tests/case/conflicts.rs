//! Two people at the same section: both texts and what they began with are shown, part by part;
//! two people at two sections never meet.

use crate::harness::{Browser, as_fields, field, form, set};
use crate::scene::Scene;
use axum::http::StatusCode;
use pel::ladder::CaseFile;
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::case_file;

async fn case(scene: &Scene) -> CaseFile {
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    case_file::load(&mut conn, scene.case).await.unwrap()
}

/// Two responders, each with a page of the case open.
async fn two(scene: &Scene) -> (Browser, Browser) {
    scene.site.person("kim", &[Role::Responder]).await;
    let kim = scene.site.signed_in("kim").await;
    (scene.responder().await, kim)
}

#[tokio::test]
async fn x4_the_second_of_two_editors_sees_yours_theirs_and_the_common_base() {
    let scene = Scene::new().await;
    let (mut resp, mut kim) = two(&scene).await;
    let path = format!("{}/problem", scene.path());
    let mut mine = form(&resp.get(&path).await.body, &path);
    let mut theirs = mine.clone();
    set(&mut theirs, "title", "Their title");
    set(&mut theirs, "problem", "their words");
    let done = kim.post(&path, &as_fields(&theirs)).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    set(&mut mine, "problem", "my words <b>");
    let answer = resp.post(&path, &as_fields(&mine)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    for said in [
        "Their title",
        "their words",
        "my words",
        "Since the deploy.",
        "TTFT p99 doubled",
        "Name of kim",
    ] {
        assert!(answer.body.contains(said), "{said}: {}", answer.body);
    }
    // The title only they touched is theirs already; the words that both changed are not chosen.
    let mut back = form(&answer.body, &path);
    let get = |name: &str| back.iter().find(|(n, _)| n == name).map(|p| p.1.as_str());
    assert_eq!(get("pick:title"), Some("theirs"));
    assert_eq!(get("pick:problem"), None);
    assert_eq!(get("yours:problem:problem"), Some("my words <b>"));
    let unchosen = resp.post(&path, &as_fields(&back)).await;
    assert_eq!(unchosen.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(case(&scene).await.problem, "their words");
    set(&mut back, "pick:problem", "yours");
    set(&mut back, "yours:problem:problem", "their words and mine");
    let saved = resp.post(&path, &as_fields(&back)).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    let now = case(&scene).await;
    assert_eq!(now.title, "Their title");
    assert_eq!(now.problem, "their words and mine");
    assert_eq!(now.classes, ["long-context chat"]);
}

#[tokio::test]
async fn x4_the_base_is_what_was_read_however_often_it_was_replaced() {
    let scene = Scene::new().await;
    let (mut resp, mut kim) = two(&scene).await;
    let path = format!("{}/problem", scene.path());
    let mut mine = form(&resp.get(&path).await.body, &path);
    for title in ["First of theirs", "Second of theirs", "Third of theirs"] {
        let mut next = form(&kim.get(&path).await.body, &path);
        set(&mut next, "title", title);
        kim.post(&path, &as_fields(&next)).await;
    }
    set(&mut mine, "title", "My title");
    let answer = resp.post(&path, &as_fields(&mine)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let body = &answer.body;
    assert!(
        body.contains("TTFT p99 doubled") && body.contains("Third of theirs"),
        "{body}"
    );
    assert!(
        !body.contains("First of theirs") && !body.contains("Second of theirs"),
        "{body}"
    );
}

#[tokio::test]
async fn x4_two_people_on_two_sections_never_collide() {
    let scene = Scene::new().await;
    let (mut resp, mut kim) = two(&scene).await;
    let at = |section: &str| format!("{}/{section}", scene.path());
    let mut problem = form(&resp.get(&at("problem")).await.body, &at("problem"));
    let contract = form(&kim.get(&at("contract")).await.body, &at("contract"));
    let mut stage = form(&kim.get(&at("stages/3")).await.body, &at("stages/3"));
    let mut other_stage = form(&resp.get(&at("stages/2")).await.body, &at("stages/2"));
    set(&mut problem, "problem", "rewritten");
    for (form, n) in [(&mut stage, "3"), (&mut other_stage, "2")] {
        set(form, "kind", "not_examined");
        set(
            form,
            "reason",
            &format!("a reason of some length for stage {n}"),
        );
    }
    for (is_kim, path, form) in [
        (false, at("problem"), problem),
        (true, at("contract"), contract),
        (true, at("stages/3"), stage),
        (false, at("stages/2"), other_stage),
    ] {
        let browser = if is_kim { &mut kim } else { &mut resp };
        let answer = browser.post(&path, &as_fields(&form)).await;
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "{path}: {}",
            answer.body
        );
    }
    let now = case(&scene).await;
    assert_eq!(
        (now.problem.as_str(), now.declarations.len()),
        ("rewritten", 2)
    );
}

#[tokio::test]
async fn x4_a_stage_declared_by_two_is_shown_to_the_second() {
    let scene = Scene::new().await;
    let (mut resp, mut kim) = two(&scene).await;
    let path = format!("{}/stages/3", scene.path());
    let mut mine = form(&resp.get(&path).await.body, &path);
    let mut theirs = mine.clone();
    set(&mut theirs, "kind", "not_examined");
    set(&mut theirs, "reason", "theirs: nobody had the time to look");
    set(&mut mine, "kind", "not_applicable");
    set(&mut mine, "reason", "mine: there is no such layer here");
    kim.post(&path, &as_fields(&theirs)).await;
    let answer = resp.post(&path, &as_fields(&mine)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    assert!(
        answer.body.contains("nobody had the time") && answer.body.contains("nothing declared")
    );
    let mut back = form(&answer.body, &path);
    set(&mut back, "pick:kind", "yours");
    set(&mut back, "pick:reason", "yours");
    let saved = resp.post(&path, &as_fields(&back)).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    let now = case(&scene).await;
    assert_eq!(
        now.declarations.last().unwrap().reason,
        "mine: there is no such layer here"
    );
}

#[tokio::test]
async fn x4_a_run_corrected_by_two_keeps_what_each_changed() {
    let scene = Scene::new().await;
    scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (mut resp, mut kim) = two(&scene).await;
    let path = format!("{}/runs/R-1", scene.path());
    let mut mine = form(&resp.get(&format!("{path}/edit")).await.body, &path);
    let mut theirs = mine.clone();
    set(&mut theirs, "phase", "cold");
    set(&mut theirs, "reason", "it was started anew");
    set(&mut mine, "note", "with the old client");
    set(&mut mine, "reason", "the client was left out");
    let done = kim.post(&path, &as_fields(&theirs)).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let answer = resp.post(&path, &as_fields(&mine)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    // Each changed another part: all is chosen, the second save is one click.
    let saved = resp
        .post(&path, &as_fields(&form(&answer.body, &path)))
        .await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    let run = case(&scene).await.runs.remove(0);
    assert_eq!(run.statement_number, 3);
    assert_eq!(
        (run.stated.phase, run.stated.note.as_str()),
        (Phase::Cold, "with the old client")
    );
}

#[tokio::test]
async fn x4_a_contract_pinned_by_two_asks_the_second_which() {
    let scene = Scene::new().await;
    let (mut resp, mut kim) = two(&scene).await;
    let path = format!("{}/contract", scene.path());
    let mine = form(&resp.get(&path).await.body, &path);
    kim.post(&path, &as_fields(&mine)).await;
    let answer = resp.post(&path, &as_fields(&mine)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(
        answer.body.contains("Both say the same now"),
        "{}",
        answer.body
    );
    assert_ne!(field(&answer.body, "version"), mine[0].1);
}
