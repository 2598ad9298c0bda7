//! The compare page: runs are chosen in the address, one phase for both sides.

use super::table::{self, Table};
use super::weigh;
use crate::ladder::CaseFile;
use crate::ladder::Unit;
use crate::ladder::canary;
use crate::ladder::compare::{self, Comparison};
use crate::ladder::gate;
use crate::ladder::policy::Act;
use crate::ladder::run::{Phase, Profiled, Run, RunRole};
use crate::ladder::weigh::Curve;
use crate::store::weighing;
use crate::web::page::{Nav, show};
use crate::web::{
    App, Error, Page, Reader, Result, changes, changes::words, format, say, visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Path, State},
    response::Response,
};
use axum_extra::extract::Form;
use serde::Deserialize;
use std::collections::HashMap;
use uuid::Uuid;

/// Phases that can be compared.
const PHASES: [Phase; 3] = [Phase::Cold, Phase::Warm, Phase::Canary];

/// What the address asks for: run labels (repeated, or separated by commas) and a phase.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// Baseline runs.
    pub base: Vec<String>,
    /// Candidate runs.
    pub cand: Vec<String>,
    /// `cold`, `warm` or `canary`.
    pub phase: String,
}

/// The runs to compare.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// Phase of both sides.
    pub phase: Phase,
    /// Baseline.
    pub baseline: Vec<Uuid>,
    /// Candidate.
    pub candidate: Vec<Uuid>,
    /// Whether the address named any run.
    pub asked: bool,
}

impl Chosen {
    /// What the address asks for; without runs in it, those the gate would compare.
    ///
    /// # Errors
    /// `NotFound` for a run that is not of this case, or no such phase.
    pub fn of(case: &CaseFile, asked: &Asked) -> Result<Self> {
        let phase = match asked.phase.as_str() {
            "" => Phase::Warm,
            id => PHASES
                .into_iter()
                .find(|p| p.id() == id)
                .ok_or(Error::NotFound)?,
        };
        let runs = |labels: &[String]| -> Result<Vec<Uuid>> {
            labels
                .iter()
                .flat_map(|l| l.split(','))
                .map(str::trim)
                .filter(|l| !l.is_empty())
                .map(|l| {
                    let number = changes::number_of(l, "R").ok_or(Error::NotFound)?;
                    let run = case.runs.iter().find(|r| i64::from(r.number) == number);
                    run.ok_or(Error::NotFound)
                })
                // Another phase was chosen than the runs ticked before: they cannot be mixed.
                .filter(|r| r.as_ref().map_or(true, |r| r.stated.phase == phase))
                .map(|r| r.map(|r| r.id))
                .collect()
        };
        let (baseline, candidate) = (runs(&asked.base)?, runs(&asked.cand)?);
        if baseline.is_empty() && candidate.is_empty() {
            return Ok(Self::usual(case, phase));
        }
        Ok(Self {
            phase,
            baseline,
            candidate,
            asked: true,
        })
    }

    /// The runs the gate compares in a phase; without a change, all that are unprofiled.
    pub fn usual(case: &CaseFile, phase: Phase) -> Self {
        let (baseline, candidate) = gate::usual_runs(case, phase);
        Self {
            phase,
            baseline,
            candidate,
            asked: false,
        }
    }

    /// The part of the address that chooses exactly these runs.
    pub fn query(&self, case: &CaseFile) -> String {
        let labels = |ids: &[Uuid]| {
            ids.iter()
                .filter_map(|id| case.run(*id))
                .map(Run::label)
                .collect::<Vec<_>>()
                .join(",")
        };
        let (base, cand) = (labels(&self.baseline), labels(&self.candidate));
        format!("base={base}&cand={cand}&phase={}", self.phase.id())
    }
}

fn runs_in(case: &CaseFile, phase: Phase, role: RunRole) -> impl Iterator<Item = &Run> {
    case.runs
        .iter()
        .filter(move |r| r.stated.phase == phase && r.stated.role == role)
}

/// One of the three blocks at the top.
struct Block {
    phase: String,
    mark: words::Mark,
    said: String,
    needed: String,
    href: String,
    current: bool,
}

/// A run that can be ticked.
struct Tick {
    label: String,
    about: String,
    on: bool,
}

