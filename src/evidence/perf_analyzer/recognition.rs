//! Which files perf_analyzer wrote, and which are of the tools around it and not read here.

use super::columns::THROUGHPUT;
use crate::{Kind, Refusal, Source, detect::Head, sweep::Mode};

/// Recognises sweeps by their header row, exports by their first key, and logs by their lines. Other files of the family are refused by name where
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
    let start: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(2000)
        .collect();
    // The tool writes its list first; a file that went through another program may not.
    let listed = start.starts_with('{') && start.contains("\"experiments\":[");
    if start.starts_with("{\"experiments\":[") || (listed && start.contains("\"experiment\":{")) {
        return Some(Ok(Kind::PerfAnalyzerExport));
    }
    // Structured files may quote a log; they are no log.
    let log = !start.starts_with(['{', '[']) && text.lines().any(super::console::is_sign);
    log.then_some(Ok(Kind::PerfAnalyzerConsole))
}
