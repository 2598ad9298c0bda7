//! Results of the serving benchmarks of vLLM (`vllm bench serve`, `benchmark_serving.py`) and
//! SGLang (`bench_serving`), and of vLLM's offline ones: one flat object per run.
//!
//! Keys are `<statistic>_<metric>_ms`. A public fork writes seconds and drops the ending; the unit
//! is then told from the length of the run, which no request outlasts.

use super::{
    flat::{Flat, Leaf},
    requests::Columns,
    run::{Results, Rule, Run, statistic},
};
use crate::{NoteLevel, Statistic};

/// Which of these benchmarks an object is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// vLLM's serving benchmark or a fork of it.
    Vllm,
    /// SGLang's.
    Sglang,
    /// `vllm bench latency`.
    Latency,
    /// `vllm bench throughput`.
    Throughput,
}

/// Keys that a serving result has, of which two make it one.
const SERVING: [&str; 9] = [
    "request_throughput",
    "output_throughput",
    "total_token_throughput",
    "total_throughput",
    "total_input_tokens",
    "total_output_tokens",
    "num_prompts",
    "request_rate",
    "completed",
];

/// Keys that only SGLang writes.
const SGLANG: [&str; 4] = [
    "total_output_tokens_retokenized",
    "accept_length",
    "mean_e2e_latency_ms",
    "sharegpt_output_len",
];

/// Which form an object with these top-level keys has, if any. `has` answers for a key.
pub fn form(has: &dyn Fn(&str) -> bool) -> Option<Form> {
    if has("avg_latency") && (has("percentiles") || has("latencies")) {
        return Some(Form::Latency);
    }
    if has("elapsed_time") && has("num_requests") {
        let more = [
            "requests_per_second",
            "tokens_per_second",
            "total_num_tokens",
        ];
        return more.iter().any(|k| has(k)).then_some(Form::Throughput);
    }
    let found = SERVING.iter().filter(|k| has(k)).count();
    // The arrays may come before most of the sums.
    let arrays = has("ttfts") && (has("itls") || has("output_lens"));
    if found < 2 && !arrays {
        return None;
    }
    let sglang = SGLANG.iter().any(|k| has(k));
    Some(if sglang { Form::Sglang } else { Form::Vllm })
}

/// The run of one object.
pub fn results(form: Form, flat: &Flat, columns: Columns) -> Results {
    match form {
        Form::Latency => latency(flat, columns),
        Form::Throughput => throughput(flat),
        Form::Vllm => {
            Results::of("vLLM serving benchmark", Rule::Linear).with(vec![serving(flat, columns)])
        }
        Form::Sglang => {
            Results::of("SGLang bench_serving", Rule::Linear).with(vec![serving(flat, columns)])
        }
    }
}

fn metric(name: &str) -> Option<&'static str> {
    Some(match name {
        "ttft" => "ttft",
        "tpot" => "tpot",
        "itl" => "itl",
        "e2el" | "e2e" | "e2e_latency" | "latency" | "request_latency" => "e2e_latency",
        "client_queue_time" | "queue_time" | "client_queue" => "send_delay",
        "server_queue_time" => "queue_time",
        _ => return None,
    })
}

/// A key taken apart: statistic, signal, and the factor of its unit when the key states one.
fn taken_apart(key: &str) -> Option<(Statistic, &'static str, Option<f64>)> {
    let (rest, factor) = [("_ms", 1e-3), ("_us", 1e-6), ("_s", 1.0)]
        .into_iter()
        .find_map(|(end, f)| Some((key.strip_suffix(end)?, Some(f))))
        .unwrap_or((key, None));
    let (word, name) = rest.split_once('_')?;
    Some((statistic(word)?, metric(name)?, factor))
}

fn serving(flat: &Flat, columns: Columns) -> Run {
    let mut run = Run {
        duration: flat.number("duration").filter(|d| *d > 0.0),
        completed: flat.count("completed"),
        failed: flat.count("failed"),
        planned: flat.count("num_prompts"),
        concurrency: flat.number("max_concurrency").filter(|c| *c > 0.0),
        name: ["label", "tag"]
            .iter()
            .find_map(|k| flat.text(k))
            .map(str::to_owned),
        ..Run::default()
    };
    rate(flat, &mut run);
    facts(flat, &mut run);
    latencies(flat, &mut run);
    sums(flat, &mut run);
    if run.completed == Some(0) {
        // The tool prints zeros for latencies that nobody had.
        ["ttft", "tpot", "itl", "e2e_latency"]
            .into_iter()
            .for_each(|name| run.forget(name));
    }
    run.prompts = run
        .planned
        .zip(flat.count("total_input_tokens"))
        .map(|(n, t)| {
            let seed = flat
                .number("seed")
                .map_or(String::new(), |s| format!("#{s}"));
            format!("{n}/{t}{seed}")
        });
    columns.settle(&mut run);
    run
}

fn rate(flat: &Flat, run: &mut Run) {
    match flat.get("request_rate") {
        Some(Leaf::Number(r)) if r.is_finite() && *r > 0.0 => run.rate = Some(*r),
        Some(Leaf::Number(r)) if r.is_infinite() && *r > 0.0 => run.unlimited = true,
        Some(Leaf::Text(t)) if t.trim().eq_ignore_ascii_case("inf") => run.unlimited = true,
        Some(Leaf::Text(t)) => run.rate = t.trim().parse().ok().filter(|r| *r > 0.0),
        _ => {}
    }
    if flat.has("ramp_up_strategy") && flat.text("ramp_up_strategy").is_some() {
        run.note(NoteLevel::Warning, "bench-ramp-up", &[]);
    }
}

