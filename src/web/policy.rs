//! `/policy`: the numbers in force with what each means, its unit, bounds and default; an
//! administrator publishes other ones, with a reason; every version stays, with what it changed.

use super::{
    App, Error, Page, Reader, Result,
    form::{Faults, visible},
    page::{Nav, show, show_with},
    say,
    typed::{number, plain},
    visit::Visit,
};
use crate::{
    ladder::{
        bounds::{self, Kind, NUMBERS, Number},
        numbers::Policy,
        policy::Act,
    },
    store::{
        self,
        policy::{self, Version},
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use axum_extra::extract::Form;
use chrono::{DateTime, Utc};
use std::collections::HashMap;

/// Fewest characters of a reason.
const REASON: usize = 10;

/// One number as shown.
struct Row {
    id: &'static str,
    name: String,
    meaning: String,
    value: String,
    unit: String,
    default: String,
    least: String,
    most: String,
    switch: bool,
    on: bool,
    /// Whether it is not the default.
    moved: bool,
}

/// One version in the history.
struct Past {
    number: i32,
    by: String,
    at: DateTime<Utc>,
    reason: String,
    /// Name, value before, value after.
    changed: Vec<(String, String, String)>,
}

#[derive(Template)]
#[template(path = "policy.html")]
struct PolicyPage {
    page: Page,
    version: i32,
    manages: bool,
    rows: Vec<Row>,
    history: Vec<Past>,
    reason: String,
    faults: Faults,
}

fn key(number: &Number) -> String {
    say::key("policy-number", number.id)
}

/// A value with its unit in words.
fn worded(page: &Page, number: &Number, value: f64) -> String {
    match number.kind {
        Kind::Switch => {
            let on = if value == 0.0 {
                "policy-off"
            } else {
                "policy-on"
            };
            page.t(on)
        }
        kind => {
            let typed = plain(page.lang, value / kind.factor());
            page.t1(&format!("policy-in-{}", kind.id()), "value", typed)
        }
    }
}

fn row(page: &Page, policy: &Policy, typed: &HashMap<String, String>, n: &Number) -> Row {
    let value = bounds::get(policy, n.id).unwrap_or_default();
    let default = bounds::get(&Policy::default(), n.id).unwrap_or_default();
    let shown = plain(page.lang, value / n.kind.factor());
    Row {
        id: n.id,
        name: page.t(&key(n)),
        meaning: page.t(&format!("{}-means", key(n))),
        value: typed.get(n.id).cloned().unwrap_or(shown),
        unit: page.t(&format!("policy-unit-{}", n.kind.id())),
        default: worded(page, n, default),
        least: worded(page, n, n.least),
        most: worded(page, n, n.most),
        switch: n.kind == Kind::Switch,
        // What was typed comes back; an unticked box is not sent.
        on: if typed.is_empty() {
            value != 0.0
        } else {
            typed.contains_key(n.id)
        },
        moved: value != default,
    }
}

fn past(page: &Page, history: &[Version]) -> Vec<Past> {
    let before = |i: usize| history.get(i + 1).map(|v| &v.policy);
    history
        .iter()
        .enumerate()
        .map(|(i, v)| Past {
            number: v.policy.version,
            by: v.by.clone().unwrap_or_else(|| page.t("policy-by-program")),
            at: v.at,
            // The first one's reason is the program's own words, so it is said in the reader's.
            reason: if v.by.is_none() {
                page.t("policy-first")
            } else {
                v.reason.clone()
            },
            changed: before(i).map_or_else(Vec::new, |b| {
                bounds::changed(b, &v.policy)
                    .into_iter()
                    .map(|n| {
                        let said = |p| worded(page, n, bounds::get(p, n.id).unwrap_or_default());
                        (page.t(&key(n)), said(b), said(&v.policy))
                    })
                    .collect()
            }),
        })
        .collect()
}

async fn load(
    app: &App,
    page: Page,
    reader: &Reader,
    typed: &HashMap<String, String>,
    faults: Faults,
) -> Result<PolicyPage> {
    let mut conn = app.conn().await?;
    let history = policy::history(&mut conn).await?;
    let newest = history
        .first()
        .ok_or_else(|| Error::internal("the policy has no version"))?;
    Ok(PolicyPage {
        version: newest.policy.version,
        manages: reader.can(Act::ManagePolicy),
        rows: NUMBERS
            .iter()
            .map(|n| row(&page, &newest.policy, typed, n))
            .collect(),
        history: past(&page, &history),
        reason: typed.get("reason").cloned().unwrap_or_default(),
        faults,
        page: page.at(Nav::Policy),
    })
}

/// `GET /policy`
///
/// # Errors
/// When the reader has no role.
pub async fn get(State(app): State<App>, reader: Reader, page: Page) -> Result<Response> {
    reader.may(Act::ReadPolicy)?;
    show(&load(&app, page, &reader, &HashMap::new(), Faults::default()).await?)
}

/// The policy as typed over the one in force; faults name the number.
fn read(page: &Page, base: &Policy, typed: &HashMap<String, String>) -> (Policy, Faults) {
    let mut faults = Faults::default();
    let mut policy = base.clone();
    for n in NUMBERS {
        let text = typed.get(n.id);
        let value = match (n.kind, text) {
            // A box that is not ticked is not sent.
            (Kind::Switch, text) => Some(if text.is_some() { 1.0 } else { 0.0 }),
            (Kind::Percent, Some(text)) => number(page.lang, text).map(|v| v / 100.0),
            (kind, Some(text)) => number(page.lang, text).map(|v| v * kind.factor()),
            (_, None) => None,
        };
        match value.and_then(|v| bounds::with(&policy, n.id, v)) {
            Some(next) => policy = next,
            None => faults.add(n.id, page.t("policy-fault-number")),
        }
    }
    for (id, sentence) in bounds::problems(&policy) {
        if faults.of(id).is_none() {
            let said = match (find(id), sentence.key.as_str()) {
                (Some(n), "policy-out-of-bounds") => page.t2(
                    "policy-fault-bounds",
                    "least",
                    worded(page, n, n.least),
                    "most",
                    worded(page, n, n.most),
                ),
                _ => say::sentence(page.lang, &sentence),
            };
            faults.add(id, said);
        }
    }
    (policy, faults)
}

fn find(id: &str) -> Option<&'static Number> {
    bounds::find(id)
}

/// `POST /policy`: publishes the next version.
///
/// # Errors
/// When the reader is no administrator, gave the password too long ago, or another version came
/// first.
pub async fn publish(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    page: Page,
    Form(typed): Form<HashMap<String, String>>,
) -> Result<Response> {
    let role = reader.may(Act::ManagePolicy)?;
    reader.recent(&visit)?;
    let mut tx = app.begin().await?;
    let base = policy::in_force(&mut tx).await?;
    let (next, mut faults) = read(&page, &base, &typed);
    let reason = typed.get("reason").map_or("", String::as_str);
    let same = faults.is_empty() && bounds::changed(&base, &next).is_empty();
    if same {
        faults.add("reason", page.t("policy-fault-same"));
    } else if visible(reason) < REASON {
        faults.add("reason", page.t1("policy-fault-reason", "least", REASON));
    }
    if !faults.is_empty() {
        tx.rollback().await.map_err(store::Error::from)?;
        let back = load(&app, page, &reader, &typed, faults).await?;
        return show_with(StatusCode::UNPROCESSABLE_ENTITY, &back);
    }
    let seen = typed.get("version").and_then(|v| v.parse().ok());
    if seen != Some(base.version) {
        return Err(Error::Conflict);
    }
    let actor = reader.actor(&visit, Some(role));
    policy::publish(&mut tx, &actor, &next, reason, visit.now).await?;
    app.commit(tx).await?;
    Ok(Redirect::to("/policy#history").into_response())
}
