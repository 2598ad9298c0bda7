//! perf_analyzer `-f` CSV sweeps (stages 1, 2, 3 and 4): one row per measured load level.
//!
//! Rows arrive ordered by throughput and leave ordered by load, in base units, with the checks
//! that tell a sound sweep from an edited one. Other files of the same family are refused by
//! name.

pub mod analysis;
mod average;
mod checks;
mod columns;
pub mod compare;
mod figures;
mod recognition;
mod report;
mod rows;
#[cfg(test)]
mod tests;
pub mod usl;
mod yields;

pub use average::AverageFrom;
pub use columns::{Field, GpuField, Header, Mode, Part};
pub use recognition::recognise;
pub use report::{PARSER, reading};
pub use rows::{Defect, LoadPoint, MOST_GPUS, MOST_LINE_BYTES, MOST_POINTS, Sweep};
pub use yields::YIELDS;

use crate::{FileRead, Options, Reading, Refusal, Source};
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
};

/// Reads one sweep.
///
/// # Errors
/// A refusal when the file is damaged (with its line and field), has no measured load level, or
/// is beyond the limits.
pub fn read(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let Some(source) = sources.first() else {
        return Err(Refusal::new("", "no-file"));
    };
    let io = |e: &std::io::Error| Refusal::io(&source.name, e);
    let file = File::open(&source.path).map_err(|e| io(&e))?;
    let bytes = file.metadata().map_err(|e| io(&e))?.len();
    let mut input = BufReader::new(file);
    let packed = input
        .fill_buf()
        .map_err(|e| io(&e))?
        .starts_with(&[0x1f, 0x8b]);
    let sweep = if packed {
        let mut unpacked = flate2::bufread::MultiGzDecoder::new(input);
        sweep_of(source, &mut unpacked).map_err(damaged_gzip)
    } else {
        sweep_of(source, &mut input)
    };
    let mut reading = reading(&sweep?);
    reading.files.push(FileRead {
        name: source.name.clone(),
        bytes,
    });
    reading.or_empty(&source.name)
}

/// What cannot be read while unpacking is damage of the file, not of the machine.
fn damaged_gzip(mut refusal: Refusal) -> Refusal {
    if refusal.code == "io" {
        refusal.code = "perf-gzip-damaged".to_owned();
    }
    refusal
}

fn sweep_of(source: &Source, input: &mut dyn Read) -> Result<Sweep, Refusal> {
    Sweep::from_csv(&source.name, input)
}
