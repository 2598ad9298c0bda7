//! What the system knows about server processes: the pid file, who is alive, who works on a cluster.

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::path::{Path, PathBuf};

/// What the server writes into `postmaster.pid`, as far as it has got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PidFile {
    /// Process id of the server.
    pub pid: i32,
    /// Folder of its socket.
    pub socket: PathBuf,
    /// Whether it says that it takes connections.
    pub ready: bool,
}

impl PidFile {
    /// Reads the file of a cluster; `None` when there is none, or only its beginning.
    pub fn read(cluster: &Path) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(cluster.join("postmaster.pid")).ok()?)
    }

    /// Lines: pid, data folder, start time, port, socket folder, TCP address, memory key, status.
    fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        Some(Self {
            pid: lines.first()?.parse().ok()?,
            socket: PathBuf::from(lines.get(4).copied().unwrap_or_default()),
            ready: lines.get(7).copied() == Some("ready"),
        })
    }
}

/// Whether a process exists. One that has ended and was not waited for yet does not count.
pub fn is_alive(pid: i32) -> bool {
    let there = Pid::from_raw(pid).is_some_and(|pid| {
        // A process of another user answers "not permitted", so it exists.
        matches!(
            test_kill_process(pid),
            Ok(()) | Err(rustix::io::Errno::PERM)
        )
    });
    there && !is_zombie(pid)
}

fn is_zombie(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')')
        .is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
}

/// Sends a signal; a process that is gone already is no error.
pub fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, signal);
    }
}

/// Whether `pid` is a server process of this cluster. Process ids are used again, in containers
/// within seconds, so the pid file alone proves nothing.
pub fn works_on(pid: i32, cluster: &Path) -> bool {
    if !is_alive(pid) {
        return false;
    }
    if !cfg!(target_os = "linux") {
        return true;
    }
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    let folder = std::fs::read_link(format!("/proc/{pid}/cwd"));
    matches!(name.trim(), "postgres" | "postmaster") && folder.is_ok_and(|f| f == cluster)
}

/// Any server process, leader or not, that still works on the cluster (Linux only).
pub fn any_on(cluster: &Path) -> Option<i32> {
    let entries = std::fs::read_dir("/proc").ok()?;
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .find(|pid| works_on(*pid, cluster))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pid_file_is_read_as_far_as_it_is_written() {
        let whole =
            "4711\n/d/postgres\n1700000000\n5432\n/d/socket\n\n  1234  56\nready   \n".to_owned();
        let read = PidFile::parse(&whole).unwrap();
        assert_eq!(
            (read.pid, read.ready, read.socket.to_str()),
            (4711, true, Some("/d/socket"))
        );
        assert!(
            !PidFile::parse(&whole.replace("ready   ", "starting"))
                .unwrap()
                .ready
        );
        assert!(!PidFile::parse("4711\n/d/postgres\n").unwrap().ready);
        assert_eq!(PidFile::parse(""), None);
    }

    #[test]
    fn this_process_is_alive_and_no_server() {
        let me = i32::try_from(std::process::id()).unwrap();
        assert!(is_alive(me));
        assert!(!works_on(me, Path::new("/")));
        assert!(!is_alive(i32::MAX));
    }
}
