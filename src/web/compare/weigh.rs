//! What a comparison says beyond its points, as shown: intervals and tests of a row, the charts of
//! both distributions, sweeps, and what a profiler costs.

use crate::ladder::compare::{Comparison, Row};
use crate::ladder::weigh::{Curve, Interval, Outcome, Swept, Twin};
use crate::ladder::{Statistic, Unit};
use crate::web::charts::line::{Line, Lines, Rule};
use crate::web::charts::{Chart, Naming, scale};
use crate::web::{Page, changes::words, format, say};
use std::collections::HashMap;

/// Charts on one page at most; every row's numbers stand in the table all the same.
const CHARTS: usize = 6;

/// A value with its unit, or that there is none.
fn end(page: &Page, value: Option<f64>, unit: Unit) -> String {
    match value {
        Some(v) => format::value(page.lang, v, unit).to_string(),
        None => page.t("compare-no-bound"),
    }
}

fn between(page: &Page, key: &str, i: &Interval, unit: Unit) -> String {
    let (low, high) = (end(page, i.low, unit), end(page, i.high, unit));
    page.t2(key, "low", low, "high", high)
}

/// A chance, with as many decimals as it deserves.
fn chance(page: &Page, p: f64) -> String {
    if p < 0.0001 {
        return format!("< {}", format::fixed(page.lang, 0.0001, 4));
    }
    format::fixed(page.lang, p, 4)
}

/// What a row says about its change: the outcome, and lines under it.
pub struct Weighed {
    /// In words: better, not worse, worse, ….
    pub outcome: String,
    /// Whether it is to the worse.
    pub worse: bool,
    /// The change with its interval; `None` = there is none.
    pub change: Option<String>,
    /// Method, sizes, chances, bounds, tolerance, seed.
    pub lines: Vec<String>,
}

/// A row's change as shown.
pub fn row(page: &Page, r: &Row) -> Weighed {
    let w = &r.weighed;
    let change = w.change.as_ref().map(|c| {
        let point = c
            .point
            .map(|p| format::value(page.lang, p, r.unit).to_string());
        let ends = between(page, "weigh-between", c, r.unit);
        match point {
            Some(point) => format!("{point} ({ends})"),
            None => ends,
        }
    });
    Weighed {
        outcome: page.t(&say::key("weigh-outcome", w.outcome.id())),
        worse: w.outcome == Outcome::Worse,
        lines: lines(page, r),
        change,
    }
}

fn lines(page: &Page, r: &Row) -> Vec<String> {
    let w = &r.weighed;
    let mut out = vec![page.t(&say::key("weigh-method", w.method.id()))];
    let n =
        w.n.map(|n| n.map_or_else(|| page.t("weigh-unknown"), |n| page.count(n)));
    let [baseline, candidate] = n;
    out.push(page.t2("weigh-n", "baseline", baseline, "candidate", candidate));
    match (w.p, w.p_adjusted) {
        (Some(p), Some(adjusted)) => {
            let (p, adjusted) = (chance(page, p), chance(page, adjusted));
            out.push(page.t2("weigh-p", "p", p, "adjusted", adjusted));
        }
        (Some(p), None) => out.push(page.t1("weigh-p-alone", "p", chance(page, p))),
        (None, _) => {}
    }
    if let Some(bounds) = &w.candidate {
        out.push(between(page, "weigh-bounds", bounds, r.unit));
    }
    if let (Some(tolerated), true) = (w.tolerated, w.change.is_some()) {
        let tolerated = format::value(page.lang, tolerated, r.unit);
        out.push(page.t1("weigh-tolerated", "tolerated", tolerated));
    }
    if let Some((seed, replicates)) = w.seed.zip(w.replicates) {
        out.push(page.t2(
            "weigh-seed",
            "seed",
            seed,
            "replicates",
            page.count(replicates),
        ));
    }
    if let Some(windows) = w.windows {
        out.push(page.t1("weigh-windows", "count", windows));
    }
    if let Some((m, shift)) = w.middle.and_then(|m| Some((m, m.shift?))) {
        let effect = pel_evidence::statistics::Effect::of(m.delta);
        out.push(page.text(
            "weigh-shift",
            &[
                ("shift", &end(page, shift.point, r.unit)),
                ("low", &end(page, shift.low, r.unit)),
                ("high", &end(page, shift.high, r.unit)),
                ("effect", &page.t(&format!("weigh-effect-{}", effect.id()))),
            ],
        ));
    }
    out.extend(w.remarks.iter().map(|s| say::sentence(page.lang, s)));
    out
}

