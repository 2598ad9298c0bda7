//! K: a canary while it runs, by the samples it posts; thresholds, ends, extension, and its plan.

use super::super::CaseFile;
use super::super::canary::{
    Arm, Extension, Kept, Sample, Whole, paused_too_long, so_far, triggered,
};
use super::super::canary::{verdict, worst_case};
use super::super::change::{CanaryEvent, CanaryEventKind, ChangeState, Presence, Terms};
use super::super::fixture::*;
use super::super::gate::{LineStatus as S, Target};
use super::super::upkeep::{What, due};
use super::super::view::View;
use super::super::{Statistic, digest};
use super::{says, status};
use chrono::{DateTime, TimeDelta, Utc};

/// Minutes since the start of the running canary, which began two hours ago.
fn minute(n: i64) -> DateTime<Utc> {
    ago(2) + TimeDelta::minutes(n)
}

fn sample(arm: Arm, from: i64, signal: &str, value: f64) -> Kept {
    let statistic = match signal {
        "ttft" => Statistic::P99,
        _ => Statistic::Ratio,
    };
    let exposed = arm == Arm::Candidate;
    Kept {
        sample: Sample {
            arm,
            starts_at: minute(from),
            ends_at: minute(from + 10),
            class: None,
            band: None,
            region: None,
            signal: signal.to_owned(),
            statistic,
            value,
            samples: Some(2000),
            requests: exposed.then_some(2000),
            share: exposed.then_some(0.04),
        },
        at: minute(from + 10),
        by: Some(RESPONDER),
    }
}

/// Windows of both arms and both limits up to `minutes`, all good.
fn windows(minutes: i64) -> Vec<Kept> {
    (0..minutes / 10)
        .flat_map(|i| {
            // Equal numbers in both arms would be no measurement of two things.
            let jitter = 0.001 * i as f64;
            [
                sample(Arm::Candidate, i * 10, "ttft", 0.60 + jitter),
                sample(Arm::Candidate, i * 10, "acceptance_rate", 0.985),
                sample(Arm::Baseline, i * 10, "ttft", 1.60 + jitter),
                sample(Arm::Baseline, i * 10, "acceptance_rate", 0.925),
            ]
        })
        .collect()
}

/// The fixture with a canary that runs since two hours and has posted good windows throughout.
fn running() -> CaseFile {
    let mut case = ready();
    let change = &mut case.changes[0];
    change.state = ChangeState::CanaryRunning;
    change.canary.truncate(1);
    change.canary[0].at = minute(0);
    change.samples = windows(120);
    // The candidate run says where the samples were taken; its file says nothing more.
    case.evidence.retain(|e| e.run_id != R4 && e.run_id != R5);
    let stated = &mut run_mut(&mut case, R4).stated;
    stated.window = Some((minute(0), minute(120)));
    case
}

fn whole(case: &CaseFile) -> Whole {
    so_far(case, &case.changes[0], now()).whole
}

fn reasons(case: &CaseFile) -> Vec<String> {
    let v = so_far(case, &case.changes[0], now());
    v.reasons
        .into_iter()
        .chain(v.rows.into_iter().filter_map(|r| r.reason))
        .map(|s| s.key)
        .collect()
}

fn samples(case: &mut CaseFile) -> &mut Vec<Kept> {
    &mut case.changes[0].samples
}

fn what(case: &CaseFile, at: DateTime<Utc>) -> Option<What> {
    due(case, &checks(case), at).first().map(|d| d.what)
}

fn ended(case: &mut CaseFile, whole: Whole, at: DateTime<Utc>) {
    let digest = case.changes[0].revisions[0].digest.clone();
    case.changes[0].canary.push(CanaryEvent {
        kind: CanaryEventKind::Ended,
        by: None,
        at,
        run_id: None,
        share: Some(0.04),
        requests: Some(24_000),
        revision_digest: digest,
        note: String::new(),
        verdict: Some(whole),
        why: Vec::new(),
        extension: None,
    });
}

#[test]
fn good_windows_of_both_arms_pass() {
    let case = running();
    assert_eq!(reasons(&case), Vec::<String>::new());
    assert_eq!(whole(&case), Whole::Pass);
}

#[test]
fn k5_exposure_beyond_the_plan_ends_the_canary_as_a_fail() {
    for (edit, key) in [
        (
            (|s: &mut Sample| s.share = Some(0.06)) as fn(&mut Sample),
            "canary-share-exceeded",
        ),
        (|s| s.requests = Some(50_001), "canary-requests-exceeded"),
        (
            |s| s.region = Some("eu".to_owned()),
            "canary-region-exceeded",
        ),
    ] {
        let mut case = running();
        with_terms(&mut case, |t| t.plan.regions = vec!["us".to_owned()]);
        edit(&mut samples(&mut case)[0].sample);
        assert!(reasons(&case).contains(&key.to_owned()), "{key}");
        assert_eq!(what(&case, now()), Some(What::End(Whole::Fail)), "{key}");
    }
}

