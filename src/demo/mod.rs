//! The demonstration: example people and cases, made from sample files that pass through the same
//! store, the same caged reader and the same judgement as anybody's.
//!
//! It fills an empty database only. Everything it shows could have been done by hand; where a gate
//! would not let an act through, the demonstration fails instead of showing it.

mod cast;
mod clock;
mod deciding;
mod files;
mod plots;
mod story;
mod terms;
pub mod traffic;
mod whole;

pub use cast::{Cast, Member};
pub use deciding::checks;
pub use files::{Files, Pair, Single, Window, canary_files, files};

use crate::intake::jobs::{Runner, Settings};
use crate::intake::reading::{self, Room};
use crate::intake::weighing;
use crate::store::case_list::{self, Filter};
use crate::store::secret;
use anyhow::{Context as _, bail};
use chrono::{DateTime, TimeDelta, Utc};
use story::Story;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Number of the examples; the last is opened when all others stand.
const CASES: usize = 5;

/// How long before its end the story begins: before the first contract of the oldest example.
const LENGTH: TimeDelta = TimeDelta::minutes(14_000);

/// A database with the demonstration in it.
#[derive(Debug, Clone)]
pub struct Ready {
    /// Its people.
    pub cast: Cast,
    /// The password of everybody, when the demonstration was loaded just now. Only its argon2id
    /// string is stored.
    pub password: Option<String>,
}

/// Loads the demonstration into an empty database, so that its newest act lies just before `now`;
/// a database that holds it already is left as it is. `room` is what evidence is read with.
///
/// # Errors
/// When the database holds people and cases of its own or a demonstration that was cut short;
/// when database, blob store or reader stand in the way.
pub async fn ensure(room: &Room, now: DateTime<Utc>) -> anyhow::Result<Ready> {
    let mut conn = room.db.acquire().await?;
    if let Some(cast) = Cast::find(&mut conn).await? {
        let cases = case_list::page(&mut conn, &Filter::default(), None, 100).await?;
        if cases.len() < CASES {
            bail!(
                "the demonstration in this database was cut short while it was loaded. Start again with an empty one: \
                 --data-dir with an empty folder, or PEL_DATABASE_URL with an empty database"
            );
        }
        return Ok(Ready {
            cast,
            password: None,
        });
    }
    drop(conn);
    let _turn = clock::turn().await;
    let began = now - LENGTH;
    clock::set(began);
    let password = secret::code().context("the machine gives no random bytes")?;
    let mut tx = room.db.begin().await?;
    let cast = Cast::create(&mut tx, &password, began).await?;
    tx.commit().await?;
    tracing::info!("loading the demonstration: the evidence of five cases is read");
    load(room, &cast, now).await?;
    Ok(Ready {
        cast,
        password: Some(password),
    })
}

/// Tells the stories while a runner reads what they attach.
async fn load(room: &Room, cast: &Cast, now: DateTime<Utc>) -> anyhow::Result<()> {
    let room = Room {
        clock: clock::now,
        ..room.clone()
    };
    let (db, blobs) = (room.db.clone(), room.blobs.clone());
    let weighs = room.db.clone();
    let name = format!("demo-{}", Uuid::new_v4());
    let runner = Runner::new(db.clone(), &name, clock::now, Settings::default())
        .on(reading::KIND, move |held| reading::run(room.clone(), held))
        .on(weighing::KIND, move |held| {
            weighing::run(weighs.clone(), clock::now, held)
        });
    let stop = CancellationToken::new();
    // Whoever stops waiting for the stories stops the runner too.
    let _stopped = stop.clone().drop_guard();
    let working = tokio::spawn(runner.run(stop.clone()));
    let story = Story {
        db: &db,
        blobs: &blobs,
        cast,
        now,
    };
    let told = plots::tell(&story).await;
    stop.cancel();
    working
        .await
        .context("the reader of evidence ended badly")?;
    told
}
