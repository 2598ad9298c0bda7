//! The calculation itself, from observations to intervals. Minutes of traffic go in; a page of
//! numbers comes out. Pure: the seed is part of what is asked.

use super::{Asked, Calculated, Interval, Method, Middle, confidence};
use pel_evidence::prometheus::{Bucket, Histogram};
use pel_evidence::statistics as s;
use pel_evidence::{Data, Statistic};

/// Observations beyond a quantile that a resampled tail needs.
const TAIL: f64 = 10.0;
/// Most observations that are resampled one by one; more go by windows of their order.
const PLAIN: usize = 20_000;
/// Windows of one run.
const WINDOWS: std::ops::RangeInclusive<usize> = 20..=100;

/// Calculates what is asked from the distributions, given in the order of their digests. Forms
/// that do not fit what is asked give a result without intervals.
pub fn calculate(asked: &Asked, baseline: &[Data], candidate: &[Data]) -> Calculated {
    let mut out = Calculated {
        basis: asked.basis(),
        n: [baseline, candidate].map(|side| side.iter().map(Data::len).sum()),
        baseline: vec![Interval::default(); baseline.len()],
        candidate: vec![Interval::default(); candidate.len()],
        change: None,
        method: Method::ToolValue,
        p: None,
        seed: asked.seed(),
        replicates: 0,
        windows: None,
        middle: None,
        spread: [None, None],
        identical: false,
    };
    if asked.form == "histogram" {
        histograms(asked, baseline, candidate, &mut out);
    } else {
        values(asked, baseline, candidate, &mut out);
    }
    out
}

/// One side's observations: all runs after each other, each cut into windows of its own.
struct Pooled {
    values: Vec<f64>,
    window: Vec<u32>,
    windows: usize,
    timed: bool,
}

impl Pooled {
    fn of(side: &[Data]) -> Self {
        let mut out = Self {
            values: Vec::new(),
            window: Vec::new(),
            windows: 0,
            timed: !side.is_empty(),
        };
        for data in side {
            let Data::Values { values, times } = data else {
                continue;
            };
            let windows = (values.len().isqrt()).clamp(*WINDOWS.start(), *WINDOWS.end());
            let own = match s::windows_by_time(times, windows) {
                Some(own) if own.len() == values.len() => own,
                _ => {
                    out.timed = false;
                    s::windows_by_order(values.len(), windows)
                }
            };
            out.values.extend_from_slice(values);
            out.window
                .extend(own.into_iter().map(|w| w + out.windows as u32));
            out.windows += windows;
        }
        out
    }

    fn blocks(&self) -> Option<s::Blocks> {
        s::Blocks::new(&self.values, &self.window, self.windows)
    }
}

fn values(asked: &Asked, baseline: &[Data], candidate: &[Data], out: &mut Calculated) {
    let of = match asked.statistic.quantile() {
        Some(q) => s::Of::Quantile(q),
        None if asked.statistic == Statistic::Mean => s::Of::Mean,
        None => return,
    };
    let level = confidence(asked.alpha);
    let (b, c) = (Pooled::of(baseline), Pooled::of(candidate));
    let (bb, cc) = (b.blocks(), c.blocks());
    let (Some(bb), Some(cc)) = (bb, cc) else {
        // One side alone still has its bounds.
        for (runs, side) in [
            (&mut out.baseline, baseline),
            (&mut out.candidate, candidate),
        ] {
            for (bounds, run) in runs.iter_mut().zip(side) {
                let pooled = Pooled::of(std::slice::from_ref(run));
                let blocks = pooled.blocks();
                *bounds = blocks
                    .and_then(|blocks| run_bounds(of, &pooled, &blocks, level, asked))
                    .unwrap_or_default();
            }
        }
        return;
    };
    let (bs, cs) = (bb.values(), cc.values());
    for (runs, side, all) in [
        (&mut out.baseline, baseline, (&b, &bb)),
        (&mut out.candidate, candidate, (&c, &cc)),
    ] {
        bounds_of_runs(of, side, all, level, asked, runs);
    }
    out.identical = bs == cs;
    out.middle = middle(cs, bs, level);
    let quartiles = |v: &[f64]| Some(s::type7(v, 0.75)? - s::type7(v, 0.25)?);
    out.spread = [quartiles(bs), quartiles(cs)];
    let few = match of {
        s::Of::Quantile(q) => {
            let tail = q.min(1.0 - q) * bs.len().min(cs.len()) as f64;
            // Rounding must not make a thousand too few for a p99.
            tail + 1e-9 < TAIL
        }
        s::Of::Mean => bs.len().min(cs.len()) < 50,
    };
    if few {
        return order_statistics(of, bs, cs, level, out);
    }
    let by_window = (b.timed && c.timed) || b.values.len().max(c.values.len()) > PLAIN;
    let change = if by_window {
        out.windows = Some(b.windows + c.windows);
        out.method = Method::BlockBootstrap;
        s::blocked(&cc, &bb, &[of], asked.replicates, out.seed).and_then(|mut all| all.pop())
    } else {
        out.method = Method::Bootstrap;
        s::plain(&c.values, &b.values, of, asked.replicates, out.seed)
    };
    let Some(change) = change else { return };
    let ends = change.interval(level);
    out.replicates = change.replicates.len();
    out.p = Some(change.p());
    out.change = Some(Interval {
        point: Some(change.observed),
        low: ends.map(|e| e.0),
        high: ends.map(|e| e.1),
    });
}

