//! Results of load generators against their corpus: every file through the public entry.

mod tools;

pub use tools::{compare, tables};

use super::frame::Comparison;
use pel_evidence::{Options, Reading, Refusal, Source, Statistic, read};
use serde_json::Value;
use std::path::Path;

type Labels<'l> = &'l [(&'l str, &'l str)];

/// The value of a signal, which is there once.
fn signal(reading: &Reading, name: &str, statistic: Statistic, labels: Labels<'_>) -> Option<f64> {
    let mut found = reading.signals.iter().filter(|s| {
        s.name == name
            && s.statistic == statistic
            && s.labels.len() == labels.len()
            && labels
                .iter()
                .all(|(k, v)| s.labels.get(*k).map(String::as_str) == Some(*v))
    });
    let first = found.next()?;
    assert!(
        found.next().is_none(),
        "{name} {statistic} {labels:?} twice"
    );
    Some(first.value)
}

fn samples(reading: &Reading, name: &str, labels: Labels<'_>) -> Option<f64> {
    let of = |s: &&pel_evidence::Signal| {
        s.name == name && s.statistic == Statistic::P50 && s.labels.len() == labels.len()
    };
    reading.signals.iter().find(of)?.samples.map(|n| n as f64)
}

fn reading_of(path: &Path) -> Result<Reading, Refusal> {
    read(&[Source::at(path)], &Options::default())
}

/// The statistic of an expected key such as `p50`, `mean`, `median`, `avg`.
fn statistic(word: &str) -> Option<Statistic> {
    match word {
        "avg" => Some(Statistic::Mean),
        "median" => Some(Statistic::P50),
        other => other.parse().ok(),
    }
}

