//! Large text files: processor time of `pel inspect` on a server's log and on scrapes against one
//! pass of gawk over the same file, and whether a megabyte of a large log costs more than one of a
//! small log.
//!
//! `PEL_BENCH_LARGE_MB` sets the size of the large log (1024 by default).

use crate::measure::{line, median, pel, spent};
use crate::report::{Line, Unit};
use anyhow::Context as _;
use pel_evidence::samples::{beats, vllm_line};
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// One megabyte, bytes.
const MB: u64 = 1_000_000;

/// Sums the periodic lines, as somebody would who asks gawk for what the reader tells.
const LOG_PASS: &str = r#"/Avg prompt throughput/ {
    match($0, /Running: [0-9]+/); running = substr($0, RSTART + 9, RLENGTH - 9) + 0
    match($0, /Waiting: [0-9]+/); waiting = substr($0, RSTART + 9, RLENGTH - 9) + 0
    match($0, /generation throughput: [0-9.]+/); rate += substr($0, RSTART + 23, RLENGTH - 23)
    match($0, /KV cache usage: [0-9.]+/); kv = substr($0, RSTART + 16, RLENGTH - 16) + 0
    sum += running; n++
    if (running > most) most = running
    if (waiting > longest) longest = waiting
    if (kv > fullest) fullest = kv
}
END { print n, sum, most, longest, rate, fullest }"#;

/// Keeps the newest value of every series.
const SCRAPE_PASS: &str = r#"!/^#/ { at = index($0, "} "); key = substr($0, 1, at); split(substr($0, at + 1), part, " "); newest[key] = part[1] + 0; n++ }
END { for (key in newest) sum += newest[key]; print n, sum }"#;

pub fn run(quick: bool) -> anyhow::Result<Vec<Line>> {
    let folder = tempfile::tempdir()?;
    let small = folder.path().join("small.log");
    let large = folder.path().join("large.log");
    let small_mb = if quick { 2 } else { 64 };
    let large_mb = if quick { 8 } else { large_mb()? };
    write_log(&small, small_mb * MB)?;
    let mut lines = vec![against(
        "server log, processor time",
        &small,
        LOG_PASS,
        quick,
    )?];
    let scrapes = folder.path().join("metrics.prom");
    crate::metrics::write_series(&scrapes, if quick { 100 } else { 1500 })?;
    lines.push(against(
        "Prometheus text, processor time over gawk",
        &scrapes,
        SCRAPE_PASS,
        quick,
    )?);
    write_log(&large, large_mb * MB)?;
    let of = |path: &Path| inspect(path).map(|s| s / length_mb(path));
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for round in 0..if quick { 1 } else { 3 } {
        let (x, y) = (of(&large)?, of(&small)?);
        eprintln!("round {round}: large {x:.5} s/MB, small {y:.5} s/MB");
        a.push(x);
        b.push(y);
    }
    lines.push(Line::at_most(
        "server log, processor time per MB: large over 64 MB",
        median(&a),
        median(&b),
        1.2,
        Unit::Seconds,
    ));
    Ok(lines)
}

fn large_mb() -> anyhow::Result<u64> {
    match std::env::var("PEL_BENCH_LARGE_MB") {
        Ok(text) => text
            .parse()
            .context("PEL_BENCH_LARGE_MB is no whole number of megabytes"),
        Err(_) => Ok(1024),
    }
}

/// Processor time of a reading over that of one gawk pass; at most half as much again.
fn against(measure: &str, file: &Path, program: &str, quick: bool) -> anyhow::Result<Line> {
    if Command::new("gawk").arg("--version").output().is_err() {
        return Ok(Line::skipped(measure, "gawk is not installed"));
    }
    let gawk = line([OsStr::new("gawk"), OsStr::new(program), file.as_os_str()]);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for round in 0..if quick { 1 } else { 3 } {
        let (x, y) = (inspect(file)?, spent(&gawk, None)?.cpu);
        eprintln!("round {round}: pel {x:.3} s, gawk {y:.3} s");
        a.push(x);
        b.push(y);
    }
    Ok(Line::at_most(
        measure,
        median(&a),
        median(&b),
        1.5,
        Unit::Seconds,
    ))
}

/// Processor seconds of one `pel inspect`.
fn inspect(file: &Path) -> anyhow::Result<f64> {
    let words = line([
        pel(),
        OsStr::new("inspect"),
        OsStr::new("--json"),
        file.as_os_str(),
    ]);
    Ok(spent(&words, None)?.cpu)
}

fn length_mb(path: &Path) -> f64 {
    std::fs::metadata(path).map_or(f64::NAN, |m| m.len() as f64 / MB as f64)
}

/// A log of about `bytes` bytes: periodic lines with two answers after each.
fn write_log(path: &Path, bytes: u64) -> anyhow::Result<()> {
    let beats = beats(86_400 / 10, 10, 11);
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut written = 0;
    for n in 0u64.. {
        let second = n * 10;
        let (day, rest) = (second / 86_400, second % 86_400);
        // Months of 28 days, so that every date exists in every year.
        let (month, day) = (1 + day / 28 % 12, 1 + day % 28);
        let clock = format!(
            "{month:02}-{day:02} {:02}:{:02}:{:02}",
            rest / 3600,
            rest / 60 % 60,
            rest % 60
        );
        let beat = &beats[n as usize % beats.len()];
        let answer = "(APIServer pid=1) INFO:     127.0.0.1:50000 - \"POST /v1/completions HTTP/1.1\" 200 OK\n";
        let text = vllm_line(&clock, beat) + answer + answer;
        out.write_all(text.as_bytes())?;
        written += text.len() as u64;
        if written >= bytes {
            break;
        }
    }
    out.flush()?;
    Ok(())
}
