//! Lines of nvidia-smi to samples: the CSV of `--query-gpu` and the columns of `dmon`, whose
//! headings may come again in the middle.

use super::{
    fields::{self, Field},
    samples::Samples,
};
use crate::{
    Refusal,
    prometheus::{
        Stamp,
        line::trim,
        lines::{Line, each_line},
        time,
    },
};
use std::io::{self, BufRead};

/// One column: what it is, its heading, and the factor of the unit that the heading states.
#[derive(Debug, Clone)]
struct Column {
    field: Field,
    name: String,
    factor: Option<f64>,
}

/// Reads a file through its rows.
#[derive(Debug, Default)]
struct Rows {
    columns: Vec<Column>,
    /// Names of dmon's columns, until the line with their units came.
    names: Vec<String>,
    is_dmon: bool,
}

/// Most columns of a heading.
const MOST_COLUMNS: usize = 300;

/// Reads all rows of a file into `samples`.
///
/// # Errors
/// `nvidia-smi-too-many-devices`. The outer error comes from reading.
pub fn read(
    input: &mut dyn BufRead,
    file: &str,
    samples: &mut Samples,
) -> io::Result<Result<(), Refusal>> {
    let mut rows = Rows::default();
    each_line(input, &mut |line| rows.line(line, file, samples))
}

