//! `/cases/{c}/changes/{h}/override`: a manager asks for an override of open gate lines. What is
//! asked for is tried on the case as it is: an override that would cover nothing, because the line
//! says something that no emergency excuses, is refused before it is written.

use super::{path, what as words_of};
use crate::ladder::CaseFile;
use crate::ladder::break_glass::{self, Category, Cosignature, Overridable, Override, REASON};
use crate::ladder::change::{Change, ChangeState};
use crate::ladder::gate::{self, Gate, LineStatus, Target};
use crate::ladder::policy::Act;
use crate::store::overrides::{self, NewOverride};
use crate::web::case::gate_view::GateView;
use crate::web::changes::judging::{self, Hidden, Scene};
use crate::web::changes::to;
use crate::web::page::{Nav, show, show_with};
use crate::web::typed::number;
use crate::web::{
    App, Error, Page, Reader, Result,
    form::{self, Faults},
    format, say,
    visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use axum_extra::extract::Form;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

/// Which gate.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    gate: String,
}

/// What the form sends.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    form_key: Uuid,
    version: i32,
    revision: String,
    basis: String,
    gate: String,
    what: Vec<String>,
    category: String,
    reason: String,
    minutes: String,
}

/// One thing that may be ticked.
struct Choice {
    id: &'static str,
    word: String,
    hint: String,
    /// Names of the open lines it would stand for.
    lines: String,
    ticked: bool,
}

