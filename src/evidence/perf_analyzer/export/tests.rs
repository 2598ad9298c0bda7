//! Exports written here, one peculiarity each.

use crate::{
    Bound, Data, NoteLevel, Options, Reading, Refusal, Source, Statistic, samples,
    samples::Sweep as Service,
};

const SERVICE: Service = Service {
    service_us: 5000.0,
    parallel: 2.0,
};

fn read(text: &str) -> Result<Reading, Refusal> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("profile.json");
    std::fs::write(&path, text).unwrap();
    crate::read(&[Source::at(path)], &Options::default())
}

fn value(r: &Reading, name: &str, statistic: Statistic, load: &str) -> Option<f64> {
    let of = |s: &&crate::Signal| {
        s.name == name
            && s.statistic == statistic
            && s.labels.get("load").map(String::as_str) == Some(load)
    };
    r.signals.iter().find(of).map(|s| s.value)
}

fn note<'a>(reading: &'a Reading, code: &str) -> Option<&'a crate::Note> {
    reading.notes.iter().find(|n| n.code == code)
}

/// One experiment of requests (start, responses) in milliseconds.
fn export(mode: &str, load: f64, requests: &[(u64, &[u64])], windows: &[u64]) -> String {
    let ns = |ms: &u64| ms * 1_000_000;
    let requests: Vec<_> = requests
        .iter()
        .map(|(start, responses)| {
            serde_json::json!({
                "timestamp": ns(start),
                "response_timestamps": responses.iter().map(ns).collect::<Vec<_>>(),
            })
        })
        .collect();
    serde_json::json!({"experiments": [{
        "experiment": {"mode": mode, "value": load},
        "requests": requests,
        "window_boundaries": windows.iter().map(ns).collect::<Vec<_>>(),
    }]})
    .to_string()
}

#[test]
fn requests_become_latencies_and_a_distribution() {
    let reading = read(&samples::perf_analyzer_export(SERVICE, &[1, 2], 1)).unwrap();
    let mean = value(&reading, "e2e_latency", Statistic::Mean, "2").unwrap();
    assert!((mean - 0.005020).abs() < 2e-6, "{mean}");
    assert_eq!(
        value(&reading, "finished_requests", Statistic::Total, "2"),
        Some(80.0)
    );
    let rate = value(&reading, "request_throughput", Statistic::Rate, "2").unwrap();
    assert!((rate - 398.4).abs() < 0.5, "{rate}");
    assert!(value(&reading, "ttft", Statistic::P50, "2").is_none());
    assert_eq!(reading.distributions.len(), 2);
    let Data::Values { values, times } = &reading.distributions[1].data else {
        panic!("values expected");
    };
    assert_eq!((values.len(), times.len(), times[0]), (80, 80, 0.0));
    assert_eq!(reading.tool.version.as_deref(), Some("2.59.0"));
    assert!(note(&reading, "export-incomplete").is_none());
}

#[test]
fn streams_have_a_first_response_and_gaps() {
    let reading = read(&export(
        "concurrency",
        1.0,
        &[(0, &[10, 20, 40]), (40, &[60, 70, 80])],
        &[0, 80],
    ))
    .unwrap();
    assert_eq!(value(&reading, "ttft", Statistic::Mean, "1"), Some(0.015));
    assert_eq!(value(&reading, "ttft", Statistic::P99, "1"), Some(0.020));
    let gaps = value(&reading, "itl", Statistic::Mean, "1").unwrap();
    assert!((gaps - 0.0125).abs() < 1e-12);
    let per_request = value(&reading, "tpot", Statistic::P99, "1").unwrap();
    assert!((per_request - 0.015).abs() < 1e-12);
    assert_eq!(
        value(&reading, "response_throughput", Statistic::Rate, "1"),
        Some(75.0)
    );
    let itl = reading.signals.iter().find(|s| s.name == "itl").unwrap();
    assert_eq!((itl.bound, itl.samples), (Bound::Estimate, Some(4)));
}

