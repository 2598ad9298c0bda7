//! Refusals: a file that cannot be read is an answer with a reason, a place and a way out.

use crate::Proposal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Code of the refusal that asks for a mapping.
pub const NEEDS_MAPPING: &str = "needs-mapping";

/// Why a file was not read. It is a result, not a crash: the sentence is the message
/// `refusal-<code>` of the catalogues with [`Refusal::args`], the way out `refusal-<code>-remedy`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{file}: {code}")]
pub struct Refusal {
    /// Name of the refused file as its owner gave it.
    pub file: String,
    /// Stable kebab-case code, e.g. `nsight-binary-report`.
    pub code: String,
    /// Named arguments of the sentence (text from files is shortened to 200 characters).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, String>,
    /// First offending place, e.g. `line 12` or `byte 4096`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Box<str>>,
    /// A command that makes the file readable, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What a person has to say before the file can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<Box<Proposal>>,
}

impl Refusal {
    /// A refusal of `file` for the reason `code`.
    pub fn new(file: impl Into<String>, code: &str) -> Self {
        Self {
            file: file.into(),
            code: code.to_owned(),
            args: BTreeMap::new(),
            place: None,
            command: None,
            asks: None,
        }
    }

    /// Adds a named argument; text is cut to 200 characters and stripped of control characters.
    #[must_use]
    pub fn arg(mut self, name: &str, value: impl ToString) -> Self {
        self.args
            .insert(name.to_owned(), crate::reading::tame(&value.to_string()));
        self
    }

    /// Names the first offending place.
    #[must_use]
    pub fn at(mut self, place: impl Into<Box<str>>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Names the command that makes the file readable.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }

    /// A refusal because the table does not say what it measured: a person is asked.
    pub fn needs_mapping(file: impl Into<String>, proposal: Proposal) -> Self {
        Self {
            asks: Some(Box::new(proposal.without_secrets())),
            ..Self::new(file, NEEDS_MAPPING)
        }
    }

    /// A refusal because the operating system could not read the file.
    pub fn io(file: impl Into<String>, error: &std::io::Error) -> Self {
        Self::new(file, "io").arg("error", error)
    }
}
