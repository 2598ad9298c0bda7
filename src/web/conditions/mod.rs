//! The four stop conditions: a person claims, the program says at once whether evidence carries
//! it. One form per condition; each shows what the program computes from what is recorded now.

pub mod claim;
pub mod layer;
pub mod limits;
pub mod thresholds;

use super::changes::{case_of, locked, open, to};
use super::page::{Nav, show, show_with};
use super::{
    App, Error, Page, Reader, Result, changes::words, form::Faults, format::Markup, say,
    visit::Visit,
};
use crate::ladder::condition::{Condition, Record};
use crate::ladder::conditions::{self, Status};
use crate::ladder::policy::Act;
use crate::ladder::{CaseFile, CaseState, basis};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use axum_extra::extract::Form;
use claim::Typed;
use uuid::Uuid;

/// The part of the form that belongs to one condition.
enum Part {
    /// A limit and the runs that speak for it.
    Limits(Vec<limits::LimitView>),
    /// A layer, what shows it, and what speaks against the others.
    Layer(layer::LayerView),
    /// The thresholds of the live change.
    Thresholds(Option<thresholds::ThresholdsView>),
}

/// The record in force.
struct InForce {
    by: String,
    at: Markup,
    may_retract: bool,
}

#[derive(Template)]
#[template(path = "conditions/form.html")]
struct ConditionPage {
    page: Page,
    case: CaseFile,
    condition: Condition,
    status: words::Mark,
    said: Vec<String>,
    record: Option<InForce>,
    part: Part,
    typed: Typed,
    faults: Faults,
    may_record: bool,
}

impl ConditionPage {
    fn name(&self) -> String {
        self.page.t(&say::key("gate-line", self.condition.id()))
    }

    fn action(&self) -> String {
        let id = self.condition.id().replace('_', "-");
        format!("/cases/{}/conditions/{id}", self.case.label())
    }

    /// The words of this condition.
    fn word(&self, part: &str) -> String {
        let key = say::key(&format!("condition-{part}"), self.condition.id());
        self.page.t(&key)
    }
}

/// The mark of a condition's status.
pub fn mark(page: &Page, status: Status) -> words::Mark {
    let (shape, tone) = match status {
        Status::Missing => ("missing", "warn"),
        Status::Held => ("holds", "good"),
        Status::Unsupported => ("half", "warn"),
        Status::Stale => ("stale", "stale"),
        Status::Contradicted => ("contra", "bad"),
    };
    (
        shape,
        tone,
        page.t(&say::key("condition-status", status.id())),
    )
}

fn condition_of(dashed: &str) -> Result<Condition> {
    if dashed.contains('_') {
        return Err(Error::NotFound);
    }
    Condition::from_id(&dashed.replace('-', "_")).ok_or(Error::NotFound)
}

fn form_page(
    page: Page,
    reader: &Reader,
    case: CaseFile,
    condition: Condition,
    typed: Typed,
    faults: Faults,
) -> ConditionPage {
    let judged = conditions::status(&case, condition, &case.policy);
    let may_record = reader.can(Act::Investigate) && case.state != CaseState::Closed;
    let record = case.record(condition).map(|r: &Record| InForce {
        by: case.name_of(r.by),
        at: page.time(&r.at),
        may_retract: may_record,
    });
    let part = match condition {
        Condition::ReproducedBottleneck | Condition::AcceptanceImpactVisible => {
            Part::Limits(limits::of(&page, &case, condition, &typed))
        }
        Condition::OwnerLayerIdentified => Part::Layer(layer::of(&page, &case, &typed)),
        Condition::RollbackThresholdDefined => Part::Thresholds(thresholds::of(&page, &case)),
    };
    ConditionPage {
        status: mark(&page, judged.status),
        said: judged
            .sentences
            .iter()
            .map(|s| say::sentence(page.lang, s))
            .collect(),
        record,
        part,
        may_record,
        page: page.at(Nav::Cases),
        case,
        condition,
        typed,
        faults,
    }
}

/// `GET /cases/{c}/conditions/{condition}`
pub async fn form(
    State(app): State<App>,
    Path((c, condition)): Path<(String, String)>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let condition = condition_of(&condition)?;
    let mut conn = app.conn().await?;
    let case = case_of(&mut conn, &reader, &c).await?;
    let typed = Typed::of(&case, condition, &page);
    show(&form_page(
        page,
        &reader,
        case,
        condition,
        typed,
        Faults::default(),
    ))
}

/// `POST /cases/{c}/conditions/{condition}`
pub async fn record(
    State(app): State<App>,
    Path((c, condition)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Investigate)?;
    let condition = condition_of(&condition)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let (claim, mut faults) = typed.claim(&case, condition, &page);
    let in_force = case.record(condition).map(|r| r.id).unwrap_or_default();
    let moved = typed.record != in_force;
    if moved {
        faults.add("record", page.t("condition-fault-moved"));
    }
    let claim = match claim {
        Some(claim) if faults.is_empty() => claim,
        _ => {
            tx.rollback().await.map_err(crate::store::Error::from)?;
            let status = if moved {
                StatusCode::CONFLICT
            } else {
                StatusCode::UNPROCESSABLE_ENTITY
            };
            let typed = Typed {
                record: in_force,
                ..typed
            };
            let shown = form_page(page, &reader, case, condition, typed, faults);
            return show_with(status, &shown);
        }
    };
    let basis = basis::of(&case, &claim);
    let actor = reader.actor(&visit, Some(role));
    crate::store::said::record(&mut tx, &actor, case.id, &claim, &basis, visit.now).await?;
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(to(&format!("/cases/{c}#gate")))
}

/// `POST /cases/{c}/conditions/{condition}/retract`
pub async fn retract(
    State(app): State<App>,
    Path((c, condition)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Investigate)?;
    let condition = condition_of(&condition)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    open(&case)?;
    let in_force: Option<Uuid> = case.record(condition).map(|r| r.id);
    let Some(id) = in_force.filter(|id| *id == posted.record) else {
        return Err(Error::Conflict);
    };
    if crate::web::form::visible(&posted.reason) < claim::REASON {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let mut faults = Faults::default();
        faults.add("reason", page.t("condition-fault-reason"));
        let typed = Typed {
            reason: posted.reason,
            ..Typed::of(&case, condition, &page)
        };
        let shown = form_page(page, &reader, case, condition, typed, faults);
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &shown);
    }
    let actor = reader.actor(&visit, Some(role));
    crate::store::said::retract(&mut tx, &actor, case.id, id, &posted.reason, visit.now).await?;
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(to(&format!("/cases/{c}#gate")))
}
