//! The files of every tool, and what stands in them under which key.

mod others;

use self::others::{aiperf, inference_perf, llmperf, mlperf};
use super::super::frame::{Comparison, files, folder, json, name_of};
use super::{group, reading_of, samples, serving, signal};
use pel_evidence::{Reading, Statistic};
use serde_json::Value;
use std::path::Path;

/// Every file of the folder with expected numbers beside it.
pub fn compare() {
    let Some(folder) = folder("serving/bench") else {
        return;
    };
    let mut c = Comparison::of("serving/bench");
    for path in files(&folder) {
        let name = name_of(&path);
        // The view of single requests is another reader's.
        if name.ends_with("profile_export.jsonl") {
            continue;
        }
        let reading = match reading_of(&path) {
            Ok(reading) => reading,
            Err(refusal) => {
                c.difference(&name, format!("refused: {refusal:?}"));
                continue;
            }
        };
        c.read_file();
        let file = folder.join("expected").join(format!("{name}.json"));
        if file.is_file() {
            one(&mut c, &name, &json(&file), &reading);
        } else {
            beside(&mut c, &folder, &path, &reading);
        }
    }
    c.finish(LEFT);
}

/// GenAI-Perf's tables, which lie with those of its elder.
pub fn tables() {
    let Some(folder) = folder("perf_analyzer") else {
        return;
    };
    let mut c = Comparison::of("perf_analyzer, GenAI-Perf");
    let expected = |name: &str| json(&folder.join("expected").join(format!("{name}.json")));
    let name = "genai_analyze_export_gpt2.csv";
    let reading = reading_of(&folder.join(name)).expect("a sweep");
    c.read_file();
    for (i, row) in expected(name)["sweep"]
        .as_array()
        .expect("rows")
        .iter()
        .enumerate()
    {
        let run = (i + 1).to_string();
        let labels = [("load", "1"), ("run", run.as_str())];
        for (key, signal_name, statistic, factor) in [
            ("p99 Time To First Token (ms)", "ttft", Statistic::P99, 1e3),
            ("p99 Inter Token Latency (ms)", "tpot", Statistic::P99, 1e3),
            (
                "p99 Request Latency (ms)",
                "e2e_latency",
                Statistic::P99,
                1e3,
            ),
            (
                "p99 Output Sequence Length (tokens)",
                "output_length",
                Statistic::P99,
                1.0,
            ),
            (
                "Avg. Output Token Throughput (tokens/sec)",
                "generation_token_throughput",
                Statistic::Rate,
                1.0,
            ),
            (
                "Request Throughput (requests/sec)",
                "request_throughput",
                Statistic::Rate,
                1.0,
            ),
        ] {
            let want: f64 = row[key].as_str().expect(key).parse().expect("a number");
            let got = signal(&reading, signal_name, statistic, &labels).map(|v| v * factor);
            c.number(&format!("{name}[{i}].{key}"), want, got);
        }
    }
    let name = "genai_goodput_console_llm.txt";
    let reading = reading_of(&folder.join(name)).expect("a table");
    c.read_file();
    let metrics = &expected(name)["metrics"];
    for (key, signal_name, factor) in [
        ("Time to first token (ms)", "ttft", 1e3),
        ("Inter token latency (ms)", "tpot", 1e3),
        ("Request latency (ms)", "e2e_latency", 1e3),
        ("Output sequence length", "output_length", 1.0),
        ("Input sequence length", "prompt_length", 1.0),
    ] {
        let columns = [
            Statistic::Mean,
            Statistic::Min,
            Statistic::Max,
            Statistic::P99,
            Statistic::P90,
            Statistic::Quantile(750),
        ];
        for (i, statistic) in columns.into_iter().enumerate() {
            let got = signal(&reading, signal_name, statistic, &[]).map(|v| v * factor);
            c.optional(&format!("{name}.{key}[{i}]"), &metrics[key][i], got);
        }
    }
    for (key, signal_name) in [
        (
            "Output token throughput (per sec)",
            "generation_token_throughput",
        ),
        ("Request throughput (per sec)", "request_throughput"),
        ("Request goodput (per sec)", "goodput"),
    ] {
        let got = signal(&reading, signal_name, Statistic::Rate, &[]);
        c.optional(&format!("{name}.{key}"), &metrics[key][0], got);
    }
    c.finish(&[]);
}

