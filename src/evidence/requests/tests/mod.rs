//! Logs, spans, records and traces on small files made here.

mod damage;
mod messages;
mod otlp;

use crate::{
    Kind, Mapping, NoteLevel, Options, Reading, Refusal, Source, Statistic, detect,
    mapping::{Field, Meaning, Subject},
    read,
};
use std::fmt::Write as _;

/// One file in a folder of its own.
pub fn file(text: &[u8]) -> (tempfile::TempDir, Vec<Source>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    std::fs::write(&path, text).expect("written");
    (folder, vec![Source::at(&path)])
}

pub fn reading_with(text: &str, mapping: Option<Mapping>) -> Result<Reading, Refusal> {
    let (_folder, sources) = file(text.as_bytes());
    let options = Options {
        mapping,
        ..Options::default()
    };
    read(&sources, &options)
}

pub fn reading(text: &str) -> Reading {
    reading_with(text, None).expect("it is readable")
}

pub fn codes(reading: &Reading) -> Vec<&str> {
    reading.notes.iter().map(|n| n.code.as_str()).collect()
}

pub fn note<'a>(reading: &'a Reading, code: &str) -> &'a crate::Note {
    let found = reading.notes.iter().find(|n| n.code == code);
    found.unwrap_or_else(|| panic!("no {code} in {:?}", codes(reading)))
}

pub fn of_class(reading: &Reading, name: &str, statistic: Statistic, class: &str) -> Option<f64> {
    let found = reading.signals.iter().find(|s| {
        s.name == name
            && s.statistic == statistic
            && s.labels.get("class").map(String::as_str) == Some(class)
    });
    found.map(|s| s.value)
}

/// A log of two classes: `n` requests, one every 100 ms, each taking 50 ms to its first token and
/// 10 ms per token after.
pub fn plain_log(n: usize) -> String {
    let mut text = String::from(
        "request_id,start_time,prompt_tokens,output_tokens,ttft_ms,e2e_ms,queue_ms,task_class,status,retries,accepted\n",
    );
    for i in 0..n {
        let class = if i % 4 == 0 { "long" } else { "chat" };
        let tokens = if i % 4 == 0 { 41 } else { 11 };
        let e2e = 50 + 10 * (tokens - 1);
        let start = 1_780_000_000.0 + i as f64 * 0.1;
        let _ = writeln!(
            text,
            "r{i},{start:.3},{},{tokens},50,{e2e},5,{class},200,{},true",
            100 + i,
            usize::from(i % 10 == 0),
        );
    }
    text
}

#[test]
fn a_plain_log_by_hand() {
    let got = reading(&plain_log(40));
    assert_eq!(got.kind, Kind::RequestLog);
    let value = |name, statistic| got.value(name, statistic).expect(name);
    assert_eq!(value("ttft", Statistic::P99), 0.05);
    assert_eq!(value("queue_time", Statistic::P95), 0.005);
    assert!((value("queue_time", Statistic::Mean) - 0.005).abs() < 1e-12);
    assert!((value("tpot", Statistic::P50) - 0.01).abs() < 1e-12);
    assert!((value("itl", Statistic::Mean) - 0.01).abs() < 1e-12);
    assert_eq!(value("prompt_length", Statistic::Mean), 119.5);
    assert!((value("arrival_rate", Statistic::Rate) - 10.0).abs() < 1e-9);
    assert_eq!(value("arrival_rate", Statistic::Max), 10.0);
    assert!(value("arrival_burstiness", Statistic::Ratio) < 1e-6);
    // 450 ms every 400 ms beside 150 ms: 10 × 0.45 + 30 × 0.15 s in 4.05 s.
    let span = 3.9 + 0.15;
    assert!((value("request_concurrency", Statistic::Mean) - 9.0 / span).abs() < 1e-9);
    assert_eq!(value("request_concurrency", Statistic::Max), 3.0);
    assert_eq!(value("error_ratio", Statistic::Ratio), 0.0);
    assert_eq!(value("retries", Statistic::Total), 4.0);
    assert_eq!(value("retried_ratio", Statistic::Ratio), 0.1);
    assert_eq!(value("acceptance_rate", Statistic::Ratio), 1.0);
    let share = |class| of_class(&got, "class_share", Statistic::Ratio, class);
    assert_eq!((share("long"), share("chat")), (Some(0.25), Some(0.75)));
    assert_eq!(
        of_class(&got, "e2e_latency", Statistic::Max, "chat"),
        Some(0.15)
    );
    assert_eq!(
        of_class(&got, "acceptance_rate", Statistic::Ratio, "long"),
        Some(1.0)
    );
    assert!(got.distributions.iter().any(|d| {
        d.name == "ttft" && d.labels.get("class").map(String::as_str) == Some("chat")
    }));
    for figure in [
        "request-load",
        "request-bands",
        "request-classes",
        "request-ttft-curve",
    ] {
        assert!(got.figures.iter().any(|f| f.id == figure), "{figure}");
    }
    let guessed = note(&got, "requests-mapping-guessed");
    assert_eq!(guessed.level, NoteLevel::Invalid);
}

