//! Command lines, the files they name, scripts and manifests.

use super::*;

#[test]
fn aliases_and_spellings_are_one_setting() {
    let a = of(
        "vllm serve m -tp 2 --max-num-batched-tokens=32k --no-enable-prefix-caching -O3 --port 8000",
    );
    assert_eq!(value(&a, "tensor_parallel_size"), "2");
    assert_eq!(value(&a, "max_num_batched_tokens"), "32000");
    assert_eq!(value(&a, "enable_prefix_caching"), "false");
    assert_eq!(value(&a, "compilation_config.level"), "3");
    let b = of(
        "python3 -m vllm.entrypoints.openai.api_server --model m --tensor_parallel_size 2 \
        --max_num_batched_tokens 32K --compilation-config '{\"level\": 3}'",
    );
    let diff = compare(&a, &b);
    let keys: Vec<&str> = diff.changed.iter().map(|c| c.key.as_str()).collect();
    assert_eq!(
        keys,
        ["enable_prefix_caching", "max_num_batched_tokens"],
        "32k is not 32K"
    );
    let sg = of(
        "sglang serve --model-path q --tp-size 4 --cuda-graph-bs 8 1 4 --chunked-prefill-size -1",
    );
    assert_eq!(value(&sg, "tp_size"), "4");
    assert_eq!(value(&sg, "cuda_graph_bs"), "[1, 4, 8]");
    assert_eq!(value(&sg, "chunked_prefill_size"), "-1");
}

#[test]
fn a_later_value_replaces_an_earlier_one_whole() {
    let one = of(
        "vllm serve m --compilation-config '{\"level\":2,\"x\":1}' --compilation-config '{\"level\":3}'",
    );
    assert_eq!(value(&one, "compilation_config.x"), "(absent)");
    assert_eq!(value(&one, "compilation_config.level"), "3");
}

#[test]
fn scripts_set_variables_and_write_files() {
    let text = "#!/bin/bash\nset -e\nSEQS=64\nexport NCCL_DEBUG=INFO CUDA_VISIBLE_DEVICES=0,1\nARGS=\"--max-num-seqs $SEQS --enforce-eager\"\n\
        exec vllm serve m $ARGS \\\n  --max-model-len ${LEN} > log.txt 2>&1 &\n";
    let config = of(text);
    assert_eq!(value(&config, "max_num_seqs"), "64");
    assert_eq!(value(&config, "enforce_eager"), "true");
    assert_eq!(config.value("max_model_len"), Some(&Value::Unknown));
    assert_eq!(value(&config, "env.CUDA_VISIBLE_DEVICES"), "0,1");
    assert!(!config.open && config.settings.keys().all(|k| !k.contains("log")));
    let written = of(
        "cat > extra.yaml <<'EOF'\nkv_cache_config:\n  enable_block_reuse: true\nEOF\n\
        trtllm-serve m --max_batch_size 8 --extra_llm_api_options extra.yaml",
    );
    assert_eq!(
        value(&written, "kv_cache_config.enable_block_reuse"),
        "true"
    );
    assert!(written.missing.is_empty());
    let open = of("vllm serve m --max-num-seqs 8 $EXTRA_ARGS");
    assert!(open.open);
    assert_eq!(compare(&open, &open).verdict, Verdict::NotComparable);
    assert!(
        compare(&config, &config)
            .reason
            .is_some_and(|r| r.0 == "variable")
    );
}

#[test]
fn a_named_file_that_was_not_handed_in_makes_it_incomparable() {
    let start = b"vllm serve m --config /etc/conf.yaml" as &[u8];
    let alone = read_of(&[("start.sh", start)]).unwrap();
    assert!(codes(&alone).contains(&"engine-config-file-missing"));
    assert!(
        !alone
            .environment
            .contains_key("setting.gpu_memory_utilization"),
        "no default is certain"
    );
    let both = read_of(&[
        ("start.sh", start),
        ("conf.yaml", b"max-num-seqs: 64\nenforce-eager: true\n"),
    ])
    .unwrap();
    assert!(!codes(&both).contains(&"engine-config-file-missing"));
    assert_eq!(both.environment["setting.max_num_seqs"], "64");
    assert_eq!(both.environment["setting.gpu_memory_utilization"], "0.9");
}

