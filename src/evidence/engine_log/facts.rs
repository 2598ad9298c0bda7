//! Facts about the environment that a start states, and what a log says about a cold start.

use super::{
    COLD_SECONDS,
    life::{Life, Start},
};
use crate::{
    Hint, HintAbout, Note, NoteLevel, Reading,
    engine_config::{self, Config, Value},
    reading::tame,
};
use std::collections::BTreeMap;

/// The settings of a start: those that were given, or else those that the engine resolved.
pub fn settings(start: &Start) -> Option<&Config> {
    start.given.as_ref().or(start.resolved.as_ref())
}

/// A setting, as given or as resolved.
fn setting<'a>(start: &'a Start, key: &str) -> Option<&'a Value> {
    let of = |config: &'a Option<Config>| config.as_ref()?.value(key);
    of(&start.resolved).or_else(|| of(&start.given))
}

/// Tokens that the KV cache holds, by engine. V0 prints blocks; without their size they say
/// nothing.
pub fn kv_tokens(start: &Start) -> Option<BTreeMap<Option<u32>, f64>> {
    if !start.kv_tokens.is_empty() {
        return Some(start.kv_tokens.clone());
    }
    let size = match setting(start, "block_size") {
        Some(Value::Int(n)) if *n > 0 => *n as f64,
        _ => return None,
    };
    Some(BTreeMap::from([(None, start.kv_blocks? * size)]))
}

/// Whether the log shows that the prefix cache was on.
pub fn prefix_cache_on(start: &Start) -> bool {
    setting(start, "enable_prefix_caching") == Some(&Value::Bool(true))
}

/// Puts the facts of a life.
pub fn environment(reading: &mut Reading, life: &Life) {
    let start = &life.start;
    if let Some(engine) = life.engine {
        let name = engine.name().to_owned();
        reading.environment.insert("engine".to_owned(), name);
    }
    if let Some(config) = settings(start) {
        let mut config = config.clone();
        // What was resolved holds no word on what was given.
        config.whole = start.given.is_some();
        engine_config::facts(reading, &config);
        if config.secrets > 0 {
            reading.note(
                Note::new(NoteLevel::Info, "engine-config-secrets").arg("count", config.secrets),
            );
        }
        engine_config::settings_figure(reading, &config);
    }
    let mut put = |key: &str, value: &Option<String>| {
        if let Some(value) = value {
            reading.environment.insert(key.to_owned(), tame(value));
        }
    };
    put("engine_version", &start.release);
    put("attention_backend", &start.backend);
    reading.tool.version = start.release.as_deref().map(tame);
}

/// Says `cold` where most of the lines stem from the minutes after a start; a warm service cannot
/// be seen in a log.
pub fn hints(reading: &mut Reading, life: &Life) {
    if life.lines == 0 || life.young * 2 < life.lines {
        return;
    }
    let args = BTreeMap::from([
        ("lines".to_owned(), life.young.to_string()),
        ("all".to_owned(), life.lines.to_string()),
        ("minutes".to_owned(), format!("{:.0}", COLD_SECONDS / 60.0)),
    ]);
    reading.hints.push(Hint {
        about: HintAbout::Phase,
        says: "cold".to_owned(),
        code: "engine-log-after-start".to_owned(),
        args,
    });
}
