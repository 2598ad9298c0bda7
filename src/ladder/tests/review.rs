//! R and X: approvals, contributors, and what else keeps a decision from being made.

use super::super::case::{CaseState, Outcome, PersonRef};
use super::super::change::{CanaryEvent, CanaryEventKind, ChangeRequest, ChangeState};
use super::super::contributor::{contributors, eligible, who_may};
use super::super::decision::{Act, Kind, seal};
use super::super::fixture::*;
use super::super::gate::{LineStatus as S, Policy, Target, approvals, judge, may_decide};
use super::super::policy::Role;
use super::super::seen::Seen;
use super::{says, status};
use chrono::TimeDelta;
use uuid::Uuid;

fn refused(case: &super::super::CaseFile, person: Uuid) -> String {
    may_decide(case, &case.changes[0], person)
        .map_err(|s| s.key)
        .err()
        .unwrap_or_default()
}

#[test]
fn r1_the_author_may_not_decide() {
    let mut case = ready();
    case.people[0].roles.push(Role::Reviewer);
    case.owner = None;
    assert_eq!(refused(&case, RESPONDER), "contributor-author");
    case.changes[0].approvals[0].by = RESPONDER;
    assert_eq!(status(&accept(&case), "approvals"), S::OutOfDate);
    assert_eq!(refused(&case, REVIEWER), "");
}

#[test]
fn r1_a_second_account_of_the_author_may_not_decide() {
    let mut case = ready();
    case.people[1].identity = RESPONDER;
    assert_eq!(refused(&case, REVIEWER), "contributor-author");
    assert_eq!(status(&accept(&case), "approvals"), S::OutOfDate);
    // It works from the other account too: the first may be the reviewer, the second the author.
    let mut case = ready();
    case.people[0].identity = REVIEWER;
    assert_eq!(refused(&case, REVIEWER), "contributor-author");
    assert_eq!(refused(&case, OTHER_REVIEWER), "");
}

#[test]
fn r2_whoever_attached_evidence_of_the_basis_may_not_decide() {
    let mut case = ready();
    item_mut(&mut case, 2).added_by = REVIEWER;
    assert_eq!(refused(&case, REVIEWER), "contributor-evidence");
    assert!(says(&accept(&case), "approvals", "contributor-evidence"));
}

#[test]
fn r3_a_reviewer_who_wrote_on_the_draft_may_not_decide() {
    let mut case = ready();
    case.changes[0].revisions[0].authors.push(REVIEWER);
    assert_eq!(refused(&case, REVIEWER), "contributor-author");
}

#[test]
fn s12_r4_history_counts_after_leaving_the_case() {
    let mut case = ready();
    case.records[3].by = REVIEWER;
    case.people.retain(|p| p.id != REVIEWER);
    let all = contributors(&case, &case.changes[0]);
    assert!(all.iter().any(|(p, _)| *p == REVIEWER));
    assert_eq!(
        status(&accept(&case), "rollback_threshold_defined"),
        S::Holds
    );
}

#[test]
fn r5_an_approver_without_the_role_is_not_counted() {
    let mut case = ready();
    case.people[1].roles = vec![Role::Responder];
    let gate = accept(&case);
    assert_eq!(status(&gate, "approvals"), S::OutOfDate);
    assert!(says(&gate, "approvals", "decide-no-reviewer"));
}

#[test]
fn r6_a_deactivated_approver_is_not_counted() {
    let mut case = ready();
    case.people[1].active = false;
    assert!(says(&accept(&case), "approvals", "decide-inactive"));
}

#[test]
fn r8_one_character_of_the_procedure_voids_the_approval() {
    let mut case = ready();
    let revision = &mut case.changes[0].revisions[0];
    revision.terms.procedure.push('.');
    revision.digest = revision.terms.digest();
    let gate = accept(&case);
    assert!(says(&gate, "approvals", "approval-other-revision"));
    assert_eq!(status(&gate, "revision"), S::NotSupported);
    assert_eq!(status(&gate, "rollback_threshold_defined"), S::OutOfDate);
}

#[test]
fn r10_evidence_added_after_approval_must_be_confirmed() {
    let mut case = ready();
    case.evidence.push(item(14, R3, engine(0.6, 0.985)));
    let gate = accept(&case);
    assert_eq!(status(&gate, "approvals"), S::OutOfDate);
    assert_eq!(status(&gate, "comparison_warm"), S::Holds);
}

/// The ready case, whose approval kept what its giver saw; then a reading moves.
fn approved_then(change: impl FnOnce(&mut super::super::CaseFile)) -> super::super::CaseFile {
    let mut case = ready();
    let seen = Seen::of(&case, &case.changes[0]);
    assert!(!seen.rows.is_empty());
    case.changes[0].approvals[0].seen = Some(seen);
    change(&mut case);
    case
}

