//! Condition three: what the breach costs in accepted tasks is measured, per task class the
//! incident names, with the contract's floor beside it. Tokens per second never count.

use super::condition::{Claim, Condition};
use super::conditions::Findings;
use super::contract::{Limit, Terms};
use super::gate::{Closes, Input, InputKind};
use super::measure::{self, Verdict, about};
use super::reproduce::{cited_runs, moved_on, phase_of};
use super::view::{RunView, View};
use super::{Arg, Sentence};
use pel_evidence::catalogue::Role;
use uuid::Uuid;

/// Judges the claim that acceptance, under the floor `limit_id`, was measured in `ids`.
pub(super) fn findings(view: &View<'_>, limit_id: &str, ids: &[Uuid]) -> Findings {
    let mut found = Findings::default();
    let record = Closes::RecordCondition(Condition::AcceptanceImpactVisible);
    let Some(version) = &view.case.contract else {
        return found;
    };
    let Some(limit) = version.limit(limit_id) else {
        found.gap(
            Sentence::new("gate-limit-unknown").text("limit-id", limit_id),
            record,
        );
        return found;
    };
    if limit.role() != Some(Role::Acceptance) {
        found.gap(
            Sentence::new("gate-impact-not-acceptance")
                .with("signal", Arg::Signal(limit.signal.clone())),
            record,
        );
        return found;
    }
    let runs = cited_runs(view, ids, &mut found);
    if runs.is_empty() {
        found.gap(Sentence::new("gate-impact-no-run"), record.clone());
    }
    for run in &runs {
        found.accept(view, run);
        for trouble in view.troubles(run) {
            found.gap(trouble, Closes::EditRun(run.run.id));
        }
        if let Some(breaching) = breaching_runs(view)
            && !breaching.contains(&run.run.id)
        {
            found.gap(
                Sentence::new("gate-impact-other-run").text("run", run.run.label()),
                record.clone(),
            );
        }
    }
    for floor in floors(view, &version.terms, limit, &mut found) {
        of_class(view, &version.terms, &floor, &runs, &mut found);
    }
    let since = moved_on(view, &runs, phase_of(limit));
    since.add_to(&mut found);
    found
}

fn breaching_runs<'a>(view: &View<'a>) -> Option<&'a Vec<Uuid>> {
    match &view.case.record(Condition::ReproducedBottleneck)?.claim {
        Claim::ReproducedBottleneck { runs, .. } => Some(runs),
        _ => None,
    }
}

/// The floor for each class the incident names: the class's own, or the claimed one read for it.
fn floors(view: &View<'_>, terms: &Terms, limit: &Limit, found: &mut Findings) -> Vec<Limit> {
    if view.case.classes.is_empty() {
        return vec![limit.clone()];
    }
    let mut floors = Vec::new();
    for class in &view.case.classes {
        if !terms.classes.iter().any(|c| c.name == *class) {
            found.gap(
                Sentence::new("gate-impact-class-unknown").text("class", class),
                Closes::PinContract,
            );
            continue;
        }
        let own = terms.limits.iter().find(|l| {
            l.signal == limit.signal
                && l.statistic == limit.statistic
                && l.phase == limit.phase
                && l.class.as_ref() == Some(class)
        });
        let mut floor = own.unwrap_or(limit).clone();
        floor.class = Some(class.clone());
        floors.push(floor);
    }
    floors
}

fn of_class(
    view: &View<'_>,
    terms: &Terms,
    floor: &Limit,
    runs: &[&RunView<'_>],
    found: &mut Findings,
) {
    let serving: Vec<_> = runs.iter().filter(|r| r.serves(terms, floor)).collect();
    if serving.is_empty() {
        let labels = runs.iter().map(|r| Arg::Text(r.run.label())).collect();
        found.gap(
            about(Sentence::new("gate-impact-class-missing"), floor)
                .with("runs", Arg::List(labels)),
            Closes::AddRun {
                role: super::run::RunRole::Baseline,
                phase: phase_of(floor),
                profiled: super::run::Profiled::No,
                class: floor.class.clone(),
            },
        );
    }
    for run in serving {
        let judged = measure::judge(view, run, floor, 0);
        let key = match judged.verdict {
            Verdict::Breaks => "gate-impact-loss",
            Verdict::Holds => "gate-impact-no-loss",
            Verdict::CannotTell(why) => {
                found.gap(why, Closes::AddEvidence(run.run.id));
                continue;
            }
        };
        let Some(value) = judged.value else { continue };
        let said = about(Sentence::new(key), floor)
            .text("run", run.run.label())
            .text("evidence", &value.evidence)
            .with("value", Arg::Value(value.value, floor.unit()));
        found.inputs.push(
            Input::new(InputKind::Evidence, value.evidence_id, &value.evidence).said(said.clone()),
        );
        found.held.push(said);
        found.vouch(run, floor, Some(&value));
    }
}

/// What is there and what is needed when nobody recorded it.
pub(super) fn missing(view: &View<'_>) -> Findings {
    let mut found = Findings::default();
    let record = Closes::RecordCondition(Condition::AcceptanceImpactVisible);
    let floor = view.terms().and_then(|t| {
        t.limits
            .iter()
            .find(|l| l.signal == t.acceptance.signal)
            .or_else(|| t.limits.iter().find(|l| l.role() == Some(Role::Acceptance)))
    });
    let (Some(floor), Some(runs)) = (floor, breaching_runs(view)) else {
        found.gap(Sentence::new("gate-impact-after-reproduction"), record);
        return found;
    };
    let judged = findings(view, &floor.id, runs);
    if judged.unsupported.is_empty() {
        found.gap(about(Sentence::new("gate-impact-record"), floor), record);
    } else {
        found.unsupported = judged.unsupported;
        found.closes = judged.closes;
    }
    found.inputs = judged.inputs;
    found
}
