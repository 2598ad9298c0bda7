//! Logs written here, one peculiarity each.

use crate::{
    Bound, NoteLevel, Options, Reading, Refusal, Signal, Source, Statistic, samples,
    samples::Sweep as Service,
};

const SERVICE: Service = Service {
    service_us: 5000.0,
    parallel: 2.0,
};

fn log(loads: &[u32]) -> String {
    samples::perf_analyzer_console(SERVICE, loads)
}

fn read(bytes: &[u8]) -> Result<Reading, Refusal> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sweep.log");
    std::fs::write(&path, bytes).unwrap();
    super::read(&[Source::at(path)], &Options::default())
}

fn read_ok(text: &str) -> Reading {
    read(text.as_bytes()).unwrap()
}

fn at<'a>(r: &'a Reading, name: &str, statistic: Statistic, load: &str) -> Option<&'a Signal> {
    r.signals.iter().find(|s| {
        s.name == name
            && s.statistic == statistic
            && s.labels.len() == 1
            && s.labels.get("load").map(String::as_str) == Some(load)
    })
}

fn note<'a>(reading: &'a Reading, code: &str) -> Option<&'a crate::Note> {
    reading.notes.iter().find(|n| n.code == code)
}

#[test]
fn a_log_says_what_its_csv_says_and_more() {
    let reading = read_ok(&log(&[1, 2, 4, 8]));
    let csv = samples::perf_analyzer_csv(SERVICE, &[1, 2, 4, 8]);
    let csv = super::super::Table::from_csv("s", &mut csv.as_bytes()).unwrap();
    let csv = super::super::reading(&csv);
    for load in ["1", "2", "4", "8"] {
        let both = |name: &str, statistic| {
            let of = |r: &Reading| at(r, name, statistic, load).map(|s| s.value);
            (of(&reading).unwrap(), of(&csv).unwrap())
        };
        for statistic in [Statistic::P50, Statistic::P95, Statistic::P99] {
            let (log, csv) = both("e2e_latency", statistic);
            assert!((log - csv).abs() < 1.5e-6, "{load} {statistic}");
        }
        let (log, csv) = both("inference_throughput", Statistic::Rate);
        assert!((log / csv - 1.0).abs() < 1e-5);
    }
    let p95 = at(&reading, "e2e_latency", Statistic::P95, "2").unwrap();
    assert_eq!((p95.bound, p95.samples), (Bound::Exact, Some(5976)));
    let batch = at(&reading, "execution_batch_size", Statistic::Mean, "2").unwrap();
    assert_eq!(batch.value, 1.0);
    let network = at(&reading, "network_time", Statistic::Mean, "1").unwrap();
    assert_eq!(network.bound, Bound::Estimate);
    for code in [
        "console-no-summary",
        "console-summary-differs",
        "console-block-incomplete",
        "perf-little",
    ] {
        assert!(note(&reading, code).is_none(), "{code}");
    }
}

#[test]
fn wrapped_logs_say_the_same() {
    let plain = read_ok(&log(&[1, 2, 4]));
    let wrap = |with: &dyn Fn(&str) -> String| {
        let lines: Vec<String> = log(&[1, 2, 4]).lines().map(with).collect();
        read_ok(&lines.join("\n"))
    };
    let dressed = [
        wrap(&|l| format!("# {l}")),
        wrap(&|l| format!("    {l}\r")),
        wrap(&|l| format!("[1,0]<stdout>:{l}")),
        wrap(&|l| format!("\u{1b}[32m{l}\u{1b}[0m")),
        wrap(&|l| format!("2024-05-01T12:00:00.123456Z {l}")),
        wrap(&|l| format!("client-1  | {l}")),
        read_ok(&format!("\u{feff}$ ls\nREADME\n{}", log(&[1, 2, 4]))),
    ];
    for other in dressed {
        assert_eq!(plain.signals, other.signals);
    }
}