#[test]
fn r10_new_numbers_with_the_same_verdicts_ask_to_confirm_and_moved_verdicts_void() {
    let same = approved_then(|case| set_signals(case, 3, engine(0.61, 0.985)));
    let policy = Policy::default();
    let counted =
        |case: &super::super::CaseFile| approvals(case, &case.changes[0], &policy, now()).remove(0);
    assert!(counted(&same).confirm && !counted(&same).counts());
    assert!(says(&accept(&same), "approvals", "approval-confirm"));
    let other = approved_then(|case| set_signals(case, 3, engine(1.9, 0.985)));
    assert!(!counted(&other).confirm && !counted(&other).counts());
    assert!(says(&accept(&other), "approvals", "approval-basis-moved"));
    // Confirming is giving it again on what stands there now.
    let mut again = same.clone();
    let mut confirmed = again.changes[0].approvals[0].clone();
    confirmed.basis_digest = super::super::basis::before_canary(&again, &again.changes[0]).digest();
    again.changes[0].approvals.push(confirmed);
    assert_eq!(status(&accept(&again), "approvals"), S::Holds);
}

#[test]
fn the_canarys_own_runs_do_not_move_the_basis_it_was_approved_on() {
    let mut case = ready();
    case.evidence.push(item(15, R4, engine(0.62, 0.984)));
    assert_eq!(status(&accept(&case), "approvals"), S::Holds);
}

#[test]
fn r11_an_open_request_blocks_until_cleared() {
    let mut case = ready();
    case.changes[0].requests.push(ChangeRequest {
        id: Uuid::from_u128(900),
        by: OTHER_REVIEWER,
        at: ago(11),
        points: "state the region".to_owned(),
        cleared: None,
    });
    assert!(says(&accept(&case), "open_matters", "gate-request-open"));
    case.changes[0].requests[0].cleared = Some((REVIEWER, ago(10), "done".to_owned()));
    assert!(accept(&case).ready);
}

#[test]
fn r13_one_person_counts_once() {
    let mut case = ready();
    let again = case.changes[0].approvals[0].clone();
    case.changes[0].approvals.push(again);
    let policy = Policy {
        canary_approvals: 2,
        ..Policy::default()
    };
    let gate = judge(&case, &policy, Target::Accept, &checks(&case), now());
    assert_eq!(status(&gate, "approvals"), S::OutOfDate);
    // A second account of the same person is no second person.
    case.changes[0].approvals[1].by = OTHER_REVIEWER;
    case.people[2].identity = REVIEWER;
    let gate = judge(&case, &policy, Target::Accept, &checks(&case), now());
    assert_eq!(status(&gate, "approvals"), S::OutOfDate);
    case.people[2].identity = OTHER_REVIEWER;
    let gate = judge(&case, &policy, Target::Accept, &checks(&case), now());
    assert_eq!(status(&gate, "approvals"), S::Holds);
}

#[test]
fn r14_an_approval_of_73_hours_is_expired() {
    let mut case = ready();
    case.changes[0].state = ChangeState::ApprovedForCanary;
    case.changes[0].canary.clear();
    case.changes[0].approvals[0].at = ago(71);
    assert!(gate(&case, Target::StartCanary).ready);
    case.changes[0].approvals[0].at = ago(73);
    let gate = gate(&case, Target::StartCanary);
    assert_eq!(status(&gate, "approvals"), S::OutOfDate);
    assert!(says(&gate, "approvals", "approval-expired"));
}

#[test]
fn r17_when_nobody_may_decide_the_line_says_so() {
    let mut case = ready();
    assert_eq!(eligible(&case, &case.changes[0]).len(), 2);
    case.people.truncate(2);
    item_mut(&mut case, 1).added_by = REVIEWER;
    assert_eq!(who_may(&case, &case.changes[0]).key, "decide-nobody");
    assert!(says(&accept(&case), "approvals", "decide-nobody"));
    // Somebody who has not worked on it and could be given the role is named.
    case.people.push(PersonRef {
        id: Uuid::from_u128(77),
        name: "M. Prado".to_owned(),
        roles: vec![Role::Manager],
        active: true,
        identity: Uuid::from_u128(77),
        left_at: None,
        erased: false,
    });
    let said = who_may(&case, &case.changes[0]);
    assert_eq!(said.key, "decide-nobody-but");
    assert!(format!("{said:?}").contains("M. Prado"), "{said:?}");
    case.people[2].identity = RESPONDER;
    assert_eq!(who_may(&case, &case.changes[0]).key, "decide-nobody");
}

