//! X22–X26: overrides, what they stand for, and what no emergency excuses.

use super::super::break_glass::*;
use super::super::case::{CaseFile, Outcome, PersonRef};
use super::super::change::{CanaryEventKind, ChangeState};
use super::super::contributor::contributors;
use super::super::decision::{Act, Kind, seal};
use super::super::fixture::*;
use super::super::gate::{Check, InputKind, LineStatus as S, Policy, Target, judge, may_decide};
use super::super::policy::Role;
use super::{says, status};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

const MANAGER: Uuid = Uuid::from_u128(4);
const SECOND: Uuid = Uuid::from_u128(5);

/// The fixture with two managers, and an override of everything by the first of them that the
/// second has co-signed.
fn overridden(mut case: CaseFile, what: &[Overridable]) -> CaseFile {
    for (id, name) in [(MANAGER, "M. Reis"), (SECOND, "T. Dias")] {
        case.people.push(PersonRef {
            id,
            name: name.to_owned(),
            roles: vec![Role::Manager],
            active: true,
            identity: id,
            left_at: None,
            erased: false,
        });
    }
    let change = &case.changes[0];
    case.overrides.push(Override {
        id: Uuid::from_u128(800),
        change_id: change.id,
        target: Target::Accept,
        what: what.to_vec(),
        category: Category::Outage,
        reason: "the service does not serve and every minute costs orders".to_owned(),
        revision_digest: change.current().unwrap().digest.clone(),
        basis_digest: basis_digest(&case, change, Target::Accept),
        by: MANAGER,
        at: ago(1),
        until: now() + TimeDelta::hours(2),
        alone_from: ago(1) + TimeDelta::minutes(30),
        review_due: now() + TimeDelta::days(2),
        cosigned: Some(Cosignature {
            by: SECOND,
            at: ago(1),
            note: String::new(),
        }),
        review: None,
    });
    case
}

fn bound(case: &mut CaseFile) {
    let digest = basis_digest(case, &case.changes[0], Target::Accept);
    case.overrides[0].basis_digest = digest;
}

fn standing_at(case: &CaseFile, at: DateTime<Utc>) -> Standing {
    standing(case, &case.overrides[0], at)
}

#[test]
fn an_override_stands_for_missing_conditions_and_says_so() {
    let mut case = ready();
    for i in [1, 2] {
        case.records[i].retracted = Some((RESPONDER, ago(2), "not sure".to_owned()));
    }
    reseal(&mut case);
    assert!(!accept(&case).ready);
    let what = [
        Overridable::OwnerLayerIdentified,
        Overridable::AcceptanceImpactVisible,
    ];
    let case = overridden(case, &what);
    let gate = accept(&case);
    assert!(gate.ready, "{:#?}", gate.open().collect::<Vec<_>>());
    for line in ["owner_layer_identified", "acceptance_impact_visible"] {
        assert_eq!(status(&gate, line), S::Overridden);
        assert!(says(&gate, line, "override-line"));
        let line = gate.line(line).unwrap();
        assert!(line.sentences.len() > 1, "what is missing is still said");
        assert_eq!(line.inputs[0].kind, InputKind::Override);
    }
    assert_eq!(gate.overridden(), 2);
    assert_eq!(gate.headline().key, "gate-accept-ready-overridden");
}

#[test]
fn only_what_is_named_is_overridden() {
    let mut case = ready();
    for i in [1, 2] {
        case.records[i].retracted = Some((RESPONDER, ago(2), "not sure".to_owned()));
    }
    reseal(&mut case);
    let case = overridden(case, &[Overridable::OwnerLayerIdentified]);
    let gate = accept(&case);
    assert_eq!(status(&gate, "owner_layer_identified"), S::Overridden);
    assert_eq!(status(&gate, "acceptance_impact_visible"), S::Missing);
    assert!(!gate.ready);
}

#[test]
fn fewer_runs_must_still_reproduce_it_once() {
    let mut case = ready();
    let claim = &mut case.records[0].claim;
    *claim = super::super::condition::Claim::ReproducedBottleneck {
        limit_id: "ttft".to_owned(),
        runs: vec![R1],
    };
    reseal(&mut case);
    assert_eq!(
        status(&accept(&case), "reproduced_bottleneck"),
        S::NotSupported
    );
    let one = overridden(case.clone(), &[Overridable::ReproducedBottleneck]);
    assert_eq!(
        status(&accept(&one), "reproduced_bottleneck"),
        S::Overridden
    );
    set_signals(&mut case, 1, engine(0.5, 0.99));
    reseal(&mut case);
    let none = overridden(case, &[Overridable::ReproducedBottleneck]);
    assert_ne!(
        status(&accept(&none), "reproduced_bottleneck"),
        S::Overridden
    );
}

