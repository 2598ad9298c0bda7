//! The form for a new contract and for a draft. A draft may be saved with anything missing; only
//! what does not read comes back.

use super::{
    sheet::{MOST_ROWS, Row, Sheet},
    sheet_read,
    signals::{self, Stage},
};
use crate::{
    ladder::{
        contract::{Comparator, Terms, VersionState},
        policy::Act,
    },
    store::{
        self, contracts, sections,
        services::{self, Service},
    },
    web::{
        App, Error, Page, Reader, Result,
        conflict::{self, Conflict, Merged},
        form::{self, Faults},
        page::{Nav, show_with},
        services::is_name,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use axum_extra::extract::Form;
use pel_evidence::catalogue;
use serde::Deserialize;
use std::collections::BTreeSet;
use uuid::Uuid;

/// How many rows the button adds to each table beyond the usual empty ones.
const MORE: usize = 3;

/// The contract a draft belongs to.
struct Existing {
    id: Uuid,
    name: String,
    service: String,
    number: i32,
    row_version: i32,
}

#[derive(Template)]
#[template(path = "contracts/edit.html")]
struct Edit {
    page: Page,
    existing: Option<Existing>,
    /// For a new contract.
    services: Vec<Service>,
    form_key: Uuid,
    sheet: Sheet,
    faults: Faults,
}

impl Edit {
    fn action(&self) -> String {
        match &self.existing {
            Some(e) => format!("/contracts/{}/edit", e.id),
            None => "/contracts".to_owned(),
        }
    }

    fn stages(&self) -> Vec<Stage> {
        signals::by_stage(self.page.lang, |_| true)
    }

    fn acceptance_signals(&self) -> Vec<(&'static str, String)> {
        let stages = signals::by_stage(self.page.lang, |d| d.role == catalogue::Role::Acceptance);
        stages.into_iter().flat_map(|s| s.signals).collect()
    }

    fn statistics(&self) -> Vec<(String, String)> {
        signals::statistics(self.page.lang)
    }

    fn units(&self) -> Vec<&'static str> {
        signals::units()
    }

    fn sides(&self) -> [(&'static str, &'static str); 2] {
        [Comparator::AtMost, Comparator::AtLeast].map(|c| (c.id(), c.sign()))
    }

    /// The statistic of a row when the list does not offer it: it stays as it is.
    fn own_statistic(&self, row: &Row) -> Option<String> {
        let own = row.get("statistic");
        let offered = self.statistics().iter().any(|(id, _)| id == own);
        (!own.is_empty() && !offered).then(|| own.to_owned())
    }

    fn class_names(&self) -> BTreeSet<&str> {
        names(&self.sheet.classes, &self.own_service_classes())
            .into_iter()
            .collect()
    }

    fn band_names(&self) -> BTreeSet<&str> {
        names(&self.sheet.bands, &[]).into_iter().collect()
    }

    fn own_service_classes(&self) -> Vec<&str> {
        let chosen = self.sheet.get("service");
        let service = self.services.iter().find(|s| s.id.to_string() == chosen);
        service.map_or_else(Vec::new, |s| s.classes.iter().map(String::as_str).collect())
    }

    fn is_service(&self, service: &Service) -> bool {
        self.sheet.is("service", &service.id.to_string())
    }

    fn field(&self, table: &str, i: &usize, name: &str) -> String {
        format!("{table}-{i}-{name}")
    }

    /// `Limit row 1: unit`, for those who do not see the table.
    fn cell(&self, i: &usize, key: &str) -> String {
        let what = self.page.t(key);
        self.page.t2("contracts-cell", "row", i + 1, "what", what)
    }

    fn class_word(&self, name: &str) -> &'static str {
        if name == "name" {
            "contracts-class"
        } else {
            "contracts-description"
        }
    }

    fn band_word(&self, name: &str) -> &'static str {
        match name {
            "min" => "contracts-least",
            "max" => "contracts-most",
            _ => "contracts-band",
        }
    }

    fn ranges(&self) -> [(&'static str, &'static str); 6] {
        [
            ("arrival", "contracts-arrival"),
            ("prompt", "contracts-prompt"),
            ("output", "contracts-output"),
            ("prompt_p95", "contracts-prompt-p95"),
            ("output_p95", "contracts-output-p95"),
            ("concurrency", "contracts-concurrency"),
        ]
    }
}

