//! Retention on a real database and store: bytes that go, what keeps them, erasure against a hold.

use crate::story::{Story, actor_of};
use axum::http::StatusCode;
use chrono::{DateTime, TimeDelta, TimeZone as _, Utc};
use pel::intake::retention::{self, Done, Room};
use pel::ladder::evidence::EvidenceState;
use pel::ladder::policy::Role;
use pel::store::{Error, evidence};

fn room(story: &Story) -> Room {
    fn clock() -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2028, 1, 15, 12, 0, 0).unwrap()
    }
    Room {
        db: story.site.db.pool.clone(),
        blobs: story.site.app.blobs.clone(),
        clock,
    }
}

async fn round(story: &Story) -> Done {
    retention::round(&room(story), story.site.now())
        .await
        .unwrap()
}

/// Raises or lowers legal hold, as whoever may do so.
async fn hold(story: &Story, on: bool) {
    let mut owner = story.site.db.owner().await;
    sqlx::query("update case_file set legal_hold = $2 where id = $1")
        .bind(story.case_id)
        .bind(on)
        .execute(&mut owner)
        .await
        .unwrap();
}

#[tokio::test]
async fn x17_evidence_in_a_live_basis_is_skipped_listed_and_its_owner_told_once() {
    let story = Story::begin().await;
    story.submitted().await;
    story.site.pass(TimeDelta::days(400));
    let done = round(&story).await;
    assert_eq!(done.purged, 0);
    assert_eq!(done.listed, 3, "two baselines and the candidate");
    assert_eq!(round(&story).await, Done::default(), "told once");
    let told: i64 = sqlx::query_scalar(
        "select count(*) from notice n join outbox o on o.id = n.outbox_id
         where n.person_id = $1 and o.kind = 'evidence_retention_due'",
    )
    .bind(story.jo)
    .fetch_one(&story.site.db.pool)
    .await
    .unwrap();
    assert_eq!(told, 3);
    story.site.person("root", &[Role::Admin]).await;
    let mut admin = story.site.signed_in("root").await;
    let page = admin.get("/retention").await.body;
    assert!(page.contains("EV-1") && page.contains("a change that is not over rests on it"));
}

#[tokio::test]
async fn x18_what_nothing_rests_on_goes_and_its_numbers_stay() {
    let story = Story::begin().await;
    story.site.pass(TimeDelta::days(400));
    let sha256 = story.case().await.evidence[0].files[0].sha256.clone();
    assert_eq!(round(&story).await.purged, 3);
    let case = story.case().await;
    let item = &case.evidence[0];
    assert_eq!(item.state, EvidenceState::Purged);
    assert!(item.counts() && !item.signals().is_empty());
    // A killed process leaves either the bytes with their item, or the removal waiting.
    let waiting: i64 = sqlx::query_scalar(
        "select count(*) from job where kind = 'remove_blob' and done_at is null",
    )
    .fetch_one(&story.site.db.pool)
    .await
    .unwrap();
    assert_eq!(waiting, 3);
    let digest = sha256.parse().unwrap();
    assert!(
        retention::remove_unused(&room(&story), &sha256)
            .await
            .unwrap()
    );
    assert_eq!(story.site.app.blobs.length(digest).await.unwrap(), None);
    let mut jo = story.site.signed_in("jo").await;
    let page = jo.get(&format!("/evidence/{}", item.label())).await.body;
    assert!(page.contains("The bytes are gone") && page.contains(&sha256[..16]));
    assert!(page.contains("TTFT"), "the numbers are shown");
    let file = jo.get(&format!("/evidence/{}/files/1", item.label())).await;
    assert_eq!(file.status, StatusCode::GONE);
}

