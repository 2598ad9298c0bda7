//! `pel worker`: background work alone, on the database of a `pel serve` that runs elsewhere.

use super::{stop::Stop, work};
use crate::config::{BlobsConfig, DatabaseConfig, WorkConfig};
use crate::postgres::{Database, Use};
use anyhow::Context as _;
use std::process::ExitCode;
use tokio_util::sync::CancellationToken;

/// Arguments of `pel worker`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseConfig,
    /// The files.
    #[command(flatten)]
    pub blobs: BlobsConfig,
    /// The work.
    #[command(flatten)]
    pub work: WorkConfig,
}

/// Works until asked to stop.
///
/// # Errors
/// When there is no database to work on.
pub async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::listen()?;
    let settings = args.database.settings()?;
    let database = tokio::select! {
        opened = Database::open(&settings, Use::Join) => opened?,
        () = stop.asked() => return Ok(ExitCode::SUCCESS),
    };
    let worked = work(&args, &database, &stop).await;
    database.stop().await;
    worked.map(|()| ExitCode::SUCCESS)
}

/// Takes jobs until asked to stop; a reading under way may finish.
async fn work(args: &Args, database: &Database, stop: &Stop) -> anyhow::Result<()> {
    let data_dir = args.database.data_dir()?;
    let blobs = work::blobs(&args.blobs, &data_dir).await?;
    let runner = work::runner(&args.work, &data_dir, database.pool().clone(), blobs).await?;
    tracing::info!(at_once = args.work.workers, "waiting for work");
    let stopping = CancellationToken::new();
    let key = work::audit_key(&data_dir)?;
    let marking = tokio::spawn(work::checkpoints(
        database.pool().clone(),
        key,
        stopping.clone(),
    ));
    let stopped = stopping.clone();
    let asked = stop.clone();
    tokio::spawn(async move {
        asked.asked().await;
        stopped.cancel();
    });
    runner.run(stopping).await;
    marking.await.context("audit checkpoints ended badly")?;
    Ok(())
}
