//! Taking a change back. No gate, no review, no open question and no closed case stands in its
//! way: a role and a reason are all it takes.

use super::canary::plain_fact;
use super::deed::deed;
use super::judging::{Hidden, Posted, Scene, checks};
use super::{change_of, held, path, sealing, to, words};
use crate::ladder::CaseFile;
use crate::ladder::change::{CanaryEventKind, Change, ChangeState};
use crate::ladder::decision::Kind;
use crate::ladder::gate::{self, Target};
use crate::ladder::policy::Act;
use crate::store::changes;
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
use sqlx::PgConnection;

/// Fewest characters of a reason.
const REASON: usize = 3;

#[derive(Template)]
#[template(path = "changes/roll_back.html")]
struct RollBackPage {
    page: Page,
    case: CaseFile,
    change: Change,
    state: String,
    thresholds: Vec<String>,
    faults: Faults,
    note: String,
    hidden: Hidden,
}

impl RollBackPage {
    fn path(&self) -> String {
        path(&self.case.label(), &self.change.label())
    }
}

fn confirm(page: Page, scene: Scene, note: &str, faults: Faults) -> RollBackPage {
    RollBackPage {
        state: words::state(&page, scene.change.state),
        thresholds: scene
            .change
            .current()
            .map(|r| words::thresholds(&page, &r.terms))
            .unwrap_or_default(),
        hidden: scene.hidden(),
        page: page.at(Nav::Cases),
        change: scene.change,
        case: scene.case,
        note: note.to_owned(),
        faults,
    }
}

/// `GET /cases/{c}/changes/{h}/roll-back`
pub async fn page(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    reader.may(Act::RollBack)?;
    let mut conn = app.conn().await?;
    let scene = Scene::read(&mut conn, &reader, (&c, &h), Target::Accept, visit.now).await?;
    if !can(&scene.change) {
        return Ok(to(&path(&c, &h)));
    }
    show(&confirm(page, scene, "", Faults::default()))
}

/// Whether there is something to take back, or the old value has still to be stated.
fn can(change: &Change) -> bool {
    change.state.allows(ChangeState::RolledBack) || change.still_in_service()
}

/// The scene under the lock, even when the case is closed.
async fn scene(
    conn: &mut PgConnection,
    reader: &Reader,
    (c, h): (&str, &str),
    now: DateTime<Utc>,
) -> Result<Scene> {
    let case = held(conn, reader, c).await?;
    let change = change_of(&case, h)?.clone();
    let checks = checks(conn, case.id).await?;
    let gate = gate::judge(&case, &case.policy, Target::Accept, &checks, now);
    Ok(Scene {
        case,
        change,
        gate,
        checks,
        seq: 0,
    })
}

/// `POST /cases/{c}/changes/{h}/roll-back`
pub async fn roll_back(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::RollBack)?;
    let deed = deed!(
        app,
        reader,
        visit,
        page,
        c,
        h,
        posted,
        role,
        "canary.roll_back",
        "roll_back.refused"
    );
    let mut tx = app.begin().await?;
    if let Some(done) = deed.claim(&mut tx).await? {
        return Ok(done);
    }
    let scene = scene(&mut tx, &reader, (&c, &h), visit.now).await?;
    if !can(&scene.change) {
        return match scene.change.state {
            ChangeState::RolledBack => Ok(to(&path(&c, &h))),
            _ => Err(Error::Conflict),
        };
    }
    let reason = posted.note.trim();
    if crate::web::form::visible(reason) < REASON {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let mut faults = Faults::default();
        faults.add("note", deed.page.t("rollback-fault-reason"));
        let shown = confirm(deed.page, scene, &posted.note, faults);
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &shown);
    }
    let change = &scene.change;
    // A recalled change is taken back already; what is missing is that the old value is in service.
    let kind = if change.state == ChangeState::RolledBack {
        CanaryEventKind::Restored
    } else {
        CanaryEventKind::RolledBack
    };
    // The version of now, not of the page: whoever takes a change back wants it back whatever moved.
    changes::canary(
        &mut tx,
        &deed.actor,
        scene.case.id,
        change.id,
        change.version,
        kind,
        &plain_fact(change, reason),
        ChangeState::RolledBack,
        visit.now,
    )
    .await?;
    let note = sealed_note(reason);
    let sealed = sealing::seal(&scene, &reader, role, Kind::RolledBack, &note, &visit, &app)?;
    sealing::keep(&mut tx, &deed.actor, &scene, &sealed, visit.now).await?;
    deed.finish(tx, &path(&c, &h)).await
}

/// A sealed note has at least five characters; a reason in an emergency may have three.
fn sealed_note(reason: &str) -> String {
    if crate::web::form::visible(reason) < super::approve::NOTE {
        format!("roll back: {reason}")
    } else {
        reason.to_owned()
    }
}
