//! Sweeps written here, one peculiarity each.

use super::*;
use crate::{Bound, Cell, NoteLevel, Signal, Statistic};

mod damage;

const HEADER: &str = "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,\
Server Queue,Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv,\
p50 latency,p90 latency,p95 latency,p99 latency";

/// A row that obeys Little's law: `load` requests in flight, `ms` milliseconds each.
fn row(load: f64, ms: f64) -> String {
    let us = (ms * 1e3) as u64;
    let queue = us - 700;
    let throughput = load / (us as f64 / 1e6);
    let (p90, p95, p99) = (us + 100, us + 200, us + 300);
    format!("{load},{throughput:.3},10,90,{queue},50,500,40,10,{us},{p90},{p95},{p99}")
}

/// Throughput 100, 190, 260, 290, 292: levels off at 8.
fn rows() -> Vec<String> {
    [
        (1.0, 10.0),
        (2.0, 10.5),
        (4.0, 15.4),
        (8.0, 27.6),
        (16.0, 54.8),
    ]
    .map(|(load, ms)| row(load, ms))
    .to_vec()
}

fn csv(header: &str, rows: &[String]) -> String {
    format!("{header}\n{}\n", rows.join("\n"))
}

fn parse(text: &str) -> Result<Reading, Refusal> {
    Table::from_csv("sweep.csv", &mut text.as_bytes()).map(|s| reading(&s))
}

fn read_ok(text: &str) -> Reading {
    parse(text).unwrap()
}

fn has_note(reading: &Reading, level: NoteLevel, code: &str) -> bool {
    reading
        .notes
        .iter()
        .any(|n| n.level == level && n.code == code)
}

fn at<'a>(
    reading: &'a Reading,
    name: &str,
    statistic: Statistic,
    load: &str,
) -> Option<&'a Signal> {
    reading.signals.iter().find(|s| {
        s.name == name
            && s.statistic == statistic
            && s.labels.len() == 1
            && s.labels.get("load").map(String::as_str) == Some(load)
    })
}

fn source(name: &str, bytes: &[u8]) -> (tempfile::TempDir, Source) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (dir, Source::at(path))
}

fn whole(name: &str, bytes: &[u8]) -> Result<Reading, Refusal> {
    let (_dir, source) = source(name, bytes);
    crate::read(&[source], &Options::default())
}

#[test]
fn e10_a_sweep_becomes_signals_per_load_in_base_units() {
    let reading = read_ok(&csv(HEADER, &rows()));
    let p95 = at(&reading, "e2e_latency", Statistic::P95, "8").unwrap();
    assert_eq!(
        (p95.value, p95.bound, p95.samples),
        (0.0278, Bound::Exact, None)
    );
    let mean = at(&reading, "e2e_latency", Statistic::Mean, "8").unwrap();
    assert!((mean.value - 0.0276).abs() < 1e-12 && mean.bound == Bound::Estimate);
    let rate = at(&reading, "inference_throughput", Statistic::Rate, "8").unwrap();
    assert_eq!(rate.value, 289.855);
    assert_eq!(
        at(&reading, "server_compute_time", Statistic::Mean, "8")
            .unwrap()
            .value,
        0.00059
    );
    // The best point measured, at the lowest load within 1 % of it, and the knee before it.
    assert_eq!(
        reading.value("operating_point_throughput", Statistic::Rate),
        Some(291.971)
    );
    assert_eq!(reading.value("saturation_load", Statistic::Last), Some(4.0));
    assert!(has_note(&reading, NoteLevel::Info, "perf-shape-saturated"));
    assert!(has_note(
        &reading,
        NoteLevel::Info,
        "perf-limit-not-reached"
    ));
    assert!(!reading.notes.iter().any(|n| n.level == NoteLevel::Invalid));
}

#[test]
fn a_copied_throughput_is_named_and_kept_out_of_the_operating_point() {
    let mut edited = rows();
    edited[2] = edited[2].replacen("259.740", "415.584", 1);
    let reading = read_ok(&csv(HEADER, &edited));
    let odd: Vec<_> = reading
        .notes
        .iter()
        .filter(|n| n.code == "perf-little")
        .collect();
    assert_eq!(odd.len(), 1);
    assert_eq!(odd[0].level, NoteLevel::Invalid);
    assert_eq!(odd[0].args["place"], "line 4");
    assert_eq!(odd[0].args["residual"], "+60.0");
    assert_eq!(
        reading.value("operating_point_throughput", Statistic::Rate),
        Some(291.971)
    );
}

