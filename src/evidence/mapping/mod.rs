//! Mappings: what the columns of a table mean, as a person said it.
//!
//! A table of numbers does not say what it measured. Its reader then refuses with `needs-mapping`
//! and a [`Proposal`]: columns, examples, guesses. A person answers with a [`Mapping`], which is
//! kept, and the same bytes are read again with it. Nothing here opens a file: the readers do.

mod field;
mod header;
mod number;
mod proposal;
#[cfg(test)]
mod tests;

pub use field::{Field, Takes};
pub use header::{Named, normal, unit_in};
pub use number::{Numbers, Thousands, Unclear, not_captured};
pub use proposal::{Layout, MOST_EXAMPLES, MOST_ROWS, Proposal, Proposed, Question, fingerprint};

use crate::{Refusal, Statistic, catalogue};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Version of the JSON layout of [`Mapping`].
pub const VERSION: u32 = 1;
/// Most columns a mapping may name.
pub const MOST_COLUMNS: usize = 512;
/// Most names of measures that a mapping of a tall table may hold.
pub const MOST_MEASURES: usize = 512;

/// What a table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// One row per request: signals are computed from the rows.
    Requests,
    /// Numbers that somebody or something measured already.
    Measurements,
}

impl Subject {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Requests, Self::Measurements];

    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Measurements => "measurements",
        }
    }
}

/// What the columns of a table mean. Its JSON is what `pel inspect --mapping` takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// Layout version, [`VERSION`].
    pub version: u32,
    /// What the table holds.
    pub subject: Subject,
    /// The line of the names, counted from 1 among the lines that are not empty; 0 when the table
    /// has none and its columns are called `1`, `2`, … JSON has none of its own and ignores this.
    #[serde(default = "first_line")]
    pub header: u32,
    /// How numbers are written.
    #[serde(default)]
    pub numbers: Numbers,
    /// What the columns mean, by the name the proposal gave them: the name in the header, the path
    /// in JSON with dots (`usage.prompt_tokens`), `name#2` for the second of the same name. A
    /// column that is not listed is ignored.
    pub columns: Vec<Column>,
    /// Tall tables: what the names in the column [`Meaning::Measure`] mean.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, Measure>,
    /// Only rows with this text in this column are read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
    /// Number of observations behind each value, where no column says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
}

fn first_line() -> u32 {
    1
}

/// What one column means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name, as the proposal spells it.
    pub column: String,
    /// What it means.
    #[serde(flatten)]
    pub means: Meaning,
}

/// What a column means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "as")]
pub enum Meaning {
    /// Nothing that is read.
    Ignored,
    /// A fact about a request (subject `requests`).
    Field {
        /// Which fact.
        field: Field,
        /// Unit of its numbers: a spelling of the field's unit (`ms`), or for times also `date`,
        /// a written date and time. Absent where the field has no unit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
    },
    /// A value of the catalogue (subject `measurements`).
    Signal {
        /// Name from the catalogue.
        signal: String,
        /// Which statistic of it.
        statistic: Statistic,
        /// A spelling of its unit.
        unit: String,
    },
    /// What the row is for: `class`, `run`, `load`, `device`, …
    Label {
        /// Name of the label, snake_case.
        label: String,
    },
    /// Number of observations behind the values of the row.
    Samples,
    /// Tall tables: the name of what the row measured, looked up in [`Mapping::measures`].
    Measure,
    /// Tall tables: the values, of a statistic that the column's name says or the measure does.
    Value {
        /// The statistic of this column; absent = the measure's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        statistic: Option<Statistic>,
    },
    /// Tall tables: the unit of the row's values, as a spelling. The measure's own comes after it.
    Unit,
}

/// What a name of a tall table means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Name from the catalogue.
    pub signal: String,
    /// Its statistic, where the column of values does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Statistic>,
    /// A spelling of its unit, where no column says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// Which rows are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Only {
    /// The column looked at.
    pub column: String,
    /// The text it must hold, blanks around it aside.
    pub text: String,
}

impl Mapping {
    /// An empty mapping: nothing is read yet.
    pub fn new(subject: Subject) -> Self {
        Self {
            version: VERSION,
            subject,
            header: 1,
            numbers: Numbers::default(),
            columns: Vec::new(),
            measures: BTreeMap::new(),
            only: None,
            samples: None,
        }
    }

    /// Adds the meaning of a column.
    #[must_use]
    pub fn with(mut self, column: &str, means: Meaning) -> Self {
        self.columns.push(Column {
            column: column.to_owned(),
            means,
        });
        self
    }

    /// What a column means; one that is not listed is ignored.
    pub fn meaning(&self, column: &str) -> &Meaning {
        self.columns
            .iter()
            .find(|c| c.column == column)
            .map_or(&Meaning::Ignored, |c| &c.means)
    }

    /// The column of a request field and the unit it is in.
    pub fn field(&self, wanted: Field) -> Option<(&str, Option<&str>)> {
        self.columns.iter().find_map(|c| match &c.means {
            Meaning::Field { field, unit } if *field == wanted => {
                Some((c.column.as_str(), unit.as_deref()))
            }
            _ => None,
        })
    }

