//! The comparison lines: cold, warm and canary are separate and none stands in for another.

use super::super::canary::{self, CanaryVerdict};
use super::super::case::CaseFile;
use super::super::change::{Change, Revision};
use super::super::compare::{self, Comparison};
use super::super::condition::{Claim, Condition};
use super::super::environment::Environment;
use super::super::measure::Verdict;
use super::super::run::{Phase, Profiled, RunRole};
use super::super::view::{RunView, View};
use super::super::{Arg, Sentence};
use super::lines::Judging;
use super::{Closes, Line, LineStatus as S, Target, knob_key};
use uuid::Uuid;

/// The runs a change is judged on in a phase: baseline, then candidate.
///
/// Baseline: every unprofiled run under the contract in the environment of the reproduction.
/// Candidate: every unprofiled run that has the change's new value, or does not say. Canary: the
/// run the canary ended with and those beside it.
pub fn comparison_runs(case: &CaseFile, change: &Change, phase: Phase) -> (Vec<Uuid>, Vec<Uuid>) {
    runs(&View::new(case), change, phase)
}

/// The runs that are compared in a phase when nobody chose others: those of the live change, or
/// without one every unprofiled run of either role.
pub fn usual_runs(case: &CaseFile, phase: Phase) -> (Vec<Uuid>, Vec<Uuid>) {
    match case.live_change() {
        Some(change) => comparison_runs(case, change, phase),
        None => unprofiled(case, phase),
    }
}

/// The runs whose comparison should be calculated ahead: the usual ones, and before a canary ends
/// all of its phase, since any may become its own.
pub fn expected_runs(case: &CaseFile, phase: Phase) -> (Vec<Uuid>, Vec<Uuid>) {
    let runs = usual_runs(case, phase);
    if phase == Phase::Canary && runs.1.is_empty() {
        return unprofiled(case, phase);
    }
    runs
}

fn unprofiled(case: &CaseFile, phase: Phase) -> (Vec<Uuid>, Vec<Uuid>) {
    let of = |role| {
        let runs = case.runs.iter().filter(|r| {
            r.stated.phase == phase && r.stated.role == role && r.stated.profiled == Profiled::No
        });
        runs.map(|r| r.id).collect()
    };
    (of(RunRole::Baseline), of(RunRole::Candidate))
}

pub(super) fn runs(view: &View<'_>, change: &Change, phase: Phase) -> (Vec<Uuid>, Vec<Uuid>) {
    if phase == Phase::Canary {
        let verdict = canary::judged(view, change);
        return (verdict.baseline, verdict.candidate);
    }
    let ground = ground(view);
    let off = |r: &RunView<'_>| view.terms().is_some_and(|t| !r.off_contract(t).is_empty());
    let baseline = view
        .runs_for(RunRole::Baseline, phase)
        .filter(|r| !r.profiled && !off(r))
        .filter(|r| ground.is_none_or(|g| r.environment().same(g)))
        .map(|r| r.run.id)
        .collect();
    let candidate = view
        .runs_for(RunRole::Candidate, phase)
        .filter(|r| !r.profiled && !off(r))
        .filter(|r| may_be_of(r, change))
        .map(|r| r.run.id)
        .collect();
    (baseline, candidate)
}

/// Environment of the reproduction.
pub(super) fn ground<'v>(view: &'v View<'_>) -> Option<&'v Environment> {
    let record = view.case.record(Condition::ReproducedBottleneck)?;
    let Claim::ReproducedBottleneck { runs, .. } = &record.claim else {
        return None;
    };
    let run = runs.iter().find_map(|id| view.run(*id))?;
    Some(run.environment())
}

/// Whether a candidate run is of this change: one with another value of the knob is of another.
fn may_be_of(run: &RunView<'_>, change: &Change) -> bool {
    let Some(revision) = change.current() else {
        return false;
    };
    let key = knob_key(&revision.terms);
    run.environment().get(&key).is_none() || run.environment().has(&key, &revision.terms.knob.new)
}

/// The warm comparison: always required to accept; before a canary, a reason may stand for it.
pub(super) fn warm(judging: &Judging<'_, '_>, change: &Change, revision: &Revision) -> Line {
    let (baseline, candidate) = runs(judging.view, change, Phase::Warm);
    let reason = revision.terms.no_warm_reason.trim();
    if candidate.is_empty() && !reason.is_empty() && judging.target != Target::Accept {
        return Line::new(
            "comparison_warm",
            S::NotApplicable,
            vec![Sentence::new("gate-no-warm-reason").text("reason", reason)],
        );
    }
    line(
        judging,
        "comparison_warm",
        Phase::Warm,
        &baseline,
        &candidate,
    )
}

