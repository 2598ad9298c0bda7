//! The job that reads an evidence item: copies at hand, a caged reader, the result kept.
//!
//! It is safe to run twice: an item that is out of play or read already keeps its state, and a
//! reading that is repeated is one more extraction, never a change of the first.

use super::blobs::{Blobs, Digest};
use super::cage::{Cage, Caged, Outcome};
use super::jobs::{Clock, Held, JobError};
use crate::ladder::evidence::EvidenceState;
use crate::store::mappings::{self, KeptMapping};
use crate::store::{self, evidence, jobs, upkeep};
use chrono::{DateTime, Utc};
use pel_evidence::{Options, Source};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Kind of the job.
pub const KIND: &str = "read_evidence";

/// Readings that are begun before the item is called unreadable.
const READINGS: i32 = 4;
/// Attempts of the job. Those after the last reading only write down that there will be no other,
/// so that no item waits for ever for a job that was given up.
const ATTEMPTS: i32 = 100;
/// Begins the names of folders for copies; only such are swept.
pub(super) const COPIES_PREFIX: &str = "pel-copies-";

/// What the job works with.
#[derive(Debug, Clone)]
pub struct Room {
    /// Database.
    pub db: PgPool,
    /// Stored bytes.
    pub blobs: Blobs,
    /// How readers are confined.
    pub cage: Cage,
    /// Folder for copies of blobs that do not lie on this machine.
    pub copies: PathBuf,
    /// Where the time comes from.
    pub clock: Clock,
}

/// Enqueues the reading of an item in the caller's transaction.
///
/// # Errors
/// When the database refuses.
pub async fn enqueue(
    conn: &mut PgConnection,
    evidence_id: Uuid,
    now: DateTime<Utc>,
) -> store::Result<()> {
    let key = evidence_id.to_string();
    let job = jobs::NewJob {
        kind: KIND,
        payload: json!({ "evidence_id": evidence_id }),
        once_key: Some(&key),
        run_after: now,
        max_attempts: ATTEMPTS,
    };
    jobs::enqueue(conn, &job, now).await?;
    Ok(())
}

/// Does the job.
///
/// # Errors
/// [`JobError::Again`] when the machine stood in the way, [`JobError::Never`] when the job makes
/// no sense.
pub async fn run(room: Room, held: Held) -> Result<(), JobError> {
    let id = held.job.payload["evidence_id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .ok_or_else(|| JobError::Never("the job names no evidence item".to_owned()))?;
    let last = held.job.attempt >= READINGS;
    let files = begin(&room, id).await.map_err(again)?;
    let Some((names, options, mapping)) = files else {
        return Ok(());
    };
    if held.job.attempt > READINGS {
        // Whatever ended the service or its database may have been this very file.
        let why = failure(
            "reader-failed-interrupted",
            json!({ "times": READINGS.to_string() }),
        );
        return keep(&room, &held, id, Kept::Refusal(why))
            .await
            .map_err(again);
    }
    // Copies live as long as the reading; those of a process that was killed are swept.
    let copies = tempfile::Builder::new()
        .prefix(COPIES_PREFIX)
        .tempdir_in(&room.copies)
        .map_err(again)?;
    let sources = match sources(&room, copies.path(), &names).await {
        Ok(sources) => sources,
        Err(reason) if !last => return Err(JobError::Again(reason)),
        Err(reason) => {
            let why = failure("reader-failed-bytes", json!({ "detail": reason }));
            return keep(&room, &held, id, Kept::Refusal(why))
                .await
                .map_err(again);
        }
    };
    let caged = room.cage.read(&sources, &options).await;
    match &caged.outcome {
        Outcome::Failed(f) if f.may_pass() && !last => {
            Err(JobError::Again(format!("{}: {:?}", f.code, f.args)))
        }
        _ => keep(&room, &held, id, kept(caged, mapping))
            .await
            .map_err(again),
    }
}

fn again(error: impl std::fmt::Display) -> JobError {
    JobError::Again(error.to_string())
}

type ToRead = (Vec<(String, String)>, Options, Option<KeptMapping>);

/// Marks the item as being read; `None` when it is out of play.
async fn begin(room: &Room, id: Uuid) -> store::Result<Option<ToRead>> {
    let mut tx = room.db.begin().await?;
    let item = evidence::to_read(&mut tx, id).await?;
    if item.attested {
        return Ok(None);
    }
    match item.state {
        EvidenceState::Received => evidence::begin(&mut tx, id, (room.clock)()).await?,
        // A reader died, or a second reading was asked for.
        EvidenceState::Parsing | EvidenceState::Usable | EvidenceState::Unreadable => {}
        _ => return Ok(None),
    }
    let mapping = mappings::newest(&mut tx, id).await?;
    tx.commit().await?;
    let interval = item
        .window
        .filter(|_| item.files.len() == 2)
        .map(|(start, end)| (end - start).as_seconds_f64());
    let names = item.files.into_iter().map(|f| (f.name, f.sha256)).collect();
    Ok(Some((
        names,
        Options {
            interval_seconds: interval,
            mapping: mapping.as_ref().map(|kept| kept.mapping.clone()),
            ask: true,
        },
        mapping,
    )))
}

async fn sources(
    room: &Room,
    copies: &Path,
    names: &[(String, String)],
) -> Result<Vec<Source>, String> {
    let mut sources = Vec::with_capacity(names.len());
    for (name, sha256) in names {
        let digest: Digest = sha256
            .parse()
            .map_err(|_| format!("{sha256} is no digest"))?;
        let path = room
            .blobs
            .local_copy(digest, copies)
            .await
            .map_err(|e| e.to_string())?;
        sources.push(Source {
            path,
            name: name.clone(),
        });
    }
    Ok(sources)
}

enum Kept {
    Reading(Box<pel_evidence::Reading>, Value, Option<KeptMapping>),
    Refusal(Value),
}

fn kept(caged: Caged, mapping: Option<KeptMapping>) -> Kept {
    match caged.outcome {
        Outcome::Read(reading) => Kept::Reading(reading, json!(caged.report), mapping),
        Outcome::Refused(refusal) => Kept::Refusal(json!({ "refusal": refusal })),
        Outcome::Failed(f) => Kept::Refusal(failure(f.code, json!(f.args))),
    }
}

fn failure(code: &str, args: Value) -> Value {
    json!({ "failure": { "code": code, "args": args } })
}

/// Keeps the result and ends the job in one transaction: a worker that lost its lease keeps
/// nothing.
async fn keep(room: &Room, held: &Held, id: Uuid, kept: Kept) -> store::Result<()> {
    let now = (room.clock)();
    let mut tx = room.db.begin().await?;
    match kept {
        Kept::Reading(reading, cage, mapping) => {
            let version = env!("CARGO_PKG_VERSION");
            let by = (version, mapping.as_ref());
            evidence::keep_mapped(&mut tx, id, &reading, &cage, by, now).await?;
        }
        Kept::Refusal(reason) => evidence::keep_refusal(&mut tx, id, &reason, now).await?,
    }
    upkeep::settle_item(&mut tx, id, now).await?;
    if held.finish(&mut tx, now).await? {
        tx.commit().await?;
    }
    Ok(())
}
