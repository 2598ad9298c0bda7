//! From a table of requests to a reading: signals, observations, figures and notes, in one order
//! for every format.

use super::{
    attempts, checks, figures,
    load::{Arrivals, Flight},
    signals::{self, Context, Ends},
    table::Table,
    values::Fact,
};
use crate::{Data, Distribution, Note, NoteLevel, Reading, Window, distribution::MOST_NUMBERS};
use chrono::{DateTime, Utc};

/// What the reader of a format knows beside the rows.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// Whether only a part of the requests is in the file.
    pub partial: bool,
    /// Whether requests end within the file.
    pub ends: bool,
    /// Label of all signals, when they are not the run's own view of itself.
    pub label: Option<(&'static str, &'static str)>,
    /// The first status whose word is not known.
    pub unclear: String,
    /// Whether times are of a known place on the globe.
    pub zoned: bool,
    /// Whether the format has retries elsewhere, so that their absence is no news.
    pub no_retries: bool,
}

/// Fills a reading from its requests.
pub fn fill(reading: &mut Reading, table: &mut Table, about: &About) {
    let repeated = attempts::settle(table);
    let table = &*table;
    let context = Context {
        partial: about.partial,
        label: about.label,
        ends: about.ends,
    };
    let (all, by_class) = Ends::of(table);
    let shown = signals::classes(table, &by_class);
    let arrivals = Arrivals::of(table);
    let flight = Flight::of(table);
    let seconds = window(reading, table, &arrivals, &flight, about);

    signals::load(reading, &arrivals, &flight, &context);
    signals::ends(reading, table, &all, None, seconds, &context);
    let kept = signals::facts(reading, table, &shown, &context);
    signals::gaps(reading, table, &context);
    for (class, name) in &shown {
        let ends = &by_class[*class];
        signals::ends(reading, table, ends, Some(name), seconds, &context);
    }
    signals::mix(reading, table, &by_class, &all, &context);
    checks::rows(reading, table, repeated);
    checks::ends(reading, table, &all, &about.unclear);
    if about.label.is_some() {
        return;
    }
    checks::mixed_units(reading, table);
    checks::arrivals(reading, table, &arrivals);
    checks::missing(reading, table, about.no_retries || repeated.attempts > 0);
    if flight.without_end > 0 && flight.mean.is_some() {
        reading.note(
            Note::new(NoteLevel::Warning, "requests-flight-partial")
                .arg("count", flight.without_end),
        );
    }
    front_end(reading, table, &context);
    figures::spread(reading, &kept);
    drop(kept);
    figures::over_time(reading, &arrivals, &flight);
    figures::by_concurrency(reading, table, &flight);
    figures::classes(reading, table, &shown, &by_class);
    observations(reading, table, &shown);
}

/// TTFT less queue and prefill, over the requests that say all three.
fn front_end(reading: &mut Reading, table: &Table, context: &Context) {
    let (mut sum, mut n) = (0.0, 0_u64);
    for row in (0..table.len()).filter(|r| table.is_answered(*r)) {
        let parts = (
            table.ttft.get(row),
            table.queue.get(row),
            table.prefill.get(row),
        );
        if let (Some(ttft), Some(queue), Some(prefill)) = parts {
            sum += ttft - queue - prefill;
            n += 1;
        }
    }
    // Parts measured on the clock of the whole are the whole: what is left then is rounding.
    if n > 0 && sum / n as f64 > 1e-6 && context.label.is_none() {
        let mean = sum / n as f64;
        reading.push(crate::Signal::new("front_end_time", crate::Statistic::Mean, mean).samples(n));
    }
}

/// Fills the window and answers its length.
fn window(
    reading: &mut Reading,
    table: &Table,
    arrivals: &Arrivals,
    flight: &Flight,
    about: &About,
) -> Option<f64> {
    let first = *arrivals.at.first()?;
    let last = *arrivals.at.last()?;
    let last = flight.ends.last().map_or(last, |e| last.max(*e));
    let seconds = last.abs_diff(first) as f64 / 1e9;
    let wall = table.odd.wall[0] > 0 && table.odd.wall[1] == 0 && about.zoned;
    let utc = |ns: i64| wall.then(|| DateTime::<Utc>::from_timestamp_nanos(ns));
    if about.label.is_none() {
        reading.window = Some(Window {
            start: utc(first),
            end: utc(last),
            seconds: (seconds > 0.0).then_some(seconds),
        });
    }
    (seconds > 0.0).then_some(seconds)
}

