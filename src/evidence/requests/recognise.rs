//! Which files hold requests, one by one: spans, AIPerf's records, public traces and logs.

use super::plan::{self, Sample};
use crate::{
    Kind, Refusal, Source,
    detect::{HEAD_BYTES, Head},
    mapping::Layout,
};

/// Recognises spans and records by keys that nobody else writes.
pub fn recognise_sure(_: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let text = head.text.trim_ascii_start();
    if !text.starts_with(b"{") {
        return None;
    }
    let has = |key: &[u8]| memchr::memmem::find(&text[..text.len().min(4096)], key).is_some();
    if has(b"\"resourceSpans\"") || has(b"\"resource_spans\"") {
        return Some(Ok(Kind::OtlpSpans));
    }
    let record = has(b"\"metadata\"") && has(b"\"request_start_ns\"");
    (record && !has(b"\"experiments\"")).then_some(Ok(Kind::AiperfRecords))
}

/// Recognises logs and traces by the names of their columns; what only resembles one passes on.
pub fn recognise(_: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let sample = Sample::of(&head.text, head.text.len() < HEAD_BYTES)?;
    let guess = plan::guess(&sample)?;
    // One object is a document about something, whatever its keys are called; a log has lines.
    if sample.layout == Layout::JsonLines && sample.rows.len() < 2 && guess.known.is_none() {
        return None;
    }
    let is_trace = guess.known.is_some_and(super::known::Known::is_trace);
    Some(Ok(if is_trace {
        Kind::RequestTrace
    } else {
        Kind::RequestLog
    }))
}
