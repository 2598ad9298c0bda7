//! Log lines wrapped in JSON by a container runtime or a collector: the text, and the time beside
//! it. Everything else in the document is passed over.

use super::stamp;
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use std::{borrow::Cow, fmt};

/// What a document holds of a line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wrapped<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Its time: kind and seconds.
    pub time: Option<(usize, f64)>,
}

/// Keys under which a line's text stands, the surest first.
const TEXTS: [&str; 8] = [
    "log",
    "message",
    "msg",
    "MESSAGE",
    "textPayload",
    "line",
    "event",
    "body",
];

/// Keys under which a line's time stands.
const TIMES: [&str; 9] = [
    "time",
    "timestamp",
    "@timestamp",
    "ts",
    "asctime",
    "created",
    "datetime",
    "__REALTIME_TIMESTAMP",
    "receiveTimestamp",
];

/// The line in a JSON document; `None` when it holds none.
pub fn unwrap(line: &[u8]) -> Option<Wrapped<'_>> {
    let found: Found<'_> = serde_json::from_slice(line).ok()?;
    let text = found.text?.1;
    let time = found.time.and_then(|time| match time {
        Time::Text(text) => {
            let (kind, seconds, _) = stamp::leading(text.trim().as_bytes())?;
            Some((kind, seconds))
        }
        // Seconds, milliseconds, microseconds or nanoseconds since 1970, told by their size.
        Time::Number(n) => {
            let scale = [(1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (1e8, 1.0)];
            let (_, by) = scale.into_iter().find(|(least, _)| n >= *least)?;
            Some((stamp::UTC, n / by))
        }
    });
    Some(Wrapped { text, time })
}

struct Found<'a> {
    text: Option<(usize, Cow<'a, str>)>,
    time: Option<Time<'a>>,
}

enum Time<'a> {
    Text(Cow<'a, str>),
    Number(f64),
}

/// Any value; only texts and numbers are kept.
enum Scalar<'a> {
    Text(Cow<'a, str>),
    Number(f64),
    Other,
}

impl<'de> Deserialize<'de> for Found<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Found<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut found = Found {
                    text: None,
                    time: None,
                };
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    let place = TEXTS.iter().position(|k| *k == key);
                    let value: Scalar<'de> = map.next_value()?;
                    match (place, value) {
                        (Some(place), Scalar::Text(text))
                            if found.text.as_ref().is_none_or(|(p, _)| place < *p) =>
                        {
                            found.text = Some((place, text));
                        }
                        (None, Scalar::Text(text)) if TIMES.contains(&&*key) => {
                            let number = text.parse().ok().map(Time::Number);
                            found.time.get_or_insert(number.unwrap_or(Time::Text(text)));
                        }
                        (None, Scalar::Number(n)) if TIMES.contains(&&*key) => {
                            found.time.get_or_insert(Time::Number(n));
                        }
                        _ => {}
                    }
                }
                Ok(found)
            }
        }
        d.deserialize_map(Keys)
    }
}

impl<'de> Deserialize<'de> for Scalar<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Scalar<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Self::Value, E> {
                Ok(Scalar::Text(Cow::Borrowed(v)))
            }
            fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
                Ok(Scalar::Text(Cow::Owned(v.to_owned())))
            }
            fn visit_f64<E>(self, v: f64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(v))
            }
            fn visit_u64<E>(self, v: u64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(v as f64))
            }
            fn visit_i64<E>(self, v: i64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(v as f64))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Scalar::Other)
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Scalar::Other)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other)
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other)
            }
        }
        d.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_wrapped_by_runtimes_and_collectors() {
        for (line, text, time) in [
            (
                r#"{"log":"INFO x\n","stream":"stderr","time":"2025-08-20T23:20:01.5Z"}"#,
                "INFO x\n",
                Some((stamp::UTC, 1_755_732_001.5)),
            ),
            (
                r#"{"message":"x","timestamp":1755732001,"labels":{"log":"no"},"n":[1,null]}"#,
                "x",
                Some((stamp::UTC, 1_755_732_001.0)),
            ),
            (
                r#"{"MESSAGE":"x","__REALTIME_TIMESTAMP":"1755732001000000"}"#,
                "x",
                Some((stamp::UTC, 1_755_732_001.0)),
            ),
            (r#"{"msg":"x","event":"y","message":"z"}"#, "z", None),
        ] {
            let got = unwrap(line.as_bytes()).unwrap();
            assert_eq!((&*got.text, got.time), (text, time), "{line}");
        }
        for line in [r#"{"log":5}"#, r#"{"log":"#, "[1]", "{}"] {
            assert_eq!(unwrap(line.as_bytes()), None, "{line}");
        }
    }
}
