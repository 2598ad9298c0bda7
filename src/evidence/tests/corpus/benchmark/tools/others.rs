//! Tools whose files have keys of their own.

use super::super::super::frame::Comparison;
use super::super::{group, signal};
use pel_evidence::{Reading, Statistic};
use serde_json::Value;

pub fn inference_perf(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    for (key, signal_name) in [
        ("ttft_s", "ttft"),
        ("itl_s", "itl"),
        ("e2e_s", "e2e_latency"),
    ] {
        group(
            c,
            &format!("{name}.{key}"),
            &expected[key],
            reading,
            (signal_name, 1.0, &[]),
        );
    }
    group(
        c,
        &format!("{name}.delay"),
        &expected["load"]["schedule_delay"],
        reading,
        ("send_delay", 1.0, &[]),
    );
    let throughput = &expected["throughput"];
    for (key, signal_name) in [
        ("input_tokens_per_sec", "prompt_token_throughput"),
        ("output_tokens_per_sec", "generation_token_throughput"),
        ("total_tokens_per_sec", "total_token_throughput"),
        ("requests_per_sec", "request_throughput"),
    ] {
        if let Some(value) = throughput.get(key) {
            let got = signal(reading, signal_name, Statistic::Rate, &[]);
            c.optional(&format!("{name}.{key}"), value, got);
        }
    }
    for (key, signal_name) in [
        ("requested_rate", "offered_rate"),
        ("achieved_rate", "send_rate"),
    ] {
        if let Some(value) = expected["load"].get(key) {
            let got = signal(reading, signal_name, Statistic::Rate, &[]);
            c.optional(&format!("{name}.{key}"), value, got);
        }
    }
    if !expected["failures"].is_null() {
        let good = signal(reading, "successful_requests", Statistic::Count, &[]);
        c.optional(&format!("{name}.successes"), &expected["successes"], good);
    }
}

pub fn llmperf(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    for (key, value) in expected.as_object().expect("an object") {
        let path = format!("{name}.{key}");
        match key.as_str() {
            "ttft_s" => group(c, &path, value, reading, ("ttft", 1.0, &[])),
            "e2e_s" => group(c, &path, value, reading, ("e2e_latency", 1.0, &[])),
            "records" | "results_num_requests_started" => {
                let got = signal(reading, "finished_requests", Statistic::Count, &[]);
                c.optional(&path, value, got);
            }
            "results_num_completed_requests" => {
                let got = signal(reading, "successful_requests", Statistic::Count, &[]);
                c.optional(&path, value, got);
            }
            "errors" | "results_error_rate" => {
                let got = signal(reading, "error_ratio", Statistic::Ratio, &[]);
                c.optional(&path, value, got);
            }
            "results_num_completed_requests_per_min" => {
                let got = signal(reading, "request_throughput", Statistic::Rate, &[]);
                c.optional(&path, value, got.map(|v| v * 60.0));
            }
            other => {
                let rest = other.strip_prefix("results_").unwrap_or(other);
                let found = [
                    ("ttft_s_", "ttft"),
                    ("end_to_end_latency_s_", "e2e_latency"),
                    ("inter_token_latency_s_", "normalized_latency"),
                ]
                .into_iter()
                .find_map(|(prefix, name)| {
                    let word = rest.strip_prefix(prefix)?.trim_start_matches("quantiles_");
                    Some((name, super::super::statistic(word)?))
                });
                match found {
                    Some((signal_name, statistic)) => {
                        let got = signal(reading, signal_name, statistic, &[]);
                        c.optional(&path, value, got);
                    }
                    None => c.left(key),
                }
            }
        }
    }
}

