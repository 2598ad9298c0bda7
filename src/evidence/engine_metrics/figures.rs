//! Figures: the histograms as a table, finished requests by reason, gauges along the scrapes,
//! and how TTFT and end-to-end latency fall into their buckets.

use super::{
    collect::Collected,
    names::HISTS,
    signals::{QUANTILES, bound_of},
    sums::{Summed, Sums},
};
use crate::{Bound, Cell, Column, Figure, Reading, Series, Unit};

/// Adds the figures that have rows.
pub fn add(reading: &mut Reading, sums: &Sums, all: &Collected) {
    let mut figures = vec![finished(sums)];
    for (id, unit) in [
        ("vllm-quantiles", Unit::Seconds),
        ("vllm-token-quantiles", Unit::Tokens),
    ] {
        figures.push(quantiles(id, unit, sums));
    }
    for (id, hist) in [
        ("vllm-ttft-buckets", "ttft"),
        ("vllm-e2e-buckets", "e2e_latency"),
    ] {
        figures.extend(sums.hists.get(hist).and_then(|h| buckets(id, h)));
    }
    figures.extend(ttft_parts(sums));
    if all.scrapes > 1 {
        figures.push(load(all));
        figures.push(kv(all));
    }
    reading
        .figures
        .extend(figures.into_iter().filter(|f| !f.rows.is_empty()));
}

fn quantiles(id: &str, unit: Unit, sums: &Sums) -> Figure {
    let mut rows = Vec::new();
    for hist in HISTS {
        let of_unit = crate::catalogue::find(hist).is_some_and(|d| d.unit == unit);
        let Some(summed) = sums.hists.get(hist).filter(|_| of_unit) else {
            continue;
        };
        let mut row = vec![
            Cell::text(hist),
            summed.count.into(),
            summed.sum.into(),
            summed.mean().into(),
        ];
        for statistic in QUANTILES {
            let quantile = summed
                .buckets
                .as_ref()
                .zip(statistic.quantile())
                .and_then(|(buckets, q)| buckets.quantile(q));
            row.push(quantile.map(|q| q.value).into());
            if statistic == QUANTILES[3] {
                row.push(match quantile.map(|q| (bound_of(&q), q)) {
                    Some((Bound::AtLeast, q)) => Cell::Text(format!("> {}", q.low)),
                    Some((_, q)) => Cell::Text(format!("{}–{}", q.low, q.high)),
                    None => Cell::NONE,
                });
            }
        }
        rows.push(row);
    }
    Figure {
        id: id.to_owned(),
        columns: vec![
            Column::text("signal"),
            Column::number("observations", Unit::Count),
            Column::number("sum", unit),
            Column::number("mean", unit),
            Column::number("p50", unit),
            Column::number("p90", unit),
            Column::number("p95", unit),
            Column::number("p99", unit),
            Column::text("p99_bucket"),
        ],
        rows,
        plot: None,
        marks: Vec::new(),
        rows_left_out: 0,
    }
}

/// Where the mean TTFT went: waiting, prefill, and what is left for the front end. Only where all
/// three are means of as many requests, since means of different requests do not add up.
fn ttft_parts(sums: &Sums) -> Option<Figure> {
    let of = |name: &str| {
        let summed = sums.hists.get(name)?;
        Some((summed.mean()?, summed.count?))
    };
    let (ttft, queue, prefill) = (of("ttft")?, of("queue_time")?, of("prefill_time")?);
    let alike = |n: f64| (n - ttft.1).abs() <= 0.05 * ttft.1;
    let rest = ttft.0 - queue.0 - prefill.0;
    if !alike(queue.1) || !alike(prefill.1) || rest < -0.02 * ttft.0 {
        return None;
    }
    let columns = vec![
        Column::text("signal"),
        Column::number("queue_time", Unit::Seconds),
        Column::number("prefill_time", Unit::Seconds),
        Column::number("ttft_rest", Unit::Seconds),
        Column::number("mean", Unit::Seconds),
    ];
    let row = vec![
        Cell::text("ttft"),
        queue.0.into(),
        prefill.0.into(),
        rest.max(0.0).into(),
        ttft.0.into(),
    ];
    Some(
        Figure::new("ttft-parts", columns, vec![row]).plot(Series::Stacked {
            label: "signal".to_owned(),
            parts: ["queue_time", "prefill_time", "ttft_rest"]
                .map(str::to_owned)
                .to_vec(),
        }),
    )
}

