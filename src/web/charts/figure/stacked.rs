//! A figure as bars made of parts, one per row.

use super::{Of, column, column_name, greatest, number, plain, with_unit};
use crate::web::{
    charts::{
        Chart, Naming, scale,
        stacked::{Bar, PARTS, Stacked, spread},
    },
    format,
};

/// The chart. Parts of another unit than the first are left to the table.
pub(super) fn stacked(
    of: &Of<'_>,
    label: &str,
    parts: &[String],
    notes: &mut Vec<String>,
) -> Vec<Chart> {
    let (page, figure) = (of.page, of.figure);
    let Some(label_at) = figure.columns.iter().position(|c| c.id == label) else {
        return Vec::new();
    };
    let mut columns: Vec<_> = parts.iter().filter_map(|p| column(figure, p)).collect();
    let Some((_, unit)) = columns.first().copied() else {
        return Vec::new();
    };
    columns.retain(|(_, u)| *u == unit);
    // A part that no row captured has no place in the drawing, nor in its legend.
    columns.retain(|(at, _)| figure.rows.iter().any(|r| number(r, *at).is_some()));
    columns.truncate(PARTS);
    let rows = spread(figure.rows.len());
    if rows.len() < figure.rows.len() {
        let count = figure.rows.len();
        notes.push(page.t2("chart-stacks-spread", "shown", rows.len(), "count", count));
    }
    let bars: Vec<Bar> = rows
        .into_iter()
        .map(|i| {
            let row = &figure.rows[i];
            let parts: Vec<Option<f64>> = columns.iter().map(|(at, _)| number(row, *at)).collect();
            let sum: f64 = parts.iter().flatten().sum();
            Bar {
                name: row
                    .get(label_at)
                    .map_or_else(String::new, |c| plain(page, c, &figure.columns[label_at])),
                words: format::value(page.lang, sum, unit).to_string(),
                parts,
            }
        })
        .collect();
    let greatest = greatest(bars.iter().flat_map(|b| b.parts.iter().flatten().copied()));
    let label_name = column_name(page, &figure.columns[label_at]);
    let drawn = Stacked {
        title: page.t2(
            "chart-stacks-title",
            "label",
            label_name,
            "measure",
            with_unit(
                &page.t("chart-stacks-sum"),
                scale::shown(unit, greatest).sign,
            ),
        ),
        parts: columns
            .iter()
            .map(|(at, _)| column_name(page, &figure.columns[*at]))
            .collect(),
        bars,
    };
    let naming = Naming {
        id: format!("f{}", of.index),
        title: of.title.to_owned(),
        desc: page.t2(
            "chart-stacks-desc",
            "count",
            drawn.bars.len(),
            "parts",
            drawn.parts.join(", "),
        ),
    };
    drawn.chart(&naming).into_iter().collect()
}
