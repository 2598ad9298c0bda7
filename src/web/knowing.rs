//! Who may know of a case. Every page, export and act of a case loads it through here: to whoever
//! may not know of it, it is not there. Reading a confidential case is an act of its own in the log.

use super::{Error, Reader, Result};
use crate::ladder::CaseFile;
use crate::ladder::life::FlagKind;
use crate::store::{self, audit, cases};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

/// The case, when this reader may know of it.
///
/// # Errors
/// `NotFound` when they may not.
pub fn known(reader: &Reader, case: CaseFile) -> Result<CaseFile> {
    if case.known_to(reader.id, &reader.roles) {
        Ok(case)
    } else {
        Err(Error::NotFound)
    }
}

/// The case for a page or an export: the same, and a reading of a confidential one is written down.
///
/// # Errors
/// `NotFound` when the reader may not know of it; when the log cannot be written.
pub async fn read(conn: &mut PgConnection, reader: &Reader, case: CaseFile) -> Result<CaseFile> {
    let case = known(reader, case)?;
    if case.life.flag(FlagKind::Confidential).is_some() {
        note(conn, reader, case.id).await?;
    }
    Ok(case)
}

/// Writes down a reading of something that belongs to a case, if the case is confidential.
///
/// # Errors
/// `NotFound` when there is no such case; when the log cannot be written.
pub async fn looked(conn: &mut PgConnection, reader: &Reader, case_id: Uuid) -> Result<()> {
    if cases::is_confidential(conn, case_id).await? {
        note(conn, reader, case_id).await?;
    }
    Ok(())
}

/// Writes down that somebody read a confidential case.
///
/// # Errors
/// When the log cannot be written.
async fn note(conn: &mut PgConnection, reader: &Reader, case_id: Uuid) -> Result<()> {
    let mut tx = conn.begin().await.map_err(store::Error::from)?;
    let act = audit::Act {
        act: "case.read",
        object: ("case", case_id.to_string()),
        case_id: Some(case_id),
        detail: serde_json::json!({ "page": reader.path }),
        ..audit::Act::default()
    };
    audit::append(&mut tx, &reader.reads(), act, reader.at).await?;
    tx.commit().await.map_err(store::Error::from)?;
    Ok(())
}

/// Id of the case with this number, when the reader may know of it.
///
/// # Errors
/// `NotFound`.
pub async fn id_of(conn: &mut PgConnection, reader: &Reader, number: i64) -> Result<Uuid> {
    Ok(cases::id_known(conn, number, reader.id).await?)
}
