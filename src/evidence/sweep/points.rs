//! Load points and sweeps: the common form that every source of a sweep is brought into, and the
//! average latency of a point, read where the source has it, rebuilt where that is sound, absent
//! elsewhere.

use super::{
    analysis::Point,
    parts::{Field, GpuField, Mode, PARTS, Part},
};
use crate::Statistic;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

/// One measured load level. Times in seconds, memory in bytes, power in watts, shares 0–1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoadPoint {
    /// Line of the file, or the number of the entry where the file has no lines.
    pub line: u64,
    /// Concurrent requests, or requests per second.
    pub load: f64,
    /// Inferences per second, or requests per second where [`Sweep::of_requests`] says so.
    pub throughput: Option<f64>,
    /// Responses per second.
    pub response_throughput: Option<f64>,
    /// Average times, by part, in seconds.
    pub times: BTreeMap<Part, f64>,
    /// Latency quantiles in seconds.
    pub latency: BTreeMap<Statistic, f64>,
    /// Readings per GPU.
    pub gpus: BTreeMap<String, BTreeMap<GpuField, f64>>,
    /// Requests behind the latencies.
    pub requests: Option<u64>,
    /// Share of requests that were sent late, 0–1.
    pub delayed: Option<f64>,
    /// Share of its time that the client itself took, 0–1.
    pub overhead: Option<f64>,
    /// Inferences over executions: the batch that the server really ran.
    pub executed_batch: Option<f64>,
    /// Requests answered from the response cache.
    pub cache_hits: Option<u64>,
    /// Whether the tool said that it could not keep up with the load.
    pub client_limited: bool,
    /// Whether the tool said that the latency did not settle although the throughput did.
    pub latency_unstable: bool,
}

impl LoadPoint {
    /// A point of a line, with nothing else known.
    pub fn at(line: u64) -> Self {
        Self {
            line,
            ..Self::default()
        }
    }

    /// Order by load, then by what was measured: the order of lines plays no part.
    pub fn order(&self, other: &Self) -> Ordering {
        let key = |p: &Self| {
            let mut key = vec![p.load, p.throughput.unwrap_or(-1.0)];
            key.extend(p.latency.values().chain(p.times.values()));
            key.extend(p.gpus.values().flat_map(BTreeMap::values));
            key
        };
        let (a, b) = (key(self), key(other));
        a.iter()
            .zip(&b)
            .map(|(x, y)| x.total_cmp(y))
            .find(|o| o.is_ne())
            .unwrap_or_else(|| a.len().cmp(&b.len()))
    }
}

/// Why a value was kept out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Defect {
    /// The cell is empty, or says `nan` or `inf`.
    Missing,
    /// The value cannot be true: a negative time, a share above 1.
    Impossible,
}

/// Where an average latency came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AverageFrom {
    /// The source says it.
    Column,
    /// The sum of all component columns: equal but for truncation, a few microseconds.
    ComponentSum,
    /// The client library's own mean, which leaves out a few microseconds of the tool.
    ClientLibrary,
    /// Nowhere: cache hits and misses are averaged over different counts, so that the sum of the
    /// components says nothing.
    NotWithCacheColumns,
    /// Nowhere: without the server's columns there are not all components.
    NotWithoutServerColumns,
}

/// A sweep: load points of one service under one configuration, sorted by load.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// What drove the load.
    pub mode: Mode,
    /// What the source can say. What is not here was not captured at any load.
    pub fields: BTreeSet<Field>,
    /// Its load points, ascending by load.
    pub points: Vec<LoadPoint>,
    /// Values that were kept out, with the lines they stand on.
    pub defects: BTreeMap<(Defect, Field), Vec<u64>>,
    /// Inferences per request, where the source says it.
    pub batch: Option<f64>,
    /// Whether throughput counts requests, not inferences.
    pub of_requests: bool,
    /// Whether this is one stage of an ensemble: no client, no latency.
    pub stage: bool,
    /// What tells this sweep from others of the same files, as a label: name and value.
    pub series: Option<(&'static str, String)>,
    /// What [`LoadPoint::line`] counts: `line` or `entry`.
    pub counts: &'static str,
}

impl Sweep {
    /// A sweep without points.
    pub fn new(mode: Mode) -> Self {
        Self {
            mode,
            fields: BTreeSet::new(),
            points: Vec::new(),
            defects: BTreeMap::new(),
            batch: None,
            of_requests: false,
            stage: false,
            series: None,
            counts: "line",
        }
    }

