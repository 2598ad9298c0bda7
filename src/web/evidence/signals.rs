//! The signals of an item as tables: those that differ only in one label (the load of a sweep, the
//! engine, the device) side by side, everything else as a list.

use crate::web::{Page, case::cards, say};
use pel_evidence::Signal;
use std::collections::BTreeMap;

/// Signals that must differ in a label before it heads columns.
const LEAST: usize = 8;
/// Columns of a grid at most; beyond that a list reads better.
const COLUMNS: usize = 40;

/// One signal.
pub struct SignalRow {
    pub code: String,
    pub name: String,
    pub statistic: String,
    pub value: String,
    pub note: String,
}

/// Signals side by side.
pub struct Grid {
    /// What the columns differ in.
    pub label: String,
    /// The values of the label.
    pub heads: Vec<String>,
    /// One row per signal, statistic and whatever else they have in common.
    pub rows: Vec<GridRow>,
}

/// One row of a grid.
pub struct GridRow {
    pub code: String,
    pub name: String,
    pub statistic: String,
    /// What holds for the whole row.
    pub note: String,
    /// The value under each head with what is said of it alone; `None` where there is none.
    pub cells: Vec<Option<(String, String)>>,
}

/// The signals as a grid, where they have one, and the rest as a list.
pub fn tables(page: &Page, signals: &[Signal]) -> (Option<Grid>, Vec<SignalRow>) {
    let Some((label, heads)) = heading(signals) else {
        return (None, signals.iter().map(|s| row(page, s)).collect());
    };
    let (inside, outside): (Vec<&Signal>, Vec<&Signal>) =
        signals.iter().partition(|s| s.labels.contains_key(&label));
    let mut rows: Vec<(Signal, GridRow)> = Vec::new();
    for signal in inside {
        let mut common = signal.clone();
        let value = common.labels.remove(&label);
        let samples = common.samples.take();
        let at = heads.iter().position(|h| Some(h) == value.as_ref());
        let same = |known: &Signal| {
            known.name == common.name
                && known.statistic == common.statistic
                && known.labels == common.labels
                && known.scope == common.scope
        };
        let place = match rows.iter().position(|(known, _)| same(known)) {
            Some(place) => place,
            None => {
                let told = Signal {
                    bound: pel_evidence::Bound::Exact,
                    ..common.clone()
                };
                rows.push((
                    common.clone(),
                    GridRow {
                        note: cards::signal_note(page, &told),
                        code: signal.name.clone(),
                        name: say::signal_name(page.lang, &signal.name),
                        statistic: say::statistic(page.lang, signal.statistic),
                        cells: vec![None; heads.len()],
                    },
                ));
                rows.len() - 1
            }
        };
        if let Some(cell) = at.and_then(|at| rows[place].1.cells.get_mut(at)) {
            let alone = Signal {
                labels: BTreeMap::new(),
                samples,
                scope: pel_evidence::Scope::Window,
                ..common
            };
            *cell = Some((
                say::value(page.lang, &alone),
                cards::signal_note(page, &alone),
            ));
        }
    }
    let named = BTreeMap::from([(label, String::new())]);
    let grid = Grid {
        label: say::labels(page.lang, &named).trim().to_owned(),
        heads,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    };
    (
        Some(grid),
        outside.into_iter().map(|s| row(page, s)).collect(),
    )
}

/// The label that most signals have, with its values in order; none when a list will do.
fn heading(signals: &[Signal]) -> Option<(String, Vec<String>)> {
    let mut found: BTreeMap<&String, (usize, Vec<&String>)> = BTreeMap::new();
    for (key, value) in signals.iter().flat_map(|s| &s.labels) {
        let of = found.entry(key).or_default();
        of.0 += 1;
        if !of.1.contains(&value) {
            of.1.push(value);
        }
    }
    let (key, (_, values)) = found
        .into_iter()
        .filter(|(_, (n, values))| *n >= LEAST && (2..=COLUMNS).contains(&values.len()))
        // A label that nearly every signal has a value of its own for is a name, not a column.
        .filter(|(_, (n, values))| *n >= 2 * values.len())
        .max_by_key(|(_, (n, _))| *n)?;
    let mut values: Vec<String> = values.into_iter().cloned().collect();
    let number = |v: &String| v.parse::<f64>().ok().filter(|v| v.is_finite());
    if values.iter().all(|v| number(v).is_some()) {
        values.sort_by(|a, b| number(a).partial_cmp(&number(b)).unwrap_or(a.cmp(b)));
    }
    Some((key.clone(), values))
}

fn row(page: &Page, s: &Signal) -> SignalRow {
    SignalRow {
        code: s.name.clone(),
        name: say::signal_name(page.lang, &s.name),
        statistic: say::statistic(page.lang, s.statistic),
        value: say::value(page.lang, s),
        note: cards::signal_note(page, s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pel_evidence::Statistic;

    fn sweep(loads: &[&str]) -> Vec<Signal> {
        let of = |load: &&str| {
            [
                Statistic::P50,
                Statistic::P95,
                Statistic::P99,
                Statistic::Mean,
            ]
            .map(|s| Signal::new("e2e_latency", s, 1.0).label("load", load))
        };
        loads.iter().flat_map(of).collect()
    }

    #[test]
    fn loads_head_columns_in_the_order_of_their_numbers() {
        let mut signals = sweep(&["16", "2", "128"]);
        signals.push(Signal::new("ttft", Statistic::P99, 0.5));
        let (label, heads) = heading(&signals).unwrap();
        assert_eq!(
            (label.as_str(), heads),
            ("load", vec!["2".to_owned(), "16".into(), "128".into()])
        );
    }

    #[test]
    fn few_signals_and_names_of_things_stay_a_list() {
        assert_eq!(heading(&sweep(&["1"])), None);
        let kernels: Vec<Signal> = (0..30)
            .map(|i| Signal::new("ttft", Statistic::Mean, 1.0).label("kernel", i))
            .collect();
        assert_eq!(heading(&kernels), None);
    }
}
