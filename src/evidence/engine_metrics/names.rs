//! What a series means: its name and labels looked up in the mapping table.

use super::table::{self, Counter, Engine, Found, Means, Name, Row};
use crate::prometheus::table::Series;

/// Histograms in the order in which they are shown.
pub const HISTS: [Name; 28] = [
    "ttft",
    "itl",
    "tpot",
    "e2e_latency",
    "queue_time",
    "prefill_time",
    "decode_time",
    "inference_time",
    "model_forward_time",
    "model_execute_time",
    "prefill_batch_time",
    "decode_batch_time",
    "server_compute_input_time",
    "server_compute_infer_time",
    "server_compute_output_time",
    "prompt_length",
    "output_length",
    "requested_output_length",
    "iteration_tokens",
    "batch_size",
    "prefill_computed_tokens",
    "preemptions_per_request",
    "kv_block_lifetime",
    "kv_block_idle_time",
    "kv_block_reuse_gap",
    "nixl_transfer_time",
    "nixl_post_time",
    "nixl_transfer_bytes",
];

/// Which series of a histogram it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A cumulative bucket.
    Bucket,
    /// The sum of the observations.
    Sum,
    /// The number of observations.
    Count,
}

/// What a sample's name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A counter and the rank of its name.
    Counter(Counter, usize),
    /// A gauge and the rank of its name.
    Gauge(Name, usize),
    /// A part of a histogram and the rank of its name.
    Hist(Name, usize, Part),
    /// A quantile over a window of the exporter's own.
    Summary(Name),
    /// A gauge of a device.
    Device(Name),
    /// A counter of a device.
    DeviceCount(Name),
    /// The last error code of a device.
    DeviceError,
    /// The configuration, in labels.
    Config,
    /// When the process started, unix seconds.
    ProcessStart,
    /// When a series of the engine began, unix seconds.
    Created,
    /// Python's version, in labels.
    Python,
    /// Another series of an engine.
    Engine,
    /// A series of something else.
    Other,
}

/// What a series means, by which row, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meaning {
    /// What it means.
    pub what: What,
    /// The row that says so.
    pub row: Option<&'static Row>,
    /// Who exports it.
    pub engine: Option<Engine>,
}

/// What a series means.
pub fn meaning(series: &Series) -> Meaning {
    let plain = |what| Meaning {
        what,
        row: None,
        engine: None,
    };
    let name = series.key.name.as_str();
    match name {
        "process_start_time_seconds" => return plain(What::ProcessStart),
        "python_info" => return plain(What::Python),
        _ => {}
    }
    let Some((engine, tail)) = table::engine_of(name) else {
        return plain(What::Other);
    };
    let of = |what, row| Meaning {
        what,
        row,
        engine: Some(engine),
    };
    if let Some((found, part)) = found(engine, tail, series)
        && let Some(what) = what(found, part)
    {
        return of(what, Some(found.row));
    }
    if tail == "cache_config_info" {
        return of(What::Config, None);
    }
    if tail.ends_with("_created") {
        return of(What::Created, None);
    }
    of(What::Engine, None)
}

/// The row of a name, as it stands, without `_total`, or without the suffix of a histogram.
fn found(engine: Engine, tail: &str, series: &Series) -> Option<(Found, Option<Part>)> {
    let label = |name: &str| series.label(name);
    let bucket = series.label("le").is_some();
    let is_hist = |f: &Found| matches!(f.row.means, Means::Hist(_));
    let mut names = vec![(tail, None)];
    names.extend(tail.strip_suffix("_total").map(|stem| (stem, None)));
    for (suffix, part) in [
        ("_bucket", Part::Bucket),
        ("_sum", Part::Sum),
        ("_count", Part::Count),
    ] {
        names.extend(tail.strip_suffix(suffix).map(|stem| (stem, Some(part))));
    }
    for (name, part) in names {
        let mut rows = table::rows(engine, name, &label);
        let row = match part {
            // Some documents print buckets without their suffix; `le` tells.
            None if bucket => rows.find(|f| is_hist(f) || f.row.name == tail),
            None => rows.find(|f| !is_hist(f)),
            Some(_) => rows.find(is_hist),
        };
        if let Some(row) = row {
            let part = part.or_else(|| is_hist(&row).then_some(Part::Bucket));
            return Some((row, part));
        }
    }
    None
}

