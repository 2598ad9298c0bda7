//! The normal distribution and the logarithm of the gamma function, to about fifteen digits.

use std::f64::consts::{PI, SQRT_2};

/// Complement of the error function for `x ≥ 0`: a series of positive terms near zero, a
/// continued fraction further out, so that small tails keep their digits.
fn erfc_positive(x: f64) -> f64 {
    if x < 2.5 {
        let (mut term, mut sum) = (x, x);
        let mut n = 0.0;
        while term > sum * 1e-17 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        return 1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum;
    }
    // Evaluated from the far end; sixty steps are enough from 2.5 on.
    let mut tail = 0.0;
    for k in (1..=60).rev() {
        tail = f64::from(k) / 2.0 / (x + tail);
    }
    (-x * x).exp() / PI.sqrt() / (x + tail)
}

/// Chance that a standard normal variable exceeds `z`.
pub fn normal_tail(z: f64) -> f64 {
    if z >= 0.0 {
        0.5 * erfc_positive(z / SQRT_2)
    } else {
        1.0 - 0.5 * erfc_positive(-z / SQRT_2)
    }
}

/// Chance that a standard normal variable is at most `z`.
pub fn normal_cdf(z: f64) -> f64 {
    normal_tail(-z)
}

/// The value below which a standard normal variable falls with chance `p`; infinite at 0 and 1.
pub fn normal_quantile(p: f64) -> f64 {
    if p.is_nan() || p <= 0.0 || p >= 1.0 {
        return match p {
            _ if p.is_nan() => f64::NAN,
            _ if p <= 0.0 => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        };
    }
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let (mut low, mut high) = (-40.0, 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if normal_cdf(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Natural logarithm of Γ(x), for `x > 0`.
pub fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shifted) = (x, 0.0);
    while x < 15.0 {
        shifted -= x.ln();
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - r / 1188.0)))) / x;
    shifted + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + series
}

/// Natural logarithm of the number of ways to choose `k` of `n`.
pub(super) fn ln_choose(n: u64, k: u64) -> f64 {
    let f = |v: u64| ln_gamma(v as f64 + 1.0);
    f(n) - f(k) - f(n - k)
}
