//! Services and their task classes.

use super::Result;
use super::audit::{self, Act, Actor};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

/// A service with the names of its task classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Id.
    pub id: Uuid,
    /// Name, unique without regard to case.
    pub name: String,
    /// What it serves.
    pub description: String,
    /// Its task classes, by name.
    pub classes: Vec<String>,
}

/// All services, by name. They are few: one per deployed model service.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<Service>> {
    Ok(sqlx::query_as!(
        Service,
        r#"select s.id, s.name, s.description,
                  coalesce(array_agg(t.name order by t.name) filter (where t.id is not null), '{}') as "classes!"
           from service s left join task_class t on t.service_id = s.id
           group by s.id order by lower(s.name)"#
    )
    .fetch_all(conn)
    .await?)
}

/// One service.
///
/// # Errors
/// `NotFound` when there is none with this id.
pub async fn get(conn: &mut PgConnection, id: Uuid) -> Result<Service> {
    Ok(sqlx::query_as!(
        Service,
        r#"select s.id, s.name, s.description,
                  coalesce(array_agg(t.name order by t.name) filter (where t.id is not null), '{}') as "classes!"
           from service s left join task_class t on t.service_id = s.id
           where s.id = $1 group by s.id"#,
        id
    )
    .fetch_one(conn)
    .await?)
}

/// Defines a service with its task classes.
///
/// # Errors
/// `Refused` by `service_name` when the name is taken.
pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    name: &str,
    description: &str,
    classes: &[String],
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let (id, by) = (Uuid::now_v7(), actor.person()?);
    sqlx::query!(
        "insert into service (id, name, description, created_by, created_at) values ($1, $2, $3, $4, $5)",
        id,
        name.trim(),
        description.trim(),
        by,
        now
    )
    .execute(&mut *conn)
    .await?;
    for class in classes {
        insert_class(conn, id, class, by, now).await?;
    }
    let act = Act {
        act: "service.define",
        object: ("service", id.to_string()),
        detail: json!({ "name": name.trim(), "classes": classes }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(id)
}

/// Adds a task class to a service.
///
/// # Errors
/// `Refused` by `task_class_name` when the service has it already.
pub async fn add_class(
    conn: &mut PgConnection,
    actor: &Actor,
    service_id: Uuid,
    name: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    insert_class(conn, service_id, name, actor.person()?, now).await?;
    let act = Act {
        act: "service.add_class",
        object: ("service", service_id.to_string()),
        detail: json!({ "class": name.trim() }),
        ..Act::default()
    };
    audit::append(conn, actor, act, now).await?;
    Ok(())
}

async fn insert_class(
    conn: &mut PgConnection,
    service_id: Uuid,
    name: &str,
    by: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "insert into task_class (id, service_id, name, created_by, created_at) values ($1, $2, $3, $4, $5)",
        Uuid::now_v7(),
        service_id,
        name.trim(),
        by,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}
