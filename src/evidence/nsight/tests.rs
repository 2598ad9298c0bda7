//! Worked examples of the definitions. Damaged and hostile files, and the messages, have their own files.

mod hostile;
mod messages;

use super::fixture::{Fixture, PROCESS};
use crate::{Bound, Options, Reading, Refusal, Source, Statistic, read};
use std::fs;

fn nanos(reading: &Reading, name: &str, labels: &[(&str, &str)]) -> Option<u64> {
    reading
        .signals
        .iter()
        .find(|s| {
            s.name == name
                && s.statistic == Statistic::Total
                && s.labels.len() == labels.len()
                && labels
                    .iter()
                    .all(|(k, v)| s.labels.get(*k).is_some_and(|l| l == v))
        })
        .map(|s| (s.value * 1e9).round() as u64)
}

fn note<'a>(reading: &'a Reading, code: &str, arg: &str) -> Option<&'a str> {
    let note = reading.notes.iter().find(|n| n.code == code)?;
    note.args.get(arg).map(String::as_str)
}

fn code(result: Result<Reading, Refusal>) -> String {
    match result {
        Ok(_) => "read".to_owned(),
        Err(refusal) => refusal.code,
    }
}

fn read_bytes(bytes: &[u8]) -> Result<Reading, Refusal> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    fs::write(file.path(), bytes).expect("the bytes are written");
    read(&[Source::at(file.path())], &Options::default())
}

/// One kernel, a host that waits, copies and allocates, and a second kernel.
fn worked_example() -> Fixture {
    let f = Fixture::with_tables();
    for (id, name) in [
        (1, "cudaLaunchKernel_v7000"),
        (2, "cudaStreamSynchronize_v3020"),
        (3, "cudaMemcpyAsync_v3020"),
        (4, "cudaMalloc_v3020"),
        (10, "void first(int)"),
        (11, "ncclDevKernel_AllReduce(x)"),
    ] {
        f.name(id, name);
    }
    f.call(900, 990, 1, 1, 0);
    f.kernel(1000, 2000, 1, 10);
    // The gap is 2000..3000: 300 waiting (100 of it inside the copy call), 150 copying,
    // 200 allocating, 250 launching, the other 100 without a call.
    f.call(1500, 2300, 0, 2, 0);
    f.call(2200, 2450, 0, 3, 0);
    f.call(2500, 2700, 0, 4, 0);
    f.call(2750, 2900, 2, 1, 0);
    f.kernel(3000, 3500, 2, 11);
    f
}

#[test]
fn every_nanosecond_of_a_gap_has_one_cause() {
    let reading = worked_example().read().expect("a reading");
    for (cause, expected) in [
        ("sync_api", 300),
        ("memcpy_api", 150),
        ("other_cuda_api", 200),
        ("launch_latency", 250),
        ("host_no_cuda", 100),
        ("unattributed", 0),
    ] {
        let found = nanos(&reading, "gpu_gap_attributed", &[("cause", cause)]);
        assert_eq!(found, Some(expected), "{cause}");
    }
    assert_eq!(nanos(&reading, "gpu_gap_time", &[]), Some(1000));
    assert_eq!(nanos(&reading, "gpu_span", &[("device", "0")]), Some(2500));
    let delay = reading.value("launch_queue_delay", Statistic::Max);
    assert_eq!(delay.map(|s| (s * 1e9).round()), Some(100.0));
}

#[test]
fn imbalance_needs_a_second_device_and_collectives_show_there_are_others() {
    let f = worked_example();
    let one = f.read().expect("a reading");
    assert_eq!(one.value("device_busy_spread", Statistic::Ratio), None);
    // One rank of several: its collectives show that there are others.
    assert!(
        one.value("collective_time_share", Statistic::Ratio)
            .is_some()
    );
    f.kernel_of(PROCESS, 1, 1000, 1500, 3, 11);
    let two = f.read().expect("a reading");
    let share = two.value("collective_time_share", Statistic::Ratio);
    assert_eq!(share, Some(1000.0 / 2000.0));
    assert!(two.value("device_busy_spread", Statistic::Ratio).is_some());
}

#[test]
fn without_the_calls_no_cause_is_given() {
    let f = worked_example();
    f.sql("DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME");
    let reading = f.read().expect("a reading");
    assert_eq!(nanos(&reading, "gpu_gap_time", &[]), Some(1000));
    for absent in ["gpu_gap_attributed", "cuda_api_calls", "launch_api_time"] {
        assert!(reading.signals.iter().all(|s| s.name != absent), "{absent}");
    }
    assert!(reading.notes.iter().any(|n| {
        n.code == "nsight-table-missing" && n.args["table"] == "CUPTI_ACTIVITY_KIND_RUNTIME"
    }));
}

