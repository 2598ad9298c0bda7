//! Environments: facts and their sources, equality by meaning, one knob, bundles and consents.

use super::super::bundle::{Bundle, Consent};
use super::super::change::{ChangeState, Knob};
use super::super::environment::{self, Environment, Source};
use super::super::evidence::Evidence;
use super::super::fixture::*;
use super::super::gate::{LineStatus as S, Target};
use super::super::{CaseFile, Stage, stage};
use super::{says, status};
use pel_evidence::{Kind, Note, NoteLevel};
use std::collections::BTreeMap;
use uuid::Uuid;

fn facts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
        .collect()
}

fn of(pairs: &[(&str, &str)]) -> Environment {
    Environment {
        facts: facts(pairs),
    }
}

/// A configuration file of a run.
fn configuration(number: i64, run: Uuid, pairs: &[(&str, &str)]) -> Evidence {
    let mut item = item(number, run, Vec::new());
    let x = item.extraction.as_mut().unwrap();
    x.kind = Kind::EngineConfig;
    x.environment = facts(pairs);
    item
}

/// The fixture with a configuration attached to every run; the candidates' may differ.
fn configured(candidate: &[(&str, &str)]) -> CaseFile {
    let mut case = ready();
    let base = [("engine", "vLLM"), ("setting.max_num_seqs", "128")];
    for (i, run) in [R1, R2, R5].into_iter().enumerate() {
        case.evidence.push(configuration(20 + i as i64, run, &base));
    }
    for (i, run) in [R3, R4].into_iter().enumerate() {
        case.evidence
            .push(configuration(30 + i as i64, run, candidate));
    }
    reseal(&mut case);
    case
}

#[test]
fn equal_meanings_have_equal_digests() {
    let a = of(&[
        ("engine", "vLLM"),
        ("gpu_model", "NVIDIA H200"),
        ("setting.gpu-memory-utilization", ".90"),
        ("setting.tp", "2"),
        ("setting.max_num_batched_tokens", "16k"),
        ("setting.quantization", "AWQ"),
    ]);
    let b = of(&[
        ("engine", "vllm"),
        ("gpu_model", " nvidia h200"),
        ("setting.gpu_memory_utilization", "0.9"),
        ("setting.tensor_parallel_size", "2.0"),
        ("setting.max_num_batched_tokens", "16000"),
        ("quantisation", "awq"),
    ]);
    assert!(a.same(&b), "{:?}", a.differences(&b));
    assert_eq!(a.digest(), b.digest());
    assert_eq!(a.get("setting.tensor-parallel-size"), Some("2"));
    assert!(a.has("setting.gpu_memory_utilization", "0.90"));
    // A version is a name: 570.10 is not 570.1.
    let driver = |v: &str| of(&[("driver_version", v)]);
    assert!(!driver("570.10").same(&driver("570.1")));
    assert_ne!(driver("570.10").digest(), driver("570.1").digest());
}

#[test]
fn e9_a_setting_known_on_one_side_only_is_no_default() {
    let a = of(&[("engine", "vLLM"), ("setting.max_num_seqs", "256")]);
    let b = of(&[("engine", "vLLM")]);
    let found = a.differences(&b);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].b, None);
    assert_ne!(a.digest(), b.digest());
    // Read for one side only, it keeps the change from being submitted.
    let mut case = configured(&[("engine", "vLLM")]);
    assert_eq!(
        status(&gate(&case, Target::Submit), "one_knob"),
        S::NotSupported
    );
    case.evidence.retain(|e| e.number < 20);
    reseal(&mut case);
    assert_eq!(status(&gate(&case, Target::Submit), "one_knob"), S::Holds);
}

#[test]
fn what_is_stated_wins_and_what_is_read_fills_the_rest() {
    let stated = of(&[("gpu_count", "1"), ("setting.max_num_seqs", "128")]);
    let config = configuration(
        7,
        R1,
        &[
            ("engine", "vLLM"),
            ("model", "meta/x"),
            ("served_model_name", "chat"),
            ("setting.max_num_seqs", "128.0"),
            ("setting.enforce_eager", "true"),
        ],
    );
    let mut metrics = item(8, R1, Vec::new());
    metrics.extraction.as_mut().unwrap().environment = facts(&[
        ("model", "chat"),
        ("enforce_eager", "x"),
        ("num_gpu_blocks", "77"),
    ]);
    let out = environment::effective(&stated, &[&config, &metrics]);
    let fact = |key: &str| &out.facts[key];
    assert_eq!(
        fact("setting.max_num_seqs").sources,
        [Source::Stated, Source::Read("EV-7".to_owned())]
    );
    assert_eq!(fact("setting.max_num_seqs").value, "128");
    assert_eq!(
        fact("setting.enforce_eager").sources,
        [Source::Read("EV-7".to_owned())]
    );
    // A metric calls the model by the name it is served under, and fills only what is asked for.
    assert_eq!(fact("model").value, "meta/x");
    assert!(fact("model").against.is_empty());
    assert!(!out.facts.contains_key("num_gpu_blocks"));
    assert!(out.conflicts.is_empty());
}

