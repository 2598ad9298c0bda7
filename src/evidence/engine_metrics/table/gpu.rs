//! Exporters of GPU state. Utilisation is the share of time in which any kernel ran: context,
//! never a diagnosis.

use super::{Means, Name, Row};

const DCGM: &str = "dcgm-exporter, etc/default-counters.csv";
const PROF: &str = "dcgm-exporter, etc/dcp-metrics-included.csv; DCGM field identifiers";
const NVML: &str = "nvidia_gpu_exporter, METRICS.md";

const PERCENT: f64 = 1e-2;
const MIB: f64 = 1_048_576.0;
const MHZ: f64 = 1e6;

const fn g(name: &'static str, signal: Name, source: &'static str) -> Row {
    Row::new(name, Means::Device(signal), source)
}

const fn n(name: &'static str, signal: Name) -> Row {
    Row::new(name, Means::DeviceCount(signal), DCGM)
}

/// The rows.
pub const ROWS: &[Row] = &[
    g("DEV_GPU_UTIL", "gpu_device_utilization", DCGM).scaled(PERCENT),
    g("DEV_MEM_COPY_UTIL", "gpu_memory_utilization", DCGM).scaled(PERCENT),
    g("DEV_POWER_USAGE", "gpu_power", DCGM),
    g("DEV_POWER_MGMT_LIMIT", "gpu_power_limit", DCGM),
    g("DEV_FB_USED", "gpu_memory_used", DCGM).scaled(MIB),
    g("DEV_FB_TOTAL", "gpu_memory_total", DCGM).scaled(MIB),
    g("DEV_SM_CLOCK", "gpu_sm_clock", DCGM).scaled(MHZ),
    g("DEV_MEM_CLOCK", "gpu_memory_clock", DCGM).scaled(MHZ),
    g("DEV_GPU_TEMP", "gpu_temperature", DCGM),
    g("DEV_MEMORY_TEMP", "gpu_memory_temperature", DCGM),
    g("DEV_CLOCKS_EVENT_REASONS", "gpu_throttled_share", DCGM).throttle(),
    g("DEV_CLOCK_THROTTLE_REASONS", "gpu_throttled_share", DCGM).throttle(),
    n("DEV_ECC_SBE_VOL_TOTAL", "gpu_ecc_corrected_errors"),
    n("DEV_ECC_DBE_VOL_TOTAL", "gpu_ecc_uncorrected_errors"),
    Row::new("DEV_XID_ERRORS", Means::DeviceError, DCGM),
    g("PROF_GR_ENGINE_ACTIVE", "graphics_engine_active", PROF),
    g("PROF_SM_ACTIVE", "sm_active", PROF),
    g("PROF_SM_OCCUPANCY", "sm_occupancy", PROF),
    g("PROF_PIPE_TENSOR_ACTIVE", "tensor_active", PROF),
    g("PROF_DRAM_ACTIVE", "dram_active", PROF),
    g("PROF_PCIE_TX_BYTES", "pcie_tx_throughput", PROF),
    g("PROF_PCIE_RX_BYTES", "pcie_rx_throughput", PROF),
    g("PROF_NVLINK_TX_BYTES", "nvlink_tx_throughput", PROF),
    g("PROF_NVLINK_RX_BYTES", "nvlink_rx_throughput", PROF),
    g("utilization_gpu_ratio", "gpu_device_utilization", NVML),
    g("utilization_memory_ratio", "gpu_memory_utilization", NVML),
    g("power_draw_watts", "gpu_power", NVML),
    g("enforced_power_limit_watts", "gpu_power_limit", NVML),
    g("memory_used_bytes", "gpu_memory_used", NVML),
    g("memory_total_bytes", "gpu_memory_total", NVML),
    g("clocks_current_sm_clock_hz", "gpu_sm_clock", NVML),
    g("clocks_current_memory_clock_hz", "gpu_memory_clock", NVML),
    g("duty_cycle", "gpu_device_utilization", NVML).scaled(PERCENT),
    g("power_usage_milliwatts", "gpu_power", NVML).scaled(1e-3),
    g("temperature_celsius", "gpu_temperature", NVML),
    g("temperature_gpu", "gpu_temperature", NVML),
    g("temperature_memory", "gpu_memory_temperature", NVML),
];