#[test]
fn a_killed_run_keeps_whole_blocks_and_names_the_cut_one() {
    let whole = log(&[1, 2, 4]);
    let cut = whole.find("Request concurrency: 4").unwrap();
    let inside = cut + whole[cut..].find("p99 latency").unwrap() + 16;
    let reading = read_ok(&whole[..inside]);
    assert!(at(&reading, "e2e_latency", Statistic::P95, "2").is_some());
    assert!(at(&reading, "e2e_latency", Statistic::P50, "4").is_none());
    let said = note(&reading, "console-block-incomplete").unwrap();
    assert_eq!(
        (said.args["load"].as_str(), said.level),
        ("4", NoteLevel::Warning)
    );
    assert!(note(&reading, "console-no-summary").is_some());
    // Cut in the first block there is nothing to keep.
    let first = whole.find("p50 latency").unwrap();
    let refusal = read(&whole.as_bytes()[..first]).unwrap_err();
    assert_eq!(refusal.code, "console-no-measured-load");
    assert_eq!(refusal.place.as_deref(), Some("line 11"));
}

#[test]
fn unstable_loads_have_no_row_and_are_said() {
    let text = log(&[1, 2]).replace("limit: 2 con", "limit: 8 con").replace(
        "Inferences/Second vs.",
        "Request concurrency: 4\nFailed to obtain stable measurement within 10 measurement windows for concurrency 4. Please try to increase the --measurement-interval.\nInferences/Second vs.",
    );
    let reading = read_ok(&text);
    assert_eq!(note(&reading, "sweep-unstable").unwrap().args["loads"], "4");
    assert!(note(&reading, "console-block-incomplete").is_none());
    let early = note(&reading, "console-stopped-early").unwrap();
    assert_eq!(
        (early.args["load"].as_str(), early.args["limit"].as_str()),
        ("4", "8")
    );
    let only = "*** Measurement Settings ***\nRequest concurrency: 1\nFailed to obtain stable measurement within 10 measurement windows for concurrency 1. Please\n";
    let refusal = read(only.as_bytes()).unwrap_err();
    assert_eq!(
        (refusal.code.as_str(), refusal.args["loads"].as_str()),
        ("console-never-stable", "1")
    );
}

#[test]
fn warnings_stay_with_their_load() {
    let text = log(&[1, 2, 4])
        .replace(
            "Request concurrency: 4",
            "[WARNING] Perf Analyzer is not able to keep up with the desired load. The results may not be accurate.\nRequest concurrency: 4",
        );
    let reading = read_ok(&text);
    assert_eq!(
        note(&reading, "sweep-client-limit").unwrap().args["loads"],
        "2"
    );
    let rate = log(&[200])
        .replace("Request concurrency: 200", "Request Rate: 200 inference requests per second")
        .replace("Concurrency: 200,", "Request Rate: 200,")
        .replace("    Throughput:", "    Avg send request rate: 190.10 infer/sec\n    [WARNING] Perf Analyzer was not able to keep up with the desired request rate. 12.50% of the requests were delayed. \n    Throughput:");
    let reading = read_ok(&rate);
    let late = at(&reading, "delayed_request_ratio", Statistic::Ratio, "200").unwrap();
    assert_eq!(late.value, 0.125);
    let p95 = at(&reading, "e2e_latency", Statistic::P95, "200").unwrap();
    assert_eq!(p95.bound, Bound::AtLeast);
    assert!(note(&reading, "perf-request-rate").is_some());
    assert!(note(&reading, "perf-no-sound-point").is_some());
}

