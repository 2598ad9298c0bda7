//! Saying what the ladder and the readers found: sentences, notes, refusals and signals in the
//! reader's language. Numbers are formatted here and nowhere earlier.

use super::format;
use crate::i18n::{Lang, has, text};
use crate::ladder::{Arg, Sentence};
use pel_evidence::{Hint, Note, Refusal, Signal, Statistic, Unit, catalogue::SignalDef};
use std::collections::BTreeMap;

/// Arguments that are stretches of time a person set, such as a window, and no measurements.
const STRETCHES: [&str; 5] = ["window", "allowed", "took", "most", "least"];

/// A sentence in words. One that names a signal and a statistic may also show both as `measure`.
pub fn sentence(lang: Lang, sentence: &Sentence) -> String {
    let mut args: Vec<(&str, String)> = Vec::with_capacity(sentence.args.len());
    let (keys, plain): (Vec<_>, Vec<_>) = sentence
        .args
        .iter()
        .partition(|(_, value)| matches!(value, Arg::Key(_)));
    let statement = sentence.key.starts_with("gate-statement-contradicted")
        || sentence.key == "statement-accepted";
    args.extend(plain.into_iter().map(|(name, value)| {
        let said = match value {
            Arg::Text(word) if statement && ["stated", "found"].contains(&name.as_str()) => {
                stated(lang, word)
            }
            // Plural forms choose by the plain number; a thousands gap would hide it.
            Arg::Count(n) if name == "count" => n.to_string(),
            Arg::Value(v, Unit::Seconds) if STRETCHES.contains(&name.as_str()) => stretch(lang, *v),
            other => arg(lang, other),
        };
        (name.as_str(), said)
    }));
    if let Some(measure) = measured(lang, sentence) {
        args.push(("measure", measure));
    }
    // A key is a sentence of its own, about the same things.
    for (name, value) in keys {
        let said = match value {
            Arg::Key(key) => text(lang, key, &borrowed(&args)),
            other => arg(lang, other),
        };
        args.push((name.as_str(), said));
    }
    text(lang, &sentence.key, &borrowed(&args))
}

/// Sentences that an act of the program kept in the log, one after the other; `None` when it kept
/// none.
pub fn all(lang: Lang, kept: Option<&serde_json::Value>) -> Option<String> {
    let kept: Vec<Sentence> = serde_json::from_value(kept?.clone()).ok()?;
    let said: Vec<String> = kept.iter().map(|s| sentence(lang, s)).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn borrowed<'a>(args: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
    args.iter().map(|(n, v)| (*n, v.as_str())).collect()
}

/// The signal of a sentence with its statistic, when it has one.
fn measured(lang: Lang, sentence: &Sentence) -> Option<String> {
    let of = |wanted: &str| sentence.args.iter().find(|(name, _)| name == wanted);
    let Arg::Signal(signal) = &of("signal")?.1 else {
        return None;
    };
    match &of("statistic")?.1 {
        Arg::Statistic(statistic) => Some(measure(lang, signal, *statistic)),
        // Not stated, and the sentence is about that.
        _ => Some(signal_name(lang, signal)),
    }
}

/// A signal with its statistic: `p95 TTFT`, `Queue time (mean)`. The names of shares and rates say
/// so already, and a last value needs no word.
pub fn measure(lang: Lang, signal: &str, of: Statistic) -> String {
    let name = signal_name(lang, signal);
    let key = match of {
        Statistic::Ratio | Statistic::Rate | Statistic::Last => return name,
        _ if of.quantile().is_some() => "named-quantile",
        _ => "named-statistic",
    };
    let args = [
        ("signal", name.as_str()),
        ("statistic", &statistic(lang, of)),
    ];
    text(lang, key, &args)
}

/// The same as it stands in a table or before a limit, signal first: `TTFT p99`, `Acceptance rate`.
pub fn listed(lang: Lang, signal: &str, of: Statistic) -> String {
    let name = signal_name(lang, signal);
    match of {
        Statistic::Ratio | Statistic::Rate | Statistic::Last => name,
        _ => format!("{name} {}", statistic(lang, of)),
    }
}

/// A stretch of time: whole minutes as people say them, `10 min`; else in seconds.
fn stretch(lang: Lang, seconds: f64) -> String {
    // Days say no hours, so they are left to the number.
    if seconds >= 60.0 && seconds % 60.0 == 0.0 && seconds < 172_800.0 {
        format::duration(lang, seconds as i64)
    } else {
        format::value(lang, seconds, Unit::Seconds).to_string()
    }
}

/// What a person or a file states about a run: a phase, a role or the use of a profiler in words;
/// anything else is a name, and stays.
fn stated(lang: Lang, word: &str) -> String {
    let kind = match word {
        "cold" | "warm" | "canary" => "phase",
        "baseline" | "candidate" => "role-run",
        "yes" | "no" => "profiled",
        _ => return word.to_owned(),
    };
    text(lang, &key(kind, word), &[])
}