fn what(found: Found, part: Option<Part>) -> Option<What> {
    Some(match (found.row.means, part) {
        (Means::Counter(counter), None) => What::Counter(counter, found.rank),
        (Means::Gauge(signal, _), None) => What::Gauge(signal, found.rank),
        (Means::Hist(signal), Some(part)) => What::Hist(signal, found.rank, part),
        (Means::Summary(signal), None) => What::Summary(signal),
        (Means::Device(signal), None) => What::Device(signal),
        (Means::DeviceCount(signal), None) => What::DeviceCount(signal),
        (Means::DeviceError, None) => What::DeviceError,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prometheus::line;

    fn what_of(text: &str) -> What {
        let (key, _) = line::key(text.as_bytes()).expect("a key");
        meaning(&Series { key, family: 0 }).what
    }

    fn counter(text: &str) -> Option<Counter> {
        match what_of(text) {
            What::Counter(counter, _) => Some(counter),
            _ => None,
        }
    }

    #[test]
    fn names_through_pipelines_and_versions() {
        for name in [
            "vllm:prompt_tokens_total",
            "vllm_prompt_tokens_total",
            "ray_vllm_prompt_tokens",
            "ray_vllm:prompt_tokens_total",
            "sglang:prompt_tokens_total",
            "trtllm_prompt_tokens_total",
            "llamacpp:prompt_tokens_total",
        ] {
            assert_eq!(counter(name), Some(Counter::PromptTokens), "{name}");
        }
        assert!(matches!(
            what_of("vllm:gpu_cache_usage_perc"),
            What::Gauge("kv_cache_usage", _)
        ));
        assert!(matches!(
            what_of("vllm:iteration_tokens_total_bucket{le=\"1\"}"),
            What::Hist("iteration_tokens", _, Part::Bucket)
        ));
        assert!(matches!(
            what_of("vllm:request_prompt_tokens_count"),
            What::Hist("prompt_length", _, Part::Count)
        ));
        assert_eq!(what_of("vllm:prompt_tokens_created"), What::Created);
        assert_eq!(what_of("node_load1"), What::Other);
        assert_eq!(what_of("sglang:new_token_ratio"), What::Engine);
    }

    #[test]
    fn labels_choose_among_rows_of_one_name() {
        let reason = "vllm:num_requests_waiting_by_reason";
        assert!(matches!(
            what_of(&format!("{reason}{{reason=\"deferred\"}}")),
            What::Gauge("deferred_requests", _)
        ));
        assert_eq!(
            what_of(&format!("{reason}{{reason=\"capacity\"}}")),
            What::Engine
        );
        assert!(matches!(
            what_of("nv_trt_llm_request_metrics{request_type=\"waiting\"}"),
            What::Gauge("waiting_requests", _)
        ));
    }

    #[test]
    fn a_gauge_with_a_label_le_is_no_histogram() {
        let gauge = "sglang:routing_key_running_req_count{gt=\"0\",le=\"1\"}";
        assert_eq!(what_of(gauge), What::Engine);
        let bare = "nv_inference_first_response_histogram_ms{le=\"100\"}";
        assert!(matches!(what_of(bare), What::Hist("ttft", _, Part::Bucket)));
        let summary = "nv_inference_queue_summary_us{quantile=\"0.5\"}";
        assert_eq!(what_of(summary), What::Summary("queue_time"));
        assert_eq!(what_of("nv_inference_queue_summary_us_sum"), What::Engine);
    }

    #[test]
    fn every_histogram_of_the_table_is_shown() {
        for (_, row) in table::all() {
            if let Means::Hist(signal) = row.means {
                assert!(HISTS.contains(&signal), "{signal}");
            }
        }
    }
}