#[test]
fn two_files_that_disagree_block_until_one_is_gone() {
    let same = [("engine", "vLLM"), ("setting.max_num_seqs", "128")];
    let mut case = configured(&same);
    assert!(
        accept(&case).ready,
        "{:#?}",
        accept(&case).open().collect::<Vec<_>>()
    );
    case.evidence.push(configuration(
        40,
        R3,
        &[("engine", "vLLM"), ("setting.max_num_seqs", "64")],
    ));
    let refused = accept(&case);
    assert!(says(&refused, "open_matters", "environment-conflict"));
    let said = format!("{:?}", refused.line("open_matters").unwrap());
    for part in ["EV-30", "EV-40", "128", "64"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    case.evidence.pop();
    assert!(!says(
        &accept(&case),
        "open_matters",
        "environment-conflict"
    ));
}

#[test]
fn e8_what_files_say_refuses_submission_like_what_is_stated() {
    let case = configured(&[
        ("engine", "vLLM"),
        ("engine_version", "0.9.0"),
        ("quantisation", "fp8"),
        ("setting.max_num_seqs", "128"),
    ]);
    let refused = gate(&case, Target::Submit);
    assert_eq!(status(&refused, "one_knob"), S::NotSupported);
    let said = format!("{:?}", refused.line("one_knob").unwrap().sentences);
    assert!(said.contains("engine_version ? → 0.9.0"), "{said}");
    assert!(said.contains("quantisation ? → fp8"), "{said}");
}

#[test]
fn k2_a_flag_that_a_file_shows_is_named() {
    let case = configured(&[("engine", "vLLM"), ("setting.max_num_seqs", "256")]);
    let refused = gate(&case, Target::Submit);
    assert_eq!(status(&refused, "one_knob"), S::NotSupported);
    let said = format!("{:?}", refused.line("one_knob").unwrap().sentences);
    assert!(said.contains("setting.max_num_seqs 128 → 256"), "{said}");
}

#[test]
fn k22_values_compare_by_meaning() {
    let mut case = configured(&[("engine", "vLLM"), ("setting.max_num_seqs", "128")]);
    with_terms(&mut case, |t| {
        t.knob.setting = "--max-num-batched-tokens".to_owned();
        t.knob.old = "8192.0".to_owned();
    });
    let submitted = gate(&case, Target::Submit);
    assert_eq!(
        status(&submitted, "one_knob"),
        S::Holds,
        "{:?}",
        submitted.line("one_knob")
    );
    with_terms(&mut case, |t| t.knob.old = "8k".to_owned());
    let refused = gate(&case, Target::Submit);
    assert!(says(&refused, "one_knob", "gate-baseline-other-value"));
}

#[test]
fn a_configuration_with_a_gap_compares_nothing() {
    let mut case = configured(&[("engine", "vLLM"), ("setting.max_num_seqs", "128")]);
    assert_eq!(status(&gate(&case, Target::Submit), "one_knob"), S::Holds);
    let item = case.evidence.iter_mut().find(|e| e.number == 30).unwrap();
    let notes = &mut item.extraction.as_mut().unwrap().notes;
    notes.push(Note::new(NoteLevel::Warning, "engine-config-file-missing"));
    let refused = gate(&case, Target::Submit);
    assert!(says(&refused, "one_knob", "environment-configuration-gap"));
}

fn bundled(case: &mut CaseFile) {
    with_terms(case, |t| {
        t.bundle = Some(Bundle {
            settings: vec![Knob {
                component: t.knob.component.clone(),
                setting: "max_num_seqs".to_owned(),
                old: "128".to_owned(),
                new: "256".to_owned(),
                unit: String::new(),
            }],
            reason: "the engine refuses one without the other".to_owned(),
        });
    });
}

fn consent(case: &mut CaseFile, by: Uuid) {
    let revision_digest = case.changes[0].current().unwrap().digest.clone();
    case.changes[0].consents.push(Consent {
        id: Uuid::from_u128(900),
        by,
        at: ago(9),
        revision_digest,
        note: "they belong together".to_owned(),
    });
}

#[test]
fn k1_a_bundle_without_a_reason_is_refused() {
    let mut case = ready();
    bundled(&mut case);
    with_terms(&mut case, |t| {
        t.bundle.as_mut().unwrap().reason = "because".to_owned();
    });
    assert!(says(
        &gate(&case, Target::Submit),
        "plan",
        "bundle-needs-reason"
    ));
    with_terms(&mut case, |t| t.bundle.as_mut().unwrap().settings.clear());
    assert!(says(
        &gate(&case, Target::Submit),
        "plan",
        "bundle-needs-setting"
    ));
}

#[test]
fn k1_a_bundle_needs_the_consent_of_a_reviewer_to_this_revision() {
    let mut case = configured(&[("engine", "vLLM"), ("setting.max_num_seqs", "256")]);
    bundled(&mut case);
    let submit = gate(&case, Target::Submit);
    assert_eq!(status(&submit, "one_knob"), S::Holds, "{submit:#?}");
    assert_eq!(status(&submit, "bundle"), S::NotApplicable);
    for target in [Target::Approve, Target::StartCanary, Target::Accept] {
        assert_eq!(status(&gate(&case, target), "bundle"), S::Missing);
    }
    consent(&mut case, RESPONDER);
    assert_eq!(
        status(&accept(&case), "bundle"),
        S::Missing,
        "a contributor"
    );
    consent(&mut case, REVIEWER);
    let accepted = accept(&case);
    assert_eq!(status(&accepted, "bundle"), S::Holds);
    assert!(says(&accepted, "one_knob", "bundle-said"));
    assert!(accepted.ready, "{:#?}", accepted.open().collect::<Vec<_>>());
    with_terms(&mut case, |t| t.procedure.push('.'));
    assert!(says(
        &accept(&case),
        "bundle",
        "bundle-consent-other-revision"
    ));
    assert_eq!(status(&accept(&case), "bundle"), S::Missing);
}

#[test]
fn k22_a_bundled_value_that_was_not_measured_is_refused() {
    let mut case = configured(&[("engine", "vLLM"), ("setting.max_num_seqs", "256")]);
    bundled(&mut case);
    with_terms(&mut case, |t| {
        t.bundle.as_mut().unwrap().settings[0].old = "64".to_owned();
    });
    let refused = gate(&case, Target::Submit);
    let said = format!("{:?}", refused.line("one_knob").unwrap().sentences);
    assert!(says(&refused, "one_knob", "gate-baseline-other-value"));
    assert!(said.contains("128") && said.contains("64"), "{said}");
}

#[test]
fn e25_a_bigger_environment_read_from_a_file_reopens_stage_five() {
    let mut case = ready();
    case.changes[0].state = ChangeState::Submitted;
    let run = case.runs.iter_mut().find(|r| r.id == R3).unwrap();
    run.stated.environment.facts.remove("gpu_count");
    let one = configuration(50, R3, &[("gpu_count", "1")]);
    case.evidence.push(one);
    reseal(&mut case);

    let judged = stage::standing(&case, Stage::DistributedCapacity);
    let before = judged.word;
    let item = case.evidence.last_mut().unwrap();
    item.extraction.as_mut().unwrap().environment = facts(&[("gpu_count", "8")]);

    assert_ne!(
        stage::standing(&case, Stage::DistributedCapacity).word,
        before
    );
    assert!(says(
        &accept(&case),
        "owner_layer_identified",
        "stage-five-bigger"
    ));
}

#[test]
fn sentences_of_environments_and_bundles_stand_in_both_languages() {
    use crate::i18n::{Lang, has};
    let sources = [
        include_str!("../gate/knob.rs"),
        include_str!("../bundle.rs"),
        include_str!("../view.rs"),
        include_str!("../place.rs"),
    ];
    let keys: Vec<&str> = sources
        .iter()
        .flat_map(|s| s.split('"').skip(1).step_by(2))
        .filter(|k| ["bundle-", "environment-"].iter().any(|p| k.starts_with(p)))
        .collect();
    assert!(keys.len() > 8, "{keys:?}");
    for key in keys {
        assert!(Lang::ALL.iter().all(|l| has(*l, key)), "{key}");
    }
}
