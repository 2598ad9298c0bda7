//! Cases written out and read back: an export of one's own, and imported ones to look at. An
//! imported case is history and has no form on its page.

use super::{
    App, Error, Page, Reader, Result,
    form::Faults,
    page::{Nav, show_with},
    paging::{self, ROWS},
    say,
    visit::Visit,
};
use crate::{
    ladder::{
        evidence::Evidence,
        history::{Content, Exported},
        policy::Act,
        run::Run,
    },
    store::history::{self, Listed},
};
use askama::Template;
use axum::{
    Json,
    body::Bytes,
    extract::{Multipart, Path, Query, State, multipart::MultipartRejection},
    http::{StatusCode, header},
    response::{IntoResponse as _, Redirect, Response},
};
use serde::Deserialize;
use uuid::Uuid;

/// Largest file that may be imported, bytes.
pub const MOST_BYTES: usize = 64 * 1024 * 1024;

/// `GET /cases/{case}/export.json`
///
/// # Errors
/// Not found, or the reader may not read cases.
pub async fn export(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(label): Path<String>,
) -> Result<Response> {
    let role = reader.may(Act::Read)?;
    let mut tx = app.begin().await?;
    let case = super::case::load(&mut tx, &reader, &label).await?;
    let actor = reader.actor(&visit, Some(role));
    let file = history::export(&mut tx, &actor, case.id, app.version, visit.now).await?;
    app.commit(tx).await?;
    let name = format!("attachment; filename=\"{}.pel.json\"", case.label());
    Ok(([(header::CONTENT_DISPOSITION, name)], Json(file)).into_response())
}

/// What the address says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    before: String,
}

#[derive(Template)]
#[template(path = "history/list.html")]
struct List {
    page: Page,
    cases: Vec<Listed>,
    next: Option<String>,
    faults: Faults,
}

impl List {
    fn may_import(&self) -> bool {
        self.page.can(Act::OpenCase)
    }
}

async fn listed(app: &App, visit: &Visit, before: &str, faults: Faults) -> Result<Response> {
    let mut conn = app.conn().await?;
    let limit = i64::try_from(ROWS).unwrap_or(i64::MAX).saturating_add(1);
    let mut cases = history::list(&mut conn, paging::place(Some(before)), limit).await?;
    let next = paging::cut(&mut cases, |c| paging::key((c.at, c.id)))
        .map(|place| paging::link("/history", &[("before", &place)]));
    let status = match faults.all().is_empty() {
        true => StatusCode::OK,
        false => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let page = Page::of(app, visit).at(Nav::Cases);
    show_with(
        status,
        &List {
            page,
            cases,
            next,
            faults,
        },
    )
}

/// `GET /history`
///
/// # Errors
/// When the reader may not read cases.
pub async fn list(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    listed(&app, &visit, &asked.before, Faults::default()).await
}

/// `POST /history`
///
/// # Errors
/// When the reader may not open cases.
pub async fn import(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    form: std::result::Result<Multipart, MultipartRejection>,
) -> Result<Response> {
    let role = reader.may(Act::OpenCase)?;
    let page = Page::of(&app, &visit);
    let refuse = |said: String| {
        let mut faults = Faults::default();
        faults.add("file", said);
        faults
    };
    let file = match posted(form.ok()).await {
        Some(bytes) if !bytes.is_empty() => bytes,
        _ => {
            let faults = refuse(page.t("history-no-file"));
            return listed(&app, &visit, "", faults).await;
        }
    };
    // Reading a large file takes a while: not on a thread that answers others.
    let read = tokio::task::spawn_blocking(move || Exported::read(&file))
        .await
        .map_err(|e| Error::internal(e.to_string()))?;
    let (file, content) = match read {
        Ok(found) => found,
        Err(why) => {
            let faults = refuse(say::sentence(page.lang, &why));
            return listed(&app, &visit, "", faults).await;
        }
    };
    let mut tx = app.begin().await?;
    let actor = reader.actor(&visit, Some(role));
    let id = history::import(&mut tx, &actor, &file, &content, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("/history/{id}")).into_response())
}

/// The bytes of the field `file`.
async fn posted(form: Option<Multipart>) -> Option<Bytes> {
    let mut form = form?;
    while let Ok(Some(field)) = form.next_field().await {
        if field.name() == Some("file") {
            return field.bytes().await.ok();
        }
    }
    None
}

#[derive(Template)]
#[template(path = "history/show.html")]
struct Shown {
    page: Page,
    listed: Listed,
    content: Content,
    sha256: String,
}

impl Shown {
    fn word(&self, kind: &str, id: &str) -> String {
        self.page.t(&say::key(kind, id))
    }

    fn statement(&self, run: &Run) -> String {
        let s = &run.stated;
        [
            self.word("role-run", s.role.id()),
            self.word("phase", s.phase.id()),
            self.word("profiled", s.profiled.id()),
        ]
        .join(" · ")
    }

    fn run_of(&self, item: &Evidence) -> String {
        let run = self.content.case.run(item.run_id);
        run.map_or_else(String::new, Run::label)
    }

    fn contract(&self) -> Option<String> {
        let version = self.content.case.contract.as_ref()?;
        Some(format!("{} v{}", version.contract_name, version.number))
    }
}

/// `GET /history/{id}`
///
/// # Errors
/// Not found.
pub async fn show(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    let (listed, content, sha256) = history::get(&mut conn, id).await?;
    super::page::show(&Shown {
        page: Page::of(&app, &visit).at(Nav::Cases),
        listed,
        content,
        sha256,
    })
}
