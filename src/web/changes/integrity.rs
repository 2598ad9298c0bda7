//! Evidence integrity before an acceptance: stored bytes that were not compared with their
//! digests lately are compared now, as long as they are small enough to wait for.

use super::judging::checks;
use crate::intake::blobs;
use crate::ladder::CaseFile;
use crate::ladder::condition::Basis;
use crate::ladder::evidence::{Evidence, EvidenceState};
use crate::ladder::gate::{Check, Checks};
use crate::store::{cases, evidence};
use crate::web::{App, Error, Result};
use chrono::{DateTime, TimeDelta, Utc};

/// Items up to this length are compared while somebody waits; larger ones by background work.
pub const WAITED_FOR: u64 = 64 * 1024 * 1024;

/// Compares the stored bytes of every usable item of `basis` with their digests, unless that was
/// done within the time the policy gives, and stores what was found.
///
/// # Errors
/// When the store or the database does not answer.
pub async fn refresh(
    app: &App,
    case: &CaseFile,
    basis: &Basis,
    now: DateTime<Utc>,
) -> Result<Checks> {
    let mut conn = app.conn().await?;
    let known = checks(&mut conn, case.id).await?;
    let due: Vec<&Evidence> = case
        .evidence
        .iter()
        .filter(|e| e.state == EvidenceState::Usable && is_in(basis, e))
        .filter(|e| e.files.iter().map(|f| f.bytes).sum::<u64>() < WAITED_FOR)
        .filter(|e| !is_fresh(&known, e, now, case.policy.integrity_max_age_s))
        .collect();
    let mut failed = false;
    for item in due {
        if let Some(sound) = verify(app, item).await? {
            evidence::checked(&mut conn, item.id, sound, now).await?;
            failed |= !sound;
        }
    }
    if failed {
        let mut tx = app.begin().await?;
        cases::lock(&mut tx, case.id).await?;
        app.commit_settled(tx, case.id, now).await?;
    }
    checks(&mut conn, case.id).await
}

fn is_in(basis: &Basis, item: &Evidence) -> bool {
    let id = item.id.to_string();
    basis.0.iter().any(|i| i.kind == "evidence" && i.id == id)
}

fn is_fresh(known: &Checks, item: &Evidence, now: DateTime<Utc>, max_age_s: i64) -> bool {
    let oldest = now - TimeDelta::seconds(max_age_s);
    // A failed check is made again: a file put back where it belongs is sound.
    matches!(known.0.get(&item.id), Some(Check::Verified(at)) if *at >= oldest && *at <= now)
}

/// Whether all files of an item still have their digests; `None` when the store cannot be read,
/// which leaves the item unchecked.
async fn verify(app: &App, item: &Evidence) -> Result<Option<bool>> {
    for file in &item.files {
        let sha256 = file
            .sha256
            .parse()
            .map_err(|_| Error::internal(format!("{} has no digest", item.label())))?;
        match app.blobs.verify(sha256).await {
            Ok(true) => {}
            Ok(false) | Err(blobs::Error::Absent(_)) => return Ok(Some(false)),
            Err(error) => {
                tracing::error!(item = item.label(), "integrity check: {error}");
                return Ok(None);
            }
        }
    }
    Ok(Some(true))
}