/// Bounds of every run of a side; a side of one run is that run and is not sorted twice.
fn bounds_of_runs(
    of: s::Of,
    side: &[Data],
    (pooled, blocks): (&Pooled, &s::Blocks),
    level: f64,
    asked: &Asked,
    runs: &mut [Interval],
) {
    for (bounds, run) in runs.iter_mut().zip(side) {
        let found = if side.len() == 1 {
            run_bounds(of, pooled, blocks, level, asked)
        } else {
            let own = Pooled::of(std::slice::from_ref(run));
            own.blocks()
                .and_then(|blocks| run_bounds(of, &own, &blocks, level, asked))
        };
        *bounds = found.unwrap_or_default();
    }
}

/// The statistic of one run with its bounds: by order statistics, and where the times are known
/// no narrower than windows say, because requests of one burst are not independent.
fn run_bounds(
    of: s::Of,
    pooled: &Pooled,
    blocks: &s::Blocks,
    level: f64,
    asked: &Asked,
) -> Option<Interval> {
    let sorted = blocks.values();
    let (point, mut low, mut high) = match of {
        s::Of::Quantile(q) => {
            let (low, high) = s::quantile_interval(sorted, q, level);
            (s::type7(sorted, q)?, low, high)
        }
        s::Of::Mean => mean_bounds(sorted, level)?,
    };
    if pooled.timed && sorted.len() >= 50 {
        let drawn = blocks.resampled(of, asked.replicates, asked.seed());
        let drawn = s::sorted(&drawn);
        let tail = (1.0 - level) / 2.0;
        low = low.zip(s::type7(&drawn, tail)).map(|(a, b)| a.min(b));
        high = high
            .zip(s::type7(&drawn, 1.0 - tail))
            .map(|(a, b)| a.max(b));
    }
    Some(Interval {
        point: Some(point),
        low,
        high,
    })
}

fn mean_bounds(sorted: &[f64], level: f64) -> Option<(f64, Option<f64>, Option<f64>)> {
    let n = sorted.len() as f64;
    let mean = sorted.iter().sum::<f64>() / n;
    if sorted.len() < 50 {
        return (!sorted.is_empty()).then_some((mean, None, None));
    }
    let variance = sorted.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0);
    let half = s::normal_quantile(0.5 + level / 2.0) * (variance / n).sqrt();
    Some((mean, Some(mean - half), Some(mean + half)))
}

fn middle(candidate: &[f64], baseline: &[f64], level: f64) -> Option<Middle> {
    let test = s::mann_whitney(candidate, baseline)?;
    let shift = s::shift(candidate, baseline, s::normal_quantile(0.5 + level / 2.0));
    Some(Middle {
        shift: shift.map(|s| Interval {
            point: Some(s.estimate),
            low: Some(s.low),
            high: Some(s.high),
        }),
        p: test.exact.map_or(test.p, |e| e.0),
        delta: test.delta(),
    })
}

