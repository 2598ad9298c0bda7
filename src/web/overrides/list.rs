//! `/overrides`: every override, what waits for a co-signature or a review, and how often each
//! person and service needed one, by month.

use crate::ladder::break_glass::Overridable;
use crate::ladder::case::label;
use crate::ladder::policy::Act;
use crate::store::overrides::{self, Count, Listed};
use crate::web::page::{Nav, show as render};
use crate::web::{App, Page, Reader, Result, format::Markup, say};
use askama::Template;
use axum::{extract::State, response::Response};
use std::collections::BTreeMap;

/// The most overrides the page lists; the counts are over all.
const MOST: i64 = 200;

/// One override as shown.
struct Row {
    href: String,
    case: String,
    title: String,
    change: String,
    service: String,
    what: String,
    category: String,
    by: String,
    at: Markup,
    /// Shape, tone and words of the co-signature.
    cosigned: (&'static str, &'static str, String),
    /// Shape, tone and words of the review.
    reviewed: (&'static str, &'static str, String),
}

#[derive(Template)]
#[template(path = "overrides/list.html")]
struct ListPage {
    page: Page,
    rows: Vec<Row>,
    waiting: usize,
    counts: Vec<Count>,
    people: Vec<(String, i64)>,
    services: Vec<(String, i64)>,
}

fn row(page: &Page, o: Listed) -> Row {
    let what: Vec<String> = o
        .what
        .iter()
        .map(|w| Overridable::from_id(w).map_or_else(|| w.clone(), |w| page.t(&w.key())))
        .collect();
    let cosigned = match &o.cosigned_by {
        Some(name) => (
            "holds",
            "quiet",
            page.t1("override-cosigned-by", "name", name),
        ),
        None if page.now >= o.alone_from => ("stale", "bad", page.t("override-cosign-overdue")),
        None => ("dots", "quiet", page.t("override-standing-waiting")),
    };
    let reviewed = match (&o.verdict, &o.reviewed_by) {
        (Some(verdict), Some(name)) => {
            let words = page.t(&say::key("override-verdict", verdict));
            let tone = if verdict == "not_justified" {
                "bad"
            } else {
                "quiet"
            };
            (
                "holds",
                tone,
                page.t2("override-reviewed-by", "verdict", words, "name", name),
            )
        }
        _ if page.now > o.review_due => ("stale", "bad", page.t("override-review-overdue")),
        _ => ("dots", "warn", page.t("override-review-waits")),
    };
    Row {
        href: super::path(&label(o.case_number), o.id),
        case: label(o.case_number),
        title: o.case_title,
        change: format!("CH-{}", o.change_number),
        service: o.service,
        what: what.join(", "),
        category: page.t(&say::key("override-category", &o.category)),
        by: o.by,
        at: page.time(&o.at),
        cosigned,
        reviewed,
    }
}

/// Sums by one side of the counts, the most first.
fn sums(counts: &[Count], of: impl Fn(&Count) -> &String) -> Vec<(String, i64)> {
    let mut by: BTreeMap<String, i64> = BTreeMap::new();
    for count in counts {
        *by.entry(of(count).clone()).or_default() += count.count;
    }
    let mut all: Vec<(String, i64)> = by.into_iter().collect();
    all.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    all
}

/// `GET /overrides`
///
/// # Errors
/// When the reader is neither manager nor auditor.
pub async fn show(State(app): State<App>, reader: Reader, page: Page) -> Result<Response> {
    reader.may(Act::ReadOverrides)?;
    let mut conn = app.conn().await?;
    let listed = overrides::list(&mut conn, reader.id, MOST).await?;
    let counts = overrides::counts(&mut conn).await?;
    let waiting = listed.iter().filter(|o| o.verdict.is_none()).count();
    render(&ListPage {
        rows: listed.into_iter().map(|o| row(&page, o)).collect(),
        waiting,
        people: sums(&counts, |c| &c.person),
        services: sums(&counts, |c| &c.service),
        counts,
        page: page.at(Nav::Overrides),
    })
}