/// Expected keys that are prose, or facts that are no number of the reading.
const LEFT: &[(&str, &str)] = &[
    ("how", "prose: how the expected numbers were made"),
    (
        "duration",
        "the window of the reading, or a column of its figure",
    ),
    ("elapsed_time", "the window of the reading"),
    ("total_num_tokens", "throughput times length"),
    (
        "num_prompts",
        "requests planned: only what ended is a signal",
    ),
    (
        "max_concurrency",
        "the load: a label, or a column of the figure",
    ),
    (
        "num_concurrent_requests",
        "the load: a column of the figure",
    ),
    ("request_rate", "an unlimited rate is no number"),
    ("std", "no statistic of the catalogue"),
    ("tag", "no number"),
    ("backend", "a fact"),
    ("dataset_name", "a fact"),
    ("sharegpt_output_len", "a setting"),
    ("random_input_len", "a setting"),
    ("random_output_len", "a setting"),
    ("random_range_ratio", "a setting"),
    ("server_info", "null"),
    (
        "total_input_text_tokens",
        "equal to all input tokens without images",
    ),
    ("total_input_vision_tokens", "no images were sent"),
    (
        "total_output_tokens_retokenized",
        "a count by another tokenizer",
    ),
    ("std_e2e_latency_ms", "no statistic of the catalogue"),
    ("std_ttft_ms", "no statistic of the catalogue"),
    ("std_tpot_ms", "no statistic of the catalogue"),
    ("std_itl_ms", "no statistic of the catalogue"),
    (
        "unmapped",
        "metrics of the client's HTTP connections and derived per-user rates",
    ),
    ("records", "lines of a log, not requests"),
];

fn one(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    if name.contains("console") {
        let runs = expected["runs"].as_array().expect("runs");
        for (i, run) in runs.iter().enumerate() {
            console(
                c,
                &format!("{name}[{i}]"),
                run,
                reading,
                &(i + 1).to_string(),
            );
        }
    } else if let Some(runs) = expected["runs"].as_array() {
        serving(c, name, &runs[0], reading, &[]);
    } else if let Some(benchmarks) = expected["benchmarks"].as_array() {
        guidellm(c, name, benchmarks, reading);
    } else if name.starts_with("inference-perf") {
        inference_perf(c, name, expected, reading);
    } else if name.starts_with("llmperf") {
        llmperf(c, name, expected, reading);
    } else if name.starts_with("mlperf") {
        mlperf(c, name, expected, reading);
    } else if name.starts_with("aiperf") {
        aiperf(c, name, expected, reading, 1e-9);
    } else if name.starts_with("bench_serving_seconds") {
        for (key, signal_name, statistic) in [
            ("ttft_ms_p50", "ttft", Statistic::P50),
            ("ttft_ms_p99", "ttft", Statistic::P99),
            ("e2e_ms_p99", "e2e_latency", Statistic::P99),
            ("tpot_ms_p50", "tpot", Statistic::P50),
        ] {
            let got = signal(reading, signal_name, statistic, &[]).map(|v| v * 1e3);
            c.optional(&format!("{name}.{key}"), &expected[key], got);
        }
    } else {
        serving(c, name, expected, reading, &[]);
    }
}

/// Files without expected numbers of their own say what their JSON twin says.
fn beside(c: &mut Comparison, folder: &Path, path: &Path, reading: &Reading) {
    let name = name_of(path);
    if name.contains("server_metrics") {
        for (signal_name, statistic, want) in [
            ("kv_cache_usage", Statistic::Mean, 0.4),
            ("kv_cache_usage", Statistic::Max, 0.45),
            ("running_requests", Statistic::Mean, 1.5),
            ("generation_tokens", Statistic::Total, 1079.0),
        ] {
            let got = signal(reading, signal_name, statistic, &[]);
            let got = got.map(|v| (v * 1e4).round() / 1e4);
            c.number(&format!("{name}.{signal_name}"), want, got);
        }
        c.number(&name, 58.0, samples(reading, "ttft", &[]));
        return;
    }
    let twin = path.with_extension("json");
    let file = folder
        .join("expected")
        .join(format!("{}.json", name_of(&twin)));
    let expected = json(&file);
    if name.starts_with("aiperf") {
        aiperf(c, &name, &expected, reading, 6e-3);
        return;
    }
    let twin = reading_of(&twin).expect("the twin is read");
    for s in reading.signals.iter().filter(|s| s.labels.is_empty()) {
        // The twin computes these from records that a table does not have.
        if [
            "ttft",
            "e2e_latency",
            "tpot",
            "prompt_length",
            "output_length",
        ]
        .contains(&s.name.as_str())
            && s.statistic.quantile().is_some_and(|q| q != 0.5)
        {
            continue;
        }
        let got = signal(&twin, &s.name, s.statistic, &[]);
        if s.name != "send_delay" {
            c.number(&format!("{name}.{} {}", s.name, s.statistic), s.value, got);
        }
    }
}

