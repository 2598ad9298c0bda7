//! The case list: filters in the address, the count, pages by key. An id in the search box leads
//! straight to its page.

use super::{evidence_number_of, number_of};
use crate::{
    ladder::{
        case::{self, CaseState},
        policy::Act,
    },
    store::{
        self,
        case_list::{self, Filter, Listed},
        evidence,
        services::{self, Service},
    },
    web::{
        App, Page, Reader, Result, format,
        page::{Nav, show as render},
        paging::{self, ROWS},
        say,
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{Query, State},
    response::{IntoResponse as _, Redirect, Response},
};
use serde::Deserialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// What the address of the list says. Fields are text, so that a mangled address shows a list and
/// not an error.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    q: String,
    state: String,
    service: String,
    owner: String,
    before: String,
}

/// Everything that is not closed; the list's own word beside the states.
const OPEN: &str = "open";

impl Asked {
    fn filter(&self, reader: &Reader) -> Filter {
        let state = (self.state == OPEN || CaseState::from_id(&self.state).is_some())
            .then(|| self.state.clone());
        Filter {
            text: Some(self.q.trim().to_owned()).filter(|t| !t.is_empty()),
            state,
            service: self.service.parse().ok(),
            owner: (self.owner == "me").then_some(reader.id),
            unowned: self.owner == "none",
            reader: reader.id,
        }
    }

    /// The list with one filter set otherwise, from its first page.
    fn with(&self, name: &str, value: &str) -> String {
        let pick = |own: &'static str, kept: &str| {
            if own == name {
                value.to_owned()
            } else {
                kept.to_owned()
            }
        };
        paging::link(
            "/cases",
            &[
                ("q", pick("q", self.q.trim()).as_str()),
                ("state", pick("state", &self.state).as_str()),
                ("service", pick("service", &self.service).as_str()),
                ("owner", pick("owner", &self.owner).as_str()),
                ("before", pick("before", "").as_str()),
            ],
        )
    }
}

/// One choice of a filter.
struct Choice {
    href: String,
    word: String,
    current: bool,
}

#[derive(Template)]
#[template(path = "cases/list.html")]
struct List {
    page: Page,
    asked: Asked,
    cases: Vec<Listed>,
    services: Vec<Service>,
    found: i64,
    all: i64,
    open: i64,
    next: Option<String>,
}

impl List {
    fn states(&self) -> Vec<Choice> {
        let ids = CaseState::ALL.iter().map(|s| s.id());
        let known = |id: &str| id == OPEN || CaseState::from_id(id).is_some();
        let mut choices = vec![self.choice("state", "", "cases-any", !known(&self.asked.state))];
        choices.extend(std::iter::once(OPEN).chain(ids).map(|id| {
            let key = say::key("cases-state", id);
            self.choice("state", id, &key, self.asked.state == id)
        }));
        choices
    }

    fn owners(&self) -> Vec<Choice> {
        let other = !matches!(self.asked.owner.as_str(), "me" | "none");
        vec![
            self.choice("owner", "", "cases-anyone", other),
            self.choice("owner", "me", "cases-me", self.asked.owner == "me"),
            self.choice("owner", "none", "cases-nobody", self.asked.owner == "none"),
        ]
    }

    fn choice(&self, name: &str, value: &str, key: &str, current: bool) -> Choice {
        Choice {
            href: self.asked.with(name, value),
            word: self.page.t(key),
            current,
        }
    }

    fn is_service(&self, id: &Uuid) -> bool {
        self.asked.service == id.to_string()
    }

    fn may_close(&self) -> bool {
        self.page.can(Act::Close)
    }

    fn filtered(&self) -> bool {
        self.found != self.all
    }

    fn state(&self, id: &str) -> String {
        self.page.t(&say::key("cases-state", id))
    }

    fn label(&self, number: &i64) -> String {
        case::label(*number)
    }

    fn age(&self, at: &chrono::DateTime<chrono::Utc>) -> String {
        format::duration(self.page.lang, (self.page.now - *at).num_seconds())
    }
}

/// `GET /cases`
///
/// # Errors
/// When the reader may not read cases.
pub async fn show(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let mut conn = app.conn().await?;
    if let Some(path) = by_label(&mut conn, &reader, &asked.q).await? {
        return Ok(Redirect::to(&path).into_response());
    }
    let filter = asked.filter(&reader);
    let before = paging::place(Some(&asked.before));
    let limit = i64::try_from(ROWS).unwrap_or(i64::MAX).saturating_add(1);
    let mut cases = case_list::page(&mut conn, &filter, before, limit).await?;
    let next = paging::cut(&mut cases, |c| paging::key((c.moved_at, c.id)))
        .map(|place| asked.with("before", &place));
    let open = Filter {
        state: Some(OPEN.to_owned()),
        reader: reader.id,
        ..Filter::default()
    };
    let all = Filter {
        reader: reader.id,
        ..Filter::default()
    };
    render(&List {
        found: case_list::count(&mut conn, &filter).await?,
        all: case_list::count(&mut conn, &all).await?,
        open: case_list::count(&mut conn, &open).await?,
        services: services::list(&mut conn).await?,
        page: Page::of(&app, &visit).at(Nav::Cases),
        asked,
        cases,
        next,
    })
}

/// The page of the case or evidence item that the search names, when there is one.
async fn by_label(conn: &mut PgConnection, reader: &Reader, text: &str) -> Result<Option<String>> {
    let found = if let Some(number) = number_of(text) {
        let id = store::cases::id_known(conn, number, reader.id).await;
        id.map(|_| format!("/cases/{}", case::label(number)))
    } else if let Some(number) = evidence_number_of(text) {
        match evidence::by_number(conn, number).await {
            Ok((_, case)) if !store::cases::is_known(conn, case, reader.id).await? => {
                Err(store::Error::NotFound)
            }
            other => other.map(|_| format!("/evidence/EV-{number}")),
        }
    } else {
        return Ok(None);
    };
    match found {
        Ok(path) => Ok(Some(path)),
        Err(store::Error::NotFound) => Ok(None),
        Err(other) => Err(other.into()),
    }
}
