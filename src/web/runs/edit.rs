//! A new run, and the correction of what was stated about one.

use super::environment::{self as shown, FactView};
use super::form::{Asked, Typed};
use super::{actor, load, locked, open, run_of};
use crate::ladder::CaseFile;
use crate::ladder::environment;
use crate::ladder::policy::Act;
use crate::ladder::run::{Phase, Profiled, RunRole};
use crate::store::{self, runs};
use crate::web::conflict::{self, Conflict, Merged};
use crate::web::page::{Nav, show, show_with};
use crate::web::{App, Page, Reader, Result, form::Faults, say, visit::Visit};
use askama::Template;
use axum::{
    Form,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// One choice of a select: id, word, whether it is chosen.
pub type Choice = (String, String, bool);

#[derive(Template)]
#[template(path = "runs/edit.html")]
struct EditPage {
    page: Page,
    case: CaseFile,
    /// Label of the run being corrected; `None` for a new one.
    run: Option<String>,
    typed: Typed,
    faults: Faults,
    roles: Vec<Choice>,
    phases: Vec<Choice>,
    profiled: Vec<Choice>,
    contracts: Vec<Choice>,
    classes: Vec<Choice>,
    bands: Vec<Choice>,
    /// Run whose facts are shown with their sources, and those facts.
    known: Option<(String, Vec<FactView>)>,
}

fn edit_page(
    page: Page,
    case: CaseFile,
    run: Option<String>,
    typed: Typed,
    faults: Faults,
) -> EditPage {
    let choose = |prefix: &str, ids: Vec<&'static str>, chosen: &str| -> Vec<Choice> {
        ids.into_iter()
            .map(|id| (id.to_owned(), page.t(&say::key(prefix, id)), id == chosen))
            .collect()
    };
    let about = match &run {
        Some(label) => case.runs.iter().find(|r| r.label() == *label),
        None => case.runs.last(),
    };
    let known = about.map(|r| {
        let effective = environment::of_run(&case, r);
        (r.label(), shown::facts(&page, &effective))
    });
    let names = |names: Vec<String>, chosen: &str, none: &str| -> Vec<Choice> {
        let mut all = vec![(String::new(), page.t(none), chosen.is_empty())];
        all.extend(names.into_iter().map(|n| {
            let is = n == chosen;
            (n.clone(), n, is)
        }));
        all
    };
    let terms = case.contract.as_ref().map(|c| &c.terms);
    let class_names = terms.map_or_else(
        || case.classes.clone(),
        |t| t.classes.iter().map(|c| c.name.clone()).collect(),
    );
    let band_names = terms.map_or_else(Vec::new, |t| {
        t.bands.iter().map(|b| b.name.clone()).collect()
    });
    let mut contracts = vec![(
        String::new(),
        page.t("run-contract-none"),
        typed.contract.is_empty(),
    )];
    if let Some(c) = &case.contract {
        let id = c.id.to_string();
        let chosen = id == typed.contract;
        contracts.push((id, format!("{} v{}", c.contract_name, c.number), chosen));
    }
    EditPage {
        known,
        roles: choose(
            "role-run",
            RunRole::ALL.iter().map(|r| r.id()).collect(),
            &typed.role,
        ),
        phases: choose(
            "phase",
            Phase::ALL.iter().map(|p| p.id()).collect(),
            &typed.phase,
        ),
        profiled: choose(
            "profiled",
            Profiled::ALL.iter().map(|p| p.id()).collect(),
            &typed.profiled,
        ),
        contracts,
        classes: names(class_names, &typed.class, "run-class-all"),
        bands: names(band_names, &typed.band, "run-band-none"),
        page: page.at(Nav::Cases),
        case,
        run,
        typed,
        faults,
    }
}

/// `GET /cases/{c}/runs/new`
pub async fn new(
    State(app): State<App>,
    Path(label): Path<String>,
    Query(asked): Query<Asked>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::AttachEvidence)?;
    let case = load(&app, &reader, &label).await?;
    open(&case)?;
    let typed = Typed::fresh(&case, &asked);
    show(&edit_page(page, case, None, typed, Faults::default()))
}

/// `POST /cases/{c}/runs`
pub async fn create(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::AttachEvidence)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &label).await?;
    let (stated, faults) = typed.parse(&case, &page, false);
    if !faults.is_empty() {
        return show_with(
            StatusCode::UNPROCESSABLE_ENTITY,
            &edit_page(page, case, None, typed, faults),
        );
    }
    let who = actor(&reader, &visit, role);
    let (_, number) = runs::create(&mut tx, &who, case.id, &stated, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/cases/{label}/runs/R-{number}/evidence")).into_response())
}

/// `GET /cases/{c}/runs/{run}/edit`
pub async fn edit(
    State(app): State<App>,
    Path((label, run)): Path<(String, String)>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::AttachEvidence)?;
    let case = load(&app, &reader, &label).await?;
    open(&case)?;
    let found = run_of(&case, &run)?;
    let typed = Typed::of(&found.stated, found.statement_number);
    show(&edit_page(page, case, Some(run), typed, Faults::default()))
}

/// `POST /cases/{c}/runs/{run}`: a new statement about the run; the old one is kept.
pub async fn correct(
    State(app): State<App>,
    Path((label, run)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Merged(typed): Merged<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::AttachEvidence)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &label).await?;
    let (id, number) = {
        let found = run_of(&case, &run)?;
        (found.id, found.statement_number)
    };
    if number != typed.statement {
        return conflict(&mut tx, page, &case, (&run, id), &typed).await;
    }
    let (stated, faults) = typed.parse(&case, &page, true);
    if !faults.is_empty() {
        let back = edit_page(page, case, Some(run), typed, faults);
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    }
    let who = actor(&reader, &visit, role);
    runs::correct(
        &mut tx,
        &who,
        case.id,
        id,
        typed.statement,
        &stated,
        &typed.reason,
        visit.now,
    )
    .await?;
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(Redirect::to(&format!("/cases/{label}/runs/{run}")).into_response())
}

/// Somebody corrected the run meanwhile.
async fn conflict(
    conn: &mut PgConnection,
    page: Page,
    case: &CaseFile,
    (label, id): (&str, Uuid),
    mine: &Typed,
) -> Result<Response> {
    let now = run_of(case, label)?;
    let base = match runs::statement(conn, case.id, id, mine.statement).await {
        Ok(stated) => Some(Typed::of(&stated, mine.statement)),
        Err(store::Error::NotFound) => None,
        Err(other) => return Err(other.into()),
    };
    let theirs = Typed::of(&now.stated, now.statement_number);
    let of_case = format!("/cases/{}", case.label());
    let path = format!("{of_case}/runs/{label}");
    let conflict = Conflict {
        title: page.t1("run-correct-title", "run", label),
        crumbs: vec![
            (page.t("nav-cases"), "/cases".to_owned()),
            (case.label(), of_case),
            (label.to_owned(), path.clone()),
        ],
        action: path.clone(),
        back: path,
        hidden: vec![
            ("statement".to_owned(), now.statement_number.to_string()),
            ("reason".to_owned(), mine.reason.clone()),
        ],
        yours: mine.parts(case, &page),
        theirs: theirs.parts(case, &page),
        base: base.map(|b| b.parts(case, &page)),
        by: Some((case.name_of(now.by), now.at)),
    };
    conflict::show(page.at(Nav::Cases), conflict)
}
