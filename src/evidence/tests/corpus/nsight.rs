//! Nsight Systems exports: every number of the expected files against the reading.
//!
//! Times are expected in whole nanoseconds and compared exactly (a reading's seconds are turned
//! back and rounded to the nanosecond). Numbers the expected files round to `d` decimals (averages
//! 1, shares of kernels 2, other percentages and metric means 3, bandwidths 4) must lie within
//! half a unit of the last decimal.

mod devices;
mod got;
mod work;

use super::frame::{Comparison, files, folder, json, name_of};
use devices::devices;
use got::{Got, each, float, or_nothing};
use pel_evidence::{Options, Refusal, Source, Statistic, read};
use serde_json::Value;
use work::{api, graphs, kernels, launch, memcpy, memset, metrics, nvtx, rules, sync};

const SECRET: &str = "FAKE-TOKEN-MUST-NEVER-BE-SHOWN";

const NOT_COMPARED: &[(&str, &str)] = &[
    ("file", "the name of the file"),
    ("computed_by", "prose"),
    (
        "meta_table",
        "where the version stood; the version itself is compared",
    ),
    (
        "tables_present",
        "the reading names what is missing, not what is there",
    ),
    ("memory_bytes", "no signal needs the size of a GPU's memory"),
    ("sm_count", "no signal needs the number of SMs"),
    ("id", "the machine's number of a GPU is not kept"),
    ("osrt", "calls of the system library are not read"),
    ("gpu_metrics", "samples are counted per metric, not summed"),
    ("diagnostics.1", "messages for information are not kept"),
    (
        "nvtx_serial",
        "the serial number of a range is cut before grouping, so one range is many",
    ),
    (
        "metric_unit",
        "a clock frequency has no base unit in the catalogue",
    ),
    (
        "graph_node_kernels",
        "0 in every sample; kernels inside graphs are left out of launches",
    ),
    (
        "mem_bandwidth_Bps",
        "used for the share of peak of copies inside a device only",
    ),
];

/// Reads every export and compares it with its expected file; refuses what must be refused.
pub fn compare() {
    let Some(root) = folder("nsight") else {
        return;
    };
    let mut c = Comparison::of("nsight");
    for path in files(&root) {
        let name = name_of(&path);
        if !name.ends_with(".sqlite") {
            continue;
        }
        let expected = json(&root.join("expected").join(format!("{name}.json")));
        match read(&[Source::at(&path)], &Options::default()) {
            Ok(reading) => {
                c.read_file();
                hides_secrets(&serde_json::to_string(&reading).expect("a reading serialises"));
                one(&mut c, &name, &expected, &Got(&reading));
            }
            Err(refusal) => c.difference(&name, format!("refused: {refusal:?}")),
        }
    }
    for folder in ["edge", "stats", "ncu", ""] {
        for path in files(&root.join(folder)) {
            let name = name_of(&path);
            if folder.is_empty() && name.ends_with(".sqlite") {
                continue;
            }
            match read(&[Source::at(&path)], &Options::default()) {
                Ok(_) => c.difference(&name, "read, though it is no export"),
                Err(refusal) => {
                    c.refused_file();
                    hides_secrets(&serde_json::to_string(&refusal).expect("a refusal serialises"));
                    refused(&mut c, folder, &name, &refusal);
                }
            }
        }
    }
    c.finish(NOT_COMPARED);
}

fn hides_secrets(text: &str) {
    assert!(!text.contains(SECRET), "a planted secret is shown");
    assert!(!text.contains("bench-host"), "a host name is shown");
}

fn refused(c: &mut Comparison, folder: &str, name: &str, refusal: &Refusal) {
    let code = match (folder, name) {
        ("edge", "binary_header.ncu-rep") => "ncu-binary-report",
        ("edge", "binary_header.nsys-rep") => "nsight-binary-report",
        ("edge", "not_nsys.sqlite") => "sqlite-not-nsight",
        ("edge", "truncated.sqlite") => "sqlite-truncated",
        ("stats", _) => "nsys-stats-not-read",
        ("ncu", n) if n.ends_with(".csv") => "ncu-csv-not-read",
        ("ncu", _) => "ncu-text-not-read",
        _ => "nsys-json-not-read",
    };
    c.equal(name, code, refusal.code.as_str());
    if name == "binary_header.nsys-rep" {
        let version = refusal.args.get("version").map(String::as_str);
        c.equal(name, Some("2025.6.1.190"), version);
    }
}

