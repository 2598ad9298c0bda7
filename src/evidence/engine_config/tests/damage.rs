//! Damaged, foreign and hostile files.

use super::*;
use crate::Kind;
use proptest::prelude::*;

const MODEL: &str = "name: \"m\"\nbackend: \"onnxruntime\"\nmax_batch_size: 8\ninput [\n  { name: \"x\" dims: [ 1, 3 ] }\n]\ninstance_group [ { count: 2 kind: KIND_GPU } ]\n";

#[test]
fn what_is_not_closed_is_refused_with_its_place() {
    let cases: [(&str, &str, &str); 8] = [
        (
            &MODEL[..70],
            "engine-config-not-closed",
            "line 5, column 12",
        ),
        (
            "name: \"m\"\nbackend: \"b\"\ninput {\n",
            "engine-config-not-closed",
            "line 4, column 1",
        ),
        (
            "name: \"m\"\nbackend: \"b\"\n}\n",
            "engine-config-not-closed",
            "line 3, column 1",
        ),
        (
            "name: \"m\nbackend: \"b\"\n",
            "engine-config-not-closed",
            "line 2, column 1",
        ),
        (
            "name: \"m\"\nbackend = \"b\"\nmax_batch_size: 8\n",
            "engine-config-syntax",
            "line 2, column 9",
        ),
        (
            "{\"name\":\"m\",\"maxBatchSize\":8,\"instanceGroup\":[",
            "engine-config-syntax",
            "line 1, column 46",
        ),
        (
            "vllm serve m --x 'a\n",
            "engine-config-not-closed",
            "line 1, column 1",
        ),
        (
            "kv_cache_config:\n  a: [1, 2\nb: 3\n",
            "engine-config-syntax",
            "line 3, column 2",
        ),
    ];
    for (text, code, place) in cases {
        let refusal = read_of(&[("f", text.as_bytes())]).unwrap_err();
        assert_eq!(
            (refusal.code.as_str(), refusal.place.as_deref()),
            (code, Some(place)),
            "{text}"
        );
    }
}

#[test]
fn aliases_depth_size_and_foreign_bytes_are_refused() {
    let alias = "kv_cache_config: &a\n  enable_block_reuse: true\ncuda_graph_config: *a\n";
    assert_eq!(
        read_of(&[("f", alias.as_bytes())]).unwrap_err().code,
        "engine-config-anchor"
    );
    let deep = format!(
        "name: \"m\"\nbackend: \"b\"\nmax_batch_size: 1\noptimization {}{}",
        "{ a ".repeat(200),
        "}".repeat(200)
    );
    assert_eq!(
        read_of(&[("f", deep.as_bytes())]).unwrap_err().code,
        "engine-config-too-deep"
    );
    let long = format!("{MODEL}# {}\n", "x".repeat(MOST_BYTES as usize));
    assert_eq!(
        read_of(&[("f", long.as_bytes())]).unwrap_err().code,
        "engine-config-too-large"
    );
    let mut bytes = MODEL.as_bytes().to_vec();
    bytes.extend(b"# caf\xe9\n");
    let refusal = read_of(&[("f", &bytes)]).unwrap_err();
    assert_eq!(
        (refusal.code.as_str(), refusal.place.as_deref()),
        ("engine-config-not-text", Some("byte 144"))
    );
    let many: String = (0..=MOST_SETTINGS).map(|n| format!(" --x{n} 1")).collect();
    assert_eq!(
        read_of(&[("f", format!("vllm serve m{many}").as_bytes())])
            .unwrap_err()
            .code,
        "engine-config-too-many"
    );
}

