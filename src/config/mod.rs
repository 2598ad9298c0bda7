//! Every setting, its variable and its default; `pel serve --help` prints this file.
//!
//! A flag wins over its variable. Settings that hold a secret can also be read from a file, named
//! by the variable with `_FILE` behind it.

pub mod units;

use crate::postgres;
use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use object_store::local::LocalFileSystem;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, parse_url_opts};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Everything `pel serve` can be told.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseConfig,
    /// The files.
    #[command(flatten)]
    pub blobs: BlobsConfig,
    /// The address and the people.
    #[command(flatten)]
    pub web: WebConfig,
    /// The work in the background.
    #[command(flatten)]
    pub work: WorkConfig,
}

/// Where facts are kept.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Database")]
pub struct DatabaseConfig {
    /// Folder for everything pel keeps [default: ~/.local/share/pel; as root /var/lib/pel]
    #[arg(long, env = "PEL_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// A PostgreSQL database (14 or newer) as postgres://USER:PASSWORD@HOST/DATABASE. Without it
    /// pel runs a private server in the data folder
    #[arg(
        long,
        env = "PEL_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,
    /// A file that holds the database URL
    #[arg(long, env = "PEL_DATABASE_URL_FILE", value_name = "FILE")]
    pub database_url_file: Option<PathBuf>,
    /// Connections to the database at once
    #[arg(
        long,
        env = "PEL_DATABASE_CONNECTIONS",
        value_name = "N",
        default_value_t = 20,
        value_parser = clap::value_parser!(u32).range(2..=1000)
    )]
    pub database_connections: u32,
    /// Folder with the PostgreSQL server programs [default: searched in PATH and where packages
    /// put them]
    #[arg(long, env = "PEL_POSTGRES_BIN", value_name = "FOLDER")]
    pub postgres_bin: Option<PathBuf>,
}

impl DatabaseConfig {
    /// The data folder.
    ///
    /// # Errors
    /// When it is not set and there is no home folder either.
    pub fn data_dir(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.data_dir {
            return Ok(folder.clone());
        }
        if rustix::process::geteuid().is_root() {
            return Ok(PathBuf::from("/var/lib/pel"));
        }
        let absolute = |name| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|p| p.is_absolute())
        };
        absolute("XDG_DATA_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
            .map(|share| share.join("pel"))
            .context("there is no home folder for pel's data; name a folder with --data-dir or PEL_DATA_DIR")
    }

    /// The database URL, from the setting or its file.
    ///
    /// # Errors
    /// When both are set, or the file cannot be read.
    pub fn url(&self) -> anyhow::Result<Option<String>> {
        let url = non_empty(self.database_url.as_deref());
        let Some(file) = self
            .database_url_file
            .as_deref()
            .filter(|f| !f.as_os_str().is_empty())
        else {
            return Ok(url);
        };
        if url.is_some() {
            bail!("PEL_DATABASE_URL and PEL_DATABASE_URL_FILE are both set; keep one of them");
        }
        read_secret(file, "PEL_DATABASE_URL_FILE").map(Some)
    }

    /// What [`postgres::Database::open`] needs.
    ///
    /// # Errors
    /// See [`Self::data_dir`] and [`Self::url`].
    pub fn settings(&self) -> anyhow::Result<postgres::Settings> {
        Ok(postgres::Settings {
            data_dir: self.data_dir()?,
            url: self.url()?,
            binaries: self.postgres_bin.clone(),
            max_connections: self.database_connections,
        })
    }
}

/// Where evidence files are kept.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Files")]
pub struct BlobsConfig {
    /// Where evidence files are kept: file:///folder, s3://bucket/prefix, gs://bucket/prefix or
    /// az://container/prefix [default: `blobs` in the data folder]. Keys for a bucket come from its
    /// usual variables (AWS_…, GOOGLE_…, AZURE_…)
    #[arg(long, env = "PEL_BLOBS_URL", value_name = "URL")]
    pub blobs_url: Option<String>,
}

impl BlobsConfig {
    /// The address, when one is set.
    pub fn url(&self) -> Option<String> {
        non_empty(self.blobs_url.as_deref())
    }

    /// Opens the store of evidence files; a folder is made if need be.
    ///
    /// # Errors
    /// When the URL cannot be read, its folder not made, or this build lacks its kind.
    pub fn open(&self, data_dir: &Path) -> anyhow::Result<Arc<dyn ObjectStore>> {
        let Some(text) = self.url() else {
            return open_folder(&data_dir.join("blobs"));
        };
        let url = Url::parse(&text).with_context(|| {
            format!("PEL_BLOBS_URL `{text}` is no URL; write e.g. s3://bucket/prefix")
        })?;
        if url.scheme() == "file" {
            let folder = url.to_file_path().map_err(|()| {
                anyhow::anyhow!("PEL_BLOBS_URL `{text}` names no folder here; write file:///folder")
            })?;
            return open_folder(&folder);
        }
        let settings = bucket_settings();
        let (store, prefix) = parse_url_opts(&url, settings).with_context(|| {
            format!(
                "PEL_BLOBS_URL `{text}` cannot be used; this pel knows {}",
                kinds()
            )
        })?;
        Ok(Arc::new(PrefixStore::new(store, prefix)))
    }
}

fn open_folder(folder: &Path) -> anyhow::Result<Arc<dyn ObjectStore>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let store = LocalFileSystem::new_with_prefix(folder)
        .with_context(|| format!("cannot open the folder {}", folder.display()))?;
    Ok(Arc::new(store.with_fsync(true)))
}

