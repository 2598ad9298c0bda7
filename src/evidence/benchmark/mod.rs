//! Results of load generators (stages 1 and 4): vLLM's and SGLang's benchmarks, GuideLLM,
//! GenAI-Perf and AIPerf, inference-perf, llmperf, MLPerf LoadGen.
//!
//! They all say the same few things of a run: the load, how many requests worked, latencies and
//! rates. So they are one kind; which tool it was, and how it makes percentiles, are facts that a
//! comparison looks at. A parser per tool fills [`run::Run`]; signals, checks and figures are made
//! from that alone. Where a file has a value per request, its percentiles are computed from those
//! and the tool's own are held against them.

mod aiperf;
mod checks;
mod console;
mod documents;
mod figures;
mod flat;
mod guidellm;
mod guidellm_csv;
mod inference_perf;
mod json;
mod llmperf;
mod load;
mod mlperf;
mod numbers;
mod recognition;
mod report;
mod requests;
mod run;
mod sample;
mod serve;
mod server_metrics;
mod tables;
#[cfg(test)]
mod tests;
mod validity;
mod words;
mod yaml;
mod yields;

pub use recognition::recognise;
pub use yields::YIELDS;

use crate::{FileRead, Options, Reading, Refusal, Source, detect, input};
use recognition::Form;
use run::Results;
use std::io::{BufRead, Read};

/// Version of this parser.
pub const PARSER: &str = "1.0";
/// Longest line of a text, in bytes; what is beyond is passed over.
const MOST_LINE: u64 = 1 << 20;
/// Most lines kept of a boxed table.
const MOST_BOXED: usize = 2000;

/// Reads the results of one run or sweep; several files of one tool form one sweep.
///
/// # Errors
/// A refusal when a file is damaged (with its place), holds no result, or is of another tool than
/// the first.
pub fn read(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let Some(first) = sources.first() else {
        return Err(Refusal::new("", "no-file"));
    };
    let mut all: Option<Results> = None;
    let mut files = Vec::new();
    for source in sources {
        let (mut results, bytes) = one(source)?;
        if sources.len() > 1 {
            for run in &mut results.runs {
                let name = run.name.take().map(|n| format!(" {n}")).unwrap_or_default();
                run.name = Some(format!("{}{name}", source.name));
            }
        }
        documents::merge(&source.name, &mut all, results)?;
        files.push(FileRead {
            name: source.name.clone(),
            bytes,
        });
    }
    let Some(results) = all else {
        return Err(Refusal::new(&first.name, "no-signal"));
    };
    let mut reading = report::reading(results);
    reading.files = files;
    reading.or_empty(&first.name)
}

/// The results of one file, and its length.
fn one(source: &Source) -> Result<(Results, u64), Refusal> {
    let head = detect::head(source)?;
    let form = recognition::form(&head.text);
    let mut opened = input::open(source)?;
    let file = source.name.as_str();
    let text = &mut *opened.input;
    let none = || Refusal::new(file, "no-signal");
    let results = match form.ok_or_else(none)? {
        Form::Json => documents::read(file, text)?,
        Form::Yaml => {
            let (flat, records) = yaml::read(file, text)?;
            guidellm::results(&flat, records)
        }
        Form::Tables => tables::csv(file, text)?.ok_or_else(none)?,
        Form::GuidellmTable => guidellm_csv::read(file, text)?.ok_or_else(none)?,
        Form::Boxed => {
            let mut lines = Vec::new();
            each_line(file, text, &mut |_, line| {
                if lines.len() < MOST_BOXED {
                    lines.push(line.to_owned());
                }
            })?;
            tables::console(file, &lines)?.ok_or_else(none)?
        }
        Form::Console => {
            let mut reader = console::Reader::default();
            each_line(file, text, &mut |at, line| reader.line(at, line))?;
            reader.finish(file)?
        }
        Form::MlperfSummary => {
            let mut reader = mlperf::Reader::default();
            each_line(file, text, &mut |_, line| reader.summary_line(line))?;
            reader.finish().ok_or_else(none)?
        }
        Form::MlperfDetail => {
            let mut reader = mlperf::Reader::default();
            each_line(file, text, &mut |_, line| {
                reader.detail_line(line);
            })?;
            reader.finish().ok_or_else(none)?
        }
    };
    Ok((results, opened.bytes))
}

/// Hands every line of a text on, with its number from 1.
fn each_line(
    file: &str,
    input: &mut dyn BufRead,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), Refusal> {
    let mut line = Vec::new();
    let mut at = 0;
    loop {
        line.clear();
        let read = (&mut *input)
            .take(MOST_LINE)
            .read_until(b'\n', &mut line)
            .map_err(|e| {
                if input::is_damage(&e) {
                    Refusal::new(file, "bench-gzip-damaged").arg("error", e)
                } else {
                    Refusal::io(file, &e)
                }
            })?;
        if read == 0 {
            return Ok(());
        }
        at += 1;
        let text = String::from_utf8_lossy(&line);
        take(at, text.trim_end_matches(['\n', '\r']));
    }
}
