//! Shares of a whole: their intervals, the interval of a difference, and tests of two of them.

use super::normal::{ln_choose, normal_tail};

/// Wilson's interval of `k` of `n` for the normal quantile `z`. `None` without observations.
pub fn wilson(k: f64, n: f64, z: f64) -> Option<(f64, f64)> {
    if n.is_nan() || n <= 0.0 || !(0.0..=n).contains(&k) {
        return None;
    }
    let zz = z * z;
    let centre = (k + zz / 2.0) / (n + zz);
    let half = z * (k * (n - k) / n + zz / 4.0).sqrt() / (n + zz);
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

/// Newcombe's interval of the difference `k1/n1 − k2/n2`.
pub fn newcombe(k1: f64, n1: f64, k2: f64, n2: f64, z: f64) -> Option<(f64, f64)> {
    let ((l1, u1), (l2, u2)) = (wilson(k1, n1, z)?, wilson(k2, n2, z)?);
    let (p1, p2) = (k1 / n1, k2 / n2);
    let d = p1 - p2;
    Some((d - (p1 - l1).hypot(u2 - p2), d + (u1 - p1).hypot(p2 - l2)))
}

/// Fisher's exact test, two-sided: the chance of a table no likelier than this one.
pub fn fisher(k1: u64, n1: u64, k2: u64, n2: u64) -> Option<f64> {
    if n1 == 0 || n2 == 0 || k1 > n1 || k2 > n2 {
        return None;
    }
    let k = k1 + k2;
    let (least, most) = (k.saturating_sub(n2), k.min(n1));
    let whole = ln_choose(n1 + n2, k);
    let chance = |a: u64| ln_choose(n1, a) + ln_choose(n2, k - a) - whole;
    let seen = chance(k1) + 1e-7;
    let sum: f64 = (least..=most)
        .map(chance)
        .filter(|c| *c <= seen)
        .map(f64::exp)
        .sum();
    Some(sum.min(1.0))
}

/// Whether two shares are equal: exact where any expected count is below 5, otherwise by the
/// normal approximation with pooled variance.
pub fn two_rates(k1: u64, n1: u64, k2: u64, n2: u64) -> Option<f64> {
    if n1 == 0 || n2 == 0 || k1 > n1 || k2 > n2 {
        return None;
    }
    let (a, b) = (n1 as f64, n2 as f64);
    let pooled = (k1 + k2) as f64 / (a + b);
    let least = (pooled.min(1.0 - pooled)) * a.min(b);
    if least < 5.0 {
        return fisher(k1, n1, k2, n2);
    }
    let spread = (pooled * (1.0 - pooled) * (1.0 / a + 1.0 / b)).sqrt();
    let z = (k1 as f64 / a - k2 as f64 / b).abs() / spread;
    Some((2.0 * normal_tail(z)).min(1.0))
}

/// Chance of a split of requests over two arms at least as far from the planned one: χ² with one
/// degree of freedom. `planned` is the first arm's share. `None` without requests or plan.
pub fn sample_ratio(first: u64, second: u64, planned: f64) -> Option<f64> {
    let all = (first + second) as f64;
    if all == 0.0 || !(planned > 0.0 && planned < 1.0) {
        return None;
    }
    let expected = [all * planned, all * (1.0 - planned)];
    let chi2: f64 = [first as f64, second as f64]
        .iter()
        .zip(expected)
        .map(|(seen, e)| (seen - e) * (seen - e) / e)
        .sum();
    Some(2.0 * normal_tail(chi2.sqrt()))
}
