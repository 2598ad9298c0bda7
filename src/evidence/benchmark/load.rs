//! Where each run of a file stands: alone, on an axis of load, or merely numbered.
//!
//! A run alone speaks for the whole reading. Runs at different loads carry the label `load`, as
//! the points of any sweep do. Runs whose load the file does not say, or that repeat one, carry
//! their number: they can be looked at and not be judged by the best of them.

use super::run::Run;
use std::collections::BTreeSet;

/// What the label `load` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// One run, or loads that are not known.
    None,
    /// Requests in flight.
    Concurrency,
    /// Requests per second asked for.
    Rate,
}

/// The place of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Labels of its signals.
    pub labels: Vec<(&'static str, String)>,
    /// Its load on the axis.
    pub load: Option<f64>,
    /// What notes call it: its number, and its load or name.
    pub shown: String,
}

fn load(run: &Run, axis: Axis) -> Option<f64> {
    match axis {
        _ if run.of_server => None,
        Axis::None => None,
        Axis::Concurrency => run.concurrency,
        Axis::Rate => run.rate,
    }
}

fn distinct(runs: &[Run], axis: Axis) -> usize {
    let values: BTreeSet<u64> = runs
        .iter()
        .filter_map(|r| load(r, axis))
        .map(f64::to_bits)
        .collect();
    values.len()
}

/// The axis of the runs: the one on which most of them differ, requests in flight among equals.
pub fn axis(runs: &[Run]) -> Axis {
    let (flight, rate) = (
        distinct(runs, Axis::Concurrency),
        distinct(runs, Axis::Rate),
    );
    match (flight, rate) {
        _ if runs.len() < 2 => Axis::None,
        (0, 0) => Axis::None,
        (f, r) if r > f => Axis::Rate,
        _ => Axis::Concurrency,
    }
}

/// The places of all runs.
pub fn places(runs: &[Run], axis: Axis) -> Vec<Place> {
    let loads: Vec<Option<f64>> = runs.iter().map(|r| load(r, axis)).collect();
    runs.iter()
        .enumerate()
        .map(|(i, run)| {
            let load = loads[i];
            let twice = loads.iter().filter(|l| l.is_some() && **l == load).count() > 1;
            let mut labels = Vec::new();
            if let Some(load) = load {
                labels.push(("load", load.to_string()));
            }
            if runs.len() > 1 && (load.is_none() || twice) {
                labels.push(("run", (i + 1).to_string()));
            }
            let more = load
                .map(|l| l.to_string())
                .or_else(|| run.name.clone())
                .map(|m| format!(" ({m})"))
                .unwrap_or_default();
            Place {
                labels,
                load,
                shown: format!("{}{more}", i + 1),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(concurrency: Option<f64>, rate: Option<f64>) -> Run {
        Run {
            concurrency,
            rate,
            ..Run::default()
        }
    }

    #[test]
    fn runs_differ_on_the_axis_that_tells_them_apart() {
        let alone = [at(Some(4.0), None)];
        assert_eq!(axis(&alone), Axis::None);
        assert!(places(&alone, Axis::None)[0].labels.is_empty());
        let rates = [at(Some(64.0), Some(1.0)), at(Some(64.0), Some(2.0))];
        assert_eq!(axis(&rates), Axis::Rate);
        let flight = [at(Some(1.0), None), at(Some(2.0), None)];
        assert_eq!(axis(&flight), Axis::Concurrency);
        assert_eq!(
            places(&flight, Axis::Concurrency)[1].labels,
            [("load", "2".to_owned())]
        );
    }

    #[test]
    fn a_load_measured_twice_is_numbered() {
        let runs = [at(Some(1.0), None), at(Some(1.0), None), at(None, None)];
        let places = places(&runs, axis(&runs));
        assert_eq!(
            places[1].labels,
            [("load", "1".to_owned()), ("run", "2".to_owned())]
        );
        assert_eq!(places[2].labels, [("run", "3".to_owned())]);
    }
}
