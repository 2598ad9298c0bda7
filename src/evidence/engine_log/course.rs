//! What is kept of the periodic lines while they go by: running summaries, the course of time, and
//! a bounded number of points for the figures. Nothing here grows with the log.

use super::{
    sample::{Gauge, Sample},
    stamp::{KINDS, Stamps, step},
};

/// A gauge over the lines.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Level {
    /// Lines that had it.
    pub times: u64,
    /// Sum over them.
    pub sum: f64,
    /// Greatest.
    pub max: f64,
    /// Newest.
    pub last: f64,
    /// Lines at or above the edge of the gauge (see [`Levels::take`]).
    pub over: u64,
}

impl Level {
    /// Mean over the lines; `None` when there was none.
    pub fn mean(&self) -> Option<f64> {
        (self.times > 0).then(|| self.sum / self.times as f64)
    }

    fn take(&mut self, value: f64, edge: f64) {
        self.max = if self.times == 0 {
            value
        } else {
            self.max.max(value)
        };
        self.times += 1;
        self.sum += value;
        self.last = value;
        self.over += u64::from(value >= edge);
    }
}

/// KV use from which on the cache counts as full.
pub const FULL: f64 = 0.95;

/// All gauges over the lines.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Levels([Level; Gauge::ALL.len()]);

impl Levels {
    /// A gauge, if any line had it.
    pub fn get(&self, gauge: Gauge) -> Option<&Level> {
        Some(&self.0[gauge as usize]).filter(|l| l.times > 0)
    }

    /// Takes the gauges of a line. The edge is one request that waits, or a full KV cache; for a
    /// rate it is anything above zero.
    pub fn take(&mut self, sample: &Sample) {
        for gauge in Gauge::ALL {
            if let Some(value) = sample.get(gauge) {
                let edge = match gauge {
                    Gauge::Waiting | Gauge::Running => 1.0,
                    Gauge::Kv => FULL,
                    _ => f64::MIN_POSITIVE,
                };
                self.0[gauge as usize].take(value, edge);
            }
        }
    }
}

/// The course of time, by kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Course {
    kinds: [Clock; KINDS],
}

/// Longest step back, in seconds, that lines of several processes may make.
const SLACK: f64 = 2.0;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Clock {
    seen: u64,
    first: f64,
    /// The newest time.
    last: f64,
    /// Seconds since the first, steps back left out.
    elapsed: f64,
    back: u64,
    /// Line of the first step back.
    back_at: u64,
    longest: f64,
}

impl Course {
    /// Takes the times of a line.
    pub fn take(&mut self, stamps: &Stamps, line: u64) {
        for (kind, clock) in self.kinds.iter_mut().enumerate() {
            let Some(now) = stamps.0[kind] else {
                continue;
            };
            if clock.seen == 0 {
                (clock.first, clock.last) = (now, now);
            }
            clock.seen += 1;
            let moved = step(kind, clock.last, now);
            if moved < -SLACK {
                if clock.back == 0 {
                    clock.back_at = line;
                }
                clock.back += 1;
                clock.last = now;
            } else if moved > 0.0 {
                clock.elapsed += moved;
                clock.longest = clock.longest.max(moved);
                clock.last = now;
            }
        }
    }

    /// The surest kind of time that nearly all lines carry.
    pub fn kind(&self) -> Option<usize> {
        let most = self.kinds.iter().map(|c| c.seen).max().unwrap_or(0);
        let common = |c: &Clock| c.seen > 0 && c.seen as f64 >= 0.9 * most as f64;
        self.kinds.iter().position(common)
    }

    /// Seconds from the first line to the newest; `None` without times, or when they ran back.
    pub fn seconds(&self) -> Option<f64> {
        let clock = self.kinds[self.kind()?];
        (clock.back == 0 && clock.seen > 1).then_some(clock.elapsed)
    }

    /// First and newest time of a kind.
    pub fn ends(&self, kind: usize) -> Option<(f64, f64)> {
        let clock = self.kinds[kind];
        (clock.seen > 0).then_some((clock.first, clock.last))
    }

    /// How often time stepped back, and at which line first.
    pub fn back(&self) -> Option<(u64, u64)> {
        let clock = self.kinds[self.kind()?];
        (clock.back > 0).then_some((clock.back, clock.back_at))
    }

