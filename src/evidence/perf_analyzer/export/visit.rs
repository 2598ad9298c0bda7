//! The profile export as a stream: one experiment at a time is in memory, and of a request only
//! its times. Inputs and outputs may hold prompts; nothing of them is kept but a number that tells
//! equal inputs from different ones.

use super::experiment::{Experiment, MOST_GAPS, MOST_REQUESTS, Request};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::{
    collections::hash_map::DefaultHasher,
    fmt,
    hash::{Hash, Hasher},
};

/// Most experiments of a file; a sweep has tens.
const MOST_EXPERIMENTS: usize = 1000;

/// What stands beside the experiments.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Head {
    pub version: Option<String>,
    pub service_kind: Option<String>,
    pub endpoint: Option<String>,
    /// Whether the list of experiments was there.
    pub experiments: bool,
}

macro_rules! expecting {
    ($text:literal) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str($text)
        }
    };
}

/// Reads the whole file and hands over each experiment as soon as it is complete.
pub(super) struct File<F>(pub F);

impl<'de, F: FnMut(Experiment)> DeserializeSeed<'de> for File<F> {
    type Value = Head;
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Head, D::Error> {
        d.deserialize_map(self)
    }
}

impl<'de, F: FnMut(Experiment)> Visitor<'de> for File<F> {
    type Value = Head;
    expecting!("a profile export");
    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Head, A::Error> {
        let mut head = Head::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "experiments" => {
                    map.next_value_seed(Experiments(&mut self.0))?;
                    head.experiments = true;
                }
                "version" => head.version = map.next_value::<Option<String>>()?,
                "service_kind" => head.service_kind = map.next_value::<Option<String>>()?,
                "endpoint" => head.endpoint = map.next_value::<Option<String>>()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(head)
    }
}

struct Experiments<'a, F>(&'a mut F);

impl<'de, F: FnMut(Experiment)> DeserializeSeed<'de> for Experiments<'_, F> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(Experiment)> Visitor<'de> for Experiments<'_, F> {
    type Value = ();
    expecting!("a list of experiments");
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut count = 0;
        while let Some(experiment) = seq.next_element_seed(One)? {
            count += 1;
            if count > MOST_EXPERIMENTS {
                return Err(A::Error::custom("pel: too many experiments"));
            }
            (self.0)(experiment);
        }
        Ok(())
    }
}

struct One;

impl<'de> DeserializeSeed<'de> for One {
    type Value = Experiment;
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Experiment, D::Error> {
        d.deserialize_map(self)
    }
}

#[derive(serde::Deserialize)]
struct Mode {
    mode: String,
    value: f64,
}

impl<'de> Visitor<'de> for One {
    type Value = Experiment;
    expecting!("an experiment");
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Experiment, A::Error> {
        let mut experiment = Experiment::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "experiment" => {
                    let mode: Mode = map.next_value()?;
                    experiment.mode = mode.mode;
                    experiment.value = mode.value;
                }
                "requests" => map.next_value_seed(Requests(&mut experiment))?,
                "window_boundaries" => experiment.boundaries = map.next_value::<Vec<u64>>()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(experiment)
    }
}

struct Requests<'a>(&'a mut Experiment);

impl<'de> DeserializeSeed<'de> for Requests<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Requests<'_> {
    type Value = ();
    expecting!("a list of requests");
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let experiment = self.0;
        while let Some((request, inputs)) =
            seq.next_element_seed(OneRequest(&mut experiment.gaps))?
        {
            if experiment.requests.len() >= MOST_REQUESTS || experiment.gaps.len() > MOST_GAPS {
                return Err(A::Error::custom("pel: too many requests"));
            }
            experiment.add(request, inputs);
        }
        Ok(())
    }
}

/// One request; the gaps between its responses go to the end of a common list.
struct OneRequest<'a>(&'a mut Vec<f64>);

impl<'de> DeserializeSeed<'de> for OneRequest<'_> {
    type Value = (Request, Option<u64>);
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OneRequest<'_> {
    type Value = (Request, Option<u64>);
    expecting!("a request");
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut request = Request::default();
        let mut start = None;
        let mut inputs = None;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "timestamp" => start = Some(map.next_value::<u64>()?),
                "response_timestamps" => {
                    map.next_value_seed(Responses(&mut request, &mut *self.0))?;
                }
                "request_inputs" => inputs = map.next_value_seed(Fingerprint)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        request.start = start.ok_or_else(|| A::Error::missing_field("timestamp"))?;
        Ok((request, inputs))
    }
}

struct Responses<'a>(&'a mut Request, &'a mut Vec<f64>);

impl<'de> DeserializeSeed<'de> for Responses<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Responses<'_> {
    type Value = ();
    expecting!("a list of timestamps");
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Self(request, gaps) = self;
        let mut before: Option<u64> = None;
        while let Some(at) = seq.next_element::<u64>()? {
            match before {
                None => request.first = at,
                Some(before) => {
                    if gaps.len() > MOST_GAPS {
                        return Err(A::Error::custom("pel: too many requests"));
                    }
                    request.unordered |= at < before;
                    gaps.push(at.abs_diff(before) as f64 / 1e9);
                }
            }
            request.last = request.last.max(at);
            request.responses = request.responses.saturating_add(1);
            before = Some(at);
        }
        Ok(())
    }
}

/// A number for any JSON value: equal values have equal numbers. `None` for one that says nothing:
/// null, or an empty object or list.
struct Fingerprint;

impl<'de> DeserializeSeed<'de> for Fingerprint {
    type Value = Option<u64>;
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_any(self)
    }
}

fn hashed(of: impl Hash) -> Option<u64> {
    // Seeded with nothing, so that the same file always gives the same numbers.
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    Some(hasher.finish())
}

impl<'de> Visitor<'de> for Fingerprint {
    type Value = Option<u64>;
    expecting!("any value");
    fn visit_bool<E>(self, v: bool) -> Result<Self::Value, E> {
        Ok(hashed(v))
    }
    fn visit_i64<E>(self, v: i64) -> Result<Self::Value, E> {
        Ok(hashed(v))
    }
    fn visit_u64<E>(self, v: u64) -> Result<Self::Value, E> {
        Ok(hashed(v))
    }
    fn visit_f64<E>(self, v: f64) -> Result<Self::Value, E> {
        Ok(hashed(v.to_bits()))
    }
    fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
        Ok(hashed(v))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut all = None;
        while let Some(next) = seq.next_element_seed(Self)? {
            all = hashed((all, next));
        }
        Ok(all)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut all = None;
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(Self)?;
            all = hashed((all, key, value));
        }
        Ok(all)
    }
}
