//! The traffic the examples measured: what each sample file is made of.
//!
//! The numbers are invented and fit together: before the change requests wait to be admitted, so
//! that the first token comes late and clients give up; after it they hardly wait.

use chrono::{DateTime, Utc};
use pel_evidence::samples::{DecodeTrace, Load, Sweep};
use std::collections::BTreeMap;

/// The task class the examples measure.
pub const CLASS: &str = "long-context chat";
/// The concurrency band they run in.
pub const BAND: &str = "17–32";
/// Model in the labels of every scrape.
pub const MODEL: &str = "meta-llama/Llama-3.1-8B-Instruct";
/// Concurrencies of the sweeps.
pub const CONCURRENCIES: [u32; 9] = [1, 2, 4, 8, 12, 16, 20, 24, 32];
/// Time between the two scrapes of a pair, seconds.
pub const INTERVAL_S: u64 = 600;

/// Which side of the change a file shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// As the service stood.
    Before,
    /// With the new value.
    After,
}

/// The setting an example turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Its name.
    pub setting: &'static str,
    /// Its value before.
    pub old: &'static str,
    /// Its value after.
    pub new: &'static str,
    /// Unit of both values.
    pub unit: &'static str,
}

/// The setting the files turn.
pub const BATCHED_TOKENS: Turn = Turn {
    setting: "max_num_batched_tokens",
    old: "2048",
    new: "4096",
    unit: "tokens",
};

/// The environment every example ran in, with the setting's value on this side.
pub fn environment(turn: &Turn, side: Side) -> BTreeMap<String, String> {
    let value = match side {
        Side::Before => turn.old,
        Side::After => turn.new,
    };
    let setting = format!("setting.{}", turn.setting);
    [
        ("gpu_model", "NVIDIA H100 80GB HBM3"),
        ("gpu_count", "1"),
        ("node_count", "1"),
        ("driver_version", "570.86.15"),
        ("cuda_version", "12.8"),
        ("engine", "vLLM"),
        ("engine_version", "0.10.1"),
        ("model", MODEL),
        ("quantisation", "bf16"),
        (setting.as_str(), value),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .collect()
}

/// Ten minutes of long-context chat from `at` on; `seed` makes pairs differ.
pub fn load(side: Side, seed: u64, at: DateTime<Utc>) -> Load {
    let common = Load {
        seed,
        model: MODEL,
        before: 2_200,
        during: 2_400 + u32::try_from(seed * 37 % 90).unwrap_or_default(),
        prompt_tokens: 6_200.0,
        output_tokens: 60.0,
        first_scrape_s: u64::try_from(at.timestamp()).unwrap_or_default(),
        interval_s: INTERVAL_S,
        uptime_s: 172_800,
        ..Load::default()
    };
    match side {
        Side::Before => Load {
            queue_s: 0.225,
            prefill_s: 0.36,
            itl_s: 0.026,
            aborted: 0.046,
            running: 24,
            waiting: 9,
            kv_usage: 0.81,
            ..common
        },
        Side::After => Load {
            queue_s: 0.045,
            prefill_s: 0.31,
            itl_s: 0.027,
            aborted: 0.006,
            running: 26,
            waiting: 0,
            kv_usage: 0.74,
            ..common
        },
    }
}

/// A few seconds of decoding under the profiler: the device waits for the host between steps,
/// and for nothing else.
pub fn trace(seed: u64, at: DateTime<Utc>) -> DecodeTrace {
    DecodeTrace {
        seed,
        steps: 320,
        kernels: 56,
        host_gap_ns: 270_000.0,
        pageable: false,
        started_s: Some(at.timestamp()),
    }
}

/// The service as a closed-loop sweep sees it; `seed` makes services differ a
/// little, so that no two cases hand in the same file.
pub fn sweep(side: Side, seed: u64) -> Sweep {
    let own = (seed % 1000) as f64 * 90.0;
    match side {
        Side::Before => Sweep {
            service_us: 1_640_000.0 + own,
            parallel: 12.0,
        },
        Side::After => Sweep {
            service_us: 1_560_000.0 + own,
            parallel: 16.0,
        },
    }
}
