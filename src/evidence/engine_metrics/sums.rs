//! Adds the followed series up: over all engines, or those of one engine or one model.

use super::{
    collect::Collected,
    names::{HISTS, Part, What},
    table::{Counter, Name},
    tracks::{Owner, Track},
};
use crate::prometheus::{Bucket, Histogram};
use std::collections::BTreeMap;

/// A histogram summed over engines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summed {
    /// Number of observations.
    pub count: Option<f64>,
    /// Sum of the observations.
    pub sum: Option<f64>,
    /// The buckets, unless they cannot be added.
    pub buckets: Option<Histogram>,
    /// Engines use different bounds.
    pub bounds_differ: bool,
    /// Buckets came and went between scrapes.
    pub broken: bool,
}

impl Summed {
    /// Mean of the observations, exact; `None` when there was none.
    pub fn mean(&self) -> Option<f64> {
        Some(self.sum? / self.count.filter(|count| *count > 0.0)?)
    }

    /// Number of observations as a whole number.
    pub fn samples(&self) -> u64 {
        self.count.unwrap_or_default().max(0.0) as u64
    }
}

/// Sums over some of the series.
#[derive(Debug, Default)]
pub struct Sums {
    /// Counters that were exported.
    pub counters: BTreeMap<Counter, f64>,
    /// Finished requests by reason; empty where the engine states none.
    pub finished: BTreeMap<String, f64>,
    /// Answers of the HTTP layer by status.
    pub http: BTreeMap<String, f64>,
    /// Histograms that were exported.
    pub hists: BTreeMap<Name, Summed>,
}

impl Sums {
    /// A counter's increase (or its value, from one scrape alone).
    pub fn counter(&self, counter: Counter) -> Option<f64> {
        self.counters.get(&counter).copied()
    }

    /// Requests that finished for any reason.
    pub fn finished(&self) -> Option<f64> {
        self.counter(Counter::Finished)
    }
}

/// Which series to add.
#[derive(Debug, Clone, Copy)]
pub enum Of<'a> {
    /// All.
    All,
    /// Those of one model.
    Model(&'a str),
    /// Those of one engine, replica or target.
    Owner(usize),
}

impl Of<'_> {
    /// Whether a track belongs here.
    pub fn holds(self, track: &Track, owners: &[Owner]) -> bool {
        match self {
            Self::All => true,
            Self::Model(model) => track
                .owner
                .is_some_and(|o| owners[o].model.as_deref() == Some(model)),
            Self::Owner(owner) => track.owner == Some(owner),
        }
    }
}

/// Adds up.
pub fn add(all: &Collected, of: Of<'_>) -> Sums {
    let single = all.scrapes == 1;
    let usable = |t: &&Track| single || !t.late;
    let amount = |t: &Track| if single { t.last } else { t.increase };
    let mut sums = Sums::default();
    let mut rank_of: BTreeMap<Counter, usize> = BTreeMap::new();
    for track in all.tracks.iter().filter(usable) {
        if let What::Counter(counter, rank) = track.what {
            let least = rank_of.entry(counter).or_insert(rank);
            *least = rank.min(*least);
        }
    }
    let here = || {
        all.tracks
            .iter()
            .filter(usable)
            .filter(|t| of.holds(t, &all.owners))
    };
    for track in here() {
        let What::Counter(counter, rank) = track.what else {
            continue;
        };
        if rank_of.get(&counter) != Some(&rank) {
            continue;
        }
        *sums.counters.entry(counter).or_default() += amount(track);
        if let Some(reason) = &track.reason {
            let by_reason = match counter {
                Counter::Finished => &mut sums.finished,
                _ => &mut sums.http,
            };
            *by_reason.entry(reason.clone()).or_default() += amount(track);
        }
    }
    for hist in HISTS {
        let rank_of = |t: &Track| match t.what {
            What::Hist(h, rank, _) if h == hist => Some(rank),
            _ => None,
        };
        let ranks = all.tracks.iter().filter(usable).filter_map(rank_of);
        let Some(rank) = ranks.min() else {
            continue;
        };
        let of_rank = |t: &Track, r: usize| rank_of(t) == Some(r);
        let tracks: Vec<&Track> = here().filter(|t| of_rank(t, rank)).collect();
        if !tracks.is_empty() {
            sums.hists.insert(hist, summed(all, &tracks, &amount));
        }
    }
    sums
}

fn summed(all: &Collected, tracks: &[&Track], amount: &dyn Fn(&Track) -> f64) -> Summed {
    let mut out = Summed::default();
    let mut groups: BTreeMap<usize, Vec<Bucket>> = BTreeMap::new();
    for track in tracks {
        let What::Hist(_, _, part) = track.what else {
            continue;
        };
        match part {
            Part::Count => *out.count.get_or_insert(0.0) += amount(track),
            Part::Sum => *out.sum.get_or_insert(0.0) += amount(track),
            Part::Bucket => groups.entry(track.group).or_default().push(Bucket {
                le: track.le,
                count: amount(track),
            }),
        }
        out.broken |= all.groups[track.group].broken;
    }
    if out.count.is_none() && groups.len() == 1 {
        let only = groups.values().next().cloned().unwrap_or_default();
        out.count = Histogram::new(only).total();
    }
    let mut bounds: Vec<Vec<f64>> = groups
        .values()
        .map(|g| {
            Histogram::new(g.clone())
                .buckets()
                .iter()
                .map(|b| b.le)
                .collect()
        })
        .collect();
    bounds.dedup();
    out.bounds_differ = bounds.len() > 1;
    if !out.bounds_differ && !out.broken && !groups.is_empty() {
        out.buckets = Some(Histogram::new(groups.into_values().flatten().collect()));
    }
    out
}
