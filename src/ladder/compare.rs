//! Baseline against candidate, limit by limit, under one contract version and in one phase.
//!
//! Several runs on a side are never averaged: each is judged, the worst value is shown with its
//! run, and the range of all is that side's spread. There is no total score.

pub use super::row::{Measurement, Row, Side};

use super::Sentence;
use super::case::CaseFile;
use super::contract::{Limit, LimitPhase, Terms};
use super::environment::{Difference, Source};
use super::measure::{self, Judgement, Verdict, about};
use super::run::{Phase, RunRole};
use super::view::{RunView, View};
use super::weigh::{self, Asked, Swept, Twin, Weighing};
use pel_evidence::catalogue::{self, Better};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A fact in which candidate and baseline environments differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Divergence {
    /// The fact; `a` is the baseline's value.
    pub fact: Difference,
    /// Whether the change declares it: its knob, its bundle, or a listed consequence.
    pub declared: bool,
    /// Who says the baseline's value, and who the candidate's.
    #[serde(default)]
    pub sources: [Vec<Source>; 2],
}

/// How many rows have which verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Rows that hold.
    pub holds: usize,
    /// Rows that break.
    pub breaks: usize,
    /// Rows that cannot be told.
    pub cannot_tell: usize,
}

/// A comparison as judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Phase of both sides.
    pub phase: Phase,
    /// Contract, `chat v3`.
    pub contract: String,
    /// Baseline runs.
    pub baseline: Vec<String>,
    /// Candidate runs.
    pub candidate: Vec<String>,
    /// Why the two sides cannot be compared at all. Not empty: there are no rows.
    pub refused: Vec<Sentence>,
    /// Rows: those that break first, then cannot tell, then hold.
    pub rows: Vec<Row>,
    /// Facts in which the environments differ.
    pub environment: Vec<Divergence>,
    /// Whether both sides carry the same data.
    pub identical: bool,
    /// Verdicts counted.
    pub counts: Counts,
    /// What a profiler costs, where a profiled twin of a run is there.
    #[serde(default)]
    pub twins: Vec<Twin>,
    /// Sweeps over load, where both sides have one.
    #[serde(default)]
    pub sweeps: Vec<Swept>,
}

impl Comparison {
    /// The first line: how many limits the candidate breaks or leaves open.
    pub fn headline(&self) -> Sentence {
        let c = self.counts;
        let key = match c {
            _ if !self.refused.is_empty() => "compare-refused",
            Counts { breaks: 1.., .. } => "compare-breaks",
            Counts {
                cannot_tell: 1.., ..
            } => "compare-cannot-tell",
            _ if self.rows.is_empty() => "compare-no-limits",
            _ => "compare-holds",
        };
        Sentence::new(key)
            .count("breaks", c.breaks)
            .count("open", c.cannot_tell)
            .count("limits", self.rows.len())
    }
}

/// Compares candidate runs with baseline runs in `phase` under the pinned contract. A canary
/// without a baseline arm beside it is judged on the contract's limits alone.
pub fn compare(case: &CaseFile, baseline: &[Uuid], candidate: &[Uuid], phase: Phase) -> Comparison {
    compared(&View::new(case), baseline, candidate, phase, 0)
}

