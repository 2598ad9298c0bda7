//! Signals from the sums: what is emitted once for the whole run and once per model or engine.

use super::{
    collect::Collected,
    names::HISTS,
    sums::{Of, Sums},
    table::Counter,
};
use crate::{
    Bound, Data, Distribution, Reading, Scope, Signal, Statistic,
    prometheus::{Histogram, Quantile},
};

/// Quantiles taken of every histogram.
pub const QUANTILES: [Statistic; 4] = [
    Statistic::P50,
    Statistic::P90,
    Statistic::P95,
    Statistic::P99,
];

/// Of what, and over what stretch, signals are emitted.
pub struct Context<'a> {
    /// Labels every signal gets.
    pub labels: Vec<(&'static str, String)>,
    /// What the sums are of.
    pub of: Of<'a>,
    /// Length of the window in seconds, when known and not zero.
    pub seconds: Option<f64>,
    /// Whether that length was stated from outside, so that what is divided by it is an estimate.
    pub is_stated: bool,
    /// Whether there is one scrape only.
    pub single: bool,
    /// Engines behind the sums.
    pub engines: f64,
}

impl Context<'_> {
    /// Pushes a signal with the context's labels and scope.
    pub fn push(&self, reading: &mut Reading, mut signal: Signal) {
        for (name, value) in &self.labels {
            signal = signal.label(name, value);
        }
        if self.single && signal.scope == Scope::Window {
            signal = signal.scope(Scope::SinceStart);
        }
        if self.is_stated && signal.statistic == Statistic::Rate && signal.bound == Bound::Exact {
            signal = signal.bound(Bound::Estimate);
        }
        reading.push(signal);
    }
}

/// How exact a quantile is, by the bucket its rank fell in.
pub fn bound_of(q: &Quantile) -> Bound {
    if q.high == f64::INFINITY {
        Bound::AtLeast
    } else {
        Bound::Bucket {
            low: q.low,
            high: q.high,
        }
    }
}

/// Emits everything that the sums say.
pub fn emit(reading: &mut Reading, sums: &Sums, all: &Collected, context: &Context<'_>) {
    histograms(reading, sums, context);
    requests(reading, sums, context);
    tokens(reading, sums, context);
    caches(reading, sums, context);
    super::server::emit(reading, sums, context);
    front_end(reading, sums, all, context);
    super::gauges::emit(reading, all, context);
}

fn histograms(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    for hist in HISTS {
        let Some(summed) = sums.hists.get(hist) else {
            continue;
        };
        let samples = summed.samples();
        if let Some(mean) = summed.mean() {
            let signal = Signal::new(hist, Statistic::Mean, mean).samples(samples);
            context.push(reading, signal);
        }
        let Some(buckets) = &summed.buckets else {
            continue;
        };
        // Over the window only: what was observed since the start is no run's own.
        if context.labels.is_empty() && !context.single {
            reading.distributions_of(hist, buckets);
        }
        for statistic in QUANTILES {
            let quantile = statistic.quantile().and_then(|q| buckets.quantile(q));
            if let Some(q) = quantile {
                let signal = Signal::new(hist, statistic, q.value)
                    .samples(samples)
                    .bound(bound_of(&q));
                context.push(reading, signal);
            }
        }
    }
    let by_histogram = sums.hists.get("iteration_tokens").and_then(|h| h.count);
    let Some(steps) = by_histogram.or(sums.counter(Counter::Steps)) else {
        return;
    };
    context.push(
        reading,
        Signal::new("engine_steps", Statistic::Total, steps),
    );
    if let Some(seconds) = context.seconds.filter(|_| steps > 0.0) {
        // An engine without work takes no step, so this is an upper estimate.
        let mean = seconds * context.engines / steps;
        let signal = Signal::new("engine_step_time", Statistic::Mean, mean)
            .samples(steps as u64)
            .bound(Bound::Estimate);
        context.push(reading, signal);
    }
}

