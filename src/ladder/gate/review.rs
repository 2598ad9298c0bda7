//! Which approvals still count. An approval is given on one revision, one basis and one contract;
//! when any of them moved, or its giver may no longer decide, it is kept and no longer counted.

use super::super::case::CaseFile;
use super::super::change::{Approval, CanaryEventKind, Change, Purpose};
use super::super::seen::Seen;
use super::super::{Arg, Sentence, contributor};
use super::{Policy, basis};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// An approval with whether it counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// The approval.
    pub approval: Approval,
    /// Who gave it, by name.
    pub name: String,
    /// Everything that keeps it from counting; empty = it counts.
    pub outdated: Vec<Sentence>,
    /// Whether its giver only has to confirm it: its ground moved, no verdict did.
    #[serde(default)]
    pub confirm: bool,
}

impl Counted {
    /// Whether it counts.
    pub fn counts(&self) -> bool {
        self.outdated.is_empty()
    }
}

/// The approvals of a change's canary, each with whether it counts now. A second approval of the
/// same person replaces the first.
pub fn approvals(
    case: &CaseFile,
    change: &Change,
    policy: &Policy,
    now: DateTime<Utc>,
) -> Vec<Counted> {
    let basis = basis::before_canary(case, change).digest();
    counted(case, change, policy, now, &basis)
}

/// The same where the digest of the basis is known already.
pub(super) fn counted(
    case: &CaseFile,
    change: &Change,
    policy: &Policy,
    now: DateTime<Utc>,
    basis: &str,
) -> Vec<Counted> {
    let contributors = contributor::contributors(case, change);
    let revision = change.current().map(|r| r.digest.as_str());
    let started = change.last(CanaryEventKind::Started).map(|e| e.at);
    let mut seen = HashSet::new();
    let mut now_seen: Option<Seen> = None;
    let mut counted: Vec<Counted> = change
        .approvals
        .iter()
        .rev()
        .filter(|a| a.purpose == Purpose::Canary)
        .map(|a| {
            let mut outdated = Vec::new();
            if !seen.insert(case.identity(a.by)) {
                outdated.push(Sentence::new("approval-repeated"));
            }
            if Some(a.revision_digest.as_str()) != revision {
                outdated.push(Sentence::new("approval-other-revision"));
            }
            if !case.under_contract(Some(a.contract_version_id)) {
                outdated.push(Sentence::new("approval-other-contract"));
            }
            let moved = a.basis_digest != basis;
            let mut confirm = false;
            if moved {
                let then = a.seen.as_ref().filter(|_| outdated.is_empty());
                confirm = then.is_some_and(|then| {
                    then.same_verdicts(now_seen.get_or_insert_with(|| Seen::of(case, change)))
                });
                outdated.push(Sentence::new(if confirm {
                    "approval-confirm"
                } else {
                    "approval-basis-moved"
                }));
            }
            if case.reopened_at().is_some_and(|at| a.at < at) {
                outdated.push(Sentence::new("approval-before-reopening"));
            }
            if case
                .person(a.by)
                .and_then(|p| p.left_at)
                .is_some_and(|at| a.at <= at)
            {
                outdated.push(Sentence::new("approval-giver-left"));
            }
            if a.at > now {
                outdated.push(Sentence::new("approval-in-future"));
            }
            // Once the canary has started in time the approval is used and no longer ages.
            let until = started.filter(|s| *s >= a.at).unwrap_or(now);
            if until - a.at > TimeDelta::seconds(policy.approval_max_age_s) {
                outdated.push(
                    Sentence::new("approval-expired")
                        .count("hours", (policy.approval_max_age_s / 3600) as usize),
                );
            }
            outdated.extend(contributor::refusal(case, &contributors, a.by));
            Counted {
                approval: a.clone(),
                name: case.name_of(a.by),
                confirm: confirm && outdated.len() == 1,
                outdated,
            }
        })
        .collect();
    counted.reverse();
    counted
}

/// What is wrong with approvals as counted, each as a sentence.
pub(super) fn problems(
    case: &CaseFile,
    change: &Change,
    policy: &Policy,
    all: &[Counted],
) -> Vec<Sentence> {
    let counting = all.iter().filter(|c| c.counts()).count();
    let needed = super::approvals_needed(change, policy);
    if counting >= needed {
        return Vec::new();
    }
    let mut found = vec![
        Sentence::new("gate-approvals-missing")
            .count("have", counting)
            .count("need", needed),
    ];
    for c in all.iter().filter(|c| !c.counts()) {
        found.push(
            Sentence::new("gate-approval-outdated")
                .text("person", &c.name)
                .with("at", Arg::Time(c.approval.at)),
        );
        found.extend(c.outdated.iter().cloned());
    }
    found.push(contributor::who_may(case, change));
    found
}
