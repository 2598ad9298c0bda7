//! The clock of the story: the examples happened in the days before they are loaded, and the
//! reader's results are stamped with the story's time too, so that the log stays in order.
//!
//! The runner takes a plain function for a clock, hence the one place in memory; [`turn`] lets one
//! story at a time have it.

use chrono::{DateTime, Utc};
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::sync::{Mutex, MutexGuard};

static MICROS: AtomicI64 = AtomicI64::new(0);
static TURN: Mutex<()> = Mutex::const_new(());

/// Waits until no other story is being told in this process.
pub(super) async fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().await
}

/// Moves the story to `at`.
pub(super) fn set(at: DateTime<Utc>) {
    MICROS.store(at.timestamp_micros(), Ordering::Relaxed);
}

/// The story's time.
pub(super) fn now() -> DateTime<Utc> {
    DateTime::from_timestamp_micros(MICROS.load(Ordering::Relaxed)).unwrap_or_default()
}
