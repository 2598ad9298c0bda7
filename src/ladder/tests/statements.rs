//! E and A: statements against content, attested numbers, links and further readings.

use super::super::attested::{Answer, Attested, may_countersign};
use super::super::case::CaseFile;
use super::super::contributor;
use super::super::evidence::{Acceptance, EvidenceState, Link};
use super::super::fixture::*;
use super::super::gate::{InputKind, LineStatus as S};
use super::super::numbers::Policy;
use super::super::reread::{self, Reread};
use super::super::run::Phase;
use super::super::stage::{StandingWord, standing};
use super::super::{Stage, Statistic, canary};
use super::{says, status};
use chrono::TimeDelta;
use pel_evidence::{HintAbout, Scope, Signal, Unit, Window};
use uuid::Uuid;

const REPRODUCED: &str = "reproduced_bottleneck";
const IMPACT: &str = "acceptance_impact_visible";

fn cold_file(case: &mut CaseFile) {
    let read = item_mut(case, 1).extraction.as_mut().unwrap();
    read.hints.push(hint(HintAbout::Phase, "cold"));
}

fn accepted(case: &CaseFile, by: Uuid) -> Acceptance {
    let item = &case.evidence[0];
    Acceptance {
        id: Uuid::from_u128(800),
        evidence_id: item.id,
        of: item.contradictions(&case.runs[0]).remove(0),
        reason: "the engine loads an adapter at every hour".to_owned(),
        by,
        at: ago(2),
    }
}

#[test]
fn e1_a_reviewer_may_accept_a_contradicted_statement_and_the_gate_says_who_and_why() {
    let mut case = ready();
    cold_file(&mut case);
    assert_eq!(status(&accept(&case), REPRODUCED), S::NotSupported);
    case.acceptances = vec![accepted(&case, OTHER_REVIEWER)];
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::Holds);
    assert_eq!(status(&gate, "open_matters"), S::Holds);
    assert!(says(&gate, "open_matters", "statement-accepted"));
    let shown = gate.line(REPRODUCED).unwrap().inputs.iter().any(|i| {
        i.kind == InputKind::Evidence
            && i.text
                .as_ref()
                .is_some_and(|t| t.key == "statement-accepted")
    });
    assert!(shown);
}

#[test]
fn e1_an_acceptance_speaks_of_one_contradiction_and_ends_with_it() {
    let mut case = ready();
    cold_file(&mut case);
    case.acceptances = vec![accepted(&case, OTHER_REVIEWER)];
    let read = item_mut(&mut case, 1).extraction.as_mut().unwrap();
    read.hints[0].code = "graph-capture".to_owned();
    reseal(&mut case);
    assert_eq!(status(&accept(&case), REPRODUCED), S::NotSupported);
}

#[test]
fn e1_accepting_voids_an_approval_given_before() {
    let mut case = ready();
    cold_file(&mut case);
    reseal(&mut case);
    case.acceptances = vec![accepted(&case, OTHER_REVIEWER)];
    assert!(says(&accept(&case), "approvals", "approval-basis-moved"));
}

#[test]
fn e1_whoever_stated_attached_or_contributed_may_not_accept_it() {
    let mut case = ready();
    let refused = |case: &CaseFile, who| {
        contributor::may_accept(case, &case.evidence[0], who)
            .err()
            .map(|s| s.key)
    };
    assert_eq!(refused(&case, OTHER_REVIEWER), None);
    assert_eq!(
        refused(&case, RESPONDER).as_deref(),
        Some("contributor-stated")
    );
    case.changes[0].revisions[0].authors.push(OTHER_REVIEWER);
    assert_eq!(
        refused(&case, OTHER_REVIEWER).as_deref(),
        Some("contributor-author")
    );
}

fn content(case: &mut CaseFile, number: i64, start: chrono::DateTime<chrono::Utc>, minutes: i64) {
    let read = item_mut(case, number).extraction.as_mut().unwrap();
    read.window = Some(Window {
        start: Some(start),
        end: Some(start + TimeDelta::minutes(minutes)),
        seconds: None,
    });
}

