//! One limit over the windows of a canary. Each window is judged by itself, because percentiles of
//! windows are never averaged: one that breaks the limit breaks it, and one that cannot be judged
//! is a gap.

use super::Whole;
use super::sample::{Arm, Kept, Sample};
use super::span::Span;
use crate::ladder::contract::{Comparator, Limit, Terms};
use crate::ladder::measure::{self, about};
use crate::ladder::numbers::Policy;
use crate::ladder::plan::CanaryPlan;
use crate::ladder::{Arg, Sentence, Statistic};
use chrono::{DateTime, Utc};

/// What a series of windows comes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judged {
    /// Its verdict.
    pub whole: Whole,
    /// Why it is not a pass.
    pub reason: Option<Sentence>,
    /// Worst value, all observations, least and greatest value: candidate, baseline.
    pub arms: [Option<Summary>; 2],
}

/// An arm in numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summary {
    /// Worst value for the limit.
    pub worst: f64,
    /// Observations over all windows.
    pub samples: u64,
    /// Least and greatest value.
    pub spread: (f64, f64),
    /// Whether a window that counts breaks the limit.
    pub breaks: bool,
}

/// What the limits of a canary are judged by.
pub(super) struct Rules<'r> {
    pub plan: &'r CanaryPlan,
    pub terms: &'r Terms,
    pub policy: &'r Policy,
    pub span: &'r Span,
}

/// One limit with both arms' windows.
struct Series<'s> {
    rules: &'s Rules<'s>,
    limit: &'s Limit,
    candidate: Vec<&'s Sample>,
    baseline: Vec<&'s Sample>,
}

/// Judges a limit on posted samples; `None` when the candidate has none that speak for it.
pub(super) fn judge(rules: &Rules<'_>, limit: &Limit, posted: &[&Kept]) -> Option<Judged> {
    let of = |arm: Arm| {
        let mut found: Vec<&Sample> = posted
            .iter()
            .map(|k| &k.sample)
            .filter(|s| s.arm == arm && speaks_for(rules.terms, s, limit))
            .collect();
        found.sort_by_key(|s| (s.starts_at, s.ends_at));
        found
    };
    let series = Series {
        candidate: of(Arm::Candidate),
        baseline: of(Arm::Baseline),
        rules,
        limit,
    };
    (!series.candidate.is_empty()).then(|| series.judged())
}

/// Whether a sample may speak for a limit's class and band: as of a run.
pub(super) fn speaks_for(terms: &Terms, s: &Sample, limit: &Limit) -> bool {
    let class = match (&limit.class, &s.class) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        _ => terms.classes.len() == 1,
    };
    let band = match (&limit.band, &s.band) {
        (Some(a), Some(b)) => a == b,
        (None, _) => true,
        (Some(_), None) => terms.bands.len() == 1,
    };
    s.signal == limit.signal && s.statistic == limit.statistic && class && band
}

/// Least observations of a whole window before a statistic of it may be judged.
fn least(policy: &Policy, statistic: Statistic) -> u64 {
    match statistic {
        Statistic::Quantile(q) if q > 950 => policy.least_samples_p99,
        Statistic::Quantile(q) if q > 500 => policy.least_samples_p95,
        Statistic::Quantile(_) | Statistic::Mean => policy.least_samples_p50,
        _ => 1,
    }
}

