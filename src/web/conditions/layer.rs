//! The layer that limits accepted tasks: the signals that can be cited for it, and where every
//! other stage stands.

use super::claim::{Typed, layer_id};
use crate::ladder::condition::{Citation, Layer};
use crate::ladder::evidence::{Evidence, EvidenceState};
use crate::ladder::run::RunRole;
use crate::ladder::{CaseFile, Stage, digest, stage};
use crate::web::{Page, say};
use pel_evidence::catalogue::{self, Role};
use pel_evidence::{Scope, Signal};

/// Most signals offered, so that a case of many sweeps still fits a page.
const MOST: usize = 300;

/// A signal that can be cited.
pub struct SignalView {
    /// Value of its tick box.
    pub key: String,
    /// Signal and statistic.
    pub name: String,
    /// Value with unit, and what it is for.
    pub value: String,
    /// Item and run it comes from.
    pub from: String,
    /// Whether it is ticked.
    pub on: bool,
}

/// One stage of the form.
pub struct StageView {
    /// 1 to 5.
    pub number: u8,
    /// Its name.
    pub name: String,
    /// Where it stands, in words.
    pub standing: String,
    /// Whether it is the layer claimed.
    pub on: bool,
    /// Why it is not the limit.
    pub why: String,
    /// Signals that can be cited for it.
    pub signals: Vec<SignalView>,
}

/// The form's own part.
pub struct LayerView {
    /// The five stages.
    pub stages: Vec<StageView>,
    /// Whether the claim is that none of ours limits.
    pub outside: bool,
    /// Whether more signals exist than are offered.
    pub cut: bool,
}

/// The key of a citation in the form.
pub fn key_of(c: &Citation) -> String {
    let id = digest(&(c.evidence_id, &c.signal, c.statistic, &c.labels));
    id.get(..24).unwrap_or(&id).to_owned()
}

/// Signals that may be cited: those that name a layer, from usable items of baseline runs (a
/// candidate's environment is never that of the reproduction); newest items first.
pub fn citable(case: &CaseFile) -> Vec<(&Evidence, Citation)> {
    let of_baseline = |e: &&Evidence| {
        case.run(e.run_id)
            .is_some_and(|r| r.stated.role == RunRole::Baseline)
    };
    let names_layer = |s: &&Signal| {
        catalogue::find(&s.name).is_some_and(|d| d.role == Role::Layer)
            && s.scope != Scope::SinceStart
            && s.value.is_finite()
    };
    case.evidence
        .iter()
        .rev()
        .filter(|e| e.state == EvidenceState::Usable && !e.is_invalid())
        .filter(of_baseline)
        .flat_map(|e| e.signals().iter().filter(names_layer).map(move |s| (e, s)))
        .map(|(e, s)| {
            let citation = Citation {
                evidence_id: e.id,
                signal: s.name.clone(),
                statistic: s.statistic,
                labels: s.labels.clone(),
                value: s.value,
            };
            (e, citation)
        })
        .collect()
}

/// Where a stage stands, in a sentence: what a reason why it is not the limit starts from.
pub fn standing_words(page: &Page, case: &CaseFile, of: Stage) -> String {
    let standing = stage::standing(case, of);
    let word = page.t(&say::key("standing", standing.word.id()));
    match (standing.main_signal, case.declaration(of)) {
        (Some(main), _) => page.text(
            "condition-standing-signal",
            &[
                ("word", &word),
                (
                    "measure",
                    &say::measure(page.lang, &main.signal.name, main.signal.statistic),
                ),
                ("value", &say::value(page.lang, &main.signal)),
                ("item", &main.from()),
            ],
        ),
        (None, Some(d)) => format!("{word}: {}", d.reason),
        (None, None) => word,
    }
}

/// The form's part as shown.
pub fn of(page: &Page, case: &CaseFile, typed: &Typed) -> LayerView {
    let citable = citable(case);
    let stages = Stage::ALL
        .into_iter()
        .map(|stage| StageView {
            number: stage.number(),
            name: page.t(&say::key("stage", stage.id())),
            standing: standing_words(page, case, stage),
            on: typed.layer.contains(&layer_id(Layer::Stage(stage))),
            why: typed.why(stage).to_owned(),
            signals: citable
                .iter()
                .take(MOST)
                .filter(|(_, c)| catalogue::find(&c.signal).is_some_and(|d| d.stage == stage))
                .map(|(e, c)| signal_view(page, case, e, c, typed))
                .collect(),
        })
        .collect();
    LayerView {
        stages,
        outside: typed.layer.contains(&layer_id(Layer::Outside)),
        cut: citable.len() > MOST,
    }
}

fn signal_view(
    page: &Page,
    case: &CaseFile,
    item: &Evidence,
    c: &Citation,
    typed: &Typed,
) -> SignalView {
    let unit = catalogue::find(&c.signal).map_or(pel_evidence::Unit::Count, |d| d.unit);
    let labels = say::labels(page.lang, &c.labels);
    let mut value = crate::web::format::value(page.lang, c.value, unit).to_string();
    if !labels.is_empty() {
        value = format!("{value} ({labels})");
    }
    let run = case
        .run(item.run_id)
        .map_or_else(String::new, |r| r.label());
    let key = key_of(c);
    SignalView {
        name: say::measure(page.lang, &c.signal, c.statistic),
        value,
        from: format!("{} · {run}", item.label()),
        on: typed.cite.contains(&key),
        key,
    }
}
