//! `pel restore FILE`: puts the contents of a backup back, all of it or nothing.
//!
//! The archive is read twice. First everything is checked against the manifest; nothing is touched
//! before that. Then the evidence files are put in place, which harms nothing because they are
//! named after their content, and the database is replaced in one transaction.

use super::backup::{BLOBS, DUMP, Entry, FORMAT, MANIFEST, Manifest, check_name, copy, finish};
use super::{NO, audit};
use crate::config::{BlobsConfig, DatabaseConfig};
use crate::postgres::{Database, EMPTY_SCHEMA, Use};
use crate::store::audit::Verdict;
use anyhow::{Context as _, bail};
use object_store::{ObjectStore, WriteMultipart, path::Path as ObjectPath};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{Read as _, Write as _, sink};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tar::Archive;
use tempfile::NamedTempFile;

/// A role that an archive's grants name must exist before them.
const ROLE: &str = "do $$ begin
  if not exists (select from pg_roles where rolname = 'pel_app') then create role pel_app nologin; end if;
end $$;
";

/// Arguments of `pel restore`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The archive that `pel backup` wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Replace a database that holds something
    #[arg(long)]
    pub replace: bool,
    /// The database.
    #[command(flatten)]
    pub database: DatabaseConfig,
    /// The files.
    #[command(flatten)]
    pub blobs: BlobsConfig,
}

/// Restores the archive.
///
/// # Errors
/// When the archive is damaged or the database holds something; nothing was changed then.
pub async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let (manifest, dump) =
        check(&args.file).with_context(|| format!("{} was not restored", args.file.display()))?;
    let blobs = args.blobs.open(&args.database.data_dir()?)?;
    let database = Database::open(&args.database.settings()?, Use::Own).await?;
    let restored = restore(&args, &manifest, dump.path(), &database, blobs.as_ref()).await;
    database.stop().await;
    let verdict = restored?;
    println!(
        "restored the database and {} evidence files",
        manifest.entries.len() - 1
    );
    match audit::report(&verdict) {
        code if code == ExitCode::SUCCESS => Ok(code),
        _ => Ok(ExitCode::from(NO)),
    }
}

async fn restore(
    args: &Args,
    manifest: &Manifest,
    dump: &Path,
    database: &Database,
    blobs: &dyn ObjectStore,
) -> anyhow::Result<Verdict> {
    let mut conn = database.owner_connection().await?;
    let others: i64 = sqlx::query_scalar(
        "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'pel'",
    )
    .fetch_one(&mut conn)
    .await?;
    if others > 0 {
        bail!("a pel works on this database; stop every `pel serve` and `pel worker` first");
    }
    let in_use: bool = sqlx::query_scalar("select exists (select from audit_event)")
        .fetch_one(&mut conn)
        .await?;
    if in_use && !args.replace {
        bail!("the database holds something already; say --replace to delete that");
    }
    drop(conn);
    put_blobs(&args.file, manifest, blobs).await?;
    replace(database, dump).await?;
    // An older archive is brought up to date.
    database.migrate().await?;
    audit::verify(database).await
}

/// Reads the whole archive and compares it with its manifest. Returns the dump as a file.
fn check(file: &Path) -> anyhow::Result<(Manifest, NamedTempFile)> {
    let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    let mut archive = Archive::new(opened);
    let mut dump = NamedTempFile::new().context("cannot write a temporary file")?;
    let (mut found, mut manifest) = (Vec::new(), None);
    for entry in archive.entries().context("it is no archive")? {
        let mut entry = entry.context("it is damaged, cut short or no archive")?;
        let name = entry.path()?.to_string_lossy().into_owned();
        if manifest.is_some() {
            bail!("`{name}` comes after the manifest");
        }
        if name == MANIFEST {
            let mut text = String::new();
            entry
                .read_to_string(&mut text)
                .context("its manifest cannot be read")?;
            manifest = Some(text);
            continue;
        }
        let copied = match name.as_str() {
            DUMP => copy(&mut entry, &mut dump),
            _ => copy(&mut entry, &mut sink()),
        };
        let (sha256, size) = copied.with_context(|| format!("`{name}` is cut short"))?;
        found.push(Entry { name, size, sha256 });
    }
    let manifest =
        manifest.context("it has no manifest: it is cut short, or pel did not write it")?;
    let manifest: Manifest =
        serde_json::from_str(&manifest).context("its manifest cannot be read")?;
    if manifest.format != FORMAT {
        bail!(
            "its format is {}, and this pel reads {FORMAT}; use pel {} or newer",
            manifest.format,
            manifest.pel
        );
    }
    compare(&manifest.entries, &found)?;
    dump.flush()?;
    Ok((manifest, dump))
}

