//! A CSV as a [`Reading`]: its sweep, and the notes on what the file does not say.

use super::rows::Table;
use crate::{
    Kind, Note, NoteLevel, Reading, Tool,
    sweep::{self, AverageFrom, Field, Part},
};

/// Version of the parsers of this family.
pub const PARSER: &str = "2.0";

/// The tool that wrote every file of the family.
pub(super) fn tool(version: Option<String>) -> Tool {
    Tool {
        name: "perf_analyzer".to_owned(),
        version,
        format: None,
    }
}

/// Everything a sweep says.
pub fn reading(table: &Table) -> Reading {
    let mut reading = Reading::new(Kind::PerfAnalyzerCsv, PARSER, tool(None));
    sweep::add(&mut reading, std::slice::from_ref(&table.sweep));
    file_notes(&mut reading, table);
    reading
}

/// What the file does not say, or says in a way that must be known.
fn file_notes(reading: &mut Reading, table: &Table) {
    let (header, sweep) = (&table.header, &table.sweep);
    let info = |code| Note::new(NoteLevel::Info, code);
    let missing = |code| Note::new(NoteLevel::NotCaptured, code);
    reading.note(missing("perf-context-not-in-file"));
    if sweep.stage {
        reading.note(Note::new(NoteLevel::Warning, "perf-ensemble-stage"));
    } else {
        if sweep.quantiles().is_empty() {
            reading.note(missing("perf-no-percentiles"));
        } else {
            reading.note(missing("perf-no-request-count"));
        }
        match sweep.average_from() {
            AverageFrom::Column | AverageFrom::ClientLibrary => {}
            AverageFrom::ComponentSum => reading.note(info("perf-average-rebuilt")),
            AverageFrom::NotWithCacheColumns => reading.note(missing("perf-no-average-cache")),
            AverageFrom::NotWithoutServerColumns => {
                reading.note(missing("perf-no-average-server"));
            }
        }
    }
    if !sweep.has_time(Part::Queue) {
        reading.note(missing("perf-no-server-columns"));
    }
    reading.note(info("perf-noise-floor"));
    if table.surplus_comma {
        reading.note(info("perf-surplus-comma"));
    }
    if let Some(line) = table.cut_line {
        reading.note(Note::new(NoteLevel::Warning, "perf-cut-row").arg("line", line));
    }
    let unknown: Vec<&str> = header
        .fields
        .iter()
        .zip(&header.headings)
        .filter(|(field, _)| **field == Field::Unknown)
        .map(|(_, heading)| heading.as_str())
        .collect();
    if !unknown.is_empty() {
        reading.note(info("perf-unknown-columns").arg("columns", unknown.join(", ")));
    }
}
