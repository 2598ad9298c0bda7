//! Files of Triton's perf_analyzer (stages 1, 2, 3 and 4): the `-f` CSV with one row per measured
//! load level, the console output of any release, and the profile export with one record per
//! request.
//!
//! All of them leave in base units, with load points as [`crate::sweep`] takes them. Files of the
//! tools around it (GenAI-Perf, AIPerf) are refused by name.

mod columns;
pub mod console;
pub mod export;
mod recognition;
mod report;
mod rows;
#[cfg(test)]
mod tests;

pub use columns::Header;
pub use recognition::recognise;
pub use report::{PARSER, reading};
pub use rows::{MOST_GPUS, MOST_LINE_BYTES, MOST_POINTS, Table};

use crate::{FileRead, Options, Reading, Refusal, Source, input};

/// The signals that the CSV yields.
pub const YIELDS: &[&str] = crate::sweep::YIELDS;

/// Reads one sweep.
///
/// # Errors
/// A refusal when the file is damaged (with its line and field), has no measured load level, or
/// is beyond the limits.
pub fn read(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let Some(source) = sources.first() else {
        return Err(Refusal::new("", "no-file"));
    };
    let mut opened = input::open(source)?;
    let table = Table::from_csv(&source.name, &mut opened.input)
        .map_err(|refusal| damaged_gzip(refusal, opened.packed))?;
    let mut reading = reading(&table);
    reading.files.push(FileRead {
        name: source.name.clone(),
        bytes: opened.bytes,
    });
    reading.or_empty(&source.name)
}

/// What cannot be read while unpacking is damage of the file, not of the machine.
fn damaged_gzip(mut refusal: Refusal, packed: bool) -> Refusal {
    if packed && refusal.code == "io" {
        refusal.code = "perf-gzip-damaged".to_owned();
    }
    refusal
}
