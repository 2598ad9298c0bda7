//! Runs: stating what was measured, correcting it, and handing in its files.

pub mod attest;
pub mod edit;
pub mod environment;
pub mod form;
pub mod show;
pub mod upload;

use super::{App, Error, Result, knowing, session::Reader, visit::Visit};
use crate::ladder::policy::Role;
use crate::ladder::run::Run;
use crate::ladder::{CaseFile, CaseState};
use crate::store::{audit::Actor, case_file, cases};
use sqlx::PgConnection;

/// The number in a label such as `PEL-0042`, `R-7` or `EV-31`, with this prefix.
pub fn number_of(label: &str, prefix: &str) -> Option<i64> {
    let digits = label.strip_prefix(prefix)?.strip_prefix('-')?;
    let plain =
        !digits.is_empty() && digits.len() <= 18 && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// The snapshot of the case with this label.
///
/// # Errors
/// `NotFound` when there is none.
pub async fn case_of(conn: &mut PgConnection, reader: &Reader, label: &str) -> Result<CaseFile> {
    let number = number_of(label, "PEL").ok_or(Error::NotFound)?;
    let id = cases::id_of(conn, number).await?;
    let case = case_file::load(conn, id).await?;
    knowing::read(conn, reader, case).await
}

/// The snapshot of an open case, held until the transaction ends: nobody closes it meanwhile.
///
/// # Errors
/// `NotFound` when there is none, `Conflict` when it is closed.
pub async fn locked(conn: &mut PgConnection, reader: &Reader, label: &str) -> Result<CaseFile> {
    let case = held(conn, reader, label).await?;
    open(&case)?;
    Ok(case)
}

/// The same of a case that may be closed.
///
/// # Errors
/// `NotFound` when there is none.
pub async fn held(conn: &mut PgConnection, reader: &Reader, label: &str) -> Result<CaseFile> {
    let number = number_of(label, "PEL").ok_or(Error::NotFound)?;
    let id = cases::id_of(conn, number).await?;
    cases::lock(conn, id).await?;
    knowing::known(reader, case_file::load(conn, id).await?)
}

/// The run of a case with this label.
///
/// # Errors
/// `NotFound` when the case has none.
pub fn run_of<'a>(case: &'a CaseFile, label: &str) -> Result<&'a Run> {
    let number = number_of(label, "R").ok_or(Error::NotFound)?;
    case.runs
        .iter()
        .find(|r| i64::from(r.number) == number)
        .ok_or(Error::NotFound)
}

/// Refuses to write into a closed case.
///
/// # Errors
/// `Conflict`.
pub fn open(case: &CaseFile) -> Result<()> {
    if case.state == CaseState::Closed {
        Err(Error::Conflict)
    } else {
        Ok(())
    }
}

/// Who writes: the reader under the role that allows it.
pub fn actor(reader: &Reader, visit: &Visit, role: Role) -> Actor {
    reader.actor(visit, Some(role))
}

/// Loads a case for a page of its own.
///
/// # Errors
/// `NotFound` when there is none.
pub async fn load(app: &App, reader: &Reader, label: &str) -> Result<CaseFile> {
    let mut conn = app.conn().await?;
    case_of(&mut conn, reader, label).await
}
