//! The queue's promises, on a real database: one worker at a time, at least once, never for ever.

use crate::common::{TestDb, database};
use chrono::{DateTime, TimeDelta, Utc};
use pel::store::{
    Error,
    jobs::{self, Failed, Job, NewJob},
};
use serde_json::json;
use sqlx::{Postgres, pool::PoolConnection};
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(60);

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
}

fn new(key: Option<&str>) -> NewJob<'_> {
    NewJob {
        kind: "read_evidence",
        payload: json!({ "evidence": 7 }),
        once_key: key,
        run_after: at(0),
        max_attempts: 3,
    }
}

async fn conn(db: &TestDb) -> PoolConnection<Postgres> {
    db.pool.acquire().await.expect("a connection")
}

async fn enqueue(db: &TestDb, job: &NewJob<'_>) -> Option<uuid::Uuid> {
    jobs::enqueue(&mut *conn(db).await, job, at(0))
        .await
        .expect("enqueued")
}

async fn take(db: &TestDb, worker: &str, now: DateTime<Utc>) -> Option<Job> {
    let kinds = ["read_evidence".to_owned()];
    jobs::take(&mut *conn(db).await, worker, &kinds, LEASE, now)
        .await
        .expect("asked")
}

async fn fail(
    db: &TestDb,
    job: &Job,
    worker: &str,
    wait: Option<u64>,
    now: DateTime<Utc>,
) -> Failed {
    let wait = wait.map(Duration::from_secs);
    jobs::fail(&mut *conn(db).await, job, worker, "no luck\0", wait, now)
        .await
        .expect("written")
}

#[tokio::test]
async fn a_job_is_taken_once_and_done_once() {
    let db = database().await;
    let id = enqueue(&db, &new(None)).await.expect("added");
    let job = take(&db, "a", at(1)).await.expect("a job");
    assert_eq!(
        (job.id, job.attempt, &job.payload),
        (id, 1, &json!({ "evidence": 7 }))
    );
    assert_eq!(take(&db, "b", at(1)).await, None);
    let mut c = conn(&db).await;
    assert!(
        !jobs::finish(&mut c, &job, "b", at(2)).await.expect("asked"),
        "not b's"
    );
    assert!(jobs::finish(&mut c, &job, "a", at(2)).await.expect("asked"));
    assert!(
        jobs::finish(&mut c, &job, "a", at(3)).await.expect("asked"),
        "again is harmless"
    );
    assert!(
        jobs::renew(&mut c, &job, "a", LEASE, at(3))
            .await
            .expect("asked"),
        "done is not lost"
    );
    assert_eq!(take(&db, "b", at(1000)).await, None);
}

#[tokio::test]
async fn a_job_of_a_transaction_that_is_rolled_back_never_was() {
    let db = database().await;
    let mut tx = db.pool.begin().await.expect("begun");
    jobs::enqueue(&mut tx, &new(None), at(0))
        .await
        .expect("enqueued");
    tx.rollback().await.expect("rolled back");
    assert_eq!(take(&db, "a", at(1)).await, None);
}

#[tokio::test]
async fn one_open_job_per_key() {
    let db = database().await;
    assert!(enqueue(&db, &new(Some("evidence-7"))).await.is_some());
    assert!(enqueue(&db, &new(Some("evidence-7"))).await.is_none());
    assert!(enqueue(&db, &new(Some("evidence-8"))).await.is_some());
    let job = take(&db, "a", at(1)).await.expect("a job");
    assert!(
        enqueue(&db, &new(Some("evidence-7"))).await.is_none(),
        "running counts as open"
    );
    assert!(
        jobs::finish(&mut *conn(&db).await, &job, "a", at(2))
            .await
            .expect("done")
    );
    assert!(
        enqueue(&db, &new(Some("evidence-7"))).await.is_some(),
        "done does not"
    );
}

#[tokio::test]
async fn jobs_come_in_the_order_they_are_due_and_not_before() {
    let db = database().await;
    let later = NewJob {
        run_after: at(50),
        ..new(None)
    };
    let (late, soon) = (enqueue(&db, &later).await, enqueue(&db, &new(None)).await);
    let kinds = ["read_evidence".to_owned()];
    assert_eq!(
        jobs::next_due(&mut *conn(&db).await, &kinds)
            .await
            .expect("asked"),
        Some(at(0))
    );
    assert_eq!(take(&db, "a", at(1)).await.map(|j| j.id), soon);
    assert_eq!(take(&db, "a", at(1)).await, None);
    assert_eq!(take(&db, "a", at(50)).await.map(|j| j.id), late);
}

#[tokio::test]
async fn other_kinds_are_left_alone() {
    let db = database().await;
    enqueue(
        &db,
        &NewJob {
            kind: "purge",
            ..new(None)
        },
    )
    .await;
    assert_eq!(take(&db, "a", at(1)).await, None);
}

