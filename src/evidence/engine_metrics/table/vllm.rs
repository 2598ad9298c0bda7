//! vLLM, V0 and V1. A name present in any release is listed; renamed ones are alternatives.

use super::{
    Counter::{
        AcceptedTokens, CachedPromptTokens, ComputedPromptTokens, Corrupted, DraftTokens, Drafts,
        ExpiredTransfers, ExternalHits, ExternalQueries, FailedNotifications, FailedTransfers,
        Finished, GenerationTokens, MultimodalHits, MultimodalQueries, Preemptions, PrefixHits,
        PrefixQueries, PromptTokens, Rejections,
    },
    Row, c, h, max, sum,
};

/// vLLM 0.8.5 to 0.33.0, `vllm/v1/metrics/loggers.py`.
const V1: &str = "vLLM 0.8.5–0.33.0, vllm/v1/metrics/loggers.py";
/// vLLM 0.4.0 to 0.10.2, the older engine.
const V0: &str = "vLLM 0.4.0–0.10.2, vllm/engine/metrics.py";
/// Families of optional parts.
const NIXL: &str = "vLLM 0.24.0–0.33.0, vllm/distributed/kv_transfer";
const SPEC: &str = "vLLM 0.8.5–0.33.0, vllm/v1/spec_decode/metrics.py";

/// The rows.
pub const ROWS: &[Row] = &[
    sum("num_requests_running", "running_requests", V1),
    sum("num_requests_waiting", "waiting_requests", V1),
    sum("num_requests_waiting_by_reason", "deferred_requests", V1).only("reason", "deferred"),
    sum(
        "num_requests_kv_fetch_by_stage",
        "kv_transfer_waiting_requests",
        V1,
    ),
    sum("num_requests_swapped", "swapped_requests", V0),
    max("kv_cache_usage_perc", "kv_cache_usage", V1),
    max("gpu_cache_usage_perc", "kv_cache_usage", V0),
    max("cpu_cache_usage_perc", "cpu_kv_cache_usage", V0),
    max("gpu_prefix_cache_hit_rate", "prefix_cache_hit_ratio", V0),
    c("prefix_cache_queries", PrefixQueries, V1),
    c("prefix_cache_hits", PrefixHits, V1),
    c("gpu_prefix_cache_queries", PrefixQueries, V1),
    c("gpu_prefix_cache_hits", PrefixHits, V1),
    c("external_prefix_cache_queries", ExternalQueries, V1),
    c("external_prefix_cache_hits", ExternalHits, V1),
    c("mm_cache_queries", MultimodalQueries, V1),
    c("mm_cache_hits", MultimodalHits, V1),
    c("num_preemptions", Preemptions, V1),
    c("prompt_tokens", PromptTokens, V1),
    c("prompt_tokens_cached", CachedPromptTokens, V1),
    c("prompt_tokens_by_source", ComputedPromptTokens, V1).only("source", "local_compute"),
    c("generation_tokens", GenerationTokens, V1),
    c("request_success", Finished, V1).by("finished_reason"),
    c("admission_rejections", Rejections, V1),
    c("corrupted_requests", Corrupted, V1),
    h("time_to_first_token_seconds", "ttft", V1),
    h("inter_token_latency_seconds", "itl", V1),
    h("time_per_output_token_seconds", "itl", V0),
    h("request_time_per_output_token_seconds", "tpot", V1),
    h("e2e_request_latency_seconds", "e2e_latency", V1),
    h("request_queue_time_seconds", "queue_time", V1),
    h("time_in_queue_requests", "queue_time", V0),
    h("request_prefill_time_seconds", "prefill_time", V1),
    h("request_decode_time_seconds", "decode_time", V1),
    h("request_inference_time_seconds", "inference_time", V1),
    h("model_forward_time_milliseconds", "model_forward_time", V0).scaled(1e-3),
    h("model_execute_time_milliseconds", "model_execute_time", V0).scaled(1e-3),
    h("iteration_tokens_total", "iteration_tokens", V1),
    h("request_prompt_tokens", "prompt_length", V1),
    h("request_generation_tokens", "output_length", V1),
    h("request_params_max_tokens", "requested_output_length", V1),
    h(
        "request_max_num_generation_tokens",
        "requested_output_length",
        V1,
    ),
    h(
        "request_prefill_kv_computed_tokens",
        "prefill_computed_tokens",
        V1,
    ),
    h("request_num_preemptions", "preemptions_per_request", V1),
    h("kv_block_lifetime_seconds", "kv_block_lifetime", V1),
    h(
        "kv_block_idle_before_evict_seconds",
        "kv_block_idle_time",
        V1,
    ),
    h("kv_block_reuse_gap_seconds", "kv_block_reuse_gap", V1),
    c("spec_decode_num_drafts", Drafts, SPEC),
    c("spec_decode_num_draft_tokens", DraftTokens, SPEC),
    c("spec_decode_num_accepted_tokens", AcceptedTokens, SPEC),
    max(
        "spec_decode_draft_acceptance_rate",
        "spec_decode_acceptance_ratio",
        V0,
    ),
    h("nixl_xfer_time_seconds", "nixl_transfer_time", NIXL),
    h("nixl_post_time_seconds", "nixl_post_time", NIXL),
    h("nixl_bytes_transferred", "nixl_transfer_bytes", NIXL),
    c("nixl_num_failed_transfers", FailedTransfers, NIXL),
    c("nixl_num_failed_notifications", FailedNotifications, NIXL),
    c("nixl_num_kv_expired_reqs", ExpiredTransfers, NIXL),
];
