//! One limit, one run: what was measured, and whether the limit holds.
//!
//! Fail closed: a number that is missing, not finite, too coarse, from too few requests or from
//! the wrong class says "cannot tell", never "holds". Percentiles are taken as a parser read them
//! from one histogram or one set of samples; nothing here averages.

use super::attested::{self, Vouched};
use super::case::CaseFile;
use super::contract::{Band, Comparator, Limit, Terms};
use super::evidence::Evidence;
use super::run::{Phase, Run};
use super::view::{LOAD, RunView, View};
use super::{Arg, Sentence};
use pel_evidence::catalogue::Role;
use pel_evidence::{Bound, Scope, Signal, Statistic};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Two values of one thing agree when they differ by no more than this share of the greater.
pub const AGREEMENT: f64 = 0.01;

/// A measured value with where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The value in the signal's base unit.
    pub value: f64,
    /// Number of observations, when known.
    pub samples: Option<u64>,
    /// How exact it is.
    pub bound: Bound,
    /// Stretch of time it speaks for.
    pub scope: Scope,
    /// The item it was read from.
    pub evidence_id: Uuid,
    /// Its label, `EV-31`.
    pub evidence: String,
    /// Load point of a sweep, in concurrent requests.
    pub load: Option<f64>,
    /// Who vouches for it, when no parser read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attested: Option<Vouched>,
}

/// What a run says about a limit's signal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measured {
    /// One value (or several that agree within 1 %: the one worse for the limit).
    Value(Value),
    /// Nothing that counts, and why.
    Missing(Sentence),
    /// Values that disagree by more than 1 %.
    Several(Vec<Value>),
}

/// Whether a limit holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is kept.
    Holds,
    /// It is not.
    Breaks,
    /// The evidence cannot decide.
    CannotTell(Sentence),
}

impl Verdict {
    /// Stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Breaks => "breaks",
            Self::CannotTell(_) => "cannot_tell",
        }
    }

    /// Why nothing can be told, if so.
    pub fn reason(&self) -> Option<&Sentence> {
        match self {
            Self::CannotTell(s) => Some(s),
            _ => None,
        }
    }
}

/// A value with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// What was measured, if anything.
    pub value: Option<Value>,
    /// Whether the limit holds.
    pub verdict: Verdict,
}

/// Adds a limit's signal, statistic, side, value, class and band to a sentence.
#[must_use]
pub fn about(sentence: Sentence, limit: &Limit) -> Sentence {
    sentence
        .with("signal", Arg::Signal(limit.signal.clone()))
        .with("statistic", Arg::Statistic(limit.statistic))
        .text("sign", limit.comparator.sign())
        .with("limit", Arg::Value(limit.value, limit.unit()))
        .with("class", class_arg(limit.class.as_deref()))
        .with("band", band_arg(limit.band.as_deref()))
}

pub(super) fn class_arg(class: Option<&str>) -> Arg {
    class.map_or_else(
        || Arg::Key("gate-all-classes".to_owned()),
        |c| Arg::Text(c.to_owned()),
    )
}

pub(super) fn band_arg(band: Option<&str>) -> Arg {
    band.map_or_else(
        || Arg::Key("gate-all-bands".to_owned()),
        |b| Arg::Text(b.to_owned()),
    )
}

/// Whether a run may speak for a limit's class and band. A class-less run serves a class limit
/// only where the contract has that one class; a run of one class never speaks for all of several.
/// A limit without a band speaks for every band, so a run in any band is judged by it.
pub fn serves(terms: &Terms, run: &Run, limit: &Limit) -> bool {
    let class = match (&limit.class, &run.stated.class) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        (None, Some(_)) | (Some(_), None) => terms.classes.len() == 1,
    };
    let band = match (&limit.band, &run.stated.band) {
        (Some(a), Some(b)) => a == b,
        (None, _) => true,
        (Some(_), None) => terms.bands.len() == 1,
    };
    class && band
}

/// What `run` measured of `limit`'s signal and statistic.
pub fn of(case: &CaseFile, run: &Run, limit: &Limit) -> Measured {
    within(&View::new(case), run, limit)
}

/// As [`of`], for whoever asks about many runs or limits of one case.
pub fn within(view: &View<'_>, run: &Run, limit: &Limit) -> Measured {
    match view.run(run.id) {
        Some(run) => measured(view, run, limit),
        None => Measured::Missing(Sentence::new("measure-no-evidence").text("run", run.label())),
    }
}

