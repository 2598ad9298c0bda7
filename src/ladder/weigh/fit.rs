//! Whether two sides may be compared at all: the same work, the same help from caches, the same
//! definition of a percentile, and for a canary the split of traffic that was planned.

use super::super::compare::Divergence;
use super::super::contract::Limit;
use super::super::evidence::Held;
use super::super::row::{Measurement, Row, Side};
use super::super::view::{RunView, View};
use super::super::{Arg, Sentence, Statistic, Unit};
use super::Asked;
use pel_evidence::statistics::sample_ratio;
use pel_evidence::{Kind, catalogue};

/// Lengths that make the work of a request.
const WORK: [&str; 2] = ["prompt_length", "output_length"];
/// Share by which mean lengths may differ.
const WORK_SHARE: f64 = 0.10;
/// Cliff's δ from which two distributions of lengths are different work (the usual "small").
const WORK_DELTA: f64 = 0.147;
/// Points by which the hit ratio of a prefix cache may differ.
const CACHE_POINTS: f64 = 0.10;
/// Chance below which a split of traffic is not the planned one.
const SPLIT: f64 = 1e-3;

/// Why the runs of two sides did not do like work, each with both numbers; empty = nothing speaks
/// against it. A change that declares the cache as its knob may move the cache.
pub fn not_alike(
    baseline: &[&RunView<'_>],
    candidate: &[&RunView<'_>],
    environment: &[Divergence],
) -> Vec<Sentence> {
    let mut found = Vec::new();
    let pair = |key: &str, name: &str, (b, c): (f64, f64), x: &RunView<'_>, y: &RunView<'_>| {
        let unit = catalogue::find(name).map_or(Unit::Count, |d| d.unit);
        Sentence::new(key)
            .with("signal", Arg::Signal(name.to_owned()))
            .with("baseline", Arg::Value(b, unit))
            .with("candidate", Arg::Value(c, unit))
            .text("a", x.run.label())
            .text("b", y.run.label())
    };
    let cache_is_the_knob = environment
        .iter()
        .any(|d| d.declared && d.fact.key.contains("cach"));
    for x in baseline {
        for y in candidate {
            for name in WORK {
                let both = one(x, name, Statistic::Mean).zip(one(y, name, Statistic::Mean));
                if let Some((b, c)) = both
                    && (c - b).abs() > WORK_SHARE * b.abs()
                {
                    found.push(pair("compare-different-work", name, (b, c), x, y));
                }
            }
            for name in ["prefix_cache_hit_ratio", "external_prefix_cache_hit_ratio"] {
                let both = one(x, name, Statistic::Ratio).zip(one(y, name, Statistic::Ratio));
                if let Some((b, c)) = both
                    && (c - b).abs() > CACHE_POINTS
                    && !cache_is_the_knob
                {
                    found.push(pair("compare-cache-assisted", name, (b, c), x, y));
                }
            }
        }
    }
    found
}

/// The value for the whole run, the first item's.
fn one(run: &RunView<'_>, name: &str, statistic: Statistic) -> Option<f64> {
    run.values(name, statistic)
        .find(|(_, s)| s.labels.is_empty())
        .map(|(_, s)| s.value)
}

/// What has to be calculated of the lengths of prompts and outputs, where both sides hold them.
pub fn asked_of_work(
    view: &View<'_>,
    baseline: &[&RunView<'_>],
    candidate: &[&RunView<'_>],
) -> Vec<Asked> {
    let of = |side: &[&RunView<'_>], name: &str| -> Option<Vec<Held>> {
        let held = side.iter().map(|r| {
            let items = r.usable.iter().filter_map(|e| e.extraction.as_ref());
            items
                .filter_map(|x| x.held(name, |l| l.is_empty()))
                .next()
                .cloned()
        });
        held.collect()
    };
    let asked = WORK.into_iter().filter_map(|name| {
        let (b, c) = (of(baseline, name)?, of(candidate, name)?);
        let form = b.first()?.form.clone();
        let alike = b.iter().chain(&c).all(|h| h.form == form) && !c.is_empty();
        let digests = |side: Vec<Held>| side.into_iter().map(|h| h.digest).collect();
        alike.then(|| Asked {
            signal: name.to_owned(),
            statistic: Statistic::P50,
            form,
            baseline: digests(b),
            candidate: digests(c),
            alpha: view.case.policy.alpha,
            replicates: view.case.policy.replicates,
        })
    });
    asked.collect()
}

/// What speaks against comparing two sides, found once for all rows.
pub struct Alike(Vec<Sentence>);

impl Alike {
    /// Looks at the work of both sides and the help they had.
    pub fn of(
        view: &View<'_>,
        baseline: &[&RunView<'_>],
        candidate: &[&RunView<'_>],
        environment: &[Divergence],
    ) -> Self {
        let mut found = not_alike(baseline, candidate, environment);
        for asked in asked_of_work(view, baseline, candidate) {
            let sentence =
                |key: &str| Sentence::new(key).with("signal", Arg::Signal(asked.signal.clone()));
            let Some(known) = view.calculated(&asked.basis()) else {
                found.push(sentence("compare-mix-being-calculated"));
                continue;
            };
            let delta = known.middle.map_or(0.0, |m| m.delta);
            if delta.abs() >= WORK_DELTA {
                found.push(
                    sentence("compare-different-mix").with("delta", Arg::Value(delta, Unit::Ratio)),
                );
            }
        }
        Self(found)
    }

    /// Why a row is not compared: other work is no comparison. A baseline that is not there is nothing to differ from.
    pub fn why(&self, row: &Row) -> Option<Sentence> {
        row.baseline.value?;
        self.0.first().cloned()
    }
}

/// A percentile of one tool is not that of another: buckets interpolate, tools choose ranks.
pub(super) fn other_definition(
    view: &View<'_>,
    limit: &Limit,
    baseline: &Side,
    candidate: &Side,
    recomputed: bool,
) -> Option<Sentence> {
    if recomputed || limit.statistic.quantile().is_none() {
        return None;
    }
    let kinds = |side: &Side| {
        side.runs
            .iter()
            .filter_map(|m| kind(view, m))
            .collect::<Vec<_>>()
    };
    let (a, b) = (kinds(baseline), kinds(candidate));
    let (x, y) = a
        .iter()
        .flat_map(|x| b.iter().map(move |y| (x, y)))
        .find(|(x, y)| x != y)?;
    Some(
        Sentence::new("compare-other-definition")
            .with("signal", Arg::Signal(limit.signal.clone()))
            .with("statistic", Arg::Statistic(limit.statistic))
            .with(
                "baseline",
                Arg::Key(format!("kind-{}", x.id().replace('_', "-"))),
            )
            .with(
                "candidate",
                Arg::Key(format!("kind-{}", y.id().replace('_', "-"))),
            ),
    )
}

fn kind(view: &View<'_>, m: &Measurement) -> Option<Kind> {
    let value = m.judged.value.as_ref()?;
    let item = view.case.item(value.evidence_id)?;
    item.extraction.as_ref().map(|x| x.kind)
}

/// Whether the requests of both canary arms are split as planned. `planned` is the candidate's
/// share of all traffic; the baseline arm is either all the rest or, as a control of equal size,
/// the same share. A split that is neither is broken. Said only where both arms' requests are
/// known.
pub fn broken_split(
    baseline: &[&RunView<'_>],
    candidate: &[&RunView<'_>],
    planned: f64,
) -> Option<Sentence> {
    let requests = |side: &[&RunView<'_>]| -> Option<u64> {
        let counts: Vec<f64> = side
            .iter()
            .map(|r| one(r, "finished_requests", Statistic::Total))
            .collect::<Option<_>>()?;
        let sum: f64 = counts.iter().sum();
        (!side.is_empty() && sum.is_finite() && sum >= 0.0).then_some(sum as u64)
    };
    let (b, c) = requests(baseline).zip(requests(candidate))?;
    let rest = sample_ratio(c, b, planned)?;
    let equal = sample_ratio(c, b, 0.5)?;
    (rest.max(equal) < SPLIT).then(|| {
        Sentence::new("canary-split-broken")
            .with("candidate", Arg::Count(c))
            .with("baseline", Arg::Count(b))
            .with("planned", Arg::Value(planned, Unit::Ratio))
            .with("seen", Arg::Value(c as f64 / (b + c) as f64, Unit::Ratio))
    })
}
