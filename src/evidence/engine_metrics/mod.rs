//! Metrics of inference engines and GPUs in Prometheus' formats: one scrape, a before/after pair,
//! a series, or what a Prometheus server answers about them (stages 1, 2 and 4).
//!
//! Counters and histograms speak for the window between the first scrape and the last, or, from
//! one scrape alone, for everything since the process started. Gauges are instants. Which name
//! means what is said by one [table]; what an engine does not export is noted, never zero.

mod collect;
mod devices;
mod facts;
mod figures;
mod gauges;
mod labels;
mod names;
mod notes;
mod pending;
mod points;
mod server;
mod signals;
mod sums;
pub mod table;
#[cfg(test)]
mod tests;
mod times;
mod tracks;
mod yields;

use crate::{
    FileRead, Kind, Note, NoteLevel, Options, Reading, Refusal, Scope, Signal, Source, Statistic,
    Tool, Window, prometheus,
};
use chrono::{DateTime, Utc};
use collect::Collected;
pub(crate) use labels::throttled;
use names::What;
use signals::Context;
use std::collections::BTreeSet;
use sums::Of;
use table::Engine;
pub use yields::{GPU_YIELDS, YIELDS};

/// Version of this parser.
pub const PARSER: &str = "2.0";

/// Most engines that get signals of their own.
const MOST_ENGINES: usize = 32;

/// The kind of file that holds a family of this name, if it is an engine's or a device's. vLLM's
/// families have a kind of their own.
pub fn kind_of(name: &str) -> Option<Kind> {
    match table::engine_of(name)?.0 {
        Engine::Vllm => Some(Kind::VllmMetrics),
        Engine::Gpu => Some(Kind::GpuMetrics),
        // Middleware stands in front of anything.
        Engine::Http => None,
        _ => Some(Kind::EngineMetrics),
    }
}

/// Reads the scrapes of one run of vLLM.
///
/// # Errors
/// As [`read`].
pub fn read_vllm(sources: &[Source], options: &Options) -> Result<Reading, Refusal> {
    read(Kind::VllmMetrics, sources, options)
}

/// Reads the scrapes of one run of another engine.
///
/// # Errors
/// As [`read`].
pub fn read_engine(sources: &[Source], options: &Options) -> Result<Reading, Refusal> {
    read(Kind::EngineMetrics, sources, options)
}

/// Reads the scrapes of a GPU exporter.
///
/// # Errors
/// As [`read`].
pub fn read_gpu(sources: &[Source], options: &Options) -> Result<Reading, Refusal> {
    read(Kind::GpuMetrics, sources, options)
}

/// Reads the scrapes of one run. They are taken in the order given; where their own times or
/// counters prove that it is the wrong way round (`after` sorts before `before`), it is turned.
///
/// # Errors
/// `io`; `metrics-no-sample` when no file holds a sample of an engine; `metrics-too-many-series`,
/// `prometheus-too-many-samples` and `metrics-unpacks-too-large` beyond the caps.
fn read(kind: Kind, sources: &[Source], options: &Options) -> Result<Reading, Refusal> {
    let given = read_in_order(kind, sources, options)?;
    if sources.len() < 2 || !is_reversed(&given) {
        return Ok(given);
    }
    let turned: Vec<Source> = sources.iter().rev().cloned().collect();
    let mut turned = read_in_order(kind, &turned, options)?;
    if is_reversed(&turned) {
        return Ok(given);
    }
    turned.note(Note::new(NoteLevel::Info, "metrics-order-put-right"));
    Ok(turned)
}

fn is_reversed(reading: &Reading) -> bool {
    reading
        .notes
        .iter()
        .any(|n| n.code == "metrics-order-reversed")
}

