//! `GET /cases/{case}/summary.json`: the case in a few lines for a machine, and the schema that
//! describes them.

use crate::ladder::policy::Act;
use crate::ladder::summary::{self, SCHEMA_TEXT};
use crate::web::{App, Error, Reader, Result, visit::Visit};
use axum::{
    Json,
    extract::{Path, State},
    http::header,
    response::{IntoResponse as _, Response},
};

/// `GET /cases/{case}/summary.json`
///
/// # Errors
/// Not found; forbidden without a role that reads.
pub async fn get(
    State(app): State<App>,
    reader: Reader,
    visit: Visit,
    Path(label): Path<String>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    let case = super::load(&mut conn, &reader, &label).await?;
    Ok(Json(summary::of_case(&case, visit.now)).into_response())
}

/// `GET /schema/{name}`: a published schema, for anybody.
///
/// # Errors
/// Not found for any other name.
pub async fn schema(Path(name): Path<String>) -> Result<Response> {
    if format!("/schema/{name}") != summary::SCHEMA {
        return Err(Error::NotFound);
    }
    let kind = [(header::CONTENT_TYPE, "application/schema+json")];
    Ok((kind, SCHEMA_TEXT).into_response())
}