#[derive(Template)]
#[template(path = "compare/show.html")]
struct ComparePage {
    page: Page,
    case: CaseFile,
    table: Table,
    blocks: Vec<Block>,
    phases: Vec<(&'static str, String, bool)>,
    baseline: Vec<Tick>,
    candidate: Vec<Tick>,
    query: String,
    canary: Option<(words::Mark, Vec<String>)>,
    about: String,
    overlays: Vec<weigh::Overlay>,
    sweeps: Vec<weigh::Sweep>,
    twins: Vec<[String; 4]>,
}

/// The curves of a comparison; what is not calculated yet is asked for.
async fn curves(
    app: &App,
    case: &CaseFile,
    chosen: &Chosen,
    compared: &Comparison,
    visit: &Visit,
) -> Result<HashMap<String, Curve>> {
    let mut conn = app.conn().await?;
    let asked = compare::asked(case, &chosen.baseline, &chosen.candidate, chosen.phase);
    let known = |basis: &str| case.calculated.iter().any(|c| c.basis == basis);
    if asked.iter().any(|a| !known(&a.basis())) {
        let runs = weighing::Chosen {
            phase: chosen.phase,
            baseline: chosen.baseline.clone(),
            candidate: chosen.candidate.clone(),
        };
        weighing::want_chosen(&mut conn, case.id, runs, visit.now).await?;
    }
    let bases = weigh::bases(compared);
    Ok(weighing::curves(&mut conn, case.id, &bases).await?)
}

/// `GET /cases/{c}/compare`
pub async fn get(
    State(app): State<App>,
    Path(label): Path<String>,
    reader: Reader,
    page: Page,
    visit: Visit,
    Form(asked): Form<Asked>,
) -> Result<Response> {
    reader.may(Act::Read)?;
    let case = changes::load(&app, &reader, &label).await?;
    let chosen = Chosen::of(&case, &asked)?;
    let compared = compare::compare(&case, &chosen.baseline, &chosen.candidate, chosen.phase);
    let curves = curves(&app, &case, &chosen, &compared, &visit).await?;
    let verdict = case
        .live_change()
        .filter(|_| chosen.phase == Phase::Canary && !chosen.asked)
        .map(|c| canary::verdict(&case, c))
        .filter(|v| v.ended_at.is_some());
    let table = match &verdict {
        Some(v) => Table::canary(&page, &compared, v),
        None => Table::of(&page, &compared),
    };
    let canary = verdict.as_ref().map(|v| {
        let reasons = v
            .reasons
            .iter()
            .map(|s| say::sentence(page.lang, s))
            .collect();
        (words::whole_mark(&page, v.whole), reasons)
    });
    let blocks = PHASES
        .into_iter()
        .map(|phase| block(&page, &case, phase, &chosen, &compared))
        .collect();
    let ticks = |role, ids: &[Uuid]| {
        runs_in(&case, chosen.phase, role)
            .map(|r| Tick {
                label: r.label(),
                about: about(&page, r),
                on: ids.contains(&r.id),
            })
            .collect()
    };
    let phases = PHASES
        .map(|p| (p.id(), table::phase(&page, p), p == chosen.phase))
        .to_vec();
    let level = format::value(page.lang, 1.0 - case.policy.alpha, Unit::Ratio);
    show(&ComparePage {
        about: page.t1("weigh-about", "level", level),
        overlays: weigh::overlays(&page, &compared, &curves),
        sweeps: weigh::sweeps(&page, &compared),
        twins: weigh::twins(&page, &compared),
        baseline: ticks(RunRole::Baseline, &chosen.baseline),
        candidate: ticks(RunRole::Candidate, &chosen.candidate),
        query: chosen.query(&case),
        page: page.at(Nav::Cases),
        case,
        table,
        blocks,
        phases,
        canary,
    })
}

/// What tells a run from its neighbours.
pub fn about(page: &Page, run: &Run) -> String {
    let s = &run.stated;
    let mut parts = vec![
        s.class
            .clone()
            .unwrap_or_else(|| page.t("gate-all-classes")),
    ];
    parts.extend(s.band.clone());
    if s.profiled != Profiled::No {
        parts.push(page.t(&format!("profiled-{}", s.profiled.id())));
    }
    let setting = s
        .environment
        .facts
        .iter()
        .find(|(k, _)| k.starts_with("setting."));
    parts.extend(setting.map(|(k, v)| format!("{} {v}", k.trim_start_matches("setting."))));
    parts.join(" · ")
}

fn block(page: &Page, case: &CaseFile, phase: Phase, chosen: &Chosen, shown: &Comparison) -> Block {
    let current = phase == chosen.phase;
    let runs = if current {
        chosen.clone()
    } else {
        Chosen::usual(case, phase)
    };
    let compared;
    let c = if current {
        shown
    } else {
        compared = compare::compare(case, &runs.baseline, &runs.candidate, phase);
        &compared
    };
    let required = case
        .contract
        .as_ref()
        .is_some_and(|v| v.terms.limits_cold())
        || case
            .live_change()
            .and_then(|c| c.current())
            .is_some_and(|r| r.terms.touches_start_up);
    let required = required || phase != Phase::Cold;
    let missing = c.candidate.is_empty();
    let (mark, said) = match (missing, phase) {
        (true, Phase::Cold) if !required => (
            ("na", "quiet", page.t("compare-not-required")),
            page.t("compare-cold-not-required"),
        ),
        (true, _) => (
            ("missing", "warn", page.t("compare-missing")),
            page.t(&format!("compare-missing-{}", phase.id())),
        ),
        (false, _) => (
            headline_mark(page, c),
            say::sentence(page.lang, &c.headline()),
        ),
    };
    Block {
        phase: table::phase(page, phase),
        mark,
        said,
        needed: page.t(if required {
            "weigh-required"
        } else {
            "weigh-not-required"
        }),
        href: format!("/cases/{}/compare?{}", case.label(), runs.query(case)),
        current,
    }
}

fn headline_mark(page: &Page, c: &Comparison) -> words::Mark {
    if !c.refused.is_empty() {
        return ("half", "warn", page.t("compare-refused-word"));
    }
    match (c.counts.breaks, c.counts.cannot_tell) {
        (1.., _) => ("breaks", "bad", page.t("verdict-breaks")),
        (_, 1..) => ("unknown", "quiet", page.t("verdict-cannot-tell")),
        _ if c.rows.is_empty() => ("na", "quiet", page.t("compare-nothing-judged")),
        _ => ("holds", "good", page.t("verdict-holds")),
    }
}
