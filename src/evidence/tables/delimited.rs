//! Tables with a sign between fields: CSV, TSV and their kin.

use super::{
    Each,
    cells::{Cell, Row, Table},
    refused,
};
use crate::{
    Refusal,
    mapping::{Numbers, Thousands, not_captured},
};
use csv::{ByteRecord, ReaderBuilder};
use std::io::Read;

/// Records looked at to find the header.
const LOOK: usize = 50;
/// Most bytes of one record.
const MOST_RECORD: usize = 1 << 20;

/// Goes through the rows behind the header.
pub fn walk(
    table: &mut Table,
    input: &mut dyn Read,
    header: Option<u32>,
    each: Each<'_>,
) -> Result<(), Refusal> {
    let delimiter = table.layout.delimiter().unwrap_or(b',');
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(input);
    // The first records wait until the header is known.
    let mut ahead = Vec::new();
    let mut record = ByteRecord::new();
    while ahead.len() < LOOK && next(&table.file, &mut reader, &mut record)? {
        ahead.push(record.clone());
    }
    let texts: Vec<Vec<&str>> = ahead.iter().map(|r| texts(r).unwrap_or_default()).collect();
    let header = match header {
        Some(given) => given,
        None => header_of(&texts).unwrap_or(0),
    };
    table.header = header;
    let first = header as usize;
    match first.checked_sub(1) {
        Some(at) => {
            let names = ahead.get(at).ok_or_else(|| no_header(table, header))?;
            let names = texts_or(&table.file, names)?;
            table.name_columns(trimmed(&names).iter().copied())?;
        }
        None => {
            let width = ahead.first().map_or(0, ByteRecord::len);
            table.name_columns(std::iter::repeat_n("", width))?;
        }
    }
    for record in ahead.iter().skip(first) {
        take(table, record, each)?;
    }
    while next(&table.file, &mut reader, &mut record)? {
        take(table, &record, each)?;
    }
    Ok(())
}

fn no_header(table: &Table, header: u32) -> Refusal {
    Refusal::new(&table.file, "table-no-header").arg("line", header)
}

fn next(
    file: &str,
    reader: &mut csv::Reader<&mut dyn Read>,
    record: &mut ByteRecord,
) -> Result<bool, Refusal> {
    let more = reader
        .read_byte_record(record)
        .map_err(|e| match e.into_kind() {
            csv::ErrorKind::Io(e) => refused(file, &e),
            _ => Refusal::new(file, "table-damaged"),
        })?;
    if more && record.as_slice().len() > MOST_RECORD {
        return Err(Refusal::new(file, "table-line-too-long").at(place(record)));
    }
    Ok(more)
}

fn place(record: &ByteRecord) -> String {
    format!("line {}", line(record))
}

fn line(record: &ByteRecord) -> u64 {
    record.position().map_or(0, csv::Position::line)
}

fn texts(record: &ByteRecord) -> Option<Vec<&str>> {
    record.iter().map(|f| std::str::from_utf8(f).ok()).collect()
}

fn texts_or<'r>(file: &str, record: &'r ByteRecord) -> Result<Vec<&'r str>, Refusal> {
    texts(record).ok_or_else(|| Refusal::new(file, "table-not-text").at(place(record)))
}

/// Without empty fields at the end, which surplus separators make.
fn trimmed<'a, 't>(fields: &'a [&'t str]) -> &'a [&'t str] {
    let filled = fields.iter().rposition(|f| !f.trim().is_empty());
    &fields[..filled.map_or(0, |at| at + 1)]
}

fn take(table: &mut Table, record: &ByteRecord, each: Each<'_>) -> Result<(), Refusal> {
    let fields = texts_or(&table.file, record)?;
    let filled = trimmed(&fields);
    let comment = filled.len() == 1 && filled[0].trim_start().starts_with('#');
    if filled.is_empty() || comment {
        return Ok(());
    }
    let width = table.columns.len();
    // A row that ends early was cut, or belongs to another table: what is missing is not guessed.
    if fields.len() < width || filled.len() > width {
        return Err(Refusal::new(&table.file, "table-row-width")
            .arg("found", fields.len())
            .arg("expected", width)
            .at(place(record)));
    }
    let row = Row {
        line: line(record),
        cells: fields[..width]
            .iter()
            .map(|f| Some(Cell::text(f)))
            .collect(),
    };
    table.rows += 1;
    each(table, row)
}

/// The line of the names: the first record as wide as most and made of names, with a record of
/// numbers somewhere behind it. 0 when there are only rows of numbers, `None` when it is no table.
pub fn header_of(records: &[Vec<&str>]) -> Option<u32> {
    let widths: Vec<usize> = records.iter().map(|r| r.len()).collect();
    let width = *widths
        .iter()
        .max_by_key(|w| (widths.iter().filter(|o| o == w).count(), **w))?;
    if width < 2 {
        return None;
    }
    let at = widths.iter().position(|w| *w == width)?;
    let behind = &records[at..];
    // Comments aside, the rest is as wide: text with some commas is no table.
    let odd = behind
        .iter()
        .filter(|r| r.len() != width && r.len() != 1)
        .count();
    if odd * 10 > behind.len() {
        return None;
    }
    let numbers = |r: &[&str]| r.iter().filter(|c| looks_like_number(c)).count();
    let first = records[at].as_slice();
    if numbers(first) == 0 && first.iter().any(|c| !c.trim().is_empty()) {
        let rows = &behind[1..];
        return rows
            .iter()
            .any(|r| numbers(r) > 0)
            .then(|| u32::try_from(at + 1).unwrap_or(1));
    }
    let all = behind.len() > 1 && behind.iter().all(|r| numbers(r) == r.len());
    (at == 0 && all).then_some(0)
}

/// Whether a text is a number in some notation.
pub fn looks_like_number(text: &str) -> bool {
    if not_captured(text) {
        return false;
    }
    notations().any(|n| matches!(n.parse(text), Ok(Some(_))))
}

/// The notations that tables use, the plain one first.
pub fn notations() -> impl Iterator<Item = Numbers> {
    let numbers = |decimal_comma, thousands| Numbers {
        decimal_comma,
        thousands,
    };
    [
        numbers(false, None),
        numbers(true, None),
        numbers(false, Some(Thousands::Comma)),
        numbers(true, Some(Thousands::Point)),
        numbers(false, Some(Thousands::Blank)),
        numbers(true, Some(Thousands::Blank)),
        numbers(false, Some(Thousands::Apostrophe)),
        numbers(false, Some(Thousands::Underscore)),
    ]
    .into_iter()
}