#[test]
fn json_lines_say_the_same_as_a_table() {
    let table = plain_log(30);
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let mut json = String::new();
    for line in lines {
        let cells: Vec<String> = names
            .iter()
            .zip(line.split(','))
            .map(|(name, cell)| {
                let text = matches!(*name, "request_id" | "task_class");
                if text {
                    format!("\"{name}\": \"{cell}\"")
                } else {
                    format!("\"{name}\": {cell}")
                }
            })
            .collect();
        let _ = writeln!(json, "{{{}}}", cells.join(", "));
    }
    let (a, b) = (reading(&table), reading(&json));
    assert_eq!(a.signals, b.signals);
    assert_eq!(a.distributions, b.distributions);
    let semicolons = reading(&table.replace(',', ";"));
    assert_eq!(semicolons.signals, a.signals);
    let tabs = reading(&format!(
        "\u{feff}{}",
        table.replace(',', "\t").replace('\n', "\r\n")
    ));
    assert_eq!(tabs.signals, a.signals);
}

#[test]
fn a_unit_that_nobody_states_is_asked_for() {
    let text = "id,start_time,ttft,output_tokens\na,2026-01-01T00:00:00Z,12,3\n";
    let refusal = reading_with(text, None).expect_err("a unit is missing");
    assert_eq!(refusal.code, "needs-mapping");
    let asks = refusal.asks.expect("a proposal");
    assert_eq!(asks.questions.len(), 1);
    assert_eq!(
        (
            asks.questions[0].column.as_str(),
            asks.questions[0].code.as_str()
        ),
        ("ttft", "unit")
    );
    assert_eq!(
        asks.guess.field(Field::StartTime),
        Some(("start_time", Some("date")))
    );
    // The person answers; what was asked is then known, and nothing is marked as guessed.
    let mut mapping = asks.guess;
    for column in &mut mapping.columns {
        if let Meaning::Field {
            field: Field::Ttft,
            unit,
        } = &mut column.means
        {
            *unit = Some("ms".to_owned());
        }
    }
    let got = reading_with(text, Some(mapping)).expect("it is said now");
    assert_eq!(got.value("ttft", Statistic::Mean), Some(0.012));
    assert!(!codes(&got).contains(&"requests-mapping-guessed"));
}

#[test]
fn two_columns_of_one_meaning_are_asked_about() {
    let text = "request_id,ttft_ms,time_to_first_token_s,status\na,12,0.012,200\n";
    let refusal = reading_with(text, None).expect_err("which one is it");
    let asks = refusal.asks.expect("a proposal");
    assert!(asks.questions.iter().all(|q| q.code == "meaning"));
    assert_eq!(asks.questions.len(), 2);
}

