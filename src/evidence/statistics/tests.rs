//! Small vectors of our own, and properties; the published ones are compared where they lie.

use super::*;
use proptest::prelude::*;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

#[test]
fn normal_values_from_tables() {
    for (z, tail) in [
        (0.0, 0.5),
        (1.0, 0.158_655_253_931_457),
        (3.0, 1.349_898_031_630_09e-3),
    ] {
        assert!(close(normal_tail(z), tail), "{z}");
        assert!(close(normal_cdf(-z), tail), "{z}");
    }
    assert!((normal_tail(6.0) / 9.865_876_450_376_98e-10 - 1.0).abs() < 1e-10);
    assert!(close(normal_quantile(0.975), 1.959_963_984_540_054));
    assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
    assert!(close(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln()));
    assert!(close(ln_gamma(11.0), 3_628_800.0_f64.ln()));
}

#[test]
fn nothing_in_gives_nothing_out() {
    assert_eq!(type7(&[], 0.5), None);
    assert_eq!(mann_whitney(&[], &[1.0]), None);
    assert_eq!(shift(&[2.0, 2.0], &[2.0], 1.96), None);
    assert_eq!(wilson(0.0, 0.0, 1.96), None);
    assert_eq!(fisher(1, 0, 0, 3), None);
    assert_eq!(sample_ratio(0, 0, 0.5), None);
    assert_eq!(cost_per_accepted(1.0, 2.0, 3.0, 0), None);
    assert_eq!(Capacity::of(0, 1.0, 1.0, 0), None);
    assert_eq!(sorted(&[f64::NAN, 2.0, f64::INFINITY, 1.0]), [1.0, 2.0]);
    assert!(Blocks::new(&[], &[], 20).is_none());
    assert!(Blocks::new(&[f64::NAN], &[0], 20).is_none());
    assert!(Blocks::new(&[1.0], &[20], 20).is_none());
    assert_eq!(windows_by_time(&[], 20), None);
    assert_eq!(windows_by_time(&[0.0, 5.0, 10.0], 2), Some(vec![0, 1, 1]));
    assert_eq!(windows_by_time(&[3.0, 3.0], 2), Some(vec![0, 0]));
    assert!(plain(&[1.0], &[], Of::Mean, 10, 1).is_none());
}

#[test]
fn all_equal_has_no_interval_and_shows_nothing() {
    let test = mann_whitney(&[3.0; 4], &[3.0; 5]).expect("two samples");
    assert_eq!((test.sigma, test.p), (0.0, 1.0));
    assert_eq!(test.z(), None);
    assert_eq!(root_interval(&[3.0; 4], &[3.0; 5], 1.96), None);
}

#[test]
fn a_shift_of_many_pairs_is_found_without_writing_them_down() {
    let mut random = SplitMix64::new(7);
    let mut draw = |n: usize, add: f64| {
        let values: Vec<f64> = (0..n)
            .map(|_| (random.below(5000) as f64) / 100.0 + add)
            .collect();
        sorted(&values)
    };
    let (x, y) = (draw(1200, 3.0), draw(1100, 0.0));
    assert!(x.len() * y.len() > 1_000_000);
    let got = shift(&x, &y, 1.959_964).expect("a shift");
    let mut all: Vec<f64> = x
        .iter()
        .flat_map(|x| y.iter().map(move |y| x - y))
        .collect();
    all.sort_by(f64::total_cmp);
    let (n, m, pairs) = (x.len() as f64, y.len() as f64, all.len());
    let c = (n * m / 2.0 - 1.959_964 * (n * m * (n + m + 1.0) / 12.0).sqrt()).floor() as usize;
    assert_eq!(got.low, all[c - 1]);
    assert_eq!(got.high, all[pairs - c]);
    assert_eq!(got.estimate, (all[pairs / 2 - 1] + all[pairs / 2]) / 2.0);
}

#[test]
fn sustainable_load_ends_before_the_first_step_that_fails() {
    assert_eq!(
        sustainable(&[(8.0, true), (1.0, true), (4.0, false)]),
        Some(1.0)
    );
    assert_eq!(sustainable(&[(1.0, false), (2.0, true)]), None);
    assert_eq!(
        sustainable(&[(1.0, true), (2.0, true), (2.0, false)]),
        Some(1.0)
    );
    assert_eq!(little_residual(0.0, 1.0, 1.0), None);
    assert!(close(
        little_residual(10.0, 5.0, 2.2).expect("a residual"),
        0.1
    ));
}

#[test]
fn a_broken_split_is_found_and_a_good_one_is_not() {
    assert!(sample_ratio(500, 9_500, 0.05).expect("a chance") > 0.99);
    assert!(sample_ratio(800, 9_200, 0.05).expect("a chance") < 1e-3);
}

#[test]
fn buckets_bound_a_quantile_and_never_pretend_a_point() {
    let edges = [0.1, 0.5, 1.0];
    let a = Binned {
        edges: &edges,
        counts: &[900, 80, 20, 0],
    };
    assert_eq!(a.interval(0.5, 0.95), (Some(0.0), Some(0.1)));
    assert_eq!(a.interval(0.99, 0.95), (Some(0.5), Some(1.0)));
    let open = Binned {
        edges: &edges,
        counts: &[900, 80, 0, 20],
    };
    assert_eq!(open.interval(0.99, 0.95), (Some(1.0), None));
    let test = a.mann_whitney(&open).expect("a test");
    assert!(test.cles() < 0.5 && test.has_ties());
    let few = Binned {
        edges: &edges,
        counts: &[10, 0, 0, 0],
    };
    assert_eq!(few.interval(0.99, 0.95).1, None);
}

