//! Sentences: message keys with named arguments, rendered at the edge in the reader's language.
//!
//! A sentence keeps numbers as numbers with their unit, so that the page formats them and a
//! decision record can be read by a machine a year later.

use chrono::{DateTime, Utc};
use pel_evidence::{Statistic, Unit};
use serde::{Deserialize, Serialize};

/// One argument of a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arg {
    /// Text as it is: a name, an id such as `R-7`.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number with its base unit.
    Value(f64, Unit),
    /// A statistic.
    Statistic(Statistic),
    /// A catalogued signal, shown by its label.
    Signal(String),
    /// An instant.
    Time(DateTime<Utc>),
    /// A message key of its own, translated when shown.
    Key(String),
    /// Several arguments, joined with commas.
    List(Vec<Arg>),
}

/// A message key with named arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sentence {
    /// Key of the catalogues.
    pub key: String,
    /// Named arguments in the order given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<(String, Arg)>,
}

impl Sentence {
    /// A sentence without arguments.
    pub fn new(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            args: Vec::new(),
        }
    }

    /// Adds a named argument.
    #[must_use]
    pub fn with(mut self, name: &str, arg: Arg) -> Self {
        self.args.push((name.to_owned(), arg));
        self
    }

    /// Adds text.
    #[must_use]
    pub fn text(self, name: &str, text: impl ToString) -> Self {
        let text = text.to_string();
        self.with(name, Arg::Text(text))
    }

    /// Adds a whole number.
    #[must_use]
    pub fn count(self, name: &str, n: usize) -> Self {
        self.with(name, Arg::Count(n as u64))
    }
}