#[test]
fn an_average_is_never_shown_as_a_percentile() {
    let averages = read_ok(
        "Inferences/Second vs. Client Average Batch Latency\nConcurrency: 1, 161.8 infer/sec, latency 6178 usec\n",
    );
    assert_eq!(
        at(&averages, "e2e_latency", Statistic::Mean, "1")
            .unwrap()
            .value,
        0.006178
    );
    assert!(at(&averages, "e2e_latency", Statistic::P95, "1").is_none());
    assert!(note(&averages, "console-no-tail").is_some());
    let tails = read_ok(
        "Inferences/Second vs. Client p99 Batch Latency\nConcurrency: 1, throughput: 161.8 infer/sec, latency 6178 usec\n",
    );
    assert_eq!(
        at(&tails, "e2e_latency", Statistic::P99, "1")
            .unwrap()
            .value,
        0.006178
    );
    assert!(at(&tails, "e2e_latency", Statistic::Mean, "1").is_none());
    // Without a header and without settings nobody knows which it is.
    let unknown = read_ok("Concurrency: 1, throughput: 161.8 infer/sec, latency 6178 usec\n");
    assert!(!unknown.signals.iter().any(|s| s.name == "e2e_latency"));
    assert!(note(&unknown, "console-latency-unknown").is_some());
}

#[test]
fn several_runs_in_one_log_stay_apart() {
    let text = format!(
        "$ perf_analyzer -m a -b 2\n{}\n$ perf_analyzer -m b\n{}",
        log(&[1, 2]),
        log(&[1, 2, 4])
    );
    let reading = read_ok(&text);
    let names: std::collections::BTreeSet<&str> = reading
        .signals
        .iter()
        .filter_map(|s| s.labels.get("sweep").map(String::as_str))
        .collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["1 a", "2 b"]);
    assert!(
        reading
            .signals
            .iter()
            .all(|s| s.labels.contains_key("sweep"))
    );
    assert_eq!(
        note(&reading, "console-several-runs").unwrap().args["count"],
        "2"
    );
    // Ranks of MPI print over one another and are runs of their own.
    let ranks: Vec<String> = log(&[1, 2])
        .lines()
        .flat_map(|l| [format!("[1,0]<stdout>:{l}"), format!("[1,1]<stdout>:{l}")])
        .collect();
    let reading = read_ok(&ranks.join("\n"));
    assert_eq!(
        note(&reading, "console-several-runs").unwrap().args["count"],
        "2"
    );
    assert!(note(&reading, "console-block-incomplete").is_none());
}

#[test]
fn an_edited_summary_is_contradicted_by_its_block() {
    let text = log(&[1, 2]);
    let at = text.rfind("throughput: ").unwrap() + "throughput: ".len();
    let reading = read_ok(&format!("{}9{}", &text[..at], &text[at..]));
    let said = note(&reading, "console-summary-differs").unwrap();
    assert_eq!(
        (said.level, said.args["loads"].as_str()),
        (NoteLevel::Invalid, "2")
    );
}