#[tokio::test]
async fn a_lease_that_ends_passes_the_job_on_and_leaves_the_first_worker_without_rights() {
    let db = database().await;
    enqueue(&db, &new(None)).await;
    let first = take(&db, "a", at(0)).await.expect("a job");
    assert_eq!(take(&db, "b", at(60)).await, None, "the lease still holds");
    let mut c = conn(&db).await;
    assert!(
        jobs::renew(&mut c, &first, "a", LEASE, at(50))
            .await
            .expect("asked")
    );
    assert_eq!(take(&db, "b", at(61)).await, None, "it was renewed");
    let second = take(&db, "b", at(111)).await.expect("a job");
    assert_eq!((second.id, second.attempt), (first.id, 2));
    assert!(
        !jobs::renew(&mut c, &first, "a", LEASE, at(112))
            .await
            .expect("asked")
    );
    assert!(
        !jobs::finish(&mut c, &first, "a", at(112))
            .await
            .expect("asked")
    );
    assert_eq!(
        fail(&db, &first, "a", Some(1), at(112)).await,
        Failed::NotOurs
    );
    assert!(
        jobs::finish(&mut c, &second, "b", at(113))
            .await
            .expect("asked")
    );
}

#[tokio::test]
async fn a_job_that_keeps_failing_is_given_up_with_its_reason() {
    let db = database().await;
    let id = enqueue(&db, &new(None)).await.expect("added");
    for (n, expected) in [
        (0, Failed::Again),
        (100, Failed::Again),
        (200, Failed::Dead),
    ] {
        let job = take(&db, "a", at(n)).await.expect("a job");
        assert_eq!(fail(&db, &job, "a", Some(10), at(n)).await, expected);
        assert_eq!(
            take(&db, "a", at(n + 9)).await,
            None,
            "not before its wait is over"
        );
    }
    let dead = jobs::dead(&mut *conn(&db).await, 10).await.expect("listed");
    assert_eq!(dead.len(), 1);
    assert_eq!(
        (dead[0].id, dead[0].attempts, dead[0].last_error.as_str()),
        (id, 3, "no luck")
    );
    assert_eq!(dead[0].dead_at, at(200));
    assert_eq!(take(&db, "a", at(9999)).await, None);
    assert!(
        jobs::revive(&mut *conn(&db).await, id, at(300))
            .await
            .expect("asked")
    );
    assert_eq!(take(&db, "a", at(300)).await.map(|j| j.attempt), Some(1));
}

#[tokio::test]
async fn a_failure_for_good_is_not_tried_again() {
    let db = database().await;
    enqueue(&db, &new(None)).await;
    let job = take(&db, "a", at(0)).await.expect("a job");
    assert_eq!(fail(&db, &job, "a", None, at(1)).await, Failed::Dead);
}

#[tokio::test]
async fn a_job_that_kills_its_workers_is_given_up_too() {
    let db = database().await;
    let id = enqueue(&db, &new(None)).await;
    for n in 0..3 {
        assert!(take(&db, "a", at(n * 100)).await.is_some(), "attempt {n}");
    }
    assert_eq!(take(&db, "a", at(400)).await, None);
    let dead = jobs::dead(&mut *conn(&db).await, 10).await.expect("listed");
    assert_eq!(dead.first().map(|d| d.id), id);
    assert!(dead[0].last_error.contains("silent"));
}

#[tokio::test]
async fn a_job_handed_back_has_lost_no_attempt() {
    let db = database().await;
    enqueue(&db, &new(None)).await;
    let job = take(&db, "a", at(0)).await.expect("a job");
    jobs::hand_back(&mut *conn(&db).await, &job, "b")
        .await
        .expect("no effect");
    assert_eq!(take(&db, "b", at(1)).await, None, "not b's to hand back");
    jobs::hand_back(&mut *conn(&db).await, &job, "a")
        .await
        .expect("handed back");
    assert_eq!(take(&db, "b", at(1)).await.map(|j| j.attempt), Some(1));
}

#[tokio::test]
async fn many_workers_never_take_the_same_job() {
    let db = database().await;
    for _ in 0..20 {
        enqueue(&db, &new(None)).await;
    }
    let takes = (0..4).map(|n| {
        let (db, worker) = (&db, format!("worker-{n}"));
        async move {
            let mut taken = vec![];
            while let Some(job) = take(db, &worker, at(1)).await {
                taken.push(job.id);
            }
            taken
        }
    });
    let mut taken: Vec<_> = futures_util::future::join_all(takes).await.concat();
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), 20);
}

#[tokio::test]
async fn done_jobs_are_forgotten_after_a_while_and_open_ones_never() {
    let db = database().await;
    enqueue(&db, &new(None)).await;
    enqueue(&db, &new(None)).await;
    let job = take(&db, "a", at(0)).await.expect("a job");
    let mut c = conn(&db).await;
    assert!(jobs::finish(&mut c, &job, "a", at(5)).await.expect("done"));
    let day = TimeDelta::days(1);
    assert_eq!(jobs::forget_done(&mut c, at(5)).await.expect("asked"), 0);
    assert_eq!(
        jobs::forget_done(&mut c, at(5) + day).await.expect("asked"),
        1
    );
    assert!(take(&db, "a", at(0)).await.is_some());
}

#[tokio::test]
async fn the_database_refuses_a_kind_that_no_handler_can_have() {
    let db = database().await;
    let wrong = NewJob {
        kind: "Read Evidence",
        ..new(None)
    };
    let refused = jobs::enqueue(&mut *conn(&db).await, &wrong, at(0)).await;
    assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
}
