//! Distributions: the observations behind a signal, one by one or by buckets, so that a comparison
//! can compute its own quantiles and intervals instead of trusting those of a tool.
//!
//! They are carried apart from the signals: a gate looks at thousands of signals and at no
//! distribution.

use crate::{Unit, catalogue};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most numbers (values and times together) that one reading carries. What goes beyond is left
/// out whole, signal by signal, and noted: a part of a run is no sample of it.
pub const MOST_NUMBERS: usize = 2_000_000;

/// The observations of one signal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Name from the catalogue.
    pub name: String,
    /// What they are for, as with a signal; empty = the whole run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The observations in the signal's base unit.
    pub data: Data,
}

/// How observations are known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "form")]
pub enum Data {
    /// One by one, in order of time.
    Values {
        /// The values.
        values: Vec<f64>,
        /// When each was made, in seconds from any origin; empty = only the order is known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        times: Vec<f64>,
    },
    /// By buckets, over the window.
    Histogram {
        /// Upper edges, ascending, finite.
        edges: Vec<f64>,
        /// Observations per bucket, one more than edges: the last above every edge.
        counts: Vec<u64>,
    },
}

impl Data {
    /// Stable id of the form.
    pub fn form(&self) -> &'static str {
        match self {
            Self::Values { .. } => "values",
            Self::Histogram { .. } => "histogram",
        }
    }

    /// Number of observations.
    pub fn len(&self) -> u64 {
        match self {
            Self::Values { values, .. } => values.len() as u64,
            Self::Histogram { counts, .. } => counts.iter().sum(),
        }
    }

    /// Whether there is no observation.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it makes sense: finite numbers, a time for every value or none, ascending edges.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Values { values, times } => {
                (times.is_empty() || times.len() == values.len())
                    && values.iter().chain(times).all(|v| v.is_finite())
            }
            Self::Histogram { edges, counts } => {
                crate::statistics::Binned { edges, counts }.is_sound()
            }
        }
    }

    fn numbers(&self) -> usize {
        match self {
            Self::Values { values, times } => values.len() + times.len(),
            Self::Histogram { edges, counts } => edges.len() + counts.len(),
        }
    }

    /// The numbers as bytes, little-endian: the same data always gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(16 + 8 * self.numbers());
        let mut put = |first: usize, second: usize, numbers: &mut dyn Iterator<Item = u64>| {
            out.extend_from_slice(&(first as u64).to_le_bytes());
            out.extend_from_slice(&(second as u64).to_le_bytes());
            numbers.for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        };
        match self {
            Self::Values { values, times } => put(
                values.len(),
                times.len(),
                &mut values.iter().chain(times).map(|v| v.to_bits()),
            ),
            Self::Histogram { edges, counts } => put(
                edges.len(),
                counts.len(),
                &mut edges
                    .iter()
                    .map(|v| v.to_bits())
                    .chain(counts.iter().copied()),
            ),
        }
        out
    }

    /// The data behind [`Data::to_bytes`]; `None` when the bytes are not of this form.
    pub fn from_bytes(form: &str, bytes: &[u8]) -> Option<Self> {
        let (chunks, rest) = bytes.as_chunks::<8>();
        let mut numbers = chunks.iter().map(|c| u64::from_le_bytes(*c));
        let (first, second) = (numbers.next()?, numbers.next()?);
        let whole = first.checked_add(second)?.checked_add(2)? == chunks.len() as u64;
        if !rest.is_empty() || !whole {
            return None;
        }
        let first: Vec<u64> = numbers.by_ref().take(first as usize).collect();
        let floats = |n: Vec<u64>| n.into_iter().map(f64::from_bits).collect();
        let data = match form {
            "values" => Self::Values {
                values: floats(first),
                times: floats(numbers.collect()),
            },
            "histogram" => Self::Histogram {
                edges: floats(first),
                counts: numbers.collect(),
            },
            _ => return None,
        };
        data.is_sound().then_some(data)
    }
}

impl Distribution {
    /// Observations of a catalogued signal, for the whole run.
    pub fn new(name: &str, data: Data) -> Self {
        Self {
            name: name.to_owned(),
            labels: BTreeMap::new(),
            data,
        }
    }

    /// Says what they are for.
    #[must_use]
    pub fn label(mut self, name: &str, value: impl ToString) -> Self {
        self.labels
            .insert(name.to_owned(), crate::reading::tame(&value.to_string()));
        self
    }

    /// Base unit, as the catalogue gives it.
    pub fn unit(&self) -> Unit {
        catalogue::find(&self.name).map_or(Unit::Count, |d| d.unit)
    }
}

impl crate::Reading {
    /// Carries the observations of a signal, unless there are none, they make no sense, or the
    /// reading carries [`MOST_NUMBERS`] already; that it was left out is noted.
    pub fn push_distribution(&mut self, distribution: Distribution) {
        debug_assert!(
            catalogue::find(&distribution.name).is_some(),
            "signal {} is not in the catalogue",
            distribution.name
        );
        if distribution.data.is_empty() || !distribution.data.is_sound() {
            return;
        }
        let carried: usize = self.distributions.iter().map(|d| d.data.numbers()).sum();
        if carried + distribution.data.numbers() > MOST_NUMBERS {
            self.note(
                crate::Note::new(crate::NoteLevel::Warning, "distribution-left-out")
                    .arg("signal", &distribution.name)
                    .arg("n", distribution.data.len())
                    .arg("most", MOST_NUMBERS),
            );
            return;
        }
        self.distributions.push(distribution);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Reading, Tool};

    fn reading() -> Reading {
        let tool = Tool {
            name: "a tool".to_owned(),
            version: None,
            format: None,
        };
        Reading::new(Kind::VllmMetrics, "1", tool)
    }

    fn values(values: Vec<f64>) -> Distribution {
        let times = Vec::new();
        Distribution::new("ttft", Data::Values { values, times })
    }

    #[test]
    fn bytes_come_back_and_broken_ones_do_not() {
        let all = [
            Data::Values {
                values: vec![0.1, 2.0],
                times: vec![5.0, 6.0],
            },
            Data::Values {
                values: vec![0.1, 2.0],
                times: Vec::new(),
            },
            Data::Histogram {
                edges: vec![0.1, 0.5],
                counts: vec![4, 0, 1],
            },
        ];
        for data in all {
            let bytes = data.to_bytes();
            assert_eq!(Data::from_bytes(data.form(), &bytes), Some(data.clone()));
            assert_eq!(
                Data::from_bytes(data.form(), &bytes[..bytes.len() - 1]),
                None
            );
            assert_eq!(
                Data::from_bytes(data.form(), &bytes[..bytes.len() - 8]),
                None
            );
            assert_eq!(Data::from_bytes("other", &bytes), None);
        }
    }

    #[test]
    fn what_makes_no_sense_is_not_carried() {
        let mut reading = reading();
        reading.push_distribution(values(Vec::new()));
        reading.push_distribution(values(vec![1.0, f64::NAN]));
        let odd = Data::Histogram {
            edges: vec![1.0, 0.5],
            counts: vec![1, 1, 1],
        };
        reading.push_distribution(Distribution::new("ttft", odd));
        assert!(reading.distributions.is_empty());
    }

    #[test]
    fn beyond_the_cap_a_signal_is_left_out_whole_and_noted() {
        let mut reading = reading();
        reading.push_distribution(values(vec![1.0; MOST_NUMBERS]));
        reading.push_distribution(values(vec![1.0]));
        assert_eq!(reading.distributions.len(), 1);
        assert!(
            reading
                .notes
                .iter()
                .any(|n| n.code == "distribution-left-out")
        );
    }
}
