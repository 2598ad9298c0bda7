//! Tables drawn with bars: Markdown, and the boxes that console programs print.

use super::{
    Each,
    cells::{Cell, Row, Table},
    refused,
};
use crate::Refusal;
use std::io::BufRead;

const BARS: [char; 4] = ['|', '│', '┃', '║'];

/// Goes through the rows of the first table in the text.
pub fn walk(
    table: &mut Table,
    input: &mut dyn BufRead,
    header: Option<u32>,
    each: Each<'_>,
) -> Result<(), Refusal> {
    let mut number = 0;
    let (mut inside, mut over) = (false, false);
    let without_names = header == Some(0);
    let mut text = String::new();
    loop {
        text.clear();
        let read = input
            .read_line(&mut text)
            .map_err(|e| refused(&table.file, &e))?;
        if read == 0 {
            return Ok(());
        }
        number += 1;
        let line = text.trim();
        if is_border(line) {
            continue;
        }
        let Some(fields) = row(line) else {
            over |= inside;
            continue;
        };
        if over {
            // Another table has other columns: it is said, and not mixed in.
            table.others += u64::from(inside);
            inside = false;
            continue;
        }
        if !inside {
            inside = true;
            if without_names {
                table.name_columns(std::iter::repeat_n("", fields.len()))?;
            } else {
                table.header = 1;
                table.name_columns(fields.iter().map(String::as_str))?;
                continue;
            }
        }
        if fields.len() != table.columns.len() {
            return Err(Refusal::new(&table.file, "table-row-width")
                .arg("found", fields.len())
                .arg("expected", table.columns.len())
                .at(format!("line {number}")));
        }
        table.rows += 1;
        let cells = fields.iter().map(|f| Some(Cell::text(f))).collect();
        each(
            table,
            Row {
                line: number,
                cells,
            },
        )?;
    }
}

/// The fields of a line between bars, without the marks of bold and code.
pub fn row(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix(BARS)?;
    let inner = inner.strip_suffix(BARS).unwrap_or(inner);
    let mut fields = vec![String::new()];
    let mut escaped = false;
    for c in inner.chars() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            c if BARS.contains(&c) && !escaped => fields.push(String::new()),
            c => {
                if let Some(last) = fields.last_mut() {
                    last.push(c);
                }
            }
        }
        escaped = false;
    }
    let plain = |f: &String| f.trim().trim_matches(['*', '`', ' ']).to_owned();
    let marks_only = |f: &String| f.trim().chars().all(|c| c == '*');
    Some(
        fields
            .iter()
            .map(|f| {
                if marks_only(f) {
                    f.trim().to_owned()
                } else {
                    plain(f)
                }
            })
            .collect(),
    )
}

/// Whether a line only draws: `|---|:-:|`, `+----+`, `┡━━━╇━━━┩`.
pub fn is_border(line: &str) -> bool {
    let line = line.trim();
    let draws = |c: char| {
        BARS.contains(&c)
            || matches!(c, '-' | '=' | ':' | '+' | ' ')
            || ('\u{2500}'..='\u{257f}').contains(&c)
    };
    line.chars().count() >= 3
        && line.chars().all(draws)
        && line.contains(['-', '=', '─', '━', '═', '╌', '┄'])
}

/// Whether the text holds such a table: a border, and at least two rows of two or more fields.
pub fn is_table(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let bordered = text.lines().any(|l| {
        is_border(l)
            && l.trim()
                .starts_with(['|', '+', '┏', '┡', '├', '╞', '┌', '╔', '╠', '┣'])
    });
    let first = lines
        .by_ref()
        .find_map(|l| (!is_border(l)).then(|| row(l))?);
    let second = lines.find_map(|l| (!is_border(l)).then(|| row(l))?);
    bordered
        && first
            .zip(second)
            .is_some_and(|(a, b)| a.len() > 1 && a.len() == b.len())
}
