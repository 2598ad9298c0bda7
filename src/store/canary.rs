//! Canaries: their events, their watcher's word, the samples they post, and what the program does
//! with them by itself. The caller holds the case row's lock, or takes it here first.

use super::audit::{Act, Actor};
use super::changes::{bump, set_state, write_act};
use super::{Result, case_file, cases, upkeep};
use crate::ladder::canary::{Arm, Extension, Sample, Whole};
use crate::ladder::change::{CanaryEventKind, Change, ChangeState};
use crate::ladder::upkeep::Due;
use crate::ladder::{CaseFile, Sentence, digest};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// Most samples of one posting.
pub const MOST_SAMPLES: usize = 2000;

/// Something that happened to a canary, to be written down.
#[derive(Debug, Clone, Default)]
pub struct CanaryFact {
    /// Its run, once ended.
    pub run_id: Option<Uuid>,
    /// Share of traffic it took, 0–1.
    pub share: Option<f64>,
    /// Requests exposed.
    pub requests: Option<u64>,
    /// Digest of the revision that ran.
    pub revision_digest: String,
    /// Words.
    pub note: String,
    /// Verdict, once ended.
    pub verdict: Option<Whole>,
    /// What made the program do it.
    pub why: Vec<Sentence>,
    /// Limits of an extension.
    pub extension: Option<Extension>,
}

/// Writes the row of a canary event alone; `by` nobody is the program.
pub(super) async fn note(
    conn: &mut PgConnection,
    change_id: Uuid,
    kind: CanaryEventKind,
    fact: &CanaryFact,
    by: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into canary_event (id, change_id, kind, run_id, share, requests, revision_digest, note, verdict, why,
                                   extension, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        Uuid::now_v7(),
        change_id,
        kind.id(),
        fact.run_id,
        fact.share,
        fact.requests.and_then(|n| i64::try_from(n).ok()),
        fact.revision_digest,
        fact.note.trim(),
        fact.verdict.map(Whole::id),
        Json(&fact.why) as _,
        fact.extension.as_ref().map(Json) as _,
        by,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes a canary event and moves the change into `next`, as read at `version`.
///
/// # Errors
/// `Conflict` when it moved since; `Refused` by `change_one_live`, `canary_event_order`,
/// `canary_start_approved`, or the rules of an extension.
#[allow(clippy::too_many_arguments)] // one event's own fields
pub async fn event(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    version: i32,
    kind: CanaryEventKind,
    fact: &CanaryFact,
    next: ChangeState,
    now: DateTime<Utc>,
) -> Result<()> {
    bump(conn, change_id, version).await?;
    note(conn, change_id, kind, fact, actor.person_id, now).await?;
    set_state(conn, change_id, next, now).await?;
    let act = match kind {
        CanaryEventKind::Started => "canary.start",
        CanaryEventKind::Paused => "canary.pause",
        CanaryEventKind::Resumed => "canary.resume",
        CanaryEventKind::Ended => "canary.end",
        CanaryEventKind::Extended => "canary.extend",
        CanaryEventKind::Recalled => "canary.recall",
        CanaryEventKind::RolledBack => "canary.roll_back",
        CanaryEventKind::Restored => "canary.restore",
    };
    let detail = json!({
        "state": next.id(), "run": fact.run_id, "share": fact.share, "requests": fact.requests,
        "verdict": fact.verdict, "why": fact.why, "extension": fact.extension,
    });
    write_act(
        conn,
        actor,
        case_id,
        change_id,
        act,
        detail,
        Some(&fact.note),
        now,
    )
    .await
}

/// Writes down that the watcher is present, by the watcher's own account.
///
/// # Errors
/// When the database refuses.
pub async fn present(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into watcher_presence (id, change_id, by_person, at) values ($1, $2, $3, $4)",
        Uuid::now_v7(),
        change_id,
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "canary.present",
        object: ("change", change_id.to_string()),
        ..Act::default()
    };
    cases::say(conn, actor, case_id, act, now).await
}

/// Where samples came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Typed into the form.
    Form,
    /// A file of samples.
    File,
    /// A service token.
    Token,
}

impl Source {
    fn id(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::File => "file",
            Self::Token => "token",
        }
    }
}

