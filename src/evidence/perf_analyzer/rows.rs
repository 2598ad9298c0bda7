//! Rows of a perf_analyzer CSV, line by line and in bounded memory.
//!
//! Numbers leave here in base units. A row that cannot be understood refuses the file with its
//! line and field; a value that cannot be true is kept out and remembered as a [`Defect`].

use super::columns::Header;
use crate::{
    Refusal,
    reading::tame,
    sweep::{
        Defect, Field, GpuField, LoadPoint, Part, Sweep,
        number::{Fault, number},
    },
};
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read},
};

/// Longest line accepted, in bytes.
pub const MOST_LINE_BYTES: usize = 64 * 1024;
/// Most load points of one sweep. A point takes seconds to measure; real sweeps have tens.
pub const MOST_POINTS: usize = 1000;
/// Most GPUs of one sweep.
pub const MOST_GPUS: usize = 32;
/// Microseconds in a second.
const MICROS: f64 = 1e6;

/// A whole file.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its header row.
    pub header: Header,
    /// Its load points, ascending by load.
    pub sweep: Sweep,
    /// Whether rows end with one surplus comma (tool before September 2023).
    pub surplus_comma: bool,
    /// Line of a last row that was cut off in the middle and left out.
    pub cut_line: Option<u64>,
}

/// Whether this is the file of one stage of an ensemble: the server's columns without any
/// latency, and a client that took no time at all.
fn is_stage(sweep: &Sweep) -> bool {
    let no_client = |p: &LoadPoint| {
        [Part::ClientSend, Part::ClientReceive]
            .iter()
            .all(|part| p.times.get(part) == Some(&0.0))
    };
    sweep.has_time(Part::Queue)
        && !sweep.has_time(Part::Average)
        && sweep.quantiles().is_empty()
        && sweep.points.iter().all(no_client)
}

impl Table {
    /// Reads a sweep from the bytes of a file, unpacked.
    ///
    /// # Errors
    /// A refusal that names the line and the field: a cell that is no number, a row with too few
    /// or too many cells, a line or a file beyond the limits, a header without a measured row.
    pub fn from_csv(file: &str, input: &mut dyn Read) -> Result<Self, Refusal> {
        let mut lines = Lines::new(file, input);
        let header = loop {
            match lines.next()? {
                None => return Err(Refusal::new(file, "empty")),
                Some(line) if line.text.trim_ascii().is_empty() => {}
                Some(line) => break Header::from_cells(file, &cells(file, &line)?)?,
            }
        };
        let mut sweep = Sweep::new(header.mode);
        sweep.fields = header.fields.iter().copied().collect();
        let mut rows = Rows {
            file,
            table: Self {
                header,
                sweep,
                surplus_comma: false,
                cut_line: None,
            },
            gpus: BTreeSet::new(),
        };
        while let Some(line) = lines.next()? {
            if !line.text.trim_ascii().is_empty() {
                rows.take(&line)?;
            }
        }
        let mut table = rows.table;
        if table.sweep.points.is_empty() {
            return Err(Refusal::new(file, "no-measured-load-level"));
        }
        table.sweep.points.sort_by(LoadPoint::order);
        table.sweep.stage = is_stage(&table.sweep);
        Ok(table)
    }
}

struct Line {
    number: u64,
    text: Vec<u8>,
    /// Whether a line end follows: without one the file may be cut here.
    ended: bool,
}

struct Lines<'a> {
    file: &'a str,
    input: BufReader<&'a mut dyn Read>,
    number: u64,
}

impl<'a> Lines<'a> {
    fn new(file: &'a str, input: &'a mut dyn Read) -> Self {
        Self {
            file,
            input: BufReader::new(input),
            number: 0,
        }
    }

    fn next(&mut self) -> Result<Option<Line>, Refusal> {
        let mut text = Vec::new();
        let read = (&mut self.input)
            .take(MOST_LINE_BYTES as u64 + 1)
            .read_until(b'\n', &mut text)
            .map_err(|e| {
                Refusal::io(self.file, &e).at(format!("line {}", self.number.saturating_add(1)))
            })?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        let ended = text.ends_with(b"\n");
        if read > MOST_LINE_BYTES {
            return Err(Refusal::new(self.file, "perf-line-too-long")
                .arg("line", self.number)
                .arg("limit", MOST_LINE_BYTES)
                .at(format!("line {}", self.number)));
        }
        if ended {
            text.pop();
        }
        if text.ends_with(b"\r") {
            text.pop();
        }
        if self.number == 1 && text.starts_with(b"\xef\xbb\xbf") {
            text.drain(..3);
        }
        Ok(Some(Line {
            number: self.number,
            text,
            ended,
        }))
    }
}

/// Splits one line into trimmed cells. Bytes that are not UTF-8 become replacement characters.
fn cells(file: &str, line: &Line) -> Result<Vec<String>, Refusal> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(line.text.len() + 1)
        .from_reader(line.text.as_slice());
    let mut record = csv::ByteRecord::new();
    reader.read_byte_record(&mut record).map_err(|e| {
        Refusal::new(file, "io")
            .arg("error", e)
            .at(format!("line {}", line.number))
    })?;
    Ok(record
        .iter()
        .map(|c| String::from_utf8_lossy(c).trim().to_owned())
        .collect())
}

