//! The page before a deciding act, which is also its answer when the act is refused: every line
//! of the gate with what carries it or what is missing, what moved meanwhile, and the note kept.

use super::confirm::Confirm;
use super::judging::{Hidden, Posted, Scene, attempt, since};
use super::path;
use super::risk::{self, Fact};
use super::{running, words};
use crate::ladder::change::Change;
use crate::ladder::compare;
use crate::ladder::gate::{self, Target};
use crate::ladder::policy::Act;
use crate::ladder::run::Phase;
use crate::ladder::{CaseFile, Sentence, canary, contributor};
use crate::store::audit::Actor;
use crate::store::decisions;
use crate::web::case::gate_view::GateView;
use crate::web::compare::table::Table;
use crate::web::page::{Nav, show_with};
use crate::web::{App, Page, Result, form::Faults, format::Markup, say, visit::Visit};
use askama::Template;
use axum::{http::StatusCode, response::Response};

/// Why an act does not happen.
#[derive(Debug, Clone)]
pub enum Stop {
    /// The gate has open lines.
    NotReady,
    /// The change or its basis is not what the form was shown on.
    Moved,
    /// This person may not decide on it.
    MayNot(Sentence),
    /// Something typed is missing.
    Faults(Faults),
    /// A rule of the database refused it.
    Rule(String),
}

impl Stop {
    fn status(&self) -> StatusCode {
        match self {
            Self::Moved | Self::Rule(_) => StatusCode::CONFLICT,
            Self::MayNot(_) => StatusCode::FORBIDDEN,
            Self::NotReady | Self::Faults(_) => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }
}

/// The page on which one act is decided.
#[derive(Template)]
#[template(path = "changes/decide.html")]
pub struct DecidePage {
    page: Page,
    case: CaseFile,
    change: Change,
    /// `submit`, `approve`, `start-canary` or `accept`.
    act: String,
    /// Where the form goes.
    action: String,
    headline: String,
    ready: bool,
    at: String,
    gate: GateView,
    moved: Option<Vec<String>>,
    stopped: Option<String>,
    rule: Option<String>,
    faults: Faults,
    note: String,
    thresholds: Vec<String>,
    facts: Vec<Fact>,
    tables: Vec<Table>,
    may_not: Option<String>,
    who_may: String,
    hidden: Hidden,
    /// What the reader approved on, beside what it is now.
    confirm: Option<Confirm>,
}

impl DecidePage {
    /// Shows what the reader is asked to confirm.
    #[must_use]
    pub fn confirming(self, confirm: Option<Confirm>) -> Self {
        Self { confirm, ..self }
    }

    fn path(&self) -> String {
        path(&self.case.label(), &self.change.label())
    }

    fn accepts(&self) -> bool {
        self.act == "accept"
    }

    fn may_roll_back(&self) -> bool {
        self.page.can(Act::RollBack)
    }

    fn may_review(&self) -> bool {
        self.page.can(Act::Review)
    }

    /// Whether the form is offered: to somebody who may decide, once the gate is open.
    fn offered(&self) -> bool {
        self.ready && self.may_not.is_none()
    }

    fn title(&self) -> String {
        self.word("decide-title")
    }

    /// The words of this act.
    fn word(&self, what: &str) -> String {
        self.page.t(&format!("{what}-{}", self.act))
    }
}

/// The last part of an act's address.
fn last(target: Target) -> &'static str {
    match target {
        Target::Submit => "submit",
        Target::Approve => "approve",
        Target::StartCanary => "canary/start",
        _ => "accept",
    }
}

/// The page as it stands, before anything was posted.
pub fn page_of(page: Page, scene: Scene, reviewing: Option<Sentence>) -> DecidePage {
    let target = scene.gate.target;
    let change = &scene.change;
    let tables = if target == Target::Accept {
        comparisons(&page, &scene)
    } else {
        Vec::new()
    };
    let may_not = reviewing.map(|s| say::sentence(page.lang, &s));
    let other = (!scene.is_live()).then(|| page.t("decide-other-change"));
    DecidePage {
        act: target.id().replace('_', "-"),
        action: format!(
            "{}/{}",
            path(&scene.case.label(), &change.label()),
            last(target)
        ),
        headline: say::sentence(page.lang, &scene.gate.headline()),
        ready: scene.ready(),
        at: crate::web::format::date_time(page.lang, scene.gate.at),
        gate: GateView::of(&page, &scene.case, &scene.gate),
        moved: None,
        stopped: other,
        rule: None,
        faults: Faults::default(),
        note: String::new(),
        facts: change
            .current()
            .map_or_else(Vec::new, |r| risk::facts(&page, &scene.case, &r.terms)),
        thresholds: change
            .current()
            .map(|r| words::thresholds(&page, &r.terms))
            .unwrap_or_default(),
        tables,
        may_not,
        who_may: say::sentence(page.lang, &contributor::who_may(&scene.case, change)),
        hidden: scene.hidden(),
        confirm: None,
        page: page.at(Nav::Cases),
        change: scene.change,
        case: scene.case,
    }
}

