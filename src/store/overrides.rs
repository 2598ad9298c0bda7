//! Overrides: asked for, co-signed, reviewed. Each of the three is added once and never changed;
//! PostgreSQL refuses what may never be overridden and whoever may not do it.

use super::audit::{self, Act, Actor};
use super::{Result, cases};
use crate::ladder::break_glass::{Category, Overridable, Verdict};
use crate::ladder::gate::{Gate, Target};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// What an override is asked for with.
#[derive(Debug, Clone)]
pub struct NewOverride {
    /// The change.
    pub change_id: Uuid,
    /// The gate.
    pub target: Target,
    /// What it stands for.
    pub what: Vec<Overridable>,
    /// Kind of emergency.
    pub category: Category,
    /// Why.
    pub reason: String,
    /// Digest of the revision.
    pub revision_digest: String,
    /// Digest of the gate's basis.
    pub basis_digest: String,
    /// The gate as it stood.
    pub gate: Gate,
    /// It ends then.
    pub until: DateTime<Utc>,
    /// From then on it counts without a co-signature.
    pub alone_from: DateTime<Utc>,
    /// A review is due by then.
    pub review_due: DateTime<Utc>,
}

/// Records an override.
///
/// # Errors
/// `Refused` names the database's rule.
pub async fn ask(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    new: &NewOverride,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let (id, by) = (Uuid::now_v7(), actor.person()?);
    let what: Vec<String> = new.what.iter().map(|w| w.id().to_owned()).collect();
    sqlx::query!(
        "insert into override_record (id, case_id, change_id, target, what, category, reason, revision_digest,
                                      basis_digest, gate, by_person, at, until, alone_from, review_due)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        id,
        case_id,
        new.change_id,
        new.target.id(),
        &what,
        new.category.id(),
        new.reason.trim(),
        new.revision_digest,
        new.basis_digest,
        Json(&new.gate) as _,
        by,
        now,
        new.until,
        new.alone_from,
        new.review_due
    )
    .execute(&mut *conn)
    .await?;
    let detail = json!({
        "change": new.change_id, "gate": new.target.id(), "what": what, "category": new.category.id(),
        "revision": new.revision_digest, "basis": new.basis_digest, "until": new.until,
        "gate_digest": crate::ladder::digest(&new.gate),
    });
    let act = Act {
        act: "override.ask",
        object: ("override", id.to_string()),
        case_id: Some(case_id),
        reason: Some(new.reason.trim().to_owned()),
        detail,
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await?;
    Ok(id)
}

/// Adds the co-signature.
///
/// # Errors
/// `Refused` when there is one, or by whom may not.
pub async fn cosign(
    conn: &mut PgConnection,
    actor: &Actor,
    (case_id, id): (Uuid, Uuid),
    note: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into override_cosignature (override_id, note, by_person, at) values ($1, $2, $3, $4)",
        id,
        note.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "override.cosign",
        object: ("override", id.to_string()),
        case_id: Some(case_id),
        reason: (!note.trim().is_empty()).then(|| note.trim().to_owned()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await
}

/// Adds the review.
///
/// # Errors
/// `Refused` when there is one, or by whom may not.
pub async fn review(
    conn: &mut PgConnection,
    actor: &Actor,
    (case_id, id): (Uuid, Uuid),
    (verdict, words): (Verdict, &str),
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into override_review (override_id, verdict, words, by_person, at) values ($1, $2, $3, $4, $5)",
        id,
        verdict.id(),
        words.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "override.review",
        object: ("override", id.to_string()),
        case_id: Some(case_id),
        reason: Some(words.trim().to_owned()),
        detail: json!({ "verdict": verdict.id() }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    cases::touch(conn, case_id, now).await
}

/// The gate as it stood when an override of this case was asked for.
///
/// # Errors
/// `NotFound`.
pub async fn gate(conn: &mut PgConnection, case_id: Uuid, id: Uuid) -> Result<Value> {
    Ok(sqlx::query_scalar!(
        "select gate from override_record where id = $1 and case_id = $2",
        id,
        case_id
    )
    .fetch_one(conn)
    .await?)
}

/// An override in the list over all cases.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Id.
    pub id: Uuid,
    /// Number of its case.
    pub case_number: i64,
    /// Title of its case.
    pub case_title: String,
    /// Number of its change.
    pub change_number: i64,
    /// Service.
    pub service: String,
    /// What it stood for.
    pub what: Vec<String>,
    /// Kind of emergency.
    pub category: String,
    /// Who asked.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Until when.
    pub until: DateTime<Utc>,
    /// From when without a co-signature.
    pub alone_from: DateTime<Utc>,
    /// Who co-signed.
    pub cosigned_by: Option<String>,
    /// When the review is due.
    pub review_due: DateTime<Utc>,
    /// What the review found.
    pub verdict: Option<String>,
    /// Who reviewed.
    pub reviewed_by: Option<String>,
}

/// Overrides over all cases, newest first, at most `limit`.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(conn: &mut PgConnection, reader: Uuid, limit: i64) -> Result<Vec<Listed>> {
    Ok(sqlx::query_as!(
        Listed,
        r#"select o.id, c.number as case_number, c.title as case_title, h.number as change_number,
                  s.name as service, o.what, o.category, p.name as by, o.at, o.until, o.alone_from,
                  cp.name as "cosigned_by?", o.review_due, w.verdict as "verdict?", wp.name as "reviewed_by?"
           from override_record o join case_file c on c.id = o.case_id join service s on s.id = c.service_id
           join change h on h.id = o.change_id join person p on p.id = o.by_person
           left join override_cosignature g on g.override_id = o.id left join person cp on cp.id = g.by_person
           left join override_review w on w.override_id = o.id left join person wp on wp.id = w.by_person
           where not c.confidential or case_known_to(c.id, $2)
           order by o.at desc, o.id desc limit $1"#,
        limit,
        reader
    )
    .fetch_all(conn)
    .await?)
}

