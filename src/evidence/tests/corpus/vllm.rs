//! vLLM metrics and Prometheus text against `serving/engine_metrics`, `serving/odd` and
//! `serving/prom_parser`.

use super::frame::{Comparison, files, folder, json, name_of};
use pel_evidence::{
    Bound, Cell, Options, Reading, Refusal, Signal, Source, Statistic, prometheus, read,
};
use serde_json::Value;
use std::path::Path;

const NOT_COMPARED: &[(&str, &str)] = &[
    ("how", "prose"),
    ("note", "prose"),
    (
        "injected_cause",
        "the cause put into the simulation, judged by the ladder",
    ),
    (
        "request_level_truth",
        "per-request figures of the simulation, which no scrape carries",
    ),
    (
        "preemptions_per_s",
        "no such signal; the increase and the window are compared",
    ),
    ("strict_parser", "verdict of another, stricter parser"),
    ("prometheus_client", "verdict of another parser"),
    ("error", "class name in another parser"),
    (
        "sample_like_lines",
        "a rough count by pattern, where the strict parser's exact count is given too",
    ),
    (
        "bucket of a missing quantile",
        "the histogram has no +Inf bucket, so there is no rank to place",
    ),
    (
        "families of a late declaration",
        "the other parser counts a family twice when its type follows its sample",
    ),
    (
        "samples of a rejected line",
        "a third number after the value: the Go parser rejects it, as we do; the Python one keeps it",
    ),
];

const HISTOGRAMS: [(&str, &str); 12] = [
    ("ttft", "ttft"),
    ("itl", "itl"),
    ("e2e", "e2e_latency"),
    ("queue_time", "queue_time"),
    ("prefill_time", "prefill_time"),
    ("decode_time", "decode_time"),
    ("inference_time", "inference_time"),
    ("prompt_len", "prompt_length"),
    ("output_len", "output_length"),
    ("iteration_tokens", "iteration_tokens"),
    ("prefill_computed_tokens", "prefill_computed_tokens"),
    ("preemptions_per_request", "preemptions_per_request"),
];

/// A reading, looked at through one engine or as a whole.
struct View<'a> {
    reading: &'a Reading,
    engine: Option<&'a str>,
}

impl View<'_> {
    fn signal(&self, name: &str, statistic: Statistic) -> Option<&Signal> {
        self.reading.signals.iter().find(|s| {
            s.name == name
                && s.statistic == statistic
                && s.labels.get("engine").map(String::as_str) == self.engine
                && s.labels.len() == usize::from(self.engine.is_some())
        })
    }

    fn value(&self, name: &str, statistic: Statistic) -> Option<f64> {
        self.signal(name, statistic).map(|s| s.value)
    }

    /// A cell of a figure, in the row that begins with `row`.
    fn cell(&self, figure: &str, row: &str, column: usize) -> Option<f64> {
        let figure = self.reading.figures.iter().find(|f| f.id == figure)?;
        let is_row = |cells: &&Vec<Cell>| cells[0] == Cell::Text(row.to_owned());
        match figure.rows.iter().find(is_row)?.get(column)? {
            Cell::Number(n) => Some(*n),
            _ => None,
        }
    }

    fn finished(&self, reason: &str) -> Option<f64> {
        if self.engine.is_none() {
            return self.cell("vllm-finished", reason, 1);
        }
        let finished = self.value("finished_requests", Statistic::Total)?;
        let share = |name: &str| {
            let ratio = self.value(name, Statistic::Ratio)?;
            Some((ratio * finished).round())
        };
        match reason {
            "length" => share("length_limited_ratio"),
            "abort" => share("aborted_ratio"),
            "error" => share("error_ratio"),
            "stop" => {
                let accepted = self.value("accepted_requests", Statistic::Total)?;
                Some(accepted - share("length_limited_ratio")?)
            }
            _ => None,
        }
    }
}

fn read_at(paths: &[&Path], options: &Options) -> Result<Reading, Refusal> {
    let sources: Vec<Source> = paths.iter().map(Source::at).collect();
    read(&sources, options)
}

