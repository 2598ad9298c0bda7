//! Uploads through a real form and through a bare stream.

use axum::{
    body::Body,
    extract::{FromRequest as _, Multipart},
    http::Request,
};
use bytes::Bytes;
use futures_util::stream;
use pel::{
    i18n::{Lang, has},
    intake::{
        blobs::Blobs,
        receive::{Form, Received, Refused, Rules, file, form, name_of},
    },
};
use std::{convert::Infallible, io};
use tempfile::TempDir;

fn blobs() -> (TempDir, Blobs) {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::folder(folder.path()).expect("opened");
    (folder, blobs)
}

fn rules() -> Rules {
    Rules {
        file_bytes: 1000,
        files: 3,
        text_bytes: 20,
        texts: 2,
    }
}

/// A part of a form: name, file name if it is a file, content.
type Part<'a> = (&'a str, Option<&'a str>, &'a [u8]);

fn body(parts: &[Part<'_>]) -> Vec<u8> {
    let mut out = vec![];
    for (name, file, content) in parts {
        out.extend_from_slice(
            format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"").as_bytes(),
        );
        if let Some(file) = file {
            out.extend_from_slice(format!("; filename=\"{file}\"").as_bytes());
        }
        out.extend_from_slice(b"\r\n\r\n");
        out.extend_from_slice(content);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"--B--\r\n");
    out
}

async fn send(
    blobs: &Blobs,
    body: Vec<u8>,
    rules: Rules,
) -> (Result<Form, Refused>, Vec<(usize, u64)>) {
    let chunks: Vec<_> = body
        .chunks(64)
        .map(|c| Ok::<_, Infallible>(Bytes::copy_from_slice(c)))
        .collect();
    let request = Request::post("/")
        .header("content-type", "multipart/form-data; boundary=B")
        .body(Body::from_stream(stream::iter(chunks)))
        .expect("a request");
    let mut multipart = Multipart::from_request(request, &()).await.expect("a form");
    let mut progress = vec![];
    let received = form(blobs, &mut multipart, rules, &mut |file, bytes| {
        progress.push((file, bytes))
    })
    .await;
    (received, progress)
}

fn code(received: &Received) -> &'static str {
    received.result.as_ref().expect_err("refused").code
}

#[tokio::test]
async fn a_form_with_several_files_gives_a_result_for_each() {
    let (_folder, blobs) = blobs();
    let long = vec![b'x'; 1001];
    let parts: &[Part<'_>] = &[
        ("phase", None, b"warm"),
        (
            "files",
            Some("C:\\runs\\before.prom"),
            b"content of the first",
        ),
        ("files", Some("big.csv"), &long),
        ("files", Some("after.prom"), b"content of the second"),
        ("note", None, "ção".as_bytes()),
    ];
    let (form, progress) = send(&blobs, body(parts), rules()).await;
    let form = form.expect("taken");
    assert_eq!(
        (form.text("phase"), form.text("note"), form.text("x")),
        (Some("warm"), Some("ção"), None)
    );
    let names: Vec<_> = form.files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["before.prom", "big.csv", "after.prom"]);
    assert_eq!(code(&form.files[1]), "upload-too-large");
    assert_eq!(
        form.files[1].result.as_ref().expect_err("refused").args["limit"],
        "1000 B"
    );
    for (n, len) in [(0, 20), (2, 21)] {
        let stored = form.files[n].result.as_ref().expect("kept");
        assert_eq!(stored.bytes, len);
        assert_eq!(blobs.length(stored.sha256).await.expect("asked"), Some(len));
        let last = progress.iter().rfind(|(file, _)| *file == n);
        assert_eq!(last, Some(&(n, len)));
    }
}

