use crate::{
    Kind, Mapping, Options, Reading, Refusal, Signal, Source, Statistic,
    mapping::{Layout, Meaning, Measure, Only, Subject, Thousands},
    read,
};
use std::io::Write as _;

fn refused(bytes: &[u8]) -> Refusal {
    outcome(bytes, None).expect_err("nobody said what it means")
}

fn outcome(bytes: &[u8], mapping: Option<Mapping>) -> Result<Reading, Refusal> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let source = Source {
        path: file.path().to_owned(),
        name: "numbers".into(),
    };
    let options = Options {
        mapping,
        ..Options::default()
    };
    read(&[source], &options)
}

fn proposal(text: &str) -> crate::Proposal {
    let refusal = refused(text.as_bytes());
    assert_eq!(refusal.code, "needs-mapping", "{text}");
    *refusal.asks.expect("it says what it asks")
}

fn code(text: &str, mapping: &Mapping) -> String {
    outcome(text.as_bytes(), Some(mapping.clone()))
        .expect_err("it cannot be read")
        .code
}

fn signal(name: &str, statistic: Statistic, unit: &str) -> Meaning {
    Meaning::Signal {
        signal: name.into(),
        statistic,
        unit: unit.into(),
    }
}

fn label(name: &str) -> Meaning {
    Meaning::Label { label: name.into() }
}

fn find<'r>(reading: &'r Reading, name: &str, s: Statistic, load: &str) -> &'r Signal {
    reading
        .signals
        .iter()
        .find(|x| {
            x.name == name && x.statistic == s && x.labels.get("load").map_or("", |l| l) == load
        })
        .unwrap_or_else(|| panic!("{name} {s} {load}: {:?}", reading.signals))
}

const CSV: &str = "concurrency,ttft_p99_ms,Output tok/s,n\n1,120.5,40,1000\n8,480,310,1200\n";

#[test]
fn a_csv_is_asked_about_and_its_guess_reads_it() {
    let asked = proposal(CSV);
    assert_eq!(asked.layout, Layout::Comma);
    let names: Vec<&str> = asked.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["concurrency", "ttft_p99_ms", "Output tok/s", "n"]);
    assert_eq!(asked.columns[1].examples, ["120.5", "480"]);
    assert_eq!(asked.rows[1], ["8", "480", "310", "1200"]);
    assert_eq!((asked.rows_seen, asked.guess.header), (Some(2), 1));
    assert_eq!(asked.guess.meaning("concurrency"), &label("load"));
    assert_eq!(
        asked.guess.meaning("ttft_p99_ms"),
        &signal("ttft", Statistic::P99, "ms")
    );
    assert_eq!(asked.guess.meaning("n"), &Meaning::Samples);
    let reading = outcome(CSV.as_bytes(), Some(asked.guess)).unwrap();
    assert_eq!(reading.kind, Kind::MeasurementTable);
    let at_8 = find(&reading, "ttft", Statistic::P99, "8");
    assert_eq!((at_8.value, at_8.samples), (0.48, Some(1200)));
    let at_1 = find(&reading, "ttft", Statistic::P99, "1");
    assert_eq!((at_1.value, at_1.samples), (0.1205, Some(1000)));
}

#[test]
fn what_a_name_does_not_say_is_asked_and_not_made_up() {
    let asked = proposal("run,latency,note\na,1.5,ok\nb,2.5,ok\n");
    let asks = |column: &str, code: &str| {
        asked
            .questions
            .iter()
            .any(|q| q.column == column && q.code == code)
    };
    assert!(asks("latency", "unit") && asks("latency", "statistic"));
    assert!(asks("", "samples"));
    assert_eq!(asked.guess.check("f").unwrap_err().code, "mapping-unit");
}

#[test]
fn commas_and_points_mean_what_the_mapping_says() {
    let text = "carga;p99 (ms);n\n1;1.234,5;10\n2;12,25;20\n";
    let asked = proposal(text);
    assert!(asked.guess.numbers.decimal_comma);
    assert_eq!(asked.guess.numbers.thousands, Some(Thousands::Point));
    let mut mapping = Mapping::new(Subject::Measurements)
        .with("carga", label("load"))
        .with("p99 (ms)", signal("ttft", Statistic::P99, "ms"));
    assert_eq!(code(text, &mapping), "table-separator");
    mapping.numbers = asked.guess.numbers;
    let reading = outcome(text.as_bytes(), Some(mapping)).unwrap();
    assert_eq!(find(&reading, "ttft", Statistic::P99, "1").value, 1.2345);
    assert_eq!(find(&reading, "ttft", Statistic::P99, "2").value, 0.01225);
    let ambiguous = proposal("a\tttft_ms\nx\t1,234\ny\t2,345\n");
    assert!(ambiguous.questions.iter().any(|q| q.code == "decimal"));
}

