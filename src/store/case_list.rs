//! The case list and "waiting for me": filtered, counted, paged by key.

use super::Result;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use std::collections::HashMap;
use uuid::Uuid;

/// What narrows the list. Empty = everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Words of the title or problem, or an id such as `PEL-0042`.
    pub text: Option<String>,
    /// State id.
    pub state: Option<String>,
    /// Service.
    pub service: Option<Uuid>,
    /// Owner.
    pub owner: Option<Uuid>,
    /// Only cases without an owner.
    pub unowned: bool,
    /// Who reads: a confidential case stands only in the list of somebody who may know of it.
    pub reader: Uuid,
}

/// A case in a list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Id.
    pub id: Uuid,
    /// Number.
    pub number: i64,
    /// Title.
    pub title: String,
    /// Service.
    pub service: String,
    /// State id.
    pub state: String,
    /// Since when.
    pub state_since: DateTime<Utc>,
    /// Owner's name.
    pub owner: Option<String>,
    /// When opened.
    pub opened_at: DateTime<Utc>,
    /// Last move.
    pub moved_at: DateTime<Utc>,
    /// Conditions on record and not retracted, 0–4.
    pub conditions: i64,
    /// Knob of the newest change that is not over, as JSON.
    pub knob: Option<serde_json::Value>,
    /// State of that change.
    pub change_state: Option<String>,
}

/// Page of cases, last moved first, older than `before`.
///
/// # Errors
/// When the database cannot be read.
pub async fn page(
    conn: &mut PgConnection,
    filter: &Filter,
    before: Option<(DateTime<Utc>, Uuid)>,
    limit: i64,
) -> Result<Vec<Listed>> {
    let (at, id) = before.unzip();
    let pattern = filter.text.as_deref().map(like);
    Ok(sqlx::query_as!(
        Listed,
        r#"select c.id, c.number, c.title, s.name as service, c.state, c.state_since, p.name as "owner?",
                  c.opened_at, c.moved_at,
                  (select count(distinct r.condition) from condition_record r where r.case_id = c.id
                     and not exists (select from condition_retraction t where t.record_id = r.id)) as "conditions!",
                  h.knob as "knob?", h.state as "change_state?"
           from case_file c join service s on s.id = c.service_id left join person p on p.id = c.owner_id
           left join lateral (
             select v.terms -> 'knob' as knob, g.state from change g join change_revision v on v.change_id = g.id
             where g.case_id = c.id and g.state not in ('withdrawn', 'rejected', 'expired', 'rolled_back')
             order by g.number desc, v.number desc limit 1) h on true
           where ($1::text is null or c.title ilike $1 or c.problem ilike $1)
             and ($2::text is null or c.state = $2 or ($2 = 'open' and c.state <> 'closed'))
             and ($3::uuid is null or c.service_id = $3)
             and ($4::uuid is null or c.owner_id = $4)
             and (not $5 or c.owner_id is null)
             and ($6::timestamptz is null or (c.moved_at, c.id) < ($6, $7))
             and (not c.confidential or case_known_to(c.id, $9))
           order by c.moved_at desc, c.id desc limit $8"#,
        pattern,
        filter.state,
        filter.service,
        filter.owner,
        filter.unowned,
        at,
        id,
        limit,
        filter.reader
    )
    .fetch_all(conn)
    .await?)
}

/// Number of cases the filter leaves, counted up to 10 000.
///
/// # Errors
/// When the database cannot be read.
pub async fn count(conn: &mut PgConnection, filter: &Filter) -> Result<i64> {
    let pattern = filter.text.as_deref().map(like);
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "n!" from (select from case_file c
           where ($1::text is null or c.title ilike $1 or c.problem ilike $1)
             and ($2::text is null or c.state = $2 or ($2 = 'open' and c.state <> 'closed'))
             and ($3::uuid is null or c.service_id = $3)
             and ($4::uuid is null or c.owner_id = $4)
             and (not $5 or c.owner_id is null)
             and (not c.confidential or case_known_to(c.id, $6))
           limit 10000) x"#,
        pattern,
        filter.state,
        filter.service,
        filter.owner,
        filter.unowned,
        filter.reader
    )
    .fetch_one(conn)
    .await?)
}

