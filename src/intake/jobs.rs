//! The runner: takes jobs from the queue and hands each to the handler of its kind.
//!
//! It wakes when a job is enqueued anywhere, and looks by itself when no word comes. While a
//! handler works its lease is renewed; a lease that is lost stops the handler. A handler that
//! panics fails its job like one that returns an error; a job that keeps failing is given up with
//! the reason kept. On a stop, running jobs get a grace and are then handed back untouched.

use crate::store::{
    self,
    jobs::{self, Failed, Job},
};
use chrono::{DateTime, Utc};
use futures_util::{FutureExt as _, future::BoxFuture};
use sqlx::{PgConnection, PgPool};
use std::{
    any::Any, collections::HashMap, convert::Infallible, panic::AssertUnwindSafe, pin::pin,
    sync::Arc, time::Duration,
};
use thiserror::Error;
use tokio::{
    sync::Notify,
    task::JoinSet,
    time::{Instant, interval_at, sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

/// Reads the clock; given by the edge.
pub type Clock = fn() -> DateTime<Utc>;

/// Why a handler did not do its job.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JobError {
    /// Worth another attempt: the world was in the way.
    #[error("{0}")]
    Again(String),
    /// No attempt can succeed.
    #[error("{0}")]
    Never(String),
}

impl From<store::Error> for JobError {
    fn from(error: store::Error) -> Self {
        Self::Again(error.to_string())
    }
}

impl From<sqlx::Error> for JobError {
    fn from(error: sqlx::Error) -> Self {
        Self::Again(error.to_string())
    }
}

/// A job in a handler's hands.
#[derive(Debug, Clone)]
pub struct Held {
    /// The job.
    pub job: Job,
    worker: Arc<str>,
}

impl Held {
    /// Marks the job done in the transaction that writes its result. False: the lease was lost,
    /// and the transaction must be rolled back. A handler that returns `Ok` without this has its
    /// job marked done afterwards.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn finish(&self, conn: &mut PgConnection, now: DateTime<Utc>) -> store::Result<bool> {
        jobs::finish(conn, &self.job, &self.worker, now).await
    }
}

type Handler = Arc<dyn Fn(Held) -> BoxFuture<'static, Result<(), JobError>> + Send + Sync>;

/// How the runner works.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Jobs at once.
    pub at_once: usize,
    /// How long a job stays this worker's without a sign of life.
    pub lease: Duration,
    /// Longest time between two looks at the queue.
    pub poll: Duration,
    /// How long running jobs may go on after a stop.
    pub grace: Duration,
    /// Wait before the second attempt; it doubles with every further one.
    pub first_wait: Duration,
    /// Longest wait between two attempts.
    pub longest_wait: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            at_once: 2,
            lease: Duration::from_secs(60),
            poll: Duration::from_secs(15),
            grace: Duration::from_secs(20),
            first_wait: Duration::from_secs(5),
            longest_wait: Duration::from_secs(3600),
        }
    }
}

impl Settings {
    /// Wait after the failed attempt of this number, from 1.
    fn wait(&self, attempt: i32) -> Duration {
        let doublings = u32::try_from(attempt.saturating_sub(1))
            .unwrap_or(0)
            .min(30);
        let wait = self.first_wait.saturating_mul(1 << doublings);
        wait.min(self.longest_wait)
    }
}

/// Runs jobs until it is stopped.
pub struct Runner {
    pool: PgPool,
    worker: Arc<str>,
    clock: Clock,
    settings: Settings,
    handlers: HashMap<String, Handler>,
}

impl Runner {
    /// A runner without handlers. `worker` must be another name in every process, or two of them
    /// would take each other's leases for their own.
    pub fn new(pool: PgPool, worker: &str, clock: Clock, settings: Settings) -> Self {
        Self {
            pool,
            worker: worker.into(),
            clock,
            settings,
            handlers: HashMap::new(),
        }
    }

