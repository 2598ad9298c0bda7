//! Statements against content over HTTP and the database: accepted contradictions, the same bytes
//! again, withdrawn bytes that come back, readings by newer parsers.

use crate::scene::{Scene, reading};
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::ladder::case::Symptom;
use pel::ladder::evidence::{EvidenceFile, EvidenceState};
use pel::ladder::run::{Phase, RunRole};
use pel::store::cases::{self, NewCase};
use pel::store::{Error, case_file, evidence, readings, runs, vouched};
use pel_evidence::Kind;
use uuid::Uuid;

async fn case(scene: &Scene) -> pel::ladder::CaseFile {
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    case_file::load(&mut conn, scene.case).await.unwrap()
}

fn rule<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Refused { constraint, .. }) => constraint,
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn e1_a_reviewer_accepts_a_contradicted_statement_with_a_reason_on_the_items_page() {
    let scene = Scene::new().await;
    // The file hints at a warm engine; the run is stated as cold.
    let run = scene.run(RunRole::Baseline, Phase::Cold, 60).await;
    let (item, number) = scene.item(run, "before.prom").await;
    scene.read(item, &reading(1.5, None)).await;
    let page = format!("/evidence/EV-{number}");
    let mut reviewer = scene.site.signed_in("rev").await;
    let html = reviewer.get(&page).await.body;
    let key = crate::harness::field(&html, "contradiction").to_owned();
    let path = format!("{page}/contradictions");
    let reason = "the engine was started for the run alone";
    let mut responder = scene.responder().await;
    assert!(!responder.get(&page).await.body.contains(&path));
    let fields = [("contradiction", key.as_str()), ("reason", reason)];
    let answer = responder.post(&path, &fields).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let short = [("contradiction", key.as_str()), ("reason", "because")];
    assert_eq!(
        reviewer.post(&path, &short).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let done = reviewer.post(&path, &fields).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    assert_eq!(case(&scene).await.acceptances.len(), 1);
    for shown in [page.clone(), scene.path()] {
        let html = reviewer.get(&shown).await.body;
        assert!(html.contains("accepted by Name of rev"), "{shown}");
        assert!(html.contains(reason), "{shown}");
    }
    // Whoever stated the run or attached the file is refused by the database too.
    let found = case(&scene).await;
    let item = &found.evidence[0];
    let of = item.contradictions(&found.runs[0]).remove(0);
    let mut tx = scene.tx().await;
    let written = vouched::accept_contradiction(
        &mut tx,
        &scene.actor(),
        scene.case,
        item,
        &of,
        reason,
        scene.site.now(),
    )
    .await;
    assert_eq!(rule(written), "acceptance_by_outside_reviewer");
    drop(tx);
    let rewritten = sqlx::query("update contradiction_acceptance set reason = 'something else'")
        .execute(&scene.site.db.pool)
        .await;
    assert!(rewritten.is_err(), "append-only");
}

#[tokio::test]
async fn e4_the_same_file_in_a_second_run_of_the_case_is_refused() {
    let scene = Scene::new().await;
    scene.run(RunRole::Baseline, Phase::Warm, 90).await;
    scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let mut browser = scene.responder().await;
    let files: &[(&str, &str, &[u8])] = &[("files", "a.csv", b"one,two\n1,2\n")];
    let path = |run: &str| format!("{}/runs/{run}/evidence", scene.path());
    let first = browser.upload(&path("R-1"), &[], files).await;
    assert_eq!(first.status, StatusCode::SEE_OTHER, "{}", first.body);
    let second = browser.upload(&path("R-2"), &[], files).await;
    assert_eq!(second.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(second.body.contains("EV-1"));
    assert_eq!(case(&scene).await.evidence.len(), 1);
}

/// A second case with a run and an item of the same bytes as `file`.
async fn elsewhere(scene: &Scene, file: &EvidenceFile) -> (Uuid, String, i64) {
    let here = case(scene).await;
    let new = NewCase {
        title: "The same on another day".to_owned(),
        service_id: here.service.0,
        problem: String::new(),
        symptom: Symptom::default(),
        first_seen: here.first_seen,
        classes: Vec::new(),
        contract_version_id: Some(scene.version_id),
        own: true,
    };
    let now = scene.site.now();
    let mut tx = scene.tx().await;
    let (other, number) = cases::open(&mut tx, &scene.actor(), &new, now)
        .await
        .unwrap();
    let stated = here.runs[0].stated.clone();
    let (run, _) = runs::create(&mut tx, &scene.actor(), other, &stated, now)
        .await
        .unwrap();
    let (_, item) = evidence::attach(
        &mut tx,
        &scene.actor(),
        other,
        run,
        std::slice::from_ref(file),
        now,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    (other, pel::ladder::case::label(number), item)
}

#[tokio::test]
async fn e6_bytes_of_another_case_are_a_link_shown_on_both() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (_, first) = scene.item(run, "a.prom").await;
    let file = case(&scene).await.evidence[0].files[0].clone();
    let (other, label, second) = elsewhere(&scene, &file).await;
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    let linked = case_file::load(&mut conn, other).await.unwrap();
    let link = linked.evidence[0].link.clone().unwrap();
    assert_eq!((link.number, link.case_id), (first, scene.case));
    assert!(case(&scene).await.evidence[0].link.is_none());
    let mut browser = scene.responder().await;
    let there = browser.get(&format!("/evidence/EV-{second}")).await.body;
    assert!(there.contains(&format!("EV-{first}")) && there.contains(&scene.label));
    assert!(there.contains("never count as a reproduction"));
    let here = browser.get(&format!("/evidence/EV-{first}")).await.body;
    assert!(here.contains(&format!("EV-{second}")) && here.contains(&label));
    let card = browser.get(&format!("/cases/{label}")).await.body;
    assert!(card.contains("no reproduction of its own"));
}

#[tokio::test]
async fn e20_a_run_that_is_stated_to_end_ahead_is_refused_by_the_database() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let mut stated = case(&scene).await.run(run).unwrap().stated.clone();
    let now = scene.site.now();
    stated.window = Some((now, now + TimeDelta::minutes(6)));
    let mut tx = scene.tx().await;
    let made = runs::create(&mut tx, &scene.actor(), scene.case, &stated, now).await;
    assert_eq!(rule(made), "window_not_ahead");
}

#[tokio::test]
async fn e22_withdrawn_bytes_come_back_only_with_a_reason_and_their_history_is_shown() {
    let scene = Scene::new().await;
    scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let mut browser = scene.responder().await;
    let files: &[(&str, &str, &[u8])] = &[("files", "a.csv", b"one,two\n1,2\n")];
    let path = format!("{}/runs/R-1/evidence", scene.path());
    browser.upload(&path, &[], files).await;
    let gone = browser
        .post(
            "/evidence/EV-1/withdraw",
            &[("reason", "taken on the wrong host")],
        )
        .await;
    assert_eq!(gone.status, StatusCode::SEE_OTHER, "{}", gone.body);
    let asked = browser.upload(&path, &[], files).await;
    assert_eq!(asked.status, StatusCode::UNPROCESSABLE_ENTITY);
    for words in [
        "EV-1",
        "Name of resp",
        "taken on the wrong host",
        "Say below why",
    ] {
        assert!(asked.body.contains(words), "{words}: {}", asked.body);
    }
    assert_eq!(case(&scene).await.evidence.len(), 1);
    // The database asks as well.
    let file = case(&scene).await.evidence[0].files[0].clone();
    let run = case(&scene).await.runs[0].id;
    let slipped = sqlx::query(
        "with e as (insert into evidence (id, case_id, run_id, by_person, at)
                    values ('00000000-0000-4000-8000-000000000001', $1, $2, $3, now()) returning id),
              f as (insert into evidence_file (evidence_id, ordinal, case_id, name, sha256, bytes)
                    select id, 1, $1, 'a', $4, 1 from e returning evidence_id)
         select evidence_id from f",
    )
    .bind(scene.case)
    .bind(run)
    .bind(scene.responder)
    .bind(&file.sha256)
    .execute(&scene.site.db.pool)
    .await;
    assert!(slipped.is_ok(), "{slipped:?}");
    let event = sqlx::query(
        "insert into evidence_event (evidence_id, state, at)
         values ('00000000-0000-4000-8000-000000000001', 'received', now())",
    )
    .execute(&scene.site.db.pool)
    .await;
    let refused = event.err().map(Error::from).unwrap();
    assert_eq!(rule::<()>(Err(refused)), "withdrawn_bytes_need_reason");
}

