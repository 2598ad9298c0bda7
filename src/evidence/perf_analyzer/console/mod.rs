//! The console output of perf_analyzer (perf_client in its first years): settings, a block per load,
//! a summary, and the warnings that nothing else records.
//!
//! A log may hold several runs, come wrapped by MPI, containers or documents, and end in the middle:
//! a block without its percentiles is left out and named. Blocks and summary of one run are one
//! sweep.

mod block;
mod line;
mod report;
mod run;
#[cfg(test)]
mod tests;

use super::report::PARSER;
use crate::{FileRead, Options, Reading, Refusal, Source, input};
use run::Run;
use std::collections::BTreeMap;
use std::io::BufRead;

/// The signals that a console log yields.
pub const YIELDS: &[&str] = crate::sweep::YIELDS;

/// Longest line that is looked at, in bytes; what is longer is no line of the report.
const MOST_LINE_BYTES: usize = 16 * 1024;
/// Most runs of one log.
const MOST_RUNS: usize = 200;
/// Most MPI ranks of one log.
const MOST_RANKS: usize = 64;

/// Whether a line shows that a text is such a log: for recognition.
pub(super) fn is_sign(line: &str) -> bool {
    let (_, line) = line::bare(line);
    line.starts_with("*** Measurement Settings ***")
        || run::summary_header(&line).is_some()
        || run::summary_row(&line, 0).is_some()
}

/// Reads one log.
///
/// # Errors
/// A refusal when the stream is damaged, the log has more runs than are read, or no load level was
/// measured to its end.
pub fn read(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let Some(source) = sources.first() else {
        return Err(Refusal::new("", "no-file"));
    };
    let opened = input::open(source)?;
    let runs = runs(&source.name, opened.input)
        .map_err(|refusal| super::damaged_gzip(refusal, opened.packed))?;
    let mut reading = report::reading(&source.name, &runs)?;
    reading.files.push(FileRead {
        name: source.name.clone(),
        bytes: opened.bytes,
    });
    reading.or_empty(&source.name)
}

/// The runs of a log, those of every MPI rank by themselves.
fn runs(file: &str, mut input: impl BufRead) -> Result<Vec<Run>, Refusal> {
    let mut done: Vec<Run> = Vec::new();
    let mut open: BTreeMap<Option<u32>, Run> = BTreeMap::new();
    let mut bytes = Vec::new();
    let mut number = 0u64;
    loop {
        number += 1;
        let more = next_line(&mut input, &mut bytes)
            .map_err(|e| Refusal::io(file, &e).at(format!("line {number}")))?;
        if !more {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}');
        // Progress is redrawn with bare carriage returns: what comes last stands.
        for part in text.split('\r').filter(|p| !p.trim().is_empty()) {
            let (rank, line) = line::bare(part);
            if !open.contains_key(&rank) && open.len() == MOST_RANKS {
                return Err(Refusal::new(file, "console-too-many-ranks").arg("limit", MOST_RANKS));
            }
            let run = open.entry(rank).or_default();
            if run.ends_before(&line) {
                run.close();
                done.push(std::mem::take(run));
                if done.len() > MOST_RUNS {
                    return Err(Refusal::new(file, "console-too-many-runs")
                        .arg("limit", MOST_RUNS)
                        .at(format!("line {number}")));
                }
            }
            run.take(&line, number);
        }
    }
    for (_, mut run) in open {
        run.close();
        done.push(run);
    }
    done.retain(|run| !run.is_empty());
    Ok(done)
}

/// Reads one line into `into`, without its end; of a line beyond the limit only the beginning.
fn next_line(input: &mut impl BufRead, into: &mut Vec<u8>) -> std::io::Result<bool> {
    into.clear();
    let mut any = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = memchr::memchr(b'\n', buffer);
        let take = end.unwrap_or(buffer.len());
        let room = MOST_LINE_BYTES.saturating_sub(into.len());
        into.extend_from_slice(&buffer[..take.min(room)]);
        let used = end.map_or(take, |e| e + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}
