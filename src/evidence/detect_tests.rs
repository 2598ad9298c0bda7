//! E16: what holds other files is refused by its first bytes, and nothing of it is opened.

use crate::{Options, Refusal, Source, read};
use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;

fn refused(name: &str, bytes: &[u8]) -> Refusal {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read(&[Source::at(path)], &Options::default()).unwrap_err()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// A tar of one entry with a path that leads out of the folder, holding text that parsers know.
fn tar(kind: u8) -> Vec<u8> {
    let mut head = vec![0_u8; 512];
    head[..14].copy_from_slice(b"../../etc/pass");
    head[156] = kind;
    head[257..262].copy_from_slice(b"ustar");
    head.extend_from_slice(
        b"# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running 1\n",
    );
    head.resize(2048, 0);
    head
}

#[test]
fn e16_archives_are_refused_by_their_first_bytes_whatever_they_are_called() {
    for (name, bytes, form) in [
        ("a.zip", b"PK\x03\x04\x14\x00rest".to_vec(), "ZIP"),
        ("empty.zip", b"PK\x05\x06\0\0".to_vec(), "ZIP"),
        ("metrics.prom", b"PK\x03\x04\x14\x00rest".to_vec(), "ZIP"),
        ("a.7z", b"7z\xbc\xaf\x27\x1crest".to_vec(), "7z"),
        ("a.rar", b"Rar!\x1a\x07\x01".to_vec(), "RAR"),
        ("a.csv.zst", b"\x28\xb5\x2f\xfdrest".to_vec(), "Zstandard"),
        ("a.csv.xz", b"\xfd7zXZ\x00rest".to_vec(), "xz"),
        ("a.csv.bz2", b"BZh91AY".to_vec(), "bzip2"),
        ("file.tar", tar(b'0'), "tar"),
        ("link.tar", tar(b'2'), "tar"),
        ("run.tgz", gzip(&tar(b'0')), "tar.gz"),
    ] {
        let refusal = refused(name, &bytes);
        assert_eq!(refusal.code, "archive", "{name}: {refusal:?}");
        assert_eq!(refusal.args["form"], form, "{name}");
        assert_eq!(refusal.file, name);
    }
}

#[test]
fn e16_a_bomb_is_not_unpacked_beyond_the_head() {
    // A hundred megabytes of nothing behind a tar head, packed to some hundred kilobytes.
    let mut bomb = tar(b'0');
    bomb.resize(100 << 20, 0);
    let packed = gzip(&bomb);
    let begun = std::time::Instant::now();
    assert_eq!(refused("bomb.tar.gz", &packed).code, "archive");
    assert!(begun.elapsed() < std::time::Duration::from_secs(2));
}
