//! llmperf: a summary of flat keys, and a list with one record per request. Times are seconds.
//!
//! Its "inter-token latency" is the whole time of a request over its tokens, the first one
//! included; it is carried as `normalized_latency`, and the time per output token is computed from
//! the records.

use super::{
    flat::{Flat, Leaf},
    run::{Results, Rule, Run, statistic},
};
use crate::Statistic;

/// The tool's name.
pub const TOOL: &str = "llmperf";

fn signal(name: &str) -> Option<&'static str> {
    Some(match name {
        "ttft_s" => "ttft",
        "end_to_end_latency_s" => "e2e_latency",
        "inter_token_latency_s" => "normalized_latency",
        "number_input_tokens" => "prompt_length",
        "number_output_tokens" => "output_length",
        _ => return None,
    })
}

/// Whether an object with these keys is a summary.
pub fn is_summary(has: &dyn Fn(&str) -> bool) -> bool {
    ["results_ttft_s_mean", "results_ttft_s_quantiles_p50", "results_num_completed_requests"]
        .iter()
        .any(|k| has(k))
        || (has("num_concurrent_requests") && has("mean_input_tokens"))
        // The layout before the results were flattened.
        || (has("results") && has("num_concurrent_requests"))
}

/// Whether an object with these keys is the record of one request.
pub fn is_record(has: &dyn Fn(&str) -> bool) -> bool {
    (has("ttft_s") || has("end_to_end_latency_s"))
        && (has("error_code") || has("number_total_tokens") || has("inter_token_latency_s"))
}

/// The run of a summary.
pub fn summary(flat: &Flat) -> Results {
    let mut run = Run {
        concurrency: flat.number("num_concurrent_requests").filter(|c| *c > 0.0),
        completed: flat.count("results_num_completed_requests"),
        failed: flat.count("results_number_errors"),
        planned: flat.count("results_num_requests_started"),
        ..Run::default()
    };
    run.times.1 = flat.number("timestamp").filter(|t| *t > 1e9 && *t < 1e11);
    run.fact("model", flat.text("model"));
    let n = run.completed;
    for (key, _) in flat.all() {
        let Some(rest) = key.strip_prefix("results_") else {
            continue;
        };
        let found = rest
            .rsplit_once('_')
            .map(|(name, word)| (name.strip_suffix("_quantiles").unwrap_or(name), word))
            .and_then(|(name, word)| Some((signal(name)?, statistic(word)?)));
        if let (Some((name, statistic)), Some(value)) = (found, flat.number(key)) {
            run.tell_of(name, statistic, value, n);
        }
    }
    run.tell_some(
        "generation_token_throughput",
        Statistic::Rate,
        flat.number("results_mean_output_throughput_token_per_s"),
    );
    run.tell_some(
        "request_throughput",
        Statistic::Rate,
        flat.number("results_num_completed_requests_per_min")
            .map(|per_minute| per_minute / 60.0),
    );
    run.note(crate::NoteLevel::Info, "bench-llmperf-itl", &[]);
    let mut results = Results::of(TOOL, Rule::Linear).with(vec![run]);
    results.format = flat.text("version").map(str::to_owned);
    results
}

/// Adds one record to the run of a list of records.
pub fn record(run: &mut Run, flat: &Flat) {
    let failed = match flat.get("error_code") {
        None | Some(Leaf::Null) => false,
        Some(Leaf::Number(n)) => *n != 0.0,
        Some(Leaf::Text(t)) => !t.trim().is_empty(),
        Some(Leaf::Truth(t)) => *t,
    };
    let tokens = flat.number("number_output_tokens");
    let count = |n: &mut Option<u64>| *n = Some(n.unwrap_or(0) + 1);
    if failed {
        run.completed.get_or_insert(0);
        count(&mut run.failed);
        return;
    }
    run.failed.get_or_insert(0);
    count(&mut run.completed);
    if tokens.is_some_and(|t| t <= 0.0) {
        count(&mut run.without_token);
        return;
    }
    let mut add = |name: &'static str, value: Option<f64>| {
        if let Some(value) = value {
            run.own.entry(name).or_default().push(value);
        }
    };
    let (ttft, e2e) = (flat.number("ttft_s"), flat.number("end_to_end_latency_s"));
    add("ttft", ttft.filter(|t| *t > 0.0));
    add("e2e_latency", e2e.filter(|t| *t > 0.0));
    add("normalized_latency", flat.number("inter_token_latency_s"));
    add("prompt_length", flat.number("number_input_tokens"));
    add("output_length", tokens);
    if let (Some(ttft), Some(e2e), Some(tokens)) = (ttft, e2e, tokens.filter(|t| *t > 1.0)) {
        add("tpot", Some((e2e - ttft) / (tokens - 1.0)));
    }
}
