//! What the reader process does to itself before it opens a file that came from outside.
//!
//! Limits first, then Landlock (only the given files can be opened, only for reading, no TCP),
//! then no privileges (root becomes `nobody`), then a seccomp filter that leaves the few system
//! calls a single-threaded reader needs. A kernel that lacks a measure does not stop the reader:
//! the measure is reported as missing in [`CageReport`], and the others hold.
//!
//! Root keeps one capability if and only if Landlock holds: reading past file permissions, so that
//! the evidence folder need not be open to `nobody`; Landlock narrows it to the given files.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use thiserror::Error;

/// What was applied. One line of it opens the reader's standard error, see [`REPORT_PREFIX`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CageReport {
    /// Memory, processor time, open files, written files, processes and core dumps are limited.
    pub limits: bool,
    /// No other file can be opened.
    pub landlock: bool,
    /// The process neither is root nor holds root's powers (except the one told above).
    pub user: bool,
    /// System calls are filtered: no network, no program, no second process.
    pub seccomp: bool,
}

impl CageReport {
    /// Whether every measure holds.
    pub fn complete(self) -> bool {
        self.limits && self.landlock && self.user && self.seccomp
    }
}

/// Begins the line of standard error that carries a [`CageReport`] as JSON.
pub const REPORT_PREFIX: &str = "pel-cage: ";

/// The limits the reader puts on itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Address space, bytes.
    pub memory_bytes: u64,
    /// Processor time, seconds.
    pub cpu_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 1 << 30,
            cpu_seconds: 300,
        }
    }
}

/// Why a reader cannot work inside its sandbox.
#[derive(Debug, Error)]
pub enum Error {
    /// The user the reader runs as may not open a file it is to read.
    #[error(
        "{path} cannot be opened by the reader's user (nobody): {error}; run pel as a user of its \
         own, or let other users pass through the folders above it"
    )]
    Unreadable {
        /// The file.
        path: String,
        /// The system's reason.
        error: std::io::Error,
    },
}

/// Confines the calling process for good. Call it before any thread is started and before any
/// file is opened; `files` are all that can be opened afterwards.
///
/// # Errors
/// When root's privileges are gone and with them the access to one of `files`.
#[cfg(target_os = "linux")]
pub fn enter(limits: Limits, files: &[PathBuf]) -> Result<CageReport, Error> {
    let alone = linux::single_threaded();
    let mut report = CageReport {
        limits: linux::limit(limits).is_ok(),
        landlock: alone && linux::landlock(files),
        ..CageReport::default()
    };
    report.user = alone && linux::drop_privileges(report.landlock);
    for path in files {
        // Files that are not there are the reader's to refuse.
        if let Err(error) = std::fs::File::open(path)
            && error.kind() == std::io::ErrorKind::PermissionDenied
            && report.user
        {
            let path = path.display().to_string();
            return Err(Error::Unreadable { path, error });
        }
    }
    report.seccomp = super::seccomp::apply();
    Ok(report)
}

/// Elsewhere there is nothing to confine with; the report says so.
///
/// # Errors
/// None here.
#[cfg(not(target_os = "linux"))]
pub fn enter(_limits: Limits, _files: &[PathBuf]) -> Result<CageReport, Error> {
    Ok(CageReport::default())
}

#[cfg(target_os = "linux")]
mod linux {
    use super::Limits;
    use landlock::{
        ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    };
    use rustix::{
        fs::{FileType, fstat},
        process::{Gid, Resource, Rlimit, Uid, geteuid, setrlimit},
        thread::{
            CapabilitySet, CapabilitySets, set_capabilities, set_keep_capabilities,
            set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
        },
    };
    use std::path::PathBuf;

    /// User and group `nobody`; the number is the kernel's own overflow id.
    const NOBODY: u32 = 65_534;
    /// Open files beside the ones to read: the standard three and what a database reader needs.
    const OPEN_FILES: u64 = 32;

    /// Length of an output that a person sends to a file, bytes. The parent reads a pipe.
    const OUTPUT_BYTES: u64 = 64 << 20;

    fn writes_to_a_file() -> bool {
        let regular = |stat: rustix::io::Result<rustix::fs::Stat>| {
            stat.is_ok_and(|s| FileType::from_raw_mode(s.st_mode) == FileType::RegularFile)
        };
        regular(fstat(std::io::stdout())) || regular(fstat(std::io::stderr()))
    }

    /// Whether this thread is the process's only one: user and Landlock change one thread.
    pub(super) fn single_threaded() -> bool {
        std::fs::read_dir("/proc/self/task").is_ok_and(|tasks| tasks.count() == 1)
    }

    pub(super) fn limit(limits: Limits) -> rustix::io::Result<()> {
        let set = |resource, soft: u64, hard: u64| {
            let limit = Rlimit {
                current: Some(soft),
                maximum: Some(hard),
            };
            setrlimit(resource, limit)
        };
        set(Resource::Core, 0, 0)?;
        set(Resource::As, limits.memory_bytes, limits.memory_bytes)?;
        // The soft limit ends the process with a signal that says why.
        set(Resource::Cpu, limits.cpu_seconds, limits.cpu_seconds + 1)?;
        set(Resource::Nofile, OPEN_FILES, OPEN_FILES)?;
        let written = if writes_to_a_file() { OUTPUT_BYTES } else { 0 };
        set(Resource::Fsize, written, written)?;
        set(Resource::Nproc, 0, 0)?;
        set_no_new_privs(true)
    }

    pub(super) fn landlock(files: &[PathBuf]) -> bool {
        let restrict = || -> Result<RulesetStatus, RulesetError> {
            let abi = ABI::V6;
            let mut rules = Ruleset::default()
                .handle_access(AccessFs::from_all(abi))?
                .handle_access(AccessNet::from_all(abi))?
                .scope(Scope::from_all(abi))?
                .create()?;
            for file in files.iter().filter_map(|path| PathFd::new(path).ok()) {
                rules = rules.add_rule(PathBeneath::new(file, AccessFs::ReadFile))?;
            }
            Ok(rules.restrict_self()?.ruleset)
        };
        matches!(
            restrict(),
            Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced)
        )
    }

    /// Leaves root behind. True when the process holds no privilege beyond reading the files.
    pub(super) fn drop_privileges(may_read_past_permissions: bool) -> bool {
        let root = geteuid().is_root();
        let keep = match root && may_read_past_permissions {
            true => CapabilitySet::DAC_READ_SEARCH,
            false => CapabilitySet::empty(),
        };
        let user = || -> rustix::io::Result<()> {
            let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
            set_keep_capabilities(true)?;
            set_thread_groups(&[])?;
            set_thread_res_gid(gid, gid, gid)?;
            set_thread_res_uid(uid, uid, uid)
        };
        let left_root = !root || user().is_ok();
        let sets = CapabilitySets {
            effective: keep,
            permitted: keep,
            inheritable: CapabilitySet::empty(),
        };
        // A container may have taken the capability already; then nothing is kept.
        let none = CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::empty(),
            inheritable: CapabilitySet::empty(),
        };
        let dropped = set_capabilities(None, sets).is_ok() || set_capabilities(None, none).is_ok();
        left_root && dropped
    }
}
