//! Each refusal is one sentence that names the place and the way out.

use crate::house::{House, is_root, words};
use rustix::process::Signal;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

#[track_caller]
fn refused(out: &std::process::Output, parts: &[&str]) {
    assert_eq!(out.status.code(), Some(1));
    let said = words(out);
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

#[test]
fn a_second_pel_on_the_same_folder_is_refused() {
    let house = House::new();
    let first = house.serve();
    let out = house.run(&["serve"]);
    let pid = first.pid().to_string();
    let folder = house.data().display().to_string();
    refused(&out, &[&folder, &pid, "--data-dir"]);
    assert_eq!(first.get("/readyz"), 200, "the first one goes on");
    refused(&house.run(&["db", "reset", "--yes"]), &[&pid]);
    assert!(house.cluster().exists());
}

#[test]
fn a_cluster_of_another_major_version_is_refused_with_the_way_out() {
    let house = House::new();
    house.serve().end(Signal::TERM);
    fs::write(house.cluster().join("PG_VERSION"), "13\n").unwrap();
    let out = house.run(&["serve"]);
    let folder = house.cluster().display().to_string();
    refused(
        &out,
        &[
            &folder,
            "PostgreSQL 13",
            "pel backup",
            "pel db reset",
            "pel restore",
        ],
    );
    // The last resort works although no server can be started.
    let out = house.run(&["db", "reset", "--yes"]);
    assert!(out.status.success(), "{}", words(&out));
    assert_eq!(house.serve().get("/readyz"), 200);
}

#[test]
fn a_missing_password_is_refused_with_the_way_out() {
    let house = House::new();
    house.serve().end(Signal::TERM);
    fs::remove_file(house.data().join("postgres-password")).unwrap();
    refused(
        &house.run(&["serve"]),
        &["postgres-password", "pel db reset"],
    );
    assert!(house.cluster().exists(), "nothing is thrown away by itself");
}

#[test]
fn a_machine_without_a_server_is_told_what_to_install() {
    let house = House::new();
    let mut command = house.command(&["serve"]);
    let out = command
        .env("PEL_POSTGRES_BIN", "/nonexistent")
        .output()
        .unwrap();
    refused(&out, &["PEL_POSTGRES_BIN", "/nonexistent"]);
}

#[test]
fn a_busy_port_names_the_setting() {
    let house = House::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = house.command(&["serve", "--listen", &address]);
    refused(&command.output().unwrap(), &[&address, "--listen"]);
    assert!(!house.data().exists(), "no database was made for it");
}

#[test]
fn root_is_told_when_its_server_cannot_reach_the_folder() {
    if !is_root() {
        return;
    }
    let house = House::new();
    let closed = house.beside("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let mut command = house.command(&["serve"]);
    let out = command
        .env("PEL_DATA_DIR", closed.join("data"))
        .output()
        .unwrap();
    refused(&out, &[&closed.display().to_string(), "/var/lib/pel"]);
}

#[test]
fn commands_that_join_say_when_nothing_runs() {
    let house = House::new();
    refused(&house.run(&["db", "url"]), &["Start `pel serve`"]);
    refused(&house.run(&["worker"]), &["Start `pel serve`"]);
}

#[test]
fn a_reset_is_not_done_without_being_told() {
    let house = House::new();
    house.serve().end(Signal::TERM);
    refused(&house.run(&["db", "reset"]), &["--yes"]);
    assert!(house.cluster().exists());
}