#[test]
fn x23_a_failed_limit_is_never_overridden() {
    let mut case = ready();
    set_signals(&mut case, 4, engine(1.2, 0.984));
    set_signals(&mut case, 5, engine(0.7, 0.984));
    reseal(&mut case);
    let case = overridden(case, Overridable::ALL);
    let gate = accept(&case);
    assert_eq!(status(&gate, "canary_verdict"), S::NotSupported);
    assert!(says(&gate, "canary_verdict", "canary-breaks"));
    assert_eq!(gate.overridden(), 0);
    assert!(!gate.ready);
    // Nor does it look overridden where the canary ended.
    let mut case = case;
    case.changes[0].state = ChangeState::CanaryEnded;
    bound(&mut case);
    assert_eq!(accept(&case).overridden(), 0);
}

#[test]
fn x23_the_rollback_threshold_and_procedure_are_never_overridden() {
    let mut case = ready();
    case.records[3].retracted = Some((RESPONDER, ago(2), "not sure".to_owned()));
    with_terms(&mut case, |t| t.procedure.clear());
    let case = overridden(case, Overridable::ALL);
    let gate = accept(&case);
    assert_eq!(status(&gate, "rollback_threshold_defined"), S::Missing);
    assert_eq!(status(&gate, "way_back"), S::NotSupported);
    assert!(!gate.ready);
}

#[test]
fn x23_an_author_never_becomes_their_own_approver() {
    let mut case = ready();
    case.people[0].roles.push(Role::Reviewer);
    case.changes[0].approvals[0].by = RESPONDER;
    let case = overridden(case, Overridable::ALL);
    assert_eq!(status(&accept(&case), "approvals"), S::OutOfDate);
    assert!(may_decide(&case, &case.changes[0], RESPONDER).is_err());
}

#[test]
fn x23_altered_evidence_is_never_overridden() {
    let mut case = ready();
    case.records[1].retracted = Some((RESPONDER, ago(2), "not sure".to_owned()));
    reseal(&mut case);
    let case = overridden(case, Overridable::ALL);
    let mut checks = checks(&case);
    checks.0.insert(case.evidence[0].id, Check::Failed(ago(1)));
    let gate = judge(&case, &Policy::default(), Target::Accept, &checks, now());
    assert_eq!(gate.overridden(), 0);
    assert_eq!(status(&gate, "integrity"), S::NotSupported);
}

#[test]
fn x23_what_evidence_contradicts_is_not_claimed_by_override() {
    let allowed: Vec<&str> = Overridable::ALL
        .iter()
        .flat_map(|w| w.lines())
        .copied()
        .collect();
    for never in [
        "rollback_threshold_defined",
        "way_back",
        "integrity",
        "open_matters",
        "case_open",
        "unprofiled",
        "knob",
        "plan",
        "one_at_a_time",
    ] {
        assert!(!allowed.contains(&never), "{never}");
    }
}

#[test]
fn fewer_approvals_go_down_to_one_and_not_to_none() {
    let policy = Policy {
        canary_approvals: 2,
        ..Policy::default()
    };
    let mut case = overridden(ready(), &[Overridable::Approvals]);
    let of = |case: &CaseFile| judge(case, &policy, Target::Accept, &checks(case), now());
    assert_eq!(status(&of(&case), "approvals"), S::Overridden);
    case.changes[0].approvals.clear();
    assert_eq!(status(&of(&case), "approvals"), S::Missing);
}

