//! Samples that carry their own times, listed series by series, put back into instants.
//!
//! A Prometheus server asks its targets one after the other, so the samples of one round lie
//! apart by up to the interval between two rounds. A round ends before the first series that
//! would come twice in it, or when it would last as long as the interval.

use super::{
    line::Key,
    scrapes::Reader,
    table::{Full, Id},
};
use crate::Refusal;
use std::collections::HashMap;

/// Most samples of one reading that are kept until they can be put in order.
pub const MOST_POINTS: usize = 4_000_000;

/// One sample of one series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Number of the series in the table.
    pub id: Id,
    /// Unix seconds.
    pub time: f64,
    /// The value.
    pub value: f64,
}

/// The shortest time between two samples of one series, in seconds. `points` is sorted by time.
pub fn interval(points: &[Point]) -> Option<f64> {
    let mut last: HashMap<Id, f64> = HashMap::new();
    let mut least: Option<f64> = None;
    for point in points {
        if let Some(before) = last.insert(point.id, point.time) {
            let step = point.time - before;
            if step > 0.0 && least.is_none_or(|known| step < known) {
                least = Some(step);
            }
        }
    }
    least
}

/// Why the points of a file could not be taken.
#[derive(Debug)]
pub(super) enum Stop {
    /// Too many series.
    Series,
    /// Too many samples.
    Points,
}

/// Takes series and samples into a reader.
pub(super) struct Sink<'a> {
    /// Where they go.
    pub reader: &'a mut Reader,
    /// Why it had to stop.
    pub stop: Option<Stop>,
}

impl Sink<'_> {
    /// Counts a series that begins; one without a name comes out of an expression.
    pub fn begin(&mut self, key: &Key) {
        self.reader.tally_mut().unnamed += u64::from(key.name.is_empty());
    }

    /// Takes samples of one series; `false` when a cap is reached.
    pub fn take(&mut self, key: Key, samples: &[(f64, f64)]) -> bool {
        let tally = self.reader.tally_mut();
        tally.samples += samples.len() as u64;
        for (time, value) in samples {
            tally.extent.take(*time, *value);
        }
        if key.name.is_empty() {
            return true;
        }
        match self.reader.table_mut().intern(key) {
            Ok(Some(id)) => {
                let room = MOST_POINTS - self.reader.points.len().min(MOST_POINTS);
                if samples.len() > room {
                    self.stop = Some(Stop::Points);
                    return false;
                }
                let points = samples
                    .iter()
                    .map(|&(time, value)| Point { id, time, value });
                self.reader.points.extend(points);
                true
            }
            Ok(None) => true,
            Err(Full) => {
                self.stop = Some(Stop::Series);
                false
            }
        }
    }
}

/// Between what values and times the samples of answers lie.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extent {
    /// Least and greatest finite value.
    pub values: Option<(f64, f64)>,
    /// First and last time, unix seconds.
    pub times: Option<(f64, f64)>,
}

impl Extent {
    /// Takes one sample.
    pub fn take(&mut self, time: f64, value: f64) {
        let wider = |known: Option<(f64, f64)>, v: f64| match known {
            _ if !v.is_finite() => known,
            Some((a, b)) => Some((a.min(v), b.max(v))),
            None => Some((v, v)),
        };
        self.values = wider(self.values, value);
        self.times = wider(self.times, time);
    }
}

/// The refusal for a cap that was reached.
pub(super) fn refused(file: &str, stop: &Stop, place: String) -> Refusal {
    match stop {
        Stop::Series => super::scrapes::too_many(file, place),
        Stop::Points => Refusal::new(file, "prometheus-too-many-samples")
            .arg("most", MOST_POINTS)
            .at(place),
    }
}
