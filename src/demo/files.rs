//! The files of one whole story, written to a folder: for trying the product by hand, and for
//! tests that walk from an upload to an accepted change in a browser.

use super::traffic::{self, BATCHED_TOKENS, CONCURRENCIES, INTERVAL_S, Side};
use anyhow::Context as _;
use chrono::{DateTime, TimeDelta, Timelike as _, Utc};
use pel_evidence::samples::{perf_analyzer_csv, vllm_scrapes, write_nsight};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// When a run began and ended, on whole minutes; what is typed into the run form.
pub type Window = (DateTime<Utc>, DateTime<Utc>);

/// Two scrapes of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The scrape before.
    pub before: PathBuf,
    /// The scrape after.
    pub after: PathBuf,
    /// The run's window.
    pub window: Window,
}

/// One file of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Single {
    /// The file.
    pub path: PathBuf,
    /// The run's window.
    pub window: Window,
}

/// Everything one case needs from its opening to the canary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// Warm, unprofiled baseline runs; both break `ttft` p99 ≤ 800 ms and `acceptance_rate` ≥ 97 %.
    pub baseline: [Pair; 2],
    /// Nsight Systems export of a profiled warm baseline run.
    pub nsight: Single,
    /// perf_analyzer sweep of the baseline; belongs to the first baseline run.
    pub sweep_before: PathBuf,
    /// perf_analyzer sweep of the candidate; belongs to the candidate run.
    pub sweep_after: PathBuf,
    /// Warm, unprofiled candidate run; it keeps every limit.
    pub candidate: Pair,
    /// Canary, candidate arm. Its window holds the instant the files were written at.
    pub canary: Pair,
    /// Canary, baseline arm beside it, in the same window.
    pub canary_baseline: Pair,
    /// Environment of baseline runs, by fingerprint key.
    pub environment_before: BTreeMap<String, String>,
    /// Environment of candidate runs: the same but for the setting.
    pub environment_after: BTreeMap<String, String>,
}

/// Writes all files of a story to `dir`. Runs lie in the hours before `now`; the canary began
/// seven minutes before it and ends three minutes after, so that a canary started and ended in
/// the minutes that follow overlaps its run and no clock is ahead by more than is believed. A test
/// that comes to its canary later writes those files anew with [`canary_files`].
///
/// # Errors
/// When the folder cannot be written.
pub fn files(dir: &Path, now: DateTime<Utc>) -> anyhow::Result<Files> {
    let at = |minutes: i64| minute(now - TimeDelta::minutes(minutes));
    let (canary, canary_baseline) = canary_files(dir, now)?;
    let nsight = Single {
        path: dir.join("decode-baseline.sqlite"),
        window: (at(95), at(90)),
    };
    let taken = nsight.window.0 + TimeDelta::minutes(1);
    write_nsight(&nsight.path, traffic::trace(7, taken))
        .with_context(|| format!("cannot write {}", nsight.path.display()))?;
    Ok(Files {
        baseline: [
            pair(dir, "baseline-1", Side::Before, 11, at(150))?,
            pair(dir, "baseline-2", Side::Before, 12, at(120))?,
        ],
        nsight,
        sweep_before: sweep(dir, "sweep-2048.csv", Side::Before)?,
        sweep_after: sweep(dir, "sweep-4096.csv", Side::After)?,
        candidate: pair(dir, "candidate", Side::After, 13, at(60))?,
        canary,
        canary_baseline,
        environment_before: traffic::environment(&BATCHED_TOKENS, Side::Before),
        environment_after: traffic::environment(&BATCHED_TOKENS, Side::After),
    })
}

/// Writes both arms of a canary that runs around `now`: candidate, then baseline.
///
/// # Errors
/// When the folder cannot be written.
pub fn canary_files(dir: &Path, now: DateTime<Utc>) -> anyhow::Result<(Pair, Pair)> {
    let began = minute(now - TimeDelta::minutes(7));
    Ok((
        pair(dir, "canary", Side::After, 14, began)?,
        pair(dir, "canary-baseline", Side::Before, 15, began)?,
    ))
}

fn minute(at: DateTime<Utc>) -> DateTime<Utc> {
    let over = TimeDelta::seconds(i64::from(at.second()))
        + TimeDelta::nanoseconds(i64::from(at.nanosecond()));
    at - over
}

fn pair(
    dir: &Path,
    name: &str,
    side: Side,
    seed: u64,
    began: DateTime<Utc>,
) -> anyhow::Result<Pair> {
    let scrapes = vllm_scrapes(&traffic::load(side, seed, began));
    Ok(Pair {
        before: write(dir, &format!("{name}-before.prom"), &scrapes.before)?,
        after: write(dir, &format!("{name}-after.prom"), &scrapes.after)?,
        window: (began, ended(began)),
    })
}

/// End of a pair that began then.
pub(super) fn ended(began: DateTime<Utc>) -> DateTime<Utc> {
    began + TimeDelta::seconds(i64::try_from(INTERVAL_S).unwrap_or_default())
}

fn sweep(dir: &Path, name: &str, side: Side) -> anyhow::Result<PathBuf> {
    let text = perf_analyzer_csv(traffic::sweep(side, 11), &CONCURRENCIES);
    write(dir, name, &text)
}

fn write(dir: &Path, name: &str, text: &str) -> anyhow::Result<PathBuf> {
    let path = dir.join(name);
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
