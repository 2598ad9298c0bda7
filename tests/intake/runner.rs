//! The runner on a real database: wakes, retries, survives its handlers, stops in order.

use crate::common::{TestDb, database};
use chrono::{DateTime, Utc};
use pel::{
    intake::jobs::{JobError, Runner, Settings},
    store::jobs::{self, NewJob},
};
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{sync::mpsc, task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

#[allow(clippy::disallowed_methods)] // the test is the edge here
fn now() -> DateTime<Utc> {
    Utc::now()
}

/// Never looks by itself within a test, so that only word of a job wakes it.
fn settings() -> Settings {
    Settings {
        poll: Duration::from_secs(60),
        first_wait: Duration::from_millis(20),
        grace: Duration::from_millis(300),
        ..Settings::default()
    }
}

async fn enqueue(db: &TestDb, payload: serde_json::Value, max_attempts: i32) {
    let job = NewJob {
        kind: "work",
        payload,
        once_key: None,
        run_after: now(),
        max_attempts,
    };
    let mut conn = db.pool.acquire().await.expect("a connection");
    jobs::enqueue(&mut conn, &job, now())
        .await
        .expect("enqueued");
}

fn start(runner: Runner) -> (CancellationToken, JoinHandle<()>) {
    let stop = CancellationToken::new();
    (stop.clone(), tokio::spawn(runner.run(stop)))
}

async fn open_jobs(db: &TestDb) -> i64 {
    let sql = "select count(*) from job where done_at is null and dead_at is null";
    sqlx::query_scalar(sql)
        .fetch_one(&db.pool)
        .await
        .expect("counted")
}

/// Waits until the condition holds, five seconds at most.
async fn until<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    let began = Instant::now();
    while !holds().await {
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "it did not come to pass"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_new_job_wakes_the_runner_and_a_stop_ends_it() {
    let db = database().await;
    let (heard, mut hear) = mpsc::channel(10);
    let runner = Runner::new(db.pool.clone(), "w", now, settings()).on("work", move |held| {
        let heard = heard.clone();
        async move {
            heard
                .send(held.job.payload)
                .await
                .map_err(|e| JobError::Never(e.to_string()))
        }
    });
    let (stop, running) = start(runner);
    for n in 0..3 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        enqueue(&db, json!(n), 3).await;
        let payload = timeout(Duration::from_secs(5), hear.recv())
            .await
            .expect("woken");
        assert_eq!(payload, Some(json!(n)));
    }
    until(|| async { open_jobs(&db).await == 0 }).await;
    stop.cancel();
    timeout(Duration::from_secs(5), running)
        .await
        .expect("ended")
        .expect("in order");
}

#[tokio::test]
async fn a_handler_that_fails_or_breaks_is_tried_again_and_then_given_up() {
    let db = database().await;
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let runner = Runner::new(db.pool.clone(), "w", now, settings()).on("work", move |held| {
        let n = counted.fetch_add(1, Ordering::SeqCst);
        async move {
            match held.job.payload.as_str() {
                Some("never") => Err(JobError::Never("hopeless".to_owned())),
                _ if n.is_multiple_of(2) => panic!("broke at {n}"),
                _ => Err(JobError::Again("not yet".to_owned())),
            }
        }
    });
    let (stop, running) = start(runner);
    enqueue(&db, json!("again"), 4).await;
    until(|| async { open_jobs(&db).await == 0 }).await;
    assert_eq!(calls.load(Ordering::SeqCst), 4);
    enqueue(&db, json!("never"), 4).await;
    until(|| async { open_jobs(&db).await == 0 }).await;
    assert_eq!(calls.load(Ordering::SeqCst), 5);
    let mut conn = db.pool.acquire().await.expect("a connection");
    let dead = jobs::dead(&mut conn, 10).await.expect("listed");
    let reasons: Vec<_> = dead.iter().map(|d| d.last_error.as_str()).collect();
    assert_eq!(reasons, ["hopeless", "not yet"]);
    stop.cancel();
    running.await.expect("the runner outlives its handlers");
}

#[tokio::test]
async fn no_more_than_the_set_number_run_at_once() {
    let db = database().await;
    let (now_running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for n in 0..6 {
        enqueue(&db, json!(n), 3).await;
    }
    let seen = Arc::clone(&most);
    let runner = Runner::new(db.pool.clone(), "w", now, settings()).on("work", move |_| {
        let (running, most) = (Arc::clone(&now_running), Arc::clone(&seen));
        async move {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(30)).await;
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        }
    });
    let (stop, running) = start(runner);
    until(|| async { open_jobs(&db).await == 0 }).await;
    assert_eq!(most.load(Ordering::SeqCst), 2);
    stop.cancel();
    running.await.expect("in order");
}

#[tokio::test]
async fn a_stop_lets_short_work_end_and_hands_long_work_back() {
    let db = database().await;
    enqueue(&db, json!("short"), 3).await;
    enqueue(&db, json!("long"), 3).await;
    let (started, mut starts) = mpsc::channel(10);
    let runner = Runner::new(db.pool.clone(), "w", now, settings()).on("work", move |held| {
        let started = started.clone();
        async move {
            let _ = started.send(()).await;
            let long = held.job.payload == json!("long");
            let time = if long {
                Duration::from_secs(60)
            } else {
                Duration::from_millis(100)
            };
            tokio::time::sleep(time).await;
            Ok(())
        }
    });
    let (stop, running) = start(runner);
    starts.recv().await;
    starts.recv().await;
    stop.cancel();
    timeout(Duration::from_secs(5), running)
        .await
        .expect("ended")
        .expect("in order");
    let sql = "select payload #>> '{}', done_at is not null, attempts, leased_by is null from job order by 1";
    let rows: Vec<(String, bool, i32, bool)> = sqlx::query_as(sql)
        .fetch_all(&db.pool)
        .await
        .expect("listed");
    assert_eq!(
        rows,
        [
            ("long".to_owned(), false, 0, true),
            ("short".to_owned(), true, 1, true)
        ]
    );
}

#[tokio::test]
async fn work_longer_than_the_lease_keeps_it_and_a_lost_lease_stops_the_work() {
    let db = database().await;
    let settings = Settings {
        lease: Duration::from_millis(300),
        ..settings()
    };
    let (told, mut hear) = mpsc::channel(10);
    let runner = Runner::new(db.pool.clone(), "w", now, settings).on("work", move |held| {
        let told = told.clone();
        async move {
            let time = held.job.payload.as_u64().unwrap_or_default();
            let _ = told.send("started").await;
            tokio::time::sleep(Duration::from_millis(time)).await;
            let _ = told.send("ended").await;
            Ok(())
        }
    });
    let (stop, running) = start(runner);
    enqueue(&db, json!(900), 1).await;
    assert_eq!(hear.recv().await, Some("started"));
    tokio::time::sleep(Duration::from_millis(600)).await;
    let kinds = ["work".to_owned()];
    let mut conn = db.pool.acquire().await.expect("a connection");
    let stolen = jobs::take(&mut conn, "thief", &kinds, Duration::from_secs(60), now()).await;
    assert_eq!(stolen.expect("asked"), None, "the lease was renewed");
    assert_eq!(hear.recv().await, Some("ended"));
    until(|| async { open_jobs(&db).await == 0 }).await;

    enqueue(&db, json!(2000), 2).await;
    assert_eq!(hear.recv().await, Some("started"));
    let steal = "update job set leased_by = 'thief', attempts = 2, lease_until = now() + interval '1 hour' where done_at is null";
    sqlx::query(steal).execute(&db.pool).await.expect("stolen");
    let more = timeout(Duration::from_millis(2500), hear.recv()).await;
    assert!(
        more.is_err(),
        "the work went on without its lease: {more:?}"
    );
    stop.cancel();
    running.await.expect("in order");
}

#[tokio::test]
async fn a_handler_finishes_its_job_in_the_transaction_of_its_result() {
    let db = database().await;
    let pool = db.pool.clone();
    let runner = Runner::new(db.pool.clone(), "w", now, settings()).on("work", move |held| {
        let pool = pool.clone();
        async move {
            let mut tx = pool.begin().await?;
            if held.finish(&mut tx, now()).await? {
                tx.commit().await?;
            }
            Ok(())
        }
    });
    let (stop, running) = start(runner);
    enqueue(&db, json!(1), 1).await;
    until(|| async { open_jobs(&db).await == 0 }).await;
    stop.cancel();
    running.await.expect("in order");
    let mut conn = db.pool.acquire().await.expect("a connection");
    assert_eq!(jobs::dead(&mut conn, 1).await.expect("listed"), []);
}
