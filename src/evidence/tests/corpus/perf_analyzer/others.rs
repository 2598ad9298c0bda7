//! Console logs, profile exports and Model Analyzer against their expected files. The analysis of a
//! log is made from the points that were read, not from the expected rows.

use super::super::frame::Comparison;
use super::curves::{analysed, rounded};
use super::{COLUMNS, SKIP, cell, figure, signal};
use pel_evidence::{Cell, Figure, Reading, Statistic, sweep::analysis::Point};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Keys of a console row with the figure and column they stand in, and the factor to their unit.
const CONSOLE: &[(&str, &str, &str, f64)] = &[
    ("request_count", "perf-sweep", "requests_measured", 1.0),
    (
        "client_request_us",
        "perf-components",
        "client_library_time",
        1e6,
    ),
    (
        "server_latency_us",
        "perf-components",
        "server_request_time",
        1e6,
    ),
    (
        "server_overhead_us",
        "perf-components",
        "server_overhead_time",
        1e6,
    ),
    ("server_queue_us", "perf-components", "queue_time", 1e6),
    (
        "server_compute_us",
        "perf-components",
        "server_compute_time",
        1e6,
    ),
    (
        "server_compute_input_us",
        "perf-components",
        "server_compute_input_time",
        1e6,
    ),
    (
        "server_compute_infer_us",
        "perf-components",
        "server_compute_infer_time",
        1e6,
    ),
    (
        "server_compute_output_us",
        "perf-components",
        "server_compute_output_time",
        1e6,
    ),
    ("delayed_pct", "perf-sweep", "delayed_requests", 100.0),
];

pub fn compare(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    c.equal(
        &format!("{name}.kind"),
        expected["kind"].as_str(),
        json!(reading.kind).as_str(),
    );
    match reading.kind.id() {
        "perf_analyzer_console" => console(c, name, expected, reading),
        "perf_analyzer_profile_export" => export(c, name, expected, reading),
        "model_analyzer_csv" => tables(c, name, expected, reading),
        _ => checkpoint(c, name, expected, reading),
    }
    c.left("how");
}

/// The points of a log as its figure has them; averages stand in for a tail that not every row has,
/// as the expected files do and say. The product never does that.
pub fn points_of(reading: &Reading) -> Vec<Point> {
    let sweep = figure(reading, "perf-sweep").expect("a sweep");
    let at = |row, column| cell(sweep, row, column);
    let all = |column| (0..sweep.rows.len()).all(|row| at(row, column).is_some());
    let tail = if all("latency_p95") {
        "latency_p95"
    } else {
        "latency_mean"
    };
    (0..sweep.rows.len())
        .map(|row| Point {
            load: at(row, "concurrency")
                .or(at(row, "request_rate"))
                .expect("a load"),
            throughput: at(row, "inference_throughput").expect("a throughput"),
            tail: at(row, tail),
            mean: at(row, "latency_mean"),
        })
        .collect()
}

fn arg<'a>(reading: &'a Reading, code: &str, name: &str) -> Option<&'a str> {
    let note = reading.notes.iter().find(|n| n.code == code)?;
    note.args.get(name).map(String::as_str)
}

fn console(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    let rows = expected["rows"].as_array().expect("rows");
    let read = figure(reading, "perf-sweep").map_or(0, |f| f.rows.len());
    c.equal(&format!("{name}.rows"), rows.len(), read);
    for (i, row) in rows.iter().enumerate() {
        for (key, value) in row.as_object().expect("a row") {
            let below = format!("{name}.rows[{i}].{key}");
            let of = |(_, id, column, factor): &(&str, &str, &str, f64)| {
                figure(reading, id)
                    .and_then(|f| cell(f, i, column))
                    .map(|v| v * factor)
            };
            let known = CONSOLE.iter().chain(COLUMNS).find(|(k, ..)| k == key);
            match (key.as_str(), known) {
                (_, Some(known)) => c.optional(&below, value, of(known)),
                ("load", _) => {
                    let got = of(&("", "perf-sweep", "concurrency", 1.0)).or(of(&(
                        "",
                        "perf-sweep",
                        "request_rate",
                        1.0,
                    )));
                    c.optional(&below, value, got);
                }
                ("mean_batch", _) => {
                    let got = of(&("", "perf-sweep", "execution_batch_size", 1.0));
                    c.optional(&below, value, got.map(|b| rounded(b, 3)));
                }
                ("avg_from", _) => {
                    let said = reading
                        .notes
                        .iter()
                        .any(|n| n.code == "console-average-of-client");
                    c.equal(&below, true, said);
                }
                _ => c.left(key),
            }
        }
        for (key, id, column, _) in CONSOLE.iter().chain(COLUMNS) {
            let row_has = row.get(*key).is_some() || *key == "queue_us" || key.contains("compute");
            let derived = ["network_us", "request_response_us", "response_wait_us"].contains(key)
                || key.starts_with("client_");
            if !row_has && !derived && *key != "server_queue_us" {
                let got = figure(reading, id).and_then(|f| cell(f, i, column));
                c.absent(&format!("{name}.rows[{i}].{key}"), got);
            }
        }
    }
    let wanted = &expected["analysis"];
    let mut got = analysed(
        &points_of(reading),
        wanted["mode"].as_str().expect("a mode"),
        wanted["batch_size"].as_f64(),
    );
    let p95 = rows.iter().all(|row| row.get("p95_us").is_some());
    got["latency_for_budget"] = json!(if p95 { "p95_us" } else { "avg_us" });
    c.tree(&format!("{name}.analysis"), wanted, &got, SKIP);
    meta(c, name, &expected["meta"], reading);
}

