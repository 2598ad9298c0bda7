//! Tables of GenAI-Perf and AIPerf: the CSV of a run (several tables one after another, each with
//! its own header row), the sweep of `genai-perf analyze`, the export of server metrics, and the
//! boxed table of the console.

use super::{
    aiperf,
    numbers::{Habit, habit, number},
    run::{Results, Rule, Run, statistic},
    server_metrics::{Exported, of_exported},
};
use crate::{Note, NoteLevel, Refusal, Statistic};

/// Most rows of a file.
const MOST_ROWS: usize = 100_000;
/// First line of AIPerf's export of server metrics.
pub const SERVER_EXPORT: &str = "# AIPerf Server Metrics Export";

/// Which table rows belong to, by its header row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Table {
    Metrics,
    Values,
    Gpus,
    Sweep,
    Exported,
    Other,
}

/// A metric's title as a tag, and its unit: `Time To First Token (ms)` →
/// `time_to_first_token`, `ms`.
pub fn tag(title: &str) -> (String, String) {
    let title = title.trim();
    let (name, unit) = match title.rfind(" (") {
        Some(at) if title.ends_with(')') => (&title[..at], &title[at + 2..title.len() - 1]),
        _ => (title, ""),
    };
    let tag = name.trim().to_lowercase().replace([' ', '-'], "_");
    (tag, unit.trim().to_owned())
}

fn table(header: &[String]) -> Option<Table> {
    let cell = |i: usize| header.get(i).map_or("", String::as_str);
    Some(match (cell(0), cell(1)) {
        ("Metric", "GPU") | ("Config Name", "GPU") => Table::Gpus,
        ("Endpoint", "GPU_Index" | "Metric") => Table::Other,
        ("Metric", "Value") => Table::Values,
        ("Metric" | "Statistic", _) => Table::Metrics,
        ("Config Name", _) => Table::Sweep,
        ("Endpoint", "Type") => Table::Exported,
        _ => return None,
    })
}

/// Rows of one file being read.
#[derive(Debug)]
pub struct Reader {
    header: Vec<String>,
    table: Table,
    habit: Habit,
    run: Run,
    sweep: Vec<Run>,
    exported: Vec<Exported>,
    version: Option<String>,
    has_exported: bool,
    aiperf: bool,
}

impl Reader {
    /// A reader of rows whose numbers follow a habit.
    fn new(habit: Habit) -> Self {
        Self {
            header: Vec::new(),
            table: Table::Other,
            habit,
            run: Run::default(),
            sweep: Vec::new(),
            exported: Vec::new(),
            version: None,
            has_exported: false,
            aiperf: false,
        }
    }

    fn row(&mut self, row: Vec<String>) {
        if row.iter().all(String::is_empty) {
            return;
        }
        if let Some(table) = table(&row) {
            self.table = table;
            self.has_exported |= table == Table::Exported;
            // Only AIPerf has a column for sums.
            self.aiperf |= row.iter().any(|c| c == "sum");
            self.header = row;
            return;
        }
        match self.table {
            Table::Metrics => self.metrics(&row),
            Table::Values => {
                let (tag, unit) = tag(&row[0]);
                if let Some(value) = row.get(1).and_then(|v| number(v, self.habit)) {
                    aiperf::give_single(&mut self.run, &tag, &unit, value);
                }
            }
            Table::Sweep => self.point(&row),
            Table::Exported => self.series(&row),
            Table::Gpus => self.gpu(&row),
            Table::Other => {}
        }
    }

    fn cell(&self, row: &[String], i: usize) -> Option<f64> {
        row.get(i).and_then(|v| number(v, self.habit))
    }

    fn metrics(&mut self, row: &[String]) {
        let (tag, unit) = tag(&row[0]);
        if let Some(average) = self.cell(row, 1)
            && aiperf::give_single(&mut self.run, &tag, &unit, average)
        {
            return;
        }
        let found = aiperf::signal(&tag).and_then(|s| Some((s, aiperf::factor(s, &unit)?)));
        let Some((signal, factor)) = found else {
            return;
        };
        for (i, name) in self.header.iter().enumerate().skip(1) {
            let value = row.get(i).and_then(|v| number(v, self.habit));
            if let (Some(statistic), Some(value)) = (statistic(name), value) {
                self.run.tell(signal, statistic, value, factor);
            }
        }
    }

