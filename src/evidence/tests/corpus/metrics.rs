//! Answers of a Prometheus server (`serving/prom_api`), files typed from documents
//! (`serving/handwritten`), and two scrapes of a Triton server (`perf_analyzer`).

use super::frame::{Comparison, files, folder, json, name_of};
use pel_evidence::{Kind, Options, Reading, Refusal, Signal, Source, Statistic, prometheus, read};
use serde_json::Value;
use std::path::Path;

const NOT_COMPARED: &[(&str, &str)] = &[("how", "prose")];

fn read_at(paths: &[&Path], options: &Options) -> Result<Reading, Refusal> {
    let sources: Vec<Source> = paths.iter().map(Source::at).collect();
    read(&sources, options)
}

/// The value of a signal with this label, or of one without labels.
fn labelled(
    reading: &Reading,
    name: &str,
    statistic: Statistic,
    label: Option<(&str, &str)>,
) -> Option<f64> {
    let is_it = |s: &&Signal| {
        let given = label.map_or_else(
            || s.labels.is_empty(),
            |(key, value)| s.labels.get(key).map(String::as_str) == Some(value),
        );
        s.name == name && s.statistic == statistic && given
    };
    reading.signals.iter().find(is_it).map(|s| s.value)
}

/// What becomes of an answer: a kind, or the refusal it must get.
fn fate(name: &str) -> Result<Kind, &'static str> {
    match name {
        "query_empty_result.json" => Err("prometheus-empty-answer"),
        "query_error_parse.json" => Err("web-error-page"),
        "query_range_preemption_rate.json" | "query_range_ttft_p95.json" => {
            Err("prometheus-expression")
        }
        _ => Ok(Kind::VllmMetrics),
    }
}

/// `serving/prom_api`.
pub fn answers() {
    let Some(folder) = folder("serving/prom_api") else {
        return;
    };
    let mut c = Comparison::of("serving/prom_api");
    for path in files(&folder) {
        let name = name_of(&path);
        let got = read_at(&[&path], &Options::default());
        match (&got, fate(&name)) {
            (Ok(reading), Ok(kind)) => {
                c.read_file();
                c.equal(&name, kind, reading.kind);
                one_answer(&mut c, &name, reading);
            }
            (Err(refusal), Err(code)) => {
                c.refused_file();
                c.equal(&name, code, refusal.code.as_str());
            }
            (got, fate) => c.difference(&name, format!("expected {fate:?}, got {got:?}")),
        }
        let expected = folder.join("expected").join(format!("{name}.json"));
        if !expected.is_file() {
            continue;
        }
        let expected = json(&expected);
        let source = Source::at(&path);
        let mut reader = prometheus::Reader::default();
        let scanned = prometheus::read_source(&mut reader, &source, &mut |_| Ok(()));
        let error = scanned.err();
        let tally = reader.tally();
        for (key, want) in expected.as_object().expect("an object") {
            let at = format!("{name}.{key}");
            let extent = &tally.extent;
            let number = match key.as_str() {
                "series" => Some(tally.unnamed as f64 + reader.table().series().len() as f64),
                "points" => Some(tally.samples as f64),
                "non_finite" => Some(0.0),
                "max" => extent.values.map(|v| v.1),
                "min" => extent.values.map(|v| v.0),
                "first_ts" => extent.times.map(|v| v.0),
                "last_ts" => extent.times.map(|v| v.1),
                "status" => {
                    c.equal(&at, want == "error", error.is_some());
                    continue;
                }
                "resultType" => {
                    c.equal(&at, 1, tally.answers);
                    continue;
                }
                "error" => {
                    let quote = error.as_ref().and_then(|e| e.args.get("quote")).cloned();
                    c.equal(&at, want.as_str().map(str::to_owned), quote);
                    continue;
                }
                _ => {
                    c.left(key);
                    continue;
                }
            };
            c.optional(&at, want, number);
        }
    }
    c.finish(NOT_COMPARED);
}

/// What the answers hold, summed by hand from the files.
fn one_answer(c: &mut Comparison, name: &str, reading: &Reading) {
    let value = |signal, statistic| reading.value(signal, statistic);
    let seconds = reading.window.as_ref().and_then(|w| w.seconds);
    match name {
        "query_matrix_range_selector.json" => {
            c.number(name, 120.0, seconds);
            let greatest = value("kv_cache_usage", Statistic::Max);
            c.number(name, 0.992_727_272_727_272_7, greatest);
        }
        "query_range_raw_gauges.json" => {
            c.number(name, 210.0, seconds);
            c.number(name, 18.0, value("running_requests", Statistic::Last));
            c.number(name, 19.0, value("running_requests", Statistic::Max));
            c.number(name, 187.0, value("waiting_requests", Statistic::Last));
        }
        "promtool_query_range.txt" => {
            c.number(name, 210.0, seconds);
            let last = 187.0 + 532.0 + 544.0;
            c.number(name, last, value("waiting_requests", Statistic::Last));
        }
        _ => {}
    }
}

