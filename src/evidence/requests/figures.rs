//! Figures: how latencies and lengths are spread, arrivals and concurrency over time, latency by
//! concurrency, and a table of the classes.
//!
//! Curves are thinned to some 150 points that always hold the least value, the greatest, and more
//! and more of the tail; buckets of time keep the greatest of what fell into them.

use super::{
    load::{Arrivals, Flight},
    signals::Ends,
    table::Table,
    values::{Fact, Sorted},
};
use crate::{Cell, Figure, Reading, Series, Statistic, Unit, figure::Column};

/// Buckets of the figure over time.
const OVER_TIME: usize = 240;
/// Rows beyond which latency by concurrency is left out: it needs an order of all of them.
const MOST_FOR_BANDS: usize = 4_000_000;

/// Adds the curves and histograms of what was read.
pub fn spread(reading: &mut Reading, kept: &[(Fact, Sorted)]) {
    for (fact, sorted) in kept {
        let (curve, bars) = match fact.signal {
            "ttft" => (Some("request-ttft-curve"), Some("request-ttft-bars")),
            "e2e_latency" => (Some("request-e2e-curve"), Some("request-e2e-bars")),
            "tpot" => (Some("request-tpot-curve"), None),
            "queue_time" => (Some("request-queue-curve"), None),
            "prompt_length" => (None, Some("request-prompt-bars")),
            "output_length" => (None, Some("request-output-bars")),
            _ => (None, None),
        };
        if let Some(id) = curve {
            reading.figures.push(curve_of(id, fact.signal, sorted));
        }
        if let Some(id) = bars {
            reading.figures.push(bars_of(id, fact.signal, sorted));
        }
    }
}

/// Shares at which a curve has its points.
fn shares() -> Vec<f64> {
    let mut out: Vec<f64> = (0..=99).map(|i| f64::from(i) / 100.0).collect();
    out.extend((1..10).map(|i| 0.99 + f64::from(i) / 1000.0));
    out.extend((1..10).map(|i| 0.999 + f64::from(i) / 10_000.0));
    out.push(1.0);
    out
}

fn curve_of(id: &str, signal: &str, sorted: &Sorted) -> Figure {
    let n = sorted.values.len();
    let points: Vec<(f64, f64)> = if n <= 120 {
        let share = |i: usize| (i + 1) as f64 / n as f64;
        let all = sorted.values.iter().enumerate();
        all.map(|(i, v)| (*v, share(i))).collect()
    } else {
        let at = |share| Some((sorted.quantile(share)?, share));
        shares().into_iter().filter_map(at).collect()
    };
    let columns = vec![
        Column::number("observed", Unit::Seconds).shows(signal, None),
        Column::number("share_at_most", Unit::Ratio),
    ];
    let left = (n - points.len().min(n)) as u64;
    let rows = points
        .into_iter()
        .map(|(value, share)| vec![value.into(), share.into()])
        .collect();
    Figure::new(id, columns, rows)
        .plot(Series::Line {
            x: "observed".to_owned(),
            ys: vec!["share_at_most".to_owned()],
            log_y: false,
        })
        .left_out(left)
}

/// Edges of buckets: 1, 2 and 5 times the powers of ten for times, powers of two for tokens.
fn edges(signal: &str, sorted: &Sorted) -> Vec<f64> {
    let least = sorted
        .values
        .iter()
        .copied()
        .find(|v| *v > 0.0)
        .unwrap_or(1.0);
    let most = sorted.values.last().copied().unwrap_or(1.0).max(least);
    let mut out = Vec::new();
    if signal.ends_with("_length") {
        let mut edge = 1.0;
        while out.len() < 64 {
            out.push(edge);
            if edge >= most {
                break;
            }
            edge *= 2.0;
        }
        return out;
    }
    let (mut power, top) = (
        least.log10().floor().max(-9.0) as i32,
        most.log10().ceil().min(12.0) as i32,
    );
    while power <= top {
        for step in [1.0, 2.0, 5.0] {
            let edge = format!("{step}e{power}").parse().unwrap_or(f64::NAN);
            if edge >= least {
                out.push(edge);
            }
            if edge >= most {
                return out;
            }
        }
        power += 1;
    }
    out
}

