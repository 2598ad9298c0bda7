//! E: evidence and statements.

use super::super::compare::{Row, Side, compare};
use super::super::evidence::EvidenceState;
use super::super::fixture::*;
use super::super::gate::{Check, LineStatus as S, Policy, Target, judge};
use super::super::measure::{self, Measured, Verdict};
use super::super::run::{Phase, Profiled, RunRole};
use super::super::stage::{StandingWord, standing};
use super::super::{Stage, Statistic};
use super::{says, status};
use pel_evidence::{Bound, HintAbout, Note, NoteLevel, Scope, Signal};
use uuid::Uuid;

const REPRODUCED: &str = "reproduced_bottleneck";

#[test]
fn e1_cold_stated_as_warm_is_not_in_the_gate() {
    let mut case = ready();
    item_mut(&mut case, 1)
        .extraction
        .as_mut()
        .unwrap()
        .hints
        .push(hint(HintAbout::Phase, "cold"));
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert!(says(
        &gate,
        REPRODUCED,
        "gate-statement-contradicted-because"
    ));
    assert_eq!(status(&gate, "open_matters"), S::NotSupported);
}

#[test]
fn e2_a_profiler_export_counts_as_profiled_whatever_is_stated() {
    let mut case = ready();
    for n in [1, 2] {
        item_mut(&mut case, n)
            .extraction
            .as_mut()
            .unwrap()
            .hints
            .push(hint(HintAbout::Profiled, "yes"));
    }
    let gate = accept(&case);
    assert!(says(&gate, REPRODUCED, "gate-needs-unprofiled"));
    assert_eq!(status(&gate, "open_matters"), S::NotSupported);
}

#[test]
fn e3_both_reproductions_profiled_is_unsupported() {
    let mut case = ready();
    for id in [R1, R2] {
        run_mut(&mut case, id).stated.profiled = Profiled::Yes;
    }
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert!(says(&gate, REPRODUCED, "gate-needs-unprofiled"));
    assert_eq!(status(&gate, "unprofiled"), S::NotSupported);
}

#[test]
fn one_profiled_reproduction_with_an_unprofiled_twin_holds() {
    let mut case = ready();
    run_mut(&mut case, R1).stated.profiled = Profiled::Yes;
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::Holds);
    assert_eq!(status(&gate, "unprofiled"), S::Holds);
    assert!(says(&gate, "unprofiled", "gate-profiled-twin"));
}

#[test]
fn e4_one_file_as_two_runs_counts_once() {
    let mut case = ready();
    let file = case.evidence[0].files[0].clone();
    item_mut(&mut case, 2).files[0] = file;
    reseal(&mut case);
    let gate = accept(&case);
    assert!(says(&gate, REPRODUCED, "gate-runs-same-data"));
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
}

#[test]
fn e5_overlapping_windows_count_once() {
    let mut case = ready();
    let window = case.runs[0].stated.window;
    run_mut(&mut case, R2).stated.window = window;
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert!(says(&gate, REPRODUCED, "gate-runs-overlap"));
}

#[test]
fn e7_identical_data_on_both_sides_is_inconclusive() {
    let mut case = ready();
    set_signals(&mut case, 3, engine(1.6, 0.93));
    let compared = compare(&case, &[R1], &[R3], Phase::Warm);
    assert!(compared.identical);
    assert_eq!(compared.counts.cannot_tell, compared.rows.len());
    assert_eq!(status(&accept(&case), "comparison_warm"), S::CannotTell);
}

#[test]
fn e8_an_undeclared_difference_refuses_submission_and_is_listed() {
    let mut case = ready();
    let facts = &mut run_mut(&mut case, R3).stated.environment.facts;
    facts.insert("driver_version".to_owned(), "575.51".to_owned());
    let gate = gate(&case, Target::Submit);
    assert_eq!(status(&gate, "one_knob"), S::NotSupported);
    let line = gate.line("one_knob").unwrap();
    let said = format!("{:?}", line.sentences);
    assert!(said.contains("driver_version 570.86 → 575.51"), "{said}");
}

