//! Engines other than vLLM, gateways, and answers of a Prometheus server.

use super::*;

fn value(r: &Reading, name: &str, statistic: Statistic) -> Option<f64> {
    r.value(name, statistic)
}

fn near(got: Option<f64>, expected: f64) {
    let got = got.expect("a value");
    assert!((got - expected).abs() < 1e-9, "{got} {expected}");
}

#[test]
fn triton_means_come_from_its_counters() {
    let at = |n: u32, exec: u32, queue_us: u32| {
        format!(
            "nv_inference_request_success{{model=\"m\",version=\"1\"}} {n}\n\
             nv_inference_request_failure{{model=\"m\",reason=\"REJECTED\",version=\"1\"}} {}\n\
             nv_inference_request_failure{{model=\"m\",reason=\"BACKEND\",version=\"1\"}} 1\n\
             nv_inference_count{{model=\"m\",version=\"1\"}} {}\n\
             nv_inference_exec_count{{model=\"m\",version=\"1\"}} {exec}\n\
             nv_inference_request_duration_us{{model=\"m\",version=\"1\"}} {}\n\
             nv_inference_queue_duration_us{{model=\"m\",version=\"1\"}} {queue_us}\n\
             nv_inference_compute_infer_duration_us{{model=\"m\",version=\"1\"}} {}\n\
             nv_cache_num_hits_per_model{{model=\"m\",version=\"1\"}} {}\n\
             nv_cache_num_misses_per_model{{model=\"m\",version=\"1\"}} {}\n\
             nv_inference_pending_request_count{{model=\"m\",version=\"1\"}} 31\n\
             nv_pinned_memory_pool_used_bytes 4096\n\
             nv_inference_queue_summary_us{{model=\"m\",version=\"1\",quantile=\"0.99\"}} 101\n\
             nv_gpu_utilization{{gpu_uuid=\"GPU-1\"}} 0.97\n",
            n / 10,
            n * 2,
            queue_us * 2,
            n * 500,
            n / 2,
            n / 2,
        )
    };
    let text = format!(
        "# 1780000000\n{}# 1780000010\n{}",
        at(100, 10, 1_000_000),
        at(200, 30, 2_000_000)
    );
    let r = reading(&[&text]);
    assert_eq!(r.kind, Kind::EngineMetrics);
    assert_eq!(r.tool.name, "Triton Inference Server");
    near(value(&r, "queue_time", Statistic::Mean), 0.01);
    near(value(&r, "e2e_latency", Statistic::Mean), 0.02);
    near(value(&r, "queue_time_share", Statistic::Ratio), 0.5);
    near(value(&r, "batch_size", Statistic::Mean), 10.0);
    near(value(&r, "inference_throughput", Statistic::Rate), 20.0);
    // Half of the successes came from the cache, and have no compute time.
    near(
        value(&r, "server_compute_infer_time", Statistic::Mean),
        0.001,
    );
    near(value(&r, "response_cache_hit_ratio", Statistic::Ratio), 0.5);
    near(
        value(&r, "acceptance_rate", Statistic::Ratio),
        100.0 / 110.0,
    );
    assert_eq!(value(&r, "waiting_requests", Statistic::Last), Some(31.0));
    assert_eq!(
        value(&r, "pinned_memory_used", Statistic::Last),
        Some(4096.0)
    );
    assert_eq!(value(&r, "engine_count", Statistic::Last), None);
    let gpu = r
        .signals
        .iter()
        .find(|s| s.name == "gpu_device_utilization");
    assert_eq!(gpu.map(|s| s.value), Some(0.97));
    let p99 = r.signals.iter().find(|s| s.statistic == Statistic::P99);
    let p99 = p99.expect("the summary's");
    assert_eq!(
        (p99.name.as_str(), p99.scope),
        ("queue_time", Scope::Instant)
    );
    near(Some(p99.value), 101e-6);
    assert!(codes(&r).contains(&"metrics-summary-window"));
    assert!(codes(&r).contains(&"gpu-utilization-says-little"));
}

