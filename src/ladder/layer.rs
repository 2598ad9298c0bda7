//! Condition two: one layer limits accepted tasks, cited signals show it, and every other stage
//! was looked at or has a reason for not being looked at. A busy GPU shows nothing.

use super::case::DeclarationKind;
use super::condition::{Citation, Claim, Condition, Layer};
use super::conditions::{self, Findings};
use super::environment::Environment;
use super::gate::{Closes, Input, InputKind, Policy};
use super::invalidation::Event;
use super::measure;
use super::reproduce::{cited_runs, facts, moved_on};
use super::run::Phase;
use super::stage::{self, StandingWord};
use super::view::{RunView, View};
use super::{Arg, Sentence, Stage};
use chrono::{DateTime, Utc};
use pel_evidence::catalogue::{self, Role};
use std::collections::BTreeMap;

const RECORD: Closes = Closes::RecordCondition(Condition::OwnerLayerIdentified);

fn stage_sentence(key: &str, stage: Stage) -> Sentence {
    Sentence::new(key).with("stage", Arg::Key(format!("stage-{}", dashed(stage.id()))))
}

fn dashed(id: &str) -> String {
    id.replace('_', "-")
}

/// Judges the claim that `layer` limits accepted tasks.
pub(super) fn findings(
    view: &View<'_>,
    layer: Layer,
    cited: &[Citation],
    others: &BTreeMap<u8, String>,
    recorded: DateTime<Utc>,
    policy: &Policy,
) -> Findings {
    let mut found = Findings::default();
    let ground = reproduction_environment(view);
    if cited.is_empty() {
        found.gap(Sentence::new("gate-layer-nothing-cited"), RECORD);
    }
    let mut identifies = false;
    for citation in cited {
        identifies |= judge_citation(view, layer, citation, ground, &mut found);
    }
    if !cited.is_empty() && !identifies && found.unsupported.is_empty() && found.stale.is_empty() {
        let names = cited
            .iter()
            .map(|c| Arg::Signal(c.signal.clone()))
            .collect();
        found.gap(
            Sentence::new("gate-layer-signal-no-layer").with("signals", Arg::List(names)),
            RECORD,
        );
    }
    for stage in Stage::ALL {
        judge_stage(view, layer, stage, others, ground, &mut found);
    }
    against(view, layer, recorded, policy, &mut found);
    let name = match layer {
        Layer::Stage(stage) => Arg::Key(format!("stage-{}", dashed(stage.id()))),
        Layer::Outside => Arg::Key("layer-outside".to_owned()),
    };
    found
        .held
        .insert(0, Sentence::new("gate-layer-held").with("layer", name));
    found
}

/// Environment of the reproduction, which the layer's evidence must share.
fn reproduction_environment<'v>(view: &'v View<'_>) -> Option<&'v Environment> {
    let record = view.case.record(Condition::ReproducedBottleneck)?;
    let Claim::ReproducedBottleneck { runs, .. } = &record.claim else {
        return None;
    };
    let run = runs.iter().find_map(|id| view.run(*id))?;
    Some(run.environment())
}

