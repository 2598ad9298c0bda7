//! C: the contract and rollback thresholds measured against it.

use super::super::compare::compare;
use super::super::contract::{
    ClassTerms, Comparator, Compatibility, CostAttribution, Terms, VersionState,
};
use super::super::fixture::*;
use super::super::gate::LineStatus as S;
use super::super::run::Phase;
use super::super::{Statistic, threshold as rule};
use super::{says, status};
use pel_evidence::Signal;
use uuid::Uuid;

const ROLLBACK: &str = "rollback_threshold_defined";

fn keys(t: &super::super::change::Threshold) -> Vec<String> {
    rule::problems(t, &contract())
        .into_iter()
        .map(|s| s.key)
        .collect()
}

#[test]
fn c1_approvals_under_an_earlier_contract_are_outdated() {
    let mut case = ready();
    let version = case.contract.as_mut().unwrap();
    version.id = Uuid::from_u128(111);
    version.number = 4;
    let gate = accept(&case);
    assert!(!gate.ready);
    assert_eq!(status(&gate, "approvals"), S::OutOfDate);
    assert!(says(&gate, "approvals", "approval-other-contract"));
    for condition in ["reproduced_bottleneck", "acceptance_impact_visible"] {
        assert_eq!(status(&gate, condition), S::OutOfDate, "{condition}");
    }
}

#[test]
fn c1_a_superseded_contract_makes_all_four_conditions_out_of_date() {
    let mut case = ready();
    case.contract.as_mut().unwrap().state = VersionState::Superseded;
    case.newer_contract = Some(4);
    let gate = accept(&case);
    for line in &gate.lines[..4] {
        assert_eq!(line.status, S::OutOfDate, "{}", line.id);
    }
    assert_eq!(status(&gate, "case_open"), S::NotSupported);
}

#[test]
fn c2_a_changed_limit_is_not_editorial() {
    let before = contract().terms;
    let mut after = before.clone();
    after.purpose = "chat, in other words".to_owned();
    assert_eq!(after.compatibility(&before), Compatibility::Editorial);
    after.limits[0].value = 0.7;
    assert_eq!(after.compatibility(&before), Compatibility::Material);
}

#[test]
fn c3_a_loosened_limit_is_found() {
    let before = contract().terms;
    let mut after = before.clone();
    after.limits[0].value = 0.7;
    assert!(after.loosened(&before).is_empty());
    after.limits[0].value = 2.0;
    after.limits[1].value = 0.9;
    assert_eq!(after.loosened(&before), ["ttft", "accepted"]);
}

#[test]
fn c4_a_looser_threshold_is_unsupported_with_both_numbers() {
    let mut case = ready();
    with_terms(&mut case, |t| t.thresholds[0].value = Some(0.9));
    let gate = accept(&case);
    assert_eq!(status(&gate, ROLLBACK), S::NotSupported);
    assert_eq!(status(&gate, "way_back"), S::NotSupported);
    let line = gate.line(ROLLBACK).unwrap();
    let looser = line
        .sentences
        .iter()
        .find(|s| s.key == "threshold-looser")
        .unwrap();
    let said = format!("{looser:?}");
    assert!(said.contains("0.9") && said.contains("0.8"), "{said}");
}

#[test]
fn c5_each_missing_part_of_a_threshold_is_named() {
    let complete = threshold("ttft", Statistic::P99, Comparator::AtMost, 0.8);
    assert!(keys(&complete).is_empty());
    type Edit = fn(&mut super::super::change::Threshold);
    let parts: [(Edit, &str); 6] = [
        (|t| t.statistic = None, "threshold-part-statistic"),
        (|t| t.value = None, "threshold-part-value"),
        (|t| t.typed_unit = String::new(), "threshold-part-unit"),
        (|t| t.window_seconds = None, "threshold-part-window"),
        (|t| t.min_samples = None, "threshold-part-samples"),
        (|t| t.consecutive = 0, "threshold-part-consecutive"),
    ];
    for (edit, part) in parts {
        let mut t = complete.clone();
        edit(&mut t);
        let said = format!("{:?}", rule::problems(&t, &contract()));
        assert!(said.contains(part), "{part}: {said}");
    }
    let mut t = complete;
    t.signal = String::new();
    assert_eq!(keys(&t), ["threshold-no-signal"]);
}

#[test]
fn c6_a_threshold_on_a_signal_the_contract_does_not_know_is_unsupported() {
    let t = threshold("itl", Statistic::P99, Comparator::AtMost, 0.1);
    assert_eq!(keys(&t), ["threshold-unknown-signal"]);
    let t = threshold("ttft", Statistic::P50, Comparator::AtMost, 0.1);
    assert_eq!(keys(&t), ["threshold-other-statistic"]);
}

#[test]
fn c7_a_threshold_equal_to_the_limit_is_strict() {
    let t = threshold("ttft", Statistic::P99, Comparator::AtMost, 0.8);
    assert!(keys(&t).is_empty());
}

