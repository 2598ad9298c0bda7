//! What each number of the policy means for a form: its unit, and the bounds inside which no value
//! switches a rule off.
//!
//! A number is reached by the name it is stored under, so that the page, the history and the
//! checks speak of the same ones; a test keeps this table and [`Policy`] at the same names.

use super::numbers::Policy;
use super::{Arg, Sentence, Unit};
use serde_json::{Map, Value};

/// How a number is typed and shown. What is stored is always the base unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// How many of something.
    Count,
    /// Seconds, typed in hours.
    Hours,
    /// Seconds, typed in minutes.
    Minutes,
    /// Days.
    Days,
    /// A ratio 0–1, typed in percent.
    Percent,
    /// A ratio, typed as it is.
    Plain,
    /// On or off.
    Switch,
}

impl Kind {
    /// Stable id, for message keys.
    pub fn id(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Hours => "hours",
            Self::Minutes => "minutes",
            Self::Days => "days",
            Self::Percent => "percent",
            Self::Plain => "plain",
            Self::Switch => "switch",
        }
    }

    /// What one typed unit is in the stored one.
    pub fn factor(self) -> f64 {
        match self {
            Self::Hours => 3600.0,
            Self::Minutes => 60.0,
            Self::Percent => 0.01,
            _ => 1.0,
        }
    }

    /// Whether what is stored is a whole number.
    pub fn is_whole(self) -> bool {
        !matches!(self, Self::Percent | Self::Plain | Self::Switch)
    }
}

/// One number of the policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Name it is stored under.
    pub id: &'static str,
    /// How it is typed.
    pub kind: Kind,
    /// Least value allowed, as stored.
    pub least: f64,
    /// Greatest value allowed, as stored.
    pub most: f64,
}

const HOUR: f64 = 3600.0;
const DAY: f64 = 24.0 * HOUR;

const fn number(id: &'static str, kind: Kind, least: f64, most: f64) -> Number {
    Number {
        id,
        kind,
        least,
        most,
    }
}

/// Every number an administrator may change, in the order of the page.
pub const NUMBERS: &[Number] = &[
    number("repro_runs", Kind::Count, 1.0, 20.0),
    number("repro_spread", Kind::Percent, 0.01, 1.0),
    number("canary_approvals", Kind::Count, 1.0, 5.0),
    number("approval_max_age_s", Kind::Hours, HOUR, 30.0 * DAY),
    number("promotion_max_age_s", Kind::Hours, HOUR, 7.0 * DAY),
    number("integrity_max_age_s", Kind::Hours, HOUR, 7.0 * DAY),
    number("watch_window_s", Kind::Hours, 900.0, 30.0 * DAY),
    number("paused_max_s", Kind::Minutes, 300.0, DAY),
    number("presence_max_age_s", Kind::Minutes, 60.0, DAY),
    number("hold_max_days", Kind::Days, 1.0, 180.0),
    number("reread_tolerance", Kind::Percent, 0.0, 0.1),
    number("uploader_may_approve", Kind::Switch, 0.0, 1.0),
    number("thresholds_on_both", Kind::Switch, 0.0, 1.0),
    number("override_max_s", Kind::Minutes, 900.0, DAY),
    number("cosign_wait_s", Kind::Minutes, 300.0, DAY),
    number("review_working_days", Kind::Days, 1.0, 10.0),
    number("confidential_read_s", Kind::Minutes, 300.0, 8.0 * HOUR),
    number("least_samples_p99", Kind::Count, 100.0, 1_000_000.0),
    number("least_samples_p95", Kind::Count, 20.0, 1_000_000.0),
    number("least_samples_p50", Kind::Count, 10.0, 1_000_000.0),
    number("keep_metrics_days", Kind::Days, 7.0, 3650.0),
    number("keep_sweeps_days", Kind::Days, 7.0, 3650.0),
    number("keep_traces_days", Kind::Days, 7.0, 3650.0),
    number("keep_other_days", Kind::Days, 7.0, 3650.0),
    number("keep_confidential_days", Kind::Days, 7.0, 3650.0),
    number("keep_redacted_days", Kind::Days, 1.0, 3650.0),
    number("alpha", Kind::Plain, 0.001, 0.1),
    number("replicates", Kind::Count, 200.0, 100_000.0),
    number("tolerated_change", Kind::Percent, 0.0, 1.0),
];

/// The number with this name.
pub fn find(id: &str) -> Option<&'static Number> {
    NUMBERS.iter().find(|n| n.id == id)
}

/// All numbers of a policy by name, its version left out.
fn stored(policy: &Policy) -> Map<String, Value> {
    match serde_json::to_value(policy) {
        Ok(Value::Object(mut map)) => {
            map.remove("version");
            map
        }
        // A policy is a struct of plain numbers: it always becomes an object.
        _ => Map::new(),
    }
}

/// The value of a number in its stored unit; a switch is 0 or 1. `None` for an unknown name.
pub fn get(policy: &Policy, id: &str) -> Option<f64> {
    match stored(policy).get(id)? {
        Value::Bool(on) => Some(f64::from(u8::from(*on))),
        other => other.as_f64(),
    }
}