#[test]
fn a_cell_without_a_number_is_absent_and_noted_never_zero() {
    let text = "load,ttft_p50_ms,ttft_p99_ms\n1,10,-\n2,NaN,\n3,30,90\n";
    let mapping = Mapping::new(Subject::Measurements)
        .with("load", label("load"))
        .with("ttft_p50_ms", signal("ttft", Statistic::P50, "ms"))
        .with("ttft_p99_ms", signal("ttft", Statistic::P99, "ms"));
    let reading = outcome(text.as_bytes(), Some(mapping)).unwrap();
    assert_eq!(reading.signals.len(), 3);
    assert!(reading.signals.iter().all(|s| s.value > 0.0));
    let note = |column: &str| {
        reading
            .notes
            .iter()
            .find(|n| n.code == "table-not-captured" && n.args["column"] == column)
            .map(|n| n.args["count"].clone())
    };
    assert_eq!(note("ttft_p50_ms").as_deref(), Some("1"));
    assert_eq!(note("ttft_p99_ms").as_deref(), Some("2"));
}

#[test]
fn rows_that_say_the_same_signal_are_refused_and_never_added_up() {
    let text = "run,ttft_ms\na,10\na,20\nb,30\n";
    let bare =
        Mapping::new(Subject::Measurements).with("ttft_ms", signal("ttft", Statistic::Mean, "ms"));
    let refusal = outcome(text.as_bytes(), Some(bare.clone())).unwrap_err();
    assert_eq!(refusal.code, "table-rows-alike");
    assert_eq!(refusal.place.as_deref(), Some("line 3"));
    let labelled = bare.clone().with("run", label("run"));
    assert_eq!(code(text, &labelled), "table-rows-alike");
    let only = |text: &str| {
        Some(Only {
            column: "run".into(),
            text: text.into(),
        })
    };
    let mut one = bare.clone();
    one.only = only("b");
    let reading = outcome(text.as_bytes(), Some(one)).unwrap();
    assert_eq!(reading.value("ttft", Statistic::Mean), Some(0.03));
    let mut none = bare;
    none.only = only("z");
    assert_eq!(code(text, &none), "table-no-such-row");
}

#[test]
fn a_tall_table_is_read_by_the_names_of_its_measures() {
    let text = "| Metric | mean | p99 | unit |\n|---|--:|--:|---|\n| TTFT | **12.5** | 40 | ms |\n| Output throughput | 310 | – | tok/s |\n| Mystery | 1 | 2 | x |\n";
    let asked = proposal(text);
    assert_eq!(asked.layout, Layout::Markdown);
    assert_eq!(asked.measures, ["TTFT", "Output throughput", "Mystery"]);
    let value = |s| Meaning::Value { statistic: Some(s) };
    assert_eq!(asked.guess.meaning("p99"), &value(Statistic::P99));
    assert_eq!(asked.guess.meaning("unit"), &Meaning::Unit);
    assert_eq!(asked.guess.measures["TTFT"].signal, "ttft");
    let reading = outcome(text.as_bytes(), Some(asked.guess)).unwrap();
    assert_eq!(reading.value("ttft", Statistic::Mean), Some(0.0125));
    assert_eq!(reading.value("ttft", Statistic::P99), Some(0.04));
    assert_eq!(
        reading.value("generation_token_throughput", Statistic::Mean),
        Some(310.0)
    );
    assert_eq!(reading.signals.len(), 3);
    assert!(
        reading
            .notes
            .iter()
            .any(|n| n.code == "table-measures-left-out")
    );
}

