//! What stands in front of a message: colours, the process, times, level, source file, and what a
//! container runtime, a collector or a terminal put before all that.
//!
//! The message itself is what the other modules read. Everything else that a line may hold, such
//! as prompts or headers, is passed over and never kept.

use super::stamp::{self, Stamps};
use std::borrow::Cow;

/// A line without what stands in front of its message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Front<'a> {
    /// Times in front of the message.
    pub stamps: Stamps,
    /// The process as it names itself, such as `APIServer pid=1` or `EngineCore_DP0 pid=9`.
    pub process: &'a [u8],
    /// Rank tags behind SGLang's time: data, tensor and pipeline parallel.
    pub ranks: Ranks,
    /// Whether a level stood there, and whether it was an error.
    pub level: Level,
    /// Whether the engine's own source file was named.
    pub has_source: bool,
    /// The message.
    pub message: &'a [u8],
}

/// Ranks that a line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ranks {
    /// Data parallel rank.
    pub dp: Option<u32>,
    /// Tensor parallel rank.
    pub tp: Option<u32>,
    /// Pipeline parallel rank.
    pub pp: Option<u32>,
}

/// Level of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    /// None is written.
    #[default]
    None,
    /// Below an error.
    Plain,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

/// Most things in front of a message.
const MOST_PARTS: usize = 12;

/// Longest thing in brackets in front of a message, in bytes.
const LONGEST_PART: usize = 120;

/// Takes the front off a line; colours are gone already.
pub fn split(line: &[u8]) -> Front<'_> {
    let mut front = Front {
        stamps: Stamps::default(),
        process: b"",
        ranks: Ranks::default(),
        level: Level::None,
        has_source: false,
        message: line.trim_ascii(),
    };
    for _ in 0..MOST_PARTS {
        let rest = front.message.trim_ascii_start();
        let Some(after) = part(rest, &mut front) else {
            front.message = rest;
            break;
        };
        front.message = rest[after..].trim_ascii_start();
    }
    front
}

/// One thing in front of the message: its length, or `None` when the message begins.
fn part<'a>(rest: &'a [u8], front: &mut Front<'a>) -> Option<usize> {
    match rest.first()? {
        b'(' => {
            let end = close(rest, b')')?;
            let inside = &rest[1..end];
            if !has(inside, b"pid=") {
                return None;
            }
            front.process = inside;
            Some(end + 1)
        }
        b'[' => bracket(rest, front),
        b'|' => Some(1),
        b'-' if rest.get(1) == Some(&b' ') && !front.stamps.is_empty() => Some(2),
        _ => {
            if let Some((kind, seconds, length)) = stamp::leading(rest) {
                front.stamps.take(kind, seconds);
                let syslog = rest[0].is_ascii_alphabetic();
                return Some(length + if syslog { host(&rest[length..]) } else { 0 });
            }
            word(rest, front)
        }
    }
}

/// A level, a stream, a source file, a container's name before a bar.
fn word(rest: &[u8], front: &mut Front<'_>) -> Option<usize> {
    let end = rest
        .iter()
        .take(LONGEST_PART)
        .position(|b| *b == b' ' || *b == b'\t')?;
    let word = &rest[..end];
    let level = match word.strip_suffix(b":").unwrap_or(word) {
        b"INFO" | b"DEBUG" | b"info" | b"debug" => Level::Plain,
        b"WARNING" | b"WARN" | b"warning" | b"warn" => Level::Warning,
        b"ERROR" | b"CRITICAL" | b"error" | b"FATAL" => Level::Error,
        _ => Level::None,
    };
    if level != Level::None {
        front.level = level;
        return Some(end);
    }
    if word == b"stdout" || word == b"stderr" {
        let flag = matches!(rest.get(end..end + 3), Some(b" F " | b" P "));
        return Some(end + if flag { 3 } else { 0 });
    }
    if is_source(word.strip_suffix(b"]").unwrap_or(word)) && word.ends_with(b"]")
        || word.ends_with(b":") && is_source(&word[..word.len() - 1])
    {
        front.has_source = true;
        return Some(end);
    }
    // `2025-12-05 08:50:58,913 - a.logger - INFO - …`
    if !front.stamps.is_empty() && rest[end..].starts_with(b" - ") && is_name(word) {
        return Some(end);
    }
    let bar = rest[end..].trim_ascii_start();
    (bar.starts_with(b"| ") && is_name(word)).then_some(rest.len() - bar.len() + 2)
}

/// Something in square brackets: SGLang's time and ranks, a source file, a pod, a logger.
fn bracket(rest: &[u8], front: &mut Front<'_>) -> Option<usize> {
    let end = close(rest, b']')?;
    let inside = &rest[1..end];
    if let Some((kind, seconds, length)) = stamp::leading(inside) {
        front.stamps.take(kind, seconds);
        ranks(&inside[length..], &mut front.ranks);
        return Some(end + 1);
    }
    if is_source(inside) {
        front.has_source = true;
        return Some(end + 1);
    }
    (!inside.is_empty() && is_name(inside)).then_some(end + 1)
}

/// `loggers.py:259`, with folders or without.
fn is_source(text: &[u8]) -> bool {
    let Some(colon) = memchr::memrchr(b':', text) else {
        return false;
    };
    let number = &text[colon + 1..];
    text[..colon].ends_with(b".py") && !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}

