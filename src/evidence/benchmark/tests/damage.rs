//! Cut, empty, foreign and hostile files.

use super::{all, noted, of};
use crate::{
    Statistic as S,
    samples::{Benchmark, serving_benchmark},
};
use std::io::Write;

fn sample() -> String {
    serving_benchmark(Benchmark {
        requests: 30,
        concurrency: 4,
        tokens: 8,
        fails_every: 7,
        seed: 3,
    })
}

fn code(text: impl AsRef<[u8]>) -> String {
    of(text).expect_err("refused").code
}

#[test]
fn a_cut_result_is_refused_with_its_place_and_a_cut_last_one_left_out() {
    let text = sample();
    for at in [text.len() / 3, text.len() / 2, text.len() - 1] {
        let refusal = of(&text[..at]).expect_err("cut");
        assert_eq!(refusal.code, "bench-json-cut", "{at}");
        assert!(refusal.place.is_some_and(|p| p.starts_with("byte ")));
    }
    let appended = of(format!("{text}\n{}", &text[..400])).expect("the whole one");
    assert!(noted(&appended, "bench-last-cut"));
    assert!(appended.value("ttft", S::P50).is_some());
}

#[test]
fn what_is_no_json_or_no_result_is_refused() {
    assert_eq!(
        code(sample().replace("\"ttfts\": [", "\"ttfts\": [x, ")),
        "bench-json"
    );
    assert_eq!(
        code(format!("{} {{\"a\": 1}}", sample())),
        "bench-unknown-object"
    );
    assert_eq!(code(format!("{} garbage", sample())), "bench-json");
    let other = r#"{"elapsed_time": 1.0, "num_requests": 2, "requests_per_second": 2.0}"#;
    assert_eq!(code(format!("{}\n{other}", sample())), "bench-mixed-tools");
    let files = all(&[sample().as_bytes(), other.as_bytes()]);
    assert_eq!(files.expect_err("two tools").code, "bench-mixed-tools");
    for foreign in [
        "{}",
        "[]",
        "{\"a\": 1}",
        "hello",
        "[[1]]",
        "{\"errors\": []}",
    ] {
        assert_eq!(code(foreign), "unknown-format", "{foreign}");
    }
}

#[test]
fn bom_windows_lines_and_gzip_are_read() {
    let text = sample();
    let plain = of(&text).expect("plain");
    let bom = of(format!("\u{feff}{}", text.replace(", ", ",\r\n"))).expect("BOM");
    assert_eq!(plain.signals, bom.signals);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).expect("packed");
    let packed = packed.finish().expect("packed");
    assert_eq!(of(&packed).expect("gzip").signals, plain.signals);
    let cut = of(&packed[..packed.len() - 40]).expect_err("cut gzip");
    assert!(
        ["bench-gzip-damaged", "bench-json-cut"].contains(&cut.code.as_str()),
        "{cut:?}"
    );
}

#[test]
fn numbers_that_are_none_are_absent() {
    let text = sample().replace(
        "\"request_throughput\": ",
        "\"request_throughput\": NaN, \"was\": ",
    );
    assert!(
        of(text)
            .expect("a result")
            .value("request_throughput", S::Rate)
            .is_none()
    );
    let huge = sample().replace("\"duration\": ", "\"duration\": 1e999, \"was\": ");
    assert!(of(huge).expect("a result").value("ttft", S::P50).is_some());
    let negative = sample().replace("\"completed\": ", "\"completed\": -7, \"was\": ");
    assert!(
        of(negative)
            .expect("a result")
            .value("error_ratio", S::Ratio)
            .is_some()
    );
}

#[test]
fn arrays_that_do_not_line_up_are_not_used() {
    let text = sample().replace("\"ttfts\": [", "\"ttfts\": [0.5, ");
    let reading = of(text).expect("a result");
    assert!(noted(&reading, "bench-arrays-differ"));
    assert!(reading.distributions.is_empty());
    assert!(reading.value("ttft", S::P99).is_some());
}

#[test]
fn bytes_that_are_no_text_and_names_with_control_characters() {
    let mut bytes = sample().into_bytes();
    let at = bytes
        .windows(6)
        .position(|w| w == b"sample")
        .expect("there");
    bytes[at] = 0xff;
    bytes[at + 1] = 0x07;
    let reading = of(&bytes).expect("a result");
    assert!(!reading.environment["model"].contains('\u{7}'));
}

#[test]
fn a_flood_of_keys_or_brackets_stays_small() {
    let keys: String = (0..400_000).map(|i| format!("\"k{i}\":1,")).collect();
    let text = format!("{{\"num_prompts\":1,\"completed\":1,\"duration\":1.0,{keys}\"x\":0}}");
    assert!(noted(&of(text).expect("a result"), "bench-values-left-out"));
    let deep = format!(
        "{{\"num_prompts\":1,\"completed\":1,\"x\":{}",
        "[".repeat(100_000)
    );
    assert_eq!(code(deep), "bench-json-cut");
}
