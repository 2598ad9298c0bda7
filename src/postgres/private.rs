//! A PostgreSQL server of our own: made, started, adopted after a crash, and stopped.
//!
//! It listens on a Unix socket in a private folder and nowhere else. It is its own process group,
//! so that Ctrl-C reaches `pel` first and the server is stopped when nobody needs it any more.

use super::binaries::Binaries;
use super::error::{Error, Result, file};
use super::making::{choose, clear_remains, failed, initialise, spawn, wait_until_left};
use super::place::Place;
use super::processes::{PidFile, is_alive, signal, works_on};
use rustix::process::Signal;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use std::fs::{self, File};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// Name of the owner, and of the database.
pub(super) const NAME: &str = "pel";

/// How long a start may take; after a crash the server first replays its log.
const START_PATIENCE: Duration = Duration::from_secs(300);
/// How long to wait for the server that another pel is starting.
const JOIN_PATIENCE: Duration = Duration::from_secs(30);
/// How long a clean stop may take before it is forced.
const STOP_PATIENCE: Duration = Duration::from_secs(30);
/// How often a state is looked at.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// Whether data must survive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Yes: every commit is on disk before it is reported.
    Kept,
    /// No: throwaway databases of tests.
    Thrown,
}

/// How a program wants to use the private server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Runs it: the data folder must be free.
    Own,
    /// Uses the one that runs, and starts it only when the data folder is free.
    Share,
    /// Uses the one that runs, and never starts one.
    Join,
}

/// A running private server.
#[derive(Debug)]
pub struct Private {
    place: Place,
    /// Held for as long as we run the server; `None` when another pel does.
    lock: Option<File>,
    child: Option<Child>,
    pid: i32,
    adopted: bool,
    options: PgConnectOptions,
    /// Folder of the server's programs, for `pg_dump` and its kin.
    binaries: Binaries,
}

impl Private {
    /// Finds or starts the server of a data folder.
    ///
    /// # Errors
    /// Each with the way out.
    pub async fn open(
        data_dir: &Path,
        only: Option<&Path>,
        how: Use,
        durability: Durability,
    ) -> Result<Self> {
        let place = Place::new(data_dir)?;
        if how == Use::Join {
            return Self::join(place, only).await;
        }
        let lock = match place.lock() {
            Err(Error::InUse { .. }) if how == Use::Share => return Self::join(place, only).await,
            other => other?,
        };
        let account = place.account()?;
        let cluster = place.cluster();
        if let Some(running) = find_running(&place, START_PATIENCE).await? {
            tracing::info!(pid = running.pid, "found the database running");
            let adopted = Self::running(place, &running, only, Some(lock))?;
            adopted.make_database().await?;
            return Ok(adopted);
        }
        let binaries = choose(&cluster, only)?;
        let password = place.password()?;
        if !cluster.exists() {
            initialise(&place, &binaries, account.as_ref(), &password, durability).await?;
        }
        let socket = place.socket_folder(account.as_ref())?;
        clear_remains(&cluster, &socket).await?;
        let child = spawn(&place, &binaries, account.as_ref(), &socket, durability)?;
        let mut private = Self {
            pid: i32::try_from(child.id()).unwrap_or(i32::MAX),
            options: options(&socket, &password),
            lock: Some(lock),
            child: Some(child),
            adopted: false,
            place,
            binaries,
        };
        private.wait_until_ready().await?;
        private.make_database().await?;
        Ok(private)
    }

    /// Connects to the server that another pel runs, waiting while that one starts it.
    async fn join(place: Place, only: Option<&Path>) -> Result<Self> {
        let since = Instant::now();
        let running = loop {
            if let Some(running) = find_running(&place, JOIN_PATIENCE).await? {
                break running;
            }
            // Nothing runs. If the folder is free, nobody is about to change that.
            if since.elapsed() > JOIN_PATIENCE || place.lock().is_ok() {
                return Err(Error::NotRunning(place.root().to_owned()));
            }
            tokio::time::sleep(TICK).await;
        };
        let joined = Self::running(place, &running, only, None)?;
        joined.make_database().await?;
        Ok(joined)
    }

