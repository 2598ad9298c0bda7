//! A document as a flat list of paths: `successes.latency.request_latency.p99` → 0.49.
//!
//! Summaries of load generators are small trees of names and numbers. Flattened they are read by
//! name, whatever stands around them, and a hostile file cannot grow them beyond a cap.

use super::json::{Fault, Json, Value};
use std::collections::BTreeMap;

/// Most leaves kept of one document.
pub const MOST_LEAVES: usize = 300_000;
/// Most items of one array that are followed.
const MOST_ITEMS: usize = 4096;
/// Deepest path that is followed; below it values are skipped.
const DEEPEST: usize = 24;

/// A leaf.
#[derive(Debug, Clone, PartialEq)]
pub enum Leaf {
    /// A number; may be `NaN` or infinite where the file says so.
    Number(f64),
    /// A text.
    Text(String),
    /// A truth value.
    Truth(bool),
    /// Said to be nothing.
    Null,
}

/// Leaves by path.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flat {
    leaves: BTreeMap<String, Leaf>,
    /// Whether the cap was reached and leaves were left out.
    pub full: bool,
}

impl Flat {
    /// Keeps a leaf.
    pub fn put(&mut self, path: &str, leaf: Leaf) {
        if self.leaves.len() >= MOST_LEAVES {
            self.full = true;
            return;
        }
        // A key that is there twice: the last one counts, as with every JSON reader.
        self.leaves.insert(path.to_owned(), leaf);
    }

    /// The leaf at a path.
    pub fn get(&self, path: &str) -> Option<&Leaf> {
        self.leaves.get(path)
    }

    /// Whether something stands at a path or below it.
    pub fn has(&self, path: &str) -> bool {
        self.leaves.contains_key(path) || self.below(path).next().is_some()
    }

    /// A finite number at a path. Numbers written as text count.
    pub fn number(&self, path: &str) -> Option<f64> {
        match self.leaves.get(path)? {
            Leaf::Number(n) => Some(*n),
            Leaf::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
        .filter(|n| n.is_finite())
    }

    /// A count at a path: a whole number that is not negative.
    pub fn count(&self, path: &str) -> Option<u64> {
        let n = self.number(path)?;
        (n >= 0.0 && n.fract() == 0.0 && n < 9e15).then_some(n as u64)
    }

    /// A text at a path that says something.
    pub fn text(&self, path: &str) -> Option<&str> {
        match self.leaves.get(path)? {
            Leaf::Text(text) if !text.trim().is_empty() => Some(text.trim()),
            _ => None,
        }
    }

    /// A truth value at a path.
    pub fn truth(&self, path: &str) -> Option<bool> {
        match self.leaves.get(path)? {
            Leaf::Truth(t) => Some(*t),
            _ => None,
        }
    }

    /// Leaves below a path, by what follows it.
    pub fn below<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a str, &'a Leaf)> {
        let from = format!("{path}.");
        let length = from.len();
        self.leaves
            .range(from.clone()..)
            .take_while(move |(key, _)| key.starts_with(&from))
            .map(move |(key, leaf)| (&key[length..], leaf))
    }

    /// Every leaf.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Leaf)> {
        self.leaves.iter().map(|(k, l)| (k.as_str(), l))
    }

    /// The names at one level: the first part of every path below.
    pub fn names<'a>(&'a self, path: &'a str) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        for (rest, _) in self.below(path) {
            let name = rest.split('.').next().unwrap_or(rest);
            if names.last() != Some(&name) && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The part below a path as a document of its own.
    #[must_use]
    pub fn part(&self, path: &str) -> Self {
        Self {
            leaves: self
                .below(path)
                .map(|(k, l)| (k.to_owned(), l.clone()))
                .collect(),
            full: self.full,
        }
    }
}

/// Who looks at a path before it is flattened: `true` says that the value was taken.
pub type Taker<'t> = &'t mut dyn FnMut(&str, &mut Json<'_>) -> Result<bool, Fault>;

/// Flattens the next value under `path`.
pub fn flatten(
    json: &mut Json<'_>,
    path: &mut String,
    into: &mut Flat,
    taker: Taker<'_>,
) -> Result<(), Fault> {
    level(json, path, into, taker, 0)
}

fn level(
    json: &mut Json<'_>,
    path: &mut String,
    into: &mut Flat,
    taker: Taker<'_>,
    depth: usize,
) -> Result<(), Fault> {
    if depth > DEEPEST {
        return json.skip();
    }
    if taker(path, json)? {
        return Ok(());
    }
    let length = path.len();
    let step = |path: &mut String, name: &str| {
        path.truncate(length);
        if length > 0 {
            path.push('.');
        }
        path.push_str(name);
    };
    match json.value()? {
        Value::Object => {
            let mut first = true;
            while json.key(first)? {
                first = false;
                step(path, &json.text());
                level(json, path, into, taker, depth + 1)?;
            }
            path.truncate(length);
            if first {
                into.put(path, Leaf::Null);
            }
        }
        Value::Array => {
            let mut at = 0;
            while json.item(at == 0)? {
                if at < MOST_ITEMS {
                    step(path, &at.to_string());
                    level(json, path, into, taker, depth + 1)?;
                } else {
                    into.full = true;
                    json.skip()?;
                }
                at += 1;
            }
        }
        Value::Text => {
            let text: String = json.text().chars().take(400).collect();
            into.put(path, Leaf::Text(text));
        }
        Value::Number(n) => into.put(path, Leaf::Number(n)),
        Value::Truth(t) => into.put(path, Leaf::Truth(t)),
        Value::Null => into.put(path, Leaf::Null),
    }
    path.truncate(length);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Flat {
        let mut bytes = text.as_bytes();
        let mut flat = Flat::default();
        let mut json = Json::new(&mut bytes);
        flatten(&mut json, &mut String::new(), &mut flat, &mut |_, _| {
            Ok(false)
        })
        .expect("JSON");
        flat
    }

    #[test]
    fn leaves_are_found_by_their_path() {
        let flat = of(r#"{"a":{"b":1.5,"c":[true,{"d":"x"}]},"n":null,"m":"7"}"#);
        assert_eq!(flat.number("a.b"), Some(1.5));
        assert_eq!(flat.truth("a.c.0"), Some(true));
        assert_eq!(flat.text("a.c.1.d"), Some("x"));
        assert_eq!(flat.count("m"), Some(7));
        assert_eq!(flat.number("n"), None);
        assert_eq!(flat.names("a"), ["b", "c"]);
        assert_eq!(flat.part("a.c").truth("0"), Some(true));
        assert!(flat.has("a.c") && !flat.has("a.x"));
    }

    #[test]
    fn a_document_without_end_stays_small() {
        let text = format!("[{}0]", "[0],".repeat(MOST_ITEMS + 10));
        assert!(of(&text).full);
    }
}
