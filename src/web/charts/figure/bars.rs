//! A figure as bars, one per row.

use super::{Of, column, column_name, number, plain};
use crate::i18n::Lang;
use crate::web::{
    Page,
    case::cut,
    charts::{
        Chart, Naming,
        bars::{self, Bar, Bars},
    },
    format,
};
use pel_evidence::Cell;

/// Labels whose rows stand in an order that means something.
const ORDERED: [&str; 3] = ["bucket_seconds", "bucket_tokens", "gap_length"];

/// The edges of a bucket in the reader's language with their unit: `0.5–0.75 s`.
pub(super) fn edges(page: &Page, column: &str, name: &str) -> String {
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

/// The chart.
pub(super) fn bars(
    of: &Of<'_>,
    (label, value): (&str, &str),
    notes: &mut Vec<String>,
) -> Vec<Chart> {
    let Of {
        page,
        figure,
        title,
        index,
        ..
    } = *of;
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
