//! Blobs: bytes kept under their own SHA-256, in a folder or in a bucket.
//!
//! Whatever was acknowledged is on disk: a file is written under a temporary name, synced, renamed
//! and its folder synced; a kill at any moment leaves either the whole blob or a temporary file for
//! [`super::sweep`]. Everything streams: an upload of any size takes a few buffers of memory, one
//! thread hashes while another writes.

mod bucket;
mod digest;
mod folder;
mod write;

pub(super) use write::TEMPORARY_PREFIX;

pub use digest::{Digest, NoDigest};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream::BoxStream};
use object_store::{ObjectStore, path::Path as Key};
use serde::{Deserialize, Serialize};
use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};
use thiserror::Error;
use url::Url;

/// Bytes that are safely kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Their digest.
    pub sha256: Digest,
    /// Their length, bytes.
    pub bytes: u64,
    /// The same bytes were here before.
    pub known: bool,
}

/// Why bytes were not kept or cannot be had.
#[derive(Debug, Error)]
pub enum Error {
    /// More bytes than allowed; nothing was kept.
    #[error("more than {limit} bytes")]
    TooLarge {
        /// The limit, bytes.
        limit: u64,
    },
    /// Other bytes than were promised; nothing was kept.
    #[error("the digest is {actual}, not {expected}")]
    WrongDigest {
        /// What was promised.
        expected: Digest,
        /// What arrived.
        actual: Digest,
    },
    /// The sender stopped before the end; nothing was kept.
    #[error("the transfer broke off: {0}")]
    Interrupted(String),
    /// The disk is full; nothing was kept.
    #[error("no space left for blobs")]
    NoSpace,
    /// No blob has this digest.
    #[error("no blob {0}")]
    Absent(Digest),
    /// The address of the store cannot be used.
    #[error("blob store {url}: {reason}")]
    Address {
        /// The address as set.
        url: String,
        /// Why not.
        reason: String,
    },
    /// The disk failed.
    #[error("blob store: {0}")]
    Io(io::Error),
    /// The bucket failed.
    #[error("blob store: {0}")]
    Bucket(object_store::Error),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace,
            _ => Self::Io(error),
        }
    }
}

/// Result of a call to the blob store.
pub type Result<T> = std::result::Result<T, Error>;

/// Bytes of a blob as they are read.
pub type Reading = BoxStream<'static, io::Result<Bytes>>;

/// The blob store; a clone is the same store.
#[derive(Debug, Clone)]
pub struct Blobs(Place);

#[derive(Debug, Clone)]
enum Place {
    Folder(Arc<folder::Folder>),
    Bucket(Arc<bucket::Bucket>),
}

impl Blobs {
    /// Blobs in a folder of this machine, made if it is not there.
    ///
    /// # Errors
    /// When the folder cannot be made or written.
    pub fn folder(root: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder::Folder::open(root.into())?;
        Ok(Self(Place::Folder(Arc::new(folder))))
    }

    /// Blobs at an address: `file:///folder`, or `s3://`, `gs://`, `az://` with bucket and prefix
    /// when the program was built with that feature. `options` are the settings of the bucket's
    /// client, named as its environment variables; uploads pass through the folder `spool`.
    ///
    /// # Errors
    /// When the address is of no known kind, lacks a setting, or `spool` cannot be made.
    pub fn at(
        url: &str,
        options: impl IntoIterator<Item = (String, String)>,
        spool: impl Into<PathBuf>,
    ) -> Result<Self> {
        let refused = |reason: String| Error::Address {
            url: url.to_owned(),
            reason,
        };
        let parsed = Url::parse(url).map_err(|e| refused(e.to_string()))?;
        if parsed.scheme() == "file" {
            let no_folder = |()| refused("names no folder of this machine".to_owned());
            return Self::folder(parsed.to_file_path().map_err(no_folder)?);
        }
        let (store, prefix) = bucket::client(&parsed, options)?;
        Self::bucket(store.into(), prefix, spool)
    }

