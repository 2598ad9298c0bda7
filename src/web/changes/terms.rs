//! From what was typed to the terms of a revision. A draft may be incomplete; what cannot be
//! read, or turns more than one knob, is a fault at its field.

use super::form::Typed;
use super::plan::{self, Watcher};
use super::{bundle, thresholds};
use crate::ladder::change::{Expectation, Knob, Terms, Threshold};
use crate::ladder::contract::Version;
use crate::web::{Page, form::Faults, say};
use pel_evidence::catalogue;

/// Longest text of a field, in characters.
const LONGEST: usize = 4000;

/// What was typed is no such number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoNumber;

/// Reads a number with a point or a comma. Nothing typed is nothing stated.
///
/// # Errors
/// When it is no finite number from zero on.
pub fn decimal(text: &str) -> Result<Option<f64>, NoNumber> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if text.is_empty() {
        return Ok(None);
    }
    match text.replace(',', ".").parse::<f64>() {
        Ok(n) if n.is_finite() && (0.0..1e15).contains(&n) => Ok(Some(n)),
        _ => Err(NoNumber),
    }
}

/// Reads a whole number; blanks between thousands are left out.
///
/// # Errors
/// When it is none.
pub fn whole(text: &str) -> Result<Option<u64>, NoNumber> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| NoNumber)
}

/// Reads the form. `before` are the thresholds of the revision before, `people` those who may
/// watch.
pub fn parse(
    typed: &Typed,
    version: Option<&Version>,
    before: &[Threshold],
    people: &[Watcher],
    page: &Page,
) -> (Terms, Faults) {
    let mut faults = Faults::default();
    let mut thresholds = Vec::new();
    for (i, row) in typed.rows().iter().enumerate() {
        match thresholds::read(row, version, before) {
            Ok(t) => thresholds.push(t),
            Err(key) => faults.add("thresholds", page.t1(key, "row", i + 1)),
        }
    }
    let text = |s: &str| s.trim().to_owned();
    let (kind, template) = plan::route(typed);
    let terms = Terms {
        knob: Knob {
            component: text(&typed.component),
            setting: text(&typed.setting),
            old: text(&typed.old),
            new: text(&typed.new),
            unit: text(&typed.unit),
        },
        consequences: typed
            .consequences
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .map(str::to_owned)
            .collect(),
        expectation: Expectation {
            signal: catalogue::find(&typed.expected_signal)
                .map_or_else(String::new, |d| d.name.to_owned()),
            direction: if typed.direction == "higher" {
                "higher"
            } else {
                "lower"
            }
            .to_owned(),
            by: text(&typed.expected_by),
        },
        risks: text(&typed.risks),
        plan: plan::read(typed, version, people, page, &mut faults),
        thresholds,
        action: text(&typed.action),
        procedure: text(&typed.procedure),
        rollback_seconds: seconds(
            &typed.rollback_minutes,
            "rollback_minutes",
            page,
            &mut faults,
        ),
        no_warm_reason: text(&typed.no_warm_reason),
        touches_start_up: typed.touches_start_up.is_some(),
        bundle: bundle::read(typed, page, &mut faults),
        kind,
        template,
    };
    knob_faults(&terms, page, &mut faults);
    too_long(typed, page, &mut faults);
    (terms, faults)
}

/// Minutes as typed, in seconds.
///
/// Nothing typed is nothing stated.
pub fn seconds(text: &str, field: &'static str, page: &Page, faults: &mut Faults) -> Option<u32> {
    match decimal(text) {
        Ok(minutes) if minutes.is_none_or(|m| m <= 60.0 * 24.0 * 365.0) => {
            minutes.map(|m| (m * 60.0).round() as u32)
        }
        _ => {
            faults.add(field, page.t("change-fault-minutes"));
            None
        }
    }
}

/// A change without a knob, or with two, is none; everything else may come later.
fn knob_faults(terms: &Terms, page: &Page, faults: &mut Faults) {
    for (field, sentence) in terms.problems() {
        let field = match field.as_str() {
            "component" => "component",
            "setting" => "setting",
            "old" => "old",
            "new" => "new",
            "bundle" => "bundle",
            "bundle_reason" => "bundle_reason",
            _ => continue,
        };
        faults.add(field, say::sentence(page.lang, &sentence));
    }
}

fn too_long(typed: &Typed, page: &Page, faults: &mut Faults) {
    for (field, text) in [
        ("component", &typed.component),
        ("setting", &typed.setting),
        ("old", &typed.old),
        ("new", &typed.new),
        ("consequences", &typed.consequences),
        ("bundle", &typed.bundle),
        ("bundle_reason", &typed.bundle_reason),
        ("risks", &typed.risks),
        ("action", &typed.action),
        ("procedure", &typed.procedure),
        ("no_warm_reason", &typed.no_warm_reason),
        ("scope", &typed.scope),
        ("watcher", &typed.watcher),
        ("expected_by", &typed.expected_by),
        ("unit", &typed.unit),
        ("regions", &typed.regions),
        ("no_baseline_reason", &typed.no_baseline_reason),
    ] {
        if text.chars().count() > LONGEST {
            faults.add(field, page.t("change-fault-long"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoNumber, decimal, whole};

    #[test]
    fn numbers_are_read_as_people_type_them() {
        assert_eq!(decimal(" 2,5 "), Ok(Some(2.5)));
        assert_eq!(decimal("1\u{202f}200.5"), Ok(Some(1200.5)));
        assert_eq!(decimal(""), Ok(None));
        for wrong in ["-1", "NaN", "inf", "1.2.3", "five"] {
            assert_eq!(decimal(wrong), Err(NoNumber), "{wrong}");
        }
        assert_eq!(whole("20 000"), Ok(Some(20_000)));
        assert_eq!(whole("2.5"), Err(NoNumber));
    }
}
