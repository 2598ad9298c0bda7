//! Rows into signals, as the mapping says. Nothing is added up: a signal that several rows have is
//! told apart by a label, or refused.

use super::{
    cells::{Cell, Row},
    columns_missing, walk,
};
use crate::{
    Mapping, Note, NoteLevel, Reading, Refusal, Signal, Source, Statistic, Unit, catalogue,
    mapping::{Layout, Meaning, Unclear, not_captured},
    reading::tame,
};
use std::collections::{BTreeMap, BTreeSet};

/// Most signals of one table.
pub const MOST_SIGNALS: usize = 2000;

/// What tells one signal of a reading from another.
type Key = (String, Statistic, BTreeMap<String, String>);

/// Fills a reading with the signals of a table.
///
/// # Errors
/// `table-…` with the line and the column of what cannot be read as the mapping says.
pub fn fill(
    reading: &mut Reading,
    source: &Source,
    layout: Layout,
    mapping: &Mapping,
) -> Result<(), Refusal> {
    let mut taken = Taken {
        file: &source.name,
        mapping,
        seen: BTreeMap::new(),
        signals: Vec::new(),
        absent: BTreeMap::new(),
        unknown: BTreeSet::new(),
        without_samples: 0,
        read: 0,
    };
    // The columns are known with the first row of most layouts, in JSON with the last.
    let table = walk(source, layout, Some(mapping.header), &mut |table, row| {
        taken.row(&table.columns, &row)
    })?;
    if let Some(missing) = columns_missing(mapping, &table.columns) {
        return Err(Refusal::new(&source.name, "table-column-missing").arg("column", missing));
    }
    if taken.read == 0 {
        return Err(match &mapping.only {
            Some(only) if table.rows > 0 => Refusal::new(&source.name, "table-no-such-row")
                .arg("column", &only.column)
                .arg("text", &only.text),
            _ => Refusal::new(&source.name, "table-no-row"),
        });
    }
    let info = |code: &str| Note::new(NoteLevel::Info, code);
    reading.note(
        info("table-mapped")
            .arg("count", taken.read)
            .arg("rows", table.rows),
    );
    if table.ends_open && !super::guess::is_json(layout) {
        reading.note(info("table-ends-open"));
    }
    if table.others > 0 {
        reading.note(Note::new(NoteLevel::Warning, "table-others"));
    }
    for (column, count) in &taken.absent {
        reading.note(
            Note::new(NoteLevel::NotCaptured, "table-not-captured")
                .arg("column", column)
                .arg("count", count),
        );
    }
    if !taken.unknown.is_empty() {
        let names: Vec<&str> = taken.unknown.iter().map(String::as_str).take(20).collect();
        reading.note(
            info("table-measures-left-out")
                .arg("count", taken.unknown.len())
                .arg("names", names.join(", ")),
        );
    }
    if taken.without_samples > 0 {
        reading.note(
            Note::new(NoteLevel::Warning, "table-no-samples").arg("count", taken.without_samples),
        );
    }
    taken.signals.into_iter().for_each(|s| reading.push(s));
    Ok(())
}

struct Taken<'m> {
    file: &'m str,
    mapping: &'m Mapping,
    /// Where each signal stands.
    seen: BTreeMap<Key, u64>,
    signals: Vec<Signal>,
    /// Cells that hold no number, by column.
    absent: BTreeMap<String, u64>,
    /// Names of measures that the mapping does not speak of.
    unknown: BTreeSet<String>,
    without_samples: u64,
    read: u64,
}

impl Taken<'_> {
    fn row(&mut self, columns: &[String], row: &Row) -> Result<(), Refusal> {
        if !selected(self.mapping, columns, row) {
            return Ok(());
        }
        self.read += 1;
        let read = of_row(self.mapping, columns, row).map_err(|wrong| wrong.refuse(self.file))?;
        if let Some(name) = read.unknown
            && self.unknown.len() < crate::mapping::MOST_MEASURES
        {
            self.unknown.insert(name);
        }
        for column in read.absent {
            *self.absent.entry(column).or_default() += 1;
        }
        for signal in read.signals {
            self.without_samples += u64::from(signal.samples.is_none());
            let key = (signal.name.clone(), signal.statistic, signal.labels.clone());
            if let Some(first) = self.seen.insert(key, row.line) {
                return Err(Refusal::new(self.file, "table-rows-alike")
                    .arg("signal", &signal.name)
                    .arg("statistic", signal.statistic)
                    .arg("first", first)
                    .arg("second", row.line)
                    .at(format!("line {}", row.line)));
            }
            if self.signals.len() == MOST_SIGNALS {
                return Err(
                    Refusal::new(self.file, "table-too-many-signals").arg("limit", MOST_SIGNALS)
                );
            }
            self.signals.push(signal);
        }
        Ok(())
    }
}

/// Why a row cannot be read as the mapping says.
#[derive(Debug, Clone, PartialEq)]
pub struct Wrong {
    /// Code of the refusal.
    pub code: &'static str,
    /// The column.
    pub column: String,
    /// What stands there.
    pub text: String,
    /// Line, or number of the object.
    pub line: u64,
}

