//! The values of one fact over the requests: exact percentiles, in all and by class.

use super::table::Table;
use crate::{Statistic, statistics::type7};

/// Which fact.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    /// The signal it feeds.
    pub signal: &'static str,
    /// Whose rows count.
    pub of: Population,
    get: fn(&Table, usize) -> Option<f64>,
}

/// Whose rows count for a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Population {
    /// Answered requests: the latency of a failure says nothing about answers.
    Answered,
    /// Every row that is no copy.
    All,
}

/// All facts, in the order in which they are carried as observations.
pub const FACTS: [Fact; 11] = [
    fact("ttft", Population::Answered, |t, r| t.ttft.get(r)),
    fact("e2e_latency", Population::Answered, |t, r| t.e2e.get(r)),
    fact("tpot", Population::Answered, Table::tpot),
    fact("queue_time", Population::Answered, |t, r| t.queue.get(r)),
    fact("prompt_length", Population::All, |t, r| {
        t.prompt.get(r).map(f64::from)
    }),
    fact("output_length", Population::Answered, |t, r| {
        t.output.get(r).map(f64::from)
    }),
    fact("prefill_time", Population::Answered, |t, r| {
        t.prefill.get(r)
    }),
    fact("decode_time", Population::Answered, |t, r| t.decode.get(r)),
    fact("inference_time", Population::Answered, |t, r| {
        t.inference.get(r)
    }),
    fact("send_delay", Population::All, |t, r| t.delay.get(r)),
    fact("prefill_computed_tokens", Population::Answered, |t, r| {
        let prompt = t.prompt.get(r)?;
        Some(f64::from(prompt - t.cached.get(r)?.min(prompt)))
    }),
];

const fn fact(signal: &'static str, of: Population, get: fn(&Table, usize) -> Option<f64>) -> Fact {
    Fact { signal, of, get }
}

impl Fact {
    /// The fact that feeds a signal.
    pub fn named(signal: &str) -> Option<Self> {
        FACTS.into_iter().find(|f| f.signal == signal)
    }

    /// The value of a row, if the row counts and has one.
    pub fn value(self, table: &Table, row: usize) -> Option<f64> {
        let counts = match self.of {
            Population::Answered => table.is_answered(row),
            Population::All => table.counts(row),
        };
        if counts { (self.get)(table, row) } else { None }
    }

    /// The values in the order of the rows.
    pub fn values(self, table: &Table) -> Vec<f64> {
        (0..table.len())
            .filter_map(|r| self.value(table, r))
            .collect()
    }

    /// The values of every class, by its number.
    pub fn by_class(self, table: &Table, classes: usize) -> Vec<Vec<f64>> {
        let mut out = vec![Vec::new(); classes];
        for row in 0..table.len() {
            if let Some(class) = table.class.get(row)
                && let Some(value) = self.value(table, row)
            {
                out[usize::from(class)].push(value);
            }
        }
        out
    }
}

/// Quantiles that are shown.
pub const QUANTILES: [Statistic; 5] = [
    Statistic::P50,
    Statistic::P90,
    Statistic::P95,
    Statistic::P99,
    Statistic::Quantile(999),
];

/// Observations before p99.9 is more than the greatest value.
const ENOUGH_FOR_P999: usize = 1000;

/// Values in ascending order, with their sum.
#[derive(Debug, Default)]
pub struct Sorted {
    /// Ascending.
    pub values: Vec<f64>,
    /// Sum.
    pub sum: f64,
}

impl Sorted {
    /// Sorts finite values.
    pub fn new(values: Vec<f64>) -> Self {
        let sum = sum(&values);
        Self {
            values: sort(values),
            sum,
        }
    }

    /// Number of values.
    pub fn n(&self) -> u64 {
        self.values.len() as u64
    }

    /// Mean.
    pub fn mean(&self) -> Option<f64> {
        (!self.values.is_empty()).then(|| self.sum / self.values.len() as f64)
    }

    /// A quantile, linear between the two values around it (type 7).
    pub fn quantile(&self, q: f64) -> Option<f64> {
        type7(&self.values, q)
    }

    /// Mean, least, greatest and the quantiles that so many observations can tell.
    pub fn statistics(&self) -> Vec<(Statistic, f64)> {
        let mut out = Vec::new();
        let (Some(mean), Some(min), Some(max)) =
            (self.mean(), self.values.first(), self.values.last())
        else {
            return out;
        };
        out.extend([
            (Statistic::Mean, mean),
            (Statistic::Min, *min),
            (Statistic::Max, *max),
        ]);
        for statistic in QUANTILES {
            if statistic == QUANTILES[4] && self.values.len() < ENOUGH_FOR_P999 {
                continue;
            }
            let value = statistic.quantile().and_then(|q| self.quantile(q));
            out.extend(value.map(|v| (statistic, v)));
        }
        out
    }
}

/// Pieces are summed first and then together, so that the error does not grow with the log.
fn sum(values: &[f64]) -> f64 {
    values.chunks(4096).map(|c| c.iter().sum::<f64>()).sum()
}

/// Sorts by the bits, which is the order of the numbers once the sign is minded; whole numbers sort
/// faster than floats with their special cases.
fn sort(values: Vec<f64>) -> Vec<f64> {
    let mut keys: Vec<u64> = values
        .into_iter()
        .map(|v| {
            let bits = v.to_bits();
            bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter()
        .map(|key| {
            let mask = ((key as i64 >> 63) as u64 ^ u64::MAX) | 1 << 63;
            f64::from_bits(key ^ mask)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_sort_as_numbers() {
        let sorted = Sorted::new(vec![3.0, -1.5, 0.0, 2e-9, -7.0, 1e300]);
        assert_eq!(sorted.values, [-7.0, -1.5, 0.0, 2e-9, 3.0, 1e300]);
        assert_eq!(sorted.quantile(0.5), Some(1e-9));
    }

    #[test]
    fn few_values_have_no_p999() {
        let few = Sorted::new((1..=100).map(f64::from).collect());
        assert!(
            few.statistics()
                .iter()
                .all(|(s, _)| s.to_string() != "p99.9")
        );
        assert_eq!(few.quantile(0.99), Some(99.01));
        assert_eq!(few.mean(), Some(50.5));
    }
}
