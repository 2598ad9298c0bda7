//! Requests one by one against `serving/request_logs`, `serving/traces` and AIPerf's records of
//! `serving/bench`.

use super::frame::{Comparison, folder, json};
use pel_evidence::{Kind, NoteLevel, Options, Reading, Source, Statistic, read};
use serde_json::Value;
use std::path::Path;

const NOT_COMPARED: &[(&str, &str)] = &[
    ("how", "prose"),
    ("documents", "a count of lines, not of what they say"),
    ("delimiter", "how the file is written, not what it says"),
    (
        "queue_share_of_engine_ttft",
        "a ratio of two means that are compared",
    ),
    ("arrival_span_s", "follows from the rate, which is compared"),
    ("span_s", "follows from the rate, which is compared"),
    (
        "keys",
        "names of the tool's metrics; those not used here are left",
    ),
    (
        "error_codes",
        "codes are not kept, their requests are counted",
    ),
];

/// The keys of the expected files that are statistics of one signal, with the factor to seconds.
const STATISTICS: [(&str, &str, f64); 15] = [
    ("ttft_s", "ttft", 1.0),
    ("engine_ttft_s", "ttft", 1.0),
    ("queue_s", "queue_time", 1.0),
    ("e2e_s", "e2e_latency", 1.0),
    ("prefill_s", "prefill_time", 1.0),
    ("decode_s", "decode_time", 1.0),
    ("tpot_s", "tpot", 1.0),
    ("ttft_ms", "ttft", 1e3),
    ("e2e_ms_ok", "e2e_latency", 1e3),
    ("queue_ms", "queue_time", 1e3),
    ("input_tokens", "prompt_length", 1.0),
    ("output_tokens", "output_length", 1.0),
    ("ttft", "ttft", 1e3),
    ("itl", "tpot", 1e3),
    ("latency", "e2e_latency", 1e3),
];

fn number(reading: &Reading, name: &str, statistic: Statistic) -> Option<f64> {
    reading.value(name, statistic)
}

fn statistics(
    c: &mut Comparison,
    path: &str,
    expected: &Value,
    reading: &Reading,
    of: (&str, f64),
) {
    let (signal, factor) = of;
    for (key, value) in expected.as_object().expect("statistics are an object") {
        let path = format!("{path}.{key}");
        let statistic: Statistic = match key.as_str() {
            "n" => {
                let found = reading.signals.iter().find(|s| {
                    s.name == signal && s.statistic == Statistic::Mean && s.labels.is_empty()
                });
                let samples = found.and_then(|s| s.samples).map(|n| n as f64);
                c.optional(&path, value, samples);
                continue;
            }
            other => other.parse().expect("a statistic"),
        };
        let got = number(reading, signal, statistic).map(|v| v * factor);
        c.optional(&path, value, got);
    }
}

fn one(c: &mut Comparison, file: &Path, expected: &Path, kind: Kind) {
    let name = super::frame::name_of(file);
    let reading = match read(&[Source::at(file)], &Options::default()) {
        Ok(reading) => reading,
        Err(refusal) => return c.difference(&name, format!("refused: {refusal:?}")),
    };
    c.read_file();
    c.equal(&format!("{name}.kind"), kind, reading.kind);
    let expected = json(expected);
    for (key, value) in expected.as_object().expect("an object") {
        let path = format!("{name}.{key}");
        let known = STATISTICS.iter().find(|(k, ..)| k == key);
        if let Some((_, signal, factor)) = known {
            statistics(c, &path, value, &reading, (signal, *factor));
            continue;
        }
        let total = |name| number(&reading, name, Statistic::Total);
        let ratio = |name| number(&reading, name, Statistic::Ratio);
        let got = match key.as_str() {
            "spans" | "rows" | "requests" | "records" => total("arrived_requests"),
            "errors" => ratio("error_ratio")
                .zip(total("finished_requests"))
                .map(|(r, n)| (r * n).round()),
            "error_rate" => ratio("error_ratio"),
            "retries_total" => total("retries"),
            "requests_with_retry" => ratio("retried_ratio"),
            "accepted" => total("accepted_requests"),
            "acceptance_rate_over_all" => ratio("acceptance_rate"),
            "mean_rate_per_s" => number(&reading, "arrival_rate", Statistic::Rate),
            "interarrival_cv" => ratio("arrival_burstiness"),
            "ideal_block_reuse_ratio" => ratio("ideal_prefix_reuse_ratio"),
            _ => {
                c.left(key);
                continue;
            }
        };
        c.optional(&path, value, got);
    }
}