#[test]
fn a_mapping_says_what_names_do_not() {
    let field = |field, unit: Option<&str>| Meaning::Field {
        field,
        unit: unit.map(str::to_owned),
    };
    let mut mapping = Mapping::new(Subject::Requests)
        .with("wann", field(Field::StartTime, Some("min")))
        .with("Dauer", field(Field::E2e, Some("us")))
        .with("aus", field(Field::OutputTokens, Some("tokens")));
    mapping.numbers.decimal_comma = true;
    mapping.only = Some(crate::mapping::Only {
        column: "art".to_owned(),
        text: "ja".to_owned(),
    });
    let text = "wann;Dauer;aus;art;request_id;status;e2e_ms\n0,5;1500000,5;4;ja;a;200;1\n1;2e6;5;ja;b;200;1\n2;9;9;nein;c;200;1\n";
    let got = reading_with(text, Some(mapping.clone())).expect("it is readable");
    assert_eq!(got.value("e2e_latency", Statistic::Min), Some(1.500_000_5));
    assert_eq!(got.value("arrived_requests", Statistic::Total), Some(2.0));
    assert_eq!(got.window.and_then(|w| w.seconds), Some(32.0));
    mapping.columns[0].column = "when".to_owned();
    let refusal = reading_with(text, Some(mapping)).expect_err("no such column");
    assert_eq!(refusal.code, "requests-column-missing");
}

#[test]
fn engine_timestamps_are_known_and_clocks_are_not_mixed() {
    let text = concat!(
        r#"{"request_id": "a", "input_toks": 10, "output_toks": 3, "arrival_time": 1787267980.1, "queued_ts": 100.0, "scheduled_ts": 100.5, "first_token_ts": 101.0, "last_token_ts": 103.0}"#,
        "\n",
        r#"{"request_id": "b", "input_toks": 20, "output_toks": 5, "arrival_time": 1787267981.1, "queued_ts": 101.0, "scheduled_ts": 101.25, "first_token_ts": 102.0, "last_token_ts": 104.0}"#,
        "\n"
    );
    let got = reading(text);
    assert_eq!(got.value("ttft", Statistic::Mean), Some(1.0));
    assert_eq!(got.value("queue_time", Statistic::Max), Some(0.5));
    assert_eq!(got.value("e2e_latency", Statistic::Mean), Some(3.0));
    assert_eq!(got.value("tpot", Statistic::Max), Some(1.0));
    assert_eq!(got.value("request_concurrency", Statistic::Max), Some(2.0));
    let invalid = got.notes.iter().any(|n| n.level == NoteLevel::Invalid);
    assert!(
        !invalid && !codes(&got).contains(&"requests-two-clocks"),
        "{:?}",
        got.notes
    );
}

#[test]
fn public_traces_are_known_by_their_columns() {
    let azure = "TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.0099300+00:00,1,100,5\n2024-05-10 00:00:02.0099300+00:00,0,200,7\n";
    let got = reading(azure);
    assert_eq!(got.kind, Kind::RequestTrace);
    assert_eq!(got.value("arrival_rate", Statistic::Rate), Some(0.5));
    assert_eq!(got.value("prompt_length", Statistic::Max), Some(200.0));
    assert_eq!(got.value("finished_requests", Statistic::Total), None);
    let burst = "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,s1,1.5,ChatGPT,472,18,490,Conversation log\n45,,2.5,GPT-4,1087,0,1087,API log\n";
    let got = reading(burst);
    assert_eq!(got.value("e2e_latency", Statistic::Mean), Some(1.5));
    assert_eq!(got.value("ttft", Statistic::Mean), None);
    assert_eq!(got.value("error_ratio", Statistic::Ratio), Some(0.5));
    assert_eq!(
        of_class(&got, "class_share", Statistic::Ratio, "API log"),
        Some(0.5)
    );
    let older = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,Conversation log\n";
    assert_eq!(
        reading(older).value("output_length", Statistic::Max),
        Some(230.0)
    );
    let mooncake = "{\"timestamp\": 0, \"input_length\": 100, \"output_length\": 5, \"hash_ids\": [1, 2]}\n{\"timestamp\": 3000, \"input_length\": 100, \"output_length\": 5, \"hash_ids\": [1, 3]}\n";
    let got = reading(mooncake);
    assert_eq!(
        got.value("ideal_prefix_reuse_ratio", Statistic::Ratio),
        Some(0.25)
    );
    assert_eq!(got.window.and_then(|w| w.seconds), Some(3.0));
}

