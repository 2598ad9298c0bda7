//! The verdict of a canary: per limit pass, fail or inconclusive; any fail fails the whole, any
//! inconclusive on a required limit leaves it open. There is no weighted score and no limit is
//! muted.
//!
//! It is judged on the samples posted while it ran and on the runs described beside it. What came
//! after its end is kept and not judged.

mod due;
mod event;
mod exposure;
mod row;
mod sample;
mod series;
mod span;
mod trigger;
mod worst;

pub(super) use due::due;
pub use due::paused_too_long;
pub use event::{CanaryEvent, CanaryEventKind, Extension, Presence, Whole};
pub use exposure::{Exposure, exposure};
pub use row::CanaryRow;
pub use sample::{Arm, Kept, Sample};
pub use trigger::{Triggered, triggered};
pub use worst::{Worst, worst_case};

use super::case::CaseFile;
use super::change::{Change, Revision};
use super::compare::{self, Comparison};
use super::contract::{LimitPhase, Terms as ContractTerms};
use super::plan::CanaryPlan;
use super::run::{Phase, Run, RunRole};
use super::view::{RunView, View};
use super::{Arg, Sentence, Unit, gate, weigh};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use span::Span;
use uuid::Uuid;

/// The verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CanaryVerdict {
    /// The whole.
    pub whole: Whole,
    /// Limits: those that fail first, then inconclusive, then pass.
    pub rows: Vec<CanaryRow>,
    /// What concerns the canary as such: scope exceeded, no run, no baseline arm.
    pub reasons: Vec<Sentence>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// Its runs, candidate arm.
    pub candidate: Vec<Uuid>,
    /// Its runs, baseline arm.
    pub baseline: Vec<Uuid>,
    /// What it was exposed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposure: Option<Exposure>,
    /// Number of posted samples it was judged on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub samples: usize,
}

impl CanaryVerdict {
    /// Whether it waits for numbers that are still being calculated: such a verdict is none.
    pub fn is_pending(&self) -> bool {
        let said = self.rows.iter().filter_map(|r| r.reason.as_ref());
        said.chain(&self.reasons).any(weigh::is_pending)
    }
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// The verdict of the change's last ended canary on what is known now.
pub fn verdict(case: &CaseFile, change: &Change) -> CanaryVerdict {
    judged(&View::new(case), change)
}

/// What a running canary comes to so far; how long it still has to run is not judged.
pub fn so_far(case: &CaseFile, change: &Change, now: DateTime<Utc>) -> CanaryVerdict {
    running(&View::new(case), change, now)
}

fn nothing(reason: &str) -> CanaryVerdict {
    CanaryVerdict {
        whole: Whole::Inconclusive,
        rows: Vec::new(),
        reasons: vec![Sentence::new(reason)],
        ended_at: None,
        candidate: Vec::new(),
        baseline: Vec::new(),
        exposure: None,
        samples: 0,
    }
}

pub(super) fn judged(view: &View<'_>, change: &Change) -> CanaryVerdict {
    let Some(ended) = change.ended() else {
        return nothing("canary-not-ended");
    };
    let Some(revision) = change.current() else {
        return nothing("gate-no-change");
    };
    let Some(span) = Span::of(change, ended.at, true) else {
        return nothing("canary-time-unknown");
    };
    let mut out = Judging::new(view, change, revision, &span).verdict(Some(ended));
    out.ended_at = Some(ended.at);
    out
}

fn running(view: &View<'_>, change: &Change, now: DateTime<Utc>) -> CanaryVerdict {
    let Some(revision) = change.current() else {
        return nothing("gate-no-change");
    };
    match Span::of(change, now, false) {
        Some(span) => Judging::new(view, change, revision, &span).verdict(None),
        None => nothing("canary-not-started"),
    }
}

/// Everything a verdict looks at.
struct Judging<'j, 'a> {
    view: &'j View<'a>,
    change: &'j Change,
    revision: &'j Revision,
    plan: CanaryPlan,
    span: &'j Span,
    posted: Vec<&'j Kept>,
}

impl<'j, 'a> Judging<'j, 'a> {
    fn new(view: &'j View<'a>, change: &'j Change, revision: &'j Revision, span: &'j Span) -> Self {
        // Late ones are kept and not judged; while it runs there are none.
        let posted = change.samples.iter().filter(|k| k.at <= span.until);
        Self {
            plan: change.plan().unwrap_or_default(),
            posted: posted.collect(),
            view,
            change,
            revision,
            span,
        }
    }