    /// Whether it can be read with: everything it names exists, units belong to what they are for,
    /// and every meaning fits the subject. That the columns are in the file is the reader's.
    ///
    /// # Errors
    /// `mapping-…` for the first thing that is wrong, naming the column.
    pub fn check(&self, file: &str) -> Result<(), Refusal> {
        if self.version != VERSION {
            return Err(Refusal::new(file, "mapping-version").arg("version", self.version));
        }
        if self.columns.len() > MOST_COLUMNS || self.measures.len() > MOST_MEASURES {
            return Err(Refusal::new(file, "mapping-too-large").arg("limit", MOST_COLUMNS));
        }
        if !self.numbers.is_sound() {
            return Err(Refusal::new(file, "mapping-separators"));
        }
        let (mut names, mut once) = (BTreeSet::new(), BTreeSet::new());
        for c in &self.columns {
            if !names.insert(&c.column) {
                return Err(at("mapping-column-twice", file, &c.column));
            }
            c.check(self.subject, file)?;
            let alone = match &c.means {
                Meaning::Field { field, .. } if !field.repeats() => field.id().to_owned(),
                Meaning::Label { label } => format!("label {label}"),
                Meaning::Samples => "samples".to_owned(),
                Meaning::Measure => "measure".to_owned(),
                Meaning::Unit => "unit".to_owned(),
                _ => continue,
            };
            if !once.insert(alone) {
                return Err(at("mapping-meaning-twice", file, &c.column));
            }
        }
        self.check_tall(file)?;
        if self.reads_something() {
            Ok(())
        } else {
            Err(Refusal::new(file, "mapping-empty"))
        }
    }

    /// Whether a column yields anything.
    fn reads_something(&self) -> bool {
        self.columns.iter().any(|c| {
            matches!(
                c.means,
                Meaning::Field { .. } | Meaning::Signal { .. } | Meaning::Value { .. }
            )
        })
    }

    fn check_tall(&self, file: &str) -> Result<(), Refusal> {
        let has = |wanted: fn(&Meaning) -> bool| self.columns.iter().any(|c| wanted(&c.means));
        let measure = has(|m| matches!(m, Meaning::Measure));
        let values = has(|m| matches!(m, Meaning::Value { .. }));
        if measure != values || (measure && self.measures.is_empty()) {
            return Err(Refusal::new(file, "mapping-tall-incomplete"));
        }
        let unit_column = has(|m| matches!(m, Meaning::Unit));
        for (name, m) in &self.measures {
            let def = catalogue::find(&m.signal)
                .ok_or_else(|| at("mapping-signal-unknown", file, name).arg("signal", &m.signal))?;
            match &m.unit {
                Some(unit) if def.unit.to_base(1.0, unit).is_none() => {
                    return Err(at("mapping-unit", file, name).arg("unit", unit));
                }
                None if !unit_column => return Err(at("mapping-unit-missing", file, name)),
                _ => {}
            }
            let stated = |c: &Column| {
                !matches!(c.means, Meaning::Value { statistic: None }) || m.statistic.is_some()
            };
            if !self.columns.iter().all(stated) {
                return Err(at("mapping-statistic-missing", file, name));
            }
        }
        Ok(())
    }
}

impl Column {
    fn check(&self, subject: Subject, file: &str) -> Result<(), Refusal> {
        let wrong = |code: &str| Err(at(code, file, &self.column));
        let requests = subject == Subject::Requests;
        match &self.means {
            Meaning::Ignored => Ok(()),
            Meaning::Field { field, unit } if requests => match (field.takes(), unit.as_deref()) {
                (field::Takes::Text, None) => Ok(()),
                (field::Takes::Time, Some("date")) => Ok(()),
                (field::Takes::Text, Some(_)) => wrong("mapping-unit-none"),
                (_, None) => wrong("mapping-unit-missing"),
                (takes, Some(spelling)) => match takes.unit().to_base(1.0, spelling) {
                    Some(_) => Ok(()),
                    None => Err(at("mapping-unit", file, &self.column).arg("unit", spelling)),
                },
            },
            Meaning::Label { label } => {
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                if label.is_empty() || label.len() > 40 || !label.chars().all(plain) {
                    return wrong("mapping-label");
                }
                Ok(())
            }
            Meaning::Signal { signal, unit, .. } if !requests => {
                let Some(def) = catalogue::find(signal) else {
                    return Err(
                        at("mapping-signal-unknown", file, &self.column).arg("signal", signal)
                    );
                };
                match def.unit.to_base(1.0, unit) {
                    Some(_) => Ok(()),
                    None => Err(at("mapping-unit", file, &self.column).arg("unit", unit)),
                }
            }
            Meaning::Samples | Meaning::Measure | Meaning::Value { .. } | Meaning::Unit
                if !requests =>
            {
                Ok(())
            }
            _ => wrong("mapping-subject"),
        }
    }
}

fn at(code: &str, file: &str, column: &str) -> Refusal {
    Refusal::new(file, code).arg("column", column)
}