#[test]
fn a_constant_ratio_is_a_batch_size_not_an_edit() {
    let four: Vec<String> = rows()
        .iter()
        .map(|r| {
            let mut cells: Vec<String> = r.split(',').map(str::to_owned).collect();
            cells[1] = (cells[1].parse::<f64>().unwrap() * 4.0).to_string();
            cells.join(",")
        })
        .collect();
    let reading = read_ok(&csv(HEADER, &four));
    let hint = reading
        .notes
        .iter()
        .find(|n| n.code == "perf-batch-hint")
        .unwrap();
    assert_eq!(hint.args["batch"], "4");
    assert!(!reading.notes.iter().any(|n| n.code == "perf-little"));
}

#[test]
fn truncated_microseconds_are_no_edit() {
    // Answers of 30 µs whose seven parts lost half a microsecond each.
    let row = "1,33333,2,5,3,2,10,2,2,30,31,32,33".to_owned();
    let reading = read_ok(&csv(HEADER, &[row]));
    assert!(!reading.notes.iter().any(|n| n.code == "perf-little"));
}

#[test]
fn quantiles_that_fall_and_negative_times_make_the_evidence_invalid() {
    let mut bad = rows();
    bad[1] = bad[1].replace(",10600,10700,", ",10700,10600,");
    bad[3] = bad[3].replacen(",10,90,", ",-10,90,", 1);
    let reading = read_ok(&csv(HEADER, &bad));
    let falls = reading
        .notes
        .iter()
        .find(|n| n.code == "perf-quantiles-fall")
        .unwrap();
    assert_eq!(
        (falls.level, falls.args["place"].as_str()),
        (NoteLevel::Invalid, "line 3")
    );
    assert_eq!(
        (falls.args["lower"].as_str(), falls.args["upper"].as_str()),
        ("p90", "p95")
    );
    let negative = reading
        .notes
        .iter()
        .find(|n| n.code == "perf-impossible-value")
        .unwrap();
    assert_eq!(negative.args["field"], "Client Send");
    assert_eq!(negative.args["lines"], "5");
    assert!(at(&reading, "client_send_time", Statistic::Mean, "8").is_none());
}

#[test]
fn a_missed_rate_leaves_lower_bounds_and_no_operating_point() {
    let header = HEADER.replace("Concurrency", "Request Rate");
    let of = |rate: f64, got: f64| {
        let own = row(1.0, 10.0);
        format!("{rate},{got},{}", own.splitn(3, ',').nth(2).unwrap())
    };
    let reading = read_ok(&csv(
        &header,
        &[of(100.5, 100.0), of(200.0, 199.0), of(400.0, 240.0)],
    ));
    let p95 = at(&reading, "e2e_latency", Statistic::P95, "400").unwrap();
    assert_eq!(p95.bound, Bound::AtLeast);
    assert_eq!(
        at(&reading, "e2e_latency", Statistic::P95, "100.5")
            .unwrap()
            .bound,
        Bound::Exact
    );
    assert_eq!(
        reading.value("operating_point_throughput", Statistic::Rate),
        Some(199.0)
    );
    assert_eq!(reading.value("saturation_load", Statistic::Last), None);
    let note = reading
        .notes
        .iter()
        .find(|n| n.code == "perf-saturated-rate")
        .unwrap();
    assert_eq!(
        (note.args["load"].as_str(), note.args["achieved"].as_str()),
        ("400", "60.0")
    );
}

#[test]
fn the_same_load_twice_stays_twice() {
    let mut twice = rows();
    twice.push(row(4.0, 16.0));
    let reading = read_ok(&csv(HEADER, &twice));
    let note = reading
        .notes
        .iter()
        .find(|n| n.code == "perf-load-repeated")
        .unwrap();
    assert_eq!(note.args["load"], "4");
    assert_eq!(note.args["spread"], "3.9");
    let p50s = reading
        .signals
        .iter()
        .filter(|s| s.statistic == Statistic::P50 && s.labels["load"] == "4");
    assert_eq!(p50s.count(), 2);
}