pub fn mlperf(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading) {
    let values = expected.get("values").unwrap_or(expected);
    for (key, value) in values.as_object().expect("an object") {
        let number = match value {
            Value::String(text) => text.parse().ok(),
            other => other.as_f64(),
        };
        let lower = key.to_lowercase().replace(' ', "_");
        let timed = lower.contains("(ns)") || lower.contains("_ns") || lower.contains("to_output");
        let limit =
            lower.starts_with("ttft") || lower.starts_with("tpot") || lower.starts_with("target");
        let signal_name = match lower.as_str() {
            l if l.contains("first_token") => "ttft",
            l if l.contains("output_token") => "tpot",
            _ => "e2e_latency",
        };
        let (Some(number), true, false) = (number, timed, limit) else {
            continue;
        };
        let word = lower
            .split('_')
            .find_map(|part| {
                let plain = part.trim_end_matches("th");
                ["min", "max", "mean"]
                    .contains(&part)
                    .then(|| part.to_owned())
                    .or_else(|| plain.parse::<f64>().ok().map(|p| format!("p{p}")))
            })
            .expect("a statistic");
        let statistic: Statistic = word.parse().expect("a statistic");
        let got = signal(reading, signal_name, statistic, &[]).map(|v| v / 1e-9);
        c.number(&format!("{name}.{key}"), number, got);
    }
    for (key, signal_name) in [
        ("Completed samples per second", "request_throughput"),
        ("result_completed_samples_per_sec", "request_throughput"),
        ("Scheduled samples per second", "send_rate"),
        ("result_scheduled_samples_per_sec", "send_rate"),
        ("Completed tokens per second", "generation_token_throughput"),
        (
            "result_completed_tokens_per_second",
            "generation_token_throughput",
        ),
    ] {
        let want = values.get(key).and_then(|v| match v {
            Value::String(text) => text.parse().ok(),
            other => other.as_f64(),
        });
        if let Some(want) = want {
            let got = signal(reading, signal_name, Statistic::Rate, &[]);
            c.number(&format!("{name}.{key}"), want, got);
        }
    }
    let verdict = values.get("Result is").or(values.get("result_validity"));
    let invalid = verdict.and_then(Value::as_str) == Some("INVALID");
    let noted = reading
        .notes
        .iter()
        .any(|n| n.code == "bench-mlperf-invalid");
    c.equal(&format!("{name}.verdict"), invalid, noted);
}

pub fn aiperf(c: &mut Comparison, name: &str, expected: &Value, reading: &Reading, slack: f64) {
    for (metric, value) in expected.as_object().expect("metrics") {
        let (signal_name, factor) = match metric.as_str() {
            "request_latency" => ("e2e_latency", 1e-3),
            "time_to_first_token" => ("ttft", 1e-3),
            "time_to_second_token" => ("time_to_second_token", 1e-3),
            "inter_token_latency" => ("tpot", 1e-3),
            "inter_chunk_latency" => ("itl", 1e-3),
            "output_sequence_length" => ("output_length", 1.0),
            "input_sequence_length" => ("prompt_length", 1.0),
            "credit_to_start_latency" => ("send_delay", 1e-3),
            "request_throughput" => ("request_throughput", 0.0),
            "output_token_throughput" => ("generation_token_throughput", 0.0),
            "goodput" => ("goodput", 0.0),
            "request_count" => {
                let got = signal(reading, "successful_requests", Statistic::Count, &[]);
                c.optional(&format!("{name}.{metric}"), &value["avg"], got);
                continue;
            }
            "how" => continue,
            _ => {
                c.left("unmapped");
                continue;
            }
        };
        for (word, number) in value.as_object().expect("statistics") {
            let Some(want) = number.as_f64() else {
                continue;
            };
            let statistic = match factor {
                0.0 => Statistic::Rate,
                _ => super::super::statistic(word).expect("a statistic"),
            };
            let got = signal(reading, signal_name, statistic, &[]);
            let got = got.map(|v| if factor == 0.0 { v } else { v / factor });
            // A table is rounded to two places.
            let got = got.map(|g| {
                if slack > 1e-9 && (g - want).abs() <= slack {
                    want
                } else {
                    g
                }
            });
            c.number(&format!("{name}.{metric}.{word}"), want, got);
        }
    }
}
