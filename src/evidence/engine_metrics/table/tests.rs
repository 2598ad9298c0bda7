use super::*;
use crate::catalogue;
use std::collections::BTreeSet;

#[test]
fn every_row_names_a_catalogued_signal_and_its_source() {
    for (engine, row) in all() {
        let signal = match row.means {
            Means::Gauge(signal, _)
            | Means::Hist(signal)
            | Means::Summary(signal)
            | Means::Device(signal)
            | Means::DeviceCount(signal) => signal,
            Means::Counter(_) | Means::DeviceError => continue,
        };
        let part = signal.starts_with('#');
        assert!(
            part || catalogue::find(signal).is_some(),
            "{engine:?} {}: {signal}",
            row.name
        );
    }
    assert!(all().all(|(_, row)| !row.source.is_empty()));
}

#[test]
fn no_row_stands_twice() {
    let mut seen = BTreeSet::new();
    for (engine, row) in all() {
        let key = (engine, row.name, row.only, format!("{:?}", row.means));
        assert!(seen.insert(key.clone()), "{key:?}");
        assert!(!row.name.ends_with("_total") || matches!(row.means, Means::Hist(_)));
    }
}

#[test]
fn alternatives_are_ranked_and_additions_are_not() {
    let none = |_: &str| None;
    let rank = |engine, name| {
        let mut found = rows(engine, name, &none);
        found.next().map(|f| f.rank).expect("a row")
    };
    let new = rank(Engine::Vllm, "kv_cache_usage_perc");
    assert!(new < rank(Engine::Vllm, "gpu_cache_usage_perc"));
    assert!(new < rank(Engine::Sglang, "token_usage"));
    assert_eq!(
        rank(Engine::Triton, "inference_request_success"),
        rank(Engine::Triton, "inference_request_failure")
    );
}

#[test]
fn names_belong_to_their_engines() {
    for (name, engine) in [
        ("vllm:x", Some(Engine::Vllm)),
        ("ray_vllm_x", Some(Engine::Vllm)),
        ("nv_inference_count", Some(Engine::Triton)),
        ("nv_llm_http_service_requests_total", Some(Engine::Dynamo)),
        ("dynamo_frontend_requests_total", Some(Engine::Dynamo)),
        ("request_predict_seconds_bucket", Some(Engine::KServe)),
        ("http_requests_total", Some(Engine::Http)),
        ("http_requests_in_flight", None),
        ("DCGM_FI_DEV_GPU_UTIL", Some(Engine::Gpu)),
        ("node_cpu_seconds_total", None),
    ] {
        assert_eq!(engine_of(name).map(|(e, _)| e), engine, "{name}");
    }
}
