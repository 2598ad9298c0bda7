//! The signal catalogue: every signal the product knows, spelled once.
//!
//! Parsers name signals from it, the contract and threshold forms offer it, the docs and the API
//! list it. A signal that is not here does not exist.

use crate::Kind;
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, sync::LazyLock};

/// The five stages of the ladder, top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// 1: what the user feels, for which kind of task.
    RequestTrace,
    /// 2: whether the device waits, and for what.
    GpuExecutionMemory,
    /// 3: which kernel or operator takes the time.
    KernelOperator,
    /// 4: prefill, decode, KV cache, batching, admission.
    ServingSchedulerCache,
    /// 5: links, collectives, placement, replicas.
    DistributedCapacity,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 5] = [
        Self::RequestTrace,
        Self::GpuExecutionMemory,
        Self::KernelOperator,
        Self::ServingSchedulerCache,
        Self::DistributedCapacity,
    ];

    /// 1 to 5.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The stage with this number.
    pub fn from_number(n: u8) -> Option<Self> {
        Self::ALL.get(usize::from(n.checked_sub(1)?)).copied()
    }

    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::RequestTrace => "request_trace",
            Self::GpuExecutionMemory => "gpu_execution_memory",
            Self::KernelOperator => "kernel_operator",
            Self::ServingSchedulerCache => "serving_scheduler_cache",
            Self::DistributedCapacity => "distributed_capacity",
        }
    }
}

/// Base units. Conversion happens in the parser, formatting on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// A share, 0–1.
    Ratio,
    /// A number of things.
    Count,
    /// Tokens.
    Tokens,
    /// Things per second.
    PerSecond,
    /// Tokens per second.
    TokensPerSecond,
    /// Bytes per second.
    BytesPerSecond,
    /// Watts.
    Watts,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 9] = [
        Self::Seconds,
        Self::Bytes,
        Self::Ratio,
        Self::Count,
        Self::Tokens,
        Self::PerSecond,
        Self::TokensPerSecond,
        Self::BytesPerSecond,
        Self::Watts,
    ];

    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Bytes => "bytes",
            Self::Ratio => "ratio",
            Self::Count => "count",
            Self::Tokens => "tokens",
            Self::PerSecond => "per_second",
            Self::TokensPerSecond => "tokens_per_second",
            Self::BytesPerSecond => "bytes_per_second",
            Self::Watts => "watts",
        }
    }

    /// The unit with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|u| u.id() == id)
    }

    /// Spellings a person may type for this unit, each with its factor to the base unit.
    /// `ms` means milliseconds, `%` a hundredth. The first is the base unit's own.
    pub fn spellings(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::Seconds => &[
                ("s", 1.0),
                ("ms", 1e-3),
                ("us", 1e-6),
                ("µs", 1e-6),
                ("ns", 1e-9),
                ("min", 60.0),
            ],
            Self::Bytes => &[
                ("B", 1.0),
                ("kB", 1e3),
                ("MB", 1e6),
                ("GB", 1e9),
                ("KiB", 1024.0),
                ("MiB", 1_048_576.0),
                ("GiB", 1_073_741_824.0),
            ],
            Self::Ratio => &[("ratio", 1.0), ("%", 1e-2)],
            Self::Count => &[("count", 1.0)],
            Self::Tokens => &[("tokens", 1.0)],
            Self::PerSecond => &[("/s", 1.0), ("/min", 1.0 / 60.0)],
            Self::TokensPerSecond => &[("tokens/s", 1.0)],
            Self::BytesPerSecond => &[("B/s", 1.0), ("MB/s", 1e6), ("GB/s", 1e9)],
            Self::Watts => &[("W", 1.0)],
        }
    }

    /// Converts a typed number to the base unit. `None` when the spelling does not belong here.
    ///
    /// The result is the number nearest to its first fifteen digits: 97.9 % is 0.979 to the last
    /// bit, where 97.9 × 0.01 is not, so that equal values compare equal however they are typed.
    pub fn to_base(self, value: f64, spelling: &str) -> Option<f64> {
        self.spellings()
            .iter()
            .find(|(s, _)| *s == spelling.trim())
            .map(|(_, factor)| {
                let base = value * factor;
                format!("{base:.14e}").parse().unwrap_or(base)
            })
    }
}

