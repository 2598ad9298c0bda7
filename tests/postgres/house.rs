//! A data folder of its own for one test, and `pel` processes that work on it.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long a test waits for anything before it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A data folder; what still runs in it is ended with this value.
pub struct House {
    folder: tempfile::TempDir,
    inside: PathBuf,
    program: PathBuf,
    user: Option<u32>,
}

impl House {
    pub fn new() -> Self {
        Self::at("data")
    }

    /// A data folder under a name of the test's choice.
    pub fn at(inside: &str) -> Self {
        // In /tmp and open, because the server's account must get there when tests run as root.
        let folder = tempfile::Builder::new().tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Self {
            inside: folder.path().join(inside),
            folder,
            program: PathBuf::from(env!("CARGO_BIN_EXE_pel")),
            user: None,
        }
    }

    /// The same, with `pel` running as another user, for tests that run as root.
    pub fn of_user(user: u32) -> Self {
        let mut house = Self::new();
        house.program = house.folder.path().join("pel");
        fs::copy(env!("CARGO_BIN_EXE_pel"), &house.program).unwrap();
        fs::create_dir(house.data()).unwrap();
        std::os::unix::fs::chown(house.data(), Some(user), Some(user)).unwrap();
        house.user = Some(user);
        house
    }

    pub fn data(&self) -> &Path {
        &self.inside
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn cluster(&self) -> PathBuf {
        self.data().join("postgres")
    }

    /// A command of `pel` on this folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .env_remove("PEL_DATABASE_URL")
            .env("PEL_DATA_DIR", self.data())
            .env("PEL_LISTEN", "127.0.0.1:0")
            .env("PEL_LOG", "info")
            .current_dir("/")
            .stdin(Stdio::null());
        if let Some(user) = self.user {
            command.gid(user).uid(user);
        }
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Starts `pel serve` and does not wait for it.
    pub fn spawn(&self) -> Child {
        let mut command = self.command(&["serve"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Starts `pel serve` and waits until it says that it is ready.
    pub fn serve(&self) -> Serving {
        let since = Instant::now();
        let mut child = self.spawn();
        let (out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (tell, hear) = mpsc::sync_channel(4);
        std::thread::spawn(move || {
            let first = BufReader::new(out).lines().next();
            let _ = tell.send(first.and_then(Result::ok));
        });
        let words = std::thread::spawn(move || {
            let mut words = String::new();
            let _ = err.read_to_string(&mut words);
            words
        });
        let line = hear.recv_timeout(PATIENCE).ok().flatten();
        let Some(line) = line else {
            let _ = child.kill();
            let _ = child.wait();
            panic!("pel serve did not start: {}", words.join().unwrap());
        };
        let address = line.strip_prefix("pel is ready at http://").unwrap();
        Serving {
            address: address.to_owned(),
            took: since.elapsed(),
            server: self.server_pid().expect("a server runs"),
            child,
            words: Some(words),
        }
    }

    /// Process id in the server's pid file.
    pub fn server_pid(&self) -> Option<i32> {
        let text = fs::read_to_string(self.cluster().join("postmaster.pid")).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    /// Every process that works in the cluster.
    pub fn processes(&self) -> Vec<i32> {
        let cluster = fs::canonicalize(self.cluster()).unwrap_or_default();
        fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|f| f == cluster))
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect()
    }

    /// Waits until no process works in the cluster.
    pub fn wait_until_quiet(&self) {
        wait(|| self.processes().is_empty(), "the server ends");
    }
}

impl Drop for House {
    fn drop(&mut self) {
        for pid in self.processes() {
            kill(pid, Signal::KILL);
        }
    }
}

/// A `pel serve` that is ready.
pub struct Serving {
    pub address: String,
    pub took: Duration,
    pub server: i32,
    child: Child,
    words: Option<std::thread::JoinHandle<String>>,
}

impl Serving {
    pub fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap()
    }

    /// Sends a signal and waits for the end: exit code and what it said on standard error.
    pub fn end(mut self, signal: Signal) -> (Option<i32>, String) {
        kill(self.pid(), signal);
        let status = wait_for(&mut self.child);
        let words = self.words.take().unwrap().join().unwrap();
        (status.code(), words)
    }

    /// Status code of a GET.
    pub fn get(&self, path: &str) -> u16 {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

pub fn kill(pid: i32, signal: Signal) {
    let _ = kill_process(Pid::from_raw(pid).unwrap(), signal);
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Waits for a process, not for ever.
pub fn wait_for(child: &mut Child) -> std::process::ExitStatus {
    let mut status = None;
    wait(
        || {
            status = child.try_wait().unwrap();
            status.is_some()
        },
        "the process ends",
    );
    status.unwrap()
}

/// Waits until something is so, and fails when it never is.
pub fn wait(mut is_so: impl FnMut() -> bool, what: &str) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a command said on standard error.
pub fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
