//! The lines of each gate. A line finds everything that speaks against it; it holds when that is
//! nothing.

use super::super::canary::{self, Whole};
use super::super::case::CaseFile;
use super::super::change::{CanaryEventKind, Change, ChangeState, Revision};
use super::super::condition::{Claim, Condition};
use super::super::conditions::{self, Status};
use super::super::evidence::Evidence;
use super::super::run::{Phase, Profiled, RunRole};
use super::super::view::{RunView, View};
use super::super::{Arg, Sentence, basis, threshold};
use super::{
    Checks, Closes, Input, InputKind, Line, LineStatus as S, Policy, Target, close, compared, knob,
    matters, review, start,
};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashSet;
use uuid::Uuid;

/// Everything a line may look at.
pub(super) struct Judging<'j, 'a> {
    pub view: &'j View<'a>,
    pub policy: &'j Policy,
    pub target: Target,
    pub checks: &'j Checks,
    pub now: DateTime<Utc>,
    pub numbers: basis::Numbers,
}

impl<'a> Judging<'_, 'a> {
    pub fn case(&self) -> &'a CaseFile {
        self.view.case
    }

    /// The approvals of a change, each with whether it counts.
    pub fn counted(&self, change: &Change) -> Vec<review::Counted> {
        if change.approvals.is_empty() {
            return Vec::new();
        }
        let basis = self.numbers.before_canary(self.case(), change).digest();
        review::counted(self.case(), change, self.policy, self.now, &basis)
    }

    /// The lines of the target in their order.
    pub fn lines(&self) -> Vec<Line> {
        if let Target::Close(outcome) = self.target {
            return close::lines(self, outcome);
        }
        let mut lines: Vec<Line> = Condition::ALL.iter().map(|c| self.condition(*c)).collect();
        let change = self.case().live_change();
        match change.and_then(|c| Some((c, c.current()?))) {
            None => lines.push(
                Line::new("change", S::Missing, vec![Sentence::new("gate-no-change")])
                    .closed_by(Closes::DraftChange),
            ),
            Some((change, revision)) => self.change_lines(change, revision, &mut lines),
        }
        lines.extend(matters::loosened(self));
        lines.push(matters::open_matters(self, change));
        lines.push(matters::case_open(self));
        lines
    }

    fn change_lines(&self, change: &Change, revision: &Revision, lines: &mut Vec<Line>) {
        lines.push(self.revision(change, revision));
        lines.push(knob::line(self, change, revision));
        lines.extend(knob::bundle(self, change, revision));
        lines.push(compared::warm(self, change, revision));
        if self.target == Target::Accept {
            lines.push(compared::cold(self, change, revision));
            lines.push(compared::canary(self, change));
            lines.push(self.canary_verdict(change));
            lines.push(self.unprofiled(change));
            lines.push(self.way_back(change, revision));
            lines.push(start::no_trigger(self, change));
            lines.push(self.approvals(change));
            lines.push(start::freeze(self));
            lines.push(matters::integrity(self));
            return;
        }
        lines.push(self.unprofiled(change));
        lines.push(plan(change, revision));
        lines.extend(start::kind(self, change, revision));
        if self.target == Target::StartCanary {
            lines.push(self.approvals(change));
            lines.push(start::window(self, change, revision));
            lines.push(start::present(self, change, revision));
            lines.push(start::freeze(self));
            lines.push(self.one_at_a_time());
        }
    }

    fn condition(&self, condition: Condition) -> Line {
        let judged = conditions::judged(self.view, condition, self.policy);
        let mut status = match judged.status {
            Status::Held => S::Holds,
            Status::Missing => S::Missing,
            Status::Unsupported => S::NotSupported,
            Status::Stale => S::OutOfDate,
            Status::Contradicted => S::Contradicted,
        };
        let mut sentences = judged.sentences;
        let reading = self.being_read(condition);
        if status == S::NotSupported && !reading.is_empty() {
            status = S::CannotTell;
            sentences = [reading, sentences].concat();
        }
        Line::new(condition.id(), status, sentences)
            .with_inputs(judged.inputs)
            .closed_by(judged.closes)
    }

    /// Items a condition may be waiting for.
    fn being_read(&self, condition: Condition) -> Vec<Sentence> {
        let runs: HashSet<Uuid> = match self.case().record(condition).map(|r| &r.claim) {
            Some(
                Claim::ReproducedBottleneck { runs, .. }
                | Claim::AcceptanceImpactVisible { runs, .. },
            ) => runs.iter().copied().collect(),
            Some(Claim::OwnerLayerIdentified { .. }) => {
                basis::gate_runs(self.case()).map(|r| r.id).collect()
            }
            _ => HashSet::new(),
        };
        self.view
            .runs()
            .filter(|r| runs.contains(&r.run.id))
            .flat_map(|r| &r.reading)
            .map(|e| being_read(e))
            .collect()
    }

    /// The change stands where the act needs it, and is what the canary ran.
    fn revision(&self, change: &Change, revision: &Revision) -> Line {
        let wanted = match self.target {
            Target::Submit => ChangeState::Draft,
            Target::Approve => ChangeState::Submitted,
            Target::StartCanary => ChangeState::ApprovedForCanary,
            _ => ChangeState::AwaitingPromotion,
        };
        let word = |s: ChangeState| Arg::Key(format!("change-state-{}", s.id().replace('_', "-")));
        let mut against = Vec::new();
        if change.state != wanted && !self.may_confirm(change) {
            against.push(
                Sentence::new("gate-change-state")
                    .text("change", change.label())
                    .with("state", word(change.state))
                    .with("wanted", word(wanted)),
            );
        }
        let ran = change.last(CanaryEventKind::Started);
        if self.target == Target::Accept && ran.is_none_or(|e| e.revision_digest != revision.digest)
        {
            against.push(Sentence::new("canary-other-revision"));
        }
        let closes = match change.state {
            ChangeState::Draft => Closes::Submit(change.id),
            ChangeState::Submitted => Closes::Approve(change.id),
            ChangeState::ApprovedForCanary => Closes::StartCanary(change.id),
            ChangeState::CanaryRunning | ChangeState::CanaryPaused => Closes::EndCanary(change.id),
            ChangeState::CanaryEnded => Closes::RollBack(change.id),
            _ => Closes::DraftChange,
        };
        let holds = Sentence::new("gate-revision-holds")
            .text("change", change.label())
            .text("revision", revision.number)
            .with("state", word(change.state));
        Line::unless("revision", against, S::NotSupported, holds)
            .with_inputs(vec![Input::new(
                InputKind::Change,
                change.id,
                change.label(),
            )])
            .closed_by(closes)
    }

    /// Whether an approval that no longer counts may be given again where the change stands: its
    /// ground moved after the first.
    fn may_confirm(&self, change: &Change) -> bool {
        let after = change.state == ChangeState::ApprovedForCanary || change.state.can_roll_back();
        self.target == Target::Approve
            && after
            && change.state != ChangeState::Accepted
            && !review::problems(self.case(), change, self.policy, &self.counted(change)).is_empty()
    }

    fn canary_verdict(&self, change: &Change) -> Line {
        let verdict = canary::judged(self.view, change);
        let mut sentences = verdict.reasons.clone();
        sentences.extend(verdict.rows.iter().filter_map(|r| r.reason.clone()));
        let Some(ended) = verdict.ended_at else {
            return Line::new("canary_verdict", S::Missing, sentences)
                .closed_by(Closes::EndCanary(change.id));
        };
        let status = match verdict.whole {
            Whole::Fail => S::NotSupported,
            Whole::Inconclusive => S::CannotTell,
            Whole::Pass if ended > self.now => S::Error,
            Whole::Pass
                if self.now - ended > TimeDelta::seconds(self.policy.promotion_max_age_s) =>
            {
                sentences.push(
                    Sentence::new("gate-canary-old")
                        .with("at", Arg::Time(ended))
                        .count("hours", (self.policy.promotion_max_age_s / 3600) as usize),
                );
                S::OutOfDate
            }
            Whole::Pass => {
                sentences.push(
                    Sentence::new("gate-canary-passed")
                        .count("count", verdict.rows.len())
                        .with("at", Arg::Time(ended)),
                );
                S::Holds
            }
        };
        Line::new("canary_verdict", status, sentences)
            .with_inputs(self.run_inputs(verdict.candidate.iter().chain(&verdict.baseline)))
            .closed_by(Closes::RollBack(change.id))
    }

    pub fn run_inputs<'i>(&self, ids: impl Iterator<Item = &'i Uuid>) -> Vec<Input> {
        ids.filter_map(|id| self.case().run(*id))
            .map(|r| Input::new(InputKind::Run, r.id, r.label()))
            .collect()
    }

    /// Every run used is unprofiled, or has an unprofiled twin.
    fn unprofiled(&self, change: &Change) -> Line {
        let mut against = Vec::new();
        let mut twins = Vec::new();
        let used = self.runs_used(change);
        for run in used.iter().filter(|r| r.profiled) {
            let twin = self.view.runs().find(|t| {
                let (a, b) = (&t.run.stated, &run.run.stated);
                !t.profiled
                    && a.profiled == Profiled::No
                    && a.role == b.role
                    && a.phase == b.phase
                    && t.environment().same(run.environment())
                    && !t.usable.is_empty()
                    && self.view.troubles(t).is_empty()
            });
            match twin {
                Some(twin) => twins.push(
                    Sentence::new("gate-profiled-twin")
                        .text("run", run.run.label())
                        .text("twin", twin.run.label()),
                ),
                None => {
                    against.push(Sentence::new("gate-profiled-alone").text("run", run.run.label()))
                }
            }
        }
        let closes = Closes::AddRun {
            role: RunRole::Baseline,
            phase: Phase::Warm,
            profiled: Profiled::No,
            class: None,
        };
        let holds = Sentence::new("gate-all-unprofiled");
        let mut line = Line::unless("unprofiled", against, S::NotSupported, holds);
        if line.status == S::Holds && !twins.is_empty() {
            line.sentences = twins;
        }
        line.closed_by(closes)
    }

    fn runs_used(&self, change: &Change) -> Vec<&RunView<'a>> {
        let mut ids: HashSet<Uuid> = HashSet::new();
        for condition in Condition::ALL {
            match self.case().record(*condition).map(|r| &r.claim) {
                Some(
                    Claim::ReproducedBottleneck { runs, .. }
                    | Claim::AcceptanceImpactVisible { runs, .. },
                ) => ids.extend(runs),
                Some(Claim::OwnerLayerIdentified { cited, .. }) => ids.extend(
                    cited
                        .iter()
                        .filter_map(|c| Some(self.case().item(c.evidence_id)?.run_id)),
                ),
                _ => {}
            }
        }
        let mut phases = vec![Phase::Warm];
        if self.target == Target::Accept {
            phases.extend([Phase::Cold, Phase::Canary]);
        }
        for phase in phases {
            let (a, b) = compared::runs(self.view, change, phase);
            ids.extend(a.into_iter().chain(b));
        }
        self.view
            .runs()
            .filter(|r| ids.contains(&r.run.id))
            .collect()
    }

    fn way_back(&self, change: &Change, revision: &Revision) -> Line {
        let against = match &self.case().contract {
            Some(version) => threshold::set_problems(&revision.terms, version, self.policy),
            None => vec![Sentence::new("gate-no-contract")],
        };
        let holds = Sentence::new("gate-way-back-holds")
            .count("count", revision.terms.thresholds.len())
            .text("watcher", &revision.terms.plan.watcher);
        Line::unless("way_back", against, S::NotSupported, holds)
            .closed_by(Closes::EditChange(change.id))
    }

    fn approvals(&self, change: &Change) -> Line {
        let all = self.counted(change);
        let against = review::problems(self.case(), change, self.policy, &all);
        if start::approvals_needed(change, self.policy) == 0 {
            let sentence = Sentence::new("gate-approvals-standard");
            return Line::new("approvals", S::NotApplicable, vec![sentence]);
        }
        let status = if change.approvals.is_empty() {
            S::Missing
        } else {
            S::OutOfDate
        };
        let names = all
            .into_iter()
            .filter(review::Counted::counts)
            .map(|c| Arg::Text(c.name))
            .collect();
        let holds = Sentence::new("gate-approvals-hold").with("people", Arg::List(names));
        Line::unless("approvals", against, status, holds).closed_by(Closes::Approve(change.id))
    }

    fn one_at_a_time(&self) -> Line {
        let mut against: Vec<Sentence> = self
            .case()
            .other_live_change
            .iter()
            .map(|other| {
                Sentence::new("gate-other-live-change")
                    .text("other", other)
                    .text("service", &self.case().service.1)
            })
            .collect();
        against.extend(start::still_in_service(self.case()));
        let holds = Sentence::new("gate-only-change").text("service", &self.case().service.1);
        Line::unless("one_at_a_time", against, S::NotSupported, holds)
    }
}

pub(super) fn being_read(item: &Evidence) -> Sentence {
    Sentence::new("gate-being-read")
        .text("evidence", item.label())
        .with("since", Arg::Time(item.state_since))
}

/// The plan is complete and turns one knob.
fn plan(change: &Change, revision: &Revision) -> Line {
    let against = revision
        .terms
        .problems()
        .into_iter()
        .map(|(_, sentence)| sentence)
        .collect();
    let holds = Sentence::new("gate-plan-holds").text("change", change.label());
    Line::unless("plan", against, S::NotSupported, holds).closed_by(Closes::EditChange(change.id))
}
