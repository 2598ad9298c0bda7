//! Signals of one export, by the definitions of the catalogue.

use super::{
    calls::CallClass,
    device::{CAUSES, Device},
    ops::{OpKind, copy_name},
    seen::Seen,
    side::sync_name,
};
use crate::{
    Bound, Reading, Signal,
    Statistic::{self, Count, Last, Max, Mean, Min, Ratio, Total},
    statistic::nearest_rank,
};

/// Kernel names that become signals; the figure holds more.
pub(super) const KERNEL_SIGNALS: usize = 20;

fn seconds(nanos: u128) -> f64 {
    nanos as f64 / 1e9
}

fn share(part: u128, whole: u128) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Writes all signals.
pub(super) fn write(reading: &mut Reading, seen: &Seen) {
    if let Some(duration) = seen.facts.duration {
        let trace = Signal::new("trace_duration", Total, seconds(duration.into()));
        reading.push(trace);
    }
    devices(reading, seen);
    kernels(reading, seen);
    launches(reading, seen);
    copies(reading, seen);
    host(reading, seen);
    metrics(reading, seen);
    if seen.facts.events_missing {
        lower_bounds(reading);
    }
}

/// What one device did, or all of them together: the numbers that can be summed.
struct Sums {
    span: u128,
    busy: u128,
    compute_busy: u128,
    copy_busy: u128,
    overlap: u128,
    compute_sum: u128,
    causes: [u128; 6],
    /// Ascending.
    gaps: Vec<u64>,
}

impl Sums {
    fn of(devices: &[Device]) -> Self {
        let sum = |f: fn(&Device) -> u128| devices.iter().map(f).sum::<u128>();
        let mut causes = [0; 6];
        for device in devices {
            for (all, one) in causes.iter_mut().zip(device.causes) {
                *all += one;
            }
        }
        let mut gaps: Vec<u64> = devices
            .iter()
            .flat_map(|d| d.gaps.iter().map(|g| g.nanos))
            .collect();
        gaps.sort_unstable();
        Self {
            span: sum(Device::span_nanos),
            busy: sum(|d| d.busy),
            compute_busy: sum(|d| d.compute_busy),
            copy_busy: sum(|d| d.copy_busy),
            overlap: sum(|d| d.overlap),
            compute_sum: sum(|d| d.compute_sum),
            causes,
            gaps,
        }
    }
}

/// Per device, and for the run: sums over devices, and ratios of such sums.
fn devices(reading: &mut Reading, seen: &Seen) {
    if seen.devices.is_empty() {
        return;
    }
    for device in &seen.devices {
        let sums = Sums::of(std::slice::from_ref(device));
        device_signals(reading, seen, &sums, Some(&device.label));
    }
    device_signals(reading, seen, &Sums::of(&seen.devices), None);
    let count = Signal::new("device_count", Count, seen.devices.len() as f64);
    reading.push(count);
    if seen.devices.len() > 1 {
        let busy = |d: &Device| d.busy as f64 / d.span_nanos() as f64;
        let most = seen.devices.iter().map(busy).fold(0.0, f64::max);
        let least = seen.devices.iter().map(busy).fold(1.0, f64::min);
        reading.push(Signal::new("device_busy_spread", Ratio, most - least));
    }
}

fn device_signals(reading: &mut Reading, seen: &Seen, sums: &Sums, device: Option<&str>) {
    let mut put = |signal: Signal| {
        reading.push(match device {
            Some(device) => signal.label("device", device),
            None => signal,
        });
    };
    let computes = seen.ops.used(OpKind::Kernel).rows > 0 || seen.ops.used(OpKind::Graph).rows > 0;
    let copies = seen.ops.used(OpKind::Copy).rows > 0;
    put(Signal::new("gpu_span", Total, seconds(sums.span)));
    put(Signal::new("gpu_busy_time", Total, seconds(sums.busy)));
    if let Some(r) = share(sums.busy, sums.span) {
        put(Signal::new("gpu_utilization", Ratio, r));
    }
    if computes {
        put(Signal::new(
            "kernel_busy_time",
            Total,
            seconds(sums.compute_busy),
        ));
        if let Some(r) = share(sums.compute_busy, sums.span) {
            put(Signal::new("kernel_utilization", Ratio, r));
        }
        if let Some(r) = share(sums.compute_sum, sums.compute_busy) {
            put(Signal::new("kernel_concurrency", Ratio, r));
        }
    }
    if copies {
        put(Signal::new(
            "memcpy_busy_time",
            Total,
            seconds(sums.copy_busy),
        ));
    }
    if computes && copies {
        put(Signal::new(
            "copy_compute_overlap",
            Total,
            seconds(sums.overlap),
        ));
    }
    let n = sums.gaps.len() as u64;
    let total: u128 = sums.gaps.iter().map(|g| u128::from(*g)).sum();
    put(Signal::new("gpu_gap_time", Total, seconds(total)).samples(n));
    if let Some(r) = share(total, sums.span) {
        put(Signal::new("gpu_gap_ratio", Ratio, r).samples(n));
    }
    for signal in distribution("gpu_gap", &sums.gaps) {
        put(signal);
    }
    if !seen.calls.calls.is_empty() {
        for (cause, nanos) in CAUSES.iter().zip(sums.causes) {
            put(Signal::new("gpu_gap_attributed", Total, seconds(nanos)).label("cause", cause));
        }
    }
}

