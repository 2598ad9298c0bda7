//! `pel db`: reset, migrate, and the address of the database.

use crate::config::DatabaseConfig;
use crate::postgres::{self, Database, EMPTY_SCHEMA, Settings, Use};
use anyhow::{Context as _, bail};
use clap::Subcommand;
use sqlx::Connection as _;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// Arguments of `pel db`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What can be done with the database.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Delete everything in the database and start empty. Evidence files stay
    Reset {
        /// The database.
        #[command(flatten)]
        database: DatabaseConfig,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Bring the schema up to date, as `pel serve` does by itself
    Migrate {
        /// The database.
        #[command(flatten)]
        database: DatabaseConfig,
    },
    /// Print the address of the database, with its password, for psql and other programs
    Url {
        /// The database.
        #[command(flatten)]
        database: DatabaseConfig,
    },
}

/// Runs the command.
///
/// # Errors
/// A sentence for the terminal.
pub async fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Reset { database, yes } => reset(database.settings()?, yes).await?,
        Command::Migrate { database } => {
            let database = Database::open(&database.settings()?, Use::Share).await?;
            database.stop().await;
            println!("the database is up to date");
        }
        Command::Url { database } => {
            let database = Database::open(&database.settings()?, Use::Join).await?;
            println!("{}", database.owner_url()?);
            database.stop().await;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn reset(settings: Settings, yes: bool) -> anyhow::Result<()> {
    let what = match &settings.url {
        Some(_) => "the database that PEL_DATABASE_URL names".to_owned(),
        None => format!("the database in {}", settings.data_dir.display()),
    };
    confirm(&what, yes)?;
    if settings.url.is_some() {
        empty(&settings).await?;
    } else {
        // Not by SQL: this is also the way out when the server no longer starts.
        postgres::remove_private(&settings.data_dir).await?;
    }
    println!("{what} is empty now");
    Ok(())
}

/// Empties a database elsewhere; its migrations are applied again.
async fn empty(settings: &Settings) -> anyhow::Result<()> {
    let url = settings.url.as_deref().unwrap_or_default();
    let mut conn = sqlx::PgConnection::connect(url)
        .await
        .context("cannot connect to the database that PEL_DATABASE_URL names")?;
    sqlx::raw_sql(EMPTY_SCHEMA).execute(&mut conn).await?;
    conn.close().await?;
    let database = Database::open(settings, Use::Own).await?;
    database.stop().await;
    Ok(())
}

fn confirm(what: &str, yes: bool) -> anyhow::Result<()> {
    if yes {
        return Ok(());
    }
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        bail!("this deletes everything in {what}; say --yes to do so");
    }
    print!("This deletes everything in {what}. Type `reset` to go on: ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    if answer.trim() != "reset" {
        bail!("nothing was deleted");
    }
    Ok(())
}