#[test]
fn k5_requests_of_overlapping_windows_count_once_and_of_others_add_up() {
    let case = running();
    let exposure = so_far(&case, &case.changes[0], now()).exposure;
    assert_eq!(exposure.expect("it runs").requests, Some(24_000));
}

#[test]
fn k6_without_its_least_samples_it_goes_on_to_its_longest_time_and_is_inconclusive() {
    let mut case = running();
    with_terms(&mut case, |t| t.plan.min_samples = Some(100_000));
    assert_eq!(reasons(&case), ["canary-too-few", "canary-too-few"]);
    assert_eq!(what(&case, now()), None);
    let end = minute(240);
    let mut windows = windows(240);
    std::mem::swap(samples(&mut case), &mut windows);
    with_terms(&mut case, |t| t.plan.max_requests = Some(500_000));
    assert_eq!(what(&case, end), Some(What::End(Whole::Inconclusive)));
}

#[test]
fn k6_with_time_and_samples_it_ends_by_itself() {
    let mut case = running();
    assert_eq!(what(&case, now()), Some(What::End(Whole::Pass)));
    with_terms(&mut case, |t| t.plan.min_seconds = Some(3 * 3600));
    assert_eq!(what(&case, now()), None);
}

#[test]
fn k7_a_metric_that_vanishes_or_a_gap_is_inconclusive() {
    let mut case = running();
    samples(&mut case).retain(|k| k.sample.signal != "ttft" || k.sample.starts_at < minute(80));
    assert_eq!(reasons(&case), ["canary-stale"]);
    assert_eq!(whole(&case), Whole::Inconclusive);
    let mut case = running();
    let hole = minute(40)..minute(60);
    samples(&mut case).retain(|k| !hole.contains(&k.sample.starts_at));
    assert!(reasons(&case).iter().all(|k| k == "canary-gap"));
    assert_eq!(whole(&case), Whole::Inconclusive);
    // One window alone is no gap, and a pause is none.
    let mut case = running();
    let hole = minute(40)..minute(50);
    samples(&mut case).retain(|k| !hole.contains(&k.sample.starts_at));
    assert_eq!(whole(&case), Whole::Pass);
    let mut case = running();
    samples(&mut case).retain(|k| k.sample.signal != "acceptance_rate");
    assert_eq!(reasons(&case), ["canary-no-samples-for"]);
}

#[test]
fn k7_windows_with_too_few_samples_are_no_windows() {
    let mut case = running();
    for k in samples(&mut case) {
        k.sample.samples = Some(412);
    }
    assert!(reasons(&case).iter().any(|k| k == "canary-window-too-few"));
    for k in samples(&mut case) {
        k.sample.samples = None;
    }
    assert!(reasons(&case).contains(&"canary-window-samples-unknown".to_owned()));
    assert_eq!(whole(&case), Whole::Inconclusive);
}

#[test]
fn k8_one_bad_tail_window_fails_whatever_the_others_average() {
    let mut case = running();
    for k in samples(&mut case) {
        if k.sample.signal == "ttft" && k.sample.arm == Arm::Baseline {
            k.sample.value = 0.7;
        }
    }
    samples(&mut case)[8].sample.value = 0.9;
    assert_eq!(samples(&mut case)[8].sample.signal, "ttft");
    assert!(reasons(&case).contains(&"canary-window-breaks".to_owned()));
    assert_eq!(whole(&case), Whole::Fail);
}

#[test]
fn k9_worse_than_the_arm_beside_it_by_more_than_the_margin_fails() {
    let mut case = running();
    for k in samples(&mut case) {
        if k.sample.signal == "ttft" && k.sample.arm == Arm::Baseline {
            k.sample.value = 0.5;
        }
    }
    assert!(reasons(&case).contains(&"canary-worse".to_owned()));
    assert_eq!(whole(&case), Whole::Fail);
    with_terms(&mut case, |t| t.plan.margin = Some(0.5));
    assert_eq!(whole(&case), Whole::Pass);
}

#[test]
fn k11_windows_in_which_the_baseline_breaks_the_limit_too_are_inconclusive() {
    let mut case = running();
    samples(&mut case)[0].sample.value = 0.9;
    assert_eq!(reasons(&case), ["canary-baseline-also-broken"]);
    assert_eq!(whole(&case), Whole::Inconclusive);
}

