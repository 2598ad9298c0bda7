//! Configurations of engines: every file as a flat map, every pair as a difference with its
//! verdict, and every file through detection.

use super::frame::{Comparison, files, folder, json, name_of};
use pel_evidence::engine_config::{self, Change, Config, Side, Value, Verdict};
use pel_evidence::{Kind, Options, Source, detect};
use serde_json::{Map, Value as Json, json};
use std::path::Path;

/// What the files of settings beside a command are read with.
const COMPANIONS: [(&str, &str); 3] = [
    ("vllm_d.sh", "vllm_d_conf.yaml"),
    ("trtllm_b.sh", "trtllm_b_extra.yaml"),
    ("trtllm_c.sh", "trtllm_c_extra.yaml"),
];

/// Switches this reader keeps beside what stands in them; the expected maps keep only
/// `dynamic_batching`.
const SWITCHES: [&str; 2] = ["sequence_batching", "ensemble_scheduling"];

/// Compares the folder.
pub fn configurations() {
    let Some(root) = folder("engine_config") else {
        return;
    };
    let mut comparison = Comparison::of("engine_config");
    for path in files(&root) {
        let name = name_of(&path);
        if name == "cases.json" {
            continue;
        }
        one(&root, &name, &mut comparison);
    }
    let cases = json(&root.join("cases.json"));
    for case in cases.as_array().expect("a list of cases") {
        pair(&root, case, &mut comparison);
    }
    comparison.finish(&[
        ("how", "prose: how the expected file was made"),
        ("reason", "prose; compared by what it is about"),
    ]);
}

fn sources(root: &Path, name: &str) -> Vec<Source> {
    let beside = COMPANIONS.iter().find(|(n, _)| *n == name);
    std::iter::once(name)
        .chain(beside.map(|(_, c)| *c))
        .map(|n| Source::at(root.join(n)))
        .collect()
}

fn config(root: &Path, name: &str) -> Config {
    engine_config::config(&sources(root, name)).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

fn one(root: &Path, name: &str, comparison: &mut Comparison) {
    let sources = sources(root, name);
    comparison.read_file();
    comparison.equal(
        &format!("{name}.kind"),
        Ok(Kind::EngineConfig),
        detect::kind_of(&sources),
    );
    let reading = match pel_evidence::read(&sources, &Options::default()) {
        Ok(reading) => reading,
        Err(refusal) => return comparison.difference(name, format!("{refusal:?}")),
    };
    let config = config(root, name);
    let engine = config.engine.expect("every file tells its engine");
    comparison.equal(
        &format!("{name}.environment.engine"),
        Some(engine.name()),
        reading.environment.get("engine").map(String::as_str),
    );
    let expected = root.join("expected").join(format!("{name}.json"));
    if !expected.is_file() {
        // A file of settings stands for itself and says so.
        comparison.equal(&format!("{name}.whole"), false, config.whole);
        return;
    }
    let expected = json(&expected);
    comparison.left("how");
    comparison.equal(
        &format!("{name}.engine"),
        expected["engine"].as_str(),
        Some(engine.id()),
    );
    let want = expected["flat"].as_object().expect("a flat map");
    let mut got: Map<String, Json> = config
        .settings
        .iter()
        .filter(|(k, _)| !SWITCHES.contains(&k.as_str()))
        .map(|(k, s)| (k.clone(), value(&s.value)))
        .collect();
    if !config.conflicts.is_empty() {
        got.insert("_precedence_conflict".to_owned(), json!(config.conflicts));
    }
    for key in want
        .keys()
        .chain(got.keys().filter(|k| !want.contains_key(*k)))
    {
        let null = Json::Null;
        comparison.tree(
            &format!("{name}.{key}"),
            want.get(key).unwrap_or(&null),
            got.get(key).unwrap_or(&null),
            &[],
        );
        comparison.equal(
            &format!("{name}.{key} is set"),
            want.contains_key(key),
            got.contains_key(key),
        );
    }
}

fn value(value: &Value) -> Json {
    match value {
        Value::Null | Value::Unknown => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(n) => json!(n),
        Value::Float(x) => json!(x),
        Value::Text(t) => json!(t),
        Value::List(items) => items.iter().map(self::value).collect(),
        Value::Empty => json!({}),
    }
}

fn pair(root: &Path, case: &Json, comparison: &mut Comparison) {
    let id = case["id"].as_str().expect("an id");
    let expected = json(&root.join("expected").join(format!("diff_{id}.json")));
    let names: Vec<&str> = case["files"]
        .as_array()
        .expect("two files")
        .iter()
        .filter_map(Json::as_str)
        .collect();
    let diff = engine_config::compare(&config(root, names[0]), &config(root, names[1]));
    let comparable = diff.verdict != Verdict::NotComparable;
    let mut got = json!({
        "id": id,
        "files": names,
        "verdict": diff.verdict.id(),
        "comparable": comparable,
    });
    if comparable {
        got["engine"] = json!(config(root, names[0]).engine.map(engine_config::Engine::id));
        got["changed"] = diff.changed.iter().map(change).collect();
        got["cosmetic"] = diff.cosmetic.iter().map(change).collect();
        got["changed_keys"] = json!(diff.changed.len());
        got["changed_groups"] = json!(diff.groups);
    }
    comparison.tree(
        &format!("diff_{id}"),
        &expected,
        &got,
        &[("how", ""), ("reason", "")],
    );
    if let Some(reason) = expected["reason"].as_str() {
        // The reason is compared by what it is about.
        let (about, _) = diff.reason.clone().unwrap_or_default();
        let same = match about.as_str() {
            "engines" => reason.starts_with("engines differ"),
            "precedence" => reason.starts_with("precedence_conflict"),
            _ => false,
        };
        comparison.equal(&format!("diff_{id}.reason"), (true, reason), (same, reason));
    }
}

fn change(change: &Change) -> Json {
    let side = |s: &Side| s.value.as_ref().map_or(Json::Null, value);
    json!({
        "key": change.key,
        "from": side(&change.from),
        "to": side(&change.to),
        "from_set": change.from.set,
        "to_set": change.to.set,
    })
}
