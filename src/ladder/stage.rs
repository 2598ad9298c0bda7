//! Where each of the five stages stands, and which declarations about a stage are allowed.

use super::attested;
use super::case::{CaseFile, Declaration, DeclarationKind};
use super::condition::{Claim, Condition, Layer};
use super::conditions;
use super::evidence::EvidenceState;
use super::main_signal as main;
pub use super::main_signal::MainSignal;
use super::measure;
use super::view::{RunView, View, definition};
use super::{Arg, Sentence, Stage, Statistic};
use pel_evidence::Scope;
use pel_evidence::catalogue::{self, Role};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Fewest characters of a reason for declaring a stage.
pub const REASON_LENGTH: usize = 20;

/// The word for where a stage stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandingWord {
    /// No evidence and no declaration.
    Empty,
    /// Files are there, none read yet.
    Collecting,
    /// At least one usable item has a signal of the stage.
    Evidenced,
    /// Evidenced, and shown to limit accepted tasks.
    OwnerLayer,
    /// The stage does not exist here.
    NotApplicable,
    /// It exists and nobody looked, with the reason why that is enough.
    NotExamined,
    /// Usable items contradict each other.
    Disputed,
}

impl StandingWord {
    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Collecting => "collecting",
            Self::Evidenced => "evidenced",
            Self::OwnerLayer => "owner_layer",
            Self::NotApplicable => "not_applicable",
            Self::NotExamined => "not_examined",
            Self::Disputed => "disputed",
        }
    }
}

/// Where a stage stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The word.
    pub word: StandingWord,
    /// Usable items with a signal of the stage.
    pub usable: usize,
    /// Items still being read; what they will speak to is not known, so they count on every stage.
    pub reading: usize,
    /// The signal that matters most, with where it comes from.
    pub main_signal: Option<MainSignal>,
}

/// Where `stage` stands. The owner layer is named only while its condition is held.
pub fn standing(case: &CaseFile, stage: Stage) -> Standing {
    shown(&View::new(case), stage)
}

/// Where every stage stands, from one look at the case.
pub fn standings(case: &CaseFile) -> [(Stage, Standing); 5] {
    let view = View::new(case);
    Stage::ALL.map(|stage| (stage, shown(&view, stage)))
}

fn shown(view: &View<'_>, stage: Stage) -> Standing {
    let mut standing = plain(view, stage);
    // Where nothing carries the stage, a number beside it would look as if something did.
    if standing.usable > 0 {
        standing.main_signal = main::signal(view, stage);
    }
    let named = view
        .case
        .record(Condition::OwnerLayerIdentified)
        .is_some_and(|r| {
            matches!(&r.claim, Claim::OwnerLayerIdentified { layer, .. } if *layer == Layer::Stage(stage))
        });
    if named && standing.word == StandingWord::Evidenced {
        let status =
            conditions::judged(view, Condition::OwnerLayerIdentified, &view.case.policy).status;
        if status == conditions::Status::Held {
            standing.word = StandingWord::OwnerLayer;
        }
    }
    standing
}

/// Where `stage` stands by its evidence and declarations alone, without its main signal.
pub(super) fn plain(view: &View<'_>, stage: Stage) -> Standing {
    let mut usable = 0;
    let mut reading = 0;
    for run in view.runs() {
        reading += run.reading.len();
        usable += run.by_stage[stage as usize];
    }
    let declared = declaration(view, stage).map(|d| d.kind);
    let word = match declared {
        _ if usable > 0 && view.disputes().iter().any(|(of, _)| *of == stage) => {
            StandingWord::Disputed
        }
        _ if usable > 0 => StandingWord::Evidenced,
        Some(DeclarationKind::NotApplicable) => StandingWord::NotApplicable,
        Some(DeclarationKind::NotExamined) => StandingWord::NotExamined,
        _ if reading > 0 => StandingWord::Collecting,
        _ => StandingWord::Empty,
    };
    Standing {
        word,
        usable,
        reading,
        main_signal: None,
    }
}

/// The declaration that stands for a stage now: stage 1 has none, and stage 5 is not applicable
/// only while every run of the case is known to be one GPU on one node.
pub fn declaration<'a>(view: &View<'a>, stage: Stage) -> Option<&'a Declaration> {
    view.case
        .declaration(stage)
        .filter(|d| allowed(view, stage, d.kind).is_ok())
}

