//! From the cells of a row to a request, by what a mapping says of their columns.

use super::{
    json::Value,
    names_apart::hash,
    number::{self, Moment},
    table::{Outcome, Row, Seen, Table},
    words,
};
use crate::mapping::{Field, Numbers};

/// How a moment is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// A date and time.
    Date,
    /// A number in units of `10^n` seconds.
    Power(i32),
    /// A number of minutes.
    Minutes,
}

impl TimeUnit {
    /// The unit with this spelling.
    pub fn of(spelling: &str) -> Option<Self> {
        Some(match spelling {
            "date" => Self::Date,
            "s" => Self::Power(0),
            "ms" => Self::Power(-3),
            "us" | "µs" => Self::Power(-6),
            "ns" => Self::Power(-9),
            "min" => Self::Minutes,
            _ => return None,
        })
    }

    /// Seconds of a stretch written in this unit. Dividing by a power of ten rounds once;
    /// multiplying by its inverse would round twice.
    fn seconds(self, value: f64) -> f64 {
        match self {
            Self::Power(-3) => value / 1e3,
            Self::Power(-6) => value / 1e6,
            Self::Power(-9) => value / 1e9,
            Self::Minutes => value * 60.0,
            Self::Power(_) | Self::Date => value,
        }
    }
}

/// What is taken from a column.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The column, by name.
    pub name: String,
    /// The fact.
    pub field: Field,
    /// Its unit; of no account for texts and tokens.
    pub unit: TimeUnit,
}

/// Builds requests out of cells.
#[derive(Debug)]
pub struct Builder {
    slots: Vec<Slot>,
    numbers: Numbers,
    plain: bool,
    only: Option<Vec<u8>>,
    row: Row,
    parent: Option<u64>,
    left_out: bool,
    gaps: Vec<f64>,
    /// Cells that could not be read, by slot.
    pub bad: Vec<Seen>,
    /// The first status whose word is not known.
    pub unclear: String,
    /// Cells of acceptance that could not be read.
    pub unclear_accepted: Seen,
    /// Dates with a zone, and without.
    pub zones: [u64; 2],
    /// Rows left out because they do not hold the text that is wanted.
    pub others: u64,
    /// Whether a mean gap per request was taken as time per output token.
    pub mean_gaps: bool,
}

impl Builder {
    /// A builder for these columns; `only` is the text that the cell of [`Builder::only`] holds.
    pub fn new(slots: Vec<Slot>, numbers: Numbers, only: Option<&str>) -> Self {
        let bad = vec![Seen::default(); slots.len()];
        Self {
            plain: numbers == Numbers::default(),
            numbers,
            only: only.map(|t| t.trim().as_bytes().to_vec()),
            slots,
            row: Row::default(),
            parent: None,
            left_out: false,
            gaps: Vec::new(),
            bad,
            unclear: String::new(),
            unclear_accepted: Seen::default(),
            zones: [0; 2],
            others: 0,
            mean_gaps: false,
        }
    }

    /// The columns that are taken.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Begins a row.
    pub fn begin(&mut self, line: u64) {
        self.row = Row {
            line,
            ..Row::default()
        };
        self.parent = None;
        self.left_out = self.only.is_some();
        self.gaps.clear();
    }

    /// Takes the cell that decides whether the row is read.
    pub fn only(&mut self, text: &[u8]) {
        self.left_out = self.only.as_deref().is_some_and(|o| o != text.trim_ascii());
    }

    /// Takes a value of JSON.
    pub fn value(&mut self, slot: usize, value: Value<'_>, table: &mut Table) {
        match value {
            Value::List(list) => self.list(slot, list),
            Value::Text(text) if memchr::memchr(b'\\', text).is_some() => {
                let quoted = [b"\"", text, b"\""].concat();
                match serde_json::from_slice::<String>(&quoted) {
                    Ok(plain) => self.cell(slot, plain.as_bytes(), table),
                    Err(_) => self.bad[slot].at(self.row.line),
                }
            }
            other => self.cell(slot, other.bytes(), table),
        }
    }

    fn list(&mut self, slot: usize, list: &[u8]) {
        let unit = self.slots[slot].unit;
        match self.slots[slot].field {
            Field::Itl => {
                let from = self.gaps.len();
                if super::json::numbers(list, &mut self.gaps) > 0 {
                    self.gaps.truncate(from);
                    self.bad[slot].at(self.row.line);
                    return;
                }
                for gap in &mut self.gaps[from..] {
                    *gap = unit.seconds(*gap);
                }
            }
            // A list of reasons: the first speaks.
            Field::Status | Field::Error => {
                let inside = list.strip_prefix(b"[").unwrap_or(list);
                let first = inside
                    .split(|b| b",]".contains(b))
                    .next()
                    .unwrap_or_default();
                let first = first.trim_ascii();
                let first = first.strip_prefix(b"\"").unwrap_or(first);
                let first = first.strip_suffix(b"\"").unwrap_or(first).to_vec();
                self.text(slot, &first);
            }
            _ => self.bad[slot].at(self.row.line),
        }
    }