/// Quantiles by nearest rank, mean and extremes of ascending nanoseconds; nothing of nothing.
fn distribution<'a>(name: &'a str, sorted: &'a [u64]) -> impl Iterator<Item = Signal> + 'a {
    let n = sorted.len() as u64;
    let mean = sorted.iter().map(|d| u128::from(*d)).sum::<u128>() as f64 / n.max(1) as f64;
    let quantile = |s: Statistic| {
        let q = s.quantile()?;
        Some((s, nearest_rank(sorted, q)? as f64))
    };
    [
        quantile(Statistic::P50),
        quantile(Statistic::P95),
        quantile(Statistic::P99),
        (n > 0).then_some((Mean, mean)),
        sorted.first().map(|v| (Min, *v as f64)),
        sorted.last().map(|v| (Max, *v as f64)),
    ]
    .into_iter()
    .flatten()
    .map(move |(s, nanos)| Signal::new(name, s, nanos / 1e9).samples(n))
}

fn kernels(reading: &mut Reading, seen: &Seen) {
    if seen.ops.used(OpKind::Graph).rows > 0 {
        let graphs = || seen.ops.ops.iter().filter(|o| o.kind == OpKind::Graph);
        let nanos = graphs().map(|o| u128::from(o.duration())).sum();
        let n = graphs().count() as u64;
        reading.push(Signal::new("graph_launches", Count, n as f64));
        reading.push(Signal::new("graph_launch_time", Total, seconds(nanos)).samples(n));
    }
    let total = seen.kernel_nanos();
    let count: u64 = seen.kernels.iter().map(|k| k.count).sum();
    // Rows of which none could be used say as little as no rows.
    if count == 0 {
        return;
    }
    // Names beyond the cap are summed as one, so their number is only known from below.
    let names = Signal::new("distinct_kernels", Count, seen.kernels.len() as f64);
    reading.push(match seen.ops.beyond_names {
        0 => names,
        _ => names.bound(Bound::AtLeast),
    });
    reading.push(Signal::new("kernel_launches", Count, count as f64));
    reading.push(Signal::new("kernel_time", Total, seconds(total)).samples(count));
    for k in seen.kernels.iter().take(KERNEL_SIGNALS) {
        let mut put = |name: &str, statistic: Statistic, value: f64| {
            let signal = Signal::new(name, statistic, value).samples(k.count);
            reading.push(signal.label("kernel", &k.label));
        };
        put("kernel_time", Total, seconds(k.nanos));
        if let Some(r) = share(k.nanos, total) {
            put("kernel_time_share", Ratio, r);
        }
        put(
            "kernel_duration",
            Mean,
            k.nanos as f64 / k.count as f64 / 1e9,
        );
        put("kernel_duration", Statistic::P50, k.median / 1e9);
        put("kernel_duration", Statistic::P95, k.p95 as f64 / 1e9);
        put("kernel_duration", Statistic::P99, k.p99 as f64 / 1e9);
        put("kernel_duration", Min, k.min as f64 / 1e9);
        put("kernel_duration", Max, k.max as f64 / 1e9);
    }
    let collective = seen.kernels.iter().filter(|k| k.collective);
    let collective: u128 = collective.map(|k| k.nanos).sum();
    // On one device without collectives there is nobody to exchange with: a share of zero would be
    // no measurement. One rank of several shows one device and its collectives.
    if seen.devices.len() < 2 && collective == 0 {
        return;
    }
    if let Some(r) = share(collective, total) {
        let signal = Signal::new("collective_time_share", Ratio, r).samples(count);
        // Kernels inside graphs traced as a whole have no names.
        let hidden = seen.ops.used(OpKind::Graph).rows > 0;
        reading.push(match hidden {
            true => signal.bound(Bound::Estimate),
            false => signal,
        });
    }
}

fn launches(reading: &mut Reading, seen: &Seen) {
    for signal in distribution("launch_api_time", &seen.launches.api) {
        reading.push(signal);
    }
    for signal in distribution("launch_queue_delay", &seen.launches.delay) {
        reading.push(signal);
    }
}