impl Rows {
    fn line(&mut self, line: Line<'_>, file: &str, samples: &mut Samples) -> Result<(), Refusal> {
        let bytes = line.bytes;
        let bytes = match line.number {
            1 => bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes),
            _ => bytes,
        };
        let text = String::from_utf8_lossy(trim(bytes));
        if text.is_empty() {
            return Ok(());
        }
        if line.too_long || !self.take(&text, &line, file, samples)? {
            if line.ended {
                samples.skip(line.number, file);
            } else {
                samples.cut = Some(file.to_owned());
            }
        }
        Ok(())
    }

    /// `false` when the line is neither heading nor row.
    fn take(
        &mut self,
        text: &str,
        line: &Line<'_>,
        file: &str,
        samples: &mut Samples,
    ) -> Result<bool, Refusal> {
        if let Some(comment) = text.strip_prefix('#') {
            return Ok(self.dmon_heading(comment, samples));
        }
        if self.is_dmon {
            let cells: Vec<&str> = text.split_whitespace().collect();
            return self.row(&cells, line, file, samples);
        }
        let cells = csv_cells(text);
        if cells.iter().any(|cell| fields::is_query_heading(cell)) {
            self.query_heading(&cells, samples);
            return Ok(true);
        }
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        self.row(&cells, line, file, samples)
    }

    fn query_heading(&mut self, cells: &[String], samples: &mut Samples) {
        self.columns = cells
            .iter()
            .take(MOST_COLUMNS)
            .map(|heading| {
                let (field, factor) = fields::of_query(heading);
                Column {
                    field,
                    name: heading.trim().to_owned(),
                    factor,
                }
            })
            .collect();
        self.unread(samples);
    }

    /// dmon's first line names the columns, its second their units.
    fn dmon_heading(&mut self, comment: &str, samples: &mut Samples) -> bool {
        let words: Vec<&str> = comment.split_whitespace().collect();
        if words.contains(&"gpu") {
            self.is_dmon = true;
            self.names = words.iter().map(|w| (*w).to_owned()).collect();
            return true;
        }
        if words.contains(&"Idx") && words.len() == self.names.len() {
            self.columns = self
                .names
                .iter()
                .zip(&words)
                .take(MOST_COLUMNS)
                .map(|(name, unit)| {
                    let (field, factor) = fields::of_dmon(name, unit);
                    Column {
                        field,
                        name: name.clone(),
                        factor,
                    }
                })
                .collect();
            self.unread(samples);
            return true;
        }
        // A comment of somebody's own.
        !self.names.is_empty() || samples.rows == 0
    }

    fn unread(&self, samples: &mut Samples) {
        for column in self.columns.iter().filter(|c| c.field == Field::Other) {
            samples.unread(&column.name);
        }
    }

    fn row(
        &mut self,
        cells: &[&str],
        line: &Line<'_>,
        file: &str,
        samples: &mut Samples,
    ) -> Result<bool, Refusal> {
        // A decimal comma splits its cell; with as many columns twice over it cannot be put back.
        let joined;
        let cells = if cells.len() > self.columns.len() && !self.is_dmon {
            match self.put_back(cells) {
                Some(whole) => {
                    joined = whole;
                    joined.iter().map(String::as_str).collect()
                }
                None => return Ok(false),
            }
        } else {
            cells.to_vec()
        };
        if self.columns.is_empty() || cells.len() != self.columns.len() {
            return Ok(false);
        }
        let mut gpu = None;
        let mut uuid = None;
        let mut stamps: Vec<&str> = Vec::new();
        for (column, cell) in self.columns.iter().zip(&cells) {
            match column.field {
                Field::Index if cell.trim().parse::<u32>().is_ok() => gpu = Some(cell.trim()),
                Field::Index => return Ok(false),
                Field::Uuid => uuid = uuid.or(Some(cell.trim())),
                Field::Time => stamps.push(cell.trim()),
                _ => {}
            }
        }
        // A row may be cut inside its last number, which then reads as another number.
        if !line.ended && !self.is_whole(cells.last().copied().unwrap_or_default()) {
            return Ok(false);
        }
        let stamp = stamp(&stamps);
        let gpu = gpu.or(uuid).unwrap_or("0").to_owned();
        let mut sample = samples.begin(&gpu, stamp, file)?;
        for (column, cell) in self.columns.iter().zip(&cells) {
            sample.cell(column.field, &column.name, column.factor, cell, line.number);
        }
        Ok(true)
    }

    /// Whether the last cell of a file without a last line feed is surely complete: its unit
    /// stands behind it, or it is no number.
    fn is_whole(&self, last: &str) -> bool {
        let bare = last
            .trim()
            .bytes()
            .all(|b| b.is_ascii_digit() || b".,".contains(&b));
        fields::is_absent(last) || !bare || last.trim().is_empty()
    }

    /// Joins cells that a decimal comma split: `612`, `31 W`.
    fn put_back(&self, cells: &[&str]) -> Option<Vec<String>> {
        let digits = |cell: &str| !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
        let mut out: Vec<String> = Vec::new();
        let mut rest = cells.iter().peekable();
        for (at, column) in self.columns.iter().enumerate() {
            let cell = *rest.next()?;
            let left = rest.len();
            let needed = self.columns.len() - at - 1;
            let is_number = matches!(column.field, Field::Number(..));
            let next = rest.peek().copied().copied().unwrap_or_default();
            // Cells are parted by a comma and a blank; a decimal comma has no blank behind it.
            let splits = left > needed
                && is_number
                && digits(cell.trim())
                && next.starts_with(|c: char| c.is_ascii_digit());
            if splits {
                rest.next();
                out.push(format!("{},{next}", cell.trim()));
            } else {
                out.push(cell.to_owned());
            }
        }
        rest.next().is_none().then_some(out)
    }
}

/// The time of a row: one cell, or date and time in two.
fn stamp(cells: &[&str]) -> Option<Stamp> {
    if cells.is_empty() {
        return None;
    }
    let text = cells.join(" ");
    // dmon writes the date as 20260528.
    let text = match text.split_once(' ') {
        Some((date, clock)) if date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit()) => {
            format!("{}-{}-{} {clock}", &date[..4], &date[4..6], &date[6..])
        }
        _ => text,
    };
    time::of_line(text.as_bytes())
}

/// The cells of a CSV line. A quote may hold a comma.
fn csv_cells(text: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("there is one").push(c),
        }
        if cells.len() > 2 * MOST_COLUMNS {
            break;
        }
    }
    cells
}
