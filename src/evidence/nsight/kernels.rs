//! Kernels by name: count, total, exact quantiles, and the share of collectives.

use super::{
    names::{Names, kernel_label},
    ops::{Op, OpKind, Ops},
};
use crate::statistic::nearest_rank;
use std::collections::HashMap;

/// Name of the sum of all kernels beyond the cap on names.
const OTHER: &str = "(other kernels)";

/// All launches of one kernel name.
pub(super) struct Kernel {
    pub label: String,
    /// The bare function name, the label again where the file has none.
    pub short: String,
    pub count: u64,
    pub nanos: u128,
    /// Mean of the two middle durations when their number is even, as the vendor's reports do.
    pub median: f64,
    pub p95: u64,
    pub p99: u64,
    pub min: u64,
    pub max: u64,
    pub collective: bool,
}

/// Sums the kernels by demangled name, longest total first.
pub(super) fn by_name(ops: &Ops, names: &Names) -> Vec<Kernel> {
    let mut heads: Vec<(String, String, bool)> = Vec::new();
    let mut merged: HashMap<String, u32> = HashMap::new();
    let place: Vec<u32> = ops
        .kernel_ids
        .iter()
        .map(|(full, short)| {
            let short = names.get(short).map(|s| s.to_string());
            let name = names
                .get(full)
                .map(|n| n.to_string())
                .or_else(|| short.clone())
                .unwrap_or_else(|| format!("(unnamed {full})"));
            *merged.entry(name).or_insert_with_key(|name| {
                let collective = is_collective(name);
                let label = kernel_label(name);
                let short = short.as_deref().map_or_else(|| label.clone(), kernel_label);
                heads.push((label, short, collective));
                heads.len() as u32 - 1
            })
        })
        .collect();
    let other = heads.len() as u32;
    heads.push((OTHER.to_owned(), OTHER.to_owned(), false));
    let mut durations: Vec<(u32, u64)> = ops
        .ops
        .iter()
        .filter(|o| o.kind == OpKind::Kernel)
        .map(|o: &Op| {
            let name = place.get(o.name as usize).copied().unwrap_or(other);
            (name, o.duration())
        })
        .collect();
    durations.sort_unstable();
    let mut kernels: Vec<Kernel> = durations
        .chunk_by(|a, b| a.0 == b.0)
        .map(|run| {
            let (label, short, collective) = heads[run[0].0 as usize].clone();
            let sorted: Vec<u64> = run.iter().map(|r| r.1).collect();
            let n = sorted.len();
            Kernel {
                label,
                short,
                collective,
                count: n as u64,
                nanos: sorted.iter().map(|d| u128::from(*d)).sum(),
                median: (sorted[(n - 1) / 2] as f64 + sorted[n / 2] as f64) / 2.0,
                p95: nearest_rank(&sorted, 0.95).unwrap_or(sorted[n - 1]),
                p99: nearest_rank(&sorted, 0.99).unwrap_or(sorted[n - 1]),
                min: sorted[0],
                max: sorted[n - 1],
            }
        })
        .collect();
    kernels.sort_by(|a, b| b.nanos.cmp(&a.nanos).then_with(|| a.label.cmp(&b.label)));
    kernels
}

/// NCCL names its kernels `ncclDevKernel_…`, `ncclKernel_…`.
fn is_collective(name: &str) -> bool {
    let name = name.strip_prefix("void ").unwrap_or(name);
    name.get(..4)
        .is_some_and(|head| head.eq_ignore_ascii_case("nccl"))
}
