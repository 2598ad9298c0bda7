//! K: change and canary.

use super::super::canary::{Whole, verdict};
use super::super::change::ChangeState;
use super::super::compare::compare;
use super::super::contract::{ClassTerms, Comparator, LimitPhase};
use super::super::fixture::*;
use super::super::gate::{LineStatus as S, Target};
use super::super::run::{Phase, RunRole};
use super::super::{Arg, Statistic};
use super::{says, status};
use pel_evidence::Signal;
use uuid::Uuid;

fn whole(case: &super::super::CaseFile) -> Whole {
    verdict(case, &case.changes[0]).whole
}

fn reasons(case: &super::super::CaseFile) -> Vec<String> {
    let v = verdict(case, &case.changes[0]);
    v.reasons
        .into_iter()
        .chain(v.rows.into_iter().filter_map(|r| r.reason))
        .map(|s| s.key)
        .collect()
}

#[test]
fn a_clean_canary_passes() {
    let case = ready();
    assert_eq!(whole(&case), Whole::Pass);
    assert!(reasons(&case).is_empty());
}

#[test]
fn k1_two_settings_are_refused() {
    let mut case = ready();
    with_terms(&mut case, |t| {
        t.knob.setting = "max_num_batched_tokens, max_num_seqs".to_owned();
    });
    assert!(says(
        &gate(&case, Target::Submit),
        "plan",
        "change-one-knob"
    ));
}

#[test]
fn k2_an_undeclared_flag_is_named_and_a_declared_consequence_is_allowed() {
    let mut case = ready();
    let facts = &mut run_mut(&mut case, R3).stated.environment.facts;
    facts.insert(
        "setting.enable_prefix_caching".to_owned(),
        "false".to_owned(),
    );
    let refused = gate(&case, Target::Submit);
    assert_eq!(status(&refused, "one_knob"), S::NotSupported);
    let said = format!("{:?}", refused.line("one_knob").unwrap());
    assert!(said.contains("setting.enable_prefix_caching"), "{said}");
    with_terms(&mut case, |t| {
        t.consequences
            .push("setting.enable_prefix_caching".to_owned());
    });
    assert_eq!(status(&gate(&case, Target::Submit), "one_knob"), S::Holds);
}

#[test]
fn k3_a_second_live_change_on_the_service_blocks_the_start() {
    let mut case = ready();
    case.changes[0].state = ChangeState::ApprovedForCanary;
    case.other_live_change = Some("CH-9".to_owned());
    let gate = gate(&case, Target::StartCanary);
    assert_eq!(status(&gate, "one_at_a_time"), S::NotSupported);
}

#[test]
fn k5_a_share_above_the_ceiling_fails_though_all_numbers_are_good() {
    let mut case = ready();
    case.changes[0].canary[1].share = Some(0.06);
    assert_eq!(whole(&case), Whole::Fail);
    assert_eq!(reasons(&case), ["canary-share-exceeded"]);
    case.changes[0].canary[1].share = Some(f64::NAN);
    assert_eq!(whole(&case), Whole::Fail);
}

#[test]
fn k5_requests_and_time_beyond_the_plan_fail_too() {
    let mut case = ready();
    case.changes[0].canary[1].requests = Some(50_001);
    assert_eq!(whole(&case), Whole::Fail);
    let mut case = ready();
    case.changes[0].canary[0].at = ago(11);
    assert_eq!(whole(&case), Whole::Fail);
}

#[test]
fn k6_too_few_requests_or_too_short_is_inconclusive() {
    let mut case = ready();
    with_terms(&mut case, |t| t.plan.min_samples = Some(20_000));
    assert_eq!(whole(&case), Whole::Inconclusive);
    let mut case = ready();
    with_terms(&mut case, |t| t.plan.min_seconds = Some(3 * 3600));
    assert_eq!(reasons(&case), ["canary-too-short"]);
    assert_eq!(whole(&case), Whole::Inconclusive);
}