#[test]
fn a_model_of_triton_with_two_versions_has_rows_for_each() {
    let one = |version: u32, n: u32| {
        format!(
            "nv_inference_request_success{{model=\"m\",version=\"{version}\"}} {n}\nnv_inference_pending_request_count{{model=\"m\",version=\"{version}\"}} {n}\n"
        )
    };
    let r = reading(&[&(one(1, 3) + &one(2, 5))]);
    let of = |version: &str| {
        let mut signals = r.signals.iter();
        let is_it = |s: &&Signal| {
            s.name == "waiting_requests"
                && s.labels.get("version").map(String::as_str) == Some(version)
        };
        signals.find(is_it).map(|s| s.value)
    };
    assert_eq!((of("1"), of("2")), (Some(3.0), Some(5.0)));
    assert_eq!(value(&r, "finished_requests", Statistic::Total), Some(8.0));
}

#[test]
fn ranks_of_sglang_repeat_and_replicas_add_up() {
    let mut text = String::new();
    for dp in 0..2 {
        for tp in 0..4 {
            let labels = format!("dp_rank=\"{dp}\",model_name=\"m\",tp_rank=\"{tp}\"");
            let running = 10 + dp - u32::from(tp == 3);
            text += &format!(
                "sglang:num_running_reqs{{{labels}}} {running}\nsglang:num_retracted_requests_total{{{labels}}} 5\nsglang:token_usage{{{labels}}} 0.{}\n",
                3 + dp
            );
            text += &format!(
                "sglang:queue_time_seconds_bucket{{{labels},le=\"1\"}} 2\nsglang:queue_time_seconds_bucket{{{labels},le=\"+Inf\"}} 4\nsglang:queue_time_seconds_sum{{{labels}}} 8\nsglang:queue_time_seconds_count{{{labels}}} 4\n"
            );
        }
    }
    text += "sglang:cached_tokens_total{cache_source=\"device\"} 30\nsglang:cached_tokens_total{cache_source=\"host\"} 20\nsglang:prompt_tokens_total{is_streaming=\"true\"} 200\nsglang:num_requests_total 9\n";
    let r = reading(&[&text]);
    assert_eq!(value(&r, "running_requests", Statistic::Last), Some(21.0));
    assert_eq!(value(&r, "preemptions", Statistic::Total), Some(10.0));
    assert_eq!(value(&r, "kv_cache_usage", Statistic::Last), Some(0.4));
    assert_eq!(value(&r, "queue_time", Statistic::Mean), Some(2.0));
    let samples = r.signals.iter().find(|s| s.name == "queue_time");
    assert_eq!(samples.and_then(|s| s.samples), Some(8));
    near(value(&r, "prefix_cache_hit_ratio", Statistic::Ratio), 0.25);
    assert_eq!(
        of_engine(&r, "running_requests", Statistic::Last, "1"),
        Some(11.0)
    );
    assert!(codes(&r).contains(&"metrics-ranks-repeat"));
    // It does not say how requests ended.
    assert_eq!(value(&r, "finished_requests", Statistic::Total), Some(9.0));
    assert_eq!(value(&r, "acceptance_rate", Statistic::Ratio), None);
    assert!(codes(&r).contains(&"metrics-no-finish-reasons"));
}

#[test]
fn the_total_of_a_family_is_not_added_to_its_parts() {
    let r = reading(&[
        "sglang:cached_tokens_total{cache_source=\"total\"} 50\nsglang:cached_tokens_total{cache_source=\"device\"} 30\nsglang:cached_tokens_total{cache_source=\"host\"} 20\nsglang:prompt_tokens_total 200\n",
    ]);
    assert_eq!(
        value(&r, "cached_prompt_tokens", Statistic::Total),
        Some(50.0)
    );
}