#[test]
fn r19_an_approver_who_became_owner_is_not_counted() {
    let mut case = ready();
    case.owner = Some(REVIEWER);
    assert!(says(&accept(&case), "approvals", "contributor-owner"));
}

#[test]
fn r20_pausing_or_rolling_back_makes_no_contributor() {
    let mut case = ready();
    let digest = case.changes[0].revisions[0].digest.clone();
    for kind in [CanaryEventKind::Paused, CanaryEventKind::RolledBack] {
        case.changes[0].canary.insert(
            1,
            CanaryEvent {
                kind,
                by: Some(REVIEWER),
                at: ago(7),
                run_id: None,
                share: None,
                requests: None,
                revision_digest: digest.clone(),
                why: Vec::new(),
                note: String::new(),
                verdict: None,
                extension: None,
            },
        );
        assert_eq!(refused(&case, REVIEWER), "");
    }
    case.changes[0].canary[1].kind = CanaryEventKind::Resumed;
    assert_eq!(refused(&case, REVIEWER), "contributor-canary");
}

#[test]
fn r21_clearing_is_no_contribution_but_writing_is() {
    let mut case = ready();
    case.changes[0].requests.push(ChangeRequest {
        id: Uuid::from_u128(901),
        by: OTHER_REVIEWER,
        at: ago(11),
        points: "state the region".to_owned(),
        cleared: Some((REVIEWER, ago(10), "done".to_owned())),
    });
    case.changes[0].revisions[0].authors.push(OTHER_REVIEWER);
    assert_eq!(refused(&case, OTHER_REVIEWER), "contributor-author");
    assert_eq!(refused(&case, REVIEWER), "");
    assert!(accept(&case).ready);
}

#[test]
fn x14_a_case_on_hold_or_closed_blocks() {
    let mut case = ready();
    case.on_hold = Some((now() + TimeDelta::days(3), "freeze".to_owned()));
    assert!(says(&accept(&case), "case_open", "gate-case-on-hold"));
    case.on_hold = None;
    case.state = CaseState::Closed;
    assert!(says(&accept(&case), "case_open", "gate-case-closed"));
}

#[test]
fn x22_a_live_change_keeps_a_case_open() {
    let mut case = ready();
    let gate_of = |case: &_| gate(case, Target::Close(Outcome::NoChangeNeeded));
    for state in ChangeState::ALL {
        case.changes[0].state = *state;
        let dead = matches!(
            state,
            ChangeState::Draft
                | ChangeState::Confirmed
                | ChangeState::Withdrawn
                | ChangeState::Rejected
                | ChangeState::RolledBack
        );
        // The fixture's canary started, so an expired change still has its candidate in service.
        assert_eq!(gate_of(&case).ready, dead, "{state:?}");
    }
}

#[test]
fn k21_only_a_confirmed_change_closes_as_confirmed() {
    let mut case = ready();
    case.changes[0].state = ChangeState::RolledBack;
    assert!(!gate(&case, Target::Close(Outcome::ChangeConfirmed)).ready);
    assert!(gate(&case, Target::Close(Outcome::ChangeRolledBack)).ready);
    assert!(!gate(&case, Target::Close(Outcome::OpenedInError)).ready);
    assert!(!gate(&case, Target::Close(Outcome::NotReproduced)).ready);
    for (n, id) in [(1, R1), (2, R2)] {
        assert!(case.run(id).is_some());
        set_signals(&mut case, n, engine(0.6 + n as f64 / 100.0, 0.98));
    }
    assert!(gate(&case, Target::Close(Outcome::NotReproduced)).ready);
}

#[test]
fn a_sealed_decision_survives_storage_and_keeps_its_digest() {
    let case = ready();
    let policy = Policy::default();
    let act = Act {
        kind: Kind::Accepted,
        by: REVIEWER,
        name: "R. Costa".to_owned(),
        role: Role::Reviewer,
        at: now(),
        note: "go".to_owned(),
        app_version: "0.1.0".to_owned(),
    };
    let sealed = seal(&case, &case.changes[0], accept(&case), act, &policy).unwrap();
    assert_eq!(sealed.evidence.len(), 5);
    assert_eq!(sealed.environments.len(), 2);
    assert_eq!(sealed.comparisons.len(), 2);
    assert_eq!(approvals(&case, &case.changes[0], &policy, now()).len(), 1);
    let text = serde_json::to_string(&sealed).unwrap();
    let back: super::super::decision::Sealed = serde_json::from_str(&text).unwrap();
    assert_eq!(back, sealed);
    assert_eq!(back.digest(), sealed.digest());
    let mut other = sealed.clone();
    other.act.note.push('!');
    assert_ne!(other.digest(), sealed.digest());
}
