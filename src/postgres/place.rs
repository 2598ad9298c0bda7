//! Where the private server's things lie in the data folder, who owns them, and who may use them.
//!
//! ```text
//! DATA_DIR/pel.lock            held by the one pel that runs the server
//! DATA_DIR/postgres/           the cluster
//! DATA_DIR/postgres-password   0600
//! DATA_DIR/postgres.log        what the server says
//! DATA_DIR/socket/             0700, or a short folder elsewhere when the path is too long
//! ```

use super::error::{Error, Result, file};
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The longest path a Unix socket can have, in bytes.
const SOCKET_PATH_MAX: usize = 107;

/// Name of the socket inside its folder; the number is only a name, there is no TCP.
pub(super) const SOCKET_NAME: &str = ".s.PGSQL.5432";

/// The account the server runs as when pel itself is root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its name, for messages.
    pub name: String,
    /// User id.
    pub uid: u32,
    /// Group id.
    pub gid: u32,
}

/// A data folder, absolute and existing.
#[derive(Debug, Clone)]
pub struct Place {
    root: PathBuf,
}

impl Place {
    /// Makes the folder if need be.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(data_dir: &Path) -> Result<Self> {
        // Others may pass through a folder of root's, because the server's account must.
        let mode = if is_root() { 0o711 } else { 0o700 };
        DirBuilder::new()
            .recursive(true)
            .mode(mode)
            .create(data_dir)
            .map_err(file("cannot make", data_dir))?;
        let root = fs::canonicalize(data_dir).map_err(file("cannot open", data_dir))?;
        Ok(Self { root })
    }

    /// The data folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The cluster.
    pub fn cluster(&self) -> PathBuf {
        self.root.join("postgres")
    }

    /// The server's log.
    pub fn log(&self) -> PathBuf {
        self.root.join("postgres.log")
    }

    /// The file with the password.
    pub fn password_file(&self) -> PathBuf {
        self.root.join("postgres-password")
    }

    /// Takes the data folder for this process, for as long as the file is kept open.
    ///
    /// # Errors
    /// [`Error::InUse`] when another process holds it.
    pub fn lock(&self) -> Result<File> {
        let path = self.root.join("pel.lock");
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(file("cannot open", &path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut process = String::new();
                let _ = lock.read_to_string(&mut process);
                let process = match process.trim() {
                    "" => "unknown".to_owned(),
                    pid => pid.to_owned(),
                };
                return Err(Error::InUse {
                    folder: self.root.clone(),
                    process,
                });
            }
            Err(TryLockError::Error(cause)) => return Err(file("cannot lock", &path)(cause)),
        }
        let written = lock
            .set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| writeln!(lock, "{}", std::process::id()));
        written.map_err(file("cannot write", &path))?;
        Ok(lock)
    }

    /// Reads the password, or makes one when there is no cluster yet.
    ///
    /// # Errors
    /// When the cluster exists and its password does not.
    pub fn password(&self) -> Result<String> {
        let path = self.password_file();
        match fs::read_to_string(&path) {
            Ok(text) => return Ok(text.trim().to_owned()),
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(file("cannot read", &path)(e));
            }
            Err(_) if self.cluster().exists() => return Err(Error::PasswordMissing(path)),
            Err(_) => {}
        }
        let mut secret = [0u8; 32];
        getrandom::fill(&mut secret)
            .map_err(|e| file("cannot make", &path)(std::io::Error::other(e)))?;
        let password = hex::encode(secret);
        write_private(&path, &password, None)?;
        Ok(password)
    }

    /// The folder for the server's socket, made and checked.
    ///
    /// # Errors
    /// When no folder is both short enough and ours alone.
    pub fn socket_folder(&self, account: Option<&Account>) -> Result<PathBuf> {
        let inside = self.root.join("socket");
        let folder = if inside.join(SOCKET_NAME).as_os_str().len() <= SOCKET_PATH_MAX {
            inside
        } else {
            let digest = hex::encode(Sha256::digest(self.root.as_os_str().as_encoded_bytes()));
            let name = format!("pel-{}", &digest[..16]);
            // Root's server account cannot enter root's runtime folder.
            let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|_| account.is_none());
            runtime
                .map(|dir| PathBuf::from(dir).join(&name))
                .filter(|dir| dir.join(SOCKET_NAME).as_os_str().len() <= SOCKET_PATH_MAX)
                .filter(|dir| dir.parent().is_some_and(Path::is_dir))
                .unwrap_or_else(|| Path::new("/tmp").join(name))
        };
        own_folder(&folder, account)?;
        Ok(folder)
    }

    /// Who the server runs as: `None` means as ourselves.
    ///
    /// # Errors
    /// When root finds nobody, or the account cannot get to the folder.
    pub fn account(&self) -> Result<Option<Account>> {
        let cluster = self.cluster();
        let owner = fs::metadata(&cluster).ok().map(|m| (m.uid(), m.gid()));
        let me = rustix::process::geteuid().as_raw();
        if !is_root() {
            return match owner {
                Some((owner, _)) if owner != me => Err(Error::NotOwner {
                    folder: cluster,
                    owner,
                    me,
                }),
                _ => Ok(None),
            };
        }
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let account = match owner {
            // A cluster made earlier, perhaps by an ordinary user: its owner goes on running it.
            Some((uid, gid)) if uid != 0 => Account {
                name: name_of(&users, uid).unwrap_or_else(|| uid.to_string()),
                uid,
                gid,
            },
            _ => ["postgres", "nobody"]
                .iter()
                .find_map(|name| look_up(&users, name))
                .ok_or(Error::NoAccount)?,
        };
        for folder in self.root.ancestors() {
            let open = fs::metadata(folder).is_ok_and(|m| may_enter(&m, &account));
            if !open {
                return Err(Error::Unreachable {
                    account: account.name,
                    folder: folder.to_owned(),
                });
            }
        }
        Ok(Some(account))
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn may_enter(folder: &fs::Metadata, account: &Account) -> bool {
    let bit = match folder {
        m if m.uid() == account.uid => 0o100,
        m if m.gid() == account.gid => 0o010,
        _ => 0o001,
    };
    folder.mode() & bit != 0
}

/// Finds a user by name in the text of `/etc/passwd`.
fn look_up(users: &str, name: &str) -> Option<Account> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let found = fields.next()? == name;
        let (uid, gid) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
        (found && uid != 0).then(|| Account {
            name: name.to_owned(),
            uid,
            gid,
        })
    })
}

