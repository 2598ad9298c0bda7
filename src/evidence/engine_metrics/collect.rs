//! Follows every known series along the scrapes: increases of counters with the reset rule,
//! greatest, mean and last of gauges. What is kept grows with the series, not with the scrapes.

use super::{
    labels::{NO_VALUE, is_inference, is_repeating, reason, repeated, throttled},
    names::{Part, What, meaning},
    pending::Pending,
    points::Points,
    table::{Combine, Counter, Engine, Means, Name},
    times::{self, Course},
    tracks::{Device, Group, Level, NEVER, Owner, Track},
};
use crate::prometheus::{
    Scrape,
    table::{Id, Series},
};
use crate::{Unit, catalogue};
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
    /// Gauges over all engines by signal and rank of the name.
    pub levels: BTreeMap<(Name, usize), Level>,
    /// Devices that exporters name.
    pub devices: Vec<Device>,
    /// Who exports what was read.
    pub engines: BTreeSet<Engine>,
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
    device_of: HashMap<Device, usize>,
    /// By what is left of a key without the ranks that repeat it: position in the tracks.
    shared_of: HashMap<String, usize>,
    families_known: usize,
    last_owners: BTreeSet<usize>,
    pending: Option<Pending>,
    last_cut: bool,
    /// Whether this scrape and the one before name no engine in common.
    replaced: bool,
}

const NOT_TRACKED: usize = usize::MAX;

