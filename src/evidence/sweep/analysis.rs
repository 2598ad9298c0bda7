//! What the shape of a sweep says: saturation, knee, operating point, and whether its rows obey
//! Little's law.
//!
//! Pure functions over points sorted by load. They take the points as they are; which points
//! are fit to be judged is the caller's choice.

/// One point of a sweep. Latencies in seconds, throughput in inferences per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Concurrent requests, or requests per second.
    pub load: f64,
    /// Inferences per second.
    pub throughput: f64,
    /// Tail latency, p95 by default.
    pub tail: Option<f64>,
    /// Average latency.
    pub mean: Option<f64>,
}

/// How throughput goes with load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One point shows no shape.
    SinglePoint,
    /// The greatest throughput is less than a tenth above that of the first point.
    SaturatedFromFirstPoint,
    /// The last point is the best and still gained at least half of what its load added.
    NotSaturated,
    /// The last point is more than 5 % below the best: contention.
    Retrograde,
    /// Throughput has levelled off.
    Saturated,
}

impl Shape {
    /// Stable snake_case id.
    pub fn id(self) -> &'static str {
        match self {
            Self::SinglePoint => "single_point",
            Self::SaturatedFromFirstPoint => "saturated_from_first_point",
            Self::NotSaturated => "not_saturated",
            Self::Retrograde => "retrograde",
            Self::Saturated => "saturated",
        }
    }

    /// Whether a knee found by an algorithm means anything for this shape.
    pub fn can_have_knee(self) -> bool {
        matches!(self, Self::Retrograde | Self::Saturated)
    }
}

/// The shape of a sweep; `None` without points.
pub fn shape(points: &[Point]) -> Option<Shape> {
    let (first, last) = (points.first()?, points.last()?);
    if points.len() == 1 {
        return Some(Shape::SinglePoint);
    }
    let best = points.iter().map(|p| p.throughput).fold(0.0, f64::max);
    if best < 1.10 * first.throughput || best == 0.0 {
        return Some(Shape::SaturatedFromFirstPoint);
    }
    let before = points[points.len() - 2];
    let gain = (last.throughput - before.throughput) / before.throughput;
    let added = (last.load - before.load) / before.load;
    if last.throughput >= best && added > 0.0 && gain / added >= 0.5 {
        return Some(Shape::NotSaturated);
    }
    if last.throughput < 0.95 * best {
        return Some(Shape::Retrograde);
    }
    Some(Shape::Saturated)
}

/// Distance of every point above the chord, both axes scaled to 0–1. `None` when an axis has no
/// extent.
fn distances(points: &[Point]) -> Option<Vec<f64>> {
    let span = |of: fn(&Point) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        (high > low).then_some((low, high - low))
    };
    let (x0, dx) = span(|p| p.load)?;
    let (y0, dy) = span(|p| p.throughput)?;
    Some(
        points
            .iter()
            .map(|p| (p.throughput - y0) / dy - (p.load - x0) / dx)
            .collect(),
    )
}

/// Load of the first confirmed knee by Kneedle with sensitivity 1, for a concave increasing
/// curve, without smoothing. The ends of the sweep are never a knee.
pub fn kneedle(points: &[Point]) -> Option<f64> {
    let d = distances(points)?;
    let n = d.len();
    let is_peak = |i: usize| i > 0 && i + 1 < n && d[i] > d[i - 1] && d[i] >= d[i + 1];
    // Scaled to 0–1, the mean step of the load axis depends on the number of points alone.
    let step = 1.0 / (n - 1) as f64;
    (1..n - 1).filter(|i| is_peak(*i)).find_map(|peak| {
        let threshold = d[peak] - step;
        let falls = (peak + 1..n)
            .take_while(|i| !is_peak(*i))
            .any(|i| d[i] < threshold);
        falls.then_some(points[peak].load)
    })
}

/// Load of the point farthest above the chord: a weak knee where none is confirmed.
pub fn farthest_from_chord(points: &[Point]) -> Option<f64> {
    let d = distances(points)?;
    first_greatest(points.iter().zip(d)).map(|p| p.load)
}

/// Load of the greatest throughput over tail latency (Kleinrock's power; over the average where
/// there is no tail).
pub fn max_power(points: &[Point]) -> Option<f64> {
    let power = points.iter().filter_map(|p| {
        let latency = p.tail.or(p.mean)?;
        (latency > 0.0).then(|| (p, p.throughput / latency))
    });
    first_greatest(power).map(|p| p.load)
}