/// The cold comparison: required when the contract limits cold behaviour or the knob touches
/// start-up.
pub(super) fn cold(judging: &Judging<'_, '_>, change: &Change, revision: &Revision) -> Line {
    let limited = judging
        .view
        .terms()
        .is_some_and(super::super::contract::Terms::limits_cold);
    if !limited && !revision.terms.touches_start_up {
        return Line::new(
            "comparison_cold",
            S::NotApplicable,
            vec![Sentence::new("gate-cold-not-required")],
        );
    }
    let (baseline, candidate) = runs(judging.view, change, Phase::Cold);
    let mut line = line(
        judging,
        "comparison_cold",
        Phase::Cold,
        &baseline,
        &candidate,
    );
    if line.status == S::Missing {
        line.sentences.insert(
            0,
            Sentence::new(if limited {
                "gate-cold-required-contract"
            } else {
                "gate-cold-required-change"
            }),
        );
    }
    line
}

/// The canary comparison: its limits are judged by the canary's verdict; here it must exist,
/// apart from the warm one, on data of its own.
pub(super) fn canary(judging: &Judging<'_, '_>, change: &Change) -> Line {
    let verdict = canary::judged(judging.view, change);
    let narrowed = change.plan().is_some_and(|p| !p.classes.is_empty());
    if verdict.ended_at.is_some() && (verdict.samples > 0 || narrowed) {
        return sampled(judging, &verdict).closed_by(Closes::EndCanary(change.id));
    }
    let (baseline, candidate) = runs(judging.view, change, Phase::Canary);
    line(
        judging,
        "comparison_canary",
        Phase::Canary,
        &baseline,
        &candidate,
    )
    .closed_by(Closes::EndCanary(change.id))
}

/// The same of a canary that posted samples, or that the plan keeps to some classes.
fn sampled(judging: &Judging<'_, '_>, verdict: &CanaryVerdict) -> Line {
    use canary::Whole;
    let inputs = judging.run_inputs(verdict.baseline.iter().chain(&verdict.candidate));
    let required = || verdict.rows.iter().filter(|r| r.required);
    let status = if verdict.rows.iter().any(|r| r.verdict == Whole::Fail) {
        S::NotSupported
    } else if verdict.rows.is_empty() || required().any(|r| r.verdict != Whole::Pass) {
        S::CannotTell
    } else {
        S::Holds
    };
    let mut sentences = vec![
        Sentence::new("canary-judged-limits")
            .count("count", verdict.rows.len())
            .count("samples", verdict.samples),
    ];
    sentences.extend(verdict.rows.iter().filter_map(|r| r.reason.clone()));
    Line::new("comparison_canary", status, sentences).with_inputs(inputs)
}

fn line(
    judging: &Judging<'_, '_>,
    id: &str,
    phase: Phase,
    baseline: &[Uuid],
    candidate: &[Uuid],
) -> Line {
    let add = |role| Closes::AddRun {
        role,
        phase,
        profiled: Profiled::No,
        class: None,
    };
    let word = Arg::Key(format!("phase-{}", phase.id()));
    let compared = compare::compared(judging.view, baseline, candidate, phase, 0);
    let inputs = judging.run_inputs(baseline.iter().chain(candidate));
    let lacking = match (baseline.is_empty(), candidate.is_empty()) {
        (_, true) => Some(("gate-comparison-no-candidate", RunRole::Candidate)),
        (true, _) if phase != Phase::Canary => {
            Some(("gate-comparison-no-baseline", RunRole::Baseline))
        }
        _ => None,
    };
    if let Some((key, role)) = lacking {
        return Line::new(id, S::Missing, vec![Sentence::new(key).with("phase", word)])
            .with_inputs(inputs)
            .closed_by(add(role));
    }
    let (status, sentences) = said(&compared);
    Line::new(id, status, sentences)
        .with_inputs(inputs)
        .closed_by(Closes::Compare(phase))
}

fn said(compared: &Comparison) -> (S, Vec<Sentence>) {
    if !compared.refused.is_empty() {
        return (S::NotSupported, compared.refused.clone());
    }
    let mut sentences = vec![compared.headline()];
    for row in &compared.rows {
        match &row.verdict {
            Verdict::Breaks => sentences.push(row.said()),
            Verdict::CannotTell(why) => sentences.push(why.clone()),
            Verdict::Holds => {}
        }
        sentences.extend(row.vouched());
    }
    sentences.dedup();
    let status = match compared.counts {
        c if c.breaks > 0 => S::NotSupported,
        c if c.cannot_tell > 0 || compared.identical => S::CannotTell,
        // Without a limit of the phase there is nothing to judge but that both sides were run.
        _ if compared.rows.is_empty() && compared.phase != Phase::Cold => S::CannotTell,
        _ => S::Holds,
    };
    (status, sentences)
}