#[test]
fn e7_arms_with_the_same_numbers_are_inconclusive() {
    let mut case = running();
    for k in samples(&mut case) {
        k.sample.value = 0.98;
    }
    let at_most: Vec<String> = reasons(&case);
    assert!(
        at_most.iter().all(|k| k == "compare-identical"),
        "{at_most:?}"
    );
    assert_eq!(whole(&case), Whole::Inconclusive);
}

#[test]
fn k16_order_does_not_matter_and_what_came_after_the_end_is_not_judged() {
    let mut case = running();
    samples(&mut case).reverse();
    assert_eq!(whole(&case), Whole::Pass);
    ended(&mut case, Whole::Pass, now());
    case.changes[0].state = ChangeState::AwaitingPromotion;
    assert_eq!(verdict(&case, &case.changes[0]).whole, Whole::Pass);
    let mut late = sample(Arm::Candidate, 100, "ttft", 5.0);
    late.at = now() + TimeDelta::minutes(1);
    samples(&mut case).push(late);
    assert_eq!(verdict(&case, &case.changes[0]).whole, Whole::Pass);
    // It still says that the service is not well: that takes the change back.
    assert_eq!(what(&case, now()), Some(What::Recall));
}

#[test]
fn k16_a_sample_has_one_digest_and_what_makes_no_sense_is_refused() {
    let case = running();
    let change = &case.changes[0];
    let good = sample(Arm::Candidate, 0, "ttft", 0.6).sample;
    assert_eq!(good.digest(), good.clone().digest());
    assert!(good.problems(&case, change, now()).is_empty());
    for (edit, key) in [
        (
            (|s: &mut Sample| s.ends_at = s.starts_at) as fn(&mut Sample),
            "sample-window-empty",
        ),
        (
            |s| s.ends_at = now() + TimeDelta::hours(1),
            "sample-window-ahead",
        ),
        (
            |s| (s.starts_at, s.ends_at) = (ago(5), ago(4)),
            "sample-before-start",
        ),
        (|s| s.signal = "nope".to_owned(), "sample-unknown-signal"),
        (|s| s.value = f64::NAN, "sample-not-finite"),
        (|s| s.share = Some(1.2), "sample-share"),
        (
            |s| s.class = Some("nope".to_owned()),
            "sample-unknown-class",
        ),
    ] {
        let mut bad = good.clone();
        edit(&mut bad);
        let found = bad.problems(&case, change, now());
        assert!(found.iter().any(|s| s.key == key), "{key}: {found:?}");
    }
}

#[test]
fn k14_a_threshold_triggers_after_its_windows_in_a_row_and_blocks_the_promotion() {
    let mut case = running();
    with_terms(&mut case, |t| t.thresholds[0].consecutive = 2);
    samples(&mut case)[0].sample.value = 0.9;
    let view = View::new(&case);
    assert_eq!(triggered(&view, &case.changes[0]), None);
    samples(&mut case)[4].sample.value = 0.9;
    let found = triggered(&View::new(&case), &case.changes[0]).expect("two in a row");
    assert_eq!((found.threshold, found.at), (0, minute(20)));
    assert_eq!(what(&case, now()), Some(What::Recall));
    ended(&mut case, Whole::Pass, now());
    case.changes[0].state = ChangeState::AwaitingPromotion;
    assert_eq!(status(&accept(&case), "no_trigger"), S::NotSupported);
    assert!(!accept(&case).ready);
}

#[test]
fn k14_short_windows_count_for_their_part_of_the_thresholds_window() {
    let mut case = running();
    samples(&mut case).clear();
    for i in 0..10 {
        let mut short = sample(Arm::Candidate, 0, "ttft", 0.9);
        short.sample.starts_at = minute(i);
        short.sample.ends_at = minute(i + 1);
        short.sample.samples = Some(150);
        samples(&mut case).push(short);
        let fired = triggered(&View::new(&case), &case.changes[0]).is_some();
        assert_eq!(fired, i == 9, "{i}");
    }
}

#[test]
fn k13_an_extension_puts_its_limits_in_the_plans_place() {
    let mut case = running();
    ended(&mut case, Whole::Inconclusive, now());
    case.changes[0].state = ChangeState::CanaryEnded;
    let mut extended = case.changes[0].canary[1].clone();
    extended.kind = CanaryEventKind::Extended;
    extended.extension = Some(Extension {
        share_ceiling: 0.02,
        max_requests: 9,
        max_seconds: 60,
    });
    case.changes[0].canary.push(extended);
    let plan = case.changes[0].plan().expect("it has one");
    assert_eq!(plan.max_requests, Some(9));
    assert_eq!(case.changes[0].ended(), None);
    assert!(!CanaryEventKind::allows(
        Some(CanaryEventKind::Extended),
        CanaryEventKind::Extended
    ));
}