#[test]
fn c8_a_threshold_typed_in_milliseconds_equals_the_limit_in_seconds() {
    let mut t = threshold("ttft", Statistic::P99, Comparator::AtMost, 0.0);
    t.typed_unit = "ms".to_owned();
    t.value = t.unit().to_base(800.0, "ms");
    assert!(keys(&t).is_empty());
}

#[test]
fn c9_an_inverted_threshold_is_unsupported() {
    let t = threshold(
        "acceptance_rate",
        Statistic::Ratio,
        Comparator::AtMost,
        0.98,
    );
    assert_eq!(keys(&t), ["threshold-direction"]);
}

#[test]
fn a_window_longer_than_the_contracts_is_unsupported() {
    let mut t = threshold("ttft", Statistic::P99, Comparator::AtMost, 0.8);
    t.window_seconds = Some(601);
    assert_eq!(keys(&t), ["threshold-window-long"]);
}

#[test]
fn latency_and_acceptance_both_need_a_threshold() {
    let mut case = ready();
    with_terms(&mut case, |t| {
        t.thresholds.pop();
    });
    assert!(says(&accept(&case), ROLLBACK, "threshold-needs-acceptance"));
    with_terms(&mut case, |t| t.thresholds.clear());
    assert!(says(&accept(&case), ROLLBACK, "threshold-needs-latency"));
}

#[test]
fn one_threshold_for_all_never_stands_for_a_class_with_its_own_limit() {
    let mut version = contract();
    version.terms.classes.push(ClassTerms {
        name: "long".to_owned(),
        description: String::new(),
    });
    version.terms.limits[0].class = Some("long".to_owned());
    let t = threshold("ttft", Statistic::P99, Comparator::AtMost, 0.8);
    let found = rule::problems(&t, &version);
    assert_eq!(found[0].key, "threshold-class");
}

#[test]
fn c10_newer_load_outside_the_declared_range_makes_claims_out_of_date() {
    let mut case = ready();
    with_contract(&mut case, |t| {
        t.load.prompt_tokens_mean = Some((100.0, 2000.0));
    });
    assert!(accept(&case).ready);
    let new = Uuid::from_u128(310);
    case.runs.push(run(
        new,
        super::super::run::RunRole::Baseline,
        Phase::Warm,
        5,
        20,
    ));
    let mut signals = engine(1.6, 0.93);
    signals.push(Signal::new("prompt_length", Statistic::Mean, 9000.0));
    case.evidence.push(item(10, new, signals));
    let gate = accept(&case);
    for condition in ["reproduced_bottleneck", "acceptance_impact_visible"] {
        assert_eq!(status(&gate, condition), S::OutOfDate, "{condition}");
        assert!(says(&gate, condition, "gate-off-contract"));
    }
}

#[test]
fn c12_a_withdrawn_contract_blocks() {
    let mut case = ready();
    case.contract.as_mut().unwrap().state = VersionState::Withdrawn;
    let gate = accept(&case);
    assert!(says(&gate, "case_open", "gate-contract-withdrawn"));
    assert!(!gate.ready);
}

#[test]
fn c13_a_class_without_evidence_is_inconclusive_and_named() {
    let mut case = ready();
    with_contract(&mut case, |t| {
        t.classes.push(ClassTerms {
            name: "long".to_owned(),
            description: String::new(),
        });
        let mut long = t.limits[0].clone();
        long.id = "ttft-long".to_owned();
        long.class = Some("long".to_owned());
        t.limits.push(long);
    });
    let compared = compare(&case, &[R1], &[R3], Phase::Warm);
    let row = compared
        .rows
        .iter()
        .find(|r| r.limit_id == "ttft-long")
        .unwrap();
    let reason = row.verdict.reason().unwrap();
    assert_eq!(reason.key, "compare-no-run-for-class");
    assert!(format!("{reason:?}").contains("long"));
}

#[test]
fn c11_a_limit_on_cost_without_its_attribution_is_not_published() {
    let mut terms = ready().contract.unwrap().terms;
    let asks = |terms: &Terms| {
        let all = terms.problems();
        all.iter().any(|(field, s)| {
            field == "cost_resources" && s.key == "contract-needs-cost-attribution"
        })
    };
    assert!(!asks(&terms), "no limit on cost, no attribution asked");
    let mut limit = terms.limits[0].clone();
    limit.id = "cost".to_owned();
    limit.signal = "cost_per_accepted_task".to_owned();
    terms.limits.push(limit);
    assert!(asks(&terms));
    terms.cost = Some(CostAttribution {
        resources: "2 GPUs".to_owned(),
        price_per_hour: 2.5,
        currency: "EUR".to_owned(),
        period: "the window of the run".to_owned(),
    });
    assert!(!asks(&terms));
}
