//! Condition one: the bottleneck was reproduced. At least two baseline runs, independent of each
//! other, break the same limit of the contract under the same environment.

use super::conditions::Findings;
use super::contract::{Limit, LimitPhase};
use super::evidence::{Evidence, Link};
use super::gate::{Closes, Input, InputKind, Policy};
use super::invalidation::Event;
use super::measure::{self, Verdict, about};
use super::run::{Phase, Profiled, RunRole};
use super::view::{RunView, View, contract_label};
use super::{Arg, Sentence, Unit, drift};
use pel_evidence::catalogue::Role;
use uuid::Uuid;

/// The phase in which a limit is judged before a canary.
pub(super) fn phase_of(limit: &Limit) -> Phase {
    match limit.phase {
        LimitPhase::Warm => Phase::Warm,
        LimitPhase::Cold => Phase::Cold,
    }
}

/// A run's value with its unit, for a sentence; its label when nothing was measured.
fn value_arg(value: Option<f64>, unit: Unit) -> Arg {
    value.map_or_else(
        || Arg::Key("gate-not-measured".to_owned()),
        |v| Arg::Value(v, unit),
    )
}

fn labels(runs: &[&RunView<'_>]) -> Arg {
    Arg::List(runs.iter().map(|r| Arg::Text(r.run.label())).collect())
}

/// Judges the claim that `ids` break the limit `limit_id`.
pub(super) fn findings(view: &View<'_>, limit_id: &str, ids: &[Uuid], policy: &Policy) -> Findings {
    let mut found = Findings::default();
    let Some(limit) = view.case.contract.as_ref().and_then(|v| v.limit(limit_id)) else {
        found.gap(
            Sentence::new("gate-limit-unknown").text("limit-id", limit_id),
            Closes::RecordCondition(super::condition::Condition::ReproducedBottleneck),
        );
        return found;
    };
    let runs = cited_runs(view, ids, &mut found);
    if runs.len() < policy.repro_runs {
        found.gap(
            about(Sentence::new("gate-repro-too-few-runs"), limit)
                .count("have", runs.len())
                .count("need", policy.repro_runs),
            add_run(limit),
        );
    }
    let mut values = Vec::new();
    for run in &runs {
        fits(view, run, limit, &mut found);
        values.extend(breach(view, run, limit, &mut found));
    }
    independent(&runs, &mut found);
    if !runs.is_empty() && runs.iter().all(|r| r.profiled) {
        found.gap(
            Sentence::new("gate-needs-unprofiled").with("runs", labels(&runs)),
            add_run(limit),
        );
    }
    let spread = spread(&values);
    if spread.is_some_and(|s| s > policy.repro_spread + 1e-9) {
        found.gap(
            about(Sentence::new("gate-repro-spread"), limit)
                .with("runs", labels(&runs))
                .with(
                    "spread",
                    Arg::Value(spread.unwrap_or_default(), Unit::Ratio),
                )
                .with("allowed", Arg::Value(policy.repro_spread, Unit::Ratio)),
            add_run(limit),
        );
    }
    since_then(view, &runs, limit, &mut found);
    found.held.push(
        about(Sentence::new("gate-repro-held"), limit)
            .with("runs", labels(&runs))
            .with(
                "values",
                Arg::List(
                    values
                        .iter()
                        .map(|v| Arg::Value(*v, limit.unit()))
                        .collect(),
                ),
            )
            .with(
                "spread",
                Arg::Value(spread.unwrap_or_default(), Unit::Ratio),
            ),
    );
    found
}

fn add_run(limit: &Limit) -> Closes {
    Closes::AddRun {
        role: RunRole::Baseline,
        phase: phase_of(limit),
        profiled: Profiled::No,
        class: limit.class.clone(),
    }
}

/// The runs a claim names, each once, in the order of their numbers.
pub(super) fn cited_runs<'v, 'a>(
    view: &'v View<'a>,
    ids: &[Uuid],
    found: &mut Findings,
) -> Vec<&'v RunView<'a>> {
    let mut runs: Vec<&RunView<'_>> = Vec::new();
    for id in ids {
        match view.run(*id) {
            Some(run) if runs.iter().all(|r| r.run.id != *id) => runs.push(run),
            Some(_) => {}
            None => found.unsupported.push(Sentence::new("compare-unknown-run")),
        }
    }
    runs.sort_by_key(|r| r.run.number);
    runs
}

fn fits(view: &View<'_>, run: &RunView<'_>, limit: &Limit, found: &mut Findings) {
    let s = &run.run.stated;
    found.accept(view, run);
    for (item, link) in links(run) {
        found.gap(
            Sentence::new("gate-run-linked")
                .text("run", run.run.label())
                .text("evidence", item.label())
                .text("first", link.label())
                .text("case", link.case_label()),
            add_run(limit),
        );
    }
    for trouble in view.troubles(run) {
        found.gap(trouble, Closes::EditRun(run.run.id));
    }
    if s.role == RunRole::Candidate {
        found.gap(
            Sentence::new("gate-run-not-baseline").text("run", run.run.label()),
            add_run(limit),
        );
    }
    if s.phase != phase_of(limit) && s.phase != Phase::Unknown {
        found.gap(
            about(Sentence::new("gate-run-other-phase"), limit)
                .text("run", run.run.label())
                .with("phase", Arg::Key(format!("phase-{}", s.phase.id())))
                .with(
                    "wanted",
                    Arg::Key(format!("phase-{}", phase_of(limit).id())),
                ),
            add_run(limit),
        );
    }
}

/// Items of a run whose bytes came first in another case: a link, never a reproduction.
fn links<'r>(run: &'r RunView<'_>) -> impl Iterator<Item = (&'r Evidence, &'r Link)> {
    run.usable
        .iter()
        .filter_map(|e| Some((*e, e.link.as_ref()?)))
}

