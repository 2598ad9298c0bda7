//! Every sentence the judgement can say stands in both catalogues with the arguments it carries.

use std::collections::{BTreeMap, BTreeSet};

fn catalogue(language: &str) -> BTreeMap<String, String> {
    let folder = format!("{}/locales/{language}", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        text.push_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
        text.push('\n');
    }
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (key, rest) = line.split_once('=').unwrap();
            current = key.trim().to_owned();
            let twice = found.insert(current.clone(), rest.to_owned());
            assert!(twice.is_none(), "{language}: {current} is there twice");
        } else if let Some(text) = found.get_mut(&current) {
            text.push_str(line);
        }
    }
    found
}

fn arguments(text: &str) -> BTreeSet<String> {
    text.split('$')
        .skip(1)
        .map(|p| {
            p.chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
                .collect()
        })
        .collect()
}

/// String literals of the ladder's sources that look like keys of the catalogue.
fn keys_in_source() -> BTreeSet<String> {
    const PREFIXES: [&str; 20] = [
        "retention-",
        "redaction-",
        "gate-",
        "measure-",
        "compare-",
        "canary-",
        "sample-",
        "template-",
        "freeze-",
        "threshold-",
        "stage-",
        "statement-",
        "approval-",
        "decide-",
        "contributor-",
        "contract-",
        "change-",
        "layer-",
        "override-",
        "policy-",
    ];
    let mut found = BTreeSet::new();
    let root = format!("{}/src/ladder", env!("CARGO_MANIFEST_DIR"));
    for folder in ["", "/gate", "/canary", "/weigh"].map(|f| format!("{root}{f}")) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "rs") || path.ends_with("fixture.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for literal in text.split('"').skip(1).step_by(2) {
                let key = literal
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
                if key && !literal.ends_with('-') && PREFIXES.iter().any(|p| literal.starts_with(p))
                {
                    found.insert(literal.to_owned());
                }
            }
        }
    }
    found
}

#[test]
fn every_sentence_stands_in_both_languages() {
    let (en, pt) = (catalogue("en"), catalogue("pt-BR"));
    let keys = keys_in_source();
    assert!(keys.len() > 150, "only {} keys found", keys.len());
    let lacking: Vec<_> = keys.iter().filter(|k| !en.contains_key(*k)).collect();
    assert!(lacking.is_empty(), "en lacks {lacking:?}");
    assert_eq!(en.keys().collect::<Vec<_>>(), pt.keys().collect::<Vec<_>>());
    for (key, text) in &en {
        assert_eq!(arguments(text), arguments(&pt[key]), "{key}");
    }
}

#[test]
fn every_word_for_a_state_stands_in_the_catalogue() {
    use super::super::case::{CaseState, DeclarationKind, Outcome};
    use super::super::change::{CanaryEventKind, ChangeState, Purpose};
    use super::super::condition::Condition;
    use super::super::decision::Kind;
    use super::super::evidence::EvidenceState;
    use super::super::run::{Phase, Profiled, RunRole};
    let en = catalogue("en");
    let mut wanted = Vec::new();
    macro_rules! words {
        ($($prefix:literal $type:ty),+ $(,)?) => {
            $(wanted.extend(<$type>::ALL.iter().map(|s| format!("{}-{}", $prefix, s.id())));)+
        };
    }
    words!(
        "case-state" CaseState,
        "outcome" Outcome,
        "change-state" ChangeState,
        "evidence-state" EvidenceState,
        "phase" Phase,
        "role-run" RunRole,
        "profiled" Profiled,
        "condition" Condition,
        "gate-line" Condition,
        "declaration" DeclarationKind,
        "purpose" Purpose,
        "canary-event" CanaryEventKind,
        "decision" Kind,
    );
    for id in [
        "revision",
        "one_knob",
        "bundle",
        "comparison_warm",
        "comparison_cold",
        "comparison_canary",
        "canary_verdict",
        "unprofiled",
        "way_back",
        "approvals",
        "integrity",
        "plan",
        "one_at_a_time",
        "start_window",
        "watcher",
        "kind",
        "freeze",
        "no_trigger",
        "open_matters",
        "case_open",
        "change",
        "nothing_live",
        "outcome",
    ] {
        wanted.push(format!("gate-line-{id}"));
    }
    for act in ["submit", "approve", "start_canary", "accept", "close"] {
        wanted.push(format!("gate-{act}-ready"));
        wanted.push(format!("gate-{act}-ready-but"));
        wanted.push(format!("gate-{act}-open"));
    }
    for key in wanted {
        let key = key.replace('_', "-");
        assert!(en.contains_key(&key), "{key}");
    }
}

#[test]
fn sentences_carry_the_arguments_their_message_names() {
    let en = catalogue("en");
    let mut seen = BTreeSet::new();
    for sentence in all_sentences() {
        let text = en
            .get(&sentence.key)
            .unwrap_or_else(|| panic!("{} has no message", sentence.key));
        let mut given: BTreeSet<String> = sentence.args.iter().map(|(n, _)| n.clone()).collect();
        // The page makes it of these two.
        if given.contains("signal") && given.contains("statistic") {
            given.insert("measure".to_owned());
        }
        for wanted in arguments(text) {
            assert!(given.contains(&wanted), "{}: ${wanted}", sentence.key);
        }
        seen.insert(sentence.key);
    }
    assert!(seen.len() > 15, "{seen:?}");
}

/// Sentences of a few broken cases, as a sample of what is said.
fn all_sentences() -> Vec<super::super::Sentence> {
    use super::super::fixture::*;
    use super::super::gate::Target;
    let mut cases = vec![ready(), ready(), ready(), ready(), ready()];
    cases[1].records.clear();
    cases[2].evidence.clear();
    with_terms(&mut cases[3], |t| {
        t.thresholds[0].value = Some(0.9);
        t.thresholds[1].window_seconds = None;
        t.plan.watcher.clear();
    });
    run_mut(&mut cases[4], R1).stated.window = None;
    set_signals(&mut cases[4], 4, engine(2.0, 0.5));
    let mut found = Vec::new();
    for case in &cases {
        for target in [Target::Submit, Target::StartCanary, Target::Accept] {
            let gate = gate(case, target);
            found.push(gate.headline());
            for line in gate.lines {
                found.extend(line.sentences);
                found.extend(line.inputs.into_iter().filter_map(|i| i.text));
            }
        }
    }
    found
}
