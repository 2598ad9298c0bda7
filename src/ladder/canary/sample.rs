//! Samples of a running canary: one signal of one arm over one window, as posted by a person or a
//! machine. Where a sample belongs is said by its window, not by when it came.

use crate::ladder::case::CaseFile;
use crate::ladder::change::Change;
use crate::ladder::run::ids;
use crate::ladder::{Arg, Sentence, Statistic, Unit, digest};
use chrono::{DateTime, TimeDelta, Utc};
use pel_evidence::catalogue;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How far ahead of our clock the end of a window may lie.
const AHEAD: TimeDelta = TimeDelta::minutes(5);

/// An arm of a canary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// With the new value.
    Candidate,
    /// With the old one, beside it.
    Baseline,
}

ids!(Arm { Candidate => "candidate", Baseline => "baseline" });

/// One value over one window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Arm it was measured on.
    pub arm: Arm,
    /// Start of the window.
    pub starts_at: DateTime<Utc>,
    /// End of the window.
    pub ends_at: DateTime<Utc>,
    /// Task class; `None` = all together.
    #[serde(default)]
    pub class: Option<String>,
    /// Concurrency band; `None` = not told apart.
    #[serde(default)]
    pub band: Option<String>,
    /// Region; `None` = not told apart.
    #[serde(default)]
    pub region: Option<String>,
    /// Catalogued signal.
    pub signal: String,
    /// Its statistic.
    pub statistic: Statistic,
    /// Value in the signal's base unit.
    pub value: f64,
    /// Observations behind it, when known.
    #[serde(default)]
    pub samples: Option<u64>,
    /// Requests this arm took in the window, when known.
    #[serde(default)]
    pub requests: Option<u64>,
    /// Share of traffic this arm took in the window, 0–1, when known.
    #[serde(default)]
    pub share: Option<f64>,
}

/// A sample as it was kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The sample.
    #[serde(flatten)]
    pub sample: Sample,
    /// When it came.
    pub at: DateTime<Utc>,
    /// Who posted it; `None` = a service token.
    pub by: Option<Uuid>,
}

impl Sample {
    /// What makes a second posting of it the same one.
    pub fn digest(&self) -> String {
        digest(self)
    }

    /// Length of its window in seconds.
    pub fn seconds(&self) -> f64 {
        (self.ends_at - self.starts_at).as_seconds_f64()
    }

    /// What keeps it from being taken. Empty = it is a sample of this change's canary.
    pub fn problems(&self, case: &CaseFile, change: &Change, now: DateTime<Utc>) -> Vec<Sentence> {
        use super::CanaryEventKind::Started;
        let mut found = Vec::new();
        let Some(started) = change.canary.iter().find(|e| e.kind == Started) else {
            return vec![Sentence::new("sample-not-started").text("change", change.label())];
        };
        if self.starts_at >= self.ends_at {
            found.push(Sentence::new("sample-window-empty"));
        }
        if self.ends_at > now + AHEAD {
            found.push(Sentence::new("sample-window-ahead").with("at", Arg::Time(self.ends_at)));
        }
        if self.ends_at <= started.at {
            found.push(
                Sentence::new("sample-before-start")
                    .with("at", Arg::Time(self.ends_at))
                    .with("started", Arg::Time(started.at)),
            );
        }
        match catalogue::find(&self.signal) {
            None => {
                found.push(Sentence::new("sample-unknown-signal").text("given", &self.signal));
            }
            Some(d) if d.unit == Unit::Ratio && !(0.0..=1.0).contains(&self.value) => {
                found.push(
                    Sentence::new("sample-not-a-share")
                        .with("signal", Arg::Signal(self.signal.clone())),
                );
            }
            Some(_) => {}
        }
        if !self.value.is_finite() {
            found.push(Sentence::new("sample-not-finite"));
        }
        if self.share.is_some_and(|s| !(0.0..=1.0).contains(&s)) {
            found.push(Sentence::new("sample-share"));
        }
        let most = i64::MAX as u64;
        if self.samples.is_some_and(|n| n > most) || self.requests.is_some_and(|n| n > most) {
            found.push(Sentence::new("sample-count"));
        }
        found.extend(self.unknown_names(case));
        found
    }

    /// A class or band that the contract does not know.
    fn unknown_names(&self, case: &CaseFile) -> Vec<Sentence> {
        let Some(version) = &case.contract else {
            return vec![Sentence::new("gate-no-contract")];
        };
        let terms = &version.terms;
        let mut found = Vec::new();
        if let Some(class) = &self.class
            && !terms.classes.iter().any(|c| c.name == *class)
        {
            found.push(Sentence::new("sample-unknown-class").text("class", class));
        }
        if let Some(band) = &self.band
            && !terms.bands.iter().any(|b| b.name == *band)
        {
            found.push(Sentence::new("sample-unknown-band").text("band", band));
        }
        found
    }
}
