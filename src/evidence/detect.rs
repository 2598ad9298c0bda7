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
    if let Some(form) = archive(&head) {
        return Err(Refusal::new(&source.name, "archive").arg("form", form));
    }
    if let Some(answer) = RECOGNISERS.iter().find_map(|ask| ask(source, &head)) {
        return answer;
    }
    Err(Refusal::new(&source.name, "unknown-format"))
}

/// What a file is that holds other files, or is packed in a way that is not unpacked here. Nothing
/// of it is opened: what lies inside could be a bomb, a link, or a path that leads elsewhere.
fn archive(head: &Head) -> Option<&'static str> {
    const BEGINNINGS: [(&[u8], &str); 8] = [
        (b"PK\x03\x04", "ZIP"),
        (b"PK\x05\x06", "ZIP"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!\x1a\x07", "RAR"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"BZh", "bzip2"),
        (b"\x04\x22\x4d\x18", "LZ4"),
    ];
    let begins =
        |(bytes, form): &(&[u8], &'static str)| head.raw.starts_with(bytes).then_some(*form);
    if let Some(form) = BEGINNINGS.iter().find_map(begins) {
        return Some(form);
    }
    // The magic of POSIX and GNU tar; in a .tar.gz it shows once unpacked.
    let tar = head.text.get(257..262) == Some(b"ustar");
    tar.then(|| {
        if head.raw == head.text {
            "tar"
        } else {
            "tar.gz"
        }
    })
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
