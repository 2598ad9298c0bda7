//! Who may know of a case, who stays out of it, and what loosened limits and drift ask for.

use super::super::Arg;
use super::super::case::CaseFile;
use super::super::fixture::{
    OTHER_REVIEWER, RESPONDER, REVIEWER, accept, ago, engine, item, now, ready, run, with_contract,
};
use super::super::gate::LineStatus;
use super::super::life::{Ancestor, Consent, Flag, FlagKind, Part, PartKind, Pin, Reopening};
use super::super::policy::Role;
use super::super::run::{Phase, RunRole};
use super::super::{contributor, drift, gate, loosening, view::View};
use chrono::TimeDelta;
use pel_evidence::{Bound, Signal, Statistic};
use uuid::Uuid;

fn part(part: PartKind, person: Uuid) -> Part {
    Part {
        part,
        person,
        reason: "a reason".to_owned(),
        by: RESPONDER,
        at: ago(2),
    }
}

fn confidential() -> CaseFile {
    let mut case = ready();
    case.life.flags.push(Flag {
        flag: FlagKind::Confidential,
        raised: true,
        until: None,
        reason: "asked for".to_owned(),
        by: RESPONDER,
        at: ago(3),
    });
    case
}

#[test]
fn x14_a_confidential_case_is_known_to_those_on_it_and_to_auditors() {
    let mut case = confidential();
    for role in Role::ALL {
        let stranger = case.known_to(Uuid::from_u128(9), &[role]);
        assert_eq!(stranger, role == Role::Auditor, "{role:?}");
    }
    assert!(case.known_to(RESPONDER, &[Role::Responder]), "the owner");
    assert!(!case.known_to(REVIEWER, &[Role::Reviewer]));
    case.life.parts.push(part(PartKind::Excluded, REVIEWER));
    assert!(!case.known_to(REVIEWER, &[Role::Reviewer]), "excluded");
    case.life.parts.push(part(PartKind::Reviewer, REVIEWER));
    assert!(case.known_to(REVIEWER, &[Role::Reviewer]), "asked");
    case.life.flags[0].raised = false;
    assert!(case.known_to(Uuid::from_u128(9), &[Role::Viewer]));
}

#[test]
fn x14_a_hold_ends_when_its_date_passes() {
    let mut case = ready();
    case.on_hold = Some((now() + TimeDelta::seconds(1), "freeze".to_owned()));
    assert!(!accept(&case).ready);
    case.on_hold = Some((now(), "freeze".to_owned()));
    assert!(accept(&case).ready);
}

#[test]
fn an_excluded_person_is_no_approver_and_is_not_named_as_one() {
    let mut case = ready();
    case.life.parts.push(part(PartKind::Excluded, REVIEWER));
    let change = &case.changes[0];
    let why = contributor::may_decide(&case, change, REVIEWER).unwrap_err();
    assert_eq!(why.key, "decide-excluded");
    let all = gate::approvals(&case, change, &case.policy, now());
    assert!(all.iter().all(|a| !a.counts()));
    let eligible = contributor::eligible(&case, change);
    assert!(eligible.iter().all(|p| p.id == OTHER_REVIEWER));
    assert!(!accept(&case).ready);
}

#[test]
fn x20_nothing_approved_before_a_reopening_counts() {
    let mut case = ready();
    case.life.reopenings.push(Reopening {
        reason: "it came back".to_owned(),
        by: REVIEWER,
        at: ago(9),
    });
    let all = gate::approvals(&case, &case.changes[0], &case.policy, now());
    let key = "approval-before-reopening";
    assert!(all[0].outdated.iter().any(|s| s.key == key));
    case.life.reopenings[0].at = ago(11);
    assert!(accept(&case).ready, "given since then it counts");
}

#[test]
fn r6_an_approval_given_before_its_giver_left_is_void_for_good() {
    let mut case = ready();
    let rita = case.people.iter_mut().find(|p| p.id == REVIEWER).unwrap();
    rita.left_at = Some(ago(9));
    let all = gate::approvals(&case, &case.changes[0], &case.policy, now());
    assert_eq!(all[0].outdated[0].key, "approval-giver-left");
    let rita = case.people.iter_mut().find(|p| p.id == REVIEWER).unwrap();
    rita.left_at = Some(ago(11));
    assert!(accept(&case).ready);
}

/// The fixture under a version whose limit was once stricter.
fn loosened() -> CaseFile {
    let mut case = ready();
    let now = case.contract.clone().unwrap();
    let mut before = now.terms.clone();
    before.limits[0].value = 0.5;
    case.life.pins = [(Uuid::from_u128(99), "chat v2", before)]
        .into_iter()
        .chain([(now.id, "chat v3", now.terms)])
        .map(|(version, label, terms)| Pin {
            version,
            label: label.to_owned(),
            terms,
            at: ago(30),
        })
        .collect();
    case
}

#[test]
fn c3_a_loosened_limit_blocks_until_a_reviewer_from_outside_lets_it_count() {
    let mut case = loosened();
    let gate = accept(&case);
    let line = gate.line("contract_loosened").unwrap();
    assert_eq!(line.status, LineStatus::NotSupported);
    assert_eq!(line.sentences[0].key, "contract-limit-loosened");
    assert!(contributor::may_consent(&case, RESPONDER).is_err());
    assert!(contributor::may_consent(&case, REVIEWER).is_ok());
    case.life.consents.push(Consent {
        version: case.contract.as_ref().unwrap().id,
        reason: "agreed in writing with the team".to_owned(),
        by: REVIEWER,
        at: ago(1),
    });
    let gate = accept(&case);
    let line = gate.line("contract_loosened").unwrap();
    assert_eq!(line.status, LineStatus::Holds);
    assert!(gate.ready);
}

