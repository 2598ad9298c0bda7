//! Every message that a template or a handler names exists, in both languages.

use pel::{
    i18n::{Lang, has, text},
    ladder::policy::Role,
    web::say,
};
use pel_evidence::catalogue;
use std::{collections::BTreeMap, fs, path::Path};

/// String literals that directly follow one of `marks` in the files below `folder`.
fn named(folder: &str, marks: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for mark in marks {
                for rest in text.split(mark).skip(1) {
                    let key = rest.split('"').next().unwrap();
                    if !key.contains(['{', '(']) {
                        found.push((path.display().to_string(), key.to_owned()));
                    }
                }
            }
        }
    }
    found
}

#[test]
fn every_named_message_exists() {
    let marks = [
        "page.t(\"",
        "page.t1(\"",
        "page.t2(\"",
        "page.text(\"",
        "self.t(\"",
        "text(lang, \"",
    ];
    let mut keys = named("templates", &marks);
    keys.extend(named("src/web", &marks));
    assert!(keys.len() > 100, "{}", keys.len());
    let roles = Role::ALL.map(Role::id);
    let made = roles
        .iter()
        .flat_map(|r| [format!("role-{r}"), format!("role-{r}-may")])
        .chain(["loopback", "private", "public"].map(|n| format!("network-{n}")))
        .chain((1..=12).map(|m| format!("month-{m}")));
    keys.extend(made.map(|key| ("made of parts".to_owned(), key)));
    for (file, key) in keys {
        for lang in Lang::ALL {
            assert!(
                has(lang, &key),
                "{file}: {key} is missing in {}",
                lang.tag()
            );
        }
    }
}

/// What the audit log may hold as the name of an act: literals `word.word` of the sources that
/// write it, which are not names of files.
fn acts() -> Vec<(String, String)> {
    let word = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let files = ["html", "css", "js", "svg", "csv", "sqlite", "prom", "txt"];
    let mut acts = named("src/store", &["\""]);
    acts.extend(named("src/web", &["\""]));
    // What the program does by itself is named where it is judged.
    let mut own = named("src/ladder", &["=> \""]);
    own.retain(|(file, _)| file.ends_with("ladder/upkeep.rs"));
    acts.extend(own);
    // Programs are told which field is wrong by its path; what they do is written by the store.
    acts.retain(|(file, _)| !file.contains("/web/api/"));
    acts.retain(|(_, literal)| {
        literal
            .split_once('.')
            .is_some_and(|(a, b)| word(a) && word(b) && !files.contains(&b))
    });
    acts
}

#[test]
fn every_act_of_the_log_has_words() {
    let acts = acts();
    for written in ["accept.refused", "canary.roll_back", "evidence.download"] {
        assert!(acts.iter().any(|(_, act)| act == written), "{written}");
    }
    // The history of a case shows these; the others belong to no case.
    let outside = [
        "contract",
        "freeze",
        "history",
        "invitation",
        "person",
        "policy",
        "service",
        "session",
        "setup",
        "signin_link",
        "template",
        "token",
    ];
    for (file, act) in acts {
        let tail = act.replace(['.', '_'], "-");
        let mut keys = vec![format!("audit-act-{tail}")];
        if !act
            .split('.')
            .next()
            .is_some_and(|of| outside.contains(&of))
        {
            keys.push(format!("case-act-{tail}"));
        }
        for (key, lang) in keys.iter().flat_map(|k| Lang::ALL.map(|l| (k, l))) {
            assert!(has(lang, key), "{file}: {key} is missing in {}", lang.tag());
        }
    }
}

#[test]
fn every_signal_is_explained_and_in_english_as_the_catalogue_does() {
    for signal in catalogue::ALL.iter() {
        let key = format!("signal-{}-what", signal.name.replace('_', "-"));
        assert_eq!(text(Lang::En, &key, &[]), signal.definition, "{key}");
        assert!(has(Lang::PtBr, &key), "{key} is missing in pt-BR");
    }
}

#[test]
fn labels_of_values_have_words() {
    let mut keys = named("src/evidence/nsight", &[".label(\""]);
    keys.extend(named("src/evidence/perf_analyzer", &[".label(\""]));
    assert!(keys.len() > 5, "{}", keys.len());
    for (file, name) in keys {
        for lang in Lang::ALL {
            let key = format!("label-{name}");
            assert!(
                has(lang, &key),
                "{file}: {key} is missing in {}",
                lang.tag()
            );
        }
    }
    let of = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    let said = say::labels(Lang::PtBr, &of("cause", "host_no_cuda"));
    assert_eq!(said, "causa host sem chamadas CUDA");
    let said = say::labels(Lang::PtBr, &of("nobody_knows", "host_no_cuda"));
    assert_eq!(said, "nobody_knows host_no_cuda");
}
