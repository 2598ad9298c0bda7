//! X17, X18: what keeps bytes beyond their time, and what a sealed summary still carries.

use super::super::case::{CaseFile, CaseState, Outcome};
use super::super::evidence::{EvidenceState, Sealed};
use super::super::fixture::*;
use super::super::gate::{Check, LineStatus as S};
use super::super::numbers::Policy;
use super::super::retention::{Circumstances, Fate, Summary, days, fate};
use super::{says, status};
use chrono::TimeDelta;
use pel_evidence::Kind;

fn purge(case: &mut CaseFile, number: i64, counts: bool) {
    let item = item_mut(case, number);
    item.state = EvidenceState::Purged;
    item.sealed = Some(Sealed {
        digest: "5".repeat(64),
        counts,
    });
}

#[test]
fn x17_what_a_live_basis_rests_on_is_kept_and_said() {
    let mut case = ready();
    let later = now() + TimeDelta::days(400);
    let none = Circumstances::default();
    let at = |case: &CaseFile| fate(case, &case.evidence[0], none, later);
    assert!(matches!(at(&case), Fate::Held(why) if why.key == "retention-live-basis"));
    let early = now() + TimeDelta::days(300);
    assert_eq!(fate(&case, &case.evidence[0], none, early), Fate::Keep);
    let mut closed = case.clone();
    closed.state = CaseState::Closed;
    closed.outcome = Some(Outcome::NoChangeNeeded);
    assert_eq!(at(&closed), Fate::Due);
    case.records.clear();
    case.changes.clear();
    assert_eq!(at(&case), Fate::Due);
    let hold = Circumstances {
        legal_hold: true,
        ..none
    };
    let held = fate(&closed, &closed.evidence[0], hold, later);
    assert!(matches!(held, Fate::Held(why) if why.key == "retention-legal-hold"));
}

#[test]
fn x17_the_time_depends_on_kind_confidentiality_and_a_redacted_copy() {
    let case = ready();
    let policy = Policy::default();
    let mut item = case.evidence[0].clone();
    let of = |item: &_, confidential, redacted| {
        let circumstances = Circumstances {
            legal_hold: false,
            confidential,
            redacted,
        };
        days(item, circumstances, &policy)
    };
    assert_eq!(of(&item, false, false), policy.keep_metrics_days);
    assert_eq!(of(&item, true, false), policy.keep_confidential_days);
    assert_eq!(of(&item, true, true), policy.keep_redacted_days);
    item.extraction.as_mut().unwrap().kind = Kind::NsightSystems;
    assert_eq!(of(&item, false, false), policy.keep_traces_days);
    item.extraction = None;
    assert_eq!(of(&item, false, false), policy.keep_other_days);
}

#[test]
fn x18_with_a_sealed_summary_acceptance_is_allowed_and_says_so() {
    let mut case = ready();
    for number in [1, 2, 3] {
        purge(&mut case, number, true);
    }
    let gate = accept(&case);
    let open: Vec<_> = gate.open().collect();
    assert!(open.is_empty(), "{open:#?}");
    assert!(says(&gate, "integrity", "gate-integrity-sealed"));
    // The bytes are gone on purpose: that they cannot be found now is no damage.
    let mut found = checks(&case);
    found.0.insert(case.evidence[0].id, Check::Failed(ago(0)));
    let gate = super::super::gate::judge(
        &case,
        &Policy::default(),
        super::super::gate::Target::Accept,
        &found,
        now(),
    );
    assert!(gate.ready);
}

#[test]
fn x18_without_one_it_is_refused() {
    let mut case = ready();
    purge(&mut case, 1, false);
    let gate = accept(&case);
    assert_eq!(status(&gate, "reproduced_bottleneck"), S::NotSupported);
    assert!(!gate.ready);
}

#[test]
fn x18_an_approval_that_was_not_used_yet_is_void() {
    let mut case = ready();
    case.changes[0].canary.clear();
    reseal(&mut case);
    let counting = |case: &CaseFile| {
        super::super::gate::approvals(case, &case.changes[0], &case.policy, now())
            .iter()
            .filter(|a| a.counts())
            .count()
    };
    assert_eq!(counting(&case), 1);
    purge(&mut case, 1, true);
    assert_eq!(counting(&case), 0);
}

#[test]
fn a_summary_holds_every_number_and_statement() {
    let case = ready();
    let item = &case.evidence[0];
    let summary = Summary::of(&case, item);
    assert_eq!(summary.signals, item.extraction.as_ref().unwrap().signals);
    assert_eq!(summary.stated.as_ref(), Some(&case.runs[0].stated));
    assert_eq!(summary.files, item.files);
    let text = serde_json::to_string(&summary).unwrap();
    assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), summary);
}

/// A redacted copy of EV-1 with these signals.
fn copy(case: &mut CaseFile, signals: Vec<pel_evidence::Signal>) {
    let mut copy = item(31, R1, signals);
    copy.redaction = Some(super::super::evidence::Redaction {
        original_id: case.evidence[0].id,
        removed: vec!["prompts".to_owned()],
    });
    case.evidence.push(copy);
}

#[test]
fn e26_a_copy_without_a_number_the_gate_needs_is_not_pointed_at_and_says_which() {
    use super::super::condition::Condition;
    use super::super::redaction::repoint;
    let mut case = ready();
    let mut without = engine(1.6, 0.93);
    without.remove(2);
    copy(&mut case, without);
    let found = repoint(&case, case.evidence.last().unwrap());
    assert_eq!(found.len(), 3, "three conditions rest on EV-1");
    for r in &found {
        match (&r.claim, r.condition) {
            (Err(gaps), Condition::OwnerLayerIdentified) => {
                assert_eq!(gaps[0].key, "redaction-signal-gone");
                let queue = super::super::Arg::Signal("queue_time".to_owned());
                assert!(gaps[0].args.iter().any(|(_, a)| *a == queue));
            }
            (claim, _) => assert!(claim.is_ok(), "{claim:?}"),
        }
    }
}

#[test]
fn e26_a_copy_whose_numbers_agree_carries_the_layer_in_its_place() {
    use super::super::condition::{Claim, Condition};
    use super::super::redaction::repoint;
    let mut case = ready();
    copy(&mut case, engine(1.6, 0.93));
    let copied = case.evidence.last().unwrap().clone();
    let found = repoint(&case, &copied);
    for r in found {
        let claim = r.claim.unwrap();
        let i = Condition::ALL
            .iter()
            .position(|c| *c == r.condition)
            .unwrap();
        if let Claim::OwnerLayerIdentified { cited, .. } = &claim {
            assert_eq!(cited[0].evidence_id, copied.id);
        }
        case.records[i].claim = claim;
    }
    case.evidence[0].state = EvidenceState::Withdrawn;
    reseal(&mut case);
    let gate = accept(&case);
    let open: Vec<_> = gate.open().collect();
    assert!(open.is_empty(), "{open:#?}");
    // A number that reads otherwise is no agreement.
    let mut case = ready();
    copy(&mut case, engine(1.7, 0.93));
    let found = repoint(&case, case.evidence.last().unwrap());
    let gaps = found[0].claim.as_ref().unwrap_err();
    assert_eq!(gaps[0].key, "redaction-signal-moved");
}
