//! The lines for closing a case: nothing is left running, and the outcome is true.

use super::super::case::{CaseState, Outcome};
use super::super::change::{Change, ChangeState};
use super::super::measure::{self, Verdict};
use super::super::run::{Phase, Profiled, RunRole};
use super::super::{Arg, Sentence};
use super::lines::Judging;
use super::{Closes, Line, LineStatus as S};

pub(super) fn lines(judging: &Judging<'_, '_>, outcome: Outcome) -> Vec<Line> {
    vec![
        still_open(judging),
        nothing_live(judging),
        overrides_reviewed(judging),
        outcome_true(judging, outcome),
    ]
}

fn still_open(judging: &Judging<'_, '_>) -> Line {
    let closed = judging.case().state == CaseState::Closed;
    let against = closed.then(|| Sentence::new("gate-case-closed"));
    Line::unless(
        "case_open",
        against.into_iter().collect(),
        S::NotSupported,
        Sentence::new("gate-close-case-open"),
    )
}

/// A change is live from its submission until it ends; one that was recalled or expired after its
/// canary started still has its candidate in service until somebody says that the old value is.
fn is_live(change: &Change) -> bool {
    change.still_in_service() || !(change.state.is_terminal() || change.state == ChangeState::Draft)
}

fn nothing_live(judging: &Judging<'_, '_>) -> Line {
    let live: Vec<&Change> = judging
        .case()
        .changes
        .iter()
        .filter(|c| is_live(c))
        .collect();
    let against = live
        .iter()
        .map(|c| {
            Sentence::new("gate-close-live-change")
                .text("change", c.label())
                .with(
                    "state",
                    Arg::Key(format!("change-state-{}", c.state.id().replace('_', "-"))),
                )
        })
        .collect();
    let closes = live.first().map(|c| {
        if c.state.can_roll_back() || c.still_in_service() {
            Closes::RollBack(c.id)
        } else {
            Closes::EditChange(c.id)
        }
    });
    Line::unless(
        "nothing_live",
        against,
        S::NotSupported,
        Sentence::new("gate-close-nothing-live"),
    )
    .closed_by(closes)
}

/// Every override was looked at by somebody who was not involved.
fn overrides_reviewed(judging: &Judging<'_, '_>) -> Line {
    let case = judging.case();
    if case.overrides.is_empty() {
        let none = vec![Sentence::new("gate-close-no-override")];
        return Line::new("override_review", S::NotApplicable, none);
    }
    let waiting: Vec<_> = case
        .overrides
        .iter()
        .filter(|o| o.review.is_none())
        .collect();
    let against = waiting
        .iter()
        .map(|o| {
            Sentence::new("gate-close-override-review")
                .text("person", case.name_of(o.by))
                .with("at", Arg::Time(o.at))
                .with("due", Arg::Time(o.review_due))
        })
        .collect();
    let closes = waiting.first().map(|o| Closes::Override(o.id));
    Line::unless(
        "override_review",
        against,
        S::Missing,
        Sentence::new("gate-close-overrides-reviewed").count("count", case.overrides.len()),
    )
    .closed_by(closes)
}

fn outcome_true(judging: &Judging<'_, '_>, outcome: Outcome) -> Line {
    let any = |state| judging.case().changes.iter().any(|c| c.state == state);
    let submitted = || {
        judging
            .case()
            .changes
            .iter()
            .flat_map(|c| &c.revisions)
            .any(|r| r.submitted_at.is_some())
    };
    let mut closes = None;
    let against = match outcome {
        Outcome::ChangeConfirmed if !any(ChangeState::Confirmed) => "gate-close-none-confirmed",
        Outcome::ChangeRolledBack if !any(ChangeState::RolledBack) => "gate-close-none-rolled-back",
        Outcome::OpenedInError if submitted() => "gate-close-was-submitted",
        Outcome::NotReproduced if clean_runs(judging) < 2 => {
            closes = Some(Closes::AddRun {
                role: RunRole::Baseline,
                phase: Phase::Warm,
                profiled: Profiled::No,
                class: None,
            });
            "gate-close-not-reproduced"
        }
        _ => "",
    };
    let against = if against.is_empty() {
        Vec::new()
    } else {
        vec![Sentence::new(against)]
    };
    Line::unless(
        "outcome",
        against,
        S::NotSupported,
        Sentence::new("gate-close-outcome-holds"),
    )
    .closed_by(closes)
}

/// Baseline runs under the contract that keep the symptom's limit, or every limit they can be
/// judged by when the symptom is not a limit.
fn clean_runs(judging: &Judging<'_, '_>) -> usize {
    let Some(terms) = judging.view.terms() else {
        return 0;
    };
    let symptom = &judging.case().symptom;
    let named: Vec<_> = terms
        .limits
        .iter()
        .filter(|l| {
            symptom.signal.as_deref() == Some(l.signal.as_str())
                && symptom.statistic.is_none_or(|s| s == l.statistic)
        })
        .collect();
    let limits = if named.is_empty() {
        terms.limits.iter().collect()
    } else {
        named
    };
    [Phase::Warm, Phase::Cold]
        .into_iter()
        .flat_map(|phase| judging.view.runs_for(RunRole::Baseline, phase))
        .filter(|r| judging.view.troubles(r).is_empty())
        .filter(|r| {
            let verdicts: Vec<Verdict> = limits
                .iter()
                .filter(|l| super::super::reproduce::phase_of(l) == r.run.stated.phase)
                .map(|l| measure::judge(judging.view, r, l, 0).verdict)
                .collect();
            verdicts.contains(&Verdict::Holds) && !verdicts.contains(&Verdict::Breaks)
        })
        .count()
}
