//! Templates of standard changes and reviewers' words on them, and freezes of a service.

use super::audit::{self, Act, Actor};
use super::{Error, Result};
use crate::ladder::template::{Freeze, Template};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// What a template is made of.
#[derive(Debug, Clone)]
pub struct NewTemplate {
    /// Service.
    pub service_id: Uuid,
    /// Component whose setting it is.
    pub component: String,
    /// The setting.
    pub setting: String,
    /// Unit of its values, if they have one.
    pub unit: String,
    /// Least new value.
    pub least: f64,
    /// Greatest new value.
    pub most: f64,
    /// Why it may be turned without asking each time.
    pub reason: String,
}

/// Writes a template. Nothing is made from it before a reviewer agrees.
///
/// # Errors
/// `Refused` by `template_range` or a text out of bounds.
pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    new: &NewTemplate,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into change_template (id, service_id, component, setting, unit, least, most, reason, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        id,
        new.service_id,
        new.component.trim(),
        new.setting.trim(),
        new.unit.trim(),
        new.least,
        new.most,
        new.reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "template.create",
        object: ("template", id.to_string()),
        reason: Some(new.reason.trim().to_owned()),
        detail: json!({ "service": new.service_id, "setting": new.setting.trim(), "from": new.least, "to": new.most }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(id)
}

/// A reviewer's word on a template: agreed, or taken back.
///
/// # Errors
/// `NotFound`; `Refused` by `template_by_reviewer` or `template_not_by_author`.
pub async fn speak(
    conn: &mut PgConnection,
    actor: &Actor,
    template_id: Uuid,
    agrees: bool,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "insert into template_agreement (id, template_id, agrees, reason, by_person, at)
         select $1, t.id, $3, $4, $5, $6 from change_template t where t.id = $2",
        Uuid::now_v7(),
        template_id,
        agrees,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::NotFound);
    }
    let act = Act {
        act: if agrees {
            "template.agree"
        } else {
            "template.take_back"
        },
        object: ("template", template_id.to_string()),
        reason: Some(reason.trim().to_owned()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// A template in the list, with its service's name and the names of its people.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The template.
    pub template: Template,
    /// Its service.
    pub service: String,
    /// Who wrote it.
    pub author: String,
    /// Whose word counts on it.
    pub reviewer: Option<String>,
}

/// All templates, by service.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<Listed>> {
    let rows = sqlx::query!(
        r#"select t.id, t.number, s.name as service, t.component, t.setting, t.unit, t.least, t.most, t.reason,
                  t.by_person, p.name as author, t.at, a.agrees as "agrees?", a.by_person as "agreed_by?",
                  a.at as "agreed_at?", q.name as "reviewer?"
           from change_template t join service s on s.id = t.service_id join person p on p.id = t.by_person
           left join lateral (select agrees, by_person, at from template_agreement
                              where template_id = t.id order by seq desc limit 1) a on true
           left join person q on q.id = a.by_person
           order by lower(s.name), t.number"#
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| Listed {
            template: Template {
                id: r.id,
                number: r.number,
                component: r.component,
                setting: r.setting,
                unit: r.unit,
                least: r.least,
                most: r.most,
                reason: r.reason,
                by: r.by_person,
                at: r.at,
                agreed: r
                    .agrees
                    .zip(r.agreed_by)
                    .zip(r.agreed_at)
                    .map(|((agrees, by), at)| (agrees, by, at)),
            },
            service: r.service,
            author: r.author,
            reviewer: r.reviewer,
        })
        .collect())
}

/// Freezes a service from one instant to another.
///
/// # Errors
/// `Refused` by `freeze_window_span` or a reason out of bounds.
pub async fn freeze(
    conn: &mut PgConnection,
    actor: &Actor,
    service_id: Uuid,
    (from, to): (DateTime<Utc>, DateTime<Utc>),
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into freeze_window (id, service_id, from_at, to_at, reason, by_person, at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        id,
        service_id,
        from,
        to,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    let act = Act {
        act: "freeze.set",
        object: ("freeze", id.to_string()),
        reason: Some(reason.trim().to_owned()),
        detail: json!({ "service": service_id, "from": from, "to": to }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Lifts a freeze before its end.
///
/// # Errors
/// `NotFound`; `Refused` when it was lifted before.
pub async fn lift(
    conn: &mut PgConnection,
    actor: &Actor,
    freeze_id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = sqlx::query!(
        "insert into freeze_lift (freeze_id, reason, by_person, at)
         select id, $2, $3, $4 from freeze_window where id = $1",
        freeze_id,
        reason.trim(),
        actor.person()?,
        now
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Err(Error::NotFound);
    }
    let act = Act {
        act: "freeze.lift",
        object: ("freeze", freeze_id.to_string()),
        reason: Some(reason.trim().to_owned()),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

/// Freezes that are not over and were not lifted, by service.
///
/// # Errors
/// When the database cannot be read.
pub async fn freezes(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<(Uuid, Freeze)>> {
    let rows = sqlx::query!(
        "select f.id, f.service_id, f.from_at, f.to_at, f.reason, p.name
         from freeze_window f join person p on p.id = f.by_person
         where f.to_at > $1 and not exists (select from freeze_lift l where l.freeze_id = f.id)
         order by f.from_at",
        now
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| {
            let freeze = Freeze {
                id: r.id,
                from: r.from_at,
                to: r.to_at,
                reason: r.reason,
                by: r.name,
            };
            (r.service_id, freeze)
        })
        .collect())
}
