//! Where the time of a request went, and which load is best for which latency budget.

use super::{
    analysis::Point,
    parts::Part,
    points::{LoadPoint, Sweep},
};

/// The average latency of a point by who took it, in seconds per request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// The client: sending and receiving.
    pub client: f64,
    /// Between client and server, and in the server's front end.
    pub network: f64,
    /// Waiting in the server's queue.
    pub queue: f64,
    /// Preparing inputs, running the model, extracting outputs.
    pub compute: f64,
}

impl Shares {
    /// The sum of the parts, in seconds.
    pub fn total(&self) -> f64 {
        self.client + self.network + self.queue + self.compute
    }

    /// The parts as shares of their sum, in the order client, network, queue, compute.
    pub fn of_total(&self) -> [f64; 4] {
        [self.client, self.network, self.queue, self.compute].map(|part| part / self.total())
    }

    /// Stable id of the greatest part.
    pub fn greatest(&self) -> &'static str {
        let parts = [
            ("client", self.client),
            ("network", self.network),
            ("queue", self.queue),
            ("compute", self.compute),
        ];
        parts
            .into_iter()
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
            .map_or("client", |(name, _)| name)
    }
}

/// Where the time of a point went. `None` when a part was not captured, for a stage of an
/// ensemble, and with a response cache, whose parts are averaged over different requests.
pub fn shares(sweep: &Sweep, point: &LoadPoint) -> Option<Shares> {
    let time = |part| point.times.get(&part).copied();
    if sweep.stage || sweep.has_time(Part::CacheHit) || sweep.has_time(Part::CacheMiss) {
        return None;
    }
    let both = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
    let shares = Shares {
        client: both(time(Part::ClientSend), time(Part::ClientReceive))
            .or_else(|| time(Part::RequestResponse))?,
        network: time(Part::Network).or_else(|| time(Part::NetworkGap))?,
        queue: time(Part::Queue)?,
        compute: sweep.compute(point)?,
    };
    (shares.total() > 0.0).then_some(shares)
}

/// The points worth running at: each has the highest throughput of all whose tail is no longer
/// than its own. The operating point of any budget is the last of them within the budget. Ascending
/// by tail; the second value is the lowest load whose throughput is within 1 % at that tail.
pub fn frontier(points: &[Point]) -> Vec<(Point, f64)> {
    let tail = |p: &Point| p.tail.unwrap_or(f64::INFINITY);
    let mut sorted: Vec<Point> = points
        .iter()
        .copied()
        .filter(|p| p.tail.is_some())
        .collect();
    sorted.sort_by(|a, b| {
        tail(a)
            .total_cmp(&tail(b))
            .then(b.throughput.total_cmp(&a.throughput))
            .then(a.load.total_cmp(&b.load))
    });
    let mut best: Vec<(Point, f64)> = Vec::new();
    for (i, point) in sorted.iter().enumerate() {
        if best
            .last()
            .is_some_and(|(b, _)| b.throughput >= point.throughput)
        {
            continue;
        }
        let lowest = sorted[..=i]
            .iter()
            .filter(|p| p.throughput >= 0.99 * point.throughput)
            .map(|p| p.load)
            .fold(point.load, f64::min);
        best.push((*point, lowest));
    }
    best
}
