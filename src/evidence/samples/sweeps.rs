//! Sample files of perf_analyzer's family beside its CSV: console output, a profile export, tables
//! and a checkpoint of Model Analyzer. All describe the same invented service.

use super::perf_analyzer::{Sweep, perf_analyzer_csv};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The service of the samples.
const SERVICE: Sweep = Sweep {
    service_us: 5000.0,
    parallel: 2.0,
};
/// Start of the first measurement, nanoseconds since the epoch.
const START: u64 = 1_700_000_000_000_000_000;

/// Throughput per second and average latency in microseconds at a concurrency.
fn at(sweep: Sweep, n: f64) -> (f64, f64) {
    let throughput = n.min(sweep.parallel) / (sweep.service_us * 1e-6) * (1.0 - 0.002 * n);
    (throughput, n / throughput * 1e6)
}

/// What perf_analyzer prints for a sweep over these concurrencies.
pub fn perf_analyzer_console(sweep: Sweep, concurrencies: &[u32]) -> String {
    let last = concurrencies.last().copied().unwrap_or(1);
    let mut out = format!(
        "*** Measurement Settings ***\n  Batch size: 1\n  Service Kind: TRITON\n  Using \"time_windows\" mode for stabilization\n  Stabilizing using average latency and throughput\n  Measurement window: 5000 msec\n  Latency limit: 0 msec\n  Concurrency limit: {last} concurrent requests\n  Using synchronous calls for inference\n\n"
    );
    let mut summary = String::new();
    for n in concurrencies {
        let (throughput, average) = at(sweep, f64::from(*n));
        let count = (throughput * 15.0).round();
        let infer = (sweep.service_us * 0.9).min(average * 0.9);
        let queue = (average * 0.97 - 46.0 - 105.0 - infer).max(0.0);
        let server = average * 0.97 - 46.0;
        let _ = write!(
            out,
            "Request concurrency: {n}\n  Client: \n    Request count: {count}\n    Throughput: {throughput:.3} infer/sec\n    Avg latency: {average:.0} usec (standard deviation 310 usec)\n    p50 latency: {:.0} usec\n    p90 latency: {:.0} usec\n    p95 latency: {:.0} usec\n    p99 latency: {:.0} usec\n    Avg HTTP time: {:.0} usec (send/recv 46 usec + response wait {:.0} usec)\n  Server: \n    Inference count: {count}\n    Execution count: {count}\n    Successful request count: {count}\n    Avg request latency: {server:.0} usec (overhead 9 usec + queue {queue:.0} usec + compute input 90 usec + compute infer {infer:.0} usec + compute output 15 usec)\n\n",
            average * 0.97,
            average * 1.16,
            average * 1.24,
            average * 1.45,
            average - 12.0,
            average - 58.0,
        );
        let _ = writeln!(
            summary,
            "Concurrency: {n}, throughput: {throughput:.3} infer/sec, latency {average:.0} usec"
        );
    }
    out.push_str("Inferences/Second vs. Client Average Batch Latency\n");
    out + &summary
}

/// A profile export of a closed loop over these concurrencies, `responses` answers to a request.
/// Every request is in it, so that Little's law holds.
pub fn perf_analyzer_export(sweep: Sweep, concurrencies: &[u32], responses: u32) -> String {
    let mut start = START;
    let experiments: Vec<Value> = concurrencies
        .iter()
        .map(|n| {
            let (_, average) = at(sweep, f64::from(*n));
            let step = (average * 1e3) as u64;
            let mut requests = Vec::new();
            for round in 0..40u64 {
                for client in 0..u64::from(*n) {
                    let sent = start + round * step;
                    let input = round * u64::from(*n) + client;
                    // The last answer comes a little before the next request of the client.
                    let answers: Vec<u64> = (1..=u64::from(responses))
                        .map(|i| sent + (step - 1000) * i / u64::from(responses))
                        .collect();
                    requests.push(json!({
                        "timestamp": sent,
                        "request_inputs": {"INPUT0": input},
                        "response_timestamps": answers,
                        "response_outputs": [],
                    }));
                }
            }
            let end = start + 40 * step;
            let boundaries = [start, start + 20 * step, end];
            start = end + 1_000_000_000;
            json!({
                "experiment": {"mode": "concurrency", "value": n},
                "requests": requests,
                "window_boundaries": boundaries,
            })
        })
        .collect();
    json!({
        "experiments": experiments,
        "version": "2.59.0",
        "service_kind": "triton",
        "endpoint": "",
    })
    .to_string()
}