fn meta(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    let loads = |code: &str, arg: &str| -> Vec<f64> {
        let notes = reading.notes.iter().filter(|n| n.code == code);
        notes
            .flat_map(|n| n.args[arg].split(", "))
            .filter_map(|l| l.parse().ok())
            .collect()
    };
    for (key, value) in expected.as_object().expect("an object") {
        let below = format!("{name}.meta.{key}");
        match key.as_str() {
            "batch_size" => {
                // Where no settings were printed the size shows in the requests per second.
                let stated = arg(reading, "console-settings", "batch");
                let batch = match stated {
                    Some(text) => text.parse::<f64>().ok(),
                    None => {
                        let of = |name: &str| reading.signals.iter().find(|s| s.name == name);
                        of("request_throughput").and_then(|r| {
                            Some((of("inference_throughput")?.value / r.value).round())
                        })
                    }
                };
                c.optional(&below, value, batch);
            }
            "unstable_at" => c.equal(&below, value, &json!(loads("sweep-unstable", "loads"))),
            "dropped_incomplete_blocks" => {
                let mut got = loads("console-block-incomplete", "load");
                got.extend(loads("sweep-unstable", "loads"));
                c.equal(&below, value, &json!(got));
            }
            "summary_disagrees" => {
                c.equal(
                    &below,
                    value,
                    &json!(loads("console-summary-differs", "loads")),
                );
            }
            "latency_limit_hit" => {
                let hit = reading.notes.iter().any(|n| n.code == "console-over-limit");
                c.equal(&below, value, &json!(hit));
            }
            "warnings" => {
                let late = loads("sweep-delayed-sends", "loads").len();
                let client = loads("sweep-client-limit", "loads").len();
                let mut got = vec!["client_overhead"; client];
                got.extend(vec!["delayed_sends"; late]);
                c.equal(&below, value, &json!(got));
            }
            _ => c.left(key),
        }
    }
}

fn export(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    for (i, one) in expected["experiments"]
        .as_array()
        .expect("experiments")
        .iter()
        .enumerate()
    {
        let load = one["value"].to_string();
        let at = |name: &str, statistic| signal(reading, name, statistic, &[("load", &load)]);
        let mode = match reading.notes.iter().any(|n| n.code == "perf-request-rate") {
            true => "request_rate",
            false => "concurrency",
        };
        for (key, value) in one.as_object().expect("an experiment") {
            let below = format!("{name}[{i}].{key}");
            let us = |v: Option<f64>| v.map(|v| v * 1e6);
            match key.as_str() {
                "mode" => c.equal(&below, value.as_str(), Some(mode)),
                "value" => c.equal(&below, true, at("e2e_latency", Statistic::P50).is_some()),
                "requests" => {
                    c.optional(&below, value, at("finished_requests", Statistic::Total));
                }
                "without_response" => {
                    c.optional(&below, value, at("unanswered_requests", Statistic::Total));
                }
                "avg_us" => c.optional(&below, value, us(at("e2e_latency", Statistic::Mean))),
                "p50_us" => c.optional(&below, value, us(at("e2e_latency", Statistic::P50))),
                "p95_us" => c.optional(&below, value, us(at("e2e_latency", Statistic::P95))),
                "p99_us" => c.optional(&below, value, us(at("e2e_latency", Statistic::P99))),
                "first_response_p95_us" => {
                    // One response is the first and the last.
                    let first = at("ttft", Statistic::P95).or(at("e2e_latency", Statistic::P95));
                    c.optional(&below, value, us(first));
                }
                _ => c.left(key),
            }
        }
    }
    c.equal(
        &format!("{name}.version"),
        expected["version"].as_str(),
        reading.tool.version.as_deref(),
    );
}

