//! AIPerf's `server_metrics_export` (JSON or CSV): what it scraped from the engine's `/metrics`
//! during the run, already summed up per metric.
//!
//! It is the server's own view. Gauges carry mean and extremes; of histograms the mean is exact and
//! the percentiles are estimates from buckets.

use super::{
    flat::Flat,
    run::{Results, Rule, Run, Told, statistic},
};
use crate::{Bound, NoteLevel, Statistic};
use std::collections::BTreeMap;

/// One series of a metric: its statistics as exported.
#[derive(Debug, Clone, Default)]
pub struct Exported {
    /// Name with the engine's prefix.
    pub metric: String,
    /// Statistics by the name of their column or key.
    pub stats: BTreeMap<String, f64>,
}

/// Whether an object with these keys is the JSON export.
pub fn is_export(flat: &Flat) -> bool {
    flat.has("summary.endpoints_configured") && flat.has("metrics")
}

/// The results of the JSON export.
pub fn of_json(flat: &Flat) -> Results {
    let mut all = Vec::new();
    // Metric names hold no dot, but labels may; series are found by their index.
    for metric in flat.names("metrics") {
        for series in flat.names(&format!("metrics.{metric}.series")) {
            let path = format!("metrics.{metric}.series.{series}.stats");
            let stats = flat
                .below(&path)
                .filter_map(|(k, _)| Some((k.to_owned(), flat.number(&format!("{path}.{k}"))?)))
                .collect();
            all.push(Exported {
                metric: metric.to_owned(),
                stats,
            });
        }
    }
    let mut results = of_exported(&all);
    results.version = flat.text("aiperf_version").map(str::to_owned);
    results
}

/// What an engine calls a gauge that is a signal here.
fn gauge(tail: &str) -> Option<&'static str> {
    Some(match tail {
        "kv_cache_usage_perc" | "gpu_cache_usage_perc" | "token_usage" => "kv_cache_usage",
        "num_requests_running" | "num_running_reqs" => "running_requests",
        "num_requests_waiting" | "num_queue_reqs" => "waiting_requests",
        _ => return None,
    })
}

fn histogram(tail: &str) -> Option<&'static str> {
    Some(match tail {
        "time_to_first_token_seconds" => "ttft",
        "inter_token_latency_seconds" => "itl",
        "request_time_per_output_token_seconds" => "tpot",
        "e2e_request_latency_seconds" => "e2e_latency",
        "request_queue_time_seconds" | "queue_time_seconds" => "queue_time",
        _ => return None,
    })
}

/// The results of exported series, however they were written.
pub fn of_exported(all: &[Exported]) -> Results {
    let mut run = Run {
        of_server: true,
        name: Some("server".to_owned()),
        ..Run::default()
    };
    let mut series: BTreeMap<&str, Vec<&Exported>> = BTreeMap::new();
    for exported in all {
        let tail = exported
            .metric
            .split_once(':')
            .map_or(exported.metric.as_str(), |(_, tail)| tail);
        series.entry(tail).or_default().push(exported);
    }
    for (tail, of) in &series {
        match of.as_slice() {
            [one] => single(&mut run, tail, one),
            // Percentiles of several engines cannot be merged.
            several => totals(&mut run, tail, several),
        }
    }
    let total = |name: &str| {
        let of = series.get(name)?;
        Some(of.iter().filter_map(|e| e.stats.get("total")).sum::<f64>())
    };
    let pair = total("prefix_cache_hits").zip(total("prefix_cache_queries"));
    if let Some((hits, queries)) = pair.filter(|(_, q)| *q > 0.0) {
        run.tell_of(
            "prefix_cache_hit_ratio",
            Statistic::Ratio,
            hits / queries,
            Some(queries as u64),
        );
    }
    run.note(NoteLevel::Info, "bench-server-export", &[]);
    let mut results = Results::of("AIPerf", Rule::Unknown);
    results.format = Some("server metrics".to_owned());
    results.with(vec![run])
}

fn single(run: &mut Run, tail: &str, one: &Exported) {
    let stat = |name: &str| one.stats.get(name).copied();
    if let Some(signal) = gauge(tail) {
        for (name, value) in &one.stats {
            let of_time = ["avg", "min", "max"].contains(&name.as_str());
            if let Some(statistic) = statistic(name).filter(|_| of_time) {
                run.tell_of(signal, statistic, *value, None);
            }
        }
    }
    if let Some(signal) = histogram(tail) {
        let n = stat("count").filter(|n| *n > 0.0).map(|n| n as u64);
        if n.is_none() {
            return;
        }
        let mean = stat("avg");
        if let Some(mean) = mean {
            run.tell_of(signal, Statistic::Mean, mean, n);
        }
        for (name, value) in &one.stats {
            let word = name
                .strip_suffix("_estimate")
                .or_else(|| name.strip_prefix("percentile_estimates."));
            if let Some(statistic) = word.and_then(statistic).filter(|s| s.quantile().is_some()) {
                let told = Told {
                    value: *value,
                    samples: n,
                    bound: Bound::Estimate,
                };
                run.told.insert((signal, statistic), told);
            }
        }
    }
    totals(run, tail, &[one]);
}

/// Counters of one or several engines, summed.
fn totals(run: &mut Run, tail: &str, of: &[&Exported]) {
    let signal = match tail {
        "prompt_tokens" => ("prompt_tokens", Some("prompt_token_throughput")),
        "generation_tokens" => ("generation_tokens", Some("generation_token_throughput")),
        "num_preemptions" => ("preemptions", None),
        _ => return,
    };
    let sum = |name: &str| {
        let found: Vec<f64> = of
            .iter()
            .filter_map(|e| e.stats.get(name).copied())
            .collect();
        (!found.is_empty()).then(|| found.iter().sum::<f64>())
    };
    run.tell_some(signal.0, Statistic::Total, sum("total"));
    if let Some(rate) = signal.1 {
        run.tell_some(rate, Statistic::Rate, sum("rate"));
    }
}