#[test]
fn e9_a_fact_missing_on_one_side_is_a_difference() {
    let mut case = ready();
    let facts = &mut run_mut(&mut case, R3).stated.environment.facts;
    facts.remove("driver_version");
    assert_eq!(status(&accept(&case), "one_knob"), S::NotSupported);
}

#[test]
fn e11_p99_of_forty_requests_is_inconclusive() {
    let mut case = ready();
    let mut few = engine(0.6, 0.985);
    few[0].samples = Some(40);
    set_signals(&mut case, 3, few);
    let compared = compare(&case, &[R1, R2], &[R3], Phase::Warm);
    assert_eq!(
        compared.rows[0].verdict.reason().unwrap().key,
        "measure-too-few"
    );
    assert_eq!(status(&accept(&case), "comparison_warm"), S::CannotTell);
}

#[test]
fn e11_an_unknown_number_of_requests_is_inconclusive() {
    let mut case = ready();
    let mut unknown = engine(0.6, 0.985);
    unknown[0].samples = None;
    set_signals(&mut case, 3, unknown);
    let compared = compare(&case, &[R1, R2], &[R3], Phase::Warm);
    assert_eq!(
        compared.rows[0].verdict.reason().unwrap().key,
        "measure-samples-unknown"
    );
}

#[test]
fn e12_repeated_runs_are_never_averaged() {
    let mut case = ready();
    let again = Uuid::from_u128(306);
    case.runs
        .push(run(again, RunRole::Candidate, Phase::Warm, 23, 20));
    case.evidence.push(item(6, again, engine(0.9, 0.985)));
    // The mean of 0.6 and 0.9 would hold 0.8.
    let compared = compare(&case, &[R1], &[R3, again], Phase::Warm);
    let row = &compared.rows[0];
    assert_eq!(row.limit_id, "ttft");
    assert_eq!(row.verdict, Verdict::Breaks);
    assert_eq!(row.candidate.value, Some(0.9));
    assert_eq!(row.spread, Some((0.6, 0.9)));
}

#[test]
fn each_side_has_its_own_spread_and_names_the_run_it_is_judged_by() {
    let case = ready();
    let compared = compare(&case, &[R1, R2], &[R3], Phase::Warm);
    let row = |id: &str| compared.rows.iter().find(|r| r.limit_id == id).unwrap();
    let worst = |row: &Row, side: &Side| side.worst(row.comparator).unwrap().run.clone();
    let ttft = row("ttft");
    assert_eq!(ttft.baseline.spread(), Some((1.6, 1.7)));
    assert_eq!(ttft.candidate.spread(), None, "one run only");
    assert_eq!(worst(ttft, &ttft.baseline), "R-2");
    assert_eq!(ttft.baseline.value, Some(1.7));
    assert_eq!(worst(ttft, &ttft.candidate), "R-3");
    // Where more is better the lower value is the worse one.
    let accepted = row("accepted");
    assert_eq!(accepted.baseline.spread(), Some((0.92, 0.93)));
    assert_eq!(worst(accepted, &accepted.baseline), "R-2");
    assert_eq!(accepted.baseline.value, Some(0.92));
    assert_eq!(accepted.baseline.measured(), 2);
}

#[test]
fn e12_two_items_of_a_run_that_disagree_cannot_tell() {
    let mut case = ready();
    case.evidence.push(item(7, R3, engine(0.7, 0.985)));
    let limit = &case.contract.as_ref().unwrap().terms.limits[0];
    let measured = measure::of(&case, case.run(R3).unwrap(), limit);
    assert!(matches!(measured, Measured::Several(v) if v.len() == 2));
    assert_eq!(
        standing(&case, Stage::RequestTrace).word,
        StandingWord::Disputed
    );
    let gate = accept(&case);
    assert!(says(&gate, "open_matters", "gate-stage-disputed"));
    assert_eq!(status(&gate, "comparison_warm"), S::CannotTell);
}

#[test]
fn e14_an_item_marked_invalid_carries_nothing() {
    let mut case = ready();
    item_mut(&mut case, 3)
        .extraction
        .as_mut()
        .unwrap()
        .notes
        .push(Note::new(NoteLevel::Invalid, "truncated"));
    let gate = accept(&case);
    assert_eq!(status(&gate, "comparison_warm"), S::Missing);
}