impl Collected {
    /// Takes the next scrape of a file.
    pub fn scrape(&mut self, scrape: &Scrape<'_>) {
        let mut values = Vec::with_capacity(scrape.ids.len());
        let mut owners = BTreeSet::new();
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for id in scrape.ids {
            let slot = self.slot(*id, scrape);
            if slot == NOT_TRACKED {
                continue;
            }
            let Some(value) = self.base_value(slot, scrape.values[*id as usize]) else {
                continue;
            };
            owners.extend(self.tracks[slot].owner);
            if self.tracks[slot].shared
                && let Some(at) = shared.insert(slot, values.len())
            {
                let known: &mut (usize, f64) = &mut values[at];
                known.1 = known.1.max(value);
                shared.insert(slot, at);
                continue;
            }
            values.push((slot, value));
        }
        let is_one = |(slot, _): &(usize, f64)| self.tracks[*slot].what != What::ProcessStart;
        if !values.iter().any(is_one) {
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

    /// The value in base units. Counters neither fall below zero nor reach infinity, exporters
    /// write a number near 2^63 for "no value", and no share passes one: such values are left out.
    fn base_value(&self, slot: usize, value: f64) -> Option<f64> {
        let track = &self.tracks[slot];
        if !value.is_finite() {
            return None;
        }
        let row = track.row;
        let scaled = match track.what {
            What::Hist(_, _, Part::Bucket | Part::Count) => value,
            _ if row.is_some_and(|row| row.throttle) => throttled(value),
            _ => value * row.map_or(1.0, |row| row.scale),
        };
        let possible = match track.what {
            What::Counter(..) | What::Hist(..) => value >= 0.0,
            What::Device(signal) => {
                let is_share = catalogue::find(signal).is_some_and(|d| d.unit == Unit::Ratio);
                value.abs() < NO_VALUE && (!is_share || (0.0..=1.01).contains(&scaled))
            }
            What::DeviceCount(_) | What::DeviceError => (0.0..NO_VALUE).contains(&value),
            _ => true,
        };
        possible.then_some(scaled)
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
        let meaning = meaning(series);
        let what = meaning.what;
        if let Some(engine) = meaning.engine {
            self.engines.insert(engine);
        }
        if matches!(what, What::Other | What::Engine | What::Python) {
            return NOT_TRACKED;
        }
        let is_device = matches!(
            what,
            What::Device(_) | What::DeviceCount(_) | What::DeviceError
        );
        let key = if is_device {
            let Some(device) = Device::of(series) else {
                return NOT_TRACKED;
            };
            Some(format!("{what:?}\u{1}{device:?}"))
        } else {
            repeated(series)
        };
        if let Some(slot) = key.as_ref().and_then(|key| self.shared_of.get(key)) {
            self.tracks[*slot].repeats += 1;
            return *slot;
        }
        let owner = if is_device { None } else { self.owner(series) };
        let mut track = Track::new(meaning, id, series.family, owner);
        if is_device {
            track.device = self.device(series);
        }
        track.shared = key.is_some();
        track.reason = reason(&track, series);
        if matches!(what, What::Counter(Counter::Http, _)) && !is_inference(series) {
            return NOT_TRACKED;
        }
        let number = |label: &str| series.label(label)?.parse::<f64>().ok();
        match what {
            What::Hist(hist, rank, part) => {
                if part == Part::Bucket {
                    let Some(bound) = number("le") else {
                        return NOT_TRACKED;
                    };
                    track.le = bound * meaning.row.map_or(1.0, |row| row.scale);
                }
                track.group = self.group(hist, rank, series);
            }
            What::Summary(_) => {
                let Some(quantile) = number("quantile") else {
                    return NOT_TRACKED;
                };
                track.le = quantile;
            }
            _ => {}
        }
        self.tracks.push(track);
        let slot = self.tracks.len() - 1;
        if let Some(key) = key {
            self.shared_of.insert(key, slot);
        }
        slot
    }

    fn group(&mut self, hist: Name, rank: usize, series: &Series) -> usize {
        let mut key = format!("{hist}\u{1}{rank}");
        let labels = series.key.labels.iter();
        for (name, value) in labels.filter(|(name, _)| name != "le" && !is_repeating(name)) {
            key.push_str(&format!("\u{1}{name}\u{2}{value}"));
        }
        if let Some(group) = self.group_of.get(&key) {
            return *group;
        }
        self.groups.push(Group::default());
        self.group_of.insert(key, self.groups.len() - 1);
        self.groups.len() - 1
    }

    fn device(&mut self, series: &Series) -> Option<usize> {
        let device = Device::of(series)?;
        if let Some(known) = self.device_of.get(&device) {
            return Some(*known);
        }
        self.devices.push(device.clone());
        self.device_of.insert(device, self.devices.len() - 1);
        Some(self.devices.len() - 1)
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
        let mut totals: BTreeMap<(Name, usize), f64> = BTreeMap::new();
        let mut moved = Moved::default();
        let mut start = None;
        let mut created: Option<f64> = None;
        for &(slot, value) in &now.values {
            match self.tracks[slot].what {
                What::Counter(..) | What::Hist(..) | What::DeviceCount(_) => {
                    self.count(slot, value, &mut moved);
                }
                What::Gauge(gauge, rank) => {
                    let how = self.tracks[slot].row.map(|row| row.means);
                    totals
                        .entry((gauge, rank))
                        .and_modify(|total| match how {
                            Some(Means::Gauge(_, Combine::Max)) => *total = total.max(value),
                            _ => *total += value,
                        })
                        .or_insert(value);
                    self.tracks[slot].gauge(self.scrapes, value);
                }
                What::Device(_) | What::DeviceError | What::Summary(_) | What::Config => {
                    self.tracks[slot].gauge(self.scrapes, value);
                }
                What::ProcessStart => start = Some(value),
                What::Created => created = Some(created.map_or(value, |c| c.min(value))),
                What::Python | What::Engine | What::Other => {}
            }
        }
        self.finish_step(now, &totals, &moved, start);
        self.created = created.or(self.created);
        let first = |gauge: Name| {
            let mut of_gauge = totals.range((gauge, 0)..=(gauge, usize::MAX));
            of_gauge.next().map(|(_, total)| *total)
        };
        self.points.push(elapsed, &first);
        self.scrapes += 1;
    }

    fn finish_step(
        &mut self,
        now: &Pending,
        totals: &BTreeMap<(Name, usize), f64>,
        moved: &Moved,
        start: Option<f64>,
    ) {
        for (key, total) in totals {
            let level = self.levels.entry(*key).or_default();
            level.take(self.scrapes, *total);
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
    pub fn gauge(&self, gauge: Name) -> Option<(usize, &Level)> {
        let mut levels = self.levels.range((gauge, 0)..=(gauge, usize::MAX));
        levels.next().map(|((_, rank), level)| (*rank, level))
    }

    /// Whether the level was in the last scrape.
    pub fn is_level_current(&self, level: &Level) -> bool {
        level.last_scrape.checked_add(1) == Some(self.scrapes)
    }

    /// Whether the track was in the last scrape.
    pub fn is_current(&self, track: &Track) -> bool {
        track.last_scrape.checked_add(1) == Some(self.scrapes)
    }
}

/// Counters that rose and fell in one step.
#[derive(Default)]
struct Moved {
    rose: u32,
    fell: u32,
}