impl Reading {
    /// Carries the buckets of a histogram, unless a count is no whole number.
    fn distributions_of(&mut self, hist: &str, buckets: &Histogram) {
        if !buckets.is_complete() {
            return;
        }
        let mut before = 0.0;
        let mut counts = Vec::with_capacity(buckets.buckets().len());
        for bucket in buckets.buckets() {
            let own = bucket.count - before;
            if own.fract() != 0.0 || !(0.0..9e15).contains(&own) {
                return;
            }
            counts.push(own as u64);
            before = bucket.count;
        }
        let finite = buckets.buckets().iter().filter(|b| b.le.is_finite());
        let edges = finite.map(|b| b.le).collect();
        self.push_distribution(Distribution::new(hist, Data::Histogram { edges, counts }));
    }
}

fn requests(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    let rejected = sums.counter(Counter::Rejections);
    if let Some(rejected) = rejected {
        let signal = Signal::new("admission_rejections", Statistic::Total, rejected);
        context.push(reading, signal);
    }
    let Some(finished) = sums.finished() else {
        return;
    };
    let accepted = accepted(sums);
    let mut push = |name, statistic, value: f64, samples: Option<f64>| {
        let mut signal = Signal::new(name, statistic, value);
        if let Some(samples) = samples {
            signal = signal.samples(samples as u64);
        }
        context.push(reading, signal);
    };
    push("finished_requests", Statistic::Total, finished, None);
    if let Some(accepted) = accepted {
        push("accepted_requests", Statistic::Total, accepted, None);
        // A request refused at the door was not accepted either.
        let asked = finished + rejected.unwrap_or(0.0);
        if asked > 0.0 {
            push(
                "acceptance_rate",
                Statistic::Ratio,
                accepted / asked,
                Some(asked),
            );
        }
    }
    let failed = sums.counter(Counter::FailedOfFinished);
    let of_reason = |names: &[&str]| -> Option<f64> {
        let found = names.iter().filter_map(|name| sums.finished.get(*name));
        found.copied().reduce(|a, b| a + b)
    };
    let shares = [
        ("aborted_ratio", of_reason(&["abort", "CANCELED"])),
        ("length_limited_ratio", of_reason(&["length"])),
        (
            "error_ratio",
            of_reason(&["error", "BACKEND", "OTHER", "generation"]).or(failed),
        ),
    ];
    for (name, n) in shares {
        if let Some(n) = n.filter(|n| finished > 0.0 && *n <= finished) {
            push(name, Statistic::Ratio, n / finished, Some(finished));
        }
    }
    if let Some(seconds) = context.seconds {
        push(
            "request_throughput",
            Statistic::Rate,
            finished / seconds,
            None,
        );
        if let Some(accepted) = accepted {
            push(
                "accepted_throughput",
                Statistic::Rate,
                accepted / seconds,
                None,
            );
        }
    }
}

/// Requests that ended by a stop or at the length limit, or were answered with success. `None`
/// where the engine does not say how its requests ended, or counts failures without saying which.
pub fn accepted(sums: &Sums) -> Option<f64> {
    if sums.finished.keys().all(String::is_empty) {
        let failed = sums.counter(Counter::FailedOfFinished)?;
        return sums.finished().map(|all| (all - failed).max(0.0));
    }
    let good = ["stop", "length", "success"];
    let found = good.iter().filter_map(|reason| sums.finished.get(*reason));
    Some(found.sum())
}

fn tokens(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    let totals = [
        (Counter::Preemptions, "preemptions", None),
        (
            Counter::PromptTokens,
            "prompt_tokens",
            Some("prompt_token_throughput"),
        ),
        (
            Counter::GenerationTokens,
            "generation_tokens",
            Some("generation_token_throughput"),
        ),
        (Counter::CachedPromptTokens, "cached_prompt_tokens", None),
        (
            Counter::ComputedPromptTokens,
            "computed_prompt_tokens",
            None,
        ),
        (Counter::Aborted, "aborted_requests", None),
        (Counter::Corrupted, "corrupted_requests", None),
        (Counter::FailedTransfers, "nixl_failed_transfers", None),
        (
            Counter::FailedNotifications,
            "nixl_failed_notifications",
            None,
        ),
        (Counter::ExpiredTransfers, "nixl_expired_requests", None),
    ];
    for (counter, total, rate) in totals {
        let Some(value) = sums.counter(counter) else {
            continue;
        };
        context.push(reading, Signal::new(total, Statistic::Total, value));
        if let Some((rate, seconds)) = rate.zip(context.seconds) {
            context.push(reading, Signal::new(rate, Statistic::Rate, value / seconds));
        }
    }
}

