//! The mapping table: which exported name means which signal, engine by engine, with the source
//! each row was taken from.
//!
//! Rows of one meaning are alternatives in the order they stand, the first present in a reading
//! wins, so that two spellings of one thing are never added. A row marked [`Row::plus`] adds to
//! the row before it instead (successes and failures of Triton, say). What an engine does not
//! export is absent, never zero.

mod counter;
mod engines;
mod gateways;
mod gpu;
mod triton;
mod vllm;

pub use counter::Counter;
use std::{collections::HashMap, sync::LazyLock};

/// Who exports a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// vLLM.
    Vllm,
    /// SGLang.
    Sglang,
    /// Text Generation Inference.
    Tgi,
    /// TensorRT-LLM's own server.
    TrtLlm,
    /// Triton Inference Server.
    Triton,
    /// llama.cpp's server.
    LlamaCpp,
    /// LMDeploy.
    LmDeploy,
    /// NVIDIA Dynamo.
    Dynamo,
    /// Ray Serve.
    RayServe,
    /// KServe's Python model server.
    KServe,
    /// HTTP middleware in front of an engine.
    Http,
    /// Exporters of GPU state: DCGM's, and those that wrap nvidia-smi.
    Gpu,
}

impl Engine {
    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vllm => "vLLM",
            Self::Sglang => "SGLang",
            Self::Tgi => "Text Generation Inference",
            Self::TrtLlm => "TensorRT-LLM",
            Self::Triton => "Triton Inference Server",
            Self::LlamaCpp => "llama.cpp",
            Self::LmDeploy => "LMDeploy",
            Self::Dynamo => "Dynamo",
            Self::RayServe => "Ray Serve",
            Self::KServe => "KServe",
            Self::Http => "HTTP",
            Self::Gpu => "DCGM exporter",
        }
    }

    /// Whether one process is one engine, so that counting them says something.
    pub fn counts(self) -> bool {
        !matches!(
            self,
            Self::Triton | Self::KServe | Self::RayServe | Self::Dynamo | Self::Http | Self::Gpu
        )
    }

    /// Whether it stands in front of engines and passes their families through.
    pub fn is_gateway(self) -> bool {
        matches!(
            self,
            Self::Dynamo | Self::RayServe | Self::KServe | Self::Http | Self::Gpu
        )
    }
}

/// How a gauge of several engines is put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// Added.
    Sum,
    /// The greatest counts.
    Max,
}

/// A signal of the catalogue, or a part of one (with `#` in front).
pub type Name = &'static str;

/// KV blocks of an engine.
pub const KV_BLOCKS: Name = "#kv_blocks";
/// Tokens of one KV block.
pub const KV_BLOCK_TOKENS: Name = "#kv_block_tokens";

/// What the samples of a row are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Means {
    /// A counter.
    Counter(Counter),
    /// A gauge.
    Gauge(Name, Combine),
    /// A histogram.
    Hist(Name),
    /// Quantiles over a sliding window of the exporter's own.
    Summary(Name),
    /// A gauge of one device.
    Device(Name),
    /// A counter of one device.
    DeviceCount(Name),
    /// A device's last error code, 0 for none.
    DeviceError,
}