pub(super) fn measured(view: &View<'_>, run: &RunView<'_>, limit: &Limit) -> Measured {
    let missing = |key: &str| {
        Measured::Missing(about(Sentence::new(key), limit).text("run", run.run.label()))
    };
    let Some(terms) = view.terms() else {
        return Measured::Missing(Sentence::new("gate-no-contract"));
    };
    if !serves(terms, run.run, limit) {
        return attested::measured(view, run, terms, limit)
            .unwrap_or_else(|| missing("measure-other-class"));
    }
    if run.usable.is_empty() {
        let key = match (run.reading.is_empty(), run.invalid.is_empty()) {
            (false, _) => "measure-being-read",
            (true, false) => "measure-invalid",
            (true, true) => "measure-no-evidence",
        };
        return missing(key);
    }
    let all: Vec<_> = run.values(&limit.signal, limit.statistic).collect();
    if all.is_empty() {
        return attested::measured(view, run, terms, limit)
            .unwrap_or_else(|| missing("measure-not-captured"));
    }
    let cold = run.run.stated.phase == Phase::Cold;
    let fresh: Vec<_> = all
        .into_iter()
        .filter(|(_, s)| cold || s.scope != Scope::SinceStart)
        .collect();
    if fresh.is_empty() {
        return missing("measure-since-start");
    }
    let chosen = choose(terms, run.run, limit, &fresh);
    let Some(worst) = worst(limit.comparator, &chosen) else {
        return missing("measure-outside-band");
    };
    if chosen.iter().any(|v| !agree(v.value, worst.value)) {
        return Measured::Several(chosen);
    }
    Measured::Value(worst.clone())
}

/// Values without labels, or else, per item, the highest load point inside the band.
fn choose(terms: &Terms, run: &Run, limit: &Limit, found: &[(&Evidence, &Signal)]) -> Vec<Value> {
    let whole: Vec<Value> = found
        .iter()
        .filter(|(_, s)| s.labels.is_empty())
        .map(|(e, s)| value(e, s, None))
        .collect();
    if !whole.is_empty() {
        return whole;
    }
    let wanted = run.stated.band.as_ref().or(limit.band.as_ref());
    let bands: Vec<&Band> = terms
        .bands
        .iter()
        .filter(|b| wanted.is_none_or(|w| *w == b.name))
        .collect();
    let mut best: Vec<Value> = Vec::new();
    for (e, s) in found {
        let load = s.labels.get(LOAD).and_then(|l| l.parse::<f64>().ok());
        let Some(load) = load.filter(|_| !sweeps_rate(e)) else {
            continue;
        };
        let inside = |b: &&Band| load >= f64::from(b.min) && load <= f64::from(b.max);
        if !bands.iter().any(inside) {
            continue;
        }
        match best.iter_mut().find(|v| v.evidence_id == e.id) {
            Some(v) if v.load.is_some_and(|l| l >= load) => {}
            Some(v) => *v = value(e, s, Some(load)),
            None => best.push(value(e, s, Some(load))),
        }
    }
    best
}

/// Whether an item's load points are request rates: bands count concurrent requests, so no rate
/// lies inside one.
fn sweeps_rate(item: &Evidence) -> bool {
    item.extraction
        .iter()
        .flat_map(|x| &x.notes)
        .any(|n| ["perf-request-rate", "bench-rate-points"].contains(&n.code.as_str()))
}

fn value(item: &Evidence, signal: &Signal, load: Option<f64>) -> Value {
    Value {
        value: signal.value,
        samples: signal.samples,
        bound: signal.bound,
        scope: signal.scope,
        evidence_id: item.id,
        evidence: item.label(),
        load,
        attested: None,
    }
}

/// The value that serves the limit worst; equal ones by item, so that order never matters.
pub(super) fn worst(comparator: Comparator, values: &[Value]) -> Option<&Value> {
    values.iter().max_by(|a, b| {
        let by_value = match comparator {
            Comparator::AtMost => a.value.total_cmp(&b.value),
            Comparator::AtLeast => b.value.total_cmp(&a.value),
        };
        by_value.then_with(|| a.evidence_id.cmp(&b.evidence_id))
    })
}

/// Whether two values differ by at most 1 % of the greater.
pub fn agree(a: f64, b: f64) -> bool {
    agree_within(a, b, AGREEMENT)
}

/// Whether two values differ by at most this share of the greater.
pub fn agree_within(a: f64, b: f64, share: f64) -> bool {
    let scale = a.abs().max(b.abs());
    (a - b).abs() <= share * scale
}

/// Least number of observations before `limit` may be judged, when it depends on one.
pub fn samples_needed(terms: &Terms, limit: &Limit, plan: u64) -> u64 {
    limit
        .statistic
        .least_samples()
        .max(terms.min_samples)
        .max(limit.min_samples.unwrap_or(0))
        .max(plan)
}

