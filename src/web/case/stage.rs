//! `/cases/{c}/stages/{n}`: declare that a stage does not exist here or was not examined, or take
//! that back. The ladder says what may be declared.

use crate::{
    ladder::{
        CaseFile, Stage,
        case::{Declaration, DeclarationKind},
        policy::Act,
        stage,
    },
    web::{
        App, Error, Page, Reader, Result,
        conflict::{self, Conflict, Merged, Part},
        form::Faults,
        page::{self, Nav},
        say,
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

/// The form.
#[derive(Debug, Default, Deserialize)]
pub struct Input {
    /// How many declarations the stage had when the form was shown.
    #[serde(default)]
    version: usize,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    reason: String,
}

#[derive(Template)]
#[template(path = "case/stage.html")]
struct Shown {
    page: Page,
    label: String,
    path: String,
    number: u8,
    name: String,
    question: String,
    input: Input,
    /// Kinds to choose from: id, word, hint.
    kinds: Vec<(&'static str, String, String)>,
    faults: Faults,
}

fn stage_of(number: u8) -> Result<Stage> {
    Stage::from_number(number).ok_or(Error::NotFound)
}

fn shown(page: Page, case: &CaseFile, stage: Stage, input: Input) -> Shown {
    let kinds: &[DeclarationKind] = match (stage, case.declaration(stage)) {
        (Stage::RequestTrace, _) => &[],
        (_, Some(_)) => DeclarationKind::ALL,
        (_, None) => &[DeclarationKind::NotApplicable, DeclarationKind::NotExamined],
    };
    Shown {
        label: case.label(),
        path: super::path(case),
        number: stage.number(),
        name: super::stage_name(&page, stage),
        question: page.t(&format!("{}-question", say::key("stage", stage.id()))),
        input,
        kinds: kinds
            .iter()
            .map(|k| {
                let key = say::key("case-declare", k.id());
                (k.id(), page.t(&key), page.t(&format!("{key}-hint")))
            })
            .collect(),
        faults: Faults::default(),
        page: page.at(Nav::Cases),
    }
}

/// Everything declared about a stage, oldest first; their count is the section's version.
fn declared(case: &CaseFile, stage: Stage) -> Vec<&Declaration> {
    let all = case.declarations.iter();
    all.filter(|d| d.stage == stage).collect()
}

/// Somebody declared something else meanwhile.
fn conflict(page: Page, case: &CaseFile, stage: Stage, mine: &Input) -> Result<Response> {
    let all = declared(case, stage);
    let parts = |kind: &str, reason: &str| {
        let word = match kind {
            "" => page.t("case-declare-nothing"),
            known => page.t(&say::key("case-declare", known)),
        };
        vec![
            Part::choice("kind", page.t("case-declare-legend"), kind, word),
            Part::text("reason", page.t("case-declare-reason"), reason, 4),
        ]
    };
    let of = |d: Option<&&Declaration>| {
        d.map_or_else(|| parts("", ""), |d| parts(d.kind.id(), &d.reason))
    };
    let path = super::path(case);
    let conflict = Conflict {
        title: format!("{} {}", stage.number(), super::stage_name(&page, stage)),
        crumbs: super::crumbs(&page, case),
        action: format!("{path}/stages/{}", stage.number()),
        back: format!("{path}#s{}", stage.number()),
        hidden: vec![("version".to_owned(), all.len().to_string())],
        yours: match DeclarationKind::from_id(&mine.kind) {
            Some(kind) => parts(kind.id(), &mine.reason),
            None => parts("", &mine.reason),
        },
        theirs: of(all.last()),
        base: Some(of(mine.version.checked_sub(1).and_then(|n| all.get(n)))),
        by: all.last().map(|d| (case.name_of(d.by), d.at)),
    };
    conflict::show(page.at(Nav::Cases), conflict)
}

/// `GET /cases/{c}/stages/{n}`.
///
/// # Errors
/// Forbidden or not found.
pub async fn get(
    State(app): State<App>,
    reader: Reader,
    page: Page,
    Path((label, number)): Path<(String, u8)>,
) -> Result<Response> {
    reader.may(Act::Investigate)?;
    let stage = stage_of(number)?;
    let mut conn = app.conn().await?;
    let case = super::load(&mut conn, &reader, &label).await?;
    let input = Input {
        version: declared(&case, stage).len(),
        ..Input::default()
    };
    page::show(&shown(page, &case, stage, input))
}

/// `POST /cases/{c}/stages/{n}`.
///
/// # Errors
/// Forbidden, not found, or a conflict when the case is closed.
pub async fn post(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path((label, number)): Path<(String, u8)>,
    Merged(input): Merged<Input>,
) -> Result<Response> {
    let role = reader.may(Act::Investigate)?;
    let stage = stage_of(number)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    if input.version != declared(&case, stage).len() {
        return conflict(page, &case, stage, &input);
    }
    let kind = DeclarationKind::from_id(&input.kind);
    let mut faults = Faults::default();
    match kind {
        None => faults.add("kind", page.t("case-fault-kind-choose")),
        Some(DeclarationKind::Reopened) if case.declaration(stage).is_none() => {
            faults.add("kind", page.t("case-fault-kind-nothing-declared"));
        }
        Some(kind) => {
            let short = crate::web::form::visible(&input.reason) < stage::REASON_LENGTH;
            if let Err(why) = stage::may_declare(&case, stage, kind, &input.reason) {
                let field = if short { "reason" } else { "kind" };
                faults.add(field, say::sentence(page.lang, &why));
            }
        }
    }
    let (Some(kind), true) = (kind, faults.is_empty()) else {
        let mut back = shown(page, &case, stage, input);
        back.faults = faults;
        return page::show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    };
    let actor = reader.actor(&visit, Some(role));
    crate::store::said::declare_stage(
        &mut tx,
        &actor,
        case.id,
        stage,
        kind,
        &input.reason,
        visit.now,
    )
    .await?;
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(Redirect::to(&format!("{}#s{number}", super::path(&case))).into_response())
}
