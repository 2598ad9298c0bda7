//! A bundle: further settings that a change turns together with its knob, because they cannot be
//! moved apart. It needs the reason why, and the consent of a reviewer on the revision that says so.

use super::Sentence;
use super::change::Knob;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Fewest characters of the reason why settings cannot be moved apart.
pub const REASON: usize = 20;

/// Settings turned together with the knob.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Bundle {
    /// The further settings with their old and new values; the component is the knob's.
    pub settings: Vec<Knob>,
    /// Why they cannot be moved apart.
    pub reason: String,
}

/// A reviewer's consent to the bundle of one revision. Whether it still counts is computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Consent {
    /// Id.
    pub id: Uuid,
    /// Who gave it.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// Digest of the revision it was given on.
    pub revision_digest: String,
    /// Words it was given with.
    pub note: String,
}

impl Bundle {
    /// What it lacks: settings with both values, and a reason. The knob itself is not one of them.
    pub fn problems(&self, knob: &Knob) -> Vec<(&'static str, Sentence)> {
        let mut found = Vec::new();
        if self.settings.is_empty() {
            found.push(("bundle", Sentence::new("bundle-needs-setting")));
        }
        let mut seen = vec![knob.setting.trim()];
        for k in &self.settings {
            let setting = k.setting.trim();
            if setting.is_empty() || k.old.trim().is_empty() || k.new.trim().is_empty() {
                found.push((
                    "bundle",
                    Sentence::new("bundle-needs-values").text("setting", setting),
                ));
            } else if k.old.trim() == k.new.trim() {
                found.push((
                    "bundle",
                    Sentence::new("bundle-same-value").text("setting", setting),
                ));
            }
            if seen.contains(&setting) {
                found.push((
                    "bundle",
                    Sentence::new("bundle-twice").text("setting", setting),
                ));
            }
            seen.push(setting);
        }
        if self.reason.trim().chars().count() < REASON {
            found.push((
                "bundle_reason",
                Sentence::new("bundle-needs-reason").count("least", REASON),
            ));
        }
        found
    }
}
