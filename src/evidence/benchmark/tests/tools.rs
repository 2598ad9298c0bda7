//! One small file per tool, with the numbers that must come out.

use super::{all, near, noted, of, value};
use crate::{
    Bound, Statistic as S,
    samples::{Benchmark, serving_benchmark},
};

fn sample(concurrency: u32, fails_every: usize) -> String {
    serving_benchmark(Benchmark {
        requests: 120,
        concurrency,
        tokens: 12,
        fails_every,
        seed: 7,
    })
}

#[test]
fn a_detailed_result_is_recomputed_and_carried_value_by_value() {
    let text = sample(8, 10);
    let reading = of(&text).expect("a result");
    assert_eq!(reading.tool.name, "vLLM serving benchmark");
    let own = value(&reading, "ttft", S::P99);
    let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    near(own * 1e3, told["p99_ttft_ms"].as_f64().expect("a number"));
    assert_eq!(value(&reading, "finished_requests", S::Count), 120.0);
    assert_eq!(value(&reading, "successful_requests", S::Count), 108.0);
    near(value(&reading, "error_ratio", S::Ratio), 0.1);
    let ttft = reading.distributions.iter().find(|d| d.name == "ttft");
    assert_eq!(ttft.expect("values").data.len(), 108);
    assert!(!noted(&reading, "bench-differs") && noted(&reading, "bench-closed-loop"));
    assert!(noted(&reading, "bench-few-values"));
    let fact = |k: &str| reading.environment.get(k).map(String::as_str);
    assert_eq!(fact("model"), Some("meta/sample-8b"));
    assert_eq!(fact("percentile_rule"), Some("linear between ranks"));
}

#[test]
fn appended_results_and_files_together_are_a_sweep() {
    let (a, b, c) = (sample(4, 0), sample(16, 0), sample(64, 0));
    let appended = of(format!("{a}\n{b}\n{c}\n")).expect("a sweep");
    let together = all(&[a.as_bytes(), b.as_bytes(), c.as_bytes()]).expect("a sweep");
    for reading in [&appended, &together] {
        let loads: Vec<&String> = reading
            .signals
            .iter()
            .filter(|s| s.name == "ttft" && s.statistic == S::P50)
            .filter_map(|s| s.labels.get("load"))
            .collect();
        assert_eq!(loads, ["4", "16", "64"]);
        assert!(reading.value("ttft", S::P50).is_none());
        assert!(noted(reading, "bench-same-prompts") && noted(reading, "bench-best-points"));
        let figure = reading.figures.iter().find(|f| f.id == "bench-runs");
        assert!(figure.expect("a figure").plot.is_some());
    }
}

#[test]
fn sglang_writes_an_infinite_rate_and_counts_no_failures() {
    let text = r#"{"tag": null, "backend": "sglang", "dataset_name": "random", "request_rate": Infinity, "max_concurrency": 4, "duration": 2.0, "completed": 3, "total_input_tokens": 30, "total_output_tokens": 30, "total_output_tokens_retokenized": 30, "request_throughput": 1.5, "output_throughput": 15.0, "mean_e2e_latency_ms": 400.0, "accept_length": 2.5, "ttfts": [0.1, 0.1, 0.1, 0.0], "output_lens": [10, 10, 10, 0], "errors": ["", "", "", "boom"]}"#;
    let reading = of(text).expect("a result");
    assert_eq!(reading.tool.name, "SGLang bench_serving");
    near(value(&reading, "error_ratio", S::Ratio), 0.25);
    assert_eq!(value(&reading, "spec_decode_accepted_length", S::Mean), 2.5);
    near(value(&reading, "e2e_latency", S::Mean), 0.4);
}

#[test]
fn a_fork_without_units_is_told_from_the_length_of_the_run() {
    let with = |ttft: f64, e2e: f64| {
        format!(
            r#"{{"model_id":"m","num_prompts":8,"request_rate":"inf","max_concurrency":2,"duration":214.0,"completed":8,"total_output_tokens":800,"median_ttft":{ttft},"p99_e2el":{e2e}}}"#
        )
    };
    let seconds = of(with(3.1, 30.0)).expect("seconds");
    near(value(&seconds, "ttft", S::P50), 3.1);
    let millis = of(with(3100.0, 30000.0)).expect("milliseconds");
    near(value(&millis, "ttft", S::P50), 3.1);
    assert!(noted(&millis, "bench-unit-assumed"));
}

