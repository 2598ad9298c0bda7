//! The policy: its numbers as versions with a reason, the newest in force.

use super::audit::{self, Act, Actor};
use super::{Error, Result};
use crate::ladder::bounds;
use crate::ladder::numbers::Policy;
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;

/// A version of the policy.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its numbers, with its own number as version.
    pub policy: Policy,
    /// Why it was published.
    pub reason: String,
    /// Who published it; nobody did with the first.
    pub by: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
}

/// All versions, newest first. There is always one.
///
/// # Errors
/// When the database cannot be read.
pub async fn history(conn: &mut PgConnection) -> Result<Vec<Version>> {
    let rows = sqlx::query!(
        r#"select v.number, v.numbers as "numbers: Json<Policy>", v.reason, v.at, p.name as "name?"
           from policy_version v left join person p on p.id = v.by_person order by v.number desc"#
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| Version {
            policy: Policy {
                version: r.number,
                ..r.numbers.0
            },
            reason: r.reason,
            by: r.name,
            at: r.at,
        })
        .collect())
}

/// The policy in force.
///
/// # Errors
/// When the database cannot be read.
pub async fn in_force(conn: &mut PgConnection) -> Result<Policy> {
    let newest = sqlx::query!(
        r#"select number, numbers as "numbers: Json<Policy>" from policy_version order by number desc limit 1"#
    )
    .fetch_one(conn)
    .await?;
    Ok(Policy {
        version: newest.number,
        ..newest.numbers.0
    })
}

/// Publishes a version that follows `policy.version`; it is in force from then on, for whatever is
/// under review too.
///
/// # Errors
/// `Conflict` when another version came first; `Refused` by `policy_bounds` when a number would
/// switch a rule off.
pub async fn publish(
    conn: &mut PgConnection,
    actor: &Actor,
    policy: &Policy,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<i32> {
    let before = in_force(&mut *conn).await?;
    if before.version != policy.version {
        return Err(Error::Conflict);
    }
    let next = Policy {
        version: before.version + 1,
        ..policy.clone()
    };
    let done = sqlx::query!(
        "insert into policy_version (number, numbers, reason, by_person, at) values ($1, $2, $3, $4, $5)",
        next.version,
        Json(&next) as _,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await
    .map_err(Error::from);
    match done {
        Err(Error::Refused { constraint, .. })
            if constraint == "policy_follows" || constraint == "policy_version_pkey" =>
        {
            return Err(Error::Conflict);
        }
        other => other?,
    };
    let moved: serde_json::Map<String, serde_json::Value> = bounds::changed(&before, &next)
        .into_iter()
        .map(|n| {
            (
                n.id.to_owned(),
                json!([bounds::get(&before, n.id), bounds::get(&next, n.id)]),
            )
        })
        .collect();
    let act = Act {
        act: "policy.publish",
        object: ("policy", next.version.to_string()),
        before: Some(crate::ladder::digest(&before)),
        after: Some(crate::ladder::digest(&next)),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "version": next.version, "changed": moved }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(next.version)
}
