//! What the main job is played on: six pieces of evidence and the two arms of a canary, either
//! from our own generators or from the shared corpus.

use chrono::{DateTime, TimeDelta, TimeZone as _, Utc};
use pel::demo;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One run and the files taken in it.
pub struct Taken {
    pub files: Vec<PathBuf>,
    pub window: Option<(DateTime<Utc>, DateTime<Utc>)>,
    pub profiled: bool,
}

/// A limit as it is typed into the contract.
pub struct Limit {
    pub signal: &'static str,
    pub statistic: &'static str,
    pub value: &'static str,
    pub unit: &'static str,
}

/// Everything the job needs.
pub struct Material {
    pub baseline: [Taken; 2],
    pub nsight: Taken,
    pub sweep_before: PathBuf,
    pub sweep_after: PathBuf,
    pub candidate: Taken,
    pub environment_before: BTreeMap<String, String>,
    pub environment_after: BTreeMap<String, String>,
    /// The limit that the baseline breaks and the candidate keeps, then the acceptance floor.
    pub limits: [Limit; 2],
    /// How the limit is called on pages.
    pub limit_words: &'static str,
    pub min_samples: &'static str,
    /// Both arms of the canary, made when it is due.
    pub canary: Box<dyn Fn() -> (Taken, Taken)>,
}

#[allow(
    clippy::disallowed_methods,
    reason = "the program under test reads the same clock"
)]
pub fn now() -> DateTime<Utc> {
    Utc::now()
}

fn taken(pair: demo::Pair) -> Taken {
    Taken {
        files: vec![pair.before, pair.after],
        window: Some(pair.window),
        profiled: false,
    }
}

/// From our own generators.
pub fn own(folder: &Path) -> Material {
    let files = demo::files(folder, now()).unwrap();
    let folder = folder.to_owned();
    Material {
        baseline: files.baseline.map(taken),
        nsight: Taken {
            files: vec![files.nsight.path],
            window: Some(files.nsight.window),
            profiled: true,
        },
        sweep_before: files.sweep_before,
        sweep_after: files.sweep_after,
        candidate: taken(files.candidate),
        environment_before: files.environment_before,
        environment_after: files.environment_after,
        limits: [
            Limit {
                signal: "ttft",
                statistic: "p99",
                value: "800",
                unit: "ms",
            },
            Limit {
                signal: "acceptance_rate",
                statistic: "ratio",
                value: "97",
                unit: "%",
            },
        ],
        limit_words: "TTFT",
        min_samples: "1000",
        canary: Box::new(move || {
            let (candidate, baseline) = demo::canary_files(&folder, now()).unwrap();
            (taken(candidate), taken(baseline))
        }),
    }
}

/// The shared corpus, where it is at hand.
pub fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("PEL_CORPUS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    // The browser takes files by their whole path only.
    let folder = named.unwrap_or(beside).canonicalize().ok()?;
    Some(folder).filter(|p| p.join("serving").is_dir())
}

/// From files that other programs wrote.
///
/// All pairs served prompts and answers of about the same length: others are different work, and
/// a comparison says so. The least of them finished 103 requests: on so few, an acceptance of all
/// shows no more than 96.4 % with 95 % confidence, so that is what the contract can ask for here.
pub fn from_corpus(corpus: &Path) -> Material {
    let scrapes = corpus.join("serving/engine_metrics");
    let pair = |name: &str, a: &str, b: &str, minutes_ago: i64, seconds: i64| {
        let start = now() - TimeDelta::minutes(minutes_ago);
        Taken {
            files: vec![
                scrapes.join(format!("{name}.{a}.prom")),
                scrapes.join(format!("{name}.{b}.prom")),
            ],
            window: Some((start, start + TimeDelta::seconds(seconds))),
            profiled: false,
        }
    };
    let traced = Utc.with_ymd_and_hms(2025, 8, 4, 16, 29, 0).unwrap();
    let environment = |value: &str| {
        [
            ("gpu_model", "Tesla T4"),
            ("gpu_count", "1"),
            ("node_count", "1"),
            ("driver_version", "550.54.15"),
            ("cuda_version", "12.4"),
            ("engine", "vLLM"),
            ("model", "meta-llama/Llama-3.1-8B-Instruct"),
            ("setting.max_num_batched_tokens", value),
        ]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into()
    };
    let canary_scrapes = scrapes.clone();
    Material {
        baseline: [
            pair("vllm-0.8.5-V1_queueing", "t0060", "t0120", 120, 60),
            pair("vllm-0.33_queueing_admission", "t0060", "t0120", 100, 60),
        ],
        nsight: Taken {
            files: vec![corpus.join("nsight/nsys_2025.3.1_t4_power_iteration.sqlite")],
            window: Some((traced, traced + TimeDelta::minutes(2))),
            profiled: true,
        },
        sweep_before: corpus.join("perf_analyzer/csv_inception_doc.csv"),
        sweep_after: corpus.join("perf_analyzer/syn_knob_delay0.csv"),
        candidate: pair("vllm-0.33_baseline_warm", "t0060", "t0120", 60, 60),
        environment_before: environment("2048"),
        environment_after: environment("4096"),
        limits: [
            Limit {
                signal: "e2e_latency",
                statistic: "mean",
                value: "5",
                unit: "s",
            },
            Limit {
                signal: "acceptance_rate",
                statistic: "ratio",
                value: "95",
                unit: "%",
            },
        ],
        limit_words: "End-to-end latency",
        min_samples: "50",
        canary: Box::new(move || {
            let arm = |name: &str, a: &str, b: &str| Taken {
                files: vec![
                    canary_scrapes.join(format!("{name}.{a}.prom")),
                    canary_scrapes.join(format!("{name}.{b}.prom")),
                ],
                window: Some((now() - TimeDelta::minutes(2), now() + TimeDelta::minutes(2))),
                profiled: false,
            };
            (
                arm("vllm-0.33_cold_start", "t0060", "t0090"),
                arm("vllm-0.10.2_decode_slow", "t0060", "t0120"),
            )
        }),
    }
}
