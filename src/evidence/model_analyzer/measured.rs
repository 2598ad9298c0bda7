//! Measurements of Model Analyzer, whether a table or a checkpoint says them.

use crate::{
    Statistic,
    sweep::{GpuField, LoadPoint, Mode, Part},
};
use std::collections::BTreeMap;

/// What a value is, and the factor from the tool's unit to ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    Throughput,
    Latency(Statistic),
    Time(Part),
    /// A signal of token streams.
    Token(&'static str, Statistic),
}

/// Milliseconds to seconds for times, nothing else changes.
pub(super) fn factor(meaning: Meaning) -> f64 {
    match meaning {
        Meaning::Throughput | Meaning::Token(_, Statistic::Rate) => 1.0,
        Meaning::Latency(_) | Meaning::Time(_) | Meaning::Token(..) => 1e-3,
    }
}

/// The meaning of a column: `p99 Latency (ms)`, `Server Queue time (ms)`, …
pub(super) fn of_heading(heading: &str) -> Option<Meaning> {
    let lower = heading.to_ascii_lowercase();
    if lower == "throughput (infer/sec)" {
        return Some(Meaning::Throughput);
    }
    if lower.starts_with("output token throughput (") {
        return Some(Meaning::Token(
            "generation_token_throughput",
            Statistic::Rate,
        ));
    }
    let name = lower.strip_suffix(" (ms)")?;
    let time = match name {
        "avg latency" => Some(Part::Average),
        "client send/recv" => Some(Part::RequestResponse),
        "response wait time" | "client response wait" => Some(Part::ResponseWait),
        "server queue time" | "server queue" => Some(Part::Queue),
        "server compute input time" | "server compute input" => Some(Part::ComputeInput),
        "server compute infer time" | "server compute infer" => Some(Part::ComputeInfer),
        "server compute output time" | "server compute output" => Some(Part::ComputeOutput),
        _ => None,
    };
    if let Some(part) = time {
        return Some(Meaning::Time(part));
    }
    let (statistic, rest) = name.split_once(' ')?;
    of_statistic(statistic, rest)
}

/// The meaning of a tag of a checkpoint: `perf_latency_p99`, `perf_server_queue`, …
pub(super) fn of_tag(tag: &str) -> Option<Meaning> {
    Some(match tag {
        "perf_throughput" => Meaning::Throughput,
        "output_token_throughput" => Meaning::Token("generation_token_throughput", Statistic::Rate),
        "perf_latency_avg" => Meaning::Time(Part::Average),
        "perf_client_send_recv" => Meaning::Time(Part::RequestResponse),
        "perf_client_response_wait" => Meaning::Time(Part::ResponseWait),
        "perf_server_queue" => Meaning::Time(Part::Queue),
        "perf_server_compute_input" => Meaning::Time(Part::ComputeInput),
        "perf_server_compute_infer" => Meaning::Time(Part::ComputeInfer),
        "perf_server_compute_output" => Meaning::Time(Part::ComputeOutput),
        _ => {
            let (name, statistic) = tag.rsplit_once('_')?;
            let rest = match name {
                "perf_latency" => "latency",
                "time_to_first_token" => "time to first token",
                "inter_token_latency" => "inter token latency",
                _ => return None,
            };
            return of_statistic(statistic, rest);
        }
    })
}

fn of_statistic(statistic: &str, of: &str) -> Option<Meaning> {
    let statistic = match statistic {
        "avg" => Statistic::Mean,
        "min" => Statistic::Min,
        "max" => Statistic::Max,
        quantile => quantile
            .parse()
            .ok()
            .filter(|s: &Statistic| s.quantile().is_some())?,
    };
    match (of, statistic) {
        ("latency", Statistic::Mean) => Some(Meaning::Time(Part::Average)),
        ("latency", Statistic::Quantile(_)) => Some(Meaning::Latency(statistic)),
        ("time to first token", _) => Some(Meaning::Token("ttft", statistic)),
        ("inter token latency", _) => Some(Meaning::Token("itl", statistic)),
        _ => None,
    }
}

/// The meaning of a column or tag about a GPU, with the factor to base units.
pub(super) fn of_gpu(name: &str) -> Option<(GpuField, f64)> {
    let lower = name.to_ascii_lowercase();
    let lower = lower
        .trim_start_matches("average ")
        .trim_start_matches("avg ")
        .trim_start_matches("max ");
    match lower {
        "gpu memory usage (mb)" | "gpu_used_memory" => Some((GpuField::MemoryUsed, 1e6)),
        "gpu_total_memory" => Some((GpuField::MemoryTotal, 1e6)),
        "gpu utilization (%)" | "gpu_utilization" => Some((GpuField::Utilization, 0.01)),
        "gpu power usage (w)" | "gpu_power_usage" => Some((GpuField::Power, 1.0)),
        _ => None,
    }
}

/// One measurement of one configuration at one load.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measurement {
    /// The model, or the models measured at once.
    pub model: String,
    /// The configuration, or one for each model.
    pub config: String,
    /// Inferences per request, one for each model.
    pub batch: Vec<f64>,
    pub mode: Mode,
    /// The load of each model.
    pub loads: Vec<f64>,
    pub satisfies: Option<bool>,
    pub instances: Option<String>,
    pub max_batch: Option<String>,
    /// The numbers of all models together; its load is only meant where there is one model.
    pub point: LoadPoint,
    /// Throughput and tail of each model, where several were measured at once.
    pub each: Vec<BTreeMap<&'static str, f64>>,
    /// Signals of token streams.
    pub tokens: Vec<(&'static str, Statistic, f64)>,
}

impl Measurement {
    pub fn at(line: u64) -> Self {
        Self {
            model: String::new(),
            config: String::new(),
            batch: Vec::new(),
            mode: Mode::Concurrency,
            loads: Vec::new(),
            satisfies: None,
            instances: None,
            max_batch: None,
            point: LoadPoint::at(line),
            each: Vec::new(),
            tokens: Vec::new(),
        }
    }

    /// Takes a value in the tool's unit.
    pub fn take(&mut self, meaning: Meaning, value: f64) {
        let value = value * factor(meaning);
        match meaning {
            Meaning::Throughput => self.point.throughput = Some(value),
            Meaning::Latency(quantile) => {
                self.point.latency.insert(quantile, value);
            }
            Meaning::Time(part) => {
                self.point.times.insert(part, value);
            }
            Meaning::Token(name, statistic) => self.tokens.push((name, statistic, value)),
        }
    }

    /// Several models at once: their loads do not add up to one.
    pub fn is_joint(&self) -> bool {
        self.loads.len() > 1
    }

    /// The load as the tool writes it.
    pub fn load_text(&self) -> String {
        joined(&self.loads)
    }

    /// The batch size as the tool writes it.
    pub fn batch_text(&self) -> String {
        joined(&self.batch)
    }
}

fn joined(numbers: &[f64]) -> String {
    let all: Vec<String> = numbers.iter().map(f64::to_string).collect();
    all.join(",")
}

/// Readings of one GPU.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GpuRow {
    /// The configuration and load they belong to; `None` for the idle server.
    pub of: Option<(String, String, String)>,
    pub gpu: String,
    pub values: BTreeMap<GpuField, f64>,
}

/// Everything measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Measured {
    pub all: Vec<Measurement>,
    pub gpus: Vec<GpuRow>,
    /// What [`LoadPoint::line`] counts.
    pub counts: &'static str,
}