#[test]
fn c3_a_tightened_limit_is_not_loosened_and_a_gone_one_is() {
    let mut case = loosened();
    case.life.pins[0].terms.limits[0].value = 2.0;
    assert!(loosening::of(&case).is_empty());
    assert!(accept(&case).line("contract_loosened").is_none());
    let gone = super::super::fixture::limit(
        "itl",
        "itl",
        Statistic::P99,
        super::super::contract::Comparator::AtMost,
        0.1,
    );
    case.life.pins[0].terms.limits.push(gone);
    let found = loosening::of(&case);
    assert_eq!(found.len(), 1);
    assert!(found[0].now.is_none());
    assert_eq!(found[0].said().key, "contract-limit-gone");
}

#[test]
fn c2_what_rests_on_a_version_rests_on_its_editorial_successor() {
    let mut case = ready();
    let before = case.contract.clone().unwrap();
    let version = case.contract.as_mut().unwrap();
    version.id = Uuid::from_u128(150);
    version.number = 4;
    version.terms.purpose = "said better".to_owned();
    assert!(!accept(&case).ready, "another version says something else");
    case.life.editorial.push(Ancestor {
        id: before.id,
        number: 3,
        digest: before.terms.digest(),
    });
    let gate = accept(&case);
    assert!(gate.ready, "{:?}", gate.open().collect::<Vec<_>>());
}

/// A warm baseline run that began `hours` ago and showed this signal besides the usual ones.
fn later(case: &mut CaseFile, number: u128, hours: i64, shown: Signal) {
    let id = Uuid::from_u128(300 + number);
    case.runs
        .push(run(id, RunRole::Baseline, Phase::Warm, hours, 20));
    let mut signals = engine(1.6, 0.93);
    signals.push(shown);
    case.evidence.push(item(number as i64, id, signals));
}

#[test]
fn c10_every_declared_range_is_compared_and_both_numbers_are_said() {
    let p95 = |v| Signal::new("prompt_length", Statistic::P95, v);
    let running = |v| Signal::new("running_requests", Statistic::Mean, v);
    for (outside, inside) in [(p95(9000.0), p95(900.0)), (running(90.0), running(9.0))] {
        let mut case = ready();
        with_contract(&mut case, |t| {
            t.load.prompt_tokens_p95 = Some((100.0, 2000.0));
            t.load.concurrency = Some((1.0, 64.0));
        });
        later(&mut case, 20, 5, outside.clone());
        let found = drift::newest(&View::new(&case));
        assert_eq!(found.len(), 1, "{outside:?}");
        let args: Vec<&str> = found[0].1.args.iter().map(|(n, _)| n.as_str()).collect();
        for named in ["value", "least", "most", "statistic"] {
            assert!(args.contains(&named), "{named}");
        }
        let open = |case: &CaseFile| {
            let gate = accept(case);
            gate.line("reproduced_bottleneck").unwrap().status
        };
        assert_eq!(open(&case), LineStatus::OutOfDate);
        // One that shows nothing of the load ends no drift; one that is back inside does.
        later(&mut case, 21, 4, Signal::new("itl", Statistic::P50, 0.02));
        assert_eq!(open(&case), LineStatus::OutOfDate);
        later(&mut case, 22, 3, inside);
        assert_eq!(open(&case), LineStatus::Holds);
    }
}

#[test]
fn c10_a_task_mix_outside_the_declared_one_is_drift_and_an_absent_class_has_no_share() {
    let shares = |chat: f64, code: Option<f64>| {
        let of =
            |class: &str, v| Signal::new("class_share", Statistic::Ratio, v).label("class", class);
        let mut found = vec![of("chat", chat)];
        found.extend(code.map(|v| of("code", v)));
        found
    };
    for (shown, outside) in [
        (shares(0.7, Some(0.3)), None),
        (shares(0.9, Some(0.1)), Some("chat")),
        (shares(0.75, None), Some("code")),
    ] {
        let mut case = ready();
        with_contract(&mut case, |t| {
            t.load.mix = [
                ("chat".to_owned(), (0.6, 0.8)),
                ("code".to_owned(), (0.05, 0.4)),
            ]
            .into();
        });
        later(&mut case, 20, 5, Signal::new("itl", Statistic::P50, 0.02));
        let last = case.evidence.last_mut().unwrap();
        let signals = &mut last.extraction.as_mut().unwrap().signals;
        signals.extend(shown.clone());
        case.runs.last_mut().unwrap().stated.class = None;
        let found = drift::newest(&View::new(&case));
        assert_eq!(found.len(), usize::from(outside.is_some()), "{shown:?}");
        if let Some(class) = outside {
            let said = found[0].1.args.iter().find(|(n, _)| n == "class");
            assert_eq!(
                said.map(|(_, a)| a.clone()),
                Some(Arg::Text(class.to_owned()))
            );
        }
    }
}

#[test]
fn c10_an_arrival_rate_that_is_only_a_lower_bound_is_never_too_low() {
    let rate = |v: f64, bound| Signal::new("arrival_rate", Statistic::Rate, v).bound(bound);
    for (shown, outside) in [
        (rate(1.0, Bound::Exact), true),
        (rate(1.0, Bound::AtLeast), false),
        (rate(30.0, Bound::AtLeast), true),
        (rate(10.0, Bound::Exact), false),
    ] {
        let mut case = ready();
        with_contract(&mut case, |t| t.load.arrival_per_second = Some((5.0, 20.0)));
        later(&mut case, 20, 5, shown.clone());
        let found = drift::newest(&View::new(&case));
        assert_eq!(!found.is_empty(), outside, "{shown:?}");
    }
}
