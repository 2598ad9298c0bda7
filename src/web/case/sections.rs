//! The sections that sum something up and lead on: contract, runs, comparison, decisions,
//! hypotheses, people. The change has a file of its own.

use super::{cards::named, cut, environment_word, open_to, stages::limit_words};
use crate::{
    ladder::{
        CaseFile, Stage,
        change::Change,
        compare::{self, Comparison},
        contract::LimitPhase,
        contributor,
        gate::comparison_runs,
        policy::{Act, Role},
        run::Phase,
        view::View,
    },
    store::case_page::Beside,
    web::{Page, format, say},
};
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The pinned contract.
pub struct ContractView {
    /// `chat v3`.
    pub label: String,
    /// Its page.
    pub href: String,
    /// Digest, shortened.
    pub digest: String,
    /// Window, bands, least samples, in words.
    pub caption: String,
    /// What counts as accepted.
    pub accepted: String,
    /// Limits.
    pub limits: Vec<LimitRow>,
}

/// One limit of the table.
pub struct LimitRow {
    /// Signal and statistic.
    pub name: String,
    /// `≤ 800 ms`.
    pub limit: String,
    /// Task class, or all.
    pub class: String,
    /// Concurrency band, or all.
    pub band: String,
    /// Warm or cold.
    pub phase: String,
}

/// The pinned contract as shown.
pub fn contract(page: &Page, case: &CaseFile) -> Option<ContractView> {
    let v = case.contract.as_ref()?;
    let bands: Vec<String> = v
        .terms
        .bands
        .iter()
        .map(|b| format!("{} ({}–{})", cut(&b.name, 40), b.min, b.max))
        .collect();
    let limits = v
        .terms
        .limits
        .iter()
        .map(|l| LimitRow {
            name: named(page, &l.signal, l.statistic),
            limit: limit_words(page, l),
            class: l
                .class
                .clone()
                .unwrap_or_else(|| page.t("case-all-classes")),
            band: l.band.clone().unwrap_or_else(|| page.t("case-all-bands")),
            phase: page.t(match l.phase {
                LimitPhase::Warm => "phase-warm",
                LimitPhase::Cold => "phase-cold",
            }),
        })
        .collect();
    Some(ContractView {
        label: format!("{} v{}", v.contract_name, v.number),
        href: format!("/contracts/{}", v.contract_id),
        digest: v
            .digest
            .as_deref()
            .map_or_else(String::new, |d| format::short_digest(d).to_owned()),
        caption: page.text(
            "case-contract-caption",
            &[
                ("count", &v.terms.limits.len().to_string()),
                (
                    "window",
                    &format::duration(page.lang, i64::from(v.terms.window_seconds)),
                ),
                ("bands", &bands.join(", ")),
                (
                    "samples",
                    &page.count(i64::try_from(v.terms.min_samples).unwrap_or(i64::MAX)),
                ),
            ],
        ),
        accepted: cut(&v.terms.acceptance.definition, 400),
        limits,
    })
}

/// A run in the table.
pub struct RunRow {
    /// `R-7`.
    pub label: String,
    /// Role.
    pub role: String,
    /// Phase.
    pub phase: String,
    /// Profiled or not.
    pub profiled: String,
    /// Where.
    pub environment: String,
    /// When.
    pub window: String,
    /// What puts its load outside the contract.
    pub off: Vec<String>,
    /// Its items that count.
    pub items: Vec<String>,
    /// Items that do not, yet or any more.
    pub others: usize,
}

/// The runs, newest first.
pub fn runs(page: &Page, case: &CaseFile) -> Vec<RunRow> {
    let view = View::new(case);
    let off = |id| {
        let found = view.run(id).zip(view.terms());
        found.map_or_else(Vec::new, |(r, terms)| r.off_contract(terms))
    };
    case.runs
        .iter()
        .rev()
        .map(|r| {
            let items: Vec<String> = case.usable_of(r.id).map(|e| e.label()).collect();
            RunRow {
                label: r.label(),
                role: super::role_word(page, r.stated.role),
                phase: super::phase_word(page, r.stated.phase),
                profiled: super::profiled_word(page, r.stated.profiled),
                environment: environment_word(page, &r.stated.environment),
                window: r
                    .stated
                    .window
                    .map_or_else(|| page.t("case-window-unknown"), |w| super::window(page, w)),
                off: off(r.id)
                    .iter()
                    .map(|s| say::sentence(page.lang, s))
                    .collect(),
                others: case.items_of(r.id).count() - items.len(),
                items,
            }
        })
        .collect()
}

