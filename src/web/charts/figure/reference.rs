//! What a contract says of a signal, so that a chart of that signal can show it.

use crate::{
    ladder::{CaseFile, contract::LimitPhase, run::Run},
    web::{Page, case::stages::limit_words, format, say},
};
use pel_evidence::{Column, Statistic, catalogue};

/// A value that the contract names for a signal.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    signal: String,
    statistic: Statistic,
    /// In the base unit of the signal.
    pub value: f64,
    /// What the line says: `p99 ≤ 800 ms`, `declared p95, most`.
    pub words: String,
    /// Whether it is a limit, or a range of the declared load.
    pub limit: bool,
}

impl Reference {
    /// Whether the values of a column are of its signal and statistic. Single observations bear
    /// every quantile and the mean.
    pub fn is_of(&self, column: &Column) -> bool {
        column.shows.as_ref().is_some_and(|shown| {
            let fits = match shown.statistic {
                Some(statistic) => statistic == self.statistic,
                None => self.statistic == Statistic::Mean || self.statistic.quantile().is_some(),
            };
            fits && shown.signal == self.signal
        })
    }
}

/// The limits and the declared load that the pinned contract has for what `run` served.
pub fn references(page: &Page, case: &CaseFile, run: &Run) -> Vec<Reference> {
    let Some(version) = &case.contract else {
        return Vec::new();
    };
    let class = run.stated.class.as_ref();
    let cold = run.stated.phase == crate::ladder::run::Phase::Cold;
    let limits = version.terms.limits.iter().filter(|l| {
        (l.phase == LimitPhase::Cold) == cold && (l.class.is_none() || l.class.as_ref() == class)
    });
    let mut found: Vec<Reference> = limits
        .map(|l| Reference {
            signal: l.signal.clone(),
            statistic: l.statistic,
            value: l.value,
            words: format!(
                "{} {}",
                say::statistic(page.lang, l.statistic),
                limit_words(page, l)
            ),
            limit: true,
        })
        .collect();
    let load = &version.terms.load;
    for (signal, statistic, range) in [
        ("prompt_length", Statistic::Mean, load.prompt_tokens_mean),
        ("prompt_length", Statistic::P95, load.prompt_tokens_p95),
        ("output_length", Statistic::Mean, load.output_tokens_mean),
        ("output_length", Statistic::P95, load.output_tokens_p95),
        ("running_requests", Statistic::Mean, load.concurrency),
    ] {
        let Some((least, most)) = range else { continue };
        let unit = catalogue::find(signal).map_or(pel_evidence::Unit::Count, |d| d.unit);
        let said = |value: f64, key: &str| Reference {
            signal: signal.to_owned(),
            statistic,
            value,
            words: page.t2(
                key,
                "statistic",
                say::statistic(page.lang, statistic),
                "value",
                format::value(page.lang, value, unit),
            ),
            limit: false,
        };
        found.push(said(least, "chart-declared-least"));
        found.push(said(most, "chart-declared-most"));
    }
    found.dedup();
    found
}