#[test]
fn a_missing_table_is_never_zero() {
    let reading = worked_example().read().expect("a reading");
    for absent in [
        "memcpy_bytes",
        "memcpy_busy_time",
        "copy_compute_overlap",
        "pageable_bytes",
        "memset_time",
        "graph_launches",
        "sm_active",
        "trace_duration",
    ] {
        assert!(reading.signals.iter().all(|s| s.name != absent), "{absent}");
    }
    let figures = serde_json::to_string(&reading.figures).expect("JSON");
    assert!(figures.contains("cuda_api_sync") && !figures.contains("cuda_memcpy_async"));
}

#[test]
fn a_missing_process_column_joins_where_there_is_one_process() {
    let f = worked_example();
    f.sql("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN globalPid");
    let reading = f.read().expect("a reading");
    let launch = nanos(
        &reading,
        "gpu_gap_attributed",
        &[("cause", "launch_latency")],
    );
    assert_eq!(launch, Some(250));
}

#[test]
fn correlation_is_unique_only_inside_a_process() {
    let f = worked_example();
    f.kernel_of(8 << 24, 1, 3600, 3700, 1, 10);
    let reading = f.read().expect("a reading");
    assert_eq!(
        note(&reading, "nsight-kernels-without-call", "count"),
        Some("1")
    );
}

#[test]
fn the_same_ordinal_in_two_processes_is_two_devices_unless_the_file_maps_them() {
    let f = worked_example();
    f.kernel_of(8 << 24, 0, 1000, 2000, 5, 10);
    let labels = |f: &Fixture| -> Vec<String> {
        let reading = f.read().expect("a reading");
        reading
            .signals
            .iter()
            .filter(|s| s.name == "gpu_span")
            .filter_map(|s| s.labels.get("device").cloned())
            .collect()
    };
    assert_eq!(labels(&f), ["7:0", "8:0"]);
    f.sql(
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
         INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 0, 7), (5, 0, 8);",
    );
    assert_eq!(labels(&f), ["3", "5"]);
    f.sql("UPDATE TARGET_INFO_CUDA_DEVICE SET gpuId = 3");
    assert_eq!(labels(&f), ["3"]);
}

#[test]
fn empty_tables_are_not_captured() {
    assert_eq!(code(Fixture::with_tables().read()), "no-signal");
    let f = Fixture::with_tables();
    f.name(1, "cudaMalloc");
    f.call(10, 20, 1, 1, 0);
    let reading = f.read().expect("a reading");
    assert!(
        reading
            .notes
            .iter()
            .any(|n| n.code == "nsight-no-gpu-activity")
    );
    assert!(reading.signals.iter().all(|s| !s.name.starts_with("gpu_")));
}

#[test]
fn missing_events_make_totals_lower_bounds() {
    let f = worked_example();
    f.sql(
        "CREATE TABLE DIAGNOSTIC_EVENT (severity, text);
         INSERT INTO DIAGNOSTIC_EVENT VALUES
           (2, 'Not all CUDA events might have been collected.');",
    );
    let reading = f.read().expect("a reading");
    let bound = |name: &str| {
        reading
            .signals
            .iter()
            .find(|s| s.name == name)
            .map(|s| s.bound)
    };
    assert_eq!(bound("kernel_time"), Some(Bound::AtLeast));
    assert_eq!(bound("gpu_gap_time"), Some(Bound::Estimate));
    assert!(
        reading
            .notes
            .iter()
            .any(|n| n.code == "nsight-events-missing")
    );
}

#[test]
fn a_query_that_is_not_ready_is_no_error() {
    let f = worked_example();
    f.call(3600, 3601, 0, 4, 600);
    f.call(3602, 3603, 0, 4, 2);
    let reading = f.read().expect("a reading");
    assert_eq!(
        reading.value("cuda_api_errors", Statistic::Count),
        Some(1.0)
    );
}

#[test]
fn code_loading_suggests_a_cold_process() {
    let f = worked_example();
    f.name(30, "cuModuleLoadData");
    f.name(31, "cuModuleGetLoadingMode");
    f.call(5_000_000, 9_000_000, 0, 30, 0);
    f.call(1, 2, 0, 31, 0);
    f.kernel(900_000_000, 900_000_100, 0, 10);
    let reading = f.read().expect("a reading");
    let hints: Vec<(&str, Option<&String>)> = reading
        .hints
        .iter()
        .map(|h| (h.code.as_str(), h.args.get("count")))
        .collect();
    let one = "1".to_owned();
    assert_eq!(
        hints,
        [
            ("profiler-export", None),
            ("module-loading", Some(&one)),
            ("start-up-gap", Some(&one))
        ]
    );
}

