//! Blobs in a bucket: the upload is spooled to a local file until its digest, which is its key, is
//! known, then sent in parts. A bucket shows an object only when it is whole.

use super::{Digest, Error, Reading, Result, Stored, write::Written};
use futures_util::StreamExt as _;
use object_store::{
    ObjectStore, ObjectStoreExt as _, WriteMultipart, parse_url_opts, path::Path as Key,
};
use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio_util::io::ReaderStream;
use url::Url;

/// Length of a part that is sent, bytes; buckets take parts of 5 MiB and more, and 10 000 of them.
const PART: usize = 16 << 20;
/// Parts under way at once.
const UNDER_WAY: usize = 4;

#[derive(Debug)]
pub(super) struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: Key,
    spool: PathBuf,
}

/// The client for an address and the prefix in it.
pub(super) fn client(
    url: &Url,
    options: impl IntoIterator<Item = (String, String)>,
) -> Result<(Box<dyn ObjectStore>, Key)> {
    parse_url_opts(url, options).map_err(|error| Error::Address {
        url: url.to_string(),
        reason: error.to_string(),
    })
}

impl Bucket {
    pub fn open(store: Arc<dyn ObjectStore>, prefix: Key, spool: PathBuf) -> io::Result<Self> {
        std::fs::create_dir_all(&spool)?;
        Ok(Self {
            store,
            prefix,
            spool,
        })
    }

    pub fn temporary(&self) -> &Path {
        &self.spool
    }

    fn key(&self, sha256: Digest) -> Key {
        let name = sha256.to_string();
        self.prefix.clone().join(&name[..2]).join(&name[2..])
    }

    pub async fn keep(&self, written: Written) -> Result<Stored> {
        let stored = Stored {
            sha256: written.sha256,
            bytes: written.bytes,
            known: self.length(written.sha256).await? == Some(written.bytes),
        };
        if !stored.known {
            self.send(written.path(), self.key(stored.sha256)).await?;
        }
        Ok(stored)
    }

    async fn send(&self, path: &Path, key: Key) -> Result<()> {
        let file = tokio::fs::File::open(path).await?;
        let upload = self.store.put_multipart(&key).await?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART);
        let mut parts = ReaderStream::with_capacity(file, 512 << 10);
        while let Some(part) = parts.next().await {
            let sent = match part {
                Ok(part) => {
                    let free = upload.wait_for_capacity(UNDER_WAY).await;
                    upload.put(part);
                    free.map_err(Error::from)
                }
                Err(error) => Err(error.into()),
            };
            if let Err(error) = sent {
                // Parts that stay behind are only removed by the bucket's own rule.
                let _ = upload.abort().await;
                return Err(error);
            }
        }
        upload.finish().await?;
        Ok(())
    }

    pub async fn length(&self, sha256: Digest) -> Result<Option<u64>> {
        match self.store.head(&self.key(sha256)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub async fn read(&self, sha256: Digest) -> Result<Reading> {
        match self.store.get(&self.key(sha256)).await {
            Ok(found) => Ok(found
                .into_stream()
                .map(|r| r.map_err(io::Error::other))
                .boxed()),
            Err(object_store::Error::NotFound { .. }) => Err(Error::Absent(sha256)),
            Err(error) => Err(error.into()),
        }
    }

    pub async fn remove(&self, sha256: Digest) -> Result<()> {
        match self.store.delete(&self.key(sha256)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        Self::Bucket(error)
    }
}
