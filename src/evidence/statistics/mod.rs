//! The arithmetic of comparisons: quantiles and their intervals, ranks and shifts, resampling,
//! rates, multiplicity, sample sizes and capacity.
//!
//! Pure functions over numbers. A result that does not exist (no observation, no finite bound,
//! all values equal) is `None`, never 0. Random draws come from a seeded generator, so that equal
//! inputs give equal results everywhere.

mod binned;
mod bootstrap;
mod capacity;
mod normal;
mod power;
mod quantile;
mod ranks;
mod rates;
mod shift;

pub use binned::Binned;
pub use bootstrap::{
    Blocks, Change, Of, SplitMix64, blocked, plain, windows_by_order, windows_by_time,
};
pub use capacity::{Capacity, cost_per_accepted, little_residual, sustainable};
pub use normal::{ln_gamma, normal_cdf, normal_quantile, normal_tail};
pub use power::{finite_both_sides, finite_one_side, noether, rule_of_three};
pub use quantile::{OrderInterval, order_interval, quantile_interval, sorted, type7};
pub use ranks::{Effect, MannWhitney, mann_whitney};
pub use rates::{fisher, newcombe, sample_ratio, two_rates, wilson};
pub use shift::{Shift, root_interval, shift};

/// Holm's step-down adjustment: for each p value, in the order given, the greatest over the
/// smaller ones of `(m − j + 1)·p`, at most 1.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![f64::NAN; p.len()];
    let mut highest = 0.0_f64;
    for (rank, i) in order.into_iter().enumerate() {
        // A p value that is no number counts as one that shows nothing.
        let own = if p[i].is_nan() { 1.0 } else { p[i] };
        highest = highest.max((own * (p.len() - rank) as f64).min(1.0));
        adjusted[i] = highest;
    }
    adjusted
}

#[cfg(test)]
mod tests;