#[test]
fn k7_a_signal_that_vanished_is_inconclusive() {
    let mut case = ready();
    let mut signals = engine(0.62, 0.984);
    signals.remove(1);
    set_signals(&mut case, 4, signals);
    assert_eq!(whole(&case), Whole::Inconclusive);
    set_signals(&mut case, 4, engine(f64::NAN, 0.984));
    assert_eq!(whole(&case), Whole::Inconclusive);
}

#[test]
fn k8_better_on_average_and_worse_at_p99_fails() {
    let mut case = ready();
    with_contract(&mut case, |t| {
        t.limits.push(limit(
            "mean",
            "ttft",
            Statistic::Mean,
            Comparator::AtMost,
            0.5,
        ));
    });
    let with_mean = |p99: f64, mean: f64, accepted: f64| {
        let mut all = engine(p99, accepted);
        all.push(Signal::new("ttft", Statistic::Mean, mean).samples(12_000));
        all
    };
    set_signals(&mut case, 4, with_mean(0.9, 0.1, 0.984));
    set_signals(&mut case, 5, with_mean(0.7, 0.4, 0.98));
    assert_eq!(whole(&case), Whole::Fail);
    assert!(reasons(&case).contains(&"canary-breaks".to_owned()));
}

#[test]
fn k9_worse_for_one_class_fails_and_names_it() {
    let mut case = ready();
    with_contract(&mut case, |t| {
        t.classes.push(ClassTerms {
            name: "long".to_owned(),
            description: String::new(),
        });
        for l in &mut t.limits {
            l.class = Some("chat".to_owned());
        }
        let mut long = t.limits[0].clone();
        long.id = "ttft-long".to_owned();
        long.class = Some("long".to_owned());
        t.limits.push(long);
    });
    for id in [R1, R2, R3, R4, R5] {
        run_mut(&mut case, id).stated.class = Some("chat".to_owned());
    }
    let arms = [
        (Uuid::from_u128(314), RunRole::Candidate, 1.9),
        (Uuid::from_u128(315), RunRole::Baseline, 0.7),
    ];
    for (n, (id, role, ttft)) in arms.into_iter().enumerate() {
        let mut arm = run(id, role, Phase::Canary, 8, 110);
        arm.stated.class = Some("long".to_owned());
        case.runs.push(arm);
        case.evidence
            .push(item(20 + n as i64, id, engine(ttft, 0.98)));
    }
    let v = verdict(&case, &case.changes[0]);
    assert_eq!(v.whole, Whole::Fail);
    let failed: Vec<_> = v.rows.iter().filter(|r| r.verdict == Whole::Fail).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].row.class.as_deref(), Some("long"));
    assert!(format!("{:?}", failed[0].reason).contains("long"));
}

#[test]
fn k10_faster_with_acceptance_below_the_floor_fails() {
    let mut case = ready();
    set_signals(&mut case, 4, engine(0.3, 0.95));
    set_signals(&mut case, 5, engine(1.6, 0.98));
    assert_eq!(whole(&case), Whole::Fail);
}

#[test]
fn k11_a_limit_the_baseline_arm_breaks_too_is_inconclusive() {
    let mut case = ready();
    set_signals(&mut case, 4, engine(0.9, 0.984));
    assert_eq!(whole(&case), Whole::Inconclusive);
    assert_eq!(reasons(&case), ["canary-baseline-also-broken"]);
}

#[test]
fn a_planned_baseline_arm_that_is_missing_is_inconclusive() {
    let mut case = ready();
    case.runs.retain(|r| r.id != R5);
    assert_eq!(whole(&case), Whole::Inconclusive);
    with_terms(&mut case, |t| {
        t.plan.concurrent_baseline = false;
        t.plan.no_baseline_reason = "one replica only".to_owned();
    });
    assert_eq!(whole(&case), Whole::Pass);
}

