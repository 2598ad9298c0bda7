//! Resampling: a seeded generator, the plain bootstrap of a difference, and the block form that
//! resamples windows of time and is fast on millions of values.

use super::quantile::type7;

/// SplitMix64: small, fast, and the same on every machine.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that begins at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `len`: the high half of the product.
    pub fn below(&mut self, len: usize) -> usize {
        ((u128::from(self.next_u64()) * len as u128) >> 64) as usize
    }
}

/// What of a sample is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Of {
    /// A type-7 quantile, 0–1.
    Quantile(f64),
    /// The mean.
    Mean,
}

/// The difference of a statistic between two samples, resampled.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Candidate less baseline, as observed.
    pub observed: f64,
    /// The differences of the replicates, in the order drawn.
    pub replicates: Vec<f64>,
}

impl Change {
    /// Mean of the replicates.
    pub fn mean(&self) -> f64 {
        self.replicates.iter().sum::<f64>() / self.replicates.len() as f64
    }

    /// Share of the replicates above 0.
    pub fn above_zero(&self) -> f64 {
        let above = self.replicates.iter().filter(|r| **r > 0.0).count();
        above as f64 / self.replicates.len() as f64
    }

    /// The percentile interval.
    pub fn interval(&self, confidence: f64) -> Option<(f64, f64)> {
        let sorted = super::quantile::sorted(&self.replicates);
        let tail = (1.0 - confidence) / 2.0;
        Some((type7(&sorted, tail)?, type7(&sorted, 1.0 - tail)?))
    }

    /// Two-sided chance: twice the rarer side of 0, counting the observation itself, so that it
    /// is never 0.
    pub fn p(&self) -> f64 {
        let side = |keep: fn(&f64) -> bool| self.replicates.iter().filter(|r| keep(r)).count();
        let rarer = side(|r| *r <= 0.0).min(side(|r| *r >= 0.0));
        (2.0 * (rarer + 1) as f64 / (self.replicates.len() + 1) as f64).min(1.0)
    }
}

fn statistic(sorted: &[f64], of: Of) -> Option<f64> {
    match of {
        Of::Quantile(q) => type7(sorted, q),
        Of::Mean if sorted.is_empty() => None,
        Of::Mean => Some(sorted.iter().sum::<f64>() / sorted.len() as f64),
    }
}

/// The plain bootstrap: every replicate draws all of `candidate`, then all of `baseline`, with
/// replacement, in the order given. `None` when one side is empty.
pub fn plain(
    candidate: &[f64],
    baseline: &[f64],
    of: Of,
    replicates: usize,
    seed: u64,
) -> Option<Change> {
    let whole = |values: &[f64]| statistic(&super::quantile::sorted(values), of);
    let observed = whole(candidate)? - whole(baseline)?;
    let mut random = SplitMix64::new(seed);
    let mut drawn = Vec::with_capacity(candidate.len().max(baseline.len()));
    let mut one = |values: &[f64]| {
        drawn.clear();
        drawn.extend((0..values.len()).map(|_| values[random.below(values.len())]));
        drawn_statistic(&mut drawn, of)
    };
    let replicates = (0..replicates)
        .map(|_| one(candidate) - one(baseline))
        .collect();
    Some(Change {
        observed,
        replicates,
    })
}

/// The statistic of values in any order; only the ranks that are asked for are put in place.
fn drawn_statistic(values: &mut [f64], of: Of) -> f64 {
    let Of::Quantile(q) = of else {
        return values.iter().sum::<f64>() / values.len() as f64;
    };
    let h = (values.len() - 1) as f64 * q;
    let i = h.floor() as usize;
    let (_, low, above) = values.select_nth_unstable_by(i, f64::total_cmp);
    let low = *low;
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    low + (h - h.floor()) * (high - low)
}

/// Windows of equal length between the first and the last of `times` (seconds, any origin), one
/// number per time. `None` without times, or when one is no number.
pub fn windows_by_time(times: &[f64], windows: usize) -> Option<Vec<u32>> {
    if windows == 0 || times.iter().any(|t| !t.is_finite()) {
        return None;
    }
    let first = times.iter().copied().min_by(f64::total_cmp)?;
    let last = times.iter().copied().max_by(f64::total_cmp)?;
    let length = (last - first) / windows as f64;
    let of = |t: &f64| match (t - first) / length {
        w if w.is_finite() => (w as usize).min(windows - 1) as u32,
        _ => 0,
    };
    Some(times.iter().map(of).collect())
}

/// Windows of an equal number of values, in order, one number per value.
pub fn windows_by_order(values: usize, windows: usize) -> Vec<u32> {
    (0..values).map(|i| (i * windows / values) as u32).collect()
}

/// Values sorted once, each with the window it lies in, and counted by coarse bins, so that the
/// quantile of any weighting of the windows is found by looking at one bin.
#[derive(Debug, Clone)]
pub struct Blocks {
    values: Vec<f64>,
    window: Vec<u32>,
    windows: usize,
    bin: usize,
    /// `below[bin * windows + w]`: values of window `w` in bins before this one.
    below: Vec<u32>,
    sums: Vec<f64>,
    sizes: Vec<u32>,
}