/// Both distributions of a row, drawn.
pub struct Overlay {
    /// What it shows.
    pub title: String,
    /// How to read it, and which axis is logarithmic.
    pub caption: String,
    /// The chart.
    pub chart: Chart,
    /// Values at chosen shares: share, baseline, candidate.
    pub rows: Vec<(String, String, String)>,
}

/// The bases whose curves the page draws, one per signal.
pub fn bases(c: &Comparison) -> Vec<String> {
    let mut seen = Vec::new();
    let mut bases = Vec::new();
    for r in &c.rows {
        let about = (&r.signal, &r.class, &r.band);
        if let (Some(basis), false) = (&r.weighed.basis, seen.contains(&about)) {
            seen.push(about);
            bases.push(basis.clone());
        }
    }
    bases.truncate(CHARTS);
    bases
}

/// The overlays of the rows whose curves are there.
pub fn overlays(page: &Page, c: &Comparison, curves: &HashMap<String, Curve>) -> Vec<Overlay> {
    let drawn = c.rows.iter().filter_map(|r| {
        let basis = r.weighed.basis.as_ref()?;
        overlay(page, r, curves.get(basis)?)
    });
    drawn.collect()
}

fn overlay(page: &Page, r: &Row, curve: &Curve) -> Option<Overlay> {
    let all = || curve.baseline.iter().chain(&curve.candidate);
    let greatest = all().map(|p| p.0.abs()).fold(0.0, f64::max);
    let shown = scale::shown(r.unit, greatest);
    let line = |key: &str, points: &[(f64, f64)]| Line {
        name: page.t(key),
        points: points
            .iter()
            .map(|(v, share)| (share * 100.0, v * shown.factor))
            .collect(),
    };
    let name = say::signal_name(page.lang, &r.signal);
    let mut drawn = Lines {
        lang: page.lang,
        y_title: titled(&name, shown.sign),
        x_title: titled(&page.t("weigh-share"), "%"),
        // The first line is solid, the second dashed.
        lines: vec![
            line("compare-candidate", &curve.candidate),
            line("compare-baseline", &curve.baseline),
        ],
        log: all().all(|p| p.0 > 0.0),
        across: Vec::new(),
        upright: Vec::new(),
    };
    drawn.lines.retain(|l| !l.points.is_empty());
    let log = drawn.is_log();
    if log {
        drawn.y_title = page.t1("chart-axis-log", "title", &drawn.y_title);
    }
    let title = page.t1("weigh-chart", "signal", &name);
    let axis = page.t(if log {
        "weigh-axis-log"
    } else {
        "weigh-axis-linear"
    });
    let caption = page.t1("weigh-chart-caption", "axis", axis);
    let naming = Naming {
        id: format!("dist-{}", r.limit_id.replace('.', "-")),
        title: title.clone(),
        desc: caption.clone(),
    };
    let rows = [0.5, 0.9, 0.95, 0.99].map(|share| {
        let at = |points: &[(f64, f64)]| {
            let found = points.iter().find(|p| p.1 >= share - 1e-12).map(|p| p.0);
            found.map_or_else(
                || page.t("weigh-unknown"),
                |v| format::value(page.lang, v, r.unit).to_string(),
            )
        };
        let share_shown = format::value(page.lang, share, Unit::Ratio).to_string();
        (share_shown, at(&curve.baseline), at(&curve.candidate))
    });
    Some(Overlay {
        chart: drawn.chart(&naming)?,
        title,
        caption,
        rows: rows.to_vec(),
    })
}

fn titled(name: &str, sign: &str) -> String {
    if sign.is_empty() {
        name.to_owned()
    } else {
        format!("{name}, {sign}")
    }
}

/// A pair of sweeps as shown.
pub struct Sweep {
    /// Signal, statistic and budget.
    pub title: String,
    /// Shape, tone and word of what is done with the change.
    pub mark: words::Mark,
    /// Reasons, changes, operating points.
    pub lines: Vec<String>,
    /// Throughput against tail.
    pub chart: Option<Chart>,
    /// Load, then throughput and tail of each side.
    pub rows: Vec<[String; 5]>,
}

/// The sweeps of a comparison as shown.
pub fn sweeps(page: &Page, c: &Comparison) -> Vec<Sweep> {
    c.sweeps.iter().map(|s| sweep(page, s)).collect()
}

