//! Configuration of engines: what was set when a run was taken, as one flat map.
//!
//! Triton's `config.pbtxt`, command lines of vLLM, SGLang and TensorRT-LLM, the YAML or JSON files
//! they name, environment blocks, and containers of Kubernetes or Compose. Two configurations can
//! be compared: one knob, one group, several, or not comparable. Secrets are dropped while reading.

mod command;
mod container;
mod diff;
mod document;
pub(crate) mod names;
mod pbtxt;
mod python;
mod recognition;
mod report;
mod shell;
#[cfg(test)]
mod tests;
mod triton;
mod value;
mod yaml;

pub use diff::{Change, Diff, Side, Verdict, compare};
pub use names::{Engine, is_cosmetic};
pub use python::{Printed, printed};
pub use recognition::recognise;
pub use report::{PARSER, fact_key, fact_value, facts, normal, reading, settings_figure};
pub use value::Value;

use crate::{FileRead, Options, Reading, Refusal, Source};
use document::{Document, Parsed};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

/// Longest file that is read, in bytes, unpacked.
pub const MOST_BYTES: u64 = 1024 * 1024;

/// Most settings of a configuration.
pub const MOST_SETTINGS: usize = 2000;

/// A setting with the file it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Its value.
    pub value: Value,
    /// The file, by its place among the sources.
    pub file: usize,
}

/// The configuration that one or more files describe.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// The engine, when the files tell.
    pub engine: Option<Engine>,
    /// Its release, when an image's tag names one.
    pub version: Option<String>,
    /// Settings by canonical key, with those that change nothing about performance.
    pub settings: BTreeMap<String, Setting>,
    /// Keys that command line and file set differently, where the release decides which wins.
    pub conflicts: Vec<String>,
    /// Files that are named and were not handed in.
    pub missing: Vec<String>,
    /// Files that are not named and still needed: engine arguments a backend keeps beside the model.
    pub beside: Vec<String>,
    /// Whether the command that starts the engine, or a whole model configuration, is among them.
    pub whole: bool,
    /// Whether words are missing that only a running shell knows.
    pub open: bool,
    /// Names of variables that bear on nothing; their values are not kept.
    pub other_variables: BTreeSet<String>,
    /// How many secrets were dropped.
    pub secrets: usize,
    /// Places of the sources that nothing refers to.
    pub strays: Vec<usize>,
}

impl Config {
    /// Keys whose value only a running shell knows.
    pub fn unknown(&self) -> Vec<&str> {
        self.settings
            .iter()
            .filter(|(_, s)| s.value == Value::Unknown)
            .map(|(k, _)| k.as_str())
            .collect()
    }

    /// The value of a setting.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.settings.get(key).map(|s| &s.value)
    }

    fn set(&mut self, key: String, value: Value, file: usize) {
        let secret = match &value {
            Value::Text(t) => names::looks_secret(t),
            Value::List(l) => l
                .iter()
                .any(|v| matches!(v, Value::Text(t) if names::looks_secret(t))),
            _ => false,
        };
        if names::is_secret(&key) || secret {
            self.secrets += 1;
            return;
        }
        self.settings.insert(key, Setting { value, file });
    }

    fn variable(&mut self, name: &str, word: &shell::Word, file: usize) {
        if names::is_secret(name) || names::looks_secret(&word.text) {
            self.secrets += 1;
            return;
        }
        let kept = names::counted_variable(name)
            || (name.starts_with("VLLM_") || name.starts_with("SGLANG_"));
        if !kept {
            self.other_variables.insert(name.to_owned());
            return;
        }
        let value = if word.unknown {
            Value::Unknown
        } else {
            Value::word(&word.text)
        };
        self.set(format!("env.{name}"), value, file);
    }
}

/// Reads configuration files into a reading.
///
/// # Errors
/// A refusal when a file is damaged (with its place), beyond the limits, or does not fit the others.
pub fn read(sources: &[Source], _options: &Options) -> Result<Reading, Refusal> {
    let config = config(sources)?;
    let mut reading = reading(&config, sources);
    for source in sources {
        let bytes = std::fs::metadata(&source.path)
            .map_err(|e| Refusal::io(&source.name, &e))?
            .len();
        reading.files.push(FileRead {
            name: source.name.clone(),
            bytes,
        });
    }
    reading.or_empty(sources.first().map_or("", |s| &s.name))
}

/// Reads configuration files into one map.
///
/// # Errors
/// As [`read`].
pub fn config(sources: &[Source]) -> Result<Config, Refusal> {
    let mut documents = Vec::new();
    for source in sources {
        let text = text(source)?;
        let parsed = document::parse(&text)
            .ok_or_else(|| Refusal::new(&source.name, "unknown-format"))?
            .map_err(|b| recognition::broken(source, b))?;
        documents.push(parsed);
    }
    let config = join(sources, documents)?;
    if config.settings.len() > MOST_SETTINGS {
        let file = sources.first().map_or("", |s| &s.name);
        return Err(Refusal::new(file, "engine-config-too-many").arg("limit", MOST_SETTINGS));
    }
    Ok(config)
}

