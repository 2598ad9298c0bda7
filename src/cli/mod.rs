//! The command line: one file per command.
//!
//! Exit codes: 0 done, 1 something failed (the reason is on standard error), 2 the answer is no
//! (a broken audit log, a refused file) or the command line is wrong.

pub mod audit;
pub mod backup;
pub mod db;
pub mod inspect;
pub mod restore;
pub mod serve;
pub mod stop;
pub mod work;
pub mod worker;

use crate::config::LogConfig;
use anyhow::Context as _;
use clap::{Parser, Subcommand};
use std::future::Future;
use std::process::ExitCode;

/// Exit code for "the answer is no".
pub const NO: u8 = 2;

/// From a symptom of an inference service to an accepted change, by evidence.
#[derive(Debug, Parser)]
#[command(name = "pel", version, max_term_width = 100)]
pub struct Line {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What to say meanwhile.
    #[command(flatten)]
    pub log: LogConfig,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service: pages, uploads and background work
    Serve(Box<serve::Args>),
    /// Run background work alone, beside a `pel serve` that shares the database
    Worker(Box<worker::Args>),
    /// Look after the database
    Db(db::Args),
    /// Write the database and all evidence files into one archive
    Backup(backup::Args),
    /// Put the contents of an archive back
    Restore(restore::Args),
    /// Check the audit log
    Audit(audit::Args),
    /// Read the files of one run and show what they say; needs no database
    Inspect(inspect::Args),
}

/// Does what the line says.
///
/// # Errors
/// A sentence for the terminal; the exit code is 1.
pub fn run(line: Line) -> anyhow::Result<ExitCode> {
    line.log.start()?;
    match line.command {
        Command::Serve(args) => on_runtime(serve::run(*args)),
        Command::Worker(args) => on_runtime(worker::run(*args)),
        Command::Db(args) => on_runtime(db::run(args)),
        Command::Backup(args) => on_runtime(backup::run(args)),
        Command::Restore(args) => on_runtime(restore::run(args)),
        Command::Audit(args) => on_runtime(audit::run(args)),
        // Without a runtime: a process of many threads cannot confine itself.
        Command::Inspect(args) => Ok(inspect::run(&args)),
    }
}

fn on_runtime<F>(work: F) -> anyhow::Result<ExitCode>
where
    F: Future<Output = anyhow::Result<ExitCode>>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let result = runtime.block_on(work);
    // Whatever still blocks a thread must not keep a stopped service alive.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    result
}
