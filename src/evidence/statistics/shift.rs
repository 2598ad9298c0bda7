//! The Hodges-Lehmann shift between two samples and two forms of interval for it.
//!
//! The shift is the median of all differences `x − y`. Above a million pairs the differences are
//! never written down: their k-th smallest is found by counting, in time that grows with the two
//! lengths only.

use super::ranks::mann_whitney;

/// Most differences that are written down.
const MATRIX: u64 = 1_000_000;

/// Steps of narrowing before every number is tried in turn.
const STEPS: usize = 300;

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
        let mut counted = Counted::new(x, y);
        wanted.map(|k| counted.kth(k))
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

/// Ascending values, equal ones once with how many there are: durations are often written in whole
/// milliseconds, and then a million of them are some thousands.
struct Runs {
    values: Vec<f64>,
    /// How many come before each; the last is the number of all.
    before: Vec<u64>,
}

impl Runs {
    fn of(sorted: &[f64]) -> Self {
        let (mut values, mut before) = (Vec::new(), Vec::new());
        for (i, v) in sorted.iter().enumerate() {
            if values.last() != Some(v) {
                values.push(*v);
                before.push(i as u64);
            }
        }
        before.push(sorted.len() as u64);
        Self { values, before }
    }

    fn count(&self, i: usize) -> u64 {
        self.before[i + 1] - self.before[i]
    }

    fn all(&self) -> u64 {
        self.before[self.values.len()]
    }
}

/// How much lies at or below a number.
#[derive(Clone, Copy)]
struct Upto {
    /// Differences.
    differences: u64,
    /// The same, equal values of a side counted once.
    pairs: u64,
}

/// Differences counted so far. Neighbouring ranks lie close together, so what one search counted
/// is where the next begins.
struct Counted {
    x: Runs,
    y: Runs,
    /// Ascending in everything.
    known: Vec<(f64, Upto)>,
}

impl Counted {
    fn new(x: &[f64], y: &[f64]) -> Self {
        let (x, y) = (Runs::of(x), Runs::of(y));
        let (n, m) = (x.values.len(), y.values.len());
        let (least, most) = (x.values[0] - y.values[m - 1], x.values[n - 1] - y.values[0]);
        let all = Upto {
            differences: x.all() * y.all(),
            pairs: n as u64 * m as u64,
        };
        let mut counted = Self {
            x,
            y,
            known: vec![(most, all)],
        };
        counted.count(least);
        counted
    }

    /// How much is at most `d`.
    fn at_most(&self, d: f64) -> Upto {
        let (mut j, mut differences, mut pairs) = (0, 0, 0);
        let (x, y) = (&self.x.values, &self.y.values);
        for (i, v) in x.iter().enumerate() {
            while j < y.len() && v - y[j] > d {
                j += 1;
            }
            differences += self.x.count(i) * (self.y.all() - self.y.before[j]);
            pairs += (y.len() - j) as u64;
        }
        Upto { differences, pairs }
    }

    fn count(&mut self, d: f64) {
        let place = self.known.partition_point(|(at, _)| *at < d);
        if self.known.get(place).is_none_or(|(at, _)| *at != d) {
            let upto = self.at_most(d);
            self.known.insert(place, (d, upto));
        }
    }

    /// The k-th smallest difference (from 1), exactly: the least number that at least `k`
    /// differences do not exceed.
    fn kth(&mut self, k: u64) -> f64 {
        if self.known[0].1.differences >= k {
            return self.known[0].0;
        }
        // Narrowed until few enough are left to be written down. A straight line between the ends,
        // aimed at either side of the rank in turn, is right within a few steps where the
        // differences lie smoothly; halving finds the others.
        for step in 0..STEPS {
            let ((low, below), (high, upto)) = self.around(k);
            if upto.pairs - below.pairs <= MATRIX {
                return self.listed(low, high, k - below.differences);
            }
            let middle = low + (high - low) / 2.0;
            if middle <= low || middle >= high {
                return high;
            }
            let width = (upto.differences - below.differences) as f64;
            let room = (width / 32.0).max(MATRIX as f64 / 3.0);
            let aim = (k - below.differences) as f64;
            let share = match step % 3 {
                0 => (aim - room) / width,
                1 => (aim + room) / width,
                _ => 0.5,
            };
            let guess = low + (high - low) * share.clamp(1e-6, 1.0 - 1e-6);
            self.count(if guess > low && guess < high {
                guess
            } else {
                middle
            });
        }
        self.by_number(k)
    }

    /// What is known of either side of the k-th.
    fn around(&self, k: u64) -> ((f64, Upto), (f64, Upto)) {
        let place = self.known.partition_point(|(_, upto)| upto.differences < k);
        (self.known[place - 1], self.known[place])
    }

    /// The k-th of the differences above `low` and at most `high`, written down.
    fn listed(&self, low: f64, high: f64, k: u64) -> f64 {
        let (x, y) = (&self.x.values, &self.y.values);
        let (mut from, mut to) = (0, 0);
        let mut found = Vec::new();
        for (i, v) in x.iter().enumerate() {
            while from < y.len() && v - y[from] > high {
                from += 1;
            }
            while to < y.len() && v - y[to] > low {
                to += 1;
            }
            let times = self.x.count(i);
            found.extend((from..to.max(from)).map(|j| (v - y[j], times * self.y.count(j))));
        }
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut passed = 0;
        let place = found.iter().find(|(_, times)| {
            passed += times;
            passed >= k
        });
        place.map_or(high, |(difference, _)| *difference)
    }

    /// The same number by number, for differences that lie so that no narrowing ends.
    fn by_number(&self, k: u64) -> f64 {
        let ((low, _), (high, _)) = self.around(k);
        let (mut low, mut high) = (key(low), key(high));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.at_most(value(middle)).differences >= k {
                high = middle;
            } else {
                low = middle;
            }
        }
        value(high)
    }
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
