//! One line of console output: what wrappers put around it, and the amounts that stand in it.
//!
//! Logs are pasted into documents, run under MPI, in containers and with colours; all of that is
//! taken off before a line is looked at.

use crate::sweep::number::{Fault, number};

/// A line without colours and wrappers, and the MPI rank it came from when a prefix says it.
pub(super) fn bare(line: &str) -> (Option<u32>, String) {
    let text = without_colours(line);
    let mut rest = text.trim();
    let mut rank = None;
    loop {
        let before = rest.len();
        if let Some((found, after)) = mpi_prefix(rest) {
            rank = Some(found);
            rest = after;
        }
        rest = rest
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '>'))
            .trim_end();
        rest = after_time(rest).unwrap_or(rest);
        rest = after_container(rest).unwrap_or(rest);
        if rest.len() == before {
            break;
        }
    }
    (rank, rest.to_owned())
}

fn without_colours(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            if !c.is_control() || c == '\t' {
                out.push(c);
            }
            continue;
        }
        // ESC [ … letter; any other escape takes one character.
        if chars.next() == Some('[') {
            for c in chars.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        }
    }
    out
}

/// `[1,0]<stdout>:` of mpirun with `--tag-output`.
fn mpi_prefix(text: &str) -> Option<(u32, &str)> {
    let (job, after) = text.strip_prefix('[')?.split_once(']')?;
    let (_, rank) = job.split_once(',')?;
    let after = after
        .strip_prefix("<stdout>")
        .or_else(|| after.strip_prefix("<stderr>"))?;
    Some((rank.trim().parse().ok()?, after.strip_prefix(':')?))
}

/// A leading `2024-05-01T12:00:00.123Z` or `2024-05-01 12:00:00` of a log collector.
fn after_time(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let dated = bytes.len() > 20
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && matches!(bytes[10], b'T' | b' ')
        && bytes[13] == b':'
        && bytes[..4].iter().all(u8::is_ascii_digit);
    if !dated {
        return None;
    }
    let end = text[11..].find(' ')? + 11;
    text.get(end..).map(str::trim_start)
}

/// A leading `name-1  | ` of docker compose.
fn after_container(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('|')?;
    let name = name.trim();
    let service = !name.is_empty()
        && name.len() <= 64
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && name.contains(['-', '_']);
    service.then(|| rest.trim_start())
}

/// The number between `before` and `unit`. `None` when the line does not have both.
pub(super) fn amount(line: &str, before: &str, unit: &str) -> Option<Result<f64, Fault>> {
    let after = &line[line.find(before)? + before.len()..];
    let text = if unit.is_empty() {
        after
    } else {
        &after[..after.find(unit)?]
    };
    Some(number(text))
}

/// The parts in the brackets of a line: `(queue 41 usec + compute infer 257 usec)`, in seconds.
/// Nothing when the bracket is not closed: the line was cut.
pub(super) fn parts(line: &str) -> Vec<(&str, f64)> {
    let Some(inside) = line
        .split_once('(')
        .and_then(|(_, rest)| rest.rsplit_once(')'))
        .map(|(inside, _)| inside)
    else {
        return Vec::new();
    };
    inside
        .split('+')
        .filter_map(|part| {
            let (name, value) = part.trim().strip_suffix("usec")?.trim().rsplit_once(' ')?;
            let value = number(value).ok().filter(|v| v.is_finite() && *v >= 0.0)?;
            Some((name.trim(), value / 1e6))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrappers_come_off() {
        for wrapped in [
            "  Request count: 5",
            "# Request count: 5",
            "#   Request count: 5",
            "[1,0]<stdout>:  Request count: 5",
            "\u{1b}[1;32mRequest count: 5\u{1b}[0m",
            "2024-05-01T12:00:00.123456789Z   Request count: 5",
            "2024-05-01 12:00:00,123 Request count: 5",
            "client-1  |   Request count: 5\r",
        ] {
            assert_eq!(bare(wrapped).1, "Request count: 5", "{wrapped}");
        }
        assert_eq!(bare("[1,3]<stderr>: x"), (Some(3), "x".to_owned()));
    }

    #[test]
    fn amounts_and_parts() {
        let line = "Avg HTTP time: 700 usec (send/recv 102 usec + response wait 598 usec)";
        assert_eq!(amount(line, "time:", "usec"), Some(Ok(700.0)));
        assert_eq!(
            parts(line),
            [("send/recv", 102e-6), ("response wait", 598e-6)]
        );
        assert_eq!(parts(&line[..line.len() - 3]), []);
        assert_eq!(
            amount("Throughput: 1.407,84 infer/sec", "Throughput:", "infer"),
            Some(Err(Fault::Locale))
        );
        assert_eq!(amount("Throughput: 14", "Throughput:", "infer"), None);
    }
}