/// Which direction of a signal is better for the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Lower is better: its limits are upper limits.
    Lower,
    /// Higher is better: its limits are floors.
    Higher,
    /// Neither by itself.
    Neither,
}

/// What role a signal may play in a judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Latency felt by the user: a contract needs a limit on one.
    Latency,
    /// Acceptance of tasks, or failures: a contract needs a floor on one. Tokens per second
    /// never is.
    Acceptance,
    /// Errors and refusals: may carry a rollback threshold, does not show acceptance.
    Errors,
    /// Names a layer when cited for it.
    Layer,
    /// Context only. GPU utilisation is here: a busy GPU is no diagnosis.
    Context,
}

/// One catalogued signal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignalDef {
    /// Its only spelling, snake_case.
    pub name: &'static str,
    /// The stage it belongs to.
    pub stage: Stage,
    /// Base unit.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// What it may carry.
    pub role: Role,
    /// What it means, in one sentence.
    pub definition: &'static str,
    /// The kinds of file that yield it.
    pub kinds: &'static [Kind],
}

/// The definition of a signal.
pub fn find(name: &str) -> Option<&'static SignalDef> {
    position(name).map(|at| &ALL[at])
}

/// The place of a signal in [`ALL`]. A case of many items asks thousands of times per page.
pub fn position(name: &str) -> Option<usize> {
    static PLACES: LazyLock<HashMap<&str, usize>> =
        LazyLock::new(|| ALL.iter().enumerate().map(|(at, d)| (d.name, at)).collect());
    PLACES.get(name).copied()
}

const VLLM: &[Kind] = &[Kind::VllmMetrics];
const PA: &[Kind] = &[Kind::PerfAnalyzerCsv];
const NSYS: &[Kind] = &[Kind::NsightSystems];
const VLLM_PA: &[Kind] = &[Kind::VllmMetrics, Kind::PerfAnalyzerCsv];

const fn def(
    name: &'static str,
    stage: Stage,
    unit: Unit,
    better: Better,
    role: Role,
    kinds: &'static [Kind],
    definition: &'static str,
) -> SignalDef {
    SignalDef {
        name,
        stage,
        unit,
        better,
        role,
        definition,
        kinds,
    }
}

use Better::{Higher, Lower, Neither};
use Role::{Acceptance, Context, Errors, Latency, Layer};
use Stage::{
    DistributedCapacity as S5, GpuExecutionMemory as S2, KernelOperator as S3, RequestTrace as S1,
    ServingSchedulerCache as S4,
};
use Unit::{
    Bytes, BytesPerSecond, Count, PerSecond, Ratio, Seconds, Tokens, TokensPerSecond, Watts,
};

