//! Request logs: CSV, TSV and lines of JSON, one row per request.
//!
//! What a column means is said by a person ([`Options::mapping`]) or known from the format. Where
//! the names leave no doubt the log is read at once and marked: until a person confirms the
//! meaning it carries no judgement. Where they do, the reader asks.

use super::{
    blocks::Blocks,
    cells::Builder,
    compose::{self, About},
    delimited::{self, each_row},
    json,
    known::Known,
    plan::{self, Sample},
    table::{Seen, Table},
};
use crate::{
    Cell, Figure, FileRead, Kind, Note, NoteLevel, Options, Reading, Refusal, Source, Tool, detect,
    figure::Column,
    input::{self, Opened},
    mapping::{Mapping, Meaning},
    prometheus::lines::each_line,
};
use std::collections::BTreeMap;

/// Share of the rows that may be unreadable.
const MOST_BROKEN: f64 = 0.1;

/// What was found in the rows beside requests.
#[derive(Debug, Default)]
struct Found {
    rows: u64,
    broken: Seen,
    cut: Option<u64>,
    damaged: bool,
    full: bool,
    blocks: Blocks,
}

/// Reads a request log, or a public trace of a workload.
///
/// # Errors
/// `needs-mapping` when the names of the columns leave something open; `mapping-…` and
/// `requests-…` when a mapping does not fit, or the rows are not what the header says.
pub fn read(sources: &[Source], options: &Options) -> Result<Reading, Refusal> {
    let mut table = Table::default();
    let mut about = About::default();
    let mut reading: Option<Reading> = None;
    for source in sources {
        let head = detect::head(source)?;
        let whole = head.text.len() < detect::HEAD_BYTES;
        let sample = Sample::of(&head.text, whole)
            .ok_or_else(|| Refusal::new(&source.name, "requests-no-header"))?;
        let (mapping, known) = meaning(&sample, options, &source.name)?;
        let reading = reading.get_or_insert_with(|| begin(known));
        let (slots, numbers) = plan::slots(&mapping, &sample, &source.name)?;
        let only = mapping.only.as_ref().map(|o| o.text.as_str());
        let mut builder = Builder::new(slots, numbers, only);
        let mut found = Found::default();
        let opened = input::open(source)?;
        reading.files.push(FileRead {
            name: source.name.clone(),
            bytes: opened.bytes,
        });
        rows(
            opened,
            &sample,
            &mapping,
            &mut builder,
            &mut table,
            &mut found,
            known,
        )
        .map_err(|e| Refusal::io(&source.name, &e))?;
        judge_rows(&source.name, &builder, &found)?;
        after(reading, &sample, &mapping, &builder, &found, options, known);
        about.zoned = builder.zones[1] == 0;
        if about.unclear.is_empty() {
            about.unclear.clone_from(&builder.unclear);
        }
    }
    let mut reading = reading.ok_or_else(|| Refusal::new("", "no-file"))?;
    let name = sources.first().map_or("", |s| s.name.as_str());
    if table.is_empty() {
        return Err(Refusal::new(name, "requests-no-row"));
    }
    let is_trace = reading.kind == Kind::RequestTrace;
    about.ends = !is_trace || table.has_outcome || !table.e2e.is_empty();
    about.no_retries = is_trace;
    if let [model] = table.models.all() {
        reading
            .environment
            .insert("model".to_owned(), model.clone());
    }
    compose::fill(&mut reading, &mut table, &about);
    reading.or_empty(name)
}

/// The mapping to read with, and the format when it is a known one.
fn meaning(
    sample: &Sample,
    options: &Options,
    file: &str,
) -> Result<(Mapping, Option<Known>), Refusal> {
    let guess = plan::guess(sample);
    if let Some(mapping) = &options.mapping {
        return Ok((mapping.clone(), guess.and_then(|g| g.known)));
    }
    let Some(guess) = guess else {
        return Err(Refusal::new(file, "requests-no-header"));
    };
    if sample.rows.is_empty() {
        // Nothing of what a question would need was there.
        let refusal = match sample.strange {
            0 => Refusal::new(file, "requests-no-row"),
            n => Refusal::new(file, "requests-rows-broken")
                .arg("count", n)
                .arg("rows", n)
                .at("line 2"),
        };
        return Err(refusal);
    }
    if !guess.questions.is_empty() || (options.ask && guess.known.is_none()) {
        return Err(Refusal::needs_mapping(file, plan::proposal(sample, guess)));
    }
    Ok((guess.mapping, guess.known))
}

