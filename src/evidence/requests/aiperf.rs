//! AIPerf's records: one line of JSON per request, as the client saw it
//! (`profile_export.jsonl`; NVIDIA AIPerf, metric record export).
//!
//! Requests of the warm-up are left out. AIPerf's inter-token latency is a mean per request, which
//! is TPOT; its gaps between chunks are gaps between tokens only where a chunk holds one token.

use super::{
    compose::{self, About},
    json,
    names_apart::hash,
    number::Moment,
    table::{Outcome, Row, Seen, Table},
    words,
};
use crate::{
    FileRead, Kind, Note, NoteLevel, Options, Reading, Refusal, Source, Tool, input,
    prometheus::lines::{Line, each_line},
};

/// One line, as far as it was read.
#[derive(Debug, Default)]
struct Record {
    row: Row,
    session: Vec<u8>,
    turn: Vec<u8>,
    warm_up: bool,
    cancelled: bool,
    error: bool,
    code: Option<Outcome>,
    words: Option<Outcome>,
    chunks: Vec<f64>,
    /// Tokens by the tokenizer, and as the server counted them.
    tokens: [Option<u32>; 2],
    measures: [Measure; 7],
    strange_unit: bool,
}

/// A metric with its unit.
#[derive(Debug, Default, Clone)]
struct Measure {
    value: Option<f64>,
    divisor: Option<f64>,
}

/// Metrics that are durations, by their place in [`Record::measures`].
const SPANS: [&[u8]; 7] = [
    b"metrics.time_to_first_token",
    b"metrics.request_latency",
    b"metrics.inter_token_latency",
    b"metrics.inter_chunk_latency",
    b"metrics.decode_duration",
    b"metrics.queue_time",
    b"metrics.prefill_duration",
];

fn divisor(unit: &[u8]) -> Option<f64> {
    Some(match unit {
        b"ms" | b"milliseconds" => 1e3,
        b"s" | b"sec" | b"seconds" => 1.0,
        b"us" | b"microseconds" => 1e6,
        b"ns" | b"nanoseconds" => 1e9,
        _ => return None,
    })
}

impl Record {
    fn take(&mut self, path: &[u8], value: json::Value<'_>) {
        let text = value.bytes();
        let is_true = text == b"true";
        let moment = || Moment::from_number(text, -9);
        match path {
            b"metadata.x_request_id" => self.row.id = (!text.is_empty()).then(|| hash(text)),
            b"metadata.credit_issued_ns" => self.row.intended = moment(),
            b"metadata.request_start_ns" => self.row.start = moment(),
            b"metadata.request_end_ns" => self.row.finish = moment(),
            b"metadata.benchmark_phase" | b"metadata.phase_kind" => {
                self.warm_up |= text.to_ascii_lowercase().starts_with(b"warm");
            }
            b"metadata.was_cancelled" => self.cancelled = is_true,
            b"metadata.conversation_id" => self.session = text.to_vec(),
            b"metadata.turn_index" => self.turn = text.to_vec(),
            b"error.code" => {
                self.error = true;
                self.code = words::status(text).filter(|o| !o.is_ok());
            }
            b"error.type" => {
                self.error = true;
                self.words = words::error(text);
            }
            b"error.message" => self.error = true,
            _ => self.metric(path, value),
        }
    }

    fn metric(&mut self, path: &[u8], value: json::Value<'_>) {
        let tokens = || {
            let value = super::number::parse(value.bytes())?;
            (value.fract() == 0.0 && (0.0..4e9).contains(&value)).then_some(value as u32)
        };
        match path {
            b"metrics.input_sequence_length.value" | b"metrics.error_isl.value" => {
                self.row.prompt = tokens();
                return;
            }
            b"metrics.output_sequence_length.value" => {
                self.tokens[0] = tokens();
                return;
            }
            b"metrics.usage_completion_tokens.value" => {
                self.tokens[1] = tokens();
                return;
            }
            _ => {}
        }
        let Some(place) = SPANS.iter().position(|s| path.starts_with(s)) else {
            return;
        };
        let measure = &mut self.measures[place];
        match (&path[SPANS[place].len()..], value) {
            (b".value", json::Value::List(list)) if place == 3 => {
                let strange = json::numbers(list, &mut self.chunks);
                if strange > 0 {
                    self.chunks.clear();
                }
            }
            (b".value", value) => measure.value = super::number::parse(value.bytes()),
            (b".unit", value) => {
                measure.divisor = divisor(value.bytes());
                self.strange_unit |= measure.divisor.is_none();
            }
            _ => {}
        }
    }

    fn seconds(&self, place: usize) -> Option<f64> {
        let measure = &self.measures[place];
        Some(measure.value? / measure.divisor?)
    }

    /// The request of the record.
    fn row(&mut self) -> Row {
        let mut row = std::mem::take(&mut self.row);
        row.ttft = self.seconds(0);
        row.e2e = self.seconds(1);
        row.tpot = self.seconds(2);
        row.output = self.tokens[0].or(self.tokens[1]);
        row.judged_end = true;
        row.outcome = if self.error {
            self.code.or(self.words).unwrap_or(Outcome::Error)
        } else if self.cancelled {
            Outcome::Aborted
        } else {
            Outcome::Done
        };
        if let Some(by) = self.measures[3].divisor {
            self.chunks.iter_mut().for_each(|c| *c /= by);
        } else {
            self.chunks.clear();
        }
        row
    }

