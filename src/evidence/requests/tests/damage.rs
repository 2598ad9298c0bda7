//! What is wrong with rows, and files that are damaged, cut, foreign or hostile.

use super::{codes, file, note, plain_log, reading, reading_with};
use crate::{NoteLevel, Options, Statistic, read, statistics::SplitMix64};
use std::fmt::Write as _;

const HEAD: &str = "request_id,start_time,finish_time,ttft_ms,output_tokens,status\n";

#[test]
fn an_answer_without_a_token_is_a_failure_and_both_medians_are_shown() {
    let text = format!(
        "{HEAD}a,1780000000,1780000001,100,5,200\nb,1780000001,1780000002,0,0,200\nc,1780000002,1780000003,300,7,200\n"
    );
    let got = reading(&text);
    assert_eq!(got.value("ttft", Statistic::P50), Some(0.2));
    assert_eq!(got.value("error_ratio", Statistic::Ratio), Some(1.0 / 3.0));
    let empty = note(&got, "requests-empty");
    assert_eq!(
        (empty.args["with"].as_str(), empty.args["without"].as_str()),
        ("0.100000", "0.200000")
    );
}

#[test]
fn clocks_that_run_backwards_are_named_and_condemn() {
    let text =
        format!("{HEAD}a,1780000005,1780000001,-4,5,200\nb,1780000006,1780000007,2000,5,200\n");
    let got = reading(&text);
    assert_eq!(note(&got, "requests-backwards").level, NoteLevel::Invalid);
    assert_eq!(note(&got, "requests-backwards").args["line"], "2");
    assert_eq!(note(&got, "requests-negative").args["count"], "1");
    assert_eq!(note(&got, "requests-ttft-above").args["line"], "3");
    assert_eq!(got.value("e2e_latency", Statistic::Min), Some(1.0));
}

#[test]
fn a_second_copy_counts_once_and_a_retry_is_one_request() {
    let text = format!(
        "{HEAD}a,1780000000,1780000001,100,5,200\na,1780000000,1780000001,100,5,200\nb,1780000001,1780000002,,,503\nb,1780000003,1780000004,200,5,200\nc,1780000005,1780000006,300,5,200\nc,1780000009,1780000010,300,5,200\n"
    );
    let got = reading(&text);
    assert_eq!(note(&got, "requests-duplicates").args["count"], "1");
    assert_eq!(note(&got, "requests-attempts").args["count"], "1");
    assert_eq!(note(&got, "requests-ids-reused").args["count"], "1");
    assert_eq!(got.value("arrived_requests", Statistic::Total), Some(5.0));
    assert_eq!(got.value("finished_requests", Statistic::Total), Some(4.0));
    assert_eq!(got.value("error_ratio", Statistic::Ratio), Some(0.0));
    assert_eq!(got.value("retries", Statistic::Total), Some(1.0));
    assert_eq!(got.value("retried_ratio", Statistic::Ratio), Some(0.25));
}

#[test]
fn failures_are_told_apart_and_an_unknown_word_condemns() {
    let mut text = String::from(HEAD);
    for (i, status) in ["200", "500", "504", "499", "length"].iter().enumerate() {
        let at = 1_780_000_000 + i;
        let _ = writeln!(text, "r{i},{at},{},100,5,{status}", at + 1);
    }
    let got = reading(&text);
    let ratio = |name| got.value(name, Statistic::Ratio);
    assert_eq!(ratio("error_ratio"), Some(0.4));
    assert_eq!(ratio("timeout_ratio"), Some(0.2));
    assert_eq!(ratio("aborted_ratio"), Some(0.2));
    assert_eq!(ratio("length_limited_ratio"), Some(0.2));
    let got = reading(&text.replace(",length", ",purple"));
    assert_eq!(
        note(&got, "requests-status-unclear").level,
        NoteLevel::Invalid
    );
    assert_eq!(got.value("error_ratio", Statistic::Ratio), None);
}

