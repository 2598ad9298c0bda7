//! The watcher's word, and the extension of a canary that could not be judged.

use super::canary::plain_fact;
use super::deed::{Begun, deed};
use super::judging::Posted;
use super::refusal::Stop;
use super::terms::{decimal, seconds, whole};
use super::{change_of, locked, path, to};
use crate::ladder::change::{CanaryEventKind, Change, ChangeState, Extension, Whole};
use crate::ladder::gate::{self, Target};
use crate::ladder::policy::Act;
use crate::store::canary;
use crate::store::changes::{self, CanaryFact};
use crate::web::{App, Error, Page, Reader, Result, form::Faults, visit::Visit};
use axum::{
    extract::{Path, State},
    response::Response,
};
use axum_extra::extract::Form;

/// `POST /cases/{c}/changes/{h}/presence`: by the watcher's own account, whoever that is.
pub async fn present(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    visit: Visit,
) -> Result<Response> {
    let role = reader.may(Act::RollBack)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let change = change_of(&case, &h)?;
    let revision = change.current().ok_or(Error::NotFound)?;
    let watcher = gate::watcher(&case, &revision.terms.plan);
    if watcher.is_none_or(|w| w.id != reader.id) {
        return Err(Error::Forbidden(Act::RollBack));
    }
    if change.state.is_terminal() || change.state == ChangeState::Draft {
        return Err(Error::Conflict);
    }
    let actor = reader.actor(&visit, Some(role));
    canary::present(&mut tx, &actor, case.id, change.id, visit.now).await?;
    app.commit(tx).await?;
    Ok(to(&format!("{}#canary", path(&c, &h))))
}

/// Whether a canary can be extended: it ended inconclusive and was not extended before.
pub fn extendable(change: &Change) -> bool {
    change.state == ChangeState::CanaryEnded
        && change.last(CanaryEventKind::Extended).is_none()
        && change
            .ended()
            .is_some_and(|e| e.verdict == Some(Whole::Inconclusive))
}

/// The new limits as typed. They may widen the plan's or narrow them; what was exposed already
/// counts.
fn limits(posted: &Posted, page: &Page) -> std::result::Result<Extension, Faults> {
    let mut faults = Faults::default();
    let share = match decimal(&posted.share) {
        Ok(Some(percent)) if percent > 0.0 && percent <= 100.0 => Some(percent / 100.0),
        _ => {
            faults.add("share", page.t("canary-fault-share"));
            None
        }
    };
    let requests = match whole(&posted.requests) {
        Ok(Some(n)) if n > 0 => Some(n),
        _ => {
            faults.add("requests", page.t("canary-fault-requests"));
            None
        }
    };
    let most = seconds(&posted.minutes, "minutes", page, &mut faults).filter(|s| *s > 0);
    if most.is_none() && faults.of("minutes").is_none() {
        faults.add("minutes", page.t("change-fault-minutes"));
    }
    if crate::web::form::visible(&posted.note) < super::approve::NOTE {
        faults.add("note", page.t("decide-fault-note"));
    }
    match (share, requests, most) {
        (Some(share_ceiling), Some(max_requests), Some(max_seconds)) if faults.is_empty() => {
            Ok(Extension {
                share_ceiling,
                max_requests,
                max_seconds,
            })
        }
        _ => Err(faults),
    }
}

/// `POST /cases/{c}/changes/{h}/canary/extend`: once, by a reviewer who did not contribute.
pub async fn extend(
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
        "canary.extend",
        "extend.refused"
    );
    let (mut tx, scene) = match deed.begin(Target::StartCanary).await? {
        Begun::Before(answer) => return Ok(answer),
        Begun::Now(now) => *now,
    };
    if let Some(why) = scene.may_not(&reader) {
        return deed.stop(tx, scene, Stop::MayNot(why)).await;
    }
    if !extendable(&scene.change) {
        let rule = "canary_extended_once".to_owned();
        return deed.stop(tx, scene, Stop::Rule(rule)).await;
    }
    if scene.change.version != posted.version {
        return deed.stop(tx, scene, Stop::Moved).await;
    }
    if !super::canary::still_open(&scene.gate) {
        return deed.stop(tx, scene, Stop::NotReady).await;
    }
    let extension = match limits(&posted, &deed.page) {
        Ok(extension) => extension,
        Err(faults) => return deed.stop(tx, scene, Stop::Faults(faults)).await,
    };
    let change = &scene.change;
    let fact = CanaryFact {
        extension: Some(extension),
        ..plain_fact(change, &posted.note)
    };
    let extended = changes::canary(
        &mut tx,
        &deed.actor,
        scene.case.id,
        change.id,
        change.version,
        CanaryEventKind::Extended,
        &fact,
        ChangeState::CanaryRunning,
        visit.now,
    )
    .await;
    match extended {
        Ok(()) => deed.finish(tx, &format!("{}#canary", path(&c, &h))).await,
        Err(error) => {
            tx.rollback().await.map_err(crate::store::Error::from)?;
            deed.ruled(scene, error.into()).await
        }
    }
}