fn breach(view: &View<'_>, run: &RunView<'_>, limit: &Limit, found: &mut Findings) -> Option<f64> {
    let judged = measure::judge(view, run, limit, 0);
    let value = judged.value.as_ref().map(|v| v.value);
    let mut text = about(Sentence::new("gate-input-run"), limit)
        .text("run", run.run.label())
        .with("value", value_arg(value, limit.unit()))
        .with(
            "phase",
            Arg::Key(format!("phase-{}", run.run.stated.phase.id())),
        )
        .with("profiled", profiled_arg(run));
    if let Some(v) = &judged.value {
        text = text.text("evidence", &v.evidence);
    } else {
        text = text.with("evidence", Arg::Key("gate-no-item".to_owned()));
    }
    found
        .inputs
        .push(Input::new(InputKind::Run, run.run.id, run.run.label()).said(text));
    found.vouch(run, limit, judged.value.as_ref());
    match judged.verdict {
        Verdict::Breaks => return value,
        Verdict::Holds => found.gap(
            about(Sentence::new("gate-run-meets-limit"), limit)
                .text("run", run.run.label())
                .with("value", value_arg(value, limit.unit())),
            add_run(limit),
        ),
        Verdict::CannotTell(why) => found.gap(why, Closes::AddEvidence(run.run.id)),
    }
    None
}

pub(super) fn profiled_arg(run: &RunView<'_>) -> Arg {
    let id = if run.profiled {
        Profiled::Yes.id()
    } else {
        run.run.stated.profiled.id()
    };
    Arg::Key(format!("profiled-{id}"))
}

/// Two runs that share a file, their numbers or an instant are one run.
fn independent(runs: &[&RunView<'_>], found: &mut Findings) {
    for (i, a) in runs.iter().enumerate() {
        for b in &runs[i + 1..] {
            let pair = |key: &str| {
                Sentence::new(key)
                    .text("a", a.run.label())
                    .text("b", b.run.label())
            };
            if a.same_data(b) {
                found.gap(pair("gate-runs-same-data"), Closes::EditRun(b.run.id));
            }
            if a.run.overlaps(b.run) {
                found.gap(pair("gate-runs-overlap"), Closes::EditRun(b.run.id));
            } else if a.content_overlaps(b) {
                found.gap(pair("gate-runs-overlap-content"), Closes::EditRun(b.run.id));
            }
            let differences = a.environment().differences(b.environment());
            if !differences.is_empty() {
                found.gap(
                    pair("gate-runs-environment").with("facts", facts(&differences)),
                    Closes::EditRun(b.run.id),
                );
            }
            if a.run.stated.phase != b.run.stated.phase {
                found.gap(pair("gate-runs-phase"), Closes::EditRun(b.run.id));
            }
        }
    }
}

/// `driver_version 570.86 → 575.51` for each differing fact.
pub(super) fn facts(differences: &[super::environment::Difference]) -> Arg {
    let side = |v: &Option<String>| v.clone().unwrap_or_else(|| "?".to_owned());
    Arg::List(
        differences
            .iter()
            .map(|d| Arg::Text(format!("{} {} → {}", d.key, side(&d.a), side(&d.b))))
            .collect(),
    )
}

/// Difference of greatest and least as a share of the least.
fn spread(values: &[f64]) -> Option<f64> {
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some(match (most - least, least.abs()) {
        (0.0, _) => 0.0,
        (_, 0.0) => f64::INFINITY,
        (d, base) => d / base,
    })
}

/// What newer baseline runs say about the ground a claim stands on.
#[derive(Debug, Default)]
pub(super) struct Since {
    /// The service runs in another environment now.
    pub environment: Vec<Sentence>,
    /// The load has left the range the contract was declared for.
    pub drift: Vec<Sentence>,
}

impl Since {
    /// Adds it to what was found of a claim.
    pub fn add_to(self, found: &mut Findings) {
        for said in self.environment {
            found.moved(Event::EnvironmentChanged, said);
        }
        for said in self.drift {
            found.moved(Event::Drift, said);
        }
    }
}

/// What baseline runs newer than all of `runs` say about environment and load.
pub(super) fn moved_on(view: &View<'_>, runs: &[&RunView<'_>], phase: Phase) -> Since {
    let mut since = Since::default();
    let Some(last) = runs.iter().max_by_key(|r| r.began()) else {
        return since;
    };
    let environment = last.environment();
    let newer = view
        .runs_for(RunRole::Baseline, phase)
        .filter(|r| r.began() > last.began());
    for run in newer {
        let now = run.environment();
        let differences = environment.differences(now);
        if !differences.is_empty() && !now.is_unknown() {
            since.environment.push(
                Sentence::new("gate-environment-moved")
                    .text("run", run.run.label())
                    .with("facts", facts(&differences)),
            );
        }
    }
    // Of the load the newest word counts: a run that is back inside ends the drift.
    let newest = drift::newest(view).into_iter();
    let began = |label: &str| {
        view.runs()
            .find(|r| r.run.label() == label)
            .map(RunView::began)
    };
    since.drift.extend(
        newest
            .filter(|(label, _)| began(label).is_some_and(|at| at > last.began()))
            .map(|(_, sentence)| sentence),
    );
    since
}

