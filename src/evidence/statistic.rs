//! Statistics: which summary of many observations a number is, and the quantiles themselves.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// A summary of observations, spelled as in reports: `p99`, `mean`, `max`, `total`, `ratio`, …
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// A quantile in tenths of a percent: `Quantile(990)` is p99, `Quantile(999)` is p99.9.
    Quantile(u16),
    /// Arithmetic mean.
    Mean,
    /// Least value.
    Min,
    /// Greatest value.
    Max,
    /// Sum, or increase of a counter over the window.
    Total,
    /// Number of observations.
    Count,
    /// Per second over the window.
    Rate,
    /// Share of a whole, 0–1.
    Ratio,
    /// Value at one instant.
    Last,
}

impl Statistic {
    /// Median.
    pub const P50: Self = Self::Quantile(500);
    /// 90th percentile.
    pub const P90: Self = Self::Quantile(900);
    /// 95th percentile.
    pub const P95: Self = Self::Quantile(950);
    /// 99th percentile.
    pub const P99: Self = Self::Quantile(990);

    /// The quantile as a share 0–1, if it is one.
    pub fn quantile(self) -> Option<f64> {
        match self {
            Self::Quantile(q) => Some(f64::from(q) / 1000.0),
            _ => None,
        }
    }

    /// Least number of samples before the statistic may be judged (lifecycle §7): p99 1 000,
    /// p95 200, p50 50; other quantiles take the next stricter row, means as the median.
    pub fn least_samples(self) -> u64 {
        match self {
            Self::Quantile(q) if q > 950 => 1000,
            Self::Quantile(q) if q > 500 => 200,
            Self::Quantile(_) | Self::Mean => 50,
            _ => 1,
        }
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quantile(q) if q % 10 == 0 => write!(f, "p{}", q / 10),
            Self::Quantile(q) => write!(f, "p{}.{}", q / 10, q % 10),
            Self::Mean => f.write_str("mean"),
            Self::Min => f.write_str("min"),
            Self::Max => f.write_str("max"),
            Self::Total => f.write_str("total"),
            Self::Count => f.write_str("count"),
            Self::Rate => f.write_str("rate"),
            Self::Ratio => f.write_str("ratio"),
            Self::Last => f.write_str("last"),
        }
    }
}

impl FromStr for Statistic {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Ok(match s {
            "mean" => Self::Mean,
            "min" => Self::Min,
            "max" => Self::Max,
            "total" => Self::Total,
            "count" => Self::Count,
            "rate" => Self::Rate,
            "ratio" => Self::Ratio,
            "last" => Self::Last,
            _ => {
                let percent = s.strip_prefix('p').ok_or_else(|| s.to_owned())?;
                let (whole, tenth) = percent.split_once('.').unwrap_or((percent, "0"));
                let whole: u16 = whole.parse().map_err(|_| s.to_owned())?;
                let tenth: u16 = tenth.parse().map_err(|_| s.to_owned())?;
                if whole > 100 || tenth > 9 || whole * 10 + tenth > 1000 {
                    return Err(s.to_owned());
                }
                Self::Quantile(whole * 10 + tenth)
            }
        })
    }
}

impl Serialize for Statistic {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Statistic {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let s = String::deserialize(d)?;
        s.parse()
            .map_err(|s| serde::de::Error::custom(format!("unknown statistic {s:?}")))
    }
}

/// Nearest-rank quantile of an ascending slice: the observed value at rank ⌈q·n⌉ (at least 1).
/// `None` when there is no observation.
pub fn nearest_rank<T: Copy>(sorted: &[T], q: f64) -> Option<T> {
    if sorted.is_empty() {
        return None;
    }
    let rank = (q * sorted.len() as f64).ceil().max(1.0) as usize;
    sorted.get(rank.min(sorted.len()) - 1).copied()
}