    /// The figure column of the name that tells it from others.
    pub fn series_column(&self) -> Option<&'static str> {
        self.series.as_ref().map(|(label, _)| match *label {
            "config" => "ma_config",
            _ => "sweep_name",
        })
    }

    /// The signal that its throughput is.
    pub fn rate(&self) -> &'static str {
        if self.of_requests {
            "request_throughput"
        } else {
            "inference_throughput"
        }
    }

    /// Where a point stands, for messages.
    pub fn place(&self, point: &LoadPoint) -> String {
        let place = format!("{} {}", self.counts, point.line);
        match &self.series {
            Some((_, name)) => format!("{name}, {place}"),
            None => place,
        }
    }

    /// Sorts the points by load and gathers the fields that any of them has.
    pub fn settle(&mut self) {
        self.points.sort_by(LoadPoint::order);
        self.fields.extend([Field::Load, Field::Throughput]);
        for point in &self.points {
            if point.response_throughput.is_some() {
                self.fields.insert(Field::ResponseThroughput);
            }
            self.fields
                .extend(point.times.keys().map(|p| Field::Time(*p)));
            self.fields
                .extend(point.latency.keys().map(|q| Field::Latency(*q)));
            for values in point.gpus.values() {
                self.fields.extend(values.keys().map(|f| Field::Gpu(*f)));
            }
        }
    }

    /// Whether the source has this field.
    pub fn has(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }

    /// Whether the source has this time.
    pub fn has_time(&self, part: Part) -> bool {
        self.has(Field::Time(part))
    }

    /// The latency quantiles of the source, ascending.
    pub fn quantiles(&self) -> Vec<Statistic> {
        self.fields
            .iter()
            .filter_map(|f| match f {
                Field::Latency(q) => Some(*q),
                _ => None,
            })
            .collect()
    }

    /// The quantile that stands for the tail: p95 where there is one, else the highest.
    pub fn tail(&self) -> Option<Statistic> {
        let all = self.quantiles();
        all.iter()
            .find(|q| **q == Statistic::P95)
            .or(all.last())
            .copied()
    }

    /// How this source gives the average latency of most points.
    pub fn average_from(&self) -> AverageFrom {
        if self.has_time(Part::Average) {
            AverageFrom::Column
        } else if self.has_time(Part::ClientLibrary) {
            AverageFrom::ClientLibrary
        } else if !self.has_time(Part::Queue) || !self.has_time(Part::Network) {
            AverageFrom::NotWithoutServerColumns
        } else if self.has_time(Part::CacheHit) || self.has_time(Part::CacheMiss) {
            AverageFrom::NotWithCacheColumns
        } else {
            AverageFrom::ComponentSum
        }
    }

    /// Sum of all component columns in seconds; `None` without the server's columns, or when a
    /// component of this point was not captured.
    pub fn component_sum(&self, point: &LoadPoint) -> Option<f64> {
        if !self.has_time(Part::Queue) || !self.has_time(Part::Network) {
            return None;
        }
        PARTS
            .iter()
            .filter(|d| d.summand && self.has_time(d.part))
            .map(|d| point.times.get(&d.part))
            .sum()
    }

    /// Average latency of a point in seconds, with where it came from.
    pub fn average_of(&self, point: &LoadPoint) -> Option<(f64, AverageFrom)> {
        let time = |part| point.times.get(&part).copied();
        if let Some(seconds) = time(Part::Average) {
            return Some((seconds, AverageFrom::Column));
        }
        if let Some(seconds) = time(Part::ClientLibrary) {
            return Some((seconds, AverageFrom::ClientLibrary));
        }
        (self.average_from() == AverageFrom::ComponentSum)
            .then(|| self.component_sum(point))?
            .map(|seconds| (seconds, AverageFrom::ComponentSum))
    }

    /// Average latency of a point in seconds.
    pub fn average(&self, point: &LoadPoint) -> Option<f64> {
        self.average_of(point).map(|(seconds, _)| seconds)
    }

    /// Whole compute step in seconds: the old single column, or the sum of the three parts.
    pub fn compute(&self, point: &LoadPoint) -> Option<f64> {
        if let Some(whole) = point.times.get(&Part::Compute) {
            return Some(*whole);
        }
        [Part::ComputeInput, Part::ComputeInfer, Part::ComputeOutput]
            .iter()
            .map(|part| point.times.get(part))
            .sum()
    }

    /// How far the component sum is from the stated average, as a share of the average.
    pub fn average_gap(&self, point: &LoadPoint) -> Option<f64> {
        let average = point.times.get(&Part::Average).filter(|a| **a > 0.0)?;
        Some((self.component_sum(point)? - average).abs() / average)
    }

    /// The point as the analysis takes it, with p95 as its tail. `None` without a throughput.
    pub fn analysed(&self, point: &LoadPoint) -> Option<Point> {
        self.analysed_by(point, Some(Statistic::P95))
    }

    /// The point as the analysis takes it, with this quantile as its tail.
    pub fn analysed_by(&self, point: &LoadPoint, tail: Option<Statistic>) -> Option<Point> {
        Some(Point {
            load: point.load,
            throughput: point.throughput?,
            tail: tail.and_then(|q| point.latency.get(&q).copied()),
            mean: self.average(point),
        })
    }
}
