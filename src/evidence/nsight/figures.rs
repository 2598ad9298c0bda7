//! Tables and series of one export.

use super::{
    device::{BUCKETS, CAUSES, Device},
    ops::{OpKind, copy_name},
    seen::{Seen, TIMELINE_PARTS},
    side::sync_name,
    signals::is_percent,
};
use crate::{Cell, Column, Figure, Reading, Series, Unit};

/// Kernel names, API functions and ranges shown at most.
const ROWS: usize = 50;
/// Gaps shown per device.
const LONGEST: usize = 5;
/// Devices that get a line of their own.
const LINES: usize = 8;

fn seconds(nanos: u128) -> Cell {
    (nanos as f64 / 1e9).into()
}

fn count(n: u64) -> Cell {
    (n as f64).into()
}

fn ratio(part: u128, whole: u128) -> Cell {
    (whole > 0).then(|| part as f64 / whole as f64).into()
}

fn figure(id: &str, columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Figure {
    Figure {
        id: id.to_owned(),
        columns,
        rows,
        plot: None,
        marks: Vec::new(),
        rows_left_out: 0,
    }
}

fn bars(label: &str, value: &str) -> Option<Series> {
    Some(Series::Bars {
        label: label.to_owned(),
        value: value.to_owned(),
    })
}

/// Writes all figures that have something to show.
pub(super) fn write(reading: &mut Reading, seen: &Seen) {
    let all = [
        devices(seen),
        gaps(seen),
        causes(seen),
        longest_gaps(seen),
        timeline(seen),
        copies(seen),
        syncs(seen),
        kernels(seen),
        api(seen),
        ranges(seen),
        metrics(seen),
        rules(seen),
    ];
    let shown = all.into_iter().filter(|f| !f.rows.is_empty());
    reading.figures.extend(shown);
}

fn devices(seen: &Seen) -> Figure {
    let rows = seen.devices.iter().map(|d| {
        let (before, after) = idle_around(seen, d);
        vec![
            Cell::text(&d.label),
            (d.span.0 as f64 / 1e9).into(),
            seconds(d.span_nanos()),
            ratio(d.busy, d.span_nanos()),
            ratio(d.compute_busy, d.span_nanos()),
            count(d.gaps.len() as u64),
            seconds(d.gap_nanos()),
            before.map(|n| n as f64 / 1e9).into(),
            after.map(|n| n as f64 / 1e9).into(),
        ]
    });
    let columns = vec![
        Column::text("gpu_device"),
        Column::number("first_operation", Unit::Seconds),
        Column::number("gpu_span", Unit::Seconds),
        Column::number("gpu_busy_share", Unit::Ratio),
        Column::number("kernel_busy_share", Unit::Ratio),
        Column::number("gap_count", Unit::Count),
        Column::number("gap_time", Unit::Seconds),
        Column::number("idle_before", Unit::Seconds),
        Column::number("idle_after", Unit::Seconds),
    ];
    figure("nsight-devices", columns, rows.collect())
}

/// Idle time before the first and after the last operation, when the capture's clock begins at 0
/// and its length is known; otherwise the two cannot be told.
fn idle_around(seen: &Seen, device: &Device) -> (Option<i64>, Option<i64>) {
    let Some(whole) = seen.facts.duration.and_then(|d| i64::try_from(d).ok()) else {
        return (None, None);
    };
    if device.span.1 > whole {
        return (None, None);
    }
    (Some(device.span.0), Some(whole - device.span.1))
}

/// A row's name in a bar chart: the device is said only where there are several.
fn on_device(seen: &Seen, device: &Device, what: &str) -> Cell {
    match seen.devices.len() {
        1 => Cell::text(what),
        _ => Cell::text(&format!("GPU {} · {what}", device.label)),
    }
}

fn gaps(seen: &Seen) -> Figure {
    let mut rows = Vec::new();
    for device in &seen.devices {
        for ((_, name), (n, nanos)) in BUCKETS.iter().zip(device.histogram()) {
            rows.push(vec![
                Cell::text(&device.label),
                on_device(seen, device, name),
                count(n),
                seconds(nanos),
            ]);
        }
    }
    let columns = vec![
        Column::text("gpu_device"),
        Column::text("gap_length"),
        Column::number("gap_count", Unit::Count),
        Column::number("gap_time", Unit::Seconds),
    ];
    Figure {
        plot: bars("gap_length", "gap_count"),
        ..figure("nsight-gaps", columns, rows)
    }
}

fn causes(seen: &Seen) -> Figure {
    let mut rows = Vec::new();
    if !seen.calls.calls.is_empty() {
        for device in &seen.devices {
            for (cause, nanos) in CAUSES.iter().zip(device.causes) {
                rows.push(vec![
                    Cell::text(&device.label),
                    on_device(seen, device, cause),
                    seconds(nanos),
                    ratio(nanos, device.gap_nanos()),
                ]);
            }
        }
    }
    let columns = vec![
        Column::text("gpu_device"),
        Column::text("gap_cause"),
        Column::number("gap_time", Unit::Seconds),
        Column::number("gap_share", Unit::Ratio),
    ];
    Figure {
        plot: bars("gap_cause", "gap_time"),
        ..figure("nsight-gap-causes", columns, rows)
    }
}

fn longest_gaps(seen: &Seen) -> Figure {
    let attributed = !seen.calls.calls.is_empty();
    let mut rows = Vec::new();
    for device in &seen.devices {
        let mut longest: Vec<_> = device.gaps.iter().collect();
        longest.sort_by_key(|g| (std::cmp::Reverse(g.nanos), g.start));
        for gap in longest.into_iter().take(LONGEST) {
            rows.push(vec![
                Cell::text(&device.label),
                ((gap.start - device.span.0) as f64 / 1e9).into(),
                seconds(gap.nanos.into()),
                match attributed {
                    true => Cell::text(CAUSES[usize::from(gap.main)]),
                    false => Cell::NONE,
                },
            ]);
        }
    }
    let columns = vec![
        Column::text("gpu_device"),
        Column::number("gap_start", Unit::Seconds),
        Column::number("gap_time", Unit::Seconds),
        Column::text("gap_cause"),
    ];
    figure("nsight-longest-gaps", columns, rows)
}

/// Busy share of each device over time; the lines stand in the order of `nsight-devices`.
fn timeline(seen: &Seen) -> Figure {
    let lines: Vec<&Device> = seen.devices.iter().take(LINES).collect();
    let ys: Vec<String> = (1..=lines.len())
        .map(|i| format!("busy_share_{i}"))
        .collect();
    let mut columns = vec![Column::number("trace_time", Unit::Seconds)];
    columns.extend(ys.iter().map(|y| Column::number(y, Unit::Ratio)));
    let parts = lines
        .first()
        .map_or(0, |d| d.timeline.len().min(TIMELINE_PARTS));
    let whole = (seen.axis.1 - seen.axis.0) as f64 / 1e9;
    let rows = (0..parts).map(|i| {
        let mut row: Vec<Cell> = vec![(whole * i as f64 / parts as f64).into()];
        row.extend(lines.iter().map(|d| Cell::from(d.timeline[i])));
        row
    });
    let mut figure = figure("nsight-timeline", columns, rows.collect());
    figure.plot = Some(Series::Line {
        x: "trace_time".to_owned(),
        ys,
        log_y: false,
    });
    figure
}

fn copies(seen: &Seen) -> Figure {
    // One model in the machine: its bandwidth holds for every copy. A copy inside the device
    // reads and writes, so it moves its bytes twice.
    let bandwidth: std::collections::BTreeSet<_> =
        seen.facts.gpus.iter().map(|g| g.bandwidth).collect();
    let peak = match bandwidth.first() {
        Some(Some(peak)) if bandwidth.len() == 1 => Some(*peak as f64),
        _ => None,
    };
    let rows = seen.ops.copies.iter().map(|(kind, moved)| {
        let per_second = moved.bytes as f64 / (moved.nanos as f64 / 1e9);
        let of_peak = peak
            .filter(|_| *kind == 8)
            .map(|peak| 2.0 * per_second / peak);
        vec![
            Cell::text(copy_name(*kind)),
            count(moved.count),
            (moved.bytes as f64).into(),
            seconds(moved.nanos),
            per_second.into(),
            of_peak.into(),
        ]
    });
    let columns = vec![
        Column::text("copy_kind"),
        Column::number("copy_count", Unit::Count),
        Column::number("copy_bytes", Unit::Bytes),
        Column::number("copy_time", Unit::Seconds),
        Column::number("copy_bandwidth", Unit::BytesPerSecond),
        Column::number("memory_peak_share", Unit::Ratio),
    ];
    Figure {
        plot: bars("copy_kind", "copy_bytes"),
        ..figure("nsight-copies", columns, rows.collect())
    }
}

fn syncs(seen: &Seen) -> Figure {
    let rows = seen.side.syncs.iter().map(|(kind, tally)| {
        vec![
            Cell::text(sync_name(*kind)),
            count(tally.count),
            seconds(tally.nanos),
        ]
    });
    let columns = vec![
        Column::text("sync_type"),
        Column::number("sync_count", Unit::Count),
        Column::number("sync_time", Unit::Seconds),
    ];
    figure("nsight-syncs", columns, rows.collect())
}

fn kernels(seen: &Seen) -> Figure {
    let total = seen.kernel_nanos();
    let rows = seen.kernels.iter().take(ROWS).map(|k| {
        vec![
            Cell::text(&k.label),
            Cell::text(&k.short),
            count(k.count),
            seconds(k.nanos),
            ratio(k.nanos, total),
            (k.nanos as f64 / k.count as f64 / 1e9).into(),
            (k.median / 1e9).into(),
            (k.min as f64 / 1e9).into(),
            (k.max as f64 / 1e9).into(),
        ]
    });
    let columns = vec![
        Column::text("kernel_name"),
        Column::text("kernel_short_name"),
        Column::number("kernel_count", Unit::Count),
        Column::number("kernel_time", Unit::Seconds),
        Column::number("kernel_share", Unit::Ratio),
        Column::number("kernel_mean", Unit::Seconds),
        Column::number("kernel_median", Unit::Seconds),
        Column::number("kernel_min", Unit::Seconds),
        Column::number("kernel_max", Unit::Seconds),
    ];
    Figure {
        marks: Vec::new(),
        rows_left_out: seen.kernels.len().saturating_sub(ROWS) as u64,
        plot: bars("kernel_short_name", "kernel_time"),
        ..figure("nsight-kernels", columns, rows.collect())
    }
}

fn api(seen: &Seen) -> Figure {
    let mut functions: Vec<_> = seen.calls.functions.iter().collect();
    functions.sort_by(|a, b| b.nanos.cmp(&a.nanos).then_with(|| a.name.cmp(&b.name)));
    let rows = functions.iter().take(ROWS).map(|f| {
        vec![
            Cell::text(&f.name),
            count(f.count),
            seconds(f.nanos),
            (f.nanos as f64 / f.count.max(1) as f64 / 1e9).into(),
            (f.longest as f64 / 1e9).into(),
        ]
    });
    let columns = vec![
        Column::text("api_function"),
        Column::number("api_calls", Unit::Count),
        Column::number("api_time", Unit::Seconds),
        Column::number("api_mean", Unit::Seconds),
        Column::number("api_max", Unit::Seconds),
    ];
    Figure {
        marks: Vec::new(),
        rows_left_out: functions.len().saturating_sub(ROWS) as u64,
        plot: bars("api_function", "api_time"),
        ..figure("nsight-api", columns, rows.collect())
    }
}

fn ranges(seen: &Seen) -> Figure {
    let rows = seen.side.ranges.iter().take(ROWS).map(|(name, tally)| {
        vec![
            Cell::text(name),
            count(tally.count),
            seconds(tally.nanos),
            (tally.nanos as f64 / tally.count as f64 / 1e9).into(),
        ]
    });
    let columns = vec![
        Column::text("range_name"),
        Column::number("range_count", Unit::Count),
        Column::number("range_time", Unit::Seconds),
        Column::number("range_mean", Unit::Seconds),
    ];
    Figure {
        marks: Vec::new(),
        rows_left_out: seen.side.ranges.len().saturating_sub(ROWS) as u64,
        ..figure("nsight-ranges", columns, rows.collect())
    }
}

/// Sampled metrics that are percentages; clock frequencies and the like have no unit here.
fn metrics(seen: &Seen) -> Figure {
    let rows =
        seen.side
            .metrics
            .iter()
            .filter(|m| is_percent(&m.1))
            .map(|(gpu, name, mean, samples)| {
                vec![
                    Cell::text(&gpu.to_string()),
                    Cell::text(name),
                    (mean / 100.0).into(),
                    count(*samples),
                ]
            });
    let columns = vec![
        Column::text("gpu_device"),
        Column::text("metric_name"),
        Column::number("metric_mean", Unit::Ratio),
        Column::number("metric_samples", Unit::Count),
    ];
    figure("nsight-gpu-metrics", columns, rows.take(4 * ROWS).collect())
}

/// Findings of the vendor's own rules; only those whose tables were recorded.
fn rules(seen: &Seen) -> Figure {
    let rules = &seen.rules;
    let mut found = Vec::new();
    if !seen.devices.is_empty() {
        found.push(("gpu_gaps", rules.gpu_gaps));
        found.push(("gpu_time_util", rules.idle_chunks));
    }
    if !seen.calls.calls.is_empty() {
        if seen.ops.used(OpKind::Copy).rows > 0 {
            found.push(("cuda_memcpy_async", rules.async_copy_pageable));
            found.push(("cuda_memcpy_sync", rules.sync_copy));
        }
        if seen.ops.used(OpKind::Set).rows > 0 {
            found.push(("cuda_memset_sync", rules.sync_set));
        }
        found.push(("cuda_api_sync", rules.sync_call));
    }
    let rows = found
        .into_iter()
        .map(|(rule, n)| vec![Cell::text(rule), count(n)])
        .collect();
    let columns = vec![
        Column::text("rule_name"),
        Column::number("rule_findings", Unit::Count),
    ];
    figure("nsight-rules", columns, rows)
}