pub fn compare() {
    for (part, files) in [
        (
            "serving/request_logs",
            &[
                ("derived_rtx4090_otlp_spans.json", Kind::OtlpSpans),
                ("derived_rtx4090_request_log.csv", Kind::RequestLog),
                ("vllm-0.19_rtx4090_requests.jsonl", Kind::RequestLog),
            ][..],
        ),
        (
            "serving/traces",
            &[
                (
                    "AzureLLMInferenceTrace_code_2023.head3000.csv",
                    Kind::RequestTrace,
                ),
                (
                    "mooncake_conversation_trace.head800.jsonl",
                    Kind::RequestTrace,
                ),
            ][..],
        ),
        (
            "serving/bench",
            &[("aiperf-0.13_chat_profile_export.jsonl", Kind::AiperfRecords)][..],
        ),
    ] {
        let Some(folder) = folder(part) else { return };
        let mut c = Comparison::of(part);
        for (name, kind) in files {
            let expected = folder.join("expected").join(format!("{name}.json"));
            one(&mut c, &folder.join(name), &expected, *kind);
        }
        c.finish(NOT_COMPARED);
    }
    guessed();
    documented();
}

/// The two records of AIPerf's own documentation: one answered, one that its client cancelled.
fn documented() {
    let Some(folder) = folder("perf_analyzer") else {
        return;
    };
    let path = folder.join("aiperf_profile_export_doc.jsonl");
    let reading = read(&[Source::at(&path)], &Options::default()).expect("it is readable");
    let expected = json(&folder.join("expected/aiperf_profile_export_doc.jsonl.json"));
    let mut c = Comparison::of("perf_analyzer, AIPerf's records");
    c.read_file();
    let first = |key: &str| expected[key][0].as_f64().expect("a number");
    let ms = |name: &str| number(&reading, name, Statistic::Mean).map(|v| v * 1e3);
    c.number("ttft_ms", first("ttft_ms"), ms("ttft"));
    c.number(
        "request_latency_ms",
        first("request_latency_ms"),
        ms("e2e_latency"),
    );
    let total = number(&reading, "arrived_requests", Statistic::Total);
    c.optional("records", &expected["records"], total);
    let aborted = number(&reading, "aborted_ratio", Statistic::Ratio);
    c.number("errors", 0.5, aborted);
    c.finish(&[]);
}

/// A log whose columns only their names explain is read and carries no judgement.
fn guessed() {
    let Some(folder) = folder("serving/request_logs") else {
        return;
    };
    let invalid = |name: &str| {
        let read = read(&[Source::at(folder.join(name))], &Options::default());
        let notes = read.expect("it is readable").notes;
        notes
            .into_iter()
            .filter(|n| n.level == NoteLevel::Invalid)
            .collect::<Vec<_>>()
    };
    let of_csv = invalid("derived_rtx4090_request_log.csv");
    assert!(
        of_csv.len() == 1 && of_csv[0].code == "requests-mapping-guessed",
        "{of_csv:?}"
    );
    assert_eq!(invalid("vllm-0.19_rtx4090_requests.jsonl"), []);
    assert_eq!(invalid("derived_rtx4090_otlp_spans.json"), []);
}
