//! One span, and the request that it tells of.

use super::super::{
    names_apart::hash,
    number::Moment,
    table::{Outcome, Row},
    words,
};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use std::fmt;

/// Longest text kept of an attribute: ids, names and reasons are short, prompts are not.
const LONGEST_TEXT: usize = 200;
/// Most attributes and events of a span that are looked at.
const MOST: usize = 512;

/// A span as the file writes it, without what nobody asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Span {
    #[serde(alias = "span_id")]
    span_id: Plain,
    #[serde(alias = "trace_id")]
    trace_id: Plain,
    #[serde(alias = "trace_state")]
    trace_state: Plain,
    name: Plain,
    kind: Plain,
    #[serde(alias = "start_time_unix_nano")]
    start_time_unix_nano: Plain,
    #[serde(alias = "end_time_unix_nano")]
    end_time_unix_nano: Plain,
    attributes: Vec<Attribute>,
    events: Vec<Event>,
    status: Status,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Status {
    code: Plain,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Event {
    name: Plain,
    #[serde(alias = "time_unix_nano")]
    time_unix_nano: Plain,
}

/// A key with its value.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Attribute {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Plain,
}

/// A scalar as text, shortened; the first of a list; empty for anything else.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plain(String);

impl Plain {
    /// The text, unless it is empty.
    pub fn text(&self) -> Option<&str> {
        (!self.0.is_empty()).then_some(self.0.as_str())
    }

    fn number(&self) -> Option<f64> {
        super::super::number::parse(self.0.as_bytes())
    }

    fn tokens(&self) -> Option<u32> {
        let value = self.number()?;
        (value.fract() == 0.0 && (0.0..4e9).contains(&value)).then_some(value as u32)
    }

    fn nanos(&self) -> Option<Moment> {
        let ns: i64 = self.0.parse().ok()?;
        (ns > 0).then(|| Moment::from_ns(ns))
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Plain;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of an OTLP export")
    }

