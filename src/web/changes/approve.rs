//! Approving a change's canary, and rejecting a change: by a reviewer who did not contribute.

use super::deed::{Begun, deed};
use super::judging::Posted;
use super::refusal::{self, Stop};
use super::{confirm, path, sealing};
use crate::ladder::change::{CanaryEventKind, Change, ChangeState, Purpose};
use crate::ladder::decision::Kind;
use crate::ladder::gate::{self, Target};
use crate::ladder::policy::Act;
use crate::ladder::seen::Seen;
use crate::store::audit::Actor;
use crate::store::{case_file, changes};
use crate::web::page::show;
use crate::web::{App, Error, Page, Reader, Result, form::Faults, visit::Visit};
use axum::{
    extract::{Path, State},
    response::Response,
};
use axum_extra::extract::Form;
use sqlx::PgConnection;
use uuid::Uuid;

/// Fewest characters of a note that a decision is sealed with.
pub const NOTE: usize = 5;

/// `POST /cases/{c}/changes/{h}/approve`
pub async fn approve(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    reader.recent(&visit)?;
    let deed = deed!(
        app,
        reader,
        visit,
        page,
        c,
        h,
        posted,
        role,
        "change.approve",
        "approve.refused"
    );
    let (mut tx, scene) = match deed.begin(Target::Approve).await? {
        Begun::Before(answer) => return Ok(answer),
        Begun::Now(now) => *now,
    };
    if let Some(why) = scene.may_not(&reader) {
        return deed.stop(tx, scene, Stop::MayNot(why)).await;
    }
    if scene.moved(&posted) {
        return deed.stop(tx, scene, Stop::Moved).await;
    }
    if !scene.ready() {
        return deed.stop(tx, scene, Stop::NotReady).await;
    }
    let (case_id, change) = (scene.case.id, &scene.change);
    let Some(contract) = &scene.case.contract else {
        return Err(Error::Conflict);
    };
    let on = changes::GivenOn {
        revision_digest: scene.revision()?.digest.clone(),
        basis_digest: scene.gate.basis.digest(),
        contract_version_id: contract.id,
        seen: Seen::of(&scene.case, change),
    };
    let actor = &deed.actor;
    changes::approve(
        &mut tx,
        actor,
        case_id,
        change.id,
        Purpose::Canary,
        &on,
        visit.now,
    )
    .await?;
    let now = case_file::load(&mut tx, case_id).await?;
    let counting = now.change(change.id).map_or(0, |change| {
        gate::approvals(&now, change, &now.policy, visit.now)
            .iter()
            .filter(|a| a.counts())
            .count()
    });
    let needed = now
        .change(change.id)
        .map_or(usize::MAX, |c| gate::approvals_needed(c, &now.policy));
    let waits = change.state == ChangeState::Submitted;
    if waits && counting >= needed {
        let next = ChangeState::ApprovedForCanary;
        let (id, version) = (change.id, change.version);
        changes::advance(
            &mut tx,
            actor,
            case_id,
            id,
            version,
            next,
            "change.approved",
            None,
            visit.now,
        )
        .await?;
    }
    deed.finish(tx, &path(&c, &h)).await
}

/// `POST /cases/{c}/changes/{h}/reject`
pub async fn reject(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    reader.recent(&visit)?;
    let deed = deed!(
        app,
        reader,
        visit,
        page,
        c,
        h,
        posted,
        role,
        "decision.reject",
        "reject.refused"
    );
    let (mut tx, scene) = match deed.begin(Target::Approve).await? {
        Begun::Before(answer) => return Ok(answer),
        Begun::Now(now) => *now,
    };
    if let Some(why) = scene.may_not(&reader) {
        return deed.stop(tx, scene, Stop::MayNot(why)).await;
    }
    let promoting = scene.change.state == ChangeState::AwaitingPromotion;
    if !promoting && !scene.change.state.allows(ChangeState::Rejected) {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let (case, change) = (&scene.case, &scene.change);
        let first = refusal::already(&app, &deed.page, case, change, &posted.note).await?;
        return first.ok_or(Error::Conflict);
    }
    if scene.change.version != posted.version || scene.revision()?.digest != posted.revision {
        return deed.stop(tx, scene, Stop::Moved).await;
    }
    if crate::web::form::visible(&posted.note) < NOTE {
        let mut faults = Faults::default();
        faults.add("note", deed.page.t("decide-fault-note"));
        return deed.stop(tx, scene, Stop::Faults(faults)).await;
    }
    let sealed = sealing::seal(
        &scene,
        &reader,
        role,
        Kind::Rejected,
        &posted.note,
        &visit,
        &app,
    )?;
    let (case_id, change) = (scene.case.id, &scene.change);
    if promoting {
        recall(&mut tx, &deed.actor, case_id, change, &posted.note, &visit).await?;
    } else {
        let (id, version, next) = (change.id, change.version, ChangeState::Rejected);
        let words = Some(posted.note.as_str());
        changes::advance(
            &mut tx,
            &deed.actor,
            case_id,
            id,
            version,
            next,
            "change.reject",
            words,
            visit.now,
        )
        .await?;
    }
    let decision = sealing::keep(&mut tx, &deed.actor, &scene, &sealed, visit.now).await?;
    deed.finish(tx, &format!("/decisions/{decision}")).await
}

/// A reviewer refuses the promotion: the change goes back, and its candidate is in service until
/// somebody states that the old value is.
///
/// # Errors
/// `Conflict` when it moved since it was loaded.
pub async fn recall(
    conn: &mut PgConnection,
    actor: &Actor,
    case_id: Uuid,
    change: &Change,
    note: &str,
    visit: &Visit,
) -> Result<()> {
    let fact = super::canary::plain_fact(change, note);
    changes::canary(
        conn,
        actor,
        case_id,
        change.id,
        change.version,
        CanaryEventKind::Recalled,
        &fact,
        ChangeState::RolledBack,
        visit.now,
    )
    .await?;
    Ok(())
}

/// `GET /cases/{c}/changes/{h}/approve`: the gate before an approval, for whoever reloads the
/// answer to a refused one.
pub async fn page(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
) -> Result<Response> {
    reader.may(Act::Review)?;
    let mut conn = app.conn().await?;
    let now = visit.now;
    let scene =
        super::judging::Scene::read(&mut conn, &reader, (&c, &h), Target::Approve, now).await?;
    let may_not = scene.may_not(&reader);
    let confirm = confirm::of(&page, &scene, &reader, now);
    show(&refusal::page_of(page, scene, may_not).confirming(confirm))
}