#[test]
fn an_old_approval_and_an_old_canary_count_under_an_override_of_their_age() {
    let mut case = ready();
    case.changes[0].approvals[0].at = ago(8 + 80);
    for event in &mut case.changes[0].canary {
        event.at -= TimeDelta::hours(22);
    }
    for id in [R4, R5] {
        let stated = &mut run_mut(&mut case, id).stated;
        let (a, b) = stated.window.unwrap();
        stated.window = Some((a - TimeDelta::hours(22), b - TimeDelta::hours(22)));
    }
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, "canary_verdict"), S::OutOfDate);
    let gate = accept(&overridden(case.clone(), &[Overridable::Expiry]));
    assert_eq!(status(&gate, "canary_verdict"), S::Overridden);
    // Nothing else about an approval is excused.
    case.changes[0].canary.remove(0);
    case.changes[0].approvals[0].contract_version_id = Uuid::from_u128(9);
    let gate = accept(&overridden(case, &[Overridable::Expiry]));
    assert_eq!(status(&gate, "approvals"), S::OutOfDate);
}

#[test]
fn a_canary_below_its_minimum_goes_on_by_override_from_where_it_ended() {
    let mut case = ready();
    case.changes[0].state = ChangeState::CanaryEnded;
    case.changes[0].canary[1].at = ago(8) + TimeDelta::minutes(20);
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, "canary_verdict"), S::CannotTell);
    assert!(says(&gate, "canary_verdict", "canary-too-short"));
    assert_eq!(status(&gate, "revision"), S::NotSupported);
    let gate = accept(&overridden(case.clone(), &[Overridable::CanaryMinimum]));
    assert_eq!(status(&gate, "canary_verdict"), S::Overridden);
    assert_eq!(status(&gate, "revision"), S::Overridden);
    assert!(gate.ready, "{:#?}", gate.open().collect::<Vec<_>>());
    // A canary nobody ended stays where it is.
    case.changes[0]
        .canary
        .retain(|e| e.kind != CanaryEventKind::Ended);
    let gate = accept(&overridden(case, &[Overridable::CanaryMinimum]));
    assert_ne!(status(&gate, "canary_verdict"), S::Overridden);
}

#[test]
fn x24_an_override_ends_with_its_time_its_revision_and_its_evidence() {
    let mut case = ready();
    case.records[1].retracted = Some((RESPONDER, ago(2), "not sure".to_owned()));
    reseal(&mut case);
    let case = overridden(case, &[Overridable::OwnerLayerIdentified]);
    assert!(accept(&case).ready);
    let until = case.overrides[0].until;
    assert_eq!(
        standing_at(&case, until - TimeDelta::seconds(1)),
        Standing::Live
    );
    assert_eq!(standing_at(&case, until), Standing::Expired);
    let later = judge(
        &case,
        &Policy::default(),
        Target::Accept,
        &checks(&case),
        until,
    );
    assert_eq!(status(&later, "owner_layer_identified"), S::Missing);
    // A clock that was set back gives it no more time.
    assert_eq!(standing_at(&case, ago(2)), Standing::Expired);

    let mut other = case.clone();
    with_terms(&mut other, |t| t.procedure.push('.'));
    assert_eq!(standing_at(&other, now()), Standing::OtherRevision);
    assert_eq!(
        status(&accept(&other), "owner_layer_identified"),
        S::Missing
    );

    let mut moved = case.clone();
    moved.evidence.push(item(14, R3, engine(0.6, 0.985)));
    assert_eq!(standing_at(&moved, now()), Standing::BasisMoved);
    assert_eq!(
        status(&accept(&moved), "owner_layer_identified"),
        S::Missing
    );
}

#[test]
fn without_a_co_signature_it_waits_and_then_counts_with_the_signature_overdue() {
    let mut case = overridden(ready(), &[Overridable::Approvals]);
    case.overrides[0].cosigned = None;
    let from = case.overrides[0].alone_from;
    assert_eq!(
        standing_at(&case, from - TimeDelta::seconds(1)),
        Standing::Waiting
    );
    assert_eq!(standing_at(&case, from), Standing::Alone);
    assert!(!Standing::Waiting.counts() && Standing::Alone.counts());
}

#[test]
fn x25_the_second_person_is_another_who_did_not_contribute() {
    let mut case = overridden(ready(), &[Overridable::Approvals]);
    let refused = |case: &CaseFile, p| {
        may_cosign(case, &case.overrides[0], p)
            .map_err(|s| s.key)
            .err()
    };
    assert_eq!(refused(&case, MANAGER).unwrap(), "override-second-person");
    assert_eq!(refused(&case, RESPONDER).unwrap(), "override-no-role");
    case.people[0].roles.push(Role::Reviewer);
    assert_eq!(refused(&case, RESPONDER).unwrap(), "contributor-author");
    assert_eq!(refused(&case, SECOND), None);
    assert_eq!(refused(&case, REVIEWER), None);
    case.people
        .iter_mut()
        .find(|p| p.id == SECOND)
        .unwrap()
        .active = false;
    assert_eq!(refused(&case, SECOND).unwrap(), "decide-inactive");
}