#[test]
fn k21_a_trigger_in_the_watch_window_takes_it_back_and_a_clean_one_confirms_it() {
    let mut case = running();
    ended(&mut case, Whole::Pass, ago(27));
    case.changes[0].canary[0].at = ago(30);
    case.changes[0].state = ChangeState::Accepted;
    case.changes[0].state_since = ago(25);
    samples(&mut case).clear();
    case.evidence.retain(|e| e.run_id != R3);
    // Nobody has shown the promoted service yet.
    assert_eq!(what(&case, now()), None);
    let after = sample(Arm::Candidate, 0, "ttft", 0.6);
    samples(&mut case).push(after);
    assert_eq!(what(&case, now()), Some(What::Confirm));
    case.changes[0].state_since = ago(5);
    assert_eq!(what(&case, now()), None);
    samples(&mut case)[0].sample.value = 0.9;
    assert_eq!(what(&case, now()), Some(What::Recall));
}

#[test]
fn k4_start_window_watcher_and_freeze_guard_the_start() {
    let mut case = ready();
    case.changes[0].state = ChangeState::ApprovedForCanary;
    case.changes[0].canary.clear();
    assert!(gate(&case, Target::StartCanary).ready);
    with_terms(&mut case, |t| {
        t.plan.start_from = Some(now() + TimeDelta::hours(1))
    });
    let early = gate(&case, Target::StartCanary);
    assert_eq!(status(&early, "start_window"), S::NotSupported);
    with_terms(&mut case, |t| {
        t.plan.start_from = None;
        t.plan.start_to = Some(ago(1));
    });
    let late = gate(&case, Target::StartCanary);
    assert_eq!(status(&late, "start_window"), S::OutOfDate);
    with_terms(&mut case, |t| t.plan.start_to = None);
    case.changes[0].presence[0].at = now() - TimeDelta::minutes(16);
    let gone = gate(&case, Target::StartCanary);
    assert!(says(&gone, "watcher", "gate-watcher-long-ago"));
    // Somebody else's word is not the watcher's.
    case.changes[0].presence = vec![Presence {
        by: RESPONDER,
        at: now(),
    }];
    let silent = gate(&case, Target::StartCanary);
    assert_eq!(status(&silent, "watcher"), S::Missing);
    assert!(!silent.ready);
}

#[test]
fn a_canary_paused_for_too_long_asks_for_a_rollback() {
    let mut case = running();
    let mut paused = case.changes[0].canary[0].clone();
    paused.kind = CanaryEventKind::Paused;
    case.changes[0].canary.push(paused);
    case.changes[0].state = ChangeState::CanaryPaused;
    let at = |hours| minute(0) + TimeDelta::hours(hours);
    assert!(paused_too_long(&case, &case.changes[0], at(3)).is_none());
    assert!(paused_too_long(&case, &case.changes[0], at(4)).is_some());
}

#[test]
fn the_worst_case_is_the_windows_that_trigger_and_the_way_back() {
    let mut terms = change_terms();
    terms.thresholds[1].consecutive = 3;
    let mut contract = contract().terms;
    let worst = worst_case(&terms, &contract).expect("all is stated");
    assert_eq!((worst.seconds(), worst.requests), (1800 + 900, None));
    contract.load.arrival_per_second = Some((2.0, 6.0));
    let worst = worst_case(&terms, &contract).expect("all is stated");
    assert_eq!(worst.requests, Some(810));
    terms.rollback_seconds = None;
    assert_eq!(worst_case(&terms, &contract), None);
}

#[test]
fn a_plan_of_before_keeps_its_digest() {
    let old = r#"{"share_ceiling":0.05,"scope":"chat","max_requests":50000,"max_seconds":14400,"min_seconds":1800,"min_samples":1000,"concurrent_baseline":true,"no_baseline_reason":"","watcher":"A. Lima"}"#;
    let mut terms = change_terms();
    terms.plan = serde_json::from_str(old).expect("an older plan is read");
    assert_eq!(
        serde_json::to_string(&terms.plan).expect("it is written"),
        old
    );
    let text = serde_json::to_string(&terms).expect("it is written");
    assert!(!text.contains("\"kind\"") && !text.contains("\"template\""));
    let again: Terms = serde_json::from_str(&text).expect("it is read");
    assert_eq!(digest(&again), terms.digest());
}