/// A group of statistics of one signal: `{n, mean, p50, …}` in a unit of `factor` seconds.
fn group(
    c: &mut Comparison,
    path: &str,
    expected: &Value,
    reading: &Reading,
    (name, factor, labels): (&str, f64, Labels<'_>),
) {
    let Some(expected) = expected.as_object() else {
        return;
    };
    for (key, value) in expected {
        let below = format!("{path}.{key}");
        let Some(number) = value.as_f64() else {
            continue;
        };
        if ["n", "count"].contains(&key.as_str()) {
            c.number(&below, number, samples(reading, name, labels));
        } else if let Some(statistic) = statistic(key) {
            let got = signal(reading, name, statistic, labels);
            c.number(&below, number, got.map(|v| v / factor));
        } else {
            c.left(key);
        }
    }
}

/// Groups computed from arrays, by key of an expected run.
const GROUPS: [(&str, &str); 11] = [
    ("ttft_ms", "ttft"),
    ("itl_ms", "itl"),
    ("tpot_ms", "tpot"),
    ("e2e_ms", "e2e_latency"),
    ("e2e_ms_from_ttft_plus_itls", "e2e_latency"),
    ("max_stall_ms", "longest_stall"),
    ("client_queue_ms", "send_delay"),
    ("ttft_ms_from_array", "ttft"),
    ("itl_ms_from_array", "itl"),
    ("input_len", "prompt_length"),
    ("output_len", "output_length"),
];

const SUMS: [(&str, &str, Statistic); 13] = [
    ("total_input_tokens", "prompt_tokens", Statistic::Total),
    ("total_output_tokens", "generation_tokens", Statistic::Total),
    (
        "output_throughput",
        "generation_token_throughput",
        Statistic::Rate,
    ),
    (
        "input_throughput",
        "prompt_token_throughput",
        Statistic::Rate,
    ),
    (
        "total_token_throughput",
        "total_token_throughput",
        Statistic::Rate,
    ),
    (
        "total_throughput",
        "total_token_throughput",
        Statistic::Rate,
    ),
    (
        "tokens_per_second",
        "total_token_throughput",
        Statistic::Rate,
    ),
    ("requests_per_second", "request_throughput", Statistic::Rate),
    ("request_goodput", "goodput", Statistic::Rate),
    ("concurrency", "request_concurrency", Statistic::Mean),
    (
        "max_concurrent_requests",
        "request_concurrency",
        Statistic::Max,
    ),
    (
        "max_output_tokens_per_s",
        "generation_token_throughput",
        Statistic::Max,
    ),
    (
        "accept_length",
        "spec_decode_accepted_length",
        Statistic::Mean,
    ),
];

/// One flat run of vLLM's or SGLang's benchmark.
fn serving(c: &mut Comparison, path: &str, run: &Value, reading: &Reading, labels: Labels<'_>) {
    let run = run.as_object().expect("a run");
    let has = |keys: &[&str]| keys.iter().any(|k| run.contains_key(*k));
    let empty = run.get("no_error_but_no_token").and_then(Value::as_f64);
    for (key, value) in run {
        let below = format!("{path}.{key}");
        if let Some((_, name)) = GROUPS.iter().find(|(k, _)| k == key) {
            let factor = if key.contains("_ms") { 1e-3 } else { 1.0 };
            group(c, &below, value, reading, (name, factor, labels));
            continue;
        }
        if let Some((_, name, statistic)) = SUMS.iter().find(|(k, ..)| k == key) {
            c.optional(&below, value, signal(reading, name, *statistic, labels));
            continue;
        }
        let latency = key
            .strip_suffix("_ms")
            .and_then(|k| k.split_once('_'))
            .and_then(|(word, name)| {
                let name = match name {
                    "e2el" | "e2e_latency" => "e2e_latency",
                    other => other,
                };
                (word != "std").then_some((statistic(word)?, name))
            });
        if let Some((statistic, name)) = latency {
            // What arrays say is compared in the groups; the tool's own figure stands in a note
            // where it differs.
            let own = [format!("{name}_ms"), format!("{name}_ms_from_array")];
            let own = has(&[&own[0], &own[1]]) || (name == "e2e_latency" && has(&["e2e_ms"]));
            if !own {
                let got = signal(reading, name, statistic, labels);
                c.number(
                    &below,
                    value.as_f64().expect("a number"),
                    got.map(|v| v * 1e3),
                );
            }
            continue;
        }
        let errors = signal(reading, "error_ratio", Statistic::Ratio, labels);
        let all = signal(reading, "finished_requests", Statistic::Count, labels);
        let good = signal(reading, "successful_requests", Statistic::Count, labels);
        match key.as_str() {
            "completed" | "num_requests" => {
                c.optional(&below, value, good.map(|g| g + empty.unwrap_or(0.0)));
            }
            "request_throughput" if empty.is_some_and(|e| e > 0.0) => {
                let counted = value.as_f64().unwrap_or(0.0) * good.unwrap_or(0.0)
                    / (good.unwrap_or(0.0) + empty.unwrap_or(0.0));
                let got = signal(reading, "request_throughput", Statistic::Rate, labels);
                c.number(&below, counted, got);
            }
            "request_throughput" => c.optional(
                &below,
                value,
                signal(reading, "request_throughput", Statistic::Rate, labels),
            ),
            "failed" | "errors" => {
                let failed = errors.zip(all).map(|(r, n)| (r * n).round());
                c.optional(&below, value, failed.map(|f| f - empty.unwrap_or(0.0)));
            }
            "request_rate" if value.is_number() => c.optional(
                &below,
                value,
                signal(reading, "offered_rate", Statistic::Rate, labels),
            ),
            "no_error_but_no_token" => {
                let of = |s| all.zip(s).map(|(n, v): (f64, f64)| n - v);
                let failed = run.get("errors").and_then(Value::as_f64);
                let got = of(good).zip(failed).map(|(bad, failed)| bad - failed);
                c.optional(&below, value, got);
            }
            "model_id" => c.equal(
                &below,
                value.as_str(),
                reading.environment.get("model").map(String::as_str),
            ),
            _ => c.left(key),
        }
    }
}
