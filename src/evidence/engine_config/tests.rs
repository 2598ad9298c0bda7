//! Notations, normalisation, secrets and notes, on files made here.

mod damage;
mod starts;

use super::*;
use crate::detect;
use std::io::Write as _;

/// Files in a folder of their own, as sources.
pub fn sources(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Vec<Source>) {
    let folder = tempfile::tempdir().unwrap();
    let sources = files
        .iter()
        .map(|(name, bytes)| {
            let path = folder.path().join(name);
            std::fs::File::create(&path)
                .unwrap()
                .write_all(bytes)
                .unwrap();
            Source::at(path)
        })
        .collect();
    (folder, sources)
}

pub fn of(text: &str) -> Config {
    let (_folder, files) = sources(&[("f", text.as_bytes())]);
    assert_eq!(
        detect::kind_of(&files),
        Ok(crate::Kind::EngineConfig),
        "{text}"
    );
    config(&files).unwrap()
}

pub fn read_of(files: &[(&str, &[u8])]) -> Result<Reading, Refusal> {
    let (_folder, files) = sources(files);
    crate::read(&files, &Options::default())
}

pub fn value(config: &Config, key: &str) -> String {
    config
        .value(key)
        .map_or_else(|| "(absent)".to_owned(), Value::to_string)
}

pub fn codes(reading: &Reading) -> Vec<&str> {
    reading.notes.iter().map(|n| n.code.as_str()).collect()
}

#[test]
fn numbers_are_equal_by_meaning() {
    let cases = [
        ("0.9", "0.900"),
        (".5", "0.5"),
        ("8", "8.0"),
        ("1e3", "1000"),
        ("-1", "-1.0"),
    ];
    for (a, b) in cases {
        assert_eq!(Value::word(a), Value::word(b), "{a} {b}");
    }
    for (a, b) in [
        ("0123", "123"),
        ("99999999999999999999", "99999999999999999998"),
        ("nan", "0"),
    ] {
        assert_ne!(Value::word(a), Value::word(b), "{a} {b}");
    }
    assert_eq!(Value::word("1e400"), Value::Text("1e400".to_owned()));
}

#[test]
fn the_text_format_has_many_spellings_of_one_thing() {
    let one = of("name: \"m\" backend: 'python' max_batch_size : 0x10\n\
        instance_group { count: 2 } dynamic_batching<> parameters { key: \"a\" value: { string_value: \"1\" } }");
    let other = of(
        "backend:\"py\" \"thon\";max_batch_size:16,instance_group[{count:2}] # two\n\
        dynamic_batching: {}\nparameters [ { key: 'a', value { string_value: '\\x31' } } ]",
    );
    let diff = compare(&one, &other);
    assert_eq!(diff.verdict, Verdict::NoChange, "{diff:?}");
    assert_eq!(diff.cosmetic.len(), 1);
}

#[test]
fn what_the_server_returns_is_the_file_with_its_zeros() {
    let file = of(
        "name: \"m\" platform: \"onnxruntime_onnx\" max_batch_size: 8 input { name: \"x\" data_type: TYPE_FP32 dims: 3 }",
    );
    let server = of(
        r#"{"name":"m","platform":"onnxruntime_onnx","backend":"","max_batch_size":8,
        "input":[{"name":"x","data_type":"TYPE_FP32","dims":["3"],"optional":false,"label_filename":""}],
        "instance_group":[],"cc_model_filenames":{},"parameters":{}}"#,
    );
    let diff = compare(&file, &server);
    assert_eq!(diff.verdict, Verdict::NoChange, "{:?}", diff.changed);
}

#[test]
fn sets_compare_sorted_and_shapes_in_order() {
    let model = |sizes: &str, dims: &str| {
        of(&format!(
            "name: \"m\" backend: \"b\" dynamic_batching {{ preferred_batch_size: {sizes} }} input {{ name: \"x\" dims: {dims} }}"
        ))
    };
    let a = model("[4, 8]", "[1, 2]");
    assert_eq!(
        compare(&a, &model("[8, 4]", "[1, 2]")).verdict,
        Verdict::NoChange
    );
    assert_eq!(
        compare(&a, &model("[8, 4]", "[2, 1]")).verdict,
        Verdict::OneKnob
    );
}

