//! Break-glass: asking for an override, its record with co-signature and review, and the page on
//! which managers see all of them.

pub mod ask;
pub mod list;
pub mod show;

use super::changes::words;
use super::{Page, format, say};
use crate::ladder::CaseFile;
use crate::ladder::break_glass::{Overridable, Override, Standing};
use uuid::Uuid;

/// Address of an override.
pub fn path(case: &str, id: Uuid) -> String {
    format!("/cases/{case}/overrides/{id}")
}

/// What an override stands for, in words.
pub fn what(page: &Page, what: &[Overridable]) -> String {
    let words: Vec<String> = what.iter().map(|w| page.t(&w.key())).collect();
    words.join(", ")
}

/// The mark of where an override stands; never the one of a line that holds.
pub fn mark(page: &Page, standing: Standing) -> words::Mark {
    let (shape, tone) = match standing {
        Standing::Live | Standing::Alone => ("over", "warn"),
        Standing::Waiting => ("dots", "quiet"),
        Standing::Expired | Standing::OtherRevision | Standing::BasisMoved => ("stale", "quiet"),
    };
    (
        shape,
        tone,
        page.t(&say::key("override-standing", standing.id())),
    )
}

/// One override in a sentence: who, when, for what, until when.
pub fn sentence(page: &Page, case: &CaseFile, used: &Override) -> String {
    page.text(
        "override-said",
        &[
            ("person", &case.name_of(used.by)),
            ("at", &format::date_time(page.lang, used.at)),
            ("until", &format::date_time(page.lang, used.until)),
            ("what", &what(page, &used.what)),
        ],
    )
}
