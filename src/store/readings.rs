//! Reading an item: what its reader must know, and what is kept of every reading.

use super::audit::{self, Act, Actor};
use super::evidence::{event, files, state};
use super::{Error, Result, cases, mappings, weighing};
use crate::ladder::evidence::{EvidenceFile, EvidenceState, Extraction};
use crate::ladder::numbers::Policy;
use crate::ladder::{basis, reread};
use chrono::{DateTime, Utc};
use pel_evidence::{Figure, Hint, Kind, Note, Reading, Signal, Window};
use serde_json::{Value, json};
use sqlx::PgConnection;
use sqlx::types::Json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// What a reader must know to read an item.
#[derive(Debug, Clone)]
pub struct ToRead {
    /// Case.
    pub case_id: Uuid,
    /// Files in order.
    pub files: Vec<EvidenceFile>,
    /// Where it stands now.
    pub state: EvidenceState,
    /// Window of its run as stated.
    pub window: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// Whether it is the file of an attested number, which no parser reads.
    pub attested: bool,
}

/// Loads an item for its reader.
///
/// # Errors
/// `NotFound`.
pub async fn to_read(conn: &mut PgConnection, id: Uuid) -> Result<ToRead> {
    let head = sqlx::query!(
        r#"select e.case_id, e.attested,
             (select state from evidence_event v where v.evidence_id = e.id order by seq desc limit 1) as "state!",
             s.started_at, s.ended_at
           from evidence e
           join lateral (select started_at, ended_at from run_statement where run_id = e.run_id
                         order by number desc limit 1) s on true
           where e.id = $1"#,
        id
    )
    .fetch_one(&mut *conn)
    .await?;
    let files = files(conn, id).await?;
    Ok(ToRead {
        case_id: head.case_id,
        files,
        state: state(&head.state, id)?,
        window: head.started_at.zip(head.ended_at),
        attested: head.attested,
    })
}

/// Notes that a reader has begun.
///
/// # Errors
/// When the database refuses.
pub async fn begin(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    let case_id = sqlx::query_scalar!("select case_id from evidence where id = $1", id)
        .fetch_one(&mut *conn)
        .await?;
    event(conn, id, EvidenceState::Parsing, None, None, now).await?;
    cases::touch(conn, case_id, now).await
}

/// Keeps what a reader read and makes the item usable. An item withdrawn meanwhile stays so, and
/// its extraction is kept all the same.
///
/// # Errors
/// When the database refuses.
pub async fn keep_reading(
    conn: &mut PgConnection,
    id: Uuid,
    reading: &Reading,
    cage: &Value,
    app_version: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    keep_mapped(conn, id, reading, cage, (app_version, None), now).await
}

/// The same, of a reading that was made with a mapping.
///
/// # Errors
/// When the database refuses.
pub async fn keep_mapped(
    conn: &mut PgConnection,
    id: Uuid,
    reading: &Reading,
    cage: &Value,
    (app_version, mapping): (&str, Option<&mappings::KeptMapping>),
    now: DateTime<Utc>,
) -> Result<()> {
    let item = to_read(conn, id).await?;
    let tool = match &reading.tool.version {
        Some(version) => format!("{} {version}", reading.tool.name),
        None => reading.tool.name.clone(),
    };
    let before = agrees(conn, id, &reading.signals).await?;
    let extraction_id = Uuid::now_v7();
    sqlx::query!(
        "insert into extraction (id, evidence_id, kind, tool, parser, app_version, cage, reading_window,
           environment, hints, signals, notes, figures, at, numbers, anchor_id, moved, mapping_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
        extraction_id,
        id,
        reading.kind.id(),
        tool,
        reading.parser,
        app_version,
        cage,
        reading.window.as_ref().map(Json) as _,
        Json(&reading.environment) as _,
        Json(&reading.hints) as _,
        Json(&reading.signals) as _,
        Json(&reading.notes) as _,
        Json(&reading.figures) as _,
        now,
        basis::numbers_digest(&reading.signals),
        before.anchor,
        before.moved.as_ref().map(Json) as _,
        mapping.map(|m| m.id)
    )
    .execute(&mut *conn)
    .await?;
    weighing::keep(conn, extraction_id, &reading.distributions).await?;
    if let Some(mapping) = mapping {
        mappings::attest(conn, (id, extraction_id), reading, mapping, now).await?;
    }
    if matches!(item.state, EvidenceState::Received | EvidenceState::Parsing) {
        event(conn, id, EvidenceState::Usable, None, None, now).await?;
    }
    let act = Act {
        act: "evidence.read",
        object: ("evidence", id.to_string()),
        case_id: Some(item.case_id),
        after: Some(crate::ladder::digest(reading)),
        detail: json!({ "kind": reading.kind, "parser": reading.parser, "signals": reading.signals.len(),
                        "moved": before.moved.as_ref().map(Vec::len) }),
        ..Act::default()
    };
    audit::append(conn, &Actor::app(), act, now).await?;
    cases::touch(conn, item.case_id, now).await
}

