//! The comparison of two runs of a million requests each, with all replicates on both, against
//! numpy and scipy doing the same on the same numbers in the same run.

use crate::measure::median;
use crate::report::{Line, Unit};
use anyhow::{Context as _, ensure};
use pel::ladder::numbers::Policy;
use pel::ladder::weigh::{Asked, Calculated, Method, calculate};
use pel_evidence::statistics::{SplitMix64, normal_quantile};
use pel_evidence::{Data, Statistic};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/bounds/comparison.py");
/// Seconds the promise allows.
const MOST_S: f64 = 2.0;
/// Replicates that the reference draws; its time is scaled to ours.
const THEIRS: usize = 40;

pub fn run(quick: bool) -> anyhow::Result<Vec<Line>> {
    let n = if quick { 50_000 } else { 1_000_000 };
    let (b, c) = (run_of(n, 0.30, 1), run_of(n, 0.33, 2));
    let policy = Policy::default();
    let asked = Asked {
        signal: "ttft".to_owned(),
        statistic: Statistic::P99,
        form: "values".to_owned(),
        baseline: vec!["baseline".to_owned()],
        candidate: vec!["candidate".to_owned()],
        alpha: policy.alpha,
        replicates: policy.replicates,
    };
    let mut took = Vec::new();
    let mut result = None;
    for round in 0..if quick { 1 } else { 3 } {
        let begun = Instant::now();
        result = Some(calculate(
            &asked,
            std::slice::from_ref(&b),
            std::slice::from_ref(&c),
        ));
        took.push(begun.elapsed().as_secs_f64());
        eprintln!("round {round}: pel {:.2} s", took[round]);
    }
    let result = result.context("no round was run")?;
    ensure!(
        result.method == Method::BlockBootstrap && result.replicates == policy.replicates,
        "another method was measured: {result:?}"
    );
    let name = "comparison of 2 × 1 M requests";
    let mut lines = vec![Line::limit(name, median(&took), MOST_S, Unit::Seconds)];
    let beside = "the same, beside numpy and scipy";
    lines.push(match std::env::var_os("PEL_BENCH_SCIPY") {
        None => Line::skipped(
            beside,
            "no Python with scipy (scripts/bench makes one where pip is)",
        ),
        Some(python) => {
            let theirs = reference(&python, &b, &c, &result, policy.replicates)?;
            Line::less_by(beside, median(&took), theirs, 1.0, Unit::Seconds)
        }
    });
    Ok(lines)
}

/// Requests over ten minutes, log-normal.
fn run_of(n: usize, median: f64, seed: u64) -> Data {
    let mut random = SplitMix64::new(seed);
    let value = |random: &mut SplitMix64| {
        let u = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        median * (0.5 * normal_quick(u.max(1e-12))).exp()
    };
    Data::Values {
        values: (0..n).map(|_| value(&mut random)).collect(),
        times: (0..n).map(|i| 600.0 * i as f64 / n as f64).collect(),
    }
}

/// A normal value of a share, from a table: exactness is not what is measured here.
fn normal_quick(u: f64) -> f64 {
    const STEPS: usize = 4096;
    static TABLE: std::sync::LazyLock<Vec<f64>> = std::sync::LazyLock::new(|| {
        let at = |i: usize| normal_quantile((i as f64 + 0.5) / (STEPS as f64 + 1.0));
        (0..=STEPS).map(at).collect()
    });
    let place = u * (STEPS - 1) as f64;
    let (i, rest) = (place as usize, place.fract());
    TABLE[i] + rest * (TABLE[i + 1] - TABLE[i])
}

/// Seconds numpy and scipy take for it, and whether both agree.
fn reference(
    python: &std::ffi::OsStr,
    b: &Data,
    c: &Data,
    ours: &Calculated,
    replicates: usize,
) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let paths = [folder.path().join("b"), folder.path().join("c")];
    for (path, data) in paths.iter().zip([b, c]) {
        write(path, data)?;
    }
    let answer = Command::new(python)
        .arg(SCRIPT)
        .args(&paths)
        .arg(THEIRS.to_string())
        .output()?;
    let errors = String::from_utf8_lossy(&answer.stderr);
    ensure!(answer.status.success(), "python: {errors}");
    let said: serde_json::Value = serde_json::from_slice(&answer.stdout)?;
    let number = |v: &serde_json::Value| v.as_f64().context("python gave no number");
    for (i, side) in [&ours.baseline, &ours.candidate].into_iter().enumerate() {
        let (mine, theirs) = (side[0].point.context("no p99")?, number(&said["p99"][i])?);
        ensure!((mine - theirs).abs() <= 1e-9, "p99 {mine} against {theirs}");
    }
    let delta = ours.middle.context("no rank test")?.delta;
    let pairs = ours.n[0] as f64 * ours.n[1] as f64;
    let theirs = 2.0 * number(&said["u1"])? / pairs - 1.0;
    ensure!(
        (delta - theirs).abs() <= 1e-9,
        "Cliff's δ {delta} against {theirs}"
    );
    let scaled = replicates as f64 / THEIRS as f64;
    let seconds = number(&said["fixed_s"])? + scaled * number(&said["replicates_s"])?;
    eprintln!("numpy and scipy {seconds:.2} s, of which the replicates were scaled by {scaled}");
    Ok(seconds)
}

fn write(path: &Path, data: &Data) -> anyhow::Result<()> {
    let Data::Values { values, times } = data else {
        anyhow::bail!("the runs are made of values");
    };
    let bytes: Vec<u8> = values
        .iter()
        .chain(times)
        .flat_map(|v| v.to_le_bytes())
        .collect();
    Ok(std::fs::write(path, bytes)?)
}
