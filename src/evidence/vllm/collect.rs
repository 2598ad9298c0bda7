//! Follows every known series along the scrapes: increases of counters with the reset rule,
//! greatest, mean and last of gauges. What is kept grows with the series, not with the scrapes.

use super::{
    names::{Counter, Gauge, Hist, Part, RANKS, What, what},
    points::Points,
    times::{self, Course, Stamps},
    tracks::{Group, Level, NEVER, Owner, Track},
};
use crate::prometheus::{
    Scrape,
    table::{Id, Series},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// All that was followed.
#[derive(Debug, Default)]
pub struct Collected {
    /// Scrapes taken as instants.
    pub scrapes: u32,
    /// Engines, replicas and models.
    pub owners: Vec<Owner>,
    /// Known series.
    pub tracks: Vec<Track>,
    /// Groups of histogram series.
    pub groups: Vec<Group>,
    /// Gauges over all engines by gauge and rank.
    pub levels: [[Level; RANKS]; Gauge::ALL.len()],
    /// Times of the scrapes.
    pub course: Course,
    /// Points of the series figures.
    pub points: Points,
    /// Steps in which a counter fell.
    pub reset_steps: u32,
    /// Steps in which every counter that moved fell.
    pub fallen_steps: u32,
    /// Of those, steps in which the process was not younger afterwards.
    pub reversed_steps: u32,
    /// Series born after the first scrape and counted from zero.
    pub born: u64,
    /// Targets pasted into one instant (0 when none were).
    pub targets: u64,
    /// Whether engines came or went between scrapes.
    pub engines_changed: bool,
    /// Process start at the first scrape and at the last, unix seconds.
    pub process_start: Option<(f64, f64)>,
    /// Finished requests and generated tokens at the first scrape, when exported.
    pub at_first: [Option<f64>; 2],
    /// Earliest `_created` of vLLM's series at the last scrape, unix seconds.
    pub created: Option<f64>,
    /// By series number: position in `tracks`, or `NOT_TRACKED`.
    slots: Vec<usize>,
    group_of: HashMap<String, usize>,
    owner_of: HashMap<Owner, usize>,
    families_known: usize,
    last_owners: BTreeSet<usize>,
    pending: Option<Pending>,
    last_cut: bool,
    /// Whether this scrape and the one before name no engine in common.
    replaced: bool,
}

const NOT_TRACKED: usize = usize::MAX;

/// A scrape, or several targets of one instant, that is not yet counted.
#[derive(Debug)]
struct Pending {
    /// Position in the tracks and value, each track once.
    values: Vec<(usize, f64)>,
    owners: BTreeSet<usize>,
    stamps: Stamps,
    families: usize,
    cut: bool,
}

impl Collected {
    /// Takes the next scrape of a file.
    pub fn scrape(&mut self, scrape: &Scrape<'_>) {
        let mut values = Vec::with_capacity(scrape.ids.len());
        let mut owners = BTreeSet::new();
        for id in scrape.ids {
            let slot = self.slot(*id, scrape);
            let value = scrape.values[*id as usize];
            if slot == NOT_TRACKED || !self.is_possible(slot, value) {
                continue;
            }
            owners.extend(self.tracks[slot].owner);
            values.push((slot, value));
        }
        let is_vllm = |(slot, _): &(usize, f64)| self.tracks[*slot].what != What::ProcessStart;
        if !values.iter().any(is_vllm) {
            return;
        }
        // Series of a whole process name no engine; they tell nothing where others do.
        if owners.iter().any(|o| self.owners[*o].engine.is_some()) {
            owners.retain(|o| self.owners[*o].engine.is_some());
        }
        let next = Pending {
            values,
            owners,
            stamps: times::of(scrape),
            families: scrape.families,
            cut: scrape.cut,
        };
        match &mut self.pending {
            Some(pending) if pending.is_another_target(&next) => {
                self.targets += if self.targets == 0 { 2 } else { 1 };
                pending.merge(next.values, &self.tracks);
                pending.owners.extend(next.owners);
                pending.cut |= next.cut;
                pending.families = next.families;
            }
            _ => {
                self.flush();
                self.pending = Some(next);
            }
        }
    }

    /// Counts the scrape that is waiting; called at the end of every file.
    pub fn flush(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.step(&pending);
        }
    }

    /// Counters neither fall below zero nor reach infinity; such values are left out.
    fn is_possible(&self, slot: usize, value: f64) -> bool {
        let counts = matches!(self.tracks[slot].what, What::Counter(..) | What::Hist(..));
        value.is_finite() && (!counts || value >= 0.0)
    }

    fn slot(&mut self, id: Id, scrape: &Scrape<'_>) -> usize {
        let i = id as usize;
        if i >= self.slots.len() {
            for new in self.slots.len()..=i {
                let slot = self.track(new as Id, &scrape.table.series()[new]);
                self.slots.push(slot);
            }
        }
        self.slots[i]
    }

    fn track(&mut self, id: Id, series: &Series) -> usize {
        let what = what(&series.key.name);
        if matches!(what, What::Other | What::Vllm | What::Python) {
            return NOT_TRACKED;
        }
        let owner = self.owner(series);
        let mut track = Track::new(what, id, series.family, owner);
        if let What::Hist(hist, rank, part) = what {
            if part == Part::Bucket {
                let bound = series.label("le").and_then(|le| le.parse().ok());
                let Some(bound) = bound else {
                    return NOT_TRACKED;
                };
                track.le = bound;
            }
            track.group = self.group(hist, rank, series);
        }
        self.tracks.push(track);
        self.tracks.len() - 1
    }

    fn group(&mut self, hist: Hist, rank: usize, series: &Series) -> usize {
        let mut key = format!("{hist}\u{1}{rank}");
        for (name, value) in series.key.labels.iter().filter(|(name, _)| name != "le") {
            key.push_str(&format!("\u{1}{name}\u{2}{value}"));
        }
        if let Some(group) = self.group_of.get(&key) {
            return *group;
        }
        self.groups.push(Group::default());
        self.group_of.insert(key, self.groups.len() - 1);
        self.groups.len() - 1
    }

    fn owner(&mut self, series: &Series) -> Option<usize> {
        let owner = Owner::of(series)?;
        if let Some(known) = self.owner_of.get(&owner) {
            return Some(*known);
        }
        self.owners.push(owner.clone());
        self.owner_of.insert(owner, self.owners.len() - 1);
        Some(self.owners.len() - 1)
    }

    fn step(&mut self, now: &Pending) {
        self.mark_resets(now);
        self.replaced = !self.last_owners.is_empty()
            && !now.owners.is_empty()
            && self.last_owners.is_disjoint(&now.owners);
        let elapsed = self.course.take(now.stamps);
        let mut totals = [[None::<f64>; RANKS]; Gauge::ALL.len()];
        let mut moved = Moved::default();
        let mut start = None;
        let mut created: Option<f64> = None;
        for &(slot, value) in &now.values {
            match self.tracks[slot].what {
                What::Counter(..) | What::Hist(..) => self.count(slot, value, &mut moved),
                What::Gauge(gauge, rank) => {
                    let total = &mut totals[gauge as usize][rank];
                    *total = Some(match (gauge, *total) {
                        (_, None) => value,
                        (Gauge::KvUsage | Gauge::PrefixHitRate, Some(t)) => t.max(value),
                        (_, Some(t)) => t + value,
                    });
                    self.tracks[slot].gauge(self.scrapes, value);
                }
                What::ProcessStart => start = Some(value),
                What::Created => created = Some(created.map_or(value, |c| c.min(value))),
                What::Config => self.tracks[slot].gauge(self.scrapes, value),
                What::Python | What::Vllm | What::Other => {}
            }
        }
        self.finish_step(now, &totals, &moved, start);
        self.created = created.or(self.created);
        self.points.push(elapsed, &totals);
        self.scrapes += 1;
    }

    fn finish_step(
        &mut self,
        now: &Pending,
        totals: &[[Option<f64>; RANKS]; Gauge::ALL.len()],
        moved: &Moved,
        start: Option<f64>,
    ) {
        for (levels, totals) in self.levels.iter_mut().zip(totals) {
            for (level, total) in levels.iter_mut().zip(totals) {
                if let Some(value) = total {
                    level.take(self.scrapes, *value);
                }
            }
        }
        let younger = match (self.process_start, start) {
            (Some((_, before)), Some(after)) => Some(after > before),
            _ => None,
        };
        self.reset_steps += u32::from(moved.fell > 0);
        if moved.fell > 0 && moved.rose == 0 {
            self.fallen_steps += u32::from(younger.is_none());
            self.reversed_steps += u32::from(younger == Some(false));
        }
        if let Some(start) = start {
            self.process_start =
                Some((self.process_start.map_or(start, |(first, _)| first), start));
        }
        if self.scrapes == 0 {
            self.at_first =
                [Counter::Finished, Counter::GenerationTokens].map(|c| self.sum_last(c));
        } else {
            self.engines_changed |= self.last_owners != now.owners;
        }
        self.last_owners.clone_from(&now.owners);
        self.families_known = self.families_known.max(now.families);
        self.last_cut = now.cut;
    }

    fn sum_last(&self, counter: Counter) -> Option<f64> {
        let of = |t: &&Track| {
            t.last_scrape != NEVER && matches!(t.what, What::Counter(c, _) if c == counter)
        };
        let mut values = self.tracks.iter().filter(of).map(|t| t.last).peekable();
        values.peek()?;
        Some(values.sum())
    }

    /// A histogram whose count or any bucket fell was reset as a whole: a bucket that happened to
    /// pass its old value meanwhile must not be differenced.
    fn mark_resets(&mut self, now: &Pending) {
        for &(slot, value) in &now.values {
            let track = &self.tracks[slot];
            let is_count = matches!(track.what, What::Hist(_, _, Part::Bucket | Part::Count));
            if is_count && track.last_scrape != NEVER && value < track.last {
                self.groups[track.group].reset_at = self.scrapes;
            }
        }
    }

    fn count(&mut self, slot: usize, value: f64, moved: &mut Moved) {
        let scrape = self.scrapes;
        let known = self.families_known;
        let track = &mut self.tracks[slot];
        let is_hist = matches!(track.what, What::Hist(..));
        if is_hist {
            let group = &mut self.groups[track.group];
            group.first = group.first.min(scrape);
        }
        if track.last_scrape == NEVER {
            if is_hist && self.groups[track.group].first < scrape {
                self.groups[track.group].broken = true;
            }
            if scrape > 0 {
                // The family was there before without this series: it was born since.
                if (track.family as usize) < known && !self.last_cut && !self.replaced {
                    track.increase = value.max(0.0);
                    self.born += 1;
                } else {
                    track.late = true;
                }
            }
        } else {
            let reset =
                value < track.last || (is_hist && self.groups[track.group].reset_at == scrape);
            let is_sum = matches!(track.what, What::Hist(_, _, Part::Sum));
            if reset {
                track.increase += value;
                moved.fell += u32::from(!is_sum && value < track.last);
            } else {
                track.increase += value - track.last;
                moved.rose += u32::from(value > track.last);
            }
        }
        track.last = value;
        track.last_scrape = scrape;
    }

    /// A gauge over all engines, under the first of its names that was exported.
    pub fn gauge(&self, gauge: Gauge) -> Option<(usize, &Level)> {
        let levels = self.levels[gauge as usize].iter().enumerate();
        levels.into_iter().find(|(_, level)| level.times > 0)
    }

    /// Whether the level was in the last scrape.
    pub fn is_level_current(&self, level: &Level) -> bool {
        level.last_scrape + 1 == self.scrapes
    }

    /// Whether the track was in the last scrape.
    pub fn is_current(&self, track: &Track) -> bool {
        track.last_scrape + 1 == self.scrapes
    }
}

/// Counters that rose and fell in one step.
#[derive(Default)]
struct Moved {
    rose: u32,
    fell: u32,
}

impl Pending {
    /// Takes another target's values. Counts that name no engine come from both: they add up.
    fn merge(&mut self, values: Vec<(usize, f64)>, tracks: &[Track]) {
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
    fn is_another_target(&self, next: &Self) -> bool {
        let timeless = |p: &Self| p.stamps.iter().all(Option::is_none);
        timeless(self)
            && timeless(next)
            && !self.owners.is_empty()
            && !next.owners.is_empty()
            && self.owners.is_disjoint(&next.owners)
    }
}
