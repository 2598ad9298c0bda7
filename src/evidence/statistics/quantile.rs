//! Quantiles of raw values, and intervals for them that assume nothing about their shape.

use super::normal::ln_choose;

/// The finite values, ascending.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut out: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    out.sort_unstable_by(f64::total_cmp);
    out
}

/// Type-7 quantile of an ascending slice: linear between the two values around `(n − 1)·q`.
/// `None` without a value or for a `q` outside 0–1.
pub fn type7(sorted: &[f64], q: f64) -> Option<f64> {
    if sorted.is_empty() || !(0.0..=1.0).contains(&q) {
        return None;
    }
    let h = (sorted.len() - 1) as f64 * q;
    let i = (h.floor() as usize).min(sorted.len() - 1);
    let low = sorted[i];
    let high = sorted.get(i + 1).copied().unwrap_or(low);
    Some(low + (h - h.floor()) * (high - low))
}

/// Ranks (1-based) of the observations that enclose a quantile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderInterval {
    /// Rank of the lower end; `None` = no finite lower end with this many observations.
    pub low: Option<u64>,
    /// Rank of the upper end; `None` = no finite upper end.
    pub high: Option<u64>,
    /// Chance that the interval covers the quantile.
    pub coverage: f64,
}

/// Ranks that enclose the quantile `q` of `n` independent observations: each tail holds at most
/// half of `1 − confidence`.
pub fn order_interval(n: u64, q: f64, confidence: f64) -> OrderInterval {
    if n == 0 || !(q > 0.0 && q < 1.0) || !(confidence > 0.0 && confidence < 1.0) {
        return OrderInterval {
            low: None,
            high: None,
            coverage: 0.0,
        };
    }
    let tail = (1.0 - confidence) / 2.0;
    let mass = Mass::new(n, q);
    // P(B < l) = P(B ≤ l − 1) ≤ tail: the largest such l.
    let (mut below, mut low) = (0.0, 0);
    let mut sum = 0.0;
    for k in mass.first..n {
        sum += mass.at(k);
        if sum > tail {
            break;
        }
        (low, below) = (k + 1, sum);
    }
    // Mass below `first` is nothing, but a rank up to there is still allowed.
    if low == 0 && mass.first > 0 {
        low = mass.first;
    }
    // P(B ≥ u) ≤ tail: the smallest such u.
    let (mut above, mut high) = (0.0, n + 1);
    let mut sum = 0.0;
    for k in (1..=mass.last).rev() {
        sum += mass.at(k);
        if sum > tail {
            break;
        }
        (high, above) = (k, sum);
    }
    if high == n + 1 && mass.last < n {
        high = mass.last + 1;
    }
    OrderInterval {
        low: (low > 0).then_some(low),
        high: (high <= n).then_some(high),
        coverage: 1.0 - below - above,
    }
}

/// Chances of a binomial count around its mean; what lies further out is below 1e-300.
struct Mass {
    first: u64,
    last: u64,
    from: Vec<f64>,
}

impl Mass {
    fn new(n: u64, q: f64) -> Self {
        let (mean, spread) = (n as f64 * q, (n as f64 * q * (1.0 - q)).sqrt());
        let reach = 40.0 * spread + 40.0;
        let first = (mean - reach).floor().max(0.0) as u64;
        let last = ((mean + reach).ceil() as u64).min(n);
        let mode = (mean as u64).clamp(first, last);
        let at_mode = ln_choose(n, mode) + mode as f64 * q.ln() + (n - mode) as f64 * (-q).ln_1p();
        let mut from = vec![0.0; (last - first + 1) as usize];
        let odds = q / (1.0 - q);
        let place = |k: u64| (k - first) as usize;
        from[place(mode)] = at_mode.exp();
        for k in mode + 1..=last {
            from[place(k)] = from[place(k - 1)] * (n - k + 1) as f64 / k as f64 * odds;
        }
        for k in (first..mode).rev() {
            from[place(k)] = from[place(k + 1)] * (k + 1) as f64 / (n - k) as f64 / odds;
        }
        Self { first, last, from }
    }

    fn at(&self, k: u64) -> f64 {
        if k < self.first || k > self.last {
            return 0.0;
        }
        self.from[(k - self.first) as usize]
    }
}

/// The interval of a quantile read from an ascending slice; an end that does not exist is `None`.
pub fn quantile_interval(sorted: &[f64], q: f64, confidence: f64) -> (Option<f64>, Option<f64>) {
    let ranks = order_interval(sorted.len() as u64, q, confidence);
    let at = |rank: Option<u64>| rank.and_then(|r| sorted.get(r as usize - 1).copied());
    (at(ranks.low), at(ranks.high))
}
