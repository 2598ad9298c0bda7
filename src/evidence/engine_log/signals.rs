//! Signals from the lives: once per life for the whole server and, where there are several
//! engines, once per engine. Engines are never averaged.

use super::{
    course::{Level, Levels},
    event::is_work,
    life::{Life, Owner},
    sample::Gauge,
    start::Step,
};
use crate::{Bound, Reading, Scope, Signal, Statistic};

/// Labels that every signal of a life gets.
pub type Labels = Vec<(&'static str, String)>;

fn push(reading: &mut Reading, labels: &Labels, mut signal: Signal) {
    for (name, value) in labels {
        signal = signal.label(name, value);
    }
    reading.push(signal);
}

/// Emits everything that a life says; `prefix_known` tells whether a printed hit rate of zero is
/// one.
pub fn emit(reading: &mut Reading, life: &Life, labels: &Labels, prefix_known: bool) {
    start(reading, life, labels);
    if let [only] = &life.owners[..] {
        owner(reading, only, labels, prefix_known);
    } else if !life.owners.is_empty() {
        together(reading, life, labels);
        for one in &life.owners {
            owner(reading, one, &named(labels, one), prefix_known);
        }
    }
    if life.has_lines() && life.aggregated == 0 {
        let n = life.owners.len() as f64;
        push(
            reading,
            labels,
            Signal::new("engine_count", Statistic::Last, n).scope(Scope::Instant),
        );
    }
    speculation(reading, life, labels);
    preemptions(reading, life, labels);
    answers(reading, life, labels);
}

/// Labels of one engine.
fn named(labels: &Labels, owner: &Owner) -> Labels {
    let mut labels = labels.clone();
    if let Some(number) = owner.number {
        labels.push(("engine", number.to_string()));
    }
    if !owner.server.is_empty() {
        labels.push(("server", owner.server.clone()));
    }
    labels
}

/// Gauges that count something, with their signal.
const COUNTS: [(Gauge, &str); 5] = [
    (Gauge::Running, "running_requests"),
    (Gauge::Waiting, "waiting_requests"),
    (Gauge::Kv, "kv_cache_usage"),
    (Gauge::Deferred, "deferred_requests"),
    (Gauge::Swapped, "swapped_requests"),
];

/// Rates over the interval of a line, with their signal.
const RATES: [(Gauge, &str); 2] = [
    (Gauge::Prompt, "prompt_token_throughput"),
    (Gauge::Generation, "generation_token_throughput"),
];

/// Hit rates that lines print, with their signal.
const HITS: [(Gauge, &str); 3] = [
    (Gauge::PrefixHit, "prefix_cache_hit_ratio"),
    (Gauge::ExternalHit, "external_prefix_cache_hit_ratio"),
    (Gauge::MultimodalHit, "multimodal_cache_hit_ratio"),
];

fn owner(reading: &mut Reading, owner: &Owner, labels: &Labels, prefix_known: bool) {
    let levels = &owner.levels;
    for (gauge, name) in COUNTS.into_iter().chain(RATES) {
        let Some(level) = levels.get(gauge) else {
            continue;
        };
        let rate = RATES.iter().any(|(g, _)| *g == gauge);
        // Deferred requests are printed only while there are some.
        let mean = level.mean().filter(|_| gauge != Gauge::Deferred);
        if let Some(mean) = mean {
            let signal = Signal::new(name, Statistic::Mean, mean)
                .samples(level.times)
                .bound(Bound::Estimate);
            push(reading, labels, signal);
        }
        push(reading, labels, greatest(name, level));
        if !rate && gauge != Gauge::Deferred {
            let last = Signal::new(name, Statistic::Last, level.last).scope(Scope::Instant);
            push(reading, labels, last);
        }
    }
    shares(reading, levels, labels);
    hits(reading, owner, labels, prefix_known);
    if owner.graphs.1 > 0 {
        let share = owner.graphs.0 as f64 / owner.graphs.1 as f64;
        let signal = Signal::new("cuda_graph_share", Statistic::Ratio, share)
            .samples(owner.graphs.1)
            .bound(Bound::Estimate);
        push(reading, labels, signal);
    }
}

/// Nobody looked between two lines, so the greatest value may have been greater.
fn greatest(name: &str, level: &Level) -> Signal {
    Signal::new(name, Statistic::Max, level.max)
        .samples(level.times)
        .bound(Bound::Estimate)
}

fn shares(reading: &mut Reading, levels: &Levels, labels: &Labels) {
    for (gauge, name) in [
        (Gauge::Waiting, "waiting_share"),
        (Gauge::Kv, "kv_cache_full_share"),
    ] {
        if let Some(level) = levels.get(gauge) {
            let share = level.over as f64 / level.times as f64;
            let signal = Signal::new(name, Statistic::Ratio, share)
                .samples(level.times)
                .bound(Bound::Estimate);
            push(reading, labels, signal);
        }
    }
}

fn hits(reading: &mut Reading, owner: &Owner, labels: &Labels, prefix_known: bool) {
    for (gauge, name) in HITS {
        let Some(level) = owner.levels.get(gauge) else {
            continue;
        };
        // A rate that is always zero is also what an engine without that cache prints.
        if level.over == 0 && !(prefix_known && gauge == Gauge::PrefixHit) {
            continue;
        }
        let signal = Signal::new(name, Statistic::Last, level.last)
            .scope(Scope::Instant)
            .bound(Bound::Estimate);
        push(reading, labels, signal);
    }
    let (fresh, cached) = owner.prefill;
    if fresh + cached > 0.0 {
        let ratio = cached / (fresh + cached);
        let signal = Signal::new("prefix_cache_hit_ratio", Statistic::Ratio, ratio)
            .samples((fresh + cached) as u64);
        push(reading, labels, signal);
        push(
            reading,
            labels,
            Signal::new("prompt_tokens", Statistic::Total, fresh + cached),
        );
    }
    if let Some(level) = owner.levels.get(Gauge::AcceptedLength)
        && let Some(mean) = level.mean()
    {
        let signal = Signal::new("spec_decode_accepted_length", Statistic::Mean, mean)
            .samples(level.times)
            .bound(Bound::Estimate);
        push(reading, labels, signal);
    }
}

/// Several engines together: sums of their newest lines, and the greatest KV use. A mean over
/// engines hides the one that starves, so there is none.
fn together(reading: &mut Reading, life: &Life, labels: &Labels) {
    for (gauge, name) in COUNTS.into_iter().take(3).chain(RATES) {
        let Some(level) = life.total.get(gauge) else {
            continue;
        };
        push(reading, labels, greatest(name, level));
        if COUNTS.iter().any(|(g, _)| *g == gauge) {
            let last = Signal::new(name, Statistic::Last, level.last)
                .scope(Scope::Instant)
                .bound(Bound::Estimate);
            push(reading, labels, last);
        }
    }
    shares(reading, &life.total, labels);
    let prefill = life.owners.iter().map(|o| o.prefill);
    let (fresh, cached) = prefill.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    if fresh + cached > 0.0 {
        let ratio = cached / (fresh + cached);
        let signal = Signal::new("prefix_cache_hit_ratio", Statistic::Ratio, ratio)
            .samples((fresh + cached) as u64);
        push(reading, labels, signal);
    }
}

fn speculation(reading: &mut Reading, life: &Life, labels: &Labels) {
    let seen = &life.speculated;
    if seen.drafted > 0.0 {
        let ratio = seen.accepted / seen.drafted;
        let signal = Signal::new("spec_decode_acceptance_ratio", Statistic::Ratio, ratio)
            .samples(seen.drafted as u64);
        push(reading, labels, signal);
    }
    if seen.length.1 > 0.0 {
        let mean = seen.length.0 / seen.length.1;
        let signal = Signal::new("spec_decode_accepted_length", Statistic::Mean, mean)
            .samples(seen.lines)
            .bound(Bound::Estimate);
        push(reading, labels, signal);
    }
    let Some((first, newest)) = seen.counted else {
        return;
    };
    let (accepted, drafted) = (newest.0 - first.0, newest.1 - first.1);
    let (accepted, drafted, scope) = if drafted > 0.0 && accepted >= 0.0 {
        (accepted, drafted, Scope::Window)
    } else {
        (newest.0, newest.1, Scope::SinceStart)
    };
    if drafted > 0.0 {
        let ratio = accepted / drafted;
        let signal = Signal::new("spec_decode_acceptance_ratio", Statistic::Ratio, ratio)
            .samples(drafted as u64)
            .scope(scope);
        push(reading, labels, signal);
    }
}

/// Preemptions that lines count. Where no line counts any, nothing is said: most releases print
/// none of them, or one in fifty.
fn preemptions(reading: &mut Reading, life: &Life, labels: &Labels) {
    let printed: Vec<f64> = life.owners.iter().filter_map(|o| o.preempted).collect();
    let (total, bound) = if let Some(n) = life.retracted {
        (n, Bound::Exact)
    } else if !printed.is_empty() {
        (printed.iter().sum(), Bound::Exact)
    } else if let Some((first, newest)) = life.counted_preemptions {
        // The first warning of a start counts from its beginning.
        let before = if life.start.began.is_some() || newest < first {
            0.0
        } else {
            first - 1.0
        };
        (newest - before, Bound::AtLeast)
    } else {
        return;
    };
    let signal = Signal::new("preemptions", Statistic::Total, total).bound(bound);
    push(reading, labels, signal);
}

fn answers(reading: &mut Reading, life: &Life, labels: &Labels) {
    let work = || life.answers.iter().filter(|((path, _), _)| is_work(path));
    let all: u64 = work().map(|(_, n)| n).sum();
    if all == 0 {
        return;
    }
    push(
        reading,
        labels,
        Signal::new("http_responses", Statistic::Total, all as f64),
    );
    let failed = work().filter(|((_, status), _)| *status >= 500 || *status == 429);
    let failed: u64 = failed.map(|(_, n)| n).sum();
    // A stream says 200 before it has ended.
    let signal = Signal::new(
        "http_error_ratio",
        Statistic::Ratio,
        failed as f64 / all as f64,
    )
    .samples(all)
    .bound(Bound::AtLeast);
    push(reading, labels, signal);
}

fn start(reading: &mut Reading, life: &Life, labels: &Labels) {
    let start = &life.start;
    let mut put = |name: &str, value: Option<f64>| {
        if let Some(value) = value {
            let signal = Signal::new(name, Statistic::Last, value).scope(Scope::Instant);
            push(reading, labels, signal);
        }
    };
    put("start_up_time", start.seconds());
    for (step, seconds, bytes) in [
        (Step::Model, "model_load_time", "model_memory"),
        (Step::Compile, "compile_time", ""),
        (Step::Graphs, "graph_capture_time", "cuda_graph_memory"),
        (Step::KvCache, "", "kv_cache_memory"),
        (Step::Engine, "engine_init_time", ""),
    ] {
        let greatest = start.greatest(step);
        if !seconds.is_empty() {
            put(seconds, greatest.0);
        }
        if !bytes.is_empty() {
            put(bytes, greatest.1);
        }
    }
    put("full_length_requests", start.concurrency);
    if let Some(tokens) = super::facts::kv_tokens(start) {
        put("kv_cache_capacity", Some(tokens.values().sum()));
        if tokens.len() > 1 {
            for (engine, value) in tokens {
                let mut labels = labels.clone();
                labels.push(("engine", engine.map_or(String::new(), |n| n.to_string())));
                let signal = Signal::new("kv_cache_capacity", Statistic::Last, value);
                push(reading, &labels, signal.scope(Scope::Instant));
            }
        }
    }
}
