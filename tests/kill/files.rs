//! What is handed in: pairs of scrapes, sweeps, large ones among them, and files no reader knows.
//! No two are the same, because a case keeps the same bytes only once.

use crate::chance::Chance;
use bytes::Bytes;
use pel_evidence::samples::{Load, Sweep, perf_analyzer_csv, vllm_scrapes};
use sha2::{Digest as _, Sha256};

/// One file of a form.
#[derive(Clone)]
pub struct File {
    pub name: String,
    pub bytes: Bytes,
    pub sha256: String,
    /// Whether a reader can make something of it.
    pub good: bool,
}

fn file(name: String, bytes: Vec<u8>, good: bool) -> File {
    File {
        name,
        sha256: hex::encode(Sha256::digest(&bytes)),
        bytes: bytes.into(),
        good,
    }
}

/// The files of one form.
pub fn some(chance: &mut Chance) -> Vec<File> {
    match chance.between(0, 10) {
        0..=5 => pair(chance),
        6..=7 => vec![sweep(chance)],
        8 => [pair(chance), vec![sweep(chance)]].concat(),
        _ => vec![unknown(chance)],
    }
}

/// Two scrapes of one run, which make one item; some are long, so that a reader is busy for a
/// while.
fn pair(chance: &mut Chance) -> Vec<File> {
    let seed = chance.next();
    let load = Load {
        seed,
        before: 40,
        during: 200,
        ..Load::default()
    };
    let scrapes = vllm_scrapes(&load);
    let padding = match chance.between(0, 3) {
        0 => 0,
        1 => 1 << 20,
        _ => chance.between(2, 7) << 20,
    };
    [("before", scrapes.before), ("after", scrapes.after)]
        .into_iter()
        .map(|(when, mut text)| {
            // Comments: a scrape may have any number of them.
            let line = format!("# {seed:016x} {}\n", "padding ".repeat(12));
            let lines = usize::try_from(padding).unwrap() / line.len();
            text.push_str(&line.repeat(lines));
            file(format!("{seed:016x}-{when}.prom"), text.into_bytes(), true)
        })
        .collect()
}

fn sweep(chance: &mut Chance) -> File {
    let sweep = Sweep {
        service_us: chance.between(1_000_000, 50_000_000) as f64 / 1e3,
        parallel: 8.0,
    };
    let csv = perf_analyzer_csv(sweep, &[1, 2, 4, 8, 16]);
    file(
        format!("{:016x}.csv", chance.next()),
        csv.into_bytes(),
        true,
    )
}

fn unknown(chance: &mut Chance) -> File {
    let tag = chance.next();
    let length = usize::try_from(chance.between(1, 200_000)).unwrap();
    let bytes: Vec<u8> = (0..length).map(|i| (tag >> (i % 57)) as u8).collect();
    let bytes = [format!("{tag:016x}\n").into_bytes(), bytes].concat();
    file(format!("{tag:016x}.bin"), bytes, false)
}