/// `serving/handwritten`.
pub fn handwritten() {
    let Some(folder) = folder("serving/handwritten") else {
        return;
    };
    let mut c = Comparison::of("serving/handwritten");
    let expected = json(&folder.join("expected/handwritten.json"));
    for (key, file, kind) in [
        ("triton", "triton_server_metrics.prom", Kind::EngineMetrics),
        ("llamacpp", "llamacpp_metrics.prom", Kind::EngineMetrics),
        ("dmon", "nvidia_smi_dmon.txt", Kind::NvidiaSmi),
        ("smi_query", "nvidia_smi_query.csv", Kind::NvidiaSmi),
    ] {
        let path = folder.join(file);
        let reading = match read_at(&[&path], &Options::default()) {
            Ok(reading) => reading,
            Err(refusal) => {
                c.difference(file, format!("refused: {refusal:?}"));
                continue;
            }
        };
        c.read_file();
        c.equal(file, kind, reading.kind);
        for (name, want) in expected[key].as_object().expect("an object") {
            let at = format!("{key}.{name}");
            let got = handwritten_value(&reading, name);
            // Some of these are rounded.
            let digits = if name.ends_with("tok_s") { 2 } else { 4 };
            c.optional(&at, want, got.map(|v| rounded(v, digits)));
        }
    }
    c.left("how");
    c.finish(NOT_COMPARED);
}

fn rounded(value: f64, digits: i32) -> f64 {
    let factor = 10f64.powi(digits);
    (value * factor).round() / factor
}

fn handwritten_value(reading: &Reading, name: &str) -> Option<f64> {
    let mean = |signal| reading.value(signal, Statistic::Mean);
    let gpu = |signal, statistic, gpu| labelled(reading, signal, statistic, Some(("gpu", gpu)));
    match name {
        "mean_queue_ms" => mean("queue_time").map(|v| v * 1e3),
        "mean_compute_infer_ms" => mean("server_compute_infer_time").map(|v| v * 1e3),
        "mean_request_ms" => mean("e2e_latency").map(|v| v * 1e3),
        "mean_batch" => mean("batch_size"),
        "queue_share_of_request" => reading.value("queue_time_share", Statistic::Ratio),
        "failures" => {
            let total = |signal| reading.value(signal, Statistic::Total);
            let finished = total("finished_requests")?;
            Some(finished - total("accepted_requests")? + total("admission_rejections")?)
        }
        "prefill_tok_s" => mean("prefill_token_speed"),
        "decode_tok_s" => mean("decode_token_speed"),
        "deferred" => reading.value("waiting_requests", Statistic::Last),
        "rows" => {
            let mut gpus = std::collections::BTreeMap::new();
            let util = |s: &&Signal| s.name == "gpu_device_utilization";
            for signal in reading.signals.iter().filter(util) {
                let n = signal.samples.unwrap_or(1);
                let known = gpus.entry(signal.labels["gpu"].clone()).or_insert(n);
                *known = n.max(*known);
            }
            Some(gpus.values().sum::<u64>() as f64)
        }
        "gpu0_sm_mean" | "util_mean" => {
            gpu("gpu_device_utilization", Statistic::Mean, "0").map(|v| v * 100.0)
        }
        "gpu1_power" => gpu("gpu_power", Statistic::Last, "1"),
        "power_mean_W" => gpu("gpu_power", Statistic::Last, "0"),
        _ => panic!("{name} cannot be mapped"),
    }
}

/// Two scrapes of a Triton server, model by model.
pub fn triton() {
    let Some(folder) = folder("perf_analyzer") else {
        return;
    };
    let mut c = Comparison::of("perf_analyzer, Triton's metrics");
    let expected = json(&folder.join("expected/syn_triton_metrics_t0_t1.json"));
    let pair = [
        "syn_triton_metrics_t0.prom",
        "syn_triton_metrics_t1_30s.prom",
    ];
    let [before, after] = pair.map(|name| folder.join(name));
    let options = Options {
        interval_seconds: Some(30.0),
        ..Options::default()
    };
    let reading = read_at(&[&before, &after], &options).expect("two scrapes");
    c.read_file();
    c.read_file();
    for (name, want) in expected["models"].as_object().expect("models") {
        let model = name.split(':').next().unwrap_or_default();
        let of = |signal: &str, statistic: Statistic| {
            labelled(&reading, signal, statistic, Some(("model", model)))
        };
        for (key, want) in want.as_object().expect("an object") {
            one_of_triton(&mut c, &format!("{name}.{key}"), key, want, &of);
        }
    }
    c.left("how");
    c.finish(NOT_COMPARED);
}

fn one_of_triton(
    c: &mut Comparison,
    at: &str,
    key: &str,
    want: &Value,
    of: &dyn Fn(&str, Statistic) -> Option<f64>,
) {
    let micros = |signal| of(signal, Statistic::Mean).map(|v| v * 1e6);
    let got = match key {
        "requests" => of("accepted_requests", Statistic::Total),
        "requests_per_s_30s" => of("accepted_throughput", Statistic::Rate),
        "avg_request_us" => micros("e2e_latency"),
        "avg_queue_us" => micros("queue_time"),
        "avg_compute_infer_us" => micros("server_compute_infer_time"),
        "queue_share" => of("queue_time_share", Statistic::Ratio),
        "mean_batch" => of("batch_size", Statistic::Mean),
        "pending_now" => of("waiting_requests", Statistic::Last),
        "rejected" => of("admission_rejections", Statistic::Total),
        _ => return c.left(key),
    };
    c.optional(at, want, got);
}
