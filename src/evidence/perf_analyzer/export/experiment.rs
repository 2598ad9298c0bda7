//! One experiment of a profile export: the requests of one load, and the numbers that follow from
//! their timestamps.

use crate::Statistic;
use std::collections::HashSet;

/// Most requests of one experiment.
pub(super) const MOST_REQUESTS: usize = 2_000_000;
/// Most gaps between responses of one experiment.
pub(super) const MOST_GAPS: usize = 8_000_000;
/// Most different inputs that are told apart.
const MOST_INPUTS: usize = 65_536;
/// Nanoseconds in a second.
const NANOS: f64 = 1e9;

/// The times of one request, nanoseconds since the epoch.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Request {
    pub start: u64,
    pub first: u64,
    pub last: u64,
    pub responses: u32,
    /// Whether its responses go back in time.
    pub unordered: bool,
}

impl Request {
    fn answered(&self) -> bool {
        self.responses > 0
    }

    /// Whether a response stands before the request.
    fn impossible(&self) -> bool {
        self.answered() && (self.first < self.start || self.unordered)
    }

    fn latency(&self) -> f64 {
        self.last.saturating_sub(self.start) as f64 / NANOS
    }

    fn first_response(&self) -> f64 {
        self.first.saturating_sub(self.start) as f64 / NANOS
    }
}

/// The requests of one load.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Experiment {
    /// `concurrency` or `request_rate`.
    pub mode: String,
    /// The load; 0 where the tool has none, as with sessions and custom intervals.
    pub value: f64,
    pub requests: Vec<Request>,
    /// Gaps between consecutive responses in seconds, request after request.
    pub gaps: Vec<f64>,
    /// Edges of the measurement windows, nanoseconds since the epoch.
    pub boundaries: Vec<u64>,
    inputs: HashSet<u64>,
    with_inputs: usize,
}

/// What one experiment says. Times in seconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Measured {
    /// Answered requests that count, in order of their start.
    pub latencies: Vec<f64>,
    /// When each began, in seconds since the first.
    pub starts: Vec<f64>,
    /// To the first response, in the same order.
    pub firsts: Vec<f64>,
    /// Mean gap after the first response, of requests with several.
    pub mean_gaps: Vec<f64>,
    /// Every gap between two responses.
    pub gaps: Vec<f64>,
    pub responses: u64,
    /// Requests without a response.
    pub unanswered: usize,
    /// Requests that ended outside the windows and were not measured.
    pub outside: usize,
    /// Requests with a response before themselves.
    pub impossible: usize,
    /// Length of the windows together.
    pub seconds: Option<f64>,
    /// First and last edge, nanoseconds since the epoch.
    pub span: Option<(u64, u64)>,
    /// Whether any request has several responses.
    pub streamed: bool,
    /// Requests whose inputs are in the file, and how many different ones.
    pub inputs: Option<(usize, usize)>,
}

impl Experiment {
    pub fn add(&mut self, request: Request, inputs: Option<u64>) {
        self.requests.push(request);
        if let Some(inputs) = inputs {
            self.with_inputs += 1;
            if self.inputs.len() < MOST_INPUTS {
                self.inputs.insert(inputs);
            }
        }
    }

    /// The numbers of the experiment. Requests count if they end inside the windows, as the tool
    /// counts them; without windows all count.
    pub fn measured(self) -> Measured {
        let edges = self
            .boundaries
            .iter()
            .copied()
            .min()
            .zip(self.boundaries.iter().copied().max());
        let span = edges.filter(|(first, last)| last > first);
        let mut out = Measured {
            span,
            seconds: span.map(|(first, last)| (last - first) as f64 / NANOS),
            inputs: (self.with_inputs > 0).then_some((self.with_inputs, self.inputs.len())),
            ..Measured::default()
        };
        let mut rows: Vec<(Request, std::ops::Range<usize>)> = Vec::new();
        let mut gap = 0;
        for request in self.requests {
            let own = gap..gap + (request.responses as usize).saturating_sub(1);
            gap = own.end;
            if !request.answered() {
                out.unanswered += 1;
            } else if request.impossible() {
                out.impossible += 1;
            } else if span.is_some_and(|(first, last)| request.last < first || request.last > last)
            {
                out.outside += 1;
            } else {
                rows.push((request, own));
            }
        }
        rows.sort_by_key(|(request, _)| request.start);
        let origin = rows.first().map_or(0, |(r, _)| r.start);
        for (request, own) in rows {
            out.latencies.push(request.latency());
            out.firsts.push(request.first_response());
            out.starts.push((request.start - origin) as f64 / NANOS);
            out.responses += u64::from(request.responses);
            if request.responses > 1 {
                out.streamed = true;
                let spread = request.last.saturating_sub(request.first) as f64 / NANOS;
                out.mean_gaps
                    .push(spread / f64::from(request.responses - 1));
                out.gaps.extend_from_slice(&self.gaps[own]);
            }
        }
        out
    }
}

/// Mean and the usual percentiles of values: element ⌊p·(n−1)+½⌋ of the sorted ones, as the tool
/// picks it. Empty without values.
pub(super) fn summary(values: &[f64]) -> Vec<(Statistic, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut out = vec![(
        Statistic::Mean,
        values.iter().sum::<f64>() / values.len() as f64,
    )];
    for quantile in [
        Statistic::P50,
        Statistic::P90,
        Statistic::P95,
        Statistic::P99,
    ] {
        let share = quantile.quantile().unwrap_or_default();
        let at = (share * last as f64 + 0.5).floor() as usize;
        out.push((quantile, sorted[at.min(last)]));
    }
    out
}
