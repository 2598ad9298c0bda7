//! "Keep only if it improved": two sweeps of the same service, one knob apart.
//!
//! Two changes decide: throughput at the budget, and the tail at the load of the contract. What
//! does not rise above the noise is no improvement.

use super::analysis::{OperatingPoint, Point, operating_point};

/// What a comparison of two sweeps needs to know beside them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// Limit of the tail, in seconds.
    pub budget: f64,
    /// Load of the contract.
    pub contract_load: f64,
    /// Noise floor as a share: at least 0.05, or the spread of repeats; 0.10 without repeats.
    pub noise: f64,
    /// Whether the configurations differ in exactly one knob.
    pub one_knob: bool,
    /// Whether every point of the first sweep was stable.
    pub before_stable: bool,
    /// Whether every point of the second sweep was stable.
    pub after_stable: bool,
}

/// What to do with the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// One of the two got better beyond the noise, the other not worse.
    Keep,
    /// One of the two got worse beyond the noise, the other not better.
    Revert,
    /// One better, one worse: needs a person and a reason.
    TradeOff,
    /// Nothing beyond the noise: the change is not kept.
    Inconclusive,
    /// The sweeps may not be compared.
    Invalid,
}

impl Verdict {
    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Revert => "revert",
            Self::TradeOff => "trade_off",
            Self::Inconclusive => "inconclusive",
            Self::Invalid => "invalid",
        }
    }
}

/// Why two sweeps may not be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The configurations do not differ in exactly one knob.
    NotOneKnob,
    /// An unstable point in the first sweep.
    UnstableBefore,
    /// An unstable point in the second sweep.
    UnstableAfter,
    /// No point of one of the sweeps is within the budget.
    BudgetNotReached,
    /// One of the sweeps did not measure the load of the contract, or its tail.
    LoadNotMeasured,
}

/// Two sweeps compared. Changes are shares: 0.1 is a tenth more.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What to do.
    pub verdict: Verdict,
    /// Why not, when invalid.
    pub reasons: Vec<Reason>,
    /// Operating point of the first sweep at the budget.
    pub before: Option<OperatingPoint>,
    /// Operating point of the second sweep at the budget.
    pub after: Option<OperatingPoint>,
    /// Change of throughput at the budget.
    pub throughput_change: Option<f64>,
    /// Change of the tail at the load of the contract.
    pub tail_change: Option<f64>,
}

/// Compares two sweeps.
pub fn compare(before: &[Point], after: &[Point], terms: &Terms) -> Comparison {
    let points = [before, after].map(|p| operating_point(p, Some(terms.budget)));
    let throughput = both(points.map(|p| p.map(|p| p.best.throughput)));
    let tail = both([before, after].map(|p| tail_at(p, terms.contract_load)));
    let reasons: Vec<Reason> = [
        (!terms.one_knob, Reason::NotOneKnob),
        (!terms.before_stable, Reason::UnstableBefore),
        (!terms.after_stable, Reason::UnstableAfter),
        (throughput.is_none(), Reason::BudgetNotReached),
        (tail.is_none(), Reason::LoadNotMeasured),
    ]
    .into_iter()
    .filter_map(|(applies, reason)| applies.then_some(reason))
    .collect();
    let verdict = match (throughput, tail) {
        (Some(x), Some(l)) if reasons.is_empty() => judge(x, l, terms.noise),
        _ => Verdict::Invalid,
    };
    Comparison {
        verdict,
        reasons,
        before: points[0],
        after: points[1],
        throughput_change: throughput,
        tail_change: tail,
    }
}

fn judge(throughput: f64, tail: f64, noise: f64) -> Verdict {
    let better = throughput > noise || tail < -noise;
    let worse = throughput < -noise || tail > noise;
    match (better, worse) {
        (true, true) => Verdict::TradeOff,
        (true, false) => Verdict::Keep,
        (false, true) => Verdict::Revert,
        (false, false) => Verdict::Inconclusive,
    }
}

/// The worst tail measured at a load: a load measured twice counts as its slower run.
fn tail_at(points: &[Point], load: f64) -> Option<f64> {
    points
        .iter()
        .filter(|p| p.load == load)
        .filter_map(|p| p.tail)
        .reduce(f64::max)
}

/// Relative change from the first to the second, when both are there and the first is not zero.
fn both([before, after]: [Option<f64>; 2]) -> Option<f64> {
    let before = before.filter(|b| *b > 0.0)?;
    Some((after? - before) / before)
}