impl Blocks {
    /// Values with the window each lies in. `None` without values, for values that are no numbers,
    /// and for a window beyond `windows`.
    pub fn new(values: &[f64], window: &[u32], windows: usize) -> Option<Self> {
        let fits = values.len() == window.len() && window.iter().all(|w| (*w as usize) < windows);
        if !fits || values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let mut pairs: Vec<(f64, u32)> =
            values.iter().copied().zip(window.iter().copied()).collect();
        pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut sums, mut sizes) = (vec![0.0; windows], vec![0; windows]);
        let bin = (pairs.len() / 1024).max(16);
        let mut below = Vec::with_capacity((pairs.len() / bin + 2) * windows);
        for (i, (value, w)) in pairs.iter().enumerate() {
            if i % bin == 0 {
                below.extend_from_slice(&sizes);
            }
            sums[*w as usize] += value;
            sizes[*w as usize] += 1;
        }
        let (values, window): (Vec<f64>, Vec<u32>) = pairs.into_iter().unzip();
        (!values.is_empty()).then_some(Self {
            values,
            window,
            windows,
            bin,
            below,
            sums,
            sizes,
        })
    }

    /// The values, ascending.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Windows that hold at least one value.
    pub fn filled(&self) -> usize {
        self.sizes.iter().filter(|n| **n > 0).count()
    }

    /// A statistic of this side alone over draws of its windows.
    pub fn resampled(&self, of: Of, replicates: usize, seed: u64) -> Vec<f64> {
        let mut random = SplitMix64::new(seed);
        let mut weights = Vec::new();
        (0..replicates)
            .filter_map(|_| {
                self.draw(&mut random, &mut weights);
                self.weighted(&weights, of)
            })
            .collect()
    }

    fn draw(&self, random: &mut SplitMix64, weights: &mut Vec<u64>) {
        weights.clear();
        weights.resize(self.windows, 0);
        for _ in 0..self.windows {
            weights[random.below(self.windows)] += 1;
        }
    }

    fn weighted(&self, weights: &[u64], of: Of) -> Option<f64> {
        let size: u64 = weights
            .iter()
            .zip(&self.sizes)
            .map(|(w, n)| w * u64::from(*n))
            .sum();
        if size == 0 {
            return None;
        }
        let Of::Quantile(q) = of else {
            let sum: f64 = weights
                .iter()
                .zip(&self.sums)
                .map(|(w, s)| *w as f64 * s)
                .sum();
            return Some(sum / size as f64);
        };
        let h = (size - 1) as f64 * q;
        let rank = h.floor() as u64;
        let (low, high) = self.at(weights, rank);
        Some(low + (h - h.floor()) * (high - low))
    }

    /// The values of weighted rank `rank` (from 0) and of the next.
    fn at(&self, weights: &[u64], rank: u64) -> (f64, f64) {
        let before = |bin: usize| -> u64 {
            let row = &self.below[bin * self.windows..(bin + 1) * self.windows];
            weights
                .iter()
                .zip(row)
                .map(|(w, n)| w * u64::from(*n))
                .sum()
        };
        let (mut low, mut high) = (0, self.below.len() / self.windows);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if before(middle) <= rank {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut passed = before(low);
        let start = low * self.bin;
        let mut found = None;
        for (value, w) in self.values[start..].iter().zip(&self.window[start..]) {
            passed += weights[*w as usize];
            if let (Some(low), true) = (found, weights[*w as usize] > 0) {
                return (low, *value);
            }
            if found.is_none() && passed > rank {
                if passed > rank + 1 {
                    return (*value, *value);
                }
                found = Some(*value);
            }
        }
        let last = found.unwrap_or(f64::NAN);
        (last, last)
    }
}

/// The block bootstrap: every replicate draws as many windows of the candidate as there are, then
/// of the baseline, and takes every statistic of the same draw. `None` when a statistic of the
/// whole does not exist.
pub fn blocked(
    candidate: &Blocks,
    baseline: &Blocks,
    of: &[Of],
    replicates: usize,
    seed: u64,
) -> Option<Vec<Change>> {
    let ones = |side: &Blocks| vec![1; side.windows];
    let (whole_c, whole_b) = (ones(candidate), ones(baseline));
    let mut changes = Vec::with_capacity(of.len());
    for of in of {
        let observed = candidate.weighted(&whole_c, *of)? - baseline.weighted(&whole_b, *of)?;
        changes.push(Change {
            observed,
            replicates: Vec::with_capacity(replicates),
        });
    }
    let mut random = SplitMix64::new(seed);
    let (mut c, mut b) = (Vec::new(), Vec::new());
    for _ in 0..replicates {
        candidate.draw(&mut random, &mut c);
        baseline.draw(&mut random, &mut b);
        for (change, of) in changes.iter_mut().zip(of) {
            // A draw of empty windows alone says nothing and is left out.
            if let (Some(x), Some(y)) = (candidate.weighted(&c, *of), baseline.weighted(&b, *of)) {
                change.replicates.push(x - y);
            }
        }
    }
    Some(changes)
}