#[test]
fn e20_a_window_in_the_future_is_contradicted() {
    let mut case = ready();
    let item = item_mut(&mut case, 1);
    let late = item.added_at + chrono::TimeDelta::hours(3);
    item.extraction.as_mut().unwrap().window = Some(pel_evidence::Window {
        start: Some(late),
        end: Some(late),
        seconds: Some(0.0),
    });
    let gate = accept(&case);
    assert!(says(&gate, REPRODUCED, "gate-statement-contradicted"));
    assert!(!gate.ready);
}

#[test]
fn e21_withdrawn_evidence_stops_the_condition_and_voids_approvals() {
    let mut case = ready();
    item_mut(&mut case, 2).state = EvidenceState::Withdrawn;
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert_eq!(status(&gate, "approvals"), S::OutOfDate);
    assert!(says(&gate, "approvals", "approval-basis-moved"));
}

#[test]
fn e21_withdrawing_one_of_two_items_of_a_run_makes_it_out_of_date() {
    let mut case = ready();
    case.evidence.push(item(8, R1, engine(1.6, 0.93)));
    reseal(&mut case);
    assert_eq!(status(&accept(&case), REPRODUCED), S::Holds);
    item_mut(&mut case, 8).state = EvidenceState::SetAside;
    assert_eq!(status(&accept(&case), REPRODUCED), S::OutOfDate);
}

#[test]
fn e23_altered_bytes_take_everything_resting_on_them_down() {
    let case = ready();
    let mut checks = checks(&case);
    checks.0.insert(case.evidence[0].id, Check::Failed(ago(1)));
    let gate = judge(&case, &Policy::default(), Target::Accept, &checks, now());
    assert_eq!(status(&gate, "integrity"), S::NotSupported);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert_eq!(status(&gate, "owner_layer_identified"), S::NotSupported);
}

#[test]
fn digests_checked_too_long_ago_must_be_checked_again() {
    let case = ready();
    let mut checks = checks(&case);
    checks
        .0
        .insert(case.evidence[0].id, Check::Verified(ago(25)));
    let gate = judge(&case, &Policy::default(), Target::Accept, &checks, now());
    assert_eq!(status(&gate, "integrity"), S::OutOfDate);
    assert!(!gate.ready);
}

#[test]
fn e24_a_cited_value_that_moved_makes_the_layer_out_of_date() {
    let mut case = ready();
    let mut moved = engine(1.6, 0.93);
    moved[2].value *= 1.02;
    set_signals(&mut case, 1, moved);
    let gate = accept(&case);
    assert_eq!(status(&gate, "owner_layer_identified"), S::OutOfDate);
    assert!(says(
        &gate,
        "owner_layer_identified",
        "gate-layer-value-moved"
    ));
}

#[test]
fn e24_a_cited_value_that_moved_by_less_than_one_percent_stays() {
    let mut case = ready();
    let mut moved = engine(1.6, 0.93);
    moved[2].value *= 1.005;
    set_signals(&mut case, 1, moved);
    assert_eq!(status(&accept(&case), "owner_layer_identified"), S::Holds);
}

#[test]
fn e25_a_bigger_environment_reopens_stage_five() {
    let mut case = ready();
    let big = Uuid::from_u128(309);
    let mut bigger = run(big, RunRole::Candidate, Phase::Warm, 2, 20);
    let facts = &mut bigger.stated.environment.facts;
    facts.insert("gpu_count".to_owned(), "2".to_owned());
    case.runs.push(bigger);
    case.evidence.push(item(9, big, engine(0.6, 0.99)));
    assert_eq!(
        standing(&case, Stage::DistributedCapacity).word,
        StandingWord::Empty
    );
    let gate = accept(&case);
    assert_eq!(status(&gate, "owner_layer_identified"), S::OutOfDate);
    assert!(says(&gate, "owner_layer_identified", "stage-five-bigger"));
}

