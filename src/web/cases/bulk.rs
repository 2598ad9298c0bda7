//! `/cases/close`: many cases closed with one outcome and note. Each is judged and closed in a
//! transaction of its own; those that are blocked are reported with what stands in the way.

use crate::{
    ladder::{
        CaseState,
        case::{self, Outcome},
        policy::Act,
    },
    store::{self, standing},
    web::{
        App, Error, Page, Reader, Result,
        case::{ending, ending::Wish, number_of},
        form::Faults,
        page::{Nav, show, show_with},
        runs::held,
        say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use axum_extra::extract::Form;
use serde::Deserialize;

/// Most cases closed at once.
const MOST: usize = 100;

/// The form: which cases, how they end.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Input {
    case: Vec<String>,
    outcome: String,
    note: String,
}

/// What became of one case.
struct Report {
    label: String,
    /// What stands in the way; `None`: it is closed.
    why: Option<String>,
}

#[derive(Template)]
#[template(path = "cases/close.html")]
struct Shown {
    page: Page,
    labels: Vec<String>,
    outcomes: Vec<(&'static str, String, bool)>,
    note: String,
    done: Option<Vec<Report>>,
    faults: Faults,
}

impl Shown {
    fn closed(&self) -> usize {
        let all = self.done.iter().flatten();
        all.filter(|r| r.why.is_none()).count()
    }

    fn blocked(&self) -> usize {
        let all = self.done.iter().flatten();
        all.filter(|r| r.why.is_some()).count()
    }
}

fn shown(page: Page, input: &Input) -> Shown {
    // Being a duplicate is said of each case apart: each has its own other one.
    let outcomes = Outcome::ALL.iter().filter(|o| **o != Outcome::DuplicateOf);
    Shown {
        labels: labels(input),
        outcomes: outcomes
            .map(|o| {
                let word = page.t(&say::key("outcome", o.id()));
                (o.id(), word, o.id() == input.outcome)
            })
            .collect(),
        note: input.note.clone(),
        done: None,
        faults: Faults::default(),
        page: page.at(Nav::Cases),
    }
}

/// The labels chosen, each once, as far as they are labels.
fn labels(input: &Input) -> Vec<String> {
    let mut found = Vec::new();
    for label in &input.case {
        if let Ok(number) = number_of(label.trim()) {
            let label = case::label(number);
            if !found.contains(&label) {
                found.push(label);
            }
        }
    }
    found.truncate(MOST);
    found
}

/// `GET /cases/close?case=PEL-0001&case=…`
///
/// # Errors
/// Forbidden.
pub async fn form(reader: Reader, page: Page, Form(input): Form<Input>) -> Result<Response> {
    reader.may(Act::Close)?;
    show(&shown(page, &input))
}

/// `POST /cases/close`
///
/// # Errors
/// Forbidden; when the database fails.
pub async fn close(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Form(input): Form<Input>,
) -> Result<Response> {
    reader.may(Act::Close)?;
    let mut back = shown(page.clone(), &input);
    if back.labels.is_empty() {
        back.faults.add("cases", page.t("cases-close-none"));
    }
    if back.outcomes.iter().all(|o| !o.2) {
        back.faults
            .add("outcome", page.t("case-fault-outcome-choose"));
    }
    if crate::web::form::visible(&input.note) < ending::NOTE_LEAST {
        let least = ending::NOTE_LEAST;
        back.faults
            .add("note", page.t1("case-fault-note", "least", least));
    }
    if !back.faults.is_empty() {
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    }
    let wish = Wish {
        outcome: input.outcome.clone(),
        note: input.note.clone(),
        duplicate_of: String::new(),
    };
    let mut done = Vec::new();
    for label in &back.labels {
        let why = one(&app, &visit, &reader, &page, label, &wish).await?;
        done.push(Report {
            label: label.clone(),
            why,
        });
    }
    back.done = Some(done);
    show(&back)
}

/// Closes one case in its own transaction, or says what stands in the way.
async fn one(
    app: &App,
    visit: &Visit,
    reader: &Reader,
    page: &Page,
    label: &str,
    wish: &Wish,
) -> Result<Option<String>> {
    let role = reader.may(Act::Close)?;
    let mut tx = app.begin().await?;
    let case = match held(&mut tx, reader, label).await {
        Ok(case) => case,
        Err(Error::NotFound) => return Ok(Some(page.t("error-not-found-title"))),
        Err(other) => return Err(other),
    };
    if case.state == CaseState::Closed {
        return Ok(Some(page.t("cases-close-already")));
    }
    let judged = ending::judge(&mut tx, page, reader, &case, wish).await?;
    if !judged.faults.is_empty() {
        let all = judged.faults.all().iter().map(|f| f.message.as_str());
        return Ok(Some(all.collect::<Vec<_>>().join(" ")));
    }
    let actor = reader.actor(visit, Some(role));
    let written = standing::close(
        &mut tx,
        &actor,
        case.id,
        case.version,
        &judged.ending(wish),
        visit.now,
    )
    .await;
    match written {
        Ok(()) => {}
        Err(store::Error::Refused { constraint, .. }) => {
            let key = format!("error-rule-{}", constraint.replace('_', "-"));
            return Ok(Some(page.t(&key)));
        }
        Err(other) => return Err(other.into()),
    }
    app.commit(tx).await?;
    Ok(None)
}