/// What other runs say: one later than the first cited run that keeps the limit contradicts the
/// claim, another environment or a load outside the contract makes it out of date.
fn since_then(view: &View<'_>, runs: &[&RunView<'_>], limit: &Limit, found: &mut Findings) {
    let Some(first) = runs.iter().min_by_key(|r| r.began()) else {
        return;
    };
    let since = moved_on(view, runs, phase_of(limit));
    since.add_to(found);
    for run in view.runs_for(RunRole::Baseline, phase_of(limit)) {
        let cited = runs.iter().any(|c| c.run.id == run.run.id);
        // By when it ran, not by when it was attached: a run from before the incident may well
        // keep the limit.
        let later = run.began() > first.began();
        let elsewhere = !run.environment().same(first.environment());
        if cited || !later || elsewhere || !view.troubles(run).is_empty() {
            continue;
        }
        let judged = measure::judge(view, run, limit, 0);
        if judged.verdict == Verdict::Holds {
            let value = judged.value.map(|v| v.value);
            found.contradicted.push(
                about(Sentence::new("gate-repro-contradicted"), limit)
                    .text("run", run.run.label())
                    .with("at", Arg::Time(run.began()))
                    .with("value", value_arg(value, limit.unit())),
            );
            found.closes.get_or_insert(Closes::Run(run.run.id));
        }
    }
}

/// What is there and what is needed when nobody recorded it.
pub(super) fn missing(view: &View<'_>, policy: &Policy) -> Findings {
    let mut found = Findings::default();
    let Some(version) = &view.case.contract else {
        return found;
    };
    let symptom = &view.case.symptom;
    let candidates = version.terms.limits.iter().map(|limit| {
        let breaking: Vec<&RunView<'_>> = view
            .runs_for(RunRole::Baseline, phase_of(limit))
            .filter(|r| view.troubles(r).is_empty() && links(r).next().is_none())
            .filter(|r| measure::judge(view, r, limit, 0).verdict == Verdict::Breaks)
            .collect();
        let named = symptom.signal.as_deref() == Some(limit.signal.as_str())
            && symptom.statistic.is_none_or(|s| s == limit.statistic);
        let latency = limit.role() == Some(Role::Latency);
        (limit, (named, breaking.len(), latency), breaking)
    });
    let best = candidates.reduce(|a, b| if b.1 > a.1 { b } else { a });
    let Some((limit, _, breaking)) = best else {
        found.gap(
            Sentence::new("gate-contract-no-limits"),
            Closes::PinContract,
        );
        return found;
    };
    for run in &breaking {
        breach(view, run, limit, &mut found);
    }
    let enough = breaking.len() >= policy.repro_runs && breaking.iter().any(|r| !r.profiled);
    let key = match (enough, breaking.len()) {
        (true, _) => "gate-repro-record",
        (false, 0) => "gate-repro-none",
        (false, _) => "gate-repro-more",
    };
    let sentence = about(Sentence::new(key), limit)
        .count("have", breaking.len())
        .count("need", policy.repro_runs)
        .with("runs", labels(&breaking))
        .text("contract", contract_label(version))
        .with("phase", Arg::Key(format!("phase-{}", phase_of(limit).id())));
    let closes = if enough {
        Closes::RecordCondition(super::condition::Condition::ReproducedBottleneck)
    } else {
        add_run(limit)
    };
    found.gap(sentence, closes);
    found
}