/// Every signal, by stage.
pub const ALL: &[SignalDef] = &[
    // Stage 1 · request trace
    def(
        "ttft",
        S1,
        Seconds,
        Lower,
        Latency,
        VLLM,
        "Time to first token: from arrival of a request to its first output token.",
    ),
    def(
        "itl",
        S1,
        Seconds,
        Lower,
        Latency,
        VLLM,
        "Inter-token latency: gap between two consecutive output tokens, all gaps pooled.",
    ),
    def(
        "tpot",
        S1,
        Seconds,
        Lower,
        Latency,
        VLLM,
        "Time per output token: (end-to-end latency − TTFT) / (output tokens − 1), one value per request.",
    ),
    def(
        "e2e_latency",
        S1,
        Seconds,
        Lower,
        Latency,
        VLLM_PA,
        "End-to-end latency of a finished request.",
    ),
    def(
        "acceptance_rate",
        S1,
        Ratio,
        Higher,
        Acceptance,
        VLLM,
        "Share of finished requests that are accepted. From an engine's own counters: finished by a stop or by the length limit; abort, error, repetition and refused admission are not accepted.",
    ),
    def(
        "accepted_throughput",
        S1,
        PerSecond,
        Higher,
        Acceptance,
        VLLM,
        "Accepted requests per second over the window.",
    ),
    def(
        "finished_requests",
        S1,
        Count,
        Neither,
        Context,
        VLLM,
        "Requests that finished for any reason.",
    ),
    def(
        "accepted_requests",
        S1,
        Count,
        Neither,
        Context,
        VLLM,
        "Requests that finished and are accepted (see acceptance_rate).",
    ),
    def(
        "aborted_ratio",
        S1,
        Ratio,
        Lower,
        Errors,
        VLLM,
        "Share of finished requests that were aborted, mostly clients that gave up.",
    ),
    def(
        "length_limited_ratio",
        S1,
        Ratio,
        Lower,
        Errors,
        VLLM,
        "Share of finished requests cut off by the length limit.",
    ),
    def(
        "error_ratio",
        S1,
        Ratio,
        Lower,
        Errors,
        VLLM,
        "Share of finished requests that ended in an error.",
    ),
    def(
        "request_throughput",
        S1,
        PerSecond,
        Higher,
        Context,
        VLLM_PA,
        "Finished requests per second.",
    ),
    def(
        "inference_throughput",
        S1,
        PerSecond,
        Higher,
        Context,
        PA,
        "Inferences per second: requests per second times the batch size of a request.",
    ),
    def(
        "response_throughput",
        S1,
        PerSecond,
        Higher,
        Context,
        PA,
        "Responses per second of a decoupled model.",
    ),
    def(
        "prompt_length",
        S1,
        Tokens,
        Neither,
        Context,
        VLLM,
        "Prompt tokens of a finished request, cached ones included.",
    ),
    def(
        "output_length",
        S1,
        Tokens,
        Neither,
        Context,
        VLLM,
        "Output tokens of a finished request.",
    ),
    def(
        "client_send_time",
        S1,
        Seconds,
        Lower,
        Context,
        PA,
        "Time the client takes to send a request, average per request.",
    ),
    def(
        "client_receive_time",
        S1,
        Seconds,
        Lower,
        Context,
        PA,
        "Time the client takes to receive an answer, average per request.",
    ),
    def(
        "network_time",
        S1,
        Seconds,
        Lower,
        Context,
        PA,
        "Average latency less all measured parts: network and server send and receive.",
    ),
    // Stage 2 · GPU execution and memory
    def(
        "gpu_utilization",
        S2,
        Ratio,
        Neither,
        Context,
        NSYS,
        "Share of the span in which at least one operation ran on the device. Says nothing about progress.",
    ),
    def(
        "gpu_span",
        S2,
        Seconds,
        Neither,
        Context,
        NSYS,
        "From the start of the first to the end of the last operation on the device.",
    ),
    def(
        "gpu_busy_time",
        S2,
        Seconds,
        Neither,
        Context,
        NSYS,
        "Length of the union of all operations on the device.",
    ),
    def(
        "kernel_busy_time",
        S2,
        Seconds,
        Neither,
        Context,
        NSYS,
        "Length of the union of kernels and graph launches on the device.",
    ),
    def(
        "kernel_utilization",
        S2,
        Ratio,
        Neither,
        Context,
        NSYS,
        "Kernel busy time as a share of the span.",
    ),
    def(
        "memcpy_busy_time",
        S2,
        Seconds,
        Neither,
        Layer,
        NSYS,
        "Length of the union of memory copies on the device.",
    ),
    def(
        "copy_compute_overlap",
        S2,
        Seconds,
        Higher,
        Layer,
        NSYS,
        "Time in which a copy and a kernel ran at once on the device.",
    ),
    def(
        "kernel_concurrency",
        S2,
        Ratio,
        Neither,
        Context,
        NSYS,
        "Summed kernel time over kernel busy time: 1 means one kernel at a time (may exceed 1).",
    ),
    def(
        "gpu_gap_time",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Time inside the span in which nothing ran on the device.",
    ),
    def(
        "gpu_gap_ratio",
        S2,
        Ratio,
        Lower,
        Layer,
        NSYS,
        "Gap time as a share of the span.",
    ),
    def(
        "gpu_gap",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "One stretch inside the span in which nothing ran on the device.",
    ),
    def(
        "gpu_gap_attributed",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Gap time by what the launching host thread did: label `cause` is host_no_cuda, launch_latency, sync_api, memcpy_api, other_cuda_api or unattributed.",
    ),
    def(
        "launch_api_time",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Duration of the API call that launched a kernel.",
    ),
    def(
        "launch_queue_delay",
        S2,
        Seconds,
        Neither,
        Layer,
        NSYS,
        "From the end of the launching API call to the start of the kernel. Large is good: work is queued ahead.",
    ),
    def(
        "memcpy_bytes",
        S2,
        Bytes,
        Lower,
        Layer,
        NSYS,
        "Bytes copied, by label `kind` (Host-to-Device, …).",
    ),
    def(
        "memcpy_time",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Summed duration of copies, by label `kind`.",
    ),
    def(
        "memcpy_bandwidth",
        S2,
        BytesPerSecond,
        Higher,
        Layer,
        NSYS,
        "Bytes copied over summed duration, by label `kind`.",
    ),
    def(
        "pageable_bytes",
        S2,
        Bytes,
        Lower,
        Layer,
        NSYS,
        "Bytes copied from or to pageable host memory.",
    ),
    def(
        "pageable_copies",
        S2,
        Count,
        Lower,
        Layer,
        NSYS,
        "Copies from or to pageable host memory.",
    ),
    def(
        "memset_bytes",
        S2,
        Bytes,
        Neither,
        Context,
        NSYS,
        "Bytes set by memset operations.",
    ),
    def(
        "memset_time",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Summed duration of memset operations.",
    ),
    def(
        "sync_time",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Summed duration of synchronisations, over threads, by label `type`.",
    ),
    def(
        "sync_calls",
        S2,
        Count,
        Lower,
        Layer,
        NSYS,
        "Synchronisations, by label `type`.",
    ),
    def(
        "sync_api_time",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Summed duration of synchronising API calls, over threads.",
    ),
    def(
        "sync_api_calls",
        S2,
        Count,
        Lower,
        Layer,
        NSYS,
        "Synchronising API calls.",
    ),
    def(
        "cuda_api_time",
        S2,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Summed duration of CUDA API calls, over threads.",
    ),
    def(
        "cuda_api_calls",
        S2,
        Count,
        Neither,
        Context,
        NSYS,
        "CUDA API calls recorded (a lower bound: short calls may be skipped).",
    ),
    def(
        "cuda_api_errors",
        S2,
        Count,
        Lower,
        Errors,
        NSYS,
        "CUDA API calls that returned an error.",
    ),
    def(
        "graph_launch_time",
        S2,
        Seconds,
        Neither,
        Layer,
        NSYS,
        "Summed duration of CUDA graph launches traced as a whole.",
    ),
    def(
        "graph_launches",
        S2,
        Count,
        Neither,
        Context,
        NSYS,
        "CUDA graph launches traced as a whole.",
    ),
    def(
        "profiler_overhead_time",
        S2,
        Seconds,
        Neither,
        Context,
        NSYS,
        "Time the profiler itself took, summed.",
    ),
    def(
        "trace_duration",
        S2,
        Seconds,
        Neither,
        Context,
        NSYS,
        "Length of the capture.",
    ),
    def(
        "sm_active",
        S2,
        Ratio,
        Neither,
        Context,
        NSYS,
        "Share of cycles in which an SM had work, sampled by the profiler.",
    ),
    def(
        "dram_read_bandwidth_share",
        S2,
        Ratio,
        Neither,
        Layer,
        NSYS,
        "DRAM read bandwidth as a share of its peak, sampled by the profiler.",
    ),
    def(
        "warps_in_flight",
        S2,
        Ratio,
        Neither,
        Context,
        NSYS,
        "Compute warps in flight as a share of the maximum, sampled by the profiler.",
    ),
    def(
        "gpu_device_utilization",
        S2,
        Ratio,
        Neither,
        Context,
        PA,
        "Share of time in which any kernel ran, as the server reports it, by label `gpu`.",
    ),
    def(
        "gpu_power",
        S2,
        Watts,
        Neither,
        Context,
        PA,
        "Average power, by label `gpu`.",
    ),
    def(
        "gpu_memory_used",
        S2,
        Bytes,
        Neither,
        Context,
        PA,
        "Greatest memory in use, by label `gpu`.",
    ),
    def(
        "gpu_memory_total",
        S2,
        Bytes,
        Neither,
        Context,
        PA,
        "Memory of the device, by label `gpu`.",
    ),
    // Stage 3 · kernel and operator
    def(
        "kernel_launches",
        S3,
        Count,
        Neither,
        Context,
        NSYS,
        "Kernels recorded one by one.",
    ),
    def(
        "kernel_time",
        S3,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Summed kernel time; with label `kernel` that of one kernel name.",
    ),
    def(
        "kernel_time_share",
        S3,
        Ratio,
        Lower,
        Layer,
        NSYS,
        "One kernel name's share of summed kernel time, by label `kernel`.",
    ),
    def(
        "kernel_duration",
        S3,
        Seconds,
        Lower,
        Layer,
        NSYS,
        "Duration of one kernel, by label `kernel`.",
    ),
    def(
        "distinct_kernels",
        S3,
        Count,
        Neither,
        Context,
        NSYS,
        "Distinct kernel names.",
    ),
    def(
        "server_compute_input_time",
        S3,
        Seconds,
        Lower,
        Layer,
        PA,
        "Preparing model inputs on the server, average per request.",
    ),
    def(
        "server_compute_infer_time",
        S3,
        Seconds,
        Lower,
        Layer,
        PA,
        "Running the model on the server, average per request.",
    ),
    def(
        "server_compute_output_time",
        S3,
        Seconds,
        Lower,
        Layer,
        PA,
        "Extracting model outputs on the server, average per request.",
    ),
    def(
        "server_compute_time",
        S3,
        Seconds,
        Lower,
        Layer,
        PA,
        "Whole compute step on the server, average per request.",
    ),
    // Stage 4 · serving scheduler and cache
    def(
        "queue_time",
        S4,
        Seconds,
        Lower,
        Layer,
        VLLM_PA,
        "From being queued to being first scheduled; waiting after a preemption is not in it.",
    ),
    def(
        "prefill_time",
        S4,
        Seconds,
        Lower,
        Layer,
        VLLM,
        "From being first scheduled to the first token.",
    ),
    def(
        "decode_time",
        S4,
        Seconds,
        Lower,
        Layer,
        VLLM,
        "From the first token to the last.",
    ),
    def(
        "inference_time",
        S4,
        Seconds,
        Lower,
        Layer,
        VLLM,
        "From being first scheduled to the last token: prefill and decode.",
    ),
    def(
        "front_end_time",
        S4,
        Seconds,
        Lower,
        Layer,
        VLLM,
        "Mean TTFT less mean queue and prefill time: tokenisation, template, API server; only when the populations agree within 10 %.",
    ),
    def(
        "running_requests",
        S4,
        Count,
        Neither,
        Layer,
        VLLM,
        "Sequences in the running batch, summed over engines.",
    ),
    def(
        "waiting_requests",
        S4,
        Count,
        Lower,
        Layer,
        VLLM,
        "Requests not scheduled, summed over engines.",
    ),
    def(
        "kv_cache_usage",
        S4,
        Ratio,
        Lower,
        Layer,
        VLLM,
        "Share of KV cache blocks held by live requests; over engines the greatest.",
    ),
    def(
        "kv_cache_capacity",
        S4,
        Tokens,
        Higher,
        Context,
        VLLM,
        "KV cache capacity: blocks times block size.",
    ),
    def(
        "preemptions",
        S4,
        Count,
        Lower,
        Layer,
        VLLM,
        "Sequences thrown out of the batch and recomputed.",
    ),
    def(
        "preemptions_per_request",
        S4,
        Count,
        Lower,
        Layer,
        VLLM,
        "Preemptions of one finished request.",
    ),
    def(
        "prompt_tokens",
        S4,
        Tokens,
        Neither,
        Context,
        VLLM,
        "Prompt tokens processed; in V1 cached ones included.",
    ),
    def(
        "generation_tokens",
        S4,
        Tokens,
        Neither,
        Context,
        VLLM,
        "Tokens generated.",
    ),
    def(
        "prompt_token_throughput",
        S4,
        TokensPerSecond,
        Higher,
        Context,
        VLLM,
        "Prompt tokens per second over the window.",
    ),
    def(
        "generation_token_throughput",
        S4,
        TokensPerSecond,
        Higher,
        Context,
        VLLM,
        "Generated tokens per second over the window. Never shows acceptance.",
    ),
    def(
        "prefill_computed_tokens",
        S4,
        Tokens,
        Lower,
        Layer,
        VLLM,
        "Prompt tokens of a request that had to be computed, cached ones left out.",
    ),
    def(
        "prefix_cache_hit_ratio",
        S4,
        Ratio,
        Higher,
        Layer,
        VLLM,
        "Prefix cache hits over queries.",
    ),
    def(
        "external_prefix_cache_hit_ratio",
        S4,
        Ratio,
        Higher,
        Layer,
        VLLM,
        "Hits over queries of the prefix cache behind a KV connector.",
    ),
    def(
        "iteration_tokens",
        S4,
        Tokens,
        Neither,
        Layer,
        VLLM,
        "Tokens processed in one engine step.",
    ),
    def(
        "engine_steps",
        S4,
        Count,
        Neither,
        Context,
        VLLM,
        "Engine steps.",
    ),
    def(
        "engine_step_time",
        S4,
        Seconds,
        Lower,
        Layer,
        VLLM,
        "Window over engine steps: mean time of one step.",
    ),
    def(
        "admission_rejections",
        S4,
        Count,
        Lower,
        Errors,
        VLLM,
        "Requests refused at the door.",
    ),
    def(
        "spec_decode_acceptance_ratio",
        S4,
        Ratio,
        Higher,
        Layer,
        VLLM,
        "Draft tokens accepted over draft tokens proposed.",
    ),
    def(
        "spec_decode_accepted_length",
        S4,
        Tokens,
        Higher,
        Layer,
        VLLM,
        "Mean tokens gained per draft: 1 + accepted tokens over drafts.",
    ),
    def(
        "operating_point_throughput",
        S4,
        PerSecond,
        Higher,
        Context,
        PA,
        "Highest throughput of a stable, valid load point.",
    ),
    def(
        "server_cache_hit_time",
        S4,
        Seconds,
        Lower,
        Layer,
        PA,
        "Answering from the response cache, averaged over hits.",
    ),
    def(
        "server_cache_miss_time",
        S4,
        Seconds,
        Lower,
        Layer,
        PA,
        "Looking up and filling the response cache, averaged over misses.",
    ),
    def(
        "saturation_load",
        S4,
        Count,
        Higher,
        Layer,
        PA,
        "Load of the knee of a sweep, in concurrent requests.",
    ),
    // Stage 5 · distributed capacity
    def(
        "device_count",
        S5,
        Count,
        Neither,
        Context,
        NSYS,
        "Devices on which operations were recorded.",
    ),
    def(
        "device_busy_spread",
        S5,
        Ratio,
        Lower,
        Layer,
        NSYS,
        "Greatest less least device utilisation: imbalance between devices.",
    ),
    def(
        "collective_time_share",
        S5,
        Ratio,
        Lower,
        Layer,
        NSYS,
        "Share of summed kernel time spent in NCCL kernels.",
    ),
    def(
        "peer_copy_bytes",
        S5,
        Bytes,
        Neither,
        Layer,
        NSYS,
        "Bytes copied between devices.",
    ),
    def(
        "nixl_transfer_time",
        S5,
        Seconds,
        Lower,
        Layer,
        VLLM,
        "Time of one KV transfer between engines.",
    ),
    def(
        "nixl_failed_transfers",
        S5,
        Count,
        Lower,
        Errors,
        VLLM,
        "KV transfers between engines that failed.",
    ),
    def(
        "engine_count",
        S5,
        Count,
        Neither,
        Context,
        VLLM,
        "Engines (data-parallel ranks) that exported metrics.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_snake_case_and_defined() {
        let mut seen = BTreeSet::new();
        for d in ALL {
            assert!(seen.insert(d.name), "{} is listed twice", d.name);
            assert!(
                d.name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
            );
            assert!(
                d.definition.ends_with('.') && !d.kinds.is_empty(),
                "{}",
                d.name
            );
        }
    }

    #[test]
    fn tokens_per_second_never_shows_acceptance() {
        for d in ALL.iter().filter(|d| d.unit == Unit::TokensPerSecond) {
            assert_eq!(d.role, Role::Context, "{}", d.name);
        }
    }

    #[test]
    fn a_busy_gpu_is_no_diagnosis() {
        for d in ALL.iter().filter(|d| d.name.contains("utilization")) {
            assert_eq!(d.role, Role::Context, "{}", d.name);
        }
    }

    #[test]
    fn units_convert_what_people_type() {
        assert_eq!(Unit::Seconds.to_base(800.0, "ms"), Some(0.8));
        assert_eq!(Unit::Ratio.to_base(97.0, "%"), Some(0.97));
        assert_eq!(Unit::Seconds.to_base(1.0, "%"), None);
    }
}