/// `serving/engine_metrics`: every scrape alone and every pair.
pub fn engine_metrics() {
    let Some(folder) = folder("serving/engine_metrics") else {
        return;
    };
    let mut c = Comparison::of("serving/engine_metrics");
    for path in files(&folder.join("expected")) {
        let expected = json(&path);
        c.left("how");
        c.left("injected_cause");
        c.left("request_level_truth");
        let scrapes = expected["scrapes"].as_array().cloned().unwrap_or_default();
        if scrapes.is_empty() {
            c.difference(&name_of(&path), "no scrapes in the expected file");
        }
        let mut previous: Option<String> = None;
        for scrape in &scrapes {
            let name = scrape["file"].as_str().unwrap_or_default().to_owned();
            let file = folder.join(&name);
            if name.starts_with("sglang") {
                sglang_is_refused(&mut c, &name, &file);
                continue;
            }
            c.read_file();
            one_scrape(&mut c, &name, &file, scrape);
            if let Some(before) = previous.replace(name.clone()) {
                pair(&mut c, &name, &folder.join(before), &file, scrape);
            }
        }
    }
    c.finish(NOT_COMPARED);
}

/// SGLang is not supported yet: its files must be refused by the engine's name.
fn sglang_is_refused(c: &mut Comparison, name: &str, file: &Path) {
    match read_at(&[file], &Options::default()) {
        Err(r) if r.code == "metrics-engine-not-read" && r.args["engine"] == "SGLang" => {
            c.refused_file();
        }
        other => c.difference(
            name,
            format!("expected a refusal naming SGLang, got {other:?}"),
        ),
    }
}