/// One argument of a sentence in words.
pub fn arg(lang: Lang, value: &Arg) -> String {
    match value {
        Arg::Text(t) => t.clone(),
        Arg::Count(n) => format::count(lang, i64::try_from(*n).unwrap_or(i64::MAX)),
        Arg::Value(v, unit) => format::value(lang, *v, *unit).to_string(),
        Arg::Statistic(s) => statistic(lang, *s),
        Arg::Signal(name) => signal_name(lang, name),
        Arg::Time(at) => format::date_time(lang, *at),
        Arg::Key(key) => text(lang, key, &[]),
        Arg::List(items) => items
            .iter()
            .map(|i| arg(lang, i))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// The label of a catalogued signal; the name itself when there is none.
pub fn signal_name(lang: Lang, name: &str) -> String {
    let key = format!("signal-{}", name.replace('_', "-"));
    if has(lang, &key) {
        text(lang, &key, &[])
    } else {
        name.to_owned()
    }
}

/// The word for a statistic.
pub fn statistic(lang: Lang, statistic: Statistic) -> String {
    let id = statistic.to_string();
    let key = format!("statistic-{}", id.replace('.', "-"));
    match (has(lang, &key), statistic.quantile()) {
        (true, _) => text(lang, &key, &[]),
        (false, Some(_)) => text(lang, "statistic-quantile", &[("quantile", &id)]),
        _ => id,
    }
}

/// A signal's value as shown: with its unit, and `>` before a lower bound.
pub fn value(lang: Lang, signal: &Signal) -> String {
    let shown = format::value(lang, signal.value, signal.unit);
    match signal.bound {
        pel_evidence::Bound::AtLeast => format!(">{}{shown}", format::THIN),
        _ => shown.to_string(),
    }
}

/// What a catalogued signal means, in one sentence.
pub fn signal_meaning(lang: Lang, signal: &SignalDef) -> String {
    let key = format!("{}-what", key("signal", signal.name));
    if has(lang, &key) {
        text(lang, &key, &[])
    } else {
        signal.definition.to_owned()
    }
}

/// What a value is for: `device 0`, `load 8`; empty when it is for the whole run. Names that no
/// catalogue knows, and values that are names themselves, stay as the file has them.
pub fn labels(lang: Lang, labels: &BTreeMap<String, String>) -> String {
    labels
        .iter()
        .map(|(name, value)| {
            let of_name = key("label", name);
            let of_value = key(name, value);
            let said = match name.as_str() {
                "cause" if has(lang, &of_value) => text(lang, &of_value, &[]),
                _ => value.clone(),
            };
            match has(lang, &of_name) {
                true => format!("{} {said}", text(lang, &of_name, &[])),
                false => format!("{name} {said}"),
            }
        })
        .collect::<Vec<_>>()
        .join(", ")
}

/// A note of a parser in words.
pub fn note(lang: Lang, note: &Note) -> String {
    coded(lang, "note", &note.code, &note.args)
}

/// A hint of a parser in words.
pub fn hint(lang: Lang, hint: &Hint) -> String {
    coded(lang, "hint", &hint.code, &hint.args)
}

/// Why a file was refused, and what to do instead.
pub fn refusal(lang: Lang, refusal: &Refusal) -> (String, String) {
    let why = coded(lang, "refusal", &refusal.code, &refusal.args);
    let remedy = format!("{}-remedy", refusal.code);
    (why, coded(lang, "refusal", &remedy, &refusal.args))
}

/// A message of the form `kind-code` with string arguments.
pub fn coded(lang: Lang, kind: &str, code: &str, args: &BTreeMap<String, String>) -> String {
    let args: Vec<(&str, &str)> = args.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    text(lang, &format!("{kind}-{code}"), &args)
}

/// The key of a word for an id: `case-state` and `rolling_out` give `case-state-rolling-out`.
pub fn key(prefix: &str, id: &str) -> String {
    format!("{prefix}-{}", id.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_reads_as_one_with_its_statistic() {
        for (signal, of, said) in [
            ("ttft", Statistic::P95, "p95 TTFT"),
            ("queue_time", Statistic::Mean, "Queue time (mean)"),
            ("acceptance_rate", Statistic::Ratio, "Acceptance rate"),
            ("waiting_requests", Statistic::Last, "Waiting requests"),
        ] {
            assert_eq!(measure(Lang::En, signal, of), said);
        }
    }

    #[test]
    fn sentences_gap_numbers_and_say_minutes() {
        let said = sentence(
            Lang::En,
            &Sentence::new("threshold-held")
                .with("signal", Arg::Signal("acceptance_rate".to_owned()))
                .with("statistic", Arg::Statistic(Statistic::Ratio))
                .with("window", Arg::Value(600.0, Unit::Seconds))
                .with("samples", Arg::Count(1000)),
        )
        .replace(format::THIN, "_");
        assert!(
            said.starts_with("Roll back unless Acceptance rate "),
            "{said}"
        );
        assert!(
            said.contains("over 10_min with at least 1_000 samples"),
            "{said}"
        );
    }

    #[test]
    fn what_is_stated_is_in_the_readers_language() {
        let said = |stated: &str| {
            let sentence = Sentence::new("gate-statement-contradicted")
                .text("stated", stated)
                .text("found", "cold");
            super::sentence(Lang::PtBr, &sentence)
        };
        let phase = |id: &str| text(Lang::PtBr, &key("phase", id), &[]);
        let warm = said("warm");
        assert!(
            warm.contains(&phase("warm")) && warm.contains(&phase("cold")),
            "{warm}"
        );
        assert!(said("nccl 2.21").contains("nccl 2.21"));
    }
}
