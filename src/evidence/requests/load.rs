//! The load that the arrivals make: rate, burstiness, and how many requests are in flight.
//!
//! Everything is computed from the sorted starts and ends. A request is in flight from its start
//! to its end, the end not included; who has no end is not counted, and then all is a lower bound.

use super::table::Table;

/// Arrivals of a log.
#[derive(Debug, Default)]
pub struct Arrivals {
    /// Sorted, ns.
    pub at: Vec<i64>,
    /// From the first to the last, s.
    pub span: f64,
    /// Mean rate: gaps over the span.
    pub rate: Option<f64>,
    /// Coefficient of variation of the gaps (population).
    pub burstiness: Option<f64>,
    /// Most arrivals within one second.
    pub peak: Option<u64>,
}

const SECOND: i64 = 1_000_000_000;

impl Arrivals {
    /// The arrivals of a table, attempts included, copies not.
    pub fn of(table: &Table) -> Self {
        let mut at: Vec<i64> = (0..table.len())
            .filter(|r| table.counts(*r))
            .filter_map(|r| table.at.get(r))
            .collect();
        at.sort_unstable();
        let mut out = Self {
            at,
            ..Self::default()
        };
        let (Some(first), Some(last)) = (out.at.first(), out.at.last()) else {
            return out;
        };
        out.span = last.abs_diff(*first) as f64 / 1e9;
        let gaps = (out.at.len() - 1) as f64;
        if out.span <= 0.0 {
            return out;
        }
        out.rate = Some(gaps / out.span);
        if out.at.len() > 2 {
            let mean = out.span / gaps;
            let squares: f64 = out
                .at
                .windows(2)
                .map(|w| (w[1].abs_diff(w[0]) as f64 / 1e9 - mean).powi(2))
                .sum();
            out.burstiness = Some((squares / gaps).sqrt() / mean);
        }
        if out.span >= 1.0 {
            out.peak = Some(peak(&out.at, SECOND));
        }
        out
    }

    /// The longest stretch without an arrival: its length and where it begins, s from the first.
    pub fn longest_gap(&self) -> Option<(f64, f64)> {
        let first = *self.at.first()?;
        self.at
            .windows(2)
            .map(|w| (w[1].abs_diff(w[0]), w[0].abs_diff(first)))
            .max()
            .map(|(gap, from)| (gap as f64 / 1e9, from as f64 / 1e9))
    }
}

/// Most arrivals in any stretch of this many nanoseconds.
fn peak(at: &[i64], width: i64) -> u64 {
    let (mut from, mut most) = (0, 0);
    for (to, now) in at.iter().enumerate() {
        while now.saturating_sub(at[from]) >= width {
            from += 1;
        }
        most = most.max(to - from + 1);
    }
    most as u64
}

/// Requests in flight.
#[derive(Debug, Default)]
pub struct Flight {
    /// Starts, sorted, ns.
    pub starts: Vec<i64>,
    /// Ends, sorted, ns.
    pub ends: Vec<i64>,
    /// Mean over the time from the first start to the last end.
    pub mean: Option<f64>,
    /// Most at once.
    pub most: u64,
    /// Of those, mean number that are scheduled: in flight less waiting. Only where every request
    /// says how long it waited.
    pub running: Option<f64>,
    /// Requests that have no end.
    pub without_end: u64,
}

impl Flight {
    /// The requests in flight of a table.
    pub fn of(table: &Table) -> Self {
        let mut out = Self::default();
        let (mut inside, mut queued, mut known) = (0.0_f64, 0.0_f64, 0_u64);
        for row in (0..table.len()).filter(|r| table.counts(*r)) {
            let Some(at) = table.at.get(row) else {
                continue;
            };
            let end = table.e2e.get(row).and_then(|e| end(at, e));
            let Some((end, e2e)) = end else {
                out.without_end += 1;
                continue;
            };
            inside += e2e;
            if let Some(queue) = table.queue.get(row).filter(|q| *q <= e2e) {
                queued += queue;
                known += 1;
            }
            out.starts.push(at);
            out.ends.push(end);
        }
        out.starts.sort_unstable();
        out.ends.sort_unstable();
        let (Some(first), Some(last)) = (out.starts.first(), out.ends.last()) else {
            return out;
        };
        let span = last.abs_diff(*first) as f64 / 1e9;
        if span > 0.0 {
            out.mean = Some(inside / span);
            if known == out.starts.len() as u64 {
                out.running = Some((inside - queued) / span);
            }
        }
        out.most = out.greatest();
        out
    }

    fn greatest(&self) -> u64 {
        let mut most = 0;
        self.walk(&mut |_, now, _| most = most.max(now));
        most
    }

    /// Visits every start in order: its time, the requests in flight with it, and its place.
    pub fn walk(&self, each: &mut dyn FnMut(i64, u64, usize)) {
        let mut ended = 0;
        for (started, at) in self.starts.iter().enumerate() {
            while self.ends.get(ended).is_some_and(|end| end <= at) {
                ended += 1;
            }
            // A request that takes no time has ended when it starts.
            each(*at, (started + 1).saturating_sub(ended) as u64, started);
        }
    }

    /// Requests in flight at a moment.
    pub fn at(&self, moment: i64) -> u64 {
        let begun = self.starts.partition_point(|s| *s <= moment);
        let ended = self.ends.partition_point(|e| *e <= moment);
        begun.saturating_sub(ended) as u64
    }
}

fn end(at: i64, e2e: f64) -> Option<(i64, f64)> {
    let ns = e2e * 1e9;
    // Beyond that the sum leaves the range of a clock in nanoseconds.
    (ns < 4e18).then(|| (at.saturating_add(ns.round() as i64), e2e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::{number::Moment, table::Row};

    fn table(rows: &[(f64, f64)]) -> Table {
        let mut table = Table::default();
        for (start, e2e) in rows {
            table.push(Row {
                start: Some(Moment::from_ns((start * 1e9) as i64)),
                e2e: Some(*e2e),
                ..Row::default()
            });
        }
        table
    }

    #[test]
    fn three_arrivals_by_hand() {
        let arrivals = Arrivals::of(&table(&[(0.0, 1.0), (1.0, 1.0), (4.0, 1.0)]));
        assert_eq!((arrivals.span, arrivals.rate), (4.0, Some(0.5)));
        // Gaps 1 and 3: mean 2, deviation 1.
        assert_eq!(arrivals.burstiness, Some(0.5));
        assert_eq!(arrivals.peak, Some(1));
        assert_eq!(arrivals.longest_gap(), Some((3.0, 1.0)));
    }

    #[test]
    fn in_flight_by_hand() {
        // 0–4, 1–3, 3–5: two at once, never three, since one ends as another starts.
        let flight = Flight::of(&table(&[(0.0, 4.0), (1.0, 2.0), (3.0, 2.0)]));
        assert_eq!((flight.most, flight.mean), (2, Some(8.0 / 5.0)));
        assert_eq!(flight.at(2_000_000_000), 2);
        assert_eq!(flight.at(4_500_000_000), 1);
    }

    #[test]
    fn one_row_or_none_says_nothing_per_second() {
        let arrivals = Arrivals::of(&table(&[(5.0, 1.0)]));
        assert_eq!(
            (arrivals.rate, arrivals.burstiness, arrivals.peak),
            (None, None, None)
        );
        assert!(Arrivals::of(&Table::default()).longest_gap().is_none());
    }
}
