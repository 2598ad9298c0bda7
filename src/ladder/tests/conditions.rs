//! S: conditions and stages, and the sixteen combinations of the four.

use super::super::case::{Argument, DeclarationKind, Hypothesis};
use super::super::condition::{Claim, Condition, Layer};
use super::super::conditions::{self, Status};
use super::super::contract::{ClassTerms, Comparator};
use super::super::environment::Environment;
use super::super::fixture::*;
use super::super::gate::{LineStatus as S, Policy};
use super::super::run::{Phase, RunRole};
use super::super::stage::{StandingWord, may_declare, standing};
use super::super::{Stage, Statistic};
use super::{says, status};
use pel_evidence::Signal;
use uuid::Uuid;

const LAYER: &str = "owner_layer_identified";
const IMPACT: &str = "acceptance_impact_visible";
const REPRODUCED: &str = "reproduced_bottleneck";
const WHY: &str = "a reason of more than twenty characters";

#[test]
fn only_all_four_conditions_together_let_a_change_be_accepted() {
    for held in 0u8..16 {
        let mut case = ready();
        for (i, record) in case.records.iter_mut().enumerate() {
            if held & (1 << i) == 0 {
                record.retracted = Some((RESPONDER, ago(9), "taken back".to_owned()));
            }
        }
        reseal(&mut case);
        let gate = accept(&case);
        assert_eq!(gate.ready, held == 15, "{held:04b}");
        for (i, condition) in Condition::ALL.iter().enumerate() {
            let expected = if held & (1 << i) == 0 {
                S::Missing
            } else {
                S::Holds
            };
            assert_eq!(
                status(&gate, condition.id()),
                expected,
                "{held:04b} {condition:?}"
            );
        }
    }
}

fn edit_layer(case: &mut super::super::CaseFile, edit: impl FnOnce(&mut Claim)) {
    edit(&mut case.records[1].claim);
    reseal(case);
}

#[test]
fn s1_a_condition_without_evidence_is_unsupported() {
    let mut case = ready();
    edit_layer(&mut case, |c| {
        if let Claim::OwnerLayerIdentified { cited, .. } = c {
            cited.clear();
        }
    });
    assert_eq!(status(&accept(&case), LAYER), S::NotSupported);
    case.records[0].claim = Claim::ReproducedBottleneck {
        limit_id: "ttft".to_owned(),
        runs: Vec::new(),
    };
    case.records[2].claim = Claim::AcceptanceImpactVisible {
        limit_id: "accepted".to_owned(),
        runs: Vec::new(),
        note: String::new(),
    };
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::NotSupported);
    assert!(says(&gate, IMPACT, "gate-impact-no-run"));
}

#[test]
fn s2_evidence_of_another_stage_does_not_show_a_layer() {
    let mut case = ready();
    edit_layer(&mut case, |c| {
        if let Claim::OwnerLayerIdentified { cited, .. } = c {
            cited[0].signal = "ttft".to_owned();
            cited[0].statistic = Statistic::P99;
            cited[0].value = 1.6;
        }
    });
    let gate = accept(&case);
    assert_eq!(status(&gate, LAYER), S::NotSupported);
    assert!(says(&gate, LAYER, "gate-layer-other-stage"));
}

#[test]
fn s3_a_claim_names_exactly_one_layer() {
    // Two cannot be written down: the claim holds one value.
    let text = serde_json::to_string(&claims()[1]).unwrap();
    let two = text.replace(
        r#"{"stage":"serving_scheduler_cache"}"#,
        r#"[{"stage":"serving_scheduler_cache"},"outside"]"#,
    );
    assert_ne!(text, two);
    assert!(serde_json::from_str::<Claim>(&text).is_ok());
    assert!(serde_json::from_str::<Claim>(&two).is_err());
}

#[test]
fn s4_stage_five_is_not_applicable_only_on_one_gpu_and_with_a_reason() {
    let five = Stage::DistributedCapacity;
    let kind = DeclarationKind::NotApplicable;
    let mut case = ready();
    assert!(may_declare(&case, five, kind, WHY).is_ok());
    let short = may_declare(&case, five, kind, "no").unwrap_err();
    assert_eq!(short.key, "stage-reason-short");
    let facts = &mut run_mut(&mut case, R2).stated.environment.facts;
    facts.insert("gpu_count".to_owned(), "2".to_owned());
    let refused = may_declare(&case, five, kind, WHY).unwrap_err();
    assert_eq!(refused.key, "stage-five-bigger");
    run_mut(&mut case, R2).stated.environment = Environment::default();
    assert!(may_declare(&case, five, kind, WHY).is_err(), "unknown");
    assert!(may_declare(&case, five, DeclarationKind::NotExamined, WHY).is_ok());
}

