//! `pel serve --demo` as people start it: what it prints, and that the links it prints work.

use crate::common::{TestDb, database};
use chrono::{DateTime, Utc};
use pel::{
    ladder::policy::Role,
    store::{audit::Actor, people},
};
use rustix::process::{Pid, Signal, kill_process};
use std::{process::Stdio, time::Duration};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
    process::{Child, Command},
    time::timeout,
};

const PATIENCE: Duration = Duration::from_secs(120);

#[allow(clippy::disallowed_methods)] // the test is the edge here
fn now() -> DateTime<Utc> {
    Utc::now()
}

fn serve(db: &TestDb, data: &tempfile::TempDir) -> Child {
    Command::new(env!("CARGO_BIN_EXE_pel"))
        .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(data.path())
        .env("PEL_DATABASE_URL", &db.owner_url)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("started")
}

/// What it says up to the line that speaks of the password.
async fn said(child: &mut Child) -> Vec<String> {
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut said = Vec::new();
    let talk = async {
        while let Some(line) = lines.next_line().await.expect("text") {
            said.push(line);
            if said.last().is_some_and(|l| l.contains("password")) {
                return;
            }
        }
    };
    timeout(PATIENCE, talk).await.expect("it says its lines");
    said
}

async fn stop(mut child: Child) {
    let pid = i32::try_from(child.id().expect("it runs")).expect("a pid");
    kill_process(Pid::from_raw(pid).expect("a pid"), Signal::INT).expect("told");
    let ended = timeout(PATIENCE, child.wait()).await.expect("it stops");
    assert!(ended.expect("waited").success());
}

/// Asks for a page over a plain connection; its status and body.
async fn get(url: &str) -> (u16, String) {
    let rest = url.strip_prefix("http://").expect("an address");
    let (host, path) = rest.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).await.expect("connected");
    let ask = format!("GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(ask.as_bytes()).await.expect("asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    let status = answer[9..12].parse().expect("a status");
    (status, answer)
}

fn link<'l>(lines: &'l [String], role: &str) -> &'l str {
    let start = format!("{role}: ");
    let found = lines.iter().find_map(|l| l.strip_prefix(&start));
    found.unwrap_or_else(|| panic!("no link for {role} in {lines:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_links_are_printed_that_sign_in_and_fresh_ones_the_next_time() {
    let db = database().await;
    let data = tempfile::tempdir().expect("a folder");
    let mut child = serve(&db, &data);
    let first = said(&mut child).await;
    for (role, name) in [
        ("responder", "J. Melo"),
        ("reviewer", "R. Costa"),
        ("manager", "A. Lima"),
    ] {
        let (status, page) = get(link(&first, role)).await;
        assert_eq!(status, 200, "{role}");
        assert!(page.contains(name), "the link of {role} is {name}'s");
    }
    let password = first
        .last()
        .and_then(|l| l.strip_prefix("password for all three: "));
    assert!(password.is_some_and(|p| p.len() >= 16), "{first:?}");
    stop(child).await;
    let mut child = serve(&db, &data);
    let second = said(&mut child).await;
    assert!(!second.iter().any(|l| l.contains("password for all three")));
    assert_ne!(link(&first, "reviewer"), link(&second, "reviewer"));
    assert_eq!(get(link(&second, "reviewer")).await.0, 200);
    stop(child).await;
}

#[tokio::test]
async fn it_does_not_start_over_people_who_are_not_its_own() {
    let db = database().await;
    let data = tempfile::tempdir().expect("a folder");
    let mut tx = db.pool.begin().await.expect("a transaction");
    let new = people::New {
        login: "ana@example.org",
        name: "Ana",
        roles: &[Role::Admin],
        phc: None,
    };
    people::create(&mut tx, &Actor::app(), &new, now())
        .await
        .expect("made");
    tx.commit().await.expect("committed");
    let output = timeout(PATIENCE, serve(&db, &data).wait_with_output())
        .await
        .expect("it ends")
        .expect("heard");
    assert!(!output.status.success());
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        talk.contains("--demo fills an empty database only"),
        "{talk}"
    );
    assert!(output.stdout.is_empty(), "no link for anybody");
}
