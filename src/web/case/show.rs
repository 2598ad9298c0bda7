//! `GET /cases/{c}`: the page a responder lives on, a reviewer decides from, and a manager reads
//! a year later. State, what blocks, proof, decision, history, in this order.

use super::{
    banners::{self, Banner},
    cards::Card,
    gate_view::{self, GateView},
    header::{self, Fact},
    ladder_view::{self, Rung},
    live_change::{self, ChangeView},
    notices, open_to,
    sections::{self, ContractView, DecisionRow, HypothesisView, PeopleView, PhaseView, RunRow},
    stages::{self, StageView},
    timeline::{self, Day},
};
use crate::{
    ladder::{
        CaseFile, CaseState,
        gate::{self, Check, Checks},
        policy::Act,
    },
    store::{audit, case_page},
    web::{
        App, Page, Reader, Result,
        form::Faults,
        page::{self, Nav},
        say,
    },
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use serde::Deserialize;
use sqlx::PgConnection;

/// What the address may ask for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// Which gate to show.
    pub gate: Option<String>,
    /// Timeline entries before this one.
    pub before: Option<i64>,
}

/// What somebody typed into one of the page's own forms, when it comes back.
#[derive(Debug, Default)]
pub struct Typed {
    /// A comment.
    pub comment: String,
    /// A hypothesis: its stage and words.
    pub hypothesis: (u8, String),
    /// An argument: hypothesis, item label, note.
    pub argument: Option<(uuid::Uuid, String, bool, String)>,
    /// What is wrong.
    pub faults: Faults,
}

#[derive(Template)]
#[template(path = "case/show.html")]
struct Show {
    page: Page,
    case: CaseFile,
    path: String,
    state: String,
    facts: Vec<Fact>,
    banners: Vec<Banner>,
    rungs: Vec<Rung>,
    gate: GateView,
    contract: Option<ContractView>,
    stages: Vec<StageView>,
    homeless: Vec<Card>,
    runs: Vec<RunRow>,
    hypotheses: Vec<HypothesisView>,
    stage_choices: Vec<(u8, String)>,
    usable: Vec<String>,
    phases: Vec<PhaseView>,
    change: Option<ChangeView>,
    decisions: Vec<DecisionRow>,
    people: PeopleView,
    days: Vec<Day>,
    older: Option<i64>,
    newest: bool,
    closing_note: Option<String>,
    outcome: Option<String>,
    typed: Typed,
    can_write: bool,
    can_attach: bool,
    can_change: bool,
    can_close: bool,
    can_reopen: bool,
    can_pin: bool,
    can_comment: bool,
    can_audit: bool,
}

/// `GET /cases/{c}`.
///
/// # Errors
/// Not found; forbidden without a role that reads.
pub async fn get(
    State(app): State<App>,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    let case = super::load(&mut conn, &reader, &label).await?;
    render(&mut conn, page, case, &asked, Typed::default()).await
}

/// The page as it is now, or with a form that came back.
///
/// # Errors
/// When the database cannot be read.
pub async fn render(
    conn: &mut PgConnection,
    page: Page,
    case: CaseFile,
    asked: &Asked,
    typed: Typed,
) -> Result<Response> {
    let beside = case_page::beside(conn, case.id).await?;
    let events = audit::page(conn, case.id, asked.before, timeline::MOST).await?;
    let status = if typed.faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    let page = page.at(Nav::Cases);
    let target = gate_view::target_of(&case, asked.gate.as_deref());
    let gate = gate::judge(&case, &case.policy, target, &checks(&beside), page.now);
    let standings = ladder_view::standings(&case);
    let can = |act| open_to(&page, &case, act);
    let template = Show {
        path: super::path(&case),
        state: page.t(&say::key("case-state", case.state.id())),
        facts: header::facts(&page, &case)
            .into_iter()
            .chain([notices::visibility(&page, &case)])
            .collect(),
        banners: banners::banners(&page, &case, &beside, &gate)
            .into_iter()
            .chain(notices::banners(&page, &case))
            .collect(),
        rungs: ladder_view::rungs(&page, &standings),
        gate: GateView::of(&page, &case, &gate),
        contract: sections::contract(&page, &case),
        stages: stages::views(&page, &case, &standings, &beside, &gate),
        homeless: stages::homeless(&page, &case, &beside, &gate),
        runs: sections::runs(&page, &case),
        hypotheses: sections::hypotheses(&page, &case),
        stage_choices: sections::stage_choices(&page),
        usable: case
            .evidence
            .iter()
            .filter(|e| !e.signals().is_empty())
            .map(crate::ladder::evidence::Evidence::label)
            .collect(),
        phases: sections::phases(&page, &case),
        change: live_change::change(&page, &case),
        decisions: sections::decisions(&page, &case, &beside),
        people: sections::people(&page, &case),
        days: timeline::days(&page, &case, &events),
        older: events
            .last()
            .filter(|_| events.len() as i64 == timeline::MOST)
            .map(|e| e.body.seq),
        newest: asked.before.is_none(),
        closing_note: beside.closing_note.clone(),
        outcome: case.outcome.map(|o| page.t(&say::key("outcome", o.id()))),
        typed,
        can_write: can(Act::Investigate),
        can_attach: can(Act::AttachEvidence),
        can_change: can(Act::Change),
        can_reopen: case.state == CaseState::Closed
            && page.reader.as_ref().is_some_and(|r| {
                r.can(Act::Reopen) && (r.can(Act::Review) || super::leads(r, &case))
            }),
        can_close: can(Act::Close),
        can_pin: can(Act::Investigate),
        can_comment: can(Act::Investigate) || can(Act::Review) || can(Act::Close),
        can_audit: page.can(Act::ReadAudit),
        case,
        page,
    };
    page::show_with(status, &template)
}

/// The integrity checks as the gate takes them.
pub fn checks(beside: &case_page::Beside) -> Checks {
    Checks(
        beside
            .checks
            .iter()
            .map(|c| {
                let check = if c.sound {
                    Check::Verified(c.at)
                } else {
                    Check::Failed(c.at)
                };
                (c.evidence_id, check)
            })
            .collect(),
    )
}

impl Show {
    /// Since when the case stands where it does.
    fn since(&self) -> String {
        crate::web::format::date_time(self.page.lang, self.case.state_since)
    }

    /// The problem, paragraph by paragraph.
    fn paragraphs(&self) -> Vec<&str> {
        self.case
            .problem
            .split("\n\n")
            .flat_map(|p| p.split("\r\n\r\n"))
            .map(str::trim)
            .filter(|p| !p.is_empty())
            .collect()
    }

    fn argument_on(&self, id: &uuid::Uuid) -> Option<&(uuid::Uuid, String, bool, String)> {
        self.typed.argument.as_ref().filter(|a| a.0 == *id)
    }

    /// Whether a form on this hypothesis came back.
    fn argues(&self, id: &uuid::Uuid) -> bool {
        self.argument_on(id).is_some()
    }

    /// Whether that form argued against it.
    fn argues_against(&self, id: &uuid::Uuid) -> bool {
        self.argument_on(id).is_some_and(|a| !a.2)
    }

    /// The item it named.
    fn argued_item(&self, id: &uuid::Uuid) -> &str {
        self.argument_on(id).map_or("", |a| &a.1)
    }

    /// The note it carried.
    fn argued_note(&self, id: &uuid::Uuid) -> &str {
        self.argument_on(id).map_or("", |a| &a.3)
    }
}
