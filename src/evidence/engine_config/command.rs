//! A command that starts an engine: which engine, which release, and its arguments as a flat map.

use super::names::Engine;
use super::shell::{Command, Word, is_name};
use super::value::{Node, Value};
use std::collections::BTreeMap;

/// A start of an engine.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// The engine.
    pub engine: Engine,
    /// Release, when an image's tag names one.
    pub version: Option<String>,
    /// Arguments by their canonical key.
    pub arguments: BTreeMap<String, Value>,
    /// Variables set for it.
    pub variables: Vec<(String, Word)>,
    /// Configuration files it names.
    pub files: Vec<String>,
    /// Whether words are missing that only a running shell knows.
    pub open: bool,
}

/// Programs that start another one.
const LAUNCHERS: [&str; 27] = [
    "$",
    "accelerate",
    "conda",
    "docker",
    "env",
    "exec",
    "ionice",
    "mpiexec",
    "mpirun",
    "ncu",
    "nerdctl",
    "nice",
    "nohup",
    "nsys",
    "numactl",
    "podman",
    "poetry",
    "ray",
    "setsid",
    "srun",
    "stdbuf",
    "sudo",
    "taskset",
    "time",
    "timeout",
    "torchrun",
    "uv",
];

/// Modules that start an engine with `python -m`.
const MODULES: [(&str, Engine); 5] = [
    ("vllm.entrypoints.openai.api_server", Engine::Vllm),
    ("vllm.entrypoints.api_server", Engine::Vllm),
    ("vllm.entrypoints.cli.main", Engine::Vllm),
    ("sglang.launch_server", Engine::Sglang),
    ("tensorrt_llm.commands.serve", Engine::Trtllm),
];

/// Flags that take no value: what follows them is something else.
const SWITCHES: [&str; 12] = [
    "enforce_eager",
    "trust_remote_code",
    "trust-remote-code",
    "async_scheduling",
    "enable_prefix_caching",
    "enable_chunked_prefill",
    "enable_expert_parallel",
    "enable_auto_tool_choice",
    "enable_torch_compile",
    "disable_radix_cache",
    "disable_cuda_graph",
    "log_requests",
];

/// Flags that name a file of settings.
const FILES: [&str; 3] = ["config", "extra_llm_api_options", "config_file"];

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// The engine that a command starts, if it starts one.
pub fn launch(command: &Command) -> Option<Launch> {
    let words = &command.words;
    let first = base(&words.first()?.text);
    let plausible = LAUNCHERS.contains(&first)
        || first.starts_with("python")
        || matches!(first, "vllm" | "sglang" | "trtllm-serve" | "uvx");
    if !plausible {
        return None;
    }
    let mut variables = command.variables.clone();
    let container = words
        .iter()
        .take(4)
        .any(|w| matches!(base(&w.text), "docker" | "podman" | "nerdctl"));
    let mut version = None;
    let mut image = None;
    for i in 0..words.len().min(200) {
        let word = &words[i].text;
        let next = words.get(i + 1).map(|w| w.text.as_str());
        let found = match (base(word), next) {
            ("vllm", Some("serve")) => Some((Engine::Vllm, i + 2)),
            ("sglang", Some("serve")) => Some((Engine::Sglang, i + 2)),
            ("trtllm-serve", Some("serve")) => Some((Engine::Trtllm, i + 2)),
            ("trtllm-serve", _) => Some((Engine::Trtllm, i + 1)),
            ("-m", Some(module)) => MODULES
                .iter()
                .find(|(m, _)| *m == module)
                .map(|(_, e)| (*e, i + 2)),
            _ => None,
        };
        if let Some((engine, from)) = found {
            return Some(start(engine, version, &words[from..], variables));
        }
        if container && image.is_none() {
            if let ("-e" | "--env", Some(pair)) = (word.as_str(), next) {
                variable(&mut variables, pair, words[i + 1].unknown);
            } else if let Some(pair) = word.strip_prefix("--env=") {
                variable(&mut variables, pair, words[i].unknown);
            } else if let Some((engine, tag)) = image_of(word) {
                version = tag;
                image = Some((engine, i + 1));
            }
        }
        // `env A=b vllm serve …`
        if image.is_none() && !container && !word.starts_with('-') {
            variable(&mut variables, word, words[i].unknown);
        }
    }
    match image {
        // Only this image starts its engine by itself.
        Some((Engine::Vllm, from)) => Some(start(Engine::Vllm, version, &words[from..], variables)),
        _ => None,
    }
}

fn variable(variables: &mut Vec<(String, Word)>, pair: &str, unknown: bool) {
    if let Some((name, value)) = pair.split_once('=')
        && is_name(name)
    {
        let text = value.to_owned();
        variables.push((name.to_owned(), Word { text, unknown }));
    }
}

