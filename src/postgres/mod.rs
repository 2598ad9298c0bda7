//! The database, two ways: the one that `PEL_DATABASE_URL` names, or a private PostgreSQL server in
//! the data folder when nothing is named.
//!
//! Migrations run as the owner. Everything else works as the role `pel_app`, which can neither
//! change the schema nor rewrite history; [`app_pool`] is the only way to such connections.

mod binaries;
mod error;
mod making;
mod place;
mod private;
mod processes;
mod tools;

pub use binaries::{Binaries, find as find_binaries};
pub use error::{Error, Result};
pub use private::{Durability, Private, Use, remove as remove_private};

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use std::path::PathBuf;
use std::str::FromStr as _;
use std::time::Duration;

/// Every migration, embedded in the program.
pub static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// What a connection of the app says first. The time limits end a request that hangs, not the
/// connection of a person: long work belongs to workers, in steps.
const APP_SESSION: &str = "set role pel_app; set statement_timeout = '60s'; set lock_timeout = '15s'; \
     set idle_in_transaction_session_timeout = '60s'; set timezone = 'UTC'; set jit = off";

/// Nobody but the owner makes temporary tables: one could stand before a real one.
const NO_TEMPORARY: &str = "do $$ begin
  execute format('revoke temporary on database %I from public', current_database());
end $$";

/// Which database, and how to come by it.
#[derive(Clone)]
pub struct Settings {
    /// The folder of a private server.
    pub data_dir: PathBuf,
    /// A database elsewhere, as `postgres://…`; it wins.
    pub url: Option<String>,
    /// The only folder in which to look for server programs.
    pub binaries: Option<PathBuf>,
    /// Connections the app may hold at once.
    pub max_connections: u32,
}

/// An open database, brought up to date.
pub struct Database {
    pool: PgPool,
    owner: PgConnectOptions,
    private: Option<Private>,
    settings: Settings,
}

impl Database {
    /// Finds or starts the database and brings it up to date.
    ///
    /// # Errors
    /// Each with the way out; a private server that was started is stopped again.
    pub async fn open(settings: &Settings, how: Use) -> Result<Self> {
        let (owner, private) = match &settings.url {
            Some(url) => (parse(url)?, None),
            None => {
                let binaries = settings.binaries.as_deref();
                let private =
                    Private::open(&settings.data_dir, binaries, how, Durability::Kept).await?;
                (private.options().clone(), Some(private))
            }
        };
        let opened = Self {
            pool: app_pool(&owner, settings.max_connections),
            owner: owner.application_name("pel-owner"),
            private,
            settings: settings.clone(),
        };
        match opened.migrate().await {
            Ok(()) => Ok(opened),
            Err(error) => {
                opened.stop().await;
                Err(error)
            }
        }
    }

    /// Connections that work as `pel_app`.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// The private server, if that is what this is.
    pub fn private(&self) -> Option<&Private> {
        self.private.as_ref()
    }

    /// How the owner connects.
    pub fn owner_options(&self) -> &PgConnectOptions {
        &self.owner
    }

    /// A connection of the owner: for migrations, backup and restore only.
    ///
    /// # Errors
    /// When the server does not answer.
    pub async fn owner_connection(&self) -> Result<PgConnection> {
        self.owner.connect().await.map_err(|cause| Error::Connect {
            place: describe(&self.owner),
            cause,
        })
    }

    /// One of PostgreSQL's client programs (`pg_dump`, `psql`), told how to reach this database as
    /// its owner.
    ///
    /// # Errors
    /// When the password or the address cannot be read.
    pub fn client(&self, name: &str) -> Result<std::process::Command> {
        match (&self.private, &self.settings.url) {
            (Some(private), _) => tools::for_private(private, name),
            (None, url) => tools::for_url(
                url.as_deref().unwrap_or_default(),
                self.settings.binaries.as_deref(),
                name,
            ),
        }
    }

    /// The same, for a program that works on files and must not be told of a database.
    pub fn offline_client(&self, name: &str) -> std::process::Command {
        match &self.private {
            Some(private) => {
                let mut command = std::process::Command::new(private.binaries().program(name));
                command.stdin(std::process::Stdio::null());
                command
            }
            None => tools::program(self.settings.binaries.as_deref(), name),
        }
    }

    /// The owner's address; it holds the password.
    ///
    /// # Errors
    /// When the private password cannot be read.
    pub fn owner_url(&self) -> Result<String> {
        match &self.private {
            Some(private) => private.url(),
            None => Ok(self.settings.url.clone().unwrap_or_default()),
        }
    }

