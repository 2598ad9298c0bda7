//! Samples that carry their own times, listed series by series, put back into instants.
//!
//! A Prometheus server asks its targets one after the other, so the samples of one round lie
//! apart by up to the interval between two rounds. A round ends before the first series that
//! would come twice in it, or when it would last as long as the interval.

use super::{
    line::{self, Key},
    lines::{Line, each_line},
    scrapes::Reader,
    table::{Full, Id},
};
use crate::Refusal;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    io::{self, BufRead},
};

/// Most samples of one reading that are kept until they can be put in order.
pub const MOST_POINTS: usize = 4_000_000;

/// One sample of one series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Number of the series in the table.
    pub id: Id,
    /// Unix seconds.
    pub time: f64,
    /// The value.
    pub value: f64,
}

/// The shortest time between two samples of one series, in seconds. `points` is sorted by time.
pub fn interval(points: &[Point]) -> Option<f64> {
    let mut last: HashMap<Id, f64> = HashMap::new();
    let mut least: Option<f64> = None;
    for point in points {
        if let Some(before) = last.insert(point.id, point.time) {
            let step = point.time - before;
            if step > 0.0 && least.is_none_or(|known| step < known) {
                least = Some(step);
            }
        }
    }
    least
}

/// Why the points of a file could not be taken.
#[derive(Debug)]
enum Stop {
    Series,
    Points,
}

/// Takes series and samples into a reader.
struct Sink<'a> {
    reader: &'a mut Reader,
    stop: Option<Stop>,
}

impl Sink<'_> {
    /// Counts a series that begins; one without a name comes out of an expression.
    fn begin(&mut self, key: &Key) {
        self.reader.tally_mut().unnamed += u64::from(key.name.is_empty());
    }

    /// Takes samples of one series; `false` when a cap is reached.
    fn take(&mut self, key: Key, samples: &[(f64, f64)]) -> bool {
        let tally = self.reader.tally_mut();
        tally.samples += samples.len() as u64;
        for (time, value) in samples {
            tally.extent.take(*time, *value);
        }
        if key.name.is_empty() {
            return true;
        }
        match self.reader.table_mut().intern(key) {
            Ok(Some(id)) => {
                let room = MOST_POINTS - self.reader.points.len().min(MOST_POINTS);
                if samples.len() > room {
                    self.stop = Some(Stop::Points);
                    return false;
                }
                let points = samples
                    .iter()
                    .map(|&(time, value)| Point { id, time, value });
                self.reader.points.extend(points);
                true
            }
            Ok(None) => true,
            Err(Full) => {
                self.stop = Some(Stop::Series);
                false
            }
        }
    }
}

/// Between what values and times the samples of answers lie.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extent {
    /// Least and greatest finite value.
    pub values: Option<(f64, f64)>,
    /// First and last time, unix seconds.
    pub times: Option<(f64, f64)>,
}

impl Extent {
    /// Takes one sample.
    pub fn take(&mut self, time: f64, value: f64) {
        let wider = |known: Option<(f64, f64)>, v: f64| match known {
            _ if !v.is_finite() => known,
            Some((a, b)) => Some((a.min(v), b.max(v))),
            None => Some((v, v)),
        };
        self.values = wider(self.values, value);
        self.times = wider(self.times, time);
    }
}

fn refused(file: &str, stop: &Stop, place: String) -> Refusal {
    match stop {
        Stop::Series => super::scrapes::too_many(file, place),
        Stop::Points => Refusal::new(file, "prometheus-too-many-samples")
            .arg("most", MOST_POINTS)
            .at(place),
    }
}

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

/// Reads what promtool printed: a query's answer, or a dump.
///
/// # Errors
/// The caps; the outer error comes from reading.
pub fn promtool(
    reader: &mut Reader,
    input: &mut dyn BufRead,
    file: &str,
) -> io::Result<Result<(), Refusal>> {
    let mut sink = Sink { reader, stop: None };
    let mut current: Option<Key> = None;
    let mut cut = false;
    let read = each_line(input, &mut |l: Line<'_>| {
        let mut text = l.bytes;
        if l.number == 1 {
            text = text.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(text);
        }
        let text = line::trim(text);
        if text.is_empty() {
            return Ok(());
        }
        sink.reader.tally_mut().lines += 1;
        if text[0] == b'#' {
            declare(sink.reader, text);
            return Ok(());
        }
        let good = !l.too_long && one_line(&mut sink, &mut current, text);
        if let Some(stop) = &sink.stop {
            return Err(refused(file, stop, format!("line {}", l.number)));
        }
        if !good {
            sink.reader.skip(l.number, file);
        }
        cut = !l.ended && !good;
        Ok(())
    })?;
    sink.reader.tally_mut().cut += u64::from(cut);
    Ok(read)
}

fn declare(reader: &mut Reader, text: &[u8]) {
    let text = String::from_utf8_lossy(&text[1..]);
    let mut words = text.split_ascii_whitespace();
    if matches!(words.next(), Some("TYPE" | "HELP"))
        && let Some(name) = words.next()
    {
        reader.table_mut().declare(name);
    }
}

/// One line of promtool; `false` when it is none.
fn one_line(sink: &mut Sink<'_>, current: &mut Option<Key>, text: &[u8]) -> bool {
    if let Some(sample) = value_at(text) {
        return match (current.clone(), sample) {
            (Some(key), Ok(sample)) => sink.take(key, &[sample]),
            (Some(_), Err(())) => {
                sink.reader.tally_mut().native += 1;
                true
            }
            (None, _) => false,
        };
    }
    let Some((key, rest)) = super::form::query_head(text) else {
        return false;
    };
    if let Some(rest) = rest.strip_prefix(b"=>") {
        sink.begin(&key);
        *current = Some(key.clone());
        let rest = line::trim(rest);
        return match (rest.is_empty(), value_at(rest)) {
            (true, _) => true,
            (false, Some(Ok(sample))) => sink.take(key, &[sample]),
            (false, Some(Err(()))) => {
                sink.reader.tally_mut().native += 1;
                true
            }
            (false, None) => false,
        };
    }
    match line::tail(rest) {
        Some(tail) => match tail.time {
            Some(time) => sink.take(key, &[(time, tail.value)]),
            None => false,
        },
        None => false,
    }
}

/// `value @[time]`: the sample, or `Err` when the value is a native histogram.
fn value_at(text: &[u8]) -> Option<Result<(f64, f64), ()>> {
    let at = memchr::memmem::rfind(text, b"@[")?;
    let time = line::number(text[at + 2..].strip_suffix(b"]")?)?;
    let value = line::trim(&text[..at]);
    if value.starts_with(b"{") || value.starts_with(b"{count") {
        return (!value.contains(&b'"')).then_some(Err(()));
    }
    line::number(value).map(|value| Ok((time, value)))
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
