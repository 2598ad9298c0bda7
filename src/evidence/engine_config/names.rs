//! Names of settings: one spelling for each, what has always been the default, what changes
//! nothing about performance, and what must never be kept.

use super::value::{Value, number};
use serde::{Deserialize, Serialize};

/// An engine whose configuration is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Triton Inference Server.
    Triton,
    /// vLLM.
    Vllm,
    /// SGLang.
    Sglang,
    /// TensorRT-LLM.
    Trtllm,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 4] = [Self::Triton, Self::Vllm, Self::Sglang, Self::Trtllm];

    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Triton => "triton",
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::Trtllm => "trtllm",
        }
    }

    /// Its usual name, as the fact `engine` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Triton => "Triton Inference Server",
            Self::Vllm => "vLLM",
            Self::Sglang => "SGLang",
            Self::Trtllm => "TensorRT-LLM",
        }
    }

    /// The engine that a fact names, whatever its letters' case.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        match name.as_str() {
            "triton" | "triton inference server" | "tritonserver" => Some(Self::Triton),
            "vllm" => Some(Self::Vllm),
            "sglang" => Some(Self::Sglang),
            "tensorrt-llm" | "trtllm" | "tensorrt_llm" | "trt-llm" => Some(Self::Trtllm),
            _ => None,
        }
    }

    /// Defaults that no release has changed, so that writing one out changes nothing.
    pub fn defaults(self) -> &'static [(&'static str, Value)] {
        use Value::{Bool, Float, Int};
        match self {
            Self::Triton => &[
                ("dynamic_batching", Bool(false)),
                ("dynamic_batching.max_queue_delay_microseconds", Int(0)),
                ("dynamic_batching.preserve_ordering", Bool(false)),
                ("response_cache.enable", Bool(false)),
                ("instance_group[0].count", Int(1)),
                ("max_batch_size", Int(0)),
            ],
            Self::Vllm => &[
                ("gpu_memory_utilization", Float(0.9)),
                ("tensor_parallel_size", Int(1)),
                ("pipeline_parallel_size", Int(1)),
                ("data_parallel_size", Int(1)),
                ("enforce_eager", Bool(false)),
            ],
            Self::Sglang => &[
                ("tp_size", Int(1)),
                ("dp_size", Int(1)),
                ("ep_size", Int(1)),
                ("pp_size", Int(1)),
                ("schedule_conservativeness", Int(1)),
                ("page_size", Int(1)),
            ],
            Self::Trtllm => &[],
        }
    }

    /// Default words that no release has changed.
    pub fn default_words(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Vllm => &[("dtype", "auto"), ("kv_cache_dtype", "auto")],
            Self::Sglang => &[("schedule_policy", "fcfs")],
            _ => &[],
        }
    }

    /// The default of a setting, where it has always been the same.
    pub fn default_of(self, key: &str) -> Option<Value> {
        let fixed = self.defaults().iter().find(|(k, _)| *k == key);
        let word = self.default_words().iter().find(|(k, _)| *k == key);
        fixed
            .map(|(_, v)| v.clone())
            .or_else(|| word.map(|(_, w)| Value::Text((*w).to_owned())))
    }

    /// Keys that have always had the same default.
    pub fn default_keys(self) -> impl Iterator<Item = &'static str> {
        let fixed = self.defaults().iter().map(|(k, _)| *k);
        fixed.chain(self.default_words().iter().map(|(k, _)| *k))
    }

    /// The one spelling of a setting: lower snake case, aliases resolved. What follows a dot or
    /// a bracket is kept.
    pub fn canonical(self, key: &str) -> String {
        let at = key.find(['.', '[']).unwrap_or(key.len());
        let (head, tail) = key.split_at(at);
        if head == "env" {
            return key.to_owned();
        }
        let head = head.trim_start_matches('-').replace('-', "_");
        let head = if self == Self::Triton {
            snake(&head)
        } else {
            head.to_ascii_lowercase()
        };
        let name = match (self, head.as_str()) {
            (Self::Vllm, "tp") => "tensor_parallel_size",
            (Self::Vllm, "pp") => "pipeline_parallel_size",
            (Self::Vllm, "dp") => "data_parallel_size",
            (Self::Vllm, "q") => "quantization",
            (Self::Vllm, "o" | "cc") => "compilation_config",
            (Self::Vllm, "max_batched_tokens") => "max_num_batched_tokens",
            (Self::Sglang, "tp" | "tensor_parallel_size") => "tp_size",
            (Self::Sglang, "dp" | "data_parallel_size") => "dp_size",
            (Self::Sglang, "ep" | "expert_parallel_size") => "ep_size",
            (Self::Sglang, "pp" | "pipeline_parallel_size") => "pp_size",
            (Self::Sglang, "model") => "model_path",
            (Self::Trtllm, "tensor_parallel_size") => "tp_size",
            (Self::Trtllm, "pipeline_parallel_size") => "pp_size",
            (Self::Trtllm, "moe_expert_parallel_size") => "ep_size",
            (Self::Trtllm, "kv_cache_free_gpu_memory_fraction") => {
                "kv_cache_config.free_gpu_memory_fraction"
            }
            (_, other) => other,
        };
        format!("{name}{tail}")
    }

    /// A value as this engine takes it: numbers may be human for vLLM, sets are sorted, names
    /// stay as written.
    pub fn value(self, key: &str, value: Value) -> Value {
        let last = key.rsplit(['.', '[']).next().unwrap_or(key);
        if NAMES.contains(&key) || NAMES.contains(&last) {
            return match value {
                Value::Int(_) | Value::Float(_) | Value::Bool(_) => Value::Text(value.to_string()),
                other => other,
            };
        }
        match value {
            Value::Text(t) if self == Self::Vllm => human(&t).unwrap_or(Value::Text(t)),
            list @ Value::List(_) if SETS.contains(&last) => list.sorted(),
            Value::Int(_) | Value::Float(_) if SETS.contains(&last) => Value::List(vec![value]),
            other => other,
        }
    }
}

