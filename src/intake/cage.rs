//! The cage: evidence is read by another process of this same program, and whatever that process
//! does (loops, breaks, takes all memory, writes without end) fails that one item with a reason.
//!
//! The reader is `pel inspect --json --sandbox` with an empty environment (no database address,
//! no credentials), the folder `/`, no input, and a process group of its own. It confines itself
//! before it opens a file ([`super::sandbox`]); this side holds what it cannot hold itself: the
//! wall clock and the size of what it says. Dropping a [`Cage::read`] kills the reader.
//!
//! A service that runs as root needs no open folders: the reader, still root, fixes by Landlock
//! which files can be opened, then becomes `nobody`. Files are given by path; no descriptor is
//! handed over, so none can leak into other children.

use super::sandbox::{CageReport, Limits, REPORT_PREFIX};
use pel_evidence::{Options, Reading, Refusal, Source, reading::SCHEMA, reading::tame};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, Command},
};

/// How the reader process is started and where it ends.
#[derive(Debug, Clone)]
pub struct Cage {
    /// The program; by default the one that runs now, even if its file was replaced since.
    pub program: PathBuf,
    /// Arguments before the cage's own; by default `inspect`.
    pub arguments: Vec<OsString>,
    /// What the reader imposes on itself.
    pub limits: Limits,
    /// Longest time a reading may take.
    pub time: Duration,
    /// Longest result, bytes.
    pub output_bytes: u64,
    /// Longest talk on standard error that is kept, bytes; the rest is read and thrown away.
    pub talk_bytes: u64,
}

impl Default for Cage {
    fn default() -> Self {
        Self {
            program: own_program(),
            arguments: vec!["inspect".into()],
            limits: Limits::default(),
            time: Duration::from_secs(600),
            output_bytes: 64 << 20,
            talk_bytes: 64 << 10,
        }
    }
}

#[cfg(target_os = "linux")]
fn own_program() -> PathBuf {
    "/proc/self/exe".into()
}

#[cfg(not(target_os = "linux"))]
fn own_program() -> PathBuf {
    // Without a path of its own the start fails, and says so.
    std::env::current_exe().unwrap_or_default()
}

/// How a reading ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The files were read.
    Read(Box<Reading>),
    /// The files were refused, with the reason and the way out.
    Refused(Refusal),
    /// The reader failed; says nothing about the files' content.
    Failed(Failure),
}

/// Why the reader failed: message `code` of the catalogues, way out `code`-remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Message key, `reader-failed-…`.
    pub code: &'static str,
    /// Named arguments of the message.
    pub args: BTreeMap<String, String>,
}

impl Failure {
    fn new(code: &'static str) -> Self {
        let args = BTreeMap::new();
        Self { code, args }
    }

    fn arg(mut self, name: &str, value: impl ToString) -> Self {
        self.args.insert(name.to_owned(), tame(&value.to_string()));
        self
    }

    /// Whether the same reading may succeed later: only the machine stood in the way.
    pub fn may_pass(&self) -> bool {
        matches!(self.code, "reader-failed-start" | "reader-failed-killed")
    }
}

/// An outcome with what is known of the cage it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Caged {
    /// How it ended.
    pub outcome: Outcome,
    /// Which measures held; `None` when the reader ended before it could say.
    pub report: Option<CageReport>,
}

impl Cage {
    /// Reads the files of one run.
    pub async fn read(&self, sources: &[Source], options: &Options) -> Caged {
        let mut child = match self.command(sources, options).spawn() {
            Ok(child) => child,
            Err(error) => return failed(Failure::new("reader-failed-start").arg("detail", error)),
        };
        let group = Group::of(&child);
        let heard = tokio::time::timeout(self.time, self.listen(&mut child)).await;
        // Killing the whole group also ends what a reader without a filter may have started.
        drop(group);
        let ended = match heard {
            Ok(Ok(ended)) => ended,
            Ok(Err(Cut::TooLong)) => {
                let limit = bytes(self.output_bytes);
                return failed(Failure::new("reader-failed-output").arg("limit", limit));
            }
            Ok(Err(Cut::Io(error))) => {
                return failed(Failure::new("reader-failed-answer").arg("detail", error));
            }
            Err(_) => return failed(too_slow(self.time.as_secs_f64())),
        };
        let (report, talk) = split_report(&ended.talk);
        Caged {
            outcome: self.judge(&ended, &talk),
            report,
        }
    }

