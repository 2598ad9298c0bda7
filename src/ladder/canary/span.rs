//! The stretch of time a canary is judged over: from its start to its end, or to now.

use super::CanaryEventKind as K;
use crate::ladder::change::Change;
use chrono::{DateTime, Utc};

/// From when to when, and when the candidate should have taken no traffic in between.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    /// Start.
    pub started: DateTime<Utc>,
    /// End, or the instant it is judged at.
    pub until: DateTime<Utc>,
    /// Whether it has ended.
    pub ended: bool,
    /// Stretches in which it was paused, or ended before it was extended.
    still: Vec<(DateTime<Utc>, DateTime<Utc>)>,
}

impl Span {
    /// The span of a change's canary until `until`; `None` before its start.
    pub fn of(change: &Change, until: DateTime<Utc>, ended: bool) -> Option<Self> {
        let started = change.canary.iter().find(|e| e.kind == K::Started)?.at;
        let mut still = Vec::new();
        let mut since = None;
        for e in &change.canary {
            match e.kind {
                K::Paused | K::Ended => since = since.or(Some(e.at)),
                K::Resumed | K::Extended => {
                    still.extend(since.take().map(|from| (from, e.at)));
                }
                _ => {}
            }
        }
        still.extend(since.filter(|s| *s < until).map(|from| (from, until)));
        Some(Self {
            started,
            until,
            ended,
            still,
        })
    }

    /// Seconds between two instants in which the candidate should have taken traffic.
    pub fn silent(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> i64 {
        if to <= from {
            return 0;
        }
        let out: i64 = self
            .still
            .iter()
            .map(|(a, b)| ((*b).min(to) - (*a).max(from)).num_seconds().max(0))
            .sum();
        (to - from).num_seconds() - out
    }
}