fn is_name(text: &[u8]) -> bool {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_-./:@".contains(b);
    text.iter().all(plain) && text.iter().any(u8::is_ascii_alphanumeric)
}

/// `host unit[123]: ` behind the time of syslog.
fn host(text: &[u8]) -> usize {
    let near = &text[..text.len().min(LONGEST_PART)];
    let end = memchr::memmem::find(near, b": ");
    let named = end.filter(|end| near[..*end].iter().filter(|b| **b == b' ').count() <= 2);
    named.map_or(0, |end| end + 2)
}

fn ranks(text: &[u8], ranks: &mut Ranks) {
    for word in text.split(|b| *b == b' ') {
        let Some((name, number)) = word.split_at_checked(2) else {
            continue;
        };
        let number = std::str::from_utf8(number)
            .ok()
            .and_then(|n| n.parse().ok());
        match name {
            b"DP" => ranks.dp = number,
            b"TP" => ranks.tp = number,
            b"PP" => ranks.pp = number,
            _ => {}
        }
    }
}

fn close(text: &[u8], bracket: u8) -> Option<usize> {
    text.iter().take(LONGEST_PART).position(|b| *b == bracket)
}

fn has(text: &[u8], what: &[u8]) -> bool {
    memchr::memmem::find(text, what).is_some()
}

/// A line without colours, and without what a terminal overwrote.
pub fn plain(line: &[u8]) -> Cow<'_, [u8]> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = memchr::memrchr(b'\r', line).map_or(line, |at| &line[at + 1..]);
    if memchr::memchr(0x1b, line).is_none() {
        return Cow::Borrowed(line);
    }
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = memchr::memchr(0x1b, rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        if rest.first() == Some(&b'[') {
            let end = rest[1..].iter().position(|b| (0x40..=0x7e).contains(b));
            rest = end.map_or(&[], |end| &rest[end + 2..]);
        }
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(line: &str) -> String {
        let plain = plain(line.as_bytes());
        String::from_utf8_lossy(split(&plain).message).into_owned()
    }

    #[test]
    fn fronts_of_engines_and_of_what_carries_their_logs() {
        for line in [
            "Avg prompt",
            "INFO 03-07 20:33:07 metrics.py:386] Avg prompt",
            "INFO 08-20 23:20:01 [loggers.py:259] Avg prompt",
            "(APIServer pid=1) INFO 08-20 23:20:01 [v1/metrics/loggers.py:259] Avg prompt",
            "INFO 2025-09-10 16:32:05.957 metrics.py:386] Avg prompt",
            "(APIServer pid=14521) [vllm-rbln] INFO 2026-10-07 22:01:17,796 [loggers.py:248] Avg prompt",
            "2026-04-19 12:18:36.353 | (APIServer pid=1) INFO 04-19 10:18:36 [utils.py:299] Avg prompt",
            "vllm-1  | INFO 08-20 23:20:01 [loggers.py:259] Avg prompt",
            "2025-08-20T23:20:01.123456789Z INFO 08-20 23:20:01 [loggers.py:259] Avg prompt",
            "2025-08-20T23:20:01.123456789Z stderr F INFO 08-20 23:20:01 [loggers.py:259] Avg prompt",
            "Aug 20 23:20:01 node-7 vllm[881]: INFO 08-20 23:20:01 [loggers.py:259] Avg prompt",
            "[pod/vllm-7f9/vllm] INFO 08-20 23:20:01 [loggers.py:259] Avg prompt",
            "\u{1b}[1;36m(EngineCore_DP0 pid=9)\u{1b}[0;0m INFO 08-20 23:20:01 [core.py:9] Avg prompt",
            "[2025-08-08 03:35:19] Avg prompt",
            "[2026-09-27 09:19:23 DP2 TP0] INFO scheduler.py:88: Avg prompt",
            "(head, rank=0, pid=18260) [2025-02-14 00:42:22 DP2 TP2] Avg prompt",
            "2025-06-08 21:06:35,733 - sglang.srt - INFO - Avg prompt",
            "Capturing graphs: 98%\rINFO 08-20 23:20:01 [loggers.py:259] Avg prompt\r",
        ] {
            assert_eq!(message(line), "Avg prompt", "{line}");
        }
        let front = split(b"[2026-09-27 09:19:23 DP2 TP1 PP0] x");
        assert_eq!(
            front.ranks,
            Ranks {
                dp: Some(2),
                tp: Some(1),
                pp: Some(0)
            }
        );
    }

    #[test]
    fn a_message_is_left_alone() {
        for line in [
            "127.0.0.1:50000 - \"GET /health HTTP/1.1\" 200 OK",
            "[1, 2, 4] sizes",
            "(a remark) of somebody",
            "Decode batch. #running-req: 1",
        ] {
            assert_eq!(message(line), line);
        }
        assert_eq!(
            message("INFO:     127.0.0.1:5 - \"GET"),
            "127.0.0.1:5 - \"GET"
        );
    }

    #[test]
    fn unclosed_and_endless_fronts_end() {
        for line in [
            "[[[[[[[[[[",
            "((((((",
            "\u{1b}[",
            "\u{1b}",
            "| | | | | | | | | | | | | | x",
            "",
        ] {
            let _ = message(line);
        }
    }
}
