//! The points of the series figures: at most [`MOST`], each the greatest of the scrapes it stands
//! for, so that a long series keeps its peaks.

use super::table::Name;

/// Most points kept.
pub const MOST: usize = 400;

/// Gauges at one scrape, or the greatest of several.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Number of the first scrape it stands for, from 1.
    pub scrape: u32,
    /// Seconds since the first scrape, by the place where times stand.
    pub elapsed: [Option<f64>; 3],
    /// Running requests over all engines.
    pub running: Option<f64>,
    /// Waiting requests over all engines.
    pub waiting: Option<f64>,
    /// Greatest KV use of an engine.
    pub kv: Option<f64>,
}

impl Point {
    fn absorb(&mut self, other: &Self) {
        let greater = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        self.running = greater(self.running, other.running);
        self.waiting = greater(self.waiting, other.waiting);
        self.kv = greater(self.kv, other.kv);
    }
}

/// The points so far.
#[derive(Debug, Clone)]
pub struct Points {
    points: Vec<Point>,
    taken: usize,
    stride: usize,
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
    /// Takes the gauges of the next scrape.
    pub fn push(&mut self, elapsed: [Option<f64>; 3], gauge: &dyn Fn(Name) -> Option<f64>) {
        let point = Point {
            scrape: self.taken as u32 + 1,
            elapsed,
            running: gauge("running_requests"),
            waiting: gauge("waiting_requests"),
            kv: gauge("kv_cache_usage"),
        };
        if self.points.len() == MOST && self.taken / self.stride == MOST {
            self.halve();
        }
        match self.points.get_mut(self.taken / self.stride) {
            Some(last) => last.absorb(&point),
            None => self.points.push(point),
        }
        self.taken += 1;
    }

    fn halve(&mut self) {
        let old = std::mem::take(&mut self.points);
        for pair in old.chunks(2) {
            let mut point = pair[0].clone();
            if let Some(second) = pair.get(1) {
                point.absorb(second);
            }
            self.points.push(point);
        }
        self.stride *= 2;
    }

    /// The points kept.
    pub fn kept(&self) -> &[Point] {
        &self.points
    }

    /// Scrapes that have no point of their own.
    pub fn left_out(&self) -> u64 {
        (self.taken - self.points.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_series_keeps_its_peaks_in_few_points() {
        let mut points = Points::default();
        for i in 0..10_000 {
            let waiting = if i == 7_777 { 99.0 } else { 1.0 };
            points.push([None; 3], &|name| {
                (name == "waiting_requests").then_some(waiting)
            });
        }
        assert!(points.kept().len() <= MOST && points.kept().len() > MOST / 2);
        let peaks = points.kept().iter().filter(|p| p.waiting == Some(99.0));
        assert_eq!(peaks.count(), 1);
        assert_eq!(points.left_out(), 10_000 - points.kept().len() as u64);
        assert!(points.kept().windows(2).all(|w| w[0].scrape < w[1].scrape));
    }
}
