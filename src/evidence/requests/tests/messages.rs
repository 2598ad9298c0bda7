//! Whatever these readers say can be said in both languages, and nothing else is in the catalogue.

use std::{collections::BTreeSet, fs, path::Path};

/// Texts in quotation marks of all sources of a folder, tests left out.
fn quoted(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("a source").path();
        if path.ends_with("tests") {
            continue;
        }
        if path.is_dir() {
            quoted(&path, into);
            continue;
        }
        let source = fs::read_to_string(&path).expect("text");
        let source = source
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        into.extend(source.split('"').skip(1).step_by(2).map(str::to_owned));
    }
}

fn keys(language: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join(format!("../../locales/{language}/evidence-requests.ftl"));
    let text = fs::read_to_string(path).expect("the catalogue");
    text.lines()
        .filter(|l| !l.starts_with([' ', '#']))
        .filter_map(|l| l.split_once(" ="))
        .map(|(key, _)| key.to_owned())
        .collect()
}

#[test]
fn both_languages_say_the_same_and_only_what_is_said() {
    let (en, pt) = (keys("en"), keys("pt-BR"));
    assert_eq!(en, pt);
    let mut said = BTreeSet::new();
    quoted(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("requests"),
        &mut said,
    );
    for key in &en {
        let code = ["note-", "refusal-", "figure-", "column-"]
            .iter()
            .find_map(|p| key.strip_prefix(p))
            .expect("a kind of message");
        let code = code.strip_suffix("-remedy").unwrap_or(code);
        let made = ["request-ttft-p", "request-e2e-p"]
            .iter()
            .any(|p| code.starts_with(p));
        let is_said = said.contains(code) || said.contains(&code.replace('-', "_"));
        assert!(made || is_said, "{key} is never said");
        if key.starts_with("refusal-") && !key.ends_with("-remedy") {
            assert!(
                en.contains(&format!("{key}-remedy")),
                "{key} has no way out"
            );
        }
    }
    // And the other way round: codes begin with the name of their family.
    for code in &said {
        let family = ["requests-", "otlp-", "aiperf-"]
            .iter()
            .any(|f| code.starts_with(f));
        if family && !code.contains(' ') {
            let known = ["note-", "refusal-"]
                .iter()
                .any(|p| en.contains(&format!("{p}{code}")));
            assert!(known, "{code} has no message");
        }
        if code.starts_with("request-") {
            assert!(
                en.contains(&format!("figure-{code}")),
                "{code} has no title"
            );
        }
    }
}