/// One phase of the comparison, always apart from the others.
pub struct PhaseView {
    /// Name of the phase.
    pub name: String,
    /// Shape, tone and words of its verdict.
    pub verdict: (&'static str, &'static str, String),
    /// Which runs against which, or why there is none.
    pub words: String,
    /// The full comparison.
    pub href: Option<String>,
}

/// The three phases.
pub fn phases(page: &Page, case: &CaseFile) -> Vec<PhaseView> {
    [Phase::Cold, Phase::Warm, Phase::Canary]
        .into_iter()
        .map(|phase| {
            let (base, cand) = case
                .live_change()
                .map(|c| comparison_runs(case, c, phase))
                .unwrap_or_default();
            phase_view(page, case, phase, &base, &cand)
        })
        .collect()
}

fn phase_view(
    page: &Page,
    case: &CaseFile,
    phase: Phase,
    base: &[Uuid],
    cand: &[Uuid],
) -> PhaseView {
    let name = super::phase_word(page, phase);
    if cand.is_empty() || (base.is_empty() && phase != Phase::Canary) {
        let needed = phase == Phase::Cold
            && case
                .contract
                .as_ref()
                .is_some_and(|v| v.terms.limits_cold());
        let words = page.t(if needed {
            "case-compare-none-needed"
        } else {
            "case-compare-none"
        });
        let mark = if needed {
            ("missing", "warn")
        } else {
            ("na", "quiet")
        };
        return PhaseView {
            name,
            verdict: (mark.0, mark.1, page.t("case-compare-none-word")),
            words,
            href: None,
        };
    }
    let found = compare::compare(case, base, cand, phase);
    let sides = page.t2(
        "case-compare-sides",
        "base",
        found.baseline.join(", "),
        "cand",
        found.candidate.join(", "),
    );
    let words = match found.refused.first() {
        Some(why) => say::sentence(page.lang, why),
        None => sides,
    };
    PhaseView {
        name,
        verdict: compared(page, &found),
        words,
        href: Some(format!(
            "{}/compare?base={}&cand={}&phase={}",
            super::path(case),
            found.baseline.join(","),
            found.candidate.join(","),
            phase.id()
        )),
    }
}

fn compared(page: &Page, found: &Comparison) -> (&'static str, &'static str, String) {
    let (shape, tone) = if !found.refused.is_empty() || found.rows.is_empty() {
        ("unknown", "quiet")
    } else if found.counts.breaks > 0 {
        ("breaks", "bad")
    } else if found.counts.cannot_tell > 0 {
        ("unknown", "quiet")
    } else {
        ("holds", "good")
    };
    (shape, tone, say::sentence(page.lang, &found.headline()))
}

/// A sealed decision as listed.
pub struct DecisionRow {
    /// Its permanent address.
    pub href: String,
    /// What was decided.
    pub word: String,
    /// Shape and tone.
    pub mark: (&'static str, &'static str),
    /// The change.
    pub change: String,
    /// Who.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Note.
    pub note: String,
    /// Digest of the record, shortened.
    pub digest: String,
    /// Place in the audit log.
    pub audit: i64,
}

/// The decisions, newest first.
pub fn decisions(page: &Page, case: &CaseFile, beside: &Beside) -> Vec<DecisionRow> {
    beside
        .decisions
        .iter()
        .map(|d| DecisionRow {
            href: format!("/decisions/{}", d.id),
            word: page.t(&say::key("decision", &d.kind)),
            mark: match d.kind.as_str() {
                "accepted" => ("holds", "good"),
                "rolled_back" => ("back", "bad"),
                _ => ("breaks", "quiet"),
            },
            change: case
                .change(d.change_id)
                .map(Change::label)
                .unwrap_or_default(),
            by: d.by.clone(),
            at: d.at,
            note: cut(&d.note, 400),
            digest: format::short_digest(&d.digest).to_owned(),
            audit: d.audit_seq,
        })
        .collect()
}

/// An explanation with what speaks for and against it.
pub struct HypothesisView {
    /// Id, for the form.
    pub id: Uuid,
    /// `H-2`.
    pub label: String,
    /// Stage it blames.
    pub stage: String,
    /// Words.
    pub text: String,
    /// Who.
    pub by: String,
    /// For and against: whether it supports, the item, words, who.
    pub arguments: Vec<(bool, String, String, String)>,
}

