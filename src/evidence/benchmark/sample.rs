//! Observations of one quantity: kept one by one up to a cap, beyond it counted in narrow
//! buckets, so that memory has an end and percentiles keep bounds.

use crate::{
    Bound, Data,
    statistics::{sorted, type7},
};
use std::cell::OnceCell;

/// Most values kept one by one.
pub const MOST_VALUES: usize = 4_000_000;
/// Buckets; the middle one ends at 1. They reach from 1e-14 to 1e14.
const BUCKETS: usize = 65_536;
/// Ratio of the edges of one bucket beyond the cap: a percentile is known to 0.1 %.
const STEP: f64 = 1.001;

/// Observations in a base unit. What is not finite is no observation.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    values: Vec<f64>,
    /// The values ascending, once a quantile was asked for.
    ascending: OnceCell<Vec<f64>>,
    /// Counts per bucket, once there are too many values.
    buckets: Vec<u64>,
    zero: u64,
    n: u64,
    sum: f64,
    low: f64,
    high: f64,
}

impl Sample {
    /// Adds an observation.
    pub fn push(&mut self, value: f64) {
        if !value.is_finite() {
            return;
        }
        self.n += 1;
        if self.buckets.is_empty() && self.zero == 0 && self.values.len() < MOST_VALUES {
            self.values.push(value);
            return;
        }
        for kept in std::mem::take(&mut self.values) {
            self.count(kept);
        }
        self.count(value);
    }

    fn count(&mut self, value: f64) {
        let first = self.buckets.is_empty() && self.zero == 0;
        self.low = if first { value } else { self.low.min(value) };
        self.high = if first { value } else { self.high.max(value) };
        self.sum += value;
        if value <= 0.0 {
            self.zero += 1;
            return;
        }
        let step = (value.ln() / STEP.ln()).ceil() + (BUCKETS / 2) as f64;
        let last = (BUCKETS - 1) as f64;
        self.buckets.resize(BUCKETS, 0);
        self.buckets[step.clamp(0.0, last) as usize] += 1;
    }

    /// Number of observations.
    pub fn len(&self) -> u64 {
        self.n
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Arithmetic mean.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum() / self.n as f64)
    }

    /// Least and greatest.
    pub fn range(&self) -> Option<(f64, f64)> {
        if self.values.is_empty() {
            return (self.n > 0).then_some((self.low, self.high));
        }
        let low = self.values.iter().copied().reduce(f64::min)?;
        Some((low, self.values.iter().copied().reduce(f64::max)?))
    }

    /// Sum.
    pub fn sum(&self) -> f64 {
        // Of values that are only counted it was taken while they came.
        self.sum + self.values.iter().sum::<f64>()
    }

    /// The quantiles asked for, with how exact each is: type 7 while the values are kept, a bucket
    /// otherwise.
    pub fn quantiles(&self, at: &[f64]) -> Vec<(f64, Bound)> {
        if self.n == 0 {
            return Vec::new();
        }
        if !self.values.is_empty() {
            // Nothing is added once a quantile was asked for; if it was, it is sorted anew.
            let kept = self
                .ascending
                .get()
                .filter(|a| a.len() != self.values.len());
            if kept.is_some() {
                return at
                    .iter()
                    .filter_map(|q| Some((type7(&sorted(&self.values), *q)?, Bound::Exact)))
                    .collect();
            }
            let ascending = self.ascending.get_or_init(|| sorted(&self.values));
            return at
                .iter()
                .filter_map(|q| Some((type7(ascending, *q)?, Bound::Exact)))
                .collect();
        }
        at.iter().map(|q| self.bucket(*q)).collect()
    }

    fn bucket(&self, q: f64) -> (f64, Bound) {
        let rank = (q * self.n as f64).ceil().max(1.0) as u64;
        let mut sum = self.zero;
        if sum >= rank {
            return (self.low.min(0.0), Bound::Estimate);
        }
        for (bucket, n) in self.buckets.iter().enumerate() {
            sum += n;
            if sum >= rank {
                let high = STEP.powi(bucket as i32 - (BUCKETS / 2) as i32);
                let low = high / STEP;
                let value = (low * high).sqrt().clamp(self.low, self.high);
                return (value, Bound::Bucket { low, high });
            }
        }
        (self.high, Bound::Exact)
    }

    /// The observations for a comparison; `None` when they were only counted.
    pub fn data(&self) -> Option<Data> {
        (!self.values.is_empty()).then(|| Data::Values {
            values: self.values.clone(),
            times: Vec::new(),
        })
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<T: IntoIterator<Item = f64>>(values: T) -> Self {
        let mut sample = Self::default();
        values.into_iter().for_each(|v| sample.push(v));
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_sample_is_exact() {
        let sample: Sample = [4.0, 1.0, f64::NAN, 3.0, 2.0].into_iter().collect();
        assert_eq!(sample.len(), 4);
        assert_eq!(sample.mean(), Some(2.5));
        assert_eq!(sample.range(), Some((1.0, 4.0)));
        assert_eq!(sample.quantiles(&[0.5]), [(2.5, Bound::Exact)]);
    }

    #[test]
    fn beyond_the_cap_a_quantile_has_edges_that_hold_the_true_one() {
        let n = MOST_VALUES + 1000;
        let value = |i: usize| ((i * 7919) % n) as f64 / n as f64;
        let sample: Sample = (0..n).map(value).collect();
        assert_eq!(sample.len(), n as u64);
        assert!(sample.data().is_none());
        for (q, (value, bound)) in [0.5, 0.99].into_iter().zip(sample.quantiles(&[0.5, 0.99])) {
            let Bound::Bucket { low, high } = bound else {
                panic!("{bound:?}");
            };
            assert!(low <= q && q <= high * 1.0001, "{q}: {low}..{high}");
            assert!((value / q - 1.0).abs() < 2e-3);
        }
    }
}
