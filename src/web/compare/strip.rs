//! The limit strip: each row is scaled so that its limit falls on one line through the whole
//! table; right of it breaks. Ring: baseline, dot: candidate, bar: range of repeated runs.

use crate::ladder::Unit;
use crate::ladder::compare::Row;
use crate::ladder::contract::Comparator;
use crate::web::format::Markup;
use std::fmt::Write as _;

const LEFT: f64 = 4.0;
const RIGHT: f64 = 154.0;
const LIMIT: f64 = 75.4;
/// Share of the limit at the right end of the strip.
const MOST: f64 = (RIGHT - LEFT) / (LIMIT - LEFT);

/// The share of a limit that a value uses: 1 is the limit, more breaks it. For a floor on a share
/// it is the part of the allowed loss that is lost. `None` when there is no such share.
pub fn used(comparator: Comparator, unit: Unit, limit: f64, value: f64) -> Option<f64> {
    let share = match comparator {
        Comparator::AtMost => value / limit,
        Comparator::AtLeast if unit == Unit::Ratio && limit < 1.0 => (1.0 - value) / (1.0 - limit),
        Comparator::AtLeast => limit / value,
    };
    share.is_finite().then_some(share.max(0.0))
}

fn x(share: f64) -> f64 {
    LEFT + share.min(MOST) * (LIMIT - LEFT)
}

/// The strip of one row.
pub fn of(row: &Row) -> Markup {
    let share = |v: f64| used(row.comparator, row.unit, row.limit, v);
    let mut svg = String::from(
        "<svg class=\"ch\" viewBox=\"0 0 160 36\" width=\"160\" height=\"36\" aria-hidden=\"true\" \
         preserveAspectRatio=\"none\"><path class=\"gr\" d=\"M4 18L154 18\"/>\
         <path class=\"lim\" d=\"M75.4 -14L75.4 50\"/>",
    );
    match row.baseline.value.and_then(share) {
        Some(s) if s > MOST => svg.push_str("<path class=\"a\" d=\"M146 13l5 5l-5 5\"/>"),
        Some(s) => {
            let _ = write!(
                svg,
                "<circle class=\"a hol\" cx=\"{:.1}\" cy=\"18\" r=\"3.75\"/>",
                x(s)
            );
        }
        None => {}
    }
    let ends = row.spread.and_then(|(a, b)| share(a).zip(share(b)));
    if let Some((a, b)) = ends {
        let _ = write!(
            svg,
            "<path class=\"b\" d=\"M{:.1} 18L{:.1} 18\"/>",
            x(a.min(b)),
            x(a.max(b))
        );
    }
    match row.candidate.value.and_then(share) {
        Some(s) if s > MOST => svg.push_str("<path class=\"b\" d=\"M146 13l5 5l-5 5\"/>"),
        Some(s) => {
            let _ = write!(
                svg,
                "<circle class=\"bf\" cx=\"{:.1}\" cy=\"18\" r=\"4.25\"/>",
                x(s)
            );
        }
        None => {}
    }
    svg.push_str("</svg>");
    Markup::trusted(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_one_whichever_side_holds() {
        let used = |c, u, l, v| used(c, u, l, v).unwrap();
        assert!((used(Comparator::AtMost, Unit::Seconds, 0.8, 0.8) - 1.0).abs() < 1e-12);
        assert!((used(Comparator::AtLeast, Unit::Ratio, 0.97, 0.97) - 1.0).abs() < 1e-12);
        assert!(used(Comparator::AtLeast, Unit::Ratio, 0.97, 0.958) > 1.0);
        assert!(used(Comparator::AtLeast, Unit::PerSecond, 10.0, 12.0) < 1.0);
        assert!((x(1.0) - LIMIT).abs() < 1e-9);
    }

    #[test]
    fn a_limit_of_zero_has_no_scale() {
        assert_eq!(used(Comparator::AtMost, Unit::Ratio, 0.0, 0.0), None);
        assert_eq!(used(Comparator::AtMost, Unit::Ratio, 0.0, 0.1), None);
    }
}
