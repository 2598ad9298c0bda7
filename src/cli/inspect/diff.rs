//! `pel inspect --diff A B`: what two configurations of an engine differ in, and whether that is one
//! knob. A side that takes several files (a start command and the YAML it names) stands before
//! `--diff`: `pel inspect start.sh extra.yaml --diff other.sh`.

use super::{FAILED, REFUSED, guarded, print, print_json, sources, unreadable};
use crate::i18n::{self, Lang};
use pel_evidence::{
    Kind, Refusal, Source, detect,
    engine_config::{self, Change, Config, Diff, Engine, Side},
    reading::tame,
};
use serde::Serialize;
use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

/// Version of the JSON layout.
const SCHEMA: &str = "pel.diff/1";

/// One side as it was read.
#[derive(Debug, Serialize)]
struct Read {
    files: Vec<String>,
    engine: Option<&'static str>,
    version: Option<String>,
}

/// The whole answer.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    schema: &'static str,
    first: Read,
    second: Read,
    #[serde(flatten)]
    diff: &'a Diff,
}

/// The two sides that the arguments name: files before `--diff` against those after it, or the two
/// after it. `None` when there are not two sides.
fn sides(files: &[PathBuf], diff: &[PathBuf]) -> Option<[Vec<PathBuf>; 2]> {
    match (files, diff) {
        ([], [a, b]) => Some([vec![a.clone()], vec![b.clone()]]),
        ([], _) | (_, []) => None,
        (first, second) => Some([first.to_vec(), second.to_vec()]),
    }
}

/// Runs the command.
pub(super) fn run(files: &[PathBuf], diff: &[PathBuf], json: bool) -> ExitCode {
    let Some(sides) = sides(files, diff) else {
        return fail(&i18n::text(Lang::En, "inspect-diff-two-sides", &[]));
    };
    if let Some(problem) = sides.iter().flatten().find_map(|path| unreadable(path)) {
        return fail(&problem);
    }
    let [first, second] = sides.map(|paths| sources(&paths, &[]));
    let found = guarded(|| Ok::<_, Refusal>((config(&first)?, config(&second)?)));
    let (a, b) = match found {
        Ok(Ok(both)) => both,
        Ok(Err(refusal)) => return refuse(&refusal, json),
        Err(panic) => return fail(&panic),
    };
    let diff = engine_config::compare(&a, &b);
    let answer = Answer {
        schema: SCHEMA,
        first: read(&a, &first),
        second: read(&b, &second),
        diff: &diff,
    };
    let said = if json {
        print_json(&answer)
    } else {
        print(&text(Lang::En, &answer))
    };
    match said {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(&format!("the result could not be written: {error}"))
        }
        _ => ExitCode::SUCCESS,
    }
}

/// One side's configuration; files of another kind are refused.
fn config(sources: &[Source]) -> Result<Config, Refusal> {
    let kind = detect::kind_of(sources)?;
    if kind != Kind::EngineConfig {
        let name = sources.first().map_or("", |s| s.name.as_str());
        return Err(Refusal::new(name, "diff-not-configuration").arg("kind", kind.id()));
    }
    engine_config::config(sources)
}

fn read(config: &Config, sources: &[Source]) -> Read {
    Read {
        files: sources.iter().map(|s| s.name.clone()).collect(),
        engine: config.engine.map(Engine::id),
        version: config.version.as_deref().map(tame),
    }
}

fn refuse(refusal: &Refusal, json: bool) -> ExitCode {
    match super::say_refusal(refusal, json) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(&format!("the result could not be written: {error}"))
        }
        _ => ExitCode::from(REFUSED),
    }
}

fn fail(message: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "pel inspect: {message}");
    ExitCode::from(FAILED)
}

/// The answer for a terminal: the sides, the verdict in a sentence, and a line per setting.
fn text(lang: Lang, answer: &Answer<'_>) -> String {
    let t = |key: &str, args: &[(&str, &str)]| i18n::text(lang, key, args);
    let mut out = String::new();
    for (key, side) in [
        ("inspect-diff-first", &answer.first),
        ("inspect-diff-second", &answer.second),
    ] {
        let engine = [side.engine, side.version.as_deref()];
        let engine: Vec<&str> = engine.into_iter().flatten().collect();
        let line = format!("{} ({})", side.files.join(", "), engine.join(" "));
        let _ = writeln!(out, "{}", t(key, &[("what", &line)]));
    }
    let verdict = answer.diff.verdict.id().replace('_', "-");
    let count = answer.diff.changed.len().to_string();
    let _ = writeln!(
        out,
        "\n{}",
        t(
            &format!("inspect-diff-{verdict}"),
            &[("count", count.as_str())]
        )
    );
    if let Some((code, about)) = &answer.diff.reason {
        let key = format!("inspect-diff-why-{code}");
        let _ = writeln!(out, "{}", t(&key, &[("about", &tame(about))]));
    }
    for (key, changes) in [
        ("inspect-diff-changed", &answer.diff.changed),
        ("inspect-diff-cosmetic", &answer.diff.cosmetic),
    ] {
        if changes.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{}", t(key, &[]));
        for change in changes {
            let _ = writeln!(out, "  {}", line(lang, change));
        }
    }
    out
}

fn line(lang: Lang, change: &Change) -> String {
    let side = |side: &Side| match (&side.value, side.set) {
        (Some(value), true) => engine_config::fact_value(value),
        (Some(value), false) => {
            let value = engine_config::fact_value(value);
            i18n::text(lang, "inspect-diff-default", &[("value", &value)])
        }
        (None, _) => i18n::text(lang, "inspect-diff-not-set", &[]),
    };
    format!(
        "{}: {} → {}",
        tame(&change.key),
        side(&change.from),
        side(&change.to)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_config::Verdict;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn two_files_or_two_groups_are_two_sides() {
        let two = sides(&[], &paths(&["a", "b"]));
        assert_eq!(two, Some([paths(&["a"]), paths(&["b"])]));
        let groups = sides(&paths(&["a", "x"]), &paths(&["b"]));
        assert_eq!(groups, Some([paths(&["a", "x"]), paths(&["b"])]));
        assert_eq!(sides(&[], &paths(&["a"])), None);
        assert_eq!(sides(&[], &paths(&["a", "b", "c"])), None);
    }

    #[test]
    fn every_verdict_and_reason_has_its_sentence() {
        let verdicts = [
            Verdict::NoChange,
            Verdict::OneKnob,
            Verdict::OneGroupCompound,
            Verdict::SeveralKnobs,
            Verdict::NotComparable,
        ];
        for verdict in verdicts {
            let key = format!("inspect-diff-{}", verdict.id().replace('_', "-"));
            assert!(i18n::has(Lang::En, &key), "{key}");
        }
        for code in [
            "engines",
            "precedence",
            "missing",
            "open",
            "variable",
            "partial",
        ] {
            let key = format!("inspect-diff-why-{code}");
            assert!(i18n::has(Lang::En, &key), "{key}");
        }
        assert!(i18n::has(Lang::En, "refusal-diff-not-configuration-remedy"));
    }
}
