//! Where an override stands for a line (lifecycle §10). A line is read for what it says: an
//! override of the canary's minimum never covers a limit that failed, one of the number of
//! approvals never an author's own, and none of them covers evidence that was altered.

use super::super::break_glass::{self, Overridable, Override};
use super::super::canary::{self, Whole};
use super::super::case::CaseFile;
use super::super::change::{Change, ChangeState};
use super::super::condition::Condition;
use super::super::conditions::{self, Status};
use super::super::{Arg, Sentence, basis};
use super::lines::Judging;
use super::{Check, Input, InputKind, Line, LineStatus as S, Policy, Target};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

/// Sentences that say only that a canary was shorter, or saw less, than it should.
const ABOUT_MINIMUM: [&str; 4] = [
    "canary-too-short",
    "measure-too-few",
    "canary-too-few",
    "canary-window-too-few",
];

/// The overrides in force by what they stand for; of several the one that lasts longest.
type Grants<'a> = BTreeMap<Overridable, &'a Override>;

fn grants<'a>(case: &'a CaseFile, change: &Change, now: DateTime<Utc>) -> Grants<'a> {
    let mut found: Grants<'a> = BTreeMap::new();
    for used in break_glass::in_force(case, change, now) {
        for what in &used.what {
            let kept = found.entry(*what).or_insert(used);
            if kept.until < used.until {
                *kept = used;
            }
        }
    }
    found
}

/// Marks the lines that an override in force stands for.
pub(super) fn apply(judging: &Judging<'_, '_>, lines: &mut [Line]) {
    let case = judging.case();
    let Some(change) = case.live_change() else {
        return;
    };
    if matches!(judging.target, Target::Close(_)) {
        return;
    }
    let grants = grants(case, change, judging.now);
    if grants.is_empty() || altered(judging) {
        return;
    }
    for line in lines.iter_mut().filter(|l| !l.status.is_satisfied()) {
        let Some(what) = covering(judging, change, &grants, line) else {
            continue;
        };
        for what in what.iter().rev() {
            if let Some(used) = grants.get(what) {
                line.sentences.insert(0, said(case, *what, used));
                let input = Input::new(InputKind::Override, used.id, what.id());
                line.inputs.insert(0, input);
            }
        }
        line.status = S::Overridden;
        line.closes = None;
    }
}

fn said(case: &CaseFile, what: Overridable, used: &Override) -> Sentence {
    Sentence::new("override-line")
        .text("person", case.name_of(used.by))
        .with("until", Arg::Time(used.until))
        .with("what", Arg::Key(what.key()))
}

/// Whether stored bytes that feed the gate are not what was received: no emergency excuses that.
fn altered(judging: &Judging<'_, '_>) -> bool {
    let runs: Vec<_> = basis::gate_runs(judging.case()).map(|r| r.id).collect();
    judging
        .case()
        .evidence
        .iter()
        .filter(|e| runs.contains(&e.run_id))
        .any(|e| matches!(judging.checks.0.get(&e.id), Some(Check::Failed(_))))
}

/// What of the overrides in force stands for this line, if they do.
fn covering(
    judging: &Judging<'_, '_>,
    change: &Change,
    grants: &Grants<'_>,
    line: &Line,
) -> Option<Vec<Overridable>> {
    let has = |what: Overridable| grants.contains_key(&what).then_some(what);
    match line.id.as_str() {
        "reproduced_bottleneck" => has(Overridable::ReproducedBottleneck)
            .filter(|_| reproduced_once(judging))
            .map(|w| vec![w]),
        "owner_layer_identified" => has(Overridable::OwnerLayerIdentified)
            .filter(|_| may_lack(line.status))
            .map(|w| vec![w]),
        "acceptance_impact_visible" => has(Overridable::AcceptanceImpactVisible)
            .filter(|_| may_lack(line.status))
            .map(|w| vec![w]),
        "freeze" => has(Overridable::FreezeWindow).map(|w| vec![w]),
        "approvals" => approvals(judging, change, grants),
        "canary_verdict" => verdict(judging, change, grants),
        "comparison_canary" => has(Overridable::CanaryMinimum)
            .filter(|_| line.status == S::CannotTell && short_of_minimum(judging, change, grants))
            .filter(|_| line.sentences.len() > 1 && only_minimum(&line.sentences[1..]))
            .map(|w| vec![w]),
        // A canary that ended below its minimum was not moved on to promotion.
        "revision" => has(Overridable::CanaryMinimum)
            .filter(|_| {
                judging.target == Target::Accept
                    && change.state == ChangeState::CanaryEnded
                    && line.sentences.iter().all(|s| s.key == "gate-change-state")
                    && short_of_minimum(judging, change, grants)
            })
            .map(|w| vec![w]),
        _ => None,
    }
}

