//! The analysis of sweeps, on curves whose answer is known.

use crate::sweep::{
    analysis::{self, Little, Point, Shape},
    compare::{Reason, Terms, Verdict, compare},
    usl::Usl,
};

/// Points from (load, throughput, tail in milliseconds); the average is what Little's law says.
fn points(of: &[(f64, f64, f64)]) -> Vec<Point> {
    of.iter()
        .map(|&(load, throughput, ms)| Point {
            load,
            throughput,
            tail: Some(ms / 1e3),
            mean: Some(load / throughput),
        })
        .collect()
}

#[test]
fn shapes() {
    let shape = |of: &[(f64, f64, f64)]| analysis::shape(&points(of));
    assert_eq!(shape(&[]), None);
    assert_eq!(shape(&[(1.0, 5.0, 1.0)]), Some(Shape::SinglePoint));
    let flat = [(1.0, 100.0, 1.0), (2.0, 109.0, 1.0), (4.0, 108.0, 1.0)];
    assert_eq!(shape(&flat), Some(Shape::SaturatedFromFirstPoint));
    let open = [(1.0, 100.0, 1.0), (2.0, 190.0, 1.0), (4.0, 290.0, 1.0)];
    assert_eq!(shape(&open), Some(Shape::NotSaturated));
    let bent = [(1.0, 100.0, 1.0), (2.0, 190.0, 1.0), (4.0, 200.0, 1.0)];
    assert_eq!(shape(&bent), Some(Shape::Saturated));
    let falling = [(1.0, 100.0, 1.0), (2.0, 190.0, 1.0), (4.0, 180.0, 1.0)];
    assert_eq!(shape(&falling), Some(Shape::Retrograde));
}

#[test]
fn the_knee_is_the_first_confirmed_and_never_an_end() {
    let bent = points(&[
        (1.0, 100.0, 1.0),
        (2.0, 200.0, 1.0),
        (3.0, 300.0, 1.0),
        (4.0, 310.0, 1.0),
        (8.0, 320.0, 1.0),
    ]);
    assert_eq!(analysis::kneedle(&bent), Some(3.0));
    assert_eq!(analysis::farthest_from_chord(&bent), Some(3.0));
    let straight = points(&[(1.0, 1.0, 1.0), (2.0, 2.0, 1.0), (3.0, 3.0, 1.0)]);
    assert_eq!(analysis::kneedle(&straight), None);
    let falling = points(&[(1.0, 300.0, 1.0), (2.0, 200.0, 1.0), (4.0, 100.0, 1.0)]);
    assert_eq!(analysis::kneedle(&falling), None);
    let flat = points(&[(1.0, 5.0, 1.0), (2.0, 5.0, 1.0)]);
    assert_eq!(analysis::farthest_from_chord(&flat), None);
}

#[test]
fn the_operating_point_fits_the_budget_and_prefers_the_lower_load() {
    let sweep = points(&[
        (1.0, 100.0, 10.0),
        (2.0, 199.0, 12.0),
        (4.0, 200.0, 20.0),
        (8.0, 400.0, 90.0),
    ]);
    let at = |budget| analysis::operating_point(&sweep, Some(budget));
    let found = at(0.020).unwrap();
    assert_eq!(found.best.load, 4.0);
    assert_eq!(found.lowest_load_within_1_percent, 2.0);
    assert_eq!(at(0.005), None);
    assert_eq!(
        analysis::operating_point(&sweep, None).unwrap().best.load,
        8.0
    );
    assert_eq!(analysis::max_power(&sweep), Some(2.0));
    // Without a tail a budget cannot be met, whatever the average says.
    let blind: Vec<Point> = sweep.iter().map(|p| Point { tail: None, ..*p }).collect();
    assert_eq!(analysis::operating_point(&blind, Some(10.0)), None);
}

