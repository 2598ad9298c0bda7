//! The environment fingerprint: where a run was taken.
//!
//! Facts are stated by a person or read from files; each keeps its sources, and two sources that
//! disagree are a conflict. Equal facts have equal digests, however a setting was spelled. A fact
//! missing on one side is a difference, never a match.

use super::case::CaseFile;
use super::digest;
use super::evidence::{Evidence, EvidenceState};
use super::run::Run;
use pel_evidence::{
    Kind,
    engine_config::{Engine, normal},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Keys asked for on the run form, in the order shown. Others are allowed.
pub const KEYS: &[&str] = &[
    "gpu_model",
    "gpu_count",
    "node_count",
    "driver_version",
    "cuda_version",
    "engine",
    "engine_version",
    "model",
    "model_revision",
    "quantisation",
    "placement",
];

/// What an engine answers to; read to tell a served name from the model behind it.
const SERVED: &str = "served_model_name";

/// Facts by key. Engine settings carry the prefix `setting.`, e.g. `setting.max_num_batched_tokens`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Environment {
    /// Facts as stated or read.
    pub facts: BTreeMap<String, String>,
}

/// One fact in which two environments differ; `None` = not stated on that side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Key of the fact.
    pub key: String,
    /// Value on the first side.
    pub a: Option<String>,
    /// Value on the second side.
    pub b: Option<String>,
}

impl Environment {
    /// Digest of the facts by meaning: environments that do not differ have the same one.
    pub fn digest(&self) -> String {
        let by_meaning: BTreeMap<String, String> = self
            .normal()
            .into_iter()
            .map(|(key, (meaning, _))| (key, meaning))
            .collect();
        digest(&by_meaning)
    }

    /// Whether nothing at all is known.
    pub fn is_unknown(&self) -> bool {
        self.facts.is_empty()
    }

    /// Name for people: `NVIDIA H100×2`, or the engine, or `None`.
    pub fn short_name(&self) -> Option<String> {
        let count = self.facts.get("gpu_count");
        match (self.facts.get("gpu_model"), count) {
            (Some(gpu), Some(n)) => Some(format!("{gpu}×{n}")),
            (Some(gpu), None) => Some(gpu.clone()),
            _ => self
                .facts
                .get("engine")
                .or(self.facts.get("model"))
                .cloned(),
        }
    }

    /// Whether it is known to be one GPU on one node.
    pub fn is_single_gpu(&self) -> bool {
        let one = |key: &str| self.facts.get(key).is_some_and(|v| v.trim() == "1");
        one("gpu_count") && one("node_count")
    }

    /// The engine it names, when its settings can be told apart by meaning.
    pub fn engine(&self) -> Option<Engine> {
        self.facts.get("engine").and_then(|e| Engine::from_name(e))
    }

    /// Facts by their one spelling: what they mean, and what was written.
    fn normal(&self) -> BTreeMap<String, (String, &str)> {
        let engine = self.engine();
        self.facts
            .iter()
            .map(|(key, text)| {
                let (key, meaning) = normal(engine, key, text);
                (key, (meaning, text.as_str()))
            })
            .collect()
    }

    /// The value of a fact, however its key is spelled.
    pub fn get(&self, key: &str) -> Option<&str> {
        if let Some(value) = self.facts.get(key) {
            return Some(value);
        }
        let engine = self.engine();
        let (wanted, _) = normal(engine, key, "");
        self.facts
            .iter()
            .find(|(k, _)| normal(engine, k, "").0 == wanted)
            .map(|(_, v)| v.as_str())
    }

    /// Whether `value` means the same as what this environment has for `key`.
    pub fn has(&self, key: &str, value: &str) -> bool {
        let engine = self.engine();
        self.get(key)
            .is_some_and(|own| normal(engine, key, own).1 == normal(engine, key, value).1)
    }

    /// Whether they are the same by meaning.
    pub fn same(&self, other: &Self) -> bool {
        self.facts == other.facts || self.differences(other).is_empty()
    }

    /// Facts in which the two differ, sorted by key.
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        if self.facts == other.facts {
            return Vec::new();
        }
        let (mine, theirs) = (self.normal(), other.normal());
        let keys: BTreeSet<&String> = mine.keys().chain(theirs.keys()).collect();
        let meaning = |side: &BTreeMap<String, (String, &str)>, key: &String| {
            side.get(key).map(|(meaning, _)| meaning.clone())
        };
        let written = |side: &BTreeMap<String, (String, &str)>, key: &String| {
            side.get(key).map(|(_, text)| (*text).to_owned())
        };
        keys.into_iter()
            .filter(|k| meaning(&mine, k) != meaning(&theirs, k))
            .map(|k| Difference {
                key: k.clone(),
                a: written(&mine, k),
                b: written(&theirs, k),
            })
            .collect()
    }
}

/// Whether two keys name one fact, under any engine's spelling.
pub fn same_key(a: &str, b: &str) -> bool {
    let engines = Engine::ALL.into_iter().map(Some).chain([None]);
    a == b
        || engines
            .into_iter()
            .any(|e| normal(e, a, "").0 == normal(e, b, "").0)
}

