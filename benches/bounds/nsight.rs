//! An Nsight Systems export of 600 000 kernels: `pel inspect` against the `sqlite3` shell running
//! the queries of `nsight.sql`, which work out most of the same numbers.

use crate::measure::{line, median, peak_memory, pel, spent};
use crate::report::{Line, Unit};
use anyhow::ensure;
use pel_evidence::samples::{DecodeTrace, write_nsight};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// Kernels in a decode step of the sample.
const KERNELS: u32 = 100;
const SQL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/bounds/nsight.sql");

pub fn run(quick: bool) -> anyhow::Result<Vec<Line>> {
    let time = "Nsight export of 600 k kernels, time";
    if Command::new("sqlite3").arg("-version").output().is_err() {
        return Ok(vec![Line::skipped(time, "no sqlite3 shell here")]);
    }
    let steps = if quick { 300 } else { 6000 };
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("trace.sqlite");
    let trace = DecodeTrace {
        seed: 7,
        steps,
        kernels: KERNELS,
        host_gap_ns: 60_000.0,
        pageable: true,
        started_s: None,
    };
    write_nsight(&file, trace)?;
    agree(&file, u64::from(steps * KERNELS))?;
    let ours = line([
        pel(),
        OsStr::new("inspect"),
        OsStr::new("--json"),
        file.as_os_str(),
    ]);
    let shell = ["sqlite3", "-batch", "-readonly"].map(OsStr::new);
    let theirs = line([shell[0], shell[1], shell[2], file.as_os_str()]);
    let memory = peak_memory(&ours)?;
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for round in 0..if quick { 1 } else { 3 } {
        let (x, y) = (spent(&ours, None)?, spent(&theirs, Some(Path::new(SQL)))?);
        eprintln!(
            "round {round}: pel {:.2} s, sqlite3 {:.2} s",
            x.real, y.real
        );
        a.push(x.real);
        b.push(y.real);
    }
    Ok(vec![
        Line::at_most(time, median(&a), median(&b), 1.5, Unit::Seconds),
        Line::limit("  its memory", memory, 100e6, Unit::Bytes),
    ])
}

/// Both sides must have seen the same kernels, or the comparison says nothing.
fn agree(file: &Path, kernels: u64) -> anyhow::Result<()> {
    let ours = Command::new(pel())
        .args(["inspect", "--json"])
        .arg(file)
        .output()?;
    ensure!(ours.status.success(), "pel refuses the sample export");
    let reading: pel_evidence::Reading = serde_json::from_slice(&ours.stdout)?;
    let count = reading.value("kernel_launches", pel_evidence::Statistic::Count);
    ensure!(
        count == Some(kernels as f64),
        "pel counted {count:?} of {kernels} kernels"
    );
    let theirs = Command::new("sqlite3")
        .args(["-batch", "-readonly"])
        .arg(file)
        .stdin(std::fs::File::open(SQL)?)
        .output()?;
    let said = String::from_utf8_lossy(&theirs.stdout);
    let errors = String::from_utf8_lossy(&theirs.stderr);
    ensure!(
        theirs.status.success() && errors.is_empty(),
        "sqlite3: {errors}"
    );
    let busy = reading.value("gpu_busy_time", pel_evidence::Statistic::Total);
    let busy = busy.map(|s| format!("busy|{:.0}", s * 1e9));
    for wanted in [Some(format!("kernels|{kernels}")), busy]
        .into_iter()
        .flatten()
    {
        ensure!(
            said.lines().any(|l| l == wanted),
            "sqlite3 does not say {wanted}: {said}"
        );
    }
    Ok(())
}