#[tokio::test]
async fn e15_an_empty_file_is_refused_and_an_unused_file_field_is_nothing() {
    let (_folder, blobs) = blobs();
    let parts: &[Part<'_>] = &[("files", Some("empty.csv"), b""), ("files", Some(""), b"")];
    let (form, _) = send(&blobs, body(parts), rules()).await;
    let form = form.expect("taken");
    assert_eq!(form.files.len(), 1);
    assert_eq!(code(&form.files[0]), "upload-empty");
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let nothing = nothing.parse().expect("a digest");
    assert_eq!(blobs.length(nothing).await.expect("asked"), None);
}

#[tokio::test]
async fn a_form_beyond_its_rules_is_refused_whole() {
    let (_folder, blobs) = blobs();
    let file: Part<'_> = ("files", Some("a"), b"a");
    let text: Part<'_> = ("t", None, b"t");
    for (parts, expected) in [
        (vec![file; 4], "upload-too-many-files"),
        (vec![text; 3], "upload-too-many-fields"),
        (vec![("t", None, &[b'x'; 21][..])], "upload-text-too-long"),
        (vec![("t", None, &[0xff, 0xfe][..])], "upload-not-text"),
    ] {
        let (refused, _) = send(&blobs, body(&parts), rules()).await;
        assert_eq!(refused.expect_err("refused").code, expected);
    }
}

#[tokio::test]
async fn e17_a_form_that_breaks_off_keeps_nothing_of_the_file() {
    let (_folder, blobs) = blobs();
    let mut cut = body(&[("files", Some("a.csv"), &[b'x'; 500])]);
    cut.truncate(300);
    let (refused, _) = send(&blobs, cut, rules()).await;
    assert_eq!(refused.expect_err("refused").code, "upload-interrupted");
    let left = std::fs::read_dir(blobs.temporary())
        .expect("listed")
        .count();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_bare_stream_is_received_the_same_way() {
    let (_folder, blobs) = blobs();
    let parts = vec![
        Ok::<_, io::Error>(Bytes::new()),
        Ok(Bytes::from_static(b"abc")),
    ];
    let mut seen = vec![];
    let received = file(&blobs, "x.csv", stream::iter(parts), 10, None, &mut |n| {
        seen.push(n)
    })
    .await;
    assert_eq!(received.result.expect("kept").bytes, 3);
    assert_eq!(seen.last(), Some(&3));
    let wrong = Some(pel::intake::blobs::Digest::from_bytes([0; 32]));
    let parts = vec![Ok::<_, io::Error>(Bytes::from_static(b"abc"))];
    let received = file(&blobs, "x.csv", stream::iter(parts), 10, wrong, &mut |_| ()).await;
    assert_eq!(code(&received), "upload-digest");
}

#[test]
fn e18_names_are_tamed() {
    for (sent, kept) in [
        ("../../etc/passwd", "passwd"),
        ("C:\\a\\b.csv", "b.csv"),
        ("re\u{202e}vsc.exe\r\n", "revsc.exe"),
        ("", "unnamed"),
        ("..", "unnamed"),
        ("a/", "unnamed"),
        (" coleta de manhã.csv ", "coleta de manhã.csv"),
    ] {
        assert_eq!(name_of(sent), kept, "{sent:?}");
    }
    assert_eq!(name_of(&"é".repeat(300)).chars().count(), 200);
}

#[test]
fn every_refusal_has_its_words_in_both_languages() {
    let source = include_str!("../../src/intake/receive.rs");
    let codes: Vec<&str> = source
        .split('"')
        .filter(|s| s.starts_with("upload-") && !s.contains([' ', '…']))
        .collect();
    assert!(codes.len() >= 11, "{codes:?}");
    for code in codes {
        for lang in Lang::ALL {
            assert!(
                has(lang, code) && has(lang, &format!("{code}-remedy")),
                "{code}"
            );
        }
    }
}

/// A file system of `kib` KiB, unmounted when dropped.
struct Small(TempDir);

impl Small {
    /// `None` where nothing may be mounted, which takes root.
    fn mounted(kib: u32) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let size = format!("size={kib}k");
        let mount = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "none"])
            .arg(folder.path())
            .output();
        mount
            .is_ok_and(|m| m.status.success())
            .then_some(Self(folder))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount")
            .arg("--lazy")
            .arg(self.0.path())
            .status();
    }
}

#[tokio::test]
async fn x9_a_full_disk_refuses_the_file_keeps_nothing_of_it_and_takes_the_next() {
    let Some(small) = Small::mounted(512) else {
        println!("skipped: no file system may be mounted here (it takes root)");
        return;
    };
    let blobs = Blobs::folder(small.0.path().join("blobs")).expect("opened");
    let rules = Rules {
        file_bytes: 10_000_000,
        ..rules()
    };
    let large = vec![b'x'; 2_000_000];
    let parts = body(&[
        ("files", Some("large.csv"), &large),
        ("files", Some("small.csv"), b"kept"),
    ]);
    let (received, _) = send(&blobs, parts, rules).await;
    let form = received.expect("one file does not take the other with it");
    let [large, small_one] = &form.files[..] else {
        panic!("{} files", form.files.len());
    };
    assert_eq!(code(large), "upload-no-space");
    for lang in Lang::ALL {
        for key in ["upload-no-space", "upload-no-space-remedy"] {
            assert!(has(lang, key), "{key}");
        }
    }
    assert_eq!(small_one.result.as_ref().expect("kept").bytes, 4);
    let left = std::fs::read_dir(blobs.temporary())
        .expect("listed")
        .count();
    assert_eq!(left, 0, "nothing half-written stays");
}
