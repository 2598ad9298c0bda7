//! Two people edited the same section: the page that shows yours, theirs and what both began
//! with, part by part, and the form that comes back from it.
//!
//! A part that only one of the two changed is chosen already; one that both changed waits to be
//! chosen. What was typed stays in the form and may be edited there. The answer goes to the
//! section's own address: [`Merged`] turns it into the section's own form again.

use super::{App, Error, Page, Result, page, visit::Visit};
use askama::Template;
use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts as _, Request},
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use axum_extra::extract::Form;
use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use url::form_urlencoded;

/// One part of a section as one of the three has it: a field, or a table that is one matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    id: String,
    label: String,
    pairs: Vec<(String, String)>,
    shown: String,
    /// Lines of the field it can be edited in; 0 when it is chosen as a whole.
    rows: u8,
}

impl Part {
    /// A text field; `name` is both its name in the form and its place on the page.
    pub fn text(name: &str, label: String, value: &str, rows: u8) -> Self {
        Self {
            id: name.to_owned(),
            label,
            pairs: vec![(name.to_owned(), value.to_owned())],
            shown: value.trim().to_owned(),
            rows,
        }
    }

    /// A choice, with the word that the page has for it.
    pub fn choice(name: &str, label: String, value: &str, word: String) -> Self {
        Self {
            shown: word,
            rows: 0,
            ..Self::text(name, label, value, 0)
        }
    }

    /// Several fields that go together.
    pub fn group(id: &str, label: String, pairs: Vec<(String, String)>, shown: String) -> Self {
        Self {
            id: id.to_owned(),
            label,
            pairs,
            shown,
            rows: 0,
        }
    }

    fn says_as(&self, other: &Self) -> bool {
        fn plain(pairs: &[(String, String)]) -> BTreeSet<(usize, &str, String)> {
            let said = |v: &String| v.replace("\r\n", "\n").trim().to_owned();
            let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
            pairs
                .iter()
                .map(|(n, v)| {
                    let place = seen.entry(n).or_default();
                    *place += 1;
                    (*place, n.as_str(), said(v))
                })
                .collect()
        }
        plain(&self.pairs) == plain(&other.pairs)
    }
}

/// Both sides and their base, ready to be shown.
#[derive(Debug, Clone, Default)]
pub struct Conflict {
    /// Heading.
    pub title: String,
    /// Where it stands: words and addresses, outermost first.
    pub crumbs: Vec<(String, String)>,
    /// Address of the section's form.
    pub action: String,
    /// Where giving up leads.
    pub back: String,
    /// Fields that are nobody's choice: the version that is read now, keys.
    pub hidden: Vec<(String, String)>,
    /// What was typed.
    pub yours: Vec<Part>,
    /// What is stored now.
    pub theirs: Vec<Part>,
    /// What both began with, when it is still known.
    pub base: Option<Vec<Part>>,
    /// Who stored theirs, and when.
    pub by: Option<(String, DateTime<Utc>)>,
}

/// One part on the page.
#[derive(Debug)]
struct Row {
    id: String,
    label: String,
    base: Option<String>,
    theirs: Part,
    yours: Part,
    /// `theirs` or `yours` when only that side changed it.
    only: &'static str,
}

#[derive(Template)]
#[template(path = "conflict.html")]
struct Shown {
    page: Page,
    conflict: Conflict,
    rows: Vec<Row>,
}

impl Row {
    fn is(&self, side: &str) -> bool {
        self.only == side
    }

    /// Name of a field of one side.
    fn name(&self, side: &str, field: &str) -> String {
        format!("{side}:{}:{field}", self.id)
    }

    fn field(&self) -> String {
        format!("yours-{}", self.id)
    }
}

