//! What a reviewer who contributed nothing vouches for: a statement that a file contradicts, and a
//! number that somebody attests. A refused attempt is written to the log.

use crate::{
    ladder::{
        CaseFile, Sentence, attested, contributor, digest,
        evidence::Contradiction,
        policy::{Act, Role},
    },
    store::{self, audit, vouched},
    web::{App, Error, Page, Reader, Result, evidence_acts, form, runs, say, visit::Visit},
};
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

/// The key of a contradiction in a form.
pub fn key_of(found: &Contradiction) -> String {
    let id = digest(found);
    id.get(..24).unwrap_or(&id).to_owned()
}

/// The form that accepts a contradiction.
#[derive(Debug, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub struct Accepting {
    /// Which one.
    pub contradiction: String,
    /// Why.
    pub reason: String,
}

/// `POST /evidence/{ev}/contradictions`
///
/// # Errors
/// Invalid without a reason, when the contradiction is gone, or for somebody who contributed.
pub async fn accept(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Accepting>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    if form::visible(&typed.reason) < 10 {
        return Err(Error::Invalid(page.t("contradiction-fault-reason")));
    }
    let mut tx = app.begin().await?;
    let (case, item) = evidence_acts::held(&mut tx, &reader, &label).await?;
    let run = case.run(item.run_id).ok_or(Error::NotFound)?;
    let found = item
        .contradictions(run)
        .into_iter()
        .find(|c| key_of(c) == typed.contradiction);
    let who = (&reader, role, &visit);
    if let Err(why) = contributor::may_accept(&case, &item, reader.id) {
        tx.rollback().await.map_err(store::Error::from)?;
        return refuse(
            &app,
            &page,
            &case,
            who,
            ("evidence", item.id.to_string()),
            why,
        )
        .await;
    }
    let Some(found) = found else {
        return Err(Error::Invalid(page.t("contradiction-gone")));
    };
    let actor = reader.actor(&visit, Some(role));
    let done = vouched::accept_contradiction(
        &mut tx,
        &actor,
        case.id,
        &item,
        &found,
        &typed.reason,
        visit.now,
    )
    .await;
    if let Err(error) = done {
        return ruled(&page, &reader, error, "contributor-stated");
    }
    app.commit_settled(tx, case.id, visit.now).await?;
    Ok(Redirect::to(&format!("/evidence/{label}#checks")).into_response())
}

/// The form that countersigns or declines.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Answering {
    /// `agree` or `decline`.
    pub answer: String,
    /// Why it is declined.
    pub reason: String,
}

/// `POST /cases/{case}/attested/{a}`
///
/// # Errors
/// Invalid without a reason for a decline, or for somebody who contributed; not found.
pub async fn answer(
    State(app): State<App>,
    Path((label, a)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Answering>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    let agrees = match typed.answer.as_str() {
        "agree" => true,
        "decline" if form::visible(&typed.reason) >= 5 => false,
        _ => return Err(Error::Invalid(page.t("attested-fault-reason"))),
    };
    let number = runs::number_of(&a, "A").ok_or(Error::NotFound)?;
    let mut tx = app.begin().await?;
    let case = runs::locked(&mut tx, &reader, &label).await?;
    let attested = case
        .attested
        .iter()
        .find(|x| i64::from(x.number) == number)
        .ok_or(Error::NotFound)?;
    let who = (&reader, role, &visit);
    if let Err(why) = attested::may_countersign(&case, attested, reader.id) {
        tx.rollback().await.map_err(store::Error::from)?;
        return refuse(
            &app,
            &page,
            &case,
            who,
            ("attested", attested.id.to_string()),
            why,
        )
        .await;
    }
    let source = case.item(attested.evidence_id).map(|e| e.label());
    let actor = reader.actor(&visit, Some(role));
    let of = (case.id, attested.id);
    let done = vouched::answer(&mut tx, &actor, of, agrees, &typed.reason, visit.now).await;
    if let Err(error) = done {
        return ruled(&page, &reader, error, "contributor-attester");
    }
    app.commit_settled(tx, case.id, visit.now).await?;
    let back = source.map_or_else(
        || format!("/cases/{label}"),
        |ev| format!("/evidence/{ev}#attested"),
    );
    Ok(Redirect::to(&back).into_response())
}

/// Writes the attempt to the log and says why nothing happened.
async fn refuse(
    app: &App,
    page: &Page,
    case: &CaseFile,
    (reader, role, visit): (&Reader, Role, &Visit),
    object: (&'static str, String),
    why: Sentence,
) -> Result<Response> {
    let mut tx = app.begin().await?;
    let act = audit::Act {
        act: "vouch.refused",
        object,
        case_id: Some(case.id),
        detail: serde_json::json!({ "why": why }),
        ..audit::Act::default()
    };
    audit::append(&mut tx, &reader.actor(visit, Some(role)), act, visit.now).await?;
    app.commit(tx).await?;
    let said = say::sentence(page.lang, &why);
    Err(Error::Invalid(format!(
        "{} {said}",
        page.t("vouch-refused")
    )))
}

/// The database's own refusal, in the words of the rule it stands for.
fn ruled(page: &Page, reader: &Reader, error: store::Error, key: &str) -> Result<Response> {
    match error {
        store::Error::Refused { constraint, .. } if constraint.contains("outside_reviewer") => {
            let said = page.t1(key, "person", &reader.name);
            Err(Error::Invalid(format!(
                "{} {said}",
                page.t("vouch-refused")
            )))
        }
        other => Err(other.into()),
    }
}
