//! Requests for changes: a reviewer asks, and what was asked blocks until a reviewer who did not
//! contribute clears it.

use super::approve::recall;
use super::judging::Posted;
use super::{change_of, locked, path, show, to};
use crate::ladder::change::ChangeState;
use crate::ladder::contributor;
use crate::ladder::policy::Act;
use crate::store::changes;
use crate::web::{App, Error, Page, Reader, Result, say, visit::Visit};
use axum::{
    extract::{Path, State},
    response::Response,
};
use axum_extra::extract::Form;
use uuid::Uuid;

/// Fewest characters of a point, and of the words a request is cleared with.
const WORDS: usize = 5;

fn too_short(text: &str) -> bool {
    crate::web::form::visible(text) < WORDS
}

/// `POST /cases/{c}/changes/{h}/request-changes`
pub async fn ask(
    State(app): State<App>,
    Path((c, h)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let change = change_of(&case, &h)?;
    if change.state.is_terminal() {
        return Err(Error::Conflict);
    }
    if too_short(&posted.note) {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let fault = (
            "points",
            page.t("review-fault-points"),
            posted.note.as_str(),
        );
        return show::again(&app, &reader, page, &visit, (&c, &h), fault).await;
    }
    let actor = reader.actor(&visit, Some(role));
    changes::request_changes(&mut tx, &actor, case.id, change.id, &posted.note, visit.now).await?;
    if change.state == ChangeState::AwaitingPromotion {
        // What is asked for needs another revision, and that starts over.
        recall(&mut tx, &actor, case.id, change, &posted.note, &visit).await?;
    }
    app.commit(tx).await?;
    Ok(to(&format!("{}#review", path(&c, &h))))
}

/// `POST /cases/{c}/changes/{h}/requests/{id}/clear`
pub async fn clear(
    State(app): State<App>,
    Path((c, h, id)): Path<(String, String, Uuid)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(posted): Form<Posted>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let change = change_of(&case, &h)?;
    let back = path(&c, &h);
    let why = contributor::may_decide(&case, change, reader.id).err();
    let fault = match why {
        Some(why) => Some(say::sentence(page.lang, &why)),
        None => too_short(&posted.note).then(|| page.t("review-fault-cleared")),
    };
    if let Some(message) = fault {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let fault = ("cleared", message, posted.note.as_str());
        return show::again(&app, &reader, page, &visit, (&c, &h), fault).await;
    }
    let open = change
        .requests
        .iter()
        .find(|r| r.id == id)
        .ok_or(Error::NotFound)?;
    if open.cleared.is_some() {
        return Ok(to(&format!("{back}#review")));
    }
    let actor = reader.actor(&visit, Some(role));
    changes::clear_request(
        &mut tx,
        &actor,
        case.id,
        change.id,
        id,
        &posted.note,
        visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(to(&format!("{back}#review")))
}
