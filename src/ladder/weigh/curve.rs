//! Both sides' observations as steps of "so many at or below": what a chart draws.

use pel_evidence::statistics::{sorted, type7};
use pel_evidence::{Data, distribution};
use serde::{Deserialize, Serialize};

/// Points per side: (value in base unit, share at or below), ascending.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Curve {
    /// The service as it stands.
    pub baseline: Vec<(f64, f64)>,
    /// The service with the change.
    pub candidate: Vec<(f64, f64)>,
}

impl Curve {
    /// The curves of two sides; runs of a side are taken together.
    pub fn of(baseline: &[Data], candidate: &[Data]) -> Self {
        Self {
            baseline: points(baseline),
            candidate: points(candidate),
        }
    }
}

/// Shares at which values are taken: every hundredth, and the far tail.
fn shares() -> impl Iterator<Item = f64> {
    (0..100)
        .map(|i| f64::from(i) / 100.0)
        .chain([0.995, 0.999, 1.0])
}

fn points(side: &[Data]) -> Vec<(f64, f64)> {
    let mut values = Vec::new();
    let mut buckets: Vec<(f64, u64)> = Vec::new();
    let mut all = 0;
    for data in side {
        match data {
            distribution::Data::Values { values: v, .. } => values.extend_from_slice(v),
            distribution::Data::Histogram { edges, counts } => {
                buckets.extend(edges.iter().copied().zip(counts.iter().copied()));
                all += counts.iter().sum::<u64>();
            }
        }
    }
    if all > 0 {
        return steps(buckets, all);
    }
    let values = sorted(&values);
    shares()
        .filter_map(|p| Some((type7(&values, p)?, p)))
        .collect()
}

fn steps(mut buckets: Vec<(f64, u64)>, all: u64) -> Vec<(f64, f64)> {
    buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = 0;
    let mut out: Vec<(f64, f64)> = Vec::new();
    for (edge, n) in buckets {
        below += n;
        let share = below as f64 / all as f64;
        match out.last_mut() {
            Some(last) if last.0 == edge => last.1 = share,
            _ => out.push((edge, share)),
        }
    }
    out
}
