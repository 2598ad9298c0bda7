//! Means that come from two counters instead of a histogram: Triton's cumulative times over its
//! requests, llama.cpp's tokens over its seconds, and what an HTTP layer counts by status.

use super::{
    signals::Context,
    sums::Sums,
    table::{Counter, Name},
};
use crate::{Bound, Reading, Signal, Statistic};

/// Emits what the counters say together.
pub fn emit(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    times(reading, sums, context);
    batches(reading, sums, context);
    speeds(reading, sums, context);
    http(reading, sums, context);
}

fn mean(
    reading: &mut Reading,
    context: &Context<'_>,
    name: Name,
    sum: Option<f64>,
    count: Option<f64>,
) {
    let pair = sum.zip(count).filter(|(_, count)| *count > 0.0);
    if let Some((sum, count)) = pair {
        let signal = Signal::new(name, Statistic::Mean, sum / count).samples(count as u64);
        context.push(reading, signal);
    }
}

/// Cumulative times over the requests that they were taken of. Requests answered from the
/// response cache are among the successes, and have no compute time.
fn times(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    let succeeded = sums.finished.get("success").copied();
    let hits = sums.counter(Counter::ResponseCacheHits);
    let misses = sums.counter(Counter::ResponseCacheMisses);
    let computed = succeeded.map(|n| (n - hits.unwrap_or(0.0)).max(0.0));
    let request = sums.counter(Counter::RequestSeconds);
    let queue = sums.counter(Counter::QueueSeconds);
    for (name, sum, count) in [
        ("e2e_latency", request, succeeded),
        ("queue_time", queue, succeeded),
        (
            "server_compute_input_time",
            sums.counter(Counter::ComputeInputSeconds),
            computed,
        ),
        (
            "server_compute_infer_time",
            sums.counter(Counter::ComputeInferSeconds),
            computed,
        ),
        (
            "server_compute_output_time",
            sums.counter(Counter::ComputeOutputSeconds),
            computed,
        ),
        (
            "server_cache_hit_time",
            sums.counter(Counter::ResponseCacheHitSeconds),
            hits,
        ),
        (
            "server_cache_miss_time",
            sums.counter(Counter::ResponseCacheMissSeconds),
            misses,
        ),
    ] {
        if !sums.hists.contains_key(name) {
            mean(reading, context, name, sum, count);
        }
    }
    if let Some((queue, request)) = queue.zip(request.filter(|r| *r > 0.0)) {
        let signal = Signal::new("queue_time_share", Statistic::Ratio, queue / request);
        context.push(reading, signal.samples(succeeded.unwrap_or(0.0) as u64));
    }
    let looked = hits.zip(misses).map(|(hits, misses)| hits + misses);
    if let Some((hits, looked)) = hits.zip(looked.filter(|n| *n > 0.0)) {
        let signal = Signal::new("response_cache_hit_ratio", Statistic::Ratio, hits / looked)
            .samples(looked as u64);
        context.push(reading, signal);
    }
}

fn batches(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    let inferences = sums.counter(Counter::Inferences);
    let executions = sums.counter(Counter::Executions);
    if !sums.hists.contains_key("batch_size") {
        mean(reading, context, "batch_size", inferences, executions);
    }
    if let Some((inferences, seconds)) = inferences.zip(context.seconds) {
        let signal = Signal::new(
            "inference_throughput",
            Statistic::Rate,
            inferences / seconds,
        );
        context.push(reading, signal);
    }
}

fn speeds(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    for (name, tokens, seconds) in [
        (
            "prefill_token_speed",
            Counter::PromptTokens,
            Counter::PrefillSeconds,
        ),
        (
            "decode_token_speed",
            Counter::GenerationTokens,
            Counter::DecodeSeconds,
        ),
    ] {
        let (tokens, seconds) = (sums.counter(tokens), sums.counter(seconds));
        mean(reading, context, name, tokens, seconds.filter(|s| *s > 0.0));
    }
}

/// Share of answers with status 429 or 5xx. Where statuses are grouped (`4xx`), a 429 cannot be
/// told from other faults of the client, and the share is a lower bound.
fn http(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    let all: f64 = sums.http.values().sum();
    if all <= 0.0 {
        return;
    }
    let is_failure = |status: &str| status.starts_with('5') || status == "429";
    let failed = sums.http.iter().filter(|(status, _)| is_failure(status));
    let failed: f64 = failed.map(|(_, n)| n).sum();
    let hidden = sums.http.get("4xx").is_some_and(|n| *n > 0.0);
    let bound = if hidden { Bound::AtLeast } else { Bound::Exact };
    let signal = Signal::new("http_error_ratio", Statistic::Ratio, failed / all)
        .samples(all as u64)
        .bound(bound);
    context.push(reading, signal);
}
