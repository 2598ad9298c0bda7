//! Two versions of a contract side by side, line by line; what differs is marked and named.

use super::words::{self, Line, PARTS};
use crate::{
    ladder::{
        contract::{Compatibility, Terms},
        policy::Act,
    },
    store::contracts::{self, VersionRow},
    web::{
        App, Error, Page, Reader, Result,
        page::{Nav, show as render},
        visit::Visit,
    },
};
use askama::Template;
use axum::{
    extract::{Path, Query, State},
    response::Response,
};
use serde::Deserialize;
use uuid::Uuid;

/// How a line of the later version relates to the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// The same text.
    Same,
    /// Another text.
    Changed,
    /// Not there before.
    Added,
    /// Not there any more.
    Removed,
}

impl Move {
    /// Part of the message key `contracts-move-…`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// One line of both versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// What the line is called.
    pub label: String,
    /// Its text before.
    pub before: Option<String>,
    /// Its text after.
    pub after: Option<String>,
    /// Whether it is a limit that became looser or went away.
    pub loosened: bool,
}

impl Pair {
    /// How the two relate.
    pub fn moved(&self) -> Move {
        match (&self.before, &self.after) {
            (Some(a), Some(b)) if a == b => Move::Same,
            (Some(_), Some(_)) => Move::Changed,
            (None, _) => Move::Added,
            (_, None) => Move::Removed,
        }
    }
}

/// A part of the contract with its lines; parts without lines are left out.
pub struct Part {
    /// `limits`.
    pub id: &'static str,
    /// Its lines: those of before in their order, then the new ones.
    pub pairs: Vec<Pair>,
}

/// Both versions line by line.
pub fn parts(page: &Page, before: &Terms, after: &Terms) -> Vec<Part> {
    let loosened = after.loosened(before);
    let (old, new) = (words::lines(page, before), words::lines(page, after));
    PARTS
        .into_iter()
        .map(|id| Part {
            id,
            pairs: pairs(id, (&old, &new), &loosened),
        })
        .filter(|part| !part.pairs.is_empty())
        .collect()
}

fn pairs(part: &str, (old, new): (&[Line], &[Line]), loosened: &[String]) -> Vec<Pair> {
    let of =
        |lines: &[Line], key: &str| lines.iter().find(|l| l.key == key).map(|l| l.text.clone());
    let here = |l: &&Line| l.part == part;
    let looser = |l: &Line| part == "limits" && loosened.contains(&l.label);
    let kept = old.iter().filter(here).map(|l| Pair {
        label: l.label.clone(),
        before: Some(l.text.clone()),
        after: of(new, &l.key),
        loosened: looser(l),
    });
    let added = new
        .iter()
        .filter(here)
        .filter(|l| of(old, &l.key).is_none())
        .map(|l| Pair {
            label: l.label.clone(),
            before: None,
            after: Some(l.text.clone()),
            loosened: false,
        });
    kept.chain(added).collect()
}

/// Which versions to compare; without numbers the newest with the one before it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    from: String,
    to: String,
}

#[derive(Template)]
#[template(path = "contracts/diff.html")]
struct Diff {
    page: Page,
    contract: Uuid,
    name: String,
    numbers: Vec<i32>,
    before: VersionRow,
    after: VersionRow,
    parts: Vec<Part>,
}

impl Diff {
    fn changes(&self) -> usize {
        let all = self.parts.iter().flat_map(|p| &p.pairs);
        all.filter(|p| p.moved() != Move::Same).count()
    }

    fn loosened(&self) -> usize {
        let all = self.parts.iter().flat_map(|p| &p.pairs);
        all.filter(|p| p.loosened).count()
    }

    fn editorial(&self) -> bool {
        let (before, after) = (&self.before.version.terms, &self.after.version.terms);
        after.compatibility(before) == Compatibility::Editorial
    }

    fn part(&self, id: &str) -> String {
        self.page.t(&format!("contracts-part-{id}"))
    }

    fn moved(&self, pair: &Pair) -> String {
        self.page
            .t(&format!("contracts-move-{}", pair.moved().id()))
    }

    fn is_from(&self, number: &i32) -> bool {
        self.before.version.number == *number
    }

    fn is_to(&self, number: &i32) -> bool {
        self.after.version.number == *number
    }
}

/// `GET /contracts/{id}/diff?from=1&to=2`
///
/// # Errors
/// When the reader may not read contracts, or there is no such contract or version.
pub async fn show(
    State(app): State<App>,
    visit: Visit,
    reader: Reader,
    Path(id): Path<Uuid>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let versions = contracts::versions(&mut *app.conn().await?, id).await?;
    let numbers: Vec<i32> = versions.iter().rev().map(|v| v.version.number).collect();
    let newest = numbers.last().copied().unwrap_or_default();
    let to = number(&asked.to, newest)?;
    let from = number(&asked.from, (to - 1).max(1))?;
    let pick = |n: i32| {
        let found = versions.iter().find(|v| v.version.number == n);
        found.cloned().ok_or(Error::NotFound)
    };
    let (before, after) = (pick(from)?, pick(to)?);
    let page = Page::of(&app, &visit).at(Nav::Contracts);
    render(&Diff {
        contract: id,
        name: after.version.contract_name.clone(),
        numbers,
        parts: parts(&page, &before.version.terms, &after.version.terms),
        before,
        after,
        page,
    })
}

fn number(asked: &str, otherwise: i32) -> Result<i32> {
    match asked.trim() {
        "" => Ok(otherwise),
        text => text.parse().map_err(|_| Error::NotFound),
    }
}