#[test]
fn s5_stage_one_is_always_applicable() {
    let mut case = ready();
    for kind in [DeclarationKind::NotApplicable, DeclarationKind::NotExamined] {
        let refused = may_declare(&case, Stage::RequestTrace, kind, WHY).unwrap_err();
        assert_eq!(refused.key, "stage-one-always");
    }
    case.declarations
        .push(declare(Stage::RequestTrace, DeclarationKind::NotApplicable));
    case.evidence.clear();
    assert_eq!(
        standing(&case, Stage::RequestTrace).word,
        StandingWord::Empty
    );
}

#[test]
fn a_signal_that_only_gives_context_evidences_no_stage() {
    let five = Stage::DistributedCapacity;
    let mut case = ready();
    let mut counted = engine(1.6, 0.93);
    counted.push(Signal::new("engine_count", Statistic::Last, 1.0));
    set_signals(&mut case, 1, counted.clone());
    let stands = standing(&case, five);
    assert_eq!(stands.word, StandingWord::NotApplicable);
    assert_eq!((stands.usable, stands.main_signal), (0, None));
    assert!(!case.evidence[0].stages().contains(&five));
    case.declarations.retain(|d| d.stage != five);
    assert_eq!(standing(&case, five).word, StandingWord::Empty);
    let gate = accept(&case);
    assert_eq!(status(&gate, LAYER), S::NotSupported);
    assert!(says(&gate, LAYER, "gate-stage-empty"));
    counted.push(Signal::new("nixl_transfer_time", Statistic::Mean, 0.01));
    set_signals(&mut case, 1, counted);
    assert_eq!(standing(&case, five).word, StandingWord::Evidenced);
    assert!(case.evidence[0].stages().contains(&five));
}

#[test]
fn s6_an_empty_stage_without_a_declaration_is_named() {
    let mut case = ready();
    case.declarations.remove(1);
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, LAYER), S::NotSupported);
    let said = format!("{:?}", gate.line(LAYER).unwrap().sentences);
    assert!(said.contains("stage-kernel-operator"), "{said}");
}

#[test]
fn s7_tokens_per_second_never_show_acceptance() {
    let mut case = ready();
    with_contract(&mut case, |t| {
        t.limits.push(limit(
            "tokens",
            "generation_token_throughput",
            Statistic::Rate,
            Comparator::AtLeast,
            100.0,
        ));
    });
    case.records[2].claim = Claim::AcceptanceImpactVisible {
        limit_id: "tokens".to_owned(),
        runs: vec![R1, R2],
        note: String::new(),
    };
    reseal(&mut case);
    let gate = accept(&case);
    assert_eq!(status(&gate, IMPACT), S::NotSupported);
    assert!(says(&gate, IMPACT, "gate-impact-not-acceptance"));
}

#[test]
fn s8_acceptance_in_total_is_not_acceptance_of_the_class() {
    let mut case = ready();
    with_contract(&mut case, |t| {
        t.classes.push(ClassTerms {
            name: "long".to_owned(),
            description: String::new(),
        });
    });
    case.classes = vec!["long".to_owned()];
    let judged = conditions::status(
        &case,
        Condition::AcceptanceImpactVisible,
        &Policy::default(),
    );
    assert_eq!(judged.status, Status::Unsupported);
    let said = format!("{:?}", judged.sentences);
    assert!(said.contains("gate-impact-class-missing") && said.contains("long"));
}

#[test]
fn s9_no_loss_measured_is_visible() {
    let mut case = ready();
    set_signals(&mut case, 1, engine(1.6, 0.99));
    set_signals(&mut case, 2, engine(1.7, 0.98));
    let gate = accept(&case);
    assert_eq!(status(&gate, IMPACT), S::Holds);
    assert!(says(&gate, IMPACT, "gate-impact-no-loss"));
}