fn bars_of(id: &str, signal: &str, sorted: &Sorted) -> Figure {
    let (mut low, mut before) = (0.0, 0);
    let mut rows = Vec::new();
    let n = sorted.values.len();
    for edge in edges(signal, sorted) {
        let upto = sorted.values.partition_point(|v| *v <= edge);
        let inside = upto - before;
        if inside > 0 || !rows.is_empty() {
            rows.push(vec![
                Cell::Text(format!("{low}–{edge}")),
                (inside as f64).into(),
                (inside as f64 / n as f64).into(),
            ]);
        }
        (low, before) = (edge, upto);
    }
    if before < n {
        let inside = (n - before) as f64;
        rows.push(vec![
            Cell::Text(format!("> {low}")),
            inside.into(),
            (inside / n as f64).into(),
        ]);
    }
    let name = if signal.ends_with("_length") {
        "bucket_tokens"
    } else {
        "bucket_seconds"
    };
    let columns = vec![
        Column::text(name),
        Column::number("requests", Unit::Count),
        Column::number("share", Unit::Ratio),
    ];
    Figure::new(id, columns, rows).plot(Series::Bars {
        label: name.to_owned(),
        value: "requests".to_owned(),
    })
}

/// Adds arrivals and requests in flight over time.
pub fn over_time(reading: &mut Reading, arrivals: &Arrivals, flight: &Flight) {
    let (Some(first), Some(last_arrival)) = (arrivals.at.first(), arrivals.at.last()) else {
        return;
    };
    let last = flight
        .ends
        .last()
        .copied()
        .unwrap_or(*last_arrival)
        .max(*last_arrival);
    let span = last.abs_diff(*first);
    if span == 0 || arrivals.at.len() < 2 {
        return;
    }
    let buckets = OVER_TIME.min(arrivals.at.len().max(2)) as u64;
    let width = span.div_ceil(buckets).max(1);
    let place = |at: i64| (at.abs_diff(*first) / width).min(buckets - 1) as usize;
    let mut arrived = vec![0_u64; buckets as usize];
    let mut most = vec![0_u64; buckets as usize];
    for at in &arrivals.at {
        arrived[place(*at)] += 1;
    }
    let flies = !flight.starts.is_empty();
    // The greatest in a bucket is reached at a start inside it, or was there when it began.
    for (i, most) in most.iter_mut().enumerate() {
        let begin = first.saturating_add_unsigned(width * i as u64);
        *most = flight.at(begin);
    }
    flight.walk(&mut |at, now, _| {
        if at >= *first {
            let most = &mut most[place(at)];
            *most = (*most).max(now);
        }
    });
    let seconds = width as f64 / 1e9;
    let rows = (0..buckets as usize)
        .map(|i| {
            let in_flight = flies.then_some(most[i] as f64);
            vec![
                (i as f64 * seconds).into(),
                (arrived[i] as f64 / seconds).into(),
                in_flight.into(),
            ]
        })
        .collect();
    let columns = vec![
        Column::number("elapsed", Unit::Seconds),
        Column::number("arrivals_per_second", Unit::PerSecond)
            .shows("arrival_rate", Some(Statistic::Rate)),
        Column::number("most_in_flight", Unit::Count)
            .shows("request_concurrency", Some(Statistic::Max)),
    ];
    let mut ys = vec!["arrivals_per_second".to_owned()];
    if flies {
        ys.push("most_in_flight".to_owned());
    }
    reading.figures.push(
        Figure::new("request-load", columns, rows).plot(Series::Line {
            x: "elapsed".to_owned(),
            ys,
            log_y: false,
        }),
    );
}