fn finished(sums: &Sums) -> Figure {
    let all = sums.finished().unwrap_or_default();
    let rows = sums
        .finished
        .iter()
        .take(50)
        .map(|(reason, n)| {
            let share = (all > 0.0).then(|| n / all);
            vec![Cell::text(reason), (*n).into(), share.into()]
        })
        .collect();
    Figure {
        id: "vllm-finished".to_owned(),
        columns: vec![
            Column::text("finished_reason"),
            Column::number("requests", Unit::Count),
            Column::number("share", Unit::Ratio),
        ],
        rows,
        plot: Some(Series::Bars {
            label: "finished_reason".to_owned(),
            value: "requests".to_owned(),
        }),
        marks: Vec::new(),
        rows_left_out: sums.finished.len().saturating_sub(50) as u64,
    }
}

fn buckets(id: &str, summed: &Summed) -> Option<Figure> {
    let histogram = summed.buckets.as_ref()?;
    let total = histogram.total().filter(|total| *total > 0.0)?;
    let mut before = (0.0, 0.0);
    let mut rows = Vec::new();
    for bucket in histogram.buckets().iter().take(100) {
        let name = if bucket.le == f64::INFINITY {
            format!("> {}", before.0)
        } else {
            format!("{}–{}", before.0, bucket.le)
        };
        let inside = bucket.count - before.1;
        rows.push(vec![
            Cell::Text(name),
            inside.into(),
            (inside / total).into(),
        ]);
        before = (bucket.le, bucket.count);
    }
    Some(Figure {
        id: id.to_owned(),
        columns: vec![
            Column::text("bucket_seconds"),
            Column::number("observations", Unit::Count),
            Column::number("share", Unit::Ratio),
        ],
        marks: Vec::new(),
        rows_left_out: histogram.buckets().len().saturating_sub(rows.len()) as u64,
        rows,
        plot: Some(Series::Bars {
            label: "bucket_seconds".to_owned(),
            value: "share".to_owned(),
        }),
    })
}

fn load(all: &Collected) -> Figure {
    along(
        all,
        "vllm-series",
        &[
            ("running_requests", Unit::Count),
            ("waiting_requests", Unit::Count),
            ("kv_cache_usage", Unit::Ratio),
        ],
        &["running_requests", "waiting_requests"],
        &|p| vec![p.running.into(), p.waiting.into(), p.kv.into()],
    )
}

fn kv(all: &Collected) -> Figure {
    along(
        all,
        "vllm-kv-series",
        &[("kv_cache_usage", Unit::Ratio)],
        &["kv_cache_usage"],
        &|p| vec![p.kv.into()],
    )
}

fn along(
    all: &Collected,
    id: &str,
    columns: &[(&str, Unit)],
    ys: &[&str],
    cells: &dyn Fn(&super::points::Point) -> Vec<Cell>,
) -> Figure {
    let place = all.course.place();
    let mut rows = Vec::new();
    for point in all.points.kept() {
        let cells = cells(point);
        if cells.iter().all(|cell| *cell == Cell::NONE) {
            continue;
        }
        let elapsed = place.and_then(|place| point.elapsed[place]);
        let mut row = vec![f64::from(point.scrape).into(), elapsed.into()];
        row.extend(cells);
        rows.push(row);
    }
    let mut heads = vec![
        Column::number("scrape", Unit::Count),
        Column::number("elapsed", Unit::Seconds),
    ];
    heads.extend(columns.iter().map(|(id, unit)| Column::number(id, *unit)));
    let x = if place.is_some() { "elapsed" } else { "scrape" };
    Figure {
        id: id.to_owned(),
        columns: heads,
        rows,
        plot: Some(Series::Line {
            x: x.to_owned(),
            ys: ys.iter().map(|y| (*y).to_owned()).collect(),
            log_y: false,
        }),
        marks: Vec::new(),
        rows_left_out: all.points.left_out(),
    }
}