#[test]
fn little_and_the_batch_behind_it() {
    let sweep = points(&[(1.0, 100.0, 1.0), (2.0, 150.0, 1.0), (4.0, 170.0, 1.0)]);
    assert!(sweep.iter().all(|p| Little::of(p, 1.0).unwrap().holds()));
    assert_eq!(analysis::batch_hint(&sweep), None);
    let mut eight: Vec<Point> = sweep
        .iter()
        .map(|p| Point {
            throughput: p.throughput * 8.0,
            ..*p
        })
        .collect();
    assert_eq!(analysis::batch_hint(&eight), Some(8));
    eight[1].throughput *= 1.5;
    assert_eq!(analysis::batch_hint(&eight), Some(8));
    assert!(!Little::of(&eight[1], 8.0).unwrap().holds());
}

#[test]
fn a_rate_is_missed_below_95_percent_of_what_the_batch_allows() {
    let rates = points(&[(10.0, 40.1, 1.0), (20.0, 76.1, 1.0), (40.0, 151.0, 1.0)]);
    assert_eq!(analysis::rate_batch_hint(&rates), Some(4));
    assert_eq!(analysis::saturation_rate(&rates, 4.0), Some(40.0));
    assert_eq!(analysis::saturation_rate(&rates, 1.0), None);
}

#[test]
fn the_scalability_law_finds_its_own_parameters() {
    let law = Usl {
        gamma: 100.0,
        alpha: 0.05,
        beta: 0.002,
        r2: 1.0,
    };
    let of: Vec<_> = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
        .map(|n| (n, law.throughput(n), 1.0))
        .to_vec();
    let fit = Usl::fit(&points(&of)).unwrap();
    assert!((fit.gamma - 100.0).abs() < 1e-6 && (fit.alpha - 0.05).abs() < 1e-9);
    assert!((fit.beta - 0.002).abs() < 1e-9 && fit.r2 > 0.999_999 && fit.usable());
    assert!((fit.best_load().unwrap() - (0.95f64 / 0.002).sqrt()).abs() < 1e-4);
    assert_eq!(Usl::fit(&points(&of[..3])), None);
    let same_load = vec![(2.0, 10.0, 1.0); 5];
    assert_eq!(Usl::fit(&points(&same_load)), None);
    let superlinear = [
        (1.0, 10.0, 1.0),
        (2.0, 40.0, 1.0),
        (4.0, 150.0, 1.0),
        (8.0, 160.0, 1.0),
    ];
    assert!(!Usl::fit(&points(&superlinear)).unwrap().usable());
}

#[test]
fn a_change_is_kept_only_if_it_improved() {
    let terms = Terms {
        budget: 0.1,
        contract_load: 4.0,
        noise: 0.05,
        one_knob: true,
        before_stable: true,
        after_stable: true,
    };
    let before = points(&[(4.0, 100.0, 50.0)]);
    let verdict =
        |throughput, ms| compare(&before, &points(&[(4.0, throughput, ms)]), &terms).verdict;
    assert_eq!(verdict(110.0, 50.0), Verdict::Keep);
    assert_eq!(verdict(100.0, 40.0), Verdict::Keep);
    assert_eq!(verdict(90.0, 50.0), Verdict::Revert);
    assert_eq!(verdict(100.0, 60.0), Verdict::Revert);
    assert_eq!(verdict(110.0, 60.0), Verdict::TradeOff);
    assert_eq!(verdict(90.0, 40.0), Verdict::TradeOff);
    assert_eq!(verdict(104.0, 49.0), Verdict::Inconclusive);

    let reasons = |after: &[Point], terms: &Terms| compare(&before, after, terms).reasons;
    let two_knobs = Terms {
        one_knob: false,
        ..terms
    };
    assert_eq!(reasons(&before, &two_knobs), [Reason::NotOneKnob]);
    let slow = points(&[(4.0, 100.0, 500.0)]);
    assert_eq!(reasons(&slow, &terms), [Reason::BudgetNotReached]);
    let elsewhere = points(&[(8.0, 100.0, 50.0)]);
    assert_eq!(reasons(&elsewhere, &terms), [Reason::LoadNotMeasured]);
    assert_eq!(compare(&before, &slow, &terms).verdict, Verdict::Invalid);
}
