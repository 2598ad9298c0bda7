//! The tables beside operations and calls: synchronisations, ranges, sampled metrics, overhead.

use super::{
    export::{Export, Odd, Scanned},
    names::{Names, kernel_label, range_name},
    spans::{Span, interval, union},
};
use crate::Refusal;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Distinct range names and metrics told apart.
const DISTINCT: usize = 50_000;

/// Stretches of profiler overhead held; with more, their share of the gaps is not worked out.
const OVERHEADS: usize = 500_000;

/// A count and a summed time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub count: u64,
    pub nanos: u128,
}

impl Tally {
    fn add(&mut self, start: i64, end: i64) {
        self.count += 1;
        self.nanos += (end - start) as u128;
    }
}

/// Everything the side tables say.
#[derive(Default)]
pub(super) struct Side {
    /// Synchronisations by `syncType`.
    pub syncs: BTreeMap<i64, Tally>,
    /// Use of the synchronisation, range, metric and overhead tables.
    pub scanned: Vec<(&'static str, Scanned)>,
    /// Ranges by name, longest first.
    pub ranges: Vec<(String, Tally)>,
    /// Ranges whose name is beyond the cap.
    pub ranges_left_out: u64,
    pub overhead: Option<Tally>,
    /// When the profiler was busy with itself, merged; empty beyond a cap.
    pub overhead_spans: Vec<Span>,
    /// CUPTI overhead by `overheadType`.
    pub cupti_overhead: BTreeMap<i64, Tally>,
    /// Mean of each sampled metric: GPU, name, mean as in the file, samples.
    pub metrics: Vec<(i64, String, f64, u64)>,
    range_ids: HashMap<i64, Tally>,
    range_texts: HashMap<String, Tally>,
}

impl Side {
    /// Reads the tables.
    ///
    /// # Errors
    /// As [`Export::scan`].
    pub(super) fn load(export: &Export) -> Result<Self, Refusal> {
        let mut side = Self::default();
        side.load_syncs(export)?;
        side.load_ranges(export)?;
        side.load_overhead(export)?;
        side.load_metrics(export)?;
        Ok(side)
    }

    fn load_syncs(&mut self, export: &Export) -> Result<(), Refusal> {
        let table = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
        let syncs = &mut self.syncs;
        let done = export.scan(table, &["start", "end", "syncType"], &mut |row| {
            let (start, end) = times(row.need(0)?, row.need(1)?)?;
            let kind = row.int(2)?.unwrap_or(0);
            let kind = if (0..=4).contains(&kind) { kind } else { 0 };
            syncs.entry(kind).or_default().add(start, end);
            Ok(())
        })?;
        self.scanned.push((table, done));
        Ok(())
    }

    /// Push/pop and start/end ranges, the program's own and imported ones, that were closed.
    fn load_ranges(&mut self, export: &Export) -> Result<(), Refusal> {
        let columns = ["start", "end", "eventType", "text", "textId"];
        let done = export.scan("NVTX_EVENTS", &columns, &mut |row| {
            let (Some(end), kind) = (row.int(1)?, row.need(2)?) else {
                return Ok(());
            };
            if !matches!(kind, 59 | 60 | 70 | 71) {
                return Ok(());
            }
            let (start, end) = times(row.need(0)?, end)?;
            let full = self.range_texts.len() + self.range_ids.len() >= DISTINCT;
            let tally = match (row.text(3)?, row.int(4)?) {
                (Some(text), _) => {
                    let name = range_name(&text);
                    if full && !self.range_texts.contains_key(&name) {
                        self.ranges_left_out += 1;
                        return Ok(());
                    }
                    self.range_texts.entry(name).or_default()
                }
                (None, Some(id)) => {
                    if full && !self.range_ids.contains_key(&id) {
                        self.ranges_left_out += 1;
                        return Ok(());
                    }
                    self.range_ids.entry(id).or_default()
                }
                (None, None) => return Ok(()),
            };
            tally.add(start, end);
            Ok(())
        })?;
        self.scanned.push(("NVTX_EVENTS", done));
        Ok(())
    }

