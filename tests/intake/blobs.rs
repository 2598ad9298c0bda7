//! The blob store in a folder and in a bucket: what is kept, what is refused, what is left behind.

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::{memory::InMemory, path::Path as Key};
use pel::intake::{
    blobs::{Blobs, Digest, Error, Stored},
    sweep::{Swept, sweep},
};
use sha2::{Digest as _, Sha256};
use std::{convert::Infallible, fs, io, path::Path, sync::Arc, time::Duration};
use tempfile::TempDir;

/// Both kinds of store, each in a folder of its own.
fn stores() -> Vec<(TempDir, Blobs)> {
    let (a, b) = (
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    );
    let folder = Blobs::folder(a.path().join("blobs")).expect("opened");
    let bucket =
        Blobs::bucket(Arc::new(InMemory::new()), Key::from("pel"), b.path()).expect("opened");
    vec![(a, folder), (b, bucket)]
}

/// Bytes that differ everywhere, `len` of them.
fn sample(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 31 + i / 251) as u8).collect()
}

fn digest(bytes: &[u8]) -> Digest {
    Digest::from_bytes(Sha256::digest(bytes).into())
}

/// The bytes as a stream of chunks of this length.
fn chunks(
    bytes: &[u8],
    len: usize,
) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> + Send {
    let parts: Vec<_> = bytes
        .chunks(len)
        .map(|c| Ok(Bytes::copy_from_slice(c)))
        .collect();
    stream::iter(parts)
}

async fn put(blobs: &Blobs, bytes: &[u8]) -> Stored {
    blobs
        .put(chunks(bytes, 10_000), u64::MAX, None)
        .await
        .expect("kept")
}

async fn all(blobs: &Blobs, sha256: Digest) -> Vec<u8> {
    let parts: Vec<Bytes> = blobs
        .open(sha256)
        .await
        .expect("there")
        .try_collect()
        .await
        .expect("read");
    parts.concat()
}

/// Every file under a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).expect("listed").flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(files(&path)),
            path => found.push(path.display().to_string()),
        }
    }
    found
}

#[tokio::test]
async fn bytes_come_back_as_they_were_whatever_their_chunks() {
    for (_folder, blobs) in stores() {
        for (len, chunk) in [
            (0, 1),
            (1, 1),
            (524_288, 524_288),
            (1_300_001, 7_001),
            (3_000_000, 1_500_000),
        ] {
            let bytes = sample(len);
            let stored = blobs
                .put(chunks(&bytes, chunk), len as u64, None)
                .await
                .expect("kept");
            assert_eq!(
                stored,
                Stored {
                    sha256: digest(&bytes),
                    bytes: len as u64,
                    known: false
                }
            );
            assert!(
                all(&blobs, stored.sha256).await == bytes,
                "{len} bytes in chunks of {chunk}"
            );
            assert_eq!(
                blobs.length(stored.sha256).await.expect("asked"),
                Some(len as u64)
            );
            assert!(blobs.verify(stored.sha256).await.expect("read"));
        }
        assert_eq!(files(blobs.temporary()), Vec::<String>::new());
    }
}

#[tokio::test]
async fn the_same_bytes_are_kept_once() {
    for (folder, blobs) in stores() {
        let bytes = sample(70_000);
        assert!(!put(&blobs, &bytes).await.known);
        let before = files(folder.path());
        assert!(put(&blobs, &bytes).await.known);
        assert_eq!(files(folder.path()), before);
    }
}

#[tokio::test]
async fn too_many_bytes_are_refused_without_waiting_for_the_end() {
    for (folder, blobs) in stores() {
        let endless = stream::repeat_with(|| Ok::<_, Infallible>(Bytes::from_static(&[7; 4096])));
        let refused = blobs.put(endless, 1_000_000, None).await;
        assert!(
            matches!(refused, Err(Error::TooLarge { limit: 1_000_000 })),
            "{refused:?}"
        );
        assert_eq!(files(folder.path()), Vec::<String>::new());
    }
}

