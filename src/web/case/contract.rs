//! `/cases/{c}/contract`: pin the published contract version that the case is judged by, and let
//! one with loosened limits count, which takes a reviewer from outside the case.

use crate::{
    ladder::{CaseFile, contributor, loosening, policy::Act},
    store::{cases, contracts, sections, standing},
    web::{
        App, Error, Page, Reader, Result,
        conflict::{self, Conflict, Merged, Part},
        form::{Faults, visible},
        page::{self, Nav},
        say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    Form,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use serde::Deserialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// Fewest characters of the reason for letting a loosened contract count.
const CONSENT_LEAST: usize = 20;

/// The form.
#[derive(Debug, Deserialize)]
pub struct Input {
    #[serde(default)]
    version: i32,
    #[serde(default)]
    contract_version: Option<Uuid>,
}

#[derive(Template)]
#[template(path = "case/contract.html")]
struct Shown {
    page: Page,
    label: String,
    path: String,
    service: String,
    version: i32,
    /// Published versions of the service: id, name, whether pinned now.
    versions: Vec<(Uuid, String, bool)>,
    /// What is pinned now: its name and id.
    pinned: Option<String>,
    pinned_id: Uuid,
    can_draft: bool,
    can_pin: bool,
    /// Limits that became looser while the case was open.
    loosened: Vec<String>,
    /// Who let them count, when somebody did.
    consented: Option<String>,
    /// Whether the reader may let them count, or who may.
    may_consent: bool,
    who: String,
    reason: String,
    faults: Faults,
}

fn shown(page: Page, case: &CaseFile, versions: Vec<(Uuid, String)>) -> Shown {
    let pinned = case.contract.as_ref();
    Shown {
        label: case.label(),
        path: super::path(case),
        service: case.service.1.clone(),
        version: case.contract_link_version,
        versions: versions
            .into_iter()
            .map(|(id, name)| (id, name, pinned.is_some_and(|v| v.id == id)))
            .collect(),
        pinned: pinned.map(|v| format!("{} v{}", v.contract_name, v.number)),
        pinned_id: pinned.map(|v| v.id).unwrap_or_default(),
        can_draft: page.can(Act::DraftContract),
        can_pin: super::open_to(&page, case, Act::Investigate),
        loosened: loosening::of(case)
            .iter()
            .map(|l| say::sentence(page.lang, &l.said()))
            .collect(),
        consented: loosening::consented(case).map(|s| say::sentence(page.lang, &s)),
        may_consent: page.reader.as_ref().is_some_and(|r| {
            super::open_to(&page, case, Act::Review) && contributor::may_consent(case, r.id).is_ok()
        }),
        who: say::sentence(page.lang, &contributor::who_may_consent(case)),
        reason: String::new(),
        faults: Faults::default(),
        page: page.at(Nav::Cases),
    }
}

/// `GET /cases/{c}/contract`.
///
/// # Errors
/// Forbidden or not found.
pub async fn get(
    State(app): State<App>,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    let case = super::load(&mut conn, &reader, &label).await?;
    let versions = contracts::pinnable(&mut conn, case.service.0).await?;
    page::show(&shown(page, &case, versions))
}

/// `POST /cases/{c}/contract`.
///
/// # Errors
/// Forbidden, not found, or a conflict when the case or the version moved on.
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
    let Some(id) = input.contract_version else {
        let versions = contracts::pinnable(&mut tx, case.service.0).await?;
        let mut back = shown(page, &case, versions);
        back.faults.add(
            "contract_version",
            back.page.t("case-fault-contract-choose"),
        );
        return page::show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    };
    if input.version != case.contract_link_version {
        return conflict(&mut tx, page, &case, (input.version, id)).await;
    }
    let actor = reader.actor(&visit, Some(role));
    cases::pin_contract(&mut tx, &actor, case.id, input.version, id, visit.now).await?;
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(Redirect::to(&format!("{}#contract", super::path(&case))).into_response())
}

/// The form that lets a version with loosened limits count.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Word {
    contract_version: Uuid,
    reason: String,
}

/// `POST /cases/{c}/contract/consent`, by a reviewer who contributed to nothing in the case.
///
/// # Errors
/// Forbidden, not found, or a conflict when another version is pinned by now or nothing of it is
/// looser.
pub async fn consent(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Form(word): Form<Word>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    reader.recent(&visit)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    let pinned = case.contract.as_ref().map(|v| v.id);
    if pinned != Some(word.contract_version) || loosening::of(&case).is_empty() {
        return Err(Error::Conflict);
    }
    let mut faults = Faults::default();
    let mut status = StatusCode::UNPROCESSABLE_ENTITY;
    if let Err(why) = contributor::may_consent(&case, reader.id) {
        faults.add("loosened", say::sentence(page.lang, &why));
        status = StatusCode::FORBIDDEN;
    } else if visible(&word.reason) < CONSENT_LEAST {
        faults.add(
            "reason",
            page.t1("case-fault-reason", "least", CONSENT_LEAST),
        );
    }
    if !faults.is_empty() {
        let versions = contracts::pinnable(&mut tx, case.service.0).await?;
        let mut back = shown(page, &case, versions);
        (back.faults, back.reason) = (faults, word.reason);
        return page::show_with(status, &back);
    }
    let actor = reader.actor(&visit, Some(role));
    standing::consent(
        &mut tx,
        &actor,
        case.id,
        word.contract_version,
        &word.reason,
        visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("{}#gate", super::path(&case))).into_response())
}

/// Somebody pinned another version meanwhile: which of the two is it to be?
async fn conflict(
    conn: &mut PgConnection,
    page: Page,
    case: &CaseFile,
    (version, mine): (i32, Uuid),
) -> Result<Response> {
    let of = sections::Section::ContractLink;
    let since = sections::since(conn, of, case.id, version).await?;
    let base = since
        .as_ref()
        .map(|s| serde_json::from_value::<Option<Uuid>>(s.base.clone()))
        .transpose()
        .map_err(Error::internal)?;
    let theirs = case.contract.as_ref().map(|v| v.id);
    let ids: Vec<Uuid> = [Some(mine), theirs, base.flatten()]
        .into_iter()
        .flatten()
        .collect();
    let names = contracts::version_names(conn, &ids).await?;
    let part = |id: Option<Uuid>| {
        let name = names.iter().find(|(known, _)| Some(*known) == id);
        let word = name.map_or_else(|| page.t("case-pin-nothing"), |(_, name)| name.clone());
        let value = id.map_or_else(String::new, |id| id.to_string());
        let label = page.t1("case-pin-versions", "service", &case.service.1);
        vec![Part::choice("contract_version", label, &value, word)]
    };
    let path = super::path(case);
    let version = case.contract_link_version.to_string();
    let conflict = Conflict {
        title: page.t("case-do-pin-contract"),
        crumbs: super::crumbs(&page, case),
        action: format!("{path}/contract"),
        back: format!("{path}#contract"),
        hidden: vec![("version".to_owned(), version)],
        yours: part(Some(mine)),
        theirs: part(theirs),
        base: base.map(part),
        by: since.map(|s| (s.by, s.at)),
    };
    conflict::show(page.at(Nav::Cases), conflict)
}