#[test]
fn engines_with_names_of_their_own() {
    let tgi = "tgi_queue_size 4\ntgi_batch_current_size 8\ntgi_request_success 90\ntgi_request_failure{err=\"overloaded\"} 10\n\
        tgi_request_duration_bucket{le=\"1\"} 1\ntgi_request_duration_bucket{le=\"+Inf\"} 2\ntgi_request_duration_sum 3\ntgi_request_duration_count 2\n\
        tgi_batch_forward_duration_sum{method=\"prefill\"} 4\ntgi_batch_forward_duration_count{method=\"prefill\"} 2\n\
        tgi_batch_forward_duration_sum{method=\"decode\"} 9\ntgi_batch_forward_duration_count{method=\"decode\"} 3\n";
    let r = reading(&[tgi]);
    assert_eq!(r.tool.name, "Text Generation Inference");
    near(value(&r, "acceptance_rate", Statistic::Ratio), 0.9);
    assert_eq!(value(&r, "e2e_latency", Statistic::Mean), Some(1.5));
    assert_eq!(value(&r, "prefill_batch_time", Statistic::Mean), Some(2.0));
    assert_eq!(value(&r, "decode_batch_time", Statistic::Mean), Some(3.0));
    assert_eq!(value(&r, "waiting_requests", Statistic::Last), Some(4.0));

    let trt = "trtllm_kv_cache_utilization 0.5\ntrtllm_kv_cache_max_blocks 100\ntrtllm_kv_cache_tokens_per_block 32\n\
        trtllm_request_success_total{finished_reason=\"stop\"} 7\ntrtllm_request_error_total 3\n";
    let r = reading(&[trt]);
    assert_eq!(
        value(&r, "kv_cache_capacity", Statistic::Last),
        Some(3200.0)
    );
    near(value(&r, "acceptance_rate", Statistic::Ratio), 0.7);
    near(value(&r, "error_ratio", Statistic::Ratio), 0.3);

    let ray = "ray_serve_num_http_requests{route=\"/\"} 50\nray_serve_num_http_error_requests{error_code=\"500\"} 5\n\
        ray_serve_deployment_queued_queries{deployment=\"d\"} 6\n\
        ray_serve_deployment_processing_latency_ms_sum{deployment=\"d\"} 48160\nray_serve_deployment_processing_latency_ms_count{deployment=\"d\"} 48\n";
    let r = reading(&[ray]);
    near(value(&r, "error_ratio", Statistic::Ratio), 0.1);
    near(value(&r, "acceptance_rate", Statistic::Ratio), 0.9);
    near(value(&r, "inference_time", Statistic::Mean), 48.16 / 48.0);

    let dynamo = "dynamo_frontend_requests_total{model=\"m\",status=\"success\"} 3\ndynamo_frontend_requests_total{model=\"m\",status=\"error\"} 1\ndynamo_frontend_inflight_requests{model=\"m\"} 2\n";
    let r = reading(&[dynamo]);
    near(value(&r, "acceptance_rate", Statistic::Ratio), 0.75);

    let kserve = "request_predict_seconds_sum{model_name=\"m\"} 4\nrequest_predict_seconds_count{model_name=\"m\"} 2\n";
    let r = reading(&[kserve]);
    assert_eq!(
        value(&r, "server_compute_infer_time", Statistic::Mean),
        Some(2.0)
    );

    let lmdeploy = "lmdeploy:num_requests_running{engine=\"0\",model_name=\"m\"} 4\nlmdeploy:gpu_cache_usage_perc{engine=\"0\",model_name=\"m\"} 0.25\n";
    let r = reading(&[lmdeploy]);
    assert_eq!(value(&r, "kv_cache_usage", Statistic::Last), Some(0.25));
    assert_eq!(r.environment["engine"], "LMDeploy");
}

#[test]
fn an_engine_behind_a_gateway_keeps_its_own_numbers() {
    let text = "ray_serve_deployment_queued_queries{deployment=\"d\"} 60\n\
        ray_vllm:num_requests_waiting{model_name=\"m\",WorkerId=\"a\"} 3\nray_vllm:num_requests_waiting{model_name=\"m\",WorkerId=\"b\"} 4\n";
    let r = reading(&[text]);
    assert_eq!(r.kind, Kind::VllmMetrics);
    assert_eq!(value(&r, "waiting_requests", Statistic::Last), Some(7.0));
    assert!(!codes(&r).contains(&"metrics-several-engines"));
    let two = "sglang:num_queue_reqs 3\ntgi_queue_size 5\n";
    let r = reading(&[two]);
    assert_eq!(value(&r, "waiting_requests", Statistic::Last), Some(3.0));
    assert!(codes(&r).contains(&"metrics-several-engines"));
}

