//! The form of a change as typed, and what it is filled with at first.

use super::bundle;
use super::thresholds::{self, Row};
use crate::ladder::CaseFile;
use crate::ladder::change::{Change, Terms};
use crate::ladder::contract::{Comparator, Limit, LimitPhase};
use crate::ladder::run::RunRole;
use pel_evidence::catalogue::Role;
use serde::Deserialize;

/// What was typed, kept as typed. Threshold rows are columns of equal length.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // one field of the form each, named as on the page
pub struct Typed {
    pub version: i32,
    pub component: String,
    pub setting: String,
    pub old: String,
    pub new: String,
    pub unit: String,
    pub consequences: String,
    pub bundle: String,
    pub bundle_reason: String,
    pub expected_signal: String,
    pub direction: String,
    pub expected_by: String,
    pub risks: String,
    pub share_ceiling: String,
    pub scope: String,
    pub max_requests: String,
    pub min_minutes: String,
    pub max_minutes: String,
    pub min_samples: String,
    pub concurrent_baseline: Option<String>,
    pub no_baseline_reason: String,
    pub watcher: String,
    pub start_from: String,
    pub start_to: String,
    pub plan_class: Vec<String>,
    pub regions: String,
    pub margin: String,
    pub plan_limit: Vec<String>,
    pub interval_minutes: String,
    pub headroom: String,
    pub spare: String,
    pub warm_up_minutes: String,
    pub kind: String,
    pub template: String,
    pub t_on: Vec<String>,
    pub t_value: Vec<String>,
    pub t_unit: Vec<String>,
    pub t_window: Vec<String>,
    pub t_samples: Vec<String>,
    pub t_consecutive: Vec<String>,
    pub action: String,
    pub procedure: String,
    pub rollback_minutes: String,
    pub no_warm_reason: String,
    pub touches_start_up: Option<String>,
}

