//! The bounds the product promises, each as a ratio to a reference measured in the same run, so
//! that the machine's speed cancels out. `scripts/bench` builds and runs this; it ends with 1 when
//! a bound is broken. Linux only: memory is read from `/proc`.
//!
//! Parts are named on the command line (none = all); `--quick` takes small inputs, to try the
//! harness itself.

mod bare;
mod case_page;
mod comparison;
mod gate;
mod logs;
mod measure;
mod metrics;
mod nsight;
mod report;
mod seed;
mod upload;

use report::Line;
use std::process::ExitCode;

type Part = fn(bool) -> anyhow::Result<Vec<Line>>;

/// Every part, in the order it runs.
const PARTS: [(&str, Part); 7] = [
    ("upload", upload::run),
    ("nsight", nsight::run),
    ("metrics", metrics::run),
    ("logs", logs::run),
    ("case-page", case_page::run),
    ("comparison", comparison::run),
    ("gate", gate::run),
];

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<bool> {
    let mut quick = false;
    let mut chosen = Vec::new();
    // Cargo itself adds `--bench`.
    for word in std::env::args().skip(1).filter(|w| w != "--bench") {
        match PARTS.iter().find(|(name, _)| *name == word) {
            Some(part) => chosen.push(part),
            None if word == "--quick" => quick = true,
            None => anyhow::bail!("{word:?} is no part; choose from {}", names()),
        }
    }
    if chosen.is_empty() {
        chosen = PARTS.iter().collect();
    }
    let mut lines = Vec::new();
    for (name, part) in chosen {
        eprintln!("== {name}");
        lines.extend(part(quick)?);
    }
    print!("{}", report::table(&lines));
    if quick {
        println!("Small inputs: these figures say nothing about the bounds.");
    }
    Ok(quick || lines.iter().all(Line::holds))
}

fn names() -> String {
    PARTS.map(|(name, _)| name).join(", ")
}
