//! The sweep reader against its corpus: every CSV through the public entry, every number of its
//! rows and its analysis; the analysis alone also on the points of console logs.

mod curves;
mod others;

use self::curves::{analysed, comparisons, rounded};
use super::frame::{Comparison, files, folder, json, name_of};
use pel_evidence::{
    Cell, Figure, Options, Reading, Source, Statistic,
    perf_analyzer::Table,
    read,
    sweep::{Mode, Sweep, analysis::Point},
};
use serde_json::{Value, json};
use std::{fs::File, path::Path};

/// Expected keys that are prose or beyond what these files can say.
const SKIP: &[(&str, &str)] = &[
    ("how", "prose: how the expected numbers were made"),
    ("changed", "the settings reader finds which knobs differ"),
    (
        "config_verdict",
        "the settings reader finds which knobs differ",
    ),
    (
        "columns",
        "headings as they stand in the file; what they mean is compared",
    ),
    (
        "std_us",
        "a spread of the tool's own that no judgement uses",
    ),
    ("protocol", "named in the settings, not measured"),
    ("passes", "only their agreement is looked at"),
    ("percentile", "named in the settings, not measured"),
    ("summary_rows", "the rows themselves are compared"),
    ("from", "whether a block or the summary said it"),
    ("flag_unstable", "unstable loads are compared in one list"),
    (
        "server_inference_count",
        "the server's counts cover other windows; their ratio is compared",
    ),
    (
        "server_execution_count",
        "the server's counts cover other windows; their ratio is compared",
    ),
    ("responses", "only their rate is carried"),
    ("windows", "only their length is used"),
    ("multi_model", "seen by the loads of the rows"),
    (
        "kneed_library",
        "a second opinion by another library, which takes the ends of a sweep for knees",
    ),
];

/// Keys of an expected row with the figure and column they stand in, and the factor from the
/// expected unit to ours.
const COLUMNS: &[(&str, &str, &str, f64)] = &[
    ("throughput", "perf-sweep", "inference_throughput", 1.0),
    (
        "response_throughput",
        "perf-sweep",
        "response_throughput",
        1.0,
    ),
    ("p50_us", "perf-sweep", "latency_p50", 1e6),
    ("p75_us", "perf-sweep", "latency_extra", 1e6),
    ("p90_us", "perf-sweep", "latency_p90", 1e6),
    ("p95_us", "perf-sweep", "latency_p95", 1e6),
    ("p99_us", "perf-sweep", "latency_p99", 1e6),
    ("avg_us", "perf-sweep", "latency_mean", 1e6),
    ("client_send_us", "perf-components", "client_send_time", 1e6),
    ("network_us", "perf-components", "network_time", 1e6),
    ("queue_us", "perf-components", "queue_time", 1e6),
    (
        "compute_input_us",
        "perf-components",
        "server_compute_input_time",
        1e6,
    ),
    (
        "compute_infer_us",
        "perf-components",
        "server_compute_infer_time",
        1e6,
    ),
    (
        "compute_output_us",
        "perf-components",
        "server_compute_output_time",
        1e6,
    ),
    ("compute_us", "perf-components", "server_compute_time", 1e6),
    (
        "cache_hit_us",
        "perf-components",
        "server_cache_hit_time",
        1e6,
    ),
    (
        "cache_miss_us",
        "perf-components",
        "server_cache_miss_time",
        1e6,
    ),
    (
        "client_recv_us",
        "perf-components",
        "client_receive_time",
        1e6,
    ),
    (
        "request_response_us",
        "perf-components",
        "request_response_time",
        1e6,
    ),
    (
        "response_wait_us",
        "perf-components",
        "response_wait_time",
        1e6,
    ),
    ("component_sum_us", "perf-components", "component_sum", 1e6),
];

