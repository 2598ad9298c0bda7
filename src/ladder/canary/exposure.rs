//! How much of production a canary has seen, against what its plan allows. Beyond the plan it has
//! failed, however good its numbers are.

use super::sample::{Arm, Kept};
use super::{CanaryEvent, CanaryEventKind as K};
use crate::ladder::change::Change;
use crate::ladder::plan::CanaryPlan;
use crate::ladder::{Arg, Sentence, Unit};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What was exposed so far. A number nobody stated is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exposure {
    /// Requests the candidate took: at least so many.
    pub requests: Option<u64>,
    /// Greatest share of traffic it took, 0–1.
    pub share: Option<f64>,
    /// Seconds since the start; time paused counts.
    pub seconds: i64,
    /// When the newest window of the candidate ended.
    pub newest: Option<DateTime<Utc>>,
}

/// The exposure from the start until `until`, by what had come by then.
pub fn exposure(change: &Change, until: DateTime<Utc>) -> Option<Exposure> {
    let started = change.canary.iter().find(|e| e.kind == K::Started)?;
    let posted: Vec<&Kept> = change
        .samples
        .iter()
        .filter(|k| k.sample.arm == Arm::Candidate && k.at <= until)
        .collect();
    let stated: Vec<&CanaryEvent> = change.canary.iter().filter(|e| e.at <= until).collect();
    let share = posted
        .iter()
        .filter_map(|k| k.sample.share)
        .chain(stated.iter().filter_map(|e| e.share))
        // A share that is no number was not kept under any ceiling.
        .reduce(|a, b| if a.is_nan() || a > b { a } else { b });
    Some(Exposure {
        requests: requests(&posted)
            .into_iter()
            .chain(stated.iter().filter_map(|e| e.requests))
            .max(),
        share,
        seconds: (until - started.at).num_seconds(),
        newest: posted.iter().map(|k| k.sample.ends_at).max(),
    })
}

/// Requests by window.
type ByWindow = BTreeMap<(DateTime<Utc>, DateTime<Utc>), u64>;

/// How a sample is broken down; totals of two ways of counting are never added.
type Key<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

/// Requests behind the samples: at least as many as any way of counting them gives.
fn requests(posted: &[&Kept]) -> Option<u64> {
    let mut groups: BTreeMap<Key<'_>, ByWindow> = BTreeMap::new();
    for k in posted {
        let s = &k.sample;
        let Some(n) = s.requests else { continue };
        let key = (s.class.as_deref(), s.band.as_deref(), s.region.as_deref());
        let window = groups
            .entry(key)
            .or_default()
            .entry((s.starts_at, s.ends_at))
            .or_default();
        // Several signals of one window count the same requests.
        *window = n.max(*window);
    }
    let mut ways: BTreeMap<(bool, bool, bool), u64> = BTreeMap::new();
    for ((class, band, region), windows) in &groups {
        let way = (class.is_some(), band.is_some(), region.is_some());
        let total = ways.entry(way).or_default();
        *total = total.saturating_add(apart(windows));
    }
    ways.into_values().max()
}

/// The most that windows apart from each other sum to: of overlapping ones either counts.
fn apart(windows: &BTreeMap<(DateTime<Utc>, DateTime<Utc>), u64>) -> u64 {
    let mut by_end: Vec<_> = windows.iter().map(|((a, b), n)| (*b, *a, *n)).collect();
    by_end.sort();
    let mut best: Vec<u64> = vec![0];
    for (i, (_, from, n)) in by_end.iter().enumerate() {
        let before = by_end[..i].partition_point(|(end, _, _)| end <= from);
        let with = best[before].saturating_add(*n);
        best.push(with.max(best[i]));
    }
    best.last().copied().unwrap_or(0)
}

/// What went beyond the plan; any of it fails the canary even when all numbers are good. An end
/// that the program notices within `slack` seconds of the longest duration is not beyond it.
pub(super) fn beyond(
    change: &Change,
    plan: &CanaryPlan,
    exposure: &Exposure,
    until: DateTime<Utc>,
    slack: i64,
) -> Vec<Sentence> {
    let mut found = Vec::new();
    if let (Some(share), Some(ceiling)) = (exposure.share, plan.share_ceiling)
        && (share.is_nan() || share > ceiling + 1e-9)
    {
        found.push(
            Sentence::new("canary-share-exceeded")
                .with("share", Arg::Value(share, Unit::Ratio))
                .with("ceiling", Arg::Value(ceiling, Unit::Ratio)),
        );
    }
    if let (Some(requests), Some(most)) = (exposure.requests, plan.max_requests)
        && requests > most
    {
        found.push(
            Sentence::new("canary-requests-exceeded")
                .with("requests", Arg::Count(requests))
                .with("most", Arg::Count(most)),
        );
    }
    if let Some(most) = plan.max_seconds
        && exposure.seconds > i64::from(most) + slack
    {
        found.push(
            Sentence::new("canary-time-exceeded")
                .with("took", Arg::Value(exposure.seconds as f64, Unit::Seconds))
                .with("most", Arg::Value(f64::from(most), Unit::Seconds)),
        );
    }
    found.extend(outside(change, plan, until));
    found
}

/// Classes and regions that took traffic without being in the plan.
fn outside(change: &Change, plan: &CanaryPlan, until: DateTime<Utc>) -> Vec<Sentence> {
    let (mut classes, mut regions) = (BTreeSet::new(), BTreeSet::new());
    for k in change.samples.iter().filter(|k| k.at <= until) {
        let s = &k.sample;
        if s.arm != Arm::Candidate || s.requests == Some(0) {
            continue;
        }
        if let Some(class) = s.class.as_deref().filter(|c| !plan.includes(c)) {
            classes.insert(class);
        }
        if let Some(region) = s.region.as_deref()
            && !plan.regions.is_empty()
            && !plan.regions.iter().any(|r| r == region)
        {
            regions.insert(region);
        }
    }
    let class = |c: &str| Sentence::new("canary-class-exceeded").text("class", c);
    let region = |r: &str| Sentence::new("canary-region-exceeded").text("region", r);
    classes
        .into_iter()
        .map(class)
        .chain(regions.into_iter().map(region))
        .collect()
}