impl Series<'_> {
    fn judged(&self) -> Judged {
        let (whole, reason) = self.verdict();
        Judged {
            whole,
            reason,
            arms: [self.summary(&self.candidate), self.summary(&self.baseline)],
        }
    }

    fn say(&self, key: &str) -> Sentence {
        about(Sentence::new(key), self.limit)
    }

    fn unsure(&self, sentence: Sentence) -> (Whole, Option<Sentence>) {
        (Whole::Inconclusive, Some(sentence))
    }

    /// Observations one window needs. Tails need their number whatever the window; what the
    /// contract asks for over its window is asked in proportion of a shorter one.
    fn need(&self, s: &Sample) -> u64 {
        let terms = self.rules.terms;
        let part = (s.seconds() / f64::from(terms.window_seconds.max(1))).min(1.0);
        let asked = self.limit.min_samples.unwrap_or(0).max(terms.min_samples);
        let asked = (asked as f64 * part).ceil() as u64;
        least(self.rules.policy, self.limit.statistic).max(asked)
    }

    fn counts(&self, s: &Sample) -> bool {
        s.samples.is_some_and(|n| n >= self.need(s))
    }

    fn breaks(&self, s: &Sample) -> bool {
        !self.limit.comparator.holds(s.value, self.limit.value)
    }

    fn judged_windows<'a>(&self, all: &[&'a Sample]) -> Vec<&'a Sample> {
        all.iter().copied().filter(|s| self.counts(s)).collect()
    }

    /// The baseline's windows of the same time.
    fn beside<'a>(&'a self, s: &'a Sample) -> impl Iterator<Item = &'a Sample> {
        self.baseline
            .iter()
            .copied()
            .filter(|b| self.counts(b) && b.starts_at < s.ends_at && s.starts_at < b.ends_at)
    }

    fn verdict(&self) -> (Whole, Option<Sentence>) {
        if self.identical() {
            return self.unsure(Sentence::new("compare-identical"));
        }
        let windows = self.judged_windows(&self.candidate);
        if let Some(found) = self.broken(&windows) {
            return found;
        }
        if let Some(why) = self.worse(&windows) {
            return (Whole::Fail, Some(why));
        }
        if windows.is_empty() {
            return self.unsure(self.too_few_in_windows());
        }
        if let Some(why) = self.gap(&windows, Arm::Candidate) {
            return self.unsure(why);
        }
        if self.rules.plan.concurrent_baseline {
            let beside = self.judged_windows(&self.baseline);
            if beside.is_empty() {
                return self.unsure(self.say("canary-no-baseline-for"));
            }
            if let Some(why) = self.gap(&beside, Arm::Baseline) {
                return self.unsure(why);
            }
            if let Some(why) = self.too_few(&beside, Arm::Baseline) {
                return self.unsure(why);
            }
        }
        match self.too_few(&windows, Arm::Candidate) {
            Some(why) => self.unsure(why),
            None => (Whole::Pass, None),
        }
    }

    /// Windows that break the limit. When the baseline breaks it in the same time, they say
    /// nothing about the change.
    fn broken(&self, windows: &[&Sample]) -> Option<(Whole, Option<Sentence>)> {
        let broken: Vec<&&Sample> = windows.iter().filter(|s| self.breaks(s)).collect();
        let alone = broken
            .iter()
            .find(|s| !self.beside(s).any(|b| self.breaks(b)));
        if let Some(s) = alone {
            let why = self
                .say("canary-window-breaks")
                .with("value", Arg::Value(s.value, self.limit.unit()))
                .with("from", Arg::Time(s.starts_at));
            return Some((Whole::Fail, Some(why)));
        }
        (!broken.is_empty()).then(|| self.unsure(self.say("canary-baseline-also-broken")))
    }

    /// A window that keeps the limit and is worse than the baseline beside it by more than the
    /// plan tolerates.
    fn worse(&self, windows: &[&Sample]) -> Option<Sentence> {
        let margin = self.rules.plan.margin?;
        for s in windows {
            for b in self.beside(s) {
                if worse_by(self.limit.comparator, b.value, s.value).is_some_and(|w| w > margin) {
                    return Some(worse_said(self.limit, (b.value, s.value), margin));
                }
            }
        }
        None
    }

    /// Whether the candidate's windows are the baseline's, value for value.
    fn identical(&self) -> bool {
        let same = |a: &&Sample, b: &&Sample| {
            (a.starts_at, a.ends_at, a.samples) == (b.starts_at, b.ends_at, b.samples)
                && a.value.to_bits() == b.value.to_bits()
        };
        self.candidate.len() == self.baseline.len()
            && self
                .candidate
                .iter()
                .zip(&self.baseline)
                .all(|(a, b)| same(a, b))
    }

    /// A stretch longer than one window without one that counts, or a last one that is too old.
    fn gap(&self, windows: &[&Sample], arm: Arm) -> Option<Sentence> {
        let span = self.rules.span;
        let width = self.rules.plan.interval(self.rules.terms);
        let said = |key: &str, at: DateTime<Utc>| {
            self.say(key)
                .with("arm", Arg::Key(format!("canary-arm-{}", arm.id())))
                .with("at", Arg::Time(at))
                .with("window", Arg::Value(width as f64, self.seconds()))
        };
        let mut covered = span.started;
        for s in windows {
            if span.silent(covered, s.starts_at) > width {
                return Some(said("canary-gap", covered));
            }
            covered = covered.max(s.ends_at);
        }
        (span.silent(covered, span.until) > 2 * width).then(|| said("canary-stale", covered))
    }

    fn seconds(&self) -> crate::ladder::Unit {
        crate::ladder::Unit::Seconds
    }

    fn too_few_in_windows(&self) -> Sentence {
        let most = self.candidate.iter().max_by_key(|s| s.samples);
        let (have, need) = most.map_or((None, 0), |s| (s.samples, self.need(s)));
        match have {
            None => self
                .say("canary-window-samples-unknown")
                .with("need", Arg::Count(need)),
            Some(have) => self
                .say("canary-window-too-few")
                .with("have", Arg::Count(have))
                .with("need", Arg::Count(need)),
        }
    }

    fn too_few(&self, windows: &[&Sample], arm: Arm) -> Option<Sentence> {
        let have: u64 = windows.iter().filter_map(|s| s.samples).sum();
        let need = self
            .rules
            .plan
            .min_samples
            .unwrap_or(0)
            .max(self.rules.terms.min_samples)
            .max(self.limit.min_samples.unwrap_or(0));
        (have < need).then(|| {
            self.say("canary-too-few")
                .with("arm", Arg::Key(format!("canary-arm-{}", arm.id())))
                .with("have", Arg::Count(have))
                .with("need", Arg::Count(need))
        })
    }

    fn summary(&self, all: &[&Sample]) -> Option<Summary> {
        let first = all.first()?.value;
        let (least, most) = all
            .iter()
            .fold((first, first), |(a, b), s| (a.min(s.value), b.max(s.value)));
        Some(Summary {
            worst: match self.limit.comparator {
                Comparator::AtMost => most,
                Comparator::AtLeast => least,
            },
            samples: all.iter().filter_map(|s| s.samples).sum(),
            spread: (least, most),
            breaks: self.judged_windows(all).iter().any(|s| self.breaks(s)),
        })
    }
}

