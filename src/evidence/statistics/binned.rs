//! Values that are known by buckets only: bounds, never points, of their quantiles, and the rank
//! test on what the buckets tell apart.

use super::quantile::order_interval;
use super::ranks::MannWhitney;

/// Upper edges, ascending, and how many values fell at or below each but above the one before;
/// the last count is of values above every edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binned<'a> {
    /// Upper edges, finite, ascending.
    pub edges: &'a [f64],
    /// One count per edge, and one more.
    pub counts: &'a [u64],
}

impl Binned<'_> {
    /// Number of values.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether edges ascend and there is one count more than edges.
    pub fn is_sound(&self) -> bool {
        self.counts.len() == self.edges.len() + 1
            && self.edges.iter().all(|e| e.is_finite())
            && self.edges.windows(2).all(|w| w[0] < w[1])
    }

    /// Edges of the bucket that holds the value of this rank (from 1). The lower edge of the first
    /// bucket is 0, or unknown when its upper one is not above 0; the last has no upper edge.
    pub fn bucket(&self, rank: u64) -> Option<(Option<f64>, Option<f64>)> {
        let mut sum = 0;
        let i = self.counts.iter().position(|n| {
            sum += n;
            sum >= rank
        })?;
        let low = match i.checked_sub(1) {
            Some(below) => self.edges.get(below).copied(),
            None => self.edges.first().filter(|e| **e > 0.0).map(|_| 0.0),
        };
        Some((low, self.edges.get(i).copied()))
    }

    /// Interval of the quantile `q`: from the lower edge of the bucket of the lower rank to the
    /// upper edge of that of the upper rank. An end that does not exist is `None`.
    pub fn interval(&self, q: f64, confidence: f64) -> (Option<f64>, Option<f64>) {
        let ranks = order_interval(self.total(), q, confidence);
        let low = ranks.low.and_then(|r| self.bucket(r)?.0);
        let high = ranks.high.and_then(|r| self.bucket(r)?.1);
        (low, high)
    }

    /// Values above the edge of this index.
    pub fn above(&self, edge: usize) -> u64 {
        self.counts.iter().skip(edge + 1).sum()
    }

    /// The rank test against `other`, all values of one bucket taken as equal. `None` when the
    /// edges differ or one side is empty.
    pub fn mann_whitney(&self, other: &Binned<'_>) -> Option<MannWhitney> {
        if self.edges != other.edges || self.total() == 0 || other.total() == 0 {
            return None;
        }
        let (mut u1, mut tie_sum, mut below) = (0.0, 0.0, 0.0);
        for (a, b) in self.counts.iter().zip(other.counts) {
            let (a, b) = (*a as f64, *b as f64);
            u1 += a * (below + b / 2.0);
            below += b;
            let t = a + b;
            tie_sum += t * t * t - t;
        }
        Some(MannWhitney::from_counts(
            self.total(),
            other.total(),
            u1,
            tie_sum,
        ))
    }
}
