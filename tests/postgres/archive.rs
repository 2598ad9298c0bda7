//! `pel backup`, `pel restore` and `pel audit verify`.

use crate::common::{self, TestDb};
use crate::house::{House, words};
use pel::store::audit::{Act, Actor, append};
use rustix::process::Signal;
use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

pub async fn act(conn: &mut PgConnection, count: usize) {
    let mut tx = sqlx::Connection::begin(conn).await.unwrap();
    for _ in 0..count {
        let act = Act {
            act: "case.open",
            object: ("case", "1".to_owned()),
            ..Act::default()
        };
        append(&mut tx, &Actor::app(), act, chrono::DateTime::UNIX_EPOCH)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
}

/// Puts an evidence file where a house keeps them, under the name of its content.
fn put_blob(house: &House, content: &[u8]) -> PathBuf {
    let digest = hex::encode(Sha256::digest(content));
    let path = house.data().join("blobs").join(&digest[..2]).join(&digest);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

/// A command on a database elsewhere.
pub fn on(house: &House, db: &TestDb, args: &[&str]) -> Output {
    let mut command: Command = house.command(args);
    command
        .env("PEL_DATABASE_URL", &db.owner_url)
        .output()
        .unwrap()
}

pub fn said(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), words(out))
}

#[tokio::test]
async fn a_backup_of_a_running_house_is_restored_in_another() {
    let house = House::new();
    let serving = house.serve();
    let url = String::from_utf8(house.run(&["db", "url"]).stdout).unwrap();
    let mut conn = <PgConnection as sqlx::Connection>::connect(url.trim())
        .await
        .unwrap();
    act(&mut conn, 3).await;
    let big = vec![7; 12 << 20]; // more than one part of an upload
    let contents: [&[u8]; 3] = [b"evidence", b"", &big];
    let paths = contents.map(|content| put_blob(&house, content));
    let archive = house.beside("archive.tar");
    let file = archive.to_str().unwrap();
    let out = house.run(&["backup", file]);
    assert!(out.status.success(), "{}", said(&out));
    assert!(said(&out).contains("3 evidence files"), "{}", said(&out));
    assert_eq!(serving.get("/readyz"), 200, "the service goes on");

    let other = House::new();
    let out = other.run(&["restore", file]);
    assert!(out.status.success(), "{}", said(&out));
    // Three acts, and the code for the first administrator that the service made at its start.
    assert!(said(&out).contains("intact: 4 events"), "{}", said(&out));
    for (path, content) in paths.iter().zip(contents) {
        let there = other.data().join(path.strip_prefix(house.data()).unwrap());
        assert_eq!(fs::read(there).unwrap(), content);
    }
    // The restored house works, and the app still cannot rewrite history.
    let again = other.serve();
    assert_eq!(again.get("/readyz"), 200);
    let url = String::from_utf8(other.run(&["db", "url"]).stdout).unwrap();
    let mut conn = <PgConnection as sqlx::Connection>::connect(url.trim())
        .await
        .unwrap();
    sqlx::raw_sql("set role pel_app")
        .execute(&mut conn)
        .await
        .unwrap();
    act(&mut conn, 1).await;
    let error = sqlx::raw_sql("delete from audit_event")
        .execute(&mut conn)
        .await;
    assert!(error.is_err());
    // A house in use is not overwritten, with or without the flag.
    let out = other.run(&["restore", "--replace", file]);
    assert!(
        said(&out).contains("in use by another pel"),
        "{}",
        said(&out)
    );
    again.end(Signal::TERM);
    let out = other.run(&["restore", file]);
    assert!(said(&out).contains("--replace"), "{}", said(&out));
    let out = other.run(&["restore", "--replace", file]);
    assert!(said(&out).contains("intact: 4 events"), "{}", said(&out));
}

