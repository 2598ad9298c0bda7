//! The scene of a deciding act: the case as it is now, the gate judged on it, and whether the
//! form that was posted still speaks of the same things.

use super::{case_of, change_of, locked};
use crate::ladder::change::{Change, Revision};
use crate::ladder::gate::{self, Checks, Gate, Target};
use crate::ladder::{CaseFile, contributor};
use crate::store::audit::Actor;
use crate::store::{audit, upkeep};
use crate::web::{App, Error, Reader, Result, visit::Visit};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// What a deciding form carries: the one-time key, what it was shown on, and what was typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Posted {
    /// One-time key of the form.
    pub form_key: Uuid,
    /// Version of the change's row when the form was shown.
    pub version: i32,
    /// Digest of the revision shown.
    pub revision: String,
    /// Digest of the basis shown.
    pub basis: String,
    /// Number of the newest event of the case when the form was shown.
    pub seq: i64,
    /// Words.
    pub note: String,
    /// Run that shows the canary, by its label.
    pub run: String,
    /// Share of traffic the canary took, in percent as typed.
    pub share: String,
    /// Requests the canary saw, as typed.
    pub requests: String,
    /// Longest duration of an extension, in minutes as typed.
    pub minutes: String,
}

impl Posted {
    /// The fields that make two posts the same one.
    pub fn fields<'a>(&'a self, change: &'a str) -> [(&'static str, &'a str); 8] {
        [
            ("change", change),
            ("revision", &self.revision),
            ("basis", &self.basis),
            ("note", &self.note),
            ("run", &self.run),
            ("share", &self.share),
            ("requests", &self.requests),
            ("minutes", &self.minutes),
        ]
    }
}

/// What a deciding form hides: the counterpart of [`Posted`].
#[derive(Debug, Clone)]
pub struct Hidden {
    /// One-time key.
    pub form_key: Uuid,
    /// Version of the change's row.
    pub version: i32,
    /// Digest of the current revision.
    pub revision: String,
    /// Digest of the gate's basis.
    pub basis: String,
    /// Number of the newest event of the case.
    pub seq: i64,
}

/// The case with the gate of one act, as judged at one instant.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The case.
    pub case: CaseFile,
    /// The change acted on.
    pub change: Change,
    /// The gate of the act.
    pub gate: Gate,
    /// What it knew of the bytes.
    pub checks: Checks,
    /// Number of the newest event of the case.
    pub seq: i64,
}

impl Scene {
    /// Reads and judges, without a lock, for a page.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn read(
        conn: &mut PgConnection,
        reader: &Reader,
        (case, change): (&str, &str),
        target: Target,
        now: DateTime<Utc>,
    ) -> Result<Self> {
        let case = case_of(conn, reader, case).await?;
        Self::judged(conn, case, change, target, now).await
    }

    /// Locks the case, then reads and judges it as it is now.
    ///
    /// # Errors
    /// `NotFound`; `Conflict` when the case is closed.
    pub async fn locked(
        conn: &mut PgConnection,
        reader: &Reader,
        (case, change): (&str, &str),
        target: Target,
        now: DateTime<Utc>,
    ) -> Result<Self> {
        let case = locked(conn, reader, case).await?;
        Self::judged(conn, case, change, target, now).await
    }

    async fn judged(
        conn: &mut PgConnection,
        case: CaseFile,
        change: &str,
        target: Target,
        now: DateTime<Utc>,
    ) -> Result<Self> {
        let change = change_of(&case, change)?.clone();
        let checks = checks(conn, case.id).await?;
        let gate = gate::judge(&case, &case.policy, target, &checks, now);
        let newest = audit::page(conn, case.id, None, 1).await?;
        Ok(Self {
            seq: newest.first().map_or(0, |e| e.body.seq),
            checks,
            case,
            change,
            gate,
        })
    }

    /// The current revision.
    ///
    /// # Errors
    /// Never for a change as stored: it is created with its first revision.
    pub fn revision(&self) -> Result<&Revision> {
        self.change
            .current()
            .ok_or_else(|| Error::internal(format!("{} has no revision", self.change.label())))
    }

    /// What a form shown now hides.
    pub fn hidden(&self) -> Hidden {
        Hidden {
            form_key: crate::web::form::new_key(),
            version: self.change.version,
            revision: self
                .change
                .current()
                .map(|r| r.digest.clone())
                .unwrap_or_default(),
            basis: self.gate.basis.digest(),
            seq: self.seq,
        }
    }

    /// Whether the gate speaks about this change: the newest one that is not over.
    pub fn is_live(&self) -> bool {
        self.case
            .live_change()
            .is_some_and(|c| c.id == self.change.id)
    }

    /// Whether the gate lets the act through.
    pub fn ready(&self) -> bool {
        self.gate.ready && self.is_live()
    }

    /// Whether the change or what it rests on moved since the form was shown.
    pub fn moved(&self, posted: &Posted) -> bool {
        let now = self.hidden();
        now.version != posted.version
            || now.revision != posted.revision
            || now.basis != posted.basis
    }

    /// Why this reader may not decide on the change, if so; a sentence.
    pub fn may_not(&self, reader: &Reader) -> Option<crate::ladder::Sentence> {
        contributor::may_decide(&self.case, &self.change, reader.id).err()
    }
}

/// Integrity checks of a case as the gate takes them.
///
/// # Errors
/// When the database cannot be read.
pub async fn checks(conn: &mut PgConnection, case_id: Uuid) -> Result<Checks> {
    Ok(upkeep::checks(conn, case_id).await?)
}

/// Writes down that somebody tried to act and was refused, in a transaction of its own.
///
/// # Errors
/// When the log cannot be written.
pub async fn attempt(
    app: &App,
    actor: &Actor,
    scene: &Scene,
    act: &'static str,
    visit: &Visit,
) -> Result<()> {
    let open: Vec<&str> = scene.gate.open().map(|l| l.id.as_str()).collect();
    let mut tx = app.begin().await?;
    let act = audit::Act {
        act,
        object: ("change", scene.change.id.to_string()),
        case_id: Some(scene.case.id),
        detail: serde_json::json!({ "open": open, "basis": scene.gate.basis.digest() }),
        ..audit::Act::default()
    };
    audit::append(&mut tx, actor, act, visit.now).await?;
    app.commit(tx).await
}

/// Events of the case since the form was shown, newest last.
///
/// # Errors
/// When the log cannot be read.
pub async fn since(conn: &mut PgConnection, case_id: Uuid, seq: i64) -> Result<Vec<audit::Event>> {
    let mut events = audit::page(conn, case_id, None, 20).await?;
    events.retain(|e| e.body.seq > seq && !e.body.act.ends_with(".refused"));
    events.reverse();
    Ok(events)
}