    /// One point of a sweep: `p99 Time To First Token (ms)`, `Avg. Output Token Throughput (…)`.
    fn point(&mut self, row: &[String]) {
        let mut run = Run::default();
        for (i, title) in self.header.iter().enumerate() {
            let Some(value) = self.cell(row, i) else {
                continue;
            };
            match title.as_str() {
                "Concurrency" => run.concurrency = Some(value).filter(|v| *v > 0.0),
                "Request Rate" => run.rate = Some(value).filter(|v| *v > 0.0),
                _ => {}
            }
            let (word, rest) = title.split_once(' ').unwrap_or(("", title));
            let word = word.trim_end_matches('.').to_lowercase();
            let known = statistic(&word);
            let (tag, unit) = tag(if known.is_some() { rest } else { title });
            if aiperf::give_single(&mut run, &tag, &unit, value) {
                continue;
            }
            let found = aiperf::signal(&tag).and_then(|s| Some((s, aiperf::factor(s, &unit)?)));
            if let (Some((signal, factor)), Some(statistic)) = (found, known) {
                run.tell(signal, statistic, value, factor);
            }
        }
        run.name = row.first().filter(|n| !n.is_empty()).cloned();
        if self.sweep.len() < 1000 {
            self.sweep.push(run);
        }
    }

    fn series(&mut self, row: &[String]) {
        let text = |name: &str| {
            let at = self.header.iter().position(|h| h == name)?;
            row.get(at).cloned()
        };
        let stats = self
            .header
            .iter()
            .enumerate()
            .filter_map(|(i, name)| Some((name.clone(), self.cell(row, i)?)))
            .collect();
        self.exported.push(Exported {
            metric: text("Metric").unwrap_or_default(),
            stats,
        });
    }

    /// `GPU Power Usage (W),gpu0,64.4,…`; sweeps have a column per metric and are left out.
    fn gpu(&mut self, row: &[String]) {
        if self.header.first().is_none_or(|h| h != "Metric") {
            return;
        }
        let (tag, unit) = tag(&row[0]);
        let (signal, statistic, factor) = match (tag.as_str(), unit.as_str()) {
            ("gpu_power_usage", "W") => ("gpu_power", Statistic::Mean, 1.0),
            ("gpu_utilization", "%") => ("gpu_device_utilization", Statistic::Mean, 1e-2),
            ("gpu_memory_used", "GB") => ("gpu_memory_used", Statistic::Max, 1e9),
            ("total_gpu_memory" | "gpu_total_memory", "GB") => {
                ("gpu_memory_total", Statistic::Last, 1e9)
            }
            _ => return,
        };
        let column = match statistic {
            Statistic::Max => "max",
            Statistic::Last => "Value",
            _ => "avg",
        };
        let at = self.header.iter().position(|h| h == column);
        let at = at.or_else(|| self.header.iter().position(|h| h == "avg"));
        if let Some(value) = at.and_then(|i| self.cell(row, i)) {
            let gpu = row.get(1).cloned().unwrap_or_default();
            self.run.gpus.push((gpu, signal, statistic, value * factor));
        }
    }

    fn finish(mut self) -> Option<Results> {
        let mut results = if self.has_exported {
            of_exported(&self.exported)
        } else {
            let tool = if self.aiperf { "AIPerf" } else { "GenAI-Perf" };
            let mut results = Results::of(tool, Rule::Linear);
            results.format = Some("table".to_owned());
            if !self.run.told.is_empty() {
                aiperf::finish(&mut self.run);
                self.run.note(NoteLevel::Info, "bench-table-rounded", &[]);
                results.runs.push(self.run);
            }
            results.runs.extend(self.sweep);
            results
        };
        results.version = self.version;
        let says = |r: &Run| !r.told.is_empty();
        results.runs.iter().any(says).then_some(results)
    }
}