fn begin(known: Option<Known>) -> Reading {
    let is_trace = known.is_some_and(Known::is_trace);
    let kind = if is_trace {
        Kind::RequestTrace
    } else {
        Kind::RequestLog
    };
    let tool = Tool {
        name: known.map_or("request log", Known::name).to_owned(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(kind, super::PARSER, tool);
    if is_trace {
        reading.note(Note::new(NoteLevel::Info, "requests-trace"));
    }
    reading
}

fn rows(
    mut opened: Opened,
    sample: &Sample,
    mapping: &Mapping,
    builder: &mut Builder,
    table: &mut Table,
    found: &mut Found,
    known: Option<Known>,
) -> std::io::Result<()> {
    let read = match sample.layout.delimiter() {
        Some(delimiter) => {
            let of = Columns::new(sample, mapping, builder);
            rows_of_table(&mut opened, delimiter, sample, &of, builder, table, found)
        }
        None => {
            let of = Paths::new(mapping, builder, known);
            rows_of_json(&mut opened, of, builder, table, found)
        }
    };
    match read {
        // What was unpacked before the damage was read.
        Err(e) if opened.packed && input::is_damage(&e) => {
            found.damaged = true;
            Ok(())
        }
        other => other,
    }
}

/// Where the slots of a table's columns are.
struct Columns {
    /// Column and slot, in order of the columns.
    places: Vec<(usize, usize)>,
    only: Option<usize>,
}

impl Columns {
    fn new(sample: &Sample, mapping: &Mapping, builder: &Builder) -> Self {
        let place = |name: &str| sample.columns.iter().position(|c| c == name);
        let mut places: Vec<(usize, usize)> = builder
            .slots()
            .iter()
            .enumerate()
            .filter_map(|(slot, s)| Some((place(&s.name)?, slot)))
            .collect();
        places.sort_unstable();
        Self {
            places,
            only: mapping.only.as_ref().and_then(|o| place(&o.column)),
        }
    }
}

fn rows_of_table(
    opened: &mut Opened,
    delimiter: u8,
    sample: &Sample,
    of: &Columns,
    builder: &mut Builder,
    table: &mut Table,
    found: &mut Found,
) -> std::io::Result<()> {
    let mut header = true;
    let width = sample.columns.len();
    let done = each_row::<()>(
        &mut *opened.input,
        delimiter,
        &mut |row: &delimited::Row<'_>| {
            if std::mem::take(&mut header) {
                return Ok(());
            }
            found.rows += 1;
            let surplus = row.cells.len() == width + 1
                && row
                    .cells
                    .get(row.bytes, width)
                    .is_some_and(<[u8]>::is_empty);
            if row.broken || (row.cells.len() != width && !surplus) {
                if row.ended {
                    found.broken.at(row.line);
                } else {
                    found.cut = Some(row.line);
                }
                return Ok(());
            }
            builder.begin(row.line);
            if let Some(text) = of.only.and_then(|at| row.cells.get(row.bytes, at)) {
                builder.only(text);
            }
            for (column, slot) in &of.places {
                if let Some(cell) = row.cells.get(row.bytes, *column) {
                    builder.cell(*slot, cell, table);
                }
            }
            if builder.end(table) {
                Ok(())
            } else {
                found.full = true;
                Err(())
            }
        },
    )?;
    let _ = done;
    Ok(())
}

/// Where the slots of the paths in JSON are.
struct Paths {
    slots: BTreeMap<Vec<u8>, usize>,
    only: Option<Vec<u8>>,
    hashes: bool,
}

impl Paths {
    fn new(mapping: &Mapping, builder: &Builder, known: Option<Known>) -> Self {
        let slots = builder.slots().iter().enumerate();
        Self {
            slots: slots
                .map(|(i, s)| (s.name.clone().into_bytes(), i))
                .collect(),
            only: mapping.only.as_ref().map(|o| o.column.clone().into_bytes()),
            hashes: known == Some(Known::Mooncake),
        }
    }
}

fn rows_of_json(
    opened: &mut Opened,
    of: Paths,
    builder: &mut Builder,
    table: &mut Table,
    found: &mut Found,
) -> std::io::Result<()> {
    let mut path = Vec::new();
    let done = each_line::<()>(&mut *opened.input, &mut |line| {
        let mut bytes = line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes);
        if line.number == 1 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        found.rows += 1;
        builder.begin(line.number);
        let scanned = json::scan(bytes, &mut path, &mut |path, value| {
            if let Some(slot) = of.slots.get(path) {
                builder.value(*slot, value, table);
            }
            if of.only.as_deref() == Some(path) {
                builder.only(value.bytes());
            }
            if of.hashes
                && path == b"hash_ids"
                && let json::Value::List(list) = value
            {
                found.blocks.take(list);
            }
        });
        if scanned.is_err() || line.too_long {
            if line.ended {
                found.broken.at(line.number);
            } else {
                found.cut = Some(line.number);
            }
            return Ok(());
        }
        if builder.end(table) {
            Ok(())
        } else {
            found.full = true;
            Err(())
        }
    })?;
    let _ = done;
    Ok(())
}

