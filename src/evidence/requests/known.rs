//! Formats that are known whole: public traces, and an engine's own timestamps. What their columns
//! mean is fixed by whoever published them, so nobody is asked.

use crate::mapping::Field;

/// A format that needs nobody's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Timestamps of an engine's own steps, one JSON object per request (vLLM's request state).
    EngineTimestamps,
    /// Azure's public traces of 2023, 2024 and 2025.
    Azure,
    /// BurstGPT's public traces, without or with session and elapsed time.
    BurstGpt,
    /// Mooncake's public traces.
    Mooncake,
}

/// Columns of a known format: name, fact, unit.
pub type KnownColumns = &'static [(&'static str, Field, Option<&'static str>)];

impl Known {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::EngineTimestamps => "vLLM request timestamps",
            Self::Azure => "Azure LLM inference trace",
            Self::BurstGpt => "BurstGPT",
            Self::Mooncake => "Mooncake trace",
        }
    }

    /// Whether it is a trace of a workload that somebody else served.
    pub fn is_trace(self) -> bool {
        self != Self::EngineTimestamps
    }

    /// Its columns.
    pub fn columns(self) -> KnownColumns {
        match self {
            Self::EngineTimestamps => &[
                ("request_id", Field::RequestId, None),
                ("arrival_time", Field::StartTime, Some("s")),
                ("queued_ts", Field::QueuedTime, Some("s")),
                ("scheduled_ts", Field::ScheduledTime, Some("s")),
                ("first_token_ts", Field::FirstTokenTime, Some("s")),
                ("last_token_ts", Field::FinishTime, Some("s")),
                ("input_toks", Field::PromptTokens, Some("tokens")),
                ("output_toks", Field::OutputTokens, Some("tokens")),
                ("num_prompt_tokens", Field::PromptTokens, Some("tokens")),
                ("num_generation_tokens", Field::OutputTokens, Some("tokens")),
                ("num_cached_tokens", Field::CachedTokens, Some("tokens")),
                ("prompt_tokens", Field::PromptTokens, Some("tokens")),
                ("output_tokens", Field::OutputTokens, Some("tokens")),
                ("input_tokens", Field::PromptTokens, Some("tokens")),
                ("model", Field::Model, None),
                ("finish_reason", Field::Status, None),
            ],
            Self::Azure => &[
                ("TIMESTAMP", Field::StartTime, Some("date")),
                ("ContextTokens", Field::PromptTokens, Some("tokens")),
                ("GeneratedTokens", Field::OutputTokens, Some("tokens")),
            ],
            Self::BurstGpt => &[
                ("Timestamp", Field::StartTime, Some("s")),
                ("Session ID", Field::Session, None),
                ("Elapsed time", Field::E2e, Some("s")),
                ("Model", Field::Model, None),
                ("Request tokens", Field::PromptTokens, Some("tokens")),
                ("Response tokens", Field::OutputTokens, Some("tokens")),
                ("Log Type", Field::Class, None),
            ],
            Self::Mooncake => &[
                ("timestamp", Field::StartTime, Some("ms")),
                ("input_length", Field::PromptTokens, Some("tokens")),
                ("output_length", Field::OutputTokens, Some("tokens")),
            ],
        }
    }

    /// The known format with these columns.
    pub fn of(columns: &[String]) -> Option<Self> {
        let has = |name: &str| columns.iter().any(|c| c == name);
        let all = |names: &[&str]| names.iter().all(|n| has(n));
        if all(&[
            "queued_ts",
            "scheduled_ts",
            "first_token_ts",
            "last_token_ts",
        ]) {
            return Some(Self::EngineTimestamps);
        }
        if all(&["TIMESTAMP", "ContextTokens", "GeneratedTokens"]) {
            return Some(Self::Azure);
        }
        if all(&[
            "Timestamp",
            "Model",
            "Request tokens",
            "Response tokens",
            "Log Type",
        ]) {
            return Some(Self::BurstGpt);
        }
        all(&["timestamp", "input_length", "output_length", "hash_ids"]).then_some(Self::Mooncake)
    }
}