fn names<'a>(rows: &'a [Row], more: &[&'a str]) -> Vec<&'a str> {
    let own = rows.iter().map(|r| r.get("name"));
    own.chain(more.iter().copied())
        .filter(|n| !n.is_empty())
        .collect()
}

/// The service a new contract begins with.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Begin {
    service: String,
}

/// `GET /contracts/new`
///
/// # Errors
/// When the reader may not draft contracts.
pub async fn new(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Query(begin): Query<Begin>,
) -> Result<Response> {
    reader.may(Act::DraftContract)?;
    let services = services::list(&mut *app.conn().await?).await?;
    let mut sheet = Sheet::default();
    sheet.set("acceptance_signal", "acceptance_rate");
    let chosen = match services.as_slice() {
        [only] => Some(only),
        all => all.iter().find(|s| s.id.to_string() == begin.service),
    };
    if let Some(service) = chosen {
        sheet.set("service", service.id.to_string());
        sheet.add_classes(&service.classes);
    }
    let edit = Edit {
        page: Page::of(&app, &visit).at(Nav::Contracts),
        existing: None,
        services,
        form_key: form::new_key(),
        sheet: sheet.with_blank_rows(0),
        faults: Faults::default(),
    };
    show_with(StatusCode::OK, &edit)
}

type Pairs = Vec<(String, String)>;

/// Whether the button that adds rows sent the form.
fn wants_rows(sheet: &Sheet) -> bool {
    sheet.is("act", "rows")
}

/// `POST /contracts`
///
/// # Errors
/// When the reader may not draft contracts.
pub async fn create(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Form(pairs): Form<Pairs>,
) -> Result<Response> {
    let role = reader.may(Act::DraftContract)?;
    let sheet = Sheet::sent(&pairs);
    let page = Page::of(&app, &visit).at(Nav::Contracts);
    let services = services::list(&mut *app.conn().await?).await?;
    let key = form::key(sheet.get("form_key").parse().ok());
    let mut edit = Edit {
        existing: None,
        services,
        form_key: key,
        sheet,
        faults: Faults::default(),
        page,
    };
    if wants_rows(&edit.sheet) {
        return back(edit, StatusCode::OK, MORE);
    }
    let mut faults = Faults::default();
    let service = edit.services.iter().find(|s| edit.is_service(s));
    let service = service.map(|s| s.id);
    if service.is_none() {
        faults.add("service", edit.page.t("cases-new-service-fault"));
    }
    let name = edit.sheet.get("name").to_owned();
    if !is_name(&name) {
        faults.add("name", edit.page.t("services-name-fault"));
    }
    let terms = sheet_read::terms(&edit.page, &edit.sheet, &mut faults);
    let Some(service) = service.filter(|_| faults.is_empty()) else {
        edit.faults = faults;
        return back(edit, StatusCode::UNPROCESSABLE_ENTITY, 0);
    };
    let actor = reader.actor(&visit, Some(role));
    let mut tx = app.begin().await?;
    let fields: Vec<(&str, &str)> = pairs
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    if let Some(path) =
        form::claim(&mut tx, (key, &reader), "contract.create", &fields, &visit).await?
    {
        return Ok(Redirect::to(&path).into_response());
    }
    match contracts::create(&mut tx, &actor, service, &name, &terms, visit.now).await {
        Ok(id) => {
            let path = format!("/contracts/{id}");
            form::finish(&mut tx, (key, &reader), &path, &visit).await?;
            app.commit(tx).await?;
            Ok(Redirect::to(&path).into_response())
        }
        Err(store::Error::Refused { constraint, .. }) if constraint == "contract_name" => {
            edit.faults.add("name", edit.page.t("contracts-name-taken"));
            back(edit, StatusCode::UNPROCESSABLE_ENTITY, 0)
        }
        Err(other) => Err(other.into()),
    }
}

/// The form once more, with what was typed.
fn back(mut edit: Edit, status: StatusCode, more: usize) -> Result<Response> {
    debug_assert!(
        edit.sheet.limits.len() <= MOST_ROWS,
        "the sheet takes no more"
    );
    edit.sheet = std::mem::take(&mut edit.sheet).with_blank_rows(more);
    show_with(status, &edit)
}

/// The contract and its draft, or `None` when there is no draft.
async fn draft(app: &App, id: Uuid) -> Result<Option<contracts::VersionRow>> {
    let versions = contracts::versions(&mut *app.conn().await?, id).await?;
    Ok(versions
        .into_iter()
        .find(|v| v.version.state == VersionState::Draft))
}