fn copies(reading: &mut Reading, seen: &Seen) {
    let ops = &seen.ops;
    if ops.used(OpKind::Copy).rows > 0 {
        let mut whole = super::ops::Moved::default();
        for (kind, moved) in &ops.copies {
            whole.count += moved.count;
            whole.bytes += moved.bytes;
            whole.nanos += moved.nanos;
            let mut put = |name: &str, statistic: Statistic, value: f64| {
                let signal = Signal::new(name, statistic, value).samples(moved.count);
                reading.push(signal.label("kind", copy_name(*kind)));
            };
            put("memcpy_bytes", Total, moved.bytes as f64);
            put("memcpy_time", Total, seconds(moved.nanos));
            put(
                "memcpy_bandwidth",
                Mean,
                moved.bytes as f64 / seconds(moved.nanos),
            );
        }
        let n = whole.count;
        reading.push(Signal::new("memcpy_bytes", Total, whole.bytes as f64).samples(n));
        reading.push(Signal::new("memcpy_time", Total, seconds(whole.nanos)).samples(n));
        let pageable = ops.pageable;
        reading.push(Signal::new("pageable_copies", Count, pageable.count as f64).samples(n));
        reading.push(Signal::new("pageable_bytes", Total, pageable.bytes as f64).samples(n));
        let peer = Signal::new("peer_copy_bytes", Total, ops.peer_bytes as f64);
        if seen.devices.len() > 1 || ops.peer_bytes > 0 {
            reading.push(peer.samples(n));
        }
    }
    if ops.used(OpKind::Set).rows > 0 {
        let sets = ops.sets;
        let n = sets.count;
        reading.push(Signal::new("memset_bytes", Total, sets.bytes as f64).samples(n));
        reading.push(Signal::new("memset_time", Total, seconds(sets.nanos)).samples(n));
    }
}

/// What the host asked for and waited for. The profiler may skip short calls, so that numbers of
/// calls hold from below.
fn host(reading: &mut Reading, seen: &Seen) {
    for (kind, tally) in &seen.side.syncs {
        let name = sync_name(*kind);
        let count = Signal::new("sync_calls", Count, tally.count as f64);
        reading.push(count.label("type", name));
        let time = Signal::new("sync_time", Total, seconds(tally.nanos)).samples(tally.count);
        reading.push(time.label("type", name));
    }
    if let Some(overhead) = seen.side.overhead {
        let time = Signal::new("profiler_overhead_time", Total, seconds(overhead.nanos));
        reading.push(time.samples(overhead.count));
    }
    if seen.calls.calls.is_empty() {
        return;
    }
    let (calls, nanos) = seen.calls.sum(|_| true);
    let (syncs, waited) = seen.calls.sum(|f| f.class == CallClass::Sync);
    let from_below = |name: &str, n: u64| Signal::new(name, Count, n as f64).bound(Bound::AtLeast);
    reading.push(from_below("cuda_api_calls", calls));
    reading.push(Signal::new("cuda_api_time", Total, seconds(nanos)).samples(calls));
    reading.push(from_below("cuda_api_errors", seen.calls.errors).samples(calls));
    reading.push(from_below("sync_api_calls", syncs));
    reading.push(Signal::new("sync_api_time", Total, seconds(waited)).samples(syncs));
}

/// Sampled metrics the catalogue knows; their names differ between releases by what follows.
fn metrics(reading: &mut Reading, seen: &Seen) {
    const KNOWN: [(&str, &str); 3] = [
        ("sms active", "sm_active"),
        ("dram read bandwidth", "dram_read_bandwidth_share"),
        ("compute warps in flight", "warps_in_flight"),
    ];
    let gpus: std::collections::BTreeSet<i64> = seen.side.metrics.iter().map(|m| m.0).collect();
    for (gpu, name, mean, samples) in &seen.side.metrics {
        let lower = name.to_ascii_lowercase();
        let Some((_, signal)) = KNOWN.iter().find(|k| lower.starts_with(k.0)) else {
            continue;
        };
        // The same name with another unit (warps per cycle, say) is another metric.
        if !is_percent(name) {
            continue;
        }
        let signal = Signal::new(signal, Mean, mean / 100.0).samples(*samples);
        if gpus.len() == 1 {
            reading.push(signal.clone());
        }
        // By the machine's number, which need not be the ordinal a process saw.
        reading.push(signal.label("gpu", gpu));
    }
}

/// Whether a sampled metric is a percentage: it says so in brackets, or has no unit at all.
pub(super) fn is_percent(name: &str) -> bool {
    name.contains('%') || !name.contains('[')
}

/// Events are missing, so sums and counts of events are lower bounds; what was left out of busy
/// time may lie in the gaps, so those and all ratios are estimates.
fn lower_bounds(reading: &mut Reading) {
    for signal in &mut reading.signals {
        if signal.bound != Bound::Exact || signal.name == "trace_duration" {
            continue;
        }
        signal.bound = match signal.statistic {
            _ if signal.name.starts_with("gpu_gap") => Bound::Estimate,
            Total | Count => Bound::AtLeast,
            Last => Bound::Exact,
            _ => Bound::Estimate,
        };
    }
}
