//! SGLang, Text Generation Inference, TensorRT-LLM, llama.cpp and LMDeploy.

use super::{
    Counter::{
        Aborted, AcceptedTokens, CachedPromptTokens, ComputedPromptTokens, DecodeSeconds,
        DraftTokens, Drafts, FailedOfFinished, Finished, GenerationTokens, Http, Preemptions,
        PrefillSeconds, PrefixHits, PromptTokens, Steps,
    },
    KV_BLOCK_TOKENS, KV_BLOCKS, Row, c, h, max, sum,
};

/// Read off real output of the exporter's code.
const SG: &str = "SGLang 0.5.23 output; python/sglang/srt/metrics/collector.py";
/// Names of older releases.
const SG_OLD: &str = "SGLang 0.4–0.5.1, python/sglang/srt/metrics/collector.py";

/// SGLang. Ranks of one scheduler repeat its numbers; the reader takes the greatest of them.
pub const SGLANG: &[Row] = &[
    sum("num_running_reqs", "running_requests", SG),
    sum("num_queue_reqs", "waiting_requests", SG),
    sum("num_grammar_queue_reqs", "deferred_requests", SG),
    sum(
        "num_prefill_bootstrap_queue_reqs",
        "kv_transfer_waiting_requests",
        SG,
    ),
    sum(
        "num_prefill_inflight_queue_reqs",
        "kv_transfer_waiting_requests",
        SG,
    )
    .plus(),
    sum(
        "num_decode_prealloc_queue_reqs",
        "kv_transfer_waiting_requests",
        SG,
    )
    .plus(),
    sum(
        "num_decode_transfer_queue_reqs",
        "kv_transfer_waiting_requests",
        SG,
    )
    .plus(),
    max("token_usage", "kv_cache_usage", SG),
    sum("max_total_num_tokens", "kv_cache_capacity", SG),
    max("is_cuda_graph", "cuda_graph_active", SG),
    max("spec_accept_rate", "spec_decode_acceptance_ratio", SG),
    max("spec_accept_length", "spec_decode_accepted_length", SG),
    c("num_retracted_requests", Preemptions, SG),
    c("total_retracted_reqs", Preemptions, SG_OLD),
    c("prompt_tokens", PromptTokens, SG),
    c("generation_tokens", GenerationTokens, SG),
    c("cached_tokens", CachedPromptTokens, SG).only("cache_source", "total"),
    c("cached_tokens", CachedPromptTokens, SG),
    c("realtime_tokens", PrefixHits, SG).only("mode", "prefill_cache"),
    c("realtime_tokens", ComputedPromptTokens, SG).only("mode", "prefill_compute"),
    c("num_requests", Finished, SG),
    c("num_aborted_requests", Aborted, SG),
    c("http_responses", Http, SG).by("status_code"),
    h("time_to_first_token_seconds", "ttft", SG),
    h("inter_token_latency_seconds", "itl", SG),
    h("time_per_output_token_seconds", "itl", SG_OLD),
    h("request_time_per_output_token_seconds", "tpot", SG),
    h("e2e_request_latency_seconds", "e2e_latency", SG),
    h("queue_time_seconds", "queue_time", SG),
    h("prompt_tokens_histogram", "prompt_length", SG),
    h("generation_tokens_histogram", "output_length", SG),
    h(
        "uncached_prompt_tokens_histogram",
        "prefill_computed_tokens",
        SG,
    ),
];

const TGI_DOC: &str = "text-generation-inference, docs/source/reference/metrics.md";
const TGI_CODE: &str = "text-generation-inference, router/src/infer";

/// Text Generation Inference. Names carry no unit, durations are seconds.
pub const TGI: &[Row] = &[
    sum("batch_current_size", "running_requests", TGI_DOC),
    sum("queue_size", "waiting_requests", TGI_DOC),
    c("request_success", Finished, TGI_DOC).fixed("success"),
    c("request_failure", Finished, TGI_CODE).by("err").plus(),
    h("request_duration", "e2e_latency", TGI_DOC),
    h("request_queue_duration", "queue_time", TGI_DOC),
    h("request_inference_duration", "inference_time", TGI_DOC),
    h("request_mean_time_per_token_duration", "tpot", TGI_DOC),
    h("request_input_length", "prompt_length", TGI_DOC),
    h("request_generated_tokens", "output_length", TGI_DOC),
    h("request_max_new_tokens", "requested_output_length", TGI_DOC),
    h("batch_next_size", "batch_size", TGI_DOC),
    h("batch_forward_duration", "prefill_batch_time", TGI_DOC).only("method", "prefill"),
    h("batch_forward_duration", "decode_batch_time", TGI_DOC).only("method", "decode"),
];

