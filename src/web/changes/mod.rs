//! Changes: drafting one, its review and canary, taking it back, and accepting it.
//!
//! Every deciding act locks the case, loads and judges it again inside its own transaction, and
//! compares what it finds with what the form was shown; a page of a minute ago grants nothing.

pub mod accept;
pub mod approve;
pub mod bundle;
pub mod canary;
pub mod confirm;
pub mod deed;
pub mod diff;
pub mod edit;
pub mod end;
pub mod form;
pub mod integrity;
pub mod judging;
pub mod parts;
pub mod plan;
pub mod refusal;
pub mod requests;
pub mod risk;
pub mod roll_back;
pub mod running;
pub mod samples;
pub mod sealing;
pub mod show;
pub mod submit;
pub mod terms;
pub mod thresholds;
pub mod watch;
pub mod words;

pub use super::runs::{case_of, held, load, locked, number_of, open};
use super::{Error, Result};
use crate::ladder::CaseFile;
use crate::ladder::change::Change;
use axum::response::{IntoResponse, Redirect, Response};

/// The change of this case with this label.
///
/// # Errors
/// `NotFound` when it is not of this case.
pub fn change_of<'a>(case: &'a CaseFile, label: &str) -> Result<&'a Change> {
    let number = number_of(label, "CH").ok_or(Error::NotFound)?;
    case.changes
        .iter()
        .find(|c| c.number == number)
        .ok_or(Error::NotFound)
}

/// Address of a change.
pub fn path(case: &str, change: &str) -> String {
    format!("/cases/{case}/changes/{change}")
}

/// The answer that leads on after an act.
pub fn to(path: &str) -> Response {
    Redirect::to(path).into_response()
}