#[test]
fn caches_ensembles_and_gpus_are_read() {
    let block = "\
Request concurrency: 1
  Client:
    Request count: 1000
    Throughput: 100 infer/sec
    Response Throughput: 300 infer/sec
    Avg client overhead: 0.50%
    Avg latency: 9990 usec (standard deviation 1 usec)
    p50 latency: 9900 usec
    p90 latency: 9950 usec
    p95 latency: 9960 usec
    p99 latency: 9990 usec
    Avg gRPC time: 9970 usec (marshal 4 usec + response wait 9960 usec + unmarshal 6 usec)
  Server:
    Inference count: 1000
    Execution count: 250
    Cache hit count: 500
    Cache miss count: 500
    Successful request count: 1000
    Avg request latency: 9000 usec (overhead 9 usec + queue 91 usec + cache hit/miss 8900 usec)
      Average Cache Hit Latency: 50 usec
      Average Cache Miss Latency: 17000 usec (cache lookup/insertion 60 usec + compute input 20 usec + compute infer 16900 usec + compute output 20 usec)

  Composing models:
  pre, version: 1
      Inference count: 1000
      Execution count: 500
      Avg request latency: 500 usec (overhead 5 usec + queue 45 usec + compute input 50 usec + compute infer 380 usec + compute output 20 usec)

  Server Prometheus Metrics:
    Avg GPU Utilization:
      GPU-a:b : 43.3%
    Max GPU Memory Usage:
      GPU-a:b : 966787072 bytes
Inferences/Second vs. Client Average Batch Latency
Concurrency: 1, throughput: 100 infer/sec, latency 9990 usec
";
    let reading = read_ok(block);
    let value = |name: &str, statistic| at(&reading, name, statistic, "1").map(|s| s.value);
    assert_eq!(value("server_cache_hit_time", Statistic::Mean), Some(50e-6));
    assert_eq!(
        value("server_cache_miss_time", Statistic::Mean),
        Some(60e-6)
    );
    assert_eq!(value("execution_batch_size", Statistic::Mean), Some(4.0));
    assert_eq!(value("client_send_time", Statistic::Mean), Some(4e-6));
    assert_eq!(value("response_throughput", Statistic::Rate), Some(300.0));
    assert_eq!(
        value("client_overhead_ratio", Statistic::Ratio),
        Some(0.005)
    );
    assert_eq!(value("network_time", Statistic::Mean), None);
    assert!(note(&reading, "sweep-response-cache").is_some());
    let gpu = |name: &str| {
        let mut found = reading.signals.iter().filter(|s| s.name == name);
        found.next().map(|s| (s.labels["gpu"].clone(), s.value))
    };
    assert_eq!(
        gpu("gpu_device_utilization"),
        Some(("GPU-a:b".to_owned(), 0.433))
    );
    assert_eq!(
        gpu("gpu_memory_used"),
        Some(("GPU-a:b".to_owned(), 966_787_072.0))
    );
    let figure = reading
        .figures
        .iter()
        .find(|f| f.id == "sweep-composing")
        .unwrap();
    assert_eq!(figure.rows[0][1], crate::Cell::text("pre v1"));
    assert_eq!(figure.rows[0][3], crate::Cell::Number(45e-6));
}

#[test]
fn windows_that_disagree_and_numbers_of_another_locale_are_said() {
    let passes = "  Pass [1] throughput: 200 infer/sec. Avg latency: 5010 usec (std 3 usec). \n  Pass [2] throughput: 150 infer/sec. Avg latency: 5010 usec (std 3 usec). \n  Pass [3] throughput: 199 infer/sec. Avg latency: 5010 usec (std 3 usec). \n";
    let text = log(&[1, 2]).replacen("  Client: ", &format!("{passes}  Client: "), 1);
    let reading = read_ok(&text);
    let said = note(&reading, "console-windows-differ").unwrap();
    assert_eq!(
        (said.args["loads"].as_str(), said.args["greatest"].as_str()),
        ("1", "33.3")
    );
    let commas = log(&[1]).replace("199.600", "199,600");
    let only = commas.split("Inferences/Second").next().unwrap();
    assert_eq!(
        read(only.as_bytes()).unwrap_err().code,
        "perf-locale-number"
    );
}

#[test]
fn damage_never_panics_and_never_reads_half_a_gzip() {
    use std::io::Write as _;
    let text = log(&[1, 2]);
    for end in (0..text.len()).step_by(7) {
        let _ = read(&text.as_bytes()[..end]);
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(read(&packed).unwrap().signals, read_ok(&text).signals);
    assert_eq!(
        read(&packed[..packed.len() - 12]).unwrap_err().code,
        "perf-gzip-damaged"
    );
    let long = format!("{}\n{text}", "x".repeat(1 << 20));
    assert_eq!(read_ok(&long).signals, read_ok(&text).signals);
    let odd = [
        b"Request concurrency: nan\n\xff\xfe\n".as_slice(),
        text.as_bytes(),
    ]
    .concat();
    assert_eq!(read(&odd).unwrap().signals, read_ok(&text).signals);
}
