//! Result tables: rows of CSV whose columns the user chose, with quoted lists where several models
//! were measured at once.

use super::measured::{GpuRow, Meaning, Measured, Measurement, of_gpu, of_heading};
use super::{MOST_MEASUREMENTS, unreadable};
use crate::{
    Note, NoteLevel, Refusal,
    reading::tame,
    sweep::{
        GpuField, Mode,
        number::{Fault, number},
    },
};
use std::{collections::BTreeSet, io::BufRead};

/// Most columns of a table.
const MOST_COLUMNS: usize = 200;
/// Longest row, in bytes.
const MOST_ROW_BYTES: usize = 64 * 1024;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ColumnOf {
    Model,
    Config,
    Batch,
    Load(Mode),
    Satisfies,
    Instances,
    MaxBatch,
    Uuid,
    Value(Meaning),
    Gpu(GpuField, f64),
    /// Known, and of no use here.
    Left,
    Unknown,
}

fn column_of(heading: &str) -> ColumnOf {
    match heading {
        "Model" => ColumnOf::Model,
        "Model Config Path" => ColumnOf::Config,
        "Batch" => ColumnOf::Batch,
        "Concurrency" => ColumnOf::Load(Mode::Concurrency),
        "Request Rate" => ColumnOf::Load(Mode::RequestRate),
        "Satisfies Constraints" => ColumnOf::Satisfies,
        "Instance Group" => ColumnOf::Instances,
        "Max Batch Size" => ColumnOf::MaxBatch,
        "GPU UUID" => ColumnOf::Uuid,
        _ => {
            if let Some(meaning) = of_heading(heading) {
                return ColumnOf::Value(meaning);
            }
            if let Some((field, factor)) = of_gpu(heading) {
                return ColumnOf::Gpu(field, factor);
            }
            let left = heading.starts_with("backend_parameter/")
                || heading.contains("RAM ")
                || heading.contains("GPU Memory Available")
                || matches!(heading, "Preferred Batch Sizes" | "Dynamic Batcher Sizes");
            if left {
                ColumnOf::Left
            } else {
                ColumnOf::Unknown
            }
        }
    }
}

/// The tables of one run, as they are read.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub measured: Measured,
    unknown: BTreeSet<String>,
    missing: usize,
    cut: Option<u64>,
}

impl Tables {
    pub fn is_empty(&self) -> bool {
        self.measured.all.is_empty() && self.measured.gpus.is_empty()
    }

