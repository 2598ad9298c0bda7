//! One limit under the canary, from the runs beside it and from posted samples.

use super::Whole;
use super::series::{self, Judged, worse_by, worse_said};
use crate::ladder::compare::{Row, Side};
use crate::ladder::contract::Limit;
use crate::ladder::measure::{Verdict, about};
use crate::ladder::plan::CanaryPlan;
use crate::ladder::weigh::Weighed;
use crate::ladder::{Arg, Sentence};
use serde::{Deserialize, Serialize};

/// One limit under the canary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CanaryRow {
    /// The comparison's row: both arms, numbers, spread.
    pub row: Row,
    /// Its verdict.
    pub verdict: Whole,
    /// Why it is not a pass.
    pub reason: Option<Sentence>,
    /// Whether the plan asks for a pass of it.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub required: bool,
}

fn yes() -> bool {
    true
}

fn is_yes(required: &bool) -> bool {
    *required
}

/// A limit that the candidate breaks while the baseline arm breaks it too says nothing about the
/// change; one that the candidate keeps is a pass whatever the baseline does, since a baseline
/// that breaks it is what the case is about. A planned baseline arm must be measured as well, and
/// the candidate no worse than it by more than the margin.
pub(super) fn of_runs(row: Row, limit: &Limit, plan: &CanaryPlan) -> CanaryRow {
    let (verdict, reason) = match (&row.verdict, &row.baseline.verdict) {
        (Verdict::Holds, Some(Verdict::CannotTell(why))) => {
            (Whole::Inconclusive, Some(why.clone()))
        }
        (Verdict::Holds, None) if plan.concurrent_baseline => (
            Whole::Inconclusive,
            Some(about(Sentence::new("canary-no-baseline-for"), limit)),
        ),
        (Verdict::Holds, _) => match worse(&row, limit, plan) {
            Some(why) => (Whole::Fail, Some(why)),
            None => (Whole::Pass, None),
        },
        (Verdict::CannotTell(why), _) => (Whole::Inconclusive, Some(why.clone())),
        (Verdict::Breaks, Some(Verdict::Breaks)) => (
            Whole::Inconclusive,
            Some(about(Sentence::new("canary-baseline-also-broken"), limit)),
        ),
        // Worse than its baseline, though the limit itself is kept.
        (Verdict::Breaks, _) if row.why.is_some() => (Whole::Fail, row.why.clone()),
        (Verdict::Breaks, _) => {
            let value = row.candidate.value.map_or_else(
                || Arg::Key("gate-not-measured".to_owned()),
                |v| Arg::Value(v, row.unit),
            );
            (
                Whole::Fail,
                Some(about(Sentence::new("canary-breaks"), limit).with("value", value)),
            )
        }
    };
    CanaryRow {
        row,
        verdict,
        reason,
        required: true,
    }
}

fn worse(row: &Row, limit: &Limit, plan: &CanaryPlan) -> Option<Sentence> {
    let (b, c) = row.baseline.value.zip(row.candidate.value)?;
    let margin = plan.margin.filter(|_| plan.concurrent_baseline)?;
    let worse = worse_by(limit.comparator, b, c)?;
    (worse > margin).then(|| worse_said(limit, (b, c), margin))
}

/// The row of a limit that posted samples speak for.
pub(super) fn of_samples(judged: Judged, limit: &Limit) -> CanaryRow {
    let [candidate, baseline] = judged.arms;
    let difference = candidate.zip(baseline).map(|(c, b)| (c.worst, b.worst));
    let verdict = match (judged.whole, &judged.reason) {
        (Whole::Pass, _) => Verdict::Holds,
        (Whole::Inconclusive, Some(why)) => Verdict::CannotTell(why.clone()),
        _ if candidate.is_some_and(|c| c.breaks) => Verdict::Breaks,
        // It keeps the contract's limit and is worse than the baseline beside it.
        _ => Verdict::Holds,
    };
    let mut row = empty(limit, verdict);
    row.spread = candidate.map(|c| c.spread);
    row.candidate = series::side(limit, candidate);
    row.baseline = series::side(limit, baseline);
    row.difference_abs = difference.map(|(c, b)| c - b);
    row.difference_rel = difference
        .filter(|(_, b)| *b != 0.0)
        .map(|(c, b)| (c - b) / b.abs());
    CanaryRow {
        row,
        verdict: judged.whole,
        reason: judged.reason,
        required: true,
    }
}

/// The row of a limit that nothing speaks for.
pub(super) fn without_samples(limit: &Limit, key: &str) -> CanaryRow {
    let why = about(Sentence::new(key), limit);
    CanaryRow {
        row: empty(limit, Verdict::CannotTell(why.clone())),
        verdict: Whole::Inconclusive,
        reason: Some(why),
        required: true,
    }
}

fn empty(limit: &Limit, verdict: Verdict) -> Row {
    Row {
        limit_id: limit.id.clone(),
        signal: limit.signal.clone(),
        statistic: limit.statistic,
        class: limit.class.clone(),
        band: limit.band.clone(),
        comparator: limit.comparator,
        limit: limit.value,
        unit: limit.unit(),
        baseline: Side::default(),
        candidate: Side::default(),
        difference_abs: None,
        difference_rel: None,
        better: None,
        spread: None,
        verdict,
        why: None,
        weighed: Weighed::default(),
    }
}

/// Both sources of one limit: samples speak for it when there are any, and a run that fails it
/// fails it all the same.
pub(super) fn together(runs: Option<CanaryRow>, samples: Option<CanaryRow>) -> Option<CanaryRow> {
    match (runs, samples) {
        (Some(runs), Some(samples)) => Some(if runs.verdict == Whole::Fail {
            runs
        } else {
            samples
        }),
        (runs, samples) => samples.or(runs),
    }
}
