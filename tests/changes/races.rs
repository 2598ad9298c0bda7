//! Sent twice, and by two people at once.

use crate::story::{Story, hidden, post_shown};
use axum::http::StatusCode;

#[tokio::test]
async fn x1_a_double_click_on_accept_gives_one_decision_and_the_same_answer() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await.body;
    let mut other = rita.clone();
    let note = [("note", "looks right to me")];
    let (a, b) = tokio::join!(
        post_shown(&mut rita, &shown, &page, &note),
        post_shown(&mut other, &shown, &page, &note),
    );
    assert_eq!(a.status, StatusCode::SEE_OTHER, "{}", a.body);
    assert_eq!(b.status, StatusCode::SEE_OTHER, "{}", b.body);
    assert_eq!(a.location(), b.location());
    let later = post_shown(&mut rita, &shown, &page, &note).await;
    assert_eq!(later.location(), a.location());
    assert_eq!(story.decisions().await["accepted"], 1);
    // The same key with another note is another form.
    let changed = post_shown(&mut rita, &shown, &page, &[("note", "something else")]).await;
    assert_eq!(
        changed.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        changed.body
    );
}

#[tokio::test]
async fn x2_of_two_reviewers_at_once_one_decides_and_the_other_is_told() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let mut ana = story.site.signed_in("ana").await;
    let page = story.change("/accept");
    let (for_rita, for_ana) = (rita.get(&page).await.body, ana.get(&page).await.body);
    let note = [("note", "looks right to me")];
    let (a, b) = tokio::join!(
        post_shown(&mut rita, &for_rita, &page, &note),
        post_shown(&mut ana, &for_ana, &page, &note),
    );
    let (won, lost) = if a.status == StatusCode::SEE_OTHER {
        (a, b)
    } else {
        (b, a)
    };
    assert_eq!(won.status, StatusCode::SEE_OTHER, "{}", won.body);
    assert_eq!(lost.status, StatusCode::CONFLICT, "{}", lost.body);
    assert!(
        lost.body.contains("Already accepted by Name of"),
        "{}",
        lost.body
    );
    assert!(lost.body.contains(won.location()));
    assert_eq!(story.decisions().await["accepted"], 1);
}

#[tokio::test]
async fn k14_a_roll_back_wins_over_an_acceptance_that_is_being_written() {
    let story = Story::begin().await;
    let mut jo = story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await.body;
    let back = story.change("/roll-back");
    let done = story
        .send(&mut jo, &back, &back, &[("note", "threshold triggered")])
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    let answer = post_shown(&mut rita, &shown, &page, &[("note", "looks right")]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(
        answer.body.contains("Already rolled back by Name of jo"),
        "{}",
        answer.body
    );
    assert_eq!(story.state().await, "rolled_back");
}

/// Ends every other connection to the database, as its restart does.
async fn cut_off(owner: &mut sqlx::PgConnection) {
    sqlx::query(
        "select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()",
    )
    .execute(owner)
    .await
    .unwrap();
}

#[tokio::test]
async fn x8_a_restart_of_the_database_during_an_acceptance_leaves_all_of_it_or_nothing() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut owner = story.site.db.owner().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await.body;
    let note = [("note", "looks right to me")];
    // The acceptance gets as far as its decision, and no further.
    sqlx::raw_sql("begin; lock table decision in share row exclusive mode")
        .execute(&mut owner)
        .await
        .unwrap();
    let cut = async {
        let waits = "select count(*) from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock'";
        loop {
            let waiting: i64 = sqlx::query_scalar(waits)
                .fetch_one(&mut owner)
                .await
                .unwrap();
            if waiting > 0 {
                return cut_off(&mut owner).await;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    let (answer, ()) = tokio::join!(post_shown(&mut rita, &shown, &page, &note), cut);
    assert!(answer.status.is_server_error(), "{}", answer.status);
    sqlx::raw_sql("rollback").execute(&mut owner).await.unwrap();
    assert!(story.decisions().await.is_empty(), "nothing of it is there");
    assert_eq!(story.state().await, "awaiting_promotion");
    // The same form again is the first that counts.
    let accepted = post_shown(&mut rita, &shown, &page, &note).await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER, "{}", accepted.body);
    // After its commit a restart takes nothing back, and who asks again is told what became of it.
    cut_off(&mut owner).await;
    let told = post_shown(&mut rita, &shown, &page, &note).await;
    assert_eq!(told.status, StatusCode::SEE_OTHER, "{}", told.body);
    assert_eq!(told.location(), accepted.location());
    assert_eq!(story.decisions().await["accepted"], 1);
}

#[tokio::test]
async fn a_form_without_its_key_does_nothing() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await.body;
    let hidden = hidden(&shown);
    let mut fields: Vec<(&str, &str)> = hidden
        .iter()
        .filter(|(n, _)| *n != "form_key")
        .map(|(n, v)| (*n, v.as_str()))
        .collect();
    fields.push(("note", "looks right to me"));
    let answer = rita.post(&page, &fields).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(story.state().await, "awaiting_promotion");
}
