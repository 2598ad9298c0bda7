//! Opening a source: plain or gzip, as one stream of text with a bound on what it unpacks to.
//!
//! Every reader of text opens its files here. What the text means is the reader's.

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

/// Whether a failed read means that the packed stream is cut or damaged.
pub fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
    )
}
