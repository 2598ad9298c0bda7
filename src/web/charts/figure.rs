//! A figure of a reading as charts and a table. Lines of different units go into charts of their
//! own; rows that belong to different things (engines, devices) become lines of their own.

use super::{
    Chart, Naming,
    bars::{self, Bar, Bars},
    line::{LINES, Line, Lines},
    scale,
};
use crate::i18n::Lang;
use crate::web::{
    Page,
    case::cut,
    format::{self, Markup},
    say,
};
use pel_evidence::{Cell, Column, Figure, Series, Unit};

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

/// A figure as shown; `index` tells it apart on its page.
pub fn view(page: &Page, figure: &Figure, index: usize) -> FigureView {
    let title = page.t(&say::key("figure", &figure.id));
    let mut notes = Vec::new();
    let charts = match &figure.plot {
        Some(Series::Line { x, ys, log_y }) => {
            lines(page, figure, &title, index, (x, ys, *log_y), &mut notes)
        }
        Some(Series::Bars { label, value }) => {
            bars(page, figure, &title, index, (label, value), &mut notes)
        }
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
        (Cell::Text(text), _) => Markup::trusted(super::escape(&edges(page, &column.id, text))),
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

fn lines(
    page: &Page,
    figure: &Figure,
    title: &str,
    index: usize,
    (x, ys, log): (&str, &[String], bool),
    notes: &mut Vec<String>,
) -> Vec<Chart> {
    let Some((x_at, x_unit)) = column(figure, x) else {
        return Vec::new();
    };
    let x_shown = scale::shown(
        x_unit,
        greatest(figure.rows.iter().filter_map(|r| number(r, x_at))),
    );
    let x_title = with_unit(&column_name(page, &figure.columns[x_at]), x_shown.sign);
    let mut units: Vec<Unit> = Vec::new();
    let columns: Vec<(usize, Unit)> = ys.iter().filter_map(|y| column(figure, y)).collect();
    for (_, unit) in &columns {
        if !units.contains(unit) {
            units.push(*unit);
        }
    }
    let mut charts = Vec::new();
    for (i, unit) in units.into_iter().enumerate() {
        let of_unit: Vec<usize> = columns
            .iter()
            .filter(|(_, u)| *u == unit)
            .map(|(at, _)| *at)
            .collect();
        let shown = scale::shown(
            unit,
            greatest(
                figure
                    .rows
                    .iter()
                    .flat_map(|r| of_unit.iter().filter_map(|at| number(r, *at))),
            ),
        );
        let drawn = Lines {
            lang: page.lang,
            y_title: String::new(),
            x_title: x_title.clone(),
            lines: split(page, figure, x_at, &of_unit, (x_shown.factor, shown.factor)),
            log,
            limit: None,
        };
        let name = match of_unit.as_slice() {
            [one] => column_name(page, &figure.columns[*one]),
            _ => page.t(&say::key("unit", unit.id())),
        };
        let mut y_title = with_unit(&name, shown.sign);
        if drawn.is_log() {
            y_title = page.t1("chart-axis-log", "title", y_title);
        }
        if drawn.lines.len() > LINES {
            notes.push(page.t2(
                "chart-lines-left-out",
                "shown",
                LINES,
                "count",
                drawn.lines.len() - LINES,
            ));
        }
        let naming = Naming {
            id: format!("f{index}-{i}"),
            title: title.to_owned(),
            desc: describe(page, &drawn, &y_title),
        };
        charts.extend(Lines { y_title, ..drawn }.chart(&naming));
    }
    charts
}

/// One line per column and per thing that the rows' text names.
fn split(
    page: &Page,
    figure: &Figure,
    x_at: usize,
    ys: &[usize],
    (x_factor, y_factor): (f64, f64),
) -> Vec<Line> {
    let texts: Vec<usize> = (0..figure.columns.len())
        .filter(|at| *at != x_at && figure.columns[*at].unit.is_none())
        .collect();
    let thing = |row: &[Cell]| {
        texts
            .iter()
            .filter_map(|at| match row.get(*at) {
                Some(Cell::Text(t)) if !t.is_empty() => Some(cut(t, 30)),
                _ => None,
            })
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut things: Vec<String> = Vec::new();
    for row in &figure.rows {
        let t = thing(row);
        if !things.contains(&t) && things.len() <= LINES {
            things.push(t);
        }
    }
    // Text that is different in every row says something about a point, not whose it is.
    if things.len() > LINES {
        things = vec![String::new()];
    }
    let one = things.len() < 2;
    let mut out = Vec::new();
    for name in &things {
        for at in ys {
            let column = column_name(page, &figure.columns[*at]);
            out.push(Line {
                name: match (one, ys.len()) {
                    (true, _) => column,
                    (false, 1) => name.clone(),
                    (false, _) => format!("{column} {name}"),
                },
                points: figure
                    .rows
                    .iter()
                    .filter(|r| one || thing(r) == *name)
                    .filter_map(|r| Some((number(r, x_at)? * x_factor, number(r, *at)? * y_factor)))
                    .collect(),
            });
        }
    }
    out
}

fn describe(page: &Page, lines: &Lines, y_title: &str) -> String {
    lines
        .lines
        .iter()
        .take(LINES)
        .filter(|l| !l.points.is_empty())
        .map(|l| {
            let least = l.points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
            let most = l
                .points
                .iter()
                .map(|p| p.1)
                .fold(f64::NEG_INFINITY, f64::max);
            page.text(
                "chart-line-desc",
                &[
                    ("name", &l.name),
                    ("axis", y_title),
                    ("least", &format::number(page.lang, least)),
                    ("most", &format::number(page.lang, most)),
                    ("count", &l.points.len().to_string()),
                ],
            )
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Labels whose rows stand in an order that means something.
const ORDERED: [&str; 2] = ["bucket_seconds", "gap_length"];

/// The edges of a bucket in the reader's language with their unit: `0.5–0.75 s`.
fn edges(page: &Page, column: &str, name: &str) -> String {
    if column != "bucket_seconds" {
        return name.to_owned();
    }
    let digits = match page.lang {
        Lang::PtBr => name.replace('.', ","),
        Lang::En => name.to_owned(),
    };
    format!("{digits}{}s", format::THIN)
}

/// What was done to make so few bars of the rows.
fn fitting(page: &Page, fitted: &bars::Fitted) -> Vec<String> {
    let mut done = Vec::new();
    if fitted.trimmed > 0 {
        done.push(page.t1("chart-bars-trimmed", "count", fitted.trimmed));
    }
    if fitted.joined > 0 {
        done.push(page.t1("chart-bars-joined", "n", fitted.joined));
    }
    if fitted.summed > 0 {
        done.push(page.t2(
            "chart-bars-summed",
            "shown",
            fitted.rows.len() - 1,
            "count",
            fitted.summed,
        ));
    }
    done
}

fn bars(
    page: &Page,
    figure: &Figure,
    title: &str,
    index: usize,
    (label, value): (&str, &str),
    notes: &mut Vec<String>,
) -> Vec<Chart> {
    let Some(label_at) = figure.columns.iter().position(|c| c.id == label) else {
        return Vec::new();
    };
    let Some((value_at, unit)) = column(figure, value) else {
        return Vec::new();
    };
    let rows: Vec<(String, f64)> = figure
        .rows
        .iter()
        .filter_map(|r| {
            let name = match r.get(label_at)? {
                Cell::Text(text) => cut(text, 80),
                other => plain(page, other, &figure.columns[label_at]),
            };
            Some((name, number(r, value_at)?))
        })
        .collect();
    let fitted = if ORDERED.contains(&label) {
        bars::fit_ordered(rows)
    } else {
        bars::fit_free(rows, |n| page.t1("chart-others", "count", n))
    };
    let done = fitting(page, &fitted);
    let named = fitted.rows.len() - usize::from(fitted.summed > 0);
    let drawn: Vec<Bar> = fitted
        .rows
        .into_iter()
        .map(|(name, v)| Bar {
            name: edges(page, label, &name),
            value: v,
            words: format::value(page.lang, v, unit).to_string(),
        })
        .collect();
    let longest = drawn[..named]
        .iter()
        .max_by(|a, b| a.value.total_cmp(&b.value));
    let mut desc = longest.map_or_else(String::new, |b| {
        page.text(
            "chart-bars-desc",
            &[
                ("count", &drawn.len().to_string()),
                ("name", &b.name),
                ("value", &b.words),
            ],
        )
    });
    for said in &done {
        desc.push(' ');
        desc.push_str(said);
    }
    notes.extend(done);
    let naming = Naming {
        id: format!("f{index}"),
        title: title.to_owned(),
        desc,
    };
    let chart = Bars {
        title: column_name(page, &figure.columns[value_at]),
        bars: drawn,
    };
    chart.chart(&naming).into_iter().collect()
}
