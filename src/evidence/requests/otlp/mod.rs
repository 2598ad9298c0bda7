//! OTLP spans in JSON, as a collector's file exporter writes them: one export request per line, or
//! one document (opentelemetry-proto, `ExportTraceServiceRequest`).
//!
//! A span is a request when it carries the attributes of generative AI: those of engines
//! (`gen_ai.latency.*`) or of the general convention, in its generations. What prompts and answers
//! say is never kept: only known keys are looked at. Spans of a server and of its clients are two
//! views of the same requests and are never added.

mod document;
mod span;

use super::{
    compose::{self, About},
    table::{Row, Table},
    values::{Fact, Sorted},
};
use crate::{
    FileRead, Kind, Note, NoteLevel, Options, Reading, Refusal, Source, Tool,
    input::{self, Opened},
};
use document::Sink;
pub use span::Span;

/// What was found in the spans.
#[derive(Default)]
struct Found {
    server: Table,
    client: Table,
    others: u64,
    spans: u64,
    sampled: Sampling,
    services: Vec<String>,
    scopes: Vec<String>,
    unclear: String,
    full: bool,
}

/// What spans say about sampling.
#[derive(Default)]
struct Sampling {
    /// Spans that state that every one is kept.
    all: u64,
    /// Spans that state a share below one, and the least of those.
    part: u64,
    least: f64,
}

impl Found {
    fn take(&mut self, scope: &str, span: &Span) -> bool {
        self.spans += 1;
        let Some(row) = span.request() else {
            self.others += 1;
            return true;
        };
        match span.kept_share() {
            Some(share) if share >= 1.0 => self.sampled.all += 1,
            Some(share) => {
                self.sampled.part += 1;
                let least = if self.sampled.part == 1 {
                    1.0
                } else {
                    self.sampled.least
                };
                self.sampled.least = share.min(least);
            }
            None => {}
        }
        let short = |list: &mut Vec<String>, name: &str| {
            if !name.is_empty() && list.len() < 8 && !list.iter().any(|n| n == name) {
                list.push(crate::reading::tame(name));
            }
        };
        short(&mut self.scopes, scope);
        if self.unclear.is_empty() {
            self.unclear = span.unclear();
        }
        let table = if span.is_server(scope) {
            &mut self.server
        } else {
            &mut self.client
        };
        push(table, span, row)
    }
}

fn push(table: &mut Table, span: &Span, mut row: Row) -> bool {
    row.line = table.len() as u64 + 1;
    row.class = span
        .class()
        .and_then(|c| table.classes.number(c.as_bytes()));
    if let Some(model) = span.model() {
        table.models.number(model.as_bytes());
    }
    table.push(row)
}

/// Reads spans of requests.
///
/// # Errors
/// `otlp-syntax` with the place where a file stops being JSON; `otlp-no-request` when no span is a
/// request; `requests-too-many` beyond the cap.
pub fn read(sources: &[Source], _: &Options) -> Result<Reading, Refusal> {
    let tool = Tool {
        name: "OpenTelemetry".to_owned(),
        version: None,
        format: Some("OTLP JSON".to_owned()),
    };
    let mut reading = Reading::new(Kind::OtlpSpans, super::PARSER, tool);
    let mut found = Found::default();
    let mut cut = false;
    for source in sources {
        let opened = input::open(source)?;
        reading.files.push(FileRead {
            name: source.name.clone(),
            bytes: opened.bytes,
        });
        cut |= documents(opened, source, &mut found, &mut reading)?;
    }
    let name = sources.first().map_or("", |s| s.name.as_str());
    if found.full {
        return Err(Refusal::new(name, "requests-too-many").arg("rows", found.spans));
    }
    if found.server.is_empty() && found.client.is_empty() {
        return Err(Refusal::new(name, "otlp-no-request").arg("spans", found.spans));
    }
    fill(&mut reading, found, cut);
    reading.or_empty(name)
}

