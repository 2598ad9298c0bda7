//! The numbers of the policy: what an administrator may change, with a reason, and nothing else.
//!
//! Rules live in code; how many, how long and how far live here. A decision keeps the version it
//! was judged under.

use serde::{Deserialize, Serialize};

/// Numbers an administrator may change. One that a stored version does not name has its default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Policy {
    /// Version, from 1.
    pub version: i32,
    /// Least number of independent baseline runs that reproduce a bottleneck.
    pub repro_runs: usize,
    /// Greatest spread of the breaching statistic over them, as a share of the least.
    pub repro_spread: f64,
    /// Approvals of a canary needed from distinct people.
    pub canary_approvals: usize,
    /// Seconds an approval of a canary counts; after as many without a start it expires.
    pub approval_max_age_s: i64,
    /// Seconds after the end of a canary in which it may be promoted.
    pub promotion_max_age_s: i64,
    /// Seconds since a digest was last checked before it has to be checked again.
    pub integrity_max_age_s: i64,
    /// Seconds a promoted change is watched before it may be confirmed.
    pub watch_window_s: i64,
    /// Seconds a canary may stay paused before the app asks for a rollback.
    pub paused_max_s: i64,
    /// Seconds the watcher's word that they are present counts.
    pub presence_max_age_s: i64,
    /// Days ahead a hold may be set.
    pub hold_max_days: i64,
    /// Share by which a signal may move when a newer parser reads a file again.
    pub reread_tolerance: f64,
    /// Whether somebody who only attached evidence may approve: for teams of fewer than four.
    pub uploader_may_approve: bool,
    /// Whether a rollback needs one threshold on latency and one on acceptance or errors.
    pub thresholds_on_both: bool,
    /// Seconds an override may last.
    pub override_max_s: i64,
    /// Seconds a manager waits for a co-signature before going on alone.
    pub cosign_wait_s: i64,
    /// Working days in which an override is reviewed.
    pub review_working_days: i64,
    /// Seconds a break-glass reading of a confidential case lasts.
    pub confidential_read_s: i64,
    /// Least samples per arm and window for a p99.
    pub least_samples_p99: u64,
    /// Least samples per arm and window for a p95.
    pub least_samples_p95: u64,
    /// Least samples per arm and window for a median.
    pub least_samples_p50: u64,
    /// Days the bytes of metrics are kept.
    pub keep_metrics_days: i64,
    /// Days the bytes of sweeps are kept.
    pub keep_sweeps_days: i64,
    /// Days the bytes of traces are kept.
    pub keep_traces_days: i64,
    /// Days the bytes of everything else are kept: what nobody read, and attested sources.
    pub keep_other_days: i64,
    /// Most days bytes of a confidential case are kept, whatever their kind.
    pub keep_confidential_days: i64,
    /// Most days the original of a redacted copy is kept.
    pub keep_redacted_days: i64,
    /// Level of the tests and intervals of a comparison.
    pub alpha: f64,
    /// Replicates of a bootstrap.
    pub replicates: usize,
    /// Change to the worse that is tolerated where the contract names none: a share of the
    /// baseline, and for a share of a whole that part of the loss its limit allows.
    pub tolerated_change: f64,
}

const HOUR: i64 = 3600;

impl Default for Policy {
    fn default() -> Self {
        Self {
            version: 1,
            repro_runs: 2,
            repro_spread: 0.30,
            canary_approvals: 1,
            approval_max_age_s: 72 * HOUR,
            promotion_max_age_s: 24 * HOUR,
            integrity_max_age_s: 24 * HOUR,
            watch_window_s: 24 * HOUR,
            paused_max_s: 4 * HOUR,
            presence_max_age_s: 15 * 60,
            hold_max_days: 30,
            reread_tolerance: 0.01,
            uploader_may_approve: false,
            thresholds_on_both: true,
            override_max_s: 4 * HOUR,
            cosign_wait_s: 30 * 60,
            review_working_days: 2,
            confidential_read_s: HOUR,
            least_samples_p99: 1000,
            least_samples_p95: 200,
            least_samples_p50: 50,
            keep_metrics_days: 365,
            keep_sweeps_days: 365,
            keep_traces_days: 180,
            keep_other_days: 180,
            keep_confidential_days: 90,
            keep_redacted_days: 30,
            alpha: 0.05,
            replicates: 2000,
            tolerated_change: 0.10,
        }
    }
}
