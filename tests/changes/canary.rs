//! A canary while it runs, over HTTP and against the database: its watcher, its samples, its end,
//! its extension, its recall, and who may still decide.

use crate::story::{Story, by_hand, post_shown};
use axum::http::StatusCode;
use chrono::{DateTime, TimeDelta, Utc};
use pel::ladder::Statistic;
use pel::ladder::canary::{Arm, Sample};
use pel::ladder::upkeep::What;
use pel::store::canary::{Posted, Source, post_samples};
use pel::store::{Error, upkeep};

fn sample(arm: Arm, from: DateTime<Utc>, signal: &str, value: f64) -> Sample {
    let statistic = match signal {
        "ttft" => Statistic::P99,
        _ => Statistic::Ratio,
    };
    let exposed = arm == Arm::Candidate;
    Sample {
        arm,
        starts_at: from,
        ends_at: from + TimeDelta::minutes(10),
        class: Some("chat".to_owned()),
        band: None,
        region: None,
        signal: signal.to_owned(),
        statistic,
        value,
        samples: Some(2000),
        requests: exposed.then_some(2000),
        share: exposed.then_some(0.04),
    }
}

/// One window of both arms, good but for the candidate's TTFT as given.
fn window(from: DateTime<Utc>, ttft: f64) -> Vec<Sample> {
    vec![
        sample(Arm::Candidate, from, "ttft", ttft),
        sample(Arm::Candidate, from, "acceptance_rate", 0.985),
        sample(Arm::Baseline, from, "ttft", 1.6),
        sample(Arm::Baseline, from, "acceptance_rate", 0.925),
    ]
}

