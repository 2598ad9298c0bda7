//! Starting, pausing and resuming a canary. Pausing is a safety act: no gate stands in its way.

use super::deed::{Begun, deed};
use super::judging::{Posted, Scene};
use super::refusal::{self, Stop};
use super::{change_of, locked, path, to};
use crate::ladder::change::{CanaryEventKind, Change, ChangeState};
use crate::ladder::gate::{Gate, Target};
use crate::ladder::policy::Act;
use crate::store::changes::{self, CanaryFact};
use crate::web::page::show;
use crate::web::{App, Error, Page, Reader, Result, visit::Visit};
use axum::{
    extract::{Path, State},
    response::Response,
};
use axum_extra::extract::Form;

/// What a canary event without a run of its own says.
pub fn plain_fact(change: &Change, note: &str) -> CanaryFact {
    CanaryFact {
        revision_digest: change
            .current()
            .map(|r| r.digest.clone())
            .unwrap_or_default(),
        note: note.trim().to_owned(),
        ..CanaryFact::default()
    }
}

/// `GET /cases/{c}/changes/{h}/canary/start`
pub async fn start_page(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    reader.may(Act::Change)?;
    let mut conn = app.conn().await?;
    let scene = Scene::read(&mut conn, &reader, (&c, &h), Target::StartCanary, visit.now).await?;
    show(&refusal::page_of(page, scene, None))
}

/// `POST /cases/{c}/changes/{h}/canary/start`
pub async fn start(
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
        "canary.start",
        "start.refused"
    );
    let (mut tx, scene) = match deed.begin(Target::StartCanary).await? {
        Begun::Before(answer) => return Ok(answer),
        Begun::Now(now) => *now,
    };
    if scene.moved(&posted) {
        return deed.stop(tx, scene, Stop::Moved).await;
    }
    if !scene.ready() {
        return deed.stop(tx, scene, Stop::NotReady).await;
    }
    let change = &scene.change;
    let started = changes::canary(
        &mut tx,
        &deed.actor,
        scene.case.id,
        change.id,
        change.version,
        CanaryEventKind::Started,
        &plain_fact(change, &posted.note),
        ChangeState::CanaryRunning,
        visit.now,
    )
    .await;
    match started {
        Ok(()) => deed.finish(tx, &format!("{}#canary", path(&c, &h))).await,
        Err(error) => {
            tx.rollback().await.map_err(crate::store::Error::from)?;
            deed.ruled(scene, error.into()).await
        }
    }
}

/// `POST /cases/{c}/changes/{h}/canary/pause`
pub async fn pause(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::RollBack)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let change = change_of(&case, &h)?;
    let back = format!("{}#canary", path(&c, &h));
    match change.state {
        ChangeState::CanaryPaused => return Ok(to(&back)),
        ChangeState::CanaryRunning => {}
        _ => return Err(Error::Conflict),
    }
    // The version of now, not of the page: whoever wants a pause wants it whatever moved.
    changes::canary(
        &mut tx,
        &reader.actor(&visit, Some(role)),
        case.id,
        change.id,
        change.version,
        CanaryEventKind::Paused,
        &plain_fact(change, &posted.note),
        ChangeState::CanaryPaused,
        visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(to(&back))
}

/// Whether the gate of the start still holds, but for the state the change was then in and the
/// window it had to start in.
pub fn still_open(gate: &Gate) -> bool {
    gate.lines
        .iter()
        .filter(|l| l.id != "revision" && l.id != "start_window")
        .all(|l| l.status.is_satisfied())
}

/// `POST /cases/{c}/changes/{h}/canary/resume`
pub async fn resume(
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
        "canary.resume",
        "resume.refused"
    );
    let (mut tx, scene) = match deed.begin(Target::StartCanary).await? {
        Begun::Before(answer) => return Ok(answer),
        Begun::Now(now) => *now,
    };
    let change = &scene.change;
    if change.state != ChangeState::CanaryPaused || change.version != posted.version {
        return deed.stop(tx, scene, Stop::Moved).await;
    }
    if !scene.is_live() || !still_open(&scene.gate) {
        return deed.stop(tx, scene, Stop::NotReady).await;
    }
    changes::canary(
        &mut tx,
        &deed.actor,
        scene.case.id,
        change.id,
        change.version,
        CanaryEventKind::Resumed,
        &plain_fact(change, &posted.note),
        ChangeState::CanaryRunning,
        visit.now,
    )
    .await?;
    deed.finish(tx, &format!("{}#canary", path(&c, &h))).await
}
