//! YAML into trees. Anchors are refused: an alias of an alias can grow without end, and what it
//! stands for is not written where a reader looks.

use super::pbtxt::Broken;
use super::value::{DEEPEST, Node, Value};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Most nodes of a file.
const MOST: usize = 50_000;

/// The documents of a file.
///
/// # Errors
/// The first place that cannot be read.
pub fn read(text: &str) -> Result<Vec<Node>, Broken> {
    let mut documents = Vec::new();
    // Open containers; a mapping keeps the key that waits for its value.
    let mut open: Vec<(Node, Option<String>)> = Vec::new();
    let mut count = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| Broken {
            line: e.marker().line(),
            column: e.marker().col() + 1,
            what: "yaml",
        })?;
        let broken = |what| Broken {
            line: span.start.line(),
            column: span.start.col() + 1,
            what,
        };
        count += 1;
        if count > MOST || open.len() > DEEPEST {
            return Err(broken("too-deep"));
        }
        let done = match event {
            Event::Alias(_) => return Err(broken("yaml-alias")),
            Event::SequenceStart(..) => {
                open.push((Node::List(Vec::new()), None));
                continue;
            }
            Event::MappingStart(..) => {
                open.push((Node::Map(Vec::new()), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some((node, _)) => node,
                None => return Err(broken("yaml")),
            },
            Event::Scalar(text, style, _, _) => Node::Scalar(match style {
                ScalarStyle::Plain if text.is_empty() => Value::Null,
                ScalarStyle::Plain => Value::word(&text),
                _ => Value::Text(text.into_owned()),
            }),
            _ => continue,
        };
        match open.last_mut() {
            None => documents.push(done),
            Some((Node::List(items), _)) => items.push(done),
            Some((Node::Map(fields), key)) => match key.take() {
                Some(name) => fields.push((name, done)),
                None => match done {
                    Node::Scalar(v) => *key = Some(v.to_string()),
                    _ => return Err(broken("yaml-key")),
                },
            },
            Some((Node::Scalar(_), _)) => return Err(broken("yaml")),
        }
    }
    Ok(documents)
}