struct Rows<'a> {
    file: &'a str,
    table: Table,
    gpus: BTreeSet<String>,
}

impl Rows<'_> {
    fn take(&mut self, line: &Line) -> Result<(), Refusal> {
        let mut row = cells(self.file, line)?;
        let columns = self.table.header.fields.len();
        if row.len() == columns + 1 && row.last().is_some_and(String::is_empty) {
            row.pop();
            self.table.surplus_comma = true;
        }
        if row.len() < columns && !line.ended {
            self.table.cut_line = Some(line.number);
            return Ok(());
        }
        if row.len() != columns {
            return Err(Refusal::new(self.file, "perf-row-cells")
                .arg("line", line.number)
                .arg("found", row.len())
                .arg("expected", columns)
                .at(format!("line {}", line.number)));
        }
        if self.table.sweep.points.len() == MOST_POINTS {
            return Err(Refusal::new(self.file, "perf-too-many-points")
                .arg("limit", MOST_POINTS)
                .at(format!("line {}", line.number)));
        }
        let mut point = LoadPoint::at(line.number);
        for (i, cell) in row.iter().enumerate() {
            let field = self.table.header.fields[i];
            self.take_cell(&mut point, field, cell)?;
        }
        self.table.sweep.points.push(point);
        Ok(())
    }

    fn take_cell(
        &mut self,
        point: &mut LoadPoint,
        field: Field,
        cell: &str,
    ) -> Result<(), Refusal> {
        match field {
            Field::Unknown => {}
            Field::Gpu(gpu_field) => self.take_gpus(point, gpu_field, cell)?,
            Field::Load => {
                point.load = self
                    .number(point.line, field, cell, f64::INFINITY)?
                    .filter(|load| *load > 0.0)
                    .ok_or_else(|| self.no_number(point.line, field, cell))?;
            }
            Field::Throughput => {
                point.throughput = self.number(point.line, field, cell, f64::INFINITY)?;
            }
            Field::ResponseThroughput => {
                point.response_throughput = self.number(point.line, field, cell, f64::INFINITY)?;
            }
            Field::Time(part) => {
                if let Some(us) = self.number(point.line, field, cell, f64::INFINITY)? {
                    point.times.insert(part, us / MICROS);
                }
            }
            Field::Latency(quantile) => {
                if let Some(us) = self.number(point.line, field, cell, f64::INFINITY)? {
                    point.latency.insert(quantile, us / MICROS);
                }
            }
        }
        Ok(())
    }

    /// Splits `uuid:value;uuid:value;` at every `;`, then at the last `:`.
    fn take_gpus(
        &mut self,
        point: &mut LoadPoint,
        gpu_field: GpuField,
        cell: &str,
    ) -> Result<(), Refusal> {
        let field = Field::Gpu(gpu_field);
        let most = match gpu_field {
            // Sampling may end a hair above the whole; a percentage may not.
            GpuField::Utilization => 1.01,
            _ => f64::INFINITY,
        };
        for entry in cell.split(';').map(str::trim).filter(|e| !e.is_empty()) {
            let Some((uuid, value)) = entry.rsplit_once(':') else {
                return Err(self.no_number(point.line, field, entry));
            };
            let uuid = tame(uuid.trim());
            if uuid.is_empty() {
                return Err(self.no_number(point.line, field, entry));
            }
            self.gpus.insert(uuid.clone());
            if self.gpus.len() > MOST_GPUS {
                return Err(Refusal::new(self.file, "perf-too-many-gpus")
                    .arg("limit", MOST_GPUS)
                    .at(format!("line {}", point.line)));
            }
            if let Some(value) = self.number(point.line, field, value, most)? {
                point.gpus.entry(uuid).or_default().insert(gpu_field, value);
            }
        }
        Ok(())
    }

    /// A number of a cell, or `None` with a defect remembered.
    fn number(
        &mut self,
        line: u64,
        field: Field,
        cell: &str,
        most: f64,
    ) -> Result<Option<f64>, Refusal> {
        let defect = if cell.is_empty() {
            Defect::Missing
        } else {
            match number(cell) {
                Err(fault) => return Err(self.no_such_number(line, field, cell, fault)),
                Ok(value) if !value.is_finite() => Defect::Missing,
                Ok(value) if value < 0.0 || value > most => Defect::Impossible,
                Ok(value) => return Ok(Some(value)),
            }
        };
        let lines = self.table.sweep.defects.entry((defect, field)).or_default();
        if lines.last() != Some(&line) {
            lines.push(line);
        }
        Ok(None)
    }

    fn no_number(&self, line: u64, field: Field, cell: &str) -> Refusal {
        self.no_such_number(line, field, cell, Fault::Other)
    }

    fn no_such_number(&self, line: u64, field: Field, cell: &str, fault: Fault) -> Refusal {
        let code = match fault {
            Fault::Locale => "perf-locale-number",
            Fault::Other => "perf-cell",
        };
        Refusal::new(self.file, code)
            .arg("line", line)
            .arg("field", field.heading(self.table.sweep.mode))
            .arg("text", cell)
            .at(format!("line {line}"))
    }
}