/// Judges one citation; `true` when it identifies the layer.
fn judge_citation(
    view: &View<'_>,
    layer: Layer,
    c: &Citation,
    ground: Option<&Environment>,
    found: &mut Findings,
) -> bool {
    let item = view.case.item(c.evidence_id);
    let label = item.map_or_else(|| "?".to_owned(), super::evidence::Evidence::label);
    let said = |key: &str| {
        Sentence::new(key)
            .text("evidence", &label)
            .with("signal", Arg::Signal(c.signal.clone()))
            .with("statistic", Arg::Statistic(c.statistic))
    };
    let run = item.and_then(|e| view.run(e.run_id));
    let usable = run.and_then(|r| r.usable.iter().find(|e| e.id == c.evidence_id));
    let (Some(run), Some(item), Some(def)) = (run, usable, catalogue::find(&c.signal)) else {
        found.gap(
            said("gate-layer-item-gone"),
            Closes::EvidenceItem(c.evidence_id),
        );
        return false;
    };
    if let Layer::Stage(stage) = layer
        && def.stage != stage
    {
        let other = Arg::Key(format!("stage-{}", dashed(def.stage.id())));
        found.gap(
            said("gate-layer-other-stage")
                .with("stage", Arg::Key(format!("stage-{}", dashed(stage.id()))))
                .with("other", other),
            RECORD,
        );
        return false;
    }
    for trouble in view.troubles(run) {
        found.gap(trouble, Closes::EditRun(run.run.id));
    }
    found.accept(view, run);
    elsewhere(run, ground, found);
    let attested = run.attested.iter().find(|s| s.is(c));
    if let Some(open) = attested.filter(|s| s.countersigned.is_none()) {
        found.gap(
            open.not_countersigned(view.case, run.run),
            Closes::EvidenceItem(item.id),
        );
        return false;
    }
    let signal = item
        .signals()
        .iter()
        .chain(attested.map(|s| &s.attested.signal))
        .find(|s| s.name == c.signal && s.statistic == c.statistic && s.labels == c.labels);
    let Some(signal) = signal.filter(|s| s.value.is_finite()) else {
        found.gap(said("gate-layer-signal-gone"), RECORD);
        return false;
    };
    if !measure::agree_within(signal.value, c.value, view.case.policy.reread_tolerance) {
        found.moved(
            Event::Reread,
            said("gate-layer-value-moved")
                .with("cited", Arg::Value(c.value, def.unit))
                .with("value", Arg::Value(signal.value, def.unit)),
        );
        return false;
    }
    let text = said("gate-layer-cites").with("value", Arg::Value(signal.value, def.unit));
    found
        .inputs
        .push(Input::new(InputKind::Evidence, item.id, item.label()).said(text.clone()));
    found.held.push(text);
    found.held.extend(
        attested
            .and_then(|s| s.vouched(view.case))
            .map(|v| v.said(&c.signal, c.statistic, &run.run.label(), &item.label())),
    );
    match layer {
        Layer::Stage(_) => def.role == Role::Layer,
        // Outside is shown by what our own layers do not show.
        Layer::Outside => def.role != Role::Context,
    }
}

fn elsewhere(run: &RunView<'_>, ground: Option<&Environment>, found: &mut Findings) {
    let Some(ground) = ground else { return };
    let differences = ground.differences(run.environment());
    if !differences.is_empty() {
        found.gap(
            Sentence::new("gate-layer-environment")
                .text("run", run.run.label())
                .with("facts", facts(&differences)),
            Closes::EditRun(run.run.id),
        );
    }
}

/// Every stage is evidenced, or declared with a reason; and every other one has its why-not.
fn judge_stage(
    view: &View<'_>,
    layer: Layer,
    stage: Stage,
    others: &BTreeMap<u8, String>,
    ground: Option<&Environment>,
    found: &mut Findings,
) {
    let named = layer == Layer::Stage(stage);
    let open = Closes::DeclareStage(stage);
    match stage::plain(view, stage).word {
        StandingWord::Evidenced | StandingWord::OwnerLayer => {
            if !named && !grounded(view, stage, ground) {
                found.gap(
                    stage_sentence("gate-stage-elsewhere", stage),
                    Closes::Stage(stage),
                );
            }
        }
        StandingWord::Disputed => {
            found.unsupported.extend(stage::disputes(view, stage));
            found.closes.get_or_insert(Closes::Stage(stage));
        }
        StandingWord::NotApplicable | StandingWord::NotExamined if named => {
            found.gap(stage_sentence("gate-layer-declared-away", stage), open);
        }
        StandingWord::NotExamined if layer == Layer::Outside => {
            found.gap(stage_sentence("gate-layer-outside-unexamined", stage), open);
        }
        word @ (StandingWord::NotApplicable | StandingWord::NotExamined) => {
            found.held.push(declared(view, stage));
            // The declaration answers for the stage; what was said beside it is kept too.
            if let Some(why) = why_not(others, stage) {
                found.held.push(not_the_limit(stage, word, why));
            }
            return;
        }
        StandingWord::Empty | StandingWord::Collecting => match reopened(view, stage) {
            Some(sentence) => {
                found.moved(Event::StageFiveReopened, sentence);
                found.closes.get_or_insert(open);
            }
            None => found.gap(stage_sentence("gate-stage-empty", stage), open),
        },
    }
    if named {
        return;
    }
    match why_not(others, stage) {
        Some(why) => found
            .held
            .push(not_the_limit(stage, StandingWord::Evidenced, why)),
        None => found.gap(stage_sentence("gate-layer-no-why", stage), RECORD),
    }
}

/// The reason on record why `stage` is not the limit.
fn why_not(others: &BTreeMap<u8, String>, stage: Stage) -> Option<&str> {
    let why = others.get(&stage.number())?.trim();
    (!why.is_empty()).then_some(why)
}