#[test]
fn e5_a_trimmed_file_of_the_same_time_counts_once_whatever_is_stated() {
    let mut case = ready();
    // One measurement of 20 minutes, stated as two of ten; the second file lacks its last line.
    let start = ago(30);
    for (id, from) in [(R1, 0), (R2, 10)] {
        let from = start + TimeDelta::minutes(from);
        run_mut(&mut case, id).stated.window = Some((from, from + TimeDelta::minutes(10)));
    }
    reseal(&mut case);
    assert_eq!(status(&accept(&case), REPRODUCED), S::Holds);
    content(&mut case, 1, start, 20);
    content(&mut case, 2, start, 19);
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert!(says(&gate, REPRODUCED, "gate-runs-overlap-content"));
}

#[test]
fn e6_bytes_of_another_case_are_a_link_and_no_reproduction() {
    let mut case = ready();
    item_mut(&mut case, 2).link = Some(Link {
        number: 1,
        case_id: Uuid::from_u128(99),
        case_number: 7,
    });
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert!(says(&gate, REPRODUCED, "gate-run-linked"));
    // Nor is it counted among the runs that could be recorded.
    case.records.remove(0);
    let gate = accept(&case);
    assert!(says(&gate, REPRODUCED, "gate-repro-more"));
}

#[test]
fn e20_a_collectors_clock_three_hours_off_is_contradicted_and_the_order_stays() {
    for hours in [3, -3] {
        let mut case = ready();
        let before: Vec<_> = {
            let view = super::super::view::View::new(&case);
            view.runs().map(|r| (r.run.id, r.began())).collect()
        };
        let start = case.runs[0].stated.window.unwrap().0 + TimeDelta::hours(hours);
        content(&mut case, 1, start, 20);
        let gate = accept(&case);
        assert!(says(&gate, REPRODUCED, "gate-statement-contradicted"));
        let view = super::super::view::View::new(&case);
        let after: Vec<_> = view.runs().map(|r| (r.run.id, r.began())).collect();
        assert_eq!(before, after);
    }
}

#[test]
fn e20_a_file_that_knows_only_its_end_is_checked_by_it() {
    let mut case = ready();
    let late = case.evidence[0].added_at + TimeDelta::minutes(6);
    let read = item_mut(&mut case, 1).extraction.as_mut().unwrap();
    read.window = Some(Window {
        start: None,
        end: Some(late),
        seconds: None,
    });
    assert!(says(
        &accept(&case),
        REPRODUCED,
        "gate-statement-contradicted"
    ));
}

fn read_again(case: &mut CaseFile, number: i64, signals: Vec<Signal>) {
    let item = item_mut(case, number);
    let before = item.extraction.as_ref().unwrap().signals.clone();
    let reread = Reread {
        evidence_id: item.id,
        parser: "2.0".to_owned(),
        at: ago(3),
        moved: reread::moved(&before, &signals),
    };
    let read = item.extraction.as_mut().unwrap();
    let tolerance = Policy::default().reread_tolerance;
    if !reread.moved.iter().any(|m| m.beyond(tolerance)) {
        read.anchor = Some(super::super::basis::numbers_digest(&before));
    }
    read.signals = signals;
    read.parser = "2.0".to_owned();
    case.rereads.push(reread);
}

#[test]
fn e24_a_number_the_record_rests_on_that_moved_makes_it_stale_though_it_still_breaks() {
    let mut case = ready();
    read_again(&mut case, 1, engine(1.6 * 1.03, 0.93));
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::OutOfDate);
    assert!(says(&gate, REPRODUCED, "gate-reread-moved"));
    assert!(says(&gate, "approvals", "approval-basis-moved"));
    // The acceptance rate did not move.
    assert_eq!(status(&gate, IMPACT), S::Holds);
    assert!(says(&gate, IMPACT, "gate-reread-unchanged"));
}

#[test]
fn e24_within_the_policys_tolerance_all_stays_and_says_so() {
    let mut case = ready();
    read_again(&mut case, 1, engine(1.6 * 1.005, 0.93));
    let gate = accept(&case);
    let open: Vec<_> = gate.open().collect();
    assert!(open.is_empty(), "{open:#?}");
    assert!(says(&gate, REPRODUCED, "gate-reread-unchanged"));
    case.policy.reread_tolerance = 0.001;
    assert_eq!(status(&accept(&case), REPRODUCED), S::OutOfDate);
}

