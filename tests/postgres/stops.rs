//! The private server goes with its pel, and leaves no process behind.

use crate::house::{House, kill, wait, wait_for};
use rustix::process::Signal;

#[test]
fn ctrl_c_stops_cleanly_and_leaves_no_process() {
    stops_with(Signal::INT);
}

#[test]
fn sigterm_stops_cleanly_and_leaves_no_process() {
    stops_with(Signal::TERM);
}

fn stops_with(signal: Signal) {
    let house = House::new();
    let (code, said) = house.serve().end(signal);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(house.processes(), Vec::<i32>::new());
    assert_eq!(house.server_pid(), None, "the server removed its pid file");
}

#[test]
fn ctrl_c_in_a_terminal_reaches_pel_and_not_the_server() {
    let house = House::new();
    let serving = house.serve();
    let group = |pid| rustix::process::getpgid(rustix::process::Pid::from_raw(pid)).unwrap();
    assert_ne!(group(serving.server), group(serving.pid()));
}

#[test]
fn a_stop_during_the_start_leaves_no_process() {
    let house = House::new();
    house.serve().end(Signal::TERM);
    let mut child = house.spawn();
    wait(|| !house.processes().is_empty(), "the server starts");
    kill(i32::try_from(child.id()).unwrap(), Signal::TERM);
    assert_eq!(wait_for(&mut child).code(), Some(0));
    house.wait_until_quiet();
}

#[test]
fn a_stop_while_the_cluster_is_made_leaves_no_process() {
    let house = House::new();
    let mut child = house.spawn();
    wait(|| house.data().join("postgres.log").exists(), "initdb runs");
    kill(i32::try_from(child.id()).unwrap(), Signal::TERM);
    assert_eq!(wait_for(&mut child).code(), Some(0));
    house.wait_until_quiet();
    let left: Vec<_> = std::fs::read_dir(house.data())
        .unwrap()
        .flatten()
        .map(|e| e.file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".initdb"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_failed_start_stops_the_server_again() {
    let house = House::new();
    let serving = house.serve();
    let out = house.run(&["db", "url"]);
    let url = String::from_utf8(out.stdout).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut conn = <sqlx::PgConnection as sqlx::Connection>::connect(url.trim())
            .await
            .unwrap();
        let sql = "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (99999999, 'tomorrow', true, '', 0)";
        sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
    });
    serving.end(Signal::TERM);
    let out = house.run(&["serve"]);
    assert_eq!(out.status.code(), Some(1));
    let said = crate::house::words(&out);
    assert!(said.contains("written by a newer pel"), "{said}");
    house.wait_until_quiet();
}

#[test]
fn a_service_whose_server_ends_by_itself_ends_with_a_reason() {
    let house = House::new();
    let serving = house.serve();
    kill(serving.server, Signal::QUIT);
    // A signal that does nothing: the service ends for its own reasons.
    let (code, said) = serving.end(Signal::CONT);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("ended by itself"), "{said}");
    assert_eq!(house.processes(), Vec::<i32>::new());
}
