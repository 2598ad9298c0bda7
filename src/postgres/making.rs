//! Makes a cluster and starts its server: the programs, their arguments and their surroundings.

use super::binaries::{self, Binaries};
use super::error::{Error, Result, file};
use super::place::{Account, Place, SOCKET_NAME, give, write_private};
use super::private::{Durability, NAME, TICK};
use super::processes::{any_on, signal};
use rustix::process::Signal;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A log larger than this, in bytes, is put aside at the next start.
const LOG_MAX: u64 = 16 << 20;

/// The installed server that fits the cluster, or the newest for a new one.
pub(super) fn choose(cluster: &Path, only: Option<&Path>) -> Result<Binaries> {
    let found = binaries::find(only)?;
    let Ok(version) = fs::read_to_string(cluster.join("PG_VERSION")) else {
        return found.into_iter().next().ok_or(Error::NoBinaries);
    };
    let version = version.trim();
    let fits = found.iter().find(|b| b.major.to_string() == version);
    fits.cloned().ok_or_else(|| Error::OtherMajor {
        folder: cluster.to_owned(),
        found: version.to_owned(),
        installed: found
            .iter()
            .map(|b| b.major.to_string())
            .collect::<Vec<_>>()
            .join(", "),
    })
}

/// Makes the cluster in a folder of its own and renames it into place, so that one that was cut
/// short is never mistaken for a whole one.
pub(super) async fn initialise(
    place: &Place,
    binaries: &Binaries,
    account: Option<&Account>,
    password: &str,
    durability: Durability,
) -> Result<()> {
    for entry in fs::read_dir(place.root())
        .map_err(file("cannot open", place.root()))?
        .flatten()
    {
        if entry.file_name().to_string_lossy().starts_with(".initdb-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    let new = tempfile::Builder::new()
        .prefix(".initdb-")
        .tempdir_in(place.root())
        .map_err(file("cannot write in", place.root()))?;
    give(new.path(), account)?;
    let (cluster, secret) = (new.path().join("postgres"), new.path().join("password"));
    write_private(&secret, password, account)?;
    let mut command = Command::new(binaries.program("initdb"));
    command
        .arg("--pgdata")
        .arg(&cluster)
        .arg("--pwfile")
        .arg(&secret)
        .args(["--username", NAME, "--auth", "scram-sha-256"])
        .args(["--encoding", "UTF8", "--data-checksums", "--locale", "C"]);
    if cfg!(target_os = "linux") {
        command.args(["--lc-ctype", "C.UTF-8"]);
    }
    if durability == Durability::Thrown {
        command.arg("--no-sync");
    }
    let mut child = Cut(quiet(&mut command, place, account)?
        .process_group(0)
        .spawn()
        .map_err(file("cannot run", binaries.program("initdb")))?);
    let status = loop {
        match child
            .0
            .try_wait()
            .map_err(file("cannot wait for", &cluster))?
        {
            Some(status) => break status,
            None => tokio::time::sleep(TICK).await,
        }
    };
    if !status.success() {
        return Err(failed("initdb", &status.to_string(), &place.log()));
    }
    let rules = cluster.join("pg_hba.conf");
    fs::write(
        &rules,
        "# Written by pel: the socket is the only way in.\nlocal all all scram-sha-256\n",
    )
    .map_err(file("cannot write", &rules))?;
    fs::rename(&cluster, place.cluster()).map_err(file("cannot make", place.cluster()))?;
    if durability == Durability::Kept {
        let synced = File::open(place.root()).and_then(|folder| folder.sync_all());
        synced.map_err(file("cannot write", place.root()))?;
    }
    Ok(())
}

/// After a server was killed its workers end by themselves; a new one must not start before that.
pub(super) async fn wait_until_left(cluster: &Path) -> Result<()> {
    let since = Instant::now();
    while let Some(pid) = any_on(cluster) {
        if since.elapsed() > Duration::from_secs(10) {
            return Err(Error::Stray {
                pid,
                folder: cluster.to_owned(),
            });
        }
        tokio::time::sleep(TICK).await;
    }
    Ok(())
}

/// Removes the lock files that a killed server left, once nobody works on the cluster: in a
/// container the process number in them soon belongs to somebody else, or to nobody who was waited
/// for, and either would keep the server from starting.
pub(super) async fn clear_remains(cluster: &Path, socket: &Path) -> Result<()> {
    wait_until_left(cluster).await?;
    if cfg!(target_os = "linux") {
        let lock = socket.join(format!("{SOCKET_NAME}.lock"));
        for left in [cluster.join("postmaster.pid"), lock] {
            let _ = fs::remove_file(left);
        }
    }
    Ok(())
}

/// An `initdb` that is ended when nobody waits for it any more.
struct Cut(Child);

impl Drop for Cut {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            if let Ok(pid) = i32::try_from(self.0.id()) {
                signal(pid, Signal::TERM); // it removes what it made
            }
            let _ = self.0.wait();
        }
    }
}

/// Starts the server as a process group of its own.
pub(super) fn spawn(
    place: &Place,
    binaries: &Binaries,
    account: Option<&Account>,
    socket: &Path,
    durability: Durability,
) -> Result<Child> {
    let quoted = socket.to_string_lossy().replace('"', "\"\"");
    let mut settings = vec![
        "listen_addresses=".to_owned(),
        format!("unix_socket_directories=\"{quoted}\""),
        "unix_socket_permissions=0700".to_owned(),
        "port=5432".to_owned(),
        "timezone=UTC".to_owned(),
        "log_timezone=UTC".to_owned(),
        "logging_collector=off".to_owned(),
        "log_destination=stderr".to_owned(),
    ];
    let disk = match durability {
        Durability::Kept => "on",
        Durability::Thrown => "off",
    };
    settings.extend(
        ["fsync", "full_page_writes", "synchronous_commit"].map(|name| format!("{name}={disk}")),
    );
    let mut command = Command::new(binaries.program("postgres"));
    command.arg("-D").arg(place.cluster());
    for setting in settings {
        command.arg("-c").arg(setting);
    }
    quiet(&mut command, place, account)?
        .process_group(0)
        .spawn()
        .map_err(file("cannot run", binaries.program("postgres")))
}

/// The surroundings of a server program: no input, its words into our log, nothing of our
/// environment but the search path, and never root.
fn quiet<'a>(
    command: &'a mut Command,
    place: &Place,
    account: Option<&Account>,
) -> Result<&'a mut Command> {
    let path = place.log();
    if fs::metadata(&path).is_ok_and(|m| m.len() > LOG_MAX) {
        let _ = fs::rename(&path, path.with_extension("log.old"));
    }
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(&path)
        .map_err(file("cannot write", &path))?;
    let twin = log.try_clone().map_err(file("cannot write", &path))?;
    command
        .current_dir("/")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(twin);
    if let Some(account) = account {
        command.gid(account.gid).uid(account.uid);
    }
    Ok(command)
}

/// The error of a program that failed, with the end of its log.
pub(super) fn failed(command: &'static str, status: &str, log: &Path) -> Error {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    Error::Failed {
        command,
        status: status.to_owned(),
        log: PathBuf::from(log),
        tail: lines[lines.len().saturating_sub(8)..].join("\n"),
    }
}