/// The text of a source, unpacked, without its byte order mark and with plain line ends.
fn text(source: &Source) -> Result<String, Refusal> {
    let io = |e: &std::io::Error| Refusal::io(&source.name, e);
    let mut raw = Vec::new();
    std::fs::File::open(&source.path)
        .map_err(|e| io(&e))?
        .take(MOST_BYTES + 1)
        .read_to_end(&mut raw)
        .map_err(|e| io(&e))?;
    if raw.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        flate2::read::MultiGzDecoder::new(raw.as_slice())
            .take(MOST_BYTES + 1)
            .read_to_end(&mut unpacked)
            .map_err(|e| {
                Refusal::new(&source.name, "engine-config-gzip-damaged").arg("error", e)
            })?;
        raw = unpacked;
    }
    if raw.len() as u64 > MOST_BYTES {
        return Err(
            Refusal::new(&source.name, "engine-config-too-large").arg("limit", MOST_BYTES / 1024)
        );
    }
    let raw = raw.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(&raw);
    match std::str::from_utf8(raw) {
        Ok(text) => Ok(text.replace("\r\n", "\n")),
        Err(e) => Err(Refusal::new(&source.name, "engine-config-not-text")
            .at(format!("byte {}", e.valid_up_to()))),
    }
}

fn join(sources: &[Source], documents: Vec<Document>) -> Result<Config, Refusal> {
    let mut config = Config::default();
    let mut files: BTreeMap<String, (usize, BTreeMap<String, Value>)> = BTreeMap::new();
    let mut launches = Vec::new();
    let mut models = Vec::new();
    for (i, document) in documents.into_iter().enumerate() {
        match document.parsed {
            Parsed::Model(settings) => models.push((i, settings)),
            Parsed::Launches(found) => {
                launches.extend(found.into_iter().map(|l| (i, l)));
            }
            Parsed::Settings(engine, node) => {
                files.insert(base(&sources[i].name), (i, document::raw(&node)));
                if config.engine.is_none() {
                    config.engine = engine;
                }
            }
            Parsed::Variables(found) => {
                for (name, word) in found {
                    config.variable(&name, &word, i);
                }
            }
        }
        for (name, text) in document.files {
            if let Some(node) = document::settings_of(&text) {
                files
                    .entry(base(&name))
                    .or_insert((i, document::raw(&node)));
            }
        }
    }
    if models.len() + usize::from(!launches.is_empty()) > 1 {
        return Err(Refusal::new(
            sources.last().map_or("", |s| &s.name).to_owned(),
            "engine-config-two-engines",
        ));
    }
    if let Some((i, settings)) = models.pop() {
        triton_model(&mut config, i, settings, files);
        return Ok(config);
    }
    match same_launch(sources, launches)? {
        Some((i, launch)) => started(&mut config, i, launch, files),
        None => {
            for (i, settings) in files.into_values() {
                let engine = config.engine;
                for (key, value) in settings {
                    put(&mut config, engine, &key, value, i);
                }
            }
        }
    }
    Ok(config)
}

fn put(config: &mut Config, engine: Option<Engine>, key: &str, value: Value, file: usize) {
    match engine {
        Some(engine) => {
            let key = engine.canonical(key);
            let value = engine.value(&key, value);
            config.set(key, value, file);
        }
        None => config.set(key.replace('-', "_"), value, file),
    }
}

fn base(name: &str) -> String {
    name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned()
}

/// One start, said once or several times in the same words.
fn same_launch(
    sources: &[Source],
    launches: Vec<(usize, command::Launch)>,
) -> Result<Option<(usize, command::Launch)>, Refusal> {
    let mut all = launches.into_iter();
    let Some(first) = all.next() else {
        return Ok(None);
    };
    for (i, other) in all {
        if other != first.1 {
            let code = if other.engine == first.1.engine {
                "engine-config-two-commands"
            } else {
                "engine-config-two-engines"
            };
            return Err(Refusal::new(&sources[i].name, code));
        }
    }
    Ok(Some(first))
}

/// A model configuration, with the engine arguments that some backends keep in a file beside it.
fn triton_model(
    config: &mut Config,
    at: usize,
    settings: BTreeMap<String, Value>,
    files: BTreeMap<String, (usize, BTreeMap<String, Value>)>,
) {
    config.engine = Some(Engine::Triton);
    config.whole = true;
    let backend = settings.get("backend").map(Value::to_string);
    for (key, value) in settings {
        config.set(key, value, at);
    }
    let inner = match backend.as_deref() {
        Some("vllm") => Some(Engine::Vllm),
        _ => None,
    };
    if inner.is_some() && files.is_empty() {
        config.beside.push("model.json".to_owned());
    }
    for (i, below) in files.into_values() {
        for (key, value) in below {
            let (key, value) = match inner {
                Some(engine) => {
                    let key = engine.canonical(&key);
                    let value = engine.value(&key, value);
                    (key, value)
                }
                None => (key, value),
            };
            if !is_cosmetic(&key) {
                config.set(format!("engine_arguments.{key}"), value, i);
            }
        }
    }
}

/// A start command, with the files it names. The command line beats a file, except for TensorRT-LLM,
/// where the release decides.
fn started(
    config: &mut Config,
    at: usize,
    launch: command::Launch,
    mut files: BTreeMap<String, (usize, BTreeMap<String, Value>)>,
) {
    let engine = launch.engine;
    config.engine = Some(engine);
    config.version = launch.version;
    config.whole = true;
    config.open = launch.open;
    for name in &launch.files {
        let Some((i, settings)) = files.remove(&base(name)) else {
            config.missing.push(base(name));
            continue;
        };
        for (key, value) in settings {
            put(config, Some(engine), &key, value, i);
        }
    }
    config.strays = files
        .into_values()
        .map(|(i, _)| i)
        .filter(|i| *i != at)
        .collect();
    for (key, value) in launch.arguments {
        let other = config.value(&key);
        if engine == Engine::Trtllm
            && let Some(other) = other
        {
            if *other != value {
                config.conflicts.push(key);
            }
            continue;
        }
        // An argument that is one value replaces what the file says below it.
        let below = format!("{key}.");
        config.settings.retain(|k, _| !k.starts_with(&below));
        config.set(key, value, at);
    }
    for (name, word) in &launch.variables {
        config.variable(name, word, at);
    }
}
