//! A sweep over load held against the contract: throughput against tail latency, with the limit as
//! a line, the point of most throughput within it, and the knee.

use crate::{
    ladder::{
        CaseFile,
        contract::{Comparator, Limit, LimitPhase},
        weigh::{self, Alone},
    },
    web::{
        Page,
        case::stages::limit_words,
        charts::{
            Chart, Naming,
            figure::FigureView,
            line::{Line, Lines, Rule},
            scale,
        },
        format::{self, Markup},
        say,
    },
};
use pel_evidence::{Signal, Unit};

/// One figure per latency limit of the contract that the signals are a sweep of.
pub fn figures(page: &Page, case: &CaseFile, signals: &[Signal]) -> Vec<FigureView> {
    let limits = case.contract.iter().flat_map(|v| &v.terms.limits);
    limits
        .filter(|l| {
            l.phase == LimitPhase::Warm
                && l.comparator == Comparator::AtMost
                && l.statistic.quantile().is_some()
                && l.unit() == Unit::Seconds
        })
        .enumerate()
        .filter_map(|(i, limit)| {
            let found = weigh::alone(signals, limit)?;
            Some(figure(page, limit, &found, i))
        })
        .collect()
}

fn figure(page: &Page, limit: &Limit, found: &Alone, index: usize) -> FigureView {
    let measure = format!(
        "{} {}",
        say::signal_name(page.lang, &limit.signal),
        say::statistic(page.lang, limit.statistic)
    );
    let title = page.t1(
        "chart-sweep",
        "limit",
        format!("{measure} {}", limit_words(page, limit)),
    );
    let rate = |v: f64| format::value(page.lang, v, Unit::PerSecond).to_string();
    let mut notes = vec![page.t("chart-sweep-caption")];
    notes.push(match found.curve.operating {
        Some((load, throughput, _)) => page.t2(
            "chart-sweep-point",
            "throughput",
            rate(throughput),
            "load",
            format::number(page.lang, load),
        ),
        None => page.t("chart-sweep-no-point"),
    });
    if let Some(load) = found.knee {
        notes.push(page.t1("chart-sweep-knee", "load", format::number(page.lang, load)));
    }
    let columns = [
        page.t("column-load-tested"),
        say::signal_name(page.lang, "inference_throughput"),
        measure.clone(),
    ];
    FigureView {
        charts: chart(page, limit, found, (&title, &measure, index))
            .into_iter()
            .collect(),
        columns: columns.map(|name| (name, true)).to_vec(),
        rows: found
            .curve
            .points
            .iter()
            .map(|(load, throughput, tail)| {
                let tail = match tail {
                    Some(v) => format::value(page.lang, *v, Unit::Seconds).html(),
                    None => {
                        Markup::trusted(crate::web::charts::escape(&page.t("chart-not-captured")))
                    }
                };
                [
                    Markup::trusted(format::number(page.lang, *load)),
                    format::value(page.lang, *throughput, Unit::PerSecond).html(),
                    tail,
                ]
                .map(|cell| (cell, true))
                .to_vec()
            })
            .collect(),
        title,
        notes,
    }
}

fn chart(
    page: &Page,
    limit: &Limit,
    found: &Alone,
    (title, measure, index): (&str, &str, usize),
) -> Option<Chart> {
    let tails = || found.curve.points.iter().filter_map(|p| p.2);
    let shown = scale::shown(Unit::Seconds, tails().fold(limit.value, f64::max));
    let throughput_at = |load: f64| {
        let point = found.curve.points.iter().find(|p| p.0 == load);
        point.map(|p| p.1)
    };
    let rule = |at: Option<f64>, key: &str| {
        at.map(|at| Rule {
            at,
            words: page.t(key),
            limit: false,
        })
    };
    let operating = found.curve.operating.map(|p| p.1);
    let drawn = Lines {
        lang: page.lang,
        y_title: format!("{measure}, {}", shown.sign),
        x_title: format!(
            "{}, /s",
            say::signal_name(page.lang, "inference_throughput")
        ),
        lines: vec![Line {
            name: measure.to_owned(),
            points: found
                .curve
                .points
                .iter()
                .filter_map(|p| Some((p.1, p.2? * shown.factor)))
                .collect(),
        }],
        log: tails().all(|t| t > 0.0)
            && tails().fold(0.0, f64::max) > 20.0 * tails().fold(f64::MAX, f64::min),
        across: vec![Rule::limit(
            limit.value * shown.factor,
            limit_words(page, limit),
        )],
        upright: [
            rule(operating, "mark-operating-point"),
            rule(found.knee.and_then(throughput_at), "mark-knee"),
        ]
        .into_iter()
        .flatten()
        .collect(),
    };
    let y_title = if drawn.is_log() {
        page.t1("chart-axis-log", "title", &drawn.y_title)
    } else {
        drawn.y_title.clone()
    };
    Lines { y_title, ..drawn }.chart(&Naming {
        id: format!("sw{index}"),
        title: title.to_owned(),
        desc: title.to_owned(),
    })
}
