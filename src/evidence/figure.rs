//! Figures: tables and series that a reader takes from files for charts and close reading.
//!
//! A figure says what its rows are and how they may be drawn, never how it looks: colours, axes
//! and words are the page's.

use crate::{Unit, reading::tame, statistic::Statistic};
use serde::{Deserialize, Serialize};

/// A table, or series over one axis, taken from the files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Stable kebab-case id, title at `figure-<id>` in the catalogues.
    pub id: String,
    /// Columns in order.
    pub columns: Vec<Column>,
    /// Rows; every row has one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// How to draw it, when it is more than a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plot: Option<Series>,
    /// Values worth a labelled line across the drawing, such as the knee of a sweep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Rows left out because of a cap, if any.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rows_left_out: u64,
}

impl Figure {
    /// A figure of these rows: a table, until a plot is given.
    pub fn new(id: &str, columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Self {
        Self {
            id: id.to_owned(),
            columns,
            rows,
            plot: None,
            marks: Vec::new(),
            rows_left_out: 0,
        }
    }

    /// Says how it is drawn.
    #[must_use]
    pub fn plot(mut self, plot: Series) -> Self {
        self.plot = Some(plot);
        self
    }

    /// Marks `value` of the column `column` with the words `mark-<code>` of the catalogues; a
    /// value that is not known leaves no mark.
    #[must_use]
    pub fn mark(mut self, column: &str, value: Option<f64>, code: &str) -> Self {
        if let Some(value) = value.filter(|v| v.is_finite()) {
            self.marks.push(Mark {
                column: column.to_owned(),
                value,
                code: code.to_owned(),
            });
        }
        self
    }

    /// States the number of rows that a cap left out.
    #[must_use]
    pub fn left_out(mut self, rows: u64) -> Self {
        self.rows_left_out = rows;
        self
    }
}

/// A value of one column that the drawing marks with a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Column id of the axis it stands on.
    pub column: String,
    /// The value, in the unit of that column.
    pub value: f64,
    /// Stable kebab-case code, words at `mark-<code>` in the catalogues.
    pub code: String,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// A column of a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Stable snake_case id, heading at `column-<id with dashes>` in the catalogues.
    pub id: String,
    /// Unit of its numbers; `None` for text.
    pub unit: Option<Unit>,
    /// The signal whose values it holds, so that a contract's limit on that signal can be drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Shown>,
}

/// Which signal the values of a column are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Name from the catalogue.
    pub signal: String,
    /// The statistic, when every value is that one; `None` for single observations, whose axis
    /// bears the limits of every quantile and of the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Statistic>,
}

impl Column {
    /// A column of numbers.
    pub fn number(id: &str, unit: Unit) -> Self {
        Self {
            id: id.to_owned(),
            unit: Some(unit),
            shows: None,
        }
    }

    /// Says which signal its values are.
    #[must_use]
    pub fn shows(mut self, signal: &str, statistic: Option<Statistic>) -> Self {
        self.shows = Some(Shown {
            signal: signal.to_owned(),
            statistic,
        });
        self
    }

    /// A column of text.
    pub fn text(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            unit: None,
            shows: None,
        }
    }
}

/// One cell. `null` in JSON means not captured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number in the column's unit.
    Number(f64),
    /// Text from the file, tamed.
    Text(String),
    /// Not captured.
    Missing(Option<()>),
}

impl Cell {
    /// Text from a file, tamed.
    pub fn text(text: &str) -> Self {
        Self::Text(tame(text))
    }

    /// Not captured.
    pub const NONE: Self = Self::Missing(None);
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        match value {
            Some(v) if v.is_finite() => Self::Number(v),
            _ => Self::NONE,
        }
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Some(value).into()
    }
}

/// How a figure is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "form")]
pub enum Series {
    /// Points joined by lines: column `x` against each of `ys`.
    Line {
        /// Column id of the horizontal axis.
        x: String,
        /// Column ids drawn.
        ys: Vec<String>,
        /// Whether the vertical axis is logarithmic.
        log_y: bool,
    },
    /// One bar per row: `label` column against `value` column.
    Bars {
        /// Column id of the bar's name.
        label: String,
        /// Column id of its length.
        value: String,
    },
    /// One bar per row, made of parts of one unit that follow one another.
    Stacked {
        /// Column id of the bar's name, a number or text.
        label: String,
        /// Column ids of the parts, in their order; a part that was not captured leaves no gap.
        parts: Vec<String>,
    },
}
