//! Two sweeps over load: throughput against tail, the operating point within the budget, and
//! whether the change is kept, reverted or neither.

use super::super::contract::{Comparator, Limit, LimitPhase};
use super::super::view::{LOAD, RunView, View};
use pel_evidence::perf_analyzer::{analysis, compare};
use pel_evidence::{Bound, Signal, Statistic, Unit};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Rates that a sweep is measured by, the first that is there.
const RATES: [&str; 2] = ["inference_throughput", "request_throughput"];
/// Share below which a difference is noise, with one run per side.
const NOISE: f64 = 0.10;

/// One side's sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Label of the run.
    pub run: String,
    /// Points by load: load, throughput per second, tail in the limit's unit.
    pub points: Vec<(f64, f64, Option<f64>)>,
    /// The point of most throughput within the budget: load, throughput, tail.
    pub operating: Option<(f64, f64, Option<f64>)>,
}

/// Both sides' sweeps against one latency limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Swept {
    /// The limit that is the budget of the tail.
    pub limit_id: String,
    /// Its signal.
    pub signal: String,
    /// Its statistic.
    pub statistic: Statistic,
    /// The budget, base unit.
    pub budget: f64,
    /// Unit of budget and tails.
    pub unit: Unit,
    /// Load of the contract at which the tails are compared: the highest measured on both sides
    /// inside a band.
    pub contract_load: Option<f64>,
    /// The service as it stands.
    pub baseline: Curve,
    /// The service with the change.
    pub candidate: Curve,
    /// `keep`, `revert`, `trade_off`, `inconclusive` or `invalid`.
    pub verdict: String,
    /// Why it is invalid: stable ids.
    pub reasons: Vec<String>,
    /// Change of throughput at the budget, as a share.
    pub throughput_change: Option<f64>,
    /// Change of the tail at the contract's load, as a share.
    pub tail_change: Option<f64>,
    /// Share below which a difference is noise.
    pub noise: f64,
}

