//! Percentiles held against the values they come from and against each other, and runs held
//! against runs.

use super::{
    load::{Axis, Place},
    run::{Rule, Run, is_latency},
    sample::Sample,
};
use crate::{Note, NoteLevel, Statistic, Unit, catalogue};
use std::collections::BTreeMap;

/// Share by which a figure of the tool may differ from the one computed.
const SAME: f64 = 0.005;
/// Step of the prefix hit ratio between runs that makes them unlike.
const HITS: f64 = 0.20;

/// A value with its unit, for a note.
pub fn shown(signal: &str, value: f64) -> String {
    let digits = if value.abs() < 1.0 { 6 } else { 3 };
    let text = format!("{value:.digits$}");
    match catalogue::find(signal).map(|d| d.unit) {
        Some(Unit::Seconds) => format!("{text} s"),
        _ => text,
    }
}

/// Notes on the percentiles of one run.
pub fn percentiles(run: &Run, place: &Place, rule: Rule) -> Vec<Note> {
    let mut notes = Vec::new();
    let note = |level, code: &str| Note::new(level, code).arg("run", &place.shown);
    let mut worst: BTreeMap<&str, (f64, Note)> = BTreeMap::new();
    let mut by_rule = None;
    for ((name, statistic), told) in &run.told {
        let Some(sample) = run.own.get(name).filter(|s| !s.is_empty()) else {
            continue;
        };
        let Some(own) = computed(sample, *statistic) else {
            continue;
        };
        let off = (told.value - own).abs() / own.abs().max(1e-12);
        if off <= SAME {
            continue;
        }
        let said = |code| {
            note(NoteLevel::Warning, code)
                .arg("signal", name)
                .arg("statistic", statistic)
                .arg("told", shown(name, told.value))
                .arg("own", shown(name, own))
                .arg("n", sample.len())
        };
        if rule != Rule::Linear && near(sample, *statistic, told.value) {
            let mut note = said("bench-other-rule");
            note.level = NoteLevel::Info;
            by_rule.get_or_insert(note);
            continue;
        }
        let found = worst.get(name).is_none_or(|(o, _)| off > *o);
        if found {
            worst.insert(name, (off, said("bench-differs")));
        }
    }
    notes.extend(worst.into_values().map(|(_, note)| note));
    notes.extend(by_rule);
    notes.extend(fall(run, &note));
    notes.extend(few(run, &note));
    notes
}

fn computed(sample: &Sample, statistic: Statistic) -> Option<f64> {
    Some(match statistic {
        Statistic::Mean => sample.mean()?,
        Statistic::Min => sample.range()?.0,
        Statistic::Max => sample.range()?.1,
        other => sample.quantiles(&[other.quantile()?]).first()?.0,
    })
}

/// Whether a value is among the observed ones around its rank: another rule, no other data.
fn near(sample: &Sample, statistic: Statistic, value: f64) -> bool {
    let Some(q) = statistic.quantile() else {
        return false;
    };
    let step = 1.5 / sample.len() as f64;
    let ends = sample.quantiles(&[(q - step).max(0.0), (q + step).min(1.0)]);
    match ends[..] {
        [(low, _), (high, _)] => value >= low * (1.0 - SAME) && value <= high * (1.0 + SAME),
        _ => false,
    }
}

/// Percentiles never fall, and lie between the extremes.
fn fall(run: &Run, note: &dyn Fn(NoteLevel, &str) -> Note) -> Vec<Note> {
    let mut of: BTreeMap<&str, Vec<(Statistic, f64)>> = BTreeMap::new();
    for ((name, statistic), told) in &run.told {
        if statistic.quantile().is_some() {
            of.entry(name).or_default().push((*statistic, told.value));
        }
    }
    let mut notes = Vec::new();
    for (name, mut all) in of {
        let end = |s| run.told.iter().find(|((n, t), _)| *n == name && *t == s);
        if let Some(((_, s), t)) = end(Statistic::Min) {
            all.insert(0, (*s, t.value));
        }
        if let Some(((_, s), t)) = end(Statistic::Max) {
            all.push((*s, t.value));
        }
        let slack = |v: f64| v.abs() * 1e-6 + 1e-9;
        if let Some(pair) = all.windows(2).find(|w| w[0].1 > w[1].1 + slack(w[0].1)) {
            notes.push(
                note(NoteLevel::Invalid, "bench-percentiles-fall")
                    .arg("signal", name)
                    .arg("lower", pair[0].0)
                    .arg("upper", pair[1].0),
            );
        }
    }
    notes
}

