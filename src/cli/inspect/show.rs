//! A reading or a refusal as text for a terminal: one line per signal, sentences for notes.
//!
//! Numbers stay those of the reading, rounded and with a prefix a person reads at a glance; who
//! needs every digit asks for JSON.

use crate::i18n::{self, Lang};
use pel_evidence::{Bound, Note, NoteLevel, Reading, Refusal, Scope, Signal, Unit, reading::tame};
use std::{collections::BTreeMap, fmt::Write as _};

/// The whole reading.
pub(super) fn reading(lang: Lang, reading: &Reading) -> String {
    let mut out = String::new();
    let t = |key: &str| i18n::text(lang, key, &[]);
    let tool = [Some(&reading.tool.name), reading.tool.version.as_ref()];
    let tool: Vec<&str> = tool.into_iter().flatten().map(String::as_str).collect();
    line(&mut out, &t("inspect-kind"), reading.kind.id());
    line(&mut out, &t("inspect-tool"), &tool.join(" "));
    for file in &reading.files {
        let text = format!(
            "{} ({})",
            tame(&file.name),
            value(Unit::Bytes, file.bytes as f64)
        );
        line(&mut out, &t("inspect-file"), &text);
    }
    if let Some(seconds) = reading.window.as_ref().and_then(|w| w.seconds) {
        line(
            &mut out,
            &t("inspect-window"),
            &value(Unit::Seconds, seconds),
        );
    }
    for (key, fact) in &reading.environment {
        line(&mut out, key, &tame(fact));
    }
    if !reading.signals.is_empty() {
        out.push('\n');
        let signals: Vec<(usize, &Signal)> = reading.signals.iter().map(|s| (0, s)).collect();
        table(&mut out, lang, &signals);
    }
    if !reading.figures.is_empty() {
        let figures: Vec<String> = reading
            .figures
            .iter()
            .map(|f| format!("{} ({})", f.id, f.rows.len()))
            .collect();
        let _ = writeln!(out, "\n{}: {}", t("inspect-figures"), figures.join(", "));
    }
    if !reading.notes.is_empty() {
        let _ = writeln!(out, "\n{}", t("inspect-notes"));
        for note in &reading.notes {
            let _ = writeln!(out, "  {}", self::note(lang, note));
        }
    }
    out
}

/// Which file was refused, why, where, and what to do.
pub(super) fn refusal(lang: Lang, refusal: &Refusal) -> String {
    let mut out = String::new();
    if !refusal.file.is_empty() {
        let _ = write!(out, "{}: ", tame(&refusal.file));
    }
    out.push_str(&reason(lang, refusal));
    if let Some(place) = &refusal.place {
        let _ = write!(out, " ({})", tame(place));
    }
    out.push('\n');
    if let Some(advice) = advice(lang, refusal) {
        let _ = writeln!(out, "{advice}");
    }
    if let Some(command) = &refusal.command {
        let _ = writeln!(out, "  {command}");
    }
    out
}

/// Why the files were refused, in a sentence.
pub(super) fn reason(lang: Lang, refusal: &Refusal) -> String {
    let key = format!("refusal-{}", refusal.code);
    let args = refusal_args(refusal);
    sentence(lang, &key, &refusal.code, &refusal.args, &args)
}

/// What to do instead, where the catalogue knows it.
pub(super) fn advice(lang: Lang, refusal: &Refusal) -> Option<String> {
    let key = format!("refusal-{}-remedy", refusal.code);
    i18n::has(lang, &key).then(|| message(lang, &key, &refusal_args(refusal)))
}

fn refusal_args(refusal: &Refusal) -> BTreeMap<String, String> {
    let mut args = refusal.args.clone();
    args.insert("file".to_owned(), tame(&refusal.file));
    if let Some(place) = &refusal.place {
        args.insert("place".to_owned(), tame(place));
    }
    args
}

fn line(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "{}  {text}", pad(name, 18));
}

/// A note: how grave it is, and its sentence.
pub(super) fn note(lang: Lang, note: &Note) -> String {
    let key = format!("note-{}", note.code);
    let words = sentence(lang, &key, &note.code, &note.args, &note.args);
    format!("{} {words}", mark(note.level))
}

/// The message, or what is known when the catalogue has none: the code with its arguments.
fn sentence(
    lang: Lang,
    key: &str,
    code: &str,
    own: &BTreeMap<String, String>,
    args: &BTreeMap<String, String>,
) -> String {
    if i18n::has(lang, key) {
        return message(lang, key, args);
    }
    let own: Vec<String> = own.iter().map(|(k, v)| format!("{k}={v}")).collect();
    match own.is_empty() {
        true => code.to_owned(),
        false => format!("{code} ({})", own.join(", ")),
    }
}