/// How a further reading stands to what was read before.
#[derive(Default)]
struct Before {
    /// The earlier reading it agrees with.
    anchor: Option<Uuid>,
    /// What it has otherwise; `None` for the first reading.
    moved: Option<Vec<reread::Moved>>,
}

/// Compares a reading with the earlier one that the newest agrees with, so that many small steps
/// never add up unseen.
async fn agrees(conn: &mut PgConnection, id: Uuid, signals: &[Signal]) -> Result<Before> {
    let earlier = sqlx::query!(
        r#"select a.id, a.signals as "signals: Json<Vec<Signal>>",
             (select numbers from policy_version order by number desc limit 1) as "policy!: Json<Policy>"
           from extraction l join extraction a on a.id = coalesce(l.anchor_id, l.id)
           where l.evidence_id = $1 order by l.seq desc limit 1"#,
        id
    )
    .fetch_optional(conn)
    .await?;
    let Some(earlier) = earlier else {
        return Ok(Before::default());
    };
    let moved = reread::moved(&earlier.signals.0, signals);
    let beyond = moved
        .iter()
        .any(|m| m.beyond(earlier.policy.0.reread_tolerance));
    Ok(Before {
        anchor: (!beyond).then_some(earlier.id),
        moved: Some(moved),
    })
}

/// Notes that an item cannot be read; `reason` is the refusal or failure as JSON.
///
/// # Errors
/// When the database refuses.
pub async fn keep_refusal(
    conn: &mut PgConnection,
    id: Uuid,
    reason: &Value,
    now: DateTime<Utc>,
) -> Result<()> {
    let item = to_read(conn, id).await?;
    if matches!(item.state, EvidenceState::Received | EvidenceState::Parsing) {
        event(
            conn,
            id,
            EvidenceState::Unreadable,
            Some(&reason.to_string()),
            None,
            now,
        )
        .await?;
    }
    let act = Act {
        act: "evidence.unreadable",
        object: ("evidence", id.to_string()),
        case_id: Some(item.case_id),
        detail: without_question(reason),
        ..Act::default()
    };
    audit::append(conn, &Actor::app(), act, now).await?;
    cases::touch(conn, item.case_id, now).await
}

/// The reason without what it asks a person: rows of a file do not belong in the log.
fn without_question(reason: &Value) -> Value {
    let mut reason = reason.clone();
    if let Some(refusal) = reason.get_mut("refusal").and_then(Value::as_object_mut) {
        refusal.remove("asks");
    }
    reason
}

