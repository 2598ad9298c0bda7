//! What a reviewer accepted about a run as it stands, and whether two runs speak for one time
//! whatever is stated about them.

use super::case::CaseFile;
use super::evidence::Evidence;
use super::view::{RunView, field_arg};
use super::{Arg, Sentence};

impl<'a> RunView<'a> {
    /// Accepted contradictions, each with its item, said with who accepted it and why.
    pub fn accepted_sentences(&self, case: &CaseFile) -> Vec<(&'a Evidence, Sentence)> {
        self.accepted
            .iter()
            .map(|(item, a)| {
                let said = Sentence::new("statement-accepted")
                    .text("run", self.run.label())
                    .text("evidence", item.label())
                    .with("field", field_arg(&a.of.field))
                    .text("stated", &a.of.stated)
                    .text("found", &a.of.found)
                    .text("person", case.name_of(a.by))
                    .with("at", Arg::Time(a.at))
                    .text("reason", &a.reason);
                (*item, said)
            })
            .collect()
    }

    /// Whether files of both speak for a common instant, whatever is stated about the runs: one
    /// file trimmed by a line has another digest and the same time.
    pub fn content_overlaps(&self, other: &Self) -> bool {
        let windows =
            |r: &Self| -> Vec<_> { r.usable.iter().filter_map(|e| e.content_window()).collect() };
        let theirs = windows(other);
        windows(self)
            .iter()
            .any(|(a0, a1)| theirs.iter().any(|(b0, b1)| a0 < b1 && b0 < a1))
    }
}