#[test]
fn a_canary_without_a_baseline_arm_is_measured_against_the_reproduction() {
    let mut case = ready();
    case.runs.retain(|r| r.id != R5);
    with_terms(&mut case, |t| {
        t.plan.concurrent_baseline = false;
        t.plan.no_baseline_reason = "one replica only".to_owned();
    });
    assert!(accept(&case).ready);
    let facts = &mut run_mut(&mut case, R4).stated.environment.facts;
    facts.insert("driver_version".to_owned(), "575.51".to_owned());
    assert_eq!(status(&accept(&case), "one_knob"), S::NotSupported);
}

#[test]
fn e7_a_canary_with_the_baselines_data_is_inconclusive() {
    let mut case = ready();
    set_signals(&mut case, 5, engine(0.62, 0.984));
    assert_eq!(whole(&case), Whole::Inconclusive);
}

#[test]
fn k12_an_inconclusive_canary_cannot_be_accepted() {
    let mut case = ready();
    let mut few = engine(0.62, 0.984);
    few[0].samples = Some(412);
    set_signals(&mut case, 4, few);
    let gate = accept(&case);
    assert_eq!(status(&gate, "canary_verdict"), S::CannotTell);
    assert!(says(&gate, "canary_verdict", "measure-too-few"));
    assert!(!gate.ready);
}

#[test]
fn k14_a_rolled_back_change_cannot_be_accepted() {
    let mut case = ready();
    case.changes[0].state = ChangeState::RolledBack;
    assert_eq!(status(&accept(&case), "revision"), S::NotSupported);
}

#[test]
fn only_a_change_awaiting_promotion_can_be_accepted() {
    let mut case = ready();
    for state in ChangeState::ALL {
        case.changes[0].state = *state;
        let awaiting = *state == ChangeState::AwaitingPromotion;
        assert_eq!(accept(&case).ready, awaiting, "{state:?}");
    }
}

#[test]
fn k15_a_rollback_is_allowed_from_wherever_a_candidate_may_be_in_service() {
    for state in ChangeState::ALL {
        if state.can_roll_back() {
            assert!(state.allows(ChangeState::RolledBack), "{state:?}");
        }
    }
}

#[test]
fn k17_warm_does_not_stand_for_cold() {
    let mut case = ready();
    let gate = accept(&case);
    assert_eq!(status(&gate, "comparison_cold"), S::NotApplicable);
    // Ready, and the line that is not asked for is not among those that hold.
    let all = gate.lines.len();
    assert_eq!((gate.ready, gate.satisfied()), (true, (all - 1, 1)));
    let said = gate.headline();
    assert_eq!(said.key, "gate-accept-ready-but");
    let arg = |name: &str| said.args.iter().find(|(n, _)| n == name).map(|(_, a)| a);
    assert_eq!(arg("holds"), Some(&Arg::Count(all as u64 - 1)));
    assert_eq!(arg("na"), Some(&Arg::Count(1)));
    with_contract(&mut case, |t| {
        let mut cold = t.limits[0].clone();
        cold.id = "ttft-cold".to_owned();
        cold.phase = LimitPhase::Cold;
        cold.value = 5.0;
        t.limits.push(cold);
    });
    let gate = accept(&case);
    assert_eq!(status(&gate, "comparison_cold"), S::Missing);
    assert!(says(
        &gate,
        "comparison_cold",
        "gate-cold-required-contract"
    ));
    let cold = [
        (Uuid::from_u128(316), RunRole::Baseline, 3.0),
        (Uuid::from_u128(317), RunRole::Candidate, 2.0),
    ];
    for (n, (id, role, ttft)) in cold.into_iter().enumerate() {
        case.runs.push(run(id, role, Phase::Cold, 20, 10));
        case.evidence
            .push(item(22 + n as i64, id, engine(ttft, 0.98)));
    }
    assert_eq!(status(&accept(&case), "comparison_cold"), S::Holds);
}

#[test]
fn k17_a_change_that_touches_start_up_needs_cold_runs() {
    let mut case = ready();
    with_terms(&mut case, |t| t.touches_start_up = true);
    let gate = accept(&case);
    assert!(says(&gate, "comparison_cold", "gate-cold-required-change"));
    assert!(!gate.ready);
}