#[test]
fn where_the_release_decides_nothing_is_compared() {
    let files: [(&str, &[u8]); 2] = [
        ("s.sh", b"trtllm-serve m --max_batch_size 8 --config x.yml"),
        (
            "x.yml",
            b"max_batch_size: 16\nkv_cache_config:\n  enable_block_reuse: false\n",
        ),
    ];
    let reading = read_of(&files).unwrap();
    assert!(codes(&reading).contains(&"engine-config-precedence"));
    assert!(!reading.environment.contains_key("setting.max_batch_size"));
}

#[test]
fn containers_of_a_manifest_are_starts() {
    let text = r#"
apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      containers:
      - name: vllm
        image: registry.example/vllm/vllm-openai:v0.8.1
        command: ["vllm", "serve"]
        args:
        - meta/x
        - --max-num-seqs=$(SEQS)
        - --tensor-parallel-size
        - "2"
        env:
        - name: SEQS
          value: "96"
        - name: HF_TOKEN
          valueFrom:
            secretKeyRef: {name: hf, key: token}
        - name: NCCL_IB_DISABLE
          value: "1"
"#;
    let config = of(text);
    assert_eq!(config.engine, Some(Engine::Vllm));
    assert_eq!(config.version.as_deref(), Some("0.8.1"));
    assert_eq!(value(&config, "max_num_seqs"), "96");
    assert_eq!(value(&config, "tensor_parallel_size"), "2");
    assert_eq!(value(&config, "env.NCCL_IB_DISABLE"), "1");
    assert_eq!(config.secrets, 1);
    let shell = of(
        "services:\n  sglang:\n    image: lmsysorg/sglang:latest\n    environment:\n      SGLANG_X: 1\n    command: >\n      python3 -m sglang.launch_server --model-path q\n      --tp 2\n",
    );
    assert_eq!(value(&shell, "tp_size"), "2");
    assert_eq!(value(&shell, "env.SGLANG_X"), "1");
    let script = of(
        "containers:\n- image: nvcr.io/nvidia/tensorrt-llm/release:1.0.0\n  command: [bash, -c]\n  args: [\"trtllm-serve m --tp_size 2\"]\n",
    );
    assert_eq!(
        (value(&script, "tp_size"), script.version.as_deref()),
        ("2".to_owned(), Some("1.0.0"))
    );
}

#[test]
fn two_different_starts_are_refused_and_the_same_one_twice_is_one() {
    let text = "vllm serve m --max-num-seqs 8\nvllm serve m --max-num-seqs 16\n";
    assert_eq!(
        read_of(&[("s", text.as_bytes())]).unwrap_err().code,
        "engine-config-two-commands"
    );
    let same = "vllm serve m --max-num-seqs 8\n\nvllm serve m --max-num-seqs 8\n";
    assert!(read_of(&[("s", same.as_bytes())]).is_ok());
    let mixed = "vllm serve m\nsglang serve --model-path m\n";
    assert_eq!(
        read_of(&[("s", mixed.as_bytes())]).unwrap_err().code,
        "engine-config-two-engines"
    );
}

#[test]
fn a_backend_with_arguments_of_its_own_asks_for_their_file() {
    let model =
        b"name: \"m\"\nbackend: \"vllm\"\ninstance_group [{ kind: KIND_MODEL }]\n" as &[u8];
    let alone = read_of(&[("config.pbtxt", model)]).unwrap();
    assert!(codes(&alone).contains(&"engine-config-beside-missing"));
    let arguments = br#"{"model":"meta/x","gpu_memory_utilization":0.5,"enforce_eager":true}"#;
    let both = read_of(&[("config.pbtxt", model), ("model.json", arguments)]).unwrap();
    assert!(!codes(&both).contains(&"engine-config-beside-missing"));
    assert_eq!(
        both.environment["setting.engine_arguments.gpu_memory_utilization"],
        "0.5"
    );
}

#[test]
fn environment_blocks_stand_alone() {
    let config =
        of("# env\nexport NCCL_P2P_DISABLE=1\nOMP_NUM_THREADS=\"8\"\nHOME=/root\nMY_TOKEN=abc\n");
    assert_eq!(config.engine, None);
    assert_eq!(value(&config, "env.OMP_NUM_THREADS"), "8");
    assert_eq!(config.other_variables.len(), 1);
    assert_eq!(config.secrets, 1);
}
