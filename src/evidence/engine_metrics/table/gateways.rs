//! What stands in front of engines: Dynamo, Ray Serve, KServe, and HTTP middleware. They pass the
//! engines' own families through beside these.

use super::{
    Counter::{FailedOfFinished, Finished, GenerationTokens, Http},
    KV_BLOCK_TOKENS, KV_BLOCKS, Row, c, h, max, sum,
};

const DYN: &str = "Dynamo, lib/runtime/src/metrics/prometheus_names.rs";

/// Dynamo's frontend, then its workers' endpoints.
pub const DYNAMO: &[Row] = &[
    sum("inflight_requests", "running_requests", DYN),
    sum("queued_requests", "waiting_requests", DYN),
    c("requests", Finished, DYN).by("status"),
    c("output_tokens", GenerationTokens, DYN),
    h("time_to_first_token_seconds", "ttft", DYN),
    h("inter_token_latency_seconds", "itl", DYN),
    h("request_duration_seconds", "e2e_latency", DYN),
    h("input_sequence_tokens", "prompt_length", DYN),
    h("output_sequence_tokens", "output_length", DYN),
    sum("model_total_kv_blocks", KV_BLOCKS, DYN),
    max("model_kv_cache_block_size", KV_BLOCK_TOKENS, DYN),
    sum("component_inflight_requests", "running_requests", DYN),
    c("component_requests", Finished, DYN),
    c("component_errors", FailedOfFinished, DYN),
    h("component_request_duration_seconds", "inference_time", DYN),
];

const RAY: &str = "Ray Serve, doc/source/serve/monitoring.md";

/// Ray Serve. Latencies are milliseconds.
pub const RAY_SERVE: &[Row] = &[
    sum("replica_processing_queries", "running_requests", RAY),
    sum("deployment_queued_queries", "waiting_requests", RAY),
    c("num_http_requests", Finished, RAY),
    c("num_http_error_requests", FailedOfFinished, RAY),
    c("deployment_request_counter", Finished, RAY),
    c("deployment_error_counter", FailedOfFinished, RAY),
    h("http_request_latency_ms", "e2e_latency", RAY).scaled(1e-3),
    h("deployment_processing_latency_ms", "inference_time", RAY).scaled(1e-3),
    h("deployment_queuing_latency_ms", "queue_time", RAY).scaled(1e-3),
];

const KS: &str = "KServe, python/kserve/kserve/metrics.py";

/// KServe's Python model server; its families carry no prefix.
pub const KSERVE: &[Row] = &[
    h(
        "request_preprocess_seconds",
        "server_compute_input_time",
        KS,
    ),
    h("request_predict_seconds", "server_compute_infer_time", KS),
    h(
        "request_postprocess_seconds",
        "server_compute_output_time",
        KS,
    ),
];

const MW: &str = "prometheus-fastapi-instrumentator, default metrics";

/// HTTP middleware beside an engine.
pub const HTTP: &[Row] = &[c("http_requests", Http, MW).by("status")];