async fn post(story: &Story, samples: &[Sample]) -> Posted {
    let actor = crate::story::actor_of(story.jo, "Name of jo");
    let ids = (story.case_id, story.case().await.changes[0].id);
    let now = story.site.now();
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let posted = post_samples(&mut tx, &actor, ids, samples, Source::Token, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    posted
}

async fn settle(story: &Story) -> Vec<What> {
    let mut tx = story.site.db.pool.begin().await.unwrap();
    pel::store::cases::lock(&mut tx, story.case_id)
        .await
        .unwrap();
    let done = upkeep::settle(&mut tx, story.case_id, story.site.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    done.into_iter().map(|d| d.what).collect()
}

#[tokio::test]
async fn k4_a_canary_does_not_start_before_its_watcher_says_so_themself() {
    let story = Story::begin().await;
    let mut jo = story.approved().await;
    let refused = by_hand(&story, &mut jo, "/canary/start", &[]).await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        refused.body
    );
    assert!(refused.body.contains("Watcher present"), "{}", refused.body);
    let mut rita = story.site.signed_in("rita").await;
    let other = rita.post(&story.change("/presence"), &[]).await;
    assert_eq!(other.status, StatusCode::FORBIDDEN);
    story.present(&mut jo).await;
    story.site.pass(TimeDelta::minutes(16));
    let late = by_hand(&story, &mut jo, "/canary/start", &[]).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(story.state().await, "approved_for_canary");
    story.present(&mut jo).await;
    let started = by_hand(&story, &mut jo, "/canary/start", &[]).await;
    assert_eq!(started.status, StatusCode::SEE_OTHER, "{}", started.body);
}

#[tokio::test]
async fn k16_samples_are_placed_by_window_and_the_same_one_twice_is_one() {
    let story = Story::begin().await;
    let mut jo = story.running().await;
    let start = story.site.now();
    story.site.pass(TimeDelta::minutes(20));
    let second = window(start + TimeDelta::minutes(10), 0.61);
    let first = window(start, 0.6);
    assert_eq!(post(&story, &second).await.taken, 4);
    assert_eq!(post(&story, &first).await.taken, 4);
    let again = post(&story, &first).await;
    assert_eq!((again.taken, again.known), (0, 4));
    let kept = &story.case().await.changes[0].samples;
    assert_eq!(kept.len(), 8);
    assert!(
        kept.windows(2)
            .all(|w| w[0].sample.starts_at <= w[1].sample.starts_at)
    );
    let shown = jo.get(&story.change("")).await;
    assert!(
        shown.body.contains("4 000 of at most") || shown.body.contains("of at most 50"),
        "{}",
        shown.body
    );
    let mut bad = first[0].clone();
    bad.ends_at = start - TimeDelta::hours(1);
    bad.starts_at = start - TimeDelta::hours(2);
    let refused = post(&story, &[bad]).await;
    assert_eq!((refused.taken, refused.refused.len()), (0, 1));
}

#[tokio::test]
async fn k5_a_share_above_the_ceiling_ends_the_canary_when_it_is_posted() {
    let story = Story::begin().await;
    story.running().await;
    let start = story.site.now();
    story.site.pass(TimeDelta::minutes(10));
    let mut over = window(start, 0.6);
    over[0].share = Some(0.06);
    let done = post(&story, &over).await.done;
    assert_eq!(done.len(), 1, "{done:?}");
    assert_eq!(story.state().await, "canary_ended");
}

#[tokio::test]
async fn k14_a_threshold_that_triggers_while_the_accept_page_is_open_takes_the_change_back() {
    let story = Story::begin().await;
    let mut jo = story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await.body;
    let from = story.site.now() - TimeDelta::minutes(10);
    let posted = post(&story, &[sample(Arm::Candidate, from, "ttft", 0.95)]).await;
    assert!(posted.late);
    assert_eq!(posted.done[0].what, What::Recall);
    assert_eq!(story.state().await, "rolled_back");
    let answer = post_shown(&mut rita, &shown, &page, &[("note", "looks right")]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    assert!(story.decisions().await.is_empty());
    // The candidate is in service until somebody says otherwise, and the case stays open for it.
    let shown = jo.get(&story.change("")).await.body;
    assert!(shown.contains("Candidate still in service."), "{shown}");
    assert!(story.case().await.changes[0].still_in_service());
    let back = story.change("/roll-back");
    let done = story
        .send(&mut jo, &back, &back, &[("note", "old value is back")])
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    assert!(!story.case().await.changes[0].still_in_service());
    assert_eq!(story.decisions().await["rolled_back"], 1);
}

#[tokio::test]
async fn k13_an_inconclusive_canary_is_extended_once_by_a_reviewer() {
    let story = Story::begin().await;
    let mut jo = story.running().await;
    // Ended after five minutes: too short to be judged.
    story.site.pass(TimeDelta::minutes(5));
    let from = story.site.now() - TimeDelta::minutes(4);
    for (role, numbers) in [
        (pel::ladder::run::RunRole::Baseline, (1.65, 0.925)),
        (pel::ladder::run::RunRole::Candidate, (0.62, 0.984)),
    ] {
        let phase = pel::ladder::run::Phase::Canary;
        story.run(story.jo, role, phase, from, 3, numbers).await;
    }
    let run = story.case().await.runs.last().unwrap().label();
    let page = story.change("/canary/end");
    let typed = [("run", run.as_str()), ("share", "4"), ("requests", "2000")];
    let ended = story.send(&mut jo, &page, &page, &typed).await;
    assert_eq!(ended.status, StatusCode::SEE_OTHER, "{}", ended.body);
    assert_eq!(story.state().await, "canary_ended");
    let limits = [
        ("share", "4"),
        ("requests", "20 000"),
        ("minutes", "120"),
        ("note", "half an hour more"),
    ];
    story.present(&mut jo).await;
    let own = by_hand(&story, &mut jo, "/canary/extend", &limits).await;
    assert_eq!(own.status, StatusCode::FORBIDDEN);
    let mut rita = story.site.signed_in("rita").await;
    let extended = by_hand(&story, &mut rita, "/canary/extend", &limits).await;
    assert_eq!(extended.status, StatusCode::SEE_OTHER, "{}", extended.body);
    assert_eq!(story.state().await, "canary_running");
    let plan = story.case().await.changes[0].plan().unwrap();
    assert_eq!(plan.max_requests, Some(20_000));
    // Ended again, it cannot be extended a second time.
    let ended = story.send(&mut jo, &page, &page, &typed).await;
    assert_eq!(ended.status, StatusCode::SEE_OTHER, "{}", ended.body);
    assert_eq!(story.state().await, "canary_ended");
    let again = by_hand(&story, &mut rita, "/canary/extend", &limits).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.body);
}

#[tokio::test]
async fn r20_a_reviewer_who_paused_the_canary_still_decides_on_it() {
    let story = Story::begin().await;
    let mut jo = story.running().await;
    let mut rita = story.site.signed_in("rita").await;
    let paused = rita.post(&story.change("/canary/pause"), &[]).await;
    assert_eq!(paused.status, StatusCode::SEE_OTHER, "{}", paused.body);
    assert_eq!(story.state().await, "canary_paused");
    let resumed = by_hand(&story, &mut jo, "/canary/resume", &[]).await;
    assert_eq!(resumed.status, StatusCode::SEE_OTHER, "{}", resumed.body);
    let ended = story.end(&mut jo, "4,8", (0.62, 0.984)).await;
    assert_eq!(ended.status, StatusCode::SEE_OTHER, "{}", ended.body);
    let mut rita = story.site.signed_in("rita").await;
    let accepted = by_hand(
        &story,
        &mut rita,
        "/accept",
        &[("note", "looks right to me")],
    )
    .await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER, "{}", accepted.body);
}

