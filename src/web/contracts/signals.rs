//! The catalogue as forms offer it: signals by stage, statistics, units.

use crate::{i18n::Lang, web::say};
use pel_evidence::{Statistic, Unit, catalogue};

/// One stage of the catalogue with its signals.
pub struct Stage {
    /// `1 Request trace`.
    pub name: String,
    /// Name and label of each signal.
    pub signals: Vec<(&'static str, String)>,
}

/// Signals that pass `keep`, by stage; stages without one are left out.
pub fn by_stage(lang: Lang, keep: impl Fn(&catalogue::SignalDef) -> bool) -> Vec<Stage> {
    pel_evidence::Stage::ALL
        .into_iter()
        .map(|stage| Stage {
            name: stage_name(lang, stage),
            signals: catalogue::ALL
                .iter()
                .filter(|d| d.stage == stage && keep(d))
                .map(|d| (d.name, say::signal_name(lang, d.name)))
                .collect(),
        })
        .filter(|s| !s.signals.is_empty())
        .collect()
}

/// `4 Scheduler and cache`.
pub fn stage_name(lang: Lang, stage: pel_evidence::Stage) -> String {
    let word = crate::i18n::text(lang, &say::key("stage", stage.id()), &[]);
    format!("{} {word}", stage.number())
}

/// Statistics that forms offer: id and word.
pub fn statistics(lang: Lang) -> Vec<(String, String)> {
    [
        Statistic::P50,
        Statistic::P90,
        Statistic::P95,
        Statistic::P99,
        Statistic::Quantile(999),
        Statistic::Mean,
        Statistic::Max,
        Statistic::Min,
        Statistic::Ratio,
        Statistic::Rate,
        Statistic::Total,
        Statistic::Count,
        Statistic::Last,
    ]
    .into_iter()
    .map(|s| (s.to_string(), say::statistic(lang, s)))
    .collect()
}

/// Every spelling of every unit, for suggestions.
pub fn units() -> Vec<&'static str> {
    Unit::ALL
        .into_iter()
        .flat_map(|u| u.spellings().iter().map(|(s, _)| *s))
        .collect()
}