/// The engine of an image, with the release that its tag names.
pub fn image_of(image: &str) -> Option<(Engine, Option<String>)> {
    let place = image.split('@').next().unwrap_or(image);
    let (name, tag) = match place.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => (name, tag),
        _ => (place, ""),
    };
    let engine = if name.ends_with("vllm/vllm-openai") {
        Engine::Vllm
    } else if name.ends_with("lmsysorg/sglang") {
        Engine::Sglang
    } else if name.contains("tensorrt-llm") {
        Engine::Trtllm
    } else {
        return None;
    };
    let release = tag.strip_prefix('v').unwrap_or(tag);
    let numbers = release.split('.').take(2).collect::<Vec<_>>();
    let is_release = numbers.len() == 2 && numbers.iter().all(|n| starts_with_digit(n));
    Some((engine, is_release.then(|| release.to_owned())))
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Reads the arguments of an engine.
pub fn start(
    engine: Engine,
    version: Option<String>,
    words: &[Word],
    variables: Vec<(String, Word)>,
) -> Launch {
    let mut launch = Launch {
        engine,
        version,
        arguments: BTreeMap::new(),
        variables,
        files: Vec::new(),
        open: false,
    };
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        at += 1;
        if word.unknown && !word.text.contains('=') {
            launch.open = true;
            continue;
        }
        if !is_flag(&word.text) {
            launch.model(word);
            continue;
        }
        let (flag, inline) = match word.text.split_once('=') {
            Some((flag, value)) => (
                flag,
                Some(Word {
                    text: value.to_owned(),
                    unknown: word.unknown,
                }),
            ),
            None => (word.text.as_str(), None),
        };
        let level = flag
            .strip_prefix("-O")
            .filter(|r| !r.is_empty() && engine == Engine::Vllm);
        if let Some(rest) = level
            && !flag.starts_with("--")
        {
            let (key, value) = match rest.strip_prefix('.') {
                Some(path) => (
                    format!("compilation_config.{path}"),
                    inline.unwrap_or_default(),
                ),
                None => ("compilation_config.level".to_owned(), Word::known(rest)),
            };
            launch.set(&key, &[value]);
            continue;
        }
        let key = flag.trim_start_matches('-');
        if let Some(value) = inline {
            launch.set(key, &[value]);
            continue;
        }
        let switch = SWITCHES.contains(&engine.canonical(key).as_str());
        let start = at;
        while at < words.len()
            && !is_flag(&words[at].text)
            // Words that only a running shell knows may be flags.
            && !(at > start && words[at].unknown && words[at].text.is_empty())
            && (!switch || matches!(words[at].text.as_str(), "true" | "false" | "True" | "False"))
        {
            at += 1;
        }
        launch.set(key, &words[start..at]);
    }
    launch
}

/// A flag begins with a dash; a negative number is a value.
fn is_flag(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| {
        !rest.is_empty() && !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    })
}

impl Launch {
    fn takes_model(&self) -> bool {
        matches!(self.engine, Engine::Vllm | Engine::Trtllm)
    }

    fn model(&mut self, word: &Word) {
        if self.takes_model() && !self.arguments.contains_key("model") {
            self.put("model".to_owned(), word);
        }
    }

    fn put(&mut self, key: String, word: &Word) {
        let value = if word.unknown {
            Value::Unknown
        } else {
            self.engine.value(&key, Value::word(&word.text))
        };
        // A name is kept as it was written.
        let value = match self.engine.value(&key, Value::Text(word.text.clone())) {
            name @ Value::Text(_) if !word.unknown && is_name_key(self.engine, &key) => name,
            _ => value,
        };
        self.arguments.insert(key, value);
    }

    fn set(&mut self, flag: &str, words: &[Word]) {
        let key = self.engine.canonical(flag);
        let negated = key
            .strip_prefix("no_")
            .filter(|_| self.engine == Engine::Vllm);
        if FILES.contains(&key.as_str())
            && let [file, ..] = words
        {
            if file.unknown {
                self.open = true;
            } else {
                self.files.push(file.text.clone());
            }
            if let Some(model) = words.get(1) {
                self.model(model);
            }
            return;
        }
        match (words, negated) {
            ([], Some(positive)) => {
                self.arguments
                    .insert(positive.to_owned(), Value::Bool(false));
            }
            ([], None) => {
                self.arguments.insert(key, Value::Bool(true));
            }
            ([word], _) => self.one(key, word),
            // `vllm serve --port 8000 MODEL`
            ([word, model], _) if self.takes_model() && !self.arguments.contains_key("model") => {
                self.one(key, word);
                self.model(model);
            }
            (many, _) => {
                let unknown = many.iter().any(|w| w.unknown);
                let list = many.iter().map(|w| Value::word(&w.text)).collect();
                let value = if unknown {
                    Value::Unknown
                } else {
                    self.engine.value(&key, Value::List(list))
                };
                self.arguments.insert(key, value);
            }
        }
    }

    /// One value, which may be JSON.
    fn one(&mut self, key: String, word: &Word) {
        if word.text.trim_start().starts_with('{')
            && !word.unknown
            && let Ok(json) = serde_json::from_str(&word.text)
            && let Some(tree) = Node::json(&json, 0)
        {
            let engine = self.engine;
            let below = format!("{key}.");
            self.arguments
                .retain(|k, _| k != &key && !k.starts_with(&below));
            tree.flatten(&key, &mut |k, v| {
                let v = engine.value(&k, v);
                self.arguments.insert(k, v);
            });
            return;
        }
        self.put(key, word);
    }
}

fn is_name_key(engine: Engine, key: &str) -> bool {
    matches!(engine.value(key, Value::Int(1)), Value::Text(_))
}
