//! What the program does by itself, without being asked: a canary pauses when the ground it was
//! approved on moves, an approval that no longer counts sends the change back, and what nobody
//! acted on in time expires (lifecycle §6, §7).
//!
//! Only *what is due now and why* is said here; the store does it, in the transaction of the act
//! that moved the ground, and a scheduler asks again as time passes.

use super::break_glass::{self, Overridable};
use super::canary::{self, Whole};
use super::case::CaseFile;
use super::change::{CanaryEventKind, Change, ChangeState};
use super::condition::Condition;
use super::conditions::{self, Status};
use super::gate::{self, Checks, Counted};
use super::invalidation::{self, CanaryFate};
use super::view::View;
use super::{Arg, Sentence};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Something the program does to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum What {
    /// Pauses its canary.
    Pause,
    /// Sends it back to be approved again.
    Unapprove,
    /// Ends it, because its canary was not started in time.
    ExpireApproval,
    /// Ends it, because it was not promoted in time. Its candidate stays in service until
    /// somebody states that the old value is back.
    ExpirePromotion,
    /// Takes it back, because a rollback threshold triggered. Its candidate stays in service until
    /// somebody states that the old value is back.
    Recall,
    /// Ends its canary with this verdict.
    End(Whole),
    /// Confirms it: its watch window passed clean.
    Confirm,
}

impl What {
    /// Everything the program does.
    pub const ALL: [Self; 9] = [
        Self::Pause,
        Self::Unapprove,
        Self::ExpireApproval,
        Self::ExpirePromotion,
        Self::Recall,
        Self::End(Whole::Pass),
        Self::End(Whole::Inconclusive),
        Self::End(Whole::Fail),
        Self::Confirm,
    ];

    /// The state the change is in afterwards.
    pub fn leads_to(self) -> ChangeState {
        match self {
            Self::Pause => ChangeState::CanaryPaused,
            Self::Unapprove => ChangeState::Submitted,
            Self::ExpireApproval | Self::ExpirePromotion => ChangeState::Expired,
            Self::Recall => ChangeState::RolledBack,
            Self::End(Whole::Pass) => ChangeState::AwaitingPromotion,
            Self::End(_) => ChangeState::CanaryEnded,
            Self::Confirm => ChangeState::Confirmed,
        }
    }

    /// Name of the act in the log.
    pub fn act(self) -> &'static str {
        match self {
            Self::Pause => "canary.pause",
            Self::Unapprove => "change.unapprove",
            Self::ExpireApproval | Self::ExpirePromotion => "change.expire",
            Self::Recall => "canary.recall",
            Self::End(_) => "canary.end",
            Self::Confirm => "change.confirm",
        }
    }
}

/// One thing that is due.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    /// The change.
    pub change_id: Uuid,
    /// What the program does.
    pub what: What,
    /// Everything that makes it so, said.
    pub why: Vec<Sentence>,
}

/// What is due on the changes of a case, at most one thing per change: the store asks again after
/// it has done it.
pub fn due(case: &CaseFile, checks: &Checks, now: DateTime<Utc>) -> Vec<Due> {
    let waiting = |c: &&Change| {
        matches!(
            c.state,
            ChangeState::ApprovedForCanary
                | ChangeState::CanaryRunning
                | ChangeState::CanaryPaused
                | ChangeState::CanaryEnded
                | ChangeState::AwaitingPromotion
                | ChangeState::Accepted
        )
    };
    if !case.changes.iter().any(|c| waiting(&c)) {
        return Vec::new();
    }
    let view = View::without(case, &checks.corrupt());
    case.changes
        .iter()
        .filter(waiting)
        .filter_map(|change| {
            let (what, why) = of(&view, change, now)?;
            Some(Due {
                change_id: change.id,
                what,
                why,
            })
        })
        .collect()
}

fn of(view: &View<'_>, change: &Change, now: DateTime<Utc>) -> Option<(What, Vec<Sentence>)> {
    if let Some((what, why)) = canary::due(view, change, now) {
        return Some((what, vec![why]));
    }
    let found = match change.state {
        ChangeState::ApprovedForCanary => {
            let late = late_start(view.case, change, now);
            if late.is_empty() {
                (What::Unapprove, voided(view, change, now))
            } else {
                (What::ExpireApproval, late)
            }
        }
        ChangeState::CanaryRunning => (What::Pause, ground_moved(view, change)),
        ChangeState::AwaitingPromotion => (
            What::ExpirePromotion,
            late_promotion(view.case, change, now),
        ),
        _ => return None,
    };
    (!found.1.is_empty()).then_some(found)
}

