//! Which files are perf_analyzer sweeps, and which are of its family but not read here.

use super::columns::{Mode, THROUGHPUT};
use crate::{Kind, Refusal, Source, detect::Head};

/// The command that writes a file this reader takes.
const COMMAND: &str = "perf_analyzer -m MODEL --concurrency-range 1:16 -f sweep.csv --verbose-csv";

/// Recognises sweeps by their header row. Other files of the family are refused by name where
/// their beginning leaves no doubt; `None` for anything else.
pub fn recognise(source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let text = String::from_utf8_lossy(&head.text);
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())?
        .trim_start_matches('\u{feff}');
    let plain = first.replace('"', "");
    let mut cells = plain.split(',').map(str::trim);
    let is_load = |cell: Option<&str>| cell.is_some_and(|c| Mode::from_heading(c).is_some());
    if is_load(cells.next()) && cells.next() == Some(THROUGHPUT) {
        return Some(Ok(Kind::PerfAnalyzerCsv));
    }
    let mut cells = plain.split([';', '\t']).map(str::trim);
    if is_load(cells.next()) && cells.next() == Some(THROUGHPUT) {
        return Some(Err(Refusal::new(&source.name, "perf-csv-delimiter")));
    }
    let code = family(first, &text)?;
    let refusal = Refusal::new(&source.name, code);
    Some(Err(match code {
        "perf-console-log" | "perf-profile-export" => refusal.command(COMMAND),
        _ => refusal,
    }))
}

/// The refusal code of a file of the family that is not a sweep CSV.
fn family(first: &str, text: &str) -> Option<&'static str> {
    let has = |part: &str| text.contains(part);
    if first.starts_with('{') {
        return json_family(text);
    }
    if first.starts_with("Model,") && (has("Satisfies Constraints") || has("GPU UUID")) {
        return Some("model-analyzer-csv");
    }
    let console = has("*** Measurement Settings ***")
        || has("Inferences/Second vs. Client")
        || text.lines().any(is_summary_line);
    console.then_some("perf-console-log")
}

/// `Concurrency: 4, throughput: 69.2 infer/sec, latency 14443 usec`, with or without the word.
fn is_summary_line(line: &str) -> bool {
    let line = line.trim().trim_start_matches("# ");
    (line.starts_with("Concurrency: ") || line.starts_with("Request Rate: "))
        && line.contains(" infer/sec, latency ")
}

fn json_family(text: &str) -> Option<&'static str> {
    let start: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(400)
        .collect();
    if start.starts_with("{\"experiments\":[") {
        Some("perf-profile-export")
    } else if start.starts_with("{\"ResultManager.") {
        Some("model-analyzer-checkpoint")
    } else {
        None
    }
}
