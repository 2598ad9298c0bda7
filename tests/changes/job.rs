//! The whole way: from two runs that break a limit to a sealed acceptance, by two people.

use crate::story::{CHANGE, Story};
use axum::http::StatusCode;
use pel::ladder::decision::Sealed;
use pel::ladder::gate::LineStatus;
use pel::store::audit;

#[tokio::test]
async fn two_people_take_a_change_from_evidence_to_a_sealed_acceptance() {
    let story = Story::begin().await;
    story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let shown = rita.get(&page).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.body);
    assert!(shown.body.contains("<ins>4096</ins>"));
    assert!(shown.body.contains("Roll back if"));
    // Whoever may not decide reads the same page, with who may instead of the form.
    let mut jo = story.site.signed_in("jo").await;
    let read = jo.get(&page).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    assert!(read.body.contains("Accepting takes the reviewer role."));
    assert!(read.body.contains("Name of rita"), "{}", read.body);
    assert!(!read.body.contains("name=\"note\""), "{}", read.body);
    let answer = story
        .send(
            &mut rita,
            &page,
            &page,
            &[("note", "Queueing is shown twice; I accept the ITL cost.")],
        )
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert!(answer.location().starts_with("/decisions/"));
    assert_eq!(story.state().await, "accepted");
    assert_eq!(story.case().await.state.id(), "rolling_out");

    for who in ["rita", "jo"] {
        let mut browser = story.site.signed_in(who).await;
        let later = browser.get(&page).await;
        assert_eq!(later.status, StatusCode::OK);
        assert!(
            later.body.contains("Already accepted by Name of rita"),
            "{}",
            later.body
        );
        assert!(!later.body.contains("Nothing of yours"));
    }
    let timeline = rita.get(&format!("/cases/{}", story.label)).await.body;
    assert_eq!(timeline.matches("approved the canary of").count(), 1);
    assert_eq!(timeline.matches("approved the promotion of").count(), 1);

    let record = answer.location().to_owned();
    let shown = rita.get(&record).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.body);
    for words in [
        "Accepted",
        "Name of rita",
        "I accept the ITL cost",
        "EV-1",
        "chat v1",
        "800",
    ] {
        assert!(shown.body.contains(words), "{words}: {}", shown.body);
    }
    assert!(shown.body.contains("has the digest it was sealed with"));

    let json = rita.get(&format!("{record}/record.json")).await;
    let sealed: Sealed = serde_json::from_str(&json.body).unwrap();
    let digest: String = sqlx::query_scalar("select digest from decision")
        .fetch_one(&story.site.db.pool)
        .await
        .unwrap();
    assert_eq!(sealed.digest(), digest);
    assert_eq!(sealed.change, CHANGE);
    assert!(sealed.gate.ready);
    assert!(
        sealed
            .gate
            .lines
            .iter()
            .all(|l| l.status != LineStatus::Missing)
    );
    assert_eq!(sealed.comparisons.len(), 2);
    assert_eq!(sealed.evidence.len(), 5);
    assert_eq!(sealed.approvals.len(), 1);

    let mut conn = story.site.db.pool.acquire().await.unwrap();
    let verdict = audit::verify(&mut conn).await.unwrap();
    assert!(
        matches!(verdict, audit::Verdict::Intact { .. }),
        "{verdict:?}"
    );
    let acts = story.site.acts().await;
    for act in [
        "condition.record",
        "change.submit",
        "change.approve",
        "canary.start",
        "canary.end",
        "decision.accept",
        "change.accept",
    ] {
        assert!(acts.iter().any(|a| a == act), "{act}: {acts:?}");
    }
}

#[tokio::test]
async fn what_came_later_stands_beside_a_record_that_does_not_change() {
    let story = Story::begin().await;
    let mut jo = story.awaiting().await;
    let mut rita = story.site.signed_in("rita").await;
    let page = story.change("/accept");
    let accepted = story
        .send(&mut rita, &page, &page, &[("note", "looks right")])
        .await;
    let record = accepted.location().to_owned();
    let before = rita.get(&format!("{record}/record.json")).await.body;

    let page = story.change("/roll-back");
    let back = story
        .send(&mut jo, &page, &page, &[("note", "p99 again")])
        .await;
    assert_eq!(back.status, StatusCode::SEE_OTHER, "{}", back.body);
    assert_eq!(story.state().await, "rolled_back");
    let shown = rita.get(&record).await;
    assert!(
        shown.body.contains("Rolled back by Name of jo"),
        "{}",
        shown.body
    );
    assert_eq!(
        rita.get(&format!("{record}/record.json")).await.body,
        before
    );
    assert_eq!(story.decisions().await["rolled_back"], 1);
}

#[tokio::test]
async fn the_pages_say_what_the_program_computed() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    let path = format!("/cases/{}/conditions/reproduced-bottleneck", story.label);
    // The form suggests the limit that both runs break.
    let page = jo.get(&path).await;
    assert!(
        page.body.contains("value=\"ttft\" checked"),
        "{}",
        page.body
    );
    assert!(page.body.contains("value=\"ttft/R-1\" checked"));
    story
        .record(
            &mut jo,
            "reproduced-bottleneck",
            &[("limit", "ttft"), ("run", "ttft/R-1")],
        )
        .await;
    let page = jo.get(&path).await;
    assert!(
        page.body.contains("not supported"),
        "one run reproduces nothing: {}",
        page.body
    );
    story.conditions(&mut jo).await;
    for condition in [
        "reproduced-bottleneck",
        "acceptance-impact-visible",
        "owner-layer-identified",
    ] {
        let page = jo
            .get(&format!("/cases/{}/conditions/{condition}", story.label))
            .await;
        assert!(
            page.body.contains("<use href=\"#m-holds\"/></svg>held"),
            "{condition}: {}",
            page.body
        );
    }
}

#[tokio::test]
async fn a_claim_is_retracted_with_a_reason_and_is_then_missing() {
    let story = Story::begin().await;
    let mut jo = story.site.signed_in("jo").await;
    story.conditions(&mut jo).await;
    let path = format!("/cases/{}/conditions/reproduced-bottleneck", story.label);
    let page = jo.get(&path).await;
    let record = crate::harness::field(&page.body, "record").to_owned();
    let retract = format!("{path}/retract");
    let short = jo
        .post(&retract, &[("record", &record), ("reason", "no")])
        .await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    let done = jo
        .post(
            &retract,
            &[("record", &record), ("reason", "wrong replica")],
        )
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    assert!(story.case().await.records[0].retracted.is_some());
    let again = jo
        .post(
            &retract,
            &[("record", &record), ("reason", "wrong replica")],
        )
        .await;
    assert_eq!(again.status, StatusCode::CONFLICT);
}
