//! Sample Nsight Systems exports: a decode loop of one engine on one GPU, in the layout of 2025.

use super::Dice;
use rusqlite::{Connection, params};
use std::path::Path;

/// The decode loop a sample export traces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecodeTrace {
    /// Seed: equal seeds give equal rows.
    pub seed: u64,
    /// Decode steps.
    pub steps: u32,
    /// Kernels in a step.
    pub kernels: u32,
    /// Median time the host takes between two steps, nanoseconds.
    pub host_gap_ns: f64,
    /// Whether every step ends in a copy from pageable memory.
    pub pageable: bool,
    /// Unix time at which the capture began, seconds; `None` leaves it out, as old releases do.
    pub started_s: Option<i64>,
}

const SCHEMA: &str = "
create table META_DATA_EXPORT (name text, value text);
create table StringIds (id integer, value text);
create table TARGET_INFO_GPU (id integer, name text, totalMemory integer, memoryBandwidth integer, smCount integer);
create table TARGET_INFO_SYSTEM_ENV (globalVid integer, devStateName text, name text, nameEnum integer, value text);
create table TARGET_INFO_SESSION_START_TIME (utcEpochNs integer, utcTime text, localTime text);
create table ANALYSIS_DETAILS (duration integer, startTime integer, stopTime integer);
create table CUPTI_ACTIVITY_KIND_KERNEL (start integer, end integer, deviceId integer, contextId integer,
  streamId integer, correlationId integer, globalPid integer, demangledName integer, shortName integer,
  registersPerThread integer, gridX integer, gridY integer, gridZ integer, blockX integer, blockY integer,
  blockZ integer, staticSharedMemory integer, dynamicSharedMemory integer, graphNodeId integer);
create table CUPTI_ACTIVITY_KIND_MEMCPY (start integer, end integer, deviceId integer, contextId integer,
  streamId integer, correlationId integer, globalPid integer, bytes integer, copyKind integer,
  srcKind integer, dstKind integer, graphNodeId integer);
create table CUPTI_ACTIVITY_KIND_RUNTIME (start integer, end integer, eventClass integer, globalTid integer,
  correlationId integer, nameId integer, returnValue integer);
create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start integer, end integer, deviceId integer,
  contextId integer, streamId integer, correlationId integer, globalPid integer, syncType integer, eventId integer);
";

const NAMES: [&str; 8] = [
    "cudaLaunchKernel_v7000",
    "cudaMemcpyAsync_v3020",
    "cudaStreamSynchronize_v3020",
    "gemm_bf16_128x64",
    "flash_fwd_splitkv_kernel",
    "rms_norm_kernel",
    "rotary_embedding_kernel",
    "silu_and_mul_kernel",
];

/// Writes an export to `path`, which must not exist yet.
///
/// # Errors
/// When SQLite cannot write there.
pub fn write_nsight(path: &Path, trace: DecodeTrace) -> rusqlite::Result<()> {
    let mut connection = Connection::open(path)?;
    connection.execute_batch(SCHEMA)?;
    let tx = connection.transaction()?;
    for (name, value) in [
        ("EXPORT_SCHEMA_VERSION", "3.20.2"),
        ("EXPORT_PRODUCT_VERSION", "2025.3.1.90"),
    ] {
        tx.execute(
            "insert into META_DATA_EXPORT values (?1, ?2)",
            params![name, value],
        )?;
    }
    for (name, value) in [
        ("NvDriverVersion", "570.86.15"),
        ("CudaDriverVersion", "12080"),
    ] {
        tx.execute(
            "insert into TARGET_INFO_SYSTEM_ENV values (0, 'SystemInfo', ?1, 0, ?2)",
            params![name, value],
        )?;
    }
    if let Some(started) = trace.started_s {
        tx.execute(
            "insert into TARGET_INFO_SESSION_START_TIME values (?1, '', '')",
            params![started * 1_000_000_000],
        )?;
    }
    for (id, name) in NAMES.iter().enumerate() {
        tx.execute(
            "insert into StringIds values (?1, ?2)",
            params![id as i64, name],
        )?;
    }
    tx.execute(
        "insert into TARGET_INFO_GPU values (0, 'NVIDIA H100 80GB HBM3', 85028765696, 3352320000000, 132)",
        [],
    )?;
    let end = write_steps(&tx, trace)?;
    tx.execute(
        "insert into ANALYSIS_DETAILS values (?1, 0, ?1)",
        params![end + 4_000_000],
    )?;
    tx.commit()
}

fn write_steps(tx: &rusqlite::Transaction<'_>, trace: DecodeTrace) -> rusqlite::Result<i64> {
    const TID: i64 = 0x0000_1234_0000_1234;
    const PID: i64 = TID & !0xFF_FFFF;
    let mut dice = Dice::new(trace.seed);
    let mut api =
        tx.prepare("insert into CUPTI_ACTIVITY_KIND_RUNTIME values (?1, ?2, 0, ?3, ?4, ?5, 0)")?;
    let mut kernel = tx.prepare(
        "insert into CUPTI_ACTIVITY_KIND_KERNEL values (?1, ?2, 0, 1, 7, ?3, ?4, ?5, ?5, 64, 132, 1, 1, 128, 1, 1, 0, 0, null)",
    )?;
    let mut copy = tx.prepare(
        "insert into CUPTI_ACTIVITY_KIND_MEMCPY values (?1, ?2, 0, 1, 7, ?3, ?4, ?5, 2, 2, ?6, null)",
    )?;
    let mut sync = tx.prepare(
        "insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values (?1, ?2, 0, 1, 7, ?3, ?4, 3, 4294967295)",
    )?;
    let (mut host, mut device, mut id) = (2_000_000_000i64, 2_000_000_000i64, 1i64);
    for _ in 0..trace.steps {
        for k in 0..trace.kernels {
            let call = dice.log_normal(4_500.0, 0.15) as i64;
            api.execute(params![host, host + call, TID, id, 0])?;
            host += call;
            let start = device.max(host + 700);
            device = start + dice.log_normal(38_000.0, 0.3) as i64;
            kernel.execute(params![start, device, id, PID, 3 + i64::from(k % 5)])?;
            id += 1;
        }
        let (from, bytes) = (host, if trace.pageable { 4_194_304 } else { 2_048 });
        api.execute(params![from, from + 3_000, TID, id, 1])?;
        let start = device.max(from + 3_700) + 300;
        device = start + 900 + bytes / if trace.pageable { 6 } else { 20 };
        copy.execute(params![
            start,
            device,
            id,
            PID,
            bytes,
            i64::from(!trace.pageable)
        ])?;
        id += 1;
        sync.execute(params![from + 3_500, device + 400, id, PID])?;
        api.execute(params![from + 3_500, device + 900, TID, id, 2])?;
        id += 1;
        host = device + 900 + dice.log_normal(trace.host_gap_ns, 0.3) as i64;
    }
    Ok(device)
}