/// Answers 409 with the page that lets its reader choose part by part.
///
/// # Errors
/// When the page cannot be made.
pub fn show(page: Page, mut conflict: Conflict) -> Result<Response> {
    let mut rows = Vec::new();
    for yours in std::mem::take(&mut conflict.yours) {
        let same = |parts: &[Part]| parts.iter().find(|p| p.id == yours.id).cloned();
        let theirs = same(&conflict.theirs).unwrap_or_default();
        if yours.says_as(&theirs) {
            conflict.hidden.extend(yours.pairs);
            continue;
        }
        let base = conflict
            .base
            .as_ref()
            .map(|b| same(b).unwrap_or_else(Part::default));
        let only = match &base {
            Some(base) if yours.says_as(base) => "theirs",
            Some(base) if theirs.says_as(base) => "yours",
            _ => "",
        };
        rows.push(Row {
            id: yours.id.clone(),
            label: yours.label.clone(),
            base: base.map(|b| b.shown),
            // A part that theirs does not know is nothing on their side.
            theirs: Part {
                id: yours.id.clone(),
                ..theirs
            },
            yours,
            only,
        });
    }
    let shown = Shown {
        page,
        conflict,
        rows,
    };
    page::show_with(StatusCode::CONFLICT, &shown)
}

/// A section's form, sent from its own page or from the page above.
#[derive(Debug)]
pub struct Merged<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Merged<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let visit = Visit::from_request_parts(&mut parts, app).await?;
        let request = Request::from_parts(parts.clone(), body);
        let Form(sent) = Form::<Vec<(String, String)>>::from_request(request, app)
            .await
            .map_err(|refused| Error::Status(refused.into_response().status()))?;
        let merged = merge(sent)
            .ok_or_else(|| Error::Invalid(Page::of(app, &visit).t("conflict-choose")))?;
        let body = Body::from(encoded(merged));
        let Form(form) = Form::<T>::from_request(Request::from_parts(parts, body), app)
            .await
            .map_err(|refused| Error::Status(refused.into_response().status()))?;
        Ok(Self(form))
    }
}

fn encoded(pairs: Vec<(String, String)>) -> String {
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(pairs);
    body.finish()
}

/// Takes the chosen side of every part; `None` when a part was not chosen.
fn merge(sent: Vec<(String, String)>) -> Option<Vec<(String, String)>> {
    let picks: BTreeMap<String, String> = sent
        .iter()
        .filter_map(|(n, side)| Some((n.strip_prefix("pick:")?.to_owned(), side.clone())))
        .collect();
    let mut merged = Vec::new();
    for (name, value) in sent {
        if name.starts_with("pick:") {
            continue;
        }
        let parts: Vec<&str> = name.splitn(3, ':').collect();
        match parts.as_slice() {
            [side @ ("yours" | "theirs"), id, field] => {
                if picks.get(*id)? == side {
                    merged.push(((*field).to_owned(), value));
                }
            }
            _ => merged.push((name, value)),
        }
    }
    Some(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect()
    }

    #[test]
    fn x04_the_chosen_side_of_every_part_is_taken() {
        let sent = pairs(&[
            ("version", "3"),
            ("pick:title", "theirs"),
            ("yours:title:title", "mine"),
            ("theirs:title:title", "other"),
            ("pick:t", "yours"),
            ("yours:t:t_on", "l:a.b"),
            ("yours:t:t_on", "k:1"),
            ("theirs:t:t_on", "k:2"),
        ]);
        let wanted = pairs(&[
            ("version", "3"),
            ("title", "other"),
            ("t_on", "l:a.b"),
            ("t_on", "k:1"),
        ]);
        assert_eq!(merge(sent), Some(wanted));
    }

    #[test]
    fn x04_a_part_that_was_not_chosen_overwrites_nothing() {
        let sent = pairs(&[
            ("yours:title:title", "mine"),
            ("theirs:title:title", "other"),
        ]);
        assert_eq!(merge(sent), None);
    }

    #[test]
    fn the_order_of_repeated_values_matters_and_line_ends_do_not() {
        let part = |of: &[(&str, &str)]| Part::group("x", String::new(), pairs(of), String::new());
        assert!(part(&[("a", "1\r\n2 ")]).says_as(&part(&[("a", "1\n2")])));
        assert!(!part(&[("a", "1"), ("a", "2")]).says_as(&part(&[("a", "2"), ("a", "1")])));
        assert!(!part(&[("a", "1")]).says_as(&part(&[])));
    }
}
