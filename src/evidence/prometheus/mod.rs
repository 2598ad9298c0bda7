//! Prometheus text exposition and OpenMetrics: lines to samples, samples to scrapes, buckets to
//! quantiles.
//!
//! Files are read as a stream. What is kept grows with the number of distinct series, which has a
//! cap, never with the length of a file. Lines that do not parse are passed over and counted.

pub mod histogram;
pub mod line;
pub mod lines;
mod recognise;
pub mod scrapes;
pub mod table;
pub mod time;

#[cfg(test)]
mod tests;

pub use histogram::{Bucket, Histogram, Quantile};
pub use recognise::{recognise, vllm_tail};
pub use scrapes::{Each, Reader, Scrape, Tally};
pub use time::Stamp;

use crate::{Refusal, Source};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
};

/// Most bytes read of one file after unpacking.
pub const MOST_UNPACKED: u64 = 16 << 30;

const BUFFER: usize = 256 << 10;

/// A source opened for reading: unpacked when it is gzip, one member after another.
pub struct Opened {
    /// The text.
    pub input: Box<dyn BufRead>,
    /// Length of the file as stored, in bytes.
    pub bytes: u64,
    /// Whether the file is gzip.
    pub packed: bool,
}

/// Opens a source.
///
/// # Errors
/// `io` when the file cannot be opened or its first bytes cannot be read.
pub fn open(source: &Source) -> Result<Opened, Refusal> {
    let io = |e: io::Error| Refusal::io(&source.name, &e);
    let file = File::open(&source.path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    let mut input = BufReader::with_capacity(BUFFER, file);
    let packed = input.fill_buf().map_err(io)?.starts_with(&[0x1f, 0x8b]);
    let input: Box<dyn BufRead> = if packed {
        let unpacked = Capped {
            inner: flate2::bufread::MultiGzDecoder::new(input),
            left: MOST_UNPACKED,
        };
        Box::new(BufReader::with_capacity(BUFFER, unpacked))
    } else {
        Box::new(input)
    };
    Ok(Opened {
        input,
        bytes,
        packed,
    })
}

/// Fails rather than unpack without end.
struct Capped<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        self.left = self
            .left
            .checked_sub(n as u64)
            .ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(n)
    }
}

/// Reads one source through `reader`. The answer says whether a gzip stream was damaged; then
/// what was read up to the damage was handed over.
///
/// # Errors
/// `io`, `metrics-too-many-series`, `metrics-unpacks-too-large`, and what `each` refuses.
pub fn read_source(
    reader: &mut Reader,
    source: &Source,
    each: &mut Each<'_>,
) -> Result<bool, Refusal> {
    let mut opened = open(source)?;
    match reader.read(&mut *opened.input, &source.name, each) {
        Ok(answer) => answer.map(|()| false),
        Err(e) if opened.packed && is_damage(&e) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::FileTooLarge => {
            Err(Refusal::new(&source.name, "metrics-unpacks-too-large")
                .arg("gigabytes", MOST_UNPACKED >> 30))
        }
        Err(e) => Err(Refusal::io(&source.name, &e)),
    }
}

fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
    )
}

/// What a source holds, whatever engine wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Counts of lines, samples and scrapes.
    pub tally: Tally,
    /// Distinct series.
    pub series: usize,
    /// Distinct families: names declared, and families sampled without a declaration.
    pub families: usize,
}

/// Counts what a source holds, without interpreting it.
///
/// # Errors
/// As [`read_source`].
pub fn scan(source: &Source) -> Result<Summary, Refusal> {
    let mut reader = Reader::default();
    read_source(&mut reader, source, &mut |_| Ok(()))?;
    Ok(Summary {
        tally: reader.tally().clone(),
        series: reader.table().series().len(),
        families: reader.table().declared(),
    })
}