#[test]
fn a_process_is_a_thread_without_its_number() {
    assert_eq!(super::ops::process_of(PROCESS | 12), PROCESS);
    assert_eq!(super::ops::pid(PROCESS), 7);
}

#[test]
fn copies_beside_kernels_overlap_and_pageable_ones_are_counted() {
    let f = worked_example();
    // 1500..2500 beside the first kernel for 500; the second one between devices.
    f.sql(
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, \"end\", deviceId, globalPid,
           correlationId, bytes, copyKind, srcKind, dstKind, srcDeviceId, dstDeviceId);
         INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
           (1500, 2500, 0, 117440512, 77, 100000, 1, 0, 2, NULL, NULL),
           (3100, 3200, 0, 117440512, 78, 64, 8, 2, 2, 0, 1),
           (3100, 3200, 0, 117440512, 79, -5, 8, 2, 2, 0, 1);",
    );
    f.call(1400, 1450, 77, 3, 0);
    let reading = f.read().expect("a reading");
    assert_eq!(nanos(&reading, "copy_compute_overlap", &[]), Some(600));
    assert_eq!(nanos(&reading, "gpu_busy_time", &[]), Some(2000));
    let total = |name: &str| reading.value(name, Statistic::Total);
    assert_eq!(total("pageable_bytes"), Some(100_000.0));
    assert_eq!(total("memcpy_bytes"), Some(100_064.0));
    assert_eq!(total("peer_copy_bytes"), Some(64.0));
    assert_eq!(note(&reading, "nsight-rows-skipped", "count"), Some("1"));
    let rules = reading.figures.iter().find(|f| f.id == "nsight-rules");
    let text = serde_json::to_string(&rules.expect("rules").rows).expect("JSON");
    assert!(text.contains("[\"cuda_memcpy_async\",1.0]"), "{text}");
}

#[test]
fn graphs_count_as_work_and_their_kernels_have_no_launch() {
    let f = worked_example();
    f.sql(
        "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, \"end\", deviceId, globalPid,
           correlationId, graphId);
         INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES
           (1500, 2600, 0, 117440512, 50, 4), (2700, 0, 0, 117440512, 51, 4);
         INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
           (3500, 3600, 0, 117440512, 1, 10, 10, 8);",
    );
    let reading = f.read().expect("a reading");
    assert_eq!(nanos(&reading, "gpu_gap_time", &[]), Some(400));
    assert_eq!(nanos(&reading, "graph_launch_time", &[]), Some(1100));
    assert_eq!(nanos(&reading, "kernel_busy_time", &[]), Some(2200));
    // Summed: 1000 + 500 + 100 of kernels and 1100 of graphs.
    let concurrency = reading.value("kernel_concurrency", Statistic::Ratio);
    assert_eq!(concurrency, Some(2700.0 / 2200.0));
    let launch = reading.signals.iter().find(|s| s.name == "launch_api_time");
    assert_eq!(launch.and_then(|s| s.samples), Some(2));
    assert_eq!(
        note(&reading, "nsight-invalid-operations", "count"),
        Some("1")
    );
    assert_eq!(
        note(&reading, "nsight-graphs-hide-kernels", "graphs"),
        Some("1")
    );
}

#[test]
fn gaps_in_which_the_profiler_was_busy_are_its_own() {
    let f = worked_example();
    f.sql(
        "CREATE TABLE PROFILER_OVERHEAD (start, \"end\");
         INSERT INTO PROFILER_OVERHEAD VALUES (1900, 2100), (2050, 2250), (4000, 5000);",
    );
    let reading = f.read().expect("a reading");
    assert_eq!(
        note(&reading, "nsight-gaps-under-overhead", "percent"),
        Some("25.0")
    );
    assert_eq!(nanos(&reading, "profiler_overhead_time", &[]), Some(1400));
}

#[test]
fn sampled_metrics_become_ratios_and_frequencies_do_not() {
    let f = worked_example();
    f.sql(
        "CREATE TABLE GPU_METRICS (timestamp, typeId, metricId, value);
         INSERT INTO GPU_METRICS VALUES (1, 256, 1, 40), (2, 256, 1, 60), (1, 256, 2, 1980),
           (1, 256, 3, 'x');
         CREATE TABLE TARGET_INFO_GPU_METRICS (typeId, metricId, metricName);
         INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 1, 'SMs Active [Throughput %]'),
           (256, 2, 'SMs Active [MHz]'), (256, 3, 'DRAM Read Bandwidth');",
    );
    let reading = f.read().expect("a reading");
    assert_eq!(reading.value("sm_active", Statistic::Mean), Some(0.5));
    assert_eq!(
        reading.value("dram_read_bandwidth_share", Statistic::Mean),
        None
    );
    assert_eq!(
        note(&reading, "nsight-rows-skipped", "table"),
        Some("GPU_METRICS")
    );
}
