//! What comes out of which observations.

use super::super::{Asked, Curve, Method};
use super::calculate;
use pel_evidence::statistics::SplitMix64;
use pel_evidence::{Data, Statistic};

fn asked(form: &str, statistic: Statistic) -> Asked {
    Asked {
        signal: "ttft".to_owned(),
        statistic,
        form: form.to_owned(),
        baseline: vec!["b".to_owned()],
        candidate: vec!["c".to_owned()],
        alpha: 0.05,
        replicates: 500,
    }
}

/// Skewed values around `scale`, one per second when timed.
fn drawn(n: usize, scale: f64, seed: u64, timed: bool) -> Data {
    let mut random = SplitMix64::new(seed);
    let values = (0..n)
        .map(|_| {
            scale
                * (1.0 - (random.below(9_999) as f64 + 1.0) / 10_001.0)
                    .ln()
                    .abs()
        })
        .collect();
    let times = if timed {
        (0..n).map(|i| i as f64).collect()
    } else {
        Vec::new()
    };
    Data::Values { values, times }
}

#[test]
fn enough_values_are_resampled_one_by_one_or_by_window() {
    let (b, c) = (drawn(3000, 1.0, 1, false), drawn(3000, 2.0, 2, false));
    let got = calculate(&asked("values", Statistic::P99), &[b], &[c]);
    assert_eq!(got.method, Method::Bootstrap);
    let change = got.change.expect("a change");
    assert!(change.low.expect("an end") > 0.0 && got.p.expect("a chance") < 0.01);
    assert_eq!(
        (got.n, got.replicates, got.windows),
        ([3000, 3000], 500, None)
    );
    let (b, c) = (drawn(3000, 1.0, 1, true), drawn(3000, 1.0, 2, true));
    let got = calculate(&asked("values", Statistic::P99), &[b], &[c]);
    assert_eq!(got.method, Method::BlockBootstrap);
    let change = got.change.expect("a change");
    assert!(change.low.expect("an end") < 0.0 && change.high.expect("an end") > 0.0);
    assert!(got.windows.is_some());
}

#[test]
fn the_same_question_has_the_same_answer() {
    let of = || {
        let (b, c) = (drawn(2000, 1.0, 1, false), drawn(2000, 1.1, 2, false));
        calculate(&asked("values", Statistic::P95), &[b], &[c])
    };
    assert_eq!(of(), of());
    let mut other = asked("values", Statistic::P95);
    other.candidate = vec!["d".to_owned()];
    assert_ne!(other.seed(), asked("values", Statistic::P95).seed());
}

#[test]
fn e11_a_tail_of_few_values_is_bounded_by_order_statistics_and_not_resampled() {
    let (b, c) = (drawn(900, 1.0, 1, false), drawn(900, 1.0, 2, false));
    let got = calculate(&asked("values", Statistic::P99), &[b], &[c]);
    assert_eq!((got.method, got.replicates), (Method::OrderStatistics, 0));
    let few = calculate(
        &asked("values", Statistic::P99),
        &[drawn(40, 1.0, 1, false)],
        &[drawn(40, 1.0, 2, false)],
    );
    let change = few.change.expect("a change");
    assert_eq!(
        (change.low, change.high),
        (None, None),
        "40 values bound no p99"
    );
    assert_eq!(few.candidate[0].high, None);
}

#[test]
fn e7_the_same_observations_are_called_identical() {
    let data = drawn(2000, 1.0, 1, false);
    let got = calculate(
        &asked("values", Statistic::P50),
        std::slice::from_ref(&data),
        std::slice::from_ref(&data),
    );
    assert!(got.identical);
    let h = Data::Histogram {
        edges: vec![0.1, 1.0],
        counts: vec![5, 5, 0],
    };
    let got = calculate(
        &asked("histogram", Statistic::P50),
        std::slice::from_ref(&h),
        std::slice::from_ref(&h),
    );
    assert!(got.identical);
}

