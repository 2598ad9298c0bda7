//! What a reader asks a person: the table as it was seen, and what its columns may mean.

use super::Mapping;
use crate::reading::tame;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Most rows shown.
pub const MOST_ROWS: usize = 20;
/// Most examples of a column.
pub const MOST_EXAMPLES: usize = 5;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Fields with `,` between them.
    Comma,
    /// Fields with `;` between them.
    Semicolon,
    /// Fields with tabs between them.
    Tab,
    /// Fields with `|` between them.
    Bar,
    /// A table of Markdown.
    Markdown,
    /// A JSON array of objects, or of rows.
    JsonArray,
    /// One JSON object.
    JsonObject,
    /// One JSON object a line.
    JsonLines,
    /// Lines of `label: number unit`.
    Summary,
}

impl Layout {
    /// Stable kebab-case id; its name is the message `layout-<id>`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Comma => "comma",
            Self::Semicolon => "semicolon",
            Self::Tab => "tab",
            Self::Bar => "bar",
            Self::Markdown => "markdown",
            Self::JsonArray => "json-array",
            Self::JsonObject => "json-object",
            Self::JsonLines => "json-lines",
            Self::Summary => "summary",
        }
    }

    /// The sign between fields, where there is one.
    pub fn delimiter(self) -> Option<u8> {
        match self {
            Self::Comma => Some(b','),
            Self::Semicolon => Some(b';'),
            Self::Tab => Some(b'\t'),
            Self::Bar => Some(b'|'),
            _ => None,
        }
    }
}

/// What a reader asks before it can read a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// How the table is written.
    pub layout: Layout,
    /// The columns in order, with examples.
    pub columns: Vec<Proposed>,
    /// The first rows, a cell per column, tamed; at most [`MOST_ROWS`].
    pub rows: Vec<Vec<String>>,
    /// Number of rows seen, when the table was read to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_seen: Option<u64>,
    /// The names of measures in a tall table, at most [`super::MOST_MEASURES`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<String>,
    /// What its reader would take it for. It may be incomplete: [`Mapping::check`] says.
    pub guess: Mapping,
    /// What the guess leaves open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// What is the same for files with the same columns: layout and names, hashed.
    pub fingerprint: String,
}

impl Proposal {
    /// The same with what looks like a credential cut out, and of long texts (prompts, answers)
    /// only their length: who explains columns needs numbers and names.
    #[must_use]
    pub fn without_secrets(mut self) -> Self {
        for column in &mut self.columns {
            let secret = crate::engine_config::names::is_secret(&column.name);
            for text in &mut column.examples {
                *text = shown(text, secret);
            }
        }
        for row in &mut self.rows {
            for (i, text) in row.iter_mut().enumerate() {
                let name = self.columns.get(i).map_or("", |c| c.name.as_str());
                *text = shown(text, crate::engine_config::names::is_secret(name));
            }
        }
        for name in &mut self.measures {
            *name = crate::nsight::redact(name);
        }
        self
    }
}

/// Longest text that is shown as it is, in characters.
const MOST_TEXT: usize = 60;

fn shown(text: &str, secret: bool) -> String {
    let number = text.bytes().all(|b| !b.is_ascii_alphabetic());
    if secret && !number {
        return "[redacted]".to_owned();
    }
    let length = text.chars().count();
    if length > MOST_TEXT {
        return format!("[{length}]");
    }
    crate::nsight::redact(text)
}

/// A column as it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposed {
    /// Its name: the header's, or the path in JSON; `name#2` for the second of the same name.
    pub name: String,
    /// A few of its texts, tamed, each once.
    pub examples: Vec<String>,
    /// Whether every text in it reads as a number or as not captured.
    pub numeric: bool,
}

/// What a person must say, because the file does not: message `question-<code>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The column it is about; empty = the whole table.
    pub column: String,
    /// Stable kebab-case code: `unit`, `decimal`, `rows`, `meaning`, …
    pub code: String,
}

impl Question {
    /// A question about a column.
    pub fn new(column: &str, code: &str) -> Self {
        Self {
            column: tame(column),
            code: code.to_owned(),
        }
    }
}

/// What is the same for files with the same columns, in lower-case hexadecimal.
pub fn fingerprint<'a>(layout: Layout, columns: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    hash.update(layout.id());
    for column in columns {
        let name = super::normal(column);
        // The length keeps `a,b` apart from `ab`.
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}
