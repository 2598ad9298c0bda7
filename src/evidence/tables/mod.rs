//! Tables of measurements (any stage): numbers that a tool or a person wrote down, in CSV, TSV,
//! JSON, JSON lines, Markdown or as a console summary.
//!
//! Such a file does not say what it measured, so nothing is read without a [`crate::Mapping`]: the
//! reader answers with what it asks a person. With one, every number becomes a signal that counts
//! as attested by whoever said what the columns mean, never as extracted.

mod boxed;
mod cells;
mod delimited;
mod guess;
mod json;
mod layout;
mod propose;
mod signals;
mod summary;
mod synonyms;
#[cfg(test)]
mod tests;
mod yields;

pub use signals::{Wrong, preview};
pub use yields::YIELDS;

use crate::{
    FileRead, Kind, Mapping, Options, Reading, Refusal, Source, Tool, detect::Head, input,
    mapping::Layout,
};
use cells::{Row, Table};
use std::io::{self, BufRead, Read};

/// Version of this parser.
pub const PARSER: &str = "1.0.0";
/// Longest table read, in bytes after unpacking. What was measured is small; what is larger is a
/// log of requests or a trace, which other readers take.
pub const MOST_BYTES: u64 = 64 << 20;

/// Takes each row of a table in turn.
type Each<'a> = &'a mut dyn FnMut(&Table, Row) -> Result<(), Refusal>;

/// Recognises a table with at least one row and one column of numbers; `None` for anything else.
/// It is asked last: what another reader refused by name keeps its refusal.
pub fn recognise(source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let layout = layout::of(source, head)?;
    let proposal = match propose::proposal(source, layout, None) {
        Ok(proposal) => proposal,
        // Its beginning is a table's: a row that does not fit is said by its line. Broken JSON may
        // be anything.
        Err(refusal) if layout::is_drawn(layout) && refusal.code.starts_with("table-") => {
            return Some(Err(refusal));
        }
        Err(_) => return None,
    };
    let numbers = proposal.columns.iter().filter(|c| c.numeric).count();
    // One row of names and numbers is in many files that measured nothing.
    let single = proposal.rows_seen == Some(1) && !layout::is_drawn(layout);
    let enough = numbers > 2 || guess::finds_a_signal(&proposal.guess);
    let table = numbers > 0 && (!single || enough);
    table.then_some(Ok(Kind::MeasurementTable))
}

/// Reads a table with the mapping in `options`.
///
/// # Errors
/// `needs-mapping` with a proposal when there is no mapping; `mapping-…` and `table-…` when the
/// mapping or the table cannot be what they say, naming line and column.
pub fn read(sources: &[Source], options: &Options) -> Result<Reading, Refusal> {
    let Some(source) = sources.first() else {
        return Err(Refusal::new("", "no-file"));
    };
    let head = crate::detect::head(source)?;
    let layout =
        layout::of(source, &head).ok_or_else(|| Refusal::new(&source.name, "unknown-format"))?;
    let Some(mapping) = &options.mapping else {
        let proposal = propose::proposal(source, layout, None)?;
        return Err(Refusal::needs_mapping(&source.name, proposal));
    };
    mapping.check(&source.name)?;
    let mut reading = Reading::new(
        Kind::MeasurementTable,
        PARSER,
        Tool {
            name: "Table".to_owned(),
            version: None,
            format: Some(layout.id().to_owned()),
        },
    );
    signals::fill(&mut reading, source, layout, mapping)?;
    reading.files.push(FileRead {
        name: source.name.clone(),
        bytes: head.bytes,
    });
    reading.or_empty(&source.name)
}

/// Goes through the rows of a table, from its beginning to its end.
fn walk(
    source: &Source,
    layout: Layout,
    header: Option<u32>,
    each: Each<'_>,
) -> Result<Table, Refusal> {
    let mut opened = input::open(source)?;
    skip_bom(&mut *opened.input).map_err(|e| io_refusal(source, &e))?;
    let mut capped = Capped {
        inner: opened.input,
        left: MOST_BYTES,
        last: b'\n',
    };
    let mut table = Table::new(&source.name, layout);
    let mut input = io::BufReader::new(&mut capped);
    match layout {
        Layout::Comma | Layout::Semicolon | Layout::Tab | Layout::Bar => {
            delimited::walk(&mut table, &mut input, header, each)?;
        }
        Layout::Markdown => boxed::walk(&mut table, &mut input, header, each)?,
        Layout::JsonArray => json::array(&mut table, &mut input, each)?,
        Layout::JsonObject => json::object(&mut table, &mut input, each)?,
        Layout::JsonLines => json::lines(&mut table, &mut input, each)?,
        Layout::Summary => summary::walk(&mut table, &mut input, each)?,
    }
    table.ends_open = capped.last != b'\n';
    Ok(table)
}

fn skip_bom(input: &mut dyn BufRead) -> io::Result<()> {
    if input.fill_buf()?.starts_with(&[0xef, 0xbb, 0xbf]) {
        input.consume(3);
    }
    Ok(())
}

/// What went wrong while reading, said of the file.
fn io_refusal(source: &Source, error: &io::Error) -> Refusal {
    refused(&source.name, error)
}

fn refused(file: &str, error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::FileTooLarge => {
            Refusal::new(file, "table-too-large").arg("limit", format!("{} MiB", MOST_BYTES >> 20))
        }
        io::ErrorKind::InvalidData if error.to_string().contains("UTF-8") => {
            Refusal::new(file, "table-not-text")
        }
        _ if input::is_damage(error) => Refusal::new(file, "table-damaged"),
        _ => Refusal::io(file, error),
    }
}

/// Fails beyond the bound, and remembers how the file ends.
struct Capped {
    inner: Box<dyn BufRead>,
    left: u64,
    last: u8,
}

impl Read for Capped {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        self.left = self
            .left
            .checked_sub(n as u64)
            .ok_or(io::ErrorKind::FileTooLarge)?;
        if let Some(last) = into[..n].last() {
            self.last = *last;
        }
        Ok(n)
    }
}

/// What a mapping would make of rows that were seen, without opening a file: see [`preview`].
pub fn columns_missing<'m>(mapping: &'m Mapping, names: &[String]) -> Option<&'m str> {
    mapping
        .columns
        .iter()
        .filter(|c| c.means != crate::mapping::Meaning::Ignored)
        .map(|c| c.column.as_str())
        .chain(mapping.only.iter().map(|o| o.column.as_str()))
        .find(|wanted| !names.iter().any(|name| name == wanted))
}