/// That reason as part of the line, so that whoever decides reads it and the record keeps it; with
/// what it rests on: evidence, or which kind of declaration.
fn not_the_limit(stage: Stage, word: StandingWord, why: &str) -> Sentence {
    stage_sentence("gate-layer-why-not", stage)
        .with(
            "standing",
            Arg::Key(format!("standing-{}", dashed(word.id()))),
        )
        .text("reason", why)
}

fn declared(view: &View<'_>, stage: Stage) -> Sentence {
    let Some(d) = stage::declaration(view, stage) else {
        return stage_sentence("gate-stage-empty", stage);
    };
    let key = match d.kind {
        DeclarationKind::NotExamined => "gate-stage-not-examined",
        _ => "gate-stage-not-applicable",
    };
    stage_sentence(key, stage)
        .text("person", view.case.name_of(d.by))
        .with("at", Arg::Time(d.at))
        .text("reason", &d.reason)
}

/// Stage 5 was declared not applicable, and a bigger environment has come since.
fn reopened(view: &View<'_>, stage: Stage) -> Option<Sentence> {
    view.case.declaration(stage)?;
    let run = stage::bigger_run(view).filter(|_| stage == Stage::DistributedCapacity)?;
    Some(Sentence::new("stage-five-bigger").text("run", run.run.label()))
}

/// Whether some run under the pinned contract, in the reproduction's environment and with
/// statements in order, has evidence of the stage.
fn grounded(view: &View<'_>, stage: Stage, ground: Option<&Environment>) -> bool {
    view.runs().any(|r| {
        r.by_stage[stage as usize] > 0
            && ground.is_none_or(|g| r.environment().same(g))
            && view.troubles(r).is_empty()
    })
}

/// What speaks against the layer since it was named.
fn against(
    view: &View<'_>,
    layer: Layer,
    recorded: DateTime<Utc>,
    policy: &Policy,
    found: &mut Findings,
) {
    let reproduced = view.case.record(Condition::ReproducedBottleneck);
    if let Some(record) = reproduced {
        let judged = conditions::judged(view, Condition::ReproducedBottleneck, policy);
        // It moved by whatever moved the reproduction.
        if let Some(first) = judged.moved.first() {
            found.moved(
                first.event,
                Sentence::new("gate-layer-rests-on-reproduction"),
            );
        }
        if let Claim::ReproducedBottleneck { runs, .. } = &record.claim {
            let runs = cited_runs(view, runs, &mut Findings::default());
            for said in moved_on(view, &runs, Phase::Warm).environment {
                found.moved(Event::EnvironmentChanged, said);
            }
        }
    }
    let Layer::Stage(stage) = layer else { return };
    let usable = |id| view.case.item(id).is_some_and(|e| !e.signals().is_empty());
    let mut of_layer = view
        .case
        .hypotheses
        .iter()
        .filter(|h| h.stage == stage)
        .peekable();
    if of_layer.peek().is_none() {
        return;
    }
    let refuted: Vec<Option<&super::case::Argument>> = of_layer
        .map(|h| {
            h.arguments
                .iter()
                .find(|a| !a.supports && a.at > recorded && usable(a.evidence_id))
        })
        .collect();
    // One refuted explanation does not clear a layer; all of them do.
    if let Some(arguments) = refuted.into_iter().collect::<Option<Vec<_>>>() {
        for a in arguments {
            let label = view
                .case
                .item(a.evidence_id)
                .map(super::evidence::Evidence::label)
                .unwrap_or_default();
            found.contradicted.push(
                stage_sentence("gate-layer-refuted", stage)
                    .text("evidence", label)
                    .text("person", view.case.name_of(a.by)),
            );
        }
    }
}

/// What is there and what is needed when nobody recorded it.
pub(super) fn missing(view: &View<'_>) -> Findings {
    let mut found = Findings::default();
    for stage in Stage::ALL {
        let word = stage::plain(view, stage).word;
        if matches!(word, StandingWord::Empty | StandingWord::Collecting) {
            found.gap(
                stage_sentence("gate-stage-empty", stage),
                Closes::DeclareStage(stage),
            );
        }
    }
    // The record itself is the gap even when every stage has its answer.
    found
        .unsupported
        .insert(0, Sentence::new("gate-layer-missing"));
    found.closes.get_or_insert(RECORD);
    found
}