/// The environment's settings for buckets: those that name their provider, and no others, so that
/// a stray `TOKEN` or `REGION` of something else is not taken for one.
pub fn bucket_settings() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| {
            ["AWS_", "GOOGLE_", "AZURE_"]
                .iter()
                .any(|p| name.starts_with(p))
        })
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
}

/// The kinds of blob URL this build was made with.
fn kinds() -> String {
    let all = [
        ("file://", true),
        ("s3://", cfg!(feature = "s3")),
        ("gs://", cfg!(feature = "gcs")),
        ("az://", cfg!(feature = "azure")),
    ];
    let built = all
        .iter()
        .filter(|(_, built)| *built)
        .map(|(kind, _)| *kind);
    built.collect::<Vec<_>>().join(", ")
}

/// The address, and the people who come to it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Web")]
pub struct WebConfig {
    /// Address and port to listen on
    #[arg(
        long,
        env = "PEL_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: SocketAddr,
    /// The address people use, when a proxy stands in front, e.g. https://pel.example.org. With
    /// https, cookies are marked secure
    #[arg(long, env = "PEL_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    pub public_url: Option<Url>,
    /// The largest file that can be uploaded, e.g. 4GiB
    #[arg(long, env = "PEL_MAX_UPLOAD", value_name = "SIZE", default_value = "4GiB", value_parser = units::bytes)]
    pub max_upload: u64,
    /// A session ends after this long without use
    #[arg(long, env = "PEL_SESSION_IDLE", value_name = "TIME", default_value = "8h", value_parser = units::duration)]
    pub session_idle: Duration,
    /// A session ends after this long in any case
    #[arg(long, env = "PEL_SESSION_ABSOLUTE", value_name = "TIME", default_value = "7d", value_parser = units::duration)]
    pub session_absolute: Duration,
    /// A proxy of yours stands in front and states the client's address in X-Forwarded-For
    #[arg(long, env = "PEL_BEHIND_PROXY", value_parser = clap::builder::FalseyValueParser::new())]
    pub behind_proxy: bool,
    /// Fill an empty database with example cases and people
    #[arg(long, env = "PEL_DEMO", value_parser = clap::builder::FalseyValueParser::new())]
    pub demo: bool,
}

impl WebConfig {
    /// Whether people come by https, so that cookies must never travel without it.
    pub fn is_secure(&self) -> bool {
        self.public_url
            .as_ref()
            .is_some_and(|url| url.scheme() == "https")
    }
}

/// The address as people write it; a path would need every link to carry it.
fn public_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text)
        .map_err(|e| format!("{e}; write the whole address, e.g. https://pel.example.org"))?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.host().is_some()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty();
    match plain {
        true => Ok(url),
        false => {
            Err("only scheme, host and port belong here, e.g. https://pel.example.org".to_owned())
        }
    }
}

/// The work in the background.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Background work")]
pub struct WorkConfig {
    /// Evidence files read at the same time by this process; 0 leaves the work to `pel worker`
    #[arg(long, env = "PEL_WORKERS", value_name = "N", default_value_t = 2)]
    pub workers: usize,
    /// Memory that reading one file may take
    #[arg(long, env = "PEL_READER_MEMORY", value_name = "SIZE", default_value = "1GiB", value_parser = units::bytes)]
    pub reader_memory: u64,
    /// Processor time that reading one file may take
    #[arg(long, env = "PEL_READER_CPU", value_name = "TIME", default_value = "5min", value_parser = units::duration)]
    pub reader_cpu: Duration,
    /// Time by the clock that reading one file may take
    #[arg(long, env = "PEL_READER_TIME", value_name = "TIME", default_value = "10min", value_parser = units::duration)]
    pub reader_time: Duration,
}

/// What the program says about its own doings, on standard error.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Log")]
pub struct LogConfig {
    /// What is logged: error, warn, info, debug or trace, also per module (pel=debug,sqlx=warn)
    #[arg(
        long,
        env = "PEL_LOG",
        value_name = "FILTER",
        default_value = "info,sqlx=warn",
        global = true
    )]
    pub log: String,
    /// How log lines are written
    #[arg(
        long,
        env = "PEL_LOG_FORMAT",
        value_name = "FORMAT",
        default_value = "text",
        global = true
    )]
    pub log_format: LogFormat,
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line, for machines.
    Json,
}

impl LogConfig {
    /// Starts logging, once for the process.
    ///
    /// # Errors
    /// When the filter cannot be read.
    pub fn start(&self) -> anyhow::Result<()> {
        let filter = tracing_subscriber::EnvFilter::try_new(&self.log)
            .with_context(|| format!("PEL_LOG `{}` cannot be read", self.log))?;
        let lines = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr);
        let started = match self.log_format {
            LogFormat::Text => lines
                .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
                .try_init(),
            LogFormat::Json => lines.json().try_init(),
        };
        started.map_err(|e| anyhow::anyhow!("logging cannot start: {e}"))
    }
}

/// The text of a file that holds one secret.
fn read_secret(file: &Path, name: &str) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{name}: cannot read {}", file.display()))?;
    non_empty(Some(&text)).with_context(|| format!("{name}: {} is empty", file.display()))
}

/// An empty text counts as not set, as compose files write it.
fn non_empty(text: Option<&str>) -> Option<String> {
    text.map(str::trim)
        .filter(|t| !t.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests;