impl Wrong {
    fn refuse(self, file: &str) -> Refusal {
        Refusal::new(file, self.code)
            .arg("column", &self.column)
            .arg("text", &self.text)
            .at(format!("line {}, {}", self.line, tame(&self.column)))
    }
}

/// What one row says.
#[derive(Debug, Default)]
struct OfRow {
    signals: Vec<Signal>,
    absent: Vec<String>,
    unknown: Option<String>,
}

/// Whether a row is among those that are read.
fn selected(mapping: &Mapping, columns: &[String], row: &Row) -> bool {
    mapping.only.as_ref().is_none_or(|only| {
        let at = columns.iter().position(|c| *c == only.column);
        at.is_some_and(|at| row.text(at) == only.text.trim())
    })
}

fn of_row(mapping: &Mapping, columns: &[String], row: &Row) -> Result<OfRow, Wrong> {
    let find = |wanted: &Meaning| columns.iter().position(|c| mapping.meaning(c) == wanted);
    let mut read = OfRow::default();
    let mut labels = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        let text = row.text(at);
        if let Meaning::Label { label } = mapping.meaning(column)
            && !text.is_empty()
        {
            labels.insert(label.clone(), tame(text));
        }
    }
    let samples = match find(&Meaning::Samples) {
        Some(at) => samples(mapping, columns, row, at)?,
        None => mapping.samples,
    };
    let measure = match find(&Meaning::Measure) {
        Some(at) => match mapping.measures.get(row.text(at)) {
            Some(measure) => Some(measure),
            None => {
                read.unknown = Some(row.text(at).to_owned());
                None
            }
        },
        None => None,
    };
    let unit_cell = find(&Meaning::Unit).map(|at| row.text(at));
    for (at, column) in columns.iter().enumerate() {
        let wrong = |code, text: &str| Wrong {
            code,
            column: column.clone(),
            text: text.to_owned(),
            line: row.line,
        };
        let (name, statistic, unit) = match mapping.meaning(column) {
            Meaning::Signal {
                signal,
                statistic,
                unit,
            } => (signal, *statistic, unit.as_str()),
            Meaning::Value { statistic } => {
                let Some(m) = measure else { continue };
                let Some(statistic) = statistic.or(m.statistic) else {
                    continue;
                };
                let unit = m.unit.as_deref().or(unit_cell).unwrap_or_default();
                (&m.signal, statistic, unit)
            }
            _ => continue,
        };
        let cell = row.cells.get(at).and_then(Option::as_ref);
        let Some(value) = number(mapping, cell).map_err(|u| wrong(code(u), row.text(at)))? else {
            read.absent.push(column.clone());
            continue;
        };
        let base = catalogue::find(name).map_or(Unit::Count, |d| d.unit);
        let spelling = crate::mapping::unit_in(unit).unwrap_or(unit);
        let value = base
            .to_base(value, unit)
            .or_else(|| base.to_base(value, spelling))
            .ok_or_else(|| wrong("table-unit", unit))?;
        if value < 0.0 || (base == Unit::Ratio && value > 1.0) {
            return Err(wrong("table-impossible", row.text(at)));
        }
        let mut signal = Signal::new(name, statistic, value);
        signal.labels.clone_from(&labels);
        signal.samples = samples;
        read.signals.push(signal);
    }
    Ok(read)
}

fn code(unclear: Unclear) -> &'static str {
    match unclear {
        Unclear::Separator => "table-separator",
        Unclear::NotANumber => "table-not-a-number",
    }
}

/// The number in a cell; JSON says itself what is one.
fn number(mapping: &Mapping, cell: Option<&Cell>) -> Result<Option<f64>, Unclear> {
    match cell {
        None => Ok(None),
        Some(Cell {
            number: Some(n), ..
        }) => Ok(n.is_finite().then_some(*n)),
        Some(cell) => mapping.numbers.parse(&cell.text),
    }
}

fn samples(
    mapping: &Mapping,
    columns: &[String],
    row: &Row,
    at: usize,
) -> Result<Option<u64>, Wrong> {
    let text = row.text(at);
    if not_captured(text) {
        return Ok(None);
    }
    let number = number(mapping, row.cells.get(at).and_then(Option::as_ref));
    match number {
        Ok(Some(n)) if n >= 1.0 && n.fract() == 0.0 && n < 1e15 => Ok(Some(n as u64)),
        Ok(Some(0.0)) => Ok(None),
        _ => Err(Wrong {
            code: "table-samples",
            column: columns.get(at).cloned().unwrap_or_default(),
            text: text.to_owned(),
            line: row.line,
        }),
    }
}

/// What a mapping makes of the rows of a proposal, row by row: what a form shows before anybody
/// commits to it. Opens no file. Rows are counted from 1; one that is not selected is left out.
pub fn preview(
    mapping: &Mapping,
    columns: &[String],
    rows: &[Vec<String>],
) -> Vec<(u64, Result<Vec<Signal>, Wrong>)> {
    rows.iter()
        .enumerate()
        .map(|(at, cells)| Row {
            line: at as u64 + 1,
            cells: cells.iter().map(|c| Some(Cell::text(c))).collect(),
        })
        .filter(|row| selected(mapping, columns, row))
        .map(|row| {
            let read = of_row(mapping, columns, &row).map(|read| read.signals);
            (row.line, read)
        })
        .collect()
}