    /// Brings the schema up to date; many instances may do so at once.
    ///
    /// # Errors
    /// When the server is too old, a right is lacking, or the schema is newer than this program.
    pub async fn migrate(&self) -> Result<()> {
        let mut conn = self.owner_connection().await?;
        migrate(&mut conn, &self.owner).await?;
        conn.close().await?;
        Ok(())
    }

    /// Waits until the private server ends by itself; never ends when there is none.
    pub async fn gone(&self) {
        match &self.private {
            Some(private) => private.gone().await,
            None => std::future::pending().await,
        }
    }

    /// Closes the connections and stops the private server, if we run it.
    pub async fn stop(self) {
        self.pool.close().await;
        if let Some(private) = self.private {
            private.stop().await;
        }
    }
}

/// Empties the schema `public`, keeping the schema itself: it may belong to somebody else.
pub const EMPTY_SCHEMA: &str = include_str!("empty_schema.sql");

/// A pool whose connections work as `pel_app`, on the database that `owner` reaches.
pub fn app_pool(owner: &PgConnectOptions, max_connections: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(Duration::from_secs(10))
        .after_connect(|conn, _| {
            Box::pin(async move {
                sqlx::raw_sql(APP_SESSION).execute(&mut *conn).await?;
                Ok(())
            })
        })
        .connect_lazy_with(owner.clone().application_name("pel"))
}

/// Brings the schema of one database up to date and checks that the app can work on it.
///
/// # Errors
/// When the server is too old, a right is lacking, or the schema is newer than this program.
pub async fn migrate(conn: &mut PgConnection, owner: &PgConnectOptions) -> Result<()> {
    let version: i32 = sqlx::query_scalar("select current_setting('server_version_num')::int")
        .fetch_one(&mut *conn)
        .await?;
    if version / 10_000 < i32::try_from(binaries::OLDEST).unwrap_or(i32::MAX) {
        return Err(Error::TooOld((version / 10_000).to_string()));
    }
    sqlx::raw_sql("set client_min_messages = warning")
        .execute(&mut *conn)
        .await?;
    MIGRATIONS
        .run(&mut *conn)
        .await
        .map_err(|e| explain(e, owner))?;
    // Belongs to the database and not to its schema, so that no copy or archive carries it along.
    // Where the database is somebody else's this only warns; the guards are pinned all the same.
    sqlx::raw_sql(NO_TEMPORARY)
        .execute(&mut *conn)
        .await
        .map_err(Error::Sql)?;
    // The membership is granted by a migration that must not fail when it has it already.
    for sql in ["set role pel_app", "reset role"] {
        sqlx::raw_sql(sql)
            .execute(&mut *conn)
            .await
            .map_err(|e| rights(&e, owner).unwrap_or(Error::Sql(e)))?;
    }
    Ok(())
}

fn explain(error: MigrateError, owner: &PgConnectOptions) -> Error {
    let known = MIGRATIONS.iter().map(|m| m.version).max().unwrap_or(0);
    match error {
        MigrateError::VersionMissing(v) if v > known => Error::NewerSchema(v),
        MigrateError::VersionMismatch(v) | MigrateError::VersionMissing(v) => {
            Error::ChangedSchema(v)
        }
        MigrateError::Execute(ref e) | MigrateError::ExecuteMigration(ref e, _) => {
            rights(e, owner).unwrap_or(Error::Migrate(error))
        }
        other => Error::Migrate(other),
    }
}

/// Recognises "insufficient privilege" and says what an administrator has to run.
fn rights(error: &sqlx::Error, owner: &PgConnectOptions) -> Option<Error> {
    let database = error.as_database_error()?;
    if database.code()? != "42501" {
        return None;
    }
    let user = owner.get_username().to_owned();
    let quote = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let name = quote(&user);
    let cause = database.message().to_owned();
    let cure = if cause.contains("schema") || cause.contains("database") {
        let here = quote(owner.get_database().unwrap_or(&user));
        format!("alter database {here} owner to {name};")
    } else {
        format!("create role pel_app nologin; grant pel_app to {name};")
    };
    Some(Error::Rights { user, cause, cure })
}

fn parse(url: &str) -> Result<PgConnectOptions> {
    PgConnectOptions::from_str(url).map_err(|e| Error::BadUrl(e.to_string()))
}

/// Host and database of an address, without user or password.
fn describe(options: &PgConnectOptions) -> String {
    let host = options.get_socket().map_or_else(
        || options.get_host().to_owned(),
        |s| s.display().to_string(),
    );
    format!("{host}/{}", options.get_database().unwrap_or_default())
}