fn first_greatest<'a>(scored: impl Iterator<Item = (&'a Point, f64)>) -> Option<&'a Point> {
    scored
        .fold(None, |best: Option<(&Point, f64)>, next| match best {
            Some(b) if b.1 >= next.1 => Some(b),
            _ => Some(next),
        })
        .map(|(p, _)| p)
}

/// The point to run at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OperatingPoint {
    /// The point of the highest throughput, the lowest load of equals.
    pub best: Point,
    /// Lowest load whose throughput is within 1 % of the best.
    pub lowest_load_within_1_percent: f64,
}

/// The highest throughput among points whose tail is within `budget` seconds; without a budget,
/// among all. `None` when no point fits: the budget is not reachable at the loads tested.
pub fn operating_point(points: &[Point], budget: Option<f64>) -> Option<OperatingPoint> {
    let fits = |p: &&Point| match budget {
        None => true,
        Some(limit) => p.tail.is_some_and(|tail| tail <= limit),
    };
    let best = *first_greatest(points.iter().filter(fits).map(|p| (p, p.throughput)))?;
    let lowest = points
        .iter()
        .filter(fits)
        .filter(|p| p.throughput >= 0.99 * best.throughput)
        .map(|p| p.load)
        .fold(best.load, f64::min);
    Some(OperatingPoint {
        best,
        lowest_load_within_1_percent: lowest,
    })
}

/// Little's law on one point: requests per second times average latency is the number of
/// requests in flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Little {
    /// Load as stated.
    pub load: f64,
    /// Requests in flight that throughput and average latency imply.
    pub implied: f64,
}

impl Little {
    /// Checks a point, with `batch` inferences per request. `None` without an average latency.
    pub fn of(point: &Point, batch: f64) -> Option<Self> {
        Some(Self {
            load: point.load,
            implied: point.throughput / batch * point.mean?,
        })
    }

    /// Implied over stated, less one. Meaningful for a fixed concurrency only.
    pub fn residual(self) -> f64 {
        self.implied / self.load - 1.0
    }

    /// Whether the residual is within 10 %.
    pub fn holds(self) -> bool {
        self.residual().abs() <= 0.10
    }
}

/// The batch size that explains why the points imply k times their concurrency: a whole k of 2
/// or more, fitting more than half of the points within 10 %.
pub fn batch_hint(points: &[Point]) -> Option<u32> {
    let mut ratios: Vec<f64> = points
        .iter()
        .filter_map(|p| Little::of(p, 1.0))
        .map(|l| l.implied / l.load)
        .collect();
    ratios.sort_by(f64::total_cmp);
    let k = whole_batch(*ratios.get(ratios.len() / 2)?)?;
    let fitting = ratios
        .iter()
        .filter(|r| (*r / f64::from(k) - 1.0).abs() <= 0.10)
        .count();
    (2 * fitting > ratios.len()).then_some(k)
}

/// As [`batch_hint`] for a sweep over request rate, where the lowest rate is the one surely
/// achieved: its throughput is k times its rate within 5 %.
pub fn rate_batch_hint(points: &[Point]) -> Option<u32> {
    let first = points.first()?;
    let ratio = first.throughput / first.load;
    let k = whole_batch(ratio)?;
    ((ratio / f64::from(k) - 1.0).abs() <= 0.05).then_some(k)
}

fn whole_batch(ratio: f64) -> Option<u32> {
    // Beyond 2^16 no batch is meant; the comparison also keeps the cast exact.
    (1.5..=65_536.0)
        .contains(&ratio)
        .then(|| ratio.round() as u32)
}

/// Share of the target rate that was achieved.
pub fn achieved(point: &Point, batch: f64) -> f64 {
    point.throughput / batch / point.load
}

/// Below this share of the target rate a point is saturated, and its latencies are lower bounds.
pub const LEAST_ACHIEVED: f64 = 0.95;

/// The first rate at which less than 95 % of the target was achieved.
pub fn saturation_rate(points: &[Point], batch: f64) -> Option<f64> {
    points
        .iter()
        .find(|p| achieved(p, batch) < LEAST_ACHIEVED)
        .map(|p| p.load)
}
