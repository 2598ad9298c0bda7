//! What can go wrong with the database server, each in one sentence with the way out.
//!
//! These reach an operator at a terminal, before any language is known, so they are in English.

use std::path::PathBuf;
use thiserror::Error;

/// Why there is no database to work with.
#[derive(Debug, Error)]
pub enum Error {
    /// No server binaries at all.
    #[error(
        "no PostgreSQL server (14 or newer) was found on this machine. Install one (Debian, Ubuntu: `apt install postgresql`; \
         Fedora: `dnf install postgresql-server`; macOS: `brew install postgresql@17`), or name its folder in PEL_POSTGRES_BIN, \
         or use a database elsewhere with PEL_DATABASE_URL"
    )]
    NoBinaries,
    /// The folder named by the setting holds none.
    #[error(
        "PEL_POSTGRES_BIN names {0}, where no `postgres` and `initdb` of PostgreSQL 14 or newer can be run"
    )]
    BadBinaries(PathBuf),
    /// Another program works on the data folder.
    #[error(
        "the data folder {folder} is in use by another pel (process {process}). Stop that one, or give this one its own folder with --data-dir"
    )]
    InUse {
        /// The data folder.
        folder: PathBuf,
        /// Process id the other one wrote into the lock file.
        process: String,
    },
    /// A command that needs a running server found none, and may not start one.
    #[error(
        "no database is running in {0}. Start `pel serve` first, or name a database with PEL_DATABASE_URL"
    )]
    NotRunning(PathBuf),
    /// The cluster was made by a major version that is not installed.
    #[error(
        "the database in {folder} was made by PostgreSQL {found}, and this machine has {installed}. Install PostgreSQL {found} and start again. \
         To move to the newer one: with {found} still installed run `pel backup FILE`, then `pel db reset`, remove {found}, and run `pel restore FILE`"
    )]
    OtherMajor {
        /// The cluster.
        folder: PathBuf,
        /// Its version.
        found: String,
        /// What is installed.
        installed: String,
    },
    /// The cluster is there and its password is not.
    #[error(
        "{0} is missing, and without it the database beside it cannot be opened. Put the file back, or start empty with `pel db reset`"
    )]
    PasswordMissing(PathBuf),
    /// Root has nobody to run the server as.
    #[error(
        "PostgreSQL does not run as root, and neither `postgres` nor `nobody` is a user here. Run pel as an ordinary user"
    )]
    NoAccount,
    /// The account the server runs as cannot get to the data folder.
    #[error(
        "PostgreSQL runs as `{account}` when pel runs as root, and {account} cannot enter {folder}. Choose a data folder that others may enter, \
         such as /var/lib/pel, with --data-dir, or run pel as an ordinary user"
    )]
    Unreachable {
        /// Name of the account.
        account: String,
        /// The first folder on the way that is closed.
        folder: PathBuf,
    },
    /// The cluster belongs to another user.
    #[error(
        "the database in {folder} belongs to user id {owner}, and pel runs as {me}. Run pel as that user, or as root"
    )]
    NotOwner {
        /// The cluster.
        folder: PathBuf,
        /// User id of its owner.
        owner: u32,
        /// Our user id.
        me: u32,
    },
    /// No folder short enough for the socket.
    #[error(
        "no safe folder for the server's socket: {folder} {what}. Set XDG_RUNTIME_DIR to a private folder with a short path"
    )]
    Socket {
        /// The folder that was tried.
        folder: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Processes of an earlier server stay.
    #[error(
        "PostgreSQL process {pid} of an earlier start still works on {folder} and does not end. End it (`kill {pid}`) and start again"
    )]
    Stray {
        /// One of them.
        pid: i32,
        /// The cluster.
        folder: PathBuf,
    },
    /// A server binary failed.
    #[error("`{command}` failed ({status}). Its last words, from {log}:\n{tail}")]
    Failed {
        /// Name of the binary.
        command: &'static str,
        /// Exit status.
        status: String,
        /// Where the whole log lies.
        log: PathBuf,
        /// The end of it.
        tail: String,
    },
    /// The server did not become ready.
    #[error("PostgreSQL (process {pid}) is not ready after {seconds} s. See {log}")]
    NotReady {
        /// The server.
        pid: i32,
        /// How long it was waited for, seconds.
        seconds: u64,
        /// Its log.
        log: PathBuf,
    },
    /// The configured database is too old.
    #[error("the database server is PostgreSQL {0}; pel needs 14 or newer")]
    TooOld(String),
    /// The configured database cannot be reached.
    #[error(
        "cannot connect to the database at {place}: {cause}. Check PEL_DATABASE_URL and that the server answers"
    )]
    Connect {
        /// Host and database, without the password.
        place: String,
        /// The driver's words.
        cause: sqlx::Error,
    },
    /// The address itself cannot be read.
    #[error(
        "PEL_DATABASE_URL cannot be read ({0}). It looks like postgres://USER:PASSWORD@HOST:5432/DATABASE"
    )]
    BadUrl(String),
    /// The database user lacks a right.
    #[error(
        "the database user `{user}` may not do what pel needs ({cause}). As an administrator of that server run once: {cure}"
    )]
    Rights {
        /// Who we are there.
        user: String,
        /// The server's words.
        cause: String,
        /// SQL that mends it.
        cure: String,
    },
    /// The database has migrations this program does not know.
    #[error(
        "the database was written by a newer pel (it has migration {0}). Start that version, or a newer one"
    )]
    NewerSchema(i64),
    /// A migration changed after it was applied.
    #[error(
        "migration {0} in the database differs from the one in this program. It was changed after it landed; start the release that made this database"
    )]
    ChangedSchema(i64),
    /// A migration failed.
    #[error("the database could not be brought up to date: {0}")]
    Migrate(sqlx::migrate::MigrateError),
    /// Any other failure of SQL.
    #[error("database: {0}")]
    Sql(#[from] sqlx::Error),
    /// A file or folder.
    #[error("{what} {path}: {cause}")]
    File {
        /// What was tried, e.g. `cannot write`.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's words.
        cause: std::io::Error,
    },
}

/// Result of a call about the database server.
pub type Result<T> = std::result::Result<T, Error>;

/// For `map_err`: names the file that an I/O error is about.
pub(crate) fn file(
    what: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.into();
    move |cause| Error::File { what, path, cause }
}