fn read_in_order(kind: Kind, sources: &[Source], options: &Options) -> Result<Reading, Refusal> {
    let tool = Tool {
        name: String::new(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(kind, PARSER, tool);
    let mut reader = prometheus::Reader::default();
    let mut all = Collected::default();
    for source in sources {
        let before = reader.tally().samples;
        let damaged = prometheus::read_source(&mut reader, source, &mut |scrape| {
            all.scrape(scrape);
            Ok(())
        })?;
        all.flush();
        if damaged {
            reading.note(
                Note::new(NoteLevel::Warning, "metrics-gzip-damaged").arg("file", &source.name),
            );
        }
        if reader.tally().samples == before {
            return Err(Refusal::new(&source.name, "metrics-no-sample"));
        }
        let bytes = std::fs::metadata(&source.path)
            .map_err(|e| Refusal::io(&source.name, &e))?
            .len();
        reading.files.push(FileRead {
            name: source.name.clone(),
            bytes,
        });
    }
    reader.finish(&mut |scrape| {
        all.scrape(scrape);
        Ok(())
    })?;
    all.flush();
    let first = sources.first().map_or("", |s| s.name.as_str());
    if all.scrapes == 0 {
        return Err(Refusal::new(first, "metrics-no-sample"));
    }
    let tally = reader.tally();
    let format = match (tally.answers > 0, tally.open_metrics > 0) {
        (true, _) => "Prometheus HTTP API",
        (false, true) => "OpenMetrics",
        (false, false) => "Prometheus text",
    };
    reading.tool.format = Some(format.to_owned());
    let engine = facts::engine(&all).unwrap_or(Engine::Gpu);
    engine.name().clone_into(&mut reading.tool.name);
    fill(&mut reading, &all, &reader, options);
    reading.or_empty(first)
}

fn fill(reading: &mut Reading, all: &Collected, reader: &prometheus::Reader, options: &Options) {
    let table = reader.table();
    let seconds = window(reading, all, options);
    facts::environment(reading, all, table);
    facts::hints(reading, all);
    notes::on_the_text(reading, reader.tally());
    notes::on_the_scrapes(reading, all);
    devices::emit(reading, all);
    if reading.kind == Kind::GpuMetrics {
        return;
    }
    let total = engines_of(reading, all, table, seconds);
    figures::add(reading, &total, all);
    notes::on_the_engines(reading, all);
    notes::on_the_numbers(reading, &total, all);
}

/// Emits the whole, each model where there are several, and each engine where there are several.
fn engines_of(
    reading: &mut Reading,
    all: &Collected,
    table: &prometheus::table::Table,
    seconds: Option<f64>,
) -> sums::Sums {
    let is_stated = reading.notes.iter().any(|n| n.code == TIME_STATED);
    let engines = engines(all);
    let context = |labels, of, engines: usize| Context {
        labels,
        of,
        seconds,
        is_stated,
        single: all.scrapes == 1,
        engines: engines.max(1) as f64,
    };
    let total = sums::add(all, Of::All);
    let whole = context(Vec::new(), Of::All, engines.len());
    signals::emit(reading, &total, all, &whole);
    facts::kv_capacity(reading, all, table);
    if !engines.is_empty() && facts::engine(all).is_some_and(Engine::counts) {
        let n = engines.len() as f64;
        reading.push(Signal::new("engine_count", Statistic::Last, n).scope(Scope::Instant));
    }
    let models = facts::models(all);
    let several = models.len() > 1;
    devices::summaries(reading, all, &|owner| owner_labels(all, owner, several));
    if several {
        for model in models.iter().take(MOST_ENGINES) {
            let of = Of::Model(model);
            let is_here = |o: &&usize| all.owners[**o].model.as_deref() == Some(*model);
            let here = engines.iter().filter(is_here).count();
            let labels = vec![("model", (*model).to_owned())];
            let sums = sums::add(all, of);
            signals::emit(reading, &sums, all, &context(labels, of, here));
        }
    }
    if engines.len() > models.len().max(1) {
        for owner in engines.iter().take(MOST_ENGINES) {
            let of = Of::Owner(*owner);
            let labels = owner_labels(all, *owner, several);
            let sums = sums::add(all, of);
            signals::emit(reading, &sums, all, &context(labels, of, 1));
        }
        if engines.len() > MOST_ENGINES {
            reading.note(
                Note::new(NoteLevel::Warning, "metrics-many-engines")
                    .arg("shown", MOST_ENGINES)
                    .arg("engines", engines.len()),
            );
        }
    }
    total
}

/// Owners that export an engine's gauges or counters, as positions in the owners.
fn engines(all: &Collected) -> BTreeSet<usize> {
    let of = |is_one: &dyn Fn(What) -> bool| -> BTreeSet<usize> {
        let tracks = all.tracks.iter().filter(|t| is_one(t.what));
        tracks.filter_map(|t| t.owner).collect()
    };
    let gauges = ["running_requests", "waiting_requests", "kv_cache_usage"];
    let by_gauges = of(&|what| matches!(what, What::Gauge(g, _) if gauges.contains(&g)));
    if by_gauges.is_empty() {
        return of(&|what| matches!(what, What::Counter(..) | What::Hist(..)));
    }
    by_gauges
}

fn owner_labels(all: &Collected, owner: usize, models: bool) -> Vec<(&'static str, String)> {
    let owner = &all.owners[owner];
    let parts = [
        ("engine", &owner.engine),
        ("model", if models { &owner.model } else { &None }),
        ("version", &owner.version),
        ("instance", &owner.instance),
    ];
    let named = parts.into_iter();
    named
        .filter_map(|(name, value)| Some((name, value.clone()?)))
        .collect()
}

/// Note that the window's length was stated from outside; the files have no time.
const TIME_STATED: &str = "metrics-time-from-interval";

/// Fills the window and answers its length, when it is known and may divide something.
fn window(reading: &mut Reading, all: &Collected, options: &Options) -> Option<f64> {
    let steps = f64::from(all.scrapes.saturating_sub(1));
    let stated = all.course.seconds().filter(|_| steps > 0.0);
    let given = options
        .interval_seconds
        .filter(|s| stated.is_none() && steps > 0.0 && s.is_finite() && *s > 0.0)
        .map(|s| s * steps);
    let seconds = stated.or(given).filter(|s| *s > 0.0 && s.is_finite());
    let first = if steps > 0.0 {
        all.course.first()
    } else {
        None
    };
    reading.window = Some(Window {
        start: first.and_then(utc),
        end: all.course.last().and_then(utc),
        seconds,
    });
    if let Some(given) = given {
        reading.note(Note::new(NoteLevel::Info, TIME_STATED).arg("seconds", given));
    } else if steps > 0.0 && seconds.is_none() {
        reading.note(Note::new(NoteLevel::NotCaptured, "metrics-no-time"));
    }
    seconds
}

fn utc(seconds: f64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros((seconds * 1e6) as i64)
}
