//! From a stream to a temporary file and its digest, with two threads and a few buffers.
//!
//! The stream is gathered into buffers of half a mebibyte; every buffer goes, uncopied, to a thread
//! that writes and to one that hashes. The writer owns the temporary file: when the sender goes
//! away without saying that this was all, the file is removed with it.

use super::{Digest, Error, Result};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _};
use sha2::{Digest as _, Sha256};
use std::{
    fmt, io,
    io::Write as _,
    path::{Path, PathBuf},
    pin::pin,
};
use tempfile::{NamedTempFile, TempPath};
use tokio::{sync::mpsc, task::JoinHandle};

/// Begins the names of temporary files; only such are swept.
pub(in crate::intake) const TEMPORARY_PREFIX: &str = "pel-upload-";

/// Ends them: to `object_store` a name like this is a file still being written, so that no list of
/// blobs (a backup's, say) shows it.
const TEMPORARY_SUFFIX: &str = "#0";

/// Length of a buffer, bytes.
const BUFFER: usize = 512 << 10;
/// Buffers that may wait for a thread.
const WAITING: usize = 4;

/// A temporary file with its digest; removed when dropped.
pub(super) struct Written {
    pub sha256: Digest,
    pub bytes: u64,
    file: std::fs::File,
    path: TempPath,
}

impl Written {
    /// Where the bytes are for now.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the bytes and moves them to `target`; its folder is not synced.
    pub async fn persist(self, target: PathBuf) -> Result<()> {
        blocking(move || {
            self.file.sync_all()?;
            self.path.persist(target).map_err(|e| e.error)
        })
        .await?;
        Ok(())
    }
}

/// Writes a stream to a temporary file in `dir`.
pub(super) async fn write<S, E>(stream: S, dir: &Path, limit: u64) -> Result<Written>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: fmt::Display,
{
    let (to_file, file) = writer(dir.to_path_buf());
    let (to_hash, hash) = hasher();
    let fed = feed(stream, limit, |part: Part| {
        let (to_file, to_hash) = (to_file.clone(), to_hash.clone());
        async move { to_file.send(part.clone()).await.is_ok() && to_hash.send(part).await.is_ok() }
    })
    .await;
    drop((to_file, to_hash));
    // The writer is waited for in any case: when this returns, the file is there or gone.
    let (file, hash) = (joined(file).await?, joined(hash).await?);
    let bytes = fed?;
    match (file?, hash) {
        (Some((file, path)), Some(sha256)) => Ok(Written {
            sha256,
            bytes,
            file,
            path,
        }),
        _ => Err(Error::Interrupted("the end is missing".to_owned())),
    }
}

/// The digest of a stream.
pub(super) async fn digest<S, E>(stream: S) -> Result<Digest>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: fmt::Display,
{
    let (to_hash, hash) = hasher();
    let fed = feed(stream, u64::MAX, |part: Part| {
        let to_hash = to_hash.clone();
        async move { to_hash.send(part).await.is_ok() }
    })
    .await;
    drop(to_hash);
    let hash = joined(hash).await?;
    fed?;
    hash.ok_or_else(|| Error::Interrupted("the end is missing".to_owned()))
}

/// What the threads are told.
#[derive(Clone)]
enum Part {
    Bytes(Bytes),
    End,
}

/// Gathers the stream into buffers and hands them on; the number of bytes when it came to its end.
async fn feed<S, E, F>(stream: S, limit: u64, mut hand_on: impl FnMut(Part) -> F) -> Result<u64>
where
    S: Stream<Item = std::result::Result<Bytes, E>>,
    E: fmt::Display,
    F: Future<Output = bool>,
{
    let mut stream = pin!(stream);
    let mut total = 0u64;
    let mut gathered = BytesMut::new();
    while let Some(chunk) = stream.next().await {
        let mut chunk = chunk.map_err(|e| Error::Interrupted(e.to_string()))?;
        total = total.saturating_add(chunk.len() as u64);
        if total > limit {
            return Err(Error::TooLarge { limit });
        }
        while !chunk.is_empty() {
            if gathered.is_empty() && chunk.len() >= BUFFER {
                // Large enough as it is: no copy.
                if !hand_on(Part::Bytes(std::mem::take(&mut chunk))).await {
                    return Ok(total);
                }
                continue;
            }
            let part = chunk.split_to(chunk.len().min(BUFFER - gathered.len()));
            gathered.extend_from_slice(&part);
            if gathered.len() == BUFFER {
                let full = std::mem::replace(&mut gathered, BytesMut::with_capacity(BUFFER));
                if !hand_on(Part::Bytes(full.freeze())).await {
                    // A thread gave up; what it has to say is heard when it is joined.
                    return Ok(total);
                }
            }
        }
    }
    let _ = hand_on(Part::Bytes(gathered.freeze())).await && hand_on(Part::End).await;
    Ok(total)
}

type Finished = io::Result<Option<(std::fs::File, TempPath)>>;

fn writer(dir: PathBuf) -> (mpsc::Sender<Part>, JoinHandle<Finished>) {
    let (sender, mut parts) = mpsc::channel(WAITING);
    let task = tokio::task::spawn_blocking(move || {
        let mut file: NamedTempFile = tempfile::Builder::new()
            .prefix(TEMPORARY_PREFIX)
            .suffix(TEMPORARY_SUFFIX)
            .tempfile_in(dir)?;
        while let Some(part) = parts.blocking_recv() {
            match part {
                Part::Bytes(bytes) => file.as_file_mut().write_all(&bytes)?,
                Part::End => return Ok(Some(file.into_parts())),
            }
        }
        Ok(None)
    });
    (sender, task)
}

fn hasher() -> (mpsc::Sender<Part>, JoinHandle<Option<Digest>>) {
    let (sender, mut parts) = mpsc::channel(WAITING);
    let task = tokio::task::spawn_blocking(move || {
        let mut hasher = Sha256::new();
        while let Some(part) = parts.blocking_recv() {
            match part {
                Part::Bytes(bytes) => hasher.update(&bytes),
                Part::End => return Some(Digest::from_bytes(hasher.finalize().into())),
            }
        }
        None
    });
    (sender, task)
}

async fn joined<T>(task: JoinHandle<T>) -> io::Result<T> {
    task.await.map_err(io::Error::other)
}

/// Runs file work off the async threads.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    joined(tokio::task::spawn_blocking(work)).await?
}
