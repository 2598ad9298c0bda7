//! The state machines as tables: from where, by which act, to where, who may, and what must be
//! true (lifecycle §3–§7). No move exists outside them; the database keeps the same list for
//! changes, and a test compares the two.

use super::case::CaseState;
use super::change::ChangeState;
use super::contract::VersionState;
use super::evidence::EvidenceState;
use super::policy::Act;

/// Who makes a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// A person who may do this act; separation of duties is the guard's business.
    May(Act),
    /// The program itself, as a consequence or as time passes.
    App,
}

/// One row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move<S> {
    /// State before.
    pub from: S,
    /// Stable name of the act.
    pub act: &'static str,
    /// State after.
    pub to: S,
    /// Who makes it.
    pub who: Who,
    /// What must be true, in words for whoever reads the table.
    pub guard: &'static str,
}

const fn mv<S>(from: S, act: &'static str, to: S, who: Who, guard: &'static str) -> Move<S> {
    Move {
        from,
        act,
        to,
        who,
        guard,
    }
}

/// A case.
#[rustfmt::skip] // one row, one line
pub const CASE: &[Move<CaseState>] = {
    use CaseState as S;
    use Who::{App, May};
    &[
        mv(S::New, "take", S::Investigating, May(Act::AssignOwner), "owner set and accepted"),
        mv(S::Investigating, "follow", S::Deciding, App, "a change was submitted"),
        mv(S::Deciding, "follow", S::Investigating, App, "no change is under way"),
        mv(S::Deciding, "follow", S::RollingOut, App, "a canary started or a change is watched"),
        mv(S::RollingOut, "follow", S::Deciding, App, "the change awaits promotion"),
        mv(S::RollingOut, "follow", S::Investigating, App, "confirmed or rolled back"),
        mv(S::Investigating, "follow", S::RollingOut, App, "a candidate is in service"),
        mv(S::Investigating, "close", S::Closed, May(Act::Close), "the close gate"),
        mv(S::Deciding, "close", S::Closed, May(Act::Close), "the close gate"),
        mv(S::RollingOut, "close", S::Closed, May(Act::Close), "the close gate"),
        mv(S::New, "close", S::Closed, May(Act::Close), "the close gate; opened in error or duplicate"),
        mv(S::Closed, "reopen", S::Investigating, May(Act::Close), "a reason"),
    ]
};

/// A contract version.
#[rustfmt::skip] // one row, one line
pub const CONTRACT: &[Move<VersionState>] = {
    use VersionState as S;
    use Who::{App, May};
    &[
        mv(S::Draft, "publish", S::Published, May(Act::PublishContract), "complete; compatibility true"),
        mv(S::Published, "supersede", S::Superseded, App, "the next version was published"),
        mv(S::Published, "withdraw", S::Withdrawn, May(Act::PublishContract), "a reason"),
    ]
};

/// An evidence item.
#[rustfmt::skip] // one row, one line
pub const EVIDENCE: &[Move<EvidenceState>] = {
    use EvidenceState as S;
    use Who::{App, May};
    &[
        mv(S::Received, "read", S::Parsing, App, "a worker took it"),
        mv(S::Parsing, "keep", S::Usable, App, "a parser read it"),
        mv(S::Parsing, "refuse", S::Unreadable, App, "no parser accepted it, or it broke"),
        mv(S::Usable, "reread", S::Received, May(Act::AttachEvidence), "asked for"),
        mv(S::Unreadable, "reread", S::Received, May(Act::AttachEvidence), "asked for"),
        mv(S::Received, "withdraw", S::Withdrawn, May(Act::WithdrawEvidence), "a reason"),
        mv(S::Parsing, "withdraw", S::Withdrawn, May(Act::WithdrawEvidence), "a reason"),
        mv(S::Usable, "withdraw", S::Withdrawn, May(Act::WithdrawEvidence), "a reason"),
        mv(S::Unreadable, "withdraw", S::Withdrawn, May(Act::WithdrawEvidence), "a reason"),
        mv(S::Usable, "set_aside", S::SetAside, May(Act::SetAsideEvidence), "a reason"),
    ]
};