/// Reads a CSV from its text.
///
/// # Errors
/// A line beyond the limits, or numbers that may be read either way.
pub fn csv(file: &str, input: &mut dyn std::io::Read) -> Result<Option<Results>, Refusal> {
    let rows = rows(file, input)?;
    let comments: Vec<&String> = rows.iter().filter_map(|r| r.first()).collect();
    let version = comments
        .iter()
        .find_map(|c| c.strip_prefix("# aiperf_version:"))
        .map(|v| v.trim().to_owned());
    of_rows(file, rows, version)
}

fn of_rows(
    file: &str,
    rows: Vec<Vec<String>>,
    version: Option<String>,
) -> Result<Option<Results>, Refusal> {
    let cells = rows.iter().flat_map(|r| r.iter().skip(1));
    // Cells such as `0.001=0;0.005=3` are no numbers.
    let plain = cells.filter(|c| c.chars().all(|c| c.is_ascii_digit() || ",.-".contains(c)));
    let Some(habit) = habit(plain.map(String::as_str)) else {
        return Err(Refusal::new(file, "bench-number-habit"));
    };
    let mut reader = Reader::new(habit);
    reader.version = version;
    for row in rows {
        if !row.first().is_some_and(|c| c.starts_with('#')) {
            reader.row(row);
        }
    }
    let mut results = reader.finish();
    if let Some(results) = results.as_mut().filter(|_| habit == Habit::Comma) {
        let note = Note::new(NoteLevel::Warning, "bench-decimal-comma").arg("line", 0);
        results.notes.push(note);
    }
    Ok(results)
}

/// The delimiter of a table: a spreadsheet with a decimal comma saves semicolons.
pub fn delimiter(line: &str) -> u8 {
    let count = |c: char| line.matches(c).count();
    match (count(','), count(';'), count('\t')) {
        (c, s, t) if s > c && s >= t => b';',
        (c, _, t) if t > c => b'\t',
        _ => b',',
    }
}

/// All rows of a CSV, cells trimmed.
///
/// # Errors
/// A file that is no text or has too many rows.
pub fn rows(file: &str, input: &mut dyn std::io::Read) -> Result<Vec<Vec<String>>, Refusal> {
    use std::io::{BufRead, Read};
    let mut input = std::io::BufReader::new(input);
    let first = input.fill_buf().map_err(|e| Refusal::io(file, &e))?;
    let head = String::from_utf8_lossy(&first[..first.len().min(4096)]).into_owned();
    let line = head
        .lines()
        .find(|l| !l.starts_with('#') && !l.trim().is_empty());
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(line.unwrap_or_default()))
        .from_reader(input.take(MOST_BYTES));
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut record = csv::ByteRecord::new();
    while reader
        .read_byte_record(&mut record)
        .map_err(|e| Refusal::new(file, "io").arg("error", e))?
    {
        if rows.len() == MOST_ROWS {
            return Err(Refusal::new(file, "bench-too-many-rows").arg("limit", MOST_ROWS));
        }
        let text = |c: &[u8]| {
            let text = String::from_utf8_lossy(c);
            text.trim().trim_start_matches('\u{feff}').to_owned()
        };
        rows.push(record.iter().map(text).collect());
    }
    Ok(rows)
}

/// Most bytes of a table.
const MOST_BYTES: u64 = 64 << 20;

/// Reads the boxed table that GenAI-Perf prints.
///
/// # Errors
/// Numbers that may be read either way.
pub fn console(file: &str, lines: &[String]) -> Result<Option<Results>, Refusal> {
    let boxed = lines.iter().filter(|l| l.contains(['│', '┃']));
    let rows = boxed
        .map(|line| {
            line.trim()
                .trim_matches(['│', '┃'])
                .split(['│', '┃'])
                .map(|c| c.trim().to_owned())
                .collect()
        })
        .collect();
    of_rows(file, rows, None)
}