#[test]
fn what_was_not_measured_is_left_out_and_counted() {
    let reading = read(&export(
        "concurrency",
        1.0,
        &[
            (0, &[5]),
            (10, &[20]),
            (20, &[30]),
            (30, &[]),
            (35, &[34]),
            (30, &[45]),
        ],
        &[10, 30],
    ))
    .unwrap();
    assert_eq!(
        value(&reading, "e2e_latency", Statistic::P50, "1"),
        Some(0.010)
    );
    assert_eq!(
        value(&reading, "finished_requests", Statistic::Total, "1"),
        Some(2.0)
    );
    assert_eq!(
        value(&reading, "unanswered_requests", Statistic::Total, "1"),
        Some(1.0)
    );
    assert_eq!(note(&reading, "export-outside").unwrap().args["count"], "2");
    assert_eq!(
        note(&reading, "export-impossible").unwrap().level,
        NoteLevel::Invalid
    );
    assert_eq!(
        value(&reading, "request_throughput", Statistic::Rate, "1"),
        Some(100.0)
    );
}

#[test]
fn a_thinned_file_gives_no_throughput() {
    let reading = read(&export(
        "concurrency",
        4.0,
        &[(0, &[10]), (10, &[20])],
        &[0, 20],
    ))
    .unwrap();
    let said = note(&reading, "export-incomplete").unwrap();
    assert_eq!(said.args["share"], "25.0");
    assert!(
        !reading
            .signals
            .iter()
            .any(|s| s.name == "request_throughput")
    );
    assert_eq!(
        value(&reading, "e2e_latency", Statistic::P95, "4"),
        Some(0.010)
    );
}

#[test]
fn sessions_have_no_load_and_speak_for_the_run() {
    let reading = read(&export(
        "request_rate",
        0.0,
        &[(0, &[10]), (10, &[20])],
        &[0, 20],
    ))
    .unwrap();
    assert_eq!(reading.value("e2e_latency", Statistic::P95), Some(0.010));
    let rate = reading
        .signals
        .iter()
        .find(|s| s.name == "request_throughput")
        .unwrap();
    assert_eq!((rate.value, rate.bound), (100.0, Bound::AtLeast));
    assert!(note(&reading, "export-no-load").is_some());
}

#[test]
fn repeated_inputs_are_said_and_prompts_are_not_kept() {
    let text = samples::perf_analyzer_export(SERVICE, &[1], 5);
    assert!(note(&read(&text).unwrap(), "export-same-inputs").is_none());
    let same = regexless(&text, "\"INPUT0\":", "\"a secret prompt\"");
    let reading = read(&same).unwrap();
    let said = note(&reading, "export-same-inputs").unwrap();
    assert_eq!(
        (said.args["different"].as_str(), said.level),
        ("1", NoteLevel::Warning)
    );
    assert!(!serde_json::to_string(&reading).unwrap().contains("secret"));
}

/// Replaces the number after every `key`.
fn regexless(text: &str, key: &str, with: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(key) {
        let (before, after) = rest.split_at(at + key.len());
        out.push_str(before);
        out.push_str(with);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

#[test]
fn damage_is_refused_with_its_place() {
    let text = samples::perf_analyzer_export(SERVICE, &[1], 1);
    let cut = read(&text[..text.len() - 30]).unwrap_err();
    assert_eq!(cut.code, "export-cut");
    assert!(cut.place.unwrap().starts_with("line 1, column "));
    for (from, to) in [
        ("\"timestamp\":", "\"timestamp\":-"),
        ("\"timestamp\":", "\"timestamp\":\"x\" "),
        ("\"requests\":[", "\"requests\":[7,"),
        ("\"value\":1", "\"value\":\"1\""),
    ] {
        assert_eq!(
            read(&text.replacen(from, to, 1)).unwrap_err().code,
            "export-damaged",
            "{to}"
        );
    }
    assert_eq!(
        read(&format!("{text} x")).unwrap_err().code,
        "export-damaged"
    );
    let none = export("concurrency", 1.0, &[(0, &[])], &[0, 1]);
    assert_eq!(read(&none).unwrap_err().code, "export-no-answer");
    let empty = read("{\"experiments\": []}").unwrap_err();
    assert_eq!(empty.code, "export-no-answer");
    // A byte order mark and blanks are no damage.
    assert!(read(&format!("\u{feff} {text}\r\n")).is_ok());
}
