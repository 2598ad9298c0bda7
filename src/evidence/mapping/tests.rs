use super::*;
use serde_json::json;

#[test]
fn a_mapping_is_json_and_comes_back_the_same() {
    let text = json!({
        "version": 1,
        "subject": "measurements",
        "numbers": {"decimal_comma": true, "thousands": "point"},
        "columns": [
            {"column": "TTFT (ms)", "as": "signal", "signal": "ttft", "statistic": "p99", "unit": "ms"},
            {"column": "class", "as": "label", "label": "class"},
            {"column": "n", "as": "samples"},
        ],
    });
    let mapping: Mapping = serde_json::from_value(text).unwrap();
    mapping.check("a.csv").unwrap();
    assert_eq!(mapping.header, 1);
    assert_eq!(mapping.meaning("n"), &Meaning::Samples);
    assert_eq!(mapping.meaning("other"), &Meaning::Ignored);
    let again: Mapping = serde_json::from_str(&serde_json::to_string(&mapping).unwrap()).unwrap();
    assert_eq!(again, mapping);
    let unknown = json!({"version": 1, "subject": "requests", "columns": [], "colums": []});
    assert!(serde_json::from_value::<Mapping>(unknown).is_err());
}

#[test]
fn what_a_mapping_cannot_mean_is_refused_by_name() {
    let signal = |unit: &str| Meaning::Signal {
        signal: "ttft".into(),
        statistic: Statistic::P99,
        unit: unit.into(),
    };
    let field = |field, unit: Option<&str>| Meaning::Field {
        field,
        unit: unit.map(str::to_owned),
    };
    let m = || Mapping::new(Subject::Measurements);
    let r = || Mapping::new(Subject::Requests);
    let unknown = Meaning::Signal {
        signal: "warp_speed".into(),
        statistic: Statistic::Mean,
        unit: "s".into(),
    };
    let mut both = m().with("a", signal("ms"));
    both.numbers.decimal_comma = true;
    both.numbers.thousands = Some(Thousands::Comma);
    let mut later = m().with("a", signal("ms"));
    later.version = 2;
    for (mapping, code) in [
        (m(), "mapping-empty"),
        (later, "mapping-version"),
        (both, "mapping-separators"),
        (m().with("a", signal("GB")), "mapping-unit"),
        (m().with("a", unknown), "mapping-signal-unknown"),
        (
            m().with("a", signal("s")).with("a", Meaning::Ignored),
            "mapping-column-twice",
        ),
        (
            m().with("a", field(Field::Ttft, Some("s"))),
            "mapping-subject",
        ),
        (r().with("a", signal("s")), "mapping-subject"),
        (
            r().with("a", field(Field::Ttft, None)),
            "mapping-unit-missing",
        ),
        (
            r().with("a", field(Field::Ttft, Some("date"))),
            "mapping-unit",
        ),
        (
            r().with("a", field(Field::Model, Some("s"))),
            "mapping-unit-none",
        ),
        (
            r().with("a", field(Field::Ttft, Some("s")))
                .with("b", field(Field::Ttft, Some("s"))),
            "mapping-meaning-twice",
        ),
        (m().with("a", Meaning::Measure), "mapping-tall-incomplete"),
        (
            m().with(
                "a",
                Meaning::Label {
                    label: "Größe".into(),
                },
            ),
            "mapping-label",
        ),
    ] {
        assert_eq!(mapping.check("f").unwrap_err().code, code, "{mapping:?}");
    }
    r().with("a", field(Field::StartTime, Some("date")))
        .check("f")
        .unwrap();
    r().with("a", field(Field::Itl, Some("s")))
        .with("b", field(Field::Itl, Some("s")))
        .check("f")
        .unwrap();
}

#[test]
fn a_tall_mapping_needs_unit_and_statistic_from_somewhere() {
    let tall = |measure: Measure, value: Option<Statistic>, unit: bool| {
        let mut m = Mapping::new(Subject::Measurements)
            .with("metric", Meaning::Measure)
            .with("value", Meaning::Value { statistic: value });
        if unit {
            m = m.with("unit", Meaning::Unit);
        }
        m.measures.insert("TTFT".into(), measure);
        m
    };
    let measure = |statistic, unit: Option<&str>| Measure {
        signal: "ttft".into(),
        statistic,
        unit: unit.map(str::to_owned),
    };
    let p99 = Some(Statistic::P99);
    tall(measure(p99, Some("ms")), None, false)
        .check("f")
        .unwrap();
    tall(measure(None, None), p99, true).check("f").unwrap();
    let code = |m: Mapping| m.check("f").unwrap_err().code;
    assert_eq!(
        code(tall(measure(p99, None), None, false)),
        "mapping-unit-missing"
    );
    assert_eq!(
        code(tall(measure(None, Some("s")), None, false)),
        "mapping-statistic-missing"
    );
    assert_eq!(
        code(tall(measure(p99, Some("GB")), None, true)),
        "mapping-unit"
    );
}

#[test]
fn every_field_is_listed_under_the_id_it_is_stored_under() {
    let mut ids = BTreeSet::new();
    for field in Field::ALL {
        assert_eq!(serde_json::to_value(field).unwrap(), field.id());
        assert_eq!(Field::from_id(field.id()), Some(field));
        assert!(ids.insert(field.id()));
    }
    assert_eq!(Field::ALL.len(), Field::OutputTokens as usize + 1);
}