/// A change with its canary.
#[rustfmt::skip] // one row, one line
pub const CHANGE: &[Move<ChangeState>] = {
    use ChangeState as S;
    use Who::{App, May};
    &[
        mv(S::Draft, "submit", S::Submitted, May(Act::Change), "the submit gate"),
        mv(S::Draft, "withdraw", S::Withdrawn, May(Act::Change), "a reason"),
        mv(S::Submitted, "approve", S::ApprovedForCanary, May(Act::Review), "the approve gate; not a contributor; the last approval needed"),
        mv(S::Submitted, "revise", S::Draft, May(Act::Change), "approvals void"),
        mv(S::Submitted, "reject", S::Rejected, May(Act::Review), "a reason"),
        mv(S::Submitted, "withdraw", S::Withdrawn, May(Act::Change), "a reason"),
        mv(S::ApprovedForCanary, "unapprove", S::Submitted, App, "an approval is void or a condition stopped holding"),
        mv(S::ApprovedForCanary, "revise", S::Draft, May(Act::Change), "approvals void"),
        mv(S::ApprovedForCanary, "reject", S::Rejected, May(Act::Review), "a reason"),
        mv(S::ApprovedForCanary, "withdraw", S::Withdrawn, May(Act::Change), "a reason"),
        mv(S::ApprovedForCanary, "expire", S::Expired, App, "not started in time"),
        mv(S::ApprovedForCanary, "start", S::CanaryRunning, May(Act::Change), "the start gate"),
        mv(S::CanaryRunning, "pause", S::CanaryPaused, May(Act::RollBack), "none"),
        mv(S::CanaryRunning, "end", S::CanaryEnded, May(Act::Change), "long enough, or the longest time reached; no pass"),
        mv(S::CanaryRunning, "end_passed", S::AwaitingPromotion, May(Act::Change), "long enough; pass"),
        mv(S::CanaryRunning, "roll_back", S::RolledBack, May(Act::RollBack), "none: never blocked"),
        mv(S::CanaryPaused, "resume", S::CanaryRunning, May(Act::Change), "cause resolved; the start gate again"),
        mv(S::CanaryPaused, "end", S::CanaryEnded, May(Act::Change), "long enough, or the longest time reached; no pass"),
        mv(S::CanaryPaused, "end_passed", S::AwaitingPromotion, May(Act::Change), "long enough; pass"),
        mv(S::CanaryPaused, "roll_back", S::RolledBack, May(Act::RollBack), "none: never blocked"),
        mv(S::CanaryEnded, "extend", S::CanaryRunning, May(Act::Review), "inconclusive; once; new limits on exposure"),
        mv(S::CanaryEnded, "pass", S::AwaitingPromotion, App, "the verdict is pass, or an override in force stands for its minimum"),
        mv(S::CanaryEnded, "roll_back", S::RolledBack, May(Act::RollBack), "none: never blocked"),
        mv(S::AwaitingPromotion, "accept", S::Accepted, May(Act::Review), "the accept gate; not a contributor"),
        mv(S::AwaitingPromotion, "expire", S::Expired, App, "not promoted in time"),
        mv(S::AwaitingPromotion, "roll_back", S::RolledBack, May(Act::RollBack), "none: never blocked"),
        mv(S::Accepted, "confirm", S::Confirmed, App, "watched clean, with evidence after promotion"),
        mv(S::Accepted, "roll_back", S::RolledBack, May(Act::RollBack), "none: never blocked"),
        mv(S::Expired, "roll_back", S::RolledBack, May(Act::RollBack), "a candidate was in service"),
    ]
};