    fn verdict(&self, ended: Option<&CanaryEvent>) -> CanaryVerdict {
        let mut out = nothing("canary-nothing-judged");
        out.reasons.clear();
        out.samples = self.posted.len();
        out.exposure = exposure(self.change, self.span.until);
        let beyond = self.beyond(out.exposure.as_ref());
        let named = ended.and_then(|e| e.run_id);
        let run = named.and_then(|id| self.view.run(id));
        let (candidate, baseline) = match run {
            Some(run) => arms(self.view, run),
            None => (
                self.beside(RunRole::Candidate),
                self.beside(RunRole::Baseline),
            ),
        };
        if let Some(ended) = ended {
            if ended.revision_digest != self.revision.digest {
                out.reasons.push(Sentence::new("canary-other-revision"));
            }
            out.reasons.extend(self.incomplete(out.exposure.as_ref()));
            out.reasons.extend(run.and_then(|r| self.outside(r)));
        }
        out.candidate = candidate.iter().map(|r| r.run.id).collect();
        out.baseline = baseline.iter().map(|r| r.run.id).collect();
        // The arms are split as the canary's own share says, where both count their requests.
        let share = ended.and_then(|e| e.share).or(self.plan.share_ceiling);
        out.reasons
            .extend(share.and_then(|s| weigh::broken_split(&baseline, &candidate, s)));
        if candidate.is_empty() && self.posted.is_empty() {
            let key = if ended.is_some() {
                "canary-no-run"
            } else {
                "canary-nothing-yet"
            };
            out.reasons.push(Sentence::new(key));
        } else {
            self.judge_into(&mut out, &candidate, baseline.is_empty());
        }
        out.rows.sort_by_key(|r| std::cmp::Reverse(r.verdict));
        out.whole = whole(&beyond, &out);
        out.reasons.splice(0..0, beyond);
        out
    }

    fn judge_into(&self, out: &mut CanaryVerdict, candidate: &[&RunView<'_>], alone: bool) {
        let baseline_posted = self.posted.iter().any(|k| k.sample.arm == Arm::Baseline);
        if self.plan.concurrent_baseline && alone && !baseline_posted {
            out.reasons.push(Sentence::new("canary-no-baseline-arm"));
        }
        let compared = (!candidate.is_empty()).then(|| {
            let least = self.plan.min_samples.unwrap_or(0);
            compare::compared(
                self.view,
                &out.baseline,
                &out.candidate,
                Phase::Canary,
                least,
            )
        });
        match &compared {
            Some(compared) => {
                out.reasons.extend(compared.refused.iter().cloned());
                out.reasons.extend(beyond_the_knob(compared));
            }
            None => out.reasons.extend(self.environment_unknown()),
        }
        let described = self.described(RunRole::Candidate);
        out.reasons
            .extend(described.iter().find_map(|r| self.other_value(r)));
        out.reasons.extend(self.silent_classes(candidate));
        out.rows = self.rows(compared.as_ref());
        if out.rows.is_empty() {
            out.reasons.push(Sentence::new("canary-nothing-judged"));
        }
    }

    /// One row per limit of the contract that the plan does not leave out by its class.
    fn rows(&self, compared: Option<&Comparison>) -> Vec<CanaryRow> {
        let Some(terms) = self.view.terms() else {
            return Vec::new();
        };
        let rules = series::Rules {
            plan: &self.plan,
            terms,
            policy: &self.view.case.policy,
            span: self.span,
        };
        terms
            .limits
            .iter()
            .filter(|l| l.phase == LimitPhase::Warm)
            .filter(|l| l.class.as_deref().is_none_or(|c| self.plan.includes(c)))
            .filter_map(|limit| {
                let of_runs = compared
                    .and_then(|c| c.rows.iter().find(|r| r.limit_id == limit.id))
                    .map(|r| row::of_runs(r.clone(), limit, &self.plan));
                let of_samples =
                    series::judge(&rules, limit, &self.posted).map(|j| row::of_samples(j, limit));
                let none = || {
                    self.posted
                        .first()
                        .map(|_| row::without_samples(limit, "canary-no-samples-for"))
                };
                let mut found = row::together(of_runs, of_samples).or_else(none)?;
                found.required = self.plan.requires(&limit.id);
                Some(found)
            })
            .collect()
    }

    fn beyond(&self, exposure: Option<&Exposure>) -> Vec<Sentence> {
        let slack = self
            .view
            .terms()
            .map_or(0, |terms| self.plan.interval(terms));
        exposure.map_or_else(Vec::new, |e| {
            exposure::beyond(self.change, &self.plan, e, self.span.until, slack)
        })
    }

    /// What keeps an ended canary from being judged as planned.
    fn incomplete(&self, exposure: Option<&Exposure>) -> Vec<Sentence> {
        let mut found = Vec::new();
        if exposure.is_none_or(|e| e.share.is_none() || e.requests.is_none()) {
            found.push(Sentence::new("canary-exposure-unknown"));
        }
        match (exposure.map(|e| e.seconds), self.plan.min_seconds) {
            (Some(took), Some(least)) if took < i64::from(least) => found.push(
                Sentence::new("canary-too-short")
                    .with("took", Arg::Value(took as f64, Unit::Seconds))
                    .with("least", Arg::Value(f64::from(least), Unit::Seconds)),
            ),
            (None, _) | (_, None) => found.push(Sentence::new("canary-time-unknown")),
            _ => {}
        }
        found
    }

    /// The run the canary ended with was taken while it ran.
    fn outside(&self, run: &RunView<'_>) -> Option<Sentence> {
        let (from, to) = run.run.stated.window?;
        (to <= self.span.started || from >= self.span.until)
            .then(|| Sentence::new("canary-run-outside").text("run", run.run.label()))
    }

    fn during(&self, run: &Run) -> bool {
        run.stated
            .window
            .is_some_and(|(from, to)| to > self.span.started && from < self.span.until)
    }

    /// Canary runs of this role with evidence, taken while it ran.
    fn beside(&self, role: RunRole) -> Vec<&'j RunView<'a>> {
        self.view
            .runs_for(role, Phase::Canary)
            .filter(|r| self.during(r.run))
            .collect()
    }

    /// Canary runs of this role taken while it ran, with or without evidence.
    fn described(&self, role: RunRole) -> Vec<&'a Run> {
        let named = self.change.ended().and_then(|e| e.run_id);
        let mut found: Vec<&Run> = self
            .view
            .case
            .runs
            .iter()
            .filter(|r| r.stated.role == role && r.stated.phase == Phase::Canary)
            .filter(|r| self.during(r) || Some(r.id) == named)
            .collect();
        // The one it ended with speaks first.
        found.sort_by_key(|r| Some(r.id) != named);
        found
    }

