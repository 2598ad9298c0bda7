//! GuideLLM reports, JSON or YAML: a benchmark per load, each metric in the groups successful,
//! errored, incomplete and total.
//!
//! A group with count 0 is filled with zeros and says nothing. "Inter token latency" is the mean of
//! a request, weighted by its tokens: its mean is that of all gaps, its percentiles are smoother
//! than those of gaps. "Time per output token" is the whole latency over all tokens, carried as
//! `normalized_latency`. The strategy stands at another place in older layouts.

use super::{
    flat::{Flat, Leaf},
    json::{Fault, Json, Value},
    run::{Results, Rule, Run, statistic},
    sample::Sample,
};
use crate::{NoteLevel, Statistic};
use std::collections::BTreeMap;

/// Parts of a report that are long and say nothing here, by the end of their path.
const SKIPPED: [&str; 14] = [
    ".pdf",
    ".percentile_cis",
    ".scheduler_state",
    ".config.environment",
    ".config.warnings",
    ".config.backend",
    ".metrics.text",
    ".metrics.image",
    ".metrics.video",
    ".metrics.audio",
    ".metrics.tool_call",
    ".errored.percentiles",
    ".incomplete.percentiles",
    ".total.percentiles",
];

/// Whether the value at this path is passed over.
pub fn skipped(path: &str) -> bool {
    path.starts_with("benchmarks.") && SKIPPED.iter().any(|end| path.ends_with(end))
}

/// Fields of a request's record, with the factor to the base unit.
const FIELDS: [(&str, &str, f64); 6] = [
    ("time_to_first_token_ms", "ttft", 1e-3),
    ("request_latency", "e2e_latency", 1.0),
    ("prompt_tokens", "prompt_length", 1.0),
    ("output_tokens", "output_length", 1.0),
    ("request_dispatch_delay", "send_delay", 1.0),
    ("cached_tokens", "cached", 1.0),
];

/// What the records of one benchmark say.
#[derive(Debug, Clone, Default)]
pub struct Record {
    own: BTreeMap<&'static str, Sample>,
    n: u64,
    empty: u64,
    cached: f64,
}

/// Fields of one request, in the order of [`FIELDS`].
type Row = [Option<f64>; FIELDS.len()];

impl Record {
    fn take(&mut self, row: &Row) {
        let [ttft, e2e, prompt, output, delay, cached] = *row;
        self.n += 1;
        if output.is_some_and(|t| t <= 0.0) {
            self.empty += 1;
            return;
        }
        let mut add = |name, v: Option<f64>| {
            if let Some(v) = v {
                self.own.entry(name).or_default().push(v);
            }
        };
        add("ttft", ttft.filter(|t| *t > 0.0));
        add("e2e_latency", e2e.filter(|t| *t > 0.0));
        add("prompt_length", prompt);
        add("output_length", output);
        add("send_delay", delay);
        if let (Some(ttft), Some(e2e), Some(n)) = (ttft, e2e, output.filter(|n| *n > 1.0)) {
            add("tpot", Some((e2e - ttft) / (n - 1.0)));
        }
        self.cached += cached.unwrap_or(0.0);
    }
}

/// Records of all benchmarks of a report, by their place in it.
#[derive(Debug, Default)]
pub struct Records {
    of: BTreeMap<usize, Record>,
    open: Option<(usize, u64, Row)>,
}

/// The benchmark whose successful requests stand at this path.
fn successful(path: &str) -> Option<usize> {
    path.strip_prefix("benchmarks.")?
        .strip_suffix(".requests.successful")?
        .parse()
        .ok()
}

impl Records {
    /// Takes the records at a path if there are some; failed ones are only passed over, the
    /// report counts them.
    ///
    /// # Errors
    /// What stopped the reader.
    pub fn take(&mut self, path: &str, json: &mut Json<'_>) -> Result<bool, Fault> {
        if !path.starts_with("benchmarks.") || !path.contains(".requests.") {
            return Ok(false);
        }
        let Some(at) = successful(path).filter(|_| true) else {
            json.skip()?;
            return Ok(true);
        };
        if json.peek()? != Some(b'[') {
            json.skip()?;
            return Ok(true);
        }
        json.value()?;
        let mut first = true;
        while json.item(first)? {
            first = false;
            let row = row(json)?;
            self.of.entry(at).or_default().take(&row);
        }
        Ok(true)
    }