/// A pattern that finds the words as they stand: the wildcards of LIKE are taken literally.
fn like(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('%');
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('%');
    out
}

/// A change in a list of things to do.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// Number of the case.
    pub case_number: i64,
    /// Title of the case.
    pub case_title: String,
    /// Number of the change.
    pub change_number: i64,
    /// State of the change.
    pub state: String,
    /// Since when.
    pub since: DateTime<Utc>,
    /// The knob as JSON.
    pub knob: serde_json::Value,
}

/// Changes that wait for a reviewer who did not contribute to them, oldest first, at most 50.
///
/// # Errors
/// When the database cannot be read.
pub async fn waiting_for_review(conn: &mut PgConnection, person: Uuid) -> Result<Vec<Waiting>> {
    Ok(sqlx::query_as!(
        Waiting,
        r#"select c.number as case_number, c.title as case_title, g.number as change_number, g.state,
                  g.state_since as since, v.terms -> 'knob' as "knob!"
           from change g join case_file c on c.id = g.case_id
           join lateral (select terms from change_revision where change_id = g.id order by number desc limit 1) v on true
           where g.state in ('submitted', 'awaiting_promotion')
             and $1 not in (select k.person_id from change_contributor(g.id, c.id) k)
             and not exists (select from case_parts(c.id) x where x.person_id = $1 and x.part = 'excluded')
             and (not c.confidential or case_known_to(c.id, $1))
           order by g.state_since limit 50"#,
        person
    )
    .fetch_all(conn)
    .await?)
}

/// Live changes of cases that this person owns or whose change they drafted, oldest first, at most 50.
///
/// # Errors
/// When the database cannot be read.
pub async fn my_live_changes(conn: &mut PgConnection, person: Uuid) -> Result<Vec<Waiting>> {
    Ok(sqlx::query_as!(
        Waiting,
        r#"select c.number as case_number, c.title as case_title, g.number as change_number, g.state,
                  g.state_since as since, v.terms -> 'knob' as "knob!"
           from change g join case_file c on c.id = g.case_id
           join lateral (select terms from change_revision where change_id = g.id order by number desc limit 1) v on true
           where g.state in ('draft', 'approved_for_canary', 'canary_running', 'canary_paused', 'canary_ended', 'accepted')
             and (g.author_id = $1 or c.owner_id = $1)
             and (not c.confidential or case_known_to(c.id, $1))
           order by g.state_since limit 50"#,
        person
    )
    .fetch_all(conn)
    .await?)
}

/// Items of this person's cases that could not be read: (EV number, case number, title).
///
/// # Errors
/// When the database cannot be read.
pub async fn unreadable_of(
    conn: &mut PgConnection,
    person: Uuid,
) -> Result<Vec<(i64, i64, String)>> {
    Ok(sqlx::query!(
        "select e.number, c.number as case_number, c.title from evidence e join case_file c on c.id = e.case_id
         where c.state <> 'closed' and (c.owner_id = $1 or e.by_person = $1)
           and (not c.confidential or case_known_to(c.id, $1))
           and (select state from evidence_event v where v.evidence_id = e.id order by seq desc limit 1) = 'unreadable'
         order by e.number desc limit 20",
        person
    )
    .fetch_all(conn)
    .await?
    .into_iter()
    .map(|r| (r.number, r.case_number, r.title))
    .collect())
}

/// Numbers of cases by id, for pages that know only the ids.
///
/// # Errors
/// When the database cannot be read.
pub async fn numbers(conn: &mut PgConnection, ids: &[Uuid]) -> Result<HashMap<Uuid, i64>> {
    Ok(
        sqlx::query!("select id, number from case_file where id = any($1)", ids)
            .fetch_all(conn)
            .await?
            .into_iter()
            .map(|r| (r.id, r.number))
            .collect(),
    )
}

/// Open cases by number that pin some version of a contract, oldest first, at most 50.
///
/// # Errors
/// When the database cannot be read.
pub async fn open_under_contract(conn: &mut PgConnection, contract_id: Uuid) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select c.number from case_file c join contract_version v on v.id = c.contract_version_id
         where v.contract_id = $1 and c.state <> 'closed' order by c.number limit 50",
        contract_id
    )
    .fetch_all(conn)
    .await?)
}