#[test]
fn gpu_cells_split_at_the_last_colon_and_may_lack_a_gpu() {
    let header = format!("{HEADER},Avg GPU Utilization,Max GPU Memory Usage");
    let one = format!("{},MIG:a:0.5;b:0.25;,MIG:a:1e+09;,", row(1.0, 10.0));
    let reading = read_ok(&csv(&header, &[one]));
    let of = |name: &str, gpu: &str| {
        let mut found = reading.signals.iter().filter(|s| s.name == name);
        found.find(|s| s.labels["gpu"] == gpu).map(|s| s.value)
    };
    assert_eq!(of("gpu_device_utilization", "MIG:a"), Some(0.5));
    assert_eq!(of("gpu_device_utilization", "b"), Some(0.25));
    assert_eq!(of("gpu_memory_used", "MIG:a"), Some(1e9));
    assert_eq!(of("gpu_memory_used", "b"), None);
    let figure = reading
        .figures
        .iter()
        .find(|f| f.id == "perf-gpus")
        .unwrap();
    assert_eq!(figure.rows[1][3], Cell::NONE);
    assert!(has_note(&reading, NoteLevel::Info, "perf-surplus-comma"));
}

#[test]
fn a_percentage_where_a_share_belongs_is_kept_out() {
    let header = format!("{HEADER},Avg GPU Utilization");
    let reading = read_ok(&csv(&header, &[format!("{},b:57.7;", row(1.0, 10.0))]));
    assert!(
        !reading
            .signals
            .iter()
            .any(|s| s.name == "gpu_device_utilization")
    );
    assert!(has_note(
        &reading,
        NoteLevel::Invalid,
        "perf-impossible-value"
    ));
}

#[test]
fn cache_columns_and_missing_server_columns_leave_no_average() {
    let header = HEADER.replace(
        "Client Recv",
        "Server Cache Hit,Server Cache Miss,Client Recv",
    );
    let cached = row(1.0, 10.0).replacen(",40,10,", ",40,5,6,10,", 1);
    let reading = read_ok(&csv(&header, &[cached]));
    assert!(at(&reading, "e2e_latency", Statistic::Mean, "1").is_none());
    assert!(has_note(
        &reading,
        NoteLevel::NotCaptured,
        "perf-no-average-cache"
    ));

    let bare =
        "Concurrency,Inferences/Second,Client Send,Client Recv,p50 latency\n1,100,5,5,9990\n";
    let reading = read_ok(bare);
    assert!(at(&reading, "e2e_latency", Statistic::Mean, "1").is_none());
    assert!(has_note(
        &reading,
        NoteLevel::NotCaptured,
        "perf-no-average-server"
    ));
    assert!(has_note(
        &reading,
        NoteLevel::NotCaptured,
        "perf-no-server-columns"
    ));
}

#[test]
fn the_file_of_an_ensemble_stage_has_no_client_and_no_latency() {
    let header = HEADER.split(",p50").next().unwrap();
    let reading = read_ok(&format!("{header}\n2,100,0,300,20,5,900,4,0\n"));
    assert!(has_note(
        &reading,
        NoteLevel::Warning,
        "perf-ensemble-stage"
    ));
    let names: Vec<_> = reading.signals.iter().map(|s| s.name.as_str()).collect();
    assert!(names.contains(&"queue_time") && names.contains(&"server_compute_time"));
    for absent in [
        "e2e_latency",
        "network_time",
        "client_send_time",
        "operating_point_throughput",
    ] {
        assert!(!names.contains(&absent), "{absent}");
    }
    let columns = &reading.figures[1].columns;
    assert!(columns.iter().any(|c| c.id == "scheduling_overhead"));
}

#[test]
fn an_extra_percentile_is_a_signal_of_its_own() {
    let header = HEADER.replace("p90 latency", "p75 latency,p90 latency");
    let line = row(1.0, 10.0).replace(",10000,", ",10000,10050,");
    let reading = read_ok(&csv(&header, &[line]));
    let p75 = at(&reading, "e2e_latency", Statistic::Quantile(750), "1").unwrap();
    assert_eq!(p75.value, 0.01005);
    let note = reading
        .notes
        .iter()
        .find(|n| n.code == "perf-percentile")
        .unwrap();
    assert_eq!(note.args["percentile"], "p75");
}

#[test]
fn missing_cells_are_absent_and_said() {
    let mut gaps = rows();
    gaps[0] = gaps[0].replacen(",10,90,", ",10,-nan,", 1);
    let reading = read_ok(&csv(HEADER, &gaps));
    assert!(at(&reading, "network_time", Statistic::Mean, "1").is_none());
    assert!(at(&reading, "e2e_latency", Statistic::Mean, "1").is_none());
    assert!(has_note(
        &reading,
        NoteLevel::NotCaptured,
        "perf-cell-missing"
    ));
}