/// How many overrides one person asked for on one service in one month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// Month, `2026-11`.
    pub month: String,
    /// Who asked.
    pub person: String,
    /// Service.
    pub service: String,
    /// How many.
    pub count: i64,
    /// How many of them a review found not justified.
    pub not_justified: i64,
}

/// Overrides counted by month, person and service, newest month first.
///
/// # Errors
/// When the database cannot be read.
pub async fn counts(conn: &mut PgConnection) -> Result<Vec<Count>> {
    Ok(sqlx::query_as!(
        Count,
        r#"select to_char(o.at at time zone 'UTC', 'YYYY-MM') as "month!", p.name as person, s.name as service,
                  count(*) as "count!", count(*) filter (where w.verdict = 'not_justified') as "not_justified!"
           from override_record o join person p on p.id = o.by_person join case_file c on c.id = o.case_id
           join service s on s.id = c.service_id left join override_review w on w.override_id = o.id
           group by 1, p.id, p.name, s.id, s.name order by 1 desc, 4 desc, lower(p.name), lower(s.name)"#
    )
    .fetch_all(conn)
    .await?)
}

/// An override that waits for somebody.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// Id.
    pub id: Uuid,
    /// Number of its case.
    pub case_number: i64,
    /// Title of its case.
    pub case_title: String,
    /// Who asked.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Whether it waits for a co-signature; else for its review.
    pub cosign: bool,
    /// When that is due.
    pub due: DateTime<Utc>,
}

/// Overrides that this person may co-sign or review, the most urgent first, at most 50.
///
/// # Errors
/// When the database cannot be read.
pub async fn waiting_for(
    conn: &mut PgConnection,
    person: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<Waiting>> {
    Ok(sqlx::query_as!(
        Waiting,
        r#"select o.id, c.number as case_number, c.title as case_title, p.name as by, o.at,
                  n.cosign as "cosign!", case when n.cosign then o.alone_from else o.review_due end as "due!"
           from override_record o join case_file c on c.id = o.case_id join person p on p.id = o.by_person
           cross join lateral (
             select true as cosign
              where holds_role($1, array['reviewer', 'manager'])
                and not exists (select from override_cosignature s where s.override_id = o.id)
             union all
             select false
              where $2 >= o.until and holds_role($1, array['reviewer'])
                and not exists (select from override_review w where w.override_id = o.id)
                and not exists (select from override_cosignature s where s.override_id = o.id and s.by_person = $1)
                and not exists (select from approval a where a.change_id = o.change_id and a.by_person = $1)) n
           where c.state <> 'closed'
             and $1 not in (select k.person_id from change_contributor(o.change_id, o.case_id) k)
           order by 7 limit 50"#,
        person,
        now
    )
    .fetch_all(conn)
    .await?)
}

/// What became of an override that a decision rested on.
#[derive(Debug, Clone)]
pub struct Reviewed {
    /// The override.
    pub id: Uuid,
    /// What its review found.
    pub verdict: String,
    /// Who reviewed it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// Reviews of the overrides a decision rested on, oldest first.
///
/// # Errors
/// When the database cannot be read.
pub async fn reviews_of(conn: &mut PgConnection, decision_id: Uuid) -> Result<Vec<Reviewed>> {
    Ok(sqlx::query_as!(
        Reviewed,
        "select w.override_id as id, w.verdict, p.name as by, w.at
         from override_review w join person p on p.id = w.by_person
         where w.override_id in (select d.override_id from decision_override d where d.decision_id = $1)
         order by w.at",
        decision_id
    )
    .fetch_all(conn)
    .await?)
}