fn text(figure: &Figure, row: usize, column: &str) -> String {
    let at = figure
        .columns
        .iter()
        .position(|c| c.id == column)
        .expect("a column");
    match &figure.rows[row][at] {
        Cell::Text(text) => text.clone(),
        _ => String::new(),
    }
}

fn tables(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    let measured = figure(reading, "ma-measurements");
    let gpus = figure(reading, "ma-gpus");
    let table = measured.or(gpus).expect("a table");
    let rows = 0..table.rows.len();
    let number = |row, column| cell(table, row, column).unwrap_or(f64::NAN);
    let shown = |row| {
        json!([
            text(table, row, "loads_tested"),
            number(row, "inference_throughput"),
            rounded(number(row, "latency_tail") * 1e3, 6),
        ])
    };
    let best = |within: f64, config: Option<&str>| {
        rows.clone()
            .filter(|r| config.is_none_or(|c| text(table, *r, "ma_config") == c))
            .filter(|r| number(*r, "latency_tail") * 1e3 <= within + 1e-9)
            .reduce(|a, b| {
                let more = number(b, "inference_throughput") > number(a, "inference_throughput");
                if more { b } else { a }
            })
    };
    let configs: BTreeSet<String> = rows.clone().map(|r| text(table, r, "ma_config")).collect();
    for (key, value) in expected.as_object().expect("an object") {
        let below = format!("{name}.{key}");
        match key.as_str() {
            "kind" | "how" => {}
            "rows" => c.equal(&below, value, &json!(table.rows.len())),
            "configs" => c.equal(&below, value, &json!(configs.len())),
            "load_column" => {
                let rate = reading.notes.iter().any(|n| n.code == "perf-request-rate");
                let got = if rate { "Request Rate" } else { "Concurrency" };
                c.equal(&below, value.as_str(), Some(got));
            }
            "best_throughput" => {
                let row = best(f64::INFINITY, None).expect("a best row");
                let [load, rate, p99] = [0, 1, 2].map(|i| shown(row)[i].clone());
                let config = text(table, row, "ma_config");
                let got =
                    json!({"config": config, "load": load, "throughput": rate, "p99_ms": p99});
                c.tree(&below, value, &got, SKIP);
            }
            "best_by_config_within_p99_ms" => {
                for (budget, of) in value.as_object().expect("budgets") {
                    let within = budget.parse().expect("a budget");
                    let got: Map<String, Value> = configs
                        .iter()
                        .filter_map(|name| Some((name.clone(), shown(best(within, Some(name))?))))
                        .collect();
                    c.equal(&below, of.as_object().map(Map::len), Some(got.len()));
                    c.tree(&below, of, &Value::Object(got), SKIP);
                }
            }
            "repeated_points" => c.tree(&below, value, &repeated(table), SKIP),
            "gpu_utilization_pct" => {
                let all = rows
                    .clone()
                    .filter_map(|r| cell(table, r, "gpu_device_utilization"));
                let (low, high) =
                    all.fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
                let got = json!({"min": rounded(low * 100.0, 6), "max": rounded(high * 100.0, 6)});
                c.tree(&below, value, &got, SKIP);
            }
            "gpus" => {
                let all: BTreeSet<String> = rows.clone().map(|r| text(table, r, "gpu")).collect();
                c.equal(&below, value, &json!(all));
            }
            _ => c.left(key),
        }
    }
}

/// Points measured more than once: how often, and their spread in percent.
fn repeated(table: &Figure) -> Value {
    let mut out = Map::new();
    let key = |row| {
        ["ma_config", "request_batch", "loads_tested"]
            .map(|column| text(table, row, column))
            .join("/")
    };
    let keys: BTreeSet<String> = (0..table.rows.len()).map(key).collect();
    for one in keys {
        let rates: Vec<f64> = (0..table.rows.len())
            .filter(|r| key(*r) == one)
            .filter_map(|r| cell(table, r, "inference_throughput"))
            .collect();
        if rates.len() > 1 {
            let low = rates.iter().copied().fold(f64::INFINITY, f64::min);
            let high = rates.iter().copied().fold(0.0, f64::max);
            out.insert(
                one,
                json!([rates.len(), rounded((high / low - 1.0) * 100.0, 1)]),
            );
        }
    }
    Value::Object(out)
}

fn checkpoint(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    let table = figure(reading, "ma-measurements").expect("measurements");
    for (model, configs) in expected["models"].as_object().expect("models") {
        for (config, count) in configs.as_object().expect("configurations") {
            let rows = 0..table.rows.len();
            let got = rows
                .filter(|r| text(table, *r, "ma_config") == *config)
                .count();
            c.equal(&format!("{name}.{model}.{config}"), count, &json!(got));
        }
    }
}