fn name_of(users: &str, uid: u32) -> Option<String> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

/// Makes a folder 0700 for the account. One that is already there must be just that: in `/tmp`
/// anybody could have made it first.
fn own_folder(folder: &Path, account: Option<&Account>) -> Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => return give(folder, account),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(e) => return Err(file("cannot make", folder)(e)),
    }
    let found = fs::symlink_metadata(folder).map_err(file("cannot open", folder))?;
    let owner = account.map_or_else(|| rustix::process::geteuid().as_raw(), |a| a.uid);
    let refuse = |what| {
        Err(Error::Socket {
            folder: folder.to_owned(),
            what,
        })
    };
    match found {
        m if !m.is_dir() => refuse("is not a folder"),
        m if m.uid() != owner => refuse("belongs to another user"),
        m if m.mode() & 0o077 != 0 => refuse("is open to other users"),
        _ => Ok(()),
    }
}

/// Hands a file or folder to the account.
pub(super) fn give(path: &Path, account: Option<&Account>) -> Result<()> {
    account.map_or(Ok(()), |a| {
        std::os::unix::fs::chown(path, Some(a.uid), Some(a.gid))
            .map_err(file("cannot give away", path))
    })
}

/// Writes a new file that only its owner can read; it appears whole or not at all.
pub(super) fn write_private(path: &Path, text: &str, account: Option<&Account>) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(file("cannot write", path))?;
    writeln!(new, "{text}")
        .and_then(|()| new.as_file().sync_all())
        .map_err(file("cannot write", path))?;
    new.persist(path)
        .map_err(|e| file("cannot write", path)(e.error))?;
    give(path, account)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_found_by_name_and_root_is_never_chosen() {
        let users = "root:x:0:0::/root:/bin/sh\npostgres:x:105:112::/var/lib/postgresql:/bin/sh\ntoor:x:0:0::/:/bin/sh\n";
        assert_eq!(
            look_up(users, "postgres"),
            Some(Account {
                name: "postgres".to_owned(),
                uid: 105,
                gid: 112
            })
        );
        assert_eq!(look_up(users, "nobody"), None);
        assert_eq!(look_up(users, "toor"), None);
        assert_eq!(name_of(users, 105).as_deref(), Some("postgres"));
    }

    #[test]
    fn a_socket_folder_made_by_somebody_else_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let open = dir.path().join("open");
        DirBuilder::new().mode(0o755).create(&open).unwrap();
        assert!(matches!(own_folder(&open, None), Err(Error::Socket { .. })));
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&open, &link).unwrap();
        assert!(matches!(own_folder(&link, None), Err(Error::Socket { .. })));
        let new = dir.path().join("new");
        own_folder(&new, None).unwrap();
        own_folder(&new, None).unwrap();
    }

    #[test]
    fn the_password_is_private_and_stays() {
        let dir = tempfile::tempdir().unwrap();
        let place = Place::new(dir.path()).unwrap();
        let first = place.password().unwrap();
        assert_eq!(first.len(), 64);
        assert_eq!(place.password().unwrap(), first);
        let mode = fs::metadata(place.password_file()).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::remove_file(place.password_file()).unwrap();
        fs::create_dir(place.cluster()).unwrap();
        assert!(matches!(place.password(), Err(Error::PasswordMissing(_))));
    }
}