/// The sweeps of a comparison, one entry per latency percentile limit that both sides swept.
/// `one_knob`: the environments differ in declared facts only, and in at least one.
pub fn sweeps(
    view: &View<'_>,
    baseline: &[&RunView<'_>],
    candidate: &[&RunView<'_>],
    one_knob: bool,
) -> Vec<Swept> {
    let Some(terms) = view.terms() else {
        return Vec::new();
    };
    let budgets = terms.limits.iter().filter(|l| {
        l.phase == LimitPhase::Warm
            && l.comparator == Comparator::AtMost
            && l.statistic.quantile().is_some()
    });
    budgets
        .filter_map(|limit| {
            let last = |side: &[&RunView<'_>]| {
                let mut swept = side
                    .iter()
                    .rev()
                    .filter_map(|r| Some((r.run.label(), side_of(r, limit)?)));
                swept.next()
            };
            let (b, c) = (last(baseline)?, last(candidate)?);
            let loads = |s: &Side| s.points.iter().map(|p| p.load).collect::<Vec<_>>();
            let other = loads(&c.1);
            let contract_load = loads(&b.1)
                .into_iter()
                .filter(|l| other.contains(l))
                .filter(|l| {
                    let inside = |b: &super::super::contract::Band| {
                        *l >= f64::from(b.min) && *l <= f64::from(b.max)
                    };
                    terms.bands.iter().any(inside)
                })
                .reduce(f64::max);
            Some(swept(limit, b, c, contract_load, one_knob))
        })
        .collect()
}

struct Side {
    points: Vec<analysis::Point>,
    stable: bool,
}

fn side_of(run: &RunView<'_>, limit: &Limit) -> Option<Side> {
    let rate = RATES.into_iter().find(|name| {
        run.values(name, Statistic::Rate)
            .any(|(_, s)| load_of(s).is_some())
    })?;
    let rates = run.values(rate, Statistic::Rate).map(|(e, s)| (e.id, s));
    let tails = run.values(&limit.signal, limit.statistic);
    let tails: Vec<_> = tails.map(|(e, s)| (e.id, s)).collect();
    side(rates, &tails)
}

/// The load point a signal speaks for.
fn load_of(signal: &Signal) -> Option<f64> {
    signal.labels.get(LOAD).and_then(|l| l.parse::<f64>().ok())
}

/// Rates and tails of the same item at the same load as points. `None` below two tails.
fn side<'s>(
    rates: impl Iterator<Item = (Uuid, &'s Signal)>,
    tails: &[(Uuid, &Signal)],
) -> Option<Side> {
    let mut stable = true;
    let mut points: Vec<analysis::Point> = Vec::new();
    for (item, s) in rates {
        let Some(at) = load_of(s) else { continue };
        let tail = tails
            .iter()
            .find(|(e, t)| *e == item && load_of(t) == Some(at));
        stable &= tail.is_none_or(|(_, t)| t.bound != Bound::AtLeast);
        points.push(analysis::Point {
            load: at,
            throughput: s.value,
            tail: tail.map(|(_, t)| t.value),
            mean: None,
        });
    }
    points.sort_by(|a, b| a.load.total_cmp(&b.load));
    let tails = points.iter().filter(|p| p.tail.is_some()).count();
    (tails >= 2).then_some(Side { points, stable })
}

/// One sweep against a latency limit, for looking at it.
#[derive(Debug, Clone, PartialEq)]
pub struct Alone {
    /// The points and the point of most throughput within the budget; none where the limit of a
    /// point is not known to hold (an unstable row, a rate that was missed).
    pub curve: Curve,
    /// Load of the knee, where the shape of the sweep has one.
    pub knee: Option<f64>,
}

/// The sweep that one item's signals are, if they are one.
pub fn alone(signals: &[Signal], limit: &Limit) -> Option<Alone> {
    let of = |name: &str, statistic: Statistic| {
        let name = name.to_owned();
        signals
            .iter()
            .filter(move |s| s.name == name && s.statistic == statistic && load_of(s).is_some())
    };
    let rate = RATES
        .into_iter()
        .find(|name| of(name, Statistic::Rate).next().is_some())?;
    let tails: Vec<_> = of(&limit.signal, limit.statistic)
        .map(|s| (Uuid::nil(), s))
        .collect();
    let side = side(of(rate, Statistic::Rate).map(|s| (Uuid::nil(), s)), &tails)?;
    let point = |p: &analysis::Point| (p.load, p.throughput, p.tail);
    let operating = side
        .stable
        .then(|| analysis::operating_point(&side.points, Some(limit.value)))
        .flatten();
    let knee = analysis::shape(&side.points)
        .filter(|shape| shape.can_have_knee())
        .and_then(|_| analysis::kneedle(&side.points));
    Some(Alone {
        curve: Curve {
            run: String::new(),
            points: side.points.iter().map(point).collect(),
            operating: operating.map(|o| point(&o.best)),
        },
        knee,
    })
}

fn swept(
    limit: &Limit,
    (b_run, b): (String, Side),
    (c_run, c): (String, Side),
    contract_load: Option<f64>,
    one_knob: bool,
) -> Swept {
    let terms = compare::Terms {
        budget: limit.value,
        contract_load: contract_load.unwrap_or(f64::NAN),
        noise: NOISE,
        one_knob,
        before_stable: b.stable,
        after_stable: c.stable,
    };
    let found = compare::compare(&b.points, &c.points, &terms);
    let point = |p: &analysis::Point| (p.load, p.throughput, p.tail);
    let curve = |run: String, side: &Side, at: Option<analysis::OperatingPoint>| Curve {
        run,
        points: side.points.iter().map(point).collect(),
        operating: at.map(|o| point(&o.best)),
    };
    let reason = |r: &compare::Reason| {
        match r {
            compare::Reason::NotOneKnob => "not_one_knob",
            compare::Reason::UnstableBefore => "unstable_before",
            compare::Reason::UnstableAfter => "unstable_after",
            compare::Reason::BudgetNotReached => "budget_not_reached",
            compare::Reason::LoadNotMeasured => "load_not_measured",
        }
        .to_owned()
    };
    Swept {
        limit_id: limit.id.clone(),
        signal: limit.signal.clone(),
        statistic: limit.statistic,
        budget: limit.value,
        unit: limit.unit(),
        contract_load,
        baseline: curve(b_run, &b, found.before),
        candidate: curve(c_run, &c, found.after),
        verdict: found.verdict.id().to_owned(),
        reasons: found.reasons.iter().map(reason).collect(),
        throughput_change: found.throughput_change,
        tail_change: found.tail_change,
        noise: NOISE,
    }
}