/// The same on an index; `plan` is a canary plan's least number of samples per arm.
pub(super) fn compared(
    view: &View<'_>,
    baseline: &[Uuid],
    candidate: &[Uuid],
    phase: Phase,
    plan: u64,
) -> Comparison {
    let mut refused = Vec::new();
    let a = side_runs(view, baseline, RunRole::Baseline, phase, &mut refused);
    let b = side_runs(view, candidate, RunRole::Candidate, phase, &mut refused);
    if a.is_empty() && phase != Phase::Canary {
        refused.push(Sentence::new("compare-no-baseline"));
    }
    if b.is_empty() {
        refused.push(Sentence::new("compare-no-candidate"));
    }
    let labels = |runs: &[&RunView<'_>]| runs.iter().map(|r| r.run.label()).collect();
    let identical = a.iter().any(|x| b.iter().any(|y| x.same_data(y)));
    let mut out = Comparison {
        phase,
        contract: view
            .case
            .contract
            .as_ref()
            .map(super::view::contract_label)
            .unwrap_or_default(),
        baseline: labels(&a),
        candidate: labels(&b),
        environment: divergences(view, &a, &b),
        identical,
        refused,
        rows: Vec::new(),
        counts: Counts::default(),
        twins: Vec::new(),
        sweeps: Vec::new(),
    };
    let Some(terms) = view.terms() else {
        out.refused.push(Sentence::new("gate-no-contract"));
        return out;
    };
    if !out.refused.is_empty() {
        return out;
    }
    let knobs = out.environment.len();
    let one_knob = knobs > 0 && out.environment.iter().all(|d| d.declared);
    out.sweeps = weigh::sweeps(view, &a, &b, one_knob);
    out.twins = weigh::twins(view, baseline, candidate);
    let limits = limits_of(terms, phase);
    let alike = weigh::Alike::of(view, &a, &b, &out.environment);
    let (mut rows, unfit): (Vec<Row>, Vec<_>) = limits
        .iter()
        .map(|l| row(view, l, &a, &b, identical, plan))
        .map(|(row, own)| {
            let why = own.or_else(|| alike.why(&row));
            (row, why)
        })
        .unzip();
    weigh::settle(view, &limits, &mut rows, &unfit);
    rows.sort_by_key(|r| match r.verdict {
        Verdict::Breaks => 0,
        Verdict::CannotTell(_) => 1,
        Verdict::Holds => 2,
    });
    for r in &rows {
        match r.verdict {
            Verdict::Holds => out.counts.holds += 1,
            Verdict::Breaks => out.counts.breaks += 1,
            Verdict::CannotTell(_) => out.counts.cannot_tell += 1,
        }
    }
    out.rows = rows;
    out
}

fn limits_of(terms: &Terms, phase: Phase) -> Vec<&Limit> {
    let wanted = if phase == Phase::Cold {
        LimitPhase::Cold
    } else {
        LimitPhase::Warm
    };
    let limits = terms.limits.iter();
    limits.filter(|l| l.phase == wanted).collect()
}

/// What has to be calculated from stored observations before these runs can be judged in full,
/// whether or not it was calculated before. Empty when they cannot be compared at all.
pub fn asked(case: &CaseFile, baseline: &[Uuid], candidate: &[Uuid], phase: Phase) -> Vec<Asked> {
    let view = View::new(case);
    let mut refused = Vec::new();
    let a = side_runs(&view, baseline, RunRole::Baseline, phase, &mut refused);
    let b = side_runs(&view, candidate, RunRole::Candidate, phase, &mut refused);
    let Some(terms) = view.terms() else {
        return Vec::new();
    };
    let mut found: Vec<Asked> = limits_of(terms, phase)
        .into_iter()
        .filter_map(|limit| {
            let (x, y) = (measured(&view, limit, &a, 0), measured(&view, limit, &b, 0));
            Weighing::of(&view, limit, &x, &y).asked()
        })
        .collect();
    found.extend(weigh::asked_of_work(&view, &a, &b));
    found.sort_by_cached_key(Asked::basis);
    found.dedup();
    found
}

fn side_runs<'v, 'a>(
    view: &'v View<'a>,
    ids: &[Uuid],
    role: RunRole,
    phase: Phase,
    refused: &mut Vec<Sentence>,
) -> Vec<&'v RunView<'a>> {
    let mut found: Vec<&RunView<'_>> = Vec::new();
    for id in ids {
        let Some(run) = view.run(*id) else {
            refused.push(Sentence::new("compare-unknown-run"));
            continue;
        };
        if found.iter().any(|r| r.run.id == *id) {
            continue;
        }
        let s = &run.run.stated;
        let key = if s.role != role {
            "compare-other-role"
        } else if s.phase != phase || phase == Phase::Unknown {
            "compare-mixed-phases"
        } else if !view.case.under_contract(s.contract_version_id) {
            "compare-other-contract"
        } else {
            found.push(run);
            continue;
        };
        refused.push(Sentence::new(key).text("run", run.run.label()));
    }
    found.sort_by_key(|r| r.run.number);
    found
}

fn row(
    view: &View<'_>,
    limit: &Limit,
    a: &[&RunView<'_>],
    b: &[&RunView<'_>],
    identical: bool,
    plan: u64,
) -> (Row, Option<Sentence>) {
    let mut baseline = measured(view, limit, a, plan);
    let mut candidate = measured(view, limit, b, plan);
    let weighing = Weighing::of(view, limit, &baseline, &candidate);
    weighing.bound(&mut candidate);
    worst_of(&mut baseline, limit);
    worst_of(&mut candidate, limit);
    let verdict = if identical {
        Verdict::CannotTell(Sentence::new("compare-identical"))
    } else {
        candidate.verdict.clone().unwrap_or_else(|| {
            Verdict::CannotTell(about(Sentence::new("compare-no-run-for-class"), limit))
        })
    };
    let weighed = weighing.weigh(&baseline, &candidate);
    let unfit = weighing.unfit(&baseline, &candidate);
    let difference_abs = candidate.value.zip(baseline.value).map(|(c, b)| c - b);
    let difference_rel = difference_abs
        .zip(baseline.value)
        .filter(|(_, b)| *b != 0.0)
        .map(|(d, b)| d / b.abs());
    let better = difference_abs.filter(|d| *d != 0.0).and_then(|d| {
        match catalogue::find(&limit.signal)?.better {
            Better::Lower => Some(d < 0.0),
            Better::Higher => Some(d > 0.0),
            Better::Neither => None,
        }
    });
    let row = Row {
        limit_id: limit.id.clone(),
        signal: limit.signal.clone(),
        statistic: limit.statistic,
        class: limit.class.clone(),
        band: limit.band.clone(),
        comparator: limit.comparator,
        limit: limit.value,
        unit: limit.unit(),
        spread: candidate.spread(),
        baseline,
        candidate,
        difference_abs,
        difference_rel,
        better,
        verdict,
        why: None,
        weighed,
    };
    (row, unfit)
}

/// What every run of a side that serves the limit measured of it.
fn measured(view: &View<'_>, limit: &Limit, runs: &[&RunView<'_>], plan: u64) -> Side {
    let Some(terms) = view.terms() else {
        return Side::default();
    };
    let runs = runs.iter().filter(|r| r.serves(terms, limit));
    Side {
        runs: runs
            .map(|r| Measurement {
                run_id: r.run.id,
                run: r.run.label(),
                judged: comparable(view, r, limit, plan),
            })
            .collect(),
        ..Side::default()
    }
}

/// The gravest verdict of a side, and the value that is worst for the limit.
fn worst_of(side: &mut Side, limit: &Limit) {
    let gravity = |v: &Verdict| match v {
        Verdict::Holds => 0,
        Verdict::CannotTell(_) => 1,
        Verdict::Breaks => 2,
    };
    let verdicts = side.runs.iter().map(|m| &m.judged.verdict);
    side.verdict = verdicts.max_by_key(|v| gravity(v)).cloned();
    let worst = side.worst(limit.comparator);
    let value = worst.and_then(|m| m.judged.value.as_ref());
    let (value, samples) = (value.map(|v| v.value), value.and_then(|v| v.samples));
    side.value = value;
    side.samples = samples;
}

/// Judges a run for a comparison: its statements must be complete and true, and no profiler may
/// have slowed it.
fn comparable(view: &View<'_>, run: &RunView<'_>, limit: &Limit, plan: u64) -> Judgement {
    let mut judged = measure::judge(view, run, limit, plan);
    let why = view.troubles(run).into_iter().next().or_else(|| {
        run.profiled
            .then(|| Sentence::new("compare-profiled").text("run", run.run.label()))
    });
    if let Some(why) = why {
        judged.verdict = Verdict::CannotTell(why);
    }
    judged
}

fn divergences(view: &View<'_>, a: &[&RunView<'_>], b: &[&RunView<'_>]) -> Vec<Divergence> {
    let terms = view
        .case
        .live_change()
        .and_then(|c| c.current())
        .map(|r| &r.terms);
    let mut found: BTreeMap<(String, Option<String>, Option<String>), Divergence> = BTreeMap::new();
    for x in a {
        for y in b {
            let differences = x.environment().differences(y.environment());
            for fact in differences {
                let declared = terms.is_some_and(|t| super::gate::declares(t, &fact.key));
                let key = (fact.key.clone(), fact.a.clone(), fact.b.clone());
                let from = |r: &RunView<'_>| {
                    let facts = &r.taken_in.facts;
                    facts
                        .get(&fact.key)
                        .map_or_else(Vec::new, |f| f.sources.clone())
                };
                let sources = [from(x), from(y)];
                found.insert(
                    key,
                    Divergence {
                        sources,
                        fact,
                        declared,
                    },
                );
            }
        }
    }
    found.into_values().collect()
}
