//! What the program does by itself with a canary: it recalls a change whose threshold triggered,
//! ends a canary whose time or exposure is used up, and confirms a promoted change after its watch.
//! Only what is due now and why is said here; the store does it.

use super::{CanaryEventKind as K, Whole, triggered};
use crate::ladder::case::CaseFile;
use crate::ladder::change::{Change, ChangeState};
use crate::ladder::run::{Phase, RunRole};
use crate::ladder::upkeep::What;
use crate::ladder::view::View;
use crate::ladder::{Arg, Sentence, Unit};
use chrono::{DateTime, TimeDelta, Utc};

/// What is due to a change now, and why.
pub(in crate::ladder) fn due(
    view: &View<'_>,
    change: &Change,
    now: DateTime<Utc>,
) -> Option<(What, Sentence)> {
    use ChangeState as S;
    let live = matches!(
        change.state,
        S::CanaryRunning | S::CanaryPaused | S::CanaryEnded | S::AwaitingPromotion | S::Accepted
    );
    if !live {
        return None;
    }
    if let Some(found) = triggered(view, change) {
        return Some((What::Recall, found.said));
    }
    match change.state {
        S::CanaryRunning | S::CanaryPaused => end(view, change, now),
        S::Accepted => confirm(view, change, now),
        _ => None,
    }
}

/// Over: beyond its plan, out of time, or judged as planned once its least time has passed. One
/// that cannot be judged by then goes on to its longest time.
fn end(view: &View<'_>, change: &Change, now: DateTime<Utc>) -> Option<(What, Sentence)> {
    let plan = change.plan()?;
    let so_far = super::running(view, change, now);
    let exposure = so_far.exposure.as_ref()?;
    let slack = view.terms().map_or(0, |terms| plan.interval(terms));
    let beyond = super::exposure::beyond(change, &plan, exposure, now, slack);
    if let Some(first) = beyond.into_iter().next() {
        return Some((What::End(Whole::Fail), first));
    }
    let took = |s: u32| Arg::Value(f64::from(s), Unit::Seconds);
    if let Some(most) = plan.max_seconds
        && exposure.seconds >= i64::from(most)
    {
        let known = exposure.share.is_some() && exposure.requests.is_some();
        let whole = match so_far.whole {
            Whole::Pass if !known => Whole::Inconclusive,
            whole => whole,
        };
        let said = Sentence::new("canary-ends-most").with("most", took(most));
        return Some((What::End(whole), said));
    }
    let least = plan.min_seconds?;
    let judged = so_far.samples > 0
        && so_far.whole != Whole::Inconclusive
        && exposure.share.is_some()
        && exposure.requests.is_some();
    (change.state == ChangeState::CanaryRunning && exposure.seconds >= i64::from(least) && judged)
        .then(|| {
            let said = Sentence::new("canary-ends-least").with("least", took(least));
            (What::End(so_far.whole), said)
        })
}

/// Whether somebody has shown the promoted service since the acceptance: a usable candidate run or
/// a posted sample of a time after it.
fn shown_since(view: &View<'_>, change: &Change, accepted: DateTime<Utc>) -> Option<Arg> {
    let run = [Phase::Warm, Phase::Canary]
        .into_iter()
        .flat_map(|phase| view.runs_for(RunRole::Candidate, phase))
        .filter(|r| !r.profiled && view.troubles(r).is_empty())
        .find(|r| {
            r.run
                .stated
                .window
                .is_some_and(|(from, _)| from >= accepted)
        });
    if let Some(run) = run {
        return Some(Arg::Text(run.run.label()));
    }
    change
        .samples
        .iter()
        .any(|k| k.sample.arm == super::Arm::Candidate && k.sample.starts_at >= accepted)
        .then(|| Arg::Key("canary-by-samples".to_owned()))
}

fn confirm(view: &View<'_>, change: &Change, now: DateTime<Utc>) -> Option<(What, Sentence)> {
    let accepted = change.state_since;
    let watch = view.case.policy.watch_window_s;
    if now - accepted < TimeDelta::seconds(watch) {
        return None;
    }
    let shown = shown_since(view, change, accepted)?;
    Some((
        What::Confirm,
        Sentence::new("canary-confirmed")
            .with("shown", shown)
            .with("window", Arg::Value(watch as f64, Unit::Seconds)),
    ))
}

/// Why a rollback is asked for: the canary stayed paused longer than the policy allows.
pub fn paused_too_long(case: &CaseFile, change: &Change, now: DateTime<Utc>) -> Option<Sentence> {
    if change.state != ChangeState::CanaryPaused {
        return None;
    }
    let since = change.last(K::Paused)?.at;
    let most = case.policy.paused_max_s;
    (now - since >= TimeDelta::seconds(most)).then(|| {
        Sentence::new("canary-paused-long")
            .text("change", change.label())
            .with("since", Arg::Time(since))
            .with("most", Arg::Value(most as f64, Unit::Seconds))
    })
}
