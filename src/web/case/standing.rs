//! `/cases/{c}/standing`: who is on the case and who stays out, and its flags: on hold,
//! confidential, kept for legal reasons. Each act is a small form with its reason.

use crate::{
    ladder::{
        CaseFile, CaseState,
        life::{FlagKind, PartKind},
        policy::{Act, Role},
    },
    store::{people, standing},
    web::{
        App, Error, Page, Reader, Result,
        form::{Faults, visible},
        format,
        page::{self, Nav},
        runs::held,
        say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    Form,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::Deserialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// Fewest characters of a reason.
const REASON_LEAST: usize = 5;

/// Somebody's part as shown.
struct PartRow {
    person: Uuid,
    name: String,
    part: &'static str,
    word: String,
    said: String,
    reason: String,
    can_end: bool,
}

/// A flag as shown.
struct FlagRow {
    id: &'static str,
    name: String,
    what: String,
    /// By whom, since when and why, when it is raised.
    raised: Option<String>,
    reason: String,
    may: bool,
    /// Last day a hold may end, for that flag.
    last: Option<String>,
}

#[derive(Template)]
#[template(path = "case/standing.html")]
struct Shown {
    page: Page,
    label: String,
    title: String,
    path: String,
    parts: Vec<PartRow>,
    flags: Vec<FlagRow>,
    /// Everybody who could have a part: id and name.
    people: Vec<(Uuid, String)>,
    /// Parts this reader may give: id and word.
    choices: Vec<(&'static str, String)>,
    input: PartInput,
    flag: FlagInput,
    faults: Faults,
}

/// The form of a part.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PartInput {
    person: String,
    part: String,
    /// `end` takes the part away.
    act: String,
    reason: String,
}

/// The form of a flag.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FlagInput {
    flag: String,
    /// `lower` takes the flag down.
    act: String,
    until: String,
    reason: String,
}

/// Whether the reader may say who works on the case: whoever leads it or takes part.
fn may_staff(reader: &Reader, case: &CaseFile) -> bool {
    let takes_part = case.life.has_part(reader.id, PartKind::Participant);
    super::leads(reader, case) || (takes_part && reader.can(Act::Investigate))
}

/// Whether the reader may give or end this part. Anybody may state a conflict of interest; only a
/// manager takes one back.
fn may_part(reader: &Reader, case: &CaseFile, part: PartKind, end: bool) -> bool {
    match (part, end) {
        (PartKind::Excluded, false) => true,
        (PartKind::Excluded, true) => reader.roles.contains(&Role::Manager),
        _ => may_staff(reader, case),
    }
}

fn may_flag(reader: &Reader, case: &CaseFile, flag: FlagKind) -> bool {
    match flag {
        FlagKind::LegalHold => reader.can(Act::LegalHold),
        _ => reader.can(Act::Close) && super::leads(reader, case),
    }
}

async fn shown(
    conn: &mut PgConnection,
    page: Page,
    reader: &Reader,
    case: &CaseFile,
) -> Result<Shown> {
    let open = case.state != CaseState::Closed;
    let parts = case.life.parts.iter().map(|p| PartRow {
        person: p.person,
        name: case.name_of(p.person),
        part: p.part.id(),
        word: page.t(&say::key("case-part", p.part.id())),
        said: page.t2(
            "case-part-said",
            "name",
            case.name_of(p.by),
            "at",
            format::date_time(page.lang, p.at),
        ),
        reason: p.reason.clone(),
        can_end: open && may_part(reader, case, p.part, true),
    });
    let everybody = people::list(conn).await?;
    Ok(Shown {
        label: case.label(),
        title: case.title.clone(),
        path: super::path(case),
        parts: parts.collect(),
        flags: FlagKind::ALL
            .iter()
            .map(|f| flag_row(&page, reader, case, *f))
            .collect(),
        people: everybody
            .into_iter()
            .filter(|p| p.deactivated_at.is_none())
            .map(|p| (p.id, p.name))
            .collect(),
        choices: PartKind::ALL
            .iter()
            .filter(|p| open && may_part(reader, case, **p, false))
            .map(|p| (p.id(), page.t(&say::key("case-part", p.id()))))
            .collect(),
        input: PartInput::default(),
        flag: FlagInput::default(),
        faults: Faults::default(),
        page: page.at(Nav::Cases),
    })
}

fn flag_row(page: &Page, reader: &Reader, case: &CaseFile, kind: FlagKind) -> FlagRow {
    let found = case.life.flag(kind);
    let found = found.filter(|f| f.until.is_none_or(|until| until > page.now));
    let raised = found.map(|f| {
        let said = page.t2(
            "case-part-said",
            "name",
            case.name_of(f.by),
            "at",
            format::date_time(page.lang, f.at),
        );
        match f.until {
            Some(until) => {
                let until = format::date_time(page.lang, until);
                page.t2("case-flag-until", "until", until, "said", said)
            }
            None => said,
        }
    });
    let frozen = case.state == CaseState::Closed && kind == FlagKind::OnHold;
    FlagRow {
        id: kind.id(),
        name: page.t(&say::key("case-flag", kind.id())),
        what: page.t(&format!("{}-what", say::key("case-flag", kind.id()))),
        reason: found.map(|f| f.reason.clone()).unwrap_or_default(),
        raised,
        may: may_flag(reader, case, kind) && !frozen,
        last: (kind == FlagKind::OnHold).then(|| {
            let days = TimeDelta::days(case.policy.hold_max_days);
            (page.now + days).format("%Y-%m-%d").to_string()
        }),
    }
}

/// `GET /cases/{c}/standing`.
///
/// # Errors
/// Forbidden or not found.
pub async fn get(
    State(app): State<App>,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    let case = super::load(&mut conn, &reader, &label).await?;
    page::show(&shown(&mut conn, page, &reader, &case).await?)
}

/// `POST /cases/{c}/people`: gives somebody a part, or ends it.
///
/// # Errors
/// Forbidden, not found, or a conflict when the case is closed.
pub async fn part(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Form(input): Form<PartInput>,
) -> Result<Response> {
    let role = reader.may(Act::Read)?;
    let mut tx = app.begin().await?;
    let case = super::lock(&mut tx, &reader, &label).await?;
    let mut faults = Faults::default();
    let (part, end) = (PartKind::from_id(&input.part), input.act == "end");
    match part {
        None => faults.add("part", page.t("case-fault-part-choose")),
        Some(part) if !may_part(&reader, &case, part, end) => {
            faults.add("part", page.t("case-fault-part-who"));
        }
        Some(part) => {
            let reason = part == PartKind::Excluded && visible(&input.reason) < REASON_LEAST;
            if reason {
                faults.add(
                    "reason",
                    page.t1("case-fault-reason", "least", REASON_LEAST),
                );
            }
        }
    }
    let person = match input.person.parse::<Uuid>() {
        Ok(id) => people::get(&mut tx, id).await.ok(),
        Err(_) => None,
    };
    let person = person.filter(|p| end || p.deactivated_at.is_none());
    if person.is_none() {
        faults.add("person", page.t("case-fault-person-choose"));
    }
    let (Some(part), Some(person), true) = (part, person, faults.is_empty()) else {
        let mut back = shown(&mut tx, page, &reader, &case).await?;
        (back.input, back.faults) = (input, faults);
        return page::show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    };
    let actor = reader.actor(&visit, Some(role));
    let reason = input.reason.trim();
    standing::set_part(
        &mut tx, &actor, case.id, person.id, part, !end, reason, visit.now,
    )
    .await?;
    app.commit(tx).await?;
    Ok(Redirect::to(&format!("{}/standing#people", super::path(&case))).into_response())
}

/// The end of a hold as typed: the end of that day.
fn until(typed: &str) -> Option<DateTime<Utc>> {
    let day = NaiveDate::parse_from_str(typed.trim(), "%Y-%m-%d").ok()?;
    Some(day.and_hms_opt(23, 59, 59)?.and_utc())
}

/// `POST /cases/{c}/flags`: raises a flag or takes it down, with a reason.
///
/// # Errors
/// Forbidden; not found, also for a confidential case the reader is not on.
pub async fn flag(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Path(label): Path<String>,
    Form(input): Form<FlagInput>,
) -> Result<Response> {
    let role = reader
        .may(Act::Close)
        .or_else(|_| reader.may(Act::LegalHold))?;
    let mut tx = app.begin().await?;
    let case = held(&mut tx, &reader, &label).await?;
    let (kind, lower) = (FlagKind::from_id(&input.flag), input.act == "lower");
    let Some(kind) = kind else {
        return Err(Error::Invalid(page.t("case-fault-flag-choose")));
    };
    if kind == FlagKind::OnHold && case.state == CaseState::Closed {
        return Err(Error::Conflict);
    }
    let mut faults = Faults::default();
    if !may_flag(&reader, &case, kind) {
        faults.add(kind.id(), page.t("case-fault-flag-who"));
    }
    if visible(&input.reason) < REASON_LEAST {
        let field = format!("reason-{}", kind.id());
        faults.add(field, page.t1("case-fault-reason", "least", REASON_LEAST));
    }
    let mut end = None;
    if kind == FlagKind::OnHold && !lower {
        let days = case.policy.hold_max_days;
        let last = visit.now + TimeDelta::days(days);
        // The last day counts whole; the hold still ends within the days the policy gives.
        end = until(&input.until)
            .filter(|u| u.date_naive() <= last.date_naive())
            .map(|u| u.min(last));
        if end.is_none_or(|u| u <= visit.now) {
            faults.add("until", page.t1("case-fault-hold-until", "days", days));
        }
    }
    if !faults.is_empty() {
        if !reader.can(Act::Read) {
            let first = faults.all().first().map(|f| f.message.clone());
            return Err(Error::Invalid(first.unwrap_or_default()));
        }
        let mut back = shown(&mut tx, page, &reader, &case).await?;
        (back.flag, back.faults) = (input, faults);
        return page::show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    }
    let actor = reader.actor(&visit, Some(role));
    let reason = input.reason.trim();
    standing::set_flag(
        &mut tx, &actor, case.id, kind, !lower, end, reason, visit.now,
    )
    .await?;
    if kind == FlagKind::Confidential && !lower && !on_it(&reader, &case) {
        // Whoever makes a case confidential keeps knowing of it.
        let part = PartKind::Participant;
        standing::set_part(
            &mut tx, &actor, case.id, reader.id, part, true, reason, visit.now,
        )
        .await?;
    }
    app.commit(tx).await?;
    if !reader.can(Act::Read) {
        return Ok(Redirect::to("/").into_response());
    }
    Ok(Redirect::to(&format!("{}/standing#flags", super::path(&case))).into_response())
}

fn on_it(reader: &Reader, case: &CaseFile) -> bool {
    case.owner == Some(reader.id)
        || case.life.has_part(reader.id, PartKind::Participant)
        || case.life.has_part(reader.id, PartKind::Reviewer)
        || reader.roles.contains(&Role::Auditor)
}

impl Shown {
    fn reason_fault(&self, flag: &str) -> Option<&str> {
        self.faults.of(&format!("reason-{flag}"))
    }
}