/// Keys of an expected row with the signal and statistic that carry them.
const SIGNALS: &[(&str, &str, Statistic, f64)] = &[
    ("throughput", "inference_throughput", Statistic::Rate, 1.0),
    (
        "response_throughput",
        "response_throughput",
        Statistic::Rate,
        1.0,
    ),
    ("p50_us", "e2e_latency", Statistic::P50, 1e6),
    ("p75_us", "e2e_latency", Statistic::Quantile(750), 1e6),
    ("p90_us", "e2e_latency", Statistic::P90, 1e6),
    ("p95_us", "e2e_latency", Statistic::P95, 1e6),
    ("p99_us", "e2e_latency", Statistic::P99, 1e6),
    ("avg_us", "e2e_latency", Statistic::Mean, 1e6),
    ("client_send_us", "client_send_time", Statistic::Mean, 1e6),
    ("network_us", "network_time", Statistic::Mean, 1e6),
    ("queue_us", "queue_time", Statistic::Mean, 1e6),
    (
        "compute_input_us",
        "server_compute_input_time",
        Statistic::Mean,
        1e6,
    ),
    (
        "compute_infer_us",
        "server_compute_infer_time",
        Statistic::Mean,
        1e6,
    ),
    (
        "compute_output_us",
        "server_compute_output_time",
        Statistic::Mean,
        1e6,
    ),
    ("compute_us", "server_compute_time", Statistic::Mean, 1e6),
    (
        "cache_hit_us",
        "server_cache_hit_time",
        Statistic::Mean,
        1e6,
    ),
    (
        "cache_miss_us",
        "server_cache_miss_time",
        Statistic::Mean,
        1e6,
    ),
    (
        "client_recv_us",
        "client_receive_time",
        Statistic::Mean,
        1e6,
    ),
];

const GPU_KEYS: &[(&str, &str, Statistic)] = &[
    ("gpu_utilization", "gpu_device_utilization", Statistic::Mean),
    ("gpu_power_w", "gpu_power", Statistic::Mean),
    ("gpu_memory_used_bytes", "gpu_memory_used", Statistic::Max),
    (
        "gpu_memory_total_bytes",
        "gpu_memory_total",
        Statistic::Last,
    ),
];

fn cell(figure: &Figure, row: usize, column: &str) -> Option<f64> {
    let at = figure.columns.iter().position(|c| c.id == column)?;
    match figure.rows.get(row)?.get(at)? {
        Cell::Number(value) => Some(*value),
        _ => None,
    }
}

fn figure<'a>(reading: &'a Reading, id: &str) -> Option<&'a Figure> {
    reading.figures.iter().find(|f| f.id == id)
}

fn signal(
    reading: &Reading,
    name: &str,
    statistic: Statistic,
    labels: &[(&str, &str)],
) -> Option<f64> {
    let mut found = reading.signals.iter().filter(|s| {
        s.name == name
            && s.statistic == statistic
            && s.labels.len() == labels.len()
            && labels
                .iter()
                .all(|(k, v)| s.labels.get(*k).map(String::as_str) == Some(*v))
    });
    let first = found.next()?;
    assert!(
        found.next().is_none(),
        "{name} {statistic} {labels:?} is there twice"
    );
    Some(first.value)
}

fn compare_row(c: &mut Comparison, path: &str, index: usize, row: &Value, reading: &Reading) {
    let load = row["load"].as_f64().expect("a row has a load").to_string();
    let rebuilt = reading
        .notes
        .iter()
        .any(|n| n.code == "perf-average-rebuilt");
    for (key, expected) in row.as_object().expect("a row is an object") {
        let below = format!("{path}.{key}");
        let mut known = false;
        if let Some((_, id, column, factor)) = COLUMNS.iter().find(|(k, ..)| k == key) {
            let got = figure(reading, id).and_then(|f| cell(f, index, column));
            c.optional(&below, expected, got.map(|v| v * factor));
            known = true;
        }
        if let Some((_, name, statistic, factor)) = SIGNALS.iter().find(|(k, ..)| k == key) {
            let got = signal(reading, name, *statistic, &[("load", &load)]);
            c.optional(&below, expected, got.map(|v| v * factor));
            known = true;
        }
        if let Some((_, name, statistic)) = GPU_KEYS.iter().find(|(k, ..)| k == key) {
            for (gpu, value) in expected.as_object().expect("one value per GPU") {
                let got = signal(reading, name, *statistic, &[("gpu", gpu), ("load", &load)]);
                c.optional(&format!("{below}.{gpu}"), value, got);
            }
            known = true;
        }
        match key.as_str() {
            "load" => {
                let got = figure(reading, "perf-sweep").and_then(|f| {
                    cell(f, index, "concurrency").or_else(|| cell(f, index, "request_rate"))
                });
                c.optional(&below, expected, got);
            }
            "avg_from" => c.equal(&below, expected == "component_sum", rebuilt),
            _ if known => {}
            _ => c.left(key),
        }
    }
    // What the expected row does not have must not appear either.
    for (key, name, statistic, _) in SIGNALS {
        let summed = *key == "compute_us" && row.get("compute_infer_us").is_some();
        if row.get(*key).is_none() && !summed {
            c.absent(
                &format!("{path}.{key}"),
                signal(reading, name, *statistic, &[("load", &load)]),
            );
        }
    }
}