#[tokio::test]
async fn x18_altered_bytes_leave_a_summary_that_carries_nothing() {
    let story = Story::begin().await;
    story.site.pass(TimeDelta::days(400));
    let sha256 = story.case().await.evidence[0].files[0].sha256.clone();
    let digest = sha256.parse().unwrap();
    story.site.app.blobs.remove(digest).await.unwrap();
    assert_eq!(round(&story).await.purged, 3);
    let case = story.case().await;
    assert!(!case.evidence[0].counts());
    assert!(case.evidence[1].counts());
}

#[tokio::test]
async fn the_same_bytes_bring_a_purged_item_back_and_are_not_removed() {
    let story = Story::begin().await;
    story.site.pass(TimeDelta::days(400));
    round(&story).await;
    let case = story.case().await;
    let (item, run) = (&case.evidence[0], case.runs[1].id);
    let actor = actor_of(story.jo, "Name of jo");
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let back = evidence::attach(
        &mut tx,
        &actor,
        story.case_id,
        run,
        &item.files,
        story.site.now(),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(back, (item.id, item.number));
    let again = story.case().await;
    assert_eq!(again.evidence[0].state, EvidenceState::Usable);
    assert_eq!(again.evidence.len(), case.evidence.len());
    assert!(
        !retention::remove_unused(&room(&story), &item.files[0].sha256)
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn x19_an_erasure_waits_for_the_end_of_legal_hold_and_the_conflict_is_shown() {
    let story = Story::begin().await;
    story.submitted().await;
    hold(&story, true).await;
    for (login, role) in [("root", Role::Admin), ("eye", Role::Auditor)] {
        story.site.person(login, &[role]).await;
    }
    let mut admin = story.site.signed_in("root").await;
    let reason = "request 17 of the data protection officer";
    let form = [("evidence", "EV-1"), ("reason", reason)];
    let short = [("evidence", "EV-1"), ("reason", "please")];
    let refused = admin.post("/retention/erase", &short).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let asked = admin.post("/retention/erase", &form).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.body);
    assert_eq!(round(&story).await.purged, 0);
    assert_eq!(
        story.case().await.evidence[0].state,
        EvidenceState::Usable,
        "queued"
    );
    let mut auditor = story.site.signed_in("eye").await;
    for browser in [&mut admin, &mut auditor] {
        let page = browser.get("/retention").await.body;
        assert!(page.contains("Conflict: the case is under legal hold"));
        assert!(page.contains(reason));
    }
    // The database keeps the bytes as well.
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let id = story.case().await.evidence[0].id;
    sqlx::query("insert into sealed_summary (evidence_id, content, digest, counts, at) values ($1, '{}', repeat('a', 64), true, now())")
        .bind(id)
        .execute(&mut *tx)
        .await
        .unwrap();
    let purged = sqlx::query(
        "insert into evidence_event (evidence_id, state, at) values ($1, 'purged', now())",
    )
    .bind(id)
    .execute(&mut *tx)
    .await;
    let rule = purged.err().map(Error::from).unwrap();
    assert!(
        matches!(&rule, Error::Refused { constraint, .. } if constraint == "legal_hold_keeps_bytes"),
        "{rule}"
    );
    drop(tx);
    hold(&story, false).await;
    assert_eq!(round(&story).await.purged, 1);
    let case = story.case().await;
    assert_eq!(case.evidence[0].state, EvidenceState::Purged);
    assert!(!case.evidence[0].counts(), "what rested on it is void");
    let page = admin.get("/retention").await.body;
    assert!(page.contains("Nobody waits for an erasure"));
    // Handing the same bytes in again does not undo it.
    let actor = actor_of(story.jo, "Name of jo");
    let mut tx = story.site.db.pool.begin().await.unwrap();
    let back = evidence::attach(
        &mut tx,
        &actor,
        story.case_id,
        case.runs[0].id,
        &case.evidence[0].files,
        story.site.now(),
    )
    .await;
    assert!(
        matches!(&back, Err(Error::Refused { constraint, .. }) if constraint == "erased_stays_erased"),
        "{back:?}"
    );
}