/// Where the reason of a finished request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Nowhere.
    None,
    /// In this label.
    Label(&'static str),
    /// In the name of the family.
    Fixed(&'static str),
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Name without the engine's prefix and without `_total`.
    pub name: &'static str,
    /// What it is.
    pub means: Means,
    /// Factor to the base unit.
    pub scale: f64,
    /// Only series with this label.
    pub only: Option<(&'static str, &'static str)>,
    /// Where the reason of a finished request stands.
    pub reason: Reason,
    /// Whether it adds to the row before it, instead of being an alternative.
    pub plus: bool,
    /// Whether the value is a set of bits that say why clocks are held down.
    pub throttle: bool,
    /// Where the name and its meaning were taken from.
    pub source: &'static str,
}

impl Row {
    const fn new(name: &'static str, means: Means, source: &'static str) -> Self {
        Self {
            name,
            means,
            scale: 1.0,
            only: None,
            reason: Reason::None,
            plus: false,
            throttle: false,
            source,
        }
    }

    const fn scaled(mut self, scale: f64) -> Self {
        self.scale = scale;
        self
    }

    const fn only(mut self, label: &'static str, value: &'static str) -> Self {
        self.only = Some((label, value));
        self
    }

    const fn by(mut self, label: &'static str) -> Self {
        self.reason = Reason::Label(label);
        self
    }

    const fn fixed(mut self, reason: &'static str) -> Self {
        self.reason = Reason::Fixed(reason);
        self
    }

    const fn plus(mut self) -> Self {
        self.plus = true;
        self
    }

    const fn throttle(mut self) -> Self {
        self.throttle = true;
        self
    }
}

const fn c(name: &'static str, counter: Counter, source: &'static str) -> Row {
    Row::new(name, Means::Counter(counter), source)
}

const fn sum(name: &'static str, signal: Name, source: &'static str) -> Row {
    Row::new(name, Means::Gauge(signal, Combine::Sum), source)
}

const fn max(name: &'static str, signal: Name, source: &'static str) -> Row {
    Row::new(name, Means::Gauge(signal, Combine::Max), source)
}

const fn h(name: &'static str, signal: Name, source: &'static str) -> Row {
    Row::new(name, Means::Hist(signal), source)
}

/// Engines with their prefixes and rows, in the order in which alternatives are preferred.
pub const TABLE: &[(Engine, &[&str], &[Row])] = &[
    (
        Engine::Vllm,
        &["vllm:", "vllm_", "ray_vllm:", "ray_vllm_"],
        vllm::ROWS,
    ),
    (
        Engine::Sglang,
        &["sglang:", "sglang_", "ray_sglang_"],
        engines::SGLANG,
    ),
    (Engine::Tgi, &["tgi_"], engines::TGI),
    (Engine::TrtLlm, &["trtllm:", "trtllm_"], engines::TRTLLM),
    (
        Engine::LlamaCpp,
        &["llamacpp:", "llamacpp_"],
        engines::LLAMACPP,
    ),
    (
        Engine::LmDeploy,
        &["lmdeploy:", "lmdeploy_"],
        engines::LMDEPLOY,
    ),
    (
        Engine::Dynamo,
        &["dynamo_frontend_", "nv_llm_http_service_", "dynamo_"],
        gateways::DYNAMO,
    ),
    (Engine::Triton, &["nv_"], triton::ROWS),
    (Engine::RayServe, &["ray_serve_"], gateways::RAY_SERVE),
    (Engine::KServe, &[], gateways::KSERVE),
    (Engine::Http, &[], gateways::HTTP),
    (
        Engine::Gpu,
        &["DCGM_FI_", "nvidia_smi_", "nvidia_gpu_"],
        gpu::ROWS,
    ),
];

/// A row as it is found by a name.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// Whose it is.
    pub engine: Engine,
    /// The row.
    pub row: &'static Row,
    /// Its place among the alternatives of its meaning.
    pub rank: usize,
}

type Index = HashMap<&'static str, Vec<Found>>;

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut ranks: HashMap<Means, usize> = HashMap::new();
    let mut index = Index::new();
    for (engine, _, rows) in TABLE {
        for row in *rows {
            let next = ranks.entry(row.means).or_insert(0);
            if !row.plus {
                *next += 1;
            }
            let found = Found {
                engine: *engine,
                row,
                rank: *next,
            };
            index.entry(row.name).or_default().push(found);
        }
    }
    index
});

/// Whose a name is, and the name without the prefix.
pub fn engine_of(name: &str) -> Option<(Engine, &str)> {
    let by_prefix = TABLE.iter().find_map(|(engine, prefixes, _)| {
        let tail = prefixes.iter().find_map(|p| name.strip_prefix(p))?;
        Some((*engine, tail))
    });
    by_prefix.or_else(|| {
        let is_exact = |(_, prefixes, rows): &&(Engine, &[&str], &[Row])| {
            prefixes.is_empty() && rows.iter().any(|row| belongs(name, row.name))
        };
        let (engine, ..) = TABLE.iter().find(is_exact)?;
        Some((*engine, name))
    })
}

/// Whether a sample's name is that of a family, perhaps with a suffix.
fn belongs(name: &str, family: &str) -> bool {
    name.strip_prefix(family).is_some_and(|rest| {
        matches!(
            rest,
            "" | "_total" | "_bucket" | "_sum" | "_count" | "_created"
        )
    })
}

/// The rows of an engine with this name (without prefix) for a series with these labels.
pub fn rows<'a>(
    engine: Engine,
    tail: &'a str,
    label: &'a dyn Fn(&str) -> Option<&'a str>,
) -> impl Iterator<Item = Found> + 'a {
    let known = INDEX.get(tail).map_or(&[][..], Vec::as_slice);
    known.iter().copied().filter(move |found| {
        found.engine == engine
            && found
                .row
                .only
                .is_none_or(|(name, value)| label(name) == Some(value))
    })
}

/// All rows with their engines.
pub fn all() -> impl Iterator<Item = (Engine, &'static Row)> {
    TABLE
        .iter()
        .flat_map(|(engine, _, rows)| rows.iter().map(|row| (*engine, row)))
}

#[cfg(test)]
mod tests;
