//! What one file is: a model configuration, commands, a file of settings, or variables.

use super::command::{self, Launch};
use super::container;
use super::names::{Engine, counted_variable, snake};
use super::pbtxt::{self, Broken};
use super::shell::{self, Word, is_name};
use super::triton;
use super::value::{Node, Value};
use super::yaml;
use std::collections::BTreeMap;

/// One file, read.
#[derive(Debug)]
pub struct Document {
    /// What it is.
    pub parsed: Parsed,
    /// Files that it writes itself.
    pub files: BTreeMap<String, String>,
}

/// The kinds of file.
#[derive(Debug)]
pub enum Parsed {
    /// A Triton model configuration.
    Model(BTreeMap<String, Value>),
    /// Commands that start an engine.
    Launches(Vec<Launch>),
    /// Settings in YAML or JSON, and the engine whose they are, when they tell.
    Settings(Option<Engine>, Node),
    /// Environment variables.
    Variables(Vec<(String, Word)>),
}

impl From<Parsed> for Document {
    fn from(parsed: Parsed) -> Self {
        Self {
            parsed,
            files: BTreeMap::new(),
        }
    }
}

/// Settings by which a file is known to be an engine's.
const KNOWN: [(Engine, &[&str]); 3] = [
    (
        Engine::Vllm,
        &[
            "tensor_parallel_size",
            "pipeline_parallel_size",
            "data_parallel_size",
            "max_num_seqs",
            "max_num_batched_tokens",
            "max_model_len",
            "gpu_memory_utilization",
            "enable_prefix_caching",
            "enforce_eager",
            "compilation_config",
            "swap_space",
        ],
    ),
    (
        Engine::Sglang,
        &[
            "tp_size",
            "mem_fraction_static",
            "chunked_prefill_size",
            "max_running_requests",
            "max_prefill_tokens",
            "schedule_policy",
            "schedule_conservativeness",
            "disable_radix_cache",
            "disable_cuda_graph",
            "cuda_graph_max_bs",
        ],
    ),
    (
        Engine::Trtllm,
        &[
            "kv_cache_config",
            "cuda_graph_config",
            "max_num_tokens",
            "scheduler_config",
            "moe_config",
            "enable_attention_dp",
            "disable_overlap_scheduler",
            "pytorch_backend_config",
            "enable_iter_perf_stats",
            "tensor_parallel_size",
        ],
    ),
];

/// Settings that several engines share: one of them is no proof, two are.
const SHARED: [&str; 9] = [
    "enable_chunked_prefill",
    "kv_cache_dtype",
    "max_batch_size",
    "quantization",
    "speculative_config",
    "dtype",
    "model",
    "max_seq_len",
    "backend",
];

/// Reads a file; `None` when it is no configuration of an engine.
pub fn parse(text: &str) -> Option<Result<Document, Broken>> {
    let start = text.trim_start();
    if start.is_empty() || has_exposition(text) {
        return None;
    }
    if start.starts_with('{') || start.starts_with('[') {
        return json(start);
    }
    // A manifest holds commands, but is no script.
    let manifest = text.lines().map(str::trim).any(|l| {
        matches!(l, "containers:" | "- containers:" | "services:") || l.starts_with("apiVersion:")
    });
    if manifest && let Some(found) = yaml_document(text) {
        return Some(found);
    }
    if let Some(found) = script(text) {
        return Some(found);
    }
    if let Some(found) = variables(text) {
        return Some(Ok(Parsed::Variables(found).into()));
    }
    let model = model(text);
    if let Some(Ok(found)) = model {
        return Some(Ok(found));
    }
    let written = looks_like_yaml(text).then(|| yaml_document(text)).flatten();
    match (written, model) {
        (Some(Ok(found)), _) => Some(Ok(found)),
        (_, Some(broken)) => Some(broken),
        (written, None) => written,
    }
}

/// Metrics are another reader's, whatever their help texts mention.
fn has_exposition(text: &str) -> bool {
    text.lines()
        .take(400)
        .any(|l| l.starts_with("# TYPE ") || l.starts_with("# HELP "))
}