/// The same policy with one number changed; `None` when the name is unknown, or the value is none
/// this number can have.
#[must_use]
pub fn with(policy: &Policy, id: &str, value: f64) -> Option<Policy> {
    let number = find(id)?;
    let mut map = stored(policy);
    let value = match number.kind {
        Kind::Switch => Value::Bool(value != 0.0),
        kind if kind.is_whole() => {
            // Through text: every whole number type of the policy reads it, and a fraction none.
            let whole = (value.is_finite() && value.fract() == 0.0).then(|| format!("{value:.0}"));
            serde_json::from_str(&whole?).ok()?
        }
        _ => Value::from(value),
    };
    map.insert(id.to_owned(), value);
    map.insert("version".to_owned(), policy.version.into());
    serde_json::from_value(Value::Object(map)).ok()
}

/// The names of numbers in which two policies differ, in the order of the page.
pub fn changed(a: &Policy, b: &Policy) -> Vec<&'static Number> {
    NUMBERS
        .iter()
        .filter(|n| get(a, n.id) != get(b, n.id))
        .collect()
}

/// The value as a form shows it, for a sentence.
pub fn shown(number: &Number, value: f64) -> Arg {
    match number.kind {
        Kind::Count | Kind::Days => Arg::Count(value.max(0.0) as u64),
        Kind::Hours | Kind::Minutes => Arg::Value(value, Unit::Seconds),
        Kind::Percent => Arg::Value(value, Unit::Ratio),
        Kind::Plain => Arg::Text(value.to_string()),
        Kind::Switch => Arg::Key(
            if value == 0.0 {
                "policy-off"
            } else {
                "policy-on"
            }
            .to_owned(),
        ),
    }
}

/// Everything that keeps a policy from being published, each with the number it is about: a value
/// beyond its bounds would switch a rule off or make it impossible to satisfy.
pub fn problems(policy: &Policy) -> Vec<(&'static str, Sentence)> {
    let mut found: Vec<(&'static str, Sentence)> = NUMBERS
        .iter()
        .filter(|n| {
            get(policy, n.id).is_none_or(|v| !(v >= n.least - 1e-12 && v <= n.most + 1e-12))
        })
        .map(|n| {
            let sentence = Sentence::new("policy-out-of-bounds")
                .with("least", shown(n, n.least))
                .with("most", shown(n, n.most));
            (n.id, sentence)
        })
        .collect();
    let samples = [
        (
            "least_samples_p95",
            policy.least_samples_p95,
            policy.least_samples_p50,
        ),
        (
            "least_samples_p99",
            policy.least_samples_p99,
            policy.least_samples_p95,
        ),
    ];
    for (id, rarer, commoner) in samples {
        if rarer < commoner {
            // A rarer value needs more samples, not fewer.
            let sentence =
                Sentence::new("policy-samples-order").with("least", Arg::Count(commoner));
            found.push((id, sentence));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_names_every_number_of_the_policy_and_no_other() {
        let stored: BTreeSet<String> = stored(&Policy::default())
            .into_iter()
            .map(|(k, _)| k)
            .collect();
        let table: BTreeSet<String> = NUMBERS.iter().map(|n| n.id.to_owned()).collect();
        assert_eq!(stored, table);
        assert_eq!(table.len(), NUMBERS.len());
    }

    #[test]
    fn the_numbers_the_program_begins_with_are_inside_their_bounds() {
        assert_eq!(problems(&Policy::default()), Vec::new());
    }

    #[test]
    fn a_value_beyond_its_bounds_is_named_and_both_bounds_are_said() {
        let mut policy = Policy::default();
        for number in NUMBERS.iter().filter(|n| n.kind != Kind::Switch) {
            for value in [number.least, number.most] {
                let inside = with(&policy, number.id, value).unwrap();
                let found = problems(&inside);
                assert!(
                    found.iter().all(|(_, s)| s.key != "policy-out-of-bounds"),
                    "{} {value}: {found:?}",
                    number.id
                );
            }
            for value in [number.least - 1.0, number.most + 1.0] {
                if let Some(outside) = with(&policy, number.id, value) {
                    let found = problems(&outside);
                    assert!(
                        found
                            .iter()
                            .any(|(id, s)| *id == number.id && s.key == "policy-out-of-bounds"),
                        "{} {value}",
                        number.id
                    );
                }
            }
        }
        policy.repro_runs = 0;
        policy.alpha = f64::NAN;
        let found: Vec<&str> = problems(&policy).iter().map(|(id, _)| *id).collect();
        assert_eq!(found, ["repro_runs", "alpha"]);
    }

    #[test]
    fn a_number_is_changed_alone_and_a_fraction_of_a_count_is_refused() {
        let policy = Policy::default();
        let other = with(&policy, "canary_approvals", 2.0).unwrap();
        assert_eq!(other.canary_approvals, 2);
        let names: Vec<&str> = changed(&policy, &other).iter().map(|n| n.id).collect();
        assert_eq!(names, ["canary_approvals"]);
        assert_eq!(with(&policy, "canary_approvals", 1.5), None);
        assert_eq!(with(&policy, "canary_approvals", -1.0), None);
        assert_eq!(with(&policy, "no_such_number", 1.0), None);
        assert_eq!(
            get(
                &with(&policy, "thresholds_on_both", 0.0).unwrap(),
                "thresholds_on_both"
            ),
            Some(0.0)
        );
    }

    #[test]
    fn a_rarer_value_never_needs_fewer_samples() {
        let policy = Policy {
            least_samples_p99: 150,
            ..Policy::default()
        };
        assert_eq!(problems(&policy)[0].1.key, "policy-samples-order");
    }
}
