//! Where a run was taken, as the index of a case has it: what was stated together with what its
//! usable files say, and what keeps its settings from being compared.

use super::Sentence;
use super::environment::{self, Environment};
use super::evidence::Contradiction;
use super::view::RunView;

/// Code of a contradiction between two files of a run.
pub const OTHER_FILE: &str = "other-file";

/// Notes of a configuration that keep its settings from being compared.
const CONFIGURATION_GAPS: [&str; 5] = [
    "engine-config-file-missing",
    "engine-config-beside-missing",
    "engine-config-precedence",
    "engine-config-variable",
    "engine-config-open",
];

impl RunView<'_> {
    /// Puts together where it was taken, once all its items are known.
    pub(super) fn settle(&mut self) {
        self.taken_in = environment::effective(&self.run.stated.environment, &self.usable);
        let served = &self.taken_in.served;
        // A metric calls the model by the name it is served under.
        self.contradictions
            .retain(|(_, c)| !(c.field == "model" && served.contains(&c.found)));
        for conflict in &self.taken_in.conflicts {
            let (first, stated) = &conflict.first;
            let found = Contradiction {
                field: conflict.key.clone(),
                stated: format!("{stated} ({first})"),
                found: conflict.found.clone(),
                code: Some(OTHER_FILE.to_owned()),
            };
            self.contradictions.push((conflict.item, found));
        }
    }

    /// Where it was taken.
    pub fn environment(&self) -> &Environment {
        &self.taken_in.environment
    }

    /// Why its settings cannot be compared although a configuration was read: parts of it were
    /// not handed in, or only a running shell knows them.
    pub fn configuration_gaps(&self) -> Vec<Sentence> {
        let gap = |code: &str| CONFIGURATION_GAPS.contains(&code);
        let items = self.usable.iter().filter(|e| {
            let notes = e.extraction.iter().flat_map(|x| &x.notes);
            notes.into_iter().any(|n| gap(&n.code))
        });
        items
            .map(|e| {
                Sentence::new("environment-configuration-gap")
                    .text("run", self.run.label())
                    .text("evidence", e.label())
            })
            .collect()
    }
}
