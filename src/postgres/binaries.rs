//! Finds the PostgreSQL server programs that are installed on this machine.

use super::error::{Error, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The oldest major version that works.
pub const OLDEST: u32 = 14;

/// Folders in which packages put the server, with one `*` for the version.
const PLACES: &[&str] = &[
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/usr/lib64/pgsql*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
];

/// One installed server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    /// Folder with `postgres`, `initdb` and their kin.
    pub folder: PathBuf,
    /// Major version.
    pub major: u32,
}

impl Binaries {
    /// Path of one program.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// All usable servers, the newest first.
///
/// # Errors
/// When there is none, or `only` (the `PEL_POSTGRES_BIN` setting) holds none.
pub fn find(only: Option<&Path>) -> Result<Vec<Binaries>> {
    let folders = match only {
        Some(folder) => vec![folder.to_owned()],
        None => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let mut all: Vec<PathBuf> = std::env::split_paths(&path).collect();
            all.extend(PLACES.iter().flat_map(|pattern| expand(pattern)));
            all
        }
    };
    let mut seen = BTreeSet::new();
    let mut found: Vec<Binaries> = folders
        .into_iter()
        .filter_map(|folder| std::fs::canonicalize(folder.join("postgres")).ok())
        .filter(|program| seen.insert(program.clone()))
        .filter_map(|program| {
            // The real folder: a link to `postgres` alone says nothing of its companions.
            let folder = program.parent()?.to_owned();
            let major = folder.join("initdb").is_file().then(|| major(&program))??;
            (major >= OLDEST).then_some(Binaries { folder, major })
        })
        .collect();
    found.sort_by_key(|b| std::cmp::Reverse(b.major));
    match (found.is_empty(), only) {
        (false, _) => Ok(found),
        (true, Some(folder)) => Err(Error::BadBinaries(folder.to_owned())),
        (true, None) => Err(Error::NoBinaries),
    }
}

/// Folders that match a pattern with one `*` in one segment.
fn expand(pattern: &str) -> Vec<PathBuf> {
    let Some((before, after)) = pattern.split_once('*') else {
        return vec![PathBuf::from(pattern)];
    };
    let (parent, prefix) = before.rsplit_once('/').unwrap_or(("/", before));
    let rest = after.trim_start_matches('/');
    let Ok(entries) = std::fs::read_dir(parent) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path().join(rest))
        .filter(|folder| folder.is_dir())
        .collect()
}

/// Asks a `postgres` for its major version.
fn major(program: &Path) -> Option<u32> {
    let out = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    parse_major(&String::from_utf8_lossy(&out.stdout))
}

/// The major version in `postgres (PostgreSQL) 15.8 (Debian 15.8-1)`, also of betas.
fn parse_major(text: &str) -> Option<u32> {
    let after = text.split("PostgreSQL)").nth(1)?.trim_start();
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_any_wording() {
        let of = |text| parse_major(text);
        assert_eq!(
            of("postgres (PostgreSQL) 15.8 (Debian 15.8-1.pgdg)"),
            Some(15)
        );
        assert_eq!(of("postgres (PostgreSQL) 18beta2"), Some(18));
        assert_eq!(of("postgres (PostgreSQL) 9.6.24"), Some(9));
        assert_eq!(of("command not found"), None);
    }

    #[test]
    fn a_folder_without_a_server_is_named() {
        let empty = tempfile::tempdir().unwrap();
        let error = find(Some(empty.path())).unwrap_err().to_string();
        assert!(
            error.contains(&empty.path().display().to_string()),
            "{error}"
        );
    }
}
