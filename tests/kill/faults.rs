//! What the kills once brought to light, each as a small test of its own.

use crate::common::{self, TestDb};
use crate::place::{Case, Place, now};
use pel::intake::cage::Cage;
use pel::intake::jobs::{Runner, Settings};
use pel::intake::reading::{self, Room};
use pel::ladder::evidence::EvidenceFile;
use pel::store::audit::{self, Act, Actor};
use pel::store::{cases, evidence};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

async fn place() -> (TestDb, Place, Case) {
    let db = common::database().await;
    let mut conn = db.owner().await;
    let place = Place::make(&mut conn, 1).await;
    let case = place.case(&mut conn).await;
    (db, place, case)
}

#[tokio::test]
async fn a_reading_that_ends_while_a_form_arrives_is_no_deadlock() {
    let (db, _, case) = place().await;
    let act = move || Act {
        act: "evidence.read",
        object: ("evidence", Uuid::nil().to_string()),
        case_id: Some(case.id),
        ..Act::default()
    };
    // The form holds the case, as every handler does that writes to it.
    let mut form = db.pool.begin().await.unwrap();
    cases::lock(&mut form, case.id).await.unwrap();
    // Meanwhile a reading is written: first to the log, then to the case.
    let pool = db.pool.clone();
    let reading = tokio::spawn(async move {
        let mut tx = pool.begin().await?;
        audit::append(&mut tx, &Actor::app(), act(), now()).await?;
        cases::touch(&mut tx, case.id, now()).await?;
        tx.commit().await?;
        Ok::<_, pel::store::Error>(())
    });
    wait_for_a_lock(&db).await;
    audit::append(&mut form, &Actor::app(), act(), now())
        .await
        .unwrap();
    form.commit().await.unwrap();
    reading.await.unwrap().unwrap();
}

/// Returns when some connection waits for a lock.
async fn wait_for_a_lock(db: &TestDb) {
    let sql = "select count(*) from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock'";
    let (mut conn, since) = (db.owner().await, Instant::now());
    loop {
        let waiting: i64 = sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap();
        if waiting > 0 {
            return;
        }
        assert!(since.elapsed() < Duration::from_secs(20), "nobody waits");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn an_item_whose_reading_was_cut_short_too_often_does_not_wait_for_ever() {
    let (db, place, case) = place().await;
    let file = EvidenceFile {
        name: "a.prom".to_owned(),
        sha256: "0".repeat(64),
        bytes: 1,
    };
    let mut tx = db.pool.begin().await.unwrap();
    let who = &place.people[0].actor;
    let (id, _) = evidence::attach(&mut tx, who, case.id, case.run_id, &[file], now())
        .await
        .unwrap();
    reading::enqueue(&mut tx, id, now()).await.unwrap();
    tx.commit().await.unwrap();
    // Four workers took it and never came back.
    sqlx::query("update job set attempts = 4")
        .execute(&db.pool)
        .await
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let room = Room {
        db: db.pool.clone(),
        blobs: common::blobs(),
        cage: Cage::default(),
        copies: folder.path().to_owned(),
        clock: now,
    };
    let runner = Runner::new(db.pool.clone(), "w", now, Settings::default())
        .on(reading::KIND, move |held| reading::run(room.clone(), held));
    let stop = CancellationToken::new();
    let running = tokio::spawn(runner.run(stop.clone()));
    let since = Instant::now();
    let done = "select count(*) from job where done_at is not null";
    while sqlx::query_scalar::<_, i64>(done)
        .fetch_one(&db.pool)
        .await
        .unwrap()
        == 0
    {
        assert!(since.elapsed() < Duration::from_secs(20), "it waits");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
    running.await.unwrap();
    let last = "select state, reason from evidence_event order by seq desc limit 1";
    let (state, reason): (String, String) = sqlx::query_as(last).fetch_one(&db.pool).await.unwrap();
    assert_eq!(state, "unreadable");
    assert!(reason.contains("reader-failed-interrupted"), "{reason}");
}
