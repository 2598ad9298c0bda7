//! Expected numbers of kernels, launches, copies, waits, calls, ranges and metrics.

use super::{
    super::frame::Comparison,
    got::{Got, each, float, half_nanos, nanos, or_nothing, rounded},
};
use pel_evidence::{Statistic, nsight::kernel_label};
use serde_json::Value;

pub fn kernels(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    use Statistic::{Count, Total};
    for (key, value) in each(want) {
        let path = format!("{path}.{key}");
        match key.as_str() {
            "launches" => or_nothing(c, &path, value, got.value("kernel_launches", Count, &[])),
            "distinct_names" => {
                or_nothing(c, &path, value, got.value("distinct_kernels", Count, &[]));
            }
            "total_ns" => or_nothing(c, &path, value, got.nanos("kernel_time", Total, &[])),
            "top" => {
                for (i, kernel) in value.as_array().into_iter().flatten().enumerate() {
                    one_kernel(c, &format!("{path}[{i}]"), kernel, got);
                }
            }
            other => c.left(other),
        }
    }
}

fn one_kernel(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    use Statistic::{Max, Mean, Min, Ratio, Total};
    let label = kernel_label(want["name"].as_str().unwrap_or_default());
    let on = [("kernel", label.as_str())];
    let time = |name: &str, s: Statistic| got.value(name, s, &on);
    let in_figure = |column: &str| got.cell("nsight-kernels", &[("kernel_name", &label)], column);
    for (key, value) in each(want) {
        let path = format!("{path}.{key}");
        match key.as_str() {
            "name" => {}
            "count" => {
                let n = got.signal("kernel_time", Total, &on).and_then(|s| s.1);
                c.number(&path, float(value), n.map(|n| n as f64));
                c.number(&path, float(value), in_figure("kernel_count"));
            }
            "total_ns" => {
                c.number(&path, float(value), time("kernel_time", Total).map(nanos));
                c.number(&path, float(value), in_figure("kernel_time").map(nanos));
            }
            "pct" => {
                let share = time("kernel_time_share", Ratio).map(|r| r * 100.0);
                rounded(c, &path, value, 2, share);
            }
            "avg_ns" => {
                let mean = time("kernel_duration", Mean).map(|s| s * 1e9);
                rounded(c, &path, value, 1, mean);
            }
            "med_ns" => {
                let p50 = time("kernel_duration", Statistic::P50).map(half_nanos);
                c.number(&path, float(value), p50);
                c.number(
                    &path,
                    float(value),
                    in_figure("kernel_median").map(half_nanos),
                );
            }
            "min_ns" => c.number(&path, float(value), time("kernel_duration", Min).map(nanos)),
            "max_ns" => c.number(&path, float(value), time("kernel_duration", Max).map(nanos)),
            other => c.left(other),
        }
    }
}

pub fn graphs(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    use Statistic::{Count, Total};
    let count = got.value("graph_launches", Count, &[]);
    let time = got.nanos("graph_launch_time", Total, &[]);
    let ids = got
        .0
        .notes
        .iter()
        .find(|n| n.code == "nsight-graphs-hide-kernels")
        .and_then(|n| n.args.get("graphs")?.parse().ok());
    c.number(path, float(&want["count"]), count);
    c.number(path, float(&want["total_ns"]), time);
    c.number(path, float(&want["graph_ids"]), ids);
}

pub fn launch(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    use Statistic::{Max, Mean, Min};
    for (key, name) in [
        ("api_duration", "launch_api_time"),
        ("queue_delay", "launch_queue_delay"),
    ] {
        let samples = got.signal(name, Mean, &[]).and_then(|s| s.1);
        let mean = got.value(name, Mean, &[]).map(|s| s * 1e9);
        for (statistic, value) in each(&want[key]) {
            let path = format!("{path}.{key}.{statistic}");
            let found = |s: Statistic| got.nanos(name, s, &[]);
            match statistic.as_str() {
                "count" => or_nothing(c, &path, value, samples.map(|n| n as f64)),
                "total_ns" => {
                    let total = mean.zip(samples).map(|(m, n)| (m * n as f64).round());
                    c.number(&path, float(value), total);
                }
                "avg_ns" => rounded(c, &path, value, 1, mean),
                "p50_ns" => c.number(&path, float(value), found(Statistic::P50)),
                "p95_ns" => c.number(&path, float(value), found(Statistic::P95)),
                "p99_ns" => c.number(&path, float(value), found(Statistic::P99)),
                "min_ns" => c.number(&path, float(value), found(Min)),
                "max_ns" => c.number(&path, float(value), found(Max)),
                other => c.left(other),
            }
        }
    }
    for (key, code) in [
        ("started_before_api_return", "nsight-early-kernels"),
        ("kernels_without_api_row", "nsight-kernels-without-call"),
    ] {
        let n = got
            .0
            .notes
            .iter()
            .find(|n| n.code == code)
            .and_then(|n| n.args.get("count")?.parse().ok());
        or_nothing(c, &format!("{path}.{key}"), &want[key], n);
    }
}