/// The explanations, oldest first.
pub fn hypotheses(page: &Page, case: &CaseFile) -> Vec<HypothesisView> {
    case.hypotheses
        .iter()
        .map(|h| HypothesisView {
            id: h.id,
            label: format!("H-{}", h.number),
            stage: format!("{} {}", h.stage.number(), super::stage_name(page, h.stage)),
            text: h.text.clone(),
            by: case.name_of(h.by),
            arguments: h
                .arguments
                .iter()
                .map(|a| {
                    let item = case.item(a.evidence_id);
                    (
                        a.supports,
                        item.map(crate::ladder::evidence::Evidence::label)
                            .unwrap_or_default(),
                        a.note.clone(),
                        case.name_of(a.by),
                    )
                })
                .collect(),
        })
        .collect()
}

/// Stages to choose from: number and name.
pub fn stage_choices(page: &Page) -> Vec<(u8, String)> {
    Stage::ALL
        .into_iter()
        .map(|s| (s.number(), super::stage_name(page, s)))
        .collect()
}

/// People of the case.
pub struct PeopleView {
    /// Owner, when there is one.
    pub owner: Option<String>,
    /// Whether the reader was handed it and has not accepted it.
    pub can_accept: bool,
    /// Participants, reviewers asked, people excluded: name and part.
    pub parts: Vec<(String, String)>,
    /// Whether the reader may take it.
    pub can_take: bool,
    /// Whom the reader may hand it to.
    pub hand_to: Vec<(Uuid, String)>,
    /// Everybody who worked on it.
    pub on_case: String,
    /// Who watches the canary.
    pub watcher: Option<String>,
    /// Who may decide: active reviewers who did not contribute.
    pub reviewers: String,
}

/// The people as shown.
pub fn people(page: &Page, case: &CaseFile) -> PeopleView {
    let can = open_to(page, case, Act::AssignOwner);
    let me = page.reader.as_ref().map(|r| r.id);
    let names = |ids: &mut dyn Iterator<Item = String>| ids.collect::<Vec<_>>().join(", ");
    let hands = |to: &dyn Fn(&crate::web::Reader) -> Uuid| {
        let reader = page.reader.as_ref();
        reader.is_some_and(|r| super::owner::may_hand(r, case, to(r)))
    };
    let live = case.live_change();
    let reviewers = match live {
        Some(change) => names(
            &mut contributor::eligible(case, change)
                .into_iter()
                .map(|p| p.name.clone()),
        ),
        None => names(
            &mut case
                .people
                .iter()
                .filter(|p| p.active && p.roles.contains(&Role::Reviewer))
                .map(|p| p.name.clone()),
        ),
    };
    PeopleView {
        owner: case.owner.map(|o| case.name_of(o)),
        can_accept: can && case.owner == me && case.life.accepted_at.is_none(),
        parts: case
            .life
            .parts
            .iter()
            .map(|p| {
                let word = page.t(&say::key("case-part", p.part.id()));
                (case.name_of(p.person), word)
            })
            .collect(),
        can_take: can && case.owner != me && hands(&|r| r.id),
        hand_to: if can && case.owner.is_some() && hands(&|_| Uuid::nil()) {
            case.people
                .iter()
                .filter(|p| p.active && Some(p.id) != case.owner && Some(p.id) != me)
                .filter(|p| p.roles.contains(&Role::Responder))
                .map(|p| (p.id, p.name.clone()))
                .collect()
        } else {
            Vec::new()
        },
        on_case: names(&mut worked(case).into_iter().map(|id| case.name_of(id))),
        watcher: live
            .and_then(Change::current)
            .map(|r| cut(&r.terms.plan.watcher, 80))
            .filter(|w| !w.is_empty()),
        reviewers,
    }
}

fn worked(case: &CaseFile) -> Vec<Uuid> {
    let mut ids = vec![case.opened_by];
    ids.extend(case.owner);
    ids.extend(case.runs.iter().map(|r| r.by));
    ids.extend(case.evidence.iter().map(|e| e.added_by));
    ids.extend(case.declarations.iter().map(|d| d.by));
    ids.extend(case.hypotheses.iter().map(|h| h.by));
    ids.extend(case.records.iter().map(|r| r.by));
    ids.extend(case.changes.iter().map(|c| c.author));
    let mut seen = std::collections::BTreeSet::new();
    ids.retain(|id| seen.insert(*id));
    ids
}