#[tokio::test]
async fn e22_with_a_reason_they_are_a_new_item_that_tells_of_the_old_one() {
    let scene = Scene::new().await;
    scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let mut browser = scene.responder().await;
    let files: &[(&str, &str, &[u8])] = &[("files", "a.csv", b"one,two\n1,2\n")];
    let path = format!("{}/runs/R-1/evidence", scene.path());
    browser.upload(&path, &[], files).await;
    browser
        .post(
            "/evidence/EV-1/withdraw",
            &[("reason", "taken on the wrong host")],
        )
        .await;
    let back = browser
        .upload(
            &path,
            &[("again", "it was the right host after all")],
            files,
        )
        .await;
    assert_eq!(back.status, StatusCode::SEE_OTHER, "{}", back.body);
    let html = browser.get("/evidence/EV-2").await.body;
    assert!(html.contains("were here before as EV-1"), "{html}");
    assert!(html.contains("taken on the wrong host"));
}

#[tokio::test]
async fn e24_a_second_reading_is_kept_and_the_first_can_still_be_looked_at() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, number) = scene.item(run, "a.prom").await;
    scene.read(item, &reading(1.5, None)).await;
    let mut newer = reading(1.75, None);
    newer.parser = "2.0".to_owned();
    scene.site.pass(TimeDelta::minutes(1));
    scene.read(item, &newer).await;
    let found = case(&scene).await;
    assert_eq!(found.rereads.len(), 1);
    assert_eq!(found.rereads[0].moved.len(), 1, "only the TTFT moved");
    let page = format!("/evidence/EV-{number}");
    let mut browser = scene.responder().await;
    let html = browser.get(&page).await.body;
    assert!(html.contains("1 number otherwise") && html.contains("Parser 1.4"));
    assert!(html.contains("1\u{202f}750") && !html.contains("1\u{202f}500"));
    let mut conn = scene.site.db.pool.acquire().await.unwrap();
    let versions = readings::versions(&mut conn, item).await.unwrap();
    let old = format!("{page}?reading={}", versions[1].id);
    assert!(html.contains(&old), "a link leads there");
    let html = browser.get(&old).await.body;
    assert!(html.contains("1\u{202f}500") && !html.contains("1\u{202f}750"));
    assert!(html.contains("The newest is what counts"));
    let foreign = format!("{page}?reading={}", Uuid::nil());
    assert_eq!(browser.get(&foreign).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn e24_small_steps_never_add_up_unseen() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let (item, _) = scene.item(run, "a.prom").await;
    let mut digests = Vec::new();
    for value in [1.5, 1.512, 1.5235] {
        scene.read(item, &reading(value, None)).await;
        let read = case(&scene).await.evidence[0].extraction.clone().unwrap();
        digests.push(read.anchor);
    }
    // 0.8 % off the first agrees with it, 1.5 % off does not, though it is 0.8 % off the second.
    assert_eq!(digests[0], digests[1]);
    assert_ne!(digests[1], digests[2]);
}

