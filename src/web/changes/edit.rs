//! Drafting a change, and editing one: a submitted revision stays as it is and the next one is
//! begun.

use super::form::Typed;
use super::plan::{Offered, Watcher};
use super::thresholds::{self, Choice, Shown};
use super::{case_of, change_of, load, locked, open, parts, path, terms, to};
use crate::ladder::CaseFile;
use crate::ladder::change::{Change, ChangeState, Terms, Threshold};
use crate::ladder::policy::{Act, Role};
use crate::store::{changes, people, sections};
use crate::web::conflict::{self, Conflict, Merged};
use crate::web::page::{Nav, show, show_with};
use crate::web::{App, Error, Page, Reader, Result, form::Faults, say, visit::Visit};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use axum_extra::extract::Form;
use pel_evidence::catalogue;
use sqlx::PgConnection;

#[derive(Template)]
#[template(path = "changes/edit.html")]
struct EditPage {
    page: Page,
    case: CaseFile,
    /// Label and number of the revision being edited; `None` for a new change.
    change: Option<(String, i32)>,
    /// Whether saving begins a new revision.
    next: bool,
    typed: Typed,
    faults: Faults,
    settings: Vec<(String, String)>,
    signals: Vec<Choice>,
    offered: Offered,
    rows: Vec<Shown>,
}

impl EditPage {
    fn lower(&self) -> bool {
        self.typed.direction != "higher"
    }

    fn action(&self) -> String {
        match &self.change {
            Some((change, _)) => format!("{}/edit", path(&self.case.label(), change)),
            None => format!("/cases/{}/changes", self.case.label()),
        }
    }
}

/// People who may watch a canary.
async fn watchers(conn: &mut PgConnection) -> Result<Vec<Watcher>> {
    let may_watch = [Role::Responder, Role::Reviewer, Role::Manager];
    Ok(people::list(conn)
        .await?
        .into_iter()
        .filter(|p| p.deactivated_at.is_none() && p.roles.iter().any(|r| may_watch.contains(r)))
        .map(|p| (p.id, p.name))
        .collect())
}

async fn edit_page(
    app: &App,
    page: Page,
    case: CaseFile,
    change: Option<(&str, i32, bool)>,
    before: &[Threshold],
    (typed, faults): (Typed, Faults),
) -> Result<EditPage> {
    let people = watchers(&mut *app.conn().await?).await?;
    let mut signals = vec![(
        String::new(),
        page.t("change-no-signal"),
        typed.expected_signal.is_empty(),
    )];
    signals.extend(catalogue::ALL.iter().map(|d| {
        let words = format!(
            "{} · {}",
            d.stage.number(),
            say::signal_name(page.lang, d.name)
        );
        (d.name.to_owned(), words, d.name == typed.expected_signal)
    }));
    Ok(EditPage {
        rows: thresholds::shown(&page, case.contract.as_ref(), before, typed.rows()),
        settings: Typed::settings(&case),
        signals,
        offered: Offered::of(
            &page,
            &typed,
            case.contract.as_ref(),
            &people,
            &case.templates,
        ),
        next: change.is_some_and(|c| c.2),
        change: change.map(|(label, number, _)| (label.to_owned(), number)),
        page: page.at(Nav::Cases),
        case,
        typed,
        faults,
    })
}

/// `GET /cases/{c}/changes/new`
pub async fn new(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::Change)?;
    let case = load(&app, &reader, &label).await?;
    open(&case)?;
    let typed = Typed::fresh(&case);
    show(&edit_page(&app, page, case, None, &[], (typed, Faults::default())).await?)
}

/// `POST /cases/{c}/changes`
pub async fn create(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(mut typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Change)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &label).await?;
    typed.fill_old(&case);
    let people = watchers(&mut tx).await?;
    let (terms, faults) = terms::parse(&typed, case.contract.as_ref(), &[], &people, &page);
    if !faults.is_empty() {
        drop(tx);
        let page = edit_page(&app, page, case, None, &[], (typed, faults)).await?;
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    }
    let actor = reader.actor(&visit, Some(role));
    let (_, number) = changes::draft(&mut tx, &actor, case.id, &terms, visit.now).await?;
    app.commit(tx).await?;
    Ok(to(&path(&label, &format!("CH-{number}"))))
}

