//! Spans of engines and clients, in the generations of their attributes.

use super::{codes, note, of_class, reading, reading_with};
use crate::{Bound, Kind, NoteLevel, Statistic};
use std::fmt::Write as _;

const SECOND: u64 = 1_000_000_000;

/// A span of an engine: 100 ms apart, queue 10 ms, TTFT 60 ms, end to end 160 ms, 11 tokens.
fn engine_span(i: u64) -> String {
    let start = 1_787_267_980 * SECOND + i * SECOND / 10;
    format!(
        r#"{{"traceId":"{i:032x}","spanId":"{i:016x}","name":"llm_request","kind":2,"startTimeUnixNano":"{start}","endTimeUnixNano":"{}","attributes":[{{"key":"gen_ai.response.model","value":{{"stringValue":"m"}}}},{{"key":"gen_ai.request.id","value":{{"stringValue":"r{i}"}}}},{{"key":"gen_ai.prompt","value":{{"stringValue":"SECRET"}}}},{{"key":"gen_ai.usage.prompt_tokens","value":{{"intValue":"100"}}}},{{"key":"gen_ai.usage.completion_tokens","value":{{"intValue":11}}}},{{"key":"gen_ai.latency.time_in_queue","value":{{"doubleValue":0.01}}}},{{"key":"gen_ai.latency.time_to_first_token","value":{{"doubleValue":0.06}}}},{{"key":"gen_ai.latency.e2e","value":{{"doubleValue":0.16}}}}],"status":{{}}}}"#,
        start + SECOND * 16 / 100,
    )
}

fn wrap(scope: &str, spans: &[String]) -> String {
    format!(
        r#"{{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":{{"stringValue":"svc"}}}}]}},"scopeSpans":[{{"scope":{{"name":"{scope}"}},"spans":[{}]}}]}}]}}"#,
        spans.join(",")
    )
}

/// An export of so many spans.
pub fn document(n: u64) -> String {
    wrap(
        "vllm.llm_engine",
        &(0..n).map(engine_span).collect::<Vec<_>>(),
    )
}

#[test]
fn an_engines_spans_by_hand() {
    let got = reading(&document(20));
    assert_eq!(got.kind, Kind::OtlpSpans);
    assert_eq!(got.value("ttft", Statistic::P99), Some(0.06));
    assert_eq!(got.value("queue_time", Statistic::P50), Some(0.01));
    assert!((got.value("tpot", Statistic::Mean).expect("tpot") - 0.01).abs() < 1e-12);
    assert_eq!(got.value("prompt_tokens", Statistic::Total), Some(2000.0));
    assert_eq!(got.environment["model"], "m");
    // Whether spans were dropped is not known: counts are lower bounds.
    let rate = got
        .signals
        .iter()
        .find(|s| s.name == "arrival_rate")
        .expect("a rate");
    assert_eq!(rate.bound, Bound::AtLeast);
    assert!(codes(&got).contains(&"otlp-sampling-unknown"));
    let kept = serde_json::to_string(&got).expect("it serialises");
    assert!(!kept.contains("SECRET"));
}

#[test]
fn one_document_a_line_and_pretty_printed_are_the_same() {
    let lines = format!(
        "{}\n{}\n",
        wrap("vllm", &(0..10).map(engine_span).collect::<Vec<_>>()),
        wrap("vllm", &(10..20).map(engine_span).collect::<Vec<_>>())
    );
    let value: serde_json::Value = serde_json::from_str(&document(20)).expect("it is JSON");
    let pretty = serde_json::to_string_pretty(&value).expect("it is JSON");
    let expected = reading(&document(20)).signals;
    assert_eq!(reading(&lines).signals, expected);
    assert_eq!(reading(&pretty).signals, expected);
    assert_eq!(reading(&format!("\u{feff}{lines}")).signals, expected);
}