fn sweep(page: &Page, s: &Swept) -> Sweep {
    let measure = measure(page, &s.signal, s.statistic);
    let budget = format::value(page.lang, s.budget, s.unit);
    let title = page.t2("weigh-sweep-budget", "measure", &measure, "budget", budget);
    let (shape, tone) = match s.verdict.as_str() {
        "keep" => ("holds", "good"),
        "revert" => ("breaks", "bad"),
        "trade_off" => ("half", "warn"),
        _ => ("unknown", "quiet"),
    };
    let share = |v: Option<f64>| match v {
        Some(v) => format::value(page.lang, v, Unit::Ratio).to_string(),
        None => page.t("weigh-unknown"),
    };
    let mut lines: Vec<String> = s
        .reasons
        .iter()
        .map(|r| page.t(&say::key("weigh-sweep-reason", r)))
        .collect();
    for (key, side) in [
        ("compare-baseline", &s.baseline),
        ("compare-candidate", &s.candidate),
    ] {
        let point = match side.operating {
            Some((load, throughput, _)) => {
                let (load, rate) = (number(page, load), number(page, throughput));
                page.t2("weigh-sweep-point", "throughput", rate, "load", load)
            }
            None => page.t("weigh-sweep-no-point"),
        };
        lines.push(format!("{} {}: {point}", page.t(key), side.run));
    }
    lines.push(page.text(
        "weigh-sweep-changes",
        &[
            ("throughput", &share(s.throughput_change)),
            ("tail", &share(s.tail_change)),
            ("noise", &share(Some(s.noise))),
        ],
    ));
    Sweep {
        mark: (shape, tone, page.t(&say::key("weigh-sweep", &s.verdict))),
        chart: curve(page, s, &title, &measure),
        rows: points(page, s),
        title,
        lines,
    }
}

fn number(page: &Page, v: f64) -> String {
    format::number(page.lang, v)
}

fn measure(page: &Page, signal: &str, statistic: Statistic) -> String {
    say::listed(page.lang, signal, statistic)
}

fn curve(page: &Page, s: &Swept, title: &str, measure: &str) -> Option<Chart> {
    let tails = s
        .baseline
        .points
        .iter()
        .chain(&s.candidate.points)
        .filter_map(|p| p.2);
    let shown = scale::shown(s.unit, tails.clone().fold(s.budget, f64::max));
    let line = |key: &str, side: &crate::ladder::weigh::SweepCurve| Line {
        name: page.t(key),
        points: side
            .points
            .iter()
            .filter_map(|p| Some((p.1, p.2? * shown.factor)))
            .collect(),
    };
    let drawn = Lines {
        lang: page.lang,
        y_title: page.t1("chart-axis-log", "title", titled(measure, shown.sign)),
        x_title: titled(&say::signal_name(page.lang, "inference_throughput"), "/s"),
        lines: vec![
            line("compare-candidate", &s.candidate),
            line("compare-baseline", &s.baseline),
        ],
        log: tails.clone().all(|t| t > 0.0),
        across: vec![Rule::limit(
            s.budget * shown.factor,
            page.t("compare-limit"),
        )],
        upright: Vec::new(),
    };
    drawn.chart(&Naming {
        id: format!("sweep-{}", s.limit_id.replace('.', "-")),
        title: title.to_owned(),
        desc: title.to_owned(),
    })
}

fn points(page: &Page, s: &Swept) -> Vec<[String; 5]> {
    let mut loads: Vec<f64> = s
        .baseline
        .points
        .iter()
        .chain(&s.candidate.points)
        .map(|p| p.0)
        .collect();
    loads.sort_by(f64::total_cmp);
    loads.dedup();
    let of = |side: &crate::ladder::weigh::SweepCurve, load: f64| {
        let point = side.points.iter().find(|p| p.0 == load);
        let unknown = || page.t("weigh-unknown");
        let rate = point.map_or_else(unknown, |p| number(page, p.1));
        let tail = point.and_then(|p| p.2);
        let tail = tail.map_or_else(unknown, |t| format::value(page.lang, t, s.unit).to_string());
        (rate, tail)
    };
    let row = |load: f64| {
        let ((a, b), (c, d)) = (of(&s.baseline, load), of(&s.candidate, load));
        [number(page, load), a, b, c, d]
    };
    loads.into_iter().map(row).collect()
}

/// What a profiler costs, as shown: signal, profiled run and value, unprofiled run and value,
/// overhead.
pub fn twins(page: &Page, c: &Comparison) -> Vec<[String; 4]> {
    let row = |t: &Twin| {
        let value = |v: f64| format::value(page.lang, v, t.unit).to_string();
        [
            measure(page, &t.signal, t.statistic),
            format!("{} {}", t.profiled, value(t.with)),
            format!("{} {}", t.unprofiled, value(t.without)),
            t.overhead.map_or_else(
                || page.t("weigh-unknown"),
                |o| format::value(page.lang, o, Unit::Ratio).to_string(),
            ),
        ]
    };
    c.twins.iter().map(row).collect()
}
