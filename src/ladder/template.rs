//! Templates of standard changes: one setting of one component, with the range in which a reviewer
//! agreed beforehand that it may be turned.

use super::change::Terms;
use super::{Arg, Sentence};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A template with the newest word of a reviewer on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Template {
    /// Id.
    pub id: Uuid,
    /// Number over all services: `T-3`.
    pub number: i64,
    /// Component whose setting it is.
    pub component: String,
    /// The setting.
    pub setting: String,
    /// Unit of its values, if they have one.
    pub unit: String,
    /// Least new value.
    pub least: f64,
    /// Greatest new value.
    pub most: f64,
    /// Why it may be turned without asking each time.
    pub reason: String,
    /// Who wrote it.
    pub by: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// Whether a reviewer's agreement is in force, whose word that is, and when it was given;
    /// `None` = nobody spoke yet.
    pub agreed: Option<(bool, Uuid, DateTime<Utc>)>,
}

impl Template {
    /// `T-3`.
    pub fn label(&self) -> String {
        format!("T-{}", self.number)
    }

    /// Whether a reviewer's agreement is in force.
    pub fn is_agreed(&self) -> bool {
        matches!(self.agreed, Some((true, _, _)))
    }

    /// What keeps a revision from being made from it.
    pub fn problems(&self, terms: &Terms) -> Vec<Sentence> {
        let mut found = Vec::new();
        let said = |key: &str| Sentence::new(key).text("template", self.label());
        if !self.is_agreed() {
            found.push(said("template-not-agreed"));
        }
        let k = &terms.knob;
        let same = |a: &str, b: &str| a.trim() == b.trim();
        if !same(&k.setting, &self.setting) || !same(&k.component, &self.component) {
            found.push(
                said("template-other-setting")
                    .text("setting", &self.setting)
                    .text("component", &self.component),
            );
        }
        if !same(&k.unit, &self.unit) {
            found.push(said("template-other-unit").text("unit", &self.unit));
        }
        let value = k.new.trim().parse::<f64>().ok().filter(|v| v.is_finite());
        if value.is_none_or(|v| v < self.least || v > self.most) {
            found.push(
                said("template-out-of-range")
                    .text("value", &k.new)
                    .text("from", self.least)
                    .text("to", self.most),
            );
        }
        if terms.bundle.is_some() {
            found.push(said("template-one-knob"));
        }
        found
    }
}

/// A stretch of time in which a service takes no new change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Freeze {
    /// Id.
    pub id: Uuid,
    /// From when.
    pub from: DateTime<Utc>,
    /// To when.
    pub to: DateTime<Utc>,
    /// Why.
    pub reason: String,
    /// Who set it, by name.
    pub by: String,
}

impl Freeze {
    /// Whether it is in force.
    pub fn holds_at(&self, now: DateTime<Utc>) -> bool {
        self.from <= now && now < self.to
    }

    /// What it says.
    pub fn said(&self) -> Sentence {
        Sentence::new("freeze-in-force")
            .with("to", Arg::Time(self.to))
            .text("person", &self.by)
            .text("reason", &self.reason)
    }
}
