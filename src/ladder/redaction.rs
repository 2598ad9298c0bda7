//! Redacted copies (lifecycle §9): whether a claim that rests on the original may rest on the copy
//! instead, or which signal the copy no longer has.

use super::case::CaseFile;
use super::condition::{Claim, Condition};
use super::evidence::Evidence;
use super::measure;
use super::{Arg, Sentence, Statistic};
use pel_evidence::Signal;
use std::collections::BTreeMap;

/// A claim in force that rests on the original of a copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Repoint {
    /// Which condition.
    pub condition: Condition,
    /// The claim on the copy, or everything that is gone from it or reads otherwise.
    pub claim: Result<Claim, Vec<Sentence>>,
}

/// What becomes of each claim in force that rests on the original of `copy`.
pub fn repoint(case: &CaseFile, copy: &Evidence) -> Vec<Repoint> {
    let original = copy
        .redaction
        .as_ref()
        .and_then(|r| case.item(r.original_id));
    let Some(original) = original else {
        return Vec::new();
    };
    Condition::ALL
        .iter()
        .filter_map(|condition| {
            let claim = &case.record(*condition)?.claim;
            let claim = pointed(case, claim, original, copy)?;
            Some(Repoint {
                condition: *condition,
                claim,
            })
        })
        .collect()
}

/// The claim on the copy; `None` when it does not rest on the original.
fn pointed(
    case: &CaseFile,
    claim: &Claim,
    original: &Evidence,
    copy: &Evidence,
) -> Option<Result<Claim, Vec<Sentence>>> {
    let mut gaps = Vec::new();
    let mut pointed = claim.clone();
    match &mut pointed {
        Claim::ReproducedBottleneck { limit_id, runs }
        | Claim::AcceptanceImpactVisible { limit_id, runs, .. } => {
            if !runs.contains(&original.run_id) {
                return None;
            }
            let limit = case.contract.as_ref().and_then(|v| v.limit(limit_id))?;
            let needed: Vec<&Signal> = read(original)
                .iter()
                .filter(|s| s.name == limit.signal && s.statistic == limit.statistic)
                .collect();
            if needed.is_empty() {
                return None;
            }
            for signal in needed {
                gaps.extend(gap(case, original, copy, &Wanted::of(signal), signal.value));
            }
        }
        Claim::OwnerLayerIdentified { cited, .. } => {
            let mut of_original = cited
                .iter_mut()
                .filter(|c| c.evidence_id == original.id)
                .peekable();
            of_original.peek()?;
            for citation in of_original {
                let wanted = Wanted {
                    name: &citation.signal,
                    statistic: citation.statistic,
                    labels: &citation.labels,
                };
                gaps.extend(gap(case, original, copy, &wanted, citation.value));
                citation.evidence_id = copy.id;
            }
        }
        Claim::RollbackThresholdDefined { .. } => return None,
    }
    Some(if gaps.is_empty() {
        Ok(pointed)
    } else {
        Err(gaps)
    })
}

struct Wanted<'a> {
    name: &'a str,
    statistic: Statistic,
    labels: &'a BTreeMap<String, String>,
}

impl<'a> Wanted<'a> {
    fn of(signal: &'a Signal) -> Self {
        Self {
            name: &signal.name,
            statistic: signal.statistic,
            labels: &signal.labels,
        }
    }
}

/// What was read from an item, whether it counts now or not: the original may be gone already.
fn read(item: &Evidence) -> &[Signal] {
    item.extraction.as_ref().map_or(&[], |x| &x.signals)
}

/// That the copy lacks a number, or has it otherwise.
fn gap(
    case: &CaseFile,
    original: &Evidence,
    copy: &Evidence,
    wanted: &Wanted<'_>,
    value: f64,
) -> Option<Sentence> {
    let found = copy.signals().iter().find(|s| {
        s.name == wanted.name && s.statistic == wanted.statistic && s.labels == *wanted.labels
    });
    let said = |key: &str| {
        Sentence::new(key)
            .text("evidence", copy.label())
            .text("original", original.label())
            .with("signal", Arg::Signal(wanted.name.to_owned()))
            .with("statistic", Arg::Statistic(wanted.statistic))
    };
    match found {
        None => Some(said("redaction-signal-gone")),
        Some(s) if !measure::agree_within(s.value, value, case.policy.reread_tolerance) => Some(
            said("redaction-signal-moved")
                .with("before", Arg::Value(value, s.unit))
                .with("after", Arg::Value(s.value, s.unit)),
        ),
        Some(_) => None,
    }
}
