//! Decisions, newest first. Each leads to its sealed record.

use super::{
    App, Error, Page, Reader, Result,
    cases::{knob, number_of},
    page::{Nav, show as render},
    paging::{self, ROWS},
    visit::Visit,
};
use crate::{
    ladder::{case, change::Knob, policy::Act},
    store::{
        cases,
        decisions::{self, Listed},
    },
};
use askama::Template;
use axum::{
    extract::{Query, State},
    response::Response,
};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

/// A decision as lists show it: with its mark, its word and its knob.
pub struct Line {
    /// Id: its permanent address.
    pub id: Uuid,
    /// `PEL-0042`.
    pub label: String,
    /// Title of the case.
    pub title: String,
    /// Symbol of its mark.
    pub shape: &'static str,
    /// Tone of its mark.
    pub tone: &'static str,
    /// `Accepted`, in the reader's language.
    pub word: String,
    /// The setting it turned, when the record reads.
    pub knob: Option<Knob>,
    /// Who took it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

impl Line {
    /// The line of a stored decision.
    pub fn of(page: &Page, decision: Listed) -> Self {
        let (shape, tone) = match decision.kind.as_str() {
            "accepted" => ("holds", "good"),
            "rolled_back" => ("back", "bad"),
            _ => ("breaks", "quiet"),
        };
        Self {
            id: decision.id,
            label: case::label(decision.case_number),
            title: decision.case_title,
            shape,
            tone,
            word: page.t(&super::say::key("decisions-kind", &decision.kind)),
            knob: decision.knob.as_ref().and_then(knob),
            by: decision.by,
            at: decision.at,
        }
    }
}

/// What the address says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    case: String,
    before: String,
}

#[derive(Template)]
#[template(path = "decisions.html")]
struct Decisions {
    page: Page,
    case: String,
    lines: Vec<Line>,
    next: Option<String>,
}

/// `GET /decisions`
///
/// # Errors
/// When the reader may not read cases, or the case asked for is none.
pub async fn show(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let page = Page::of(&app, &visit).at(Nav::Decisions);
    let mut conn = app.conn().await?;
    let case_id = match asked.case.trim() {
        "" => None,
        label => {
            let number = number_of(label).ok_or(Error::NotFound)?;
            Some(cases::id_known(&mut conn, number, reader.id).await?)
        }
    };
    let before = paging::place(Some(&asked.before));
    let limit = i64::try_from(ROWS).unwrap_or(i64::MAX).saturating_add(1);
    let mut found = decisions::list(&mut conn, reader.id, case_id, before, limit).await?;
    let next = paging::cut(&mut found, |d| paging::key((d.at, d.id))).map(|place| {
        paging::link(
            "/decisions",
            &[("case", asked.case.trim()), ("before", &place)],
        )
    });
    render(&Decisions {
        lines: found.into_iter().map(|d| Line::of(&page, d)).collect(),
        page,
        case: asked.case.trim().to_owned(),
        next,
    })
}