#[tokio::test]
async fn e24_items_read_by_an_older_parser_are_found_and_no_others() {
    let scene = Scene::new().await;
    let run = scene.run(RunRole::Baseline, Phase::Warm, 60).await;
    let mut numbers = Vec::new();
    for (name, parser) in [
        ("old", "1.9"),
        ("now", "1.10"),
        ("ahead", "1.11"),
        ("own", "test"),
        ("gone", "1.0"),
    ] {
        let (item, number) = scene.item(run, name).await;
        let mut read = reading(1.5, None);
        read.parser = parser.to_owned();
        scene.read(item, &read).await;
        numbers.push((name, item, number));
    }
    let mut tx = scene.tx().await;
    evidence::take_out(
        &mut tx,
        &scene.actor(),
        scene.case,
        numbers[4].1,
        EvidenceState::Withdrawn,
        "not needed",
        scene.site.now(),
    )
    .await
    .unwrap();
    let parsers = [(Kind::VllmMetrics.id(), "1.10")];
    let found = readings::of_other_parsers(&mut tx, &parsers, 0, 50)
        .await
        .unwrap();
    let older: Vec<i64> = found
        .iter()
        .filter(|o| o.is_older(&parsers))
        .map(|o| o.number)
        .collect();
    assert_eq!(older, [numbers[0].2]);
    let after = readings::of_other_parsers(&mut tx, &parsers, numbers[0].2, 1)
        .await
        .unwrap();
    assert_eq!(after.len(), 1, "in steps, by number");
    assert_eq!(after[0].number, numbers[2].2);
}
