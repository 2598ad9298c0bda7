//! Ending a canary: its run is named, its exposure stated, and the verdict computed at once. A
//! pass waits for acceptance; anything else can only be taken back.

use super::deed::{Begun, deed};
use super::judging::{Hidden, Posted, Scene};
use super::terms::{decimal, whole};
use super::thresholds::Choice;
use super::{path, words};
use crate::ladder::CaseFile;
use crate::ladder::canary::{self, CanaryVerdict, Whole};
use crate::ladder::change::{CanaryEvent, CanaryEventKind, Change, ChangeState};
use crate::ladder::gate::Target;
use crate::ladder::policy::Act;
use crate::ladder::run::{Phase, Run, RunRole};
use crate::store::changes::{self, CanaryFact};
use crate::store::weighing;
use crate::web::compare::show::about;
use crate::web::page::{Nav, show, show_with};
use crate::web::{App, Error, Page, Reader, Result, form::Faults, visit::Visit};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use axum_extra::extract::Form;
use chrono::{DateTime, Utc};

#[derive(Template)]
#[template(path = "changes/end.html")]
struct EndPage {
    page: Page,
    case: CaseFile,
    change: Change,
    runs: Vec<Choice>,
    plan: String,
    typed: Posted,
    faults: Faults,
    hidden: Hidden,
}

impl EndPage {
    fn path(&self) -> String {
        path(&self.case.label(), &self.change.label())
    }

    fn paused(&self) -> bool {
        self.change.state == ChangeState::CanaryPaused
    }
}

fn canary_runs(case: &CaseFile) -> impl Iterator<Item = &Run> {
    case.runs
        .iter()
        .rev()
        .filter(|r| r.stated.phase == Phase::Canary && r.stated.role == RunRole::Candidate)
}

fn end_page(page: Page, scene: Scene, typed: Posted, faults: Faults) -> EndPage {
    let chosen = |label: &str, first: bool| label == typed.run || (typed.run.is_empty() && first);
    let runs = canary_runs(&scene.case)
        .enumerate()
        .map(|(i, r)| {
            let label = r.label();
            let is = chosen(&label, i == 0);
            (label.clone(), format!("{label} · {}", about(&page, r)), is)
        })
        .collect();
    EndPage {
        runs,
        plan: scene
            .change
            .current()
            .map_or_else(String::new, |r| words::plan(&page, &r.terms)),
        hidden: scene.hidden(),
        page: page.at(Nav::Cases),
        change: scene.change,
        case: scene.case,
        typed,
        faults,
    }
}

/// Whether a canary can be ended now.
fn running(state: ChangeState) -> bool {
    matches!(
        state,
        ChangeState::CanaryRunning | ChangeState::CanaryPaused
    )
}

/// `GET /cases/{c}/changes/{h}/canary/end`
pub async fn page(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    reader.may(Act::Change)?;
    let mut conn = app.conn().await?;
    let scene = Scene::read(&mut conn, &reader, (&c, &h), Target::Accept, visit.now).await?;
    if !running(scene.change.state) {
        return Err(Error::Conflict);
    }
    show(&end_page(page, scene, Posted::default(), Faults::default()))
}

/// What was typed, read; faults name the field.
fn read(case: &CaseFile, change: &Change, posted: &Posted, page: &Page) -> (CanaryFact, Faults) {
    let mut faults = Faults::default();
    let run = canary_runs(case).find(|r| r.label() == posted.run);
    if run.is_none() {
        faults.add("run", page.t("canary-fault-run"));
    }
    let share = match decimal(&posted.share) {
        Ok(Some(percent)) if percent <= 100.0 => Some(percent / 100.0),
        _ => {
            faults.add("share", page.t("canary-fault-share"));
            None
        }
    };
    let requests = match whole(&posted.requests) {
        Ok(Some(n)) => Some(n),
        _ => {
            faults.add("requests", page.t("canary-fault-requests"));
            None
        }
    };
    let fact = CanaryFact {
        run_id: run.map(|r| r.id),
        share,
        requests,
        // What ran is what was started, whatever the newest revision says.
        revision_digest: change
            .last(CanaryEventKind::Started)
            .map(|e| e.revision_digest.clone())
            .unwrap_or_default(),
        note: posted.note.trim().to_owned(),
        ..CanaryFact::default()
    };
    (fact, faults)
}

/// The verdict the canary will have once `fact` is written.
pub fn foreseen(
    case: &CaseFile,
    change: &Change,
    fact: &CanaryFact,
    now: DateTime<Utc>,
) -> CanaryVerdict {
    let (mut case, mut change) = (case.clone(), change.clone());
    change.canary.push(CanaryEvent {
        kind: CanaryEventKind::Ended,
        by: Some(change.author),
        at: now,
        run_id: fact.run_id,
        share: fact.share,
        requests: fact.requests,
        revision_digest: fact.revision_digest.clone(),
        note: fact.note.clone(),
        verdict: None,
        extension: None,
        why: Vec::new(),
    });
    if let Some(kept) = case.changes.iter_mut().find(|c| c.id == change.id) {
        kept.clone_from(&change);
    }
    canary::verdict(&case, &change)
}

/// `POST /cases/{c}/changes/{h}/canary/end`
pub async fn end(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::Change)?;
    let deed = deed!(
        app,
        reader,
        visit,
        page,
        c,
        h,
        posted,
        role,
        "canary.end",
        "end.refused"
    );
    let (mut tx, scene) = match deed.begin(Target::Accept).await? {
        Begun::Before(answer) => return Ok(answer),
        Begun::Now(now) => *now,
    };
    if !running(scene.change.state) {
        return Err(Error::Conflict);
    }
    let (fact, mut faults) = read(&scene.case, &scene.change, &posted, &deed.page);
    let moved = scene.change.version != posted.version;
    if moved {
        faults.add("version", deed.page.t("decide-moved"));
    }
    let verdict = foreseen(&scene.case, &scene.change, &fact, visit.now);
    if verdict.is_pending() {
        // A verdict is for ever: it waits for the numbers it needs.
        faults.add("run", deed.page.t("canary-fault-calculating"));
    }
    if !faults.is_empty() {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        if verdict.is_pending() {
            let runs = weighing::Chosen {
                phase: Phase::Canary,
                baseline: verdict.baseline,
                candidate: verdict.candidate,
            };
            let case_id = scene.case.id;
            weighing::want_chosen(&mut *app.conn().await?, case_id, runs, visit.now).await?;
        }
        let status = if moved {
            StatusCode::CONFLICT
        } else {
            StatusCode::UNPROCESSABLE_ENTITY
        };
        return show_with(status, &end_page(deed.page, scene, posted.clone(), faults));
    }
    let verdict = foreseen(&scene.case, &scene.change, &fact, visit.now);
    let fact = CanaryFact {
        verdict: Some(verdict.whole),
        ..fact
    };
    let next = next(&scene, verdict.whole);
    let change = &scene.change;
    changes::canary(
        &mut tx,
        &deed.actor,
        scene.case.id,
        change.id,
        change.version,
        CanaryEventKind::Ended,
        &fact,
        next,
        visit.now,
    )
    .await?;
    deed.finish(tx, &format!("{}#canary", path(&c, &h))).await
}

/// Only a running canary that passes goes on; one that was paused has to run again or go back.
fn next(scene: &Scene, verdict: Whole) -> ChangeState {
    let passed = verdict == Whole::Pass;
    if passed && scene.change.state.allows(ChangeState::AwaitingPromotion) {
        ChangeState::AwaitingPromotion
    } else {
        ChangeState::CanaryEnded
    }
}
