//! A database that `PEL_DATABASE_URL` names.

use crate::common;
use crate::house::{House, kill, wait_for, words};
use pel::postgres::{Database, Error, Settings, Use};
use rustix::process::Signal;
use sqlx::AssertSqlSafe;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

fn settings(url: &str) -> Settings {
    Settings {
        data_dir: "/nonexistent".into(),
        url: Some(url.to_owned()),
        binaries: None,
        max_connections: 2,
    }
}

async fn open(url: &str) -> Result<Database, Error> {
    Database::open(&settings(url), Use::Own).await
}

#[tokio::test]
async fn an_empty_database_is_brought_up_to_date_and_used_as_the_app() {
    let db = common::empty_database().await;
    let opened = open(&db.owner_url).await.unwrap();
    let role: String =
        sqlx::query_scalar("select current_user::text || current_setting('statement_timeout')")
            .fetch_one(opened.pool())
            .await
            .unwrap();
    assert_eq!(role, "pel_app1min");
    opened.stop().await;
}

#[tokio::test]
async fn two_instances_may_migrate_at_once() {
    let db = common::empty_database().await;
    let (one, two) = tokio::join!(open(&db.owner_url), open(&db.owner_url));
    one.unwrap().stop().await;
    two.unwrap().stop().await;
}

#[tokio::test]
async fn a_user_without_rights_is_told_what_an_administrator_must_run() {
    let db = common::database().await;
    let user = format!("u_{}", db.name());
    let mut owner = db.owner().await;
    let make = format!("create role {user} login password 'x'");
    sqlx::raw_sql(AssertSqlSafe(make))
        .execute(&mut owner)
        .await
        .unwrap();
    let (before, after) = db.owner_url.split_once("pel:").unwrap();
    let (_, place) = after.split_once('@').unwrap();
    let error = open(&format!("{before}{user}:x@{place}"))
        .await
        .err()
        .unwrap();
    let drop = format!("drop role {user}");
    sqlx::raw_sql(AssertSqlSafe(drop))
        .execute(&mut owner)
        .await
        .unwrap();
    let said = error.to_string();
    assert!(matches!(error, Error::Rights { .. }), "{said}");
    assert!(
        said.contains(&user) && said.contains("As an administrator"),
        "{said}"
    );
}

#[tokio::test]
async fn a_database_of_a_newer_pel_is_left_alone() {
    let db = common::empty_database().await;
    open(&db.owner_url).await.unwrap().stop().await;
    let sql = "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (99999999, 'tomorrow', true, '', 0)";
    sqlx::raw_sql(sql)
        .execute(&mut db.owner().await)
        .await
        .unwrap();
    let error = open(&db.owner_url).await.err().unwrap();
    assert!(matches!(error, Error::NewerSchema(99_999_999)), "{error}");
}

#[tokio::test]
async fn an_address_that_does_not_answer_is_named_without_its_password() {
    let error = open("postgres://me:hush@127.0.0.1:1/pel")
        .await
        .err()
        .unwrap();
    let said = error.to_string();
    assert!(
        said.contains("127.0.0.1/pel") && said.contains("PEL_DATABASE_URL"),
        "{said}"
    );
    assert!(!said.contains("hush"), "{said}");
    let error = open("mysql//").await.err().unwrap().to_string();
    assert!(error.contains("postgres://USER"), "{error}");
}

#[tokio::test]
async fn reset_empties_it_and_applies_the_migrations() {
    let db = common::empty_database().await;
    let mut owner = db.owner().await;
    let sql = "create type mood as enum ('fine'); create table left_over (id serial, m mood); create view v as select * from left_over; \
        create function f(mood) returns int language sql as 'select 1'";
    sqlx::raw_sql(sql).execute(&mut owner).await.unwrap();
    let house = House::new();
    let mut command = house.command(&["db", "reset", "--yes"]);
    let out = command
        .env("PEL_DATABASE_URL", &db.owner_url)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", words(&out));
    let left: Vec<String> = sqlx::query_scalar(
        "select relname::text from pg_class where relname in ('left_over', 'v', 'audit_event')",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    assert_eq!(left, ["audit_event"]);
}

#[tokio::test]
async fn a_worker_joins_it_and_stops_when_asked() {
    let db = common::database().await;
    let house = House::new();
    let mut command = house.command(&["worker"]);
    command.env("PEL_DATABASE_URL", &db.owner_url);
    let mut worker = command.stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(worker.stderr.take().unwrap()).lines();
    let ready = lines
        .map_while(Result::ok)
        .any(|line| line.contains("waiting for work"));
    assert!(ready, "the worker says that it works");
    kill(i32::try_from(worker.id()).unwrap(), Signal::TERM);
    assert_eq!(wait_for(&mut worker).code(), Some(0));
}
