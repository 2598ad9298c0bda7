//! Measuring programs from outside: time, processor time and peak memory; medians over rounds in
//! which both sides take turns, so that noise hits both.

use anyhow::{Context as _, bail, ensure};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What one run of a program took.
#[derive(Debug, Clone, Copy)]
pub struct Spent {
    /// By the clock, seconds.
    pub real: f64,
    /// Processor time in user and kernel, seconds.
    pub cpu: f64,
}

/// Runs a program to its end with nothing on standard output, as bash's own `time` sees it.
/// Standard input is `input`, or empty.
///
/// # Errors
/// When it cannot be started or fails; its standard error is shown.
pub fn spent(line: &[OsString], input: Option<&std::path::Path>) -> anyhow::Result<Spent> {
    let mut bash = Command::new("bash");
    // `time` speaks last, and the program's own words come before it.
    bash.args([
        "-c",
        "TIMEFORMAT='%R %U %S'; time \"$@\" >/dev/null",
        "bash",
    ])
    .args(line)
    .env("LC_ALL", "C")
    .stdin(match input {
        Some(path) => fs::File::open(path)?.into(),
        None => Stdio::null(),
    });
    let answer = bash.output().context("bash cannot be started")?;
    let said = String::from_utf8_lossy(&answer.stderr);
    ensure!(answer.status.success(), "{} failed: {said}", shown(line));
    let times: Option<Vec<f64>> = said
        .lines()
        .last()
        .map(|l| l.split(' ').filter_map(|n| n.parse().ok()).collect());
    match times.as_deref() {
        Some([real, user, system]) => Ok(Spent {
            real: *real,
            cpu: user + system,
        }),
        _ => bail!("{}: no times in {said:?}", shown(line)),
    }
}

/// Seconds this thread has had a processor, as Linux accounts them.
///
/// # Errors
/// When `/proc` does not say.
pub fn on_processor() -> anyhow::Result<f64> {
    let said = fs::read_to_string("/proc/thread-self/schedstat")?;
    let first = said.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    Ok(first.context("no time in schedstat")? / 1e9)
}

/// Runs a program to its end and gives its peak resident memory, bytes. It is looked at every
/// millisecond while it runs.
///
/// # Errors
/// When it cannot be started or fails.
pub fn peak_memory(line: &[OsString]) -> anyhow::Result<f64> {
    let (program, arguments) = line.split_first().context("no program")?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("{} cannot be started", shown(line)))?;
    let mut peak = 0.0f64;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        // A program that has just ended has no memory any more.
        peak = peak.max(high_water(child.id()).unwrap_or(0.0));
        std::thread::sleep(Duration::from_millis(1));
    };
    ensure!(status.success(), "{} failed", shown(line));
    ensure!(peak > 0.0, "{} ended before it was seen", shown(line));
    Ok(peak)
}

/// Peak resident memory of a running process so far, bytes.
pub fn high_water(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0)
}

/// Lets the peak of a running process begin anew.
///
/// # Errors
/// When the kernel does not let us.
pub fn forget_high_water(pid: u32) -> anyhow::Result<()> {
    fs::write(format!("/proc/{pid}/clear_refs"), "5").context("the peak cannot be reset")
}

/// The middle value; the mean of the two middle ones when their number is even.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0
}

/// The value at rank ⌈q·n⌉.
pub fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

/// A command line out of its words.
pub fn line<const N: usize>(words: [&OsStr; N]) -> Vec<OsString> {
    words.map(OsStr::to_os_string).to_vec()
}

/// The program under test.
pub fn pel() -> &'static OsStr {
    OsStr::new(env!("CARGO_BIN_EXE_pel"))
}

fn shown(line: &[OsString]) -> String {
    let words: Vec<_> = line.iter().map(|w| w.to_string_lossy()).collect();
    words.join(" ")
}
