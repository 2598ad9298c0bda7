//! Files of the same family that are not read: each is refused by name, with the way out.

use crate::{Refusal, Source, detect::Head, reading::tame};
use memchr::memmem;

/// Bytes of text that are looked at.
const LOOK: usize = 16 * 1024;

/// The refusal of a binary report or of another tool's text, `None` for anything else.
pub(super) fn refuse(source: &Source, head: &Head) -> Option<Refusal> {
    binary(source, head).or_else(|| text(source, &head.text[..head.text.len().min(LOOK)]))
}

fn binary(source: &Source, head: &Head) -> Option<Refusal> {
    const REPORT: &[u8] = b"NVIDIA Tegra Profiler Report";
    if let Some(rest) = head.raw.strip_prefix(REPORT) {
        let version: String = rest
            .iter()
            .skip_while(|b| **b == b' ')
            .take_while(|b| b.is_ascii_digit() || **b == b'.')
            .take(32)
            .map(|b| char::from(*b))
            .collect();
        // Older reports state the version of their own layout, `1.…`, not the tool's.
        let known = version.starts_with("20");
        return Some(
            Refusal::new(&source.name, "nsight-binary-report")
                .arg("version", if known { version.as_str() } else { "none" })
                .at("byte 0")
                .command(export_command(&source.name)),
        );
    }
    head.raw.starts_with(b"NVR\0").then(|| {
        let name = shell_name(&source.name, "report.ncu-rep");
        Refusal::new(&source.name, "ncu-binary-report")
            .at("byte 0")
            .command(format!(
                "ncu --import {name} --csv --page raw --print-units base > report.csv"
            ))
    })
}

fn text(source: &Source, text: &[u8]) -> Option<Refusal> {
    let has = |needle: &str| memmem::find(text, needle.as_bytes()).is_some();
    let line = |start: &str| text.starts_with(start.as_bytes()) || has(&format!("\n{start}"));
    if line("\"ID\",\"Process ID\",\"Process Name\"") {
        return Some(Refusal::new(&source.name, "ncu-csv-not-read"));
    }
    if line("==PROF== ") || line("==ERROR== ERR_NVGPUCTRPERM") || has("Section: GPU Speed Of Light")
    {
        let refusal = Refusal::new(&source.name, "ncu-text-not-read");
        return Some(match error_line(text) {
            Some(error) => refusal.arg("error", error),
            None => refusal.arg("error", "none"),
        });
    }
    const HEADERS: [&str; 8] = [
        "Time (%),Total Time (",
        "Time (%)\tTotal Time (",
        "Time(%),Total Time",
        "Total (MB),Count,Avg (",
        "PID,TID,DevId,Count,QCount",
        "Duration (ns),Start (ns),Src Kind,Dst Kind",
        "Duration (ns),Start (ns),PID,Device ID",
        "Row#,Duration (ns),Start (ns),PID,Device ID",
    ];
    let json = text.starts_with(b"[") && has("\"Time (%)\":") && has("\"Total Time (");
    let banner = line("Processing [") && has(".sqlite] with [");
    let trace = line("Start (") && has(",CorrId,GrdX,");
    if json || banner || trace || HEADERS.iter().any(|h| line(h)) {
        return Some(Refusal::new(&source.name, "nsys-stats-not-read").command(export_command("")));
    }
    // The string table of a JSON export begins with the profiler's own placeholders.
    text.starts_with(b"{\"data\":[\"[Unknown]\",")
        .then(|| Refusal::new(&source.name, "nsys-json-not-read").command(export_command("")))
}

/// The tool's own error line: it names a permission or a driver, never the user's data.
fn error_line(text: &[u8]) -> Option<String> {
    let at = memmem::find(text, b"==ERROR== ")?;
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n);
    let line = String::from_utf8_lossy(&text[at + 10..end]).into_owned();
    Some(tame(&super::names::redact(&super::names::cut_paths(
        line.trim(),
    ))))
}

fn export_command(name: &str) -> String {
    let name = shell_name(name, "report.nsys-rep");
    format!("nsys export --type sqlite -o report.sqlite {name}")
}

/// The file's name where a shell takes it as it is, else a stand-in.
fn shell_name<'a>(name: &'a str, otherwise: &'a str) -> &'a str {
    let plain = !name.is_empty()
        && !name.starts_with('-')
        && name.len() <= 128
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    if plain { name } else { otherwise }
}
