//! Sweeps over load, whatever tool measured them: load points, what their shape says, the checks
//! that tell a sound sweep from an edited one, and how all of it becomes a reading.
//!
//! A reader of CSV, console output or tables fills a [`Sweep`]; everything after that is here, so
//! that the same numbers get the same judgement from every source. The formulas and limits are those
//! of the guide to perf_analyzer, sections 8 and 9.

pub mod analysis;
mod checks;
pub mod compare;
mod figures;
pub mod number;
mod parts;
mod points;
mod report;
mod shares;
#[cfg(test)]
mod tests;
pub mod usl;
mod validity;

pub use checks::{Findings, State, check, percent_of};
pub use parts::{Field, GPU_FIELDS, GpuField, Mode, PARTS, Part, PartDef};
pub use points::{AverageFrom, Defect, LoadPoint, Sweep};
pub use report::add;
pub use shares::{Shares, frontier, shares};

/// Every signal that [`add`] can push: for the lists of the readers that call it.
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
    "server_request_time",
    "queue_time",
    "operating_point_throughput",
    "server_cache_hit_time",
    "server_cache_miss_time",
    "saturation_load",
    "execution_batch_size",
    "delayed_request_ratio",
    "client_overhead_ratio",
];
