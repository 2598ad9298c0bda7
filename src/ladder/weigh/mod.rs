//! Weighing two sides beyond a point: intervals, tests and tolerated change.
//!
//! What is expensive (resampling a million requests) is calculated once per [`Asked`] and kept as
//! a [`Calculated`] under the digest of its inputs; judging only looks it up. A result that is not
//! there yet says "being calculated", never "holds".

mod bounds;
mod calculate;
mod curve;
mod fit;
mod rows;
mod sweep;
mod twins;

pub use calculate::calculate;
pub use curve::Curve;
pub(super) use fit::{Alike, asked_of_work};
pub use fit::{broken_split, not_alike};
pub use sweep::{Alone, Curve as SweepCurve, Swept, alone, sweeps};
pub use twins::{Twin, twins};

pub(super) use rows::{Weighing, settle};

use super::{Sentence, Statistic, digest};
use serde::{Deserialize, Serialize};

/// Whether a sentence says that a calculation is under way.
pub fn is_pending(sentence: &Sentence) -> bool {
    ["compare-being-calculated", "compare-mix-being-calculated"].contains(&sentence.key.as_str())
}

/// Version of the calculation: another one calculates anew.
const VERSION: u32 = 1;
/// Confidence of bounds and intervals goes with the level of the tests.
pub(super) fn confidence(alpha: f64) -> f64 {
    1.0 - alpha
}

/// What has to be calculated from stored observations. Equal inputs have equal digests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Signal.
    pub signal: String,
    /// Statistic of it.
    pub statistic: Statistic,
    /// `values` or `histogram`, the same on both sides.
    pub form: String,
    /// Digests of the baseline's distributions, in order of their runs; empty = there is none.
    pub baseline: Vec<String>,
    /// Digests of the candidate's.
    pub candidate: Vec<String>,
    /// Level of tests and intervals.
    pub alpha: f64,
    /// Replicates of a bootstrap.
    pub replicates: usize,
}

impl Asked {
    /// Digest of everything the result depends on.
    pub fn basis(&self) -> String {
        digest(&(VERSION, self))
    }

    /// The seed of its random draws: the head of the basis, so that anybody draws the same.
    pub fn seed(&self) -> u64 {
        u64::from_str_radix(&self.basis()[..16], 16).unwrap_or(VERSION.into())
    }
}

/// How an interval came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Resampled one by one.
    Bootstrap,
    /// Resampled by windows of time or order.
    BlockBootstrap,
    /// Order statistics of both sides: too few observations to resample a tail.
    OrderStatistics,
    /// Edges of the buckets in which the ranks lie.
    HistogramBounds,
    /// Newcombe's interval of two shares.
    Newcombe,
    /// Exact rank test on single starts.
    ExactRanks,
    /// A number a tool printed: no interval.
    #[default]
    ToolValue,
}

impl Method {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Bootstrap => "bootstrap",
            Self::BlockBootstrap => "block_bootstrap",
            Self::OrderStatistics => "order_statistics",
            Self::HistogramBounds => "histogram_bounds",
            Self::Newcombe => "newcombe",
            Self::ExactRanks => "exact_ranks",
            Self::ToolValue => "tool_value",
        }
    }
}

/// A point with the ends of its interval, base unit; an end that does not exist is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Interval {
    /// The point.
    pub point: Option<f64>,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// A shift of the middle, for showing beside what is judged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Middle {
    /// Hodges-Lehmann shift, candidate against baseline; `None` from buckets.
    pub shift: Option<Interval>,
    /// Two-sided chance of the rank test.
    pub p: f64,
    /// Cliff's δ: above 0 the candidate's values are greater.
    pub delta: f64,
}

/// The result of one calculation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calculated {
    /// Digest of what was asked.
    pub basis: String,
    /// Observations: baseline, candidate.
    pub n: [u64; 2],
    /// The statistic of each baseline run, with its confidence bounds.
    pub baseline: Vec<Interval>,
    /// The same for each candidate run.
    pub candidate: Vec<Interval>,
    /// Candidate less baseline; `None` = one side has nothing to compare.
    pub change: Option<Interval>,
    /// How that interval came about.
    pub method: Method,
    /// Two-sided chance of the change; `None` = no test fits.
    pub p: Option<f64>,
    /// Seed of the random draws.
    pub seed: u64,
    /// Replicates drawn.
    pub replicates: usize,
    /// Windows resampled, candidate and baseline together; `None` = none were.
    pub windows: Option<usize>,
    /// The middle, whatever statistic is judged.
    pub middle: Option<Middle>,
    /// Distance between the quartiles: baseline, candidate.
    pub spread: [Option<f64>; 2],
    /// Whether both sides hold the very same observations.
    pub identical: bool,
}

/// What the change comes to against what is tolerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The whole interval is on the good side of no change.
    Better,
    /// The whole interval is below the tolerated change.
    NotWorse,
    /// Worse, and less than is tolerated.
    InsideTolerance,
    /// Worse by at least what is tolerated.
    Worse,
    /// The interval cannot decide.
    CannotTell,
    /// There is no interval.
    #[default]
    NotCompared,
}

impl Outcome {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::NotWorse => "not_worse",
            Self::InsideTolerance => "inside_tolerance",
            Self::Worse => "worse",
            Self::CannotTell => "cannot_tell",
            Self::NotCompared => "not_compared",
        }
    }
}

/// Everything a row says beyond its points.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Weighed {
    /// Observations behind both sides: baseline, candidate; `None` = unknown.
    pub n: [Option<u64>; 2],
    /// Confidence bounds of the candidate's worst run; `None` = no interval.
    pub candidate: Option<Interval>,
    /// Candidate less baseline.
    pub change: Option<Interval>,
    /// How it came about.
    pub method: Method,
    /// Two-sided chance of the change.
    pub p: Option<f64>,
    /// The same, corrected for all the limits compared (Holm).
    pub p_adjusted: Option<f64>,
    /// Seed, when numbers were drawn.
    pub seed: Option<u64>,
    /// Replicates drawn.
    pub replicates: Option<usize>,
    /// Windows resampled.
    pub windows: Option<usize>,
    /// Change that is tolerated in the bad direction, base unit.
    pub tolerated: Option<f64>,
    /// What the change comes to.
    pub outcome: Outcome,
    /// The middle and how far it moved.
    pub middle: Option<Middle>,
    /// Distance between the quartiles: baseline, candidate.
    pub spread: [Option<f64>; 2],
    /// What a reader should know: the spread changed, say.
    pub remarks: Vec<Sentence>,
    /// Basis of the calculation, once asked for; `None` = nothing had to be calculated.
    pub basis: Option<String>,
}