#[test]
fn acceptance_speaks_for_the_judged_and_the_failed() {
    let text = "request_id,e2e_ms,status,accepted\na,1,200,true\nb,1,200,false\nc,1,200,\nd,1,500,\ne,1,500,true\n";
    let got = reading(text);
    assert_eq!(got.value("acceptance_rate", Statistic::Ratio), Some(0.25));
    assert_eq!(note(&got, "requests-not-judged").args["count"], "1");
    assert_eq!(note(&got, "requests-accepted-failed").args["count"], "1");
    // Without that column there is no rate, and it is said.
    let got = reading("request_id,e2e_ms,status\na,1,200\n");
    assert_eq!(got.value("acceptance_rate", Statistic::Ratio), None);
    assert!(
        got.notes
            .iter()
            .any(|n| n.args.get("what").map(String::as_str) == Some("acceptance"))
    );
    assert_eq!(got.value("retries", Statistic::Total), None);
}

#[test]
fn units_that_change_within_a_column_condemn() {
    let mut text = String::from("request_id,start_time,ttft_ms,e2e_ms\n");
    for i in 0..60 {
        let factor = if i % 3 == 0 { 0.001 } else { 1.0 };
        let ttft = (200.0 + f64::from(i)) * factor;
        let _ = writeln!(text, "r{i},{},{ttft},5000", 1_780_000_000 + i);
    }
    let got = reading(&text);
    assert_eq!(note(&got, "requests-mixed-units").args["signal"], "ttft");
    assert!(!codes(&reading(&plain_log(60))).contains(&"requests-mixed-units"));
    let clocks =
        format!("{HEAD}a,1780000000000,1780000001000,1,5,200\nb,1780000001,1780000002,1,5,200\n");
    let refusal = reading_with(&clocks, None).expect_err("two units in a column");
    assert_eq!(refusal.code, "needs-mapping");
    let mut late = HEAD.to_string();
    for i in 0..3000 {
        let at = 1_780_000_000_000_u64 + i * 1000;
        let _ = writeln!(late, "r{i},{at},{},1,5,200", at + 500);
    }
    late.push_str("z,1780000001,1780000002,1,5,200\n");
    assert_eq!(
        note(&reading(&late), "requests-clocks-in-column").level,
        NoteLevel::Invalid
    );
}

#[test]
fn zones_gaps_and_late_sends_are_said() {
    let zones = "request_id,start_time,e2e_ms\na,2026-01-01T00:00:00Z,1\nb,2026-01-01T00:00:01,1\n";
    assert_eq!(
        note(&reading(zones), "requests-zones-mixed").level,
        NoteLevel::Invalid
    );
    let none = reading(&zones.replace('Z', ""));
    assert!(codes(&none).contains(&"requests-no-zone"));
    assert!(
        none.window
            .is_some_and(|w| w.start.is_none() && w.seconds.is_some())
    );
    let mut gap = String::from("request_id,start_time,e2e_ms\n");
    for i in 0..400 {
        let at = 1_780_000_000 + i + if i >= 200 { 3600 } else { 0 };
        let _ = writeln!(gap, "r{i},{at},10");
    }
    assert_eq!(
        note(&reading(&gap), "requests-gap-hours").args["hours"],
        "1"
    );
    let mut late = String::from("request_id,intended_start,start_time,e2e_ms\n");
    for i in 0..50 {
        let at = 1_780_000_000.0 + f64::from(i);
        let _ = writeln!(late, "r{i},{at},{:.3},100", at + 0.5);
    }
    let got = reading(&late);
    assert!(codes(&got).contains(&"requests-sent-late"));
    assert_eq!(got.value("send_delay", Statistic::P50), Some(0.5));
}

#[test]
fn a_cut_log_says_where_and_a_broken_one_is_refused() {
    let whole = plain_log(40);
    let cut = &whole[..whole.len() - 20];
    let got = reading(cut);
    assert_eq!(note(&got, "requests-cut-row").args["line"], "41");
    assert_eq!(got.value("arrived_requests", Statistic::Total), Some(39.0));
    let broken = whole.replace("r5,", "r5,,,,").replace("r6,", "r6 ");
    let got = reading(&broken);
    assert_eq!(note(&got, "requests-rows-skipped").args["count"], "2");
    let refusal = reading_with(&whole.replace(",200,", ","), None).expect_err("no row fits");
    assert_eq!(refusal.code, "requests-rows-broken");
    assert_eq!(refusal.place.as_deref(), Some("line 2"));
    let refusal = reading_with(&whole.replace(",50,", ",fast,"), None).expect_err("no number");
    assert_eq!(refusal.code, "requests-cells-broken");
    let head = whole.lines().next().expect("a header");
    let refusal = reading_with(&format!("{head}\n"), None).expect_err("no row");
    assert!(
        matches!(refusal.code.as_str(), "requests-no-row" | "needs-mapping"),
        "{refusal:?}"
    );
    let packed = {
        use std::io::Write;
        let mut z = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        z.write_all(plain_log(4000).as_bytes()).expect("packed");
        z.finish().expect("packed")
    };
    let (_folder, sources) = file(&packed);
    let all = read(&sources, &Options::default()).expect("it unpacks");
    assert_eq!(
        all.value("arrived_requests", Statistic::Total),
        Some(4000.0)
    );
    let (_folder, sources) = file(&packed[..packed.len() / 2]);
    let half = read(&sources, &Options::default()).expect("it unpacks to a half");
    assert!(codes(&half).contains(&"requests-gzip-damaged"));
}