/// Whether a stage may be declared so, with this reason.
///
/// # Errors
/// A sentence saying why not.
pub fn may_declare(
    case: &CaseFile,
    stage: Stage,
    kind: DeclarationKind,
    reason: &str,
) -> Result<(), Sentence> {
    if reason.trim().chars().count() < REASON_LENGTH {
        return Err(Sentence::new("stage-reason-short").count("count", REASON_LENGTH));
    }
    allowed(&View::new(case), stage, kind)
}

fn allowed(view: &View<'_>, stage: Stage, kind: DeclarationKind) -> Result<(), Sentence> {
    match (stage, kind) {
        (_, DeclarationKind::Reopened) => Ok(()),
        (Stage::RequestTrace, _) => Err(Sentence::new("stage-one-always")),
        (Stage::DistributedCapacity, DeclarationKind::NotApplicable) => match bigger_run(view) {
            None => Ok(()),
            Some(run) => Err(Sentence::new("stage-five-bigger").text("run", run.run.label())),
        },
        _ => Ok(()),
    }
}

/// A run with evidence that is not known to be one GPU on one node.
pub(super) fn bigger_run<'v, 'a>(view: &'v View<'a>) -> Option<&'v RunView<'a>> {
    view.runs().find(|r| {
        let any = !r.usable.is_empty() || !r.reading.is_empty() || !r.invalid.is_empty();
        any && !r.environment().is_single_gpu()
    })
}

/// Signals of a stage on which usable items of one run disagree by more than 1 %.
pub(super) fn disputes(view: &View<'_>, stage: Stage) -> Vec<Sentence> {
    view.disputes()
        .iter()
        .filter(|(of, _)| *of == stage)
        .map(|(_, sentence)| sentence.clone())
        .collect()
}

/// What usable items of one run disagree on, for every stage.
pub(super) fn find_disputes(view: &View<'_>) -> Vec<(Stage, Sentence)> {
    view.runs()
        .filter(|r| r.usable.len() > 1)
        .flat_map(disputes_of)
        .chain(attested::disputes(view))
        .collect()
}

type Spot<'a> = (usize, Statistic, &'a BTreeMap<String, String>);

fn disputes_of(run: &RunView<'_>) -> Vec<(Stage, Sentence)> {
    let mut least_and_most: BTreeMap<Spot<'_>, [(f64, usize); 2]> = BTreeMap::new();
    for (i, item) in run.usable.iter().enumerate() {
        for s in item.signals() {
            let Some((at, def)) = definition(&s.name) else {
                continue;
            };
            if def.role == Role::Context || s.scope != Scope::Window || !s.value.is_finite() {
                continue;
            }
            let [least, most] = least_and_most
                .entry((at, s.statistic, &s.labels))
                .or_insert([(s.value, i), (s.value, i)]);
            if s.value < least.0 {
                *least = (s.value, i);
            }
            if s.value > most.0 {
                *most = (s.value, i);
            }
        }
    }
    least_and_most
        .into_iter()
        .filter(|(_, [a, b])| a.1 != b.1 && !measure::agree(a.0, b.0))
        .filter(|(_, [a, b])| !apart(run, a.1, b.1))
        .map(|((at, statistic, _), [a, b])| {
            let def = &catalogue::ALL[at];
            let stage = Arg::Key(format!("stage-{}", def.stage.id().replace('_', "-")));
            let sentence = Sentence::new("gate-stage-disputed")
                .with("stage", stage)
                .text("run", run.run.label())
                .with("signal", Arg::Signal(def.name.to_owned()))
                .with("statistic", Arg::Statistic(statistic))
                .text("a", run.usable[a.1].label())
                .with("a-value", Arg::Value(a.0, def.unit))
                .text("b", run.usable[b.1].label())
                .with("b-value", Arg::Value(b.0, def.unit));
            (def.stage, sentence)
        })
        .collect()
}

/// Whether two items speak for stretches of time that do not touch.
fn apart(run: &RunView<'_>, a: usize, b: usize) -> bool {
    let window = |i: usize| {
        let w = run.usable[i].extraction.as_ref()?.window.as_ref()?;
        Some((w.start?, w.end?))
    };
    match (window(a), window(b)) {
        (Some((a0, a1)), Some((b0, b1))) => a1 <= b0 || b1 <= a0,
        _ => false,
    }
}

/// Items of the case that are still being read.
pub fn being_read(case: &CaseFile) -> usize {
    case.evidence
        .iter()
        .filter(|e| matches!(e.state, EvidenceState::Received | EvidenceState::Parsing))
        .count()
}
