//! Logs of vLLM and SGLang servers: the periodic lines on throughput, queue and cache (stage 4),
//! what the engine said while it started, answers by HTTP status, and what went wrong.
//!
//! A log is a sequence of lives: a server that is started again in the same file begins another
//! one, and their numbers are never mixed. Lines carry no latency of a request, and text of
//! requests that a log may hold is passed over and never kept.

mod collect;
mod course;
mod event;
mod facts;
mod figures;
mod front;
mod json;
mod life;
mod notes;
mod recognise;
mod sample;
mod sglang;
mod signals;
mod stamp;
mod start;
#[cfg(test)]
mod tests;
mod vllm;
mod yields;

pub use recognise::recognise;
pub use yields::YIELDS;

use crate::{
    FileRead, Kind, Note, NoteLevel, Options, Reading, Refusal, Source, Tool, Window,
    input::{MOST_UNPACKED, is_damage, open},
    prometheus::lines::each_line,
};
use chrono::{DateTime, Utc};
use collect::Collected;
use life::Life;
use std::io;

/// Version of this parser.
pub const PARSER: &str = "1.0";

/// A server is cold for so many seconds after it is ready.
pub const COLD_SECONDS: f64 = 600.0;

/// Reads the log of a server, or the parts that a rotation made of it, by the times they begin with.
///
/// # Errors
/// `io`; `engine-log-nothing` when no line of the files says anything; `engine-log-unpacks-too-large`
/// beyond the cap.
pub fn read(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let tool = Tool {
        name: "vLLM".to_owned(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(Kind::EngineLog, PARSER, tool);
    let mut all = Collected::default();
    let order = order(sources)?;
    if !order.is_sorted() {
        reading.note(Note::new(NoteLevel::Info, "engine-log-order"));
    }
    for source in order.into_iter().map(|at| &sources[at]) {
        let bytes = lines(source, &mut all, &mut reading)?;
        reading.files.push(FileRead {
            name: source.name.clone(),
            bytes,
        });
    }
    fill(&mut reading, &all);
    let first = sources.first().map_or("", |s| s.name.as_str());
    if reading.signals.is_empty() && reading.figures.is_empty() {
        return Err(Refusal::new(first, "engine-log-nothing").arg("lines", all.lines));
    }
    Ok(reading)
}

/// The places of the sources in the order of their first times, where all of them have one of the
/// same kind: `server.log.1` is older than `server.log`.
fn order(sources: &[Source]) -> Result<Vec<usize>, Refusal> {
    let mut places: Vec<usize> = (0..sources.len()).collect();
    if sources.len() < 2 {
        return Ok(places);
    }
    let mut firsts = Vec::new();
    for source in sources {
        let head = crate::detect::head(source)?;
        let mut lines = head.text.split(|b| *b == b'\n');
        let first = lines.find_map(|line| {
            let plain = front::plain(line);
            Some(front::split(&plain).stamps).filter(|s| !s.is_empty())
        });
        firsts.push(first.unwrap_or_default());
    }
    let common = (0..stamp::KINDS).find(|kind| firsts.iter().all(|s| s.0[*kind].is_some()));
    if let Some(kind) = common {
        let first = |at: &usize| firsts[*at].0[kind].unwrap_or(0.0);
        places.sort_by(|a, b| first(a).total_cmp(&first(b)));
    }
    Ok(places)
}

fn lines(source: &Source, all: &mut Collected, reading: &mut Reading) -> Result<u64, Refusal> {
    let mut opened = open(source)?;
    let mut first = true;
    let read = each_line::<()>(&mut *opened.input, &mut |line| {
        let mut bytes = line.bytes;
        if std::mem::take(&mut first) {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        // Of a line beyond the limit only the beginning is here.
        all.line(bytes, line.ended && !line.too_long);
        Ok(())
    });
    match read {
        Ok(_) => {}
        Err(e) if opened.packed && is_damage(&e) => reading.note(
            Note::new(NoteLevel::Warning, "engine-log-gzip-damaged").arg("file", &source.name),
        ),
        Err(e) if e.kind() == io::ErrorKind::FileTooLarge => {
            return Err(Refusal::new(&source.name, "engine-log-unpacks-too-large")
                .arg("gigabytes", MOST_UNPACKED >> 30));
        }
        Err(e) => return Err(Refusal::io(&source.name, &e)),
    }
    Ok(opened.bytes)
}

/// Fills the reading. The newest life with periodic lines carries the numbers without a label; a
/// log that only holds a failed start speaks of that.
fn fill(reading: &mut Reading, all: &Collected) {
    let with_lines: Vec<&Life> = all.lives.iter().filter(|l| l.has_lines()).collect();
    let Some(shown) = with_lines.last().copied().or(all.lives.last()) else {
        return;
    };
    if let Some(engine) = shown.engine {
        reading.tool.name = engine.name().to_owned();
    }
    window(reading, shown);
    facts::environment(reading, shown);
    facts::hints(reading, shown);
    notes::on_the_text(reading, all, &with_lines);
    signals::emit(
        reading,
        shown,
        &Vec::new(),
        facts::prefix_cache_on(&shown.start),
    );
    if with_lines.len() > 1 {
        let before = (all.begun as usize).saturating_sub(all.lives.len());
        for (i, life) in all.lives.iter().enumerate().filter(|(_, l)| l.has_lines()) {
            let labels = vec![("start", (before + i + 1).to_string())];
            signals::emit(reading, life, &labels, facts::prefix_cache_on(&life.start));
        }
    }
    figures::add(reading, shown);
    notes::on_the_life(reading, shown);
}

/// The stretch of time of the periodic lines; a wall clock only where year and zone are known.
fn window(reading: &mut Reading, life: &Life) {
    let seconds = life.course.seconds();
    let ends = life.course.ends(stamp::UTC);
    let known = ends.filter(|_| life.course.kind() == Some(stamp::UTC) && seconds.is_some());
    if seconds.is_some() || known.is_some() {
        reading.window = Some(Window {
            start: known.and_then(|(first, _)| utc(first)),
            end: known.and_then(|(_, last)| utc(last)),
            seconds,
        });
    }
}

fn utc(seconds: f64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros((seconds * 1e6) as i64)
}
