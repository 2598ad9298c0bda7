//! A limit against confidence bounds, and a change against what is tolerated.

use super::super::contract::{Comparator, Limit};
use super::super::measure::{Judgement, Verdict, about};
use super::super::{Arg, Sentence, Unit};
use super::{Interval, Outcome};

/// The limit by the bounds of a run: kept only when the whole interval keeps it, broken only when
/// the whole interval breaks it. An end that does not exist reaches beyond every limit.
pub fn against(limit: &Limit, run: &str, bounds: &Interval) -> Verdict {
    let (low, high) = ends(bounds);
    let (kept, broken) = match limit.comparator {
        Comparator::AtMost => (high <= limit.value, low > limit.value),
        Comparator::AtLeast => (low >= limit.value, high < limit.value),
    };
    if kept {
        return Verdict::Holds;
    }
    if broken {
        return Verdict::Breaks;
    }
    let end = |v: Option<f64>| {
        v.map_or_else(
            || Arg::Key("compare-no-bound".to_owned()),
            |v| Arg::Value(v, limit.unit()),
        )
    };
    Verdict::CannotTell(
        about(Sentence::new("compare-bound-spans"), limit)
            .text("run", run)
            .with("low", end(bounds.low))
            .with("high", end(bounds.high)),
    )
}

/// Puts bounds in the place of a point, where the point could be judged at all.
pub fn judge(limit: &Limit, run: &str, judged: &mut Judgement, bounds: &Interval) {
    if !matches!(judged.verdict, Verdict::CannotTell(_)) {
        judged.verdict = against(limit, run, bounds);
    }
}

fn ends(i: &Interval) -> (f64, f64) {
    (
        i.low.unwrap_or(f64::NEG_INFINITY),
        i.high.unwrap_or(f64::INFINITY),
    )
}

/// The change in which more is worse, with its ends.
fn worse_ways(comparator: Comparator, change: &Interval) -> (Option<f64>, f64, f64) {
    let (low, high) = ends(change);
    match comparator {
        Comparator::AtMost => (change.point, low, high),
        Comparator::AtLeast => (change.point.map(|p| -p), -high, -low),
    }
}

/// Whether the point alone is worse by at least what is tolerated.
pub fn point_is_worse(comparator: Comparator, change: &Interval, tolerated: f64) -> bool {
    let (point, _, _) = worse_ways(comparator, change);
    point.is_none_or(|p| p > 0.0 && p >= tolerated)
}

/// What a change comes to; `p` is corrected for all limits, `None` when no test fits (then the
/// interval decides alone).
pub fn outcome(
    comparator: Comparator,
    change: &Interval,
    tolerated: f64,
    p: Option<f64>,
    alpha: f64,
) -> Outcome {
    let (point, low, high) = worse_ways(comparator, change);
    match point {
        _ if !tolerated.is_finite() || low.is_nan() || high.is_nan() => Outcome::CannotTell,
        _ if high < 0.0 => Outcome::Better,
        _ if high < tolerated => Outcome::NotWorse,
        Some(point) if low > 0.0 && point >= tolerated => match p {
            Some(p) if p > alpha => Outcome::CannotTell,
            _ => Outcome::Worse,
        },
        Some(_) if low > 0.0 => Outcome::InsideTolerance,
        _ => Outcome::CannotTell,
    }
}

/// The tolerated change in base unit: a share of the baseline, and for a share of a whole that
/// part of what the limit allows to be lost. `None` when the baseline gives no measure.
pub fn tolerated(limit: &Limit, share: f64, baseline: Option<f64>) -> Option<f64> {
    if limit.unit() == Unit::Ratio {
        let allowed = match limit.comparator {
            Comparator::AtMost => limit.value,
            Comparator::AtLeast => 1.0 - limit.value,
        };
        return Some(share * allowed.max(0.0));
    }
    baseline
        .filter(|b| b.is_finite() && *b != 0.0)
        .map(|b| share * b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(point: f64, low: f64, high: f64) -> Interval {
        Interval {
            point: Some(point),
            low: Some(low),
            high: Some(high),
        }
    }

    #[test]
    fn a_change_is_named_by_its_interval_and_never_by_a_large_p() {
        let of = |c: &Interval, p| outcome(Comparator::AtMost, c, 0.1, p, 0.05);
        assert_eq!(of(&change(-0.2, -0.3, -0.1), Some(0.001)), Outcome::Better);
        assert_eq!(of(&change(0.0, -0.05, 0.05), Some(0.9)), Outcome::NotWorse);
        assert_eq!(
            of(&change(0.06, 0.01, 0.15), Some(0.01)),
            Outcome::InsideTolerance
        );
        assert_eq!(of(&change(0.2, 0.1, 0.3), Some(0.001)), Outcome::Worse);
        assert_eq!(of(&change(0.2, 0.1, 0.3), Some(0.2)), Outcome::CannotTell);
        assert_eq!(of(&change(0.0, -0.5, 0.5), Some(0.9)), Outcome::CannotTell);
        let open = Interval {
            high: None,
            ..change(0.0, -0.5, 0.0)
        };
        assert_eq!(of(&open, None), Outcome::CannotTell);
        assert_eq!(of(&change(0.2, f64::NAN, 0.3), None), Outcome::CannotTell);
    }

    #[test]
    fn for_a_floor_less_is_worse() {
        let of = |c: &Interval| outcome(Comparator::AtLeast, c, 0.003, None, 0.05);
        assert_eq!(of(&change(-0.01, -0.015, -0.005)), Outcome::Worse);
        assert_eq!(of(&change(0.01, 0.005, 0.015)), Outcome::Better);
        assert!(point_is_worse(
            Comparator::AtLeast,
            &change(-0.01, -0.1, 0.1),
            0.003
        ));
        assert!(!point_is_worse(
            Comparator::AtLeast,
            &change(0.0, -0.1, 0.1),
            0.0
        ));
    }
}
