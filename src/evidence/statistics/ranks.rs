//! The Mann-Whitney test on two ascending samples, with the effect size that goes with it.

use super::normal::normal_tail;

/// Greatest product of both sizes for which the exact chance is counted.
const EXACT: u64 = 400;

/// How large an effect is, by the usual words. They describe; they decide nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// |δ| below 0.147.
    Negligible,
    /// Below 0.33.
    Small,
    /// Below 0.474.
    Medium,
    /// From there on.
    Large,
}

impl Effect {
    /// The word for a Cliff's δ.
    pub fn of(delta: f64) -> Self {
        match delta.abs() {
            d if d < 0.147 => Self::Negligible,
            d if d < 0.33 => Self::Small,
            d if d < 0.474 => Self::Medium,
            _ => Self::Large,
        }
    }

    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Negligible => "negligible",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// Everything the test says; `x` is the first sample, `y` the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// Size of `x`.
    pub n: u64,
    /// Size of `y`.
    pub m: u64,
    /// Sum of the mid-ranks of `x`.
    pub rank_sum: f64,
    /// Pairs with `x > y`, ties counted half.
    pub u1: f64,
    /// Pairs with `y > x`, ties counted half.
    pub u2: f64,
    /// Sum of `t³ − t` over groups of equal values.
    pub tie_sum: f64,
    /// Mean of U when both come from one distribution.
    pub mu: f64,
    /// Its standard deviation; 0 = all values are equal.
    pub sigma: f64,
    /// Two-sided chance, by the normal approximation with corrections for ties and continuity.
    pub p: f64,
    /// Chance when `x` is asked to be greater.
    pub p_greater: f64,
    /// Chance when `x` is asked to be less.
    pub p_less: f64,
    /// Two-sided and greater-sided chance by counting, for small samples without ties.
    pub exact: Option<(f64, f64)>,
}

impl MannWhitney {
    /// Chance that a value of `x` exceeds one of `y`, ties counted half.
    pub fn cles(&self) -> f64 {
        self.u1 / (self.n as f64 * self.m as f64)
    }

    /// Cliff's δ, −1 to 1.
    pub fn delta(&self) -> f64 {
        2.0 * self.cles() - 1.0
    }

    /// Whether any two values are equal.
    pub fn has_ties(&self) -> bool {
        self.tie_sum > 0.0
    }

    /// The z value without continuity correction; `None` when all values are equal.
    pub fn z(&self) -> Option<f64> {
        (self.sigma > 0.0).then(|| (self.u1 - self.mu) / self.sigma)
    }

    /// The test from its counts: sizes, pairs won by `x` (ties half), and the tie sum.
    pub(super) fn from_counts(n: u64, m: u64, u1: f64, tie_sum: f64) -> Self {
        let (a, b) = (n as f64, m as f64);
        let total = a + b;
        let mu = a * b / 2.0;
        let variance = a * b / 12.0 * ((total + 1.0) - tie_sum / (total * (total - 1.0)));
        let sigma = variance.max(0.0).sqrt();
        let u2 = a * b - u1;
        let tail = |u: f64| {
            if sigma > 0.0 {
                normal_tail((u - mu - 0.5) / sigma)
            } else {
                1.0
            }
        };
        let exact = (tie_sum == 0.0 && n * m <= EXACT).then(|| exact(n, m, u1, u2));
        Self {
            n,
            m,
            rank_sum: u1 + a * (a + 1.0) / 2.0,
            u1,
            u2,
            tie_sum,
            mu,
            sigma,
            p: (2.0 * tail(u1.max(u2))).min(1.0),
            p_greater: tail(u1),
            p_less: tail(u2),
            exact,
        }
    }
}

/// The test on two ascending slices of finite values. `None` when one is empty.
pub fn mann_whitney(x: &[f64], y: &[f64]) -> Option<MannWhitney> {
    if x.is_empty() || y.is_empty() {
        return None;
    }
    let (mut i, mut j) = (0, 0);
    let (mut u1, mut tie_sum) = (0.0, 0.0);
    while i < x.len() || j < y.len() {
        let value = match (x.get(i), y.get(j)) {
            (Some(a), Some(b)) => a.min(*b),
            (Some(a), None) => *a,
            (None, Some(b)) => *b,
            (None, None) => break,
        };
        let (from_i, from_j) = (i, j);
        while x.get(i).is_some_and(|v| *v == value) {
            i += 1;
        }
        while y.get(j).is_some_and(|v| *v == value) {
            j += 1;
        }
        let (a, b) = ((i - from_i) as f64, (j - from_j) as f64);
        u1 += a * (from_j as f64 + b / 2.0);
        let t = a + b;
        tie_sum += t * t * t - t;
    }
    Some(MannWhitney::from_counts(
        x.len() as u64,
        y.len() as u64,
        u1,
        tie_sum,
    ))
}

/// Chances by counting all arrangements: the coefficients of the Gaussian binomial.
fn exact(n: u64, m: u64, u1: f64, u2: f64) -> (f64, f64) {
    let (n, m) = (n as usize, m as usize);
    let top = n * m;
    let mut ways = vec![0.0; top + 1];
    ways[0] = 1.0;
    for i in 1..=n {
        for u in (m + i..=top).rev() {
            ways[u] -= ways[u - m - i];
        }
        for u in i..=top {
            ways[u] += ways[u - i];
        }
    }
    let all: f64 = ways.iter().sum();
    let at_least = |u: f64| ways[(u as usize).min(top)..].iter().sum::<f64>() / all;
    ((2.0 * at_least(u1.max(u2))).min(1.0), at_least(u1))
}