#[test]
fn odd_numbers_never_become_values() {
    let text = "request_id,start_time,ttft_ms,output_tokens,status\na,1780000000,NaN,5,200\nb,1780000001,1e400,5,200\nc,1780000002,100,99999999999999,200\nd,1e300,100,-3,200\n";
    let got = reading_with(text, None);
    match got {
        Ok(got) => {
            assert!(got.signals.iter().all(|s| s.value.is_finite()));
            assert_eq!(got.value("ttft", Statistic::Max), Some(0.1));
        }
        Err(refusal) => assert_eq!(refusal.code, "needs-mapping"),
    }
}

/// Mutated logs, spans and records: an answer or a refusal, never a panic or a number that is none.
#[test]
fn mutated_files_are_answered() {
    let record = super::otlp::document(3);
    let aiperf = r#"{"metadata":{"x_request_id":"a","request_start_ns":1796049358000000000,"request_end_ns":1796049358100000000,"benchmark_phase":"profiling"},"metrics":{"time_to_first_token":{"value":20.0,"unit":"ms"},"inter_chunk_latency":{"value":[1.0,2.0],"unit":"ms"},"output_sequence_length":{"value":3,"unit":"tokens"}},"error":null}"#;
    let seeds: [Vec<u8>; 4] = [
        plain_log(12).into_bytes(),
        record.into_bytes(),
        format!("{aiperf}\n{aiperf}\n").into_bytes(),
        b"{\"timestamp\": 0, \"input_length\": 100, \"output_length\": 5, \"hash_ids\": [1, 2]}\n{\"timestamp\": 3000, \"input_length\": 100, \"output_length\": 5, \"hash_ids\": [1, 3]}\n".to_vec(),
    ];
    let rounds = std::env::var("PEL_FUZZ_ROUNDS").ok();
    let rounds: usize = rounds.and_then(|r| r.parse().ok()).unwrap_or(3000);
    let mut random = SplitMix64::new(20_260_701);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let mut readings = 0;
    for round in 0..rounds {
        let mut bytes = seeds[round % seeds.len()].clone();
        for _ in 0..=random.below(3) {
            mutate(&mut bytes, &mut random);
        }
        std::fs::write(&path, &bytes).expect("written");
        if let Ok(got) = read(&[crate::Source::at(&path)], &Options::default()) {
            readings += 1;
            assert!(got.signals.iter().all(|s| s.value.is_finite()), "{round}");
            assert!(
                got.distributions.iter().all(|d| d.data.is_sound()),
                "{round}"
            );
        }
    }
    assert!(readings > rounds / 20, "{readings} of {rounds} were read");
}

fn mutate(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    const PIECES: [&[u8]; 14] = [
        b"\"",
        b"{",
        b"}",
        b"[",
        b",",
        b"\n",
        b"-",
        b"1e999",
        b"NaN",
        b"99999999999999999999",
        b"\xff\xfe",
        b"\0",
        b"null",
        b"9223372036854775807",
    ];
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes[at] = random.below(256) as u8,
        1 => bytes.truncate(at),
        2 => {
            let to = (at + random.below(40)).min(bytes.len());
            bytes.drain(at..to);
        }
        3 => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
        _ => {
            let to = (at + random.below(80)).min(bytes.len());
            let copy = bytes[at..to].to_vec();
            let into = random.below(bytes.len());
            bytes.splice(into..into, copy);
        }
    }
}
