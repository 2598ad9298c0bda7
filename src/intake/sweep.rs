//! The sweep: temporary files that an interrupted upload left behind, and copies that a killed
//! reading left, are removed at the start.
//!
//! Only what has a name of our own making is touched, and only when nothing was written there for
//! a while: another instance may be receiving into the same folder right now.

use super::blobs::TEMPORARY_PREFIX;
use super::reading::COPIES_PREFIX;
use chrono::{DateTime, Utc};
use std::{fs, io, path::Path, time::Duration};

/// What a sweep removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Number of files.
    pub files: u64,
    /// Their length together, bytes.
    pub bytes: u64,
}

/// Removes the temporary files of `folder`, and the folders of copies in it, that were last
/// written more than `age` before `now`.
///
/// # Errors
/// When the folder cannot be listed. What cannot be removed stays for the next sweep.
pub async fn sweep(folder: &Path, age: Duration, now: DateTime<Utc>) -> io::Result<Swept> {
    let folder = folder.to_path_buf();
    tokio::task::spawn_blocking(move || sweep_now(&folder, age, now))
        .await
        .map_err(io::Error::other)?
}

fn sweep_now(folder: &Path, age: Duration, now: DateTime<Utc>) -> io::Result<Swept> {
    let mut swept = Swept::default();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let begins = |prefix| name.to_string_lossy().starts_with(prefix);
        // One that vanishes meanwhile came to its end by itself.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let written = DateTime::<Utc>::from(metadata.modified()?);
        if (now - written).to_std().unwrap_or_default() <= age {
            continue;
        }
        if begins(TEMPORARY_PREFIX) && metadata.is_file() {
            swept.remove_file(&entry.path(), metadata.len());
        } else if begins(COPIES_PREFIX) && metadata.is_dir() {
            for copy in fs::read_dir(entry.path())?.flatten() {
                let length = copy.metadata().map_or(0, |m| m.len());
                swept.remove_file(&copy.path(), length);
            }
            // Stays when something in it stays.
            let _ = fs::remove_dir(entry.path());
        }
    }
    Ok(swept)
}

impl Swept {
    fn remove_file(&mut self, path: &Path, bytes: u64) {
        if fs::remove_file(path).is_ok() {
            self.files += 1;
            self.bytes += bytes;
        }
    }
}