/// Adds latency by the number of requests in flight when a request started.
pub fn by_concurrency(reading: &mut Reading, table: &Table, flight: &Flight) {
    if flight.starts.len() < 2 || flight.starts.len() > MOST_FOR_BANDS {
        return;
    }
    let mut bands: Vec<[Vec<f64>; 2]> = Vec::new();
    let mut requests: Vec<u64> = Vec::new();
    for row in (0..table.len()).filter(|r| table.is_answered(*r)) {
        let Some(at) = table.at.get(row) else {
            continue;
        };
        let now = flight.at(at).max(1);
        let band = (u64::BITS - (now - 1).leading_zeros()) as usize;
        if bands.len() <= band {
            bands.resize_with(band + 1, Default::default);
            requests.resize(band + 1, 0);
        }
        requests[band] += 1;
        bands[band][0].extend(table.ttft.get(row));
        bands[band][1].extend(table.e2e.get(row));
    }
    let mut rows = Vec::new();
    for (band, (values, requests)) in bands.into_iter().zip(requests).enumerate() {
        if requests == 0 {
            continue;
        }
        let (low, high) = match band {
            0 => (1, 1_u64),
            _ => ((1 << (band - 1)) + 1, 1 << band),
        };
        let name = if low == high {
            low.to_string()
        } else {
            format!("{low}–{high}")
        };
        let mut row = vec![Cell::Text(name), (requests as f64).into()];
        for values in values {
            row.extend(three(&Sorted::new(values)));
        }
        rows.push(row);
    }
    let mut columns = vec![
        Column::text("in_flight_band"),
        Column::number("requests", Unit::Count),
    ];
    columns.extend(latency_columns());
    reading
        .figures
        .push(Figure::new("request-bands", columns, rows));
}

fn latency_columns() -> Vec<Column> {
    let mut out = Vec::new();
    for (signal, name) in [("ttft", "ttft"), ("e2e_latency", "e2e")] {
        for statistic in [Statistic::P50, Statistic::P95, Statistic::P99] {
            let id = format!("request_{name}_{statistic}");
            out.push(Column::number(&id, Unit::Seconds).shows(signal, Some(statistic)));
        }
    }
    out
}

fn three(sorted: &Sorted) -> [Cell; 3] {
    [0.5, 0.95, 0.99].map(|q| sorted.quantile(q).into())
}

/// Adds the table of the classes.
pub fn classes(reading: &mut Reading, table: &Table, shown: &[(usize, &str)], of: &[Ends]) {
    if shown.is_empty() {
        return;
    }
    let all: u64 = of.iter().map(|e| e.arrived).sum();
    let count = table.classes.all().len();
    let facts = ["ttft", "e2e_latency"]
        .map(|name| Fact::named(name).map_or_else(Vec::new, |f| f.by_class(table, count)));
    let [mut ttft, mut e2e] = facts;
    let mut rows = Vec::new();
    for (class, name) in shown {
        let ends = &of[*class];
        let share =
            |part: u64, whole: u64| Cell::from((whole > 0).then(|| part as f64 / whole as f64));
        let judged = ends.accepted + ends.refused + ends.failed();
        let mut row = vec![
            Cell::text(name),
            (ends.arrived as f64).into(),
            share(ends.arrived, all),
            if table.has_outcome {
                share(ends.failed(), ends.finished)
            } else {
                Cell::NONE
            },
            if table.has_accepted {
                share(ends.accepted, judged)
            } else {
                Cell::NONE
            },
        ];
        row.extend(three(&Sorted::new(std::mem::take(&mut ttft[*class]))));
        row.extend(three(&Sorted::new(std::mem::take(&mut e2e[*class]))));
        rows.push(row);
    }
    let mut columns = vec![
        Column::text("task_class"),
        Column::number("requests", Unit::Count),
        Column::number("share", Unit::Ratio),
        Column::number("failed_share", Unit::Ratio),
        Column::number("accepted_share", Unit::Ratio),
    ];
    columns.extend(latency_columns());
    let left = count.saturating_sub(shown.len()) as u64;
    reading
        .figures
        .push(Figure::new("request-classes", columns, rows).left_out(left));
}
