//! Readings of one file by several parsers: which numbers moved, and what that does to what was
//! recorded on them.

use super::case::CaseFile;
use super::condition::{Claim, Record};
use super::measure;
use super::{Arg, Sentence};
use chrono::{DateTime, Utc};
use pel_evidence::{Bound, Signal, Statistic};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A number that another reading has otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// What it was.
    pub before: Signal,
    /// What it is; `None` when the reading has none.
    pub after: Option<Signal>,
}

/// A further reading of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reread {
    /// The item.
    pub evidence_id: Uuid,
    /// Version of the parser.
    pub parser: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Numbers that are not exactly what they were.
    pub moved: Vec<Moved>,
}

impl Moved {
    /// Whether it moved by more than this share, or no longer means the same.
    pub fn beyond(&self, tolerance: f64) -> bool {
        let Some(after) = &self.after else {
            return true;
        };
        let kind = |b: Bound| std::mem::discriminant(&b);
        self.before.unit != after.unit
            || self.before.scope != after.scope
            || kind(self.before.bound) != kind(after.bound)
            || !measure::agree_within(self.before.value, after.value, tolerance)
    }
}

type Key<'a> = (&'a str, Statistic, &'a BTreeMap<String, String>);

fn key(s: &Signal) -> Key<'_> {
    (&s.name, s.statistic, &s.labels)
}

/// The numbers of `before` that `after` has otherwise. What only `after` has is new, not moved.
pub fn moved(before: &[Signal], after: &[Signal]) -> Vec<Moved> {
    let now: BTreeMap<Key<'_>, &Signal> = after.iter().map(|s| (key(s), s)).collect();
    before
        .iter()
        .filter_map(|s| {
            let found = now.get(&key(s)).copied();
            (found != Some(s)).then(|| Moved {
                before: s.clone(),
                after: found.cloned(),
            })
        })
        .collect()
}

/// What readings made since a record was written say about it: what moved, and which items were
/// read again without any number of the record moving.
pub(super) fn since(case: &CaseFile, record: &Record) -> (Vec<Sentence>, Vec<Sentence>) {
    let mut stale = Vec::new();
    let mut unchanged: BTreeMap<Uuid, Sentence> = BTreeMap::new();
    for reread in case.rereads.iter().filter(|r| r.at > record.at) {
        let Some(item) = case.item(reread.evidence_id) else {
            continue;
        };
        if !rests_on(case, &record.claim, item.id, item.run_id) {
            continue;
        }
        let said = |key: &str| {
            Sentence::new(key)
                .text("evidence", item.label())
                .text("parser", &reread.parser)
        };
        let tolerance = case.policy.reread_tolerance;
        let before = stale.len();
        let beyond = reread
            .moved
            .iter()
            .filter(|m| cites(case, &record.claim, item.id, &m.before) && m.beyond(tolerance));
        for m in beyond {
            let key = if m.after.is_some() {
                "gate-reread-moved"
            } else {
                "gate-reread-gone"
            };
            let after = m.after.as_ref().map_or_else(
                || Arg::Key("gate-not-measured".to_owned()),
                |s| Arg::Value(s.value, s.unit),
            );
            stale.push(
                said(key)
                    .with("signal", Arg::Signal(m.before.name.clone()))
                    .with("statistic", Arg::Statistic(m.before.statistic))
                    .with("before", Arg::Value(m.before.value, m.before.unit))
                    .with("after", after),
            );
        }
        if stale.len() == before {
            unchanged.insert(item.id, said("gate-reread-unchanged"));
        }
    }
    (stale, unchanged.into_values().collect())
}

/// Whether a claim rests on an item.
fn rests_on(case: &CaseFile, claim: &Claim, item: Uuid, run: Uuid) -> bool {
    match claim {
        Claim::ReproducedBottleneck { runs, .. } | Claim::AcceptanceImpactVisible { runs, .. } => {
            runs.contains(&run) && case.contract.is_some()
        }
        Claim::OwnerLayerIdentified { cited, .. } => cited.iter().any(|c| c.evidence_id == item),
        Claim::RollbackThresholdDefined { .. } => false,
    }
}

/// Whether a claim rests on this number of an item.
fn cites(case: &CaseFile, claim: &Claim, item: Uuid, s: &Signal) -> bool {
    match claim {
        Claim::ReproducedBottleneck { limit_id, .. }
        | Claim::AcceptanceImpactVisible { limit_id, .. } => case
            .contract
            .as_ref()
            .and_then(|v| v.limit(limit_id))
            .is_some_and(|l| l.signal == s.name && l.statistic == s.statistic),
        Claim::OwnerLayerIdentified { cited, .. } => cited.iter().any(|c| {
            c.evidence_id == item
                && c.signal == s.name
                && c.statistic == s.statistic
                && c.labels == s.labels
        }),
        Claim::RollbackThresholdDefined { .. } => false,
    }
}
