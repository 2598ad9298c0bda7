//! Detection: the first bytes decide what a file is, never its name.

use crate::{
    Refusal, Source,
    kinds::{Kind, RECOGNISERS},
};
use std::{
    fs::File,
    io::{BufReader, Read},
};

/// Length of the head that detection looks at, in bytes.
pub const HEAD_BYTES: usize = 64 * 1024;

/// The beginning of a file: plain, or unpacked when the file is gzip.
#[derive(Debug)]
pub struct Head {
    /// The file's own first bytes.
    pub raw: Vec<u8>,
    /// The first bytes after unpacking gzip and dropping a BOM.
    pub text: Vec<u8>,
    /// Length of the file in bytes.
    pub bytes: u64,
}

/// Reads the head of a source.
///
/// # Errors
/// `io` when the file cannot be read.
pub fn head(source: &Source) -> Result<Head, Refusal> {
    // Asked before it is opened: a pipe would wait for ever for somebody to write.
    let kind = std::fs::metadata(&source.path).map_err(|e| Refusal::io(&source.name, &e))?;
    if !kind.is_file() {
        return Err(Refusal::new(&source.name, "not-a-file"));
    }
    let file = File::open(&source.path).map_err(|e| Refusal::io(&source.name, &e))?;
    let bytes = file
        .metadata()
        .map_err(|e| Refusal::io(&source.name, &e))?
        .len();
    let mut raw = Vec::new();
    file.take(HEAD_BYTES as u64)
        .read_to_end(&mut raw)
        .map_err(|e| Refusal::io(&source.name, &e))?;
    let mut text = if raw.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        // A cut stream still shows its beginning; the parser reports the damage itself.
        let _ = flate2::read::MultiGzDecoder::new(BufReader::new(raw.as_slice()))
            .take(HEAD_BYTES as u64)
            .read_to_end(&mut unpacked);
        unpacked
    } else {
        raw.clone()
    };
    if text.starts_with(&[0xef, 0xbb, 0xbf]) {
        text.drain(..3);
    }
    Ok(Head { raw, text, bytes })
}

/// Recognises the sources as one kind.
///
/// # Errors
/// A refusal naming the file: empty, a binary report with the command that exports it, a web
/// error page, an unknown format, or files of different kinds given together.
pub fn kind_of(sources: &[Source]) -> Result<Kind, Refusal> {
    let Some(first) = sources.first() else {
        return Err(Refusal::new("", "no-file"));
    };
    let kind = kind_of_one(first)?;
    for other in &sources[1..] {
        let next = kind_of_one(other)?;
        if next != kind {
            return Err(Refusal::new(&other.name, "mixed-kinds")
                .arg("first", kind.id())
                .arg("second", next.id()));
        }
        if !kind.format().joins_files {
            return Err(Refusal::new(&other.name, "one-file-per-reading").arg("kind", kind.id()));
        }
    }
    Ok(kind)
}

fn kind_of_one(source: &Source) -> Result<Kind, Refusal> {
    let head = head(source)?;
    if head.bytes == 0 {
        return Err(Refusal::new(&source.name, "empty"));
    }
    if let Some(answer) = RECOGNISERS.iter().find_map(|ask| ask(source, &head)) {
        return answer;
    }
    Err(Refusal::new(&source.name, "unknown-format"))
}
