//! `/cases/{c}/overrides/{id}`: an override with the gate as it stood, its co-signature, and its
//! retrospective review.

use super::{mark, path, what};
use crate::ladder::break_glass::{self, Override, REVIEW_WORDS, Standing, Verdict};
use crate::ladder::gate::Gate;
use crate::ladder::policy::Act;
use crate::ladder::{CaseFile, Sentence};
use crate::store::audit::{self, Actor};
use crate::store::overrides;
use crate::web::changes::words::{self, LineView, Mark};
use crate::web::changes::{case_of, locked, to};
use crate::web::page::{Nav, show, show_with};
use crate::web::{
    App, Error, Page, Reader, Result,
    form::{Faults, visible},
    format::{self, Markup},
    say,
    visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use axum_extra::extract::Form;
use serde::Deserialize;
use uuid::Uuid;

/// What the two forms send.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    note: String,
    verdict: String,
}

#[derive(Template)]
#[template(path = "overrides/show.html")]
struct ShowPage {
    page: Page,
    case: CaseFile,
    used: Override,
    change: String,
    mark: Mark,
    by: String,
    at: Markup,
    until: Markup,
    due: Markup,
    overdue: bool,
    what: String,
    category: String,
    lines: Vec<LineView>,
    headline: String,
    cosigned: Option<(String, Markup, String)>,
    cosign_overdue: bool,
    reviewed: Option<(String, Markup, String, String)>,
    may_cosign: bool,
    may_review: bool,
    who_cosigns: String,
    who_reviews: String,
    verdicts: Vec<(&'static str, String, bool)>,
    may_not: Option<String>,
    faults: Faults,
    note: String,
}

impl ShowPage {
    fn path(&self) -> String {
        path(&self.case.label(), self.used.id)
    }

    fn digest(&self, digest: &str) -> String {
        format::short_digest(digest).to_owned()
    }
}

fn find(case: &CaseFile, id: &str) -> Result<Override> {
    let id: Uuid = id.parse().map_err(|_| Error::NotFound)?;
    case.used_override(id).cloned().ok_or(Error::NotFound)
}

/// Whether the review may be given yet: it looks back.
fn is_over(case: &CaseFile, used: &Override, page: &Page) -> bool {
    let standing = break_glass::standing(case, used, page.now);
    !standing.counts() && standing != Standing::Waiting
}

fn show_page(page: Page, case: CaseFile, used: Override, gate: &Gate) -> ShowPage {
    let standing = break_glass::standing(&case, &used, page.now);
    let me = page.reader.as_ref().map(|r| r.id).unwrap_or_default();
    let cosigns = |p: Uuid| break_glass::may_cosign(&case, &used, p);
    let reviews = |p: Uuid| break_glass::may_review(&case, &used, p);
    let say = |s: &Sentence| say::sentence(page.lang, s);
    ShowPage {
        change: case
            .change(used.change_id)
            .map_or_else(String::new, crate::ladder::change::Change::label),
        mark: mark(&page, standing),
        by: case.name_of(used.by),
        at: page.time(&used.at),
        until: page.time(&used.until),
        due: page.time(&used.review_due),
        overdue: used.review.is_none() && page.now > used.review_due,
        what: what(&page, &used.what),
        category: page.t(&say::key("override-category", used.category.id())),
        lines: words::lines(&page, gate),
        headline: say(&gate.headline()),
        cosigned: used
            .cosigned
            .as_ref()
            .map(|c| (case.name_of(c.by), page.time(&c.at), c.note.clone())),
        cosign_overdue: used.cosigned.is_none() && page.now >= used.alone_from,
        reviewed: used.review.as_ref().map(|r| {
            let verdict = page.t(&say::key("override-verdict", r.verdict.id()));
            (
                case.name_of(r.by),
                page.time(&r.at),
                verdict,
                r.words.clone(),
            )
        }),
        may_cosign: used.cosigned.is_none() && cosigns(me).is_ok(),
        may_review: used.review.is_none() && reviews(me).is_ok() && is_over(&case, &used, &page),
        who_cosigns: say(&break_glass::who(&case, cosigns, "override-nobody-cosigns")),
        who_reviews: say(&break_glass::who(&case, reviews, "override-nobody-reviews")),
        verdicts: Verdict::ALL
            .iter()
            .map(|v| (v.id(), page.t(&say::key("override-verdict", v.id())), false))
            .collect(),
        may_not: None,
        faults: Faults::default(),
        note: String::new(),
        page: page.clone().at(Nav::Cases),
        used: used.clone(),
        case: case.clone(),
    }
}

async fn stood(conn: &mut sqlx::PgConnection, case: &CaseFile, used: &Override) -> Result<Gate> {
    let stored = overrides::gate(conn, case.id, used.id).await?;
    serde_json::from_value(stored).map_err(|e| {
        Error::internal(format!(
            "the gate of override {} cannot be read: {e}",
            used.id
        ))
    })
}

/// `GET /cases/{c}/overrides/{id}`
///
/// # Errors
/// `NotFound`; forbidden without a role that reads.
pub async fn get(
    State(app): State<App>,
    Path((c, id)): Path<(String, String)>,
    reader: Reader,
    page: Page,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    let case = case_of(&mut conn, &reader, &c).await?;
    let used = find(&case, &id)?;
    let gate = stood(&mut conn, &case, &used).await?;
    show(&show_page(page, case, used, &gate))
}

/// A refused attempt: written down, and shown with why.
async fn refused(
    app: &App,
    (page, visit): (Page, &Visit),
    actor: &Actor,
    (case, used): (CaseFile, Override),
    why: Refusal<'_>,
) -> Result<Response> {
    let mut tx = app.begin().await?;
    let act = audit::Act {
        act: why.act,
        object: ("override", used.id.to_string()),
        case_id: Some(case.id),
        ..audit::Act::default()
    };
    audit::append(&mut tx, actor, act, visit.now).await?;
    let gate = stood(&mut tx, &case, &used).await?;
    app.commit(tx).await?;
    let mut back = show_page(page, case, used, &gate);
    back.may_not = why.may_not.map(|s| say::sentence(back.page.lang, &s));
    back.faults = why.faults;
    back.note = why.typed.note.clone();
    for verdict in &mut back.verdicts {
        verdict.2 = verdict.0 == why.typed.verdict;
    }
    show_with(why.status, &back)
}

/// What keeps an act from happening.
struct Refusal<'a> {
    act: &'static str,
    status: StatusCode,
    may_not: Option<Sentence>,
    faults: Faults,
    typed: &'a Typed,
}

