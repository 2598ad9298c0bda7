//! Triton Inference Server, with its TensorRT-LLM backend. Times are cumulative microseconds per
//! model and version.

use super::{
    Counter::{
        ComputeInferSeconds, ComputeInputSeconds, ComputeOutputSeconds, Executions, Finished,
        Inferences, QueueSeconds, Rejections, RequestSeconds, ResponseCacheHitSeconds,
        ResponseCacheHits, ResponseCacheMissSeconds, ResponseCacheMisses,
    },
    KV_BLOCK_TOKENS, KV_BLOCKS, Means, Name, Row, c, h, max, sum,
};

const DOC: &str = "Triton Inference Server, docs/user_guide/metrics.md";
const TRT: &str = "tensorrtllm_backend README, Triton Metrics";

const fn summary(name: &'static str, signal: Name) -> Row {
    Row::new(name, Means::Summary(signal), DOC).scaled(1e-6)
}

const fn device(name: &'static str, signal: Name) -> Row {
    Row::new(name, Means::Device(signal), DOC)
}

/// The rows.
pub const ROWS: &[Row] = &[
    c("inference_request_success", Finished, DOC).fixed("success"),
    c("inference_request_failure", Rejections, DOC).only("reason", "REJECTED"),
    c("inference_request_failure", Finished, DOC)
        .by("reason")
        .plus(),
    c("inference_count", Inferences, DOC),
    c("inference_exec_count", Executions, DOC),
    c("inference_request_duration_us", RequestSeconds, DOC).scaled(1e-6),
    c("inference_queue_duration_us", QueueSeconds, DOC).scaled(1e-6),
    c(
        "inference_compute_input_duration_us",
        ComputeInputSeconds,
        DOC,
    )
    .scaled(1e-6),
    c(
        "inference_compute_infer_duration_us",
        ComputeInferSeconds,
        DOC,
    )
    .scaled(1e-6),
    c(
        "inference_compute_output_duration_us",
        ComputeOutputSeconds,
        DOC,
    )
    .scaled(1e-6),
    sum("inference_pending_request_count", "waiting_requests", DOC),
    h("inference_first_response_histogram_ms", "ttft", DOC).scaled(1e-3),
    summary("inference_request_summary_us", "e2e_latency"),
    summary("inference_queue_summary_us", "queue_time"),
    summary(
        "inference_compute_input_summary_us",
        "server_compute_input_time",
    ),
    summary(
        "inference_compute_infer_summary_us",
        "server_compute_infer_time",
    ),
    summary(
        "inference_compute_output_summary_us",
        "server_compute_output_time",
    ),
    c("cache_num_hits_per_model", ResponseCacheHits, DOC),
    c("cache_num_misses_per_model", ResponseCacheMisses, DOC),
    c("cache_hit_duration_per_model", ResponseCacheHitSeconds, DOC).scaled(1e-6),
    c(
        "cache_miss_duration_per_model",
        ResponseCacheMissSeconds,
        DOC,
    )
    .scaled(1e-6),
    sum("pinned_memory_pool_used_bytes", "pinned_memory_used", DOC),
    sum("pinned_memory_pool_total_bytes", "pinned_memory_total", DOC),
    device("gpu_utilization", "gpu_device_utilization"),
    device("gpu_power_usage", "gpu_power"),
    device("gpu_power_limit", "gpu_power_limit"),
    device("gpu_memory_used_bytes", "gpu_memory_used"),
    device("gpu_memory_total_bytes", "gpu_memory_total"),
    sum("trt_llm_request_metrics", "running_requests", TRT).only("request_type", "scheduled"),
    sum("trt_llm_request_metrics", "waiting_requests", TRT).only("request_type", "waiting"),
    max("trt_llm_kv_cache_block_metrics", "kv_cache_usage", TRT)
        .only("kv_cache_block_type", "fraction"),
    sum("trt_llm_kv_cache_block_metrics", KV_BLOCKS, TRT).only("kv_cache_block_type", "max"),
    max("trt_llm_kv_cache_block_metrics", KV_BLOCK_TOKENS, TRT)
        .only("kv_cache_block_type", "tokens_per"),
];