fn one_scrape(c: &mut Comparison, name: &str, file: &Path, expected: &Value) {
    let summary = prometheus::scan(&Source::at(file)).expect("a readable file");
    for (key, got) in [("series", summary.series), ("families", summary.families)] {
        c.optional(&format!("{name}.{key}"), &expected[key], Some(got as f64));
    }
    match read_at(&[file], &Options::default()) {
        Err(refusal) => c.difference(name, format!("refused: {refusal:?}")),
        Ok(reading) => {
            let view = View {
                reading: &reading,
                engine: None,
            };
            let engines = expected["engines"].as_array().map_or(0, Vec::len);
            let count = view.value("engine_count", Statistic::Last);
            c.number(&format!("{name}.engines"), engines.max(1) as f64, count);
            let models: Vec<&str> = expected["models"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let model = reading.environment.get("model").cloned();
            c.equal(&format!("{name}.models"), Some(models.join(", ")), model);
            numbers(
                c,
                &format!("{name}.since_start"),
                &expected["since_start"],
                &view,
            );
        }
    }
}

fn pair(c: &mut Comparison, name: &str, before: &Path, file: &Path, expected: &Value) {
    let window = &expected["window_from_previous"];
    let options = Options {
        interval_seconds: window["window_s"].as_f64(),
        ..Options::default()
    };
    let reading = match read_at(&[before, file], &options) {
        Ok(reading) => reading,
        Err(refusal) => return c.difference(name, format!("refused: {refusal:?}")),
    };
    let whole = View {
        reading: &reading,
        engine: None,
    };
    numbers(c, &format!("{name}.window"), window, &whole);
    let by_engine = expected["window_by_engine"].as_object();
    for (engine, expected) in by_engine.into_iter().flatten() {
        let view = View {
            reading: &reading,
            engine: Some(engine),
        };
        numbers(c, &format!("{name}.engine {engine}"), expected, &view);
    }
}

fn numbers(c: &mut Comparison, path: &str, expected: &Value, view: &View<'_>) {
    let Some(keys) = expected.as_object() else {
        return c.difference(path, "expected an object");
    };
    for (key, want) in keys {
        let at = format!("{path}.{key}");
        let window = view.reading.window.as_ref().and_then(|w| w.seconds);
        let simple = match key.as_str() {
            "window_s" => window,
            "running" => view.value("running_requests", Statistic::Last),
            "waiting" => view.value("waiting_requests", Statistic::Last),
            "kv_usage_max" => view.value("kv_cache_usage", Statistic::Last),
            "preemptions" => view.value("preemptions", Statistic::Total),
            "prompt_tokens" => view.value("prompt_tokens", Statistic::Total),
            "generation_tokens" => view.value("generation_tokens", Statistic::Total),
            "prefix_hit_ratio" => view.value("prefix_cache_hit_ratio", Statistic::Ratio),
            "prompt_tokens_per_s" => view.value("prompt_token_throughput", Statistic::Rate),
            "generation_tokens_per_s" => view.value("generation_token_throughput", Statistic::Rate),
            "finished_by_reason" => {
                for (reason, n) in want.as_object().into_iter().flatten() {
                    c.optional(&format!("{at}.{reason}"), n, view.finished(reason));
                }
                continue;
            }
            _ => match HISTOGRAMS.iter().find(|(k, _)| k == key) {
                Some((_, signal)) => {
                    histogram(c, &at, want, view, signal);
                    continue;
                }
                None => {
                    c.left(key);
                    continue;
                }
            },
        };
        c.optional(&at, want, simple);
    }
}

fn histogram(c: &mut Comparison, path: &str, expected: &Value, view: &View<'_>, signal: &str) {
    let mean = view.signal(signal, Statistic::Mean);
    let Some(keys) = expected.as_object() else {
        return c.optional(path, expected, mean.map(|s| s.value));
    };
    let count = mean.and_then(|s| s.samples).map(|n| n as f64);
    let none = expected["count"].as_f64() == Some(0.0);
    for (key, want) in keys {
        let at = format!("{path}.{key}");
        match key.as_str() {
            "count" | "sum" if none => c.absent(&at, count),
            "count" => c.optional(&at, want, count),
            "sum" => {
                let figures = ["vllm-quantiles", "vllm-token-quantiles"];
                let whole = view.engine.is_none();
                let cell = figures.iter().find_map(|f| view.cell(f, signal, 2));
                let product = mean.map(|s| s.value).zip(count).map(|(m, n)| m * n);
                c.optional(&at, want, cell.filter(|_| whole).or(product));
            }
            "mean" => c.optional(&at, want, mean.map(|s| s.value)),
            _ => quantile(c, &at, key, expected, view, signal),
        }
    }
}

fn quantile(c: &mut Comparison, at: &str, key: &str, all: &Value, view: &View<'_>, signal: &str) {
    let (name, is_bucket) = match key.strip_suffix("_bucket") {
        Some(name) => (name, true),
        None => (key, false),
    };
    let Ok(statistic) = name.parse::<Statistic>() else {
        return c.difference(at, "a key that cannot be mapped");
    };
    let got = view.signal(signal, statistic);
    if !is_bucket {
        return c.optional(at, &all[name], got.map(|s| s.value));
    }
    if all[name].is_null() && !all[key].is_null() {
        return c.left("bucket of a missing quantile");
    }
    let edges = got.map(|s| match s.bound {
        Bound::Bucket { low, high } => (low, high),
        Bound::AtLeast => (s.value, f64::INFINITY),
        _ => (f64::NAN, f64::NAN),
    });
    c.optional(&format!("{at}[0]"), &all[key][0], edges.map(|e| e.0));
    c.optional(&format!("{at}[1]"), &all[key][1], edges.map(|e| e.1));
}

/// What becomes of a file of `serving/odd` when it is read.
fn fate(name: &str) -> Option<&'static str> {
    match name {
        "empty.prom" => Some("empty"),
        "html_404.prom" | "json_detail.prom" => Some("web-error-page"),
        "only_comments.prom" => Some("metrics-no-sample"),
        "escapes_and_spacing.prom" => Some("metrics-without-engine"),
        _ => None,
    }
}