#[tokio::test]
async fn other_bytes_than_promised_are_not_kept() {
    for (folder, blobs) in stores() {
        let (bytes, expected) = (sample(9_000), digest(b"something else"));
        match blobs.put(chunks(&bytes, 100), 10_000, Some(expected)).await {
            Err(Error::WrongDigest {
                expected: e,
                actual,
            }) => {
                assert_eq!((e, actual), (expected, digest(&bytes)));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(files(folder.path()), Vec::<String>::new());
        assert_eq!(blobs.length(digest(&bytes)).await.expect("asked"), None);
        let promised = blobs
            .put(chunks(&bytes, 100), 10_000, Some(digest(&bytes)))
            .await;
        assert!(promised.is_ok());
    }
}

#[tokio::test]
async fn e17_a_sender_that_breaks_off_leaves_nothing() {
    for (folder, blobs) in stores() {
        let parts = vec![
            Ok(Bytes::from(sample(900_000))),
            Err(io::Error::from(io::ErrorKind::ConnectionReset)),
        ];
        let broken = blobs.put(stream::iter(parts), u64::MAX, None).await;
        assert!(matches!(broken, Err(Error::Interrupted(_))), "{broken:?}");
        assert_eq!(files(folder.path()), Vec::<String>::new());
    }
}

#[tokio::test]
async fn dropping_an_upload_half_way_leaves_nothing() {
    for (folder, blobs) in stores() {
        let start = stream::iter(vec![Ok::<_, Infallible>(Bytes::from(sample(2_000_000)))]);
        let stuck = start.chain(stream::pending());
        let given_up =
            tokio::time::timeout(Duration::from_millis(200), blobs.put(stuck, u64::MAX, None))
                .await;
        assert!(given_up.is_err());
        // The writing thread hears of it at once, but in its own time.
        let mut left = files(folder.path());
        for _ in 0..200 {
            if left.is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
            left = files(folder.path());
        }
        assert_eq!(left, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_blob_that_is_not_there_is_absent_everywhere() {
    for (folder, blobs) in stores() {
        let unknown = digest(b"never seen");
        assert!(matches!(blobs.open(unknown).await, Err(Error::Absent(d)) if d == unknown));
        assert!(matches!(
            blobs.local_copy(unknown, folder.path()).await,
            Err(Error::Absent(_))
        ));
        assert!(matches!(blobs.verify(unknown).await, Err(Error::Absent(_))));
        blobs.remove(unknown).await.expect("nothing to do");
    }
}

#[tokio::test]
async fn a_local_copy_can_be_opened_and_a_removed_blob_is_gone() {
    for (_folder, blobs) in stores() {
        let bytes = sample(600_000);
        let stored = put(&blobs, &bytes).await;
        let dir = tempfile::tempdir().expect("a folder");
        let path = blobs
            .local_copy(stored.sha256, dir.path())
            .await
            .expect("a path");
        assert!(fs::read(path).expect("read") == bytes);
        blobs.remove(stored.sha256).await.expect("removed");
        assert_eq!(blobs.length(stored.sha256).await.expect("asked"), None);
    }
}

#[tokio::test]
async fn bytes_that_changed_on_disk_are_found() {
    let (folder, blobs) = stores().remove(0);
    let stored = put(&blobs, &sample(5_000)).await;
    let path = blobs
        .local_copy(stored.sha256, folder.path())
        .await
        .expect("a path");
    let mut bytes = fs::read(&path).expect("read");
    bytes[2_500] ^= 1;
    fs::remove_file(&path).expect("removed");
    fs::write(&path, bytes).expect("written");
    assert!(!blobs.verify(stored.sha256).await.expect("read"));
}

#[tokio::test]
async fn a_blob_cut_short_on_disk_is_made_whole_by_the_next_upload() {
    let (folder, blobs) = stores().remove(0);
    let bytes = sample(5_000);
    let stored = put(&blobs, &bytes).await;
    let path = blobs
        .local_copy(stored.sha256, folder.path())
        .await
        .expect("a path");
    fs::remove_file(&path).expect("removed");
    fs::write(&path, &bytes[..100]).expect("written");
    assert!(!put(&blobs, &bytes).await.known);
    assert!(all(&blobs, stored.sha256).await == bytes);
}

#[tokio::test]
async fn uploads_of_the_same_bytes_at_once_all_succeed() {
    for (_folder, blobs) in stores() {
        let bytes = sample(400_000);
        let puts = (0..8).map(|_| put(&blobs, &bytes));
        let stored = futures_util::future::join_all(puts).await;
        assert!(stored.iter().all(|s| s.sha256 == digest(&bytes)));
        assert!(all(&blobs, digest(&bytes)).await == bytes);
    }
}

/// The upload that the next test kills; not a test of its own.
#[tokio::test]
async fn upload_that_is_killed() {
    let Some(folder) = std::env::var_os("PEL_TEST_KILLED_UPLOAD") else {
        return;
    };
    let blobs = Blobs::folder(folder).expect("opened");
    let start = stream::iter(vec![Ok::<_, Infallible>(Bytes::from(sample(2_000_000)))]);
    let _ = blobs
        .put(start.chain(stream::pending()), u64::MAX, None)
        .await;
}

#[tokio::test]
async fn a_kill_in_the_middle_leaves_no_blob_and_a_file_for_the_sweep() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = std::process::Command::new(std::env::current_exe().expect("this binary"))
        .args(["--exact", "blobs::upload_that_is_killed"])
        .env("PEL_TEST_KILLED_UPLOAD", folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("started");
    let written = |file: &String| fs::metadata(file).is_ok_and(|m| m.len() > 1_000_000);
    for _ in 0..500 {
        if files(folder.path()).iter().any(written) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let left = files(folder.path());
    assert!(
        left.len() == 1 && left[0].contains("/tmp/pel-upload-"),
        "{left:?}"
    );
    let modified = fs::metadata(&left[0])
        .and_then(|m| m.modified())
        .expect("a time");
    let later = chrono::DateTime::from(modified + Duration::from_secs(10));
    let blobs = Blobs::folder(folder.path()).expect("opened");
    let swept = sweep(blobs.temporary(), Duration::from_secs(5), later).await;
    assert_eq!(swept.expect("swept").files, 1);
    assert_eq!(files(folder.path()), Vec::<String>::new());
}

#[tokio::test]
async fn a_list_of_the_folder_shows_blobs_and_no_upload_under_way() {
    use object_store::{ObjectStore as _, local::LocalFileSystem};
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::folder(folder.path()).expect("opened");
    let stored = put(&blobs, b"kept").await;
    let start = stream::iter(vec![Ok::<_, Infallible>(Bytes::from(sample(2_000_000)))]);
    let mut under_way = Box::pin(blobs.put(start.chain(stream::pending()), u64::MAX, None));
    let _ = tokio::time::timeout(Duration::from_millis(200), &mut under_way).await;
    assert_eq!(files(blobs.temporary()).len(), 1);
    let list = LocalFileSystem::new_with_prefix(folder.path()).expect("opened");
    let listed: Vec<_> = list.list(None).try_collect().await.expect("listed");
    let names: Vec<_> = listed.iter().map(|o| o.location.to_string()).collect();
    let name = stored.sha256.to_string();
    assert_eq!(names, [format!("{}/{}", &name[..2], &name[2..])]);
}

#[tokio::test]
async fn the_sweep_takes_only_our_abandoned_files() {
    let (_folder, blobs) = stores().remove(0);
    let put = |name: &str| {
        let path = blobs.temporary().join(name);
        fs::write(&path, "abc").expect("written");
        path
    };
    let (ours, foreign) = (put("pel-upload-x1"), put("notes.txt"));
    let written = fs::metadata(&ours)
        .and_then(|m| m.modified())
        .expect("a time");
    let hour = Duration::from_secs(3600);
    let at = |later: Duration| chrono::DateTime::from(written + later);
    let fresh = sweep(blobs.temporary(), hour, at(Duration::from_secs(3599))).await;
    assert_eq!(fresh.expect("swept"), Swept::default());
    let late = sweep(blobs.temporary(), hour, at(Duration::from_secs(3700))).await;
    assert_eq!(late.expect("swept"), Swept { files: 1, bytes: 3 });
    assert!(!ours.exists() && foreign.exists());
}

#[test]
fn addresses_are_understood_or_refused_with_a_reason() {
    let spool = tempfile::tempdir().expect("a folder");
    let none = Vec::<(String, String)>::new();
    let at = |url: &str| Blobs::at(url, none.clone(), spool.path());
    assert!(at(&format!("file://{}/b", spool.path().display())).is_ok());
    for wrong in ["no address", "ftp://host/x"] {
        match at(wrong) {
            Err(Error::Address { url, reason }) => assert!(url == wrong && !reason.is_empty()),
            other => panic!("{wrong}: {other:?}"),
        }
    }
}

#[test]
fn a_digest_is_64_hexadecimal_digits() {
    let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(text.parse::<Digest>().expect("a digest"), digest(b""));
    assert_eq!(digest(b"").to_string(), text);
    for wrong in [
        "",
        "e3b0",
        &format!("{text}00"),
        &"../".repeat(21),
        &"g".repeat(64),
    ] {
        assert!(wrong.parse::<Digest>().is_err(), "{wrong:?}");
    }
}

#[tokio::test]
async fn the_sweep_takes_copies_that_a_killed_reading_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let left = folder.path().join("pel-copies-1a2b");
    fs::create_dir(&left).expect("made");
    fs::write(left.join("blob"), b"bytes").expect("written");
    let written = fs::metadata(&left)
        .and_then(|m| m.modified())
        .expect("a time");
    let foreign = folder.path().join("other");
    fs::create_dir(&foreign).expect("made");
    let at = |later| chrono::DateTime::from(written + Duration::from_secs(later));
    let hour = Duration::from_secs(3600);
    let fresh = sweep(folder.path(), hour, at(3500)).await;
    assert_eq!(fresh.expect("swept"), Swept::default());
    let late = sweep(folder.path(), hour, at(3700)).await;
    assert_eq!(late.expect("swept"), Swept { files: 1, bytes: 5 });
    assert!(!left.exists() && foreign.exists());
}
