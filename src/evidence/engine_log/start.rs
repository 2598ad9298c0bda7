//! What an engine says while it starts: release, flags, what was loaded, compiled and captured and
//! how long that took, and how large the KV cache became.

use super::sample::number;

/// vLLM and SGLang both divide bytes by 2³⁰, also where they write `GB`.
const GIB: f64 = 1_073_741_824.0;

/// One thing said at a start.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact<'a> {
    /// vLLM's release.
    Release(&'a [u8]),
    /// vLLM's arguments that differ from their defaults, as a Python dictionary.
    Arguments(&'a [u8]),
    /// All arguments of an older vLLM, as `name=value, …`.
    Namespace(&'a [u8]),
    /// vLLM's engine with its resolved configuration, as `name=value, …`.
    Engine(&'a [u8]),
    /// All arguments of SGLang, as `ServerArgs(name=value, …)` or a dictionary.
    ServerArguments(&'a [u8]),
    /// It answers requests; SGLang says so twice, and means it the second time.
    Ready(bool),
    /// A step of the start.
    Step(Step, Option<f64>, Option<f64>),
    /// Tokens that the KV cache holds.
    KvTokens(f64),
    /// Blocks that the KV cache holds.
    KvBlocks(f64),
    /// Requests of full context length that the KV cache holds at once.
    Concurrency(f64),
    /// The attention backend.
    Backend(&'a [u8]),
}

/// Steps of a start, with seconds and bytes where they are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Loading the model onto the device.
    Model,
    /// Compiling by torch.compile.
    Compile,
    /// Capturing CUDA graphs.
    Graphs,
    /// Allocating the KV cache.
    KvCache,
    /// Profiling, making the KV cache and warming up, as vLLM sums it up.
    Engine,
}

impl Step {
    /// All steps in the order of a start; the position is the discriminant.
    pub const ALL: [Self; 5] = [
        Self::Model,
        Self::Compile,
        Self::Graphs,
        Self::KvCache,
        Self::Engine,
    ];

    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Model => "model_load",
            Self::Compile => "compile",
            Self::Graphs => "graph_capture",
            Self::KvCache => "kv_cache",
            Self::Engine => "engine_init",
        }
    }
}

/// Reads a message of a start; `None` when it is none.
pub fn read(message: &[u8]) -> Option<Fact<'_>> {
    let strip = |prefix: &str| message.strip_prefix(prefix.as_bytes());
    match message.first()? {
        b'v' => strip("vLLM API server version ").map(Fact::Release),
        b'n' => strip("non-default args: ").map(Fact::Arguments),
        b'a' => strip("args: Namespace(").map(Fact::Namespace),
        b's' => strip("server_args=").map(Fact::ServerArguments),
        b'I' => engine(message),
        b'A' if message == b"Application startup complete." => Some(Fact::Ready(false)),
        b'A' => available(message),
        b'T' => strip("The server is fired up and ready").map(|_| Fact::Ready(true)),
        b'M' => loaded(message),
        b'L' => loaded(message),
        b't' => {
            let rest = strip("torch.compile takes ").or_else(|| strip("torch.compile took "))?;
            step(Step::Compile, number(rest), None)
        }
        b'G' => graphs(message).or_else(|| {
            let tokens = number(strip("GPU KV cache size: ")?)?;
            Some(Fact::KvTokens(tokens))
        }),
        b'C' => sglang_graphs(message),
        b'K' => sglang_cache(message),
        b'm' => Some(Fact::KvTokens(number(strip("max_total_num_tokens=")?)?)),
        b'#' => {
            let rest = strip("# GPU blocks: ").or_else(|| strip("# cuda blocks: "))?;
            Some(Fact::KvBlocks(number(rest)?))
        }
        b'i' => {
            let rest = strip("init engine (")?;
            step(Step::Engine, after(rest, b" took "), None)
        }
        b'U' => backend(message),
        _ => None,
    }
}

fn step(step: Step, seconds: Option<f64>, gib: Option<f64>) -> Option<Fact<'static>> {
    let bytes = gib.map(|gib| gib * GIB);
    (seconds.is_some() || bytes.is_some()).then_some(Fact::Step(step, seconds, bytes))
}

/// The number behind the first `name` in `text`.
fn after(text: &[u8], name: &[u8]) -> Option<f64> {
    let at = memchr::memmem::find(text, name)?;
    number(text[at + name.len()..].trim_ascii_start())
}