/// Facts whose observations a comparison of runs uses.
const CARRIED: [&str; 6] = [
    "ttft",
    "e2e_latency",
    "tpot",
    "queue_time",
    "prompt_length",
    "output_length",
];
/// Buckets of observations too many to carry one by one, per factor of ten.
const PER_DECADE: f64 = 200.0;

/// Carries the observations: one by one with their times where all fit, else one by one without,
/// else as fine buckets. Those of the whole come before those of the classes.
fn observations(reading: &mut Reading, table: &Table, shown: &[(usize, &str)]) {
    let order = order(table);
    let facts: Vec<Fact> = CARRIED.iter().filter_map(|n| Fact::named(n)).collect();
    let several = if shown.len() > 1 { 2 } else { 1 };
    let each = table.len() * several;
    let present = facts
        .iter()
        .filter(|f| (0..table.len()).any(|r| f.value(table, r).is_some()))
        .count();
    let room = MOST_NUMBERS.saturating_sub(table.gaps.len().min(MOST_NUMBERS / 4));
    let (singly, timed) = (each * present <= room, each * present * 2 <= room);
    for fact in &facts {
        let (values, times) = pairs(table, &order, *fact, None, timed);
        carry(reading, fact.signal, None, values, times, singly);
    }
    if !table.gaps.is_empty() {
        let fits = table.gaps.len() <= MOST_NUMBERS / 4;
        carry(reading, "itl", None, table.gaps.clone(), Vec::new(), fits);
    }
    if several == 1 {
        return;
    }
    for fact in &facts {
        for (class, name) in shown {
            let (values, times) = pairs(table, &order, *fact, Some(*class), timed);
            carry(reading, fact.signal, Some(name), values, times, singly);
        }
    }
}

/// The rows in order of arrival; as they stand where nothing says when they arrived.
fn order(table: &Table) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..u32::try_from(table.len()).unwrap_or(u32::MAX)).collect();
    if table.odd.disorder.count > 0 {
        rows.sort_by_key(|r| table.at.get(*r as usize));
    }
    rows
}

fn pairs(
    table: &Table,
    order: &[u32],
    fact: Fact,
    class: Option<usize>,
    timed: bool,
) -> (Vec<f64>, Vec<f64>) {
    let origin = order.iter().find_map(|r| table.at.get(*r as usize));
    let (mut values, mut times) = (Vec::new(), Vec::new());
    for row in order.iter().map(|r| *r as usize) {
        if class.is_some_and(|c| table.class.get(row) != Some(c as u16)) {
            continue;
        }
        let Some(value) = fact.value(table, row) else {
            continue;
        };
        values.push(value);
        if timed && let Some((at, origin)) = table.at.get(row).zip(origin) {
            times.push(at.saturating_sub(origin) as f64 / 1e9);
        }
    }
    if times.len() != values.len() {
        times = Vec::new();
    }
    (values, times)
}

fn carry(
    reading: &mut Reading,
    name: &str,
    class: Option<&str>,
    values: Vec<f64>,
    times: Vec<f64>,
    singly: bool,
) {
    if values.is_empty() {
        return;
    }
    let data = if singly {
        Data::Values { values, times }
    } else {
        buckets(&values)
    };
    let mut distribution = Distribution::new(name, data);
    if let Some(class) = class {
        distribution = distribution.label("class", class);
    }
    reading.push_distribution(distribution);
}

/// Values by buckets that grow by about one per cent.
fn buckets(values: &[f64]) -> Data {
    let place = |v: f64| (v.max(1e-9).log10() * PER_DECADE).ceil() as i64;
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for v in values {
        least = least.min(place(*v));
        most = most.max(place(*v));
    }
    let mut counts = vec![0_u64; (most - least + 2) as usize];
    for v in values {
        counts[(place(*v) - least) as usize] += 1;
    }
    let edges = (least..=most)
        .map(|p| 10_f64.powf(p as f64 / PER_DECADE))
        .collect();
    Data::Histogram { edges, counts }
}