/// A table of throughput and latency of two configurations.
pub fn model_analyzer_inference_csv() -> String {
    let mut out = String::from(
        "Model,Batch,Concurrency,Model Config Path,Instance Group,Max Batch Size,Satisfies Constraints,Throughput (infer/sec),p99 Latency (ms)\n",
    );
    for (config, instances) in [("m_config_1", 2u32), ("m_config_default", 1)] {
        for n in [16u32, 8, 4, 2, 1] {
            let service = Sweep {
                parallel: f64::from(instances),
                ..SERVICE
            };
            let (throughput, average) = at(service, f64::from(n));
            let _ = writeln!(
                out,
                "m,1,{n},{config},{instances}:GPU,8,Yes,{throughput:.1},{:.1}",
                average * 1.45e-3
            );
        }
    }
    out
}

/// The table of GPUs that belongs to [`model_analyzer_inference_csv`].
pub fn model_analyzer_gpu_csv() -> String {
    String::from(
        "Model,GPU UUID,Batch,Concurrency,Model Config Path,Instance Group,Satisfies Constraints,GPU Memory Usage (MB),GPU Utilization (%),GPU Power Usage (W)\n\
         m,GPU-aa,1,1,m_config_1,2:GPU,Yes,876.6,43.5,57.1\n\
         m,GPU-aa,1,1,m_config_default,1:GPU,Yes,872.4,41.0,56.9\n",
    )
}

/// A checkpoint with one configuration that waits for batches.
pub fn model_analyzer_checkpoint() -> String {
    let mut measurements = Map::new();
    for n in [1u32, 2, 4] {
        let (throughput, average) = at(SERVICE, f64::from(n));
        let record = |tag: &str, value: f64| json!([tag, {"_value": value, "_timestamp": 0}]);
        let data = json!([
            record("perf_latency_avg", average * 1e-3),
            record("perf_latency_p95", average * 1.24e-3),
            record("perf_latency_p99", average * 1.45e-3),
            record("perf_throughput", throughput),
            record("perf_client_send_recv", 0.046),
            record("perf_server_queue", 0.1),
            record("perf_server_compute_input", 0.09),
            record("perf_server_compute_infer", 4.5),
            record("perf_server_compute_output", 0.015),
        ]);
        measurements.insert(
            format!("m_config_0 -m m -b 1 --concurrency-range={n}"),
            json!({
                "_model_variants_name": "m_config_0",
                "_gpu_data": {"GPU-aa": [record("gpu_used_memory", 872.415232), record("gpu_utilization", 43.5)]},
                "_model_config_measurements": [{
                    "_model_config_name": "m_config_0",
                    "_model_specific_pa_params": {"batch-size": 1, "concurrency-range": n, "request-rate-range": null},
                    "_non_gpu_data": data,
                }],
            }),
        );
    }
    let config = json!({"_triton_env": {}, "_model_run_configs": [{
        "_model_name": "m",
        "_model_config_variant": {"variant_name": "m_config_0", "cpu_only": false, "model_config": {
            "name": "m", "maxBatchSize": 8,
            "instanceGroup": [{"count": 2, "kind": "KIND_GPU"}],
            "dynamicBatching": {"maxQueueDelayMicroseconds": "2000"},
        }},
    }]});
    json!({
        "ResultManager.results": {"_results": {"m": {"m_config_0": [config, measurements]}}},
        "ResultManager.server_only_data": {"GPU-aa": [["gpu_used_memory", {"_value": 800.0}]]},
    })
    .to_string()
}

/// One sample of every kind of sweep file, by name.
pub fn sweep_files() -> Vec<(&'static str, Vec<u8>)> {
    let loads = [1, 2, 4, 8];
    vec![
        ("sweep.csv", perf_analyzer_csv(SERVICE, &loads).into_bytes()),
        (
            "sweep.log",
            perf_analyzer_console(SERVICE, &loads).into_bytes(),
        ),
        (
            "profile.json",
            perf_analyzer_export(SERVICE, &[1, 2], 1).into_bytes(),
        ),
        (
            "stream.json",
            perf_analyzer_export(SERVICE, &[1, 2], 5).into_bytes(),
        ),
        (
            "metrics-model-inference.csv",
            model_analyzer_inference_csv().into_bytes(),
        ),
        (
            "metrics-model-gpu.csv",
            model_analyzer_gpu_csv().into_bytes(),
        ),
        ("0.ckpt", model_analyzer_checkpoint().into_bytes()),
    ]
}