#[test]
fn bom_crlf_and_gzip_change_nothing() {
    let plain = read_of(&[("f", MODEL.as_bytes())]).unwrap();
    let dressed = format!("\u{feff}{}", MODEL.replace('\n', "\r\n"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(MODEL.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    for bytes in [dressed.as_bytes(), &packed] {
        let other = read_of(&[("f", bytes)]).unwrap();
        assert_eq!(plain.environment, other.environment);
        assert_eq!(plain.figures, other.figures);
    }
    let start = "vllm serve m \\\r\n  --max-num-seqs 8\r\n";
    let start = read_of(&[("f", start.as_bytes())]).unwrap();
    assert_eq!(start.environment["setting.max_num_seqs"], "8");
}

#[test]
fn numbers_that_are_none_stay_words_and_are_never_equal_by_accident() {
    let text = "name: \"m\" backend: \"b\" max_batch_size: 99999999999999999999999 instance_group { count: -9223372036854775808 rate_limiter { priority: nan } }";
    let config = of(text);
    assert_eq!(value(&config, "max_batch_size"), "99999999999999999999999");
    assert_eq!(
        value(&config, "instance_group[0].count"),
        "-9223372036854775808"
    );
    assert_eq!(
        value(&config, "instance_group[0].rate_limiter.priority"),
        "nan"
    );
    let other = of(&text.replace("99999999999999999999999", "99999999999999999999998"));
    assert_eq!(compare(&config, &other).verdict, Verdict::OneKnob);
}

#[test]
fn other_files_are_left_to_other_readers() {
    let foreign = [
        "Dear team,\nwe run vllm serve with platform: kubernetes, and don't know why it's slow.\n",
        "INFO 11-30 12:00:00 api_server.py] vllm serve started, max_num_seqs: 256\nINFO x\n",
        "name: build\non: push\njobs:\n  test:\n    runs-on: ubuntu\n    backend: x\n",
        "PATH=/usr/bin\nHOME=/root\nCOLOR=1\n",
        "{\"platform\": \"linux\", \"version\": 1}",
        "[1, 2, 3]",
        "import vllm\nprint('max_num_seqs')\n",
    ];
    for text in foreign {
        let refusal = read_of(&[("f", text.as_bytes())]).unwrap_err();
        assert_eq!(refusal.code, "unknown-format", "{text}");
    }
    assert_eq!(read_of(&[("f", b"")]).unwrap_err().code, "empty");
    let metrics = "# HELP vllm:num_requests_running backend max_batch_size: 8\n# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{engine=\"0\"} 1\n";
    let (_folder, files) = sources(&[("f", metrics.as_bytes())]);
    assert_eq!(detect::kind_of(&files), Ok(Kind::VllmMetrics));
}

fn survives(bytes: &[u8]) -> Result<(), TestCaseError> {
    match read_of(&[("f", bytes)]) {
        Ok(reading) => {
            for (key, value) in &reading.environment {
                prop_assert!(key.chars().count() <= 201 && value.chars().count() <= 201);
                prop_assert!(!value.chars().any(char::is_control));
            }
        }
        Err(refusal) => prop_assert!(!refusal.code.is_empty()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_cut_and_no_changed_byte_breaks_the_reader(
        which in 0usize..4,
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        let texts = [
            MODEL,
            "A=1 vllm serve m -tp 2 --compilation-config '{\"level\": [1,2]}' \"x $Y ${Z:-1}\" <<EOF\nx\nEOF\n",
            "kv_cache_config:\n  a: 0.85\n  b: [1, {c: d}]\nmax_batch_size: 256\n",
            "{\"name\":\"m\",\"backend\":\"b\",\"maxBatchSize\":8,\"instanceGroup\":[{\"count\":\"2\"}]}",
        ];
        let mut bytes = texts[which].as_bytes().to_vec();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        survives(&bytes)?;
    }

    #[test]
    fn what_starts_an_engine_never_breaks_the_reader(
        words in proptest::collection::vec("[-a-z0-9_.='\"$(){}<>\\\\ \n#&|`:]{0,14}", 0..20),
    ) {
        survives(format!("vllm serve m {}", words.join(" ")).as_bytes())?;
    }

    #[test]
    fn the_order_of_fields_and_flags_plays_no_part(
        order in Just((0..4usize).collect::<Vec<_>>()).prop_shuffle()
    ) {
        let flags = ["--max-num-seqs 8", "--enforce-eager", "-tp 2", "--kv-cache-dtype fp8"];
        let text: Vec<&str> = order.iter().map(|i| flags[*i]).collect();
        let one = of(&format!("vllm serve m {}", flags.join(" ")));
        let other = of(&format!("vllm serve m {}", text.join(" ")));
        prop_assert_eq!(compare(&one, &other).verdict, Verdict::NoChange);
        let fields = ["name: \"m\"", "backend: \"b\"", "max_batch_size: 4", "dynamic_batching { }"];
        let text: Vec<&str> = order.iter().map(|i| fields[*i]).collect();
        prop_assert_eq!(of(&fields.join("\n")), of(&text.join("\n")));
    }
}