fn json(text: &str) -> Option<Result<Document, Broken>> {
    let value: serde_json::Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(e) => {
            let squeezed: String = text
                .chars()
                .filter(|c| !c.is_whitespace())
                .take(20_000)
                .collect();
            let mine = [
                "\"maxBatchSize\":",
                "\"max_batch_size\":",
                "\"instanceGroup\":",
                "\"dynamicBatching\":",
            ]
            .iter()
            .any(|k| squeezed.contains(k))
                || KNOWN.iter().any(|(_, keys)| {
                    keys.iter()
                        .filter(|k| squeezed.contains(&format!("\"{k}\":")))
                        .count()
                        >= 2
                });
            return mine.then(|| {
                Err(Broken {
                    line: e.line(),
                    column: e.column().max(1),
                    what: "json",
                })
            });
        }
    };
    let node = Node::json(&value, 0)?;
    tree(node).transpose()
}

/// A document of YAML or JSON, by what it holds.
fn tree(node: Node) -> Result<Option<Document>, Broken> {
    if is_model(&node) {
        return Ok(Some(Parsed::Model(triton::flat(node.fields())).into()));
    }
    let launches = container::launches(&node)?;
    if !launches.is_empty() {
        return Ok(Some(Parsed::Launches(launches).into()));
    }
    Ok(engine_of(&node).map(|engine| Parsed::Settings(engine, node).into()))
}

fn is_model(node: &Node) -> bool {
    let names: Vec<String> = node.fields().iter().map(|(k, _)| snake(k)).collect();
    let has = |n: &str| names.iter().any(|k| k == n);
    let all_known = names
        .iter()
        .all(|n| triton::KNOWN.contains(&n.as_str()) || n == "default_priority_level");
    let messages = [
        "instance_group",
        "dynamic_batching",
        "input",
        "output",
        "ensemble_scheduling",
    ];
    all_known
        && (has("platform") || has("backend"))
        && (has("name") || messages.iter().any(|m| has(m)))
        || (all_known && messages.iter().filter(|m| has(m)).count() >= 2)
}

/// Whose settings these are: `None` when they are nobody's, `Some(None)` when they do not tell.
fn engine_of(node: &Node) -> Option<Option<Engine>> {
    let names: Vec<String> = node
        .fields()
        .iter()
        .map(|(k, _)| {
            k.trim_start_matches('-')
                .replace('-', "_")
                .to_ascii_lowercase()
        })
        .collect();
    let hits = |keys: &[&str]| names.iter().filter(|n| keys.contains(&n.as_str())).count();
    let scored: Vec<(Engine, usize)> = KNOWN.iter().map(|(e, keys)| (*e, hits(keys))).collect();
    let best = scored.iter().map(|(_, n)| *n).max().unwrap_or(0);
    if best == 0 {
        return (hits(&SHARED) >= 2).then_some(None);
    }
    let mut winners = scored.iter().filter(|(_, n)| *n == best);
    let first = winners.next().map(|(e, _)| *e);
    Some(first.filter(|_| winners.next().is_none()))
}

fn script(text: &str) -> Option<Result<Document, Broken>> {
    let mentions = ["vllm", "sglang", "trtllm-serve", "tensorrt_llm"];
    if !mentions.iter().any(|m| text.contains(m)) {
        return None;
    }
    let plain = text.trim_start_matches(['$', ' ', '\n']);
    match shell::read(plain) {
        Ok(script) => {
            let launches: Vec<Launch> =
                script.commands.iter().filter_map(command::launch).collect();
            (!launches.is_empty()).then_some({
                Ok(Document {
                    parsed: Parsed::Launches(launches),
                    files: script.files,
                })
            })
        }
        Err(broken) => {
            // Only what begins like a start command is damaged; a letter may have an apostrophe.
            let mine = plain.lines().any(|l| {
                [
                    "vllm serve ",
                    "python -m vllm.",
                    "python3 -m vllm.",
                    "python -m sglang.",
                    "python3 -m sglang.",
                    "trtllm-serve ",
                    "sglang serve ",
                ]
                .iter()
                .any(|start| l.trim_start().starts_with(start))
            });
            mine.then_some(Err(broken))
        }
    }
}

