//! Numbers, values and times as people type them into forms, and how they are put back there.
//!
//! A number has one decimal sign and no thousands signs; what could be read in two ways is
//! refused, because a limit that is off by a thousand would pass silently.

use crate::i18n::Lang;
use chrono::{DateTime, Datelike as _, NaiveDateTime, Utc};
use pel_evidence::{Unit, catalogue::SignalDef};

/// A number as typed in `lang`: a decimal point in English; a comma in Portuguese, where a point
/// is taken too unless it could stand for thousands (`1.500`).
pub fn number(lang: Lang, typed: &str) -> Option<f64> {
    let typed = typed.trim();
    let plain = match lang {
        Lang::En => typed.to_owned(),
        Lang::PtBr if typed.contains(',') && typed.contains('.') => return None,
        Lang::PtBr if thousands(typed) => return None,
        Lang::PtBr => typed.replacen(',', ".", 1),
    };
    let numeric = plain
        .strip_prefix('-')
        .unwrap_or(&plain)
        .chars()
        .all(|c| c.is_ascii_digit() || c == '.');
    // `inf`, `NaN` and `1e9` are numbers to the parser and mistakes in a form.
    (numeric && !plain.is_empty())
        .then(|| plain.parse().ok())
        .flatten()
        .filter(|v: &f64| v.is_finite())
}

/// `1.500`: one to three digits, a point, exactly three digits.
fn thousands(typed: &str) -> bool {
    typed.split_once('.').is_some_and(|(whole, rest)| {
        rest.len() == 3 && !whole.is_empty() && whole.len() <= 3 && !whole.starts_with('0')
    })
}

/// A whole number as typed.
pub fn whole(typed: &str) -> Option<u64> {
    let typed = typed.trim();
    typed
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| typed.parse().ok())
        .flatten()
}

/// A number as it is put back into a field: no thousands, at most twelve significant digits, so
/// that 0.8 s comes back as `800` ms and not as `800.0000000001`.
pub fn plain(lang: Lang, value: f64) -> String {
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    let text = rounded.to_string();
    match lang {
        Lang::En => text,
        Lang::PtBr => text.replacen('.', ",", 1),
    }
}

/// What is wrong with a typed value and its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueFault {
    /// The number does not read.
    Number,
    /// The unit is not one of this signal's.
    Unit,
}

/// A value in its base unit.
///
/// # Errors
/// Which of the two fields does not read.
pub fn value(lang: Lang, unit: Unit, typed: &str, spelling: &str) -> Result<f64, ValueFault> {
    let number = number(lang, typed).ok_or(ValueFault::Number)?;
    unit.to_base(number, spelling).ok_or(ValueFault::Unit)
}

/// The factor from a spelling to the base unit; 1 when it is none of this unit's.
pub fn factor(unit: Unit, spelling: &str) -> f64 {
    unit.spellings()
        .iter()
        .find(|(s, _)| *s == spelling)
        .map_or(1.0, |(_, f)| *f)
}

/// Spellings a person may type for a signal's unit: `s, ms, us, µs, ns, min`.
pub fn spellings(signal: &SignalDef) -> String {
    let all: Vec<&str> = signal.unit.spellings().iter().map(|(s, _)| *s).collect();
    all.join(", ")
}

/// A point in time as a `datetime-local` field sends it, taken as UTC.
pub fn time(typed: &str) -> Option<DateTime<Utc>> {
    let typed = typed.trim();
    ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"]
        .into_iter()
        .find_map(|f| NaiveDateTime::parse_from_str(typed, f).ok())
        .map(|t| t.and_utc())
        .filter(|t| (1970..=9999).contains(&t.year()))
}

/// A point in time as a `datetime-local` field shows it.
pub fn time_field(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_reads_in_one_way_or_not_at_all() {
        for (lang, typed, read) in [
            (Lang::En, "800", Some(800.0)),
            (Lang::En, " 0.97 ", Some(0.97)),
            (Lang::En, "1,500", None),
            (Lang::En, "1e3", None),
            (Lang::En, "inf", None),
            (Lang::En, "NaN", None),
            (Lang::En, "", None),
            (Lang::En, "-", None),
            (Lang::PtBr, "0,97", Some(0.97)),
            (Lang::PtBr, "0.975", Some(0.975)),
            (Lang::PtBr, "1.500", None),
            (Lang::PtBr, "1.500,5", None),
            (Lang::PtBr, "97.5", Some(97.5)),
        ] {
            assert_eq!(number(lang, typed), read, "{typed:?}");
        }
        assert_eq!(whole("1000"), Some(1000));
        assert_eq!(whole("1 000"), None);
        assert_eq!(whole("+5"), None);
    }

    #[test]
    fn what_is_put_back_reads_as_the_same_value() {
        for (unit, typed, spelling) in [
            (Unit::Seconds, "800", "ms"),
            (Unit::Seconds, "736.1", "ms"),
            (Unit::Ratio, "97.9", "%"),
            (Unit::Seconds, "0.000042", "s"),
            (Unit::PerSecond, "7", "/min"),
        ] {
            let base = value(Lang::En, unit, typed, spelling).unwrap();
            let back = plain(Lang::En, base / factor(unit, spelling));
            assert_eq!(back, typed);
            assert_eq!(value(Lang::En, unit, &back, spelling), Ok(base));
        }
        assert_eq!(plain(Lang::PtBr, 97.9), "97,9");
    }

    #[test]
    fn the_same_value_in_two_units_is_equal_to_the_last_bit() {
        for (small, base) in [("1640", "1.64"), ("736", "0.736"), ("1001", "1.001")] {
            assert_eq!(
                value(Lang::En, Unit::Seconds, small, "ms"),
                value(Lang::En, Unit::Seconds, base, "s")
            );
        }
        assert_eq!(value(Lang::En, Unit::Ratio, "97.9", "%"), Ok(0.979));
    }

    #[test]
    fn a_unit_of_another_kind_is_refused() {
        assert_eq!(
            value(Lang::En, Unit::Seconds, "97", "%"),
            Err(ValueFault::Unit)
        );
        assert_eq!(
            value(Lang::En, Unit::Ratio, "many", "%"),
            Err(ValueFault::Number)
        );
    }

    #[test]
    fn times_are_taken_as_utc() {
        let at = time("2026-11-30T15:40").unwrap();
        assert_eq!(at.to_rfc3339(), "2026-11-30T15:40:00+00:00");
        assert_eq!(time_field(at), "2026-11-30T15:40");
        assert_eq!(time("30.11.2026"), None);
    }
}
