//! The lines that guard a canary's start, and what stands in a promotion's way from outside the
//! evidence: the start window, the watcher's word, the kind of the change, freezes and triggers.

use super::super::break_glass;
use super::super::canary;
use super::super::case::{CaseFile, PersonRef};
use super::super::change::{Change, Revision, Route};
use super::super::plan::CanaryPlan;
use super::super::{Arg, Sentence};
use super::lines::Judging;
use super::{Closes, Line, LineStatus as S, Policy, Target};
use chrono::{TimeDelta, Utc};

/// Approvals of its canary a change needs, by its kind. A standard one was agreed to beforehand.
pub fn approvals_needed(change: &Change, policy: &Policy) -> usize {
    match change.current().map(|r| r.terms.kind) {
        Some(Route::Standard) => 0,
        _ => policy.canary_approvals,
    }
}

/// The person who watches: the one chosen, or of an older plan the only one of that name.
pub fn watcher<'a>(case: &'a CaseFile, plan: &CanaryPlan) -> Option<&'a PersonRef> {
    if let Some(id) = plan.watcher_id {
        return case.person(id);
    }
    let name = plan.watcher.trim();
    let mut found = case.people.iter().filter(|p| p.active && p.name == name);
    found.next().filter(|_| found.next().is_none())
}

/// Inside the planned start window. A canary that has started does not start again.
pub(super) fn window(judging: &Judging<'_, '_>, change: &Change, revision: &Revision) -> Line {
    let plan = &revision.terms.plan;
    let edit = Closes::EditChange(change.id);
    let time = |at| Arg::Time(at);
    let (status, sentence) = match (plan.start_from, plan.start_to) {
        (None, None) => (S::NotApplicable, Sentence::new("gate-start-any-time")),
        (Some(from), _) if judging.now < from => (
            S::NotSupported,
            Sentence::new("gate-start-too-early").with("from", time(from)),
        ),
        (_, Some(to)) if judging.now > to => (
            S::OutOfDate,
            Sentence::new("gate-start-too-late").with("to", time(to)),
        ),
        (_, Some(to)) => (
            S::Holds,
            Sentence::new("gate-start-open").with("to", time(to)),
        ),
        (Some(_), None) => (S::Holds, Sentence::new("gate-start-open-end")),
    };
    Line::new("start_window", status, vec![sentence]).closed_by(edit)
}

/// The watcher said, by their own account and just now, that they are present.
pub(super) fn present(judging: &Judging<'_, '_>, change: &Change, revision: &Revision) -> Line {
    let plan = &revision.terms.plan;
    let most = judging.policy.presence_max_age_s;
    let said = |key: &str| {
        Sentence::new(key)
            .text("watcher", &plan.watcher)
            .with("most", Arg::Value(most as f64, super::super::Unit::Seconds))
    };
    let Some(person) = watcher(judging.case(), plan) else {
        return Line::new("watcher", S::Missing, vec![said("gate-watcher-unknown")])
            .closed_by(Closes::EditChange(change.id));
    };
    if !person.active {
        return Line::new("watcher", S::NotSupported, vec![said("gate-watcher-away")])
            .closed_by(Closes::EditChange(change.id));
    }
    let last = change.presence.iter().rev().find(|p| p.by == person.id);
    let (status, sentence) = match last {
        None => (S::Missing, said("gate-watcher-silent")),
        Some(p) if p.at > judging.now => (S::Error, said("gate-watcher-silent")),
        Some(p) if judging.now - p.at > TimeDelta::seconds(most) => (
            S::OutOfDate,
            said("gate-watcher-long-ago").with("at", Arg::Time(p.at)),
        ),
        Some(p) => (
            S::Holds,
            said("gate-watcher-present").with("at", Arg::Time(p.at)),
        ),
    };
    Line::new("watcher", status, vec![sentence]).closed_by(Closes::Change(change.id))
}

/// What the kind of the change asks for beyond what all do; `None` for the usual kind.
pub(super) fn kind(
    judging: &Judging<'_, '_>,
    change: &Change,
    revision: &Revision,
) -> Option<Line> {
    let terms = &revision.terms;
    let line = match terms.kind {
        Route::Normal => return None,
        // It is used on a submitted revision, so that there is none to ask for before.
        Route::Emergency if judging.target == Target::Submit => return None,
        Route::Emergency => {
            let used = break_glass::in_force(judging.case(), change, judging.now).count();
            let against = (used == 0).then(|| Sentence::new("gate-kind-emergency"));
            let holds = Sentence::new("gate-kind-override").count("count", used);
            Line::unless("kind", against.into_iter().collect(), S::Missing, holds)
        }
        Route::Standard => {
            let all = &judging.case().templates;
            let template = all.iter().find(|t| Some(t.id) == terms.template);
            match template {
                None => Line::new("kind", S::Missing, vec![Sentence::new("template-none")]),
                Some(t) => Line::unless(
                    "kind",
                    t.problems(terms),
                    S::NotSupported,
                    Sentence::new("template-holds")
                        .text("template", t.label())
                        .text("from", t.least)
                        .text("to", t.most),
                ),
            }
        }
    };
    Some(line.closed_by(Closes::EditChange(change.id)))
}

/// No freeze of the service is in force.
pub(super) fn freeze(judging: &Judging<'_, '_>) -> Line {
    let case = judging.case();
    let against = case
        .freezes
        .iter()
        .filter(|f| f.holds_at(judging.now))
        .map(super::super::template::Freeze::said)
        .collect();
    let holds = Sentence::new("freeze-none").text("service", &case.service.1);
    Line::unless("freeze", against, S::NotSupported, holds)
}

/// No rollback threshold has triggered on what is known, whether or not the program has acted yet.
pub(super) fn no_trigger(judging: &Judging<'_, '_>, change: &Change) -> Line {
    let against = canary::triggered(judging.view, change)
        .map(|t| t.said)
        .into_iter()
        .collect();
    let holds = Sentence::new("gate-no-trigger");
    Line::unless("no_trigger", against, S::NotSupported, holds)
        .closed_by(Closes::RollBack(change.id))
}

/// A change of this case that is over and whose candidate is still in service.
pub(super) fn still_in_service(case: &CaseFile) -> Vec<Sentence> {
    case.changes
        .iter()
        .filter(|c| c.still_in_service())
        .map(|c| Sentence::new("gate-still-in-service").text("change", c.label()))
        .collect()
}

/// Freezes that are not over, the nearest first.
pub fn freezes_ahead(
    case: &CaseFile,
    now: chrono::DateTime<Utc>,
) -> Vec<&super::super::template::Freeze> {
    case.freezes.iter().filter(|f| f.to > now).collect()
}