fn message(lang: Lang, key: &str, args: &BTreeMap<String, String>) -> String {
    let args: Vec<(&str, &str)> = args.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    i18n::text(lang, key, &args)
}

fn mark(level: NoteLevel) -> char {
    match level {
        NoteLevel::Info => '·',
        NoteLevel::Warning => '!',
        NoteLevel::NotCaptured => '?',
        NoteLevel::Invalid => '✗',
    }
}

/// The signals, each with the number of its source; 0 where there is but one.
pub(super) fn table(out: &mut String, lang: Lang, signals: &[(usize, &Signal)]) {
    let head = ["signal", "statistic", "value", "samples", "for"]
        .map(|column| i18n::text(lang, &format!("inspect-{column}"), &[]));
    let mut rows = vec![head];
    rows.extend(
        signals
            .iter()
            .map(|(source, signal)| row(lang, *source, signal)),
    );
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for [name, statistic, value, samples, labels] in &rows {
        let text = format!(
            "{}  {}  {}  {}  {labels}",
            pad(name, widths[0]),
            pad(statistic, widths[1]),
            pad_left(value, widths[2]),
            pad_left(samples, widths[3]),
        );
        let _ = writeln!(out, "{}", text.trim_end());
    }
}

fn row(lang: Lang, source: usize, signal: &Signal) -> [String; 5] {
    let before = match signal.bound {
        Bound::AtLeast => "≥ ",
        Bound::Estimate | Bound::Bucket { .. } => "≈ ",
        Bound::Exact => "",
    };
    let mut labels: Vec<String> = match signal.scope {
        Scope::Window => vec![],
        Scope::SinceStart => vec![i18n::text(lang, "inspect-since-start", &[])],
        Scope::Instant => vec![i18n::text(lang, "inspect-instant", &[])],
    };
    if source > 0 {
        labels.insert(0, format!("[{source}]"));
    }
    labels.extend(signal.labels.iter().map(|(k, v)| format!("{k}={v}")));
    [
        signal.name.clone(),
        signal.statistic.to_string(),
        format!("{before}{}", value(signal.unit, signal.value)),
        signal.samples.map(|n| group(n as f64)).unwrap_or_default(),
        labels.join(" "),
    ]
}

/// A value with the prefix of its unit that a person reads best.
fn value(unit: Unit, value: f64) -> String {
    const TIMES: &[(f64, &str)] = &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
    const SIZES: &[(f64, &str)] = &[
        (1_099_511_627_776.0, "TiB"),
        (1_073_741_824.0, "GiB"),
        (1_048_576.0, "MiB"),
        (1024.0, "KiB"),
        (1.0, "B"),
    ];
    match unit {
        Unit::Seconds => scaled(value, TIMES, "s", ""),
        Unit::Bytes => scaled(value, SIZES, "B", ""),
        Unit::BytesPerSecond => scaled(value, SIZES, "B", "/s"),
        Unit::Ratio => format!("{} %", digits(value * 100.0)),
        Unit::Count => digits(value),
        Unit::Tokens => format!("{} tokens", digits(value)),
        Unit::PerSecond => format!("{} /s", digits(value)),
        Unit::TokensPerSecond => format!("{} tokens/s", digits(value)),
        Unit::Watts => format!("{} W", digits(value)),
    }
}

fn scaled(value: f64, steps: &[(f64, &str)], base: &str, after: &str) -> String {
    let step = steps.iter().find(|(factor, _)| value.abs() >= *factor);
    let (factor, name) = step.copied().unwrap_or((1.0, base));
    format!("{} {name}{after}", digits(value / factor))
}

/// Four significant digits; large numbers keep all their whole digits, in groups of three.
fn digits(value: f64) -> String {
    let size = value.abs();
    if size >= 1000.0 || value.fract() == 0.0 {
        return group(value.round());
    }
    if size < 1e-3 {
        return format!("{value:.3e}");
    }
    let decimals = (3 - size.log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn group(whole: f64) -> String {
    let text = format!("{:.0}", whole.abs());
    let mut out = String::from(if whole < 0.0 { "-" } else { "" });
    for (i, digit) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

fn pad(text: &str, width: usize) -> String {
    format!(
        "{text}{}",
        " ".repeat(width.saturating_sub(text.chars().count()))
    )
}

fn pad_left(text: &str, width: usize) -> String {
    format!(
        "{}{text}",
        " ".repeat(width.saturating_sub(text.chars().count()))
    )
}

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