    fn command(&self, sources: &[Source], options: &Options) -> Command {
        let mut command = Command::new(&self.program);
        command
            .arg0("pel-reader")
            .args(&self.arguments)
            .args(["--json", "--sandbox"])
            .arg(format!("--sandbox-memory={}", self.limits.memory_bytes))
            .arg(format!("--sandbox-cpu={}", self.limits.cpu_seconds));
        if let Some(seconds) = options.interval_seconds {
            command.arg(format!("--interval={seconds}s"));
        }
        if options.ask {
            command.arg("--ask");
        }
        if let Some(mapping) = &options.mapping
            && let Ok(json) = serde_json::to_string(mapping)
        {
            command.arg(format!("--mapping={json}"));
        }
        for source in sources {
            command.arg(format!("--name={}", source.name));
        }
        command
            .arg("--")
            .args(sources.iter().map(|s| absolute(&s.path)))
            .env_clear()
            .current_dir("/")
            .process_group(0)
            .kill_on_drop(true)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Takes in both outputs and waits for the end.
    async fn listen(&self, child: &mut Child) -> Result<Ended, Cut> {
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let said = async {
            match take(out, self.output_bytes, Beyond::Stop).await? {
                (said, false) => Ok(said),
                (_, true) => Err(Cut::TooLong),
            }
        };
        let talk = async { Ok(take(err, self.talk_bytes, Beyond::Discard).await?.0) };
        let (said, talk) = tokio::try_join!(said, talk)?;
        let status = child.wait().await?;
        Ok(Ended { status, said, talk })
    }

    fn judge(&self, ended: &Ended, talk: &str) -> Outcome {
        #[derive(Deserialize)]
        struct Answer {
            refusal: Refusal,
        }
        let unusable = |error: serde_json::Error| {
            Outcome::Failed(Failure::new("reader-failed-answer").arg("detail", error))
        };
        match ended.status.code() {
            Some(0) => match serde_json::from_slice::<Reading>(&ended.said) {
                Ok(reading) if reading.schema == SCHEMA => Outcome::Read(Box::new(reading)),
                Ok(reading) => Outcome::Failed(
                    Failure::new("reader-failed-answer").arg("detail", reading.schema),
                ),
                Err(error) => unusable(error),
            },
            Some(2) => match serde_json::from_slice::<Answer>(&ended.said) {
                Ok(answer) => Outcome::Refused(answer.refusal),
                Err(error) => unusable(error),
            },
            Some(exit) => Outcome::Failed(
                Failure::new("reader-failed-own")
                    .arg("exit", exit)
                    .arg("detail", talk),
            ),
            None => Outcome::Failed(self.struck(ended.status, talk)),
        }
    }

    /// The failure behind a signal.
    fn struck(&self, status: ExitStatus, talk: &str) -> Failure {
        match status.signal() {
            Some(libc::SIGXCPU) => too_slow(self.limits.cpu_seconds as f64),
            Some(libc::SIGABRT) if talk.contains("memory allocation of") => {
                Failure::new("reader-failed-memory").arg("limit", bytes(self.limits.memory_bytes))
            }
            // Nothing of the reader's own ends this way: the kernel was short of memory for
            // everybody, or a person killed it.
            Some(libc::SIGKILL) => Failure::new("reader-failed-killed"),
            signal => Failure::new("reader-failed-crash")
                .arg("signal", signal_name(signal))
                .arg("detail", talk),
        }
    }
}

/// The reader stands in `/`, so a relative path would mean another file there.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// What came back from a reader that ended by itself.
struct Ended {
    status: ExitStatus,
    said: Vec<u8>,
    talk: Vec<u8>,
}

/// Why listening ended before the reader did.
enum Cut {
    TooLong,
    Io(std::io::Error),
}

impl From<std::io::Error> for Cut {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// What to do with bytes beyond the limit.
#[derive(PartialEq)]
enum Beyond {
    Stop,
    Discard,
}

/// Reads up to `limit` bytes; true when there were more.
async fn take(
    from: Option<impl AsyncRead + Unpin>,
    limit: u64,
    beyond: Beyond,
) -> std::io::Result<(Vec<u8>, bool)> {
    let Some(mut from) = from else {
        return Ok((vec![], false));
    };
    let mut kept = Vec::new();
    (&mut from).take(limit).read_to_end(&mut kept).await?;
    let mut rest = [0; 4096];
    let mut more = false;
    while from.read(&mut rest).await? > 0 {
        more = true;
        if beyond == Beyond::Stop {
            break;
        }
    }
    Ok((kept, more))
}

/// Takes the cage's report off the talk, which is otherwise for people.
fn split_report(talk: &[u8]) -> (Option<CageReport>, String) {
    let talk = String::from_utf8_lossy(talk);
    let (first, rest) = talk.split_once('\n').unwrap_or((&talk, ""));
    match first.strip_prefix(REPORT_PREFIX).map(serde_json::from_str) {
        Some(Ok(report)) => (Some(report), rest.trim().to_owned()),
        _ => (None, talk.trim().to_owned()),
    }
}

fn failed(failure: Failure) -> Caged {
    Caged {
        outcome: Outcome::Failed(failure),
        report: None,
    }
}

fn too_slow(seconds: f64) -> Failure {
    Failure::new("reader-failed-time").arg("seconds", seconds)
}

fn bytes(n: u64) -> String {
    match n {
        n if n >= 1 << 20 => format!("{} MiB", n >> 20),
        n => format!("{n} B"),
    }
}

fn signal_name(signal: Option<i32>) -> String {
    let name = match signal {
        Some(libc::SIGILL) => "SIGILL",
        Some(libc::SIGABRT) => "SIGABRT",
        Some(libc::SIGBUS) => "SIGBUS",
        Some(libc::SIGFPE) => "SIGFPE",
        Some(libc::SIGSEGV) => "SIGSEGV",
        Some(libc::SIGSYS) => "SIGSYS",
        Some(libc::SIGTERM) => "SIGTERM",
        Some(libc::SIGXFSZ) => "SIGXFSZ",
        Some(other) => return format!("signal {other}"),
        None => "?",
    };
    name.to_owned()
}

/// The reader's process group, killed when this goes.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // The group may be gone already, which is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