#[test]
fn the_general_convention_with_events_classes_and_failures() {
    let span = |i: u64, extra: &str, status: &str| {
        let start = 1_787_267_980 * SECOND + i * SECOND;
        format!(
            r#"{{"traceId":"a","spanId":"{i:016x}","name":"chat m","kind":"SPAN_KIND_CLIENT","traceState":"ot=th:0","startTimeUnixNano":{start},"endTimeUnixNano":{},"attributes":[{{"key":"gen_ai.operation.name","value":{{"stringValue":"chat"}}}},{{"key":"gen_ai.usage.input_tokens","value":{{"intValue":"7"}}}},{{"key":"gen_ai.usage.output_tokens","value":{{"intValue":"3"}}}},{{"key":"task.class","value":{{"stringValue":"chat"}}}},{{"key":"gen_ai.response.finish_reasons","value":{{"arrayValue":{{"values":[{{"stringValue":"length"}}]}}}}}}{extra}],"events":[{{"timeUnixNano":"{}","name":"gen_ai.first_token"}}],"status":{status}}}"#,
            start + SECOND / 2,
            start + SECOND / 4,
        )
    };
    let failed = r#",{"key":"error.type","value":{"stringValue":"timeout"}}"#;
    let tool = r#"{"traceId":"a","spanId":"ff","name":"execute_tool x","kind":1,"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}}]}"#;
    let spans = [
        span(0, "", "{}"),
        span(1, "", "{}"),
        span(2, failed, "{\"code\":2}"),
        tool.to_owned(),
    ];
    let got = reading(&wrap("my.client", &spans));
    assert_eq!(got.value("ttft", Statistic::Mean), Some(0.25));
    assert_eq!(got.value("e2e_latency", Statistic::Mean), Some(0.5));
    assert_eq!(
        got.value("timeout_ratio", Statistic::Ratio),
        Some(1.0 / 3.0)
    );
    assert_eq!(
        got.value("length_limited_ratio", Statistic::Ratio),
        Some(2.0 / 3.0)
    );
    assert_eq!(
        of_class(&got, "class_share", Statistic::Ratio, "chat"),
        Some(1.0)
    );
    assert_eq!(note(&got, "otlp-other-spans").args["count"], "1");
    // Every span says that all are kept, so the rate is the rate.
    let rate = got
        .signals
        .iter()
        .find(|s| s.name == "arrival_rate")
        .expect("a rate");
    assert_eq!((rate.value, rate.bound), (1.0, Bound::Exact));
}

#[test]
fn two_sides_of_one_request_are_not_added() {
    let client = engine_span(0)
        .replace("\"kind\":2", "\"kind\":3")
        .replace("\"doubleValue\":0.06", "\"doubleValue\":0.09")
        .replace("0000000000000000\",\"name", "00000000000000aa\",\"name");
    let text = format!(
        "{}\n{}\n",
        wrap("app", &[client]),
        wrap("vllm", &[engine_span(0)])
    );
    let got = reading(&text);
    assert_eq!(got.value("arrived_requests", Statistic::Total), Some(1.0));
    assert_eq!(got.value("ttft", Statistic::Mean), Some(0.09));
    assert_eq!(note(&got, "requests-two-sides").args["server"], "0.060000");
    let server = got.signals.iter().filter(|s| s.labels.contains_key("side"));
    assert!(server.count() > 3);
}

#[test]
fn sampled_cut_and_foreign_spans() {
    let sampled = engine_span(1).replace("\"name\"", "\"traceState\":\"ot=th:c\",\"name\"");
    let got = reading(&wrap("vllm", &[sampled]));
    assert_eq!(note(&got, "otlp-sampled").args["percent"], "25.0000");
    let whole = format!("{}\n{}\n", document(5), document(5));
    let cut = reading(&whole[..whole.len() - 30]);
    assert_eq!(note(&cut, "otlp-cut").level, NoteLevel::Warning);
    let mut broken = document(5);
    let _ = write!(broken, "\n{{\"resourceSpans\": [}}");
    assert_eq!(
        reading_with(&broken, None).expect_err("no JSON").code,
        "otlp-syntax"
    );
    let other = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"GET /","kind":2,"attributes":[]}]}]}]}"#;
    assert_eq!(
        reading_with(other, None).expect_err("no request").code,
        "otlp-no-request"
    );
}
