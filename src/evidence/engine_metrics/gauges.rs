//! Gauges: instants, and what the scrapes saw of them. Over engines they are added, or the greatest
//! counts, as the table says.

use super::{
    collect::Collected,
    names::What,
    signals::Context,
    sums::Of,
    table::{Combine, Means, Name},
};
use crate::{Bound, Reading, Scope, Signal, Statistic};

/// Gauges in the order in which they are shown.
const GAUGES: [Name; 14] = [
    "running_requests",
    "waiting_requests",
    "deferred_requests",
    "kv_transfer_waiting_requests",
    "swapped_requests",
    "kv_cache_usage",
    "cpu_kv_cache_usage",
    "kv_cache_capacity",
    "cuda_graph_active",
    "batch_size",
    "pinned_memory_used",
    "pinned_memory_total",
    "spec_decode_acceptance_ratio",
    "spec_decode_accepted_length",
];

/// Emits the gauges.
pub fn emit(reading: &mut Reading, all: &Collected, context: &Context<'_>) {
    for name in GAUGES {
        let Some(level) = level_of(all, name, context.of) else {
            continue;
        };
        // 0 also means that there is no speculation, or nothing was decoded yet.
        let is_off = name.starts_with("spec_decode") || name == "batch_size";
        if is_off {
            let last = level.last.filter(|last| *last > 0.0);
            if let Some(last) = last {
                let (statistic, scope) = match name {
                    "batch_size" => (Statistic::Mean, Scope::SinceStart),
                    _ => (Statistic::Last, Scope::Instant),
                };
                let signal = Signal::new(name, statistic, last)
                    .scope(scope)
                    .bound(Bound::Estimate);
                context.push(reading, signal);
            }
            continue;
        }
        if let Some(last) = level.last {
            let signal = Signal::new(name, Statistic::Last, last).scope(Scope::Instant);
            context.push(reading, signal);
        }
        let is_fixed = matches!(name, "kv_cache_capacity" | "pinned_memory_total");
        if let Some((max, mean)) = level.along.filter(|_| all.scrapes > 1 && !is_fixed) {
            let over = u64::from(level.times);
            for (statistic, value) in [(Statistic::Max, max), (Statistic::Mean, mean)] {
                // Between scrapes nobody looked.
                let signal = Signal::new(name, statistic, value)
                    .samples(over)
                    .bound(Bound::Estimate);
                context.push(reading, signal);
            }
        }
    }
    // An engine's own rate; −1 means that the cache is off.
    let rate = level_of(all, "prefix_cache_hit_ratio", context.of).and_then(|level| level.last);
    if let Some(rate) = rate.filter(|rate| (0.0..=1.0).contains(rate)) {
        let signal = Signal::new("prefix_cache_hit_ratio", Statistic::Last, rate)
            .scope(Scope::Instant)
            .bound(Bound::Estimate);
        context.push(reading, signal);
    }
}

struct Seen {
    last: Option<f64>,
    along: Option<(f64, f64)>,
    times: u32,
}

/// A gauge over the scrapes, put together over what the context is of.
fn level_of(all: &Collected, gauge: Name, of: Of<'_>) -> Option<Seen> {
    let (rank, level) = all.gauge(gauge)?;
    if matches!(of, Of::All) {
        return Some(Seen {
            last: all.is_level_current(level).then_some(level.last),
            along: Some((level.max, level.mean())),
            times: level.times,
        });
    }
    let tracks: Vec<_> = all
        .tracks
        .iter()
        .filter(|t| t.what == What::Gauge(gauge, rank) && of.holds(t, &all.owners))
        .collect();
    let how = tracks.first()?.row.map(|row| row.means);
    let current = tracks.iter().filter(|t| all.is_current(t)).map(|t| t.last);
    let last = match how {
        Some(Means::Gauge(_, Combine::Max)) => current.reduce(f64::max),
        _ => current.reduce(|a, b| a + b),
    };
    let along = match &tracks[..] {
        [only] => Some((only.max, only.mean())),
        // Peaks of several engines need not fall together: nothing is said.
        _ => None,
    };
    let times = tracks[0].times;
    Some(Seen { last, along, times })
}