/// What became of a posting.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Posted {
    /// Samples that are new.
    pub taken: usize,
    /// Samples that were there already, and are ignored.
    pub known: usize,
    /// Whether the canary had ended: they are kept and not judged.
    pub late: bool,
    /// What keeps some from being taken, by place from 0. Not empty: none was taken.
    pub refused: Vec<(usize, Vec<Sentence>)>,
    /// What the program did because of them, or found due besides.
    pub done: Vec<Due>,
}

#[derive(Serialize)]
struct Row<'s> {
    id: Uuid,
    digest: String,
    arm: Arm,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    class: Option<&'s str>,
    band: Option<&'s str>,
    region: Option<&'s str>,
    signal: &'s str,
    statistic: String,
    value: f64,
    samples: Option<u64>,
    requests: Option<u64>,
    share: Option<f64>,
}

impl<'s> Row<'s> {
    fn of(s: &'s Sample) -> Self {
        Self {
            id: Uuid::now_v7(),
            digest: s.digest(),
            arm: s.arm,
            starts_at: s.starts_at,
            ends_at: s.ends_at,
            class: s.class.as_deref(),
            band: s.band.as_deref(),
            region: s.region.as_deref(),
            signal: &s.signal,
            statistic: s.statistic.to_string(),
            value: s.value,
            samples: s.samples,
            requests: s.requests,
            share: s.share,
        }
    }
}

/// Takes samples of a canary, all of them or none, and does what they make due in the same
/// transaction: a threshold that triggers recalls the change, exposure beyond the plan ends it.
/// The same sample again is ignored, so a posting may be repeated. Locks the case.
///
/// # Errors
/// `NotFound` when the change is not of this case.
pub async fn post_samples(
    conn: &mut PgConnection,
    actor: &Actor,
    (case_id, change_id): (Uuid, Uuid),
    samples: &[Sample],
    source: Source,
    now: DateTime<Utc>,
) -> Result<Posted> {
    cases::lock(conn, case_id).await?;
    let case = case_file::load(conn, case_id).await?;
    let change = case.change(change_id).ok_or(super::Error::NotFound)?;
    let mut posted = Posted {
        late: change.ended().is_some() || change.state.is_terminal(),
        refused: refused(&case, change, samples, now),
        ..Posted::default()
    };
    if !posted.refused.is_empty() || samples.is_empty() {
        return Ok(posted);
    }
    let rows: Vec<Row<'_>> = samples.iter().map(Row::of).collect();
    let done = sqlx::query!(
        "insert into canary_sample (id, change_id, digest, arm, starts_at, ends_at, class, band, region, signal,
                                    statistic, value, samples, requests, share, source, by_person, at)
         select x.id, $1, x.digest, x.arm, x.starts_at, x.ends_at, x.class, x.band, x.region, x.signal, x.statistic,
                x.value, x.samples, x.requests, x.share, $3, $4, $5
         from jsonb_to_recordset($2) as x(id uuid, digest text, arm text, starts_at timestamptz, ends_at timestamptz,
              class text, band text, region text, signal text, statistic text, value double precision,
              samples bigint, requests bigint, share double precision)
         on conflict (change_id, digest) do nothing",
        change_id,
        Json(&rows) as _,
        source.id(),
        actor.person_id,
        now
    )
    .execute(&mut *conn)
    .await?;
    posted.taken = usize::try_from(done.rows_affected()).unwrap_or(samples.len());
    posted.known = samples.len() - posted.taken;
    if posted.taken == 0 {
        return Ok(posted);
    }
    let digests: Vec<&str> = rows.iter().map(|r| r.digest.as_str()).collect();
    let act = Act {
        act: "canary.samples",
        object: ("change", change_id.to_string()),
        after: Some(digest(&digests)),
        detail: json!({ "taken": posted.taken, "known": posted.known, "late": posted.late, "source": source.id() }),
        ..Act::default()
    };
    cases::say(conn, actor, case_id, act, now).await?;
    posted.done = upkeep::settle(conn, case_id, now).await?;
    Ok(posted)
}

fn refused(
    case: &CaseFile,
    change: &Change,
    samples: &[Sample],
    now: DateTime<Utc>,
) -> Vec<(usize, Vec<Sentence>)> {
    if samples.len() > MOST_SAMPLES {
        let why = Sentence::new("sample-too-many").count("most", MOST_SAMPLES);
        return vec![(MOST_SAMPLES, vec![why])];
    }
    samples
        .iter()
        .enumerate()
        .map(|(i, s)| (i, s.problems(case, change, now)))
        .filter(|(_, why)| !why.is_empty())
        .collect()
}