    /// Blobs in any object store under `prefix`; uploads pass through the folder `spool`.
    ///
    /// # Errors
    /// When `spool` cannot be made.
    pub fn bucket(
        store: Arc<dyn ObjectStore>,
        prefix: Key,
        spool: impl Into<PathBuf>,
    ) -> Result<Self> {
        let bucket = bucket::Bucket::open(store, prefix, spool.into())?;
        Ok(Self(Place::Bucket(Arc::new(bucket))))
    }

    /// Takes in a stream of bytes, at most `limit` of them, and keeps them under their digest,
    /// which must be `expected` if given. When this returns, they survive a power cut.
    ///
    /// # Errors
    /// When they are too many, not as promised, break off, or cannot be written. Then, and when
    /// the returned future is dropped, nothing is kept and the temporary file is removed.
    pub async fn put<S, E>(&self, stream: S, limit: u64, expected: Option<Digest>) -> Result<Stored>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: fmt::Display,
    {
        let written = write::write(stream, self.temporary(), limit).await?;
        if let Some(expected) = expected
            && expected != written.sha256
        {
            return Err(Error::WrongDigest {
                expected,
                actual: written.sha256,
            });
        }
        match &self.0 {
            Place::Folder(folder) => folder.keep(written).await,
            Place::Bucket(bucket) => bucket.keep(written).await,
        }
    }

    /// The length of a blob in bytes, `None` when it is not there.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn length(&self, sha256: Digest) -> Result<Option<u64>> {
        match &self.0 {
            Place::Folder(folder) => folder.length(sha256).await,
            Place::Bucket(bucket) => bucket.length(sha256).await,
        }
    }

    /// The bytes of a blob.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub async fn open(&self, sha256: Digest) -> Result<Reading> {
        match &self.0 {
            Place::Folder(folder) => folder.read(sha256).await,
            Place::Bucket(bucket) => bucket.read(sha256).await,
        }
    }

    /// A path where the reader process finds the bytes: the blob itself when it lies in a folder,
    /// else a checked copy made in `dir`, which the caller removes with `dir`.
    ///
    /// # Errors
    /// When it is not there, cannot be read, or `dir` cannot hold it.
    pub async fn local_copy(&self, sha256: Digest, dir: &Path) -> Result<PathBuf> {
        match &self.0 {
            Place::Folder(folder) => folder.path_of(sha256).await,
            Place::Bucket(bucket) => {
                let copy = write::write(bucket.read(sha256).await?, dir, u64::MAX).await?;
                check(sha256, copy.sha256)?;
                let path = dir.join(sha256.to_string());
                copy.persist(path.clone()).await?;
                Ok(path)
            }
        }
    }

    /// Reads the whole blob; true when its bytes still have its digest.
    ///
    /// # Errors
    /// When it is not there or cannot be read to its end.
    pub async fn verify(&self, sha256: Digest) -> Result<bool> {
        let actual = write::digest(self.open(sha256).await?.boxed()).await?;
        Ok(actual == sha256)
    }

    /// Removes a blob for good; one that is not there is no error. Whether anything still rests
    /// on it is the caller's to know.
    ///
    /// # Errors
    /// When the store cannot remove it.
    pub async fn remove(&self, sha256: Digest) -> Result<()> {
        match &self.0 {
            Place::Folder(folder) => folder.remove(sha256).await,
            Place::Bucket(bucket) => bucket.remove(sha256).await,
        }
    }

    /// The folder of temporary files, to be swept.
    pub fn temporary(&self) -> &Path {
        match &self.0 {
            Place::Folder(folder) => folder.temporary(),
            Place::Bucket(bucket) => bucket.temporary(),
        }
    }
}

fn check(expected: Digest, actual: Digest) -> Result<()> {
    match expected == actual {
        true => Ok(()),
        false => Err(Error::WrongDigest { expected, actual }),
    }
}