#[tokio::test]
async fn a_database_elsewhere_is_backed_up_and_restored_too() {
    let (from, to) = (common::database().await, common::database().await);
    act(&mut from.owner().await, 2).await;
    let house = House::new();
    let archive = house.beside("archive.tar");
    let file = archive.to_str().unwrap();
    let out = on(&house, &from, &["backup", file]);
    assert!(out.status.success(), "{}", said(&out));
    let out = on(&house, &from, &["backup", file]);
    assert!(said(&out).contains("never overwrites"), "{}", said(&out));
    let out = on(&house, &to, &["restore", file]);
    assert!(out.status.success(), "{}", said(&out));
    assert!(said(&out).contains("intact: 2 events"), "{}", said(&out));
    // Somebody works on it: the service must be stopped first.
    let pool = &to.pool;
    sqlx::query("select").execute(pool).await.unwrap();
    let out = on(&house, &to, &["restore", "--replace", file]);
    assert!(
        said(&out).contains("stop every `pel serve`"),
        "{}",
        said(&out)
    );
}

#[tokio::test]
async fn a_damaged_archive_is_refused_and_nothing_is_changed() {
    let (from, to) = (common::database().await, common::database().await);
    act(&mut from.owner().await, 2).await;
    let house = House::new();
    let blob = put_blob(&house, &b"evidence ".repeat(1000));
    let archive = house.beside("archive.tar");
    let file = archive.to_str().unwrap();
    let out = on(&house, &from, &["backup", file]);
    assert!(out.status.success(), "{}", said(&out));
    let whole = fs::read(&archive).unwrap();
    fs::remove_file(&blob).unwrap();

    let at = whole.windows(9).position(|w| w == b"evidence ").unwrap();
    let mut flipped = whole.clone();
    flipped[at + 20] ^= 1;
    let manifest = whole
        .windows(13)
        .rposition(|w| w == b"manifest.json")
        .unwrap();
    for (damaged, expected) in [
        (flipped, "damaged"),
        (whole[..at + 100].to_vec(), "cut short"),
        (whole[..manifest].to_vec(), "no manifest"),
        (b"not an archive at all".repeat(100), "no archive"),
        (Vec::new(), "no manifest"),
    ] {
        fs::write(&archive, damaged).unwrap();
        let out = on(&house, &to, &["restore", file]);
        assert_eq!(out.status.code(), Some(1));
        assert!(said(&out).contains(expected), "{expected}: {}", said(&out));
    }
    assert!(!blob.exists());
    let events: i64 = sqlx::query_scalar("select count(*) from audit_event")
        .fetch_one(&mut to.owner().await)
        .await
        .unwrap();
    assert_eq!(events, 0);
}

#[tokio::test]
async fn an_evidence_file_that_is_not_what_its_name_says_stops_a_backup() {
    let db = common::database().await;
    let house = House::new();
    let blob = put_blob(&house, b"evidence");
    fs::write(&blob, b"evidencf").unwrap();
    let archive = house.beside("archive.tar");
    let out = on(&house, &db, &["backup", archive.to_str().unwrap()]);
    assert_eq!(out.status.code(), Some(1));
    assert!(
        said(&out).contains("damaged or exchanged"),
        "{}",
        said(&out)
    );
    assert!(!archive.exists());
}

#[tokio::test]
async fn x11_audit_verify_names_the_first_bad_event() {
    let db = common::database().await;
    let mut owner = db.owner().await;
    act(&mut owner, 5).await;
    let house = House::new();
    let out = on(&house, &db, &["audit", "verify"]);
    assert_eq!(out.status.code(), Some(0));
    assert!(said(&out).contains("5 events"), "{}", said(&out));
    // Only an administrator of the database can do this, and it is found.
    let sql = "alter table audit_event disable trigger all; \
        update audit_event set body = replace(body, 'case.open', 'case.shut') where seq = 3";
    sqlx::raw_sql(sql).execute(&mut owner).await.unwrap();
    let out = on(&house, &db, &["audit", "verify"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(said(&out).contains("BROKEN at event 3"), "{}", said(&out));
}
