//! The cage around readers that misbehave, with a shell in the reader's place, and around the
//! real one.

use pel::intake::cage::{Cage, Caged, Failure, Outcome};
use pel_evidence::{Options, Source};
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

fn shell(script: &str) -> Cage {
    Cage {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        time: Duration::from_secs(20),
        ..Cage::default()
    }
}

async fn read(cage: &Cage) -> Caged {
    cage.read(&[Source::at("/dev/null")], &Options::default())
        .await
}

async fn failure(cage: &Cage) -> Failure {
    match read(cage).await.outcome {
        Outcome::Failed(failure) => failure,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_reader_that_loops_is_stopped_with_everything_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("alive");
    let script = format!("(sleep 2; : > {}) & while :; do :; done", trace.display());
    let cage = Cage {
        time: Duration::from_millis(300),
        ..shell(&script)
    };
    let began = Instant::now();
    let failure = failure(&cage).await;
    assert_eq!(failure.code, "reader-failed-time");
    assert_eq!(failure.args["seconds"], "0.3");
    assert!(began.elapsed() < Duration::from_secs(2));
    tokio::time::sleep(Duration::from_millis(2200)).await;
    assert!(!trace.exists(), "a process of the reader went on");
}

#[tokio::test]
async fn a_result_without_end_is_cut_off() {
    let cage = Cage {
        output_bytes: 10_000,
        ..shell("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaa; done")
    };
    let failure = failure(&cage).await;
    assert_eq!(failure.code, "reader-failed-output");
    assert_eq!(failure.args["limit"], "10000 B");
}

#[tokio::test]
async fn talk_without_end_is_thrown_away_and_does_not_block_the_answer() {
    let script = r#"i=0; while [ $i -lt 20000 ]; do echo "talk talk talk talk talk" >&2; i=$((i+1)); done; echo '{"refusal":{"file":"a","code":"empty"}}'; exit 2"#;
    match read(&shell(script)).await.outcome {
        Outcome::Refused(refusal) => assert_eq!(
            (refusal.file.as_str(), refusal.code.as_str()),
            ("a", "empty")
        ),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_crash_names_its_signal_and_last_words() {
    let failure = failure(&shell("echo last words >&2; kill -SEGV $$")).await;
    assert_eq!(failure.code, "reader-failed-crash");
    assert_eq!(failure.args["signal"], "SIGSEGV");
    assert_eq!(failure.args["detail"], "last words");
}

#[tokio::test]
async fn an_abort_for_memory_says_memory() {
    let failure = failure(&shell(
        "echo memory allocation of 9 bytes failed >&2; kill -ABRT $$",
    ))
    .await;
    assert_eq!(failure.code, "reader-failed-memory");
    assert_eq!(failure.args["limit"], "1024 MiB");
}

#[tokio::test]
async fn its_own_failure_and_nonsense_are_told_apart() {
    assert_eq!(
        failure(&shell("echo broke >&2; exit 1")).await.code,
        "reader-failed-own"
    );
    assert_eq!(
        failure(&shell("echo '{}'")).await.code,
        "reader-failed-answer"
    );
    assert_eq!(failure(&shell("exit 2")).await.code, "reader-failed-answer");
    let nowhere = Cage {
        program: "/no/such/program".into(),
        ..Cage::default()
    };
    let failure = failure(&nowhere).await;
    assert_eq!(failure.code, "reader-failed-start");
    assert!(failure.may_pass());
}

#[tokio::test]
async fn a_reader_that_was_killed_from_outside_says_nothing_about_its_file() {
    let killed = failure(&shell("kill -KILL $$")).await;
    assert_eq!(killed.code, "reader-failed-killed");
    assert!(killed.may_pass());
    assert!(!failure(&shell("kill -SEGV $$")).await.may_pass());
}

#[tokio::test]
async fn every_failure_has_its_words_in_both_languages() {
    use pel::i18n::{Lang, has};
    for code in [
        "time",
        "memory",
        "output",
        "crash",
        "own",
        "answer",
        "start",
        "killed",
        "interrupted",
        "bytes",
    ] {
        for lang in Lang::ALL {
            assert!(has(lang, &format!("reader-failed-{code}")), "{code}");
            assert!(has(lang, &format!("reader-failed-{code}-remedy")), "{code}");
        }
    }
}

#[tokio::test]
async fn the_environment_is_empty_and_the_folder_is_the_root() {
    // Cargo sets dozens of variables for this very test.
    assert!(std::env::vars().count() > 5);
    let failure = failure(&shell("/usr/bin/env >&2; pwd >&2; exit 1")).await;
    // A shell sets its own PWD, and may set `_` and SHLVL; nothing else may be there.
    let detail = &failure.args["detail"];
    assert!(
        !detail.contains("CARGO") && !detail.contains("HOME"),
        "{detail}"
    );
    assert!(detail.ends_with('/'), "{detail}");
}

#[tokio::test]
async fn giving_up_kills_the_reader() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("alive");
    let cage = shell(&format!("sleep 1; : > {}", trace.display()));
    let given_up = tokio::time::timeout(Duration::from_millis(200), read(&cage)).await;
    assert!(given_up.is_err());
    tokio::time::sleep(Duration::from_millis(1300)).await;
    assert!(!trace.exists(), "the reader went on");
}

fn real() -> Cage {
    Cage {
        program: env!("CARGO_BIN_EXE_pel").into(),
        ..Cage::default()
    }
}

async fn read_really(cage: &Cage, path: &Path, name: &str) -> Caged {
    let source = Source {
        path: path.to_path_buf(),
        name: name.to_owned(),
    };
    cage.read(
        &[source],
        &Options {
            interval_seconds: Some(15.0),
            ..Options::default()
        },
    )
    .await
}

#[tokio::test]
async fn the_real_reader_answers_under_the_name_its_owner_gave() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cdef0123");
    fs::write(&path, "nothing that is known\n").expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
    let caged = read_really(&real(), &path, "--json before.prom").await;
    match caged.outcome {
        Outcome::Refused(refusal) => {
            assert_eq!(refusal.code, "unknown-format");
            assert_eq!(refusal.file, "--json before.prom");
        }
        other => panic!("{other:?}"),
    }
    let report = caged.report.expect("a report");
    assert!(report.limits, "{report:?}");
    if cfg!(target_os = "linux") {
        assert!(report.complete(), "{report:?}");
    }
}

#[tokio::test]
async fn the_real_reader_refuses_a_file_that_is_gone() {
    match read_really(&real(), Path::new("/no/such/blob"), "gone.csv")
        .await
        .outcome
    {
        Outcome::Refused(refusal) => {
            assert_eq!(
                (refusal.file.as_str(), refusal.code.as_str()),
                ("gone.csv", "io")
            );
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_the_cage_reads_is_what_the_parser_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("0123abcd");
    let sweep = "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,\
        Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv,\
        p50 latency,p90 latency,p95 latency,p99 latency\n\
        1,190.5,7,410,0,30,4700,20,2,5200,5600,5700,5800\n\
        2,380.25,7,410,40,30,4700,20,2,5300,5700,5800,6100\n";
    fs::write(&path, sweep).expect("written");
    let source = Source {
        path,
        name: "sweep.csv".to_owned(),
    };
    let expected = pel_evidence::read(std::slice::from_ref(&source), &Options::default());
    let expected = expected.expect("a sweep");
    let caged = real().read(&[source], &Options::default()).await;
    match caged.outcome {
        Outcome::Read(reading) => {
            assert_eq!(*reading, expected);
            assert_eq!(reading.files[0].name, "sweep.csv");
        }
        other => panic!("{other:?}"),
    }
}
