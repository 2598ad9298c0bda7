//! Column mappings: what people said the columns of a table mean, appended; the newest counts.

use super::Result;
use super::audit::{self, Act, Actor};
use super::cases::say;
use chrono::{DateTime, Utc};
use pel_evidence::mapping::Meaning;
use pel_evidence::{Kind, Mapping, Proposal, Reading, Refusal, Signal};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// Longest mapping kept, in bytes of its JSON: it goes to the reader as one argument.
pub const MOST_BYTES: usize = 100_000;
/// Most numbers of one reading that are attested one by one.
const MOST_ATTESTED: usize = 200;

/// A mapping as it is kept.
#[derive(Debug, Clone)]
pub struct KeptMapping {
    /// Id.
    pub id: Uuid,
    /// What was said.
    pub mapping: Mapping,
    /// Who said it.
    pub by: Uuid,
}

/// The newest mapping of an item.
///
/// # Errors
/// When the database cannot be read.
pub async fn newest(conn: &mut PgConnection, evidence_id: Uuid) -> Result<Option<KeptMapping>> {
    let row = sqlx::query!(
        r#"select id, mapping as "mapping: Json<Mapping>", by_person from column_mapping
           where evidence_id = $1 order by seq desc limit 1"#,
        evidence_id
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| KeptMapping {
        id: r.id,
        mapping: r.mapping.0,
        by: r.by_person,
    }))
}

/// The newest mapping that was given in a service to a file with the same columns.
///
/// # Errors
/// When the database cannot be read.
pub async fn remembered(
    conn: &mut PgConnection,
    service_id: Uuid,
    fingerprint: &str,
) -> Result<Option<Mapping>> {
    let found = sqlx::query_scalar!(
        r#"select mapping as "mapping: Json<Mapping>" from column_mapping
           where service_id = $1 and fingerprint = $2 order by seq desc limit 1"#,
        service_id,
        fingerprint
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.map(|j| j.0))
}

/// What the reader of an item asked last, if it asked.
///
/// # Errors
/// When the database cannot be read.
pub async fn asked(conn: &mut PgConnection, evidence_id: Uuid) -> Result<Option<Proposal>> {
    #[derive(Deserialize)]
    struct Reason {
        refusal: Refusal,
    }
    let reasons = sqlx::query_scalar!(
        r#"select reason as "reason!" from evidence_event
           where evidence_id = $1 and state = 'unreadable' and reason is not null
           order by seq desc limit 20"#,
        evidence_id
    )
    .fetch_all(conn)
    .await?;
    Ok(reasons
        .iter()
        .filter_map(|r| serde_json::from_str::<Reason>(r).ok()?.refusal.asks)
        .map(|asks| *asks)
        .next())
}

/// Keeps what a person says the columns of an item mean. The caller enqueues the reading.
///
/// # Errors
/// `Refused` by `mapping_of_its_item` when the item is not one that is read.
pub async fn keep(
    conn: &mut PgConnection,
    actor: &Actor,
    (case_id, evidence_id, service_id): (Uuid, Uuid, Uuid),
    (fingerprint, mapping): (&str, &Mapping),
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into column_mapping (id, evidence_id, service_id, fingerprint, mapping, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        id,
        evidence_id,
        service_id,
        fingerprint,
        Json(mapping) as _,
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "evidence.map",
        object: ("evidence", evidence_id.to_string()),
        after: Some(crate::ladder::digest(mapping)),
        detail: json!({ "mapping": id, "subject": mapping.subject, "columns": mapping.columns.len() }),
        ..Act::default()
    };
    say(conn, actor, case_id, act, now).await?;
    Ok(id)
}

/// Writes down the numbers of a mapped table as attested by whoever mapped it: those that speak
/// for the whole run or for a task class, and say on how many observations they stand. Whatever
/// else the table holds is shown with the reading and counts for nothing.
///
/// # Errors
/// When the database refuses.
pub async fn attest(
    conn: &mut PgConnection,
    (evidence_id, extraction_id): (Uuid, Uuid),
    reading: &Reading,
    mapping: &KeptMapping,
    now: DateTime<Utc>,
) -> Result<()> {
    if reading.kind != Kind::MeasurementTable {
        return Ok(());
    }
    let of = sqlx::query!(
        r#"select e.case_id, e.run_id, s.started_at, s.ended_at from evidence e
           join lateral (select started_at, ended_at from run_statement where run_id = e.run_id
                         order by number desc limit 1) s on true
           where e.id = $1"#,
        evidence_id
    )
    .fetch_one(&mut *conn)
    .await?;
    // A number that speaks for no stretch of time is attested for none (lifecycle §5, A1).
    let Some((start, end)) = of.started_at.zip(of.ended_at) else {
        return Ok(());
    };
    let mut kept = 0;
    for signal in reading
        .signals
        .iter()
        .filter(|s| speaks(s))
        .take(MOST_ATTESTED)
    {
        let mut whole = signal.clone();
        let class = whole.labels.remove("class");
        sqlx::query!(
            "insert into attested_signal (id, case_id, number, run_id, evidence_id, signal, typed_value, typed_unit,
               class, started_at, ended_at, place, by_person, at, extraction_id)
             select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
             from attested_signal where case_id = $2",
            Uuid::now_v7(),
            of.case_id,
            of.run_id,
            evidence_id,
            Json(&whole) as _,
            signal.value.to_string().chars().take(60).collect::<String>(),
            signal.unit.spellings()[0].0,
            class,
            start,
            end,
            place(&mapping.mapping, signal),
            mapping.by,
            now,
            extraction_id
        )
        .execute(&mut *conn)
        .await?;
        kept += 1;
    }
    let act = Act {
        act: "signal.attest",
        object: ("evidence", evidence_id.to_string()),
        case_id: Some(of.case_id),
        detail: json!({ "mapping": mapping.id, "by": mapping.by, "numbers": kept, "extraction": extraction_id }),
        ..Act::default()
    };
    audit::append(conn, &Actor::app(), act, now).await?;
    Ok(())
}

fn speaks(signal: &Signal) -> bool {
    signal.samples.is_some_and(|n| n > 0) && signal.labels.keys().all(|k| k == "class")
}

/// Where a number stands: the column, or the name of the measure, and the row that was chosen.
fn place(mapping: &Mapping, signal: &Signal) -> String {
    let columns = mapping.columns.iter().filter(|c| {
        matches!(&c.means, Meaning::Signal { signal: name, statistic, .. }
                 if *name == signal.name && *statistic == signal.statistic)
    });
    let measures = mapping
        .measures
        .iter()
        .filter(|(_, m)| m.signal == signal.name)
        .map(|(name, _)| name.as_str());
    let names: Vec<&str> = columns.map(|c| c.column.as_str()).chain(measures).collect();
    let row = mapping
        .only
        .iter()
        .map(|o| format!(" · {} = {}", o.column, o.text))
        .chain(signal.labels.iter().map(|(k, v)| format!(" · {k} = {v}")));
    let text = format!(
        "table column: {}{}",
        names.join(", "),
        row.collect::<String>()
    );
    text.chars().take(1000).collect()
}
