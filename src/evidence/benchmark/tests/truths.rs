//! Files whose numbers do not mean what they seem to.

use super::{noted, of, value};
use crate::{Bound, Statistic as S};

/// A serving result of these parts.
fn result(more: &str) -> String {
    format!(
        r#"{{"model_id":"m","backend":"vllm","num_prompts":4,"duration":10.0,"completed":4,"total_input_tokens":40,"total_output_tokens":40,"request_throughput":0.4{more}}}"#
    )
}

#[test]
fn completed_requests_without_a_token_did_not_work() {
    let text = result(
        r#","request_rate":"inf","max_concurrency":4,"ttfts":[2.0,0.0,0.0,4.0],"output_lens":[10,0,0,10],"itls":[[0.1],[],[],[0.1]],"errors":["","","",""],"median_ttft_ms":1000.0"#,
    );
    let reading = of(text).expect("a result");
    assert_eq!(value(&reading, "ttft", S::P50), 3.0);
    assert_eq!(value(&reading, "error_ratio", S::Ratio), 0.5);
    assert_eq!(value(&reading, "request_throughput", S::Rate), 0.2);
    let note = reading
        .notes
        .iter()
        .find(|n| n.code == "bench-no-token")
        .expect("a note");
    assert_eq!(
        (note.args["told"].as_str(), note.args["own"].as_str()),
        ("1.000 s", "3.000 s")
    );
    assert!(noted(&reading, "bench-differs"));
}

#[test]
fn nothing_completed_is_no_latency_of_zero() {
    let reading = of(r#"{"model_id":"m","num_prompts":4,"request_rate":1.0,"duration":10.0,"completed":0,"total_output_tokens":0,"request_throughput":0.0,"mean_ttft_ms":0.0,"p99_ttft_ms":0.0}"#).expect("a result");
    assert!(reading.value("ttft", S::Mean).is_none());
    assert!(noted(&reading, "bench-none-completed"));
}

#[test]
fn a_server_that_falls_behind_gives_lower_bounds() {
    let text = r#"{"model_id":"m","num_prompts":1000,"request_rate":32.0,"duration":100.0,"completed":1000,"total_output_tokens":100,"request_throughput":10.0,"mean_ttft_ms":9000.0,"p99_ttft_ms":30000.0,"mean_e2el_ms":9500.0}"#;
    let reading = of(text).expect("a result");
    assert!(noted(&reading, "bench-falling-behind") && noted(&reading, "bench-open-loop"));
    let p99 = reading
        .signals
        .iter()
        .find(|s| s.name == "ttft" && s.statistic == S::P99);
    assert_eq!(p99.expect("p99").bound, Bound::AtLeast);
}

#[test]
fn waiting_in_the_client_is_said() {
    let text = result(
        r#","request_rate":1.0,"max_concurrency":1,"ttfts":[0.1,0.1,0.1,0.1],"latencies":[1.0,1.0,1.0,1.0],"output_lens":[10,10,10,10],"queue_times":[0.0,1.0,2.0,3.0],"errors":["","","",""]"#,
    );
    let reading = of(text).expect("a result");
    assert!(noted(&reading, "bench-late-sends") && noted(&reading, "bench-capped-rate"));
    assert_eq!(value(&reading, "send_delay", S::Mean), 1.5);
}

#[test]
fn a_run_that_was_stopped_and_one_that_contradicts_itself() {
    let stopped = of(
        r#"{"model_id":"m","num_prompts":100,"max_concurrency":2,"request_rate":"inf","duration":10.0,"completed":4,"failed":1,"request_throughput":0.4}"#,
    );
    assert!(noted(
        &stopped.expect("a result"),
        "bench-fewer-than-planned"
    ));
    let edited = of(result(
        r#","request_rate":"inf","max_concurrency":1,"mean_e2el_ms":9000.0,"p50_e2el_ms":9000.0,"p99_e2el_ms":8000.0"#,
    ));
    let edited = edited.expect("a result");
    assert!(noted(&edited, "bench-little") && noted(&edited, "bench-percentiles-fall"));
    let totals = of(result("").replace("0.4", "4.0")).expect("a result");
    assert!(noted(&totals, "bench-totals"));
}

#[test]
fn chunks_are_not_tokens() {
    let gaps = "[0.0,0.0,0.4]";
    let text = result(&format!(
        r#","max_concurrency":4,"request_rate":"inf","ttfts":[0.1,0.1,0.1,0.1],"itls":[{gaps},{gaps},{gaps},{gaps}],"output_lens":[10,10,10,10],"errors":["","","",""]"#
    ));
    let reading = of(text).expect("a result");
    assert!(noted(&reading, "bench-chunks") && noted(&reading, "bench-chunk-median"));
    let itl = reading
        .signals
        .iter()
        .find(|s| s.name == "itl" && s.statistic == S::P99);
    assert_eq!(itl.expect("itl").bound, Bound::Estimate);
    let tpot = value(&reading, "tpot", S::Mean);
    assert!((tpot - 0.4 / 9.0).abs() < 1e-12);
}

#[test]
fn a_second_token_that_comes_at_once_or_never() {
    let text = r#"{"aiperf_version":"0.13","request_throughput":{"unit":"requests/sec","avg":5.0},"inter_token_latency":{"unit":"ms","avg":10.0,"p50":10.0},"time_to_second_token":{"unit":"ms","avg":0.01,"p50":0.01},"request_count":{"unit":"requests","avg":10}}"#;
    let reading = of(text).expect("a summary");
    assert!(noted(&reading, "bench-second-token"));
}

#[test]
fn cached_prompts_differ_between_points() {
    let run = |n: u32, cached: &str| {
        format!(
            r#"{{"backend":"sglang","max_concurrency":{n},"request_rate":"inf","duration":10.0,"completed":2,"total_output_tokens_retokenized":20,"total_input_tokens":200,"num_prompts":2,"ttfts":[0.1,0.1],"input_lens":[100,100],"output_lens":[10,10],"errors":["",""],"cached_tokens":{cached}}}"#
        )
    };
    let text = format!("{}\n{}", run(1, "[0,0]"), run(2, "[90,90]"));
    let reading = of(text).expect("two runs");
    assert!(noted(&reading, "bench-hit-jump") && noted(&reading, "bench-same-prompts"));
}