    /// A server that we did not start.
    fn running(
        place: Place,
        found: &PidFile,
        only: Option<&Path>,
        lock: Option<File>,
    ) -> Result<Self> {
        Ok(Self {
            binaries: choose(&place.cluster(), only)?,
            options: options(&found.socket, &place.password()?),
            pid: found.pid,
            adopted: lock.is_some(),
            lock,
            child: None,
            place,
        })
    }

    /// How the owner connects.
    pub fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    /// The owner's address, for programs that take one. It holds the password.
    ///
    /// # Errors
    /// When the password file cannot be read.
    pub fn url(&self) -> Result<String> {
        let socket = self.options.get_socket().cloned().unwrap_or_default();
        let password = self.password()?;
        let host: String = socket
            .as_os_str()
            .as_encoded_bytes()
            .iter()
            .map(|byte| match byte {
                b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                    char::from(*byte).to_string()
                }
                other => format!("%{other:02X}"),
            })
            .collect();
        Ok(format!(
            "postgres://{NAME}:{password}@localhost/{NAME}?host={host}"
        ))
    }

    /// The owner's password.
    pub(super) fn password(&self) -> Result<String> {
        self.place.password()
    }

    /// Process id of the server.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Whether it was running already, left by a pel that was killed.
    pub fn adopted(&self) -> bool {
        self.adopted
    }

    /// Folder of the server's programs.
    pub fn binaries(&self) -> &Binaries {
        &self.binaries
    }

    /// Lets the server run on after this process; whoever opens the folder next adopts it.
    pub fn leave_running(mut self) {
        self.lock = None;
        self.child = None;
    }

    /// Waits until the server ends by itself, which it should not while we run it.
    pub async fn gone(&self) {
        const LOOK: Duration = Duration::from_secs(1);
        while is_alive(self.pid) {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Stops the server if we run it, and waits until it is gone.
    pub async fn stop(mut self) {
        if self.lock.is_none() {
            return;
        }
        for (how, patience) in [
            (Signal::INT, STOP_PATIENCE),
            (Signal::QUIT, Duration::from_secs(5)),
            (Signal::KILL, Duration::from_secs(5)),
        ] {
            signal(self.pid, how);
            let since = Instant::now();
            while since.elapsed() < patience {
                if self.has_ended() {
                    self.remove_socket_folder();
                    self.lock = None;
                    return;
                }
                tokio::time::sleep(TICK).await;
            }
            tracing::warn!(pid = self.pid, "the database does not stop; trying harder");
        }
    }

    /// A folder outside the data folder is not left behind.
    fn remove_socket_folder(&self) {
        if let Some(folder) = self.options.get_socket()
            && !folder.starts_with(self.place.root())
        {
            let _ = fs::remove_dir(folder);
        }
    }

    fn has_ended(&mut self) -> bool {
        match &mut self.child {
            Some(child) => !matches!(child.try_wait(), Ok(None)),
            None => !is_alive(self.pid),
        }
    }

    /// Ready means that the pid file names our child and says so: a file left by an earlier server
    /// may say `ready` too.
    async fn wait_until_ready(&mut self) -> Result<()> {
        let since = Instant::now();
        let mut told = 1;
        while since.elapsed() < START_PATIENCE {
            let found = PidFile::read(&self.place.cluster());
            if found.is_some_and(|f| f.pid == self.pid && f.ready) {
                return Ok(());
            }
            let child = self
                .child
                .as_mut()
                .and_then(|c| c.try_wait().ok().flatten());
            if let Some(status) = child {
                self.lock = None;
                return Err(failed("postgres", &status.to_string(), &self.place.log()));
            }
            if since.elapsed().as_secs() >= told * 10 {
                tracing::info!(seconds = told * 10, "the database is still starting");
                told += 1;
            }
            tokio::time::sleep(TICK).await;
        }
        Err(Error::NotReady {
            pid: self.pid,
            seconds: START_PATIENCE.as_secs(),
            log: self.place.log(),
        })
    }

    /// Makes the database unless it is there; whoever comes first does so.
    async fn make_database(&self) -> Result<()> {
        let mut conn = self.options.clone().database("postgres").connect().await?;
        let there = sqlx::query("select from pg_database where datname = 'pel'")
            .fetch_optional(&mut conn)
            .await?;
        if there.is_none() {
            let made = sqlx::raw_sql("create database pel")
                .execute(&mut conn)
                .await;
            let by_another = |e: &sqlx::Error| {
                let code = e.as_database_error().and_then(|d| d.code());
                matches!(code.as_deref(), Some("42P04" | "23505"))
            };
            if let Err(error) = made
                && !by_another(&error)
            {
                return Err(error.into());
            }
        }
        conn.close().await?;
        Ok(())
    }
}

impl Drop for Private {
    /// The last resort when an error, a panic or an interrupted start skips [`Private::stop`]:
    /// no server without a pel.
    fn drop(&mut self) {
        if self.lock.is_none() {
            return;
        }
        signal(self.pid, Signal::INT);
        let since = Instant::now();
        while !self.has_ended() && since.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(TICK);
        }
    }
}

