//! The background work that `pel serve` and `pel worker` have in common.

use crate::config::{self, BlobsConfig, WorkConfig};
use crate::intake::blobs::Blobs;
use crate::intake::cage::Cage;
use crate::intake::jobs::{Runner, Settings};
use crate::intake::{outdated, reading, retention, sandbox, sweep, upkeep, weighing};
use crate::store::checkpoint::{Key, Signed};
use crate::store::{self, checkpoints};
use anyhow::Context as _;
use chrono::{DateTime, Utc};
use sqlx::PgPool;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// An upload that stood still this long was given up by its sender, a copy by its reader.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// How often it is looked whether today has its checkpoint.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(15 * 60);

/// The machine's clock, for the work that no request asks for.
#[allow(clippy::disallowed_methods, reason = "this is an edge that reads it")]
pub fn now() -> DateTime<Utc> {
    Utc::now()
}

/// Folder for what passes through this machine on its way to or from a bucket.
fn spool(data_dir: &Path) -> PathBuf {
    data_dir.join("spool")
}

/// Folder for copies that readers read.
fn copies(data_dir: &Path) -> PathBuf {
    spool(data_dir).join("copies")
}

/// Opens the blob store and clears away what interrupted uploads and readings left.
///
/// # Errors
/// When the address is unusable, or a folder cannot be made or cleared.
pub async fn blobs(config: &BlobsConfig, data_dir: &Path) -> anyhow::Result<Blobs> {
    let blobs = match config.url() {
        None => Blobs::folder(data_dir.join("blobs")),
        Some(url) => Blobs::at(&url, config::bucket_settings(), spool(data_dir)),
    }
    .context("cannot open the store of evidence files (PEL_BLOBS_URL)")?;
    clear(blobs.temporary()).await?;
    let copies = copies(data_dir);
    std::fs::create_dir_all(&copies)
        .with_context(|| format!("cannot make the folder {}", copies.display()))?;
    clear(&copies).await?;
    Ok(blobs)
}

/// Removes what work that was killed left in a folder.
async fn clear(folder: &Path) -> anyhow::Result<()> {
    let swept = sweep::sweep(folder, ABANDONED, now())
        .await
        .with_context(|| format!("cannot clear the folder {}", folder.display()))?;
    if swept.files > 0 {
        tracing::info!(
            files = swept.files,
            bytes = swept.bytes,
            "abandoned files removed"
        );
    }
    Ok(())
}

/// What evidence is read with.
///
/// # Errors
/// When the folder for copies cannot be made.
pub fn room(
    work: &WorkConfig,
    data_dir: &Path,
    db: PgPool,
    blobs: Blobs,
) -> anyhow::Result<reading::Room> {
    let copies = copies(data_dir);
    std::fs::create_dir_all(&copies)
        .with_context(|| format!("cannot make the folder {}", copies.display()))?;
    Ok(reading::Room {
        db,
        blobs,
        cage: Cage {
            limits: sandbox::Limits {
                memory_bytes: work.reader_memory,
                cpu_seconds: work.reader_cpu.as_secs().max(1),
            },
            time: work.reader_time,
            ..Cage::default()
        },
        copies,
        clock: now,
    })
}

/// The runner of jobs over this database and store.
///
/// # Errors
/// When the folder for copies cannot be made, or the database does not answer.
pub async fn runner(
    work: &WorkConfig,
    data_dir: &Path,
    db: PgPool,
    blobs: Blobs,
) -> anyhow::Result<Runner> {
    let room = room(work, data_dir, db.clone(), blobs)?;
    let mut conn = db.acquire().await.context("the database is not there")?;
    upkeep::ensure(&mut conn, now(), now()).await?;
    // This program may be newer than the one that ran before it, and its parsers with it.
    outdated::enqueue(&mut conn, now()).await?;
    retention::ensure(&mut conn, now(), now()).await?;
    drop(conn);
    let clock = upkeep::Room {
        db: db.clone(),
        clock: now,
    };
    let keeping = retention::Room {
        db: db.clone(),
        blobs: room.blobs.clone(),
        clock: now,
    };
    let removing = keeping.clone();
    let settings = Settings {
        at_once: work.workers,
        ..Settings::default()
    };
    let name = format!("{}-{}", std::process::id(), Uuid::new_v4());
    let again = room.clone();
    let weighs = db.clone();
    Ok(Runner::new(db, &name, now, settings)
        .on(reading::KIND, move |held| reading::run(room.clone(), held))
        .on(outdated::KIND, move |held| {
            outdated::run(again.clone(), held)
        })
        .on(retention::KIND, move |held| {
            retention::run(keeping.clone(), held)
        })
        .on(retention::REMOVE, move |held| {
            retention::remove(removing.clone(), held)
        })
        .on(weighing::KIND, move |held| {
            weighing::run(weighs.clone(), now, held)
        })
        .on(upkeep::KIND, move |held| upkeep::run(clock.clone(), held)))
}

/// The key that checkpoints of the audit log are signed with: a file of the data folder that only
/// its owner reads, made when there is none.
///
/// # Errors
/// When the file can be neither read nor made, or is no key.
pub fn audit_key(data_dir: &Path) -> anyhow::Result<Key> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    std::fs::create_dir_all(data_dir)
        .with_context(|| format!("cannot make the folder {}", data_dir.display()))?;
    let path = data_dir.join("audit.key");
    let made = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path);
    match made {
        Ok(mut file) => {
            let key = Key::fresh()?;
            file.write_all(key.as_bytes())
                .and_then(|()| file.sync_all())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(e) => {
            return Err(e).with_context(|| format!("cannot make {}", path.display()));
        }
    }
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Key::read(&text).with_context(|| format!("{} is unusable; move it away to have a new one made, and note that earlier checkpoints carry the earlier key", path.display()))
}

/// Makes a checkpoint of the audit log once a day, until it is stopped. One that fails is tried
/// again; nothing else waits for it.
pub async fn checkpoints(db: PgPool, key: Key, stop: CancellationToken) {
    loop {
        match daily(&db, &key).await {
            Ok(Some(signed)) => tracing::info!(
                number = signed.checkpoint.number,
                last_seq = signed.checkpoint.last_seq,
                last_hash = signed.checkpoint.last_hash,
                "audit checkpoint made"
            ),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "no audit checkpoint was made; trying again"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(BETWEEN_CHECKPOINTS) => {}
        }
    }
}

async fn daily(db: &PgPool, key: &Key) -> store::Result<Option<Signed>> {
    let mut tx = db.begin().await?;
    let made = checkpoints::make_daily(&mut tx, key, now()).await?;
    tx.commit().await?;
    Ok(made)
}