fn compare(promised: &[Entry], found: &[Entry]) -> anyhow::Result<()> {
    if promised.first().is_none_or(|first| first.name != DUMP) {
        bail!("it holds no database");
    }
    for (index, entry) in promised.iter().enumerate() {
        match found.get(index) {
            Some(other) if other == entry => check_name(&entry.name, &entry.sha256)?,
            Some(other) if other.name == entry.name => {
                bail!(
                    "`{}` is damaged: its SHA-256 differs from the manifest",
                    entry.name
                )
            }
            _ => bail!("`{}` is missing", entry.name),
        }
        if index > 0 && !entry.name.starts_with(BLOBS) {
            bail!("`{}` does not belong into a backup", entry.name);
        }
    }
    match found.get(promised.len()) {
        Some(extra) => bail!("`{}` is not in the manifest", extra.name),
        None => Ok(()),
    }
}

/// Puts the evidence files where the service looks for them. They are hashed again on the way: the
/// archive could have changed since it was checked.
async fn put_blobs(
    file: &Path,
    manifest: &Manifest,
    blobs: &dyn ObjectStore,
) -> anyhow::Result<()> {
    let mut archive = Archive::new(File::open(file)?);
    for (entry, promised) in archive.entries()?.zip(&manifest.entries) {
        let mut entry = entry?;
        let Some(location) = promised.name.strip_prefix(BLOBS) else {
            continue;
        };
        let location = ObjectPath::parse(location)
            .with_context(|| format!("`{}` is no name for an evidence file", promised.name))?;
        let upload = blobs
            .put_multipart_opts(&location, object_store::PutMultipartOptions::default())
            .await;
        let upload =
            upload.with_context(|| format!("cannot write the evidence file {location}"))?;
        let mut upload = WriteMultipart::new(upload);
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = entry.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            hasher.update(&buffer[..read]);
            upload.wait_for_capacity(4).await?;
            upload.write(&buffer[..read]);
        }
        if hex::encode(hasher.finalize()) != promised.sha256 {
            upload.abort().await?;
            bail!("`{}` changed while it was restored", promised.name);
        }
        upload
            .finish()
            .await
            .with_context(|| format!("cannot write the evidence file {location}"))?;
    }
    Ok(())
}

/// Replaces the database in one transaction. The dump becomes a script first: two programs joined
/// by a pipe would commit half of it when the first one fails.
async fn replace(database: &Database, dump: &Path) -> anyhow::Result<()> {
    let (mut before, script) = (NamedTempFile::new()?, NamedTempFile::new()?);
    writeln!(before, "{EMPTY_SCHEMA}\n{ROLE}")?;
    before.flush()?;
    let mut convert = database.offline_client("pg_restore");
    convert
        .args(["--no-owner", "--file"])
        .arg(script.path())
        .arg(dump);
    finish(&mut convert, "pg_restore").await?;
    let mut apply = database.client("psql")?;
    apply
        .args(["--no-psqlrc", "--quiet", "--single-transaction"])
        .args([
            "--set",
            "ON_ERROR_STOP=1",
            "--output",
            "/dev/null",
            "--file",
        ])
        .arg(before.path())
        .arg("--file")
        .arg(script.path());
    finish(&mut apply, "psql").await
}