#[test]
fn json_is_read_by_paths_and_its_numbers_need_no_notation() {
    let array = r#"[{"load": 1, "lat": {"ttft_p99_ms": 120.5}}, {"load": 8, "lat": {"ttft_p99_ms": 480}, "x": null}]"#;
    let lines = "{\"load\": 1, \"lat\": {\"ttft_p99_ms\": 120.5}}\n{\"load\": 8, \"lat\": {\"ttft_p99_ms\": 480}}\n";
    let columnar = r#"{"load": [1, 8], "lat.ttft_p99_ms": [120.5, 480]}"#;
    for (text, layout) in [(array, Layout::JsonArray), (lines, Layout::JsonLines)] {
        let asked = proposal(text);
        assert_eq!(asked.layout, layout);
        let mut mapping = asked.guess;
        assert_eq!(
            mapping.meaning("lat.ttft_p99_ms"),
            &signal("ttft", Statistic::P99, "ms")
        );
        mapping.numbers.decimal_comma = true;
        let reading = outcome(text.as_bytes(), Some(mapping)).unwrap();
        assert_eq!(find(&reading, "ttft", Statistic::P99, "1").value, 0.1205);
        assert_eq!(find(&reading, "ttft", Statistic::P99, "8").value, 0.48);
    }
    let asked = proposal(&columnar.replace("lat.", ""));
    assert_eq!(
        (asked.layout, asked.rows_seen),
        (Layout::JsonObject, Some(2))
    );
    let one = proposal(r#"{"ttft": {"p99_ms": 7}, "when": "now", "gap": [{"v": 1}]}"#);
    let names: Vec<&str> = one.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["ttft.p99_ms", "when", "gap.0.v"]);
}

#[test]
fn a_console_summary_is_one_row() {
    let text = "==== Result ====\nSuccessful requests:        100\nMean TTFT (ms):   12.50\nP99 TTFT (ms):   80.1\nRequest throughput (req/s):  5.5\nmedian e2e latency: 812 ms\n================\n";
    let asked = proposal(text);
    assert_eq!(asked.layout, Layout::Summary);
    let guess = |name: &str| asked.guess.meaning(name).clone();
    assert_eq!(
        guess("Mean TTFT (ms)"),
        signal("ttft", Statistic::Mean, "ms")
    );
    assert_eq!(
        guess("median e2e latency (ms)"),
        signal("e2e_latency", Statistic::P50, "ms")
    );
    let reading = outcome(text.as_bytes(), Some(asked.guess)).unwrap();
    assert_eq!(reading.value("ttft", Statistic::P99), Some(0.0801));
    assert_eq!(reading.value("e2e_latency", Statistic::P50), Some(0.812));
}

#[test]
fn what_cannot_be_true_or_be_read_is_refused_at_its_place() {
    let at = |text: &str, means: Meaning| {
        let mapping = Mapping::new(Subject::Measurements).with("v", means);
        outcome(text.as_bytes(), Some(mapping)).unwrap_err()
    };
    let ms = || signal("ttft", Statistic::Mean, "ms");
    let ratio = signal("error_ratio", Statistic::Ratio, "ratio");
    let wrong = at("a,v\nx,97.5\n", ratio.clone());
    assert_eq!(
        (wrong.code.as_str(), wrong.place.as_deref()),
        ("table-impossible", Some("line 2, v"))
    );
    assert_eq!(at("a,v\nx,-1\n", ms()).code, "table-impossible");
    assert_eq!(at("a,v\nx,1\ny,fast\n", ms()).code, "table-not-a-number");
    assert_eq!(at("a,v\nx,1\ny\n", ms()).code, "table-row-width");
    assert_eq!(at("a,v\nx,1\n\"y,2\n", ms()).code, "table-row-width");
    assert_eq!(at("a,w\nx,1\n", ms()).code, "table-column-missing");
    let percent =
        Mapping::new(Subject::Measurements).with("v", signal("error_ratio", Statistic::Ratio, "%"));
    let reading = outcome(b"a,v\nx,97.5\n", Some(percent)).unwrap();
    assert_eq!(reading.value("error_ratio", Statistic::Ratio), Some(0.975));
}

#[test]
fn what_is_no_table_keeps_its_refusal() {
    for (text, code) in [
        ("", "empty"),
        (
            "Dear all,\nplease find attached,\nthe report.\n",
            "unknown-format",
        ),
        ("<html><body>a,b\n1,2\n</body></html>", "web-error-page"),
        ("[{\"a\": 1}, {\"a\":", "unknown-format"),
        ("{\"a\": [1, 2", "unknown-format"),
        ("[1, 2, 3]", "unknown-format"),
        ("a,b\nx,y\nz,w\n", "unknown-format"),
        ("12345\n", "unknown-format"),
    ] {
        assert_eq!(refused(text.as_bytes()).code, code, "{text}");
    }
    let mut binary = b"a,b\n1,2\n".to_vec();
    binary.push(0);
    assert_eq!(refused(&binary).code, "unknown-format");
    assert_eq!(refused(b"a,b\n\xff\xfe,2\n").code, "unknown-format");
}