fn facts(flat: &Flat, run: &mut Run) {
    run.fact("model", flat.text("model_id").or(flat.text("model")));
    run.fact(
        "load_generator_backend",
        flat.text("endpoint_type").or(flat.text("backend")),
    );
    run.fact("dataset", flat.text("dataset_name"));
}

fn latencies(flat: &Flat, run: &mut Run) {
    let mut bare: Vec<(Statistic, &'static str, f64)> = Vec::new();
    for (key, _) in flat.all() {
        let Some((statistic, signal, factor)) = taken_apart(key) else {
            continue;
        };
        let Some(value) = flat.number(key) else {
            continue;
        };
        match factor {
            Some(factor) => run.tell(signal, statistic, value, factor),
            None => bare.push((statistic, signal, value)),
        }
    }
    if bare.is_empty() {
        return;
    }
    // Without a unit in the key: no request outlasts the run, so a greater number is no seconds.
    let longest = bare.iter().map(|(.., v)| *v).fold(0.0, f64::max);
    let seconds = run.duration.map_or(longest < 100.0, |d| longest <= d);
    let factor = if seconds { 1.0 } else { 1e-3 };
    for (statistic, signal, value) in bare {
        if run.said(signal, statistic).is_none() {
            run.tell(signal, statistic, value, factor);
        }
    }
    let unit = if seconds { "s" } else { "ms" };
    run.note(NoteLevel::Warning, "bench-unit-assumed", &[("unit", unit)]);
}

fn sums(flat: &Flat, run: &mut Run) {
    use Statistic::{Max, Mean, Rate, Total};
    for (key, signal, statistic) in [
        ("request_throughput", "request_throughput", Rate),
        ("output_throughput", "generation_token_throughput", Rate),
        ("input_throughput", "prompt_token_throughput", Rate),
        ("total_token_throughput", "total_token_throughput", Rate),
        ("total_throughput", "total_token_throughput", Rate),
        ("total_input_tokens", "prompt_tokens", Total),
        ("total_output_tokens", "generation_tokens", Total),
        ("request_goodput", "goodput", Rate),
        // A release wrote the key with the colon of its console line.
        ("request_goodput:", "goodput", Rate),
        (
            "max_output_tokens_per_s",
            "generation_token_throughput",
            Max,
        ),
        ("max_concurrent_requests", "request_concurrency", Max),
        ("concurrency", "request_concurrency", Mean),
    ] {
        run.tell_some(signal, statistic, flat.number(key).filter(|v| *v >= 0.0));
    }
    let drafted = flat.number("spec_decode_draft_tokens").filter(|n| *n > 0.0);
    if let Some((accepted, drafted)) = flat.number("spec_decode_accepted_tokens").zip(drafted) {
        run.tell_of(
            "spec_decode_acceptance_ratio",
            Statistic::Ratio,
            accepted / drafted,
            Some(drafted as u64),
        );
    }
    let length = flat
        .number("spec_decode_acceptance_length")
        .or(flat.number("accept_length"));
    run.tell_some("spec_decode_accepted_length", Mean, length);
    if run.said("goodput", Rate).is_none() && flat.has("request_goodput") {
        run.note(NoteLevel::NotCaptured, "bench-no-goodput", &[]);
    }
}

/// `vllm bench latency`: batches one after the other, timed as a whole.
fn latency(flat: &Flat, columns: Columns) -> Results {
    let mut run = Run::default();
    run.tell_some("e2e_latency", Statistic::Mean, flat.number("avg_latency"));
    for (percent, _) in flat.below("percentiles") {
        let value = flat.number(&format!("percentiles.{percent}"));
        if let Some(statistic) = statistic(&format!("p{percent}")) {
            run.tell_some("e2e_latency", statistic, value);
        }
    }
    columns.settle(&mut run);
    // Batches are not requests: nothing is said about how many requests worked.
    (run.completed, run.failed, run.without_token) = (None, None, None);
    run.note(NoteLevel::Info, "bench-latency-of-batches", &[]);
    Results::of("vllm bench latency", Rule::Linear).with(vec![run])
}

/// `vllm bench throughput`: all requests handed to the engine at once, without a server.
fn throughput(flat: &Flat) -> Results {
    let mut run = Run {
        duration: flat.number("elapsed_time").filter(|d| *d > 0.0),
        completed: flat.count("num_requests"),
        ..Run::default()
    };
    let rate = Statistic::Rate;
    run.tell_some(
        "request_throughput",
        rate,
        flat.number("requests_per_second"),
    );
    run.tell_some(
        "total_token_throughput",
        rate,
        flat.number("tokens_per_second"),
    );
    run.note(NoteLevel::NotCaptured, "bench-offline", &[]);
    Results::of("vllm bench throughput", Rule::Linear).with(vec![run])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_apart_into_statistic_signal_and_unit() {
        let apart = |key| taken_apart(key);
        assert_eq!(
            apart("p99.9_ttft_ms"),
            Some((Statistic::Quantile(999), "ttft", Some(1e-3)))
        );
        assert_eq!(
            apart("median_e2e_latency_ms"),
            Some((Statistic::P50, "e2e_latency", Some(1e-3)))
        );
        assert_eq!(apart("median_ttft"), Some((Statistic::P50, "ttft", None)));
        for not in ["std_ttft_ms", "model_id", "max_concurrency", "p99_ttft_x"] {
            assert_eq!(apart(not), None, "{not}");
        }
    }
}