#[test]
fn http_statuses_count_for_inference_only() {
    let text = "vllm:num_requests_running 1\nhttp_requests_total{handler=\"/v1/completions\",status=\"2xx\"} 90\n\
        http_requests_total{handler=\"/v1/completions\",status=\"5xx\"} 10\nhttp_requests_total{handler=\"/metrics\",status=\"2xx\"} 900\n";
    near(
        value(&reading(&[text]), "http_error_ratio", Statistic::Ratio),
        0.1,
    );
}

#[test]
fn a_gauge_nobody_writes_any_more_is_said() {
    let text = "vllm:num_requests_running 5\nvllm:gpu_cache_usage_perc 0\n";
    assert!(codes(&reading(&[text])).contains(&"metrics-gauge-never-written"));
    let idle = "vllm:num_requests_running 0\nvllm:gpu_cache_usage_perc 0\n";
    assert!(!codes(&reading(&[idle])).contains(&"metrics-gauge-never-written"));
}

#[test]
fn first_buckets_few_samples_and_collapsed_rows_are_said() {
    let text = histogram(
        "vllm:request_queue_time_seconds",
        0,
        &[("0.3", 60), ("+Inf", 60)],
    );
    let r = reading(&[&text]);
    assert!(codes(&r).contains(&"metrics-first-bucket"));
    assert!(codes(&r).contains(&"metrics-few-samples"));
    let many = histogram(
        "vllm:request_queue_time_seconds",
        0,
        &[("0.3", 600), ("+Inf", 6000)],
    );
    let r = reading(&[&many]);
    assert!(!codes(&r).contains(&"metrics-first-bucket"));
    assert!(!codes(&r).contains(&"metrics-few-samples"));
    let twice = "vllm:num_requests_running 1\nvllm:num_requests_running 7\n";
    assert!(codes(&reading(&[twice])).contains(&"metrics-duplicates-differ"));
    let same = "vllm:num_requests_running 1\nvllm:num_requests_running 1\n";
    assert!(codes(&reading(&[same])).contains(&"metrics-duplicates"));
}

#[test]
fn several_answers_about_one_time_are_read_together() {
    let answer = |name: &str, values: &str| {
        format!(
            r#"{{"status":"success","data":{{"resultType":"matrix","result":[{{"metric":{{"__name__":"{name}","engine":"0"}},"values":[{values}]}}]}}}}"#
        )
    };
    let running = answer(
        "vllm:num_requests_running",
        r#"[1780000000,"4"],[1780000015,"6"],[1780000030,"5"]"#,
    );
    let tokens = answer(
        "vllm:generation_tokens_total",
        r#"[1780000000,"100"],[1780000015,"250"],[1780000030,"400"]"#,
    );
    let r = reading(&[&running, &tokens]);
    assert_eq!(value(&r, "running_requests", Statistic::Max), Some(6.0));
    assert_eq!(
        value(&r, "generation_tokens", Statistic::Total),
        Some(300.0)
    );
    assert_eq!(
        value(&r, "generation_token_throughput", Statistic::Rate),
        Some(10.0)
    );
    assert_eq!(r.window.as_ref().and_then(|w| w.seconds), Some(30.0));
    assert!(codes(&r).contains(&"metrics-from-prometheus"));
    assert!(!codes(&r).contains(&"metrics-order-reversed"));
}

#[test]
fn an_expression_beside_named_series_is_left_out_and_said() {
    let text = r#"{"status":"success","data":{"resultType":"vector","result":[
        {"metric":{"__name__":"vllm:num_requests_running"},"value":[1780000000,"4"]},
        {"metric":{"engine":"0"},"value":[1780000000,"0.5"]}]}}"#;
    let r = reading(&[text]);
    assert_eq!(value(&r, "running_requests", Statistic::Last), Some(4.0));
    assert!(codes(&r).contains(&"metrics-unnamed-series"));
}
