//! Drift: the load of a run compared with the load its contract was declared for. A run outside
//! may be viewed and feeds no gate until a version of the contract covers it.

use super::contract::{DeclaredLoad, Terms};
use super::run::{Phase, RunRole};
use super::view::{RunView, View};
use super::{Arg, Sentence};
use pel_evidence::Statistic;

/// A declared range with the measured signal that is compared with it.
type Range = (&'static str, Statistic, Option<(f64, f64)>);

/// The declared ranges. Under overload fewer requests finish than arrive, and more wait than run,
/// so of the arrival rate only the upper end can tell.
fn ranges(load: &DeclaredLoad) -> [Range; 6] {
    [
        ("prompt_length", Statistic::Mean, load.prompt_tokens_mean),
        ("prompt_length", Statistic::P95, load.prompt_tokens_p95),
        ("output_length", Statistic::Mean, load.output_tokens_mean),
        ("output_length", Statistic::P95, load.output_tokens_p95),
        ("running_requests", Statistic::Mean, load.concurrency),
        (
            "request_throughput",
            Statistic::Rate,
            load.arrival_per_second.map(|(_, most)| (0.0, most)),
        ),
    ]
}

/// What puts a run's load outside the one the contract was declared for, with both numbers.
pub(super) fn off_contract(run: &RunView<'_>, terms: &Terms) -> Vec<Sentence> {
    let mut found = Vec::new();
    for (name, statistic, range) in ranges(&terms.load) {
        let Some((least, most)) = range else { continue };
        let outside = run
            .values(name, statistic)
            .find(|(_, s)| s.value < least || s.value > most);
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
    ranges(&terms.load)
        .into_iter()
        .any(|(name, statistic, range)| {
            range.is_some() && run.values(name, statistic).next().is_some()
        })
}
