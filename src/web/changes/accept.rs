//! Accepting a change for all traffic: the one act everything else leads to. Its page shows all
//! lines, the comparisons and the way back, to every reader; its post judges them again under the lock, and the
//! database checks at commit what must be true whatever this code thinks.

use super::approve::NOTE;
use super::deed::{Begun, deed};
use super::integrity;
use super::judging::{Posted, Scene};
use super::refusal::{self, Stop};
use super::sealing;
use crate::ladder::Sentence;
use crate::ladder::change::{ChangeState, Purpose};
use crate::ladder::decision::Kind;
use crate::ladder::gate::{Gate, Target};
use crate::ladder::policy::{Act, Role};
use crate::ladder::seen::Seen;
use crate::store::audit::Actor;
use crate::store::changes;
use crate::web::page::show;
use crate::web::{App, Error, Page, Reader, Result, form::Faults, visit::Visit};
use axum::{
    extract::{Path, State},
    response::Response,
};
use axum_extra::extract::Form;
use sqlx::PgConnection;
use uuid::Uuid;

/// `GET /cases/{c}/changes/{h}/accept`
pub async fn page(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let reviews = reader.may(Act::Review).is_ok();
    if reviews {
        reader.recent(&visit)?;
        check(&app, &reader, (&c, &h), &visit).await?;
    }
    let mut conn = app.conn().await?;
    let scene = Scene::read(&mut conn, &reader, (&c, &h), Target::Accept, visit.now).await?;
    drop(conn);
    if !scene.change.state.allows(ChangeState::Accepted) {
        let first = refusal::taken(&app, &page, &scene.case, &scene.change);
        if let Some(answer) = first.await? {
            return Ok(answer);
        }
    }
    let may_not = if reviews {
        scene.may_not(&reader)
    } else {
        Some(Sentence::new("decide-not-reviewer"))
    };
    show(&refusal::page_of(page, scene, may_not))
}

/// Compares stored bytes with their digests, where that is due, before anybody decides.
async fn check(app: &App, reader: &Reader, labels: (&str, &str), visit: &Visit) -> Result<()> {
    let mut conn = app.conn().await?;
    let scene = Scene::read(&mut conn, reader, labels, Target::Accept, visit.now).await?;
    drop(conn);
    if scene.change.state == ChangeState::AwaitingPromotion {
        integrity::refresh(app, &scene.case, &scene.gate.basis, visit.now).await?;
    }
    Ok(())
}

/// `POST /cases/{c}/changes/{h}/accept`
pub async fn accept(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    reader.recent(&visit)?;
    check(&app, &reader, (&c, &h), &visit).await?;
    let deed = deed!(
        app,
        reader,
        visit,
        page,
        c,
        h,
        posted,
        role,
        "decision.accept",
        "accept.refused"
    );
    let (mut tx, scene) = match deed.begin(Target::Accept).await? {
        Begun::Before(answer) => return Ok(answer),
        Begun::Now(now) => *now,
    };
    if !scene.change.state.allows(ChangeState::Accepted) {
        let first = refusal::already(&app, &deed.page, &scene.case, &scene.change, &posted.note);
        if let Some(answer) = first.await? {
            return Ok(answer);
        }
    }
    if let Some(stop) = stop(&scene, &reader, &posted, &deed.page) {
        return deed.stop(tx, scene, stop).await;
    }
    match write(
        &mut tx,
        &deed.actor,
        (&scene, &scene.gate),
        &reader,
        role,
        &posted,
        &visit,
        &app,
    )
    .await
    {
        Ok(decision) => {
            let path = format!("/decisions/{decision}");
            match deed.finish(tx, &path).await {
                Ok(answer) => Ok(answer),
                Err(error) => deed.ruled(scene, error).await,
            }
        }
        Err(error) => {
            tx.rollback().await.map_err(crate::store::Error::from)?;
            deed.ruled(scene, error).await
        }
    }
}

/// Everything that keeps the acceptance from being written, the gravest first.
fn stop(scene: &Scene, reader: &Reader, posted: &Posted, page: &Page) -> Option<Stop> {
    if let Some(why) = scene.may_not(reader) {
        return Some(Stop::MayNot(why));
    }
    if scene.moved(posted) {
        return Some(Stop::Moved);
    }
    if !scene.ready() {
        return Some(Stop::NotReady);
    }
    if crate::web::form::visible(&posted.note) < NOTE {
        let mut faults = Faults::default();
        faults.add("note", page.t("decide-fault-note"));
        return Some(Stop::Faults(faults));
    }
    None
}

/// Writes the promotion's approval, the sealed decision and the new state.
#[allow(clippy::too_many_arguments)] // what an acceptance is made of
async fn write(
    conn: &mut PgConnection,
    actor: &Actor,
    (scene, gate): (&Scene, &Gate),
    reader: &Reader,
    role: Role,
    posted: &Posted,
    visit: &Visit,
    app: &App,
) -> Result<Uuid> {
    let (case, change) = (&scene.case, &scene.change);
    let contract = case.contract.as_ref().ok_or(Error::Conflict)?;
    let on = changes::GivenOn {
        revision_digest: scene.revision()?.digest.clone(),
        basis_digest: gate.basis.digest(),
        contract_version_id: contract.id,
        seen: Seen::of(case, change),
    };
    let purpose = Purpose::Promotion;
    changes::approve(conn, actor, case.id, change.id, purpose, &on, visit.now).await?;
    let sealed = sealing::seal(
        scene,
        reader,
        role,
        Kind::Accepted,
        &posted.note,
        visit,
        app,
    )?;
    let decision = sealing::keep(conn, actor, scene, &sealed, visit.now).await?;
    let mut version = change.version;
    if change.state == ChangeState::CanaryEnded {
        // The gate is open here only because an override stands for the canary's minimum.
        let next = ChangeState::AwaitingPromotion;
        let act = "change.pass_by_override";
        changes::advance(
            conn, actor, case.id, change.id, version, next, act, None, visit.now,
        )
        .await?;
        version += 1;
    }
    changes::advance(
        conn,
        actor,
        case.id,
        change.id,
        version,
        ChangeState::Accepted,
        "change.accept",
        Some(&posted.note),
        visit.now,
    )
    .await?;
    Ok(decision)
}