    /// Handles jobs of `kind`. A handler may be stopped at any await and run again for the same
    /// job, so what it does must be harmless to repeat.
    #[must_use]
    pub fn on<F, R>(mut self, kind: &str, handler: F) -> Self
    where
        F: Fn(Held) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        let handler: Handler = Arc::new(move |held| handler(held).boxed());
        self.handlers.insert(kind.to_owned(), handler);
        self
    }

    /// Works until `stop`, then for the grace; returns when nothing of its own runs any more.
    pub async fn run(self, stop: CancellationToken) {
        let runner = Arc::new(self);
        let kinds: Vec<String> = runner.handlers.keys().cloned().collect();
        let (wake, hard_stop) = (Notify::new(), CancellationToken::new());
        let mut running = JoinSet::new();
        let mut listening = pin!(runner.listen(&wake));
        while !stop.is_cancelled() {
            let pause = runner.fill(&mut running, &kinds, &hard_stop).await;
            let free = running.len() < runner.settings.at_once;
            tokio::select! {
                () = stop.cancelled() => break,
                never = &mut listening => match never {},
                _ = running.join_next(), if !running.is_empty() => {}
                () = wake.notified(), if free => {}
                () = sleep(pause), if free => {}
            }
        }
        let ended = async { while running.join_next().await.is_some() {} };
        if timeout(runner.settings.grace, ended).await.is_err() {
            hard_stop.cancel();
            while running.join_next().await.is_some() {}
        }
    }

    /// Takes jobs while there are hands free; how long to wait for the next.
    async fn fill(
        self: &Arc<Self>,
        running: &mut JoinSet<()>,
        kinds: &[String],
        hard_stop: &CancellationToken,
    ) -> Duration {
        while running.len() < self.settings.at_once {
            match self.take(kinds).await {
                Ok(Ok(job)) => {
                    let (runner, hard_stop) = (Arc::clone(self), hard_stop.clone());
                    running.spawn(async move { runner.work(job, &hard_stop).await });
                }
                Ok(Err(pause)) => return pause,
                Err(error) => {
                    warn!(%error, "the job queue cannot be read");
                    break;
                }
            }
        }
        self.settings.poll
    }

    /// A job, or how long until one is due.
    async fn take(&self, kinds: &[String]) -> store::Result<Result<Job, Duration>> {
        let (now, lease) = ((self.clock)(), self.settings.lease);
        let mut conn = self.pool.acquire().await?;
        if let Some(job) = jobs::take(&mut conn, &self.worker, kinds, lease, now).await? {
            return Ok(Ok(job));
        }
        let due = jobs::next_due(&mut conn, kinds).await?;
        let pause = due.map(|due| (due - now).to_std().unwrap_or_default());
        // A job that is due but locked by another worker is not waited for in a tight loop.
        let pause = pause
            .unwrap_or(self.settings.poll)
            .max(Duration::from_millis(50));
        Ok(Err(pause.min(self.settings.poll)))
    }

    /// Passes word of new jobs on, for as long as the runner lives.
    async fn listen(&self, wake: &Notify) -> Infallible {
        loop {
            match jobs::listener(&self.pool).await {
                Ok(mut listener) => loop {
                    // Also once at the start: what came before is not announced again.
                    wake.notify_one();
                    if let Err(error) = listener.recv().await {
                        warn!(%error, "no word of new jobs; looking by the clock");
                        break;
                    }
                },
                Err(error) => warn!(%error, "no word of new jobs; looking by the clock"),
            }
            sleep(self.settings.poll).await;
        }
    }

    /// Runs one job to its end, whatever that is.
    async fn work(&self, job: Job, hard_stop: &CancellationToken) {
        let Some(handler) = self.handlers.get(&job.kind) else {
            return;
        };
        let held = Held {
            job: job.clone(),
            worker: Arc::clone(&self.worker),
        };
        let handled = AssertUnwindSafe(async { handler(held).await }).catch_unwind();
        let result = tokio::select! {
            result = handled => result.unwrap_or_else(|panic| Err(JobError::Again(told(&*panic)))),
            () = self.keep_lease(&job) => {
                warn!(job = %job.id, kind = job.kind, "lease lost; the work was stopped");
                return;
            }
            () = hard_stop.cancelled() => {
                info!(job = %job.id, kind = job.kind, "stopped; the job is handed back");
                self.report(&job, self.hand_back(&job).await);
                return;
            }
        };
        let ended = match result {
            Ok(()) => self.finish(&job).await,
            Err(error) => self.fail(&job, &error).await,
        };
        self.report(&job, ended);
    }

    /// Renews the lease; returns when it is lost.
    async fn keep_lease(&self, job: &Job) {
        let lease = self.settings.lease;
        let mut tick = interval_at(Instant::now() + lease / 3, lease / 3);
        let mut good_until = Instant::now() + lease;
        loop {
            tick.tick().await;
            let asked = Instant::now();
            match timeout(lease / 3, self.renew(job)).await {
                Ok(Ok(true)) => good_until = asked + lease,
                Ok(Ok(false)) => return,
                // No answer is no loss until the lease is over.
                _ if Instant::now() >= good_until => return,
                _ => {}
            }
        }
    }

    async fn renew(&self, job: &Job) -> store::Result<bool> {
        let mut conn = self.pool.acquire().await?;
        let (lease, now) = (self.settings.lease, (self.clock)());
        jobs::renew(&mut conn, job, &self.worker, lease, now).await
    }

    async fn finish(&self, job: &Job) -> store::Result<()> {
        let mut conn = self.pool.acquire().await?;
        if !jobs::finish(&mut conn, job, &self.worker, (self.clock)()).await? {
            warn!(job = %job.id, kind = job.kind, "done, but the lease was lost before");
        }
        Ok(())
    }

    async fn fail(&self, job: &Job, failure: &JobError) -> store::Result<()> {
        let wait = match failure {
            JobError::Again(_) => Some(self.settings.wait(job.attempt)),
            JobError::Never(_) => None,
        };
        let (now, reason) = ((self.clock)(), failure.to_string());
        let mut conn = self.pool.acquire().await?;
        match jobs::fail(&mut conn, job, &self.worker, &reason, wait, now).await? {
            Failed::Dead => error!(job = %job.id, kind = job.kind, %failure, "job given up"),
            Failed::Again => warn!(job = %job.id, kind = job.kind, %failure, "attempt failed"),
            Failed::NotOurs => warn!(job = %job.id, kind = job.kind, "failed without its lease"),
        }
        Ok(())
    }

    async fn hand_back(&self, job: &Job) -> store::Result<()> {
        let mut conn = self.pool.acquire().await?;
        jobs::hand_back(&mut conn, job, &self.worker).await
    }

    /// What cannot be written is left to the lease, which ends.
    fn report(&self, job: &Job, written: store::Result<()>) {
        if let Err(error) = written {
            error!(job = %job.id, kind = job.kind, %error, "the job's end could not be written");
        }
    }
}

/// The words of a panic.
fn told(panic: &(dyn Any + Send)) -> String {
    let words = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the handler broke: {}", words.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let settings = Settings::default();
        let seconds = |attempt| settings.wait(attempt).as_secs();
        assert_eq!(
            [seconds(1), seconds(2), seconds(3), seconds(10)],
            [5, 10, 20, 2560]
        );
        assert_eq!([seconds(11), seconds(100), seconds(0)], [3600, 3600, 5]);
    }
}