fn one(c: &mut Comparison, file: &str, expected: &Value, got: &Got<'_>) {
    for (key, want) in expected.as_object().expect("an object") {
        let path = format!("{file} {key}");
        match key.as_str() {
            "nsys_version" => c.equal(&path, want.as_str(), got.0.tool.version.as_deref()),
            "schema_version" => c.equal(&path, want.as_str(), got.0.tool.format.as_deref()),
            "gpus" => gpus(c, &path, want, got),
            "trace_duration_ns" => c.optional(
                &path,
                want,
                got.nanos("trace_duration", Statistic::Total, &[]),
            ),
            "diagnostics_by_severity" => diagnostics(c, &path, want, got),
            "row_counts" => row_counts(c, &path, want, got),
            "invalid_gpu_rows" => invalid(c, &path, want, got),
            "api_errors" => or_nothing(
                c,
                &path,
                want,
                got.value("cuda_api_errors", Statistic::Count, &[]),
            ),
            "devices" => devices(c, &path, want, got),
            "kernels" => kernels(c, &path, want, got),
            "graph_launches" => graphs(c, &path, want, got),
            "launch" => launch(c, &path, want, got),
            "memcpy" => memcpy(c, &path, want, got),
            "memset" => memset(c, &path, want, got),
            "sync" => sync(c, &path, want, got),
            "api" => api(c, &path, want, got),
            "rules" => rules(c, &path, want, got),
            "nvtx_top" => nvtx(c, &path, want, got),
            "gpu_metrics_mean" => metrics(c, &path, want, got),
            "profiler_overhead_ns" => or_nothing(
                c,
                &path,
                want,
                got.nanos("profiler_overhead_time", Statistic::Total, &[]),
            ),
            other => c.left(other),
        }
    }
}

fn gpus(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    let names: std::collections::BTreeSet<&str> = want
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|g| g["name"].as_str())
        .collect();
    let expected = (!names.is_empty()).then(|| names.into_iter().collect::<Vec<_>>().join(" + "));
    c.equal(path, expected, got.0.environment.get("gpu_model").cloned());
    for key in ["memory_bytes", "sm_count", "id", "mem_bandwidth_Bps"] {
        if want.get(0).is_some_and(|g| g.get(key).is_some()) {
            c.left(key);
        }
    }
}

fn diagnostics(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    for (severity, n) in each(want) {
        let code = match severity.as_str() {
            "2" => "nsight-profiler-warning",
            "3" => "nsight-profiler-error",
            _ => {
                c.left("diagnostics.1");
                continue;
            }
        };
        c.number(path, float(n), Some(got.count_notes(code) as f64));
    }
}

fn row_counts(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    for (table, n) in each(want) {
        let path = format!("{path}.{table}");
        let sum_rows = |figure: &str, column: &str| -> Option<f64> {
            let rows = got.rows(figure, &[]);
            (!rows.is_empty()).then(|| rows.iter().filter_map(|r| r.number(column)).sum())
        };
        let counted = match table.as_str() {
            "kernel" => got.value("kernel_launches", Statistic::Count, &[]),
            "memcpy" => sum_rows("nsight-copies", "copy_count"),
            "memset" => got
                .signal("memset_time", Statistic::Total, &[])
                .and_then(|s| s.1)
                .map(|n| n as f64),
            // The one row that is cut by the end of the capture is no launch.
            "graph_trace" => got
                .value("graph_launches", Statistic::Count, &[])
                .map(|n| n + invalid_rows(got)),
            "runtime_api" => got.value("cuda_api_calls", Statistic::Count, &[]),
            "sync" => sum_rows("nsight-syncs", "sync_count"),
            "nvtx" => {
                // Rows of domains are no ranges; ranges are compared where they are listed.
                let ranges = sum_rows("nsight-ranges", "range_count");
                let missing = got.0.notes.iter().any(|n| {
                    n.code == "nsight-table-missing"
                        && n.args.get("table").is_some_and(|t| t == "NVTX_EVENTS")
                });
                c.equal(&path, float(n) == 0.0, missing);
                if float(n) > 0.0 && ranges.is_none_or(|r| r > float(n)) {
                    c.difference(&path, format!("{ranges:?} ranges of {n} rows"));
                }
                continue;
            }
            other => {
                c.left(other);
                continue;
            }
        };
        or_nothing(c, &path, n, counted);
    }
}

fn invalid_rows(got: &Got<'_>) -> f64 {
    got.0
        .notes
        .iter()
        .find(|n| n.code == "nsight-invalid-operations")
        .and_then(|n| n.args.get("count")?.parse().ok())
        .unwrap_or(0.0)
}

fn invalid(c: &mut Comparison, path: &str, want: &Value, got: &Got<'_>) {
    c.number(path, float(want), Some(invalid_rows(got)));
}
