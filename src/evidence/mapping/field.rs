//! What a column of a request log can mean: one row per request, one fact per column.
//!
//! The names follow the field: TTFT is from sending to the first token, ITL from token to token,
//! TPOT the mean over the tokens after the first, end to end until the last.

use crate::Unit;
use serde::{Deserialize, Serialize};

/// A fact about one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// Its id.
    RequestId,
    /// The conversation it belongs to.
    Session,
    /// The request that it continues or repeats.
    ParentId,
    /// Which attempt of the same request, the first being 1 (or 0, when it starts there).
    Attempt,
    /// The model asked for.
    Model,
    /// Task class.
    Class,
    /// Status: an HTTP code, or a word.
    Status,
    /// Text of the error; empty when there was none.
    Error,
    /// Whether the answer was accepted.
    Accepted,
    /// How often it was tried again.
    Retries,
    /// When it should have been sent.
    IntendedTime,
    /// When it arrived or was sent.
    StartTime,
    /// When it was queued.
    QueuedTime,
    /// When it was first scheduled.
    ScheduledTime,
    /// When its first token came.
    FirstTokenTime,
    /// When it ended.
    FinishTime,
    /// Time to first token.
    Ttft,
    /// Inter-token latency: the mean of the request, or a list of its gaps.
    Itl,
    /// Time per output token after the first.
    Tpot,
    /// From sending to the last token.
    E2e,
    /// Waiting before it was scheduled.
    QueueTime,
    /// From being scheduled to the first token.
    PrefillTime,
    /// From the first token to the last.
    DecodeTime,
    /// Tokens of the prompt.
    PromptTokens,
    /// Tokens of the prompt that came from a cache.
    CachedTokens,
    /// Tokens of the answer.
    OutputTokens,
}

/// What a column of a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Text, or a number without a unit.
    Text,
    /// A moment: seconds from any origin in a spelling, or a written date.
    Time,
    /// A stretch of time.
    Duration,
    /// Tokens.
    Tokens,
}

impl Takes {
    /// The base unit of its numbers.
    pub fn unit(self) -> Unit {
        match self {
            Self::Text => Unit::Count,
            Self::Time | Self::Duration => Unit::Seconds,
            Self::Tokens => Unit::Tokens,
        }
    }
}

impl Field {
    /// All fields in the order in which a form lists them.
    pub const ALL: [Self; 26] = [
        Self::RequestId,
        Self::Session,
        Self::ParentId,
        Self::Attempt,
        Self::Model,
        Self::Class,
        Self::Status,
        Self::Error,
        Self::Accepted,
        Self::Retries,
        Self::IntendedTime,
        Self::StartTime,
        Self::QueuedTime,
        Self::ScheduledTime,
        Self::FirstTokenTime,
        Self::FinishTime,
        Self::Ttft,
        Self::Itl,
        Self::Tpot,
        Self::E2e,
        Self::QueueTime,
        Self::PrefillTime,
        Self::DecodeTime,
        Self::PromptTokens,
        Self::CachedTokens,
        Self::OutputTokens,
    ];

    /// Stable snake_case id; its name is the message `field-<id with dashes>`.
    pub fn id(self) -> &'static str {
        match self {
            Self::RequestId => "request_id",
            Self::Session => "session",
            Self::ParentId => "parent_id",
            Self::Attempt => "attempt",
            Self::Model => "model",
            Self::Class => "class",
            Self::Status => "status",
            Self::Error => "error",
            Self::Accepted => "accepted",
            Self::Retries => "retries",
            Self::IntendedTime => "intended_time",
            Self::StartTime => "start_time",
            Self::QueuedTime => "queued_time",
            Self::ScheduledTime => "scheduled_time",
            Self::FirstTokenTime => "first_token_time",
            Self::FinishTime => "finish_time",
            Self::Ttft => "ttft",
            Self::Itl => "itl",
            Self::Tpot => "tpot",
            Self::E2e => "e2e",
            Self::QueueTime => "queue_time",
            Self::PrefillTime => "prefill_time",
            Self::DecodeTime => "decode_time",
            Self::PromptTokens => "prompt_tokens",
            Self::CachedTokens => "cached_tokens",
            Self::OutputTokens => "output_tokens",
        }
    }

    /// The field with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.id() == id)
    }

    /// What its column holds.
    pub fn takes(self) -> Takes {
        match self {
            Self::IntendedTime
            | Self::StartTime
            | Self::QueuedTime
            | Self::ScheduledTime
            | Self::FirstTokenTime
            | Self::FinishTime => Takes::Time,
            Self::Ttft
            | Self::Itl
            | Self::Tpot
            | Self::E2e
            | Self::QueueTime
            | Self::PrefillTime
            | Self::DecodeTime => Takes::Duration,
            Self::PromptTokens | Self::CachedTokens | Self::OutputTokens => Takes::Tokens,
            _ => Takes::Text,
        }
    }

    /// Whether several columns may have it: the gaps between tokens, one column each.
    pub fn repeats(self) -> bool {
        self == Self::Itl
    }
}