/// Reads the documents of a file. Answers whether it is cut.
fn documents(
    opened: Opened,
    source: &Source,
    found: &mut Found,
    reading: &mut Reading,
) -> Result<bool, Refusal> {
    let packed = opened.packed;
    let mut input = opened.input;
    let bom = input
        .fill_buf()
        .is_ok_and(|b| b.starts_with(b"\xef\xbb\xbf"));
    if bom {
        input.consume(3);
    }
    let mut sink = Sink::new(|scope: &str, span: Span| found.take(scope, &span));
    let done = document::each(&mut *input, &mut sink);
    let (full, services, open) = sink.end();
    found.full |= full;
    for service in services {
        if found.services.len() < 8 && !found.services.contains(&service) {
            found.services.push(service);
        }
    }
    let Err(error) = done else { return Ok(false) };
    if full {
        return Ok(false);
    }
    let damaged = packed && error.io_error_kind().is_some();
    if (error.is_eof() && open) || damaged {
        reading.note(
            Note::new(NoteLevel::Warning, "otlp-cut")
                .arg("file", &source.name)
                .arg("line", error.line()),
        );
        return Ok(true);
    }
    if let Some(kind) = error.io_error_kind() {
        return Err(Refusal::io(&source.name, &kind.into()));
    }
    Err(Refusal::new(&source.name, "otlp-syntax")
        .arg("line", error.line())
        .arg("column", error.column())
        .at(format!("line {}, column {}", error.line(), error.column())))
}

fn fill(reading: &mut Reading, mut found: Found, cut: bool) {
    let whole = found.sampled.all > 0 && found.sampled.part == 0;
    let mut about = About {
        partial: cut || !whole,
        ends: true,
        zoned: true,
        unclear: std::mem::take(&mut found.unclear),
        ..About::default()
    };
    if found.sampled.part > 0 {
        reading.note(
            Note::new(NoteLevel::Warning, "otlp-sampled")
                .arg("count", found.sampled.part)
                .arg("percent", format!("{:.4}", found.sampled.least * 100.0)),
        );
    } else if !whole {
        reading.note(Note::new(NoteLevel::Warning, "otlp-sampling-unknown"));
    }
    if found.others > 0 {
        reading.note(
            Note::new(NoteLevel::Info, "otlp-other-spans")
                .arg("count", found.others)
                .arg("spans", found.spans),
        );
    }
    if let [service] = found.services.as_slice() {
        reading.tool.version = None;
        reading.note(Note::new(NoteLevel::Info, "otlp-service").arg("service", service));
    }
    let (mut main, other) = if found.client.is_empty() {
        reading.note(Note::new(NoteLevel::Info, "otlp-server-side"));
        (found.server, None)
    } else {
        reading.note(Note::new(NoteLevel::Info, "otlp-client-side"));
        let server = (!found.server.is_empty()).then_some(found.server);
        (found.client, server)
    };
    let models = [Some(&main), other.as_ref()];
    let models: Vec<&String> = models
        .into_iter()
        .flatten()
        .flat_map(|t| t.models.all())
        .collect();
    if let Some(first) = models.first()
        && models.iter().all(|m| m == first)
    {
        reading
            .environment
            .insert("model".to_owned(), (*first).clone());
    }
    compose::fill(reading, &mut main, &about);
    if let Some(mut server) = other {
        difference(reading, &main, &server);
        about.label = Some(("side", "server"));
        compose::fill(reading, &mut server, &about);
    }
}

/// What clients wait beyond what the server sees.
fn difference(reading: &mut Reading, client: &Table, server: &Table) {
    let median = |table: &Table| {
        let ttft = Fact::named("ttft").map(|f| Sorted::new(f.values(table)));
        ttft.and_then(|s| s.quantile(0.5))
    };
    if let (Some(client), Some(server)) = (median(client), median(server)) {
        reading.note(
            Note::new(NoteLevel::Info, "requests-two-sides")
                .arg("client", format!("{client:.6}"))
                .arg("server", format!("{server:.6}")),
        );
    }
}
