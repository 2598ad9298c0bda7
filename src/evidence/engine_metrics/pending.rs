//! The scrape that waits to be counted: another target of the same instant may follow it.

use super::{names::What, times::Stamps, tracks::Track};
use std::collections::{BTreeMap, BTreeSet};

/// A scrape, or several targets of one instant, that is not yet counted.
#[derive(Debug)]
pub struct Pending {
    /// Position in the tracks and value, each track once.
    pub values: Vec<(usize, f64)>,
    /// Engines and models it names.
    pub owners: BTreeSet<usize>,
    /// Its times, by place.
    pub stamps: Stamps,
    /// Families known up to its end.
    pub families: usize,
    /// Whether the file ended inside it.
    pub cut: bool,
}

impl Pending {
    /// Takes another target's values. Counts that name no engine come from both: they add up.
    pub fn merge(&mut self, values: Vec<(usize, f64)>, tracks: &[Track]) {
        let mut both: BTreeMap<usize, f64> = self.values.drain(..).collect();
        for (slot, value) in values {
            let counts = matches!(tracks[slot].what, What::Counter(..) | What::Hist(..));
            both.entry(slot)
                .and_modify(|known| *known = if counts { *known + value } else { value })
                .or_insert(value);
        }
        self.values.extend(both);
    }

    /// Two targets pasted together look like two times, but for the engines they name. Where
    /// times stand between them they are times.
    pub fn is_another_target(&self, next: &Self) -> bool {
        let timeless = |p: &Self| p.stamps.iter().all(Option::is_none);
        timeless(self)
            && timeless(next)
            && !self.owners.is_empty()
            && !next.owners.is_empty()
            && self.owners.is_disjoint(&next.owners)
    }
}
