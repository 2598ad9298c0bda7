//! Summaries of AIPerf (`profile_export_aiperf.json`) and GenAI-Perf
//! (`profile_export_genai_perf.json`): a metric per key, `{unit, avg, p50, …}`.
//!
//! Their "inter token latency" is one value per request, (latency − TTFT) / (tokens − 1), so it is
//! carried as `tpot`; gaps between chunks are AIPerf's "inter chunk latency", carried as `itl`
//! with the remark that a chunk may hold several tokens.

use super::{
    flat::{Flat, Leaf},
    run::{Results, Rule, Run, statistic},
};
use crate::{NoteLevel, Statistic, Unit, catalogue};

/// Whether values of these keys are metrics of these tools: objects with a unit and an average.
pub fn is_summary(flat: &Flat) -> bool {
    [
        "request_throughput",
        "request_latency",
        "request_count",
        "output_token_throughput",
    ]
    .iter()
    .any(|m| flat.has(&format!("{m}.unit")) && flat.has(&format!("{m}.avg")))
}

/// The signal of a metric: its tag (`time_to_first_token`) or its title in a table, normalised.
pub fn signal(metric: &str) -> Option<&'static str> {
    Some(match metric {
        "request_latency" => "e2e_latency",
        "time_to_first_token" => "ttft",
        "time_to_second_token" => "time_to_second_token",
        "inter_token_latency" => "tpot",
        "inter_chunk_latency" => "itl",
        "input_sequence_length" | "isl" => "prompt_length",
        "output_sequence_length" | "osl" => "output_length",
        "credit_to_start_latency" => "send_delay",
        "effective_concurrency" => "request_concurrency",
        _ => return None,
    })
}

/// The signal of a metric that has a single value over the run, and its statistic.
pub fn single(metric: &str) -> Option<(&'static str, Statistic)> {
    use Statistic::{Rate, Ratio, Total};
    Some(match metric {
        "request_throughput" => ("request_throughput", Rate),
        "output_token_throughput" => ("generation_token_throughput", Rate),
        "input_token_throughput" => ("prompt_token_throughput", Rate),
        "total_token_throughput" => ("total_token_throughput", Rate),
        "goodput" | "request_goodput" => ("goodput", Rate),
        "good_request_fraction" | "goodrequestfraction" => ("goodput_ratio", Ratio),
        "total_isl" | "total_input_sequence_length" => ("prompt_tokens", Total),
        "total_osl" | "total_output_sequence_length" => ("generation_tokens", Total),
        _ => return None,
    })
}

/// Factor to the base unit of a signal; `None` when the unit is not one of its kind.
pub fn factor(signal: &str, unit: &str) -> Option<f64> {
    let unit = unit.trim().to_ascii_lowercase();
    match catalogue::find(signal).map(|d| d.unit)? {
        Unit::Seconds => Some(match unit.as_str() {
            "s" | "sec" | "secs" | "seconds" => 1.0,
            "ms" | "milliseconds" => 1e-3,
            "us" | "µs" | "microseconds" => 1e-6,
            "ns" | "nanoseconds" => 1e-9,
            _ => return None,
        }),
        Unit::Ratio => Some(if unit == "%" { 1e-2 } else { 1.0 }),
        _ => Some(1.0),
    }
}

/// A metric with a single value, given to a run: sums, rates and counts.
pub fn give_single(run: &mut Run, metric: &str, unit: &str, value: f64) -> bool {
    let whole = (value >= 0.0 && value.fract() == 0.0 && value < 9e15).then_some(value as u64);
    match metric {
        "request_count" => run.completed = whole,
        "error_request_count" => run.failed = whole,
        "benchmark_duration" => {
            run.duration = factor("e2e_latency", unit).map(|f| value * f);
        }
        _ => {
            let Some((signal, statistic)) = single(metric) else {
                return false;
            };
            if signal == "goodput" && value < 0.0 {
                run.note(NoteLevel::NotCaptured, "bench-goodput-unknown", &[]);
            } else if let Some(factor) = factor(signal, unit) {
                run.tell(signal, statistic, value, factor);
            }
        }
    }
    true
}

/// The run of a summary.
pub fn results(flat: &Flat) -> Results {
    let own = flat.has("aiperf_version") || flat.has("schema_version");
    let mut run = Run::default();
    for metric in top(flat) {
        let unit = flat.text(&format!("{metric}.unit")).unwrap_or_default();
        if let Some(average) = flat.number(&format!("{metric}.avg"))
            && give_single(&mut run, metric, unit, average)
        {
            continue;
        }
        let Some((signal, factor)) = signal(metric).and_then(|s| Some((s, factor(s, unit)?)))
        else {
            continue;
        };
        let samples = flat.count(&format!("{metric}.count"));
        for (word, _) in flat.below(metric) {
            let value = flat.number(&format!("{metric}.{word}"));
            if let (Some(statistic), Some(value)) = (statistic(word), value) {
                run.tell_of(signal, statistic, value * factor, samples);
            }
        }
    }
    finish(&mut run);
    conditions(flat, &mut run);
    let mut results = Results::of(if own { "AIPerf" } else { "GenAI-Perf" }, Rule::Linear);
    results.version = flat.text("aiperf_version").map(str::to_owned);
    results.format = flat
        .text("schema_version")
        .map(|v| format!("summary {v}"))
        .or(Some("summary".to_owned()));
    results.with(vec![run])
}

/// The first parts of all paths.
fn top(flat: &Flat) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (path, _) in flat.all() {
        let name = path.split('.').next().unwrap_or(path);
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    names
}

/// What holds of every form of these reports.
pub fn finish(run: &mut Run) {
    if run.completed.is_some() && run.failed.is_none() {
        run.note(NoteLevel::NotCaptured, "bench-no-error-count", &[]);
    }
    let n = run.completed;
    for ((name, _), told) in &mut run.told {
        // One value per request, for all but the gaps between chunks.
        if told.samples.is_none()
            && ["ttft", "tpot", "e2e_latency", "time_to_second_token"].contains(name)
        {
            told.samples = n;
        }
    }
    if run.told.keys().any(|(n, _)| *n == "itl") {
        run.rough.insert("itl");
    }
}

/// How the load was made, and whether the run ended as it should.
fn conditions(flat: &Flat, run: &mut Run) {
    let last = |ending: &str| {
        flat.below("input_config")
            .filter(|(path, _)| path.rsplit('.').next() == Some(ending))
            .filter(|(path, _)| !path.to_ascii_lowercase().contains("warmup"))
            .find_map(|(path, _)| flat.number(&format!("input_config.{path}")))
            .filter(|v| *v > 0.0)
    };
    run.concurrency = last("concurrency");
    run.rate = last("request_rate");
    let seed = last("random_seed").or_else(|| flat.number("run_info.random_seed"));
    run.prompts = seed
        .zip(flat.number("total_isl.avg"))
        .map(|(seed, tokens)| format!("#{seed}/{tokens}"));
    let model = flat
        .below("input_config")
        .find(|(path, _)| {
            path.starts_with("models.items.") && path.ends_with(".name")
                || *path == "models.0"
                || *path == "model_names.0"
                || *path == "endpoint.model_names.0"
        })
        .and_then(|(_, leaf)| match leaf {
            Leaf::Text(text) => Some(text.as_str()),
            _ => None,
        });
    run.fact("model", model);
    let cancelled = flat.truth("was_cancelled") == Some(true);
    if cancelled || flat.truth("is_complete") == Some(false) {
        run.note(NoteLevel::Invalid, "bench-cancelled", &[]);
    }
}