/// Removes the private database of a data folder, with everything in it.
///
/// # Errors
/// When the folder is in use, or cannot be removed.
pub async fn remove(data_dir: &Path) -> Result<()> {
    let place = Place::new(data_dir)?;
    let _lock = place.lock()?;
    let cluster = place.cluster();
    if let Some(found) = PidFile::read(&cluster).filter(|f| works_on(f.pid, &cluster)) {
        signal(found.pid, Signal::INT);
        let since = Instant::now();
        while is_alive(found.pid) && since.elapsed() < STOP_PATIENCE {
            tokio::time::sleep(TICK).await;
        }
    }
    wait_until_left(&cluster).await?;
    // Renamed first: a removal that is cut short must not leave half a cluster under its name.
    let removed = place.root().join(".removed-postgres");
    let discard = || match removed.exists() {
        true => fs::remove_dir_all(&removed).map_err(file("cannot remove", &removed)),
        false => Ok(()),
    };
    discard()?;
    if cluster.exists() {
        fs::rename(&cluster, &removed).map_err(file("cannot remove", &cluster))?;
        discard()?;
    }
    match fs::remove_file(place.password_file()) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(file("cannot remove", place.password_file())(e))
        }
        _ => Ok(()),
    }
}

fn options(socket: &Path, password: &str) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket)
        .port(5432)
        .username(NAME)
        .password(password)
        .database(NAME)
}

/// The server that runs and answers. One that was killed a moment ago is a process still, but
/// takes nobody; one that lost a process of its own takes nobody until it has recovered.
async fn find_running(place: &Place, patience: Duration) -> Result<Option<PidFile>> {
    let since = Instant::now();
    loop {
        let Some(found) = wait_until_settled(place, patience).await? else {
            return Ok(None);
        };
        let owner = options(&found.socket, &place.password()?).database("postgres");
        match owner.connect().await {
            Ok(conn) => {
                conn.close().await?;
                return Ok(Some(found));
            }
            Err(error) if !comes_or_goes(&error) || since.elapsed() > patience => {
                return Err(error.into());
            }
            Err(_) => tokio::time::sleep(TICK).await,
        }
    }
}

/// Whether a server that does not take a connection is about to end or to recover.
fn comes_or_goes(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|d| d.code());
    matches!(error, sqlx::Error::Io(_))
        || matches!(code.as_deref(), Some("57P01" | "57P02" | "57P03"))
}

/// Waits while a running server starts or stops. `None`: none runs.
async fn wait_until_settled(place: &Place, patience: Duration) -> Result<Option<PidFile>> {
    let cluster = place.cluster();
    let since = Instant::now();
    let mut last = 0;
    while since.elapsed() < patience {
        let Some(found) = PidFile::read(&cluster).filter(|f| works_on(f.pid, &cluster)) else {
            return Ok(None);
        };
        if found.ready {
            return Ok(Some(found));
        }
        last = found.pid;
        tokio::time::sleep(TICK).await;
    }
    Err(Error::NotReady {
        pid: last,
        seconds: patience.as_secs(),
        log: place.log(),
    })
}
