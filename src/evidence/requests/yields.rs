//! The signals that these readers yield, by their names in the catalogue.

/// Every signal that the readers of requests can yield.
pub const YIELDS: &[&str] = &[
    "ttft",
    "itl",
    "tpot",
    "e2e_latency",
    "queue_time",
    "prefill_time",
    "decode_time",
    "inference_time",
    "front_end_time",
    "send_delay",
    "prompt_length",
    "output_length",
    "prefill_computed_tokens",
    "prompt_tokens",
    "generation_tokens",
    "prompt_token_throughput",
    "generation_token_throughput",
    "prefix_cache_hit_ratio",
    "arrival_rate",
    "arrival_burstiness",
    "arrived_requests",
    "request_concurrency",
    "running_requests",
    "waiting_requests",
    "finished_requests",
    "accepted_requests",
    "acceptance_rate",
    "accepted_throughput",
    "request_throughput",
    "error_ratio",
    "aborted_ratio",
    "timeout_ratio",
    "length_limited_ratio",
    "retries",
    "retried_ratio",
    "class_share",
];

/// What only traces of a workload say beside that.
pub const TRACE_YIELDS: &[&str] = &["ideal_prefix_reuse_ratio"];