#[test]
fn the_same_seed_gives_the_same_replicates() {
    let x: Vec<f64> = (0..200).map(|i| f64::from(i * 7 % 31)).collect();
    let y: Vec<f64> = (0..180).map(|i| f64::from(i * 5 % 29)).collect();
    let of = Of::Quantile(0.9);
    assert_eq!(plain(&x, &y, of, 50, 3), plain(&x, &y, of, 50, 3));
    assert_ne!(plain(&x, &y, of, 50, 3), plain(&x, &y, of, 50, 4));
    let change = plain(&x, &x, of, 200, 3).expect("a change");
    assert!(change.observed == 0.0 && change.p() > 0.2);
}

/// Every value as often as its window was drawn, written out.
fn written_out(values: &[f64], windows: usize, weights: &[u64]) -> Vec<f64> {
    let mut out = Vec::new();
    for (i, v) in values.iter().enumerate() {
        let n = weights[i * windows / values.len()];
        out.extend(std::iter::repeat_n(*v, n as usize));
    }
    sorted(&out)
}

proptest! {
    #[test]
    fn weighted_windows_agree_with_writing_them_out(
        values in proptest::collection::vec(0u32..40, 1..300),
        windows in 1usize..30,
        q in 0.0..=1.0f64,
        seed in any::<u64>(),
    ) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let blocks = Blocks::new(&values, &windows_by_order(values.len(), windows), windows).expect("blocks");
        let mut random = SplitMix64::new(seed);
        // The same draws as the bootstrap makes, candidate first, baseline (one value) after.
        let one = Blocks::new(&[0.0], &[0], 1).expect("blocks");
        let got = blocked(&blocks, &one, &[Of::Quantile(q), Of::Mean], 5, seed).expect("changes");
        let mut expected = Vec::new();
        for _ in 0..5 {
            let mut weights = vec![0; windows];
            for _ in 0..windows {
                weights[random.below(windows)] += 1;
            }
            random.below(1);
            let out = written_out(&values, windows, &weights);
            if let Some(v) = type7(&out, q) {
                expected.push((v, out.iter().sum::<f64>() / out.len() as f64));
            }
        }
        prop_assert_eq!(got[0].replicates.len(), expected.len());
        for (i, (quantile, mean)) in expected.into_iter().enumerate() {
            prop_assert!(close(got[0].replicates[i], quantile));
            prop_assert!(close(got[1].replicates[i], mean));
        }
    }

    #[test]
    fn sides_of_the_rank_test_mirror_each_other(
        x in proptest::collection::vec(0u32..20, 1..40),
        y in proptest::collection::vec(0u32..20, 1..40),
    ) {
        let of = |v: Vec<u32>| sorted(&v.into_iter().map(f64::from).collect::<Vec<_>>());
        let (x, y) = (of(x), of(y));
        let (a, b) = (mann_whitney(&x, &y).expect("a test"), mann_whitney(&y, &x).expect("a test"));
        prop_assert!(close(a.u1, b.u2) && close(a.p, b.p) && close(a.p_greater, b.p_less));
        let pairs: f64 = x.iter().flat_map(|x| y.iter().map(move |y| {
            if x > y { 1.0 } else if x == y { 0.5 } else { 0.0 }
        })).sum();
        prop_assert!(close(a.u1, pairs));
        prop_assert!((0.0..=1.0).contains(&a.p));
    }

    #[test]
    fn holm_never_lowers_a_p_value_and_keeps_their_order(p in proptest::collection::vec(0.0..=1.0f64, 1..12)) {
        let adjusted = holm(&p);
        for i in 0..p.len() {
            prop_assert!(adjusted[i] >= p[i] && adjusted[i] <= 1.0);
            for j in 0..p.len() {
                prop_assert!(p[i] > p[j] || adjusted[i] <= adjusted[j] + 1e-15);
            }
        }
    }
}

/// The shift as all differences say, written down and sorted.
fn shift_written_down(x: &[f64], y: &[f64], z: f64) -> [f64; 3] {
    let each = x.iter().flat_map(|x| y.iter().map(move |y| x - y));
    let mut all: Vec<f64> = each.collect();
    all.sort_unstable_by(f64::total_cmp);
    let (n, m, pairs) = (x.len() as f64, y.len() as f64, all.len());
    let c = (n * m / 2.0 - z * (n * m * (n + m + 1.0) / 12.0).sqrt()).floor() as usize;
    let (a, b) = (all[pairs.div_ceil(2) - 1], all[pairs / 2]);
    [all[c - 1], a + (b - a) / 2.0, all[pairs - c]]
}

#[test]
fn a_shift_is_exact_however_the_values_lie() {
    let mut random = SplitMix64::new(11);
    let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut draw = |of: fn(f64) -> f64| {
        let values: Vec<f64> = (0..1300).map(|_| of(unit())).collect();
        sorted(&values)
    };
    let smooth: fn(f64) -> f64 = |u| (3.0 * u - 4.0).exp();
    let heavy: fn(f64) -> f64 = |u| 0.01 / (1.0 - u).powi(4);
    let whole: fn(f64) -> f64 = |u| (u * 40.0).floor() / 1000.0;
    let two: fn(f64) -> f64 = |u| if u < 0.7 { 0.1 } else { 0.9 };
    let equal: fn(f64) -> f64 = |_| 0.25;
    for (name, of_x, of_y) in [
        ("smooth", smooth, smooth),
        ("heavy", heavy, heavy),
        ("whole milliseconds", whole, whole),
        ("two values", two, two),
        ("one side equal", smooth, equal),
        ("heavy beside two", heavy, two),
    ] {
        let (x, y) = (draw(of_x), draw(of_y));
        let got = shift(&x, &y, 1.96).expect("a shift");
        let expected = shift_written_down(&x, &y, 1.96);
        assert_eq!([got.low, got.estimate, got.high], expected, "{name}");
    }
}
