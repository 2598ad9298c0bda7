//! inference-perf: one file per stage of load (`stage_N_lifecycle_metrics.json`), a summary over
//! all of them in the same layout, and the server's own view of a stage taken from Prometheus.
//! Times are seconds.

use super::{
    flat::Flat,
    run::{Results, Rule, Run, statistic},
};
use crate::{Bound, NoteLevel, Statistic};

/// The tool's name.
pub const TOOL: &str = "inference-perf";

/// Whether an object with these keys is one of its files.
pub fn is_report(has: &dyn Fn(&str) -> bool) -> bool {
    has("load_summary") && (has("successes") || has("failures"))
}

const LATENCIES: [(&str, &str); 5] = [
    ("request_latency", "e2e_latency"),
    ("normalized_time_per_output_token", "normalized_latency"),
    ("time_per_output_token", "tpot"),
    ("time_to_first_token", "ttft"),
    ("inter_token_latency", "itl"),
];

/// The run of a file.
pub fn results(flat: &Flat) -> Results {
    let client = flat.has("successes.latency") || flat.has("successes.throughput");
    let run = if client || !flat.has("successes.request_latency") {
        lifecycle(flat)
    } else {
        server(flat)
    };
    // The server's percentiles come from buckets, not from values.
    let rule = if run.of_server {
        Rule::Unknown
    } else {
        Rule::Linear
    };
    Results::of(TOOL, rule).with(vec![run])
}

fn tell(run: &mut Run, flat: &Flat, path: &str, signal: &'static str, n: Option<u64>) {
    // `p99.9` has a dot of its own: the whole rest of the path is the statistic.
    for (rest, _) in flat.below(path) {
        if let Some(statistic) = statistic(rest)
            && let Some(value) = flat.number(&format!("{path}.{rest}"))
        {
            run.tell_of(signal, statistic, value, n);
        }
    }
}

fn lifecycle(flat: &Flat) -> Run {
    let n = flat.count("successes.count");
    let mut run = Run {
        completed: n,
        failed: flat.count("failures.count"),
        planned: flat.count("load_summary.count"),
        rate: flat
            .number("load_summary.requested_rate")
            .filter(|r| *r > 0.0),
        send_rate: flat.number("load_summary.achieved_rate"),
        concurrency: flat.number("load_summary.concurrency").filter(|c| *c > 0.0),
        ..Run::default()
    };
    for (name, signal) in LATENCIES {
        // A pooled gap is not one per request.
        let samples = n.filter(|_| signal != "itl");
        tell(
            &mut run,
            flat,
            &format!("successes.latency.{name}"),
            signal,
            samples,
        );
    }
    tell(&mut run, flat, "successes.prompt_len", "prompt_length", n);
    tell(&mut run, flat, "successes.output_len", "output_length", n);
    let sent = flat.count("load_summary.count");
    tell(
        &mut run,
        flat,
        "load_summary.schedule_delay",
        "send_delay",
        sent,
    );
    for (key, signal) in [
        ("requests_per_sec", "request_throughput"),
        ("output_tokens_per_sec", "generation_token_throughput"),
        ("input_tokens_per_sec", "prompt_token_throughput"),
        ("total_tokens_per_sec", "total_token_throughput"),
    ] {
        let value = flat.number(&format!("successes.throughput.{key}"));
        run.tell_some(signal, Statistic::Rate, value);
    }
    // The file has no length of the run; successes over their rate is one.
    let rate = run.throughput().filter(|r| *r > 0.0);
    run.duration = n.zip(rate).map(|(n, rate)| n as f64 / rate);
    run
}

/// The server's view of a stage: rates over its window, percentiles from buckets.
fn server(flat: &Flat) -> Run {
    let mut run = Run {
        of_server: true,
        name: Some("Prometheus".to_owned()),
        ..Run::default()
    };
    for (name, signal) in LATENCIES {
        tell(&mut run, flat, &format!("successes.{name}"), signal, None);
    }
    run.tell_some(
        "request_throughput",
        Statistic::Rate,
        flat.number("successes.rate"),
    );
    let waiting = flat.number("successes.queue_len.mean");
    run.tell_some("waiting_requests", Statistic::Mean, waiting);
    let kv = "successes.kv_cache_usage_percentage";
    let used: Vec<f64> = flat
        .below(kv)
        .filter_map(|(k, _)| flat.number(&format!("{kv}.{k}")))
        .collect();
    if used.iter().any(|v| *v > 0.0) {
        // Called a percentage, exported by the engine as a share.
        let share = |v: f64| if v > 1.0 { v / 100.0 } else { v };
        let mean = flat.number(&format!("{kv}.mean")).map(share);
        run.tell_some("kv_cache_usage", Statistic::Mean, mean);
    } else if !used.is_empty() {
        run.note(
            NoteLevel::NotCaptured,
            "bench-zero-metric",
            &[("metric", "kv_cache_usage_percentage")],
        );
    }
    for told in run.told.values_mut() {
        told.bound = Bound::Estimate;
    }
    let count = flat
        .count("successes.count")
        .unwrap_or_default()
        .to_string();
    run.note(
        NoteLevel::Warning,
        "bench-server-view",
        &[("count", &count)],
    );
    run
}
