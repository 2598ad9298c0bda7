//! Facts about the environment, the KV capacity, and what the content says about a cold start.

use super::{
    collect::Collected,
    names::What,
    table::{Engine, KV_BLOCK_TOKENS, KV_BLOCKS},
    tracks::Track,
};
use crate::{
    Hint, HintAbout, Reading, Scope, Signal, Statistic,
    prometheus::table::{Series, Table},
};
use std::collections::{BTreeMap, BTreeSet};

/// A process younger than this, in seconds, is cold.
pub const COLD_SECONDS: f64 = 600.0;

/// Labels of `cache_config_info` that describe the environment.
const CONFIG: [&str; 5] = [
    "block_size",
    "gpu_memory_utilization",
    "cache_dtype",
    "enable_prefix_caching",
    "num_gpu_blocks",
];

/// Puts the facts that the series' labels state.
pub fn environment(reading: &mut Reading, all: &Collected, table: &Table) {
    if let Some(engine) = engine(all) {
        reading
            .environment
            .insert("engine".to_owned(), engine.name().to_owned());
    }
    let gpus: BTreeSet<&str> = all
        .devices
        .iter()
        .filter_map(|d| d.model.as_deref())
        .collect();
    if !gpus.is_empty() {
        put(reading, "gpu_model", gpus.into_iter());
    }
    let models = models(all);
    if !models.is_empty() {
        put(reading, "model", models.iter().copied());
    }
    for name in CONFIG {
        let values: BTreeSet<&str> = configs(all, table)
            .filter_map(|(_, series)| series.label(name))
            .filter(|value| *value != "None")
            .collect();
        if !values.is_empty() {
            put(reading, name, values.into_iter());
        }
    }
    let python = table
        .series()
        .iter()
        .find(|s| s.key.name == "python_info")
        .and_then(|s| s.label("version"));
    if let Some(version) = python {
        put(reading, "python_version", std::iter::once(version));
    }
}

/// The engine whose numbers these are: the first of the table, what stands in front of engines
/// after the engines themselves.
pub fn engine(all: &Collected) -> Option<Engine> {
    let engines = || all.engines.iter().copied();
    let behind = engines().find(|e| !e.is_gateway());
    behind.or_else(|| engines().find(|e| !matches!(e, Engine::Gpu | Engine::Http)))
}

fn put<'a>(reading: &mut Reading, name: &str, values: impl Iterator<Item = &'a str>) {
    let values: Vec<&str> = values.take(8).collect();
    let text = crate::reading::tame(&values.join(", "));
    reading.environment.insert(name.to_owned(), text);
}

/// Model names, each once.
pub fn models(all: &Collected) -> BTreeSet<&str> {
    let models = all.owners.iter().filter_map(|o| o.model.as_deref());
    models.collect()
}

/// Configurations in the last scrape; a restart may have changed them.
fn configs<'a>(
    all: &'a Collected,
    table: &'a Table,
) -> impl Iterator<Item = (&'a Track, &'a Series)> {
    all.tracks
        .iter()
        .filter(|t| t.what == What::Config && all.is_current(t))
        .map(|t| (t, &table.series()[t.id as usize]))
}

/// KV capacity in tokens: blocks times block size, summed over engines, and per engine.
pub fn kv_capacity(reading: &mut Reading, all: &Collected, table: &Table) {
    let mut by_engine: BTreeMap<String, f64> = BTreeMap::new();
    for (_, series) in configs(all, table) {
        let number = |name: &str| series.label(name)?.parse::<f64>().ok();
        let product = number("num_gpu_blocks").zip(number("block_size"));
        if let Some((blocks, size)) = product.filter(|(b, s)| *b > 0.0 && *s > 0.0) {
            let engine = series.label("engine").unwrap_or_default().to_owned();
            *by_engine.entry(engine).or_default() += blocks * size;
        }
    }
    let signal =
        |value| Signal::new("kv_cache_capacity", Statistic::Last, value).scope(Scope::Instant);
    if by_engine.is_empty() {
        let last = |gauge| {
            let level = all.gauge(gauge).map(|(_, level)| level)?;
            all.is_level_current(level).then_some(level.last)
        };
        let is_stated = all.gauge("kv_cache_capacity").is_some();
        if let Some((blocks, tokens)) = last(KV_BLOCKS).zip(last(KV_BLOCK_TOKENS))
            && !is_stated
            && blocks * tokens > 0.0
        {
            reading.push(signal(blocks * tokens));
        }
        return;
    }
    reading.push(signal(by_engine.values().sum()));
    if by_engine.len() > 1 {
        for (engine, value) in by_engine.iter().take(super::MOST_ENGINES) {
            reading.push(signal(*value).label("engine", engine));
        }
    }
}

/// Seconds the process had been up at a moment in unix seconds.
pub fn uptime(all: &Collected, at: Option<f64>, first: bool) -> Option<f64> {
    let started = match (all.process_start, first) {
        (Some((start, _)), true) | (Some((_, start)), false) => start,
        (None, _) => all.created?,
    };
    Some(at? - started).filter(|up| *up >= 0.0)
}

/// Says `cold` where the content shows it; a warm service cannot be seen in a scrape.
pub fn hints(reading: &mut Reading, all: &Collected) {
    let mut cold = |code: &str, args: BTreeMap<String, String>| {
        reading.hints.push(Hint {
            about: HintAbout::Phase,
            says: "cold".to_owned(),
            code: code.to_owned(),
            args,
        });
    };
    let young = uptime(all, all.course.first(), true).filter(|up| *up < COLD_SECONDS);
    if let Some(up) = young {
        let seconds = ("seconds".to_owned(), format!("{up:.0}"));
        cold("vllm-young-process", BTreeMap::from([seconds]));
    } else if all.scrapes > 1 && all.at_first == [Some(0.0), Some(0.0)] {
        cold("vllm-first-scrape-zero", BTreeMap::new());
    }
    let restarted = all.process_start.is_some_and(|(first, last)| last > first);
    if restarted {
        cold("vllm-restarted", BTreeMap::new());
    }
}
