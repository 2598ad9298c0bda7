//! A figure as lines over one axis.

use super::{Of, Reference, column, column_name, greatest, number, with_unit};
use crate::web::{
    Page,
    case::cut,
    charts::{
        Chart, Naming,
        line::{LINES, Line, Lines, Rule},
        scale,
    },
    format, say,
};
use pel_evidence::{Cell, Figure, Mark, Unit};

/// Straight lines on one axis at most.
const RULES: usize = 5;

/// The charts, one per unit of the lines.
pub(super) fn lines(
    of: &Of<'_>,
    (x, ys, log): (&str, &[String], bool),
    notes: &mut Vec<String>,
) -> Vec<Chart> {
    let Of {
        page,
        figure,
        title,
        index,
        ..
    } = *of;
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
            across: of_unit
                .iter()
                .flat_map(|at| rules(of, *at, shown.factor))
                .collect(),
            upright: rules(of, x_at, x_shown.factor),
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

/// What is marked on the axis of a column, and what the contract says of its signal.
fn rules(of: &Of<'_>, at: usize, factor: f64) -> Vec<Rule> {
    let column = &of.figure.columns[at];
    let marked = |m: &Mark| Rule {
        at: m.value * factor,
        words: of.page.t(&say::key("mark", &m.code)),
        limit: false,
    };
    let referred = |r: &Reference| Rule {
        at: r.value * factor,
        words: r.words.clone(),
        limit: r.limit,
    };
    let marks = of.figure.marks.iter().filter(|m| m.column == column.id);
    let references = of.references.iter().filter(|r| r.is_of(column));
    marks
        .map(marked)
        .chain(references.map(referred))
        .take(RULES)
        .collect()
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
