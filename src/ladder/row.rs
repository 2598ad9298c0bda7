//! One row of a comparison: a limit, what both sides measured, and what the candidate does to it.

use super::contract::Comparator;
use super::measure::{self, Judgement, Verdict};
use super::weigh::Weighed;
use super::{Arg, Sentence, Statistic, Unit};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What one run says about a limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The run.
    pub run_id: Uuid,
    /// Its label, `R-7`.
    pub run: String,
    /// Value and verdict.
    pub judged: Judgement,
}

/// One side of a row.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Side {
    /// Every run that serves the limit.
    pub runs: Vec<Measurement>,
    /// Worst value for the limit, base unit.
    pub value: Option<f64>,
    /// Observations behind that value.
    pub samples: Option<u64>,
    /// Verdict of the worst run; `None` when no run serves the limit.
    pub verdict: Option<Verdict>,
}

impl Side {
    /// The run whose value stands for the side: the worst for the limit. `None` when no run has a
    /// value.
    pub fn worst(&self, comparator: Comparator) -> Option<&Measurement> {
        let value = |m: &Measurement| m.judged.value.as_ref().map(|v| v.value);
        self.runs
            .iter()
            .filter_map(|m| Some((value(m)?, m)))
            .max_by(|(x, _), (y, _)| match comparator {
                Comparator::AtMost => x.total_cmp(y),
                Comparator::AtLeast => y.total_cmp(x),
            })
            .map(|(_, m)| m)
    }

    /// Number of its runs with a value.
    pub fn measured(&self) -> usize {
        self.values().count()
    }

    /// Least and greatest value over its runs, base unit; `None` = fewer than two have one.
    pub fn spread(&self) -> Option<(f64, f64)> {
        if self.measured() < 2 {
            return None;
        }
        let least = self.values().fold(f64::INFINITY, f64::min);
        let most = self.values().fold(f64::NEG_INFINITY, f64::max);
        Some((least, most))
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        self.runs
            .iter()
            .filter_map(|m| m.judged.value.as_ref().map(|v| v.value))
    }
}

/// One limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Limit id in the contract.
    pub limit_id: String,
    /// Signal.
    pub signal: String,
    /// Statistic.
    pub statistic: Statistic,
    /// Task class; `None` = all together.
    pub class: Option<String>,
    /// Concurrency band; `None` = every one.
    pub band: Option<String>,
    /// Side on which the limit holds.
    pub comparator: Comparator,
    /// Value of the limit, base unit.
    pub limit: f64,
    /// Base unit.
    pub unit: Unit,
    /// The service as it stands.
    pub baseline: Side,
    /// The service with the change.
    pub candidate: Side,
    /// Candidate less baseline, base unit.
    pub difference_abs: Option<f64>,
    /// The same as a share of the baseline.
    pub difference_rel: Option<f64>,
    /// Whether the candidate is better for the service; `None` when equal, unknown or neither.
    pub better: Option<bool>,
    /// Least and greatest value over repeated candidate runs; `None` = one run only. The
    /// baseline's is [`Side::spread`]; sealed records keep this one.
    pub spread: Option<(f64, f64)>,
    /// What the candidate does to the limit.
    pub verdict: Verdict,
    /// Why it breaks though the limit itself may be kept: worse than the baseline.
    #[serde(default)]
    pub why: Option<Sentence>,
    /// Intervals, tests, and the change against what is tolerated.
    #[serde(default)]
    pub weighed: Weighed,
}

impl Row {
    /// Who vouches for the values of the row that no parser read.
    pub fn vouched(&self) -> Vec<Sentence> {
        self.baseline
            .runs
            .iter()
            .chain(&self.candidate.runs)
            .filter_map(|m| {
                let value = m.judged.value.as_ref()?;
                let vouched = value.attested.as_ref()?;
                Some(vouched.said(&self.signal, self.statistic, &m.run, &value.evidence))
            })
            .collect()
    }

    /// The row in words: what the candidate measured beside the limit.
    pub fn said(&self) -> Sentence {
        if let Some(why) = &self.why {
            return why.clone();
        }
        let value = self.candidate.value.map_or_else(
            || Arg::Key("gate-not-measured".to_owned()),
            |v| Arg::Value(v, self.unit),
        );
        Sentence::new(&format!(
            "compare-row-{}",
            self.verdict.id().replace('_', "-")
        ))
        .with("signal", Arg::Signal(self.signal.clone()))
        .with("statistic", Arg::Statistic(self.statistic))
        .text("sign", self.comparator.sign())
        .with("limit", Arg::Value(self.limit, self.unit))
        .with("class", measure::class_arg(self.class.as_deref()))
        .with("band", measure::band_arg(self.band.as_deref()))
        .with("value", value)
    }
}
