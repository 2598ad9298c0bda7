//! The signals that this reader yields, by their names in the catalogue.

/// Every signal that this reader can yield.
pub const YIELDS: &[&str] = &[
    "e2e_latency",
    "request_throughput",
    "inference_throughput",
    "response_throughput",
    "client_send_time",
    "client_receive_time",
    "network_time",
    "gpu_device_utilization",
    "gpu_power",
    "gpu_memory_used",
    "gpu_memory_total",
    "server_compute_input_time",
    "server_compute_infer_time",
    "server_compute_output_time",
    "server_compute_time",
    "queue_time",
    "operating_point_throughput",
    "server_cache_hit_time",
    "server_cache_miss_time",
    "saturation_load",
];
