//! What two configurations differ in, and whether that is one knob.

use super::names::{Engine, group, is_cosmetic};
use super::{Config, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How two configurations relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// They mean the same.
    NoChange,
    /// Exactly one setting differs.
    OneKnob,
    /// Several settings of one message or one argument differ.
    OneGroupCompound,
    /// Several settings differ.
    SeveralKnobs,
    /// They cannot be compared.
    NotComparable,
}

impl Verdict {
    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::NoChange => "no_change",
            Self::OneKnob => "one_knob",
            Self::OneGroupCompound => "one_group_compound",
            Self::SeveralKnobs => "several_knobs",
            Self::NotComparable => "not_comparable",
        }
    }
}

/// One side of a difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// The value; `None` = not set, and no default has always been the same.
    pub value: Option<Value>,
    /// Whether the file sets it.
    pub set: bool,
}

/// One setting that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Canonical key.
    pub key: String,
    /// On the first side.
    pub from: Side,
    /// On the second side.
    pub to: Side,
}

/// The comparison of two configurations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diff {
    /// How they relate.
    pub verdict: Verdict,
    /// Why they cannot be compared: a stable id, and what it is about.
    pub reason: Option<(String, String)>,
    /// Settings that differ, sorted by key.
    pub changed: Vec<Change>,
    /// Differences that change nothing about performance.
    pub cosmetic: Vec<Change>,
    /// Groups the changed settings belong to.
    pub groups: Vec<String>,
}

/// Compares two configurations.
pub fn compare(a: &Config, b: &Config) -> Diff {
    let mut diff = Diff {
        verdict: Verdict::NotComparable,
        reason: obstacle(a, b),
        changed: Vec::new(),
        cosmetic: Vec::new(),
        groups: Vec::new(),
    };
    if diff.reason.is_some() {
        return diff;
    }
    let engine = a.engine;
    let mut keys: BTreeSet<String> = a
        .settings
        .keys()
        .chain(b.settings.keys())
        .cloned()
        .collect();
    if let Some(engine) = engine {
        keys.extend(engine.default_keys().map(str::to_owned));
    }
    for key in keys {
        let (from, to) = (side(a, engine, &key), side(b, engine, &key));
        if same(engine, from.value.as_ref(), to.value.as_ref()) {
            continue;
        }
        let change = Change { key, from, to };
        if is_cosmetic(&change.key) {
            diff.cosmetic.push(change);
        } else {
            diff.changed.push(change);
        }
    }
    let groups: BTreeSet<&str> = diff.changed.iter().map(|c| group(&c.key)).collect();
    diff.groups = groups.into_iter().map(str::to_owned).collect();
    diff.verdict = match (diff.changed.len(), diff.groups.len()) {
        (0, _) => Verdict::NoChange,
        (1, _) => Verdict::OneKnob,
        (_, 1) => Verdict::OneGroupCompound,
        _ => Verdict::SeveralKnobs,
    };
    diff
}

fn obstacle(a: &Config, b: &Config) -> Option<(String, String)> {
    let said = |id: &str, what: String| Some((id.to_owned(), what));
    if a.engine != b.engine {
        let name = |c: &Config| c.engine.map_or("?", Engine::id);
        return said("engines", format!("{}, {}", name(a), name(b)));
    }
    for side in [a, b] {
        if !side.conflicts.is_empty() {
            return said("precedence", side.conflicts.join(", "));
        }
        if !side.missing.is_empty() {
            return said("missing", side.missing.join(", "));
        }
        if side.open {
            return said("open", "…".to_owned());
        }
        let unknown = side.unknown();
        if !unknown.is_empty() {
            return said("variable", unknown.join(", "));
        }
    }
    (a.whole != b.whole).then(|| ("partial".to_owned(), "…".to_owned()))
}

fn side(config: &Config, engine: Option<Engine>, key: &str) -> Side {
    match config.value(key) {
        Some(value) => Side {
            value: Some(value.clone()),
            set: true,
        },
        None => Side {
            value: engine
                .filter(|_| config.whole)
                .and_then(|e| e.default_of(key)),
            set: false,
        },
    }
}

/// In Triton's format a field that is absent has the zero of its type.
fn same(engine: Option<Engine>, a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(Value::Unknown), _) | (_, Some(Value::Unknown)) => false,
        (Some(one), None) | (None, Some(one)) if engine == Some(Engine::Triton) => one.is_zero(),
        (a, b) => a == b,
    }
}
