//! The average latency of a load point: read where the file has it, rebuilt from its parts
//! where that is sound, absent elsewhere.

use super::{
    analysis::Point,
    columns::{PARTS, Part},
    rows::{LoadPoint, Sweep},
};
use crate::Statistic;

/// Where an average latency came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AverageFrom {
    /// The verbose column.
    Column,
    /// The sum of all component columns: equal but for truncation, a few microseconds.
    ComponentSum,
    /// Nowhere: cache hits and misses are averaged over different counts, so that the sum of the
    /// components says nothing.
    NotWithCacheColumns,
    /// Nowhere: without the server's columns there are not all components.
    NotWithoutServerColumns,
}

impl Sweep {
    /// How this file gives the average latency.
    pub fn average_from(&self) -> AverageFrom {
        let has = |part| self.header.has_time(part);
        if has(Part::Average) {
            AverageFrom::Column
        } else if !has(Part::Queue) || !has(Part::Network) {
            AverageFrom::NotWithoutServerColumns
        } else if has(Part::CacheHit) || has(Part::CacheMiss) {
            AverageFrom::NotWithCacheColumns
        } else {
            AverageFrom::ComponentSum
        }
    }

    /// Sum of all component columns in seconds; `None` without the server's columns, or when a
    /// component of this point was not captured.
    pub fn component_sum(&self, point: &LoadPoint) -> Option<f64> {
        if !self.header.has_time(Part::Queue) {
            return None;
        }
        PARTS
            .iter()
            .filter(|d| d.summand && self.header.has_time(d.part))
            .map(|d| point.times.get(&d.part))
            .sum()
    }

    /// Average latency of a point in seconds.
    pub fn average(&self, point: &LoadPoint) -> Option<f64> {
        match self.average_from() {
            AverageFrom::Column => point.times.get(&Part::Average).copied(),
            AverageFrom::ComponentSum => self.component_sum(point),
            AverageFrom::NotWithCacheColumns | AverageFrom::NotWithoutServerColumns => None,
        }
    }

    /// Whole compute step in seconds: the old single column, or the sum of the three parts.
    pub fn compute(&self, point: &LoadPoint) -> Option<f64> {
        if self.header.has_time(Part::Compute) {
            return point.times.get(&Part::Compute).copied();
        }
        [Part::ComputeInput, Part::ComputeInfer, Part::ComputeOutput]
            .iter()
            .map(|part| point.times.get(part))
            .sum()
    }

    /// How far the component sum is from the verbose average, as a share of the average.
    pub fn average_gap(&self, point: &LoadPoint) -> Option<f64> {
        let average = point.times.get(&Part::Average).filter(|a| **a > 0.0)?;
        Some((self.component_sum(point)? - average).abs() / average)
    }

    /// The point as the analysis takes it, with p95 as its tail. `None` without a throughput.
    pub fn analysed(&self, point: &LoadPoint) -> Option<Point> {
        Some(Point {
            load: point.load,
            throughput: point.throughput?,
            tail: point.latency.get(&Statistic::P95).copied(),
            mean: self.average(point),
        })
    }
}
