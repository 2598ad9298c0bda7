//! Where a run was taken, fact by fact, with everything that says each of them.

use crate::ladder::environment::{Effective, Source};
use crate::web::Page;

/// A fact as shown.
pub struct FactView {
    /// Its key.
    pub key: String,
    /// The value that counts.
    pub value: String,
    /// Who says it, in words.
    pub sources: String,
    /// Who says otherwise, in words.
    pub against: Vec<String>,
}

/// The facts of an environment, sorted by key.
pub fn facts(page: &Page, effective: &Effective<'_>) -> Vec<FactView> {
    effective
        .facts
        .iter()
        .map(|(key, fact)| FactView {
            key: key.clone(),
            value: fact.value.clone(),
            sources: sources(page, &fact.sources),
            against: fact
                .against
                .iter()
                .map(|(from, value)| {
                    let from = source(page, from);
                    page.t2("environment-against", "source", from, "value", value)
                })
                .collect(),
        })
        .collect()
}

/// Sources as one phrase.
pub fn sources(page: &Page, all: &[Source]) -> String {
    let words: Vec<String> = all.iter().map(|s| source(page, s)).collect();
    words.join(", ")
}

fn source(page: &Page, from: &Source) -> String {
    match from {
        Source::Stated => page.t("environment-stated"),
        Source::Read(item) => page.t1("environment-read", "evidence", item),
    }
}
