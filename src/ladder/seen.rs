//! What an approver saw: the numbers and verdicts an approval was given on.
//!
//! When its ground moved and no verdict moved with it, the approver is shown both and confirms in
//! one act. Until then the approval does not count, and a verdict that moved makes it void.

use super::case::CaseFile;
use super::change::Change;
use super::condition::Condition;
use super::conditions;
use super::gate::comparison_runs;
use super::run::Phase;
use super::{Statistic, Unit, compare};
use serde::{Deserialize, Serialize};

/// One limit as it was compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeenRow {
    /// Limit id in the contract.
    pub limit_id: String,
    /// Phase compared.
    pub phase: Phase,
    /// Signal.
    pub signal: String,
    /// Statistic.
    pub statistic: Statistic,
    /// Task class; `None` = all together.
    pub class: Option<String>,
    /// Concurrency band; `None` = every one.
    pub band: Option<String>,
    /// Base unit of the values.
    pub unit: Unit,
    /// Worst baseline value.
    pub baseline: Option<f64>,
    /// Worst candidate value.
    pub candidate: Option<f64>,
    /// `holds`, `breaks` or `cannot_tell`.
    pub verdict: String,
}

/// Everything that was judged before a canary, in short.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Seen {
    /// Rows of the warm and the cold comparison.
    pub rows: Vec<SeenRow>,
    /// Each condition with its status.
    pub conditions: Vec<(Condition, String)>,
}

/// A limit then and now; either may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// As the approver saw it.
    pub then: Option<SeenRow>,
    /// As it is.
    pub now: Option<SeenRow>,
}

impl Seen {
    /// What there is to see now.
    pub fn of(case: &CaseFile, change: &Change) -> Self {
        let rows = [Phase::Warm, Phase::Cold].into_iter().flat_map(|phase| {
            let (a, b) = comparison_runs(case, change, phase);
            let compared = compare::compare(case, &a, &b, phase);
            compared.rows.into_iter().map(move |r| SeenRow {
                verdict: r.verdict.id().to_owned(),
                limit_id: r.limit_id,
                phase,
                signal: r.signal,
                statistic: r.statistic,
                class: r.class,
                band: r.band,
                unit: r.unit,
                baseline: r.baseline.value,
                candidate: r.candidate.value,
            })
        });
        let mut rows: Vec<SeenRow> = rows.collect();
        rows.sort_by(|a, b| a.place().cmp(&b.place()));
        let conditions = Condition::ALL.iter().map(|c| {
            let judged = conditions::status(case, *c, &case.policy);
            (*c, judged.status.id().to_owned())
        });
        Self {
            rows,
            conditions: conditions.collect(),
        }
    }

    /// Whether every verdict is the same, whatever the numbers are.
    pub fn same_verdicts(&self, now: &Self) -> bool {
        let verdicts = |seen: &Self| -> Vec<_> {
            let of = |r: &SeenRow| (r.place_owned(), r.verdict.clone());
            seen.rows.iter().map(of).collect()
        };
        self.conditions == now.conditions && verdicts(self) == verdicts(now)
    }

    /// Every limit of either, then beside now.
    pub fn beside(&self, now: &Self) -> Vec<Moved> {
        let find = |rows: &[SeenRow], row: &SeenRow| {
            rows.iter().find(|r| r.place() == row.place()).cloned()
        };
        let mut all: Vec<Moved> = now
            .rows
            .iter()
            .map(|r| Moved {
                then: find(&self.rows, r),
                now: Some(r.clone()),
            })
            .collect();
        let gone = self.rows.iter().filter(|r| find(&now.rows, r).is_none());
        all.extend(gone.map(|r| Moved {
            then: Some(r.clone()),
            now: None,
        }));
        all
    }
}

impl SeenRow {
    fn place(&self) -> (&'static str, &str, Option<&str>, Option<&str>) {
        (
            self.phase.id(),
            &self.limit_id,
            self.class.as_deref(),
            self.band.as_deref(),
        )
    }

    fn place_owned(&self) -> (Phase, String, Option<String>, Option<String>) {
        (
            self.phase,
            self.limit_id.clone(),
            self.class.clone(),
            self.band.clone(),
        )
    }
}
