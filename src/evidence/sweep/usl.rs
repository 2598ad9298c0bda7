//! The Universal Scalability Law fitted to a sweep: X(N) = γN / (1 + α(N−1) + βN(N−1)).
//!
//! It is for forecasting, not for approving, and only where [`Usl::usable`] says so.

use super::analysis::Point;

/// A fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usl {
    /// Throughput of one request in flight, per second.
    pub gamma: f64,
    /// Contention.
    pub alpha: f64,
    /// Coherency.
    pub beta: f64,
    /// Coefficient of determination on throughput.
    pub r2: f64,
}

/// Fewest points a fit takes.
const LEAST_POINTS: usize = 4;

impl Usl {
    /// Least squares on N/X = 1/γ + (α/γ)(N−1) + (β/γ)N(N−1). `None` for fewer than four points,
    /// a point without throughput, or points that do not determine the curve.
    pub fn fit(points: &[Point]) -> Option<Self> {
        if points.len() < LEAST_POINTS || points.iter().any(|p| p.throughput <= 0.0) {
            return None;
        }
        let rows: Vec<[f64; 3]> = points
            .iter()
            .map(|p| [1.0, p.load - 1.0, p.load * (p.load - 1.0)])
            .collect();
        let y: Vec<f64> = points.iter().map(|p| p.load / p.throughput).collect();
        let [a, b, c] = least_squares(&rows, y)?;
        let (gamma, alpha, beta) = (1.0 / a, b / a, c / a);
        let mut fit = Self {
            gamma,
            alpha,
            beta,
            r2: 0.0,
        };
        let mean = points.iter().map(|p| p.throughput).sum::<f64>() / points.len() as f64;
        let total: f64 = points.iter().map(|p| (p.throughput - mean).powi(2)).sum();
        let left: f64 = points
            .iter()
            .map(|p| (p.throughput - fit.throughput(p.load)).powi(2))
            .sum();
        fit.r2 = 1.0 - left / total;
        [gamma, alpha, beta, fit.r2]
            .iter()
            .all(|v| v.is_finite())
            .then_some(fit)
    }

    /// Throughput at a load by the fit, per second.
    pub fn throughput(&self, load: f64) -> f64 {
        let n = load;
        self.gamma * n / (1.0 + self.alpha * (n - 1.0) + self.beta * n * (n - 1.0))
    }

    /// Load of the greatest throughput: √((1−α)/β). `None` when the fit has no maximum.
    pub fn best_load(&self) -> Option<f64> {
        (self.beta > 0.0 && self.alpha < 1.0).then(|| ((1.0 - self.alpha) / self.beta).sqrt())
    }

    /// Whether the fit may be used: R² of 0.9 or more and neither coefficient negative.
    pub fn usable(&self) -> bool {
        self.r2 >= 0.9 && self.alpha >= 0.0 && self.beta >= 0.0
    }
}

/// Solves the least-squares problem by orthogonalising the columns (modified Gram–Schmidt),
/// which keeps the digits that normal equations would square away.
fn least_squares(rows: &[[f64; 3]], mut y: Vec<f64>) -> Option<[f64; 3]> {
    let mut q: [Vec<f64>; 3] = std::array::from_fn(|j| rows.iter().map(|r| r[j]).collect());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut r = [[0.0; 3]; 3];
    let mut z = [0.0; 3];
    for j in 0..3 {
        let before = dot(&q[j], &q[j]).sqrt();
        for i in 0..j {
            let (done, rest) = q.split_at_mut(j);
            r[i][j] = dot(&done[i], &rest[0]);
            for (x, u) in rest[0].iter_mut().zip(&done[i]) {
                *x -= r[i][j] * u;
            }
        }
        let length = dot(&q[j], &q[j]).sqrt();
        // A column that the others explain leaves only rounding behind.
        if length.is_nan() || length <= 1e-12 * before {
            return None;
        }
        r[j][j] = length;
        q[j].iter_mut().for_each(|x| *x /= length);
        z[j] = dot(&q[j], &y);
        for (left, u) in y.iter_mut().zip(&q[j]) {
            *left -= z[j] * u;
        }
    }
    let mut solution = [0.0; 3];
    for j in (0..3).rev() {
        let known: f64 = (j + 1..3).map(|k| r[j][k] * solution[k]).sum();
        solution[j] = (z[j] - known) / r[j][j];
    }
    Some(solution)
}
