//! What the program does by itself, on a real database: in the act's own transaction, and as time
//! passes.

use crate::story::Story;
use axum::http::StatusCode;
use chrono::TimeDelta;
use pel::intake::upkeep;
use pel::ladder::change::{CanaryEventKind, ChangeState};
use std::collections::BTreeSet;

#[tokio::test]
async fn e21_withdrawing_evidence_pauses_the_running_canary_in_the_same_act() {
    let story = Story::begin().await;
    let mut jo = story.running().await;
    let case = story.case().await;
    let item = case.evidence[0].label();
    let page = format!("/evidence/{item}");
    let withdraw = format!("{page}/withdraw");
    let done = jo.post(&withdraw, &[("reason", "the wrong file")]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    assert_eq!(story.state().await, "canary_paused");
    let case = story.case().await;
    let paused = case.changes[0].last(CanaryEventKind::Paused).unwrap();
    assert_eq!(paused.by, None);
    assert!(
        paused.why.iter().any(|s| s.key == "gate-evidence-moved"),
        "{paused:?}"
    );
    let shown = jo.get(&format!("/cases/{}", case.label())).await.body;
    assert!(
        shown.contains(&format!("{item} changed: withdrawn since")),
        "{shown}"
    );
}

#[tokio::test]
async fn r14_k19_what_nobody_acted_on_in_time_expires() {
    let story = Story::begin().await;
    story.approved().await;
    let later = story.site.now() + TimeDelta::hours(73);
    assert_eq!(
        upkeep::round(&story.site.db.pool, story.site.now())
            .await
            .unwrap(),
        0
    );
    // Two instances at once do it once.
    let pool = &story.site.db.pool;
    let (a, b) = tokio::join!(upkeep::round(pool, later), upkeep::round(pool, later));
    assert_eq!(a.unwrap() + b.unwrap(), 1);
    assert_eq!(story.state().await, "expired");

    let story = Story::begin().await;
    story.awaiting().await;
    let later = story.site.now() + TimeDelta::hours(25);
    assert_eq!(upkeep::round(&story.site.db.pool, later).await.unwrap(), 1);
    assert_eq!(story.state().await, "expired");
}

#[tokio::test]
async fn the_database_knows_the_same_moves_as_the_code() {
    let story = Story::begin().await;
    let rows: Vec<(String, String)> =
        sqlx::query_as("select from_state, to_state from change_move")
            .fetch_all(&story.site.db.pool)
            .await
            .unwrap();
    let stored: BTreeSet<(String, String)> = rows.into_iter().collect();
    let coded = ChangeState::ALL
        .iter()
        .flat_map(|a| ChangeState::ALL.iter().map(move |b| (*a, *b)))
        .filter(|(a, b)| a.allows(*b))
        .map(|(a, b)| (a.id().to_owned(), b.id().to_owned()))
        .collect();
    assert_eq!(stored, coded);
    story.submitted().await;
    let jump = sqlx::query("update change set state = 'confirmed'")
        .execute(&story.site.db.pool)
        .await
        .unwrap_err();
    assert!(jump.to_string().contains("never"), "{jump}");
}