/// The comparisons an acceptance rests on, those that exist.
fn comparisons(page: &Page, scene: &Scene) -> Vec<Table> {
    [Phase::Warm, Phase::Canary, Phase::Cold]
        .into_iter()
        .filter_map(|phase| {
            if phase == Phase::Canary {
                let verdict = canary::verdict(&scene.case, &scene.change);
                return (!verdict.rows.is_empty())
                    .then(|| running::table(page, &scene.case, &verdict));
            }
            let (a, b) = gate::comparison_runs(&scene.case, &scene.change, phase);
            if b.is_empty() {
                return None;
            }
            let compared = compare::compare(&scene.case, &a, &b, phase);
            Some(Table::of(page, &compared))
        })
        .collect()
}

/// Refuses an act: writes the attempt down and shows the page again with why.
///
/// # Errors
/// When the log or the page fails.
#[allow(clippy::too_many_arguments)] // what a refusal is made of
pub async fn refuse(
    app: &App,
    page: Page,
    visit: &Visit,
    actor: &Actor,
    scene: Scene,
    posted: &Posted,
    stop: Stop,
    act: &'static str,
) -> Result<Response> {
    attempt(app, actor, &scene, act, visit).await?;
    let mut conn = app.conn().await?;
    let moved = scene.moved(posted);
    let events = since(&mut conn, scene.case.id, posted.seq).await?;
    let moved = moved.then(|| {
        events
            .iter()
            .map(|e| words::event(&page, &scene.case, e))
            .collect()
    });
    let person = actor.person_id.unwrap_or_default();
    let reviewing = match scene.gate.target {
        Target::Approve | Target::Accept => {
            contributor::may_decide(&scene.case, &scene.change, person).err()
        }
        _ => None,
    };
    let status = stop.status();
    let (mut stopped, mut rule, mut faults) = (None, None, Faults::default());
    match stop {
        Stop::Faults(found) => faults = found,
        Stop::Rule(constraint) => {
            let key = say::key("error-rule", &constraint);
            let known = crate::i18n::has(page.lang, &key);
            rule = Some(page.t(if known { &key } else { "error-refused" }));
        }
        Stop::NotReady => {
            stopped = Some(page.t1("decide-not-ready", "count", scene.gate.open().count()))
        }
        Stop::Moved => stopped = Some(page.t("decide-moved")),
        Stop::MayNot(_) => {}
    }
    let mut shown = page_of(page, scene, reviewing);
    shown.stopped = shown.stopped.or(stopped);
    shown.moved = moved;
    shown.rule = rule;
    shown.faults = faults;
    shown.note.clone_from(&posted.note);
    show_with(status, &shown)
}

#[derive(Template)]
#[template(path = "changes/already.html")]
struct AlreadyPage {
    page: Page,
    case: CaseFile,
    change: Change,
    kind: String,
    by: String,
    at: Markup,
    decision: String,
    note: String,
    /// Whether something was posted that was not written.
    posted: bool,
}

impl AlreadyPage {
    fn path(&self) -> String {
        path(&self.case.label(), &self.change.label())
    }

    fn said(&self) -> String {
        let key = say::key("decide-already", &self.kind);
        self.page.t1(&key, "name", &self.by)
    }
}

/// The answer to a post after somebody else decided; `None` when nobody did.
///
/// # Errors
/// When the database or the page fails.
pub async fn already(
    app: &App,
    page: &Page,
    case: &CaseFile,
    change: &Change,
    note: &str,
) -> Result<Option<Response>> {
    let shown = already_page(app, page, case, change, Some(note)).await?;
    shown
        .map(|shown| show_with(StatusCode::CONFLICT, &shown))
        .transpose()
}

/// The page that says who decided, before anything was posted; `None` when nobody did.
///
/// # Errors
/// When the database or the page fails.
pub async fn taken(
    app: &App,
    page: &Page,
    case: &CaseFile,
    change: &Change,
) -> Result<Option<Response>> {
    let shown = already_page(app, page, case, change, None).await?;
    shown
        .map(|shown| show_with(StatusCode::OK, &shown))
        .transpose()
}

async fn already_page(
    app: &App,
    page: &Page,
    case: &CaseFile,
    change: &Change,
    note: Option<&str>,
) -> Result<Option<AlreadyPage>> {
    let mut conn = app.conn().await?;
    let taken = decisions::of_change(&mut conn, change.id).await?;
    let Some(first) = taken.last() else {
        return Ok(None);
    };
    Ok(Some(AlreadyPage {
        kind: first.kind.clone(),
        by: first.by.clone(),
        at: page.time(&first.at),
        decision: format!("/decisions/{}", first.id),
        note: note.unwrap_or_default().trim().to_owned(),
        posted: note.is_some(),
        page: page.clone().at(Nav::Cases),
        case: case.clone(),
        change: change.clone(),
    }))
}
