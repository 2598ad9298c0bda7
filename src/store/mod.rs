//! The store: the only room with SQL, one file per aggregate.
//!
//! Every function takes `&mut PgConnection`, so that one request is one transaction opened by its
//! caller. Facts are appended and audited in the same transaction; mutable rows carry a `version`
//! and are changed with `where version = $n`. Nothing here knows HTTP or templates.

pub mod audit;
pub mod bundles;
pub mod canary;
pub mod case_file;
pub mod case_list;
pub mod case_page;
pub mod cases;
pub mod changes;

pub mod checkpoint;
pub mod checkpoints;
mod contract_moves;
pub mod contracts;
pub mod decisions;
pub mod evidence;
pub mod form_key;
pub mod history;
pub mod identities;
pub mod jobs;
pub mod mappings;
pub mod one_time;
pub mod overrides;
pub mod people;
pub mod policy;
mod profile;
pub mod readings;
pub mod retention;
pub mod runs;
pub mod said;
mod same_bytes;
pub mod secret;
pub mod sections;
pub mod services;
pub mod sessions;
pub mod signin_delay;
pub mod standing;
pub mod templates;
pub mod tokens;
pub mod upkeep;
pub mod vouched;
pub mod weighing;

use thiserror::Error;

/// What can go wrong when reading or writing facts.
#[derive(Debug, Error)]
pub enum Error {
    /// The thing does not exist, or not for this reader.
    #[error("not found")]
    NotFound,
    /// Somebody else changed the row since it was read.
    #[error("changed since it was read")]
    Conflict,
    /// The database refused a fact; `constraint` names the rule.
    #[error("refused by rule {constraint}")]
    Refused {
        /// Name of the constraint.
        constraint: String,
        /// The database's own words, for the operator.
        detail: String,
    },
    /// A stored row does not make sense; it is reported, never guessed at.
    #[error("row {id} of {table} is inconsistent: {what}")]
    Inconsistent {
        /// Table of the row.
        table: &'static str,
        /// Its id.
        id: String,
        /// What is wrong.
        what: String,
    },
    /// What was sent cannot be stored: characters that are no text, or a time beyond calendars.
    #[error("not storable: {0}")]
    Unstorable(String),
    /// The database did not answer as it should.
    #[error("database: {0}")]
    Database(sqlx::Error),
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::RowNotFound => Self::NotFound,
            // Text with a zero byte, or not UTF-8; JSON with such text; a time out of range.
            sqlx::Error::Database(db)
                if matches!(db.code().as_deref(), Some("22021" | "22P05" | "22008")) =>
            {
                Self::Unstorable(db.message().to_owned())
            }
            sqlx::Error::Database(db) if db.constraint().is_some() => Self::Refused {
                constraint: db.constraint().unwrap_or_default().to_owned(),
                detail: db.message().to_owned(),
            },
            _ => Self::Database(error),
        }
    }
}

/// Result of a store call.
pub type Result<T> = std::result::Result<T, Error>;

/// Asks the database for anything at all.
///
/// # Errors
/// When it does not answer.
pub async fn answers(conn: &mut sqlx::PgConnection) -> Result<()> {
    sqlx::query_scalar!(r#"select 1 as "one!""#)
        .fetch_one(conn)
        .await?;
    Ok(())
}
