//! The Hodges-Lehmann shift between two samples and two forms of interval for it.
//!
//! The shift is the median of all differences `x − y`. Above a million pairs the differences are
//! never written down: their k-th smallest is found by counting, in time that grows with the two
//! lengths only.

use super::ranks::mann_whitney;

/// Most differences that are written down.
const MATRIX: u64 = 1_000_000;

/// A shift and its interval by order statistics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// Median of all differences `x − y`.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The shift of `x` against `y`, both ascending, with the interval that belongs to the normal
/// quantile `z` (1.96 for 95 %). `None` when one is empty or all values are equal.
pub fn shift(x: &[f64], y: &[f64], z: f64) -> Option<Shift> {
    let test = mann_whitney(x, y)?;
    if test.sigma == 0.0 {
        return None;
    }
    let pairs = test.n * test.m;
    let (n, m) = (test.n as f64, test.m as f64);
    let c = (n * m / 2.0 - z * (n * m * (n + m + 1.0) / 12.0).sqrt()).floor();
    let c = (c.max(1.0) as u64).min(pairs);
    let middle = (pairs.div_ceil(2), pairs / 2 + 1);
    let wanted = [c, middle.0, middle.1, pairs - c + 1];
    let [low, a, b, high] = if pairs <= MATRIX {
        let mut all: Vec<f64> = x
            .iter()
            .flat_map(|x| y.iter().map(move |y| x - y))
            .collect();
        wanted.map(|k| {
            let (_, v, _) = all.select_nth_unstable_by(k as usize - 1, f64::total_cmp);
            *v
        })
    } else {
        let low = kth(x, y, wanted[0]);
        let a = kth(x, y, wanted[1]);
        let b = if at_most(x, y, a) >= middle.1 {
            a
        } else {
            kth(x, y, wanted[2])
        };
        [low, a, b, kth(x, y, wanted[3])]
    };
    Some(Shift {
        estimate: a + (b - a) / 2.0,
        low,
        high,
    })
}

/// Orders floating-point numbers as whole numbers.
fn key(v: f64) -> i64 {
    let bits = v.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

fn value(key: i64) -> f64 {
    f64::from_bits((key ^ (((key >> 63) as u64) >> 1) as i64) as u64)
}

/// The k-th smallest difference `x − y` (from 1), exactly: the least number that at least `k`
/// differences do not exceed.
fn kth(x: &[f64], y: &[f64], k: u64) -> f64 {
    let (first_x, last_x) = (x[0], x[x.len() - 1]);
    let (first_y, last_y) = (y[0], y[y.len() - 1]);
    let (mut low, mut high) = (first_x - last_y, last_x - first_y);
    // Halving until few enough differences are left to be written down.
    let (mut below, mut upto) = (at_most(x, y, low), x.len() as u64 * y.len() as u64);
    if below >= k {
        return low;
    }
    while upto - below > MATRIX {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        let count = at_most(x, y, middle);
        if count >= k {
            (high, upto) = (middle, count);
        } else {
            (low, below) = (middle, count);
        }
    }
    if upto - below <= MATRIX {
        let mut left = between(x, y, low, high);
        let place = (k - below - 1) as usize;
        let (_, found, _) = left.select_nth_unstable_by(place, f64::total_cmp);
        return *found;
    }
    // More equal differences than that: the bound is found number by number.
    let (mut low, mut high) = (key(low), key(high));
    if at_most(x, y, value(low)) >= k {
        return value(low);
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if at_most(x, y, value(middle)) >= k {
            high = middle;
        } else {
            low = middle;
        }
    }
    value(high)
}

/// The differences above `low` and at most `high`.
fn between(x: &[f64], y: &[f64], low: f64, high: f64) -> Vec<f64> {
    let (mut from, mut to) = (0, 0);
    let mut found = Vec::new();
    for v in x {
        while from < y.len() && v - y[from] > high {
            from += 1;
        }
        while to < y.len() && v - y[to] > low {
            to += 1;
        }
        found.extend(y[from..to.max(from)].iter().map(|w| v - w));
    }
    found
}

/// Number of differences that are at most `d`.
fn at_most(x: &[f64], y: &[f64], d: f64) -> u64 {
    let (mut j, mut count) = (0, 0);
    for v in x {
        while j < y.len() && v - y[j] > d {
            j += 1;
        }
        count += (y.len() - j) as u64;
    }
    count
}

/// The interval found by searching for the shifts at which the corrected z value of `x − shift`
/// against `y` equals ±`z`; where none does, the farthest shift there is. `None` when all values
/// are equal or only one shift is possible.
pub fn root_interval(x: &[f64], y: &[f64], z: f64) -> Option<(f64, f64)> {
    let (least, most) = (x.first()? - y.last()?, x.last()? - y.first()?);
    let at = |d: f64, wanted: f64| -> Option<f64> {
        let moved: Vec<f64> = x.iter().map(|v| v - d).collect();
        let test = mann_whitney(&moved, y)?;
        let from_mean = test.u1 - test.mu;
        let corrected = from_mean - 0.5 * sign(from_mean);
        (test.sigma > 0.0).then(|| corrected / test.sigma - wanted)
    };
    if least >= most {
        return None;
    }
    let root = |wanted: f64| -> Option<f64> {
        let (mut low, mut high) = (least, most);
        // Even the farthest shift may not reach the value: then the end is the bound.
        if at(low, wanted)? <= 0.0 {
            return Some(low);
        }
        if at(high, wanted)? >= 0.0 {
            return Some(high);
        }
        for _ in 0..200 {
            let middle = low + (high - low) / 2.0;
            if middle <= low || middle >= high {
                break;
            }
            match at(middle, wanted) {
                Some(v) if v > 0.0 => low = middle,
                _ => high = middle,
            }
        }
        Some(high)
    };
    Some((root(z)?, root(-z)?))
}

fn sign(v: f64) -> f64 {
    if v == 0.0 { 0.0 } else { v.signum() }
}
