//! A reading seen by expected keys: nanoseconds, rounded numbers, rows of figures.

use super::super::frame::Comparison;
use pel_evidence::{Cell, Reading, Statistic};
use serde_json::Value;

/// A view of a reading by nanoseconds.
pub struct Got<'a>(pub &'a Reading);

impl Got<'_> {
    pub fn value(&self, name: &str, statistic: Statistic, labels: &[(&str, &str)]) -> Option<f64> {
        self.signal(name, statistic, labels).map(|s| s.0)
    }

    pub fn signal(
        &self,
        name: &str,
        statistic: Statistic,
        labels: &[(&str, &str)],
    ) -> Option<(f64, Option<u64>)> {
        self.0
            .signals
            .iter()
            .find(|s| {
                s.name == name
                    && s.statistic == statistic
                    && s.labels.len() == labels.len()
                    && labels
                        .iter()
                        .all(|(k, v)| s.labels.get(*k).is_some_and(|l| l == v))
            })
            .map(|s| (s.value, s.samples))
    }

    pub fn nanos(&self, name: &str, statistic: Statistic, labels: &[(&str, &str)]) -> Option<f64> {
        self.value(name, statistic, labels).map(nanos)
    }

    /// Rows of a figure whose cells in the named columns have these texts.
    pub fn rows(&self, figure: &str, texts: &[(&str, &str)]) -> Vec<Row<'_>> {
        let Some(figure) = self.0.figures.iter().find(|f| f.id == figure) else {
            return Vec::new();
        };
        let columns: Vec<&str> = figure.columns.iter().map(|c| c.id.as_str()).collect();
        figure
            .rows
            .iter()
            .map(|cells| Row {
                columns: columns.clone(),
                cells,
            })
            .filter(|row| {
                texts
                    .iter()
                    .all(|(column, text)| row.text(column) == Some(*text))
            })
            .collect()
    }

    pub fn cell(&self, figure: &str, texts: &[(&str, &str)], column: &str) -> Option<f64> {
        self.rows(figure, texts).first()?.number(column)
    }

    pub fn count_notes(&self, code: &str) -> usize {
        self.0.notes.iter().filter(|n| n.code == code).count()
    }
}

pub struct Row<'a> {
    columns: Vec<&'a str>,
    cells: &'a [Cell],
}

impl Row<'_> {
    pub fn cell(&self, column: &str) -> Option<&Cell> {
        let at = self.columns.iter().position(|c| *c == column)?;
        self.cells.get(at)
    }

    pub fn number(&self, column: &str) -> Option<f64> {
        match self.cell(column)? {
            Cell::Number(n) => Some(*n),
            _ => None,
        }
    }

    pub fn text(&self, column: &str) -> Option<&str> {
        match self.cell(column)? {
            Cell::Text(t) => Some(t),
            _ => None,
        }
    }
}

pub fn nanos(seconds: f64) -> f64 {
    (seconds * 1e9).round()
}

/// Nanoseconds that may have a half (a median of an even number).
pub fn half_nanos(seconds: f64) -> f64 {
    (seconds * 2e9).round() / 2.0
}

pub fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// Compares with a number that was rounded to `decimals`.
pub fn rounded(c: &mut Comparison, path: &str, expected: &Value, decimals: i32, got: Option<f64>) {
    let expected = float(expected);
    let half = 0.5 * 10f64.powi(-decimals) * (1.0 + 1e-6);
    let close = got.filter(|g| (g - expected).abs() <= half + expected.abs() * 1e-12);
    c.number(path, expected, close.map(|_| expected).or(got));
}

/// Compares a whole number where a table that was not recorded counts as nothing.
pub fn or_nothing(c: &mut Comparison, path: &str, expected: &Value, got: Option<f64>) {
    match got {
        None if expected.as_f64() == Some(0.0) => c.absent(path, None),
        got => c.number(path, float(expected), got),
    }
}

pub fn each(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}
