//! One contract: what a version says, all its versions with who published them, and publishing.
//!
//! Publishing is confirmed here, next to what it would change: the problems that stand in the
//! way, the limits that became looser, the open cases it touches.

use super::words;
use crate::{
    ladder::{
        case,
        contract::{Compatibility, Limit, LimitPhase, Terms, VersionState},
        policy::Act,
    },
    store::{
        self, case_list,
        contracts::{self, VersionRow},
    },
    web::{
        App, Error, Page, Reader, Result,
        form::Faults,
        format,
        page::{Nav, show_with},
        say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::{Redirect, Response},
};
use serde::Deserialize;
use uuid::Uuid;

/// Which version to show; without it the published one, else the newest.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    version: String,
}

/// Something that stands in the way of publishing.
pub(super) struct Problem {
    /// Anchor on the form.
    pub field: String,
    pub text: String,
}

/// What publishing the draft would do.
pub(super) struct Publishing {
    pub number: i32,
    pub row_version: i32,
    pub problems: Vec<Problem>,
    /// The version it takes the place of, with how the draft relates to it.
    pub before: Option<(i32, Compatibility)>,
    loosened: Vec<String>,
    /// Labels of the open cases that pin this contract.
    cases: Vec<String>,
}

#[derive(Template)]
#[template(path = "contracts/show.html")]
pub(super) struct Contract {
    pub page: Page,
    id: Uuid,
    versions: Vec<VersionRow>,
    shown: VersionRow,
    publishing: Option<Publishing>,
    pub faults: Faults,
    pub label: String,
}

impl Contract {
    fn terms(&self) -> &Terms {
        &self.shown.version.terms
    }

    fn state(&self, state: &VersionState) -> String {
        self.page.t(&format!("contracts-state-{}", state.id()))
    }

    fn compatibility(&self, of: &Compatibility) -> String {
        self.page.t(compatibility_key(*of))
    }

    /// The label that was sent, or else the one that the comparison gives.
    fn is_chosen(&self, id: &str, computed: &Compatibility) -> bool {
        if self.label.is_empty() {
            compatibility_key(*computed).ends_with(id)
        } else {
            self.label == id
        }
    }

    fn is_shown(&self, row: &VersionRow) -> bool {
        row.version.id == self.shown.version.id
    }

    fn is_draft(&self, row: &VersionRow) -> bool {
        row.version.state == VersionState::Draft
    }

    fn shows_draft(&self) -> bool {
        self.is_draft(&self.shown)
    }

    fn has_draft(&self) -> bool {
        self.versions.iter().any(|v| self.is_draft(v))
    }

    fn is_in_force(&self) -> bool {
        self.shown.version.state == VersionState::Published
    }

    fn newest(&self) -> i32 {
        self.versions.first().map_or(0, |v| v.version.number)
    }

    fn may_draft(&self) -> bool {
        self.page.can(Act::DraftContract)
    }

    fn may_publish(&self) -> bool {
        self.page.can(Act::PublishContract)
    }

    /// Whether the page's main act is to publish.
    fn publishes(&self) -> bool {
        self.may_publish() && self.publishing.as_ref().is_some_and(Publishing::is_ready)
    }

    fn may_open(&self) -> bool {
        self.page.can(Act::OpenCase)
    }

    fn pairs(&self, part: &str) -> Vec<words::Line> {
        let mut lines = words::lines(&self.page, self.terms());
        lines.retain(|l| l.part == part);
        lines
    }

    fn what(&self, limit: &Limit) -> String {
        words::what(&self.page, limit)
    }

    fn bound(&self, limit: &Limit) -> String {
        words::bound(&self.page, limit)
    }

    fn phase(&self, limit: &Limit) -> String {
        self.page.t(match limit.phase {
            LimitPhase::Warm => "contracts-phase-warm",
            LimitPhase::Cold => "contracts-phase-cold",
        })
    }

