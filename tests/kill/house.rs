//! The program on a data folder of its own, started as people start it and ended as a power cut,
//! an impatient operator or the kernel's memory killer ends it.

use rustix::process::{Pid, Signal, kill_process};
use sqlx::{Connection as _, PgConnection};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a start may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// A data folder with the service that works on it.
pub struct House {
    folder: tempfile::TempDir,
    serving: Option<Child>,
    /// Where the service answers; `None` while it does not.
    address: watch::Sender<Option<String>>,
    url: Option<String>,
}

impl House {
    pub fn new() -> Self {
        // In /tmp and open: started as root, the server and the readers run as somebody else.
        let folder = tempfile::Builder::new()
            .prefix("pel-kill-")
            .tempdir_in("/tmp")
            .unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Self {
            folder,
            serving: None,
            address: watch::Sender::new(None),
            url: None,
        }
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn address(&self) -> watch::Receiver<Option<String>> {
        self.address.subscribe()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pel"));
        command
            .args(args)
            .env_remove("PEL_DATABASE_URL")
            .env("PEL_DATA_DIR", self.data())
            .env("PEL_LISTEN", "127.0.0.1:0")
            .current_dir("/")
            .stdin(Stdio::null());
        command
    }

    /// Runs a command of the program to its end.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Starts the service without waiting for it; what it prints comes out of the receiver.
    pub fn spawn(&mut self) -> mpsc::Receiver<String> {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log_path())
            .unwrap();
        let mut command = self.command(&["serve"]);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (tell, hear) = mpsc::channel();
        std::thread::spawn(move || {
            // Read to the end, so that the service never writes into a closed pipe.
            for line in lines.map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        self.serving = Some(child);
        hear
    }

    /// Starts the service, waits until it answers, and tells the clients where.
    pub fn start(&mut self) {
        let lines = self.spawn();
        let since = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(since.elapsed());
            let Ok(line) = lines.recv_timeout(left) else {
                panic!("pel serve did not start:\n{}", self.last_words());
            };
            if let Some(address) = line.strip_prefix("pel is ready at http://") {
                self.address.send_replace(Some(address.to_owned()));
                return;
            }
        }
    }

    /// Process id of the service.
    pub fn pid(&self) -> i32 {
        let child = self.serving.as_ref().expect("the service was started");
        i32::try_from(child.id()).unwrap()
    }

    /// Kills the service.
    pub fn kill(&mut self) {
        self.address.send_replace(None);
        kill(self.pid());
        let mut child = self.serving.take().expect("the service was started");
        child.wait().unwrap();
    }

    /// Asks the service to stop and waits for its end: whether it went in order.
    pub fn stop(&mut self) -> bool {
        self.address.send_replace(None);
        let mut child = self.serving.take().expect("the service was started");
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
        child.wait().unwrap().success()
    }

    /// Process id of the database server.
    pub fn postmaster(&self) -> Option<i32> {
        let file = self.data().join("postgres/postmaster.pid");
        let text = fs::read_to_string(file).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    /// Readers at work for this folder, whoever their parent is by now.
    pub fn readers(&self) -> Vec<i32> {
        let data = self.data().display().to_string();
        let Ok(processes) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        processes
            .flatten()
            .filter(|entry| {
                let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                line.starts_with(b"pel-reader\0") && String::from_utf8_lossy(&line).contains(&data)
            })
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect()
    }

    /// A connection to the private database as its owner.
    pub async fn database(&mut self) -> PgConnection {
        if self.url.is_none() {
            let out = self.run(&["db", "url"]);
            assert!(out.status.success(), "{}", self.last_words());
            let url = String::from_utf8(out.stdout).unwrap();
            self.url = Some(url.trim().to_owned());
        }
        let url = self.url.as_deref().expect("asked for above");
        PgConnection::connect(url).await.unwrap()
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// The end of the service's log.
    pub fn last_words(&self) -> String {
        let log = fs::read_to_string(self.log_path()).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(60)..].join("\n")
    }

    fn cluster_processes(&self) -> Vec<i32> {
        let cluster = fs::canonicalize(self.data().join("postgres")).unwrap_or_default();
        let in_cluster = |entry: &fs::DirEntry| {
            fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == cluster)
        };
        fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter(in_cluster)
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(mut child) = self.serving.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        for pid in self.cluster_processes().into_iter().chain(self.readers()) {
            kill(pid);
        }
        if std::thread::panicking() {
            eprintln!("{}", self.last_words());
        }
    }
}

/// Kills a process that may be gone.
pub fn kill(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Files below a folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}
