//! In which form a file carries Prometheus' samples: the text a server exposes, or what a
//! Prometheus server or promtool answers about samples it stored.
//!
//! The exposition is a series of instants. The other three list each series on its own, every
//! sample with its time, and are put back into instants by [`super::points`].

use super::{line, time};

/// How the samples of a file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text 0.0.4 or OpenMetrics: one scrape after another.
    Exposition,
    /// JSON of the HTTP API, or of promtool's `-o json`.
    Api,
    /// What `promtool query` prints.
    Query,
    /// What `promtool tsdb dump` or `dump-openmetrics` prints: one sample with its time a line.
    Dump,
}

/// The form, by the beginning of a file.
pub fn form(head: &[u8]) -> Form {
    let body = &head[body_at(head)..];
    if body.starts_with(b"{__name__=") {
        return Form::Dump;
    }
    if is_json(body) {
        return Form::Api;
    }
    let mut before: Option<(line::Key, f64)> = None;
    let mut seen = 0;
    for text in body.split(|b| *b == b'\n').map(line::trim) {
        if text.is_empty() || text[0] == b'#' {
            continue;
        }
        seen += 1;
        if seen > 200 {
            break;
        }
        let Some((key, rest)) = query_head(text) else {
            if time::of_line(text).is_some() {
                break;
            }
            continue;
        };
        if rest.starts_with(b"=>") {
            return Form::Query;
        }
        let Some(at) = line::tail(rest).and_then(|tail| tail.time) else {
            break;
        };
        // The same series twice in a row at two times: listed series by series.
        if before.is_some_and(|(known, then)| known == key && then != at) {
            return Form::Dump;
        }
        before = Some((key, at));
    }
    Form::Exposition
}

/// A key, perhaps without a name, and what follows it.
pub(super) fn query_head(text: &[u8]) -> Option<(line::Key, &[u8])> {
    let (key, end) = line::key_of_answer(text)?;
    Some((key, line::trim(&text[end..])))
}

/// Where the body begins: behind a byte order mark, blanks, and the headers of `curl -i`.
pub fn body_at(head: &[u8]) -> usize {
    let mut at = if head.starts_with(&[0xef, 0xbb, 0xbf]) {
        3
    } else {
        0
    };
    loop {
        at += head[at..]
            .iter()
            .position(|b| !b.is_ascii_whitespace())
            .unwrap_or(head.len() - at);
        if !head[at..].starts_with(b"HTTP/") {
            return at;
        }
        let mut ended = false;
        while let Some(feed) = memchr::memchr(b'\n', &head[at..]) {
            let blank = line::trim(&head[at..at + feed]).is_empty();
            at += feed + 1;
            if blank {
                ended = true;
                break;
            }
        }
        if !ended {
            return head.len();
        }
    }
}

/// Whether a JSON document of the API begins here: an object with `status` or `resultType` first,
/// or a list of objects with `metric` first.
fn is_json(body: &[u8]) -> bool {
    if let Some(list) = body.strip_prefix(b"[") {
        return first_key(skip_blank(list)) == Some(b"metric");
    }
    matches!(first_key(body), Some(b"status" | b"resultType" | b"data"))
        && [&b"\"result\""[..], b"\"resultType\"", b"\"errorType\""]
            .iter()
            .any(|mark| memchr::memmem::find(&body[..body.len().min(4096)], mark).is_some())
}

/// The first key of a JSON object.
pub(super) fn first_key(text: &[u8]) -> Option<&[u8]> {
    let inside = skip_blank(text.strip_prefix(b"{")?).strip_prefix(b"\"")?;
    let end = inside.iter().position(|b| *b == b'"')?;
    skip_blank(&inside[end + 1..])
        .starts_with(b":")
        .then(|| &inside[..end])
}

pub(super) fn skip_blank(text: &[u8]) -> &[u8] {
    let start = text
        .iter()
        .position(|b| !b.is_ascii_whitespace())
        .unwrap_or(text.len());
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_tells_the_form() {
        for (text, expected) in [
            ("# TYPE a gauge\na 1\n", Form::Exposition),
            ("a 1 1780000000000\nb 1 1780000000000\n", Form::Exposition),
            ("a 1 1780000000000\na 2 1780000015000\n", Form::Dump),
            (
                "a{x=\"1\"} 1 1780000000.5\na{x=\"1\"} 2 1780000015.5\n# EOF\n",
                Form::Dump,
            ),
            ("{__name__=\"a\"} 1 1780000000000\n", Form::Dump),
            ("a{x=\"1\"} =>\n1 @[1780000000]\n", Form::Query),
            ("{} => 1 @[1780000000]\n", Form::Query),
            (
                "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}",
                Form::Api,
            ),
            (
                "HTTP/1.1 200 OK\r\na: b\r\n\r\n{\"status\" : \"success\", \"data\": {\"resultType\"",
                Form::Api,
            ),
            ("[ {\"metric\":{}}]", Form::Api),
            ("{\"status\":\"ok\"}", Form::Exposition),
            ("", Form::Exposition),
        ] {
            assert_eq!(form(text.as_bytes()), expected, "{text}");
        }
    }
}
