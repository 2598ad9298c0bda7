//! `/cases/{c}/problem`: the problem section, with a page for two people who edit at once.

use crate::{
    ladder::{CaseFile, policy::Act},
    store::{self, cases, sections, services},
    web::{
        App, Error, Page, Reader, Result,
        conflict::{self, Conflict, Merged, Part},
        form::Faults,
        page::{self, Nav},
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use serde::Deserialize;
use sqlx::PgConnection;

/// The form.
#[derive(Debug, Default, Clone, Deserialize)]
pub struct Input {
    #[serde(default)]
    version: i32,
    #[serde(default)]
    title: String,
    #[serde(default)]
    problem: String,
    #[serde(default)]
    class: Vec<String>,
}

#[derive(Template)]
#[template(path = "case/problem.html")]
struct Shown {
    page: Page,
    label: String,
    path: String,
    input: Input,
    classes: Vec<(String, bool)>,
    faults: Faults,
}

fn as_is(case: &CaseFile) -> Input {
    Input {
        version: case.problem_version,
        title: case.title.clone(),
        problem: case.problem.clone(),
        class: case.classes.clone(),
    }
}

fn shown(page: Page, case: &CaseFile, known: Vec<String>, input: Input) -> Shown {
    let mut classes: Vec<(String, bool)> = known
        .into_iter()
        .map(|c| {
            let on = input.class.contains(&c);
            (c, on)
        })
        .collect();
    for class in &input.class {
        if !classes.iter().any(|(c, _)| c == class) {
            classes.push((class.clone(), true));
        }
    }
    Shown {
        page: page.at(Nav::Cases),
        label: case.label(),
        path: super::path(case),
        input,
        classes,
        faults: Faults::default(),
    }
}

/// `GET /cases/{c}/problem`.
///
/// # Errors
/// Forbidden, not found, or a conflict when the case is closed.
pub async fn get(
    State(app): State<App>,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
) -> Result<Response> {
    reader.may(Act::Investigate)?;
    let mut conn = app.conn().await?;
    let case = super::load(&mut conn, &reader, &label).await?;
    let known = services::get(&mut conn, case.service.0).await?.classes;
    let input = as_is(&case);
    page::show(&shown(page, &case, known, input))
}

/// `POST /cases/{c}/problem`.
///
/// # Errors
/// As [`get`]. Faults and an edit that came second give the form back.
pub async fn post(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Merged(input): Merged<Input>,
) -> Result<Response> {
    let role = reader.may(Act::Investigate)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    let known = services::get(&mut tx, case.service.0).await?.classes;
    let faults = faults(&page, &case, &known, &input);
    if !faults.is_empty() {
        let mut back = shown(page, &case, known, input);
        back.faults = faults;
        return page::show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    }
    let actor = reader.actor(&visit, Some(role));
    let done = cases::edit_problem(
        &mut tx,
        &actor,
        case.id,
        input.version,
        &input.title,
        &input.problem,
        &input.class,
        visit.now,
    )
    .await;
    match done {
        Ok(()) => {}
        Err(store::Error::Conflict) => {
            return conflict(&mut tx, page, &case, &input).await;
        }
        Err(other) => return Err(Error::from(other)),
    }
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("{}#problem", super::path(&case))).into_response())
}

/// The parts of the section, for the page of two editors.
fn parts(page: &Page, input: &Input) -> Vec<Part> {
    let mut classes = input.class.clone();
    classes.sort();
    let shown = classes.join(", ");
    let pairs = classes.into_iter().map(|c| ("class".to_owned(), c));
    vec![
        Part::text("title", page.t("case-problem-title"), &input.title, 1),
        Part::text(
            "problem",
            page.t("case-section-problem"),
            &input.problem,
            10,
        ),
        Part::group(
            "classes",
            page.t("case-problem-classes"),
            pairs.collect(),
            shown,
        ),
    ]
}

/// What the section said before, as it is kept.
#[derive(Deserialize)]
struct Past {
    title: String,
    problem: String,
    classes: Vec<String>,
}

async fn conflict(
    conn: &mut PgConnection,
    page: Page,
    case: &CaseFile,
    mine: &Input,
) -> Result<Response> {
    let of = sections::Section::Problem;
    let since = sections::since(conn, of, case.id, mine.version).await?;
    let theirs = as_is(case);
    let before = since.as_ref().map(|s| {
        serde_json::from_value::<Past>(s.base.clone()).map(|past| Input {
            version: mine.version,
            title: past.title,
            problem: past.problem,
            class: past.classes,
        })
    });
    let base = before.transpose().map_err(Error::internal)?;
    let path = super::path(case);
    let conflict = Conflict {
        title: page.t("case-problem-edit"),
        crumbs: super::crumbs(&page, case),
        action: format!("{path}/problem"),
        back: format!("{path}#problem"),
        hidden: vec![("version".to_owned(), theirs.version.to_string())],
        yours: parts(&page, mine),
        theirs: parts(&page, &theirs),
        base: base.map(|b| parts(&page, &b)),
        by: since.map(|s| (s.by, s.at)),
    };
    conflict::show(page.at(Nav::Cases), conflict)
}

fn faults(page: &Page, case: &CaseFile, known: &[String], input: &Input) -> Faults {
    let mut faults = Faults::default();
    let title = input.title.trim();
    if !(3..=200).contains(&title.chars().count())
        || title.chars().any(crate::web::form::is_invisible)
    {
        faults.add("title", page.t("case-fault-title"));
    }
    if input.problem.chars().count() > 10_000 {
        faults.add("problem", page.t("case-fault-problem"));
    }
    let strange = |c: &&String| !known.contains(c) && !case.classes.contains(c);
    if let Some(class) = input.class.iter().find(strange) {
        faults.add(
            "classes",
            page.t1("case-fault-class", "class", super::cut(class, 60)),
        );
    }
    faults
}
