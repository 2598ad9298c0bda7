//! The program is killed at any moment, with its readers and its database, while people hand in
//! files: nothing may be half made, and nothing lost that was acknowledged.
//!
//! `PEL_KILLS` says how many kills (200 before a release), `PEL_SEED` with which dice; both are
//! printed at the end. The default is few enough for every run of the tests.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // tests

#[path = "../common/mod.rs"]
mod common;

mod accepts;
mod chance;
mod check;
mod client;
mod faults;
mod files;
mod house;
mod place;
mod waiting;

use axum::{body::Body, http::StatusCode};
use chance::Chance;
use client::{Client, Ledger};
use house::{House, kill};
use place::Place;
use std::collections::BTreeMap;
use std::fs;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Kills between two checks; each round has a case of its own.
const ROUND: usize = 20;
/// Clients that hand in files at the same time.
const CLIENTS: usize = 4;
/// Forms that every kill allows, so that the work stays in proportion.
const FORMS_A_KILL: usize = 4;

fn setting<T: FromStr>(name: &str, otherwise: T) -> T {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .ok()
            .unwrap_or_else(|| panic!("{name}={text} is no number")),
        Err(_) => otherwise,
    }
}

/// How often what was killed.
type Kills = BTreeMap<&'static str, usize>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_at_any_moment_lose_nothing_that_was_acknowledged() {
    let kills: usize = setting("PEL_KILLS", 12);
    let seed: u64 = setting("PEL_SEED", place::now().timestamp_micros().unsigned_abs());
    println!("PEL_SEED={seed} PEL_KILLS={kills}");
    let began = Instant::now();
    let mut chance = Chance::new(seed);
    let mut house = House::new();
    house.start();
    let place = Place::make(&mut house.database().await, CLIENTS).await;
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    let (mut seen, mut count) = (check::Seen::default(), Kills::new());
    let mut left = kills;
    while left > 0 {
        let now = left.min(ROUND);
        round(&mut house, &place, &mut chance, &ledger, now, &mut count).await;
        check::drain(&mut house).await;
        seen.reread += read_again(&mut house, &place).await;
        check::drain(&mut house).await;
        let noted = ledger.lock().unwrap().clone();
        check::all(&mut house, &noted, &mut seen).await;
        left -= now;
        let so_far = ledger.lock().unwrap();
        println!(
            "{:>4} s: {left} kills to go; {count:?}; forms acknowledged: {} at once, {} on a second try; \
             files unanswered: {}; items: {}, of them read on a person's word: {}; blobs of no item: {}",
            began.elapsed().as_secs(),
            so_far.forms,
            so_far.again,
            so_far.unanswered.len(),
            seen.items,
            seen.reread,
            seen.spare
        );
    }
    assert!(ledger.lock().unwrap().forms > 0, "nothing was handed in");
    leftovers_go(&mut house).await;
    assert!(house.stop(), "the last stop is in order");
}

/// Asks for the items to be read again whose reading was cut short too often, as their page
/// advises; how many they were.
async fn read_again(house: &mut House, place: &Place) -> usize {
    let items = check::cut_short(&mut house.database().await).await;
    let client = Client::new(house.address(), &place.people[0].token);
    for item in &items {
        let path = format!("/evidence/{item}/reread");
        let content = "application/x-www-form-urlencoded";
        let answer = client.post(&path, content, Body::empty()).await.unwrap();
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    }
    items.len()
}

/// So many kills while the clients work.
async fn round(
    house: &mut House,
    place: &Place,
    chance: &mut Chance,
    ledger: &Arc<Mutex<Ledger>>,
    kills: usize,
    count: &mut Kills,
) {
    let path = place.case(&mut house.database().await).await.path;
    let (permits, stop) = (
        Arc::new(Semaphore::new(2 * CLIENTS)),
        CancellationToken::new(),
    );
    let clients: Vec<_> = place
        .people
        .iter()
        .map(|person| {
            let client = Client::new(house.address(), &person.token);
            tokio::spawn(client.work(
                path.clone(),
                chance.split(),
                Arc::clone(&permits),
                stop.clone(),
                Arc::clone(ledger),
            ))
        })
        .collect();
    for _ in 0..kills {
        let what = strike(house, chance).await;
        *count.entry(what).or_default() += 1;
        permits.add_permits(FORMS_A_KILL);
        if chance.percent(50) {
            check::a_minute_passes(house).await;
        }
    }
    stop.cancel();
    for client in clients {
        client.await.unwrap();
    }
}

/// Kills something, and brings the service back if it was that; what it was.
async fn strike(house: &mut House, chance: &mut Chance) -> &'static str {
    match chance.between(0, 100) {
        0..=39 => {
            if let Some(reader) = some_reader(house).await {
                tokio::time::sleep(chance.millis(0, 40)).await;
                // Still a reader: its number is not somebody else's by now.
                if house.readers().contains(&reader) {
                    kill(reader);
                    return "reader";
                }
            }
            server(house, chance).await
        }
        40..=74 => server(house, chance).await,
        75..=87 => {
            // Again while it starts, before it answers.
            house.kill();
            drop(house.spawn());
            tokio::time::sleep(chance.millis(0, 900)).await;
            house.kill();
            house.start();
            "starting server"
        }
        _ => {
            tokio::time::sleep(chance.millis(50, 1200)).await;
            let postmaster = house.postmaster();
            let database_first = chance.percent(50);
            for database in [database_first, !database_first] {
                if database {
                    kill(postmaster.expect("the database runs"));
                } else {
                    house.kill();
                }
            }
            house.start();
            "server and database"
        }
    }
}

async fn server(house: &mut House, chance: &mut Chance) -> &'static str {
    tokio::time::sleep(chance.millis(20, 1200)).await;
    house.kill();
    house.start();
    "server"
}

/// A reader at work, if one comes within a moment.
async fn some_reader(house: &House) -> Option<i32> {
    for _ in 0..400 {
        if let Some(reader) = house.readers().first() {
            return Some(*reader);
        }
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
    None
}

/// What kills left in the folders of work under way is nobody's blob, and goes with the first
/// start a day later.
async fn leftovers_go(house: &mut House) {
    assert!(house.stop());
    let folders = ["blobs/tmp", "spool/copies"].map(|f| house.data().join(f));
    let mut left = 0;
    for entry in folders.iter().flat_map(|f| fs::read_dir(f).unwrap()) {
        let path = entry.unwrap().path();
        let yesterday = SystemTime::from(place::now()) - Duration::from_secs(25 * 3600);
        fs::File::open(path)
            .unwrap()
            .set_modified(yesterday)
            .unwrap();
        left += 1;
    }
    house.start();
    let still: Vec<_> = folders
        .iter()
        .flat_map(|f| fs::read_dir(f).unwrap())
        .collect();
    assert!(still.is_empty(), "{still:?}");
    println!("{left} leftovers of work under way, gone a day later");
}