fn caches(reading: &mut Reading, sums: &Sums, context: &Context<'_>) {
    let ratios = [
        (
            "prefix_cache_hit_ratio",
            Counter::PrefixHits,
            Counter::PrefixQueries,
        ),
        (
            "external_prefix_cache_hit_ratio",
            Counter::ExternalHits,
            Counter::ExternalQueries,
        ),
        (
            "multimodal_cache_hit_ratio",
            Counter::MultimodalHits,
            Counter::MultimodalQueries,
        ),
        (
            "spec_decode_acceptance_ratio",
            Counter::AcceptedTokens,
            Counter::DraftTokens,
        ),
    ];
    let of = |part, whole| sums.counter(part).zip(sums.counter(whole));
    for (name, part, whole) in ratios {
        let pair = of(part, whole).or_else(|| {
            (name == "prefix_cache_hit_ratio")
                .then(|| by_tokens(sums))
                .flatten()
        });
        if let Some((part, whole)) = pair.filter(|(_, whole)| *whole > 0.0) {
            let signal = Signal::new(name, Statistic::Ratio, part / whole).samples(whole as u64);
            context.push(reading, signal);
        }
    }
    let drafts = sums.counter(Counter::Drafts).filter(|d| *d > 0.0);
    if let Some((accepted, drafts)) = sums.counter(Counter::AcceptedTokens).zip(drafts) {
        let mean = 1.0 + accepted / drafts;
        let signal = Signal::new("spec_decode_accepted_length", Statistic::Mean, mean)
            .samples(drafts as u64);
        context.push(reading, signal);
    }
}

/// Hits and queries of the prefix cache where queries are not counted: cached tokens beside those
/// computed in prefill, a repeated prefill included, or else beside all prompt tokens.
fn by_tokens(sums: &Sums) -> Option<(f64, f64)> {
    let prefilled = sums
        .counter(Counter::PrefixHits)
        .zip(sums.counter(Counter::ComputedPromptTokens));
    let prompt = sums
        .counter(Counter::CachedPromptTokens)
        .zip(sums.counter(Counter::PromptTokens));
    prefilled
        .map(|(hits, computed)| (hits, hits + computed))
        .or(prompt)
}

/// Whether the requests that got a first token and those that finished are about the same ones:
/// their numbers agree within a tenth, and the queue neither grew nor shrank by more than that
/// (else those that finish waited shorter, or longer, than those that begin). `None` when one of
/// the two is not there.
pub fn populations_agree(sums: &Sums, all: &Collected) -> Option<bool> {
    let count = |hist: &str| sums.hists.get(hist).and_then(|h| h.count);
    let (live, finished) = (
        count("ttft")?,
        count("queue_time").or(count("e2e_latency"))?,
    );
    let more = live.max(finished);
    let grown = all
        .gauge("waiting_requests")
        .map_or(0.0, |(_, waiting)| waiting.last - waiting.first);
    Some((live - finished).abs() <= 0.1 * more && grown.abs() <= 0.1 * more)
}

fn front_end(reading: &mut Reading, sums: &Sums, all: &Collected, context: &Context<'_>) {
    let mean = |hist: &str| sums.hists.get(hist).and_then(super::sums::Summed::mean);
    let (Some(ttft), Some(queue), Some(prefill)) =
        (mean("ttft"), mean("queue_time"), mean("prefill_time"))
    else {
        return;
    };
    let rest = ttft - queue - prefill;
    if populations_agree(sums, all) == Some(true) && rest >= 0.0 {
        let samples = sums.hists["ttft"].samples();
        let signal = Signal::new("front_end_time", Statistic::Mean, rest)
            .samples(samples)
            .bound(Bound::Estimate);
        context.push(reading, signal);
    }
}