fn engine(message: &[u8]) -> Option<Fact<'_>> {
    let rest = [
        &b"Initializing a V1 LLM engine ("[..],
        b"Initializing an LLM engine (",
    ]
    .iter()
    .find_map(|start| message.strip_prefix(*start))?;
    Some(Fact::Engine(rest))
}

fn available(message: &[u8]) -> Option<Fact<'static>> {
    if let Some(rest) = message.strip_prefix(b"Available KV cache memory: ") {
        return step(Step::KvCache, None, number(rest));
    }
    None
}

/// `Model loading took 3.3466 GiB and 1.68 seconds`, `Loading model weights took 14.98 GB`,
/// `Load weight end. elapsed=367.51 s, …, mem usage=14.98 GB.`
fn loaded(message: &[u8]) -> Option<Fact<'_>> {
    if let Some(rest) = message.strip_prefix(b"Load weight end.") {
        return step(
            Step::Model,
            after(rest, b"elapsed="),
            after(rest, b"mem usage="),
        );
    }
    let took = [&b"Model loading took "[..], b"Loading model weights took "]
        .iter()
        .find_map(|start| message.strip_prefix(*start));
    if let Some(rest) = took {
        return step(Step::Model, after(rest, b" and "), number(rest));
    }
    let rest = message.strip_prefix(b"Maximum concurrency for ")?;
    after(rest, b"per request: ").map(Fact::Concurrency)
}

fn graphs(message: &[u8]) -> Option<Fact<'static>> {
    let rest = message.strip_prefix(b"Graph capturing finished in ")?;
    step(Step::Graphs, number(rest), after(rest, b"took "))
}

/// `Capture cuda graph end. Time elapsed: 7.00 s. mem usage=0.19 GB`, for every kind of graph.
fn sglang_graphs(message: &[u8]) -> Option<Fact<'static>> {
    let rest = message.strip_prefix(b"Capture ")?;
    let near = rest[..rest.len().min(60)].to_ascii_lowercase();
    let at = memchr::memmem::find(&near, b"graph end.")?;
    let rest = &rest[at..];
    let seconds = after(rest, b"elapsed: ").or_else(|| after(rest, b"elapsed="));
    step(Step::Graphs, seconds, after(rest, b"mem usage="))
}

fn sglang_cache(message: &[u8]) -> Option<Fact<'static>> {
    let rest = message.strip_prefix(b"KV Cache is allocated.")?;
    let halves = after(rest, b" K size: ").zip(after(rest, b" V size: "));
    let whole = halves
        .map(|(k, v)| k + v)
        .or_else(|| after(rest, b" KV size: "));
    step(Step::KvCache, None, whole)
}

/// Attention backends by a part of their name, without blanks and underscores.
const BACKENDS: [&str; 12] = [
    "flashattn",
    "flashattention",
    "flashinfer",
    "tritonattn",
    "tritonmla",
    "flashmla",
    "cutlassmla",
    "xformers",
    "torchsdpa",
    "rocm",
    "flexattention",
    "pallas",
];

/// `Using Flash Attention backend on V1 engine.`, `Using FLASH_ATTN attention backend out of …`
fn backend(message: &[u8]) -> Option<Fact<'_>> {
    let rest = message.strip_prefix(b"Using ")?;
    let near = &rest[..rest.len().min(60)];
    let end = memchr::memmem::find(near, b" attention backend")
        .or_else(|| memchr::memmem::find(near, b" backend"))?;
    let name = near[..end]
        .strip_prefix(b"AttentionBackendEnum.")
        .unwrap_or(&near[..end]);
    let folded: String = name
        .iter()
        .filter(|b| b.is_ascii_alphanumeric())
        .map(|b| b.to_ascii_lowercase() as char)
        .collect();
    let other = ["moe", "prefill", "fp8", "sampling", "linear", "encoder"];
    let known = BACKENDS.iter().any(|b| folded.contains(b)) && folded.len() <= 24;
    (known && !other.iter().any(|o| folded.contains(o))).then_some(Fact::Backend(name))
}

