//! `pel backup FILE`: the database and every evidence file in one archive.
//!
//! The archive is a plain tar, so that it can be looked into without pel: `database.dump` (as
//! `pg_dump --format=custom` writes it), `blobs/…`, and last `manifest.json` with the size and
//! SHA-256 of each. The database comes first: every file it names exists by then, and one that is
//! added meanwhile does no harm.

use crate::config::{BlobsConfig, DatabaseConfig};
use crate::postgres::{Database, Use};
use anyhow::{Context as _, bail};
use futures_util::TryStreamExt as _;
use object_store::{ObjectStore, ObjectStoreExt as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tar::{Builder, Header};

/// Name of the database's entry.
pub(super) const DUMP: &str = "database.dump";
/// Name of the last entry.
pub(super) const MANIFEST: &str = "manifest.json";
/// Folder of the evidence files.
pub(super) const BLOBS: &str = "blobs/";
/// Version of the archive's layout.
pub(super) const FORMAT: u32 = 1;

/// Arguments of `pel backup`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The archive to write; it must not exist yet
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The database.
    #[command(flatten)]
    pub database: DatabaseConfig,
    /// The files.
    #[command(flatten)]
    pub blobs: BlobsConfig,
}

/// What an archive says about its own contents.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// Version of the layout.
    pub format: u32,
    /// Version of the pel that wrote it.
    pub pel: String,
    /// Every entry but the manifest itself, in order.
    pub entries: Vec<Entry>,
}

/// One entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 in hex.
    pub sha256: String,
}

/// Writes the archive.
///
/// # Errors
/// When anything cannot be read or written; then there is no archive.
pub async fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.file.exists() {
        bail!(
            "{} exists already; a backup never overwrites one",
            args.file.display()
        );
    }
    let blobs = args.blobs.open(&args.database.data_dir()?)?;
    let database = Database::open(&args.database.settings()?, Use::Share).await?;
    let written = write(&args.file, &database, blobs.as_ref()).await;
    database.stop().await;
    let entries = written?;
    println!(
        "{}: the database and {} evidence files, {} bytes",
        args.file.display(),
        entries.len() - 1,
        entries.iter().map(|e| e.size).sum::<u64>()
    );
    Ok(ExitCode::SUCCESS)
}

async fn write(
    file: &Path,
    database: &Database,
    blobs: &dyn ObjectStore,
) -> anyhow::Result<Vec<Entry>> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let temporary = || {
        tempfile::NamedTempFile::new_in(folder)
            .with_context(|| format!("cannot write in {}", folder.display()))
    };
    let (dump, mut new) = (temporary()?, temporary()?);
    let mut command = database.client("pg_dump")?;
    command
        .args(["--format=custom", "--no-owner", "--no-tablespaces"])
        .args(["--no-publications", "--no-subscriptions"])
        .arg("--file")
        .arg(dump.path());
    finish(&mut command, "pg_dump").await?;

    let mut archive = Builder::new(new.as_file_mut());
    let mut entries = Vec::new();
    let mut reader = File::open(dump.path())?;
    entries.push(append(&mut archive, DUMP, &mut reader)?);
    dump.close()?;
    let mut list = blobs.list(None);
    while let Some(object) = list
        .try_next()
        .await
        .context("cannot list the evidence files")?
    {
        let name = format!("{BLOBS}{}", object.location);
        let content = blobs.get(&object.location).await;
        let mut stream = content
            .with_context(|| format!("cannot read the evidence file {}", object.location))?
            .into_stream();
        let mut header = header(0);
        let mut writer = archive.append_writer(&mut header, &name)?;
        let (mut hasher, mut size) = (Sha256::new(), 0);
        while let Some(piece) = stream
            .try_next()
            .await
            .with_context(|| format!("cannot read the evidence file {}", object.location))?
        {
            hasher.update(&piece);
            size += piece.len() as u64;
            writer.write_all(&piece)?;
        }
        writer.finish()?;
        let sha256 = hex::encode(hasher.finalize());
        check_name(&name, &sha256)?;
        entries.push(Entry { name, size, sha256 });
    }
    let manifest = Manifest {
        format: FORMAT,
        pel: env!("CARGO_PKG_VERSION").to_owned(),
        entries,
    };
    let text = serde_json::to_vec_pretty(&manifest)?;
    append(&mut archive, MANIFEST, &mut text.as_slice())?;
    archive.finish()?;
    drop(archive);
    new.as_file().sync_all()?;
    new.persist_noclobber(file)
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(manifest.entries)
}

fn header(size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_mode(0o600);
    header.set_size(size);
    header
}

fn append(
    archive: &mut Builder<&mut File>,
    name: &str,
    reader: &mut dyn Read,
) -> anyhow::Result<Entry> {
    let mut header = header(0);
    let mut writer = archive.append_writer(&mut header, name)?;
    let (sha256, size) = copy(reader, &mut writer)?;
    writer.finish()?;
    Ok(Entry {
        name: name.to_owned(),
        size,
        sha256,
    })
}

/// Copies and says what went through: SHA-256 in hex, and bytes.
pub(super) fn copy(
    reader: &mut dyn Read,
    writer: &mut dyn Write,
) -> std::io::Result<(String, u64)> {
    let (mut hasher, mut size) = (Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok((hex::encode(hasher.finalize()), size));
        }
        hasher.update(&buffer[..read]);
        writer.write_all(&buffer[..read])?;
        size += read as u64;
    }
}

/// Evidence files are named after their content, so a name is a second witness.
pub(super) fn check_name(name: &str, sha256: &str) -> anyhow::Result<()> {
    let is_hex = |part: &&str| part.bytes().all(|b| b.is_ascii_hexdigit());
    let mut parts: Vec<&str> = name.rsplit('/').take_while(is_hex).collect();
    parts.reverse();
    let digest = parts.concat();
    if digest.len() >= 64 && !digest.ends_with(sha256) {
        bail!(
            "the evidence file {name} does not hold what its name says (SHA-256 {sha256}); it was damaged or exchanged"
        );
    }
    Ok(())
}

/// Runs a client program to its end; its words are the error.
pub(super) async fn finish(command: &mut Command, name: &str) -> anyhow::Result<()> {
    let mut command = tokio::process::Command::from(std::mem::replace(command, Command::new("")));
    let out = command.kill_on_drop(true).output().await.with_context(|| {
        format!("cannot run {name}; install PostgreSQL's client programs or name their folder in PEL_POSTGRES_BIN")
    })?;
    if !out.status.success() {
        bail!(
            "{name} failed: {}",
            String::from_utf8_lossy(&out.stderr).trim()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_made_of_another_digest_is_refused() {
        let digest = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
        let other = digest.replace('5', "6");
        for name in [
            format!("blobs/{digest}"),
            format!("blobs/58/{digest}"),
            format!("blobs/58/{}", &digest[2..]),
            format!("blobs/sha256/58/{digest}"),
        ] {
            assert!(check_name(&name, digest).is_ok(), "{name}");
            assert!(check_name(&name, &other).is_err(), "{name}");
        }
        assert!(check_name("blobs/readme.txt", digest).is_ok());
    }
}
