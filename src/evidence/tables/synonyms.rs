//! What the names of columns usually mean. A guess is shown to a person, who decides.

use crate::{Statistic, catalogue, mapping::Named};

/// Stems of names, with the signal they usually mean.
const SIGNALS: &[(&str, &[&str])] = &[
    (
        "ttft",
        &[
            "time_to_first_token",
            "first_token",
            "first_token_latency",
            "first_token_time",
            "time_to_first_response",
            "first_byte",
        ],
    ),
    (
        "itl",
        &[
            "inter_token_latency",
            "intertoken_latency",
            "token_latency",
            "tbt",
        ],
    ),
    ("tpot", &["time_per_output_token", "time_per_token"]),
    (
        "e2e_latency",
        &[
            "e2e",
            "e2el",
            "end_to_end",
            "end_to_end_latency",
            "latency",
            "request_latency",
            "total_latency",
            "response_time",
            "request_time",
            "request_duration",
            "duration",
            "percentile_latency",
            "avg_latency",
        ],
    ),
    (
        "request_throughput",
        &[
            "requests_per_second",
            "requests_per_sec",
            "req_per_s",
            "req_s",
            "request_rate_achieved",
            "rps",
            "qps",
            "requests_s",
        ],
    ),
    (
        "generation_token_throughput",
        &[
            "output_token_throughput",
            "output_throughput",
            "output_tokens_per_second",
            "tokens_per_second",
            "token_throughput",
            "generation_throughput",
            "output_tps",
            "tps",
            "tokens_s",
            "output_tokens_s",
            "decode_throughput",
            "output_token_per_second",
        ],
    ),
    (
        "prompt_token_throughput",
        &[
            "input_token_throughput",
            "input_throughput",
            "prompt_throughput",
            "prefill_throughput",
            "input_tokens_per_second",
        ],
    ),
    (
        "inference_throughput",
        &[
            "inferences_second",
            "infer_per_second",
            "inferences_per_second",
        ],
    ),
    (
        "queue_time",
        &[
            "queue",
            "queuing_time",
            "queueing_time",
            "queue_latency",
            "wait_time",
            "waiting_time",
        ],
    ),
    ("prefill_time", &["prefill", "prefill_latency"]),
    (
        "decode_time",
        &["decode", "decode_latency", "decoding_time"],
    ),
    (
        "error_ratio",
        &["error_rate", "errors_ratio", "failure_rate", "failed_ratio"],
    ),
    (
        "acceptance_rate",
        &[
            "accepted_rate",
            "acceptance",
            "success_rate",
            "pass_rate",
            "accept_rate",
            "task_success_rate",
        ],
    ),
    (
        "kv_cache_usage",
        &[
            "kv_cache",
            "kv_usage",
            "kv_cache_utilization",
            "gpu_cache_usage",
            "kv_cache_util",
        ],
    ),
    (
        "prefix_cache_hit_ratio",
        &[
            "prefix_cache_hit_rate",
            "cache_hit_rate",
            "cache_hit_ratio",
            "prefix_hit_rate",
        ],
    ),
    (
        "gpu_device_utilization",
        &[
            "gpu_util",
            "gpu_utilization",
            "gpu_utilisation",
            "utilization_gpu",
            "gpu_usage",
        ],
    ),
    (
        "gpu_power",
        &["power", "power_draw", "gpu_power_draw", "power_usage"],
    ),
    (
        "gpu_memory_used",
        &[
            "memory_used",
            "gpu_memory",
            "vram_used",
            "gpu_mem_used",
            "vram",
        ],
    ),
    (
        "running_requests",
        &["running", "running_reqs", "active_requests"],
    ),
    (
        "waiting_requests",
        &[
            "waiting",
            "waiting_reqs",
            "queued_requests",
            "queue_depth",
            "queue_length",
        ],
    ),
    (
        "preemptions",
        &["preemption", "preempted", "num_preemptions"],
    ),
    (
        "prompt_length",
        &[
            "input_length",
            "prompt_len",
            "input_len",
            "isl",
            "input_sequence_length",
        ],
    ),
    (
        "output_length",
        &[
            "output_len",
            "osl",
            "output_sequence_length",
            "generated_length",
        ],
    ),
    (
        "finished_requests",
        &["completed_requests", "successful_requests", "completed"],
    ),
    ("kernel_time", &["kernel_duration_total"]),
    (
        "memcpy_bandwidth",
        &["copy_bandwidth", "h2d_bandwidth", "d2h_bandwidth"],
    ),
];

/// Names of columns that say what a row is for.
const LABELS: &[(&str, &[&str])] = &[
    (
        "class",
        &[
            "class",
            "task",
            "task_class",
            "task_type",
            "endpoint",
            "workload",
            "scenario",
            "category",
        ],
    ),
    (
        "run",
        &[
            "run",
            "run_id",
            "experiment",
            "config",
            "configuration",
            "variant",
            "name",
            "trial",
        ],
    ),
    (
        "load",
        &[
            "load",
            "concurrency",
            "request_rate",
            "rate",
            "users",
            "clients",
            "num_users",
            "max_concurrency",
            "concurrent_requests",
            "batch_size",
            "batch",
        ],
    ),
    ("device", &["device", "gpu", "gpu_id", "gpu_index", "rank"]),
    ("model", &["model", "model_name", "model_id"]),
];

const SAMPLES: &[&str] = &[
    "n",
    "count",
    "samples",
    "num_samples",
    "requests",
    "num_requests",
    "request_count",
    "observations",
    "sample_size",
];
const MEASURES: &[&str] = &[
    "metric",
    "measure",
    "metric_name",
    "measurement",
    "statistic",
    "stat",
    "kpi",
    "name",
    "metrica",
    "métrica",
];
const VALUES: &[&str] = &["value", "val", "result", "valor", "measured", "number"];
const UNITS: &[&str] = &["unit", "units", "unidade", "uom"];

/// The signal that a stem usually means.
pub fn signal(stem: &str) -> Option<&'static str> {
    if let Some(def) = catalogue::find(stem) {
        return Some(def.name);
    }
    SIGNALS
        .iter()
        .find(|(_, stems)| stems.contains(&stem))
        .map(|(name, _)| *name)
}

/// The label that a stem usually means.
pub fn label(stem: &str) -> Option<&'static str> {
    LABELS
        .iter()
        .find(|(_, stems)| stems.contains(&stem))
        .map(|(name, _)| *name)
}

/// Whether a stem usually names a number of observations.
pub fn is_samples(stem: &str) -> bool {
    SAMPLES.contains(&stem)
}

/// Whether a stem usually heads the names of measures.
pub fn is_measure(stem: &str) -> bool {
    MEASURES.contains(&stem)
}

/// Whether a stem usually heads units.
pub fn is_unit(stem: &str) -> bool {
    UNITS.contains(&stem)
}

/// Whether a name heads values of a tall table, and of which statistic. The outer `None` = no.
pub fn value(name: &str) -> Option<Option<Statistic>> {
    let named = Named::of(name);
    if VALUES.contains(&named.stem.as_str()) {
        return Some(named.statistic);
    }
    (named.stem.is_empty() && named.statistic.is_some()).then_some(named.statistic)
}