#[test]
fn s10_a_later_clean_run_contradicts() {
    let mut case = ready();
    let clean = Uuid::from_u128(311);
    case.runs
        .push(run(clean, RunRole::Baseline, Phase::Warm, 3, 20));
    case.evidence.push(item(11, clean, engine(0.61, 0.98)));
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::Contradicted);
    assert!(says(&gate, REPRODUCED, "gate-repro-contradicted"));
    assert_eq!(status(&gate, LAYER), S::OutOfDate);
}

#[test]
fn an_earlier_clean_run_does_not_contradict() {
    let mut case = ready();
    let clean = Uuid::from_u128(312);
    let mut before = run(clean, RunRole::Baseline, Phase::Warm, 90, 20);
    before.at = ago(1);
    case.runs.push(before);
    case.evidence.push(item(12, clean, engine(0.61, 0.98)));
    assert_eq!(status(&accept(&case), REPRODUCED), S::Holds);
}

#[test]
fn s11_a_retracted_condition_voids_the_approval() {
    let mut case = ready();
    case.records[2].retracted = Some((RESPONDER, ago(1), "wrong".to_owned()));
    let gate = accept(&case);
    assert_eq!(status(&gate, IMPACT), S::Missing);
    assert!(says(&gate, "approvals", "approval-basis-moved"));
}

#[test]
fn s13_gpu_utilisation_alone_names_no_layer() {
    let mut case = ready();
    let busy = Signal::new("gpu_utilization", Statistic::Ratio, 0.99);
    let mut signals = engine(1.6, 0.93);
    signals.push(busy);
    set_signals(&mut case, 1, signals);
    edit_layer(&mut case, |c| {
        if let Claim::OwnerLayerIdentified {
            layer,
            cited,
            others,
        } = c
        {
            *layer = Layer::Stage(Stage::GpuExecutionMemory);
            cited[0].signal = "gpu_utilization".to_owned();
            cited[0].statistic = Statistic::Ratio;
            cited[0].value = 0.99;
            others.insert(4, "not the limit".to_owned());
        }
    });
    let gate = accept(&case);
    assert_eq!(status(&gate, LAYER), S::NotSupported);
    assert!(says(&gate, LAYER, "gate-layer-signal-no-layer"));
}

#[test]
fn outside_needs_every_stage_examined() {
    let mut case = ready();
    edit_layer(&mut case, |c| {
        if let Claim::OwnerLayerIdentified { layer, others, .. } = c {
            *layer = Layer::Outside;
            others.insert(4, "not the limit".to_owned());
        }
    });
    let gate = accept(&case);
    assert_eq!(status(&gate, LAYER), S::NotSupported);
    assert!(says(&gate, LAYER, "gate-layer-outside-unexamined"));
    for d in &mut case.declarations {
        d.kind = DeclarationKind::NotApplicable;
    }
    reseal(&mut case);
    assert_eq!(status(&accept(&case), LAYER), S::Holds);
}

#[test]
fn every_other_stage_needs_its_why_not() {
    let mut case = ready();
    edit_layer(&mut case, |c| {
        if let Claim::OwnerLayerIdentified { others, .. } = c {
            others.remove(&1);
        }
    });
    assert!(says(&accept(&case), LAYER, "gate-layer-no-why"));
}

