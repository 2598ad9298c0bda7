//! The profile export of perf_analyzer (`--profile-export-file`): the timestamps of every request
//! and response, from which latency, time to first response and gaps follow.
//!
//! The file is read as a stream, one experiment (one load) at a time. Whether it holds every request
//! is checked by Little's law before a throughput is taken from it.

mod experiment;
mod report;
#[cfg(test)]
mod tests;
mod visit;

use super::report::PARSER;
use crate::{FileRead, Options, Reading, Refusal, Source, input};
use serde::de::DeserializeSeed as _;

/// The signals that a profile export yields.
pub const YIELDS: &[&str] = &[
    "e2e_latency",
    "ttft",
    "itl",
    "tpot",
    "request_throughput",
    "response_throughput",
    "finished_requests",
    "unanswered_requests",
    "operating_point_throughput",
    "saturation_load",
];

/// Reads one export.
///
/// # Errors
/// A refusal when the JSON is damaged or cut (with its line and column), is no profile export, or
/// has more requests than are read.
pub fn read(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let Some(source) = sources.first() else {
        return Err(Refusal::new("", "no-file"));
    };
    let mut opened = input::open(source)?;
    skip_bom(&mut opened.input).map_err(|e| Refusal::io(&source.name, &e))?;
    let mut all = Vec::new();
    let mut json = serde_json::Deserializer::from_reader(opened.input);
    let keep = |experiment: experiment::Experiment| {
        let (mode, value) = (experiment.mode.clone(), experiment.value);
        all.push((mode, value, experiment.measured()));
    };
    let head = visit::File(keep)
        .deserialize(&mut json)
        .and_then(|head| json.end().map(|()| head))
        .map_err(|e| damage(&source.name, &e, opened.packed))?;
    if !head.experiments {
        return Err(Refusal::new(&source.name, "export-no-experiments"));
    }
    let mut reading = report::reading(&source.name, &head, all)?;
    reading.files.push(FileRead {
        name: source.name.clone(),
        bytes: opened.bytes,
    });
    reading.or_empty(&source.name)
}

fn skip_bom(input: &mut dyn std::io::BufRead) -> std::io::Result<()> {
    if input.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        input.consume(3);
    }
    Ok(())
}

/// A JSON error as a refusal with its place.
fn damage(file: &str, error: &serde_json::Error, packed: bool) -> Refusal {
    let place = format!("line {}, column {}", error.line(), error.column());
    let text = error.to_string();
    let code = match error.classify() {
        _ if text.starts_with("pel: too many") => "export-too-large",
        serde_json::error::Category::Io if packed => "perf-gzip-damaged",
        serde_json::error::Category::Io => "io",
        serde_json::error::Category::Eof => "export-cut",
        serde_json::error::Category::Syntax | serde_json::error::Category::Data => "export-damaged",
    };
    Refusal::new(file, code).arg("error", text).at(place)
}
