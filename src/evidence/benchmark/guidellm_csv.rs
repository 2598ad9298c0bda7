//! GuideLLM's CSV: one row per benchmark under headers of one to three rows (group, name, unit or
//! statistic). Cells may hold lists or objects; a list of percentiles has a fixed order.

use super::{
    guidellm,
    run::{Results, Rule, Run},
    tables::rows,
};
use crate::{NoteLevel, Refusal, Statistic};

/// What stands in a list of percentiles, in its order.
const LISTED: [Statistic; 11] = [
    Statistic::Min,
    Statistic::Quantile(1),
    Statistic::Quantile(10),
    Statistic::Quantile(50),
    Statistic::Quantile(100),
    Statistic::Quantile(250),
    Statistic::Quantile(750),
    Statistic::P90,
    Statistic::P95,
    Statistic::P99,
    Statistic::Max,
];

/// Metrics by words of their heading, with signal and factor; the first that fits counts.
const METRICS: [(&[&str], &str, f64); 16] = [
    (&["time to first output token"], "", 0.0),
    (&["time_to_first_output_token"], "", 0.0),
    (&["time to first token"], "ttft", 1e-3),
    (&["time_to_first_token_ms"], "ttft", 1e-3),
    (&["inter token latency"], "itl", 1e-3),
    (&["inter_token_latency_ms"], "itl", 1e-3),
    (&["time per output token"], "normalized_latency", 1e-3),
    (&["time_per_output_token_ms"], "normalized_latency", 1e-3),
    (&["request latency"], "e2e_latency", 1.0),
    (&["request_latency"], "e2e_latency", 1.0),
    (&["token metrics", "input tokens"], "prompt_length", 1.0),
    (&["prompt_token_count"], "prompt_length", 1.0),
    (&["token metrics", "output tokens"], "output_length", 1.0),
    (&["output_token_count"], "output_length", 1.0),
    (
        &["server throughput", "concurrency"],
        "request_concurrency",
        1.0,
    ),
    (&["request_concurrency"], "request_concurrency", 1.0),
];

/// Rates by words of their heading; `tokens_per_second` last, as it ends others.
const RATES: [(&[&str], &str); 8] = [
    (&["requests/sec"], "request_throughput"),
    (&["requests_per_second"], "request_throughput"),
    (&["output tokens/sec"], "generation_token_throughput"),
    (&["output_tokens_per_second"], "generation_token_throughput"),
    (&["input tokens/sec"], "prompt_token_throughput"),
    (&["prompt_tokens_per_second"], "prompt_token_throughput"),
    (&["total tokens/sec"], "total_token_throughput"),
    (&["tokens_per_second"], "total_token_throughput"),
];

/// Whether the beginning of a text is such a file.
pub fn is_table(first: &str, second: &str) -> bool {
    let lower = first.to_lowercase();
    (lower.starts_with("run info,") && lower.contains("request latency"))
        || (lower.contains("strategy") || lower.contains("benchmark"))
            && (lower.contains("time_to_first_token_ms")
                || lower.contains("time to first token")
                || second.to_lowercase().contains("time_to_first_token"))
            && lower.contains("successful")
}

/// Reads a table.
///
/// # Errors
/// What [`rows`] refuses, or a table without a benchmark.
pub fn read(file: &str, input: &mut dyn std::io::Read) -> Result<Option<Results>, Refusal> {
    let rows = rows(file, input)?;
    // Headers have no number; a row of values has at least its counts.
    let is_header = |row: &Vec<String>| row.iter().all(|c| c.parse::<f64>().is_err());
    let headers = rows.iter().take(3).take_while(|r| is_header(r)).count();
    if headers == 0 {
        return Ok(None);
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let titles: Vec<String> = (0..width)
        .map(|i| {
            let parts = rows[..headers].iter().filter_map(|r| r.get(i));
            let parts: Vec<&str> = parts
                .map(|p| p.as_str())
                .filter(|p| !p.is_empty())
                .collect();
            parts.join(" ").to_lowercase()
        })
        .collect();
    let mut results = Results::of("GuideLLM", Rule::Observed);
    results.format = Some("table".to_owned());
    for row in rows[headers..].iter().filter(|r| r.len() > 3) {
        let mut run = Run::default();
        for (title, cell) in titles.iter().zip(row) {
            take(&mut run, title, cell);
        }
        absent(&mut run);
        run.rough.insert("itl");
        run.note(NoteLevel::Info, "bench-guidellm-names", &[]);
        results.runs.push(run);
        if results.version.is_none() {
            results.version = row.iter().find_map(|c| version(c));
        }
    }
    let told = results.runs.iter().any(|r| !r.told.is_empty());
    Ok(told.then_some(results))
}

/// A metric of no request is filled with zeros.
fn absent(run: &mut Run) {
    if run.completed == Some(0) {
        run.told.clear();
    }
}

fn version(cell: &str) -> Option<String> {
    let at = cell.find("\"guidellm_version\":")? + 19;
    let rest = cell[at..].trim_start().strip_prefix('"')?;
    Some(rest[..rest.find('"')?].to_owned())
}

fn take(run: &mut Run, title: &str, cell: &str) {
    let has = |words: &[&str]| words.iter().all(|w| title.contains(w));
    let count = || cell.parse::<f64>().ok().map(|n| n as u64);
    match title {
        "request counts successful" | "successful" => run.completed = count(),
        "request counts errored" | "errored" => run.failed = count(),
        "request counts incomplete" | "incomplete" => run.unfinished = count(),
        "timings duration sec" | "duration" => run.duration = cell.parse().ok(),
        "benchmark strategy" | "strategy" | "name" => named(run, cell),
        "scheduler metrics request targeted start delay avg sec" => {
            run.tell_some("send_delay", Statistic::Mean, cell.parse().ok());
        }
        _ => {}
    }
    if !title.contains("successful") || title.contains(" ci") {
        return;
    }
    if let Some((_, signal)) = RATES.iter().find(|(words, _)| has(words)) {
        if title.ends_with("mean") {
            run.tell_some(signal, Statistic::Rate, cell.parse().ok());
        }
        return;
    }
    let Some((_, signal, factor)) = METRICS.iter().find(|(words, ..)| has(words)) else {
        return;
    };
    if signal.is_empty() || title.contains("/iter") {
        return;
    }
    let value = cell.parse::<f64>().ok();
    if title.ends_with("mean") {
        run.tell_some(signal, Statistic::Mean, value.map(|v| v * factor));
    } else if title.ends_with("median") {
        run.tell_some(signal, Statistic::P50, value.map(|v| v * factor));
    } else if cell.starts_with('[') {
        let list = cell.trim_matches(['[', ']']).split(',');
        let list: Vec<Option<f64>> = list.map(|v| v.trim().parse().ok()).collect();
        if list.len() == LISTED.len() {
            for (statistic, value) in LISTED.into_iter().zip(list) {
                run.tell_some(signal, statistic, value.map(|v| v * factor));
            }
        }
    }
}

/// `concurrent@4`, `constant@2.0`, `synchronous`.
fn named(run: &mut Run, cell: &str) {
    let (name, load) = cell.split_once('@').unwrap_or((cell, ""));
    let known = [
        "synchronous",
        "concurrent",
        "throughput",
        "constant",
        "poisson",
        "async",
    ];
    if known.contains(&name) {
        let load = load.trim().parse().ok();
        guidellm::strategy(run, name, load, load);
    }
}