    fn visit_str<E>(self, text: &str) -> Result<Plain, E> {
        let end = (0..=LONGEST_TEXT.min(text.len()))
            .rev()
            .find(|i| text.is_char_boundary(*i));
        Ok(Plain(text[..end.unwrap_or(0)].to_owned()))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Plain, E> {
        Ok(Plain(flag.to_string()))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Plain, E> {
        Ok(Plain(n.to_string()))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Plain, E> {
        Ok(Plain(n.to_string()))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Plain, E> {
        Ok(Plain(n.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Plain, E> {
        Ok(Plain::default())
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Plain, A::Error> {
        let first = seq.next_element::<Plain>()?.unwrap_or_default();
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(first)
    }

    /// `{"intValue": "531"}`, `{"arrayValue": {"values": [{"stringValue": "stop"}]}}`.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Plain, A::Error> {
        let mut out = Plain::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "stringValue" | "intValue" | "doubleValue" | "boolValue" | "arrayValue"
                | "values" | "string_value" | "int_value" | "double_value" | "bool_value"
                | "array_value" => out = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(out)
    }
}

/// Operations that are requests to a model; tools, agents and the like are not.
const REQUESTS: [&str; 5] = [
    "chat",
    "text_completion",
    "generate_content",
    "completion",
    "responses",
];

impl Span {
    fn attribute(&self, keys: &[&str]) -> Option<&Plain> {
        // The order of the keys is that of preference.
        keys.iter().find_map(|key| {
            let all = self.attributes.iter().take(MOST);
            all.filter(|a| a.key == *key)
                .map(|a| &a.value)
                .find(|v| v.text().is_some())
        })
    }

    fn seconds(&self, keys: &[&str]) -> Option<f64> {
        self.attribute(keys)?.number()
    }

    fn tokens(&self, keys: &[&str]) -> Option<u32> {
        self.attribute(keys)?.tokens()
    }

    /// Whether the engine's side wrote it.
    pub fn is_server(&self, scope: &str) -> bool {
        let scope = scope.to_ascii_lowercase();
        matches!(self.kind.0.as_str(), "2" | "SPAN_KIND_SERVER")
            || ["vllm", "sglang", "tensorrt", "tgi"]
                .iter()
                .any(|e| scope.contains(e))
    }

    /// The task class, where an attribute names one.
    pub fn class(&self) -> Option<&str> {
        self.attribute(&[
            "pel.task_class",
            "task.class",
            "task_class",
            "gen_ai.task.class",
            "workload.class",
        ])?
        .text()
    }

    /// The model.
    pub fn model(&self) -> Option<&str> {
        self.attribute(&[
            "gen_ai.response.model",
            "gen_ai.request.model",
            "llm.model_name",
        ])?
        .text()
    }

    /// The share of spans that its sampler kept, where it says so: a threshold in the trace state
    /// (`ot=th:…`, W3C trace context, 56 bits of the share that was dropped) or an attribute.
    pub fn kept_share(&self) -> Option<f64> {
        if let Some(share) = self
            .attribute(&["sampling.probability", "sampling.ratio"])
            .and_then(Plain::number)
            .filter(|s| *s > 0.0 && *s <= 1.0)
        {
            return Some(share);
        }
        let state = self.trace_state.0.as_str();
        let vendor = state
            .split(',')
            .find_map(|v| v.trim().strip_prefix("ot="))?;
        let threshold = vendor.split(';').find_map(|f| f.strip_prefix("th:"))?;
        if threshold.is_empty() || threshold.len() > 14 {
            return None;
        }
        let dropped = u64::from_str_radix(threshold, 16).ok()?;
        let dropped = dropped << (4 * (14 - threshold.len()));
        Some(1.0 - dropped as f64 / (1_u64 << 56) as f64)
    }

    /// The request it tells of; `None` when it tells of something else.
    pub fn request(&self) -> Option<Row> {
        let ai = |a: &Attribute| a.key.starts_with("gen_ai.") || a.key.starts_with("llm.");
        if !self.attributes.iter().take(MOST).any(ai) {
            return None;
        }
        let operation = self.attribute(&["gen_ai.operation.name", "llm.request.type"]);
        if operation.is_some_and(|o| !REQUESTS.contains(&o.0.as_str())) {
            return None;
        }
        let mut row = self.numbers();
        let measured = row.ttft.is_some() || row.e2e.is_some() || row.output.is_some();
        if operation.is_none() && !measured && self.name.0 != "llm_request" {
            return None;
        }
        row.start = self.start_time_unix_nano.nanos();
        row.finish = self.end_time_unix_nano.nanos();
        row.first = self
            .events
            .iter()
            .take(MOST)
            .find(|e| is_first_token(&e.name.0))
            .and_then(|e| e.time_unix_nano.nanos());
        let id = self.attribute(&["gen_ai.request.id", "gen_ai.response.id"]);
        row.id = match (id.and_then(Plain::text), self.span_id.text()) {
            (Some(id), _) => Some(hash(id.as_bytes())),
            (None, Some(span)) => Some(hash(format!("{} {span}", self.trace_id.0).as_bytes())),
            (None, None) => None,
        };
        row.judged_end = true;
        row.outcome = self.outcome();
        let accepted = self.attribute(&["pel.accepted", "task.accepted", "accepted"]);
        row.accepted = accepted.and_then(|a| words::accepted(a.0.as_bytes()).ok().flatten());
        let resent = self.attribute(&["http.request.resend_count", "pel.retries"]);
        row.retries = resent
            .and_then(Plain::tokens)
            .and_then(|n| u16::try_from(n).ok());
        Some(row)
    }

    fn numbers(&self) -> Row {
        Row {
            ttft: self.seconds(&[
                "gen_ai.latency.time_to_first_token",
                "gen_ai.server.time_to_first_token",
                "gen_ai.response.time_to_first_token",
                "gen_ai.response.time_to_first_chunk",
                "llm.latency.time_to_first_token",
            ]),
            e2e: self.seconds(&[
                "gen_ai.latency.e2e",
                "gen_ai.server.request.duration",
                "gen_ai.client.operation.duration",
            ]),
            tpot: self.seconds(&[
                "gen_ai.server.time_per_output_token",
                "gen_ai.latency.time_per_output_token",
            ]),
            queue: self.seconds(&["gen_ai.latency.time_in_queue"]),
            prefill: self.seconds(&["gen_ai.latency.time_in_model_prefill"]),
            decode: self.seconds(&["gen_ai.latency.time_in_model_decode"]),
            inference: self.seconds(&["gen_ai.latency.time_in_model_inference"]),
            prompt: self.tokens(&[
                "gen_ai.usage.input_tokens",
                "gen_ai.usage.prompt_tokens",
                "llm.usage.prompt_tokens",
                "llm.token_count.prompt",
            ]),
            cached: self.tokens(&[
                "gen_ai.usage.cached_tokens",
                "gen_ai.usage.cache_read.input_tokens",
                "gen_ai.usage.cache_read_input_tokens",
                "llm.token_count.prompt_details.cache_read",
            ]),
            output: self.tokens(&[
                "gen_ai.usage.output_tokens",
                "gen_ai.usage.completion_tokens",
                "llm.usage.completion_tokens",
                "llm.token_count.completion",
            ]),
            ..Row::default()
        }
    }

    fn outcome(&self) -> Outcome {
        let http = self
            .attribute(&["http.response.status_code", "http.status_code"])
            .and_then(|s| words::status(s.0.as_bytes()));
        let failed = |outcome: &Outcome| !outcome.is_ok();
        if let Some(outcome) = http.filter(failed) {
            return outcome;
        }
        let error = self.attribute(&["error.type", "exception.type"]);
        if let Some(outcome) = error.and_then(|e| words::error(e.0.as_bytes())) {
            return outcome;
        }
        if matches!(self.status.code.0.as_str(), "2" | "STATUS_CODE_ERROR") {
            return Outcome::Error;
        }
        self.finish_reason().unwrap_or_default()
    }

    fn finish_reason(&self) -> Option<Outcome> {
        let reason = self.attribute(&[
            "gen_ai.response.finish_reasons",
            "gen_ai.response.finish_reason",
            "llm.response.finish_reason",
        ])?;
        // Exporters also write the list as text: ["stop"].
        let text = reason.0.trim_matches(|c| "[]\"' ".contains(c));
        words::status(text.as_bytes())
    }

    /// The finish reason, when its word is not known.
    pub fn unclear(&self) -> String {
        match self.finish_reason() {
            Some(Outcome::Unclear) => self
                .attribute(&[
                    "gen_ai.response.finish_reasons",
                    "gen_ai.response.finish_reason",
                ])
                .map_or_else(String::new, |r| r.0.clone()),
            _ => String::new(),
        }
    }
}

fn is_first_token(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("first") && (name.contains("token") || name.contains("chunk"))
}
