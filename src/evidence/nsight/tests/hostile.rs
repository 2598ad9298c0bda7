//! Files that are cut, damaged, or made to mislead: every one is refused, or read without them.

use super::{code, nanos, note, read_bytes, worked_example};
use crate::{
    Options, Source, Statistic,
    nsight::{fixture::Fixture, ops::KERNEL_NAMES},
    read,
};
use std::fs;

#[test]
fn rows_of_the_wrong_type_are_counted_and_left_out() {
    let f = worked_example();
    f.sql(
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ('soon', 5000, 0, 1, 1, 10, 10, NULL);
         INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (4000, x'00', 0, 1, 1, 10, 10, NULL);
         INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (4000, 4001.5, 0, 1, 1, 10, 10, NULL);",
    );
    let reading = f.read().expect("a reading");
    assert_eq!(note(&reading, "nsight-rows-skipped", "count"), Some("3"));
    assert_eq!(
        reading.value("kernel_launches", Statistic::Count),
        Some(2.0)
    );
}

#[test]
fn extreme_and_backward_times_are_invalid_and_overflow_nothing() {
    let f = worked_example();
    for (start, end) in [
        (i64::MIN, i64::MAX),
        (i64::MAX, i64::MIN),
        (1, i64::MAX),
        (i64::MIN, -1),
        (5000, 4000),
        (5000, 5000),
        (0, 10),
    ] {
        f.kernel(start, end, i64::MAX, i64::MIN);
        f.call(start, end, i64::MIN, i64::MAX, i64::MIN);
    }
    let reading = f.read().expect("a reading");
    assert_eq!(
        note(&reading, "nsight-invalid-operations", "count"),
        Some("7")
    );
    assert_eq!(nanos(&reading, "gpu_span", &[]), Some(2500));
    assert!(reading.signals.iter().all(|s| s.value.is_finite()));
}

#[test]
fn views_and_virtual_tables_are_refused() {
    let f = worked_example();
    f.sql(
        "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;
         CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS
           SELECT 1 AS start, 2 AS \"end\", 0 AS deviceId FROM META_DATA_EXPORT;",
    );
    assert_eq!(code(f.read()), "nsight-table-not-plain");
    let f = worked_example();
    f.sql("CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_MEMCPY USING fts5(start, bytes)");
    assert_eq!(code(f.read()), "nsight-table-not-plain");
}

#[test]
fn triggers_and_generated_columns_do_not_run() {
    let f = worked_example();
    f.sql(
        "CREATE TRIGGER boom AFTER INSERT ON CUPTI_ACTIVITY_KIND_KERNEL BEGIN
           DELETE FROM StringIds; END;
         CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, \"end\" INTEGER, deviceId INTEGER,
           bytes INTEGER AS (length(zeroblob(1000000000))), copyKind INTEGER);
         INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1100, 1200, 0, 1);",
    );
    let reading = f.read().expect("a reading");
    assert_eq!(
        note(&reading, "nsight-rows-skipped", "table"),
        Some("CUPTI_ACTIVITY_KIND_MEMCPY")
    );
    assert_eq!(nanos(&reading, "gpu_busy_time", &[]), Some(1500));
}

#[test]
fn a_cut_file_is_refused_at_every_length() {
    let whole = worked_example().bytes();
    for length in (0..whole.len()).step_by(509) {
        let refusal = read_bytes(&whole[..length]).expect_err("a cut file is refused");
        let known = [
            "empty",
            "unknown-format",
            "sqlite-truncated",
            "sqlite-damaged",
        ];
        assert!(
            known.contains(&refusal.code.as_str()),
            "{length}: {refusal:?}"
        );
        assert!(
            length < 16 || refusal.place.is_some(),
            "{length}: {refusal:?}"
        );
    }
}

#[test]
fn damaged_bytes_never_break_the_reader() {
    let whole = worked_example().bytes();
    let mut refused = 0;
    for at in (16..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        let end = (at + 8).min(bytes.len());
        bytes[at..end].fill(0xff);
        refused += usize::from(read_bytes(&bytes).is_err());
    }
    assert!(refused > 0);
}

#[test]
fn unknown_layouts_and_foreign_databases_are_refused() {
    let f = worked_example();
    f.sql("UPDATE META_DATA_EXPORT SET value = '4.0.0'");
    assert_eq!(code(f.read()), "nsight-schema-unknown-major");
    let f = Fixture::new();
    f.sql(
        "DROP TABLE META_DATA_EXPORT; DROP TABLE StringIds;
         CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x); CREATE TABLE d (x);
         CREATE TABLE e (x); CREATE TABLE f (x);",
    );
    let refusal = f.read().expect_err("a refusal");
    assert_eq!(refusal.code, "sqlite-not-nsight");
    assert_eq!(refusal.args["tables"], "a, b, c, d, e");
}

#[test]
fn secrets_in_names_and_messages_are_cut_out() {
    const SECRET: &str = "s3cr3t-value-9";
    let f = worked_example();
    f.name(20, &format!("kernel<HF_TOKEN={SECRET}>(int)"));
    f.name(21, &format!("env HOME=/root Bearer {SECRET}"));
    f.kernel(4000, 4100, 0, 20);
    f.sql(&format!(
        "CREATE TABLE NVTX_EVENTS (start, \"end\", eventType, text, textId);
         INSERT INTO NVTX_EVENTS VALUES (1, 5, 59, 'api_key: {SECRET}', NULL), (1, 5, 60, NULL, 21),
           (1, NULL, 34, '{SECRET}', NULL);
         CREATE TABLE DIAGNOSTIC_EVENT (severity, text);
         INSERT INTO DIAGNOSTIC_EVENT VALUES (2, 'see /home/me/{SECRET}/log for token={SECRET}');
         CREATE TABLE META_DATA_CAPTURE (name, value);
         INSERT INTO META_DATA_CAPTURE VALUES
           ('PROCESS_0:CUDA_GRAPH_TRACE_OPTIONS:MODE', '{SECRET}'),
           ('PROCESS_0:ENVIRONMENT_VARIABLE', 'HF_TOKEN={SECRET}');
         CREATE TABLE ProcessStreams (filenameId, contentId);"
    ));
    let reading = f.read().expect("a reading");
    let text = serde_json::to_string(&reading).expect("JSON");
    assert!(!text.contains(SECRET), "{text}");
    assert!(text.contains("[redacted]") && text.contains("[path]"));
}

#[test]
fn kernel_names_beyond_the_cap_are_summed_as_one() {
    let f = Fixture::with_tables();
    let names = KERNEL_NAMES as i64 + 3;
    f.together(|f| {
        for i in 1..=names {
            f.kernel(i * 100, i * 100 + 50, 0, i);
        }
    });
    let reading = f.read().expect("a reading");
    assert_eq!(
        note(&reading, "nsight-kernel-names-capped", "count"),
        Some("3")
    );
    assert_eq!(nanos(&reading, "kernel_time", &[]), Some(50 * names as u64));
}

#[test]
fn commands_never_quote_a_hostile_name() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("x;rm -rf $HOME.nsys-rep");
    fs::write(&path, b"NVIDIA Tegra Profiler Report 1.4\n").expect("a file");
    let refusal = read(&[Source::at(&path)], &Options::default()).expect_err("refused");
    assert_eq!(
        refusal.command.as_deref(),
        Some("nsys export --type sqlite -o report.sqlite report.nsys-rep")
    );
}