    /// The longest step between two lines, in seconds.
    pub fn longest(&self) -> Option<f64> {
        Some(self.kinds[self.kind()?].longest)
    }

    /// Seconds since the first line, by kind.
    pub fn elapsed(&self) -> [Option<f64>; KINDS] {
        self.kinds.map(|c| (c.seen > 0).then_some(c.elapsed))
    }
}

/// Most points kept.
pub const MOST_POINTS: usize = 400;

/// Gauges of the figures over all engines, in this order.
pub const DRAWN: [Gauge; 5] = [
    Gauge::Running,
    Gauge::Waiting,
    Gauge::Kv,
    Gauge::Prompt,
    Gauge::Generation,
];

/// The gauges at one line, or the greatest of several lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Number of the first periodic line it stands for, from 1.
    pub line: u64,
    /// Seconds since the first line, by kind of time.
    pub elapsed: [Option<f64>; KINDS],
    /// Values of [`DRAWN`].
    pub values: [Option<f64>; DRAWN.len()],
}

/// The points so far: at most [`MOST_POINTS`], each the greatest of the lines it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    points: Vec<Point>,
    taken: u64,
    stride: u64,
}

impl Default for Points {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            taken: 0,
            stride: 1,
        }
    }
}

impl Points {
    /// Takes the gauges at the next line.
    pub fn push(&mut self, elapsed: [Option<f64>; KINDS], values: [Option<f64>; DRAWN.len()]) {
        let point = Point {
            line: self.taken + 1,
            elapsed,
            values,
        };
        let mut at = (self.taken / self.stride) as usize;
        if at == MOST_POINTS {
            let old = std::mem::take(&mut self.points);
            for pair in old.chunks(2) {
                let mut first = pair[0];
                if let Some(second) = pair.get(1) {
                    absorb(&mut first, second);
                }
                self.points.push(first);
            }
            self.stride *= 2;
            at = (self.taken / self.stride) as usize;
        }
        match self.points.get_mut(at) {
            Some(last) => absorb(last, &point),
            None => self.points.push(point),
        }
        self.taken += 1;
    }

    /// The points kept.
    pub fn kept(&self) -> &[Point] {
        &self.points
    }

    /// Lines that have no point of their own.
    pub fn left_out(&self) -> u64 {
        self.taken - self.points.len() as u64
    }
}

fn absorb(point: &mut Point, other: &Point) {
    for (a, b) in point.values.iter_mut().zip(other.values) {
        *a = match (*a, b) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine_log::stamp::{LOCAL, UTC, YEARLESS};

    fn at(kind: usize, seconds: f64) -> Stamps {
        let mut stamps = Stamps::default();
        stamps.take(kind, seconds);
        stamps
    }

    #[test]
    fn the_surest_time_that_nearly_all_lines_carry_counts() {
        let mut course = Course::default();
        for i in 0..10u32 {
            let mut stamps = at(YEARLESS, f64::from(i) * 10.0);
            if i < 3 {
                stamps.take(UTC, 1e9);
            }
            course.take(&stamps, u64::from(i));
        }
        assert_eq!(course.kind(), Some(YEARLESS));
        assert_eq!(course.seconds(), Some(90.0));
    }

    #[test]
    fn time_that_runs_back_is_no_length() {
        let mut course = Course::default();
        for (line, seconds) in [100.0, 110.0, 109.0, 50.0, 60.0].into_iter().enumerate() {
            course.take(&at(LOCAL, seconds), line as u64);
        }
        assert_eq!(course.seconds(), None);
        assert_eq!(course.back(), Some((1, 3)));
    }

    #[test]
    fn a_long_log_keeps_its_peaks_in_few_points() {
        let mut points = Points::default();
        for i in 0..10_000u32 {
            let waiting = if i == 7777 { 99.0 } else { 1.0 };
            points.push([None; KINDS], [None, Some(waiting), None, None, None]);
        }
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&points.kept().len()));
        let peaks = points.kept().iter().filter(|p| p.values[1] == Some(99.0));
        assert_eq!(peaks.count(), 1);
        assert_eq!(points.left_out() + points.kept().len() as u64, 10_000);
    }
}