#[test]
fn a_manager_who_wrote_the_change_may_not_ask_and_whoever_asked_is_a_contributor() {
    let mut case = overridden(ready(), &[Overridable::Approvals]);
    let change = case.changes[0].clone();
    assert_eq!(may_ask(&case, &change, MANAGER), Ok(()));
    assert_eq!(
        may_ask(&case, &change, REVIEWER).unwrap_err().key,
        "override-no-role"
    );
    case.people[0].roles.push(Role::Manager);
    assert_eq!(
        may_ask(&case, &change, RESPONDER).unwrap_err().key,
        "override-author"
    );
    let all = contributors(&case, &change);
    assert!(
        all.iter()
            .any(|(p, why)| *p == MANAGER && why.key == "contributor-override")
    );
    let manager = case.people.iter_mut().find(|p| p.id == MANAGER).unwrap();
    manager.roles.push(Role::Reviewer);
    assert_eq!(
        may_decide(&case, &change, MANAGER).unwrap_err().key,
        "contributor-override"
    );
}

#[test]
fn a_review_is_an_uninvolved_reviewers() {
    let mut case = overridden(ready(), &[Overridable::Approvals]);
    let refused = |case: &CaseFile, p| {
        may_review(case, &case.overrides[0], p)
            .map_err(|s| s.key)
            .err()
    };
    // R. Costa approved; A. Lima did not.
    assert_eq!(refused(&case, REVIEWER).unwrap(), "override-involved");
    assert_eq!(refused(&case, OTHER_REVIEWER), None);
    assert_eq!(refused(&case, SECOND).unwrap(), "override-no-role");
    case.people
        .iter_mut()
        .find(|p| p.id == SECOND)
        .unwrap()
        .roles
        .push(Role::Reviewer);
    assert_eq!(refused(&case, SECOND).unwrap(), "override-involved");
}

#[test]
fn x22_a_case_does_not_close_before_its_overrides_are_reviewed() {
    let mut case = overridden(ready(), &[Overridable::Approvals]);
    case.changes[0].state = ChangeState::Confirmed;
    let close = Target::Close(Outcome::ChangeConfirmed);
    let judged = gate(&case, close);
    assert_eq!(status(&judged, "override_review"), S::Missing);
    assert!(!judged.ready);
    case.overrides[0].review = Some(Review {
        by: OTHER_REVIEWER,
        at: now(),
        verdict: Verdict::NotJustified,
        words: "it could have waited for a layer".to_owned(),
    });
    assert!(gate(&case, close).ready);
    assert!(case.override_used(), "for good");
    case.overrides.clear();
    assert_eq!(
        status(&gate(&case, close), "override_review"),
        S::NotApplicable
    );
}

#[test]
fn x26_the_policy_of_now_judges_and_its_version_is_sealed() {
    let case = ready();
    let strict = Policy {
        version: 7,
        canary_approvals: 2,
        ..Policy::default()
    };
    let gate = judge(&case, &strict, Target::Accept, &checks(&case), now());
    assert!(!gate.ready && says(&gate, "approvals", "gate-approvals-missing"));
    let act = Act {
        kind: Kind::RolledBack,
        by: REVIEWER,
        name: "R. Costa".to_owned(),
        role: Role::Reviewer,
        at: now(),
        note: "back".to_owned(),
        app_version: "0".to_owned(),
    };
    let sealed = seal(&case, &case.changes[0], gate, act, &strict).unwrap();
    assert_eq!((sealed.policy.version, sealed.gate.policy), (7, 7));
}