/// Whether the change may still be edited: before its canary.
pub fn editable(state: ChangeState) -> bool {
    matches!(
        state,
        ChangeState::Draft | ChangeState::Submitted | ChangeState::ApprovedForCanary
    )
}

/// `GET /cases/{c}/changes/{h}/edit`
pub async fn edit(
    State(app): State<App>,
    Path((label, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::Change)?;
    let mut conn = app.conn().await?;
    let case = case_of(&mut conn, &reader, &label).await?;
    drop(conn);
    open(&case)?;
    let change = change_of(&case, &h)?.clone();
    if !editable(change.state) {
        return Err(Error::Conflict);
    }
    let revision = change.current().ok_or(Error::NotFound)?;
    let typed = Typed::of(&change, &revision.terms);
    let about = (h.as_str(), revision.number, revision.submitted_at.is_some());
    let before = &revision.terms.thresholds;
    show(
        &edit_page(
            &app,
            page,
            case,
            Some(about),
            before,
            (typed, Faults::default()),
        )
        .await?,
    )
}

/// `POST /cases/{c}/changes/{h}/edit`
pub async fn save(
    State(app): State<App>,
    Path((label, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Merged(mut typed): Merged<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Change)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &label).await?;
    typed.fill_old(&case);
    let change = change_of(&case, &h)?.clone();
    if !editable(change.state) {
        return Err(Error::Conflict);
    }
    let revision = change.current().ok_or(Error::NotFound)?;
    let before = &revision.terms.thresholds;
    if change.version != typed.version {
        return conflict(&mut tx, page, &case, &change, &typed).await;
    }
    let people = watchers(&mut tx).await?;
    let version = case.contract.as_ref();
    let (terms, faults) = terms::parse(&typed, version, before, &people, &page);
    if !faults.is_empty() {
        drop(tx);
        let about = (h.as_str(), revision.number, revision.submitted_at.is_some());
        let page = edit_page(&app, page, case, Some(about), before, (typed, faults)).await?;
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    }
    if terms != revision.terms {
        let actor = reader.actor(&visit, Some(role));
        changes::revise(
            &mut tx,
            &actor,
            case.id,
            change.id,
            change.version,
            &terms,
            visit.now,
        )
        .await?;
    }
    app.commit(tx).await?;
    Ok(to(&path(&label, &h)))
}

/// Somebody saved, submitted or otherwise moved the change meanwhile.
async fn conflict(
    conn: &mut PgConnection,
    page: Page,
    case: &CaseFile,
    change: &Change,
    mine: &Typed,
) -> Result<Response> {
    let of = sections::Section::Change;
    let since = sections::since(conn, of, change.id, mine.version).await?;
    let now = &change.current().ok_or(Error::NotFound)?.terms;
    let past = since
        .as_ref()
        .map(|s| serde_json::from_value::<Terms>(s.base.clone()))
        .transpose()
        .map_err(Error::internal)?;
    // The terms were not touched, the change itself moved: both began with what it says now.
    let base = past.as_ref().unwrap_or(now);
    let parts_of = |typed: &Typed, kept: &Terms| {
        parts::of(typed, &kept.thresholds, &now.thresholds, case, &page)
    };
    let label = change.label();
    let path = path(&case.label(), &label);
    let hidden = ("version".to_owned(), change.version.to_string());
    let conflict = Conflict {
        title: format!("{label} · {}", page.t("change-edit")),
        crumbs: vec![
            (page.t("nav-cases"), "/cases".to_owned()),
            (case.label(), format!("/cases/{}", case.label())),
            (label, path.clone()),
        ],
        action: format!("{path}/edit"),
        back: path,
        hidden: vec![hidden],
        yours: parts_of(mine, base),
        theirs: parts_of(&Typed::of(change, now), now),
        base: Some(parts_of(&Typed::of(change, base), base)),
        by: since.map(|s| (s.by, s.at)),
    };
    conflict::show(page.at(Nav::Cases), conflict)
}