/// `serving/odd`: broken and unusual inputs.
pub fn odd() {
    let Some(folder) = folder("serving/odd") else {
        return;
    };
    let mut c = Comparison::of("serving/odd");
    for file in files(&folder) {
        let name = name_of(&file);
        let expected = json(&folder.join("expected").join(format!("{name}.json")));
        let summary = prometheus::scan(&Source::at(&file)).expect("a readable file");
        let before = folder.join("counter_reset.t0.prom");
        let pair = [before.as_path(), file.as_path()];
        let paths = if name == "counter_reset.t1.prom" {
            &pair[..]
        } else {
            &pair[1..]
        };
        let read = read_at(paths, &Options::default());
        match (&read, fate(&name)) {
            (Ok(_), None) => c.read_file(),
            (Err(refusal), Some(code)) if refusal.code == code => c.refused_file(),
            (other, fate) => c.difference(&name, format!("expected {fate:?}, got {other:?}")),
        }
        let accepts = expected["strict_parser"] == "accepts";
        for (key, want) in expected.as_object().expect("an object") {
            let at = format!("{name}.{key}");
            let view = read.as_ref().ok().map(|reading| View {
                reading,
                engine: None,
            });
            let samples = Some(summary.tally.samples as f64);
            match (key.as_str(), view) {
                ("bytes", Some(view)) => {
                    let last = view.reading.files.last().map(|f| f.bytes as f64);
                    c.optional(&at, want, last);
                }
                ("bytes", None) => {
                    let length = std::fs::metadata(&file).map(|m| m.len() as f64);
                    c.optional(&at, want, length.ok());
                }
                ("gzip", _) => {
                    let packed =
                        pel_evidence::input::open(&Source::at(&file)).is_ok_and(|o| o.packed);
                    c.equal(&at, want.as_bool(), Some(packed));
                }
                ("samples", _) => c.optional(&at, want, samples),
                ("sample_like_lines", _) if !accepts => c.optional(&at, want, samples),
                ("scrapes", _) => c.optional(&at, want, Some(summary.tally.scrapes as f64)),
                ("ttft", Some(view)) => histogram(&mut c, &at, want, &view, "ttft"),
                ("generation_tokens_increase", Some(view)) => {
                    let got = view.value("generation_tokens", Statistic::Total);
                    c.optional(&at, want, got);
                }
                _ => c.left(key),
            }
        }
    }
    c.finish(NOT_COMPARED);
}

/// `serving/prom_parser`: inputs of an upstream parser's own tests.
pub fn prom_parser() {
    let Some(folder) = folder("serving/prom_parser") else {
        return;
    };
    let mut c = Comparison::of("serving/prom_parser");
    for file in files(&folder) {
        let name = name_of(&file);
        let expected = json(&folder.join("expected").join(format!("{name}.json")));
        let summary = prometheus::scan(&Source::at(&file)).expect("a readable file");
        c.read_file();
        for (key, want) in expected.as_object().expect("an object") {
            let at = format!("{name}.{key}");
            let rejected_line = name == "fuzz_from_test_parse_error_10.txt";
            match key.as_str() {
                "samples" | "families" if rejected_line => {
                    c.equal(&at, 1, summary.tally.skipped);
                    c.left("samples of a rejected line");
                }
                "samples" => c.optional(&at, want, Some(summary.tally.samples as f64)),
                "families" if name == "fuzz_from_test_parse_error_14.txt" => {
                    c.equal(&at, 1, summary.families);
                    c.left("families of a late declaration");
                }
                "families" => c.optional(&at, want, Some(summary.families as f64)),
                // Both parsers reject it: nothing may be taken from it.
                "go_parser" if expected["prometheus_client"] == "rejects" => {
                    c.equal(&at, 0, summary.tally.samples);
                }
                // Lines that the upstream parser accepts may not be passed over.
                "go_parser" if want == "must accept" => {
                    c.equal(&at, 0, summary.tally.skipped);
                }
                // The upstream parser refuses the whole file for its order; lines still count.
                "go_parser" => {}
                _ => c.left(key),
            }
        }
    }
    c.finish(NOT_COMPARED);
}