    /// Takes a cell.
    pub fn cell(&mut self, slot: usize, text: &[u8], table: &mut Table) {
        if text.is_empty() && !matches!(self.slots[slot].field, Field::Error) {
            return;
        }
        match self.slots[slot].field {
            Field::RequestId if !words::is_blank(text) => self.row.id = Some(hash(text)),
            Field::ParentId if !words::is_blank(text) => self.parent = Some(hash(text)),
            Field::Class if !words::is_blank(text) => {
                self.row.class = table.classes.number(text);
            }
            Field::Model if !words::is_blank(text) => {
                table.models.number(text);
            }
            Field::RequestId | Field::ParentId | Field::Class | Field::Model | Field::Session => {}
            Field::Status | Field::Error | Field::Accepted => self.text(slot, text),
            Field::Retries | Field::Attempt => self.small(slot, text),
            Field::PromptTokens | Field::CachedTokens | Field::OutputTokens => {
                self.tokens(slot, text);
            }
            Field::IntendedTime
            | Field::StartTime
            | Field::QueuedTime
            | Field::ScheduledTime
            | Field::FirstTokenTime
            | Field::FinishTime => self.moment(slot, text),
            Field::Ttft
            | Field::Itl
            | Field::Tpot
            | Field::E2e
            | Field::QueueTime
            | Field::PrefillTime
            | Field::DecodeTime => self.span(slot, text),
        }
    }

    fn text(&mut self, slot: usize, text: &[u8]) {
        let found = match self.slots[slot].field {
            Field::Status => words::status(text),
            Field::Error => {
                self.row.judged_end = true;
                words::error(text)
            }
            _ => {
                match words::accepted(text) {
                    Ok(said) => self.row.accepted = said,
                    Err(()) => self.unclear_accepted.at(self.row.line),
                }
                return;
            }
        };
        let Some(found) = found else { return };
        self.row.judged_end = true;
        if found == Outcome::Unclear && self.unclear.is_empty() {
            self.unclear = String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned();
        }
        // A failure that one column names is not taken back by another.
        if self.row.outcome.is_ok() {
            self.row.outcome = found;
        }
    }

    fn number(&mut self, slot: usize, text: &[u8]) -> Option<f64> {
        let value = if self.plain {
            number::parse(text)
        } else {
            let text = std::str::from_utf8(text).unwrap_or("?");
            self.numbers.parse(text).ok().flatten()
        };
        if value.is_none() && !words::is_blank(text) {
            self.bad[slot].at(self.row.line);
        }
        value
    }

    fn small(&mut self, slot: usize, text: &[u8]) {
        let Some(value) = self.number(slot, text) else {
            return;
        };
        if !(0.0..65_000.0).contains(&value) || value.fract() != 0.0 {
            self.bad[slot].at(self.row.line);
            return;
        }
        let value = Some(value as u16);
        match self.slots[slot].field {
            Field::Retries => self.row.retries = value,
            _ => self.row.attempt = value,
        }
    }

    fn tokens(&mut self, slot: usize, text: &[u8]) {
        let Some(value) = self.number(slot, text) else {
            return;
        };
        if !(0.0..4e9).contains(&value) || value.fract() != 0.0 {
            self.bad[slot].at(self.row.line);
            return;
        }
        let value = Some(value as u32);
        match self.slots[slot].field {
            Field::PromptTokens => self.row.prompt = value,
            Field::CachedTokens => self.row.cached = value,
            _ => self.row.output = value,
        }
    }

    fn span(&mut self, slot: usize, text: &[u8]) {
        let Some(value) = self.number(slot, text) else {
            return;
        };
        let seconds = self.slots[slot].unit.seconds(value);
        let row = &mut self.row;
        match self.slots[slot].field {
            Field::Ttft => row.ttft = Some(seconds),
            Field::E2e => row.e2e = Some(seconds),
            Field::QueueTime => row.queue = Some(seconds),
            Field::PrefillTime => row.prefill = Some(seconds),
            Field::DecodeTime => row.decode = Some(seconds),
            Field::Itl => self.gaps.push(seconds),
            _ => row.tpot = Some(seconds),
        }
    }

    fn moment(&mut self, slot: usize, text: &[u8]) {
        let moment = match self.slots[slot].unit {
            TimeUnit::Date => number::date(text).map(|date| {
                self.zones[usize::from(date.zone.is_none())] += 1;
                date.moment
            }),
            TimeUnit::Power(exponent) if self.plain => Moment::from_number(text, exponent),
            unit => self
                .number(slot, text)
                .map(|v| unit.seconds(v) * 1e9)
                .filter(|ns| ns.abs() < 9e18)
                .map(|ns| Moment::from_ns(ns.round() as i64)),
        };
        if moment.is_none() && !words::is_blank(text) {
            self.bad[slot].at(self.row.line);
        }
        let row = &mut self.row;
        match self.slots[slot].field {
            Field::IntendedTime => row.intended = moment,
            Field::StartTime => row.start = moment,
            Field::QueuedTime => row.queued = moment,
            Field::ScheduledTime => row.scheduled = moment,
            Field::FirstTokenTime => row.first = moment,
            _ => row.finish = moment,
        }
    }

    /// Ends the row. `false` when the table is full.
    pub fn end(&mut self, table: &mut Table) -> bool {
        if self.left_out {
            self.others += 1;
            return true;
        }
        let mut row = std::mem::take(&mut self.row);
        row.id = self.parent.or(row.id);
        // One number per request is the mean of its gaps; several are the gaps.
        if let [mean] = self.gaps.as_slice()
            && row.output != Some(2)
        {
            row.tpot = row.tpot.or(Some(*mean));
            self.mean_gaps = true;
            self.gaps.clear();
        }
        let answered = row.outcome.is_ok() && row.output != Some(0);
        if answered && self.gaps.iter().all(|g| *g >= 0.0) && !self.gaps.is_empty() {
            table.push_gaps(&self.gaps);
        }
        table.push(row)
    }
}
