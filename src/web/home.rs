//! What waits for the reader: approvals asked, their live changes, files that could not be read,
//! their cases, cases nobody owns. Each is empty with its one next step, or says what to do.

use super::{
    App, Page, Reader, Result,
    cases::knob,
    decisions_list::Line,
    format,
    page::{Nav, show as render},
    say,
    visit::Visit,
};
use crate::{
    ladder::{case, change::Knob, policy::Act},
    store::{
        case_list::{self, Filter, Listed, Waiting},
        decisions, overrides, services,
    },
};
use askama::Template;
use axum::{extract::State, response::Response};
use chrono::{DateTime, Utc};

/// How many cases a section of the page shows; the case list has the rest.
const CASES: i64 = 10;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    page: Page,
    may_review: bool,
    asked: Vec<Waiting>,
    live: Vec<Waiting>,
    unreadable: Vec<(i64, i64, String)>,
    mine: Vec<Listed>,
    mine_count: i64,
    unowned: Vec<Listed>,
    unowned_count: i64,
    decided: Vec<Line>,
    overrides: Vec<overrides::Waiting>,
    any_service: bool,
    any_case: bool,
}

impl Home {
    fn waiting(&self) -> usize {
        self.asked.len() + self.live.len() + self.unreadable.len() + self.overrides.len()
    }

    /// Whether what an override waits for is late.
    fn late(&self, due: &DateTime<Utc>) -> bool {
        self.page.now >= *due
    }

    fn override_path(&self, waiting: &overrides::Waiting) -> String {
        super::overrides::path(&case::label(waiting.case_number), waiting.id)
    }

    fn label(&self, number: &i64) -> String {
        case::label(*number)
    }

    fn knob(&self, stored: &serde_json::Value) -> Option<Knob> {
        knob(stored)
    }

    fn change_state(&self, id: &str) -> String {
        self.page.t(&say::key("home-change", id))
    }

    fn state(&self, id: &str) -> String {
        self.page.t(&say::key("cases-state", id))
    }

    fn age(&self, at: &DateTime<Utc>) -> String {
        format::duration(self.page.lang, (self.page.now - *at).num_seconds())
    }

    fn may_define(&self) -> bool {
        self.page.can(Act::DraftContract)
    }
}

/// An administrator who reads no cases.
#[derive(Template)]
#[template(path = "home_admin.html")]
struct Admin {
    page: Page,
}

impl Admin {
    fn may_audit(&self) -> bool {
        self.page.can(Act::ReadAudit)
    }

    fn manages_people(&self) -> bool {
        self.page.can(Act::ManagePeople)
    }
}

/// `GET /`
///
/// # Errors
/// When the database cannot be read.
pub async fn show(State(app): State<App>, visit: Visit, reader: Reader) -> Result<Response> {
    let page = Page::of(&app, &visit).at(Nav::Waiting);
    if !reader.can(Act::Read) {
        return render(&Admin { page });
    }
    let mut conn = app.conn().await?;
    let may_review = reader.can(Act::Review);
    let asked = if may_review {
        case_list::waiting_for_review(&mut conn, reader.id).await?
    } else {
        Vec::new()
    };
    let open = || Some("open".to_owned());
    let mine = Filter {
        owner: Some(reader.id),
        state: open(),
        reader: reader.id,
        ..Filter::default()
    };
    let unowned = Filter {
        unowned: true,
        state: open(),
        reader: reader.id,
        ..Filter::default()
    };
    let decided = decisions::list(&mut conn, reader.id, None, None, 5).await?;
    let all = Filter {
        reader: reader.id,
        ..Filter::default()
    };
    render(&Home {
        decided: decided.into_iter().map(|d| Line::of(&page, d)).collect(),
        page,
        may_review,
        overrides: overrides::waiting_for(&mut conn, reader.id, visit.now).await?,
        asked,
        live: case_list::my_live_changes(&mut conn, reader.id).await?,
        unreadable: case_list::unreadable_of(&mut conn, reader.id).await?,
        mine: case_list::page(&mut conn, &mine, None, CASES).await?,
        mine_count: case_list::count(&mut conn, &mine).await?,
        unowned: case_list::page(&mut conn, &unowned, None, CASES).await?,
        unowned_count: case_list::count(&mut conn, &unowned).await?,
        any_service: !services::list(&mut conn).await?.is_empty(),
        any_case: case_list::count(&mut conn, &all).await? > 0,
    })
}