/// The row that an act takes from a state, if there is one.
pub fn step<S: Copy + PartialEq>(
    table: &'static [Move<S>],
    from: S,
    act: &str,
) -> Option<&'static Move<S>> {
    table.iter().find(|m| m.from == from && m.act == act)
}

/// Whether some row leads from one state to the other.
pub fn allows<S: Copy + PartialEq>(table: &[Move<S>], from: S, to: S) -> bool {
    table.iter().any(|m| m.from == from && m.to == to)
}

#[cfg(test)]
mod tests {
    use super::super::policy::Role;
    use super::*;
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    /// Walks every (state, act, role): a row or nothing, never two; and gives back who may move.
    fn walk<S: Copy + PartialEq + Debug>(table: &'static [Move<S>], states: &[S]) -> usize {
        let acts: BTreeSet<&str> = table.iter().map(|m| m.act).collect();
        let mut moves = 0;
        for from in states {
            for act in &acts {
                let rows: Vec<_> = table
                    .iter()
                    .filter(|m| m.from == *from && m.act == *act && m.act != "follow")
                    .collect();
                assert!(rows.len() <= 1, "{from:?} {act}: {rows:?}");
                let Some(row) = step(table, *from, act) else {
                    continue;
                };
                assert_ne!(row.to, row.from, "{row:?}");
                assert!(!row.guard.is_empty());
                for role in Role::ALL {
                    let may = matches!(row.who, Who::May(a) if a.allowed_by(&[role]).is_some());
                    moves += usize::from(may);
                    // No role of a reader alone moves anything.
                    let reads = matches!(role, Role::Viewer | Role::Auditor | Role::Admin);
                    assert!(!(may && reads), "{role:?} {row:?}");
                }
            }
        }
        moves
    }

    #[test]
    fn every_state_act_and_role_has_one_answer() {
        let versions = [
            VersionState::Draft,
            VersionState::Published,
            VersionState::Superseded,
            VersionState::Withdrawn,
        ];
        assert!(walk(CASE, CaseState::ALL) > 0);
        assert!(walk(CONTRACT, &versions) > 0);
        assert!(walk(EVIDENCE, EvidenceState::ALL) > 0);
        assert!(walk(CHANGE, ChangeState::ALL) > 0);
    }

    #[test]
    fn what_is_over_stays_over() {
        for state in ChangeState::ALL {
            let ways: Vec<_> = CHANGE.iter().filter(|m| m.from == *state).collect();
            let only_back = ways.iter().all(|m| m.to == ChangeState::RolledBack);
            assert_eq!(state.is_terminal(), only_back, "{state:?}: {ways:?}");
            if *state != ChangeState::Expired {
                assert_eq!(state.is_terminal(), ways.is_empty(), "{state:?}");
            }
        }
        for state in [EvidenceState::Withdrawn, EvidenceState::SetAside] {
            assert!(
                EVIDENCE
                    .iter()
                    .all(|m| m.from != state || m.to != EvidenceState::Usable)
            );
        }
    }

    #[test]
    fn k15_wherever_a_candidate_may_be_in_service_it_can_be_rolled_back_by_three_roles() {
        for state in ChangeState::ALL.iter().filter(|s| s.can_roll_back()) {
            let row = step(CHANGE, *state, "roll_back").expect("a way back");
            let Who::May(act) = row.who else {
                panic!("a person rolls back")
            };
            let roles = [Role::Responder, Role::Reviewer, Role::Manager];
            assert!(
                roles.iter().all(|r| act.allowed_by(&[*r]).is_some()),
                "{state:?}"
            );
        }
    }

    #[test]
    fn only_the_accept_gate_leads_to_accepted_and_only_by_a_reviewer() {
        let ways: Vec<_> = CHANGE
            .iter()
            .filter(|m| m.to == ChangeState::Accepted)
            .collect();
        assert_eq!(ways.len(), 1);
        assert_eq!(ways[0].from, ChangeState::AwaitingPromotion);
        assert_eq!(ways[0].who, Who::May(Act::Review));
    }
}