    /// Takes a leaf of a record by its path, from a YAML report. `false` when it is none.
    pub fn leaf(&mut self, path: &str, leaf: &Leaf) -> bool {
        let parts = path.strip_prefix("benchmarks.").and_then(|rest| {
            let (at, rest) = rest.split_once('.')?;
            let (group, rest) = rest.strip_prefix("requests.")?.split_once('.')?;
            let (request, field) = rest.split_once('.')?;
            Some((at.parse().ok()?, group, request.parse().ok()?, field))
        });
        let Some((at, group, request, field)) = parts else {
            return false;
        };
        if group != "successful" {
            return true;
        }
        if self.open.is_none_or(|(a, r, _)| (a, r) != (at, request)) {
            self.close();
            self.open = Some((at, request, Row::default()));
        }
        let place = FIELDS.iter().position(|(name, ..)| *name == field);
        if let (Some(place), Leaf::Number(n), Some((.., row))) = (place, leaf, &mut self.open) {
            row[place] = Some(n * FIELDS[place].2).filter(|n| n.is_finite());
        }
        true
    }

    /// Takes the record that is open.
    pub fn close(&mut self) {
        if let Some((at, _, row)) = self.open.take() {
            self.of.entry(at).or_default().take(&row);
        }
    }
}

fn row(json: &mut Json<'_>) -> Result<Row, Fault> {
    let mut row = Row::default();
    match json.value()? {
        Value::Object => {}
        Value::Array => {
            json.skip_rest(false, true)?;
            return Ok(row);
        }
        _ => return Ok(row),
    }
    let mut first = true;
    while json.key(first)? {
        first = false;
        let place = FIELDS
            .iter()
            .position(|(name, ..)| name.as_bytes() == json.bytes());
        let Some(place) = place else {
            json.skip()?;
            continue;
        };
        match json.value()? {
            Value::Number(n) => row[place] = Some(n * FIELDS[place].2).filter(|n| n.is_finite()),
            Value::Object => json.skip_rest(true, true)?,
            Value::Array => json.skip_rest(false, true)?,
            _ => {}
        }
    }
    Ok(row)
}

/// Metrics with the signal they are and the factor to its base unit.
const METRICS: [(&str, &str, f64); 7] = [
    ("time_to_first_token_ms", "ttft", 1e-3),
    ("inter_token_latency_ms", "itl", 1e-3),
    ("time_per_output_token_ms", "normalized_latency", 1e-3),
    ("request_latency", "e2e_latency", 1.0),
    ("prompt_token_count", "prompt_length", 1.0),
    ("output_token_count", "output_length", 1.0),
    ("request_concurrency", "request_concurrency", 1.0),
];

const RATES: [(&str, &str); 4] = [
    ("requests_per_second", "request_throughput"),
    ("output_tokens_per_second", "generation_token_throughput"),
    ("prompt_tokens_per_second", "prompt_token_throughput"),
    ("tokens_per_second", "total_token_throughput"),
];

/// The results of a report.
pub fn results(flat: &Flat, mut records: Records) -> Results {
    records.close();
    let mut results = Results::of("GuideLLM", Rule::Observed);
    results.version = flat
        .text("metadata.guidellm_version")
        .or(flat.text("guidellm_version"))
        .map(str::to_owned);
    results.format = flat
        .number("metadata.version")
        .map(|v| format!("report {v}"));
    let mut places: Vec<usize> = flat
        .names("benchmarks")
        .iter()
        .filter_map(|n| n.parse().ok())
        .collect();
    places.sort_unstable();
    for at in places {
        let part = flat.part(&format!("benchmarks.{at}"));
        if !part.has("metrics") {
            continue;
        }
        let mut run = run(&part, records.of.remove(&at));
        let model = ["config.spec.backend.model", "args.model", "metadata.model"];
        let model = model.iter().find_map(|k| flat.text(k));
        run.fact(
            "model",
            part.text("config.backend.model")
                .or(part.text("worker.backend_model"))
                .or(model),
        );
        results.runs.push(run);
    }
    results
}

