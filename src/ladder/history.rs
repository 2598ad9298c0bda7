//! A case written out whole, and read back to be looked at. What comes back is history: it has a
//! type of its own, so no gate, condition or comparison can be asked about it.

use super::case::CaseFile;
use super::{Sentence, digest};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// Name and version of the format.
pub const FORMAT: &str = "pel-case/1";

/// A sealed decision as it is carried along.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Id: its address where it was taken.
    pub id: Uuid,
    /// `accepted`, `rejected` or `rolled_back`.
    pub kind: String,
    /// Who took it, by name.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Digest it was sealed with.
    pub digest: String,
    /// The record.
    pub record: Value,
}

/// What a case was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// When it was written out.
    pub exported_at: DateTime<Utc>,
    /// Version of the program that wrote it.
    pub app_version: String,
    /// The snapshot of the case.
    pub case: CaseFile,
    /// Decisions, oldest first.
    pub decisions: Vec<Decided>,
}

/// The file: a content with its digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exported {
    /// [`FORMAT`].
    pub format: String,
    /// SHA-256 in hex over the canonical JSON of `content`: keys sorted, no blanks.
    pub sha256: String,
    /// The content.
    pub content: Value,
}

impl Exported {
    /// Writes a content out. `None` when it holds something that JSON cannot (no content of ours
    /// does).
    pub fn of(content: &Content) -> Option<Self> {
        let content = serde_json::to_value(content).ok()?;
        Some(Self {
            format: FORMAT.to_owned(),
            sha256: digest(&content),
            content,
        })
    }

    /// Reads a file back and checks its digest.
    ///
    /// # Errors
    /// A sentence naming what is wrong and where.
    pub fn read(bytes: &[u8]) -> Result<(Self, Content), Sentence> {
        let file: Self = serde_json::from_slice(bytes).map_err(|e| not_json(&e))?;
        if file.format != FORMAT {
            let found: String = file.format.chars().take(40).collect();
            return Err(Sentence::new("history-other-format")
                .text("found", found)
                .text("wanted", FORMAT));
        }
        if digest(&file.content) != file.sha256 {
            return Err(Sentence::new("history-altered"));
        }
        let content = serde_json::from_value(file.content.clone())
            .map_err(|e| Sentence::new("history-unreadable").text("detail", e))?;
        Ok((file, content))
    }
}

fn not_json(error: &serde_json::Error) -> Sentence {
    Sentence::new("history-not-json")
        .text("line", error.line())
        .text("column", error.column())
        .text("detail", error)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{now, ready};
    use super::*;

    fn content() -> Content {
        Content {
            exported_at: now(),
            app_version: "0.1.0".to_owned(),
            case: ready(),
            decisions: Vec::new(),
        }
    }

    #[test]
    fn x29_what_was_written_out_comes_back_the_same() {
        let file = Exported::of(&content()).expect("it is JSON");
        let text = serde_json::to_vec_pretty(&file).expect("it is JSON");
        let (again, back) = Exported::read(&text).expect("it is sound");
        assert_eq!(again, file);
        assert_eq!(back, content());
    }

    #[test]
    fn x29_an_altered_or_foreign_file_is_refused_with_the_reason() {
        let refused = |bytes: &[u8]| Exported::read(bytes).map(|_| ()).map_err(|s| s.key);
        let file = Exported::of(&content()).expect("it is JSON");
        let mut altered = file.clone();
        altered.content["case"]["title"] = Value::from("another title");
        let text = serde_json::to_vec(&altered).expect("it is JSON");
        assert_eq!(refused(&text), Err("history-altered".to_owned()));
        let mut other = file;
        other.format = "pel-case/9".to_owned();
        let text = serde_json::to_vec(&other).expect("it is JSON");
        assert_eq!(refused(&text), Err("history-other-format".to_owned()));
        for bytes in [&b"not json"[..], b"", b"{}", b"[1,2", &[0xff, 0xfe]] {
            assert_eq!(refused(bytes), Err("history-not-json".to_owned()));
        }
        let empty = serde_json::json!({});
        let hollow = Exported {
            format: FORMAT.to_owned(),
            sha256: digest(&empty),
            content: empty,
        };
        let text = serde_json::to_vec(&hollow).expect("it is JSON");
        assert_eq!(refused(&text), Err("history-unreadable".to_owned()));
    }
}
