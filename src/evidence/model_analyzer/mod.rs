//! Model Analyzer of Triton (stages 1, 2 and 4): its result tables (`metrics-model-inference.csv`,
//! `metrics-model-gpu.csv`, `metrics-server-only.csv`) and its checkpoints.
//!
//! It runs perf_analyzer over many configurations, so one file holds many sweeps: each
//! configuration becomes one of [`crate::sweep`]. Milliseconds, megabytes and percentages leave in
//! base units.

mod checkpoint;
mod measured;
mod recognition;
mod report;
mod table;
#[cfg(test)]
mod tests;

pub use recognition::recognise;

use crate::{FileRead, Kind, Options, Reading, Refusal, Source, input};

/// Version of this parser.
pub const PARSER: &str = "1.0";

/// Signals beside those of [`crate::sweep::YIELDS`].
pub const YIELDS: &[&str] = &["ttft", "itl", "generation_token_throughput"];

/// Most measurements of one reading.
const MOST_MEASUREMENTS: usize = 20_000;
/// Longest checkpoint that is read, in bytes, unpacked.
const MOST_CHECKPOINT: u64 = 512 << 20;

/// Reads result tables of one run of the tool.
///
/// # Errors
/// A refusal when a table is damaged (with its line and column), has no measurement, or is beyond
/// the limits.
pub fn read_tables(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let mut tables = table::Tables::default();
    let mut files = Vec::new();
    for source in sources {
        let opened = input::open(source)?;
        files.push(FileRead {
            name: source.name.clone(),
            bytes: opened.bytes,
        });
        tables.take(&source.name, opened.input, opened.packed)?;
    }
    let name = sources.first().map_or("", |s| s.name.as_str());
    if tables.is_empty() {
        return Err(Refusal::new(name, "ma-no-measurement"));
    }
    let mut reading = report::reading(Kind::ModelAnalyzerCsv, &tables.measured, &tables.notes());
    reading.files = files;
    reading.or_empty(name)
}

/// Reads one checkpoint.
///
/// # Errors
/// A refusal when the JSON is damaged (with its line and column), has no measurement, or is beyond
/// the limits.
pub fn read_checkpoint(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let Some(source) = sources.first() else {
        return Err(Refusal::new("", "no-file"));
    };
    let opened = input::open(source)?;
    let found = checkpoint::read(&source.name, opened.input, opened.packed)?;
    if found.measured.all.is_empty() {
        return Err(Refusal::new(&source.name, "ma-no-measurement"));
    }
    let mut reading = report::reading(Kind::ModelAnalyzerCheckpoint, &found.measured, &found.notes);
    reading.files.push(FileRead {
        name: source.name.clone(),
        bytes: opened.bytes,
    });
    reading.or_empty(&source.name)
}

/// What cannot be read: damage of a packed stream, or the machine.
fn unreadable(file: &str, error: &std::io::Error, packed: bool) -> Refusal {
    let refusal = Refusal::io(file, error);
    if packed {
        return Refusal {
            code: "perf-gzip-damaged".to_owned(),
            ..refusal
        };
    }
    refusal
}