/// Notes that somebody asked for an item to be read again. An unreadable one waits again; a usable
/// one stays usable, since what was read before still stands.
///
/// # Errors
/// When the database refuses.
pub async fn read_again(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let item = to_read(conn, id).await?;
    if item.state == EvidenceState::Unreadable {
        event(
            conn,
            id,
            EvidenceState::Received,
            None,
            Some(actor.person()?),
            now,
        )
        .await?;
    }
    let act = Act {
        act: "evidence.read_again",
        object: ("evidence", id.to_string()),
        case_id: Some(case_id),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await
}

/// The figures of one of an item's extractions, the newest unless another is asked for, and how
/// its reader was caged.
///
/// # Errors
/// `NotFound` when nothing was read.
pub async fn figures(
    conn: &mut PgConnection,
    id: Uuid,
    extraction: Option<Uuid>,
) -> Result<(Vec<Figure>, Value)> {
    let row = sqlx::query!(
        r#"select figures as "figures: Json<Vec<Figure>>", cage from extraction
           where evidence_id = $1 and id = coalesce($2, id) order by seq desc limit 1"#,
        id,
        extraction
    )
    .fetch_one(conn)
    .await?;
    Ok((row.figures.0, row.cage))
}

/// One reading of an item among others.
#[derive(Debug, Clone)]
pub struct Version {
    /// Id of the extraction.
    pub id: Uuid,
    /// Parser version.
    pub parser: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Numbers that are otherwise than in the reading before; `None` for the first.
    pub moved: Option<Vec<reread::Moved>>,
}

/// Every reading of an item, newest first.
///
/// # Errors
/// When the database cannot be read.
pub async fn versions(conn: &mut PgConnection, id: Uuid) -> Result<Vec<Version>> {
    Ok(sqlx::query!(
        r#"select id, parser, at, moved as "moved: Json<Vec<reread::Moved>>" from extraction
           where evidence_id = $1 order by seq desc"#,
        id
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|r| Version {
        id: r.id,
        parser: r.parser,
        at: r.at,
        moved: r.moved.map(|j| j.0),
    })
    .collect())
}

/// One reading of an item as it was kept.
///
/// # Errors
/// `NotFound` when it is not of this item.
pub async fn version(conn: &mut PgConnection, id: Uuid, extraction: Uuid) -> Result<Extraction> {
    let r = sqlx::query!(
        r#"select id, kind, tool, parser, reading_window as "window: Json<Window>",
             environment as "environment: Json<BTreeMap<String, String>>", hints as "hints: Json<Vec<Hint>>",
             signals as "signals: Json<Vec<Signal>>", notes as "notes: Json<Vec<Note>>"
           from extraction where evidence_id = $1 and id = $2"#,
        id,
        extraction
    )
    .fetch_one(conn)
    .await?;
    Ok(Extraction {
        id: r.id,
        kind: Kind::from_id(&r.kind).ok_or_else(|| Error::Inconsistent {
            table: "extraction",
            id: r.id.to_string(),
            what: r.kind.clone(),
        })?,
        tool: r.tool,
        parser: r.parser,
        window: r.window.map(|j| j.0),
        environment: r.environment.0,
        hints: r.hints.0,
        signals: r.signals.0,
        notes: r.notes.0,
        anchor: None,
        held: Vec::new(),
    })
}

/// A usable item whose newest reading is by another parser version than today's.
#[derive(Debug, Clone)]
pub struct Outdated {
    /// The item.
    pub id: Uuid,
    /// Its number, by which they are gone through.
    pub number: i64,
    /// What its files are.
    pub kind: String,
    /// Version of the parser that read it last.
    pub parser: String,
}

impl Outdated {
    /// Whether the parser that `parsers` names for the kind is a newer one. A version that is not
    /// made of numbers is of nobody's making and left alone.
    pub fn is_older(&self, parsers: &[(&str, &str)]) -> bool {
        let parts =
            |v: &str| -> Option<Vec<u64>> { v.split('.').map(|p| p.parse().ok()).collect() };
        let today = parsers.iter().find(|(kind, _)| *kind == self.kind);
        today
            .and_then(|(_, version)| parts(version))
            .zip(parts(&self.parser))
            .is_some_and(|(today, then)| then < today)
    }
}

/// Usable items after number `after`, in order, whose newest reading is by another parser version
/// than `parsers` name for the kind: at most `most` of them.
///
/// # Errors
/// When the database cannot be read.
pub async fn of_other_parsers(
    conn: &mut PgConnection,
    parsers: &[(&str, &str)],
    after: i64,
    most: i64,
) -> Result<Vec<Outdated>> {
    let (kinds, versions): (Vec<String>, Vec<String>) = parsers
        .iter()
        .map(|(kind, version)| ((*kind).to_owned(), (*version).to_owned()))
        .unzip();
    Ok(sqlx::query_as!(
        Outdated,
        "select e.id, e.number, x.kind, x.parser from evidence e
         join lateral (select kind, parser from extraction where evidence_id = e.id order by seq desc limit 1) x on true
         join lateral (select state from evidence_event where evidence_id = e.id order by seq desc limit 1) v on true
         join unnest($1::text[], $2::text[]) as p (kind, version) on p.kind = x.kind
         where e.number > $3 and v.state = 'usable' and x.parser <> p.version
         order by e.number limit $4",
        &kinds,
        &versions,
        after,
        most
    )
    .fetch_all(conn)
    .await?)
}
