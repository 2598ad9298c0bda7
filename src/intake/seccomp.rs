//! The system calls that remain for a caged reader, and nothing else.
//!
//! A list of what is allowed, not of what is forbidden: calls that do not exist yet are closed
//! too. Anything else answers "no such system call", which the C library and Rust's own take as
//! an old kernel and work around, so that a harmless call does not kill the reader.

/// Puts the filter on every thread of the process, for good. False when the kernel or the
/// processor has none.
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(super) fn apply() -> bool {
    filter::build().is_ok_and(|program| seccompiler::apply_filter_all_threads(&program).is_ok())
}

/// Elsewhere there is no filter.
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub(super) fn apply() -> bool {
    false
}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod filter {
    use seccompiler::{
        BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
        SeccompFilter, SeccompRule,
    };
    use std::collections::BTreeMap;

    /// Asks whether an output is a terminal; a number, as the C libraries type it differently.
    const TCGETS: u64 = 0x5401;

    type Rules = BTreeMap<libc::c_long, Vec<SeccompRule>>;

    /// Allowed whatever their arguments: memory, reading and writing what is open, looking at
    /// files, time, waiting, own signals, the end.
    const PLAIN: &[libc::c_long] = &[
        libc::SYS_brk,
        libc::SYS_mmap,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_mprotect,
        libc::SYS_madvise,
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_pread64,
        libc::SYS_preadv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_lseek,
        libc::SYS_fadvise64,
        libc::SYS_close,
        libc::SYS_flock,
        libc::SYS_fstat,
        libc::SYS_newfstatat,
        libc::SYS_statx,
        libc::SYS_fstatfs,
        libc::SYS_faccessat,
        libc::SYS_faccessat2,
        libc::SYS_readlinkat,
        libc::SYS_getcwd,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_getuid,
        libc::SYS_geteuid,
        libc::SYS_getgid,
        libc::SYS_getegid,
        libc::SYS_getrandom,
        libc::SYS_uname,
        libc::SYS_sysinfo,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_yield,
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_gettimeofday,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_ppoll,
        libc::SYS_futex,
        libc::SYS_sigaltstack,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_restart_syscall,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];

    /// Older spellings that only this processor has.
    #[cfg(target_arch = "x86_64")]
    const OLDER: &[libc::c_long] = &[
        libc::SYS_stat,
        libc::SYS_lstat,
        libc::SYS_access,
        libc::SYS_readlink,
        libc::SYS_poll,
        libc::SYS_time,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const OLDER: &[libc::c_long] = &[];

    pub(super) fn build() -> Result<BpfProgram, BackendError> {
        let mut rules: Rules = PLAIN.iter().chain(OLDER).map(|n| (*n, vec![])).collect();
        conditional(&mut rules)?;
        SeccompFilter::new(
            rules,
            SeccompAction::Errno(libc::ENOSYS as u32),
            SeccompAction::Allow,
            std::env::consts::ARCH.try_into()?,
        )?
        .try_into()
    }

    /// Calls that are allowed only in a harmless form.
    fn conditional(rules: &mut Rules) -> Result<(), BackendError> {
        let only_reading =
            SeccompCmpOp::MaskedEq((libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC) as u64);
        rules.insert(
            libc::SYS_openat,
            vec![when(&[(2, only_reading.clone(), 0)])?],
        );
        #[cfg(target_arch = "x86_64")]
        rules.insert(libc::SYS_open, vec![when(&[(1, only_reading, 0)])?]);

        let commands = [
            libc::F_GETFD,
            libc::F_SETFD,
            libc::F_GETFL,
            libc::F_SETFL,
            libc::F_GETLK,
            libc::F_SETLK,
            libc::F_DUPFD_CLOEXEC,
        ];
        rules.insert(libc::SYS_fcntl, any(1, commands.map(|c| c as u64))?);
        rules.insert(libc::SYS_ioctl, any(1, [TCGETS])?);

        // A signal to itself is how an abort ends; limits can be looked at, not changed.
        let own = u64::from(std::process::id());
        rules.insert(libc::SYS_tgkill, any(0, [own])?);
        let looking = [(0, SeccompCmpOp::Eq, 0), (2, SeccompCmpOp::Eq, 0)];
        rules.insert(libc::SYS_prlimit64, vec![when(&looking)?]);
        Ok(())
    }

    fn any<const N: usize>(
        argument: u8,
        values: [u64; N],
    ) -> Result<Vec<SeccompRule>, BackendError> {
        let one = |value| when(&[(argument, SeccompCmpOp::Eq, value)]);
        values.into_iter().map(one).collect()
    }

    fn when(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, BackendError> {
        let all = conditions.iter().map(|(argument, is, value)| {
            // Only the pointer of a limit needs all its bits; the rest are 32-bit numbers.
            let width = match (is, *argument) {
                (SeccompCmpOp::Eq, 2) => SeccompCmpArgLen::Qword,
                _ => SeccompCmpArgLen::Dword,
            };
            SeccompCondition::new(*argument, width, is.clone(), *value)
        });
        SeccompRule::new(all.collect::<Result<_, _>>()?)
    }
}
