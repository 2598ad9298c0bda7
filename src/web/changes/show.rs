//! The page of a change: the knob as a sentence, plan and way back, its canary, its review, its
//! revisions, and the acts that are open to the reader now.

use super::bundle;
use super::diff::{self, Field};
use super::edit::editable;
use super::judging::{Hidden, Scene};
use super::path;
use super::risk::{self, Fact};
use super::running::{self, Running, Watch};
use super::words::{self, Mark};
use crate::ladder::canary::{self, Whole};
use crate::ladder::change::{CanaryEventKind, Change, ChangeState, Extension, Route, Terms};
use crate::ladder::gate::{self, Target};
use crate::ladder::policy::Act;
use crate::ladder::{CaseFile, CaseState, contributor};
use crate::store::decisions::{self, Taken};
use crate::web::case::gate_view::GateView;
use crate::web::compare::table::Table;
use crate::web::page::{Nav, show, show_with};
use crate::web::{
    App, Page, Reader, Result, form::Faults, format, format::Markup, say, visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use pel_evidence::Unit;
use uuid::Uuid;

/// A revision in the list.
struct RevisionView {
    number: i32,
    digest: String,
    submitted: Option<Markup>,
    authors: String,
    fields: Vec<Field>,
    before: i32,
}

/// Something that happened to the canary.
struct EventView {
    at: Markup,
    said: String,
    /// What made the program do it.
    found: Vec<String>,
    note: String,
}

/// An approval.
struct ApprovalView {
    name: String,
    at: Markup,
    digest: String,
    outdated: Vec<String>,
}

/// A request for changes.
struct RequestView {
    id: Uuid,
    name: String,
    at: Markup,
    points: String,
    cleared: Option<String>,
}

#[derive(Template)]
#[template(path = "changes/show.html")]
struct ChangePage {
    page: Page,
    case: CaseFile,
    change: Change,
    terms: Terms,
    digest: String,
    state: String,
    author: String,
    expectation: Option<String>,
    plan: String,
    thresholds: Vec<String>,
    rollback_time: Option<String>,
    problems: Vec<String>,
    headline: String,
    gate: Option<GateView>,
    revisions: Vec<RevisionView>,
    events: Vec<EventView>,
    verdict: Option<(Mark, Vec<String>, Table)>,
    facts: Vec<Fact>,
    running: Option<Running>,
    watch: Option<Watch>,
    extension: Option<Extension>,
    in_service: bool,
    kind: Option<String>,
    approvals: Vec<ApprovalView>,
    places: usize,
    who_may: String,
    contributors: Vec<String>,
    requests: Vec<RequestView>,
    bundle: Option<bundle::BundleView>,
    decisions: Vec<Taken>,
    may_not: Option<String>,
    hidden: Hidden,
    may_change: bool,
    may_review: bool,
    may_roll_back: bool,
    may_withdraw: bool,
    faults: Faults,
    note: String,
}

impl ChangePage {
    fn path(&self) -> String {
        path(&self.case.label(), &self.change.label())
    }

    fn is(&self, id: &str) -> bool {
        self.change.state.id() == id
    }

    fn number(&self) -> i32 {
        self.change.current().map_or(0, |r| r.number)
    }

    /// Whether approvals were given and too few of them count now.
    fn to_confirm(&self) -> bool {
        let after = self.is("approved_for_canary") || self.live();
        after && !self.is("accepted") && self.places > 0 && !self.approvals.is_empty()
    }

    fn editable(&self) -> bool {
        self.may_change && editable(self.change.state)
    }

    fn failed(&self) -> bool {
        self.verdict
            .as_ref()
            .is_some_and(|(m, _, _)| m.0 == "breaks")
    }

    fn decides(&self) -> bool {
        self.may_review && self.may_not.is_none()
    }

    fn kind(&self, id: &str) -> String {
        self.page.t(&say::key("decision-kind", id))
    }

    fn live(&self) -> bool {
        self.change.state.can_roll_back()
    }

    /// Whether a canary of it has begun, so that something may be said about it.
    fn begun(&self) -> bool {
        self.change.last(CanaryEventKind::Started).is_some()
    }

    /// Whether what it measures may still be posted.
    fn takes_samples(&self) -> bool {
        self.may_change && self.begun() && self.change.state.can_roll_back()
    }

    fn percent(&self, share: &f64) -> String {
        super::form::plain(share * 100.0)
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

/// `GET /cases/{c}/changes/{h}`
pub async fn get(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    reader.may(Act::Read)?;
    show(
        &change_page(
            &app,
            &reader,
            page,
            &visit,
            (&c, &h),
            (Faults::default(), String::new()),
        )
        .await?,
    )
}

/// The page again, with what is wrong with what was typed on it.
///
/// # Errors
/// When the page fails.
pub async fn again(
    app: &App,
    reader: &Reader,
    page: Page,
    visit: &Visit,
    labels: (&str, &str),
    (field, message, note): (&'static str, String, &str),
) -> Result<Response> {
    let mut faults = Faults::default();
    faults.add(field, message);
    let typed = (faults, note.to_owned());
    let page = change_page(app, reader, page, visit, labels, typed).await?;
    show_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

async fn change_page(
    app: &App,
    reader: &Reader,
    page: Page,
    visit: &Visit,
    labels: (&str, &str),
    (faults, note): (Faults, String),
) -> Result<ChangePage> {
    let mut conn = app.conn().await?;
    let scene = Scene::read(&mut conn, reader, labels, Target::Submit, visit.now).await?;
    let target = next(scene.change.state);
    let scene = Scene::read(&mut conn, reader, labels, target, visit.now).await?;
    let decisions = decisions::of_change(&mut conn, scene.change.id).await?;
    let (case, change) = (&scene.case, &scene.change);
    let revision = scene.revision()?;
    let open = case.state != CaseState::Closed;
    let say = |s| say::sentence(page.lang, s);
    let theirs = change.author == reader.id || case.owner == Some(reader.id);
    let may_not = (reader.can(Act::Review))
        .then(|| scene.may_not(reader))
        .flatten();
    let approvals = approvals(&page, &scene, visit);
    let counting = approvals.iter().filter(|a| a.outdated.is_empty()).count();
    Ok(ChangePage {
        state: words::state(&page, change.state),
        author: case.name_of(change.author),
        expectation: words::expectation(&page, &revision.terms),
        plan: words::plan(&page, &revision.terms),
        thresholds: words::thresholds(&page, &revision.terms),
        rollback_time: revision
            .terms
            .rollback_seconds
            .map(|s| format::duration(page.lang, i64::from(s))),
        problems: revision
            .terms
            .problems()
            .iter()
            .map(|(_, s)| say(s))
            .collect(),
        headline: say(&scene.gate.headline()),
        gate: (!change.state.is_terminal() && change.state != ChangeState::Accepted)
            .then(|| GateView::of(&page, case, &scene.gate)),
        revisions: revisions(&page, case, change),
        events: events(&page, case, change),
        verdict: verdict(&page, case, change),
        facts: risk::facts(&page, case, &revision.terms),
        running: running::running(&page, case, change, visit.now),
        watch: running::watch(&page, case, change, reader.id),
        extension: super::watch::extendable(change)
            .then(|| offered(change))
            .flatten(),
        in_service: change.still_in_service(),
        kind: kind(&page, case, &revision.terms),
        places: gate::approvals_needed(change, &case.policy).saturating_sub(counting),
        approvals,
        who_may: say(&contributor::who_may(case, change)),
        contributors: contributor::contributors(case, change)
            .iter()
            .map(|(_, s)| say(s))
            .collect(),
        requests: requests(&page, case, change),
        bundle: bundle::view(&page, case, change),
        decisions,
        may_not: may_not.as_ref().map(say),
        hidden: scene.hidden(),
        may_change: open && reader.can(Act::Change),
        may_review: open && reader.can(Act::Review),
        may_roll_back: reader.can(Act::RollBack),
        may_withdraw: open && theirs && reader.can(Act::Change) && editable(change.state),
        terms: revision.terms.clone(),
        digest: format::short_digest(&revision.digest).to_owned(),
        faults,
        note,
        page: page.at(Nav::Cases),
        case: scene.case,
        change: scene.change,
    })
}

/// The limits an extension is offered with: those it ran under.
fn offered(change: &Change) -> Option<Extension> {
    let plan = change.plan()?;
    Some(Extension {
        share_ceiling: plan.share_ceiling?,
        max_requests: plan.max_requests?,
        max_seconds: plan.max_seconds?,
    })
}

/// The kind of a change that is not the usual one, with the template of a standard one.
fn kind(page: &Page, case: &CaseFile, terms: &Terms) -> Option<String> {
    let word = page.t(&say::key("change-kind", terms.kind.id()));
    match terms.kind {
        Route::Normal => None,
        Route::Emergency => Some(word),
        Route::Standard => {
            let template = case.templates.iter().find(|t| Some(t.id) == terms.template);
            let label = template.map_or_else(|| page.t("change-not-stated"), |t| t.label());
            Some(format!("{word} · {label}"))
        }
    }
}

fn revisions(page: &Page, case: &CaseFile, change: &Change) -> Vec<RevisionView> {
    let mut views: Vec<RevisionView> = Vec::new();
    for (i, r) in change.revisions.iter().enumerate() {
        let before = i.checked_sub(1).map(|j| &change.revisions[j]);
        views.push(RevisionView {
            number: r.number,
            digest: format::short_digest(&r.digest).to_owned(),
            submitted: r.submitted_at.map(|at| page.time(&at)),
            authors: r
                .authors
                .iter()
                .map(|a| case.name_of(*a))
                .collect::<Vec<_>>()
                .join(", "),
            fields: before.map_or_else(Vec::new, |b| diff::fields(page, &b.terms, &r.terms)),
            before: before.map_or(0, |b| b.number),
        });
    }
    views.reverse();
    views
}

/// Who did it; the program itself when nobody.
fn who(page: &Page, case: &CaseFile, by: Option<uuid::Uuid>) -> String {
    by.map_or_else(|| page.t("case-timeline-app"), |id| case.name_of(id))
}

fn events(page: &Page, case: &CaseFile, change: &Change) -> Vec<EventView> {
    let of = |e: &crate::ladder::change::CanaryEvent| {
        let key = say::key("canary-said", e.kind.id());
        let mut said = page.t1(&key, "name", who(page, case, e.by));
        if let (Some(share), Some(requests), Some(_)) = (e.share, e.requests, e.run_id) {
            let share = format::value(page.lang, share, Unit::Ratio).to_string();
            let run = e
                .run_id
                .and_then(|id| case.run(id))
                .map_or_else(String::new, |r| r.label());
            said.push(' ');
            said.push_str(&page.text(
                "canary-exposure",
                &[
                    ("share", &share),
                    ("requests", &page.count(requests)),
                    ("run", &run),
                ],
            ));
        }
        EventView {
            at: page.time(&e.at),
            found: e.why.iter().map(|s| say::sentence(page.lang, s)).collect(),
            said,
            note: e.note.clone(),
        }
    };
    change.canary.iter().rev().map(of).collect()
}

fn verdict(page: &Page, case: &CaseFile, change: &Change) -> Option<(Mark, Vec<String>, Table)> {
    change.ended()?;
    let verdict = canary::verdict(case, change);
    let mut reasons: Vec<String> = verdict
        .reasons
        .iter()
        .map(|s| say::sentence(page.lang, s))
        .collect();
    if verdict.whole != Whole::Pass && change.state == ChangeState::CanaryEnded {
        let key = if super::watch::extendable(change) {
            "canary-extend-or-back"
        } else {
            "canary-only-back"
        };
        reasons.push(page.t(key));
    }
    let table = running::table(page, case, &verdict);
    Some((words::whole_mark(page, verdict.whole), reasons, table))
}

fn approvals(page: &Page, scene: &Scene, visit: &Visit) -> Vec<ApprovalView> {
    gate::approvals(&scene.case, &scene.change, &scene.case.policy, visit.now)
        .into_iter()
        .map(|a| ApprovalView {
            outdated: a
                .outdated
                .iter()
                .map(|s| say::sentence(page.lang, s))
                .collect(),
            at: page.time(&a.approval.at),
            digest: format::short_digest(&a.approval.revision_digest).to_owned(),
            name: a.name,
        })
        .collect()
}

fn requests(page: &Page, case: &CaseFile, change: &Change) -> Vec<RequestView> {
    change
        .requests
        .iter()
        .map(|r| RequestView {
            id: r.id,
            name: case.name_of(r.by),
            at: page.time(&r.at),
            points: r.points.clone(),
            cleared: r.cleared.as_ref().map(|(by, at, words)| {
                page.text(
                    "review-cleared",
                    &[
                        ("name", &case.name_of(*by)),
                        ("at", &format::date_time(page.lang, *at)),
                        ("words", words),
                    ],
                )
            }),
        })
        .collect()
}
