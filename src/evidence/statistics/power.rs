//! How many observations a question needs.

use super::normal::normal_quantile;

/// Observations from which a one-sided upper bound of the quantile `q` exists.
pub fn finite_one_side(q: f64, confidence: f64) -> u64 {
    ((1.0 - confidence).ln() / q.ln()).ceil() as u64
}

/// Observations from which both ends of a two-sided interval exist, for a `q` above one half.
pub fn finite_both_sides(q: f64, confidence: f64) -> u64 {
    (((1.0 - confidence) / 2.0).ln() / q.ln()).ceil() as u64
}

/// Observations in both groups together (equal groups) for a shift test to find the effect `a`
/// (chance that one exceeds the other) with 80 % power at 5 %.
pub fn noether(a: f64) -> Option<u64> {
    let d = a - 0.5;
    if d == 0.0 || !(0.0..=1.0).contains(&a) {
        return None;
    }
    let z = normal_quantile(0.975) + normal_quantile(0.8);
    Some((z * z / (3.0 * d * d)).ceil() as u64)
}

/// Upper 95 % bound of a rate of which no event was seen in `n` trials.
pub fn rule_of_three(n: u64) -> Option<f64> {
    (n > 0).then(|| (3.0 / n as f64).min(1.0))
}
