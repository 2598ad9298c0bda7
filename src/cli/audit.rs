//! `pel audit`: checks the log's chain against its checkpoints, in the database or from an export;
//! writes the export; makes a checkpoint to be kept elsewhere.

use super::{NO, work};
use crate::config::DatabaseConfig;
use crate::postgres::{Database, Use};
use crate::store::audit::{self, Verdict};
use crate::store::checkpoint::{self, Exported, Signed, Walk};
use crate::store::checkpoints;
use anyhow::{Context as _, bail};
use clap::Subcommand;
use std::io::{BufRead as _, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `pel audit`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What can be done with the log.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Recompute every link and compare with checkpoints; exit code 0 when intact, 2 when broken
    Verify {
        /// A checkpoint that was kept elsewhere; may be given several times
        #[arg(long, value_name = "FILE")]
        checkpoint: Vec<PathBuf>,
        /// The public key, in hex, that every given checkpoint must be signed with
        #[arg(long, value_name = "HEX")]
        public_key: Option<String>,
        /// Verify this export instead of the database
        #[arg(long, value_name = "FILE")]
        export: Option<PathBuf>,
        /// The database.
        #[command(flatten)]
        database: DatabaseConfig,
    },
    /// Write every event, one JSON object per line, to be verified anywhere
    Export {
        /// Where to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// The database.
        #[command(flatten)]
        database: DatabaseConfig,
    },
    /// Make a signed checkpoint of the events since the last one, to be kept elsewhere
    Checkpoint {
        /// Where to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// The database.
        #[command(flatten)]
        database: DatabaseConfig,
    },
}

/// Runs the command.
///
/// # Errors
/// When the log or a file cannot be read; a broken log is an answer.
pub async fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Verify {
            checkpoint,
            public_key,
            export,
            database,
        } => {
            let kept = read_checkpoints(&checkpoint, public_key.as_deref())?;
            let verdict = match export {
                Some(file) => from_export(&file, kept)?,
                None => {
                    let database = Database::open(&database.settings()?, Use::Share).await?;
                    let verdict = against(&database, &kept).await;
                    database.stop().await;
                    verdict?
                }
            };
            Ok(report(&verdict))
        }
        Command::Export { output, database } => {
            let database = Database::open(&database.settings()?, Use::Share).await?;
            let written = export(&database, output.as_deref()).await;
            database.stop().await;
            written.map(|()| ExitCode::SUCCESS)
        }
        Command::Checkpoint { output, database } => {
            let data_dir = database.data_dir()?;
            let database = Database::open(&database.settings()?, Use::Share).await?;
            let made = make(&database, &data_dir, output.as_deref()).await;
            database.stop().await;
            made.map(|()| ExitCode::SUCCESS)
        }
    }
}

/// Walks the chain, however long that takes.
pub(super) async fn verify(database: &Database) -> anyhow::Result<Verdict> {
    let mut conn = database.owner_connection().await?;
    audit::verify(&mut conn)
        .await
        .context("the audit log cannot be read")
}

async fn against(database: &Database, kept: &[Signed]) -> anyhow::Result<Verdict> {
    let mut conn = database.owner_connection().await?;
    checkpoints::verify(&mut conn, kept)
        .await
        .context("the audit log cannot be read")
}

/// Reads checkpoint files and says what each of them knows.
fn read_checkpoints(files: &[PathBuf], public_key: Option<&str>) -> anyhow::Result<Vec<Signed>> {
    let mut found = Vec::new();
    for file in files {
        let shown = file.display();
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?;
        let signed = match checkpoint::read(&text) {
            Ok(signed) => signed,
            Err(why) => bail!("{shown} cannot be used: {why}"),
        };
        if public_key.is_some_and(|key| !key.trim().eq_ignore_ascii_case(&signed.public_key)) {
            bail!(
                "{shown} is signed with another key, {}; a checkpoint is only worth what its key is",
                signed.public_key
            );
        }
        let known = &signed.checkpoint;
        println!(
            "checkpoint {} of {}: events {} to {}, key {}",
            known.number, known.made_at, known.first_seq, known.last_seq, signed.public_key
        );
        if known.clock_steps > 0 {
            println!(
                "  the clock stepped back {} time(s) in it; the sequence orders all the same",
                known.clock_steps
            );
        }
        found.push(signed);
    }
    Ok(found)
}

/// Verifies an export; needs no database.
fn from_export(file: &Path, kept: Vec<Signed>) -> anyhow::Result<Verdict> {
    let shown = file.display();
    let open = std::fs::File::open(file).with_context(|| format!("cannot read {shown}"))?;
    let mut walk = Walk::new(kept.into_iter().map(|s| s.checkpoint).collect());
    for (i, line) in BufReader::new(open).lines().enumerate() {
        let place = || format!("{shown}, line {}", i + 1);
        let line = line.with_context(place)?;
        let row: Exported = serde_json::from_str(&line).with_context(place)?;
        if !walk.step(&row.row().with_context(place)?) {
            break;
        }
    }
    Ok(walk.verdict())
}

/// A file, or standard output.
fn writer(output: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    Ok(match output {
        Some(file) => Box::new(BufWriter::new(
            std::fs::File::create(file)
                .with_context(|| format!("cannot write {}", file.display()))?,
        )),
        None => Box::new(std::io::stdout()),
    })
}

async fn export(database: &Database, output: Option<&Path>) -> anyhow::Result<()> {
    let mut out = writer(output)?;
    let mut conn = database.owner_connection().await?;
    let mut failed = None;
    checkpoints::each(&mut conn, |row| {
        let line = serde_json::to_string(&Exported::from(row));
        let done = line
            .map_err(anyhow::Error::from)
            .and_then(|line| Ok(writeln!(out, "{line}")?));
        failed = done.err();
        Ok(failed.is_none())
    })
    .await
    .context("the audit log cannot be read")?;
    if let Some(error) = failed {
        return Err(error).context("the export cannot be written");
    }
    out.flush().context("the export cannot be written")
}

async fn make(database: &Database, data_dir: &Path, output: Option<&Path>) -> anyhow::Result<()> {
    let key = work::audit_key(data_dir)?;
    let mut tx = database.pool().begin().await?;
    let made = checkpoints::make(&mut tx, &key, work::now()).await?;
    let newest = match made {
        Some(signed) => Some(signed),
        // Nothing happened since the last one, which is as good as a new one.
        None => checkpoints::list(&mut tx, 1).await?.pop(),
    };
    tx.commit().await?;
    let Some(signed) = newest else {
        bail!("the audit log is empty, so there is nothing to make a checkpoint of");
    };
    let mut out = writer(output)?;
    writeln!(out, "{}", serde_json::to_string_pretty(&signed)?)?;
    out.flush().context("the checkpoint cannot be written")
}

/// Prints the verdict and turns it into an exit code.
pub(super) fn report(verdict: &Verdict) -> ExitCode {
    match verdict {
        Verdict::Intact { events, last_hash } => {
            println!("audit log intact: {events} events, last hash {last_hash}");
            ExitCode::SUCCESS
        }
        Verdict::Broken { seq, what } => {
            println!("audit log BROKEN at event {seq}: {what}");
            ExitCode::from(NO)
        }
    }
}
