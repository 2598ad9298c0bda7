//! Which files are configurations of an engine. What only looks like one is left to other readers.

use super::document;
use super::pbtxt::Broken;
use crate::{Kind, Refusal, Source, detect::Head};

/// Recognises configurations by parsing them; `None` for anything else.
pub fn recognise(source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let start = &head.text[..head.text.len().min(8192)];
    let binary = start.iter().filter(|b| **b == 0).count() > 0;
    let text = String::from_utf8_lossy(&head.text);
    if binary {
        return None;
    }
    match super::text(source) {
        Ok(whole) => match document::parse(&whole)? {
            Ok(_) => Some(Ok(Kind::EngineConfig)),
            Err(b) => Some(Err(broken(source, b))),
        },
        // Too large, or not text: said only of what begins like a configuration.
        Err(refusal) => {
            let whole_lines = text.rsplit_once('\n').map_or(&*text, |(lines, _)| lines);
            matches!(
                document::parse(&whole_lines.replace("\r\n", "\n")),
                Some(Ok(_))
            )
            .then_some(Err(refusal))
        }
    }
}

/// A damaged file with its place; what stands there is not quoted, it may be a secret.
pub fn broken(source: &Source, broken: Broken) -> Refusal {
    let code = match broken.what {
        "yaml-alias" => "engine-config-anchor",
        "too-deep" => "engine-config-too-deep",
        "not-closed" | "closed-too-often" | "string-not-closed" | "quote-not-closed"
        | "file-not-closed" => "engine-config-not-closed",
        _ => "engine-config-syntax",
    };
    Refusal::new(&source.name, code)
        .arg("line", broken.line)
        .arg("column", broken.column)
        .at(format!("line {}, column {}", broken.line, broken.column))
}