/// Percentiles of too few values.
fn few(run: &Run, note: &dyn Fn(NoteLevel, &str) -> Note) -> Option<Note> {
    let mut found = Vec::new();
    let mut names: Vec<&str> = run.own.keys().copied().collect();
    names.extend(run.told.keys().map(|(n, _)| *n));
    names.sort_unstable();
    names.dedup();
    for name in names.into_iter().filter(|n| is_latency(n)) {
        let own = run.own.get(name).map(Sample::len);
        let told = run
            .told
            .iter()
            .find(|((n, s), _)| *n == name && s.quantile().is_some());
        let n = own
            .or_else(|| told.and_then(|(_, t)| t.samples))
            .or_else(|| {
                // A gap between tokens is not one per request.
                run.good().filter(|_| told.is_some() && name != "itl")
            });
        for statistic in [Statistic::P99, Statistic::P95, Statistic::P50] {
            let there =
                own.is_some() || run.told.keys().any(|(m, s)| *m == name && *s == statistic);
            let least = statistic.least_samples();
            if there && n.is_some_and(|n| n < least) {
                let n = n.unwrap_or(0);
                found.push(format!("{name} {statistic}: {n} < {least}"));
                break;
            }
        }
    }
    (!found.is_empty())
        .then(|| note(NoteLevel::Warning, "bench-few-values").arg("values", found.join(", ")))
}

/// Notes on the runs of a file together.
pub fn across(runs: &[Run], places: &[Place], axis: Axis) -> Vec<Note> {
    let mut notes = Vec::new();
    if runs.len() < 2 {
        return notes;
    }
    match axis {
        Axis::None => notes
            .push(Note::new(NoteLevel::Warning, "bench-loads-unknown").arg("count", runs.len())),
        Axis::Rate => notes.push(Note::new(NoteLevel::Info, "bench-rate-points")),
        Axis::Concurrency => {}
    }
    notes.extend(repeated(runs, places));
    notes.extend(same_prompts(runs, places));
    notes.extend(hits(runs, places));
    notes.extend(best(runs, places));
    notes
}

/// The same load twice: all are kept, and the spread is said.
fn repeated(runs: &[Run], places: &[Place]) -> Vec<Note> {
    let mut of: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (i, place) in places.iter().enumerate() {
        if let Some(load) = place.load {
            of.entry(load.to_bits()).or_default().push(i);
        }
    }
    of.into_iter()
        .filter(|(_, at)| at.len() > 1)
        .map(|(load, at)| {
            let rates: Vec<f64> = at.iter().filter_map(|i| runs[*i].throughput()).collect();
            let low = rates.iter().copied().fold(f64::INFINITY, f64::min);
            let high = rates.iter().copied().fold(0.0, f64::max);
            let spread = if low > 0.0 && low.is_finite() {
                format!("{:.1}", (high / low - 1.0) * 100.0)
            } else {
                "–".to_owned()
            };
            Note::new(NoteLevel::Warning, "bench-load-repeated")
                .arg("load", f64::from_bits(load))
                .arg("count", at.len())
                .arg("spread", spread)
        })
        .collect()
}

/// Runs that sent the same prompts: with prefix caching the later ones find them cached.
fn same_prompts(runs: &[Run], places: &[Place]) -> Option<Note> {
    let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (run, place) in runs.iter().zip(places) {
        if let Some(prompts) = &run.prompts {
            of.entry(prompts).or_default().push(&place.shown);
        }
    }
    let same = of.into_values().find(|at| at.len() > 1)?;
    let shown: Vec<&str> = same.iter().take(8).copied().collect();
    Some(
        Note::new(NoteLevel::Warning, "bench-same-prompts")
            .arg("runs", shown.join(", "))
            .arg("count", same.len()),
    )
}

/// A step of the prefix hit ratio between runs that are compared.
fn hits(runs: &[Run], places: &[Place]) -> Option<Note> {
    let known: Vec<(f64, &Place)> = runs
        .iter()
        .zip(places)
        .filter_map(|(r, p)| Some((r.said("prefix_cache_hit_ratio", Statistic::Ratio)?, p)))
        .collect();
    let low = known.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let high = known.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    (high.0 - low.0 >= HITS).then(|| {
        Note::new(NoteLevel::Warning, "bench-hit-jump")
            .arg("low", format!("{:.0}", low.0 * 100.0))
            .arg("low-run", &low.1.shown)
            .arg("high", format!("{:.0}", high.0 * 100.0))
            .arg("high-run", &high.1.shown)
    })
}

/// The best throughput and the best latency are of different points: never quote them together.
fn best(runs: &[Run], places: &[Place]) -> Option<Note> {
    let of = |value: &dyn Fn(&Run) -> Option<f64>| {
        let known = runs.iter().zip(places).filter(|(r, _)| !r.of_server);
        let mut all: Vec<(f64, &Place)> = known.filter_map(|(r, p)| Some((value(r)?, p))).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all
    };
    let rates = of(&|r| r.throughput());
    let waits = of(&|r| {
        r.quantile("ttft", Statistic::P99)
            .or_else(|| r.mean("ttft"))
            .or_else(|| r.mean("e2e_latency"))
    });
    let (fast, quick) = (rates.last()?, waits.first()?);
    (fast.1.shown != quick.1.shown && waits.len() > 1).then(|| {
        Note::new(NoteLevel::Info, "bench-best-points")
            .arg("throughput-run", &fast.1.shown)
            .arg("latency-run", &quick.1.shown)
    })
}