/// What is missing may be missing in an emergency; what evidence contradicts may not be claimed.
fn may_lack(status: S) -> bool {
    matches!(
        status,
        S::Missing | S::NotSupported | S::OutOfDate | S::CannotTell
    )
}

/// Whether the bottleneck would count as reproduced if one run were enough.
fn reproduced_once(judging: &Judging<'_, '_>) -> bool {
    let one = Policy {
        repro_runs: 1,
        ..judging.policy.clone()
    };
    let judged = conditions::judged(judging.view, Condition::ReproducedBottleneck, &one);
    judged.status == Status::Held
}

/// Enough approvals once the overrides in force are applied: one at least, from somebody who may
/// decide, on this revision, basis and contract.
fn approvals(
    judging: &Judging<'_, '_>,
    change: &Change,
    grants: &Grants<'_>,
) -> Option<Vec<Overridable>> {
    let all = judging.counted(change);
    let fresh = all.iter().filter(|c| c.counts()).count();
    let old = all
        .iter()
        .filter(|c| !c.counts() && c.outdated.iter().all(|s| s.key == "approval-expired"))
        .count();
    let (fewer, aged) = (
        grants.contains_key(&Overridable::Approvals),
        grants.contains_key(&Overridable::Expiry),
    );
    let need = judging.policy.canary_approvals;
    let mut used = Vec::new();
    let mut have = fresh;
    if have < need && aged && old > 0 {
        have += old;
        used.push(Overridable::Expiry);
    }
    if have < need && fewer && have >= 1 {
        have = need;
        used.push(Overridable::Approvals);
    }
    (have >= need && !used.is_empty()).then_some(used)
}

/// A verdict that lacks only time or samples, or is only too old. A limit that failed stays
/// failed, and so does anything else that is not clear.
fn verdict(
    judging: &Judging<'_, '_>,
    change: &Change,
    grants: &Grants<'_>,
) -> Option<Vec<Overridable>> {
    let verdict = canary::judged(judging.view, change);
    let ended = verdict.ended_at?;
    let mut used = Vec::new();
    match verdict.whole {
        Whole::Pass => {}
        Whole::Fail => return None,
        Whole::Inconclusive => {
            let open = |r: &&canary::CanaryRow| r.verdict != Whole::Pass;
            let rows = verdict.rows.iter().filter(open).flat_map(|r| &r.reason);
            let unexplained = verdict.rows.iter().filter(open).any(|r| r.reason.is_none());
            let lacking = only_minimum(&verdict.reasons)
                && !unexplained
                && !verdict.rows.is_empty()
                && rows.into_iter().all(is_minimum);
            if !lacking || !grants.contains_key(&Overridable::CanaryMinimum) {
                return None;
            }
            used.push(Overridable::CanaryMinimum);
        }
    }
    let age = judging.now - ended;
    if age < chrono::TimeDelta::zero() {
        return None;
    }
    if age > chrono::TimeDelta::seconds(judging.policy.promotion_max_age_s) {
        grants.get(&Overridable::Expiry)?;
        used.push(Overridable::Expiry);
    }
    (!used.is_empty()).then_some(used)
}

/// Whether the canary's verdict lacks nothing but time or samples, and that is overridden.
fn short_of_minimum(judging: &Judging<'_, '_>, change: &Change, grants: &Grants<'_>) -> bool {
    verdict(judging, change, grants).is_some_and(|u| u.contains(&Overridable::CanaryMinimum))
}

fn is_minimum(sentence: &Sentence) -> bool {
    ABOUT_MINIMUM.contains(&sentence.key.as_str())
}

fn only_minimum(sentences: &[Sentence]) -> bool {
    sentences.iter().all(is_minimum)
}