#[derive(Template)]
#[template(path = "overrides/ask.html")]
struct AskPage {
    page: Page,
    case: CaseFile,
    change: Change,
    target: String,
    gate: GateView,
    headline: String,
    choices: Vec<Choice>,
    never: Vec<String>,
    categories: Vec<(&'static str, String, bool)>,
    may_not: Option<String>,
    stopped: Option<String>,
    reason: String,
    minutes: String,
    most: String,
    wait: String,
    hidden: Hidden,
    faults: Faults,
}

impl AskPage {
    fn change_path(&self) -> String {
        crate::web::changes::path(&self.case.label(), &self.change.label())
    }
}

/// The gate of the act that comes next.
fn next(state: ChangeState) -> Target {
    match state {
        ChangeState::Draft => Target::Submit,
        ChangeState::Submitted => Target::Approve,
        ChangeState::ApprovedForCanary => Target::StartCanary,
        _ => Target::Accept,
    }
}

fn target_of(id: &str) -> Option<Target> {
    [
        Target::Submit,
        Target::Approve,
        Target::StartCanary,
        Target::Accept,
    ]
    .into_iter()
    .find(|t| t.id() == id)
}

/// Whether one of the lines that `what` may stand for is open.
fn open_lines(gate: &Gate, what: Overridable) -> Vec<&gate::Line> {
    gate.open()
        .filter(|l| what.lines().contains(&l.id.as_str()))
        .collect()
}

fn ask_page(page: Page, scene: Scene, reader: &Reader, typed: &Typed) -> AskPage {
    let (case, gate) = (&scene.case, &scene.gate);
    let may_not = break_glass::may_ask(case, &scene.change, reader.id).err();
    let choices = Overridable::ALL
        .iter()
        .filter_map(|w| {
            let lines = open_lines(gate, *w);
            let names: Vec<String> = lines.iter().map(|l| page.t(&l.requirement)).collect();
            (!names.is_empty()).then(|| Choice {
                id: w.id(),
                word: page.t(&w.key()),
                hint: page.t(&format!("{}-hint", w.key())),
                lines: names.join(", "),
                ticked: typed.what.iter().any(|t| t == w.id()),
            })
        })
        .collect::<Vec<_>>();
    let never = gate
        .open()
        .filter(|l| {
            !Overridable::ALL
                .iter()
                .any(|w| w.lines().contains(&l.id.as_str()))
        })
        .map(|l| page.t(&l.requirement))
        .collect();
    let time = |s: i64| format::duration(page.lang, s);
    AskPage {
        target: gate.target.id().to_owned(),
        headline: say::sentence(page.lang, &gate.headline()),
        choices,
        never,
        categories: Category::ALL
            .iter()
            .map(|c| {
                let word = page.t(&say::key("override-category", c.id()));
                (c.id(), word, typed.category == c.id())
            })
            .collect(),
        may_not: may_not.map(|s| say::sentence(page.lang, &s)),
        stopped: None,
        reason: typed.reason.clone(),
        minutes: typed.minutes.clone(),
        most: time(case.policy.override_max_s),
        wait: time(case.policy.cosign_wait_s),
        hidden: scene.hidden(),
        faults: Faults::default(),
        gate: GateView::of(&page, case, gate),
        page: page.at(Nav::Cases),
        change: scene.change,
        case: scene.case,
    }
}

/// `GET /cases/{c}/changes/{h}/override`
///
/// # Errors
/// When the reader is no manager; `NotFound`.
pub async fn page(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    Query(asked): Query<Asked>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    reader.may(Act::Override)?;
    let mut conn = app.conn().await?;
    let labels = (c.as_str(), h.as_str());
    let scene = Scene::read(&mut conn, &reader, labels, Target::Accept, visit.now).await?;
    let target = target_of(&asked.gate).unwrap_or_else(|| next(scene.change.state));
    let scene = Scene::read(&mut conn, &reader, labels, target, visit.now).await?;
    show(&ask_page(page, scene, &reader, &Typed::default()))
}

/// Why nothing is written.
enum Stop {
    MayNot,
    Moved,
    Faults(Faults),
}

/// What was typed, read against the case as it is.
fn read(
    scene: &Scene,
    reader: &Reader,
    typed: &Typed,
    page: &Page,
    now: DateTime<Utc>,
) -> std::result::Result<NewOverride, Stop> {
    let case = &scene.case;
    break_glass::may_ask(case, &scene.change, reader.id).map_err(|_| Stop::MayNot)?;
    let hidden = scene.hidden();
    if (hidden.version, &hidden.revision, &hidden.basis)
        != (typed.version, &typed.revision, &typed.basis)
    {
        return Err(Stop::Moved);
    }
    let mut faults = Faults::default();
    let what: Option<Vec<Overridable>> =
        typed.what.iter().map(|w| Overridable::from_id(w)).collect();
    let what = match what {
        None => {
            faults.add("what", page.t("override-fault-never"));
            Vec::new()
        }
        Some(what) if what.is_empty() => {
            faults.add("what", page.t("override-fault-what"));
            what
        }
        Some(what) => what,
    };
    let category = Category::from_id(&typed.category);
    if category.is_none() {
        faults.add("category", page.t("override-fault-category"));
    }
    if form::visible(&typed.reason) < REASON {
        faults.add("reason", page.t1("override-fault-reason", "least", REASON));
    }
    let most = case.policy.override_max_s;
    let seconds = number(page.lang, &typed.minutes).map(|m| (m * 60.0).round() as i64);
    let seconds = seconds.filter(|s| (1..=most).contains(s));
    if seconds.is_none() {
        let most = format::duration(page.lang, most);
        faults.add("minutes", page.t1("override-fault-minutes", "most", most));
    }
    let (until, alone_from, review_due) =
        break_glass::times(&case.policy, seconds.unwrap_or(1), now);
    let new = NewOverride {
        change_id: scene.change.id,
        target: scene.gate.target,
        what,
        category: category.unwrap_or(Category::Other),
        reason: typed.reason.clone(),
        revision_digest: hidden.revision,
        basis_digest: hidden.basis,
        gate: scene.gate.clone(),
        until,
        alone_from,
        review_due,
    };
    for useless in uncovered(scene, &new, reader, now) {
        let said = page.t1(
            "override-fault-covers-nothing",
            "what",
            words_of(page, &[useless]),
        );
        faults.add("what", said);
    }
    if faults.is_empty() {
        Ok(new)
    } else {
        Err(Stop::Faults(faults))
    }
}

/// What of an override would stand for no line of the gate as it is: tried as if it had been
/// co-signed already.
fn uncovered(
    scene: &Scene,
    new: &NewOverride,
    reader: &Reader,
    now: DateTime<Utc>,
) -> Vec<Overridable> {
    let mut case = scene.case.clone();
    case.overrides.push(Override {
        id: Uuid::nil(),
        change_id: new.change_id,
        target: new.target,
        what: new.what.clone(),
        category: new.category,
        reason: new.reason.clone(),
        revision_digest: new.revision_digest.clone(),
        basis_digest: new.basis_digest.clone(),
        by: reader.id,
        at: now,
        until: new.until,
        alone_from: new.alone_from,
        review_due: new.review_due,
        cosigned: Some(Cosignature {
            by: Uuid::nil(),
            at: now,
            note: String::new(),
        }),
        review: None,
    });
    let tried = gate::judge(&case, &case.policy, new.target, &scene.checks, now);
    let stands = |what: &Overridable| {
        tried
            .lines
            .iter()
            .filter(|l| l.status == LineStatus::Overridden)
            .flat_map(|l| &l.inputs)
            .any(|i| i.kind == gate::InputKind::Override && i.id.is_nil() && i.label == what.id())
    };
    new.what.iter().copied().filter(|w| !stands(w)).collect()
}

/// `POST /cases/{c}/changes/{h}/override`
///
/// # Errors
/// When the reader is no manager, gave the password too long ago, or the database refuses.
pub async fn ask(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Override)?;
    reader.recent(&visit)?;
    let target = target_of(&typed.gate).ok_or(Error::NotFound)?;
    if typed.form_key.is_nil() {
        return Err(Error::FormKey);
    }
    let mut tx = app.begin().await?;
    let key = (typed.form_key, &reader);
    let what = typed.what.join(" ");
    let fields = [
        ("change", h.as_str()),
        ("gate", typed.gate.as_str()),
        ("revision", typed.revision.as_str()),
        ("basis", typed.basis.as_str()),
        ("what", what.as_str()),
        ("category", typed.category.as_str()),
        ("reason", typed.reason.as_str()),
        ("minutes", typed.minutes.as_str()),
    ];
    if let Some(path) = form::claim(&mut tx, key, "override.ask", &fields, &visit).await? {
        return Ok(to(&path));
    }
    let scene = Scene::locked(&mut tx, &reader, (&c, &h), target, visit.now).await?;
    let actor = reader.actor(&visit, Some(role));
    match read(&scene, &reader, &typed, &page, visit.now) {
        Ok(new) => {
            let id = overrides::ask(&mut tx, &actor, scene.case.id, &new, visit.now).await?;
            let path = path(&scene.case.label(), id);
            form::finish(&mut tx, key, &path, &visit).await?;
            app.commit(tx).await?;
            Ok(to(&path))
        }
        Err(stop) => {
            tx.rollback().await.map_err(crate::store::Error::from)?;
            judging::attempt(&app, &actor, &scene, "override.refused", &visit).await?;
            let mut back = ask_page(page, scene, &reader, &typed);
            let status = match stop {
                Stop::MayNot => StatusCode::FORBIDDEN,
                Stop::Moved => {
                    back.stopped = Some(back.page.t("decide-moved"));
                    StatusCode::CONFLICT
                }
                Stop::Faults(faults) => {
                    back.faults = faults;
                    StatusCode::UNPROCESSABLE_ENTITY
                }
            };
            show_with(status, &back)
        }
    }
}
