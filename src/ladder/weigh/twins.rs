//! A profiled run beside an unprofiled one of the same work: what the profiler costs.

use super::super::measure;
use super::super::run::Run;
use super::super::view::{RunView, View};
use pel_evidence::{Statistic, Unit};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One limit's signal in both runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Twin {
    /// Label of the profiled run.
    pub profiled: String,
    /// Label of the unprofiled one.
    pub unprofiled: String,
    /// Signal.
    pub signal: String,
    /// Its statistic.
    pub statistic: Statistic,
    /// Base unit.
    pub unit: Unit,
    /// Value with the profiler.
    pub with: f64,
    /// Value without.
    pub without: f64,
    /// What the profiler adds, as a share; `None` when the value without is 0.
    pub overhead: Option<f64>,
}

/// The overheads over the runs of a comparison and their profiled twins: runs of the same role,
/// phase, class, band, contract and environment in which a profiler was attached.
pub fn twins(view: &View<'_>, baseline: &[Uuid], candidate: &[Uuid]) -> Vec<Twin> {
    let Some(terms) = view.terms() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let runs = baseline.iter().chain(candidate);
    let plain = runs.filter_map(|id| view.run(*id)).filter(|r| !r.profiled);
    for run in plain {
        for twin in view.runs().filter(|t| t.profiled && same(t.run, run.run)) {
            for limit in &terms.limits {
                let value = |r: &RunView<'_>| match measure::within(view, r.run, limit) {
                    measure::Measured::Value(v) => Some(v.value),
                    _ => None,
                };
                let Some((with, without)) = value(twin).zip(value(run)) else {
                    continue;
                };
                found.push(Twin {
                    profiled: twin.run.label(),
                    unprofiled: run.run.label(),
                    signal: limit.signal.clone(),
                    statistic: limit.statistic,
                    unit: limit.unit(),
                    with,
                    without,
                    overhead: (without != 0.0).then(|| (with - without) / without.abs()),
                });
            }
        }
    }
    found.dedup();
    found
}

fn same(a: &Run, b: &Run) -> bool {
    let (a, b) = (&a.stated, &b.stated);
    a.role == b.role
        && a.phase == b.phase
        && a.class == b.class
        && a.band == b.band
        && a.contract_version_id == b.contract_version_id
        && a.environment == b.environment
}