fn sweep_of(path: &Path) -> Sweep {
    let mut file = File::open(path).expect("the file opens");
    Table::from_csv(&name_of(path), &mut file)
        .expect("a sweep")
        .sweep
}

fn compare_sweep(c: &mut Comparison, path: &Path, expected: &Value, reading: &Reading) {
    let name = name_of(path);
    let sweep = sweep_of(path);
    for (key, value) in expected.as_object().expect("an object") {
        let below = format!("{name}.{key}");
        match key.as_str() {
            "kind" => c.equal(&below, value, &json!(reading.kind)),
            "rows" => {
                let rows = value.as_array().expect("rows");
                let read = figure(reading, "perf-sweep").map_or(0, |f| f.rows.len());
                c.equal(&below, rows.len(), read);
                for (i, row) in rows.iter().enumerate() {
                    compare_row(c, &format!("{below}[{i}]"), i, row, reading);
                }
            }
            "analysis" => {
                let points: Vec<Point> = sweep
                    .points
                    .iter()
                    .filter_map(|p| sweep.analysed(p))
                    .collect();
                let mode = value["mode"].as_str().expect("a mode");
                let stated = match sweep.mode {
                    Mode::Concurrency => "concurrency",
                    Mode::RequestRate => "request_rate",
                };
                c.equal(&below, mode, stated);
                let mut got = analysed(&points, stated, None);
                let tails = points.iter().all(|p| p.tail.is_some());
                got["latency_for_budget"] = json!(if tails { "p95_us" } else { "none" });
                c.tree(&below, value, &got, SKIP);
            }
            "component_sum_vs_avg_max_rel" => {
                let gap = sweep
                    .points
                    .iter()
                    .filter_map(|p| sweep.average_gap(p))
                    .fold(0.0, f64::max);
                // The expected figure is rounded.
                c.number(
                    &below,
                    value.as_f64().unwrap_or(f64::NAN),
                    Some(rounded(gap, 4)),
                );
            }
            _ => c.left(key),
        }
    }
}

/// Files of other kinds, by the refusal they must get here.
fn refusal_for(name: &str) -> &'static str {
    if name == "compare_cases.json" || name == "syn_rate_16threads_truth.json" {
        // Numbers of nobody's tool: a person is asked what they are.
        "needs-mapping"
    } else {
        "no-measured-load-level"
    }
}

pub fn sweeps() {
    let Some(folder) = folder("perf_analyzer") else {
        return;
    };
    let mut c = Comparison::of("perf_analyzer");
    for path in files(&folder) {
        let name = name_of(&path);
        // Tables of GenAI-Perf, records of AIPerf and metrics of a Triton server lie here; they are
        // compared with others of their kind.
        if name.starts_with("genai_")
            || name.starts_with("aiperf_profile_export")
            || name.ends_with(".prom")
        {
            continue;
        }
        match read(&[Source::at(&path)], &Options::default()) {
            Ok(reading) => {
                c.read_file();
                let expected = json(&folder.join("expected").join(format!("{name}.json")));
                match expected["kind"].as_str() {
                    Some("perf_analyzer_csv") => {
                        compare_sweep(&mut c, &path, &expected, &reading);
                    }
                    _ => others::compare(&mut c, &name, &expected, &reading),
                }
            }
            Err(refusal) => {
                c.refused_file();
                c.equal(&name, refusal_for(&name), refusal.code.as_str());
            }
        }
    }
    comparisons(&mut c, &folder);
    c.finish(SKIP);
}
