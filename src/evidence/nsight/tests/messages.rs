//! Refusals by name, and the catalogues: whatever this folder says can be said in both languages.

use super::{code, read_bytes};
use std::{collections::BTreeSet, fs, path::Path};

#[test]
fn text_of_the_same_family_is_refused_by_name() {
    for (bytes, expected) in [
        (
            &b"NVIDIA Tegra Profiler Report 1.4\n"[..],
            "nsight-binary-report",
        ),
        (b"NVR\0\x02", "ncu-binary-report"),
        (
            b"noise\n==PROF== Connected to process 1\n",
            "ncu-text-not-read",
        ),
        (
            b"==PROF== x\n\"ID\",\"Process ID\",\"Process Name\"\n",
            "ncu-csv-not-read",
        ),
        (
            b"Time (%),Total Time (ms),Instances\n",
            "nsys-stats-not-read",
        ),
        (b"{\"data\":[\"[Unknown]\",\"x\"]}\n", "nsys-json-not-read"),
        (b"Processing [1, 2]\n", "unknown-format"),
    ] {
        assert_eq!(code(read_bytes(bytes)), expected);
    }
    let refusal = read_bytes(b"NVIDIA Tegra Profiler Report 2025.6.1.190\n").expect_err("refused");
    assert_eq!(refusal.args["version"], "2025.6.1.190");
    let command = refusal.command.expect("a command");
    assert!(command.starts_with("nsys export --type sqlite -o report.sqlite "));
}

/// What comes before a code in the sources, and the kind of message the code names.
const CALLS: [(&str, &str); 15] = [
    ("Refusal::new(&source.name, \"", "refusal"),
    ("Refusal::new(&self.file, \"", "refusal"),
    ("Refusal::new(file, \"", "refusal"),
    ("Note::new(Info, \"", "note"),
    ("Note::new(Warning, \"", "note"),
    ("Note::new(NotCaptured, \"", "note"),
    ("=> \"nsight-profiler-", "note-nsight-profiler"),
    ("Column::text( \"", "column"),
    ("Column::text(\"", "column"),
    ("Column::number(\"", "column"),
    ("figure(\"", "figure"),
    ("cold( \"", "hint"),
    (", \"overhead-", "hint-overhead"),
    ("HintAbout::Profiled, \"yes\", \"", "hint"),
    // Pairs of a note's code and a count.
    ("[ (\"nsight-", "note-nsight"),
];

/// Keys of all messages the sources of this folder can say.
fn said(sources: &Path) -> BTreeSet<String> {
    let mut keys: BTreeSet<String> = (1..=8).map(|i| format!("column-busy-share-{i}")).collect();
    for entry in fs::read_dir(sources).expect("the sources") {
        let path = entry.expect("a source").path();
        if path.is_dir() || path.ends_with("tests.rs") {
            continue;
        }
        // Without line breaks, so that wrapped calls are seen too.
        let source = fs::read_to_string(&path).expect("text");
        let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
        let source = source.replace("), (\"nsight-", "), [ (\"nsight-");
        for (call, prefix) in CALLS {
            for piece in source.split(call).skip(1) {
                let code = piece.split('"').next().unwrap_or_default();
                let key = format!("{prefix}-{}", code.replace('_', "-"));
                if prefix == "refusal" {
                    keys.insert(format!("{key}-remedy"));
                }
                keys.insert(key);
            }
        }
    }
    keys
}

#[test]
fn both_languages_have_every_message_and_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let wanted = said(&root.join("nsight"));
    assert!(wanted.len() > 80, "{wanted:?}");
    for language in ["en", "pt-BR"] {
        let path = root.join(format!("../../locales/{language}/evidence-nsight.ftl"));
        let text = fs::read_to_string(&path).expect("the catalogue");
        let keys: BTreeSet<String> = text
            .lines()
            .filter(|l| !l.starts_with(' '))
            .filter_map(|l| l.split_once(" ="))
            .map(|(key, _)| key.to_owned())
            .collect();
        assert_eq!(keys, wanted, "{language}");
    }
}
