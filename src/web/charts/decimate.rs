//! Thinning a line: the least and the greatest value of each stretch are kept, so that no peak is
//! lost.

use super::POINTS;

/// A point: place and value.
pub type Point = (f64, f64);

/// At most [`POINTS`] points of a line, in their order. Points that are no numbers are dropped.
pub fn thin(points: &[Point]) -> Vec<Point> {
    let points: Vec<Point> = points
        .iter()
        .copied()
        .filter(|(x, y)| x.is_finite() && y.is_finite())
        .collect();
    if points.len() <= POINTS {
        return points;
    }
    let stretches = POINTS / 2;
    (0..stretches)
        .flat_map(|i| {
            let from = i * points.len() / stretches;
            let to = (i + 1) * points.len() / stretches;
            ends(&points[from..to])
        })
        .collect()
}

/// The least and the greatest of a stretch, in the order they stand in it.
fn ends(stretch: &[Point]) -> Vec<Point> {
    let by = |a: &(usize, &Point), b: &(usize, &Point)| a.1.1.total_cmp(&b.1.1);
    let least = stretch.iter().enumerate().min_by(by);
    let most = stretch.iter().enumerate().max_by(by);
    let mut found: Vec<(usize, &Point)> = least.into_iter().chain(most).collect();
    found.sort_by_key(|(i, _)| *i);
    found.dedup_by_key(|(i, _)| *i);
    found.into_iter().map(|(_, p)| *p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_peak_and_its_order() {
        let mut points: Vec<Point> = (0..10_000).map(|i| (f64::from(i), 1.0)).collect();
        points[7777].1 = 99.0;
        points[1234].1 = -5.0;
        let thinned = thin(&points);
        assert!(thinned.len() <= POINTS, "{}", thinned.len());
        assert!(thinned.contains(&(7777.0, 99.0)));
        assert!(thinned.contains(&(1234.0, -5.0)));
        assert!(thinned.windows(2).all(|w| w[0].0 <= w[1].0));
    }

    #[test]
    fn what_is_no_number_is_not_drawn() {
        assert_eq!(
            thin(&[(0.0, f64::NAN), (1.0, 2.0), (f64::INFINITY, 1.0)]),
            [(1.0, 2.0)]
        );
    }
}
