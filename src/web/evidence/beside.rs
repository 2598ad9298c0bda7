//! What stands beside an item on its page: contradictions and who accepted them, the same bytes
//! elsewhere, and the readings of other parsers.

use crate::{
    ladder::{CaseFile, evidence::Evidence, policy::Act, run::Run},
    store::{evidence::Twin, readings::Version},
    web::{
        Page,
        case::{self, checks, cut},
        format, say,
    },
};

/// A contradiction that nobody accepted.
pub struct OpenRow {
    /// Its key in the form.
    pub key: String,
    /// What contradicts what.
    pub words: String,
}

/// Contradictions that this reader may accept.
pub fn acceptable(page: &Page, case: &CaseFile, item: &Evidence, run: &Run) -> Vec<OpenRow> {
    let may = page
        .reader
        .as_ref()
        .is_some_and(|r| crate::ladder::contributor::may_accept(case, item, r.id).is_ok());
    if !may || !case::open_to(page, case, Act::Review) {
        return Vec::new();
    }
    item.contradictions(run)
        .into_iter()
        .filter(|c| !checks::is_accepted(case, item, c))
        .map(|c| OpenRow {
            key: super::vouch::key_of(&c),
            words: checks::contradiction(page, item, &c),
        })
        .collect()
}

/// A case that is not this one, as its readers may know it: whoever may not see it learns its id.
pub fn other_case(number: i64) -> String {
    crate::ladder::case::label(number)
}

/// The same bytes elsewhere, in words.
pub fn twins(page: &Page, case: &CaseFile, item: &Evidence, twins: &[Twin]) -> Vec<String> {
    twins
        .iter()
        .map(|t| {
            let at = format::date_time(page.lang, t.at);
            let label = format!("EV-{}", t.number);
            if t.case_id != case.id {
                let key = if t.number < item.number {
                    "link-first"
                } else {
                    "link-later"
                };
                let args = [
                    ("item", label.as_str()),
                    ("case", &other_case(t.case_number)),
                    ("at", &at),
                ];
                return page.text(key, &args);
            }
            let reason = t.reason.as_deref().unwrap_or_default();
            let reason = if reason.is_empty() {
                ".".to_owned()
            } else {
                format!(": {}", cut(reason, 300))
            };
            let by = t.by.clone().unwrap_or_else(|| page.t("case-timeline-app"));
            page.text(
                "link-before",
                &[
                    ("item", &label),
                    ("state", &page.t(&say::key("evidence-state", t.state.id()))),
                    ("person", &by),
                    ("at", &at),
                    ("reason", &reason),
                ],
            )
        })
        .collect()
}

/// What an item is a redacted copy of, and its own copies: words, and the label they lead to.
pub fn redaction(page: &Page, case: &CaseFile, item: &Evidence) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if let Some(r) = &item.redaction
        && let Some(original) = case.item(r.original_id)
    {
        let removed: Vec<String> = r.removed.iter().map(|f| cut(f, 80)).collect();
        let label = original.label();
        let words = page.t2("redact-of", "item", &label, "removed", removed.join(", "));
        found.push((words, label));
    }
    let of_this = |e: &&Evidence| {
        e.redaction
            .as_ref()
            .is_some_and(|r| r.original_id == item.id)
    };
    for copy in case.evidence.iter().filter(of_this) {
        let label = copy.label();
        found.push((page.t1("redact-copy", "item", &label), label));
    }
    found
}

/// One reading of the item.
pub struct VersionRow {
    /// Which parser.
    pub parser: String,
    /// When.
    pub at: chrono::DateTime<chrono::Utc>,
    /// How it stands to the reading before.
    pub moved: String,
    /// Where it is shown; `None` = it is what the page shows.
    pub href: Option<String>,
    /// Whether it is the newest, which counts.
    pub newest: bool,
}

/// The readings of the item, newest first; nothing while there is only one.
pub fn versions(
    page: &Page,
    path: &str,
    versions: &[Version],
    shown: Option<uuid::Uuid>,
) -> Vec<VersionRow> {
    if versions.len() < 2 {
        return Vec::new();
    }
    versions
        .iter()
        .enumerate()
        .map(|(i, v)| {
            let moved = v
                .moved
                .as_ref()
                .map(|all| all.iter().filter(|m| m.beyond(0.0)).count());
            let here = shown.map_or(i == 0, |id| id == v.id);
            VersionRow {
                parser: page.t1("reading-parser", "version", cut(&v.parser, 40)),
                at: v.at,
                moved: match moved {
                    None => page.t("reading-first"),
                    Some(0) => page.t("reading-unchanged"),
                    Some(n) => page.t1("reading-moved", "count", n),
                },
                href: (!here).then(|| match i {
                    0 => path.to_owned(),
                    _ => format!("{path}?reading={}", v.id),
                }),
                newest: i == 0,
            }
        })
        .collect()
}