fn console(c: &mut Comparison, path: &str, run: &Value, reading: &Reading, number: &str) {
    let labels = [("run", number)];
    for (key, value) in run.as_object().expect("a run") {
        let lower = key.to_lowercase();
        let found = match lower.as_str() {
            "successful requests" => ("successful_requests", Statistic::Count, 1.0),
            // The line that announces the next series stands behind a block.
            "benchmark duration (s)" | "seq_length" => continue,
            "total input tokens" => ("prompt_tokens", Statistic::Total, 1.0),
            "total generated tokens" => ("generation_tokens", Statistic::Total, 1.0),
            "request throughput (req/s)" => ("request_throughput", Statistic::Rate, 1.0),
            "output token throughput (tok/s)" => {
                ("generation_token_throughput", Statistic::Rate, 1.0)
            }
            "total token throughput (tok/s)" => ("total_token_throughput", Statistic::Rate, 1.0),
            other => {
                let (word, rest) = other.split_once(' ').expect("two words");
                let name = match &rest[..3] {
                    "ttf" => "ttft",
                    "tpo" => "tpot",
                    "itl" => "itl",
                    more => panic!("{more}"),
                };
                (name, super::statistic(word).expect("a statistic"), 1e3)
            }
        };
        let (name, statistic, factor) = found;
        let got = signal(reading, name, statistic, &labels).map(|v| v * factor);
        c.optional(&format!("{path}.{key}"), value, got);
    }
}

fn guidellm(c: &mut Comparison, name: &str, benchmarks: &[Value], reading: &Reading) {
    for (i, b) in benchmarks.iter().enumerate() {
        let path = format!("{name}[{i}]");
        let load = reading
            .signals
            .iter()
            .filter_map(|s| s.labels.get("load"))
            .collect::<std::collections::BTreeSet<_>>();
        let load = load.into_iter().nth(i).map(String::as_str);
        let labels: Vec<(&str, &str)> = load.map(|l| ("load", l)).into_iter().collect();
        let with_records = !reading.distributions.is_empty();
        for (key, signal_name, factor) in [
            ("ttft_ms", "ttft", 1e-3),
            ("itl_ms", "itl", 1e-3),
            ("tpot_ms", "normalized_latency", 1e-3),
            ("request_latency_s", "e2e_latency", 1.0),
        ] {
            let mut expected = b[key].clone();
            let object = expected.as_object_mut().expect("a group");
            if with_records && ["ttft", "e2e_latency"].contains(&signal_name) {
                // The tool takes an observed value; what is computed lies between two of them.
                object.remove("p95");
                object.remove("p99");
            }
            if signal_name == "normalized_latency" {
                object.remove("count");
            }
            group(
                c,
                &format!("{path}.{key}"),
                &expected,
                reading,
                (signal_name, factor, &labels),
            );
        }
        let counts = &b["requests"];
        let good = signal(reading, "successful_requests", Statistic::Count, &labels);
        c.optional(&format!("{path}.successful"), &counts["successful"], good);
        let errors = signal(reading, "error_ratio", Statistic::Ratio, &labels);
        let all = signal(reading, "finished_requests", Statistic::Count, &labels);
        let failed = errors.zip(all).map(|(r, n)| (r * n).round());
        c.optional(&format!("{path}.errored"), &counts["errored"], failed);
        let rate = signal(
            reading,
            "generation_token_throughput",
            Statistic::Rate,
            &labels,
        );
        c.optional(
            &format!("{path}.rate"),
            &b["output_tokens_per_second_mean"],
            rate,
        );
    }
}
