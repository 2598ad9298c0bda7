//! A configuration as a [`Reading`]: facts of the environment, tables of its settings, and notes
//! on what the files do not say.

use super::names::{Engine, is_cosmetic};
use super::{Config, Setting, Value};
use crate::{Cell, Column, Figure, Kind, Note, NoteLevel, Reading, Source, Tool, reading::tame};
use sha2::{Digest as _, Sha256};

/// Version of this parser.
pub const PARSER: &str = "1.0";

/// Longest value that a fact holds as it is, in characters.
const LONGEST: usize = 160;

/// Everything a configuration says.
pub fn reading(config: &Config, sources: &[Source]) -> Reading {
    let tool = Tool {
        name: config
            .engine
            .map_or("engine configuration", Engine::name)
            .to_owned(),
        version: config.version.clone(),
        format: None,
    };
    let mut reading = Reading::new(Kind::EngineConfig, PARSER, tool);
    facts(&mut reading, config);
    figures(&mut reading, config, sources);
    notes(&mut reading, config, sources);
    reading
}

/// The fact that a setting is: the few with a name of their own, and `setting.…` for the others.
pub fn fact_key(key: &str) -> String {
    match key {
        "model" | "model_path" => "model".to_owned(),
        "revision" => "model_revision".to_owned(),
        "quantization" => "quantisation".to_owned(),
        "served_model_name" => key.to_owned(),
        _ => format!("setting.{key}"),
    }
}

/// A fact as it compares: its key in the one spelling of its engine, and its value by meaning.
/// Facts that are no settings compare without regard to case and surrounding blanks.
pub fn normal(engine: Option<Engine>, key: &str, text: &str) -> (String, String) {
    let text = text.trim();
    let Some(setting) = key.trim().strip_prefix("setting.") else {
        return (key.trim().to_owned(), text.to_ascii_lowercase());
    };
    let setting = match engine {
        Some(engine) => engine.canonical(setting),
        None => {
            let at = setting.find(['.', '[']).unwrap_or(setting.len());
            let (head, tail) = setting.split_at(at);
            format!("{}{tail}", head.trim_start_matches('-').replace('-', "_"))
        }
    };
    let key = fact_key(&setting);
    if !key.starts_with("setting.") {
        return (key, text.to_ascii_lowercase());
    }
    let value = match text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        Some("") => Value::List(Vec::new()),
        Some(inside) => Value::List(inside.split(',').map(|t| Value::word(t.trim())).collect()),
        None => Value::word(text),
    };
    let value = engine.map_or_else(|| value.clone(), |e| e.value(&setting, value.clone()));
    (key, fact_value(&value))
}

/// A value as a fact: itself, or its beginning and a digest when it is long.
pub fn fact_value(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= LONGEST && tame(&text) == text {
        return text;
    }
    let digest = Sha256::digest(text.as_bytes());
    let digest: String = digest.iter().take(8).map(|b| format!("{b:02x}")).collect();
    let start: String = tame(&text).chars().take(100).collect();
    format!("{start}… #{digest}")
}

/// Puts the facts that a configuration states into the environment of a reading.
pub fn facts(reading: &mut Reading, config: &Config) {
    let mut put = |key: String, value: String| {
        reading.environment.insert(tame(&key), value);
    };
    if let Some(engine) = config.engine {
        put("engine".to_owned(), engine.name().to_owned());
        // A default holds only where nothing else can set the value.
        let complete = config.whole && config.missing.is_empty() && !config.open;
        for key in engine.default_keys().filter(|_| complete) {
            if let Some(value) = engine.default_of(key) {
                put(fact_key(key), fact_value(&value));
            }
        }
    }
    if let Some(version) = &config.version {
        put("engine_version".to_owned(), tame(version));
    }
    for (key, setting) in &config.settings {
        let zero = config.engine == Some(Engine::Triton) && setting.value.is_zero();
        let fixed = config.engine.is_some_and(|e| e.default_of(key).is_some());
        let unknown = setting.value == Value::Unknown || config.conflicts.contains(key);
        let named = key == "served_model_name";
        if (is_cosmetic(key) && !named) || unknown || (zero && !fixed) {
            continue;
        }
        put(fact_key(key), fact_value(&setting.value));
    }
}

fn figures(reading: &mut Reading, config: &Config, sources: &[Source]) {
    let (cosmetic, counted): (Vec<_>, Vec<_>) =
        config.settings.iter().partition(|(k, _)| is_cosmetic(k));
    table(reading, "engine-settings", &counted, sources);
    table(reading, "engine-settings-cosmetic", &cosmetic, sources);
}

/// Adds the table of settings that bear on performance, for a reader of another kind of file that
/// states them.
pub fn settings_figure(reading: &mut Reading, config: &Config) {
    let counted: Vec<_> = config
        .settings
        .iter()
        .filter(|(k, _)| !is_cosmetic(k))
        .collect();
    table(reading, "engine-settings", &counted, &[]);
}

fn table(reading: &mut Reading, id: &str, rows: &[(&String, &Setting)], sources: &[Source]) {
    if rows.is_empty() {
        return;
    }
    let columns = ["setting", "setting_value", "setting_file"];
    reading.figures.push(Figure {
        id: id.to_owned(),
        columns: columns.iter().map(|c| Column::text(c)).collect(),
        rows: rows
            .iter()
            .map(|(key, setting)| {
                let file = sources.get(setting.file).map_or("", |s| &s.name);
                let value = match &setting.value {
                    Value::Unknown => Cell::NONE,
                    known => Cell::text(&known.to_string()),
                };
                vec![Cell::text(key), value, Cell::text(file)]
            })
            .collect(),
        plot: None,
        marks: Vec::new(),
        rows_left_out: 0,
    });
}

fn notes(reading: &mut Reading, config: &Config, sources: &[Source]) {
    let warning = |code: &str| Note::new(NoteLevel::Warning, code);
    let info = |code: &str| Note::new(NoteLevel::Info, code);
    for file in &config.missing {
        reading.note(warning("engine-config-file-missing").arg("name", file));
    }
    for file in &config.beside {
        reading.note(warning("engine-config-beside-missing").arg("name", file));
    }
    if !config.conflicts.is_empty() {
        reading.note(warning("engine-config-precedence").arg("keys", config.conflicts.join(", ")));
    }
    let unknown = config.unknown();
    if !unknown.is_empty() {
        reading.note(warning("engine-config-variable").arg("keys", unknown.join(", ")));
    }
    if config.open {
        reading.note(warning("engine-config-open"));
    }
    if !config.whole && config.engine.is_some() {
        reading.note(warning("engine-config-no-command"));
    }
    if config.engine.is_none() {
        reading.note(warning("engine-config-no-engine"));
    }
    for i in &config.strays {
        let name = sources.get(*i).map_or("", |s| &s.name);
        reading.note(warning("engine-config-stray").arg("name", name));
    }
    if config.secrets > 0 {
        reading.note(info("engine-config-secrets").arg("count", config.secrets));
    }
    if !config.other_variables.is_empty() {
        reading
            .note(info("engine-config-variables-left").arg("count", config.other_variables.len()));
    }
    if config.engine == Some(Engine::Triton) {
        reading.note(info("engine-config-triton-effective"));
    } else if config.engine.is_some() {
        reading.note(info("engine-config-defaults"));
    }
    if config.version.is_none() && config.engine.is_some() {
        reading.note(info("engine-config-no-version"));
    }
}