/// The load of a strategy, by its name and numbers.
pub fn strategy(run: &mut Run, name: &str, rate: Option<f64>, streams: Option<f64>) {
    match name {
        "synchronous" => run.concurrency = Some(1.0),
        "concurrent" => run.concurrency = streams.filter(|s| *s > 0.0),
        "throughput" => run.unlimited = true,
        _ => run.rate = rate.filter(|r| *r > 0.0),
    }
    run.name = (!name.is_empty()).then(|| name.to_owned());
}

fn run(part: &Flat, record: Option<Record>) -> Run {
    let mut run = Run::default();
    let places = [
        "config.strategy",
        "args.strategy",
        "scheduler.strategy",
        "strategy",
    ];
    if let Some(at) = places.iter().find(|p| part.has(&format!("{p}.type_"))) {
        let number = |key: &str| part.number(&format!("{at}.{key}"));
        let name = part.text(&format!("{at}.type_")).unwrap_or_default();
        let streams = number("streams").or(number("max_concurrency"));
        strategy(&mut run, name, number("rate"), streams);
    }
    counts(part, &mut run);
    run.duration = part.number("duration").filter(|d| *d > 0.0);
    run.times = (part.number("start_time"), part.number("end_time"));
    if run.duration.is_none() {
        run.duration = run.times.0.zip(run.times.1).map(|(a, b)| b - a);
    }
    for (metric, signal, factor) in METRICS {
        group(part, &mut run, metric, signal, factor);
    }
    for (metric, signal) in RATES {
        let path = format!("metrics.{metric}.successful");
        if part.number(&format!("{path}.count")) != Some(0.0) {
            let mean = part.number(&format!("{path}.mean"));
            run.tell_some(signal, Statistic::Rate, mean);
        }
    }
    let places = ["scheduler_metrics", "run_stats"];
    let late = [
        "request_targeted_start_delay_avg",
        "request_start_time_targeted_delay_avg",
    ];
    let delay = places
        .iter()
        .flat_map(|p| late.iter().map(move |l| format!("{p}.{l}")))
        .find_map(|path| part.number(&path));
    run.tell_some("send_delay", Statistic::Mean, delay.filter(|d| *d >= 0.0));
    run.rough.insert("itl");
    run.note(NoteLevel::Info, "bench-guidellm-names", &[]);
    if let Some(record) = record {
        own(&mut run, record);
    }
    run
}

fn counts(part: &Flat, run: &mut Run) {
    let places = [
        "scheduler_metrics.requests_made",
        "run_stats.requests_made",
        "metrics.request_totals",
        "request_totals",
    ];
    if let Some(at) = places.iter().find(|p| part.has(p)) {
        let count = |key: &str| part.count(&format!("{at}.{key}"));
        run.completed = count("successful");
        run.failed = count("errored");
        run.unfinished = count("incomplete");
    }
}

fn group(part: &Flat, run: &mut Run, metric: &str, signal: &'static str, factor: f64) {
    let path = format!("metrics.{metric}.successful");
    let count = part.count(&format!("{path}.count"));
    if count == Some(0) {
        return;
    }
    let per_request = !["itl", "normalized_latency", "request_concurrency"].contains(&signal);
    let samples = count
        .filter(|_| per_request || signal == "itl")
        .or(run.completed);
    let all = ["", ".percentiles"].map(|p| format!("{path}{p}"));
    for path in all {
        for (word, _) in part.below(&path) {
            let value = part.number(&format!("{path}.{word}"));
            if let (Some(statistic), Some(value)) = (statistic(word), value) {
                run.tell_of(signal, statistic, value * factor, samples);
            }
        }
    }
}

fn own(run: &mut Run, record: Record) {
    // Reports may hold a sample of their requests only.
    if run.completed != Some(record.n) {
        if record.n > 0 {
            run.note(NoteLevel::Info, "bench-records-sampled", &[]);
        }
        return;
    }
    run.without_token = Some(record.empty);
    let prompt = record.own.get("prompt_length").map_or(0.0, Sample::sum);
    if record.cached > 0.0 && prompt > 0.0 {
        let hits = record.cached / prompt;
        run.tell_of("prefix_cache_hit_ratio", Statistic::Ratio, hits, None);
    }
    run.own = record.own;
}