/// Too few for a resampled tail: from the order statistics of both sides. The test asks whether
/// the two differ in how many lie above the quantile of both together.
fn order_statistics(of: s::Of, b: &[f64], c: &[f64], level: f64, out: &mut Calculated) {
    let s::Of::Quantile(q) = of else { return };
    let (bl, bh) = s::quantile_interval(b, q, level);
    let (cl, ch) = s::quantile_interval(c, q, level);
    let point = s::type7(c, q).zip(s::type7(b, q)).map(|(c, b)| c - b);
    out.method = Method::OrderStatistics;
    out.change = Some(Interval {
        point,
        low: cl.zip(bh).map(|(c, b)| c - b),
        high: ch.zip(bl).map(|(c, b)| c - b),
    });
    let both = s::sorted(&[b, c].concat());
    let above = |side: &[f64], t: f64| (side.len() - side.partition_point(|v| *v <= t)) as u64;
    out.p = s::type7(&both, q)
        .and_then(|t| s::two_rates(above(c, t), c.len() as u64, above(b, t), b.len() as u64));
}

/// Adds histograms of equal edges up; `None` when they differ.
fn added(side: &[Data]) -> Option<(Vec<f64>, Vec<u64>)> {
    let mut all: Option<(Vec<f64>, Vec<u64>)> = None;
    for data in side {
        let Data::Histogram { edges, counts } = data else {
            return None;
        };
        match &mut all {
            None => all = Some((edges.clone(), counts.clone())),
            Some((known, sum)) if known == edges => {
                sum.iter_mut().zip(counts).for_each(|(s, n)| *s += n);
            }
            Some(_) => return None,
        }
    }
    all
}

fn interpolated(edges: &[f64], counts: &[u64], q: f64) -> Option<f64> {
    let mut below = 0.0;
    let bounds = edges.iter().copied().chain([f64::INFINITY]);
    let buckets = bounds.zip(counts).map(|(le, n)| {
        below += *n as f64;
        Bucket { le, count: below }
    });
    let found = Histogram::new(buckets.collect()).quantile(q)?;
    found.high.is_finite().then_some(found.value)
}

fn histograms(asked: &Asked, baseline: &[Data], candidate: &[Data], out: &mut Calculated) {
    let level = confidence(asked.alpha);
    let pooled = [added(baseline), added(candidate)];
    if let [Some((eb, b)), Some((ec, c))] = &pooled {
        let (b, c) = (binned(eb, b), binned(ec, c));
        out.identical = b == c;
        out.middle = c.mann_whitney(&b).map(|t| Middle {
            shift: None,
            p: t.p,
            delta: t.delta(),
        });
    }
    let Some(q) = asked.statistic.quantile() else {
        return;
    };
    let bounds = |edges: &[f64], counts: &[u64]| {
        let (low, high) = binned(edges, counts).interval(q, level);
        Interval {
            point: interpolated(edges, counts, q),
            low,
            high,
        }
    };
    for (runs, side) in [
        (&mut out.baseline, baseline),
        (&mut out.candidate, candidate),
    ] {
        for (interval, data) in runs.iter_mut().zip(side) {
            if let Data::Histogram { edges, counts } = data {
                *interval = bounds(edges, counts);
            }
        }
    }
    let [Some((eb, b)), Some((ec, c))] = &pooled else {
        return;
    };
    let (of_b, of_c) = (bounds(eb, b), bounds(ec, c));
    out.method = Method::HistogramBounds;
    out.change = Some(Interval {
        point: of_c.point.zip(of_b.point).map(|(c, b)| c - b),
        low: of_c.low.zip(of_b.high).map(|(c, b)| c - b),
        high: of_c.high.zip(of_b.low).map(|(c, b)| c - b),
    });
    out.p = (eb == ec)
        .then(|| beyond(&binned(eb, b), &binned(ec, c), q))
        .flatten();
}

fn binned<'a>(edges: &'a [f64], counts: &'a [u64]) -> s::Binned<'a> {
    s::Binned { edges, counts }
}

/// Whether the sides differ in how many lie above the edge nearest to the quantile of both.
fn beyond(b: &s::Binned<'_>, c: &s::Binned<'_>, q: f64) -> Option<f64> {
    let (nb, nc) = (b.total(), c.total());
    let all = (nb + nc) as f64;
    let off = |i: &usize| ((b.above(*i) + c.above(*i)) as f64 / all - (1.0 - q)).abs();
    let edge = (0..b.edges.len()).min_by(|i, j| off(i).total_cmp(&off(j)))?;
    s::two_rates(c.above(edge), nc, b.above(edge), nb)
}

#[cfg(test)]
#[path = "calculate_tests.rs"]
mod tests;
