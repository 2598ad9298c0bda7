//! What a plan risks at worst: how long the candidate is in service after it has gone wrong, and
//! how many requests it takes in that time.

use crate::ladder::change::Terms;
use crate::ladder::contract::Terms as ContractTerms;

/// The worst case of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worst {
    /// Seconds until the threshold that notices last has triggered.
    pub notice_seconds: u64,
    /// Seconds from there until the old value is back.
    pub back_seconds: u64,
    /// Requests exposed in that time, from the arrival rate the contract declares and the ceiling
    /// of the share. `None` = the contract declares no rate.
    pub requests: Option<u64>,
}

impl Worst {
    /// Seconds altogether.
    pub fn seconds(&self) -> u64 {
        self.notice_seconds + self.back_seconds
    }
}

/// The worst case of a plan: evaluation interval times the windows in a row that trigger, and the
/// time the rollback takes. `None` while the plan does not say enough.
pub fn worst_case(terms: &Terms, contract: &ContractTerms) -> Option<Worst> {
    let back = terms.rollback_seconds.filter(|s| *s > 0)?;
    let notice = terms
        .thresholds
        .iter()
        .map(|t| {
            // A threshold is looked at once per interval, and never before its window is full.
            let window = t.window_seconds.filter(|w| *w > 0)?;
            let step = u64::from(terms.plan.interval_seconds.unwrap_or(window).max(window));
            Some(step * u64::from(t.consecutive.max(1)))
        })
        .collect::<Option<Vec<u64>>>()?
        .into_iter()
        .max()?;
    let seconds = notice + u64::from(back);
    let requests = contract
        .load
        .arrival_per_second
        .zip(terms.plan.share_ceiling)
        .map(|((_, most), share)| (most * share * seconds as f64 - 1e-6).ceil() as u64);
    Some(Worst {
        notice_seconds: notice,
        back_seconds: u64::from(back),
        requests,
    })
}
