//! The JSON of Prometheus' HTTP API, read as a stream: series by series, each with its samples.
//!
//! Names are missing once a function was applied, so such series are counted and nothing is taken
//! from them. A cut answer is refused whole.

use super::{
    line::{self, Key},
    points::{MOST_POINTS, Sink, refused},
    scrapes::Reader,
};
use crate::Refusal;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::{
    collections::BTreeMap,
    fmt,
    io::{self, BufRead},
};

/// Reads one JSON answer of the HTTP API; `input` stands at its first brace.
///
/// # Errors
/// `web-error-page` for the API's own errors, `prometheus-api-damaged` when it is cut or no such
/// answer, and the caps. The outer error comes from reading.
pub fn api(
    reader: &mut Reader,
    input: &mut dyn BufRead,
    file: &str,
) -> io::Result<Result<(), Refusal>> {
    let mut sink = Sink { reader, stop: None };
    let mut json = serde_json::Deserializer::from_reader(input);
    let answer = Answer(&mut sink).deserialize(&mut json);
    let failed = match answer {
        Ok(None) => match json.end() {
            Ok(()) => return Ok(Ok(())),
            Err(e) => e,
        },
        Ok(Some(error)) => {
            return Ok(Err(Refusal::new(file, "web-error-page").arg("quote", error)));
        }
        Err(e) => e,
    };
    let place = format!("line {}, column {}", failed.line(), failed.column());
    if let Some(stop) = &sink.stop {
        return Ok(Err(refused(file, stop, place)));
    }
    if failed.is_io() {
        return Err(failed.into());
    }
    Ok(Err(Refusal::new(file, "prometheus-api-damaged")
        .arg("error", &failed)
        .at(place)))
}

/// The whole answer. Yields the API's own error, if it is one.
struct Answer<'s, 'r>(&'s mut Sink<'r>);

impl<'de> DeserializeSeed<'de> for Answer<'_, '_> {
    type Value = Option<String>;
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Answer<'_, '_> {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer of the Prometheus HTTP API")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element_seed(Element(self.0))?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut error = None;
        let mut failed = false;
        let mut has_data = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "status" => failed = map.next_value::<String>()? == "error",
                "error" => error = Some(map.next_value::<String>()?),
                "data" => {
                    has_data = true;
                    map.next_value_seed(InData(self.0))?;
                }
                "result" => {
                    has_data = true;
                    map.next_value_seed(InResult(self.0))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if failed {
            return Ok(Some(error.unwrap_or_else(|| "error".to_owned())));
        }
        if has_data {
            Ok(None)
        } else {
            Err(A::Error::custom("the answer holds no data"))
        }
    }
}

/// `data`: its `result` is what counts.
struct InData<'s, 'r>(&'s mut Sink<'r>);

impl<'de> DeserializeSeed<'de> for InData<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for InData<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("data with a result")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut found = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == "result" {
                found = true;
                map.next_value_seed(InResult(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if found {
            Ok(())
        } else {
            Err(A::Error::custom("the data holds no result"))
        }
    }
}

/// `result`: series, or the two parts of a scalar.
struct InResult<'s, 'r>(&'s mut Sink<'r>);

impl<'de> DeserializeSeed<'de> for InResult<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for InResult<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of series")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Element(self.0))?.is_some() {}
        Ok(())
    }
}

/// One series with its samples, or a part of a scalar.
struct Element<'s, 'r>(&'s mut Sink<'r>);

impl<'de> DeserializeSeed<'de> for Element<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_any(self)
    }
}

impl Element<'_, '_> {
    /// A scalar: the result of an expression without any series.
    fn scalar(self) {
        self.0.reader.tally_mut().unnamed = self.0.reader.tally().unnamed.max(1);
    }
}

impl<'de> Visitor<'de> for Element<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a series with its samples")
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.scalar();
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.scalar();
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.scalar();
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.scalar();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut key = Key {
            name: String::new(),
            labels: Vec::new(),
        };
        let mut samples: Vec<(f64, f64)> = Vec::new();
        while let Some(field) = map.next_key::<String>()? {
            match field.as_str() {
                "metric" => {
                    let labels = map.next_value::<BTreeMap<String, String>>()?;
                    let labels = labels.into_iter().filter(|(_, value)| !value.is_empty());
                    (key.name, key.labels) = (String::new(), Vec::new());
                    for (name, value) in labels {
                        if name == "__name__" {
                            key.name = value;
                        } else {
                            key.labels.push((name, value));
                        }
                    }
                }
                "value" => samples.push(map.next_value::<Pair>()?.0),
                "values" => map.next_value_seed(Pairs(&mut samples))?,
                "histogram" | "histograms" => {
                    map.next_value::<IgnoredAny>()?;
                    self.0.reader.tally_mut().native += 1;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.0.begin(&key);
        if !samples.is_empty() && !self.0.take(key, &samples) {
            return Err(A::Error::custom("too much"));
        }
        Ok(())
    }
}

/// `[unix_s, "value"]`.
struct Pair((f64, f64));

/// A number, or a number in quotes.
struct Quoted(f64);

impl<'de> serde::Deserialize<'de> for Quoted {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = f64;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, perhaps in quotes")
            }
            fn visit_f64<E: Error>(self, v: f64) -> Result<f64, E> {
                Ok(v)
            }
            fn visit_u64<E: Error>(self, v: u64) -> Result<f64, E> {
                Ok(v as f64)
            }
            fn visit_i64<E: Error>(self, v: i64) -> Result<f64, E> {
                Ok(v as f64)
            }
            fn visit_str<E: Error>(self, v: &str) -> Result<f64, E> {
                line::number(v.as_bytes()).ok_or_else(|| E::custom("no number"))
            }
        }
        d.deserialize_any(Either).map(Self)
    }
}

impl<'de> serde::Deserialize<'de> for Pair {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let (Quoted(time), Quoted(value)) = serde::Deserialize::deserialize(d)?;
        Ok(Self((time, value)))
    }
}

/// A list of [`Pair`]s, one by one, up to the cap.
struct Pairs<'a>(&'a mut Vec<(f64, f64)>);

impl<'de> DeserializeSeed<'de> for Pairs<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Pairs<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of times and values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(Pair(pair)) = seq.next_element()? {
            if self.0.len() > MOST_POINTS {
                return Err(A::Error::custom("too many samples in one series"));
            }
            self.0.push(pair);
        }
        Ok(())
    }
}
