//! Does what the program does by itself (see `ladder::upkeep`), in the caller's transaction, so
//! that what an act moved and what follows from it are one.
//!
//! Every act that may move the ground under a change calls [`settle`] before it commits; the
//! scheduler calls it as time passes. It may be called again at any time: what was done is no
//! longer due.

use super::audit::{self, Act, Actor};
use super::{Result, canary, case_file, cases, changes, evidence};
use crate::ladder::change::{CanaryEventKind, Change};
use crate::ladder::gate::{Check, Checks};
use crate::ladder::upkeep::{self, Due, What};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// Most rounds: each change can take a few steps, and an endless loop must end as an error of ours
/// and not hold a lock.
const ROUNDS: usize = 8;

/// Integrity checks of a case as the gate takes them.
///
/// # Errors
/// When the database cannot be read.
pub async fn checks(conn: &mut PgConnection, case_id: Uuid) -> Result<Checks> {
    let rows = evidence::checks(conn, case_id).await?;
    let check = |sound, at| match sound {
        true => Check::Verified(at),
        false => Check::Failed(at),
    };
    Ok(Checks(
        rows.into_iter()
            .map(|(id, sound, at)| (id, check(sound, at)))
            .collect(),
    ))
}

/// Does everything that is due on the changes of a case and moves the case along. The caller
/// holds the case row's lock. Returns what was done, in its order.
///
/// # Errors
/// When the database refuses.
pub async fn settle(
    conn: &mut PgConnection,
    case_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<Due>> {
    let mut done = Vec::new();
    if !may_be_due(conn, case_id).await? {
        return Ok(done);
    }
    for _ in 0..ROUNDS {
        let case = case_file::load(conn, case_id).await?;
        let checks = checks(conn, case_id).await?;
        let due = upkeep::due(&case, &checks, now);
        if due.is_empty() {
            break;
        }
        for due in due {
            if let Some(change) = case.change(due.change_id) {
                act(conn, case_id, change, &due, now).await?;
            }
            done.push(due);
        }
    }
    if !done.is_empty() {
        cases::follow_changes(conn, case_id, now).await?;
        cases::touch(conn, case_id, now).await?;
    }
    Ok(done)
}

/// Whether the case has a change that the program may move at all: most have none.
async fn may_be_due(conn: &mut PgConnection, case_id: Uuid) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists(select from change where case_id = $1
             and state in ('approved_for_canary', 'canary_running', 'canary_paused', 'canary_ended',
                           'awaiting_promotion', 'accepted')) as "any!""#,
        case_id
    )
    .fetch_one(conn)
    .await?)
}

/// As [`settle`], for what was read from or found wrong with an evidence item.
///
/// # Errors
/// As [`settle`].
pub async fn settle_item(
    conn: &mut PgConnection,
    evidence_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<Due>> {
    let case_id = sqlx::query_scalar!("select case_id from evidence where id = $1", evidence_id)
        .fetch_one(&mut *conn)
        .await?;
    cases::lock(conn, case_id).await?;
    settle(conn, case_id, now).await
}

async fn act(
    conn: &mut PgConnection,
    case_id: Uuid,
    change: &Change,
    due: &Due,
    now: DateTime<Utc>,
) -> Result<()> {
    noted(conn, change, due, now).await?;
    changes::bump(conn, change.id, change.version).await?;
    changes::set_state(conn, change.id, due.what.leads_to(), now).await?;
    let act = Act {
        act: due.what.act(),
        object: ("change", change.id.to_string()),
        case_id: Some(case_id),
        detail: json!({ "state": due.what.leads_to().id(), "why": due.why }),
        ..Act::default()
    };
    audit::append(conn, &Actor::app(), act, now).await?;
    Ok(())
}

/// The canary's own event, with everything that made the program do it.
async fn noted(
    conn: &mut PgConnection,
    change: &Change,
    due: &Due,
    now: DateTime<Utc>,
) -> Result<()> {
    let kind = match due.what {
        What::Pause => CanaryEventKind::Paused,
        What::Recall => CanaryEventKind::Recalled,
        What::End(_) => CanaryEventKind::Ended,
        _ => return Ok(()),
    };
    let ran = change.last(CanaryEventKind::Started);
    let mut fact = canary::CanaryFact {
        revision_digest: ran.map_or_else(String::new, |e| e.revision_digest.clone()),
        why: due.why.clone(),
        ..canary::CanaryFact::default()
    };
    if let What::End(whole) = due.what {
        let exposure = crate::ladder::canary::exposure(change, now);
        fact.share = exposure.as_ref().and_then(|e| e.share);
        fact.requests = exposure.and_then(|e| e.requests);
        fact.verdict = Some(whole);
    }
    canary::note(conn, change.id, kind, &fact, None, now).await
}

/// Open cases on which something may become due as time passes, oldest move first.
///
/// # Errors
/// When the database does not answer.
pub async fn waiting(conn: &mut PgConnection) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        "select c.id from case_file c
         where c.state <> 'closed' and exists (select from change g where g.case_id = c.id
           and g.state in ('approved_for_canary', 'canary_running', 'canary_paused', 'canary_ended',
                           'awaiting_promotion', 'accepted'))
         order by c.moved_at, c.id"
    )
    .fetch_all(conn)
    .await?)
}

/// Locks the case unless somebody works on it: another instance, or a person whose act settles it
/// anyway.
///
/// # Errors
/// When the database does not answer.
pub async fn try_lock(conn: &mut PgConnection, case_id: Uuid) -> Result<bool> {
    let row = sqlx::query!(
        "select id from case_file where id = $1 for update skip locked",
        case_id
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.is_some())
}