/// Settings whose value is a name, never a number.
const NAMES: [&str; 8] = [
    "model",
    "model_path",
    "revision",
    "tokenizer",
    "tokenizer_path",
    "tokenizer_revision",
    "code_revision",
    "served_model_name",
];

/// Lists that are sets in meaning.
const SETS: [&str; 5] = [
    "preferred_batch_size",
    "batch_sizes",
    "cudagraph_capture_sizes",
    "cuda_graph_bs",
    "gpus",
];

/// `32k` is 32 000 and `32K` is 32 768.
fn human(text: &str) -> Option<Value> {
    let (digits, factor) = match text.as_bytes().last()? {
        b'k' => (&text[..text.len() - 1], 1e3),
        b'm' => (&text[..text.len() - 1], 1e6),
        b'g' => (&text[..text.len() - 1], 1e9),
        b'K' => (&text[..text.len() - 1], 1024.0),
        b'M' => (&text[..text.len() - 1], 1024.0 * 1024.0),
        b'G' => (&text[..text.len() - 1], 1024.0 * 1024.0 * 1024.0),
        _ => return None,
    };
    #[allow(clippy::cast_precision_loss)] // sizes people type by hand
    let value = match number(digits)? {
        Value::Int(n) => n as f64,
        Value::Float(x) => x,
        _ => return None,
    };
    // 25.6 × 1000 is not whole in binary; what people mean is.
    let scaled: f64 = format!("{:.14e}", value * factor).parse().ok()?;
    Value::float(scaled)
}

/// `maxBatchSize` is `max_batch_size`.
pub fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for (i, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() {
            if i > 0 && !out.ends_with('_') {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a setting changes nothing about what is measured: where it listens, what it is
/// called, what it logs.
pub fn is_cosmetic(key: &str) -> bool {
    if let Some(name) = key.strip_prefix("env.") {
        return !counted_variable(name);
    }
    let head = key.split(['.', '[']).next().unwrap_or(key);
    const EXACT: [&str; 15] = [
        "host",
        "port",
        "name",
        "served_model_name",
        "chat_template",
        "chat_template_content_format",
        "uvicorn_log_level",
        "root_path",
        "api_key",
        "config",
        "extra_llm_api_options",
        "uds",
        "nccl_port",
        "download_dir",
        "show_time_cost",
    ];
    EXACT.contains(&head)
        || ["log_", "disable_log", "enable_log", "ssl_", "allowed_"]
            .iter()
            .any(|p| head.starts_with(p))
}

/// Whether an environment variable bears on how the engine runs.
pub fn counted_variable(name: &str) -> bool {
    let starts = |p: &str| name.starts_with(p);
    (starts("VLLM_") && !name.contains("LOG") && !is_place(name))
        || (starts("NCCL_") && !starts("NCCL_DEBUG"))
        || starts("CUDA_")
        || starts("TORCH")
        || starts("PYTORCH_")
        || name == "OMP_NUM_THREADS"
        || (starts("SGLANG_") && !name.contains("LOG"))
        || starts("TRTLLM_")
        || (starts("TLLM_") && !name.contains("LOG"))
}

fn is_place(name: &str) -> bool {
    ["_HOST", "_HOST_IP", "_PORT", "_CACHE_ROOT", "_CONFIG_ROOT"]
        .iter()
        .any(|s| name.ends_with(s))
}

/// Whether a variable or flag holds something that must not be kept.
pub fn is_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split(['_', '-', '.', '[', ']']).collect();
    let harmless = ["bos", "eos", "pad", "unk", "mask", "special", "stop", "per"];
    parts.iter().enumerate().any(|(i, part)| match *part {
        "password" | "passwd" | "passphrase" | "secret" | "secrets" | "credential"
        | "credentials" | "apikey" | "auth" | "authorization" | "bearer" => true,
        "token" => i == 0 || !harmless.contains(&parts[i - 1]),
        "key" | "keys" => true,
        _ => false,
    })
}

/// Whether a value is a secret by its own shape, whatever it is called.
pub fn looks_secret(value: &str) -> bool {
    let value = value.trim();
    let long = |prefix: &str| value.starts_with(prefix) && value.len() >= prefix.len() + 12;
    [
        "hf_", "sk-", "ghp_", "gho_", "glpat-", "AKIA", "eyJ", "nvapi-", "xox",
    ]
    .iter()
    .any(|p| long(p))
        || value
            .split_once("://")
            .and_then(|(_, rest)| rest.split('/').next())
            .is_some_and(|place| place.contains('@'))
}

/// The group of a setting: one message, or one JSON argument.
pub fn group(key: &str) -> &str {
    if key.starts_with("env.") {
        return key;
    }
    key.split(['.', '[']).next().unwrap_or(key)
}