/// By which share of the baseline's value the candidate is worse for the limit; `None` when the
/// baseline is zero, of which nothing is a share.
pub(super) fn worse_by(comparator: Comparator, baseline: f64, candidate: f64) -> Option<f64> {
    let worse = match comparator {
        Comparator::AtMost => candidate - baseline,
        Comparator::AtLeast => baseline - candidate,
    };
    (baseline != 0.0).then(|| worse / baseline.abs())
}

/// That the candidate is worse than the baseline arm by more than the margin.
pub(super) fn worse_said(
    limit: &Limit,
    (baseline, candidate): (f64, f64),
    margin: f64,
) -> Sentence {
    let unit = limit.unit();
    about(Sentence::new("canary-worse"), limit)
        .with("value", Arg::Value(candidate, unit))
        .with("baseline", Arg::Value(baseline, unit))
        .with("margin", Arg::Value(margin, crate::ladder::Unit::Ratio))
}

/// What the arm's summary says about the limit, for the comparison's row.
pub(super) fn side(limit: &Limit, summary: Option<Summary>) -> crate::ladder::compare::Side {
    let Some(s) = summary else {
        return crate::ladder::compare::Side::default();
    };
    let verdict = if s.breaks {
        measure::Verdict::Breaks
    } else if limit.comparator.holds(s.worst, limit.value) {
        measure::Verdict::Holds
    } else {
        measure::Verdict::CannotTell(about(Sentence::new("canary-window-few"), limit))
    };
    crate::ladder::compare::Side {
        value: Some(s.worst),
        samples: Some(s.samples),
        verdict: Some(verdict),
        ..crate::ladder::compare::Side::default()
    }
}
