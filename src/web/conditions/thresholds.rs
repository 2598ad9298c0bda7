//! The thresholds of the live change, as the claim about them is recorded on its current
//! revision.

use crate::ladder::{CaseFile, threshold};
use crate::web::{Page, changes, changes::words, say};

/// The form's own part.
pub struct ThresholdsView {
    /// Label of the change.
    pub change: String,
    /// Number of its current revision.
    pub revision: i32,
    /// Digest of that revision.
    pub digest: String,
    /// Where it is edited.
    pub edit: String,
    /// Thresholds, each as a sentence.
    pub thresholds: Vec<String>,
    /// What keeps them from being complete and strict.
    pub problems: Vec<String>,
    /// What is done when one triggers.
    pub action: String,
    /// Steps back.
    pub procedure: String,
    /// Who watches.
    pub watcher: String,
}

/// The thresholds of the live change; `None` when there is no change to go back from.
pub fn of(page: &Page, case: &CaseFile) -> Option<ThresholdsView> {
    let change = case.live_change().filter(|c| !c.state.is_terminal())?;
    let revision = change.current()?;
    let problems = case.contract.as_ref().map_or_else(Vec::new, |version| {
        threshold::set_problems(&revision.terms, version, &case.policy)
            .iter()
            .map(|s| say::sentence(page.lang, s))
            .collect()
    });
    Some(ThresholdsView {
        edit: format!("{}/edit", changes::path(&case.label(), &change.label())),
        change: change.label(),
        revision: revision.number,
        digest: revision.digest.clone(),
        thresholds: words::thresholds(page, &revision.terms),
        problems,
        action: revision.terms.action.clone(),
        procedure: revision.terms.procedure.clone(),
        watcher: revision.terms.plan.watcher.clone(),
    })
}
