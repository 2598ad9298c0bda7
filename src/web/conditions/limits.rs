//! A limit of the contract with what each run measured of it: for the reproduction and for the
//! acceptance impact.

use super::claim::Typed;
use crate::ladder::CaseFile;
use crate::ladder::condition::Condition;
use crate::ladder::contract::{Limit, LimitPhase};
use crate::ladder::measure::{self, Measured, Verdict};
use crate::ladder::run::{Phase, Run, RunRole};
use crate::web::compare::show::about;
use crate::web::compare::table;
use crate::web::{Page, changes::words, format, say};
use pel_evidence::catalogue::Role;
use uuid::Uuid;

/// What one run says about a limit.
pub struct RunView {
    /// `R-7`.
    pub label: String,
    /// Value of its tick box.
    pub pair: String,
    /// What tells it from its neighbours.
    pub about: String,
    /// What was measured, if anything.
    pub value: Option<String>,
    /// Verdict.
    pub mark: words::Mark,
    /// Why nothing can be told.
    pub reason: Option<String>,
    /// Whether it is ticked.
    pub on: bool,
}

/// One limit.
pub struct LimitView {
    /// Its id.
    pub id: String,
    /// The limit in words: `TTFT p99 ≤ 800 ms`.
    pub words: String,
    /// Class and band.
    pub about: String,
    /// Whether it is chosen.
    pub on: bool,
    /// Runs that may speak for it.
    pub runs: Vec<RunView>,
    /// Whether some run breaks it, or it is chosen: then it stands open.
    pub open: bool,
}

/// Value of the tick box of a run under a limit.
pub fn pair(limit_id: &str, run: &str) -> String {
    format!("{limit_id}/{run}")
}

/// Limits that can be claimed for a condition.
pub fn offered(case: &CaseFile, condition: Condition) -> Vec<&Limit> {
    case.contract
        .iter()
        .flat_map(|v| &v.terms.limits)
        .filter(|l| {
            condition != Condition::AcceptanceImpactVisible || l.role() == Some(Role::Acceptance)
        })
        .collect()
}

/// Baseline runs under the pinned contract in the phase of a limit.
pub fn runs_for<'a>(case: &'a CaseFile, limit: &Limit) -> impl Iterator<Item = &'a Run> {
    let phase = match limit.phase {
        LimitPhase::Warm => Phase::Warm,
        LimitPhase::Cold => Phase::Cold,
    };
    let contract = case.contract.as_ref().map(|v| v.id);
    case.runs.iter().filter(move |r| {
        r.stated.role == RunRole::Baseline
            && r.stated.phase == phase
            && r.stated.contract_version_id.is_some()
            && r.stated.contract_version_id == contract
    })
}

fn judged(case: &CaseFile, run: &Run, limit: &Limit) -> (Option<f64>, Verdict) {
    match measure::of(case, run, limit) {
        Measured::Value(v) => (Some(v.value), measure::against(limit, run, &v)),
        Measured::Missing(why) => (None, Verdict::CannotTell(why)),
        Measured::Several(values) => (
            None,
            Verdict::CannotTell(
                measure::about(crate::ladder::Sentence::new("measure-disagree"), limit)
                    .text("run", run.label())
                    .text("items", list(values.iter().map(|v| v.evidence.clone())))
                    .with(
                        "values",
                        crate::ladder::Arg::List(
                            values
                                .iter()
                                .map(|v| crate::ladder::Arg::Value(v.value, limit.unit()))
                                .collect(),
                        ),
                    ),
            ),
        ),
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// The limit that most runs break, with those runs: the likely claim.
pub fn broken(case: &CaseFile) -> Option<(String, Vec<Uuid>)> {
    let mut best: Option<(String, Vec<Uuid>)> = None;
    for limit in offered(case, Condition::ReproducedBottleneck) {
        let runs: Vec<Uuid> = runs_for(case, limit)
            .filter(|r| judged(case, r, limit).1 == Verdict::Breaks)
            .map(|r| r.id)
            .collect();
        if runs.len() > best.as_ref().map_or(0, |b| b.1.len()) {
            best = Some((limit.id.clone(), runs));
        }
    }
    best
}

/// A limit in words.
pub fn words_of(page: &Page, limit: &Limit) -> String {
    format!(
        "{} {} {}",
        say::measure(page.lang, &limit.signal, limit.statistic),
        limit.comparator.sign(),
        format::value(page.lang, limit.value, limit.unit())
    )
}

/// The limits of a condition's form.
pub fn of(page: &Page, case: &CaseFile, condition: Condition, typed: &Typed) -> Vec<LimitView> {
    offered(case, condition)
        .into_iter()
        .map(|l| limit_view(page, case, l, typed))
        .collect()
}

fn limit_view(page: &Page, case: &CaseFile, limit: &Limit, typed: &Typed) -> LimitView {
    let runs: Vec<RunView> = runs_for(case, limit)
        .map(|run| {
            let (value, verdict) = judged(case, run, limit);
            let pair = pair(&limit.id, &run.label());
            RunView {
                label: run.label(),
                about: about(page, run),
                value: value.map(|v| format::value(page.lang, v, limit.unit()).to_string()),
                mark: table::mark(page, &verdict),
                reason: verdict.reason().map(|s| say::sentence(page.lang, s)),
                on: typed.run.contains(&pair),
                pair,
            }
        })
        .collect();
    let class = limit
        .class
        .clone()
        .unwrap_or_else(|| page.t("gate-all-classes"));
    let band = limit
        .band
        .clone()
        .unwrap_or_else(|| page.t("gate-all-bands"));
    let on = limit.id == typed.limit;
    LimitView {
        id: limit.id.clone(),
        words: words_of(page, limit),
        about: format!("{class}, {band}"),
        open: on || runs.iter().any(|r| r.mark.0 == "breaks"),
        on,
        runs,
    }
}
