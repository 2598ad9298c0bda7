//! Intervals of time in whole nanoseconds: unions, gaps, overlaps and shares of equal buckets.
//!
//! Times are kept inside ±2^62 ([`interval`] refuses others), so that no difference of two of
//! them overflows.

/// A half-open stretch `[start, end)` in nanoseconds.
pub(super) type Span = (i64, i64);

const LIMIT: i64 = 1 << 62;

/// A stretch with a positive length and plausible ends (within 146 years of the clock's zero).
pub(super) fn interval(start: i64, end: i64) -> Option<Span> {
    (start > -LIMIT && end < LIMIT && end > start).then_some((start, end))
}

/// The union of stretches that come in order of their start.
pub(super) fn union(ordered: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for (start, end) in ordered {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

/// Summed length of stretches.
pub(super) fn length(spans: &[Span]) -> u128 {
    spans.iter().map(|s| (s.1 - s.0) as u128).sum()
}

/// Length of what two unions have in common.
pub(super) fn common(a: &[Span], b: &[Span]) -> u128 {
    let (mut i, mut j, mut total) = (0, 0, 0u128);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let (start, end) = (x.0.max(y.0), x.1.min(y.1));
        if end > start {
            total += (end - start) as u128;
        }
        if x.1 < y.1 {
            i += 1;
        } else {
            j += 1;
        }
    }
    total
}

/// Length of the part of `[start, end)` that a union covers.
pub(super) fn covered(union: &[Span], start: i64, end: i64) -> u64 {
    let first = union.partition_point(|s| s.1 <= start);
    union[first..]
        .iter()
        .take_while(|s| s.0 < end)
        .map(|s| (s.1.min(end) - s.0.max(start)) as u64)
        .sum()
}

/// Summed length per bucket, of `n` buckets of equal length over `whole` (the last takes the
/// remainder of the division).
pub(super) fn buckets(spans: impl Iterator<Item = Span>, whole: Span, n: usize) -> Vec<u128> {
    let mut sums = vec![0u128; n];
    let wide = (whole.1 - whole.0) as i128;
    let edge = |i: usize| whole.0 + (wide * i as i128 / n as i128) as i64;
    for (start, end) in spans {
        let (start, end) = (start.max(whole.0), end.min(whole.1));
        if end <= start {
            continue;
        }
        let guess = (i128::from(start - whole.0) * n as i128 / wide) as usize;
        let mut i = guess.min(n - 1);
        while i > 0 && edge(i) > start {
            i -= 1;
        }
        while i < n && edge(i) < end {
            let part = end.min(edge(i + 1)) - start.max(edge(i));
            sums[i] += part.max(0) as u128;
            i += 1;
        }
    }
    sums
}

/// Length of bucket `i` of `n` over `whole`.
pub(super) fn bucket_length(whole: Span, n: usize, i: usize) -> u64 {
    let wide = (whole.1 - whole.0) as i128;
    (wide * (i as i128 + 1) / n as i128 - wide * i as i128 / n as i128) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans() -> impl Strategy<Value = Vec<Span>> {
        prop::collection::vec((0i64..200, 1i64..30), 0..40).prop_map(|v| {
            let mut v: Vec<Span> = v.into_iter().map(|(s, d)| (s, s + d)).collect();
            v.sort_unstable();
            v
        })
    }

    /// One flag per nanosecond.
    fn naive(spans: &[Span]) -> Vec<bool> {
        (0..240)
            .map(|t| spans.iter().any(|s| s.0 <= t && t < s.1))
            .collect()
    }

    proptest! {
        #[test]
        fn union_covers_what_the_stretches_cover(a in spans()) {
            let merged = union(a.iter().copied());
            prop_assert_eq!(naive(&merged), naive(&a));
            prop_assert_eq!(length(&merged), naive(&a).iter().filter(|f| **f).count() as u128);
            prop_assert!(merged.windows(2).all(|w| w[0].1 < w[1].0));
        }

        #[test]
        fn common_time_is_the_time_both_cover(a in spans(), b in spans()) {
            let both = naive(&a).iter().zip(naive(&b)).filter(|(x, y)| **x && *y).count();
            let (a, b) = (union(a.into_iter()), union(b.into_iter()));
            prop_assert_eq!(common(&a, &b), both as u128);
        }

        #[test]
        fn covered_time_of_a_window(a in spans(), from in 0i64..200, long in 1i64..50) {
            let count = (from..from + long).filter(|t| naive(&a).get(*t as usize) == Some(&true)).count();
            prop_assert_eq!(covered(&union(a.into_iter()), from, from + long), count as u64);
        }

        #[test]
        fn buckets_lose_nothing(a in spans(), n in 1usize..50) {
            let whole = (0, 240);
            let sums = buckets(a.iter().copied(), whole, n);
            prop_assert_eq!(sums.iter().sum::<u128>(), length(&a));
            let all: u64 = (0..n).map(|i| bucket_length(whole, n, i)).sum();
            prop_assert_eq!(all, 240);
        }
    }

    #[test]
    fn extreme_times_are_no_intervals() {
        assert_eq!(interval(i64::MIN, i64::MAX), None);
        assert_eq!(interval(5, i64::MAX), None);
        assert_eq!(interval(5, 5), None);
        assert_eq!(interval(6, 5), None);
        assert_eq!(interval(-3, 5), Some((-3, 5)));
    }
}