fn variables(text: &str) -> Option<Vec<(String, Word)>> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=')?;
        if !is_name(name) {
            return None;
        }
        let value = value.trim();
        let bare = ['"', '\'']
            .iter()
            .find_map(|q| value.strip_prefix(*q)?.strip_suffix(*q))
            .unwrap_or(value);
        found.push((
            name.to_owned(),
            Word {
                text: bare.to_owned(),
                unknown: bare.contains('$'),
            },
        ));
    }
    found
        .iter()
        .any(|(n, _)| counted_variable(n))
        .then_some(found)
}

/// A model configuration in text format; an error only where it clearly is one.
fn model(text: &str) -> Option<Result<Document, Broken>> {
    let first = text
        .lines()
        .map(str::trim)
        .find(|l| !l.is_empty() && !l.starts_with('#'))?;
    let end = first
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(first.len());
    let opens = first[end..].trim_start();
    if !triton::KNOWN.contains(&&first[..end])
        || !(opens.is_empty() || opens.starts_with([':', '{', '[', '<']))
    {
        return None;
    }
    match pbtxt::read(text) {
        Ok(fields) => {
            let node = Node::Map(fields);
            is_model(&node).then(|| Ok(Parsed::Model(triton::flat(node.fields())).into()))
        }
        Err(broken) => {
            let known = text
                .lines()
                .filter(|l| {
                    let word = l.trim_start().split([':', ' ', '{', '[', '<']).next();
                    word.is_some_and(|w| triton::KNOWN.contains(&w))
                })
                .count();
            (known >= 2 && text.contains(['{', '[', '<', '"'])).then_some(Err(broken))
        }
    }
}

/// Whether a line looks like a key of YAML; reading prose as YAML tells nothing.
fn looks_like_yaml(text: &str) -> bool {
    text.lines().any(|l| {
        let l = l.trim_start().trim_start_matches("- ");
        l.split_once(':').is_some_and(|(key, _)| {
            !key.is_empty()
                && key
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_-.\"'/".contains(c))
        })
    })
}

fn yaml_document(text: &str) -> Option<Result<Document, Broken>> {
    let known = KNOWN
        .iter()
        .flat_map(|(_, keys)| keys.iter())
        .chain(&SHARED);
    let mine = known
        .clone()
        .any(|k| text.contains(*k) || text.contains(&k.replace('_', "-")))
        || ["vllm", "sglang", "trtllm"]
            .iter()
            .any(|k| text.contains(k));
    if !mine {
        return None;
    }
    let documents = match yaml::read(text) {
        Ok(documents) => documents,
        Err(broken) => {
            let hits = known
                .filter(|k| {
                    text.lines().any(|l| {
                        let l = l.trim_start();
                        [k.to_string(), k.replace('_', "-")].iter().any(|k| {
                            l.strip_prefix(k.as_str())
                                .is_some_and(|r| r.starts_with(':'))
                        })
                    })
                })
                .count();
            return (hits >= 1).then_some(Err(broken));
        }
    };
    let mut launches = Vec::new();
    let mut settings = Vec::new();
    for node in documents {
        match tree(node) {
            Ok(Some(Document {
                parsed: Parsed::Launches(found),
                ..
            })) => launches.extend(found),
            Ok(Some(other)) => settings.push(other),
            Ok(None) => {}
            Err(broken) => return Some(Err(broken)),
        }
    }
    if !launches.is_empty() {
        return Some(Ok(Parsed::Launches(launches).into()));
    }
    settings.pop().map(Ok)
}

/// The settings of a file of YAML or JSON that a script writes.
pub fn settings_of(text: &str) -> Option<Node> {
    yaml::read(text).ok()?.into_iter().next()
}

/// A file of settings as a map; keys as written.
pub fn raw(node: &Node) -> BTreeMap<String, Value> {
    let mut out = BTreeMap::new();
    for (key, value) in node.fields() {
        value.flatten(key, &mut |k, v| {
            out.insert(k, v);
        });
    }
    out
}