#[test]
fn k18_a_canary_run_is_no_warm_run() {
    let mut case = ready();
    let compared = compare(&case, &[R1, R2], &[R4], Phase::Warm);
    assert!(compared.rows.is_empty());
    assert_eq!(compared.refused[0].key, "compare-mixed-phases");
    case.evidence.retain(|e| e.run_id != R3);
    assert_eq!(status(&accept(&case), "comparison_warm"), S::Missing);
}

#[test]
fn k19_a_canary_that_ended_25_hours_ago_is_out_of_date() {
    let mut case = ready();
    for e in &mut case.changes[0].canary {
        e.at -= chrono::TimeDelta::hours(19);
    }
    for id in [R4, R5] {
        let stated = &mut run_mut(&mut case, id).stated;
        let (a, b) = stated.window.unwrap();
        let back = chrono::TimeDelta::hours(19);
        stated.window = Some((a - back, b - back));
    }
    let gate = accept(&case);
    assert_eq!(status(&gate, "canary_verdict"), S::OutOfDate);
    assert!(says(&gate, "canary_verdict", "gate-canary-old"));
}

#[test]
fn k20_a_single_gpu_case_still_needs_canary_and_way_back() {
    let mut case = ready();
    assert!(accept(&case).line("canary_verdict").is_some());
    with_terms(&mut case, |t| t.procedure.clear());
    assert_eq!(status(&accept(&case), "way_back"), S::NotSupported);
}

#[test]
fn k22_an_old_value_that_was_not_measured_is_refused_with_both_values() {
    let mut case = ready();
    with_terms(&mut case, |t| t.knob.old = "2048".to_owned());
    let gate = gate(&case, Target::Submit);
    assert!(says(&gate, "one_knob", "gate-baseline-other-value"));
    let said = format!("{:?}", gate.line("one_knob").unwrap());
    assert!(said.contains("2048") && said.contains("8192"), "{said}");
}

#[test]
fn a_change_may_be_submitted_before_any_candidate_ran_only_with_a_reason() {
    let mut case = ready();
    case.changes[0].state = ChangeState::Draft;
    case.changes[0].canary.clear();
    assert!(gate(&case, Target::Submit).ready);
    case.runs.retain(|r| r.stated.role == RunRole::Baseline);
    let refused = gate(&case, Target::Submit);
    assert_eq!(status(&refused, "comparison_warm"), S::Missing);
    with_terms(&mut case, |t| {
        t.no_warm_reason = "only production has this load".to_owned();
    });
    assert!(gate(&case, Target::Submit).ready);
}

#[test]
fn a_candidate_that_breaks_a_limit_warm_cannot_be_submitted() {
    let mut case = ready();
    case.changes[0].state = ChangeState::Draft;
    set_signals(&mut case, 3, engine(0.9, 0.985));
    let gate = gate(&case, Target::Submit);
    assert_eq!(status(&gate, "comparison_warm"), S::NotSupported);
    assert!(says(&gate, "comparison_warm", "compare-row-breaks"));
}

#[test]
fn rows_that_break_come_first_then_those_that_cannot_tell() {
    let mut case = ready();
    with_contract(&mut case, |t| {
        t.limits
            .push(limit("itl", "itl", Statistic::P99, Comparator::AtMost, 0.1));
    });
    set_signals(&mut case, 3, engine(0.7, 0.90));
    let compared = compare(&case, &[R1, R2], &[R3], Phase::Warm);
    let order: Vec<_> = compared.rows.iter().map(|r| r.verdict.id()).collect();
    assert_eq!(order, ["breaks", "cannot_tell", "holds"]);
    assert_eq!(compared.headline().key, "compare-breaks");
    let ttft = compared.rows.iter().find(|r| r.limit_id == "ttft").unwrap();
    assert_eq!(ttft.better, Some(true));
    assert_eq!(ttft.baseline.value, Some(1.7));
    assert_eq!(compared.environment.len(), 1);
    assert!(compared.environment[0].declared);
}