#[test]
fn offline_benchmarks_of_vllm() {
    let latency = of(r#"{"avg_latency": 0.2, "latencies": [0.1, 0.2, 0.3], "percentiles": {"10": 0.12, "99": 0.298}}"#)
        .expect("latencies");
    near(value(&latency, "e2e_latency", S::P50), 0.2);
    near(value(&latency, "e2e_latency", S::P99), 0.298);
    assert!(!noted(&latency, "bench-differs"));
    let throughput = of(r#"{"elapsed_time": 10.0, "num_requests": 20, "total_num_tokens": 2000, "requests_per_second": 2.0, "tokens_per_second": 200.0}"#)
        .expect("throughput");
    near(value(&throughput, "total_token_throughput", S::Rate), 200.0);
    near(value(&throughput, "request_throughput", S::Rate), 2.0);
}

const BLOCK: &str = "============ Serving Benchmark Result ============\nSuccessful requests:                     8\nFailed requests:                         2\nBenchmark duration (s):                  4.00\nTotal input tokens:                      80\nTotal generated tokens:                  80\nRequest throughput (req/s):              2.00\nOutput token throughput (tok/s):         20.00\n---------------Time to First Token----------------\nMean TTFT (ms):                          314.58\nP99 TTFT (ms):                           320.00\n==================================================\n";

#[test]
fn console_blocks_are_runs_and_their_arguments_the_load() {
    let text = format!(
        "Namespace(backend='vllm', model='meta/x', num_prompts=10, max_concurrency=4, request_rate=inf)\n{BLOCK}\nNamespace(model='meta/x', num_prompts=10, max_concurrency=8, request_rate=inf)\r\n\u{1b}[32m{}\u{1b}[0m",
        BLOCK
            .replace("314.58", "400.00")
            .replace("320.00", "450.00")
            .replace('\n', "\r\n")
    );
    let reading = of(&text).expect("two runs");
    let at = |load: &str| {
        let found = reading.signals.iter().find(|s| {
            s.name == "ttft"
                && s.statistic == S::Mean
                && s.labels.get("load").map(String::as_str) == Some(load)
        });
        found.expect(load).value
    };
    near(at("4"), 0.31458);
    near(at("8"), 0.4);
    let one = of(BLOCK).expect("one run");
    near(value(&one, "error_ratio", S::Ratio), 0.2);
    assert!(noted(&one, "bench-load-not-in-file"));
}

#[test]
fn numbers_of_other_countries_and_blocks_that_are_cut() {
    let comma = BLOCK.replace('.', ",");
    let reading = of(&comma).expect("decimal commas");
    near(value(&reading, "ttft", S::Mean), 0.31458);
    assert!(noted(&reading, "bench-decimal-comma"));
    let cut = BLOCK.find("Mean").expect("there");
    assert_eq!(of(&BLOCK[..cut]).expect_err("cut").code, "bench-no-block");
    let both = of(format!("{BLOCK}{}", &BLOCK[..cut])).expect("one whole block");
    assert!(noted(&both, "bench-block-cut"));
    near(value(&both, "ttft", S::Mean), 0.31458);
    let open = of(&BLOCK[..BLOCK.len() - 51]).expect("no last line");
    assert!(noted(&open, "bench-block-open"));
}

fn guidellm(strategy: &str) -> String {
    let stats = |mean: f64, count: u32| {
        format!(
            r#"{{"mean":{mean},"median":{mean},"std_dev":0.0,"min":0.0,"max":9999.0,"count":{count},"percentiles":{{"p50":{mean},"p95":{mean},"p999":{mean}}}}}"#
        )
    };
    let group = |mean: f64, n: u32| {
        format!(
            r#"{{"successful":{},"errored":{},"incomplete":{},"total":{}}}"#,
            stats(mean, n),
            stats(0.0, 0),
            stats(0.0, 0),
            stats(mean, n)
        )
    };
    format!(
        r#"{{"type_":"generative_benchmark","config":{{"strategy":{strategy}}},"scheduler_metrics":{{"requests_made":{{"successful":2,"errored":1,"incomplete":0,"total":3}}}},"duration":2.0,"metrics":{{"requests_per_second":{},"time_to_first_token_ms":{},"time_per_output_token_ms":{},"request_latency":{},"inter_token_latency_ms":{}}},"requests":{{"successful":[{{"request_args":"x","output":"y","info":{{"timings":{{"a":1}}}},"output_tokens":11,"prompt_tokens":5,"request_latency":2.0,"time_to_first_token_ms":1000.0}},{{"output_tokens":11,"prompt_tokens":5,"request_latency":4.0,"time_to_first_token_ms":2000.0}}],"errored":[{{"request_latency":null}}]}}}}"#,
        group(1.0, 2),
        group(1500.0, 2),
        group(270.0, 22),
        group(3.0, 2),
        group(150.0, 20),
    )
}

#[test]
fn guidellm_groups_without_a_request_say_nothing() {
    let report = format!(
        r#"{{"metadata":{{"version":2,"guidellm_version":"0.8.1"}},"benchmarks":[{},{}]}}"#,
        guidellm(r#"{"type_":"constant","rate":1.0}"#),
        guidellm(r#"{"type_":"constant","rate":2.0}"#)
    );
    let reading = of(&report).expect("a report");
    let at = |name: &str, s: S| {
        let found = reading.signals.iter().find(|x| {
            x.name == name
                && x.statistic == s
                && x.labels.get("load").map(String::as_str) == Some("1")
        });
        found.unwrap_or_else(|| panic!("{name}")).clone()
    };
    near(at("ttft", S::P50).value, 1.5);
    near(at("tpot", S::Mean).value, 0.15);
    near(at("normalized_latency", S::Mean).value, 0.27);
    assert_eq!(at("itl", S::Mean).bound, Bound::Estimate);
    near(at("error_ratio", S::Ratio).value, 1.0 / 3.0);
    assert!(noted(&reading, "bench-rate-points"));
    assert_eq!(reading.tool.version.as_deref(), Some("0.8.1"));
}

#[test]
fn an_older_layout_of_guidellm_and_its_yaml() {
    let old = guidellm("null").replace(
        r#""config":{"strategy":null},"scheduler_metrics":"#,
        r#""args":{"strategy":{"type_":"concurrent","streams":4}},"run_stats":"#,
    );
    let reading = of(format!(r#"{{"benchmarks":[{old}]}}"#)).expect("an old report");
    near(value(&reading, "ttft", S::P50), 1.5);
    let yaml = "benchmarks:\n- type_: generative_benchmark\n  config:\n    strategy: {type_: synchronous}\n  metrics:\n    request_totals: {successful: 2, errored: 0, incomplete: 0}\n    time_to_first_token_ms:\n      successful: {mean: 20.0, median: 19.0, count: 2, percentiles: {p99: 21.0}}\n  duration: 2.0\nmetadata:\n  guidellm_version: 0.6.0\n";
    let reading = of(yaml).expect("YAML");
    near(value(&reading, "ttft", S::P99), 0.021);
    assert_eq!(value(&reading, "successful_requests", S::Count), 2.0);
}

#[test]
fn summaries_of_aiperf_and_genai_perf() {
    let metric = |unit: &str, v: f64| {
        format!(
            r#"{{"unit":"{unit}","avg":{v},"p50":{v},"p99":{v},"min":{v},"max":{v},"std":0.0,"count":10}}"#
        )
    };
    let text = format!(
        r#"{{"schema_version":"1.4","aiperf_version":"0.13.0","request_throughput":{{"unit":"requests/sec","avg":5.0}},"request_latency":{},"time_to_first_token":{},"inter_token_latency":{},"request_count":{{"unit":"requests","avg":10.0}},"error_request_count":{{"unit":"requests","avg":2.0}},"goodput":{{"unit":"requests/sec","avg":-1}},"was_cancelled":true,"input_config":{{"phases":[{{"name":"warmup","concurrency":1}},{{"name":"profiling","concurrency":6}}]}}}}"#,
        metric("ms", 120.0),
        metric("ms", 20.0),
        metric("us", 5000.0)
    );
    let reading = of(&text).expect("a summary");
    assert_eq!(reading.tool.name, "AIPerf");
    near(value(&reading, "tpot", S::P50), 0.005);
    near(value(&reading, "error_ratio", S::Ratio), 2.0 / 12.0);
    assert!(noted(&reading, "bench-cancelled") && noted(&reading, "bench-goodput-unknown"));
    let csv = "Metric,avg,min,max,p99,p50\r\nTime To First Token (ms),\"1,146.31\",16.00,\"2,000.00\",\"1,999.00\",20.00\r\nRequest Latency (ms),200.00,100.00,300.00,299.00,200.00\r\n\r\nMetric,Value\r\nRequest Throughput (per sec),5.00\r\nRequest Count (count),10.00\r\n\r\nMetric,GPU,avg,min,max\r\nGPU Power Usage (W),gpu0,100.50,90.00,110.00\r\n";
    let reading = of(csv).expect("a table");
    assert_eq!(reading.tool.name, "GenAI-Perf");
    near(value(&reading, "ttft", S::Mean), 1.14631);
    near(value(&reading, "request_throughput", S::Rate), 5.0);
    assert!(
        reading
            .signals
            .iter()
            .any(|s| s.name == "gpu_power" && s.value == 100.5)
    );
    let saved = csv
        .replace("\"1,146.31\"", "1.146,31")
        .replace("\"2,000.00\"", "2.000,00")
        .replace("\"1,999.00\"", "1.999,00");
    let saved: String = saved
        .lines()
        .map(|l| {
            let l = if l.contains("1.146,31") {
                "Time To First Token (ms);1.146,31;16,00;2.000,00;1.999,00;20,00".to_owned()
            } else {
                l.replace(',', ";").replace('.', ",")
            };
            l + "\n"
        })
        .collect();
    near(
        value(&of(saved).expect("a spreadsheet"), "ttft", S::Mean),
        1.14631,
    );
}

#[test]
fn llmperf_records_and_a_summary() {
    let record = |ttft: f64, code: &str| {
        format!(
            r#"{{"error_code":{code},"error_msg":"","inter_token_latency_s":0.02,"ttft_s":{ttft},"end_to_end_latency_s":{},"number_output_tokens":11,"number_input_tokens":5,"number_total_tokens":16}}"#,
            ttft + 1.0
        )
    };
    let text = format!(
        "[{}, {}, {}]",
        record(0.1, "null"),
        record(0.3, "null"),
        record(9.0, "429")
    );
    let reading = of(text).expect("records");
    near(value(&reading, "ttft", S::P50), 0.2);
    near(value(&reading, "tpot", S::Mean), 0.1);
    near(value(&reading, "error_ratio", S::Ratio), 1.0 / 3.0);
    let summary = r#"{"version":"2023-08-31","model":"m","num_concurrent_requests":5,"results_ttft_s_quantiles_p99":0.5,"results_ttft_s_mean":0.2,"results_num_completed_requests":120,"results_number_errors":0,"results_num_completed_requests_per_min":60.0}"#;
    let reading = of(summary).expect("a summary");
    near(value(&reading, "ttft", S::P99), 0.5);
    near(value(&reading, "request_throughput", S::Rate), 1.0);
}

#[test]
fn mlperf_verdicts_are_taken_seriously() {
    let text = "================================================\nMLPerf Results Summary\n================================================\nSUT name : x\nScenario : Server\nMode     : PerformanceOnly\nCompleted samples per second    : 56.32\nResult is : INVALID\n  Min duration satisfied : NO\n * Increase expected QPS\nMean latency (ns)                : 20000000\n99.00 percentile latency (ns)   : 33000000\ntarget_qps : 60\n";
    let reading = of(text).expect("a summary");
    near(value(&reading, "e2e_latency", S::P99), 0.033);
    assert!(noted(&reading, "bench-mlperf-invalid"));
    let valid = of(text.replace("INVALID", "VALID")).expect("valid");
    assert!(!noted(&valid, "bench-mlperf-invalid"));
    let line = |key: &str, value: &str| {
        format!(":::MLLOG {{\"key\": \"{key}\", \"value\": {value}, \"time_ms\": 1.0}}\n")
    };
    let detail = line("loadgen_version", "\"6.0\"")
        + &line("effective_scenario", "\"Offline\"")
        + &line("loaded_qsl_set", "[1,2]")
        + &line("result_mean_latency_ns", "2000000")
        + &line("result_validity", "\"VALID\"");
    near(
        value(&of(detail).expect("a log"), "e2e_latency", S::Mean),
        0.002,
    );
}

#[test]
fn inference_perf_and_the_servers_view() {
    let text = r#"{"load_summary":{"count":600,"schedule_delay":{"mean":0.4,"p99":0.9},"requested_rate":10.0,"achieved_rate":6.0},"successes":{"count":600,"latency":{"request_latency":{"mean":1.0,"median":0.9,"p99.9":2.0},"time_to_first_token":{"mean":0.1}},"throughput":{"requests_per_sec":6.0}},"failures":{"count":0}}"#;
    let reading = of(text).expect("a stage");
    assert!(noted(&reading, "bench-rate-not-sent") && noted(&reading, "bench-late-sends"));
    let p999 = reading
        .signals
        .iter()
        .find(|s| s.name == "e2e_latency" && s.statistic == S::Quantile(999));
    assert_eq!(p999.expect("p99.9").bound, Bound::AtLeast);
    let server = r#"{"load_summary": {}, "successes": {"count": 1140, "rate": 14.4, "request_latency": {"mean": 2.5}, "kv_cache_usage_percentage": {"mean": 0.0, "p99": 0.0}}, "failures": {}}"#;
    let reading = of(server).expect("a view");
    assert!(reading.value("kv_cache_usage", S::Mean).is_none());
    assert!(noted(&reading, "bench-zero-metric") && noted(&reading, "bench-server-view"));
}
