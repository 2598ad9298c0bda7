//! Which exported name means what. Names changed between versions: alternatives carry a rank, and
//! the least rank present in a reading wins, so that two spellings of one thing are never added.

use crate::prometheus;

/// A counter the reader knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counter {
    /// Sequences thrown out of the batch.
    Preemptions,
    /// Prompt tokens.
    PromptTokens,
    /// Generated tokens.
    GenerationTokens,
    /// Finished requests, by `finished_reason`.
    Finished,
    /// Requests refused at the door.
    Rejections,
    /// Prefix cache queries.
    PrefixQueries,
    /// Prefix cache hits.
    PrefixHits,
    /// Queries of the cache behind a KV connector.
    ExternalQueries,
    /// Hits of the cache behind a KV connector.
    ExternalHits,
    /// Drafts of speculative decoding.
    Drafts,
    /// Draft tokens proposed.
    DraftTokens,
    /// Draft tokens accepted.
    AcceptedTokens,
    /// KV transfers that failed.
    FailedTransfers,
}

/// A gauge the reader knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gauge {
    /// Sequences in the running batch.
    Running,
    /// Requests not scheduled.
    Waiting,
    /// Share of KV blocks held by live requests.
    KvUsage,
    /// V0's own hit rate; −1 when the cache is off.
    PrefixHitRate,
}

impl Gauge {
    /// All gauges; the position is the discriminant.
    pub const ALL: [Self; 4] = [
        Self::Running,
        Self::Waiting,
        Self::KvUsage,
        Self::PrefixHitRate,
    ];
}

/// A histogram the reader knows, named by its signal.
pub type Hist = &'static str;

/// Histograms in the order they are shown: signal, then exported names by rank.
pub const HISTS: [(Hist, &[&str]); 14] = [
    ("ttft", &["time_to_first_token_seconds"]),
    (
        "itl",
        &[
            "inter_token_latency_seconds",
            "time_per_output_token_seconds",
        ],
    ),
    ("tpot", &["request_time_per_output_token_seconds"]),
    ("e2e_latency", &["e2e_request_latency_seconds"]),
    (
        "queue_time",
        &["request_queue_time_seconds", "time_in_queue_requests"],
    ),
    ("prefill_time", &["request_prefill_time_seconds"]),
    ("decode_time", &["request_decode_time_seconds"]),
    ("inference_time", &["request_inference_time_seconds"]),
    ("prompt_length", &["request_prompt_tokens"]),
    ("output_length", &["request_generation_tokens"]),
    ("iteration_tokens", &["iteration_tokens_total"]),
    (
        "prefill_computed_tokens",
        &["request_prefill_kv_computed_tokens"],
    ),
    ("preemptions_per_request", &["request_num_preemptions"]),
    ("nixl_transfer_time", &["nixl_xfer_time_seconds"]),
];

const COUNTERS: [(Counter, &[&str]); 13] = [
    (Counter::Preemptions, &["num_preemptions"]),
    (Counter::PromptTokens, &["prompt_tokens"]),
    (Counter::GenerationTokens, &["generation_tokens"]),
    (Counter::Finished, &["request_success"]),
    (Counter::Rejections, &["admission_rejections"]),
    (
        Counter::PrefixQueries,
        &["prefix_cache_queries", "gpu_prefix_cache_queries"],
    ),
    (
        Counter::PrefixHits,
        &["prefix_cache_hits", "gpu_prefix_cache_hits"],
    ),
    (Counter::ExternalQueries, &["external_prefix_cache_queries"]),
    (Counter::ExternalHits, &["external_prefix_cache_hits"]),
    (Counter::Drafts, &["spec_decode_num_drafts"]),
    (Counter::DraftTokens, &["spec_decode_num_draft_tokens"]),
    (
        Counter::AcceptedTokens,
        &["spec_decode_num_accepted_tokens"],
    ),
    (Counter::FailedTransfers, &["nixl_num_failed_transfers"]),
];

const GAUGES: [(Gauge, &[&str]); 4] = [
    (Gauge::Running, &["num_requests_running"]),
    (Gauge::Waiting, &["num_requests_waiting"]),
    (
        Gauge::KvUsage,
        &["kv_cache_usage_perc", "gpu_cache_usage_perc"],
    ),
    (Gauge::PrefixHitRate, &["gpu_prefix_cache_hit_rate"]),
];

/// Most alternatives of one name.
pub const RANKS: usize = 2;

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
    Gauge(Gauge, usize),
    /// A part of a histogram and the rank of its name.
    Hist(Hist, usize, Part),
    /// The configuration, in labels.
    Config,
    /// When the process started, unix seconds.
    ProcessStart,
    /// When a series of vLLM began, unix seconds.
    Created,
    /// Python's version, in labels.
    Python,
    /// Another series of vLLM.
    Vllm,
    /// A series of something else.
    Other,
}

/// What the name of a sample means.
pub fn what(name: &str) -> What {
    match name {
        "process_start_time_seconds" => return What::ProcessStart,
        "python_info" => return What::Python,
        _ => {}
    }
    let Some(tail) = prometheus::vllm_tail(name) else {
        return What::Other;
    };
    if let Some((gauge, rank)) = ranked(&GAUGES, tail) {
        return What::Gauge(gauge, rank);
    }
    if let Some((counter, rank)) = ranked(&COUNTERS, tail.strip_suffix("_total").unwrap_or(tail)) {
        return What::Counter(counter, rank);
    }
    let parts = [
        ("_bucket", Part::Bucket),
        ("_sum", Part::Sum),
        ("_count", Part::Count),
    ];
    for (suffix, part) in parts {
        let stem = tail.strip_suffix(suffix);
        if let Some((hist, rank)) = stem.and_then(|stem| ranked(&HISTS, stem)) {
            return What::Hist(hist, rank, part);
        }
    }
    if tail == "cache_config_info" {
        What::Config
    } else if tail.ends_with("_created") {
        What::Created
    } else {
        What::Vllm
    }
}

fn ranked<T: Copy>(table: &[(T, &[&str])], name: &str) -> Option<(T, usize)> {
    table.iter().find_map(|(meaning, names)| {
        names
            .iter()
            .position(|n| *n == name)
            .map(|rank| (*meaning, rank))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_through_pipelines_and_versions() {
        for name in [
            "vllm:prompt_tokens_total",
            "vllm_prompt_tokens_total",
            "ray_vllm_prompt_tokens",
            "ray_vllm:prompt_tokens_total",
        ] {
            assert_eq!(
                what(name),
                What::Counter(Counter::PromptTokens, 0),
                "{name}"
            );
        }
        assert_eq!(
            what("vllm:gpu_cache_usage_perc"),
            What::Gauge(Gauge::KvUsage, 1)
        );
        assert_eq!(
            what("vllm:iteration_tokens_total_bucket"),
            What::Hist("iteration_tokens", 0, Part::Bucket)
        );
        assert_eq!(
            what("vllm:request_prompt_tokens_count"),
            What::Hist("prompt_length", 0, Part::Count)
        );
        assert_eq!(what("vllm:prompt_tokens_created"), What::Created);
        assert_eq!(what("sglang:num_running_reqs"), What::Other);
    }

    #[test]
    fn gauges_lie_at_their_position() {
        for (i, gauge) in Gauge::ALL.into_iter().enumerate() {
            assert_eq!(gauge as usize, i);
        }
    }

    #[test]
    fn every_histogram_is_a_signal() {
        for (signal, _) in HISTS {
            assert!(crate::catalogue::find(signal).is_some(), "{signal}");
        }
    }
}