    /// Samples say nothing about where they were taken: a run described beside them does.
    fn environment_unknown(&self) -> Option<Sentence> {
        let known = self
            .described(RunRole::Candidate)
            .iter()
            .filter_map(|r| self.view.run(r.id))
            .any(|r| !r.environment().is_unknown());
        (!known).then(|| Sentence::new("canary-environment-unknown"))
    }

    /// The candidate arm runs the declared value.
    fn other_value(&self, run: &Run) -> Option<Sentence> {
        let terms = &self.revision.terms;
        let key = gate::knob_key(terms);
        let taken_in = self.view.run(run.id)?.environment();
        (!taken_in.has(&key, &terms.knob.new)).then(|| {
            Sentence::new("gate-candidate-other-value")
                .text("run", run.label())
                .text("setting", &key)
                .text("value", taken_in.get(&key).unwrap_or("?"))
                .text("new", &terms.knob.new)
        })
    }

    /// Classes of the contract that the plan includes and that took no traffic.
    fn silent_classes(&self, candidate: &[&RunView<'_>]) -> Vec<Sentence> {
        let terms: &ContractTerms = match self.view.terms() {
            Some(terms) if terms.classes.len() > 1 => terms,
            _ => return Vec::new(),
        };
        let seen = |class: &str| {
            let posted = self.posted.iter().map(|k| &k.sample);
            let mut posted = posted.filter(|s| s.arm == Arm::Candidate);
            posted.any(|s| s.class.as_deref() == Some(class))
                || candidate
                    .iter()
                    .any(|r| r.run.stated.class.as_deref() == Some(class))
        };
        terms
            .classes
            .iter()
            .filter(|c| self.plan.includes(&c.name) && !seen(&c.name))
            .map(|c| Sentence::new("canary-class-silent").text("class", &c.name))
            .collect()
    }
}

fn whole(beyond: &[Sentence], out: &CanaryVerdict) -> Whole {
    let failed = out.rows.iter().any(|r| r.verdict == Whole::Fail);
    let required = out.rows.iter().filter(|r| r.required);
    let worst = required.map(|r| r.verdict).max();
    match worst {
        _ if failed || !beyond.is_empty() => Whole::Fail,
        Some(Whole::Pass) if out.reasons.is_empty() => Whole::Pass,
        _ => Whole::Inconclusive,
    }
}

/// Both arms: canary runs whose window overlaps that of the named run.
fn arms<'v, 'a>(
    view: &'v View<'a>,
    run: &'v RunView<'a>,
) -> (Vec<&'v RunView<'a>>, Vec<&'v RunView<'a>>) {
    let beside = |role: RunRole| {
        view.runs_for(role, Phase::Canary)
            .filter(|r| {
                r.run.id != run.run.id && r.run.stated.window.is_some() && r.run.overlaps(run.run)
            })
            .collect::<Vec<_>>()
    };
    let mut candidate = vec![run];
    candidate.extend(beside(RunRole::Candidate));
    (candidate, beside(RunRole::Baseline))
}

/// The arms differ in nothing but what the change declares.
fn beyond_the_knob(compared: &Comparison) -> Vec<Sentence> {
    compared
        .environment
        .iter()
        .filter(|d| !d.declared)
        .map(|d| {
            Sentence::new("canary-environment").with(
                "facts",
                super::reproduce::facts(std::slice::from_ref(&d.fact)),
            )
        })
        .collect()
}