fn hours(seconds: i64) -> usize {
    usize::try_from(seconds / 3600).unwrap_or_default()
}

/// An approved canary that nobody started in time.
fn late_start(case: &CaseFile, change: &Change, now: DateTime<Utc>) -> Vec<Sentence> {
    let most = case.policy.approval_max_age_s;
    let excused = excused(case, change, now).contains(&Overridable::Expiry);
    if excused || now - change.state_since <= TimeDelta::seconds(most) {
        return Vec::new();
    }
    vec![
        Sentence::new("upkeep-not-started")
            .with("since", Arg::Time(change.state_since))
            .count("hours", hours(most)),
    ]
}

/// A passed canary that nobody promoted in time.
fn late_promotion(case: &CaseFile, change: &Change, now: DateTime<Utc>) -> Vec<Sentence> {
    let most = case.policy.promotion_max_age_s;
    let ended = change
        .last(CanaryEventKind::Ended)
        .map_or(change.state_since, |e| e.at);
    let excused = excused(case, change, now).contains(&Overridable::Expiry);
    if excused || now - ended <= TimeDelta::seconds(most) {
        return Vec::new();
    }
    vec![
        Sentence::new("upkeep-not-promoted")
            .with("since", Arg::Time(ended))
            .count("hours", hours(most)),
    ]
}

/// Why an approved change is no longer approved: an approval was voided, or a condition stopped
/// holding. An approval whose basis moved without anything else is confirmed again by its giver
/// and does not send the change back; nor does evidence that is still being read.
fn voided(view: &View<'_>, change: &Change, now: DateTime<Utc>) -> Vec<Sentence> {
    let case = view.case;
    let excused = excused(case, change, now);
    let mut why = stopped(view, Condition::ALL, &excused);
    let all = gate::approvals(case, change, &case.policy, now);
    let aged = |a: &Counted| {
        excused.contains(&Overridable::Expiry)
            && a.outdated.iter().all(|s| s.key == "approval-expired")
    };
    let counts = |a: &&Counted| a.counts() || only_moved(a) || aged(a);
    let standing = all.iter().filter(counts).count();
    let need = if excused.contains(&Overridable::Approvals) {
        1.min(gate::approvals_needed(change, &case.policy))
    } else {
        gate::approvals_needed(change, &case.policy)
    };
    if standing < need {
        for void in all.iter().filter(|a| !a.counts() && !only_moved(a)) {
            why.push(
                Sentence::new("gate-approval-outdated")
                    .text("person", &void.name)
                    .with("at", Arg::Time(void.approval.at)),
            );
            why.extend(void.outdated.iter().cloned());
        }
        if why.is_empty() {
            why.push(
                Sentence::new("gate-approvals-missing")
                    .count("have", standing)
                    .count("need", need),
            );
        }
    }
    why
}

/// What overrides in force stand for.
fn excused(case: &CaseFile, change: &Change, now: DateTime<Utc>) -> BTreeSet<Overridable> {
    break_glass::in_force(case, change, now)
        .flat_map(|o| o.what.iter().copied())
        .collect()
}

/// Whether all that keeps an approval from counting is that its basis moved.
fn only_moved(counted: &Counted) -> bool {
    counted
        .outdated
        .iter()
        .all(|s| s.key == "approval-basis-moved")
}

/// What those of `wanted` say that were recorded and stopped holding.
fn stopped(
    view: &View<'_>,
    wanted: &[Condition],
    excused: &BTreeSet<Overridable>,
) -> Vec<Sentence> {
    let mut why = Vec::new();
    for condition in wanted {
        let judged = conditions::judged(view, *condition, &view.case.policy);
        let gone = matches!(
            judged.status,
            Status::Missing | Status::Unsupported | Status::Stale | Status::Contradicted
        );
        // No override stands for what evidence contradicts.
        let overridden = judged.status != Status::Contradicted
            && Overridable::from_id(condition.id()).is_some_and(|w| excused.contains(&w));
        if gone && !overridden {
            let name = format!("condition-{}", condition.id().replace('_', "-"));
            why.push(Sentence::new("upkeep-condition").with("condition", Arg::Key(name)));
            why.extend(judged.sentences);
        }
    }
    why
}

/// What moved under a running canary, of that which pauses it.
fn ground_moved(view: &View<'_>, change: &Change) -> Vec<Sentence> {
    let mut why: Vec<Sentence> = invalidation::moved(view, change)
        .into_iter()
        .filter(|m| m.event.effect().canary == CanaryFate::Pause)
        .map(|m| m.said)
        .collect();
    why.dedup();
    why
}