#[tokio::test]
async fn k21_a_trigger_while_an_accepted_change_is_watched_takes_it_back() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let accepted = by_hand(
        &story,
        &mut rita,
        "/accept",
        &[("note", "looks right to me")],
    )
    .await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER, "{}", accepted.body);
    let after = story.site.now();
    story.site.pass(TimeDelta::hours(2));
    assert_eq!(settle(&story).await, []);
    let posted = post(
        &story,
        &[sample(Arm::Candidate, after, "acceptance_rate", 0.9)],
    )
    .await;
    assert_eq!(posted.done[0].what, What::Recall);
    assert_eq!(story.state().await, "rolled_back");
    let done = settle(&story).await;
    assert_eq!(done, []);
}

#[tokio::test]
async fn a_watched_change_is_confirmed_once_somebody_has_shown_it() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let accepted = by_hand(
        &story,
        &mut rita,
        "/accept",
        &[("note", "looks right to me")],
    )
    .await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER, "{}", accepted.body);
    let after = story.site.now();
    story.site.pass(TimeDelta::hours(25));
    assert_eq!(settle(&story).await, []);
    post(&story, &[sample(Arm::Candidate, after, "ttft", 0.6)]).await;
    assert_eq!(story.state().await, "confirmed");
}

#[tokio::test]
async fn a_reviewer_who_refuses_the_promotion_sends_the_change_back() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let answer = by_hand(
        &story,
        &mut rita,
        "/reject",
        &[("note", "the gap between tokens grew")],
    )
    .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(story.state().await, "rolled_back");
    assert!(story.case().await.changes[0].still_in_service());
    assert_eq!(story.decisions().await["rejected"], 1);
}

#[tokio::test]
async fn the_database_refuses_events_out_of_order_unapproved_starts_and_edited_samples() {
    let story = Story::begin().await;
    story.submitted().await;
    let insert = |kind: &str| {
        format!(
            "insert into canary_event (id, change_id, kind, revision_digest, by_person, at)
             select gen_random_uuid(), g.id, '{kind}', r.digest, g.author_id, now()
             from change g join change_revision r on r.change_id = g.id"
        )
    };
    let pool = story.site.db.pool.clone();
    let run = async |sql: String| {
        let done = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&pool).await;
        match done.map_err(Error::from) {
            Err(Error::Refused { constraint, .. }) => constraint,
            other => format!("{other:?}"),
        }
    };
    assert_eq!(run(insert("started")).await, "canary_start_approved");
    assert_eq!(run(insert("paused")).await, "canary_event_order");
    let mut rita = story.site.signed_in("rita").await;
    let approved = story
        .send(&mut rita, &story.change(""), &story.change("/approve"), &[])
        .await;
    assert_eq!(approved.status, StatusCode::SEE_OTHER, "{}", approved.body);
    let mut jo = story.site.signed_in("jo").await;
    story.present(&mut jo).await;
    let page = story.change("/canary/start");
    let started = story.send(&mut jo, &page, &page, &[]).await;
    assert_eq!(started.status, StatusCode::SEE_OTHER, "{}", started.body);
    assert_eq!(run(insert("started")).await, "canary_event_order");
    assert_eq!(run(insert("restored")).await, "canary_event_order");
    let start = story.site.now();
    story.site.pass(TimeDelta::minutes(10));
    post(&story, &window(start, 0.6)).await;
    for sql in [
        "update canary_sample set value = 0",
        "delete from canary_sample",
    ] {
        let done = sqlx::query(sql).execute(&story.site.db.pool).await;
        assert!(done.is_err(), "{sql}");
    }
}