#[test]
fn e24_a_number_that_is_gone_or_means_something_else_moved() {
    let mut signals = engine(1.6, 0.93);
    signals[0].scope = Scope::SinceStart;
    signals.remove(1);
    let mut case = ready();
    read_again(&mut case, 1, signals);
    let gate = accept(&case);
    assert!(says(&gate, REPRODUCED, "gate-reread-moved"));
    assert!(says(&gate, IMPACT, "gate-reread-gone"));
    let mut other = Signal::new("ttft", Statistic::P99, 1.6).samples(12_000);
    other.unit = Unit::Count;
    let moved = reread::moved(&engine(1.6, 0.93)[..1], &[other]);
    assert!(moved[0].beyond(1.0));
}

#[test]
fn e24_a_record_made_on_the_new_reading_holds() {
    let mut case = ready();
    read_again(&mut case, 1, engine(1.6 * 1.03, 0.93));
    for record in &mut case.records {
        record.at = ago(2);
    }
    reseal(&mut case);
    assert_eq!(status(&accept(&case), REPRODUCED), S::Holds);
}

/// A file of run `run` and the number that somebody attests out of it.
fn attest(case: &mut CaseFile, run: Uuid, signal: Signal) -> usize {
    let mut source = item(20 + case.attested.len() as i64, run, Vec::new());
    source.extraction = None;
    source.attested = true;
    let window = case.run(run).unwrap().stated.window.unwrap();
    case.attested.push(Attested {
        extraction_id: None,
        id: Uuid::from_u128(900 + case.attested.len() as u128),
        number: case.attested.len() as i32 + 1,
        run_id: run,
        evidence_id: source.id,
        typed: (signal.value.to_string(), "s".to_owned()),
        signal,
        class: None,
        window,
        place: "third panel, upper right".to_owned(),
        by: RESPONDER,
        at: ago(17),
        answers: Vec::new(),
    });
    case.evidence.push(source);
    case.attested.len() - 1
}

fn answer(case: &mut CaseFile, at: usize, by: Uuid, agrees: bool) {
    case.attested[at].answers.push(Answer {
        agrees,
        reason: "looked at it".to_owned(),
        by,
        at: ago(16),
    });
    reseal(case);
}

fn ttft(value: f64) -> Signal {
    Signal::new("ttft", Statistic::P99, value).samples(12_000)
}

/// The case with R-1's TTFT attested instead of read.
fn attested_case() -> CaseFile {
    let mut case = ready();
    set_signals(&mut case, 1, engine(1.6, 0.93)[1..].to_vec());
    attest(&mut case, R1, ttft(1.6));
    reseal(&mut case);
    case
}

#[test]
fn a2_a_line_on_a_number_nobody_countersigned_is_unsupported() {
    let mut case = attested_case();
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert!(says(&gate, REPRODUCED, "measure-attested-open"));
    answer(&mut case, 0, OTHER_REVIEWER, true);
    let gate = accept(&case);
    let open: Vec<_> = gate.open().collect();
    assert!(open.is_empty(), "{open:#?}");
    assert!(says(&gate, REPRODUCED, "gate-attested-held"));
    assert!(says(&gate, "comparison_warm", "gate-attested-held"));
}

#[test]
fn a2_a_declined_number_or_one_whose_file_is_withdrawn_is_not_there() {
    let mut case = attested_case();
    answer(&mut case, 0, OTHER_REVIEWER, true);
    answer(&mut case, 0, REVIEWER, false);
    assert!(says(&accept(&case), REPRODUCED, "measure-not-captured"));
    let mut case = attested_case();
    answer(&mut case, 0, OTHER_REVIEWER, true);
    case.evidence.last_mut().unwrap().state = EvidenceState::Withdrawn;
    assert!(says(&accept(&case), REPRODUCED, "measure-not-captured"));
}