pub fn memcpy(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    use Statistic::{Count, Mean, Total};
    for (key, value) in each(want) {
        let path = format!("{path}.{key}");
        match key.as_str() {
            "total_bytes" => or_nothing(c, &path, value, got.value("memcpy_bytes", Total, &[])),
            "pageable_count" => {
                or_nothing(c, &path, value, got.value("pageable_copies", Count, &[]));
            }
            "pageable_bytes" => {
                or_nothing(c, &path, value, got.value("pageable_bytes", Total, &[]));
            }
            "by_kind" => {
                for (kind, moved) in each(value) {
                    let path = format!("{path}.{kind}");
                    let on = [("kind", kind.as_str())];
                    let bytes = got.signal("memcpy_bytes", Total, &on);
                    let n = bytes.and_then(|b| b.1).map(|n| n as f64);
                    let time = got.nanos("memcpy_time", Total, &on);
                    let speed = got.value("memcpy_bandwidth", Mean, &on).map(|b| b / 1e9);
                    c.number(&path, float(&moved["count"]), n);
                    c.number(&path, float(&moved["bytes"]), bytes.map(|b| b.0));
                    c.number(&path, float(&moved["total_ns"]), time);
                    rounded(c, &path, &moved["bandwidth_GBps"], 4, speed);
                }
            }
            other => c.left(other),
        }
    }
}

pub fn memset(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    use Statistic::Total;
    let bytes = got.signal("memset_bytes", Total, &[]);
    let n = bytes.and_then(|b| b.1).map(|n| n as f64);
    or_nothing(c, path, &want["count"], n);
    or_nothing(c, path, &want["bytes"], bytes.map(|b| b.0));
    or_nothing(
        c,
        path,
        &want["total_ns"],
        got.nanos("memset_time", Total, &[]),
    );
}

pub fn sync(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    use Statistic::{Count, Total};
    for (kind, tally) in each(&want["activity_by_type"]) {
        let on = [("type", kind.as_str())];
        let path = format!("{path}.{kind}");
        c.number(
            &path,
            float(&tally["count"]),
            got.value("sync_calls", Count, &on),
        );
        c.number(
            &path,
            float(&tally["total_ns"]),
            got.nanos("sync_time", Total, &on),
        );
    }
    let calls = got.value("sync_api_calls", Count, &[]);
    or_nothing(c, path, &want["api_calls"], calls);
    or_nothing(
        c,
        path,
        &want["api_total_ns"],
        got.nanos("sync_api_time", Total, &[]),
    );
}

pub fn api(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    use Statistic::{Count, Total};
    or_nothing(
        c,
        path,
        &want["calls"],
        got.value("cuda_api_calls", Count, &[]),
    );
    or_nothing(
        c,
        path,
        &want["total_ns"],
        got.nanos("cuda_api_time", Total, &[]),
    );
    let rows = got.rows("nsight-api", &[]);
    for (i, function) in want["top"].as_array().into_iter().flatten().enumerate() {
        let path = format!("{path}.top[{i}]");
        let Some(row) = rows.get(i) else {
            c.difference(&path, "no such row");
            continue;
        };
        c.equal(&path, function["name"].as_str(), row.text("api_function"));
        c.number(&path, float(&function["count"]), row.number("api_calls"));
        let time = row.number("api_time").map(nanos);
        c.number(&path, float(&function["total_ns"]), time);
    }
}

pub fn rules(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    for (key, value) in each(want) {
        let rule = match key.as_str() {
            "async_memcpy_pageable" => "cuda_memcpy_async",
            "sync_memcpy" => "cuda_memcpy_sync",
            "sync_memset" => "cuda_memset_sync",
            "sync_api" => "cuda_api_sync",
            other => {
                c.left(other);
                continue;
            }
        };
        let found = got.cell("nsight-rules", &[("rule_name", rule)], "rule_findings");
        or_nothing(c, &format!("{path}.{key}"), value, found);
    }
}

pub fn nvtx(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    for range in want.as_array().into_iter().flatten() {
        let name = range["range"].as_str().unwrap_or_default();
        if name.contains(", op_id = ") {
            c.left("nvtx_serial");
            continue;
        }
        let path = format!("{path} {name}");
        let on = [("range_name", name)];
        let count = got.cell("nsight-ranges", &on, "range_count");
        let time = got.cell("nsight-ranges", &on, "range_time").map(nanos);
        c.number(&path, float(&range["count"]), count);
        c.number(&path, float(&range["total_ns"]), time);
    }
}

pub fn metrics(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    for (key, value) in each(want) {
        let Some((gpu, name)) = key.strip_prefix("gpu").and_then(|k| k.split_once(' ')) else {
            c.difference(path, format!("{key} names no GPU"));
            continue;
        };
        if !name.contains('%') {
            c.left("metric_unit");
            continue;
        }
        let on = [("gpu_device", gpu), ("metric_name", name)];
        let mean = got.cell("nsight-gpu-metrics", &on, "metric_mean");
        rounded(
            c,
            &format!("{path}.{key}"),
            value,
            3,
            mean.map(|m| m * 100.0),
        );
    }
    let active = got
        .value("sm_active", Statistic::Mean, &[])
        .map(|r| r * 100.0);
    let expected = &want["gpu0 SMs Active [Throughput %]"];
    rounded(c, &format!("{path} sm_active"), expected, 3, active);
}
