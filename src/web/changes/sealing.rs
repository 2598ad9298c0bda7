//! Sealing a decision: the record is made of the very gate that was judged under the lock.

use super::judging::Scene;
use crate::ladder::condition::Condition;
use crate::ladder::decision::{self, Kind, Sealed};
use crate::ladder::policy::Role;
use crate::store::audit::Actor;
use crate::store::decisions::{self, NewDecision};
use crate::web::{App, Error, Reader, Result, visit::Visit};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// The record of a decision on what was judged.
///
/// # Errors
/// Never for a change as stored: it has a revision.
pub fn seal(
    scene: &Scene,
    reader: &Reader,
    role: Role,
    kind: Kind,
    note: &str,
    visit: &Visit,
    app: &App,
) -> Result<Sealed> {
    let act = decision::Act {
        kind,
        by: reader.id,
        name: reader.name.clone(),
        role,
        at: visit.now,
        note: note.trim().to_owned(),
        app_version: app.version.to_owned(),
    };
    decision::seal(
        &scene.case,
        &scene.change,
        scene.gate.clone(),
        act,
        &scene.case.policy,
    )
    .ok_or_else(|| Error::internal(format!("{} has no revision", scene.change.label())))
}

/// Keeps a record in the act's own transaction.
///
/// # Errors
/// `Refused` names the database's rule; some are checked only at commit.
pub async fn keep(
    conn: &mut PgConnection,
    actor: &Actor,
    scene: &Scene,
    sealed: &Sealed,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let revision = scene.revision()?;
    let accepted = sealed.act.kind == Kind::Accepted;
    let conditions = Condition::ALL
        .iter()
        .filter(|_| accepted)
        .filter_map(|c| Some((*c, scene.case.record(*c)?.id)))
        .collect();
    let new = NewDecision {
        case_id: scene.case.id,
        change_id: scene.change.id,
        revision_id: revision.id,
        kind: sealed.act.kind.id(),
        role: sealed.act.role.id().to_owned(),
        note: sealed.act.note.clone(),
        record: serde_json::to_value(sealed).map_err(Error::internal)?,
        digest: sealed.digest(),
        conditions,
        overrides: sealed
            .overrides
            .iter()
            .filter_map(|o| Some((o.id, o.what?)))
            .collect(),
    };
    Ok(decisions::seal(conn, actor, &new, now).await?)
}