/// Where a fact comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Stated with the run.
    Stated,
    /// Read from this evidence item, `EV-4`.
    Read(String),
}

/// A fact of a run with everything that says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The value that counts: the stated one, or the first one read.
    pub value: String,
    /// Who says it; the first one is the one that counts.
    pub sources: Vec<Source>,
    /// Who says otherwise, and what.
    pub against: Vec<(Source, String)>,
}

/// Two files of a run that disagree on a fact nobody stated.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict<'a> {
    /// The fact.
    pub key: String,
    /// The item that said it first, and what.
    pub first: (String, String),
    /// The item that says otherwise.
    pub item: &'a Evidence,
    /// What it says.
    pub found: String,
}

/// The environment of a run as it counts: what was stated, and what was read where nothing was.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effective<'a> {
    /// The facts that count.
    pub environment: Environment,
    /// The same with their sources.
    pub facts: BTreeMap<String, Fact>,
    /// Files that disagree with each other.
    pub conflicts: Vec<Conflict<'a>>,
    /// Names the engine answers to, as its configuration says.
    pub served: BTreeSet<String>,
}

/// The environment of a run: `stated`, and what its usable items say.
///
/// A configuration file fills every fact it has. A metric or a profile fills only facts that are
/// asked for: which others it shows depends on the tool and not on the environment.
pub fn effective<'a>(stated: &Environment, items: &[&'a Evidence]) -> Effective<'a> {
    let mut out = Effective::default();
    let read = |item: &'a Evidence| item.extraction.iter().flat_map(|x| &x.environment);
    let engine = stated.engine().or_else(|| {
        let mut named = items.iter().flat_map(|i| read(i));
        named
            .find(|(k, _)| *k == "engine")
            .and_then(|(_, v)| Engine::from_name(v))
    });
    for item in items {
        let served = read(item).filter(|(k, _)| *k == SERVED);
        out.served
            .extend(served.map(|(_, v)| v.trim_matches(['[', ']']).to_owned()));
    }
    for (key, text) in &stated.facts {
        let (key, _) = normal(engine, key, text);
        out.facts.insert(
            key,
            Fact {
                value: text.clone(),
                sources: vec![Source::Stated],
                against: Vec::new(),
            },
        );
    }
    for item in items {
        let whole = item
            .extraction
            .as_ref()
            .is_some_and(|x| x.kind == Kind::EngineConfig);
        for (key, text) in read(item) {
            let (key, meaning) = normal(engine, &setting_key(key), text);
            let asked = whole || KEYS.contains(&key.as_str());
            let answers = key == "model" && !whole && out.served.contains(text.as_str());
            if key == SERVED || answers {
                continue;
            }
            let source = Source::Read(item.label());
            match out.facts.get_mut(&key) {
                Some(fact) if normal(engine, &key, &fact.value).1 == meaning => {
                    fact.sources.push(source);
                }
                Some(fact) => {
                    if let Source::Read(first) = &fact.sources[0] {
                        out.conflicts.push(Conflict {
                            key: key.clone(),
                            first: (first.clone(), fact.value.clone()),
                            item,
                            found: text.clone(),
                        });
                    }
                    fact.against.push((source, text.clone()));
                }
                None if asked => {
                    out.facts.insert(
                        key,
                        Fact {
                            value: text.clone(),
                            sources: vec![source],
                            against: Vec::new(),
                        },
                    );
                }
                None => {}
            }
        }
    }
    out.environment.facts = out
        .facts
        .iter()
        .map(|(k, f)| (k.clone(), f.value.clone()))
        .collect();
    out
}

/// The environments of all runs of a case, in their order, from the items that count.
pub fn of_runs(case: &CaseFile) -> Vec<Effective<'_>> {
    let mut items: BTreeMap<Uuid, Vec<&Evidence>> = BTreeMap::new();
    for item in &case.evidence {
        if item.state == EvidenceState::Usable && !item.is_invalid() {
            items.entry(item.run_id).or_default().push(item);
        }
    }
    let of = |run: &Run| {
        let read = items.get(&run.id).map_or(&[][..], Vec::as_slice);
        effective(&run.stated.environment, read)
    };
    case.runs.iter().map(of).collect()
}

/// The environment of one run of a case.
pub fn of_run<'a>(case: &'a CaseFile, run: &Run) -> Effective<'a> {
    let counts = |e: &&Evidence| e.state == EvidenceState::Usable && !e.is_invalid();
    let items: Vec<&Evidence> = case.items_of(run.id).filter(counts).collect();
    effective(&run.stated.environment, &items)
}

/// Settings that metrics name without saying that they are settings.
pub fn setting_key(key: &str) -> String {
    match key {
        "block_size" | "gpu_memory_utilization" | "enable_prefix_caching" => {
            format!("setting.{key}")
        }
        "cache_dtype" => "setting.kv_cache_dtype".to_owned(),
        other => other.to_owned(),
    }
}

/// Whether two spellings of a fact mean the same in an environment of this engine.
pub fn same_value(engine: Option<Engine>, key: &str, a: &str, b: &str) -> bool {
    normal(engine, key, a).1 == normal(engine, key, b).1
}
