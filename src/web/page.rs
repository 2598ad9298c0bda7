//! What every page has in common: language, theme, reader, place in the navigation, and the words.
//!
//! A page struct carries a [`Page`] in its field `page` and derives a template that extends
//! `layout.html`; [`show`] renders it.

use super::{
    App, Error, Result,
    format::{self, Markup, Shown},
    i18n::own_name,
    session::Reader,
    static_files,
    visit::{Visit, Who},
};
use crate::{
    i18n::{Lang, text},
    ladder::policy::{Act, Role},
};
use askama::Template;
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::{Html, IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use pel_evidence::Unit;
use std::time::Instant;

/// The entry of the main navigation a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nav {
    /// What waits for the reader (`/`).
    Waiting,
    /// Cases.
    Cases,
    /// Workload contracts.
    Contracts,
    /// Decisions.
    Decisions,
    /// Overrides, for managers and auditors.
    Overrides,
    /// The audit log.
    Audit,
    /// People, for administrators.
    People,
    /// The numbers of the policy.
    Policy,
    /// The reader's own profile.
    Me,
    /// Help.
    Help,
}

impl Nav {
    /// Entries of the main navigation with their address and message key; which of them a reader
    /// sees depends on what they may do.
    const MAIN: [(Self, &'static str, &'static str, Act); 8] = [
        (Self::Waiting, "/", "nav-waiting", Act::Read),
        (Self::Cases, "/cases", "nav-cases", Act::Read),
        (Self::Contracts, "/contracts", "nav-contracts", Act::Read),
        (Self::Decisions, "/decisions", "nav-decisions", Act::Read),
        (
            Self::Overrides,
            "/overrides",
            "nav-overrides",
            Act::ReadOverrides,
        ),
        (Self::Audit, "/audit", "nav-audit", Act::ReadAudit),
        (Self::People, "/people", "nav-people", Act::ManagePeople),
        (Self::Policy, "/policy", "nav-policy", Act::ManagePolicy),
    ];
}

/// One entry of the navigation as shown.
pub struct Entry {
    /// Address.
    pub href: &'static str,
    /// Word.
    pub word: String,
    /// Whether the page is there.
    pub current: bool,
}

/// The frame of a page. As a handler's argument it knows the reader, if there is one.
#[derive(Debug, Clone)]
pub struct Page {
    /// Language of the page.
    pub lang: Lang,
    /// `light` or `dark`, when the reader chose one.
    pub theme: Option<String>,
    /// Who reads it.
    pub reader: Option<Reader>,
    /// Where it stands in the navigation.
    pub nav: Option<Nav>,
    /// Path and query of the page.
    pub path: String,
    /// When it was made.
    pub now: DateTime<Utc>,
    /// Version of the program.
    pub version: &'static str,
    started: Instant,
}

impl Page {
    /// The frame for a visit, with the reader if it is known by now.
    pub fn of(app: &App, visit: &Visit) -> Self {
        let reader = match visit.known() {
            Some(Who::Reader(reader)) => Some(reader.as_ref().clone()),
            _ => None,
        };
        Self {
            lang: reader
                .as_ref()
                .and_then(|r| r.lang)
                .unwrap_or(visit.asked_lang),
            theme: reader.as_ref().and_then(|r| r.theme.clone()),
            reader,
            nav: None,
            path: visit.return_path(),
            now: visit.now,
            version: app.version,
            started: visit.started,
        }
    }

    /// The same page, at its place in the navigation.
    #[must_use]
    pub fn at(mut self, nav: Nav) -> Self {
        self.nav = Some(nav);
        self
    }

    /// The message `key`.
    pub fn t(&self, key: &str) -> String {
        text(self.lang, key, &[])
    }

    /// The message `key` with one argument.
    pub fn t1(&self, key: &str, name: &str, value: impl ToString) -> String {
        text(self.lang, key, &[(name, &value.to_string())])
    }

    /// The message `key` with two arguments.
    pub fn t2(
        &self,
        key: &str,
        name: &str,
        value: impl ToString,
        name2: &str,
        value2: impl ToString,
    ) -> String {
        let (value, value2) = (value.to_string(), value2.to_string());
        text(self.lang, key, &[(name, &value), (name2, &value2)])
    }

    /// The message `key` with any arguments.
    pub fn text(&self, key: &str, args: &[(&str, &str)]) -> String {
        text(self.lang, key, args)
    }

    /// The word for a role.
    pub fn role(&self, role: &Role) -> String {
        self.t(&format!("role-{}", role.id()))
    }

    /// What a role is for, in a few words.
    pub fn role_may(&self, role: &Role) -> String {
        self.t(&format!("role-{}-may", role.id()))
    }

    /// The word for a network class.
    pub fn network(&self, class: &str) -> String {
        self.t(&format!("network-{class}"))
    }

    /// The word for a theme.
    pub fn theme_word(&self, theme: &str) -> String {
        self.t(&format!("theme-{theme}"))
    }

