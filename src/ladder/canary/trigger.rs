//! Whether a rollback threshold has triggered: its side broken over as many windows in a row as it
//! says. Windows are taken in the order of their time, however they came; samples posted after the
//! end of the canary count here, because the candidate is in service until somebody takes it out.

use super::CanaryEventKind as K;
use super::sample::{Arm, Sample};
use crate::ladder::change::{Change, ChangeState, Threshold};
use crate::ladder::contract::{Limit, LimitPhase, Terms};
use crate::ladder::run::{Phase, RunRole};
use crate::ladder::view::{RunView, View};
use crate::ladder::{Arg, Sentence, measure};
use chrono::{DateTime, Utc};

/// A threshold that triggered.
#[derive(Debug, Clone, PartialEq)]
pub struct Triggered {
    /// Its place among the thresholds, from 0.
    pub threshold: usize,
    /// End of the window that made it trigger.
    pub at: DateTime<Utc>,
    /// What happened, in words.
    pub said: Sentence,
}

/// One window of the candidate, from a posted sample or a run's file.
struct Window {
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    value: f64,
    samples: u64,
    source: Option<String>,
}

/// The first threshold that has triggered since the canary's start.
pub fn triggered(view: &View<'_>, change: &Change) -> Option<Triggered> {
    let terms = view.terms()?;
    let revision = change.current()?;
    change.last(K::Started)?;
    revision
        .terms
        .thresholds
        .iter()
        .enumerate()
        .filter_map(|(i, t)| {
            let mut windows = posted(change, terms, t);
            windows.extend(read(view, change, terms, t));
            windows.sort_by_key(|w| (w.from, w.to));
            let w = streak(t, &windows)?;
            Some(Triggered {
                threshold: i,
                at: w.to,
                said: said(t, w),
            })
        })
        .min_by_key(|t| t.at)
}

/// The window that completes the first streak of broken ones.
fn streak<'w>(t: &Threshold, windows: &'w [Window]) -> Option<&'w Window> {
    let (value, length) = (t.value?, f64::from(t.window_seconds?));
    let least = t.min_samples? as f64;
    let (mut units, mut samples) = (0.0, 0.0);
    let mut last: Option<DateTime<Utc>> = None;
    for w in windows {
        let seconds = (w.to - w.from).as_seconds_f64();
        // A window shorter than the threshold's counts for its part of one.
        let part = (seconds / length).min(1.0);
        let whole = part > 0.99;
        if whole && (w.samples as f64) < least {
            continue;
        }
        let apart = last.is_some_and(|l| (w.from - l).as_seconds_f64() > length);
        if t.comparator.holds(w.value, value) || apart {
            (units, samples) = (0.0, 0.0);
        }
        if !t.comparator.holds(w.value, value) {
            units += if whole { 1.0 } else { part };
            samples += w.samples as f64;
            let wanted = f64::from(t.consecutive.max(1));
            if units >= wanted - 0.01 && samples >= least * wanted {
                return Some(w);
            }
        }
        last = Some(last.map_or(w.to, |l| l.max(w.to)));
    }
    None
}

fn said(t: &Threshold, w: &Window) -> Sentence {
    let sentence = Sentence::new(match &w.source {
        Some(_) => "canary-triggered-run",
        None => "canary-triggered",
    })
    .with("signal", Arg::Signal(t.signal.clone()))
    .with("class", measure::class_arg(t.class.as_deref()))
    .with("value", Arg::Value(w.value, t.unit()))
    .text("sign", t.comparator.sign())
    .with("limit", Arg::Value(t.value.unwrap_or(f64::NAN), t.unit()))
    .count("count", t.consecutive.max(1) as usize)
    .with("at", Arg::Time(w.to));
    let sentence = match t.statistic {
        Some(s) => sentence.with("statistic", Arg::Statistic(s)),
        None => sentence,
    };
    match &w.source {
        Some(run) => sentence.text("run", run),
        None => sentence,
    }
}

/// The threshold as a limit, to ask what speaks for it.
fn as_limit(t: &Threshold) -> Option<Limit> {
    Some(Limit {
        id: String::new(),
        signal: t.signal.clone(),
        statistic: t.statistic?,
        comparator: t.comparator,
        value: t.value?,
        typed_unit: String::new(),
        class: t.class.clone(),
        band: t.band.clone(),
        phase: LimitPhase::Warm,
        min_samples: None,
    })
}

fn posted(change: &Change, terms: &Terms, t: &Threshold) -> Vec<Window> {
    let Some(limit) = as_limit(t) else {
        return Vec::new();
    };
    let window = |s: &Sample| Window {
        from: s.starts_at,
        to: s.ends_at,
        value: s.value,
        samples: s.samples.unwrap_or(0),
        source: None,
    };
    change
        .samples
        .iter()
        .map(|k| &k.sample)
        .filter(|s| s.arm == Arm::Candidate && super::series::speaks_for(terms, s, &limit))
        .map(window)
        .collect()
}

/// Windows of candidate runs taken since the start: those of the canary, and after acceptance
/// those of the promoted service.
fn read(view: &View<'_>, change: &Change, terms: &Terms, t: &Threshold) -> Vec<Window> {
    let (Some(limit), Some(started)) = (as_limit(t), change.last(K::Started)) else {
        return Vec::new();
    };
    let promoted = matches!(change.state, ChangeState::Accepted | ChangeState::Confirmed)
        .then_some(change.state_since);
    let counts = |r: &&RunView<'_>| {
        let Some((from, _)) = r.run.stated.window else {
            return false;
        };
        let canary = r.run.stated.phase == Phase::Canary && from >= started.at;
        let after = r.run.stated.phase == Phase::Warm && promoted.is_some_and(|at| from >= at);
        (canary || after) && !r.profiled && view.troubles(r).is_empty()
    };
    [Phase::Canary, Phase::Warm]
        .into_iter()
        .flat_map(|phase| view.runs_for(RunRole::Candidate, phase))
        .filter(counts)
        .filter(|r| r.serves(terms, &limit))
        .flat_map(|r| {
            let window = r.run.stated.window;
            r.values(&limit.signal, limit.statistic)
                .filter(|(_, s)| s.labels.is_empty())
                .filter_map(move |(_, s)| {
                    let (from, to) = window?;
                    Some(Window {
                        from,
                        to,
                        value: s.value,
                        samples: s.samples.unwrap_or(0),
                        source: Some(r.run.label()),
                    })
                })
                .collect::<Vec<_>>()
        })
        .collect()
}
