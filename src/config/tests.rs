//! Settings as they come from a command line.

use super::*;
use clap::Parser;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    config: Config,
}

fn parse(args: &[&str]) -> Result<Config, clap::Error> {
    Line::try_parse_from(std::iter::once(&"pel").chain(args)).map(|line| line.config)
}

#[test]
fn defaults_are_safe_for_one_machine() {
    let config = parse(&[]).unwrap();
    assert!(config.web.listen.ip().is_loopback());
    assert_eq!(config.web.max_upload, 4 << 30);
    assert!(!config.web.is_secure());
    assert!(!config.web.demo);
}

#[test]
fn https_marks_cookies_secure() {
    let config = parse(&["--public-url", "https://pel.example.org"]).unwrap();
    assert!(config.web.is_secure());
    let config = parse(&["--public-url", "http://localhost:9000"]).unwrap();
    assert!(!config.web.is_secure());
}

#[test]
fn a_public_url_is_scheme_and_host_alone() {
    for wrong in [
        "pel.example.org",
        "ftp://pel.example.org",
        "https://pel.example.org/under",
        "https://me@pel.example.org",
    ] {
        assert!(parse(&["--public-url", wrong]).is_err(), "{wrong}");
    }
}

#[test]
fn the_database_url_comes_from_the_flag_or_a_file_but_not_both() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "postgres://pel@db/pel\n").unwrap();
    let path = file.path().to_str().unwrap();
    let from_file = parse(&["--database-url-file", path, "--database-url", ""]).unwrap();
    assert_eq!(
        from_file.database.url().unwrap().as_deref(),
        Some("postgres://pel@db/pel")
    );
    let both = parse(&[
        "--database-url-file",
        path,
        "--database-url",
        "postgres://x",
    ])
    .unwrap();
    assert!(
        both.database
            .url()
            .unwrap_err()
            .to_string()
            .contains("both")
    );
    std::fs::write(file.path(), "").unwrap();
    let empty = parse(&["--database-url-file", path, "--database-url", ""]).unwrap();
    assert!(empty.database.url().unwrap_err().to_string().contains(path));
}

#[test]
fn a_kind_of_bucket_that_was_not_built_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let config = parse(&["--blobs-url", "memory:///"]).unwrap();
    assert!(config.blobs.open(folder.path()).is_ok());
    let config = parse(&["--blobs-url", "nowhere"]).unwrap();
    let error = config.blobs.open(folder.path()).unwrap_err();
    assert!(error.to_string().contains("PEL_BLOBS_URL"), "{error}");
    #[cfg(not(feature = "s3"))]
    {
        let config = parse(&["--blobs-url", "s3://bucket/pel"]).unwrap();
        let error = config.blobs.open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("this pel knows file://"), "{error}");
    }
}
