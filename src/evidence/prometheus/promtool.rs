//! What promtool prints: the answer of a query, series by series, or a dump with one sample a line.

use super::{
    line::{self, Key},
    lines::{Line, each_line},
    points::{Sink, refused},
    scrapes::Reader,
};
use crate::Refusal;
use std::io::{self, BufRead};

/// Reads what promtool printed: a query's answer, or a dump.
///
/// # Errors
/// The caps; the outer error comes from reading.
pub fn promtool(
    reader: &mut Reader,
    input: &mut dyn BufRead,
    file: &str,
) -> io::Result<Result<(), Refusal>> {
    let mut sink = Sink { reader, stop: None };
    let mut current: Option<Key> = None;
    let mut cut = false;
    let read = each_line(input, &mut |l: Line<'_>| {
        let mut text = l.bytes;
        if l.number == 1 {
            text = text.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(text);
        }
        let text = line::trim(text);
        if text.is_empty() {
            return Ok(());
        }
        sink.reader.tally_mut().lines += 1;
        if text[0] == b'#' {
            declare(sink.reader, text);
            return Ok(());
        }
        let good = !l.too_long && one_line(&mut sink, &mut current, text);
        if let Some(stop) = &sink.stop {
            return Err(refused(file, stop, format!("line {}", l.number)));
        }
        if !good {
            sink.reader.skip(l.number, file);
        }
        cut = !l.ended && !good;
        Ok(())
    })?;
    sink.reader.tally_mut().cut += u64::from(cut);
    Ok(read)
}

fn declare(reader: &mut Reader, text: &[u8]) {
    let text = String::from_utf8_lossy(&text[1..]);
    let mut words = text.split_ascii_whitespace();
    if matches!(words.next(), Some("TYPE" | "HELP"))
        && let Some(name) = words.next()
    {
        reader.table_mut().declare(name);
    }
}

/// One line of promtool; `false` when it is none.
fn one_line(sink: &mut Sink<'_>, current: &mut Option<Key>, text: &[u8]) -> bool {
    if let Some(sample) = value_at(text) {
        return match (current.clone(), sample) {
            (Some(key), Ok(sample)) => sink.take(key, &[sample]),
            (Some(_), Err(())) => {
                sink.reader.tally_mut().native += 1;
                true
            }
            (None, _) => false,
        };
    }
    let Some((key, rest)) = super::form::query_head(text) else {
        return false;
    };
    if let Some(rest) = rest.strip_prefix(b"=>") {
        sink.begin(&key);
        *current = Some(key.clone());
        let rest = line::trim(rest);
        return match (rest.is_empty(), value_at(rest)) {
            (true, _) => true,
            (false, Some(Ok(sample))) => sink.take(key, &[sample]),
            (false, Some(Err(()))) => {
                sink.reader.tally_mut().native += 1;
                true
            }
            (false, None) => false,
        };
    }
    match line::tail(rest) {
        Some(tail) => match tail.time {
            Some(time) => sink.take(key, &[(time, tail.value)]),
            None => false,
        },
        None => false,
    }
}

/// `value @[time]`: the sample, or `Err` when the value is a native histogram.
fn value_at(text: &[u8]) -> Option<Result<(f64, f64), ()>> {
    let at = memchr::memmem::rfind(text, b"@[")?;
    let time = line::number(text[at + 2..].strip_suffix(b"]")?)?;
    let value = line::trim(&text[..at]);
    if value.starts_with(b"{") || value.starts_with(b"{count") {
        return (!value.contains(&b'"')).then_some(Err(()));
    }
    line::number(value).map(|value| Ok((time, value)))
}
