//! The comparison table as shown: one row per limit, class and band; breaking rows first.

use super::{strip, weigh};
use crate::ladder::Unit;
use crate::ladder::canary::{CanaryVerdict, Whole};
use crate::ladder::compare::{Comparison, Row, Side};
use crate::ladder::measure::Verdict;
use crate::ladder::run::Phase;
use crate::web::format::{self, Markup, Shown};
use crate::web::runs::environment::sources;
use crate::web::{Page, changes::words, say};

/// One side of a row.
pub struct Cell {
    /// The value; `None` = not measured.
    pub value: Option<Shown>,
    /// Label of the run the value is of, the worst of the side.
    pub run: Option<String>,
    /// Whether it breaks the limit.
    pub breaks: bool,
    /// Samples behind it.
    pub samples: Option<String>,
}

/// One limit.
pub struct RowView {
    /// Whether it breaks, for the mark at its edge.
    pub breaks: bool,
    /// Signal and statistic.
    pub name: String,
    /// Class and band.
    pub about: String,
    /// `≤` or `≥`.
    pub sign: &'static str,
    /// The limit.
    pub limit: Shown,
    /// The service as it stands, and with the change.
    pub sides: [Cell; 2],
    /// What the change makes of it, in words.
    pub difference: String,
    /// The change with its interval, and how sure it is.
    pub weighed: weigh::Weighed,
    /// Range over repeated runs of each side, or that there is none; named by side.
    pub spread: [(String, String); 2],
    /// Where both stand against the limit.
    pub strip: Markup,
    /// Shape, tone and word of the verdict.
    pub mark: words::Mark,
    /// Why it cannot be told, or does not pass.
    pub reason: Option<String>,
}

/// A fact in which both sides differ.
pub struct Differs {
    /// Its key.
    pub key: String,
    /// The baseline's value.
    pub a: String,
    /// The candidate's value.
    pub b: String,
    /// Whether the change declares it.
    pub declared: bool,
    /// Who says each of them, in words.
    pub from: [String; 2],
}

/// A comparison in one phase.
pub struct Table {
    /// Phase, in words.
    pub phase: String,
    /// Its id, for addresses.
    pub phase_id: &'static str,
    /// The first line: how many limits break.
    pub headline: String,
    /// Why the sides cannot be compared at all.
    pub refused: Vec<String>,
    /// `R-1, R-2`.
    pub baseline: String,
    /// `R-3`.
    pub candidate: String,
    /// Contract, `chat v3`.
    pub contract: String,
    /// Rows.
    pub rows: Vec<RowView>,
    /// Facts that differ.
    pub environment: Vec<Differs>,
    /// Whether both sides carry the same data.
    pub identical: bool,
}

impl Table {
    /// A comparison as shown.
    pub fn of(page: &Page, c: &Comparison) -> Self {
        Self {
            rows: c.rows.iter().map(|r| row(page, r)).collect(),
            ..Self::frame(page, c)
        }
    }

    /// The same with the verdicts of a canary, whose rows are judged more strictly.
    pub fn canary(page: &Page, c: &Comparison, verdict: &CanaryVerdict) -> Self {
        let rows = verdict.rows.iter().map(|r| {
            let mark = whole(page, r.verdict);
            let reason = r.reason.as_ref().map(|s| say::sentence(page.lang, s));
            RowView {
                breaks: r.verdict == Whole::Fail,
                mark,
                reason,
                ..row(page, &r.row)
            }
        });
        Self {
            rows: rows.collect(),
            ..Self::frame(page, c)
        }
    }

    fn frame(page: &Page, c: &Comparison) -> Self {
        let unknown = || page.t("compare-not-stated");
        Self {
            phase: phase(page, c.phase),
            phase_id: c.phase.id(),
            headline: say::sentence(page.lang, &c.headline()),
            refused: c
                .refused
                .iter()
                .map(|s| say::sentence(page.lang, s))
                .collect(),
            baseline: c.baseline.join(", "),
            candidate: c.candidate.join(", "),
            contract: c.contract.clone(),
            rows: Vec::new(),
            environment: c
                .environment
                .iter()
                .map(|d| Differs {
                    key: d.fact.key.clone(),
                    a: d.fact.a.clone().unwrap_or_else(unknown),
                    b: d.fact.b.clone().unwrap_or_else(unknown),
                    declared: d.declared,
                    from: [&d.sources[0], &d.sources[1]].map(|s| sources(page, s)),
                })
                .collect(),
            identical: c.identical,
        }
    }
}

