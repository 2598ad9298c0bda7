//! Expected numbers of each device: busy time, gaps and their causes.

use super::{
    super::frame::Comparison,
    got::{Got, each, float, nanos, or_nothing, rounded},
};
use pel_evidence::Statistic;
use serde_json::Value;

pub fn devices(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    let n = got.value("device_count", Statistic::Count, &[]);
    let expected = each(want).count() as f64;
    or_nothing(c, path, &expected.into(), n);
    let mut chunks = 0.0;
    let mut long = 0.0;
    for (id, device) in each(want) {
        let path = format!("{path}.{id}");
        chunks += float(&device["chunks_of_30_below_50pct"]);
        long += float(&device["gaps"]["over_500ms"]);
        one_device(c, &path, id, device, got);
    }
    for (rule, expected) in [("gpu_time_util", chunks), ("gpu_gaps", long)] {
        let found = got.cell("nsight-rules", &[("rule_name", rule)], "rule_findings");
        or_nothing(c, &format!("{path} {rule}"), &expected.into(), found);
    }
}

fn one_device(c: &mut Comparison, path: &str, id: &str, want: &Value, got: &Got<'_>) {
    use Statistic::{Ratio, Total};
    let on = [("device", id)];
    let percent = |name: &str| got.value(name, Ratio, &on).map(|r| r * 100.0);
    let first = got
        .cell("nsight-devices", &[("gpu_device", id)], "first_operation")
        .map(nanos);
    let span = got.nanos("gpu_span", Total, &on);
    for (key, value) in each(want) {
        let path = format!("{path}.{key}");
        let total = |name: &str| got.nanos(name, Total, &on);
        match key.as_str() {
            "first_op_ns" => c.number(&path, float(value), first),
            "last_op_ns" => c.number(&path, float(value), first.zip(span).map(|(a, b)| a + b)),
            "span_ns" => c.number(&path, float(value), span),
            "busy_ns" => c.number(&path, float(value), total("gpu_busy_time")),
            "kernel_busy_ns" => or_nothing(c, &path, value, total("kernel_busy_time")),
            "memcpy_busy_ns" => or_nothing(c, &path, value, total("memcpy_busy_time")),
            "utilization_pct" => rounded(c, &path, value, 3, percent("gpu_utilization")),
            "kernel_utilization_pct" => {
                rounded(c, &path, value, 3, percent("kernel_utilization"));
            }
            "copy_compute_overlap_ns" => or_nothing(c, &path, value, total("copy_compute_overlap")),
            "kernel_concurrency" => {
                rounded(
                    c,
                    &path,
                    value,
                    3,
                    got.value("kernel_concurrency", Ratio, &on),
                );
            }
            "gaps" => gaps(c, &path, id, value, first, got),
            "chunks_of_30_below_50pct" => {}
            other => c.left(other),
        }
    }
}

fn gaps(c: &mut Comparison, path: &str, id: &str, want: &Value, first: Option<f64>, got: &Got<'_>) {
    use Statistic::{Max, Mean, Min, Ratio, Total};
    let on = [("device", id)];
    for (key, value) in each(want) {
        let path = format!("{path}.{key}");
        let gap = |s: Statistic| got.nanos("gpu_gap", s, &on);
        match key.as_str() {
            "count" => {
                let n = got.signal("gpu_gap_time", Total, &on).and_then(|s| s.1);
                c.number(&path, float(value), n.map(|n| n as f64));
            }
            "total_ns" => c.number(&path, float(value), got.nanos("gpu_gap_time", Total, &on)),
            "avg_ns" => {
                let mean = got.value("gpu_gap", Mean, &on).map(|s| s * 1e9);
                rounded(c, &path, value, 1, mean);
            }
            "p50_ns" => c.number(&path, float(value), gap(Statistic::P50)),
            "p95_ns" => c.number(&path, float(value), gap(Statistic::P95)),
            "p99_ns" => c.number(&path, float(value), gap(Statistic::P99)),
            "min_ns" => c.number(&path, float(value), gap(Min)),
            "max_ns" => c.number(&path, float(value), gap(Max)),
            "pct_of_span" => {
                let share = got.value("gpu_gap_ratio", Ratio, &on).map(|r| r * 100.0);
                rounded(c, &path, value, 3, share);
            }
            "histogram" => histogram(c, &path, id, value, got),
            "over_500ms" => {}
            "attribution_ns" => {
                for (cause, n) in each(value) {
                    let labels = [("device", id), ("cause", cause.as_str())];
                    let found = got.nanos("gpu_gap_attributed", Total, &labels);
                    c.number(&format!("{path}.{cause}"), float(n), found);
                }
            }
            "top5" => {
                let rows = got.rows("nsight-longest-gaps", &[("gpu_device", id)]);
                c.equal(&path, value.as_array().map(Vec::len), Some(rows.len()));
                for (gap, row) in value.as_array().into_iter().flatten().zip(rows) {
                    let start = row.number("gap_start").map(nanos);
                    let start = start.zip(first).map(|(a, b)| a + b);
                    c.number(&path, float(&gap["start_ns"]), start);
                    c.number(
                        &path,
                        float(&gap["dur_ns"]),
                        row.number("gap_time").map(nanos),
                    );
                }
            }
            other => c.left(other),
        }
    }
}

fn histogram(c: &mut Comparison, path: &str, id: &str, want: &Value, got: &Got<'_>) {
    const ORDER: [&str; 7] = [
        "<10us",
        "10us-100us",
        "100us-1ms",
        "1ms-10ms",
        "10ms-100ms",
        "100ms-500ms",
        ">=500ms",
    ];
    let rows = got.rows("nsight-gaps", &[("gpu_device", id)]);
    for (class, value) in each(want) {
        let row = ORDER
            .iter()
            .position(|o| o == class)
            .and_then(|i| rows.get(i));
        let path = format!("{path}.{class}");
        let count = row.and_then(|r| r.number("gap_count"));
        let time = row.and_then(|r| r.number("gap_time")).map(nanos);
        c.number(&path, float(&value["count"]), count);
        c.number(&path, float(&value["total_ns"]), time);
    }
}
