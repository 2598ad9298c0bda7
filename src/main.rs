//! `pel`: wiring only.

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let line = pel::cli::Line::parse();
    match pel::cli::run(line) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pel: {error:#}");
            ExitCode::FAILURE
        }
    }
}
