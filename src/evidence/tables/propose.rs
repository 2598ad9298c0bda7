//! The question to a person: the table gone through once, its first rows, and a guess.

use super::{
    cells::{Row, Table},
    guess, walk,
};
use crate::{
    Refusal, Source,
    mapping::{Layout, MOST_EXAMPLES, MOST_MEASURES, MOST_ROWS, Proposal, Proposed, fingerprint},
};

/// Rows kept to guess from.
const MOST_KEPT: usize = 200;
/// Most cells shown: a wide table shows fewer rows.
const MOST_CELLS: usize = 1000;
/// Longest cell shown, in characters.
const MOST_SHOWN: usize = 60;

/// Goes through the table and says what is to be asked.
///
/// # Errors
/// As [`walk`]: a table that cannot be gone through to its end is refused, not asked about.
pub fn proposal(source: &Source, layout: Layout, header: Option<u32>) -> Result<Proposal, Refusal> {
    let mut rows: Vec<Row> = Vec::new();
    let table = walk(source, layout, header, &mut |_, row| {
        if rows.len() < MOST_KEPT {
            rows.push(row);
        }
        Ok(())
    })?;
    let cells = || {
        rows.iter()
            .flat_map(|r| r.cells.iter().flatten())
            .map(|c| c.text.as_str())
    };
    let numbers = match guess::is_json(layout) {
        true => (crate::mapping::Numbers::default(), false),
        false => guess::numbers(cells()),
    };
    let columns: Vec<Proposed> = (0..table.columns.len())
        .map(|at| Proposed {
            name: table.columns[at].clone(),
            examples: examples(&rows, at),
            numeric: guess::numeric(numbers.0, rows.iter().map(|r| r.text(at))),
        })
        .collect();
    let measures = match guess::tall(&columns) {
        Some(at) => names(source, layout, header, at)?,
        None => Vec::new(),
    };
    let (mapping, questions) = guess::mapping(&table, &columns, numbers, &measures);
    Ok(Proposal {
        layout,
        rows: shown(&rows, &table),
        rows_seen: Some(table.rows),
        measures,
        guess: mapping,
        questions,
        fingerprint: fingerprint(layout, table.columns.iter().map(String::as_str)),
        columns,
    })
}

fn examples(rows: &[Row], at: usize) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for text in rows.iter().map(|r| short(r.text(at))) {
        if !text.is_empty() && !examples.contains(&text) {
            examples.push(text);
            if examples.len() == MOST_EXAMPLES {
                break;
            }
        }
    }
    examples
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn shown(rows: &[Row], table: &Table) -> Vec<Vec<String>> {
    rows.iter()
        .take(
            MOST_ROWS
                .min(MOST_CELLS / table.columns.len().max(1))
                .max(1),
        )
        .map(|r| {
            (0..table.columns.len())
                .map(|at| short(r.text(at)))
                .collect()
        })
        .collect()
}

/// The names of measures: every different text of a column, as far as the bound goes.
fn names(
    source: &Source,
    layout: Layout,
    header: Option<u32>,
    at: usize,
) -> Result<Vec<String>, Refusal> {
    let mut names: Vec<String> = Vec::new();
    walk(source, layout, header, &mut |_, row| {
        let name = row.text(at);
        if names.len() < MOST_MEASURES && !name.is_empty() && !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
        Ok(())
    })?;
    Ok(names)
}