    /// Whether every chunk held one token, by the server's count where there is one.
    fn chunks_are_tokens(&self) -> bool {
        let tokens = self.tokens[1].or(self.tokens[0]).unwrap_or(0) as usize;
        (self.chunks.len() + 1).abs_diff(tokens) * 10 <= tokens
    }
}

#[derive(Debug, Default)]
struct Found {
    rows: u64,
    broken: Seen,
    warm_up: u64,
    strange: Seen,
    in_chunks: u64,
    streamed: u64,
    full: bool,
}

/// Reads the records of one run.
///
/// # Errors
/// `requests-rows-broken` when more than a tenth of the lines are no records; `requests-no-row`
/// when none is left; `requests-too-many` beyond the cap.
pub fn read(sources: &[Source], _: &Options) -> Result<Reading, Refusal> {
    let tool = Tool {
        name: "AIPerf".to_owned(),
        version: None,
        format: Some("profile_export.jsonl".to_owned()),
    };
    let mut reading = Reading::new(Kind::AiperfRecords, super::PARSER, tool);
    let mut table = Table::default();
    let mut found = Found::default();
    for source in sources {
        let mut opened = input::open(source)?;
        reading.files.push(FileRead {
            name: source.name.clone(),
            bytes: opened.bytes,
        });
        let mut cut = None;
        let read = each_line::<()>(&mut *opened.input, &mut |line| {
            line_of(&line, &mut table, &mut found, &mut cut)
        });
        match read {
            Err(e) if opened.packed && input::is_damage(&e) => {
                reading.note(Note::new(NoteLevel::Warning, "requests-gzip-damaged"));
            }
            Err(e) => return Err(Refusal::io(&source.name, &e)),
            Ok(_) => {}
        }
        if let Some(line) = cut {
            reading.note(Note::new(NoteLevel::Warning, "requests-cut-row").arg("line", line));
        }
    }
    let name = sources.first().map_or("", |s| s.name.as_str());
    if found.full {
        return Err(Refusal::new(name, "requests-too-many").arg("rows", found.rows));
    }
    if found.broken.count as f64 > (found.rows as f64 * 0.1).max(2.0) {
        return Err(Refusal::new(name, "requests-rows-broken")
            .arg("count", found.broken.count)
            .arg("rows", found.rows)
            .at(format!("line {}", found.broken.line)));
    }
    if table.is_empty() {
        return Err(Refusal::new(name, "requests-no-row"));
    }
    notes(&mut reading, &found);
    let about = About {
        ends: true,
        zoned: true,
        no_retries: true,
        ..About::default()
    };
    if found.in_chunks > 0 {
        table.gaps = Vec::new();
    }
    compose::fill(&mut reading, &mut table, &about);
    reading.or_empty(name)
}

fn line_of(
    line: &Line<'_>,
    table: &mut Table,
    found: &mut Found,
    cut: &mut Option<u64>,
) -> Result<(), ()> {
    let bytes = line
        .bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(line.bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    found.rows += 1;
    let mut record = Record::default();
    let scanned = json::scan(bytes, &mut Vec::new(), &mut |path, value| {
        record.take(path, value);
    });
    if scanned.is_err() || line.too_long {
        if line.ended {
            found.broken.at(line.number);
        } else {
            *cut = Some(line.number);
        }
        return Ok(());
    }
    if record.row.start.is_none() && record.row.finish.is_none() {
        found.broken.at(line.number);
        return Ok(());
    }
    if record.warm_up {
        found.warm_up += 1;
        return Ok(());
    }
    if record.strange_unit {
        found.strange.at(line.number);
    }
    let mut row = record.row();
    row.line = line.number;
    // Turns of one conversation share its id in some versions.
    row.id = row
        .id
        .map(|id| id ^ hash(&record.turn) ^ hash(&record.session));
    if row.outcome.is_ok() && !record.chunks.is_empty() {
        found.streamed += 1;
        if record.chunks_are_tokens() {
            table.push_gaps(&record.chunks);
        } else {
            found.in_chunks += 1;
        }
    }
    if table.push(row) {
        Ok(())
    } else {
        found.full = true;
        Err(())
    }
}

fn notes(reading: &mut Reading, found: &Found) {
    reading.note(Note::new(NoteLevel::Info, "requests-client-side"));
    reading.note(Note::new(NoteLevel::Info, "aiperf-tpot"));
    if found.warm_up > 0 {
        reading.note(Note::new(NoteLevel::Info, "aiperf-warm-up").arg("count", found.warm_up));
    }
    if found.broken.count > 0 {
        reading.note(
            Note::new(NoteLevel::Warning, "requests-rows-skipped")
                .arg("count", found.broken.count)
                .arg("rows", found.rows)
                .arg("line", found.broken.line),
        );
    }
    if found.strange.count > 0 {
        reading.note(
            Note::new(NoteLevel::Warning, "aiperf-unit")
                .arg("count", found.strange.count)
                .arg("line", found.strange.line),
        );
    }
    if found.in_chunks > 0 {
        reading.note(
            Note::new(NoteLevel::NotCaptured, "aiperf-chunks")
                .arg("count", found.in_chunks)
                .arg("of", found.streamed),
        );
    }
}