#[test]
fn a3_the_attester_and_contributors_may_not_countersign() {
    let mut case = attested_case();
    let refused = |case: &CaseFile, who| {
        may_countersign(case, &case.attested[0], who)
            .err()
            .map(|s| s.key)
    };
    assert_eq!(refused(&case, OTHER_REVIEWER), None);
    assert_eq!(
        refused(&case, RESPONDER).as_deref(),
        Some("contributor-attester")
    );
    // A second account of the attester is the attester, before and after it answered.
    let identity = case.people[2].identity;
    case.people[2].identity = RESPONDER;
    assert_eq!(
        refused(&case, OTHER_REVIEWER).as_deref(),
        Some("contributor-attester")
    );
    answer(&mut case, 0, OTHER_REVIEWER, true);
    assert!(says(&accept(&case), REPRODUCED, "measure-attested-open"));
    case.attested[0].answers.clear();
    case.people[2].identity = identity;
    case.owners.push(OTHER_REVIEWER);
    assert_eq!(
        refused(&case, OTHER_REVIEWER).as_deref(),
        Some("contributor-owner")
    );
}

#[test]
fn a3_a_countersignature_of_somebody_who_contributed_since_does_not_count() {
    let mut case = attested_case();
    answer(&mut case, 0, OTHER_REVIEWER, true);
    assert_eq!(status(&accept(&case), REPRODUCED), S::Holds);
    case.owners.push(OTHER_REVIEWER);
    assert!(says(&accept(&case), REPRODUCED, "measure-attested-open"));
}

#[test]
fn a4_attested_and_read_values_apart_dispute_the_stage_and_show_both() {
    let mut case = ready();
    attest(&mut case, R1, ttft(1.6 * 1.005));
    answer(&mut case, 0, OTHER_REVIEWER, true);
    assert!(accept(&case).ready, "within one percent they agree");
    case.attested[0].signal.value = 1.6 * 1.02;
    reseal(&mut case);
    let gate = accept(&case);
    assert!(says(&gate, "open_matters", "gate-stage-disputed-attested"));
    let stage = standing(&case, Stage::RequestTrace);
    assert_eq!(stage.word, StandingWord::Disputed);
    // Nobody needs to countersign it for the doubt to be there.
    case.attested[0].answers.clear();
    assert_eq!(
        standing(&case, Stage::RequestTrace).word,
        StandingWord::Disputed
    );
}

#[test]
fn a5_a_canary_is_never_judged_on_an_attested_number() {
    let mut case = ready();
    assert_eq!(case.run(R4).unwrap().stated.phase, Phase::Canary);
    set_signals(&mut case, 4, engine(0.62, 0.984)[1..].to_vec());
    attest(&mut case, R4, ttft(0.62));
    answer(&mut case, 0, OTHER_REVIEWER, true);
    let verdict = canary::verdict(&case, &case.changes[0]);
    assert_eq!(verdict.whole, canary::Whole::Inconclusive);
    let row = verdict
        .rows
        .iter()
        .find(|r| r.row.signal == "ttft")
        .unwrap();
    assert_eq!(row.verdict, canary::Whole::Inconclusive);
    assert_eq!(
        row.reason.as_ref().map(|s| s.key.as_str()),
        Some("measure-attested-canary")
    );
}

#[test]
fn a_countersigned_number_may_be_cited_for_a_layer() {
    let mut case = ready();
    let mut without = engine(1.6, 0.93);
    without.remove(2);
    set_signals(&mut case, 1, without);
    let queue = Signal::new("queue_time", Statistic::P95, 1.6 * 0.7).samples(12_000);
    attest(&mut case, R1, queue);
    let source = case.attested[0].evidence_id;
    if let super::super::condition::Claim::OwnerLayerIdentified { cited, .. } =
        &mut case.records[1].claim
    {
        cited[0].evidence_id = source;
    }
    reseal(&mut case);
    let gate = accept(&case);
    assert!(says(
        &gate,
        "owner_layer_identified",
        "measure-attested-open"
    ));
    answer(&mut case, 0, OTHER_REVIEWER, true);
    let gate = accept(&case);
    assert_eq!(status(&gate, "owner_layer_identified"), S::Holds);
    assert!(says(&gate, "owner_layer_identified", "gate-attested-held"));
}