    /// What was just done, for the line at the top of a page one comes back to.
    pub fn done(&self, what: &str) -> String {
        self.t(&format!("done-{what}"))
    }

    /// Whether the reader may do `act`.
    pub fn can(&self, act: Act) -> bool {
        self.reader.as_ref().is_some_and(|r| r.can(act))
    }

    /// Whether the reader may open a case: the button in the head of the page.
    pub fn can_open_case(&self) -> bool {
        self.can(Act::OpenCase)
    }

    /// Whether the reader may read cases: the search box.
    pub fn can_read(&self) -> bool {
        self.can(Act::Read)
    }

    /// Whether this is the reader's profile.
    pub fn is_me(&self) -> bool {
        self.is(Nav::Me)
    }

    /// Whether this is a page of the help.
    pub fn is_help(&self) -> bool {
        self.is(Nav::Help)
    }

    /// When the page was made, in words.
    pub fn now_text(&self) -> String {
        format::date_time(self.lang, self.now)
    }

    /// Whether the page stands at `nav`.
    pub fn is(&self, nav: Nav) -> bool {
        self.nav == Some(nav)
    }

    /// The main navigation as this reader sees it.
    pub fn entries(&self) -> Vec<Entry> {
        Nav::MAIN
            .into_iter()
            .filter(|(_, _, _, act)| self.can(*act))
            .map(|(nav, href, key, _)| Entry {
                href,
                word: self.t(key),
                current: self.is(nav),
            })
            .collect()
    }

    /// Languages to switch to: tag and own name.
    pub fn other_langs(&self) -> Vec<(&'static str, &'static str)> {
        Lang::ALL
            .into_iter()
            .filter(|l| *l != self.lang)
            .map(|l| (l.tag(), own_name(l)))
            .collect()
    }

    /// Address of a file under `static/`, with its digest in it.
    pub fn asset(&self, name: &str) -> String {
        static_files::url(name)
    }

    /// A point in time as a `time` element: `30 Nov 2026 15:40`, in UTC.
    pub fn time(&self, at: &DateTime<Utc>) -> Markup {
        format::time(self.lang, *at)
    }

    /// How long ago, as a `time` element with the exact time as its title.
    pub fn ago(&self, at: &DateTime<Utc>) -> Markup {
        format::ago(self.lang, *at, self.now)
    }

    /// A value in its base unit, scaled for people.
    pub fn value(&self, value: &f64, unit: &Unit) -> Shown {
        format::value(self.lang, *value, *unit)
    }

    /// A whole number with its thousands apart. Of any integer type, or a reference to one, as
    /// templates pass fields.
    pub fn count(&self, n: impl std::fmt::Display) -> String {
        n.to_string()
            .parse()
            .map_or_else(|_| "…".to_owned(), |n| format::count(self.lang, n))
    }

    /// Milliseconds since the request came in.
    pub fn took(&self) -> String {
        format::count(
            self.lang,
            i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX),
        )
    }
}

impl FromRequestParts<App> for Page {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let visit = Visit::from_request_parts(parts, app).await?;
        visit.who(app).await?;
        Ok(Self::of(app, &visit))
    }
}

/// Renders a page.
///
/// # Errors
/// When the template fails, which is our fault.
pub fn show(template: &impl Template) -> Result<Response> {
    show_with(StatusCode::OK, template)
}

/// Renders a page with a status: 422 for a form that comes back.
///
/// # Errors
/// When the template fails, which is our fault.
pub fn show_with(status: StatusCode, template: &impl Template) -> Result<Response> {
    Ok((status, Html(template.render()?)).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Template)]
    #[template(
        source = r#"{% import "parts/marks.html" as marks %}{{ marks::glyph(kinds) }}{{ marks::rung("own") }}{{ marks::banner("stale", "stale", strong, "since then") }}{{ marks::status("holds", "good", strong) }}"#,
        ext = "html"
    )]
    struct Marks {
        kinds: [&'static str; 5],
        strong: String,
    }

    #[test]
    fn marks_are_drawn_as_on_the_specimen() {
        let html = Marks {
            kinds: ["full", "read", "dis", "own", "na"],
            strong: "<out of date>".to_owned(),
        }
        .render()
        .unwrap();
        for part in [
            r#"<path d="M2.5 3h12" stroke="currentColor" stroke-width="2.25"/>"#,
            r#"<path d="M5 8h7" stroke="currentColor" stroke-width="1.75" stroke-dasharray="1.4 1.4"/>"#,
            r#"<path class="dis" d="M2.5 12h5.2M9.3 14h5.2""#,
            r#"<path class="own" d="M2.5 18h19""#,
            r#"<path d="M7 23h3""#,
            r##"<use href="#r-own"/>"##,
            r#"<div class="banner stale">"#,
            r#"<span class="st good">"#,
            "&#60;out of date&#62;",
        ] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
    }
}
