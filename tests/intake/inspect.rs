//! `pel inspect` as a person or a script runs it: what goes where, and how it ends.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const SWEEP: &str = "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,\
    Server Queue,Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv,\
    p50 latency,p90 latency,p95 latency,p99 latency\n\
    1,190.5,7,410,0,30,4700,20,2,5200,5600,5700,5800\n";

fn inspect(args: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pel"));
    command.arg("inspect").args(args).arg(file);
    command.output().expect("started")
}

fn file(folder: &tempfile::TempDir, content: &str) -> PathBuf {
    let path = folder.path().join("run 1.csv");
    fs::write(&path, content).expect("written");
    path
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn a_file_that_is_read_is_a_table_and_ends_with_0() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = inspect(&[], &file(&folder, SWEEP));
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(out.contains("run 1.csv") && out.contains("5.8 ms"), "{out}");
    assert!(output.stderr.is_empty());
}

#[test]
fn with_json_standard_output_is_the_reading_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, SWEEP);
    let output = inspect(&["--json"], &path);
    let reading: pel_evidence::Reading =
        serde_json::from_slice(&output.stdout).expect("one JSON object");
    let source = pel_evidence::Source::at(&path);
    let expected = pel_evidence::read(&[source], &pel_evidence::Options::default());
    assert_eq!(Ok(reading), expected);
    assert!(output.stderr.is_empty());
}

#[test]
fn a_refusal_is_in_words_and_ends_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, "nothing that is known\n");
    for args in [&[][..], &["--json"]] {
        let output = inspect(args, &path);
        assert_eq!(output.status.code(), Some(2));
        let err = text(&output.stderr);
        assert!(
            err.starts_with("run 1.csv: ") && err.lines().count() >= 2,
            "{err}"
        );
        assert!(!err.contains("unknown-format"), "in words: {err}");
        let json: Option<serde_json::Value> = serde_json::from_slice(&output.stdout).ok();
        if let Some(json) = &json {
            for field in ["reason", "advice"] {
                let said = json[field].as_str().expect("in words");
                assert!(err.contains(said), "{field}: {said}");
            }
        }
        let code = json.map(|j| j["refusal"]["code"].clone());
        assert_eq!(code, (!args.is_empty()).then(|| "unknown-format".into()));
    }
}

#[test]
fn a_path_that_is_no_file_is_no_refusal_and_ends_with_1() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, said) in [
        (Path::new("/no/such/file.csv"), "No such file."),
        (folder.path(), "This folder is empty."),
    ] {
        let output = inspect(&["--json"], path);
        assert_eq!(output.status.code(), Some(1));
        let err = text(&output.stderr);
        let start = format!("pel inspect: {}: {said}", path.display());
        assert!(err.starts_with(&start), "{err}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_reader_of_our_output_that_leaves_is_no_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_pel"))
        .args(["inspect", "--json"])
        .arg(file(&folder, SWEEP))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn output_that_cannot_be_written_is_our_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        return; // only Linux has a device that is always full
    };
    let status = Command::new(env!("CARGO_BIN_EXE_pel"))
        .args(["inspect", "--json"])
        .arg(file(&folder, SWEEP))
        .stdout(full)
        .stderr(Stdio::null())
        .status()
        .expect("started");
    assert_eq!(status.code(), Some(1));
}

#[test]
fn no_database_and_no_settings_are_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let status = Command::new(env!("CARGO_BIN_EXE_pel"))
        .arg("inspect")
        .arg(file(&folder, SWEEP))
        .env_clear()
        .env("PEL_DATABASE_URL", "nonsense")
        .stdout(Stdio::null())
        .status()
        .expect("started");
    assert_eq!(status.code(), Some(0));
}