/// A release as vLLM prints it: `0.11.0`, `v0.13.0)`, `0.19.2rc1.dev8+g4b7f5ea1a`.
pub fn release(text: &[u8]) -> Option<String> {
    let text = text.strip_prefix(b"v").unwrap_or(text);
    let end = text
        .iter()
        .take(60)
        .position(|b| !(b.is_ascii_alphanumeric() || b".+_-".contains(b)))
        .unwrap_or(text.len().min(60));
    let text = std::str::from_utf8(&text[..end]).ok()?;
    let known = text.contains('.') && text.starts_with(|c: char| c.is_ascii_digit());
    known.then(|| text.trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_with_seconds_and_bytes() {
        let gib = |n: f64| Some(n * GIB);
        let cases = [
            (
                "Model loading took 3.3466 GiB and 1.677846 seconds",
                Step::Model,
                Some(1.677846),
                gib(3.3466),
            ),
            (
                "Model loading took 38.24 GiB memory and 226.512052 seconds",
                Step::Model,
                Some(226.512052),
                gib(38.24),
            ),
            (
                "Loading model weights took 14.9888 GB",
                Step::Model,
                None,
                gib(14.9888),
            ),
            (
                "Load weight end. elapsed=367.51 s, type=X, dtype=torch.bfloat16, avail mem=77.39 GB, mem usage=14.98 GB.",
                Step::Model,
                Some(367.51),
                gib(14.98),
            ),
            (
                "torch.compile takes 8.69 s in total",
                Step::Compile,
                Some(8.69),
                None,
            ),
            (
                "Graph capturing finished in 31 secs, took 0.45 GiB",
                Step::Graphs,
                Some(31.0),
                gib(0.45),
            ),
            (
                "Capture cuda graph end. Time elapsed: 7.00 s. mem usage=0.19 GB. avail mem=8.1 GB.",
                Step::Graphs,
                Some(7.0),
                gib(0.19),
            ),
            (
                "Capture target verify CUDA graph end. elapsed=84 s, mem usage=0.19 GB",
                Step::Graphs,
                Some(84.0),
                gib(0.19),
            ),
            (
                "KV Cache is allocated. dtype: torch.bfloat16, #tokens: 600000, K size: 36.70 GB, V size: 36.70 GB",
                Step::KvCache,
                None,
                gib(73.4),
            ),
            (
                "Available KV cache memory: 9.62 GiB",
                Step::KvCache,
                None,
                gib(9.62),
            ),
            (
                "init engine (profile, create kv cache, warmup model) took 212.68 s (compilation: 13.01 s)",
                Step::Engine,
                Some(212.68),
                None,
            ),
        ];
        for (text, step, seconds, bytes) in cases {
            assert_eq!(
                read(text.as_bytes()),
                Some(Fact::Step(step, seconds, bytes)),
                "{text}"
            );
        }
    }

    #[test]
    fn sizes_backends_and_releases() {
        assert_eq!(
            read(b"GPU KV cache size: 78,800 tokens"),
            Some(Fact::KvTokens(78_800.0))
        );
        assert_eq!(
            read(b"Maximum concurrency for 8,192 tokens per request: 9.62x"),
            Some(Fact::Concurrency(9.62))
        );
        assert_eq!(
            read(b"# cuda blocks: 2542, # CPU blocks: 9362"),
            Some(Fact::KvBlocks(2542.0))
        );
        assert_eq!(
            read(b"max_total_num_tokens=665690, chunked_prefill_size=2048"),
            Some(Fact::KvTokens(665_690.0))
        );
        for (text, name) in [
            (
                "Using Flash Attention backend on V1 engine.",
                Some("Flash Attention"),
            ),
            (
                "Using FLASH_ATTN attention backend out of potential backends: ['FLASH_ATTN']",
                Some("FLASH_ATTN"),
            ),
            (
                "Using AttentionBackendEnum.TRITON_MLA backend.",
                Some("TRITON_MLA"),
            ),
            ("Using FLASH_ATTN MLA prefill backend.", None),
            ("Using FlashInfer for top-p & top-k sampling.", None),
            ("Using xgrammar backend.", None),
        ] {
            assert_eq!(
                read(text.as_bytes()),
                name.map(|n| Fact::Backend(n.as_bytes())),
                "{text}"
            );
        }
        assert_eq!(
            release(b"v0.13.0) with config: model='x'"),
            Some("0.13.0".to_owned())
        );
        assert_eq!(
            release(b"0.19.2rc1.dev8+g4b7f5ea1a"),
            Some("0.19.2rc1.dev8+g4b7f5ea1a".to_owned())
        );
        assert_eq!(release(b"dev) x"), None);
    }
}
