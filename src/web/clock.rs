//! The one place where the web reads the clock; everything behind it takes `now`.

use chrono::{DateTime, Utc};
use std::sync::Arc;

/// Where the time comes from: the machine's clock in service, a fixed time in tests.
pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// The machine's clock.
#[allow(clippy::disallowed_methods, reason = "this is the edge that reads it")]
pub fn system() -> Clock {
    Arc::new(Utc::now)
}