fn existing(id: Uuid, draft: &contracts::VersionRow) -> Existing {
    Existing {
        id,
        name: draft.version.contract_name.clone(),
        service: draft.service_name.clone(),
        number: draft.version.number,
        row_version: draft.row_version,
    }
}

fn edit_page(app: &App, visit: &Visit, existing: Existing, sheet: Sheet) -> Edit {
    Edit {
        page: Page::of(app, visit).at(Nav::Contracts),
        existing: Some(existing),
        services: Vec::new(),
        form_key: form::new_key(),
        sheet,
        faults: Faults::default(),
    }
}

/// `GET /contracts/{id}/edit`; without a draft it leads to the contract.
///
/// # Errors
/// When the reader may not draft contracts, or there is no such contract.
pub async fn edit(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
) -> Result<Response> {
    reader.may(Act::DraftContract)?;
    let Some(draft) = draft(&app, id).await? else {
        return Ok(Redirect::to(&format!("/contracts/{id}")).into_response());
    };
    let lang = Page::of(&app, &visit).lang;
    let sheet = Sheet::of(&draft.version.terms, lang);
    let edit = edit_page(&app, &visit, existing(id, &draft), sheet);
    back(edit, StatusCode::OK, 0)
}

/// `POST /contracts/{id}/edit`. When somebody saved meanwhile, the page of two editors comes back.
///
/// # Errors
/// When the reader may not draft contracts, or there is no such draft.
pub async fn save(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Merged(pairs): Merged<Pairs>,
) -> Result<Response> {
    let role = reader.may(Act::DraftContract)?;
    let sheet = Sheet::sent(&pairs);
    let draft = draft(&app, id).await?.ok_or(Error::Conflict)?;
    let read = sheet.get("row_version").parse().unwrap_or_default();
    let mut edit = edit_page(&app, &visit, existing(id, &draft), sheet);
    if wants_rows(&edit.sheet) {
        if let Some(existing) = &mut edit.existing {
            existing.row_version = read;
        }
        return back(edit, StatusCode::OK, MORE);
    }
    let terms = sheet_read::terms(&edit.page, &edit.sheet, &mut edit.faults);
    if !edit.faults.is_empty() {
        if let Some(existing) = &mut edit.existing {
            existing.row_version = read;
        }
        return back(edit, StatusCode::UNPROCESSABLE_ENTITY, 0);
    }
    let actor = reader.actor(&visit, Some(role));
    let mut tx = app.begin().await?;
    match contracts::save_draft(&mut tx, &actor, id, read, &terms, visit.now).await {
        Ok(()) => {
            app.commit(tx).await?;
            let path = format!("/contracts/{id}?version={}", draft.version.number);
            Ok(Redirect::to(&path).into_response())
        }
        Err(store::Error::Conflict) => {
            drop(tx);
            conflict(&app, edit, id, read).await
        }
        Err(other) => Err(other.into()),
    }
}

/// Somebody saved the draft meanwhile, as read at row version `read`.
async fn conflict(app: &App, edit: Edit, id: Uuid, read: i32) -> Result<Response> {
    let mut conn = app.conn().await?;
    let versions = contracts::versions(&mut conn, id).await?;
    // Published meanwhile: there is no draft that could take the words.
    let draft = versions
        .into_iter()
        .find(|v| v.version.state == VersionState::Draft)
        .ok_or(Error::Conflict)?;
    let of = sections::Section::ContractDraft;
    let since = sections::since(&mut conn, of, draft.version.id, read).await?;
    let base = since
        .as_ref()
        .map(|s| serde_json::from_value::<Terms>(s.base.clone()))
        .transpose()
        .map_err(Error::internal)?;
    let page = edit.page;
    let of = |terms: &Terms| Sheet::of(terms, page.lang).parts(&page);
    let name = draft.version.contract_name.clone();
    let title = page.t1("contracts-edit-title", "n", draft.version.number);
    let conflict = Conflict {
        title: format!("{name}, {title}"),
        crumbs: vec![
            (page.t("nav-contracts"), "/contracts".to_owned()),
            (name, format!("/contracts/{id}")),
        ],
        action: format!("/contracts/{id}/edit"),
        back: format!("/contracts/{id}?version={}", draft.version.number),
        hidden: vec![("row_version".to_owned(), draft.row_version.to_string())],
        yours: edit.sheet.parts(&page),
        theirs: of(&draft.version.terms),
        base: base.as_ref().map(of),
        by: since.map(|s| (s.by, s.at)),
    };
    conflict::show(page, conflict)
}