    fn load_overhead(&mut self, export: &Export) -> Result<(), Refusal> {
        let mut sum = Tally::default();
        let mut spans = Vec::new();
        let done = export.scan("PROFILER_OVERHEAD", &["start", "end"], &mut |row| {
            let (start, end) = times(row.need(0)?, row.need(1)?)?;
            sum.add(start, end);
            if spans.len() <= OVERHEADS {
                spans.push((start, end));
            }
            Ok(())
        })?;
        self.scanned.push(("PROFILER_OVERHEAD", done));
        self.overhead = (sum.count > 0).then_some(sum);
        if spans.len() <= OVERHEADS {
            spans.sort_unstable();
            self.overhead_spans = union(spans.into_iter());
        }
        let table = "CUPTI_ACTIVITY_KIND_OVERHEAD";
        let kinds = &mut self.cupti_overhead;
        let done = export.scan(table, &["start", "end", "overheadType"], &mut |row| {
            let (start, end) = times(row.need(0)?, row.need(1)?)?;
            let kind = row.need(2)?;
            if (0..=64).contains(&kind) {
                kinds.entry(kind).or_default().add(start, end);
            }
            Ok(())
        })?;
        self.scanned.push((table, done));
        Ok(())
    }

    fn load_metrics(&mut self, export: &Export) -> Result<(), Refusal> {
        let mut sums: BTreeMap<(i64, i64), (f64, u64)> = BTreeMap::new();
        let columns = ["typeId", "metricId", "value"];
        let done = export.scan("GPU_METRICS", &columns, &mut |row| {
            let key = (row.need(0)?, row.need(1)?);
            let value = row.number(2)?.ok_or(Odd)?;
            if sums.len() >= DISTINCT && !sums.contains_key(&key) {
                return Err(Odd);
            }
            let sum = sums.entry(key).or_default();
            sum.0 += value;
            sum.1 += 1;
            Ok(())
        })?;
        self.scanned.push(("GPU_METRICS", done));
        let mut names: BTreeMap<(i64, i64), String> = BTreeMap::new();
        let columns = ["typeId", "metricId", "metricName"];
        export.scan("TARGET_INFO_GPU_METRICS", &columns, &mut |row| {
            let key = (row.need(0)?, row.need(1)?);
            if let (true, Some(name)) = (sums.contains_key(&key), row.text(2)?) {
                names.insert(key, kernel_label(&name));
            }
            Ok(())
        })?;
        for (key, name) in names {
            if let Some((sum, n)) = sums.get(&key) {
                // The low byte of the type is the number of the GPU.
                self.metrics.push((key.0 & 0xFF, name, sum / *n as f64, *n));
            }
        }
        Ok(())
    }

    /// String ids of the ranges.
    pub(super) fn wanted(&self) -> impl Iterator<Item = &i64> {
        self.range_ids.keys()
    }

    /// Gives the ranges their names.
    pub(super) fn settle(&mut self, names: &Names) {
        let mut all: HashMap<String, Tally> = HashMap::new();
        let by_text = std::mem::take(&mut self.range_texts).into_iter();
        let by_id = std::mem::take(&mut self.range_ids)
            .into_iter()
            .filter_map(|(id, t)| Some((range_name(names.get(&id)?), t)));
        for (name, tally) in by_text.chain(by_id) {
            let sum = all.entry(kernel_label(&name)).or_default();
            sum.count += tally.count;
            sum.nanos += tally.nanos;
        }
        self.ranges = all.into_iter().collect();
        self.ranges
            .sort_by(|a, b| b.1.nanos.cmp(&a.1.nanos).then_with(|| a.0.cmp(&b.0)));
    }

    /// Rows of one table, 0 when it is not in the file.
    pub(super) fn rows(&self, table: &str) -> u64 {
        self.scanned
            .iter()
            .filter(|(t, _)| *t == table)
            .map(|(_, s)| s.rows)
            .sum()
    }
}

/// Times of an event that may have no length.
fn times(start: i64, end: i64) -> Result<(i64, i64), Odd> {
    interval(start, end.saturating_add(1)).ok_or(Odd)?;
    Ok((start, end))
}

/// Strings the program knows of a set of ids.
pub(super) fn ids<'a>(groups: impl IntoIterator<Item = &'a i64>) -> HashSet<i64> {
    groups.into_iter().copied().collect()
}

/// What a `syncType` is called in the vendor's enumeration.
pub(super) fn sync_name(kind: i64) -> &'static str {
    match kind {
        1 => "Event sync",
        2 => "Stream wait sync",
        3 => "Stream sync",
        4 => "Context sync",
        _ => "Unknown",
    }
}
