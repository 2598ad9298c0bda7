//! Many scrapes of vLLM's `/metrics` in one file: processor time of `pel inspect` against Python's
//! `prometheus_client` reading the same text into families.

use crate::measure::{line, median, pel, spent};
use crate::report::{Line, Unit};
use anyhow::{Context as _, ensure};
use pel_evidence::samples::{Load, vllm_scrapes};
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/bounds/metrics.py");
/// Seconds between two scrapes.
const INTERVAL_S: u64 = 5;

pub fn run(quick: bool) -> anyhow::Result<Vec<Line>> {
    let measure = "Prometheus text, processor time";
    let Some(python) = std::env::var_os("PEL_BENCH_PYTHON") else {
        let why = "no Python with prometheus_client (scripts/bench makes one where pip is)";
        return Ok(vec![Line::skipped(measure, why)]);
    };
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("metrics.prom");
    let scrapes = if quick { 100 } else { 1500 };
    let samples = write_series(&file, scrapes)?;
    agree(&file, &python, scrapes, samples)?;
    let ours = line([
        pel(),
        OsStr::new("inspect"),
        OsStr::new("--json"),
        file.as_os_str(),
    ]);
    let theirs = line([&python, OsStr::new(SCRIPT), file.as_os_str()]);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for round in 0..if quick { 1 } else { 3 } {
        let (x, y) = (spent(&ours, None)?, spent(&theirs, None)?);
        eprintln!("round {round}: pel {:.3} s, python {:.2} s", x.cpu, y.cpu);
        a.push(x.cpu);
        b.push(y.cpu);
    }
    Ok(vec![Line::less_by(
        measure,
        median(&a),
        median(&b),
        15.0,
        Unit::Seconds,
    )])
}

/// Writes a series in which all counters grow evenly to those of the sample's second scrape; gives
/// the number of samples in it.
pub fn write_series(path: &Path, scrapes: u64) -> anyhow::Result<u64> {
    let load = Load::default();
    let body = vllm_scrapes(&load).after;
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut samples = 0;
    for n in 1..=scrapes {
        let at = load.first_scrape_s + n * INTERVAL_S;
        for text in body.lines() {
            if text.starts_with("# scraped at") {
                writeln!(out, "# scraped at {at}")?;
            } else if text.starts_with('#') {
                writeln!(out, "{text}")?;
            } else {
                samples += 1;
                write_sample(&mut out, text, n, scrapes, at)?;
            }
        }
    }
    out.flush()?;
    Ok(samples)
}

fn write_sample(
    out: &mut dyn std::io::Write,
    text: &str,
    n: u64,
    of: u64,
    at: u64,
) -> anyhow::Result<()> {
    let (series, rest) = text.split_once("} ").unwrap_or((text, ""));
    // Gauges carry their time; what has no labels stays as it is.
    if rest.is_empty() {
        writeln!(out, "{text}")?;
    } else if let Some((value, _)) = rest.split_once(' ') {
        writeln!(out, "{series}}} {value} {}", at * 1000)?;
    } else {
        let whole: f64 = rest
            .parse()
            .with_context(|| format!("no number in {text}"))?;
        let share = (whole * n as f64 / of as f64).floor();
        // An info metric says 1 always.
        let value = if series.contains("_info{") {
            whole
        } else {
            share
        };
        writeln!(out, "{series}}} {value:?}")?;
    }
    Ok(())
}

/// Both sides must have seen every scrape, or the comparison says nothing.
fn agree(file: &Path, python: &OsStr, scrapes: u64, samples: u64) -> anyhow::Result<()> {
    let summary = pel_evidence::prometheus::scan(&pel_evidence::Source::at(file))
        .map_err(|r| anyhow::anyhow!("pel refuses the sample scrapes: {}", r.code))?;
    let found = (summary.tally.scrapes, summary.tally.samples);
    ensure!(
        found == (scrapes, samples),
        "pel saw {found:?} of {scrapes}, {samples}"
    );
    let theirs = Command::new(python).arg(SCRIPT).arg(file).output()?;
    let said = String::from_utf8_lossy(&theirs.stdout);
    let errors = String::from_utf8_lossy(&theirs.stderr);
    ensure!(theirs.status.success(), "python: {errors}");
    ensure!(
        said.trim() == samples.to_string(),
        "python saw {said} of {samples} samples"
    );
    Ok(())
}
