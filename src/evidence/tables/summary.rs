//! Console summaries: lines of `label: number unit`, as benchmark programs print at their end.

use super::{
    Each,
    cells::{Cell, Table},
    delimited::looks_like_number,
    refused,
};
use crate::{
    Refusal,
    mapping::{not_captured, unit_in},
};
use std::io::BufRead;

/// Takes every line with a number as a column of the one row.
pub fn walk(table: &mut Table, input: &mut dyn BufRead, each: Each<'_>) -> Result<(), Refusal> {
    let mut named = Vec::new();
    let mut text = String::new();
    loop {
        text.clear();
        let read = input
            .read_line(&mut text)
            .map_err(|e| refused(&table.file, &e))?;
        if read == 0 {
            break;
        }
        if let Some((label, value, unit)) = entry(&text) {
            // A unit behind the number is as good as one behind the name.
            let name = match unit {
                Some(unit) => format!("{label} ({unit})"),
                None => label.to_owned(),
            };
            named.push((name, Cell::text(value)));
            if named.len() > crate::mapping::MOST_COLUMNS {
                return Err(Refusal::new(&table.file, "table-too-many-columns")
                    .arg("limit", crate::mapping::MOST_COLUMNS));
            }
        }
    }
    let row = table.row_of(1, named)?;
    table.rows = 1;
    each(table, row)
}

/// `Mean TTFT (ms):   12.5`, `p99 latency = 8.1 ms`, `Requests/s   41.2`.
pub fn entry(line: &str) -> Option<(&str, &str, Option<&'static str>)> {
    let line = line.trim();
    let (label, rest) = line
        .rsplit_once([':', '='])
        .or_else(|| line.rsplit_once("  "))?;
    let label = label
        .trim()
        .trim_end_matches(['.', ':', '='])
        .trim_start_matches(['*', '-', '#', '•', ' '])
        .trim();
    if label.is_empty() || label.len() > 120 || !label.chars().any(char::is_alphabetic) {
        return None;
    }
    let rest = rest.trim();
    if looks_like_number(rest) || (not_captured(rest) && !rest.is_empty()) {
        return Some((label, rest, None));
    }
    let digits = rest
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+' | 'e' | 'E')))?;
    let (value, unit) = rest.split_at(digits);
    let unit = unit_in(unit)?;
    looks_like_number(value).then_some((label, value, Some(unit)))
}

/// Whether a text is such a summary: at least three lines of it, and most lines.
pub fn is_summary(text: &str) -> bool {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|l| l.chars().any(char::is_alphanumeric))
        .collect();
    let entries = lines.iter().filter(|l| entry(l).is_some()).count();
    entries >= 3 && entries * 2 >= lines.len()
}