#[test]
fn marks_ends_of_lines_and_gzip_do_not_matter() {
    let plain = proposal(CSV);
    let windows = format!("\u{feff}{}", CSV.replace('\n', "\r\n"));
    assert_eq!(proposal(&windows).fingerprint, plain.fingerprint);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(CSV.as_bytes()).unwrap();
    let refusal = refused(&packed.finish().unwrap());
    assert_eq!(refusal.asks.expect("asked").fingerprint, plain.fingerprint);
    let preamble = format!("Benchmark of today\n# made by hand\n{CSV}");
    let asked = proposal(&preamble);
    assert_eq!((asked.guess.header, asked.rows_seen), (3, Some(2)));
    assert!(outcome(preamble.as_bytes(), Some(asked.guess)).is_ok());
}

#[test]
fn a_preview_says_what_the_reading_will() {
    let asked = proposal(CSV);
    let names: Vec<String> = asked.columns.iter().map(|c| c.name.clone()).collect();
    let seen = super::preview(&asked.guess, &names, &asked.rows);
    let previewed: Vec<Signal> = seen.into_iter().flat_map(|(_, s)| s.unwrap()).collect();
    let reading = outcome(CSV.as_bytes(), Some(asked.guess)).unwrap();
    assert_eq!(previewed, reading.signals);
}

/// Whatever the bytes: an answer, never a panic, never a number that is not finite.
#[test]
fn mutated_tables_are_answered() {
    let rounds: u64 = std::env::var("PEL_FUZZ_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(300);
    let samples: [&str; 4] = [
        CSV,
        "| Metric | p99 |\n|---|--:|\n| TTFT (ms) | 40 |\n| ITL (ms) | 4 |\n",
        "[{\"load\": 1, \"ttft_ms\": 120.5}, {\"load\": 8, \"ttft_ms\": 1e3}]",
        "Mean TTFT (ms): 12\nP99 TTFT (ms): 80\nrps: 5\n",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let spice = b",;\t|\"{}[]:.-0123456789eE\n\r#\xff\x00%\xc2NaN";
    for text in samples {
        let mapping = refused(text.as_bytes()).asks.expect("asked").guess;
        for _ in 0..rounds {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                match random(4) {
                    0 if !bytes.is_empty() => {
                        bytes.remove(at);
                    }
                    1 => bytes.insert(at, spice[random(spice.len())]),
                    2 if !bytes.is_empty() => bytes[at] = spice[random(spice.len())],
                    _ => bytes.truncate(at),
                }
            }
            for given in [None, Some(mapping.clone())] {
                if let Ok(reading) = outcome(&bytes, given) {
                    assert!(reading.signals.iter().all(|s| s.value.is_finite()));
                }
            }
        }
    }
}

#[test]
fn a_measure_without_its_own_unit_takes_the_column_of_units() {
    let mut mapping = Mapping::new(Subject::Measurements)
        .with("metric", Meaning::Measure)
        .with("value", Meaning::Value { statistic: None })
        .with("unit", Meaning::Unit);
    mapping.measures.insert(
        "ttft".into(),
        Measure {
            signal: "ttft".into(),
            statistic: Some(Statistic::P99),
            unit: None,
        },
    );
    let text = "metric,value,unit\nttft,40,milliseconds\n";
    let reading = outcome(text.as_bytes(), Some(mapping.clone())).unwrap();
    assert_eq!(reading.value("ttft", Statistic::P99), Some(0.04));
    assert_eq!(
        code("metric,value,unit\nttft,40,GB\n", &mapping),
        "table-unit"
    );
    assert_eq!(
        code("metric,value,unit\nttft,40,\n", &mapping),
        "table-unit"
    );
}

#[test]
fn a_mapping_of_requests_reads_the_table_as_a_log() {
    let field = |field, unit: &str| Meaning::Field {
        field,
        unit: Some(unit.to_owned()),
    };
    let mapping = Mapping::new(Subject::Requests)
        .with("begun", field(crate::mapping::Field::StartTime, "s"))
        .with("took", field(crate::mapping::Field::E2e, "ms"));
    let text = b"who,begun,took\na,1000,250\nb,1001,500\nc,1002,750\n";
    let reading = outcome(text, Some(mapping)).unwrap();
    assert_eq!(reading.kind, Kind::RequestLog);
    assert_eq!(reading.value("e2e_latency", Statistic::Max), Some(0.75));
}
