//! Blobs in a folder: `ab/cdef…` under the root, temporary files in `tmp` beside them.

use super::{Digest, Error, Reading, Result, Stored, write::Written, write::blocking};
use futures_util::StreamExt as _;
use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};
use tokio_util::io::ReaderStream;

/// Length of a read, bytes.
const READ: usize = 512 << 10;

#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    temporary: PathBuf,
}

impl Folder {
    /// Makes the folder and its 256 shelves, so that keeping a blob never makes a folder.
    pub fn open(root: PathBuf) -> io::Result<Self> {
        let temporary = root.join("tmp");
        fs::create_dir_all(&temporary)?;
        // Passed through but not listed by others: a reader running as `nobody` can be told one path.
        fs::set_permissions(&root, fs::Permissions::from_mode(0o711))?;
        for shelf in 0..=u8::MAX {
            let shelf = root.join(format!("{shelf:02x}"));
            match fs::create_dir(&shelf) {
                Ok(()) => fs::set_permissions(&shelf, fs::Permissions::from_mode(0o711))?,
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        sync(&root)?;
        Ok(Self { root, temporary })
    }

    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    fn place(&self, sha256: Digest) -> (PathBuf, PathBuf) {
        let name = sha256.to_string();
        let shelf = self.root.join(&name[..2]);
        let file = shelf.join(&name[2..]);
        (shelf, file)
    }

    pub async fn keep(&self, written: Written) -> Result<Stored> {
        let (shelf, file) = self.place(written.sha256);
        let stored = Stored {
            sha256: written.sha256,
            bytes: written.bytes,
            known: self.length(written.sha256).await? == Some(written.bytes),
        };
        if !stored.known {
            let path = written.path().to_path_buf();
            let mode = fs::Permissions::from_mode(0o444);
            blocking(move || fs::set_permissions(path, mode)).await?;
            written.persist(file).await?;
        }
        // Also for known bytes: whoever kept them may not have come to this yet.
        blocking(move || sync(&shelf)).await?;
        Ok(stored)
    }

    pub async fn length(&self, sha256: Digest) -> Result<Option<u64>> {
        match tokio::fs::metadata(self.place(sha256).1).await {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e.into()),
        }
    }

    pub async fn read(&self, sha256: Digest) -> Result<Reading> {
        let path = self.path_of(sha256).await?;
        let mut file = tokio::fs::File::open(path).await?;
        file.set_max_buf_size(READ);
        Ok(ReaderStream::with_capacity(file, READ).boxed())
    }

    pub async fn path_of(&self, sha256: Digest) -> Result<PathBuf> {
        match self.length(sha256).await? {
            Some(_) => Ok(self.place(sha256).1),
            None => Err(Error::Absent(sha256)),
        }
    }

    pub async fn remove(&self, sha256: Digest) -> Result<()> {
        let (shelf, file) = self.place(sha256);
        let removed = blocking(move || {
            fs::remove_file(file)?;
            sync(&shelf)
        });
        match removed.await {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e.into()),
            _ => Ok(()),
        }
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}
