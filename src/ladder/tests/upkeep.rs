//! What the program does by itself, and the table of what makes a record stop holding.

use super::super::CaseFile;
use super::super::change::{ChangeState, Purpose};
use super::super::contract::VersionState;
use super::super::evidence::EvidenceState;
use super::super::fixture::*;
use super::super::gate::Check;
use super::super::invalidation::{ApprovalFate, CanaryFate, Event};
use super::super::upkeep::{Due, What, due};
use chrono::TimeDelta;

/// The fixture with its canary approved, running or waiting for promotion.
fn at(state: ChangeState) -> CaseFile {
    let mut case = ready();
    case.changes[0].state = state;
    case.changes[0].state_since = ago(1);
    if state == ChangeState::CanaryRunning {
        case.changes[0].canary.truncate(1);
        case.changes[0].canary[0].at = ago(1);
    }
    if state == ChangeState::CanaryPaused {
        case.changes[0].canary.truncate(1);
        case.changes[0].canary[0].at = ago(3);
    }
    if state == ChangeState::ApprovedForCanary {
        case.changes[0].canary.clear();
        case.runs.retain(|r| r.id != R4 && r.id != R5);
        case.evidence.retain(|e| e.run_id != R4 && e.run_id != R5);
        reseal(&mut case);
    }
    case
}

fn now_due(case: &CaseFile) -> Vec<Due> {
    due(case, &checks(case), now())
}

fn what(case: &CaseFile) -> Option<What> {
    let all = now_due(case);
    assert!(all.len() <= 1, "{all:#?}");
    all.first().map(|d| d.what)
}

#[test]
fn nothing_is_due_while_everything_holds() {
    for state in ChangeState::ALL {
        assert_eq!(now_due(&at(*state)), [], "{state:?}");
    }
}

#[test]
fn e21_evidence_withdrawn_under_a_running_canary_pauses_it_and_voids_an_approval() {
    for state in [
        EvidenceState::Withdrawn,
        EvidenceState::SetAside,
        EvidenceState::Purged,
    ] {
        let mut case = at(ChangeState::CanaryRunning);
        item_mut(&mut case, 2).state = state;
        assert_eq!(what(&case), Some(What::Pause), "{state:?}");
        let mut case = at(ChangeState::ApprovedForCanary);
        item_mut(&mut case, 2).state = state;
        let all = now_due(&case);
        assert_eq!(all[0].what, What::Unapprove);
        assert!(
            all[0].why.iter().any(|s| s.key == "upkeep-condition"),
            "{all:#?}"
        );
    }
}

#[test]
fn e23_bytes_found_altered_pause_the_canary_and_say_so() {
    let case = at(ChangeState::CanaryRunning);
    let mut found = checks(&case);
    found.0.insert(case.evidence[1].id, Check::Failed(ago(0)));
    let all = due(&case, &found, now());
    assert_eq!(all[0].what, What::Pause);
    assert_eq!(all[0].why[0].key, "upkeep-corrupt");
}

#[test]
fn c12_a_contract_that_ended_pauses_the_canary() {
    for state in [VersionState::Withdrawn, VersionState::Superseded] {
        let mut case = at(ChangeState::CanaryRunning);
        case.contract.as_mut().expect("pinned").state = state;
        assert_eq!(what(&case), Some(What::Pause), "{state:?}");
    }
}

#[test]
fn s10_a_clean_baseline_run_pauses_the_canary() {
    let mut case = at(ChangeState::CanaryRunning);
    let id = uuid::Uuid::from_u128(306);
    case.runs.push(run(
        id,
        super::super::run::RunRole::Baseline,
        super::super::run::Phase::Warm,
        2,
        20,
    ));
    case.evidence.push(item(6, id, engine(0.6, 0.985)));
    assert_eq!(what(&case), Some(What::Pause));
}

#[test]
fn r14_an_approval_that_nobody_used_expires_with_its_change() {
    let mut case = at(ChangeState::ApprovedForCanary);
    case.changes[0].state_since = now() - TimeDelta::hours(72);
    case.changes[0].approvals[0].at = now() - TimeDelta::hours(72);
    assert_eq!(what(&case), None);
    case.changes[0].state_since -= TimeDelta::seconds(1);
    assert_eq!(what(&case), Some(What::ExpireApproval));
}

#[test]
fn k19_a_passed_canary_that_nobody_promoted_expires() {
    let mut case = at(ChangeState::AwaitingPromotion);
    let ended = case.changes[0].canary.last_mut().expect("it ended");
    ended.at = now() - TimeDelta::hours(24);
    assert_eq!(what(&case), None);
    case.changes[0].canary.last_mut().expect("it ended").at -= TimeDelta::seconds(1);
    assert_eq!(what(&case), Some(What::ExpirePromotion));
}

#[test]
fn r06_r19_an_approver_who_may_no_longer_decide_sends_the_change_back() {
    let mut gone = at(ChangeState::ApprovedForCanary);
    gone.people[1].active = false;
    assert_eq!(what(&gone), Some(What::Unapprove));
    let mut owner = at(ChangeState::ApprovedForCanary);
    owner.owner = Some(REVIEWER);
    assert_eq!(what(&owner), Some(What::Unapprove));
}

#[test]
fn r10_more_evidence_of_the_same_asks_to_confirm_and_sends_nothing_back() {
    let mut case = at(ChangeState::ApprovedForCanary);
    case.evidence.push(item(14, R3, engine(0.6, 0.985)));
    assert_eq!(what(&case), None);
    assert!(
        gate(&case, super::super::gate::Target::StartCanary)
            .open()
            .any(|l| l.id == "approvals")
    );
}

#[test]
fn the_table_says_what_lifecycle_says() {
    let fates = |fate| {
        Event::ALL
            .iter()
            .filter(|e| e.effect().canary == fate)
            .count()
    };
    assert_eq!(fates(CanaryFate::Pause), 6);
    assert_eq!(fates(CanaryFate::NotAllowed), 1);
    let keep: Vec<_> = Event::ALL
        .iter()
        .filter(|e| e.effect().approvals == ApprovalFate::Keep)
        .collect();
    assert_eq!(keep, [&Event::ContractEditorial, &Event::Remark]);
    // Whatever pauses a canary also voids approvals.
    for event in Event::ALL
        .iter()
        .filter(|e| e.effect().canary == CanaryFate::Pause)
    {
        assert_eq!(event.effect().approvals, ApprovalFate::Void, "{event:?}");
    }
    assert!(
        ready().changes[0]
            .approvals
            .iter()
            .all(|a| a.purpose == Purpose::Canary)
    );
}