    /// What must be known about the tables themselves.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if !self.unknown.is_empty() {
            let names: Vec<&str> = self.unknown.iter().map(String::as_str).collect();
            notes.push(
                Note::new(NoteLevel::Info, "perf-unknown-columns").arg("columns", names.join(", ")),
            );
        }
        if self.missing > 0 {
            notes.push(
                Note::new(NoteLevel::NotCaptured, "ma-missing-values").arg("count", self.missing),
            );
        }
        if let Some(line) = self.cut {
            notes.push(Note::new(NoteLevel::Warning, "perf-cut-row").arg("line", line));
        }
        if self.measured.all.is_empty() {
            notes.push(Note::new(NoteLevel::NotCaptured, "ma-no-inference-table"));
        }
        notes.push(Note::new(NoteLevel::Info, "ma-rounded"));
        notes
    }

    /// Reads one table.
    pub fn take(
        &mut self,
        file: &str,
        mut input: impl BufRead,
        packed: bool,
    ) -> Result<(), Refusal> {
        self.measured.counts = "line";
        let mut columns: Option<(Vec<ColumnOf>, Vec<String>)> = None;
        let mut line = 0u64;
        let mut bytes = Vec::new();
        while self.row_bytes(file, &mut input, &mut bytes, packed, line + 1)? {
            line += 1;
            let ended = bytes.ends_with(b"\n");
            let cells = cells(&bytes);
            if cells.iter().all(String::is_empty) {
                continue;
            }
            let Some((columns, headings)) = &columns else {
                columns = Some(self.header(file, line, cells)?);
                continue;
            };
            if cells.len() != columns.len() {
                if !ended && cells.len() < columns.len() {
                    self.cut = Some(line);
                    break;
                }
                return Err(Refusal::new(file, "perf-row-cells")
                    .arg("line", line)
                    .arg("found", cells.len())
                    .arg("expected", columns.len())
                    .at(format!("line {line}")));
            }
            let (columns, headings) = (columns.clone(), headings.clone());
            self.row(file, line, &columns, &headings, &cells)?;
        }
        if columns.is_none() {
            return Err(Refusal::new(file, "empty"));
        }
        Ok(())
    }

    fn row_bytes(
        &self,
        file: &str,
        input: &mut impl BufRead,
        into: &mut Vec<u8>,
        packed: bool,
        line: u64,
    ) -> Result<bool, Refusal> {
        use std::io::Read as _;
        into.clear();
        let read = input
            .by_ref()
            .take(MOST_ROW_BYTES as u64 + 1)
            .read_until(b'\n', into)
            .map_err(|e| unreadable(file, &e, packed).at(format!("line {line}")))?;
        if read > MOST_ROW_BYTES {
            return Err(Refusal::new(file, "perf-line-too-long")
                .arg("line", line)
                .arg("limit", MOST_ROW_BYTES)
                .at(format!("line {line}")));
        }
        if line == 1 && into.starts_with(b"\xef\xbb\xbf") {
            into.drain(..3);
        }
        Ok(read > 0)
    }

    fn header(
        &mut self,
        file: &str,
        line: u64,
        headings: Vec<String>,
    ) -> Result<(Vec<ColumnOf>, Vec<String>), Refusal> {
        let columns: Vec<ColumnOf> = headings.iter().map(|h| column_of(h)).collect();
        let refuse = |heading: &str| {
            Refusal::new(file, "ma-header")
                .arg("column", heading)
                .at(format!("line {line}"))
        };
        if columns.len() > MOST_COLUMNS {
            return Err(refuse(&headings[MOST_COLUMNS]));
        }
        for (i, column) in columns.iter().enumerate() {
            let told = !matches!(column, ColumnOf::Left | ColumnOf::Unknown);
            if told && columns[..i].contains(column) {
                return Err(refuse(&headings[i]));
            }
            if *column == ColumnOf::Unknown {
                self.unknown.insert(tame(&headings[i]));
            }
        }
        // Without a load or a GPU a row is about nothing.
        let about = |c: &ColumnOf| matches!(c, ColumnOf::Load(_) | ColumnOf::Uuid);
        if !columns.iter().any(about) {
            return Err(refuse("Concurrency"));
        }
        Ok((columns, headings))
    }

    fn row(
        &mut self,
        file: &str,
        line: u64,
        columns: &[ColumnOf],
        headings: &[String],
        cells: &[String],
    ) -> Result<(), Refusal> {
        if self.measured.all.len() + self.measured.gpus.len() >= MOST_MEASUREMENTS {
            return Err(Refusal::new(file, "ma-too-many")
                .arg("limit", MOST_MEASUREMENTS)
                .at(format!("line {line}")));
        }
        let mut row = Measurement::at(line);
        let mut gpu: Option<String> = None;
        let mut readings = Vec::new();
        for ((column, heading), cell) in columns.iter().zip(headings).zip(cells) {
            let bad = |fault| bad_cell(file, line, heading, cell, fault);
            match column {
                ColumnOf::Model => row.model = tame(cell),
                ColumnOf::Config => row.config = tame(cell),
                ColumnOf::Instances => row.instances = Some(tame(cell)),
                ColumnOf::MaxBatch => row.max_batch = Some(tame(cell)),
                ColumnOf::Uuid => gpu = Some(tame(cell)).filter(|g| !g.is_empty()),
                ColumnOf::Satisfies => {
                    row.satisfies = match cell.to_ascii_lowercase().as_str() {
                        "yes" | "true" => Some(true),
                        "no" | "false" => Some(false),
                        _ => None,
                    };
                }
                ColumnOf::Batch => row.batch = list(cell).map_err(bad)?,
                ColumnOf::Load(_) if cell.is_empty() || cell == "None" => {}
                ColumnOf::Load(mode) => {
                    row.mode = *mode;
                    row.loads = list(cell).map_err(bad)?;
                }
                ColumnOf::Value(meaning) => self.value(&mut row, *meaning, cell).map_err(bad)?,
                ColumnOf::Gpu(field, factor) => match number(cell) {
                    _ if nothing(cell) => self.missing += 1,
                    Ok(value) if value.is_finite() && value >= 0.0 => {
                        readings.push((*field, value * factor));
                    }
                    Ok(_) => self.missing += 1,
                    Err(fault) => return Err(bad(fault)),
                },
                ColumnOf::Left | ColumnOf::Unknown => {}
            }
        }
        match gpu {
            Some(gpu) => self.measured.gpus.push(GpuRow {
                of: (!row.loads.is_empty())
                    .then(|| (row.config.clone(), row.batch_text(), row.load_text())),
                gpu,
                values: readings.into_iter().collect(),
            }),
            None if row.loads.is_empty() => {
                return Err(bad_cell(file, line, "Concurrency", "", Fault::Other));
            }
            None => {
                row.point.load = row.loads.iter().sum();
                self.measured.all.push(row);
            }
        }
        Ok(())
    }

    /// A value, or `total, [one for each model]`.
    fn value(&mut self, row: &mut Measurement, meaning: Meaning, cell: &str) -> Result<(), Fault> {
        if nothing(cell) {
            self.missing += 1;
            return Ok(());
        }
        let (total, each) = match cell.split_once(", [") {
            Some((total, each)) => {
                let each = each.strip_suffix(']').ok_or(Fault::Other)?;
                (total, list(each)?)
            }
            None => (cell, Vec::new()),
        };
        let total = number(total)?;
        if !total.is_finite() || total < 0.0 {
            self.missing += 1;
            return Ok(());
        }
        row.take(meaning, total);
        let name = match meaning {
            Meaning::Throughput => "inference_throughput",
            Meaning::Latency(_) => "e2e_latency",
            _ => return Ok(()),
        };
        row.each.resize(
            row.each.len().max(each.len()),
            std::collections::BTreeMap::new(),
        );
        for (model, value) in row.each.iter_mut().zip(each) {
            model.insert(name, value * super::measured::factor(meaning));
        }
        Ok(())
    }
}

fn nothing(cell: &str) -> bool {
    cell.is_empty() || matches!(cell, "None" | "N/A" | "nan" | "NaN")
}

/// `4` or `4,8`: all of them numbers above zero.
fn list(cell: &str) -> Result<Vec<f64>, Fault> {
    cell.split(',')
        .map(|part| match number(part) {
            Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
            Ok(_) => Err(Fault::Other),
            Err(fault) => Err(fault),
        })
        .collect()
}

fn bad_cell(file: &str, line: u64, heading: &str, cell: &str, fault: Fault) -> Refusal {
    let code = match fault {
        Fault::Locale => "perf-locale-number",
        Fault::Other => "perf-cell",
    };
    Refusal::new(file, code)
        .arg("line", line)
        .arg("field", heading)
        .arg("text", cell)
        .at(format!("line {line}"))
}

/// Splits one row into trimmed cells.
fn cells(bytes: &[u8]) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(bytes.len() + 1)
        .from_reader(bytes);
    let mut record = csv::ByteRecord::new();
    if !matches!(reader.read_byte_record(&mut record), Ok(true)) {
        return Vec::new();
    }
    record
        .iter()
        .map(|c| String::from_utf8_lossy(c).trim().to_owned())
        .collect()
}