/// Whether enough of the rows could be read.
fn judge_rows(file: &str, builder: &Builder, found: &Found) -> Result<(), Refusal> {
    if found.full {
        return Err(Refusal::new(file, "requests-too-many").arg("rows", found.rows));
    }
    let most = (found.rows as f64 * MOST_BROKEN).max(2.0);
    if found.broken.count as f64 > most {
        return Err(Refusal::new(file, "requests-rows-broken")
            .arg("count", found.broken.count)
            .arg("rows", found.rows)
            .at(format!("line {}", found.broken.line)));
    }
    for (slot, bad) in builder.slots().iter().zip(&builder.bad) {
        if bad.count as f64 > most {
            return Err(Refusal::new(file, "requests-cells-broken")
                .arg("column", &slot.name)
                .arg("count", bad.count)
                .arg("rows", found.rows)
                .at(format!("line {}", bad.line)));
        }
    }
    Ok(())
}

/// Notes and figures about how the file was read.
fn after(
    reading: &mut Reading,
    sample: &Sample,
    mapping: &Mapping,
    builder: &Builder,
    found: &Found,
    options: &Options,
    known: Option<Known>,
) {
    let warn = |code: &str| Note::new(NoteLevel::Warning, code);
    if found.damaged {
        reading.note(warn("requests-gzip-damaged"));
    }
    if let Some(line) = found.cut {
        reading.note(warn("requests-cut-row").arg("line", line));
    }
    if found.broken.count > 0 {
        reading.note(
            warn("requests-rows-skipped")
                .arg("count", found.broken.count)
                .arg("rows", found.rows)
                .arg("line", found.broken.line),
        );
    }
    for (slot, bad) in builder.slots().iter().zip(&builder.bad) {
        if bad.count > 0 {
            reading.note(
                warn("requests-cells-skipped")
                    .arg("column", &slot.name)
                    .arg("count", bad.count)
                    .arg("line", bad.line),
            );
        }
    }
    if builder.unclear_accepted.count > 0 {
        reading.note(
            Note::new(NoteLevel::Invalid, "requests-accepted-unclear")
                .arg("count", builder.unclear_accepted.count)
                .arg("line", builder.unclear_accepted.line),
        );
    }
    match builder.zones {
        [0, 0] | [_, 0] => {}
        [0, _] => reading.note(Note::new(NoteLevel::Info, "requests-no-zone")),
        [with, without] => reading.note(
            Note::new(NoteLevel::Invalid, "requests-zones-mixed")
                .arg("with", with)
                .arg("without", without),
        ),
    }
    if builder.mean_gaps {
        reading.note(Note::new(NoteLevel::Info, "requests-mean-gaps"));
    }
    if known.is_none() {
        reading.note(Note::new(NoteLevel::Info, "requests-side-unknown"));
        columns(reading, sample, mapping);
        if options.mapping.is_none() {
            reading.note(Note::new(NoteLevel::Invalid, "requests-mapping-guessed"));
        }
    }
    if known == Some(Known::EngineTimestamps) {
        reading.note(Note::new(NoteLevel::Info, "requests-engine-side"));
    }
    if let Some(reuse) = found.blocks.reuse() {
        reading.push(
            crate::Signal::new("ideal_prefix_reuse_ratio", crate::Statistic::Ratio, reuse)
                .samples(found.blocks.all),
        );
    }
}

/// The meaning of the columns as a table.
fn columns(reading: &mut Reading, sample: &Sample, mapping: &Mapping) {
    if reading.figures.iter().any(|f| f.id == "request-columns") {
        return;
    }
    let mut rows = Vec::new();
    for name in &sample.columns {
        let (field, unit) = match mapping.meaning(name) {
            Meaning::Field { field, unit } => (Cell::text(field.id()), unit.as_deref()),
            Meaning::Label { label } => (Cell::text(label), None),
            _ => (Cell::NONE, None),
        };
        let unit = unit.map_or(Cell::NONE, Cell::text);
        rows.push(vec![Cell::text(name), field, unit]);
    }
    let left = rows.len().saturating_sub(100) as u64;
    rows.truncate(100);
    let heads = ["log_column", "log_field", "log_unit"].map(Column::text);
    reading
        .figures
        .push(Figure::new("request-columns", heads.to_vec(), rows).left_out(left));
}