/// Judges `limit` on one run by its numbers alone, for showing. A gate also asks whether the run's
/// statements may be believed.
pub fn judgement(case: &CaseFile, run: &Run, limit: &Limit) -> Judgement {
    let view = View::new(case);
    match view.run(run.id) {
        Some(run) => judge(&view, run, limit, 0),
        None => Judgement {
            value: None,
            verdict: Verdict::CannotTell(
                Sentence::new("measure-no-evidence").text("run", run.label()),
            ),
        },
    }
}

/// Judges `limit` on `run` by its numbers alone; what is wrong with the run's statements is the
/// caller's to ask. `plan` is a canary plan's own least number of samples.
pub(super) fn judge(view: &View<'_>, run: &RunView<'_>, limit: &Limit, plan: u64) -> Judgement {
    match measured(view, run, limit) {
        Measured::Missing(why) => Judgement {
            value: None,
            verdict: Verdict::CannotTell(why),
        },
        Measured::Several(values) => Judgement {
            verdict: Verdict::CannotTell(
                about(Sentence::new("measure-disagree"), limit)
                    .text("run", run.run.label())
                    .with(
                        "items",
                        Arg::List(
                            values
                                .iter()
                                .map(|v| Arg::Text(v.evidence.clone()))
                                .collect(),
                        ),
                    )
                    .with(
                        "values",
                        Arg::List(
                            values
                                .iter()
                                .map(|v| Arg::Value(v.value, limit.unit()))
                                .collect(),
                        ),
                    ),
            ),
            value: worst(limit.comparator, &values).cloned(),
        },
        Measured::Value(value) => {
            let verdict = view.terms().map_or_else(
                || Verdict::CannotTell(Sentence::new("gate-no-contract")),
                |terms| {
                    too_few(terms, run.run, limit, &value, plan)
                        .map_or_else(|| against(limit, run.run, &value), Verdict::CannotTell)
                },
            );
            Judgement {
                value: Some(value),
                verdict,
            }
        }
    }
}

fn too_few(terms: &Terms, run: &Run, limit: &Limit, value: &Value, plan: u64) -> Option<Sentence> {
    let need = samples_needed(terms, limit, plan);
    let judged = matches!(
        limit.role(),
        Some(Role::Latency | Role::Acceptance | Role::Errors)
    );
    let summarises = matches!(
        limit.statistic,
        Statistic::Quantile(_) | Statistic::Mean | Statistic::Ratio
    );
    match value.samples {
        Some(n) if n < need => Some(
            about(Sentence::new("measure-too-few"), limit)
                .text("run", run.label())
                .with("have", Arg::Count(n))
                .with("need", Arg::Count(need)),
        ),
        None if judged && summarises => Some(
            about(Sentence::new("measure-samples-unknown"), limit)
                .text("run", run.label())
                .text("evidence", &value.evidence)
                .with("need", Arg::Count(need)),
        ),
        _ => None,
    }
}

/// Compares a value with a limit, minding how exact the value is.
pub fn against(limit: &Limit, run: &Run, value: &Value) -> Verdict {
    let (x, l) = (value.value, limit.value);
    let unsure = |key: &str, sentence: &dyn Fn(Sentence) -> Sentence| {
        Verdict::CannotTell(sentence(
            about(Sentence::new(key), limit).text("run", run.label()),
        ))
    };
    if !x.is_finite() || !l.is_finite() {
        return unsure("measure-not-captured", &|s| s);
    }
    let plain = || {
        if limit.comparator.holds(x, l) {
            Verdict::Holds
        } else {
            Verdict::Breaks
        }
    };
    match value.bound {
        Bound::Exact | Bound::Estimate => plain(),
        Bound::AtLeast => match limit.comparator {
            Comparator::AtMost if x > l => Verdict::Breaks,
            Comparator::AtLeast if x >= l => Verdict::Holds,
            _ => unsure("measure-at-least", &|s| {
                s.with("value", Arg::Value(x, limit.unit()))
            }),
        },
        Bound::Bucket { low, high } if (high - low) * 2.0 <= l.abs() => plain(),
        // A wide bucket decides only when the limit lies outside it. Its lower edge is open.
        Bound::Bucket { low, high } => match limit.comparator {
            Comparator::AtMost if high <= l => Verdict::Holds,
            Comparator::AtMost if low >= l => Verdict::Breaks,
            Comparator::AtLeast if low >= l => Verdict::Holds,
            Comparator::AtLeast if high < l => Verdict::Breaks,
            _ => unsure("measure-bucket-wide", &|s| {
                s.with("low", Arg::Value(low, limit.unit()))
                    .with("high", Arg::Value(high, limit.unit()))
            }),
        },
    }
}
