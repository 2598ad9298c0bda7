//! A YAML report flattened as it is read, event by event: GuideLLM writes the same tree as YAML.

use super::{
    flat::{Flat, Leaf},
    guidellm::{Records, skipped},
};
use crate::Refusal;
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::io::{BufRead, Read};

/// Deepest nesting.
const DEEPEST: usize = 48;
/// Longest line; a longer one is read up to here.
const MOST_LINE: u64 = 1 << 20;

/// An open container: where its path ends, and what comes next in it.
struct Open {
    length: usize,
    map: bool,
    at: usize,
    key: bool,
}

/// The characters of a stream, line by line.
fn characters(input: &mut dyn BufRead) -> impl Iterator<Item = char> {
    let mut line: Vec<u8> = Vec::new();
    std::iter::from_fn(move || {
        line.clear();
        let read = (&mut *input).take(MOST_LINE).read_until(b'\n', &mut line);
        (read.ok()? > 0).then(|| String::from_utf8_lossy(&line).into_owned())
    })
    .flat_map(|line| line.chars().collect::<Vec<_>>())
}

/// Flattens a report; records of requests go where those of JSON go.
///
/// # Errors
/// `bench-yaml` with the line.
pub fn read(file: &str, input: &mut dyn BufRead) -> Result<(Flat, Records), Refusal> {
    let (mut flat, mut records) = (Flat::default(), Records::default());
    let mut open: Vec<Open> = Vec::new();
    let mut path = String::new();
    for event in Parser::new_from_iter(characters(input)) {
        let (event, span) = event.map_err(|e| {
            Refusal::new(file, "bench-yaml")
                .arg("line", e.marker().line())
                .at(format!("line {}", e.marker().line()))
        })?;
        let leaf = match event {
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() > DEEPEST {
                    return Err(Refusal::new(file, "bench-yaml")
                        .arg("line", span.start.line())
                        .at(format!("line {}", span.start.line())));
                }
                step(&mut open, &mut path);
                open.push(Open {
                    length: path.len(),
                    map: matches!(event, Event::MappingStart(..)),
                    at: 0,
                    key: true,
                });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                leave(&mut open);
                continue;
            }
            Event::Scalar(text, style, _, _) => {
                if key(&mut open, &mut path, &text) {
                    continue;
                }
                scalar(&text, matches!(style, ScalarStyle::Plain))
            }
            // A list that is there twice is written as a reference; what it says stands elsewhere.
            Event::Alias(_) => Leaf::Null,
            _ => continue,
        };
        step(&mut open, &mut path);
        if !records.leaf(&path, &leaf) && !passed(&path) {
            flat.put(&path, leaf);
        }
        leave(&mut open);
    }
    records.close();
    Ok((flat, records))
}

/// Whether a leaf lies in a part that is passed over.
fn passed(path: &str) -> bool {
    path.match_indices('.').any(|(at, _)| skipped(&path[..at])) || skipped(path)
}

/// Takes a scalar as the key it is, if a key is due.
fn key(open: &mut [Open], path: &mut String, text: &str) -> bool {
    let Some(top) = open.last_mut().filter(|o| o.map && o.key) else {
        return false;
    };
    path.truncate(top.length);
    if top.length > 0 {
        path.push('.');
    }
    path.extend(text.chars().take(200));
    top.key = false;
    true
}

/// Puts the path at the value that comes now.
fn step(open: &mut [Open], path: &mut String) {
    if let Some(top) = open.last_mut().filter(|o| !o.map) {
        path.truncate(top.length);
        if top.length > 0 {
            path.push('.');
        }
        path.push_str(&top.at.to_string());
        top.at += 1;
    }
}

/// After a value of a map a key is due again.
fn leave(open: &mut [Open]) {
    if let Some(top) = open.last_mut() {
        top.key = true;
    }
}

fn scalar(text: &str, plain: bool) -> Leaf {
    if !plain {
        return Leaf::Text(text.chars().take(400).collect());
    }
    match text {
        "" | "~" | "null" => Leaf::Null,
        "true" | "True" => Leaf::Truth(true),
        "false" | "False" => Leaf::Truth(false),
        ".inf" => Leaf::Number(f64::INFINITY),
        ".nan" => Leaf::Number(f64::NAN),
        _ => text.parse().map_or_else(
            |_| Leaf::Text(text.chars().take(400).collect()),
            Leaf::Number,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_yaml_has_the_paths_of_json() {
        let text = "metadata:\n  guidellm_version: 0.8.1\nbenchmarks:\n- metrics:\n    a:\n    - 1.5\n    - x\n  requests:\n    successful:\n    - output_tokens: 4\n      request_latency: 2.0\n      time_to_first_token_ms: 500\n  duration: 3\n";
        let mut bytes = text.as_bytes();
        let (flat, _) = read("x", &mut bytes).expect("YAML");
        assert_eq!(flat.text("metadata.guidellm_version"), Some("0.8.1"));
        assert_eq!(flat.number("benchmarks.0.metrics.a.0"), Some(1.5));
        assert_eq!(flat.text("benchmarks.0.metrics.a.1"), Some("x"));
        assert_eq!(flat.number("benchmarks.0.duration"), Some(3.0));
        assert!(!flat.has("benchmarks.0.requests"));
    }
}
