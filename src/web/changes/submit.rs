//! Submitting a change, which freezes its revision, and withdrawing one before its canary.

use super::deed::{Begun, deed};
use super::edit::editable;
use super::judging::Posted;
use super::refusal::Stop;
use super::{change_of, locked, path, show, to};
use crate::ladder::change::ChangeState;
use crate::ladder::gate::{self, Target};
use crate::ladder::policy::Act;
use crate::store::audit::Actor;
use crate::store::{case_file, changes};
use crate::web::{App, Error, Page, Reader, Result, visit::Visit};
use axum::{
    extract::{Path, State},
    response::Response,
};
use axum_extra::extract::Form;
use sqlx::PgConnection;
use uuid::Uuid;

/// `POST /cases/{c}/changes/{h}/submit`
pub async fn submit(
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
        "change.submit",
        "submit.refused"
    );
    let (mut tx, scene) = match deed.begin(Target::Submit).await? {
        Begun::Before(answer) => return Ok(answer),
        Begun::Now(now) => *now,
    };
    if scene.moved(&posted) {
        return deed.stop(tx, scene, Stop::Moved).await;
    }
    if !scene.ready() {
        return deed.stop(tx, scene, Stop::NotReady).await;
    }
    let (case_id, change) = (scene.case.id, &scene.change);
    changes::submit(
        &mut tx,
        &deed.actor,
        case_id,
        change.id,
        change.version,
        visit.now,
    )
    .await?;
    let (id, version) = (change.id, change.version);
    agreed(&mut tx, &deed.actor, (case_id, id), version, &visit).await?;
    deed.finish(tx, &path(&c, &h)).await
}

/// A standard change was agreed to before: once submitted, its canary may start.
async fn agreed(
    conn: &mut PgConnection,
    actor: &Actor,
    (case_id, change_id): (Uuid, Uuid),
    version: i32,
    visit: &Visit,
) -> Result<()> {
    let case = case_file::load(conn, case_id).await?;
    let submitted = case.change(change_id).ok_or(Error::NotFound)?;
    if gate::approvals_needed(submitted, &case.policy) > 0 {
        return Ok(());
    }
    let next = ChangeState::ApprovedForCanary;
    changes::advance(
        conn,
        actor,
        case_id,
        change_id,
        version + 1,
        next,
        "change.approved",
        None,
        visit.now,
    )
    .await?;
    Ok(())
}

/// `POST /cases/{c}/changes/{h}/withdraw`: by its author or the case's owner, with a reason.
pub async fn withdraw(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::Change)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let change = change_of(&case, &h)?;
    if change.state == ChangeState::Withdrawn {
        return Ok(to(&path(&c, &h)));
    }
    let theirs = change.author == reader.id || case.owner == Some(reader.id);
    if !theirs {
        return Err(Error::Forbidden(Act::Change));
    }
    if !editable(change.state) || change.version != posted.version {
        return Err(Error::Conflict);
    }
    if crate::web::form::visible(&posted.note) < 3 {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let fault = (
            "reason",
            page.t("change-fault-reason"),
            posted.note.as_str(),
        );
        return show::again(&app, &reader, page, &visit, (&c, &h), fault).await;
    }
    let actor = reader.actor(&visit, Some(role));
    changes::advance(
        &mut tx,
        &actor,
        case.id,
        change.id,
        change.version,
        ChangeState::Withdrawn,
        "change.withdraw",
        Some(&posted.note),
        visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(to(&path(&c, &h)))
}