#[test]
fn nothing_in_gives_no_interval() {
    let got = calculate(&asked("values", Statistic::P99), &[], &[]);
    assert_eq!((got.change, got.p, got.n), (None, None, [0, 0]));
    let only = calculate(
        &asked("values", Statistic::P50),
        &[],
        &[drawn(500, 1.0, 1, false)],
    );
    assert!(only.change.is_none() && only.candidate[0].low.is_some());
    let wrong = calculate(
        &asked("histogram", Statistic::P99),
        &[],
        &[drawn(9, 1.0, 1, false)],
    );
    assert!(wrong.change.is_none() && wrong.candidate[0].high.is_none());
}

#[test]
fn buckets_give_bounds_and_other_edges_no_chance() {
    let h = |counts: [u64; 4]| Data::Histogram {
        edges: vec![0.1, 0.5, 1.0],
        counts: counts.to_vec(),
    };
    let (b, c) = (h([900, 80, 20, 0]), h([100, 80, 820, 0]));
    let got = calculate(
        &asked("histogram", Statistic::P50),
        std::slice::from_ref(&b),
        &[c],
    );
    assert_eq!(got.method, Method::HistogramBounds);
    let change = got.change.expect("a change");
    assert_eq!((change.low, change.high), (Some(0.4), Some(1.0)));
    assert!(got.p.expect("a chance") < 1e-6);
    let other = Data::Histogram {
        edges: vec![0.2, 0.5, 1.0],
        counts: vec![900, 80, 20, 0],
    };
    let got = calculate(&asked("histogram", Statistic::P50), &[b], &[other]);
    assert!(got.change.is_some() && got.p.is_none() && got.middle.is_none());
}

#[test]
fn e12_runs_of_a_side_are_pooled_and_never_averaged() {
    let side = [drawn(1500, 1.0, 1, false), drawn(500, 4.0, 2, false)];
    let got = calculate(
        &asked("values", Statistic::P50),
        &side,
        &[drawn(2000, 1.0, 3, false)],
    );
    let medians: Vec<f64> = got.baseline.iter().filter_map(|i| i.point).collect();
    let average = medians.iter().sum::<f64>() / 2.0;
    let of_all = got.candidate[0].point.expect("a median")
        - got.change.expect("a change").point.expect("a point");
    assert!((of_all - average).abs() > 0.2, "{of_all} {average}");
    assert_eq!(got.n, [2000, 2000]);
}

#[test]
fn changed_variance_with_the_same_middle_is_seen() {
    let of = |width: f64, seed| {
        let mut random = SplitMix64::new(seed);
        let values = (0..2000).map(|_| 10.0 + width * (random.below(2001) as f64 / 1000.0 - 1.0));
        Data::Values {
            values: values.collect(),
            times: Vec::new(),
        }
    };
    let got = calculate(
        &asked("values", Statistic::P50),
        &[of(1.0, 1)],
        &[of(4.0, 2)],
    );
    let [Some(b), Some(c)] = got.spread else {
        panic!("no spread")
    };
    assert!(c / b > 3.0, "{b} {c}");
    let shift = got.middle.expect("a middle").shift.expect("a shift");
    assert!(shift.low.expect("an end") < 0.0 && shift.high.expect("an end") > 0.0);
}

#[test]
fn curves_rise_to_the_whole() {
    let curve = Curve::of(
        &[drawn(500, 1.0, 1, false)],
        &[Data::Histogram {
            edges: vec![0.1, 1.0],
            counts: vec![5, 4, 1],
        }],
    );
    assert_eq!(curve.candidate, [(0.1, 0.5), (1.0, 0.9)]);
    assert!(
        curve
            .baseline
            .windows(2)
            .all(|w| w[0].0 <= w[1].0 && w[0].1 < w[1].1)
    );
    assert_eq!(curve.baseline.last().map(|p| p.1), Some(1.0));
}
