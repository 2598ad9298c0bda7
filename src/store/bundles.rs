//! Consents to a bundle of settings: given by a reviewer on one revision, and kept.

use super::audit::{self, Act, Actor};
use super::{Error, Result, cases};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// Adds a consent to the bundle of a revision.
///
/// # Errors
/// `Refused` by `bundle_consent_once` when this person gave it before; at commit by
/// `bundle_consent_on_revision`, `bundle_consent_by_reviewer` or `bundle_consent_not_by_contributor`.
pub async fn consent(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    (change_id, revision_id, revision_digest): (Uuid, Uuid, &str),
    note: &str,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into bundle_consent (id, change_id, revision_id, revision_digest, note, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        id,
        change_id,
        revision_id,
        revision_digest,
        note.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await
    .map_err(Error::from)?;
    let act = Act {
        act: "change.consent_bundle",
        object: ("change", change_id.to_string()),
        case_id: Some(case_id),
        reason: Some(note.trim().to_owned()),
        detail: json!({ "revision": revision_digest }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await.map(|()| id)
}