#[test]
fn numbers_are_read_as_the_mapping_says_and_never_guessed() {
    let plain = Numbers::default();
    let comma = Numbers {
        decimal_comma: true,
        thousands: None,
    };
    let german = Numbers {
        decimal_comma: true,
        thousands: Some(Thousands::Point),
    };
    let english = Numbers {
        decimal_comma: false,
        thousands: Some(Thousands::Comma),
    };
    let french = Numbers {
        decimal_comma: true,
        thousands: Some(Thousands::Blank),
    };
    for (numbers, text, expected) in [
        (plain, "12.5", Some(12.5)),
        (plain, " -3e-4 ", Some(-3e-4)),
        (plain, ".5", Some(0.5)),
        (plain, "7.", Some(7.0)),
        (comma, "12,5", Some(12.5)),
        (german, "1.234,5", Some(1234.5)),
        (german, "1.234.567", Some(1_234_567.0)),
        (english, "1,234.5", Some(1234.5)),
        (english, "-1,234", Some(-1234.0)),
        (english, "999", Some(999.0)),
        (french, "1 234,5", Some(1234.5)),
        (french, "1\u{202f}234,5", Some(1234.5)),
        (plain, "", None),
        (plain, "NaN", None),
        (plain, "—", None),
        (plain, "inf", None),
    ] {
        assert_eq!(numbers.parse(text), Ok(expected), "{text}");
    }
    for (numbers, text, expected) in [
        (plain, "1,234", Unclear::Separator),
        (comma, "1.234", Unclear::Separator),
        (english, "12,34", Unclear::Separator),
        (german, "1.23", Unclear::Separator),
        (english, "1234,567", Unclear::Separator),
        (plain, "1 234", Unclear::Separator),
        (plain, "12ms", Unclear::NotANumber),
        (plain, "0x10", Unclear::NotANumber),
        (plain, "1e999", Unclear::NotANumber),
        (plain, "1e9999999", Unclear::NotANumber),
        (plain, "word", Unclear::NotANumber),
    ] {
        assert_eq!(numbers.parse(text), Err(expected), "{text}");
    }
}

#[test]
fn a_name_says_its_unit_and_statistic_by_whole_words() {
    for (name, stem, statistic, unit) in [
        ("ttft_ms", "ttft", None, Some("ms")),
        ("TTFT p99 (ms)", "ttft", Some(Statistic::P99), Some("ms")),
        ("p99TtftMs", "ttft", Some(Statistic::P99), Some("ms")),
        ("Mean ITL [us]", "itl", Some(Statistic::Mean), Some("us")),
        (
            "latency_p99.9_s",
            "latency",
            Some(Statistic::Quantile(999)),
            Some("s"),
        ),
        (
            "Output token throughput (tok/s)",
            "output_token_throughput",
            None,
            Some("tokens/s"),
        ),
        (
            "output_tokens_per_second",
            "output_tokens_per_second",
            None,
            Some("tokens/s"),
        ),
        ("GPU util %", "gpu_util", None, Some("%")),
        ("median_e2el", "e2el", Some(Statistic::P50), None),
        ("max_tokens", "max_tokens", None, None),
        ("prompt_tokens", "prompt_tokens", None, None),
        ("status", "status", None, None),
        ("p50", "", Some(Statistic::P50), None),
        ("items", "items", None, None),
        (
            "90th percentile latency ms",
            "percentile_latency",
            Some(Statistic::P90),
            Some("ms"),
        ),
    ] {
        let named = Named::of(name);
        assert_eq!(
            (named.stem.as_str(), named.statistic, named.unit),
            (stem, statistic, unit),
            "{name}"
        );
    }
    assert_eq!(normal("Request ID"), "request_id");
}

#[test]
fn the_same_columns_have_the_same_fingerprint() {
    let a = fingerprint(Layout::Comma, ["Request ID", "ttft_ms"]);
    assert_eq!(a, fingerprint(Layout::Comma, ["request_id", "TTFT ms"]));
    assert_ne!(a, fingerprint(Layout::Tab, ["request_id", "ttft_ms"]));
    assert_ne!(
        fingerprint(Layout::Comma, ["ab", "c"]),
        fingerprint(Layout::Comma, ["a", "bc"])
    );
    assert_eq!(a.len(), 64);
}

#[test]
fn a_question_shows_no_credential_and_no_long_text() {
    let long = "tell me everything about the private matter of our customer and please do";
    let table = format!(
        "id,ttft,api_key,note,prompt\n1,5,example-not-a-real-one,HF_TOKEN=example-not-a-real-one,{long}\n2,6,,,x\n"
    );
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, table.as_bytes()).unwrap();
    let source = crate::Source {
        path: file.path().to_owned(),
        name: "log.csv".to_owned(),
    };
    let options = crate::Options {
        ask: true,
        ..crate::Options::default()
    };
    let refusal = crate::read(&[source], &options).expect_err("nobody said what it means");
    let asks = serde_json::to_string(&refusal.asks.expect("a question")).unwrap();
    assert!(!asks.contains("not-a-real"), "{asks}");
    assert!(!asks.contains("private matter"), "{asks}");
    assert!(asks.contains("[redacted]"), "{asks}");
}