#[test]
fn aiperf_leaves_the_warm_up_out_and_knows_chunks_from_tokens() {
    let record = |phase: &str, chunks: &str, tokens: u32, start: i64| {
        format!(
            "{{\"metadata\":{{\"x_request_id\":\"{start}\",\"credit_issued_ns\":{start},\"request_start_ns\":{},\"request_end_ns\":{},\"benchmark_phase\":\"{phase}\",\"was_cancelled\":false}},\"metrics\":{{\"time_to_first_token\":{{\"value\":20.0,\"unit\":\"ms\"}},\"request_latency\":{{\"value\":0.05,\"unit\":\"s\"}},\"inter_token_latency\":{{\"value\":10.0,\"unit\":\"ms\"}},\"inter_chunk_latency\":{{\"value\":{chunks},\"unit\":\"ms\"}},\"output_sequence_length\":{{\"value\":{tokens},\"unit\":\"tokens\"}}}},\"error\":null}}\n",
            start + 2_000_000,
            start + 52_000_000,
        )
    };
    let base = 1_796_049_358_000_000_000;
    let text = record("warmup", "[1.0]", 4, base)
        + &record("profiling", "[10.0,9.0,11.0]", 4, base + 1_000_000_000)
        + &record("profiling", "[10.0,10.0,10.0]", 4, base + 2_000_000_000);
    let got = reading(&text);
    assert_eq!(got.kind, Kind::AiperfRecords);
    assert_eq!(note(&got, "aiperf-warm-up").args["count"], "1");
    assert_eq!(got.value("arrived_requests", Statistic::Total), Some(2.0));
    assert_eq!(got.value("itl", Statistic::Max), Some(0.011));
    assert_eq!(got.value("e2e_latency", Statistic::Mean), Some(0.05));
    assert_eq!(got.value("send_delay", Statistic::Max), Some(0.002));
    let merged = reading(&record("profiling", "[30.0]", 40, base));
    assert_eq!(merged.value("itl", Statistic::Max), None);
    assert_eq!(merged.value("tpot", Statistic::Max), Some(0.01));
    assert_eq!(note(&merged, "aiperf-chunks").args["of"], "1");
}

#[test]
fn tables_of_other_things_are_not_taken_for_logs() {
    for text in [
        "t,prompt_throughput,gen_throughput,running,waiting,kv_cache_pct\n1.0,3392.0,2.0,5,2,13.22\n",
        "timestamp, utilization.gpu [%], memory.used [MiB]\n2026/01/01 00:00:00.000, 10 %, 20 MiB\n",
        "Time,TTFT p99 (ms),TTFT p50 (ms)\n2026-01-01T00:00:00Z,10,5\n",
        "concurrency,ttft_ms,throughput\n1,10,5\n",
        "a,b\n1,2\n",
        "{\"date\": \"20260101\", \"request_rate\": 5, \"mean_ttft_ms\": 3.0}\n",
    ] {
        let (_folder, sources) = file(text.as_bytes());
        let kind = detect::kind_of(&sources);
        assert!(
            !matches!(kind, Ok(Kind::RequestLog | Kind::RequestTrace)),
            "{text}: {kind:?}"
        );
    }
}
