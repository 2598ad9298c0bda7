//! Figures: the course of queue, cache and throughput, the engines side by side, the steps of the
//! start, answers by status, errors by class, and acceptance by position of a draft.

use super::{
    course::DRAWN,
    life::{Life, Owner},
    sample::Gauge,
    start::Step,
};
use crate::{Cell, Column, Figure, Reading, Series, Statistic, Unit};

/// Adds the figures that have rows; `life` is the one whose numbers carry no label.
pub fn add(reading: &mut Reading, life: &Life) {
    let all = [
        queue(life),
        cache(life),
        throughput(life),
        engines(life),
        steps(life),
        answers(life),
        errors(life),
        positions(life),
    ];
    let filled = all.into_iter().filter(|f| !f.rows.is_empty());
    reading.figures.extend(filled);
}

fn queue(life: &Life) -> Figure {
    along(
        life,
        "engine-log-queue",
        &[
            (Gauge::Running, "running_requests", Unit::Count),
            (Gauge::Waiting, "waiting_requests", Unit::Count),
        ],
    )
}

fn cache(life: &Life) -> Figure {
    along(
        life,
        "engine-log-kv",
        &[(Gauge::Kv, "kv_cache_usage", Unit::Ratio)],
    )
}

fn throughput(life: &Life) -> Figure {
    along(
        life,
        "engine-log-throughput",
        &[
            (
                Gauge::Prompt,
                "prompt_token_throughput",
                Unit::TokensPerSecond,
            ),
            (
                Gauge::Generation,
                "generation_token_throughput",
                Unit::TokensPerSecond,
            ),
        ],
    )
}

fn along(life: &Life, id: &str, gauges: &[(Gauge, &str, Unit)]) -> Figure {
    let kind = life.course.kind();
    let mut rows = Vec::new();
    for point in life.points.kept() {
        let cells: Vec<Cell> = gauges
            .iter()
            .map(|(gauge, ..)| {
                let place = DRAWN.iter().position(|g| g == gauge);
                place.and_then(|place| point.values[place]).into()
            })
            .collect();
        if cells.iter().all(|cell| *cell == Cell::NONE) {
            continue;
        }
        let elapsed = kind.and_then(|kind| point.elapsed[kind]);
        let mut row = vec![(point.line as f64).into(), elapsed.into()];
        row.extend(cells);
        rows.push(row);
    }
    let mut columns = vec![
        Column::number("log_line", Unit::Count),
        Column::number("elapsed", Unit::Seconds),
    ];
    let ys = gauges.iter().map(|(_, name, _)| (*name).to_owned());
    columns.extend(
        gauges
            .iter()
            .map(|(_, name, unit)| Column::number(name, *unit).shows(name, Some(Statistic::Max))),
    );
    let x = if kind.is_some() {
        "elapsed"
    } else {
        "log_line"
    };
    Figure::new(id, columns, rows)
        .plot(Series::Line {
            x: x.to_owned(),
            ys: ys.collect(),
            log_y: false,
        })
        .left_out(life.points.left_out())
}

/// A row per engine: never a mean over them.
fn engines(life: &Life) -> Figure {
    let columns = vec![
        Column::text("log_engine"),
        Column::number("log_lines", Unit::Count),
        Column::number("running_mean", Unit::Count),
        Column::number("running_max", Unit::Count),
        Column::number("waiting_mean", Unit::Count),
        Column::number("waiting_max", Unit::Count),
        Column::number("kv_cache_usage_mean", Unit::Ratio),
        Column::number("kv_cache_usage_max", Unit::Ratio),
        Column::number("generation_mean", Unit::TokensPerSecond),
        Column::number("prompt_mean", Unit::TokensPerSecond),
    ];
    let rows = life.owners.iter().map(|owner| {
        let mean = |gauge| owner.levels.get(gauge).and_then(super::course::Level::mean);
        let max = |gauge| owner.levels.get(gauge).map(|l| l.max);
        let lines = Gauge::ALL.iter().filter_map(|g| owner.levels.get(*g));
        let lines = lines.map(|l| l.times as f64).reduce(f64::max);
        vec![
            Cell::text(&name(owner)),
            lines.into(),
            mean(Gauge::Running).into(),
            max(Gauge::Running).into(),
            mean(Gauge::Waiting).into(),
            max(Gauge::Waiting).into(),
            mean(Gauge::Kv).into(),
            max(Gauge::Kv).into(),
            mean(Gauge::Generation).into(),
            mean(Gauge::Prompt).into(),
        ]
    });
    let rows = if life.owners.len() > 1 {
        rows.collect()
    } else {
        Vec::new()
    };
    Figure::new("engine-log-engines", columns, rows).left_out(0)
}

fn name(owner: &Owner) -> String {
    let number = owner.number.map_or(String::new(), |n| n.to_string());
    if owner.server.is_empty() {
        number
    } else {
        format!("{number} (API server {})", owner.server)
    }
}

fn steps(life: &Life) -> Figure {
    let columns = vec![
        Column::text("start_step"),
        Column::number("step_seconds", Unit::Seconds),
        Column::number("step_bytes", Unit::Bytes),
    ];
    let mut rows = Vec::new();
    for step in Step::ALL {
        let (seconds, bytes) = life.start.greatest(step);
        if seconds.is_some() || bytes.is_some() {
            rows.push(vec![Cell::text(step.id()), seconds.into(), bytes.into()]);
        }
    }
    if let Some(seconds) = life.start.seconds() {
        rows.push(vec![Cell::text("until_ready"), seconds.into(), Cell::NONE]);
    }
    Figure::new("engine-log-start", columns, rows)
}

fn answers(life: &Life) -> Figure {
    let columns = vec![
        Column::text("http_endpoint"),
        Column::text("http_status"),
        Column::number("answers", Unit::Count),
    ];
    let rows = life.answers.iter().map(|((endpoint, status), n)| {
        vec![
            Cell::text(endpoint),
            Cell::text(&status.to_string()),
            (*n as f64).into(),
        ]
    });
    Figure::new("engine-log-answers", columns, rows.take(200).collect())
        .left_out(life.answers.len().saturating_sub(200) as u64)
}

fn errors(life: &Life) -> Figure {
    let columns = vec![
        Column::text("error_class"),
        Column::number("error_times", Unit::Count),
        Column::number("error_first_line", Unit::Count),
    ];
    let rows = life.errors.iter().map(|(class, (times, line))| {
        vec![
            Cell::text(class),
            (*times as f64).into(),
            (*line as f64).into(),
        ]
    });
    Figure::new("engine-log-errors", columns, rows.collect())
}

fn positions(life: &Life) -> Figure {
    let columns = vec![
        Column::text("draft_position"),
        Column::number("acceptance", Unit::Ratio),
    ];
    let seen = life.speculated.positions.iter().enumerate();
    let rows = seen.filter(|(_, (_, weight))| *weight > 0.0);
    let rows = rows
        .map(|(i, (sum, weight))| vec![Cell::text(&(i + 1).to_string()), (sum / weight).into()]);
    Figure::new("engine-log-positions", columns, rows.collect()).plot(Series::Bars {
        label: "draft_position".to_owned(),
        value: "acceptance".to_owned(),
    })
}
