//! Values of settings, and the tree that every notation is read into before it becomes a map.
//!
//! Equal meanings are equal values: `0.9` is `.90`, `8` is `8.0`, and `"16"` is 16.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A value of a setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// `null`, `None`.
    Null,
    /// A switch.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A finite number that is not whole.
    Float(f64),
    /// Words, and numbers that no number can hold.
    Text(String),
    /// A list of scalars.
    List(Vec<Value>),
    /// A message that is there and empty.
    Empty,
    /// Not known from the file: a variable that nobody set. Equal to nothing.
    Unknown,
}

/// The tree a notation is read into. Keys may stand several times.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A scalar.
    Scalar(Value),
    /// A list.
    List(Vec<Node>),
    /// A message, object or mapping.
    Map(Vec<(String, Node)>),
}

/// Deepest nesting that is read.
pub const DEEPEST: usize = 48;

impl Value {
    /// What a bare word means: a number, a switch, nothing, or itself.
    pub fn word(text: &str) -> Self {
        match text {
            "true" | "True" | "TRUE" => Self::Bool(true),
            "false" | "False" | "FALSE" => Self::Bool(false),
            "null" | "None" | "~" => Self::Null,
            _ => number(text).unwrap_or_else(|| Self::Text(text.to_owned())),
        }
    }

    /// A number as this type keeps it; `None` when it is not finite.
    pub fn float(value: f64) -> Option<Self> {
        /// Whole numbers up to here are exact in both types.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if !value.is_finite() {
            return None;
        }
        if value.fract() == 0.0 && value.abs() < EXACT {
            #[allow(clippy::cast_possible_truncation)] // whole and below 2^53
            return Some(Self::Int(value as i64));
        }
        Some(Self::Float(value))
    }

    /// Whether the value is what a field of the text format has when it is absent.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Bool(b) => !b,
            Self::Int(n) => *n == 0,
            Self::Float(x) => *x == 0.0,
            Self::Text(t) => t.is_empty(),
            Self::List(l) => l.is_empty(),
            _ => false,
        }
    }

    /// Sorts a list that is a set in meaning.
    #[must_use]
    pub fn sorted(self) -> Self {
        match self {
            Self::List(mut items) => {
                items.sort_by(order);
                Self::List(items)
            }
            other => other,
        }
    }
}

fn order(a: &Value, b: &Value) -> std::cmp::Ordering {
    let as_number = |v: &Value| match v {
        #[allow(clippy::cast_precision_loss)] // an order, not a value
        Value::Int(n) => Some(*n as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    };
    match (as_number(a), as_number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y),
        _ => a.to_string().cmp(&b.to_string()),
    }
}

/// A number as people and tools write it. Text with leading zeros is a name, not a number.
pub fn number(text: &str) -> Option<Value> {
    let body = text.strip_prefix('-').unwrap_or(text);
    let plain = !body.is_empty()
        && body.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && body
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    let zeros = body.len() > 1 && body.starts_with('0') && body.as_bytes()[1].is_ascii_digit();
    if !plain || zeros {
        return None;
    }
    if body.bytes().all(|b| b.is_ascii_digit()) {
        // Beyond the type a number stays as written: rounding would make unequal ones equal.
        return text.parse().ok().map(Value::Int);
    }
    text.parse().ok().and_then(Value::float)
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) => write!(f, "{x}"),
            Self::Text(t) => f.write_str(t),
            Self::Empty => f.write_str("{}"),
            Self::Unknown => f.write_str("?"),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
        }
    }
}

impl Node {
    /// The tree of a JSON value; `None` when it is nested too deeply.
    pub fn json(value: &serde_json::Value, depth: usize) -> Option<Self> {
        use serde_json::Value as J;
        if depth > DEEPEST {
            return None;
        }
        Some(match value {
            J::Null => Self::Scalar(Value::Null),
            J::Bool(b) => Self::Scalar(Value::Bool(*b)),
            J::Number(n) => {
                let text = n.to_string();
                Self::Scalar(number(&text).unwrap_or(Value::Text(text)))
            }
            J::String(s) => Self::Scalar(Value::Text(s.clone())),
            J::Array(items) => Self::List(
                items
                    .iter()
                    .map(|i| Self::json(i, depth + 1))
                    .collect::<Option<_>>()?,
            ),
            J::Object(fields) => Self::Map(
                fields
                    .iter()
                    .map(|(k, v)| Some((k.clone(), Self::json(v, depth + 1)?)))
                    .collect::<Option<_>>()?,
            ),
        })
    }

    /// The fields of a mapping.
    pub fn fields(&self) -> &[(String, Node)] {
        match self {
            Self::Map(fields) => fields,
            _ => &[],
        }
    }

    /// The field with this name; the last one when it stands several times.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.fields()
            .iter()
            .rev()
            .find(|(k, _)| k == name)
            .map(|(_, v)| v)
    }

    /// Text of a scalar.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Scalar(v) => Some(v.to_string()),
            _ => None,
        }
    }

    /// Elements of a list; a scalar is a list of one.
    pub fn items(&self) -> &[Node] {
        match self {
            Self::List(items) => items,
            Self::Map(_) => &[],
            Self::Scalar(_) => std::slice::from_ref(self),
        }
    }

    /// Flattens under `key`: mappings by dots, lists of scalars as lists, others by index.
    pub fn flatten(&self, key: &str, put: &mut dyn FnMut(String, Value)) {
        match self {
            Self::Scalar(Value::Text(t)) => put(key.to_owned(), Value::word(t)),
            Self::Scalar(v) => put(key.to_owned(), v.clone()),
            Self::Map(fields) if fields.is_empty() => put(key.to_owned(), Value::Empty),
            Self::Map(fields) => {
                for (name, node) in fields {
                    node.flatten(&format!("{key}.{name}"), put);
                }
            }
            Self::List(items) => match scalars(items) {
                Some(list) => put(key.to_owned(), Value::List(list)),
                None => {
                    for (i, item) in items.iter().enumerate() {
                        item.flatten(&format!("{key}[{i}]"), put);
                    }
                }
            },
        }
    }
}

/// The values of a list of scalars.
pub fn scalars(items: &[Node]) -> Option<Vec<Value>> {
    items
        .iter()
        .map(|i| match i {
            Node::Scalar(Value::Text(t)) => Some(Value::word(t)),
            Node::Scalar(v) => Some(v.clone()),
            _ => None,
        })
        .collect()
}