#[test]
fn why_the_others_are_not_the_limit_is_part_of_the_line_and_sealed_with_it() {
    let mut case = ready();
    edit_layer(&mut case, |c| {
        if let Claim::OwnerLayerIdentified { others, .. } = c {
            *others = [(1, "late"), (2, "device idle"), (3, " "), (5, "one GPU")]
                .map(|(n, why)| (n, why.to_owned()))
                .into();
        }
    });
    let gate = accept(&case);
    let line = gate.line(LAYER).unwrap();
    assert_eq!(line.status, S::Holds);
    let said: Vec<_> = line
        .sentences
        .iter()
        .filter(|s| s.key == "gate-layer-why-not")
        .map(|s| format!("{:?}", s.args))
        .collect();
    assert_eq!(said.len(), 3, "blanks are no reason: {said:?}");
    for (said, parts) in said.iter().zip([
        ["stage-request-trace", "standing-evidenced", "late"],
        [
            "stage-gpu-execution-memory",
            "standing-not-examined",
            "device idle",
        ],
        [
            "stage-distributed-capacity",
            "standing-not-applicable",
            "one GPU",
        ],
    ]) {
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    let sealed = serde_json::to_string(&gate).unwrap();
    assert!(sealed.contains("device idle"));
}

#[test]
fn the_owner_layer_is_shown_once_held() {
    let case = ready();
    let four = standing(&case, Stage::ServingSchedulerCache);
    assert_eq!(four.word, StandingWord::OwnerLayer);
    assert_eq!(four.usable, 5);
    let main = four.main_signal.unwrap();
    assert_eq!(main.signal.name, "queue_time");
    assert_eq!(main.from(), "R-1 · EV-1", "the item it cites");
}

#[test]
fn the_ladder_shows_the_service_as_it_stands_and_never_the_candidate_first() {
    let main = |case: &super::super::CaseFile, stage| standing(case, stage).main_signal.unwrap();
    let mut case = ready();
    case.symptom.signal = Some("ttft".to_owned());
    case.symptom.statistic = Some(Statistic::P99);
    let one = main(&case, Stage::RequestTrace);
    assert_eq!((one.from().as_str(), one.signal.value), ("R-2 · EV-2", 1.7));
    // Without a symptom's signal it is the reproduced limit's.
    case.symptom.signal = None;
    assert_eq!(main(&case, Stage::RequestTrace).signal.name, "ttft");
    // Without any record: a warm baseline, not the canary beside it or the candidate.
    case.records.clear();
    assert_eq!(main(&case, Stage::RequestTrace).from(), "R-2 · EV-2");
    assert_eq!(
        main(&case, Stage::ServingSchedulerCache).from(),
        "R-2 · EV-2"
    );
    set_signals(
        &mut case,
        2,
        vec![Signal::new("running_requests", Statistic::Last, 9.0)],
    );
    assert_eq!(
        main(&case, Stage::ServingSchedulerCache).from(),
        "R-1 · EV-1"
    );
    // Only a candidate is left: its number is shown with its label.
    case.evidence.retain(|e| e.number == 3);
    assert_eq!(main(&case, Stage::RequestTrace).from(), "R-3 · EV-3");
}

#[test]
fn evidence_marked_against_every_explanation_of_a_layer_contradicts_it() {
    let mut case = ready();
    case.hypotheses.push(Hypothesis {
        id: Uuid::from_u128(800),
        number: 1,
        stage: Stage::ServingSchedulerCache,
        text: "batches are too long".to_owned(),
        by: RESPONDER,
        at: ago(20),
        arguments: vec![Argument {
            evidence_id: Uuid::from_u128(403),
            supports: false,
            note: "queue empty".to_owned(),
            by: RESPONDER,
            at: ago(2),
        }],
    });
    assert_eq!(status(&accept(&case), LAYER), S::Contradicted);
}

#[test]
fn reproductions_that_differ_by_more_than_thirty_percent_are_unsupported() {
    let mut case = ready();
    set_signals(&mut case, 2, engine(1.6 * 1.3, 0.92));
    assert_eq!(status(&accept(&case), REPRODUCED), S::Holds);
    set_signals(&mut case, 2, engine(1.6 * 1.31, 0.92));
    let gate = accept(&case);
    assert!(says(&gate, REPRODUCED, "gate-repro-spread"));
}

#[test]
fn a_newer_environment_of_the_service_makes_claims_out_of_date() {
    let mut case = ready();
    let new = Uuid::from_u128(313);
    let mut moved = run(new, RunRole::Baseline, Phase::Warm, 3, 20);
    let facts = &mut moved.stated.environment.facts;
    facts.insert("driver_version".to_owned(), "575.51".to_owned());
    case.runs.push(moved);
    case.evidence.push(item(13, new, engine(1.6, 0.93)));
    let gate = accept(&case);
    for condition in [REPRODUCED, LAYER, IMPACT] {
        assert_eq!(status(&gate, condition), S::OutOfDate, "{condition}");
        assert!(says(&gate, condition, "gate-environment-moved"));
    }
}

#[test]
fn what_is_missing_says_how_many_runs_are_there() {
    let mut case = ready();
    case.records.remove(0);
    case.evidence.remove(1);
    let gate = accept(&case);
    assert_eq!(status(&gate, REPRODUCED), S::Missing);
    assert!(says(&gate, REPRODUCED, "gate-repro-more"));
    let said = format!("{:?}", gate.line(REPRODUCED).unwrap());
    assert!(said.contains("AddRun") && said.contains("R-1"), "{said}");
}
