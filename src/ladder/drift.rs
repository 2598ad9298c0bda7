//! Drift: the load of a run compared with the load its contract was declared for. A run outside
//! may be viewed and feeds no gate until a version of the contract covers it.

use super::contract::{DeclaredLoad, Terms};
use super::evidence::Evidence;
use super::run::{Phase, RunRole};
use super::view::{RunView, View};
use super::{Arg, Sentence};
use pel_evidence::{Bound, Signal, Statistic, Unit};

/// A declared range with the measured signal that is compared with it.
type Range = (&'static str, Statistic, Option<(f64, f64)>);

/// The declared ranges. Arrivals are compared as such where requests were logged one by one. From
/// what finished only the upper end can tell: under overload fewer requests finish than arrive.
fn ranges(load: &DeclaredLoad) -> [Range; 7] {
    [
        ("prompt_length", Statistic::Mean, load.prompt_tokens_mean),
        ("prompt_length", Statistic::P95, load.prompt_tokens_p95),
        ("output_length", Statistic::Mean, load.output_tokens_mean),
        ("output_length", Statistic::P95, load.output_tokens_p95),
        ("running_requests", Statistic::Mean, load.concurrency),
        ("arrival_rate", Statistic::Rate, load.arrival_per_second),
        (
            "request_throughput",
            Statistic::Rate,
            load.arrival_per_second.map(|(_, most)| (0.0, most)),
        ),
    ]
}

/// Whether a value is outside. One that is known to be a lower bound can only be too much.
fn is_outside(signal: &Signal, (least, most): (f64, f64)) -> bool {
    signal.value > most || (signal.value < least && signal.bound != Bound::AtLeast)
}

/// What puts a run's load outside the one the contract was declared for, with both numbers.
pub(super) fn off_contract(run: &RunView<'_>, terms: &Terms) -> Vec<Sentence> {
    let mut found = Vec::new();
    for (name, statistic, range) in ranges(&terms.load) {
        let Some((least, most)) = range else { continue };
        let outside = run
            .values(name, statistic)
            .find(|(_, s)| is_outside(s, (least, most)));
        if let Some((item, s)) = outside {
            found.push(
                Sentence::new("gate-off-contract")
                    .text("run", run.run.label())
                    .text("evidence", item.label())
                    .with("signal", Arg::Signal(name.to_owned()))
                    .with("statistic", Arg::Statistic(statistic))
                    .with("value", Arg::Value(s.value, s.unit))
                    .with("least", Arg::Value(least, s.unit))
                    .with("most", Arg::Value(most, s.unit)),
            );
        }
    }
    found.extend(off_mix(run, &terms.load));
    found
}

/// The items that show the shares of the task classes: pairs of class and signal.
fn shares(item: &Evidence) -> impl Iterator<Item = (&str, &Signal)> {
    item.signals().iter().filter_map(|s| {
        let is_share = s.name == "class_share" && s.labels.len() == 1 && s.value.is_finite();
        let class = s.labels.get("class").filter(|_| is_share)?;
        Some((class.as_str(), s))
    })
}

/// Classes whose share in a run is outside the declared one. A declared class that does not occur
/// in an item that tells classes apart has the share 0 there. A run of one class has no mix.
fn off_mix(run: &RunView<'_>, load: &DeclaredLoad) -> Vec<Sentence> {
    let mut found = Vec::new();
    if run.run.stated.class.is_some() {
        return found;
    }
    for (class, (least, most)) in &load.mix {
        let value = run.usable.iter().find_map(|item| {
            shares(item).next()?;
            let share = shares(item).find(|(c, _)| c == class);
            let share = share.map_or(0.0, |(_, s)| s.value);
            (share < *least || share > *most).then_some((item, share))
        });
        if let Some((item, share)) = value {
            found.push(
                Sentence::new("gate-off-contract-mix")
                    .text("run", run.run.label())
                    .text("evidence", item.label())
                    .text("class", class)
                    .with("value", Arg::Value(share, Unit::Ratio))
                    .with("least", Arg::Value(*least, Unit::Ratio))
                    .with("most", Arg::Value(*most, Unit::Ratio)),
            );
        }
    }
    found
}

/// The newest baseline run under the contract whose evidence shows the load, if that load is
/// outside: its label with what is outside. A later run that shows nothing of the load ends no
/// drift.
pub fn newest(view: &View<'_>) -> Vec<(String, Sentence)> {
    let Some(terms) = view.terms() else {
        return Vec::new();
    };
    let run = [Phase::Warm, Phase::Cold]
        .into_iter()
        .flat_map(|phase| view.runs_for(RunRole::Baseline, phase))
        .filter(|r| shows_load(r, terms))
        .max_by_key(|r| r.began());
    let Some(run) = run else {
        return Vec::new();
    };
    let label = run.run.label();
    off_contract(run, terms)
        .into_iter()
        .map(|s| (label.clone(), s))
        .collect()
}

fn shows_load(run: &RunView<'_>, terms: &Terms) -> bool {
    let shows_mix = || run.usable.iter().any(|item| shares(item).next().is_some());
    (!terms.load.mix.is_empty() && shows_mix())
        || ranges(&terms.load)
            .into_iter()
            .any(|(name, statistic, range)| {
                range.is_some() && run.values(name, statistic).next().is_some()
            })
}
