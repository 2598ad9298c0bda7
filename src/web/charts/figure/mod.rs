//! A figure of a reading as charts and a table. Lines of different units go into charts of their
//! own; rows that belong to different things (engines, devices) become lines of their own.

mod bars;
mod lines;
mod reference;
mod stacked;

use super::Chart;
use crate::web::{
    Page,
    case::cut,
    format::{self, Markup},
    say,
};
use pel_evidence::{Cell, Column, Figure, Series, Unit};
pub use reference::{Reference, references};

/// Rows of a table before the rest is only counted; the reading as JSON has them all.
const ROWS: usize = 60;

/// A figure as shown.
pub struct FigureView {
    /// Its title.
    pub title: String,
    /// What stands under the title: what was left out, how it was drawn.
    pub notes: Vec<String>,
    /// Charts, if it is more than a table.
    pub charts: Vec<Chart>,
    /// Headings: words, whether a number.
    pub columns: Vec<(String, bool)>,
    /// Rows of cells: words, whether a number.
    pub rows: Vec<Vec<(Markup, bool)>>,
}

/// A figure as shown; `index` tells it apart on its page, `references` are drawn where it shows
/// their signal.
pub fn view(page: &Page, figure: &Figure, index: usize, references: &[Reference]) -> FigureView {
    let title = page.t(&say::key("figure", &figure.id));
    let mut notes = Vec::new();
    let of = Of {
        page,
        figure,
        title: &title,
        index,
        references,
    };
    let charts = match &figure.plot {
        Some(Series::Line { x, ys, log_y }) => lines::lines(&of, (x, ys, *log_y), &mut notes),
        Some(Series::Bars { label, value }) => bars::bars(&of, (label, value), &mut notes),
        Some(Series::Stacked { label, parts }) => stacked::stacked(&of, label, parts, &mut notes),
        None => Vec::new(),
    };
    let shown = figure.rows.len().min(ROWS);
    let hidden = figure.rows.len() - shown + usize::try_from(figure.rows_left_out).unwrap_or(0);
    if hidden > 0 {
        notes.push(page.t1("chart-rows-left-out", "count", hidden));
    }
    FigureView {
        title,
        notes,
        charts,
        columns: figure
            .columns
            .iter()
            .map(|c| (column_name(page, c), c.unit.is_some()))
            .collect(),
        rows: figure
            .rows
            .iter()
            .take(ROWS)
            .map(|row| {
                row.iter()
                    .zip(&figure.columns)
                    .map(|(cell, column)| (words(page, cell, column), column.unit.is_some()))
                    .collect()
            })
            .collect(),
    }
}

/// A figure on its way to a chart.
struct Of<'a> {
    page: &'a Page,
    figure: &'a Figure,
    title: &'a str,
    index: usize,
    references: &'a [Reference],
}

fn column_name(page: &Page, column: &Column) -> String {
    let key = say::key("column", &column.id);
    if crate::i18n::has(page.lang, &key) {
        page.t(&key)
    } else {
        column.id.clone()
    }
}

fn words(page: &Page, cell: &Cell, column: &Column) -> Markup {
    match (cell, column.unit) {
        (Cell::Number(v), Some(unit)) => format::value(page.lang, *v, unit).html(),
        (Cell::Number(v), None) => Markup::trusted(format::number(page.lang, *v)),
        (Cell::Text(text), _) => {
            Markup::trusted(super::escape(&bars::edges(page, &column.id, text)))
        }
        (Cell::Missing(_), _) => Markup::trusted(format!(
            "<span class=\"muted\">{}</span>",
            super::escape(&page.t("chart-not-captured"))
        )),
    }
}

fn plain(page: &Page, cell: &Cell, column: &Column) -> String {
    match (cell, column.unit) {
        (Cell::Number(v), Some(unit)) => format::value(page.lang, *v, unit).to_string(),
        (Cell::Number(v), None) => format::number(page.lang, *v),
        (Cell::Text(text), _) => cut(text, 80),
        (Cell::Missing(_), _) => page.t("chart-not-captured"),
    }
}

fn column(figure: &Figure, id: &str) -> Option<(usize, Unit)> {
    let at = figure.columns.iter().position(|c| c.id == id)?;
    Some((at, figure.columns[at].unit?))
}

fn number(row: &[Cell], at: usize) -> Option<f64> {
    match row.get(at)? {
        Cell::Number(v) if v.is_finite() => Some(*v),
        _ => None,
    }
}

fn greatest(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(0.0, f64::max)
}

/// A name with its unit in brackets behind a comma: `Latency p99, ms`.
fn with_unit(name: &str, sign: &str) -> String {
    if sign.is_empty() {
        name.to_owned()
    } else {
        format!("{name}, {sign}")
    }
}