const TRT: &str = "TensorRT-LLM, tensorrt_llm/metrics/collector.py";

/// TensorRT-LLM's own server (`/prometheus/metrics`).
pub const TRTLLM: &[Row] = &[
    sum("num_requests_running", "running_requests", TRT),
    sum("num_requests_waiting", "waiting_requests", TRT),
    max("kv_cache_utilization", "kv_cache_usage", TRT),
    max("kv_cache_host_utilization", "cpu_kv_cache_usage", TRT),
    max("kv_cache_hit_rate", "prefix_cache_hit_ratio", TRT),
    sum("kv_cache_max_blocks", KV_BLOCKS, TRT),
    max("kv_cache_tokens_per_block", KV_BLOCK_TOKENS, TRT),
    c("request_success", Finished, TRT).by("finished_reason"),
    c("request_error", Finished, TRT).fixed("error").plus(),
    c("num_requests_completed", Finished, TRT),
    c("prompt_tokens", PromptTokens, TRT),
    c("prompt_cached_tokens", CachedPromptTokens, TRT),
    c("generation_tokens", GenerationTokens, TRT),
    c("spec_decode_num_draft_tokens", DraftTokens, TRT),
    c("spec_decode_num_accepted_tokens", AcceptedTokens, TRT),
    c("spec_decode_drafted_tokens", DraftTokens, TRT),
    c("spec_decode_accepted_tokens", AcceptedTokens, TRT),
    h("time_to_first_token_seconds", "ttft", TRT),
    h("inter_token_latency_seconds", "itl", TRT),
    h("time_per_output_token_seconds", "tpot", TRT),
    h("e2e_request_latency_seconds", "e2e_latency", TRT),
    h("request_queue_time_seconds", "queue_time", TRT),
    h("request_prefill_time_seconds", "prefill_time", TRT),
    h("request_decode_time_seconds", "decode_time", TRT),
    h("request_inference_time_seconds", "inference_time", TRT),
    h("scheduled_batch_size", "batch_size", TRT),
];

const LLAMA: &str = "llama.cpp, tools/server README, /metrics";

/// llama.cpp's server: no histogram at all, so no quantile.
pub const LLAMACPP: &[Row] = &[
    sum("requests_processing", "running_requests", LLAMA),
    sum("requests_deferred", "waiting_requests", LLAMA),
    max("kv_cache_usage_ratio", "kv_cache_usage", LLAMA),
    c("prompt_tokens", PromptTokens, LLAMA),
    c("prompt_tokens_cached", CachedPromptTokens, LLAMA),
    c("prompt_seconds", PrefillSeconds, LLAMA),
    c("tokens_predicted", GenerationTokens, LLAMA),
    c("tokens_predicted_seconds", DecodeSeconds, LLAMA),
    c("n_decode", Steps, LLAMA),
    max("n_busy_slots_per_decode", "batch_size", LLAMA),
    c("spec_decode_num_drafts", Drafts, LLAMA),
    c("spec_decode_num_draft_tokens", DraftTokens, LLAMA),
    c("spec_decode_num_accepted_tokens", AcceptedTokens, LLAMA),
];

const LMD: &str = "LMDeploy 0.18, lmdeploy/metrics/loggers.py";

/// LMDeploy: mostly vLLM's names.
pub const LMDEPLOY: &[Row] = &[
    sum("num_requests_running", "running_requests", LMD),
    sum("num_requests_waiting", "waiting_requests", LMD),
    sum("num_api_requests_waiting", "deferred_requests", LMD),
    max("kv_cache_usage_perc", "kv_cache_usage", LMD),
    max("gpu_cache_usage_perc", "kv_cache_usage", LMD),
    max("prefix_cache_hit_rate", "prefix_cache_hit_ratio", LMD),
    c("prompt_tokens", PromptTokens, LMD),
    c("generation_tokens", GenerationTokens, LMD),
    c("request_success", Finished, LMD).by("finished_reason"),
    c("num_requests_failed", FailedOfFinished, LMD),
    h("time_to_first_token_seconds", "ttft", LMD),
    h("iter_token_latency", "itl", LMD),
    h("inter_token_latency_seconds", "itl", LMD),
    h("time_per_output_token_seconds", "itl", LMD),
    h("e2e_request_latency_seconds", "e2e_latency", LMD),
    h("request_queue_time_seconds", "queue_time", LMD),
    h("request_prefill_time_seconds", "prefill_time", LMD),
    h("request_decode_time_seconds", "decode_time", LMD),
    h("request_inference_time_seconds", "inference_time", LMD),
    h("request_prompt_tokens", "prompt_length", LMD),
    h("request_generation_tokens", "output_length", LMD),
    h("request_params_max_tokens", "requested_output_length", LMD),
];