/// A number as people type it, without zeros at its end.
pub fn plain(value: f64) -> String {
    let text = format!("{value:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Seconds as the minutes a field shows.
pub fn minutes(seconds: Option<u32>) -> String {
    seconds.map_or_else(String::new, |s| plain(f64::from(s) / 60.0))
}

fn number(n: Option<u64>) -> String {
    n.map_or_else(String::new, |n| n.to_string())
}

impl Typed {
    /// A revision as the form shows it.
    pub fn of(change: &Change, terms: &Terms) -> Self {
        let p = &terms.plan;
        let mut typed = Self {
            version: change.version,
            component: terms.knob.component.clone(),
            setting: terms.knob.setting.clone(),
            old: terms.knob.old.clone(),
            new: terms.knob.new.clone(),
            unit: terms.knob.unit.clone(),
            consequences: terms.consequences.join("\n"),
            bundle: bundle::lines(terms),
            bundle_reason: terms
                .bundle
                .as_ref()
                .map_or_else(String::new, |b| b.reason.clone()),
            expected_signal: terms.expectation.signal.clone(),
            direction: terms.expectation.direction.clone(),
            expected_by: terms.expectation.by.clone(),
            risks: terms.risks.clone(),
            share_ceiling: p
                .share_ceiling
                .map_or_else(String::new, |s| plain(s * 100.0)),
            scope: p.scope.clone(),
            max_requests: number(p.max_requests),
            min_minutes: minutes(p.min_seconds),
            max_minutes: minutes(p.max_seconds),
            min_samples: number(p.min_samples),
            concurrent_baseline: p.concurrent_baseline.then(|| "yes".to_owned()),
            no_baseline_reason: p.no_baseline_reason.clone(),
            action: terms.action.clone(),
            procedure: terms.procedure.clone(),
            rollback_minutes: minutes(terms.rollback_seconds),
            no_warm_reason: terms.no_warm_reason.clone(),
            touches_start_up: terms.touches_start_up.then(|| "yes".to_owned()),
            ..Self::default()
        };
        typed.fill_plan(terms);
        for (i, t) in terms.thresholds.iter().enumerate() {
            let factor = t.unit().to_base(1.0, &t.typed_unit).unwrap_or(1.0);
            typed.push(Row {
                on: format!("k:{i}"),
                value: t.value.map_or_else(String::new, |v| plain(v / factor)),
                unit: t.typed_unit.clone(),
                window: minutes(t.window_seconds),
                samples: number(t.min_samples),
                consecutive: t.consecutive.to_string(),
            });
        }
        typed
    }

    /// A new change: what the case knows already is filled in.
    pub fn fresh(case: &CaseFile) -> Self {
        let contract = case.contract.as_ref().map(|v| &v.terms);
        let mut typed = Self {
            component: case.service.1.clone(),
            direction: "lower".to_owned(),
            expected_signal: case.symptom.signal.clone().unwrap_or_default(),
            share_ceiling: "5".to_owned(),
            concurrent_baseline: Some("yes".to_owned()),
            margin: "10".to_owned(),
            interval_minutes: minutes(contract.map(|t| t.window_seconds)),
            min_samples: contract.map_or_else(String::new, |t| t.min_samples.to_string()),
            ..Self::default()
        };
        for limit in contract.map_or_else(Vec::new, |t| first_limits(&t.limits)) {
            let window = contract.map(|t| t.window_seconds);
            let samples = contract.map_or(0, |t| t.min_samples);
            let factor = limit.unit().to_base(1.0, &limit.typed_unit);
            typed.push(Row {
                on: format!("l:{}", limit.id),
                value: plain(limit.value / factor.unwrap_or(1.0)),
                unit: match factor {
                    Some(_) => limit.typed_unit.clone(),
                    None => limit.unit().spellings()[0].0.to_owned(),
                },
                window: minutes(window),
                samples: samples.max(limit.statistic.least_samples()).to_string(),
                consecutive: "1".to_owned(),
            });
        }
        typed
    }

    fn push(&mut self, row: Row) {
        self.t_on.push(row.on);
        self.t_value.push(row.value);
        self.t_unit.push(row.unit);
        self.t_window.push(row.window);
        self.t_samples.push(row.samples);
        self.t_consecutive.push(row.consecutive);
    }

    /// The threshold rows as typed; rows without a limit are empty and left out.
    pub fn rows(&self) -> Vec<Row> {
        let at = |column: &[String], i: usize| column.get(i).cloned().unwrap_or_default();
        (0..self.t_on.len().min(thresholds::MOST))
            .map(|i| Row {
                on: at(&self.t_on, i),
                value: at(&self.t_value, i),
                unit: at(&self.t_unit, i),
                window: at(&self.t_window, i),
                samples: at(&self.t_samples, i),
                consecutive: at(&self.t_consecutive, i),
            })
            .filter(|r| !r.on.is_empty())
            .collect()
    }

    /// Settings of the baseline's environment that may be turned, with their value there.
    pub fn settings(case: &CaseFile) -> Vec<(String, String)> {
        let Some(run) = case
            .runs
            .iter()
            .rev()
            .find(|r| r.stated.role == RunRole::Baseline)
        else {
            return Vec::new();
        };
        crate::ladder::environment::of_run(case, run)
            .environment
            .facts
            .iter()
            .filter_map(|(k, v)| Some((k.strip_prefix("setting.")?.to_owned(), v.clone())))
            .collect()
    }

    /// Fills the old value from the baseline's environment when it was left open.
    pub fn fill_old(&mut self, case: &CaseFile) {
        if self.old.trim().is_empty()
            && let Some((_, value)) = Self::settings(case).into_iter().find(|(name, _)| {
                let key = |s: &str| crate::ladder::gate::setting_key(s);
                crate::ladder::environment::same_key(&key(name), &key(&self.setting))
            })
        {
            self.old = value;
        }
    }
}

/// The first latency limit and the first on acceptance or errors: a way back needs one of each.
fn first_limits(limits: &[Limit]) -> Vec<&Limit> {
    let first = |roles: &[Role]| {
        limits
            .iter()
            .find(|l| l.phase == LimitPhase::Warm && l.role().is_some_and(|r| roles.contains(&r)))
    };
    [
        first(&[Role::Latency]),
        first(&[Role::Acceptance]).or_else(|| first(&[Role::Errors])),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The side of a comparator that triggers.
pub fn triggers(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::AtMost => ">",
        Comparator::AtLeast => "<",
    }
}
