//! Quantiles of classic histograms, by the rule PromQL uses, with the bucket the rank fell in.

/// One bucket: its upper bound and how many observations are at or below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    /// Upper bound in the unit of the histogram.
    pub le: f64,
    /// Cumulative count.
    pub count: f64,
}

/// A quantile and the bucket it was taken from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantile {
    /// Interpolated value; the highest finite bound when the rank lies above it.
    pub value: f64,
    /// Lower edge of the bucket.
    pub low: f64,
    /// Upper edge of the bucket, `+Inf` when the rank lies above every finite bound.
    pub high: f64,
}

/// Cumulative buckets, ascending, equal bounds merged, counts made monotone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histogram {
    buckets: Vec<Bucket>,
}

impl Histogram {
    /// Builds the histogram from buckets in any order; bounds or counts that are no number are
    /// left out.
    pub fn new(mut buckets: Vec<Bucket>) -> Self {
        buckets.retain(|b| !b.le.is_nan() && !b.count.is_nan());
        buckets.sort_by(|a, b| a.le.total_cmp(&b.le));
        buckets.dedup_by(|next, kept| {
            let equal = next.le == kept.le;
            if equal {
                kept.count += next.count;
            }
            equal
        });
        let mut highest = 0.0_f64;
        for bucket in &mut buckets {
            highest = highest.max(bucket.count);
            bucket.count = highest;
        }
        Self { buckets }
    }

    /// The buckets, ascending.
    pub fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// Whether the last bucket holds everything (`le="+Inf"`); without it there is no quantile.
    pub fn is_complete(&self) -> bool {
        self.buckets.len() >= 2 && self.buckets.last().is_some_and(|b| b.le == f64::INFINITY)
    }

    /// Number of observations, when the histogram is complete.
    pub fn total(&self) -> Option<f64> {
        self.is_complete()
            .then(|| self.buckets.last().map(|b| b.count))?
    }

    /// The quantile `q` (0–1). `None` when the histogram is incomplete or empty.
    pub fn quantile(&self, q: f64) -> Option<Quantile> {
        let total = self.total().filter(|total| *total > 0.0)?;
        let at = |value| Quantile {
            value,
            low: value,
            high: value,
        };
        if !(0.0..=1.0).contains(&q) {
            let out = if q.is_nan() {
                f64::NAN
            } else {
                f64::INFINITY.copysign(q)
            };
            return Some(at(out));
        }
        let rank = q * total;
        let finite = &self.buckets[..self.buckets.len() - 1];
        let i = finite.partition_point(|b| b.count < rank);
        let Some(bucket) = finite.get(i) else {
            let highest = finite.last()?.le;
            return Some(Quantile {
                value: highest,
                low: highest,
                high: f64::INFINITY,
            });
        };
        if i == 0 && bucket.le <= 0.0 {
            return Some(at(bucket.le));
        }
        let (low, before) = match i.checked_sub(1).map(|i| finite[i]) {
            Some(below) => (below.le, below.count),
            None => (0.0, 0.0),
        };
        let inside = bucket.count - before;
        let share = if inside > 0.0 {
            (rank - before) / inside
        } else {
            // Only a rank of zero in an empty first bucket comes here.
            f64::NAN
        };
        Some(Quantile {
            value: low + (bucket.le - low) * share,
            low,
            high: bucket.le,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(pairs: &[(f64, f64)]) -> Histogram {
        Histogram::new(
            pairs
                .iter()
                .map(|&(le, count)| Bucket { le, count })
                .collect(),
        )
    }

    #[test]
    fn interpolates_and_names_the_bucket() {
        let h = of(&[(0.1, 5.0), (1.0, 9.0), (f64::INFINITY, 10.0)]);
        let p50 = h.quantile(0.5).expect("a value");
        assert_eq!((p50.low, p50.high), (0.0, 0.1));
        assert!((p50.value - 0.1).abs() < 1e-12);
        let p70 = h.quantile(0.7).expect("a value");
        assert!((p70.value - 0.55).abs() < 1e-12);
        let p99 = h.quantile(0.99).expect("a value");
        assert_eq!((p99.value, p99.low, p99.high), (1.0, 1.0, f64::INFINITY));
    }

    #[test]
    fn no_value_without_an_infinite_bucket_or_observations() {
        assert_eq!(of(&[(0.1, 5.0), (1.0, 9.0)]).quantile(0.5), None);
        assert_eq!(of(&[(f64::INFINITY, 9.0)]).quantile(0.5), None);
        assert_eq!(of(&[(1.0, 0.0), (f64::INFINITY, 0.0)]).quantile(0.5), None);
    }

    #[test]
    fn order_and_equal_bounds_do_not_matter() {
        let h = of(&[(f64::INFINITY, 6.0), (1.0, 2.0), (1.0, 2.0), (0.5, 1.0)]);
        assert_eq!(h, of(&[(0.5, 1.0), (1.0, 4.0), (f64::INFINITY, 6.0)]));
    }

    /// Walks every bucket from the first, as the rule is written.
    fn naive(h: &Histogram, q: f64) -> f64 {
        let b = h.buckets();
        let rank = q * b[b.len() - 1].count;
        let mut before = (0.0, 0.0);
        for x in &b[..b.len() - 1] {
            if x.count >= rank {
                return before.0 + (x.le - before.0) * ((rank - before.1) / (x.count - before.1));
            }
            before = (x.le, x.count);
        }
        before.0
    }

    proptest! {
        #[test]
        fn agrees_with_the_walk(
            counts in proptest::collection::vec(0u32..50, 2..12),
            q in 0.01..1.0f64,
        ) {
            let last = counts.len() - 1;
            let mut sum = 0.0;
            let h = Histogram::new(counts.iter().enumerate().map(|(i, n)| {
                sum += f64::from(*n);
                let le = if i == last { f64::INFINITY } else { (i as f64 + 1.0) * 0.25 };
                Bucket { le, count: sum }
            }).collect());
            match h.quantile(q) {
                None => prop_assert!(sum == 0.0),
                Some(got) => {
                    prop_assert!((got.value - naive(&h, q)).abs() < 1e-9);
                    prop_assert!(got.low <= got.value && got.value <= got.high);
                }
            }
        }
    }
}