    fn tolerated(&self, limit: &Limit) -> String {
        match self.terms().tolerated.get(&limit.id) {
            Some(share) => {
                format::value(self.page.lang, *share, crate::ladder::Unit::Ratio).to_string()
            }
            None => self.page.t("contracts-tolerated-policy"),
        }
    }

    fn samples(&self, limit: &Limit) -> String {
        let least = limit.min_samples.unwrap_or(self.terms().min_samples);
        self.page.count(least.max(limit.statistic.least_samples()))
    }
}

impl Publishing {
    fn is_ready(&self) -> bool {
        self.problems.is_empty()
    }

    fn is_material(&self) -> bool {
        matches!(self.before, Some((_, Compatibility::Material)))
    }
}

fn compatibility_key(of: Compatibility) -> &'static str {
    match of {
        Compatibility::Editorial => "contracts-editorial",
        Compatibility::Material => "contracts-material",
    }
}

/// `GET /contracts/{id}`
///
/// # Errors
/// When the reader may not read contracts, or there is no such contract or version.
pub async fn show(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let number = match asked.version.trim() {
        "" => None,
        text => Some(text.parse().map_err(|_| Error::NotFound)?),
    };
    let page = load(&app, &visit, id, number).await?;
    show_with(StatusCode::OK, &page)
}

pub(super) async fn load(
    app: &App,
    visit: &Visit,
    id: Uuid,
    number: Option<i32>,
) -> Result<Contract> {
    let page = Page::of(app, visit).at(Nav::Contracts);
    let mut conn = app.conn().await?;
    let versions = contracts::versions(&mut conn, id).await?;
    let shown = match number {
        Some(n) => versions.iter().find(|v| v.version.number == n),
        None => published(&versions).or(versions.first()),
    };
    let shown = shown.cloned().ok_or(Error::NotFound)?;
    let cases = case_list::open_under_contract(&mut conn, id).await?;
    let publishing = publishing(&page, &versions, &cases);
    Ok(Contract {
        page,
        id,
        versions,
        shown,
        publishing,
        faults: Faults::default(),
        label: String::new(),
    })
}

fn published(versions: &[VersionRow]) -> Option<&VersionRow> {
    versions
        .iter()
        .find(|v| v.version.state == VersionState::Published)
}

pub(super) fn publishing(
    page: &Page,
    versions: &[VersionRow],
    cases: &[i64],
) -> Option<Publishing> {
    let draft = versions
        .iter()
        .find(|v| v.version.state == VersionState::Draft)?;
    let terms = &draft.version.terms;
    let before = published(versions);
    let problems = terms
        .problems()
        .into_iter()
        .map(|(field, sentence)| Problem {
            field,
            text: say::sentence(page.lang, &sentence),
        });
    Some(Publishing {
        number: draft.version.number,
        row_version: draft.row_version,
        problems: problems.collect(),
        before: before.map(|b| (b.version.number, terms.compatibility(&b.version.terms))),
        loosened: before.map_or_else(Vec::new, |b| terms.loosened(&b.version.terms)),
        cases: cases.iter().map(|n| case::label(*n)).collect(),
    })
}

/// `POST /contracts/{id}/draft`: starts draft n+1, or goes to the one that is there.
///
/// # Errors
/// When the reader may not draft contracts, or there is no such contract.
pub async fn start_draft(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
) -> Result<Redirect> {
    let role = reader.may(Act::DraftContract)?;
    let actor = reader.actor(&visit, Some(role));
    let mut tx = app.begin().await?;
    match contracts::start_draft(&mut tx, &actor, id, visit.now).await {
        Ok(_) => app.commit(tx).await?,
        Err(store::Error::Refused { constraint, .. })
            if matches!(
                constraint.as_str(),
                "contract_one_draft" | "contract_version_contract_id_number_key"
            ) => {}
        Err(other) => return Err(other.into()),
    }
    Ok(Redirect::to(&format!("/contracts/{id}/edit")))
}