/// The word for a phase.
pub fn phase(page: &Page, phase: Phase) -> String {
    page.t(&format!("phase-{}", phase.id()))
}

fn whole(page: &Page, verdict: Whole) -> words::Mark {
    match verdict {
        Whole::Pass => mark(page, &Verdict::Holds),
        Whole::Fail => mark(page, &Verdict::Breaks),
        Whole::Inconclusive => ("unknown", "quiet", page.t("verdict-cannot-tell")),
    }
}

/// Shape, tone and word of a verdict.
pub fn mark(page: &Page, verdict: &Verdict) -> words::Mark {
    let (shape, tone) = match verdict {
        Verdict::Holds => ("holds", "good"),
        Verdict::Breaks => ("breaks", "bad"),
        Verdict::CannotTell(_) => ("unknown", "quiet"),
    };
    (shape, tone, page.t(&say::key("verdict", verdict.id())))
}

fn row(page: &Page, r: &Row) -> RowView {
    let class = r
        .class
        .clone()
        .unwrap_or_else(|| page.t("gate-all-classes"));
    let band = r.band.clone().unwrap_or_else(|| page.t("gate-all-bands"));
    RowView {
        breaks: r.verdict == Verdict::Breaks,
        name: say::listed(page.lang, &r.signal, r.statistic),
        about: format!("{class}, {band}"),
        sign: r.comparator.sign(),
        limit: format::value(page.lang, r.limit, r.unit),
        sides: [&r.baseline, &r.candidate].map(|s| cell(page, s, r)),
        difference: difference(page, r),
        weighed: weigh::row(page, r),
        spread: [
            ("compare-baseline", &r.baseline),
            ("compare-candidate", &r.candidate),
        ]
        .map(|(key, side)| (page.t(key), spread(page, side, r.unit))),
        strip: strip::of(r),
        mark: mark(page, &r.verdict),
        reason: r
            .verdict
            .reason()
            .or(r.why.as_ref())
            .map(|s| say::sentence(page.lang, s)),
    }
}

fn cell(page: &Page, side: &Side, r: &Row) -> Cell {
    Cell {
        value: side.value.map(|v| format::value(page.lang, v, r.unit)),
        run: side.worst(r.comparator).map(|m| m.run.clone()),
        breaks: side.verdict == Some(Verdict::Breaks),
        samples: side.samples.map(|n| page.count(n)),
    }
}

/// The difference in words: a share is compared in points, everything else also as a share.
fn difference(page: &Page, r: &Row) -> String {
    let Some(abs) = r.difference_abs else {
        return page.t("compare-no-difference-known");
    };
    if abs == 0.0 {
        return page.t("compare-equal");
    }
    let side = if abs > 0.0 { "more" } else { "less" };
    if r.unit == Unit::Ratio {
        let points = format::number(page.lang, abs.abs() * 100.0);
        return page.t1(&format!("compare-points-{side}"), "points", points);
    }
    let size = format::value(page.lang, abs.abs(), r.unit).to_string();
    let side = match (r.unit, side) {
        (Unit::Seconds, "more") => "slower",
        (Unit::Seconds, _) => "faster",
        (_, side) => side,
    };
    match r.difference_rel {
        Some(rel) => {
            let share = format::value(page.lang, rel.abs(), Unit::Ratio).to_string();
            page.t2(&format!("compare-{side}"), "size", size, "share", share)
        }
        None => page.t1(&format!("compare-{side}-abs"), "size", size),
    }
}

fn spread(page: &Page, side: &Side, unit: Unit) -> String {
    match (side.spread(), side.measured()) {
        (Some((least, most)), runs) => page.text(
            "compare-spread",
            &[
                ("least", &format::value(page.lang, least, unit).to_string()),
                ("most", &format::value(page.lang, most, unit).to_string()),
                ("count", &runs.to_string()),
            ],
        ),
        (None, 0) => page.t("compare-no-run"),
        (None, _) => page.t("compare-one-run"),
    }
}