#[test]
fn a_decision_by_override_names_it_with_both_people() {
    let mut case = ready();
    case.records[1].retracted = Some((RESPONDER, ago(2), "not sure".to_owned()));
    reseal(&mut case);
    let mut case = overridden(case, &[Overridable::OwnerLayerIdentified]);
    bound(&mut case);
    let act = Act {
        kind: Kind::Accepted,
        by: REVIEWER,
        name: "R. Costa".to_owned(),
        role: Role::Reviewer,
        at: now(),
        note: "by override".to_owned(),
        app_version: "0".to_owned(),
    };
    let sealed = seal(&case, &case.changes[0], accept(&case), act, &case.policy).unwrap();
    let [used] = sealed.overrides.as_slice() else {
        panic!("{:?}", sealed.overrides)
    };
    assert_eq!(used.what, Some(Overridable::OwnerLayerIdentified));
    assert_eq!(
        (used.name.as_str(), used.cosigned.as_deref()),
        ("M. Reis", Some("T. Dias"))
    );
    assert_eq!(used.line, "owner_layer_identified");
}

#[test]
fn working_days_leave_out_the_weekend() {
    let friday: DateTime<Utc> = "2026-11-27T17:00:00Z".parse().unwrap();
    assert_eq!(
        working_days_after(friday, 2).to_rfc3339(),
        "2026-12-01T17:00:00+00:00"
    );
    let monday: DateTime<Utc> = "2026-11-30T09:00:00Z".parse().unwrap();
    assert_eq!(
        working_days_after(monday, 2).to_rfc3339(),
        "2026-12-02T09:00:00+00:00"
    );
    let (until, alone, _) = times(&Policy::default(), 9 * 3600, monday);
    assert_eq!(until - monday, TimeDelta::hours(4));
    assert_eq!(alone - monday, TimeDelta::minutes(30));
}

#[test]
fn the_program_does_not_undo_by_itself_what_an_override_stands_for() {
    use super::super::upkeep::{What, due};
    let mut case = ready();
    case.records[1].retracted = Some((RESPONDER, ago(2), "not sure".to_owned()));
    case.changes[0].state = ChangeState::ApprovedForCanary;
    case.changes[0].state_since = ago(3);
    case.changes[0].canary.clear();
    reseal(&mut case);
    let what = |case: &CaseFile, at| due(case, &checks(case), at).first().map(|d| d.what);
    assert_eq!(what(&case, now()), Some(What::Unapprove));
    let over = overridden(case, &[Overridable::OwnerLayerIdentified]);
    assert_eq!(what(&over, now()), None);
    let until = over.overrides[0].until;
    assert_eq!(
        what(&over, until),
        Some(What::Unapprove),
        "with its time it is over"
    );

    let mut case = ready();
    case.changes[0].state_since = ago(80);
    case.changes[0].canary[0].at = ago(50);
    case.changes[0].canary[1].at = ago(26);
    reseal(&mut case);
    assert_eq!(what(&case, now()), Some(What::ExpirePromotion));
    assert_eq!(what(&overridden(case, &[Overridable::Expiry]), now()), None);
}

#[test]
fn in_a_small_team_whoever_only_attached_evidence_may_decide_while_the_policy_says_so() {
    let mut case = ready();
    item_mut(&mut case, 2).added_by = REVIEWER;
    let refused = |case: &CaseFile, p| may_decide(case, &case.changes[0], p).is_err();
    case.policy.uploader_may_approve = true;
    assert!(
        refused(&case, REVIEWER),
        "a team of unknown size is no small one"
    );
    case.team = Some(4);
    assert!(refused(&case, REVIEWER));
    case.team = Some(3);
    assert!(!refused(&case, REVIEWER));
    case.records[0].by = REVIEWER;
    assert!(refused(&case, REVIEWER), "the other five are never relaxed");
    case.policy.uploader_may_approve = false;
    case.records[0].by = RESPONDER;
    assert!(refused(&case, REVIEWER));
}

#[test]
fn thresholds_on_one_side_are_enough_only_while_the_policy_says_so() {
    let mut case = ready();
    with_terms(&mut case, |t| t.thresholds.truncate(1));
    let of = |case: &CaseFile, both: bool| {
        let mut case = case.clone();
        case.policy.thresholds_on_both = both;
        let policy = case.policy.clone();
        let gate = judge(&case, &policy, Target::Accept, &checks(&case), now());
        (
            status(&gate, "rollback_threshold_defined"),
            status(&gate, "way_back"),
        )
    };
    assert_eq!(of(&case, true), (S::NotSupported, S::NotSupported));
    assert_eq!(of(&case, false), (S::Holds, S::Holds));
    with_terms(&mut case, |t| t.thresholds.clear());
    assert_eq!(of(&case, false), (S::NotSupported, S::NotSupported));
}