#[test]
fn secrets_are_never_kept() {
    let text = "export HF_TOKEN=hf_abcdefghijklmnopqrst\nexport NCCL_P2P_DISABLE=1\nexport VLLM_API_KEY=supersecret\n\
        export PGPASSWORD=swordfish\n\
        vllm serve meta/x --api-key topsecret1 --hf-token=abcsecret --max-num-seqs 8 \
        --kv-transfer-config '{\"auth\":\"innersecret\",\"url\":\"redis://u:pwsecret@h/0\",\"eos_token\":\"x\"}'";
    let reading = read_of(&[("start.sh", text.as_bytes())]).unwrap();
    let whole = serde_json::to_string(&reading).unwrap();
    for secret in [
        "abcdefghij",
        "supersecret",
        "topsecret1",
        "abcsecret",
        "innersecret",
        "pwsecret",
        "swordfish",
    ] {
        assert!(!whole.contains(secret), "{secret} in {whole}");
    }
    assert_eq!(reading.environment["setting.env.NCCL_P2P_DISABLE"], "1");
    assert_eq!(reading.environment["setting.max_num_seqs"], "8");
    assert!(codes(&reading).contains(&"engine-config-secrets"));
}

#[test]
fn facts_name_engine_model_release_and_defaults() {
    let text = "docker run --gpus all -e VLLM_USE_V1=1 -p 8000:8000 vllm/vllm-openai:v0.6.3 --model meta/x --revision 1e5 -q awq --served-model-name chat";
    let reading = read_of(&[("start.sh", text.as_bytes())]).unwrap();
    let fact = |k: &str| reading.environment.get(k).map(String::as_str);
    assert_eq!(fact("engine"), Some("vLLM"));
    assert_eq!(fact("engine_version"), Some("0.6.3"));
    assert_eq!(fact("model"), Some("meta/x"));
    assert_eq!(fact("model_revision"), Some("1e5"));
    assert_eq!(fact("quantisation"), Some("awq"));
    assert_eq!(fact("served_model_name"), Some("chat"));
    assert_eq!(fact("setting.env.VLLM_USE_V1"), Some("1"));
    assert_eq!(fact("setting.gpu_memory_utilization"), Some("0.9"));
    assert_eq!(fact("setting.tensor_parallel_size"), Some("1"));
    // Depends on release and device: absent, not guessed.
    assert_eq!(fact("setting.max_num_seqs"), None);
    assert!(reading.signals.is_empty());
}

#[test]
fn long_values_are_told_apart_beyond_what_is_shown() {
    let list = |last: u32| {
        let sizes: Vec<String> = (1..400).chain([last]).map(|n| n.to_string()).collect();
        let text = format!(
            "vllm serve m --compilation-config '{{\"cudagraph_capture_sizes\":[{}]}}'",
            sizes.join(",")
        );
        read_of(&[("s.sh", text.as_bytes())]).unwrap().environment
            ["setting.compilation_config.cudagraph_capture_sizes"].clone()
    };
    let (a, b) = (list(1000), list(1001));
    assert!(a.chars().count() < 160 && a != b, "{a} {b}");
}

#[test]
fn every_code_has_its_sentence_in_both_languages() {
    let catalogues = [
        include_str!("../../../locales/en/evidence-engine-config.ftl"),
        include_str!("../../../locales/pt-BR/evidence-engine-config.ftl"),
    ];
    let sources = [
        include_str!("mod.rs"),
        include_str!("report.rs"),
        include_str!("recognition.rs"),
    ];
    let codes: std::collections::BTreeSet<&str> = sources
        .iter()
        .flat_map(|s| s.split('"').skip(1).step_by(2))
        .filter(|s| s.starts_with("engine-config-"))
        .collect();
    assert!(codes.len() >= 20, "{codes:?}");
    for code in codes {
        for text in catalogues {
            let note = text.contains(&format!("\nnote-{code} = "));
            let refusal = text.contains(&format!("\nrefusal-{code} = "))
                && text.contains(&format!("\nrefusal-{code}-remedy = "));
            assert!(note || refusal, "{code}");
        }
    }
}