/// `POST /cases/{c}/overrides/{id}/cosign`
///
/// # Errors
/// When the reader may not, gave the password too long ago, or it is co-signed already.
pub async fn cosign(
    State(app): State<App>,
    Path((c, id)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Cosign)?;
    reader.recent(&visit)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let used = find(&case, &id)?;
    let actor = reader.actor(&visit, Some(role));
    let here = path(&case.label(), used.id);
    match &used.cosigned {
        Some(done) if done.by == reader.id => return Ok(to(&here)),
        Some(_) => return Err(Error::Conflict),
        None => {}
    }
    if let Err(why) = break_glass::may_cosign(&case, &used, reader.id) {
        tx.rollback().await.map_err(crate::store::Error::from)?;
        let why = Refusal {
            act: "override.cosign.refused",
            status: StatusCode::FORBIDDEN,
            may_not: Some(why),
            faults: Faults::default(),
            typed: &typed,
        };
        return refused(&app, (page, &visit), &actor, (case, used), why).await;
    }
    overrides::cosign(&mut tx, &actor, (case.id, used.id), &typed.note, visit.now).await?;
    app.commit(tx).await?;
    Ok(to(&here))
}

/// `POST /cases/{c}/overrides/{id}/review`
///
/// # Errors
/// When the reader may not, or it is reviewed already.
pub async fn review(
    State(app): State<App>,
    Path((c, id)): Path<(String, String)>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(typed): Form<Typed>,
) -> Result<Response> {
    let role = reader.may(Act::Review)?;
    reader.recent(&visit)?;
    let mut tx = app.begin().await?;
    let case = locked(&mut tx, &reader, &c).await?;
    let used = find(&case, &id)?;
    let actor = reader.actor(&visit, Some(role));
    let here = path(&case.label(), used.id);
    match &used.review {
        Some(done) if done.by == reader.id => return Ok(to(&here)),
        Some(_) => return Err(Error::Conflict),
        None => {}
    }
    let mut faults = Faults::default();
    let verdict = Verdict::from_id(&typed.verdict);
    let may_not = break_glass::may_review(&case, &used, reader.id).err();
    if !is_over(&case, &used, &page) {
        faults.add("verdict", page.t("override-fault-still-live"));
    }
    if verdict.is_none() {
        faults.add("verdict", page.t("override-fault-verdict"));
    }
    if visible(&typed.note) < REVIEW_WORDS {
        faults.add(
            "note",
            page.t1("override-fault-words", "least", REVIEW_WORDS),
        );
    }
    match verdict {
        Some(verdict) if may_not.is_none() && faults.is_empty() => {
            let on = (case.id, used.id);
            overrides::review(&mut tx, &actor, on, (verdict, &typed.note), visit.now).await?;
            app.commit(tx).await?;
            Ok(to(&here))
        }
        _ => {
            tx.rollback().await.map_err(crate::store::Error::from)?;
            let status = if may_not.is_some() {
                StatusCode::FORBIDDEN
            } else {
                StatusCode::UNPROCESSABLE_ENTITY
            };
            let why = Refusal {
                act: "override.review.refused",
                status,
                may_not,
                faults,
                typed: &typed,
            };
            refused(&app, (page, &visit), &actor, (case, used), why).await
        }
    }
}