#[test]
fn numbers_since_the_process_started_do_not_count_for_a_warm_run() {
    let mut case = ready();
    let old: Vec<Signal> = engine(0.6, 0.985)
        .into_iter()
        .map(|s| s.scope(Scope::SinceStart))
        .collect();
    set_signals(&mut case, 3, old);
    let limit = &case.contract.as_ref().unwrap().terms.limits[0];
    let measured = measure::of(&case, case.run(R3).unwrap(), limit);
    assert!(matches!(measured, Measured::Missing(s) if s.key == "measure-since-start"));
}

#[test]
fn a_coarse_value_decides_only_when_the_limit_lies_outside_it() {
    let case = ready();
    let verdict = |bound: Bound, value: f64| {
        let mut case = case.clone();
        let signal = Signal::new("ttft", Statistic::P99, value)
            .samples(12_000)
            .bound(bound);
        set_signals(&mut case, 3, vec![signal]);
        let compared = compare(&case, &[R1], &[R3], Phase::Warm);
        let row = compared.rows.iter().find(|r| r.limit_id == "ttft");
        row.unwrap().verdict.id()
    };
    // The limit is 0.8.
    let bucket = |low, high| Bound::Bucket { low, high };
    assert_eq!(verdict(bucket(0.1, 0.75), 0.5), "holds");
    assert_eq!(verdict(bucket(0.5, 1.0), 0.6), "cannot_tell");
    assert_eq!(verdict(bucket(0.8, 2.5), 1.0), "breaks");
    assert_eq!(verdict(bucket(0.75, 0.85), 0.79), "holds");
    assert_eq!(verdict(bucket(f64::NAN, 1.0), 0.6), "cannot_tell");
    assert_eq!(verdict(Bound::AtLeast, 0.6), "cannot_tell");
    assert_eq!(verdict(Bound::AtLeast, 0.9), "breaks");
    assert_eq!(verdict(Bound::Estimate, 0.6), "holds");
}

fn limit_of(case: &super::super::CaseFile) -> &super::super::contract::Limit {
    &case.contract.as_ref().unwrap().terms.limits[0]
}

#[test]
fn the_highest_load_point_inside_the_band_speaks_for_a_sweep() {
    let mut case = ready();
    let at = |load: u32, value: f64| {
        Signal::new("ttft", Statistic::P99, value)
            .label("load", load)
            .samples(12_000)
    };
    set_signals(&mut case, 3, vec![at(8, 0.2), at(64, 0.7), at(128, 3.0)]);
    let limit = &case.contract.as_ref().unwrap().terms.limits[0];
    match measure::of(&case, case.run(R3).unwrap(), limit) {
        Measured::Value(v) => assert_eq!((v.value, v.load), (0.7, Some(64.0))),
        other => panic!("{other:?}"),
    }
    let note = Note::new(NoteLevel::Info, "perf-request-rate");
    let rates = &mut item_mut(&mut case, 3).extraction.as_mut().unwrap().notes;
    rates.push(note);
    let measured = measure::of(&case, case.run(R3).unwrap(), limit_of(&case));
    assert!(
        matches!(measured, Measured::Missing(_)),
        "a rate is no band"
    );
    let read = item_mut(&mut case, 3).extraction.as_mut().unwrap();
    read.notes.clear();
    set_signals(&mut case, 3, vec![at(128, 3.0)]);
    let limit = &case.contract.as_ref().unwrap().terms.limits[0];
    let measured = measure::of(&case, case.run(R3).unwrap(), limit);
    assert!(matches!(measured, Measured::Missing(s) if s.key == "measure-outside-band"));
}

#[test]
fn an_item_still_being_read_leaves_the_line_open() {
    let mut case = ready();
    item_mut(&mut case, 2).state = EvidenceState::Parsing;
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::CannotTell);
    assert!(says(&gate, REPRODUCED, "gate-being-read"));
}

#[test]
fn an_unknown_statement_blocks_and_is_named() {
    let mut case = ready();
    run_mut(&mut case, R1).stated.window = None;
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert!(says(&gate, REPRODUCED, "gate-statement-unknown"));
}
